"""The page ``docs/results/speed.md``: times of pairs and of learning, many graphs, memory, files."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks._pages import Records, duration, figure, filled, paragraphs, percent, sections

BENCHMARKS = ("matching", "learning", "scale", "reading", "parquet", "starts")
SETS = {"letter": "letters", "fingerprint": "fingerprints", "grec": "GREC", "molecules": "molecules"}
# What the matchers are called in the records, and here.
MATCHERS = {
    "auto": "auto, the default",
    "exact": "exact",
    "Frank-Wolfe with local search": "frank-wolfe",
    "graduated assignment": "graduated assignment, the paper's",
}
OTHERS = {
    "POT fused_gromov_wasserstein2": "POT, fused Gromov-Wasserstein",
    "SciPy quadratic_assignment (structure only)": "SciPy, quadratic assignment of the edges alone",
    "networkx graph_edit_distance": "networkx, edit distance, 1 s at most",
}
PALETTE = ("#c1121f", "#7b2d8b", "#1f6fb2", "#7db8e8", "#2a7f4f", "#8a6d1f", "#555555")
COLOURS = dict(zip([*MATCHERS, *OTHERS], PALETTE, strict=True))
CODEBOOKS = {
    "letter": (15, 30, 45),
    "grec": (22, 33, 44),
    "fingerprint": (15, 30, 60),
    "molecules": (2, 6, 10),
}
INTRODUCTION = """# Speed and memory

CPU time on one core for the distance of a pair of graphs; pairs are random ones of the paper's data
sets. Every other package has a distance of its own, so times are compared, not values. What our
matchers do not reach stands below their times: the share that is proven to be the minimum, and how far
the mean distance is above the best known."""
METHOD = """CPU seconds of one thread, the best of several runs; threads, workers and whole processes go
by the clock. Pairs are drawn with seed 0. `exact` may take 1 s for a pair of molecules and 20,000
search nodes for one of GREC. Graphs are the paper's subsets of the IAM graph database, encoded by the
presets. Other packages get the same vectors, on 100 of the pairs; what they want as input is made
before.

Learning starts from furthest-first and has 150 cycles with a linear rate, as in the paper. Saved
matchings are k N per cycle, what the standard algorithm takes, over those of learning and of codebook
movement. The time of the standard algorithm is told from a few cycles, which all take about the same.
Many graphs are built-in letters in Parquet, in random order; the fit has 3 cycles.

