"""Common cores and explanations: planted ones are found, and contributions add up to the distance."""

import networkx as nx
import numpy as np
import pytest

import graphquant as gq
from graphquant.exceptions import InvalidParameterError
from graphquant.learning.explanation import Difference
from tests.reference.random_graphs import KINDS

LABELS, BONDS = list("CNOSPF"), ["one", "two"]


def planted(seed, n_clusters=4, n_members=25, core_order=6, most=4):
    """Clusters of graphs: a random core each, up to ``most`` random nodes hung on, numbered at random."""
    rng = np.random.default_rng(seed)
    cores = [_random_core(rng, core_order) for _ in range(n_clusters)]
    truth = rng.permutation(np.repeat(np.arange(n_clusters), n_members))
    return cores, [_decorated(rng, cores[c], most) for c in truth], truth


def _random_core(rng, order):
    core = nx.Graph()
    for node in range(order):
        core.add_node(node, label=str(rng.choice(LABELS)))
        if node:
            core.add_edge(node, int(rng.integers(node)), bond=str(rng.choice(BONDS)))
    start, end = rng.choice(order, 2, replace=False).tolist()
    if not core.has_edge(start, end):
        core.add_edge(start, end, bond=str(rng.choice(BONDS)))
    return core


def _decorated(rng, core, most):
    graph = core.copy()
    for new in range(len(core), len(core) + int(rng.integers(most + 1))):
        graph.add_node(new, label=str(rng.choice(LABELS)))
        graph.add_edge(new, int(rng.integers(new)), bond=str(rng.choice(BONDS)))
    return nx.relabel_nodes(graph, dict(enumerate(rng.permutation(len(graph)).tolist())))


def is_planted(found, core):
    return nx.is_isomorphic(
        found.to_networkx(),
        core,
        node_match=lambda a, b: a["label"] == b["label"],
        edge_match=lambda a, b: a["bond"] == b["bond"],
    )


def test_planted_cores_are_found():
    hits = []
    for seed in range(20):
        cores, graphs, truth = planted(seed)
        q = gq.GraphQuantizer(4, n_init=3, random_state=0).fit(graphs)
        for j in np.unique(q.labels_):
            hits.append(is_planted(q.core(j), cores[np.bincount(truth[q.labels_ == j]).argmax()]))
    assert len(hits) >= 78
    assert np.mean(hits) >= 0.95


def test_a_core_by_hand():
    def path(*labels):
        graph = nx.path_graph(len(labels))
        nx.set_node_attributes(graph, dict(enumerate(labels)), "label")
        return graph

    members = [path("a", "b", "c"), path("a", "b", "c"), path("a", "b", "d"), path("a", "b")]
    q = gq.GraphQuantizer(1, random_state=0).fit(members)
    half = q.core(0, support=0.5)
    assert sorted(half.node_support.tolist()) == [0.5, 1.0, 1.0]
    # Three of four have a third node, but not one of them three the same.
    assert sorted(q.core(0, support=0.7).to_networkx().nodes(data="label")) == [(0, "a"), (1, "b")]
    assert half.size == 4
    assert repr(half) == "Core(code 0: 3 nodes and 2 edges in 50 % of 4 members)"


def test_smarts_are_found_in_the_members():
    pytest.importorskip("rdkit")
    members = ["Oc1ccccc1", "Oc1ccccc1C", "Oc1ccccc1CC", "Oc1ccc(N)cc1", "Oc1cccc(Cl)c1"]
    q = gq.GraphQuantizer(1, random_state=0).fit(members)
    core = q.core(0, X=members)
    assert core.smarts_share == 1.0
    assert core.graph.order == 7
    assert q.core(0).smarts == core.smarts
    assert q.core(0).smarts_share is None


@pytest.mark.parametrize("support", [0, 1.1, "all", -0.5])
def test_support_is_a_share(support):
    q = gq.GraphQuantizer(1, random_state=0).fit([gq.Graph([1.0])])
    with pytest.raises(InvalidParameterError, match="support="):
        q.core(0, support)
    with pytest.raises(InvalidParameterError, match="There is no code graph 1"):
        q.core(1)


@pytest.mark.parametrize("kind", list(KINDS))
def test_contributions_add_up(kind):
    graphs = KINDS[kind].collection(np.random.default_rng(1), 15, 1, 5)
    q = gq.GraphQuantizer(3, random_state=0).fit(graphs)
    larger = KINDS[kind].collection(np.random.default_rng(2), 3, 4, 7)
    for x in [*graphs[:5], *larger]:
        found = q.explain(x)
        assert sum(part.contribution for part in found.parts) == pytest.approx(found.distance**2, abs=1e-12)
        if found.parts:
            assert sum(part.share for part in found.parts) == pytest.approx(1.0)
        assert found.distance == pytest.approx(q.match([x]).distance[0])
    two = q.explain(0, 1)
    assert two.distance == pytest.approx(q.transform(q.codebook_)[0, 1])
    assert sum(part.contribution for part in two.parts) == pytest.approx(two.distance**2)


def test_an_explanation_by_hand():
    code = gq.Graph([1.0, 2.0], [(0, 1)])
    q = gq.GraphQuantizer(1, init=[code], learning_rate=0.0, random_state=0).fit([code])
    x = gq.Graph([1.0, 2.5, 0.25], [(0, 1), (1, 2)])
    found = q.explain(x)
    described = [(part.kind, part.change, part.place, part.code_place) for part in found.parts]
    assert described == [
        ("edge", "extra", (1, 2), None),
        ("node", "changed", (1,), (1,)),
        ("node", "extra", (2,), None),
    ]
    assert [part.contribution for part in found.parts] == [2.0, 0.25, 0.0625]
    assert str(found.parts[1]) == "node 1: a0 2.5 instead of a0 2 (10.8 %)"
    assert str(found).startswith(
        "distance 1.521 to code graph 0 (proven)\n  edge 1-2 is extra: a0 1 (86.5 %)"
    )
    with pytest.raises(InvalidParameterError, match="needs another one to be compared with"):
        q.explain(0)


def test_what_two_nodes_have_in_common_is_not_said():
    mine, theirs = {"label": "C", "x": 2.5, "y": 1.0}, {"label": "C", "x": 2.0, "y": 1.01}
    part = Difference("node", "changed", (0,), (1,), mine, theirs, contribution=0.25, share=1.0)
    assert str(part) == "node 0: x 2.5 instead of x 2 (100.0 %)"
    part = Difference("node", "changed", (0,), (1,), mine, theirs | {"label": "N"}, 0.25, 1.0)
    assert "label C, x 2.5 instead of label N, x 2" in str(part)
