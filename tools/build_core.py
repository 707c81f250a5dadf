"""Build the native core into ``src/graphquant/_core``: ``python tools/build_core.py``.

CMake and a C++ compiler are taken from the path, or from the environment of this Python, where the packages
``cmake``, ``ninja`` and ``ziglang`` put them. Any Python from 3.11 will do; graphquant need not be installed.

``python tools/build_core.py --cross [TARGET ...]`` compiles and links the core with zig for other machines,
into ``build/TARGET``, and prints what came out.
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
BUILD = REPOSITORY / "build"
TARGET = REPOSITORY / "src" / "graphquant" / "_core"
COMPILERS = ("c++", "g++", "clang++")
# The machines that wheels are made for, as zig calls them, and the CPU levels of each.
MACHINES = {
    "x86_64-linux-gnu.2.17": ("baseline", "v3"),
    "aarch64-linux-gnu.2.17": ("baseline",),
    "x86_64-macos": ("baseline", "v3"),
    "aarch64-macos": ("baseline",),
    "x86_64-windows-gnu": ("baseline", "v3"),
}


def find_program(name):
    """Return a program on the path, or in the environment of this Python."""
    return shutil.which(name) or shutil.which(name, path=Path(sys.executable).parent)


def find_compiler():
    """Return the C++ compiler that CMake will find, if there is one that serves."""
    if sys.platform == "win32":
        return None  # MSVC is not supported; zig compiles the wheels, too
    chosen = os.environ.get("CXX")
    return chosen or next(filter(None, map(shutil.which, COMPILERS)), None)


def has_zig():
    """Return whether the package ziglang is installed for this Python."""
    return importlib.util.find_spec("ziglang") is not None


def zig_options(target=None):
    """Return the options with which CMake compiles with zig, for this machine or for another one."""
    options = [f"-DCMAKE_TOOLCHAIN_FILE={REPOSITORY / 'cmake' / 'zig.cmake'}"]
    return options if target is None else [*options, f"-DGRAPHQUANT_ZIG_TARGET={target}"]


def run(*command):
    """Run a command; what it printed is shown if it fails. Returns whether it succeeded."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.stderr.write(done.stdout + done.stderr)
    return done.returncode == 0


def configure_and_build(folder, compiler, options):
    """Compile all CPU levels into a folder; returns whether that succeeded."""
    cmake, ninja = find_program("cmake"), find_program("ninja")
    if cmake is None:
        sys.exit("error: CMake was not found.\nhint: python -m pip install cmake ninja")
    generator = [] if ninja is None else ["-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={ninja}"]
    options = [*generator, f"-DPython_EXECUTABLE={sys.executable}", *options]
    # What another CMake, compiler or environment has left is of no use.
    tools = "\n".join(map(str, (cmake, compiler, *options)))
    stamp = folder / "tools.txt"
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != tools:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    done = run(cmake, "-S", REPOSITORY, "-B", folder, *options) and run(
        cmake, "--build", folder, "--config", "Release", "--parallel"
    )
    if done:
        stamp.write_text(tools, encoding="utf-8")
    return done


def stage(folder):
    """Install a build below its own folder; returns its libraries."""
    prefix = folder / "stage"
    shutil.rmtree(prefix, ignore_errors=True)
    if not run(find_program("cmake"), "--install", folder, "--component", "core", "--prefix", prefix):
        sys.exit(1)
    return sorted((prefix / "graphquant" / "_core").iterdir())


def install(libraries):
    """Put the libraries in their place, by renaming: running programs keep the ones that they have loaded."""
    for file in libraries:
        new = TARGET / f".{file.name}.new"
        shutil.copy(file, new)
        os.replace(new, TARGET / file.name)


def build_here():
    """Build and install for this machine."""
    began = time.monotonic()
    compiler, options = find_compiler(), []
    if compiler is None:
        if not has_zig():
            sys.exit(
                "error: no C++ compiler was found (c++, g++, clang++).\n"
                "hint: install one, or python -m pip install ziglang"
            )
        compiler, options = "zig", zig_options()
    if not configure_and_build(BUILD / "core", compiler, options):
        sys.exit(1)
    install(stage(BUILD / "core"))
    print(f"Built the native core with {compiler} in {time.monotonic() - began:.0f} s.", file=sys.stderr)


def exported_names():
    """Return the functions that a library must have, from the header."""
    header = (REPOSITORY / "cpp" / "graphquant.h").read_text(encoding="utf-8")
    return re.findall(r"^GQ_API [^(;]*?(gq_\w+)\(", header, re.MULTILINE)


def build_for(target):
    """Compile and link for another machine, and check what came out."""
    began = time.monotonic()
    if not configure_and_build(BUILD / target, "zig", zig_options(target)):
        sys.exit(f"error: the core could not be built for {target}")
    libraries = stage(BUILD / target)
    found = {file.stem.removeprefix("libgraphquant_"): file for file in libraries}
    if sorted(found) != sorted(MACHINES.get(target, found)):
        sys.exit(f"error: {target} has the CPU levels {sorted(found)}")
    for file in libraries:
        content = file.read_bytes()
        missing = [name for name in exported_names() if name.encode() not in content]
        if missing:
            sys.exit(f"error: {file} lacks {', '.join(missing)}")
    sizes = ", ".join(f"{level} {file.stat().st_size / 1e3:.0f} kB" for level, file in found.items())
    print(f"{target}: {sizes} ({time.monotonic() - began:.0f} s)", flush=True)


def main(arguments):
    """Build for this machine, or for others."""
    if arguments[:1] != ["--cross"]:
        build_here()
        return
    if not has_zig():
        sys.exit("error: cross builds need zig.\nhint: python -m pip install ziglang")
    for target in arguments[1:] or MACHINES:
        build_for(target)


if __name__ == "__main__":
    main(sys.argv[1:])
