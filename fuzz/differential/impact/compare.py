#!/usr/bin/env python3
"""What Terraform opens while it plans random root modules, and whether `affected` and `expand` know it.

    cargo build --release -p simd-hcl-cli
    python3 fuzz/differential/impact/compare.py target/release/simd-hcl --roots 1000 --seed 1

Needs `terraform` and `strace` (Linux), and no network: the modules have `terraform_data`, local modules and the provider
that Terraform has in itself. Root modules share a repository of 25 with modules that some of them call. A place of a path is
chosen (below the root module, the called module, or a folder that all share), how the path is written, which function reads it, and where
the expression stands; files and folders may be links, folders of modules too; some modules are JSON, some have
overrides, files of variables, a settings file that names them.

For each file below the repository that `terraform init` or `terraform plan` opens, finds missing, reads as a link, or asks `stat`
for because of `fileexists`, and for each folder that it lists, `affected FILE` must list the root module. `expand`, under
`strace`, must open the same files. What `affected` lists beyond that is counted: more than 2 % fails, and so do more than 1 %
incomplete answers. `EXPLAINED` lists differences on purpose. `--keep DIRECTORY` writes the repositories that differ.
"""

import argparse
import codecs
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict

ROOTS = 25
CALLS = "openat,open,readlink,readlinkat,getdents64,newfstatat"

# What differs on purpose: a kind, a pattern of the path, and why.
EXPLAINED = [
    ("only Terraform opens", r"-apart", "`expand` evaluates no provisioners, unused local values and resources without instances"),
    ("only Terraform opens", r"^states/|\.terraform\.lock\.hcl", "`expand` reads no states and no lock files"),
    ("extra", r"^states/", "Terraform reads states when it applies if their data source depends on a resource"),
]

# Functions that read the file of the path `P`, each with a content of the file.
READERS = [
    ("file(P)", "x"), ("filebase64(P)", "x"), ("filemd5(P)", "x"), ("filesha1(P)", "x"), ("filesha256(P)", "x"), ("filesha512(P)", "x"), ("filebase64sha256(P)", "x"),
    ("filebase64sha512(P)", "x"), ('templatefile(P, { n = "x" })', "${n} ${upper(n)}"), ("try(file(P), \"none\")", "x"), ("can(file(P))", "x"), ("sensitive(file(P))", "x"),
    ("length(file(P))", "x"), ("jsondecode(file(P)).a", '{"a": [1]}'), ("yamldecode(file(P))", "a: 1\n"), ("csvdecode(file(P))", "a,b\n1,2\n"), ('"<${file(P)}>"', "x"),
    ("core::file(P)", "x"), ('split("\\n", file(P))[0]', "x\ny"), ("<<-EOT\n  a ${file(P)}\n  EOT\n", "x"), ('"%{ if true }${file(P)}%{ endif }"', "x"), ("[for line in split(\"\\n\", file(P)) : upper(line)]", "x\ny"),
    ("{ (file(P)) = 1 }", "k"), ('templatefile(P, { list = ["a", "b"] })', "%{ for x in list ~}${x}%{ endfor ~}"), ("base64gzip(file(P))", "x"), ("merge({ a = 1 }, jsondecode(file(P)))", '{"b": 2}'),
    ("provider::terraform::decode_tfvars(file(P))", 'a = "x"\n'), ("templatestring(local.OWN, {})", "${upper(\"x\")}"), ("fileexists(P) ? file(P) : \"none\"", "x"), ("coalesce(try(file(P), null), \"none\")", "x"),
]

