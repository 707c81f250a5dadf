"""Edit distances of all pairs of many graphs, written to a file in blocks; it can be interrupted."""

import hashlib
import json
import logging
import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from graphquant._core.calls import StopFlag
from graphquant._threads import in_threads
from graphquant._typing import AnyArray, IntArray
from graphquant.edit import check_threshold, match_edits
from graphquant.exceptions import FileFormatError
from graphquant.graphs import GraphCollection
from graphquant.io.base import atomic_path
from graphquant.io.strict_json import parse_json
from graphquant.io.tables import TableWriter, read_table
from graphquant.learning.folder_lock import locked
from graphquant.matching import Matcher
from graphquant.out_of_core.executor import Executor, LocalExecutor, Store
from graphquant.preprocessing import EditCosts

if TYPE_CHECKING:
    import pyarrow as pa

# Graphs on each side of a tile of pairs: a block is a few seconds of work, which an interrupted run loses.
# And the most tiles in a row: they are larger for more graphs, so that there are never millions of files.
TILE, _MOST_IN_A_ROW = 64, 256
# Blocks for each worker of a cluster between two times that finished ones are written.
_BLOCKS_PER_ROUND = 4
_KEY = b"graphquant"
# In the folder of parts: whose they are, and what holds the folder where it cannot be held itself.
_NOTE, _LOCK = "run.json", ".lock"

logger = logging.getLogger("graphquant")


@dataclass(frozen=True)
class Block:
    """Pairs that are matched together: a tile of all pairs, or some given ones."""

    number: int
    rows: IntArray
    columns: IntArray
    pairs: IntArray | None = None  # positions in rows and columns; None: all i < j of the tile

    def __str__(self) -> str:
        return f"block {self.number} of pairs"

    def local(self) -> IntArray:
        """Return pairs as positions in ``rows`` and ``columns``."""
        if self.pairs is not None:
            return self.pairs
        i, j = np.nonzero(self.rows[:, None] < self.columns[None, :])
        return np.column_stack([i, j])


@dataclass(frozen=True)
class PairJob:
    """What all blocks have in common.

    Attributes
    ----------
    X : GraphCollection
        Graphs encoded by ``costs``.
    costs : EditCosts
    matcher : Matcher
    threshold : float or None
        Pairs that are further apart are left out of the result.
    """

    X: GraphCollection
    costs: EditCosts
    matcher: Matcher
    threshold: float | None = None

    def __post_init__(self) -> None:
        check_threshold(self.threshold)

    def identity(self, blocks: Sequence[Block]) -> str:
        """Return a digest of all that the result depends on."""
        found = hashlib.sha256(
            repr((self.costs.digest(), self.matcher, self.threshold, len(blocks))).encode()
        )
        graphs = self.X.packed()
        for array in (
            graphs.node_offsets,
            graphs.node_attrs,
            graphs.edge_offsets,
            graphs.edges,
            graphs.edge_attrs,
        ):
            found.update(np.ascontiguousarray(array).tobytes())
        for block in blocks:
            found.update(block.rows.tobytes() + block.columns.tobytes())
            found.update(b"" if block.pairs is None else block.pairs.tobytes())
        return found.hexdigest()


