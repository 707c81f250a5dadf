"""Dual ascent: the strongest bound, and a problem that is easy to search.

The cost of a mapping is a sum over nodes (``linear``) and over edges of X (``pair``). The sum can be
written in many ways; dual ascent shifts cost between the terms, the value of every mapping unchanged,
until the node terms alone, one assignment problem, give a high lower bound. It alternates

1. *spread*: what a node pays beyond the assignment's dual prices goes to its edges;
2. *collect*: for each node r and label a, the edges at r form a star; the cheapest assignment of the
   neighbours, given r on a, is moved from the edges into ``linear[r, a]``;
3. the assignment problem of ``linear``: the bound.

The first collection, edges halved between their ends, is the star bound of Gilmore and Lawler with
vector assignments; the iteration is in the manner of Hahn and Grant, restricted to the edges of X. A
star's assignment has prices v <= 0 for its columns too: -v[b] is kept in ``unused[r, a, b]``, the cost
of r on a while no neighbour of r is on b, so that no value is lost.

A label is a node of Y, or one more for all zero nodes.
"""

import numpy as np

from graphquant.kernels._jit import kernel, shared_kernel
from graphquant.kernels.graphs import mapping_gain
from graphquant.kernels.lap import assign

INF = np.inf


@kernel
def edge_seen(G, x0, r, s, dual):
    """Return the number of the edge of r and s, which it got with s, the first of its nodes."""
    k = G.adj_ptr[x0 + s]
    while G.adj_idx[k] != r:
        k += 1
    return dual.edge_of[k - G.adj_ptr[x0]]


@shared_kernel
def set_up(G, i, j, width, labels, gain, group_of, dual):
    """OUT the original problem; ``labels`` is ny, or ny + 1 if there are zero nodes to map to."""
    x0, y0 = G.node_ptr[i], G.node_ptr[j]
    nx, ny = G.node_ptr[i + 1] - x0, G.node_ptr[j + 1] - y0
    weight, first = G.pair_weight, G.adj_ptr[x0]
    n_edges = 0
    for r in range(nx):
        for p in range(ny):
            dual.linear[r, p] = -gain[r, p]
        if labels > ny:
            dual.linear[r, ny] = INF
            for p in range(ny, width):
                if group_of[p] == G.group[x0 + r]:
                    dual.linear[r, ny] = 0.0
        for a in range(labels):
            for b in range(ny):
                dual.unused[r, a, b] = 0.0
        for k in range(G.adj_ptr[x0 + r], G.adj_ptr[x0 + r + 1]):
            s = G.adj_idx[k]
            if s < r:
                dual.edge_of[k - first] = edge_seen(G, x0, r, s, dual)
                continue
            table = dual.pair[n_edges]
            dual.edge_of[k - first] = n_edges
            n_edges += 1
            for a in range(labels):
                for b in range(labels):
                    table[a, b] = 0.0
                if a < ny:
                    table[a, a] = INF
            for p in range(ny):
                for m in range(G.adj_ptr[y0 + p], G.adj_ptr[y0 + p + 1]):
                    total = 0.0
                    for c in range(G.adj_vec.shape[1]):
                        total += G.adj_vec[k, c] * G.adj_vec[m, c]
                    table[p, G.adj_idx[m]] = -weight * total


@kernel
def _assign_two(M, labels, lap):
    """Assign two rows, with dual prices: the most common star, worth a short cut."""
    for row in range(2):
        least, second, at = INF, INF, -1
        for b in range(labels):
            value = M[row, b]
            if value < least:
                least, second, at = value, least, b
            elif value < second:
                second = value
        if row == 0:
            least_0, second_0, at_0 = least, second, at
        lap.u[row] = least
    for b in range(labels):
        lap.v[b] = 0.0
    if at_0 < 0 or at < 0:
        return False
    if at_0 == at:
        # Both want the same column: its price is what the cheaper second choice costs more.
        price = min(second_0 - least_0, second - least)
        if price == INF:
            return False
        lap.v[at] = -price
        lap.u[0] += price
        lap.u[1] += price
    return True


