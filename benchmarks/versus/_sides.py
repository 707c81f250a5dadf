"""The two sides of the comparison: environments with graphquant installed from its sources."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
WORKER = Path(__file__).with_name("_worker.py")
# What decides how the core is chosen and built, or counts threads of others as work of ours.
_UNSET = ("GRAPHQUANT_LIBRARY", "GRAPHQUANT_CPU_LEVEL", "PYTHONPATH")
_ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("OPENBLAS", "OMP", "MKL")}


@dataclass(frozen=True)
class Side:
    """An installed graphquant."""

    name: str  # "old" or "new"
    commit: str
    folder: Path

    @property
    def python(self) -> Path:
        """Return the Python that has it."""
        return self.folder / "venv" / "bin" / "python"

    @property
    def environ(self) -> dict[str, str]:
        """Return the environment of its processes; what numba compiles is kept from run to run."""
        kept = {name: value for name, value in os.environ.items() if name not in _UNSET}
        return kept | _ONE_THREAD | {"NUMBA_CACHE_DIR": str(self.folder / "cache")}

    @contextmanager
    def fresh(self) -> Iterator[dict[str, str]]:
        """Give an environment as it is after installation: nothing is compiled."""
        with tempfile.TemporaryDirectory() as cache:
            yield self.environ | {"NUMBA_CACHE_DIR": cache}

    def version_of(self, package: str) -> str:
        """Return the version of a package, or nothing."""
        code = f"from importlib.metadata import version; print(version({package!r}))"
        done = subprocess.run([self.python, "-c", code], capture_output=True, text=True, check=False)
        return done.stdout.strip()

    @contextmanager
    def worker(self) -> Iterator["Worker"]:
        """Start a process that measures."""
        # Away from the repository: no module of it may be found by accident.
        with tempfile.TemporaryDirectory() as folder:
            process = subprocess.Popen(
                [self.python, WORKER],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env=self.environ,
                cwd=folder,
            )
            try:
                yield Worker(process)
            finally:
                process.kill()
                process.communicate()


class Worker:
    """A process that measures what it is told."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def ask(self, **job: Any) -> dict[str, Any]:
        """Let it do a job of ``_worker.py``."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(json.dumps(job) + "\n")
        stdin.flush()
        line = stdout.readline()
        if not line:
            raise RuntimeError(f"the process that measures has died of {job}")
        answer: dict[str, Any] = json.loads(line)
        return answer


def git(*arguments: str) -> str:
    """Return what git says of this repository."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def install_old(commit: str, folder: Path) -> Side:
    """Install a commit; an environment that is there is used again."""
    full = git("rev-parse", f"{commit}^{{commit}}")
    side = Side("old", full[:7], folder / full[:12])
    if not (side.folder / "ready").exists():
        with tempfile.TemporaryDirectory() as parent:
            tree = Path(parent, "tree")
            git("worktree", "add", "--detach", str(tree), full)
            try:
                _install(tree, side)
            finally:
                git("worktree", "remove", "--force", str(tree))
    return side


def install_new(folder: Path) -> Side:
    """Install the working tree as it is."""
    # The page that a run writes is not a change of what it measures.
    changes = git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs/results")
    changed = " with changes" if changes else ""
    side = Side("new", git("rev-parse", "--short=7", "HEAD") + changed, folder / "new")
    _install(ROOT, side)
    return side


def _install(tree: Path, side: Side) -> None:
    """Make an environment with the versions that a tree names, and install the tree in it."""
    print(f"installing {side.name} ({side.commit}) ...", file=sys.stderr, flush=True)
    project = tomllib.loads((tree / "pyproject.toml").read_text(encoding="utf-8"))
    # Without isolation, so that the build tools have the versions of constraints.txt, too.
    tools = [*project["build-system"]["requires"], *(t for t in ("cmake", "ninja") if not shutil.which(t))]
    subprocess.run([sys.executable, "-m", "venv", "--clear", side.folder / "venv"], check=True)
    pip = [side.python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    pip += ["-c", tree / "constraints.txt"]
    subprocess.run([*pip, *tools], check=True)
    subprocess.run([*pip, "--no-build-isolation", tree], check=True)
    shutil.rmtree(side.folder / "cache", ignore_errors=True)
    (side.folder / "ready").touch()
