"""Hostile arrays and parameters at every function that hands arrays to the core.

Each case ends in a result, or in one of our errors (or a MemoryError for what is too large). A crash ends the
program. ``python -m tests.fuzz.boundary all 10000`` writes the counts as JSON; with a library built with
sanitizers (``GRAPHQUANT_LIBRARY``) their reports end it, too.
"""

from contextlib import suppress

import numpy as np

import graphquant as gq
from graphquant.bounds import lower_bounds
from graphquant.graphs import Column, GraphCollection
from graphquant.initialisation import INITIALISATIONS, initialise
from tests.fuzz.states import states
from tests.fuzz.watch import run

NUMBERS = (
    0, 1, -1, 2, 3, 7, 2**15, 2**31 - 1, 2**31, 2**32, 2**53, 2**62, 2**63 - 1, 2**63, 2**64,
    10**30, -(2**31), -(2**63), 0.0, 0.5, -0.5, 1e-300, 1e300, 1e308, 1e-320, float("nan"), float("inf"),
    -float("inf"), None, True, "x", "", (), [], {},
)  # fmt: skip
TYPES = (
    np.float64,
    np.float32,
    np.int64,
    np.int32,
    np.uint8,
    np.bool_,
    np.complex128,
    object,
    "U3",
    np.float16,
)


def hostile_array(rng, array):
    """Change an array: values, type, shape, order, or all of it."""
    array = np.array(array)
    for _ in range(1 + rng.integers(2)):
        change = rng.integers(9)
        if change == 0 and array.size:
            # Small types do not hold all of them.
            with suppress(OverflowError):
                array.reshape(-1)[rng.integers(array.size)] = rng.choice([-1, 0, 1, 5, 2**31 - 1])
        elif change == 1 and array.size and array.dtype.kind == "f":
            array.reshape(-1)[rng.integers(array.size)] = rng.choice(
                [np.nan, np.inf, 1e308, -1e200, 1e-320, -0.0]
            )
        elif change == 2:
            kind = TYPES[rng.integers(len(TYPES))]
            with suppress(TypeError, ValueError, OverflowError):
                array = array.astype(kind)
        elif change == 3 and array.ndim:
            array = array[: rng.integers(len(array) + 1)]
        elif change == 4 and array.ndim:
            array = np.concatenate([array, array[: rng.integers(len(array) + 1)]])
        elif change == 5:
            array = array.T
        elif change == 6:
            array = array[..., None] if rng.random() < 0.5 else array.reshape(-1)
        elif change == 7 and array.ndim:
            array = array[::-1]
        elif change == 8 and array.ndim == 2:
            array = np.asfortranarray(array)
    return array


def some(rng, *values):
    return values[rng.integers(len(values))]


def number(rng):
    return NUMBERS[rng.integers(len(NUMBERS))]


def small(rng, *, directed=False, groups=False, n_graphs=4, channels=(2, 1)):
    """A valid collection of small graphs."""
    graphs = []
    for _ in range(n_graphs):
        n = int(rng.integers(0 if n_graphs > 1 else 1, 6))
        pairs = [(i, j) for i in range(n) for j in range(n) if (i != j if directed else i < j)]
        edges = [pair for pair in pairs if rng.random() < 0.5]
        graphs.append(
            gq.Graph(
                rng.normal(size=(n, channels[0])),
                np.array(edges, dtype=np.int64).reshape(-1, 2),
                rng.normal(size=(len(edges), channels[1])),
                directed=directed,
                groups=rng.integers(0, 3, n) if groups else None,
            )
        )
    return GraphCollection(graphs)


def collection(dice, number_):
    """Packed arrays, some of them hostile: what a collection takes, everything takes."""
    rng = np.random.default_rng(number_)
    whole = small(rng, directed=bool(rng.integers(2)), groups=bool(rng.integers(2))).packed()
    arrays = {
        "node_offsets": whole.node_offsets,
        "node_attrs": whole.node_attrs,
        "edge_offsets": whole.edge_offsets,
        "edges": whole.edges,
        "edge_attrs": whole.edge_attrs,
        "groups": whole.groups,
    }
    for _ in range(1 + rng.integers(2)):
        name = some(rng, *(name for name, array in arrays.items() if array is not None))
        arrays[name] = hostile_array(rng, arrays[name])
    groups = arrays.pop("groups")
    X = GraphCollection.from_arrays(*arrays.values(), directed=whole.directed, groups=groups)
    use(rng, X)
    return "accepted"


