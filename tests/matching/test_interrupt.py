"""Ctrl-C stops a search that would take years, within about a second."""

import signal
import subprocess
import sys
import time

import pytest

# Two random regular graphs with equal labels: no bound tells their nodes apart.
SEARCH = """
import networkx as nx
import numpy as np
import graphquant as gq

x, y = (
    gq.Graph(np.ones(40), list(nx.random_regular_graph(6, 40, seed=seed).edges)) for seed in (1, 2)
)
gq.match(x, y, gq.ExactMatcher(node_limit=10))  # load the kernels first
gq.match_all([x, y], [x, y], [(0, 1), (1, 0)], gq.ExactMatcher(node_limit=10), n_jobs=2)
print("begun", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Ctrl-C are sent otherwise on Windows")
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
    process = subprocess.Popen(
        [sys.executable, "-c", SEARCH.format(call=call)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout.readline() == "begun\n", process.stderr.read()
        time.sleep(0.5)
        assert process.poll() is None, "the search was over before it could be interrupted"
        process.send_signal(signal.SIGINT)
        sent = time.monotonic()
        out, errors = process.communicate(timeout=30)
        assert time.monotonic() - sent < 3.0  # a second, with allowance for a busy machine
        assert out == "interrupted\n"
        assert "Traceback" not in errors
        assert process.returncode == 0
    finally:
        process.kill()
        process.communicate()
