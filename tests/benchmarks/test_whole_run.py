"""One run of everything at one commit: what is measured once, what stops it, when pages are replaced."""

import json
import subprocess
import sys

import pytest

from benchmarks.whole_run import PARTS, Part, Run, RunError, main, proceed

WRITE = "{python} -c open('{pages}/PAGE.md','a').write('measured\\n')"


def git(root, *arguments):
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


@pytest.fixture
def root(tmp_path):
    git(tmp_path, "init", "-q")
    (tmp_path / "docs" / "results").mkdir(parents=True)
    (tmp_path / "docs" / "results" / "first.md").write_text("old\n")
    (tmp_path / ".gitignore").write_text("build/\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "one")
    return tmp_path


def start(root, *, is_quick=False):
    return Run(root, root / "docs" / "results", {"python": sys.executable, "data": "D"}, is_quick=is_quick)


def part(name, command=WRITE):
    one = command.replace("PAGE", name)
    return Part(name, 1, (one,), (one,), (f"{name}.md",))


def pages(root):
    return {path.name: path.read_text() for path in (root / "docs" / "results").glob("*.md")}


def test_pages_are_replaced_together_once_everything_was_measured(root):
    with pytest.raises(RunError, match="second ended with exit code 3"):
        proceed(start(root), (part("first"), part("second", "{python} -c exit(3)")), None)
    assert pages(root) == {"first.md": "old\n"}
    # It goes on where it was: the first part is not measured again.
    proceed(start(root), (part("first"), part("second")), None)
    assert pages(root) == {"first.md": "measured\n", "second.md": "measured\n"}
    about = json.loads((root / "docs" / "results" / "run.json").read_text())
    assert set(about["parts"]) == {"first", "second"}
    assert start(root).commit == about["commit"]


def test_a_chosen_part_leaves_the_pages_as_they_are(root, capsys):
    proceed(start(root), (part("first"), part("second")), ["second"])
    assert pages(root) == {"first.md": "old\n"}
    assert capsys.readouterr().out.strip().endswith("for first")


def test_another_commit_is_another_run(root):
    proceed(start(root), (part("first"),), None)
    git(root, "commit", "-qam", "two")
    assert start(root).ended() == {}


def test_changes_that_are_not_committed_are_refused(root):
    (root / "docs" / "results" / "first.md").write_text("measured\n")
    start(root)  # what a run writes itself is no change
    (root / "code.py").write_text("1\n")
    with pytest.raises(RunError, match=r"has changes:\n\?\? code\.py"):
        start(root)


def test_a_part_without_its_page_has_not_ended(root):
    run = start(root)
    with pytest.raises(RunError, match=r"first ended without first\.md"):
        run.measure(part("first", "{python} -c pass"))
    assert run.ended() == {}


def test_a_trial_replaces_nothing(root):
    proceed(start(root, is_quick=True), (part("first"),), None)
    assert pages(root) == {"first.md": "old\n"}
    assert start(root).ended() == {}


def test_what_a_command_prints_is_its_page(root):
    run = start(root)
    run.measure(Part("first", 1, ("{python} -c print(7)",), (), ("first.md",), printed="first.md"))
    assert (run.pages / "first.md").read_text() == "7\n"


def test_all_commands_have_what_they_name():
    where = {name: name.upper() for name in ("python", "bin", "peers", "data", "work", "pages")}
    for each in PARTS:
        for command in (*each.commands, *each.quick):
            assert "{" not in command.format(**where)


def test_without_data_it_says_how_to_name_them(monkeypatch, capsys):
    monkeypatch.delenv("GRAPHQUANT_DATA", raising=False)
    monkeypatch.setattr(sys, "argv", ["whole_run"])
    assert main() == 1
    assert "hint: make results DATA=DIR" in capsys.readouterr().err
