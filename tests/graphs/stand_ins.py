"""As much of PyTorch Geometric, pandas and polars as conversions ask for, without these packages."""

from types import SimpleNamespace

import numpy as np


class Tensor:
    """As much of a torch tensor as is needed: one on another device has to be detached and moved first."""

    def __init__(self, values, *, at_home=False):
        self.values, self.at_home = np.asarray(values), at_home

    def detach(self):
        return self

    def cpu(self):
        return Tensor(self.values, at_home=True)

    def __array__(self, dtype=None, copy=None):
        assert self.at_home, "a tensor with a gradient or on another device has no __array__"
        return np.array(self.values, dtype=dtype, copy=copy)


class ArrayLike:
    """Anything that numpy can read."""

    def __init__(self, values):
        self.values = np.asarray(values)

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype=dtype, copy=copy)


def pyg(x=None, edge_index=None, edge_attr=None, *, num_nodes=None, tensor=np.asarray):
    given = {"x": x, "edge_index": edge_index, "edge_attr": edge_attr}
    wrapped = {name: None if value is None else tensor(value) for name, value in given.items()}
    return SimpleNamespace(**wrapped, num_nodes=len(x) if num_nodes is None and x is not None else num_nodes)


def batch_of(*graphs):
    """Several of them joined to one, which knows its parts."""
    whole = pyg(np.concatenate([data.x for data in graphs]), np.empty((2, 0), dtype=np.int64))
    whole.to_data_list = lambda: list(graphs)
    return whole


class InMemoryDataset(list):
    """Answers for the attributes of all its graphs, as that of PyTorch Geometric does."""

    edge_index, num_nodes = np.array([[0, 1], [1, 0]]), 3

    def get(self, index):
        return self[index]

    def len(self):
        return len(self)


class Series:
    """A column that is iterable and indexed by labels of its own, as that of pandas."""

    def __init__(self, values, name=None):
        self.values, self.name, self.index = list(values), name, [f"row {i}" for i in range(len(values))]

    def __iter__(self):
        return iter(self.values)

    def __len__(self):
        return len(self.values)

    def __getitem__(self, part):
        assert isinstance(part, slice), "a Series is not a list: a number would be a label"
        return Series(self.values[part], self.name)


class Frame:
    """A table with named columns, as those of pandas and polars."""

    def __init__(self, **columns):
        self.columns = list(columns)
        self.shape = (len(next(iter(columns.values()), ())), len(columns))
        self._columns = columns

    def __getitem__(self, name):
        return Series(self._columns[name], name)

    def __iter__(self):
        return iter(self.columns)


class NAType:
    """What pandas has for a missing value: neither equal to itself nor unequal."""

    def __eq__(self, other):
        return self

    __hash__ = None

    def __bool__(self):
        raise TypeError("boolean value of NA is ambiguous")

    def __repr__(self):
        return "<NA>"
