"""Data unlike those of training are noted once, on stderr."""

import numpy as np
import pytest

import graphquant as gq
from graphquant.cli import _notes, encode
from graphquant.datasets import make_graph_blobs


@pytest.fixture(scope="module")
def vectors(tmp_path_factory):
    """A codebook of blobs, blobs, and the same ones ten times as large."""
    folder = tmp_path_factory.mktemp("notes")
    blobs = make_graph_blobs().graphs
    q = gq.GraphQuantizer(4, max_cycles=2, random_state=0).fit(blobs)
    q.save(folder / "codebook.parquet")
    far = [gq.Graph(10.0 * x.node_attrs, x.edges, x.edge_attrs, directed=x.directed) for x in blobs[:60]]
    gq.write(blobs, folder / "near.parquet")
    gq.write(gq.GraphCollection(far), folder / "far.parquet")
    return folder


@pytest.mark.parametrize("command", [["encode"], ["evaluate"], ["report", "-o", "-"]])
def test_far_data_are_noted_once(run, vectors, command, monkeypatch):
    monkeypatch.setattr(encode, "BLOCK", 20)
    name, *options = command
    far = run(name, vectors / "codebook.parquet", vectors / "far.parquet", *options)
    assert far.stderr.count("note: these graphs are unlike those that the codebook was learnt from") == 1
    near = run(name, vectors / "codebook.parquet", vectors / "near.parquet", *options)
    assert near.stderr == ""


def test_the_distance_of_training_is_known_from_the_file(vectors):
    q = gq.load(vectors / "codebook.parquet")
    distances = q.match(gq.read(vectors / "near.parquet").graphs).distance
    assert _notes.training_distance(q) == pytest.approx(np.sqrt(np.mean(distances**2)))


def test_a_codebook_that_learnt_nothing_says_nothing(capsys):
    q = gq.GraphQuantizer(1, max_cycles=0, random_state=0).fit([gq.Graph([0.0]), gq.Graph([1.0])])
    assert _notes.training_distance(q) is None
    distances = _notes.Distances(q)
    distances.add(np.array([100.0]))
    distances.note()
    assert capsys.readouterr().err == ""


def test_no_data_no_note(vectors, capsys):
    _notes.Distances(gq.load(vectors / "codebook.parquet")).note()
    assert capsys.readouterr().err == ""


def test_what_an_encoder_met(capsys):
    class Met:
        def summary(self):
            return ["node attribute 'symbol': 2 of 5 values are categories that training did not have (Br)"]

    _notes.note_notes(Met())
    assert capsys.readouterr().err.startswith("note: node attribute 'symbol': 2 of 5 values are categories")
