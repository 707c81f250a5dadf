"""How one attribute becomes channels: what a user may ask for, and what was learnt for it."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from graphquant._typing import AnyArray, BoolArray, FloatArray, IntArray
from graphquant._validation import check_choice
from graphquant.exceptions import EncodingError, InvalidParameterError
from graphquant.graphs import Column

Center = bool | float | Literal["auto"]
Scale = float | Literal["auto", "joint", "std"] | None
Shape = Literal["auto", "circle", "line"]
SHAPES: tuple[Shape, ...] = ("auto", "circle", "line")


@dataclass(frozen=True)
class Numeric:
    """Encode a numeric attribute as ``u = (value - center) / scale``.

    On a line it becomes one channel ``weight * u``, on a circle two: cosine and sine of an angle that grows
    with u, times the weight.

    Parameters
    ----------
    name : str
        Name of the attribute.
    center : bool, float or "auto", default="auto"
        True: the training mean; False: zero; a number: itself; ``"auto"``: as the encoder says.
    scale : "joint", "std", float, None or "auto", default="auto"
        ``"std"``: the attribute's own standard deviation; ``"joint"``: one number for all
        attributes that ask for it; a number: itself; None: 1; ``"auto"``: as the encoder says.
    weight : float, default=1.0
        Factor on the channels.
    shape : {"auto", "circle", "line"}, default="auto"
        ``"auto"``: as the encoder says.

    Examples
    --------
    >>> Numeric("x", scale="std")
    Numeric(name='x', center='auto', scale='std', weight=1.0, shape='auto')
    """

    name: str
    center: Center = "auto"
    scale: Scale = "auto"
    weight: float = 1.0
    shape: Shape = "auto"

    def __post_init__(self) -> None:
        _check_center(self.center, self.name)
        check_scale(self.scale, self.name)
        check_choice("shape", self.shape, SHAPES)
        check_weight(self.weight, name=self.name)


@dataclass(frozen=True)
class OneHot:
    """Encode a category attribute as one channel for each category.

    Numbers are accepted too, and then each distinct number is a category.

    Parameters
    ----------
    name : str
        Name of the attribute.
    weight : float, default=1.0
        Value of the channel of the category that holds.
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
                f"OneHot({self.name!r}): categories={categories} is empty or repeats one.",
                "Give each category once.",
            )
        object.__setattr__(self, "categories", categories)


class Policy(NamedTuple):
    """What to do with values that are missing, and with categories never seen in training."""

    missing: str
    unknown: str


Where = Callable[[int], str]


@dataclass(frozen=True)
class NumericPart:
    """A fitted numeric channel."""

    kind: ClassVar[str] = "numeric"
    name: str
    center: float
    scale: float
    weight: float
    mean: float
    constant: bool = False

    @property
    def channels(self) -> tuple[str, ...]:
        """Names of the channels."""
        return (self.name,)

    @property
    def always_on(self) -> bool:
        """Whether the channel is a non-zero constant and thus says "here is something"."""
        return self.constant and self.mean != self.center and self.weight != 0

    @property
    def informative(self) -> bool:
        """Whether the channel is ever different from zero."""
        return not self.constant or self.always_on

    def encode(self, column: Column | None, out: FloatArray, policy: Policy, where: Where) -> None:
        """Write the channel into ``out``, shape (n_rows, 1)."""
        values, missing = numbers_of(column, len(out), self.name, policy, where)
        factor = self.weight / self.scale
        np.subtract(values, self.center, out=out[:, 0])
        out *= factor
        if missing is not None:
            out[missing, 0] = (self.mean - self.center) * factor if policy.missing == "mean" else 0.0

    def describe(self) -> str:
        """Say in words what the channel holds."""
        words = ["numeric"]
        if self.constant:
            words.append(f"constant {self.mean:.4g}")
        return ", ".join(words + number_words(self.center, self.scale, self.weight))

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {"kind": self.kind, **asdict(self)}


@dataclass(frozen=True)
class OneHotPart:
    """Fitted channels of a category attribute.

    ``shares`` are the training frequencies, ``weights`` what categories count against each other.
    """

    kind: ClassVar[str] = "one-hot"
    name: str
    categories: tuple[str, ...]
    shares: tuple[float, ...]
    weight: float
    weights: tuple[float, ...]
    always_on: ClassVar[bool] = True
    informative: ClassVar[bool] = True

    @property
    def channels(self) -> tuple[str, ...]:
        """Names of the channels."""
        return tuple(f"{self.name}={category}" for category in self.categories)

    def encode(self, column: Column | None, out: FloatArray, policy: Policy, where: Where) -> None:
        """Write the channels into ``out``, shape (n_rows, n_categories)."""
        column = _or_all_missing(column, len(out))
        missing = check_missing(column, self.name, policy, where)
        codes, found = category_codes(column)
        number = {category: i for i, category in enumerate(self.categories)}
        # The last entry stands for code -1, a missing value.
        translate = np.array([number.get(category, -1) for category in found] + [-1], dtype=np.int64)
        target = translate[codes]
        unknown = (target < 0) & (codes >= 0)
        if policy.unknown == "error" and unknown.any():
            row = int(np.argmax(unknown))
            raise EncodingError(
                f"{where(row)}, attribute {self.name!r}: {found[codes[row]]!r} is not a known category "
                f"({_listed(self.categories)}).",
                "Fit the encoder on data that has it, list it in OneHot(categories=...), "
                'or set unknown="zero".',
            )
        out[:] = 0.0
        rows = np.flatnonzero(target >= 0)
        values = self.weight * np.array(self.weights)
        out[rows, target[rows]] = values[target[rows]]
        if missing is not None and policy.missing == "mean":
            out[missing] = values * np.array(self.shares)

    def describe(self) -> str:
        """Say in words what the channels hold."""
        words = [f"one-hot, {len(self.categories)} categories: {_listed(self.categories)}"]
        if len(set(self.weights)) > 1:
            words.append("rare ones count more")
        return ", ".join(words + _weight_words(self.weight))

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "kind": self.kind,
            "name": self.name,
            "categories": list(self.categories),
            "shares": list(self.shares),
            "weight": self.weight,
            "weights": list(self.weights),
        }


