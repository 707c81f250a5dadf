"""One pair from start to end, in stages that each run over many pairs.

1. ``orient``: the smaller graph becomes the rows (of equal ones the lexicographically smaller), so that
   the result does not depend on which graph is named first; identical graphs need no matching.
2. ``match_frank_wolfe_pairs``, ``match_graduated_pairs`` and, in ``exact.py``, ``match_exact_pairs``: rows
   to columns.
3. ``finish``: the distance from differences, the canonical mapping in the direction that was asked for.

Stages are entries of their own because compiling one that holds them all would take much longer.
"""

import numpy as np

from graphquant.kernels._jit import addressed_entry, entry, kernel
from graphquant.kernels.chains import mend_edges
from graphquant.kernels.frank_wolfe import flat_start, frank_wolfe
from graphquant.kernels.graduated import graduated_assignment
from graphquant.kernels.graphs import edge_support, mapping_gain, node_gains, squared_distance
from graphquant.kernels.lap import assign
from graphquant.kernels.local_search import improve
from graphquant.kernels.similarity import widen_similarity
from graphquant.kernels.star import star_gains
from graphquant.kernels.thinning import faint_below, thin_out

INF = np.inf
# Relative to |X|^2 + |Y|^2: gains closer than this are equal, and bounds are lowered by it before they
# are called certified. Sums of some thousand terms of float64 stay well below.
ROUNDING = 1e-12
# A distance is proven when its square and that of the bound differ by no more than this share.
PROVEN = 1e-11
# Up to this order single exchanges find what chains would, and the exact search needs no good start.
SMALL = 6
# A gain that as many starts end at is rarely bettered by others.
ENOUGH_TIMES = 3


