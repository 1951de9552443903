"""Compares the dictionaries of bc-python-hcl2, which checkov reads, with ours, over directories of native files.

    pip install bc-python-hcl2 simd-hcl
    python compare_hcl2.py DIRECTORY...

Prints each file that differs, with the first path, and the seconds that both take. The exit status is 1 if two dictionaries
differ; a file that only one of them accepts is printed, and counted apart.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any, Callable

import hcl2

import simd_hcl

OURS = simd_hcl.like("bc-python-hcl2 0.4.3")
# The reference takes minutes for longer ones.
LIMIT = 60_000


def difference(theirs: Any, ours: Any, path: str = "") -> str | None:
    """The first path whose values differ."""
    if type(theirs) is not type(ours):
        return path
    if isinstance(theirs, dict):
        if list(theirs) != list(ours):
            return path
        pairs = [(f"{path}.{key}", theirs[key], ours[key]) for key in theirs]
    elif isinstance(theirs, list):
        if len(theirs) != len(ours):
            return path
        pairs = [(f"{path}[{at}]", *both) for at, both in enumerate(zip(theirs, ours))]
    else:
        return None if theirs == ours else path
    return next((found for at, one, other in pairs if (found := difference(one, other, at)) is not None), None)


def answer(loads: Callable[[str], Any], text: str) -> tuple[Any, str | None, float]:
    """What a parser returns for a text: the dictionary, or its error; and the seconds."""
    start = time.perf_counter()
    try:
        value, error = loads(text), None
    except Exception as problem:
        value, error = None, str(problem).split("\n")[0]
    return value, error, time.perf_counter() - start


def main(directories: list[str]) -> int:
    """Compares all files, and returns the exit status."""
    count = different = refused = 0
    seconds = [0.0, 0.0]
    for path in sorted(file for directory in directories for file in Path(directory).rglob("*.tf")):
        text = path.read_text(encoding="utf-8", errors="replace")
        if len(text) > LIMIT:
            continue
        count += 1
        theirs, their_error, their_seconds = answer(hcl2.loads, text)
        ours, our_error, our_seconds = answer(OURS.loads, text)
        seconds = [seconds[0] + their_seconds, seconds[1] + our_seconds]
        if (their_error is None) != (our_error is None):
            refused += 1
            who = "bc-python-hcl2" if their_error else "simd-hcl"
            print(f"{path}: only {who} refuses it: {their_error or our_error}")
        elif (at := difference(theirs, ours)) is not None:
            different += 1
            print(f"{path}: {at or 'the root'} differs")
    print(f"{count} files: {different} differ, {refused} are refused by one of the two")
    print(f"bc-python-hcl2 {seconds[0]:.1f} s, simd-hcl {seconds[1]:.2f} s")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
