"""The page ``docs/results/peers.md``: ``page.md`` with claims and tables from the records, and its plots."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers import _data, _distances
from benchmarks.peers._claims import Claim, claims
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

Chances = dict[tuple[str, int], dict[str, float]]


def write_page(store: Store, folder: Path, data: Path | None, earlier: Record | None = None) -> list[Path]:
    """Write the page, its figures and its data; return their paths.

    Routes without a record are taken from an ``earlier`` page, if one is given.
    """
    settings = tried(store.runs())
    measured = read(_distances.path(store))
    if earlier:
        settings = fill_up(settings, earlier_rows(earlier))
        measured = {"distances": earlier.get("distances", [])} | measured
    rows = best_of(settings)
    distances = measured.get("distances", [])
    checked = claims(rows, settings, distances)
    chances = _chances(rows, data)
    origin = provenance()
    origin["versions"] |= {name: version(name) for name in PEERS}
    folder.mkdir(parents=True, exist_ok=True)
    page, values, quality, growth = (
        folder / name for name in ("peers.md", "peers.json", "peers-quality.png", "peers-growth.png")
    )
    plot_quality(rows, {key: scores["accuracy"] for key, scores in chances.items()}, quality)
    plot_growth(rows, growth)
    text = TEMPLATE.read_text().format(
        origin=describe_provenance(origin),
        n_chance=N_CHANCE,
        n_warm=N_WARM,
        earlier=_earlier_text(rows),
        n_held=sum(claim.holds is True for claim in checked),
        n_claims=len(checked),
        claims=_claims_table(checked),
        gets=_gets_table(),
        sets="\n".join(_set_section(task, rows, chances) for task in SETS if _is_measured(task, rows)),
        growth=_growth_table(rows),
        distances=_distances_table(distances),
        **_limits(store),
    )
    page.write_text(text)
    listed = [asdict(row) for _, row in sorted(rows.items())]
    content = {"provenance": origin, "claims": [asdict(claim) for claim in checked], "rows": listed}
    values.write_text(json.dumps(content | measured, indent=1) + "\n")
    return [page, values, quality, growth]


def _earlier_text(rows: dict[Key, Row]) -> str:
    """Say when routes were measured that the run of the page left out."""
    origins = sorted({row.measured for row in rows.values() if row.measured})
    if not origins:
        return ""
    return f"\n- Rows marked {EARLIER} were not measured again in this run; they are of {'; '.join(origins)}."


def _limits(store: Store) -> dict[str, Any]:
    """Return the limits of the last run."""
    limits = asdict(Limits()) | read(limits_path(store))
    return limits | {"last_seed": limits["n_seeds"] - 1}


def _is_measured(task: TaskSet, rows: dict[Key, Row]) -> bool:
    return any(key[0] == task.name for key in rows)


def _chances(rows: dict[Key, Row], data: Path | None) -> Chances:
    """Scores of random partitions, of the sets that are measured and can be read."""
    if data is None:
        return {}
    wanted = [(task.name, k) for task in SETS for k in task.ks if _is_measured(task, rows)]
    return {(name, k): chance(_data.load(name, data).targets, k) for name, k in wanted}


def _table(header: list[str], body: Iterable[list[str]]) -> str:
    lines = [header, ["---"] * len(header), *body]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def _claims_table(checked: list[Claim]) -> str:
    verdict = {True: "holds", False: "**does not hold**", None: "not measured"}
    body = ([claim.text, verdict[claim.holds], claim.figures] for claim in checked)
    return _table(["promise", "", "figures"], body)


def _gets_table() -> str:
    header = ["route", "lines to write", "representative", "predict", "metric", "progress"]
    body = (
        [route.title, str(route.lines), route.representative, route.predict, route.metric, route.progress]
        for route in ROUTES
    )
    return _table(header, body)


def _set_section(task: TaskSet, rows: dict[Key, Row], chances: Chances) -> str:
    header = ["route", "accuracy, %", "ARI", "NMI", "distortion", "CPU s", "wall s", "memory, MiB"]
    header += ["seeds", "setting"]
    parts = [f"### {task.title}\n"]
    for k in task.ks:
        body = [_cells(route, task, k, rows) for route in ROUTES]
        if (task.name, k) in chances:
            scores = chances[task.name, k]
            shown = [f"{100 * scores['accuracy']:.1f}", f"{scores['ari']:.2f}", f"{scores['nmi']:.2f}"]
            body.append(["chance", *shown, *[""] * 6])
        parts.append(f"k = {k}\n\n" + _table(header, body))
    return "\n".join(parts)


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
    return _table(header, (_growth_cells(task, route, row) for task, route, row in known if row is not None))


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
    return _table(["", "us a pair", "times ours"], body)
