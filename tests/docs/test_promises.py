"""Each promise of the documentation names a test that is there."""

import re
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
PAGE = REPOSITORY / "docs" / "promises.rst"
NAMED = re.compile(r"``(tests/[\w/]+\.py)::(\w+)``")


@pytest.mark.parametrize(("file", "name"), NAMED.findall(PAGE.read_text(encoding="utf-8")))
def test_a_promise_has_its_test(file, name):
    assert re.search(rf"^def {name}\(", (REPOSITORY / file).read_text(encoding="utf-8"), re.MULTILINE)


def test_every_promise_names_one():
    text = PAGE.read_text(encoding="utf-8").partition("\nNot promised\n")[0]
    promises = re.split(r"^- ", text, flags=re.MULTILINE)[1:]
    without = [promise[:60] for promise in promises if not NAMED.search(promise)]
    assert len(promises) > 15
    assert without == []
