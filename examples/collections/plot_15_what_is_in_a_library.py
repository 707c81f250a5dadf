"""
What is in a library of molecules?
==================================

RDKit comes with a file of 10,000 compounds from a screening library. What kinds of molecules are these, what do those of a kind have in
common, which ones stand out, and where do new ones belong? This page needs the extra ``chem``.
"""

from pathlib import Path

import numpy as np
from rdkit import Chem, RDConfig

import graphquant as gq

FILE = Path(RDConfig.RDDataDir, "Pains", "test_data", "wehi_mols.csv")

# %%
# **Reading.** The file has two columns without a header: SMILES and names. We learn from 600 of the molecules, and keep 100 others as
# new ones.

library = gq.read(FILE, name="2")
chosen = np.random.default_rng(0).permutation(len(library))
molecules, new = library[np.sort(chosen[:600])], library[np.sort(chosen[600:700])]
size = library.graphs.orders.mean()
print(f"{len(library):,} molecules with {size:.0f} atoms on average")

# %%
# **Groups.** The quantizer learns 30 of them. Cards show the largest ones by their medoids: the medoid is the real molecule nearest
# to the average of the group. At least four out of five members have the atoms that are marked.

quantizer = gq.GraphQuantizer(30, random_state=0).fit(molecules)
gq.plotting.cluster_cards(quantizer)

# %%
# **What a group has in common.** The core of a group is also a SMARTS query, which RDKit looks for in the members. These are the six
# largest cores:

members = [np.flatnonzero(quantizer.labels_ == code) for code in range(30)]
common = sorted(
    (code for code in range(30) if len(members[code]) >= 5),
    key=lambda code: -quantizer.core(code).graph.order,
)
for code in common[:6]:
    core = quantizer.core(code, X=molecules[members[code]])
    print(f"group {code:2}, {len(members[code]):2} molecules")
    print(f"   {core.smarts_share:4.0%} have {core.smarts}")
# sphinx_gallery_start_ignore
cores = [quantizer.core(code, X=molecules[members[code]]) for code in common[:6]]
assert all(core.smarts_share >= 0.5 for core in cores), [
    core.smarts_share for core in cores
]
assert all(core.graph.order >= 6 for core in cores), [core.graph.order for core in cores]
# sphinx_gallery_end_ignore

# %%
# **Representatives.** The four members of the first of these groups that are nearest to its average:

smiles = molecules.columns["smiles"]


def draw(chosen):
    return gq.plotting.molecules_svg(
        [Chem.MolFromSmiles(smiles[i]) for i in chosen],
        titles=[molecules.names[i] for i in chosen],
        columns=4,
    )


draw(quantizer.representatives(molecules, 4)[common[0]])

# %%
# **Outliers.** The four molecules furthest from the average of their group:

draw(np.argsort(-quantizer.encoding_.distance)[:4])

# %%
# **New molecules.** Each gets a group, and the share of training molecules that are no further from theirs: 100 % means that all of them
# are nearer.

novelty = quantizer.novelty(new)
for i in np.argsort(-novelty.quantile, kind="stable")[[0, 1, -1]]:
    group = int(novelty.label[i])
    medoid = quantizer.medoids_.names[group]
    print(f"{new.names[i]}: group {group} (medoid {medoid}), {novelty.quantile[i]:.0%}")
beyond = np.mean(novelty.quantile > 0.95)
print(f"{beyond:.0%} of the new ones lie beyond 95 % of the training molecules")
# sphinx_gallery_start_ignore
assert 0.02 < beyond < 0.25, beyond
# sphinx_gallery_end_ignore

# %%
# **Why?** What sets the strangest of them apart, largest differences first:

print(quantizer.explain(new[[int(np.argmax(novelty.quantile))]]))

# %%
# The same on the command line, with a table of groups, a file of members and two drawings for each, and a report in one HTML file:
#
# .. code-block:: text
#
#    graphquant fit library.csv --name 2 -k 30 -o codebook.parquet
#    graphquant clusters codebook.parquet library.csv --name 2 --members members --drawings drawings
#    graphquant report codebook.parquet library.csv --name 2 -o report.html
