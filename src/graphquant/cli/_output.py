"""Printing: data on stdout, everything else on stderr, colour only where it is wanted."""

import csv
import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from rich.console import Console
from rich.table import Table

# Where no terminal tells a width, tables may be this wide before they wrap.
_PLAIN_WIDTH = 110


class OutputFormat(StrEnum):
    """How data are printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


def console(*, stderr: bool = False) -> Console:
    """Console of the current stdout or stderr; plain if NO_COLOR is set or nobody watches."""
    stream = sys.stderr if stderr else sys.stdout
    return Console(
        file=stream,
        highlight=False,
        # NO_COLOR counts if it is set to anything but nothing (no-color.org).
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
    """Print a line that is not data, on stderr."""
    if label:
        _print_labelled(label, "bold yellow", message)
    else:
        console(stderr=True).print(message, markup=False, soft_wrap=True)


def _print_labelled(label: str, style: str, message: str) -> None:
    out = console(stderr=True)
    out.print(f"{label}:", style=style, end=" ")
    # One line, whatever the message holds and however wide the terminal is.
    out.print(" ".join(message.split()), markup=False, soft_wrap=True)


def print_line(text: str = "") -> None:
    """Print a line of data on stdout."""
    console().print(text, markup=False, soft_wrap=True)


def print_json(data: Any) -> None:
    """Print JSON on stdout, readable for people too."""
    sys.stdout.write(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def print_csv(rows: Iterable[Mapping[str, Any]]) -> None:
    """Print rows with the same keys as CSV on stdout."""
    items = list(rows)
    writer = csv.DictWriter(sys.stdout, fieldnames=list(items[0]) if items else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(items)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, right: Sequence[str] = ()) -> None:
    """Print a table on stdout; the columns named in ``right`` are aligned to the right."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for name in columns:
        table.add_column(name, justify="right" if name in right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(_escaped(cell) for cell in row))
    console().print(table)


def print_heading(text: str) -> None:
    """Print the heading of a part of the output, after a blank line."""
    console().print(f"\n[bold]{_escaped(text)}[/bold]")


def _escaped(text: str) -> str:
    from rich.markup import escape

    return escape(text)


__all__ = [
    "OutputFormat",
    "console",
    "print_csv",
    "print_error",
    "print_heading",
    "print_json",
    "print_line",
    "print_note",
    "print_table",
]
