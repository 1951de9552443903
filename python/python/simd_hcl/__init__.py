"""Reads the configuration, plans and states of OpenTofu, Terraform and Packer.

``load`` and ``loads`` return what python-hcl2 returns; ``Document``, ``Plan``, ``State`` and
``Tree`` are views with positions, which are opened on access.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import IO, Any, Literal, Optional, Union

from . import _simd_hcl
from ._error import Error
from ._simd_hcl import (
    REDACTED,
    Attribute,
    Block,
    Body,
    Changes,
    Diagnostic,
    Diagnostics,
    Difference,
    Document,
    Link,
    Module,
    Object,
    Objects,
    OutputChange,
    Plan,
    Position,
    Range,
    Reference,
    References,
    ResourceChange,
    State,
    StateResource,
    StateResources,
    Tree,
    convert,
    dumps,
    format,
)

__all__ = [
    "REDACTED",
    "Attribute",
    "Block",
    "Body",
    "Changes",
    "Diagnostic",
    "Diagnostics",
    "Difference",
    "Document",
    "Error",
    "Link",
    "Module",
    "Object",
    "Objects",
    "OutputChange",
    "Plan",
    "Position",
    "Range",
    "Reference",
    "References",
    "ResourceChange",
    "SerializationOptions",
    "State",
    "StateResource",
    "StateResources",
    "Tree",
    "convert",
    "dump",
    "dumps",
    "format",
    "load",
    "loads",
]


@dataclass
class SerializationOptions:
    """How ``load`` and ``loads`` return a file: the options of python-hcl2, with its defaults."""

    #: Comments, as ``__comments__`` and ``__inline_comments__``.
    with_comments: bool = True
    #: The lines of each block, as ``__start_line__`` and ``__end_line__``.
    with_meta: bool = False
    #: Objects as text: ``"${{a = 1}}"``.
    wrap_objects: bool = False
    #: Tuples as text: ``"${[1, 2]}"``.
    wrap_tuples: bool = False
    #: ``__is_block__`` in each block. ``dumps`` needs it.
    explicit_blocks: bool = True
    #: Heredocs as they are written, instead of as strings.
    preserve_heredocs: bool = True
    #: Parentheses around operations inside of operations.
    force_operation_parentheses: bool = False
    #: Numbers with an exponent as text: ``"${1e10}"``.
    preserve_scientific_notation: bool = True
    #: Strings without quotes. ``dumps`` needs the quotes.
    strip_string_quotes: bool = False

    @classmethod
    def plain(cls) -> SerializationOptions:
        """Values only: strings without quotes, no comments, no marks. As python-hcl2 4 to 7."""
        return cls(
            with_comments=False,
            explicit_blocks=False,
            preserve_heredocs=False,
            preserve_scientific_notation=False,
            strip_string_quotes=True,
        )


def load(
    file: Union[str, os.PathLike[str], IO[str], IO[bytes]],
    *,
    serialization_options: Optional[SerializationOptions] = None,
) -> dict[str, Any]:
    """Read a file, given by its path or opened, and return a dictionary.

    A name that ends in ``.json`` is read as JSON syntax, others as native syntax.
    """
    if isinstance(file, (str, os.PathLike)):
        return _simd_hcl.load(file, serialization_options)
    name = getattr(file, "name", None)
    text = file.read()
    return _simd_hcl.loads(text, name if isinstance(name, str) else "main.tf", serialization_options)


def loads(
    text: Union[str, bytes],
    *,
    name: str = "main.tf",
    serialization_options: Optional[SerializationOptions] = None,
) -> dict[str, Any]:
    """Parse a text and return a dictionary. ``name`` decides the syntax, and is in messages."""
    return _simd_hcl.loads(text, name, serialization_options)


def dump(
    data: dict[str, Any],
    file: IO[str],
    *,
    syntax: Literal["native", "json"] = "native",
    name: str = "main.tf",
) -> None:
    """Write a dictionary to an open file. See ``dumps``."""
    file.write(dumps(data, syntax=syntax, name=name))
