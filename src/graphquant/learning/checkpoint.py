"""Snapshots of a run on disk: written completely or not at all, read without executing anything."""

import hashlib
import inspect
import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from graphquant._typing import AnyArray
from graphquant.exceptions import FileFormatError
from graphquant.graphs import GraphCollection, as_collection
from graphquant.io.base import atomic_path
from graphquant.io.strict_json import parse_json
from graphquant.learning.array_files import DamagedArraysError, read_arrays, read_text, write_arrays
from graphquant.learning.history import Cycle, cycle_from_record

# Version 1 contained the arrays of graphquant 1.x.
_VERSION = 2
# The name of what is beside the arrays, and the most that it may take: four bytes a character.
_HEADER, _HEADER_BYTES = "header", 2**26
# What a run does not depend on, or what shows elsewhere: an encoder in the vectors, which are hashed.
_NOT_OF_A_RUN = (
    "n_jobs",
    "progress",
    "checkpoint",
    "executor",
    "random_state",
    "init",
    "encoder",
    "relocate_idle",
)
# Of the time of a run, snapshots may take this share; and these seconds in any case.
_SHARE, _FREE_SECONDS = 0.05, 1.0
# What a damaged file may raise.
_DAMAGE = (DamagedArraysError, OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError)


class Resumable(Protocol):
    """A run that can continue from its arrays, its cycles and the state of its generator."""

    cycles: list[Cycle]
    rng: np.random.Generator

    def arrays(self) -> dict[str, AnyArray]:
        """Return all arrays that the rest of the run depends on, by name."""
        ...

    def restore(self, arrays: dict[str, AnyArray]) -> None:
        """Set all arrays to saved ones."""
        ...


@dataclass(frozen=True)
class Snapshot:
    """What a file of a run says beside its arrays."""

    n_init_matchings: int
    cycles: list[Cycle]
    rng: dict[str, Any]


class Checkpoint:
    """The snapshot of one run in a folder.

    Parameters
    ----------
    folder : path
        It is there, and held by :func:`graphquant.learning.folder_lock.locked`.
    number : int
        Number of the run, if there are several (``n_init``).
    identity : dict
        Everything the run depends on: a snapshot of another run is refused.
    """

    def __init__(self, folder: str | Path, number: int, identity: dict[str, Any]) -> None:
        self.path = Path(folder) / f"run-{number}.npz"
        self._identity = identity

    def save(self, run: Resumable, n_init_matchings: int) -> None:
        """Replace the snapshot by the current state of the run; its start took ``n_init_matchings``."""
        header = {
            "format": "graphquant-checkpoint",
            "version": _VERSION,
            "identity": self._identity,
            "n_init_matchings": n_init_matchings,
            "cycles": [vars(cycle) for cycle in run.cycles],
            "rng": run.rng.bit_generator.state,
        }
        with atomic_path(self.path) as temporary:
            write_arrays(temporary, {_HEADER: np.array(json.dumps(header)), **run.arrays()})

    def load(self) -> Snapshot | None:
        """Return the snapshot, or None if there is none."""
        if not self.path.exists():
            return None
        try:
            header = _read_header(self.path)
            self._check(header["version"], header["identity"])
            n_init_matchings = header["n_init_matchings"]
            if not isinstance(n_init_matchings, int) or n_init_matchings < 0:
                raise ValueError(f"n_init_matchings is {n_init_matchings!r}")
            return Snapshot(n_init_matchings, _cycles(header), header["rng"])
        except FileFormatError:
            raise
        except _DAMAGE as err:
            raise self._damaged(err) from err

    def _check(self, version: int, identity: dict[str, Any]) -> None:
        """Refuse the snapshot of another version, or of another run."""
        if version > _VERSION:
            raise FileFormatError(
                f"{self.path}: a checkpoint of version {version}; this graphquant reads version {_VERSION}.",
                "Update graphquant.",
            )
        if version < _VERSION:
            raise FileFormatError(
                f"{self.path}: a checkpoint of graphquant 1.x, which later versions cannot continue.",
                "Finish the run with graphquant 1.x, or remove the file to start over.",
            )
        differing = [name for name in self._identity if identity.get(name) != self._identity[name]]
        if differing:
            raise FileFormatError(
                f"{self.path}: the checkpoint of a run with a different {', different '.join(differing)}.",
                "Name another folder, or remove the file to start over.",
            )

    def restore(self, run: Resumable, saved: Snapshot) -> None:
        """Restore a run to the state of the snapshot."""
        try:
            run.restore(read_arrays(self.path, run.arrays(), others=(_HEADER,)))
            run.cycles = list(saved.cycles)
            run.rng.bit_generator.state = saved.rng
        except _DAMAGE as err:
            raise self._damaged(err) from err

    def _damaged(self, err: Exception) -> FileFormatError:
        reason = str(err) if isinstance(err, DamagedArraysError) else f"{type(err).__name__}: {err}"
        return FileFormatError(
            f"{self.path}: not a checkpoint, or damaged ({reason}).",
            "Name another folder, or remove the file to start over.",
        )


