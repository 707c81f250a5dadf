"""Graphs as vectors with what belongs to them: classes, names, the encoder, the raw attributes."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from graphquant._typing import IntArray
from graphquant.exceptions import EncodingError, GraphQuantWarning, InvalidGraphError, InvalidParameterError
from graphquant.graphs import GraphCollection, RawGraphs
from graphquant.graphs._checks import plural
from graphquant.io._base import FileContent, Skipped

if TYPE_CHECKING:
    from graphquant.preprocessing import AttributeEncoder

# How many skipped graphs the warning names; Dataset.skipped lists them all.
_SHOWN_SKIPPED = 3


@dataclass(frozen=True, eq=False)
class Dataset:
    """A collection of graphs with their classes and the encoder that made their vectors.

    Parameters
    ----------
    graphs : GraphCollection
        The graphs, with attribute vectors.
    targets : array of int of shape (n_graphs,), optional
        Class of each graph, as an index into ``target_names``.
    target_names : tuple of str
        Names of the classes.
    encoder : AttributeEncoder, optional
        The fitted encoder that turned the raw attributes into vectors.
    description : str
        Where the graphs come from.
    raw : RawGraphs, optional
        The same graphs with their named attributes, if the source had names.
    skipped : tuple of Skipped
        Graphs that were left out by ``on_error="skip"``, each with ``name`` and ``reason``.

    Examples
    --------
    >>> import graphquant as gq
    >>> gq.Dataset(gq.GraphCollection([gq.Graph([1.0]), gq.Graph([2.0])]), np.array([0, 1]), ("dot", "spot"))
    Dataset(2 graphs in 2 classes: dot 1, spot 1; on average 1.0 nodes and 0.0 edges)
    """

    graphs: GraphCollection
    targets: IntArray | None = None
    target_names: tuple[str, ...] = ()
    encoder: "AttributeEncoder | None" = None
    description: str = ""
    raw: RawGraphs | None = field(default=None, repr=False)
    skipped: tuple[Skipped, ...] = ()

    def __post_init__(self) -> None:
        if self.targets is None:
            return
        targets = np.array(self.targets, dtype=np.int64)
        if targets.shape != (len(self.graphs),):
            raise InvalidGraphError(
                f"targets has shape {targets.shape} for {len(self.graphs)} graphs.",
                "Give one class number for each graph.",
            )
        if targets.size and (targets.min() < 0 or targets.max() >= len(self.target_names)):
            raise InvalidGraphError(
                f"targets holds numbers from {targets.min()} to {targets.max()}, "
                f"but there are {len(self.target_names)} target_names.",
                "Number the classes from 0, and name each of them.",
            )
        targets.setflags(write=False)
        object.__setattr__(self, "targets", targets)

    @property
    def names(self) -> tuple[str, ...] | None:
        """Names of the graphs, if they have any."""
        return self.graphs.names

    @property
    def labels(self) -> tuple[str, ...] | None:
        """Class name of each graph, or None without classes."""
        return None if self.targets is None else tuple(self.target_names[i] for i in self.targets)

    @property
    def class_counts(self) -> dict[str, int]:
        """Number of graphs in each class; empty without classes."""
        if self.targets is None:
            return {}
        counts = np.bincount(self.targets, minlength=len(self.target_names))
        return dict(zip(self.target_names, counts.tolist(), strict=True))

    def __len__(self) -> int:
        return len(self.graphs)

    def __repr__(self) -> str:
        classes = "without classes"
        if self.targets is not None:
            shown = [f"{name} {count}" for name, count in self.class_counts.items()]
            tail = ", ..." if len(shown) > 6 else ""
            noun = "class" if len(shown) == 1 else "classes"
            classes = f"in {len(shown)} {noun}: {', '.join(shown[:6])}{tail}"
        size = "no graph"
        if len(self):
            size = (
                f"on average {self.graphs.orders.mean():.1f} nodes and {self.graphs.n_edges.mean():.1f} edges"
            )
        skipped = f"; {len(self.skipped)} skipped" if self.skipped else ""
        return f"Dataset({plural(len(self), 'graph')} {classes}; {size}{skipped})"


def dataset_from_content(
    content: FileContent, encoder: "AttributeEncoder | Literal['auto']" = "auto"
) -> Dataset:
    """Make a data set of what a file holds: vectors as they are, raw attributes encoded.

    Parameters
    ----------
    content : FileContent
    encoder : AttributeEncoder or "auto", default="auto"
        For raw attributes: ``"auto"`` fits a fresh ``AttributeEncoder()``, an unfitted encoder is
        cloned and fitted, a fitted one only transforms. Vectors need none; an encoder is accepted
        for them only if it is the very one that made them.
    """
    if content.skipped:
        _warn_skipped(content.skipped)
    raw: RawGraphs | None = None
    fitted: AttributeEncoder | None
    if isinstance(content.graphs, RawGraphs):
        raw = content.graphs
        fitted = _fitted_encoder(encoder, raw)
        graphs = fitted.transform(raw)
    else:
        from graphquant.preprocessing.restore import made_by

        fitted = _stored_encoder(content, encoder)
        graphs = made_by(content.graphs, fitted)
    targets, target_names = number_classes(content.targets)
    return Dataset(graphs, targets, target_names, fitted, content.description, raw, content.skipped)


def number_classes(labels: Sequence[str] | None) -> tuple[IntArray | None, tuple[str, ...]]:
    """Give numbers to class names, in sorted order; whole numbers are sorted as numbers.

    Examples
    --------
    >>> targets, names = number_classes(["10", "9", "10"])
    >>> targets.tolist(), names
    ([1, 0, 1], ('9', '10'))
    """
    if labels is None:
        return None, ()
    distinct = set(labels)
    if all(name.lstrip("-").isdecimal() for name in distinct):
        names = tuple(sorted(distinct, key=lambda name: (int(name), name)))
    else:
        names = tuple(sorted(distinct))
    number = {name: i for i, name in enumerate(names)}
    return np.array([number[label] for label in labels], dtype=np.int64), names


def _fitted_encoder(encoder: "AttributeEncoder | str", raw: RawGraphs) -> "AttributeEncoder":
    from sklearn.base import clone

    from graphquant.preprocessing import AttributeEncoder

    if isinstance(encoder, AttributeEncoder):
        if encoder.is_fitted:
            return encoder
        fresh: AttributeEncoder = clone(encoder)
        return fresh.fit(raw)
    if encoder != "auto":
        raise InvalidParameterError(
            f"encoder={encoder!r} is not accepted.", 'Give an AttributeEncoder, or "auto" for a fresh one.'
        )
    return AttributeEncoder().fit(raw)


def _stored_encoder(content: FileContent, encoder: "AttributeEncoder | str") -> "AttributeEncoder | None":
    """Restore the encoder that made the vectors of a file; a given one must be the same."""
    from graphquant.preprocessing import AttributeEncoder
    from graphquant.preprocessing.restore import restore_encoder

    restored = restore_encoder(content.metadata.get("encoder"))
    if isinstance(encoder, str) and encoder == "auto":
        return restored
    same = (
        restored is not None
        and isinstance(encoder, AttributeEncoder)
        and encoder.is_fitted
        and encoder.to_json() == restored.to_json()
    )
    if not same:
        raise EncodingError(
            "The file holds vectors, which are taken as they are; encoder= is for raw attributes.",
            "Leave encoder out, or pass the graphs to encoder.fit_transform yourself.",
        )
    return restored


def _warn_skipped(skipped: tuple[Skipped, ...]) -> None:
    shown = "; ".join(f"{item.name}: {item.reason}" for item in skipped[:_SHOWN_SKIPPED])
    more = f"; and {len(skipped) - _SHOWN_SKIPPED} more" if len(skipped) > _SHOWN_SKIPPED else ""
    noun = "graph was" if len(skipped) == 1 else "graphs were"
    warnings.warn(
        f"{len(skipped)} {noun} skipped ({shown}{more}). Dataset.skipped lists all.",
        GraphQuantWarning,
        stacklevel=4,
    )


__all__ = ["Dataset", "dataset_from_content", "number_classes"]
