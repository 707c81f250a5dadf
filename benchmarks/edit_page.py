"""Write ``docs/results/edit.md`` and its plot from what ``python -m benchmarks edit`` left.

``python -m benchmarks.edit_page``; results are in ``benchmarks/results`` (``--results DIR``), of a whole run
or of its parts; ``--pages DIR`` writes the page there.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")

from matplotlib import pyplot as plt

from benchmarks import bench_edit
from benchmarks.__main__ import RESULTS
from benchmarks._pages import FOLDER, duration, figure, filled, paragraphs, percent, table

COLOURS = {
    "networkx": "#c1121f",
    "RDKit rdRascalMCES": "#f0803c",
    "edit_distance": "#1f6fb2",
    "edit_distance, approximate": "#7db8e8",
    "common_subgraph": "#2a7f4f",
}
NAMES = {
    "networkx": f"networkx, {bench_edit.TIMEOUT} s at most",
    "edit_distance": "`gq.edit_distance`",
    "edit_distance, approximate": "`gq.edit_distance`, approximate",
    "common_subgraph": "`gq.common_subgraph`",
    "RDKit rdRascalMCES": "RDKit `rdRascalMCES`",
}
PAGE = """# Graph edit distances and common subgraphs

CPU milliseconds for a pair of molecules or parts of them, by the number of nodes, at unit costs. All is
included: graphs are given as networkx graphs, and come back as edits. In brackets is the share of pairs that
were finished, where that is not all. The approximate mode
(`matcher="frank-wolfe"`) proves nothing; the others do.

{gain}

{contestants}

![Time against nodes, and the share of pairs proven against the time allowed](edit.png)

RDKit searches with `similarityThreshold = 0`, `completeAromaticRings = False` and
`ringMatchesRingOnly = False`. By default it gives up on pairs below a similarity of 0.7 and keeps aromatic
rings whole, which is another question.

## Whole molecules of 20 to 30 heavy atoms

The share of pairs proven within the CPU time allowed for each pair. Before: `ExactMatcher` of commit {old},
which does not know what values edit distances can have, with at most {nodes_old} search nodes for each of
{n_old} of the pairs; where these take less than the time allowed, nothing is said.

{curve}

## Small pairs, thresholds, learning

{rest}

## How it was measured

