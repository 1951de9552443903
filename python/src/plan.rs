//! Plans and states: changes and resources, which are opened on access, without the sensitive values
//! unless they are asked for.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use simd_hcl::json::Node;
use simd_hcl::show::redact::{self, Places};
use simd_hcl::show::rows::{self, Cell, Column, ColumnType, Row, Value};
use simd_hcl::show::{DocumentKind, Key, Plan as View, RawState, Shown, State as StateView};
use simd_hcl::{Diagnostic as Found, OwnedDocument};

use crate::document::Bytes;
use crate::error::{self, Diagnostic, Range};
use crate::shared::{
    ChangeFamily, DocumentFamily, Family, InstanceFamily, OutputChangeFamily, PlanFamily,
    RawStateFamily, Shared, StateFamily,
};
use crate::table::{Columns, sequence};
use crate::value::to_python;

type Of<F> = Shared<F>;

/// The text that stands for a sensitive value.
pub(crate) fn redacted() -> &'static str {
    redact::REDACTED.trim_matches('"')
}

/// A document, and what of it is shown.
pub(crate) struct Secrets {
    document: Of<DocumentFamily>,
    /// The state, if the document is a state file.
    file: Option<Of<RawStateFamily>>,
    show: bool,
    /// Found when the first value or name is asked for, with the diagnostics of a document that may be
    /// misread.
    shown: OnceLock<(Shown, Vec<Diagnostic>)>,
}

impl Secrets {
    fn new(
        document: &Of<DocumentFamily>,
        file: Option<Of<RawStateFamily>>,
        show: bool,
    ) -> Arc<Self> {
        Arc::new(Self { document: document.clone(), file, show, shown: OnceLock::new() })
    }

    fn find(&self) -> (Shown, Vec<Diagnostic>) {
        if self.show {
            return (Shown::everything(), Vec::new());
        }
        let options = redact::Options::default();
        let of_file = self.file.as_ref();
        let of_file =
            of_file.map(|it| it.with(|it| Shown::of_raw_state(it, options, None, &mut ())));
        self.document.with(|document| {
            let root = document.root();
            let shown = match (DocumentKind::of(root), of_file) {
                // The state is an upgraded copy.
                (DocumentKind::OldState, Some(upgraded)) => {
                    let places = root.as_object().map(|it| Places::of_old_state(it, options));
                    Shown::outside(root, places.unwrap_or_default()).and(upgraded)
                }
                (_, Some(shown)) => shown,
                (DocumentKind::Plan | DocumentKind::RedactedPlan | DocumentKind::Empty, None) => {
                    let plan = View::of(document, &mut ());
                    plan.map_or_else(Shown::everything, |it| Shown::of_plan(it, options))
                }
                (_, None) => {
                    let state = StateView::of(document, &mut ());
                    state.map_or_else(Shown::everything, |it| Shown::of_state(it, options))
                }
            };
            let mut found: Vec<Found<'_>> = Vec::new();
            if shown.is_unclear() {
                redact::check(root, &mut found);
            }
            (shown, error::owned(&found))
        })
    }

    /// Decides which names and values are shown.
    fn shown(&self) -> &Shown {
        // Needs nothing of Python, so that no other thread waits for this one.
        &self.shown.get_or_init(|| self.find()).0
    }

    /// The same, for readers of values.
    ///
    /// # Errors
    /// The document may be misread.
    fn of_values(&self, py: Python<'_>) -> PyResult<&Shown> {
        let (shown, found) = py.detach(|| self.shown.get_or_init(|| self.find()));
        if shown.is_unclear() { Err(error::exception(found.clone())) } else { Ok(shown) }
    }

    /// The value of a node without what is hidden.
    fn value<'py>(&self, py: Python<'py>, node: Option<Node<'_>>) -> PyResult<Bound<'py, PyAny>> {
        let Some(node) = node else { return Ok(py.None().into_bound(py)) };
        let shown = self.of_values(py)?;
        if !shown.hides_node(node) {
            return to_python(py, node);
        }
        let shown = error::parse(py, "value.json", &shown.value(node))?;
        shown.with(|file| match file.as_json() {
            Some(document) => to_python(py, document.root()),
            None => Ok(py.None().into_bound(py)),
        })
    }
}

/// A row of the library, and what of its document is shown.
pub(crate) struct RowOf<F: Family> {
    view: Of<F>,
    secrets: Arc<Secrets>,
}

impl<F: Family> Clone for RowOf<F> {
    fn clone(&self) -> Self {
        Self { view: self.view.clone(), secrets: Arc::clone(&self.secrets) }
    }
}

