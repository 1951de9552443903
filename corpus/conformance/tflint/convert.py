#!/usr/bin/env python3
"""Converts the tables of the tests of tflint-ruleset-terraform to data: convert.py REPOSITORY > cases.json

REPOSITORY is a checkout, or its git directory. The result is a list of cases, each a module with settings of tflint
that have only the tested rule on:

    {"name", "files": {path: text}, "issues": [{"rule", "file", "line"}], "fixed"?: {path: text}}

The tables are literals of Go, which are read here without running anything. A test that is not a table, or whose
table says that the rule fails, is left out and named on standard error."""
import json
import pathlib
import re
import subprocess
import sys

TOKEN = re.compile(
    r"""\s+|//[^\n]*|(?P<raw>`[^`]*`)|(?P<text>"(?:\\.|[^"\\])*")|(?P<number>\d+)"""
    r"""|(?P<name>[A-Za-z_][\w.]*)|(?P<sign>:=|[][(){},:+*&.%<>=!;|'\\-])""")


def tokens(text):
    at = 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            at += 1  # A character of code that is not part of a table.
            continue
        at = match.end()
        if match.lastgroup:
            yield match.lastgroup, match.group(match.lastgroup)


class Reader:
    """Reads an expression of Go as far as tables need it: texts, numbers, literals with braces, and calls, of which
    the first text argument stands for the result."""

    def __init__(self, all_tokens):
        self.tokens, self.at = all_tokens, 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else (None, None)

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def skip_brackets(self, opening, closing):
        depth = 0
        while True:
            _, token = self.next()
            depth += (token == opening) - (token == closing)
            if depth == 0:
                return

    def value(self):
        first = self.operand()
        while self.peek()[1] == "+":
            self.next()
            second = self.operand()
            first = first + second if isinstance(first, str) and isinstance(second, str) else None
        return first

    def operand(self):
        kind, token = self.next()
        if kind == "raw":
            return token[1:-1]
        if kind == "text":
            return json.loads(re.sub(r"\\x(..)", r"\\u00\1", token))
        if kind == "number":
            return int(token)
        if token == "{":
            self.at -= 1
            return self.braces()
        if token in ("&", "*"):
            return self.operand()
        if token == "[":  # []T{…}
            self.at -= 1
            self.skip_brackets("[", "]")
            return self.operand()
        if kind == "name" and token == "map":
            self.skip_brackets("[", "]")
            self.next()
            return self.braces()
        if kind == "name" and token == "struct":
            self.skip_brackets("{", "}")
            return self.braces()
        if kind == "name":
            if self.peek()[1] == "{":
                return self.braces()
            if self.peek()[1] == "(":
                self.next()
                arguments = []
                while self.peek()[1] != ")":
                    arguments.append(self.value())
                    if self.peek()[1] == ",":
                        self.next()
                self.next()
                texts = [it for it in arguments if isinstance(it, str)]
                if token == "filepath.Join":
                    return "/".join(texts)
                return texts[0] if texts else {"call": token}
            return {"true": True, "false": False, "nil": None}.get(token, {"name": token})
        return None

    def braces(self):
        """A struct or a map as a dict, a list as a list."""
        assert self.next()[1] == "{"
        pairs, items = {}, []
        while self.peek()[1] != "}":
            kind, key = self.peek()
            is_pair = self.at + 1 < len(self.tokens) and self.tokens[self.at + 1][1] == ":"
            if is_pair and kind in ("name", "raw", "text"):
                key = self.operand() if kind != "name" else self.next()[1]
                self.next()
                pairs[key] = self.value()
            else:
                items.append(self.value())
            if self.peek()[1] == ",":
                self.next()
        self.next()
        return pairs or items


def functions(text):
    """The functions of a file: name, and the text of the body."""
    for part in re.split(r"^(?=func )", text, flags=re.M)[1:]:
        name = re.match(r"func (\w+)", part)
        if name:
            yield name.group(1), part


