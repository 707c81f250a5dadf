"""Does a test fail where the core is changed? ``python -m tools.mutation_core COUNT [--seed N]``.

Samples changes of single operators and statements in the C++ sources, builds the tests of C++ with each, and
a library for the tests of Python where these pass: a mutant that survives both is shown as a diff. Many that
do are no mistakes: they change how fast a result is found, or what happens where rounded numbers are equal.
"""

import argparse
import difflib
import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tools import build_core

REPOSITORY = build_core.REPOSITORY
WORK = REPOSITORY / "build" / "mutation"
SOURCES = ("bounds", "learning", "matching")
# Compiling takes longer than running the tests of C++; those of Python are the other way round.
FLAGS = ("-std=c++20", "-ffp-contract=off", "-w")
PYTHON_TESTS = (
    *("tests/core", "--ignore=tests/core/test_golden.py", "--ignore=tests/core/test_cpp.py"),
    *("tests/bounds", "tests/learning/test_bounds.py", "tests/learning/test_shared_bounds.py"),
)
# Many times what each takes: a mutant that loops forever is noticed by this.
SECONDS_TO_BUILD, SECONDS_IN_CPP, SECONDS_IN_PYTHON = 300, 30, 240

# What a mutant does: a name, what it matches, what stands there instead.
OPERATORS = (
    ("comparison", r"(?<![<>=\-!])<(?![<=])(?= )", "<="),
    ("comparison", r"<=(?!>)", "<"),
    ("comparison", r"(?<![<>=\-])>(?![>=])(?= )", ">="),
    ("comparison", r">=", ">"),
    ("comparison", r"==", "!="),
    ("comparison", r"!=", "=="),
    ("arithmetic", r"(?<= )\+(?= )", "-"),
    ("arithmetic", r"(?<= )-(?= )", "+"),
    ("arithmetic", r"(?<= )\*(?= )", "/"),
    ("arithmetic", r"(?<= )/(?= )", "*"),
    ("assignment", r"\+=", "-="),
    ("assignment", r"-=(?!>)", "+="),
    ("minimum", r"\bmost\b(?=[(<])", "least"),
    ("minimum", r"\bleast\b(?=[(<])", "most"),
    ("logic", r"&&", "||"),
    ("logic", r"\|\|", "&&"),
    ("logic", r"(?<=[(! ])true\b", "false"),
    ("logic", r"(?<=[(! ])false\b", "true"),
    ("condition", r"\bif \((?!const )", "if (!"),
    ("constant", r"(?<![\w.])0\.5(?![\w.])", "1.0"),
    ("constant", r"(?<![\w.])0\.0(?![\w.])", "1.0"),
    ("constant", r"(?<![\w.])1\.0(?![\w.])", "2.0"),
    ("constant", r"(?<![\w.])2\.0(?![\w.])", "1.0"),
    ("constant", r"(?<![\w.])0(?![\w.])", "1"),
    ("constant", r"(?<![\w.])1(?![\w.])", "0"),
    ("constant", r"-INF\b", "INF"),
    ("constant", r"(?<!-)\bINF\b", "0.0"),
    ("loop", r"\bcontinue;", ";"),
    ("loop", r"\bbreak;", ";"),
    ("removed", r"^ +[\w.\[\]>*-]+(?:\[[^;]*\])?(?:\+\+|--);$", ""),
    ("removed", r"^ +[\w:<>]+\([^;{}]*\);$", ""),
    ("removed", r"^ +[\w.\[\]>*-]+ [+-]?= [^;{}]*;$", ""),
    ("removed", r"\breturn;", ";"),
)


@dataclass(frozen=True)
class Mutant:
    """One change of one line."""

    path: Path
    line: int
    begin: int
    end: int
    text: str
    operator: str

    def apply(self, source):
        """Return the source with the change."""
        lines = source.split("\n")
        old = lines[self.line]
        lines[self.line] = old[: self.begin] + self.text + old[self.end :]
        if self.operator == "condition":
            lines[self.line] = negated(old, self.begin)
        return "\n".join(lines)

    def diff(self):
        """Return the change for a reader."""
        source = self.path.read_text(encoding="utf-8")
        name = self.path.relative_to(REPOSITORY).as_posix()
        lines = difflib.unified_diff(
            source.split("\n"), self.apply(source).split("\n"), name, name, n=1, lineterm=""
        )
        return "\n".join(lines)


def negated(line, begin):
    """Negate the condition of the ``if`` that begins there; the line itself if the condition is longer."""
    start, depth = begin + len("if "), 0
    for at in range(start, len(line)):
        depth += {"(": 1, ")": -1}.get(line[at], 0)
        if depth == 0:
            inner = line[start : at + 1]
            if ";" in inner:
                return line
            return f"{line[:start]}(!{inner}){line[at + 1 :]}"
    return line


