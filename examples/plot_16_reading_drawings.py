"""
Drawings: which kinds are there, and which are new?
===================================================

Crooked drawings of letters, from an archive or a scanner: the program does not know the alphabet. It finds the kinds of drawings, a real
drawing that stands for each, the strokes that a kind has in common, and drawings of letters that it has never seen.
"""

import matplotlib.pyplot as plt
import numpy as np

import graphquant as gq

# %%
# **Drawings.** The ends of strokes are nodes with x and y, strokes are edges. The letters E, M and W are held back. Your own files are read by
# ``gq.read("drawings.zip")``, graphs of networkx are taken as they are.

everything = gq.datasets.make_letters(n_per_class=20, distortion="low")
held_back = np.isin(everything.targets, [everything.target_names.index(name) for name in "MWE"])
drawings, unseen = everything[np.flatnonzero(~held_back)], everything[np.flatnonzero(held_back)]
print(f"{len(drawings)} drawings to learn from, {len(unseen)} of letters that are held back")

# %%
# **Kinds.** Cards show the drawing that stands for each kind, the largest kinds first. What four of five drawings have is marked.

quantizer = gq.GraphQuantizer(12, random_state=0).fit(drawings)
accuracy = gq.metrics.majority_accuracy(labels=quantizer.labels_, targets=drawings.targets)
print(f"{accuracy:.0%} of the drawings are in a kind whose majority is their own letter")
# sphinx_gallery_start_ignore
assert accuracy > 0.9, accuracy
# sphinx_gallery_end_ignore
gq.plotting.cluster_cards(quantizer)

# %%
# **What a kind has in common**, in words; x and y are means of the members.

print(quantizer.core(int(quantizer.labels_[0])).describe())

# %%
# **New letters.** The quantile is the share of training drawings that were no further from their kind. Most drawings of letters that were
# never seen lie beyond 95 % of them, few new drawings of known letters do.

known = gq.datasets.make_letters(n_per_class=5, distortion="low", random_state=1)
known = known[np.flatnonzero(np.isin(known.targets, np.unique(drawings.targets)))]
quantiles = {
    "known letters": quantizer.novelty(known).quantile,
    "E, M and W": quantizer.novelty(unseen).quantile,
}
figure, ax = plt.subplots(figsize=(6, 2.6), layout="constrained")
bins = np.linspace(0.0, 1.0, 21)
for (name, values), colour in zip(quantiles.items(), ("#0f6b64", "#d97706"), strict=True):
    ax.hist(
        values, bins, weights=np.full(len(values), 100 / len(values)), alpha=0.7, label=name, color=colour
    )
ax.set_xlabel("share of training drawings that lie no further from their kind")
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
# **Why?** The new drawing that is furthest from all kinds, beside the average of the nearest one, and what sets it apart:

strangest = int(np.argmax(quantizer.novelty(unseen).distance))
found = quantizer.explain(unseen[[strangest]])
gq.plotting.plot_match(unseen.graphs[strangest], quantizer.codebook_[found.code], encoder=drawings.encoder)
plt.show()
print(found)
