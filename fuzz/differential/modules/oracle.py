"""Asks Terraform about modules.

A question is a directory; the answer is what `terraform validate -json` says after `terraform init`, or why there is
none.
"""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, ".."), os.path.join(HERE, "../../../corpus/conformance/terraform")]
import stubs
from worker import Worker, serve, terraform

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


def answer(question):
    directory, configuration = question["directory"], question.get("configuration")
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


class Terraform:
    """Terraform with providers that have some schemas only."""

    def __init__(self, schemas):
        self.servers, attached = stubs.serve(schemas, schemas)
        self.worker = Worker(__file__, TF_REATTACH_PROVIDERS=attached)

    def ask(self, directory, configuration=False):
        return self.worker.ask({"directory": directory, "configuration": configuration})

    def close(self):
        self.worker.close()
        for server in self.servers:
            server.stop(0)


if __name__ == "__main__":
    serve(answer)
