"""Build wheel and sdist, and try both in clean environments of every Python that is found.

``python tools/release_check.py [VERSION ...]``, such as ``3.11 3.13``; by default all that are here.
Environments live in a temporary folder. The exit code is 1 if anything fails.
"""

import glob
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
SMOKE = Path(__file__).with_name("smoke.py")
MINORS = range(11, 15)
# What is installed, and how much of the smoke test runs there: kernels compile anew in each environment, so
# that learning is tried once for each Python.
KINDS = (("wheel", "", "learn"), ("wheel", "[all]", "extras"), ("sdist", "", "import"))


def run(*command, **options):
    """Run a command; what it printed is shown if it fails."""
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False, **options
    )
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def find_pythons():
    """Return one interpreter for each minor version that works, on the path or from pyenv."""
    found = {}
    for minor in MINORS:
        names = [shutil.which(f"python3.{minor}")]
        names += sorted(
            glob.glob(os.path.expanduser(f"~/.pyenv/versions/3.{minor}.*/bin/python")), reverse=True
        )
        for name in filter(None, names):
            asked = subprocess.run(
                [name, "-c", "import sys; print(*sys.version_info[:2], sep='.')"],
                capture_output=True,
                text=True,
                check=False,
            )
            if asked.stdout.strip() == f"3.{minor}":
                found.setdefault(f"3.{minor}", name)
    return found


def build(folder):
    """Build both distributions; returns them by kind."""
    run(sys.executable, "-m", "build", "--outdir", folder, REPOSITORY)
    return {"wheel": next(folder.glob("*.whl")), "sdist": next(folder.glob("*.tar.gz"))}


def try_one(python, file, extras, level, folder):
    """Install a distribution into a new environment and run the smoke test, far from the sources."""
    run(python, "-m", "venv", folder)
    pip = (folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*pip, "-c", REPOSITORY / "constraints.txt", f"{file}{extras}")
    environment = {
        name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")
    }
    with tempfile.TemporaryDirectory() as work:
        run(folder / "bin" / "python", "-W", "error", SMOKE, level, cwd=work, env=environment)


def main(wanted):
    """Try everything; returns the number of failures."""
    pythons = {version: path for version, path in find_pythons().items() if not wanted or version in wanted}
    print("Pythons:", ", ".join(pythons) or "none")
    failures = 0 if pythons else 1
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = build(folder / "dist")
        for file in files.values():
            print(f"built {file.name}, {file.stat().st_size / 1e3:.0f} kB")
        for version, python in pythons.items():
            for kind, extras, level in KINDS:
                began = time.monotonic()
                environment = folder / "environment"
                try:
                    try_one(python, files[kind], extras, level, environment)
                    outcome = "ok"
                except RuntimeError as error:
                    failures, outcome = failures + 1, f"FAILED\n{error}"
                shutil.rmtree(environment, ignore_errors=True)
                print(
                    f"Python {version}, {kind}{extras}: {outcome} ({time.monotonic() - began:.0f} s)",
                    flush=True,
                )
    return failures


if __name__ == "__main__":
    sys.exit(bool(main(sys.argv[1:])))
