"""Graphs as vectors with everything that belongs to them: classes, names, the encoder, the raw attributes."""

import html
import importlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from graphquant._typing import AnyArray, IntArray
from graphquant._validation import import_optional
from graphquant.exceptions import InvalidGraphError, InvalidParameterError
from graphquant.graphs import Graph, GraphCollection, RawGraphs
from graphquant.graphs.checks import plural
from graphquant.graphs.collection import chosen_numbers
from graphquant.io.base import Skipped

if TYPE_CHECKING:
    import pandas as pd

    from graphquant.preprocessing import GraphEncoder

# Maximum number of graphs that a notebook shows.
_DRAWN = 12


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
    repaired : tuple of str
        What the reader repaired, one line per repair.
    columns : mapping of str to sequence, optional
        What else is known about each graph, such as its SMILES or an identifier; stays with the graphs.

    Notes
    -----
    ``dataset[3]`` is a graph; a slice, a mask or a list of numbers returns a data set, so that
    ``train_test_split`` and cross-validation can split it. Parts keep the encoder of the whole.

    Examples
    --------
    >>> import graphquant as gq
    >>> gq.Dataset(gq.GraphCollection([gq.Graph([1.0]), gq.Graph([2.0])]), np.array([0, 1]), ("dot", "spot"))
    Dataset(2 graphs in 2 classes: dot 1, spot 1; on average 1.0 nodes and 0.0 edges)
    >>> letters = gq.datasets.make_letters(2)
    >>> letters[:4].names, letters[0]
    (('A0000', 'A0001', 'E0000', 'E0001'), Graph(5 nodes x 8 attributes, 3 edges x 1 attribute))
    """

    graphs: GraphCollection
    targets: IntArray | None = None
    target_names: tuple[str, ...] = ()
    encoder: "GraphEncoder | None" = None
    description: str = ""
    raw: RawGraphs | None = field(default=None, repr=False)
    skipped: tuple[Skipped, ...] = ()
    repaired: tuple[str, ...] = ()
    columns: Mapping[str, Sequence[Any]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", _checked_columns(self.columns, len(self.graphs)))
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
                "Use class numbers that start at 0, and name each class.",
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

    @property
    def shape(self) -> tuple[int]:
        """Number of graphs, for libraries that split data sets like arrays."""
        return (len(self),)

    def __len__(self) -> int:
        return len(self.graphs)

    def __iter__(self) -> Iterator[Graph]:
        return iter(self.graphs)

    @overload
    def __getitem__(self, index: int) -> Graph: ...
    @overload
    def __getitem__(self, index: slice | Sequence[int] | AnyArray | tuple[Any, Any]) -> "Dataset": ...
    def __getitem__(self, index: Any) -> "Graph | Dataset":
        if isinstance(index, tuple) and len(index) == 2 and index[1] is Ellipsis:
            index = index[0]  # how scikit-learn selects rows
        if isinstance(index, int | np.integer):
            return self.graphs[int(index)]
        if isinstance(index, slice):
            chosen = np.arange(len(self))[index]
        else:
            chosen = np.atleast_1d(chosen_numbers(index, len(self)))
        return Dataset(
            graphs=self.graphs[index] if isinstance(index, slice) else self.graphs[chosen],
            targets=None if self.targets is None else self.targets[chosen],
            target_names=self.target_names,
            encoder=self.encoder,
            description=self.description,
            raw=None if self.raw is None else self.raw[chosen],
            columns={name: [values[i] for i in chosen] for name, values in self.columns.items()},
        )

    @classmethod
    def concatenate(cls, parts: "Sequence[Dataset]") -> "Dataset":
        """Join data sets; if their encoders differ, raw graphs are encoded like those of the first.

        Classes are joined by name. Columns that a part lacks are None there.

        Raises
        ------
        SchemaError
            If vectors differ in their channels, and there are no raw graphs to encode.

        Examples
        --------
        >>> import graphquant as gq
        >>> letters = gq.datasets.make_letters(2)
        >>> len(gq.Dataset.concatenate([letters[:3], letters[10:]]))
        23
        """
        if not parts:
            raise InvalidGraphError("Nothing to join.", "Pass at least one data set.")
        first = parts[0]
        graphs = [first.graphs, *(_like(first, part) for part in parts[1:])]
        raws = [part.raw for part in parts if part.raw is not None]
        targets, target_names = _joined_targets(parts)
        return Dataset(
            graphs=GraphCollection.concatenate(graphs),
            targets=targets,
            target_names=target_names,
            encoder=first.encoder,
            description="; ".join(dict.fromkeys(part.description for part in parts if part.description)),
            raw=RawGraphs.concatenate(raws) if len(raws) == len(parts) else None,
            skipped=tuple(item for part in parts for item in part.skipped),
            repaired=tuple(line for part in parts for line in part.repaired),
            columns=_joined_columns(parts),
        )

    def __add__(self, other: "Dataset") -> "Dataset":
        if not isinstance(other, Dataset):
            return NotImplemented
        return Dataset.concatenate([self, other])

    def to_pandas(self) -> "pd.DataFrame":
        """Return a frame with one row per graph: name, class, size, and the columns of the data set.

        Needs pandas. The graphs themselves are in ``dataset.graphs``, in the same order.
        """
        pandas = import_optional("pandas", "frame", "Dataset.to_pandas")
        frame: dict[str, Any] = {} if self.names is None else {"name": list(self.names)}
        if self.labels is not None:
            frame["class"] = list(self.labels)
        frame |= {"n_nodes": self.graphs.orders, "n_edges": self.graphs.n_edges}
        frame |= {name: list(values) for name, values in self.columns.items() if name not in frame}
        table: pd.DataFrame = pandas.DataFrame(frame)
        return table

    def _repr_html_(self) -> str:
        """Return the first graphs as drawings, for notebooks."""
        # Drawings belong to a higher layer, which is loaded only when a notebook asks for one.
        drawing = importlib.import_module("graphquant.plotting").codebook_svg
        shown = drawing(self.graphs[:_DRAWN], encoder=self.encoder, labels=self._captions())
        more = f"<p>... and {len(self) - _DRAWN} more</p>" if len(self) > _DRAWN else ""
        return f"<p>{html.escape(repr(self))}</p>{shown}{more}"

    def _captions(self) -> list[str]:
        """Return the captions of the first graphs: names, else classes, else numbers."""
        known = self.names or self.labels or tuple(str(i) for i in range(min(len(self), _DRAWN)))
        return list(known[:_DRAWN])

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


def _checked_columns(columns: Mapping[str, Sequence[Any]], n_graphs: int) -> dict[str, tuple[Any, ...]]:
    checked = {str(name): tuple(values) for name, values in columns.items()}
    for name, values in checked.items():
        if len(values) != n_graphs:
            raise InvalidParameterError(
                f"Column {name!r} has {plural(len(values), 'value')} for {plural(n_graphs, 'graph')}.",
                "Give one value for each graph.",
            )
    return checked


def _like(first: Dataset, part: Dataset) -> GraphCollection:
    """Return the graphs of a part, encoded like those of the first."""
    from graphquant.preprocessing.vectors import vectors_like

    encoder = first.encoder or getattr(first.graphs.schema, "encoder", None)
    return vectors_like(part, first.graphs.schema, encoder, "the first data set")


def _joined_targets(parts: Sequence[Dataset]) -> tuple[IntArray | None, tuple[str, ...]]:
    if all(part.targets is None for part in parts):
        return None, ()
    without = next((i for i, part in enumerate(parts) if part.targets is None), None)
    if without is not None:
        raise InvalidGraphError(
            f"Data set {without} has no classes, unlike others.",
            "Join data sets that all have classes, or that all have none.",
        )
    names = tuple(dict.fromkeys(name for part in parts for name in part.target_names))
    number = {name: i for i, name in enumerate(names)}
    numbers = [[number[label] for label in part.labels or ()] for part in parts]
    return np.array([i for found in numbers for i in found], dtype=np.int64), names


def _joined_columns(parts: Sequence[Dataset]) -> dict[str, list[Any]]:
    names = dict.fromkeys(name for part in parts for name in part.columns)
    return {
        name: [value for part in parts for value in part.columns.get(name, (None,) * len(part))]
        for name in names
    }


__all__ = ["Dataset"]
