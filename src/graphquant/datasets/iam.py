"""The IAM graph database: the four subsets of the paper, and two more for benchmarks.

The files are free for non-commercial research and are not part of graphquant; cite K. Riesen and
H. Bunke, "IAM Graph Database Repository for Graph Based Pattern Recognition and Machine Learning",
SSPR 2008. The paper does not say how it chose its graphs; the rules here reproduce its Table 1.
"""

import os
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from graphquant import io
from graphquant._validation import check_choice
from graphquant.datasets._assemble import dataset_from_content
from graphquant.datasets._dataset import Dataset
from graphquant.exceptions import FileFormatError, InvalidParameterError
from graphquant.graphs import RawGraphs

if TYPE_CHECKING:
    from graphquant.preprocessing import AttributeEncoder

_VARIABLE = "GRAPHQUANT_DATA"
_SPLITS = ("train", "validation", "test", "all")


@dataclass(frozen=True)
class _Subset:
    """Which graphs of which archive, and which of their attributes become vectors."""

    archive: str
    title: str
    node: tuple[str, ...]
    edge: tuple[str, ...]
    one_hot: tuple[str, ...] = ()
    missing: Literal["error", "zero"] = "error"
    folder: str = "data"
    validation: str = "validation"
    split: str = "test"
    classes: tuple[str, ...] | None = None
    max_order: int | None = None
    per_class: int | None = None
    empty_graphs: bool = True


_LETTER = _Subset(
    "Letter",
    "capital letters of straight lines, low distortion",
    node=("x", "y"),
    edge=(),  # edges of letters are there or not
    folder="LOW",
)
_MUTAGENICITY = _Subset(
    "Mutagenicity",
    "molecules, mutagenic or not",
    node=("chem",),
    edge=("valence",),
    one_hot=("chem", "valence"),
    split="all",
)
_SUBSETS = {
    "letter": _LETTER,
    "letter-med": replace(
        _LETTER, title="capital letters of straight lines, medium distortion", folder="MED"
    ),
    "grec": _Subset(
        "GREC",
        "symbols from architectural and electronic drawings",
        node=("x", "y", "type"),
        # No angle: it is an angle for lines but a diameter for arcs, and the coordinates determine both.
        edge=("type0", "type1"),
        one_hot=("type", "type0", "type1"),
        missing="zero",  # most edges have no second line, hence no second type
        validation="valid",
    ),
    "fingerprint": _Subset(
        "Fingerprint",
        "fingerprints of the classes left loop, right loop and whorl",
        node=("x", "y"),
        # orient is the sine of angle; the angle itself jumps from pi to -pi.
        edge=("orient",),
        validation="valid",
        classes=("L", "R", "W"),
        per_class=300,
        empty_graphs=False,
    ),
    "molecules": replace(_MUTAGENICITY, split="test", max_order=40, per_class=50),
    "mutagenicity": _MUTAGENICITY,
}


def load_iam(
    name: str,
    path: str | Path | None = None,
    *,
    split: Literal["train", "validation", "test", "all"] | None = None,
    encoder: "AttributeEncoder | Literal['preset', 'linear', 'auto']" = "preset",
) -> Dataset:
    """Load a data set of the IAM graph database from its zip or folder.

    Parameters
    ----------
    name : str
        ``"letter"``, ``"grec"``, ``"fingerprint"`` or ``"molecules"`` for the subsets of the paper,
        ``"letter-med"`` for the letters of medium distortion, ``"mutagenicity"`` for all molecules.
    path : str or Path, optional
        Folder that contains ``Letter.zip`` (or the unpacked folder ``Letter``) and so on, or this
        zip or folder itself. By default the environment variable ``GRAPHQUANT_DATA``.
    split : {"train", "validation", "test", "all"}, optional
        By default ``"test"``, as in the paper, and ``"all"`` for mutagenicity.
    encoder : AttributeEncoder, "preset", "linear" or "auto", default="preset"
        How attributes become vectors. The presets, fitted on the graphs that are loaded, put numbers of
        nodes on circles, as in the published results; with ``"linear"`` numbers are centred and scaled but
        stay on a line, and edges and categories have weight 1:

        =============================  ==========================  ================================
        data set                       nodes                       edges
        =============================  ==========================  ================================
        letter, letter-med             x, y                        presence
        grec                           x, y, type one-hot          types of first and second line
        fingerprint                    x, y                        orient, presence
        molecules, mutagenicity        element one-hot             valence one-hot
        =============================  ==========================  ================================

    Returns
    -------
    Dataset
        Graphs in the order of the files. Fingerprint graphs are directed, each line in both
        directions, as in the files; this is how the paper counts edges.

    Notes
    -----
    The rules of the paper's subsets: letter and grec are all test graphs; fingerprint is the first
    300 non-empty graphs of each of the classes L, R and W; molecules is the first 50 graphs of each
    class with at most 40 nodes. The published files have flaws that are repaired and listed in
    ``description``: an angle that is not a number becomes a missing value, and a file that is listed in
    two classes counts in the first.

    Examples
    --------
    >>> from graphquant.datasets import load_iam
    >>> letters = load_iam("letter", "data/iam")  # doctest: +SKIP
    >>> letters  # doctest: +SKIP
    Dataset(750 graphs in 15 classes: A 50, E 50, F 50, H 50, I 50, K 50, ...; on average 4.7 nodes ...)
    """
    subset = _SUBSETS[check_choice("IAM data set", name, _SUBSETS)]
    part = subset.split if split is None else check_choice("split", split, _SPLITS)
    source = _find_archive(subset.archive, path)
    # The reader itself does not warn: the flaws of these files are known, and listed in the description.
    content = io.get_format("gxl").read(source, split=_list_names(subset, part))
    chosen = _select(content, subset)
    description = _describe(name, subset, part, content)
    described = replace(chosen, description=description)
    if encoder == "preset" or encoder == "linear":
        return dataset_from_content(described, _preset(subset, linear=encoder == "linear"))
    return dataset_from_content(described, encoder)


