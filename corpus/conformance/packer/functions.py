#!/usr/bin/env python3
"""Asks the console of Packer for the values of function calls: corpus/conformance/functions/*.txt -> functions.jsonl.

    apt-get install packer                  (Debian has 1.6.6)
    python3 corpus/conformance/packer/functions.py

The console shows the last value only, as a string, so many calls are asked for at once, as JSON. A line has `json`, or
`"error": true` if there is no value. Functions that Packer does not have are left out, and so are calls that give another
value each time.
"""

import glob
import json
import os
import re
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
VARYING = ("timestamp(", "uuidv4(", "bcrypt(", "uuid(")


def console(expression):
    environment = {**os.environ, "CHECKPOINT_DISABLE": "1", "PACKER_NO_COLOR": "1", "NO_COLOR": "1"}
    command = ["packer", "console", "--config-type=hcl2"]
    done = subprocess.run(command, input=expression + "\n", env=environment, capture_output=True, text=True)
    return done.stdout.strip("\n"), done.stdout + done.stderr


def ask(expressions):
    """The JSON of each value, none if it is an error. Of what cannot be asked together, one after the other is asked."""
    text, _ = console("jsonencode([" + ",".join(f'try(jsonencode({it}), "")' for it in expressions) + "])")
    try:
        return [it or None for it in json.loads(text)]
    except ValueError:
        if len(expressions) == 1:
            return [None]
        half = len(expressions) // 2
        return ask(expressions[:half]) + ask(expressions[half:])


def main():
    expressions = []
    for path in sorted(glob.glob(os.path.join(HERE, "../functions/*.txt"))):
        with open(path, encoding="utf-8") as file:
            expressions += [line.rstrip("\n") for line in file if line.strip() and not line.startswith("#")]
    expressions = [it for it in dict.fromkeys(expressions) if not any(name in it for name in VARYING)]
    called = lambda it: set(re.findall(r"\b([a-z0-9_]+)\(", it))
    names = set().union(*map(called, expressions))
    missing = {name for name in names if re.search("no function named|not yet implemented", console(f"{name}()")[1])}
    expressions = [it for it in expressions if not called(it) & missing]
    rows = []
    for start in range(0, len(expressions), 40):
        some = expressions[start : start + 40]
        for expression, answer in zip(some, ask(some)):
            rows.append({"expression": expression, **({"json": answer} if answer else {"error": True})})
    with open(os.path.join(HERE, "functions.jsonl"), "w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    print(len(rows), "calls; not in Packer:", *sorted(missing))


if __name__ == "__main__":
    main()
