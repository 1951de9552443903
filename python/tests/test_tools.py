"""SerializationOptions.like: the dictionaries of other tools."""

from __future__ import annotations

import io
import json
import os
import pathlib
from typing import Any

import pytest

import simd_hcl
from simd_hcl import SerializationOptions

TEXT = """\
variable "size" {
  type = number
}

resource "aws_instance" "web" {
  ami    = "${var.ami}"
  name   = "a-${upper("b")}\\n"
  count  = var.on == true ? 1 : null
  ids    = concat([var.a, "b"], var.c...)
  tags   = merge({ Name = "x" }, local.tags)
  sum    = (1 + 2) * -3
  all    = [for k, v in var.m : v.id if v.on]
  map    = { for k, v in var.m : k => v... }
  keys   = { (var.k) = 1, "a b" = var.x, 3 = "c" }
  first  = var.l[0].x["y"]
  every  = var.l[*].id
  script = <<-EOT
    a
      ${b}
  EOT
  nested {
    on = true
  }
}
"""

#: What each tool answers.
VALUES: dict[str, dict[str, Any]] = {
    "python-hcl2 4.3.5": {
        "ami": "${var.ami}",
        "name": 'a-${upper("b")}\\n',
        "count": "${var.on == True ? 1 : None}",
        "ids": "${concat(['${var.a}', 'b'], var.c)}",
        "tags": "${merge({'Name': 'x'}, local.tags)}",
        "sum": "${1 + 2 * -3}",
        "all": "${[for k , v in var.m : v.id if v.on]}",
        "map": "${{for k , v in var.m : k => v ...}}",
        "keys": {"var.k": 1, "a b": "${var.x}", 3: "c"},
        "first": '${var.l[0].x["y"]}',
        "every": "${var.l[*].id}",
        "script": "a\n  ${b}",
        "nested": [{"on": True}],
    },
    "python-hcl2 6.1.1": {
        "name": 'a-${upper("b")}\n',
        "count": "${var.on == True ? 1 : None}",
        "ids": "${concat([${var.a}, b], var.c)}",
        "tags": '${merge({"Name": "x"}, local.tags)}',
        "sum": "${1 + 2 * -3}",
        "keys": {"var.k": 1, "a b": "${var.x}", 3: "c"},
    },
    "python-hcl2 7.3.1": {
        "name": 'a-${upper("b")}\n',
        "count": "${var.on == True ? 1 : null}",
        "ids": "${concat([${var.a}, b], var.c)}",
        "tags": '${merge({"Name": "x"}, local.tags)}',
        "sum": "${(1 + 2) * -3}",
        "keys": {"${(var.k)}": 1, "a b": "${var.x}", "3": "c"},
        "script": "a\n  ${b}",
    },
    "bc-python-hcl2 0.4.3": {
        "ami": ["${var.ami}"],
        "name": ['${"a-${upper("b")}\\n"}'],
        "ids": ["${concat(['${var.a}', 'b'],var.c)}"],
        "keys": [{"var.k": 1, "a b": "${var.x}", 3: "c"}],
        "nested": [{"on": [True]}],
        "__start_line__": 5,
        "__end_line__": 24,
    },
}


@pytest.mark.parametrize("tool", VALUES)
def test_values(tool: str) -> None:
    found = simd_hcl.loads(TEXT, serialization_options=SerializationOptions.like(tool))
    web = found["resource"][0]["aws_instance"]["web"]
    assert {name: web[name] for name in VALUES[tool]} == VALUES[tool]
    # Python's `True == 1`.
    assert json.dumps({name: web[name] for name in VALUES[tool]}) == json.dumps(VALUES[tool])


def test_lines() -> None:
    options = SerializationOptions.like("python-hcl2 7.3.1 with_meta")
    found = simd_hcl.loads(TEXT, serialization_options=options)
    size = {"type": "number", "__start_line__": 1, "__end_line__": 3}
    assert found["variable"] == [{"size": size}]
    nested = found["resource"][0]["aws_instance"]["web"]["nested"]
    assert nested == [{"on": True, "__start_line__": 21, "__end_line__": 23}]


def test_the_place_of_a_module() -> None:
    hcl2 = simd_hcl.like("python-hcl2 7.3.1")
    assert hcl2.loads('a "b" {\n  c = 1\n}\n') == {"a": [{"b": {"c": 1}}]}
    file = io.StringIO('a "b" {\n  c = 1\n}\n')
    lines = {"__start_line__": 1, "__end_line__": 3}
    assert hcl2.load(file, with_meta=True) == {"a": [{"b": {"c": 1, **lines}}]}
    with pytest.raises(ValueError):
        simd_hcl.like("python-hcl2 1.0")


@pytest.mark.parametrize(
    "tool",
    [
        "python-hcl2",
        "python-hcl2 3.0.5",
        "python-hcl2 9.0.0",
        "python-hcl2 x",
        "pyhcl 0.4.5",
        "bc-python-hcl2 0.4.3 with_meta",
        "python-hcl2 7.3.1 plain",
        "",
    ],
)
def test_tools_that_are_not_known(tool: str) -> None:
    with pytest.raises(ValueError):
        SerializationOptions.like(tool)


def test_json_syntax_has_the_same_shape() -> None:
    options = SerializationOptions.like("bc-python-hcl2 0.4.3")
    text = simd_hcl.convert('locals {\n  a = "b"\n}\n', to="json")
    found = simd_hcl.loads(text, name="main.tf.json", serialization_options=options)
    assert found == {"locals": [{"a": ["b"], "__start_line__": 1, "__end_line__": 3}]}


def test_deep_expressions_need_no_stack_and_no_time() -> None:
    for tool in VALUES:
        options = SerializationOptions.like(tool)
        for opening, closing in (("[", "]"), ("f(", ")"), ("(", ")"), ('"${', '}"'), ("!", "")):
            depth = 2_000
            text = f"a = {opening * depth}x{closing * depth}\n"
            simd_hcl.loads(text, serialization_options=options)
        long = simd_hcl.loads("a = 1" + " + b" * 50_000 + "\n", serialization_options=options)
        assert len(long["a"][0] if "bc" in tool else long["a"]) > 200_000


def test_text_that_doubles_is_refused() -> None:
    # Each list is written as Python's text of it, with escapes of escapes.
    text = "a = " + "f([" * 60 + "\"'\"" + "])" * 60 + "\n"
    options = SerializationOptions.like("python-hcl2 4.3.5")
    with pytest.raises(ValueError, match="too long"):
        simd_hcl.loads(text, serialization_options=options)


#: Files that a tool reads as something else than the Go parser does: docs/compatibility.md.
MISREAD = {("bc-python-hcl2 0.4.3", "heredoc-escapes")}


def test_answers_of_the_tools() -> None:
    folder = os.environ.get("SIMD_HCL_DATA")
    path = pathlib.Path(folder or "", "hcl2json", "answers.json")
    if not folder or not path.is_file():
        pytest.skip("skipped: answers of the tools (no data)")
    different = []
    for file in json.loads(path.read_text())["files"]:
        for tool, answer in file["answers"].items():
            if "python" not in tool or "value" not in answer or file["kind"] == "error":
                continue
            if (tool, file["name"]) in MISREAD:
                continue
            options = SerializationOptions.like(tool)
            found = simd_hcl.loads(file["text"], serialization_options=options)
            if json.dumps(found) != json.dumps(answer["value"]):
                different.append(f"{tool}: {file['name']}")
    assert not different, "\n".join(different)
