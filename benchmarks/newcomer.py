"""A newcomer's first five minutes, in an empty folder: ``python -m benchmarks.newcomer`` prints the page.

Clone, ``make demo``, a report, and a report about data of one's own. Times are those of the clock and of the
processor; what pip has in its cache, and what else the machine does, matter for the first.
"""

import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.__main__ import machine

ROOT = Path(__file__).resolve().parents[1]
OWN = """\
import networkx as nx
import graphquant as gq

graphs = []
for n in range(8, 14):
    for graph in (nx.path_graph(n), nx.complete_graph(n)):
        nx.set_node_attributes(graph, dict(graph.degree), "degree")
        graphs.append(graph)
q = gq.GraphQuantizer(2, random_state=0).fit(graphs)
gq.report.write_report("own.html", q, graphs)
print(q.labels_.tolist())
"""
STEPS = {
    "`git clone`": ("git", "clone", "--quiet", str(ROOT), "graphquant"),
    "`make demo`: environment, core, 750 letters": ("make", "-C", "graphquant", "demo"),
    "`make demo` again: 750 letters": ("make", "-C", "graphquant", "demo"),
    "data of one's own, a report about them": ("graphquant/.venv/bin/python", "own.py"),
}
INTRODUCTION = """# The first five minutes, as tried

From an empty folder to a report about your own data."""
METHOD = """## How it was measured

Printed by `python -m benchmarks.newcomer`; {date}, commit {commit}, {processor} ({cores} cores,
load {load:.0f} before it began). The clock includes what pip downloads, and what else the machine does."""


def do(folder: Path) -> Iterator[str]:
    """Yield the rows of a table: each step with its seconds."""
    yield "| step | seconds by the clock | CPU seconds |"
    yield "|---|---|---|"
    for title, command in STEPS.items():
        began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        yield f"| {title} | {time.monotonic() - began:.1f} | {cpu:.1f} |"


def main() -> None:
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "own.py").write_text(OWN, encoding="utf-8")
        rows = "\n".join(do(folder))
        made = [folder / "graphquant" / "graphquant-demo" / "report.html", folder / "own.html"]
        sizes = [path.stat().st_size / 1024 for path in made]
    about = machine()
    print(INTRODUCTION)
    print(f"\n{rows}\n")
    print(f"The reports have {sizes[0]:.0f} and {sizes[1]:.0f} kB. The data of one's own:\n")
    print(f"```python\n{OWN}```\n")
    print(METHOD.format(date=datetime.now(UTC).date(), load=load, **about))


if __name__ == "__main__":
    main()
