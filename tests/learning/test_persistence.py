"""Saved codebooks: the same after loading, nothing executed, anything else refused with a reason."""

import json

import numpy as np
import pyarrow.parquet as pq
import pytest

import graphquant as gq
from graphquant.exceptions import FileFormatError
from graphquant.learning.members import Members
from tests.learning.collections_of_graphs import collection
from tests.reference.random_graphs import KINDS


@pytest.fixture(scope="module")
def graphs():
    return collection("letters", 20, 4)


def fit(graphs, **changes):
    settings = {"max_cycles": 3, "init": "random", "random_state": 0} | changes
    return gq.GraphQuantizer(3, **settings).fit(graphs)


def saved(q, tmp_path):
    q.save(tmp_path / "codebook.parquet")
    return tmp_path / "codebook.parquet"


@pytest.mark.parametrize("algorithm", ["standard", "accelerated", "lossless", "fast"])
def test_round_trip(algorithm, graphs, tmp_path):
    q = fit(
        graphs, algorithm=algorithm, theta=0.01 if algorithm == "accelerated" else 0.0, tol=0.0, batch_size=2
    )
    again = gq.load(saved(q, tmp_path))
    assert again.codebook_ == q.codebook_
    assert again.history_ == q.history_
    for name in (
        "distortion_",
        "n_matchings_",
        "n_init_matchings_",
        "n_shift_matchings_",
        "n_cycles_",
        "order_",
    ):
        assert getattr(again, name) == getattr(q, name)
    assert again.get_params() == q.get_params()
    np.testing.assert_array_equal(again.predict(graphs), q.labels_)
    np.testing.assert_array_equal(again.transform(graphs), q.transform(graphs))
    assert not hasattr(again, "labels_")


@pytest.mark.parametrize("kind", ["directed-vectors", "grouped", "vector-edges"])
def test_round_trip_of_every_kind(kind, tmp_path):
    graphs = KINDS[kind].collection(np.random.default_rng(0), 12, 1, 4)
    q = fit(graphs)
    again = gq.load(saved(q, tmp_path))
    assert again.codebook_ == q.codebook_
    np.testing.assert_array_equal(again.transform(graphs), q.transform(graphs))


@pytest.mark.parametrize(
    "changes",
    [
        {"matcher": "frank-wolfe"},
        {"matcher": gq.ExactMatcher(node_limit=50)},
        {"matcher": gq.FrankWolfe()},
        {"matcher": gq.GraduatedAssignment()},
        {"learning_rate": (0.3, 0.1)},
        {"learning_rate": "harmonic"},
        {"order": 12},
        {"random_state": None},
    ],
    ids=str,
)
def test_parameters_are_kept(changes, graphs, tmp_path):
    again = gq.load(saved(fit(graphs, **changes), tmp_path))
    for name, value in changes.items():
        assert getattr(again, name) == value


def test_what_cannot_be_saved_is_replaced(graphs, tmp_path):
    q = fit(graphs, init=graphs[:3], learning_rate=lambda context: 0.1, random_state=np.random.default_rng(0))
    again = gq.load(saved(q, tmp_path))
    assert (again.init, again.learning_rate, again.random_state) == ("auto", "auto", None)
    np.testing.assert_array_equal(again.predict(graphs), q.labels_)


def test_what_belongs_to_the_machine_is_left_out(graphs, tmp_path):
    q = fit(graphs, n_jobs=1, checkpoint=tmp_path / "run")
    again = gq.load(saved(q, tmp_path))
    assert (again.n_jobs, again.checkpoint, again.progress) == (None, None, False)


def test_a_file_is_about_the_codebook_in_it(graphs, tmp_path):
    q = fit(graphs)
    n_codes = q.n_codes
    assert gq.load(saved(q.set_params(n_codes=9), tmp_path)).n_codes == n_codes


def test_learning_goes_on_after_loading(graphs, tmp_path):
    q = fit(graphs, learning_rate="harmonic")
    again = gq.load(saved(q, tmp_path))
    again.partial_fit(graphs)
    assert again.n_cycles_ == 4
    # The wins are remembered: the rate is not 1 again.
    assert again.history_[-1].shift < q.history_[0].shift
    assert again.fit(graphs).codebook_ == q.codebook_


def test_encoder_is_kept(tmp_path):
    letters = gq.datasets.make_letters(2, random_state=0)
    again = gq.load(saved(fit(letters), tmp_path))
    assert again.encoder_.to_json() == letters.encoder.to_json()


@pytest.mark.parametrize("name", ["q.pkl", "q.json", "q"])
def test_a_codebook_is_not_named_as_something_else(graphs, tmp_path, name):
    """Once, ``q.save("q.pkl")`` wrote Parquet that no reader took for it."""
    with pytest.raises(FileFormatError, match=r"codebooks are Parquet files\. Name it \S*q\.parquet\."):
        fit(graphs).save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


class InOrder:
    def match(self, x, y, order):
        return np.arange(x.order)


def test_matcher_of_the_users_own_has_to_be_passed(graphs, tmp_path):
    q = fit(graphs, matcher=InOrder())
    path = saved(q, tmp_path)
    with pytest.raises(FileFormatError, match=r"learnt with the matcher .*InOrder.*gq\.load\(path, matcher="):
        gq.load(path)
    again = gq.load(path, matcher=InOrder())
    np.testing.assert_array_equal(again.predict(graphs), q.labels_)


