"""The native core as tests call it: collections in, plain arrays out, no layer of the library in between."""

from dataclasses import dataclass

import numpy as np

from graphquant._core import bounds, matching
from graphquant._core.calls import Scratch, StopFlag
from graphquant._core.graphs import collection_struct, prepare_graphs
from graphquant._core.learning import Learner
from graphquant._core.structs import (
    Exact,
    FrankWolfe,
    Graduated,
    MatcherOptions,
)

ALGORITHMS = ("standard", "accelerated", "lossless", "fast")
MATCHERS = {
    "exact": MatcherOptions.EXACT,
    "frank-wolfe": MatcherOptions.FRANK_WOLFE,
    "graduated": MatcherOptions.GRADUATED,
}


def matcher(name="exact", *, node_limit=np.inf, ascents=20, free_order=8, search_order=64):
    """Options of a matcher, as the library sets them by default."""
    return MatcherOptions(
        kind=MATCHERS[name],
        exact=Exact(node_limit, np.inf, 0.05, ascents, free_order, search_order),
        frank_wolfe=FrankWolfe(8, 0),
        graduated=Graduated(0.5, 1.075, 10.0, 0.5, 0.05, 4, 30),
    )


def capacity_of(graphs, room=0):
    """Positions of each node class: what the largest graph needs, and ``room`` more without classes."""
    packed = graphs.packed()
    if packed.groups is None:
        return np.array([max(graphs.max_order + room, 1)])
    counts = [
        np.bincount(packed.groups[begin:end], minlength=int(packed.groups.max(initial=0)) + 1)
        for begin, end in zip(packed.node_offsets, packed.node_offsets[1:], strict=False)
    ]
    return np.max(counts, axis=0).astype(np.int64)


def arrays_of(graphs):
    """The arguments of ``prepare_graphs`` and ``collection_struct``."""
    packed = graphs.packed()
    arrays = (
        packed.node_offsets,
        packed.node_attrs,
        packed.groups,
        packed.edge_offsets,
        packed.edges,
        packed.edge_attrs,
    )
    return arrays, {"is_directed": packed.directed}


def prepared(graphs):
    """Graphs as matchers and bounds see them."""
    arrays, kind = arrays_of(graphs)
    return prepare_graphs(*arrays, **kind)


@dataclass
class Matched:
    """What the core found for some pairs."""

    sq_distance: np.ndarray
    sq_lower: np.ndarray
    n_nodes: np.ndarray
    mapping: np.ndarray


def match(graphs, pairs, options, *, room=0, proposals=None, stop=None):
    """Match pairs of graphs."""
    ready, n_pairs = prepared(graphs), len(pairs)
    width = max(int(ready.orders.max(initial=0)), 1)
    found = Matched(
        np.empty(n_pairs),
        np.empty(n_pairs),
        np.empty(n_pairs, dtype=np.int64),
        np.full((n_pairs, width), -1, dtype=np.int64),
    )
    matching.match_pairs(
        ready,
        capacity_of(graphs, room),
        options,
        np.ascontiguousarray(pairs, dtype=np.int64),
        **vars(found),
        proposals=proposals,
        stop=stop,
        scratch=Scratch(),
    )
    return found


def star_bounds(graphs, pairs):
    """Squared star bounds of pairs."""
    ready, sq_lower = prepared(graphs), np.empty(len(pairs))
    bounds.bound_pairs(ready, ready, capacity_of(graphs), pairs, sq_lower=sq_lower, scratch=Scratch())
    return sq_lower


def learner(graphs, n_codes, options=None, *, room=0, starts=None, **settings):
    """A learner whose code graphs are some of the graphs."""
    arrays, kind = arrays_of(graphs)
    capacity = capacity_of(graphs, room)
    made = Learner(
        collection_struct(*arrays, **kind),
        capacity,
        options or matcher(),
        n_codes=n_codes,
        **settings,
    )
    for j, i in enumerate(range(n_codes) if starts is None else starts):
        write_code(made, j, graphs[int(i)], capacity)
    made.begin()
    return made


def write_code(made, j, graph, capacity):
    """Make a graph code graph j: its nodes on the positions of their classes."""
    nodes, pairs = made.arrays["code_nodes"][j], made.arrays["code_pairs"][j]
    groups = np.zeros(graph.order, dtype=int) if graph.groups is None else graph.groups
    next_of = np.concatenate([[0], np.cumsum(capacity)[:-1]])
    position = np.empty(graph.order, dtype=int)
    for r, g in enumerate(groups):
        position[r] = next_of[g]
        next_of[g] += 1
    nodes[position] = graph.node_attrs
    q = graph.edge_attrs.shape[1]
    start, end = position[graph.edges[:, 0]], position[graph.edges[:, 1]]
    pairs[start, end, :q] = graph.edge_attrs
    pairs[end, start, -q:] = graph.edge_attrs


def run(made, algorithm, n_graphs, n_cycles=2, seed=0, rate=0.2, stop=None):
    """Present all graphs in random order, cycle by cycle; returns the winners of each cycle."""
    rng, winners = np.random.default_rng(seed), []
    for cycle in range(n_cycles):
        before = [made.arrays["code_nodes"].copy(), made.arrays["code_pairs"].copy()]
        order = rng.permutation(n_graphs).astype(np.int64)
        made.present(algorithm, order, np.full(n_graphs, rate), stop or StopFlag())
        if algorithm == "accelerated":
            # An upper bound of the way is as good here as the distance of the code graphs.
            after = made.arrays["code_nodes"], made.arrays["code_pairs"]
            moved = [(new - old).reshape(len(new), -1) for new, old in zip(after, before, strict=True)]
            made.estimate_bounds(np.linalg.norm(np.hstack(moved), axis=1))
        else:
            made.end_cycle(cycle)
        winners.append(made.arrays["label"].copy())
    return np.array(winners)