def table(body):
    """The table in a function; None if it has none."""
    match = re.search(r":?= (?:range )?\[\]struct \{", body)
    if not match:
        return None
    start = body.index("[]struct", match.start())
    return Reader(list(tokens(body[start:]))).operand()


def constant(text, name):
    """The text that a name stands for."""
    match = re.search(r"\b" + re.escape(name) + r"\s*:?=\s*`([^`]*)`", text)
    return match.group(1) if match else None


def cases_of(file_name, text):
    rule = re.match(r".*/?(terraform_\w+)_test\.go", file_name).group(1)
    bodies = dict(functions(text))
    # Tables that take the settings as an argument, and the calls of their functions.
    for name, body in bodies.items():
        rows = table(body)
        if rows is None:
            continue
        callers = []
        if name.startswith("test"):
            for caller, other in bodies.items():
                call = re.search(r"\b" + name + r"\(", other) if other is not body else None
                if call:
                    reader = Reader(list(tokens(other[call.end() - 1:])))
                    reader.next()
                    arguments = []
                    while reader.peek()[1] != ")":
                        arguments.append(reader.value())
                        if reader.peek()[1] == ",":
                            reader.next()
                    callers.append((caller, arguments[-1]))
        for caller, config in callers or [(name, None)]:
            for row in rows:
                given = row.get("Config")
                if isinstance(given, dict) and "name" in given:
                    row["Config"] = constant(text, given["name"])
                yield from case_of(rule, caller, body, row, config)


def case_of(rule, function, body, row, config):
    lower = {key[0].lower() + key[1:]: value for key, value in row.items()}
    title = f"{function.removeprefix('Test_')}: {lower.get('name')}"
    issues = lower.get("expected", [])
    content = lower.get("content", lower.get("files"))
    if content is None or not isinstance(issues, list) or lower.get("error"):
        print(f"left out: {rule}: {title}", file=sys.stderr)
        return
    known = re.search(r'filename := "([^"]+)"', body) or re.search(r'map\[string\]string\{"([^"]+)":', body)
    name = lower.get("filename") or (known.group(1) if known else "main.tf")
    if lower.get("jSON") is True and not name.endswith(".json"):
        name += ".json"
    if isinstance(content, dict):
        files = dict(content)
    elif isinstance(content, list):
        files = {path: "" for path in content}
    else:
        files = {name: content}
    found = [issue["Range"] for issue in issues]
    def line(place):
        # A name stands for the start of a file.
        start = place.get("Start")
        return max(1, start.get("Line", 1)) if isinstance(start, dict) else 1

    wanted = [{"rule": rule, "file": it.get("Filename", name), "line": line(it)} for it in found]
    # The module of a test in a folder is that folder.
    folder = {pathlib.PurePosixPath(path).parent for path in files}
    if len(folder) == 1 and str(next(iter(folder))) != ".":
        base = f"{next(iter(folder))}/"
        files = {path.removeprefix(base): text for path, text in files.items()}
        for issue in wanted:
            issue["file"] = issue["file"].removeprefix(base)
    settings = config or lower.get("config") or f'rule "{rule}" {{\n  enabled = true\n}}\n'
    files[".tflint.hcl"] = "config {\n  disabled_by_default = true\n}\n" + settings
    case = {"name": f"{rule}: {title}", "files": files, "issues": wanted}
    if lower.get("fixed"):
        case["fixed"] = {name: lower["fixed"]}
    yield case


def main():
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    git = ["git", "-C", sys.argv[1]]
    listed = subprocess.run(git + ["ls-tree", "--name-only", "HEAD", "rules/"], check=True, capture_output=True, text=True)
    cases = []
    for path in sorted(listed.stdout.split()):
        if re.search(r"terraform_\w+_test\.go$", path):
            text = subprocess.run(git + ["show", f"HEAD:{path}"], check=True, capture_output=True, text=True).stdout
            cases.extend(cases_of(path, text))
    json.dump(cases, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
