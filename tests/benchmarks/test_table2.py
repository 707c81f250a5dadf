"""What is promised of Table 2 in our own setting."""

import json

from benchmarks import bench_table2
from benchmarks.__main__ import is_kept

ROW = {"setting": "own", "set": "letter", "k": 15, "runs": 10, "accuracy_mean": 0.96, "speedup": 21.0}


def test_promises_are_decided_by_the_rows(tmp_path, monkeypatch):
    path = tmp_path / "table2.json"
    monkeypatch.setattr(bench_table2, "RESULTS", path)
    assert bench_table2.run(None) == []
    rows = [ROW | {"algorithm": name} for name in ("standard", "lossless", "fast")]
    rows += [ROW | {"algorithm": "fast", "setting": "paper"}, ROW | {"algorithm": "fast", "runs": 0}]
    path.write_text(json.dumps({"rows": rows}))
    found = {record["benchmark"]: is_kept(record) for record in bench_table2.run(None)}
    assert found == {
        "letter, k = 15, lossless: mean accuracy": True,
        "letter, k = 15, lossless: matchings": True,
        "letter, k = 15, fast: mean accuracy": True,
        "letter, k = 15, fast: matchings": False,
    }


def test_letters_alone_have_a_promise_of_the_lossless_algorithm():
    assert {key for key, goal in bench_table2.GOALS.items() if goal.lossless} == {
        ("letter", k) for k in (15, 30, 45)
    }
