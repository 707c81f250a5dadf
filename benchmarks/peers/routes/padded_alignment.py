"""numpy: pad graphs to one order, align nodes by an assignment of node and incident edge vectors, k-means."""

import numpy as np
from scipy.optimize import linear_sum_assignment

import graphquant as gq


def padded(graph, order):
    nodes = np.zeros((order, graph.node_attrs.shape[1]))
    nodes[: graph.order] = graph.node_attrs
    edges = np.zeros((order, order, graph.edge_attrs.shape[1]))
    edges[graph.edges[:, 0], graph.edges[:, 1]] = graph.edge_attrs
    if not graph.directed:
        edges[graph.edges[:, 1], graph.edges[:, 0]] = graph.edge_attrs
    return nodes, edges, np.hstack([nodes, edges.sum(axis=1)])


def align(x, y):
    costs = (x[2] ** 2).sum(axis=1)[:, None] - 2.0 * x[2] @ y[2].T
    order = np.argsort(linear_sum_assignment(costs)[1])
    nodes, edges = x[0][order], x[1][order][:, order]
    return ((nodes - y[0]) ** 2).sum() + ((edges - y[1]) ** 2).sum(), nodes, edges


def cluster(graphs, k, seed, max_iter=20):
    rng = np.random.default_rng(seed)
    order = graphs.max_order
    data = [padded(graph, order) for graph in graphs]
    centers = [data[rng.integers(len(data))]]
    nearest = np.full(len(data), np.inf)
    while len(centers) < k:
        nearest = np.minimum(nearest, [align(x, centers[-1])[0] for x in data])
        centers.append(data[rng.choice(len(data), p=nearest / nearest.sum())])
    labels = None
    for _ in range(max_iter):
        table = [[align(x, center)[0] for center in centers] for x in data]
        previous, labels = labels, np.argmin(table, axis=1)
        if previous is not None and (labels == previous).all():
            break
        for j in np.unique(labels):
            aligned = [align(data[i], centers[j]) for i in np.flatnonzero(labels == j)]
            nodes, edges = (np.mean([found[part] for found in aligned], axis=0) for part in (1, 2))
            centers[j] = nodes, edges, np.hstack([nodes, edges.sum(axis=1)])
    return labels, gq.GraphCollection([to_graph(*center[:2], graphs.directed) for center in centers])


def to_graph(nodes, edges, directed):
    present = np.abs(edges).sum(axis=2)
    first, second = np.nonzero(present if directed else np.triu(present))
    return gq.Graph(nodes, np.column_stack([first, second]), edges[first, second], directed=directed)
