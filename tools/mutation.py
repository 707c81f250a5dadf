"""Mutation testing of the Python side: a test must fail where a line is changed a little.

``python tools/mutation.py [COUNT [SEED]]`` tries COUNT mutants (60), drawn at random with a seed (0),
each with the tests that are about its module. It works on a copy of the repository. Survivors are
printed; the exit code is 1 if they are more than 5 %. The core has a tool of its own: ``make
mutation-core``.
"""

import ast
import os
import random
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import venv
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
PACKAGE = Path("src") / "graphquant"
# What is mutated, and the tests that have to notice; a module belongs to the first pattern that fits it.
SUITES = {
    "bounds/checks.py": ("tests/bounds", "tests/matching/test_pairwise.py"),
    "edit/*.py": ("tests/edit", "src/graphquant/edit"),
    "graphs/checks.py": ("tests/graphs",),
    "io/_gxl*.py": ("tests/io",),
    "io/_rows.py": ("tests/io",),
    "io/_tu*.py": ("tests/io/test_tu.py",),
    "io/gxl.py": ("tests/io",),
    "io/jsonl.py": ("tests/io/test_jsonl.py", "tests/io/test_round_trips.py"),
    "io/parquet.py": ("tests/io", "tests/learning/test_files_of_1_0.py"),
    "io/tu.py": ("tests/io/test_tu.py", "tests/io/test_round_trips.py"),
    "io/*.py": ("tests/io", "tests/learning/test_files_of_1_0.py"),
    "learning/array_files.py": (
        "tests/learning/test_crafted_states.py",
        "tests/learning/test_checkpoint.py",
        "src/graphquant/learning/array_files.py",
    ),
    "learning/checkpoint.py": ("tests/learning/test_checkpoint.py", "tests/learning/test_crafted_states.py"),
    "learning/codes.py": ("tests/learning/test_estimator.py", "tests/learning/test_lossless.py"),
    "learning/driver.py": ("tests/learning/test_estimator.py", "tests/learning/test_checkpoint.py"),
    "learning/estimator.py": ("tests/learning", "tests/out_of_core/test_partitioned.py"),
    "learning/history.py": ("tests/learning/test_estimator.py", "src/graphquant/learning/history.py"),
    "learning/model_file.py": ("tests/learning/test_persistence.py", "tests/learning/test_files_of_1_0.py"),
    "learning/plan.py": (
        "tests/learning/test_plan.py",
        "tests/learning/test_auto.py",
        "tests/learning/test_estimator.py",
    ),
    "learning/rates.py": ("tests/learning/test_rates.py", "src/graphquant/learning/rates.py"),
    "learning/summary.py": ("tests/test_equality.py", "tests/cli/test_clusters.py"),
    "learning/state_checks.py": ("tests/learning/test_crafted_states.py",),
    "learning/*.py": ("tests/learning", "src/graphquant/learning"),
    "matching/mappings.py": ("tests/matching/test_custom_matcher.py", "tests/matching/test_pairwise.py"),
    "metrics/*.py": ("tests/metrics",),
    "out_of_core/merging.py": ("tests/out_of_core/test_merging.py", "tests/out_of_core/test_partitioned.py"),
    "out_of_core/dask.py": ("tests/out_of_core",),
    "out_of_core/*.py": (
        "tests/out_of_core/test_executor.py",
        "tests/out_of_core/test_pairs.py",
        "tests/out_of_core/test_starts.py",
        "tests/out_of_core/test_partitioned.py",
        "src/graphquant/out_of_core",
    ),
    "preprocessing/vectors.py": (
        "tests/preprocessing",
        "tests/learning/test_vectors.py",
        "tests/matching/test_pairwise.py",
        "tests/test_workflows.py",
    ),
    "preprocessing/*edit*.py": (
        "tests/preprocessing/test_edit_costs.py",
        "tests/edit",
        "tests/preprocessing",
        "src/graphquant/preprocessing",
    ),
    "preprocessing/*.py": ("tests/preprocessing", "src/graphquant/preprocessing"),
}
# Mutants that no test could see, by a pattern of what is printed of them, and why.
EQUIVALENT = {
    r"low is not None and high is not None": "both limits are given, or none is",
    r"_split\(sample, separator, 0\).*\n.* 1$": "with a separator, the width is not used",
    r"norms\[nearest\], 1\.0\)\n.* 2\.0$": "the product that is divided is zero where a norm is",
    r"remove_blank_text=True,\n.* False$": "blanks between elements only take memory",
    r"first\.n_codes\)\), 0\)\n.* 1$": "a run that goes on counts from its snapshot",
    r"amount\.values >= _ROUNDING$": "of no node a billionth is there, to the last bit",
    r"_stream\(rng, n \+ number\)": "each order of merging is as good as another",
    r"len\(lines\) < len\(edges\)": "to take all lines changes nothing",
    r"take_given\(init, X\.gather\(np\.arange\(1\)\)": "of the graphs only what all have in common counts",
    r"-first / np\.where\(second < 0\.0, second, 1\.0\).*\n.* 2\.0$": "what is divided there is not used",
    r"array\.size > _SPARSE_FROM": "an array of just that size may be kept in either way: both are read",
}
SWAPS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
# A mutant that loops for ever is killed by the clock.
TIMEOUT = 900.0


