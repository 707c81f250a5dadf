"""The state of a run: graphs and moving code graphs in one set of arrays, bounds, alignments, counters."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np
from numba import typeof

from graphquant._typing import AnyArray, FloatArray, IntArray
from graphquant.averaging import Space
from graphquant.bounds import check_comparable, check_range, class_capacity, training_graphs
from graphquant.graphs import Dense, Graph, GraphCollection, join_schemas, lift, position_groups
from graphquant.kernels._record import as_record
from graphquant.kernels.codebook import Codebook, measure_orders, refresh_all
from graphquant.kernels.drift import Drift, take_all_snapshots
from graphquant.kernels.families import Families
from graphquant.kernels.graphs import MatchGraphs
from graphquant.kernels.learning import (
    N_COUNTERS,
    Learner,
    Matching,
    Services,
    bound_code,
    learn,
    match_code,
    second_sq_distance,
    set_norms,
)
from graphquant.kernels.second_best import no_second_best, second_best
from graphquant.kernels.window import squared_norms
from graphquant.kernels.workspace import Buffers, dual_buffers, pair_buffers, search_buffers
from graphquant.matching import ExactMatcher, KernelMatcher, Matcher
from graphquant.matching._engine import MAX_SEARCH_ORDER, check_mapping
from graphquant.quantizers._compiled import ForeignMatcher, compiled_function

# Snapshots of each code graph: in each half of the ring of a cycle, and one for each of the last cycles.
_RECENT, _FINAL = 64, 16
_SNAPSHOT_BYTES = 2**27
# Arrays that follow from the graphs and code graphs.
_NOT_SAVED = ("capacity", "sq_norm", "shown", "code_sq_norm")


class State:
    """All that changes while code graphs are learnt, as arrays that kernels share.

    Parameters
    ----------
    X : GraphCollection
        Training graphs.
    codes : GraphCollection
        Code graphs to start from.
    order : int, optional
        Order of the graph space; by default that of the largest graph.
    theta : float
    certifies : bool
        Whether the algorithm keeps alignment certificates, see ``lossless.py``.
    lower : ndarray of shape (n_graphs, n_codes), optional
        Lower bounds of distances that are known already; they are taken over, not copied.
    capacity : ndarray of int, optional
        Positions of each node class, where X is only a part of the training graphs.
    n_families : int, default=0
        Families of code graphs that share a bound, see ``shared_bounds.py``; 0 for a bound for each.
    """

    def __init__(
        self,
        X: GraphCollection,
        codes: GraphCollection,
        order: int | None = None,
        *,
        theta: float = 0.0,
        certifies: bool = False,
        lower: FloatArray | None = None,
        capacity: IntArray | None = None,
        n_families: int = 0,
    ) -> None:
        check_comparable(X, codes)
        self.X = X.packed()
        check_range(self.X)
        self.capacity = class_capacity(X, codes, order=order) if capacity is None else capacity
        self.order = max(int(self.capacity.sum()), 1)
        groups = None if X.groups is None else position_groups(self.capacity)
        self.space = Space(self.order, groups, X.directed, join_schemas(X.schema, codes.schema))
        n, k = len(X), len(codes)
        columns = n_families + 1 if n_families else k
        graphs = training_graphs(self.X)
        nodes, pairs = self._no_codes(k)
        windows, codebook = _match_graphs(self.X, nodes, pairs, groups, n_windows=1)
        self.learner = Learner(
            graphs,
            windows,
            np.full(1, -1, dtype=np.int64),
            codebook,
            _new_drift(codebook),
            self.capacity,
            squared_norms(graphs, windows.pair_weight),
            np.full(n, -1, dtype=np.int32),
            np.zeros(max(len(self.X.node_attrs), 1), dtype=np.int32),
            np.zeros((n, columns)) if lower is None else lower,
            np.zeros((n, columns), dtype=np.int16),
            np.zeros(n),
            np.zeros(n),
            np.full(n, np.inf),
            np.zeros(n, dtype=np.bool_),
            np.array(codes.orders, dtype=np.int64),
            np.zeros(k),
            np.zeros(k, dtype=np.int64),
            _new_families(k if n_families else 0, n_families),
            n_families,
            theta,
            certifies,
        )
        for j, code in enumerate(codes):
            self._write_code(j, code)
        # What kernels take: the same arrays by reference.
        self.record = as_record(self.learner)
        self._take_all_snapshots()

    def _no_codes(self, k: int) -> tuple[FloatArray, FloatArray]:
        """Return room for the dense form of k code graphs."""
        p, q = self.X.node_attrs.shape[1], self.X.edge_attrs.shape[1]
        layout = 2 * q if self.X.directed else q
        return np.zeros((k, self.order, p)), np.zeros((k, self.order, self.order, layout))

    def open_windows(self, n_windows: int) -> None:
        """Make room for so many threads, each with a graph at hand; before any of them has begun."""
        L = self.learner
        if n_windows <= len(L.shown):
            return
        graphs, codebook = _match_graphs(
            self.X, L.codes.nodes, L.codes.pairs, self.space.groups, n_windows=n_windows
        )
        measure_orders(codebook)
        refresh_all(codebook)
        self.learner = L._replace(G=graphs, codes=codebook, shown=np.full(n_windows, -1, dtype=np.int64))
        self.record = as_record(self.learner)

    @property
    def n_codes(self) -> int:
        """Number of code graphs."""
        return len(self.learner.wins)

    def _write_code(self, j: int, code: Graph) -> None:
        """Put a graph in the place of code graph j."""
        nodes, pairs = lift(code, self.space.first_mapping(code), self.order)
        self.learner.codes.nodes[j] = nodes
        self.learner.codes.pairs[j] = _adjacency_layout(pairs, code.directed)
        self.learner.codes.stale[j] = True

    def _take_all_snapshots(self) -> None:
        """Make the code graphs as they are now all that bounds count from."""
        codes = self.learner.codes
        measure_orders(codes)
        set_norms(self.record)
        refresh_all(codes)
        take_all_snapshots(codes, self.learner.drift)
        if self.learner.n_families:
            self._sort_into_families()

    def _sort_into_families(self) -> None:
        """Make families of code graphs of like norms: norms alone tell many graphs apart from them."""
        families = self.learner.families
        families.member[:] = np.argsort(self.learner.code_sq_norm, kind="stable")
        families.of[families.member] = np.repeat(np.arange(len(families.past)), np.diff(families.ptr))

    def place_codes(self, nodes: FloatArray, pairs: FloatArray) -> None:
        """Set the code graphs of a state that knows nothing of them yet."""
        L = self.learner
        L.codes.nodes[:], L.codes.pairs[:] = nodes, pairs
        L.codes.stale[:] = True
        self._take_all_snapshots()
        L.order[:] = L.codes.order

    def code(self, j: int) -> Graph:
        """Return code graph j as it is now."""
        codes = self.learner.codes
        q = self.X.edge_attrs.shape[1]
        return self.space.target(Dense(codes.nodes[j], np.ascontiguousarray(codes.pairs[j, :, :, :q])))

    def codebook(self) -> GraphCollection:
        """Return all code graphs as they are now."""
        return GraphCollection([self.code(j) for j in range(self.n_codes)])

    def replace_code(self, j: int, code: Graph) -> None:
        """Move a code graph somewhere else at once: all that was known of it is forgotten."""
        L = self.learner
        self._write_code(j, code)
        measure_orders(L.codes)
        refresh_all(L.codes)
        set_norms(self.record)
        L.order[j] = max(code.order, 1)
        L.wins[j] = 0
        # Snapshots of what the code graph was tell nothing: a bound of 0 from the new one is always valid.
        L.drift.nodes[j], L.drift.pairs[j] = L.codes.flat_nodes[j], L.codes.flat_pairs[j]
        L.drift.order[j] = L.codes.order[j]
        L.drift.taken_at[j] = L.drift.path[j]
        L.lower[:, j] = 0.0

    def arrays(self) -> dict[str, AnyArray]:
        """Return the arrays that make up the state, by name, for checkpoints; shared, not copied."""
        L = self.learner
        named: dict[str, AnyArray] = {
            name: getattr(L, name)
            for name in Learner._fields
            if isinstance(getattr(L, name), np.ndarray) and name not in _NOT_SAVED
        }
        named |= {"code_nodes": L.codes.nodes, "code_pairs": L.codes.pairs}
        named |= {f"drift_{name}": getattr(L.drift, name) for name in Drift._fields if name != "recent"}
        named |= {f"families_{name}": getattr(L.families, name) for name in Families._fields}
        return named

    def restore(self, arrays: dict[str, AnyArray]) -> None:
        """Set the state to saved arrays."""
        for name, target in self.arrays().items():
            set_array(target, arrays[name], name)
        self.learner.codes.stale[:] = True
        measure_orders(self.learner.codes)
        refresh_all(self.learner.codes)
        set_norms(self.record)


class Worker:
    """A matcher and the buffers of one thread, for one state.

    Parameters
    ----------
    state : State
    matcher : Matcher
    stop : ndarray of int of shape (1,)
        Shared by all workers; a kernel ends early when it is set.
    window : int
        That of this thread, see :meth:`State.open_windows`.
    """

    def __init__(self, state: State, matcher: Matcher, stop: IntArray, window: int = 0) -> None:
        self.error: BaseException | None = None
        self._state, self._stop = state, stop
        self._user_matcher = matcher
        native = isinstance(matcher, KernelMatcher)
        kernel_matcher = matcher if isinstance(matcher, KernelMatcher) else ForeignMatcher(self._ask)
        self.kernel_matcher = kernel_matcher
        n, k, L = state.order, state.n_codes, state.learner
        size = max(n, state.X.max_order, 1)
        buffers = _buffers(kernel_matcher, size, L.G)
        pairs, known = np.zeros((1, 2), dtype=np.int64), np.full(1, np.inf)
        rows_to_columns, value = np.full((1, size), -1, dtype=np.int64), np.zeros((1, 2))
        search_nodes = np.zeros(1, dtype=np.int64)
        options = kernel_matcher.options()
        graphs_type, buffers_type = typeof(L.G), _buffers_type()

        def compiled(matcher: KernelMatcher) -> Any:
            return compiled_function(
                type(matcher).kernel,
                (
                    graphs_type,
                    pairs,
                    0,
                    False,
                    options,
                    L.capacity,
                    buffers_type,
                    known,
                    rows_to_columns,
                    value,
                    search_nodes,
                ),
            )

        solve = compiled(kernel_matcher)
        starter = kernel_matcher.starter
        start_above = kernel_matcher.start_above if size <= MAX_SEARCH_ORDER else 0
        second = compiled_function(
            second_best if isinstance(kernel_matcher, ExactMatcher) else no_second_best,
            (graphs_type, 0, 0, np.zeros(size, dtype=np.int64), 0, 0, L.capacity, buffers_type),
        )
        self.matching = Matching(
            window,
            solve,
            options,
            solve if starter is None else compiled(starter),
            options if starter is None else starter.options(),
            size if starter is None else start_above,
            second,
            kernel_matcher.proves_up_to(size),
            native,
            buffers,
            np.full(L.drift.taken_at.shape, np.inf),
            pairs,
            np.zeros(1, dtype=np.int64),
            known,
            rows_to_columns,
            value,
            search_nodes,
            np.zeros(len(state.capacity), dtype=np.int64),
            np.zeros((1, 2)),
            np.zeros(size, dtype=np.int64),
            np.full((1, size), -1, dtype=np.int64),
            np.zeros(size, dtype=np.int64),
            np.zeros(k),
            np.zeros(k, dtype=np.int64),
            np.zeros(N_COUNTERS, dtype=np.int64),
            stop,
        )
        self.record = as_record(self.matching)

        def service(kernel: Any, last: float) -> Any:
            return compiled_function(kernel, (state.record, self.record, 0, last))

        self.services = as_record(
            Services(
                service(match_code, 0),
                service(second_sq_distance, 0),
                service(bound_code, 0),
                service(learn, 0.0),
            )
        )

    def _ask(self, pairs: IntArray, rows_to_columns: IntArray, value: FloatArray) -> None:
        """Ask the user's matcher; an error ends the run and is raised when the kernel has returned."""
        try:
            L = self._state.learner
            i, j = int(L.shown[self.matching.window]), (int(pairs[0, 1]) - L.codes.first) // 2
            x, y = self._state.X[i], self._state.code(j)
            found = self._user_matcher.match(x, y, self._state.order)
            source = f"{type(self._user_matcher).__name__}.match"
            rows_to_columns[0, : x.order] = check_mapping(found, x, y, self._state.order, source)
            bound_sq = bound_code(self._state.record, self.record, i, j)
            value[0, 1] = 0.5 * (bound_sq - L.sq_norm[i] - L.G.sq_norm[pairs[0, 1]])
        except BaseException as error:
            self.error = error
            self._stop[0] = 1
            rows_to_columns[0] = np.arange(rows_to_columns.shape[1])

    @contextmanager
    def registered(self) -> Iterator[None]:
        """Make a matcher written in Python known to the kernels."""
        if isinstance(self.kernel_matcher, ForeignMatcher):
            with self.kernel_matcher:
                yield
        else:
            yield


