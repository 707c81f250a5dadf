"""An upper bound to the last winner, lower bounds to all others: which of them need not be matched."""

from sketch import ACCENT, GREY, INK, LINK, plt

u = 1.4
lower = {"Y2": 3.1, "Y3": 2.2, "Y4": 1.1, "Y5": 2.7, "Y6": 4.0}
figure, ax = plt.subplots(figsize=(6, 2.9))
for row, (name, bound) in enumerate(lower.items()):
    kept = bound < u
    ax.plot(
        [bound, 5], [row, row], color=LINK if kept else GREY, linewidth=6, solid_capstyle="butt", alpha=0.8
    )
    ax.text(-0.12, row, name, ha="right", va="center", color=INK)
    ax.text(5.1, row, "match it" if kept else "cannot win", va="center", color=LINK if kept else GREY)
ax.axvline(u, color=ACCENT, linewidth=2)
ax.text(u + 0.08, -0.85, "u: distance to the last winner, Y1, at most", color=ACCENT, va="center")
ax.set(xlim=(0, 5), ylim=(4.5, -1.2), yticks=[], xlabel="d(X, Y) lies somewhere on the bar")
ax.spines[["left", "right", "top"]].set_visible(False)
