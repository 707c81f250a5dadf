"""Cells of a codebook: the same on both sides of the mirror."""

import numpy as np
from sketch import mirrored, plane, plt, point

codes = [(0.9, 2.2), (1.3, 5.0), (3.2, 4.2), (4.6, 5.3)]
colours = np.array([[208, 233, 229], [253, 230, 200], [219, 228, 243], [236, 222, 236]]) / 255
figure, ax = plt.subplots(figsize=(4.6, 4.4))
a, b = np.meshgrid(np.linspace(0, 6, 601), np.linspace(0, 6, 601))
distances = [np.minimum(np.hypot(a - p, b - q), np.hypot(a - q, b - p)) for p, q in codes]
plane(ax)
ax.imshow(colours[np.argmin(distances, axis=0)], origin="lower", extent=(0, 6, 0, 6), zorder=1)
ax.plot([0, 6], [0, 6], color="white", linestyle="--", linewidth=1.2)
ax.set(xlim=(0, 6), ylim=(0, 6))
for number, code in enumerate(codes, start=1):
    point(ax, code, f"y{number}")
    point(ax, mirrored(code), "", hollow=True)
x = (3.1, 1.0)
point(ax, x, "x", colour="#d97706")
