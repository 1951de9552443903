#!/usr/bin/env python3
"""Random renames in public repositories: the findings and the values stay, and the way back gives the bytes of before.

    python3 corpus/repositories/renames.py target/release/simd-hcl CHECKOUTS [--changes 200] [--seed 1] [NAME...]

CHECKOUTS has a clone for each repository, which is cloned again. Each change renames a variable, local value, output, resource or module
call that a native file declares, to a new name. `check` then has as many findings of each code as before (but for the version that `moved` needs), `expand` of the module the same values, a second
run has nothing to do, and the rename back gives the same bytes. Prints what differs, and counts. The exit status is the number of repositories with
a difference.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter

DECLARED = re.compile(r'^(variable|output|module|resource|data)\s+"([\w-]+)"(?:\s+"([\w-]+)")?\s*\{', re.M)
LOCALS = re.compile(r"^locals\s*\{\n(.*?)^\}", re.M | re.S)
PREFIX = {"variable": "var.", "output": "output.", "module": "module.", "resource": "", "data": "data."}


def run(binary, directory, *arguments):
    environment = {**os.environ, "NO_COLOR": "1"}
    return subprocess.run([binary, *arguments], cwd=directory, capture_output=True, text=True, timeout=600, env=environment)


def declared(directory):
    """The objects of native files: the module, and the address."""
    found = []
    for path, folders, names in os.walk(directory):
        folders[:] = sorted(name for name in folders if name not in (".git", ".terraform"))
        for name in sorted(names):
            if not name.endswith(".tf"):
                continue
            with open(os.path.join(path, name), encoding="utf-8", errors="replace") as file:
                text = file.read()
            place = os.path.relpath(path, directory)
            for kind, first, second in DECLARED.findall(text):
                found.append((place, PREFIX[kind] + (f"{first}.{second}" if second else first)))
            for body in LOCALS.findall(text):
                found.extend((place, f"local.{local}") for local in re.findall(r"^  ([a-z_]\w*)\s*=", body, re.M))
    return found


def findings(binary, directory):
    done = run(binary, directory, "check", "--format", "json", ".")
    # A `moved` block may be newer than the oldest version that the module accepts.
    all_codes = (each["code"] for each in json.loads(done.stdout)["diagnostics"])
    return Counter(code for code in all_codes if code != "needs-newer-version")


def values(binary, directory, module):
    """The values of all instances and outputs of a module, without addresses."""
    done = run(binary, directory, "expand", module, "--format", "json", "--show-sensitive")
    try:
        planned = json.loads(done.stdout)["planned_values"]
    except ValueError:
        return done.returncode
    found, modules = [], [planned.get("root_module", {})]
    while modules:
        module = modules.pop()
        modules.extend(module.get("child_modules", []))
        found.extend([each.get("values"), each.get("unknown_values")] for each in module.get("resources", []))
    found.extend([each.get("value"), each.get("unknown_value")] for each in planned.get("outputs", {}).values())
    return sorted(json.dumps(each, sort_keys=True) for each in found)


def compare(binary, source, changes, seed, without):
    """Renames objects of a repository. Returns the number of differences."""
    counts, wrong = Counter(), 0
    with tempfile.TemporaryDirectory(prefix="renames-") as work:
        copy = os.path.join(os.path.realpath(work), "copy")
        subprocess.run(["git", "clone", "--quiet", "--no-checkout", "--shared", source, copy], check=True)
        git = lambda *arguments: subprocess.run(["git", "-C", copy, *arguments], capture_output=True, text=True)
        if without:
            git("sparse-checkout", "set", "--no-cone", "/*", *(f"!{pattern}" for pattern in without))
        restore = lambda: git("checkout", "--quiet", "--force", "HEAD")
        restore()
        clean = git("status", "--porcelain").stdout
        objects, chance = declared(copy), random.Random(seed)
        before = findings(binary, copy)
        for module, address in chance.sample(objects, min(changes, len(objects))):
            head, name = address.rpartition(".")[::2]
            new = f"{name}_renamed"
            old = values(binary, copy, module)
            command = ["rename", f"{module}:{address}", new, "--write", "--tree", "."]
            done = run(binary, copy, *command)
            if done.returncode:
                counts["refused"] += 1
                print(f"  refused: {module}:{address}: {done.stderr.strip()[:300]}", flush=True)
                continue
            counts["renamed"] += 1
            told = []
            if (after := findings(binary, copy)) != before:
                told.append(f"findings: {dict(after - before)} more, {dict(before - after)} less")
            if values(binary, copy, module) != old:
                told.append("values differ")
            changed = git("diff").stdout
            back = run(binary, copy, "rename", f"{module}:{head}.{new}", name, "--write", "--tree", ".")
            if git("status", "--porcelain").stdout != clean:
                told.append(f"the way back leaves changes: {back.stderr[-200:]} {git('diff').stdout[:600]}")
                restore()
            wrong += bool(told)
            for text in told:
                print(f"  {module}:{address}: {text}\n{changed[:1500] if 'find' in text else ''}", flush=True)
    print(f"  {len(objects)} objects: {', '.join(f'{kind} {count}' for kind, count in counts.items())}, wrong {wrong}", flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("binary")
    parser.add_argument("checkouts")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--changes", type=int, default=200, help="of each repository")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--without", action="append", default=[], help="a pattern of files that the clones lack")
    options = parser.parse_args()
    binary, failed = os.path.abspath(options.binary), 0
    for name in options.names or sorted(os.listdir(options.checkouts)):
        print(name, flush=True)
        failed += bool(compare(binary, os.path.join(options.checkouts, name), options.changes, options.seed, options.without))
    sys.exit(min(failed, 100))


if __name__ == "__main__":
    main()
