"""GraKeL: Weisfeiler-Lehman kernel. It takes discrete labels: nodes get those of a k-means of all nodes."""

import numpy as np
from grakel import Graph, VertexHistogram, WeisfeilerLehman
from sklearn.cluster import KMeans


def matrix(graphs, words):
    nodes = np.concatenate([graph.node_attrs for graph in graphs])
    words = min(words, len(np.unique(nodes, axis=0)))
    codewords = KMeans(words, n_init=3, random_state=0).fit_predict(nodes)
    ends = np.cumsum([graph.order for graph in graphs])
    labelled = []
    for graph, end in zip(graphs, ends, strict=True):
        labels = dict(enumerate(codewords[end - graph.order : end].tolist()))
        edges = {i: {} for i in labels}
        for i, j in graph.edges.tolist():
            edges[i][j] = edges[j][i] = 1.0
        labelled.append(Graph(edges, node_labels=labels))
    kernel = WeisfeilerLehman(n_iter=2, normalize=True, base_graph_kernel=VertexHistogram)
    return kernel.fit_transform(labelled)
