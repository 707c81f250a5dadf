"""GXL and CXL: flaws of public collections that are repaired and told; strict=True makes them errors."""

import pytest

from graphquant.exceptions import FileFormatError, GraphQuantWarning, InvalidParameterError
from graphquant.io import gxl, read_file
from graphquant.io._gxl_columns import looks_numeric
from tests.io.gxl_documents import DOCTYPE, GOOD, NODES, attr, document, listing, put, read_text


def nodes(*attributes):
    return document("".join(f'<node id="{i}">{values}</node>' for i, values in enumerate(attributes)))


def read_nodes(folder, *attributes):
    """One graph per argument, each a list of nodes with their attributes as XML."""
    files = {f"g{i}.gxl": nodes(*values) for i, values in enumerate(attributes)}
    return gxl.read(put(folder, files))


def test_letters_in_an_attribute_that_is_declared_int_are_text(tmp_path):
    """The amino acids of the proteins."""
    sequence = [
        attr("sequence", text, "int") + attr("length", 3, "int") for text in ("SML", "NAN", "12", "INF")
    ]
    content = read_nodes(tmp_path, sequence[:1], sequence[1:])
    assert content.graphs.node_columns["sequence"].to_list() == ["SML", "NAN", "12", "INF"]
    assert content.graphs.node_columns["length"].to_list() == [3.0] * 4
    assert content.repaired == (
        f"{tmp_path}/g0.gxl: node 0, attribute 'sequence': 'SML' is not a number: the attribute is read as "
        "text (3 of its 4 values are not numbers).",
    )
    with pytest.raises(
        FileFormatError, match=r"g0\.gxl: node 0, attribute 'sequence': 'SML' is not a number"
    ):
        gxl.read(tmp_path, strict=True)


@pytest.mark.parametrize("tag", ["float", "string"])
def test_one_value_of_many_that_is_not_a_number_is_missing(tmp_path, tag):
    """The angle of image22_40 of GREC."""
    content = read_nodes(tmp_path, [attr("angle", "0.5", tag)] * 9 + [attr("angle", "\ufffd", tag)])
    assert content.graphs.node_columns["angle"].to_list() == [0.5] * 9 + [None]
    assert content.repaired == (
        f"{tmp_path}/g0.gxl: node 9, attribute 'angle': '\ufffd' is not a number: read as missing.",
    )


@pytest.mark.parametrize("text", ["", "?", "nan", "NA", "inf", "--", "\ufffd\ufffd"])
def test_a_text_that_says_nothing_makes_no_text_of_an_attribute(tmp_path, text):
    content = read_nodes(tmp_path, [attr("x", "1"), attr("x", text)])
    assert content.graphs.node_columns["x"].to_list() == [1.0, None]
    assert len(content.repaired) == 1


@pytest.mark.parametrize(("n_words", "numeric"), [(1, True), (2, False)])
def test_a_declared_number_is_one_if_nine_of_ten_values_are(tmp_path, n_words, numeric):
    values = [attr("x", "1")] * (10 - n_words) + [attr("x", "12A")] * n_words
    assert read_nodes(tmp_path, values).graphs.node_columns["x"].is_numeric == numeric


def test_a_number_here_and_a_string_there_is_text(tmp_path):
    content = read_nodes(tmp_path, [attr("atom", "6", "int")] * 99, [attr("atom", "Cl", "string")])
    assert content.graphs.node_columns["atom"].to_list() == ["6"] * 99 + ["Cl"]
    assert content.repaired == (
        f"{tmp_path}/g1.gxl: node 0, attribute 'atom': 'Cl' is not a number: the attribute is read as text "
        "(1 of its 100 values are not numbers).",
    )


def test_codes_of_atoms_are_numbers_however_they_are_typed(tmp_path):
    content = read_nodes(tmp_path, [attr("atom", "6", "int")], [attr("atom", " 17 ", "string")])
    assert content.graphs.node_columns["atom"].to_list() == [6.0, 17.0]
    assert content.repaired == ()


def test_attributes_that_only_some_nodes_have_are_missing_at_the_others(tmp_path):
    content = read_nodes(tmp_path, [attr("x", "1"), ""], [attr("s", "C", "string"), attr("x", "2")])
    assert content.graphs.node_columns["x"].to_list() == [1.0, None, None, 2.0]
    assert content.graphs.node_columns["s"].to_list() == [None, None, "C", None]
    assert content.repaired == ()


W = attr("w", 1) + attr("s", "a", "string")
EDGES = {
    "self-loops": (
        '<edge from="a" to="a"/><edge from="b" to="b"/>' + f'<edge from="a" to="b">{W}</edge>',
        "edge 0 is a self-loop at node 'a': left out (1 more like it).",
    ),
    "repeated": (
        f'<edge from="a" to="b">{W}</edge><edge from="b" to="a">{attr("w", 2)}</edge>',
        "edge 1 repeats edge 0 (nodes 'b' and 'a'): the first is kept.",
    ),
}


