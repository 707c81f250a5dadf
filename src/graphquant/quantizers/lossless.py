"""CLASSIFY without loss: the winner and the lift that Algorithm 1 finds, with few of its matchings.

For the winner w of the last presentation, ``lower[i, w]`` bounds the distance of *all lifts but x_a* to it
(the second-best alignment); for any other code graph j, ``lower[i, j]`` bounds d(X, Y_j). So one question
settles everything: if |x_a - y_w| is below all of these bounds, then w is the winner still, and x_a its
best lift.

Where a bound fails, it is renewed at growing cost: by its snapshot, by stars, by matching. Matched distances
are those of Algorithm 1, bit by bit; only bounds that are clear of them by ``margin`` decide anything, and
ties go to the lowest index as they do there. A matcher that may return something else than the optimum has
to be asked at every presentation, because nothing but itself tells what it would return.
"""

import numpy as np

from graphquant.kernels._jit import allocating_entry, kernel, step
from graphquant.kernels.drift import moved
from graphquant.kernels.learning import (
    MARGIN,
    graph_order,
    keep_found,
    keep_lower,
    lower_now,
    margin,
    norm_bound,
    set_winner,
    sq_distance_to_winner,
)

INF = np.inf


@kernel
def is_beyond(lower, sq_distance, margin):
    """Whether a lower bound is clearly above a distance."""
    return lower > 0.0 and lower * lower > sq_distance + margin


@step
def find_candidates(L, M, i, winner, sq_distance):
    """OUT M.candidates: code graphs, but the winner, that stored bounds do not rule out; their number."""
    # Each field that is taken from a record counts a reference for all its arrays: once, not for each code.
    lower, slot, candidates, code_sq_norm, sq_norm = (
        L.lower,
        L.slot,
        M.candidates,
        L.code_sq_norm,
        L.sq_norm[i],
    )
    codes, drift, lead = L.codes, L.drift, M.lead
    count = 0
    for j in range(lower.shape[1]):
        if j == winner:
            continue
        slack = MARGIN * (sq_norm + code_sq_norm[j])
        # Nearly always the movement as last computed, and the path since, leave enough of the bound.
        s, stored = slot[i, j], lower[i, j]
        quick = stored - lead[j, s] - drift.path[j]
        if is_beyond(quick, sq_distance, slack):
            continue
        enough = stored - np.sqrt(sq_distance + slack)
        if not is_beyond(stored - moved(codes, drift, lead, j, s, enough), sq_distance, slack):
            candidates[count] = j
            count += 1
    return count


@step
def bound_candidates(S, L, M, i, count, sq_distance):
    """INOUT M.candidates: those that the star bound does not rule out, least bound first; their number."""
    kept = 0
    for m in range(count):
        j = M.candidates[m]
        bound_sq = norm_bound(L, i, j)
        if bound_sq <= sq_distance + margin(L, i, j):
            bound_sq = S.bound(L, M, i, j)
        bound = np.sqrt(max(bound_sq, 0.0))
        if bound > lower_now(L, M, i, j, bound):
            keep_lower(L, i, j, bound)
        if is_beyond(bound, sq_distance, margin(L, i, j)):
            continue
        at = kept
        while at > 0 and M.key[at - 1] > bound:
            M.candidates[at], M.key[at] = M.candidates[at - 1], M.key[at - 1]
            at -= 1
        M.candidates[at], M.key[at] = j, bound
        kept += 1
    return kept


@step
def certify(S, L, M, i, j, bound):
    """Store how far the second-best lift is; where the matcher may prove nothing, the given bound."""
    if graph_order(L, i) <= M.proves_up_to:
        bound = np.sqrt(S.second(L, M, i, j))
    keep_lower(L, i, j, bound)


@step
def align_winner(S, L, M, i):
    """Distance to the last winner: (squared, certified lower bound of it, whether it had to be matched)."""
    winner = L.label[i]
    d_sq = sq_distance_to_winner(L, i)
    slack = margin(L, i, winner)
    if graph_order(L, i) <= M.proves_up_to:
        second = lower_now(L, M, i, winner, np.sqrt(d_sq + slack))
        if is_beyond(second, d_sq, slack):
            # The stored lift is optimal: its distance is the distance, but for rounding.
            return d_sq, max(0.0, d_sq - 0.1 * slack), False
    d_sq = S.match(L, M, i, winner)
    keep_found(L, M, i)
    return d_sq, M.out[0, 1], True


@step
def guess_winner(L, M, i):
    """Return the code graph of the least bound that the start has left; -1 if some have none."""
    guess, least = -1, INF
    for j in range(L.code_sq_norm.shape[0]):
        if L.lower[i, j] <= 0.0:
            return -1
        bound = lower_now(L, M, i, j, 0.0)
        if bound < least:
            guess, least = j, bound
    return guess


@step
def match_first(S, L, M, i):
    """Before the first presentation: (a code graph that is likely near or -1, squared distance, its bound).

    With that distance known, the bounds of the start rule out most other code graphs.
    """
    guess = guess_winner(L, M, i)
    if guess < 0:
        return -1, INF, 0.0
    d_sq = S.match(L, M, i, guess)
    keep_found(L, M, i)
    keep_lower(L, i, guess, np.sqrt(M.out[0, 1]))
    return guess, d_sq, M.out[0, 1]


@step
def classify(S, L, M, i):
    """Find the winner of Algorithm 1, ties to the lowest index, and its lift."""
    before = L.label[i]
    winner, best_sq, matched = before, INF, False
    best_lower_sq, before_lower_sq = 0.0, 0.0
    if before >= 0:
        best_sq, before_lower_sq, matched = align_winner(S, L, M, i)
        best_lower_sq = before_lower_sq
    else:
        winner, best_sq, best_lower_sq = match_first(S, L, M, i)
        matched = winner >= 0
    count = find_candidates(L, M, i, winner, best_sq)
    count = bound_candidates(S, L, M, i, count, best_sq)
    for m in range(count):
        j = M.candidates[m]
        if is_beyond(M.key[m], best_sq, margin(L, i, j)):
            continue
        d_sq = S.match(L, M, i, j)
        if winner >= 0 and not matched and abs(d_sq - best_sq) <= margin(L, i, j):
            # The stored lift is optimal, but only the matcher's own value decides what comes so close.
            best_sq = S.match(L, M, i, winner)
            before_lower_sq = best_lower_sq = M.out[0, 1]
            keep_found(L, M, i)
            matched = True
            d_sq = S.match(L, M, i, j)
        keep_lower(L, i, j, np.sqrt(M.out[0, 1]))
        if winner < 0 or d_sq < best_sq or (d_sq == best_sq and j < winner):
            winner, best_sq, best_lower_sq, matched = j, d_sq, M.out[0, 1], True
            keep_found(L, M, i)
    if M.stop[0] != 0:
        return
    L.certified_sq[i] = best_lower_sq
    if before >= 0 and winner != before:
        keep_lower(L, i, before, np.sqrt(before_lower_sq))
    if matched:
        set_winner(L, M, i, winner)
        if L.certifies:
            certify(S, L, M, i, winner, 0.0)


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
