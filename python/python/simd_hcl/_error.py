"""The exception of the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from ._simd_hcl import Diagnostic


class Error(ValueError):
    """A text that is not valid. Its place and code are those of the first error."""

    def __reduce__(self) -> tuple[type[Error], tuple[str, list[Diagnostic]]]:
        return type(self), (str(self), self.diagnostics)

    def __init__(self, message: str, diagnostics: list[Diagnostic] | None = None) -> None:
        super().__init__(message)
        self.diagnostics: list[Diagnostic] = list(diagnostics or [])

    @property
    def _first(self) -> Optional[Diagnostic]:
        errors = (it for it in self.diagnostics if it.severity == "error")
        return next(errors, next(iter(self.diagnostics), None))

    @property
    def code(self) -> Optional[str]:
        """The code of the first error, such as ``"missing-comma"``."""
        return self._first.code if self._first else None

    @property
    def path(self) -> Optional[str]:
        """The file of the first error."""
        return self._first.range.filename if self._first else None

    @property
    def line(self) -> Optional[int]:
        """The line of the first error, from 1."""
        return self._first.range.start.line if self._first else None

    @property
    def column(self) -> Optional[int]:
        """The column of the first error, from 1."""
        return self._first.range.start.column if self._first else None
