"""One side of the comparison: a process that measures what it is told, with the graphquant of its Python.

It reads a job from each line of its input and answers in a line: JSON, both. The file is run by its path and
imports nothing of ``benchmarks``, so it runs with an old graphquant as well as with the current one.
"""

import hashlib
import json
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import graphquant as gq

SEED = 0
# Each measurement is repeated until it has taken so long; the least counts.
LEAST_SECONDS = 0.4
MATCHERS: dict[str, Any] = {
    # The same search on any machine: the limit is one of nodes.
    "exact": gq.ExactMatcher(node_limit=20_000),
    "auto": gq.AutoMatcher(),
    "frank-wolfe": gq.FrankWolfe(),
    "graduated-assignment": gq.GraduatedAssignment(),
}
# Seconds in which a child that was forked has to end.
PATIENCE = 20.0

Answer = dict[str, Any]


def digest(*arrays: np.ndarray) -> str:
    """Return a hash of the bits of arrays."""
    found = hashlib.sha256()
    for array in arrays:
        found.update(repr((array.dtype.str, array.shape)).encode())
        found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()[:16]


def digest_of_graphs(graphs: gq.GraphCollection) -> str:
    packed = graphs.packed()
    arrays = (packed.node_offsets, packed.node_attrs, packed.edge_offsets, packed.edges, packed.edge_attrs)
    return digest(*arrays)


@cache
def load(name: str, data: str | None) -> gq.GraphCollection:
    """Return a subset of the IAM database, or built-in letters by their number in each class."""
    if name.startswith("built-in"):
        return gq.datasets.make_letters(int(name.split()[1]), random_state=SEED).graphs
    return gq.datasets.load_iam(name, data).graphs


def least_time(job: Callable[[], Any]) -> float:
    """Return the CPU seconds of the quickest of some runs."""
    seconds: list[float] = []
    while sum(seconds) < LEAST_SECONDS:
        began = time.process_time()
        job()
        seconds.append(time.process_time() - began)
    return min(seconds)


def match(name: str, data: str | None, matcher: str, n_pairs: int, warm: bool) -> Answer:
    """Match random pairs on one thread: microseconds a pair, and the digest of all results."""
    graphs = load(name, data)
    rng = np.random.default_rng(SEED)
    first = rng.integers(len(graphs), size=n_pairs)
    pairs = np.column_stack([first, (first + rng.integers(1, len(graphs), size=n_pairs)) % len(graphs)])

    def job() -> gq.Matches:
        return gq.match_all(graphs, graphs, pairs, MATCHERS[matcher], n_jobs=1, mappings=True)

    if not warm:
        return {"measured": least_time(job) / n_pairs * 1e6}
    found = job()
    arrays = (found.distance, found.lower_bound, found.proven, found.mapping, found.n_search_nodes)
    return {"digest": digest(*arrays), "graphs": digest_of_graphs(graphs)}


def fit(name: str, data: str | None, n_codes: int, algorithm: str, warm: bool) -> Answer:
    """Learn with other parameters by default, on one thread: CPU seconds, and the digest of the result."""
    graphs = load(name, data)

    def job() -> gq.GraphQuantizer:
        return gq.GraphQuantizer(n_codes, algorithm=algorithm, random_state=SEED, n_jobs=1).fit(graphs)

    if not warm:
        return {"measured": least_time(job)}
    found = job()
    return {
        "digest": digest(found.labels_) + digest_of_graphs(found.codebook_),
        "graphs": digest_of_graphs(graphs),
        "matchings": found.n_matchings_,
        "start_matchings": found.n_init_matchings_,
        "encode_matchings": found.n_encode_matchings_,
    }


def fork(n_children: int) -> Answer:
    """Fork while a thread predicts: how many children do not come to the end of a prediction of their own."""
    letters = gq.datasets.make_letters(4, random_state=SEED).graphs
    q = gq.GraphQuantizer(5, random_state=SEED, n_jobs=1).fit(letters)
    done = threading.Event()

    def predict() -> None:
        while not done.is_set():
            q.predict(letters)

    thread = threading.Thread(target=predict)
    thread.start()
    children = []
    for _ in range(n_children):
        child = os.fork()
        if child == 0:
            q.predict(letters)
            os._exit(0)
        children.append(child)
        time.sleep(0.05)
    done.set()
    thread.join()
    deadline = time.monotonic() + PATIENCE
    while children and time.monotonic() < deadline:
        children = [child for child in children if os.waitpid(child, os.WNOHANG)[0] == 0]
        time.sleep(0.05)
    for child in children:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return {"measured": len(children)}


JOBS = {"match": match, "fit": fit, "fork": fork}


def main() -> None:
    """Answer until there is no more input."""
    warnings.simplefilter("ignore")
    answers = os.fdopen(os.dup(1), "w")
    # What the library or its compiler prints must not get between the answers.
    os.dup2(2, 1)
    for line in sys.stdin:
        job = json.loads(line)
        print(json.dumps(JOBS[job.pop("job")](**job)), file=answers, flush=True)


if __name__ == "__main__":
    main()
