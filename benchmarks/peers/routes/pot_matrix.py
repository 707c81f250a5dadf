"""POT: fused Gromov-Wasserstein distances of node vectors and adjacency."""

import numpy as np
import ot


def adjacency(graph):
    result = np.zeros((graph.order, graph.order))
    result[graph.edges[:, 0], graph.edges[:, 1]] = 1.0
    return np.maximum(result, result.T)


def matrix(graphs, alpha):
    nodes = [graph.node_attrs for graph in graphs]
    structures = [adjacency(graph) for graph in graphs]
    result = np.zeros((len(nodes), len(nodes)))
    for i in range(len(nodes)):
        for j in range(i):
            costs = ot.dist(nodes[i], nodes[j])
            result[i, j] = result[j, i] = ot.gromov.fused_gromov_wasserstein2(
                costs, structures[i], structures[j], alpha=alpha, symmetric=True
            )
    return result
