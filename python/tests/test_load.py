"""load, loads, dump and dumps, beside python-hcl2."""

from __future__ import annotations

import copy
import gc
import io
import json
import os
import pathlib
import pickle
import re
import sys
import threading
from typing import Any

import pytest
from conftest import CORPUS, configuration_in_json, native_files

import simd_hcl
from simd_hcl import SerializationOptions

hcl2 = pytest.importorskip("hcl2", reason="skipped: python-hcl2 is not installed")

TEXT = """\
# The first comment.
terraform {
  required_version = ">= 1.0" # behind
}

resource "aws_instance" "web" {
  ami   = var.ami
  count = 3
  ratio = -1.5
  large = 123456789012345678901234567890
  sci   = 1e10
  tags = { Name = "x-${var.y }", "a b" : 2, (var.k) = [1,2, "z"]
    other = true }
  names = [for x in var.l : upper( x ) if x != "" ] # behind
  map = {for k,v in var.m: k=>v...if v}
  either = a ? b: !c
  script = <<EOT
hello ${var.x}
  "q"
EOT
  indented = <<-EOT
    a
      b
    EOT
  all = var.l[*].id
  old = var.l.*.id
  deep = var.l[0].x["y"]
  product = (1+2) *3
  merged = merge({a=1}, var.l...)
  word = type
  empty = ""
  escaped = "a\\n\\"b\\" $${x} %{ if a }b%{ else }c%{ endif }"
  nothing = null
  nested {
     x = 1
  }
  nested {}
  dynamic "x" { for_each = [] }
}
"""

OPTIONS: list[dict[str, Any]] = [
    {},
    {"with_comments": False},
    {"explicit_blocks": False},
    {"wrap_objects": True},
    {"wrap_tuples": True},
    {"preserve_scientific_notation": False},
    {"strip_string_quotes": True},
    {"strip_string_quotes": True, "explicit_blocks": False, "with_comments": False},
]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: ",".join(options) or "default")
def test_options_as_python_hcl2(options: dict[str, Any]) -> None:
    ours = simd_hcl.loads(TEXT, serialization_options=SerializationOptions(**options))
    theirs = hcl2.loads(TEXT, serialization_options=hcl2.SerializationOptions(**options))
    assert without_comments(ours) == without_comments(theirs)
    # Their options are accepted, too.
    again = simd_hcl.loads(TEXT, serialization_options=hcl2.SerializationOptions(**options))
    assert again == ours


def test_parentheses_of_operations() -> None:
    options = SerializationOptions(force_operation_parentheses=True)
    text = "a = b + c * d\ne = x ? y + 1 : -z\nf = (g + h * i)\nj = [k + l]\nm = !(n)\n"
    ours = simd_hcl.loads(text, serialization_options=options)
    theirs = hcl2.loads(
        text, serialization_options=hcl2.SerializationOptions(force_operation_parentheses=True)
    )
    assert ours == theirs
    assert ours["a"] == "${b + (c * d)}"


def without_comments(value: Any) -> Any:
    """A value without comments, which python-hcl2 mixes up where an operation ends a line."""
    if isinstance(value, dict):
        comments = ("__comments__", "__inline_comments__")
        return {key: without_comments(it) for key, it in value.items() if key not in comments}
    if isinstance(value, list):
        return [without_comments(it) for it in value]
    return value


def test_comments() -> None:
    text = "# a\na = 1 // b\n/* c\n d */\nb {\n  # e\n  c = [ # f\n    1,\n  ]\n}\n# g\n"
    found = simd_hcl.loads(text)
    assert found["__comments__"] == [{"value": it} for it in ["a", "b", "c\n d", "g"]]
    assert found["b"][0]["__comments__"] == [{"value": "e"}]
    assert found["b"][0]["__inline_comments__"] == [{"value": "f"}]


def test_lines() -> None:
    options = SerializationOptions(with_meta=True)
    found = simd_hcl.loads("a {\n  b {}\n}\n", serialization_options=options)
    assert (found["a"][0]["__start_line__"], found["a"][0]["__end_line__"]) == (1, 3)
    assert (found["a"][0]["b"][0]["__start_line__"], found["a"][0]["b"][0]["__end_line__"]) == (2, 2)


