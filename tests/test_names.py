"""Names across modules: what is private to a package, and constants that mean one thing."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

import graphquant

PACKAGE = Path(graphquant.__file__).parent
PUBLIC_CONSTANT = re.compile(r"[A-Z][A-Z0-9_]+")
# What every command, and every format of files, has one of.
ONE_OF_EACH = {"EXAMPLES", "FORMAT"}


@pytest.fixture(scope="module")
def trees():
    """All modules of the package, by their path."""
    return {
        path.relative_to(PACKAGE): ast.parse(path.read_text(encoding="utf-8"))
        for path in PACKAGE.rglob("*.py")
    }


def imported_modules(tree):
    """Modules of ours that a module imports, as parts of their names below graphquant."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("graphquant"):
            yield from (tuple(f"{node.module}.{alias.name}".split(".")[1:]) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (tuple(alias.name.split(".")[1:]) for alias in node.names)


def private_to_another(importer, imported):
    """Whether a module lies below a private name of a package that the importer is no part of."""
    depths = [
        depth for depth, name in enumerate(imported) if name.startswith("_") and not name.startswith("__")
    ]
    return any(importer.parts[:depth] != imported[:depth] for depth in depths)


def test_private_modules_are_imported_by_their_own_package_only(trees):
    found = [
        (str(path), ".".join(module))
        for path, tree in trees.items()
        for module in imported_modules(tree)
        if private_to_another(path, module)
    ]
    assert found == []


def test_what_is_private_is_recognised():
    (module,) = imported_modules(ast.parse("from graphquant.graphs._graph import Graph"))
    assert private_to_another(Path("_versions.py"), module)
    assert private_to_another(Path("io/gxl.py"), module)
    assert not private_to_another(Path("graphs/collection.py"), module)
    assert not private_to_another(Path("io/gxl.py"), ("_core", "calls"))


def constants_of(tree):
    """Public constants of a module."""
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for name in (part for target in targets if target for part in ast.walk(target)):
            if isinstance(name, ast.Name) and PUBLIC_CONSTANT.fullmatch(name.id):
                yield name.id


def test_a_public_constant_is_defined_in_one_module(trees):
    """Else it means two things, and an import may take the wrong one."""
    places = defaultdict(list)
    for path, tree in trees.items():
        for name in constants_of(tree):
            places[name].append(str(path))
    assert {name: found for name, found in places.items() if len(found) > 1}.keys() - ONE_OF_EACH == set()
    assert len(places) > 50


def test_constants_are_found():
    tree = ast.parse("A, _B = 1, 2\nLIMIT: int = 3\nTOP, MOST = 4, 5\nRow = dict\ndef f():\n    INNER = 6")
    assert list(constants_of(tree)) == ["LIMIT", "TOP", "MOST"]
