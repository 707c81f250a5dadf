"""Addresses of files: local paths, or URLs that fsspec knows (``s3://``, ``gs://``, ``memory://``)."""

import glob
from pathlib import Path
from typing import Any

from graphquant._validation import import_optional
from graphquant.exceptions import FileFormatError

_SUFFIXES = (".parquet", ".pq")


def is_url(address: str | Path) -> bool:
    """Whether an address names its file system.

    Examples
    --------
    >>> is_url("s3://bucket/letters.parquet"), is_url("letters.parquet")
    (True, False)
    """
    return isinstance(address, str) and "://" in address


def parquet_files(address: str | Path) -> list[str]:
    """List the Parquet files of a file, a folder or a pattern with ``*``, sorted by name."""
    files = _remote_files(str(address)) if is_url(address) else _local_files(Path(address))
    if not files:
        raise FileFormatError(
            f"{address}: no such Parquet file, and no folder or pattern of such files.",
            "Check the address; files are named .parquet or .pq.",
        )
    return files


def open_file(address: str | Path) -> Any:
    """Open a file on another file system, for reading."""
    try:
        return _fsspec(str(address)).open(str(address), "rb").open()
    except (OSError, ValueError) as err:
        raise FileFormatError(
            f"{address}: cannot be opened ({type(err).__name__}: {err}).", "Check the address."
        ) from err


def _local_files(path: Path) -> list[str]:
    if path.is_file():
        return [str(path)]
    if path.is_dir():
        return sorted(str(file) for file in path.rglob("*") if file.suffix.lower() in _SUFFIXES)
    return sorted(file for file in glob.glob(str(path), recursive=True) if Path(file).is_file())


def _remote_files(url: str) -> list[str]:
    try:
        files, path = _fsspec(url).core.url_to_fs(url)
        found = files.glob(path) if "*" in path else files.find(path)
    except (OSError, ValueError, ImportError) as err:
        raise FileFormatError(
            f"{url}: cannot be listed ({type(err).__name__}: {err}).", "Check the address."
        ) from err
    named = [name for name in found if name == path or name.lower().endswith(_SUFFIXES)]
    return sorted(files.unstrip_protocol(name) for name in named)


def _fsspec(url: str) -> Any:
    import_optional("fsspec", "dask", f"Reading {url}")
    import fsspec
    import fsspec.core

    return fsspec


__all__ = ["is_url", "open_file", "parquet_files"]
