"""Records of more than five fields are built by name: one field more would shift those after it unnoticed."""

import ast
from pathlib import Path

import pytest

import graphquant

PACKAGE = Path(graphquant.__file__).parent
MOST_BY_POSITION = 5


def fields_of(node):
    """The fields of a dataclass or NamedTuple, None for other classes."""
    is_dataclass = any("dataclass" in ast.unparse(decorator) for decorator in node.decorator_list)
    if not is_dataclass and "NamedTuple" not in map(ast.unparse, node.bases):
        return None
    declared = [item for item in node.body if isinstance(item, ast.AnnAssign)]
    return [item.target.id for item in declared if "ClassVar" not in ast.unparse(item.annotation)]


def classes_in(tree):
    return [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]


def built_by_position(tree, large):
    """Lines that pass more than five fields of a large record by position, with its name."""
    found = []
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        if len(call.args) <= MOST_BY_POSITION:
            continue
        name = ast.unparse(call.func)
        if name == "cls":
            owners = [item for item in classes_in(tree) if item.lineno <= call.lineno <= item.end_lineno]
            name = owners[-1].name
        if name in large:
            found.append((call.lineno, name))
    return found


@pytest.fixture(scope="module")
def trees():
    """All modules of the package, by their path."""
    return {
        str(path.relative_to(PACKAGE)): ast.parse(path.read_text(encoding="utf-8"))
        for path in PACKAGE.rglob("*.py")
    }


@pytest.fixture(scope="module")
def large(trees):
    """Names of the records of more than five fields."""
    nodes = (node for tree in trees.values() for node in classes_in(tree))
    return {node.name for node in nodes if len(fields_of(node) or ()) > MOST_BY_POSITION}


def test_large_records_are_built_by_name(trees, large):
    found = {path: built_by_position(tree, large) for path, tree in trees.items()}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_what_is_built_by_position_is_found(large):
    assert {"Mean", "PackedArrays", "PreparedGraphs"} <= large
    tree = ast.parse("Mean(1, 2, 3, 4, 5, 6)\nMean(1, 2, 3, 4, 5, history=6)\n")
    assert built_by_position(tree, large) == [(1, "Mean")]
