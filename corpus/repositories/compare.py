#!/usr/bin/env python3
"""Checks, converts and evaluates the configuration of public repositories in both syntaxes, and compares.

    python3 corpus/repositories/compare.py target/release/simd-hcl CHECKOUTS OUT [NAME...]

CHECKOUTS has a folder for each repository. For each, OUT/NAME/json gets the repository in JSON, and OUT/NAME/back that in
native syntax again. What must hold: `check` finds the same in both syntaxes (codes by directory), `diff` of the repository
and of what came back is empty, and `expand` is the same in all three. What differs is printed; the exit status is the
number of repositories with differences. Errors that `check` finds are printed, too: people judge whether they are real.
"""

import collections
import json
import os
import shutil
import subprocess
import sys

NATIVE = (".tf", ".tofu", ".tfvars", ".pkr.hcl", ".pkrvars.hcl", ".tftest.hcl", ".tfmock.hcl", ".tfquery.hcl")


def run(binary, *arguments, directory):
    done = subprocess.run([binary, *arguments], cwd=directory, capture_output=True)
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def findings(binary, directory):
    """How often each code is found in each directory."""
    _, text, errors = run(binary, "check", "--format", "json", ".", directory=directory)
    if not text:
        sys.exit(f"{directory}: {errors}")
    key = lambda it: (os.path.dirname(it["range"]["filename"]), it["severity"], it["code"])
    return collections.Counter(key(it) for it in json.loads(text)["diagnostics"])


def values(binary, directory, module):
    """What `expand` prints for a module, without places and without the name of the directory."""
    status, text, _ = run(binary, "expand", "--format", "json", module, directory=directory)
    try:
        answer = json.loads(text)
    except ValueError:
        return status
    for name in ("diagnostics", "incomplete"):
        answer.pop(name, None)
    return json.dumps(answer, sort_keys=True).replace(os.path.abspath(directory), "")


def compare(binary, source, out):
    differences = 0
    twin, back = (os.path.join(out, name) for name in ("json", "back"))
    shutil.rmtree(out, ignore_errors=True)
    others = lambda _, names: [name for name in names if name.endswith(NATIVE) or name == ".git"]
    for directory in (twin, back):
        shutil.copytree(source, directory, symlinks=True, ignore=others)
    before = findings(binary, source)
    kinds = collections.Counter()
    for (_, severity, code), times in before.items():
        kinds[f"{severity} {code}"] += times
    print("  check:", dict(kinds))
    for to, from_, into in (("json", source, twin), ("native", twin, back)):
        status, _, errors = run(binary, "convert", "--to", to, "--out-dir", os.path.abspath(into), ".", directory=from_)
        if status:
            differences += 1
            print(f"  convert --to {to}:", errors)
    after = findings(binary, twin)
    if before != after:
        differences += 1
        print("  check: only native:", dict(before - after), "only JSON:", dict(after - before))
    _, changes, _ = run(binary, "diff", os.path.abspath(source), os.path.abspath(back), directory=".")
    if changes.strip():
        differences += 1
        print("  diff:", changes)
    for path, _, names in sorted(os.walk(source)):
        if not any(name.endswith((".tf", ".tofu")) for name in names):
            continue
        module = os.path.relpath(path, source)
        if len({values(binary, directory, module) for directory in (source, twin, back)}) > 1:
            differences += 1
            print("  expand:", module)
    return differences


def main():
    binary, checkouts, out, *names = sys.argv[1:]
    binary, failed = os.path.abspath(binary), 0
    for name in names or sorted(os.listdir(checkouts)):
        print(name, flush=True)
        failed += compare(binary, os.path.join(checkouts, name), os.path.join(out, name)) > 0
    sys.exit(min(failed, 100))


if __name__ == "__main__":
    main()
