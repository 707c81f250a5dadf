"""Molecules drawn as chemists draw them, by RDKit."""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from graphquant._typing import FloatArray
from graphquant._validation import import_optional
from graphquant.graphs import RawGraphs
from graphquant.graphs.checks import plural
from graphquant.graphs.to_molecules import molecules_of
from graphquant.plotting._drawing import Drawing
from graphquant.plotting._svg import is_highlighted, xml_text
from graphquant.plotting.on_paper import flat_molecules

_HIGHLIGHT = (0.66, 0.88, 0.8)
_PROLOGUE = re.compile(
    r"<\?xml.*?\?>\s*|<!-- END OF HEADER -->\s*|<rect [^>]*?fill:#FFFFFF[^>]*?>\s*(?:</rect>)?\s*"
)


def molecule_svg(
    raw: RawGraphs,
    *,
    size: tuple[int, int] = (220, 180),
    highlight: Collection[int] = (),
    highlight_edges: Collection[tuple[int, int]] | None = None,
    title: str = "",
) -> Drawing | None:
    """Draw a molecule as an SVG element, with element symbols, double lines and colours.

    Parameters
    ----------
    raw : RawGraphs
        One graph with the attributes of molecules.
    size : pair of int
        Width and height in pixels.
    highlight : collection of int
        Atoms to highlight.
    highlight_edges : collection of pairs of int, optional
        Bonds to highlight; by default those between these atoms.
    title : str
        What screen readers say.

    Returns
    -------
    Drawing or None
        A string, which notebooks show as a picture; None if the atoms and bonds make no molecule.

    Examples
    --------
    >>> from graphquant.graphs import as_graphs
    >>> molecule_svg(as_graphs(["CCO"]), title="ethanol")[:4]
    '<svg'
    """
    molecule = next(molecules_of(raw[:1]))
    return (
        None
        if molecule is None
        else drawn(molecule, size=size, highlight=highlight, highlight_edges=highlight_edges, title=title)
    )


def drawn(
    molecule: Any,
    *,
    size: tuple[int, int] = (220, 180),
    highlight: Collection[int] = (),
    highlight_edges: Collection[tuple[int, int]] | None = None,
    title: str = "",
) -> Drawing:
    """Draw a molecule of RDKit as an SVG element."""
    draw = import_optional("rdkit.Chem.Draw.rdMolDraw2D", "chem", "Drawing molecules")
    atoms = sorted(set(highlight))
    bonds = [
        bond.GetIdx()
        for bond in molecule.GetBonds()
        if is_highlighted((bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()), highlight, highlight_edges)
    ]
    drawer = draw.MolDraw2DSVG(*size)
    options = drawer.drawOptions()
    options.clearBackground = False
    options.fixedBondLength = 28
    options.padding = 0.06
    # Thin lines on a broad band: in a small drawing nothing of the band would be seen otherwise.
    options.bondLineWidth = 1.4
    options.highlightBondWidthMultiplier = 18
    options.setHighlightColour(_HIGHLIGHT)
    draw.PrepareAndDrawMolecule(drawer, molecule, highlightAtoms=atoms, highlightBonds=bonds)
    drawer.FinishDrawing()
    return _labelled(drawer.GetDrawingText(), title)


def molecule_places(raw: RawGraphs) -> Iterator[FloatArray | None]:
    """Yield the flat coordinates of the atoms of each molecule; None where atoms and bonds make none.

    Examples
    --------
    >>> from graphquant.graphs import as_graphs
    >>> [places.shape for places in molecule_places(as_graphs(["CCO", "C"]))]
    [(3, 2), (1, 2)]
    """
    for molecule in flat_molecules(raw):
        yield None if molecule is None else molecule.places


def molecules_svg(
    molecules: Sequence[Any],
    *,
    titles: Sequence[str] = (),
    columns: int = 5,
    size: tuple[int, int] = (220, 180),
) -> Drawing:
    """Draw RDKit molecules in a grid, as one SVG element.

    Parameters
    ----------
    molecules : sequence of RDKit molecules
    titles : sequence of str
        Captions, one below each molecule.
    columns : int, default=5
    size : pair of int
        Width and height of each drawing in pixels.

    Examples
    --------
    >>> from rdkit import Chem
    >>> from graphquant.plotting import molecules_svg
    >>> svg = molecules_svg([Chem.MolFromSmiles("CCO")], titles=["ethanol"])
    >>> 'aria-label="1 molecule"' in svg
    True
    """
    draw = import_optional("rdkit.Chem.Draw", "chem", "Drawing molecules")
    text = draw.MolsToGridImage(
        list(molecules), molsPerRow=columns, subImgSize=size, legends=list(titles), useSVG=True
    )
    return _labelled(
        str(getattr(text, "data", text)), plural(len(molecules), "molecule"), keep_background=True
    )


def _labelled(svg: str, title: str, *, keep_background: bool = False) -> Drawing:
    """Return the element alone, with a name for screen readers."""
    body = re.sub(r"<\?xml.*?\?>\s*", "", svg) if keep_background else _PROLOGUE.sub("", svg)
    return Drawing(body.replace("<svg ", f'<svg role="img" aria-label="{xml_text(title)}" ', 1))


__all__ = ["drawn", "molecule_places", "molecule_svg", "molecules_svg"]
