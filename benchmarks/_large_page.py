"""The page ``docs/results/large.md``: graphs of 15 to 60 nodes, what is proven of them and what is not."""

import math
from collections.abc import Iterator
from pathlib import Path

from benchmarks._pages import Records, duration, figure, filled, paragraphs, percent, sections

BENCHMARKS = ("large",)
# Kinds of graphs as the records name them, and as a reader knows them.
PAIRS = {
    "letter": "letters (5 nodes)",
    "fingerprint": "fingerprints (8)",
    "grec": "GREC (11)",
    "paper's molecules, seed 1": "molecules of the paper (25)",
    "Mutagenicity, test": "Mutagenicity (30, up to 417), test split",
    "Mutagenicity, train": "Mutagenicity, training split",
    "benzenoids": "benzenoids, all carbon",
    "rings of 5 to 7": "rings of 5 to 7, all carbon",
}
ENCODINGS = ("encodings of 500 Mutagenicity graphs by k = ", ": proven")
EXACT = ("paper's molecules", "Mutagenicity up to 60 nodes", "benzenoids")
SPLITS = {"train": "training", "test": "test"}
CHANGES = "distances that change with the numbering"
INTRODUCTION = """# Graphs as large as molecules

CPU time on one core for the distance of a pair by `auto`, the default, and the share of pairs whose
distance is proven to be the minimum. Pairs without proof have a certified lower bound. The hardest come
last: encodings by code graphs, whose attributes are means and fit no molecule exactly."""
METHOD = """CPU seconds of one thread. Pairs are random: 1,000 of the molecules, 300 of the all-carbon
graphs, which are made. Molecules are those of the IAM graph database with hydrogens as nodes. Seed 0
and the training split of Mutagenicity served to choose budgets and limits; the test split and other
seeds judge. The best known distance is the least of all matchers here, with exact search of up to 1 s.

By `python -m benchmarks large`; `python -m benchmarks.page` made this page of its records."""


def render(records: Records, page: Path) -> str:
    """Return the page; its picture goes beside it."""
    picture = ""
    if any(True for _ in _timed(records)):
        draw(records, page.with_suffix(".png"))
        picture = (
            f"![CPU time per pair: mean, 99th percentile and slowest, and the share proven]({page.stem}.png)"
        )
    body = sections(
        (
            ("What is not reached", limits(records)),
            ("Exact search and quick approximations", paragraphs(exact(records), approximate(records))),
            ("Learning from 1,000 molecules", fits(records)),
            ("Dense and symmetric graphs", paragraphs(dense(records), copies(records))),
            ("How it was measured", f"{METHOD}\n\n{records.origins()}"),
            ("Full record", records.everything()),
        )
    )
    return paragraphs(INTRODUCTION, pairs(records), memory(records), picture, body) + "\n"


def microseconds(records: Records, name: str) -> float | None:
    """Return a mean time; small graphs have theirs in microseconds."""
    record = records.by_name.get(name)
    if record is None:
        return None
    return float(record["measured"]) * (1.0 if " us " in record["unit"] else 1e3)


def _ms(value: float | None) -> str:
    return "" if value is None else duration(1e3 * value)


def pairs(records: Records) -> str:
    """What is proven, and in what time."""
    rows = [
        [
            title,
            percent(records.get(f"{name}: proven by auto")),
            duration(microseconds(records, f"{name}: auto")),
            _ms(records.get(f"{name}: auto", "p99_ms")),
            _ms(records.get(f"{name}: auto", "max_ms")),
        ]
        for name, title in PAIRS.items()
    ]
    for k, record in records.matching(*ENCODINGS):
        rows.append([_encoding(k), percent(record["measured"]), _ms(record.get("ms")), "", ""])
    return filled(["pairs of", "proven", "mean", "99th percentile", "slowest"], rows)


def memory(records: Records) -> str:
    peak = records.get("memory of a process that matches pairs of up to 417 nodes, peak")
    return (
        ""
        if peak is None
        else f"A process that matches molecules of up to 417 nodes takes {figure(peak)} MB at the peak."
    )


