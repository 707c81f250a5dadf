"""The IAM data sets: the paper's Table 1 from the real files, and what happens without them."""

import zipfile
from collections import Counter

import numpy as np
import pytest

from graphquant.datasets import load_iam
from graphquant.exceptions import FileFormatError, InvalidParameterError
from graphquant.graphs import describe
from graphquant.preprocessing import AttributeEncoder

# Table 1 of the paper: graphs, classes, average and largest number of nodes, and of edges.
TABLE_1 = {
    "letter": (750, 15, 4.7, 8, 3.1, 6),
    "grec": (528, 22, 11.5, 24, 11.9, 29),
    "fingerprint": (900, 3, 8.3, 26, 14.1, 48),
    "molecules": (100, 2, 24.6, 40, 25.2, 44),
}


@pytest.mark.parametrize("name", TABLE_1)
def test_table_1_of_the_paper(name, iam_path):
    data = load_iam(name, iam_path)
    n_graphs, n_classes, avg_nodes, max_nodes, avg_edges, max_edges = TABLE_1[name]
    stats = describe(data.graphs, data.targets)
    assert (stats.n_graphs, stats.n_classes) == (n_graphs, n_classes)
    assert (stats.max_nodes, stats.max_edges) == (max_nodes, max_edges)
    assert stats.avg_nodes == pytest.approx(avg_nodes, abs=0.1)
    assert stats.avg_edges == pytest.approx(avg_edges, abs=0.1)
    # The paper: uniformly distributed over the classes, in all four sets.
    assert set(data.class_counts.values()) == {n_graphs // n_classes}
    assert data.skipped == ()


_XY = ("cos x", "sin x", "cos y", "sin y")
_LINES = ("arc", "line", "other")


@pytest.mark.parametrize(
    ("name", "node", "edge"),
    [
        ("letter", _XY, ("presence",)),
        (
            "grec",
            (
                *_XY,
                "type=circle",
                "type=corner",
                *(f"type={c}" for c in ("endpoint", "intersection", "other")),
            ),
            (*(f"type0={c}" for c in _LINES), *(f"type1={c}" for c in _LINES)),
        ),
        ("fingerprint", _XY, ("orient", "presence")),
        (
            "molecules",
            tuple(
                f"chem={c}" for c in ["Br", "C", "Cl", "F", "H", "I", "K", "N", "Na", "O", "P", "S", "other"]
            ),
            ("valence=1", "valence=2", "valence=other"),
        ),
    ],
)
def test_presets(name, node, edge, iam_path):
    encoder = load_iam(name, iam_path).encoder
    assert encoder.node_channels_ == node
    assert encoder.edge_channels_ == edge


def test_grec_keeps_the_graph_with_the_bad_angle(iam_path):
    data = load_iam("grec", iam_path)
    index = data.names.index("image22_40")
    angles = data.raw[index].edge_columns["angle0"]
    assert int(np.isnan(angles.values).sum()) == 1
    assert "image22_40.gxl: edge 4, attribute 'angle0': '\ufffd' is not a number: read as missing." in (
        data.description
    )


def test_fingerprint_counts_the_file_that_is_listed_twice_once(iam_path):
    data = load_iam("fingerprint", iam_path)
    assert Counter(data.names)["f1003_04"] == 1
    assert data.labels[data.names.index("f1003_04")] == "L"
    assert "lists 'f1003_04.gxl' twice (classes 'L', 'TR'): class 'L' is kept." in data.description
    assert data.graphs.directed


def test_other_sets_and_splits(iam_path):
    med = load_iam("letter-med", iam_path)
    assert (len(med), med.graphs.orders.max()) == (750, 9)
    assert med.names == load_iam("letter-med", iam_path, split="test").names
    assert len(load_iam("mutagenicity", iam_path)) == 4337
    assert len(load_iam("mutagenicity", iam_path, split="validation")) == 500
    assert len(load_iam("grec", iam_path, split="validation")) == 286
    assert len(load_iam("letter", iam_path, split="all")) == 2250


def test_a_zip_a_folder_and_the_environment_give_the_same(iam_path, tmp_path, monkeypatch):
    from_zip = load_iam("letter", iam_path / "Letter.zip")
    with zipfile.ZipFile(iam_path / "Letter.zip") as file:
        file.extractall(tmp_path)
    assert load_iam("letter", tmp_path).graphs == from_zip.graphs
    assert load_iam("letter", tmp_path / "Letter").graphs == from_zip.graphs
    monkeypatch.setenv("GRAPHQUANT_DATA", str(tmp_path))
    assert load_iam("letter").graphs == from_zip.graphs


def test_another_encoder(iam_path):
    data = load_iam("letter", iam_path, encoder=AttributeEncoder(node=["x"], edge=[]))
    assert data.encoder.node_channels_ == ("cos x", "sin x", "cos2 x", "sin2 x")
    automatic = load_iam("fingerprint", iam_path, encoder="auto")
    assert "angle" in automatic.encoder.edge_channels_


def test_unknown_names(iam_path):
    with pytest.raises(InvalidParameterError, match=r"IAM data set 'leter'\. Did you mean 'letter'\?"):
        load_iam("leter", iam_path)
    with pytest.raises(InvalidParameterError, match=r"Unknown split 'tests'\. Did you mean 'test'\?"):
        load_iam("letter", iam_path, split="tests")


def test_no_place_is_given(monkeypatch):
    monkeypatch.delenv("GRAPHQUANT_DATA", raising=False)
    with pytest.raises(
        InvalidParameterError, match=r"Pass path=, or set the environment variable GRAPHQUANT_DATA"
    ):
        load_iam("letter")


def test_the_place_has_no_such_data(tmp_path, monkeypatch):
    with pytest.raises(FileFormatError, match=r"neither GREC\.zip nor a folder GREC\. Pass path=, or set"):
        load_iam("grec", tmp_path)
    monkeypatch.setenv("GRAPHQUANT_DATA", str(tmp_path))
    with pytest.raises(FileFormatError, match=r"from the environment variable GRAPHQUANT_DATA"):
        load_iam("grec")
