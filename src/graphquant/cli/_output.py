"""Printing: data on stdout, everything else on stderr, colour only where it is wanted."""

import csv
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from graphquant._progress import LogLines, counting
from graphquant.cli._formats import OutputFormat, is_stdout
from graphquant.cli._shown import no_formula, shown, shown_json, shown_lines

# rich is imported where something is printed with it: --help, --version and files do not need it.
if TYPE_CHECKING:
    from rich.console import Console

# Width of tables where no terminal sets one.
_PLAIN_WIDTH = 110


class _Voice:
    """Whether notes and progress bars are wanted; set for the command that runs."""

    quiet = False


def set_quiet(quiet: bool) -> None:
    """Suppress notes and progress bars from now on; warnings and errors stay."""
    _Voice.quiet = quiet


def wants_progress() -> bool:
    """Whether progress is shown: bars on a terminal, lines in a log."""
    return not _Voice.quiet


@contextmanager
def counter(label: str, *, visible: bool) -> Iterator[Callable[[int], None]]:
    """Show how many graphs are done, unless the graphs themselves are ``visible`` on the terminal."""
    if not wants_progress() or (visible and sys.stdout.isatty()):
        yield lambda count: None
        return
    if not sys.stderr.isatty():
        yield counting(LogLines(label, None, "graphs"))
        return
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn(f"{label} {{task.completed:,.0f}} graphs"), TimeElapsedColumn()
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None)
        yield lambda count: bar.advance(task, count)


def console(*, stderr: bool = False) -> "Console":
    """Console of the current stdout or stderr; plain if NO_COLOR is set or it is not a terminal."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    return Console(
        file=stream,
        highlight=False,
        # NO_COLOR counts if it is not empty (no-color.org).
        color_system=None if os.environ.get("NO_COLOR") else "auto",
        width=None if stream.isatty() or "COLUMNS" in os.environ else _PLAIN_WIDTH,
    )


def print_error(message: str, hint: str | None = None) -> None:
    """``error: ...`` on one line; a blank line and ``hint: ...`` if there is one."""
    _print_labelled("error", "bold red", message)
    if hint:
        sys.stderr.write("\n")
        _print_labelled("hint", "bold cyan", hint)


def print_note(message: str, *, label: str = "") -> None:
    """Print a line that is not data, on stderr; a line without a label is suppressed by --quiet."""
    if label:
        _print_labelled(label, "bold yellow", message)
    elif not _Voice.quiet:
        console(stderr=True).print(shown_lines(message), markup=False, soft_wrap=True)


def _print_labelled(label: str, style: str, message: str) -> None:
    out = console(stderr=True)
    out.print(f"{label}:", style=style, end=" ")
    # One line, whatever the message holds and however wide the terminal is.
    out.print(shown(" ".join(message.split())), markup=False, soft_wrap=True)


def print_line(text: str = "") -> None:
    """Print a line of data on stdout."""
    console().print(shown_lines(text), markup=False, soft_wrap=True)


def print_json(data: Any) -> None:
    """Print JSON on stdout, readable for people too."""
    text = json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False)
    sys.stdout.write((shown_json(text) if sys.stdout.isatty() else text) + "\n")


def print_csv(rows: Iterable[Mapping[str, Any]]) -> None:
    """Print rows with the same keys as CSV on stdout."""
    items = [cells(row, sys.stdout) for row in rows]
    writer = csv.DictWriter(sys.stdout, fieldnames=list(items[0]) if items else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(items)


def cells(row: Mapping[str, Any], file: IO[str], *, escapes_formulas: bool = True) -> dict[str, Any]:
    """Return a row as a spreadsheet may have it, and as a terminal may if the file is one."""

    def safe(value: Any) -> Any:
        if not isinstance(value, str):
            return value
        text = no_formula(value) if escapes_formulas else value
        return shown(text) if file.isatty() else text

    return {safe(name): safe(value) for name, value in row.items()}


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, right: Sequence[str] = ()) -> None:
    """Print a table on stdout; the columns named in ``right`` are aligned to the right."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for name in columns:
        table.add_column(name, justify="right" if name in right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(_escaped(cell) for cell in row))
    console().print(table)


# Shares of graphs: "proven 1" could be one of them.
_SHARES = ("proven", "accuracy")


def print_record(record: Mapping[str, Any], output: OutputFormat) -> None:
    """Print named values on stdout: one JSON object, one row of CSV, or one line each."""
    if output is OutputFormat.JSON:
        print_json(record)
    elif output is OutputFormat.CSV:
        print_csv([{name: _as_text(value) for name, value in record.items()}])
    else:
        shown = {name.replace("_", " "): value for name, value in record.items() if value is not None}
        width = max(map(len, shown), default=0)
        for name, value in shown.items():
            text = f"{value:.1%}" if name in _SHARES and isinstance(value, float) else _for_people(value)
            print_line(f"{name:<{width}}  {text}")


def _as_text(value: Any) -> Any:
    """Return a value as one cell of a row."""
    if isinstance(value, bool):
        return str(value).lower()
    return " ".join(map(str, value)) if isinstance(value, list) else value


def _for_people(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    return f"{value:,}" if isinstance(value, int) else str(_as_text(value))


@contextmanager
def stdout_to(path: Path | None) -> Iterator[None]:
    """Redirect stdout to a file that is written completely or not at all; None and ``-`` change nothing."""
    if path is None or is_stdout(path):
        yield
        return
    from graphquant.io.base import atomic_path

    with (
        atomic_path(path) as temporary,
        temporary.open("w", encoding="utf-8", newline="") as file,
        redirect_stdout(file),
    ):
        yield


def print_heading(text: str) -> None:
    """Print the heading of a part of the output, after a blank line."""
    console().print(f"\n[bold]{_escaped(text)}[/bold]")


def _escaped(text: str) -> str:
    from rich.markup import escape

    return escape(shown_lines(text))


__all__ = [
    "cells",
    "console",
    "counter",
    "print_csv",
    "print_error",
    "print_heading",
    "print_json",
    "print_line",
    "print_note",
    "print_record",
    "print_table",
    "set_quiet",
    "stdout_to",
    "wants_progress",
]
