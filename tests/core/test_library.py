"""The loader: it takes the right library, and says what is wrong with one that does not fit."""

import _ctypes
import ctypes
import re
import shutil
from pathlib import Path

import pytest

from graphquant._core import _library, structs
from graphquant._core.source_hash import source_files, source_hash
from graphquant.exceptions import InvalidParameterError, NativeCoreError
from tests.conftest import REPOSITORY

BUILT = _library.library_path(_library._FOLDER, "baseline")
HEADER = (REPOSITORY / "cpp" / "graphquant.h").read_text(encoding="utf-8")


@pytest.fixture
def checkout(tmp_path):
    """A folder as in a checkout, with its sources and the libraries built from them."""
    folder = tmp_path / "src" / "graphquant" / "_core"
    folder.mkdir(parents=True)
    shutil.copytree(REPOSITORY / "cpp", tmp_path / "cpp")
    for path in _library._FOLDER.glob("libgraphquant_*"):
        shutil.copy(path, folder)
    return folder


@pytest.fixture
def installation(tmp_path):
    """A folder as in an installation: libraries without sources."""
    folder = tmp_path / "site-packages" / "graphquant" / "_core"
    folder.mkdir(parents=True)
    for path in _library._FOLDER.glob("libgraphquant_*"):
        shutil.copy(path, folder)
    return folder


class Fake:
    """A library that tells what a test wants."""

    def __init__(self, version=_library.ABI_VERSION, sizes=None):
        self._version, self._sizes = version, sizes or {}

    def gq_abi_version(self):
        return self._version

    def gq_struct_size(self, name):
        text = name.decode()
        return self._sizes.get(text, ctypes.sizeof(structs.STRUCTS[text]))


def remove(folder, level):
    _library.library_path(folder, level).unlink()


# ---- which library ----


@pytest.mark.parametrize("kind", ["checkout", "installation"])
def test_the_best_library_is_taken(kind, request):
    folder = request.getfixturevalue(kind)
    loaded = _library.load_for_this_cpu(folder, {})
    can_run = bool(loaded.handle.gq_cpu_supports_v3())
    assert loaded.path == _library.library_path(folder, "v3" if can_run else "baseline")
    assert loaded.cpu_level == ("x86-64-v3" if can_run else "baseline")
    assert re.match(r"(GCC|Clang) \d+", loaded.compiler)


def test_a_level_can_be_asked_for(checkout):
    loaded = _library.load_for_this_cpu(checkout, {"GRAPHQUANT_CPU_LEVEL": "baseline"})
    assert loaded.path == _library.library_path(checkout, "baseline")
    assert loaded.cpu_level == "baseline"
    if loaded.handle.gq_cpu_supports_v3():
        loaded = _library.load_for_this_cpu(checkout, {"GRAPHQUANT_CPU_LEVEL": "v3"})
        assert loaded.cpu_level == "x86-64-v3"


def test_an_empty_level_is_none(checkout):
    assert _library.load_for_this_cpu(checkout, {"GRAPHQUANT_CPU_LEVEL": ""}).cpu_level in (
        "baseline",
        "x86-64-v3",
    )


@pytest.mark.parametrize("level", ["v4", "x86-64-v3", "BASELINE"])
def test_an_unknown_level_is_refused(level, checkout):
    with pytest.raises(
        InvalidParameterError, match=f"GRAPHQUANT_CPU_LEVEL='{level}' is not a CPU level"
    ) as caught:
        _library.load_for_this_cpu(checkout, {"GRAPHQUANT_CPU_LEVEL": level})
    assert "'baseline', 'v3'" in str(caught.value.hint)


def test_a_level_that_the_processor_lacks_is_refused(checkout, monkeypatch):
    load = _library.load

    def load_on_old_processor(path, *, sources):
        found = load(path, sources=sources)
        found.handle.gq_cpu_supports_v3 = lambda: 0
        return found

    monkeypatch.setattr(_library, "load", load_on_old_processor)
    with pytest.raises(InvalidParameterError, match="does not have the instructions of x86-64-v3"):
        _library.load_for_this_cpu(checkout, {"GRAPHQUANT_CPU_LEVEL": "v3"})
    assert _library.load_for_this_cpu(checkout, {}).cpu_level == "baseline"


def test_an_installation_without_the_fast_library_runs_the_other(installation):
    if not _library.library_path(installation, "v3").exists():
        pytest.skip("there is one level only")
    remove(installation, "v3")
    assert _library.load_for_this_cpu(installation, {}).cpu_level == "baseline"
    with pytest.raises(InvalidParameterError, match="GRAPHQUANT_CPU_LEVEL='v3'"):
        _library.load_for_this_cpu(installation, {"GRAPHQUANT_CPU_LEVEL": "v3"})


def test_a_checkout_without_the_fast_library_has_to_be_built(checkout):
    if not _library.load(BUILT, sources=None).handle.gq_cpu_supports_v3():
        pytest.skip("this processor would not use it")
    remove(checkout, "v3")
    with pytest.raises(NativeCoreError, match=r"libgraphquant_v3.* does not exist") as caught:
        _library.load_for_this_cpu(checkout, {})
    assert caught.value.hint == "Run make core."


def test_a_named_library_is_taken_whatever_its_sources(checkout, tmp_path):
    (tmp_path / "cpp" / "graphquant.cpp").write_text("changed", encoding="utf-8")
    named = tmp_path / "sanitized.so"
    shutil.copy(BUILT, named)
    environ = {"GRAPHQUANT_LIBRARY": str(named), "GRAPHQUANT_CPU_LEVEL": "nothing"}
    assert _library.load_for_this_cpu(checkout, environ).path == named


