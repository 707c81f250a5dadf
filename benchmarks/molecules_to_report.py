"""From 5,000 SMILES to a report: ``python -m benchmarks.molecules_to_report [NCI] [WEHI]``.

Runs ``graphquant fit`` and ``graphquant report`` on molecules that RDKit ships, as a user would, and prints
the time by the clock, the CPU seconds, and the most memory that either took. Promised: 30 s on two cores,
2 GiB. Where other work shares the machine, half of the CPU seconds is what the clock would show at best.
"""

import csv
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rdkit import RDConfig

N_MOLECULES, N_CODES = 5_000, 50
PROMISED_SECONDS, PROMISED_MIB = 30.0, 2048
FILES = {
    "NCI": Path(RDConfig.RDDataDir, "NCI", "first_5K.smi"),
    "WEHI": Path(RDConfig.RDDataDir, "Pains", "test_data", "wehi_mols.csv"),
}


def smiles_of(path: Path) -> list[str]:
    """Return lines of SMILES and name."""
    if path.suffix == ".smi":
        return [" ".join(line.split()) for line in path.read_text().splitlines()][:N_MOLECULES]
    with path.open(newline="") as file:
        return [" ".join(row) for row in csv.reader(file)][:N_MOLECULES]


def run(*arguments: str) -> tuple[float, float, float]:
    """Run the command line; returns seconds by the clock, CPU seconds, MiB at most."""
    start = time.perf_counter()
    child = subprocess.Popen([sys.executable, "-W", "ignore", "-m", "graphquant", *arguments])
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        raise SystemExit(f"graphquant {arguments[0]} failed")
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> None:
    """Print a row for each file and step."""
    print("| molecules | step | seconds | CPU seconds | MiB |\n|---|---|---|---|---|")
    for name in sys.argv[1:] or FILES:
        path = FILES[name]
        with tempfile.TemporaryDirectory() as folder:
            molecules, codebook, page = (str(Path(folder, part)) for part in ("m.smi", "q.parquet", "r.html"))
            lines = smiles_of(path)
            Path(molecules).write_text("\n".join([*lines, ""]))
            skip = ("--on-error", "skip", "--quiet")
            steps = {
                "fit": run("fit", molecules, "-k", str(N_CODES), "-o", codebook, *skip),
                "report": run("report", codebook, molecules, "-o", page, *skip),
            }
            clock, cpu, memory = zip(*steps.values(), strict=True)
            steps["both"] = (sum(clock), sum(cpu), max(memory))
            for step, (seconds, cpu_seconds, mib) in steps.items():
                print(f"| {name}, {len(lines):,} | {step} | {seconds:.1f} | {cpu_seconds:.1f} | {mib:.0f} |")
            kept = steps["both"][0] <= PROMISED_SECONDS and steps["both"][2] <= PROMISED_MIB
            print(f"\nwithin {PROMISED_SECONDS:.0f} s and {PROMISED_MIB} MiB: {'yes' if kept else 'no'}\n")


if __name__ == "__main__":
    main()
