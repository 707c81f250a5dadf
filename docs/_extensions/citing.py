"""Find a measured number in the files of ``docs/results``.

``table2.csv | setting=own set=letter k=30 algorithm=lossless | 100 * accuracy_mean .1f`` is 97.9: the first
part names a file, ``peers.json/rows`` a list inside it; the second must choose exactly one row; the third
names a number of that row (``mean.accuracy`` one further down), perhaps times a factor, and a format.
"""

import csv
import json
import re
from pathlib import Path

RESULTS = Path(__file__).resolve().parents[1] / "results"
QUERY = re.compile(r"(\S+) \| (.*) \| (?:([\d.]+) \* )?(\S+) (\S+)")


def rows_of(source):
    """Return the rows of a CSV file, of a list in a JSON file, or of the tables of a page.

    The first column of a table is called ``row``.
    """
    name, _, inside = source.partition("/")
    text = (RESULTS / name).read_text(encoding="utf-8")
    if name.endswith(".csv"):
        return list(csv.DictReader(text.splitlines()))
    if name.endswith(".md"):
        return list(table_rows(text))
    found = json.loads(text)
    for key in inside.split("/"):
        found = found[key]
    return found


def squeezed(value):
    """Return a value as a condition of a query names it: without spaces and commas."""
    return re.sub(r"[\s,]", "", str(value))


def table_rows(text):
    """Yield the rows of all tables of a page in Markdown."""
    header = None
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else None
        if cells is None or header is None:
            header = cells and ["row", *cells[1:]]
        elif set(line) - set("|-: "):
            yield dict(zip(header, (cell.replace(",", "") for cell in cells), strict=False))


def cite(query):
    """Return the file that a query cites, and the number as text."""
    parts = QUERY.fullmatch(" ".join(query.split()))
    if parts is None:
        raise ValueError(f"not a query: {query}")
    source, conditions, factor, column, layout = parts.groups()
    wanted = dict(condition.split("=", 1) for condition in conditions.split())
    rows = [row for row in rows_of(source) if all(squeezed(row.get(k)) == v for k, v in wanted.items())]
    if len(rows) != 1:
        raise ValueError(f"{len(rows)} rows of {source} have {conditions}")
    value = rows[0]
    for key in column.split("."):
        value = value[key]
    number = re.match(r"[-+]?[\d.]+", str(value))
    if number is None:
        raise ValueError(f"{column} of {conditions} is {value!r}")
    return source.partition("/")[0], format(float(factor or 1) * float(number[0]), layout)
