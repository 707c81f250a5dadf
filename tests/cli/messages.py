"""All messages and hints of the library, found in its source."""

import ast
from collections.abc import Iterator
from pathlib import Path

import graphquant

SOURCE = Path(graphquant.__file__).parent
# What a placeholder of a message stands for here: a word that no rule is about.
PLACEHOLDER = "X"


def messages() -> Iterator[tuple[str, str]]:
    """Yield the place and the text of each message of an error or a warning."""
    for path in sorted(SOURCE.rglob("*.py")):
        module = path.relative_to(SOURCE).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _tells(node.func):
                for argument in node.args:
                    for text in _texts(argument):
                        yield f"{module}:{node.lineno}", text


def _tells(function: ast.expr) -> bool:
    name = getattr(function, "id", getattr(function, "attr", ""))
    return name.endswith(("Error", "BadParameter")) or name in ("warn", "_warn", "warning")


def _texts(node: ast.expr) -> list[str]:
    """Return the texts that an expression may stand for."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.JoinedStr):
        texts = [""]
        for part in node.values:
            ends = _texts(part.value) if isinstance(part, ast.FormattedValue) else [part.value]
            texts = [text + end for text in texts for end in ends or [_name(part)]]
        return texts
    if isinstance(node, ast.IfExp):
        return _texts(node.body) + _texts(node.orelse)
    if isinstance(node, ast.BinOp):
        return [left + right for left in _texts(node.left) for right in _texts(node.right)]
    return []


def _name(part: ast.FormattedValue) -> str:
    return f"'{PLACEHOLDER}'" if part.conversion == ord("r") else PLACEHOLDER
