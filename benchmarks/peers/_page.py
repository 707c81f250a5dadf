"""The page ``docs/results/peers.md``: ``page.md`` with tables from the records, and its plots.

``python -m benchmarks.peers._page [PEERS.JSON]`` writes the page of such a file again, beside it.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._pages import FOLDER, folded, table
from benchmarks.peers import _data, _distances
from benchmarks.peers._claims import RIVALS, WITHIN_POINTS, claims, is_at_top, quickest_other
from benchmarks.peers._data import GROWTH, SETS, TaskSet
from benchmarks.peers._plots import plot_growth, plot_quality
from benchmarks.peers._routes import ROUTES, Route
from benchmarks.peers._runner import Limits, limits_path
from benchmarks.peers._scores import N_CHANCE, chance
from benchmarks.peers._store import Record, Store, read
from benchmarks.peers._summary import Key, Row, best_of, earlier_rows, fill_up, tried
from benchmarks.peers._worker import N_WARM
from graphquant.experiments._provenance import describe_provenance, provenance

TEMPLATE = Path(__file__).with_name("page.md")
EARLIER = "†"
PEERS = ("POT", "grakel", "kmedoids", "networkx")

# Routes and sets in tables that must fit a phone.
SHORT = {
    "graphquant": "**graphquant**",
    "graphquant-tuned": "graphquant, tuned",
    "graphquant-medoids": "our distances, k-medoids",
    "pot-medoids": "POT, k-medoids",
    "pot-barycenters": "POT, barycenters",
    "grakel-spectral": "GraKeL, spectral",
    "grakel-kmeans": "GraKeL, k-means",
    "codewords": "codewords, k-means",
    "padded": "padded, k-means",
    "networkx-medoids": "networkx, k-medoids",
}
SHORT_SETS = {
    "letter": "letters",
    "letter-med": "noisy letters",
    "grec": "GREC",
    "fingerprint": "finger&shy;prints",
    "molecules": "mole&shy;cules",
    "mutagenicity": "Muta&shy;genicity",
}
SPACE = "\N{NO-BREAK SPACE}"

Chances = dict[tuple[str, int], dict[str, float]]


def write_page(store: Store, folder: Path, data: Path | None, earlier: Record | None = None) -> list[Path]:
    """Write the data of the page, then the page and its figures; return their paths.

    Routes without a record are taken from an ``earlier`` page, if one is given.
    """
    settings = tried(store.runs())
    measured = read(_distances.path(store))
    if earlier:
        settings = fill_up(settings, earlier_rows(earlier))
        measured = {"distances": earlier.get("distances", [])} | measured
    rows = best_of(settings)
    checked = claims(rows, settings, measured.get("distances", []))
    origin = provenance()
    origin["versions"] |= {name: version(name) for name in PEERS}
    shown = list(rows.values())
    content = {
        "provenance": origin,
        "limits": asdict(Limits()) | read(limits_path(store)),
        "claims": [asdict(claim) for claim in checked],
        "rows": [asdict(row) for _, row in sorted(rows.items())],
        "quick": [asdict(row) for row in _quick(rows, settings) if row not in shown],
        "chances": _chances(rows, data),
        "lines": {route.name: route.lines for route in ROUTES},
    }
    folder.mkdir(parents=True, exist_ok=True)
    values = folder / "peers.json"
    values.write_text(json.dumps(content | measured, indent=1) + "\n")
    return [values, *render(values)]


def render(values: Path) -> list[Path]:
    """Write the page and its figures beside its data, and print which claims do not hold."""
    content = read(values)
    settings = [Row(**row) for row in content["rows"]]
    rows = best_of(settings)
    settings += [Row(**row) for row in content.get("quick", [])]
    chances: Chances = {(each["set_name"], each["k"]): each for each in content.get("chances", [])}
    page, quality, growth = (
        values.with_name(name) for name in ("peers.md", "peers-quality.png", "peers-growth.png")
    )
    plot_quality(rows, {key: scores["accuracy"] for key, scores in chances.items()}, quality)
    plot_growth(rows, growth)
    limits = asdict(Limits()) | content.get("limits", {})
    tasks = [task for task in SETS if _is_measured(task, rows)]
    text = TEMPLATE.read_text().format(
        first=_first_table(tasks, rows),
        summary=_summary(tasks, rows),
        each=_each_table(tasks, rows, settings),
        within=WITHIN_POINTS,
        origin=describe_provenance(content["provenance"]),
        n_chance=N_CHANCE,
        n_warm=N_WARM,
        earlier=_earlier_text(rows),
        gets=_gets_table(content.get("lines", {})),
        sets="\n\n".join(folded(task.title, _set_tables(task, rows, chances)) for task in tasks),
        growth=_growth_table(rows),
        distances=_distances_table(content.get("distances", [])),
        last_seed=limits["n_seeds"] - 1,
        **limits,
    )
    page.write_text(text)
    for claim in content["claims"]:
        if claim["holds"] is not True:
            verdict = "does not hold" if claim["holds"] is False else "not measured"
            print(f"{verdict}: {claim['text']} {claim['figures']}")
    return [page, quality, growth]


def _quick(rows: dict[Key, Row], settings: list[Row]) -> Iterator[Row]:
    """Yield the quickest other setting near the top, which may not be the most accurate of its route."""
    for name, k in sorted({(row.set_name, row.k) for row in settings}):
        found = _quickest_near(name, k, rows, settings)
        if found is not None:
            yield found


def _quickest_near(name: str, k: int, rows: dict[Key, Row], settings: list[Row]) -> Row | None:
    top = max((row.accuracy for key, row in rows.items() if key[:2] == (name, k)), default=np.inf)
    return quickest_other(settings, name, k, top - WITHIN_POINTS)


def _most_accurate(name: str, k: int, rows: dict[Key, Row]) -> Row | None:
    found = (rows.get((name, k, route)) for route in RIVALS)
    return max(
        (row for row in found if row is not None and row.mean), key=lambda row: row.accuracy, default=None
    )


def _first_table(tasks: list[TaskSet], rows: dict[Key, Row]) -> str:
    """Accuracy and time of every route at the smallest k of each set; the most accurate is bold."""
    top = {
        task.name: max(
            (row.accuracy for key, row in rows.items() if key[:2] == (task.name, task.ks[0])), default=0.0
        )
        for task in tasks
    }

    def cell(route: Route, task: TaskSet) -> str:
        row = rows.get((task.name, task.ks[0], route.name))
        if row is None:
            return "not run"
        if row.mean is None:
            return f"{_capped(row)} s" if _capped(row) else _verdict(row)
        # What is shown alike is alike.
        is_top = round(row.accuracy, 1) >= round(top[task.name], 1)
        return _outcome(row, "<br>", is_bold=is_top)

    body = [[SHORT[route.name], *(cell(route, task) for task in tasks)] for route in ROUTES]
    return table(["", *(f"{SHORT_SETS[task.name]}, k{SPACE}={SPACE}{task.ks[0]}" for task in tasks)], body)


def _summary(tasks: list[TaskSet], rows: dict[Key, Row]) -> str:
    """Say in how many cells our plain defaults are at the top, and in how many another route is ahead."""
    ahead = behind = 0
    for task in tasks:
        for k in task.ks:
            ours, best = rows.get((task.name, k, "graphquant")), _most_accurate(task.name, k, rows)
            if ours is None or best is None:
                continue
            if is_at_top(ours, best):
                ahead += 1
            else:
                behind += 1
    marked = any(row.measured for row in rows.values())
    return (
        "Over all numbers of clusters, graphquant with plain defaults is the most accurate, or within one "
        f"standard deviation of it, in {ahead} of {ahead + behind} cases; in {behind} another route is ahead."
        + f" {EARLIER}: not measured again in this run, see below."
        * marked
    )


def _each_table(tasks: list[TaskSet], rows: dict[Key, Row], settings: list[Row]) -> str:
    """Ours beside the most accurate other route and the quickest one near the top, for each set and k."""
    body = []
    for task in tasks:
        for k in task.ks:
            ours, best = rows.get((task.name, k, "graphquant")), _most_accurate(task.name, k, rows)
            quick = _quickest_near(task.name, k, rows, settings)
            is_behind = ours is not None and best is not None and not is_at_top(ours, best)
            body.append(
                [
                    f"{SHORT_SETS[task.name]}, {k}",
                    _outcome(ours),
                    f"{_outcome(best, is_bold=is_behind)}<br>{_name(best)}",
                    f"{_outcome(quick)}<br>{_name(quick)}" if quick is not None else "none",
                ]
            )
    return table(["set, k", "graphquant", "most accurate other", "quickest other near the top"], body)


def _outcome(row: Row | None, between: str = ", ", *, is_bold: bool = False) -> str:
    """Return accuracy and time, each of which stays in one line."""
    if row is None or row.mean is None:
        return ""
    accuracy = f"{row.accuracy:.1f}{SPACE}%"
    seconds = f"{_seconds(row.cpu)} s{_mark(row)}".replace(" ", SPACE)
    return f"**{accuracy}**{between}{seconds}" if is_bold else f"{accuracy}{between}{seconds}"


def _name(row: Row | None) -> str:
    return "" if row is None else SHORT[row.route]


def _earlier_text(rows: dict[Key, Row]) -> str:
    """Say when routes were measured that the run of the page left out."""
    origins = sorted({row.measured for row in rows.values() if row.measured})
    if not origins:
        return ""
    return f"\n- Rows marked {EARLIER} were not measured again in this run; they are of {'; '.join(origins)}."


def _is_measured(task: TaskSet, rows: dict[Key, Row]) -> bool:
    return any(key[0] == task.name for key in rows)


def _chances(rows: dict[Key, Row], data: Path | None) -> list[Record]:
    """Scores of random partitions, of the sets that are measured and can be read."""
    if data is None:
        return []
    wanted = [(task.name, k) for task in SETS for k in task.ks if _is_measured(task, rows)]
    return [{"set_name": name, "k": k} | chance(_data.load(name, data).targets, k) for name, k in wanted]


def _gets_table(lines: dict[str, int]) -> str:
    header = ["route", "lines to write", "representative", "predict", "metric", "progress"]
    body = (
        [
            route.title,
            str(lines.get(route.name, "")),
            route.representative,
            route.predict,
            route.metric,
            route.progress,
        ]
        for route in ROUTES
    )
    return table(header, body)


def _described(route: Route) -> str:
    return SHORT[route.name] if route.ours and route.matrix is None else f"{SHORT[route.name]}: {route.title}"


def _set_tables(task: TaskSet, rows: dict[Key, Row], chances: Chances) -> str:
    header = ["route", "accuracy, %", "ARI", "NMI", "distortion", "CPU s", "wall s", "memory, MiB"]
    header += ["seeds", "setting"]
    parts = []
    for k in task.ks:
        body = [_cells(route, task, k, rows) for route in ROUTES]
        if (task.name, k) in chances:
            scores = chances[task.name, k]
            shown = [f"{100 * scores['accuracy']:.1f}", f"{scores['ari']:.2f}", f"{scores['nmi']:.2f}"]
            body.append(["chance", *shown, *[""] * 6])
        parts.append(f"**{task.title}, k = {k}**\n\n" + table(header, body))
    return "\n\n".join(parts)


def _cells(route: Route, task: TaskSet, k: int, rows: dict[Key, Row]) -> list[str]:
    row = rows.get((task.name, k, route.name))
    title = f"**{route.title}**" if route.name == "graphquant" else route.title
    title += _mark(row)
    if row is None:
        struck = any(
            (smaller := rows.get((task.name, other, route.name))) is not None and smaller.status != "ok"
            for other in task.ks
            if other < k
        )
        return [title, "cap at a smaller k" if struck else "not run", *[""] * 8]
    if row.mean is None or row.deviation is None:
        return [title, _verdict(row), "", "", "", _capped(row), "", "", "", row.setting]
    mean, deviation = row.mean, row.deviation
    return [
        title,
        f"{row.accuracy:.1f} ± {row.accuracy_deviation:.1f}",
        f"{mean['ari']:.2f} ± {deviation['ari']:.2f}",
        f"{mean['nmi']:.2f} ± {deviation['nmi']:.2f}",
        "" if row.distortion is None else f"{row.distortion:,.0f}",
        _seconds(row.cpu),
        _seconds(row.wall),
        f"{row.peak_mib:,.0f}",
        str(row.n_seeds) if row.status == "ok" else f"{row.n_seeds}, then the cap",
        row.setting,
    ]


def _mark(row: Row | None) -> str:
    return f" {EARLIER}" if row is not None and row.measured else ""


def _verdict(row: Row) -> str:
    return "failed" if row.status == "failed" else "cap"


def _capped(row: Row) -> str:
    words = {"foreseen": "about ", "capped": "over "}
    return f"{words[row.status]}{_seconds(row.cpu)}" if row.status in words else ""


def _seconds(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def _growth_table(rows: dict[Key, Row]) -> str:
    header = ["graphs", "route", "accuracy, %", "CPU s", "wall s", "memory, MiB", "setting"]
    found = [(task, route) for task in GROWTH for route in ROUTES]
    known = ((*pair, rows.get((pair[0].name, pair[0].ks[0], pair[1].name))) for pair in found)
    return table(header, (_growth_cells(task, route, row) for task, route, row in known if row is not None))


def _growth_cells(task: TaskSet, route: Route, row: Row) -> list[str]:
    head = [f"{task.n_graphs:,}", route.title + _mark(row)]
    if row.mean is None:
        memory = f"matrix {8.0 * task.n_graphs**2 / 2**20:,.0f}" if route.matrix is not None else ""
        return [*head, _verdict(row), _capped(row), "", memory, row.setting]
    costs = [_seconds(row.cpu), _seconds(row.wall), f"{row.peak_mib:,.0f}"]
    return [*head, f"{row.accuracy:.1f}", *costs, row.setting]


def _distances_table(distances: list[dict[str, Any]]) -> str:
    ours = next((item["us"] for item in distances if item["ours"]), np.nan)
    body = ([item["title"], f"{item['us']:,.1f}", f"{item['us'] / ours:,.0f}"] for item in distances)
    return table(["", "µs per pair", "times ours"], body)


if __name__ == "__main__":
    for path in render(Path(sys.argv[1]) if sys.argv[1:] else FOLDER / "peers.json"):
        print(f"written: {path}")
