"""Nearest code graphs of any graphs: bounds without a history, in blocks over threads."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from graphquant._core.learning import MARGIN
from graphquant._equality import ByContent
from graphquant._threads import run_to_a_stop
from graphquant._typing import AnyArray, BoolArray, FloatArray, Int32Array, IntArray
from graphquant.bounds import class_capacity, count_classes, needs_zero_nodes
from graphquant.graphs import GraphCollection
from graphquant.learning.codes import CodeSpace
from graphquant.learning.learner import GraphLearner
from graphquant.learning.plan import Plan
from graphquant.matching import Matcher, match_all
from graphquant.matching.pairwise import progress_bar
from graphquant.preprocessing import EncodingNotes

# Number of graphs encoded together; bounds take a few bytes per graph and code graph.
_BLOCK = 8192


@dataclass(frozen=True, eq=False)
class Encoding(ByContent):
    """Graphs and their nearest code graphs, as arrays with one entry per graph.

    Attributes
    ----------
    label : ndarray of int
        Number of the nearest code graph; ties go to the lowest.
    distance : ndarray
        Distance to it under the mapping.
    lower_bound : ndarray
        A certified lower bound of the distance.
    proven : ndarray of bool
        Whether the two meet.
    mapping : ndarray of int of shape (n_graphs, largest order)
        Position in the code graph of each node, -1 beyond a graph's nodes; the order of the code graph and
        above are zero nodes. For graphs in files, which may be many, mappings are not kept: (n_graphs, 0).
    n_matchings : int
        Number of matchings; all pairs would be n_graphs * n_codes.
    is_complete : bool
        False after Ctrl-C in ``fit`` if finding all nearest code graphs would have taken long: the others
        are those of the last presentation.
    notes : EncodingNotes
        What the encoder found in raw graphs: missing values, unknown categories, numbers out of range.

    Examples
    --------
    >>> import graphquant as gq
    >>> points = [gq.Graph([value]) for value in (0.0, 1.0, 10.0, 11.0)]
    >>> found = gq.GraphQuantizer(2, max_cycles=5, random_state=0).fit(points).match([gq.Graph([10.0])])
    >>> len(found), bool(found.proven[0])
    (1, True)
    """

    label: IntArray
    distance: FloatArray
    lower_bound: FloatArray
    proven: BoolArray
    mapping: Int32Array
    n_matchings: int
    is_complete: bool = True
    notes: EncodingNotes = field(default_factory=EncodingNotes)

    @property
    def distortion(self) -> float:
        """Half the sum of squared distances."""
        return 0.5 * float((self.distance**2).sum())

    @property
    def edits(self) -> FloatArray:
        """Squared distances; with :class:`~graphquant.preprocessing.EditCosts` what the edits cost."""
        return self.distance**2

    def __len__(self) -> int:
        return len(self.label)

    def __repr__(self) -> str:
        share = self.proven.mean() if len(self) else 1.0
        return f"Encoding({len(self)} graphs, {share:.1%} proven, {self.n_matchings} matchings)"


def encode(
    X: GraphCollection,
    codes: GraphCollection,
    matcher: Matcher,
    order: int | None,
    *,
    n_threads: int = 1,
    progress: bool = False,
) -> Encoding:
    """Find the nearest code graph of each graph, matching as few pairs as possible."""
    parts: list[tuple[IntArray, Encoding]] = []
    with progress_bar(len(X), progress, "Encoding") as advance:
        for chosen, part_order in by_order(X, codes, order):
            learner = GraphLearner(
                X[chosen],
                CodeSpace.of(X[chosen], codes, part_order),
                len(codes),
                matcher,
                # Winners of many graphs for fixed code graphs, over threads.
                Plan(batch_size=2, n_threads=min(n_threads, len(chosen))),
                is_fixed=True,
            )
            learner.begin(learner.space.place(codes))
            find_all_winners(learner)
            parts.append((chosen, encoding_of(learner, learner.counts.matchings, codes)))
            if advance is not None:
                advance(len(chosen))
    return _join(parts, len(X), X.max_order)


def find_all_winners(learner: GraphLearner, patience: float = math.inf) -> bool:
    """Find the winners of all graphs of a learner; Ctrl-C ends it quickly.

    Returns whether ``patience`` seconds were enough. If not, graphs that it did not get to still have the
    winner of their last presentation, and nothing is certified about them; KeyboardInterrupt if one has none.
    """
    found = []
    learner.forget_interrupts()
    run_to_a_stop(lambda: found.append(learner.find_winners()), learner.interrupt, patience)
    if not found[0] and (patience == math.inf or (learner.label < 0).any()):
        raise KeyboardInterrupt
    return found[0]


def transform(
    X: GraphCollection,
    codes: GraphCollection,
    matcher: Matcher,
    order: int | None,
    *,
    n_threads: int = 1,
    progress: bool = False,
) -> FloatArray:
    """Distances of all graphs to all code graphs."""
    out = np.zeros((len(X), len(codes)))
    with progress_bar(len(X), progress, "Matching") as advance:
        for chosen, part_order in by_order(X, codes, order):
            pairs = np.column_stack(np.divmod(np.arange(len(chosen) * len(codes)), len(codes)))
            found = match_all(X[chosen], codes, pairs, matcher, part_order, n_threads)
            out[chosen] = found.distance.reshape(len(chosen), len(codes))
            if advance is not None:
                advance(len(chosen))
    return out


def by_order(
    X: GraphCollection, codes: GraphCollection, order: int | None
) -> Iterator[tuple[IntArray, int | None]]:
    """Yield blocks of graphs that are matched in spaces of the same order.

    A graph larger than the order of the codebook is matched in its own order. With groups, that is one that
    has more nodes of a class than the code graphs have positions.
    """
    if X.groups is not None:
        order_of: AnyArray = np.where(_fits(X, codes), -1, np.arange(len(X)))
    else:
        # What has no room beside itself is matched in twice its order, if vectors need room.
        order_of = np.maximum((2 if needs_zero_nodes(X) else 1) * X.orders, order or 1)
    for value in np.unique(order_of):
        chosen = np.flatnonzero(order_of == value)
        for at in range(0, len(chosen), _BLOCK):
            yield chosen[at : at + _BLOCK], None if X.groups is not None else int(value)


def _fits(X: GraphCollection, codes: GraphCollection) -> BoolArray:
    """Whether the code graphs have a position for each node of a graph."""
    packed, capacity = X.packed(), class_capacity(codes)
    assert packed.groups is not None
    n_classes = max(len(capacity), int(packed.groups.max(initial=0)) + 1)
    graphs, classes, counts = count_classes(X, n_classes)
    has_position = classes < len(capacity)
    room = np.where(has_position, capacity[np.where(has_position, classes, 0)], 0)
    fits = np.ones(len(X), dtype=np.bool_)
    fits[graphs[counts > room]] = False
    return fits


def encoding_of(
    learner: GraphLearner,
    n_matchings: int,
    codes: GraphCollection | None = None,
    *,
    as_presented: bool = False,
) -> Encoding:
    """Return the results of a learner; nodes of code graphs are numbered as in ``codes``, or by position.

    With ``as_presented``, distances are those to the code graphs at the time when a graph was presented.
    """
    X, state = learner.X, learner.core.arrays
    label = state["label"].astype(np.int64)
    sq_distance = state["presented_sq"] if as_presented else learner.core.exact_sq_distances()
    scale = state["sq_norm"] + state["code_sq_norm"][label]
    positions = state["mapping"]
    if codes is not None:
        positions = _node_numbers(learner.space, codes)[np.repeat(label, X.orders), positions]
    mapping = np.full((len(X), X.max_order), -1, dtype=np.int32)
    mapping[np.arange(X.max_order) < X.orders[:, None]] = positions
    sq_lower = np.minimum(state["certified_sq"], sq_distance)
    return Encoding(
        label=label,
        distance=np.sqrt(sq_distance),
        lower_bound=np.sqrt(sq_lower),
        proven=sq_distance - sq_lower <= MARGIN * scale,
        mapping=mapping,
        n_matchings=n_matchings,
    )


def _node_numbers(space: CodeSpace, codes: GraphCollection) -> Int32Array:
    """Return the node at each position of each code graph; positions without one come last."""
    numbers = np.empty((len(codes), space.order), dtype=np.int32)
    for j, code in enumerate(codes):
        placed = space.space.first_mapping(code)
        free = np.setdiff1d(np.arange(space.order), placed)
        numbers[j, placed] = np.arange(code.order)
        numbers[j, free] = code.order + np.arange(len(free))
    return numbers


def join(parts: Sequence[Encoding]) -> Encoding:
    """Concatenate the encodings of several partitions, without their mappings."""

    def column(name: str) -> AnyArray:
        return np.concatenate([getattr(part, name) for part in parts])

    label = column("label")
    return Encoding(
        label=label,
        distance=column("distance"),
        lower_bound=column("lower_bound"),
        proven=column("proven"),
        mapping=np.empty((len(label), 0), dtype=np.int32),
        n_matchings=sum(part.n_matchings for part in parts),
    )


def _join(parts: list[tuple[IntArray, Encoding]], n_graphs: int, max_order: int) -> Encoding:
    label, distance = np.zeros(n_graphs, dtype=np.int64), np.zeros(n_graphs)
    lower_bound, proven = np.zeros(n_graphs), np.ones(n_graphs, dtype=np.bool_)
    mapping = np.full((n_graphs, max_order), -1, dtype=np.int32)
    for chosen, part in parts:
        label[chosen], distance[chosen] = part.label, part.distance
        lower_bound[chosen], proven[chosen] = part.lower_bound, part.proven
        mapping[chosen, : part.mapping.shape[1]] = part.mapping
    return Encoding(
        label=label,
        distance=distance,
        lower_bound=lower_bound,
        proven=proven,
        mapping=mapping,
        n_matchings=sum(part.n_matchings for _, part in parts),
    )


__all__ = ["Encoding", "by_order", "encode", "encoding_of", "find_all_winners", "join", "transform"]
