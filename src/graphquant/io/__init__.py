"""Files: reading and writing collections of graphs; see :mod:`graphquant.io.registry`.

What a reader returns is :class:`FileContent`. Encoding raw attributes is left to
:mod:`graphquant.preprocessing`; ``graphquant.read`` joins both.
"""

from graphquant.io.base import FileContent, Format, Skipped
from graphquant.io.registry import format_names, get_format, read_file, write_file

__all__ = ["FileContent", "Format", "Skipped", "format_names", "get_format", "read_file", "write_file"]
