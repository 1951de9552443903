"""The examples of the README, and of the book."""

from __future__ import annotations

import doctest
import pathlib

import pytest


@pytest.mark.parametrize(("page", "least"), [("python/README.md", 10), ("docs/tutorials/languages.md", 2)])
def test_examples(page: str, least: int, monkeypatch: pytest.MonkeyPatch) -> None:
    root = pathlib.Path(__file__).parents[2]
    monkeypatch.chdir(root)
    result = doctest.testfile(str(root / page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.failed == 0 and result.attempted > least