# How kinds of nodes are changed. Annotations, messages of errors and declarations stay as they are.
KINDS = {
    ast.Compare: "operator",
    ast.BinOp: "operator",
    ast.BoolOp: "operator",
    ast.UnaryOp: "not",
    ast.If: "condition",
    ast.IfExp: "condition",
    ast.Constant: "constant",
    ast.Expr: "call",
    ast.Return: "return",
}
UNTOUCHED = (ast.Raise, ast.Assert, ast.JoinedStr, ast.arguments)


def is_changeable(node):
    """Return whether a node of one of these kinds can be changed so that it matters."""
    match node:
        case ast.Compare():
            return type(node.ops[0]) in SWAPS
        case ast.BinOp():
            # With a text on its left, % and + make text.
            return type(node.op) in SWAPS and not isinstance(node.left, ast.Constant | ast.JoinedStr)
        case ast.UnaryOp():
            return isinstance(node.op, ast.Not)
        case ast.Constant():
            return isinstance(node.value, bool | int | float)
        case ast.Expr():
            return isinstance(node.value, ast.Call)
        case ast.Return(value=None | ast.Constant(value=None)):
            # A return of something becomes one of None.
            return False
    return True


def sites(node, inside=False):
    """Yield the nodes of functions that can be changed, with the kind of change."""
    kind = KINDS.get(type(node))
    if inside and kind is not None and is_changeable(node):
        yield node, kind
    for name, value in ast.iter_fields(node):
        skipped = name in ("decorator_list", "annotation", "returns")
        for child in value if isinstance(value, list) else [value]:
            if skipped or not isinstance(child, ast.AST) or isinstance(child, UNTOUCHED):
                continue
            # zip(strict=...) says what is known of the lengths.
            if not (isinstance(child, ast.keyword) and child.arg == "strict"):
                yield from sites(child, inside or isinstance(node, ast.FunctionDef))


def change(node, kind):
    """Change a node in place."""
    if isinstance(node, ast.Compare):
        node.ops[0] = SWAPS[type(node.ops[0])]()
    elif kind == "operator":
        node.op = SWAPS[type(node.op)]()
    elif kind in ("not", "condition"):
        # `not x` becomes `not not x`, and a condition its opposite.
        name = "operand" if kind == "not" else "test"
        setattr(node, name, ast.UnaryOp(ast.Not(), getattr(node, name)))
    elif kind == "constant":
        node.value = not node.value if isinstance(node.value, bool) else node.value + 1
    else:
        node.value = ast.Constant(None)


class Mutant:
    """A change of one place of a module.

    ``suites`` are run one after the other until one fails.
    """

    def __init__(self, path, number, tests):
        self.path, self.number = path, number
        near = namesakes(path)
        self.suites = (near, tests) if near else (tests,)

    def write(self, folder):
        """Write the changed module into a copy of the repository; returns what was changed, as text."""
        source = (REPOSITORY / self.path).read_text(encoding="utf-8")
        tree = ast.parse(source)
        node, kind = list(sites(tree))[self.number]
        before = source.splitlines()[node.lineno - 1].strip()
        change(node, kind)
        after = ast.unparse(ast.fix_missing_locations(node)).splitlines()[0]
        (folder / self.path).write_text(ast.unparse(tree), encoding="utf-8")
        return f"{self.path}:{node.lineno} ({kind})\n  - {before}\n  + ... {after}"

    def restore(self, folder):
        """Write the module as it was."""
        shutil.copy(REPOSITORY / self.path, folder / self.path)


