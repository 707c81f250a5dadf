"""What the paper says about its Table 2 in words, decided by our rows."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from graphquant.experiments._result import Claim

Row = dict[str, Any]
# Maximum difference between the errors of standard and accelerated: "comparable".
_SAME_ERROR = {"letter": 0.03, "fingerprint": 0.03, "grec": 0.06, "molecules": 0.06}


def claims(rows: Sequence[Row], *, quick: bool = False) -> tuple[Claim, ...]:
    """Decide all claims; those about cells without a run stay open.

    A quick run only shows whether standard and accelerated agree: everything else is about 150 cycles.
    """
    by_cell = {(row["setting"], row["set"], row["k"], row["algorithm"]): row for row in rows}
    sizes: dict[str, list[int]] = {}
    for row in rows:
        if row["k"] not in sizes.setdefault(row["set"], []):
            sizes[row["set"]].append(row["k"])
    found = [_agree(dataset, k, by_cell) for dataset in sizes for k in sizes[dataset]]
    if quick:
        return tuple(found)
    for dataset, several in sizes.items():
        found += _rising(dataset, [by_cell["paper", dataset, k, "accelerated"] for k in several])
    found += [_own(dataset, k, by_cell) for dataset in sizes for k in sizes[dataset]]
    return tuple(found)


def _agree(dataset: str, k: int, by_cell: dict[Any, Row]) -> Claim:
    a, b = (by_cell["paper", dataset, k, name]["error_mean"] for name in ("standard", "accelerated"))
    tolerance = _SAME_ERROR[dataset]
    text = f"paper's setting, {dataset}, k = {k}: std and acc mean errors agree within {tolerance:.0%}"
    if a is None or b is None:
        return Claim(text, None)
    apart = b / a - 1.0
    return Claim(f"{text} ({a:.4g} and {b:.4g}, {apart:+.1%})", abs(apart) <= tolerance)


def _rising(dataset: str, rows: Sequence[Row]) -> Iterator[Claim]:
    speeds = [row["speedup"] for row in rows]
    if len(speeds) > 1:
        known = None not in speeds
        listed = f" ({' / '.join(f'{speed:.1f}' for speed in speeds)})" if known else ""
        yield Claim(
            f"paper's setting, {dataset}: speed-up of accelerated rises with k{listed}",
            all(a < b for a, b in pairwise(speeds)) if known else None,
        )


def _own(dataset: str, k: int, by_cell: dict[Any, Row]) -> Claim:
    row = by_cell["own", dataset, k, "lossless"]
    printed = max(
        by_cell["paper", dataset, k, name]["paper_accuracy"] for name in ("standard", "accelerated")
    )
    text = f"own setting, {dataset}, k = {k}: mean accuracy at least the paper's best, {printed:.0f} %"
    if row["accuracy_mean"] is None:
        return Claim(text, None)
    accuracy = 100.0 * row["accuracy_mean"]
    return Claim(f"{text} ({accuracy:.1f})", accuracy >= printed)


__all__ = ["claims"]
