"""How well clusters of molecules fit classes by encoding: ``python -m benchmarks.molecule_encoding``.

The weights of :class:`graphquant.preprocessing.MoleculeEncoder` were chosen on the first sets (``choose``),
and are judged on the others (``judge``), whose molecules took no part in the choice. Classes are the outcome
of a test (mutagenic or not), families of structural alerts (PAINS), ring systems, and targets. All molecules
come with RDKit but for the mutagens, which need GRAPHQUANT_DATA. Prints tables: accuracy, adjusted Rand index
(ARI), how much size alone says about the clusters, proven share, seconds; means over the seeds.
"""

import csv
import math
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
from rdkit import Chem, RDConfig, rdBase
from rdkit.Chem.FilterCatalog import FilterCatalog, FilterCatalogParams
from rdkit.Chem.Scaffolds import MurckoScaffold
from sklearn.metrics import adjusted_rand_score

import graphquant as gq
from graphquant.graphs import Column, RawGraphs
from graphquant.graphs.to_molecules import smiles_of
from graphquant.metrics import majority_accuracy, size_dependence
from graphquant.preprocessing import AttributeEncoder, MoleculeEncoder, Numeric, OneHot

SEEDS = {"choose": 5, "judge": 4}
# Of the 10,000 molecules of the library, those before this row served to choose.
CHOSEN = 4000
Set = tuple[list[str], list[str]]


def mutagens(split: str, size: int) -> Set:
    """Take molecules of the IAM database, aromatic where RDKit says so."""
    found = gq.datasets.load_iam("mutagenicity", split=split)
    found = found[np.sort(np.random.default_rng(1).permutation(len(found))[: 2 * size])]
    raw = found.raw
    bonds = {"1": "single", "2": "double", "3": "triple"}
    raw = RawGraphs(
        raw.node_offsets,
        raw.edge_offsets,
        raw.edges,
        {"symbol": Column.from_strings(str(name).strip() for name in raw.node_columns["chem"].to_list())},
        {
            "bond": Column.from_strings(
                bonds.get(f"{float(value):.0f}", "single") for value in raw.edge_columns["valence"].to_list()
            )
        },
    )
    pairs = [(text, label) for text, label in zip(smiles_of(raw), found.labels, strict=True) if text]
    return sample(pairs, size)


@cache
def _library() -> list[tuple[str, Chem.Mol]]:
    path, found = Path(RDConfig.RDDataDir, "Pains", "test_data", "wehi_mols.csv"), []
    for text, _ in csv.reader(path.read_text().splitlines()):
        found.append((text, Chem.MolFromSmiles(text)))
    return found


def pains(rows: slice, size: int) -> Set:
    """Molecules of the library by families of alerts with at least 10 members."""
    params = FilterCatalogParams()
    params.AddCatalog(FilterCatalogParams.FilterCatalogs.PAINS)
    catalog, found = FilterCatalog(params), []
    for text, molecule in _library()[rows]:
        match = molecule and catalog.GetFirstMatch(molecule)
        if match:
            found.append((text, match.GetDescription()))
    return sample(common(found, 10, len(found)), size)


def library_rings(rows: slice, most: int, size: int) -> Set:
    """Molecules of the library by the scaffolds that at least 8 of them share."""
    pairs = [(text, scaffold(molecule)) for text, molecule in _library()[rows] if molecule is not None]
    return sample(common(pairs, 8, most), size)


def ring_systems(parity: int, size: int) -> Set:
    """Molecules of the NCI with every other of the scaffolds that 15 to 60 of them share."""
    pairs = []
    for line in Path(RDConfig.RDDataDir, "NCI", "first_5K.smi").read_text().splitlines():
        text = line.split()[0]
        molecule = Chem.MolFromSmiles(text)
        if molecule is not None:
            pairs.append((text, scaffold(molecule)))
    pairs = common(pairs, 15, 60)
    scaffolds = sorted({label for _, label in pairs})[parity::2]
    return sample([pair for pair in pairs if pair[1] in scaffolds], size)


