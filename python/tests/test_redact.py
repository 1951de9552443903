"""Copies of plans and states without their sensitive values."""

from __future__ import annotations

import json
import pathlib
import warnings
from typing import Any

import pytest

import simd_hcl
from simd_hcl import Plan, State

SECRET = "do-not-print-this-secret"


def plan(**more: Any) -> str:
    document: dict[str, Any] = {
        "format_version": "1.2",
        "terraform_version": "1.9.0",
        "planned_values": {
            "outputs": {
                "key": {"sensitive": True, "value": SECRET},
                "url": {"sensitive": False, "value": f"https://x:{SECRET}@y"},
            }
        },
    }
    return json.dumps(document | more, indent=1)


def state_file() -> str:
    instance = {"schema_version": 0, "attributes": {"token": SECRET, "id": "i"}}
    resource = {
        "mode": "managed",
        "type": "x_key",
        "name": "b",
        "provider": 'provider["registry.terraform.io/x/x"]',
        "instances": [instance],
    }
    document = {
        "version": 4,
        "terraform_version": "1.9.0",
        "serial": 3,
        "lineage": "l",
        "outputs": {},
        "resources": [resource],
    }
    return json.dumps(document)


SCHEMAS = {
    "format_version": "1.0",
    "provider_schemas": {
        "registry.terraform.io/x/x": {
            "resource_schemas": {
                "x_key": {
                    "version": 0,
                    "block": {
                        "attributes": {
                            "id": {"type": "string", "computed": True},
                            "token": {"type": "string", "optional": True, "sensitive": True},
                        }
                    },
                }
            }
        }
    },
}


def test_only_sensitive_values_change() -> None:
    text = plan()
    expected = text.replace(SECRET, simd_hcl.REDACTED)
    assert simd_hcl.redact(text) == expected
    assert simd_hcl.redact(text.encode()) == expected
    assert simd_hcl.redact(bytearray(text.encode())) == expected
    # The views of a document have the same copy, whether or not they show their values.
    assert simd_hcl.redact(Plan.parse(text)) == expected
    assert simd_hcl.redact(Plan.parse(text, show_sensitive=True)) == expected
    kept = simd_hcl.redact(text, keep=["repeated-text"])
    assert kept == text.replace(f'"{SECRET}"', f'"{simd_hcl.REDACTED}"')
    with pytest.raises(ValueError, match="keep"):
        simd_hcl.redact(text, keep=["all"])  # type: ignore[list-item]
    with pytest.raises(TypeError):
        simd_hcl.redact(1)  # type: ignore[arg-type]


def test_constants_without_marks() -> None:
    configuration = {
        "provider_config": {"x": {"name": "x", "expressions": {"a": {"constant_value": "b"}}}},
        "root_module": {"variables": {"v": {"default": "c", "sensitive": True}}},
    }
    text = plan(configuration=configuration)

    def found(**options: Any) -> tuple[str, str]:
        read = json.loads(simd_hcl.redact(text, **options))["configuration"]
        constant = read["provider_config"]["x"]["expressions"]["a"]["constant_value"]
        return constant, read["root_module"]["variables"]["v"]["default"]

    hidden = simd_hcl.REDACTED
    assert found() == (hidden, hidden)
    assert found(keep_defaults=True) == (hidden, "c")
    assert found(keep=["provider-config"]) == ("b", hidden)


def test_states() -> None:
    text = state_file()
    with pytest.warns(UserWarning, match="x_key"):
        assert simd_hcl.redact(text, name="terraform.tfstate") == text
    with pytest.warns(UserWarning, match="x_key"):
        assert simd_hcl.redact(State.parse(text)) == text
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        schemas = json.dumps(SCHEMAS)
        expected = text.replace(SECRET, simd_hcl.REDACTED)
        assert simd_hcl.redact(text, provider_schemas=schemas) == expected
        assert simd_hcl.redact(State.parse(text), provider_schemas=schemas.encode()) == expected
    with pytest.raises(ValueError):
        simd_hcl.redact(text, provider_schemas=text)


def test_what_is_not_understood_is_refused() -> None:
    for text in ("", "{", "[]", "resource {}\n", '{"a": 1}', b"\xff", plan() + plan()):
        with pytest.raises(simd_hcl.Error) as caught:
            simd_hcl.redact(text)
        assert caught.value.code
    # A second member of the same name may be what another reader takes.
    twice = plan().replace('"sensitive": true', '"sensitive": true, "sensitive": false')
    with pytest.raises(simd_hcl.Error):
        simd_hcl.redact(twice)


def test_documents_without_marks_need_force() -> None:
    text = plan(format_version="0.1")
    with pytest.raises(simd_hcl.Error) as caught:
        simd_hcl.redact(text)
    assert caught.value.code == "no-sensitive-marks"
    assert SECRET not in simd_hcl.redact(text, force=True)


def test_text_of_wrappers_is_not_copied() -> None:
    with pytest.warns(UserWarning):
        around = simd_hcl.redact(f"token {SECRET}\n{plan()}\ndone {SECRET}\n")
    assert SECRET not in around and json.loads(around) == json.loads(simd_hcl.redact(plan()))
    with pytest.warns(UserWarning):
        assert simd_hcl.redact(plan().encode("utf-16")) == simd_hcl.redact(plan())


def test_the_corpus_is_redacted_or_refused(corpus: pathlib.Path) -> None:
    copied = 0
    for path in sorted((corpus / "show").glob("*.json")):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                copy = simd_hcl.redact(path.read_bytes(), name=path.name)
            except simd_hcl.Error:
                continue
        copied += 1
        assert json.loads(copy).keys() == json.loads(path.read_text()).keys()
    assert copied > 3
