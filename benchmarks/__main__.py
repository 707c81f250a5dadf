"""Run the benchmarks: ``python -m benchmarks [NAME ...]``, by default all of them.

A benchmark is a module ``bench_*.py`` with a function ``run(data)``, where ``data`` is the folder of the IAM
graph database or None. It returns one record (a dict) for each thing that it measured:

- ``benchmark``: what was measured;
- ``measured`` and ``unit``: the figure that counts;
- ``at_most`` or ``at_least``: what is promised of it, if anything is;
- anything else: details.

A module may have parts, functions like ``run`` in a dict ``RUNS``; ``NAME:PART`` runs one of them.
A module that needs the data returns no record where they are absent. The records are printed, and written
with the machine and the date to ``benchmarks/results/`` (``--results DIR``). The exit code is 1 if a promise
is broken, unless ``--proceed`` says that this is not an error.

``python -m benchmarks versus --old COMMIT`` compares with an old commit instead: see ``benchmarks/versus``.
"""

import argparse
import importlib
import json
import os
import platform
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from graphquant.experiments._provenance import provenance

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results"
PACKAGES = ("graphquant", "numpy", "scipy", "lxml", "pyarrow")
HEADLINE = ("benchmark", "measured", "unit", "at_most", "at_least")

Record = dict[str, Any]
Run = Callable[[Path | None], list[Record]]


def data_folder() -> Path | None:
    """Folder of the IAM graph database, if it is here: as told, or beside the repository."""
    for folder in (os.environ.get("GRAPHQUANT_DATA"), HERE.parents[1] / "shared" / "data" / "iam"):
        if folder and Path(folder).is_dir():
            return Path(folder)
    return None


def is_kept(record: Record) -> bool | None:
    """Whether the promise of a record is kept; None where nothing is promised."""
    if "at_most" in record:
        return bool(record["measured"] <= record["at_most"])
    if "at_least" in record:
        return bool(record["measured"] >= record["at_least"])
    return None


def show(value: Any) -> str:
    if not isinstance(value, float):
        return str(value)
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def promise(record: Record) -> str:
    sign, key = ("<=", "at_most") if "at_most" in record else (">=", "at_least")
    return f"{sign} {show(record[key])}" if key in record else ""


def print_records(console: Console, records: list[Record]) -> None:
    table = Table("benchmark", "measured", "promised", "", "details", box=None, padding=(0, 2, 0, 0))
    for record in records:
        told = ((key, value) for key, value in record.items() if key not in HEADLINE)
        # Lists are for pages.
        details = ", ".join(f"{key} {show(value)}" for key, value in told if not isinstance(value, list))
        table.add_row(
            record["benchmark"],
            f"{show(record.get('measured', ''))} {record.get('unit', '')}".strip(),
            promise(record),
            {True: "[green]kept[/green]", False: "[red]BROKEN[/red]", None: ""}[is_kept(record)],
            details,
        )
    console.print(table)


def machine() -> dict[str, Any]:
    return {
        "system": platform.platform(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "packages": {name: version(name) for name in PACKAGES},
        "commit": provenance()["commit"],
    }


def processor() -> str:
    """Name of the processor; Linux tells it in a file only."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor())


def save(name: str, records: list[Record], folder: Path) -> Path:
    path = folder / f"{name.replace(':', '-')}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    date = datetime.now(UTC).isoformat(timespec="seconds")
    path.write_text(json.dumps({"date": date, "machine": machine(), "records": records}, indent=2) + "\n")
    return path


def find_run(wanted: str, known: list[str]) -> Run | None:
    """Return what runs a benchmark or, after a colon, a part of it; None if there is no such."""
    name, _, part = wanted.partition(":")
    if name not in known:
        return None
    module = importlib.import_module(f"benchmarks.bench_{name}")
    run: Run | None = getattr(module, "RUNS", {}).get(part) if part else module.run
    return run


def parser(known: list[str]) -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(
        prog="python -m benchmarks", description=(__doc__ or "").partition("\n")[0]
    )
    result.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(known)}; by default all")
    result.add_argument("--results", type=Path, default=RESULTS, metavar="DIR", help="where records go")
    result.add_argument("--proceed", action="store_true", help="a broken promise is not an error")
    return result


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["versus"]:
        return int(importlib.import_module("benchmarks.versus.__main__").main(arguments[1:]))
    # Where nobody watches, a line may be as long as it has to be.
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 200)
    known = sorted(path.stem.removeprefix("bench_") for path in HERE.glob("bench_*.py"))
    usage = parser(known)
    given = usage.parse_args(arguments)
    runs = {name: find_run(name, known) for name in given.names or known}
    if unknown := [name for name, run in runs.items() if run is None]:
        usage.error(f"no benchmark {', '.join(unknown)}; there are {', '.join(known)}")
    data = data_folder()
    broken = 0
    for name, run in runs.items():
        console.print(f"\n[bold]{name}[/bold]")
        records = run(data) if run is not None else []
        if not records:
            console.print(
                "skipped: what it needs is not here; see its first lines. GRAPHQUANT_DATA names the data"
            )
            continue
        print_records(console, records)
        console.print(f"written to {save(name, records, given.results.resolve())}")
        broken += sum(is_kept(record) is False for record in records)
    if broken:
        console.print(f"\n{broken} broken promises" if broken > 1 else "\n1 broken promise", style="red")
    return 1 if broken and not given.proceed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
