"""Dataset, gq.read and gq.write."""

import pickle
import warnings

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV, cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline

import graphquant as gq
from graphquant.datasets import Dataset, dataset_from_content, make_letters, number_classes
from graphquant.exceptions import (
    EncodingError,
    GraphQuantWarning,
    InvalidGraphError,
    InvalidParameterError,
    SchemaError,
)
from graphquant.graphs import Column, RawGraphs
from graphquant.io import FileContent, Skipped
from graphquant.preprocessing import AttributeEncoder

DOTS = gq.GraphCollection([gq.Graph([1.0]), gq.Graph([2.0])], names=["one", "two"])


def raw_dots(values=(1.0, 3.0)):
    return RawGraphs([0, 1, 2], [0, 0, 0], [], {"x": Column.from_numbers(values)}, {}, names=["one", "two"])


class TestDataset:
    def test_classes(self):
        dataset = Dataset(DOTS, [1, 1], ("a", "b"))
        assert dataset.labels == ("b", "b")
        assert dataset.class_counts == {"a": 0, "b": 2}
        assert dataset.names == ("one", "two")
        assert len(dataset) == 2

    def test_without_classes(self):
        dataset = Dataset(DOTS)
        assert dataset.labels is None
        assert dataset.class_counts == {}
        assert repr(dataset) == "Dataset(2 graphs without classes; on average 1.0 nodes and 0.0 edges)"

    def test_repr_says_what_was_skipped(self):
        dataset = Dataset(DOTS, [0, 0], ("a",), skipped=(Skipped("bad", "no reason"),))
        assert repr(dataset).startswith("Dataset(2 graphs in 1 class: a 2;")
        assert repr(dataset).endswith("; 1 skipped)")

    def test_targets_are_checked_and_read_only(self):
        with pytest.raises(InvalidGraphError, match=r"targets has shape \(1,\) for 2 graphs"):
            Dataset(DOTS, [0], ("a",))
        with pytest.raises(InvalidGraphError, match="numbers from 0 to 3, but there are 1 target_names"):
            Dataset(DOTS, [0, 3], ("a",))
        dataset = Dataset(DOTS, [0, 0], ("a",))
        with pytest.raises(ValueError, match="read-only"):
            dataset.targets[0] = 1


@pytest.mark.parametrize(
    ("labels", "names"),
    [(["b", "a", "b"], ("a", "b")), (["10", "9", "-1"], ("-1", "9", "10")), (["10", "x"], ("10", "x"))],
)
def test_number_classes(labels, names):
    targets, found = number_classes(labels)
    assert found == names
    assert [found[i] for i in targets] == labels


class TestEncoding:
    def test_auto_fits_a_fresh_encoder(self):
        dataset = dataset_from_content(FileContent(raw_dots(), ("b", "a")))
        assert dataset.graphs == AttributeEncoder().fit_transform(raw_dots())
        assert dataset.targets.tolist() == [1, 0]
        assert dataset.raw == raw_dots()
        assert dataset.encoder.node_channels_ == ("cos x", "sin x", "cos2 x", "sin2 x")

    def test_an_unfitted_encoder_is_cloned_and_fitted(self):
        encoder = AttributeEncoder(center=False, scale=None)
        dataset = dataset_from_content(FileContent(raw_dots()), encoder)
        assert dataset.graphs.node_attrs[:, 0].tolist() == [1.0, 3.0]
        assert not encoder.is_fitted

    def test_a_fitted_encoder_only_transforms(self):
        encoder = AttributeEncoder(scale=None).fit(raw_dots([10.0, 20.0]))
        with pytest.warns(GraphQuantWarning, match="2 of 2 values lie outside the range of training"):
            dataset = dataset_from_content(FileContent(raw_dots()), encoder)
        assert dataset.graphs.node_attrs[:, 0].tolist() == [-14.0, -12.0]
        assert dataset.encoder is encoder

    def test_vectors_are_taken_as_they_are(self):
        dataset = dataset_from_content(FileContent(DOTS))
        assert dataset.graphs is DOTS
        assert dataset.encoder is None
        assert dataset.raw is None

    def test_an_encoder_for_vectors_is_refused_unless_it_made_them(self):
        encoder = AttributeEncoder().fit(raw_dots())
        content = FileContent(encoder.transform(raw_dots()), metadata={"encoder": encoder.to_json()})
        assert dataset_from_content(content, encoder).encoder.to_json() == encoder.to_json()
        for other in (AttributeEncoder(), AttributeEncoder().fit(raw_dots([5.0, 6.0]))):
            with pytest.raises(EncodingError, match=r"contains vectors.*Omit encoder"):
                dataset_from_content(content, other)

    def test_a_wrong_encoder(self):
        with pytest.raises(InvalidParameterError, match="encoder='none' is not accepted"):
            dataset_from_content(FileContent(raw_dots()), "none")

    def test_skipped_graphs_give_one_warning(self):
        skipped = tuple(Skipped(f"g{i}", "bad") for i in range(5))
        with pytest.warns(
            GraphQuantWarning, match=r"5 graphs were skipped \(g0: bad; .*; and 2 more\)"
        ) as caught:
            dataset = dataset_from_content(FileContent(raw_dots(), skipped=skipped))
        assert len(caught) == 1
        assert dataset.skipped == skipped


