"""Measure what pages and the README say of this version, at one commit: ``make results DATA=DIR``.

A run belongs to the commit that is checked out and to its folder, ``build/results/COMMIT``. It may be stopped
and started again: parts that have ended are not measured again, and those that can resume do. Pages wait in
that folder until every part has ended; then they replace those in ``docs/results`` together, so that no two
pages are of different commits. ``--quick`` tries the machinery on little work, and replaces nothing.

Parts that count CPU seconds run side by side, each lane on a core of its own. Those that measure by the clock
or with threads, and those that need what others measured, run alone after them.

``--studies`` repeats studies instead: why a default was chosen. Each names its own commit and day.
"""

import argparse
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.__main__ import machine
from benchmarks.peers._runner import ONE_THREAD

ROOT = Path(__file__).resolve().parents[1]
PUBLISHED = ROOT / "docs" / "results"
# What the run itself changes; any other change would make its commit untrue.
CHANGED_BY_RUN = (":!docs/results", ":!README.md")
# The last commit whose kernels were compiled by numba.
OLD_COMMIT = "bf3b19f"

Record = dict[str, Any]


# Parts that run side by side, at most.
N_LANES = 2
# Seconds that a command has to end after it was told to.
GRACE = 20.0


@dataclass(frozen=True)
class Part:
    """Something to measure, and the pages that it writes.

    In commands, ``{python}`` and ``{peers}`` are interpreters, ``{bin}`` the folder of the first, ``{data}``
    is the folder of the IAM zips, ``{work}`` that of the part, ``{pages}`` where pages wait, and
    ``{published}`` where they are in the end.
    """

    name: str
    minutes: float  # about, on the machine of docs/results
    commands: tuple[str, ...]
    quick: tuple[str, ...]
    pages: tuple[str, ...] = ()
    printed: str | None = None  # the page that the last command prints
    in_lane: bool = False  # beside others, on one core

    @property
    def folder(self) -> str:
        """The folder of its records: "paper-grec" shares that of "paper"."""
        return self.name.partition("-")[0]


REPRODUCE = "{bin}/graphquant reproduce all --data {data} --resume -o {work}"
SPEED = "{python} -m benchmarks --results {work} --proceed"
SPEED_PAGE = "{python} -m benchmarks.page --results {work} --pages {pages}"
EDIT_PAGE = "{python} -m benchmarks.edit_page --results {work} --pages {pages}"
VERSUS = (
    f"{{python}} -m benchmarks versus --old {OLD_COMMIT} --data {{data}} --results {{work}} --pages {{pages}}"
)
PEERS = "{peers} -m benchmarks.peers --data {data} --results {work} --processes 1"
EXPERIMENTS = ("table1", "table2", "figure", "theta")
SETTINGS_PAGE = "{python} -m benchmarks.paper_settings_page"


def of_paper(name: str, minutes: float) -> Part:
    """Return the runs of the paper on one data set."""
    command = f"{REPRODUCE} --set {name}"
    return Part(f"paper-{name}", minutes, (f"{command} --runs 10",), (f"{command} --quick",), in_lane=True)


def of_peers(name: str, minutes: float, sets: str, quick: str = "--help") -> Part:
    """Return the runs of all routes on some data sets."""
    command = f"{PEERS} --no-page"
    return Part(
        f"peers-{name}", minutes, (f"{command} --sets {sets}",), (f"{command} {quick}",), in_lane=True
    )


def of_speed(name: str, minutes: float, quick: str = "--help") -> Part:
    """Return a benchmark that counts CPU seconds of one thread."""
    return Part(f"speed-{name}", minutes, (f"{SPEED} {name}",), (f"{SPEED} {quick}",), in_lane=True)


