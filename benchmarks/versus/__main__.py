"""Measure the working tree beside an old commit: ``python -m benchmarks versus --old COMMIT --data DIR``.

Both are installed into environments of their own, in ``build/versus``, and measured in turns on one machine.
"""

import argparse
import json
import os
import statistics
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.__main__ import RESULTS, machine
from benchmarks.versus import _processes as processes
from benchmarks.versus._page import PAGES, write_page
from benchmarks.versus._sides import ROOT, Side, Worker, install_new, install_old

FOLDER = ROOT / "build" / "versus"
PARTS = ("matching", "fits", "starts", "forks", "home", "interrupts")
# Pairs that take a tenth of a second or more.
N_PAIRS = {"letter": 20_000, "grec": 800, "fingerprint": 4_000, "molecules": 40}
MATCHERS = ("exact", "auto", "frank-wolfe", "graduated-assignment")
# Built-in letters by their number in each of the 15 classes.
FITS = (("letter", 15), ("letter", 45), ("grec", 22), ("fingerprint", 15), ("built-in 6667", 15))
N_CHILDREN = 60
INTERRUPTED_AFTER = (0.5, 3.0, 8.0)

Record = dict[str, Any]


def in_turns(measure: Callable[[int], float], repeats: int) -> Record:
    """Measure old (0) and new (1) by turns: minima, medians, and how many times faster the new one is."""
    found = [[measure(side) for side in (0, 1)] for _ in range(repeats)]
    old, new = zip(*found, strict=True)
    return {
        "old": min(old),
        "new": min(new),
        "ratio": min(old) / min(new),
        "old_median": statistics.median(old),
        "new_median": statistics.median(new),
        "median_ratio": statistics.median(old) / statistics.median(new),
    }


def compare(workers: list[Worker], title: str, unit: str, repeats: int, **job: Any) -> Record:
    """Let both sides do a job: once to compile, and to compare the results; then measured."""
    first = [worker.ask(**job, warm=True) for worker in workers]
    same = {f"same_{name}": first[0][name] == first[1][name] for name in ("graphs", "digest")}
    times = in_turns(lambda side: float(workers[side].ask(**job, warm=False)["measured"]), repeats)
    counts = {name: value for name, value in first[1].items() if name.endswith("matchings")}
    return {"title": title, "unit": unit, **times, **same, **counts}


def matching(workers: list[Worker], data: str, repeats: int) -> Iterator[Record]:
    """Matching: CPU time per pair."""
    for name, n_pairs in N_PAIRS.items():
        for matcher in MATCHERS:
            # Proofs of molecules take long.
            n = 8 if (name, matcher) == ("molecules", "exact") else n_pairs
            job = {"job": "match", "name": name, "data": data, "matcher": matcher, "n_pairs": n}
            yield compare(workers, f"{name}, {matcher}", "us per pair", repeats, **job)


def fits(workers: list[Worker], data: str, repeats: int) -> Iterator[Record]:
    """Learning: CPU time of whole fits, and the same codebooks."""
    for name, n_codes in FITS:
        job = {"job": "fit", "name": name, "data": data, "n_codes": n_codes}
        # "standard" takes minutes where there are many graphs: it is compared, and not timed.
        found = compare(workers, f"{name}, k = {n_codes}", "s", repeats, **job, algorithm="lossless")
        standard = [worker.ask(**job, algorithm="standard", warm=True)["digest"] for worker in workers]
        yield found | {"same_standard": standard[0] == standard[1]}


def starts(sides: list[Side], repeats: int) -> Iterator[Record]:
    """Whole processes, by the clock."""
    for title, code in processes.FIRST.items():
        first = [processes.first_seconds(side, code) for side in sides]
        times = in_turns(lambda side, code=code: processes.seconds(sides[side], "-c", code), repeats)
        later = [processes.first_seconds(sides[1], code) for _ in range(repeats)]
        yield {"title": f"first {title}", "unit": "s", "old": first[0], "new": min(first[1], *later)}
        yield {"title": f"later {title}", "unit": "s", **times}
    for command in processes.COMMANDS:
        times = in_turns(
            lambda side, command=command: processes.command_seconds(sides[side], command), repeats
        )
        yield {"title": f"graphquant {command}", "unit": "s", **times}