def limits(records: Records) -> str:
    """Return what speaks against us, as the figures say it."""
    return "\n".join(f"- {text}" for text in _limits(records))


def _limits(records: Records) -> Iterator[str]:
    coded = list(records.matching(*ENCODINGS))
    if coded:
        shares = [record["measured"] for _, record in coded]
        gaps = [record["mean_gap_percent"] for _, record in coded if "mean_gap_percent" in record]
        gap = f"; on average the bound is {figure(max(gaps))} % below the distance" if gaps else ""
        yield (
            f"**Encodings of molecules by code graphs are proven for {percent(min(shares))} of the graphs**"
            f"{gap}. "
            "A label can therefore be that of another code graph than the nearest."
        )
    open_pairs = [
        f"{percent(100.0 - share)} of {title}"
        for name, title in PAIRS.items()
        if (share := records.get(f"{name}: proven by auto")) is not None and share < 99.0
    ]
    if open_pairs:
        yield f"**Distances without proof:** {', '.join(open_pairs)}."
    slow = [
        (value, title)
        for name, title in PAIRS.items()
        if (value := records.get(f"{name}: auto", "max_ms")) is not None
    ]
    if slow:
        value, title = max(slow)
        yield f"**The slowest pair took {_ms(value)}** ({title})."
    changing = records.get(f"Mutagenicity, auto: {CHANGES}")
    if changing:
        yield (
            f"**{percent(changing)} of the distances of Mutagenicity change with the numbering of nodes**, "
            "since a search that stops early depends on where it began."
        )
    behind = [
        f"{kind} ({percent(100.0 - record['measured'])})"
        for kind, record in records.matching("dense, ", ": auto is as good as FAQ + 2-opt")
        if record["measured"] < 100.0
    ]
    if behind:
        yield f"**Dense problems on which SciPy finds more in the same time:** {', '.join(behind)}."


def exact(records: Records) -> str:
    rows = [
        [
            name,
            percent(records.get(f"{name}: proven by exact within 100 ms of CPU")),
            percent(records.get(f"{name}: proven by exact within 1000 ms of CPU")),
            duration(microseconds(records, f"{name}: exact")),
            _ms(records.get(f"{name}: exact", "p99_ms")),
        ]
        for name in EXACT
    ]
    return filled(["`exact`, up to 2 s", "proven in 100 ms", "in 1 s", "mean", "99th percentile"], rows)


def approximate(records: Records) -> str:
    """Quick matchers, and what they give away."""
    molecules = "paper's molecules"
    rows = [
        [
            "`AutoMatcher(node_limit=0)`",
            duration(microseconds(records, f"{molecules}: auto without search")),
            percent(records.get(f"{molecules}: auto without search above the best known")),
            "",
        ],
        [
            "`frank-wolfe`",
            duration(microseconds(records, f"{molecules}: Frank-Wolfe")),
            percent(records.get(f"{molecules}: Frank-Wolfe above the best known")),
            percent(records.get(f"{molecules}, frank-wolfe: {CHANGES}")),
        ],
        [
            "`auto`",
            duration(microseconds(records, f"{molecules}, seed 1: auto")),
            "",
            percent(records.get(f"{molecules}, auto: {CHANGES}")),
        ],
    ]
    head = ["molecules of the paper", "mean", "mean distance above the best known", CHANGES]
    return filled(head, rows)


