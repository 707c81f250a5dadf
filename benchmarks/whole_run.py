"""Measure everything that a page or the README cites, at one commit: ``make results DATA=DIR``.

A run belongs to the commit that is checked out and to its folder, ``build/results/COMMIT``. It may be stopped
and started again: parts that have ended are not measured again, and those that can resume do. Pages wait in
that folder until every part has ended; then they replace those in ``docs/results`` together, so that no two
pages are of different commits. ``--quick`` tries the machinery on little work, and replaces nothing.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.__main__ import machine

ROOT = Path(__file__).resolve().parents[1]
PUBLISHED = ROOT / "docs" / "results"
# What the run itself changes; any other change would make its commit untrue.
CHANGED_BY_RUN = (":!docs/results", ":!README.md")
# The last commit whose kernels were compiled by numba.
OLD_COMMIT = "bf3b19f"

Record = dict[str, Any]


@dataclass(frozen=True)
class Part:
    """Something to measure, and the pages that it writes.

    In commands, ``{python}`` and ``{peers}`` are interpreters, ``{bin}`` the folder of the first, ``{data}``
    is the folder of the IAM zips, ``{work}`` that of the part, and ``{pages}`` where pages go.
    """

    name: str
    minutes: int  # about, on two cores
    commands: tuple[str, ...]
    quick: tuple[str, ...]
    pages: tuple[str, ...]
    printed: str | None = None  # the page that the last command prints


REPRODUCE = "{bin}/graphquant reproduce all --data {data} --jobs 2 --resume -o {work}"
SPEED = "{python} -m benchmarks --results {work} --proceed"
SPEED_PAGE = "{python} -m benchmarks.page --results {work} --pages {pages}"
EDIT_PAGE = "{python} -m benchmarks.edit_page --results {work} --pages {pages}"
VERSUS = (
    f"{{python}} -m benchmarks versus --old {OLD_COMMIT} --data {{data}} --results {{work}} --pages {{pages}}"
)
PEERS = "{peers} -m benchmarks.peers --data {data} --results {work} --page {pages}"
EXPERIMENTS = ("table1", "table2", "figure", "theta")
SETTINGS_PAGE = "{python} -m benchmarks.paper_settings_page {work}/settings.csv {pages}/table2.json"
PARTS = (
    Part(
        "paper",
        90,
        (f"{REPRODUCE} --runs 10",),
        (f"{REPRODUCE} --quick",),
        (
            *(f"{name}.{form}" for name in EXPERIMENTS for form in ("md", "csv", "json")),
            *(f"{name}.{form}" for name in EXPERIMENTS[1:] for form in ("png", "svg")),
        ),
    ),
    Part(
        "settings",
        40,
        ("{python} -m benchmarks.paper_settings {work}/settings.csv", SETTINGS_PAGE),
        (SETTINGS_PAGE,),
        ("settings.csv", "settings.md"),
        printed="settings.md",
    ),
    Part(
        "speed",
        50,
        (SPEED, SPEED_PAGE, EDIT_PAGE),
        (f"{SPEED} reading parquet edit:small", SPEED_PAGE, EDIT_PAGE),
        ("speed.md", "large.md", "edit.md", "edit.json", "edit.png"),
    ),
    Part("versus", 25, (VERSUS,), (f"{VERSUS} --repeats 1 --parts home",), ("versus.md",)),
    Part(
        "defaults",
        30,
        ("{python} -m benchmarks.defaults",),
        ("{python} -m benchmarks.defaults --help",),
        ("defaults.md",),
        printed="defaults.md",
    ),
    Part(
        "newcomer",
        3,
        ("{python} -m benchmarks.newcomer",),
        ("{python} -m benchmarks.newcomer",),
        ("newcomer.md",),
        printed="newcomer.md",
    ),
    Part(
        "scale",
        5,
        ("{python} -m benchmarks.scale_model",),
        ("{python} -m benchmarks.scale_model 8000",),
        ("scale.md",),
        printed="scale.md",
    ),
    Part(
        "peers",
        120,
        (PEERS,),
        (f"{PEERS} --quick --sets letters-1e3 --seeds 1",),
        ("peers.md", "peers.json", "peers-quality.png", "peers-growth.png"),
    ),
)


class RunError(Exception):
    """Why a run cannot go on, with a hint."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


def git(root: Path, *arguments: str) -> str:
    """Return what git says."""
    return subprocess.run(
        ["git", *arguments], cwd=root, capture_output=True, text=True, check=True
    ).stdout.strip()