class Pace:
    """Tells when a snapshot is worth its time: at most a share of a run goes into them.

    The first second is free, so that short runs keep every cycle.

    Examples
    --------
    >>> seconds = iter([0.0, 0.0, 2.0, 3.0, 50.0])
    >>> pace = Pace(clock=lambda: next(seconds))
    >>> with pace.saving():  # takes two seconds
    ...     pass
    >>> pace.allows(), pace.allows()  # after 3 and 50 seconds
    (False, True)
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock, self._began, self._spent = clock, clock(), 0.0

    def allows(self) -> bool:
        """Whether a snapshot now keeps to the share."""
        return self._spent <= max(_FREE_SECONDS, _SHARE * (self._clock() - self._began))

    @contextmanager
    def saving(self) -> Iterator[None]:
        """Count the time of the block."""
        began = self._clock()
        yield
        self._spent += self._clock() - began


def _read_header(path: Path) -> dict[str, Any]:
    """Return what a snapshot says beside its arrays."""
    header: dict[str, Any] = parse_json(read_text(path, _HEADER, _HEADER_BYTES))
    if header["format"] != "graphquant-checkpoint":
        raise ValueError(f"format {header['format']!r}")
    return header


def _cycles(header: dict[str, Any]) -> list[Cycle]:
    """Return the cycles of a snapshot, which are numbered from 1."""
    found = [cycle_from_record(record) for record in header["cycles"]]
    if [cycle.cycle for cycle in found] != list(range(1, len(found) + 1)):
        raise ValueError("the cycles are not numbered from 1")
    return found


def finished_cycles(folder: str | Path) -> dict[int, int]:
    """Count the finished cycles of each run in a folder of snapshots, by the number of the run.

    A snapshot that cannot be read is skipped: :meth:`Checkpoint.load` says what is wrong with it.
    """
    found = {}
    for path in sorted(Path(folder).glob("run-*.npz")):
        with suppress(*_DAMAGE):
            found[int(path.stem.removeprefix("run-"))] = len(_read_header(path)["cycles"])
    return found


def describe(value: Any) -> str:
    """Return a text that is the same for equal parameters in any process."""
    kind: Any = value if inspect.isroutine(value) else type(value)
    if kind is value or kind.__repr__ is object.__repr__:
        return f"{kind.__module__}.{kind.__qualname__}"
    return repr(value)


def fingerprint(X: GraphCollection) -> str:
    """Hash of everything that a run uses of its graphs."""
    digest = hashlib.sha256()
    packed = X.packed()
    arrays = (packed.node_offsets, packed.node_attrs, packed.edge_offsets, packed.edges, packed.edge_attrs)
    for array in (*arrays, packed.groups):
        digest.update(b"-" if array is None else np.ascontiguousarray(array).tobytes())
    digest.update(str(packed.directed).encode())
    return digest.hexdigest()


def identity_of(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a snapshot has to agree with; a training set adds its own."""
    identity = {name: describe(value) for name, value in params.items() if name not in _NOT_OF_A_RUN}
    init, seed = params["init"], params["random_state"]
    identity["init"] = init if isinstance(init, str) else fingerprint(as_collection(init))
    if isinstance(seed, int | np.integer):
        identity["random_state"] = repr(int(seed))
    return identity


__all__ = ["Checkpoint", "Pace", "Resumable", "Snapshot", "describe", "fingerprint", "finished_cycles"]
