"""Codebooks as files: Parquet with parameters and provenance as JSON. Nothing in a file is ever executed."""

import dataclasses
import datetime
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from graphquant._version import __version__
from graphquant.bounds import check_order, check_range
from graphquant.exceptions import FileFormatError
from graphquant.graphs import GraphCollection
from graphquant.io import FileContent, parquet
from graphquant.learning.clusters import MEDOID, MEMBERS, Clusters
from graphquant.learning.estimator import GraphQuantizer
from graphquant.learning.history import History, cycle_from_record
from graphquant.matching import (
    AutoMatcher,
    ExactMatcher,
    FrankWolfe,
    GraduatedAssignment,
    Matcher,
    MatcherLike,
)
from graphquant.preprocessing import GraphEncoder
from graphquant.preprocessing.restore import made_by, restore_encoder

_VERSION = 1
_SUFFIXES = (".parquet", ".pq")
_KEY = "quantizer"
_CLASSES: dict[str, type[Matcher]] = {
    cls.__name__: cls for cls in (AutoMatcher, ExactMatcher, FrankWolfe, GraduatedAssignment)
}
# Parameters that belong to a machine or a moment, not to the codebook.
_LEFT_OUT = ("executor", "checkpoint", "progress", "n_jobs")
_COUNTS = (
    "distortion_",
    "n_matchings_",
    "n_init_matchings_",
    "n_shift_matchings_",
    "n_encode_matchings_",
    "order_",
)


def save(quantizer: GraphQuantizer, path: Path) -> None:
    """Write a fitted quantizer."""
    if path.suffix.lower() not in _SUFFIXES:
        raise FileFormatError(
            f"{path}: codebooks are Parquet files.", f"Name it {path.with_suffix('.parquet')}."
        )
    encoder = quantizer.encoder_
    content = {
        "version": _VERSION,
        "graphquant": __version__,
        "saved": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "parameters": _parameters_to_json(quantizer),
        "fitted": {name: getattr(quantizer, name) for name in _COUNTS},
        "wins": quantizer._wins.tolist(),
        "history": quantizer.history_.to_records(),
    }
    clusters = quantizer._clusters
    columns = {}
    if clusters is not None:
        content["clusters"], columns = clusters.to_json(), clusters.to_columns()
    metadata = {_KEY: content} | ({} if encoder is None else {"encoder": encoder.to_json()})
    described = "codebook of a GraphQuantizer"
    parquet.write(FileContent(quantizer.codebook_, None, metadata, described, columns=columns), path)


def load(path: str | Path, *, matcher: MatcherLike | None = None) -> GraphQuantizer:
    """Read a codebook that :meth:`GraphQuantizer.save` wrote, ready to predict.

    Parameters
    ----------
    path : path
    matcher : str or Matcher, optional
        Replaces the saved one; needed if that was a user-defined class.

    Returns
    -------
    GraphQuantizer
        Fitted, except what belongs to the training graphs: ``labels_`` and ``encoding_``.

    Raises
    ------
    FileFormatError
        If the file is damaged, is not a codebook, or comes from a newer version.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import graphquant as gq
    >>> q = gq.GraphQuantizer(2, random_state=0).fit([gq.Graph([float(value)]) for value in range(4)])
    >>> with TemporaryDirectory() as folder:
    ...     q.save(f"{folder}/codebook.parquet")
    ...     again = gq.load(f"{folder}/codebook.parquet")
    >>> again.codebook_ == q.codebook_
    True
    """
    file = parquet.read(Path(path))
    content = file.metadata.get(_KEY)
    if not isinstance(content, Mapping) or not isinstance(file.graphs, GraphCollection):
        raise FileFormatError(
            f"{path}: a collection of graphs, but not a codebook.",
            "Name a file that GraphQuantizer.save wrote.",
        )
    version = content.get("version")
    if isinstance(version, int) and version > _VERSION:
        raise FileFormatError(
            f"{path}: a codebook of version {version}; this graphquant reads up to {_VERSION}.",
            "Update graphquant.",
        )
    try:
        if not isinstance(version, int):
            raise TypeError(f"version {version!r}")
        parameters = dict(content["parameters"])
        parameters["matcher"] = _matcher_from_json(parameters["matcher"], matcher, path)
        if isinstance(parameters["learning_rate"], list):
            parameters["learning_rate"] = tuple(parameters["learning_rate"])
        if isinstance(parameters.get("encoder"), dict):
            parameters["encoder"] = restore_encoder(parameters["encoder"])
        quantizer = GraphQuantizer(**parameters)
        for name in _COUNTS:
            setattr(quantizer, name, _count(name, content["fitted"][name]))
        quantizer._wins = np.array([_count("wins", won) for won in content["wins"]], dtype=np.int64)
        _check_sizes(quantizer, file.graphs)
        check_range(file.graphs)
        quantizer.history_ = History([cycle_from_record(cycle) for cycle in content["history"]])
        quantizer.encoder_ = restore_encoder(file.metadata.get("encoder"))
        quantizer.codebook_ = made_by(file.graphs, quantizer.encoder_)
        quantizer._set_clusters(_clusters(content.get("clusters"), quantizer.codebook_, Path(path)))
    except (KeyError, TypeError, ValueError, OverflowError) as err:
        if isinstance(err, FileFormatError):
            raise
        raise FileFormatError(
            f"{path}: the metadata of the codebook are damaged ({type(err).__name__}: {err}).",
            "Save the codebook again.",
        ) from err
    quantizer.n_cycles_ = len(quantizer.history_)
    quantizer._set_channels()
    quantizer._rng = np.random.default_rng()
    return quantizer


