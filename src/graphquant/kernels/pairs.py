"""One pair from start to end: orientation, positions, matcher, canonical mapping, certified bound.

Every matcher sees the smaller graph as rows (of equal ones the lexicographically smaller), so that the
result does not depend on which graph is named first.
"""

import numpy as np

from graphquant.kernels._jit import entry, kernel
from graphquant.kernels.dual import ascend, set_up
from graphquant.kernels.frank_wolfe import flat_support, frank_wolfe
from graphquant.kernels.graduated import graduated_assignment
from graphquant.kernels.graphs import edge_support, mapping_gain, node_gains, squared_distance
from graphquant.kernels.lap import assign
from graphquant.kernels.local_search import improve
from graphquant.kernels.search import BEST, NODES, SECOND, frontier, run_search, start_search
from graphquant.kernels.similarity import neighbourhood_similarity
from graphquant.kernels.star import star_gains

INF = np.inf
# Relative to |X|^2 + |Y|^2: gains closer than this are equal, and bounds are lowered by it before they
# are called certified. Sums of some thousand terms of float64 stay well below.
ROUNDING = 1e-12
# A distance is proven when its square and that of the bound differ by no more than this share.
PROVEN = 1e-11
# Below this order the assignment behind the bound is as good a start as Frank-Wolfe, and cheaper.
SMALL = 6
# The later starts of Frank-Wolfe look 2, 5, 8, ... steps around a node.
REACH, REACH_OFFSET = 3, 4

FRANK_WOLFE, GRADUATED, EXACT, BOUND = 0, 1, 2, 3


@kernel
def default_starts(order):
    """Starts of Frank-Wolfe, by measurement on the four data sets: more where graphs are larger."""
    if order <= SMALL:
        return 2
    return 4 if order <= 16 else 5


@kernel
def compare(X, i, Y, j):
    """Order of two graphs by size, then content: -1, 0 (identical) or 1."""
    x0, y0 = X.node_ptr[i], Y.node_ptr[j]
    nx, ny = X.node_ptr[i + 1] - x0, Y.node_ptr[j + 1] - y0
    if nx != ny:
        return -1 if nx < ny else 1
    for r in range(nx):
        if X.group[x0 + r] != Y.group[y0 + r]:
            return -1 if X.group[x0 + r] < Y.group[y0 + r] else 1
        for c in range(X.node_attr.shape[1]):
            a, b = X.node_attr[x0 + r, c], Y.node_attr[y0 + r, c]
            if a != b:
                return -1 if a < b else 1
    for r in range(nx):
        x_begin, y_begin = X.adj_ptr[x0 + r], Y.adj_ptr[y0 + r]
        x_degree, y_degree = X.adj_ptr[x0 + r + 1] - x_begin, Y.adj_ptr[y0 + r + 1] - y_begin
        if x_degree != y_degree:
            return -1 if x_degree < y_degree else 1
        for k in range(x_degree):
            s, t = X.adj_idx[x_begin + k], Y.adj_idx[y_begin + k]
            if s != t:
                return -1 if s < t else 1
            for c in range(X.adj_vec.shape[1]):
                a, b = X.adj_vec[x_begin + k, c], Y.adj_vec[y_begin + k, c]
                if a != b:
                    return -1 if a < b else 1
    return 0


@kernel
def place_zero_nodes(X, i, Y, j, capacity, group_of):
    """OUT group_of: classes of the positions of Y and of the zero nodes that X can use; their number.

    Class g has ``capacity[g]`` positions; X can use as many zero nodes of it as it has nodes in it. None
    is needed where all attributes are non-negative and Y has room: a node never loses by a match.
    """
    x0, y0 = X.node_ptr[i], Y.node_ptr[j]
    nx, ny = X.node_ptr[i + 1] - x0, Y.node_ptr[j + 1] - y0
    width = ny
    for p in range(ny):
        group_of[p] = Y.group[y0 + p]
    for g in range(capacity.shape[0]):
        in_x, in_y = 0, 0
        for r in range(nx):
            in_x += X.group[x0 + r] == g
        for p in range(ny):
            in_y += Y.group[y0 + p] == g
        if in_x <= in_y and X.nonneg[i] and Y.nonneg[j]:
            continue
        for _ in range(min(in_x, max(capacity[g], in_x) - in_y)):
            group_of[width] = g
            width += 1
    return width


