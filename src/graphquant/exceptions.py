"""Errors and warnings that graphquant raises.

Every error is a :class:`GraphQuantError` and also the builtin that a caller would expect, so
``except ValueError`` keeps working. A message says what was wrong and where, what is accepted,
and what to do; :attr:`GraphQuantError.hint` holds the last part separately, for the command line.
"""


class GraphQuantError(Exception):
    """Base of all graphquant errors.

    Parameters
    ----------
    message : str
        What was wrong, and where.
    hint : str, optional
        What to do about it; appended to the message.
    """

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message if hint is None else f"{message} {hint}")
        self.message = message
        self.hint = hint

    def __reduce__(self) -> tuple[type["GraphQuantError"], tuple[str, str | None]]:
        # Without this, pickling between processes would pass the joined text as the message.
        return type(self), (self.message, self.hint)


class InvalidGraphError(GraphQuantError, ValueError):
    """A graph or a collection of graphs breaks the data model."""


class SchemaError(InvalidGraphError):
    """Graphs whose vectors mean different things cannot be compared or joined."""


class InvalidParameterError(GraphQuantError, ValueError):
    """A parameter has a value that is not accepted."""


class FileFormatError(GraphQuantError, ValueError):
    """A file is damaged, of another type, or of a version that cannot be read."""


class EncodingError(GraphQuantError, ValueError):
    """Attributes cannot be turned into vectors."""


class MissingDependencyError(GraphQuantError, ImportError):
    """An optional package is needed; the message names the extra to install."""


class NativeCoreError(GraphQuantError, ImportError):
    """The library of the native core is missing, damaged, or does not fit this version."""


class GraphQuantWarning(UserWarning):
    """Base of all graphquant warnings."""


__all__ = [
    "EncodingError",
    "FileFormatError",
    "GraphQuantError",
    "GraphQuantWarning",
    "InvalidGraphError",
    "InvalidParameterError",
    "MissingDependencyError",
    "NativeCoreError",
    "SchemaError",
]
