//! Diagnostics, places, and the exception that carries them.

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use simd_hcl::diagnostic::Label;
use simd_hcl::{Diagnostic as Found, OwnedDiagnostic, OwnedFile, Severity, Source, Span};
use std::path::Path;

pyo3::import_exception!(simd_hcl._error, Error);

/// A place in a file: a line and a column from 1, and an offset in bytes from 0.
#[pyclass(frozen, eq, module = "simd_hcl")]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Position {
    #[pyo3(get)]
    pub(crate) line: u64,
    #[pyo3(get)]
    pub(crate) column: u64,
    #[pyo3(get)]
    pub(crate) byte: u64,
}

#[pymethods]
impl Position {
    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        (self.line, self.column, self.byte).into_pyobject(py)?.hash()
    }

    fn __repr__(&self) -> String {
        format!("Position(line={}, column={}, byte={})", self.line, self.column, self.byte)
    }
}

impl From<simd_hcl::Position> for Position {
    fn from(at: simd_hcl::Position) -> Self {
        Self { line: at.line, column: at.column, byte: at.byte }
    }
}

/// A part of a file. Its end is exclusive.
#[pyclass(frozen, eq, module = "simd_hcl")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Range {
    #[pyo3(get)]
    pub(crate) filename: String,
    #[pyo3(get)]
    pub(crate) start: Position,
    #[pyo3(get)]
    pub(crate) end: Position,
}

#[pymethods]
impl Range {
    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        (&self.filename, self.start.byte, self.end.byte).into_pyobject(py)?.hash()
    }

    fn __repr__(&self) -> String {
        format!("Range('{self}')", self = self.__str__())
    }

    fn __str__(&self) -> String {
        format!("{}:{}:{}", self.filename, self.start.line, self.start.column)
    }
}

impl Range {
    pub(crate) fn of(source: Source<'_>, span: Span) -> Self {
        simd_hcl::report::Range::of(source, span).into()
    }
}

impl From<simd_hcl::report::Range> for Range {
    fn from(range: simd_hcl::report::Range) -> Self {
        Self { filename: range.filename, start: range.start.into(), end: range.end.into() }
    }
}

/// An error or a warning.
#[pyclass(frozen, module = "simd_hcl")]
#[derive(Clone)]
pub(crate) struct Diagnostic(pub(crate) OwnedDiagnostic);

#[pymethods]
impl Diagnostic {
    #[getter]
    fn severity(&self) -> &'static str {
        match self.0.severity {
            Severity::Error => "error",
            _ => "warning",
        }
    }

    #[getter]
    fn code(&self) -> &str {
        &self.0.code
    }

    #[getter]
    fn summary(&self) -> &str {
        &self.0.summary
    }

    #[getter]
    fn detail(&self) -> &str {
        &self.0.detail
    }

    #[getter]
    fn help(&self) -> Option<&str> {
        self.0.help.as_deref()
    }

    #[getter]
    fn range(&self) -> Range {
        self.0.range.clone().into()
    }

    #[getter]
    fn related(&self) -> Vec<(String, Range)> {
        let related = self.0.related.iter();
        related.map(|it| (it.message.to_string(), it.range.clone().into())).collect()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Diagnostic {}>", self.0)
    }
}

/// Returns owned copies of diagnostics.
pub(crate) fn owned(found: &[Found<'_>]) -> Vec<Diagnostic> {
    found.iter().map(|it| Diagnostic(OwnedDiagnostic::of(it))).collect()
}

/// The exception of these diagnostics. The first error is its message.
pub(crate) fn exception(found: Vec<Diagnostic>) -> PyErr {
    let first = found.iter().find(|it| it.0.is_error()).or(found.first());
    let message = first.map_or_else(|| "not valid".to_owned(), |first| first.0.to_string());
    Error::new_err((message, found))
}

/// Raises the diagnostics if one of them is an error.
pub(crate) fn raise(found: &[Found<'_>]) -> PyResult<()> {
    match found.iter().any(|it| it.severity() == Severity::Error) {
        true => Err(exception(owned(found))),
        false => Ok(()),
    }
}

/// The exception of a text that could not be opened.
pub(crate) fn syntax_error(error: OwnedDiagnostic) -> PyErr {
    exception(vec![Diagnostic(error)])
}

/// The exception of a file that could not be opened: an `OSError` if it cannot be read.
pub(crate) fn open_error(error: OwnedDiagnostic, path: &Path) -> PyErr {
    match std::fs::File::open(path) {
        Err(error) => os_error(&error, path),
        Ok(_) => syntax_error(error),
    }
}

/// The exception of the operating system, with the path.
pub(crate) fn os_error(error: &std::io::Error, path: &Path) -> PyErr {
    let message = error.to_string();
    let message = message.split(" (os error").next().unwrap_or_default().to_owned();
    match error.raw_os_error() {
        Some(number) => PyOSError::new_err((number, message, path.as_os_str().to_owned())),
        None => PyOSError::new_err(format!("{message}: {}", path.display())),
    }
}

/// Opens a file of either syntax, without the lock of the interpreter.
pub(crate) fn open(py: Python<'_>, path: &Path) -> PyResult<OwnedFile> {
    py.detach(|| OwnedFile::open(path)).map_err(|error| open_error(*error, path))
}

/// Parses a text of either syntax, without the lock of the interpreter.
pub(crate) fn parse(py: Python<'_>, name: &str, text: &[u8]) -> PyResult<OwnedFile> {
    py.detach(|| OwnedFile::parse(name, text)).map_err(|error| syntax_error(*error))
}

/// The error of a body that has an attribute and a block of the same name, which a dictionary
/// cannot hold.
pub(crate) fn conflict(source: Source<'_>, span: Span, name: &str) -> PyErr {
    let found = OwnedDiagnostic::new("duplicate-name", Severity::Error, Label::new(source, span))
        .with_summary("Duplicate name")
        .with_detail(format!(
            "The body has an attribute and a block of the name \"{name}\", so a dictionary cannot \
             hold both. Use Document instead."
        ));
    exception(vec![Diagnostic(found)])
}
