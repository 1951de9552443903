"""Documents, plans, states and trees."""

from __future__ import annotations

import json
import pathlib
import shutil
import threading
from typing import Any

import pytest

import simd_hcl
from simd_hcl import Block, Document, Plan, State, Tree

NATIVE = 'resource "aws_instance" "web" {\n  ami  = "${var.ami}-x"\n  size = [1, var.n]\n  disk {}\n}\nlocals {}\n'
JSON = '{\n  "resource": {"aws_instance": {"web": {"ami": "${var.ami}", "disk": [{"size": 1}]}}},\n  "locals": {"a": 1}\n}\n'


def test_native_documents() -> None:
    document = Document.parse(NATIVE, name="a/main.tf")
    assert (document.name, document.syntax, document.dialect) == ("a/main.tf", "native", "opentofu")
    assert [item.type for item in document if isinstance(item, Block)] == ["resource", "locals"]
    (web,) = document.body.blocks("resource", "aws_instance")
    assert web.labels == ["aws_instance", "web"]
    assert document.body.blocks("resource", "aws_instance", "db") == []
    assert (web.range.start.line, web.range.end.line, web.header_range.end.column) == (1, 5, 30)
    assert web.label_ranges[1].start.byte == NATIVE.index('"web"')
    assert web.text.startswith('resource "aws_instance"') and web.text.endswith("}")
    ami = web["ami"]
    assert ami.value == "${var.ami}-x"
    assert ami.text == '"${var.ami}-x"'
    assert NATIVE[ami.value_range.start.byte : ami.value_range.end.byte] == ami.text
    assert [(it.text, it.range.start.line, it.range.start.column) for it in ami.references] == [
        ("var.ami", 2, 13)
    ]
    assert web["size"].value == [1, "${var.n}"]
    assert "ami" in web and "disk" not in web
    assert list(web.body.attributes) == ["ami", "size"]
    assert len(web.body) == 3
    with pytest.raises(KeyError):
        web["nothing"]
    assert [it.root for it in document.references] == ["var", "var"]


def test_json_documents() -> None:
    document = Document.parse(JSON, name="main.tf.json")
    assert document.syntax == "json"
    (web,) = document.body.blocks("resource")
    assert web.labels == ["aws_instance", "web"]
    ami = web["ami"]
    assert ami.value == "${var.ami}"
    assert ami.range.start.line == 2 and JSON[ami.range.start.byte] == '"'
    assert [it.text for it in ami.references] == ["var.ami"]
    assert web["disk"].value == [{"size": 1}]
    assert document.body.blocks("locals")[0]["a"].value == 1
    assert document.to_native().startswith('resource "aws_instance" "web" {\n')


def test_views_outlive_what_they_come_from() -> None:
    ami = Document.parse(NATIVE).body.blocks("resource")[0]["ami"]
    assert ami.value == "${var.ami}-x"


def test_documents_with_errors() -> None:
    text = "a = 1\nb = [\nc {}\n"
    with pytest.raises(simd_hcl.Error):
        Document.parse(text)
    document = Document.parse(text, strict=False)
    assert document.diagnostics and document.diagnostics[0].severity == "error"
    assert document.body["a"].value == 1


def plan(corpus: pathlib.Path) -> pathlib.Path:
    return corpus / "show" / "plan-1.2-opentofu.json"


def test_plans(corpus: pathlib.Path) -> None:
    document = json.loads(plan(corpus).read_text())
    read = Plan.open(plan(corpus), show_sensitive=True)
    assert read.format_version == document["format_version"]
    assert len(read.changes) == len(document["resource_changes"])
    for change, expected in zip(read.changes, document["resource_changes"]):
        assert change.address == expected["address"]
        assert change.actions == expected["change"]["actions"]
        assert change.before == expected["change"].get("before")
        assert change.after == expected["change"].get("after")
        assert change.index == expected.get("index")
        assert change.range.start.line >= 1
    kinds = {name: count for name, count in read.summary.items() if name not in ("import", "move")}
    assert sum(kinds.values()) == len(read.changes)
    assert read.to_dict() == document
    assert read.changes[-1].address == document["resource_changes"][-1]["address"]
    with pytest.raises(IndexError):
        read.changes[len(read.changes)]
    addresses = [it["address"] for it in document["resource_changes"]]
    for part in (slice(1, 3), slice(None), slice(None, None, -1), slice(5, 2), slice(-2, None)):
        assert [it.address for it in read.changes[part]] == addresses[part]


