"""The examples of the README."""

from __future__ import annotations

import doctest
import pathlib

import pytest


def test_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    readme = pathlib.Path(__file__).parents[1] / "README.md"
    monkeypatch.chdir(readme.parents[1])
    result = doctest.testfile(str(readme), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.failed == 0 and result.attempted > 10
