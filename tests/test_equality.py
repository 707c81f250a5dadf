"""Results that hold arrays are compared by content: numpy has no truth value for an array of many."""

import dataclasses
import inspect
import typing

import numpy as np
import pytest

import graphquant as gq
from graphquant.learning.summary import summaries
from graphquant.plotting.embedding import map_graphs
from tests.api.public_api import public_names, public_object

LETTERS = gq.datasets.make_letters(n_per_class=2).graphs


def fitted():
    return gq.GraphQuantizer(2, max_cycles=2, random_state=0).fit(LETTERS)


def summary():
    q = fitted()
    return summaries(q, LETTERS, q.match(LETTERS))[0]


def embedding():
    found = fitted()
    return map_graphs(found.codebook_, LETTERS, found.encoding_.label, found.encoding_.distance)


MAKERS = {
    "Core": lambda: fitted().core(0),
    "ClusterSummary": summary,
    "EditDistances": lambda: gq.pairwise_edit_distances(
        LETTERS[:6], costs=gq.preprocessing.EditCosts.like_networkx(), threshold=3.0
    ),
    "Embedding": embedding,
    "Encoding": lambda: fitted().encoding_,
    "Explanation": lambda: fitted().explain(LETTERS[3]),
    "Match": lambda: gq.match(LETTERS[0], LETTERS[9]),
    "Matches": lambda: gq.match_all(LETTERS, LETTERS, [(0, 1), (2, 3)]),
    "Mean": lambda: gq.mean(LETTERS[:5], random_state=0),
    "Novelty": lambda: fitted().novelty(LETTERS[:4]),
    "Start": lambda: gq.initialisation.initialise("random", LETTERS, 2, random_state=0),
}


def has_arrays(cls):
    hints = typing.get_type_hints(cls, localns={"GraphEncoder": object})
    compared = {field.name for field in dataclasses.fields(cls) if field.compare}
    return any(np.ndarray.__name__ in str(hint) for name, hint in hints.items() if name in compared)


def public_dataclasses():
    found = [public_object(name) for name in public_names()]
    return [cls for cls in found if inspect.isclass(cls) and dataclasses.is_dataclass(cls)]


def test_no_public_class_with_arrays_has_the_equality_that_is_generated():
    with_arrays = {cls.__name__: cls for cls in public_dataclasses() if has_arrays(cls)}
    assert [name for name, cls in with_arrays.items() if cls.__dataclass_params__.eq] == []
    # Data sets are compared by identity.
    assert with_arrays.keys() - {"Dataset", "Blobs"} <= MAKERS.keys()


def changed(value):
    """The same record with another value in the first of its arrays."""
    for field in dataclasses.fields(value):
        array = getattr(value, field.name)
        if isinstance(array, np.ndarray) and array.size:
            other = array.copy()
            other.flat[0] = 1 - other.flat[0]
            return dataclasses.replace(value, **{field.name: other})
    raise AssertionError(f"{type(value).__name__} has no array")


@pytest.mark.parametrize("name", MAKERS)
def test_results_are_equal_if_their_content_is(name):
    one, other = MAKERS[name](), MAKERS[name]()
    assert type(one).__name__ == name
    assert one is not other
    assert one == other
    assert one != changed(one)
    assert one != name
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


def test_what_is_not_known_equals_itself():
    found = MAKERS["EditDistances"]()
    one, other = (dataclasses.replace(found, is_within=np.full((6, 6), np.nan)) for _ in range(2))
    assert one == other
    assert one != found


def test_an_array_is_not_equal_to_none():
    found = MAKERS["Matches"]()
    assert found.mapping is None
    assert found != dataclasses.replace(found, mapping=np.zeros((2, 3), dtype=np.int64))