def _buffers(matcher: KernelMatcher, size: int, graphs: MatchGraphs) -> Buffers:
    search_size = min(size, MAX_SEARCH_ORDER) if matcher.searches else 0
    # A code graph may get an edge between any two of its nodes.
    slots = search_size * (search_size - 1) if matcher.searches else 0
    return Buffers(
        pair_buffers(size, size * (size - 1), graphs.adj_vec.shape[1], graphs.pair_weight),
        dual_buffers(search_size, search_size, slots),
        search_buffers(search_size, search_size),
    )


@cache
def _buffers_type() -> Any:
    """Return the type of all buffers, whatever their sizes."""
    return typeof(Buffers(pair_buffers(1, 0), dual_buffers(1, 1, 0), search_buffers(1, 1)))


def _new_drift(codes: Codebook) -> Drift:
    """Make room for snapshots, as many as fit in the memory set aside for them."""
    (k, n_node_values), n_pair_values = codes.flat_nodes.shape, codes.flat_pairs.shape[1]
    slots = _SNAPSHOT_BYTES // (8 * max(1, k * (n_node_values + n_pair_values)))
    final = int(np.clip(slots // 8, 1, _FINAL))
    recent = int(np.clip((slots - final) // 2, 1, _RECENT))
    slots = 2 * recent + final
    return Drift(
        np.zeros((k, slots, n_node_values)),
        np.zeros((k, slots, n_pair_values)),
        np.zeros(k),
        np.zeros((k, slots), dtype=np.int64),
        np.zeros((k, slots)),
        np.zeros(k, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
        np.zeros(k, dtype=np.int64),
        np.ones(k, dtype=np.int64),
        recent,
    )


def _new_families(n_codes: int, n_families: int) -> Families:
    """Make room for families of about equal size."""
    return Families(
        np.linspace(0, n_codes, n_families + 1).astype(np.int64),
        np.zeros(n_codes, dtype=np.int64),
        np.zeros(n_codes, dtype=np.int64),
        np.zeros(n_families),
        np.zeros(n_codes),
    )


def _match_graphs(
    X: GraphCollection, nodes: FloatArray, pairs: FloatArray, groups: AnyArray | None, *, n_windows: int
) -> tuple[MatchGraphs, Codebook]:
    """Make room for graphs as matchers see them: windows, then code graphs of a dense form, not yet written.

    Each has room for ``order`` nodes and for an empty graph behind it, see ``kernels/codebook.py``.
    """
    n_codes, order, p = nodes.shape
    n_places, room = n_windows + n_codes, order + 1
    # Each edge stands with both its nodes; a code graph may get one between any two of its nodes.
    slots = np.repeat([2 * int(X.n_edges.max(initial=0)), order * (order - 1)], [n_windows, n_codes])
    first_slot = np.concatenate([[0], np.cumsum(slots)])
    classes = np.zeros(room, dtype=np.int32)
    if groups is not None:
        classes[:order] = groups
    q, n_slots = pairs.shape[3], int(first_slot[-1])
    writable = MatchGraphs(
        np.repeat(room * np.arange(n_places + 1), 2)[:-1],
        np.zeros((n_places * room, p)),
        np.tile(classes, n_places),
        np.append(np.repeat(first_slot[:-1], room), n_slots),
        np.zeros(n_slots, dtype=np.int32),
        np.zeros((n_slots, q)),
        np.zeros((n_slots, q)),
        np.zeros(2 * n_places),
        np.zeros(2 * n_places, dtype=np.bool_),
        1.0 if X.directed else 2.0,
    )
    shared = writable._replace(
        node_ptr=_read_only(writable.node_ptr),
        node_attr=_read_only(writable.node_attr),
        group=_read_only(writable.group),
    )
    codes = Codebook(
        nodes,
        pairs,
        nodes.reshape(n_codes, -1),
        pairs.reshape(n_codes, -1),
        np.zeros(n_codes, dtype=np.int64),
        np.ones(n_codes, dtype=np.bool_),
        groups is not None,
        2 * n_windows,
        writable,
    )
    return shared, codes


def set_array(target: AnyArray, saved: AnyArray, name: str) -> None:
    """Write a saved array into one of the same shape: numpy alone would repeat a smaller one."""
    if saved.shape != target.shape:
        raise ValueError(f"{name} has shape {saved.shape} instead of {target.shape}")
    target[...] = saved


def _read_only(array: AnyArray) -> AnyArray:
    """Return a view of the type that matchers are compiled for."""
    view = array.view()
    view.setflags(write=False)
    return view


def _adjacency_layout(pairs: FloatArray, directed: bool) -> FloatArray:
    """Return pair vectors as adjacency slots hold them: those of a directed pair outgoing first."""
    return np.concatenate([pairs, pairs.transpose(1, 0, 2)], axis=2) if directed else pairs


__all__ = ["State", "Worker", "set_array"]
