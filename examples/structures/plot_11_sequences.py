"""
Sequences: typical days
=======================

A sequence is a graph whose nodes must stay in their places. Learning a codebook of sequences then *is* online vector
quantization: this page compares it with ten lines of numpy. It also shows what groups add: where neighbouring hours may change places,
the distance forgives small delays.
"""

import matplotlib.pyplot as plt
import numpy as np

import graphquant as gq

# %%
# Hourly demand for electricity in 240 made-up households. The peak is in the morning, in the evening, at noon, or there are two; each may
# be an hour early or late.

PEAKS = {"early birds": [5], "night owls": [21], "commuters": [8, 18], "home office": [12]}
rng = np.random.default_rng(0)
hours = np.arange(24)


def day(peaks):
    """Return 24 values: a bump for each peak, moved by up to an hour, and noise."""
    moved = [peak + rng.integers(-1, 2) for peak in peaks]
    bumps = sum(np.exp(-(((hours - at) / 1.5) ** 2)) for at in moved)
    return 0.3 + bumps + 0.08 * rng.normal(size=24)


kinds = rng.permutation(np.repeat(np.arange(4), 60))
names = list(PEAKS)
days = np.array([day(PEAKS[names[kind]]) for kind in kinds])
sequences = [gq.Graph.from_sequence(values) for values in days]
print(sequences[0])

# %%
# Online vector quantization in plain numpy, one day after the other. ``"harmonic"`` is its classical rate: each code
# vector is the mean of the days it has won, where its start counts for nothing.


def online_vector_quantization(vectors, codes):
    codes, wins = codes.copy(), np.zeros(len(codes))
    for x in vectors:
        winner = ((codes - x) ** 2).sum(axis=1).argmin()
        wins[winner] += 1
        codes[winner] += (x - codes[winner]) / wins[winner]
    return codes


start = [int(np.flatnonzero(kinds == kind)[0]) for kind in range(4)]
plain = online_vector_quantization(days, days[start])

quantizer = gq.GraphQuantizer(
    4,
    init=gq.GraphCollection([sequences[i] for i in start]),
    learning_rate="harmonic",
    matcher="exact",
)
for sequence in sequences:
    quantizer.partial_fit([sequence])
learnt = np.array([code.node_attrs[:, 0] for code in quantizer.codebook_])
print(f"largest difference between the two codebooks: {np.abs(learnt - plain).max():.1e}")
right = np.mean(quantizer.predict(sequences) == kinds)
print(f"{right:.0%} of the days belong to the code vector of their kind")
# sphinx_gallery_start_ignore
assert np.abs(learnt - plain).max() < 1e-9
assert right > 0.95, right
# sphinx_gallery_end_ignore

# %%
# The same four typical days, twice: lines from graphquant, dots from numpy.

figure, axes = plt.subplots(1, 4, figsize=(10, 2.6), sharey=True, layout="constrained")
for kind, ax in enumerate(axes):
    ax.plot(hours, days[kinds == kind][:25].T, color="#cbd5e1", linewidth=0.6)
    ax.plot(hours, learnt[kind], color="#0f766e", linewidth=2)
    ax.plot(hours, plain[kind], ".", color="#d97706", markersize=4)
    ax.set(title=names[kind], xticks=[0, 6, 12, 18, 24], xlabel="hour")
    ax.title.set_fontsize(11)
    ax.spines[["top", "right"]].set_visible(False)
axes[0].set_ylabel("demand")
plt.show()

# %%
# Two people with one peak each, one of whom gets up an hour later. Their vectors differ in every hour of the peak. With groups of
# three hours, hours of the same group may change places, so only what crosses the border of a group still counts.


def in_windows(values, width):
    return gq.Graph(values, groups=hours // width)


early, late = (0.3 + np.exp(-(((hours - at) / 1.5) ** 2)) for at in (7, 8))
noon = 0.3 + np.exp(-(((hours - 12) / 1.5) ** 2))
for width in (1, 3, 6):
    first, *others = (in_windows(values, width) for values in (early, late, noon))
    hour, five = (gq.distance(first, other) for other in others)
    print(
        f"{width} h: an hour late {hour:.2f}, at noon {five:.2f}, ratio {five / hour:.1f}"
    )
# sphinx_gallery_start_ignore
ratios = [
    gq.distance(in_windows(early, w), in_windows(noon, w))
    / gq.distance(in_windows(early, w), in_windows(late, w))
    for w in (1, 3, 6)
]
assert ratios[0] < ratios[1] < ratios[2], ratios
# sphinx_gallery_end_ignore

# %%
# The wider the windows, the less a small delay counts compared with another kind of day. The extremes are one group for each hour, which
# gives a vector, and one group for all hours, which gives a set. If delays can be longer than a window, use dynamic time warping instead
# (``tslearn``, ``aeon``): graphquant does not stretch time.
