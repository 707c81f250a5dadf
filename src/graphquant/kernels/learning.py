"""One presentation, as far as all algorithms share it: match a pair, bound a pair, move the winner.

The larger steps are entries that the algorithms call by address (``Services``), so that they are compiled
once and not once for each algorithm. L and M are records of the fields below.
"""

from typing import Any, NamedTuple

import numpy as np

from graphquant.kernels._jit import addressed_step, allocating_entry, step
from graphquant.kernels.bounds import star_bound
from graphquant.kernels.codebook import (
    Codebook,
    code_graph,
    lifted_sq_distance,
    measure_order,
    move_code,
    refresh,
    squared_norm,
)
from graphquant.kernels.drift import Drift, count_move, moved, stamp
from graphquant.kernels.families import Families, begin_epoch
from graphquant.kernels.graphs import MatchGraphs, squared_distance
from graphquant.kernels.pairs import ROUNDING, compare, finish_pair
from graphquant.kernels.window import TrainingGraphs, show
from graphquant.kernels.workspace import Buffers

INF = np.inf
# Counters, one array for each thread.
N_MATCHINGS, N_BOUNDS, N_PROVEN, N_CERTIFICATES, N_COUNTERS = 0, 1, 2, 3, 4
# Work for one gap certificate; a search that is cut short still gives a valid, smaller gap.
CERTIFICATE_ITERATIONS, CERTIFICATE_NODES = 10, 1000
# Squared distances closer than this share of the squared norms may compare either way in float64: no bound
# decides between them. It covers the rounding of bounds, matchers and lifted distances together.
MARGIN = 16.0 * ROUNDING


class Learner(NamedTuple):
    """What a run knows of its graphs and code graphs; graph i has row i."""

    X: TrainingGraphs
    G: MatchGraphs  # windows, then code graphs
    shown: Any  # (n_windows,) int64  graph in each window, -1 if there is none
    codes: Codebook
    drift: Drift
    capacity: Any  # (classes,) int64  positions of each node class
    sq_norm: Any  # (n_graphs,) float64
    label: Any  # (n_graphs,) int32  winner at the last presentation, -1 before the first
    mapping: Any  # (n_nodes,) int32  position of each node in its winner: the lift x_a
    lower: Any  # (n_graphs, k or n_families + 1) float64  lower bounds, as the algorithm means them
    slot: Any  # (the same) int16  snapshot that each bound counts from
    presented_sq: Any  # (n_graphs,) float64  |x_a - y|^2 at the last presentation, before the move
    certified_sq: Any  # (n_graphs,) float64  lower bound of d(X, Y_X)^2 when the winner was last found
    upper_sq: Any  # (n_graphs,) float64  square of u(X), of "accelerated"
    fresh: Any  # (n_graphs,) bool  whether u(X) is up to date, of "accelerated"
    order: Any  # (k,) int64  positions of each code graph that are in use
    code_sq_norm: Any  # (k,) float64
    wins: Any  # (k,) int64
    families: Families  # of code graphs that share a bound, of "lossless" with little memory
    n_families: int  # 0 if each code graph has its own
    theta: float
    certifies: bool  # whether lower[i, winner] is a bound for lifts, see lossless.py and fast.py


class Matching(NamedTuple):
    """The matcher and what it works in; one for each thread."""

    window: int  # of this thread
    solve: Any  # compiled matcher
    options: Any  # of it
    start: Any  # compiled matcher that gives a start to pairs whose smaller graph is larger than start_above
    start_options: Any
    start_above: int
    second: Any  # second-best alignment, see second_best.py
    proves_up_to: int  # order up to which a graph is always matched with proof; 0 for approximate matchers
    symmetric: bool  # whether the smaller graph goes first; matchers written in Python get X first
    buffers: Buffers
    lead: Any  # (k, slots)  see drift.py
    pairs: Any  # (1, 2) int64
    order: Any  # (1,) int64
    known: Any  # (1,)
    rows_to_columns: Any  # (1, n) int64
    value: Any  # (1, 2)
    search_nodes: Any  # (1,) int64
    used: Any  # (classes,) int64
    out: Any  # (1, 2)
    slots: Any  # (n,) int64
    found: Any  # (1, n) int64  mapping of the last matched pair
    best: Any  # (n,) int64  mapping of the best code graph so far
    key: Any  # (k,)  squared bound by which candidates are tried
    candidates: Any  # (k,) int64
    counters: Any  # (N_COUNTERS,) int64
    stop: Any  # (1,) int64  set from outside to end a run early


@step
def margin(L, i, j):
    """Squared distances from graph i that are closer than this are not told apart."""
    return MARGIN * (L.sq_norm[i] + L.code_sq_norm[j])


