"""One change to one JSON file of a module: what typing, copying and generating go wrong in.

A file is read as pairs, so that members of one name stay apart. `mutate(modules, random)` picks a place and a change
that fits it, and gives the text of the file, with what was changed and where.
"""

import json
import re

FUNCTIONS = [
    "sensitive", "nonsensitive", "ephemeralasnull", "tostring", "tolist", "toset", "tomap", "tonumber", "upper", "length", "keys",
    "file", "jsonencode", "one", "abs", "try", "can", "nope", "timestamp", "uuid",
]
WORDS = ["", "a", "x", "0", "1", "true", "null", "test", "all", "create", "destroy", "a.b", "each.key", "count.index", "self", "*", "../x", "${", "%{if}", "${}"]
SCALARS = [0, 1, -1, 1.5, True, False, None, "", "a", [], {}, ["a"], {"a": "b"}, [None], 1e21]
ARGUMENTS = {
    "count": [1, 0, "${var.n}", -1, "a", None, "${length(\"a\")}"],
    "for_each": ["${toset([\"a\"])}", {"a": 1}, ["a"], "${var.m}", None, "a"],
    "provider": ["test", "test.a", "test.nope", "null", "nope"],
    "depends_on": [["terraform_data.a"], ["var.a"], ["module.m"], "a", [], ["local.a"]],
    "lifecycle": [{"prevent_destroy": True}, {"ignore_changes": "all"}, {"precondition": {"condition": "${true}", "error_message": "No."}}, {"create_before_destroy": "a"}, {}],
    "sensitive": [True, "true", "a", None],
    "ephemeral": [True, "true", "a", None],
    "nullable": [False, None],
    "default": [None, 1, "a", [], {}],
    "type": ["string", "number", "list(string)", "map(string)", "object({a=string})", "any", "nope", "list"],
    "value": ["${var.a}", "${local.a}", 1, None],
    "deprecated": ["Old.", ""],
    "version": ["1.0.0", "~> 1", "x", None],
    "source": ["./child", "../x", "hashicorp/test", "terraform-test", "", None],
    "providers": [{"test": "test"}, {"test": "test.a"}, {"a.b": "test"}],
    "validation": [{"condition": "${var.a != null}", "error_message": "No."}, {"condition": True, "error_message": "x"}],
    "description": [1.0, "x", None], "alias": ["a", "", "a b"], "nope": [1],
    "provisioner": [{"local-exec": {"command": "true"}}, {"local-exec": {"command": "${self.id}", "when": "destroy"}}, {"nope": {}}],
    "connection": [{"host": "${self.id}"}],
}
BLOCKS = [
    {"output": {"mutated": {"value": "${%s}"}}}, {"output": {"mutated": {"value": "${%s}", "sensitive": True}}},
    {"output": {"mutated": {"value": "${%s}", "ephemeral": True}}}, {"locals": {"mutated": "${%s}"}},
    {"locals": {"mutated": "${local.mutated}"}}, {"variable": {"mutated": {"default": "${%s}"}}},
    {"variable": {"mutated": {"sensitive": True, "default": "a"}}, "output": {"mutated": {"value": "${var.mutated}"}}},
    {"variable": {"mutated": {"ephemeral": True, "default": "a"}}, "output": {"mutated": {"value": "${var.mutated}"}}},
    {"variable": {"mutated": {"ephemeral": True, "default": "a"}}, "resource": {"terraform_data": {"mutated": {"input": "${var.mutated}"}}}},
    {"variable": {"mutated": {"sensitive": True, "default": ["a"]}}, "resource": {"terraform_data": {"mutated": {"for_each": "${toset(var.mutated)}"}}}},
    {"resource": {"terraform_data": {"mutated": {"input": "${%s}"}}}}, {"resource": {"terraform_data": {"mutated": {"depends_on": ["%s"]}}}},
    {"resource": {"terraform_data": {"mutated": {"count": "${%s}"}}}}, {"resource": {"terraform_data": {"mutated": {"for_each": "${%s}"}}}},
    {"resource": {"terraform_data": {"mutated": {"triggers_replace": "${terraform_data.mutated.id}"}}}},
    {"resource": {"terraform_data": {"mutated": {"lifecycle": {"replace_triggered_by": ["%s"]}}}}},
    {"moved": {"from": "%s", "to": "terraform_data.mutated"}}, {"removed": {"from": "%s", "lifecycle": {"destroy": False}}},
    {"removed": {"from": "terraform_data.gone", "lifecycle": {"destroy": False}}}, {"import": {"to": "%s", "id": "a"}},
    {"import": {"to": "terraform_data.mutated", "id": "${%s}"}, "resource": {"terraform_data": {"mutated": {}}}},
    {"check": {"mutated": {"assert": {"condition": "${%s != null}", "error_message": "No."}}}},
    {"data": {"terraform_remote_state": {"mutated": {"backend": "local", "config": {"path": "a"}}}}},
    {"provider": {"test": {"alias": "mutated"}}}, {"provider": {"terraform": {}}}, {"terraform": {"required_version": ">= 1"}},
    {"terraform": {"required_providers": {"test": {"source": "hashicorp/test"}}}}, {"terraform": {"backend": {"local": {}}}},
    {"ephemeral": {"test_thing": {"mutated": {}}}}, {"nope": {}},
]


class Pairs(list):
    """The members of an object."""


def read(text):
    return json.loads(text, object_pairs_hook=Pairs)


def write(value, depth=0):
    indent, inner = "\n" + "  " * depth, "\n" + "  " * (depth + 1)
    if isinstance(value, Pairs):
        members = [f"{inner}{json.dumps(name)}: {write(each, depth + 1)}" for name, each in value]
        return "{" + ",".join(members) + (indent if members else "") + "}"
    if isinstance(value, dict):
        return write(Pairs(value.items()), depth)
    if isinstance(value, list):
        return "[" + ", ".join(write(each, depth) for each in value) + "]"
    return json.dumps(value)


