"""The public API changes in plain sight: names, signatures, commands and options; and it has examples."""

import importlib
import inspect
import re

import pytest

import graphquant as gq
from tests.api.public_api import FROZEN, public_api, public_members, public_names, public_object

# Names that other layers of the library share, and no promise to users.
SHARED = {
    "datasets": {"EncodedPartition", "dataset_from_content", "number_classes", "raw_without_encoder"},
}
COMPLETE = ("datasets", "exceptions", "metrics", "plotting", "preprocessing", "report")


def test_frozen():
    """After a change on purpose: ``python -m tests.api.public_api``, and a line in CHANGELOG.md."""
    assert public_api() == FROZEN.read_text(encoding="utf-8").splitlines()


def test_the_reference_is_complete():
    assert set(gq.__all__) - {"__version__"} <= set(public_names())
    for name in COMPLETE:
        module = importlib.import_module(f"graphquant.{name}")
        top = set(gq.__all__)
        listed = {
            entry if entry in top else f"{name}.{entry}"
            for entry in set(module.__all__) - SHARED.get(name, set())
        }
        assert listed <= set(public_names())


def test_no_name_is_listed_twice():
    assert len(set(public_names())) == len(public_names())


def needs_example(name):
    obj = public_object(name)
    # load_iam needs files that are no part of the project; tests/datasets/test_iam.py runs it where they are.
    return name != "datasets.load_iam" and not (inspect.isclass(obj) and issubclass(obj, BaseException))


@pytest.mark.parametrize("name", [name for name in public_names() if needs_example(name)])
def test_example(name):
    """Doctests run them (``--doctest-modules``)."""
    doc = inspect.getdoc(public_object(name)) or ""
    examples = doc.partition("Examples\n--------\n")[2]
    assert re.search(r"^>>> (?!import )(?!.*doctest: \+SKIP)", examples, flags=re.MULTILINE), (
        f"{name} has no example that runs"
    )


@pytest.mark.parametrize("name", [name for name in public_names() if inspect.isclass(public_object(name))])
def test_members_have_docstrings(name):
    for member, value in public_members(public_object(name)):
        assert inspect.getdoc(value), f"{name}.{member}"