@dataclass(frozen=True)
class PresencePart:
    """A constant channel: what is there differs from zero, which stands for "nothing here"."""

    kind: ClassVar[str] = "presence"
    name: ClassVar[str] = "presence"
    channels: ClassVar[tuple[str, ...]] = ("presence",)
    always_on: ClassVar[bool] = True
    informative: ClassVar[bool] = True
    weight: float = 1.0

    def encode(self, column: Column | None, out: FloatArray, policy: Policy, where: Where) -> None:
        """Write the constant."""
        out[:] = self.weight

    def describe(self) -> str:
        """Say in words what the channel holds."""
        return f"always {self.weight:.4g}"

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {"kind": self.kind, "weight": self.weight}


def numbers_of(
    column: Column | None, n_rows: int, name: str, policy: Policy, where: Where
) -> tuple[FloatArray, BoolArray | None]:
    """Return the numbers of a column and the mask of the missing ones, None if there are none."""
    column = _or_all_missing(column, n_rows)
    if column.categories is not None:
        row = int(np.argmax(~column.missing)) if len(column) else 0
        value = f" ({where(row)} has {column.to_list()[row]!r})" if len(column) else ""
        raise EncodingError(
            f"Attribute {name!r} holds strings{value}, but it was fitted as a number.",
            "Encode data of the same kind, or fit a new encoder.",
        )
    check_finite(column, name, where)
    return column.values, check_missing(column, name, policy, where)


def category_codes(column: Column) -> tuple[IntArray, tuple[str, ...]]:
    """Code of each row (-1 where missing) and the categories; distinct numbers count as categories."""
    if column.categories is not None:
        return column.values.astype(np.int64), column.categories
    missing = column.missing
    distinct, codes = np.unique(np.where(missing, 0.0, column.values), return_inverse=True)
    return np.where(missing, -1, codes), tuple(f"{value:.17g}" for value in distinct.tolist())


def check_missing(column: Column, name: str, policy: Policy, where: Where) -> BoolArray | None:
    """Mask of the missing values, None if there are none; an error if the policy says so."""
    missing = column.missing
    if not missing.any():
        return None
    if policy.missing == "error":
        raise EncodingError(
            f"{where(int(np.argmax(missing)))} has no value of attribute {name!r} "
            f"({int(missing.sum())} of {len(column)} values are missing).",
            'Set AttributeEncoder(missing="zero") or missing="mean", or leave the attribute out.',
        )
    return missing


def check_finite(column: Column, name: str, where: Where) -> None:
    """Refuse infinity, which no distance survives."""
    infinite: AnyArray = np.isinf(column.values)
    if infinite.any():
        row = int(np.argmax(infinite))
        raise EncodingError(
            f"{where(row)}, attribute {name!r} is {column.values[row]}, not a finite number.",
            "Mend the value, or make it missing (NaN) and choose a missing-value policy.",
        )


def _check_center(value: object, name: str) -> None:
    """Refuse what is neither a bool, a finite number nor "auto"."""
    if isinstance(value, str) and value == "auto":
        return
    if not _is_number(value):
        raise InvalidParameterError(
            f"{_of(name)}center={value!r} is not accepted.", 'Give True, False, a number, or "auto".'
        )


def check_scale(value: object, name: str = "") -> None:
    """Refuse what is not one of the named scales, a positive number, or None."""
    if value is None or (isinstance(value, str) and value in ("auto", "joint", "std")):
        return
    if isinstance(value, bool) or not _is_number(value) or float(value) <= 0:  # type: ignore[arg-type]
        raise InvalidParameterError(
            f"{_of(name)}scale={value!r} is not accepted.",
            'Give "joint", "std", "auto", a positive number, or None.',
        )


def check_weight(weight: object, parameter: str = "weight", name: str = "") -> None:
    """Refuse what is not a number of at least 0."""
    if isinstance(weight, bool) or not _is_number(weight) or float(weight) < 0:  # type: ignore[arg-type]
        raise InvalidParameterError(
            f"{_of(name)}{parameter}={weight!r} is not accepted.", "Give a number of at least 0."
        )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.number) and bool(np.isfinite(value))


def _of(name: str) -> str:
    return f"Attribute {name!r}: " if name else ""


def number_words(center: float, scale: float, weight: float) -> list[str]:
    """Say what was done to numbers."""
    words = [f"centred on {center:.4g}"] if center != 0.0 else []
    words += [f"divided by {scale:.4g}"] if scale != 1.0 else []
    return words + _weight_words(weight)


def _weight_words(weight: float) -> list[str]:
    return [] if weight == 1.0 else [f"weight {weight:.4g}"]


def _listed(categories: tuple[str, ...]) -> str:
    tail = f", ... ({len(categories) - 8} more)" if len(categories) > 8 else ""
    return ", ".join(categories[:8]) + tail


def _or_all_missing(column: Column | None, n_rows: int) -> Column:
    return Column(np.full(n_rows, np.nan)) if column is None else column


__all__ = [
    "Center",
    "Numeric",
    "NumericPart",
    "OneHot",
    "OneHotPart",
    "Policy",
    "PresencePart",
    "SHAPES",
    "Scale",
    "Shape",
    "Where",
    "category_codes",
    "check_finite",
    "check_missing",
    "check_scale",
    "check_weight",
    "number_words",
    "numbers_of",
]
