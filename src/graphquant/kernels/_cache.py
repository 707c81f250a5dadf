"""The cache of compiled entries, and a second process that fills it.

Compiling what learning needs takes most of a minute, once on a machine, and numba compiles one function at a
time. So a second process compiles a part of the entries (``compile_ahead``) and leaves them in the cache on
disk, where this process finds them; on its standard output it says which one it is at. Where it cannot be
started, or dies, this process compiles everything itself.
"""

import atexit
import logging
import multiprocessing
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from numba import config
from numba.core.caching import FunctionCache

logger = logging.getLogger("graphquant")

# Seconds to wait for an entry that the other process is at; none takes as long.
_PATIENCE = 120.0
_PAUSE = 0.05


class EntryCache(FunctionCache):
    """Compiled forms of an entry on disk; tells the user when one is missing."""

    def load_overload(self, sig, target_context):
        """Return the compiled form for a signature, None if it is to be compiled here."""
        found = super().load_overload(sig, target_context)
        name = self._py_func.__name__
        give_up = time.monotonic() + _PATIENCE
        while found is None and _helper is not None and _helper.is_at(name) and time.monotonic() < give_up:
            time.sleep(_PAUSE)
            found = super().load_overload(sig, target_context)
        if found is None:
            _on_miss(name)
        return found

    def is_empty(self):
        """Whether no form at all was ever saved."""
        return not (Path(self.cache_path) / self._cache_file._index_name).exists()


class _Helper:
    """The second process, as seen from the first."""

    def __init__(self, module):
        # The same packages from the same places, and the same cache.
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        if config.CACHE_DIR:
            environment["NUMBA_CACHE_DIR"] = config.CACHE_DIR
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", module],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            text=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._at = None
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        atexit.register(self._end)

    def _listen(self):
        with self._process.stdout as lines:
            for line in lines:
                self._at = line.strip()
        self._at = None
        self._process.wait()

    def _end(self):
        self._process.terminate()
        self._listener.join()

    def is_at(self, name):
        """Whether it compiles this entry now, or did so last."""
        return self._at == name

    def has_ended(self):
        """Whether it is done, or dead."""
        return self._process.poll() is not None


_helper = None
_starting = threading.Lock()
_announced = False


def _on_miss(name):
    """Say once that a person has to wait."""
    global _announced
    if not _announced:
        _announced = True
        logger.warning("Compiling the kernels, once on this machine (about a minute) ...")


def compile_ahead(module: str, entry: Any) -> None:
    """Run a module of this package in a second process, unless an entry shows that the cache is filled."""
    global _helper
    cache = getattr(entry, "_cache", None)
    if not isinstance(cache, EntryCache) or entry.overloads or not cache.is_empty():
        return
    with _starting:
        if _may_start_process() and (_helper is None or _helper.has_ended()):
            try:
                _helper = _Helper(module)
            except OSError as error:
                logger.info("no second process to compile kernels: %s", error)


def _may_start_process():
    """Whether a second process would be of use, and would be the one that is meant."""
    # Programs that embed Python, or are packed with it, would start themselves once more.
    is_python = Path(sys.executable or "").name.lower().startswith("python")
    return (
        is_python
        and not getattr(sys, "frozen", False)
        and (os.cpu_count() or 1) > 1
        # Workers of a pool have each other.
        and multiprocessing.parent_process() is None
    )


def report_progress() -> None:
    """In the second process: name each entry that is compiled on the standard output."""
    global _on_miss
    _on_miss = _print_name


def _print_name(name):
    print(name, flush=True)  # noqa: T201


__all__ = ["EntryCache", "compile_ahead", "report_progress"]
