"""A folder of snapshots serves one fit at a time: two would overwrite each other's."""

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from graphquant.exceptions import FileFormatError

logger = logging.getLogger("graphquant")


@contextmanager
def locked(folder: str | Path | None, *, what: str = "checkpoint=", by: str = "fit") -> Iterator[None]:
    """Make a folder and hold it for as long as the block runs; None means no folder.

    The lock belongs to the process: it is gone when that ends, however it does. Messages name the folder by
    ``what`` it is, and by what it is held: ``checkpoint='runs' is in use by another fit``.

    Raises
    ------
    FileFormatError
        If the folder cannot be created, or another fit holds it.
    """
    if folder is None:
        yield
        return
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as err:
        raise FileFormatError(
            f"{what}{str(folder)!r} cannot be created ({err.strerror or err}).",
            "Name a writable folder.",
        ) from err
    try:
        held = _take(Path(folder))
    except (BlockingIOError, PermissionError) as err:
        raise FileFormatError(
            f"{what}{str(folder)!r} is in use by another {by}.",
            "Wait until it ends, or name another folder.",
        ) from err
    except OSError as err:
        # Some network drives have no locks.
        logger.info("%s%r cannot be locked (%s).", what, str(folder), err)
        yield
        return
    try:
        yield
    finally:
        os.close(held)
        if sys.platform == "win32":
            with suppress(OSError):
                (Path(folder) / ".lock").unlink()


def _take(folder: Path) -> int:
    """Return what holds the folder until it is closed."""
    if sys.platform == "win32":
        import msvcrt

        held = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT)
        lock, arguments = msvcrt.locking, (msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        # The folder itself: a file for the lock would be left behind.
        held = os.open(folder, os.O_RDONLY)
        lock, arguments = fcntl.flock, (fcntl.LOCK_EX | fcntl.LOCK_NB,)
    try:
        lock(held, *arguments)
    except OSError:
        os.close(held)
        raise
    return held


__all__ = ["locked"]
