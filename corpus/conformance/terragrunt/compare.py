#!/usr/bin/env python3
"""Compares `simd-hcl units` with Terragrunt on the fixtures of Terragrunt's own tests.

    git clone https://github.com/gruntwork-io/terragrunt && (cd terragrunt && CGO_ENABLED=0 go build -o ../tg .)
    python3 corpus/conformance/terragrunt/compare.py target/release/simd-hcl ./tg terragrunt/test/fixtures

Each folder of FIXTURES is one tree, copied and made a git repository: lists are those of `find --json` in its root, and
with `--stacks` those after `stack generate`; values are those of `render --json` in the folder of each unit. Terragrunt
runs every `run_cmd`, so it runs without a network, in the copy, with a script in place of OpenTofu that has no state.
Differences that are explained are in `EXPLAINED`; any other one is printed, and the exit status is 1.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

MEMBERS = ("type", "exclude", "include", "dependencies", "reading")
DETAILS = ["--dependencies", "--include", "--reading", "--exclude"]
# In place of OpenTofu: no state has an output, and nothing is downloaded.
TOFU = """#!/bin/sh
case "$*" in
  *-version*|version*) echo 'OpenTofu v1.11.0' ;;
  *output*) echo '{}' ;;
esac
"""
# Texts that only a run of something, or the world outside, decides about.
DECIDED_OUTSIDE = re.compile(
    r"run_cmd|sops_decrypt_file|get_aws_|get_env|get_terraform_c|get_working_dir|timestamp|uuid|bcrypt"
    r"|dependency\.|dependency\s|values\.|get_terragrunt_source_cli_flag|get_default_retryable_errors|get_platform"
)
# The place of a difference, its text, and why it is there.
EXPLAINED = [
    (r"^(assume-role|auth-provider-cmd|read-config/iam)", r"get_aws_|credentials", "a role or an account would have to be asked for"),
    (r"^engine/", r"render fails", "an engine would have to be downloaded"),
    (r"^tfr/", r"render fails", "the versions of a registry would have to be asked for"),
    (r"^include-multiple/shallow-", r"is listed", "an included dependency with an empty path, which the unit replaces, counts as one on itself there, and the unit is lost"),
    (r"^modules/hcl-module-b", r"root\.hcl\.json:1", "an included file of JSON is read in native syntax there"),
    (r"^parsing/exposed-include", r"^reading", "files that are included after one with an error are lost there"),
    (r"^skip-dependencies/", r"no_run|dependency", "outputs of a unit that is not run cannot be read; here mocks count"),
    (r"^read-config/full", r"Found paths in the 'dependencies' block", "a configuration that is only read may name dependencies that do not exist"),
]


def ask(command, folder, environment, timeout=120):
    """The exit status, the output and the errors of a command."""
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, errors="replace", timeout=timeout, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return 124, "", "it does not end"
    return done.returncode, done.stdout, done.stderr


def parsed(text):
    """The JSON in an output, before which what a `run_cmd` prints may stand."""
    for at in (match.start() for match in re.finditer(r"^[\[{]", text, re.M)):
        try:
            return json.JSONDecoder().raw_decode(text, at)[0]
        except ValueError:
            pass
    return None


def named(answer, path):
    """Whether a gap is about a unit."""
    places = [where for gap in answer["incomplete"] for where in gap.get("where", [])]
    return path == "." and bool(places) or any(it == path or it.startswith(path + "/") for it in places)


def row(unit):
    """The members of a unit that both tools print, lists as sets."""
    found = {}
    for name in MEMBERS:
        value = unit.get(name)
        if isinstance(value, list):
            value = sorted(set(value))
        elif name == "exclude" and value:
            value = {key: part for key, part in value.items() if part not in (None, False, [])}
        if value:
            found[name] = value
    return found


def lists(want, got, answer):
    """The differences of two lists. Of a unit that could not be read completely, only its path counts."""
    theirs, ours = ({it["path"]: row(it) for it in all} for all in (want, got))
    for path in sorted(theirs.keys() | ours.keys()):
        if path not in ours:
            yield path, "is not listed"
        elif path not in theirs:
            if not named(answer, path):
                yield path, "is listed"
        elif not named(answer, path):
            for name in MEMBERS:
                a, b = theirs[path].get(name), ours[path].get(name)
                if a != b:
                    yield path, f"{name}: want {json.dumps(a)}, got {json.dumps(b)}"


def below(path, all_of):
    return any(path == it or path.startswith((it + ".", it + "[")) for it in all_of)


def values(want, got, at, unknown):
    """The first path at which two values differ."""
    if below(at, unknown):
        return None
    if isinstance(want, dict) and isinstance(got, dict):
        if "terraform_binary" in want:
            want, got = ({k: v for k, v in it.items() if v not in (None, "", {}, [])} for it in (want, got))
        for key in sorted(want.keys() | got.keys()):
            path = f"{at}.{key}"
            if not below(path, unknown):
                if key not in want or key not in got:
                    return path
                if found := values(want[key], got[key], path, unknown):
                    return found
        return None
    if isinstance(want, list) and isinstance(got, list):
        if len(want) != len(got):
            return at
        parts = (values(a, b, f"{at}[{i}]", unknown) for i, (a, b) in enumerate(zip(want, got)))
        return next(filter(None, parts), None)
    same = type(want) is type(got) and want == got
    if not same and {type(want), type(got)} == {int, float}:
        same = want == got
    return None if same else at


def at_path(value, path):
    """The part of a value at a path such as `inputs.a[0]`; `None` if there is none."""
    for name, index in re.findall(r"\.([^.\[]+)|\[(\d+)\]", path):
        try:
            value = value[name] if name else value[int(index)]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def text_of(folder, unit):
    """The text of what decides about a unit."""
    found = []
    own = [os.path.join(unit["path"], name) for name in os.listdir(os.path.join(folder, unit["path"])) if name.endswith(".hcl")]
    for name in [*own, *unit.get("reading", []), *unit.get("also_reading", [])]:
        try:
            with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                found.append(file.read())
        except OSError:
            pass
    return "\n".join(found)


def line(errors):
    """The errors of a command in one line."""
    return " ".join(errors.split())[:400]


class Fixture:
    def __init__(self, name, options, work):
        self.name, self.options = name, options
        self.home = os.path.join(work, name + ".home")
        self.root = os.path.realpath(os.path.join(work, name))
        os.makedirs(self.home)
        shutil.copytree(os.path.join(options.fixtures, name), self.root, symlinks=True)
        subprocess.run(["git", "init", "-q", self.root], check=True)
        self.tofu = os.path.join(work, "tofu")
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.home, "TG_TF_PATH": self.tofu, "TG_NO_COLOR": "true", "TG_NON_INTERACTIVE": "true",
            "TG_LOG_LEVEL": "error", "TG_TELEMETRY_TRACE_EXPORTER": "none", "AWS_EC2_METADATA_DISABLED": "true", "TG_NO_AUTO_PROVIDER_CACHE_DIR": "true",
        }
        self.count, self.found = Counter(), []

    def theirs(self, arguments, folder=""):
        offline = ["unshare", "-rn"] if shutil.which("unshare") else []
        command = [*offline, self.options.terragrunt, *arguments]
        return ask(command, os.path.join(self.root, folder), self.environment)

    def ours(self, arguments, folder=""):
        given = [part for name, value in self.environment.items() for part in ("--env", f"{name}={value}")]
        command = [self.options.binary, "units", ".", "--format", "json", "--show-sensitive", *arguments, *given]
        status, output, errors = ask(command, os.path.join(self.root, folder), {"PATH": os.environ["PATH"]})
        try:
            return json.loads(output)
        except ValueError:
            self.add("", f"no document: {status} {errors}")
            return {"units": [], "incomplete": []}

    def add(self, place, text):
        place = os.path.join(self.name, place)
        text = text.replace(self.root, "$ROOT")
        why = next((why for where, what, why in EXPLAINED if re.search(where, place) and re.search(what, text)), None)
        self.found.append((place, text, why))

    def compare(self):
        self.find("", [])
        self.dag()
        self.render("", [])
        for folder in self.with_stacks():
            details, rendered = (self.ours(["--stacks", *flags], folder) for flags in (DETAILS, ["--render"]))
            status, _, errors = self.theirs(["stack", "generate"], folder)
            self.count["stacks"] += 1
            if status == 0:
                self.find(folder, ["--stacks"], details)
                self.render(folder, ["--stacks"], rendered)
            else:
                self.count["failed stacks"] += 1
                if not details["incomplete"]:
                    self.add(folder, f"stack generate fails, and nothing is incomplete: {line(errors)}")
        return self

    def with_stacks(self):
        """The outermost folders that have a stack, or several of them side by side."""
        found = [os.path.relpath(at, self.root) for at, _, files in os.walk(self.root) if "terragrunt.stack.hcl" in files]
        return sorted({"" if it == "." else os.path.join(*it.split(os.sep)[:1]) for it in found})

    def find(self, folder, flags, answer=None):
        status, output, errors = self.theirs(["find", "--json", *DETAILS], folder)
        answer = answer or self.ours([*flags, *DETAILS], folder)
        self.count["lists"] += 1
        want = parsed(output) if output.strip() else []
        if status != 0 or want is None:
            if not answer["incomplete"]:
                self.add(folder, f"{' '.join(flags)} find fails, and nothing is incomplete: {line(errors)}".strip())
            return
        self.count["units"] += len(want)
        for path, what in lists(want, answer["units"], answer):
            self.add(os.path.join(folder, path), f"{' '.join(flags)} {what}".strip())

    def dag(self):
        status, output, _ = self.theirs(["find", "--json", "--dag", "--dependencies"])
        answer = self.ours(["--dag", "--dependencies"])
        want = parsed(output) if output.strip() else []
        if status != 0 or want is None or answer["incomplete"]:
            return
        self.count["orders"] += 1
        theirs, ours = ([it["path"] for it in all] for all in (want, answer["units"]))
        if theirs != ours and sorted(theirs) == sorted(ours):
            self.add("", f"order: want {theirs}, got {ours}")

    def render(self, folder, flags, answer=None):
        answer = answer or self.ours([*flags, "--render"], folder)
        read = {it["path"]: it for it in self.ours([*flags, "--reading"], folder)["units"]}
        for unit in answer["units"]:
            path = unit["path"]
            place = os.path.normpath(os.path.join(folder, path))
            if not os.path.isdir(os.path.join(self.root, place)) or flags and ".terragrunt-stack" not in path:
                continue
            status, output, errors = self.theirs(["render", "--json"], place)
            self.count["renderings"] += 1
            want, unknown = parsed(output), unit.get("unknown") or []
            if status != 0 or not isinstance(want, dict):
                self.count["failed renderings"] += 1
                if not unknown and not named(answer, path):
                    self.add(place, f"render fails, and nothing is unknown: {line(errors)}")
                continue
            self.count["unknown values"] += len(unknown)
            # Terragrunt prints an empty text for what does not exist.
            unknown = [it for it in unknown if at_path(want, "." + it) not in (None, "")]
            if unknown and not DECIDED_OUTSIDE.search(text_of(os.path.join(self.root, folder), read.get(path, unit))):
                self.add(place, f"unknown without a reason: {unknown}")
            for name in ("inputs", "locals"):
                a, b = want.get(name) or {}, unit.get(name) or {}
                if at := values(a, b, name, unit.get("unknown") or []):
                    self.add(place, f"{' '.join(flags)} {at}: want {json.dumps(a)[:600]}, got {json.dumps(b)[:600]}".strip())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=os.path.abspath)
    parser.add_argument("terragrunt", type=os.path.abspath)
    parser.add_argument("fixtures", type=os.path.abspath)
    parser.add_argument("--only", default="", help="folders whose names contain this")
    parser.add_argument("--verbose", action="store_true", help="also prints what is explained")
    options = parser.parse_args()
    names = [it for it in sorted(os.listdir(options.fixtures)) if options.only in it and os.path.isdir(os.path.join(options.fixtures, it))]
    count, explained, open_ones = Counter(), Counter(), 0
    with tempfile.TemporaryDirectory() as work:
        script = os.path.join(work, "tofu")
        with open(script, "w", encoding="utf-8") as file:
            file.write(TOFU)
        os.chmod(script, 0o755)

        def compared(name):
            fixture = Fixture(name, options, work).compare()
            shutil.rmtree(fixture.root)
            return fixture

        with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            for fixture in pool.map(compared, names):
                count += fixture.count
                for place, text, why in fixture.found:
                    explained[why] += why is not None
                    open_ones += why is None
                    if why is None or options.verbose:
                        print(f"{place}: {text}" + (f"\n    ({why})" if why else ""), flush=True)
    print(", ".join(f"{number} {what}" for what, number in count.items()))
    for why, number in explained.most_common():
        if number:
            print(f"{number:5} {why}")
    print(f"{open_ones} differences are not explained")
    sys.exit(open_ones > 0)


main()
