"""
What is in the clusters?
========================

Letters whose drawings are strongly distorted overlap: no codebook separates them all. This page shows how to look at what was
confused with what. ``algorithm="fast"`` learns it with the fewest matchings.
"""

import matplotlib.pyplot as plt
import numpy as np

import graphquant as gq

data = gq.datasets.make_letters(n_per_class=12, distortion="high")
print(data.description.splitlines()[0])

# %%
# The same lines work for your own files: ``gq.read("drawings.zip")``, or the fingerprints of the IAM graph database with
# ``gq.datasets.load_iam("fingerprint", folder)``.

quantizer = gq.GraphQuantizer(15, algorithm="fast", max_cycles=40, random_state=0).fit(data)
accuracy = gq.metrics.majority_accuracy(labels=quantizer.labels_, targets=data.targets)
print(quantizer.history_)
print(f"{accuracy:.1%} of the letters are in a cluster whose majority is their own class")

# %%
# Each column is a code graph above its medoid, the real drawing that is nearest to it.

both = gq.GraphCollection(
    [*quantizer.codebook_, *quantizer.medoids_],
    names=[f"code {code}" for code in range(15)]
    + [data.target_names[data.targets[i]] for i in quantizer.medoid_indices_],
)
ax = gq.plotting.plot_codebook(both, encoder=data.encoder, n_columns=15)
ax.figure.set_size_inches(11, 1.9)

# %%
# Rows are clusters, columns are classes. A row with two numbers confuses two letters; a column with two numbers is a letter
# that has two code graphs.

# sphinx_gallery_thumbnail_number = 2
counts = np.zeros((15, len(data.target_names)), dtype=int)
np.add.at(counts, (quantizer.labels_, data.targets), 1)
counts = counts[np.argsort(counts.argmax(axis=1), kind="stable")]
figure, ax = plt.subplots(figsize=(6, 4.6), layout="constrained")
ax.imshow(counts, cmap="BuGn", aspect="auto")
ax.set_xticks(range(len(data.target_names)), data.target_names)
ax.set_yticks([])
ax.set_ylabel("clusters")
for row, target in np.argwhere(counts):
    number = counts[row, target]
    colour = "white" if number > counts.max() / 2 else "#334155"
    ax.text(target, row, str(number), ha="center", va="center", color=colour, fontsize=9)
plt.show()

# %%
# The letters that share a cluster most often:

shared = counts.T @ counts
np.fill_diagonal(shared, 0)
for pair in np.argsort(-np.triu(shared), axis=None)[:3]:
    a, b = np.unravel_index(pair, shared.shape)
    print(f"{data.target_names[a]} and {data.target_names[b]}")
