"""Run many hostile cases in this process within limits of memory and time, and count how they end."""

import argparse
import json
import random
import signal
import sys
import traceback
import warnings
from collections import Counter

from graphquant.exceptions import GraphQuantError

GIGABYTE = 2**30


class TooSlowError(BaseException):
    """A case took longer than it may; nothing that is tested catches it."""


def limit_memory(gigabytes):
    """Refuse more memory than this, where the system can; 0 sets no limit."""
    if not gigabytes:
        return
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (int(gigabytes * GIGABYTE), hard))


def _too_slow(number, frame):
    raise TooSlowError


def watch(case, numbers, seconds=10.0):
    """Call ``case(random, number)`` for each number; it returns a word for how it ended, in some CPU seconds.

    Errors of graphquant count as "refused". Whatever else a case raises is a failure, kept with its number:
    the same number gives the same case again.
    """
    found, failures = Counter(), []
    has_alarm = hasattr(signal, "setitimer")
    if has_alarm:
        signal.signal(signal.SIGPROF, _too_slow)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number in numbers:
            if has_alarm:
                signal.setitimer(signal.ITIMER_PROF, seconds)
            try:
                found[case(random.Random(number), number)] += 1
            except GraphQuantError as err:
                str(err).encode()
                found["refused"] += 1
            except BaseException as err:
                failures.append([number, type(err).__name__, str(err)[:300], traceback.format_exc()[-1500:]])
            finally:
                if has_alarm:
                    signal.setitimer(signal.ITIMER_PROF, 0.0)
    return {"found": dict(found), "failures": failures}


def run(cases):
    """Be ``python -m tests.fuzz.NAME KIND COUNT [--first N]``: JSON by kind, and 1 if any case failed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=[*sorted(cases), "all"])
    parser.add_argument("count", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--gigabytes", type=float, default=4.0, help="of address space; 0: any")
    given = parser.parse_args()
    kinds = sorted(cases) if given.kind == "all" else [given.kind]
    made = {kind: cases[kind]() for kind in kinds}
    limit_memory(given.gigabytes)
    numbers = range(given.first, given.first + given.count)
    failed = False
    for kind, case in made.items():
        result = watch(case, numbers)
        failed |= bool(result["failures"])
        json.dump({"kind": kind, **result}, sys.stdout)
        sys.stdout.write("\n")
        sys.stdout.flush()
    sys.exit(failed)
