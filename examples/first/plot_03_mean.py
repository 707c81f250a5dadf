"""
The mean of noisy graphs
========================

Graphs can be averaged once they are aligned. Thirty crooked drawings of a K become one: points move to their
mean position, and a stroke that is in one drawing out of ten keeps a tenth of its weight.
"""

import matplotlib.pyplot as plt
import numpy as np

import graphquant as gq

letters = gq.datasets.make_letters(n_per_class=30, distortion="high", random_state=0)
members = np.flatnonzero(letters.targets == letters.target_names.index("K"))
drawings = letters.graphs[members]

# %%
# Ten of the drawings, and the mean of all thirty.

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
# The mean minimises the sum of squared distances. No single drawing represents the thirty as well: the mean squared distance to the best
# of them is larger.

distances = gq.pairwise_distances(drawings)
print(f"mean squared distance to the mean         {mean.variance:.2f}")
print(
    f"mean squared distance to the best drawing {np.min((distances**2).mean(axis=0)):.2f}"
)
# sphinx_gallery_start_ignore
assert mean.variance < np.min((distances**2).mean(axis=0))
# sphinx_gallery_end_ignore

# %%
# The more drawings are averaged, the less noise is left. The reference is the mean of 400 other drawings, encoded like these.

more = gq.datasets.make_letters(n_per_class=400, distortion="high", random_state=1)
others = letters.encoder.transform(more.raw[more.targets == more.target_names.index("K")])
reference = gq.mean(others, random_state=0).graph
sizes = (1, 2, 3, 5, 8, 12, 20, 30)
means = [gq.mean(drawings[:n], random_state=0).graph for n in sizes]
gaps = [gq.distance(mean, reference, order=9) for mean in means]
# sphinx_gallery_start_ignore
assert gaps[-1] < 0.5 * gaps[0], gaps
# sphinx_gallery_end_ignore
figure, ax = plt.subplots(figsize=(5, 3), layout="constrained")
ax.plot(sizes, gaps, "o-", color="#0f766e")
ax.set(xlabel="drawings averaged", ylabel="distance to the reference", ylim=(0, None))
ax.spines[["top", "right"]].set_visible(False)
plt.show()