@pytest.mark.parametrize(("edges", "line"), EDGES.values(), ids=EDGES)
def test_self_loops_and_repeated_edges_are_left_out(tmp_path, edges, line):
    content = read_text(tmp_path, document(NODES + edges))
    assert content.graphs.edges.tolist() == [[0, 1]]
    assert content.graphs.edge_columns["w"].to_list() == [1.0]
    assert content.graphs.edge_columns["s"].to_list() == ["a"]
    assert content.repaired == (f"{tmp_path}/one.gxl: {line}",)


ODD_VALUES = {
    "twice": (attr("x", 1) + attr("x", 2), [1.0], "node 0 has the attribute 'x' twice: the first is kept."),
    "no value": (
        '<attr name="x"/>' + attr("y", 1),
        None,
        "node 0, attribute 'x': expected one value, as in <float>0.5</float>: read as missing.",
    ),
    "no type": (
        '<attr name="x"> C </attr>',
        ["C"],
        "node 0, attribute 'x': expected one value, as in <float>0.5</float>: 'C' is read as text.",
    ),
    "unknown type": (
        attr("x", "C", "locator"),
        ["C"],
        "node attribute 'x' has values of type <locator>, expected int, float, bool, string or enum: "
        "read as text.",
    ),
}


@pytest.mark.parametrize(("values", "expected", "line"), ODD_VALUES.values(), ids=ODD_VALUES)
def test_odd_values(tmp_path, values, expected, line):
    content = read_text(tmp_path, nodes(values))
    column = content.graphs.node_columns.get("x")
    assert (column and column.to_list()) == expected
    assert content.repaired == (f"{tmp_path}/one.gxl: {line}",)


def test_a_graph_that_is_listed_twice_counts_once(tmp_path):
    """The fingerprint with two classes."""
    put(tmp_path, {"a.gxl": GOOD, "b.gxl": GOOD})
    put(tmp_path, {"t.cxl": listing(("a.gxl", "L"), ("b.gxl", "R"), ("a.gxl", "TR"), ("b.gxl", "R"))})
    content = gxl.read(tmp_path)
    assert (content.graphs.names, content.targets) == (("a", "b"), ("L", "R"))
    assert content.repaired == (
        f"{tmp_path}/t.cxl: lists 'a.gxl' twice (classes 'L', 'TR'): class 'L' is kept.",
        f"{tmp_path}/t.cxl: lists 'b.gxl' twice: the first is kept.",
    )


def test_a_test_list_that_repeats_the_training_list(tmp_path):
    """As in AIDS: each list alone is sound, and together nothing counts twice."""
    put(tmp_path, {f"{name}.gxl": GOOD for name in "abc"})
    put(tmp_path, {"train.cxl": listing(("a.gxl", "A"), ("b.gxl", "A"), ("c.gxl", "I"))})
    put(tmp_path, {"test.cxl": listing(("a.gxl", "A"), ("b.gxl", "A"), ("c.gxl", "A"))})
    assert gxl.read(tmp_path, split="test").repaired == ()
    content = gxl.read(tmp_path, split=["train", "test"])
    assert (content.graphs.names, content.targets) == (("a", "b", "c"), ("A", "A", "I"))
    both = "found twice: once in train.cxl, once in test.cxl"
    assert content.repaired == (
        f"{tmp_path}/test.cxl: 'a.gxl' is {both}: the first is kept (1 more like it).",
        f"{tmp_path}/test.cxl: 'c.gxl' is {both} (classes 'I', 'A'): class 'I' is kept.",
    )
    with pytest.raises(
        FileFormatError, match=r"'a\.gxl' is found twice: once in train\.cxl, once in test\.cxl"
    ):
        gxl.read(tmp_path, split=["train", "test"], strict=True)


GEDLIB = (
    '<?xml version="1.0"?><!DOCTYPE GraphCollection SYSTEM "http://localhost/GraphCollection.dtd">'
    '<GraphCollection> <graph file="10.gxl" class="a "/> <graph file="sub\\20.gxl" class="i"/>'
    "</GraphCollection>"
)


@pytest.mark.parametrize("folder", ["data/sets/AIDS/", "data/lists/"])
def test_a_list_of_gedlib(tmp_path, folder):
    """Called .xml, with <graph>, and in another folder than the graphs; node ids of all kinds."""
    odd = f'{DOCTYPE}<gxl><!-- no edge mode --><graph id="1"><node id="1"/><node id="x y"/></graph></gxl>'
    put(tmp_path, {"data/lists/AIDS.xml": GEDLIB, "data/pom.xml": "<project/>"})
    put(tmp_path, {f"{folder}10.gxl": odd, f"{folder}sub/20.gxl": "<gxl><graph id='empty'/></gxl>"})
    content = read_file(tmp_path)
    assert (content.graphs.names, content.targets) == (("10", "20"), ("a", "i"))
    assert content.graphs.orders.tolist() == [2, 0]
    assert content.repaired == ()
    if folder == "data/lists/":
        assert read_file(tmp_path / "data/lists/AIDS.xml").targets == ("a", "i")


