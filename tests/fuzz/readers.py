"""Mutated files for every reader: each gives graphs, or one of our errors, within limits of memory and time.

``python -m tests.fuzz.readers gxl 100000`` writes the counts as JSON. Where ``GRAPHQUANT_DATA`` names the
folder of the IAM zips, GXL and CXL files of these are mutated, too.
"""

import atexit
import gzip
import io
import os
import re
import shutil
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import graphquant as gq
from graphquant.graphs import GraphCollection, RawGraphs
from graphquant.io import FileContent, read_file, write_file
from tests.fuzz.mutations import mutate
from tests.fuzz.watch import run
from tests.io.test_tu import GOOD


def raw_letters():
    letters = gq.datasets.make_letters(1, random_state=0)
    raw = letters.raw[np.arange(3)]
    return FileContent(raw, tuple(map(str, letters.labels[:3])))


def vectors():
    rng = np.random.default_rng(0)
    graphs = [
        gq.Graph(rng.normal(size=(3, 2)), [(0, 1), (1, 2)], rng.normal(size=(2, 1)), groups=[0, 1, 1])
        for _ in range(3)
    ]
    return FileContent(GraphCollection(graphs, names=["a", "b", "c"]), ("x", "y", "x"))


def check(content):
    """Whatever is read is a collection whose parts fit, with names that can be shown and written."""
    graphs = content.graphs
    assert isinstance(graphs, RawGraphs | GraphCollection)
    assert graphs.node_offsets[-1] < 10**7
    "".join([*(graphs.names or ()), *(content.targets or ())]).encode()
    for columns in () if isinstance(graphs, GraphCollection) else (graphs.node_columns, graphs.edge_columns):
        for name, column in columns.items():
            "".join([name, *(column.categories or ())]).encode()
    if isinstance(graphs, GraphCollection):
        assert np.isfinite(graphs.node_attrs).all()
        assert np.isfinite(graphs.edge_attrs).all()


def fuzzer(contents, name, change=mutate):
    """Return a case: write a changed content under a name, and read it."""
    # Files in memory, where the system has any: opening one on a disk takes longer than reading it.
    memory = Path("/dev/shm")
    folder = tempfile.mkdtemp(prefix="graphquant-fuzz-", dir=memory if memory.is_dir() else None)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder) / name

    def case(dice, number):
        path.write_bytes(change(dice.choice(contents), dice))
        options = {"strict": True} if dice.random() < 0.2 and path.suffix not in _NOT_STRICT else {}
        content = read_file(path, on_error=dice.choice(("raise", "skip")), **options)
        check(content)
        return "skipped" if content.skipped else "read"

    return case


_NOT_STRICT = (".parquet", ".smi", ".csv", ".sdf")


def written(content, name, **options):
    path = Path(tempfile.mkdtemp(prefix="graphquant-fuzz-")) / name
    write_file(content, path, **options)
    try:
        return path.read_bytes()
    finally:
        shutil.rmtree(path.parent)


