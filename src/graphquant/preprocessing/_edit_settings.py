"""What users say of edit costs: attributes, numbers for all or by name, tables; and the same as JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from graphquant.exceptions import EncodingError, InvalidParameterError
from graphquant.graphs import Column
from graphquant.preprocessing._edit_model import (
    LabelCosts,
    NumberCosts,
    SideCosts,
    check_cost,
    named_costs,
    read_table,
)
from graphquant.preprocessing._source import Side, Source
from graphquant.preprocessing._specs import Numeric

Spec = str | Numeric
Attributes = Spec | Sequence[Spec]

_DEFAULT = "label"
# What readers call the label of a node and of an edge.
_USUAL: Mapping[Side, tuple[str, ...]] = {"node": ("label", "symbol"), "edge": ("label", "bond")}


def attributes_of(
    given: Any, columns: Mapping[str, Column], side: Side, *, has_table: bool
) -> tuple[Spec, ...]:
    """Return the attributes to use; ``"label"`` stands for what is there, and a table needs something."""
    if isinstance(given, str) and given == _DEFAULT:
        return _usual_label(columns, side) or ((_DEFAULT,) if has_table else ())
    specs = (given,) if isinstance(given, str | Numeric) else given
    is_list = isinstance(specs, Sequence) and all(isinstance(spec, str | Numeric) for spec in specs)
    if not is_list:
        raise InvalidParameterError(
            f"{side}={given!r} does not name attributes.",
            'Give a name, Numeric("x"), or a list of them; an empty list for none.',
        )
    names = [spec if isinstance(spec, str) else spec.name for spec in specs]
    if len(set(names)) < len(names):
        raise InvalidParameterError(f"{side}={names!r} has an attribute twice.", "Give each name once.")
    return tuple(specs)


def _usual_label(columns: Mapping[str, Column], side: Side) -> tuple[Spec, ...]:
    for name in _USUAL[side]:
        if name in columns:
            return (name,)
    if len(columns) > 1:
        raise EncodingError(
            f"Which {side} attribute is the label? There are {', '.join(map(repr, columns))}.",
            f"Name it: EditCosts({side}={next(iter(columns))!r}), several as a list, none as an empty one.",
        )
    for name, column in columns.items():
        values = column.values[~column.missing]
        if column.is_numeric and (values != np.round(values)).any():
            example = values[values != np.round(values)][0]
            raise EncodingError(
                f"The {side} attribute {name!r} has numbers such as {example:g}: is it a label?",
                f"Say how it counts: EditCosts({side}=Numeric({name!r})) for squared differences, "
                f"{side}=[{name!r}] for equal or not, {side}=[] to leave it out.",
            )
        return (name,)
    return ()


def side_costs(
    side: Side, specs: Sequence[Spec], params: Mapping[str, Any], source: Source | None
) -> SideCosts:
    """Return the costs of one side; centres and scales of numbers that are to be learnt need a source."""
    names = [spec for spec in specs if isinstance(spec, str)]
    numbers = tuple(_number(spec, side, source) for spec in specs if not isinstance(spec, str))
    substitution, indel, table = (params[f"{side}_{what}"] for what in ("substitution", "indel", "table"))
    if table is not None and not isinstance(table, Mapping):
        raise InvalidParameterError(
            f"{side}_table={table!r} is not a table.", 'Give a dict, such as {("C", "N"): 0.7}.'
        )
    if not names:
        if table:
            raise InvalidParameterError(f"{side}_table has no labels to price.", f"Name one: {side}=[...].")
        check_cost(indel, f"{side}_indel")
        return SideCosts((), numbers, float(indel), is_clamped=side == "edge")
    changes = named_costs(substitution, names, f"{side}_substitution")
    removals = named_costs(indel, names, f"{side}_indel")
    tables = _tables(table or {}, names, side)
    if tables is None:
        joint = read_table(table, len(names), f"{side}_table")
        parts: tuple[LabelCosts, ...] = (
            LabelCosts(tuple(names), sum(changes.values()), sum(removals.values()), joint),
        )
    else:
        parts = tuple(LabelCosts((name,), changes[name], removals[name], tables[name]) for name in names)
    return SideCosts(parts, numbers, is_clamped=side == "edge")


def _tables(table: Mapping[Any, Any], names: Sequence[str], side: Side) -> dict[str, Any] | None:
    """Return a table for each attribute; None if there is one for the labels of all together."""
    if any(isinstance(key, str) for key in table):
        unknown = [key for key in table if key not in names]
        if unknown:
            raise InvalidParameterError(
                f"{side}_table has {unknown[0]!r}, which is not among the attributes {', '.join(names)}.",
                "Give tables by the names of attributes, or one table of pairs of labels.",
            )
        return {name: read_table(table.get(name), 1, f"{side}_table[{name!r}]") for name in names}
    if len(names) > 1 and table:
        return None
    return {name: read_table(table, 1, f"{side}_table") for name in names}


def _number(spec: Numeric, side: Side, source: Source | None) -> NumberCosts:
    if spec.numeric not in ("auto", "line") or spec.scale == "joint":
        raise InvalidParameterError(
            f"{spec!r}: edit costs are squared differences of numbers.",
            'Leave numeric out, and give scale as a number, "std" or None.',
        )
    # A centre of 1.0 equals True.
    center = 0.0 if isinstance(spec.center, bool | str) else float(spec.center)
    scale = 1.0 if spec.scale in ("auto", "std", None) else float(spec.scale)
    if (
        source is not None
        and (spec.center is True or spec.scale == "std")
        and spec.name in source.columns[side]
    ):
        values = source.columns[side][spec.name].values.astype(np.float64)
        if len(values):
            center = float(values.mean()) if spec.center is True else center
            spread = float(values.std())
            scale = spread if spec.scale == "std" and spread > 0.0 else scale
    return NumberCosts(spec.name, (spec.weight / scale) ** 2, center)


def attributes_to_json(specs: Any) -> Any:
    """Return names and numbers as plain values."""
    if isinstance(specs, str):
        return specs
    if isinstance(specs, Numeric):
        return {"kind": "numeric", **asdict(specs)}
    return [attributes_to_json(spec) for spec in specs]


def attributes_from_json(saved: Any) -> Any:
    """Restore what :func:`attributes_to_json` returned."""
    if isinstance(saved, str):
        return saved
    if isinstance(saved, Mapping):
        return Numeric(**{name: value for name, value in saved.items() if name != "kind"})
    return tuple(attributes_from_json(spec) for spec in saved)


def params_to_json(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters as plain values: tables become lists of pairs with their costs."""
    saved = dict(params)
    for side in ("node", "edge"):
        saved[side] = attributes_to_json(params[side])
        saved[f"{side}_table"] = _table_to_json(params[f"{side}_table"])
        for what in ("substitution", "indel"):
            value = params[f"{side}_{what}"]
            saved[f"{side}_{what}"] = dict(value) if isinstance(value, Mapping) else value
    return saved


