"""Edit distances of all pairs of many graphs, block by block into a file, which may be left and continued."""

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from graphquant._typing import AnyArray, IntArray
from graphquant.edit import match_edits
from graphquant.exceptions import FileFormatError
from graphquant.graphs import GraphCollection
from graphquant.io.base import atomic_path
from graphquant.matching import Matcher
from graphquant.out_of_core.executor import Executor, Store
from graphquant.preprocessing import EditCosts

if TYPE_CHECKING:
    import pyarrow as pa

# Graphs on each side of a tile of pairs: a few seconds of work, and few graphs to prepare for it.
TILE = 256
# Blocks for each worker between two times that finished ones are written.
_BLOCKS_PER_ROUND = 4
_KEY = b"graphquant"


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
    cuts = [np.arange(at, min(at + TILE, n_graphs)) for at in range(0, n_graphs, TILE)]
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


def distances_of(store: Store, block: Block, job: PairJob, own: Any) -> dict[str, AnyArray]:
    """Match the pairs of a block; with a threshold only those that may be within it come back."""
    local = block.local()
    found = match_edits(job.X[block.rows], job.X[block.columns], local, job.costs, job.matcher, job.threshold)
    kept: AnyArray = np.ones(len(local), dtype=bool) if job.threshold is None else found.is_within != 0.0
    return {
        "i": block.rows[local[kept, 0]].astype(np.int64),
        "j": block.columns[local[kept, 1]].astype(np.int64),
        "distance": found.distance[kept],
        "lower_bound": found.lower_bound[kept],
        "proven": found.proven[kept],
    }


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
    _begin(folder, job.identity(blocks))
    done = {block.number for block in blocks if _part(folder, block).exists()}
    if on_done is not None:
        on_done(sum(len(block.local()) for block in blocks if block.number in done))
    waiting = [block for block in blocks if block.number not in done]
    size = max(1, n_workers * _BLOCKS_PER_ROUND)
    for at in range(0, len(waiting), size):
        chosen = waiting[at : at + size]
        found = executor.map(distances_of, chosen, job, [None] * len(chosen))
        for block, columns in zip(chosen, found, strict=True):
            _write(columns, _part(folder, block))
            if on_done is not None:
                on_done(len(block.local()))
    written = _join(blocks, folder, path, job)
    shutil.rmtree(folder)
    return written


def _begin(folder: Path, identity: str) -> None:
    """Make the folder of the parts, or see that it is of the same run."""
    note = folder / "run.json"
    if note.exists():
        if json.loads(note.read_text(encoding="utf-8")).get("identity") == identity:
            return
        raise FileFormatError(
            f"{folder}: holds parts of another run: other graphs, costs, pairs, limits or threshold.",
            "Go on with that run by the same options, delete the folder, or name another file.",
        )
    folder.mkdir(parents=True, exist_ok=True)
    with atomic_path(note) as temporary:
        temporary.write_text(json.dumps({"identity": identity}), encoding="utf-8")


def _part(folder: Path, block: Block) -> Path:
    return folder / f"{block.number:08d}.parquet"


def _write(columns: dict[str, AnyArray], path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with atomic_path(path) as temporary:
        pq.write_table(pa.table(columns), temporary)


def _tables(blocks: Sequence[Block], folder: Path) -> "Iterator[pa.Table]":
    import pyarrow.parquet as pq

    for block in blocks:
        yield pq.read_table(_part(folder, block))


def _join(blocks: Sequence[Block], folder: Path, path: Path, job: PairJob) -> Written:
    """Put all parts into one file, block by block."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = None if job.X.names is None else list(job.X.names)
    about = {"costs": job.costs.to_json(), "threshold": job.threshold, "names": names}
    n_rows = n_proven = 0
    with atomic_path(path) as temporary:
        schema = pa.schema(
            [
                ("i", pa.int64()),
                ("j", pa.int64()),
                ("distance", pa.float64()),
                ("lower_bound", pa.float64()),
                ("proven", pa.bool_()),
            ],
            metadata={_KEY: json.dumps(about).encode()},
        )
        with pq.ParquetWriter(temporary, schema) as writer:
            for table in _tables(blocks, folder):
                if table.num_rows:
                    writer.write_table(table.cast(schema))
                n_rows += table.num_rows
                n_proven += int(np.count_nonzero(table["proven"].to_numpy()))
    return Written(sum(len(block.local()) for block in blocks), n_rows, n_proven)


__all__ = ["Block", "PairJob", "Written", "blocks_of", "distances_of", "tiles", "write_distances"]
