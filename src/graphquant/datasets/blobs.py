"""Planted clusters of graphs: the truth is known."""

from dataclasses import dataclass, field

import numpy as np

from graphquant._random import RandomState, check_random_state
from graphquant._typing import BoolArray, FloatArray, IntArray
from graphquant._validation import check_positive_int
from graphquant.datasets._dataset import Dataset
from graphquant.exceptions import InvalidParameterError
from graphquant.graphs import GraphCollection


@dataclass(frozen=True, eq=False, repr=False)
class Blobs(Dataset):
    """A data set with its ground truth.

    Attributes
    ----------
    codes : GraphCollection
        The planted code graphs; graph i was made from ``codes[targets[i]]``.
    mappings : array of int of shape (n_graphs, order)
        Node r of graph i was made from node ``mappings[i, r]`` of its code graph.

    Examples
    --------
    >>> from graphquant.datasets import make_graph_blobs
    >>> blobs = make_graph_blobs(n_graphs=10, n_codes=2, order=3)
    >>> len(blobs.codes), blobs.mappings.shape
    (2, (10, 3))
    """

    codes: GraphCollection = field(kw_only=True)
    mappings: IntArray = field(kw_only=True)


def make_graph_blobs(
    n_graphs: int = 200,
    n_codes: int = 4,
    *,
    order: int = 6,
    n_node_attrs: int = 2,
    n_edge_attrs: int = 1,
    noise: float = 0.1,
    edge_probability: float = 0.4,
    flip_probability: float = 0.02,
    directed: bool = False,
    random_state: RandomState = 0,
) -> Blobs:
    """Make clusters of graphs around random code graphs.

    A code graph has standard normal node attributes, an edge between any two nodes with
    ``edge_probability``, and edge attributes uniform between 0.5 and 1.5. A graph of its cluster is a
    copy with noise on all attributes, some node pairs flipped (edge to no edge and back), and its
    nodes numbered at random.

    Parameters
    ----------
    n_graphs, n_codes : int, default=200, 4
        Graphs in total, distributed over the code graphs as evenly as possible, in random order.
    order : int, default=6
        Number of nodes of each graph.
    n_node_attrs, n_edge_attrs : int, default=2, 1
    noise : float, default=0.1
        Standard deviation of the noise on each attribute.
    edge_probability, flip_probability : float, default=0.4, 0.02
    directed : bool, default=False
    random_state : int, Generator, RandomState or None, default=0

    Returns
    -------
    Blobs
        A :class:`graphquant.Dataset` with the ground truth in ``codes`` and ``mappings``.

    Examples
    --------
    >>> from graphquant.datasets import make_graph_blobs
    >>> blobs = make_graph_blobs(n_graphs=10, n_codes=2, noise=0.0, flip_probability=0.0)
    >>> code = blobs.codes[blobs.targets[3]]
    >>> code.permute(blobs.mappings[3]) == blobs.graphs[3]
    True
    """
    n_graphs = check_positive_int("n_graphs", n_graphs)
    n_codes = check_positive_int("n_codes", n_codes)
    order = check_positive_int("order", order)
    p = check_positive_int("n_node_attrs", n_node_attrs)
    q = check_positive_int("n_edge_attrs", n_edge_attrs)
    if not isinstance(noise, int | float) or not 0 <= noise < np.inf:
        raise InvalidParameterError(f"noise={noise!r} is not accepted.", "Give a number of at least 0.")
    _check_probability("edge_probability", edge_probability)
    _check_probability("flip_probability", flip_probability)
    rng = check_random_state(random_state)
    pairs = _pairs(order, directed=directed)

    code_nodes = rng.normal(size=(n_codes, order, p))
    code_edges = rng.uniform(0.5, 1.5, size=(n_codes, len(pairs), q))
    code_joined = rng.random((n_codes, len(pairs))) < edge_probability

    targets = rng.permutation(np.arange(n_graphs) % n_codes)
    nodes = code_nodes[targets] + rng.normal(scale=noise, size=(n_graphs, order, p))
    edges = code_edges[targets] + rng.normal(scale=noise, size=(n_graphs, len(pairs), q))
    joined = code_joined[targets] ^ (rng.random((n_graphs, len(pairs))) < flip_probability)
    mappings = np.argsort(rng.random((n_graphs, order)), axis=1)

    identity = np.broadcast_to(np.arange(order), (n_codes, order))
    mappings.setflags(write=False)
    return Blobs(
        _collect(nodes, edges, joined, pairs, mappings, directed=directed),
        targets,
        tuple(f"code{i}" for i in range(n_codes)),
        description=f"{n_graphs} synthetic graphs around {n_codes} planted code graphs",
        codes=_collect(code_nodes, code_edges, code_joined, pairs, identity, directed=directed),
        mappings=mappings,
    )


def _check_probability(name: str, value: object) -> None:
    if not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidParameterError(f"{name}={value!r} is not a probability.", "Give a number from 0 to 1.")


def _pairs(order: int, *, directed: bool) -> IntArray:
    """All node pairs that may have an edge, shape (n_pairs, 2)."""
    wanted = ~np.eye(order, dtype=bool) if directed else np.triu(np.ones((order, order), dtype=bool), k=1)
    return np.argwhere(wanted)


def _collect(
    nodes: FloatArray,  # (n, order, p)
    edges: FloatArray,  # (n, n_pairs, q)
    joined: BoolArray,  # (n, n_pairs)
    pairs: IntArray,  # (n_pairs, 2)
    mappings: IntArray,  # (n, order): new node r is old node mappings[i, r]
    *,
    directed: bool,
) -> GraphCollection:
    n_graphs, order, p = nodes.shape
    renumbered = np.take_along_axis(nodes, mappings[:, :, None], axis=1)
    new_number = np.argsort(mappings, axis=1)
    graph, pair = np.nonzero(joined)
    ends = np.stack([new_number[graph, pairs[pair, 0]], new_number[graph, pairs[pair, 1]]], axis=1)
    return GraphCollection.from_arrays(
        np.arange(n_graphs + 1) * order,
        renumbered.reshape(-1, p),
        np.concatenate([[0], np.cumsum(joined.sum(axis=1))]),
        ends.astype(np.int32),
        edges[graph, pair],
        directed=directed,
    )


__all__ = ["Blobs", "make_graph_blobs"]
