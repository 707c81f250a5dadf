"""Exact matching of many pairs: dual ascent, search in slices."""

import numpy as np

from graphquant.kernels._jit import addressed_entry, kernel
from graphquant.kernels.dual import ascend, set_up
from graphquant.kernels.graphs import mapping_gain, node_gains
from graphquant.kernels.pairs import ROUNDING, SMALL, place_zero_nodes
from graphquant.kernels.search import (
    BEST,
    COMPLETE,
    LEAF,
    NODES,
    STOPPED,
    frontier,
    keep_if_better,
    run_search,
    start_search,
    start_small_search,
)

INF = np.inf
# Options of the exact matcher, by their place in the array.
MAX_ITER = 0  # of dual ascent
PATIENCE = 1  # least share of the gap that an iteration of it must close
NODE_LIMIT = 2  # search nodes for one pair
FREE_ORDER = 3  # pairs whose smaller graph is not larger than this have no limit
SLICE_WORK = 4  # work of one call, so that the caller can stop in between
SEARCH_ORDER = 5  # pairs whose smaller graph is larger than this keep their start
N_OPTIONS = 6
# When a limit stops a search, the ascent of the whole problem goes on for as long as it closes this share of
# the gap, but for no more than one iteration for so many search nodes, which is a small part of the work.
LAST_PATIENCE, LAST_ITERATIONS, NODES_AN_ITERATION = 5e-4, 300, 50
# Pairs whose smaller graph has up to so many nodes are searched with bounds that cost little (``small.py``).
# A search that visits more nodes than this is better begun again with stronger ones.
SMALL_ORDER, SMALL_NODES = 8, 300


@kernel
def fits_tables(G, i, j, dual):
    """Whether the pair is small enough for the tables of the search."""
    x0 = G.node_ptr[i]
    nx, ny = G.node_ptr[i + 1] - x0, G.node_ptr[j + 1] - G.node_ptr[j]
    slots = G.adj_ptr[x0 + nx] - G.adj_ptr[x0]
    return nx <= dual.linear.shape[0] and ny < dual.linear.shape[1] and slots <= dual.edge_of.shape[0]


@kernel
def _search_small(G, i, j, width, labels, pair, dual, search, tolerance):
    """Search a small pair with bounds that cost little; whether that was enough. OUT pair.best, search."""
    nx, ny = G.node_ptr[i + 1] - G.node_ptr[i], G.node_ptr[j + 1] - G.node_ptr[j]
    bound = start_small_search(G, i, j, width, labels, pair, dual, search)
    if bound == INF:
        return False
    for r in range(nx):
        pair.best[r] = pair.trial[r]
    search.value[BEST] = -mapping_gain(G, i, j, pair.gain, pair.best)
    if bound >= search.value[BEST] - tolerance:
        return True
    outcome = LEAF
    while outcome == LEAF:
        outcome = run_search(G, i, ny, width, labels, BEST, pair, dual, search, tolerance, SMALL_NODES, True)
        if outcome == LEAF:
            keep_if_better(G, i, j, pair, search, tolerance)
    return outcome == COMPLETE


