"""What the search costs and bounds of small pairs, where preparing must not take longer than searching.

In the manner of ``dual.py``, but each edge gives each of its ends half of the best it can get there, without
regard to the other edges. What is left of its cost is never negative, and zero for most mappings worth
trying. One assignment problem prices the nodes; from then on a level is bounded by the least cost of each
undecided node alone.
"""

import numpy as np

from graphquant.kernels._jit import kernel, shared_kernel
from graphquant.kernels.dual import edge_seen
from graphquant.kernels.lap import assign

INF = np.inf


@kernel
def _set_up_edge(G, j, ny, labels, k, r, s, table, best_r, best_s, linear):
    """OUT table: costs of the edge in slot k, between r and s, that are left; INOUT linear: its halves."""
    y0 = G.node_ptr[j]
    for a in range(labels):
        best_r[a], best_s[a] = 0.0, 0.0
        for b in range(labels):
            table[a, b] = 0.0
    for p in range(ny):
        for m in range(G.adj_ptr[y0 + p], G.adj_ptr[y0 + p + 1]):
            total = 0.0
            for c in range(G.adj_vec.shape[1]):
                total += G.adj_vec[k, c] * G.adj_vec[m, c]
            t = G.adj_idx[m]
            table[p, t] = -G.pair_weight * total
            half = 0.5 * table[p, t]
            best_r[p] = min(best_r[p], half)
            best_s[t] = min(best_s[t], half)
    for a in range(labels):
        linear[r, a] += best_r[a]
        linear[s, a] += best_s[a]
        for b in range(labels):
            table[a, b] -= best_r[a] + best_s[b]


@shared_kernel
def set_up_small(G, i, j, width, labels, pair, dual):
    """OUT dual.linear, dual.pair, dual.edge_of; arguments as those of ``dual.set_up``."""
    x0 = G.node_ptr[i]
    nx, ny = G.node_ptr[i + 1] - x0, G.node_ptr[j + 1] - G.node_ptr[j]
    first, linear = G.adj_ptr[x0], dual.linear
    for r in range(nx):
        for p in range(ny):
            linear[r, p] = -pair.gain[r, p]
        if labels > ny:
            linear[r, ny] = INF
            for p in range(ny, width):
                if pair.group_of[p] == G.group[x0 + r]:
                    linear[r, ny] = 0.0
    n_edges = 0
    best_r, best_s = dual.star_cost[0], pair.lap.dist
    for r in range(nx):
        for k in range(G.adj_ptr[x0 + r], G.adj_ptr[x0 + r + 1]):
            s = G.adj_idx[k]
            if s < r:
                dual.edge_of[k - first] = edge_seen(G, x0, r, s, dual)
                continue
            _set_up_edge(G, j, ny, labels, k, r, s, dual.pair[n_edges], best_r, best_s, linear)
            dual.edge_of[k - first] = n_edges
            n_edges += 1


@shared_kernel
def price_small(X, i, ny, width, labels, pair, dual, search):
    """Solve the assignment problem of dual.linear: its value; OUT pair.trial, search.linear[0].

    The latter is what a node pays on a label beyond the prices; the value and these are a lower bound.
    """
    x0 = X.node_ptr[i]
    nx = X.node_ptr[i + 1] - x0
    lap, cost = pair.lap, pair.cost
    for r in range(nx):
        for p in range(ny):
            cost[r, p] = dual.linear[r, p]
        for p in range(ny, width):
            cost[r, p] = dual.linear[r, ny] if pair.group_of[p] == X.group[x0 + r] else INF
    value = assign(cost, nx, width, pair.trial, lap)
    # The price of the label "zero node" is that of its cheapest position.
    null_price = -INF
    for p in range(ny, width):
        null_price = max(null_price, lap.v[p])
    for r in range(nx):
        for a in range(labels):
            price = lap.u[r] + (lap.v[a] if a < ny else null_price)
            search.linear[0, r, a] = max(dual.linear[r, a] - price, 0.0)
    return value


@kernel
def add_child(level, a, search):
    """Put label a among the children of a level, behind those that cost no more."""
    at = search.n_children[level]
    while at > 0 and search.child_cost[level, search.order[level, at - 1]] > search.child_cost[level, a]:
        search.order[level, at] = search.order[level, at - 1]
        at -= 1
    search.order[level, at] = a
    search.n_children[level] += 1


@kernel
def open_small(nx, ny, labels, level, search):
    """Bound the subproblem below the decisions so far and choose the node to decide next, and its children.

    Returns the bound.
    """
    costs, free = search.linear[level], search.free
    total, most, chosen, chosen_least = 0.0, -1.0, 0, 0.0
    for r in range(nx):
        if search.label[r] >= 0:
            continue
        least, second = INF, INF
        for a in range(labels):
            if a < ny and not free[a]:
                continue
            if costs[r, a] < least:
                second = least
                least = costs[r, a]
            elif costs[r, a] < second:
                second = costs[r, a]
        if least == INF:
            return INF
        total += least
        if second - least > most:
            most, chosen, chosen_least = second - least, r, least
    search.row_at[level] = chosen
    search.n_children[level] = 0
    for a in range(labels):
        if (a < ny and not free[a]) or costs[chosen, a] == INF:
            continue
        search.child_cost[level, a] = costs[chosen, a] - chosen_least
        add_child(level, a, search)
    search.next_child[level] = 0
    return search.fixed[level] + total


@kernel
def decide_small(X, i, labels, level, r, a, dual, search):
    """Put node r on label a: costs of the level below from those of this one."""
    x0 = X.node_ptr[i]
    first = X.adj_ptr[x0]
    above, below = search.linear[level], search.linear[level + 1]
    search.fixed[level + 1] = search.fixed[level] + above[r, a]
    for s in range(X.node_ptr[i + 1] - x0):
        if search.label[s] < 0:
            for b in range(labels):
                below[s, b] = above[s, b]
    for k in range(X.adj_ptr[x0 + r], X.adj_ptr[x0 + r + 1]):
        s = X.adj_idx[k]
        if search.label[s] >= 0:
            continue
        table = dual.pair[dual.edge_of[k - first]]
        for b in range(labels):
            below[s, b] += table[a, b] if r < s else table[b, a]
