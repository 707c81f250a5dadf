"""
Hypergraphs: a trio is more than three pairs
============================================

An edge of a hypergraph joins any number of nodes: the authors of a paper, the people in a meeting, the substances in a reaction.
Lines between every two of them do not say who was there at the same time. ``Graph.from_hypergraph`` does.
"""

from itertools import combinations

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np

import graphquant as gq

# %%
# Sixty made-up teams of five people. Half of the teams meet in trios, the others in pairs: instead of a trio, its three pairs meet.

rng = np.random.default_rng(0)


def team(in_trios):
    """Return the meetings of a team: lists of people."""
    people = rng.permutation(5).tolist()
    trios = [people[:3], people[2:]]
    if in_trios:
        return trios
    return [list(pair) for trio in trios for pair in combinations(trio, 2)]


kinds = rng.permutation(np.repeat([0, 1], 30))
teams = [team(in_trios=kind == 0) for kind in kinds]
ones = np.ones((5, 1))


def as_pairs(meetings):
    """Return the graph of who met whom."""
    met = {pair for people in meetings for pair in combinations(sorted(people), 2)}
    return gq.Graph(ones, sorted(met))


# %%
# As graphs of who met whom, all teams are the same. As hypergraphs they are not.

graphs = [as_pairs(meetings) for meetings in teams]
hypergraphs = [gq.Graph.from_hypergraph(ones, meetings) for meetings in teams]
a, b = int(np.argmin(kinds)), int(np.argmax(kinds))
print(f"distance as graphs      {gq.distance(graphs[a], graphs[b]):.2f}")
print(f"distance as hypergraphs {gq.distance(hypergraphs[a], hypergraphs[b]):.2f}")
# sphinx_gallery_start_ignore
assert gq.pairwise_distances(graphs).max() < 1e-9
assert gq.distance(hypergraphs[a], hypergraphs[b]) > 1
# sphinx_gallery_end_ignore

# %%
# Two code graphs find the two kinds.

quantizer = gq.GraphQuantizer(2, random_state=0).fit(hypergraphs)
accuracy = gq.metrics.majority_accuracy(labels=quantizer.labels_, targets=kinds)
print(f"{accuracy:.0%} of the teams are in the cluster of their kind")
# sphinx_gallery_start_ignore
assert accuracy == 1.0
# sphinx_gallery_end_ignore

# %%
# The code graphs: circles are people, squares are meetings.

figure, axes = plt.subplots(1, 2, figsize=(8, 3.2), layout="constrained")
for code, ax in enumerate(axes):
    x = quantizer.codebook_[code]
    x = x.induced(np.flatnonzero(x.node_attrs.max(axis=1) > 0.5))
    network = nx.Graph([(int(a), int(b)) for a, b in x.edges])
    at = nx.kamada_kawai_layout(network)
    for pair in network.edges:
        line = np.array([at[node] for node in pair])
        ax.plot(*line.T, color="#94a3b8", linewidth=1.5, zorder=1)
    for group, marker, size, colour in ((0, "o", 220, "#0f766e"), (1, "s", 90, "#d97706")):
        places = np.array([at[int(node)] for node in np.flatnonzero(x.groups == group)])
        ax.scatter(*places.T, marker=marker, s=size, color=colour, zorder=2)
    n_members = int((quantizer.labels_ == code).sum())
    ax.set_title(f"{int((x.groups == 1).sum())} meetings: {n_members} teams", fontsize=11)
    ax.set(aspect="equal")
    ax.margins(0.1)
    ax.axis("off")
plt.show()
