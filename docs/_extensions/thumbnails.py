"""Cut thumbnails of the gallery out of their figures, so that something can be seen in them.

sphinx-gallery shrinks whole figures; most of ours are rows of small drawings. ``CUTS`` names for an example
the number of a figure and the part of it to show: left, top, right and bottom as shares of width and height.
"""

import csv
from pathlib import Path

from PIL import Image
from rdkit import Chem, RDConfig
from rdkit.Chem import Draw

CUTS = {
    "plot_01_letters": (2, (0.0, 0.0, 0.38, 1.0)),
    "plot_02_match": (1, (0.51, 0.0, 1.0, 1.0)),
    "plot_03_mean": (1, (0.41, 0.1, 1.0, 1.0)),
    "plot_04_molecules": (1, (0.2, 0.28, 1.0, 0.85)),
    "plot_05_clusters": (2, (0.0, 0.0, 1.0, 1.0)),
    "plot_06_choose_k": (1, (0.5, 0.0, 1.0, 0.465)),
    "plot_07_stream": (1, (0.0, 0.0, 1.0, 1.0)),
    "plot_08_pipeline": (1, (0.0, 0.0, 0.485, 1.0)),
    "plot_09_point_patterns": (1, (0.27, 0.51, 0.75, 1.0)),
    "plot_10_custom_matcher": (1, (0.0, 0.0, 0.52, 1.0)),
    "plot_11_sequences": (1, (0.0, 0.0, 0.52, 1.0)),
    "plot_12_trees": (1, (0.31, 0.0, 0.67, 0.87)),
    "plot_13_hypergraphs": (1, (0.5, 0.0, 1.0, 1.0)),
    "plot_14_multiplex": (1, (0.32, 0.0, 0.68, 1.0)),
    "plot_16_reading_drawings": (2, (0.0, 0.0, 1.0, 1.0)),
}
SIZE = (420, 280)


def cut(figure, part):
    """Return a part of a figure, on a white ground of the size of a thumbnail."""
    left, top, right, bottom = part
    width, height = figure.size
    shown = figure.convert("RGB").crop(
        (round(left * width), round(top * height), round(right * width), round(bottom * height))
    )
    shown.thumbnail(SIZE, Image.Resampling.LANCZOS)
    thumbnail = Image.new("RGB", SIZE, "white")
    thumbnail.paste(shown, ((SIZE[0] - shown.width) // 2, (SIZE[1] - shown.height) // 2))
    return thumbnail


def draw_molecules():
    """Draw the first molecules of the library of an example whose own drawings are SVG."""
    file = Path(RDConfig.RDDataDir, "Pains", "test_data", "wehi_mols.csv")
    rows = list(csv.reader(file.read_text(encoding="utf-8").splitlines()[:6]))
    molecules = [Chem.MolFromSmiles(smiles) for smiles, _ in rows]
    return Draw.MolsToGridImage(molecules, molsPerRow=3, subImgSize=(240, 240))


def cut_all(app):
    """Replace the thumbnails that sphinx-gallery has made."""
    for thumbnail in Path(app.srcdir, "gallery").glob("*/images/thumb/sphx_glr_*_thumb.png"):
        name = thumbnail.stem.removeprefix("sphx_glr_").removesuffix("_thumb")
        if name == "plot_15_what_is_in_a_library":
            cut(draw_molecules(), (0.0, 0.0, 1.0, 1.0)).save(thumbnail)
        else:
            number, part = CUTS[name]
            with Image.open(thumbnail.parents[1] / f"sphx_glr_{name}_{number:03}_2_00x.png") as figure:
                cut(figure, part).save(thumbnail)


def setup(app):
    """Cut once sphinx-gallery has run the examples."""
    app.connect("builder-inited", cut_all, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
