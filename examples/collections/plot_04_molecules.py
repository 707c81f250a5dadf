"""
Molecules from SMILES
=====================

Atoms are nodes, bonds are edges, and their attributes are categories: element symbols and bond types. The encoder turns them into
vectors. This page needs the extra ``chem``.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
import numpy as np

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
# You decide what matters. Here that is the symbol of an atom and the type of a bond; charges and hydrogens are left out. With
# ``weight=3`` a wrong atom is worse than a missing bond.

encoder = AttributeEncoder(node=[OneHot("symbol", weight=3.0)], edge=["bond"])
with TemporaryDirectory() as folder:
    file = Path(folder, "molecules.smi")
    file.write_text(SMILES)
    molecules = gq.read(file, encoder=encoder)
print(molecules.encoder.describe())

# %%
# Four code graphs find four groups, without knowing the names: alcohols and phenols, acids, hydrocarbon rings, and molecules with
# nitrogen.

quantizer = gq.GraphQuantizer(4, n_init=4, random_state=0).fit(molecules)
names = np.array(molecules.names)
for code in range(4):
    print(f"{code}:", ", ".join(names[quantizer.labels_ == code]))
# sphinx_gallery_start_ignore
groups = {
    frozenset(np.flatnonzero(quantizer.labels_ == code).tolist()) for code in range(4)
}
assert groups == {
    frozenset(i for i, name in enumerate(molecules.names) if name.endswith(ending))
    for ending in ("ol", "acid", ("ene"), ("ine",))
}, groups
# sphinx_gallery_end_ignore

# %%
# Each row is a cluster: the code graph, an average whose rarer atoms are faint, and the four members nearest to it. Colours of nodes
# are elements, colours of edges are types of bonds.

nearest = quantizer.representatives(molecules, 4)
graphs, titles = [], []
for code in range(4):
    graphs += [quantizer.codebook_[code], *(molecules.graphs[i] for i in nearest[code])]
    titles += [f"code graph {code}", *names[nearest[code]]]
rows = gq.GraphCollection(graphs, titles)
ax = gq.plotting.plot_codebook(rows, encoder=molecules.encoder, n_columns=5)
ax.axvline(0.62, color="#cbd5e1", linewidth=1)
ax.figure.set_size_inches(6.5, 6)
plt.show()
