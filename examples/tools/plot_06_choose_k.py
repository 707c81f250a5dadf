"""
Choosing k by distortion and silhouette
=======================================

More code graphs always reduce the distortion. So look for the *bend* in its curve, beyond which more code graphs gain little, or for the
highest *silhouette*, which compares the distance to a graph's own cluster with that to the next one. Here both look for six planted
clusters. When the clusters are clear, both find six; when they are blurred, only the bend does.
"""

import matplotlib.pyplot as plt
import numpy as np

import graphquant as gq

# %%
# The bend is where the last code graph gained most, compared with what the next one gains. The silhouette needs the distances of all
# pairs, though only once for all k; take a random sample of a large collection.

ks = np.arange(2, 13)


def curves(noise):
    """Return distortion and silhouette for each k."""
    blobs = gq.datasets.make_graph_blobs(
        n_graphs=150, n_codes=6, order=5, noise=noise, random_state=3
    )
    distances = gq.pairwise_distances(blobs.graphs)
    distortion, silhouette = [], []
    for k in ks:
        quantizer = gq.GraphQuantizer(int(k), max_cycles=30, random_state=0).fit(blobs)
        distortion.append(quantizer.distortion_)
        silhouette.append(gq.metrics.silhouette_index(distances, quantizer.labels_))
    return np.array(distortion), np.array(silhouette)


def bend(distortion):
    """Return the k after which code graphs gain least, compared with the gain before."""
    gains = -np.diff(distortion)
    return int(ks[1:-1][(gains[:-1] / gains[1:]).argmax()])


results = {f"noise {noise}": curves(noise) for noise in (0.1, 0.35)}
for name, (distortion, silhouette) in results.items():
    highest = ks[silhouette.argmax()]
    print(f"{name}: bend at k = {bend(distortion)}, highest silhouette at k = {highest}")
# sphinx_gallery_start_ignore
found = [
    (bend(distortion), int(ks[silhouette.argmax()]))
    for distortion, silhouette in results.values()
]
assert found[0] == (6, 6), found
assert found[1][0] == 6 > found[1][1], found
# sphinx_gallery_end_ignore

# %%
# Dashed lines are at six. In the lower row there is so much noise that the silhouette prefers to merge neighbouring clusters. When the two
# criteria disagree, look at both codebooks, for example in a report.

# sphinx_gallery_thumbnail_number = 1
figure, axes = plt.subplots(2, 2, figsize=(9, 5), sharex=True, layout="constrained")
for row, (name, (distortion, silhouette)) in zip(axes, results.items(), strict=True):
    for ax, values, label, best in (
        (row[0], distortion, "distortion", bend(distortion)),
        (row[1], silhouette, "silhouette index", int(ks[silhouette.argmax()])),
    ):
        ax.plot(ks, values, "o-", color="#0f766e")
        ax.plot(best, values[best - ks[0]], "o", color="#d97706", markersize=10)
        ax.axvline(6, color="#94a3b8", linestyle="--", linewidth=1)
        ax.set(ylabel=label, xticks=ks, title=f"{name}: k = {best}")
        ax.title.set_fontsize(11)
        ax.spines[["top", "right"]].set_visible(False)
    row[0].set_ylim(bottom=0)
for ax in axes[1]:
    ax.set_xlabel("number of code graphs, k")
plt.show()