def params_from_json(saved: Mapping[str, Any]) -> dict[str, Any]:
    """Restore what :func:`params_to_json` returned; lists in place of tuples are taken, too."""
    params = dict(saved)
    for side in ("node", "edge"):
        if side in params:
            params[side] = attributes_from_json(params[side])
        if params.get(f"{side}_table") is not None:
            params[f"{side}_table"] = _table_from_json(params[f"{side}_table"])
    return params


def _table_to_json(table: Any) -> Any:
    if table is None:
        return None
    if any(isinstance(key, str) for key in table):
        return {name: _table_to_json(part) for name, part in table.items()}
    return [[_plain(a), _plain(b), cost] for (a, b), cost in table.items()]


def _table_from_json(saved: Any) -> dict[Any, Any]:
    if isinstance(saved, Mapping):
        return {name: _table_from_json(part) for name, part in saved.items()}
    return {(_label(a), _label(b)): cost for a, b, cost in saved}


def _plain(label: Any) -> Any:
    if isinstance(label, tuple):
        return [_plain(part) for part in label]
    return label.item() if isinstance(label, np.generic) else label


def _label(saved: Any) -> Any:
    return tuple(saved) if isinstance(saved, list) else saved


__all__ = [
    "Attributes",
    "Spec",
    "attributes_from_json",
    "attributes_of",
    "attributes_to_json",
    "params_from_json",
    "params_to_json",
    "side_costs",
]
