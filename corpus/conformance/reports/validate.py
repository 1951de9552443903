#!/usr/bin/env python3
"""Validates what `check` and `plan --deny` print for machines by the published schemas of the formats.

    pip install jsonschema lxml
    python3 validate.py BINARY SARIF_SCHEMA JUNIT_XSD

SARIF_SCHEMA is sarif-2.1/schema/sarif-schema-2.1.0.json of github.com/oasis-tcs/sarif-spec, JUNIT_XSD is junit-10.xsd of
github.com/jenkinsci/xunit-plugin. GitLab has published no schema of Code Quality reports: the members that its
documentation names are checked.
"""

import json
import os
import subprocess
import sys

from jsonschema import validators
from lxml import etree

CORPUS = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
COMMANDS = [
    ["check", "broken"],
    ["check", "monorepo"],
    ["check", "no-such-directory"],
    ["check", "broken/byte-order-mark"],
    ["plan", "show/plan-1.2-terraform.json", "--deny", "true"],
    ["plan", "show/plan-1.2-terraform.json", "--warn", "change.after.none == 1"],
    ["plan", "show/plan-1.2-opentofu.json", "--deny", "false"],
]
SEVERITIES = {"info", "minor", "major", "critical", "blocker"}


def printed(binary, command, name):
    arguments = [os.path.abspath(binary), *command, "--format", name, "--quiet"]
    return subprocess.run(arguments, capture_output=True, cwd=CORPUS).stdout


def gitlab(report):
    """What is wrong with a report of GitLab Code Quality."""
    fingerprints = set()
    for number, issue in enumerate(report):
        location = issue.get("location", {})
        path, line = location.get("path"), location.get("lines", {}).get("begin")
        if not all(isinstance(issue.get(name), str) for name in ("description", "check_name", "fingerprint")):
            yield f"[{number}] lacks a text"
        if issue.get("severity") not in SEVERITIES:
            yield f"[{number}].severity"
        if not isinstance(path, str) or path.startswith(("/", "./")):
            yield f"[{number}].location.path: {path}"
        if not isinstance(line, int) or line < 1:
            yield f"[{number}].location.lines.begin: {line}"
        if issue.get("fingerprint") in fingerprints:
            yield f"[{number}].fingerprint is not unique"
        fingerprints.add(issue.get("fingerprint"))


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    binary, sarif_schema, junit_xsd = sys.argv[1:]
    with open(sarif_schema, encoding="utf-8") as file:
        schema = json.load(file)
    sarif = validators.validator_for(schema)(schema)
    junit = etree.XMLSchema(etree.parse(junit_xsd))
    failures = 0
    for command in COMMANDS:
        report = json.loads(printed(binary, command, "sarif"))
        problems = [f"sarif: {list(it.absolute_path)}: {it.message}" for it in sarif.iter_errors(report)]
        results = sum(len(run["results"]) for run in report["runs"])
        junit.validate(etree.fromstring(printed(binary, command, "junit")))
        problems += [f"junit: {it.line}: {it.message}" for it in junit.error_log]
        problems += [f"gitlab: {it}" for it in gitlab(json.loads(printed(binary, command, "gitlab")))]
        print(f"{' '.join(command)}: {results} results, {len(problems)} problems")
        for problem in problems[:5]:
            print(f"    {problem}")
        failures += len(problems)
    sys.exit(1 if failures else 0)


main()
