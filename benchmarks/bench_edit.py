"""Graph edit distances: time, and the share of pairs that are proven.

Run ``python -m benchmarks edit``. One thread; times are of matching alone, graphs being encoded.
Fragments are connected induced subgraphs of up to 10 heavy atoms of Mutagenicity molecules; "before" is
the exact matcher on the same vectors, which knows nothing of attainable values.
``GRAPHQUANT_BENCH_SECONDS`` is the longest time allowed for a pair of whole molecules (1 by default; 10
takes minutes).
"""

import os
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np

import graphquant as gq
from benchmarks.edit_pairs import fragments, heavy_molecules, random_pairs, trees_with_extra_edges
from graphquant.edit import edit_matcher, match_edits
from graphquant.matching import ExactMatcher
from graphquant.matching.engine import Problem
from graphquant.matching.engine import run as run_pairs
from graphquant.preprocessing import AttributeEncoder, EditCosts

N_SMALL, N_WHOLE, N_VERIFIED, N_LEARNT = 2000, 60, 1000, 1000
LIMITS = (0.01, 0.1, 1.0, 10.0)
LONGEST = float(os.environ.get("GRAPHQUANT_BENCH_SECONDS", "1"))

Record = dict[str, Any]


def small(name: str, graphs: list[Any], costs: EditCosts, at_most: float | None = None) -> Record:
    """Match pairs of small graphs to the end, interleaved with the same without a grid."""
    fitted = costs.fit(graphs)
    X, pairs = fitted.transform(graphs), random_pairs(len(graphs), N_SMALL)
    seconds, before, found = np.inf, np.inf, None
    for _ in range(3):
        began = time.perf_counter()
        found = match_edits(X, X, pairs, fitted, edit_matcher("auto", None, None), None)
        seconds = min(seconds, time.perf_counter() - began)
        began = time.perf_counter()
        run_pairs(ExactMatcher(), Problem(X, X), pairs)
        before = min(before, time.perf_counter() - began)
    assert found is not None
    record: Record = {
        "benchmark": name,
        "measured": 1e6 * seconds / N_SMALL,
        "unit": "us a pair",
        "before": 1e6 * before / N_SMALL,
        "proven": float(found.proven.mean()),
        "mean_nodes": float(X.orders.mean()),
        "mean_distance": float(found.distance.mean()),
    }
    return record if at_most is None else record | {"at_most": at_most * record["before"]}


def curve(name: str, molecules: list[Any], costs: EditCosts) -> list[Record]:
    """Share of pairs of whole molecules proven within a time for each pair."""
    fitted = costs.fit(molecules)
    X, pairs = fitted.transform(molecules), random_pairs(len(molecules), N_WHOLE, seed=1)
    promised = {0.1: 0.9, 1.0: 0.99}
    records = []
    for limit in (limit for limit in LIMITS if limit <= LONGEST):
        began = time.perf_counter()
        found = match_edits(X, X, pairs, fitted, edit_matcher("auto", None, limit), None)
        seconds = time.perf_counter() - began
        before = run_pairs(ExactMatcher(time_limit=limit), Problem(X, X), pairs).proven
        records.append(
            {
                "benchmark": f"{name}, {1000 * limit:g} ms",
                "measured": float(found.proven.mean()),
                "unit": "of pairs proven",
                "before": float(before.mean()),
                "ms_a_pair": 1000 * seconds / N_WHOLE,
                "mean_distance": float(found.distance.mean()),
                "mean_lower_bound": float(found.lower_bound.mean()),
            }
            | ({"at_least": promised[limit]} if limit in promised else {})
        )
    return records


def verification(molecules: list[Any], threshold: float = 5.0) -> list[Record]:
    """Decide for all pairs whether they are within a threshold."""
    costs = EditCosts().fit(molecules)
    X = costs.transform(molecules)
    pairs = np.column_stack(np.triu_indices(len(X), k=1))
    began = time.perf_counter()
    found = match_edits(X, X, pairs, costs, edit_matcher("auto", 10_000, None), threshold)
    seconds = time.perf_counter() - began
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


