"""From vectors back to what users know: attributes in graphs of networkx and in files."""

import json

import networkx as nx
import numpy as np
import pytest

import graphquant as gq
from graphquant.preprocessing import AttributeEncoder

SUFFIXES = (".jsonl", ".graphml", ".gxl", ".parquet")


@pytest.fixture(scope="module")
def letters():
    return gq.datasets.make_letters(2, random_state=0)


@pytest.fixture(scope="module")
def molecule():
    graph = nx.Graph(name="methanol")
    graph.add_node(0, symbol="C", charge=0)
    graph.add_node(1, symbol="O", charge=-1)
    graph.add_edge(0, 1, bond="single")
    other = nx.Graph(name="nitrogen")
    other.add_node(0, symbol="N", charge=1)
    other.add_node(1, symbol="N", charge=0)
    other.add_edge(0, 1, bond="triple")
    return [graph, other]


def test_attributes_come_back_to_networkx(molecule):
    vectors = AttributeEncoder().fit_transform(molecule)
    again = vectors[0].to_networkx()
    assert again.nodes[1] == {"symbol": "O", "charge": -1.0}
    assert again.edges[0, 1] == {"bond": "single"}
    assert vectors.schema.encoder.transform([vectors[1].to_networkx()])[0] == vectors[1]


def test_channels_on_request_and_by_schema(molecule):
    vectors = AttributeEncoder(["charge"], []).fit_transform(molecule)
    names = list(vectors.schema.node)
    assert list(vectors[0].to_networkx(names, ["e"]).nodes[0]) == names
    named = gq.Graph([[1.0, 2.0]]).with_schema(gq.Schema(["x", "y"], ["e"]))
    assert named.to_networkx().nodes[0] == {"x": 1.0, "y": 2.0}
    assert named.with_schema(None).to_networkx().nodes[0] == {"a0": 1.0, "a1": 2.0}


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_data_graphs_make_the_round_trip(suffix, letters, tmp_path):
    """Data graph -> vectors -> attributes -> file -> read -> encode gives the same vectors."""
    path = tmp_path / f"letters{suffix}"
    graphs = letters.graphs[:1] if suffix == ".gxl" else letters.graphs
    gq.write(graphs, path)
    again = gq.read(path, encoder="auto" if suffix == ".parquet" else letters.encoder)
    assert again.graphs.schema == graphs.schema
    for mine, theirs in zip(graphs, again.graphs, strict=True):
        np.testing.assert_allclose(theirs.node_attrs, mine.node_attrs, atol=1e-9)
        np.testing.assert_array_equal(theirs.edges, mine.edges)
        np.testing.assert_allclose(theirs.edge_attrs, mine.edge_attrs, atol=1e-9)


def test_a_codebook_is_written_in_the_words_of_its_data(letters, tmp_path):
    q = gq.GraphQuantizer(3, max_cycles=2, random_state=0).fit(letters)
    gq.write(q.codebook_, tmp_path / "codes.jsonl")
    first = json.loads((tmp_path / "codes.jsonl").read_text().splitlines()[0])
    assert {"x", "y"} <= set(first["nodes"][0])
    assert "cos x" not in first["nodes"][0]
    again = gq.read(tmp_path / "codes.jsonl", encoder=letters.encoder)
    assert again.graphs.schema == q.codebook_.schema
    twice = letters.encoder.transform(letters.encoder.inverse_transform(again.graphs))
    np.testing.assert_allclose(twice.node_attrs, again.graphs.node_attrs, atol=1e-9)


def test_columns_beside_the_graphs_stay_in_parquet(letters, tmp_path):
    columns = {"id": [f"letter {i}" for i in range(30)], "note": ["good", *[None] * 29]}
    dataset = gq.Dataset(letters.graphs, encoder=letters.encoder, columns=columns)
    gq.write(dataset, tmp_path / "letters.parquet")
    again = gq.read(tmp_path / "letters.parquet")
    assert again.columns == {name: tuple(values) for name, values in columns.items()}
    assert again[3:5].columns["id"] == ("letter 3", "letter 4")