impl<F: Family> RowOf<F>
where
    for<'a> F::Of<'a>: Row<'a>,
{
    const COLUMNS: &'static [Column] = <F::Of<'static> as Row<'static>>::COLUMNS;

    /// Calls `read` with what the row has in a column.
    fn cell<R>(&self, name: &str, read: impl FnOnce(Cell<'_>) -> R) -> R {
        debug_assert!(Column::named(Self::COLUMNS, name).is_some(), "{name}");
        self.view.with(|row| read(row.cell(name, self.secrets.shown())))
    }

    fn text(&self, name: &str) -> Option<String> {
        self.cell(name, text_of)
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.cell(name, |cell| match cell {
            Cell::Number(number) => Some(number),
            _ => None,
        })
    }

    fn flag(&self, name: &str) -> bool {
        self.cell(name, |cell| matches!(cell, Cell::Flag(true)))
    }

    fn texts(&self, name: &str) -> Vec<String> {
        self.cell(name, |cell| match cell {
            Cell::Texts(texts) => texts.into_iter().map(String::from).collect(),
            _ => Vec::new(),
        })
    }

    /// The key of an instance: an integer for `count`, a string for `for_each`.
    fn key<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.cell(name, |cell| match cell {
            Cell::Key(Key::Number(digits)) => to_python_number(py, digits),
            Cell::Key(Key::Text(text)) => Ok(text.into_pyobject(py)?.into_any()),
            _ => Ok(py.None().into_bound(py)),
        })
    }

    fn value<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.secrets.of_values(py)?;
        self.cell(name, |cell| cell_to_python(py, cell))
    }

    fn range(&self) -> Range {
        self.view.with(|row| Range::of(row.node().source(), row.node().span()))
    }

    /// All columns of rows, and their places.
    fn columns(rows: &[Self]) -> Columns {
        let mut columns = Columns::default();
        for column in Self::COLUMNS {
            let name = column.name;
            match column.kind {
                ColumnType::Number => columns.number(name, rows.iter().map(|it| it.number(name))),
                ColumnType::Flag => columns.flag(name, rows.iter().map(|it| Some(it.flag(name)))),
                ColumnType::Texts => columns.texts(name, rows.iter().map(|it| it.texts(name))),
                _ => columns.text(name, rows.iter().map(|it| it.text(name))),
            }
        }
        let places: Vec<Range> = rows.iter().map(Self::range).collect();
        columns.places(places.iter());
        columns
    }
}

fn text_of(cell: Cell<'_>) -> Option<String> {
    match cell {
        Cell::Absent => None,
        Cell::Hidden => Some(redacted().to_owned()),
        cell => Some(cell.to_text().into_owned()),
    }
}

fn cell_to_python<'py>(py: Python<'py>, cell: Cell<'_>) -> PyResult<Bound<'py, PyAny>> {
    match cell {
        Cell::Value(node) => to_python(py, node),
        Cell::Hidden => Ok(redacted().into_pyobject(py)?.into_any()),
        _ => Ok(py.None().into_bound(py)),
    }
}

fn value_to_python<'py>(py: Python<'py>, value: Value<'_>) -> PyResult<Bound<'py, PyAny>> {
    cell_to_python(py, value.into())
}

/// Reads a JSON document.
fn open(py: Python<'_>, path: &std::path::Path) -> PyResult<Of<DocumentFamily>> {
    let document = py.detach(|| OwnedDocument::open(path));
    Ok(Shared::root(Arc::new(document.map_err(|error| error::open_error(*error, path))?)))
}

fn parse(py: Python<'_>, name: &str, text: &[u8]) -> PyResult<Of<DocumentFamily>> {
    let document = py.detach(|| OwnedDocument::parse(name, text));
    let document = document.map_err(|error| error::syntax_error(*error))?;
    Ok(Shared::root(Arc::new(document)))
}

fn to_python_number<'py>(py: Python<'py>, digits: &str) -> PyResult<Bound<'py, PyAny>> {
    match digits.parse::<i64>() {
        Ok(number) => Ok(number.into_pyobject(py)?.into_any()),
        Err(_) => Ok(digits.into_pyobject(py)?.into_any()),
    }
}

fn owned(text: Option<&str>) -> Option<String> {
    text.map(str::to_owned)
}

/// A plan, as `show -json` prints it.
#[pyclass(frozen, module = "simd_hcl")]
pub(crate) struct Plan {
    plan: Of<PlanFamily>,
    secrets: Arc<Secrets>,
}

