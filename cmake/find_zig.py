"""Print where the package ziglang has its compiler and what it calls this kind of machine: ``ZIG;TARGET``."""

import importlib.util
import platform
import shutil
import sys
from pathlib import Path


def find_zig():
    """Return the compiler of the package ziglang, if that is installed."""
    spec = importlib.util.find_spec("ziglang")
    if spec is None or spec.origin is None:
        return None
    return shutil.which("zig", path=Path(spec.origin).parent)


def host_target():
    """Return what zig calls this machine; with an old glibc, so that the library runs anywhere."""
    processor = platform.machine().lower()
    processor = {"amd64": "x86_64", "arm64": "aarch64"}.get(processor, processor)
    system = {"darwin": "macos", "win32": "windows-gnu"}.get(sys.platform)
    if system is None:
        system = "linux-gnu.2.17" if platform.libc_ver()[0] == "glibc" else "linux-musl"
    return f"{processor}-{system}"


if __name__ == "__main__":
    zig = find_zig()
    if zig is None:
        sys.exit(f"the package ziglang is not installed for {sys.executable}")
    # CMake wants its separators.
    sys.stdout.write(f"{Path(zig).as_posix()};{host_target()}")
