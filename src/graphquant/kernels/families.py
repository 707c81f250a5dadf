"""Families of code graphs that share one lower bound, where a bound for each would take too much memory.

A family moves as far as the fastest of its code graphs. That is counted in short epochs: what a bound lost in
past epochs is one number for each family, and within an epoch the paths of its members tell.
"""

from typing import Any, NamedTuple

from graphquant.kernels._jit import kernel


class Families(NamedTuple):
    """Which code graphs share a bound, and how far they have come; all empty where each has its own."""

    ptr: Any  # (n_families + 1,) int64
    member: Any  # (k,) int64  code graphs, family by family
    of: Any  # (k,) int64  family of each code graph
    past: Any  # (n_families,)  sum over past epochs of the way of the fastest member
    since: Any  # (k,)  path of each code graph when this epoch began


@kernel
def reach(families, path, g):
    """Return how far the fastest members of family g have come, over all epochs."""
    furthest = 0.0
    for m in range(families.ptr[g], families.ptr[g + 1]):
        j = families.member[m]
        furthest = max(furthest, path[j] - families.since[j])
    return families.past[g] + furthest


@kernel
def begin_epoch(families, path):
    """Add this epoch to the past ones."""
    for g in range(families.past.shape[0]):
        families.past[g] = reach(families, path, g)
    for j in range(families.since.shape[0]):
        families.since[j] = path[j]
