"""Mutation testing of bounds, drift and classify steps: a test must fail where the code is changed a little.

``python tools/mutation.py [COUNT]`` tries COUNT mutants, drawn at random with a fixed seed, or all of them.
Kernels are interpreted (``tests/interpreted.py``), so that a mutant takes effect without compiling. It works
on a copy of the repository. Survivors are printed; the exit code is 1 if they are more than 5 %.
"""

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from cosmic_ray.work_db import use_db
from cosmic_ray.work_item import TestOutcome, WorkerOutcome, WorkResult

REPOSITORY = Path(__file__).resolve().parents[1]
MODULES = (
    "kernels/bounds.py",
    "kernels/star.py",
    "kernels/drift.py",
    "kernels/families.py",
    "quantizers/standard.py",
    "quantizers/accelerated.py",
    "quantizers/lossless.py",
    "quantizers/shared_bounds.py",
    "quantizers/fast.py",
)
TESTS = (
    "tests/bounds/test_values.py",
    "tests/kernels/test_small_cases.py",
    "tests/kernels/test_steps.py",
    "tests/quantizers/test_accelerated.py::test_is_the_algorithm_of_the_paper[linear-0.1]",
    "tests/quantizers/test_bounds.py::test_bounds_hold_after_every_presentation[ties-lossless-auto]",
    "tests/quantizers/test_bounds.py::test_bounds_hold_after_every_presentation[vector-edges-fast-auto]",
    "tests/quantizers/test_bounds.py::test_bounds_hold_with_node_classes",
    "tests/quantizers/test_shared_bounds.py::test_bounds_hold_after_every_presentation[sparse]",
    "tests/quantizers/test_shared_bounds.py::test_batches[1]",
)
# Mutants that change nothing, by a pattern of the changed line, and why.
EQUIVALENT = {
    r"(stop|out|half)\[ ?-1": "the first entry of an array with one entry is the last one, too",
    r"max\( ?-1\.0, ": "what is compared with it is not negative but for rounding",
    r"while .*\] (!= 0\.0|[<>] ?-1\.0|< 1\.0)": "values of the wrong sign add zero to the sum",
    r"shape\[0\] != 0": "a size is not negative",
    r"best_lower_sq, before_lower_sq =": "a match, or the distance to the last winner, sets both",
    r"if x1 .* y1 .* y0": "either graph may be the rows; the smaller one is quicker",
    r"if X\.node_ptr\[i .* Y\.node_ptr": "either graph may be the rows; the smaller one is quicker",
    r"abs\(d_sq - best_sq\) < margin": "no two distances are apart by the margin to the last bit",
    r"\(d_sq <= best_sq and": "a smaller distance is taken before ties are looked at",
    r"if winner < -1 or d_sq": "as long as there is no winner, the best distance is infinite",
}
# A mutant that loops for ever is killed by the clock.
TIMEOUT = 300.0


def configuration():
    """Return the configuration of cosmic-ray."""
    modules = ", ".join(f'"src/graphquant/{name}"' for name in MODULES)
    options = "-x -q -p no:randomly -p no:cacheprovider -W ignore::RuntimeWarning"
    command = f"{sys.executable} -m pytest {options} {' '.join(TESTS)}"
    return (
        f"[cosmic-ray]\nmodule-path = [{modules}]\ntimeout = {TIMEOUT}\ntest-command = {command!r}\n"
        'excluded-modules = []\n[cosmic-ray.distributor]\nname = "local"\n'
    )


def run(*command, folder):
    """Run a command of cosmic-ray on the copy."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": "src", "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run(
        [sys.executable, "-m", "cosmic_ray.cli", *command], cwd=folder, env=environment, check=True
    )


def keep_sample(session, count):
    """Skip all mutants but ``count``; those of decorators too, which interpreted code does without."""
    with use_db(str(session)) as db:
        items = list(db.work_items)
        chosen = [item for item in items if "Decorator" not in item.mutations[0].operator_name]
        chosen.sort(key=lambda item: repr(item.mutations[0]))
        random.Random(0).shuffle(chosen)
        kept = {item.job_id for item in chosen[:count]}
        skipped = [item for item in items if item.job_id not in kept]
        db.set_multiple_results([item.job_id for item in skipped], WorkResult(WorkerOutcome.SKIPPED))
    print(f"{len(chosen)} mutants, {len(kept)} of them tried", flush=True)


def report(session):
    """Print the survivors and return their share."""
    with use_db(str(session)) as db:
        tried = [
            (item, r) for item, r in db.completed_work_items if r.worker_outcome != WorkerOutcome.SKIPPED
        ]
    survivors = [(item, result) for item, result in tried if result.test_outcome == TestOutcome.SURVIVED]
    n_equivalent = 0
    for item, result in survivors:
        lines = [line for line in result.diff.splitlines() if re.match(r"[-+](?![-+])", line)]
        reasons = [reason for pattern, reason in EQUIVALENT.items() if re.search(pattern, lines[-1])]
        n_equivalent += bool(reasons)
        print(f"{item.mutations[0].module_path}:{item.mutations[0].start_pos[0]}", *lines, sep="\n")
        print(f"  equivalent: {reasons[0]}" if reasons else "  SURVIVED", end="\n\n")
    left, total = len(survivors) - n_equivalent, len(tried) - n_equivalent
    print(f"killed {total - left} of {total}; {n_equivalent} more change nothing")
    return left / max(total, 1)


def main(count):
    """Copy, mutate, report."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "copy"
        ignored = shutil.ignore_patterns(".git", ".venv", "docs", "__pycache__", "*.nb[ic]", "dist")
        shutil.copytree(REPOSITORY, folder, ignore=ignored)
        (folder / "mutation.toml").write_text(configuration(), encoding="utf-8")
        run("init", "mutation.toml", "session.sqlite", folder=folder)
        keep_sample(folder / "session.sqlite", count)
        run("exec", "mutation.toml", "session.sqlite", folder=folder)
        return report(folder / "session.sqlite")


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else None) > 0.05)
