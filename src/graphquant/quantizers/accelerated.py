"""Algorithms 2 to 5 of the paper: accelerated competitive learning.

Where the listing of the paper contradicts its text, the text is followed; each such place says so.
``lower[i, j]`` is l(X, Y), ``upper_sq[i]`` the square of u(X), ``fresh[i]`` tells that u(X) is up to date.
"""

import numpy as np

from graphquant.kernels._jit import allocating_entry, step
from graphquant.kernels.learning import keep_found, set_winner, sq_distance_to_winner

INF = np.inf


@step
def is_candidate(L, i, j):
    """Whether both (C1) Y = Y_X and (C2) u(X) <= l(X, Y) are violated."""
    return j != L.label[i] and L.upper_sq[i] > L.lower[i, j] ** 2


@step
def update_bounds(L, M, i, j, d_sq):
    """Algorithm 4: u(X) = l(X, Y_X) = d(X, Y_X), which is up to date; store x_a."""
    L.upper_sq[i] = d_sq
    L.lower[i, j] = np.sqrt(d_sq)
    L.fresh[i] = True
    keep_found(L, M, i)
    # The listing updates the bounds (line 07 of CLASSIFY) before the winner changes (line 08), which would
    # give the new winner's bounds to the old one; the text has the order that is meant.
    set_winner(L, M, i, j)


@step
def classify(S, L, M, i):
    """Algorithm 3: delayed distance evaluation."""
    if L.label[i] < 0:
        # In the first cycle there is no Y_X yet; the paper leaves open which. The first code graph it is.
        d_sq = S.match(L, M, i, 0)
        update_bounds(L, M, i, 0, d_sq)
    for j in range(L.wins.shape[0]):
        if not is_candidate(L, i, j):
            continue
        if not L.fresh[i]:
            # The listing says update_bounds(X, Y); the text computes d(X, Y_X).
            d_sq = S.match(L, M, i, L.label[i])
            update_bounds(L, M, i, L.label[i], d_sq)
        if is_candidate(L, i, j):
            d_sq = S.match(L, M, i, j)
            # The listing throws a rejected distance away; the text keeps it as l(X, Y).
            L.lower[i, j] = np.sqrt(d_sq)
            if d_sq < L.upper_sq[i]:
                update_bounds(L, M, i, j, d_sq)


@allocating_entry
def estimate_bounds(L, shift):
    """Algorithm 5, at the end of a cycle; shift[j] is delta(Y_j) = d(Y_j, Y_j')."""
    for i in range(L.label.shape[0]):
        winner = L.label[i]
        lifted = np.sqrt(sq_distance_to_winner(L, i))
        L.upper_sq[i] = min(np.sqrt(L.upper_sq[i]) + shift[winner], lifted) ** 2
        # The listing declares all u(X) out of date; the text only where the code graph moved by more than
        # theta.
        if shift[winner] > L.theta:
            L.fresh[i] = False
        for j in range(shift.shape[0]):
            L.lower[i, j] = max(L.lower[i, j] - shift[j], 0.0)


@allocating_entry
def present(S, L, M, sequence, rates, begin, end, learning):
    """Run the inner loop of Algorithm 2; without ``learning`` only find the winners."""
    for t in range(begin, end):
        classify(S, L, M, sequence[t])
        if M.stop[0] != 0:
            return t
        if learning:
            S.learn(L, M, sequence[t], rates[t])
    return end
