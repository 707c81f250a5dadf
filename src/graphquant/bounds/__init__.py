"""Lower bounds of graph distances. No matching is ever run here."""

from graphquant.bounds._prepare import (
    check_comparable,
    check_pairs,
    check_range,
    class_capacity,
    prepare,
    summaries,
    training_graphs,
)
from graphquant.bounds.lower import Bound, lower_bound, lower_bounds
from graphquant.bounds.products import product_bounds

__all__ = [
    "Bound",
    "check_comparable",
    "check_pairs",
    "check_range",
    "class_capacity",
    "lower_bound",
    "lower_bounds",
    "prepare",
    "product_bounds",
    "summaries",
    "training_graphs",
]
