"""``graphquant demo``: the main job on built-in letters; no file, no network."""

import shutil
import sys
from pathlib import Path

from graphquant.cli._output import OutputFormat, print_heading, print_line, print_note

# The letters that the demo draws.
_SHOWN = "AHKTVXZ"


def run_demo(folder: Path) -> None:
    """Make letters, show what they are, write them to ``folder``."""
    from graphquant import datasets
    from graphquant.cli._data import LoadedData
    from graphquant.cli._drawing import draw_side_by_side
    from graphquant.cli._summary import summarise
    from graphquant.cli.info import print_summary

    letters = datasets.make_letters()
    assert letters.raw is not None
    loaded = LoadedData("letters", letters.raw, letters.labels, letters.description, (), letters.encoder)
    print_summary(summarise(loaded), OutputFormat.TABLE)

    per_class = len(letters) // len(letters.target_names)
    print_heading(f"Some of them: {' '.join(_SHOWN)}")
    shown = [letters.target_names.index(letter) * per_class for letter in _SHOWN]
    print_line(draw_side_by_side(letters.raw, shown))

    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "letters.parquet"
    datasets.write(letters, path)
    print_note(f"\nwrote {path} ({len(letters)} graphs with their classes and encoder)")
    program = _program()
    print_note(f"try next: {program} info {path}")
    print_note(f"          {program} info letters:high --format json")


def _program() -> str:
    """How to call this program: by its name if the shell finds it, else the way it was called now."""
    called = Path(sys.argv[0])
    if shutil.which("graphquant") is None and called.name == "graphquant":
        return str(called)
    return "graphquant"


__all__ = ["run_demo"]
