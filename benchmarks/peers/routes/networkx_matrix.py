"""networkx: the first edit path that optimize_graph_edit_distance finds, Euclidean costs."""

import networkx as nx
import numpy as np


def convert(graph):
    result = nx.Graph()
    result.add_nodes_from((i, {"v": vector}) for i, vector in enumerate(graph.node_attrs))
    edges = zip(graph.edges, graph.edge_attrs, strict=True)
    result.add_edges_from((i, j, {"v": vector}) for (i, j), vector in edges)
    return result


def size(attributes):
    return float(np.linalg.norm(attributes["v"]))


def change(first, second):
    return float(np.linalg.norm(first["v"] - second["v"]))


def matrix(graphs):
    converted = [convert(graph) for graph in graphs]
    result = np.zeros((len(converted), len(converted)))
    for i in range(len(converted)):
        for j in range(i):
            found = nx.optimize_graph_edit_distance(
                converted[i],
                converted[j],
                node_subst_cost=change,
                node_del_cost=size,
                node_ins_cost=size,
                edge_subst_cost=change,
                edge_del_cost=size,
                edge_ins_cost=size,
            )
            result[i, j] = result[j, i] = next(found)
    return result