By `make bench`; `python -m benchmarks.page` made this page of its records."""


def render(records: Records, page: Path) -> str:
    """Return the page; its picture goes beside it."""
    picture = ""
    if any(records.get(f"{name}: auto") is not None for name in SETS):
        draw(records, page.with_suffix(".png"))
        picture = f"![CPU time per pair]({page.stem}.png)"
    body = sections(
        (
            ("Learning a codebook", learning(records)),
            ("Many graphs", many_graphs(records)),
            ("Files", files(records)),
            ("From the start of a process", starts(records)),
            ("How it was measured", f"{METHOD}\n\n{records.origins()}"),
            ("Full record", records.everything()),
        )
    )
    return paragraphs(INTRODUCTION, pairs(records), quicker(records), picture, body) + "\n"


def pairs(records: Records) -> str:
    """Times of a pair, and what the matchers leave open."""

    def line(title: str, what: str, key: str = "measured") -> list[str]:
        show = duration if key == "measured" and not what.endswith(("proven", "known")) else percent
        return [title, *(show(records.get(f"{name}: {what}", key)) for name in SETS)]

    above = "above the best known"
    rows = [
        line(MATCHERS["auto"], "auto"),
        line("— proven", "auto", "proven_percent"),
        line(f"— {above}", "auto", "above_best_percent"),
        line(MATCHERS["exact"], "exact"),
        line("— proven", "exact, proven"),
        line(MATCHERS["Frank-Wolfe with local search"], "Frank-Wolfe with local search"),
        line(f"— {above}", f"Frank-Wolfe, distance {above}"),
        line(MATCHERS["graduated assignment"], "graduated assignment"),
        line(f"— {above}", "graduated assignment", "above_best_percent"),
        *(line(title, name) for name, title in OTHERS.items()),
        line("a lower bound alone", "star bound"),
    ]
    head = [
        title if nodes is None else f"{title}, {nodes:.0f} nodes"
        for name, title in SETS.items()
        for nodes in [records.get(f"{name}: auto", "mean_nodes")]
    ]
    return filled(["per pair", *head], rows)


def quicker(records: Records) -> str:
    """Say which other package is quicker than the default matcher, and where."""
    found = []
    for other, title in OTHERS.items():
        where = [
            shown
            for name, shown in SETS.items()
            if (records.get(f"{name}: {other}") or np.inf) < (records.get(f"{name}: auto") or 0.0)
        ]
        if where:
            found.append(f"{title.partition(',')[0]} on {' and '.join(where)}")
    return f"Quicker than `auto`, with a distance of its own: {'; '.join(found)}." if found else ""


def learning(records: Records) -> str:
    """Matchings and time saved, and what ``fast`` costs."""
    rows = []
    for name, sizes in CODEBOOKS.items():
        for k in sizes:
            beginning = f"{name} k={k}: "
            paper = records.get(f"{beginning}fast, linear", "paper")
            cells = [
                _saved(records, f"{beginning}{how}, linear") for how in ("accelerated", "lossless", "fast")
            ]
            seconds = figure(records.get(f"{beginning}fast, linear", "seconds"))
            rows.append([f"{SETS[name]}, {k}", *cells, seconds, figure(paper)])
    head = ["graphs, k", "accelerated", "lossless", "fast", "CPU s of fast", "paper, matchings"]
    saved = filled(head, rows)
    if saved:
        saved = (
            "Times fewer matchings / times less CPU time than the standard algorithm, 150 cycles. "
            "`accelerated` is the paper's algorithm; `lossless` has the codebook of the standard algorithm, "
            "`fast` may differ from it. "
            f"[Table 2](table2.md) has the other cells.\n\n{saved}"
        )
    return paragraphs(saved, _quality(records), _whole_fits(records))


def _saved(records: Records, name: str) -> str:
    cells = [figure(records.get(name, key)) for key in ("measured", "wall_ratio")]
    return " / ".join(cell for cell in cells if cell)


def _quality(records: Records) -> str:
    rows = []
    for what, record in records.matching(ending=" cycles"):
        case, found, cycles = what.partition(": distortion of fast above standard's, ")
        if found:
            name, _, k = case.partition(" k=")
            # At most the spread is promised.
            change, spread = (100.0 * record[key] / record["standard"] for key in ("measured", "at_most"))
            rows.append([f"{SETS.get(name, name)}, {k}", f"{change:+.2g} %", f"± {spread:.2g} %", cycles])
    title = "What `fast` costs: its mean distortion beside that of the standard algorithm, over 5 seeds."
    found = filled(["graphs, k", "distortion of fast", "spread between seeds", "cycles"], rows)
    return f"{title}\n\n{found}" if found else ""


def _whole_fits(records: Records) -> str:
    found = [
        f"A whole fit of the letters with k = {k}, start and labels included, takes "
        f"{figure(record['measured'])} CPU s."
        for k, record in records.matching("letter k=", ": lossless, whole fit on one core")
    ]
    return " ".join(found)


def many_graphs(records: Records) -> str:
    """Whole collections: seconds by the clock, memory, a second core, the price of partitions."""
    rows = []
    for what, title in (("predict", "encode"), ("fit of 3 cycles", "learn from")):
        for case, record in records.matching(ending=f": {what}"):
            peak = record.get("peak_gib", records.get(f"{case}: {what}, peak memory"))
            rows.append([f"{title} {_letters(case)}", figure(record["measured"], "s"), figure(peak, "GiB")])
    for _, record in records.matching("make, write and read back"):
        made = f"make, write and read back {record.get('graphs', 1_000_000):,} letters"
        rows.append([made, figure(record.get("seconds"), "s"), figure(record["measured"], "GiB")])
    return paragraphs(
        filled(["", "by the clock", "memory at the peak"], rows),
        _memory(records),
        filled(["a second core", "times faster"], _second_core(records)),
        filled(["learning in four partitions", "distortion above that in memory"], _partitions(records)),
        " ".join(_few_bounds(records)),
    )


def _letters(case: str) -> str:
    count, _, k = case.partition(" letters, k=")
    return f"{int(count):,} letters, k = {k}" if count.isdigit() else case


def _memory(records: Records) -> str:
    each = records.get("letter: peak memory of a fit, a (graph, code) pair")
    node = records.get("letter: peak memory of a fit, a node")
    packed = records.get("size of a packed graph")
    parts = []
    if each is not None and node is not None:
        parts.append(
            f"Beside its graphs a fit takes {figure(each)} bytes at the peak for each pair of a graph and a "
            f"code graph, and {figure(node)} for each node."
        )
    if packed is not None:
        parts.append(f"A built-in letter has {figure(packed)} bytes.")
    return " ".join(parts)


def _second_core(records: Records) -> Iterator[list[str]]:
    for name, record in records.matching(ending=": pairwise_distances on two threads"):
        granted = record.get("machine_grants")
        more = "" if granted is None else f" (the machine grants {figure(granted)})"
        yield [
            f"distances of all pairs, {SETS.get(name, name)}, 2 threads",
            figure(record["measured"]) + more,
        ]
    for case, record in records.matching(ending=": cycles of one Dask worker over those of two"):
        yield [f"learning from {_letters(case)}, 2 Dask workers", figure(record["measured"])]


def _partitions(records: Records) -> Iterator[list[str]]:
    for what, record in records.matching(ending=" cycles"):
        case, found, _ = what.partition(": distortion of 4 partitions above memory's, ")
        if found:
            yield [case.replace(" k=", ", k = "), figure(record["measured"], "%")]


def _few_bounds(records: Records) -> Iterator[str]:
    for _, record in records.matching(ending=": matchings with 20 bounds a graph over those with 200"):
        seconds, before = (figure(record.get(key)) for key in ("seconds", "seconds_with_all_bounds"))
        yield (
            "Where memory allows only a tenth of the bounds, a fit takes "
            f"{figure(record['measured'])} times the matchings, and {seconds} s instead of {before} s."
        )


def files(records: Records) -> str:
    """Reading GXL and Parquet."""
    rows = [
        [f"GXL, {name}", duration(record.get("microseconds")), figure(record["measured"])]
        for name, record in records.matching("read ", ".zip")
    ]
    for _, record in records.matching("read Parquet"):
        rows.append(["Parquet, built-in letters", duration(record.get("parquet_microseconds")), ""])
        rows.append(["GXL, the same letters", duration(record.get("gxl_microseconds")), ""])
    return filled(["", "per graph", "times the bare parse of its XML"], rows)


def starts(records: Records) -> str:
    """Seconds until a new process has ended."""
    content = records.contents.get("starts", {"records": []})
    rows = [[each["benchmark"], figure(each["measured"], "s")] for each in content["records"]]
    return filled(["", "by the clock"], rows)


def draw(records: Records, path: Path) -> None:
    """Draw the time of a pair: a line for each matcher, over the data sets."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    drawing, axis = plt.subplots(figsize=(8, 4.6), layout="constrained")
    for name, title in {**MATCHERS, **OTHERS}.items():
        found = [(place, records.get(f"{key}: {name}")) for place, key in enumerate(SETS)]
        known = [(place, value / 1e3) for place, value in found if value is not None]
        if known:
            style = {
                "marker": "o" if name in MATCHERS else "s",
                "linestyle": "-" if name in MATCHERS else ":",
            }
            axis.plot(*zip(*known, strict=True), color=COLOURS[name], label=title, **style)
    axis.set_xticks(range(len(SETS)), list(SETS.values()))
    axis.set(yscale="log", ylabel="CPU milliseconds per pair")
    axis.grid(alpha=0.25)
    axis.spines[["top", "right"]].set_visible(False)
    drawing.legend(loc="outside lower center", ncols=2, fontsize=9, frameon=False)
    drawing.savefig(path, dpi=130, metadata={"Software": None})
    plt.close(drawing)
