"""What transformers of graphs have in common."""

from typing import Any, Literal, Self

from sklearn.base import BaseEstimator, TransformerMixin


# Without auto_wrap_output_keys=None, scikit-learn would try to put collections into data frames.
class GraphTransformer(TransformerMixin, BaseEstimator, auto_wrap_output_keys=None):  # type: ignore[call-arg, misc]
    """A transformer from graphs to graphs."""

    def set_output(self, *, transform: Literal["default", "pandas", "polars"] | None = None) -> Self:
        """Do nothing: graphs come out, whatever form a pipeline asks its last step for."""
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        return tags


__all__ = ["GraphTransformer"]
