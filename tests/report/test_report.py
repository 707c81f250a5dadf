"""The report: one file, complete, harmless, small."""

import base64
import hashlib
import json
import re
import sys
from html.parser import HTMLParser

import numpy as np
import pytest

import graphquant as gq
from graphquant.exceptions import FileFormatError, GraphQuantWarning, InvalidGraphError, InvalidParameterError
from graphquant.preprocessing import AttributeEncoder
from graphquant.report import write_report
from graphquant.report._content import _MAX_DRAWN, gather
from graphquant.report._payload import encode_json, payload
from tests.report.conftest import NASTY
from tests.report.stand_in import StandIn


class Elements(HTMLParser):
    """Lists the elements of a page, and the text of scripts and styles."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.texts, self.inside = [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.inside = (tag, dict(attrs))
        self.tags.append(self.inside)

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside is not None:
            self.texts.append((self.inside, data))

    def text(self, tag, **attributes):
        found = [t for (name, attrs), t in self.texts if name == tag and attributes.items() <= attrs.items()]
        return "".join(found)


def data_of(path):
    return json.loads(Elements(path.read_text(encoding="utf-8")).text("script", id="data"))


@pytest.fixture(scope="module")
def data(page):
    return data_of(page)


def test_nothing_is_loaded_from_anywhere(page):
    for tag, attributes in Elements(page.read_text(encoding="utf-8")).tags:
        for name in ("src", "href"):
            assert attributes.get(name, "#").startswith(("#", "data:")), (tag, attributes)
    style = Elements(page.read_text(encoding="utf-8")).text("style")
    assert "url(" not in style
    assert "@import" not in style


def test_only_the_scripts_and_styles_of_the_page_may_run(page):
    elements = Elements(page.read_text(encoding="utf-8"))
    policy = next(a["content"] for t, a in elements.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    texts = [elements.text("style"), *(t for (tag, a), t in elements.texts if tag == "script" and not a)]
    assert len(texts) == 2
    for text in texts:
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy


def test_names_stay_text(page, data):
    elements = Elements(page.read_text(encoding="utf-8"))
    assert data["names"][1] == NASTY
    assert data["title"] == f"Letters {NASTY}"
    assert [tag for tag, _ in elements.tags].count("script") == 2
    assert all(tag != "img" for tag, _ in elements.tags)
    assert elements.text("title") == f"Letters {NASTY}"


@pytest.mark.parametrize(
    "text", ["</script>", "<!--<script>", "]]>", "\u2028", "&lt;", "\ud800", "a\x00b", "🙂"]
)
def test_json_inside_a_script_element(text):
    written = encode_json([text])
    assert not re.search("[<>&\u2028\u2029]", written)
    assert json.loads(written) == [text.replace("\ud800", "?")]


def test_every_graph_is_there_with_its_match(letters, quantizer, data):
    found = quantizer.match(letters.graphs)
    assert data["total"] == data["shown"] == len(letters) == len(data["graphs"])
    assert data["labels"] == found.label.tolist()
    np.testing.assert_allclose(data["distances"], found.distance, rtol=1e-5)
    assert [bound is None for bound in data["bounds"]] == found.proven.tolist()
    assert data["classes"] == list(letters.target_names)
    assert data["targets"] == letters.targets.tolist()
    for i, graph in enumerate(letters.graphs):
        assert len(data["graphs"][i]["p"]) == 2 * graph.order
        assert data["graphs"][i]["e"] == graph.edges.ravel().tolist()
        assert data["mappings"][i] == found.mapping[i, : graph.order].tolist()


def test_places_are_inside_the_field(data):
    for drawing in data["codes"] + data["graphs"]:
        assert all(0 <= place <= 1000 for place in drawing["p"])
    for code in data["codes"]:
        places = np.reshape(code["p"], (-1, 2))
        assert np.ptp(places, axis=0).max() == pytest.approx(1000, abs=1)
        assert len(code["q"]) == len(code["p"])


def test_history_parameters_and_provenance(data, quantizer, letters):
    assert data["history"]["cycle"] == list(range(1, 13))
    assert data["history"]["share"][1] == 0.5
    facts = data["facts"]
    assert facts["Parameters"]["algorithm"] == "lossless"
    assert facts["Counts"]["matchings of all cycles"] == "4,321"
    assert facts["Counts"]["matchings of the initialisation"] == "321"
    assert "matchings for movement" not in facts["Counts"]
    assert facts["Provenance"]["graphs"] == letters.description
    assert "numeric" in facts["Provenance"]["attributes"]
    assert facts["Provenance"]["graphquant"] == gq.__version__


def test_the_map_is_in_its_field(data):
    width, height = data["map"]["size"]
    x, y = np.reshape(data["map"]["graphs"] + data["map"]["codes"], (-1, 2)).T
    assert max(width, height) == 1000
    assert (x.min(), x.max()) == (0, width)
    assert (y.min(), y.max()) == (0, height)
    assert len(data["map"]["graphs"]) == 2 * data["shown"]


def test_a_node_that_few_members_have_is_faint_and_where_they_have_it():
    dataset = gq.datasets.make_letters(1)
    line = [[-1.0, 0.0], [1.0, 0.0]]
    with_third = gq.Graph([*line, [0.0, 4.0]], [(0, 1), (0, 2)])
    without = gq.Graph(line, [(0, 1)])
    code = gq.Graph([*line, [0.0, 1.0]], [(0, 1), (0, 2)], [[1.0], [0.25]])
    graphs = gq.GraphCollection([with_third, without, without, without])
    content = gather(
        StandIn(gq.GraphCollection([code])),
        gq.Dataset(graphs, encoder=AttributeEncoder(numeric="line").fit(dataset.raw)),
        max_graphs=10,
        random_state=0,
    )
    look = content.code_looks[0]
    assert look.node_strength.tolist() == [1.0, 1.0, 0.25]
    np.testing.assert_allclose(look.positions[2], content.appearance.place(with_third)[2])


def test_large_collections_are_sampled(letters, quantizer, tmp_path):
    first, again, other = (
        data_of(write_report(tmp_path / "r.html", quantizer, letters, max_graphs=7, random_state=seed))
        for seed in (0, 0, 1)
    )
    assert (first["total"], first["shown"], len(first["graphs"])) == (45, 7, 7)
    assert first["names"] == again["names"] != other["names"]
    assert set(first["names"]) <= set(letters.names)


def test_large_graphs_are_sampled_too(monkeypatch, quantizer, letters, tmp_path):
    monkeypatch.setattr("graphquant.report._content._MAX_DRAWN", 240)
    assert 5 < data_of(write_report(tmp_path / "r.html", quantizer, letters))["shown"] < 20


def test_a_thousand_graphs_stay_under_three_megabytes():
    # The largest page that the limit on drawn nodes and edges lets through.
    rng = np.random.default_rng(0)
    order, n_edges = 60, 90
    pairs = np.array([(i, j) for i in range(order) for j in range(i + 1, order)])
    graphs = gq.GraphCollection(
        [
            gq.Graph(
                rng.normal(size=(order, 2)),
                pairs[rng.choice(len(pairs), n_edges, replace=False)],
                rng.normal(size=(n_edges, 2)),
            )
            for _ in range(20)
        ],
        names=[f"a name of usual length {i}" for i in range(20)],
    )
    quantizer = StandIn(graphs[:1], matcher="frank-wolfe")
    content = gather(quantizer, graphs, max_graphs=20, random_state=0)
    assert 1000 * (order + n_edges) == _MAX_DRAWN
    assert 50 * len(encode_json(payload(content, quantizer, "t"))) < 2_900_000


def test_plain_graphs_without_history(tmp_path):
    graphs = gq.GraphCollection([gq.Graph([1.0, 2.0], [(0, 1)]), gq.Graph([3.0])])
    quantizer = StandIn(graphs[:1])
    del quantizer.history_, quantizer.n_cycles_
    data = data_of(write_report(tmp_path / "r.html", quantizer, graphs))
    assert data["names"] == ["graph 0", "graph 1"]
    assert data["classes"] == []
    assert data["targets"] is None
    assert data["history"] == {}
    assert "cycles" not in data["facts"]["Counts"]


def test_a_code_graph_without_members(tmp_path):
    graphs = gq.GraphCollection([gq.Graph([1.0, 2.0], [(0, 1)])])
    codes = gq.GraphCollection([graphs[0], gq.Graph([50.0, 60.0])])
    data = data_of(write_report(tmp_path / "r.html", StandIn(codes), graphs))
    assert data["labels"] == [0]
    assert len(data["codes"]) == 2


def test_an_unwritable_place_is_found_before_the_work(letters, tmp_path):
    class Untouchable:
        codebook_ = letters.graphs[:1]

        def match(self, X):
            raise AssertionError("the work began")

    with pytest.raises(FileFormatError, match="cannot be written"):
        write_report(tmp_path / "missing" / "r.html", Untouchable(), letters)
    with pytest.raises(FileFormatError, match="is a folder"):
        write_report(tmp_path, Untouchable(), letters)


def test_a_failure_leaves_the_old_report(letters, tmp_path):
    class Failing:
        codebook_ = letters.graphs[:1]

        def match(self, X):
            raise RuntimeError("no match")

    (tmp_path / "r.html").write_text("old")
    with pytest.raises(RuntimeError, match="no match"):
        write_report(tmp_path / "r.html", Failing(), letters)
    assert (tmp_path / "r.html").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["r.html"]


def test_wrong_arguments(letters, quantizer, tmp_path):
    with pytest.raises(InvalidParameterError, match="max_graphs=0"):
        write_report(tmp_path / "r.html", quantizer, letters, max_graphs=0)
    with pytest.raises(InvalidGraphError, match="There are no graphs to report on"):
        write_report(tmp_path / "r.html", quantizer, letters.graphs[:0])
    with pytest.raises(InvalidParameterError, match="has no codebook yet"):
        write_report(tmp_path / "r.html", object(), letters)


def test_the_encoder_of_the_codebook_serves_plain_graphs(letters, quantizer, tmp_path, monkeypatch):
    monkeypatch.setattr(quantizer, "encoder_", letters.encoder, raising=False)
    assert data_of(write_report(tmp_path / "r.html", quantizer, letters.graphs[:3]))["coordinates"]


def test_a_learnt_codebook(letters, tmp_path):
    quantizer = gq.GraphQuantizer(4, max_cycles=3, init="random", random_state=0, n_jobs=1)
    quantizer.fit(letters.graphs[:20])
    data = data_of(write_report(tmp_path / "r.html", quantizer, letters))
    assert len(data["codes"]) == 4
    assert data["labels"] == quantizer.predict(letters.graphs).tolist()
    assert data["history"]["cycle"] == [1, 2, 3]
    assert data["facts"]["Parameters"]["n_codes"] == "4"
    assert int(data["facts"]["Counts"]["matchings of all cycles"]) == quantizer.n_matchings_


def test_columns_and_what_is_unlike_training(tmp_path):
    training = gq.graphs.as_graphs(["CCO", "CCN", "CO"])
    q = gq.GraphQuantizer(2, max_cycles=1, random_state=0).fit(training)
    new = gq.graphs.as_graphs(["CCBr", "CO"])
    graphs = q.encoder_.encode(new).graphs
    data = gq.Dataset(graphs, raw=new, columns={"smiles": ["CCBr", "CO"], "id": [7, None]})
    with pytest.warns(GraphQuantWarning, match="training did not have"):
        write_report(tmp_path / "report.html", q, new)
    assert "training did not have (Br)" in (tmp_path / "report.html").read_text(encoding="utf-8")
    write_report(tmp_path / "columns.html", q, data)
    text = (tmp_path / "columns.html").read_text(encoding="utf-8")
    assert '"columns":{"smiles":["CCBr","CO"],"id":["7",null]}' in text


SMILES = ["Oc1ccccc1", "Nc1ccccc1", "C[N+](=O)[O-]", "CC[N+](=O)[O-]", "CCC[N+](=O)[O-]", "Cc1ccccc1"]


@pytest.fixture(scope="module")
def molecules():
    """A codebook of molecules, and what it learnt from as vectors."""
    q = gq.GraphQuantizer(2, random_state=0).fit(SMILES)
    return q, gq.Dataset(q.encoder_.transform(SMILES), encoder=q.encoder_)


@pytest.mark.parametrize("with_rdkit", [True, False])
def test_molecules_with_and_without_rdkit(molecules, with_rdkit, monkeypatch, tmp_path):
    quantizer, dataset = molecules
    if not with_rdkit:
        for name in ("rdkit", "rdkit.Chem"):
            monkeypatch.setitem(sys.modules, name, None)
    data = data_of(write_report(tmp_path / "r.html", quantizer, dataset))
    assert data["title"] == "2 groups of molecules"
    assert data["finding"][0].startswith(
        "6 molecules in 2 groups. The largest has 50 % of them; typical of it is molecule "
    )
    names = data["molecules"]["elements"]
    phenol, nitro = data["graphs"][0], data["graphs"][2]
    assert [names[k] for k in phenol["k"]] == ["O", *"CCCCCC"]
    assert phenol["h"] == [1, 0, 1, 1, 1, 1, 1]
    assert sorted(nitro["f"]) == [-1, 0, 0, 1]
    # Rings of single and double bonds in turn, and queries, are known to RDKit alone.
    assert (sorted(phenol["o"]) == [1, 1, 1, 1, 2, 2, 2]) if with_rdkit else ("o" not in phenol)
    nitro_group = data["groups"][data["labels"][2]]
    assert nitro_group["found"] == (1.0 if with_rdkit else None)
    assert (data["medoids"][0]["smiles"] is not None) == with_rdkit
    told = {bar["text"]: (bar["share"], bar["core"]) for bar in nitro_group["bars"]}
    assert told["1 atom: N, charge +1"] == (100, True)
    assert told["1 bond: double"] == (100, True)


def test_what_members_have_in_common_is_told_by_kind():
    letters = gq.datasets.make_letters(4)
    content = gather(
        gq.GraphQuantizer(15, random_state=0).fit(letters), letters, max_graphs=100, random_state=0
    )
    for group in content.groups:
        inside = [bar for bar in group.bars if bar.is_core]
        # Where nodes are is not put into words: the drawing shows it.
        assert {bar.text.split()[1].rstrip("s") for bar in group.bars} <= {"node", "edge"}
        assert sum(len(bar.flat(1)) for bar in inside) == group.core.graph.order
        assert sum(len(bar.flat(2)) for bar in inside) == 2 * group.core.graph.n_edges
        assert all(0.3 - 1e-9 <= bar.share <= 1.0 for bar in group.bars)
