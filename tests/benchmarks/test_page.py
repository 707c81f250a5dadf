"""Pages of benchmarks: each from the records that are there, for people who want to know what they gain."""

import json
import sys

import pytest

from benchmarks import _pages, bench_large, page

MACHINE = {
    "commit": "0123",
    "processor": "P",
    "cores": 2,
    "system": "Linux-6",
    "python": "3.12",
    "packages": {"numpy": "2.0"},
}


def record(name, measured, unit="", **details):
    return {"benchmark": name, "measured": measured, "unit": unit, **details}


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Return what writes pages of records and reads them."""
    monkeypatch.setattr(sys, "argv", ["page", "--results", str(tmp_path), "--pages", str(tmp_path)])

    def pages(**benchmarks):
        for name, records in benchmarks.items():
            content = {"date": "2026-11-19T12:00", "machine": MACHINE, "records": records}
            (tmp_path / f"{name.replace('_', '-')}.json").write_text(json.dumps(content))
        return {path.name: path.read_text(encoding="utf-8") for path in page.main()}

    return pages


def test_large_graphs_begin_with_what_is_proven_and_name_what_is_not(write, tmp_path):
    name = "Mutagenicity, test: "
    records = [
        record(f"{name}proven by auto", 87.7, "% of pairs", at_least=75.0),
        record(f"{name}auto", 9.85, "CPU ms a pair", at_most=5.0, p99_ms=118.0, max_ms=4700.0),
        record("letter: auto", 1.7, "CPU us a pair"),
        record("letter: proven by auto", 100.0, "% of pairs"),
        record(
            "encodings of 500 Mutagenicity graphs by k = 2: proven", 19.0, "%", ms=3.0, mean_gap_percent=6.0
        ),
    ]
    (text,) = write(large=records).values()
    first = text.index("| pairs of | proven | mean | 99th percentile | slowest |")
    assert first < text.index("![") < text.index("## ")
    assert "| letters (5 nodes) | 100 % | 1.7 µs |  |  |" in text
    assert "test split | 87.7 % | 9.85 ms | 118 ms | 4.7 s |" in text
    assert "| Mutagenicity and 2 code graphs | 19 % | 3 ms |  |  |" in text
    limits = text[text.index("## What is not reached") : text.index("## How it was measured")]
    assert "proven for 19 % of the graphs**; on average the bound is 6 % below" in limits
    assert "12.3 % of Mutagenicity" in limits
    assert "**The slowest pair took 4.7 s**" in limits
    assert "2026-11-19, commit 0123, P (2 cores), Linux; Python 3.12, numpy 2.0." in text
    assert (tmp_path / "large.png").stat().st_size > 0


def test_speed_stands_beside_others_and_says_where_they_are_quicker(write):
    matching = [
        record(
            "grec: auto", 635.0, "us a pair", proven_percent=99.96, above_best_percent=0.0, mean_nodes=11.5
        ),
        record("grec: POT fused_gromov_wasserstein2", 521.0, "us a pair"),
    ]
    learning = [
        record(
            "grec k=22: fast, linear", 76.0, "x fewer matchings", wall_ratio=200.0, seconds=1.5, paper=4.7
        ),
        record(
            "grec k=22: distortion of fast above standard's, 20 cycles", 26.0, at_most=120.0, standard=4000.0
        ),
    ]
    (text,) = write(matching=matching, learning=learning).values()
    assert "| per pair | letters | fingerprints | GREC, 12 nodes | molecules |" in text
    assert "| auto, the default |  |  | 635 µs |  |" in text
    # What is not all is not rounded to all.
    assert "| — proven |  |  | 99.9 % |  |" in text
    assert "Quicker than `auto`, with a distance of its own: POT on GREC." in text
    assert "| GREC, 22 |  |  | 76 / 200 | 1.5 | 4.7 |" in text
    assert "| GREC, 22 | +0.65 % | ± 3 % | 20 |" in text
    assert "## Files" not in text


def test_pages_do_not_tell_of_promises_and_fold_the_record(write):
    records = [
        record("read Letter.zip", 1.9, "x the time of the bare parse", at_most=2.0, microseconds=120.0)
    ]
    (text,) = write(reading=records).values()
    for word in ("promise", "kept", "broken", "holds"):
        assert word not in text
    table, _, record_of_all = text.partition("<details>")
    assert "| GXL, Letter | 120 µs | 1.9 |" in table
    assert "| read Letter.zip | 1.9 x the time of the bare parse | microseconds 120 |" in record_of_all
    # A heading would end the folded part in the built site.
    assert "\n#" not in record_of_all


def test_parts_of_a_benchmark_make_a_page_and_runs_of_two_days_say_so(write, tmp_path):
    pairs = record("benzenoids: proven by auto", 100.0, "% of pairs")
    write(large_small=[record("letter: proven by auto", 100.0, "% of pairs")], large_symmetric=[pairs])
    (tmp_path / "large-symmetric.json").write_text(
        json.dumps({"date": "2026-11-20T12:00", "machine": MACHINE, "records": [pairs]})
    )
    (text,) = write().values()
    assert "- large-small: 2026-11-19, commit" in text
    assert "- large-symmetric: 2026-11-20, commit" in text


def test_names_of_large_graphs_are_those_that_the_benchmark_promises():
    promised = " ".join([*bench_large.AT_LEAST, *bench_large.AT_MOST])
    for name in ("benzenoids", "Mutagenicity, test", "rings of 5 to 7", "paper's molecules, seed 1"):
        assert f"{name}: proven by auto" in promised


@pytest.mark.parametrize(
    ("microseconds", "text"),
    [(0.4, "0.4 µs"), (999.9, "1 ms"), (253_000.0, "253 ms"), (4.8e6, "4.8 s"), (None, "")],
)
def test_times_have_the_unit_that_suits_them(microseconds, text):
    assert _pages.duration(microseconds) == text
