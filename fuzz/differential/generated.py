"""Random trees of modules as data, which edits can change, in native syntax and in JSON.

`tree(chance)` makes a root module with variables, local values, outputs, `terraform_data` with `count` and `for_each`, and calls of
modules that have these, too. Terraform plans and applies it without a network. `write(tree, directory)` writes its files, and
`edit(tree, chance)` changes one thing in it.
"""

import copy
import json
import os
import re
from dataclasses import dataclass, field

UNKNOWN, SECRET = 1, 2
# What `import` blocks name.
ID = "an-id"
WORDS = ["a", "b", "web", "db", "eu-west-1", "é", "Hello World", "x,y", "10.0.0.0/16", " pad ", "", "true", "42", "a.b", "日本", "one\ntwo", "${x}", "%{y}", "v0", "r1"]
KEYS = ["a", "b", "c", "k-1", "x y", "a.b", "é", "0"]
CALLS = {
    "S": ["upper(S)", '"${S}-${N}"', "B ? S : S", 'join("-", LS)', 'format("%s/%s", S, S)', 'lookup(MS, "a", S)', "try(MS.zz, S)", 'replace(S, "a", "b")', "trimspace(S)", "jsonencode(A)", "tostring(N)", "md5(S)", "lower(S)", '"p-${S}"', 'format("p-%s", S)', 'join("/", ["a", S, S])', "jsonencode({ a = S, b = [A] })", '"%{ if B }${S}%{ else }no%{ endif }"', '"x${S}y"', '"%{ for x in LS }${x},%{ endfor }"'],
    "N": ["length(LS)", "length(MS)", "N + N", "N * 2", "max(N, N)", "B ? N : N", "-(N)", "N / 4", "abs(N)"],
    "B": ["S == S", "N < N", "contains(LS, S)", "!B", "B && B", "length(LS) > 1", "can(MS.zz)", "A == A", "B ? B : B", 'startswith(S, "p-")', 'startswith(S, "a")', '"p-${S}" == S', "format(\"x-%s\", S) != S"],
    "LS": ["[S, S]", "[S]", "concat(LS, LS)", "[for x in LS : upper(x)]", "keys(MS)", "values(MS)", 'split("-", S)', '[for k, v in MS : "${k}=${v}"]', "tolist(concat(LS, [S]))", "reverse(LS)", "tolist([])", "compact(LS)", "[for i, x in LS : \"${i}${x}\" if i < 2]"],
    "MS": ["{ a = S, b = S }", "merge(MS, MS)", "{ for k, v in MS : k => upper(v) }", '{ for x in ["a", "c"] : x => S }', "tomap({ a = S })", "{ for i, x in LS : i => x }", '{ "a.b" = S, "x y" = S }', "zipmap([\"a\", \"k-1\"], [S, S])"],
    "A": ["S", "N", "B", "LS", "MS", "null", "[A, A]", "{ x = A, y = A }", '{ "a.b" = A, b = S }', "[]", "{}", "[S, N, B]", "toset(LS)", "{ for k, v in MS : v => k... }", "[[A], []]", "jsondecode(jsonencode(A))", "try(A, null)", "sensitive(A)", "tomap({})", "merge({ a = A }, { b = A })", "[for x in [A, S] : { v = x }]", "toset([N, N])", "timestamp()"],
}
IGNORED = [["input"], ["input"], ["triggers_replace"], "all"]
TYPES = [("string", "S"), ("number", "N"), ("bool", "B"), ("list(string)", "LS"), ("map(string)", "MS"), ("any", "A"), ("set(string)", "LS"), ("object({ s = string, n = optional(number, 3) })", "A"), ("list(object({ a = string, b = optional(bool, true) }))", "A")]


def quote(text):
    return json.dumps(text, ensure_ascii=False).replace("${", "$${").replace("%{", "%%{")


