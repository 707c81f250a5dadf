"""Cards of clusters for notebooks: the graph that stands for each, with what its members share set off."""

from typing import TYPE_CHECKING, Any

import numpy as np

from graphquant._validation import check_positive_int
from graphquant.exceptions import InvalidParameterError
from graphquant.graphs.molecules import has_rdkit
from graphquant.graphs.to_molecules import is_molecular
from graphquant.learning.core import core_of, part_in_core
from graphquant.learning.words import words_of
from graphquant.matching import match_all, matcher_for_learning
from graphquant.plotting._drawing import Drawing
from graphquant.plotting._molecules import molecule_svg
from graphquant.plotting._svg import graph_svg, xml_text
from graphquant.plotting.appearance import Appearance
from graphquant.plotting.palette import INK

if TYPE_CHECKING:
    from graphquant._typing import IntArray
    from graphquant.learning import GraphQuantizer

_CARD = (
    "display:inline-block;vertical-align:top;margin:4px;padding:8px;border:1px solid #e2ded5;"
    f"border-radius:8px;background:#fff;color:{INK};font:13px/1.4 system-ui,sans-serif;"
    "overflow:hidden;text-overflow:ellipsis;white-space:nowrap;"
)


def cluster_cards(
    quantizer: "GraphQuantizer", *, n: int = 12, size: int = 150, support: float = 0.8
) -> Drawing:
    """Draw the clusters of a codebook as cards, the largest first: as a notebook shows the quantizer.

    Parameters
    ----------
    quantizer : fitted GraphQuantizer
    n : int, default=12
        Draw only the largest ones.
    size : int, default=150
        Width of a drawing in pixels.
    support : float, default=0.8
        Highlight the nodes that at least this share of the training graphs of a cluster have.

    Returns
    -------
    Drawing
        An HTML element, as a string that notebooks show as a picture.

    Examples
    --------
    >>> import graphquant as gq
    >>> q = gq.GraphQuantizer(2, random_state=0).fit(["CCO", "CCCO", "c1ccccc1", "Cc1ccccc1"])
    >>> cards = gq.plotting.cluster_cards(q)
    >>> cards.count("<svg"), "2 molecules" in cards
    (2, True)
    """
    n, size = check_positive_int("n", n), check_positive_int("size", size)
    known = getattr(quantizer, "_clusters", None)
    if known is None:
        raise InvalidParameterError(
            "There are no medoids to draw: the quantizer is not fitted, or its file is of version 1.0.",
            "Fit it, and save it with this version.",
        )
    sizes = known.members.size
    shown = [j for j in np.argsort(-sizes, kind="stable").tolist() if sizes[j]]
    appearance = Appearance.of(known.medoids, quantizer.encoder_)
    placed = _placed(quantizer)
    cards = [_card(quantizer, j, placed[j], appearance, size, support) for j in shown[:n]]
    rest = _rest(len(shown) - n, int((sizes == 0).sum()))
    return Drawing(f"<div>{''.join(cards)}{rest}</div>")


def _card(
    quantizer: "GraphQuantizer",
    j: int,
    mapping: "IntArray",
    appearance: Appearance,
    size: int,
    support: float,
) -> str:
    known = quantizer._clusters
    assert known is not None
    medoid, name, count = known.medoids[j], known.medoid_name(j), int(known.members.size[j])
    common = known.members.common(j, quantizer.codebook_[j])
    core = core_of(j, common, support, quantizer.encoder_)
    nodes, edges = part_in_core(medoid, mapping, core)
    inside = {"highlight": nodes.tolist(), "highlight_edges": [(a, b) for a, b in edges.tolist()]}
    title = f"medoid of group {j}: {name}"
    words = words_of(medoid, quantizer.encoder_)
    molecular = is_molecular(words.raw)
    drawn = (
        molecule_svg(words.raw, size=(size, size), title=title, **inside)
        if molecular and has_rdkit()
        else None
    )
    if drawn is None:
        drawn = graph_svg(medoid, size=size, title=title, appearance=appearance, **inside)
    noun = "molecule" if molecular else "graph"
    text = f"<b>Group {j}</b><br>{count:,} {noun}{'' if count == 1 else 's'}<br>medoid {xml_text(name)}"
    return f'<div style="{_CARD}width:{size + 18}px">{drawn}<div>{text}</div></div>'


def _placed(quantizer: "GraphQuantizer") -> "IntArray":
    """Return the node of its code graph for each node of each medoid."""
    known, codes = quantizer._clusters, quantizer.codebook_
    assert known is not None
    pairs = np.column_stack([np.arange(len(codes))] * 2)
    order = None if codes.groups is not None else max(codes.max_order, known.medoids.max_order)
    matcher: Any = matcher_for_learning(quantizer.matcher)
    mapping = match_all(known.medoids, codes, pairs, matcher, order, mappings=True).mapping
    assert mapping is not None
    return mapping


def _rest(n_more: int, n_empty: int) -> str:
    """Say what has no card."""
    told = [f"{n_more} smaller groups"] if n_more > 0 else []
    if n_empty:
        told.append(f"{n_empty} code graph{'' if n_empty == 1 else 's'} without a member")
    return f"<div>Not shown: {' and '.join(told)}.</div>" if told else ""


__all__ = ["cluster_cards"]
