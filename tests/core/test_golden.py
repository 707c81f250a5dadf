"""Results are the same bits as ever: see ``tools/golden.py``, which writes what is expected here."""

import json

import pytest

from tools import golden

CASES = {name: dict(cases()) for name, cases in golden.SETS.items()}


def expected(name):
    return json.loads(golden.path_of(name).read_text())


def check(name, case_name):
    found, golden_digests = golden.compute(CASES[name][case_name]), expected(name)[case_name]
    differing = [
        f"  {quantity}: {found.get(quantity)} instead of {golden_digests.get(quantity)}"
        for quantity in dict.fromkeys([*golden_digests, *found])
        if found.get(quantity) != golden_digests.get(quantity)
    ]
    if differing:
        pytest.fail("\n".join([f"{name}.json, case {case_name!r} differs in", *differing]), pytrace=False)


@pytest.mark.parametrize("name", CASES)
def test_all_cases_are_in_the_file(name):
    assert list(CASES[name]) == list(expected(name))


@pytest.mark.parametrize("case_name", CASES["letters"])
def test_letters_and_random_graphs(case_name):
    check("letters", case_name)


@pytest.mark.full
@pytest.mark.parametrize("case_name", CASES["iam"])
def test_real_graphs(case_name, iam_path, monkeypatch):
    monkeypatch.setenv("GRAPHQUANT_DATA", str(iam_path))
    check("iam", case_name)
