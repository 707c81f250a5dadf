"""The plots of the page: accuracy against time, and growth with the number of graphs."""

from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")

from matplotlib import pyplot as plt

from benchmarks.peers._data import GROWTH, SETS
from benchmarks.peers._routes import ROUTES
from benchmarks.peers._summary import Key, Row

NAMES = [route.name for route in ROUTES]
MARKERS = dict(zip(NAMES, "*PDo^svXd<", strict=True))
PALETTE = "c1121f f0803c 7b2d8b 1f6fb2 7db8e8 2a7f4f 86c29a 8a6d1f 555555 b0b0b0"
COLOURS = {name: f"#{code}" for name, code in zip(NAMES, PALETTE.split(), strict=True)}

SMALL = {"fontsize": 9, "color": "#666666", "va": "bottom"}


def plot_quality(rows: dict[Key, Row], chance: dict[tuple[str, int], float], path: Path) -> None:
    """Accuracy against CPU seconds, a panel for each data set, at the paper's smallest k."""
    figure, axes = plt.subplots(2, 3, figsize=(11, 7), layout="constrained", sharex=True)
    handles: dict[str, Any] = {}
    for axis, task in zip(axes.flat, SETS, strict=True):
        k = task.ks[0]
        if (task.name, k) in chance:
            level = 100 * chance[task.name, k]
            axis.axhline(level, color="#999999", linestyle=":", linewidth=1)
            axis.annotate("chance", (0.99, level), xycoords=("axes fraction", "data"), **SMALL, ha="right")
        for route in ROUTES:
            row = rows.get((task.name, k, route.name))
            if row is None or row.mean is None:
                continue
            handles[route.title] = axis.errorbar(
                row.cpu,
                row.accuracy,
                yerr=row.accuracy_deviation,
                marker=MARKERS[route.name],
                color=COLOURS[route.name],
                markersize=13 if route.name == "graphquant" else 8,
                linestyle="none",
                capsize=2,
                elinewidth=1,
                zorder=3 if route.ours else 2,
            )
        axis.set_title(f"{task.title}, k = {k}", fontsize=11)
        axis.set_xscale("log")
        axis.grid(alpha=0.25)
        axis.spines[["top", "right"]].set_visible(False)
    for axis in axes[:, 0]:
        axis.set_ylabel("accuracy, %")
    for axis in axes[-1]:
        axis.set_xlabel("CPU seconds")
    figure.legend(
        list(handles.values()), list(handles), loc="outside lower center", ncols=2, fontsize=9, frameon=False
    )
    figure.savefig(path, dpi=130, metadata={"Software": None})
    plt.close(figure)


def plot_growth(rows: dict[Key, Row], path: Path) -> None:
    """CPU seconds and memory against the number of graphs; hollow marks are foreseen from few graphs."""
    figure, (seconds, memory) = plt.subplots(1, 2, figsize=(11, 4.6), layout="constrained")
    handles: dict[str, Any] = {}
    for route in ROUTES:
        found = [(task.n_graphs, rows.get((task.name, task.ks[0], route.name))) for task in GROWTH]
        known = [(size, row) for size, row in found if row is not None]
        ended = [(size, row) for size, row in known if row.mean is not None]
        open_ended = [(size, row) for size, row in known if row.mean is None]
        if not route.grows or not known:
            continue
        style = {"marker": MARKERS[route.name], "color": COLOURS[route.name], "markersize": 9}
        (handles[route.title],) = seconds.plot(
            [size for size, _ in ended], [row.cpu for _, row in ended], linewidth=1.5, **style
        )
        seconds.plot(
            [size for size, _ in ended[-1:] + open_ended],
            [row.cpu for _, row in ended[-1:] + open_ended],
            linestyle=":",
            markerfacecolor="none",
            zorder=1,
            **style,
        )
        memory.plot([size for size, _ in ended], [row.peak_mib for _, row in ended], linewidth=1.5, **style)
    for axis, label in ((seconds, "CPU seconds"), (memory, "peak memory, MiB")):
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_xlabel("number of graphs")
        axis.set_ylabel(label)
        axis.grid(alpha=0.25)
        axis.spines[["top", "right"]].set_visible(False)
    memory.axhline(4096, color="#999999", linestyle=":", linewidth=1)
    memory.annotate("4 GiB", (0.01, 4096), xycoords=("axes fraction", "data"), **SMALL)
    figure.legend(
        list(handles.values()), list(handles), loc="outside lower center", ncols=2, fontsize=9, frameon=False
    )
    figure.savefig(path, dpi=130, metadata={"Software": None})
    plt.close(figure)
