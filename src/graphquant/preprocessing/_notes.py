"""What an encoder found in new data: missing values, unknown categories, numbers out of range."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from graphquant.graphs import GraphCollection
from graphquant.preprocessing._columns import Counts
from graphquant.preprocessing._source import Side

# A few values outside the range of training are normal in any new data.
_NOTABLE_OUTSIDE = 0.1
_SHOWN_UNKNOWN = 5


@dataclass(frozen=True)
class AttributeNotes:
    """What was found in one attribute.

    Attributes
    ----------
    side : {"node", "edge"}
    name : str
    n_values : int
        Nodes or edges that were encoded.
    n_missing : int
        Those without a value; ``first_missing`` says where the first one is.
    n_unknown : int
        Those with a category that was not in training; ``unknown`` holds the first few labels.
    n_outside : int
        Those with a number outside the range of training, of the ``n_compared`` whose range is known.

    Examples
    --------
    >>> notes = AttributeNotes("node", "x", 10, n_missing=1, first_missing="Graph 0: node 2")
    >>> (notes + notes).n_missing
    2
    """

    side: Side
    name: str
    n_values: int = 0
    n_missing: int = 0
    first_missing: str = ""
    n_unknown: int = 0
    unknown: tuple[str, ...] = ()
    n_outside: int = 0
    n_compared: int = 0

    def __add__(self, other: "AttributeNotes") -> "AttributeNotes":
        if not isinstance(other, AttributeNotes) or (self.side, self.name) != (other.side, other.name):
            return NotImplemented
        return AttributeNotes(
            side=self.side,
            name=self.name,
            n_values=self.n_values + other.n_values,
            n_missing=self.n_missing + other.n_missing,
            first_missing=self.first_missing or other.first_missing,
            n_unknown=self.n_unknown + other.n_unknown,
            unknown=tuple(dict.fromkeys(self.unknown + other.unknown))[:_SHOWN_UNKNOWN],
            n_outside=self.n_outside + other.n_outside,
            n_compared=self.n_compared + other.n_compared,
        )

    @property
    def title(self) -> str:
        """Name of the attribute in messages: ``node attribute 'x'``."""
        return f"{self.side} attribute {self.name!r}"


@dataclass(frozen=True)
class EncodingNotes:
    """What an encoder found in data that it encoded; notes of several blocks add up with ``+``.

    Examples
    --------
    >>> notes = EncodingNotes((AttributeNotes("node", "symbol", 5, n_unknown=2, unknown=("Br",)),))
    >>> (notes + notes).summary()
    ["node attribute 'symbol': 4 of 10 values are categories that training did not have (Br)"]
    """

    attributes: tuple[AttributeNotes, ...] = ()

    def __add__(self, other: "EncodingNotes") -> "EncodingNotes":
        if not isinstance(other, EncodingNotes):
            return NotImplemented
        joined = {(notes.side, notes.name): notes for notes in self.attributes}
        for notes in other.attributes:
            key = (notes.side, notes.name)
            joined[key] = joined[key] + notes if key in joined else notes
        return EncodingNotes(tuple(joined.values()))

    @property
    def n_missing(self) -> int:
        """Number of values that are missing."""
        return sum(notes.n_missing for notes in self.attributes)

    @property
    def n_unknown(self) -> int:
        """Number of values with a category that was not in training."""
        return sum(notes.n_unknown for notes in self.attributes)

    @property
    def n_outside(self) -> int:
        """Number of values outside the range of training."""
        return sum(notes.n_outside for notes in self.attributes)

    @property
    def share_outside(self) -> float:
        """Share of numbers outside the range of training, among those whose range is known."""
        compared = sum(notes.n_compared for notes in self.attributes)
        return self.n_outside / compared if compared else 0.0

    def summary(self, *, missing: bool = True, unknown: bool = True) -> list[str]:
        """Describe the findings, one line for each attribute and kind; empty if there are none."""
        lines = []
        for notes in self.attributes:
            if notes.n_missing and missing:
                lines.append(
                    f"{notes.title}: {notes.n_missing} of {notes.n_values} values are missing "
                    f"(first: {notes.first_missing})"
                )
            if notes.n_unknown and unknown:
                more = ", ..." if len(notes.unknown) == _SHOWN_UNKNOWN else ""
                lines.append(
                    f"{notes.title}: {notes.n_unknown} of {notes.n_values} values are categories that "
                    f"training did not have ({', '.join(notes.unknown)}{more})"
                )
            if notes.n_outside:
                lines.append(
                    f"{notes.title}: {notes.n_outside} of {notes.n_compared} values lie outside the range "
                    "of training"
                )
        return lines

    def notable(self, *, missing: bool, unknown: bool) -> list[str]:
        """Return the lines that deserve a warning: numbers out of range only if they are many."""
        if self.share_outside > _NOTABLE_OUTSIDE:
            return self.summary(missing=missing, unknown=unknown)
        few = EncodingNotes(tuple(replace(notes, n_outside=0) for notes in self.attributes))
        return few.summary(missing=missing, unknown=unknown)


class Encoded(NamedTuple):
    """Encoded graphs, and what the encoder found in them.

    Examples
    --------
    >>> import graphquant as gq
    >>> from graphquant.preprocessing import AttributeEncoder
    >>> letters = gq.datasets.make_letters(1).raw
    >>> encoded = AttributeEncoder().fit(letters[:5]).encode(letters[:5])
    >>> encoded.graphs, encoded.notes.summary()
    (GraphCollection(5 graphs, ...), [])
    """

    graphs: GraphCollection
    notes: EncodingNotes


def noted(side: Side, name: str, counts: Counts, first_missing: str) -> AttributeNotes:
    """Return the notes of one attribute."""
    return AttributeNotes(
        side=side,
        name=name,
        n_values=counts.n_values,
        n_missing=counts.n_missing,
        first_missing=first_missing,
        n_unknown=counts.n_unknown,
        unknown=counts.unknown,
        n_outside=counts.n_outside,
        n_compared=counts.n_compared,
    )


def warn_of_zero() -> None:
    """Tell that zeros for unknown categories are deprecated."""
    warnings.warn(
        'unknown="zero" is deprecated: zeros stand for "no node". Use unknown="other".',
        FutureWarning,
        stacklevel=5,
    )


def what_happens(lines: Sequence[str]) -> str:
    """Say what becomes of the values that the notable lines name."""
    outcome = []
    if any("are missing" in line for line in lines):
        outcome.append('Missing values become the mean of training; missing="error" refuses them.')
    if any("are categories" in line for line in lines):
        outcome.append('Unknown categories count as "other"; unknown="error" refuses them.')
    return " ".join(outcome)


__all__ = ["warn_of_zero", "what_happens", "AttributeNotes", "Encoded", "EncodingNotes", "noted"]
