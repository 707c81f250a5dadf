"""The result of an experiment, and how it is written: JSON, Markdown, CSV, plots."""

import csv
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from graphquant._validation import import_optional
from graphquant.experiments._config import Options
from graphquant.experiments._provenance import describe_provenance, provenance
from graphquant.experiments._store import write_text


@dataclass(frozen=True)
class Claim:
    """A statement about results that holds or not; ``holds`` is None while it is undecided."""

    text: str
    holds: bool | None

    def to_markdown(self) -> str:
        """Return a list item."""
        verdict = {True: "holds", False: "**does not hold**", None: "not decided"}[self.holds]
        return f"- {verdict}: {self.text}"


@dataclass(frozen=True)
class Result:
    """The outcome of an experiment.

    Attributes
    ----------
    name, title : str
    rows : list of dict
        The numbers, one row per cell, with the same keys in all rows: the CSV file.
    markdown : str
        What a reader wants to know first: tables and remarks.
    claims : tuple of Claim
    plot : callable, optional
        Draws on a new matplotlib figure.
    method : str
        How it was measured.
    record : str
        All tables, for the end of the page.
    """

    name: str
    title: str
    rows: list[dict[str, Any]]
    markdown: str
    claims: tuple[Claim, ...] = ()
    plot: Callable[[Any], None] | None = None
    method: str = ""
    record: str = ""

    def write(self, options: Options) -> list[Path]:
        """Write all files; returns their paths."""
        folder, command = Path(options.output), options.command(self.name)
        origin = provenance()
        content = {
            "experiment": self.name,
            "command": command,
            "configuration": asdict(options) | {"data": "DIR", "output": "DIR"},
            **origin,
            "claims": [asdict(claim) for claim in self.claims],
            "rows": self.rows,
        }
        written = [folder / f"{self.name}.{suffix}" for suffix in ("json", "csv", "md")]
        write_text(written[0], json.dumps(content, indent=1) + "\n")
        write_text(written[1], _csv(self.rows))
        write_text(written[2], self._page(command, describe_provenance(origin)))
        return written + self._draw(folder)

    def _page(self, command: str, origin: str) -> str:
        parts = [f"# {self.title}", self.markdown.strip()]
        parts += ["## How it was measured"] + [self.method.strip()] * bool(self.method)
        parts += [f"`{command}`", origin]
        if self.claims:
            parts.append(f"## What the paper says, checked\n\n{_verdicts(self.claims)}")
        if self.record:
            parts.append(f"## Full record\n\n{_folded('All tables', self.record)}")
        return "\n\n".join(parts) + "\n"

    def _draw(self, folder: Path) -> list[Path]:
        if self.plot is None:
            return []
        figures = import_optional("matplotlib.figure", "plot", "A plot")
        figure = figures.Figure(layout="constrained")
        self.plot(figure)
        written = [folder / f"{self.name}.{suffix}" for suffix in ("png", "svg")]
        for path in written:
            figure.savefig(path, dpi=150)
        return written


def _verdicts(claims: Sequence[Claim]) -> str:
    """Say how many statements are confirmed, and name those that are not; the others are folded."""

    def listed(holds: bool | None) -> str:
        return "\n".join(f"- {claim.text}" for claim in claims if claim.holds is holds)

    n_confirmed = sum(claim.holds is True for claim in claims)
    parts = [f"Confirmed here: {n_confirmed} of {len(claims)}."]
    parts += [
        f"{title}:\n\n{text}" for title, text in (("Not so", listed(False)), ("Open", listed(None))) if text
    ]
    if n_confirmed:
        parts.append(_folded("Confirmed", listed(True)))
    return "\n\n".join(parts)


def _folded(summary: str, text: str) -> str:
    """Return a part that a reader opens; a heading would end it in a built site, so headings become bold."""
    flat = re.sub(r"^#+ (.+)$", r"**\1**", text.strip(), flags=re.MULTILINE)
    return f"<details>\n<summary>{summary}</summary>\n\n{flat}\n\n</details>"


def markdown_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table, aligned so that it is readable as text.

    Examples
    --------
    >>> print(markdown_table(["k", "error"], [["15", "19.2"]]))
    | k  | error |
    |----|-------|
    | 15 | 19.2  |
    """
    table = [list(columns), *(list(row) for row in rows)]
    widths = [max(len(row[c]) for row in table) for c in range(len(columns))]
    lines = [
        "| " + " | ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) + " |" for row in table
    ]
    lines.insert(1, "|" + "|".join("-" * (w + 2) for w in widths) + "|")
    return "\n".join(lines)


def plain_log_axis(ax: Any) -> None:
    """Make the y axis logarithmic, with numbers as people write them."""
    from matplotlib.ticker import LogLocator

    ax.set_yscale("log")
    # Not just powers of ten: an axis may be shorter than the step from one to the next.
    ax.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    ax.yaxis.set_major_formatter("{x:g}")
    ax.yaxis.set_minor_formatter("")


def _csv(rows: Sequence[Mapping[str, Any]]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


__all__ = ["Claim", "Result", "markdown_table", "plain_log_axis"]