def scaffold(molecule: Chem.Mol) -> str:
    """Return the rings of a molecule and what joins them; empty without rings."""
    return str(Chem.MolToSmiles(MurckoScaffold.GetScaffoldForMol(molecule)))


def common(pairs: list[tuple[str, str]], least: int, most: int) -> list[tuple[str, str]]:
    """Return the molecules of classes that have neither too few members nor too many."""
    counts = Counter(label for _, label in pairs)
    return [pair for pair in pairs if pair[1] and least <= counts[pair[1]] <= most]


def targets(size: int) -> Set:
    """Molecules made against five targets."""
    contrib = Path(RDConfig.RDContribDir)
    found: list[tuple[str, str]] = []
    for label, path, cell in (
        ("sodium channel", "FreeWilson/data/CHEMBL2321810.smi", 0),
        ("cdk2", "Fastcluster/cdk2.smi", 1),
        ("somatostatin", "fraggle/data/ChEMBL_11265_actives.smi", 0),
    ):
        lines = Path(contrib, path).read_text().splitlines()
        found += sample([(line.split()[cell], label) for line in lines], 100, as_pairs=True)
    for label, path in (("egfr", "PBF/testData/egfr.sdf"), ("c-met", "FreeWilson/data/cmet_ligands.sdf")):
        molecules = filter(None, Chem.SDMolSupplier(str(Path(contrib, path))))
        texts = sorted({Chem.MolToSmiles(Chem.RemoveHs(molecule)) for molecule in molecules})
        found += sample([(text, label) for text in texts], 100, as_pairs=True)
    return sample([(text, label) for text, label in found if Chem.MolFromSmiles(text)], size)


def sample(pairs: list[tuple[str, str]], size: int, *, as_pairs: bool = False):
    """Return at most so many, the same ones each time."""
    chosen = np.sort(np.random.default_rng(0).permutation(len(pairs))[:size])
    some = [pairs[i] for i in chosen]
    return some if as_pairs else ([text for text, _ in some], [label for _, label in some])


def weighted(
    charge: float, n_hydrogens: float, aromatic: float, ring: float, *, rare: bool = False
) -> Callable[[], AttributeEncoder]:
    """Encoders with other weights beside elements and bonds of weight 1; those of weight 0 are left out.

    With ``rare``, charge and hydrogens lie on curves, and rare elements count more.
    """
    # What balance divides by.
    alike = math.sqrt(3.0) if rare else 1.0
    nodes = [OneHot("symbol", weight=alike)]
    for name, center, weight in (("charge", 0.0, charge), ("n_hydrogens", 1.5, n_hydrogens)):
        on_curve = Numeric(name, center, 1.0, weight * alike, "curve")
        nodes.append(on_curve if rare else Numeric(name, False, None, weight, "line"))
    nodes += [
        Numeric(name, False, None, weight, "line")
        for name, weight in (("aromatic", aromatic), ("ring", ring))
        if weight
    ]
    bonds = OneHot("bond", categories=("single", "double", "triple", "aromatic"))
    return lambda: AttributeEncoder(nodes, [bonds], edge_weight=1.0, presence=False, balance=rare)


def one_hot() -> AttributeEncoder:
    """Elements and bonds, all alike."""
    return AttributeEncoder([OneHot("symbol")], [OneHot("bond")], edge_weight=1.0, balance=False)