def packed(members):
    """The bytes of a zip of members by name."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as file:
        for name, data in members.items():
            file.writestr(name, data)
    return target.getvalue()


def published_gxl():
    """Three graphs of each IAM data set that is there, and their list: texts of other programs, by name."""
    for path in sorted(Path(os.environ.get("GRAPHQUANT_DATA", "-")).glob("*.zip")):
        with zipfile.ZipFile(path) as file:
            listed = next(name for name in file.namelist() if name.endswith(".cxl"))
            text = file.read(listed)
            entries = list(re.finditer(rb"<print\b.*?(/>|</print>)", text))
            members = {"train.cxl": text[: entries[2].end()] + text[entries[-1].end() :]}
            for entry in entries[:3]:
                name = re.search(rb'file="(.*?)"', entry.group())[1].decode()
                members[name] = file.read(f"{listed.rpartition('/')[0]}/{name}")
        yield members


def published_tu():
    """A collection as it is published, without the side file of ours."""
    yield {f"DS/DS_{what}.txt": text for what, text in GOOD.items()}


def gxl():
    ours = [written(one, "a.gxl") for one in (first(raw_letters()), first(vectors()))]
    graphs = (data for members in published_gxl() for name, data in members.items() if name.endswith(".gxl"))
    return fuzzer([*ours, *graphs], "a.gxl")


def json():
    return fuzzer([written(one, "a.json") for one in (first(raw_letters()), first(vectors()))], "a.json")


def first(content):
    """The first graph alone, for formats of one graph."""
    keep = np.arange(1)
    return FileContent(content.graphs[keep], content.targets[:1])


def jsonl():
    return fuzzer([written(raw_letters(), "a.jsonl"), written(vectors(), "a.jsonl")], "a.jsonl")


def graphml():
    return fuzzer([written(raw_letters(), "a.graphml"), written(vectors(), "a.graphml")], "a.graphml")


def packed_jsonl():
    def change(content, dice):
        if dice.random() < 0.5:
            return mutate(gzip.compress(content), dice)
        return gzip.compress(mutate(content, dice))

    return fuzzer([written(raw_letters(), "a.jsonl")], "a.jsonl.gz", change)


def zipped(format, published):
    """Change members of a zip, their names, or the zip."""

    def make():
        contents = [written(one, "a.zip", format=format) for one in (raw_letters(), vectors())]
        contents += map(packed, published())

        def change(content, dice):
            if dice.random() < 0.3:
                return mutate(content, dice)
            with zipfile.ZipFile(io.BytesIO(content)) as old:
                members = {name: old.read(name) for name in old.namelist()}
            chosen = dice.choice(list(members))
            if dice.random() < 0.8:
                members[chosen] = mutate(members[chosen], dice)
                return packed(members)
            called = mutate(chosen.encode(), dice).decode("utf-8", "replace").replace("\0", "")[:300]
            return packed({called or "x" if name == chosen else name: data for name, data in members.items()})

        return fuzzer(contents, "a.zip", change)

    return make


SMILES = b"smiles,name,target,logp\nCCO,ethanol,a,-0.1\nc1ccccc1,benzene,b,2.1\n[NH4+].[Cl-],salt,a,\n"
SDF = b"""methane

 comment
  1  0  0  0  0  0  0  0  0  0999 V2000
    0.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0
M  END
> <class>
a

$$$$
"""


def parquet():
    """Change values and types of a table, and its bytes."""
    contents = [written(one, "a.parquet") for one in (raw_letters(), vectors())]
    tables = {content: pq.read_table(io.BytesIO(content)) for content in contents}

    def change(content, dice):
        if dice.random() < 0.4:
            return mutate(content, dice)
        table = tables[content]
        for _ in range(1 + dice.randrange(2)):
            table = _changed_table(table, dice)
        target = io.BytesIO()
        pq.write_table(table, target, row_group_size=dice.choice((1, 2, 100)))
        return target.getvalue()

    return fuzzer(contents, "a.parquet", change)


def _changed_table(table, dice):
    if dice.random() < 0.3:
        metadata = dict(table.schema.metadata or {})
        metadata[b"graphquant"] = mutate(metadata.get(b"graphquant", b""), dice)
        return table.replace_schema_metadata(metadata)
    at = dice.randrange(table.num_columns)
    values = table.column(at).to_pylist()
    row = dice.randrange(len(values))
    odd = (
        None,
        [],
        [-1],
        [0] * 7,
        2**31 - 1,
        -5,
        1e308,
        float("nan"),
        "x",
        [float("inf")] * 6,
        [2**31 - 1] * 3,
    )
    if isinstance(values[row], list) and values[row] and dice.random() < 0.7:
        values[row][dice.randrange(len(values[row]))] = dice.choice((None, -1, 2**31 - 1, 7, 1, 0))
    else:
        values[row] = dice.choice(odd)
    try:
        column = pa.array(values, None if dice.random() < 0.3 else table.schema.field(at).type)
    except (pa.ArrowException, TypeError, OverflowError, ValueError):
        column = pa.array([str(value) for value in values])
    return table.set_column(at, table.column_names[at], column)


KINDS = {
    "gxl": gxl,
    "json": json,
    "jsonl": jsonl,
    "jsonl.gz": packed_jsonl,
    "graphml": graphml,
    "cxl": zipped("gxl", published_gxl),
    "tu": zipped("tu", published_tu),
    "smi": lambda: fuzzer([b"CCO ethanol\nc1ccccc1 benzene\n[NH4+] x\n"], "a.smi"),
    "csv": lambda: fuzzer([SMILES], "a.csv"),
    "sdf": lambda: fuzzer([SDF, SDF * 2], "a.sdf"),
    "parquet": parquet,
}

if __name__ == "__main__":
    run(KINDS)