def test_heredocs_as_strings() -> None:
    # python-hcl2 drops the last line feed, which belongs to the value.
    options = SerializationOptions.plain()
    text = "a = <<EOT\nx ${f(\"y\")}\nEOT\nb = <<-EOT\n    c\n\n      ${d}\n    EOT\n"
    found = simd_hcl.loads(text, serialization_options=options)
    assert found == {"a": 'x ${f("y")}\n', "b": "c\n\n  ${d}\n"}
    quoted = SerializationOptions(preserve_heredocs=False)
    assert simd_hcl.loads(text, serialization_options=quoted)["a"] == '"x ${f("y")}\\n"'


#: The errors that python-hcl2 does not find.
MISSED = {"duplicate-argument", "invalid-number-literal"}


def in_expression(value: Any) -> Any:
    """A value with heredocs inside of expressions as python-hcl2 writes them: in quotes, which is
    not valid."""
    if isinstance(value, dict):
        return {key: in_expression(it) for key, it in value.items()}
    if isinstance(value, list):
        return [in_expression(it) for it in value]
    if isinstance(value, str) and "${" in value and not value.startswith("<<"):
        return re.sub(r"(<<-?(\w+)\n.*?\n *\2)\n", r'"\1"', value, flags=re.DOTALL)
    return value


def test_files_as_python_hcl2() -> None:
    compared = failed = 0
    different = []
    for path, text in native_files().items():
        try:
            theirs = hcl2.loads(text)
        except Exception:  # noqa: BLE001: it raises the exceptions of its parser
            failed += 1
            continue
        try:
            ours = simd_hcl.loads(text)
        except simd_hcl.Error as error:
            if error.code not in MISSED:
                different.append(f"{path}: {error}")
            continue
        compared += 1
        if in_expression(without_comments(ours)) != without_comments(theirs):
            different.append(path)
    print(f"{compared} files compared; python-hcl2 cannot read {failed}")
    assert not different, "\n".join(different)
    assert compared > 500


@pytest.mark.parametrize("path", sorted(CORPUS.glob("monorepo/**/*.tf")), ids=str)
def test_what_is_loaded_is_written_again(path: pathlib.Path) -> None:
    loaded = without_comments(simd_hcl.load(path))
    written = simd_hcl.dumps(loaded)
    assert without_comments(simd_hcl.loads(written)) == loaded
    # In canonical layout.
    assert simd_hcl.format(written) == written


def test_written_again() -> None:
    loaded = without_comments(simd_hcl.loads(TEXT))
    assert without_comments(simd_hcl.loads(simd_hcl.dumps(loaded))) == loaded
    out = io.StringIO()
    simd_hcl.dump(loaded, out)
    assert out.getvalue() == simd_hcl.dumps(loaded)


def test_json_has_the_same_shape() -> None:
    native = 'resource "a" "b" {\n  c = "x-${var.y}"\n  d = var.z\n  e = [1, true, null]\n}\n'
    json = simd_hcl.convert(native, to="json")
    loaded = simd_hcl.loads(json, name="main.tf.json")
    assert without_comments(loaded) == simd_hcl.loads(native)
    data = simd_hcl.loads(native)
    assert simd_hcl.loads(simd_hcl.dumps(data, syntax="json"), name="main.tf.json") == data


# Files with expressions that the formatter of the native text writes in another way, such as
# `list(any)` for the type `list`, and a number that only JSON syntax accepts.
REWRITTEN = {
    "opentofu/082-variable-types/dir/main.tf.json",
    "terraform/blocks-error/055-type-not-an-expression/dir/main.tf.json",
    "terraform/by-block/001-variable-type-forms/dir/main.tf.json",
    "terraform/by-block/145-numbers-with-huge-exponents/dir/main.tf.json",
    "terraform/forms/191-rep-variables/dir/main.tf.json",
    "terraform/forms/226-op-operators-ok-syntax/dir/main.tf.json",
}


def test_json_syntax_is_that_of_its_native_text() -> None:
    compared = 0
    for path, text in configuration_in_json().items():
        if path in REWRITTEN:
            continue
        name = path.rsplit("/", 1)[-1]
        try:
            native = simd_hcl.convert(text, to="native", name=name)
        except simd_hcl.Error:
            with pytest.raises(simd_hcl.Error):
                simd_hcl.loads(text, name=name)
            continue
        for options in (SerializationOptions(), SerializationOptions.plain()):
            try:
                expected = simd_hcl.loads(
                    native, name=name[: -len(".json")], serialization_options=options
                )
            except simd_hcl.Error:
                # An attribute and a block of one name.
                with pytest.raises(simd_hcl.Error):
                    simd_hcl.loads(text, name=name, serialization_options=options)
                continue
            found = simd_hcl.loads(text, name=name, serialization_options=options)
            assert json.dumps(found) == json.dumps(expected), path
            compared += 1
    assert compared > 500


