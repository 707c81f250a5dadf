"""graphquant distance."""

import json

import pytest

import graphquant as gq
from graphquant.edit.distance import NODE_LIMIT
from graphquant.edit.pairwise import NODE_LIMIT_OF_MANY
from graphquant.matching import AutoMatcher


def pair(run, *args):
    return json.loads(run("distance", *args, "--format", "json").stdout)


def test_a_pair_of_a_data_set(run):
    letters = gq.datasets.make_letters().graphs
    expected = gq.match(letters[0], letters[7])
    assert pair(run, "letters:0", "letters:7") == {
        "a": "letters:0",
        "b": "letters:7",
        "distance": expected.distance,
        "lower_bound": expected.lower_bound,
        "proven": True,
        "mapping": expected.mapping.tolist(),
    }


def test_the_encoding_has_a_heading(run):
    noted = run("distance", "letters:0", "letters:7").stderr.splitlines()
    assert noted[:2] == ["encoding:", "  nodes: 8 channels"]


def test_a_distortion_level_is_no_number(run):
    high = gq.datasets.make_letters(distortion="high").graphs
    assert pair(run, "letters:high:1", "letters:high:2")["distance"] == gq.distance(high[1], high[2])


def test_files_share_one_encoder(run, letters, tmp_path):
    """Whether graphs are numbered, named or alone in a file."""
    data = gq.read(letters)
    gq.write(data.raw[[3]], tmp_path / "one.gxl")
    expected = gq.distance(data.graphs[3], data.graphs[8])
    assert pair(run, f"{letters}:3", f"{letters}:8")["distance"] == expected
    options = ["--node", "x,y"]
    both = gq.preprocessing.AttributeEncoder(node=["x", "y"]).fit(
        gq.RawGraphs.concatenate([data.raw[[3]], data.raw])
    )
    x, y = both.transform(data.raw[[3, 8]])
    assert pair(run, tmp_path / "one.gxl", f"{letters}:8", *options)["distance"] == pytest.approx(
        gq.distance(x, y)
    )


def test_a_code_graph_and_a_raw_graph(run, codebook, letters):
    q = gq.load(codebook)
    graphs = gq.read(letters, encoder=q.encoder_).graphs
    expected = gq.distance(q.codebook_[2], graphs[5])
    assert pair(run, f"{codebook}:2", f"{letters}:5")["distance"] == expected


def test_a_name(run, tmp_path):
    graphs = gq.GraphCollection([gq.Graph([1.0]), gq.Graph([3.0])], names=["one", "two"])
    gq.write(graphs, tmp_path / "g.parquet")
    assert pair(run, f"{tmp_path}/g.parquet:one", f"{tmp_path}/g.parquet:1")["distance"] == 2.0


HARD = ("letters:high:18", "letters:high:318")


@pytest.mark.parametrize("matcher", ["auto", "exact"])
@pytest.mark.parametrize("limit", [("--node-limit", 0), ("--time-limit", 0)])
def test_a_limit_ends_the_search(run, matcher, limit):
    """The result says that it is not proven, and between what bounds the distance lies."""
    proven, limited = pair(run, *HARD), pair(run, *HARD, "--matcher", matcher, *limit)
    assert (proven["proven"], limited["proven"]) == (True, False)
    assert limited["lower_bound"] < proven["distance"] <= limited["distance"]


def test_a_table_says_what_is_not_proven(run):
    lines = run("distance", *HARD, "--node-limit", 0).stdout.splitlines()
    assert lines[3].startswith("lower bound  2.39")
    assert lines[4] == "proven       no"


def test_the_limits_are_those_of_the_library(run):
    """Also those that only the help names."""
    text = " ".join(run("distance", "--help").stdout.split())
    named = f"--matcher auto ends it after {AutoMatcher.budget}, with --edit after {NODE_LIMIT:,};"
    assert named in text
    assert f"[default: {NODE_LIMIT_OF_MANY};" in " ".join(run("pairwise", "--help").stdout.split())


def test_limits_that_are_not_reached_change_nothing(run):
    limits = ("--node-limit", 100_000, "--time-limit", 1000)
    assert pair(run, *HARD, *limits) == pair(run, *HARD)


def test_table_and_csv(run):
    lines = run("distance", "letters:0", "letters:1").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["a", "b", "distance", "lower", "proven", "mapping"]
    header, row = run("distance", "letters:0", "letters:1", "--format", "csv").stdout.splitlines()
    assert header == "a,b,distance,lower_bound,proven,mapping"
    assert ",true," in row


@pytest.mark.parametrize("option", ["--node-limit", "--time-limit"])
@pytest.mark.parametrize("edit", [(), ("--costs", "networkx")])
def test_what_does_not_search_has_no_limit(fail, option, edit):
    message = fail(2, "distance", *HARD, option, 1, "--matcher", "frank-wolfe", *edit)
    assert f"{option} ends a search, but frank-wolfe does not search: leave it out" in message


@pytest.mark.parametrize(("option", "value"), [("--node-limit", "-1"), ("--time-limit", "-1")])
def test_limits_are_not_negative(fail, option, value):
    assert f"Invalid value for '{option}'" in fail(2, "distance", *HARD, option, value)


def test_a_time_without_end_is_refused(fail):
    message = fail(1, "distance", *HARD, "--time-limit", "inf")
    assert "--time-limit inf is not a number of seconds." in message


@pytest.mark.parametrize(
    ("args", "error", "hint"),
    [
        (
            ["letters", "letters:1"],
            "letters: contains 750 graphs",
            "Say which one: letters:0 to letters:749.",
        ),
        (["letters:750", "letters:1"], "letters: has no graph '750'.", "Give a number from 0 to 749"),
        (["letters:x", "letters:1"], "letters: has no graph 'x'.", "Give a number"),
        (["letterz:0", "letters:1"], "letterz: no such file or folder", "Did you mean letter?"),
        (
            ["blobs:0", "letters:1"],
            "letters: has other attributes (nodes: x, y; edges: none) than blobs (nodes: a0, a1; edges: a0)",
            "Use",
        ),
        (["blobs:0", "letters:1", "--node", "x"], "One of the graphs is already encoded.", "Omit"),
    ],
)
def test_mistakes(fail, args, error, hint):
    message = fail(1, "distance", *args, "--quiet")
    assert message.startswith(f"error: {error}")
    assert f"hint: {hint}" in message
