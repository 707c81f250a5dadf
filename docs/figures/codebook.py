"""The picture of README and front page: crooked letters in, code graphs out.

``python docs/figures/codebook.py`` writes it again to ``docs/codebook.svg``.
"""

from pathlib import Path

import matplotlib as mpl
import numpy as np
from sketch import ACCENT, INK, plt

import graphquant as gq

# The same picture gives the same file; text stays text.
mpl.rcParams.update({"svg.hashsalt": "graphquant", "svg.fonttype": "none", "font.family": "sans-serif"})

letters = gq.datasets.make_letters(n_per_class=40, distortion="med")
quantizer = gq.GraphQuantizer(15, random_state=0).fit(letters)
some = letters.graphs[np.random.default_rng(4).permutation(len(letters))[:36]]
# In the order of the alphabet: by the class that most members have.
leading = [np.bincount(letters.targets[quantizer.labels_ == code]).argmax() for code in range(15)]
codebook = quantizer.codebook_[np.argsort(leading)]

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 2.3), width_ratios=(12, 5), layout="constrained")
for ax, graphs, columns in ((left, some, 12), (right, codebook, 5)):
    gq.plotting.plot_codebook(graphs, encoder=letters.encoder, n_columns=columns, ax=ax)
    for text in list(ax.texts):
        text.remove()
left.set_title("600 crooked letters (36 of them)", fontsize=11, color=INK)
right.set_title("15 code graphs", fontsize=11, color=ACCENT)

if __name__ == "__main__":
    target = Path(__file__).parents[1] / "codebook.svg"
    figure.savefig(target, metadata={"Date": None}, facecolor="white")
