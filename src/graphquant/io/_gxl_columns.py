"""From the texts of many GXL graphs to columns: which attributes are numbers, and do they read.

An attribute is numeric if all its values are typed as numbers (``<int>``, ``<float>``, ``<bool>``,
...). ``<enum>`` values are strings, as they stand. A ``<string>`` attribute is a string, without blanks
around it, unless nearly all of its values read as numbers: GREC keeps its angles that way.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graphquant._typing import IntArray
from graphquant.exceptions import FileFormatError
from graphquant.graphs import Column
from graphquant.io._base import not_a_number
from graphquant.io._gxl_document import BOOL_TAGS, NUMBER_TAGS, Cells

# Share of the values of a <string> attribute that must read as numbers to make it numeric.
_NEARLY_ALL = 0.9
_BOOLS = {"true": 1.0, "false": 0.0}


@dataclass(frozen=True)
class BadNumber:
    """A value that should be a number and is not."""

    graph: int
    row: int
    attribute: str
    text: str

    def error(self, label: str, what: str) -> FileFormatError:
        """Error that says where the value stands."""
        return not_a_number(self.text, f"{label}: {what} {self.row}, attribute {self.attribute!r}")


def build_columns(
    parts: Sequence[Mapping[str, Cells]], counts: Sequence[int]
) -> tuple[dict[str, Column], list[BadNumber]]:
    """Join the attributes of all graphs to columns.

    Parameters
    ----------
    parts : sequence of mapping of str to Cells
        Attributes of the nodes (or edges) of each graph.
    counts : sequence of int
        Number of nodes (or edges) of each graph.

    Returns
    -------
    columns : dict of str to Column
        A bad number is a missing value.
    bad : list of BadNumber
    """
    offsets = np.cumsum([0, *counts])
    columns: dict[str, Column] = {}
    bad: list[BadNumber] = []
    for name in dict.fromkeys(name for part in parts for name in part):
        cells = [(i, part[name]) for i, part in enumerate(parts) if name in part]
        texts = [text for _, cell in cells for text in cell.texts]
        rows = np.concatenate([np.array(cell.rows, dtype=np.int64) + offsets[i] for i, cell in cells])
        tags = frozenset().union(*(cell.tags for _, cell in cells))
        numbers = _numbers(texts, tags)
        if numbers is None:
            columns[name] = _string_column(texts, rows, int(offsets[-1]), exact="enum" in tags)
            continue
        values = np.full(offsets[-1], np.nan)
        values[rows] = numbers
        columns[name] = Column(values)
        bad.extend(_locate_bad(name, numbers, texts, rows, offsets))
    return columns, bad


def looks_numeric(texts: Iterable[str]) -> bool:
    """Whether a ``<string>`` attribute with these values is read as a number."""
    counts = Counter(texts)
    good = sum(count for text, count in counts.items() if not math.isnan(_number(text)))
    return good > 0 and good >= _NEARLY_ALL * counts.total()


def _numbers(texts: list[str], tags: frozenset[str]) -> list[float] | None:
    """Return the values as numbers, NaN for those that are none; None if the attribute is a string."""
    if tags <= NUMBER_TAGS:
        try:
            numbers = list(map(float, texts))
        except ValueError:
            numbers = [math.nan]
        # Python also reads 'inf', 'nan' and '1_000'; they are told apart one by one.
        if all(map(math.isfinite, numbers)) and "_" not in "".join(texts):
            return numbers
    elif not tags <= NUMBER_TAGS | BOOL_TAGS and ("enum" in tags or not looks_numeric(texts)):
        return None
    read = {text: _number(text) for text in set(texts)}
    if not tags.isdisjoint(BOOL_TAGS):
        read |= {text: _BOOLS[text.strip().lower()] for text in read if text.strip().lower() in _BOOLS}
    return [read[text] for text in texts]


def _number(text: str) -> float:
    """Finite number, or NaN if the text is none."""
    try:
        number = float(text)
    except ValueError:
        return math.nan
    return number if math.isfinite(number) and "_" not in text else math.nan


def _string_column(texts: list[str], rows: IntArray, size: int, *, exact: bool) -> Column:
    clean = {text: text if exact else text.strip() for text in set(texts)}
    categories = tuple(sorted(set(clean.values())))
    number = {category: i for i, category in enumerate(categories)}
    code = {text: number[category] for text, category in clean.items()}
    codes = np.full(size, -1, dtype=np.int32)
    codes[rows] = [code[text] for text in texts]
    return Column(codes, categories)


def _locate_bad(
    name: str, numbers: list[float], texts: list[str], rows: IntArray, offsets: IntArray
) -> Iterator[BadNumber]:
    for i in np.flatnonzero(np.isnan(numbers)):
        graph = int(np.searchsorted(offsets, rows[i], side="right")) - 1
        yield BadNumber(graph, int(rows[i] - offsets[graph]), name, texts[i])


__all__ = ["BadNumber", "build_columns", "looks_numeric"]
