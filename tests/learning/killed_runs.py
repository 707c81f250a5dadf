"""Fit with checkpoints, be killed at random moments, go on: a script of its own, started by the tests.

``python tests/learning/killed_runs.py FOLDER TRIALS [SCHEDULER FILE]`` fits in memory, or the partitions of a
file over Dask. It forks for each victim, so that the core is loaded once. For each trial it writes one line
of JSON.
"""

import json
import os
import random
import signal
import sys
import time
import traceback
from contextlib import nullcontext
from pathlib import Path

import numpy as np

import graphquant as gq
from graphquant.learning import checkpoint
from graphquant.out_of_core import connected

TRIALS = (
    {"algorithm": "lossless", "learning_rate": "linear"},
    {"algorithm": "fast", "learning_rate": "harmonic"},
    {"algorithm": "lossless", "batch_size": 7},
    {"algorithm": "accelerated", "theta": 0.01},
    {"algorithm": "standard", "max_cycles": 30},
)
# Partitions learn by these; bounds stay with the workers, and what they save depends on who has them.
PARTITIONED_TRIALS = tuple(
    trial | {"max_cycles": 12}
    for trial in (TRIALS[0], {"algorithm": "standard"}, {"learning_rate": "harmonic"})
)
_EFFORT = ("n_matchings", "n_bounds", "n_proven", "share")
_DASK_FACTOR = 5


def fitted(number, graphs, folder=None, scheduler=None):
    """The fit of a trial, from the checkpoint in the folder; over Dask if an address is given."""
    trials = TRIALS if isinstance(graphs, gq.GraphCollection) else PARTITIONED_TRIALS
    settings = {"max_cycles": 60} | trials[number % len(trials)]
    with nullcontext() if scheduler is None else connected(scheduler) as executor:
        return gq.GraphQuantizer(
            4,
            init="random",
            random_state=number,
            n_jobs=1,
            checkpoint=folder,
            executor=executor,
            **settings,
        ).fit(graphs)


def fingerprint(q, without):
    """All bits of a fit, without some fields of the history."""
    codebook = q.codebook_.packed()
    history = [
        {name: value for name, value in cycle.items() if name not in without}
        for cycle in q.history_.to_records()
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


def forked(work):
    """Do the work in a fork, which ends with 0 if that returns True; returns its number.

    A client of Dask has threads, which a later fork would not have: this process has none.
    """
    child = os.fork()
    if child == 0:
        code = 2
        try:
            code = 0 if work() else 1
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    return child


def fit_until_killed(fit, folder, target, delay):
    """Kill a fit some seconds after its checkpoint has reached so many cycles; returns whether it still ran.

    Not some seconds after its start: how far it would be by then depends on what else the machine does.
    """
    child = forked(fit)
    ended = False
    while not ended and cycles_done(folder) < target:
        time.sleep(1e-3)
        ended = os.waitpid(child, os.WNOHANG)[0] != 0
    if not ended:
        time.sleep(delay)
        os.kill(child, signal.SIGKILL)
        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != -signal.SIGKILL
    return not ended


def main(root, n_trials, scheduler=None, file=None):
    # Every cycle is kept, however slow the machine is.
    checkpoint._FREE_SECONDS = float("inf")
    dice = random.Random(0)
    without = ("seconds",) if file is None else ("seconds", *_EFFORT)
    graphs = gq.datasets.make_letters(1, random_state=0).graphs if file is None else file
    for number in range(n_trials):
        began = time.perf_counter()
        expected = fingerprint(fitted(number, graphs), without)
        # Rounds of messages take longer than the work of these small partitions.
        seconds = (time.perf_counter() - began) * (1 if scheduler is None else _DASK_FACTOR)
        n_cycles, folder = len(expected[1]), Path(root) / str(number)

        def is_same(number=number, folder=folder, expected=expected):
            return fingerprint(fitted(number, graphs, folder, scheduler), without) == expected

        targets = sorted(dice.choices(range(n_cycles), k=dice.choice((1, 2))))
        n_kills, snapshots = 0, []
        for target in targets:
            delay = dice.uniform(0.0, 4.0) * seconds / n_cycles
            n_kills += fit_until_killed(is_same, folder, target, delay)
            if (folder / "run-0.npz").exists():
                snapshots.append(cycles_done(folder))
        same = os.waitpid(forked(is_same), 0)[1] == 0
        left = sorted(path.name for path in folder.iterdir())
        line = {
            "same": same,
            "kills": n_kills,
            "snapshots": snapshots,
            "cycles": n_cycles,
            "left": left,
        }
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
