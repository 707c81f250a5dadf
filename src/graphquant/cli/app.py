"""The commands, their options and their help; what they do is imported when they run."""

import sys
from collections.abc import Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from graphquant.cli._exit import run_guarded
from graphquant.cli._output import OutputFormat


class OnError(StrEnum):
    """What to do about a graph that cannot be read."""

    RAISE = "raise"
    SKIP = "skip"


class _Commands(TyperGroup):
    """All commands, with the errors and exit codes of this program."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command line and leave with its exit code."""
        given = list(sys.argv[1:] if args is None else args)
        # Accepted anywhere: whoever wants a traceback appends --debug to the line that failed.
        debug = "--debug" in given
        given = [arg for arg in given if arg != "--debug"]
        run = partial(
            super().main, given, prog_name or "graphquant", complete_var, standalone_mode=False, **extra
        )
        code = run_guarded(run, debug=debug)
        if not standalone_mode:
            return code
        sys.exit(int(code))


def _examples(*lines: str) -> str:
    """Make the end of a help text; the mark keeps the lines as they are."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


app = typer.Typer(
    name="graphquant",
    cls=_Commands,
    help="Vector quantization for graphs: learn a small codebook of representative attributed graphs.",
    epilog=_examples(
        "graphquant demo", "graphquant info letters", "graphquant info letters:high --format json"
    ),
    context_settings={"help_option_names": ["-h", "--help"]},
    # Plain help: it reads the same on every terminal, in a pipe, and without colour.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from graphquant import __version__

        sys.stdout.write(f"graphquant {__version__}\n")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _root(
    ctx: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks of errors.")] = False,
) -> None:
    if ctx.invoked_subcommand is None:
        sys.stdout.write(ctx.get_help() + "\n")


@app.command(
    epilog=_examples(
        "graphquant info letters",
        "graphquant info letters:high --format json",
        "graphquant info letter --data DIR",
        "graphquant info Letter.zip --split LOW/test --format csv",
    )
)
def info(
    data: Annotated[
        str,
        typer.Argument(
            help="A file, folder or zip; or letters, letters:med, letters:high, blobs (built in); "
            "or letter, letter-med, grec, fingerprint, molecules, mutagenicity (with --data)."
        ),
    ],
    format: Annotated[OutputFormat, typer.Option("--format", help="How to print.")] = OutputFormat.TABLE,
    folder: Annotated[
        Path | None, typer.Option("--data", metavar="DIR", help="Folder of the IAM graph database.")
    ] = None,
    input_format: Annotated[
        str | None, typer.Option(help="Format of the file, if its name does not tell it.")
    ] = None,
    split: Annotated[
        str | None,
        typer.Option(
            help="Which part of an IAM set: train, validation, test or all; of a zip, the end of a CXL name."
        ),
    ] = None,
    on_error: Annotated[
        OnError, typer.Option(help="What to do about a graph that cannot be read.")
    ] = OnError.RAISE,
    repair: Annotated[
        bool, typer.Option("--repair", help="Read broken values of IAM files as missing ones.")
    ] = False,
) -> None:
    """Show how many graphs there are, how large, with which attributes and classes."""
    from graphquant.cli._data import load_data
    from graphquant.cli._summary import summarise
    from graphquant.cli.info import print_summary

    loaded = load_data(
        data,
        folder=folder,
        file_format=input_format,
        on_error="skip" if on_error is OnError.SKIP else "raise",
        split=split,
        repair=repair or None,
    )
    print_summary(summarise(loaded), format)


@app.command(epilog=_examples("graphquant demo", "graphquant demo --output my-demo"))
def demo(
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Where to write.")] = Path(
        "graphquant-demo"
    ),
) -> None:
    """Show the main job on built-in letters; no file, no network."""
    from graphquant.cli.demo import run_demo

    run_demo(output)


def main() -> None:
    """Entry point of the ``graphquant`` program."""
    app()


__all__ = ["app", "main"]