def namesakes(path):
    """Return the test files that are called like a module: most of its mutants die there, and soon."""
    folder = Path("tests") / path.parent.relative_to(PACKAGE)
    words = path.stem.strip("_").split("_")
    found = sorted({file for word in words for file in (REPOSITORY / folder).glob(f"test_*{word}*.py")})
    return tuple((folder / file.name).as_posix() for file in found)


def all_mutants():
    """Return every mutant of every module, in a fixed order."""
    found, seen = [], set()
    for pattern, tests in SUITES.items():
        for path in sorted(set((REPOSITORY / PACKAGE).glob(pattern)) - seen):
            seen.add(path)
            n_sites = len(list(sites(ast.parse(path.read_text(encoding="utf-8")))))
            found += [Mutant(path.relative_to(REPOSITORY), number, tests) for number in range(n_sites)]
    return found


def python_of(folder):
    """Return a Python that imports the copy: an editable installation comes before PYTHONPATH.

    A .pth file adds paths, and nothing reads the .pth files in those, like that of the installation.
    """
    environment = folder.parent / "venv"
    venv.create(environment, symlinks=True)
    packages = environment / Path(sysconfig.get_path("purelib")).relative_to(sys.prefix)
    (packages / "copy.pth").write_text(f"{folder / 'src'}\n{sysconfig.get_path('purelib')}\n")
    python = environment / Path(sys.executable).relative_to(sys.prefix)
    asked = [python, "-c", "import graphquant; print(graphquant.__file__)"]
    found = subprocess.run(asked, cwd=folder, capture_output=True, text=True, check=True).stdout
    if not Path(found.strip()).is_relative_to(folder):
        sys.exit(f"error: {found.strip()} is imported instead of the copy in {folder}")
    return python


def passes(tests, folder, python):
    """Run tests in the copy: whether all pass, in time."""
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    options = ("-x", "-q", "-p", "no:randomly", "-p", "no:cacheprovider", "-n", "0")
    try:
        done = subprocess.run(
            [python, "-m", "pytest", *options, *tests],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    # A crash of Python ends with a signal, and is a failure like others; these are of tests that did not run.
    if done.returncode in (3, 4, 5):
        raise RuntimeError(f"pytest could not run {' '.join(tests)}:\n{done.stdout}\n{done.stderr}")
    return done.returncode == 0


def check_tests(tests, folder, python):
    """Refuse tests that fail without any mutant."""
    if not passes(tests, folder, python):
        sys.exit(f"error: {' '.join(tests)} fails without a mutant")


def main(count, seed):
    """Copy, mutate, report; returns the share of survivors."""
    mutants = all_mutants()
    chosen = random.Random(seed).sample(mutants, min(count, len(mutants)))
    print(f"{len(mutants)} mutants, {len(chosen)} of them tried (seed {seed})", flush=True)
    survived, equivalent, checked = 0, 0, set()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "copy"
        ignored = shutil.ignore_patterns(".git", ".venv*", "__pycache__", "build", "dist", "_build")
        shutil.copytree(REPOSITORY, folder, ignore=ignored)
        python = python_of(folder)
        for mutant in chosen:
            for tests in set(mutant.suites) - checked:
                check_tests(tests, folder, python)
                checked.add(tests)
            began = time.monotonic()
            text = mutant.write(folder)
            outcome = "killed"
            if all(passes(tests, folder, python) for tests in mutant.suites):
                reason = next((why for line, why in EQUIVALENT.items() if re.search(line, text)), None)
                equivalent, survived = equivalent + (reason is not None), survived + (reason is None)
                outcome = f"equivalent: {reason}" if reason else "SURVIVED"
            mutant.restore(folder)
            print(f"{text}\n  {outcome} ({time.monotonic() - began:.0f} s)", flush=True)
    total = len(chosen) - equivalent
    print(f"killed {total - survived} of {total}; {equivalent} more change nothing")
    return survived / max(total, 1)


if __name__ == "__main__":
    wanted = [int(word) for word in sys.argv[1:]]
    sys.exit(main(*wanted, *(60, 0)[len(wanted) :]) > 0.05)
