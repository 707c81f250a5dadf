"""The page of edit distances: others beside us, where they are quicker, and no goals."""

import json
import sys

from benchmarks import edit_page

MACHINE = {
    "commit": "0123",
    "processor": "P",
    "cores": 2,
    "system": "Linux-6",
    "python": "3.12",
    "packages": {},
}


def contestant(name, nodes, measured, done=1.0):
    return {"benchmark": f"{name}, {nodes} nodes", "measured": measured, "unit": "ms a pair"} | {
        "done": done,
        "contestant": name,
        "nodes": nodes,
    }


def test_the_page_says_where_others_are_quicker_and_can_be_made_of_its_own_data(tmp_path, monkeypatch):
    proven = {"costs": "unit costs", "seconds": 0.01, "each_ms": [1.0, 2.0], "pairs": 4}
    records = [
        {"benchmark": "molecules, 10 ms", "measured": 0.5, "unit": "of pairs proven", **proven},
        contestant("networkx", 4, 8.0),
        contestant("networkx", 8, 900.0, 0.25),
        contestant("edit_distance", 4, 2.0),
        contestant("edit_distance", 8, 3.0),
        contestant("common_subgraph", 4, 2.0),
        contestant("common_subgraph", 8, 2.0),
        contestant("RDKit rdRascalMCES", 4, 0.1),
        contestant("RDKit rdRascalMCES", 8, 10.0),
        {"benchmark": "fragments", "measured": 13.2, "unit": "us a pair", "proven": 1.0, "at_most": 9.2},
        {"benchmark": "codebook", "measured": 1.9, "unit": "", "at_most": 3.0, "seconds_edit": 12.0},
    ]
    content = {"date": "2026-11-19T12:00", "machine": MACHINE, "records": records}
    (tmp_path / "edit.json").write_text(json.dumps(content))
    monkeypatch.setattr(sys, "argv", ["edit_page", "--results", str(tmp_path), "--pages", str(tmp_path)])
    first, again = (edit_page.main().read_text(encoding="utf-8") for _ in range(2))
    assert first == again
    assert "Where both finished, 4 nodes, networkx is up to 4 times slower than `gq.edit_distance`." in first
    assert (
        "RDKit is quicker than `gq.common_subgraph` at 4 nodes and up to 5 times slower at the others."
        in first
    )
    assert "| networkx, 1 s at most | 8 | 900 (25%) |" in first
    assert "| unit costs | 50 % |" in first
    assert "| fragments | 13.2 µs | 100 % |  |" in first
    assert "| codebook | 1.9 | 12 s |  |" in first
    assert "goal" not in first
    assert "9.2" not in first
