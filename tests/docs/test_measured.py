"""Measured numbers on pages come from ``docs/results``, by a role that reads them when the site is built."""

import importlib.util
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = {
    str(page.relative_to(DOCS)): page.read_text(encoding="utf-8")
    for folder in (DOCS, DOCS / "guide", DOCS / "howto")
    for page in folder.glob("*.rst")
}
ROLE = re.compile(r":result:`([^`]+)`")
# A number with the unit of a measurement.
MEASURED = re.compile(
    r"\b\d[\d.,]* ?(?:%|percent\b|points\b|(?:milli|micro)?seconds\b|minutes\b|ms\b|MiB\b|GiB\b)"
)
# Numbers that define something: the support of a core, the share of repairs, a default.
DEFINED = {
    "commands.rst": {"5 %"},
    "howto/clusters.rst": {"80 %"},
    "howto/collections.rst": {"90 %"},
    "howto/report.rst": {"80 %", "99 %"},
    "promises.rst": {"4 GiB", "64 MiB"},
    "scale.rst": {"2 GiB"},
}


@pytest.fixture(scope="module")
def results():
    spec = importlib.util.spec_from_file_location("citing", DOCS / "_extensions" / "citing.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", sorted(name for name, text in PAGES.items() if ":result:" in text))
def test_every_citation_finds_its_number(results, page):
    for query in ROLE.findall(PAGES[page]):
        file, text = results.cite(query)
        assert (DOCS / "results" / f"{Path(file).stem}.md").exists()
        assert re.fullmatch(r"[\d.,]+", text), query


@pytest.mark.parametrize("page", sorted(PAGES))
def test_no_measurement_is_typed_by_hand(page):
    prose = re.sub(r"^(>>>|\.\.\. |   (?:graphquant|pip) ).*$", "", PAGES[page], flags=re.MULTILINE)
    prose = re.sub(r"``[^`]*``", "", ROLE.sub("", prose))
    prose = "\n".join(line for line in prose.splitlines() if not line.startswith("History("))
    assert set(MEASURED.findall(prose)) - DEFINED.get(page, set()) == set()


def test_rows_are_found_in_every_kind_of_file(results, tmp_path, monkeypatch):
    monkeypatch.setattr(results, "RESULTS", tmp_path)
    (tmp_path / "a.csv").write_text("set,k,share\nletter,15,0.123\nletter,30,0.5\n", encoding="utf-8")
    (tmp_path / "b.json").write_text('{"rows": [{"set": "letter", "mean": {"us": 7}}]}', encoding="utf-8")
    (tmp_path / "c.md").write_text(
        "text\n\n| | old | new |\n|---|---|---|\n| letter, exact | 7 | 1,234 us a pair |\n\n"
        "| x | y |\n|---|---|\n| 1 | 2 |\n",
        encoding="utf-8",
    )
    assert results.cite("a.csv | set=letter k=15 | 100 * share .1f") == ("a.csv", "12.3")
    assert results.cite("b.json/rows | set=letter | mean.us .0f") == ("b.json", "7")
    assert results.cite("c.md | row=letterexact | new ,.0f") == ("c.md", "1,234")
    assert results.cite("c.md | row=1 | y .0f") == ("c.md", "2")
    for wrong, message in (
        ("a.csv | set=letter | share .1f", "2 rows of a.csv"),
        ("a.csv | set=grec | share .1f", "0 rows of a.csv"),
        ("c.md | row=letterexact | row .0f", "'letter exact'"),
        ("a.csv share", "not a query"),
    ):
        with pytest.raises(ValueError, match=message):
            results.cite(wrong)