SECRET = "do-not-print-this-secret"


def secret_plan() -> str:
    return json.dumps(
        {
            "format_version": "1.2",
            "terraform_version": "1.9.0",
            "variables": {"password": {"value": SECRET}},
            "resource_changes": [
                {
                    "address": "aws_db_instance.main",
                    "mode": "managed",
                    "type": "aws_db_instance",
                    "name": "main",
                    "provider_name": "registry.terraform.io/hashicorp/aws",
                    "change": {
                        "actions": ["update"],
                        "before": {"password": "older-secret-value", "size": 1},
                        "after": {"password": SECRET, "size": 2},
                        "after_unknown": {},
                        "before_sensitive": {"password": True},
                        "after_sensitive": {"password": True},
                    },
                }
            ],
            "output_changes": {
                "it": {
                    "actions": ["create"],
                    "before": None,
                    "after": SECRET,
                    "after_unknown": False,
                    "before_sensitive": False,
                    "after_sensitive": True,
                }
            },
        }
    )


def test_sensitive_values_of_plans() -> None:
    read = Plan.parse(secret_plan())
    (change,) = read.changes
    shown = repr(
        [
            read.to_dict(),
            read.variables,
            change.before,
            change.after,
            [(it.path, it.before, it.after) for it in change.differences],
            [(it.before, it.after) for it in read.outputs.values()],
        ]
    )
    assert SECRET not in shown and "older-secret-value" not in shown
    assert change.after == {"password": simd_hcl.REDACTED, "size": 2}
    differences = {it.path: it for it in change.differences}
    assert (differences["size"].before, differences["size"].after) == (1, 2)
    assert differences["password"].sensitive and differences["password"].after == simd_hcl.REDACTED

    everything = Plan.parse(secret_plan(), show_sensitive=True)
    assert everything.changes[0].after["password"] == SECRET
    assert everything.outputs["it"].after == SECRET


def test_states(corpus: pathlib.Path) -> None:
    path = corpus / "show" / "state-1.0.json"
    document = json.loads(path.read_text())
    read = State.open(path, show_sensitive=True)
    assert read.format_version == document["format_version"]
    assert [it.address for it in read.resources][:1]
    assert read.to_dict() == document

    raw = State.open(corpus / "show" / "tfstate-4.json")
    document = json.loads((corpus / "show" / "tfstate-4.json").read_text())
    assert (raw.serial, raw.lineage) == (document["serial"], document["lineage"])
    assert len(raw.resources) == sum(len(it["instances"]) for it in document["resources"])

    with pytest.raises(simd_hcl.Error):
        State.open(plan(corpus))
    with pytest.raises(simd_hcl.Error):
        Plan.open(path)


def test_sensitive_values_of_states() -> None:
    text = json.dumps(
        {
            "version": 4,
            "terraform_version": "1.9.0",
            "serial": 3,
            "lineage": "x",
            "outputs": {"it": {"value": SECRET, "type": "string", "sensitive": True}},
            "resources": [
                {
                    "mode": "managed",
                    "type": "a",
                    "name": "b",
                    "provider": 'provider["registry.terraform.io/x/y"]',
                    "instances": [
                        {
                            "schema_version": 0,
                            "attributes": {"token": SECRET, "id": "i"},
                            "sensitive_attributes": [[{"type": "get_attr", "value": "token"}]],
                        }
                    ],
                }
            ],
        }
    )
    read = State.parse(text)
    assert SECRET not in repr([read.to_dict(), read.outputs, read.resources[0].values])
    assert read.resources[0].values["id"] == "i"
    assert State.parse(text, show_sensitive=True).resources[0].values["token"] == SECRET


