"""Graphs are lifted to the numbering that is nearest to the mean, then averaged."""

import numpy as np
from sketch import ACCENT, GREY, line, mirrored, plane, plt, point

graphs = [(0.7, 3.6), (4.6, 0.9), (2.6, 5.3)]
lifts = [min(place, mirrored(place), key=lambda p: np.hypot(p[0] - 1.6, p[1] - 4.8)) for place in graphs]
average = np.mean(lifts, axis=0)
figure, ax = plt.subplots(figsize=(4.6, 4.4))
plane(ax)
for number, (place, lifted) in enumerate(zip(graphs, lifts, strict=True), start=1):
    if place != lifted:
        point(ax, place, f"X{number} as given", hollow=True, offset=(-40, -18))
        ax.annotate(
            "",
            lifted,
            place,
            arrowprops={"arrowstyle": "->", "color": GREY, "connectionstyle": "arc3,rad=0.25"},
        )
        ax.annotate("lift", (3.5, 3.4), xytext=(8, 6), textcoords="offset points", color=GREY)
    line(ax, lifted, average, color=ACCENT, linewidth=1.2)
    point(ax, lifted, f"x{number}", offset=(-18, 6) if number == 2 else (8, 2))
point(ax, average, "mean", colour=ACCENT, offset=(10, -12))
