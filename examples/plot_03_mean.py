"""
The mean of noisy graphs
========================

Graphs can be averaged once they are aligned. Thirty crooked drawings of a K become one: points move to their
mean position, and a stroke that one drawing in ten has keeps a tenth of its weight.
"""

import matplotlib.pyplot as plt
import numpy as np

import graphquant as gq

letters = gq.datasets.make_letters(n_per_class=30, distortion="high", random_state=0)
members = np.flatnonzero(letters.targets == letters.target_names.index("K"))
drawings = letters.graphs[members]

# %%
# Some of the drawings that are averaged, and the average itself (right).

mean = gq.mean(drawings, random_state=0)
figure = plt.figure(figsize=(9, 3.2), layout="constrained")
left, right = figure.subplots(1, 2, width_ratios=(2, 1))
gq.plotting.plot_codebook(drawings[:10], encoder=letters.encoder, n_columns=5, ax=left)
for text in list(left.texts):
    text.remove()
gq.plotting.plot_graph(mean.graph, encoder=letters.encoder, ax=right)
left.set_title("ten of 30 drawings", fontsize=11)
right.set_title("their mean", fontsize=11)
plt.show()

# %%
# The mean has the smallest sum of squared distances found: its variance is below that of any single drawing
# used as the representative.

distances = gq.pairwise_distances(drawings)
print(f"variance around the mean        {mean.variance:.2f}")
print(f"variance around the best drawing {np.min((distances**2).mean(axis=0)):.2f}")
# sphinx_gallery_start_ignore
assert mean.variance < np.min((distances**2).mean(axis=0))
# sphinx_gallery_end_ignore

# %%
# It converges: the noise of the drawings vanishes as more of them are averaged. The reference is the mean of 400
# other drawings, encoded like these.

more = gq.datasets.make_letters(n_per_class=400, distortion="high", random_state=1)
others = letters.encoder.transform(more.raw[more.targets == more.target_names.index("K")])
reference = gq.mean(others, random_state=0).graph
sizes = (1, 2, 3, 5, 8, 12, 20, 30)
gaps = [gq.distance(gq.mean(drawings[:n], random_state=0).graph, reference, order=9) for n in sizes]
# sphinx_gallery_start_ignore
assert gaps[-1] < 0.5 * gaps[0], gaps
# sphinx_gallery_end_ignore
figure, ax = plt.subplots(figsize=(5, 3), layout="constrained")
ax.plot(sizes, gaps, "o-", color="#0f766e")
ax.set(xlabel="drawings averaged", ylabel="distance to the reference", ylim=(0, None))
ax.spines[["top", "right"]].set_visible(False)
plt.show()
