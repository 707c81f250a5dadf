"""The sample mean of graphs: align, then average."""

from graphquant.averaging._mean import Mean, mean

__all__ = ["Mean", "mean"]
