"""
Choosing k by distortion and silhouette
=======================================

More code graphs always reduce the distortion. Look for the *bend* of its curve, after which more code graphs gain little, and for the
highest *silhouette*, which asks whether graphs are nearer to their own cluster than to the next one. Here both look for
six planted clusters, first clear ones, then blurred ones, where only one of them still finds six.
"""

import matplotlib.pyplot as plt
import numpy as np

import graphquant as gq

# %%
# The bend: where the last code graph gained most, compared with what the next one gains. The silhouette needs the distances of all
# pairs, once for all k; for a large collection use a random sample.

ks = np.arange(2, 13)


def curves(noise):
    """Return distortion and silhouette for each k."""
    blobs = gq.datasets.make_graph_blobs(n_graphs=150, n_codes=6, order=5, noise=noise, random_state=3)
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
    print(f"{name}: bend at k = {bend(distortion)}, highest silhouette at k = {ks[silhouette.argmax()]}")
# sphinx_gallery_start_ignore
found = [(bend(distortion), int(ks[silhouette.argmax()])) for distortion, silhouette in results.values()]
assert found[0] == (6, 6), found
assert found[1][0] == 6 > found[1][1], found
# sphinx_gallery_end_ignore

# %%
# Dashed lines are at six. In the lower row the noise is as large as the distance between some of the planted graphs: the silhouette then
# prefers to merge neighbours. Where the two disagree, look at the code graphs of both, for example in a report.

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