def native(value):
    """A constant in native syntax."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{quote(key)} = {native(each)}" for key, each in value.items()) + " }" if value else "{}"
    if isinstance(value, list):
        return "[" + ", ".join(map(native, value)) + "]"
    return quote(value) if isinstance(value, str) else json.dumps(value)


def constant(chance, ty):
    """A value for a variable of a type."""
    word, number = chance.choice(WORDS), chance.choice([0, 1, 2, 5, -3, 2.5, 10**20])
    return {
        "string": lambda: chance.choice([word, word, 7]), "number": lambda: number, "bool": lambda: chance.random() < 0.5,
        "list(string)": lambda: chance.choice([["a", word], [word], [], [1, "x"]]), "set(string)": lambda: chance.choice([["b", "a", word], [word]]),
        "map(string)": lambda: chance.choice([{"a": word}, {"a.b": word, "b": 2}, {}]), "any": lambda: chance.choice([[1, word], {"a": [word]}, None, word, number]),
        "object({ s = string, n = optional(number, 3) })": lambda: chance.choice([{"s": word}, {"s": word, "n": number}]),
        "list(object({ a = string, b = optional(bool, true) }))": lambda: chance.choice([[{"a": word}], [{"a": "1"}, {"a": word, "b": False}], []]),
    }[ty]()


@dataclass
class Repeat:
    """`count` or `for_each`: with a number of instances, or with keys, which are those of a set or of a map with values."""

    kind: str
    number: int = 0
    keys: list = field(default_factory=list)
    values: list = None
    text: str = None

    def written(self):
        if self.kind == "count":
            return self.text or str(self.number)
        if self.values is None:
            return f"toset({native(self.keys)})"
        return "{ " + ", ".join(f"{quote(key)} = {value}" for key, value in zip(self.keys, self.values)) + " }" if self.keys else "{}"

    def key(self):
        """The key of one instance as it is written in an address."""
        if self.kind == "count":
            return "[0]" if self.number else None
        return f"[{quote(self.keys[0])}]" if self.keys else None


@dataclass
class Item:
    """A variable, local value, resource, call or output. `texts` has the expressions of its arguments."""

    kind: str
    name: str
    of: str = "A"
    texts: dict = field(default_factory=dict)
    repeat: Repeat = None
    ty: str = None
    default: list = None
    flags: dict = field(default_factory=dict)
    source: str = None
    triggered_by: list = field(default_factory=list)
    ignored: list = field(default_factory=list)
    taint: int = 0
    file: int = 0

    def address(self):
        return {"variable": "var", "local": "local", "resource": "terraform_data", "call": "module", "output": "output"}[self.kind] + "." + self.name


@dataclass
class Module:
    items: list = field(default_factory=list)
    moved: list = field(default_factory=list)
    removed: list = field(default_factory=list)
    imports: list = field(default_factory=list)
    syntaxes: list = field(default_factory=lambda: ["native", "native"])
    comment: str = ""

    def of(self, *kinds):
        return [item for item in self.items if item.kind in kinds]

    def fresh(self, letter):
        names, number = {item.name for item in self.items}, 0
        while f"{letter}{number}" in names:
            number += 1
        return f"{letter}{number}"


@dataclass
class Tree:
    modules: dict = field(default_factory=dict)
    given: dict = field(default_factory=dict)
    auto: dict = field(default_factory=dict)
    flags: list = field(default_factory=list)
    inputs_syntax: str = "native"
    # Whether resources may ignore changes.
    ignores: bool = False


def names_before(tree, module, end=None):
    """What expressions may refer to: by kind, the text with what is known of it."""
    found = {}

    def add(kind, text, taint):
        found.setdefault(kind, []).append((text, taint))

    for item in module.items[:end]:
        address, taint = item.address(), item.taint
        if item.kind == "variable":
            add(item.of, address, taint)
        elif item.kind == "local":
            add(item.of, address, taint)
        elif item.kind == "resource":
            key = "" if item.repeat is None else item.repeat.key()
            if key is not None:
                add(item.of, f"{address}{key}.input", taint)
                add("S", f"{address}{key}.id", UNKNOWN)
                add("A", f"{address}{key}.output", UNKNOWN | taint)
            if item.repeat and item.repeat.kind == "count":
                add("LS", f"{address}[*].id", UNKNOWN)
                add("A", f"{address}[*].input", taint)
                add("N", f"length({address})", 0)
            elif item.repeat:
                add("LS", f"keys({address})", 0)
                add("A", f"{{ for k, v in {address} : k => v.input }}", taint)
        elif item.kind == "call":
            key = "" if item.repeat is None else item.repeat.key()
            for output in tree.modules[item.source].of("output"):
                if key is not None:
                    add(output.of, f"{address}{key}.{output.name}", output.taint | taint)
                if item.repeat and item.repeat.kind == "count":
                    add("A", f"{address}[*].{output.name}", output.taint | taint)
                elif item.repeat:
                    add("A", f"{{ for k, m in {address} : k => m.{output.name} }}", output.taint | taint)
    return found


class Expressions:
    """Makes expressions, and remembers what is known of the last one."""

    def __init__(self, chance, names, is_plain=False):
        self.chance, self.taint, self.is_plain = chance, 0, is_plain
        self.names = {kind: [each for each in texts if not (is_plain and each[1])] for kind, texts in names.items()}

    def make(self, kind, depth=0):
        known = self.names.get(kind, [])
        pick = self.chance.random()
        if known and pick < 0.45 + 0.1 * depth:
            text, taint = self.chance.choice(known)
            self.taint |= taint
            return text
        if depth >= 3 or pick > 0.8 and kind != "A":
            return self.literal(kind)
        text = self.chance.choice(CALLS[kind])
        if text in ("sensitive(A)", "timestamp()"):
            if self.is_plain or self.chance.random() < 0.5:
                return self.literal("S")
            self.taint |= SECRET if text == "sensitive(A)" else UNKNOWN
        return re.sub(r"(?<![\w.\"%\\-])(LS|MS|S|N|B|A)(?![\w\"])", lambda found: self.make(found[1], depth + 1), text)

    def literal(self, kind):
        if kind == "A":
            kind = self.chance.choice(["S", "N", "B", "LS", "MS"])
        return {
            "S": lambda: quote(self.chance.choice(WORDS)), "N": lambda: self.chance.choice(["0", "1", "2", "7", "2.5", "12345678901234567890"]), "B": lambda: self.chance.choice(["true", "false"]),
            "LS": lambda: self.chance.choice(['["a", "b"]', '["x"]']), "MS": lambda: self.chance.choice(['{ a = "1", b = "2" }', '{ "x.y" = "1" }']),
        }[kind]()


def repeat(chance, names):
    pick = chance.random()
    plain = Expressions(chance, names, True)
    if pick < 0.45:
        return None
    if pick < 0.65:
        number = chance.choice([0, 1, 1, 2, 2, 3])
        return Repeat("count", number, text=chance.choice([None, f"{plain.make('B')} ? {number} : {number}"]) if number else None)
    keys = chance.sample(KEYS, chance.choice([0, 1, 2, 2, 3]))
    return Repeat("for_each", keys=keys, values=None if chance.random() < 0.5 else [plain.make("S", 1) for _ in keys])


def inner_names(names, item):
    """The names inside of an object that is repeated."""
    inner = {kind: list(each) for kind, each in names.items()}
    if item.repeat and item.repeat.kind == "count":
        inner.setdefault("N", []).extend([("count.index", 0)] * 3)
    elif item.repeat:
        inner.setdefault("S", []).extend([("each.key", 0), ("each.value", 0), ("each.key", 0)])
    return inner


def written(chance, item, argument, kind, names, is_plain=False):
    """Gives an argument a new expression."""
    made = Expressions(chance, names, is_plain)
    item.texts[argument] = made.make(kind)
    item.taint |= made.taint
    if item.kind == "output" and made.taint & SECRET:
        item.flags["sensitive"] = "true"


def add_item(tree, module, level, chance, place=None):
    """Adds a random object in front of the outputs."""
    if place is None:
        place = next((at for at, item in enumerate(module.items) if item.kind == "output"), len(module.items))
    names = names_before(tree, module, place)
    callable = [] if level is None else [name for name in tree.modules if name and name > level]
    kind = chance.choice(["local"] * 3 + ["resource"] * 4 + ["call"] * 2 * bool(callable))
    item = Item(kind, module.fresh(kind[0]), file=chance.randrange(2))
    if kind == "local":
        item.of = chance.choice(["S", "N", "B", "LS", "MS", "A"])
        written(chance, item, "value", item.of, names, chance.random() < 0.3)
    elif kind == "resource":
        item.repeat = repeat(chance, names)
        inner = inner_names(names, item)
        item.of = chance.choice(["S", "N", "LS", "MS", "A", "A"])
        written(chance, item, "input", item.of, inner)
        if chance.random() < 0.35:
            written(chance, item, "triggers_replace", "A", inner)
        if chance.random() < 0.2:
            triggered_by(module, item, chance, place)
        if tree.ignores and chance.random() < 0.4:
            item.ignored = chance.choice(IGNORED)
    else:
        item.repeat = repeat(chance, names)
        item.source = chance.choice(callable)
        arguments(tree, item, chance, names)
    module.items.insert(place, item)
    return item


def triggered_by(module, item, chance, place):
    resources = [each for each in module.items[:place] if each.kind == "resource" and each is not item]
    if resources:
        other = chance.choice(resources)
        key = other.repeat.key() if other.repeat else ""
        if item.repeat and other.repeat and item.repeat.kind == other.repeat.kind == "count" and item.repeat.number <= other.repeat.number:
            key = chance.choice([key, "[count.index]"])
        if key is not None:
            item.triggered_by = [other.address() + chance.choice(["", key, key + ".input", key + ".id", key + ".output", key + ".triggers_replace"] if key else ["", ".input", ".id", ".output", ".triggers_replace"])]


def arguments(tree, item, chance, names):
    item.texts = {}
    for variable in tree.modules[item.source].of("variable"):
        if variable.default is None or chance.random() < 0.5:
            argument(item, variable, chance, names)


def argument(item, variable, chance, names):
    if variable.of == "A" and variable.ty != "any" or chance.random() < 0.3:
        item.texts[variable.name] = native(constant(chance, variable.ty))
    else:
        written(chance, item, variable.name, variable.of, inner_names(names, item), "bool" in variable.ty)


def variable(module, chance, is_root):
    ty, kind = chance.choice(TYPES)
    item = Item("variable", module.fresh("v"), kind, ty=ty, file=chance.randrange(2))
    if is_root or chance.random() < 0.5:
        item.default = [constant(chance, ty)]
    if chance.random() < 0.15:
        item.flags["sensitive"], item.taint = "true", SECRET
    if chance.random() < 0.15 and item.default and item.default[0] is not None:
        item.flags["nullable"] = "false"
    return item


def add_output(tree, module, chance):
    item = Item("output", module.fresh("o"), chance.choice(["S", "N", "LS", "MS", "A", "A"]), file=chance.randrange(2))
    written(chance, item, "value", item.of, names_before(tree, module, None))
    if chance.random() < 0.1:
        item.flags["sensitive"], item.taint = "true", item.taint | SECRET
    module.items.append(item)


def tree(chance, syntaxes=("native", "json"), ignores=False):
    """A root module, and two or three others that it or one of them calls. With `ignores`, a few of the modules have
    resources that ignore changes."""
    made = Tree(inputs_syntax=chance.choice(syntaxes), ignores=ignores and chance.random() < 0.15)
    for directory in ["modules/c", "modules/b", "modules/a"][: chance.choice([2, 2, 3])] + [""]:
        module = made.modules[directory] = Module(syntaxes=[chance.choice(syntaxes), chance.choice(syntaxes)])
        module.items = [variable(module, chance, not directory) for _ in range(0)]
        for _ in range(chance.randrange(1, 4)):
            module.items.append(variable(module, chance, not directory))
        for _ in range(chance.randrange(3, 8 if not directory else 6)):
            add_item(made, module, directory, chance)
        for _ in range(chance.randrange(1, 4)):
            add_output(made, module, chance)
    for item in made.modules[""].of("variable"):
        if chance.random() < 0.3:
            (made.given if chance.random() < 0.6 else made.auto)[item.name] = constant(chance, item.ty)
    return made


# ---- files


def native_block(head, lines):
    return "\n".join([head + " {", *("  " + line for line in lines), "}", ""]) if lines else head + " {}\n"


def native_item(item, directory):
    lines = []
    if item.kind == "variable":
        lines = [f"type = {item.ty}"] + ([f"default = {native(item.default[0])}"] if item.default else [])
    if item.kind == "local":
        return native_block("locals", [f"{item.name} = {item.texts['value']}"])
    if item.kind == "call":
        lines = [f"source = {quote(source(item, directory))}"]
    if item.repeat:
        lines.append(f"{item.repeat.kind} = {item.repeat.written()}")
    lines += [f"{name} = {text}" for name, text in {**item.texts, **item.flags}.items()]
    lifecycle = [f"  replace_triggered_by = [{', '.join(item.triggered_by)}]"] if item.triggered_by else []
    lifecycle += [f"  ignore_changes = {item.ignored if isinstance(item.ignored, str) else '[' + ', '.join(item.ignored) + ']'}"] if item.ignored else []
    if lifecycle:
        lines += ["lifecycle {", *lifecycle, "}"]
    return native_block({"resource": f'resource "terraform_data" "{item.name}"', "call": f'module "{item.name}"'}.get(item.kind, f'{item.kind} "{item.name}"'), lines)


def source(item, directory):
    return "./" + item.source if not directory else "../" + item.source.split("/")[1]


def in_json(text):
    """An expression as a string of JSON, or a constant as itself."""
    if re.fullmatch(r"true|false|null|-?\d+(\.\d+)?", text):
        return json.loads(text)
    return "${" + text + "}"


def json_item(item, directory):
    body = {}
    if item.kind == "variable":
        body = {"type": item.ty, **({"default": item.default[0]} if item.default else {})}
    if item.kind == "call":
        body = {"source": source(item, directory)}
    if item.repeat:
        body[item.repeat.kind] = in_json(item.repeat.written())
    body.update({name: in_json(text) for name, text in item.texts.items()})
    body.update({name: json.loads(text) for name, text in item.flags.items()})
    lifecycle = {"replace_triggered_by": item.triggered_by, "ignore_changes": item.ignored}
    if any(lifecycle.values()):
        body["lifecycle"] = {name: value for name, value in lifecycle.items() if value}
    if item.kind == "local":
        return "locals", {item.name: body["value"]}
    if item.kind == "resource":
        return "resource", {"terraform_data": {item.name: body}}
    return {"call": "module"}.get(item.kind, item.kind), {item.name: body}


def merged(into, more):
    for key, value in more.items():
        if isinstance(into.get(key), dict) and isinstance(value, dict):
            merged(into[key], value)
        else:
            into[key] = value


def module_files(module, directory):
    files = {}
    for at, stem in enumerate(["main", "more"]):
        items = [item for item in module.items if item.file == at]
        moved, removed, imports = (module.moved, module.removed, module.imports) if at == 0 else ([], [], [])
        if module.syntaxes[at] == "native":
            blocks = [native_item(item, directory) for item in items]
            blocks += [native_block("moved", [f"from = {start}", f"to = {end}"]) for start, end in moved]
            blocks += [native_block("removed", [f"from = {start}", "lifecycle {", f"  destroy = {destroy}", "}"]) for start, destroy in removed]
            blocks += [native_block("import", [f"to = {to}", f"id = {quote(each)}"]) for to, each in imports]
            files[f"{stem}.tf"] = (f"# {module.comment}\n" if module.comment else "") + "\n".join(blocks)
        else:
            root = {"//": module.comment} if module.comment else {}
            for item in items:
                block, body = json_item(item, directory)
                merged(root.setdefault(block, {}), body)
            if moved:
                root["moved"] = [{"from": start, "to": end} for start, end in moved]
            if removed:
                root["removed"] = [{"from": start, "lifecycle": {"destroy": destroy == "true"}} for start, destroy in removed]
            if imports:
                root["import"] = [{"to": to, "id": each} for to, each in imports]
            files[f"{stem}.tf.json"] = json.dumps(root, indent=2, ensure_ascii=False) + "\n"
    return files


def files(tree):
    """The texts of all files, by path."""
    found = {}
    for directory, module in tree.modules.items():
        for name, text in module_files(module, directory).items():
            found[os.path.join(directory, name)] = text
    for stem, values in [("terraform", tree.given), ("some.auto", tree.auto)]:
        if values and tree.inputs_syntax == "native":
            found[f"{stem}.tfvars"] = "".join(f"{name} = {native(value)}\n" for name, value in values.items())
        elif values:
            found[f"{stem}.tfvars.json"] = json.dumps(values, ensure_ascii=False)
    return found


def write(texts, directory):
    for name, text in texts.items():
        path = os.path.join(directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)


# ---- edits


def address_pattern(address):
    return re.compile(r"(?<![\w.-])" + re.escape(address) + r"(?![\w-])")


def replace_references(module, address, to):
    """Gives an object another name in the expressions of its module."""
    pattern = address_pattern(address)
    for item in module.items:
        item.texts = {name: pattern.sub(to, text) for name, text in item.texts.items()}
        item.triggered_by = [pattern.sub(to, text) for text in item.triggered_by]
        if item.repeat:
            if item.repeat.values:
                item.repeat.values = [pattern.sub(to, text) for text in item.repeat.values]
            item.repeat.text = item.repeat.text and pattern.sub(to, item.repeat.text)


def forget_references(tree, module, address, chance):
    """Replaces what refers to an object, also behind local values, by other expressions."""
    pattern = address_pattern(address)
    for place, item in enumerate(module.items):
        names = {kind: [each for each in texts if not pattern.search(each[0])] for kind, texts in names_before(tree, module, place).items()}
        for name, text in list(item.texts.items()):
            if pattern.search(text):
                kind = {"value": item.of, "input": item.of}.get(name, "A")
                if item.kind == "call":
                    variable = next(each for each in tree.modules[item.source].of("variable") if each.name == name)
                    argument(item, variable, chance, names)
                else:
                    written(chance, item, name, kind, inner_names(names, item) if item.kind == "resource" else names)
        if item.repeat and (item.repeat.text and pattern.search(item.repeat.text) or any(pattern.search(text) for text in item.repeat.values or [])):
            item.repeat.text, item.repeat.values = None, item.repeat.values and ['"x"' for _ in item.repeat.keys]
        item.triggered_by = [text for text in item.triggered_by if not pattern.search(text)]


def callers(tree, directory):
    return [(name, item) for name, module in tree.modules.items() for item in module.of("call") if item.source == directory]


def edit_value(tree, directory, module, chance):
    place, item = chance.choice([pair for pair in enumerate(module.items) if pair[1].texts])
    name = chance.choice(sorted(item.texts))
    text, names = item.texts[name], names_before(tree, module, place)
    pick = chance.random()
    if pick < 0.4 and (numbers := list(re.finditer(r"(?<![\w.\"\[-])\d+(?![\w.\"\]])", text))):
        found = chance.choice(numbers)
        item.texts[name] = text[: found.start()] + str(int(found[0]) + 1) + text[found.end() :]
    elif pick < 0.7 and (words := list(re.finditer(r'(?<!\[)"[a-z]+"(?!\])', text))):
        found = chance.choice(words)
        item.texts[name] = text[: found.start()] + '"changed"' + text[found.end() :]
    elif item.kind == "call":
        argument(item, next(each for each in tree.modules[item.source].of("variable") if each.name == name), chance, names)
    else:
        written(chance, item, name, item.of if name in ("value", "input") else "A", inner_names(names, item), item.taint == 0)


def edit_default(tree, directory, module, chance):
    item = chance.choice(module.of("variable"))
    if item.default is None or chance.random() < 0.8:
        item.default = [constant(chance, item.ty)]
    else:
        item.default = None


def edit_inputs(tree, directory, module, chance):
    item = chance.choice(tree.modules[""].of("variable"))
    values = chance.choice([tree.given, tree.auto])
    if item.name in values and chance.random() < 0.4:
        del values[item.name]
    else:
        values[item.name] = constant(chance, item.ty)


def edit_argument(tree, directory, module, chance):
    place, item = chance.choice([pair for pair in enumerate(module.items) if pair[1].kind == "call"])
    variable = chance.choice(tree.modules[item.source].of("variable"))
    if variable.name in item.texts and variable.default is not None and chance.random() < 0.5:
        del item.texts[variable.name]
    else:
        argument(item, variable, chance, names_before(tree, module, place))


def edit_secret(tree, directory, module, chance):
    item = chance.choice(module.of("variable", "output"))
    if item.flags.pop("sensitive", None) is None:
        item.flags["sensitive"] = "true"


def edit_add(tree, directory, module, chance):
    pick = chance.random()
    if pick < 0.25:
        item = variable(module, chance, True)
        module.items.insert(0, item)
        for _, call in callers(tree, directory):
            if chance.random() < 0.5:
                argument(call, item, chance, {})
    elif pick < 0.45:
        add_output(tree, module, chance)
    else:
        add_item(tree, module, directory, chance, chance.randrange(len(module.items) + 1))


def edit_remove(tree, directory, module, chance):
    item = chance.choice(module.items)
    module.items.remove(item)
    forget_references(tree, module, item.address(), chance)
    if item.kind == "variable":
        tree.given.pop(item.name, None) if not directory else None
        tree.auto.pop(item.name, None) if not directory else None
        for _, call in callers(tree, directory):
            call.texts.pop(item.name, None)
    if item.kind == "output":
        for name, call in callers(tree, directory):
            forget_references(tree, tree.modules[name], call.address(), chance)
    if item.kind == "resource" and chance.random() < 0.3:
        module.removed.append((item.address(), chance.choice(["true", "false", "false"])))


def edit_rename(tree, directory, module, chance, kinds=("resource", "call")):
    item = chance.choice(module.of(*kinds))
    old, letter = item.address(), chance.choice("stu")
    item.name = module.fresh(letter)
    replace_references(module, old, item.address())
    pick = chance.random()
    if pick < 0.5:
        module.moved.append((old, item.address()))
    elif pick < 0.65:
        middle = old.rsplit(".", 1)[0] + ".middle"
        module.moved += [(old, middle), (middle, item.address())]
    elif pick < 0.8 and item.repeat and (keys := list_of_keys(item)):
        module.moved += [(old + key, item.address() + key) for key in chance.sample(keys, chance.randrange(1, len(keys) + 1))]


def edit_rename_value(tree, directory, module, chance):
    """Another name of a variable, local value or output, of which a plan sees outputs of the root module only."""
    item = chance.choice(module.of("variable", "local", "output"))
    old, item.name = item.address(), module.fresh("w")
    replace_references(module, old, item.address())
    for values in [tree.given, tree.auto] if not directory and item.kind == "variable" else []:
        if old[4:] in values:
            values[item.name] = values.pop(old[4:])
    for name, call in callers(tree, directory):
        if item.kind == "variable" and old[4:] in call.texts:
            call.texts[item.name] = call.texts.pop(old[4:])
        if item.kind == "output":
            caller = tree.modules[name]
            forget_references(tree, caller, call.address(), chance)


def list_of_keys(item):
    return [f"[{at}]" for at in range(item.repeat.number)] if item.repeat.kind == "count" else [f"[{quote(key)}]" for key in item.repeat.keys]


def edit_keys(tree, directory, module, chance):
    item = chance.choice([item for item in module.of("resource", "call") if item.repeat])
    address = item.address()
    if item.repeat.kind == "count":
        item.repeat.number, item.repeat.text = chance.choice([0, 1, 2, 3, 4]), None
        forget_references(tree, module, address, chance)
        return
    pick, keys = chance.random(), item.repeat.keys
    other = chance.choice([key for key in KEYS + ["new"] if key not in keys])
    if keys and pick < 0.5:
        at = chance.randrange(len(keys))
        if chance.random() < 0.5:
            module.moved.append((f"{address}[{quote(keys[at])}]", f"{address}[{quote(other)}]"))
        keys[at] = other
    elif keys and pick < 0.75:
        at = chance.randrange(len(keys))
        del keys[at]
        if item.repeat.values:
            del item.repeat.values[at]
    else:
        keys.append(other)
        if item.repeat.values is not None:
            item.repeat.values.append('"added"')
    forget_references(tree, module, address, chance)


def edit_repeat(tree, directory, module, chance):
    """Another kind of instances, with or without blocks that say which one was which."""
    item = chance.choice(module.of("resource", "call"))
    old = item.repeat
    for _ in range(4):
        item.repeat = repeat(chance, {})
        if (item.repeat and item.repeat.kind) != (old and old.kind):
            break
    if item.kind == "resource":
        item.texts["input"] = Expressions(chance, inner_names({}, item)).make(item.of)
        item.texts.pop("triggers_replace", None)
        item.triggered_by = []
    else:
        arguments(tree, item, chance, {})
    forget_references(tree, module, item.address(), chance)
    if chance.random() < 0.5:
        olds, news = [list_of_keys_of(each) for each in (old, item.repeat)]
        for start, end in zip(chance.sample(olds, len(olds)), news):
            if start != end and chance.random() < 0.8:
                module.moved.append((item.address() + start, item.address() + end))


def list_of_keys_of(repeat):
    if repeat is None:
        return [""]
    return [f"[{at}]" for at in range(repeat.number)] if repeat.kind == "count" else [f"[{quote(key)}]" for key in repeat.keys]


def edit_trigger(tree, directory, module, chance):
    place, item = chance.choice([pair for pair in enumerate(module.items) if pair[1].kind == "resource"])
    names = inner_names(names_before(tree, module, place), item)
    pick = chance.random()
    if pick < 0.3:
        item.triggered_by = []
        triggered_by(module, item, chance, place)
    elif tree.ignores and pick < 0.5:
        item.ignored = [] if item.ignored else chance.choice(IGNORED)
    elif "triggers_replace" in item.texts and pick < 0.5:
        del item.texts["triggers_replace"]
    else:
        written(chance, item, "triggers_replace", "A", names)


def edit_relocate(tree, directory, module, chance):
    """Moves a resource into or out of a called module."""
    call = chance.choice(module.of("call"))
    inner, key = tree.modules[call.source], call.repeat.key() if call.repeat else ""
    start, end = (module, inner) if chance.random() < 0.5 else (inner, module)
    item = chance.choice(start.of("resource"))
    start.items.remove(item)
    forget_references(tree, start, item.address(), chance)
    old, item.name = item.address(), end.fresh("z")
    place = chance.randrange(len(end.items) + 1)
    item.repeat = item.repeat and Repeat(item.repeat.kind, item.repeat.number, item.repeat.keys)
    for name, text in item.texts.items():
        if re.search(r"(?<![\w.])(var|local|module|terraform_data|each|count)\.", text):
            written(chance, item, name, item.of if name == "input" else "A", inner_names(names_before(tree, end, place), item))
    item.triggered_by = []
    end.items.insert(place, item)
    if key is not None and chance.random() < 0.8:
        pair = (old, f"module.{call.name}{key}.{item.address()}") if start is module else (f"module.{call.name}{key}.{old}", item.address())
        if pair[0] != pair[1]:
            module.moved.append(pair)


def edit_source(tree, directory, module, chance):
    place, item = chance.choice([pair for pair in enumerate(module.items) if pair[1].kind == "call"])
    names = [name for name in tree.modules if name > directory and name != item.source]
    item.source = chance.choice(names)
    arguments(tree, item, chance, names_before(tree, module, place))
    forget_references(tree, module, item.address(), chance)


def edit_moved(tree, directory, module, chance):
    """A block that says something about what was not there, or about an object with a key."""
    item = chance.choice(module.of("resource", "call"))
    keys = list_of_keys_of(item.repeat)
    end = item.address() + (chance.choice(keys) if keys and chance.random() < 0.5 else "")
    start = item.address().rsplit(".", 1)[0] + "." + chance.choice(["never", *(other.name for other in module.of(item.kind))])
    if start != item.address():
        module.moved.append((start, end))


def edit_import(tree, directory, module, chance):
    item = chance.choice(tree.modules[""].of("resource"))
    keys = list_of_keys_of(item.repeat)
    tree.modules[""].imports.append((item.address() + chance.choice(keys), ID))


def edit_nothing(tree, directory, module, chance):
    """The same in another syntax, in another order, or with a comment."""
    pick = chance.random()
    if pick < 0.4:
        module.syntaxes = [chance.choice(["native", "json"]) for _ in module.syntaxes]
    elif pick < 0.6:
        module.comment = "Says nothing new."
    elif pick < 0.8:
        tree.inputs_syntax = "json" if tree.inputs_syntax == "native" else "native"
    else:
        for item in module.items:
            item.file = chance.randrange(2)


EDITS = [edit_value] * 6 + [edit_default, edit_inputs, edit_argument] * 2 + [edit_secret] + [edit_add, edit_remove] * 2 + [edit_rename] * 4 + [edit_rename_value] + [edit_keys] * 3 + [edit_repeat] * 3 + [edit_trigger] * 3 + [edit_relocate] * 2 + [edit_source, edit_moved, edit_moved, edit_import, edit_nothing]


def edit(tree, chance, number=None):
    """A copy of a tree with a few random edits, and their names."""
    changed, names = copy.deepcopy(tree), []
    number = number or chance.choice([1, 1, 1, 2, 2, 3])
    for _ in range(100):
        directory = chance.choice(sorted(changed.modules))
        one, kept = chance.choice(EDITS), copy.deepcopy(changed)
        try:
            one(changed, directory, changed.modules[directory], chance)
        except (IndexError, StopIteration):
            # There is nothing in this module that the edit could change.
            changed = kept
            continue
        names.append(one.__name__.removeprefix("edit_"))
        if len(names) == number:
            break
    return changed, names
