"""
A match, drawn
==============

The distance between two graphs is the Euclidean distance between their attributes under the best mapping of their nodes. This
page shows such mappings, and what "proven" means.
"""

import matplotlib.pyplot as plt
import numpy as np

import graphquant as gq

letters = gq.datasets.make_letters(n_per_class=20, random_state=1)
labels = np.array(letters.labels)
first, second = np.flatnonzero(labels == "A")[[0, 3]]
a, another_a = letters.graphs[first], letters.graphs[second]
h = letters.graphs[np.flatnonzero(labels == "H")[2]]

# %%
# Two drawings of an A are close to each other, an A and an H are not. Orange lines join matched nodes.

figure, axes = plt.subplots(1, 2, figsize=(9, 2.8), layout="constrained")
pairs = {"A and another A": another_a, "A and H": h}
for ax, (name, other) in zip(axes, pairs.items(), strict=True):
    found = gq.match(a, other)
    gq.plotting.plot_match(a, other, found, encoder=letters.encoder, ax=ax)
    ax.set_title(f"{name}: {ax.get_title()}", fontsize=11)
plt.show()
# sphinx_gallery_start_ignore
assert gq.distance(a, another_a) < gq.distance(a, h)
# sphinx_gallery_end_ignore

# %%
# A match says how certain it is. ``proven`` means that no mapping is better: distance and lower bound agree.

print(gq.match(a, h))

# %%
# Lower bounds are cheap, because they need no search. Each dot is one of 400 pairs; on the dashed line the bound equals the distance.
# A learner that looks for the *nearest* code graph needs no matching where the bound is already above the best distance so far.

rng = np.random.default_rng(0)
pairs = rng.choice(len(letters), size=(400, 2))
distance = gq.match_all(letters.graphs, letters.graphs, pairs).distance
left, right = letters.graphs[pairs[:, 0]], letters.graphs[pairs[:, 1]]
figure, ax = plt.subplots(figsize=(5, 3.6), layout="constrained")
for kind, colour in {"norms": "#cbd5e1", "star": "#0f766e"}.items():
    bound = [gq.lower_bound(x, y, kind=kind) for x, y in zip(left, right, strict=True)]
    # sphinx_gallery_start_ignore
    assert (np.array(bound) <= distance + 1e-9).all()
    # sphinx_gallery_end_ignore
    ax.scatter(distance, bound, s=9, color=colour, label=f'lower_bound(kind="{kind}")')
ax.axline((0, 0), slope=1, color="#334155", linestyle="--", linewidth=1)
ax.set(xlabel="distance", ylabel="lower bound", xlim=(0, None), ylim=(0, None))
ax.legend(frameon=False)
ax.spines[["top", "right"]].set_visible(False)
plt.show()
