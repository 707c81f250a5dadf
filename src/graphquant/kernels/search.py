"""Depth-first branch and bound on the reparametrised problem; resumable, so that it can be stopped.

Each level decides one node of X. Its costs go into the node costs of the undecided ones, and an
assignment problem of these bounds what the subtree can reach. The order of nodes and labels depends
on the pair alone, never on the incumbent: a better start prunes more, but among equally good mappings
the search finds the same first one. Small pairs have costs and bounds of their own (``small.py``).
"""

import numpy as np

from graphquant.kernels._jit import kernel, shared_kernel
from graphquant.kernels.graphs import mapping_gain
from graphquant.kernels.lap import assign
from graphquant.kernels.small import add_child, decide_small, open_small, price_small, set_up_small

INF = np.inf

LEVEL, NODES = 0, 1
BEST, SECOND = 0, 1
COMPLETE, STOPPED, LEAF = 0, 1, 2


@shared_kernel
def find_twins(X, i, twin):
    """OUT twin[r] = first node with the same class, attributes and neighbours as r (r if none)."""
    x0 = X.node_ptr[i]
    nx = X.node_ptr[i + 1] - x0
    for r in range(nx):
        twin[r] = r
        begin_r, degree = X.adj_ptr[x0 + r], X.adj_ptr[x0 + r + 1] - X.adj_ptr[x0 + r]
        for s in range(r):
            begin_s = X.adj_ptr[x0 + s]
            if twin[s] != s or X.group[x0 + s] != X.group[x0 + r]:
                continue
            if X.adj_ptr[x0 + s + 1] - begin_s != degree:
                continue
            same = True
            for c in range(X.node_attr.shape[1]):
                if X.node_attr[x0 + r, c] != X.node_attr[x0 + s, c]:
                    same = False
                    break
            for k in range(degree):
                if not same or X.adj_idx[begin_r + k] != X.adj_idx[begin_s + k]:
                    same = False
                    break
                for c in range(X.adj_vec.shape[1]):
                    if X.adj_vec[begin_r + k, c] != X.adj_vec[begin_s + k, c]:
                        same = False
                        break
            if same:
                twin[r] = s
                break


@kernel
def _free_columns(width, search):
    """OUT search.columns: the free positions; their number."""
    n_columns = 0
    for p in range(width):
        if search.free[p]:
            search.columns[n_columns] = p
            n_columns += 1
    return n_columns


@kernel
def _undecided_costs(X, i, ny, n_columns, level, pair, search):
    """OUT pair.cost: costs of the undecided nodes (OUT search.rows) on the free positions; their number."""
    x0 = X.node_ptr[i]
    linear = search.linear[level]
    n_rows = 0
    for r in range(X.node_ptr[i + 1] - x0):
        if search.label[r] >= 0:
            continue
        for k in range(n_columns):
            p = search.columns[k]
            if p < ny:
                pair.cost[n_rows, k] = linear[r, p]
            else:
                pair.cost[n_rows, k] = linear[r, ny] if pair.group_of[p] == X.group[x0 + r] else INF
        search.rows[n_rows] = r
        n_rows += 1
    return n_rows


@kernel
def _most_regret(ny, n_rows, n_columns, pair, search):
    """Row whose second-best label costs most: wrong labels for it are dismissed at once."""
    cost, lap = pair.cost, pair.lap
    most, chosen = -1.0, 0
    for row in range(n_rows):
        least, second = INF, INF
        null_seen = False
        for k in range(n_columns):
            if search.columns[k] >= ny:
                # All free zero nodes are one label.
                if null_seen:
                    continue
                null_seen = cost[row, k] < INF
            reduced = cost[row, k] - lap.u[row] - lap.v[k]
            if reduced < least:
                second = least
                least = reduced
            elif reduced < second:
                second = reduced
        if second > most:
            most, chosen = second, row
    return chosen