impl Plan {
    fn new(document: &Of<DocumentFamily>, show_sensitive: bool) -> PyResult<Self> {
        document.with(|document| {
            let mut found: Vec<Found<'_>> = Vec::new();
            let is_plan = View::of(document, &mut found).is_some();
            if is_plan { Ok(()) } else { Err(error::exception(error::owned(&found))) }
        })?;
        let plan = document.try_map::<PlanFamily>(|document, _| View::of(document, &mut ()));
        let plan = plan.ok_or_else(|| error::exception(Vec::new()))?;
        Ok(Self { plan, secrets: Secrets::new(document, None, show_sensitive) })
    }

    /// The document that it was read from.
    pub(crate) fn document(&self) -> &Of<DocumentFamily> {
        &self.secrets.document
    }

    fn rows(&self, changes: impl for<'a> FnOnce(View<'a>) -> Vec<rows::Change<'a>>) -> Changes {
        let changes = self.plan.map_all::<ChangeFamily>(|plan, _| changes(plan));
        let row = |view| RowOf { view, secrets: Arc::clone(&self.secrets) };
        Changes::new(changes.into_iter().map(row).collect())
    }
}

#[pymethods]
impl Plan {
    /// Reads a file.
    #[staticmethod]
    #[pyo3(name = "open", signature = (path, *, show_sensitive=false))]
    fn open_file(py: Python<'_>, path: PathBuf, show_sensitive: bool) -> PyResult<Self> {
        Self::new(&open(py, &path)?, show_sensitive)
    }

    /// Parses a text.
    #[staticmethod]
    #[pyo3(name = "parse", signature = (text, *, name="plan.json", show_sensitive=false))]
    fn parse_text(py: Python<'_>, text: Bytes, name: &str, show_sensitive: bool) -> PyResult<Self> {
        Self::new(&parse(py, name, text.as_ref())?, show_sensitive)
    }

    #[getter]
    fn format_version(&self) -> Option<String> {
        self.plan.with(|plan| owned(plan.format_version().value()))
    }

    #[getter]
    fn terraform_version(&self) -> Option<String> {
        self.plan.with(|plan| owned(plan.terraform_version().value()))
    }

    #[getter]
    fn timestamp(&self) -> Option<String> {
        self.plan.with(|plan| owned(plan.timestamp().value()))
    }

    #[getter]
    fn errored(&self) -> Option<bool> {
        self.plan.with(|plan| plan.errored().value())
    }

    #[getter]
    fn complete(&self) -> Option<bool> {
        self.plan.with(|plan| plan.complete().value())
    }

    #[getter]
    fn applyable(&self) -> Option<bool> {
        self.plan.with(|plan| plan.applyable().value())
    }

    /// The number of changes by the kind of their actions, and of those that import or move an object;
    /// zeros included.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let plan = &self.plan;
        let summary = py.detach(|| plan.with(|plan| plan.summary()));
        let dict = PyDict::new(py);
        for (name, count) in summary.iter() {
            dict.set_item(name, count)?;
        }
        Ok(dict)
    }

    /// The planned changes, no-ops included.
    #[getter]
    fn changes(&self) -> Changes {
        self.rows(|plan| plan.change_rows().collect())
    }

    /// Changes outside of the tool.
    #[getter]
    fn drift(&self) -> Changes {
        self.rows(|plan| plan.drift_rows().collect())
    }

    /// The changes of outputs, by name.
    #[getter]
    fn outputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        let outputs = self.plan.map_all::<OutputChangeFamily>(|it, _| it.output_rows().collect());
        for view in outputs {
            let row = RowOf { view, secrets: Arc::clone(&self.secrets) };
            let name = row.text("name");
            dict.set_item(name, Py::new(py, OutputChange { row })?)?;
        }
        Ok(dict)
    }

    /// The values of the variables of the root module, by name.
    #[getter]
    fn variables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        let shown = self.secrets.of_values(py)?;
        self.plan.with(|plan| {
            for variable in plan.variable_rows() {
                let name = variable.name(shown).unwrap_or_default();
                dict.set_item(name, value_to_python(py, variable.value(shown))?)?;
            }
            Ok::<_, PyErr>(())
        })?;
        Ok(dict)
    }

    /// The whole document as dictionaries and lists.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.plan.with(|plan| self.secrets.value(py, Some(plan.object().node())))
    }

    fn __repr__(&self) -> String {
        let changes = self.plan.with(|plan| plan.changes().count());
        format!("<Plan with {changes} changes>")
    }
}

