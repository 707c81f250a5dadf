"""One HTML file from the parts in ``assets``, with nothing left to load."""

import base64
import hashlib
import os
import re
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from graphquant._random import RandomState
from graphquant.io.base import atomic_path
from graphquant.report._content import Quantizer, gather
from graphquant.report._payload import encode_json, payload

_ASSETS = files("graphquant.report") / "assets"
_SCRIPTS = (
    "dom.js",
    "model.js",
    "drawing.js",
    "molecule.js",
    "export.js",
    "legend.js",
    "charts.js",
    "map.js",
    "codebook.js",
    "finding.js",
    "match.js",
    "cluster.js",
    "table.js",
    "details.js",
    "main.js",
)


def write_report(
    path: str | os.PathLike[str],
    quantizer: Quantizer,
    data: Any,
    *,
    title: str | None = None,
    max_graphs: int = 1000,
    random_state: RandomState = 0,
) -> Path:
    """Write what a quantizer learnt as one HTML page that needs no network.

    The page shows the codebook as drawings, the size, distortion and class mix of each cluster, its nearest
    and worst members, every member next to its code graph with matched nodes linked, learning curves, a map,
    parameters and provenance.

    Parameters
    ----------
    path : path
        The file to write. It appears when it is complete.
    quantizer : fitted GraphQuantizer
    data : Dataset or collection of graphs
        The graphs to show, with vectors of the same channels as the codebook. Classes and the encoder of a
        data set are shown too.
    title : str, optional
    max_graphs : int, default=1000
        For larger collections the page shows a random sample, and says so; it shows fewer graphs if they
        are very large, to stay under three megabytes.
    random_state : int, Generator, RandomState or None, default=0
        Determines the sample.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    FileFormatError
        If the file cannot be written; this is checked before the work begins.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import graphquant as gq
    >>> letters = gq.datasets.make_letters(5)
    >>> q = gq.GraphQuantizer(15, max_cycles=2, random_state=0).fit(letters)
    >>> with TemporaryDirectory() as folder:
    ...     gq.report.write_report(Path(folder, "report.html"), q, letters).name
    'report.html'
    """
    target = Path(path)
    # The temporary file is created before the work begins: a path that cannot be written fails at once.
    with atomic_path(target) as temporary:
        content = gather(quantizer, data, max_graphs=max_graphs, random_state=random_state)
        heading = title if title is not None else _heading(quantizer, data, content.noun)
        page = render(payload(content, quantizer, heading), heading)
        temporary.write_text(page, encoding="utf-8", newline="\n")
    return target


def _heading(quantizer: Quantizer, data: Any, noun: str) -> str:
    """Return a title from what the data are called."""
    k = len(quantizer.codebook_)
    groups = f"{k} group{'' if k == 1 else 's'}"
    described = re.split(r"[;:\n]", str(getattr(data, "description", "")))[0].strip()
    return f"{described}: {groups}" if 0 < len(described) <= 60 else f"{groups} of {noun}s"


def render(data: Any, title: str) -> str:
    """Put data, style and scripts into the page."""
    style = _asset("style.css")
    # One function around all scripts keeps their names local.
    script = "(() => {\n'use strict';\n" + "\n".join(_asset(name) for name in _SCRIPTS) + "\n})();"
    values = {
        "title": escape(title),
        # Only exactly these scripts may run: names in the data cannot, whatever they contain.
        "style_hash": _hash(style),
        "script_hash": _hash(script),
        "style": style,
        "data": encode_json(data),
        "script": script,
    }
    pieces = _asset("page.html").split("@@")
    return "".join(values[piece] if i % 2 else piece for i, piece in enumerate(pieces))


def _asset(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


__all__ = ["render", "write_report"]
