import pickle

import networkx as nx
import numpy as np
import pytest

import graphquant as gq
from graphquant.exceptions import InvalidGraphError, SchemaError
from graphquant.preprocessing import AttributeEncoder, OneHot, UnitNorm, unit_norm

HYDROCARBONS, HALIDES = ("C", "N"), ("C", "F")


def molecules(symbols):
    """Two graphs of one edge, whose nodes have these symbols."""
    graphs = []
    for _ in range(2):
        graph = nx.Graph()
        graph.add_node(0, symbol=symbols[0])
        graph.add_node(1, symbol=symbols[1])
        graph.add_edge(0, 1, bond="single")
        graphs.append(graph)
    return graphs


def encoded(symbols):
    return AttributeEncoder().fit_transform(molecules(symbols))


@pytest.fixture
def amines():
    return encoded(("C", "N"))


@pytest.fixture
def fluorides():
    return encoded(("C", "F"))


def fit(X, **options):
    return gq.GraphQuantizer(1, max_cycles=1, random_state=0, **options).fit(X)


# Each of these compared vectors of different meaning without a word: as many channels, but other ones.
MEETINGS = {
    "match": lambda a, b: gq.match(a[0], b[0]),
    "distance": lambda a, b: gq.distance(a[0], b[0]),
    "lower_bound": lambda a, b: gq.lower_bound(a[0], b[0]),
    "second_distance": lambda a, b: gq.second_distance(a[0], b[0], [0, 1]),
    "match_all": lambda a, b: gq.match_all(a, b, [(0, 0)]),
    "pairwise_distances": gq.pairwise_distances,
    "mean": lambda a, b: gq.mean([*a, *b]),
    "predict": lambda a, b: fit(a).predict(b),
    "transform": lambda a, b: fit(a).transform(b),
    "match to codes": lambda a, b: fit(a).match(b),
    "score": lambda a, b: fit(a).score(b),
    "quantize": lambda a, b: fit(a).quantize(b),
    "partial_fit": lambda a, b: fit(a).partial_fit(b),
    "init": lambda a, b: fit(b, init=a[:1]),
    "concatenate": lambda a, b: gq.GraphCollection.concatenate([a, b]),
    "collection": lambda a, b: gq.GraphCollection([a[0], b[0]]),
    "report": lambda a, b: gq.report.write_report("report.html", fit(a), b),
}


@pytest.mark.parametrize("meet", MEETINGS.values(), ids=MEETINGS)
def test_other_channels_never_meet(meet, amines, fluorides):
    with pytest.raises(SchemaError, match=r"only .*'symbol=[NF]'.*same encoder"):
        meet(amines, fluorides)


@pytest.mark.parametrize("meet", MEETINGS.values(), ids=MEETINGS)
def test_vectors_made_by_hand_do_not_meet_encoded_ones(meet, amines):
    with pytest.raises(SchemaError, match=r"made by hand.*with_schema"):
        meet(amines, amines.with_schema(None))


def test_the_same_names_from_other_encoders_do_not_meet():
    graphs = [gq.Graph([1.0, 2.0]), gq.Graph([3.0, 5.0])]
    one, other = (AttributeEncoder(scale=scale).fit_transform(graphs) for scale in (1.0, 2.0))
    with pytest.raises(SchemaError, match=r"same names.*different encoders made them.*'a0 .*divided by 2"):
        gq.distance(one[0], other[0])


def test_the_same_encoder_meets(amines):
    encoder = AttributeEncoder.from_json(amines.schema.encoder.to_json())
    assert gq.distance(amines[0], encoder.transform(molecules(("C", "N")))[0]) == 0.0


def test_named_channels_meet(amines):
    named = amines.with_schema(gq.Schema(amines.schema.node, amines.schema.edge))
    assert gq.distance(amines[0], named[0]) == 0.0
    assert gq.GraphCollection([named[0], amines[0]]).schema == amines.schema
    assert gq.GraphCollection.concatenate([named, amines]).schema == amines.schema


def test_channels_in_another_order():
    collection = gq.GraphCollection([gq.Graph([[1.0, 2.0]])])
    one, other = (collection.with_schema(gq.Schema(names, ["e"])) for names in (("x", "y"), ("y", "x")))
    with pytest.raises(SchemaError, match="the node channels are in another order"):
        gq.pairwise_distances(one, other)


def test_schemas_stay_with_their_graphs(amines):
    whole = gq.GraphCollection.concatenate([amines, amines])
    for kept in (
        amines[0],
        amines[1:],
        amines[[1, 0]],
        amines[::2],
        amines.packed(),
        amines.with_names(["a", "b"]),
        amines[0].permute([1, 0]),
        amines[0].induced([1]),
        gq.GraphCollection(list(amines)),
        whole,
        pickle.loads(pickle.dumps(amines)),
        pickle.loads(pickle.dumps(amines[0])),
        gq.mean(amines).graph,
        fit(amines).codebook_,
        fit(amines).quantize(amines),
    ):
        assert kept.schema == amines.schema
        assert kept.schema.encoder is not None


