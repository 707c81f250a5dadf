"""How bad input is checked: the whole message and the whole hint; hints that several messages share."""

import pytest

from graphquant.exceptions import InvalidGraphError


def check(make, message, hint):
    """The call raises exactly this message and this hint."""
    with pytest.raises(InvalidGraphError, match=r"\S") as caught:
        make()
    assert caught.value.message == message
    assert caught.value.hint == hint
    assert str(caught.value) == f"{message} {hint}"


NUMBER_NODES = "Node numbers of each graph start at 0."
ONE_PAIR = "Give one pair of node numbers for each edge."
FINITE = "Fix or impute the value (AttributeEncoder has a missing-value policy)."
ONCE = "Give an undirected edge once: merge their attributes, or pass directed=True."
ONE_KIND = "Make all of them directed or all undirected: an undirected edge is two directed ones."
ONE_CLASS = "Give one class number for each node."
ONE_NAME = "Give one name for each graph."
LOOP = "Put what a self-loop says into the attributes of its node."
ONES = "If there are no attributes, pass one channel of ones."


def as_many(what):
    return f"Give every {what} the same number of values; encode names with AttributeEncoder."


def offsets(what):
    return f"Give the first {what} of each graph, and the number of all {what}s at the end."