@shared_kernel
def _open_level(X, i, ny, width, labels, level, pair, search):
    """Bound the subproblem below the decisions so far and choose the node to decide next, and its children.

    Returns the bound.
    """
    lap, cost = pair.lap, pair.cost
    n_columns = _free_columns(width, search)
    n_rows = _undecided_costs(X, i, ny, n_columns, level, pair, search)
    value = assign(cost, n_rows, n_columns, pair.trial, lap)
    if value == INF:
        return INF
    chosen = _most_regret(ny, n_rows, n_columns, pair, search)
    r = search.rows[chosen]
    search.row_at[level] = r
    for a in range(labels):
        search.child_cost[level, a] = INF
    for k in range(n_columns):
        a = min(search.columns[k], ny)
        reduced = cost[chosen, k] - lap.u[chosen] - lap.v[k]
        search.child_cost[level, a] = min(search.child_cost[level, a], max(reduced, 0.0))
    search.n_children[level] = 0
    for a in range(labels):
        if search.child_cost[level, a] < INF and not _is_twin_of_earlier(r, a, ny, level, search):
            add_child(level, a, search)
    search.next_child[level] = 0
    return search.fixed[level] + value


@kernel
def _is_twin_of_earlier(r, a, ny, level, search):
    """Whether exchanging twins gives an equally good mapping that comes earlier.

    Of all mappings that differ by twins only, the one with the least sequence of labels, in order of
    decision, is searched: twin nodes of X get ascending labels, twin nodes of Y are used in order.
    """
    for depth in range(level):
        s = search.row_at[depth]
        if search.row_twin[s] == search.row_twin[r] and search.label[s] > a:
            return True
    if a < ny:
        for p in range(a):
            if search.free[p] and search.column_twin[p] == search.column_twin[a]:
                return True
    return False


@kernel
def _decide(X, i, ny, labels, level, r, a, dual, search):
    """Put node r on label a: costs of the level below from those of this one."""
    x0 = X.node_ptr[i]
    nx = X.node_ptr[i + 1] - x0
    first = X.adj_ptr[x0]
    above, below = search.linear[level], search.linear[level + 1]
    fixed = search.fixed[level] + above[r, a]
    for p in range(ny):
        if search.free[p]:
            fixed += dual.unused[r, a, p]
    search.fixed[level + 1] = fixed
    for s in range(nx):
        if search.label[s] >= 0:
            continue
        for b in range(labels):
            below[s, b] = above[s, b]
        if a < ny:
            # Unless s is a neighbour of r (below), r now keeps a from the neighbours of s.
            for b in range(labels):
                below[s, b] += dual.unused[s, b, a]
    for k in range(X.adj_ptr[x0 + r], X.adj_ptr[x0 + r + 1]):
        s = X.adj_idx[k]
        if search.label[s] >= 0:
            continue
        table = dual.pair[dual.edge_of[k - first]]
        for b in range(labels):
            below[s, b] += table[a, b] if r < s else table[b, a]
            if b < ny:
                below[s, b] -= dual.unused[r, a, b]
            if a < ny:
                below[s, b] -= dual.unused[s, b, a]


@shared_kernel
def start_search(
    G, i, j, width, labels, pair, dual, search, best_cost, second_cost, break_rows, break_columns
):
    """Prepare a search that looks for mappings cheaper than ``best_cost`` (or ``second_cost``)."""
    nx, ny = G.node_ptr[i + 1] - G.node_ptr[i], G.node_ptr[j + 1] - G.node_ptr[j]
    for r in range(nx):
        search.label[r] = -1
        search.row_twin[r] = r
        for a in range(labels):
            search.linear[0, r, a] = dual.linear[r, a]
    for p in range(ny):
        search.column_twin[p] = p
    for p in range(width):
        search.free[p] = True
    if break_rows:
        find_twins(G, i, search.row_twin)
    if break_columns:
        find_twins(G, j, search.column_twin)
    search.fixed[0] = 0.0
    search.value[BEST] = best_cost
    search.value[SECOND] = second_cost
    search.state[LEVEL] = 0
    search.state[NODES] = 0
    search.bound[0] = _open_level(G, i, ny, width, labels, search.state[LEVEL], pair, search)
    if search.bound[0] == INF:
        search.state[LEVEL] = -1


