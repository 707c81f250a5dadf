"""Links between the Markdown files of the repository lead somewhere; Sphinx checks those of the site."""

import re
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
FILES = [*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").glob("results/*.md")]
LINK = re.compile(r"\]\(([^)#\s]+)")


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(REPOSITORY)))
def test_relative_links(file):
    targets = [link for link in LINK.findall(file.read_text(encoding="utf-8")) if "://" not in link]
    missing = [link for link in targets if not (file.parent / link).exists()]
    assert missing == []


def test_the_readme_links_to_its_picture_and_results():
    text = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    assert {"docs/codebook.svg", "docs/results/README.md", "CONTRIBUTING.md"} <= set(LINK.findall(text))
