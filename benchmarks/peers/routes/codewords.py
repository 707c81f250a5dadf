"""Bag of node codewords: k-means of all nodes, a histogram for each graph, k-means of the histograms.

``width`` 0 counts each node at its nearest codeword; else near codewords share it.
"""

import numpy as np
from sklearn.cluster import KMeans


def cluster(graphs, k, seed, words, width):
    nodes = np.concatenate([graph.node_attrs for graph in graphs])
    words = min(words, len(np.unique(nodes, axis=0)))
    distances = KMeans(words, n_init=3, random_state=seed).fit_transform(nodes)
    scale = width * np.median(distances.min(axis=1))
    if scale > 0.0:
        shares = np.exp(-0.5 * (distances / scale) ** 2)
        shares /= shares.sum(axis=1, keepdims=True)
    else:
        shares = np.eye(words)[distances.argmin(axis=1)]
    histograms = np.zeros((len(graphs), words))
    np.add.at(histograms, np.repeat(np.arange(len(graphs)), graphs.orders), shares)
    return KMeans(k, n_init=10, random_state=seed).fit_predict(np.sqrt(histograms)), None
