"""The idea in four panels: a graph, a match, a mean, the code graphs.

Each is a figure of its own, so that they wrap on a phone.
"""

import numpy as np
from sketch import ACCENT, GREY, INK, plt

import graphquant as gq

letters = gq.datasets.make_letters(n_per_class=30, distortion="med")
quantizer = gq.GraphQuantizer(15, random_state=0).fit(letters)
members = letters.graphs[np.flatnonzero(letters.targets == letters.target_names.index("K"))]
found = gq.match(members[0], members[2])
mean = gq.mean(members, random_state=0).graph


def panel():
    """Return the axes of a panel of the common size."""
    figure, ax = plt.subplots(figsize=(2.5, 2.5), layout="constrained")
    # The panels stay equally large where what is white is cut off.
    figure.add_artist(plt.Rectangle((0, 0), 1, 1, transform=figure.transFigure, fill=False, linewidth=0))
    return ax


def entitle(ax, title, colour=INK):
    """Write the title of a panel, instead of what was drawn there."""
    ax.set_title("")
    ax.figure.suptitle(title, fontsize=12, color=colour)
    ax.axis("off")


def places(vectors):
    """Return the positions of nodes in a drawing."""
    raw = letters.encoder.inverse_transform(gq.Graph(vectors))
    return np.column_stack([raw.node_columns[name].values for name in "xy"])


ax = panel()
gq.plotting.plot_graph(members[0], encoder=letters.encoder, ax=ax)
entitle(ax, "a graph")

ax = panel()
gq.plotting.plot_match(members[0], members[2], found, encoder=letters.encoder, ax=ax)
entitle(ax, f"a match: {found.distance:.2f}, {'proven' if found.proven else 'not proven'}")

ax = panel()
for x in members[:12]:
    at = places(x.node_attrs)
    for a, b in x.edges:
        ax.plot(*at[[a, b]].T, color=GREY, linewidth=0.8, alpha=0.6)
ax.set(aspect="equal")
at = places(mean.node_attrs)
for (a, b), strength in zip(mean.edges, mean.edge_attrs[:, 0] / mean.edge_attrs[:, 0].max(), strict=True):
    ax.plot(*at[[a, b]].T, color=ACCENT, linewidth=3, alpha=float(strength))
entitle(ax, f"the mean of {len(members)}")

leading = [np.bincount(letters.targets[quantizer.labels_ == code]).argmax() for code in range(15)]
ax = panel()
codebook = quantizer.codebook_[np.argsort(leading)]
gq.plotting.plot_codebook(codebook, encoder=letters.encoder, n_columns=4, ax=ax)
for text in list(ax.texts):
    text.remove()
entitle(ax, "15 code graphs", ACCENT)
