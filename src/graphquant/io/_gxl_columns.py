"""From the texts of many GXL graphs to columns: which attributes are numbers, and whether they parse.

An attribute is numeric if its values are typed as numbers (``<int>``, ``<float>``, ``<bool>``, ...) and
nearly all of them are: then the others are missing. If many are not, it is text, as the amino acids of the
proteins are, which are typed ``<int>``. ``<enum>`` values are strings, as they stand. A ``<string>``
attribute is a string, without blanks around it, unless nearly all of its values read as numbers: GREC
keeps its angles that way. One that is typed as a number here and as a string there is numeric if all its
values read as numbers, else text.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graphquant._typing import IntArray
from graphquant.exceptions import FileFormatError
from graphquant.graphs import Column
from graphquant.io._gxl_document import BOOL_TAGS, NUMBER_TAGS, Cells
from graphquant.io._repairs import MISSING, NEARLY_ALL, is_numeric, read_as_text
from graphquant.io.base import not_a_number

_BOOLS = {"true": 1.0, "false": 0.0}


@dataclass(frozen=True)
class BadNumber:
    """A value that should be a number and is not, and what it became."""

    graph: int
    row: int
    attribute: str
    text: str
    done: str

    def error(self, label: str, what: str) -> FileFormatError:
        """Error that says where the value is."""
        return not_a_number(self.text, f"{label}: {what} {self.row}, attribute {self.attribute!r}")


def build_columns(
    parts: Sequence[Mapping[str, Cells]], counts: Sequence[int], *, strict: bool = False
) -> tuple[dict[str, Column], list[BadNumber]]:
    """Join the attributes of all graphs into columns.

    Parameters
    ----------
    parts : sequence of mapping of str to Cells
        Attributes of the nodes (or edges) of each graph.
    counts : sequence of int
        Number of nodes (or edges) of each graph.
    strict : bool, default=False
        Whether a value that is typed as a number must be one, whatever the other values are.

    Returns
    -------
    columns : dict of str to Column
    bad : list of BadNumber
        Each value that was read as missing; of an attribute that became text, only the first.
    """
    offsets = np.cumsum([0, *counts])
    columns: dict[str, Column] = {}
    bad: list[BadNumber] = []
    for name in dict.fromkeys(name for part in parts for name in part):
        cells = [(i, part[name]) for i, part in enumerate(parts) if name in part]
        texts = [text for _, cell in cells for text in cell.texts]
        rows = np.concatenate([np.array(cell.rows, dtype=np.int64) + offsets[i] for i, cell in cells])
        tags = frozenset().union(*(cell.tags for _, cell in cells))
        numbers, wrong, done = _read(texts, tags, strict=strict)
        if numbers is None:
            columns[name] = _string_column(texts, rows, int(offsets[-1]), exact="enum" in tags)
            wrong = wrong[:1]
        else:
            values = np.full(offsets[-1], np.nan)
            values[rows] = numbers
            columns[name] = Column(values)
        bad.extend(_located(name, texts[i], int(rows[i]), offsets, done) for i in wrong)
    return columns, bad


def looks_numeric(texts: Iterable[str]) -> bool:
    """Whether a ``<string>`` attribute with these values is read as a number."""
    counts = Counter(texts)
    good = sum(count for text, count in counts.items() if not math.isnan(_number(text)))
    return good > 0 and good >= NEARLY_ALL * counts.total()


_Read = tuple[list[float] | None, list[int], str]


def _read(texts: list[str], tags: frozenset[str], *, strict: bool) -> _Read:
    """Return the values as numbers (None for text), which of them are not numbers, and what those became."""
    if tags <= NUMBER_TAGS:
        try:
            numbers = list(map(float, texts))
        except ValueError:
            numbers = [math.nan]
        # Python also reads 'inf', 'nan' and '1_000'; these are checked one by one.
        if all(map(math.isfinite, numbers)) and "_" not in "".join(texts):
            return numbers, [], ""
    declared = not tags.isdisjoint(NUMBER_TAGS | BOOL_TAGS)
    if not declared and ("enum" in tags or not looks_numeric(texts)):
        return None, [], ""
    numbers = _numbers(texts, tags)
    wrong = [i for i, number in enumerate(numbers) if math.isnan(number)]
    if not wrong:
        return (None if "enum" in tags else numbers), [], ""
    mixed = declared and not tags <= NUMBER_TAGS | BOOL_TAGS
    n_numbers = len(texts) - len(wrong)
    if strict or not (mixed or (declared and not is_numeric(n_numbers, (texts[i] for i in wrong)))):
        return numbers, wrong, MISSING
    return None, wrong, read_as_text(len(wrong), len(texts))


def _numbers(texts: list[str], tags: frozenset[str]) -> list[float]:
    """Return the values as numbers, NaN for those that are not."""
    read = {text: _number(text) for text in set(texts)}
    if not tags.isdisjoint(BOOL_TAGS):
        read |= {text: _BOOLS[text.strip().lower()] for text in read if text.strip().lower() in _BOOLS}
    return [read[text] for text in texts]


def _number(text: str) -> float:
    """Finite number, or NaN if the text is not one."""
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


def _located(name: str, text: str, row: int, offsets: IntArray, done: str) -> BadNumber:
    graph = int(np.searchsorted(offsets, row, side="right")) - 1
    return BadNumber(graph, row - int(offsets[graph]), name, text, done)


__all__ = ["BadNumber", "build_columns", "looks_numeric"]