FORMER = weighted(0.5, 0.5, 0.25, 0.25, rare=True)
# By weights of charge, hydrogens, aromaticity, rings.
CANDIDATES: dict[str, Callable[[], AttributeEncoder]] = {
    "elements and bonds, one-hot": one_hot,
    "0.5, 0.15, 0.15, 0.15 (taken)": weighted(0.5, 0.15, 0.15, 0.15),
    "0.5, 0.15, 0.25, 0": weighted(0.5, 0.15, 0.25, 0.0),
    "0.5, 0.25, 0.25, 0.25": weighted(0.5, 0.25, 0.25, 0.25),
    "0.5, 0.25, 0.5, 0.25": weighted(0.5, 0.25, 0.5, 0.25),
    "0.5, 0.35, 0.35, 0.25": weighted(0.5, 0.35, 0.35, 0.25),
    "0.5, 0.5, 0.25, 0.25": weighted(0.5, 0.5, 0.25, 0.25),
    "0.5, 0.5, 0, 0, by rarity": weighted(0.5, 0.5, 0.0, 0.0, rare=True),
    "0.5, 0.5, 0.25, 0.25, by rarity (the former default)": FORMER,
    "0.25, 0.25, 0.25, 0.25, by rarity": weighted(0.25, 0.25, 0.25, 0.25, rare=True),
    "0.5, 0.2, 0.2, 0.2, by rarity": weighted(0.5, 0.2, 0.2, 0.2, rare=True),
    "0.5, 0.35, 0.35, 0.25, by rarity": weighted(0.5, 0.35, 0.35, 0.25, rare=True),
}
JUDGED: dict[str, Callable[[], AttributeEncoder]] = {
    "elements and bonds, one-hot": one_hot,
    "the former default": FORMER,
    "MoleculeEncoder()": MoleculeEncoder,
    "MoleculeEncoder(unit_norm=True)": lambda: MoleculeEncoder(unit_norm=True),
}


def sets(which: str) -> Iterator[tuple[str, Set, tuple[int, ...]]]:
    """Yield name, molecules and classes, and numbers of codes."""
    if which == "choose":
        yield "PAINS families, rows to 4000", pains(slice(CHOSEN), 200), (15,)
        yield "NCI ring systems, odd", ring_systems(1, 200), (15,)
        yield "NCI ring systems, even", ring_systems(0, 200), (15,)
        yield "targets", targets(200), (10,)
        yield "ring systems, rows to 4000", library_rings(slice(CHOSEN), 40, 200), (15,)
    else:
        yield "ring systems, rows from 4000", library_rings(slice(CHOSEN, None), 60, 200), (20,)
        yield "PAINS families, rows from 4000", pains(slice(CHOSEN, None), 200), (15,)
        if "GRAPHQUANT_DATA" in os.environ:
            yield "mutagens, train", mutagens("train", 200), (20,)


def judged(encoder: AttributeEncoder, data: Set, n_codes: int, n_seeds: int) -> np.ndarray:
    """Return accuracy, ARI, dependence on size, proven share, seconds."""
    texts, labels = data
    start, rows = time.perf_counter(), []
    for seed in range(n_seeds):
        q = gq.GraphQuantizer(n_codes, encoder=encoder, random_state=seed).fit(texts)
        rows.append(
            (
                majority_accuracy(labels=q.labels_, targets=labels),
                adjusted_rand_score(labels, q.labels_),
                size_dependence(q.labels_, gq.graphs.as_graphs(texts).orders),
                q.encoding_.proven.mean(),
            )
        )
    seconds = (time.perf_counter() - start) / n_seeds
    return np.array([*np.mean(rows, axis=0), seconds])


def main() -> None:
    """Print a table for each set and number of codes."""
    which = sys.argv[1] if len(sys.argv) > 1 else "judge"
    encoders = CANDIDATES if which == "choose" else JUDGED
    with rdBase.BlockLogs():
        for name, data, ks in sets(which):
            for k in ks:
                n_classes = len(set(data[1]))
                print(f"\n{name}: {len(data[0])} molecules in {n_classes} classes, {k} codes\n")
                print("| encoding | accuracy | ARI | size | proven | seconds |\n|---|---|---|---|---|---|")
                for title, make in encoders.items():
                    accuracy, rand, size, proven, seconds = judged(make(), data, k, SEEDS[which])
                    print(
                        f"| {title} | {100 * accuracy:.1f} | {rand:.3f} | {size:.2f} | "
                        f"{100 * proven:.0f} % | {seconds:.1f} |",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