def fits(records: Records) -> str:
    """Seconds and quality by size of the codebook, and what pruning saves."""
    rows = []
    for what, record in records.matching("fit of 1,000 Mutagenicity graphs (", ""):
        split, _, rest = what.partition("), ")
        algorithm, _, k = rest.partition(", k = ")
        own = algorithm if algorithm == "defaults" else f"`{algorithm}`"
        cells = [
            figure(record["measured"]),
            figure(record.get("distortion")),
            percent(record.get("accuracy")),
        ]
        rows.append([f"k = {k}, {own}, {SPLITS[split]} split", *cells])
    pruned = []
    for k in (2, 6, 10):
        each = [
            records.by_name.get(f"paper's molecules, 150 cycles, k = {k}: {algorithm} against standard", {})
            for algorithm in ("lossless", "fast")
        ]
        pruned.append(
            [str(k), figure(each[0].get("standard_s")), *(figure(one.get("measured")) for one in each)]
        )
    head = [
        "molecules of the paper, k",
        "CPU s, `standard`",
        "`lossless`, times faster",
        "`fast`, times faster",
    ]
    return paragraphs(
        filled(["", "CPU s", "distortion", "accuracy"], rows),
        filled(head, pruned),
    )


def dense(records: Records) -> str:
    rows = [
        [kind, percent(record["measured"])]
        for kind, record in records.matching("dense, ", ": auto is as good as FAQ + 2-opt")
    ]
    return filled(
        ["dense graphs of 20 to 40 nodes", "at least as good as SciPy's FAQ and 2-opt in the same time"], rows
    )


def copies(records: Records) -> str:
    name = "isomorphic copies of all-carbon graphs"
    wrong, time = records.by_name.get(f"{name}: wrong"), records.get(f"{name}: auto")
    if wrong is None or time is None:
        return ""
    return (
        "All-carbon graphs, in which all nodes look alike, and their renumbered copies: "
        f"{figure(wrong['measured'])} {wrong['unit']} are not proven to have distance 0; "
        f"{_ms(time)} per pair."
    )


def _timed(records: Records) -> Iterator[tuple[str, float, float, float, float]]:
    """Yield what is drawn: mean, 99th percentile and slowest in milliseconds, and the share proven."""
    for name, title in PAIRS.items():
        record = records.by_name.get(f"{name}: auto", {})
        share = records.get(f"{name}: proven by auto")
        if "max_ms" in record and share is not None:
            yield title, record["measured"], record["p99_ms"], record["max_ms"], share
    for k, record in records.matching(*ENCODINGS):
        if "ms" in record:
            yield _encoding(k), record["ms"], math.nan, math.nan, record["measured"]


def _encoding(k: str) -> str:
    return f"Mutagenicity and {k} code graphs"


def draw(records: Records, path: Path) -> None:
    """Draw times and shares proven, a line for each kind of graph."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    rows = list(_timed(records))[::-1]
    titles, means, p99, slowest, shares = zip(*rows, strict=True)
    places = list(range(len(rows)))
    drawing, (times, proven) = plt.subplots(
        1, 2, figsize=(10, 1.2 + 0.5 * len(rows)), layout="constrained", sharey=True, width_ratios=(3, 2)
    )
    times.hlines(places, means, slowest, color="#bbbbbb", linewidth=3, zorder=1)
    for values, marker, colour, label in (
        (means, "o", "#c1121f", "mean"),
        (p99, "D", "#1f6fb2", "99th percentile"),
        (slowest, "|", "#555555", "slowest"),
    ):
        times.scatter(values, places, marker=marker, color=colour, s=60, label=label, zorder=2)
    times.set(xscale="log", xlabel="CPU milliseconds per pair", ylim=(-0.6, len(rows) - 0.4))
    times.set_yticks(places, titles)
    times.legend(frameon=False, fontsize=9, loc="upper center", bbox_to_anchor=(0.5, 1.2), ncols=3)
    proven.barh(places, shares, height=0.5, color="#2a7f4f")
    proven.barh(places, [100.0 - share for share in shares], height=0.5, left=shares, color="#e8e8e8")
    proven.set(xlabel="% of pairs proven", xlim=(0, 100))
    for axis in (times, proven):
        axis.grid(alpha=0.25, axis="x")
        axis.spines[["top", "right"]].set_visible(False)
    drawing.savefig(path, dpi=130, metadata={"Software": None})
    plt.close(drawing)
