"""Graph edit distances: time, and the share of pairs that are proven.

Run ``python -m benchmarks edit``, or one part of it, as in ``python -m benchmarks edit:verification``. CPU
time of one thread; but for the comparison with others, graphs are encoded before. Molecules are those of
Mutagenicity without hydrogens, fragments are connected induced subgraphs of them. ``GRAPHQUANT_OLD=COMMIT``
names the version before, which then gets the same vectors and pairs.
"""

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import networkx as nx
import numpy as np

import graphquant as gq
from benchmarks.edit_pairs import fragments, heavy_molecules, random_pairs, trees_with_extra_edges
from benchmarks.versus._sides import ROOT, install_old
from graphquant.edit import edit_matcher, match_edits
from graphquant.preprocessing import AttributeEncoder, EditCosts

N_SMALL, N_WHOLE, N_VERIFIED, N_LEARNT = 2000, 100, 1000, 1000
REPEATS = 5
# CPU seconds allowed for a pair, and what share of them is to be proven by then.
LIMITS = {0.01: None, 0.1: 0.9, 1.0: 0.99, 10.0: None}
# Seconds by the clock after which a pair is given up. The version before gives up most of them: after so many
# search nodes, a tenth of a second or more, of fewer pairs.
LONGEST = 60.0
NODES_OLD, N_OLD = 30_000, 25
SIZES = (4, 6, 8, 10, 12, 16, 20, 25, 30)
TIMEOUT = 1  # seconds of the CPU for networkx, by the clock for RDKit

Record = dict[str, Any]
Graphs = gq.GraphCollection


def ask_old(X: Graphs, pairs: Any, repeats: int) -> Any:
    """Return what the version before says of pairs; None if none is named."""
    commit = os.environ.get("GRAPHQUANT_OLD")
    if not commit:
        return None
    side, packed = install_old(commit, ROOT / "build" / "versus"), X.packed()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "pairs.npz")
        np.savez(
            path,
            nodes_until=packed.node_offsets,
            edges_until=packed.edge_offsets,
            nodes=packed.node_attrs,
            edges=packed.edges,
            edge_attrs=packed.edge_attrs,
            directed=packed.directed,
            pairs=pairs,
        )
        command = [side.python, Path(__file__).with_name("edit_old.py"), path, str(repeats), str(NODES_OLD)]
        done = subprocess.run(
            command, env=side.environ, cwd=folder, capture_output=True, text=True, check=True
        )
    return json.loads(done.stdout)


def small(name: str, graphs: list[Any], costs: EditCosts, of_old: float) -> Record:
    """Match pairs of small graphs to the end; at most a share of the time before is promised."""
    fitted = costs.fit(graphs)
    X, pairs = fitted.transform(graphs), random_pairs(len(graphs), N_SMALL)
    seconds = []
    for _ in range(REPEATS):
        began = time.process_time()
        found = match_edits(X, X, pairs, fitted, edit_matcher("auto", None, None), None)
        seconds.append(time.process_time() - began)
    record: Record = {
        "benchmark": name,
        "measured": 1e6 * min(seconds) / N_SMALL,
        "unit": "us a pair",
        "proven": float(found.proven.mean()),
        "mean_nodes": float(X.orders.mean()),
        "mean_distance": float(found.distance.mean()),
    }
    before = ask_old(X, pairs, REPEATS)
    return (
        record
        if before is None
        else record
        | {
            "old": before,
            "old_commit": os.environ["GRAPHQUANT_OLD"],
            "at_most": of_old * before,
        }
    )


def small_pairs(data: Path | None) -> list[Record]:
    """Fragments of molecules, and trees without labels."""
    trees = trees_with_extra_edges(400, 10)
    records = [small("trees with extra edges, up to 10 nodes", trees, EditCosts.like_networkx(), 1.0)]
    if data is None:
        return records
    molecules = heavy_molecules(data)
    some = fragments(molecules, 400, 10)
    large = [graph for graph in fragments(molecules, 1200, 10, seed=5) if len(graph) >= 8][:400]
    records.append(small("fragments of 3 to 10 atoms, unit costs", some, EditCosts(), 1 / 3))
    records.append(small("fragments of 8 to 10 atoms, unit costs", large, EditCosts(), 1 / 3))
    return records


