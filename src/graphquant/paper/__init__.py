"""The paper's algorithms in plain Python: for readers, and for tests to compare the library with."""

from graphquant.paper.algorithms import AcceleratedLearning, Cycle, competitive_learning

__all__ = ["AcceleratedLearning", "Cycle", "competitive_learning"]
