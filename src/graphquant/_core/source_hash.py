"""Digest of the sources of the native core.

The build writes it into the library (``python source_hash.py CPP_FOLDER`` prints it), and in a checkout the
loader compares it with the current sources. Standard library only: the build runs this file on its own.
"""

import hashlib
import sys
from pathlib import Path

_SUFFIXES = (".h", ".hpp", ".cpp")


def source_files(folder: Path) -> list[Path]:
    """Return the files that a library is built from, in a fixed order; tests are not part of it."""
    found = [
        (path.relative_to(folder).as_posix(), path)
        for path in folder.rglob("*")
        if path.suffix in _SUFFIXES and path.relative_to(folder).parts[0] != "tests"
    ]
    return [path for _, path in sorted(found)]


def source_hash(folder: Path) -> str:
    """Return the digest of names and contents."""
    digest = hashlib.sha256()
    for path in source_files(folder):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(folder).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


if __name__ == "__main__":
    sys.stdout.write(source_hash(Path(sys.argv[1])))
