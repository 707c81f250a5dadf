"""The paper's algorithms in plain Python: for readers, and as a reference for tests."""

from graphquant.paper.algorithms import AcceleratedLearning, Cycle, competitive_learning

__all__ = ["AcceleratedLearning", "Cycle", "competitive_learning"]
