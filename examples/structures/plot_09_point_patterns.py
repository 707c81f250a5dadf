"""
Point patterns
==============

A graph without edges is a set of points, and matching assigns points to points. Here four made-up constellations are observed in bad
weather: stars are out of place, some are missing, and some are not stars at all.
"""

import matplotlib.pyplot as plt
import numpy as np

import graphquant as gq

CONSTELLATIONS = {
    "plough": [(0.2, 0.9, 1.4, 1.9, 2.0, 2.8, 2.9), (2.4, 2.2, 1.8, 1.5, 0.9, 0.8, 1.5)],
    "crown": [(0.4, 0.6, 1.1, 1.7, 2.3, 2.7, 2.8), (2.2, 1.4, 0.9, 0.8, 1.0, 1.5, 2.2)],
    "cross": [(1.5, 1.5, 0.6, 2.4, 1.5, 1.5), (2.8, 2.0, 1.9, 1.9, 1.2, 0.4)],
    "kite": [(1.5, 0.7, 2.3, 1.5, 1.7, 1.4), (2.8, 1.9, 1.9, 0.9, 0.5, 0.2)],
}
STAR = {"color": "#fde68a", "linewidths": 0}
rng = np.random.default_rng(0)


def observe(stars):
    """Return one observation: some stars, somewhat off, and ghosts."""
    seen = np.transpose(stars)
    seen = seen[rng.random(len(seen)) < 0.92]
    seen = seen + rng.normal(scale=0.12, size=seen.shape)
    ghosts = rng.uniform(0.0, 3.0, size=(rng.poisson(0.5), 2))
    points = rng.permutation(np.concatenate([seen, ghosts]))
    return gq.Graph.from_points(points - 1.5)


# %%
# ``Graph.from_points`` gives each point a third attribute, which is 1. Without it a point at the centre of the picture would be all
# zeros, which means "no node". With it a star counts wherever it is, and a ghost that is in few observations fades.

observations = [observe(stars) for stars in CONSTELLATIONS.values() for _ in range(40)]
truth = np.repeat(np.arange(len(CONSTELLATIONS)), 40)
quantizer = gq.GraphQuantizer(4, n_init=4, random_state=0).fit(observations)
accuracy = gq.metrics.majority_accuracy(labels=quantizer.labels_, targets=truth)
print(f"{accuracy:.1%} of the observations are in the right cluster")

# sphinx_gallery_start_ignore
assert accuracy > 0.85, accuracy
# sphinx_gallery_end_ignore

# %%
# Top row: three observations of each, on top of each other. Bottom row: the code graphs. The size of a star is the share of
# observations that have it; rings mark the true positions.

figure, axes = plt.subplots(2, 4, figsize=(10, 5.2), layout="constrained")
names = list(CONSTELLATIONS)
for column in range(4):
    above, below = axes[:, column]
    for graph in (observations[40 * column + i] for i in range(3)):
        above.scatter(*(graph.node_attrs[:, :2] + 1.5).T, s=22, alpha=0.85, **STAR)
    code = np.bincount(quantizer.labels_[truth == column]).argmax()
    x, y, share = quantizer.codebook_[int(code)].node_attrs.T
    share = np.clip(share, 0.02, 1.0)
    below.scatter(
        *CONSTELLATIONS[names[column]], s=120, facecolors="none", edgecolors="#64748b"
    )
    below.scatter(x / share + 1.5, y / share + 1.5, s=70 * share, alpha=0.95, **STAR)
    above.set_title(names[column], fontsize=11)
    for ax in (above, below):
        ax.set(xlim=(-0.2, 3.2), ylim=(-0.2, 3.2), xticks=[], yticks=[])
        ax.set(aspect="equal", facecolor="#0f172a")
        ax.spines[:].set_visible(False)
axes[0, 0].set_ylabel("observations")
axes[1, 0].set_ylabel("code graphs")
plt.show()
