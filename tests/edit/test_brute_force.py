"""Equal to the least cost over all maps of nodes: tables, numbers, directed, several attributes."""

import networkx as nx
import numpy as np
import pytest

from graphquant.edit import edit_distance, pairwise_edit_distances
from graphquant.preprocessing import EditCosts, Numeric
from tests.reference import edits as oracle

TABLE = {("C", "N"): 0.5, ("C", None): 1.5, ("O", "N"): 1.25}
REGIMES = {
    "unit": (EditCosts(), oracle.label_cost(1, 1), oracle.label_cost(1, 1)),
    "cheap changes": (
        EditCosts(0.25, 1.0, 0.5, 1.0),
        oracle.label_cost(0.25, 1),
        oracle.label_cost(0.5, 1),
    ),
    "expensive changes": (
        EditCosts(2.5, 1.0, 2.0, 1.0),
        oracle.label_cost(2.5, 1),
        oracle.label_cost(2, 1),
    ),
    "edges that are better deleted": (
        EditCosts(1.0, 1.0, 5.0, 1.0),
        oracle.label_cost(1, 1),
        oracle.label_cost(5, 1),
    ),
    "free nodes": (EditCosts(0.0, 0.0), oracle.label_cost(0, 0), oracle.label_cost(1, 1)),
    "free edges": (EditCosts(1.0, 2.0, 0.0, 0.0), oracle.label_cost(1, 2), oracle.label_cost(0, 0)),
    "table": (
        EditCosts(node_table=TABLE, edge_table={("s", "d"): 0.5}),
        oracle.label_cost(1, 1, TABLE),
        oracle.label_cost(1, 1, {("s", "d"): 0.5}),
    ),
    "table of edges with clamping": (
        EditCosts(edge_table={("s", "d"): 9.0, ("s", None): 0.5}),
        oracle.label_cost(1, 1),
        oracle.label_cost(1, 1, {("s", "d"): 9.0, ("s", None): 0.5}),
    ),
    "several edges cheaper than one": (
        EditCosts(1.0, 3.0, 1.0, 0.25),
        oracle.label_cost(1, 3),
        oracle.label_cost(1, 0.25),
    ),
    "no common measure": (
        EditCosts(2**0.5, 1.0, 0.3**0.5, 1.0),
        oracle.label_cost(2**0.5, 1),
        oracle.label_cost(0.3**0.5, 1),
    ),
}


def pairs(seed, count, largest, **options):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        yield tuple(
            oracle.random_graph(
                rng, int(rng.integers(0, largest + 1)), density=rng.choice([0.2, 0.5, 0.8]), **options
            )
            for _ in range(2)
        )


def agree(x, y, costs, node_cost, edge_cost):
    found = edit_distance(x, y, costs)
    expected = oracle.edit_distance(x, y, node_cost, edge_cost)
    assert found.proven
    assert found.distance == pytest.approx(expected, abs=1e-9)
    assert sum(edit.cost for edit in found.edits) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
@pytest.mark.parametrize("regime", REGIMES)
def test_the_oracle_is_what_is_defined(regime, directed):
    _, node_cost, edge_cost = REGIMES[regime]
    for x, y in pairs(11, 8, 4, directed=directed, edge_labels="sd"):
        plain = oracle.edit_distance_plainly(x, y, node_cost, edge_cost)
        assert oracle.edit_distance(x, y, node_cost, edge_cost) == pytest.approx(plain, abs=1e-12)


@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
@pytest.mark.parametrize("regime", REGIMES)
def test_all_regimes_up_to_5_nodes(regime, directed):
    """All pairs of two lists of graphs: 144 for each regime, 2,880 in all."""
    costs, node_cost, edge_cost = REGIMES[regime]
    some = list(pairs(sum(map(ord, regime)), 12, 5, directed=directed, edge_labels="sd"))
    found = pairwise_edit_distances([x for x, _ in some], [y for _, y in some], costs)
    assert found.proven.all()
    for i, (x, _) in enumerate(some):
        for j, (_, y) in enumerate(some):
            expected = oracle.edit_distance(x, y, node_cost, edge_cost)
            assert found.distances[i, j] == pytest.approx(expected, abs=1e-9)
    for x, y in some:
        agree(x, y, costs, node_cost, edge_cost)


def test_changes_that_cost_more_than_deleting_and_inserting_use_zero_nodes():
    """At 2.5 a change costs more than 1 + 1: the order is that of both graphs together."""
    costs = EditCosts(2.5, 1.0)
    x, y = (
        oracle.random_graph(np.random.default_rng(0), n, node_labels=labels)
        for n, labels in ((2, "C"), (2, "N"))
    )
    found = edit_distance(x, y, costs)
    assert found.costs.needs_zero_nodes_
    assert found.distance == oracle.edit_distance(x, y, oracle.label_cost(2.5, 1), oracle.label_cost(1, 1))


