"""Frame of the JSON that transformers write: a type, a version, and helpful errors."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from graphquant.exceptions import FileFormatError

# 2: numbers on curves, a channel for other categories, ranges.
_VERSION = 2


def header(kind: str) -> dict[str, Any]:
    """First entries of the JSON of a transformer."""
    return {"type": f"graphquant.{kind}", "version": _VERSION}


def check_header(data: Any, kind: str) -> Mapping[str, Any]:
    """Return ``data`` if it is the JSON of a ``kind`` that this version can read."""
    if not isinstance(data, Mapping) or data.get("type") != f"graphquant.{kind}":
        found = data.get("type") if isinstance(data, Mapping) else type(data).__name__
        raise FileFormatError(
            f"This is not the JSON of a graphquant {kind} (found {found!r}).",
            f"Pass what {kind}.to_json() returned.",
        )
    version = data.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise FileFormatError(
            f"The {kind} has no valid version (found {version!r}).", "The JSON is damaged; write it again."
        )
    if version > _VERSION:
        raise FileFormatError(
            f"The {kind} was written in version {version}, this graphquant reads up to {_VERSION}.",
            "Upgrade graphquant: pip install -U graphquant",
        )
    return data


@contextmanager
def damaged_is_error(kind: str) -> Iterator[None]:
    """Turn anything that goes wrong while parsing into one clear error."""
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError) as err:
        raise FileFormatError(
            f"The JSON of the {kind} is damaged ({type(err).__name__}: {err}).",
            f"Write it again with {kind}.to_json().",
        ) from err


__all__ = ["check_header", "damaged_is_error", "header"]
