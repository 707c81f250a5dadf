"""
Fingerprints of the IAM graph database
======================================

Minutiae of a fingerprint are nodes with positions, ridges between them are edges with directions. The files are free for
non-commercial research and not part of graphquant: if ``GRAPHQUANT_DATA`` names their folder they are read, else
this page shows strongly distorted letters, which are built in.
"""

import os

import matplotlib.pyplot as plt
import numpy as np

import graphquant as gq

folder = os.environ.get("GRAPHQUANT_DATA")
if folder:
    data = gq.datasets.load_iam("fingerprint", folder)
    chosen = np.concatenate([np.flatnonzero(data.targets == c)[:60] for c in range(len(data.target_names))])
    n_codes = 9
else:
    data = gq.datasets.make_letters(n_per_class=12, distortion="high")
    chosen = np.arange(len(data))
    n_codes = 15
print(data.description.splitlines()[0])
graphs, targets = data.graphs[chosen], data.targets[chosen]

# %%
# Learn a small codebook with ``algorithm="fast"``: certified bounds, and alignments that are renewed only when they
# may matter.

quantizer = gq.GraphQuantizer(n_codes, algorithm="fast", max_cycles=40, random_state=0).fit(graphs)
print(quantizer.history_)
print(f"{gq.metrics.majority_accuracy(labels=quantizer.labels_, targets=targets):.1%} accuracy")

# %%
# Each column is a code graph above its nearest member.

nearest = [
    min(np.flatnonzero(quantizer.labels_ == code), key=lambda i: quantizer.encoding_.distance[i])
    for code in range(n_codes)
]
both = gq.GraphCollection(
    [*quantizer.codebook_, *(graphs[int(i)] for i in nearest)],
    names=[f"code {code}" for code in range(n_codes)] + [data.target_names[targets[i]] for i in nearest],
)
ax = gq.plotting.plot_codebook(both, encoder=data.encoder, n_columns=n_codes)
ax.figure.set_size_inches(10, 2.4)

# %%
# The content of the clusters.

counts = np.zeros((n_codes, len(data.target_names)), dtype=int)
np.add.at(counts, (quantizer.labels_, targets), 1)
figure, ax = plt.subplots(figsize=(6, 4), layout="constrained")
ax.imshow(counts, cmap="BuGn", aspect="auto")
ax.set_xticks(range(len(data.target_names)), data.target_names)
ax.set_yticks(range(n_codes), [f"code {code}" for code in range(n_codes)])
for code, target in np.argwhere(counts):
    number = counts[code, target]
    colour = "white" if number > counts.max() / 2 else "#334155"
    ax.text(target, code, str(number), ha="center", va="center", color=colour, fontsize=9)
ax.set_title("members of each class", fontsize=11)
plt.show()
