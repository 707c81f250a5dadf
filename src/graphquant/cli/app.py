"""The program: its commands, errors and exit codes; the code of a command is imported when it runs."""

import sys
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from graphquant.cli import (
    clusters,
    convert,
    demo,
    distance,
    encode,
    evaluate,
    fit,
    info,
    mean,
    pairwise,
    report,
    reproduce,
)
from graphquant.cli._exit import run_guarded
from graphquant.cli._options import expanded


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
        """Run a command line and exit with its code."""
        given = list(sys.argv[1:] if args is None else args)
        # Accepted anywhere, so that users can append --debug to the line that failed.
        debug = "--debug" in given
        given = [arg for arg in given if arg != "--debug"]
        run = partial(
            super().main,
            given,
            prog_name or "graphquant",
            complete_var,
            standalone_mode=False,
            obj=tuple(given),  # for commands that say how to continue after Ctrl-C
            **extra,
        )
        code = run_guarded(run, debug=debug)
        if not standalone_mode:
            return code
        sys.exit(int(code))


def _examples(*lines: str) -> str:
    """Make the end of a help text; the mark prevents rewrapping of the lines."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


app = typer.Typer(
    name="graphquant",
    cls=_Commands,
    help="Vector quantization for graphs: learn a small codebook of representative attributed graphs.",
    epilog=_examples(
        "graphquant demo",
        "graphquant info letters",
        "graphquant fit letters -k 30 -o codebook.parquet",
        "graphquant report codebook.parquet letters -o report.html",
    ),
    context_settings={"help_option_names": ["-h", "--help"]},
    # Plain help: the same on every terminal, in a pipe, and without colour.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from graphquant._versions import version_line

        sys.stdout.write(f"{version_line()}\n")
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


# In the order of a first visit: look, learn, use, understand.
for _name, _module in {
    "demo": demo,
    "info": info,
    "fit": fit,
    "encode": encode,
    "clusters": clusters,
    "evaluate": evaluate,
    "report": report,
    "distance": distance,
    "pairwise": pairwise,
    "mean": mean,
    "convert": convert,
    "reproduce": reproduce,
}.items():
    app.command(_name, epilog=_examples(*_module.EXAMPLES))(expanded(getattr(_module, _name)))


def main() -> None:
    """Entry point of the ``graphquant`` program."""
    app()


__all__ = ["app", "main"]
