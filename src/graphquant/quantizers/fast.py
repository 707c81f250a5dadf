"""CLASSIFY with the fewest matchings: as without loss, but alignments may lag behind a little.

All bounds hold as in ``lossless.py``, so that a code graph is ruled out only if it is no winner. What is
relaxed is the lift: x_a is used as it is while it is up to date, which means that no other lift can be
nearer to the winner by more than a share ``SLACK`` of the distance, and ``theta``. Where the matcher proved
x_a, that is known from the second-best alignment; else x_a is taken for the best one of its time.
"""

import numpy as np

from graphquant.kernels._jit import allocating_entry, step
from graphquant.kernels.learning import (
    graph_order,
    keep_found,
    keep_lower,
    lower_now,
    margin,
    set_winner,
    sq_distance_to_winner,
)
from graphquant.quantizers.lossless import bound_candidates, certify, find_candidates, is_beyond, match_first

INF = np.inf
# On letters and GREC, 0.1 to 0.3 left the distortion as it was; 0.3 took a third of the matchings that 0
# took.
SLACK = 0.25


@step
def is_up_to_date(L, M, i, d_sq):
    """Whether the certificate of x_a has not run out by more than the slack."""
    d = np.sqrt(d_sq)
    needed = (1.0 - SLACK) * d - L.theta
    return lower_now(L, M, i, L.label[i], needed) >= needed


@step
def renew_alignment(S, L, M, i, d_sq):
    """Match graph i with its winner again: squared distance; OUT M.best."""
    found_sq = S.match(L, M, i, L.label[i])
    if found_sq <= d_sq:
        keep_found(L, M, i)
        return found_sq
    # An approximate matcher may not find a lift as good as the stored one.
    x0 = L.X.node_ptr[i]
    for r in range(graph_order(L, i)):
        M.best[r] = L.mapping[x0 + r]
    return d_sq


@step
def classify(S, L, M, i):
    """Find a code graph that no other is known to be nearer than."""
    before = L.label[i]
    winner, best_sq, matched = before, INF, False
    before_lower_sq = 0.0
    if before >= 0:
        best_sq = sq_distance_to_winner(L, i)
        if not is_up_to_date(L, M, i, best_sq):
            best_sq = renew_alignment(S, L, M, i, best_sq)
            before_lower_sq = M.out[0, 1]
            matched = True
    else:
        winner, best_sq, _ = match_first(S, L, M, i)
        matched = winner >= 0
    count = find_candidates(L, M, i, winner, best_sq)
    count = bound_candidates(S, L, M, i, count, best_sq)
    for m in range(count):
        j = M.candidates[m]
        if is_beyond(M.key[m], best_sq, margin(L, i, j)):
            continue
        d_sq = S.match(L, M, i, j)
        keep_lower(L, i, j, np.sqrt(M.out[0, 1]))
        if winner < 0 or d_sq < best_sq or (d_sq == best_sq and j < winner):
            winner, best_sq, matched = j, d_sq, True
            keep_found(L, M, i)
    if M.stop[0] != 0:
        return
    if before >= 0 and winner != before:
        keep_lower(L, i, before, np.sqrt(before_lower_sq))
    if matched:
        set_winner(L, M, i, winner)
        certify(S, L, M, i, winner, np.sqrt(best_sq))


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