@addressed_entry
def match_exact_pairs(
    G,  # IN   MatchGraphs
    pairs,  # IN   (m, 2) rows and columns
    begin,  # IN   first pair to match
    resume,  # IN   whether the search of that pair goes on
    options,  # IN   as numbered above
    capacity,  # IN   (classes,) positions of each class
    buffers,  # WORK
    known,  # IN   (m,) cost of a mapping known to the caller, or inf: prunes, but is not returned
    rows_to_columns,  # INOUT (m, rows) a start (not for small pairs: first entry -1); OUT the mapping
    value,  # INOUT (m, 2) OUT cost of the mapping (minus gain), INOUT lower bound of it if there is a start
    search_nodes,  # OUT  (m,)
):
    """Match pairs exactly until all are done or the slice is used up.

    Returns the first pair k that is not done, or -1 - k if its search was begun and is to be resumed.
    """
    pair, dual, search = buffers.pair, buffers.dual, buffers.search
    max_iter, slice_work = int(options[MAX_ITER]), options[SLICE_WORK]
    work = 0.0
    for k in range(begin, pairs.shape[0]):
        i, j = pairs[k]
        nx, ny = G.node_ptr[i + 1] - G.node_ptr[i], G.node_ptr[j + 1] - G.node_ptr[j]
        if nx == 0:
            value[k, 0], value[k, 1] = 0.0, 0.0
            continue
        scale = G.sq_norm[i] + G.sq_norm[j]
        tolerance = ROUNDING * scale
        width = place_zero_nodes(G, i, G, j, capacity, pair.group_of)
        labels = ny + 1 if width > ny else ny
        node_gains(G, i, G, j, pair.gain)
        # Roughly the operations of one search node: an assignment problem.
        node_work = 20.0 + nx * ny * (nx + ny)
        node_limit = INF if nx <= options[FREE_ORDER] else options[NODE_LIMIT]
        searching = resume and k == begin
        if not searching:
            search.state[NODES] = 0
            # The first ascent of a small pair finds a mapping sooner than a matcher for the start would.
            cost, bound = INF, -INF
            if rows_to_columns[k, 0] >= 0:
                for r in range(nx):
                    pair.best[r] = rows_to_columns[k, r]
                cost, bound = -mapping_gain(G, i, j, pair.gain, pair.best), value[k, 1]
            to_be_searched = nx <= options[SEARCH_ORDER] and fits_tables(G, i, j, dual)
            is_small = nx <= SMALL_ORDER and to_be_searched and node_limit == INF
            if is_small and _search_small(G, i, j, width, labels, pair, dual, search, tolerance):
                cost = bound = search.value[BEST]
            if bound < cost - tolerance and to_be_searched:
                set_up(G, i, j, width, labels, pair.gain, pair.group_of, dual)
                # Small pairs are searched sooner than ascended.
                iterations = min(max_iter, 2) if nx <= SMALL else max_iter
                cost, raised = ascend(
                    G, i, j, width, labels, pair, dual, cost, tolerance, iterations, options[PATIENCE]
                )
                bound = max(bound, raised)
                searching = bound < cost - tolerance
                work += node_work * iterations
            if searching:
                # The margin lets the search find its own mapping of the known cost.
                ceiling = min(cost, known[k] + 4.0 * tolerance)
                # Looking for twins takes longer than searching a small pair.
                twins = nx > SMALL
                start_search(G, i, j, width, labels, pair, dual, search, ceiling, INF, twins, twins)
        if searching:
            budget = search.state[NODES] + 1 + max(0, int((slice_work - work) / node_work))
            outcome = LEAF
            while outcome == LEAF:
                outcome = run_search(
                    G,
                    i,
                    ny,
                    width,
                    labels,
                    BEST,
                    pair,
                    dual,
                    search,
                    tolerance,
                    min(node_limit, budget),
                    False,
                )
                if outcome == LEAF:
                    keep_if_better(G, i, j, pair, search, tolerance)
            if outcome == STOPPED and search.state[NODES] < node_limit:
                return -1 - k
            bound = min(search.value[BEST], frontier(search))
            cost = -mapping_gain(G, i, j, pair.gain, pair.best)
            if outcome == STOPPED:
                iterations = min(LAST_ITERATIONS, search.state[NODES] // NODES_AN_ITERATION)
                set_up(G, i, j, width, labels, pair.gain, pair.group_of, dual)
                cost, raised = ascend(
                    G, i, j, width, labels, pair, dual, cost, tolerance, iterations, LAST_PATIENCE
                )
                bound = max(bound, raised)
        value[k, 0] = cost
        value[k, 1] = bound
        search_nodes[k] = search.state[NODES]
        for r in range(nx):
            rows_to_columns[k, r] = pair.best[r]
        work += (1.0 + search.state[NODES]) * node_work
        if work > slice_work:
            return k + 1
    return pairs.shape[0]
