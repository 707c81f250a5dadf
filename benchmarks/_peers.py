"""What a user would pick instead, on the same pairs: networkx, SciPy, POT.

Each computes a distance of its own, so times are compared, not values. Peers that are not installed are
left out.
"""

import importlib.util
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import graphquant as gq

# Seconds that networkx may take for one pair; it returns its best edit path so far.
TIMEOUT = 1.0

Record = dict[str, Any]


def microseconds(job: Callable[[Any, Any], Any], members: list[Any], pairs: np.ndarray) -> float:
    """CPU time a pair; what a peer wants as input is made before."""
    job(members[pairs[0, 0]], members[pairs[0, 1]])
    start = time.process_time()
    for i, j in pairs:
        job(members[i], members[j])
    return (time.process_time() - start) / len(pairs) * 1e6


def edit_distance(x: Any, y: Any) -> float:
    """Networkx: exact edit distance with Euclidean costs, within a time limit."""
    import networkx as nx

    return nx.graph_edit_distance(
        x,
        y,
        node_subst_cost=lambda a, b: float(np.linalg.norm(a["v"] - b["v"])),
        node_del_cost=lambda a: float(np.linalg.norm(a["v"])),
        node_ins_cost=lambda a: float(np.linalg.norm(a["v"])),
        timeout=TIMEOUT,
    )


def to_edit_graph(graph: gq.Graph) -> Any:
    import networkx as nx

    result = nx.Graph(graph.edges.tolist())
    result.add_nodes_from((i, {"v": attrs}) for i, attrs in enumerate(graph.node_attrs))
    return result


def adjacency(graph: gq.Graph, order: int) -> np.ndarray:
    """Where the edges are, padded to the order."""
    matrix = np.zeros((order, order))
    matrix[graph.edges[:, 0], graph.edges[:, 1]] = 1.0
    return matrix if graph.directed else matrix + matrix.T


def quadratic_assignment(x: gq.Graph, y: gq.Graph) -> Any:
    """SciPy: FAQ from the flat start. It knows one number an edge and no node attributes."""
    from scipy.optimize import quadratic_assignment as faq

    order = max(x.order, y.order)
    return faq(adjacency(x, order), adjacency(y, order), method="faq", options={"maximize": True})


def fused_gromov_wasserstein(x: gq.Graph, y: gq.Graph) -> Any:
    """POT: node attributes and adjacency, each graph a uniform distribution."""
    import ot

    costs = ((x.node_attrs[:, None, :] - y.node_attrs[None, :, :]) ** 2).sum(axis=2)
    weights = (np.full(graph.order, 1.0 / graph.order) for graph in (x, y))
    structures = (adjacency(graph, graph.order) for graph in (x, y))
    return ot.gromov.fused_gromov_wasserstein2(costs, *structures, *weights, alpha=0.5)


def run(name: str, graphs: gq.GraphCollection, pairs: np.ndarray) -> list[Record]:
    """Time the peers on some pairs of a data set."""
    members = list(graphs)
    faq = microseconds(quadratic_assignment, members, pairs)
    measured = {"SciPy quadratic_assignment (structure only)": faq}
    if name == "letter":
        # Only letters are small enough for it.
        edit_graphs = [to_edit_graph(graph) for graph in members]
        measured["networkx graph_edit_distance"] = microseconds(edit_distance, edit_graphs, pairs)
    if importlib.util.find_spec("ot") is not None:
        measured["POT fused_gromov_wasserstein2"] = microseconds(fused_gromov_wasserstein, members, pairs)
    return [
        {"benchmark": f"{name}: {peer}", "measured": value, "unit": "us a pair", "pairs": len(pairs)}
        for peer, value in measured.items()
    ]