@kernel
def _assign_gains(X, i, ny, width, gains, pair):
    """OUT pair.trial: assignment of most gain (zero on zero nodes); returns minus that gain."""
    x0 = X.node_ptr[i]
    nx = X.node_ptr[i + 1] - x0
    lap = pair.lap
    for r in range(nx):
        for p in range(ny):
            pair.cost[r, p] = -gains[r, p]
        for p in range(ny, width):
            pair.cost[r, p] = 0.0 if pair.group_of[p] == X.group[x0 + r] else INF
    return assign(
        pair.cost, nx, width, pair.trial, lap.col_to_row, lap.u, lap.v, lap.dist, lap.back, lap.scan, False
    )


@kernel
def star_assignment(X, i, Y, j, width, pair):
    """Star bound: cost (minus gain) that no mapping is below; OUT pair.trial the assignment."""
    star_gains(X, i, Y, j, pair.gain, pair.star)
    return _assign_gains(X, i, Y.node_ptr[j + 1] - Y.node_ptr[j], width, pair.star, pair)


@kernel
def _set_start(X, i, Y, j, width, start, pair):
    """OUT pair.P and pair.support: the star assignment (in pair.trial), the flat start, or assignments
    by ever wider neighbourhoods.
    """
    nx, ny = X.node_ptr[i + 1] - X.node_ptr[i], Y.node_ptr[j + 1] - Y.node_ptr[j]
    for r in range(nx):
        for p in range(width):
            pair.P[r, p] = 1.0 / width if start == 1 else 0.0
    if start == 1:
        flat_support(X, i, Y, j, width, pair.support)
        return
    if start > 1:
        neighbourhood_similarity(X, i, Y, j, pair.gain, REACH * start - REACH_OFFSET, pair.star, pair.support)
        _assign_gains(X, i, ny, width, pair.star, pair)
    for r in range(nx):
        pair.P[r, pair.trial[r]] = 1.0
    edge_support(X, i, Y, j, pair.trial, pair.support)


@kernel
def match_frank_wolfe(X, i, Y, j, width, max_iter, n_starts, scale, pair):
    """Frank-Wolfe from several starts, each followed by local search; OUT pair.best.

    Returns the cost (minus gain) of the best mapping and that of the star bound.
    """
    nx = X.node_ptr[i + 1] - X.node_ptr[i]
    tolerance = ROUNDING * scale
    bound = star_assignment(X, i, Y, j, width, pair)
    best_gain = -INF
    for start in range(n_starts if n_starts > 0 else default_starts(nx)):
        _set_start(X, i, Y, j, width, start, pair)
        gain = frank_wolfe(
            X, i, Y, j, width, pair.group_of, pair.gain, pair.P, pair.support, max_iter, 1e-9 * scale,
            pair.cost, pair.best_support, pair.trial_support, pair.trial, pair.candidate, pair.lap,
        )  # fmt: skip
        gain += improve(
            X,
            i,
            Y,
            j,
            width,
            pair.group_of,
            pair.gain,
            pair.candidate,
            pair.owner,
            pair.best_support,
            tolerance,
        )
        if gain > best_gain + tolerance:
            best_gain = gain
            for r in range(nx):
                pair.best[r] = pair.candidate[r]
        if -best_gain <= bound + tolerance:
            break
    return -best_gain, bound


@kernel
def match_from_star(X, i, Y, j, width, scale, pair):
    """Local search from the assignment of the star bound; OUT pair.best; returns (cost, bound)."""
    bound = star_assignment(X, i, Y, j, width, pair)
    for r in range(X.node_ptr[i + 1] - X.node_ptr[i]):
        pair.best[r] = pair.trial[r]
    edge_support(X, i, Y, j, pair.best, pair.best_support)
    gain = mapping_gain(X, i, Y, j, pair.gain, pair.best) + improve(
        X,
        i,
        Y,
        j,
        width,
        pair.group_of,
        pair.gain,
        pair.best,
        pair.owner,
        pair.best_support,
        ROUNDING * scale,
    )
    return -gain, bound


