"""One run of everything at one commit: what is measured once, what stops it, when pages are replaced."""

import json
import os
import subprocess
import sys
import threading
import time

import pytest

from benchmarks.whole_run import PARTS, STUDIES, Part, Run, RunError, main, proceed, side_by_side

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


def start(root, **kind):
    return Run(root, root / "docs" / "results", {"python": sys.executable, "data": "D"}, **kind)


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
    names = ("python", "bin", "peers", "data", "work", "pages", "published")
    where = {name: name.upper() for name in names}
    for each in (*PARTS, *STUDIES):
        for command in (*each.commands, *each.quick):
            assert "{" not in command.format(**where)


def in_lane(name, program):
    return Part(name, 1, (f"{{python}} -c {program}",), (), in_lane=True)


def test_lanes_go_on_when_a_part_fails_but_nothing_is_published(root):
    good = in_lane("good", "open('{work}/done','w').write('x')")
    with pytest.raises(RunError, match="bad ended with exit code 3"):
        proceed(start(root), (in_lane("bad", "exit(3)"), good, part("first")), None)
    assert set(start(root).ended()) == {"good"}
    assert pages(root) == {"first.md": "old\n"}


def test_two_parts_run_at_a_time_and_parts_of_a_name_share_a_folder(root):
    # Each waits for the other, so that neither would end alone.
    waits = (
        "os,time=map(__import__,('os','time'));open('{work}/OWN','w').close();"
        "[time.sleep(.01)for(_)in(range(3000))if(not(os.path.exists('{work}/OTHER')))]"
    )
    run = start(root)
    parts = [
        in_lane(f"both-{own}", waits.replace("OWN", own).replace("OTHER", other))
        for own, other in ("ab", "ba")
    ]
    began = time.monotonic()
    side_by_side(run, parts, [None, None])
    assert time.monotonic() - began < 20.0
    assert set(run.ended()) == {"both-a", "both-b"}
    assert {"a", "b"} <= {path.name for path in (run.folder / "both").iterdir()}


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="the system does not pin processes")
def test_a_lane_has_one_core_of_its_own(root):
    core = min(os.sched_getaffinity(0))
    run = start(root)
    program = "open('{work}/cores','w').write(str(__import__('os').sched_getaffinity(0)))"
    side_by_side(run, [in_lane("pinned", program)], [core])
    assert (run.folder / "pinned" / "cores").read_text() == f"{{{core}}}"
    assert len(os.sched_getaffinity(0)) >= 1


def test_what_is_stopped_ends_its_commands_and_starts_no_more(root):
    run = start(root)
    sleeping = in_lane("sleeping", "__import__('time').sleep(60)")
    stopping = threading.Timer(1.0, run.stop)
    stopping.start()
    began = time.monotonic()
    with pytest.raises(RunError, match="ended with exit code"):
        side_by_side(run, [sleeping, in_lane("later", "1")], [None])
    stopping.join()
    assert time.monotonic() - began < 30.0
    assert len(run.ended()) == 0


def test_studies_replace_their_pages_each_for_itself(root):
    proceed(start(root, is_study=True), (part("first"), part("second")), ["second"])
    assert pages(root) == {"first.md": "old\n", "second.md": "measured\n"}
    assert not (root / "docs" / "results" / "run.json").exists()
    assert start(root).ended() == {}


def test_the_list_says_how_long_it_takes(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["whole_run", "--list"])
    assert main() == 0
    assert "minutes by the clock" in capsys.readouterr().out.splitlines()[-1]


def test_an_unknown_part_is_refused(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["whole_run", "--studies", "--only", "peers"])
    assert main() == 1
    assert "there is no part 'peers'\nhint: parts are settings" in capsys.readouterr().err


def test_without_data_it_says_how_to_name_them(monkeypatch, capsys):
    monkeypatch.delenv("GRAPHQUANT_DATA", raising=False)
    monkeypatch.setattr(sys, "argv", ["whole_run"])
    assert main() == 1
    assert "hint: make results DATA=DIR" in capsys.readouterr().err