class TestFiles:
    def test_parquet_keeps_everything(self, tmp_path):
        letters = make_letters(n_per_class=3)
        gq.write(letters, tmp_path / "letters.parquet")
        again = gq.read(tmp_path / "letters.parquet")
        assert again.graphs == letters.graphs
        assert again.names == letters.names
        assert again.target_names == letters.target_names
        np.testing.assert_array_equal(again.targets, letters.targets)
        assert again.encoder.to_json() == letters.encoder.to_json()
        assert again.description == letters.description

    def test_text_formats_get_the_raw_attributes(self, tmp_path):
        letters = make_letters(n_per_class=2)
        gq.write(letters, tmp_path / "letters.jsonl")
        again = gq.read(str(tmp_path / "letters.jsonl"))
        assert again.raw == letters.raw
        assert again.labels == letters.labels
        assert again.graphs == letters.graphs, "the automatic encoder learns the same again"

    def test_new_data_in_the_vectors_of_an_old_file(self, tmp_path):
        old, new = make_letters(n_per_class=3), make_letters(n_per_class=1, random_state=1)
        gq.write(old, tmp_path / "old.parquet")
        gq.write(new.raw, tmp_path / "new.jsonl")
        encoder = gq.read(tmp_path / "old.parquet").encoder
        assert gq.read(tmp_path / "new.jsonl", encoder=encoder).graphs == old.encoder.transform(new.raw)

    @pytest.mark.parametrize("targets", [["x", "y"], np.array([3, 11])])
    def test_targets_by_argument(self, tmp_path, targets):
        gq.write(DOTS, tmp_path / "dots.parquet", targets=targets)
        assert gq.read(tmp_path / "dots.parquet").labels == tuple(str(target) for target in targets)

    def test_errors(self, tmp_path):
        with pytest.raises(InvalidParameterError, match="3 targets for 2 graphs"):
            gq.write(DOTS, tmp_path / "dots.parquet", targets=[0, 1, 2])
        with pytest.raises(InvalidParameterError, match=r"A list cannot be written.*as_collection"):
            gq.write(list(DOTS), tmp_path / "dots.parquet")
        with pytest.raises(ValueError, match="no such file"):
            gq.read(tmp_path / "absent.parquet")
        assert list(tmp_path.iterdir()) == []

    def test_skipping(self, tmp_path):
        path = tmp_path / "dots.jsonl"
        gq.write(DOTS, path)
        path.write_text(path.read_text() + '{"nodes": [{"id": 0}], "edges": [{"source": 0, "target": 9}]}\n')
        with pytest.raises(ValueError, match=r"dots\.jsonl"):
            gq.read(path)
        with pytest.warns(GraphQuantWarning, match="1 graph was skipped"):
            dataset = gq.read(path, on_error="skip")
        assert len(dataset) == 2
        assert len(dataset.skipped) == 1

    def test_no_warning_without_reason(self, tmp_path):
        gq.write(DOTS, tmp_path / "dots.jsonl")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            gq.read(tmp_path / "dots.jsonl", on_error="skip")