def test_the_library_is_loaded_once(monkeypatch):
    first = _library.loaded()
    monkeypatch.setattr(_library, "load_for_this_cpu", None)
    assert _library.loaded() is first
    assert _library.library() is first.handle


# ---- what is wrong with one ----


@pytest.mark.parametrize(("kind", "hint"), [("checkout", "make core"), ("installation", "pip install")])
def test_a_missing_library(kind, hint, request):
    folder = request.getfixturevalue(kind)
    remove(folder, "baseline")
    with pytest.raises(NativeCoreError, match=r"The native core is missing: .* does not exist") as caught:
        _library.load_for_this_cpu(folder, {})
    assert hint in caught.value.hint


def test_a_named_library_that_is_missing(checkout, tmp_path):
    with pytest.raises(NativeCoreError, match=r"missing: .*nowhere\.so"):
        _library.load_for_this_cpu(checkout, {"GRAPHQUANT_LIBRARY": str(tmp_path / "nowhere.so")})


@pytest.mark.parametrize("name", ["graphquant.h", "support/basics.hpp", "graphquant.cpp"])
def test_a_library_older_than_its_sources(name, checkout):
    with (checkout.parents[2] / "cpp" / name).open("a", encoding="utf-8") as file:
        file.write("\n")
    with pytest.raises(NativeCoreError, match="older than its sources") as caught:
        _library.load_for_this_cpu(checkout, {})
    assert caught.value.hint == "Run make core."


def test_tests_of_the_core_are_not_among_its_sources(checkout):
    sources = checkout.parents[2] / "cpp"
    (sources / "tests").mkdir(exist_ok=True)
    (sources / "tests" / "test_new.cpp").write_text("", encoding="utf-8")
    assert source_hash(sources) == source_hash(REPOSITORY / "cpp")
    assert all(
        "tests" not in path.parts
        for path in map(Path, (p.relative_to(sources) for p in source_files(sources)))
    )


def test_new_and_renamed_files_change_the_digest(checkout):
    sources = checkout.parents[2] / "cpp"
    digests = {source_hash(sources)}
    (sources / "new.hpp").write_text("", encoding="utf-8")
    digests.add(source_hash(sources))
    (sources / "new.hpp").rename(sources / "newer.hpp")
    digests.add(source_hash(sources))
    assert len(digests) == 3


def test_a_file_that_is_no_library(installation):
    _library.library_path(installation, "baseline").write_bytes(b"not a library")
    with pytest.raises(NativeCoreError, match="cannot be loaded"):
        _library.load_for_this_cpu(installation, {})


def test_a_library_of_something_else():
    with pytest.raises(NativeCoreError, match=r"cannot be loaded: .*gq_abi_version"):
        _library.load(Path(_ctypes.__file__), sources=None)


@pytest.mark.parametrize("version", [0, _library.ABI_VERSION + 1])
def test_another_version_of_the_interface(version):
    message = f"lib.so has interface version {version}; this graphquant needs {_library.ABI_VERSION}"
    with pytest.raises(NativeCoreError, match=message) as caught:
        _library.check_fit(Fake(version), Path("lib.so"), "A cure.")
    assert caught.value.hint == "A cure."


@pytest.mark.parametrize("name", structs.STRUCTS)
def test_another_layout_of_a_struct(name):
    right = ctypes.sizeof(structs.STRUCTS[name])
    _library.check_fit(Fake(), Path("lib.so"), "A cure.")
    for size in (0, right - 8, right + 8):
        with pytest.raises(NativeCoreError, match=f"{name} has {size} bytes there and {right} here"):
            _library.check_fit(Fake(sizes={name: size}), Path("lib.so"), "A cure.")


# ---- the header and what Python knows of it ----


def test_python_knows_every_struct_of_the_header():
    in_header = set(re.findall(r"^\} (gq_\w+);", HEADER, re.MULTILINE))
    enums = set(re.findall(r"typedef enum \{[^}]*\} (gq_\w+);", HEADER))
    assert in_header - enums == set(structs.STRUCTS)


def test_fields_have_the_names_of_the_header():
    for name, struct in structs.STRUCTS.items():
        (body,) = re.findall(r"typedef struct \{([^}]*)\} " + name + ";", HEADER)
        body = re.sub(r"/\*.*?\*/", "", body, flags=re.DOTALL)
        names = [
            re.sub(r"\[.*\]", "", part).split()[-1].strip("*")
            for line in body.split(";")
            for part in line.split(",")
            if part.strip()
        ]
        assert names == [field for field, _ in struct._fields_]


def test_python_and_the_header_have_one_version():
    (version,) = re.findall(r"#define GQ_ABI_VERSION (\d+)", HEADER)
    assert int(version) == _library.ABI_VERSION


def test_every_function_of_the_header_is_declared():
    from graphquant._core import calls

    in_header = set(re.findall(r"GQ_API [\w *]*?\*?(gq_\w+)\(", HEADER))
    declared = set(calls._SIGNATURES)
    about = {name for name in in_header if hasattr(Fake, name)} | {
        "gq_source_hash",
        "gq_cpu_level",
        "gq_compiler",
        "gq_cpu_supports_v3",
    }
    assert in_header == declared | about
