"""Ctrl-C stops a search that would take years, within about a second."""

import pytest

from tests.interrupting import interrupted, needs_signals

# Two random regular graphs with equal labels: no bound tells their nodes apart.
SEARCH = """
import networkx as nx
import numpy as np
import graphquant as gq

x, y = (
    gq.Graph(np.ones(40), list(nx.random_regular_graph(6, 40, seed=seed).edges)) for seed in (1, 2)
)
gq.match(x, y, gq.ExactMatcher(node_limit=10))  # load the core first
gq.match_all([x, y], [x, y], [(0, 1), (1, 0)], gq.ExactMatcher(node_limit=10), n_jobs=2)
print("begun", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@needs_signals
@pytest.mark.parametrize(
    "call",
    [
        'gq.match(x, y, "exact")',
        'gq.pairwise_distances([x] * 4, [y] * 4, matcher="exact", n_jobs=1)',
        'gq.pairwise_distances([x] * 4, [y] * 4, matcher="exact", n_jobs=2)',
    ],
    ids=["one pair", "one thread", "two threads"],
)
def test_interrupt_stops_a_long_search(call):
    ended = interrupted(SEARCH.format(call=call))
    assert ended.seconds < 3.0  # a second, with allowance for a busy machine
    assert ended.out == "interrupted\n"
    assert "Traceback" not in ended.errors
    assert ended.returncode == 0