def forks(workers: list[Worker]) -> Iterator[Record]:
    """Children that hang."""
    found = [worker.ask(job="fork", n_children=N_CHILDREN)["measured"] for worker in workers]
    title = f"of {N_CHILDREN} children forked while a thread predicts, hang"
    yield {"title": title, "unit": "", "old": found[0], "new": found[1]}


def home(sides: list[Side]) -> Iterator[Record]:
    """What is said and written where there is no home; as root, the old one can write beside its modules."""
    for title, where in (("HOME unset", None), ("unwritable home", processes.unwritable_home())):
        said = processes.said_without_home(sides[1], where)
        yield {"title": title, "unit": "", "new": said or "silent, writes nothing"}


def interrupts(sides: list[Side], data: str) -> Iterator[Record]:
    """Seconds from Ctrl-C to the end of the process."""
    molecules = (str(Path(data, "Mutagenicity.zip")),)
    for title, code, arguments in (
        ("a pair of 2,000 nodes", processes.LARGE_PAIR, ()),
        ("a fit of 1,000 graphs of Mutagenicity", processes.LARGE_FIT, molecules),
    ):
        for delay in INTERRUPTED_AFTER:
            ends = [processes.seconds_after_interrupt(side, code, arguments, delay) for side in sides]
            yield {"title": f"{title}, after {delay:g} s", "unit": "s", "old": ends[0], "new": ends[1]}


def show(part: str, record: Record) -> None:
    """Print a record as soon as it is there."""
    figures = ", ".join(
        f"{key} {value:.4g}" if isinstance(value, float) else f"{key} {value}"
        for key, value in record.items()
        if key != "title"
    )
    print(f"{part}: {record['title']}: {figures}", flush=True)


def measure(
    sides: list[Side], data: str, chosen: list[str], repeats: int
) -> Iterator[tuple[str, list[Record]]]:
    """Measure the parts that are asked for."""
    with ExitStack() as stack:
        workers = [stack.enter_context(side.worker()) for side in sides]
        parts: dict[str, Callable[[], Iterator[Record]]] = {
            "matching": lambda: matching(workers, data, repeats),
            "fits": lambda: fits(workers, data, repeats),
            "starts": lambda: starts(sides, repeats),
            "forks": lambda: forks(workers),
            "home": lambda: home(sides),
            "interrupts": lambda: interrupts(sides, data),
        }
        for part in chosen:
            found = []
            for record in parts[part]():
                show(part, record)
                found.append(record)
            yield part, found


def save(sides: list[Side], part: str, records: list[Record], results: Path, pages: Path) -> None:
    """Write a part beside those of earlier runs, and the page with all of them."""
    path = results / "versus.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    before = json.loads(path.read_text()) if path.exists() else {}
    old, new = (side.commit for side in sides)
    is_other = before.get("old") != old
    content = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine(),
        "old": old,
        "new": new,
        "numba": sides[0].version_of("numba"),
        "parts": ({} if is_other else before["parts"]) | {part: records},
    }
    path.write_text(json.dumps(content, indent=2) + "\n")
    print(f"written to {path} and {write_page(content, pages)}", flush=True)


def main(arguments: list[str]) -> int:
    """Install, measure, write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks versus", description=__doc__)
    parser.add_argument("--old", required=True, metavar="COMMIT", help="what to compare with")
    parser.add_argument("--data", default=os.environ.get("GRAPHQUANT_DATA"), help="folder of the IAM zips")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument(
        "--parts", nargs="+", choices=PARTS, default=list(PARTS), help="the others are kept from the last run"
    )
    add = parser.add_argument
    add("--results", type=Path, default=RESULTS, metavar="DIR", help="where records go")
    add("--pages", type=Path, default=PAGES, metavar="DIR", help="where the page goes")
    options = parser.parse_args(arguments)
    if options.data is None:
        parser.error("name the folder of the IAM zips: --data DIR")
    sides = [install_old(options.old, FOLDER), install_new(FOLDER)]
    data = str(Path(options.data).resolve())
    for part, records in measure(sides, data, options.parts, options.repeats):
        save(sides, part, records, options.results.resolve(), options.pages.resolve())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
