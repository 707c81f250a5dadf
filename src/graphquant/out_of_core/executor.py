"""Where partitions are processed, and what is kept there between rounds.

A piece of work is a function of ``(store, part, shared, own)``: the store of its process, a partition, the
data for all partitions, and the data for this one. Its result must not depend on the content of the store: a
store only saves work, and an executor may lose it at any time.
"""

import itertools
import logging
import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol

from graphquant._typing import AnyArray
from graphquant.learning.array_files import DamagedArraysError, read_arrays, write_arrays

logger = logging.getLogger("graphquant")

DEFAULT_MEMORY = 2**31

Work = Callable[["Store", Any, Any, Any], Any]


class Keepable(Protocol):
    """An object that a store keeps: its arrays restore a newly built one to the same state."""

    def arrays(self) -> dict[str, AnyArray]:
        """Return what has to be saved."""
        ...

    def restore(self, arrays: dict[str, AnyArray]) -> None:
        """Restore the saved arrays."""
        ...

    @property
    def nbytes(self) -> int:
        """Memory in bytes."""
        ...


class Store:
    """State of partitions between rounds: in memory up to a budget, the rest in side files.

    Parameters
    ----------
    memory : int
        Bytes of state that stay in memory.
    folder : path, optional
        For side files; by default a temporary folder, created when needed.
    """

    def __init__(self, memory: int = DEFAULT_MEMORY, folder: str | Path | None = None) -> None:
        self.memory, self._parent = memory, folder
        self._folder: Path | None = None
        self._remove: Callable[[], Any] = lambda: None
        self._held: dict[Hashable, Keepable] = {}
        self._files: dict[Hashable, Path] = {}
        self._numbers = itertools.count()
        self._lock = threading.Lock()

    @property
    def held_bytes(self) -> int:
        """Bytes of all state in memory."""
        return sum(state.nbytes for state in self._held.values())

    def take(self, key: Hashable, build: Callable[[], Any]) -> tuple[Any, bool]:
        """Take out the state of a key; return it, and whether it had to be rebuilt."""
        with self._lock:
            held, file = self._held.pop(key, None), self._files.pop(key, None)
        if held is not None:
            return held, False
        state = build()
        if file is None:
            return state, True
        try:
            state.restore(read_arrays(file, state.arrays()))
        except (DamagedArraysError, OSError, ValueError) as err:
            # It spares work and decides nothing: the work is done again.
            logger.warning("%s is damaged (%s); the state of a partition is built again.", file, err)
            return build(), True
        finally:
            file.unlink(missing_ok=True)
        return state, False

    def give(self, key: Hashable, state: Keepable) -> None:
        """Put the state of a key back."""
        # States are visited in turn: those in memory stay, or each visit would find its own evicted.
        with self._lock:
            if self.held_bytes + state.nbytes <= self.memory:
                self._held[key] = state
                return
            file = self._new_file()
        try:
            write_arrays(file, state.arrays())
        except OSError as err:
            # It spares work and decides nothing.
            logger.warning("%s cannot be written (%s); the state of a partition is built again.", file, err)
            file.unlink(missing_ok=True)
            return
        with self._lock:
            self._files[key] = file

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._held.clear()
            self._files.clear()
            self._remove()
            self._folder = None

    def _new_file(self) -> Path:
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="graphquant-", dir=self._parent))
            # Also when the process ends, or the store is garbage collected.
            self._remove = weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        return self._folder / f"{next(self._numbers)}.npz"


class Executor(Protocol):
    """Does the same work on all partitions."""

    def map(
        self,
        work: Work,
        parts: Sequence[Any],
        shared: Any,
        own: Sequence[Any],
        on_done: Callable[[int], None] | None = None,
    ) -> list[Any]:
        """Return ``work(store, parts[i], shared, own[i])`` for all i, in order.

        ``on_done`` is called with 1 after each.
        """
        ...

    def clear(self) -> None:
        """Drop the stored states of the partitions."""
        ...

    def total_memory(self) -> int:
        """Return the bytes of state that can be kept in memory; results must not depend on it."""
        ...


class LocalExecutor:
    """Process partitions in threads of this process, with bounded memory.

    Parameters
    ----------
    n_threads : int, default=1
        Partitions at a time; each of them is in memory while it is processed. Results do not depend on it.
    memory : int, default=2 GiB
        Bytes of state (winners, alignments, bounds) that stay in memory; the rest goes to side files.
    folder : path, optional
        For side files; by default the temporary folder of the system.

    Examples
    --------
    >>> from graphquant.out_of_core.executor import LocalExecutor
    >>> LocalExecutor(2).map(lambda store, part, shared, own: part + shared + own, [1, 2], 10, [100, 200])
    [111, 212]
    """

    def __init__(
        self, n_threads: int = 1, memory: int = DEFAULT_MEMORY, folder: str | Path | None = None
    ) -> None:
        self.n_threads, self.memory, self.folder = n_threads, memory, folder
        self._store = Store(memory, folder)

    def map(
        self,
        work: Work,
        parts: Sequence[Any],
        shared: Any,
        own: Sequence[Any],
        on_done: Callable[[int], None] | None = None,
    ) -> list[Any]:
        """Process all partitions, some at a time; see ``Executor``."""

        def one(part: Any, given: Any) -> Any:
            result = work(self._store, part, shared, given)
            if on_done is not None:
                on_done(1)
            return result

        with ThreadPoolExecutor(self.n_threads) as pool:
            futures = [pool.submit(one, *pair) for pair in zip(parts, own, strict=True)]
            try:
                return [future.result() for future in futures]
            finally:
                # After an error or Ctrl-C, wait only for work that has begun.
                pool.shutdown(wait=False, cancel_futures=True)

    def clear(self) -> None:
        """Drop the stored states of the partitions, in memory and in files."""
        self._store.clear()

    def total_memory(self) -> int:
        """Return the bytes of state that stay in memory."""
        return self.memory

    def __deepcopy__(self, memo: Any) -> "LocalExecutor":
        # scikit-learn's clone copies parameters; states of partitions belong to one run.
        return LocalExecutor(self.n_threads, self.memory, self.folder)

    def __repr__(self) -> str:
        return f"LocalExecutor({self.n_threads}, memory={self.memory})"


__all__ = ["DEFAULT_MEMORY", "Executor", "Keepable", "LocalExecutor", "Store", "Work"]
