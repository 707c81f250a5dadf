"""What must show: each claim is checked against the rows, and said to hold or not."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.peers._data import BY_NAME
from benchmarks.peers._routes import BY_NAME as ROUTE
from benchmarks.peers._routes import ROUTES
from benchmarks.peers._summary import Key, Row

RANKED_SETS = ("letter", "letter-med", "grec", "mutagenicity")
RIVALS = tuple(route.name for route in ROUTES if not route.ours)
MATRIX_ROUTES = tuple(route.name for route in ROUTES if route.grows and route.matrix is not None)
WITHIN_POINTS = 3.0


@dataclass(frozen=True)
class Claim:
    """A sentence, whether it holds (None: not measured), and the figures."""

    text: str
    holds: bool | None
    figures: str


def claims(rows: dict[Key, Row], settings: list[Row], distances: list[dict[str, Any]]) -> list[Claim]:
    """Check all claims against the best setting of each route; of speed, against every setting near it."""
    return [
        _accuracy_on_letters(rows, 15, 97.0),
        _accuracy_on_letters(rows, 30, 98.0),
        *(_fastest_on_letters(rows, settings, k) for k in (15, 30)),
        *_ranking(rows, settings),
        *_growth(rows),
        _large(rows),
        _distance_matrix(distances),
    ]


def _accuracy_on_letters(rows: dict[Key, Row], k: int, least: float) -> Claim:
    text = f"Letter LOW, k = {k}: plain defaults reach {least:.0f} %, mean of 10 seeds."
    row = rows.get(("letter", k, "graphquant"))
    if row is None:
        return Claim(text, None, "not measured")
    figures = f"{row.accuracy:.2f} % ({row.n_seeds} seeds)"
    return Claim(text, row.accuracy >= least and row.n_seeds >= 10, figures)


def _fastest_on_letters(rows: dict[Key, Row], settings: list[Row], k: int) -> Claim:
    text = f"Letter LOW, k = {k}: plain defaults take less CPU time than any route that reaches 90 %."
    ours = rows.get(("letter", k, "graphquant"))
    if ours is None:
        return Claim(text, None, "not measured")
    quickest = quickest_other(settings, "letter", k, 90.0)
    figures = f"{_time(ours)}; the quickest other: {_time(quickest)}"
    return Claim(text, quickest is None or ours.cpu < quickest.cpu, figures)


def _ranking(rows: dict[Key, Row], settings: list[Row]) -> Iterator[Claim]:
    """At the top or within one deviation of it, and fastest of those near the top; for each set and k."""
    for name in RANKED_SETS:
        for k in BY_NAME[name].ks:
            ours = rows.get((name, k, "graphquant"))
            others = [row for row in _rivals(rows, name, k) if row.mean is not None]
            where = f"{BY_NAME[name].title}, k = {k}"
            top_text = f"{where}: accuracy at the top, or within one standard deviation of it."
            quick_text = f"{where}: the fastest of the routes within 3 points of the top."
            if ours is None or not others:
                yield Claim(top_text, None, "not measured")
                yield Claim(quick_text, None, "not measured")
                continue
            top = max(others, key=lambda row: row.accuracy)
            figures = f"{_share(ours)}; the best other: {_share(top)}"
            yield Claim(top_text, is_at_top(ours, top), figures)
            limit = max(top.accuracy, ours.accuracy) - WITHIN_POINTS
            quickest = quickest_other(settings, name, k, limit)
            holds = ours.accuracy >= limit and (quickest is None or ours.cpu < quickest.cpu)
            yield Claim(quick_text, holds, f"{_time(ours)}; the quickest other: {_time(quickest)}")


def _growth(rows: dict[Key, Row]) -> Iterator[Claim]:
    """Against all matrix routes, and against those near us; one that struck the cap is taken to be near."""
    text = "N = 10^4 built-in letters: 20 times faster than the quickest matrix route"
    texts = (f"{text}, no less accurate.", f"{text} that is within 3 points of ours.")
    ours = rows.get(("letters-1e4", 15, "graphquant"))
    known = (rows.get(("letters-1e4", 15, name)) for name in MATRIX_ROUTES)
    found = [row for row in known if row is not None and row.status != "failed"]
    if ours is None or ours.mean is None or not found:
        yield from (Claim(text, None, "not measured") for text in texts)
        return
    near = [row for row in found if row.mean is None or row.accuracy >= ours.accuracy - WITHIN_POINTS]
    for text, others in zip(texts, (found, near), strict=True):
        quickest = min(others, key=lambda row: row.cpu, default=None)
        if quickest is None:
            yield Claim(text, True, f"none is; ours {_time(ours)}")
            continue
        ratio = quickest.cpu / ours.cpu
        is_accurate = others is near or ours.accuracy >= quickest.accuracy
        yield Claim(
            text, ratio >= 20.0 and is_accurate, f"{ratio:.1f} times; ours {_time(ours)}; {_time(quickest)}"
        )


def _large(rows: dict[Key, Row]) -> Claim:
    text = "N = 10^5 built-in letters: plain defaults end within 15 minutes and 4 GiB, on one core."
    ours = rows.get(("letters-1e5", 15, "graphquant"))
    if ours is None:
        return Claim(text, None, "not measured")
    if ours.mean is None:
        return Claim(text, False, f"the cap of {ours.cpu:.0f} s struck")
    holds = (ours.wall or 0.0) <= 900.0 and ours.peak_mib <= 4096.0
    return Claim(text, holds, f"{ours.wall:.0f} s, {ours.peak_mib:,.0f} MiB, {_share(ours)}")


def _distance_matrix(distances: list[dict[str, Any]]) -> Claim:
    text = "Distances of the 750 letters: 3 times faster than the fastest approximations of POT and networkx."
    ours = [item["us"] for item in distances if item["ours"]]
    others = [item for item in distances if not item["ours"]]
    if not ours or not others:
        return Claim(text, None, "not measured")
    quickest = min(others, key=lambda item: item["us"])
    ratio = quickest["us"] / ours[0]
    return Claim(text, ratio >= 3.0, f"{ratio:.0f} times faster than {quickest['title']}")


def is_at_top(ours: Row, top: Row) -> bool:
    """Whether ours is as accurate, or within one standard deviation: the root mean square of both."""
    spread = np.hypot(ours.accuracy_deviation, top.accuracy_deviation) / np.sqrt(2.0)
    return bool(ours.accuracy >= top.accuracy - spread)


def _rivals(rows: dict[Key, Row], name: str, k: int) -> list[Row]:
    return [row for route in RIVALS if (row := rows.get((name, k, route))) is not None]


def quickest_other(settings: list[Row], name: str, k: int, least: float) -> Row | None:
    """Return the other route, with any of its settings, that reaches an accuracy in the least time."""
    others = [row for row in settings if (row.set_name, row.k) == (name, k) and row.route in RIVALS]
    return min((row for row in others if row.accuracy >= least), key=lambda row: row.cpu, default=None)


def _share(row: Row) -> str:
    title = ROUTE[row.route].title
    if row.mean is None:
        return f"not done in time ({title})"
    return f"{row.accuracy:.1f} ± {row.accuracy_deviation:.1f} % ({title})"


def _time(row: Row | None) -> str:
    if row is None:
        return "none"
    about = "" if row.mean is not None else "about " if row.status == "foreseen" else "more than "
    accuracy = "" if row.mean is None else f" with {row.accuracy:.1f} %"
    setting = f", {row.setting}" if row.setting else ""
    return f"{about}{row.cpu:,.2f} s{accuracy} ({ROUTE[row.route].title}{setting})"