def places(value, path=()):
    """All values below one, each with its container, its key there, and its path."""
    pending = [(value, path)]
    while pending:
        value, path = pending.pop()
        if not isinstance(value, list):
            continue
        for number, each in enumerate(value):
            name, inner = each if isinstance(value, Pairs) else (number, each)
            yield value, number, (*path, name)
            pending.append((inner, (*path, name)))


def get(container, number):
    return container[number][1] if isinstance(container, Pairs) else container[number]


def put(container, number, value):
    container[number] = (container[number][0], value) if isinstance(container, Pairs) else value


def names(root):
    """What the module's files may refer to."""
    found = ["var.nope", "local.nope", "each.key", "count.index", "path.module", "terraform.workspace", "self.id"]
    for name, value in root:
        inner = value if isinstance(value, Pairs) else []
        if name == "locals":
            found += [f"local.{key}" for key, _ in inner]
        elif name in ("variable", "output", "module"):
            found += [{"variable": "var", "output": "output", "module": "module"}[name] + "." + key for key, _ in inner]
            found += [f"module.{key}.{word}" for key, _ in inner for word in ("out", "x") if name == "module"]
        elif name in ("resource", "data", "ephemeral"):
            prefix = {"resource": ""}.get(name, name + ".")
            for kind, bodies in inner:
                for key, _ in bodies if isinstance(bodies, Pairs) else []:
                    one = f"{prefix}{kind}.{key}"
                    found += [one, one + ".id", one + ".nope", one + "[0].id", one + "[*].id"]
    return found


def edit(text, random, known):
    """Another text, as a slip or a copy makes it."""
    words = list(re.finditer(r"[A-Za-z_][\w-]*", text))
    change = random.randrange(9)
    if change == 0 and words:
        word = random.choice(words)
        at = random.randrange(word.start(), word.end())
        return text[:at] + random.choice(["", "x", text[at] * 2, text[at].swapcase()]) + text[at + 1 :], "misspell"
    if change == 1 and words:
        word = random.choice(words)
        return text[: word.start()] + random.choice(known).split(".")[0] + text[word.end() :], "replace a word"
    if change == 2 and words:
        word = random.choice(words)
        return text[: word.end()] + random.choice([".x", "[0]", '["a"]', "[*]", ".*.x", "[-1]", "[each.key]", "[\"", ".", ""]) + text[word.end() :], "add a step"
    if change == 3 and words:
        word = random.choice(words)
        return text[: word.start()].rstrip(".") + text[word.end() :], "drop a word"
    if change == 4 and text.startswith("${") and text.endswith("}"):
        return "${" + random.choice(FUNCTIONS) + "(" + text[2:-1] + ")}", "call a function"
    if change == 5 and text:
        at = random.randrange(len(text))
        return text[:at] + random.choice(["", *'."[]{}$%()?:!&|=+-*/\\, ']) + text[at + 1 :], "change a character"
    if change == 6:
        return random.choice(WORDS), "another word"
    if change == 7:
        return random.choice(known), "a name"
    return "${" + random.choice(known) + "}", "a reference"


def mutate(text, others, random):
    """The text of a file with one change, what it was, and where; None if it has no place for it."""
    root = read(text)
    if not isinstance(root, Pairs):
        return None
    known = names(root)
    found = list(places(root))
    if not found:
        return None
    container, number, path = random.choice(found)
    value = get(container, number)
    what = None
    match random.randrange(11):
        case 0:
            del container[number]
            what = "delete"
        case 1 if isinstance(container, Pairs):
            name = container[number][0]
            new, how = edit(name, random, [key for one, at, _ in found if isinstance(one, Pairs) for key in [one[at][0]]])
            container[number] = (new, value)
            what = f"name: {how}"
        case 2:
            put(container, number, random.choice(SCALARS))
            what = "another value"
        case 3:
            put(container, number, [value])
            what = "into an array"
        case 4 if isinstance(value, list) and value:
            put(container, number, get(value, random.randrange(len(value))))
            what = "out of its container"
        case 5:
            container.insert(number, container[number])
            what = "twice"
        case 6 if isinstance(value, Pairs):
            name = random.choice(sorted(ARGUMENTS))
            value.insert(random.randrange(len(value) + 1), (name, random.choice(ARGUMENTS[name])))
            what = f"add {name}"
        case 7:
            block = json.dumps(random.choice(BLOCKS))
            block = read(block.replace("%s", random.choice(known))) if "%s" in block else read(block)
            for name, added in block:
                same = [at for at, (one, value) in enumerate(root) if one == name and isinstance(value, Pairs)]
                if same and isinstance(added, Pairs) and name not in ("moved", "removed", "import", "terraform"):
                    merge(root[same[0]][1], added)
                else:
                    root.append((name, added))
            path, what = (), "add " + block[0][0]
        case 8:
            other, at, there = random.choice(others)
            put(container, number, get(other, at))
            what = "copy of " + ".".join(map(str, there))
        case _ if isinstance(value, str):
            new, how = edit(value, random, known)
            put(container, number, new)
            what = how
    changed = write(root) + "\n"
    if what is None or changed == write(read(text)) + "\n":
        return None
    return changed, what, ".".join(map(str, path))


def merge(into, added):
    for name, value in added:
        same = [each for one, each in into if one == name]
        if same and isinstance(same[0], Pairs) and isinstance(value, Pairs) and any(isinstance(each, Pairs) for _, each in value):
            merge(same[0], value)
        else:
            into.append((name, value))