def tiles(n_graphs: int) -> list[Block]:
    """Return blocks that hold all pairs i < j.

    Examples
    --------
    >>> from graphquant.out_of_core.pairs import tiles
    >>> sum(len(block.local()) for block in tiles(600)) == 600 * 599 // 2
    True
    """
    side = max(TILE, -(-n_graphs // _MOST_IN_A_ROW))
    cuts = [np.arange(at, min(at + side, n_graphs)) for at in range(0, n_graphs, side)]
    pairs = [(rows, columns) for a, rows in enumerate(cuts) for columns in cuts[a:]]
    return [Block(number, rows, columns) for number, (rows, columns) in enumerate(pairs)]


def blocks_of(pairs: IntArray) -> list[Block]:
    """Return blocks of given pairs, in their order."""
    found = []
    for number, at in enumerate(range(0, len(pairs), TILE * TILE)):
        part = pairs[at : at + TILE * TILE]
        rows, i = np.unique(part[:, 0], return_inverse=True)
        columns, j = np.unique(part[:, 1], return_inverse=True)
        found.append(Block(number, rows, columns, np.column_stack([i, j]).astype(np.int64)))
    return found


def distances_of(block: Block, job: PairJob, stop: StopFlag | None = None) -> dict[str, AnyArray]:
    """Match the pairs of a block; with a threshold only those that may be within it come back."""
    local = block.local()
    found = match_edits(
        job.X[block.rows], job.X[block.columns], local, job.costs, job.matcher, job.threshold, stop=stop
    )
    kept: AnyArray = np.ones(len(local), dtype=bool) if job.threshold is None else found.is_within != 0.0
    return {
        "i": block.rows[local[kept, 0]].astype(np.int64),
        "j": block.columns[local[kept, 1]].astype(np.int64),
        "distance": found.distance[kept],
        "lower_bound": found.lower_bound[kept],
        "proven": found.proven[kept],
    }


Keep = Callable[[Block, dict[str, AnyArray]], None]


@dataclass(frozen=True)
class Written:
    """What is in the file: rows, and how many of them are proven, of so many pairs."""

    n_pairs: int
    n_rows: int
    n_proven: int


def write_distances(
    job: PairJob,
    blocks: Sequence[Block],
    path: Path,
    executor: Executor,
    n_workers: int,
    *,
    on_done: Callable[[int], None] | None = None,
) -> Written:
    """Write the distances of all pairs of blocks to a Parquet file.

    Finished blocks are in the folder ``FILE.parts`` until all are; the same call goes on with what is there.
    """
    folder = path.with_name(path.name + ".parts")
    with locked(folder, what="folder ", by="run"):
        _begin(folder, job.identity(blocks))
        done = {block.number for block in blocks if _is_whole(_part(folder, block), block)}
        if on_done is not None:
            on_done(sum(len(block.local()) for block in blocks if block.number in done))
        waiting = [block for block in blocks if block.number not in done]

        def keep(block: Block, columns: dict[str, AnyArray]) -> None:
            _write(columns, _part(folder, block))
            if on_done is not None:
                on_done(len(block.local()))

        if isinstance(executor, LocalExecutor):
            _work_here(job, waiting, executor.n_threads, keep)
        else:
            _work_in_rounds(job, waiting, executor, max(1, n_workers * _BLOCKS_PER_ROUND), keep)
        written = _join(blocks, folder, path, job)
        for part in [*(_part(folder, block) for block in blocks), folder / _NOTE]:
            part.unlink()
    with suppress(OSError):
        # Unless there is something of somebody else's in it.
        folder.rmdir()
    return written


def _work_here(job: PairJob, blocks: Sequence[Block], n_threads: int, keep: Keep) -> None:
    """Write each block as soon as it is done; after Ctrl-C those that have begun end at once."""
    stop = StopFlag()
    in_threads(lambda block: keep(block, distances_of(block, job, stop)), blocks, n_threads, stop)


def _distances_there(store: Store, block: Block, job: PairJob, own: Any) -> dict[str, AnyArray]:
    return distances_of(block, job)


def _work_in_rounds(job: PairJob, blocks: Sequence[Block], executor: Executor, size: int, keep: Keep) -> None:
    """Write blocks from time to time: workers may have no disk in common."""
    for at in range(0, len(blocks), size):
        chosen = blocks[at : at + size]
        found = executor.map(_distances_there, chosen, job, [None] * len(chosen))
        for block, columns in zip(chosen, found, strict=True):
            keep(block, columns)


def _begin(folder: Path, identity: str) -> None:
    """See that a folder is of the same run, or empty, and say whose it is."""
    note = folder / _NOTE
    if note.exists():
        if _identity_in(note) == identity:
            return
        raise FileFormatError(
            f"{folder}: holds parts of another run: other graphs, costs, pairs, limits or threshold.",
            "Continue that run with the same options, delete the folder, or name another file.",
        )
    if any(path.name != _LOCK for path in folder.iterdir()):
        raise FileFormatError(
            f"{folder}: is not empty, and holds no parts of a run.", "Move it away, or name another file."
        )
    with atomic_path(note) as temporary:
        temporary.write_text(json.dumps({"identity": identity}), encoding="utf-8")


def _identity_in(note: Path) -> str | None:
    """Return the identity of the run whose parts are there; None if that cannot be read."""
    with suppress(OSError, ValueError):
        saved = parse_json(note.read_bytes())
        if isinstance(saved, dict):
            return str(saved.get("identity"))
    return None


def _part(folder: Path, block: Block) -> Path:
    return folder / f"{block.number:08d}.parquet"


def _is_whole(part: Path, block: Block) -> bool:
    """Whether the distances of a block are there; they are computed again if what is there is damaged."""
    if not part.exists():
        return False
    try:
        table = read_table(part)
        if table.schema.remove_metadata() != _schema() or table.num_rows > len(block.local()):
            raise FileFormatError(f"{part}: not the distances of {block}.")
    except FileFormatError as err:
        logger.warning("%s The distances of %s are computed again.", err.message, block)
        return False
    return True


def _write(columns: dict[str, AnyArray], path: Path) -> None:
    import pyarrow as pa

    with atomic_path(path) as temporary:
        writer = TableWriter(temporary, _schema())
        writer.write(pa.table(columns, _schema()))
        writer.close()


def _schema() -> "pa.Schema":
    import pyarrow as pa

    return pa.schema(
        [
            ("i", pa.int64()),
            ("j", pa.int64()),
            ("distance", pa.float64()),
            ("lower_bound", pa.float64()),
            ("proven", pa.bool_()),
        ]
    )


def _join(blocks: Sequence[Block], folder: Path, path: Path, job: PairJob) -> Written:
    """Put all parts into one file, block by block."""
    names = None if job.X.names is None else list(job.X.names)
    is_limited = job.threshold is not None and job.threshold < math.inf
    about = {
        "costs": job.costs.to_json(),
        "threshold": job.threshold if is_limited else None,
        "names": names,
    }
    n_rows = n_proven = 0
    with atomic_path(path) as temporary:
        writer = TableWriter(temporary, _schema().with_metadata({_KEY: json.dumps(about).encode()}))
        for block in blocks:
            table = read_table(_part(folder, block))
            writer.write(table.cast(_schema()))
            n_rows += table.num_rows
            n_proven += int(np.count_nonzero(table["proven"].to_numpy()))
        writer.close()
    return Written(sum(len(block.local()) for block in blocks), n_rows, n_proven)


__all__ = ["Block", "PairJob", "Written", "blocks_of", "distances_of", "tiles", "write_distances"]
