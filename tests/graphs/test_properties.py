"""What holds for every graph and every collection."""

import pickle
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphquant as gq
from graphquant.graphs import describe
from tests.strategies import collections, graphs, masks, permutations, selections

pytestmark = pytest.mark.property
grouped = st.booleans()


def to_pyg(graph):
    """As PyTorch Geometric keeps it: an undirected edge stands in both directions."""
    edges, attrs = graph.edges, graph.edge_attrs
    if not graph.directed:
        edges, attrs = np.concatenate([edges, edges[:, ::-1]]), np.concatenate([attrs, attrs])
    return SimpleNamespace(
        x=graph.node_attrs, edge_index=edges.T.astype(np.int64), edge_attr=attrs, num_nodes=graph.order
    )


def chosen_of(items, selection):
    """What a list would give for the selection."""
    if isinstance(selection, slice):
        return items[selection]
    numbers = np.flatnonzero(selection) if np.asarray(selection).dtype == np.bool_ else selection
    return [items[i] for i in numbers]


@given(st.data())
def test_networkx_round_trip(data):
    # A graph without nodes or without edges cannot tell networkx how many attributes they would have.
    has_groups = data.draw(grouped)
    x = data.draw(graphs(groups=has_groups))
    back = gq.from_networkx(gq.to_networkx(x), groups="group" if has_groups else None)
    expected = gq.Graph(
        x.node_attrs if x.order else [],
        x.edges,
        x.edge_attrs if x.n_edges else None,
        directed=x.directed,
        groups=x.groups,
    )
    assert back == expected


@given(collections(with_names=False).filter(lambda c: len(c.node_attrs) and len(c.edges)))
def test_networkx_round_trip_of_a_collection(collection):
    assert gq.as_collection([graph.to_networkx() for graph in collection]) == collection


@given(collections(with_names=False))
def test_pyg_round_trip(collection):
    back = gq.as_collection([to_pyg(graph) for graph in collection])
    if collection.directed and not back.directed:
        # Directed edges that all stand in both directions, with the same attributes, read as undirected.
        assert back.n_edges.tolist() == (collection.n_edges // 2).tolist()
    else:
        assert back == collection


@given(st.data())
def test_permute_then_inverse_is_identity(data):
    x = data.draw(graphs(groups=data.draw(grouped)))
    perm = data.draw(permutations(x.order))
    assert x.permute(perm).permute(np.argsort(perm)) == x


@given(st.data())
def test_permutations_compose(data):
    x = data.draw(graphs(groups=data.draw(grouped)))
    first, second = data.draw(permutations(x.order)), data.draw(permutations(x.order))
    assert x.permute(first).permute(second) == x.permute(first[second])


@given(st.data())
def test_induced(data):
    x = data.draw(graphs(groups=data.draw(grouped)))
    assert x.induced(range(x.order)) == x
    kept = data.draw(permutations(x.order))[: data.draw(st.integers(0, x.order))]
    part = x.induced(kept)
    # Rebuilding the part checks every rule of the data model.
    assert part == gq.Graph(
        part.node_attrs, part.edges, part.edge_attrs, directed=part.directed, groups=part.groups
    )
    inside = np.isin(x.edges, kept).all(axis=1)
    assert part.n_edges == inside.sum()
    assert sorted(part.edge_attrs.tolist()) == sorted(x.edge_attrs[inside].tolist())


@given(st.data())
def test_equality_ignores_the_order_and_direction_of_edges(data):
    x = data.draw(graphs(groups=data.draw(grouped)))
    order = data.draw(permutations(x.n_edges))
    edges = x.edges[order]
    if not x.directed:
        turned = data.draw(masks(x.n_edges))
        edges = np.where(turned[:, None], edges[:, ::-1], edges)
    twin = gq.Graph(x.node_attrs, edges, x.edge_attrs[order], directed=x.directed, groups=x.groups)
    assert twin == x
    assert hash(twin) == hash(x)


@given(st.data())
def test_equal_graphs_have_equal_hashes(data):
    pair = graphs(max_order=2, p=1, q=1, directed=False, elements=st.sampled_from([0.0, -0.0, 1.0]))
    x, y = data.draw(pair), data.draw(pair)
    assert (x == y) == (y == x)
    if x == y:
        assert hash(x) == hash(y)


@given(st.data())
def test_packing_round_trip(data):
    c = data.draw(collections(groups=data.draw(grouped)))
    assert gq.GraphCollection(list(c), c.names) == c
    assert pickle.loads(pickle.dumps(c)) == c
    rebuilt = gq.GraphCollection.from_arrays(
        c.node_offsets,
        c.node_attrs,
        c.edge_offsets,
        c.edges,
        c.edge_attrs,
        directed=c.directed,
        groups=c.groups,
        names=c.names,
    )
    assert rebuilt == c


@given(st.data())
def test_from_arrays_sorts_like_single_graphs(data):
    c = data.draw(collections(with_names=False))
    orders = [data.draw(permutations(count)) for count in c.n_edges]
    rows = [start + order for start, order in zip(c.edge_offsets[:-1], orders, strict=True)]
    shuffled = np.concatenate(rows)
    edges = c.edges[shuffled] if c.directed else c.edges[shuffled][:, ::-1]
    assert c == gq.GraphCollection.from_arrays(
        c.node_offsets, c.node_attrs, c.edge_offsets, edges, c.edge_attrs[shuffled], directed=c.directed
    )


@given(st.data())
def test_selections_agree_with_lists(data):
    c = data.draw(collections(groups=data.draw(grouped)))
    members, names = list(c), c.names
    for _ in range(3):  # selections of selections, so that views and copies follow each other
        selection = data.draw(selections(len(members)))
        c, members = c[selection], chosen_of(members, selection)
        names = None if names is None else tuple(chosen_of(list(names), selection))
        assert list(c) == members
        assert c.names == names
        assert c == c.packed()
        assert pickle.loads(pickle.dumps(c)) == c
        assert c.orders.tolist() == [graph.order for graph in members]
        assert describe(c).max_edges == max((graph.n_edges for graph in members), default=0)


@given(st.data())
def test_nothing_that_comes_out_can_be_written(data):
    c = data.draw(collections(groups=True))
    chosen = c[data.draw(selections(len(c)))]
    for owner in (c, chosen, *chosen, *(graph.permute(range(graph.order)) for graph in chosen)):
        for name in ("node_attrs", "edges", "edge_attrs", "groups"):
            assert not getattr(owner, name).flags.writeable
            assert getattr(owner, name).flags.c_contiguous
