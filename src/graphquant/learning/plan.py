"""The plan of a run: the checked parameters of an estimator."""

import sys
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from graphquant._threads import n_threads
from graphquant._typing import IntArray
from graphquant._validation import check_choice, check_positive_int
from graphquant.bounds import needs_zero_nodes
from graphquant.exceptions import InvalidParameterError
from graphquant.graphs import GraphCollection
from graphquant.graphs.checks import plural
from graphquant.learning.rates import (
    LearningRate,
    check_learning_rate,
    check_max_cycles,
    cycles_for,
    rate_after,
)
from graphquant.matching import CoreMatcher, Matcher

ALGORITHMS = ("lossless", "standard", "accelerated", "fast")
# What a user may ask for; "auto" is decided before learning.
CHOICES = ("auto", *ALGORITHMS)
# Share of the training graphs that a matcher has to search for "lossless" to be worth its cost.
_PROVEN_SHARE = 0.75


@dataclass(frozen=True)
class Plan:
    """The checked parameters of a run."""

    algorithm: str = "lossless"
    learning_rate: LearningRate = "linear"
    max_cycles: int = 20
    tol: float = 0.0
    theta: float = 0.0
    batch_size: int = 1
    n_threads: int = 1
    n_groups: int = 0  # groups of code graphs that share a bound, for "lossless"; 0: none
    has_drafts: bool = False  # whether the alignments to learn with may be rougher than those of the end

    @property
    def n_workers(self) -> int:
        """Threads that classify many graphs for the same code graphs: those of a batch, or all at the end."""
        return self.n_threads

    @property
    def keeps_certificates(self) -> bool:
        """Whether the algorithm continues with the alignments that it finds."""
        return self.algorithm in ("lossless", "fast")

    @property
    def uses_first_bounds(self) -> bool:
        """Whether lower bounds found by the start are useful."""
        return self.algorithm != "standard"


def plan_of(params: Mapping[str, Any], *, in_memory: bool) -> Plan:
    """Check the parameters of an estimator; what ``"auto"`` stands for is left open."""
    check_choice("algorithm", params["algorithm"], CHOICES)
    for name in ("tol", "theta"):
        value = params[name]
        if not (isinstance(value, int | float | np.number) and 0.0 <= value <= sys.float_info.max):
            raise InvalidParameterError(
                f"{name}={value!r} is not accepted.", f"Give {name} as a number of at least 0."
            )
    _check_executor(params["executor"], in_memory=in_memory)
    if params["order"] is not None:
        check_positive_int("order", params["order"])
    _warn_of_deprecated(params)
    return Plan(
        algorithm=params["algorithm"],
        learning_rate=check_learning_rate(params["learning_rate"]),
        max_cycles=check_max_cycles(params["max_cycles"]),
        tol=float(params["tol"]),
        theta=float(params["theta"]),
        batch_size=check_positive_int("batch_size", params["batch_size"]),
        n_threads=n_threads(params["n_jobs"]),
    )


def _check_executor(executor: Any, *, in_memory: bool) -> None:
    if executor is not None and not hasattr(executor, "map"):
        raise InvalidParameterError(
            f"executor={executor!r} is not accepted.",
            "Give a DaskExecutor or a LocalExecutor of graphquant.out_of_core, or None.",
        )
    if executor is not None and in_memory:
        raise InvalidParameterError(
            f"executor={executor!r} works on graphs in files, not on graphs in memory.",
            "Write them with gq.write and pass the path, or omit executor.",
        )


def _warn_of_deprecated(params: Mapping[str, Any]) -> None:
    if params["relocate_idle"]:
        _deprecate(
            "relocate_idle=True has no effect since graphquant 2.0. Choose another start, or fewer codes."
        )
    if params["algorithm"] == "fast" and params["theta"] != 0.0:
        _deprecate('theta has no effect with algorithm="fast" since graphquant 2.0. Omit it.')


def _deprecate(message: str) -> None:
    warnings.warn(message, FutureWarning, stacklevel=5)


def algorithm_for(algorithm: str, matcher: Matcher, orders: IntArray | None) -> str:
    """Return the algorithm that ``"auto"`` stands for.

    ``lossless`` gives what matching all pairs would give. That is worth its cost where distances are proven:
    where the matcher searches at least three quarters of the training graphs. For larger graphs, whose
    distances are only approximated, it would match every graph in every cycle to keep to the approximations.
    Graphs in files (``orders`` is None) are always learnt with ``lossless``.
    """
    if algorithm != "auto":
        return algorithm
    return "lossless" if orders is None or _proves_most(matcher, orders) else "fast"


def _proves_most(matcher: Matcher, orders: IntArray) -> bool:
    largest = matcher.proving_order if isinstance(matcher, CoreMatcher) else 0
    return bool(np.mean(orders <= largest) >= _PROVEN_SHARE)


def decide(plan: Plan, matcher: Matcher, orders: IntArray | None) -> Plan:
    """Return a plan with the algorithm that ``"auto"`` stands for, and with drafts where little is proven."""
    algorithm = algorithm_for(plan.algorithm, matcher, orders)
    has_drafts = algorithm == "fast" and orders is not None and not _proves_most(matcher, orders)
    return replace(plan, algorithm=algorithm, has_drafts=has_drafts)


def complete(plan: Plan, params: Mapping[str, Any], n_graphs: int, mean_order: float | None = None) -> Plan:
    """Return a plan with ``"auto"`` resolved for the rate and, if sizes are known, for the cycles."""
    n_codes, n_cycles = check_positive_int("n_codes", params["n_codes"]), plan.max_cycles
    if mean_order is not None:
        n_cycles = cycles_for(params["max_cycles"], n_codes, n_graphs, mean_order)
    rate = rate_after(plan.learning_rate, params["init"], n_codes, n_graphs, n_cycles)
    return replace(plan, max_cycles=n_cycles, learning_rate=rate)


def check_order(order: int | None, X: GraphCollection) -> None:
    """Refuse a graph space that has no room for a training graph."""
    if order is None or X.groups is not None:
        return
    least, why = X.max_order, ""
    if needs_zero_nodes(X):
        least, why = 2 * least, ", and by these costs two graphs need room side by side"
    if order < least:
        largest = int(X.orders.argmax())
        raise InvalidParameterError(
            f"order={order}, but {X.label(largest)} has {plural(X.max_order, 'node')}{why}.",
            f"Give order={least} or more, or leave it out.",
        )


__all__ = ["ALGORITHMS", "CHOICES", "Plan", "algorithm_for", "check_order", "complete", "decide", "plan_of"]
