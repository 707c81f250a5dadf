"""GXL: the short cut for plain documents gives what the parser gives."""

import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphquant.exceptions import FileFormatError
from graphquant.io._gxl_document import graph_elements, parse_graph
from graphquant.io._gxl_fast import parse_plain
from tests.io.gxl_documents import DOCTYPE, attr, document


def both_ways(data):
    """What the short cut and the parser make of a document; None where they refuse it."""
    try:
        slow = [parse_graph(*element, strict=True) for element in graph_elements(data, "label", "stem")]
    except FileFormatError:
        slow = None
    return parse_plain(data, "label", "stem"), slow


def assert_same(fast, slow):
    # The parser keeps lists where the short cut keeps ranges and tuples.
    for cells in (fast.node_cells, fast.edge_cells):
        for cell in cells.values():
            cell.rows, cell.texts = list(cell.rows), list(cell.texts)
    assert [fast] == slow


@pytest.mark.parametrize("name", ["Letter", "GREC", "Fingerprint", "Mutagenicity"])
def test_short_cut_and_parser_agree_on_real_files(name, iam_path):
    with zipfile.ZipFile(iam_path / f"{name}.zip") as file:
        members = [member for member in file.namelist() if member.endswith(".gxl")][::20]
        results = [both_ways(file.read(member)) for member in members]
    taken = [(fast, slow) for fast, slow in results if fast is not None]
    assert len(taken) >= 0.7 * len(results)
    for fast, slow in taken:
        assert_same(fast, slow)


PLAIN = document(
    '<node id="a">' + attr("x", 1.5) + attr("s", "C", "string") + "</node>\n"
    '<node id="b">' + attr("x", 2.5) + attr("s", "N", "string") + "</node>\n"
    '<edge from="a" to="b"/>',
    head=DOCTYPE,
)
INSERTS = ["<", ">", "&", '"', " ", "\r", "\x00", "x", "a", "é", "<!-- -->", "&amp;", "]]>", ""]
INSERTS += ["<![CDATA[x]]>", "<node id='a'/>", "</node>", attr("x", 1), "<type/>"]
INSERTS += ["<edge from='a' to='b'/>", '<edge from="b" to="a"/>']


@given(st.integers(0, len(PLAIN)), st.integers(0, 12), st.sampled_from(INSERTS))
def test_short_cut_takes_nothing_that_the_parser_sees_otherwise(start, length, insert):
    text = PLAIN[:start] + insert + PLAIN[start + length :]
    fast, slow = both_ways(text.encode())
    if fast is not None:
        assert_same(fast, slow)


def test_short_cut_is_taken():
    assert parse_plain(PLAIN.encode(), "label", "stem") is not None
    assert parse_plain(document("").encode(), "label", "stem").order == 0


@pytest.mark.parametrize(
    "text",
    [
        " " * 200_000,
        "<gxl><graph id='g'>" + " " * 200_000,
        document('<node id="' * 50_000),
        document("<node" * 50_000),
    ],
)
def test_short_cut_gives_up_quickly(text):
    assert parse_plain(text.encode(), "label", "stem") is None
