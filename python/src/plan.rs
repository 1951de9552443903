//! Plans and states: changes and resources, which are opened on access, without the sensitive values
//! unless they are asked for.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use simd_hcl::json::Node;
use simd_hcl::show::redact::{self, Places};
use simd_hcl::show::{
    ActionKind, Change, Content, DocumentKind, Index, Key, Leaf, List, Plan as View, RawState,
    ResourceChange, Shown, State as StateView,
};
use simd_hcl::{Diagnostic as Found, OwnedDocument};

use crate::document::Bytes;
use crate::error::{self, Diagnostic, Range};
use crate::shared::{
    DocumentFamily, OutputChangeFamily, PlanFamily, RawInstanceFamily, RawStateFamily,
    ResourceChangeFamily, Shared, StateFamily, StateResourceFamily,
};
use crate::table::{Columns, sequence};
use crate::value::to_python;

type Of<F> = Shared<F, OwnedDocument>;

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

    /// What is shown.
    fn shown(&self) -> &Shown {
        // Needs nothing of Python, so that no other thread waits for this one.
        &self.shown.get_or_init(|| self.find()).0
    }

    /// What is shown of values.
    ///
    /// # Errors
    /// The document may be misread.
    fn of_values(&self, py: Python<'_>) -> PyResult<&Shown> {
        let (shown, found) = py.detach(|| self.shown.get_or_init(|| self.find()));
        if shown.is_unclear() { Err(error::exception(found.clone())) } else { Ok(shown) }
    }

    /// A name of the document of a node without what is hidden.
    fn name(&self, of: Node<'_>, name: &str) -> String {
        self.shown().name(of, name).into_owned()
    }

    /// The key of an instance without what is hidden.
    fn index<'a>(&self, of: Node<'_>, index: Option<Index<'a>>) -> Option<Key<'a>> {
        Some(match index? {
            Index::Number(number) => Key::Number(number.text()),
            Index::Text(text) => Key::Text(self.shown().text(of, text).into_owned().into()),
        })
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

/// Reads a JSON document.
fn open(py: Python<'_>, path: &std::path::Path) -> PyResult<Of<DocumentFamily>> {
    let document = py.detach(|| OwnedDocument::open(path));
    Ok(Shared::root(Arc::new(document.map_err(|error| error::open_error(&error, path))?)))
}

fn parse(py: Python<'_>, name: &str, text: &[u8]) -> PyResult<Of<DocumentFamily>> {
    let document = py.detach(|| OwnedDocument::parse(name, text));
    let document = document.map_err(|error| error::syntax_error(&error, name, text))?;
    Ok(Shared::root(Arc::new(document)))
}

fn index_of(index: Option<Key<'_>>) -> Option<String> {
    match index? {
        Key::Number(digits) => Some(digits.to_owned()),
        Key::Text(text) => Some(text.into_owned()),
        Key::Unknown => None,
    }
}

/// The key of an instance as Python sees it.
fn index_to_python<'py>(py: Python<'py>, index: Option<Key<'_>>) -> PyResult<Bound<'py, PyAny>> {
    match index {
        Some(Key::Number(digits)) => to_python_number(py, digits),
        Some(Key::Text(text)) => Ok(text.into_pyobject(py)?.into_any()),
        Some(Key::Unknown) | None => Ok(py.None().into_bound(py)),
    }
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

    fn rows(&self, changes: impl for<'a> FnOnce(View<'a>) -> Vec<ResourceChange<'a>>) -> Changes {
        let changes = self.plan.map_all::<ResourceChangeFamily>(|plan, _| changes(plan));
        let row = |change| (change, Arc::clone(&self.secrets));
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

    /// The number of changes by the kind of their actions; zeros included.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let plan = &self.plan;
        let counts = py.detach(|| {
            plan.with(|plan| {
                let mut counts = ActionKind::ALL.map(|kind| (kind, 0_usize));
                for change in plan.changes() {
                    let kind = change.actions().kind();
                    for count in counts.iter_mut().filter(|(counted, _)| *counted == kind) {
                        count.1 += 1;
                    }
                }
                counts
            })
        });
        let dict = PyDict::new(py);
        for (kind, count) in counts {
            dict.set_item(kind.name(), count)?;
        }
        Ok(dict)
    }

    /// The planned changes, no-ops included.
    #[getter]
    fn changes(&self) -> Changes {
        self.rows(|plan| plan.changes().collect())
    }

    /// Changes outside of the tool.
    #[getter]
    fn drift(&self) -> Changes {
        self.rows(|plan| plan.drift().collect())
    }

    /// The changes of outputs, by name.
    #[getter]
    fn outputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for output in self.plan.map_all::<OutputChangeFamily>(|plan, _| plan.outputs().collect()) {
            let name =
                output.with(|(name, change)| self.secrets.name(change.object().node(), name));
            let secrets = Arc::clone(&self.secrets);
            dict.set_item(name, Py::new(py, OutputChange { output, secrets })?)?;
        }
        Ok(dict)
    }

    /// The values of the variables of the root module, by name.
    #[getter]
    fn variables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        self.plan.with(|plan| {
            for (name, variable) in plan.variables().value().into_iter().flat_map(|it| it.iter()) {
                let name = self.secrets.name(variable.object().node(), name);
                dict.set_item(name, self.secrets.value(py, variable.value())?)?;
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

type ChangeRow = (Of<ResourceChangeFamily>, Arc<Secrets>);

sequence! {
    /// The changes of resources.
    Changes of ChangeRow, ResourceChangeView
}

impl Changes {
    fn columns(&self) -> Columns {
        fn texts<'r>(
            rows: &'r [ChangeRow],
            get: impl for<'a> Fn(ResourceChange<'a>) -> Option<String> + 'r,
        ) -> impl Iterator<Item = Option<String>> + 'r {
            rows.iter().map(move |(change, _)| change.with(&get))
        }
        fn names<'r>(
            rows: &'r [ChangeRow],
            get: impl for<'a> Fn(ResourceChange<'a>) -> Option<&'a str> + 'r,
        ) -> impl Iterator<Item = Option<String>> + 'r {
            rows.iter().map(move |(change, secrets)| {
                change.with(|it| Some(secrets.name(it.object().node(), get(it)?)))
            })
        }
        let mut columns = Columns::default();
        let rows = &self.0[..];
        columns.text("address", names(rows, |it| it.address().value()));
        columns.text("previous_address", names(rows, |it| it.previous_address().value()));
        columns.text("module_address", names(rows, |it| it.module_address().value()));
        columns.text("mode", texts(rows, |it| Some(it.head().mode().name().to_owned())));
        columns.text("type", texts(rows, |it| owned(it.resource_type().value())));
        columns.text("name", names(rows, |it| it.name().value()));
        let index = |(change, secrets): &ChangeRow| {
            change.with(|it| index_of(secrets.index(it.object().node(), it.index().value())))
        };
        columns.text("index", rows.iter().map(index));
        columns.text("deposed", texts(rows, |it| owned(it.deposed().value())));
        columns.text("provider_name", texts(rows, |it| owned(it.provider_name().value())));
        columns.texts("actions", rows.iter().map(|(change, _)| change.with(actions_of)));
        let reason =
            |it: ResourceChange<'_>| it.action_reason().value().map(|it| it.name().to_owned());
        columns.text("action_reason", texts(rows, reason));
        let places: Vec<Range> = rows.iter().map(|(change, _)| change.with(range_of)).collect();
        columns.places(places.iter());
        columns
    }
}