type ChangeRow = RowOf<ChangeFamily>;

sequence! {
    /// The changes of resources.
    Changes of ChangeRow, ResourceChangeView
}

impl Changes {
    /// Those of the rows, and the values before and after as JSON.
    fn columns(&self) -> Columns {
        let mut columns = RowOf::columns(&self.0);
        let side = |row: &ChangeRow, is_after: bool| {
            let shown = row.secrets.shown();
            row.view.with(|it| {
                let value = if is_after { it.after(shown) } else { it.before(shown) };
                text_of(value.into())
            })
        };
        columns.text("before", self.0.iter().map(|row| side(row, false)));
        columns.text("after", self.0.iter().map(|row| side(row, true)));
        columns
    }
}

/// The change of one resource instance.
#[pyclass(frozen, name = "ResourceChange", module = "simd_hcl")]
pub(crate) struct ResourceChangeView {
    row: ChangeRow,
}

impl From<ChangeRow> for ResourceChangeView {
    fn from(row: ChangeRow) -> Self {
        Self { row }
    }
}

impl ResourceChangeView {
    fn side<'py>(
        &self,
        py: Python<'py>,
        read: impl for<'a> FnOnce(rows::Change<'a>, &Shown) -> Value<'a>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let shown = self.row.secrets.of_values(py)?;
        self.row.view.with(|it| value_to_python(py, read(it, shown)))
    }
}

#[pymethods]
impl ResourceChangeView {
    /// `"change"`, or `"drift"` for a change outside of the tool.
    #[getter]
    fn kind(&self) -> Option<String> {
        self.row.text("kind")
    }

    #[getter]
    fn address(&self) -> Option<String> {
        self.row.text("address")
    }

    #[getter]
    fn previous_address(&self) -> Option<String> {
        self.row.text("previous_address")
    }

    #[getter]
    fn module_address(&self) -> Option<String> {
        self.row.text("module_address")
    }

    #[getter]
    fn mode(&self) -> Option<String> {
        self.row.text("mode")
    }

    #[getter]
    fn r#type(&self) -> Option<String> {
        self.row.text("type")
    }

    #[getter]
    fn name(&self) -> Option<String> {
        self.row.text("name")
    }

    /// The key of the instance: an integer for `count`, a string for `for_each`.
    #[getter]
    fn index<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.row.key(py, "index")
    }

    /// Whether the key of the instance is not known yet.
    #[getter]
    fn index_unknown(&self) -> bool {
        self.row.flag("index_unknown")
    }

    #[getter]
    fn deposed(&self) -> Option<String> {
        self.row.text("deposed")
    }

    #[getter]
    fn provider_name(&self) -> Option<String> {
        self.row.text("provider_name")
    }

    #[getter]
    fn actions(&self) -> Vec<String> {
        self.row.texts("actions")
    }

    /// The kind of the actions together, such as `"replace"`.
    #[getter]
    fn action(&self) -> Option<String> {
        self.row.text("action")
    }

    #[getter]
    fn action_reason(&self) -> Option<String> {
        self.row.text("action_reason")
    }

    #[getter]
    fn before<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.side(py, |it, shown| it.before(shown))
    }

    #[getter]
    fn after<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.side(py, |it, shown| it.after(shown))
    }

    /// The parts of `after` that are not known yet, as the document marks them.
    #[getter]
    fn after_unknown<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.side(py, |it, shown| it.after_unknown(shown))
    }

    /// Whether an existing object is imported.
    #[getter]
    fn is_import(&self) -> bool {
        self.row.flag("is_import")
    }

    /// The object that is imported: an ID, an identity, or that it is not known yet.
    #[getter]
    fn importing<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.row.value(py, "importing")
    }

    /// The configuration that was generated for an import, in native syntax.
    #[getter]
    fn generated_config(&self) -> Option<String> {
        self.row.text("generated_config")
    }

    /// The values that differ, in the order of their paths.
    #[getter]
    fn differences(&self, py: Python<'_>) -> PyResult<Vec<Difference>> {
        let shown = self.row.secrets.of_values(py)?;
        self.row.view.with(|row| differences(py, row, shown))
    }

    #[getter]
    fn range(&self) -> Range {
        self.row.range()
    }

    fn __repr__(&self) -> String {
        let text = |name| self.row.text(name).unwrap_or_default();
        format!("<ResourceChange {} {}>", text("action"), text("address"))
    }
}

