"""
Letters, end to end
===================

The main job, on built-in data: 300 crooked letters from a random generator become a codebook of 15 code graphs. Nodes are the
ends of strokes, edges are strokes. The learner is not told which letter is which.
"""

# %%
# There are 15 letters, and 20 drawings of each. Points are jittered, some strokes are missing or broken, and nodes are
# numbered at random, so drawings cannot be compared node by node without matching them first.

import matplotlib.pyplot as plt

import graphquant as gq

letters = gq.datasets.make_letters(n_per_class=20)
print(letters)
examples = gq.GraphCollection(list(letters.graphs[::20]), names=letters.target_names)
ax = gq.plotting.plot_codebook(examples, encoder=letters.encoder, n_columns=15)
ax.figure.set_size_inches(9, 1.2)

# %%
# Learn 15 code graphs. ``history_`` says how many graph matchings that took. The standard algorithm would have learnt the same codebook;
# the percentage compares the two.

quantizer = gq.GraphQuantizer(15, random_state=0).fit(letters)
print(quantizer.history_)
# sphinx_gallery_start_ignore
standard = gq.GraphQuantizer(15, algorithm="standard", random_state=0).fit(letters)
assert standard.codebook_ == quantizer.codebook_
# sphinx_gallery_end_ignore

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
# Left, a map: graphs are coloured by class, code graphs are numbered. Right, the distortion after each cycle.

figure, (left, right) = plt.subplots(
    1, 2, figsize=(9, 4), width_ratios=(3, 2), layout="constrained"
)
gq.plotting.plot_map(quantizer, letters, ax=left)
left.set_title("a map by distance", fontsize=10)
gq.plotting.plot_history(quantizer, ax=right)
right.set_title("learning", fontsize=10)
plt.show()
