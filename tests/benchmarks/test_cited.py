"""Tables of the README are those that the committed records make."""

import json

import pytest

from benchmarks import cited


@pytest.mark.parametrize("path", cited.CITING, ids=lambda path: str(path.relative_to(cited.ROOT)))
def test_cited_tables_are_those_of_the_records(path):
    text = path.read_text(encoding="utf-8")
    names = [block["name"] for block in cited.BLOCK.finditer(text)]
    assert names
    assert text.count("<!-- cited:") == len(names)
    assert cited.with_tables(text) == text


def test_a_changed_figure_is_written_again():
    text = f"above\n<!-- cited: paper -->\n{cited.paper().replace('letter', 'litter')}\n<!-- end -->\nbelow\n"
    assert cited.with_tables(text) == text.replace("litter", "letter")


def test_a_table_nobody_makes_is_an_error():
    with pytest.raises(KeyError, match="unknown"):
        cited.with_tables("<!-- cited: unknown -->\n<!-- end -->\n")


def test_runs_that_did_not_end_are_named(tmp_path):
    rows = [
        {
            "route": "graphquant",
            "set_name": "letter",
            "k": 15,
            "status": "ok",
            "cpu": 0.0412,
            "mean": {"accuracy": 0.5},
        },
        {"route": "codewords", "set_name": "letter", "k": 15, "status": "capped", "cpu": 300.0, "mean": {}},
    ]
    (tmp_path / "peers.json").write_text(json.dumps({"rows": rows}))
    lines = cited.peers(tmp_path).splitlines()
    assert lines[2].startswith("| graphquant, plain defaults | 50.0 %, 0.041 s | not in time |")
    assert lines[-1].endswith("| not in time | not in time | not in time | not in time | not in time |")
