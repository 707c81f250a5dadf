"""Local search on mappings: exchange two nodes, or move one to a free position, until nothing helps.

A state is a mapping, the owner of each position, and the edge support of the mapping; an exchange keeps
all three up to date.
"""

from graphquant.kernels._jit import kernel, shared_kernel
from graphquant.kernels.graphs import add_row_support


@kernel
def _crossed_gain(X, i, Y, j, r, s, p, t):
    """<x_rs, y_pt> + <x_rs, y_tp>, zero unless r and s are neighbours."""
    x_r = X.node_ptr[i] + r
    total = 0.0
    for k in range(X.adj_ptr[x_r], X.adj_ptr[x_r + 1]):
        if X.adj_idx[k] != s:
            continue
        for a, b in ((p, t), (t, p)):
            y_a = Y.node_ptr[j] + a
            for m in range(Y.adj_ptr[y_a], Y.adj_ptr[y_a + 1]):
                if Y.adj_idx[m] == b:
                    for c in range(X.adj_vec.shape[1]):
                        total += X.adj_vec[k, c] * Y.adj_vec[m, c]
                    break
        break
    return total


@kernel
def exchange_gain(X, i, Y, j, ny, gain, mapping, owner, support, r, t):
    """Improvement if node r goes to position t, and the node on t, if any, to where r was.

    It is a difference of local terms, so that small improvements are seen beside large gains.
    """
    weight = X.pair_weight
    p, s = mapping[r], owner[t]
    change = 0.0
    if t < ny:
        change += gain[r, t] + weight * support[r, t]
    if p < ny:
        change -= gain[r, p] + weight * support[r, p]
    if s >= 0:
        if p < ny:
            change += gain[s, p] + weight * support[s, p]
        if t < ny:
            change -= gain[s, t] + weight * support[s, t]
        if p < ny and t < ny:
            change += weight * _crossed_gain(X, i, Y, j, r, s, p, t)
    return change


@shared_kernel
def exchange(X, i, Y, j, ny, mapping, owner, support, r, t):
    """Put node r on position t, and the node on t, if any, to where r was."""
    p, s = mapping[r], owner[t]
    for node, old, new in ((r, p, t), (s, t, p)):
        if node >= 0:
            if old < ny:
                add_row_support(X, i, Y, j, node, old, -1.0, support)
            if new < ny:
                add_row_support(X, i, Y, j, node, new, 1.0, support)
            mapping[node] = new
    owner[t], owner[p] = r, s


@shared_kernel
def improve(
    X,
    i,
    Y,
    j,
    width,  # IN     positions: those of Y, then zero nodes
    group_of,  # IN     (width,) class of each position
    gain,  # IN     (nx, ny) node gains
    mapping,  # INOUT  (nx,)
    owner,  # OUT    (width,) int64 node on each position, or -1
    support,  # INOUT  (nx, ny) edge support of the mapping, kept up to date
    tolerance,  # IN     least improvement that counts
):
    """Improve a mapping to a local optimum of exchanges and moves; return the total improvement."""
    x0 = X.node_ptr[i]
    nx = X.node_ptr[i + 1] - x0
    ny = Y.node_ptr[j + 1] - Y.node_ptr[j]
    for p in range(width):
        owner[p] = -1
    for r in range(nx):
        owner[mapping[r]] = r
    total = 0.0
    improved = True
    rounds = 0
    # A strict improvement cannot cycle; the cap only guards against rounding.
    while improved and rounds < 1000:
        improved = False
        rounds += 1
        for r in range(nx):
            best, best_at = tolerance, mapping[r]
            seen_zero = False
            for t in range(width):
                if t == mapping[r] or group_of[t] != X.group[x0 + r]:
                    continue
                if t >= ny and owner[t] < 0:
                    # Free zero nodes of a class are alike.
                    if seen_zero:
                        continue
                    seen_zero = True
                change = exchange_gain(X, i, Y, j, ny, gain, mapping, owner, support, r, t)
                if change > best:
                    best, best_at = change, t
            if best_at != mapping[r]:
                exchange(X, i, Y, j, ny, mapping, owner, support, r, best_at)
                total += best
                improved = True
    return total
