"""Lower bounds of graph distances, without any matching."""

from graphquant.bounds.checks import (
    check_comparable,
    check_order,
    check_pairs,
    check_range,
    class_capacity,
    count_classes,
    needs_zero_nodes,
)
from graphquant.bounds.lower import Bound, lower_bound, lower_bounds, prepared_bounds, product_bounds
from graphquant.bounds.prepare import prepare, squared_norms, summaries

__all__ = [
    "Bound",
    "check_comparable",
    "check_order",
    "check_pairs",
    "check_range",
    "class_capacity",
    "count_classes",
    "lower_bound",
    "lower_bounds",
    "needs_zero_nodes",
    "prepare",
    "prepared_bounds",
    "product_bounds",
    "squared_norms",
    "summaries",
]
