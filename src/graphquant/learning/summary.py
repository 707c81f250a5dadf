"""A cluster in a few words: size, classes, its representative, what its members have in common."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from graphquant._equality import ByContent
from graphquant._typing import IntArray
from graphquant.graphs import Graph, GraphCollection, RawGraphs
from graphquant.graphs.molecules import has_rdkit
from graphquant.graphs.to_molecules import is_molecular, share_with, smiles_of
from graphquant.learning.clusters import ranked_members
from graphquant.learning.core import Core, core_of, part_in_core
from graphquant.learning.encoding import Encoding
from graphquant.learning.members import Members
from graphquant.learning.words import words_of
from graphquant.matching import match_all, matcher_for_learning

# Members in which the query of a core is looked for.
_CHECKED = 200


@dataclass(frozen=True, eq=False)
class ClusterSummary(ByContent):
    """What there is to say about a cluster.

    Attributes
    ----------
    code : int
        Number of the code graph.
    members : ndarray of int
        The graphs that it wins, the nearest first.
    classes : dict of str to int
        How many of each class, the most frequent first; empty without classes.
    medoid : Graph
        The training graph that is nearest to the code graph.
    medoid_name : str
    smiles : str or None
        Of the medoid, if it is a molecule and RDKit is installed.
    mean_distance, largest_distance : float
        Of the members to the code graph; 0 without members.
    core : Core
        What at least a share of the members have.
    medoid_core : ndarray of int
        The nodes of the medoid that belong to the core.
    medoid_core_edges : ndarray of int of shape (m, 2)
        Its edges that do.
    """

    code: int
    members: IntArray
    classes: dict[str, int]
    medoid: Graph
    medoid_name: str
    smiles: str | None
    mean_distance: float
    largest_distance: float
    core: Core
    medoid_core: IntArray
    medoid_core_edges: IntArray

    @property
    def size(self) -> int:
        """Number of members."""
        return len(self.members)

    @property
    def purity(self) -> float | None:
        """Share of the most frequent class; None without classes or members."""
        return next(iter(self.classes.values())) / self.size if self.classes and self.size else None


def summaries(
    quantizer: Any,
    graphs: GraphCollection,
    found: Encoding,
    labels: Sequence[str] | None = None,
    *,
    support: float = 0.8,
) -> list[ClusterSummary]:
    """Return a summary of each cluster, in the order of the code graphs.

    Parameters
    ----------
    quantizer : GraphQuantizer
    graphs : GraphCollection
        Vectors, of the training set or of others.
    found : Encoding
        What the quantizer found for them, with mappings.
    labels : sequence of str, optional
        Class of each graph.
    support : float, default=0.8
        Of the cores.
    """
    codes, k = quantizer.codebook_, len(quantizer.codebook_)
    everyone = Members.of(graphs, found.label, found.mapping, k, codes.max_order)
    ranked = ranked_members(found.label, found.distance, k, max(int(everyone.size.max(initial=0)), 1))
    medoids, names = _medoids(quantizer, graphs, ranked[:, 0])
    placed = _placed(quantizer, medoids)
    smiles = _smiles(medoids, quantizer.encoder_)
    result = []
    for j in range(k):
        members = ranked[j][ranked[j] >= 0]
        code = codes[j]
        core = core_of(j, everyone.common(j, code), support, quantizer.encoder_)
        if core.smarts is not None and len(members):
            some = quantizer.encoder_.inverse_transform(graphs[members[:_CHECKED]])
            core = replace(core, smarts_share=share_with(core.smarts, some))
        distance = found.distance[members]
        counts = Counter([] if labels is None else [labels[i] for i in members])
        nodes, edges = part_in_core(medoids[j], placed[j], core)
        result.append(
            ClusterSummary(
                code=j,
                members=members,
                classes=dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))),
                medoid=medoids[j],
                medoid_name=names[j],
                smiles=smiles[j],
                mean_distance=float(distance.mean()) if len(members) else 0.0,
                largest_distance=float(distance.max(initial=0.0)),
                core=core,
                medoid_core=nodes,
                medoid_core_edges=edges,
            )
        )
    return result


def _medoids(quantizer: Any, graphs: GraphCollection, nearest: IntArray) -> tuple[GraphCollection, list[str]]:
    """Return the medoids of the training set; codebooks of 1.0 know none, so those of the graphs here."""
    known = quantizer._clusters
    if known is not None:
        return known.medoids, [known.medoid_name(j) for j in range(len(nearest))]
    members = [graphs[int(i)] if i >= 0 else quantizer.codebook_[j] for j, i in enumerate(nearest)]
    names = ["" if i < 0 else str(i) if graphs.names is None else graphs.names[int(i)] for i in nearest]
    return GraphCollection(members), names


def _placed(quantizer: Any, medoids: GraphCollection) -> IntArray:
    """Return the node of its code graph for each node of each medoid."""
    codes = quantizer.codebook_
    pairs = np.column_stack([np.arange(len(codes))] * 2)
    order = None if codes.groups is not None else max(codes.max_order, medoids.max_order)
    matcher = matcher_for_learning(quantizer.matcher)
    mapping = match_all(medoids, codes, pairs, matcher, order, quantizer.n_jobs, mappings=True).mapping
    assert mapping is not None
    return mapping


def _smiles(medoids: GraphCollection, encoder: Any) -> list[str | None]:
    raw = None if encoder is None else encoder.inverse_transform(medoids)
    if raw is None or not is_molecular(raw) or not has_rdkit():
        return [None] * len(medoids)
    return smiles_of(raw)


def raw_of(graphs: GraphCollection, raw: RawGraphs | None, encoder: Any) -> RawGraphs:
    """Return graphs with named attributes: as they were, else as the encoder leads back to them."""
    if raw is not None:
        return raw
    if encoder is not None:
        found: RawGraphs = encoder.inverse_transform(graphs)
        return found
    return RawGraphs.concatenate([words_of(graph).raw for graph in graphs])


__all__ = ["ClusterSummary", "raw_of", "summaries"]
