"""What a newcomer is told to try with data of one's own."""

import runpy

from benchmarks.newcomer import OWN


def test_chains_and_complete_graphs_are_told_apart(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(OWN, encoding="utf-8")
    runpy.run_path("own.py")
    assert capsys.readouterr().out.strip() in {str([0, 1] * 6), str([1, 0] * 6)}
    assert (tmp_path / "own.html").stat().st_size > 10_000
