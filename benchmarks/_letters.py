"""Built-in letters as in the published tables: positions on circles, the default of version 1.0."""

from typing import Literal

import graphquant as gq
from graphquant.preprocessing import AttributeEncoder


def letters_on_circles(
    n_per_class: int, distortion: Literal["low", "medium", "high"] = "low", random_state: int = 0
) -> gq.Dataset:
    """Make letters, and encode their positions on circles."""
    made = gq.datasets.make_letters(n_per_class, distortion, random_state=random_state)
    assert made.raw is not None
    encoder = AttributeEncoder(numeric="circle")
    graphs = encoder.fit_transform(made.raw)
    return gq.Dataset(graphs, made.targets, made.target_names, encoder, made.description, made.raw)


__all__ = ["letters_on_circles"]
