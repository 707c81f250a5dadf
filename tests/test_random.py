"""From ``random_state`` to generators."""

import numpy as np
import pytest

from graphquant._random import check_random_state, spawn_seeds
from graphquant.exceptions import InvalidParameterError


def draws(random_state):
    return check_random_state(random_state).integers(0, 2**62, size=4).tolist()


@pytest.mark.parametrize("seed", [0, 7, np.int32(7), np.uint64(2**63)])
def test_a_seed_gives_the_same_numbers_each_time(seed):
    assert draws(seed) == draws(seed) == np.random.default_rng(seed).integers(0, 2**62, size=4).tolist()


def test_different_seeds_give_different_numbers():
    assert draws(0) != draws(1)


def test_a_generator_is_used_as_it_is():
    generator = np.random.default_rng(0)
    assert check_random_state(generator) is generator


def test_a_random_state_is_deterministic_and_advances():
    assert draws(np.random.RandomState(3)) == draws(np.random.RandomState(3))
    state = np.random.RandomState(3)
    assert draws(state) != draws(state)


def test_none_is_not_seeded():
    assert draws(None) != draws(None)


def test_global_state_is_left_alone():
    before = np.random.get_state()[1].copy()  # noqa: NPY002 - the state that must not change
    draws(None)
    spawn_seeds(3, 5)
    assert np.array_equal(np.random.get_state()[1], before)  # noqa: NPY002


@pytest.mark.parametrize("value", [-1, 1.5, "0", [1], np.int64(-3), True, False, np.True_])
def test_refused(value):
    with pytest.raises(
        InvalidParameterError,
        match=r"^random_state=.* is not accepted\. Give a non-negative int, a numpy Generator or",
    ):
        check_random_state(value)


class TestSpawnSeeds:
    def test_deterministic_distinct_plain_ints(self):
        seeds = spawn_seeds(3, 100)
        assert seeds == spawn_seeds(3, 100)
        assert len(set(seeds)) == 100
        assert {type(seed) for seed in seeds} == {int}
        assert min(seeds) >= 0

    def test_more_seeds_begin_with_the_same_ones(self):
        assert spawn_seeds(3, 10)[:4] == spawn_seeds(3, 4)

    def test_none(self):
        assert spawn_seeds(3, 0) == []
