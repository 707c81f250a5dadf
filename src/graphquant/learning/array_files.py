"""Named arrays in a file: an ``.npz`` that is small, is written whole, and is believed only where it fits.

Most arrays of a run are nearly all zeros (code graphs that leave most positions of the space unused, and
their snapshots). Of those the values that are not zero are kept, and a mask that tells where they stand.
Everything is compressed quickly. What is read has the names, types and shapes that the caller expects:
nothing else is unpacked, so no file can ask for more memory than the run itself takes.
"""

import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from graphquant._typing import AnyArray

# Smaller arrays are kept as they are.
_SPARSE_FROM = 4096
_MASK, _VALUES = ".mask", ".values"
# Of the description in front of the numbers of an array.
_DESCRIPTION_BYTES = 4096
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 0x1


class DamagedArraysError(Exception):
    """A file does not hold the arrays that are expected; the message says why."""


def write_arrays(path: Path, arrays: Mapping[str, AnyArray]) -> None:
    """Write arrays, which :func:`read_arrays` gives back bit by bit.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import numpy as np
    >>> with TemporaryDirectory() as folder:
    ...     write_arrays(Path(folder, "a.npz"), {"a": np.array([1.0, 2.0])})
    ...     read_arrays(Path(folder, "a.npz"), {"a": np.zeros(2)})
    {'a': array([1., 2.])}
    """
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        for name, array in arrays.items():
            for part, values in _parts(name, array):
                with file.open(f"{part}.npy", "w", force_zip64=True) as member:
                    np.lib.format.write_array(member, values, allow_pickle=False)


def read_text(path: Path, name: str, most_bytes: int) -> str:
    """Return a text that was written as an array, among others."""
    with _opened(path) as file:
        content = _content(file, f"{name}.npy", most_bytes)
        shape, dtype, start = _description(content, name)
        if shape != () or dtype.kind != "U" or len(content) - start != dtype.itemsize:
            raise DamagedArraysError(f"{name} is not a text")
        return str(np.frombuffer(content, dtype, offset=start)[0])


def read_arrays(
    path: Path, expected: Mapping[str, AnyArray], *, others: tuple[str, ...] = ()
) -> dict[str, AnyArray]:
    """Read arrays of these names, types and shapes.

    Parameters
    ----------
    path : path
    expected : mapping of str to ndarray
        Arrays like those that are read; their values do not matter.
    others : tuple of str
        What else may be in the file.

    Raises
    ------
    DamagedArraysError
        If the file is not a zip of these arrays, each of them whole.
    """
    with _opened(path) as file:
        left = set(file.namelist()) - {f"{name}.npy" for name in others}
        found = {}
        for name, like in expected.items():
            is_sparse = f"{name}{_MASK}.npy" in left
            parts = [name + _MASK, name + _VALUES] if is_sparse else [name]
            left -= {f"{part}.npy" for part in parts}
            found[name] = (
                _sparse(file, name, like) if is_sparse else _array(file, name, like.shape, like.dtype)
            )
        if left:
            raise DamagedArraysError(f"{min(left)!r} is not expected")
        return found


def _parts(name: str, array: AnyArray) -> Iterator[tuple[str, AnyArray]]:
    """Yield what is kept of an array: itself, or what is not zero."""
    if array.dtype == np.float64 and array.size >= _SPARSE_FROM:
        # By the bits: a zero may have a sign.
        bits = np.ascontiguousarray(array).reshape(-1).view(np.uint64)
        is_set = bits != 0
        if 2 * np.count_nonzero(is_set) < array.size:
            yield name + _MASK, np.packbits(is_set)
            yield name + _VALUES, bits[is_set].view(np.float64)
            return
    yield name, array


def _sparse(file: zipfile.ZipFile, name: str, like: AnyArray) -> AnyArray:
    if like.dtype != np.float64:
        raise DamagedArraysError(f"{name} is not of type {like.dtype}")
    packed = _array(file, name + _MASK, (-(-like.size // 8),), np.dtype(np.uint8))
    is_set = np.unpackbits(packed, count=like.size).astype(np.bool_)
    values = _array(file, name + _VALUES, (int(np.count_nonzero(is_set)),), np.dtype(np.float64))
    found = np.zeros(like.size)
    found[is_set] = values
    return found.reshape(like.shape)


def _array(
    file: zipfile.ZipFile, name: str, expected: tuple[int, ...], expected_type: np.dtype[np.generic]
) -> AnyArray:
    n_bytes = int(np.prod(expected, dtype=np.int64)) * expected_type.itemsize
    content = _content(file, f"{name}.npy", n_bytes + _DESCRIPTION_BYTES)
    shape, dtype, start = _description(content, name)
    if shape != expected or dtype != expected_type:
        raise DamagedArraysError(f"{name} has shape {shape} and type {dtype}, not {expected} {expected_type}")
    if len(content) - start != n_bytes:
        raise DamagedArraysError(f"{name} has {len(content) - start} bytes instead of {n_bytes}")
    # A copy, because what it comes from cannot be written to.
    return np.frombuffer(content, dtype, offset=start).reshape(shape).copy()


def _content(file: zipfile.ZipFile, member: str, most_bytes: int) -> bytes:
    """Unpack a member that has no more than so many bytes."""
    try:
        info = file.getinfo(member)
    except KeyError:
        raise DamagedArraysError(f"{member!r} is missing") from None
    if info.flag_bits & _ENCRYPTED or info.compress_type not in _METHODS:
        raise DamagedArraysError(f"{member!r} is encrypted or packed by an unknown method")
    if info.file_size > most_bytes:
        raise DamagedArraysError(f"{member!r} has {info.file_size} bytes, more than {most_bytes}")
    return file.read(info)


def _description(content: bytes, name: str) -> tuple[tuple[int, ...], np.dtype[np.generic], int]:
    """Return shape, type and where the numbers begin; only C order is written here."""
    stream = io.BytesIO(content)
    version = np.lib.format.read_magic(stream)
    if version != (1, 0):
        raise DamagedArraysError(f"{name} is of version {version}")
    shape, is_fortran, dtype = np.lib.format.read_array_header_1_0(stream, max_header_size=_DESCRIPTION_BYTES)
    if is_fortran or dtype.hasobject:
        raise DamagedArraysError(f"{name} is not plain numbers in C order")
    return shape, dtype, stream.tell()


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """Open a zip, and turn what its library and numpy say about damage into one error."""
    try:
        with zipfile.ZipFile(path) as file:
            if len(set(file.namelist())) < len(file.namelist()):
                raise DamagedArraysError("a name is there twice")
            yield file
    except (zipfile.BadZipFile, zlib.error, ValueError, EOFError, NotImplementedError, RuntimeError) as err:
        raise DamagedArraysError(f"{type(err).__name__}: {err}") from err


__all__ = ["DamagedArraysError", "read_arrays", "read_text", "write_arrays"]
