"""How many numbers of the paper's Table 2 agree with those of its setting here."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from graphquant.experiments.expected import load_expected

Row = dict[str, Any]
TOLERANCE = 0.10  # relative
POINTS = 3.0  # accuracies, in percent
# Which algorithm stands for a column of the paper, and the numbers of the column that are compared.
_COLUMNS = {
    "std": ("standard", ("error", "accuracy", "silhouette")),
    "acc": ("accelerated", ("error", "accuracy", "silhouette", "speedup")),
}
# Half a unit of the last digit that the paper prints: it may have rounded by that much.
_ROUNDING = {"error": 0.05, "accuracy": 0.5, "silhouette": 0.005, "speedup": 0.05}


@dataclass(frozen=True)
class Number:
    """A number that the paper prints, and ours: of the best run by error, as in the paper."""

    dataset: str
    k: int
    column: str
    measure: str
    printed: float
    found: float | None

    @property
    def agrees(self) -> bool:
        """Whether it is within 10 %, or 3 points of accuracy, or equal as far as the paper prints it.

        Examples
        --------
        >>> Number("letter", 15, "acc", "error", 10.0, 11.0).agrees
        True
        >>> Number("letter", 15, "acc", "accuracy", 72.0, 76.0).agrees
        False
        """
        if self.found is None:
            return False
        tolerance = POINTS if self.measure == "accuracy" else TOLERANCE * abs(self.printed)
        slack = max(tolerance, _ROUNDING[self.measure])
        return abs(self.found - self.printed) <= slack * (1.0 + 1e-9)

    @property
    def text(self) -> str:
        """Describe it in a few words."""
        digits = {"error": 1, "accuracy": 0, "silhouette": 2, "speedup": 1}[self.measure]
        found = "-" if self.found is None else f"{self.found:.{digits}f}"
        return f"{self.printed:.{digits}f} → {found}"


def numbers(rows: Sequence[Row]) -> Iterator[Number]:
    """Yield the numbers of all cells of rows in the paper's setting, in the order of the table."""
    by_cell = {(row["set"], row["k"], row["algorithm"]): row for row in rows if row["setting"] == "paper"}
    for dataset, k in dict.fromkeys((dataset, k) for dataset, k, _ in by_cell):
        for column, (algorithm, measures) in _COLUMNS.items():
            printed = load_expected("table2")[dataset][str(k)][column]
            for measure in measures:
                found = _found(by_cell[dataset, k, algorithm], measure)
                yield Number(
                    dataset=dataset,
                    k=k,
                    column=column,
                    measure=measure,
                    printed=printed[measure],
                    found=found,
                )


def _found(row: Row, measure: str) -> float | None:
    value = row["speedup" if measure == "speedup" else f"{measure}_best"]
    if value is None:
        return None
    return 100.0 * float(value) if measure == "accuracy" else float(value)


def count(found: Sequence[Number]) -> tuple[int, int]:
    """Return how many numbers agree, and how many there are."""
    return sum(number.agrees for number in found), len(found)


__all__ = ["POINTS", "TOLERANCE", "Number", "count", "numbers"]
