"""Graphs to match: molecules of the IAM graph database, hydrocarbons that are made here, dense graphs."""

from functools import cache

import numpy as np
from numpy.random import Generator

import graphquant as gq

# Where a hexagon of benzenoids lies beside another, in axial coordinates, and its corners in sixths of these.
_BESIDE = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
_CORNERS = ((1, 1), (-1, 2), (-2, 1), (-1, -1), (1, -2), (2, -1))
# Families of dense problems: costs of transport, of which less is better, and networks that are alike.
DENSE_KINDS = ("flows and places", "flows and a grid", "correlations", "uniform")


@cache
def mutagenicity(data: str, split: str) -> tuple[gq.GraphCollection, np.ndarray]:
    """A split of Mutagenicity, hydrogens as nodes, and its classes."""
    dataset = gq.datasets.load_iam("mutagenicity", data, split=split)
    return dataset.graphs, np.asarray(dataset.targets)


@cache
def paper(name: str, data: str) -> gq.GraphCollection:
    return gq.datasets.load_iam(name, data).graphs


def sample(graphs: gq.GraphCollection, count: int, seed: int) -> np.ndarray:
    return np.sort(np.random.default_rng(seed).permutation(len(graphs))[:count])


def random_pairs(n_graphs: int, count: int, seed: int) -> np.ndarray:
    """Pairs of different graphs."""
    rng = np.random.default_rng(seed)
    first = rng.integers(n_graphs, size=count)
    return np.column_stack([first, (first + rng.integers(1, n_graphs, size=count)) % n_graphs])


def benzenoid(n_hexagons: int, rng: Generator) -> gq.Graph:
    """Hexagons that have grown together: one carbon on each corner, all bonds alike."""
    cells = [(0, 0)]
    while len(cells) < n_hexagons:
        a, b = cells[rng.integers(len(cells))]
        da, db = _BESIDE[rng.integers(6)]
        if (a + da, b + db) not in cells:
            cells.append((a + da, b + db))
    number: dict[tuple[int, int], int] = {}
    bonds = set()
    for a, b in cells:
        ring = [number.setdefault((3 * a + da, 3 * b + db), len(number)) for da, db in _CORNERS]
        bonds |= {tuple(sorted((ring[k], ring[k - 1]))) for k in range(6)}
    return gq.Graph(np.ones((len(number), 1)), sorted(bonds))


def benzenoids(count: int, seed: int, sizes: tuple[int, int] = (5, 9)) -> list[gq.Graph]:
    rng = np.random.default_rng(seed)
    return [benzenoid(int(rng.integers(sizes[0], sizes[1] + 1)), rng) for _ in range(count)]


def polycyclic(rng: Generator) -> gq.Graph:
    """Rings of 5 to 7 carbons, each grown on a bond at the rim of the graph so far; 20 to 40 nodes."""
    wanted = int(rng.integers(20, 35))
    n_nodes = int(rng.integers(5, 8))
    bonds = [(k, (k + 1) % n_nodes) for k in range(n_nodes)]
    while n_nodes < wanted:
        degree = np.bincount(np.array(bonds).ravel(), minlength=n_nodes)
        free = [bond for bond in bonds if degree[bond[0]] == 2 and degree[bond[1]] == 2]
        if not free:
            break
        a, b = free[rng.integers(len(free))]
        size = int(rng.integers(5, 8))
        chain = [a, *range(n_nodes, n_nodes + size - 2), b]
        bonds += [(chain[k], chain[k + 1]) for k in range(size - 1)]
        n_nodes += size - 2
    return gq.Graph(np.ones((n_nodes, 1)), bonds)


def polycyclics(count: int, seed: int) -> list[gq.Graph]:
    rng = np.random.default_rng(seed)
    return [polycyclic(rng) for _ in range(count)]


def renumbered(graph: gq.Graph, rng: Generator) -> gq.Graph:
    return graph.permute(rng.permutation(graph.order))


def dense_problem(kind: str, n: int, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
    """Two symmetric matrices; the mapping with the largest sum of products is wanted."""
    upper = np.triu_indices(n, 1)

    def symmetric(values: np.ndarray) -> np.ndarray:
        matrix = np.zeros((n, n))
        matrix[upper] = values
        return matrix + matrix.T

    def apart(places: np.ndarray) -> np.ndarray:
        return np.sqrt(((places[:, None] - places[None]) ** 2).sum(axis=2))

    flows = symmetric(np.floor(10.0 * rng.random(len(upper[0])) ** 2 + 0.5))
    if kind == "flows and places":
        return flows, -apart(rng.random((n, 2)))
    if kind == "flows and a grid":
        width = int(np.ceil(np.sqrt(n)))
        places = np.array([(k % width, k // width) for k in range(n)], dtype=float)
        return flows, -np.abs(places[:, None] - places[None]).sum(axis=2)
    if kind == "correlations":
        signals = rng.normal(size=(n, 6))
        networks = [
            np.corrcoef(signals @ rng.normal(size=(6, 40)) + rng.normal(size=(n, 40))) for _ in range(2)
        ]
        order = rng.permutation(n)
        first, second = (symmetric(network[upper]) for network in networks)
        return first, second[np.ix_(order, order)]
    return symmetric(rng.random(len(upper[0]))), symmetric(rng.random(len(upper[0])))


def graph_of(matrix: np.ndarray) -> gq.Graph:
    """The graph of a symmetric matrix; nodes are alike."""
    edges = np.argwhere(np.triu(matrix, 1) != 0.0)
    return gq.Graph(np.zeros((len(matrix), 1)), edges, matrix[edges[:, 0], edges[:, 1]])
