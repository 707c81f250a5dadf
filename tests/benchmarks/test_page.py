"""Pages of benchmarks: each from the records that are there."""

import json
import sys

from benchmarks import page

MACHINE = {
    "commit": "0123",
    "processor": "P",
    "cores": 2,
    "system": "Linux-6",
    "python": "3.12",
    "packages": {"numpy": "2.0"},
}


def test_pages_say_what_was_promised_and_what_does_not_hold(tmp_path, monkeypatch):
    records = [
        {"benchmark": "a fit", "measured": 5.5, "unit": "CPU s", "at_most": 3.0},
        {"benchmark": "a pair", "measured": 92.0, "unit": "%", "at_least": 88.0},
    ]
    content = {"date": "2026-11-19T12:00", "machine": MACHINE, "records": records}
    (tmp_path / "large.json").write_text(json.dumps(content))
    monkeypatch.setattr(sys, "argv", ["page", "--results", str(tmp_path), "--pages", str(tmp_path)])
    assert [path.name for path in page.main()] == ["large.md"]
    text = (tmp_path / "large.md").read_text()
    assert text.startswith("# Graphs as large as molecules\n")
    assert "2026-11-19, commit 0123, P (2 cores), Linux; Python 3.12, numpy 2.0." in text
    assert "| a fit | 5.5 CPU s | <= 3 | **broken** |" in text
    assert "| a pair | 92 % | >= 88 | kept |" in text
