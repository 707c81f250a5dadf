"""
A match, drawn
==============

The distance of two graphs is the Euclidean distance of their attributes under the best mapping of their nodes. This
is what the mapping looks like, and what "proven" means.
"""

import matplotlib.pyplot as plt
import numpy as np

import graphquant as gq

letters = gq.datasets.make_letters(n_per_class=20, random_state=1)
by_class = {name: np.flatnonzero(letters.targets == i) for i, name in enumerate(letters.target_names)}
a, another_a, h = (letters.graphs[i] for i in (by_class["A"][0], by_class["A"][3], by_class["H"][2]))

# %%
# Two drawings of an A are near, an A and an H are not. Orange lines join matched nodes.

figure, axes = plt.subplots(1, 2, figsize=(9, 2.8), layout="constrained")
for ax, other, name in zip(axes, (another_a, h), ("A and another A", "A and H"), strict=True):
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
# Lower bounds are cheap and need no search. Here are 400 pairs: each dot is a pair; on the dashed line the bound is
# the distance itself. A learner that looks for the *nearest* code graph can rule out most others by their bounds.

rng = np.random.default_rng(0)
pairs = rng.choice(len(letters), size=(400, 2))
distance = gq.match_all(letters.graphs, letters.graphs, pairs).distance
figure, ax = plt.subplots(figsize=(5, 3.6), layout="constrained")
for kind, colour in {"norms": "#cbd5e1", "star": "#0f766e"}.items():
    bound = [gq.lower_bound(letters.graphs[i], letters.graphs[j], kind=kind) for i, j in pairs]
    # sphinx_gallery_start_ignore
    assert (np.array(bound) <= distance + 1e-9).all()
    # sphinx_gallery_end_ignore
    ax.scatter(distance, bound, s=9, color=colour, label=f'lower_bound(kind="{kind}")')
ax.axline((0, 0), slope=1, color="#334155", linestyle="--", linewidth=1)
ax.set(xlabel="distance", ylabel="lower bound", xlim=(0, None), ylim=(0, None))
ax.legend(frameon=False)
ax.spines[["top", "right"]].set_visible(False)
plt.show()
