"""Fit on A, use on B, in all forms that graphs come in: the answer is right, or there is a clear error.

Right is what the encoder that was fitted on A gives for B. Nothing here may be silently wrong: each form of B
has atoms that A does not have, so that an encoder of its own would have other channels.
"""

import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.model_selection import cross_val_score

import graphquant as gq
from graphquant.exceptions import GraphQuantError, GraphQuantWarning, SchemaError
from graphquant.graphs import raw_from_networkx
from graphquant.preprocessing import AttributeEncoder, MoleculeEncoder

rdkit = pytest.importorskip("rdkit.Chem")

A = ("CCN", "CN", "CC(N)C", "CCO", "OCCO", "CO")
B = ("CCF", "CF", "CC(F)C", "CCO", "NCCO", "[O-]C", "C[NH3+]")


def table(smiles, path):
    lines = ["id;Smiles", *(f"m{i};{text}" for i, text in enumerate(smiles))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return gq.read(path)


def plain(smiles, path):
    path.write_text("\n".join(smiles) + "\n", encoding="utf-8")
    return gq.read(path)


def networkx_graphs(raw):
    graphs = []
    for part in (raw[i] for i in range(len(raw))):
        vectors = AttributeEncoder(presence=True).fit_transform(part)
        graphs.append(vectors[0].to_networkx())
    return graphs


def pandas_column(smiles):
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame({"smiles": list(smiles), "y": 1.0})["smiles"]


def polars_column(smiles):
    polars = pytest.importorskip("polars")
    return polars.DataFrame({"smiles": list(smiles)})["smiles"]


def written(smiles, path, graphs=None):
    gq.write(gq.graphs.as_graphs(list(smiles)) if graphs is None else graphs, path)
    return path


FORMS = {
    "list of SMILES": lambda smiles, folder: list(smiles),
    "array of SMILES": lambda smiles, folder: np.array(smiles, dtype=object),
    "molecules": lambda smiles, folder: [rdkit.MolFromSmiles(text) for text in smiles],
    "pandas column": lambda smiles, folder: pandas_column(smiles),
    "polars column": lambda smiles, folder: polars_column(smiles),
    "raw graphs": lambda smiles, folder: gq.graphs.as_graphs(list(smiles)),
    "list of raw graphs": lambda smiles, folder: [gq.graphs.as_graphs([text]) for text in smiles],
    "networkx": lambda smiles, folder: networkx_graphs(gq.graphs.as_graphs(list(smiles))),
    "smi file": lambda smiles, folder: plain(smiles, folder / "molecules.smi"),
    "csv file": lambda smiles, folder: table(smiles, folder / "molecules.csv"),
    "part of a data set": lambda smiles, folder: plain((*smiles, "CBr"), folder / "more.smi")[:-1],
    "json lines": lambda smiles, folder: gq.read(written(smiles, folder / "molecules.jsonl")),
    "raw parquet": lambda smiles, folder: gq.read(written(smiles, folder / "raw.parquet")),
}
# Forms that are vectors of another encoder, or of none: never right for B.
STRANGERS = {
    "own encoding": lambda smiles: AttributeEncoder().fit_transform(list(smiles)),
    "part of an own encoding": lambda smiles: AttributeEncoder().fit_transform(list(smiles))[1:],
    "graphs of an own encoding": lambda smiles: list(AttributeEncoder().fit_transform(list(smiles))),
    "vectors by hand": lambda smiles: AttributeEncoder().fit_transform(list(smiles)).with_schema(None),
}
USES = {
    "predict": lambda q, X: q.predict(X),
    "transform": lambda q, X: q.transform(X),
    "match": lambda q, X: q.match(X).distance,
    "score": lambda q, X: q.score(X),
}


@pytest.fixture
def forms(tmp_path):
    """Return a function that makes A or B in a form; warnings about unknown atoms are not the point."""

    def make(name, smiles):
        folder = tmp_path / f"{name} {'A' if smiles is A else 'B'}"
        folder.mkdir()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", GraphQuantWarning)
            return FORMS[name](smiles, folder)

    return make


def fit(X, **options):
    return gq.GraphQuantizer(2, max_cycles=1, random_state=0, **options).fit(X)


def quietly(function, *arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphQuantWarning)
        return function(*arguments)


def by_hand(q, smiles):
    """Encode molecules by the encoder that was fitted on A."""
    return quietly(q.encoder_.transform, gq.graphs.as_graphs(list(smiles)))


@pytest.mark.parametrize("learnt", FORMS)
@pytest.mark.parametrize("used", FORMS)
def test_fit_on_a_use_on_b(learnt, used, forms):
    q = quietly(fit, forms(learnt, A))
    if learnt != "part of a data set":  # whose encoder has seen the rest
        assert q.encoder_.digest() == MoleculeEncoder().fit(list(A)).digest()
    X = forms(used, B)
    np.testing.assert_allclose(quietly(q.transform, X), q.transform(by_hand(q, B)), atol=1e-9)
    np.testing.assert_array_equal(quietly(q.predict, X), q.predict(by_hand(q, B)))


@pytest.mark.parametrize("learnt", FORMS)
def test_saved_and_loaded(learnt, forms, tmp_path):
    q = quietly(fit, forms(learnt, A))
    q.save(tmp_path / "codebook.parquet")
    again = gq.load(tmp_path / "codebook.parquet")
    for used in ("networkx", "molecules", "csv file"):
        np.testing.assert_array_equal(quietly(again.predict, forms(used, B)), q.predict(by_hand(q, B)))


@pytest.mark.parametrize("used", FORMS)
def test_streams(used, forms):
    q = gq.GraphQuantizer(2, random_state=0).partial_fit(list(A))
    direct = gq.GraphQuantizer(2, random_state=0).partial_fit(list(A)).partial_fit(by_hand(q, B))
    quietly(q.partial_fit, forms(used, B))
    assert q.codebook_.schema == direct.codebook_.schema
    assert q.distortion_ == pytest.approx(direct.distortion_)


@pytest.mark.parametrize("use", USES.values(), ids=USES)
@pytest.mark.parametrize("stranger", STRANGERS.values(), ids=STRANGERS)
def test_vectors_of_another_encoder_are_refused(stranger, use):
    q = fit(list(A))
    with pytest.raises(SchemaError, match=r"encoder|made by hand"):
        use(q, stranger(B))


def test_parquet_files_of_partitions(tmp_path):
    q = fit(list(A))
    raw = written(B, tmp_path / "raw.parquet")
    np.testing.assert_array_equal(quietly(q.predict, raw), q.predict(by_hand(q, B)))
    vectors = written(B, tmp_path / "vectors.parquet", by_hand(q, B))
    np.testing.assert_array_equal(q.predict(vectors), q.predict(by_hand(q, B)))
    others = written(B, tmp_path / "others.parquet", STRANGERS["own encoding"](B))
    with pytest.raises(SchemaError, match="only"):
        q.predict(others)


def test_raw_partitions_need_a_fitted_encoder(tmp_path):
    raw = written(A, tmp_path / "raw.parquet")
    with pytest.raises(GraphQuantError, match="encoder"):
        fit(raw)
    encoder = AttributeEncoder().fit(list(A))
    q = fit(raw, encoder=encoder)
    assert q.codebook_.schema == encoder.schema()
    np.testing.assert_array_equal(quietly(q.predict, list(B)), q.predict(by_hand(q, B)))


@pytest.mark.parametrize("left", FORMS)
@pytest.mark.parametrize("right", ["list of SMILES", "networkx", "csv file"])
def test_distances_encode_both_sides_alike(left, right, forms):
    found = quietly(gq.pairwise_distances, forms(left, A), forms(right, B))
    both = gq.pairwise_distances([*A, *B])
    if left in ("smi file", "csv file", "json lines", "raw parquet", "part of a data set"):
        # A data set has its encoder with it: B is encoded like A.
        q = quietly(fit, forms("list of SMILES", A))
        expected = gq.pairwise_distances(q.encoder_.transform(list(A)), by_hand(q, B))
        if left != "part of a data set":
            np.testing.assert_allclose(found, expected, atol=1e-9)
    elif right != "csv file":
        np.testing.assert_allclose(found, both[: len(A), len(A) :], atol=1e-9)
    assert found.shape == (len(A), len(B))


def test_one_pair_in_any_form():
    left, right = gq.graphs.as_graphs(["CCN"]), gq.graphs.as_graphs(["CCF"])
    expected = gq.pairwise_distances(left, right)[0, 0]
    assert expected > 0.3
    for x, y in (
        (["CCN"], ["CCF"]),
        (rdkit.MolFromSmiles("CCN"), rdkit.MolFromSmiles("CCF")),
        (networkx_graphs(left)[0], networkx_graphs(right)[0]),
    ):
        assert gq.distance(x, y) == pytest.approx(expected)
    with pytest.raises(GraphQuantError, match=r"y contains 2 graphs"):
        gq.match(["CCN"], ["CCF", "C"])


def pyg_like(raw):
    """Return graphs as PyTorch Geometric has them, with codes of symbols."""
    symbols = {"C": 0, "N": 1, "O": 2, "F": 3}
    found = []
    for i in range(len(raw)):
        part = raw[i]
        codes = [symbols[symbol] for symbol in part.node_columns["symbol"].to_list()]
        index = np.concatenate([part.edges.T, part.edges.T[::-1]], axis=1)
        found.append(
            SimpleNamespace(
                x=np.array(codes)[:, None], edge_index=index, edge_attr=None, num_nodes=len(codes)
            )
        )
    return found


def test_codes_of_pytorch_geometric():
    raw_a, raw_b = (gq.graphs.as_graphs(list(smiles)) for smiles in (A, B))
    q = fit(pyg_like(raw_a))
    expected = quietly(q.encoder_.transform, pyg_like(raw_b))
    np.testing.assert_array_equal(quietly(q.predict, pyg_like(raw_b)), q.predict(expected))
    with pytest.raises(GraphQuantError, match="has the attribute"):
        q.predict(list(B))


def test_graphs_with_other_attributes_are_refused():
    q = fit(list(A))
    letters = gq.datasets.make_letters(1)
    with pytest.raises(GraphQuantError, match="No node of these graphs has the attributes 'symbol'"):
        q.predict(letters)
    with pytest.raises(SchemaError, match="only"):
        q.predict(letters.graphs)
    with pytest.raises(GraphQuantError, match="has the attribute"):
        q.predict(raw_from_networkx([graph.to_networkx() for graph in letters[:2]]))


def test_what_was_met_is_in_the_result():
    q = fit(list(A))
    with pytest.warns(GraphQuantWarning, match="training did not have"):
        found = q.match(list(B))
    assert found.notes.n_unknown == 3
    assert q.match(by_hand(q, B)).notes.n_unknown == 0


def test_cross_validation_of_columns_of_molecules():
    """Each training part has an encoder of its own, by which its test part is encoded."""
    smiles = np.array([*A, *B] * 2, dtype=object)
    scores = quietly(cross_val_score, gq.GraphQuantizer(2, max_cycles=1, random_state=0), smiles)
    assert (scores < 0.0).all()