fn actions_of(change: ResourceChange<'_>) -> Vec<String> {
    change.actions().iter().map(|action| action.name().to_owned()).collect()
}

fn range_of(change: ResourceChange<'_>) -> Range {
    let node = change.object().node();
    Range::of(node.source(), node.span())
}

/// The change of one resource instance.
#[pyclass(frozen, name = "ResourceChange", module = "simd_hcl")]
pub(crate) struct ResourceChangeView {
    change: Of<ResourceChangeFamily>,
    secrets: Arc<Secrets>,
}

impl ResourceChangeView {
    /// A name without what is hidden.
    fn name_of(
        &self,
        get: impl for<'a> FnOnce(ResourceChange<'a>) -> Option<&'a str>,
    ) -> Option<String> {
        self.change.with(|it| Some(self.secrets.name(it.object().node(), get(it)?)))
    }
}

impl From<ChangeRow> for ResourceChangeView {
    fn from((change, secrets): ChangeRow) -> Self {
        Self { change, secrets }
    }
}

#[pymethods]
impl ResourceChangeView {
    #[getter]
    fn address(&self) -> String {
        self.name_of(|it| Some(it.head().address())).unwrap_or_default()
    }

    #[getter]
    fn previous_address(&self) -> Option<String> {
        self.name_of(|it| it.previous_address().value())
    }

