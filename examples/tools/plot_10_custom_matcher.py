"""
A matcher of your own
=====================

Any object that returns a mapping of nodes can be a matcher. The library adds the distance and a certified lower bound, so you can
see how good the mapping is. Learning works with it as with any other matcher.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import linear_sum_assignment

import graphquant as gq

# %%
# A simple one: describe each node by its own attributes and the sum of its neighbours', and assign nodes by these descriptions.
# ``order`` says how many positions there are. This matcher leaves a node of x without a partner only if x is larger than y.


class NeighbourMatcher:
    """Assign nodes by their own attributes and those of their neighbours."""

    def __init__(self, weight=0.5):
        self.weight = weight

    def match(self, x, y, order):
        """Return the position in y of each node of x."""
        size = max(x.order, y.order)
        difference = self._describe(x, size)[:, None] - self._describe(y, size)[None]
        return linear_sum_assignment((difference**2).sum(axis=2))[1][: x.order]

    def _describe(self, graph, size):
        neighbours = np.zeros_like(graph.node_attrs)
        for i, j in graph.edges:
            neighbours[i] += graph.node_attrs[j]
            neighbours[j] += graph.node_attrs[i]
        described = np.zeros((size, 2 * graph.node_attrs.shape[1]))
        described[: graph.order] = np.hstack([graph.node_attrs, self.weight * neighbours])
        return described


letters = gq.datasets.make_letters(n_per_class=8, distortion="med")
first, second = letters.graphs[40], letters.graphs[44]
print("own  ", gq.match(first, second, NeighbourMatcher()))
print("exact", gq.match(first, second, "exact"))

# %%
# How far are its mappings from the best ones? Each dot is a pair of letters; on the dashed line, the best mapping was found.

pairs = np.random.default_rng(0).choice(len(letters), size=(600, 2))
exact = gq.match_all(letters.graphs, letters.graphs, pairs, "exact").distance
matchers = {
    "NeighbourMatcher": NeighbourMatcher(),
    "graduated-assignment": "graduated-assignment",
}
figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True, layout="constrained")
for ax, (name, matcher) in zip(axes, matchers.items(), strict=True):
    found = gq.match_all(letters.graphs, letters.graphs, pairs, matcher).distance
    ax.scatter(exact, found, s=10, color="#0f766e", alpha=0.6, linewidths=0)
    ax.axline((0, 0), slope=1, color="#334155", linestyle="--", linewidth=1)
    best = np.isclose(found, exact).mean()
    ax.set_title(f"{name}: best mapping in {best:.0%}", fontsize=11)
    ax.set(xlabel="distance, exact", xlim=(0, None), ylim=(0, None))
    ax.spines[["top", "right"]].set_visible(False)
axes[0].set_ylabel("distance, found")
plt.show()

# %%
# It works for learning, too. The bounds come from the library, so ``lossless`` equals ``standard`` with any matcher.

quantizer = gq.GraphQuantizer(15, matcher=NeighbourMatcher(), random_state=0).fit(letters)
print(quantizer.history_)
accuracy = gq.metrics.majority_accuracy(labels=quantizer.labels_, targets=letters.targets)
print(f"{accuracy:.1%} of the letters are in a cluster of their own class")
# sphinx_gallery_start_ignore
assert accuracy > 0.85, accuracy
# sphinx_gallery_end_ignore