def _preset(subset: _Subset, *, linear: bool) -> "AttributeEncoder":
    from graphquant.preprocessing import AttributeEncoder, Numeric, OneHot

    # By name: the published tables were made with circles.
    numeric: Literal["auto", "circle", "line"] = "line" if linear else "circle"
    node = [
        OneHot(name) if name in subset.one_hot else Numeric(name, numeric=numeric) for name in subset.node
    ]
    edge = [OneHot(name) if name in subset.one_hot else Numeric(name) for name in subset.edge]
    encoder = AttributeEncoder(node=node, edge=edge, missing=subset.missing)
    if linear:
        encoder.set_params(edge_weight=1.0, balance=False)
    return encoder


def _find_archive(archive: str, path: str | Path | None) -> Path:
    given = path if path is not None else os.environ.get(_VARIABLE)
    if not given:
        raise InvalidParameterError(
            "The folder of the IAM graph database is unknown.",
            f"Pass path=, or set the environment variable {_VARIABLE} to the folder with {archive}.zip.",
        )
    root = Path(given)
    candidates = [root / f"{archive}.zip", root / archive]
    if root.stem == archive:
        candidates.append(root)
    for candidate in candidates:
        if candidate.exists():
            return candidate
    origin = "" if path is not None else f" (from the environment variable {_VARIABLE})"
    raise FileFormatError(
        f"{root}: has neither {archive}.zip nor a folder {archive}{origin}.",
        f"Pass path=, or set {_VARIABLE}, to the folder that holds the IAM graph database.",
    )


def _list_names(subset: _Subset, split: str) -> list[str]:
    """CXL files of a split; the database has two names for the validation split."""
    splits = [part for part in _SPLITS if part != "all"] if split == "all" else [split]
    files = {"train": "train", "validation": subset.validation, "test": "test"}
    return [f"{subset.folder}/{files[part]}" for part in splits]


def _select(content: io.FileContent, subset: _Subset) -> io.FileContent:
    assert isinstance(content.graphs, RawGraphs)
    assert content.targets is not None
    count: Counter[str] = Counter()
    chosen = []
    for i, (target, order) in enumerate(zip(content.targets, content.graphs.orders.tolist(), strict=True)):
        fits = (
            (subset.classes is None or target in subset.classes)
            and (subset.max_order is None or order <= subset.max_order)
            and (subset.empty_graphs or order > 0)
            and (subset.per_class is None or count[target] < subset.per_class)
        )
        if fits:
            count[target] += 1
            chosen.append(i)
    return replace(content, graphs=content.graphs[chosen], targets=tuple(content.targets[i] for i in chosen))


def _describe(name: str, subset: _Subset, split: str, content: io.FileContent) -> str:
    lines = [f"IAM graph database, {name} ({split}): {subset.title}."]
    lines += [f"Repaired: {message}" for message in content.repaired]
    return "\n".join(lines)


__all__ = ["load_iam"]
