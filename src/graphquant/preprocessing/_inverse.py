"""From vectors back to attributes: data unchanged, averages to the nearest values, and what was lost."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from graphquant._typing import BoolArray, FloatArray, IntArray
from graphquant.exceptions import EncodingError
from graphquant.graphs import Column, GraphCollection, RawGraphs
from graphquant.preprocessing._choice import INVERSE_PREFIX
from graphquant.preprocessing._columns import Policy
from graphquant.preprocessing._line import NumericPart
from graphquant.preprocessing._one_hot import OTHER, OneHotPart
from graphquant.preprocessing._parts import Part
from graphquant.preprocessing._presence import PresencePart
from graphquant.preprocessing._source import SIDES, Side

# Differences below this are rounding: nothing was lost.
_ROUNDING = 1e-9

Parts = tuple[Part, ...]


class _Amount(NamedTuple):
    """How much of each row is there, and whether that is exact or only a lower bound."""

    values: FloatArray
    exact: bool


def inverse(
    graphs: GraphCollection, parts: Mapping[Side, Parts], policy: Policy, *, unit_norm: bool
) -> RawGraphs:
    """Return the graphs with attributes in place of vectors."""
    whole = graphs.packed()
    vectors = {"node": whole.node_attrs, "edge": whole.edge_attrs}
    offsets = {"node": whole.node_offsets, "edge": whole.edge_offsets}
    for side in SIDES:
        _check_width(side, vectors[side], parts[side])
    if unit_norm:
        factors = _norms(vectors, offsets, parts, policy)
        vectors = {
            side: vectors[side] * np.repeat(factors, np.diff(offsets[side]))[:, None] for side in SIDES
        }
    columns = {side: _columns(vectors[side], parts[side], policy) for side in SIDES}
    return RawGraphs(
        whole.node_offsets,
        whole.edge_offsets,
        whole.edges,
        columns["node"],
        columns["edge"],
        directed=whole.directed,
        groups=whole.groups,
        names=whole.names,
    )


def _check_width(side: Side, vectors: FloatArray, parts: Parts) -> None:
    expected = sum(len(part.channels) for part in parts)
    if vectors.shape[1] != expected:
        raise EncodingError(
            f"The {side}s have {vectors.shape[1]} channels, those of this encoder have {expected}.",
            "Pass graphs that this encoder encoded, or means of them.",
        )


def _columns(vectors: FloatArray, parts: Parts, policy: Policy) -> dict[str, Column]:
    """Decode all attributes of a side, and report what was lost."""
    policy = policy._replace(unknown=OTHER)
    amount = _amount(vectors, parts, policy)
    columns: dict[str, Column] = {}
    lost: dict[str, FloatArray] = {}
    explained = np.empty_like(vectors)
    start = 0
    for part in parts:
        rows = slice(start, start + len(part.channels))
        start = rows.stop
        own = vectors[:, rows]
        column = None
        if isinstance(part, OneHotPart):
            likeliest = part.likeliest(own, policy)
            column = part.column(likeliest.codes)
            if (likeliest.shares < 1.0 - _ROUNDING).any():
                lost[f"share {part.name}"] = likeliest.shares
        elif isinstance(part, NumericPart):
            column = Column(part.decode(_of_what_is_there(own, amount)))
        elif not isinstance(part, PresencePart):
            column = Column(part.decode(own, policy))
        if column is not None:
            columns[part.name] = column
        # Values that were just decoded cannot be unknown or out of place.
        part.encode(column, explained[:, rows], policy._replace(missing=_quietly(policy)), str)
    residual = np.linalg.norm(vectors - explained, axis=1)
    if amount is not None and (np.abs(amount.values - 1.0) > _ROUNDING).any():
        lost["presence"] = np.clip(amount.values, 0.0, 1.0)
    if (residual > _ROUNDING).any():
        lost["residual"] = residual
    return columns | {INVERSE_PREFIX + name: Column(values) for name, values in lost.items()}


def _quietly(policy: Policy) -> str:
    return "mean" if policy.missing == "error" else policy.missing


def _amount(vectors: FloatArray, parts: Parts, policy: Policy) -> _Amount | None:
    """How much of each row is there, by a presence channel, the shares of categories, or norms."""
    found: list[_Amount] = []
    start = 0
    for part in parts:
        stop = start + len(part.channels)
        if not isinstance(part, NumericPart):
            values = part.amount(vectors[:, start:stop])
            if values is not None:
                # Zeros of a missing category look like an absent node; averages on a curve are shorter.
                exact = isinstance(part, PresencePart) or (
                    isinstance(part, OneHotPart) and policy.missing != "zero"
                )
                found.append(_Amount(values, exact))
        start = stop
    if not found:
        return None
    # None of them exceeds what is there.
    return _Amount(np.max([amount.values for amount in found], axis=0), any(a.exact for a in found))


def _of_what_is_there(vectors: FloatArray, amount: _Amount | None) -> FloatArray:
    """Divide averages that include absent nodes, which are zero, by the share of nodes that are there."""
    if amount is None or not amount.exact:
        return vectors
    partly = (amount.values > _ROUNDING) & (amount.values < 1.0 - _ROUNDING)
    if not partly.any():
        return vectors
    return vectors / np.where(partly, amount.values, 1.0)[:, None]


def _norms(
    vectors: Mapping[str, FloatArray],
    offsets: Mapping[str, IntArray],
    parts: Mapping[Side, Parts],
    policy: Policy,
) -> FloatArray:
    """Norm of each graph before scaling: the norm of a whole node or edge, over its norm now."""
    n_graphs = len(offsets["node"]) - 1
    factors = np.ones(n_graphs)
    open_ones: BoolArray = np.ones(n_graphs, dtype=np.bool_)
    for side in SIDES:
        for amount in (_amount(vectors[side], parts[side], policy), _constants(vectors[side], parts[side])):
            if amount is None:
                continue
            graph = np.repeat(np.arange(n_graphs), np.diff(offsets[side]))
            most = np.zeros(n_graphs)
            np.maximum.at(most, graph, amount.values)
            found = open_ones & (most > 0.0)
            factors[found] = 1.0 / most[found]
            open_ones &= ~found
    return factors


def _constants(vectors: FloatArray, parts: Parts) -> _Amount | None:
    """Return the amounts by an attribute that was constant in training."""
    start = 0
    for part in parts:
        if isinstance(part, NumericPart) and part.always_on:
            return _Amount(part.constant_amount(vectors[:, start : start + 1]), exact=False)
        start += len(part.channels)
    return None


__all__ = ["inverse"]
