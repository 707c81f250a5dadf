"""JSON from files, where only what the standard allows is taken: anyone may have written it."""

import json
import math
from typing import Any


def parse_json(text: str | bytes) -> Any:
    """Return the value of a JSON text.

    Raises
    ------
    ValueError
        If it is not JSON, is nested too deeply, or contains NaN, a number outside the range of float64 or
        half of a surrogate pair, which Python alone would let pass.

    Examples
    --------
    >>> parse_json('{"a": [1, 2.5]}')
    {'a': [1, 2.5]}
    >>> parse_json('{"a": 1e400}')
    Traceback (most recent call last):
        ...
    ValueError: 1e400 is outside the range of float64
    """
    try:
        value = json.loads(text, parse_constant=_refuse, parse_float=_finite)
        check_text(value, text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return value


def check_text(value: Any, text: str | bytes) -> None:
    """Refuse texts with half of a surrogate pair in a value that was parsed: they cannot be written.

    Raises
    ------
    UnicodeEncodeError
    """
    escape = b"\\ud" if isinstance(text, bytes) else "\\ud"
    if escape in text.lower():  # type: ignore[operator]
        json.dumps(value, ensure_ascii=False).encode()


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is not a number of JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"{digits[:40]} is outside the range of float64")
    return number


__all__ = ["check_text", "parse_json"]
