"""DATA as ``-``: the content of stdin, in a temporary file that has the suffix of its format."""

import re
import shutil
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
# Letters, bonds, rings, charges, stereo: the start of a line of a SMILES file.
_SMILES = re.compile(r"[A-Za-z\[(][A-Za-z0-9@+\-\[\]()=#$%/\\.:*~]*(\s|$)")


class _Kept:
    """What the running command has read from stdin, which can be read only once."""

    folder: tempfile.TemporaryDirectory[str] | None = None
    path: Path | None = None


def spooled(input_format: str | None, *, has_columns: bool = False) -> Path:
    """Return the file that holds the content of stdin.

    Parameters
    ----------
    input_format : str, optional
        The format, if the content should not decide.
    has_columns : bool
        Whether columns were named, so that it is a table.
    """
    if _Kept.path is None:
        head = sys.stdin.buffer.read(_HEAD)
        if not head.strip():
            raise FileFormatError("stdin: is empty.", "Pipe the graphs into the command, or name a file.")
        suffix = _suffix(head, input_format, has_columns)
        _Kept.folder = tempfile.TemporaryDirectory(prefix="graphquant-")
        path = Path(_Kept.folder.name, f"stdin{suffix}")
        with path.open("wb") as file:
            file.write(head)
            shutil.copyfileobj(sys.stdin.buffer, file)
        _Kept.path = path
    return _Kept.path


def forget() -> None:
    """Remove the temporary file."""
    if _Kept.folder is not None:
        _Kept.folder.cleanup()
    _Kept.folder = _Kept.path = None


def _suffix(content: bytes, input_format: str | None, has_columns: bool) -> str:
    """Return the suffix of a file that begins like this."""
    if content.startswith(b"\x1f\x8b"):
        try:
            head = zlib.decompressobj(wbits=31).decompress(content, _HEAD)
        except zlib.error as err:
            raise FileFormatError("stdin: the compressed data are damaged.", "Download them again.") from err
        return f"{_suffix(head, input_format, has_columns)}.gz"
    text = content.decode("utf-8-sig", "replace")
    if input_format is not None:
        table = _table_suffix(text, has_columns) or ".smi"
        return table if input_format == "smiles" else _SUFFIX_OF.get(input_format, "")
    # Tables come late: the text of other formats may look like a header.
    found = (
        _binary_suffix(content)
        or _marked_suffix(text)
        or _table_suffix(text, has_columns)
        or _smiles_suffix(text)
    )
    if found is None:
        raise FileFormatError(
            "stdin: the format cannot be recognised.",
            f"Give --input-format: {', '.join(_SUFFIX_OF)}.",
        )
    return found


def _binary_suffix(content: bytes) -> str | None:
    if content.startswith(b"PAR1"):
        return ".parquet"
    return ".zip" if content.startswith(b"PK\x03\x04") else None


def _marked_suffix(text: str) -> str | None:
    """Return the suffix of a format that is recognised by its markup."""
    start = text.lstrip()
    if start.startswith("{"):
        return ".jsonl"
    if start.startswith("[{"):
        return ".json"
    if start.startswith("<"):
        return next((f".{kind}" for kind in ("graphml", "gxl") if f"<{kind}" in text), None)
    return ".sdf" if any(mark in text for mark in ("$$$$", "M  END", "V2000", "V3000")) else None


def _table_suffix(text: str, has_columns: bool) -> str | None:
    """Return the suffix of a table with a column of SMILES, None if it is not one."""
    header = (text.splitlines() or [""])[0]
    cells = re.split(r"[,;\t|]", header)
    if not has_columns and (len(cells) == 1 or not any("smiles" in cell.lower() for cell in cells)):
        return None
    return ".tsv" if "\t" in header else ".csv"


def _smiles_suffix(text: str) -> str | None:
    lines = [line for line in text.splitlines()[:20] if line.strip()]
    return ".smi" if lines and all(_SMILES.match(line) for line in lines) else None


__all__ = ["NAME", "forget", "spooled"]
