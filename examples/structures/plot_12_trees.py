"""
Rooted trees: three kinds of web page
=====================================

The pages of a web site are trees of tags. ``Graph.from_tree`` matches nodes only with nodes of the same level, so roots are matched
with roots. That also makes matching cheaper, since there are fewer mappings to search.
"""

import matplotlib.pyplot as plt
import numpy as np

import graphquant as gq

TAGS = ["page", "menu", "link", "text", "picture", "form"]
COLOURS = ["#334155", "#0f766e", "#5eead4", "#cbd5e1", "#d97706", "#b91c1c"]
rng = np.random.default_rng(0)


def page(kind):
    """Return a page as (tag, children), with a random number of items."""
    menu = ("menu", [("link", [])] * rng.integers(1, 3))
    if kind == "article":
        parts = [
            ("text", [("picture", [])] * rng.integers(0, 2))
            for _ in range(rng.integers(2, 4))
        ]
    elif kind == "shop":
        parts = [
            ("picture", [("text", []), ("link", [])]) for _ in range(rng.integers(2, 4))
        ]
    else:
        parts = [("form", [("text", [])] * rng.integers(2, 4))]
    return ("page", [menu, *parts])


def tree(content):
    """Number the tags of a page from the top, and make a graph of them."""
    parents, tags, todo = [], [], [(None, content)]
    for parent, (tag, children) in todo:
        node = len(tags)
        parents.append(parent)
        tags.append(TAGS.index(tag))
        todo += [(node, child) for child in children]
    return gq.Graph.from_tree(parents, np.eye(len(TAGS))[tags])


kinds = ["article", "shop", "form"]
truth = np.repeat(np.arange(3), 40)
pages = [tree(page(kinds[kind])) for kind in truth]
print(pages[0])

# %%
# Three code graphs, learnt from the trees alone.

quantizer = gq.GraphQuantizer(3, n_init=4, random_state=0).fit(pages)
accuracy = gq.metrics.majority_accuracy(labels=quantizer.labels_, targets=truth)
print(f"{accuracy:.1%} of the pages are in the cluster of their kind")
# sphinx_gallery_start_ignore
assert accuracy > 0.9, accuracy
# sphinx_gallery_end_ignore

# %%
# A code graph is an average tree. The size of a node and the width of an edge show the share of pages that have them.


def draw(code, ax):
    levels, share = code.groups, code.node_attrs.sum(axis=1)
    places = np.zeros((code.order, 2))
    for level in range(levels.max() + 1):
        row = np.flatnonzero((levels == level) & (share > 0.05))
        middle = [
            np.mean([places[a, 0] for a, b in code.edges if b == node] or [0.0])
            for node in row
        ]
        for position, i in enumerate(np.argsort(middle, kind="stable")):
            offset = position - (len(row) - 1) / 2
            places[row[i]] = offset * 1.6 / max(len(row), 3), -level
    for (a, b), weight in zip(code.edges, code.edge_attrs[:, 0], strict=True):
        if weight > 0.05:
            ax.plot(*places[[a, b]].T, color="#94a3b8", linewidth=2.5 * weight, zorder=1)
    kept = share > 0.05
    colours = [COLOURS[tag] for tag in code.node_attrs.argmax(axis=1)]
    ax.scatter(*places[kept].T, s=160 * share[kept], c=np.array(colours)[kept], zorder=2)
    ax.set(xlim=(-1, 1), ylim=(-2.4, 0.4))
    ax.axis("off")


figure, axes = plt.subplots(1, 3, figsize=(10, 2.8), layout="constrained")
for code, ax in enumerate(axes):
    draw(quantizer.codebook_[code], ax)
    members = truth[quantizer.labels_ == code]
    kind = kinds[np.bincount(members).argmax()]
    ax.set_title(f"{kind} ({len(members)} pages)", fontsize=11)
for tag, colour in zip(TAGS, COLOURS, strict=True):
    axes[0].scatter([], [], c=colour, label=tag)
figure.legend(loc="outside lower center", ncols=6, frameon=False)
plt.show()

# %%
# Without levels, exact matching has to search more. Distances can only become smaller, because every mapping that keeps the levels is
# still allowed.

pairs = np.array([(i, j) for i in range(0, 120, 12) for j in range(0, 120, 12) if i < j])
free = [gq.Graph(x.node_attrs, x.edges) for x in pages]
with_levels, without = (
    gq.match_all(graphs, graphs, pairs, "exact") for graphs in (pages, free)
)
print(f"search nodes with levels    {with_levels.n_search_nodes.sum():>6,}")
print(f"search nodes without levels {without.n_search_nodes.sum():>6,}")
nearer = (without.distance < with_levels.distance - 1e-9).mean()
print(f"{nearer:.0%} of {len(pairs)} pairs are nearer without levels")
# sphinx_gallery_start_ignore
assert with_levels.n_search_nodes.sum() < without.n_search_nodes.sum()
assert (without.distance <= with_levels.distance + 1e-9).all()
# sphinx_gallery_end_ignore
