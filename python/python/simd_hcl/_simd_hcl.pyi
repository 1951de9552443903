"""The types of the extension module. The package ``simd_hcl`` exports them."""

import os
from collections.abc import Iterator, Sequence
from typing import Any, Literal, Optional, Union, final, overload

__all__ = [
    "Attribute",
    "Block",
    "Body",
    "Changes",
    "Diagnostic",
    "Diagnostics",
    "Difference",
    "Document",
    "Link",
    "Module",
    "Object",
    "ObjectIterator",
    "Objects",
    "OutputChange",
    "Plan",
    "Position",
    "REDACTED",
    "Range",
    "Reference",
    "References",
    "ResourceChange",
    "State",
    "StateResource",
    "StateResources",
    "Tree",
    "__version__",
    "_is_earlier_tool",
    "convert",
    "dumps",
    "format",
    "load",
    "loads",
    "redact",
]

#: The version of the package.
__version__: str
#: What stands for a sensitive value, or for the same text in another value.
REDACTED: str

_Path = Union[str, os.PathLike[str]]
_Text = Union[str, bytes, bytearray]

@final
class ObjectIterator:
    """Makes each object when it is asked for."""

    def __iter__(self, /) -> ObjectIterator: ...
    def __next__(self, /) -> Any: ...

@final
class Position:
    """A place in a file."""

    def __new__(cls, line: int, column: int, byte: int) -> Position: ...
    def __getnewargs__(self) -> tuple[int, int, int]: ...
    @property
    def line(self) -> int:
        """The line, from 1."""
    @property
    def column(self) -> int:
        """The column in grapheme clusters, from 1."""
    @property
    def byte(self) -> int:
        """The offset in bytes, from 0."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...

@final
class Range:
    """A part of a file. Its end is exclusive."""

    def __new__(cls, filename: str, start: Position, end: Position) -> Range: ...
    def __getnewargs__(self) -> tuple[str, Position, Position]: ...
    @property
    def filename(self) -> str: ...
    @property
    def start(self) -> Position: ...
    @property
    def end(self) -> Position: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...

@final
class Diagnostic:
    """An error or a warning."""

    def __new__(
        cls,
        severity: str,
        code: str,
        summary: str,
        detail: str,
        help: Optional[str],
        range: Range,
        related: list[tuple[str, Range]],
        text: str,
    ) -> Diagnostic: ...
    def __getnewargs__(
        self,
    ) -> tuple[
        str, str, str, str, Optional[str], Range, list[tuple[str, Range]], str
    ]: ...
    @property
    def text(self) -> str:
        """All of it on one line: what ``str`` returns."""
    @property
    def severity(self) -> Literal["error", "warning"]: ...
    @property
    def code(self) -> str:
        """A stable name, such as ``"missing-comma"``."""
    @property
    def summary(self) -> str: ...
    @property
    def detail(self) -> str:
        """What is wrong, in sentences."""
    @property
    def help(self) -> Optional[str]:
        """What to do about it."""
    @property
    def range(self) -> Range: ...
    @property
    def related(self) -> list[tuple[str, Range]]:
        """Further places, with a message for each."""

@final
class Reference:
    """A reference in an expression, such as ``var.region``."""

    @property
    def text(self) -> str: ...
    @property
    def root(self) -> str:
        """Its first name."""
    @property
    def range(self) -> Range: ...

@final
class Attribute:
    """An attribute of a body."""

    @property
    def name(self) -> str: ...
    @property
    def value(self) -> Any:
        """The value as Python data. Strings have no quotes; an expression is ``"${…}"``."""
    @property
    def text(self) -> str:
        """The value as it is written."""
    @property
    def references(self) -> list[Reference]:
        """The references in the value, in source order."""
    @property
    def range(self) -> Range:
        """From the name to the end of the value."""
    @property
    def name_range(self) -> Range: ...
    @property
    def value_range(self) -> Range: ...

@final
class Block:
    """A block."""

    @property
    def type(self) -> str: ...
    @property
    def labels(self) -> list[str]: ...
    @property
    def body(self) -> Body: ...
    @property
    def text(self) -> str:
        """The block as it is written."""
    @property
    def range(self) -> Range:
        """All of the block."""
    @property
    def header_range(self) -> Range:
        """The type and the labels."""
    @property
    def label_ranges(self) -> list[Range]: ...
    def __iter__(self, /) -> Iterator[Union[Attribute, Block]]: ...
    def __getitem__(self, name: str, /) -> Attribute: ...
    def __contains__(self, name: str, /) -> bool: ...

@final
class Body:
    """The attributes and blocks of a file or a block, in source order.

    In JSON, only the blocks at the root are known; below them, every member is an attribute.
    """

    @property
    def attributes(self) -> dict[str, Attribute]: ...
    @property
    def range(self) -> Optional[Range]: ...
    def blocks(self, block_type: Optional[str] = None, *labels: str) -> list[Block]:
        """The blocks, or those of a type and with these first labels."""
    def get(self, name: str) -> Optional[Attribute]: ...
    def __iter__(self, /) -> Iterator[Union[Attribute, Block]]: ...
    def __len__(self, /) -> int: ...
    def __getitem__(self, name: str, /) -> Attribute: ...
    def __contains__(self, name: str, /) -> bool: ...

@final
class Document:
    """A configuration file in either syntax."""

    @staticmethod
    def open(path: _Path, *, strict: bool = True) -> Document:
        """Read a file. With ``strict=False``, the valid parts of a native file with errors are
        kept, and the errors are in ``diagnostics``."""
    @staticmethod
    def parse(text: _Text, *, name: str = "main.tf", strict: bool = True) -> Document:
        """Parse a text. The name decides the syntax and the dialect."""
    @property
    def name(self) -> str: ...
    @property
    def syntax(self) -> Literal["native", "json"]: ...
    @property
    def dialect(self) -> Optional[str]:
        """``"opentofu"``, ``"packer"``; ``None`` if the name does not say it."""
    @property
    def diagnostics(self) -> list[Diagnostic]: ...
    @property
    def body(self) -> Body: ...
    @property
    def references(self) -> list[Reference]:
        """The references in all expressions, in source order."""
    def to_dict(self, serialization_options: object = None) -> dict[str, Any]:
        """The file as ``load`` returns it."""
    def to_native(self) -> str:
        """The file in native syntax, in canonical layout."""
    def to_json(self) -> str:
        """The file in JSON."""
    def __iter__(self, /) -> Iterator[Union[Attribute, Block]]: ...

@final
class ResourceChange:
    """The change of one resource instance."""

    @property
    def kind(self) -> Optional[str]:
        """``"change"``, or ``"drift"`` for a change outside of the tool."""
    @property
    def address(self) -> Optional[str]: ...
    @property
    def previous_address(self) -> Optional[str]: ...
    @property
    def module_address(self) -> Optional[str]: ...
    @property
    def mode(self) -> Optional[str]: ...
    @property
    def type(self) -> Optional[str]: ...
    @property
    def name(self) -> Optional[str]: ...
    @property
    def index(self) -> Union[int, str, None]: ...
    @property
    def index_unknown(self) -> bool:
        """Whether the key of the instance is not known yet."""
    @property
    def deposed(self) -> Optional[str]: ...
    @property
    def provider_name(self) -> Optional[str]: ...
    @property
    def actions(self) -> list[str]: ...
    @property
    def action(self) -> Optional[str]:
        """The kind of the actions together, such as ``"replace"``."""
    @property
    def action_reason(self) -> Optional[str]: ...
    @property
    def before(self) -> Any: ...
    @property
    def after(self) -> Any: ...
    @property
    def after_unknown(self) -> Any:
        """The parts of ``after`` that are not known yet, as the document marks them."""
    @property
    def is_import(self) -> bool: ...
    @property
    def importing(self) -> Any:
        """The object that is imported: an ID, an identity, or that it is not known yet."""
    @property
    def generated_config(self) -> Optional[str]:
        """The configuration that was generated for an import, in native syntax."""
    @property
    def differences(self) -> list[Difference]:
        """The values that differ, in the order of their paths."""
    @property
    def range(self) -> Range: ...

@final
class Difference:
    """A value that differs between before and after."""

    @property
    def path(self) -> str: ...
    @property
    def before(self) -> Any: ...
    @property
    def after(self) -> Any: ...
    @property
    def unknown(self) -> bool:
        """Whether ``after``, or a part of it, is not known yet."""
    @property
    def sensitive(self) -> bool: ...
    @property
    def forces_replacement(self) -> bool: ...

@final
class OutputChange:
    """The change of an output of the root module."""

    @property
    def name(self) -> Optional[str]: ...
    @property
    def action(self) -> Optional[str]:
        """The kind of the actions together, such as ``"replace"``."""
    @property
    def actions(self) -> list[str]: ...
    @property
    def sensitive(self) -> bool:
        """Whether a part of the value, before or after, is sensitive or hidden."""
    @property
    def before(self) -> Any: ...
    @property
    def after(self) -> Any: ...

@final
class Changes:
    """The changes of resources: a sequence, and a table of Arrow."""

    def __len__(self, /) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> ResourceChange: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[ResourceChange]: ...
    def __iter__(self, /) -> Iterator[ResourceChange]: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class Plan:
    """A plan, as ``show -json`` prints it. Sensitive values are ``REDACTED``."""

    @staticmethod
    def open(path: _Path, *, show_sensitive: bool = False) -> Plan: ...
    @staticmethod
    def parse(text: _Text, *, name: str = "plan.json", show_sensitive: bool = False) -> Plan: ...
    @property
    def format_version(self) -> Optional[str]: ...
    @property
    def terraform_version(self) -> Optional[str]: ...
    @property
    def timestamp(self) -> Optional[str]: ...
    @property
    def errored(self) -> Optional[bool]: ...
    @property
    def complete(self) -> Optional[bool]: ...
    @property
    def applyable(self) -> Optional[bool]: ...
    @property
    def summary(self) -> dict[str, int]:
        """The number of changes by ``action``, and of those that ``import`` or ``move`` an object; zeros included."""
    @property
    def changes(self) -> Changes:
        """The planned changes, no-ops included."""
    @property
    def drift(self) -> Changes:
        """Changes outside of the tool."""
    @property
    def outputs(self) -> dict[str, OutputChange]: ...
    @property
    def variables(self) -> dict[str, Any]: ...
    def to_dict(self) -> dict[str, Any]:
        """The whole document."""

@final
class StateResource:
    """A resource instance of a state, or a deposed object of one."""

    @property
    def address(self) -> Optional[str]: ...
    @property
    def module_address(self) -> Optional[str]: ...
    @property
    def mode(self) -> Optional[str]: ...
    @property
    def type(self) -> Optional[str]: ...
    @property
    def name(self) -> Optional[str]: ...
    @property
    def index(self) -> Union[int, str, None]: ...
    @property
    def deposed(self) -> Optional[str]: ...
    @property
    def tainted(self) -> bool: ...
    @property
    def provider_name(self) -> Optional[str]: ...
    @property
    def schema_version(self) -> Optional[int]: ...
    @property
    def values(self) -> Any:
        """The attributes."""
    @property
    def range(self) -> Range: ...

@final
class StateResources:
    """The resource instances of a state: a sequence, and a table of Arrow."""

    def __len__(self, /) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> StateResource: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[StateResource]: ...
    def __iter__(self, /) -> Iterator[StateResource]: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class State:
    """A state: what ``show -json`` prints, or a state file. Sensitive values are
    ``REDACTED``."""

    @staticmethod
    def open(path: _Path, *, show_sensitive: bool = False) -> State: ...
    @staticmethod
    def parse(text: _Text, *, name: str = "state.json", show_sensitive: bool = False) -> State: ...
    @property
    def format_version(self) -> Optional[str]:
        """``None`` for a state file."""
    @property
    def terraform_version(self) -> Optional[str]: ...
    @property
    def serial(self) -> Optional[int]:
        """``None`` for a printed state."""
    @property
    def lineage(self) -> Optional[str]: ...
    @property
    def resources(self) -> StateResources: ...
    @property
    def outputs(self) -> dict[str, Any]: ...
    def to_dict(self) -> dict[str, Any]:
        """The whole document."""

@final
class Module:
    """A module, or a template of Packer."""

    @property
    def path(self) -> str: ...
    @property
    def dialect(self) -> str: ...
    @property
    def files(self) -> list[str]: ...
    @property
    def is_root(self) -> bool:
        """Whether it seems to be a root module: nothing calls it, and it has a backend or a provider."""
    @property
    def callers(self) -> list[tuple[str, str]]:
        """The modules of the tree that call it, and the addresses of the calls."""

@final
class Object:
    """Something that a module declares."""

    @property
    def module(self) -> str: ...
    @property
    def kind(self) -> str:
        """The type of its block, such as ``"resource"``."""
    @property
    def address(self) -> str: ...
    @property
    def range(self) -> Range: ...
    @property
    def block(self) -> Optional[Block]:
        """The block that declares it; of a local value, the block that has it. ``None`` in Packer."""
    @property
    def body(self) -> Optional[Body]:
        """The body of the block."""
    @property
    def attributes(self) -> dict[str, Attribute]:
        """The attributes of the block by name."""
    @property
    def type(self) -> Optional[str]:
        """The type of a resource."""
    @property
    def name(self) -> str:
        """The last part of the address."""
    @property
    def references(self) -> References:
        """The references in it."""
    @property
    def referenced_by(self) -> References:
        """The references to it in its module."""

@final
class Link:
    """A reference from an object to another."""

    @property
    def module(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def target(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def text(self) -> str:
        """The reference as it is written."""
    @property
    def range(self) -> Range: ...

@final
class Objects:
    """What modules declare: a sequence, and a table of Arrow."""

    def __len__(self, /) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> Object: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[Object]: ...
    def __iter__(self, /) -> Iterator[Object]: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class References:
    """The references of a tree: a sequence, and a table of Arrow."""

    def __len__(self, /) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> Link: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[Link]: ...
    def __iter__(self, /) -> Iterator[Link]: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class Diagnostics:
    """Errors and warnings: a sequence, and a table of Arrow."""

    def __len__(self, /) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> Diagnostic: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[Diagnostic]: ...
    def __iter__(self, /) -> Iterator[Diagnostic]: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class Tree:
    """All modules below some paths, linked by their calls."""

    @staticmethod
    def load(
        *paths: _Path,
        dialect: Optional[Literal["opentofu", "terraform", "packer"]] = None,
        ignore_files: bool = False,
        follow_links: bool = False,
    ) -> Tree:
        """Read and check all modules below some paths. ``ignore_files`` respects ``.gitignore``,
        ``follow_links`` reads links that lead outside of the paths and their git work trees."""
    @property
    def modules(self) -> list[Module]: ...
    @property
    def objects(self) -> Objects:
        """Everything that the modules declare."""
    @property
    def resources(self) -> Objects:
        """Resources, data sources and ephemeral resources; sources of Packer."""
    @property
    def references(self) -> References: ...
    @property
    def diagnostics(self) -> Diagnostics:
        """By file and place."""
    @property
    def incomplete(self) -> list[tuple[str, str]]:
        """What could not be read: paths and calls of modules, and why."""
    def expand(
        self,
        root: Optional[_Path] = None,
        *,
        variables: Optional[dict[str, str]] = None,
        var_files: Sequence[_Path] = ...,
        workspace: Optional[str] = None,
        show_sensitive: bool = False,
    ) -> dict[str, Any]:
        """The values of a root module and of the modules that it calls, as ``simd-hcl expand --format json``
        prints them, with ``diagnostics`` and ``incomplete``. Functions read files below the paths of the tree."""
    def check(
        self,
        *,
        select: Sequence[str] = ...,
        ignore: Sequence[str] = ...,
        preview: bool = False,
    ) -> Diagnostics:
        """The diagnostics, and the findings of rules, by file and place. ``select`` and ``ignore`` are names of
        rules or groups, or ``"all"``, as for ``simd-hcl check``; without them, the default rules run. Settings
        files and comments that allow a finding are not read."""
    def diff(self, before: Tree, *, show_sensitive: bool = False) -> dict[str, Any]:
        """The objects and values that differ from those of an earlier tree, as ``simd-hcl diff --format json``
        prints them: ``differences``, with ``diagnostics`` and ``incomplete``. Modules are paired by their paths
        below those that were loaded. Reads the files of both trees again."""
    def review(
        self,
        before: Tree,
        root: Optional[_Path] = None,
        *,
        variables: Optional[dict[str, str]] = None,
        var_files: Sequence[_Path] = ...,
        workspace: Optional[str] = None,
        show_sensitive: bool = False,
    ) -> dict[str, Any]:
        """The effect of a change of configuration on the values of a root module, as a root of
        ``simd-hcl review --format json``: ``changes``, ``renames``, ``modules``, ``providers``, ``backend``,
        ``summary``, with ``diagnostics`` and ``incomplete``. Reads the files of both trees again."""
    def affected(self, files: Sequence[_Path]) -> dict[str, Any]:
        """The modules that changes of some files affect: ``modules`` (``path``, ``root``, ``because``),
        ``unrelated`` files, and what is ``incomplete``."""

def _is_earlier_tool(name: str) -> bool: ...
def load(path: _Path, serialization_options: object = None) -> dict[str, Any]: ...
def loads(text: _Text, name: str, serialization_options: object = None) -> dict[str, Any]: ...
def dumps(
    data: dict[str, Any], *, syntax: Literal["native", "json"] = "native", name: str = "main.tf"
) -> str:
    """Return a dictionary as a file, in canonical layout.

    Blocks are marked by ``__is_block__``, and strings have quotes: ``load`` returns both by default.
    """

def format(text: _Text, *, name: str = "main.tf") -> str:
    """Return a text in native syntax in canonical layout."""

def convert(text: _Text, *, to: Literal["json", "native"], name: str = "main.tf") -> str:
    """Return a text in the other syntax."""

def redact(
    document: Union[Plan, State, _Text],
    *,
    name: str = "plan.json",
    provider_schemas: Optional[_Text] = None,
    keep_defaults: bool = False,
    keep: Sequence[Literal["defaults", "provider-config", "repeated-text"]] = ...,
    force: bool = False,
) -> str:
    """Return a plan, a state or a state file without its sensitive values, and with every other byte, as
    ``simd-hcl redact`` does: each value is ``REDACTED``, and so is its text elsewhere.

    A text is what ``show -json`` prints, or a state file. What is not understood, and a document that does not
    say which values are sensitive, is an ``Error``; ``force`` accepts the latter. ``provider_schemas``, the
    output of ``providers schema -json``, says which attributes of a state file are sensitive; types without
    them that have unmarked values are a ``UserWarning``. ``keep_defaults`` keeps the defaults of sensitive
    variables, ``keep`` the constants of provider configurations or the repeated text.
    """
