"""Snapshots and side files that were made up: refused before the core sees an array."""

import json
import zipfile

import numpy as np
import pytest

import graphquant as gq
from graphquant.exceptions import FileFormatError
from graphquant.learning.array_files import DamagedArraysError, read_arrays, write_arrays
from tests.learning.collections_of_graphs import collection
from tests.reference.random_graphs import KINDS

REFUSED = r"run-0\.npz: not a checkpoint, or damaged"


@pytest.fixture(scope="module")
def graphs():
    return collection("letters", 20, 0)


def fit(graphs, folder, **changes):
    settings = {"n_codes": 3, "init": "random", "random_state": 1, "max_cycles": 4} | changes
    return gq.GraphQuantizer(checkpoint=folder, **settings).fit(graphs)


def rewritten(path, change):
    """Write a snapshot again with other arrays."""
    with np.load(path) as file:
        parts = dict(file)
    arrays = {}
    for name, array in parts.items():
        if name.endswith(".values"):
            continue
        whole, _, kind = name.partition(".")
        if kind:
            bits = np.unpackbits(array).astype(bool)
            array = np.zeros(len(bits))
            array[bits] = parts[f"{whole}.values"]
        arrays[whole] = array
    change(arrays)
    write_arrays(path, arrays)


def put(name, value, at=0):
    def change(arrays):
        arrays[name].reshape(-1)[at] = value

    return change


def header_with(**changes):
    def change(arrays):
        arrays["header"] = np.array(json.dumps(json.loads(str(arrays["header"])) | changes))

    return change


CRAFTED = {
    "label": put("label", 1_000_000),
    "negative label": put("label", -2),
    "mapping": put("mapping", 10**6),
    "negative mapping": put("mapping", -1),
    "mapping twice": lambda arrays: arrays["mapping"].fill(0),
    "code_nodes": put("code_nodes", np.nan),
    "huge code_nodes": put("code_nodes", 1e308),
    "nodes": put("nodes", np.inf),
    "loop": put("code_pairs", 1.0),
    "one way": put("code_pairs", 0.25, at=1),
    "pairs": put("pairs", 0.25, at=1),
    "wins": put("wins", -1),
    "lower": put("lower", np.nan),
    "lower_snapshot": put("lower_snapshot", 30_000),
    "second_snapshot": put("second_snapshot", -7),
    "drift_half": put("drift_half", -7),
    "drift_newest": put("drift_newest", 10**9),
    "drift_order": put("drift_order", 10**9),
    "drift_spacing": put("drift_spacing", 0),
    "drift_steps": put("drift_steps", -(10**9)),
    "drift_outside": put("drift_outside", np.nan),
    "negative drift_outside": put("drift_outside", -1.0),
    "drift_path": put("drift_path", -np.inf),
    "drift_nodes": put("drift_nodes", np.nan),
    "certified_order": put("certified_order", 10**9),
    "is_fresh": lambda arrays: arrays["is_fresh"].view(np.uint8).fill(7),
    "is_estimated": lambda arrays: arrays["is_estimated"].view(np.uint8).fill(7),
    "other type": lambda arrays: arrays.update(label=arrays["label"].astype(float)),
    "other shape": lambda arrays: arrays.update(label=arrays["label"][:-1]),
    "other order": lambda arrays: arrays.update(lower=np.asfortranarray(arrays["lower"])),
    "one missing": lambda arrays: arrays.pop("label"),
    "one too many": lambda arrays: arrays.update(colour=np.zeros(3)),
    "no cycles": header_with(cycles=3),
    "cycle without numbers": header_with(cycles=[{"cycle": 1}]),
    "generator": header_with(rng={"bit_generator": "PCG64", "state": {"state": -1, "inc": 2**200}}),
    "other generator": header_with(rng={"bit_generator": "MT19937"}),
    "no generator": header_with(rng=3),
    "n_init_matchings": header_with(n_init_matchings=-3),
    "header": lambda arrays: arrays.update(header=np.array("[" * 100_000)),
}


@pytest.mark.parametrize("name", CRAFTED)
def test_made_up_snapshots_are_refused(name, graphs, tmp_path):
    fit(graphs, tmp_path, max_cycles=3)
    rewritten(tmp_path / "run-0.npz", CRAFTED[name])
    with pytest.raises(FileFormatError, match=REFUSED):
        fit(graphs, tmp_path, max_cycles=3)


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("algorithm", ["standard", "accelerated", "lossless", "fast"])
def test_true_snapshots_are_taken(kind, algorithm, tmp_path):
    graphs = KINDS[kind].collection(np.random.default_rng(0), 12, 1, 4)
    settings = {"algorithm": algorithm, "max_cycles": 3}
    first, again = fit(graphs, tmp_path, **settings), fit(graphs, tmp_path, **settings)
    assert again.codebook_ == first.codebook_


def as_method(path, method, flags):
    """Mark all members of a zip as packed by another method, or encrypted."""
    content = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as file:
        for info in file.infolist():
            content[info.header_offset + 6] |= flags
            content[info.header_offset + 8] = method
    at = content.find(b"PK\x01\x02")
    while at >= 0:
        content[at + 8] |= flags
        content[at + 10] = method
        at = content.find(b"PK\x01\x02", at + 4)
    path.write_bytes(bytes(content))


@pytest.mark.parametrize(("method", "flags"), [(99, 0), (12, 0), (8, 1)])
def test_unknown_methods_and_encryption_are_refused(method, flags, graphs, tmp_path):
    fit(graphs, tmp_path)
    as_method(tmp_path / "run-0.npz", method, flags)
    with pytest.raises(FileFormatError, match=f"{REFUSED}.*encrypted or packed by an unknown method"):
        fit(graphs, tmp_path)


def test_nothing_larger_than_expected_is_unpacked(tmp_path):
    """A thousand times what it should be would take memory, or a description of it alone."""
    write_arrays(tmp_path / "a.npz", {"a": np.zeros(10**7, dtype=np.int64)})
    with pytest.raises(DamagedArraysError, match="80000128 bytes, more than"):
        read_arrays(tmp_path / "a.npz", {"a": np.zeros(10, dtype=np.int64)})
    with zipfile.ZipFile(tmp_path / "b.npz", "w") as file:
        header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,), }".ljust(117) + "\n"
        file.writestr("a.npy", b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
    with pytest.raises(DamagedArraysError, match=r"shape \(1000000000000,\)"):
        read_arrays(tmp_path / "b.npz", {"a": np.zeros(10)})


def test_arrays_keep_every_bit(tmp_path):
    rng = np.random.default_rng(0)
    sparse = np.where(rng.random((50, 200)) < 0.1, rng.normal(size=(50, 200)), 0.0)
    sparse[0, :4] = [-0.0, np.nan, np.inf, 5e-324]
    arrays = {"sparse": sparse, "dense": rng.normal(size=5000), "small": np.zeros(0), "int": np.arange(9)}
    write_arrays(tmp_path / "a.npz", arrays)
    found = read_arrays(tmp_path / "a.npz", arrays)
    assert {name: array.tobytes() for name, array in found.items()} == {
        name: array.tobytes() for name, array in arrays.items()
    }
    assert (tmp_path / "a.npz").stat().st_size < 0.7 * sum(array.nbytes for array in arrays.values())
    assert all(array.flags.writeable for array in found.values())
