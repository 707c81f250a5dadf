"""Codebooks that were made to be believed: other values in their metadata, with checksums that fit.

Each is refused with an error of ours when it is loaded, or serves: it predicts, and tells of itself.
"""

import json
import tempfile
from pathlib import Path

import pyarrow.parquet as pq

import graphquant as gq
from graphquant.io._checksums import KEY, Checksums
from graphquant.preprocessing import EditCosts
from tests.fuzz.watch import run

VALUES = (
    None, True, False, 0, 1, -1, 2, 2**31 - 1, 2**31, 2**63, 10**30, 0.5, -0.5, 1e300, 1e308, -1e308, 1e-320,
    "", "x", "label", "\x1b[31m", "../../x", "=1+1", "é" * 1000, [], {}, [0], [[]], [None], ["x"], {"x": 1},
    [1e308],
)  # fmt: skip


def leaves(value, path=()):
    """Yield the paths of all values of JSON, inner ones too."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in items:
        yield from leaves(inner, (*path, name))


def changed(value, dice):
    """Change a value somewhere in JSON, take it out, or put another one beside it."""
    path = dice.choice([path for path in leaves(value) if path])
    at = value
    for name in path[:-1]:
        at = at[name]
    change = dice.randrange(6)
    if change == 0:
        del at[path[-1]]
    elif change == 1 and isinstance(at, list):
        at.insert(path[-1], at[path[-1]])
    elif change == 2:
        other = value
        for name in dice.choice(list(leaves(value))):
            other = other[name]
        at[path[-1]] = json.loads(json.dumps(other))
    elif change == 3 and isinstance(at, dict):
        at[str(dice.choice(VALUES))[:20]] = at.pop(path[-1])
    else:
        at[path[-1]] = dice.choice(VALUES)


def rewritten(path, target, dice):
    """Write a codebook again with other metadata, now and then with other values of its columns."""
    table = pq.read_table(path)
    header = json.loads(table.schema.metadata[b"graphquant"])
    for _ in range(1 + dice.randrange(3)):
        changed(header, dice)
    if dice.random() < 0.2:
        name = dice.choice([name for name in table.column_names if name.startswith("about:")])
        values = table[name].to_pylist()
        values[dice.randrange(len(values))] = dice.choice(
            (None, "", "[]", "x", "[1e400]", '{"a": [NaN]}', "{" * 5000)
        )
        at = table.column_names.index(name)
        table = table.set_column(at, table.schema.field(at), [values])
    text = json.dumps(header).encode()
    sums = Checksums.of(text)
    sums.add(table)
    metadata = {b"graphquant": text, KEY: sums.to_json().encode()}
    pq.write_table(table.replace_schema_metadata(metadata), target, row_group_size=len(table))


def case_of(data, **settings):
    """Return a case for a codebook of some graphs."""
    folder = Path(tempfile.mkdtemp(prefix="graphquant-crafted-"))
    gq.GraphQuantizer(3, random_state=0, max_cycles=2, **settings).fit(data).save(folder / "codebook.parquet")

    def case(dice, number):
        rewritten(folder / "codebook.parquet", folder / "crafted.parquet", dice)
        q = gq.load(folder / "crafted.parquet")
        json.dumps(q.get_params(), default=repr)
        repr(q)
        for code in range(len(q.codebook_)):
            q.core(code) if q._clusters is not None else None
        if q.encoder_ is not None:
            q.encoder_.describe()
            q.encoder_.inverse_transform(q.codebook_)
        q.transform(data)
        q.save(folder / "again.parquet")
        gq.load(folder / "again.parquet")
        return "read"

    return case


def letters():
    return case_of(gq.datasets.make_letters(2, random_state=0))


def edits():
    return case_of(gq.datasets.make_letters(1, random_state=0).raw, encoder=EditCosts(node=["x"], edge=[]))


SMILES = ("CCO", "CCN", "c1ccccc1", "CC(=O)O", "CC(=O)[O-]", "C1CCCCC1", "CCl")


def molecules():
    return case_of([*SMILES])


KINDS = {"edits": edits, "letters": letters, "molecules": molecules}

if __name__ == "__main__":
    run(KINDS)
