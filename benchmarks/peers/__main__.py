"""graphquant against everything a user could pick instead: ``python -m benchmarks.peers``.

Runs what has no record yet, then writes ``docs/results/peers.md`` with its tables and plots. A run may be
stopped and started again at any time; delete ``benchmarks/results/peers`` (or a part of it) to measure anew.
"""

import argparse
import os
import sys
from pathlib import Path

from benchmarks.peers import _data, _distances, _page, _routes
from benchmarks.peers._runner import ROOT, Limits, Runner
from benchmarks.peers._store import Store, read


def parser() -> argparse.ArgumentParser:
    limits = Limits()
    result = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__.partition(".")[0])
    add = result.add_argument
    add("--only", nargs="+", choices=list(_routes.BY_NAME), metavar="ROUTE", help=", ".join(_routes.BY_NAME))
    add("--sets", nargs="*", choices=list(_data.BY_NAME), metavar="SET", help=", ".join(_data.BY_NAME))
    add("--seeds", type=int, default=limits.n_seeds, help="seeds of a run (%(default)s)")
    add("--min-seeds", type=int, default=limits.min_seeds, help="seeds that even slow runs get (%(default)s)")
    add("--budget", type=float, default=limits.budget, help="CPU s after which no seed follows (%(default)s)")
    add("--cap", type=float, default=limits.cap, help="CPU s of a run (%(default)s)")
    add("--matrix-cap", type=float, default=limits.matrix_cap, help="CPU s of a matrix (%(default)s)")
    add("--growth-cap", type=float, default=limits.growth_cap, help="the same on built-in letters")
    add("--processes", type=int, default=2, help="runs at a time, each on a core of its own (%(default)s)")
    add("--data", type=Path, default=os.environ.get("GRAPHQUANT_DATA"), help="folder of the IAM zips")
    add("--results", type=Path, default=ROOT / "benchmarks/results/peers", help="folder of the records")
    add("--page", type=Path, default=ROOT / "docs/results", help="folder of the page (%(default)s)")
    add("--quick", action="store_true", help="the first setting and the smallest k alone")
    add(
        "--keep", type=Path, metavar="JSON", help="page to take routes from that are not measured, peers.json"
    )
    add("--no-run", action="store_true", help="write the page from the records that are there")
    add("--no-page", action="store_true", help="measure sets, and leave the rest to a later call")
    return result


def main() -> int:
    given = parser().parse_args()
    sets = [task for task in _data.ALL if given.sets is None or task.name in given.sets]
    if given.data is None and any(not task.is_growth for task in sets) and not given.no_run:
        print("error: the folder of the IAM graph database is not known.", file=sys.stderr)
        print("hint: set GRAPHQUANT_DATA, or pass --data; --sets letters-1e3 needs none", file=sys.stderr)
        return 1
    store = Store(given.results.resolve())
    limits = Limits(
        n_seeds=given.seeds,
        min_seeds=given.min_seeds,
        cap=given.cap,
        matrix_cap=given.matrix_cap,
        growth_cap=given.growth_cap,
        budget=given.budget,
    )
    if not given.no_run:
        routes = [route for route in _routes.ROUTES if given.only is None or route.name in given.only]
        data = Path(given.data).resolve() if given.data else None
        Runner(store, data, limits, given.processes, given.quick).run(sets, routes)
        if given.no_page:
            return 0
        if given.only is None and given.data is not None:
            _distances.run(store, Path(given.data))
    earlier = read(given.keep) if given.keep else {}
    if given.keep and "rows" not in earlier:
        print(f"error: {given.keep} is not the JSON of a page.", file=sys.stderr)
        print("hint: pass docs/results/peers.json", file=sys.stderr)
        return 1
    for path in _page.write_page(store, given.page, given.data and Path(given.data), earlier):
        print(f"written: {path}")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here", file=sys.stderr)
        sys.exit(130)
