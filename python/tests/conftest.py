"""Files of the repository that several tests read."""

from __future__ import annotations

import os
import pathlib
import runpy

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT / "corpus"


def native_files() -> dict[str, str]:
    """The native files of the corpus, and those of real repositories if they are there: texts by
    name. What is not UTF-8 is replaced."""
    roots = [CORPUS]
    data = os.environ.get("SIMD_HCL_DATA")
    if data and os.path.isdir(data):
        roots.append(pathlib.Path(data))
    else:
        print("skipped: files of real repositories (no data)")
    files = {
        str(path): path.read_bytes() for root in roots for path in sorted(root.rglob("*.tf"))
    }
    # Most cases are packed.
    archive = runpy.run_path(str(CORPUS / "conformance" / "archive.py"))
    for group, path in archive["archives"]():
        if str(group).startswith("verdicts"):
            # Most are invalid on purpose, in ways that python-hcl2 does not find.
            continue
        _, cases = archive["read"](path)
        for case, content in cases.items():
            native = ((name, text) for name, text in content.items() if name.endswith(".tf"))
            files |= {f"{group}/{case}/{name}": text for name, text in native}
    # With line feeds alone, as files in text mode are read.
    texts = {name: text.decode(errors="replace") for name, text in files.items()}
    return {name: text.replace("\r\n", "\n") for name, text in texts.items()}


def configuration_in_json() -> dict[str, str]:
    """The configuration of the corpus in JSON syntax: texts by name. What is not UTF-8 is left out."""
    ends = (".tf.json", ".tofu.json", ".tfvars.json", ".pkr.json")
    files = {str(it): it.read_bytes() for it in sorted(CORPUS.rglob("*.json"))}
    archive = runpy.run_path(str(CORPUS / "conformance" / "archive.py"))
    for group, path in archive["archives"]():
        _, cases = archive["read"](path)
        for case, content in cases.items():
            files |= {f"{group}/{case}/{name}": text for name, text in content.items()}
    texts = {}
    for name, text in files.items():
        if name.endswith(ends):
            try:
                texts[name] = text.decode()
            except UnicodeDecodeError:
                pass
    return texts


@pytest.fixture
def corpus() -> pathlib.Path:
    return CORPUS
