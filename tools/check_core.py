"""Check the native core by builds of its own: ``python -m tools.check_core WHAT``, see ``make help``.

Each kind of check has a folder below ``build``. Needs g++ or clang++ (not zig: it has no sanitizers here).
"""

import argparse
import json
import os
import shutil
import subprocess
import sys

from tools import build_core

REPOSITORY = build_core.REPOSITORY
# What runs the core through Python, and a short list. Golden results take minutes and reach nothing else.
QUICK_TESTS = ("tests/core", "--ignore=tests/core/test_golden.py")
PYTHON_TESTS = (*QUICK_TESTS, "tests/matching", "tests/bounds", "tests/learning")
FEWEST_LINES = 95.0
# Kinds of hostile cases of tests/fuzz/boundary.py.
BOUNDARY = (
    "pairs",
    "matchers",
    "starts",
    "edits",
    "collection",
    "own_matcher",
    "estimator",
    "codebook",
    "states",
)


def run(*command, **environ):
    """Run a command in the repository; its failure is that of the check."""
    words = [str(word) for word in command]
    print("+", *words, file=sys.stderr, flush=True)
    code = subprocess.run(words, cwd=REPOSITORY, env={**os.environ, **environ}, check=False).returncode
    if code != 0:
        sys.exit(code)


def build(folder, *options):
    """Build the tests, and the core with them; returns the folder."""
    compiler = build_core.find_compiler()
    if compiler is None:
        sys.exit("error: no C++ compiler was found.\nhint: install g++ or clang++")
    target = REPOSITORY / "build" / folder
    if not build_core.configure_and_build(target, compiler, ["-DGRAPHQUANT_TESTS=ON", *options]):
        sys.exit(1)
    return target


def library_in(folder):
    """Return the library of a build."""
    return next(folder.glob("libgraphquant_baseline.*"))


def pytest(tests, **environ):
    """Run tests of Python but those of times: builds that check are several times slower."""
    options = ("-q", "-p", "no:cacheprovider", "-m", "not timed")
    run(sys.executable, "-m", "pytest", *options, *tests, **environ)


# ---- what can be checked ----


def check_tests(arguments):
    """Build and run the tests of C++."""
    run(build("tests") / "core_tests", *arguments.rest)