def test_scaling_to_unit_norm_is_another_encoding(amines):
    scaled = unit_norm(amines)
    assert scaled.schema != amines.schema
    with pytest.raises(SchemaError, match="different encoders"):
        gq.distance(scaled[0], amines[0])
    same = AttributeEncoder(unit_norm=True).fit_transform(molecules(("C", "N")))
    assert same.schema == scaled.schema == UnitNorm().fit_transform(amines).schema
    by_hand = gq.GraphCollection([gq.Graph([2.0])])
    assert unit_norm(by_hand).schema is None


def test_equality_is_about_the_graphs(amines):
    assert amines.with_schema(None) == amines
    assert amines[0].with_schema(None) == amines[0]


def test_the_number_of_names_is_checked():
    with pytest.raises(InvalidGraphError, match=r"names 2 node channels \('x', 'y'\).*vectors have 1"):
        gq.GraphCollection([gq.Graph([1.0])]).with_schema(gq.Schema(["x", "y"], ["e"]))
    with pytest.raises(InvalidGraphError, match="does not name channels"):
        gq.Schema("x", ["e"])


def test_files_keep_schemas(amines, fluorides, tmp_path):
    for name, graphs in (("amines", amines), ("fluorides", fluorides)):
        gq.write(graphs, tmp_path / f"{name}.parquet")
    again = gq.read(tmp_path / "amines.parquet").graphs
    assert again.schema == amines.schema
    assert again.schema.encoder.to_json() == amines.schema.encoder.to_json()
    with pytest.raises(SchemaError, match=r"'symbol=[NF]'"):
        gq.scan(tmp_path)
    by_hand = gq.GraphCollection([gq.Graph([1.0])])
    gq.write(by_hand, tmp_path / "by_hand.parquet")
    assert gq.read(tmp_path / "by_hand.parquet").graphs.schema is None


def test_codebooks_keep_schemas(amines, fluorides, tmp_path):
    fit(amines).save(tmp_path / "codebook.parquet")
    again = gq.load(tmp_path / "codebook.parquet")
    assert again.codebook_.schema == amines.schema
    assert again.predict(amines).tolist() == [0, 0]
    assert again.predict(molecules(HYDROCARBONS)).tolist() == [0, 0]
    with pytest.raises(SchemaError, match=r"'symbol=[NF]'"):
        again.predict(fluorides)


def test_partitions_keep_schemas(amines, fluorides, tmp_path):
    gq.write(amines, tmp_path / "amines.parquet")
    gq.write(fluorides, tmp_path / "fluorides.parquet")
    q = gq.GraphQuantizer(1, max_cycles=1, random_state=0).fit(tmp_path / "amines.parquet")
    assert q.codebook_.schema == amines.schema
    assert q.predict(tmp_path / "amines.parquet").tolist() == [0, 0]
    with pytest.raises(SchemaError, match=r"'symbol=[NF]'"):
        q.predict(tmp_path / "fluorides.parquet")


def test_an_encoder_of_one_hot_channels_in_another_order_differs():
    one, other = (
        AttributeEncoder([OneHot("symbol", categories=order)], balance=False).fit_transform(
            molecules(HALIDES)
        )
        for order in (("C", "F"), ("F", "C"))
    )
    assert np.array_equal(one.node_attrs[:, :2], other.node_attrs[:, 1::-1])
    with pytest.raises(SchemaError, match="in another order"):
        gq.pairwise_distances(one, other)


def points(*names):
    graph = nx.Graph()
    for node, place in enumerate([(0.0, 1.0), (2.0, 3.0)]):
        graph.add_node(node, **dict(zip(names, place, strict=True)))
    return graph


def test_attributes_of_networkx_name_the_channels():
    """In another order they would meet the wrong ones."""
    one, other = gq.as_collection([points("x", "y")]), gq.as_collection([points("y", "x")])
    assert one.schema == gq.Schema(["x", "y"], ["presence"])
    with pytest.raises(SchemaError, match="in another order"):
        gq.pairwise_distances(one, other)
    with pytest.raises(SchemaError, match="in another order"):
        gq.distance(gq.from_networkx(points("x", "y")), gq.from_networkx(points("y", "x")))
    chosen = gq.from_networkx(points("y", "x"), node_attrs=["x", "y"])
    assert gq.distance(one[0], chosen) > 0.0


def test_networkx_without_names_is_made_by_hand():
    x = gq.Graph([[1.0, 2.0]])
    assert gq.as_collection([x.to_networkx()]).schema is None
    assert gq.as_collection([nx.path_graph(2)]).schema is None
