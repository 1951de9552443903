"""Files of the repository that several tests read."""

from __future__ import annotations

import os
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT / "corpus"


def native_files() -> list[pathlib.Path]:
    """The native files of the corpus, and those of real repositories if they are there."""
    files = sorted(CORPUS.rglob("*.tf"))
    data = os.environ.get("SIMD_HCL_DATA")
    if data and os.path.isdir(data):
        files += sorted(pathlib.Path(data).rglob("*.tf"))
    else:
        print("skipped: files of real repositories (no data)")
    return files


@pytest.fixture
def corpus() -> pathlib.Path:
    return CORPUS