def seconds_of_each(X: Graphs, pairs: Any, costs: EditCosts) -> np.ndarray:
    """Return the CPU seconds until each pair is proven; inf where it is not."""
    matcher, told, only = edit_matcher("auto", None, LONGEST), [], np.array([[0, 0]])
    for i, j in pairs.tolist():
        x, y = X[[i]], X[[j]]
        began = time.process_time()
        found = match_edits(x, y, only, costs, matcher, None)
        told.append(time.process_time() - began if found.proven[0] else np.inf)
    return np.array(told)


def whole_molecules(data: Path | None) -> list[Record]:
    """Share of pairs of 20 to 30 heavy atoms proven within a time for each pair."""
    if data is None:
        return []
    molecules = [graph for graph in heavy_molecules(data) if 20 <= len(graph) <= 30][:200]
    records = []
    for name, costs in (("unit costs", EditCosts()), ("mces", EditCosts.mces())):
        fitted = costs.fit(molecules)
        X, pairs = fitted.transform(molecules), random_pairs(len(molecules), N_WHOLE, seed=1)
        seconds = seconds_of_each(X, pairs, fitted)
        before = ask_old(X, pairs[:N_OLD], 0)
        for limit, promised in LIMITS.items():
            record: Record = {
                "benchmark": f"molecules of 20 to 30 atoms, {name}, {1000 * limit:g} ms",
                "measured": float((seconds <= limit).mean()),
                "unit": "of pairs proven",
                "costs": name,
                "seconds": limit,
            }
            # Pairs that were given up earlier say nothing of this limit.
            if before is not None and min((-taken for taken in before if taken < 0), default=np.inf) >= limit:
                record["old"] = sum(0 <= taken <= limit for taken in before) / len(before)
            records.append(record if promised is None else record | {"at_least": promised})
        records[-1] |= {
            "median_ms": float(1000 * np.median(seconds)),
            "each_ms": (1000 * np.sort(seconds[np.isfinite(seconds)])).round(2).tolist(),
            "pairs": len(seconds),
        }
        if before is not None:
            each = sorted(1000 * taken for taken in before if taken >= 0)
            records[-1] |= {"each_old_ms": each, "pairs_old": len(before)}
            records[-1]["old_commit"] = os.environ["GRAPHQUANT_OLD"]
    return records


def verification(data: Path | None, threshold: float = 5.0) -> list[Record]:
    """Decide for all pairs whether they are within a threshold."""
    if data is None:
        return []
    molecules = heavy_molecules(data)[:N_VERIFIED]
    costs = EditCosts().fit(molecules)
    X = costs.transform(molecules)
    pairs = np.column_stack(np.triu_indices(len(X), k=1))
    began = time.process_time()
    found = match_edits(X, X, pairs, costs, edit_matcher("auto", 10_000, None), threshold)
    seconds = time.process_time() - began
    what = f"all pairs of {len(X)} molecules, at most {threshold:g}?"
    return [
        {
            "benchmark": what,
            "measured": 1e6 * seconds / len(pairs),
            "unit": "us a pair",
            "at_most": 20.0,
            "pairs": len(pairs),
            "within": int(np.nansum(found.is_within)),
            "decided_by_bounds": float(np.isinf(found.distance).mean()),
        },
        {
            "benchmark": f"{what} decided",
            "measured": float((~np.isnan(found.is_within)).mean()),
            "unit": "of pairs",
            "at_least": 1.0,
        },
    ]


