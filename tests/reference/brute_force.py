"""The distance of two graphs by definition: dense padded matrices, every permutation, or one MILP.

Nothing here shares code with the library, apart from reading the arrays of a ``Graph``.
"""

from dataclasses import dataclass
from functools import cache
from itertools import permutations, product

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array


@dataclass(frozen=True)
class Dense:
    """The paper's matrix representation: vectors on the diagonal and off it, zero nodes to the order."""

    nodes: np.ndarray  # (n, p)
    edges: np.ndarray  # (n, n, q); an undirected edge stands in (i, j) and in (j, i)
    classes: np.ndarray  # (n,) class of each position

    @property
    def order(self):
        return len(self.nodes)

    @property
    def norm(self):
        return float(np.sqrt((self.nodes**2).sum() + (self.edges**2).sum()))


def class_sizes(*graphs, order=None):
    """Positions of each class: as many as the largest graph needs, and ``order`` without groups."""
    if graphs[0].groups is None:
        return [max(order or 0, *(graph.order for graph in graphs))]
    n_classes = 1 + max(int(graph.groups.max(initial=0)) for graph in graphs)
    return [max(int((graph.groups == g).sum()) for graph in graphs) for g in range(n_classes)]


def dense(graph, sizes):
    """Nodes first, then zero nodes, class by class, until each class has its number of positions."""
    groups = np.zeros(graph.order, dtype=int) if graph.groups is None else graph.groups
    classes = np.concatenate(
        [groups, *(np.full(size - (groups == g).sum(), g, dtype=int) for g, size in enumerate(sizes))]
    )
    nodes = np.zeros((len(classes), graph.node_attrs.shape[1]))
    edges = np.zeros((len(classes), len(classes), graph.edge_attrs.shape[1]))
    nodes[: graph.order] = graph.node_attrs
    for (i, j), attrs in zip(graph.edges, graph.edge_attrs, strict=True):
        edges[i, j] = attrs
        if not graph.directed:
            edges[j, i] = attrs
    return Dense(nodes, edges, classes)


@cache
def _all_permutations(n):
    rows = list(permutations(range(n)))
    return np.array(rows, dtype=int).reshape(len(rows), n)


@cache
def _permutations_between(classes_x, classes_y):
    """Every way to place the positions of x on positions of y of the same class, one a row."""
    places = [np.flatnonzero(np.equal(classes_y, g)) for g in sorted(set(classes_y))]
    rows = []
    for chosen in product(*(_all_permutations(len(place)) for place in places)):
        row = np.empty(len(classes_x), dtype=int)
        for g, place, permutation in zip(sorted(set(classes_x)), places, chosen, strict=True):
            row[np.equal(classes_x, g)] = place[permutation]
        rows.append(row)
    return np.array(rows, dtype=int).reshape(len(rows), len(classes_x))


def permuted_distance(x, y, mapping):
    """Distance of two dense representations when position i of x is laid on ``mapping[i]`` of y."""
    mapping = np.asarray(mapping, dtype=int)
    nodes = x.nodes - y.nodes[mapping]
    edges = x.edges - y.edges[mapping[:, None], mapping[None, :]]
    return float(np.sqrt((nodes**2).sum() + (edges**2).sum()))


def squared_distances(x, y):
    """All permutations that respect the classes, and the squared distance under each of them."""
    ways = _permutations_between(tuple(x.classes.tolist()), tuple(y.classes.tolist()))
    nodes = ((x.nodes - y.nodes[ways]) ** 2).sum(axis=(1, 2))
    edges = ((x.edges - y.edges[ways[:, :, None], ways[:, None, :]]) ** 2).sum(axis=(1, 2, 3))
    return ways, nodes + edges


def brute_force_distance(x, y, order=None, *, sizes=None):
    """d(x, y): the least Euclidean distance over all permutations of the padded representations."""
    sizes = class_sizes(x, y, order=order) if sizes is None else sizes
    return float(np.sqrt(squared_distances(dense(x, sizes), dense(y, sizes))[1].min()))


