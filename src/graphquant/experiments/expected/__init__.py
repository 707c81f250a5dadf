"""What the paper prints, as TOML files."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def load_expected(name: str) -> dict[str, Any]:
    """Return the content of ``expected/<name>.toml``.

    Examples
    --------
    >>> load_expected("table1")["letter"]["graphs"]
    750
    """
    text = files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


__all__ = ["load_expected"]