@kernel
def fits_tables(X, i, Y, j, dual):
    """Whether the pair is small enough for the tables of the exact search."""
    x0 = X.node_ptr[i]
    nx, ny = X.node_ptr[i + 1] - x0, Y.node_ptr[j + 1] - Y.node_ptr[j]
    slots = X.adj_ptr[x0 + nx] - X.adj_ptr[x0]
    return nx <= dual.linear.shape[0] and ny < dual.linear.shape[1] and slots <= dual.edge_of.shape[0]


@kernel
def match_exact(X, i, Y, j, width, options, scale, pair, dual, search, resume, max_nodes):
    """Exact matching, in slices; OUT pair.best; returns (cost, bound, complete).

    ``complete`` is False when ``max_nodes`` search nodes were visited; call again with ``resume``.
    """
    nx, ny = X.node_ptr[i + 1] - X.node_ptr[i], Y.node_ptr[j + 1] - Y.node_ptr[j]
    labels = ny + 1 if width > ny else ny
    tolerance = ROUNDING * scale
    if not resume:
        search.state[NODES] = 0
        if nx <= SMALL:
            cost, bound = match_from_star(X, i, Y, j, width, scale, pair)
        else:
            cost, bound = match_frank_wolfe(X, i, Y, j, width, int(options[0]), int(options[3]), scale, pair)
        if bound >= cost - tolerance or not fits_tables(X, i, Y, j, dual):
            return cost, bound, True
        set_up(X, i, Y, j, width, labels, pair.gain, pair.group_of, dual)
        cost, raised = ascend(
            X, i, Y, j, width, labels, pair, dual, cost, tolerance, int(options[1]), options[2]
        )
        bound = max(bound, raised)
        if bound >= cost - tolerance or max_nodes == 0:
            return cost, bound, True
        start_search(X, i, Y, j, width, labels, pair, dual, search, cost, INF, True, True)
    complete = run_search(X, i, Y, j, width, labels, pair, dual, search, tolerance, False, max_nodes)
    cost = search.value[BEST]
    return cost, min(cost, frontier(search)), complete


@kernel
def second_best(X, i, Y, j, width, options, scale, pair, dual, search, max_nodes):
    """Least cost of a mapping whose lift differs from that of pair.best; a lower bound of it, at least.

    Only nodes of X that are twins are exchanged freely: that leaves the lift as it is.
    """
    ny = Y.node_ptr[j + 1] - Y.node_ptr[j]
    labels = ny + 1 if width > ny else ny
    cost = -mapping_gain(X, i, Y, j, pair.gain, pair.best)
    if not fits_tables(X, i, Y, j, dual):
        return cost
    set_up(X, i, Y, j, width, labels, pair.gain, pair.group_of, dual)
    ascend(X, i, Y, j, width, labels, pair, dual, cost, 0.0, int(options[1]), options[2])
    start_search(X, i, Y, j, width, labels, pair, dual, search, cost, INF, True, False)
    run_search(X, i, Y, j, width, labels, pair, dual, search, ROUNDING * scale, True, max_nodes)
    return max(cost, min(search.value[SECOND], frontier(search)))


@kernel
def _identical(X, i, out_map, k):
    for r in range(X.node_ptr[i + 1] - X.node_ptr[i]):
        if out_map.shape[0] > 0:
            out_map[k, r] = r


@kernel
def write_mapping(X, i, Y, j, swapped, best, capacity, used, out):
    """OUT out[r] = position in Y of node r of X, from the best mapping of rows to columns.

    Zero nodes are numbered behind the nodes of Y, class by class; nodes of X take them in order. WORK
    used (classes,).
    """
    x0, y0 = X.node_ptr[i], Y.node_ptr[j]
    nx, ny = X.node_ptr[i + 1] - x0, Y.node_ptr[j + 1] - y0
    for r in range(nx):
        out[r] = -1
    if swapped:
        for p in range(ny):
            if best[p] < nx:
                out[best[p]] = p
    else:
        for r in range(nx):
            if best[r] < ny:
                out[r] = best[r]
    position = ny
    for g in range(capacity.shape[0]):
        used[g] = position
        in_x, in_y = 0, 0
        for r in range(nx):
            in_x += X.group[x0 + r] == g
        for p in range(ny):
            in_y += Y.group[y0 + p] == g
        position += max(capacity[g], in_x, in_y) - in_y
    for r in range(nx):
        if out[r] < 0:
            g = X.group[x0 + r]
            out[r] = used[g]
            used[g] += 1