def use(rng, X):
    """Hand a collection to one of the functions that call the core."""
    if not len(X):
        return
    job = rng.integers(5)
    if job == 0:
        gq.pairwise_distances(X, matcher=some(rng, "auto", "exact", "frank-wolfe", "graduated-assignment"))
    elif job == 1:
        lower_bounds(X, X, hostile_array(rng, rng.integers(0, len(X), size=(3, 2))))
    elif job == 2:
        q = gq.GraphQuantizer(
            min(2, len(X)), max_cycles=2, random_state=0, algorithm=some(rng, "lossless", "fast")
        )
        q.fit(X).transform(X)
    elif job == 3:
        gq.mean(X, max_iter=3, random_state=0)
    else:
        gq.match(X[0], X[len(X) - 1])


def pairs(dice, number_):
    """Pairs of graph numbers."""
    rng = np.random.default_rng(number_)
    X, Y = small(rng), small(rng)
    chosen = hostile_array(rng, rng.integers(0, 4, size=(3, 2)))
    if rng.random() < 0.2:
        chosen = some(rng, None, [], [[0, 0]], [[0, 4]], [(0,)], "ab", [[0.5, 1.0]], number(rng))
    gq.match_all(X, Y, chosen, order=some(rng, None, None, None, number(rng)))
    return "accepted"


class Liar:
    """A matcher of the user's own that answers anything."""

    def __init__(self, rng):
        self.rng = rng

    def match(self, x, y, order):
        good = self.rng.permutation(order)[: x.order]
        if self.rng.random() < 0.95:
            return good
        return some(self.rng, hostile_array(self.rng, good), number(self.rng), list(good), good - 1, good + 1)


def own_matcher(dice, number_):
    """A matcher in Python whose mappings are wrong."""
    rng = np.random.default_rng(number_)
    X = small(rng, groups=bool(rng.integers(2)))
    try:
        if rng.random() < 0.5:
            gq.pairwise_distances(X, matcher=Liar(rng))
        else:
            gq.GraphQuantizer(2, matcher=Liar(rng), max_cycles=2, init="random", random_state=0).fit(X)
    except gq.exceptions.GraphQuantError:
        raise
    except (TypeError, ValueError):
        # What numpy says of a list that is no array is fine here.
        return "refused by numpy"
    return "accepted"


def matchers(dice, number_):
    """Options of matchers."""
    rng = np.random.default_rng(number_)
    X = small(rng)
    kind, names = some(
        rng,
        (gq.ExactMatcher, ("node_limit", "time_limit")),
        (gq.FrankWolfe, ("max_iter", "n_starts")),
        (
            gq.GraduatedAssignment,
            ("beta_start", "beta_end", "max_inner", "max_sinkhorn", "tol_inner", "tol_sinkhorn"),
        ),
    )
    matcher = kind(**{some(rng, *names): number(rng)})
    gq.pairwise_distances(X, matcher=matcher)
    return "accepted"


def estimator(dice, number_):
    """Parameters of the estimator."""
    rng = np.random.default_rng(number_)
    X = small(rng, n_graphs=6)
    name = some(
        rng, "n_codes", "n_init", "learning_rate", "max_cycles", "tol", "theta", "batch_size", "order",
        "n_jobs", "init", "algorithm", "matcher", "random_state",
    )  # fmt: skip
    settings = {"n_codes": 2, "max_cycles": 2, "random_state": 0, "n_jobs": 1}
    value = number(rng)
    if name in ("max_cycles", "n_init") and isinstance(value, int) and value > 100:
        return "not asked"
    if name == "learning_rate" and rng.random() < 0.5:
        value = (number(rng), number(rng))
    if name == "init" and rng.random() < 0.7:
        value = small(rng, n_graphs=int(rng.integers(0, 4)), channels=(int(rng.integers(1, 3)), 1))
    if name == "theta":
        settings["algorithm"] = "accelerated"
    gq.GraphQuantizer(**{**settings, name: value}).fit(X).predict(X)
    return "accepted"