# Of so few letters, parts go beyond each other.
@pytest.mark.filterwarnings("ignore:.*lie outside the range of training")
class TestParts:
    @pytest.fixture
    def letters(self):
        made = make_letters(2, random_state=0)
        return Dataset(
            made.graphs,
            made.targets,
            made.target_names,
            made.encoder,
            "letters",
            made.raw,
            columns={"id": range(30)},
        )

    def test_a_number_is_a_graph_and_a_choice_a_data_set(self, letters):
        assert letters[3] == letters.graphs[3]
        assert letters[-1] == letters.graphs[29]
        assert [graph.order for graph in letters] == letters.graphs.orders.tolist()
        mask = letters.targets == 1
        for chosen in (slice(2, 4), [2, 3], np.array([2, 3]), mask, (np.array([2, 3]), ...)):
            part = letters[chosen]
            assert part.names == ("E0000", "E0001")
            assert part.labels == ("E", "E")
            assert part.columns == {"id": (2, 3)}
            assert part.raw == letters.raw[2:4]
            assert part.graphs == letters.graphs[2:4]
            assert part.encoder is letters.encoder

    def test_parts_together_are_the_whole(self, letters):
        again = letters[:10] + letters[10:]
        assert again.graphs == letters.graphs
        assert again.raw == letters.raw
        assert again.labels == letters.labels
        assert again.columns == letters.columns
        assert again.description == "letters"

    def test_other_encoders_are_left_behind(self, letters):
        others = make_letters(2, distortion="high", random_state=5)
        assert others.graphs.schema != letters.graphs.schema
        joined = letters + others
        assert joined.graphs[30:] == letters.encoder.transform(others.raw)
        assert joined.columns["id"][30] is None
        with pytest.raises(SchemaError, match="different encoders"):
            letters + Dataset(others.graphs, others.targets, others.target_names)

    def test_classes_are_joined_by_name(self, letters):
        joined = Dataset(DOTS, [0, 1], ("a", "b")) + Dataset(DOTS, [0, 0], ("b",))
        assert joined.labels == ("a", "b", "b", "b")
        with pytest.raises(InvalidGraphError, match="Data set 1 has no classes"):
            Dataset.concatenate([letters, Dataset(letters.graphs)])
        with pytest.raises(InvalidGraphError, match="Nothing to join"):
            Dataset.concatenate([])

    def test_scikit_learn_splits_it(self, letters):
        train, test, _, y_test = train_test_split(letters, letters.targets, test_size=6, random_state=0)
        assert (type(train), len(train), len(test)) == (Dataset, 24, 6)
        assert y_test.tolist() == test.targets.tolist()
        q = gq.GraphQuantizer(3, max_cycles=1, random_state=0).fit(train)
        np.testing.assert_array_equal(q.predict(test), q.predict(test.graphs))

    def test_cross_validation(self, letters):
        pipe = make_pipeline(AttributeEncoder(), gq.GraphQuantizer(3, max_cycles=1, random_state=0))
        assert (cross_val_score(pipe, letters, letters.targets, cv=2) < 0).all()

    def test_grid_search_over_encoders(self, letters):
        q = gq.GraphQuantizer(3, max_cycles=1, random_state=0, encoder=AttributeEncoder())
        search = GridSearchCV(q, {"encoder__edge_weight": [0.5, 2.0]}, cv=2).fit(letters)
        found = search.best_estimator_
        assert found.encoder_.edge_weight == search.best_params_["encoder__edge_weight"]
        np.testing.assert_array_equal(found.predict(letters), found.labels_)

    def test_a_frame(self, letters):
        pandas = pytest.importorskip("pandas")
        frame = letters.to_pandas()
        assert isinstance(frame, pandas.DataFrame)
        assert list(frame.columns) == ["name", "class", "n_nodes", "n_edges", "id"]
        assert frame.loc[3, "name"] == "E0001"
        assert frame["n_nodes"].sum() == letters.graphs.orders.sum()

    def test_a_notebook_draws_the_first_graphs(self, letters):
        shown = letters._repr_html_()
        assert shown.count("<svg") == 1
        assert ">A0000<" in shown
        assert "and 18 more" in shown

    def test_columns_are_checked(self):
        with pytest.raises(InvalidParameterError, match="Column 'id' has 1 value for 2 graphs"):
            Dataset(DOTS, columns={"id": [1]})

    def test_it_can_be_pickled(self, letters):
        again = pickle.loads(pickle.dumps(letters))
        assert again.graphs == letters.graphs
        assert again.columns == letters.columns
