"""
Multiplex graphs: who reports to whom, who talks to whom
========================================================

The same nodes may be joined by several kinds of edges. ``Graph.from_layers`` gives each kind a channel, so that a match has to explain
all of them with one mapping of the nodes. That is more than comparing layer by layer.
"""

import matplotlib.pyplot as plt
import numpy as np

import graphquant as gq

# %%
# Ninety made-up companies of seven people. In all of them a boss has two deputies with two people each. In "by the book"
# people talk to those they report to, in "open door" everybody talks to the boss, and in "grey eminence" everybody talks to
# one person at the bottom. In each company one talk is missing, or one is added.

REPORTS = [(0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (2, 6)]
TALKS = {
    "by the book": REPORTS,
    "open door": [(0, i) for i in range(1, 7)],
    "grey eminence": [(i, 6) for i in range(6)],
}
rng = np.random.default_rng(0)


def company(talks):
    """Return the layers of a company, with its people in random order."""
    everybody = [(i, j) for i in range(7) for j in range(i)]
    chosen = {tuple(sorted(pair)) for pair in talks}
    for i, j in rng.permutation(everybody)[:1]:
        chosen ^= {(int(min(i, j)), int(max(i, j)))}
    new = rng.permutation(7)
    return [[(int(new[i]), int(new[j])) for i, j in layer] for layer in (REPORTS, sorted(chosen))]


kinds = rng.permutation(np.repeat(np.arange(3), 30))
names = list(TALKS)
layers = [company(TALKS[names[kind]]) for kind in kinds]
ones = np.ones((7, 1))

# %%
# Reports alone say nothing: they are the same everywhere. Talks alone confuse two kinds: a star is a star, no matter who is its
# centre. Both layers together tell who is in the centre, because one mapping of the people must explain both.

reports = gq.pairwise_distances([gq.Graph(ones, reports) for reports, _ in layers])
print(f"largest distance by reports alone: {reports.max():.1f}")
forms = {
    "talks alone": [gq.Graph(ones, talks) for _, talks in layers],
    "reports and talks": [gq.Graph.from_layers(ones, both) for both in layers],
}
quantizers = {name: gq.GraphQuantizer(3, n_init=5, random_state=0).fit(x) for name, x in forms.items()}
for name, quantizer in quantizers.items():
    accuracy = gq.metrics.majority_accuracy(labels=quantizer.labels_, targets=kinds)
    print(f"{name}: {accuracy:.0%} of the companies are in the cluster of their kind")
# sphinx_gallery_start_ignore
right = [gq.metrics.majority_accuracy(labels=q.labels_, targets=kinds) for q in quantizers.values()]
assert reports.max() < 1e-9
assert right[0] < 0.75 < 0.95 < right[1], right
# sphinx_gallery_end_ignore

# %%
# The code graphs of the two layers. Grey lines are reports, orange lines are talks; the wider, the more companies have them. The boss is on
# top: the one who has two reports and no superior in the average.

quantizer = quantizers["reports and talks"]
LEVELS = {
    0: (0.0, 2.0),
    1: (-1.2, 1.0),
    2: (1.2, 1.0),
    3: (-1.8, 0.0),
    4: (-0.6, 0.0),
    5: (0.6, 0.0),
    6: (1.8, 0.0),
}
chart = gq.Graph(ones, REPORTS)
figure, axes = plt.subplots(1, 3, figsize=(10, 2.8), layout="constrained")
for code, ax in enumerate(axes):
    x = quantizer.codebook_[code]
    seat = gq.match(gq.Graph(ones, x.edges, x.edge_attrs[:, :1]), chart).mapping
    for (a, b), (reports_to, talks_to) in zip(x.edges, x.edge_attrs, strict=True):
        (x0, y0), (x1, y1) = LEVELS[int(seat[a])], LEVELS[int(seat[b])]
        ax.plot([x0, x1], [y0, y1], color="#cbd5e1", linewidth=7 * reports_to, zorder=1)
        ax.plot([x0, x1], [y0, y1], color="#d97706", linewidth=2.5 * talks_to, zorder=2)
    ax.scatter(*np.array(list(LEVELS.values())).T, s=170, color="#0f766e", zorder=3)
    members = kinds[quantizer.labels_ == code]
    ax.set_title(f"{names[np.bincount(members).argmax()]} ({len(members)} companies)", fontsize=11)
    ax.margins(0.1)
    ax.axis("off")
plt.show()

# %%
# How much a layer counts is its weight: ``weights=`` of ``from_layers``, or a factor for its channel. Here both have the
# weight 1, so a talk that moves costs as much as a report that moves.