By `python -m benchmarks edit` with `GRAPHQUANT_OLD={old}`, {date}, commit {commit},
{processor} ({cores} cores), {system}, Python {python}; `python -m benchmarks.edit_page` made this page
of it. Times are CPU seconds of one thread, the least of {repeats} runs for small pairs; other work on
the machine makes them longer.
The limit of RDKit goes by the clock. Each size has four pairs. Molecules are those of Mutagenicity without
hydrogens, up to 16 nodes connected induced subgraphs of them, drawn at random.
Whoever finished less than half of the pairs of a size is not asked for larger ones.
All figures are in [edit.json](edit.json).
"""

Record = dict[str, Any]


def load(folder: Path) -> tuple[list[Record], dict[str, Any], str]:
    """Return the records, the machine and the date of a whole run, or of its parts."""
    whole = folder / "edit.json"
    files = [whole] if whole.exists() else [folder / f"edit-{part}.json" for part in bench_edit.RUNS]
    found = [json.loads(file.read_text()) for file in files if file.exists()]
    if not found:
        raise SystemExit(f"error: no results in {folder}; run python -m benchmarks edit first.")
    records = [record for content in found for record in content["records"]]
    return records, found[-1]["machine"], max(content["date"] for content in found)[:10]


def contestants(records: list[Record]) -> str:
    """Return the table of times by size."""
    sizes = sorted({record["nodes"] for record in records if "nodes" in record})
    rows = []
    for name, title in NAMES.items():
        own = {record["nodes"]: record for record in records if record.get("contestant") == name}
        cells = [
            ""
            if record is None
            else figure(record["measured"]) + ("" if record["done"] == 1 else f" ({record['done']:.0%})")
            for record in map(own.get, sizes)
        ]
        rows.append([title, *cells])
    return table(["nodes", *map(str, sizes)], rows)


def curve(records: list[Record]) -> str:
    """Return the table of shares proven."""
    rows = [record for record in records if "seconds" in record]
    limits = sorted({record["seconds"] for record in rows})
    lines = []
    for costs in dict.fromkeys(record["costs"] for record in rows):
        own = {record["seconds"]: record for record in rows if record["costs"] == costs}
        for title, key in ((costs, "measured"), (f"{costs}, before", "old")):
            lines.append(
                [title, *(percent(100 * own[limit][key]) if key in own[limit] else "" for limit in limits)]
            )
    return filled(["proven within", *map(words, limits)], lines)


def rest(records: list[Record]) -> str:
    """Return the tables of everything else."""
    others = [record for record in records if "nodes" not in record and "seconds" not in record]
    pairs = [
        [
            record["benchmark"],
            duration(record["measured"]),
            percent(100 * record["proven"]) if "proven" in record else "",
            duration(record.get("old")),
        ]
        for record in others
        if record["unit"] == "us a pair"
    ]
    shares = [
        [record["benchmark"], percent(100 * record["measured"])]
        for record in others
        if record["unit"] == "of pairs"
    ]
    learning = [
        [
            record["benchmark"],
            figure(record["measured"]),
            *(figure(record.get(f"seconds_{name}"), "s") for name in ("edit", "default")),
        ]
        for record in others
        if not record["unit"]
    ]
    return paragraphs(
        filled(["", "per pair", "proven", "before"], pairs),
        filled(["", "of the pairs"], shares),
        filled(["", "times", "unit costs", "default"], learning),
    )


def words(seconds: float) -> str:
    """Return a time in words."""
    return f"{1000 * seconds:g} ms" if seconds < 1 else f"{seconds:g} s"


def gain(records: list[Record]) -> str:
    """Say how the others compare, from the sizes that both finished."""

    def times(name: str) -> dict[int, float]:
        own = (record for record in records if record.get("contestant") == name)
        return {record["nodes"]: record["measured"] for record in own if record["done"] == 1}

    sentences = [
        _compared("networkx", times("networkx"), "gq.edit_distance", times("edit_distance")),
        _compared("RDKit", times("RDKit rdRascalMCES"), "gq.common_subgraph", times("common_subgraph")),
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _compared(other: str, theirs: dict[int, float], name: str, ours: dict[int, float]) -> str:
    both = sorted(ours.keys() & theirs.keys())
    if not both:
        return ""
    quicker = [str(size) for size in both if theirs[size] < ours[size]]
    most = max(theirs[size] / ours[size] for size in both)
    verdicts = [f"quicker than `{name}` at {', '.join(quicker)} nodes"] if quicker else []
    if len(quicker) < len(both):
        others = "at the others" if quicker else f"than `{name}`"
        verdicts.append(f"up to {most:,.2g} times slower {others}")
    sizes = f"{both[0]} to {both[-1]}" if len(both) > 1 else f"{both[0]}"
    return f"Where both finished, {sizes} nodes, {other} is {' and '.join(verdicts)}."


def plot(records: list[Record], path: Path) -> None:
    """Draw time against nodes, and the share proven against time."""
    figure, (times, shares) = plt.subplots(1, 2, figsize=(11, 4.4), layout="constrained")
    for name, colour in COLOURS.items():
        own = [record for record in records if record.get("contestant") == name]
        line = times.plot(
            [r["nodes"] for r in own], [r["measured"] for r in own], "o-", color=colour, label=name
        )
        for record in own:
            if record["done"] < 1:
                times.plot(record["nodes"], record["measured"], "o", mfc="white", color=line[0].get_color())
    times.set(
        yscale="log", xlabel="nodes", ylabel="CPU milliseconds a pair", title="hollow: not all pairs finished"
    )
    for record in records:
        if "each_ms" not in record:
            continue
        colour = "#1f6fb2" if record["costs"] == "unit costs" else "#2a7f4f"
        for key, count, style, title in (
            ("each_ms", "pairs", "-", ""),
            ("each_old_ms", "pairs_old", "--", ", before"),
        ):
            each = record.get(key)
            if each:
                share = [(i + 1) / record[count] for i in range(len(each))]
                shares.step(each, share, style, where="post", color=colour, label=record["costs"] + title)
    shares.set(xscale="log", xlabel="CPU milliseconds allowed for a pair", ylabel="share of pairs proven")
    shares.set(title="molecules of 20 to 30 heavy atoms", ylim=(0, 1.02))
    for axis in (times, shares):
        axis.grid(alpha=0.25)
        axis.spines[["top", "right"]].set_visible(False)
        axis.legend(frameon=False, fontsize=9)
    figure.savefig(path, dpi=130, metadata={"Software": None})
    plt.close(figure)


def main() -> Path:
    """Write the page."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.edit_page", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--results", type=Path, default=RESULTS, metavar="DIR", help="where records are")
    parser.add_argument("--pages", type=Path, default=FOLDER, metavar="DIR", help="where the page goes")
    given = parser.parse_args()
    records, machine, date = load(given.results)
    text = PAGE.format(
        gain=gain(records),
        contestants=contestants(records),
        curve=curve(records),
        rest=rest(records),
        date=date,
        repeats=bench_edit.REPEATS,
        nodes_old=f"{bench_edit.NODES_OLD:,}",
        n_old=bench_edit.N_OLD,
        **{name: machine[name] for name in ("commit", "processor", "cores", "python")},
        old=next((record["old_commit"] for record in records if "old_commit" in record), "not measured"),
        system=machine["system"].partition("-")[0],
    )
    page: Path = given.pages / "edit.md"
    page.write_text(text, encoding="utf-8")
    saved = {"date": date, "machine": machine, "records": records}
    (given.pages / "edit.json").write_text(json.dumps(saved, indent=1) + "\n", encoding="utf-8")
    plot(records, given.pages / "edit.png")
    return page


if __name__ == "__main__":
    print(f"written to {main()}")
