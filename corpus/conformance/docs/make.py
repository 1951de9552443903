#!/usr/bin/env python3
"""Asks terraform-docs 0.24.0 for the pages of the modules in these archives, and writes each to `expected`.

    go build -o OUT/terraform-docs .       in a checkout of terraform-docs
    python3 make.py OUT/terraform-docs
"""

import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import archive  # noqa: E402


def main():
    program = os.path.abspath(sys.argv[1])
    for path in sorted(HERE.glob("*.txt")):
        with archive.opened(path) as cases:
            for case in sorted(pathlib.Path(cases).iterdir()):
                environment = dict(os.environ, HOME=str(case))
                done = subprocess.run([program, "module"], cwd=case, env=environment, capture_output=True)
                if done.returncode:
                    sys.exit(f"{case.name}: {done.stderr.decode()}")
                (case / "expected").write_bytes(done.stdout)


main()
