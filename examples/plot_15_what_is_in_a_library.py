"""
What is in a library of molecules?
==================================

The largest file of molecules that comes with RDKit holds 10,000 compounds of a screening library. Which kinds of molecules are these, what do those
of a kind have in common, which ones are like no other, and where do new ones belong? Needs the extra ``chem``.
"""

from pathlib import Path

import numpy as np
from rdkit import Chem, RDConfig

import graphquant as gq

FILE = Path(RDConfig.RDDataDir, "Pains", "test_data", "wehi_mols.csv")

# %%
# **From the file.** It has two columns without a header: SMILES and names. Some 600 molecules are enough to learn the kinds; 100 of the others will be
# the new ones.

library = gq.read(FILE, name="2")
chosen = np.random.default_rng(0).permutation(len(library))
molecules, new = library[np.sort(chosen[:600])], library[np.sort(chosen[600:700])]
print(f"{len(library):,} molecules with {library.graphs.orders.mean():.0f} atoms on average")

# %%
# **Groups.** The quantizer learns 30 of them. At the end of a cell it shows the largest ones, each by its medoid: a real molecule, the one nearest
# to the average of the group. Four of five members have what is marked.

quantizer = gq.GraphQuantizer(30, random_state=0).fit(molecules)
gq.plotting.cluster_cards(quantizer)

# %%
# **What a group has in common.** The core of a group is a query as well, which RDKit looks for in its members. Six groups that have much in common:

members = [np.flatnonzero(quantizer.labels_ == code) for code in range(30)]
common = sorted(
    (code for code in range(30) if len(members[code]) >= 5),
    key=lambda code: -quantizer.core(code).graph.order,
)
for code in common[:6]:
    core = quantizer.core(code, X=molecules[members[code]])
    print(f"group {code:2}, {len(members[code]):2} molecules: {core.smarts_share:4.0%} have {core.smarts}")
# sphinx_gallery_start_ignore
cores = [quantizer.core(code, X=molecules[members[code]]) for code in common[:6]]
assert all(core.smarts_share >= 0.5 for core in cores), [core.smarts_share for core in cores]
assert all(core.graph.order >= 6 for core in cores), [core.graph.order for core in cores]
# sphinx_gallery_end_ignore

# %%
# **Representatives.** The four molecules nearest to the average of the first of these groups:

smiles = molecules.columns["smiles"]
nearest = members[common[0]][np.argsort(quantizer.encoding_.distance[members[common[0]]])[:4]].tolist()
gq.plotting.molecules_svg(
    [Chem.MolFromSmiles(smiles[i]) for i in nearest], titles=[molecules.names[i] for i in nearest], columns=4
)

# %%
# **Outliers.** The molecules that lie furthest from the average of their group are like no other in the library:

furthest = np.argsort(-quantizer.encoding_.distance)[:4].tolist()
gq.plotting.molecules_svg(
    [Chem.MolFromSmiles(smiles[i]) for i in furthest],
    titles=[molecules.names[i] for i in furthest],
    columns=4,
)

# %%
# **New molecules.** Each gets the group that it belongs to, and its place among the training molecules: 100 % means that none of them was as
# far from its group.

novelty = quantizer.novelty(new)
for i in np.argsort(-novelty.quantile, kind="stable")[[0, 1, -1]]:
    group = int(novelty.label[i])
    print(f"{new.names[i]}: group {group}, as {quantizer.medoids_.names[group]}; {novelty.quantile[i]:.0%}")
print(f"{np.mean(novelty.quantile > 0.95):.0%} of the new ones lie beyond 95 % of the training molecules")
# sphinx_gallery_start_ignore
assert 0.02 < np.mean(novelty.quantile > 0.95) < 0.25, np.mean(novelty.quantile > 0.95)
# sphinx_gallery_end_ignore

# %%
# **Why?** What sets the furthest of them apart, the largest differences first:

print(quantizer.explain(new[[int(np.argmax(novelty.quantile))]]))

# %%
# The same on the command line: representatives in a table, a file of members and two drawings for each group, and a report that can be
# sent by mail.
#
# .. code-block:: text
#
#    graphquant fit library.csv --name 2 -k 30 -o codebook.parquet
#    graphquant clusters codebook.parquet library.csv --name 2 --members members --drawings drawings
#    graphquant report codebook.parquet library.csv --name 2 -o report.html
