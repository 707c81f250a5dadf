"""The data of a report as compact JSON: whole numbers, flat lists, and only what is shown.

Keys are short, because a page holds a thousand graphs. For a graph: ``p`` places of nodes (x and y in
turn, 0 to 1000, y downwards), ``e`` edges (pairs in turn), ``s`` strength, ``k`` category, ``c`` colour and
``z`` size of nodes, ``S``, ``K``, ``C``, ``Z`` the same of edges: numbers from 0 to 100, left out where all
are alike; ``A`` the form of edges, where they are not all lines. For a molecule: ``h`` hydrogens and ``f``
formal charges of atoms, ``o`` orders of bonds. Of a code graph ``q`` holds its places on the scale of its
members, where nodes have coordinates.
"""

import json
import platform
from datetime import UTC, datetime
from typing import Any

import numpy as np

from graphquant._typing import FloatArray, IntArray
from graphquant._version import __version__
from graphquant.plotting.appearance import Look
from graphquant.plotting.palette import VANISHED
from graphquant.report._content import Content
from graphquant.report._groups import FlatMolecules, Group

_FIELD = 1000
# Distances below this are what rounding leaves of zero.
_ROUNDING = 1e-7
_COUNTERS = {
    "n_matchings_": "matchings of all cycles",
    "n_init_matchings_": "matchings of the initialisation",
    "n_shift_matchings_": "matchings for movement",
    "n_encode_matchings_": "matchings for the final labels",
}
_CURVES = ("cycle", "n_matchings", "n_bounds", "share", "shift", "distortion", "seconds")


def payload(content: Content, quantizer: Any, title: str, created: datetime | None = None) -> dict[str, Any]:
    """Return everything the page needs, as plain values."""
    sample, encoding = content.sample, content.encoding
    codes, graphs = _drawings(content)
    distance = [_short(d) for d in encoding.distance]
    return {
        "title": title,
        "total": sample.n_total,
        "shown": len(sample.graphs),
        "directed": sample.graphs.directed,
        "coordinates": content.appearance.has_coordinates,
        "classes": list(sample.target_names) if sample.targets is not None else [],
        "legend": [item._asdict() for item in content.appearance.legend],
        "codes": codes,
        "graphs": graphs,
        "names": list(sample.names),
        "columns": {
            name: [None if value is None else str(value) for value in values]
            for name, values in sample.columns.items()
        },
        "targets": None if sample.targets is None else sample.targets.tolist(),
        "labels": encoding.label.tolist(),
        "distances": distance,
        "bounds": [
            None if proven else _short(bound)
            for bound, proven in zip(encoding.lower_bound, encoding.proven, strict=True)
        ],
        "mappings": [
            row[:order].tolist()
            for row, order in zip(encoding.mapping, sample.graphs.orders.tolist(), strict=True)
        ],
        "map": _map(content),
        "finding": list(content.finding),
        "molecules": _molecules(content),
        "groups": [_group(group) for group in content.groups],
        "medoids": _medoids(content),
        "quantiles": None if content.quantiles is None else [_short(q) for q in content.quantiles],
        "history": _history(quantizer),
        "facts": facts(quantizer, content, created or datetime.now(UTC)),
    }


def facts(quantizer: Any, content: Content, created: datetime) -> dict[str, dict[str, str]]:
    """Return parameters, counts and provenance, as text."""
    sample = content.sample
    parameters = {name: _text(value) for name, value in quantizer.get_params(deep=False).items()}
    learning = {
        "cycles": _text(getattr(quantizer, "n_cycles_", None)),
        **{title: _text(getattr(quantizer, name, None)) for name, title in _COUNTERS.items()},
        "distortion after learning": _text(getattr(quantizer, "distortion_", None)),
    }
    provenance = {
        "graphs": sample.description or "no description given",
        "graphs in the collection": _text(sample.n_total),
        "attributes": "as given" if sample.encoder is None else sample.encoder.describe(),
        "graphquant": __version__,
        "Python, numpy": f"{platform.python_version()}, {np.__version__}",
        "report written": created.strftime("%Y-%m-%d %H:%M UTC"),
    }
    if sample.unlike_training:
        provenance["unlike the training graphs"] = "\n".join(sample.unlike_training)
    return {
        "Parameters": parameters,
        "Counts": {name: value for name, value in learning.items() if value != "None"},
        "Provenance": provenance,
    }


def encode_json(data: Any) -> str:
    r"""Write JSON that is safe inside a script element: no character in it can end the element.

    Examples
    --------
    >>> encode_json({"name": "</script>"})
    '{"name":"\\u003c/script\\u003e"}'
    """
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    # Half of a surrogate pair cannot be written to a file.
    return text.encode("utf-8", "replace").decode("utf-8")