def codebook(data: Path | None, n_codes: int = 30) -> list[Record]:
    """Learn under unit costs, beside the default encoding."""
    if data is None:
        return []
    molecules = heavy_molecules(data)[:N_LEARNT]
    seconds = {}
    for name, encoder in (("default", AttributeEncoder()), ("edit", EditCosts())):
        q = gq.GraphQuantizer(n_codes, encoder=encoder, random_state=0, n_jobs=1)
        began = time.process_time()
        q.fit(molecules)
        seconds[name] = time.process_time() - began
    return [
        {
            "benchmark": f"codebook of {len(molecules)} molecules under unit costs, time over default",
            "measured": seconds["edit"] / seconds["default"],
            "unit": "",
            "at_most": 3.0,
            **{f"seconds_{name}": value for name, value in seconds.items()},
        }
    ]


def others(data: Path | None) -> list[Record]:
    """Exact and approximate distances and common subgraphs beside networkx and RDKit, by size."""
    if data is None:
        return []
    molecules = heavy_molecules(data)
    graphs = fragments(molecules, 1500, 16, seed=3) + [
        m for m in molecules if len(m) >= 20 and nx.is_connected(m)
    ]
    records = []
    slow: set[str] = set()
    for call in _contestants().values():
        # What is imported at the first call.
        call(graphs[0], graphs[1])
    for size in SIZES:
        pairs = list(pairwise([graph for graph in graphs if len(graph) == size][:5]))
        for name, call in _contestants().items():
            if name in slow:
                continue
            began, done = time.process_time(), 0
            for x, y in pairs:
                done += call(x, y)
            if 2 * done < len(pairs):
                slow.add(name)
            records.append(
                {
                    "benchmark": f"{name}, {size} nodes",
                    "measured": 1000 * (time.process_time() - began) / len(pairs),
                    "unit": "ms a pair",
                    "done": done / len(pairs),
                    "contestant": name,
                    "nodes": size,
                }
            )
    return records


def _contestants() -> dict[str, Callable[[Any, Any], bool]]:
    def match(a: Any, b: Any) -> bool:
        return bool(a.get("label") == b.get("label"))

    def networkx(x: Any, y: Any) -> bool:
        began = time.process_time()
        # Its limit goes by the clock, which on a busy machine would not be fair.
        with patch.object(nx.algorithms.similarity, "time", SimpleNamespace(perf_counter=time.process_time)):
            nx.graph_edit_distance(x, y, node_match=match, edge_match=match, timeout=TIMEOUT)
        return time.process_time() - began < TIMEOUT

    def rascal(x: Any, y: Any) -> bool:
        from rdkit.Chem import rdRascalMCES

        options = rdRascalMCES.RascalOptions()
        options.similarityThreshold = 0.0
        options.completeAromaticRings = False
        options.ringMatchesRingOnly = False
        options.timeout = TIMEOUT
        return not any(found.timedOut for found in rdRascalMCES.FindMCES(_rdkit(x), _rdkit(y), options))

    def approximate(x: Any, y: Any) -> bool:
        gq.edit_distance(x, y, matcher="frank-wolfe")
        return True

    return {
        "networkx": networkx,
        "edit_distance": lambda x, y: gq.edit_distance(x, y).proven,
        "edit_distance, approximate": approximate,
        "common_subgraph": lambda x, y: gq.common_subgraph(x, y).proven,
        "RDKit rdRascalMCES": rascal,
    }


def _rdkit(graph: Any) -> Any:
    """Return a molecule with the same elements and single, double and triple bonds; nothing is sanitized."""
    from rdkit import Chem

    kinds = {"1": Chem.BondType.SINGLE, "2": Chem.BondType.DOUBLE, "3": Chem.BondType.TRIPLE}
    molecule = Chem.RWMol()
    place = {
        node: molecule.AddAtom(Chem.Atom(data["label"].strip())) for node, data in graph.nodes(data=True)
    }
    for a, b, data in graph.edges(data=True):
        molecule.AddBond(place[a], place[b], kinds[data["label"]])
    molecule.UpdatePropertyCache(strict=False)
    Chem.FastFindRings(molecule)
    return molecule


RUNS = {
    "small": small_pairs,
    "whole": whole_molecules,
    "verification": verification,
    "others": others,
    "codebook": codebook,
}


def run(data: Path | None) -> list[Record]:
    """Measure everything."""
    return [record for part in RUNS.values() for record in part(data)]
