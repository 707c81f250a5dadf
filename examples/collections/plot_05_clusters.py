"""
What is in the clusters?
========================

When drawings are strongly distorted, letters overlap and no codebook separates them all. This page shows how to see which letters
were confused with which.
"""

import matplotlib.pyplot as plt
import numpy as np

import graphquant as gq

data = gq.datasets.make_letters(n_per_class=12, distortion="high")
print(data.description.splitlines()[0])

# %%
# To try this on your own files, replace the first line by ``data = gq.read("drawings.zip")``. For the fingerprints of the IAM graph
# database it is ``data = gq.datasets.load_iam("fingerprint", folder)``.

quantizer = gq.GraphQuantizer(15, algorithm="fast", max_cycles=40, random_state=0)
quantizer.fit(data)
accuracy = gq.metrics.majority_accuracy(labels=quantizer.labels_, targets=data.targets)
print(quantizer.history_)
print(f"{accuracy:.1%} of the letters are in a cluster whose majority is their own class")
# sphinx_gallery_start_ignore
assert 0.6 < accuracy < 0.9, accuracy
# sphinx_gallery_end_ignore

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
# Rows are clusters, columns are classes. Several numbers in a row mean that a cluster mixes letters; several numbers in a column mean
# that a letter is spread over clusters.

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
# The three pairs of letters that share clusters most often:

shared = counts.T @ counts
np.fill_diagonal(shared, 0)
for pair in np.argsort(-np.triu(shared), axis=None)[:3]:
    a, b = np.unravel_index(pair, shared.shape)
    print(f"{data.target_names[a]} and {data.target_names[b]}")
