"""The layers of the package, drawn from the contract of import-linter, and those of the core below them."""

import tomllib
from pathlib import Path

import sketch
from sketch import GREY, INK, PALE, plt

project = tomllib.loads((Path(sketch.__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
contract = project["tool"]["importlinter"]["contracts"][0]["layers"]
rows = [
    [name.strip().removeprefix("graphquant.") for name in row.replace(":", "|").split("|")]
    for row in contract
]
# The folders of cpp/, below the header that separates them from Python.
BOUNDARY = ["cpp/graphquant.h"]
CORE = [["learning", "medoids"], ["matching"], ["bounds"], ["assignment", "graphs"], ["support"]]
rows += [BOUNDARY, *CORE]
figure, ax = plt.subplots(figsize=(7, 0.44 * len(rows)))
for height, row in enumerate(reversed(rows)):
    width = 10 / len(row)
    for place, name in enumerate(row):
        box = plt.Rectangle(
            (place * width, height),
            width - 0.08,
            0.82,
            facecolor=GREY if row is BOUNDARY else PALE,
            edgecolor="none",
        )
        ax.add_patch(box)
        ax.text(
            (place + 0.5) * width - 0.04, height + 0.41, name, ha="center", va="center", color=INK, fontsize=9
        )
ax.annotate("", (10.35, 0.2), (10.35, len(rows) - 0.3), arrowprops={"arrowstyle": "->", "color": INK})
ax.text(10.5, (len(rows) + len(CORE)) / 2, "imports", rotation=270, va="center", color=INK, fontsize=9)
ax.text(10.5, len(CORE) / 2, "includes", rotation=270, va="center", color=INK, fontsize=9)
ax.set(xlim=(0, 10.9), ylim=(0, len(rows)))
ax.set_axis_off()