def test_a_file_that_is_in_several_other_folders(tmp_path):
    put(tmp_path, {"lists/t.cxl": listing(("a.gxl", "A")), "LOW/a.gxl": GOOD, "MED/a.gxl": GOOD})
    with pytest.raises(
        FileFormatError, match=r"t\.cxl: names 'lists/a\.gxl', which is not there; 2 files have this name"
    ):
        gxl.read(tmp_path)
    assert [item.name for item in gxl.read(tmp_path, on_error="skip").skipped] == ["a"]


LOST = {
    "edge to nowhere": (document(NODES + '<edge from="a" to="z"/>'), "names the node 'z'"),
    "missing file": (None, r"has no file 'bad\.gxl'"),
}


@pytest.mark.parametrize(("text", "message"), LOST.values(), ids=LOST)
def test_what_cannot_be_repaired_is_an_error_or_skipped(tmp_path, text, message):
    put(tmp_path, {"all.cxl": listing(("bad.gxl", "A"), ("good.gxl", "A")), "good.gxl": GOOD})
    put(tmp_path, {} if text is None else {"bad.gxl": text})
    with pytest.raises(FileFormatError, match=message):
        gxl.read(tmp_path)
    content = gxl.read(tmp_path, on_error="skip")
    assert content.graphs.names == ("good",)
    assert [item.name for item in content.skipped] == ["bad"]


def test_repairs_of_a_graph_that_is_skipped_are_not_told(tmp_path):
    text = document(NODES + '<edge from="a" to="a"/><edge from="a" to="z"/>')
    content = gxl.read(put(tmp_path, {"a.gxl": GOOD, "b.gxl": text}), on_error="skip")
    assert content.repaired == ()
    assert [item.name for item in content.skipped] == ["b"]


def test_one_warning_counts_the_repairs_and_names_the_first(tmp_path):
    loop = document(NODES + '<edge from="a" to="a"/>')
    put(tmp_path, {f"{i}.gxl": loop for i in range(5)})
    with pytest.warns(GraphQuantWarning) as caught:
        content = read_file(tmp_path)
    (warning,) = caught
    text = str(warning.message)
    assert text.startswith(f"{tmp_path}: 5 flaws were repaired. {tmp_path}/0.gxl: edge 0 is a self-loop")
    assert text.endswith(
        "2.gxl: edge 0 is a self-loop at node 'a': left out. And 2 more. strict=True makes them errors."
    )
    assert warning.filename == __file__
    assert len(content.repaired) == 5


def test_repair_is_deprecated(tmp_path):
    put(tmp_path, {"a.gxl": document(NODES + '<edge from="a" to="a"/>')})
    with pytest.warns(DeprecationWarning, match=r"repair= will be removed in version 3\.0"):
        assert len(gxl.read(tmp_path, repair=True).repaired) == 1
    with (
        pytest.warns(DeprecationWarning, match=r"repair= will be removed in version 3\.0"),
        pytest.raises(FileFormatError, match="is a self-loop"),
    ):
        gxl.read(tmp_path, repair=False)


# Graphs in each list of the real zips.
REAL = {
    "Letter": {
        f"{level}/{part}": 750 for level in ("LOW", "MED") for part in ("train", "validation", "test")
    },
    "GREC": {"train": 286, "valid": 286, "test": 528},
    "Fingerprint": {"train": 500, "valid": 300, "test": 1999},  # one of them is listed twice
    "Mutagenicity": {"train": 1500, "validation": 500, "test": 2337},
}


@pytest.mark.full
@pytest.mark.parametrize("name", REAL)
@pytest.mark.filterwarnings("ignore::graphquant.exceptions.GraphQuantWarning")
def test_all_lists_of_the_real_zips_are_read_without_an_option(name, iam_path):
    path = iam_path / f"{name}.zip"
    counts = {part: len(read_file(path, split=part).graphs) for part in REAL[name]}
    if name != "Letter":  # LOW and MED are different collections
        whole = read_file(path)
        assert len(whole.graphs) == sum(counts.values())
        assert whole.skipped == ()
    with pytest.raises(InvalidParameterError, match=r"CXL files\. Choose with split="):
        read_file(path, strict=True)
    assert counts == REAL[name]


@pytest.mark.parametrize(
    ("texts", "is_numeric"), [([], False), (["3"], True), (["x"], False), (["3", "x"], False)]
)
def test_only_values_that_are_numbers_make_a_column_of_numbers(texts, is_numeric):
    assert looks_numeric(texts) is is_numeric
