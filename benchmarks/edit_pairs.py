"""Pairs of graphs for the benchmark of edit distances, made from the Mutagenicity data or from scratch."""

from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np

from graphquant.datasets import load_iam
from graphquant.graphs import RawGraphs

Graph = Any


def heavy_molecules(data: Path, least: int = 1, most: int = 10_000) -> list[Graph]:
    """Return the molecules of Mutagenicity without hydrogens, with ``label`` on nodes and edges."""
    raw = load_iam("mutagenicity", data).raw
    assert raw is not None
    found = (molecule(raw, i) for i in range(len(raw)))
    return [graph for graph in found if least <= len(graph) <= most]


def molecule(raw: RawGraphs, i: int) -> Graph:
    """Return one molecule as a networkx graph."""
    nodes = range(raw.node_offsets[i], raw.node_offsets[i + 1])
    rows = range(raw.edge_offsets[i], raw.edge_offsets[i + 1])
    atoms, bonds = raw.node_columns["chem"], raw.edge_columns["valence"]
    names = [
        atoms.categories[code] if atoms.categories else f"{code:g}" for code in atoms.values[nodes].tolist()
    ]
    graph = nx.Graph()
    for node, name in enumerate(names):
        if name.strip() != "H":
            graph.add_node(node, label=name)
    for row in rows:
        a, b = raw.edges[row].tolist()
        if a in graph and b in graph:
            value = bonds.values[row]
            graph.add_edge(a, b, label=bonds.categories[value] if bonds.categories else f"{value:g}")
    return graph


def fragments(molecules: list[Graph], count: int, most: int, seed: int = 0) -> list[Graph]:
    """Return connected induced subgraphs of up to ``most`` atoms."""
    rng = np.random.default_rng(seed)
    found = []
    while len(found) < count:
        whole = molecules[rng.integers(len(molecules))]
        size, chosen = int(rng.integers(3, most + 1)), [list(whole)[rng.integers(len(whole))]]
        while len(chosen) < size:
            around = sorted({other for node in chosen for other in whole[node]} - set(chosen))
            if not around:
                break
            chosen.append(around[rng.integers(len(around))])
        found.append(whole.subgraph(chosen).copy())
    return found


def trees_with_extra_edges(count: int, most: int, seed: int = 0) -> list[Graph]:
    """Return random trees of up to ``most`` nodes with up to three more edges."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        graph = nx.random_labeled_tree(int(rng.integers(4, most + 1)), seed=int(rng.integers(2**31)))
        for _ in range(int(rng.integers(0, 4))):
            a, b = rng.choice(len(graph), 2, replace=False).tolist()
            graph.add_edge(a, b)
        found.append(graph)
    return found


def random_pairs(n_graphs: int, count: int, seed: int = 0) -> np.ndarray:
    """Return pairs of different graphs."""
    rng = np.random.default_rng(seed)
    return np.array([rng.choice(n_graphs, 2, replace=False) for _ in range(count)], dtype=np.int64)


__all__ = ["fragments", "heavy_molecules", "molecule", "random_pairs", "trees_with_extra_edges"]