@kernel
def _match_rows(
    X, i, Y, j, method, options, capacity, pair, dual, search, annealing, resume, max_nodes, result
):
    """Match with X as rows; OUT result = (squared distance, squared bound, search nodes); complete?"""
    scale = X.sq_norm[i] + Y.sq_norm[j]
    width = place_zero_nodes(X, i, Y, j, capacity, pair.group_of)
    node_gains(X, i, Y, j, pair.gain)
    complete = True
    search_nodes = 0
    if method == EXACT:
        cost, bound, complete = match_exact(
            X, i, Y, j, width, options, scale, pair, dual, search, resume, max_nodes
        )
        search_nodes = search.state[NODES]
    elif method == FRANK_WOLFE:
        cost, bound = match_frank_wolfe(X, i, Y, j, width, int(options[0]), int(options[3]), scale, pair)
    else:
        bound = star_assignment(X, i, Y, j, width, pair)
        if method == GRADUATED:
            graduated_assignment(
                X, i, Y, j, width, pair, annealing[0], annealing[1], annealing[2], options[0], options[1],
                options[2], int(options[3]), int(options[4]), options[5], options[6], pair.best,
            )  # fmt: skip
    lower = scale + 2.0 * bound - 2.0 * ROUNDING * scale
    result[0] = INF
    if method != BOUND:
        result[0] = squared_distance(X, i, Y, j, pair.best, pair.slot_of, pair.covered)
    # A bound can pass the distance by rounding only.
    result[1] = max(0.0, min(lower, result[0]))
    result[2] = search_nodes
    return complete


@entry
def match_pairs(
    X,  # IN   MatchGraphs
    Y,  # IN   MatchGraphs
    pairs,  # IN   (m, 2) int64
    begin,  # IN   first pair to match
    method,  # IN   FRANK_WOLFE, GRADUATED, EXACT or BOUND
    options,  # IN   (7,) numbers of the method
    capacity,  # IN   (classes,) positions of each class
    node_limit,  # IN   search nodes for one pair
    slice_work,  # IN   work of one call, so that the caller can stop in between
    resume,  # IN   whether the search of the first pair goes on
    pair,  # WORK
    dual,  # WORK
    search,  # WORK
    annealing,  # WORK (3, rows + 1, columns + 1)
    used,  # WORK (classes,)
    out,  # OUT  (m, 3) squared distance, squared lower bound, search nodes
    out_map,  # OUT  (m, nodes of X) or (0, 0): positions in Y
):
    """Match pairs until all are done or the slice is used up.

    Returns the first pair k that is not done, or -1 - k if its search was begun and is to be resumed.
    """
    work = 0.0
    for k in range(begin, pairs.shape[0]):
        i, j = pairs[k]
        order = compare(X, i, Y, j)
        if order == 0:
            out[k, :] = 0.0
            _identical(X, i, out_map, k)
            continue
        rows, columns = X.node_ptr[i + 1] - X.node_ptr[i], Y.node_ptr[j + 1] - Y.node_ptr[j]
        # Roughly the operations of one search node: an assignment problem.
        node_work = 20.0 + rows * columns * (rows + columns)
        going_on = resume and k == begin
        done_nodes = search.state[NODES] if going_on else 0
        max_nodes = min(node_limit, done_nodes + 1 + int((slice_work - work) / node_work))
        if order < 0:
            R, a, C, b = X, i, Y, j
        else:
            R, a, C, b = Y, j, X, i
        complete = _match_rows(
            R, a, C, b, method, options, capacity, pair, dual, search, annealing, going_on, max_nodes, out[k]
        )
        if not complete and search.state[NODES] < node_limit:
            return -1 - k
        if out_map.shape[0] > 0:
            write_mapping(X, i, Y, j, order > 0, pair.best, capacity, used, out_map[k])
        work += (1.0 + out[k, 2]) * node_work
        if work > slice_work:
            return k + 1
    return pairs.shape[0]