def codebook(dice, number_):
    """Graphs and codebooks that do not belong together."""
    rng = np.random.default_rng(number_)
    groups, directed = bool(rng.integers(2)), bool(rng.integers(2))
    X = small(rng, groups=groups, directed=directed)
    q = gq.GraphQuantizer(2, max_cycles=1, init="random", random_state=0, n_jobs=1).fit(X)
    new = small(
        rng,
        groups=groups == (rng.random() < 0.8),
        directed=directed == (rng.random() < 0.8),
        channels=some(rng, (2, 1), (2, 1), (1, 1), (2, 2)),
        n_graphs=int(rng.integers(0, 5)),
    )
    getattr(q, some(rng, "predict", "transform", "match", "score", "partial_fit"))(new)
    return "accepted"


def starts(dice, number_):
    """Starts: medoids, seeds, furthest first."""
    rng = np.random.default_rng(number_)
    X = small(rng, n_graphs=int(rng.integers(1, 8)))
    init = some(rng, *INITIALISATIONS, number(rng))
    initialise(
        init,
        X,
        some(rng, 1, 2, len(X), number(rng)),
        order=some(rng, None, None, number(rng)),
        random_state=0,
    )
    return "accepted"


def raw(rng):
    """A graph with labels and numbers, some of them odd."""
    one = small(rng, n_graphs=1)
    names = ("a", "b", "", "\x1b[31m", "=1", "None")
    columns = [
        {
            "label": Column.from_strings([some(rng, *names) for _ in range(n)]),
            "x": Column.from_numbers([_odd_number(rng) for _ in range(n)]),
        }
        for n in (one[0].order, one[0].n_edges)
    ]
    return gq.RawGraphs([0, one[0].order], [0, one[0].n_edges], one[0].edges, *columns)


def _odd_number(rng):
    return rng.normal() if rng.random() < 0.97 else some(rng, 1e100, -1e99, 1e-320, 0.0, 1e8)


def edits(dice, number_):
    """Costs, thresholds and limits of edit distances."""
    rng = np.random.default_rng(number_)
    settings = {}
    for _ in range(rng.integers(3)):
        name = some(
            rng, "node_substitution", "node_indel", "edge_substitution", "edge_indel", "node_table",
            "edge_table", "node", "edge", "common_edges",
        )  # fmt: skip
        settings[name] = _setting(rng, name)
    costs = gq.preprocessing.EditCosts(**settings) if rng.random() < 0.9 else number(rng)
    options = {some(rng, "threshold", "node_limit", "time_limit"): number(rng)} if rng.random() < 0.4 else {}
    x, y = raw(rng), raw(rng)
    job = rng.integers(4)
    if job == 0:
        gq.edit_distance(x, y, costs, **options)
    elif job == 1:
        gq.pairwise_edit_distances(gq.RawGraphs.concatenate([x, y, raw(rng)]), None, costs, **options)
    elif job == 2:
        options.pop("threshold", None)
        gq.common_subgraph(x, y, costs if rng.random() < 0.2 else None, **options)
    else:
        both = gq.RawGraphs.concatenate([x, y, raw(rng)])
        settings = {"max_cycles": 1, "random_state": 0, "n_jobs": 1}
        gq.GraphQuantizer(2, encoder=costs, **settings).fit(both).predict(both)
    return "accepted"


def _setting(rng, name):
    if name.endswith("table"):
        pair = some(rng, ("a", "b"), ("a", None), (None, "b"), ("a", "a"), ("x",), "ab", 3, (1.0, 2.0))
        return some(rng, {pair: number(rng)}, {pair: 0.7}, {"label": {pair: number(rng)}}, number(rng))
    if name in ("node", "edge"):
        odd = gq.preprocessing.Numeric("x", center=0.5, weight=2.0)
        return some(rng, "label", (), ["label", "x"], odd, ["label", odd], ["x", "x"], "colour", number(rng))
    if name == "common_edges":
        return some(rng, True, number(rng))
    return some(rng, number(rng), float(rng.random()), {"label": number(rng)}, {"x": 1.0})


def _with_memory(case):
    def tolerant(dice, number_):
        try:
            return case(dice, number_)
        except MemoryError:
            return "too large"

    return lambda: tolerant


KINDS = {
    case.__name__: _with_memory(case)
    for case in (collection, pairs, own_matcher, matchers, estimator, codebook, starts, edits)
} | {"states": _with_memory(states(small))}

if __name__ == "__main__":
    run(KINDS)
