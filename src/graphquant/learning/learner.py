"""A collection that learns: its graphs with their winners, alignments and bounds."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, fields

import numpy as np

from graphquant._core.calls import StopFlag, Stopped
from graphquant._core.graphs import collection_struct
from graphquant._core.learning import Learner
from graphquant._core.matching import CallbackMatcher
from graphquant._typing import AnyArray, FloatArray, IntArray
from graphquant.bounds import check_range
from graphquant.graphs import GraphCollection
from graphquant.learning.codes import Codes, CodeSpace
from graphquant.learning.plan import Plan
from graphquant.learning.state_checks import StateFrame, check_state
from graphquant.matching import CoreMatcher, Matcher, match_all
from graphquant.matching.exact import for_drafts
from graphquant.matching.mappings import check_mapping, in_order


@dataclass(frozen=True)
class Counts:
    """The counters of a run."""

    matchings: int = 0
    bounds: int = 0
    proven: int = 0
    certificates: int = 0
    shift_matchings: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(*(getattr(self, at.name) + getattr(other, at.name) for at in fields(Counts)))

    def __sub__(self, other: "Counts") -> "Counts":
        return Counts(*(getattr(self, at.name) - getattr(other, at.name) for at in fields(Counts)))


class GraphLearner:
    """Presents the graphs of a collection to code graphs.

    Parameters
    ----------
    X : GraphCollection
        Training graphs.
    space : CodeSpace
    n_codes : int
    matcher : Matcher
    plan : Plan
    lower : ndarray of shape (n_graphs, n_codes), optional
        Lower bounds of distances to the first code graphs; the array is used, not copied.
    is_fixed : bool, default=False
        Whether the code graphs will never move.
    """

    def __init__(
        self,
        X: GraphCollection,
        space: CodeSpace,
        n_codes: int,
        matcher: Matcher,
        plan: Plan,
        *,
        lower: FloatArray | None = None,
        is_fixed: bool = False,
    ) -> None:
        self.X = X.packed()
        check_range(self.X)
        self.space, self.matcher, self.plan = space, matcher, plan
        self._stop = StopFlag()
        self._callback: CallbackMatcher | None
        self._drafting = for_drafts(matcher) if plan.has_drafts else matcher
        if isinstance(self._drafting, CoreMatcher):
            self._callback, options = None, self._drafting.options()
        else:
            self._callback = CallbackMatcher(self._ask)
            options = self._callback.options
        collection = collection_struct(
            self.X.node_offsets,
            self.X.node_attrs,
            self.X.groups,
            self.X.edge_offsets,
            self.X.edges,
            self.X.edge_attrs,
            is_directed=self.X.directed,
        )
        self.core = Learner(
            collection,
            space.capacity,
            options,
            n_codes=n_codes,
            n_groups=plan.n_groups,
            n_workers=plan.n_workers,
            keeps_certificates=plan.keeps_certificates and not is_fixed,
            theta=plan.theta,
            lower=lower,
            **({"snapshot_bytes": 0} if is_fixed else {}),
        )
        self._shift_matchings = 0

    def _ask(self, i: int, j: int) -> IntArray:
        """Ask a user-defined matcher for the mapping of graph i to code graph j."""
        x, y = self.X[i], self.space.graph(self.codes, j)
        try:
            found = self.matcher.match(x, y, self.space.order)
            mapping = check_mapping(found, x, y, self.space.capacity, f"{type(self.matcher).__name__}.match")
            return in_order(mapping, x, y, self.space.capacity)
        except BaseException:
            # Other threads should stop soon.
            self._stop.set()
            raise

    @property
    def codes(self) -> Codes:
        """The current code graphs; shared, not copied."""
        arrays = self.core.arrays
        return Codes(arrays["code_nodes"], arrays["code_pairs"], arrays["wins"])

    @property
    def label(self) -> AnyArray:
        """Winner of each graph at its last presentation, -1 before the first."""
        return self.core.arrays["label"]

    @property
    def counts(self) -> Counts:
        """Everything counted so far."""
        return Counts(**self.core.counters(), shift_matchings=self._shift_matchings)

    def begin(self, codes: Codes) -> None:
        """Set the code graphs of a learner that knows nothing about them yet."""
        own = self.codes
        own.nodes[:], own.pairs[:], own.wins[:] = codes.nodes, codes.pairs, codes.wins
        self.core.begin()

    def follow(self, codes: Codes) -> None:
        """Continue with code graphs that other learners have moved as well."""
        self.core.move_codes(codes.nodes, codes.pairs)
        self.codes.wins[:] = codes.wins

    def present(self, sequence: IntArray, rates: FloatArray | None) -> bool:
        """Present graphs in order; returns False if it was interrupted."""
        algorithm = self.plan.algorithm
        if self.plan.batch_size == 1:
            return self._ends(lambda: self.core.present(algorithm, sequence, rates, self._stop))
        with self._pool() as pool:
            for at in range(0, len(sequence), self.plan.batch_size):
                batch = slice(at, at + self.plan.batch_size)
                if not self._classify(pool, algorithm, sequence[batch]):
                    return False
                self.core.learn(sequence[batch], None if rates is None else rates[batch])
        return True

    def end_cycle(self, cycle: int, before: Codes) -> None:
        """Update bounds for the movement of the code graphs since the beginning of a cycle."""
        if self.plan.algorithm != "accelerated":
            self.core.end_cycle(cycle)
            return
        pairs = np.repeat(np.arange(len(before)), 2).reshape(-1, 2)
        now, then = self.space.graphs(self.codes), self.space.graphs(before)
        shift = match_all(now, then, pairs, self.matcher, self.space.space.match_order, 1).distance
        self._shift_matchings += len(before)
        self.core.estimate_bounds(np.ascontiguousarray(shift))

    @property
    def distortion(self) -> float:
        """Half the sum of squared distances to the current code graphs, under the stored alignments."""
        return 0.5 * float(self.core.lifted_sq_distances().sum())

    def find_winners(self) -> bool:
        """Find the winners of all graphs for the current code graphs; returns False if it was interrupted."""
        lower = self.core.arrays["lower"]
        if not self.plan.keeps_certificates:
            # Bounds of other algorithms mean other things, and those of the paper may not hold.
            lower[:] = 0.0
        # What "fast" takes for bounds where the matcher proves nothing is good enough to learn with.
        lower[self.core.arrays["is_estimated"]] = 0.0
        # These hold for the code graphs of earlier presentations.
        self.core.arrays["certified_sq"][:] = 0.0
        with self._matching_fully(), self._pool() as pool:
            return self._classify(pool, "lossless", np.arange(len(self.X)))

    def interrupt(self) -> None:
        """Stop after the current presentation."""
        self._stop.set()

    def forget_interrupts(self) -> None:
        """Work again after an interrupt."""
        self._stop = StopFlag()

    @contextmanager
    def _matching_fully(self) -> Iterator[None]:
        """Match as the user has chosen even if learning is content with drafts."""
        if isinstance(self.matcher, CoreMatcher) and isinstance(self._drafting, CoreMatcher):
            self.core.set_matcher(self.matcher.options())
            try:
                yield
            finally:
                self.core.set_matcher(self._drafting.options())
        else:
            yield

    @contextmanager
    def _pool(self) -> Iterator[ThreadPoolExecutor | None]:
        """Threads for all workers; a single worker needs none."""
        if self.plan.n_workers == 1:
            yield None
            return
        with ThreadPoolExecutor(self.plan.n_workers) as pool:
            yield pool

    def _classify(self, pool: ThreadPoolExecutor | None, algorithm: str, chosen: IntArray) -> bool:
        """Find the winners of graphs for the current code graphs; return whether it finished."""
        stop = self._stop
        if pool is None:
            return self._ends(lambda: self.core.classify(0, algorithm, chosen, stop))
        parts = np.array_split(chosen, self.plan.n_workers)
        tasks = [
            pool.submit(self.core.classify, worker, algorithm, part, stop)
            for worker, part in enumerate(parts)
        ]

        def wait_for_all() -> None:
            errors = [error for task in tasks if (error := task.exception()) is not None]
            for error in sorted(errors, key=lambda error: isinstance(error, Stopped)):
                raise error

        return self._ends(wait_for_all)

    def _ends(self, work: Callable[[], None]) -> bool:
        """Do some work of the core; return whether it finished."""
        try:
            if self._callback is None:
                work()
            else:
                with self._callback.reraising():
                    work()
        except Stopped:
            return False
        return True

    def arrays(self) -> dict[str, AnyArray]:
        """Return all arrays that the rest of a run depends on, by name; shared, not copied."""
        return {name: self.core.arrays[name] for name in self.core.saved}

    def restore(self, arrays: dict[str, AnyArray]) -> None:
        """Set the state to saved arrays, once they are known to be a state."""
        own = self.arrays()
        frame = StateFrame(self.X.node_offsets, self.X.groups, self.space.capacity, self.X.directed)
        check_state(arrays, own, frame)
        for name, target in own.items():
            target[...] = arrays[name]
        self.core.resume()

    @property
    def nbytes(self) -> int:
        """Bytes of the graphs and of the state."""
        return self.X.nbytes + sum(array.nbytes for array in self.core.arrays.values())


__all__ = ["Counts", "GraphLearner"]
