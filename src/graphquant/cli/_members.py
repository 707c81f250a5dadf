"""Files of the members of clusters, and drawings of them."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphquant.cli._formats import RowFormat
from graphquant.cli._rows import text_writer
from graphquant.cli._shown import shown
from graphquant.exceptions import FileFormatError, InvalidParameterError

if TYPE_CHECKING:
    from graphquant._typing import IntArray
    from graphquant.cli._encoding import Encoded
    from graphquant.learning import Encoding
    from graphquant.learning.summary import ClusterSummary

# Members that are drawn.
_DRAWN = 20
# Letters of a name that stand below a drawing.
_CAPTION = 14
# Names of properties stand in brackets.
_BRACKETS = str.maketrans("<>", "()")


class MembersFormat(StrEnum):
    """How the members of a cluster are written."""

    CSV = "csv"
    SMILES = "smiles"
    SDF = "sdf"


def write_members(
    folder: Path,
    clusters: "Sequence[ClusterSummary]",
    encoded: "Encoded",
    found: "Encoding",
    format: MembersFormat | None,
    *,
    escapes_formulas: bool = True,
) -> int:
    """Write a file for each cluster that has members, the nearest first; returns how many."""
    texts = _smiles_of_all(encoded, needed=format not in (None, MembersFormat.CSV))
    if format is None:
        format = MembersFormat.CSV if texts is None else MembersFormat.SMILES
    elif texts is None and format is not MembersFormat.CSV:
        raise InvalidParameterError(
            f"--members-format {format.value} is for molecules.", "Use csv, or leave the option out."
        )
    suffix = {"csv": ".csv", "smiles": ".smi", "sdf": ".sdf"}[format.value]
    count = 0
    for cluster in clusters:
        if not cluster.size:
            continue
        with _new_file(folder, _file_name(cluster, clusters) + suffix) as path:
            rows = [_row(i, cluster, encoded, found, texts) for i in cluster.members.tolist()]
            match format:
                case MembersFormat.CSV:
                    _write_csv(path, rows, escapes_formulas)
                case MembersFormat.SMILES:
                    _write_smiles(path, rows)
                case MembersFormat.SDF:
                    _write_sdf(path, rows)
        count += 1
    return count


def write_drawings(folder: Path, clusters: "Sequence[ClusterSummary]", encoded: "Encoded") -> int:
    """Draw the medoid of each cluster with its core set off, and its nearest members; returns how many."""
    count, texts = 0, _smiles_of_all(encoded)
    for cluster in clusters:
        name = _file_name(cluster, clusters)
        medoid = _medoid_svg(cluster, encoded)
        with _new_file(folder, f"{name}_medoid.svg") as path:
            path.write_text(_as_file(medoid), encoding="utf-8")
        count += 1
        if cluster.size:
            with _new_file(folder, f"{name}_members.svg") as path:
                path.write_text(
                    _as_file(_members_svg(cluster.members[:_DRAWN], encoded, texts)), encoding="utf-8"
                )
            count += 1
    return count


def _medoid_svg(cluster: "ClusterSummary", encoded: "Encoded") -> str:
    from graphquant import plotting
    from graphquant.learning.words import words_of

    encoder = encoded.dataset.encoder
    title = f"medoid of cluster {cluster.code}: {cluster.medoid_name}"
    core: dict[str, Any] = {
        "highlight": cluster.medoid_core.tolist(),
        "highlight_edges": [(a, b) for a, b in cluster.medoid_core_edges.tolist()],
    }
    if cluster.smiles is not None:
        raw = words_of(cluster.medoid, encoder).raw
        svg = plotting.molecule_svg(raw, size=(400, 320), title=title, **core)
        if svg is not None:
            return svg
    return plotting.graph_svg(cluster.medoid, size=400, title=title, encoder=encoder, **core)


def _members_svg(members: "IntArray", encoded: "Encoded", texts: Sequence[str | None] | None) -> str:
    from graphquant import plotting
    from graphquant.graphs.molecules import has_rdkit, rdkit

    dataset = encoded.dataset
    names = dataset.names or tuple(map(str, range(len(dataset))))
    known = [int(i) for i in members if texts is not None and texts[i] is not None]
    if known and texts is not None and has_rdkit():
        chem = rdkit()
        return plotting.molecules_svg(
            [chem.MolFromSmiles(texts[i]) for i in known], titles=[names[i] for i in known]
        )
    labels = [_caption(names[i]) for i in members.tolist()]
    return plotting.codebook_svg(dataset.graphs[members], encoder=dataset.encoder, labels=labels)


def _caption(name: str) -> str:
    """Return a name that fits below a small drawing.

    Examples
    --------
    >>> _caption("image10_14"), _caption("a name that goes on")
    ('image10_14', 'a name that g…')
    """
    return name if len(name) <= _CAPTION else f"{name[: _CAPTION - 1]}…"


def _smiles_of_all(encoded: "Encoded", *, needed: bool = False) -> Sequence[str | None] | None:
    """Return a SMILES for each graph: those of the file if it has any, which know of stereo; None without.

    Without RDKit there are only those of the file; if others are needed, that is an error.
    """
    for name, values in encoded.loaded.columns.items():
        if "smiles" in name.lower() and any(values):
            return values
    from graphquant.graphs.molecules import has_rdkit
    from graphquant.graphs.to_molecules import is_molecular, smiles_of
    from graphquant.learning.summary import raw_of

    dataset = encoded.dataset
    if dataset.encoder is None:
        return None
    raw = raw_of(dataset.graphs, dataset.raw, dataset.encoder)
    return smiles_of(raw) if is_molecular(raw) and (needed or has_rdkit()) else None


def _row(
    i: int,
    cluster: "ClusterSummary",
    encoded: "Encoded",
    found: "Encoding",
    texts: Sequence[str | None] | None,
) -> dict[str, Any]:
    dataset, loaded = encoded.dataset, encoded.loaded
    row: dict[str, Any] = {"graph": str(i) if dataset.names is None else dataset.names[i]}
    if loaded.labels is not None:
        row["class"] = loaded.labels[i]
    row |= {"code": cluster.code, "distance": float(found.distance[i]), "proven": bool(found.proven[i])}
    if texts is not None:
        row["smiles"] = texts[i] or ""
    return row | {name: values[i] for name, values in loaded.columns.items() if name not in row}


def _write_csv(path: Path, rows: Sequence[dict[str, Any]], escapes_formulas: bool) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        text_writer(file, RowFormat.CSV, escapes_formulas=escapes_formulas).write(rows)


def _write_smiles(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    # A name with a line end would begin another molecule.
    lines = [f"{shown(row['smiles'])} {shown(row['graph'])}" for row in rows if row["smiles"]]
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")


def _write_sdf(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    from rdkit.Chem import MolFromSmiles, SDWriter, rdDepictor

    writer = SDWriter(str(path))
    try:
        for row in rows:
            molecule = MolFromSmiles(row["smiles"]) if row["smiles"] else None
            if molecule is None:
                continue
            rdDepictor.Compute2DCoords(molecule)
            molecule.SetProp("_Name", _sdf_line(row["graph"]))
            for name, value in row.items():
                if name != "graph" and value is not None:
                    text = str(value).lower() if isinstance(value, bool) else str(value)
                    molecule.SetProp(shown(name).translate(_BRACKETS), _sdf_line(text))
            writer.write(molecule)
    finally:
        writer.close()


def _sdf_line(text: str) -> str:
    """Return a text as one line that ends no molecule and begins no property."""
    line = shown(text)
    return f"'{line}" if line.startswith(("$$$$", ">")) else line


def _file_name(cluster: "ClusterSummary", clusters: "Sequence[ClusterSummary]") -> str:
    width = len(str(max(other.code for other in clusters)))
    return f"cluster_{cluster.code:0{width}d}"


def _new_file(folder: Path, name: str) -> Any:
    """Return a context that gives a file its name when it is whole."""
    from graphquant.io.base import atomic_path

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as err:
        raise FileFormatError(
            f"{folder}: cannot be made ({err.strerror}).", "Choose a folder that you may write to."
        ) from err
    return atomic_path(folder / name)


def _as_file(svg: str) -> str:
    """Return an element as a file of its own, with ink for white paper."""
    if "xmlns=" not in svg:
        svg = svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return svg.replace("<svg ", '<svg color="#1f2937" ', 1) + "\n"


__all__ = ["MembersFormat", "write_drawings", "write_members"]
