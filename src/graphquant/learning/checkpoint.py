"""Snapshots of a run on disk: written completely or not at all, read without executing anything."""

import hashlib
import inspect
import json
import zipfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from graphquant._typing import AnyArray
from graphquant.exceptions import FileFormatError
from graphquant.graphs import GraphCollection
from graphquant.io.base import atomic_path
from graphquant.learning.history import Cycle

# Version 1 contained the arrays of graphquant 1.x.
VERSION = 2


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
    """Content of the file of a run."""

    n_init_matchings: int
    cycles: list[dict[str, Any]]
    rng: dict[str, Any]
    arrays: dict[str, AnyArray]


class Checkpoint:
    """The snapshot of one run in a folder.

    Parameters
    ----------
    folder : path
        Created if it does not exist.
    number : int
        Number of the run, if there are several (``n_init``).
    identity : dict
        Everything the run depends on: a snapshot of another run is refused.
    """

    def __init__(self, folder: str | Path, number: int, identity: dict[str, Any]) -> None:
        self.path = Path(folder) / f"run-{number}.npz"
        self._identity = identity
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as err:
            raise FileFormatError(
                f"checkpoint={str(folder)!r} cannot be created ({err.strerror or err}).",
                "Name a writable folder.",
            ) from err

    def save(self, run: Resumable, n_init_matchings: int) -> None:
        """Replace the snapshot by the current state of the run; its start took ``n_init_matchings``."""
        header = {
            "format": "graphquant-checkpoint",
            "version": VERSION,
            "identity": self._identity,
            "n_init_matchings": n_init_matchings,
            "cycles": [vars(cycle) for cycle in run.cycles],
            "rng": run.rng.bit_generator.state,
        }
        arrays: dict[str, AnyArray] = run.arrays()
        with atomic_path(self.path) as temporary, temporary.open("wb") as file:
            np.savez(file, allow_pickle=False, header=np.array(json.dumps(header)), **arrays)

    def load(self) -> Snapshot | None:
        """Return the snapshot, or None if there is none."""
        if not self.path.exists():
            return None
        try:
            if not zipfile.is_zipfile(self.path):
                # For other files numpy's error explains how to unpickle them, which nobody should do.
                raise zipfile.BadZipFile("not a zip file")
            with self.path.open("rb") as file, np.load(file, allow_pickle=False) as saved:
                arrays = dict(saved)
            header = json.loads(str(arrays.pop("header")))
            if header["format"] != "graphquant-checkpoint":
                raise ValueError(header["format"])
            self._check(header["version"], header["identity"])
            return Snapshot(header["n_init_matchings"], header["cycles"], header["rng"], arrays)
        except FileFormatError:
            raise
        except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as err:
            raise self._damaged(err) from err

    def _check(self, version: int, identity: dict[str, Any]) -> None:
        """Refuse the snapshot of another version, or of another run."""
        if version > VERSION:
            raise FileFormatError(
                f"{self.path}: a checkpoint of version {version}; this graphquant reads version {VERSION}.",
                "Update graphquant.",
            )
        if version < VERSION:
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
            run.restore(saved.arrays)
            run.cycles = [Cycle(**cycle) for cycle in saved.cycles]
            run.rng.bit_generator.state = saved.rng
        except (ValueError, KeyError, TypeError) as err:
            raise self._damaged(err) from err

    def _damaged(self, err: Exception) -> FileFormatError:
        return FileFormatError(
            f"{self.path}: not a checkpoint, or damaged ({type(err).__name__}: {err}).",
            "Name another folder, or remove the file to start over.",
        )


def finished_cycles(folder: str | Path) -> dict[int, int]:
    """Count the finished cycles of each run in a folder of snapshots, by the number of the run.

    A snapshot that cannot be read is skipped: :meth:`Checkpoint.load` says what is wrong with it.
    """
    found = {}
    for path in sorted(Path(folder).glob("run-*.npz")):
        with suppress(OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
            if not zipfile.is_zipfile(path):
                continue
            number = int(path.stem.removeprefix("run-"))
            with np.load(path, allow_pickle=False) as saved:
                found[number] = len(json.loads(str(saved["header"]))["cycles"])
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


__all__ = ["Checkpoint", "Resumable", "Snapshot", "describe", "fingerprint", "finished_cycles"]
