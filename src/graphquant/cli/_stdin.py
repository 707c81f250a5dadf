"""DATA as ``-``: what comes on stdin, kept in a temporary file that is named after its format."""

import re
import sys
import tempfile
import zlib
from pathlib import Path

from graphquant.exceptions import FileFormatError

NAME = "stdin"
_HEAD = 65536
_SUFFIX_OF = {
    "parquet": ".parquet",
    "jsonl": ".jsonl",
    "smiles": ".smi",
    "sdf": ".sdf",
    "tu": ".zip",
    "graphml": ".graphml",
    "gxl": ".gxl",
}
# Letters, bonds, rings, charges, stereo: what a line of a SMILES file begins with.
_SMILES = re.compile(r"[A-Za-z\[(][A-Za-z0-9@+\-\[\]()=#$%/\\.:*~]*(\s|$)")


class _Kept:
    """What was read of stdin by the command that runs: it can be read only once."""

    folder: tempfile.TemporaryDirectory[str] | None = None
    path: Path | None = None


def spooled(input_format: str | None, *, has_columns: bool = False) -> Path:
    """Return the file that holds what came on stdin.

    Parameters
    ----------
    input_format : str, optional
        The format, if the content is not to decide.
    has_columns : bool
        Whether columns were named, so that it is a table.
    """
    if _Kept.path is None:
        content = sys.stdin.buffer.read()
        if not content.strip():
            raise FileFormatError("stdin: is empty.", "Pipe the graphs into the command, or name a file.")
        suffix = _suffix(content, input_format, has_columns)
        _Kept.folder = tempfile.TemporaryDirectory(prefix="graphquant-")
        _Kept.path = Path(_Kept.folder.name, f"stdin{suffix}")
        _Kept.path.write_bytes(content)
    return _Kept.path


def forget() -> None:
    """Remove what was kept."""
    if _Kept.folder is not None:
        _Kept.folder.cleanup()
    _Kept.folder = _Kept.path = None


def _suffix(content: bytes, input_format: str | None, has_columns: bool) -> str:
    """Return the suffix that a file of this content has."""
    if content.startswith(b"\x1f\x8b"):
        try:
            head = zlib.decompressobj(wbits=31).decompress(content, _HEAD)
        except zlib.error as err:
            raise FileFormatError("stdin: the compressed data are damaged.", "Fetch them again.") from err
        return f"{_suffix(head, input_format, has_columns)}.gz"
    table = _table_suffix(content, has_columns)
    if input_format is not None:
        return table or _SUFFIX_OF["smiles"] if input_format == "smiles" else _SUFFIX_OF.get(input_format, "")
    found = _binary_suffix(content) or table or _text_suffix(content[:_HEAD].decode("utf-8-sig", "replace"))
    if found is None:
        raise FileFormatError(
            "stdin: its content does not tell the format.",
            f"Say --input-format: {', '.join(_SUFFIX_OF)}.",
        )
    return found


def _binary_suffix(content: bytes) -> str | None:
    if content.startswith(b"PAR1"):
        return ".parquet"
    return ".zip" if content.startswith(b"PK\x03\x04") else None


def _table_suffix(content: bytes, has_columns: bool) -> str | None:
    """Return the suffix of a table with a column of SMILES, None if it is none."""
    header = content[:_HEAD].splitlines()[0].decode("utf-8-sig", "replace")
    cells = re.split(r"[,;\t|]", header)
    if not has_columns and not any("smiles" in cell.lower() for cell in cells):
        return None
    if len(cells) == 1 and not has_columns:
        return None
    return ".tsv" if "\t" in header else ".csv"


def _text_suffix(text: str) -> str | None:
    start = text.lstrip()
    if start.startswith(("{", "[{")):
        return ".jsonl" if start.startswith("{") else ".json"
    if start.startswith("<"):
        return next((f".{kind}" for kind in ("graphml", "gxl") if f"<{kind}" in text), None)
    if "$$$$" in text or "M  END" in text or "V2000" in text or "V3000" in text:
        return ".sdf"
    lines = [line for line in text.splitlines()[:20] if line.strip()]
    return ".smi" if lines and all(_SMILES.match(line) for line in lines) else None


__all__ = ["NAME", "forget", "spooled"]
