"""How far a code graph may move before another alignment can be nearer."""

import numpy as np
from sketch import ACCENT, GREY, line, mirrored, plane, plt, point

x, y = (2.0, 3.9), (2.2, 4.7)
first, second = np.hypot(x[0] - y[0], x[1] - y[1]), np.hypot(x[1] - y[0], x[0] - y[1])
figure, ax = plt.subplots(figsize=(4.6, 4.4))
plane(ax)
ax.add_patch(plt.Circle(y, (second - first) / 2, facecolor=ACCENT, alpha=0.18, edgecolor=ACCENT))
line(ax, x, y)
line(ax, mirrored(x), y, color=GREY, linewidth=1.2)
point(ax, x, "x, the lift", offset=(-64, -6))
point(ax, mirrored(x), "x, the second-best lift", hollow=True, offset=(-44, -18))
point(ax, y, "y")
ax.text(1.72, 4.25, "d1", color="#d97706", fontsize=11)
ax.text(3.25, 3.3, "d2", color=GREY, fontsize=11)
