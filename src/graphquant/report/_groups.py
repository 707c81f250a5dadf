"""What a report says of each group: its medoid, what members have in common, and the finding in words."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from graphquant._typing import FloatArray, IntArray
from graphquant.graphs import GraphCollection
from graphquant.graphs.molecules import has_rdkit
from graphquant.graphs.to_molecules import is_molecular, share_with, smiles_of
from graphquant.learning.core import Core, core_of
from graphquant.learning.members import Members
from graphquant.learning.words import said, words_of
from graphquant.matching import match_all
from graphquant.metrics import size_dependence
from graphquant.plotting.appearance import Appearance
from graphquant.plotting.on_paper import flat_molecules as molecules_on_paper

if TYPE_CHECKING:
    from graphquant.preprocessing import GraphEncoder

SUPPORT = 0.8
# What fewer members have in common is not worth a line; of the rest this many lines are shown.
_LEAST, _BARS = 0.3, 12
# Above this, clusters are first of all a partition by size.
_BY_SIZE = 0.5
# Graphs that lie further from their code graphs than this share of the training graphs are outliers.
OUTLYING = 0.99
# Members in which the query of a core is looked for.
_CHECKED = 200


@dataclass(frozen=True)
class Medoids:
    """The real graphs that stand for the code graphs."""

    graphs: GraphCollection
    names: tuple[str, ...]
    mapping: IntArray  # node of the code graph of each node
    smiles: tuple[str | None, ...]


@dataclass(frozen=True)
class Bar:
    """Nodes or edges that are alike in words, and the share of members that have one of them, on average."""

    text: str
    share: float
    is_core: bool
    places: tuple[tuple[int, ...], ...]  # nodes of the code graph, and edges by both ends

    def flat(self, n_ends: int) -> list[int]:
        """Return the nodes (1 end) or the ends of edges (2), one after the other."""
        return [end for place in self.places if len(place) == n_ends for end in place]


@dataclass(frozen=True)
class Group:
    """A cluster in words."""

    core: Core
    bars: tuple[Bar, ...]


def groups_of(
    codebook: GraphCollection,
    graphs: GraphCollection,
    encoding: Any,
    encoder: "GraphEncoder | None",
    hidden: tuple[str, ...] = (),
) -> tuple[Group, ...]:
    """Return what the members of each cluster have in common.

    Attributes that are ``hidden`` are not told in words: a drawing shows where nodes are.
    """
    k = len(codebook)
    members = Members.of(graphs, encoding.label, np.asarray(encoding.mapping), k, max(codebook.max_order, 1))
    found = []
    for j, code in enumerate(codebook):
        common = members.common(j, code)
        core = core_of(j, common, SUPPORT, encoder)
        if core.smarts is not None and encoder is not None:
            some = np.flatnonzero(encoding.label == j)[:_CHECKED]
            share = share_with(core.smarts, encoder.inverse_transform(graphs[some]))
            core = replace(core, smarts_share=share)
        found.append(Group(core, _bars(core, core_of(j, common, _LEAST, encoder), encoder, hidden)))
    return tuple(found)


def _bars(core: Core, wide: Core, encoder: "GraphEncoder | None", hidden: tuple[str, ...]) -> tuple[Bar, ...]:
    """Return a line for each kind of node and edge: first of those in the core, then of the others."""
    words = words_of(wide.graph, encoder)
    molecular = is_molecular(words.raw)
    inside = set(_places(core))
    values = (*words.nodes, *words.edges)
    shares = np.concatenate([wide.node_support, wide.edge_support]).tolist()
    kinds: dict[tuple[bool, int, str], list[tuple[float, tuple[int, ...]]]] = {}
    for place, value, share in zip(_places(wide), values, shares, strict=True):
        shown = {name: item for name, item in value.items() if name.lower() not in hidden}
        text = said(shown, hydrogens=False)
        kinds.setdefault((place in inside, len(place), text), []).append((share, place))
    lines = []
    for (is_core, n_ends, text), found in kinds.items():
        word = (("atom", "bond") if molecular else ("node", "edge"))[n_ends - 1]
        told = f"{counted(len(found), word)}{': ' if text else ''}{text}"
        share = sum(share for share, _ in found) / len(found)
        lines.append(Bar(told, share, is_core, tuple(place for _, place in found)))
    lines.sort(key=lambda bar: (not bar.is_core, -len(bar.places), -bar.share))
    return tuple(lines[:_BARS])


def _places(core: Core) -> list[tuple[int, ...]]:
    """Return nodes and edges of a core by their numbers in the code graph."""
    nodes = [(node,) for node in core.nodes.tolist()]
    return [*nodes, *((start, end) for start, end in core.nodes[core.graph.edges].tolist())]


def medoids_of(quantizer: Any, codebook: GraphCollection, encoder: "GraphEncoder | None") -> Medoids | None:
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
    raw = None if encoder is None else encoder.inverse_transform(graphs)
    is_known = raw is not None and is_molecular(raw) and has_rdkit()
    smiles = smiles_of(raw) if is_known and raw is not None else [None] * len(graphs)
    return Medoids(graphs, names, mapping, tuple(smiles))


@dataclass(frozen=True)
class FlatMolecules:
    """Molecules on paper: where atoms are, their hydrogens and charges, and the orders of bonds."""

    places: tuple[FloatArray, ...]
    hydrogens: tuple[IntArray, ...]
    charges: tuple[IntArray, ...]
    orders: tuple[IntArray | None, ...]  # None where the kinds of bonds say all


def flat_molecules(
    graphs: GraphCollection, encoder: "GraphEncoder | None", appearance: Appearance
) -> FlatMolecules | None:
    """Return how chemists draw molecules; None for other graphs.

    Places and alternating bonds of rings come from RDKit; without it, or where atoms and bonds make no
    molecule, places come from the layout of other graphs.
    """
    if encoder is None or not appearance.shows("symbol", "bond"):
        return None
    raw = encoder.inverse_transform(graphs)
    if not is_molecular(raw):
        return None
    flat = list(molecules_on_paper(raw)) if has_rdkit() else [None] * len(graphs)

    def whole(name: str) -> tuple[IntArray, ...]:
        column = raw.node_columns.get(name)
        values = np.zeros(int(raw.node_offsets[-1])) if column is None else np.nan_to_num(column.values)
        return tuple(np.split(np.rint(values).astype(np.int64), raw.node_offsets[1:-1]))

    return FlatMolecules(
        tuple(
            appearance.place(graph) if drawn is None else drawn.places
            for graph, drawn in zip(graphs, flat, strict=True)
        ),
        whole("n_hydrogens"),
        whole("charge"),
        tuple(None if drawn is None else drawn.orders for drawn in flat),
    )


def finding(
    labels: IntArray,
    orders: IntArray,
    quantiles: FloatArray | None,
    targets: IntArray | None,
    medoids: Medoids | None,
    *,
    molecules: bool = False,
) -> tuple[str, ...]:
    """Return in a few sentences what there is to see."""
    sizes = np.bincount(labels)
    used, largest = int((sizes > 0).sum()), int(sizes.argmax())
    share = f"{100 * sizes[largest] / len(labels):.0f} %"
    kind = "molecule" if molecules else "graph"
    what = counted(len(labels), kind)
    typical = "" if medoids is None else f"; typical of it is {_called(medoids.names[largest], kind)}"
    lines = [f"{what} in {counted(used, 'group')}. The largest has {share} of them{typical}."]
    if targets is not None:
        main = sum(int(np.bincount(targets[labels == j]).max()) for j in np.flatnonzero(sizes))
        lines.append(f"{100 * main / len(labels):.0f} % belong to the main class of their group.")
    if quantiles is not None:
        outliers = int((quantiles > OUTLYING).sum())
        if outliers:
            verb = "lies" if outliers == 1 else "lie"
            lines.append(
                f"{counted(outliers, kind)} {verb} further from the groups than "
                f"{100 * OUTLYING:.0f} % of the training {kind}s."
            )
    by_size = size_dependence(labels, orders)
    if by_size > _BY_SIZE:
        lines.append(
            f"The groups are mostly small against large graphs: size alone explains {100 * by_size:.0f} % of "
            "them. An encoder with unit_norm=True (fit --unit-norm) compares graphs by their composition."
        )
    return tuple(lines)


def _called(name: str, kind: str) -> str:
    """Return a name; one that is a number needs a word."""
    return f"{kind} {name}" if name.isdigit() else name


def counted(count: int, noun: str) -> str:
    """``1,000 graphs``, ``1 graph``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


__all__ = [
    "OUTLYING",
    "Bar",
    "FlatMolecules",
    "Group",
    "Medoids",
    "finding",
    "flat_molecules",
    "groups_of",
    "medoids_of",
]