# Minutes of lanes are CPU minutes.
PARTS = (
    of_paper("letter", 2),
    of_paper("grec", 23),
    of_paper("fingerprint", 25),
    of_paper("molecules", 29),
    # The growth takes the settings that are best on letters.
    of_peers(
        "letter",
        16,
        "letter letters-1e3 letters-1e4 letters-1e5 letters-1e6",
        "--quick --sets letters-1e3 --seeds 1 --growth-cap 20",
    ),
    of_peers("med", 13, "letter-med"),
    of_peers("grec", 13, "grec"),
    of_peers("fingerprint", 8, "fingerprint"),
    of_peers("molecules", 5, "molecules"),
    of_peers("mutagenicity", 12, "mutagenicity"),
    of_speed("learning", 12),
    of_speed("large", 6),
    of_speed("edit", 1, "edit:small"),
    Part(
        "paper",
        1,
        (f"{REPRODUCE} --runs 10",),
        (f"{REPRODUCE} --quick",),
        (
            *(f"{name}.{form}" for name in EXPERIMENTS for form in ("md", "csv", "json")),
            *(f"{name}.{form}" for name in EXPERIMENTS[1:] for form in ("png", "svg")),
        ),
    ),
    Part(
        "settings",
        0.1,
        (f"{SETTINGS_PAGE} {{published}}/settings.csv {{pages}}/table2.json",),
        (f"{SETTINGS_PAGE} {{published}}/settings.csv {{pages}}/table2.json",),
        ("settings.md",),
        printed="settings.md",
    ),
    Part(
        "peers",
        2,
        (f"{PEERS} --page {{pages}}",),
        (f"{PEERS} --page {{pages}} --quick --sets letters-1e3 --seeds 1 --growth-cap 20",),
        ("peers.md", "peers.json", "peers-quality.png", "peers-growth.png"),
    ),
    Part(
        "speed",
        10,
        (f"{SPEED} matching scale reading parquet starts", SPEED_PAGE, EDIT_PAGE),
        (f"{SPEED} reading parquet", SPEED_PAGE, EDIT_PAGE),
        ("speed.md", "speed.png", "large.md", "large.png", "edit.md", "edit.json", "edit.png"),
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
        1,
        ("{python} -m benchmarks.scale_model",),
        ("{python} -m benchmarks.scale_model 8000",),
        ("scale.md",),
        printed="scale.md",
    ),
)
# Why defaults are what they are. These pages name the commit and the day of their own.
STUDIES = (
    Part(
        "settings",
        40,
        (
            "{python} -m benchmarks.paper_settings {work}/settings.csv",
            f"{SETTINGS_PAGE} {{work}}/settings.csv {{published}}/table2.json",
        ),
        (f"{SETTINGS_PAGE} {{published}}/settings.csv {{published}}/table2.json",),
        ("settings.csv", "settings.md"),
        printed="settings.md",
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

    def __init__(
        self,
        root: Path,
        published: Path,
        names: dict[str, str],
        *,
        is_quick: bool = False,
        is_study: bool = False,
    ) -> None:
        if changed := git(root, "status", "--porcelain", "--", ".", *CHANGED_BY_RUN):
            raise RunError(
                f"the working tree has changes:\n{changed}", "commit or remove them: a run is of one commit"
            )
        self.root, self.published, self.names = root, published, names
        self.is_quick, self.is_study = is_quick, is_study
        self.commit = git(root, "rev-parse", "--short=12", "HEAD")
        kind = "-studies" * is_study + "-quick" * is_quick
        self.folder = root / "build" / "results" / (self.commit + kind)
        self.pages = self.folder / "pages"
        self.record = self.folder / "run.json"
        self.pages.mkdir(parents=True, exist_ok=True)
        self._noting = threading.Lock()
        self._is_stopped = False
        self._running: set[subprocess.Popen[bytes]] = set()

    @property
    def is_stopped(self) -> bool:
        """Whether it was told to start nothing more."""
        return self._is_stopped

    def ended(self) -> dict[str, Record]:
        """Return the parts that have ended."""
        return dict(json.loads(self.record.read_text())["parts"]) if self.record.exists() else {}

    def measure(self, part: Part) -> None:
        """Do the commands of a part, and note that it has ended."""
        work = self.folder / part.folder
        work.mkdir(exist_ok=True)
        where = self.names | {"work": work, "pages": self.pages, "published": self.published}
        began = time.time()
        for command in part.quick if self.is_quick else part.commands:
            self._do([word.format(**where) for word in command.split()], part, work)
        for page in part.pages:
            if (work / page).exists():
                shutil.copy2(work / page, self.pages / page)
        missing = [page for page in part.pages if not (self.pages / page).exists()]
        if missing and not self.is_quick:
            raise RunError(f"{part.name} ended without {', '.join(missing)}", f"see {self._log(part)}")
        self._note(part, time.time() - began)

    def _log(self, part: Part) -> Path:
        return self.folder / part.folder / f"{part.name}.log"

    def _do(self, command: list[str], part: Part, work: Path) -> None:
        """Do one command; what it prints is its page or goes to its log, as all else that it says."""
        sys.stdout.write(f"{datetime.now(UTC):%H:%M} {part.name}: {' '.join(command)}\n")
        sys.stdout.flush()
        environment = os.environ | (ONE_THREAD if part.in_lane else {})
        with contextlib.ExitStack() as files:
            log = files.enter_context(self._log(part).open("a", encoding="utf-8"))
            page = log
            if part.printed:
                page = files.enter_context((self.pages / part.printed).open("w", encoding="utf-8"))
            if self._is_stopped:
                raise RunError(f"{part.name} was stopped", "the same command goes on from here")
            # A session of its own, so that processes of the command can be stopped with it.
            process = subprocess.Popen(
                command, cwd=self.root, stdout=page, stderr=log, env=environment, start_new_session=True
            )
            self._running.add(process)
            try:
                code = process.wait()
            except BaseException:
                self.stop()
                raise
            finally:
                self._running.discard(process)
        if code:
            message = f"{part.name} ended with exit code {code}"
            raise RunError(message, f"see {self._log(part)}; the same command goes on from here")

    def stop(self) -> None:
        """End what is running, and start nothing more."""
        self._is_stopped = True
        running = list(self._running)
        for process in running:
            tell(process, signal.SIGTERM)
        for process in running:
            try:
                process.wait(GRACE)
            except subprocess.TimeoutExpired:
                tell(process, signal.SIGKILL)

    def _note(self, part: Part, seconds: float) -> None:
        noted = {
            "minutes": round(seconds / 60, 1),
            "ended": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        with self._noting:
            parts = self.ended() | {part.name: noted}
            content = {"commit": self.commit, "machine": machine(), "parts": parts}
            fresh = self.record.with_suffix(".new")
            fresh.write_text(json.dumps(content, indent=2) + "\n")
            fresh.replace(self.record)

    def publish(self, parts: Iterable[Part]) -> list[Path]:
        """Replace pages of the documentation by those of this run."""
        names = [page for part in parts for page in part.pages]
        written = [Path(shutil.copy2(self.pages / name, self.published / name)) for name in names]
        # Studies are no part of the measurement of one commit.
        return written if self.is_study else [*written, Path(shutil.copy2(self.record, self.published))]


def tell(process: "subprocess.Popen[bytes]", number: signal.Signals) -> None:
    """Send a signal to a command and its processes, if they still run."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, number)


def lane_cores() -> list[int | None]:
    """Return the core of each lane; None where the system does not say which there are."""
    if hasattr(os, "sched_getaffinity"):
        return list(sorted(os.sched_getaffinity(0))[:N_LANES])
    return [None] * min(N_LANES, os.cpu_count() or 1)


def side_by_side(run: Run, parts: Iterable[Part], cores: Sequence[int | None]) -> None:
    """Measure parts in lanes, long ones first; a part that fails does not stop the others."""
    waiting = sorted(parts, key=lambda part: part.minutes, reverse=True)
    failures: list[RunError] = []

    def lane(core: int | None) -> None:
        if core is not None:
            os.sched_setaffinity(0, {core})  # this thread, and the commands that it starts
        while waiting and not run.is_stopped:
            try:
                run.measure(waiting.pop(0))
            except RunError as error:
                failures.append(error)

    with ThreadPoolExecutor(len(cores)) as pool:
        lanes = [pool.submit(lane, core) for core in cores]
        try:
            for one in lanes:
                one.result()
        except BaseException:
            run.stop()
            raise
    if failures:
        raise failures[0]


def expected_minutes(parts: Sequence[Part], n_lanes: int) -> float:
    """Return about how long parts take by the clock.

    Examples
    --------
    >>> lanes = [Part(str(minutes), minutes, (), (), in_lane=True) for minutes in (3, 2, 2)]
    >>> expected_minutes([*lanes, Part("alone", 1, (), ())], 2)
    5.0
    """
    ends = [0.0] * n_lanes
    for minutes in sorted((part.minutes for part in parts if part.in_lane), reverse=True):
        ends[ends.index(min(ends))] += minutes
    return max(ends) + sum(part.minutes for part in parts if not part.in_lane)


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(
        prog="python -m benchmarks.whole_run", description=(__doc__ or "").partition(":")[0]
    )
    add = result.add_argument
    add("--data", type=Path, default=os.environ.get("GRAPHQUANT_DATA"), help="folder of the IAM zips")
    add("--only", nargs="+", metavar="PART", help="these parts; --list shows them")
    add("--studies", action="store_true", help="repeat studies of what was chosen, not results")
    add("--quick", action="store_true", help="little work, to try the machinery; replaces no page")
    add("--list", action="store_true", help="show the parts and how long they take")
    return result


def proceed(run: Run, parts: Sequence[Part], chosen: list[str] | None) -> None:
    """Measure what has not ended; replace the pages once everything has, of studies once each has."""
    open_parts = [
        part for part in parts if part.name not in run.ended() and (chosen is None or part.name in chosen)
    ]
    side_by_side(run, [part for part in open_parts if part.in_lane], lane_cores())
    for part in open_parts:
        if not part.in_lane:
            run.measure(part)
    ready = [part for part in parts if part.name in run.ended()]
    waiting = [part.name for part in parts if part not in ready]
    if run.is_quick:
        print(f"tried: {', '.join(run.ended())}; pages are in {run.pages}")
    elif waiting and not run.is_study:
        print(f"pages wait in {run.pages} for {', '.join(waiting)}")
    else:
        print("written: " + ", ".join(str(path.relative_to(run.root)) for path in run.publish(ready)))
        print("next: python -m benchmarks.cited, for the tables of the README; then read what the pages say")


def show(parts: Sequence[Part]) -> None:
    """Print the parts and about how long they take."""
    cores = lane_cores()
    for part in parts:
        where = "in a lane" if part.in_lane else "alone"
        print(f"{part.name:18} {part.minutes:5g} minutes, {where:9} {', '.join(part.pages)}".rstrip())
    total = expected_minutes(parts, len(cores))
    print(f"about {total:.0f} minutes by the clock, lanes on {len(cores)} cores")


def main() -> int:
    given = parser().parse_args()
    parts = STUDIES if given.studies else PARTS
    if given.list:
        show(parts)
        return 0
    try:
        known = [part.name for part in parts]
        if unknown := [name for name in given.only or () if name not in known]:
            raise RunError(f"there is no part {unknown[0]!r}", f"parts are {', '.join(known)}")
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
        # Whoever ends this process ends what it started.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        run = Run(ROOT, PUBLISHED, names, is_quick=given.quick, is_study=given.studies)
        proceed(run, parts, given.only)
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
