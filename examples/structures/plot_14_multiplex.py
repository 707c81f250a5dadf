"""
Multiplex graphs: who reports to whom, who talks to whom
========================================================

The same nodes may be joined by several kinds of edges. ``Graph.from_layers`` gives each kind a channel of its own, so one mapping of the
nodes has to fit all of them. That is more than comparing layer by layer.
"""

import matplotlib.pyplot as plt
import numpy as np

import graphquant as gq

# %%
# Ninety made-up companies of seven people. In all of them two deputies report to the boss, and two people report to each deputy. In "by
# the book" companies, people talk to those they report to. With an "open door", everybody talks to the boss, and with a "grey eminence"
# everybody talks to one person at the bottom. In each company one line of talk is missing or added.

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
    return [
        [(int(new[i]), int(new[j])) for i, j in layer]
        for layer in (REPORTS, sorted(chosen))
    ]


kinds = rng.permutation(np.repeat(np.arange(3), 30))
names = list(TALKS)
layers = [company(TALKS[names[kind]]) for kind in kinds]
ones = np.ones((7, 1))

# %%
# Who reports to whom is the same everywhere, so that layer alone says nothing. Who talks to whom confuses two kinds: a star is a star,
# whoever is in its centre. Both layers together tell them apart, because one mapping of the people has to fit both.

reports = gq.pairwise_distances([gq.Graph(ones, reports) for reports, _ in layers])
print(f"largest distance by reports alone: {reports.max():.1f}")
forms = {
    "talks alone": [gq.Graph(ones, talks) for _, talks in layers],
    "reports and talks": [gq.Graph.from_layers(ones, both) for both in layers],
}
quantizers = {
    name: gq.GraphQuantizer(3, n_init=5, random_state=0).fit(x)
    for name, x in forms.items()
}
for name, quantizer in quantizers.items():
    accuracy = gq.metrics.majority_accuracy(labels=quantizer.labels_, targets=kinds)
    print(f"{name}: {accuracy:.0%} of the companies are in the cluster of their kind")
# sphinx_gallery_start_ignore
right = [
    gq.metrics.majority_accuracy(labels=q.labels_, targets=kinds)
    for q in quantizers.values()
]
assert reports.max() < 1e-9
assert right[0] < 0.75 < 0.95 < right[1], right
# sphinx_gallery_end_ignore

# %%
# The code graphs of both layers. Grey lines show who reports to whom, orange lines who talks to whom; the wider a line, the more companies
# have it. The boss is at the top.

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
    name = names[np.bincount(members).argmax()]
    ax.set_title(f"{name} ({len(members)} companies)", fontsize=11)
    ax.margins(0.1)
    ax.axis("off")
plt.show()

# %%
# ``weights=`` of ``from_layers`` says how much each layer counts. Here both count the same.