@kernel
def default_starts(order):
    """Return the number of starts, chosen by measurement: 3 up to 13 nodes, 6 from 16 on."""
    return min(max(3, order - 10), 6)


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
def place_zero_nodes(X, i, Y, j, capacity, group_of, needed_only=True):
    """OUT group_of: classes of the positions of Y and of the zero nodes that X can use; their number.

    Class g has ``capacity[g]`` positions; X can use as many zero nodes of it as it has nodes in it. With
    ``needed_only`` there are none where all attributes are non-negative and Y has room: a node never loses
    by a match.
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
        if needed_only and in_x <= in_y and X.nonneg[i] and Y.nonneg[j]:
            continue
        for _ in range(min(in_x, max(capacity[g], in_x) - in_y)):
            group_of[width] = g
            width += 1
    return width


@kernel
def assign_gains(X, i, ny, width, gains, pair):
    """OUT pair.trial: assignment of most gain (zero on zero nodes); returns minus that gain."""
    x0 = X.node_ptr[i]
    nx = X.node_ptr[i + 1] - x0
    for r in range(nx):
        for p in range(ny):
            pair.cost[r, p] = -gains[r, p]
        for p in range(ny, width):
            pair.cost[r, p] = 0.0 if pair.group_of[p] == X.group[x0 + r] else INF
    return assign(pair.cost, nx, width, pair.trial, pair.lap)


@kernel
def star_assignment(X, i, Y, j, width, pair):
    """Star bound: cost (minus gain) that no mapping is below; OUT pair.trial the assignment."""
    star_gains(X, i, Y, j, pair.gain, pair.star)
    return assign_gains(X, i, Y.node_ptr[j + 1] - Y.node_ptr[j], width, pair.star, pair)


@kernel
def _set_start(X, i, Y, j, width, start, pair):
    """OUT pair.support of a start; return its node and edge gain.

    The first start is the star assignment (in pair.trial), the second the flat matrix, the others are
    assignments by ever wider stars (INOUT pair.star).
    """
    ny = Y.node_ptr[j + 1] - Y.node_ptr[j]
    if start == 1:
        return flat_start(X, i, Y, j, width, pair.gain, pair.support)
    if start > 1:
        # One step further than the star is nearly the star again.
        for _ in range(2 if start == 2 else 1):
            widen_similarity(X, i, Y, j, pair.gain, pair.star, pair.support)
        assign_gains(X, i, ny, width, pair.star, pair)
    edge_support(X, i, Y, j, pair.trial, pair.support)
    nodes, edges = 0.0, 0.0
    for r in range(X.node_ptr[i + 1] - X.node_ptr[i]):
        p = pair.trial[r]
        if p < ny:
            nodes += pair.gain[r, p]
            edges += pair.support[r, p]
    return nodes, edges


@kernel
def match_frank_wolfe(X, i, Y, j, width, max_iter, n_starts, scale, pair):
    """Frank-Wolfe from several starts, each followed by local search; OUT pair.best.

    Starts leave out faint edges. Returns the cost (minus gain) of the best mapping and that of the star
    bound. X and Y are the same MatchGraphs.
    """
    nx = X.node_ptr[i + 1] - X.node_ptr[i]
    tolerance = ROUNDING * scale
    bound = star_assignment(X, i, Y, j, width, pair)
    x_limit, y_limit = faint_below(X, i), faint_below(Y, j)
    A, B = pair.thin_x, pair.thin_y
    thin_out(X, i, x_limit, A)
    thin_out(Y, j, y_limit, B)
    is_thinned = x_limit > 0.0 or y_limit > 0.0
    best_gain, times = -INF, 0
    for start in range(n_starts if n_starts > 0 else default_starts(nx)):
        nodes, edges = _set_start(A, 0, B, 0, width, start, pair)
        gain = frank_wolfe(
            A, 0, B, 0, width, pair.group_of, pair.gain, nodes, edges, pair.support, max_iter, 1e-9 * scale,
            pair.cost, pair.best_support, pair.trial_support, pair.trial, pair.candidate, pair.lap,
        )  # fmt: skip
        gain += improve(
            A, 0, B, 0, width, pair.group_of, pair.gain, pair.candidate, pair.owner, pair.best_support,
            tolerance,
        )  # fmt: skip
        if nx > SMALL:
            gain += mend_edges(
                A, 0, B, 0, width, pair.group_of, pair.gain, pair.candidate, pair.owner, pair.best_support,
                tolerance, max(gain, 0.0) / nx, pair.chain,
            )  # fmt: skip
        if is_thinned:
            gain = mapping_gain(X, i, j, pair.gain, pair.candidate)
        if gain > best_gain + tolerance:
            best_gain, times = gain, 1
            for r in range(nx):
                pair.best[r] = pair.candidate[r]
        elif gain >= best_gain - tolerance:
            times += 1
        if -best_gain <= bound + tolerance or times == ENOUGH_TIMES:
            break
    if is_thinned and -best_gain > bound + tolerance:
        # With all edges it may be no local optimum yet.
        thin_out(X, i, 0.0, A)
        thin_out(Y, j, 0.0, B)
        edge_support(A, 0, B, 0, pair.best, pair.best_support)
        best_gain += improve(
            A, 0, B, 0, width, pair.group_of, pair.gain, pair.best, pair.owner, pair.best_support, tolerance
        )
    return -best_gain, bound


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


@entry
def orient(G, pairs, order):
    """OUT order[k] = -1, 0 or 1; INOUT pairs[k] = (rows, columns)."""
    for k in range(pairs.shape[0]):
        i, j = pairs[k]
        order[k] = compare(G, i, G, j)
        if order[k] > 0:
            pairs[k, 0], pairs[k, 1] = j, i


@addressed_entry
def match_frank_wolfe_pairs(
    G,  # IN   MatchGraphs
    pairs,  # IN   (m, 2) rows and columns
    begin,  # IN   first pair to match
    resume,  # IN   of matchers that work in slices; so are known and search_nodes
    options,  # IN   (max_iter, n_starts or 0: by order)
    capacity,  # IN   (classes,) positions of each class
    buffers,  # WORK
    known,  # IN   (m,)
    rows_to_columns,  # OUT  (m, rows)
    value,  # OUT  (m, 2) cost of the mapping (minus gain), star bound of it
    search_nodes,  # OUT  (m,)
):
    """Match pairs by Frank-Wolfe and local search; returns the number of pairs.

    All matchers have these arguments, so that one can be called in place of another.
    """
    pair = buffers.pair
    for k in range(begin, pairs.shape[0]):
        i, j = pairs[k]
        width = place_zero_nodes(G, i, G, j, capacity, pair.group_of)
        node_gains(G, i, G, j, pair.gain)
        scale = G.sq_norm[i] + G.sq_norm[j]
        value[k, 0], value[k, 1] = match_frank_wolfe(
            G, i, G, j, width, int(options[0]), int(options[1]), scale, pair
        )
        for r in range(G.node_ptr[i + 1] - G.node_ptr[i]):
            rows_to_columns[k, r] = pair.best[r]
    return pairs.shape[0]


@kernel
def _star_is_optimal(X, i, Y, j, bound, pair):
    """Whether the star assignment (in pair.trial) costs no more than its bound; WORK pair.support."""
    edge_support(X, i, Y, j, pair.trial, pair.support)
    ny = Y.node_ptr[j + 1] - Y.node_ptr[j]
    cost = 0.0
    for r in range(X.node_ptr[i + 1] - X.node_ptr[i]):
        p = pair.trial[r]
        if p < ny:
            cost -= pair.gain[r, p] + 0.5 * X.pair_weight * pair.support[r, p]
    return cost <= bound + ROUNDING * (X.sq_norm[i] + Y.sq_norm[j])


@addressed_entry
def match_graduated_pairs(
    G, pairs, begin, resume, options, capacity, buffers, known, rows_to_columns, value, search_nodes
):
    """Match pairs by graduated assignment; arguments as above, ``options`` as in its driver.

    Not where the star assignment is proven optimal: annealing takes long, and finds nothing better.
    """
    pair = buffers.pair
    for k in range(begin, pairs.shape[0]):
        i, j = pairs[k]
        width = place_zero_nodes(G, i, G, j, capacity, pair.group_of)
        node_gains(G, i, G, j, pair.gain)
        value[k, 1] = star_assignment(G, i, G, j, width, pair)
        if _star_is_optimal(G, i, G, j, value[k, 1], pair):
            for r in range(G.node_ptr[i + 1] - G.node_ptr[i]):
                rows_to_columns[k, r] = pair.trial[r]
            continue
        graduated_assignment(
            G, i, G, j, width, pair, options[0], options[1], options[2], int(options[3]), int(options[4]),
            options[5], options[6], pair.best,
        )  # fmt: skip
        for r in range(G.node_ptr[i + 1] - G.node_ptr[i]):
            rows_to_columns[k, r] = pair.best[r]
    return pairs.shape[0]


@kernel
def finish_pair(G, pairs, k, order, rows_to_columns, value, capacity, pair, used, out, out_map):
    """Evaluate a mapping by differences and certify its bound; arguments as below."""
    i, j = pairs[k]
    nx = G.node_ptr[i + 1] - G.node_ptr[i]
    if order[k] == 0:
        out[k, 0], out[k, 1] = 0.0, 0.0
        if out_map.shape[0] > 0:
            for r in range(nx):
                out_map[k, r] = r
        return
    scale = G.sq_norm[i] + G.sq_norm[j]
    out[k, 0] = squared_distance(G, i, G, j, rows_to_columns[k], pair.slot_of, pair.covered)
    lower = scale + 2.0 * value[k, 1] - 2.0 * ROUNDING * scale
    # A bound can pass the distance by rounding only.
    out[k, 1] = max(0.0, min(lower, out[k, 0]))
    if out_map.shape[0] == 0:
        return
    swapped = order[k] > 0
    if swapped:
        i, j = j, i
    write_mapping(G, i, G, j, swapped, rows_to_columns[k], capacity, used, out_map[k])


@entry
def finish(
    G,  # IN   MatchGraphs
    pairs,  # IN   (m, 2) rows and columns
    order,  # IN   (m,) as from orient: > 0 where the pair was turned round
    rows_to_columns,  # IN
    value,  # IN   (m, 2) second: a bound of the cost
    capacity,  # IN
    pair,  # WORK
    used,  # WORK (classes,)
    out,  # OUT  (m, 2) squared distance, certified squared lower bound
    out_map,  # OUT  (m, nodes) or (0, 0): positions in the second graph of the pair as asked for
):
    """Evaluate the mappings of many pairs."""
    for k in range(pairs.shape[0]):
        finish_pair(G, pairs, k, order, rows_to_columns, value, capacity, pair, used, out, out_map)
