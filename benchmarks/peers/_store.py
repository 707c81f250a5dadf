"""Records on disk: one JSON file a result, so that a run that was stopped goes on where it was."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Record = dict[str, Any]
Setting = dict[str, Any]

# The cap struck, or it was foreseen that it would.
STRUCK = ("capped", "foreseen")


def describe(setting: Setting) -> str:
    """Say a setting in a few words.

    Examples
    --------
    >>> describe({"alpha": 0.5, "raw": True}), describe({"raw": False})
    ('alpha 0.5, raw', '')
    """
    shown = [f"{key} {value}" for key, value in setting.items() if key != "raw"]
    return ", ".join(shown + ["raw"] * bool(setting.get("raw")))


@dataclass(frozen=True)
class Store:
    """A folder of records, ``set/route/setting/k-seed.json``, and of matrices beside them."""

    folder: Path

    def run_path(self, set_name: str, route: str, setting: Setting, k: int, seed: int) -> Path:
        return self.folder / set_name / route / _slug(setting) / f"k{k}-seed{seed}.json"

    def matrix_path(self, set_name: str, matrix: str, setting: Setting) -> Path:
        """Return where the record of a matrix is; the matrix itself is beside it, as ``.npy``."""
        return self.folder / set_name / "matrices" / matrix / f"{_slug(setting)}.json"

    def runs(self) -> Iterator[Record]:
        """Yield the records of all runs."""
        for path in sorted(self.folder.glob("*/*/*/k*-seed*.json")):
            yield read(path)


def read(path: Path) -> Record:
    """Read a record; an absent or a broken one is empty."""
    try:
        record = json.loads(path.read_text())
    except (OSError, json.JSONDecodeError):
        return {}
    return record if isinstance(record, dict) else {}


def write(path: Path, record: Record) -> None:
    """Write a record whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps(record, indent=1) + "\n")
    part.replace(path)


def _slug(setting: Setting) -> str:
    return describe(setting).replace(", ", "_").replace(" ", "-") or "default"
