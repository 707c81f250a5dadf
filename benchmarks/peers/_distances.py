"""The distance matrix itself: microseconds a pair of the 750 letters, ours against the fastest peers."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers import _data
from benchmarks.peers._runner import ONE_THREAD, ROOT
from benchmarks.peers._store import Record, Store, read, write

SEED = 0
N_PAIRS = 1000
REPEATS = 3


def run(store: Store, data: Path) -> None:
    """Measure in a process of its own, unless there is a record."""
    if read(path(store)):
        return
    print("distances of letters", flush=True)
    module = ["-W", "ignore", "-m", "benchmarks.peers._distances"]
    command = [sys.executable, *module, str(path(store)), str(data)]
    subprocess.run(command, cwd=ROOT, env=os.environ | ONE_THREAD, check=True)


def path(store: Store) -> Path:
    return store.folder / "distances.json"


def measure(data: Path) -> Record:
    """CPU microseconds a pair, best of several runs; all pairs for ours, the same random ones for peers."""
    import graphquant as gq

    graphs = _data.load("letter", data).graphs
    gq.pairwise_distances(graphs[:10])
    n_all = len(graphs) * (len(graphs) - 1) // 2
    ours = _least_time(lambda: gq.pairwise_distances(graphs, matcher="auto")) / n_all
    found = [{"title": 'gq.pairwise_distances(matcher="auto")', "us": ours * 1e6, "ours": True}]
    rng = np.random.default_rng(SEED)
    pairs = rng.integers(len(graphs), size=(N_PAIRS, 2)).tolist()
    for title, job in _contenders(list(graphs)).items():
        seconds = _least_time(lambda job=job: [job(i, j) for i, j in pairs]) / len(pairs)
        found.append({"title": title, "us": seconds * 1e6, "ours": False})
    return {"distances": found}


def _contenders(graphs: list[Any]) -> dict[str, Callable[[int, int], Any]]:
    """Each peer's own distance of two graphs; what it wants as input is made before."""
    import networkx as nx
    import ot

    from benchmarks.peers.routes import networkx_matrix, pot_matrix

    nodes = [graph.node_attrs for graph in graphs]
    structures = [pot_matrix.adjacency(graph) for graph in graphs]
    converted = [networkx_matrix.convert(graph) for graph in graphs]
    size, change = networkx_matrix.size, networkx_matrix.change
    costs = {f"{side}_{kind}_cost": size for side in ("node", "edge") for kind in ("del", "ins")}
    costs |= {f"{side}_subst_cost": change for side in ("node", "edge")}

    def transport(function: Callable[..., Any], **options: Any) -> Callable[[int, int], Any]:
        return lambda i, j: function(
            ot.dist(nodes[i], nodes[j]), structures[i], structures[j], alpha=0.5, symmetric=True, **options
        )

    return {
        "POT fused_gromov_wasserstein2": transport(ot.gromov.fused_gromov_wasserstein2),
        "POT fused_gromov_wasserstein2, one iteration": transport(
            ot.gromov.fused_gromov_wasserstein2, max_iter=1
        ),
        "POT semirelaxed_fused_gromov_wasserstein2": transport(
            ot.gromov.semirelaxed_fused_gromov_wasserstein2
        ),
        "networkx optimize_graph_edit_distance, first path": lambda i, j: next(
            nx.optimize_graph_edit_distance(converted[i], converted[j], **costs)
        ),
    }


def _least_time(job: Callable[[], Any]) -> float:
    seconds = []
    for _ in range(REPEATS):
        start = time.process_time()
        job()
        seconds.append(time.process_time() - start)
    return min(seconds)


if __name__ == "__main__":
    write(Path(sys.argv[1]), measure(Path(sys.argv[2])))
