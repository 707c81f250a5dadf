"""Measures of a quantization: how near the code graphs are, and how compact their clusters are."""

from graphquant.metrics._clusters import majority_accuracy, silhouette_index
from graphquant.metrics._distortion import distortion, mean_distance
from graphquant.metrics._size import size_dependence

__all__ = ["distortion", "majority_accuracy", "mean_distance", "silhouette_index", "size_dependence"]
