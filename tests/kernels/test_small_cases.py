"""The learner on cases so small that they can be interpreted: right, and no more work than it was.

``make coverage`` and ``make mutation`` run them with ``NUMBA_DISABLE_JIT=1``. Bounds that rule out too much
change winners; bounds that rule out too little cost matchings: both are watched.
"""

import json

import pytest

from tests.kernels.small_cases import CASES, CEILINGS, cost, learn
from tests.quantizers.watched_runs import assert_same_run

ceilings = json.loads(CEILINGS.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", CASES)
def test_costs_no_more(name):
    run, _ = learn(*CASES[name])
    matchings, bounds = cost(run)
    assert matchings <= ceilings[name][0]
    assert bounds <= ceilings[name][1]


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("lossless")])
def test_lossless_is_standard(name):
    _, kind, rate = CASES[name]
    assert_same_run(learn("lossless", kind, rate)[1], learn("standard", kind, rate)[1])