    #[getter]
    fn module_address(&self) -> Option<String> {
        self.name_of(|it| it.module_address().value())
    }

    #[getter]
    fn mode(&self) -> String {
        self.change.with(|it| it.head().mode().name().to_owned())
    }

    #[getter]
    fn r#type(&self) -> String {
        self.change.with(|it| it.head().resource_type().to_owned())
    }

    #[getter]
    fn name(&self) -> String {
        self.name_of(|it| Some(it.head().name())).unwrap_or_default()
    }

    /// The key of the instance: an integer for `count`, a string for `for_each`.
    #[getter]
    fn index<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.change.with(|it| {
            index_to_python(py, self.secrets.index(it.object().node(), it.index().value()))
        })
    }

    #[getter]
    fn deposed(&self) -> Option<String> {
        self.change.with(|it| owned(it.deposed().value()))
    }

    #[getter]
    fn provider_name(&self) -> Option<String> {
        self.change.with(|it| owned(it.provider_name().value()))
    }

    #[getter]
    fn actions(&self) -> Vec<String> {
        self.change.with(actions_of)
    }

    /// What the actions do together, such as `"replace"`.
    #[getter]
    fn action(&self) -> &'static str {
        self.change.with(|it| it.actions().kind().name())
    }

    #[getter]
    fn action_reason(&self) -> Option<String> {
        self.change.with(|it| it.action_reason().value().map(|it| it.name().to_owned()))
    }

    #[getter]
    fn before<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.change.with(|it| self.secrets.value(py, member(it.change().value(), "before")))
    }

    #[getter]
    fn after<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.change.with(|it| self.secrets.value(py, member(it.change().value(), "after")))
    }

    /// The parts of `after` that are not known yet, as the document marks them.
    #[getter]
    fn after_unknown<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.change.with(|it| self.secrets.value(py, member(it.change().value(), "after_unknown")))
    }

    /// Whether an existing object is imported.
    #[getter]
    fn is_import(&self) -> bool {
        self.change.with(|it| it.change().value().is_some_and(Change::is_import))
    }

    /// The values that differ, in the order of their paths.
    #[getter]
    fn differences<'py>(&self, py: Python<'py>) -> PyResult<Vec<Difference>> {
        self.change.with(|it| {
            let Some(change) = it.change().value() else { return Ok(Vec::new()) };
            differences(py, change, &self.secrets)
        })
    }

    #[getter]
    fn range(&self) -> Range {
        self.change.with(range_of)
    }

    fn __repr__(&self) -> String {
        format!("<ResourceChange {} {}>", self.action(), self.address())
    }
}

fn member<'a>(change: Option<Change<'a>>, name: &str) -> Option<Node<'a>> {
    change?.object().get(name)
}

