"""--edit and --costs: distance, fit, encode, mean, report, pairwise."""

import gzip
import json

import numpy as np
import pyarrow.parquet as pq
import pytest

import graphquant as gq
from graphquant.preprocessing import EditCosts

SMILES = ["CCO", "CCN", "CCC", "CC(C)O", "c1ccccc1", "c1ccccc1O", "CC=O", "CCCN"]


@pytest.fixture
def molecules(tmp_path):
    pytest.importorskip("rdkit")
    path = tmp_path / "molecules.smi"
    path.write_text("".join(f"{text} m{i}\n" for i, text in enumerate(SMILES)))
    return path


@pytest.fixture
def large_molecules(tmp_path):
    """Two that no bound decides before the search."""
    pytest.importorskip("rdkit")
    path = tmp_path / "large.smi"
    path.write_text("CC(C)Cc1ccc(cc1)C(C)C(=O)O\nCN1C=NC2=C1C(=O)N(C(=O)N2C)C\n")
    return path


@pytest.fixture
def codebook(run, molecules, tmp_path):
    path = tmp_path / "codebook.parquet"
    run("fit", molecules, "-k", 2, "--edit", "--cycles", 2, "-o", path)
    return path


def costs_file(tmp_path, content):
    path = tmp_path / "costs.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_distance_prints_the_edits(run, molecules):
    shown = run("distance", f"{molecules}:m0", f"{molecules}:m1", "--edit").stdout
    assert "distance     1" in shown
    assert "  1      substitute node 2 (O -> N)" in shown
    found = json.loads(
        run("distance", f"{molecules}:0", f"{molecules}:2", "--edit", "--format", "json").stdout
    )
    assert (found["distance"], found["proven"], len(found["edits"])) == (1.0, True, 1)


def test_distance_with_costs_and_a_threshold(run, molecules, tmp_path):
    path = costs_file(tmp_path, {"node_table": [["O", "N", 0.25], ["C", None, 1.5]]})
    args = ("distance", f"{molecules}:0", f"{molecules}:1", "--format", "json")
    assert json.loads(run(*args, "--costs", path).stdout)["distance"] == 0.25
    assert json.loads(run(*args, "--costs", "mces").stdout)["distance"] == 2.0
    assert json.loads(run(*args, "--costs", "networkx").stdout)["distance"] == 0.0
    saved = costs_file(tmp_path, EditCosts(node_substitution=0.5).fit(SMILES).to_json())
    found = json.loads(run(*args, "--costs", saved, "--threshold", 0.4).stdout)
    assert (found["threshold"], found["within"]) == (0.4, False)


@pytest.mark.parametrize("matcher", ["auto", "exact"])
@pytest.mark.parametrize("limit", [("--node-limit", 0), ("--time-limit", 0)])
def test_a_limit_ends_the_search(run, large_molecules, matcher, limit):
    args = ("distance", f"{large_molecules}:0", f"{large_molecules}:1", "--edit", "--format", "json")
    proven = json.loads(run(*args).stdout)
    limited = json.loads(run(*args, "--matcher", matcher, *limit).stdout)
    assert (proven["proven"], limited["proven"]) == (True, False)
    assert limited["lower_bound"] < proven["distance"] <= limited["distance"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON (it is nested too deeply"),
        ('{"node_substitution": 1e400}', "1e400 is outside the range"),
        ("[1]", "holds a list, not an object"),
        ({"node_cost": 1}, "there is no cost 'node_cost'"),
        ({"node_table": 3}, "is damaged"),
        ({"node_substitution": 9}, "No vectors have these node costs"),
    ],
)
def test_bad_costs(fail, molecules, tmp_path, content, message):
    args = ("distance", f"{molecules}:1", f"{molecules}:7", "--costs", costs_file(tmp_path, content))
    if content == {"node_substitution": 9}:
        args = ("distance", f"{molecules}:0", f"{molecules}:1", *args[3:])
    assert message in fail(1, *args)


def test_options_that_do_not_go_together(fail, molecules, letters):
    assert "cannot be read" in fail(
        1, "distance", f"{molecules}:0", f"{molecules}:1", "--costs", "absent.json"
    )
    assert "--threshold needs --edit" in fail(
        2, "distance", f"{molecules}:0", f"{molecules}:1", "--threshold", 1
    )
    assert "which attributes count" in fail(
        1, "fit", molecules, "-k", 2, "--edit", "--node", "symbol", "-o", "c.parquet"
    )
    assert "Which node attribute is the label" in fail(
        1, "fit", letters, "-k", 2, "--edit", "-o", "c.parquet"
    )


def test_fit_and_encode(run, codebook, molecules):
    q = gq.load(codebook)
    assert isinstance(q.encoder_, EditCosts)
    rows = [
        json.loads(line)
        for line in run("encode", codebook, molecules, "--format", "json").stdout.splitlines()
    ]
    assert [row["edits"] for row in rows] == pytest.approx([row["distance"] ** 2 for row in rows])
    assert run("encode", codebook, molecules, "--edit", "--costs", "unit").stdout.startswith("graph,")


def test_a_codebook_of_other_costs_is_refused(fail, run, codebook, molecules, tmp_path):
    assert "was learnt with other costs" in fail(1, "encode", codebook, molecules, "--costs", "mces")
    other = tmp_path / "other.parquet"
    run("fit", molecules, "-k", 2, "--cycles", 1, "-o", other)
    assert "was not learnt in the edit distance" in fail(1, "encode", other, molecules, "--edit")


