"""Compile the steps of learning: run in a process of its own, while another one compiles the rest."""

import numpy as np

from graphquant.graphs import Graph, GraphCollection
from graphquant.kernels._cache import report_progress
from graphquant.matching import AutoMatcher
from graphquant.quantizers._state import State
from graphquant.quantizers.competitive import Plan, Run


class _Search(AutoMatcher):
    """The default matcher without that for starts, which the other process compiles."""

    starter = None


def main() -> None:
    """Learn a codebook of one small graph."""
    report_progress()
    graphs = GraphCollection([Graph([1.0, 2.0], [(0, 1)]), Graph([3.0])])
    state = State(graphs, graphs[:1], certifies=True)
    run = Run(state, _Search(), Plan(max_cycles=1), np.random.default_rng(0))
    run.learn()
    run.encode()
    run.exact_sq_distances()


if __name__ == "__main__":
    main()

__all__ = ["main"]
