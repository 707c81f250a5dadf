"""POT: k-means with fused Gromov-Wasserstein distances and barycenters, from a k-means++ start."""

import numpy as np
import ot


def adjacency(graph):
    result = np.zeros((graph.order, graph.order))
    result[graph.edges[:, 0], graph.edges[:, 1]] = 1.0
    return np.maximum(result, result.T)


def distances(nodes, structures, center, alpha):
    distance = ot.gromov.fused_gromov_wasserstein2
    found = [
        distance(ot.dist(vectors, center[0]), structure, center[1], alpha=alpha, symmetric=True)
        for vectors, structure in zip(nodes, structures, strict=True)
    ]
    return np.array(found)


def cluster(graphs, k, seed, alpha, max_iter=10):
    rng = np.random.default_rng(seed)
    nodes = [graph.node_attrs for graph in graphs]
    structures = [adjacency(graph) for graph in graphs]
    chosen = [rng.integers(len(nodes))]
    nearest = np.full(len(nodes), np.inf)
    while len(chosen) < k:
        newest = nodes[chosen[-1]], structures[chosen[-1]]
        nearest = np.minimum(nearest, np.maximum(distances(nodes, structures, newest, alpha), 0.0))
        chosen.append(rng.choice(len(nodes), p=nearest / nearest.sum()))
    centers = [(nodes[i], structures[i]) for i in chosen]
    labels = None
    for _ in range(max_iter):
        table = [distances(nodes, structures, center, alpha) for center in centers]
        previous, labels = labels, np.argmin(table, axis=0)
        if previous is not None and (labels == previous).all():
            break
        for j in np.unique(labels):
            members = np.flatnonzero(labels == j)
            centers[j] = ot.gromov.fgw_barycenters(
                round(np.mean([len(nodes[i]) for i in members])),
                [nodes[i] for i in members],
                [structures[i] for i in members],
                alpha=alpha,
                max_iter=10,
                random_state=seed,
            )
    return labels, None
