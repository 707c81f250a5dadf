"""
Drawings: which kinds are there, and which are new?
===================================================

Suppose that you have drawings of letters and a program that does not know the alphabet. It finds out what kinds of drawings there are,
picks a typical drawing of each kind, says which strokes a kind has in common, and notices letters that it has never seen.
"""

import matplotlib.pyplot as plt
import numpy as np

import graphquant as gq

# %%
# **Drawings.** The ends of strokes are nodes with x and y, strokes are edges. E, M and W are held back. These drawings come from a
# generator; read your own with ``gq.read("drawings.zip")``, or pass networkx graphs.

everything = gq.datasets.make_letters(n_per_class=20, distortion="low")
held_back = np.isin(everything.labels, list("EMW"))
drawings, unseen = everything[~held_back], everything[held_back]
print(f"{len(drawings)} drawings to learn from, {len(unseen)} held back")

# %%
# **Kinds.** Cards show a typical drawing of each kind, the largest kinds first. At least four out of five drawings have the points that are marked.

quantizer = gq.GraphQuantizer(12, random_state=0).fit(drawings)
accuracy = gq.metrics.majority_accuracy(labels=quantizer.labels_, targets=drawings.targets)
print(f"{accuracy:.0%} of the drawings are in a kind whose majority is their own letter")
# sphinx_gallery_start_ignore
assert accuracy > 0.9, accuracy
# sphinx_gallery_end_ignore
gq.plotting.cluster_cards(quantizer)

# %%
# **What a kind has in common.** Positions are means over the members.

print(quantizer.core(int(quantizer.labels_[0])).describe())

# %%
# **New letters.** The quantile of a drawing is the share of training drawings that are no further from their kind. Most E, M and W lie
# beyond 95 % of them; few new drawings of known letters do.

known = gq.datasets.make_letters(n_per_class=5, distortion="low", random_state=1)
known = known[~np.isin(known.labels, list("EMW"))]
quantiles = {
    "known letters": quantizer.novelty(known).quantile,
    "E, M and W": quantizer.novelty(unseen).quantile,
}
figure, ax = plt.subplots(figsize=(6, 2.6), layout="constrained")
bins = np.linspace(0.0, 1.0, 21)
for (name, values), colour in zip(quantiles.items(), ("#0f6b64", "#d97706"), strict=True):
    percent = np.full(len(values), 100 / len(values))
    ax.hist(values, bins, weights=percent, alpha=0.7, label=name, color=colour)
ax.set_xlabel("share of training drawings that are no further from their kind")
ax.set_ylabel("% of drawings")
ax.legend(frameon=False)
plt.show()
for name, values in quantiles.items():
    print(f"{name}: {np.mean(values > 0.95):.0%} lie beyond 95 % of the training drawings")
# sphinx_gallery_start_ignore
shares = [np.mean(values > 0.95) for values in quantiles.values()]
assert shares[0] < 0.25 < 0.6 < shares[1], shares
# sphinx_gallery_end_ignore

# %%
# **Why?** The strangest drawing of all, matched with the average of the nearest kind, and the differences:

strangest = int(np.argmax(quantizer.novelty(unseen).distance))
found = quantizer.explain(unseen[[strangest]])
nearest = quantizer.codebook_[found.code]
gq.plotting.plot_match(unseen.graphs[strangest], nearest, encoder=drawings.encoder)
plt.show()
print(found)
