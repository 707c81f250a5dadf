"""Bag of node codewords: k-means of all nodes, a histogram for each graph, k-means of the histograms."""

import numpy as np
from sklearn.cluster import KMeans


def cluster(graphs, k, seed, words):
    nodes = np.concatenate([graph.node_attrs for graph in graphs])
    words = min(words, len(np.unique(nodes, axis=0)))
    codewords = KMeans(words, n_init=3, random_state=seed).fit_predict(nodes)
    histograms = np.zeros((len(graphs), words))
    np.add.at(histograms, (np.repeat(np.arange(len(graphs)), graphs.orders), codewords), 1.0)
    return KMeans(k, n_init=10, random_state=seed).fit_predict(histograms), None
