import gc
import logging
import os
import subprocess
import sys
import time

import pytest

from graphquant.kernels import _cache
from graphquant.kernels._cache import compile_ahead, report_progress
from graphquant.kernels._jit import entry


@pytest.fixture
def fresh(monkeypatch):
    """As in a process that has compiled nothing and has no helper."""
    monkeypatch.setattr(_cache, "_announced", False)
    monkeypatch.setattr(_cache, "_helper", None)
    monkeypatch.setattr(_cache, "_on_miss", _cache._on_miss)


def new_entry(tmp_path, name="twice"):
    """Return an entry that no cache knows."""
    path = tmp_path / f"{name}.py"
    path.write_text(f"def {name}(x):\n    return 2 * x\n")
    # A module that can be imported: what is loaded when the first entry is gone looks for it.
    namespace = {"__name__": __name__}
    exec(compile(path.read_text(), str(path), "exec"), namespace)
    return entry(namespace[name])


class Process:
    """Stands in for the second process."""

    def __init__(self, at, ended=False):
        self.at, self.ended = at, ended

    def is_at(self, name):
        return self.at == name

    def has_ended(self):
        return self.ended


@pytest.mark.usefixtures("fresh")
class TestMiss:
    def test_said_once(self, tmp_path, caplog):
        with caplog.at_level(logging.WARNING, "graphquant"):
            assert new_entry(tmp_path, "twice")(2) == 4
            assert new_entry(tmp_path, "double")(2) == 4
        assert [record.message.partition(",")[0] for record in caplog.records] == ["Compiling the kernels"]

    def test_silent_when_cached(self, tmp_path, caplog):
        new_entry(tmp_path)(2)
        gc.collect()
        _cache._announced = False
        caplog.clear()
        with caplog.at_level(logging.WARNING, "graphquant"):
            assert new_entry(tmp_path)(2) == 4
        assert not caplog.records

    def test_reported_by_name(self, tmp_path, capsys):
        report_progress()
        new_entry(tmp_path, "twice")(2)
        assert capsys.readouterr().out == "twice\n"


@pytest.mark.usefixtures("fresh")
class TestCompileAhead:
    def test_waits_for_the_entry_that_the_helper_is_at(self, tmp_path, monkeypatch):
        twice, other = new_entry(tmp_path), new_entry(tmp_path)
        _cache._helper = Process("twice")
        # What the helper does while this process waits: it compiles and saves.
        monkeypatch.setattr(_cache.time, "sleep", lambda _: self.compile_alone(other))
        assert twice(3) == 6
        assert sum(twice.stats.cache_hits.values()) == 1
        assert sum(twice.stats.cache_misses.values()) == 0

    @staticmethod
    def compile_alone(dispatcher):
        helper, _cache._helper = _cache._helper, None
        dispatcher(3)
        _cache._helper = helper

    def test_does_not_wait_for_ever(self, tmp_path, monkeypatch):
        monkeypatch.setattr(_cache, "_PATIENCE", 0.2)
        _cache._helper = Process("twice")
        twice = new_entry(tmp_path)
        began = time.monotonic()
        assert twice(3) == 6
        assert time.monotonic() - began >= 0.2
        assert sum(twice.stats.cache_misses.values()) == 1

    def test_starts_no_process_when_the_entry_is_cached(self, tmp_path, monkeypatch):
        twice = new_entry(tmp_path)
        twice(2)
        monkeypatch.setattr(_cache, "_Helper", lambda module: pytest.fail("started"))
        compile_ahead("graphquant.matching._ahead", twice)

    @pytest.mark.parametrize("executable", ["", "/opt/blender/blender"])
    def test_starts_no_process_but_python(self, tmp_path, monkeypatch, executable):
        monkeypatch.setattr(sys, "executable", executable)
        monkeypatch.setattr(_cache, "_Helper", lambda module: pytest.fail("started"))
        compile_ahead("graphquant.matching._ahead", new_entry(tmp_path))

    def test_one_process_at_a_time(self, tmp_path, monkeypatch):
        started = []
        monkeypatch.setattr(_cache, "_may_start_process", lambda: True)
        monkeypatch.setattr(_cache, "_Helper", lambda module: started.append(module) or Process("", False))
        twice = new_entry(tmp_path)
        compile_ahead("first", twice)
        compile_ahead("second", twice)
        _cache._helper.ended = True
        compile_ahead("third", twice)
        assert started == ["first", "third"]

    def test_goes_on_alone_where_processes_are_forbidden(self, tmp_path, monkeypatch):
        def forbidden(*args, **options):
            raise PermissionError("no")

        monkeypatch.setattr(_cache, "_may_start_process", lambda: True)
        monkeypatch.setattr(subprocess, "Popen", forbidden)
        twice = new_entry(tmp_path)
        compile_ahead("graphquant.matching._ahead", twice)
        assert _cache._helper is None
        assert twice(2) == 4

    def test_a_dying_process_does_no_harm(self, tmp_path, monkeypatch):
        monkeypatch.setattr(_cache, "_may_start_process", lambda: True)
        twice = new_entry(tmp_path)
        compile_ahead("graphquant.no_such_module", twice)
        assert twice(2) == 4
        _cache._helper._process.wait(timeout=60)
        assert _cache._helper.has_ended()


@pytest.mark.parametrize("module", ["graphquant.matching._ahead", "graphquant.quantizers._ahead"])
def test_modules_run(module):
    """Both do their work from a filled cache, and name nothing but entries."""
    done = subprocess.run([sys.executable, "-m", module], capture_output=True, text=True, env=os.environ)
    assert done.returncode == 0, done.stderr
    assert all(line.isidentifier() for line in done.stdout.split())
