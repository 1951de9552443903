#!/usr/bin/env python3
"""Compares what the command line prints of plan files with what Terraform printed: compare.py BINARY OUT [NAME…].

Numbers are compared as text. `replace_paths`, `relevant_attributes` and modules in modules have no fixed order in
Terraform.
"""

import json
import os
import subprocess
import sys


class Number(str):
    pass


def load(text):
    return json.loads(text, parse_int=Number, parse_float=Number)


def settle(value, key=None):
    if isinstance(value, dict):
        return {k: settle(v, k) for k, v in value.items()}
    if isinstance(value, list):
        inner = [settle(each) for each in value]
        if key in ("replace_paths", "relevant_attributes"):
            inner.sort(key=json.dumps)
        if key == "child_modules":
            inner.sort(key=lambda each: each.get("address", ""))
        return inner
    return value


def differences(ours, theirs, path="$"):
    if type(ours) is not type(theirs):
        yield path, ours, theirs
    elif isinstance(ours, dict):
        for key in sorted(ours.keys() | theirs.keys()):
            if key not in ours or key not in theirs:
                yield f"{path}.{key}", ours.get(key, "(absent)"), theirs.get(key, "(absent)")
            else:
                yield from differences(ours[key], theirs[key], f"{path}.{key}")
    elif isinstance(ours, list):
        if len(ours) != len(theirs):
            yield path, ours, theirs
        for place, (one, other) in enumerate(zip(ours, theirs)):
            yield from differences(one, other, f"{path}[{place}]")
    elif ours != theirs:
        yield path, ours, theirs


def main():
    binary, out, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    schemas = os.path.join(out, "schemas.json")
    equal = same = 0
    names = names or sorted(each for each in os.listdir(out) if os.path.exists(os.path.join(out, each, "show.json")))
    for name in names:
        command = [binary, "plan", "--format", "show-json", "--provider-schemas", schemas, os.path.join(out, name, "plan.bin")]
        done = subprocess.run(command, capture_output=True, text=True)
        with open(os.path.join(out, name, "show.json")) as file:
            expected = file.read()
        same += done.stdout == expected
        try:
            found = list(differences(settle(load(done.stdout)), settle(load(expected))))
        except ValueError:
            found = [("$", done.stdout[:200], "JSON")]
        equal += not found
        if found or done.stderr:
            print(name, done.stderr[:500])
        for path, ours, theirs in found[:8]:
            print("   ", path, json.dumps(ours)[:300], "!=", json.dumps(theirs)[:300])
    print(f"{equal} of {len(names)} equal, {same} to the byte")
    sys.exit(equal != len(names))


if __name__ == "__main__":
    main()