@kernel
def _collect(X, i, r, ny, labels, dual, trial, lap):
    """Move the value of each star at node r from its edges into ``linear[r]``."""
    x0 = X.node_ptr[i]
    first, begin = X.adj_ptr[x0], X.adj_ptr[x0 + r]
    degree = X.adj_ptr[x0 + r + 1] - begin
    null = labels > ny
    M, base = dual.star_cost, dual.base
    for a in range(labels):
        if dual.linear[r, a] == INF:
            continue
        total = 0.0
        for k in range(degree):
            s = X.adj_idx[begin + k]
            table = dual.pair[dual.edge_of[begin + k - first]]
            # An edge whose other star is still to come is shared with it.
            share = 1.0 if dual.done[s] else 0.5
            may_be_null = null and dual.linear[s, ny] < INF
            base[k] = 0.0
            if may_be_null:
                base[k] = share * (table[a, ny] if r < s else table[ny, a])
                total += base[k]
            for b in range(ny):
                if dual.linear[s, b] == INF:
                    value = INF
                else:
                    value = share * (table[a, b] if r < s else table[b, a]) - base[k]
                # A zero node takes any number of neighbours: every column offers its price.
                M[k, b] = min(value, 0.0) if may_be_null else value
            if null:
                M[k, ny] = 0.0 if may_be_null else INF
        if degree == 1 or degree > labels:
            # One neighbour, or more of them than labels (some on zero nodes): each on its own.
            found = True
            for b in range(ny):
                lap.v[b] = 0.0
            for k in range(degree):
                lap.u[k] = INF
                for b in range(labels):
                    lap.u[k] = min(lap.u[k], M[k, b])
                found = found and lap.u[k] < INF
        elif degree == 2:
            found = _assign_two(M, labels, lap)
        else:
            found = assign(M, degree, labels, trial, lap) < INF
        if not found:
            dual.linear[r, a] = INF
            continue
        for k in range(degree):
            total += lap.u[k]
        for b in range(ny):
            total += lap.v[b]
            dual.unused[r, a, b] -= lap.v[b]
        dual.linear[r, a] += total
        for k in range(degree):
            s = X.adj_idx[begin + k]
            table = dual.pair[dual.edge_of[begin + k - first]]
            price = base[k] + lap.u[k]
            if r < s:
                for b in range(ny):
                    table[a, b] -= price + lap.v[b]
                if null:
                    table[a, ny] -= price
            else:
                for b in range(ny):
                    table[b, a] -= price + lap.v[b]
                if null:
                    table[ny, a] -= price


@kernel
def _spread(X, i, labels, ny, dual, lap, null_price):
    """Move what each node pays beyond the dual prices to its edges, in equal shares."""
    x0 = X.node_ptr[i]
    first = X.adj_ptr[x0]
    for r in range(X.node_ptr[i + 1] - x0):
        begin, end = X.adj_ptr[x0 + r], X.adj_ptr[x0 + r + 1]
        if begin == end:
            continue
        for a in range(labels):
            if dual.linear[r, a] == INF:
                continue
            price = lap.u[r] + (lap.v[a] if a < ny else null_price)
            share = (dual.linear[r, a] - price) / (end - begin)
            if share == 0.0:
                continue
            dual.linear[r, a] = price
            for k in range(begin, end):
                table = dual.pair[dual.edge_of[k - first]]
                if r < X.adj_idx[k]:
                    for b in range(labels):
                        table[a, b] += share
                else:
                    for b in range(labels):
                        table[b, a] += share


@shared_kernel
def ascend(
    G,  # IN   MatchGraphs; X is graph i, Y graph j
    i,
    j,
    width,  # IN   positions: those of Y, then zero nodes
    labels,  # IN   ny, or ny + 1
    pair,  # INOUT PairBuffers: group_of and gain given; best improved if an assignment is better
    dual,  # INOUT DualBuffers, set up
    cost,  # IN   cost of pair.best
    tolerance,  # IN   the bound has reached the cost when it is this near
    max_iter,  # IN
    patience,  # IN   stop when an iteration closes less than this share of the gap
):
    """Raise the bound by dual ascent; return (cost of pair.best, bound).

    The assignment behind each bound is itself a mapping, often the best one.
    """
    x0 = G.node_ptr[i]
    nx, ny = G.node_ptr[i + 1] - x0, G.node_ptr[j + 1] - G.node_ptr[j]
    lap = pair.lap
    bound = -INF
    for iteration in range(max_iter):
        for r in range(nx):
            dual.done[r] = False
        for step in range(nx):
            r = step if iteration % 2 == 0 else nx - 1 - step
            if G.adj_ptr[x0 + r + 1] > G.adj_ptr[x0 + r]:
                _collect(G, i, r, ny, labels, dual, pair.trial, lap)
            dual.done[r] = True
        for r in range(nx):
            for p in range(ny):
                pair.cost[r, p] = dual.linear[r, p]
            for p in range(ny, width):
                same = pair.group_of[p] == G.group[x0 + r]
                pair.cost[r, p] = dual.linear[r, ny] if same else INF
        value = assign(pair.cost, nx, width, pair.trial, lap)
        gained = value - bound
        bound = max(bound, value)
        found = -mapping_gain(G, i, j, pair.gain, pair.trial)
        if found < cost - tolerance:
            cost = found
            for r in range(nx):
                pair.best[r] = pair.trial[r]
        if bound >= cost - tolerance or (iteration > 0 and gained < patience * (cost - bound)):
            break
        if iteration < max_iter - 1:
            # The price of the label "zero node" is that of its cheapest position.
            null_price = -INF
            for p in range(ny, width):
                null_price = max(null_price, lap.v[p])
            _spread(G, i, labels, ny, dual, lap, null_price)
    return cost, bound
