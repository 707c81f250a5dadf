"""MoleculeEncoder: hydrogens, rings, aromaticity; the automatic choice for molecules."""

import networkx as nx
import numpy as np
import pytest
from sklearn.base import clone

import graphquant as gq
from graphquant.exceptions import EncodingError, InvalidParameterError
from graphquant.graphs import Column, as_graphs
from graphquant.graphs.molecules import raw_from_smiles
from graphquant.graphs.to_molecules import molecules_of, smiles_of
from graphquant.preprocessing import AttributeEncoder, MoleculeEncoder
from graphquant.preprocessing._molecules import folded, prepared, unfolded
from graphquant.preprocessing.restore import restore_encoder

chem = pytest.importorskip("rdkit.Chem", reason="the extra chem is not installed")
SMILES = ["CCO", "c1cc[nH]c1", "C[NH3+]", "[H][H]", "C", "O=C(O)c1ccccc1C#N", "C1CC1CC2CC2"]


def columns(raw):
    return {name: column.to_list() for name, column in raw.node_columns.items()}


def test_hydrogens_fold_and_unfold():
    few, many = raw_from_smiles(SMILES), raw_from_smiles(SMILES, hydrogens=True)
    assert columns(folded(many)) == columns(few)
    np.testing.assert_array_equal(folded(many).edges, few.edges)
    again = unfolded(few)
    assert again.orders.tolist() == many.orders.tolist()
    assert sorted(again.node_columns["symbol"].to_list()) == sorted(many.node_columns["symbol"].to_list())
    assert again.edge_columns["bond"].to_list().count("single") == many.edge_columns["bond"].to_list().count(
        "single"
    )
    assert smiles_of(again) == [chem.CanonSmiles(text) for text in SMILES]


def test_what_other_sources_lack_is_found():
    raw = raw_from_smiles(SMILES)
    bare = gq.RawGraphs(
        raw.node_offsets,
        raw.edge_offsets,
        raw.edges,
        {name: raw.node_columns[name] for name in ("symbol", "charge", "n_hydrogens")},
        raw.edge_columns,
    )
    assert columns(prepared(bare, "count")) == columns(raw)


def test_either_form_gives_the_same_vectors():
    few, many = raw_from_smiles(SMILES), raw_from_smiles(SMILES, hydrogens=True)
    encoder = MoleculeEncoder().fit(few)
    assert encoder.transform(many) == encoder.transform(few)
    nodes = MoleculeEncoder(hydrogens="nodes").fit(many)
    found = gq.match_all(nodes.transform(many), nodes.transform(few), [(i, i) for i in range(len(SMILES))])
    np.testing.assert_allclose(found.distance, 0.0, atol=1e-9)


def test_distances_are_what_the_table_says():
    X = MoleculeEncoder().fit_transform(["CC", "C=C", "C", "N", "[NH4+]"])

    def squared(x, y):
        return float(((x - y) ** 2).sum())

    single, double = X[0], X[1]
    assert squared(single.node_attrs[0], double.node_attrs[0]) == pytest.approx(0.0225)  # a hydrogen
    assert squared(single.node_attrs[0], X[3].node_attrs[0]) == pytest.approx(2.0)  # an element
    assert squared(single.node_attrs[0], 0.0) == pytest.approx(1.0 + 9 * 0.0225)  # an atom
    # Twice, in both directions.
    assert 2 * squared(single.edge_attrs, double.edge_attrs) == pytest.approx(4.0)
    assert 2 * squared(single.edge_attrs, 0.0) == pytest.approx(2.0)
    ammonia, ammonium = X[3].node_attrs[0], X[4].node_attrs[0]
    assert squared(ammonia[:3], ammonium[:3]) == 0.0  # C, N, other
    assert squared(ammonia[3], ammonium[3]) == pytest.approx(0.25)  # a charge


def test_the_way_back():
    raw = as_graphs(SMILES)
    encoder = MoleculeEncoder().fit(raw)
    again = encoder.inverse_transform(encoder.transform(raw))
    for name in ("symbol", "charge", "n_hydrogens", "aromatic", "ring"):
        found, expected = again.node_columns[name], raw.node_columns[name]
        if expected.is_numeric:
            np.testing.assert_allclose(found.values, expected.values, atol=1e-6)
        else:
            assert found == expected
    assert smiles_of(again) == [chem.CanonSmiles(text) for text in SMILES]


def test_it_is_the_automatic_choice_for_molecules(tmp_path):
    path = tmp_path / "molecules.smi"
    path.write_text("\n".join(SMILES))
    assert isinstance(gq.read(path).encoder, MoleculeEncoder)
    assert gq.read(path, hydrogens=True).encoder.hydrogens == "nodes"
    mols = [chem.MolFromSmiles(text) for text in SMILES]
    q = gq.GraphQuantizer(2, random_state=0).fit(mols)
    assert isinstance(q.encoder_, MoleculeEncoder)
    assert gq.pairwise_distances(SMILES[:3]).shape == (3, 3)
    other = nx.path_graph(2)
    nx.set_node_attributes(other, "C", "symbol")
    assert type(gq.GraphQuantizer(1, random_state=0).fit([other]).encoder_) is AttributeEncoder


def test_it_is_saved_with_the_codebook(tmp_path):
    for encoder in ("auto", MoleculeEncoder("nodes", unit_norm=True)):
        q = gq.GraphQuantizer(2, encoder=encoder, random_state=0).fit(SMILES)
        q.save(tmp_path / "codebook.parquet")
        again = gq.load(tmp_path / "codebook.parquet")
        assert isinstance(again.encoder_, MoleculeEncoder)
        assert repr(again.encoder_) == repr(q.encoder_)
        assert again.predict(SMILES).tolist() == q.labels_.tolist()


def test_it_behaves_like_an_estimator():
    encoder = MoleculeEncoder("nodes", unknown="error")
    assert repr(clone(encoder)) == "MoleculeEncoder(hydrogens='nodes', unknown='error')"
    assert "n_hydrogens" in clone(encoder).set_params(hydrogens="count").fit(SMILES).attributes("node")
    assert "n_hydrogens" not in encoder.fit(SMILES).attributes("node")
    assert restore_encoder(encoder.to_json()).digest() == encoder.digest()


def test_other_graphs_are_refused():
    letters = gq.datasets.make_letters(1)
    with pytest.raises(EncodingError, match="not molecules: no node attribute 'symbol'"):
        MoleculeEncoder().fit(letters)
    with pytest.raises(InvalidParameterError, match="hydrogens"):
        MoleculeEncoder("both").fit(SMILES)


def test_what_is_no_molecule_has_no_smiles():
    raw = gq.RawGraphs(
        [0, 2],
        [0, 1],
        [(0, 1)],
        {"symbol": Column.from_strings(["F", "F"]), "charge": Column([0, 0]), "n_hydrogens": Column([0, 0])},
        {"bond": Column.from_strings(["triple"])},
    )
    assert list(molecules_of(raw)) == [None]
    assert smiles_of(raw) == [None]
