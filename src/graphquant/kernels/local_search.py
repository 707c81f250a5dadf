"""Local search on mappings: exchange two nodes, or move one to a free position, until nothing helps."""

from graphquant.kernels._jit import kernel
from graphquant.kernels.graphs import add_row_support


@kernel
def _pair_gain(X, i, Y, j, r, s, p, t):
    """<x_rs, y_pt>, zero unless both pairs are edges."""
    x_r, y_p = X.node_ptr[i] + r, Y.node_ptr[j] + p
    for k in range(X.adj_ptr[x_r], X.adj_ptr[x_r + 1]):
        if X.adj_idx[k] == s:
            for m in range(Y.adj_ptr[y_p], Y.adj_ptr[y_p + 1]):
                if Y.adj_idx[m] == t:
                    total = 0.0
                    for c in range(X.adj_vec.shape[1]):
                        total += X.adj_vec[k, c] * Y.adj_vec[m, c]
                    return total
            return 0.0
    return 0.0


@kernel
def _value(gain, support, weight, ny, r, p):
    """Gain of node r on position p with all others in place; zero on a zero node."""
    return gain[r, p] + weight * support[r, p] if p < ny else 0.0


@kernel
def _place(X, i, Y, j, ny, r, p, mapping, owner, support):
    """Put node r on position p and keep the support up to date."""
    if mapping[r] < ny:
        add_row_support(X, i, Y, j, r, mapping[r], -1.0, support)
    if p < ny:
        add_row_support(X, i, Y, j, r, p, 1.0, support)
    mapping[r] = p
    owner[p] = r


@kernel
def improve(
    X,
    i,
    Y,
    j,
    width,  # IN     positions: those of Y, then zero nodes
    group_of,  # IN     (width,) class of each position
    gain,  # IN     (nx, ny) node gains
    mapping,  # INOUT  (nx,)
    owner,  # WORK   (width,) int64
    support,  # INOUT  (nx, ny) edge support of the mapping, kept up to date
    tolerance,  # IN     least improvement that counts
):
    """Improve a mapping to a local optimum of exchanges and moves; return the total improvement.

    Improvements are differences of local terms, so that small ones are seen beside large gains.
    """
    x0 = X.node_ptr[i]
    nx = X.node_ptr[i + 1] - x0
    ny = Y.node_ptr[j + 1] - Y.node_ptr[j]
    weight = X.pair_weight
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
            p = mapping[r]
            here = _value(gain, support, weight, ny, r, p)
            best, best_at = tolerance, p
            for t in range(width):
                if t == p or group_of[t] != X.group[x0 + r]:
                    continue
                s = owner[t]
                change = _value(gain, support, weight, ny, r, t) - here
                if s >= 0:
                    change += _value(gain, support, weight, ny, s, p) - _value(
                        gain, support, weight, ny, s, t
                    )
                    if p < ny and t < ny:
                        change += weight * (
                            _pair_gain(X, i, Y, j, r, s, p, t) + _pair_gain(X, i, Y, j, r, s, t, p)
                        )
                if change > best:
                    best, best_at = change, t
            if best_at != p:
                s = owner[best_at]
                owner[p] = -1
                _place(X, i, Y, j, ny, r, best_at, mapping, owner, support)
                if s >= 0:
                    _place(X, i, Y, j, ny, s, p, mapping, owner, support)
                total += best
                improved = True
    return total
