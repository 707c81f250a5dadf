"""The public API as lines of text. ``python -m tests.api.public_api`` writes ``public_api.txt`` again."""

import importlib
import inspect
import re
from pathlib import Path

from typer.main import get_command

REPOSITORY = Path(__file__).resolve().parents[2]
FROZEN = Path(__file__).with_name("public_api.txt")
# How the engine drives matchers of the core; matchers of users offer ``match`` alone.
MACHINERY = ("ascents", "budget", "free_order", "limits", "options", "search_order", "starter")


def public_names():
    """Names on the pages of the reference: these are what users are promised."""
    pages = sorted((REPOSITORY / "docs" / "reference").glob("*.rst"))
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    blocks = re.findall(r"^\.\. autosummary::\n(?:   :.*\n)+\n((?:   \S+\n)+)", text, flags=re.MULTILINE)
    return [name for block in blocks for name in block.split()]


def public_object(name):
    module, _, attribute = f"graphquant.{name}".rpartition(".")
    return getattr(importlib.import_module(module), attribute)


def public_members(cls):
    """Yield methods and properties that a class or a base of ours defines, with their names."""
    for name in sorted(dir(cls)):
        member = inspect.getattr_static(cls, name)
        owner = next(base for base in cls.__mro__ if name in vars(base))
        if not name.startswith("_") and name not in MACHINERY and owner.__module__.startswith("graphquant"):
            if isinstance(member, property):
                yield name, member
            elif callable(getattr(cls, name)):
                yield name, getattr(cls, name)


def signature(obj):
    """Names, kinds and defaults of the parameters; types may become more precise."""
    plain = [p.replace(annotation=p.empty) for p in inspect.signature(obj).parameters.values()]
    return re.sub(r" at 0x\w+", "", str(inspect.Signature(plain)))


def describe_names():
    for name in public_names():
        obj = public_object(name)
        if inspect.isclass(obj) and issubclass(obj, BaseException):
            yield f"{name}: {', '.join(base.__name__ for base in obj.__bases__)}"
            continue
        yield f"{name}{signature(obj)}"
        if inspect.isclass(obj):
            for member, value in public_members(obj):
                yield f"{name}.{member}" + ("" if isinstance(value, property) else signature(value))


def describe_commands():
    from graphquant.cli.app import app

    for name, command in get_command(app).commands.items():
        options = [" ".join(sorted(p.opts)) for p in command.params if p.param_type_name == "option"]
        arguments = [p.name.upper() for p in command.params if p.param_type_name == "argument"]
        yield f"graphquant {name} {' '.join(arguments)}: {', '.join(sorted(options))}"


def public_api():
    return [*describe_names(), *describe_commands()]


if __name__ == "__main__":
    FROZEN.write_text("\n".join(public_api()) + "\n", encoding="utf-8")
