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


def built_by_position(path, large):
    """Lines that pass more than five fields of a large record by position, with its name."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = []
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        name = ast.unparse(call.func)
        if name == "cls":
            owners = [item for item in classes_in(tree) if item.lineno <= call.lineno <= item.end_lineno]
            name = owners[-1].name
        if name in large and len(call.args) > MOST_BY_POSITION:
            found.append((call.lineno, name))
    return found


@pytest.fixture(scope="module")
def large():
    """Names of the records of more than five fields."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py")]
    return {
        node.name
        for tree in trees
        for node in classes_in(tree)
        if len(fields_of(node) or ()) > MOST_BY_POSITION
    }


def test_large_records_are_built_by_name(large):
    found = {str(path.relative_to(PACKAGE)): built_by_position(path, large) for path in PACKAGE.rglob("*.py")}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_what_is_built_by_position_is_found(large, tmp_path):
    assert {"Mean", "PackedArrays", "PreparedGraphs"} <= large
    path = tmp_path / "module.py"
    path.write_text("Mean(1, 2, 3, 4, 5, 6)\nMean(1, 2, 3, 4, 5, history=6)\n")
    assert built_by_position(path, large) == [(1, "Mean")]
