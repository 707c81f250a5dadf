"""Stores keep state up to their budget in memory, and all of it until it is forgotten."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone

import graphquant as gq
from graphquant.out_of_core import dask
from graphquant.out_of_core.executor import LocalExecutor, Store


class Counter:
    """A state of eight bytes."""

    def __init__(self):
        self.value = np.zeros(1)

    def arrays(self):
        return {"value": self.value}

    def restore(self, arrays):
        self.value[:] = arrays["value"]

    @property
    def nbytes(self):
        return self.value.nbytes


def visit(store, key):
    state, is_new = store.take(key, Counter)
    state.value += 1
    store.give(key, state)
    return state.value[0], is_new


@pytest.mark.parametrize(("memory", "in_memory", "files"), [(0, 0, 3), (16, 2, 1), (1000, 3, 0)])
def test_state_survives_in_memory_or_in_files(memory, in_memory, files, tmp_path: Path):
    store = Store(memory, tmp_path)
    assert [visit(store, key) for key in "abc"] == [(1.0, True)] * 3
    assert [visit(store, key) for key in "abc"] == [(2.0, False)] * 3
    assert store.held_bytes == 8 * in_memory
    assert len(list(tmp_path.glob("*/*.npz"))) == files
    store.clear()
    assert list(tmp_path.iterdir()) == []
    assert visit(store, "a") == (1.0, True)


@pytest.mark.parametrize("damage", ["cut", "text", "another array", "gone"])
def test_a_damaged_side_file_costs_time_only(damage, tmp_path: Path, caplog):
    store = Store(0, tmp_path)
    visit(store, "a")
    [file] = tmp_path.glob("*/*.npz")
    if damage == "gone":
        file.unlink()
    elif damage == "another array":
        np.savez(file, value=np.zeros(3))
    else:
        file.write_bytes(b"a letter" if damage == "text" else file.read_bytes()[:50])
    assert visit(store, "a") == (1.0, True)
    assert "the state of a partition is built again" in caplog.text


def test_a_full_disk_costs_time_only(tmp_path: Path, caplog, monkeypatch):
    def fail(path, arrays):
        path.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("graphquant.out_of_core.executor.write_arrays", fail)
    store = Store(0, tmp_path)
    assert [visit(store, "a"), visit(store, "a")] == [(1.0, True)] * 2
    assert list(tmp_path.glob("*/*.npz")) == []
    assert "No space left" in caplog.text


def test_files_go_with_the_store(tmp_path: Path):
    store = Store(0, tmp_path)
    visit(store, "a")
    assert len(list(tmp_path.iterdir())) == 1
    del store
    assert list(tmp_path.iterdir()) == []


def test_an_error_of_one_partition_is_raised():
    def fail(store, part, shared, own):
        raise ValueError(f"partition {part}")

    with pytest.raises(ValueError, match="partition 7"):
        LocalExecutor(2).map(fail, [7, 7], None, [None, None])


def test_an_executor_is_a_parameter_like_others():
    q = gq.GraphQuantizer(3, executor=LocalExecutor(2, memory=77))
    assert clone(q).executor.memory == 77
    assert "LocalExecutor(2, memory=77)" in repr(q)


def test_a_worker_forgets_executors_whose_client_is_gone(monkeypatch):
    stores, now = {}, 1000.0
    monkeypatch.setattr(dask, "_stores", stores)
    monkeypatch.setattr(dask, "_used_at", {})
    monkeypatch.setattr(dask.time, "monotonic", lambda: now)
    for name in ("killed", "working"):
        visit(dask._store_of(name, 1000), "a")
    now += 3000.0
    assert visit(dask._store_of("working", 1000), "a") == (2.0, False)
    now += 1000.0
    # Only a new executor makes room, and only what nobody uses makes way for it.
    assert visit(dask._store_of("working", 1000), "a") == (3.0, False)
    assert set(stores) == {"killed", "working"}
    dask._store_of("new", 1000)
    assert set(stores) == {"working", "new"}
