"""What transformers of graphs have in common."""

import inspect
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Literal, Self

if TYPE_CHECKING:
    from graphquant.graphs import RawGraphs, Schema
    from graphquant.preprocessing._notes import Encoded, EncodingNotes
    from graphquant.preprocessing._source import Side


class GraphTransformer:
    """A transformer from graphs to graphs that follows the scikit-learn API.

    It has the methods that scikit-learn calls instead of its base classes: reading, comparing or
    converting graphs needs an encoder, and importing scikit-learn takes longer than the work.
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn from graphs."""
        raise NotImplementedError

    def transform(self, X: Any) -> Any:
        """Return the graphs transformed."""
        raise NotImplementedError

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Learn from graphs and return them transformed.

        Parameters
        ----------
        X : collection of graphs
        y : ignored
        """
        return self.fit(X, y).transform(X)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters of the constructor, by name.

        Parameters
        ----------
        deep : bool, default=True
            Accepted for scikit-learn; no parameter has parameters of its own.
        """
        return {name: getattr(self, name) for name in sorted(_defaults(type(self)))}

    def set_params(self, **params: Any) -> Self:
        """Change parameters of the constructor.

        Raises
        ------
        ValueError
            If there is no such parameter.
        """
        known = _defaults(type(self))
        for name, value in params.items():
            if name not in known:
                raise ValueError(
                    f"Invalid parameter {name!r} for estimator {self}. "
                    f"Valid parameters are: {sorted(known)!r}."
                )
            setattr(self, name, value)
        return self

    def set_output(self, *, transform: Literal["default", "pandas", "polars"] | None = None) -> Self:
        """Do nothing: the output is graphs, whatever form a pipeline asks of its last step."""
        return self

    def unfitted(self) -> Self:
        """Return a new transformer with the same parameters, as ``sklearn.base.clone`` does."""
        return type(self)(**deepcopy(self.get_params()))

    def __repr__(self) -> str:
        """Show the parameters that differ from their defaults, as scikit-learn estimators do."""
        defaults = _defaults(type(self))
        changed = [
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if repr(value) != repr(defaults[name])
        ]
        return f"{type(self).__name__}({', '.join(changed)})"

    def __sklearn_is_fitted__(self) -> bool:
        raise NotImplementedError

    def __sklearn_tags__(self) -> Any:
        # Only scikit-learn calls this, so it is loaded by then.
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=False),
            transformer_tags=TransformerTags(),
            input_tags=InputTags(two_d_array=False),
        )


class GraphEncoder(GraphTransformer):
    """Base of all encoders: turns graphs with named attributes into vectors, and back.

    Examples
    --------
    >>> from graphquant.preprocessing import AttributeEncoder, EditCosts, GraphEncoder
    >>> isinstance(AttributeEncoder(), GraphEncoder), isinstance(EditCosts(), GraphEncoder)
    (True, True)
    """

    node_channels_: tuple[str, ...]
    edge_channels_: tuple[str, ...]
    # What becomes of missing values, where an encoder leaves a choice.
    missing: Any = "error"

    @property
    def is_fitted(self) -> bool:
        """Whether ``fit`` has been called."""
        raise NotImplementedError

    def __sklearn_is_fitted__(self) -> bool:
        return self.is_fitted

    def encode(self, X: Any) -> "Encoded":
        """Return vectors, with notes on values that are missing, unknown or out of range."""
        raise NotImplementedError

    def tell(self, notes: "EncodingNotes") -> None:
        """Warn about findings that matter when vectors are compared with a codebook."""

    def schema(self) -> "Schema":
        """Return the schema of the vectors of this encoder."""
        raise NotImplementedError

    def attributes(self, side: "Side") -> tuple[str, ...]:
        """Return the names of the attributes that are read, of nodes or of edges."""
        raise NotImplementedError

    def parts(self, side: "Side") -> list[dict[str, Any]]:
        """Return what the channels of a side hold, part by part, as plain values."""
        raise NotImplementedError

    def inverse_transform(self, X: Any) -> "RawGraphs":
        """Return graphs with attributes in the user's own names and units."""
        raise NotImplementedError

    def digest(self) -> str:
        """Return 16 characters that stand for the encoding."""
        raise NotImplementedError

    def describe(self) -> str:
        """Describe in a few lines what the channels hold."""
        raise NotImplementedError

    def to_json(self) -> dict[str, Any]:
        """Return parameters and what was learnt as plain values."""
        raise NotImplementedError


def check_fitted(transformer: GraphTransformer) -> None:
    """Raise scikit-learn's error if ``fit`` has not been called."""
    if not transformer.__sklearn_is_fitted__():
        # Users catch scikit-learn's error; only the error needs the package.
        from sklearn.exceptions import NotFittedError

        raise NotFittedError(
            f"This {type(transformer).__name__} instance is not fitted yet. "
            "Call 'fit' with appropriate arguments before using this estimator."
        )


def _defaults(cls: type[GraphTransformer]) -> dict[str, Any]:
    """Return the parameters of a constructor with their defaults; looked up once, which takes long."""
    if cls not in _KNOWN:
        parameters = inspect.signature(cls).parameters
        _KNOWN[cls] = {name: parameter.default for name, parameter in parameters.items()}
    return _KNOWN[cls]


_KNOWN: dict[type[GraphTransformer], dict[str, Any]] = {}


__all__ = ["GraphEncoder", "GraphTransformer", "check_fitted"]
