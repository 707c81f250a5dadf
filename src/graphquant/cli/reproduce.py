"""``graphquant reproduce``: the paper's experiments, side by side with its figures."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphquant.cli._output import print_line, print_note

if TYPE_CHECKING:
    from graphquant.experiments import Claim, Options

EXAMPLES = ("graphquant reproduce table1 --data DIR",)


class Experiment(StrEnum):
    """What can be reproduced."""

    TABLE1 = "table1"
    TABLE2 = "table2"
    FIGURE = "figure"
    THETA = "theta"
    ALL = "all"


class DataSet(StrEnum):
    """The paper's data sets."""

    LETTER = "letter"
    GREC = "grec"
    FINGERPRINT = "fingerprint"
    MOLECULES = "molecules"


def reproduce(
    experiment: Annotated[Experiment, typer.Argument(help="What to reproduce.")],
    data: Annotated[
        Path,
        typer.Option(
            "--data", metavar="DIR", envvar="GRAPHQUANT_DATA", help="Folder of the IAM graph database."
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Where to write.")] = Path(
        "graphquant-results"
    ),
    quick: Annotated[
        bool, typer.Option("--quick", help="Minutes: few cycles, one run, the smallest codebooks.")
    ] = False,
    runs: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="Runs of each cell: 10, or 1 if quick. 0: tables of the runs that exist.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Random state of the first run.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, metavar="N", help="Runs at a time.")] = 1,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue from the runs in the output folder.")
    ] = False,
    sets: Annotated[
        list[DataSet] | None,
        typer.Option("--set", help="Only this data set; may be repeated.", show_default=False),
    ] = None,
) -> None:
    """Run the paper's experiments and compare with its numbers."""
    from graphquant.experiments import CODES, Options

    chosen = tuple(name for name in CODES if not sets or name in sets)
    run_experiments(
        experiment.value,
        Options(
            data=str(data),
            output=str(output),
            quick=quick,
            runs=runs,
            seed=seed,
            jobs=jobs,
            resume=resume,
            sets=chosen,
        ),
    )


def run_experiments(name: str, options: "Options") -> None:
    """Run experiments, print the results, and write their files."""
    from graphquant.experiments import reproduce as run

    try:
        for result in run(name, options, print_note):
            for path in result.write(options):
                print_note(f"wrote {path}")
            print_line(f"# {result.title}\n\n{result.markdown}\n")
            _print_claims(result.claims)
            if result.record:
                print_line(f"{result.record}\n")
    except KeyboardInterrupt:
        print_note(f"finished runs are kept in {options.output}; continue with --resume")
        raise


def _print_claims(claims: "tuple[Claim, ...]") -> None:
    for claim in claims:
        print_line(claim.to_markdown())
    if claims:
        print_line()


__all__ = ["EXAMPLES", "DataSet", "Experiment", "reproduce", "run_experiments"]
