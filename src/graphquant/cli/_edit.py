"""Options of edit distances: ``--edit`` and ``--costs``."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphquant.exceptions import EncodingError, FileFormatError, InvalidParameterError

if TYPE_CHECKING:
    from graphquant.preprocessing import EditCosts, GraphEncoder

_PRESETS = ("unit", "networkx", "mces")


@dataclass(frozen=True)
class Editing:
    """Whether distances are edit distances, and what edits cost."""

    edit: Annotated[
        bool,
        typer.Option("--edit", help="Use graph edit distances: what turning one graph into the other costs."),
    ] = False
    costs: Annotated[
        str | None,
        typer.Option(
            metavar="FILE.json",
            help="What edits cost: a JSON file of the parameters of EditCosts, or unit, networkx or mces. "
            "Implies --edit.",
        ),
    ] = None

    @property
    def wanted(self) -> bool:
        """Whether edit distances are asked for."""
        return self.edit or self.costs is not None

    def read(self) -> "EditCosts | None":
        """Return the costs that are asked for; None without --edit."""
        if not self.wanted:
            return None
        from graphquant.preprocessing import EditCosts

        if self.costs is None or self.costs == "unit":
            return EditCosts()
        if self.costs in _PRESETS:
            return EditCosts.mces() if self.costs == "mces" else EditCosts.like_networkx()
        return _costs_in(Path(self.costs))

    def check(self, encoder: "GraphEncoder | None", owner: str) -> None:
        """Raise unless a codebook was learnt in the edit distance that is asked for."""
        if not self.wanted:
            return
        from graphquant.preprocessing import EditCosts

        if not isinstance(encoder, EditCosts):
            raise EncodingError(
                f"{owner}: was not learnt in the edit distance.", "Learn it with --edit, or leave --edit out."
            )
        given = self.read()
        if (
            self.costs is not None
            and given is not None
            and given.to_json()["params"] != encoder.to_json()["params"]
        ):
            raise EncodingError(
                f"{owner}: was learnt with other costs ({encoder!r}).",
                "Leave --costs out: the codebook knows its own.",
            )


def _costs_in(path: Path) -> "EditCosts":
    """Read costs: what ``EditCosts.to_json`` wrote, or an object of parameters."""
    from graphquant.io.strict_json import parse_json
    from graphquant.preprocessing import EditCosts

    try:
        data = parse_json(path.read_text(encoding="utf-8"))
    except OSError as err:
        raise FileFormatError(
            f"{path}: cannot be read ({err.strerror or err}).",
            f"Name a JSON file of costs, or one of {', '.join(_PRESETS)}.",
        ) from err
    except ValueError as err:
        raise FileFormatError(f"{path}: is not JSON ({err}).", _example()) from err
    if not isinstance(data, dict):
        raise FileFormatError(f"{path}: holds a {type(data).__name__}, not an object.", _example())
    if "type" in data:
        return EditCosts.from_json(data).unfitted()
    return _costs_of(data, path)


def _costs_of(data: dict[str, Any], path: Path) -> "EditCosts":
    from graphquant.preprocessing import EditCosts

    known = EditCosts().get_params()
    unknown = [name for name in data if name not in known]
    if unknown:
        raise InvalidParameterError(
            f"{path}: there is no cost {unknown[0]!r}.", f"Known: {', '.join(known)}."
        )
    whole = EditCosts().to_json()
    whole["params"] |= data
    try:
        return EditCosts.from_json(whole)
    except FileFormatError as err:
        raise FileFormatError(f"{path}: {err.message}", _example()) from err


def _example() -> str:
    return 'Such as {"node_substitution": 0.5, "node_table": [["C", "N", 0.2], ["C", null, 1.5]]}.'


# The default of a parameter, whose fields then have their own.
EDITING = Editing()

__all__ = ["EDITING", "Editing"]