class Run:
    """The measurement of one commit: which parts have ended, what they took, where their pages are."""

    def __init__(self, root: Path, published: Path, names: dict[str, str], *, is_quick: bool = False) -> None:
        if changed := git(root, "status", "--porcelain", "--", ".", *CHANGED_BY_RUN):
            raise RunError(
                f"the working tree has changes:\n{changed}", "commit or remove them: a run is of one commit"
            )
        self.root, self.published, self.names, self.is_quick = root, published, names, is_quick
        self.commit = git(root, "rev-parse", "--short=12", "HEAD")
        self.folder = root / "build" / "results" / (self.commit + ("-quick" if is_quick else ""))
        self.pages = self.folder / "pages"
        self.record = self.folder / "run.json"
        self.pages.mkdir(parents=True, exist_ok=True)

    def ended(self) -> dict[str, Record]:
        """Return the parts that have ended."""
        return dict(json.loads(self.record.read_text())["parts"]) if self.record.exists() else {}

    def measure(self, part: Part) -> None:
        """Do the commands of a part, and note that it has ended."""
        work = self.folder / part.name
        work.mkdir(exist_ok=True)
        where = self.names | {"work": str(work), "pages": str(self.pages)}
        began = time.time()
        for command in part.quick if self.is_quick else part.commands:
            self._do([word.format(**where) for word in command.split()], part, work)
        for page in part.pages:
            if (work / page).exists():
                shutil.copy2(work / page, self.pages / page)
        missing = [page for page in part.pages if not (self.pages / page).exists()]
        if missing and not self.is_quick:
            raise RunError(f"{part.name} ended without {', '.join(missing)}", f"see {work / 'log.txt'}")
        self._note(part, time.time() - began)

    def _do(self, command: list[str], part: Part, work: Path) -> None:
        """Do one command; what it prints is its page or its log."""
        print(f"{part.name}: {' '.join(command)}", flush=True)
        output = self.pages / part.printed if part.printed else work / "log.txt"
        with output.open("w" if part.printed else "a", encoding="utf-8") as stream:
            done = subprocess.run(command, cwd=self.root, stdout=stream, check=False)
        if done.returncode:
            message = f"{part.name} ended with exit code {done.returncode}"
            raise RunError(message, f"see {output}; the same command goes on from here")

    def _note(self, part: Part, seconds: float) -> None:
        ended = self.ended() | {
            part.name: {
                "minutes": round(seconds / 60, 1),
                "ended": datetime.now(UTC).isoformat(timespec="seconds"),
            }
        }
        content = {"commit": self.commit, "machine": machine(), "parts": ended}
        fresh = self.record.with_suffix(".new")
        fresh.write_text(json.dumps(content, indent=2) + "\n")
        fresh.replace(self.record)

    def publish(self) -> list[Path]:
        """Replace the pages of the documentation by those of this run."""
        written = [
            Path(shutil.copy2(page, self.published / page.name)) for page in sorted(self.pages.iterdir())
        ]
        return [*written, Path(shutil.copy2(self.record, self.published / "run.json"))]


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(
        prog="python -m benchmarks.whole_run", description=(__doc__ or "").partition(":")[0]
    )
    add = result.add_argument
    add("--data", type=Path, default=os.environ.get("GRAPHQUANT_DATA"), help="folder of the IAM zips")
    add("--only", nargs="+", choices=[part.name for part in PARTS], metavar="PART", help="%(choices)s")
    add("--quick", action="store_true", help="little work, to try the machinery; replaces no page")
    add("--list", action="store_true", help="show the parts and how long they take")
    return result


def proceed(run: Run, parts: tuple[Part, ...], chosen: list[str] | None) -> None:
    """Measure what has not ended; replace the pages once everything has."""
    for part in parts:
        if part.name not in run.ended() and (chosen is None or part.name in chosen):
            run.measure(part)
    waiting = [part.name for part in parts if part.name not in run.ended()]
    if run.is_quick:
        print(f"tried: {', '.join(run.ended())}; pages are in {run.pages}")
    elif waiting:
        print(f"pages wait in {run.pages} for {', '.join(waiting)}")
    else:
        print("written: " + ", ".join(str(path.relative_to(run.root)) for path in run.publish()))
        print("next: python -m benchmarks.cited, for the tables of the README; then read what the pages say")


def main() -> int:
    given = parser().parse_args()
    if given.list:
        for part in PARTS:
            print(f"{part.name:10} about {part.minutes} minutes: {', '.join(part.pages)}")
        return 0
    try:
        if given.data is None or not Path(given.data).is_dir():
            raise RunError("the folder of the IAM graph database is not known", "make results DATA=DIR")
        data = str(Path(given.data).resolve())
        os.environ["GRAPHQUANT_DATA"] = data
        python = Path(sys.executable)
        names = {
            "python": str(python),
            "bin": str(python.parent),
            "peers": str(ROOT / ".venv-peers" / "bin" / "python"),
            "data": data,
        }
        proceed(Run(ROOT, PUBLISHED, names, is_quick=given.quick), PARTS, given.only)
    except RunError as error:
        print(f"error: {error}\nhint: {error.hint}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here", file=sys.stderr)
        sys.exit(130)
