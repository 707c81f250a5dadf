"""Spectral clustering of a kernel matrix, by scikit-learn."""

from sklearn.cluster import SpectralClustering


def cluster(matrix, k, seed):
    return SpectralClustering(k, affinity="precomputed", random_state=seed).fit_predict(matrix), None
