"""Build wheel and sdist, and try both in clean environments of every Python that is found.

``python tools/release_check.py [VERSION ...]``, such as ``3.11 3.13``; by default all that are here. A
wheel has to do without a compiler, so none is on the path where wheels are tried. The sdist is tried
with the compiler of this machine, without any (pip must say what to do), and with the one that
``GRAPHQUANT_ZIG=1`` fetches from PyPI. Environments live in a temporary folder. The exit code is 1 if
anything fails.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
SMOKE = Path(__file__).with_name("smoke.py")
VERSIONS = [f"3.{minor}" for minor in range(11, 15)]
# Programs that CMake would take for a C or C++ compiler.
COMPILER = re.compile(r"(.*-)?(cc|c\+\+|gcc|g\+\+|clang|clang\+\+|c89|c99|tcc|icx|icpx)(-[0-9.]+)?")
# What an environment of the caller would change here.
LEAKS = (
    "PYTHONPATH",
    "VIRTUAL_ENV",
    "CC",
    "CXX",
    "GRAPHQUANT_ZIG",
    "GRAPHQUANT_LIBRARY",
    "GRAPHQUANT_CPU_LEVEL",
)


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
    for version in VERSIONS:
        names = [shutil.which(f"python{version}")]
        names += sorted(
            glob.glob(os.path.expanduser(f"~/.pyenv/versions/{version}.*/bin/python")), reverse=True
        )
        for name in filter(None, names):
            asked = subprocess.run(
                [name, "-c", "import sys; print(*sys.version_info[:2], sep='.')"],
                capture_output=True,
                text=True,
                check=False,
            )
            if asked.stdout.strip() == version:
                found.setdefault(version, name)
    return found


def path_without_compilers(folder):
    """Return a path with all programs of this one but compilers."""
    folder.mkdir()
    for directory in os.environ["PATH"].split(os.pathsep):
        for file in os.scandir(directory) if os.path.isdir(directory) else ():
            link = folder / file.name
            if not COMPILER.fullmatch(file.name) and not link.is_symlink():
                link.symlink_to(file.path)
    return str(folder)


def build(folder):
    """Build both distributions and look into them; returns them by kind."""
    run(sys.executable, "-m", "build", "--outdir", folder, REPOSITORY)
    wheel, sdist = next(folder.glob("*.whl")), next(folder.glob("*.tar.gz"))
    with zipfile.ZipFile(wheel) as archive:
        check_contents(
            wheel, set(archive.namelist()), ("/libgraphquant_baseline.", "/structs.py", "/py.typed")
        )
    with tarfile.open(sdist) as archive:
        check_contents(
            sdist, set(archive.getnames()), ("/cpp/graphquant.h", "/CMakeLists.txt", "/cmake/zig.cmake")
        )
        if any("/libgraphquant_" in name for name in archive.getnames()):
            raise RuntimeError(f"{sdist.name} has libraries in it")
    if "-py3-none-" not in wheel.name:
        raise RuntimeError(f"{wheel.name} is for one Python only")
    return {"wheel": wheel, "sdist": sdist}


def check_contents(file, names, wanted):
    """Check that a distribution has the files without which it is nothing, and no marks of a checkout."""
    missing = [part for part in wanted if not any(part in name for name in names)]
    if missing or any(name.endswith("/.built") for name in names):
        raise RuntimeError(f"{file.name}: missing {missing}, or with .built")


class Trial:
    """A clean environment of one Python, in which a distribution is installed and tried.

    Parameters
    ----------
    python : str
    folder : Path
        Where the environment will be.
    environ : dict
        Environment variables, with a path that has compilers or has none.
    """

    def __init__(self, python, folder, environ):
        shutil.rmtree(folder, ignore_errors=True)
        run(python, "-m", "venv", folder)
        self.python, self.environ = folder / "bin" / "python", environ

    def install(self, what, *options):
        """Install a distribution with the versions of constraints.txt."""
        pip = (self.python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        run(*pip, "-c", REPOSITORY / "constraints.txt", *options, what, env=self.environ)

    def smoke(self, level):
        """Run the smoke test far from the sources; returns what it printed."""
        with tempfile.TemporaryDirectory() as work:
            return run(self.python, "-W", "error", SMOKE, level, cwd=work, env=self.environ).strip()


def try_installed(level, extras="", **variables):
    """Return a check: install a distribution, run the smoke test."""

    def check(trial, file):
        trial.environ = trial.environ | variables
        trial.install(f"{file}{extras}")
        return trial.smoke(level)

    return check


def try_refused(trial, file):
    """Without a compiler, installing the sdist fails, and the last words of the build say what to do."""
    advice = PROJECT["tool"]["scikit-build"]["messages"]["after-failure"]
    try:
        trial.install(file, "--no-deps")
    except RuntimeError as error:
        lines = [line.strip() for line in str(error).splitlines()]
        if advice not in lines or "[end of output]" not in lines[lines.index(advice) + 1]:
            raise
        return "refused in one sentence"
    raise RuntimeError("an sdist was built without a compiler: is one hidden badly?")


# What is tried: a name, the distribution, whether compilers are on the path, and the check.
CHECKS = (
    ("wheel, no compiler", "wheel", False, try_installed("learn")),
    ("wheel with all extras, no compiler", "wheel", False, try_installed("extras", "[all]")),
    ("sdist, compiler", "sdist", True, try_installed("learn")),
    ("sdist, no compiler", "sdist", False, try_refused),
    ("sdist, compiler from PyPI", "sdist", False, try_installed("learn", GRAPHQUANT_ZIG="1")),
)


def main(wanted):
    """Try everything; returns the number of failures."""
    pythons = {version: path for version, path in find_pythons().items() if not wanted or version in wanted}
    print("Pythons:", ", ".join(pythons) or "none")
    not_tried = [version for version in wanted or VERSIONS if version not in pythons]
    if not_tried:
        print("not tried, because they were not found:", ", ".join(not_tried))
    failures = 0 if pythons else 1
    environ = {name: value for name, value in os.environ.items() if name not in LEAKS}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        hidden = environ | {"PATH": path_without_compilers(folder / "path")}
        files = build(folder / "dist")
        for file in files.values():
            print(f"built {file.name}, {file.stat().st_size / 1e3:.0f} kB")
        for version, python in pythons.items():
            for title, kind, has_compiler, check in CHECKS:
                began = time.monotonic()
                try:
                    trial = Trial(python, folder / "environment", environ if has_compiler else hidden)
                    outcome = f"ok, {check(trial, files[kind])}"
                except RuntimeError as error:
                    failures, outcome = failures + 1, f"FAILED\n{error}"
                print(f"Python {version}, {title}: {outcome} ({time.monotonic() - began:.0f} s)", flush=True)
    return failures


if __name__ == "__main__":
    sys.exit(bool(main(sys.argv[1:])))
