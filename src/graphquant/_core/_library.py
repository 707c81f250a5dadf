"""Find the library of the native core, check that it fits, and load it on first use.

An installation on x86-64 contains the core twice: one library runs on every processor, the other needs the
instructions of the level x86-64-v3 and is faster. Both give the same bits. Two environment variables override
the choice:

``GRAPHQUANT_CPU_LEVEL``
    ``baseline`` or ``v3``.
``GRAPHQUANT_LIBRARY``
    A library file, such as one built with sanitizers; it need not match the sources of the checkout.
"""

import ctypes
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from graphquant._core.source_hash import source_hash
from graphquant._core.structs import STRUCTS
from graphquant.exceptions import InvalidParameterError, NativeCoreError

# GQ_ABI_VERSION of the header that structs.py and calls.py were written for.
ABI_VERSION = 2
LEVELS = ("baseline", "v3")

_FOLDER = Path(__file__).resolve().parent
_SUFFIX = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")
_REINSTALL = "Install graphquant again: pip install --force-reinstall graphquant"
_BUILD = "Run make core."


@dataclass(frozen=True)
class Library:
    """A library that was loaded and checked."""

    handle: ctypes.CDLL
    path: Path
    cpu_level: str
    compiler: str


def library() -> ctypes.CDLL:
    """Return the library for this processor; it is loaded by the first call."""
    return loaded().handle


def loaded() -> Library:
    """Return the library for this processor, with its description of itself."""
    found = _LOADED.get(_FOLDER)
    if found is None:
        # No lock: a child that is forked while it is held would wait forever. Concurrent threads load the
        # same file, which the system maps once, and all of them use the object that was stored first.
        found = _LOADED.setdefault(_FOLDER, load_for_this_cpu(_FOLDER, os.environ))
    return found


_LOADED: dict[Path, Library] = {}


def load_for_this_cpu(folder: Path, environ: "os._Environ[str] | dict[str, str]") -> Library:
    """Load the best library of a folder, or the one that the environment asks for."""
    if named := environ.get("GRAPHQUANT_LIBRARY"):
        return load(Path(named), sources=None)
    sources = sources_of(folder)
    wanted = environ.get("GRAPHQUANT_CPU_LEVEL") or None
    if wanted is not None and wanted not in LEVELS:
        raise InvalidParameterError(
            f"GRAPHQUANT_CPU_LEVEL={wanted!r} is not a CPU level.", "Known: 'baseline', 'v3'."
        )
    baseline = load(library_path(folder, "baseline"), sources=sources)
    fast = library_path(folder, "v3")
    can_run = bool(baseline.handle.gq_cpu_supports_v3()) and (fast.exists() or sources is not None)
    if wanted == "v3" and not can_run:
        raise InvalidParameterError(
            "GRAPHQUANT_CPU_LEVEL='v3', but this processor does not have the instructions of x86-64-v3.",
            "Unset the variable, or set it to 'baseline'.",
        )
    return load(fast, sources=sources) if can_run and wanted != "baseline" else baseline


def library_path(folder: Path, level: str) -> Path:
    """Return the path of the library for a CPU level."""
    return folder / f"libgraphquant_{level}{_SUFFIX}"


def sources_of(folder: Path) -> Path | None:
    """Return the C++ sources next to this package; None if it is installed."""
    root = folder.parents[2]
    sources = root / "cpp"
    is_checkout = folder.parents[1].name == "src" and (sources / "graphquant.h").is_file()
    return sources if is_checkout else None


def load(path: Path, *, sources: Path | None) -> Library:
    """Load one library; refuse it unless it fits this package and, in a checkout, the sources."""
    cure = _REINSTALL if sources is None else _BUILD
    if not path.is_file():
        raise NativeCoreError(f"The native core is missing: {path} does not exist.", cure)
    try:
        handle = ctypes.CDLL(os.fspath(path))
        _declare(handle)
    except (OSError, AttributeError) as err:
        raise NativeCoreError(f"The native core cannot be loaded: {path}: {err}.", cure) from err
    # The digest first: a developer who changed a struct needs a build, not a new installation.
    if sources is not None and _text(handle.gq_source_hash()) != source_hash(sources):
        raise NativeCoreError(f"The native core is older than its sources: {path}.", cure)
    check_fit(handle, path, cure)
    return Library(handle, path, _text(handle.gq_cpu_level()), _text(handle.gq_compiler()).strip())


def check_fit(handle: ctypes.CDLL, path: Path, cure: str) -> None:
    """Refuse a library of another version, or with another layout of structs."""
    version = handle.gq_abi_version()
    if version != ABI_VERSION:
        raise NativeCoreError(
            f"The native core {path} has interface version {version}; this graphquant needs {ABI_VERSION}.",
            cure,
        )
    for name, struct in STRUCTS.items():
        size = handle.gq_struct_size(name.encode())
        if size != ctypes.sizeof(struct):
            raise NativeCoreError(
                f"The native core {path} does not fit this graphquant: {name} has {size} bytes there and "
                f"{ctypes.sizeof(struct)} here.",
                cure,
            )


def _declare(handle: ctypes.CDLL) -> None:
    for name, result in {
        "gq_abi_version": ctypes.c_int32,
        "gq_source_hash": ctypes.c_char_p,
        "gq_cpu_level": ctypes.c_char_p,
        "gq_compiler": ctypes.c_char_p,
        "gq_cpu_supports_v3": ctypes.c_int32,
        "gq_struct_size": ctypes.c_int64,
    }.items():
        function = getattr(handle, name)
        function.restype, function.argtypes = result, []
    handle.gq_struct_size.argtypes = [ctypes.c_char_p]


def _text(value: bytes) -> str:
    return value.decode("ascii", "replace")
