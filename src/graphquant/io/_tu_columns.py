"""Labels and attributes of a TU collection as columns."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphquant._typing import IntArray
from graphquant.exceptions import FileFormatError
from graphquant.graphs import Column
from graphquant.io._repairs import MISSING, Repairs, is_numeric, read_as_text
from graphquant.io._tu_files import Labels, TuFiles
from graphquant.io.base import not_a_number


def read_columns(
    files: TuFiles,
    what: str,
    count: int,
    counted: str,
    labels: Sequence[Labels] | None,
    attributes: Sequence[str] | None,
    repairs: Repairs,
) -> dict[str, Column]:
    """Labels and attributes of all nodes or edges, one row for each line of the file ``counted``."""
    columns: dict[str, Column] = {}
    source = _Source(files, count, counted, repairs)
    if files.has(f"{what}_labels"):
        columns |= source.labels(f"{what}_labels", labels)
    if files.has(f"{what}_attributes"):
        columns |= source.attributes(f"{what}_attributes", attributes)
    return columns


@dataclass(frozen=True)
class _Source:
    """Where columns come from, how many rows they have, and where repairs are reported."""

    files: TuFiles
    count: int
    counted: str
    repairs: Repairs

    def labels(self, what: str, known: Sequence[Labels] | None) -> dict[str, Column]:
        where = self.files.label(what)
        try:
            codes = self.files.numbers(what, np.int64, None if known is None else len(known))
            self._check_count(what, len(codes))
        except FileFormatError as error:
            if known is not None or self.repairs.strict:
                raise
            return self._text_labels(what, error)
        described = _default_labels(codes.shape[1]) if known is None else known
        return {
            label.name: _label_column(label, values, where, plain=known is None)
            for label, values in zip(described, codes.T, strict=True)
        }

    def attributes(self, what: str, names: Sequence[str] | None) -> dict[str, Column]:
        width = None if names is None else len(names)
        try:
            numbers = self.files.numbers(what, np.float64, width)
            self._check_count(what, len(numbers))
        except FileFormatError:
            if self.repairs.strict:
                raise
            return self._repaired_attributes(what, names)
        names = _attribute_names(numbers.shape[1]) if names is None else names
        return {name: Column(values) for name, values in zip(names, numbers.T, strict=True)}

    def _text_labels(self, what: str, error: FileFormatError) -> dict[str, Column]:
        cells = self._cells(what, None)
        self.repairs.tell(error, "the labels are read as text")
        return {
            label.name: Column.from_strings(text or None for text in texts)
            for label, texts in zip(_default_labels(len(cells)), cells, strict=True)
        }

    def _repaired_attributes(self, what: str, names: Sequence[str] | None) -> dict[str, Column]:
        cells = self._cells(what, names)
        names = _attribute_names(len(cells)) if names is None else names
        return {name: self._repaired(what, name, texts) for name, texts in zip(names, cells, strict=True)}

    def _repaired(self, what: str, name: str, texts: list[str]) -> Column:
        """Read an attribute that has values which are not numbers."""
        numbers = [_number(text) for text in texts]
        wrong = [i for i, number in enumerate(numbers) if number is None]
        as_numbers = is_numeric(len(texts) - len(wrong), (texts[i] for i in wrong))
        done = MISSING if as_numbers else read_as_text(len(wrong), len(texts))
        if wrong:
            where = f"{self.files.label(what)}: line {wrong[0] + 1}, attribute {name!r}"
            count = len(wrong) if as_numbers else 1
            self.repairs.tell(not_a_number(texts[wrong[0]], where), done, count=count)
        if as_numbers:
            return Column.from_numbers(numbers)
        return Column.from_strings(text or None for text in texts)

    def _cells(self, what: str, names: Sequence[str] | None) -> list[list[str]]:
        cells = self.files.cells(what, self.count, None if names is None else len(names))
        # An empty file has no columns.
        self._check_count(what, len(cells[0]) if cells else 0)
        return cells

    def _check_count(self, what: str, found: int) -> None:
        if found != self.count:
            raise FileFormatError(
                f"{self.files.label(what)}: {found} lines, "
                f"but {self.files.name}_{self.counted}.txt has {self.count}.",
                "Their lines must correspond one to one; download the collection again.",
            )


def _number(text: str) -> float | None:
    """Return a number, NaN for a value that is marked as missing, None for anything else."""
    try:
        number = float(text)
    except ValueError:
        return None
    return None if math.isinf(number) else number


def _attribute_names(width: int) -> list[str]:
    return [f"a{i}" for i in range(width)]


def _default_labels(width: int) -> list[Labels]:
    """Describe plain labels: their categories are named by their numbers."""
    names = ["label"] if width == 1 else [f"label{i}" for i in range(width)]
    return [Labels(name, []) for name in names]


def _label_column(label: Labels, codes: IntArray, where: str, *, plain: bool) -> Column:
    if label.categories is None:
        return Column(codes.astype(np.float64))
    found, inverse = np.unique(codes, return_inverse=True)
    known = len(label.categories)
    if not plain and len(found) and (found[0] < -1 or found[-1] >= known):
        wrong = found[0] if found[0] < -1 else found[-1]
        raise FileFormatError(
            f"{where}: {wrong} is not a code of the label {label.name!r}, which has {known} from 0.",
            "Write the collection again.",
        )
    names = [str(code) if plain else None if code < 0 else label.categories[code] for code in found.tolist()]
    # Sort few names instead of many values.
    coded = Column.from_strings(names)
    return Column(coded.values[inverse], coded.categories)


__all__ = ["read_columns"]
