"""graphquant clusters."""

import csv
import io
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import graphquant as gq


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_a_row_for_each_cluster(run, codebook, letters):
    q, data = gq.load(codebook), gq.read(letters)
    labels = q.predict(data)
    rows = rows_of(run("clusters", codebook, letters, "--format", "csv").stdout)
    assert sorted(int(row["code"]) for row in rows) == list(range(q.n_codes))
    sizes = [int(row["size"]) for row in rows]
    assert sizes == sorted(sizes, reverse=True)
    for row in rows:
        j = int(row["code"])
        assert int(row["size"]) == (labels == j).sum()
        assert row["medoid"] == q.medoids_.names[j]
        own = [data.labels[i] for i in np.flatnonzero(labels == j)]
        first = row["classes"].split(" (")[0]
        assert own.count(first) == max(map(own.count, own))
        core = q.core(j, X=data).graph
        assert row["core"].split()[::2] == [str(core.order), str(core.n_edges)]
    assert "smiles" not in rows[0]


def test_a_table_by_default(run, codebook, letters):
    head, *lines = run("clusters", codebook, letters).stdout.splitlines()
    assert head.split()[:3] == ["code", "size", "classes"]
    assert len(lines) == gq.load(codebook).n_codes


def test_files_of_members_and_drawings(run, codebook, letters, tmp_path):
    members, drawings = tmp_path / "members", tmp_path / "drawings"
    run("clusters", codebook, letters, "--members", members, "--drawings", drawings)
    files = sorted(members.iterdir())
    found = {path.stem: rows_of(path.read_text()) for path in files}
    assert sum(map(len, found.values())) == len(gq.read(letters))
    for rows in found.values():
        distances = [float(row["distance"]) for row in rows]
        assert distances == sorted(distances)
        assert len({row["code"] for row in rows}) == 1
    names = sorted(path.name for path in drawings.iterdir())
    assert names == sorted(f"{stem}_{what}.svg" for stem in found for what in ("medoid", "members"))
    for path in drawings.iterdir():
        assert ET.parse(path).getroot().tag.endswith("svg")
    for stem, rows in found.items():
        captions = [
            text.text
            for text in ET.parse(drawings / f"{stem}_members.svg").getroot()[1:]
            if text.tag.endswith("text")
        ]
        assert captions == [row["graph"] for row in rows[:20]]


def test_formats_for_molecules_only(codebook, letters, fail, tmp_path):
    told = fail(1, "clusters", codebook, letters, "--members", tmp_path, "--members-format", "sdf")
    assert "is for molecules" in told


class TestMolecules:
    SMILES = (
        *(f"{'C' * n}O alcohol{n}" for n in range(2, 8)),
        *(f"Cc1ccc({'C' * n})cc1 arene{n}" for n in range(1, 7)),
    )

    @pytest.fixture
    def molecules(self, run, tmp_path):
        pytest.importorskip("rdkit")
        path = tmp_path / "molecules.smi"
        path.write_text("\n".join(self.SMILES))
        run("fit", path, "-k", "2", "-o", tmp_path / "codebook.parquet", "--quiet")
        return path

    def test_rows(self, run, molecules, tmp_path):
        rows = rows_of(run("clusters", tmp_path / "codebook.parquet", molecules, "--format", "csv").stdout)
        arenes = next(row for row in rows if row["medoid"].startswith("arene"))
        assert "c1ccc(" in arenes["smiles"]
        assert "[#6]1:[#6]:[#6]:[#6]:[#6]:[#6]:1" in arenes["core"] or ":[#6]:" in arenes["core"]
        assert float(arenes["core_share"]) >= 0.8

    @pytest.mark.parametrize(("format", "suffix"), [(None, ".smi"), ("sdf", ".sdf"), ("csv", ".csv")])
    def test_members_can_be_read_again(self, run, molecules, tmp_path, format, suffix):
        pytest.importorskip("rdkit")
        folder = tmp_path / "members"
        options = [] if format is None else ["--members-format", format]
        run("clusters", tmp_path / "codebook.parquet", molecules, "--members", folder, *options)
        files = sorted(folder.glob(f"*{suffix}"))
        names = [name for path in files for name in _names(path)]
        assert sorted(names) == sorted(line.split()[1] for line in self.SMILES)

    def test_drawings(self, run, molecules, tmp_path):
        run("clusters", tmp_path / "codebook.parquet", molecules, "--drawings", tmp_path / "drawings")
        drawn = (tmp_path / "drawings" / "cluster_0_medoid.svg").read_text()
        assert "bond-0" in drawn
        assert ET.fromstring(drawn).get("aria-label").startswith("medoid of cluster 0: ")


def _names(path):
    if path.suffix == ".csv":
        return [row["graph"] for row in rows_of(path.read_text())]
    return gq.read(path).names
