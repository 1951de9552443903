//! Diagnostics, places, and the exception that carries them.

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use simd_hcl::diagnostic::Label;
use simd_hcl::{Code, Diagnostic as Found, OwnedDiagnostic, OwnedFile, Severity, Source, Span};
use std::io::Read as _;
use std::path::Path;

pyo3::import_exception!(simd_hcl._error, Error);

/// A place in a file: a line and a column from 1, and an offset in bytes from 0.
#[pyclass(frozen, eq, from_py_object, module = "simd_hcl")]
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
    #[new]
    fn new(line: u64, column: u64, byte: u64) -> Self {
        Self { line, column, byte }
    }

    fn __getnewargs__(&self) -> (u64, u64, u64) {
        (self.line, self.column, self.byte)
    }

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
#[pyclass(frozen, eq, from_py_object, module = "simd_hcl")]
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
    #[new]
    fn new(filename: String, start: Position, end: Position) -> Self {
        Self { filename, start, end }
    }

    fn __getnewargs__(&self) -> (String, Position, Position) {
        (self.filename.clone(), self.start, self.end)
    }

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
#[pyclass(frozen, get_all, module = "simd_hcl")]
#[derive(Clone)]
pub(crate) struct Diagnostic {
    pub(crate) severity: String,
    pub(crate) code: String,
    pub(crate) summary: String,
    pub(crate) detail: String,
    pub(crate) help: Option<String>,
    pub(crate) range: Range,
    related: Vec<(String, Range)>,
    /// All of it on one line.
    text: String,
}

impl Diagnostic {
    /// All of it on one line.
    pub(crate) fn message(&self) -> &str {
        &self.text
    }

    pub(crate) fn is_error(&self) -> bool {
        self.severity == Severity::Error.as_str()
    }
}

impl From<OwnedDiagnostic> for Diagnostic {
    fn from(found: OwnedDiagnostic) -> Self {
        let text = found.to_string();
        let related = found.related.into_iter();
        Self {
            severity: found.severity.as_str().to_owned(),
            code: found.code.into_owned(),
            summary: found.summary.into_owned(),
            detail: found.detail,
            help: found.help,
            range: found.range.into(),
            related: related.map(|it| (it.message.into_owned(), it.range.into())).collect(),
            text,
        }
    }
}

/// The parts of a diagnostic.
type Parts = (String, String, String, String, Option<String>, Range, Vec<(String, Range)>, String);

#[pymethods]
impl Diagnostic {
    #[new]
    #[pyo3(signature = (severity, code, summary, detail, help, range, related, text))]
    #[expect(clippy::too_many_arguments, reason = "its attributes, as copies of it are made")]
    fn new(
        severity: String,
        code: String,
        summary: String,
        detail: String,
        help: Option<String>,
        range: Range,
        related: Vec<(String, Range)>,
        text: String,
    ) -> Self {
        Self { severity, code, summary, detail, help, range, related, text }
    }

    fn __getnewargs__(&self) -> Parts {
        let Self { severity, code, summary, detail, help, range, related, text } = self.clone();
        (severity, code, summary, detail, help, range, related, text)
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<Diagnostic {}>", self.text)
    }
}

/// Returns owned copies of diagnostics.
pub(crate) fn owned(found: &[Found<'_>]) -> Vec<Diagnostic> {
    found.iter().map(|it| OwnedDiagnostic::of(it).into()).collect()
}

/// The exception of these diagnostics. Its message is the first error, and how many more there are.
pub(crate) fn exception(found: Vec<Diagnostic>) -> PyErr {
    let first = found.iter().find(|it| it.is_error()).or(found.first());
    let mut message = first.map_or_else(|| "not valid".to_owned(), |first| first.text.clone());
    let more = found.iter().filter(|it| it.is_error()).count().saturating_sub(1);
    if more > 0 {
        message.push_str(&format!(" (and {more} more)"));
    }
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
    exception(vec![error.into()])
}

/// The exception of a file that could not be opened: an `OSError` if it cannot be read.
pub(crate) fn open_error(error: OwnedDiagnostic, path: &Path) -> PyErr {
    if error.known_code() != Some(Code::UnreadableFile) {
        return syntax_error(error);
    }
    // A directory can be opened, but not read.
    match std::fs::File::open(path).and_then(|mut file| file.read(&mut [0])) {
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
    exception(vec![found.into()])
}