def test_trees(corpus: pathlib.Path, tmp_path: pathlib.Path) -> None:
    tree = Tree.load(corpus / "monorepo")
    assert len(tree.diagnostics) == 0 and tree.incomplete == []
    assert any(it.path.endswith("bucket") for it in tree.modules)
    resource = tree.resources[0]
    assert resource.kind in ("resource", "data") and resource.range.start.line >= 1
    assert len(tree.objects) > len(tree.resources) > 0
    assert {it.kind for it in tree.references} >= {"variable", "local"}

    broken = Tree.load(corpus / "broken" / "missing-comma")
    (found,) = broken.diagnostics
    assert (found.severity, found.code) == ("error", "missing-comma")
    assert broken.incomplete != []

    assert Tree.load("does-not-exist").incomplete[0][0] == "does-not-exist"
    (tmp_path / "main.tf").write_text(
        'module "a" {\n  source = "org/a/aws"\n}\nmodule "b" {\n  source = "./b"\n}\n'
    )
    assert Tree.load(tmp_path).incomplete == [
        (f"{tmp_path}:module.a", "the called module is not installed"),
        (f"{tmp_path}:module.b", "the called directory does not exist"),
    ]
    with pytest.raises(ValueError, match="dialect"):
        Tree.load(corpus, dialect="other")  # type: ignore[arg-type]


MODULE = """\
variable "name" {
  default = "x"
}

locals {
  full = "${var.name}-y"
}

resource "aws_s3_bucket" "b" {
  bucket = local.full
  acl    = file("acl.txt")
}

module "inner" {
  source = "./inner"
  name   = aws_s3_bucket.b.bucket
}
"""


@pytest.fixture
def module(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "inner").mkdir()
    (tmp_path / "main.tf").write_text(MODULE)
    (tmp_path / "acl.txt").write_text("private")
    (tmp_path / "inner" / "main.tf").write_text('variable "name" {\n  type = string\n}\n')
    return tmp_path


def test_blocks_of_objects(module: pathlib.Path, corpus: pathlib.Path) -> None:
    tree = Tree.load(module)
    (bucket,) = tree.resources
    assert (bucket.address, bucket.type, bucket.name) == ("aws_s3_bucket.b", "aws_s3_bucket", "b")
    assert bucket.body is not None and bucket.block is not None
    assert bucket.body["acl"].text == 'file("acl.txt")'
    assert list(bucket.attributes) == ["bucket", "acl"]
    assert bucket.block.text.startswith('resource "aws_s3_bucket" "b" {')
    assert [it.text for it in bucket.references] == ["local.full"]
    assert [it.source for it in bucket.referenced_by] == ["module.inner"]
    objects = {(it.module, it.address): it for it in tree.objects}
    full = objects[str(module), "local.full"]
    assert full.type is None and full.name == "full"
    assert full.block is not None and full.block.type == "locals"
    inner = next(it for it in tree.modules if it.path.endswith("inner"))
    assert inner.callers == [(str(module), "module.inner")] and not inner.is_root
    # What an object has outlives the tree.
    del tree, objects, full
    assert bucket.body["bucket"].value == "${local.full}"
    # Of every object, the block is around its declaration.
    for path in ("monorepo", "packer"):
        for item in Tree.load(corpus / path).objects:
            if item.block is not None:
                assert item.block.range.filename == item.range.filename
                start = min(item.block.range.start.byte, item.block.header_range.start.byte)
                assert start <= item.range.start.byte


def test_expand(module: pathlib.Path) -> None:
    tree = Tree.load(module)
    values = tree.expand(module, variables={"name": "z"})
    assert values["diagnostics"] == []
    (bucket,) = values["planned_values"]["root_module"]["resources"]
    assert bucket["values"] == {"bucket": "z-y", "acl": "private"}
    (module / "a.tfvars").write_text('name = "w"\n')
    values = tree.expand(module, var_files=[module / "a.tfvars"])
    assert values["planned_values"]["root_module"]["resources"][0]["values"]["bucket"] == "w-y"
    with pytest.raises(ValueError, match="no variable"):
        tree.expand(module, variables={"other": "z"})
    with pytest.raises(FileNotFoundError):
        tree.expand(module / "missing")
    with pytest.raises(ValueError, match="not a module of the tree"):
        tree.expand(module.parent)


