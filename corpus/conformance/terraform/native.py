#!/usr/bin/env python3
"""Writes native twins of cases: those of GROUP.txt, in JSON, become those of native/GROUP.txt.

    python3 native.py blocks-ok resources      cases of these groups that have no twin yet
    python3 make.py native                     what Terraform says of them

A case that has no twin is passed over: a value where native syntax has none, such as a number among the elements of
`depends_on`, or a file with an error.
"""

import json
import os
import re
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, ".."))
import archive

# Cases that ask for modules of a registry, that count on the names of files, or that have no schemas.
WITHOUT_TWIN = re.compile(r"by-block/\d+-source-|by-block/104-|by-block/070|by-block/071|blocks-ok/049-|forms/215-|forms/225-")


class Skip(Exception):
    pass


class Pairs(list):
    """An object: its members in order, duplicates included."""


class Number(str):
    pass


def quoted(text, is_template):
    """A quoted string. In a template the sequences stay as they are."""
    out = ['"']
    at = 0
    while at < len(text):
        if text.startswith(("$${", "%%{"), at) and is_template:
            out.append(text[at : at + 3])
            at += 3
        elif text.startswith(("${", "%{"), at):
            if not is_template:
                out.append(text[at] + text[at : at + 2])
                at += 2
                continue
            end = sequence(text, at)
            out.append(text[at:end])
            at = end
        else:
            out.append({'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(text[at], text[at]))
            at += 1
    return "".join(out) + '"'


def sequence(text, at):
    """Where the sequence that starts at `at` ends."""
    depth, at = 1, at + 2
    while at < len(text):
        if text[at] == '"':
            at += 1
            while at < len(text) and text[at] != '"':
                if text[at] == "\\":
                    at += 2
                elif text.startswith(("${", "%{"), at):
                    at = sequence(text, at)
                else:
                    at += 1
        elif text[at] == "{":
            depth += 1
        elif text[at] == "}":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    raise Skip("a sequence that is not closed")


def value(it, is_template=True):
    if it is None:
        return "null"
    if isinstance(it, bool):
        return "true" if it else "false"
    if isinstance(it, Number):
        return str(it)
    if isinstance(it, str):
        if is_template and it.startswith("${") and "\n" not in it and sequence(it, 0) == len(it) and "~" not in it:
            return it[2:-1].strip() or quoted(it, True)
        return quoted(it, is_template)
    if isinstance(it, Pairs):
        if not it:
            return "{}"
        # A comma instead of a line: heredocs aside, both end an item.
        return "{" + ", ".join(f"{quoted(key, is_template)} = {value(each, is_template)}" for key, each in it) + "}"
    return "[" + ", ".join(value(each, is_template) for each in it) + "]"


def bare(it):
    if not isinstance(it, str) or isinstance(it, Number) or not it or "${" in it or "\n" in it:
        raise Skip("not a bare expression")
    return it


def bares(it):
    if not isinstance(it, list) or isinstance(it, Pairs):
        raise Skip("not a list")
    return "[" + ", ".join(map(bare, it)) + "]"


def passes(it):
    if not isinstance(it, Pairs):
        raise Skip("not a map")
    return "{" + ", ".join(f"{bare(key)} = {bare(each)}" for key, each in it) + "}"


def ignored(it):
    return bare(it) if it == "all" else bares([each for each in it]) if isinstance(it, list) else bare(0)


def requirement(it):
    if not isinstance(it, Pairs):
        return value(it, False)
    parts = (f"{key} = {bares(each) if key == 'configuration_aliases' else value(each, False)}" for key, each in it)
    return "{" + ", ".join(parts) + "}"


def literal(it):
    return value(it, False)


class Body:
    def __init__(self, arguments=None, blocks=None, rest=value):
        self.arguments, self.blocks, self.rest = arguments or {}, blocks or {}, rest


def literals(*names):
    return {name: literal for name in names}


CONDITION = Body()
CONFIG = Body()
DYNAMIC = Body({"iterator": bare}, {"content": (0, CONFIG)})
CONFIG.blocks["dynamic"] = (1, DYNAMIC)
PROVISIONER = Body({"when": bare, "on_failure": bare}, {"connection": (0, CONFIG), "_": (0, CONFIG)})
TRIGGER = Body({"events": bares, "actions": bares})
LIFECYCLE = Body(
    {"ignore_changes": ignored, "replace_triggered_by": bares},
    {"precondition": (0, CONDITION), "postcondition": (0, CONDITION), "action_trigger": (0, TRIGGER)},
)
RESOURCE = Body(
    {"provider": bare, "depends_on": bares},
    {"lifecycle": (0, LIFECYCLE), "provisioner": (1, PROVISIONER), "connection": (0, CONFIG), "dynamic": (1, DYNAMIC), "_": (0, CONFIG)},
)
OVERRIDE = Body({"target": bare, "override_during": bare})
OVERRIDES = {name: (0, OVERRIDE) for name in ("override_resource", "override_data", "override_module")}
MOCK = Body({"override_during": bare})
ROOT = Body(
    blocks={
        "variable": (1, Body({"type": bare, **literals("description", "default")}, {"validation": (0, CONDITION)})),
        "output": (1, Body({"type": bare, "depends_on": bares, **literals("description")}, {"precondition": (0, CONDITION)})),
        "locals": (0, Body()),
        "provider": (1, Body(literals("alias", "version"), {"_": (0, CONFIG)})),
        "resource": (2, RESOURCE),
        "data": (2, RESOURCE),
        "ephemeral": (2, RESOURCE),
        "module": (1, Body({"providers": passes, "depends_on": bares}, {"_": (0, CONFIG)})),
        "terraform": (
            0,
            Body(
                literals("required_version"),
                {
                    "backend": (1, CONFIG),
                    "cloud": (0, Body(blocks={"workspaces": (0, CONFIG)})),
                    "required_providers": (0, Body(rest=requirement)),
                    "provider_meta": (1, CONFIG),
                },
            ),
        ),
        "moved": (0, Body({"from": bare, "to": bare})),
        "import": (0, Body({"to": bare, "provider": bare})),
        "removed": (0, Body({"from": bare}, {"lifecycle": (0, CONFIG), "provisioner": (1, PROVISIONER), "connection": (0, CONFIG)})),
        "check": (1, Body(blocks={"data": (2, RESOURCE), "assert": (0, CONDITION)})),
    }
)
TEST = Body(
    blocks={
        "test": (0, Body()),
        "variables": (0, Body()),
        "provider": (1, Body(literals("alias"))),
        "run": (
            1,
            Body(
                {"command": bare, "expect_failures": bares, "providers": passes},
                {
                    "variables": (0, Body()),
                    "assert": (0, CONDITION),
                    "module": (0, Body()),
                    "plan_options": (0, Body({"mode": bare, "replace": bares, "target": bares})),
                    **OVERRIDES,
                },
            ),
        ),
        "mock_provider": (
            1,
            Body(
                {"override_during": bare, **literals("alias", "source")},
                {"mock_resource": (1, MOCK), "mock_data": (1, MOCK), **OVERRIDES},
            ),
        ),
        **OVERRIDES,
    }
)


def members(it):
    """The members of an object, or of an array of objects that are read as one."""
    if isinstance(it, Pairs):
        return list(it)
    if it is None:
        return []
    if isinstance(it, list):
        if not all(isinstance(each, Pairs) for each in it):
            raise Skip("an element that is not an object")
        return [pair for each in it for pair in each]
    raise Skip("not a body")


def bodies(it, labels):
    if labels == 0:
        if it is None:
            return
        for each in [it] if isinstance(it, Pairs) else it if isinstance(it, list) else bare(0):
            if not isinstance(each, Pairs):
                raise Skip("not a body")
            yield [], each
        return
    for name, below in members(it):
        for rest, body in bodies(below, labels - 1):
            yield [name, *rest], body


def write(body, schema, depth, out):
    pad = "  " * depth
    for name, it in members(body):
        if name == "//":
            continue
        if name in schema.blocks:
            labels, inner = schema.blocks[name]
            for found, below in bodies(it, labels):
                out.append(pad + " ".join([name, *(quoted(label, False) for label in found), "{"]))
                write(below, inner, depth + 1, out)
                out.append(pad + "}")
            continue
        if not re.fullmatch(r"[\w-]+", name) or name[0].isdigit():
            raise Skip("a name that is not an identifier")
        out.append(f"{pad}{name} = {schema.arguments.get(name, schema.rest)(it)}")


def converted(name, text):
    parse = {"object_pairs_hook": Pairs, "parse_float": Number, "parse_int": Number}
    try:
        root = json.loads(text, **parse)
    except ValueError:
        raise Skip("not JSON") from None
    out = []
    if name.endswith("test.json"):
        write(root, TEST, 0, out)
    elif name.endswith(".tfvars.json"):
        write(root, Body(rest=literal), 0, out)
    else:
        write(root, ROOT, 0, out)
    return "\n".join(out) + "\n"


def native_name(name):
    for json_suffix, native in ((".tftest.json", ".tftest.hcl"), (".tf.json", ".tf"), (".tfvars.json", ".tfvars")):
        if name.endswith(json_suffix):
            return name[: -len(json_suffix)] + native
    return None


def twin(case, to):
    written = 0
    for directory, _, names in os.walk(os.path.join(case, "dir")):
        target = os.path.join(to, "dir", os.path.relpath(directory, os.path.join(case, "dir")))
        os.makedirs(target, exist_ok=True)
        for name in names:
            path = os.path.join(directory, name)
            native = native_name(name)
            if native is None or os.path.islink(path):
                shutil.copy(path, os.path.join(target, name), follow_symlinks=False)
                continue
            if os.path.exists(os.path.join(directory, native)):
                raise Skip("both syntaxes")
            with open(path, encoding="utf-8") as file, open(os.path.join(target, native), "w") as out:
                out.write(converted(name, file.read()))
            written += 1
    if not written:
        raise Skip("nothing in JSON")


if __name__ == "__main__":
    for group in sys.argv[1:]:
        of_group = archive.opened(os.path.join(HERE, f"{group}.txt"), is_kept=True)
        with of_group as cases, archive.opened(os.path.join(HERE, "native", f"{group}.txt")) as twins:
            for name in sorted(os.listdir(cases)):
                to = os.path.join(twins, name)
                if os.path.exists(to) or WITHOUT_TWIN.search(f"{group}/{name}"):
                    continue
                try:
                    twin(os.path.join(cases, name), to)
                    print(f"native/{group}/{name}")
                except (Skip, UnicodeDecodeError) as why:
                    shutil.rmtree(to, ignore_errors=True)
                    print(f"{group}/{name} has no twin: {why}")
