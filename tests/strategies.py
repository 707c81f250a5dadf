"""Hypothesis strategies for graphs and collections."""

import numpy as np
from hypothesis import strategies as st

import graphquant as gq

names = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=8).filter(
    lambda s: s.strip() == s
)
values = st.one_of(
    st.just(0.0), st.integers(-3, 3).map(float), st.floats(-1e6, 1e6, allow_nan=False, width=64)
)


@st.composite
def graphs(draw, *, min_order=0, max_order=6, p=None, q=None, directed=None, groups=False, elements=values):
    order = draw(st.integers(min_order, max_order))
    p = draw(st.integers(1, 3)) if p is None else p
    q = draw(st.integers(1, 2)) if q is None else q
    directed = draw(st.booleans()) if directed is None else directed
    pairs = [(i, j) for i in range(order) for j in range(order) if (i != j if directed else i < j)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=10)) if pairs else []
    node_attrs = [[draw(elements) for _ in range(p)] for _ in range(order)]
    edge_attrs = [[draw(elements) for _ in range(q)] for _ in edges]
    return gq.Graph(
        np.array(node_attrs).reshape(order, p),
        edges,
        np.array(edge_attrs).reshape(len(edges), q),
        directed=directed,
        groups=[draw(st.integers(0, 2)) for _ in range(order)] if groups else None,
    )


@st.composite
def collections(draw, *, min_size=1, max_size=5, with_names=None, directed=None, groups=False, **kwargs):
    directed = draw(st.booleans()) if directed is None else directed
    p, q = draw(st.integers(1, 3)), draw(st.integers(1, 2))
    members = draw(
        st.lists(
            graphs(p=p, q=q, directed=directed, groups=groups, **kwargs), min_size=min_size, max_size=max_size
        )
    )
    named = draw(st.booleans()) if with_names is None else with_names
    if not named:
        return gq.GraphCollection(members)
    return gq.GraphCollection(
        members, names=draw(st.lists(names, min_size=len(members), max_size=len(members), unique=True))
    )


@st.composite
def permutations(draw, order):
    """An order of the numbers 0 to ``order - 1``."""
    return np.array(draw(st.permutations(range(order))), dtype=np.int64)


def masks(count):
    """A truth value for each of ``count`` items."""
    return st.lists(st.booleans(), min_size=count, max_size=count).map(
        lambda mask: np.array(mask, dtype=bool)
    )


def selections(count):
    """Anything that selects of ``count`` graphs: a slice, numbers (also negative ones), a mask."""
    numbers = st.lists(st.integers(-count, count - 1), max_size=6) if count else st.just([])
    return st.one_of(st.slices(count), numbers, masks(count))
