"""
Letters, end to end
===================

The main job on built-in data: 300 crooked letters, drawn by a random generator, become a codebook of 15 code graphs. Nodes are end
points of strokes, edges are strokes. The learner is not told which letter is which.
"""

# %%
# The drawings have 15 classes, 20 each. Their points are jittered, some strokes are missing or broken, and nodes are
# numbered at random, so no two drawings can be compared number by number.

import matplotlib.pyplot as plt

import graphquant as gq

letters = gq.datasets.make_letters(n_per_class=20)
print(letters)
examples = gq.GraphCollection(list(letters.graphs[::20]), names=letters.target_names)
ax = gq.plotting.plot_codebook(examples, encoder=letters.encoder, n_columns=15)
ax.figure.set_size_inches(9, 1.2)

# %%
# Learn 15 code graphs. ``history_`` shows how many graph matchings that took, and their share of the standard
# algorithm's; the codebook is the same.

quantizer = gq.GraphQuantizer(15, random_state=0).fit(letters)
print(quantizer.history_)

# %%
# A code graph is an average: strokes that few members have are faint.

# sphinx_gallery_thumbnail_number = 2
ax = gq.plotting.plot_codebook(quantizer, encoder=letters.encoder, n_columns=8)
ax.figure.set_size_inches(9, 2.6)

# %%
# How good is it? A cluster counts as the letter of most of its members; how many of all drawings are in a cluster of their
# own letter?

accuracy = gq.metrics.majority_accuracy(labels=quantizer.labels_, targets=letters.targets)
print(f"{accuracy:.1%} of the letters are in a cluster of their own class")
# sphinx_gallery_start_ignore
assert accuracy > 0.9, accuracy
# sphinx_gallery_end_ignore

# %%
# A map of graphs (coloured by class) and code graphs (numbered), and how the distortion fell.

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), width_ratios=(3, 2), layout="constrained")
gq.plotting.plot_map(quantizer, letters, ax=left)
left.set_title("a map by distance", fontsize=10)
gq.plotting.plot_history(quantizer, ax=right)
right.set_title("learning", fontsize=10)
plt.show()
