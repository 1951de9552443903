//! Copies of plans and states without their sensitive values.

use std::ffi::CString;

use pyo3::exceptions::{PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyString;
use simd_hcl::show::redact::{Options, Places, write_document};
use simd_hcl::show::{self, BodySchemas, Schemas};
use simd_hcl::{Arena, Diagnostic as Found, Document, ParseOptions, Sink, Source};

use crate::document::Bytes;
use crate::error::{Diagnostic, exception, owned, raise};
use crate::plan::{Plan, State};
use crate::shared::{DocumentFamily, Shared};

/// A document: read before, or its text.
#[derive(FromPyObject)]
pub(crate) enum Input<'py> {
    Plan(PyRef<'py, Plan>),
    State(PyRef<'py, State>),
    Text(Bytes),
}

/// The copy of a document, if there is one, and what is to be said about it.
type Copied = (Option<Vec<u8>>, Vec<Diagnostic>);

/// Returns a plan or a state without its sensitive values, and with every other byte.
#[pyfunction]
#[pyo3(signature = (
    document, *, name="plan.json", provider_schemas=None, keep_defaults=false, keep=Vec::new(), force=false
))]
pub(crate) fn redact<'py>(
    py: Python<'py>,
    document: Input<'py>,
    name: &str,
    provider_schemas: Option<Bytes>,
    keep_defaults: bool,
    keep: Vec<PyBackedStr>,
    force: bool,
) -> PyResult<Bound<'py, PyString>> {
    let mut options = Options::default().with_kept_defaults(keep_defaults).with_unmarked(force);
    for what in &keep {
        options = options.keeping(what).ok_or_else(|| {
            let what: &str = what;
            let names = "'defaults', 'provider-config' or 'repeated-text'";
            PyValueError::new_err(format!("keep must have {names}, not {what:?}"))
        })?;
    }
    let arena = Arena::new();
    let schemas = match &provider_schemas {
        Some(text) => Some(py.detach(|| schemas_of(&arena, text.as_ref()))?),
        None => None,
    };
    let schemas = schemas.as_ref();
    let of_view = |view: &Shared<DocumentFamily>| {
        Ok(py.detach(|| view.with(|read| copy_of(read, options, schemas, Vec::new()))))
    };
    let (copy, found) = match &document {
        Input::Plan(plan) => of_view(plan.document()),
        Input::State(state) => of_view(state.document()),
        Input::Text(text) => py.detach(|| of_text(name, text.as_ref(), options, schemas)),
    }?;
    let Some(copy) = copy else { return Err(exception(found)) };
    for warning in found {
        let text = CString::new(warning.message().replace('\0', "\\0"))?;
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)?;
    }
    PyString::from_bytes(py, &copy)
}

fn copy_of<'a>(
    document: Document<'a>,
    options: Options,
    schemas: Option<&BodySchemas<'_>>,
    mut found: Vec<Found<'a>>,
) -> Copied {
    let mut copy = Vec::new();
    // Memory has no errors.
    let written = write_document(document, options, schemas, &mut found, &mut copy);
    (written.unwrap_or(false).then_some(copy), owned(&found))
}

fn of_text(
    name: &str,
    text: &[u8],
    options: Options,
    schemas: Option<&BodySchemas<'_>>,
) -> PyResult<Copied> {
    let arena = Arena::new();
    let mut found = Vec::new();
    let document = document_of(&arena, name, text, Places::DEPTH, &mut found)?;
    Ok(copy_of(document, options, schemas, found))
}

/// The provider schemas in a text.
fn schemas_of<'a>(arena: &'a Arena, text: &'a [u8]) -> PyResult<BodySchemas<'a>> {
    let mut found = Vec::new();
    let document = document_of(arena, "schemas.json", text, Schemas::DEPTH, &mut found)?;
    let schemas = Schemas::of(document, &mut found);
    raise(&found)?;
    match schemas {
        Some(schemas) => Ok(BodySchemas::new(schemas)),
        None => Err(PyValueError::new_err("provider_schemas has no provider schemas")),
    }
}

fn document_of<'a>(
    arena: &'a Arena,
    name: &str,
    text: &'a [u8],
    depth: u32,
    sink: &mut dyn Sink<'a>,
) -> PyResult<Document<'a>> {
    let source = Source::from_bytes(arena, name, text)
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    let options = ParseOptions::default().with_skeleton_depth(depth);
    show::document(arena, source, &options, sink).map_err(|error| exception(owned(&[error])))
}
