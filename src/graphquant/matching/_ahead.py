"""Compile the exact matcher: run in a process of its own, while another one compiles its starter."""

from graphquant.graphs import Graph
from graphquant.kernels._cache import report_progress
from graphquant.matching.pair import distance


def main() -> None:
    """Match two graphs that are small enough to need no start."""
    report_progress()
    distance(Graph([1.0, 2.0], [(0, 1)]), Graph([3.0]))


if __name__ == "__main__":
    main()

__all__ = ["main"]