def mutants_of(path):
    """Yield all mutants of a file; comments, includes and declarations of templates are left alone."""
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n")):
        code = line.split("//")[0].rstrip()
        if not code or code.lstrip().startswith(("#", "template", "static_assert", "namespace")):
            continue
        for operator, pattern, text in OPERATORS:
            for match in re.finditer(pattern, code):
                mutant = Mutant(path, number, match.start(), match.end(), text, operator)
                if operator != "condition" or negated(line, match.start()) != line:
                    yield mutant


def files_of(names):
    """Return the sources to be changed."""
    found = []
    for name in names:
        path = REPOSITORY / "cpp" / name
        found += [path] if path.is_file() else path.rglob("*.hpp")
    return sorted(set(found))


def run(command, seconds=SECONDS_TO_BUILD, **environ):
    """Run a command; return whether it succeeded in time."""
    try:
        done = subprocess.run(
            [str(word) for word in command],
            cwd=REPOSITORY,
            env={**os.environ, **environ},
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


class Workshop:
    """A copy of the sources where mutants are built; what no mutant changes is compiled once."""

    def __init__(self, compiler):
        self.compiler, self.cpp = compiler, WORK / "cpp"
        shutil.rmtree(WORK, ignore_errors=True)
        shutil.copytree(REPOSITORY / "cpp", self.cpp)
        (WORK / "tests.cpp").write_text(
            "".join(f'#include "{path.as_posix()}"\n' for path in self.test_files()), encoding="utf-8"
        )

    def test_files(self):
        """Return what the tests of C++ are compiled from, in one unit."""
        tests = self.cpp / "tests"
        return [
            self.cpp / "graphquant.cpp",
            *sorted(tests.glob("*_properties.cpp")),
            *sorted(tests.glob("test_*.cpp")),
            tests / "main.cpp",
        ]

    def build_tests(self):
        """Compile the tests of C++; whether that succeeded."""
        return run([self.compiler, *FLAGS, "-O0", f"-I{self.cpp}", WORK / "tests.cpp", "-o", WORK / "tests"])

    def build_library(self):
        """Compile the library; whether that succeeded."""
        flags = (*FLAGS, "-O1", "-fPIC", "-shared", f"-I{self.cpp}")
        return run([self.compiler, *flags, self.cpp / "graphquant.cpp", "-o", WORK / "core.so", "-lm"])

    def verdict(self):
        """Say what the tests say of the sources as they are: what kills them, or that they survive."""
        if not self.build_tests():
            return "does not compile"
        if not run([WORK / "tests", "-x"], SECONDS_IN_CPP):
            return "killed by C++"
        if not self.build_library():
            return "does not compile"
        pytest = (sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:randomly")
        library = str(WORK / "core.so")
        passed = run([*pytest, *PYTHON_TESTS], SECONDS_IN_PYTHON, GRAPHQUANT_LIBRARY=library)
        return "survived" if passed else "killed by Python"

    def judge(self, mutant):
        """Say what the tests say of a mutant."""
        target = self.cpp / mutant.path.relative_to(REPOSITORY / "cpp")
        source = mutant.path.read_text(encoding="utf-8")
        target.write_text(mutant.apply(source), encoding="utf-8")
        try:
            return self.verdict()
        finally:
            target.write_text(source, encoding="utf-8")


def main():
    """Try a sample of mutants; fail if too many survive."""
    parser = argparse.ArgumentParser(description="Mutation testing of the core.")
    parser.add_argument("count", type=int, nargs="?", default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--at-least", type=float, default=90.0, help="percent that have to be killed")
    parser.add_argument("--sources", nargs="*", default=SOURCES, help="folders or headers below cpp/")
    arguments = parser.parse_args()
    mutants = [mutant for path in files_of(arguments.sources) for mutant in mutants_of(path)]
    # Those that do not compile are replaced by others.
    random.Random(arguments.seed).shuffle(mutants)
    workshop = Workshop(build_core.find_compiler())
    if (found := workshop.verdict()) != "survived":
        sys.exit(f"error: the sources themselves are {found}.\nhint: make test-core; pytest tests/core")
    counts, survivors = Counter(), []
    for mutant in mutants:
        if sum(counts.values()) - counts["does not compile"] >= arguments.count:
            break
        began = time.monotonic()
        found = workshop.judge(mutant)
        counts[found] += 1
        place = f"{mutant.path.relative_to(REPOSITORY)}:{mutant.line + 1}"
        print(f"{found:16} {mutant.operator:10} {place} ({time.monotonic() - began:.0f} s)", flush=True)
        if found == "survived":
            survivors.append(mutant)
            print(mutant.diff(), flush=True)
    tried = sum(counts.values()) - counts["does not compile"]
    share = 100.0 * (tried - len(survivors)) / max(tried, 1)
    print(f"{dict(counts)}: {share:.1f} % of {tried} mutants of {len(mutants)} were killed")
    if share < arguments.at_least:
        sys.exit(1)


if __name__ == "__main__":
    main()
