"""The assignment kernel against SciPy's, and the dual prices that bounds rest on."""

from typing import NamedTuple

import numpy as np
import pytest
from numba import njit
from scipy.optimize import linear_sum_assignment

from graphquant.kernels import lap
from graphquant.kernels.workspace import lap_buffers

TOLERANCE = 1e-10
# Kernels are called by other kernels only.
assign = njit(lambda *arguments: lap.assign(*arguments))


class Solution(NamedTuple):
    value: float
    row_to_col: np.ndarray
    col_to_row: np.ndarray
    u: np.ndarray
    v: np.ndarray


def solve(cost, *, spare=0):
    """Call the kernel; ``spare`` rows and columns of its buffers are out of bounds."""
    rows, columns = cost.shape
    padded = np.full((rows + spare, columns + spare), -1e9)
    padded[:rows, :columns] = cost
    width = columns + spare
    buffers = lap_buffers(width)
    for buffer in buffers:
        buffer.fill(np.nan if buffer.dtype == float else 99)
    row_to_col = np.full(width, 99)
    value = assign(padded, rows, columns, row_to_col, buffers)
    return Solution(
        value, row_to_col[:rows], buffers.col_to_row[:columns], buffers.u[:rows], buffers.v[:columns]
    )


def scipy_value(cost):
    try:
        rows, columns = linear_sum_assignment(cost)
    except ValueError:  # infeasible
        return np.inf
    return cost[rows, columns].sum()


def check_optimal(cost, solution):
    """Feasible, complementary, and hence optimal: the certificate that needs no second solver."""
    rows, columns = cost.shape
    scale = 1.0 + np.abs(cost[np.isfinite(cost)]).max(initial=0.0)
    assert len(set(solution.row_to_col.tolist())) == rows
    owners = np.full(columns, -1)
    owners[solution.row_to_col] = np.arange(rows)
    np.testing.assert_array_equal(solution.col_to_row, owners)
    assert solution.value == pytest.approx(cost[np.arange(rows), solution.row_to_col].sum(), rel=1e-12)
    reduced = cost - solution.u[:, None] - solution.v[None, :]
    assert reduced.min(initial=0.0) >= -TOLERANCE * scale
    np.testing.assert_allclose(reduced[np.arange(rows), solution.row_to_col], 0.0, atol=TOLERANCE * scale)
    # No price is positive, and a free column costs nothing.
    assert (solution.v <= 0.0).all()
    assert (solution.v[solution.col_to_row < 0] == 0.0).all()
    assert solution.u.sum() + solution.v.sum() == pytest.approx(solution.value, rel=1e-9, abs=1e-9 * scale)


def random_costs(seed, draw, n_cases=150, *, square=False, largest=12):
    rng = np.random.default_rng(seed)
    for _ in range(n_cases):
        rows = int(rng.integers(1, largest + 1))
        columns = rows if square else rows + int(rng.integers(0, largest + 1))
        yield draw(rng, (rows, columns))


def normal(rng, shape):
    return rng.normal(size=shape)


def whole_numbers(rng, shape):
    return rng.integers(-2, 3, size=shape).astype(float)


def huge(rng, shape):
    return 1e12 * rng.normal(size=shape)


def tiny(rng, shape):
    return 1e-12 * rng.normal(size=shape)


def wide_range(rng, shape):
    return rng.normal(size=shape) * 10.0 ** rng.integers(-6, 7, size=shape)


def partly_forbidden(rng, shape):
    cost = whole_numbers(rng, shape)
    cost[rng.random(shape) < rng.uniform(0.0, 0.9)] = np.inf
    return cost


@pytest.mark.parametrize("square", [True, False], ids=["square", "rectangular"])
@pytest.mark.parametrize("draw", [normal, whole_numbers, huge, tiny, wide_range])
def test_equals_scipy(draw, square):
    for cost in random_costs(0, draw, square=square):
        solution = solve(cost)
        scale = np.abs(cost).max(initial=0.0)
        assert solution.value == pytest.approx(scipy_value(cost), rel=1e-12, abs=1e-12 * scale)
        check_optimal(cost, solution)


@pytest.mark.parametrize("largest", [8, 24])
def test_forbidden_entries(largest):
    infeasible = 0
    for cost in random_costs(1, partly_forbidden, 600, largest=largest):
        expected = scipy_value(cost)
        solution = solve(cost)
        if expected == np.inf:
            infeasible += 1
            assert solution.value == np.inf
        else:
            assert solution.value == expected
            check_optimal(cost, solution)
    assert 20 < infeasible < 580  # both outcomes are exercised


@pytest.mark.parametrize(
    "cost",
    [
        [[np.inf]],
        [[np.inf, np.inf], [1.0, 2.0]],
        [[1.0, np.inf, np.inf], [2.0, np.inf, np.inf]],
        [[0.0, 0.0, np.inf, np.inf], [0.0, 0.0, np.inf, np.inf], [0.0, 0.0, np.inf, np.inf]],
    ],
    ids=["nothing", "a row", "two rows for a column", "three rows for two columns"],
)
def test_infeasible_is_infinite(cost):
    assert solve(np.array(cost)).value == np.inf


@pytest.mark.parametrize("draw", [normal, whole_numbers])
def test_reads_no_further_than_it_is_told(draw):
    for cost in random_costs(6, draw, 50):
        exact, roomy = solve(cost), solve(cost, spare=3)
        assert exact.value == roomy.value
        np.testing.assert_array_equal(exact.row_to_col, roomy.row_to_col)
        np.testing.assert_array_equal(exact.u, roomy.u)
        np.testing.assert_array_equal(exact.v, roomy.v)


def test_nothing_to_assign():
    assert solve(np.empty((0, 3))).value == 0.0


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 5), (4, 4), (3, 6)])
def test_all_equal_costs_take_the_first_columns(rows, columns):
    np.testing.assert_array_equal(solve(np.full((rows, columns), 7.0)).row_to_col, np.arange(rows))


def test_larger_problem():
    cost = np.random.default_rng(7).random((150, 200))
    solution = solve(cost)
    assert solution.value == pytest.approx(scipy_value(cost), rel=1e-12)
    check_optimal(cost, solution)