def _count(name: str, value: Any) -> Any:
    """Return a number that was saved, refusing what no fit has."""
    kind = (int, float) if name == "distortion_" else int
    if not isinstance(value, kind) or isinstance(value, bool) or not 0 <= value < math.inf:
        raise ValueError(f"{name} is {value!r}")
    return value


def _check_sizes(quantizer: GraphQuantizer, codebook: GraphCollection) -> None:
    """Refuse numbers that cannot belong to the codebook."""
    if quantizer.n_codes != len(codebook):
        raise ValueError(f"n_codes={quantizer.n_codes!r}, but there are {len(codebook)} code graphs")
    if quantizer._wins.shape != (len(codebook),):
        raise ValueError(f"wins of {len(quantizer._wins)} code graphs, but there are {len(codebook)}")
    if not isinstance(quantizer.order_, int) or quantizer.order_ < codebook.max_order:
        raise ValueError(f"order {quantizer.order_!r} of code graphs with {codebook.max_order} nodes")
    check_order(max(quantizer.order_, 1))


def _clusters(saved: Any, codebook: GraphCollection, path: Path) -> Clusters | None:
    """Return what a file keeps of the training graphs; those of version 1.0 keep nothing."""
    if saved is None:
        return None
    columns = parquet.read(path, columns=[f"about:{name}" for name in (MEDOID, MEMBERS)]).columns
    return Clusters.from_file(saved, columns, codebook)


def _parameters_to_json(quantizer: GraphQuantizer) -> dict[str, Any]:
    params = {
        name: value for name, value in quantizer.get_params(deep=False).items() if name not in _LEFT_OUT
    }
    # The parameter may have changed since; the file describes the codebook in it.
    params["n_codes"] = len(quantizer.codebook_)
    params["matcher"] = _matcher_to_json(params["matcher"])
    if isinstance(params["encoder"], GraphEncoder):
        params["encoder"] = params["encoder"].to_json()
    if not isinstance(params["init"], str):
        params["init"] = "auto"
    if callable(params["learning_rate"]):
        # A function cannot be saved without executing something on load; its name says what it was.
        params["learning_rate"] = "auto"
    if not isinstance(params["random_state"], int | None):
        params["random_state"] = None
    return params


def _matcher_to_json(matcher: MatcherLike) -> Any:
    if isinstance(matcher, str):
        return matcher
    if type(matcher).__name__ in _CLASSES:
        parameters = {field.name: getattr(matcher, field.name) for field in dataclasses.fields(matcher)}  # type: ignore[arg-type]
        return {"name": type(matcher).__name__, "parameters": parameters}
    return {"name": f"{type(matcher).__module__}.{type(matcher).__qualname__}", "parameters": None}


def _matcher_from_json(saved: Any, given: MatcherLike | None, path: str | Path) -> MatcherLike:
    if given is not None:
        return given
    if isinstance(saved, str):
        return saved
    if saved["parameters"] is None or saved["name"] not in _CLASSES:
        raise FileFormatError(
            f"{path}: learnt with the matcher {saved['name']}, which is not part of graphquant.",
            "Pass it: gq.load(path, matcher=...).",
        )
    return _CLASSES[saved["name"]](**saved["parameters"])


__all__ = ["load", "save"]