def mapping_distance(x, y, mapping, order=None, *, sizes=None):
    """Distance that a mapping of x's nodes to positions of y gives; checks that it is a mapping at all."""
    sizes = class_sizes(x, y, order=order) if sizes is None else sizes
    left, right = dense(x, sizes), dense(y, sizes)
    mapping = np.asarray(mapping)
    assert mapping.shape == (x.order,)
    assert len(set(mapping.tolist())) == x.order, "two nodes share a position"
    assert ((mapping >= 0) & (mapping < right.order)).all(), "a position outside the graph space"
    assert (left.classes[: x.order] == right.classes[mapping]).all(), "a position of another class"
    full = np.empty(left.order, dtype=int)
    full[: x.order] = mapping
    free = np.setdiff1d(np.arange(right.order), mapping)
    for g in range(len(sizes)):  # zero nodes of x go where there is room
        rest = np.flatnonzero(left.classes[x.order :] == g) + x.order
        full[rest] = free[right.classes[free] == g]
    return permuted_distance(left, right, full)


def milp_distance(x, y, order=None):
    """d(x, y) by the linearisation of Adams and Johnson, solved by HiGHS.

    Binary a[r, p] lays position r of x on p of y. For each unordered pair r < s of x that carries an
    edge, b[r, s, p, q] stands for the product a[r, p] a[s, q]: it sums to a[r, p] over q and to
    a[s, q] over p. The gain to maximise is linear in a and b; the distance is then computed afresh
    from the permutation found.
    """
    sizes = class_sizes(x, y, order=order)
    left, right = dense(x, sizes), dense(y, sizes)
    n = left.order
    pairs = [(r, s) for r in range(n) for s in range(r + 1, n) if left.edges[[r, s], [s, r]].any()]
    places = [(p, q) for p in range(n) for q in range(n) if p != q]
    n_binary = n * n
    gains = np.concatenate(
        [
            (left.nodes @ right.nodes.T).ravel(),
            *(
                [
                    left.edges[r, s] @ right.edges[p, q] + left.edges[s, r] @ right.edges[q, p]
                    for p, q in places
                ]
                for r, s in pairs
            ),
        ]
    )
    rows, columns, values, right_sides = [], [], [], []

    def add(terms, total):
        for column, value in terms:
            rows.append(len(right_sides))
            columns.append(column)
            values.append(value)
        right_sides.append(total)

    for r in range(n):
        add([(n * r + p, 1.0) for p in range(n)], 1.0)
        add([(n * p + r, 1.0) for p in range(n)], 1.0)
    for k, (r, s) in enumerate(pairs):
        at = {place: n_binary + k * len(places) + m for m, place in enumerate(places)}
        for p in range(n):
            others = [q for q in range(n) if q != p]
            add([(at[p, q], 1.0) for q in others] + [(n * r + p, -1.0)], 0.0)
            add([(at[q, p], 1.0) for q in others] + [(n * s + p, -1.0)], 0.0)
    upper = np.ones(len(gains))
    upper[:n_binary] = np.equal.outer(left.classes, right.classes).ravel()
    matrix = coo_array((values, (rows, columns)), shape=(len(right_sides), len(gains))).tocsr()
    # HiGHS stops at an absolute gap of 1e-6: scaling makes that a small one.
    scale = 1e4 / max(np.abs(gains).max(initial=0.0), 1e-300)
    found = milp(
        -scale * gains,
        integrality=np.arange(len(gains)) < n_binary,
        bounds=Bounds(0.0, upper),
        constraints=LinearConstraint(matrix, right_sides, right_sides),
        options={"mip_rel_gap": 0.0},
    )
    assert found.success, found.message
    return permuted_distance(left, right, found.x[:n_binary].reshape(n, n).argmax(axis=1))
