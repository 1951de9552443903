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
    __version__,
    convert,
    dumps,
    format,
    redact,
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
    "Like",
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
    "__version__",
    "convert",
    "dump",
    "dumps",
    "format",
    "like",
    "load",
    "loads",
    "redact",
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
    #: A tool whose results are copied exactly, such as ``"python-hcl2 7.3.1"``. Those before
    #: python-hcl2 8 have no options but ``with_meta``. See ``like``.
    tool: Optional[str] = None

    @classmethod
    def like(cls, tool: str) -> SerializationOptions:
        """The options with which results are those of a tool: python-hcl2 of a version from 4 to 8, or
        bc-python-hcl2. Its name, its version, and ``with_meta`` or ``plain``:
        ``"python-hcl2 7.3.1"``, ``"python-hcl2 4.3.5 with_meta"``, ``"python-hcl2 8.1.4 plain"``.
        """
        words = tool.split(" ")
        name, option = " ".join(words[:2]), " ".join(words[2:])
        is_earlier = _simd_hcl._is_earlier_tool(name)
        if option == "with_meta" and not name.startswith("bc-"):
            # It has no effect in python-hcl2 8.
            return cls(tool=name, with_meta=is_earlier)
        if option == "plain" and not is_earlier:
            return cls(
                tool=name,
                with_comments=False,
                explicit_blocks=False,
                preserve_heredocs=False,
                strip_string_quotes=True,
            )
        if option:
            raise ValueError(f"{name} has no option {option!r}")
        return cls(tool=name)

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
    file: Union[str, bytes, os.PathLike[str], os.PathLike[bytes], IO[str], IO[bytes]],
    *,
    serialization_options: Optional[SerializationOptions] = None,
) -> dict[str, Any]:
    """Read a file, given by its path or opened, and return a dictionary.

    A name that ends in ``.json`` is read as JSON syntax, others as native syntax.
    """
    if isinstance(file, (str, bytes, os.PathLike)):
        return _simd_hcl.load(os.fsdecode(file), serialization_options)
    name = getattr(file, "name", None)
    text = file.read()
    name = os.fsdecode(name) if isinstance(name, (str, bytes)) else "main.tf"
    return _simd_hcl.loads(text, name, serialization_options)


def loads(
    text: Union[str, bytes, bytearray],
    *,
    name: str = "main.tf",
    serialization_options: Optional[SerializationOptions] = None,
) -> dict[str, Any]:
    """Parse a text and return a dictionary. ``name`` decides the syntax, and is in messages."""
    return _simd_hcl.loads(text, name, serialization_options)


class Like:
    """``load`` and ``loads`` with the arguments and the results of a tool: see ``like``."""

    def __init__(self, tool: str) -> None:
        self._tool = tool
        SerializationOptions.like(tool)

    def _options(self, with_meta: bool) -> SerializationOptions:
        # In a name with an option, it is there already, or has no effect.
        has_option = len(self._tool.split(" ")) > 2
        is_added = with_meta and not has_option
        return SerializationOptions.like(f"{self._tool} with_meta" if is_added else self._tool)

    def load(
        self,
        file: Union[str, bytes, os.PathLike[str], os.PathLike[bytes], IO[str], IO[bytes]],
        with_meta: bool = False,
    ) -> dict[str, Any]:
        """Read a file, given by its path or opened."""
        return load(file, serialization_options=self._options(with_meta))

    def loads(
        self, text: Union[str, bytes, bytearray], with_meta: bool = False
    ) -> dict[str, Any]:
        """Parse a text."""
        return loads(text, serialization_options=self._options(with_meta))

    def __repr__(self) -> str:
        return f"simd_hcl.like({self._tool!r})"


def like(tool: str) -> Like:
    """Return what takes the place of the module of a tool: ``like("python-hcl2 7.3.1").load(file)``.

    The tools are those of ``SerializationOptions.like``.
    """
    return Like(tool)


def dump(
    data: dict[str, Any],
    file: IO[str],
    *,
    syntax: Literal["native", "json"] = "native",
    name: str = "main.tf",
) -> None:
    """Write a dictionary to an open file. See ``dumps``."""
    file.write(dumps(data, syntax=syntax, name=name))
