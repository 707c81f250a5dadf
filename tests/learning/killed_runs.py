"""Fit with checkpoints, be killed at random moments, go on: a script of its own, started by the test.

It forks for each victim, so that the core is loaded once. For each trial it writes one line of JSON.
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
from graphquant.learning import checkpoint

TRIALS = (
    {"algorithm": "lossless", "learning_rate": "linear"},
    {"algorithm": "fast", "learning_rate": "harmonic"},
    {"algorithm": "lossless", "batch_size": 7},
    {"algorithm": "accelerated", "theta": 0.01},
    {"algorithm": "standard", "max_cycles": 30},
)


def quantizer(number, folder):
    settings = {"max_cycles": 60} | TRIALS[number % len(TRIALS)]
    return gq.GraphQuantizer(4, init="random", random_state=number, n_jobs=1, checkpoint=folder, **settings)


def fingerprint(q):
    """All bits of a fit."""
    codebook = q.codebook_.packed()
    history = [
        {name: value for name, value in c.items() if name != "seconds"} for c in q.history_.to_records()
    ]
    arrays = (codebook.node_attrs, codebook.edges, codebook.edge_attrs, q.labels_, q.encoding_.mapping)
    return [array.tobytes().hex() for array in arrays], history, q.distortion_, q.n_init_matchings_


def cycles_done(folder):
    """Cycles in the checkpoint of a folder; 0 if there is none."""
    try:
        with np.load(folder / "run-0.npz", allow_pickle=False) as snapshot:
            return len(json.loads(str(snapshot["header"]))["cycles"])
    except FileNotFoundError:
        return 0


def fit_until_killed(number, graphs, folder, target, delay):
    """Kill a fit some seconds after its checkpoint has reached so many cycles, wherever it is then.

    Not some seconds after its start: how far it would be by then depends on what else the machine does.
    """
    child = os.fork()
    if child == 0:
        try:
            quantizer(number, folder).fit(graphs)
        finally:
            os._exit(0)
    ended = False
    while not ended and cycles_done(folder) < target:
        time.sleep(1e-3)
        ended = os.waitpid(child, os.WNOHANG)[0] != 0
    if not ended:
        time.sleep(delay)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def main(root, n_trials):
    # Every cycle is kept, however slow the machine is.
    checkpoint._FREE_SECONDS = float("inf")
    dice = random.Random(0)
    graphs = gq.datasets.make_letters(1, random_state=0).graphs
    for number in range(n_trials):
        began = time.perf_counter()
        expected = fingerprint(quantizer(number, None).fit(graphs))
        seconds = time.perf_counter() - began
        n_cycles, folder = len(expected[1]), Path(root) / str(number)
        targets, snapshots = sorted(dice.choices(range(n_cycles), k=dice.choice((1, 2)))), []
        for target in targets:
            fit_until_killed(number, graphs, folder, target, dice.uniform(0.0, 4.0) * seconds / n_cycles)
            if (folder / "run-0.npz").exists():
                snapshots.append(cycles_done(folder))
        same = fingerprint(quantizer(number, folder).fit(graphs)) == expected
        left = sorted(path.name for path in folder.iterdir())
        line = {"same": same, "snapshots": snapshots, "cycles": n_cycles, "left": left}
        sys.stdout.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
