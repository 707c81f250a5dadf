"""Count what a fit passes through: ``python tools/hops.py``, or ``--list`` for the way itself.

A reader who follows ``GraphQuantizer(15).fit(letters)`` opens these files and meets these functions, in the
order in which they are called first. Only files of graphquant count; neither do comprehensions.
"""

import argparse
import sys
import threading
from pathlib import Path

import graphquant as gq

PACKAGE = Path(gq.__file__).resolve().parent
# Code that is part of the function around it.
INNER = ("<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>", "<module>")


def is_hop(code):
    """Return whether code is a function of graphquant."""
    return code.co_filename.startswith(str(PACKAGE)) and code.co_name not in INNER


def hops(work):
    """Return the files that some work passes through, each with its functions, as they are called first."""
    found = {}

    def watch(frame, event, argument):
        code = frame.f_code
        if event == "call" and is_hop(code):
            file = Path(code.co_filename).relative_to(PACKAGE).as_posix()
            # A dict, because it keeps the order.
            found.setdefault(file, {})[getattr(code, "co_qualname", code.co_name)] = True

    threading.setprofile(watch)
    sys.setprofile(watch)
    try:
        work()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return {file: list(functions) for file, functions in found.items()}


def hops_of_fit():
    """Return the hops of a fit of the built-in letters."""
    letters = gq.datasets.make_letters(10, random_state=0).graphs

    def fit():
        gq.GraphQuantizer(15, random_state=0).fit(letters)

    fit()  # what is imported and kept at the first call is not on the way
    return hops(fit)


def main():
    """Print the numbers, and the way if it is asked for."""
    parser = argparse.ArgumentParser(description="Count what a fit passes through.")
    parser.add_argument("--list", action="store_true", help="print the files with their functions, too")
    wants_list = parser.parse_args().list
    found = hops_of_fit()
    if wants_list:
        for file, functions in found.items():
            print(f"- ``{file}``: {', '.join(functions)}")
        print()
    print(f"{len(found)} files, {sum(map(len, found.values()))} functions")


if __name__ == "__main__":
    main()
