"""Edit distances by definition: every way to map, delete and insert nodes, with costs from a function.

Each node and each edge is edited at most once, as in networkx. Nothing here shares code with the library.
"""

import math
from functools import cache
from itertools import combinations, permutations

import networkx as nx
import numpy as np


def partial_maps(left, right):
    """Yield every way to give some of the left distinct ones of the right, as dictionaries."""
    for k in range(min(len(left), len(right)) + 1):
        for chosen in combinations(left, k):
            for images in permutations(right, k):
                yield dict(zip(chosen, images, strict=True))


def cost_of_map(x, y, image, node_cost, edge_cost):
    """Cost of one map; ``node_cost(a, b)`` and ``edge_cost(a, b)`` take attributes, None for nothing.

    Between nodes that stay an edge may be changed, or deleted and another one inserted.
    """
    total = 0.0
    for node, data in x.nodes(data=True):
        total += node_cost(data, y.nodes[image[node]] if node in image else None)
    for node, data in y.nodes(data=True):
        if node not in image.values():
            total += node_cost(None, data)
    met = set()
    for a, b, data in x.edges(data=True):
        ends = (image.get(a), image.get(b))
        if None not in ends and y.has_edge(*ends):
            other = y.edges[ends]
            apart = edge_cost(data, None) + edge_cost(None, other)
            total += min(edge_cost(data, other), apart)
            met |= {ends} if y.is_directed() else {ends, ends[::-1]}
        else:
            total += edge_cost(data, None)
    return total + sum(edge_cost(None, data) for a, b, data in y.edges(data=True) if (a, b) not in met)


def edit_distance_plainly(x, y, node_cost, edge_cost):
    """Least cost over all maps, as it is defined."""
    return min(cost_of_map(x, y, image, node_cost, edge_cost) for image in partial_maps(list(x), list(y)))


@cache
def maps_of(n, m):
    """Every partial map of n nodes to m as a row; m stands for nothing."""
    rows = [[image.get(r, m) for r in range(n)] for image in partial_maps(range(n), range(m))]
    return np.array(rows, dtype=np.int64).reshape(len(rows), n)


def edit_distance(x, y, node_cost, edge_cost):
    """Least cost over all maps at once: costs in tables, what is inserted counted first and taken back."""
    left, right, n, m = list(x), list(y), len(x), len(y)
    maps = maps_of(n, m)
    added = np.array([node_cost(None, y.nodes[node]) for node in right] + [0.0])
    total = np.full(len(maps), added.sum() + sum(edge_cost(None, data) for *_, data in y.edges(data=True)))
    for r, node in enumerate(left):
        costs = [node_cost(x.nodes[node], y.nodes[other]) for other in right]
        total += (np.array([*costs, node_cost(x.nodes[node], None)]) - added)[maps[:, r]]
    for r, s in permutations(range(n), 2) if x.is_directed() else combinations(range(n), 2):
        if not x.has_edge(left[r], left[s]):
            continue
        data = x.edges[left[r], left[s]]
        costs = np.full((m + 1, m + 1), float(edge_cost(data, None)))
        for p, t in permutations(range(m), 2):
            if y.has_edge(right[p], right[t]):
                other = y.edges[right[p], right[t]]
                taken_back = edge_cost(None, other)
                costs[p, t] = min(edge_cost(data, other) - taken_back, edge_cost(data, None))
        total += costs[maps[:, r], maps[:, s]]
    return float(total.min())


def label_cost(substitution, indel, table=None, name="label"):
    """Return a cost function of labels with a table of exceptions."""
    table = table or {}

    def price(a, b):
        return table.get((a, b), table.get((b, a), indel if b is None else substitution))

    def cost(one, other):
        a, b = (None if data is None else (data.get(name),) for data in (one, other))
        if a is None or b is None:
            return price((a or b)[0], None)
        return 0.0 if a == b else price(a[0], b[0])

    return cost


def added(*costs):
    """Return the sum of cost functions: several attributes."""
    return lambda one, other: sum(cost(one, other) for cost in costs)


def squared(name, weight=1.0, center=0.0):
    """Return squared differences of a number."""

    def cost(one, other):
        if one is None or other is None:
            return weight * ((one or other)[name] - center) ** 2
        return weight * (one[name] - other[name]) ** 2

    return cost


def common_edges(x, y, node="label", edge="label", weight=lambda data: 1.0):
    """Greatest weight of a common edge subgraph: labels of edges and of both their ends are equal."""
    best = 0.0
    for image in full_maps(list(x), list(y)):
        total = 0.0
        for a, b, data in x.edges(data=True):
            p, t = image.get(a), image.get(b)
            if p is None or t is None or not y.has_edge(p, t):
                continue
            ends = x.nodes[a].get(node) == y.nodes[p].get(node) and x.nodes[b].get(node) == y.nodes[t].get(
                node
            )
            if ends and data.get(edge) == y.edges[p, t].get(edge):
                total += weight(data)
        best = max(best, total)
    return best


def full_maps(left, right):
    """Yield every way to map as many as possible: what edges are lost costs no more."""
    if len(left) <= len(right):
        for images in permutations(right, len(left)):
            yield dict(zip(left, images, strict=True))
    else:
        for sources in permutations(left, len(right)):
            yield dict(zip(sources, right, strict=True))


def random_graph(rng, n, *, directed=False, density=0.5, node_labels="CNO", edge_labels="", numbers=()):
    """Return a random networkx graph with the attributes ``label`` and numbers from a small range."""
    graph = nx.DiGraph() if directed else nx.Graph()
    for i in range(n):
        graph.add_node(f"v{i}", **_data(rng, node_labels, numbers))
    for i in range(n):
        for j in range(n):
            if (i < j or (directed and i != j)) and rng.random() < density:
                graph.add_edge(f"v{i}", f"v{j}", **_data(rng, edge_labels, ()))
    return graph


def _data(rng, labels, numbers):
    data = {"label": str(rng.choice(list(labels)))} if labels else {}
    return data | {name: float(rng.integers(-2, 3)) for name in numbers}


def same(a, b):
    """Whether two graphs are equal but for the names of their nodes."""
    return nx.is_isomorphic(a, b, node_match=dict.__eq__, edge_match=dict.__eq__)


def is_multiple(value, of):
    """Whether a number is a multiple, exactly."""
    return math.isclose(value / of, round(value / of), abs_tol=1e-12)