fn differences(py: Python<'_>, row: rows::Change<'_>, shown: &Shown) -> PyResult<Vec<Difference>> {
    let mut found = Vec::new();
    let entry = row.entry();
    let Some(change) = entry.change().value() else { return Ok(found) };
    let mut walk = change.differences().of_instance(entry.head().address());
    while let Some(leaf) = walk.next_row(row.node()) {
        found.push(Difference {
            path: leaf.path(shown).unwrap_or_default().into_owned(),
            before: value_to_python(py, leaf.before(shown))?.unbind(),
            after: value_to_python(py, leaf.after(shown))?.unbind(),
            unknown: leaf.is_unknown(shown),
            sensitive: leaf.is_sensitive(shown),
            forces_replacement: leaf.forces_replacement(shown),
        });
    }
    Ok(found)
}

/// A value that differs between before and after.
#[pyclass(frozen, module = "simd_hcl")]
pub(crate) struct Difference {
    #[pyo3(get)]
    path: String,
    #[pyo3(get)]
    before: Py<PyAny>,
    #[pyo3(get)]
    after: Py<PyAny>,
    #[pyo3(get)]
    unknown: bool,
    #[pyo3(get)]
    sensitive: bool,
    #[pyo3(get)]
    forces_replacement: bool,
}

#[pymethods]
impl Difference {
    fn __repr__(&self) -> String {
        format!("<Difference {}>", self.path)
    }
}

/// The change of an output of the root module.
#[pyclass(frozen, module = "simd_hcl")]
pub(crate) struct OutputChange {
    row: RowOf<OutputChangeFamily>,
}

#[pymethods]
impl OutputChange {
    #[getter]
    fn name(&self) -> Option<String> {
        self.row.text("name")
    }

    /// The kind of the actions together, such as `"replace"`.
    #[getter]
    fn action(&self) -> Option<String> {
        self.row.text("action")
    }

    #[getter]
    fn actions(&self) -> Vec<String> {
        self.row.texts("actions")
    }

    /// Whether a part of the value, before or after, is sensitive or hidden.
    #[getter]
    fn sensitive(&self) -> bool {
        self.row.flag("sensitive")
    }

    #[getter]
    fn before<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.row.value(py, "before")
    }

    #[getter]
    fn after<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.row.value(py, "after")
    }

    fn __repr__(&self) -> String {
        format!("<OutputChange {}>", self.name().unwrap_or_default())
    }
}

/// A state: what `show -json` prints, or a state file.
#[pyclass(frozen, module = "simd_hcl")]
pub(crate) struct State {
    view: StateKind,
    secrets: Arc<Secrets>,
}

enum StateKind {
    Printed(Of<StateFamily>),
    File(Of<RawStateFamily>),
}

impl State {
    /// The document that it was read from.
    pub(crate) fn document(&self) -> &Of<DocumentFamily> {
        &self.secrets.document
    }

    fn new(document: &Of<DocumentFamily>, show_sensitive: bool) -> PyResult<Self> {
        let is_file = document.with(|document| {
            let kind = DocumentKind::of(document.root());
            matches!(kind, DocumentKind::RawState | DocumentKind::OldState)
        });
        let view = match is_file {
            true => {
                let state = document.try_map::<RawStateFamily>(|it, _| RawState::of(it, &mut ()));
                state.map(StateKind::File)
            }
            false => {
                let state = document.try_map::<StateFamily>(|it, _| StateView::of(it, &mut ()));
                state.map(StateKind::Printed)
            }
        };
        match view {
            Some(view) => {
                let file = match &view {
                    StateKind::File(state) => Some(state.clone()),
                    StateKind::Printed(_) => None,
                };
                Ok(Self { view, secrets: Secrets::new(document, file, show_sensitive) })
            }
            None => document.with(|document| {
                let mut found: Vec<Found<'_>> = Vec::new();
                if is_file {
                    RawState::of(document, &mut found);
                } else {
                    StateView::of(document, &mut found);
                }
                Err(error::exception(error::owned(&found)))
            }),
        }
    }
}

#[pymethods]
impl State {
    /// Reads a file.
    #[staticmethod]
    #[pyo3(name = "open", signature = (path, *, show_sensitive=false))]
    fn open_file(py: Python<'_>, path: PathBuf, show_sensitive: bool) -> PyResult<Self> {
        Self::new(&open(py, &path)?, show_sensitive)
    }