def test_affected(module: pathlib.Path) -> None:
    tree = Tree.load(module)
    answer = tree.affected([module / "inner" / "main.tf"])
    assert answer["incomplete"] == [] and answer["unrelated"] == []
    paths = [it["path"] for it in answer["modules"]]
    assert sorted(paths) == [str(module), str(module / "inner")]
    (outer,) = (it for it in answer["modules"] if it["path"] == str(module))
    assert outer["because"][-1]["address"] == "module.inner"
    assert tree.affected([module / "README.md"])["unrelated"] == [str(module / "README.md")]


def test_differences_of_trees(module: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    copy = tmp_path_factory.mktemp("copy")
    shutil.copytree(module, copy, dirs_exist_ok=True)
    before, same = Tree.load(module), Tree.load(copy)
    assert same.diff(before) == {"differences": [], "diagnostics": [], "incomplete": []}
    (copy / "main.tf").write_text(MODULE.replace("-y", "-z") + 'variable "new" {}\n')
    secret = 'variable "name" {\n  type      = string\n  sensitive = true\n  default   = "a"\n}\n'
    (copy / "inner" / "main.tf").write_text(secret)
    after = Tree.load(copy)
    answer = after.diff(before)
    found = [(it["module"], it["address"], it["action"]) for it in answer["differences"]]
    assert found == [
        ("", "local.full", "changed"),
        ("", "var.new", "added"),
        ("inner", "var.name", "changed"),
    ]
    changed = answer["differences"][0]
    assert changed["leaves"] == [{"path": "", "before": "${var.name}-y", "after": "${var.name}-z"}]
    assert changed["after_range"]["filename"] == str(copy / "main.tf")
    leaves = {it["path"]: it.get("after") for it in answer["differences"][2]["leaves"]}
    assert leaves == {"default": "(sensitive)", "sensitive": True}
    shown = after.diff(before, show_sensitive=True)["differences"][2]["leaves"]
    assert {"path": "default", "after": "a"} in shown
    (copy / "inner" / "main.tf").write_text("variable {")
    answer = Tree.load(copy).diff(before)
    assert [it["module"] for it in answer["differences"]] == ["", ""]
    assert answer["incomplete"][0][0] == str(copy / "inner" / "main.tf")
    assert answer["diagnostics"][0].severity == "error"


def test_review(module: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    copy = tmp_path_factory.mktemp("copy")
    shutil.copytree(module, copy, dirs_exist_ok=True)
    before = Tree.load(module)
    assert Tree.load(copy).review(before, copy)["changes"] == []
    (copy / "main.tf").write_text(MODULE.replace("-y", "-z"))
    after = Tree.load(copy)
    for variables in (None, {"name": "x"}):
        answer = after.review(before, copy, variables=variables)
        assert answer["path"] == str(copy) and answer["incomplete"] == []
        (change,) = answer["changes"]
        assert (change["address"], change["action"]) == ("aws_s3_bucket.b", "update")
        assert change["leaves"] == [{"path": "bucket", "before": "x-y", "after": "x-z"}]
        assert answer["summary"]["update"] == 1
    # Without an earlier version, everything is created.
    created = after.review(Tree.load(module / "inner"), copy / "inner")
    assert created["changes"] == []
    with pytest.raises(ValueError, match="no variable"):
        after.review(before, copy, variables={"other": "z"})
    with pytest.raises(ValueError, match="not a module of the tree"):
        after.review(before, module)


def test_rules(tmp_path: pathlib.Path) -> None:
    (tmp_path / "main.tf").write_text('variable "a" {}\noutput "b" {\n  value = "${1 + 1}"\n}\n')
    tree = Tree.load(tmp_path)

    def codes(**options: Any) -> set[str]:
        return {it.code for it in tree.check(**options)}

    assert [it.code for it in tree.diagnostics] == ["unused-declaration"]
    assert "unused-declaration" in codes()
    assert "unused-declaration" not in codes(ignore=["unused"])
    assert "typed-variable" not in codes()
    assert "typed-variable" in codes(select=["style"])
    assert "typed-variable" not in codes(select=["style"], ignore=["typed-variable"])
    assert codes(select=["typed-variable"], ignore=["all"]) == {"typed-variable"}
    with pytest.raises(ValueError, match="did you mean 'style'|did you mean \"style\""):
        tree.check(select=["styl"])


def test_arrow(corpus: pathlib.Path) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="skipped: pyarrow is not installed")
    tree = Tree.load(corpus / "monorepo")
    read = Plan.open(plan(corpus))
    state = State.open(corpus / "show" / "tfstate-4.json")
    tables: list[tuple[Any, str]] = [
        (tree.resources, "address"),
        (tree.objects, "address"),
        (tree.references, "text"),
        (read.changes, "address"),
        (state.resources, "address"),
    ]
    for rows, column in tables:
        table = pyarrow.table(rows)
        assert table.num_rows == len(rows)
        assert table.column(column).to_pylist() == [getattr(row, column) for row in rows]
        assert pyarrow.schema(rows) == table.schema
    found = pyarrow.table(Tree.load(corpus / "broken" / "missing-comma").diagnostics).to_pylist()
    assert found[0]["code"] == "missing-comma" and found[0]["line"] > 0
    changes = pyarrow.table(read.changes)
    assert changes.column("action").to_pylist() == [it.action for it in read.changes]
    for side in ("before", "after"):
        values = [None if it is None else json.loads(it) for it in changes.column(side).to_pylist()]
        assert values == [getattr(it, side) for it in read.changes]
    assert changes.column("actions").to_pylist() == [it.actions for it in read.changes]


def test_threads(corpus: pathlib.Path) -> None:
    read = Plan.parse(secret_plan())
    failures: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(200):
                assert read.changes[0].after == {"password": simd_hcl.REDACTED, "size": 2}
                assert Document.parse(NATIVE).body.blocks("resource")[0]["ami"].value
        except BaseException as error:  # noqa: BLE001
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_every_plan_and_state_of_the_corpus_is_read_or_refused(corpus: pathlib.Path) -> None:
    for path in sorted((corpus / "show").glob("*.json")):
        for kind in (Plan, State):
            try:
                read = kind.open(path)
                read.to_dict()
                rows = read.changes if isinstance(read, Plan) else read.resources
                for row in rows:
                    row.before if isinstance(row, simd_hcl.ResourceChange) else row.values
            except simd_hcl.Error as error:
                assert error.diagnostics


def test_rows_are_those_of_the_library(corpus: pathlib.Path) -> None:
    """Every cell of every row, hidden ones included: the file is written by the library's tests."""
    compared = 0
    documents = json.loads((corpus / "show" / "expected" / "rows.json").read_text())
    for name, expected in documents.items():
        pairs: list[tuple[Any, Any]] = []
        if "changes" in expected:
            plan = Plan.open(corpus / name)
            assert plan.summary == expected["summary"], name
            pairs += zip(plan.changes, expected["changes"])
            pairs += zip(plan.drift, expected["drift"])
            pairs += zip(plan.outputs.values(), expected["outputs"])
            assert len(plan.changes) == len(expected["changes"]), name
        elif "resources" in expected:
            state = State.open(corpus / name)
            pairs += zip(state.resources, expected["resources"])
            assert len(state.resources) == len(expected["resources"]), name
        for row, cells in pairs:
            for column, cell in cells.items():
                try:
                    if column == "attributes":
                        continue
                    found = getattr(row, column)
                    if column == "differences":
                        assert len(found) == len(cell), (name, row)
                        for leaf, wanted in zip(found, cell):
                            assert {it: getattr(leaf, it) for it in wanted} == wanted, (name, row)
                    else:
                        assert found == cell, (name, row, column)
                    compared += 1
                except simd_hcl.Error:
                    # The document may be misread, so that no value is shown.
                    assert column in ("importing", "differences", "before", "after"), (name, column)
    assert compared > 500
