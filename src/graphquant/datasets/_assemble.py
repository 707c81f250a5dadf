"""Data sets from files, and from graphs in any form."""

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from graphquant._typing import IntArray
from graphquant.datasets._dataset import Dataset
from graphquant.exceptions import EncodingError, GraphQuantWarning, InvalidParameterError
from graphquant.graphs import RawGraphs
from graphquant.io.base import FileContent, Skipped

if TYPE_CHECKING:
    from graphquant.preprocessing import GraphEncoder

# Maximum number of skipped graphs in the warning; Dataset.skipped lists all.
_SHOWN_SKIPPED = 3


def dataset_from_content(content: FileContent, encoder: "GraphEncoder | Literal['auto']" = "auto") -> Dataset:
    """Make a data set of what a file holds: vectors as they are, raw attributes encoded.

    Parameters
    ----------
    content : FileContent
    encoder : AttributeEncoder or "auto", default="auto"
        For raw attributes: ``"auto"`` fits a fresh ``AttributeEncoder()`` (for molecules
        ``MoleculeEncoder()``), an unfitted encoder is cloned and fitted, a fitted one only transforms.
        Vectors need none; an encoder is accepted for them only if it is the very one that made them.
    """
    if content.skipped:
        _warn_skipped(content.skipped)
    raw: RawGraphs | None = None
    fitted: GraphEncoder | None
    if isinstance(content.graphs, RawGraphs):
        raw = content.graphs
        fitted = _fitted_encoder(encoder, raw)
        graphs = fitted.transform(raw)
    else:
        from graphquant.preprocessing.restore import made_by

        fitted = _stored_encoder(content, encoder)
        graphs = made_by(content.graphs, fitted)
    targets, target_names = number_classes(content.targets)
    return Dataset(
        graphs=graphs,
        targets=targets,
        target_names=target_names,
        encoder=fitted,
        description=content.description,
        raw=raw,
        skipped=content.skipped,
        repaired=tuple(content.metadata.get("repaired", ())),
        columns=getattr(content, "columns", {}),
    )


def number_classes(labels: Sequence[str] | None) -> tuple[IntArray | None, tuple[str, ...]]:
    """Assign numbers to class names, in sorted order; whole numbers are sorted as numbers.

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


def _fitted_encoder(encoder: "GraphEncoder | str", raw: RawGraphs) -> "GraphEncoder":
    from graphquant.preprocessing import GraphEncoder
    from graphquant.preprocessing.molecules import automatic_encoder

    if isinstance(encoder, GraphEncoder):
        if encoder.is_fitted:
            return encoder
        return encoder.unfitted().fit(raw)
    if encoder != "auto":
        raise InvalidParameterError(
            f"encoder={encoder!r} is not accepted.", 'Give an AttributeEncoder, or "auto" for a new one.'
        )
    return automatic_encoder(raw).fit(raw)


def _stored_encoder(content: FileContent, encoder: "GraphEncoder | str") -> "GraphEncoder | None":
    """Restore the encoder that made the vectors of a file; a given one must be the same."""
    from graphquant.preprocessing import GraphEncoder
    from graphquant.preprocessing.restore import restore_encoder

    restored = restore_encoder(content.metadata.get("encoder"))
    if isinstance(encoder, str) and encoder == "auto":
        return restored
    same = (
        restored is not None
        and isinstance(encoder, GraphEncoder)
        and encoder.is_fitted
        and encoder.to_json() == restored.to_json()
    )
    if not same:
        raise EncodingError(
            "The file contains vectors, which are used unchanged; encoder= is for raw attributes.",
            "Omit encoder, or pass the graphs to encoder.fit_transform yourself.",
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


__all__ = ["dataset_from_content", "number_classes"]