    /// Parses a text.
    #[staticmethod]
    #[pyo3(name = "parse", signature = (text, *, name="state.json", show_sensitive=false))]
    fn parse_text(py: Python<'_>, text: Bytes, name: &str, show_sensitive: bool) -> PyResult<Self> {
        Self::new(&parse(py, name, text.as_ref())?, show_sensitive)
    }

    /// The version of the format; `None` for a state file.
    #[getter]
    fn format_version(&self) -> Option<String> {
        match &self.view {
            StateKind::Printed(state) => state.with(|it| owned(it.format_version().value())),
            StateKind::File(_) => None,
        }
    }

    #[getter]
    fn terraform_version(&self) -> Option<String> {
        match &self.view {
            StateKind::Printed(state) => state.with(|it| owned(it.terraform_version().value())),
            StateKind::File(state) => state.with(|it| owned(it.terraform_version().value())),
        }
    }

    /// How often a state file has been written; `None` for a printed state.
    #[getter]
    fn serial(&self) -> Option<u64> {
        match &self.view {
            StateKind::Printed(_) => None,
            StateKind::File(state) => state.with(|it| it.serial().value()),
        }
    }

    #[getter]
    fn lineage(&self) -> Option<String> {
        match &self.view {
            StateKind::Printed(_) => None,
            StateKind::File(state) => state.with(|it| owned(it.lineage().value())),
        }
    }

    /// The resource instances of all modules.
    #[getter]
    fn resources(&self) -> StateResources {
        let instances = match &self.view {
            StateKind::Printed(state) => {
                state.map_all::<InstanceFamily>(|state, _| state.instances().collect())
            }
            StateKind::File(state) => {
                state.map_all::<InstanceFamily>(|state, _| state.instances().collect())
            }
        };
        let row = |view| RowOf { view, secrets: Arc::clone(&self.secrets) };
        StateResources::new(instances.into_iter().map(row).collect())
    }

    /// The values of the outputs of the root module, by name.
    #[getter]
    fn outputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        let shown = self.secrets.of_values(py)?;
        let add = |output: rows::Output<'_>| {
            let name = output.name(shown).unwrap_or_default();
            dict.set_item(name, value_to_python(py, output.value(shown))?)
        };
        match &self.view {
            StateKind::Printed(state) => state.with(|state| state.output_rows().try_for_each(add)),
            StateKind::File(state) => state.with(|state| state.output_rows().try_for_each(add)),
        }?;
        Ok(dict)
    }

    /// The whole document as dictionaries and lists.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.secrets.document.with(|document| self.secrets.value(py, Some(document.root())))
    }

    fn __repr__(&self) -> String {
        format!("<State with {} resources>", self.resources().0.len())
    }
}

type InstanceRow = RowOf<InstanceFamily>;

sequence! {
    /// The resource instances of a state.
    StateResources of InstanceRow, StateResource
}

impl StateResources {
    fn columns(&self) -> Columns {
        RowOf::columns(&self.0)
    }
}

/// A resource instance of a state, or a deposed object of one.
#[pyclass(frozen, module = "simd_hcl")]
pub(crate) struct StateResource {
    row: InstanceRow,
}

impl From<InstanceRow> for StateResource {
    fn from(row: InstanceRow) -> Self {
        Self { row }
    }
}

#[pymethods]
impl StateResource {
    #[getter]
    fn address(&self) -> Option<String> {
        self.row.text("address")
    }

    #[getter]
    fn module_address(&self) -> Option<String> {
        self.row.text("module_address")
    }

    #[getter]
    fn mode(&self) -> Option<String> {
        self.row.text("mode")
    }

    #[getter]
    fn r#type(&self) -> Option<String> {
        self.row.text("type")
    }

    #[getter]
    fn name(&self) -> Option<String> {
        self.row.text("name")
    }

    #[getter]
    fn index<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.row.key(py, "index")
    }

    #[getter]
    fn deposed(&self) -> Option<String> {
        self.row.text("deposed")
    }

    #[getter]
    fn tainted(&self) -> bool {
        self.row.flag("tainted")
    }

    #[getter]
    fn provider_name(&self) -> Option<String> {
        self.row.text("provider_name")
    }

    #[getter]
    fn schema_version(&self) -> Option<u64> {
        self.row.number("schema_version")
    }

    /// The attributes.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let shown = self.row.secrets.of_values(py)?;
        self.row.view.with(|it| value_to_python(py, it.values(shown)))
    }

    #[getter]
    fn range(&self) -> Range {
        self.row.range()
    }

    fn __repr__(&self) -> String {
        format!("<StateResource {}>", self.address().unwrap_or_default())
    }
}