@shared_kernel
def start_small_search(G, i, j, width, labels, pair, dual, search):
    """Prepare a search of a small pair; the caller sets ``search.value``. OUT pair.trial: a first mapping.

    Returns a lower bound of the cost of all mappings.
    """
    nx, ny = G.node_ptr[i + 1] - G.node_ptr[i], G.node_ptr[j + 1] - G.node_ptr[j]
    set_up_small(G, i, j, width, labels, pair, dual)
    value = price_small(G, i, ny, width, labels, pair, dual, search)
    for r in range(nx):
        search.label[r] = -1
    for p in range(width):
        search.free[p] = True
    search.fixed[0] = value
    search.state[LEVEL] = 0
    search.state[NODES] = 0
    search.bound[0] = open_small(nx, ny, labels, 0, search)
    return value


@shared_kernel
def run_search(X, i, ny, width, labels, rank, pair, dual, search, tolerance, max_nodes, is_small):
    """Go on with a search to the next leaf, to its end, or until it has visited ``max_nodes``.

    Only what can be cheaper than ``search.value[rank]`` is visited. Returns LEAF with the mapping in
    ``search.column``, STOPPED or COMPLETE.
    """
    x0 = X.node_ptr[i]
    nx = X.node_ptr[i + 1] - x0
    limit = search.value[rank] - tolerance
    level = search.state[LEVEL]
    while level >= 0:
        r = search.row_at[level]
        if search.label[r] >= 0:
            search.free[search.column[r]] = True
            search.label[r] = -1
        at = search.next_child[level]
        if at == search.n_children[level]:
            level -= 1
            continue
        a = search.order[level, at]
        reached = search.bound[level] + search.child_cost[level, a]
        if reached >= limit:
            level -= 1
            continue
        search.state[LEVEL] = level
        if search.state[NODES] >= max_nodes:
            return STOPPED
        search.next_child[level] = at + 1
        search.state[NODES] += 1
        column = a
        if a == ny:
            while column < width and (not search.free[column] or pair.group_of[column] != X.group[x0 + r]):
                column += 1
            if column == width:
                # Only a small search tries a zero node that is not there.
                continue
        if is_small:
            decide_small(X, i, labels, level, r, a, dual, search)
        else:
            _decide(X, i, ny, labels, level, r, a, dual, search)
        search.label[r] = a
        search.column[r] = column
        search.free[column] = False
        if level == nx - 1:
            return LEAF
        if is_small:
            below = open_small(nx, ny, labels, level + 1, search)
        else:
            below = _open_level(X, i, ny, width, labels, level + 1, pair, search)
        bound = max(reached, below)
        search.bound[level + 1] = bound
        if bound < limit:
            level += 1
    search.state[LEVEL] = -1
    return COMPLETE


@kernel
def keep_if_better(G, i, j, pair, search, tolerance):
    """Evaluate the mapping of a leaf by its own cost; INOUT ``pair.best`` and ``search.value``.

    Returns the cost, inf if the mapping became the best.
    """
    cost = -mapping_gain(G, i, j, pair.gain, search.column)
    if cost >= search.value[BEST] - tolerance:
        return cost
    search.value[SECOND] = search.value[BEST]
    search.value[BEST] = cost
    for r in range(G.node_ptr[i + 1] - G.node_ptr[i]):
        pair.best[r] = search.column[r]
    return INF


@kernel
def frontier(search):
    """Least bound of what a stopped search has not visited; inf if it is complete."""
    least = INF
    for level in range(search.state[LEVEL] + 1):
        if search.next_child[level] < search.n_children[level]:
            a = search.order[level, search.next_child[level]]
            least = min(least, search.bound[level] + search.child_cost[level, a])
    return least
