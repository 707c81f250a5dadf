"""CLASSIFY without loss and with little memory: families of code graphs share a bound; else ``lossless.py``.

``lower[i, g]`` bounds the distance of X to every code graph of family g but the winner, after Yinyang k-means
(Ding and others, 2015); the last column is the winner's own, for all lifts but x_a. A family whose bound is
too low is opened: its code graphs are bounded by stars, those left are matched, and the least of what was
found is the bound of now.
"""

import numpy as np

from graphquant.kernels._jit import allocating_entry, kernel, step
from graphquant.kernels.families import begin_epoch, reach
from graphquant.kernels.learning import MARGIN, keep_found, margin, norm_bound, set_winner
from graphquant.quantizers.lossless import align_winner, certify, is_beyond

INF = np.inf


@kernel
def keep_family_bound(lower, families, i, g, bound):
    """Lower the bound of a family to one of a member that holds now."""
    # As if found when the epoch began: the way since then is counted against it.
    lower[i, g] = min(lower[i, g], bound + families.past[g])


@step
def open_families(L, M, i, winner, sq_distance):
    """OUT M.candidates: code graphs, but the winner, of families that are not ruled out; their number.

    The bounds of these families are left open, at infinity.
    """
    lower, families, candidates = L.lower, L.families, M.candidates
    path, code_sq_norm, sq_norm = L.drift.path, L.code_sq_norm, L.sq_norm[i]
    count = 0
    for g in range(L.n_families):
        largest = 0.0
        for m in range(families.ptr[g], families.ptr[g + 1]):
            largest = max(largest, code_sq_norm[families.member[m]])
        if is_beyond(lower[i, g] - reach(families, path, g), sq_distance, MARGIN * (sq_norm + largest)):
            continue
        lower[i, g] = INF
        for m in range(families.ptr[g], families.ptr[g + 1]):
            if families.member[m] != winner:
                candidates[count] = families.member[m]
                count += 1
    return count


@step
def sort_candidates(S, L, M, i, count, sq_distance):
    """INOUT M.candidates by their bounds, least first; OUT M.key, the bounds."""
    for m in range(count):
        j = M.candidates[m]
        bound_sq = norm_bound(L, i, j)
        if bound_sq <= sq_distance + margin(L, i, j):
            bound_sq = S.bound(L, M, i, j)
        bound = np.sqrt(max(bound_sq, 0.0))
        at = m
        while at > 0 and M.key[at - 1] > bound:
            M.candidates[at], M.key[at] = M.candidates[at - 1], M.key[at - 1]
            at -= 1
        M.candidates[at], M.key[at] = j, bound


@step
def close_families(L, M, i, count, winner, before, before_lower_sq):
    """Store the bounds of the families that were opened, and that of the former winner in its own."""
    lower, families = L.lower, L.families
    for m in range(count):
        j = M.candidates[m]
        if j != winner:
            keep_family_bound(lower, families, i, families.of[j], M.key[m])
    if before >= 0 and winner != before:
        keep_family_bound(lower, families, i, families.of[before], np.sqrt(before_lower_sq))


@step
def classify(S, L, M, i):
    """Find the winner of Algorithm 1, ties to the lowest index, and its lift."""
    before = L.label[i]
    winner, best_sq, matched = before, INF, False
    best_lower_sq, before_lower_sq = 0.0, 0.0
    if before >= 0:
        best_sq, before_lower_sq, matched = align_winner(S, L, M, i)
        best_lower_sq = before_lower_sq
    count = open_families(L, M, i, winner, best_sq)
    sort_candidates(S, L, M, i, count, best_sq)
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
        M.key[m] = max(M.key[m], np.sqrt(M.out[0, 1]))
        if winner < 0 or d_sq < best_sq or (d_sq == best_sq and j < winner):
            winner, best_sq, best_lower_sq, matched = j, d_sq, M.out[0, 1], True
            keep_found(L, M, i)
    if M.stop[0] != 0:
        # Cut short: what was found is no bound.
        for m in range(count):
            L.lower[i, L.families.of[M.candidates[m]]] = 0.0
        return
    L.certified_sq[i] = best_lower_sq
    close_families(L, M, i, count, winner, before, before_lower_sq)
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
            # As long as each code graph has moved about once: much longer, and new bounds lose at once what
            # was before them; much shorter, and a family moves by the sum of its members' ways.
            if (t + 1) % L.wins.shape[0] == 0:
                begin_epoch(L.families, L.drift.path)
    return end