fn differences(py: Python<'_>, change: Change<'_>, secrets: &Secrets) -> PyResult<Vec<Difference>> {
    let mut found = Vec::new();
    let mut walk = change.differences();
    let shown = secrets.of_values(py)?;
    while let Some(difference) = walk.next() {
        let is_hidden = shown.hides(&difference);
        let side = |leaf: Leaf<'_>| -> PyResult<Py<PyAny>> {
            Ok(match leaf.content {
                Content::Known(_) | Content::Null if is_hidden => {
                    redacted().into_pyobject(py)?.into_any().unbind()
                }
                Content::Known(node) => secrets.value(py, Some(node))?.unbind(),
                _ => py.None(),
            })
        };
        found.push(Difference {
            path: shown.path(walk.path()),
            before: side(difference.before)?,
            after: side(difference.after)?,
            unknown: matches!(difference.after.content, Content::Unknown)
                || difference.after.is_partly_unknown,
            sensitive: is_hidden || difference.is_sensitive(),
            forces_replacement: difference.forces_replacement,
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
    output: Of<OutputChangeFamily>,
    secrets: Arc<Secrets>,
}

#[pymethods]
impl OutputChange {
    #[getter]
    fn name(&self) -> String {
        self.output.with(|(name, change)| self.secrets.name(change.object().node(), name))
    }

    #[getter]
    fn actions(&self) -> Vec<String> {
        self.output.with(|(_, change)| {
            let actions = change.actions().value().into_iter().flat_map(|it| it.iter());
            actions.map(|action| action.name().to_owned()).collect()
        })
    }

    #[getter]
    fn before<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.output.with(|(_, change)| self.secrets.value(py, member(Some(change), "before")))
    }

    #[getter]
    fn after<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.output.with(|(_, change)| self.secrets.value(py, member(Some(change), "after")))
    }

    fn __repr__(&self) -> String {
        format!("<OutputChange {}>", self.name())
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
        let row = |view| (view, Arc::clone(&self.secrets));
        StateResources::new(match &self.view {
            StateKind::Printed(state) => {
                let resources = state.map_all::<StateResourceFamily>(|state, _| {
                    let mut resources = state.resources();
                    let mut found = Vec::new();
                    while let Some(resource) = resources.next() {
                        found.push((resources.module_address(), resource));
                    }
                    found
                });
                resources.into_iter().map(InstanceKind::Printed).map(row).collect()
            }
            StateKind::File(state) => {
                let instances = state.map_all::<RawInstanceFamily>(|state, _| {
                    let resources = state.resources().value().into_iter().flat_map(List::iter);
                    let instances = resources.flat_map(|resource| {
                        let instances =
                            resource.instances().value().into_iter().flat_map(List::iter);
                        instances.map(move |instance| (resource, instance))
                    });
                    instances.collect()
                });
                instances.into_iter().map(InstanceKind::File).map(row).collect()
            }
        })
    }

    /// The values of the outputs of the root module, by name.
    #[getter]
    fn outputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        match &self.view {
            StateKind::Printed(state) => state.with(|state| {
                for (name, output) in state.outputs() {
                    let name = self.secrets.name(output.object().node(), name);
                    dict.set_item(name, self.secrets.value(py, output.value())?)?;
                }
                Ok::<_, PyErr>(())
            }),
            StateKind::File(state) => state.with(|state| {
                for (name, output) in state.outputs().value().into_iter().flat_map(|it| it.iter()) {
                    let name = self.secrets.name(output.object().node(), name);
                    dict.set_item(name, self.secrets.value(py, output.value())?)?;
                }
                Ok(())
            }),
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

#[derive(Clone)]
pub(crate) enum InstanceKind {
    Printed(Of<StateResourceFamily>),
    File(Of<RawInstanceFamily>),
}

type InstanceRow = (InstanceKind, Arc<Secrets>);

sequence! {
    /// The resource instances of a state.
    StateResources of InstanceRow, StateResource
}

/// What both forms of a state say about an instance.
#[derive(Default)]
struct Facts {
    address: String,
    module_address: Option<String>,
    mode: Option<String>,
    resource_type: Option<String>,
    name: Option<String>,
    index: Option<String>,
    deposed: Option<String>,
    tainted: bool,
    provider_name: Option<String>,
    schema_version: Option<u64>,
    range: Option<Range>,
}

impl InstanceKind {
    fn facts(&self, secrets: &Secrets) -> Facts {
        let name = |node: Node<'_>, name: Option<&str>| Some(secrets.name(node, name?));
        match self {
            Self::Printed(resource) => resource.with(|(module, it)| Facts {
                address: name(it.object().node(), it.address().value()).unwrap_or_default(),
                module_address: name(it.object().node(), module),
                mode: it.mode().value().map(|mode| mode.name().to_owned()),
                resource_type: owned(it.resource_type().value()),
                name: name(it.object().node(), it.name().value()),
                index: index_of(secrets.index(it.object().node(), it.index().value())),
                deposed: owned(it.deposed_key().value()),
                tainted: it.tainted().value().unwrap_or(false),
                provider_name: owned(it.provider_name().value()),
                schema_version: it.schema_version().value(),
                range: Some(place_of(it.object().node())),
            }),
            Self::File(instance) => instance.with(|(resource, it)| Facts {
                address: secrets.name(it.object().node(), &it.address(resource)),
                module_address: name(it.object().node(), resource.module().value()),
                mode: resource.mode().value().map(|mode| mode.name().to_owned()),
                resource_type: owned(resource.resource_type().value()),
                name: name(it.object().node(), resource.name().value()),
                index: index_of(secrets.index(it.object().node(), it.index_key().value())),
                deposed: owned(it.deposed().value()),
                tainted: it.status().value() == Some("tainted"),
                provider_name: owned(resource.provider_name()),
                schema_version: it.schema_version().value(),
                range: Some(place_of(it.object().node())),
            }),
        }
    }
}

fn place_of(node: Node<'_>) -> Range {
    Range::of(node.source(), node.span())
}

impl StateResources {
    fn columns(&self) -> Columns {
        let facts: Vec<Facts> =
            self.0.iter().map(|(instance, secrets)| instance.facts(secrets)).collect();
        let rows = || facts.iter();
        let mut columns = Columns::default();
        columns.text("address", rows().map(|it| Some(it.address.as_str())));
        columns.text("module_address", rows().map(|it| it.module_address.as_deref()));
        columns.text("mode", rows().map(|it| it.mode.as_deref()));
        columns.text("type", rows().map(|it| it.resource_type.as_deref()));
        columns.text("name", rows().map(|it| it.name.as_deref()));
        columns.text("index", rows().map(|it| it.index.as_deref()));
        columns.text("deposed", rows().map(|it| it.deposed.as_deref()));
        columns.flag("tainted", rows().map(|it| Some(it.tainted)));
        columns.text("provider_name", rows().map(|it| it.provider_name.as_deref()));
        columns.number("schema_version", rows().map(|it| it.schema_version));
        columns.places(facts.iter().filter_map(|it| it.range.as_ref()));
        columns
    }
}

/// A resource instance of a state, or a deposed object of one.
#[pyclass(frozen, module = "simd_hcl")]
pub(crate) struct StateResource {
    instance: InstanceKind,
    secrets: Arc<Secrets>,
}

impl From<InstanceRow> for StateResource {
    fn from((instance, secrets): InstanceRow) -> Self {
        Self { instance, secrets }
    }
}

#[pymethods]
impl StateResource {
    #[getter]
    fn address(&self) -> String {
        self.instance.facts(&self.secrets).address
    }

    #[getter]
    fn module_address(&self) -> Option<String> {
        self.instance.facts(&self.secrets).module_address
    }

    #[getter]
    fn mode(&self) -> Option<String> {
        self.instance.facts(&self.secrets).mode
    }

    #[getter]
    fn r#type(&self) -> Option<String> {
        self.instance.facts(&self.secrets).resource_type
    }

    #[getter]
    fn name(&self) -> Option<String> {
        self.instance.facts(&self.secrets).name
    }

    #[getter]
    fn index<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.instance {
            InstanceKind::Printed(it) => it.with(|(_, it)| {
                index_to_python(py, self.secrets.index(it.object().node(), it.index().value()))
            }),
            InstanceKind::File(it) => it.with(|(_, it)| {
                index_to_python(py, self.secrets.index(it.object().node(), it.index_key().value()))
            }),
        }
    }

    #[getter]
    fn deposed(&self) -> Option<String> {
        self.instance.facts(&self.secrets).deposed
    }

    #[getter]
    fn tainted(&self) -> bool {
        self.instance.facts(&self.secrets).tainted
    }

    #[getter]
    fn provider_name(&self) -> Option<String> {
        self.instance.facts(&self.secrets).provider_name
    }

    #[getter]
    fn schema_version(&self) -> Option<u64> {
        self.instance.facts(&self.secrets).schema_version
    }

    /// The attributes.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.instance {
            InstanceKind::Printed(it) => {
                it.with(|(_, it)| self.secrets.value(py, it.object().get("values")))
            }
            InstanceKind::File(it) => it.with(|(_, it)| {
                let values = it.attributes().value().or_else(|| it.attributes_flat().value());
                self.secrets.value(py, values.map(|values| values.node()))
            }),
        }
    }

    #[getter]
    fn range(&self) -> Option<Range> {
        self.instance.facts(&self.secrets).range
    }

    fn __repr__(&self) -> String {
        format!("<StateResource {}>", self.address())
    }
}
