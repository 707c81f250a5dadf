"""Options that several commands share, and how they become parameters."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from graphquant.cli._formats import OutputFormat
from graphquant.cli._output import set_quiet
from graphquant.exceptions import EncodingError

if TYPE_CHECKING:
    from graphquant.cli._loaded import LoadedData
    from graphquant.preprocessing import GraphEncoder

BUILT_IN = ("letters", "letters:low", "letters:med", "letters:high", "blobs")
IAM_NAMES = ("letter", "letter-med", "grec", "fingerprint", "molecules", "mutagenicity")


class OnError(StrEnum):
    """What to do about a graph that cannot be used."""

    RAISE = "raise"
    SKIP = "skip"


class Missing(StrEnum):
    """How a missing value is encoded."""

    ERROR = "error"
    ZERO = "zero"
    MEAN = "mean"


class Unknown(StrEnum):
    """How a category that was not in training is encoded."""

    OTHER = "other"
    ERROR = "error"


class MatcherName(StrEnum):
    """How two graphs are matched."""

    AUTO = "auto"
    EXACT = "exact"
    FRANK_WOLFE = "frank-wolfe"
    GRADUATED_ASSIGNMENT = "graduated-assignment"


def _complete_data(incomplete: str) -> list[str]:
    """Complete names of data sets; where none fits, the shell completes file names."""
    return [name for name in BUILT_IN + IAM_NAMES if name.startswith(incomplete)]


def _hear(quiet: bool) -> bool:
    set_quiet(quiet)
    return quiet


def _names(text: str | None) -> list[str]:
    """Split a list of names at its commas."""
    return [] if text is None else [name.strip() for name in text.split(",") if name.strip()]


Data = Annotated[
    list[str],
    typer.Argument(
        metavar="DATA",
        autocompletion=_complete_data,
        help="Files, folders or zips, joined if several; - for stdin; or letters, letters:med, letters:high, "
        "blobs (built in); or letter, letter-med, grec, fingerprint, molecules, mutagenicity (with --data).",
    ),
]
Codebook = Annotated[Path, typer.Argument(metavar="CODEBOOK", help="A codebook that 'graphquant fit' wrote.")]
Format = Annotated[
    OutputFormat | None,
    typer.Option("--format", help="How to print the result; by default a table, or by the suffix of FILE."),
]
Shown = Annotated[OutputFormat, typer.Option("--format", help="How to print the result.")]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write the result to a file (.txt, .json, .csv) instead of printing it.",
    ),
]
Formulas = Annotated[
    bool,
    typer.Option(
        "--formulas",
        help="Write texts to .csv and .tsv as they are. By default one that a spreadsheet would take for "
        "a formula (it begins with =, +, - or @ and is not a number) gets a ' in front.",
    ),
]
Seed = Annotated[int, typer.Option("--seed", min=0, metavar="N", help="Same seed, same result.")]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs", "-j", min=1, metavar="N", help="Threads; by default all cores. Results do not depend on it."
    ),
]
Matcher = Annotated[MatcherName, typer.Option("--matcher", help="How graphs are matched.")]
TimeLimit = Annotated[
    float | None,
    typer.Option(
        min=0.0,
        metavar="SECONDS",
        help="End the search of a pair after this time; what it finds then depends on the machine.",
    ),
]
Quiet = Annotated[
    bool,
    typer.Option("--quiet", "-q", callback=_hear, is_eager=True, help="No notes and no progress on stderr."),
]


@dataclass(frozen=True)
class Reading:
    """How DATA is read."""

    folder: Annotated[
        Path | None, typer.Option("--data", metavar="DIR", help="Folder of the IAM graph database.")
    ] = None
    input_format: Annotated[
        str | None,
        typer.Option(
            metavar="FORMAT",
            help="Format of the file, if its name does not show it: parquet, jsonl, gxl, tu, graphml, smiles "
            "or sdf.",
        ),
    ] = None
    split: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Which part of an IAM set: train, validation, test or all; of a zip, the end of a CXL name.",
        ),
    ] = None
    on_error: Annotated[OnError, typer.Option(help="What to do about a graph that cannot be used.")] = (
        OnError.RAISE
    )
    repair: Annotated[
        bool, typer.Option("--repair", help="Read broken values of IAM files as missing ones.")
    ] = False
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse files with flaws instead of repairing them.")
    ] = False
    smiles: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Column of a table that holds the molecules.")
    ] = None
    name: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Column of a table that holds the names.")
    ] = None
    target: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Column, or field of an SDF file, that is the class.")
    ] = None
    hydrogens: Annotated[
        bool, typer.Option("--hydrogens", help="Turn hydrogens of molecules into nodes.")
    ] = False

    def load(self, data: str | Sequence[str]) -> "LoadedData":
        """Read and join DATA, and list on stderr what was skipped or repaired."""
        from graphquant.cli import _data, _joining, _loaded

        names = [data] if isinstance(data, str) else data
        loaded = _joining.joined([_data.load_data(name, self) for name in names])
        _loaded.print_flaws(loaded)
        return loaded


@dataclass(frozen=True)
class Policies:
    """What a fitted encoder does with values that it does not know."""

    unknown: Annotated[
        Unknown | None,
        typer.Option(help="How to encode a category that was not in training; by default as in training."),
    ] = None
    missing: Annotated[
        Missing | None, typer.Option(help="How to encode a missing value; by default as in training.")
    ] = None

    def given(self) -> dict[str, str]:
        """Return the chosen ones, as parameters of an encoder."""
        chosen = {"unknown": self.unknown, "missing": self.missing}
        return {name: policy.value for name, policy in chosen.items() if policy is not None}

    def set_on(self, encoder: "GraphEncoder | None", owner: str) -> None:
        """Change an encoder that is fitted already."""
        given = self.given()
        if not given:
            return
        if encoder is None:
            raise EncodingError(
                f"{owner}: has no encoder, so --{next(iter(given))} has no effect.", "Omit it."
            )
        encoder.set_params(**given)


@dataclass(frozen=True)
class Attributes:
    """Which named attributes become vectors; without any option, the automatic choice."""

    node: Annotated[
        str | None, typer.Option(metavar="NAMES", help="Node attributes to use, such as x,y; '' for none.")
    ] = None
    node_onehot: Annotated[
        str | None, typer.Option(metavar="NAMES", help="Node attributes to use as categories.")
    ] = None
    edge: Annotated[
        str | None, typer.Option(metavar="NAMES", help="Edge attributes to use; '' for none.")
    ] = None
    edge_onehot: Annotated[
        str | None, typer.Option(metavar="NAMES", help="Edge attributes to use as categories.")
    ] = None
    unknown: Annotated[
        Unknown | None, typer.Option(help="How to encode a category that was not in training.")
    ] = None
    missing: Annotated[Missing | None, typer.Option(help="How to encode a missing value.")] = None
    unit_norm: Annotated[bool, typer.Option("--unit-norm", help="Scale each graph to norm 1.")] = False

    @property
    def given(self) -> bool:
        """Whether any option was given."""
        return self != Attributes()

    @property
    def policies(self) -> Policies:
        """Return the choices that a fitted encoder still allows."""
        return Policies(self.unknown, self.missing)

    @property
    def chooses(self) -> bool:
        """Whether any option other than the policies was given."""
        return self != Attributes(unknown=self.unknown, missing=self.missing)

    def specs(self, side: str) -> list[Any] | None:
        """Return the attributes of nodes or edges to use, for an AttributeEncoder."""
        from graphquant.preprocessing import OneHot

        plain, one_hot = getattr(self, side), getattr(self, f"{side}_onehot")
        if plain is None and one_hot is None:
            return None
        return [*_names(plain), *(OneHot(name) for name in _names(one_hot))]


# Defaults of the parameters; their fields have defaults of their own.
READING, ATTRIBUTES, POLICIES = Reading(), Attributes(), Policies()


def expanded(command: Callable[..., None]) -> Callable[..., None]:
    """Turn each field of a dataclass parameter into an option, as typer needs it."""
    hints = get_type_hints(command, include_extras=True)
    bundles: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        if name in bundles:
            field_hints = get_type_hints(bundles[name], include_extras=True)
            parameters += [
                inspect.Parameter(
                    field.name,
                    parameter.KEYWORD_ONLY,
                    default=field.default,
                    annotation=field_hints[field.name],
                )
                for field in fields(bundles[name])
            ]
        else:
            parameters.append(parameter.replace(kind=parameter.KEYWORD_ONLY, annotation=hints[name]))

    def run(**given: Any) -> None:
        for name, bundle in bundles.items():
            given[name] = bundle(**{field.name: given.pop(field.name) for field in fields(bundle)})
        command(**given)

    run.__name__, run.__doc__ = command.__name__, command.__doc__
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


__all__ = [
    "ATTRIBUTES",
    "BUILT_IN",
    "IAM_NAMES",
    "POLICIES",
    "READING",
    "Attributes",
    "Codebook",
    "Data",
    "Format",
    "Formulas",
    "Jobs",
    "Matcher",
    "MatcherName",
    "Missing",
    "OnError",
    "Output",
    "Policies",
    "Quiet",
    "Reading",
    "Seed",
    "Shown",
    "TimeLimit",
    "Unknown",
    "expanded",
]
