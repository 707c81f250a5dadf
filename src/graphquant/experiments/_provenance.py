"""Where results come from: versions, machine, date, commit."""

import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from graphquant import __version__

_PACKAGES = ("numpy", "scipy", "scikit-learn")


def provenance() -> dict[str, Any]:
    """Return versions, machine, date and commit as plain values.

    Examples
    --------
    >>> sorted(provenance())
    ['commit', 'date', 'machine', 'versions']
    """
    return {
        "versions": {"graphquant": __version__, "python": platform.python_version()}
        | {name: _version(name) for name in _PACKAGES},
        "machine": {
            "system": f"{platform.system()} {platform.machine()}",
            "processor": _processor(),
            "cores": os.cpu_count(),
        },
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "commit": _commit(),
    }


def describe_provenance(origin: dict[str, Any]) -> str:
    """Describe it in one line."""
    machine, versions = origin["machine"], origin["versions"]
    listed = ", ".join(f"{name} {number}" for name, number in versions.items())
    return (
        f"{origin['date']}, commit {origin['commit']}, {machine['processor']} ({machine['cores']} cores), "
        f"{machine['system']}; {listed}."
    )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:  # installed without metadata
        return "unknown"


def _processor() -> str:
    """Return the model of the processor; Python knows it only on some systems."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def _commit() -> str:
    """Return the commit of the source tree, marked if it has changes; "unknown" for an installed package."""
    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--abbrev=12"],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return done.stdout.strip()


__all__ = ["describe_provenance", "provenance"]