def check_fuzz(arguments):
    """Random graphs against all mappings, in a fast build and with sanitizers."""
    for folder, options, share in (("tests", [], 10), ("sanitize", ["-DGRAPHQUANT_CHECK=sanitize"], 1)):
        n_cases = max(arguments.cases * share // 11, 1)
        run(build(folder, *options) / "fuzz_core", n_cases, arguments.seed, **SANITIZERS)


SANITIZERS = {
    "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
    "ASAN_OPTIONS": "halt_on_error=1:allocator_may_return_null=1",
}


def check_sanitized(arguments):
    """Run the tests of C++ and of Python with AddressSanitizer and UndefinedBehaviorSanitizer."""
    folder = build("sanitize", "-DGRAPHQUANT_CHECK=sanitize")
    run(folder / "core_tests", **SANITIZERS)
    run(folder / "fuzz_core", 200 if arguments.quick else 2000, **SANITIZERS)
    environ = sanitized(folder)
    # Every matcher and algorithm on graphs of every kind; that the digest is right is for test_levels.py.
    run(sys.executable, "-m", "tests.core.trace", **environ)
    tests = arguments.rest or (QUICK_TESTS if arguments.quick else PYTHON_TESTS)
    pytest(tests, **environ)


def check_boundary(arguments):
    """Hostile arrays at every function that calls the core, with sanitizers; their first report ends it."""
    environ = sanitized(build("sanitize", "-DGRAPHQUANT_CHECK=sanitize"))
    # The run time of the sanitizers needs the address space: it refuses large blocks itself.
    environ["ASAN_OPTIONS"] += ":max_allocation_size_mb=4096"
    share = -(-arguments.cases // len(BOUNDARY))
    numbers = (share, "--first", arguments.seed * share)
    for kind in BOUNDARY:
        run(sys.executable, "-m", "tests.fuzz.boundary", kind, *numbers, "--gigabytes", 0, **environ)


def sanitized(folder):
    """Return the environment in which Python uses the library of a build with sanitizers."""
    # Python itself is not sanitized: the run time has to be there first, and so has what throws exceptions.
    preloaded = [preloadable(name) for name in ("libasan.so", "libstdc++.so.6")]
    return {
        **SANITIZERS,
        # Python keeps memory until it ends.
        "ASAN_OPTIONS": SANITIZERS["ASAN_OPTIONS"] + ":detect_leaks=0",
        "LD_PRELOAD": " ".join(filter(None, preloaded)),
        "GRAPHQUANT_LIBRARY": str(library_in(folder)),
    }


def preloadable(name):
    """Return a library of the compiler."""
    compiler = build_core.find_compiler()
    found = subprocess.run([compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True)
    path = found.stdout.strip()
    return path if os.path.isabs(path) else None


def check_compilers(arguments):
    """Build with another compiler, and compare the bits of what both builds give."""
    options, other = [], shutil.which("clang++")
    if other is None:
        if not build_core.has_zig():
            sys.exit("error: there is no other compiler.\nhint: python -m pip install ziglang")
        other, options = "zig", build_core.zig_options()
    else:
        options = [f"-DCMAKE_CXX_COMPILER={other}", f"-DCMAKE_C_COMPILER={shutil.which('clang')}"]
    folder = REPOSITORY / "build" / "other"
    if not build_core.configure_and_build(folder, other, options):
        sys.exit(1)
    tests = arguments.rest or ["tests/core/test_levels.py"]
    pytest(tests, GRAPHQUANT_OTHER_CORE=str(folder.relative_to(REPOSITORY)))


def check_coverage(arguments):
    """Count which lines of the core the tests reach; fail below FEWEST_LINES percent."""
    folder = build("coverage", "-DGRAPHQUANT_CHECK=coverage")
    for counts in folder.rglob("*.gcda"):
        counts.unlink()
    run(folder / "core_tests")
    pytest(arguments.rest or PYTHON_TESTS, GRAPHQUANT_LIBRARY=str(library_in(folder)))
    report(folder)


def report(folder):
    """Print lines that no test reaches, and the share of the others."""
    gcov = build_core.find_program("gcov") or "gcov"
    found = folder / "coverage.json"
    run(
        *(sys.executable, "-m", "gcovr", "--gcov-executable", gcov, "--object-directory", folder),
        *("--root", REPOSITORY, "--filter", "cpp/", "--exclude", "cpp/tests/", "--exclude-throw-branches"),
        *("--merge-mode-functions=separate", "--json-summary", found, "--txt", "-"),
        # Inner loops do run more than 2^32 times in these tests.
        "--gcov-ignore-parse-errors=suspicious_hits.warn",
    )
    share = json.loads(found.read_text(encoding="utf-8"))["line_percent"]
    print(f"{share} % of the lines of the core, at least {FEWEST_LINES} are asked for", file=sys.stderr)
    if share < FEWEST_LINES:
        sys.exit(1)


def main():
    """Run the check that was asked for."""
    parser = argparse.ArgumentParser(description="Check the native core.")
    checks = parser.add_subparsers(required=True)
    for name, function in {
        "test": check_tests,
        "fuzz": check_fuzz,
        "sanitize": check_sanitized,
        "boundary": check_boundary,
        "compilers": check_compilers,
        "coverage": check_coverage,
    }.items():
        check = checks.add_parser(name, help=function.__doc__)
        check.set_defaults(function=function)
        if name in ("fuzz", "boundary"):
            check.add_argument("--cases", type=int, default=20_000)
            check.add_argument("--seed", type=int, default=0)
        if name == "sanitize":
            check.add_argument("--quick", action="store_true", help="a short list, for CI")
        check.add_argument(
            "rest", nargs="*", help="tests of Python (of C++ for test), instead of the usual ones"
        )
    arguments = parser.parse_args()
    if shutil.which("cmake") is None and build_core.find_program("cmake") is None:
        sys.exit("error: CMake was not found.\nhint: python -m pip install cmake ninja")
    arguments.function(arguments)


if __name__ == "__main__":
    main()
