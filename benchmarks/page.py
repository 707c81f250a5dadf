"""Write ``speed.md`` and ``large.md`` of ``docs/results`` from the last results of the benchmarks.

Run ``python -m benchmarks.page``. Results are what ``python -m benchmarks`` left in ``benchmarks/results``
(``--results DIR``); benchmarks without any are left out, and so are pages. ``--pages DIR`` writes them there.
What is promised is checked by the benchmarks; pages say what was measured.
"""

import argparse
from collections.abc import Callable
from pathlib import Path

from benchmarks import _large_page, _speed_page
from benchmarks.__main__ import RESULTS
from benchmarks._pages import FOLDER, Records

# The benchmarks of each page, and what makes the page of their records.
PAGES: dict[str, tuple[tuple[str, ...], Callable[[Records, Path], str]]] = {
    "speed.md": (_speed_page.BENCHMARKS, _speed_page.render),
    "large.md": (_large_page.BENCHMARKS, _large_page.render),
}


def main() -> list[Path]:
    """Write the pages."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.page", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--results", type=Path, default=RESULTS, metavar="DIR", help="where records are")
    parser.add_argument("--pages", type=Path, default=FOLDER, metavar="DIR", help="where pages go")
    given = parser.parse_args()
    written = []
    for name, (benchmarks, render) in PAGES.items():
        if records := Records(given.results, benchmarks):
            page: Path = given.pages / name
            page.write_text(render(records, page), encoding="utf-8")
            written.append(page)
    return written


if __name__ == "__main__":
    print(f"written to {', '.join(map(str, main()))}")
