"""Hypothesis strategies for graphs that can be compared with each other."""

from hypothesis import strategies as st

from tests.strategies import graphs, values

# Squares of smaller numbers leave the range of float64; the library refuses graphs of nothing else.
attributes = values.map(lambda value: value if abs(value) > 1e-60 else 0.0)
# Few different values make many equally good mappings.
few_values = st.sampled_from([0.0, 1.0, -1.0, 2.0])


@st.composite
def graph_tuples(draw, size=2, *, max_order=4, room=1, groups=None):
    """Graphs with as many attributes each, and an order that leaves up to ``room`` zero nodes."""
    grouped = draw(st.booleans()) if groups is None else groups
    kind = {
        "p": draw(st.integers(1, 3)),
        "q": draw(st.integers(1, 2)),
        "directed": draw(st.booleans()),
        "elements": draw(st.sampled_from([attributes, few_values])),
        "groups": grouped,
    }
    members = [draw(graphs(max_order=max_order, **kind)) for _ in range(size)]
    if grouped:
        return members, None
    largest = max(1, *(graph.order for graph in members))
    return members, draw(st.sampled_from([None, *range(largest, max_order + room + 1)]))
