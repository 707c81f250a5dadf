"""What a user can specify for one attribute: a number or a category, and how it is encoded."""

import sys
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import InitVar, asdict, dataclass
from typing import Any, Literal

import numpy as np

from graphquant._validation import check_choice
from graphquant.exceptions import InvalidParameterError

Center = bool | float | Literal["auto"]
Scale = float | Literal["auto", "joint", "std"] | None
NumericKind = Literal["auto", "curve", "circle", "line"]
# The name and the choices of 1.0.
Shape = Literal["auto", "circle", "line"]
NUMERIC_KINDS: tuple[NumericKind, ...] = ("auto", "curve", "circle", "line")
SHAPES: tuple[Shape, ...] = ("auto", "circle", "line")


@dataclass(frozen=True)
class Numeric:
    """Encode a numeric attribute as ``u = (value - center) / scale``.

    On a line it becomes one channel ``weight * u``; on a curve four and on a circle two, which have the norm
    ``weight`` whatever u is.

    Parameters
    ----------
    name : str
        Name of the attribute.
    center : bool, float or "auto", default="auto"
        True: the training mean; False: zero; a number: that number; ``"auto"``: the encoder's setting.
    scale : "joint", "std", float, None or "auto", default="auto"
        ``"std"``: the attribute's own standard deviation; ``"joint"``: one number for all
        attributes that ask for it; a number: that number; None: 1; ``"auto"``: the encoder's setting.
    weight : float, default=1.0
        Factor on the channels.
    numeric : {"auto", "curve", "circle", "line"}, default="auto"
        ``"auto"``: the encoder's setting.
    shape : {"auto", "circle", "line"}, optional
        Deprecated name of ``numeric``.

    Examples
    --------
    >>> Numeric("x", scale="std")
    Numeric(name='x', center='auto', scale='std', weight=1.0, numeric='auto')
    """

    name: str
    center: Center = "auto"
    scale: Scale = "auto"
    weight: float = 1.0
    numeric: NumericKind = "auto"
    shape: InitVar[Shape | None] = None

    def __post_init__(self, shape: Shape | None) -> None:
        check_center(self.center, self.name)
        check_scale(self.scale, self.name)
        object.__setattr__(self, "numeric", numeric_kind(self.numeric, shape))
        check_weight(self.weight, name=self.name)


@dataclass(frozen=True)
class OneHot:
    """Encode a category attribute as one channel for each category.

    Numbers are accepted too, and then each distinct number is a category. Categories that were not in
    training share a separate channel, see ``unknown`` of :class:`AttributeEncoder`.

    Parameters
    ----------
    name : str
        Name of the attribute.
    weight : float, default=1.0
        Value of the channel of a row's category.
    categories : tuple of str, optional
        The categories, in the order of the channels; by default those of the training data, sorted.

    Examples
    --------
    >>> OneHot("type", categories=("corner", "end"))
    OneHot(name='type', weight=1.0, categories=('corner', 'end'))
    """

    name: str
    weight: float = 1.0
    categories: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        check_weight(self.weight, name=self.name)
        if self.categories is None:
            return
        categories = tuple(str(category) for category in self.categories)
        if not categories or len(set(categories)) != len(categories):
            raise InvalidParameterError(
                f"OneHot({self.name!r}): categories={categories} is empty or has repeats.",
                "Give each category once.",
            )
        object.__setattr__(self, "categories", categories)


def numeric_kind(numeric: object, shape: object) -> NumericKind:
    """Check how to encode numbers, also under the deprecated name of the parameter."""
    kind = check_choice("numeric", numeric, NUMERIC_KINDS)
    if shape is not None:
        kind = check_choice("shape", shape, SHAPES)
        warnings.warn(f"shape={kind!r} is now called numeric={kind!r}.", FutureWarning, stacklevel=4)
    return kind  # type: ignore[return-value]


def check_center(value: object, name: str) -> None:
    """Refuse anything but a bool, a finite number or "auto"."""
    if isinstance(value, str) and value == "auto":
        return
    if not _is_number(value):
        raise InvalidParameterError(
            f"{_of(name)}center={value!r} is not accepted.", 'Give True, False, a number, or "auto".'
        )


def check_scale(value: object, name: str = "") -> None:
    """Refuse anything but one of the named scales, a positive number, or None."""
    if value is None or (isinstance(value, str) and value in ("auto", "joint", "std")):
        return
    if isinstance(value, bool) or not _is_number(value) or float(value) <= 0:  # type: ignore[arg-type]
        raise InvalidParameterError(
            f"{_of(name)}scale={value!r} is not accepted.",
            'Give "joint", "std", "auto", a positive number, or None.',
        )


def check_weight(weight: object, parameter: str = "weight", name: str = "") -> None:
    """Refuse anything but a number of at least 0."""
    if isinstance(weight, bool) or not _is_number(weight) or float(weight) < 0:  # type: ignore[arg-type]
        raise InvalidParameterError(
            f"{_of(name)}{parameter}={weight!r} is not accepted.", "Give a number of at least 0."
        )


def _is_number(value: object) -> bool:
    # Python compares whole numbers of any size.
    return isinstance(value, int | float | np.number) and bool(abs(value) <= sys.float_info.max)  # type: ignore[operator]


def _of(name: str) -> str:
    return f"Attribute {name!r}: " if name else ""


def specs_to_json(specs: Sequence[Numeric | OneHot | str] | None) -> list[Any] | None:
    """Return attributes as plain values."""
    if specs is None:
        return None
    return [
        spec
        if isinstance(spec, str)
        else {"kind": "numeric" if isinstance(spec, Numeric) else "one-hot", **asdict(spec)}
        for spec in specs
    ]


def renamed(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Rename the field that version 1.0 called shape."""
    return {"numeric": fields["shape"]} if fields.get("shape") is not None and "numeric" not in fields else {}


def specs_from_json(specs: Any) -> list[Numeric | OneHot | str] | None:
    """Restore what :func:`specs_to_json` returned."""
    if specs is None:
        return None
    restored: list[Numeric | OneHot | str] = []
    for spec in specs:
        if isinstance(spec, str):
            restored.append(spec)
            continue
        fields = {key: value for key, value in spec.items() if key not in ("kind", "shape")} | renamed(spec)
        kinds: dict[str, type[Numeric] | type[OneHot]] = {"numeric": Numeric, "one-hot": OneHot}
        restored.append(kinds[spec["kind"]](**fields))
    return restored


__all__ = [
    "renamed",
    "specs_from_json",
    "specs_to_json",
    "Center",
    "NUMERIC_KINDS",
    "Numeric",
    "NumericKind",
    "OneHot",
    "Scale",
    "Shape",
    "check_center",
    "check_scale",
    "check_weight",
    "numeric_kind",
]