def test_several_attributes_add_up():
    costs = EditCosts(
        node=["label", "charge"],
        node_substitution={"label": 1.0, "charge": 0.5},
        node_indel={"label": 1.0, "charge": 0.25},
    )
    node_cost = oracle.added(oracle.label_cost(1.0, 1.0), oracle.label_cost(0.5, 0.25, name="charge"))
    for x, y in pairs(1, 40, 4, numbers=("charge",)):
        agree(x, y, costs, node_cost, oracle.label_cost(1, 1))


def test_a_table_of_tuples_prices_all_attributes_together():
    table = {(("C", 1.0), ("N", 1.0)): 0.25, (("O", 2.0), None): 3.0}
    costs = EditCosts(node=["label", "charge"], node_table=table)

    def node_cost(one, other):
        a, b = (None if data is None else (data["label"], data["charge"]) for data in (one, other))
        if a == b:
            return 0.0
        return table.get((a, b), table.get((b, a), 2.0))

    for x, y in pairs(2, 30, 4, numbers=("charge",)):
        agree(x, y, costs, node_cost, oracle.label_cost(1, 1))


@pytest.mark.parametrize("center", [0.0, 1.0, 3.0])
def test_numbers_cost_their_squared_difference(center):
    costs = EditCosts(node=["label", Numeric("x", center=center, weight=0.5)])
    node_cost = oracle.added(oracle.label_cost(1, 1), oracle.squared("x", 0.25, center))
    for x, y in pairs(3, 40, 4, numbers=("x",)):
        found = edit_distance(x, y, costs)
        assert found.distance == pytest.approx(oracle.edit_distance(x, y, node_cost, oracle.label_cost(1, 1)))


def test_unlabelled_structure():
    costs = EditCosts.like_networkx()
    free = oracle.label_cost(0, 1)
    for x, y in pairs(4, 60, 5):
        agree(x, y, costs, free, free)


def test_pairwise_is_the_same_and_exactly_on_the_grid():
    costs = EditCosts(0.3, 0.3, 0.1, 0.7)
    graphs = [x for x, _ in pairs(5, 12, 4, edge_labels="sd")]
    found = pairwise_edit_distances(graphs, costs=costs, n_jobs=2)
    assert found.proven.all()
    for i, x in enumerate(graphs):
        for j, y in enumerate(graphs):
            expected = oracle.edit_distance(x, y, oracle.label_cost(0.3, 0.3), oracle.label_cost(0.1, 0.7))
            assert found.distances[i, j] == round(expected * 10) / 10
            assert found.lower_bounds[i, j] == found.distances[i, j]


@pytest.mark.parametrize("threshold", [0, 2, 3.5, 5])
def test_thresholds_decide_every_pair(threshold):
    graphs = [x for x, _ in pairs(6, 14, 5, edge_labels="sd")]
    exact = pairwise_edit_distances(graphs).distances
    found = pairwise_edit_distances(graphs, threshold=threshold)
    assert (found.is_within == (exact <= threshold)).all()
    assert (found.lower_bounds <= exact).all()
    assert (found.distances >= exact).all()
    for i, j in ((0, 1), (2, 9), (4, 4)):
        one = edit_distance(graphs[i], graphs[j], threshold=threshold)
        assert one.is_within == (exact[i, j] <= threshold)
        assert one.lower_bound <= exact[i, j] <= one.distance


@pytest.mark.parametrize("indel", [1.0, 1e3, 1e5])
def test_a_small_distance_of_graphs_of_great_cost_is_proven(indel):
    """Rounding errors grow with the norms of the graphs, and count as none."""
    x = nx.path_graph(12)
    nx.set_node_attributes(x, "C", "label")
    y = x.copy()
    y.nodes[3]["label"] = "N"
    costs = EditCosts(node_substitution=2**0.5, node_indel=indel, edge_indel=indel)
    found = edit_distance(x, y, costs)
    assert found.costs.granularity_ == 0.0
    assert found.proven
    assert found.lower_bound == found.distance == pytest.approx(2**0.5)


def test_a_threshold_without_common_measure():
    graphs = [x for x, _ in pairs(8, 8, 4)]
    costs = EditCosts(2**0.5, 1.0)
    exact = pairwise_edit_distances(graphs, costs=costs).distances
    for threshold in np.unique(exact)[:6]:
        found = pairwise_edit_distances(graphs, costs=costs, threshold=float(threshold))
        assert (found.is_within == (exact <= threshold + 1e-9)).all()
