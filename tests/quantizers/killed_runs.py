"""Fit with checkpoints, be killed at random moments, go on: a script of its own, started by the test.

It forks for each victim, so that the kernels are loaded once. For each trial it writes one line of JSON.
"""

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

import numpy as np

import graphquant as gq

TRIALS = (
    {"algorithm": "lossless", "learning_rate": "linear"},
    {"algorithm": "fast", "learning_rate": "harmonic"},
    {"algorithm": "lossless", "batch_size": 7},
    {"algorithm": "accelerated", "theta": 0.01},
    {"algorithm": "standard", "max_cycles": 30},
)


def quantizer(number, folder):
    settings = {"max_cycles": 60} | TRIALS[number % len(TRIALS)]
    return gq.GraphQuantizer(
        4, init="random", random_state=number, n_jobs=1, checkpoint=folder, relocate_idle=True, **settings
    )


def fingerprint(q):
    """All bits of a fit."""
    codebook = q.codebook_.packed()
    history = [
        {name: value for name, value in c.items() if name != "seconds"} for c in q.history_.to_records()
    ]
    arrays = (codebook.node_attrs, codebook.edges, codebook.edge_attrs, q.labels_, q.encoding_.mapping)
    return [array.tobytes().hex() for array in arrays], history, q.distortion_, q.n_init_matchings_


def fit_until_killed(number, graphs, folder, delay):
    child = os.fork()
    if child == 0:
        try:
            quantizer(number, folder).fit(graphs)
        finally:
            os._exit(0)
    time.sleep(delay)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def main(root, n_trials):
    dice = random.Random(0)
    graphs = gq.datasets.make_letters(1, random_state=0).graphs
    for number in range(n_trials):
        began = time.perf_counter()
        expected = fingerprint(quantizer(number, None).fit(graphs))
        seconds = time.perf_counter() - began
        folder = Path(root) / str(number)
        n_kills, snapshots = dice.choice((1, 2)), []
        for _ in range(n_kills):
            fit_until_killed(number, graphs, folder, dice.uniform(0.2, 1.2) * seconds / n_kills)
            if (folder / "run-0.npz").exists():
                with np.load(folder / "run-0.npz", allow_pickle=False) as snapshot:
                    snapshots.append(len(json.loads(str(snapshot["header"]))["cycles"]))
        same = fingerprint(quantizer(number, folder).fit(graphs)) == expected
        left = sorted(path.name for path in folder.iterdir())
        line = {"same": same, "snapshots": snapshots, "cycles": len(expected[1]), "left": left}
        sys.stdout.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
