"""
A stream of graphs, with partial_fit
====================================

Graphs that arrive in batches need not be kept: ``partial_fit`` goes through each batch once and moves the code
graphs. Here a codebook improves while letters stream in.
"""

import matplotlib.pyplot as plt

import graphquant as gq

# %%
# The encoder is fitted once, to the first batch, and gives later batches the same channels. Letters that the learner never sees show how
# good the codebook is.

first = gq.datasets.make_letters(n_per_class=4, distortion="med", random_state=100)
unseen = first.encoder.transform(gq.datasets.make_letters(10, "med", random_state=999).raw)


def batch(number):
    """Return the next 60 letters of the stream."""
    letters = gq.datasets.make_letters(4, "med", random_state=100 + number)
    return first.encoder.transform(letters.raw)


# %%
# With ``learning_rate="harmonic"``, a code graph that wins for the n-th time moves by 1/n of the way. So it stays close to the
# average of all graphs that it has won.

quantizer = gq.GraphQuantizer(15, learning_rate="harmonic", random_state=0)
scores, snapshots = [], {}
for number in range(40):
    quantizer.partial_fit(batch(number))
    scores.append(-quantizer.score(unseen) / len(unseen))
    if number in (0, 39):
        snapshots[number] = quantizer.codebook_

# %%
# The distortion of unseen letters decreases.

# sphinx_gallery_start_ignore
assert scores[-1] < 0.9 * scores[0], scores
# sphinx_gallery_end_ignore
figure, ax = plt.subplots(figsize=(6, 3), layout="constrained")
seen = [60 * (number + 1) for number in range(40)]
ax.plot(seen, scores, color="#0f766e")
ax.set(xlabel="letters seen", ylabel="distortion per unseen letter")
ax.spines[["top", "right"]].set_visible(False)
plt.show()

# %%
# The codebook after the first batch, and after all of them.

# sphinx_gallery_thumbnail_number = 2
figure, axes = plt.subplots(2, 1, figsize=(9, 2.6), layout="constrained")
for ax, (number, codebook) in zip(axes, snapshots.items(), strict=True):
    gq.plotting.plot_codebook(codebook, encoder=first.encoder, n_columns=15, ax=ax)
    for text in list(ax.texts):
        text.remove()
    ax.set_title(f"after {60 * (number + 1):,} letters", fontsize=10)
plt.show()
