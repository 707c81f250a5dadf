"""Names across modules: what is private to a package."""

import ast
from pathlib import Path

import pytest

import graphquant

PACKAGE = Path(graphquant.__file__).parent


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
