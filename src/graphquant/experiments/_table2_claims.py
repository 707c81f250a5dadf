"""The claims about Table 2, decided by its rows."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from graphquant.experiments._result import Claim

Row = dict[str, Any]
# Maximum difference between the errors of standard and accelerated.
_SAME_ERROR = {"letter": 0.03, "fingerprint": 0.03, "grec": 0.06, "molecules": 0.06}
# Only letters are matched exactly in the paper, so only their numbers can be expected to agree with it.
_SPEED_TOLERANCE, _ERROR_TOLERANCE = 0.25, 0.10


def claims(rows: Sequence[Row], *, quick: bool = False) -> tuple[Claim, ...]:
    """Decide all claims; those about cells without a run stay open.

    A quick run only shows whether standard and accelerated agree: everything else is about 150 cycles.
    """
    by_cell = {(row["setting"], row["set"], row["k"], row["algorithm"]): row for row in rows}
    cells = sorted(
        {(row["set"], row["k"]) for row in rows}, key=lambda cell: (list(_SAME_ERROR).index(cell[0]), cell)
    )
    found: list[Claim] = []
    for dataset, k in cells:
        found.append(_agree(dataset, k, by_cell))
    if quick:
        return tuple(found)
    for dataset, k in cells:
        found += _paper_claims(dataset, k, by_cell)
    for dataset in dict.fromkeys(dataset for dataset, _ in cells):
        found += _rising(
            dataset, [by_cell["paper", dataset, k, "accelerated"] for d, k in cells if d == dataset]
        )
    return tuple(found)


def _agree(dataset: str, k: int, by_cell: dict[Any, Row]) -> Claim:
    a, b = (by_cell["paper", dataset, k, name]["error_mean"] for name in ("standard", "accelerated"))
    tolerance = _SAME_ERROR[dataset]
    text = f"paper's setting, {dataset}, k = {k}: std and acc mean errors agree within {tolerance:.0%}"
    if a is None or b is None:
        return Claim(text, None)
    apart = b / a - 1.0
    return Claim(f"{text} ({a:.4g} and {b:.4g}, {apart:+.1%})", abs(apart) <= tolerance)


def _paper_claims(dataset: str, k: int, by_cell: dict[Any, Row]) -> Iterator[Claim]:
    standard, accelerated = (by_cell["paper", dataset, k, name] for name in ("standard", "accelerated"))
    where = f"paper's setting, {dataset}, k = {k}"
    if dataset != "letter" or standard["runs"] == 0 or accelerated["runs"] == 0:
        return
    speed, printed = accelerated["speedup"], accelerated["paper_speedup"]
    yield Claim(
        f"{where}: speed-up of accelerated within {_SPEED_TOLERANCE:.0%} of {printed} ({speed:.1f})",
        abs(speed / printed - 1.0) <= _SPEED_TOLERANCE,
    )
    error, printed = standard["error_best"], standard["paper_error"]
    yield Claim(
        f"{where}: error at most {_ERROR_TOLERANCE:.0%} above {printed} "
        f"({error:.4g}, {error / printed - 1:+.0%})",
        error <= (1.0 + _ERROR_TOLERANCE) * printed,
    )


def _rising(dataset: str, rows: Sequence[Row]) -> Iterator[Claim]:
    speeds = [row["speedup"] for row in rows]
    if len(speeds) > 1:
        known = None not in speeds
        listed = f" ({' / '.join(f'{speed:.1f}' for speed in speeds)})" if known else ""
        yield Claim(
            f"paper's setting, {dataset}: speed-up of accelerated rises with k{listed}",
            all(a < b for a, b in pairwise(speeds)) if known else None,
        )


__all__ = ["claims"]