def test_mean_and_report(run, codebook, molecules, tmp_path):
    run("mean", molecules, "--edit", "-o", tmp_path / "mean.parquet")
    assert isinstance(gq.read(tmp_path / "mean.parquet").encoder, EditCosts)
    run("mean", molecules, "--edit", "-o", tmp_path / "mean.gxl")
    assert "symbol" in (tmp_path / "mean.gxl").read_text()
    run("report", codebook, molecules, "--edit", "-o", tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert "symbol" in page
    assert "substitute node" in page
    assert "edit distance" in page


def test_edits_in_reports_start_from_the_medoids_of_the_codebook(run, codebook, tmp_path):
    """Also where the graphs shown are not those of training."""
    other = tmp_path / "other.smi"
    other.write_text("CCCO o0\nCc1ccccc1 o1\n")
    found = gq.load(codebook)
    from graphquant.report._content import gather

    content = gather(found, gq.read(other), max_graphs=10, random_state=0)
    told = content.sample.columns
    names = [f"m{i}" for i in found.medoid_indices_]
    assert told["medoid"] == [names[j] for j in content.encoding.label]
    for text, code, said in zip(
        ("CCCO", "Cc1ccccc1"), content.encoding.label, told["edit distance"], strict=True
    ):
        medoid = SMILES[found.medoid_indices_[code]]
        assert float(said) == gq.edit_distance(medoid, text).distance


def table(path):
    found = pq.read_table(path)
    return {name: found[name].to_numpy() for name in found.column_names}


def test_pairwise_writes_all_pairs(run, molecules, tmp_path):
    path = tmp_path / "distances.parquet"
    shown = json.loads(run("pairwise", molecules, "--edit", "-o", path, "--format", "json").stdout)
    expected = gq.pairwise_edit_distances(SMILES).distances
    found = table(path)
    assert shown["pairs"] == shown["rows"] == len(found["i"]) == 28
    assert found["distance"].tolist() == expected[found["i"], found["j"]].tolist()
    assert found["proven"].all()
    about = json.loads(pq.read_schema(path).metadata[b"graphquant"])
    assert about["names"] == [f"m{i}" for i in range(8)]
    assert EditCosts.from_json(about["costs"]).granularity_ == 1.0
    assert not (tmp_path / "distances.parquet.parts").exists()


def test_pairwise_with_a_threshold_keeps_near_pairs(run, molecules, tmp_path):
    path = tmp_path / "near.parquet"
    run("pairwise", molecules, "--edit", "--threshold", 3, "-o", path)
    expected = gq.pairwise_edit_distances(SMILES).distances
    rows, columns = np.nonzero(np.triu(expected <= 3, k=1))
    found = table(path)
    assert sorted(zip(found["i"], found["j"], strict=True)) == list(zip(rows, columns, strict=True))
    assert (found["distance"] <= 3).all()


@pytest.mark.parametrize("option", ["--node-limit", "--time-limit"])
def test_pairwise_ends_searches_at_a_limit(run, large_molecules, tmp_path, option):
    run("pairwise", large_molecules, "--edit", "-o", tmp_path / "all.parquet")
    run("pairwise", large_molecules, "--edit", option, 0, "-o", tmp_path / "some.parquet")
    proven, limited = table(tmp_path / "all.parquet"), table(tmp_path / "some.parquet")
    assert (proven["proven"].tolist(), limited["proven"].tolist()) == ([True], [False])
    assert limited["lower_bound"][0] < proven["distance"][0] <= limited["distance"][0]


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_pairwise_of_given_pairs(run, molecules, tmp_path, suffix):
    import pyarrow as pa
    import pyarrow.csv

    given = pa.table({"a": ["m3", "m0"], "b": ["m1", "m0"]})
    path = tmp_path / f"pairs.{suffix}"
    pyarrow.csv.write_csv(given, path) if suffix == "csv" else pq.write_table(given, path)
    run("pairwise", molecules, "--edit", "--pairs", path, "-o", tmp_path / "out.parquet")
    found = table(tmp_path / "out.parquet")
    assert (found["i"].tolist(), found["j"].tolist()) == ([3, 0], [1, 0])
    assert found["distance"][1] == 0.0


def test_pairwise_is_refused(fail, molecules, tmp_path):
    assert "are written as Parquet" in fail(1, "pairwise", molecules, "--edit", "-o", tmp_path / "x.csv")
    assert "Add --edit" in fail(1, "pairwise", molecules, "-o", tmp_path / "x.parquet")
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("a,b\n0,99\n")
    assert "there is no graph 99" in fail(
        1, "pairwise", molecules, "--edit", "--pairs", pairs, "-o", tmp_path / "x.parquet"
    )


def hostile_tables(folder):
    import pyarrow as pa

    yield "bomb.csv.gz", gzip.compress(b"a,b\n" + b"0,1\n" * 20_000_000, 9), "over 200 times its size"
    yield "cut.csv.gz", gzip.compress(b"a,b\n0,1\n" * 99)[:-20], "cannot be read as a table"
    yield "latin.csv", b"a,b\n\xff,\xfe\n", "there is no graph b"
    yield "empty.csv", b"", "cannot be read as a table"
    yield "ragged.csv", b"a,b\n1\n", "cannot be read as a table"
    yield "text.parquet", b"PAR1", "not a Parquet table"
    for name, values in (("lists", [[1], [2]]), ("truths", [True, False]), ("nulls", [None, None])):
        pq.write_table(pa.table({"a": values, "b": values}), folder / "t.parquet")
        yield f"{name}.parquet", (folder / "t.parquet").read_bytes(), "there is no graph"


def test_hostile_tables_of_pairs_are_refused(fail, molecules, tmp_path):
    for name, content, message in hostile_tables(tmp_path):
        (tmp_path / name).write_bytes(content)
        told = fail(
            1, "pairwise", molecules, "--edit", "--pairs", tmp_path / name, "-o", tmp_path / "x.parquet"
        )
        assert message in told, name
    assert not (tmp_path / "x.parquet.parts").exists()