@step
def graph_order(L, i):
    """Return the number of nodes of graph i."""
    return L.X.node_ptr[i + 1] - L.X.node_ptr[i]


@step
def _window(L, M, i):
    """Return the number of graph i in the MatchGraphs, once it is in the window of this thread."""
    graph = 2 * M.window
    if L.shown[M.window] != i:
        show(L.X, i, L.sq_norm[i], L.codes.G, graph, M.slots)
        L.shown[M.window] = i
    return graph


@step
def _ask(L, M, matcher, options, at, resume):
    """Call a compiled matcher for the oriented pair in M.pairs."""
    return matcher(
        L.G, M.pairs, at, resume, options, L.capacity, M.buffers, M.known, M.rows_to_columns, M.value,
        M.search_nodes,
    )  # fmt: skip


@step
def _cut_short(L, M, i):
    """Nothing is known of a pair whose matching was not ended: INF; OUT M.found, M.out (bound 0)."""
    for r in range(graph_order(L, i)):
        M.found[0, r] = r
    M.out[0, 0], M.out[0, 1] = INF, 0.0
    return INF


@addressed_step
def match_code(L, M, i, j):
    """Match graph i with code graph j: squared distance; OUT M.found, M.out (with its lower bound)."""
    G, codes, pairs, order, out = L.G, L.codes, M.pairs, M.order, M.out
    refresh(codes, j)
    M.counters[N_MATCHINGS] += 1
    pairs[0, 0], pairs[0, 1] = _window(L, M, i), code_graph(codes, j)
    order[0] = compare(G, pairs[0, 0], G, pairs[0, 1]) if M.symmetric else -1
    if order[0] > 0:
        pairs[0, 0], pairs[0, 1] = pairs[0, 1], pairs[0, 0]
    if order[0] != 0:
        M.known[0] = INF
        M.rows_to_columns[0, 0] = -1
        rows = pairs[0, 0]
        if G.node_ptr[rows + 1] - G.node_ptr[rows] > M.start_above:
            _ask(L, M, M.start, M.start_options, 0, False)
        at, resume = 0, False
        while at < 1:
            if M.stop[0] != 0:
                return _cut_short(L, M, i)
            reached = _ask(L, M, M.solve, M.options, at, resume)
            resume = reached < 0
            at = -1 - reached if resume else reached
    finish_pair(
        G, pairs, 0, order, M.rows_to_columns, M.value, L.capacity, M.buffers.pair, M.used, out, M.found
    )
    if out[0, 0] - out[0, 1] <= margin(L, i, j):
        M.counters[N_PROVEN] += 1
    return out[0, 0]


@addressed_step
def second_sq_distance(L, M, i, j):
    """Squared distance that every lift of graph i but the one in M.best has to code graph j at least.

    Part of the matching before it: the search goes on with the optimum known.
    """
    M.counters[N_CERTIFICATES] += 1
    graph = code_graph(L.codes, j)
    return M.second(
        L.G, _window(L, M, i), graph, M.best, CERTIFICATE_ITERATIONS, CERTIFICATE_NODES, L.capacity, M.buffers
    )


@addressed_step
def bound_code(L, M, i, j):
    """Star bound of graph i and code graph j: certified, squared, without matching."""
    G, codes = L.G, L.codes
    refresh(codes, j)
    M.counters[N_BOUNDS] += 1
    return star_bound(G, _window(L, M, i), G, code_graph(codes, j), L.capacity, M.buffers.pair)


class Services(NamedTuple):
    """The entries that algorithms call by address: each takes L, M, a graph and a code graph."""

    match: Any  # match_code
    second: Any  # second_sq_distance
    bound: Any  # bound_code
    learn: Any  # learn, with a rate instead of a code graph


@step
def norm_bound(L, i, j):
    """Certified lower bound of the squared distance from the norms alone."""
    gap = np.sqrt(L.sq_norm[i]) - np.sqrt(L.code_sq_norm[j])
    return gap * gap - margin(L, i, j)


@step
def bound_column(L, j):
    """Return the column of the bounds of code graph j: its own, or the last, where only winners have one."""
    return L.n_families if L.n_families > 0 else j


@step
def lower_now(L, M, i, j, needed):
    """Lower bound of graph i and code graph j that holds now; sharp only where it is below ``needed``."""
    column = bound_column(L, j)
    stored = L.lower[i, column]
    return stored - moved(L.codes, L.drift, M.lead, j, L.slot[i, column], stored - needed)


@step
def keep_lower(L, i, j, bound):
    """Store a lower bound that holds now."""
    column = bound_column(L, j)
    L.lower[i, column], L.slot[i, column] = stamp(L.drift, j, bound)


