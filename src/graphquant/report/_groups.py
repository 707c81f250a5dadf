"""What a report says of each group: its medoid, what members have in common, and the finding in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from graphquant._typing import FloatArray, IntArray
from graphquant.exceptions import MissingDependencyError
from graphquant.graphs import GraphCollection
from graphquant.graphs.checks import plural
from graphquant.graphs.to_molecules import is_molecular
from graphquant.learning.core import Core, core_of
from graphquant.learning.members import Members
from graphquant.learning.words import phrase, words_of
from graphquant.matching import match_all
from graphquant.metrics import size_dependence

if TYPE_CHECKING:
    from graphquant.preprocessing import GraphEncoder

SUPPORT = 0.8
# Of what members have in common, this many lines are shown, down to this share.
_BARS, _LEAST = 12, 0.3
# Above this, clusters are first of all a partition by size.
_BY_SIZE = 0.5
# Graphs that lie further from their code graphs than this share of the training graphs are outliers.
OUTLYING = 0.99


@dataclass(frozen=True)
class Medoids:
    """The real graphs that stand for the code graphs."""

    graphs: GraphCollection
    names: tuple[str, ...]
    mapping: IntArray  # node of the code graph of each node


@dataclass(frozen=True)
class Group:
    """A cluster in words."""

    core: Core
    bars: tuple[tuple[str, float], ...]


def groups_of(
    codebook: GraphCollection, graphs: GraphCollection, encoding: Any, encoder: "GraphEncoder | None"
) -> tuple[Group, ...]:
    """Return what the members of each cluster have in common."""
    k = len(codebook)
    members = Members.of(graphs, encoding.label, np.asarray(encoding.mapping), k, max(codebook.max_order, 1))
    found = []
    for j, code in enumerate(codebook):
        common = members.common(j, code)
        wide = core_of(j, common, _LEAST, encoder)
        found.append(Group(core_of(j, common, SUPPORT, encoder), _bars(wide, encoder)))
    return tuple(found)


def _bars(core: Core, encoder: "GraphEncoder | None") -> tuple[tuple[str, float], ...]:
    words = words_of(core.graph, encoder)
    molecular = is_molecular(words.raw)
    said = _as_chemists_say if molecular else phrase
    node_word, edge_word = ("atom", "bond") if molecular else ("node", "edge")
    lines = [
        (_line(f"{node_word} {node}", said(value)), float(share))
        for node, value, share in zip(core.nodes.tolist(), words.nodes, core.node_support, strict=True)
    ]
    for ends, value, share in zip(core.graph.edges, words.edges, core.edge_support, strict=True):
        start, end = core.nodes[ends].tolist()
        lines.append((_line(f"{edge_word} {start}\u2013{end}", said(value)), float(share)))
    return tuple(sorted(lines, key=lambda line: -line[1])[:_BARS])


def _line(name: str, text: str) -> str:
    return f"{name}: {text}" if text else name


def _as_chemists_say(value: Mapping[str, Any]) -> str:
    """Return ``C, aromatic``, ``N, charge 1`` or ``double``."""
    said = [str(value[name]) for name in ("symbol", "bond") if name in value]
    charge = round(float(value.get("charge", 0.0)))
    if charge:
        said.append(f"charge {charge:+d}")
    if float(value.get("aromatic", 0.0)) > 0.5:
        said.append("aromatic")
    elif float(value.get("ring", 0.0)) > 0.5:
        said.append("in a ring")
    return ", ".join(said)


def medoids_of(quantizer: Any, codebook: GraphCollection) -> Medoids | None:
    """Return the training graphs that stand for the code graphs, if the codebook knows them."""
    known = getattr(quantizer, "_clusters", None)
    if known is None:
        return None
    pairs = np.column_stack([np.arange(len(codebook))] * 2)
    graphs = known.medoids
    order = None if codebook.groups is not None else max(codebook.max_order, graphs.max_order)
    mapping = match_all(graphs, codebook, pairs, "frank-wolfe", order, mappings=True).mapping
    assert mapping is not None
    names = tuple(known.medoid_name(j) for j in range(len(codebook)))
    return Medoids(graphs, names, mapping)


@dataclass(frozen=True)
class FlatMolecules:
    """Molecules on paper: where atoms are, and how many hydrogens hang on each."""

    places: tuple[FloatArray | None, ...]
    hydrogens: tuple[IntArray, ...]


def flat_molecules(graphs: GraphCollection, encoder: "GraphEncoder | None") -> FlatMolecules | None:
    """Return how chemists draw molecules; None for other graphs, or without RDKit."""
    if encoder is None:
        return None
    raw = encoder.inverse_transform(graphs)
    if not is_molecular(raw):
        return None
    from graphquant.plotting import molecule_places

    counts = raw.node_columns.get("n_hydrogens")
    whole = np.zeros(int(raw.node_offsets[-1])) if counts is None else np.nan_to_num(counts.values)
    try:
        places = tuple(molecule_places(raw))
    except MissingDependencyError:
        return None
    return FlatMolecules(places, tuple(np.split(np.rint(whole).astype(np.int64), raw.node_offsets[1:-1])))


def finding(
    names: tuple[str, ...],
    labels: IntArray,
    orders: IntArray,
    quantiles: FloatArray | None,
    targets: IntArray | None,
    medoids: Medoids | None,
) -> tuple[str, ...]:
    """Return in a few sentences what there is to see."""
    sizes = np.bincount(labels)
    used, largest = int((sizes > 0).sum()), int(sizes.argmax())
    share = f"{100 * sizes[largest] / len(labels):.0f} %"
    around = "" if medoids is None else f", around {medoids.names[largest]}"
    lines = [
        f"{plural(len(labels), 'graph')} in {plural(used, 'group')}. The largest has {share} of them{around}."
    ]
    if targets is not None:
        main = sum(int(np.bincount(targets[labels == j]).max()) for j in np.flatnonzero(sizes))
        lines.append(f"{100 * main / len(labels):.0f} % belong to the main class of their group.")
    if quantiles is not None:
        outliers = int((quantiles > OUTLYING).sum())
        if outliers:
            verb = "lies" if outliers == 1 else "lie"
            lines.append(
                f"{plural(outliers, 'graph')} {verb} further from the groups than "
                f"{100 * OUTLYING:.0f} % of the training graphs."
            )
    by_size = size_dependence(labels, orders)
    if by_size > _BY_SIZE:
        lines.append(
            f"The groups are mostly small against large graphs: size alone explains {100 * by_size:.0f} % of "
            "them. An encoder with unit_norm=True (fit --unit-norm) compares graphs by their make-up."
        )
    return tuple(lines)


__all__ = [
    "OUTLYING",
    "FlatMolecules",
    "Group",
    "Medoids",
    "finding",
    "flat_molecules",
    "groups_of",
    "medoids_of",
]
