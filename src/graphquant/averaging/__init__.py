"""The sample mean of graphs: align, then average."""

from graphquant.averaging._mean import Mean, mean
from graphquant.averaging._space import Space

__all__ = ["Mean", "Space", "mean"]
