"""Lower bounds that stay valid while code graphs move.

A bound l(X, Y) is stored together with a snapshot of Y. Whatever Y has become since, d(X, Y) is at least
l - |y - snapshot|: code graphs are matched with graphs of any numbering, so the triangle inequality holds
with the Euclidean distance of the two dense forms. The path that y has travelled is a cheap upper bound of
that distance, but a code graph that is pulled to and fro travels far and gets nowhere; the distance itself
is computed only where the path does not settle a question.

Of each distance that was computed, its ``lead`` over the path of that time is kept, mostly below zero: the
path of now, plus the lead, bounds the distance of now.

Snapshots of a code graph: ``recent`` ones of this cycle and of the last (two halves of a ring), then one for
the end of each of the last cycles.
"""

from typing import Any, NamedTuple

import numpy as np

from graphquant.kernels._jit import entry, kernel, summing
from graphquant.kernels.codebook import pair_rows


class Drift(NamedTuple):
    """Snapshots of all code graphs, and the way that each has come."""

    nodes: Any  # (k, slots, n p)
    pairs: Any  # (k, slots, n n q)
    path: Any  # (k,)  length of the way so far
    order: Any  # (k, slots) int64  positions in use, see codebook.py
    taken_at: Any  # (k, slots)  path at the snapshot
    newest: Any  # (k,) int64  slot of the last snapshot
    half: Any  # (1,) int64  half of the ring that this cycle fills
    steps: Any  # (k,) int64  moves in this cycle
    spacing: Any  # (k,) int64  moves between two snapshots
    recent: int  # snapshots in each half


@kernel
def _copy_to_slot(codes, drift, j, slot):
    """Snapshot of code graph j as it is now."""
    for c in range(codes.flat_nodes.shape[1]):
        drift.nodes[j, slot, c] = codes.flat_nodes[j, c]
    # Also what the snapshot before has had in use: it is to be zero again.
    n_rows, length, step = pair_rows(codes, max(codes.order[j], drift.order[j, slot]))
    for row in range(n_rows):
        for c in range(row * step, row * step + length):
            drift.pairs[j, slot, c] = codes.flat_pairs[j, c]
    drift.order[j, slot] = codes.order[j]
    drift.taken_at[j, slot] = drift.path[j]


@kernel
def take_snapshot(codes, drift, lead, j, slot):
    """Keep code graph j as it is now under a slot."""
    _copy_to_slot(codes, drift, j, slot)
    lead[j, slot] = -drift.path[j]


@summing
def _sq_difference(now, then, j, slot, n_rows, length, step):
    total = 0.0
    for row in range(n_rows):
        for c in range(row * step, row * step + length):
            total += (now[j, c] - then[j, slot, c]) ** 2
    return total


@kernel
def _distance_to_slot(codes, drift, j, slot):
    """|y - snapshot|, by differences."""
    n_rows, length, step = pair_rows(codes, max(codes.order[j], drift.order[j, slot]))
    nodes = _sq_difference(codes.flat_nodes, drift.nodes, j, slot, 1, codes.flat_nodes.shape[1], 0)
    pairs = _sq_difference(codes.flat_pairs, drift.pairs, j, slot, n_rows, length, step)
    return np.sqrt(nodes + 0.5 * codes.G.pair_weight * pairs)


@kernel
def moved(codes, drift, lead, j, slot, enough):
    """Upper bound of |y - snapshot|; the distance itself unless a cheap bound is at most ``enough``."""
    bound = lead[j, slot] + drift.path[j]
    if bound <= enough:
        return bound
    distance = _distance_to_slot(codes, drift, j, slot)
    lead[j, slot] = distance - drift.path[j]
    return distance


@kernel
def stamp(drift, j, bound):
    """Return (bound, slot): a bound that holds now, stored against the newest snapshot."""
    slot = drift.newest[j]
    return bound - (drift.path[j] - drift.taken_at[j, slot]), slot


@kernel
def count_move(codes, drift, lead, j, length):
    """Code graph j has moved by ``length``; keep a snapshot when it is time for one."""
    drift.path[j] += length
    drift.steps[j] += 1
    if drift.steps[j] % drift.spacing[j] == 0:
        slot = drift.half[0] * drift.recent + drift.steps[j] // drift.spacing[j]
        # A code graph that wins far more often than in the last cycle runs out of slots: its path counts.
        if slot < (drift.half[0] + 1) * drift.recent:
            take_snapshot(codes, drift, lead, j, slot)
            drift.newest[j] = slot


@entry
def take_all_snapshots(codes, drift):
    """Put code graphs as they are now under all slots; leads are to be set by the caller."""
    for j in range(drift.taken_at.shape[0]):
        for slot in range(drift.taken_at.shape[1]):
            _copy_to_slot(codes, drift, j, slot)


@entry
def end_cycle(
    codes,
    drift,  # INOUT
    lead,  # INOUT (k, slots)
    cycle,  # IN    number of the cycle that ended
    winner,  # IN    (n_graphs,) int32 where the last column is the winner's and no other counts, or (0,)
    lower,  # INOUT (n_graphs, columns)
    slot,  # INOUT (n_graphs, columns) int16
    hop,  # WORK  (k, slots)
):
    """Move stored bounds away from the snapshots that the next cycle will overwrite.

    They are counted from the end of this cycle on, so that no bound is lost with its snapshot.
    """
    recent = drift.recent
    n_slots = drift.taken_at.shape[1]
    final = 2 * recent + cycle % (n_slots - 2 * recent)
    other = 1 - drift.half[0]
    hop[:] = -1.0
    n_columns = lower.shape[1]
    first = n_columns - 1 if winner.shape[0] > 0 else 0
    for i in range(lower.shape[0]):
        for column in range(first, n_columns):
            j = column if winner.shape[0] == 0 else winner[i]
            s = slot[i, column]
            if j >= 0 and (s == final or (other * recent <= s < (other + 1) * recent)):
                if hop[j, s] < 0.0:
                    hop[j, s] = moved(codes, drift, lead, j, s, 0.0)
                lower[i, column] -= hop[j, s]
                slot[i, column] = final
    for j in range(drift.path.shape[0]):
        take_snapshot(codes, drift, lead, j, final)
        take_snapshot(codes, drift, lead, j, other * recent)
        drift.newest[j] = other * recent
        drift.spacing[j] = 1 + drift.steps[j] // recent
        drift.steps[j] = 0
    drift.half[0] = other
