"""
Molecules from SMILES
=====================

Atoms are nodes, bonds are edges, and the attributes are names: symbols and bond types. The encoder turns them into
vectors automatically. Needs the extra ``chem``.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt

import graphquant as gq
from graphquant.preprocessing import AttributeEncoder, OneHot

SMILES = """\
CCO ethanol
CCCO propanol
CCCCO butanol
CCCCCO pentanol
CC(=O)O acetic acid
CCC(=O)O propionic acid
CCCC(=O)O butyric acid
CCCCC(=O)O valeric acid
c1ccccc1 benzene
Cc1ccccc1 toluene
Cc1ccc(C)cc1 xylene
CCc1ccccc1 ethylbenzene
c1ccccc1O phenol
Cc1ccc(O)cc1 cresol
c1ccncc1 pyridine
CCN ethylamine
CCCN propylamine
CCCCN butylamine
CCCCCN pentylamine
"""

# %%
# Reading. There is one channel for each symbol and one for each kind of bond; charges and hydrogens would count too, but
# here they are left out. You decide what matters: with ``weight=3`` a wrong atom is worse than a missing bond.

encoder = AttributeEncoder(node=[OneHot("symbol", weight=3.0)], edge=["bond"])
with TemporaryDirectory() as folder:
    file = Path(folder, "molecules.smi")
    file.write_text(SMILES)
    molecules = gq.read(file, encoder=encoder)
print(molecules.encoder.describe())

# %%
# Four code graphs find four groups, without being told of any: alcohols and phenols, acids, rings without oxygen or nitrogen, and
# molecules with nitrogen.

quantizer = gq.GraphQuantizer(4, n_init=4, random_state=0).fit(molecules)
for code in range(4):
    print(
        code, [name for name, label in zip(molecules.names, quantizer.labels_, strict=True) if label == code]
    )
# sphinx_gallery_start_ignore
groups = {frozenset(i for i, label in enumerate(quantizer.labels_) if label == code) for code in range(4)}
assert groups == {
    frozenset(i for i, name in enumerate(molecules.names) if name.endswith(ending))
    for ending in ("ol", "acid", ("ene"), ("ine",))
}, groups
# sphinx_gallery_end_ignore

# %%
# Rows are clusters: first the code graph, an average whose rare atoms are faint, then its four nearest members.
# Nodes are coloured by symbol (carbon dark, oxygen blue, nitrogen orange), bonds by kind.

graphs, names = [], []
for code in range(4):
    members = [i for i in quantizer.encoding_.distance.argsort() if quantizer.labels_[i] == code][:4]
    graphs += [quantizer.codebook_[code], *(molecules.graphs[i] for i in members)]
    names += [f"code graph {code}", *(molecules.names[i] for i in members)]
ax = gq.plotting.plot_codebook(gq.GraphCollection(graphs, names), encoder=molecules.encoder, n_columns=5)
ax.axvline(0.62, color="#cbd5e1", linewidth=1)
ax.figure.set_size_inches(6.5, 6)
plt.show()