def _drawings(content: Content) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Code graphs and graphs; with coordinates, those of a cluster share one scale."""
    labels = content.encoding.label
    shared = content.appearance.has_coordinates
    codes: list[dict[str, Any]] = []
    graphs: list[dict[str, Any]] = [{} for _ in content.graph_looks]
    for j, code in enumerate(content.code_looks):
        members = np.flatnonzero(labels == j).tolist()
        looks = [code, *(content.graph_looks[i] for i in members)]
        frame = _frame(np.concatenate([_seen(look) for look in looks])) if shared else None
        codes.append(_drawing(code, None, faintest=VANISHED))
        if frame is not None:
            codes[-1]["q"] = _places(code, frame)
        for i in members:
            graphs[i] = _drawing(content.graph_looks[i], frame) | _atoms(content.molecules, i)
    return codes, graphs


def _group(group: Group) -> dict[str, Any]:
    """Return the core, as nodes and edges of the code graph, and what members have in common, in lines."""
    core = group.core
    return {
        "core": core.nodes.tolist(),
        "edges": core.nodes[core.graph.edges].ravel().tolist(),
        "smarts": core.smarts,
        "found": None if core.smarts_share is None else _short(core.smarts_share),
        "bars": [
            {
                "text": bar.text,
                "share": round(100 * bar.share),
                "core": bar.is_core,
                "nodes": bar.flat(1),
                "edges": bar.flat(2),
            }
            for bar in group.bars
        ],
    }


def _medoids(content: Content) -> list[dict[str, Any]] | None:
    """Drawings of the training graphs that stand for the code graphs, with their names and mappings."""
    if content.medoids is None:
        return None
    return [
        {
            "name": name,
            "smiles": content.medoids.smiles[j],
            "drawing": _drawing(look, None) | _atoms(content.medoid_molecules, j),
            "mapping": content.medoids.mapping[j, : len(look.positions)].tolist(),
        }
        for j, (name, look) in enumerate(zip(content.medoids.names, content.medoid_looks, strict=True))
    ]


def _molecules(content: Content) -> dict[str, list[str]] | None:
    """Return the names of elements and kinds of bonds by their numbers; None for other graphs."""
    if content.molecules is None:
        return None
    nodes, edges = content.appearance.nodes, content.appearance.edges
    return {"elements": list(nodes.category_names), "bonds": list(edges.category_names)}


def _atoms(molecules: FlatMolecules | None, i: int) -> dict[str, list[int]]:
    """Return what letters and bonds say of a molecule."""
    if molecules is None:
        return {}
    known = {"h": molecules.hydrogens[i], "f": molecules.charges[i], "o": molecules.orders[i]}
    return {key: values.tolist() for key, values in known.items() if values is not None and values.any()}


def _seen(look: Look) -> FloatArray:
    """Return the places of nodes that are drawn."""
    return look.positions[look.node_strength >= VANISHED]


def _frame(positions: FloatArray) -> tuple[FloatArray, float]:
    """Centre and extent of positions."""
    if len(positions) == 0:
        return np.zeros(2), 1.0
    low, high = positions.min(axis=0), positions.max(axis=0)
    return 0.5 * (low + high), float((high - low).max()) or 1.0


def _drawing(look: Look, frame: tuple[FloatArray, float] | None, faintest: float = 0.0) -> dict[str, Any]:
    seen = np.flatnonzero(look.edge_strength >= faintest)
    drawing = {
        "p": _places(look, _frame(_seen(look)) if frame is None else frame),
        "e": look.edges[seen].ravel().tolist(),
        "s": _percent(look.node_strength, plain=100),
        "k": None if look.node_category is None else _unless_all(look.node_category, 0),
        "c": _percent(look.node_colour),
        "z": _percent(look.node_size),
        "S": _percent(look.edge_strength[seen], plain=100),
        "K": None if look.edge_category is None else _unless_all(look.edge_category[seen], 0),
        "C": _percent(None if look.edge_colour is None else look.edge_colour[seen]),
        "Z": _percent(None if look.edge_size is None else look.edge_size[seen]),
        "A": None if look.edge_form is None else _unless_all(look.edge_form[seen], 0),
    }
    return {key: value for key, value in drawing.items() if value is not None}


def _places(look: Look, frame: tuple[FloatArray, float]) -> list[int]:
    centre, extent = frame
    # Nodes that have all but vanished are not part of the frame; a link may still lead to them.
    places = np.clip((look.positions - centre) / extent * np.array([1.0, -1.0]) + 0.5, 0.0, 1.0)
    whole: list[int] = np.rint(_FIELD * places).astype(int).ravel().tolist()
    return whole


def _percent(values: FloatArray | None, plain: int | None = None) -> list[int] | None:
    return None if values is None else _unless_all(np.rint(100 * values).astype(np.int64), plain)


def _unless_all(values: IntArray, plain: int | None) -> list[int] | None:
    """Omit a value that all nodes share."""
    return None if plain is not None and (values == plain).all() else values.tolist()


def _map(content: Content) -> dict[str, Any]:
    codes, label = content.map.codes.copy(), content.encoding.label
    for j in np.unique(label):
        # An average lies nearer to all others than its members do: its ring is put in the middle of them.
        codes[j] = np.median(content.map.graphs[label == j], axis=0)
    points = np.concatenate([codes, content.map.graphs])
    low, high = points.min(axis=0), points.max(axis=0)
    extent = float((high - low).max()) or 1.0
    scaled = np.rint(_FIELD * (points - low) / extent).astype(int)
    k = len(content.map.codes)
    size = np.rint(_FIELD * (high - low) / extent).astype(int)
    return {
        "codes": scaled[:k].ravel().tolist(),
        "graphs": scaled[k:].ravel().tolist(),
        "size": [max(int(side), 1) for side in size],
        "error": _short(content.map.error),
    }


def _history(quantizer: Any) -> dict[str, list[float | None]]:
    records = list(getattr(quantizer, "history_", None) or ())
    columns = {name: [_number(getattr(record, name, None)) for record in records] for name in _CURVES}
    return {name: values for name, values in columns.items() if any(v is not None for v in values)}


def _number(value: Any) -> float | None:
    return None if value is None or not np.isfinite(value) else _short(value)


def _short(value: Any) -> float:
    """Six significant digits: more than a reader sees, and fewer bytes; what is left of zero is zero."""
    return float(f"{float(value):.6g}") if abs(float(value)) > _ROUNDING else 0.0


def _text(value: Any) -> str:
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return f"{value:,}"
    if isinstance(value, float | np.floating):
        return f"{value:.6g}"
    return value if isinstance(value, str) else repr(value)


__all__ = ["encode_json", "facts", "payload"]