def codebook(molecules: list[Any], n_codes: int = 30) -> Record:
    """Learn under unit costs, beside the default encoding."""
    seconds = {}
    for name, encoder in (("default", AttributeEncoder()), ("edit", EditCosts())):
        q = gq.GraphQuantizer(n_codes, encoder=encoder, random_state=0, n_jobs=1)
        began = time.perf_counter()
        q.fit(molecules)
        seconds[name] = time.perf_counter() - began
    return {
        "benchmark": f"codebook of {len(molecules)} molecules under unit costs, time over default",
        "measured": seconds["edit"] / seconds["default"],
        "unit": "",
        "at_most": 3.0,
        **{f"seconds_{name}": value for name, value in seconds.items()},
    }


def others(graphs: list[Any], sizes: tuple[int, ...] = (6, 8, 10, 12), timeout: float = 10.0) -> list[Record]:
    """Exact and approximate distances and common subgraphs beside networkx and RDKit, by size."""
    records = []
    for size in sizes:
        chosen = [graph for graph in graphs if len(graph) == size][:6]
        pairs = list(pairwise(chosen))
        for name, call in _contestants(timeout).items():
            began, done = time.perf_counter(), 0
            for x, y in pairs:
                done += call(x, y)
            if pairs:
                records.append(
                    {
                        "benchmark": f"{name}, {size} nodes",
                        "measured": 1000 * (time.perf_counter() - began) / len(pairs),
                        "unit": "ms a pair",
                        "proven": done / len(pairs),
                    }
                )
    return records


def _contestants(timeout: float) -> dict[str, Any]:
    def match(a: Any, b: Any) -> bool:
        return bool(a.get("label") == b.get("label"))

    def networkx(x: Any, y: Any) -> bool:
        began = time.perf_counter()
        nx.graph_edit_distance(x, y, node_match=match, edge_match=match, timeout=timeout)
        return time.perf_counter() - began < timeout

    def rascal(x: Any, y: Any) -> bool:
        from rdkit.Chem import rdRascalMCES

        options = rdRascalMCES.RascalOptions()
        options.similarityThreshold = 0.0
        options.completeAromaticRings = False
        options.ringMatchesRingOnly = False
        options.timeout = int(timeout)
        return not any(found.timedOut for found in rdRascalMCES.FindMCES(_rdkit(x), _rdkit(y), options))

    return {
        "networkx": networkx,
        "edit_distance": lambda x, y: gq.edit_distance(x, y).proven,
        "edit_distance, frank-wolfe": lambda x, y: gq.edit_distance(x, y, matcher="frank-wolfe").proven,
        "common_subgraph": lambda x, y: gq.common_subgraph(x, y).proven,
        "RDKit rdRascalMCES, threshold 0": rascal,
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


def run(data: Path | None) -> list[Record]:
    """Measure everything."""
    trees = trees_with_extra_edges(400, 10)
    records = [small("trees with extra edges, no labels", trees, EditCosts.like_networkx(), at_most=1.0)]
    if data is None:
        return records
    molecules = heavy_molecules(data)
    records.append(small("fragments, unit costs", fragments(molecules, 400, 10), EditCosts(), at_most=1 / 3))
    whole = [graph for graph in molecules if 20 <= len(graph) <= 30][:200]
    records += curve("molecules of 20 to 30 atoms, unit costs", whole, EditCosts())
    records += curve("molecules of 20 to 30 atoms, mces", whole, EditCosts.mces())
    records += verification(molecules[:N_VERIFIED])
    by_size = sorted(fragments(molecules, 600, 12, seed=3), key=len)
    records += others([graph for graph in by_size if graph.number_of_edges()])
    records.append(codebook(molecules[:N_LEARNT]))
    return records
