#!/usr/bin/env python3
"""Asks hcldec for what it prints in the cases of `cases.txt`, and writes it to `expected.json`.

    apt-get install golang-go golang-github-hashicorp-hcl-v2-dev
    cd /usr/share/gocode/src/github.com/hashicorp/hcl/v2/cmd/hcldec
    GO111MODULE=off GOPATH=/usr/share/gocode go build -o OUT/hcldec .
    python3 make.py OUT/hcldec

A case is a line `=== NAME`, then sections: `--- flags`, and `--- input` with the files to read (`a.hcl`
without it), on one line, and files, each with its text on the lines that follow.
"""

import json
import pathlib
import subprocess
import sys
import tempfile


def cases(text):
    for case in text.split("=== ")[1:]:
        name, _, rest = case.partition("\n")
        flags, inputs, files, last = [], ["a.hcl"], {}, None
        for line in rest.splitlines():
            if line.startswith("--- flags "):
                flags = line.split()[2:]
            elif line.startswith("--- input "):
                inputs = line.split()[2:]
            elif line.startswith("--- "):
                last = line[4:]
                files[last] = ""
            else:
                files[last] += line + "\n"
        yield name, flags, inputs, files


def ask(program, flags, inputs, files):
    with tempfile.TemporaryDirectory() as directory:
        for name, text in files.items():
            pathlib.Path(directory, name).write_text(text)
        command = [program, "--spec=spec.hcldec", "--diags=json", *flags, *inputs]
        done = subprocess.run(command, cwd=directory, capture_output=True, text=True)
    answer = {"status": done.returncode}
    if done.returncode == 0:
        answer["output"] = done.stdout
        return answer
    if not done.stderr.startswith("{"):
        # It panics, or says something else.
        answer["error"] = done.stderr.splitlines()[0]
        return answer
    diagnostics = json.loads(done.stderr)["diagnostics"]
    answer["diagnostics"] = [
        {
            "summary": each["summary"],
            "file": (each.get("subject") or {}).get("filename"),
            "line": ((each.get("subject") or {}).get("start") or {}).get("line"),
        }
        for each in diagnostics
    ]
    return answer


def main():
    here = pathlib.Path(__file__).parent
    answers = {}
    for name, *case in cases((here / "cases.txt").read_text()):
        assert name not in answers, name
        answers[name] = ask(sys.argv[1], *case)
    text = json.dumps(answers, indent=1, ensure_ascii=False)
    (here / "expected.json").write_text(text + "\n")


main()
