"""What GitHub, pre-commit and a devcontainer run are targets of the Makefile and files that are there."""

import json
import re
from pathlib import Path

import pytest

from tools.publish_docs import publish

REPOSITORY = Path(__file__).resolve().parents[2]
TARGETS = set(re.findall(r"^([a-z-]+):", (REPOSITORY / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
WORKFLOWS = sorted((REPOSITORY / ".github" / "workflows").glob("*.yml"))


def commands(text):
    """Return the commands of a workflow, one line each."""
    blocks = re.findall(r"run: \|\n((?: {10,}.*\n)+)", text)
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    return lines + [line for line in re.findall(r"run: (.*)", text) if line != "|"]


def test_workflows_are_there():
    assert [file.stem for file in WORKFLOWS] == ["docs", "tests", "wheels"]


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_workflows_call_targets(file):
    text = file.read_text(encoding="utf-8")
    asked = re.findall(r"\bmake ([a-z-]+)", "\n".join(commands(text)))
    choices = re.search(r"target: \[(.*)\]", text)
    asked += choices[1].split(", ") if choices else []
    assert asked
    assert set(asked) <= TARGETS
    for script in re.findall(r"python3? source/(\S+)", text):
        assert (REPOSITORY / script).exists()


def test_workflows_cover_platforms_and_pythons():
    text = (REPOSITORY / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
    for system in ("ubuntu", "macos", "windows"):
        assert re.search(rf"runner: \[.*{system}-", text)
    supported = re.findall(r"Python :: (3\.\d+)", (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    assert re.search(r"python: \[(.*)\]", text)[1] == ", ".join(f'"{version}"' for version in supported)


def test_hooks_and_devcontainer_call_what_make_installs():
    hooks = (REPOSITORY / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    entries = [entry.split() for entry in re.findall(r"entry: (.*)", hooks)]
    assert [entry[0] for entry in entries] == [".venv/bin/ruff"] * 2 + [".venv/bin/clang-format", "make"]
    assert entries[-1][1] in TARGETS
    container = json.loads((REPOSITORY / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
    assert set(re.findall(r"make ([a-z-]+)", container["postCreateCommand"])) <= TARGETS


def test_documentation_of_versions(tmp_path):
    built, site = tmp_path / "html", tmp_path / "site"
    built.mkdir()
    site.mkdir()
    names = {}
    for name in ("main", "v2.0.0", "v10.1.0", "v2.1.3", "main"):
        (built / "index.html").write_text(name, encoding="utf-8")
        names[name] = publish(built, site, name)
    assert names["v2.0.0"] == ["stable", "2.0.0", "dev"]
    assert names["main"] == ["stable", "10.1.0", "2.1.3", "2.0.0", "dev"]
    assert (site / "stable" / "index.html").read_text(encoding="utf-8") == "v10.1.0"
    assert (site / "dev" / "index.html").read_text(encoding="utf-8") == "main"
    index = (site / "index.html").read_text(encoding="utf-8")
    assert re.findall(r'<li><a href="(.*?)/index', index) == names["main"]
    assert "url=stable/index.html" in index


def test_the_version_is_the_same_everywhere():
    version = re.search(r'"(.*)"$', (REPOSITORY / "src/graphquant/_version.py").read_text("utf-8").strip())[1]
    citation = (REPOSITORY / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {version}\n" in citation
    assert f"\n## {version}" in (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8")
