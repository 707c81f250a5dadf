"""CLASSIFY with the fewest matchings: bounds that always hold, alignments renewed when a decision needs them.

As long as |x_a - y_w| is below the lower bounds of all other code graphs, w is the winner, whether or not
x_a is still its best lift: then x_a is used as it is. Where a bound fails, the alignment is renewed first,
unless it is up to date: unless y has moved by no more than ``theta`` since (the paper's rule, with the
movement of this very code graph since this very alignment), then the other code graphs are matched, the
most promising first.
"""

import numpy as np

from graphquant.kernels._jit import allocating_entry, step
from graphquant.kernels.learning import (
    keep_found,
    keep_lower,
    lower_now,
    margin,
    set_winner,
    sq_distance_to_winner,
)
from graphquant.quantizers.lossless import bound_candidates, find_candidates, is_beyond

INF = np.inf


@step
def is_up_to_date(L, M, i):
    """Whether the winner has moved by at most theta since graph i was aligned with it.

    ``lower[i, winner]`` is 0 at the alignment, so what is left of it now is minus the movement.
    """
    return -lower_now(L, M, i, L.label[i], -L.theta) <= L.theta


@step
def renew_alignment(S, L, M, i, d_sq):
    """Match graph i with its winner again: (squared distance, certified lower bound of it)."""
    winner = L.label[i]
    found_sq = S.match(L, M, i, winner)
    keep_lower(L, i, winner, 0.0)
    if found_sq > d_sq:
        # An approximate matcher may not find a lift as good as the stored one.
        return d_sq, M.out[0, 1]
    keep_found(L, M, i)
    set_winner(L, M, i, winner)
    return found_sq, M.out[0, 1]


@step
def classify(S, L, M, i):
    """Find a code graph that no other is known to be nearer than."""
    before = L.label[i]
    winner, best_sq = before, INF
    if before >= 0:
        best_sq = sq_distance_to_winner(L, i)
    count = find_candidates(L, M, i, winner, best_sq)
    count = bound_candidates(S, L, M, i, count, best_sq)
    before_lower_sq = 0.0
    if count > 0 and before >= 0 and not is_up_to_date(L, M, i):
        best_sq, before_lower_sq = renew_alignment(S, L, M, i, best_sq)
    for m in range(count):
        j = M.candidates[m]
        if is_beyond(M.key[m], best_sq, margin(L, i, j)):
            continue
        d_sq = S.match(L, M, i, j)
        keep_lower(L, i, j, np.sqrt(M.out[0, 1]))
        if winner < 0 or d_sq < best_sq or (d_sq == best_sq and j < winner):
            winner, best_sq = j, d_sq
            keep_found(L, M, i)
    if winner != before and M.stop[0] == 0:
        if before >= 0:
            keep_lower(L, i, before, np.sqrt(before_lower_sq))
        set_winner(L, M, i, winner)
        keep_lower(L, i, winner, 0.0)


@allocating_entry
def present(S, L, M, sequence, rates, begin, end, learning):
    """Present graphs begin to end of the sequence; without ``learning`` only find their winners."""
    for t in range(begin, end):
        classify(S, L, M, sequence[t])
        if M.stop[0] != 0:
            return t
        if learning:
            S.learn(L, M, sequence[t], rates[t])
    return end
