"""
Choosing k by distortion and silhouette
=======================================

More code graphs always reduce the distortion. Beyond the bend of this curve, and beyond the highest silhouette, more of
them show nothing new.
"""

import matplotlib.pyplot as plt

import graphquant as gq

blobs = gq.datasets.make_graph_blobs(n_graphs=150, n_codes=6, order=5, noise=0.25, random_state=3)
print(f"{len(blobs)} graphs around {len(blobs.codes)} planted ones")

# %%
# The silhouette needs the distances of all pairs, once for all k. For a large collection use a random sample.

distances = gq.pairwise_distances(blobs.graphs)
ks = range(2, 13)
distortion, silhouette = [], []
for k in ks:
    quantizer = gq.GraphQuantizer(k, max_cycles=30, random_state=0).fit(blobs)
    distortion.append(quantizer.distortion_)
    silhouette.append(gq.metrics.silhouette_index(distances, quantizer.labels_))
best = ks[silhouette.index(max(silhouette))]
print(f"the silhouette is highest at k = {best}")

# %%
# Both are right here: six clusters were planted.

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
for ax, values, label in ((left, distortion, "distortion"), (right, silhouette, "silhouette index")):
    ax.plot(ks, values, "o-", color="#0f766e")
    ax.axvline(best, color="#d97706", linestyle="--", linewidth=1)
    ax.set(xlabel="number of code graphs, k", ylabel=label, xticks=list(ks))
    ax.spines[["top", "right"]].set_visible(False)
left.set_ylim(bottom=0)
right.annotate(
    f"k = {best}", (best, min(silhouette)), xytext=(6, 0), textcoords="offset points", color="#d97706"
)
plt.show()
