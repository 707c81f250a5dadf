"""Build the native core into ``src/graphquant/_core``: ``python tools/build_core.py``.

CMake and a C++ compiler are taken from the path, or from the environment of this Python, where the packages
``cmake``, ``ninja`` and ``ziglang`` put them. Any Python from 3.11 will do; graphquant need not be installed.
"""

import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
BUILD = REPOSITORY / "build" / "core"
TARGET = REPOSITORY / "src" / "graphquant" / "_core"
COMPILERS = ("c++", "g++", "clang++", "cl")


def find_program(name):
    """Return a program on the path, or in the environment of this Python."""
    return shutil.which(name) or shutil.which(name, path=Path(sys.executable).parent)


def find_compiler():
    """Return the C++ compiler that CMake will find, if there is one."""
    chosen = os.environ.get("CXX")
    return chosen or next(filter(None, map(shutil.which, COMPILERS)), None)


def find_zig():
    """Return the compiler of the package ziglang, if that is installed."""
    spec = importlib.util.find_spec("ziglang")
    if spec is None or spec.origin is None:
        return None
    return shutil.which("zig", path=Path(spec.origin).parent)


def host_target():
    """Return what zig calls this machine; with an old glibc, so that the library runs anywhere."""
    processor = {"amd64": "x86_64", "arm64": "aarch64"}.get(
        platform.machine().lower(), platform.machine().lower()
    )
    system = {"darwin": "macos", "win32": "windows-gnu"}.get(sys.platform)
    if system is None:
        system = "linux-gnu.2.17" if platform.libc_ver()[0] == "glibc" else "linux-musl"
    return f"{processor}-{system}"


def zig_options(zig, target):
    """Return the options with which CMake compiles with zig."""
    return [
        f"-DCMAKE_TOOLCHAIN_FILE={REPOSITORY / 'cmake' / 'zig.cmake'}",
        f"-DGRAPHQUANT_ZIG={zig}",
        f"-DGRAPHQUANT_ZIG_TARGET={target}",
    ]


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


def install(folder, target):
    """Put the libraries in their place, by renaming: running programs keep the ones that they have loaded."""
    stage = folder / "stage"
    shutil.rmtree(stage, ignore_errors=True)
    if not run(find_program("cmake"), "--install", folder, "--component", "core", "--prefix", stage):
        return False
    for file in (stage / "graphquant" / "_core").iterdir():
        new = target / f".{file.name}.new"
        shutil.copy(file, new)
        os.replace(new, target / file.name)
    return True


def main():
    """Build and install for this machine; returns the exit code."""
    began = time.monotonic()
    compiler, options = find_compiler(), []
    if compiler is None:
        compiler = find_zig()
        if compiler is None:
            sys.exit(
                "error: no C++ compiler was found (c++, g++, clang++).\n"
                "hint: install one, or python -m pip install ziglang"
            )
        options = zig_options(compiler, host_target())
    if not (configure_and_build(BUILD, compiler, options) and install(BUILD, TARGET)):
        return 1
    print(f"Built the native core with {compiler} in {time.monotonic() - began:.0f} s.", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
