"""A graph is a point for each numbering; the distance is that of the nearest two."""

from sketch import GREY, LINK, line, mirrored, plane, plt, point

x, y = (0.9, 3.4), (5.1, 2.3)
figure, ax = plt.subplots(figsize=(4.6, 4.4))
plane(ax)
line(ax, x, y, color=GREY, linewidth=1.2, linestyle=":")
line(ax, x, mirrored(y))
point(ax, x, "x", offset=(-16, -4))
point(ax, y, "y")
point(ax, mirrored(y), "y, renumbered", hollow=True)
point(ax, mirrored(x), "x, renumbered", hollow=True, offset=(-30, -18))
ax.annotate("d(X, Y)", (1.6, 4.25), xytext=(8, -12), textcoords="offset points", color=LINK, fontsize=11)
