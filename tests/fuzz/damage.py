"""Flip bits of files that graphquant writes, or cut them short: each gives what it held, or is refused.

``python -m tests.fuzz.damage codebook 2000`` writes the counts as JSON.
"""

import shutil
import tempfile
from pathlib import Path

import numpy as np

import graphquant as gq
from graphquant.cli._formats import RowFormat
from graphquant.cli._rows import rows_to
from graphquant.edit import edit_matcher
from graphquant.exceptions import FileFormatError
from graphquant.io import FileContent, read_file, write_file
from graphquant.io.tables import read_table
from graphquant.learning.array_files import DamagedArraysError, read_arrays
from graphquant.learning.checkpoint import Checkpoint
from graphquant.out_of_core import LocalExecutor
from graphquant.out_of_core.pairs import PairJob, tiles, write_distances
from graphquant.preprocessing import EditCosts
from tests.fuzz.watch import run


def damaged(content, dice):
    """Return a file with one bit flipped, or cut short."""
    if dice.random() < 0.2:
        return content[: dice.randrange(len(content))]
    at = dice.randrange(len(content))
    return content[:at] + bytes([content[at] ^ 1 << dice.randrange(8)]) + content[at + 1 :]


def case_of(name, write, read):
    """Return a case: damage what ``write(path)`` wrote, and compare what ``read(path)`` makes of it."""
    path = Path(tempfile.mkdtemp(prefix="graphquant-damage-")) / name
    write(path)
    content, expected = path.read_bytes(), read(path)

    def case(dice, number):
        path.write_bytes(damaged(content, dice))
        assert read(path) == expected, f"case {number}: loaded as something else"
        return "same"

    return case


def letters():
    return gq.datasets.make_letters(4, random_state=0)


def codebook():
    """A codebook with an encoder."""
    return codebook_of(letters(), 6)


def edits():
    """A codebook in the edit distance, with molecules as medoids."""
    smiles = ["CCO", "CCN", "CCCO", "c1ccccc1", "c1ccccc1C", "CC(=O)O"]
    return codebook_of(smiles, 3, encoder=EditCosts())


def codebook_of(data, n_codes, **settings):
    q = gq.GraphQuantizer(n_codes, random_state=0, max_cycles=3, **settings).fit(data)

    def read(path):
        q = gq.load(path)
        codes, encoder = q.codebook_, q.encoder_
        return (
            codes,
            codes.names,
            codes.schema,
            repr(q.get_params()),
            list(q.history_),
            q._wins.tolist(),
            [q.distortion_, q.n_matchings_, q.n_init_matchings_, q.n_shift_matchings_, q.order_],
            encoder and encoder.to_json(),
            q.medoids_,
            [q.core(code).describe() for code in range(n_codes)],
        )

    return case_of("codebook.parquet", q.save, read)


def encodings():
    """Rows of graphquant encode, in two blocks."""

    def rows(n):
        return [{"graph": f"g{i}", "code": i, "distance": i / 7, "proven": i % 2 == 0} for i in range(n)]

    def write(path):
        with rows_to(path, RowFormat.PARQUET) as writer:
            writer.write(rows(30))
            writer.write(rows(12))

    return case_of("encodings.parquet", write, lambda path: read_table(path).to_pydict())


def distances():
    """What graphquant pairwise writes."""
    graphs = EditCosts().fit_transform(["CCO", "CCN", "C", "CC", "c1ccccc1"])
    job = PairJob(graphs, graphs.schema.encoder, edit_matcher("auto", 100, None), 5.0)

    def read(path):
        table = read_table(path)
        return table.to_pydict(), table.schema.metadata[b"graphquant"]

    return case_of(
        "distances.parquet", lambda path: write_distances(job, tiles(5), path, LocalExecutor(), 1), read
    )


def collection():
    """Vectors in several row groups, with classes, names and columns."""
    data = letters()
    content = FileContent(
        data.graphs, tuple(map(str, data.targets)), {"a": 1}, "letters", columns={"c": data.names}
    )

    def read(path):
        found = read_file(path)
        return found.graphs, found.graphs.schema, found.targets, dict(found.metadata), found.columns

    return case_of("letters.parquet", lambda path: write_file(content, path, row_group_size=25), read)


def raw():
    """Raw attributes: numbers and texts."""
    content = FileContent(letters().raw)

    def read(path):
        return read_file(path).graphs

    return case_of("raw.parquet", lambda path: write_file(content, path), read)


def checkpoint():
    """A snapshot of a run: its header and its arrays."""
    folder = Path(tempfile.mkdtemp(prefix="graphquant-damage-"))
    settings = {"random_state": 0, "max_cycles": 2, "checkpoint": folder}
    gq.GraphQuantizer(4, init="random", **settings).fit(letters())
    snapshot = folder / "run-0.npz"
    with np.load(snapshot) as saved:
        like = {name: array for name, array in saved.items() if name != "header"}

    def read(path):
        saved = Checkpoint(path.parent, 0, {}).load()
        try:
            arrays = read_arrays(path, like, others=("header",))
        except DamagedArraysError as err:
            raise FileFormatError(str(err)) from err
        return saved, {name: array.tobytes() for name, array in arrays.items()}

    return case_of("run-0.npz", lambda path: shutil.copy(snapshot, path), read)


KINDS = {
    "checkpoint": checkpoint,
    "codebook": codebook,
    "collection": collection,
    "distances": distances,
    "edits": edits,
    "encodings": encodings,
    "raw": raw,
}

if __name__ == "__main__":
    run(KINDS)
