"""``graphquant info DATA``: number and size of graphs, their attributes and classes."""

from typing import TYPE_CHECKING

from graphquant.cli import _options as opt
from graphquant.cli._formats import OutputFormat, record_format
from graphquant.cli._output import (
    print_csv,
    print_heading,
    print_json,
    print_line,
    print_table,
    stdout_to,
)

if TYPE_CHECKING:
    from graphquant.cli._summary import AttributeSummary, Summary

EXAMPLES = (
    "graphquant info letters",
    "graphquant info letters:high --format json",
    "graphquant info letter --data DIR",
    "graphquant info Letter.zip --split LOW/test --format csv",
)

_CLASSES_PER_LINE = 8


def info(
    data: opt.Data,
    reading: opt.Reading = opt.READING,
    format: opt.Format = None,
    output: opt.Output = None,
    quiet: opt.Quiet = False,
) -> None:
    """Show sizes, attributes and classes of graphs."""
    chosen = record_format(output, format)

    from graphquant.cli._summary import summarise

    with stdout_to(output):
        print_summary(summarise(reading.load(data)), chosen)


def print_summary(summary: "Summary", output: OutputFormat) -> None:
    """Print the summary of a data set."""
    if output is OutputFormat.JSON:
        print_json(summary.to_json())
    elif output is OutputFormat.CSV:
        print_csv([summary.table_row()])
    else:
        _print_tables(summary)


def _print_tables(summary: "Summary") -> None:
    # Readers begin their description with the path, which need not be repeated.
    description = summary.description.removeprefix(summary.data).strip()
    print_line(f"{summary.data}: {description}" if description else summary.data)
    print_heading("Size")
    columns = ("graphs", "classes", "avg nodes", "max nodes", "avg edges", "max edges", "edges are")
    row = (
        str(summary.graphs),
        "-" if summary.classes is None else str(summary.classes),
        f"{summary.avg_nodes:.2f}",
        str(summary.max_nodes),
        f"{summary.avg_edges:.2f}",
        str(summary.max_edges),
        "directed" if summary.directed else "undirected",
    )
    print_table(columns, [row], right=columns[:-1])
    print_heading("Attributes")
    if summary.attributes:
        rows = [(a.of, a.name, a.kind, _values(a), str(a.missing)) for a in summary.attributes]
        print_table(("of", "name", "kind", "values", "missing"), rows, right=("missing",))
    else:
        print_line("none")
    if summary.class_counts:
        print_heading("Classes")
        shown = [f"{name} {count}" for name, count in summary.class_counts.items()]
        for start in range(0, len(shown), _CLASSES_PER_LINE):
            print_line(", ".join(shown[start : start + _CLASSES_PER_LINE]))
    print_heading("Encoding")
    print_line(summary.encoding)


def _values(attribute: "AttributeSummary") -> str:
    if attribute.n_categories is not None:
        more = attribute.n_categories - len(attribute.categories)
        listed = ", ".join(attribute.categories) + (f", ... ({more} more)" if more else "")
        return f"{attribute.n_categories}: {listed}" if attribute.n_categories else "none"
    if attribute.min is None or attribute.max is None or attribute.mean is None:
        return "none"
    return f"{attribute.min:.4g} to {attribute.max:.4g}, mean {attribute.mean:.4g}"


__all__ = ["EXAMPLES", "info", "print_summary"]
