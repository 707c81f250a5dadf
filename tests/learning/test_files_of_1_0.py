"""Collections and codebooks that version 1.0.0 wrote: built-in letters, on circles."""

import json
from pathlib import Path

import pytest

import graphquant as gq
from graphquant.exceptions import SchemaError

DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="module")
def expected():
    return json.loads((DATA / "codebook_1_0.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def quantizer():
    return gq.load(DATA / "codebook_1_0.parquet")


def test_a_collection_loads(expected):
    letters = gq.read(DATA / "collection_1_0.parquet")
    assert list(letters.names) == expected["names"]
    assert letters.encoder.node_channels_ == ("cos x", "sin x", "cos y", "sin y")
    assert letters.graphs.schema == letters.encoder.schema()


def test_a_codebook_encodes_vectors_and_raw_graphs(quantizer, expected):
    vectors = gq.read(DATA / "collection_1_0.parquet")
    raw = gq.read(DATA / "raw_1_0.parquet")
    assert quantizer.predict(vectors).tolist() == expected["labels"]
    assert quantizer.predict(raw).tolist() == expected["labels"]
    assert quantizer.predict(raw.raw).tolist() == expected["labels"]
    assert -quantizer.score(vectors) == pytest.approx(expected["distortion"])
    # Read apart, the raw letters have got an encoder of today.
    assert raw.graphs.schema != quantizer.codebook_.schema
    with pytest.raises(SchemaError, match="only"):
        quantizer.predict(raw.graphs)


def test_partitions_of_a_collection(quantizer, expected):
    assert quantizer.predict(DATA / "collection_1_0.parquet").tolist() == expected["labels"]
    assert quantizer.predict(DATA / "raw_1_0.parquet").tolist() == expected["labels"]


def test_a_codebook_of_vectors_made_by_hand():
    q = gq.load(DATA / "codebook_by_hand_1_0.parquet")
    assert q.codebook_.schema is None
    assert q.encoder_ is None
    assert len(set(q.predict([gq.Graph([0.0]), gq.Graph([10.0])]).tolist())) == 2


def test_what_is_saved_again_is_of_today(quantizer, expected, tmp_path):
    quantizer.save(tmp_path / "codebook.parquet")
    again = gq.load(tmp_path / "codebook.parquet")
    assert again.codebook_.schema == quantizer.codebook_.schema
    assert again.predict(DATA / "raw_1_0.parquet").tolist() == expected["labels"]
