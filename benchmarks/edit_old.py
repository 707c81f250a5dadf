"""The version before on the same pairs: run by its path with the Python of an old graphquant.

``python edit_old.py FILE.npz REPEATS NODES``: vectors and pairs are in the file. With repeats, prints CPU
microseconds a pair; without, the CPU seconds of each pair, negative where that many search nodes proved
nothing.
"""

import json
import sys
import time

import numpy as np

import graphquant as gq


def graphs_in(file: "np.lib.npyio.NpzFile") -> gq.GraphCollection:
    """Return the graphs of a file."""
    cuts = zip(
        file["nodes_until"][:-1],
        file["nodes_until"][1:],
        file["edges_until"][:-1],
        file["edges_until"][1:],
        strict=True,
    )
    directed = bool(file["directed"])
    return gq.GraphCollection(
        [
            gq.Graph(file["nodes"][a:b], file["edges"][c:d], file["edge_attrs"][c:d], directed=directed)
            for a, b, c, d in cuts
        ]
    )


def main(path: str, repeats: int, node_limit: int) -> None:
    """Measure and print."""
    with np.load(path) as file:
        graphs, pairs = graphs_in(file), file["pairs"]

    def match(chosen: np.ndarray, matcher: gq.ExactMatcher) -> tuple[float, gq.Matches]:
        numbers, places = np.unique(chosen, return_inverse=True)
        some = graphs[numbers]
        began = time.process_time()
        found = gq.match_all(some, some, places.reshape(-1, 2), matcher, n_jobs=1)
        return time.process_time() - began, found

    # What is compiled is compiled before.
    match(pairs[:2], gq.ExactMatcher(node_limit=10))
    if repeats:
        times = [match(pairs, gq.ExactMatcher())[0] for _ in range(repeats)]
        print(json.dumps(1e6 * min(times) / len(pairs)))
        return
    told = []
    for pair in pairs:
        taken, found = match(pair[None], gq.ExactMatcher(node_limit=node_limit))
        told.append(taken if found.proven[0] else -taken)
    print(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