def test_files_of_all_kinds(tmp_path: pathlib.Path) -> None:
    files = {
        "x.auto.tfvars": 'a = ["b"]\n',
        "terraform.tfvars.json": '{"a": ["b"]}',
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
        assert simd_hcl.load(tmp_path / name) == {"a": ['"b"']}
        with open(tmp_path / name) as opened:
            assert simd_hcl.load(opened) == {"a": ['"b"']}
        with open(tmp_path / name, "rb") as binary:
            assert simd_hcl.load(binary) == {"a": ['"b"']}
    packer = 'source "null" "a" {\n  communicator = "none"\n}\n'
    (tmp_path / "a.pkr.hcl").write_text(packer)
    block = {"communicator": '"none"', "__is_block__": True}
    expected = {"source": [{'"null"': {'"a"': block}}]}
    assert simd_hcl.load(str(tmp_path / "a.pkr.hcl")) == expected
    (tmp_path / "a.pkr.json").write_text(simd_hcl.convert(packer, to="json", name="a.pkr.hcl"))
    assert simd_hcl.load(tmp_path / "a.pkr.json") == expected


def test_errors() -> None:
    with pytest.raises(simd_hcl.Error) as raised:
        simd_hcl.loads('a = 1\nb = [1,\nc = "x"\n', name="x.tf")
    error = raised.value
    assert isinstance(error, ValueError)
    assert error.path == "x.tf"
    assert error.line is not None and error.column is not None and error.code
    assert error.diagnostics[0].range.start.line == error.line
    assert str(error).startswith(f"x.tf:{error.line}:{error.column}: error[")

    with pytest.raises(simd_hcl.Error) as raised:
        simd_hcl.loads('{"a" 1}', name="x.tf.json")
    assert (raised.value.line, raised.value.column, raised.value.code) == (1, 6, "missing-colon")

    with pytest.raises(FileNotFoundError) as missing:
        simd_hcl.load("does-not-exist.tf")
    assert missing.value.filename == "does-not-exist.tf"

    # Opened, but not read.
    if os.name == "posix":
        for read in (simd_hcl.load, simd_hcl.Document.open, simd_hcl.Plan.open):
            with pytest.raises(IsADirectoryError) as directory:
                read(str(CORPUS))
            assert directory.value.filename == str(CORPUS)

    # A dictionary cannot hold both.
    with pytest.raises(simd_hcl.Error, match="duplicate-name"):
        simd_hcl.loads("a = 1\na {}\n")


def test_errors_say_how_many_there_are() -> None:
    with pytest.raises(simd_hcl.Error) as raised:
        simd_hcl.loads("a = 1\na = 2\na = 3\na = 4\n")
    assert len(raised.value.diagnostics) == 3
    assert str(raised.value).endswith(" (and 2 more)")


def test_errors_are_copied() -> None:
    with pytest.raises(simd_hcl.Error) as raised:
        simd_hcl.loads("a = 1\na = 2\na = 3\n", name="x.tf")
    error = raised.value
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(again) is simd_hcl.Error
        assert (str(again), again.path, again.line) == (str(error), "x.tf", 2)
        assert [str(it) for it in again.diagnostics] == [str(it) for it in error.diagnostics]
        assert [it.range for it in again.diagnostics] == [it.range for it in error.diagnostics]
        assert again.diagnostics[0].related == error.diagnostics[0].related


def test_what_text_is() -> None:
    for text in ("a = 1\n", b"a = 1\n", bytearray(b"a = 1\n")):
        assert simd_hcl.loads(text) == {"a": 1}
        assert simd_hcl.format(text) == "a = 1\n"
    for other in (None, 1, [97], memoryview(b"a = 1\n")):
        with pytest.raises(TypeError, match="expected str, bytes or bytearray"):
            simd_hcl.loads(other)  # type: ignore[arg-type]
    with pytest.raises(UnicodeEncodeError):
        simd_hcl.loads("a = \ud800")


def test_what_a_file_is(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "main.tf"
    path.write_text("a = 1\n")
    assert simd_hcl.load(os.fsencode(path)) == simd_hcl.load(path) == {"a": 1}
    with pytest.raises(FileNotFoundError):
        simd_hcl.load(b"does-not-exist.tf")
    with pytest.raises(AttributeError, match="read"):
        simd_hcl.load(None)  # type: ignore[arg-type]


def test_texts_are_parsed_without_the_lock() -> None:
    text = "a = [" + "1, " * 300_000 + "]\n"
    counted = 0
    done = threading.Event()

    def work() -> None:
        for _ in range(3):
            simd_hcl.format(text)
        done.set()

    thread = threading.Thread(target=work)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)
    thread.start()
    while not done.wait(1e-4):
        counted += 1
    thread.join()
    sys.setswitchinterval(interval)
    assert counted > 10


def test_the_collector_runs_as_before() -> None:
    comment = "# " + "x" * 100_000 + "\n"
    was_enabled = gc.isenabled()
    try:
        for is_enabled in (True, False):
            gc.enable() if is_enabled else gc.disable()
            simd_hcl.loads("a = 1\n" + comment)
            assert gc.isenabled() is is_enabled
            # Found while the dictionary is made.
            with pytest.raises(simd_hcl.Error):
                simd_hcl.loads("a = 1\na {}\n" + comment)
            assert gc.isenabled() is is_enabled
            text = json.dumps({"locals": {"a": "x" * 100_000}})
            simd_hcl.loads(text, name="main.tf.json")
            assert gc.isenabled() is is_enabled
    finally:
        gc.enable() if was_enabled else gc.disable()


#: Strings in JSON syntax: those whose dictionaries need no parser, and their neighbours.
STRINGS = [
    "a", "é", 'a"b', "a\\b", "a\nb", "a\nb\n", "\t", "\u007f", "${a}", "${a.b}", "${a.b[0].c}", '${a["x y"].c}',
    "${a.b}-${c.d}", 'x "${a["k"].b}" y\n', "$${a}", "$${a}${b.c}", "%{ if a }b%{ endif }", "${a.b * 2}", "${true}",
    "${a.0}", "${a.*.b}", "${a-b.c-d}", "${ a.b }", "{$%}", "100%", "${a.b}\n${c.d}\n",
]  # fmt: skip


@pytest.mark.parametrize("options", OPTIONS)
def test_strings_of_json_syntax_are_those_of_native_text(options: dict[str, Any]) -> None:
    given = SerializationOptions(**options)
    values = [{"whole": it, "list": [it], "map": {"k": it}} for it in STRINGS]
    types = [{"type": it} for it in ("string", "list(string)", "a.b")]
    for name, body in [("locals", it) for it in values] + [("variable", {"v": it}) for it in types]:
        text = json.dumps({name: body})
        native = simd_hcl.convert(text, to="native", name="main.tf.json")
        found = simd_hcl.loads(text, name="main.tf.json", serialization_options=given)
        assert found == simd_hcl.loads(native, serialization_options=given), (text, native)


def test_version() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+.*", simd_hcl.__version__)


@pytest.mark.parametrize(
    "data",
    [
        {"a": "hello world"},
        {"a": '"x"\nb = "y"'},
        {"a b": 1},
        {"a": float("nan")},
        {"a": object()},
        {"a": {1: 2}},
    ],
    ids=repr,
)
def test_what_cannot_be_written(data: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        simd_hcl.dumps(data)


def test_data_that_contains_itself() -> None:
    data: dict[str, Any] = {}
    data["a"] = data
    with pytest.raises(ValueError, match="contains itself"):
        simd_hcl.dumps(data)


def test_deep_values_need_no_stack() -> None:
    depth = 9_000
    found = simd_hcl.loads(f"a = {'[' * depth}1{']' * depth}\n")
    value = found["a"]
    for _ in range(depth):
        (value,) = value
    assert value == 1


def test_hostile_texts_raise_nothing_else() -> None:
    text = TEXT.encode()
    for at in range(0, len(text), 3):
        for changed in (text[:at], text[:at] + b'"' + text[at:], text[:at] + b"\xff{" + text[at + 1 :]):
            try:
                simd_hcl.loads(changed)
            except simd_hcl.Error:
                pass
            document = simd_hcl.Document.parse(changed, strict=False)
            for block in document.body.blocks():
                for attribute in block.body.attributes.values():
                    try:
                        attribute.value
                    except simd_hcl.Error:
                        pass