def test_another_matcher_may_be_passed(graphs, tmp_path):
    assert gq.load(saved(fit(graphs), tmp_path), matcher="frank-wolfe").matcher == "frank-wolfe"


def rewritten(path, change):
    """Change the metadata of a codebook in place."""
    table = pq.read_table(path)
    metadata = {key: json.loads(value) for key, value in table.schema.metadata.items() if key[:5] != b"ARROW"}
    [key] = [key for key, value in metadata.items() if "quantizer" in json.dumps(value)]
    change(metadata[key])
    pq.write_table(
        table.replace_schema_metadata({key: json.dumps(value) for key, value in metadata.items()}), path
    )


def content_of(metadata):
    """The part that the quantizer wrote, wherever the format keeps it."""
    if "parameters" in metadata:
        return metadata
    return next(
        found for value in metadata.values() if isinstance(value, dict) and (found := content_of(value))
    )


def test_newer_version_is_refused(graphs, tmp_path):
    path = saved(fit(graphs), tmp_path)
    rewritten(path, lambda metadata: content_of(metadata).update(version=99))
    with pytest.raises(FileFormatError, match=r"a codebook of version 99; this graphquant reads up to 1"):
        gq.load(path)


@pytest.mark.parametrize(
    "change",
    [
        lambda content: content.pop("parameters"),
        lambda content: content.pop("fitted"),
        lambda content: content["fitted"].pop("order_"),
        lambda content: content.update(parameters=3),
        lambda content: content["parameters"].update(colour="red"),
        lambda content: content["parameters"].update(matcher=3),
        lambda content: content["parameters"].update(
            matcher={"name": "ExactMatcher", "parameters": {"x": 1}}
        ),
        lambda content: content["parameters"].pop("learning_rate"),
        lambda content: content.update(wins="many"),
        lambda content: content.update(wins=[1]),
        lambda content: content["parameters"].update(n_codes=7),
        lambda content: content.update(history=[{"cycle": 1}]),
        lambda content: content["fitted"].update(order_="large"),
        lambda content: content["fitted"].update(order_=1),
        lambda content: content["fitted"].update(order_=2**30),
        lambda content: content["fitted"].update(order_=10**30),
        lambda content: content.update(version="one"),
        lambda content: content.update(wins=[1, 2, -3]),
        lambda content: content.update(wins=[1, 2, 10**30]),
        lambda content: content["fitted"].update(distortion_=-1.0),
        lambda content: content["fitted"].update(n_matchings_=2.5),
    ],
)
def test_damaged_metadata_are_refused(change, graphs, tmp_path):
    path = saved(fit(graphs), tmp_path)
    rewritten(path, lambda metadata: change(content_of(metadata)))
    with pytest.raises(FileFormatError, match=r"codebook\.parquet: the metadata of the codebook are damaged"):
        gq.load(path)


def test_names_of_matchers_are_only_looked_up(graphs, tmp_path):
    path = saved(fit(graphs), tmp_path)
    wanted = {"name": "os.system", "parameters": {"command": "touch executed"}}
    rewritten(path, lambda metadata: content_of(metadata)["parameters"].update(matcher=wanted))
    with pytest.raises(FileFormatError, match=r"os\.system, which is not part of graphquant"):
        gq.load(path)


def test_collection_is_no_codebook(graphs, tmp_path):
    gq.write(graphs, tmp_path / "graphs.parquet")
    with pytest.raises(FileFormatError, match="a collection of graphs, but not a codebook"):
        gq.load(tmp_path / "graphs.parquet")


def test_foreign_and_missing_files(graphs, tmp_path):
    (tmp_path / "text.parquet").write_text("a letter")
    with pytest.raises(FileFormatError, match=r"text\.parquet"):
        gq.load(tmp_path / "text.parquet")
    with pytest.raises(FileFormatError, match=r"none\.parquet"):
        gq.load(tmp_path / "none.parquet")


@pytest.mark.parametrize("share", [0.1, 0.5, 0.95])
def test_file_that_was_cut_off(share, graphs, tmp_path):
    path = saved(fit(graphs), tmp_path)
    content = path.read_bytes()
    path.write_bytes(content[: int(share * len(content))])
    with pytest.raises(FileFormatError, match=r"codebook\.parquet"):
        gq.load(path)


def test_nothing_is_pickled(graphs, tmp_path):
    content = saved(fit(graphs), tmp_path).read_bytes()
    assert b"pickle" not in content
    assert b"numpy.core" not in content


@pytest.mark.parametrize("value", [1e308, -1e150, 1e-150])
def test_code_graphs_beyond_the_range_are_refused(value, tmp_path):
    """Their squares are no numbers, and prediction would never end."""
    q = fit([gq.Graph([float(i)]) for i in range(6)])
    q.codebook_ = gq.GraphCollection([gq.Graph([value]) for _ in range(3)])
    with pytest.raises(FileFormatError, match=r"codebook\.parquet: .*leaves the range of float64"):
        gq.load(saved(q, tmp_path))


def test_members_that_are_nested_too_deeply_are_refused():
    with pytest.raises(ValueError, match="it is nested too deeply"):
        Members.from_texts(["[" * 100_000], 1, 1)