@step
def sq_distance_to_winner(L, i):
    """|x_a - y|^2 to the winner of the last presentation."""
    j = L.label[i]
    mapping = L.mapping[L.X.node_ptr[i] : L.X.node_ptr[i + 1]]
    return lifted_sq_distance(L.X, i, L.sq_norm[i], L.codes, j, L.code_sq_norm[j], mapping)


@step
def keep_found(L, M, i):
    """Remember the mapping of the last matched pair as the best of this presentation."""
    for r in range(graph_order(L, i)):
        M.best[r] = M.found[0, r]


@step
def set_winner(L, M, i, j):
    """Graph i belongs to code graph j, under the best mapping of this presentation."""
    L.label[i] = j
    x0 = L.X.node_ptr[i]
    for r in range(graph_order(L, i)):
        L.mapping[x0 + r] = M.best[r]


@addressed_step
def learn(L, M, i, eta):
    """Move the winner of graph i: y <- y + eta (x_a - y); returns the length of the step."""
    j = L.label[i]
    mapping = L.mapping[L.X.node_ptr[i] : L.X.node_ptr[i + 1]]
    L.wins[j] += 1
    if eta < 0.0:  # the harmonic rate
        eta = 1.0 / L.wins[j]
    sq_distance = sq_distance_to_winner(L, i)
    L.presented_sq[i] = sq_distance
    L.code_sq_norm[j] = move_code(L.X, i, L.sq_norm[i], L.codes, j, mapping, eta)
    # The margin keeps the path an upper bound in float64.
    length = eta * np.sqrt(sq_distance + MARGIN * (L.sq_norm[i] + L.code_sq_norm[j]))
    count_move(L.codes, L.drift, M.lead, j, length)
    if L.certifies:
        _note_order(L, j)
    return length


@step
def _note_order(L, j):
    """Drop the alignment certificates of code graph j if it has taken up zero nodes, or left some behind.

    Lifts that differ only in which zero node of y they use are one and the same to a certificate; they are no
    longer when one of these positions is no zero node any more.
    """
    order = L.codes.order[j]
    if order != L.order[j]:
        L.order[j] = order
        for i in range(L.label.shape[0]):
            if L.label[i] == j:
                L.lower[i, bound_column(L, j)] = 0.0


@allocating_entry
def learn_all(L, M, sequence, rates):
    """Move the winners of a batch, in order."""
    for t in range(sequence.shape[0]):
        learn(L, M, sequence[t], rates[t])
    begin_epoch(L.families, L.drift.path)


@allocating_entry
def move_codes(L, M, nodes, pairs):
    """Replace code graphs by others, as one movement of each: all bounds stay valid."""
    for j in range(nodes.shape[0]):
        squared = 0.0
        half = 0.5 * L.codes.G.pair_weight
        for p in range(nodes.shape[1]):
            for c in range(nodes.shape[2]):
                squared += (nodes[j, p, c] - L.codes.nodes[j, p, c]) ** 2
            for s in range(nodes.shape[1]):
                for c in range(pairs.shape[3]):
                    squared += half * (pairs[j, p, s, c] - L.codes.pairs[j, p, s, c]) ** 2
        if squared == 0.0:
            continue
        L.codes.nodes[j], L.codes.pairs[j] = nodes[j], pairs[j]
        L.codes.stale[j] = True
        measure_order(L.codes, j)
        L.code_sq_norm[j] = squared_norm(L.codes, j)
        # The margin keeps the path an upper bound in float64.
        length = np.sqrt(squared) + MARGIN * np.sqrt(L.code_sq_norm[j])
        count_move(L.codes, L.drift, M.lead, j, length)
        if L.certifies:
            _note_order(L, j)
    begin_epoch(L.families, L.drift.path)


@allocating_entry
def set_norms(L):
    """OUT L.code_sq_norm of code graphs that were written from outside."""
    for j in range(L.code_sq_norm.shape[0]):
        L.code_sq_norm[j] = squared_norm(L.codes, j)


@allocating_entry
def lifted_sq_distances(L):
    """|x_a - y|^2 of all graphs to their winners as they are now; 0 for graphs without one."""
    out = np.zeros(L.label.shape[0])
    for i in range(L.label.shape[0]):
        if L.label[i] >= 0:
            out[i] = sq_distance_to_winner(L, i)
    return out


@allocating_entry
def exact_sq_distances(L, M):
    """Return the same by differences: right to the last digits also where it is small."""
    G, found, pair = L.G, M.found, M.buffers.pair
    out = np.zeros(L.label.shape[0])
    for i in range(L.label.shape[0]):
        for r in range(graph_order(L, i)):
            found[0, r] = L.mapping[L.X.node_ptr[i] + r]
        graph = code_graph(L.codes, L.label[i])
        out[i] = squared_distance(G, _window(L, M, i), G, graph, found[0], pair.slot_of, pair.covered)
    return out