STATE = json.dumps({"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "a", "outputs": {"p": {"value": "x", "type": "string"}}, "resources": []})


class Repository:
    """Root modules and modules, from a source of chance."""

    def __init__(self, directory, chance, roots):
        self.directory, self.chance, self.number = directory, chance, 0
        # In the names of files that objects read which `expand` does not evaluate.
        self.mark = ""
        self.arguments, self.settings, self.twins = {}, [], []
        os.makedirs(os.path.join(directory, ".git"))
        self.write("states/base.tfstate", STATE)
        self.write("lib/echo/main.tf", 'variable "path" {}\noutput "path" {\n  value = var.path\n}\n')
        self.modules = []
        for number in range(max(1, roots // 3)):
            self.modules.append(self.library(f"lib/m{number:02}", self.modules[:]))
        self.roots = [self.root(f"live/r{number:03}") for number in range(roots)]
        self.write("simd-hcl.toml", "\n".join(self.settings))

    # Files.

    def write(self, path, text):
        path = os.path.join(self.directory, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def data(self, path, text):
        """Writes a file that configuration reads: it, or a folder around it, may be a link."""
        path = os.path.normpath(path)
        pick, number = self.chance.random(), self.next()
        if pick < 0.1:
            self.write(f"store/{number}{self.mark}.txt", text)
            self.link(path, f"store/{number}{self.mark}.txt")
        elif pick < 0.13:
            self.write(f"store/{number}{self.mark}.txt", text)
            self.link(f"store/{number}.link", f"store/{number}{self.mark}.txt")
            self.link(path, f"store/{number}.link")
        elif pick < 0.2 and "/d" in os.path.dirname(path):
            folder = os.path.dirname(path)
            if not os.path.exists(os.path.join(self.directory, folder)):
                self.write(f"store/{number}{self.mark}/{os.path.basename(path)}", text)
                self.link(folder, f"store/{number}{self.mark}")
            else:
                self.write(path, text)
        else:
            self.write(path, text)

    def link(self, path, target):
        path = os.path.join(self.directory, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.symlink(os.path.relpath(os.path.join(self.directory, target), os.path.realpath(os.path.dirname(path))), path)

    def next(self):
        self.number += 1
        return self.number

    # Paths.

    def path(self, at):
        """A new file name below one of the places of a module: the name below it, and the start of expressions."""
        number = self.next()
        name = self.chance.choice(["f{}.txt", "d{}/a.txt", "d{}/e/b.conf", "f{} x.txt", "d{}/é.txt", ".f{}"]).format(f"{number}{self.mark}")
        up = os.path.relpath(".", at.directory)
        places = [(at.directory, "${path.module}/", 5), (at.directory, f"${{path.module}}/{up}/shared/", 2), (at.directory, f"${{path.module}}/../{os.path.basename(at.directory)}/", 1)]
        if at.is_root:
            places += [(at.directory, "${path.root}/", 2), (at.directory, "", 5), (at.directory, "./", 2), (at.directory, f"{up}/shared/", 2), (at.directory, "${path.cwd}/", 1), (at.directory, "${abspath(path.module)}/", 1)]
        _, start, _ = self.chance.choices(places, [weight for *_, weight in places])[0]
        folder = re.sub(r"\$\{[^}]*\}/", "", start)
        return os.path.join(at.directory, folder, name), start, name

    def written(self, at, start, name, depth=0):
        """An expression whose value is `start` and then `name`."""
        number, pick = self.next(), self.chance.random()
        plain = f'"{start}{name}"'
        if pick < 0.25 or depth > 2:
            return plain
        base = f'"{start}."' if start.endswith("/") or not start else f'"{start}"'
        inner = lambda: self.written(at, start, name, depth + 1)
        forms = [
            lambda: self.local(at, number, inner()),
            lambda: self.local(at, number, self.local(at, self.next(), inner())),
            lambda: self.local(at, number, "{ path = " + inner() + " }") + ".path",
            lambda: self.local(at, number, "[" + inner() + "]") + "[0]",
            lambda: f'"{start}${{{self.variable(at, number, name)}}}"',
            lambda: f'join("/", [{base}, "{name}"])',
            lambda: f'format("%s/%s", {base}, "{name}")',
            lambda: f'{{ a = "none", b = {inner()} }}["b"]',
            lambda: f'lookup({{ b = {inner()} }}, "b", "none")',
            lambda: f'{self.variable(at, number, "prod")} == "prod" ? {inner()} : "none"',
            lambda: f'trimsuffix("{start}{name}.bak", ".bak")',
            lambda: f'replace("{start}@{name}", "@", "")',
            lambda: f'split(",", "x,{start}{name}")[1]',
            lambda: f'element(["x", {inner()}], 1)',
            lambda: f'[for n in ["{name}"] : "{start}${{n}}"][0]',
            lambda: f"one([{inner()}])",
            lambda: f"try({{}}.x, {inner()})",
            lambda: f'coalesce("", {inner()})',
            lambda: f"nonsensitive(sensitive({inner()}))",
            lambda: f"trimspace(<<EOT\n{start}{name}\nEOT\n)",
            lambda: f'"%{{ if true }}{start}{name}%{{ else }}none%{{ endif }}"',
            lambda: f'jsondecode("{{\\"p\\": \\"{name}\\"}}").p == "" ? "none" : {inner()}',
            lambda: f'"${{dirname({plain})}}/${{basename({plain})}}"',
            lambda: self.pointer(at, number, start, name),
            lambda: self.echo(at, number, inner()),
            # An argument that names a folder depends on all of it.
            lambda: self.resource(at, number, inner()) if name else inner(),
            lambda: f'"{start}${{substr("xx{name}", 2, -1)}}"',
            lambda: f'"{start}${{regex("^x(.*)$", "x{name}")[0]}}"',
            lambda: f"values({{ a = {inner()} }})[0]",
            lambda: f'keys({{ ({inner()}) = 1 }})[0]',
            lambda: f"flatten([[{inner()}]])[0]",
            lambda: f"tolist(toset([{inner()}]))[0]",
            lambda: f"{self.optional(at, number, name)} == null ? \"none\" : {inner()}",
            lambda: f'"{start}${{{self.optional(at, self.next(), name)}}}"',
            lambda: f"yamldecode(\"p: '{name}'\").p == \"\" ? \"none\" : {inner()}",
            lambda: f"urlencode(\"a\") == \"a\" ? {inner()} : \"none\"",
        ]
        return "(" + self.chance.choice(forms)() + ")"

    def local(self, at, number, value):
        at.text.append(f"locals {{\n  l{number} = {value}\n}}\n")
        return f"local.l{number}"

    def variable(self, at, number, value):
        """A variable that has this value, however it gets it."""
        name, pick = f"v{number}", self.chance.random()
        if pick < 0.4:
            at.text.append(f'variable "{name}" {{\n  default = "{value}"\n}}\n')
        else:
            default = '  default = "other"\n' if pick < 0.7 else "  type = string\n"
            at.text.append(f'variable "{name}" {{\n{default}}}\n')
            at.given[name] = value
        return f"var.{name}"

    def optional(self, at, number, value):
        at.text.append(f'variable "v{number}" {{\n  type    = object({{ p = optional(string, "{value}") }})\n  default = {{}}\n}}\n')
        return f"var.v{number}.p"

    def pointer(self, at, number, start, name):
        """A file that has the rest of the path."""
        where = f"p{number}{self.mark}"
        form, content = self.chance.choice([
            ('trimspace(file("{}"))', f"{name}\n"), ('jsondecode(file("{}")).p', json.dumps({"p": name})), ('yamldecode(file("{}"))[0]', f"- '{name}'\n"), ('csvdecode(file("{}"))[0].p', f"p,q\n{name},1\n"),
            ('templatefile("{}", {{ n = "%s" }})' % name, "${n}"),
        ])
        self.data(os.path.join(at.directory, where), content)
        return f'"{start}${{{form.format("${path.module}/" + where)}}}"'

    def echo(self, at, number, value):
        up = os.path.relpath("lib/echo", at.directory)
        at.text.append(f'module "e{number}" {{\n  source = "{up}"\n  path   = {value}\n}}\n')
        return f"module.e{number}.path"

    def resource(self, at, number, value):
        at.text.append(f'resource "terraform_data" "t{number}" {{\n  input = {value}\n}}\n')
        return f"terraform_data.t{number}.input"

    # What reads files.

    def read(self, at):
        """An expression that reads files."""
        pick = self.chance.random()
        if pick < 0.15:
            return self.listed(at)
        if pick < 0.25:
            return self.inside(at)
        path, start, name = self.path(at)
        call, content = self.chance.choice(READERS)
        exists = "try(" not in call and "can(" not in call and "fileexists" not in call or self.chance.random() < 0.5
        if "fileexists" in call or self.chance.random() < 0.05:
            number = self.next()
            start, name, path = start, f"exists-{number}{self.mark}.txt", os.path.join(os.path.dirname(path), f"exists-{number}{self.mark}.txt")
            path = os.path.join(at.directory, re.sub(r"\$\{[^}]*\}/", "", start), name)
            if "fileexists" not in call:
                call = "fileexists(P)"
        if exists:
            self.data(path, content)
        if "OWN" in call:
            return call.replace("OWN", self.local(at, self.next(), f"file({self.written(at, start, name)})").removeprefix("local."))
        return call.replace("P", self.written(at, start, name)) if call.count("(P") == 1 else call.replace("(P", "(" + self.local(at, self.next(), self.written(at, start, name)))

    def listed(self, at):
        """Files that match a pattern, and what they have."""
        number = f"{self.next()}{self.mark}"
        start = self.chance.choice(["${path.module}/", f"${{path.module}}/{os.path.relpath('.', at.directory)}/shared/"] + ([""] if at.is_root else []))
        folder = os.path.join(at.directory, re.sub(r"\$\{[^}]*\}/", "", start), f"s{number}")
        for name in ["a.json"] + self.chance.sample(["b.json", "c.txt", "in/d.json", "in/e/f.json", "x1.json", ".h.json"], 4):
            self.data(os.path.join(folder, name), "{}")
        pattern = self.chance.choice(["*.json", "**/*.json", "**", "{a,b}.json", "?.json", "[a-b].json", "in/*.json", "a.json", "*/*", "x*.json"])
        base, pattern = self.chance.choice([(f"{start}s{number}", pattern), (f"{start}.", f"s{number}/{pattern}")])
        found = f"fileset({self.written(at, base, '') if self.chance.random() < 0.3 else json.dumps(base, ensure_ascii=False)}, \"{pattern}\")"
        return self.chance.choice([
            found, f"length({found})", f'[for f in {found} : file("{base}/${{f}}")]', f'{{ for f in {found} : f => jsondecode(file("{base}/${{f}}")) }}', f'sha1(join("", [for f in sort({found}) : filesha1("{base}/${{f}}")]))',
            f'setsubtract({found}, ["a.json"])', f'merge([for f in {found} : jsondecode(file("{base}/${{f}}"))]...)', f'try(file("{base}/${{tolist({found})[0]}}"), "none")',
        ])

    def inside(self, at):
        """A template that reads files."""
        number = f"{self.next()}{self.mark}"
        self.data(os.path.join(at.directory, f"d{number}/in.txt"), "x")
        self.data(os.path.join(at.directory, f"d{number}/two.txt"), "x")
        start = "${path.module}/" if not at.is_root or self.chance.random() < 0.5 else ""
        text, given = self.chance.choice([
            ('${file("${dir}/in.txt")}', ""), ('%{ for n in names ~}${file("${dir}/${n}.txt")}%{ endfor ~}', ', names = ["in", "two"]'),
            ('%{ if fileexists("${dir}/exists-no.txt") }x%{ endif }', ""), ('${length(fileset(dir, "*.txt"))}', ""), ('${jsonencode([for f in fileset(dir, "*") : filemd5("${dir}/${f}")])}', ""),
        ])
        self.data(os.path.join(at.directory, f"t{number}.tpl"), text)
        return f'templatefile("{start}t{number}.tpl", {{ dir = "{start}d{number}"{given} }})'

    # Where it stands.

    def place(self, at):
        """Adds an object with an expression that reads files."""
        number, is_apart = self.next(), self.chance.random() < 0.15
        self.mark = "-apart" if is_apart else ""
        value = self.read(at)
        string = f"jsonencode({value})"
        secret = "  sensitive = true\n"
        # A condition must refer to an object.
        held = lambda: self.local(at, number, string)
        apart = [
            (4, lambda: f"locals {{\n  a{number} = {value}\n}}\n"),
            (1, lambda: f'resource "terraform_data" "a{number}" {{\n  provisioner "local-exec" {{\n    command = {string}\n  }}\n}}\n'),
            (1, lambda: f'resource "terraform_data" "a{number}" {{\n  provisioner "local-exec" {{\n    command     = "true"\n    environment = {{ A = {string} }}\n  }}\n}}\n'),
            (1, lambda: f'resource "terraform_data" "a{number}" {{\n  connection {{\n    host        = "h"\n    private_key = {string}\n  }}\n\n  provisioner "remote-exec" {{\n    inline = ["true"]\n  }}\n}}\n'),
            (1, lambda: f'resource "terraform_data" "a{number}" {{\n  count = 0\n  input = {value}\n}}\n'),
        ]
        kinds = [
            (3, lambda: f"locals {{\n  a{number} = {value}\n}}\noutput \"o{number}\" {{\n  value     = local.a{number}\n{secret}}}\n"),
            (4, lambda: f'output "a{number}" {{\n  value     = {value}\n{secret}}}\n'),
            (6, lambda: f'resource "terraform_data" "a{number}" {{\n  input = {value}\n}}\n'),
            (2, lambda: f'resource "terraform_data" "a{number}" {{\n  triggers_replace = [{value}]\n}}\n'),
            (1, lambda: f'resource "terraform_data" "a{number}" {{\n  count = length(nonsensitive({string})) > 0 ? 1 : 2\n}}\n'),
            (1, lambda: f'resource "terraform_data" "a{number}" {{\n  for_each = {{ x = 1, y = 2 }}\n  input    = [each.key, {value}]\n}}\n'),
            (1, lambda: f'resource "terraform_data" "a{number}" {{\n  for_each = toset([nonsensitive({string})])\n}}\n'),
            (1, lambda: f'resource "terraform_data" "a{number}" {{\n  lifecycle {{\n    precondition {{\n      condition     = length({held()}) >= 0\n      error_message = "x"\n    }}\n  }}\n}}\n'),
            (1, lambda: f'check "a{number}" {{\n  assert {{\n    condition     = length({held()}) > 0\n    error_message = "x"\n  }}\n}}\n'),
            (1, lambda: f'variable "a{number}" {{\n  default = "x"\n\n  validation {{\n    condition     = var.a{number} != "" && length({held()}) > 0\n    error_message = "x"\n  }}\n}}\n'),
            (1, lambda: f'output "a{number}" {{\n  value = 1\n\n  precondition {{\n    condition     = length({held()}) > 0\n    error_message = "x"\n  }}\n}}\n'),
            (1, lambda: f'module "a{number}" {{\n  source = "{os.path.relpath("lib/echo", at.directory)}"\n  path   = {value}\n}}\n'),
            (1, lambda: f'data "terraform_remote_state" "a{number}" {{\n  backend  = "local"\n  config   = {{ path = "${{path.module}}/{os.path.relpath("states/base.tfstate", at.directory)}" }}\n  defaults = {{ a = {string} }}\n}}\n'),
        ]
        if at.is_root:
            kinds.append((1, lambda: f'resource "terraform_data" "a{number}" {{}}\n\nimport {{\n  to = terraform_data.a{number}\n  id = nonsensitive({string})\n}}\n'))
        kinds = apart if is_apart else kinds
        at.text.append(self.chance.choices([text for _, text in kinds], [weight for weight, _ in kinds])[0]())
        self.mark = ""

    def state(self, at):
        number = self.next()
        self.mark = "-apart"
        self.data(f"states/{number}.tfstate", STATE)
        self.mark = ""
        at.text.append(f'data "terraform_remote_state" "s{number}" {{\n  backend = "local"\n  config  = {{ path = "${{path.module}}/{os.path.relpath("states", at.directory)}/{number}.tfstate" }}\n}}\n')

    # Modules.

    def library(self, directory, others):
        at = At(directory, False)
        for _ in range(self.chance.randrange(1, 4)):
            self.place(at)
        if others and self.chance.random() < 0.4:
            self.call(at, self.chance.choice(others))
        self.finish(at)
        return at

    def call(self, at, module):
        """A call of a module, in one of its ways."""
        number, pick = self.next(), self.chance.random()
        source = os.path.relpath(module.directory, at.directory)
        source = source if source.startswith("../") else f"./{source}"
        if pick < 0.25:
            # A folder of the caller that is a link to the module.
            self.link(f"{at.directory}/modules/c{number}", module.directory)
            source = f"./modules/c{number}"
        elif pick < 0.35:
            source = f"{os.path.dirname(source)}/./../{os.path.basename(os.path.dirname(module.directory))}/{os.path.basename(source)}" if source.startswith("../") else source
        repeat = self.chance.choice(["", "", "", "  count = 2\n", "  for_each = toset([\"a\", \"b\"])\n"])
        given = "".join(f'  {name} = "{value}"\n' for name, value in module.given.items())
        at.text.append(f'module "c{number}" {{\n  source = "{source}"\n{repeat}{given}}}\n')

    def root(self, directory):
        at = At(directory, True)
        at.text.append('terraform {\n  backend "local" {}\n}\n')
        for _ in range(self.chance.randrange(2, 6)):
            self.place(at)
        for _ in range(self.chance.choice([0, 1, 1, 2])):
            self.call(at, self.chance.choice(self.modules))
        if self.chance.random() < 0.3:
            # A module of its own.
            own = At(f"{directory}/own", False)
            self.place(own)
            self.finish(own)
            self.call(at, own)
        if self.chance.random() < 0.1:
            self.state(at)
        if self.chance.random() < 0.1:
            self.write(f"{directory}/.terraform.lock.hcl", "# No providers.\n")
        self.finish(at)
        return at

    def finish(self, at):
        """Writes the files of a module."""
        text = at.text
        self.chance.shuffle(text)
        half = self.chance.randrange(len(text) + 1)
        for name, part in (("main", text[:half]), ("more", text[half:])):
            if part:
                self.source(f"{at.directory}/{name}", "\n".join(part))
        if self.chance.random() < 0.15:
            number = self.next()
            one, other = (self.path(at) for _ in range(2))
            for path, _, _ in (one, other):
                self.data(path, "x")
            block = 'resource "terraform_data" "ov{}" {{\n  input = file("{}{}")\n}}\n'
            self.source(f"{at.directory}/base", block.format(number, one[1], one[2]))
            self.source(f"{at.directory}/" + self.chance.choice(["override", "x_override"]), block.format(number, other[1], other[2]))
        if at.is_root and at.given:
            self.give(at)

    def source(self, path, text):
        """Writes native syntax, or JSON."""
        self.write(f"{path}.tf", text)
        if self.chance.random() < 0.25:
            self.twins.append(f"{path}.tf")

    def give(self, at):
        """Gives variables of a root module their values by files."""
        groups = defaultdict(dict)
        for name, value in at.given.items():
            groups[self.chance.choice(["terraform.tfvars", "terraform.tfvars.json", "a.auto.tfvars", "b.auto.tfvars.json", "named"])][name] = value
        for file, values in groups.items():
            if file == "named":
                file = f"vars/{os.path.basename(at.directory)}.tfvars"
                self.arguments[at.directory] = ["-var-file=" + os.path.relpath(file, at.directory)]
                self.settings.append(f'[[root]]\npath = "{at.directory}"\nvar-files = ["{os.path.relpath(file, at.directory)}"]\n')
            else:
                file = f"{at.directory}/{file}"
            text = json.dumps(values, ensure_ascii=False) if file.endswith(".json") else "".join(f'{name} = "{value}"\n' for name, value in values.items())
            self.data(file, text)


class At:
    """A module while it is made: its text, and the variables that others must give."""

    def __init__(self, directory, is_root):
        self.directory, self.is_root, self.given = directory, is_root, {}
        self.text = ['terraform {\n  required_providers {\n    terraform = { source = "terraform.io/builtin/terraform" }\n  }\n}\n']


class Seen:
    """What a program does with files below a repository, by the calls that `strace` saw."""

    def __init__(self, repository):
        self.repository = repository
        self.opened, self.missing, self.links, self.asked, self.listed = set(), set(), set(), set(), set()

    def run(self, command, directory, environment):
        """Runs a program. Returns its status and what it writes."""
        with tempfile.TemporaryDirectory(prefix="calls-") as calls:
            trace = ["strace", "-ff", "--seccomp-bpf", "-y", "-s", "4096", "-e", f"trace={CALLS}", "-o", os.path.join(calls, "of")]
            done = subprocess.run([*trace, *command], cwd=directory, capture_output=True, text=True, env={**os.environ, **environment})
            for name in os.listdir(calls):
                with open(os.path.join(calls, name), encoding="utf-8", errors="replace") as file:
                    for line in file:
                        self.add(line, directory)
        return done.returncode, done.stdout + done.stderr

    def add(self, line, directory):
        found = re.match(r'(\w+)\((?:(AT_FDCWD|\d+)(?:<((?:[^>\\]|\\.)*)>)?)?(?:, )?(?:"((?:[^"\\]|\\.)*)")?.*\) = (-?\d+)(.*)', line)
        if not found:
            return
        call, _, place, name, status, rest = found.groups()
        text = lambda it: codecs.escape_decode(it.encode())[0].decode(errors="replace")
        place = text(place) if place else directory
        if call == "getdents64":
            if self.below(place):
                self.listed.add(self.below(place))
            return
        path = os.path.join(place, text(name or ""))
        # The name itself may be a link, which is a file of its own.
        own = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
        if not self.below(own) or os.path.basename(path) in ("", ".", ".."):
            return
        exists = int(status) >= 0
        if call == "newfstatat":
            if os.path.basename(path).startswith("exists-"):
                self.asked.add(self.below(own))
        elif call.startswith("readlink"):
            self.links.update(self.ways(path) if exists else ())
        elif not exists and "ENOENT" in rest:
            self.missing.add(self.below(own))
        elif exists and os.path.isfile(path):
            self.links.update(self.ways(path))
            if self.below(os.path.realpath(path)):
                self.opened.add(self.below(os.path.realpath(path)))

    def ways(self, path):
        """The links on the way to a file."""
        found, place = set(), self.repository
        parts = os.path.relpath(path, self.repository).split("/")
        if not self.below(path):
            return found
        for part in parts:
            place = os.path.join(os.path.realpath(place), part)
            if os.path.islink(place):
                found.add(self.below(place))
                found |= self.ways(os.path.join(os.path.dirname(place), os.readlink(place))) if part == parts[-1] else set()
        return found - {None}

    def below(self, path):
        """The path from the repository; `None` elsewhere, and for what Terraform keeps for itself."""
        path = os.path.relpath(os.path.normpath(path), self.repository)
        parts = path.split("/")
        if parts[0] in ("..", ".git") or path == "." or re.match(r"\.terraform$|terraform\.d$|terraform\.tfstate|tests$", parts[-1]) or "terraform.d" in parts:
            return None
        return path


def affected(binary, repository, path):
    """The root modules that a changed file affects, and whether the answer has gaps."""
    command = [binary, "affected", "--format", "json", "--roots", "--dialect", "terraform", "--files-from", "-"]
    done = subprocess.run(command, cwd=repository, input=path + "\n", capture_output=True, text=True, timeout=120)
    try:
        told = json.loads(done.stdout)
    except ValueError:
        sys.exit(f"{path}: {done.stderr}")
    return {os.path.normpath(module["path"]) for module in told["modules"]}, told["incomplete"]


def compare(binary, made, data, counts):
    """Compares the root modules of a repository. Yields differences."""
    repository = made.directory
    truth = defaultdict(set)
    for root in made.roots:
        directory = os.path.join(repository, root.directory)
        environment = {"TF_DATA_DIR": os.path.join(data, os.path.basename(directory)), "CHECKPOINT_DISABLE": "1", "TF_CLI_CONFIG_FILE": os.devnull, "TF_IN_AUTOMATION": "1"}
        seen = Seen(repository)
        for command in ("init -input=false -no-color", "plan -input=false -no-color -lock=false"):
            given = made.arguments.get(root.directory, []) if command.startswith("plan") else []
            status, text = seen.run(["terraform", *command.split(), *given], directory, environment)
            if status:
                counts["root modules without a plan"] += 1
                yield "no plan", root.directory, text
                break
        counts["root modules"] += 1
        for path in seen.opened | seen.missing | seen.links | seen.asked:
            truth[path].add(root.directory)
        for path in seen.listed:
            truth[path + "/"].add(root.directory)
        ours = Seen(repository)
        status, text = ours.run([binary, "expand", root.directory, "--dialect", "terraform", "--format", "json"], repository, {})
        if status:
            yield "expand fails", root.directory, text[:2000]
        for path in sorted(seen.opened - ours.opened):
            yield "only Terraform opens", path, root.directory
        for path in sorted(ours.opened - seen.opened - {"simd-hcl.toml"}):
            yield "only expand opens", path, root.directory
        counts["files that both open"] += len(seen.opened & ours.opened)
    for path, roots in sorted(truth.items()):
        found, gaps = affected(binary, repository, path)
        counts["questions"] += 1
        if gaps:
            yield "incomplete", path, json.dumps(gaps[:2])
        for root in sorted(roots - found):
            yield "missing", path, root
        counts["known"] += len(roots)
        if not path.endswith("/"):
            # A link that is named is also what it leads to.
            if not os.path.islink(os.path.join(repository, path)):
                yield from (("extra", path, root) for root in sorted(found - roots))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("binary")
    parser.add_argument("--roots", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    parser.add_argument("--only", type=int, help="the number of one repository, as it is printed")
    parser.add_argument("--most", type=int, default=5, help="differences of a kind to print for a repository")
    options = parser.parse_args()
    binary, counts, failed = os.path.abspath(options.binary), Counter(), 0
    for number in range((options.roots + ROOTS - 1) // ROOTS) if options.only is None else [options.only]:
        with tempfile.TemporaryDirectory(prefix="impact-") as work:
            work = os.path.realpath(work)
            made = Repository(os.path.join(work, "repository"), random.Random(options.seed * 1_000_000 + number), ROOTS)
            for path in made.twins:
                path = os.path.join(made.directory, path)
                text = subprocess.run([binary, "convert", "--to", "json", path], capture_output=True, text=True, check=True).stdout
                made.write(path + ".json", text)
                os.remove(path)
            kinds = Counter()
            for kind, path, about in compare(binary, made, os.path.join(work, "data"), counts):
                reason = next((why for of, pattern, why in EXPLAINED if of == kind and re.search(pattern, path + " " + about, re.S)), None)
                if reason:
                    counts[reason] += 1
                    continue
                counts[kind] += 1
                kinds[kind] += 1
                if kinds[kind] <= options.most:
                    print(f"{number}: {kind}: {path}: {about}", flush=True)
            failed += sum(count for kind, count in kinds.items() if kind not in ("extra", "incomplete"))
            if kinds and options.keep:
                shutil.copytree(made.directory, os.path.join(options.keep, f"{options.seed}-{number}"), symlinks=True, dirs_exist_ok=True)
    for kind in ("missing", "extra", "incomplete", "only Terraform opens", "only expand opens"):
        counts[kind] += 0
    print(", ".join(f"{kind} {count}" for kind, count in counts.most_common()))
    failed += counts["extra"] * 50 > counts["known"]
    failed += counts["incomplete"] * 100 > counts["questions"]
    sys.exit(min(failed, 100))


if __name__ == "__main__":
    main()
