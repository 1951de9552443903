//! The functions of the npm package `simd-hcl`. Each takes texts and returns data; `js/` has their
//! types. Errors in an input are part of the result, with their places.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use simd_hcl::convert::{to_json, to_native};
use simd_hcl::dialect::{FileKind, List};
use simd_hcl::directory::{Location, MemoryFiles, in_memory};
use simd_hcl::format::{Style, format as formatted};
use simd_hcl::report::Range;
use simd_hcl::show::redact;
use simd_hcl::show::rows::{self, Cell, Row, Value};
use simd_hcl::show::{self, BodySchemas, DocumentKind, Plan, RawState, Schemas, Shown, State};
use simd_hcl::structure::File;
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::write::{Layout, to_string};
use simd_hcl::{
    Arena, Diagnostic, Dialect, Document, OwnedDiagnostic, ParseOptions, ParsedFile, Severity,
    Source,
};
use wasm_bindgen::prelude::*;

/// Returns data as a value of JavaScript.
fn value(data: &impl Serialize) -> Result<JsValue, JsValue> {
    let text = serde_json::to_string(data).map_err(|error| JsError::new(&error.to_string()))?;
    js_sys::JSON::parse(&text)
}

/// A call that is wrong: the exceptions of the package.
fn misused(message: &str) -> JsValue {
    js_sys::TypeError::new(message).into()
}

/// A part of the answer that is missing.
#[derive(Serialize)]
struct Gap {
    what: &'static str,
    r#where: String,
    why: String,
}

/// The names and contents of files.
struct Files {
    contents: Vec<(String, Arc<[u8]>)>,
    dialect: Option<Dialect>,
}

impl Files {
    /// Reads an object whose members are texts or `Uint8Array`s.
    fn of(files: &JsValue, dialect: Option<String>) -> Result<Self, JsValue> {
        let dialect = match dialect {
            Some(name) => Some(name.parse().map_err(|_| {
                misused("dialect must be \"opentofu\", \"terraform\" or \"packer\"")
            })?),
            None => None,
        };
        let Some(object) = js_sys::Object::try_from(files) else {
            return Err(misused("files must be an object of names and contents"));
        };
        let mut contents = Vec::new();
        for entry in js_sys::Object::entries(object).iter() {
            let entry = js_sys::Array::from(&entry);
            let Some(name) = entry.get(0).as_string() else { continue };
            let content = bytes(&entry.get(1))?;
            contents.push((name, content.into()));
        }
        Ok(Self { contents, dialect })
    }

    /// Calls `read` with the tree of the files, and what is not in it.
    fn with_tree<R>(&self, checks: bool, read: impl FnOnce(&Tree<'_>, Vec<Gap>) -> R) -> R {
        let mut gaps = Vec::new();
        let mut gap = |name: &str, why: String| {
            gaps.push(Gap { what: "file", r#where: name.to_owned(), why });
        };
        let mut files = MemoryFiles::new("");
        for (name, content) in &self.contents {
            if let Err(error) = files.insert(name, Arc::clone(content)) {
                gap(name, error.to_string());
            }
        }
        let mut names: BTreeSet<String> = files.paths().map(str::to_owned).collect();
        let modules = in_memory(files, self.dialect);
        for file in modules.iter().flat_map(|module| &module.files) {
            names.remove(&*file.path.to_string_lossy());
        }
        for name in names {
            gap(&name, "not the name of a configuration file".to_owned());
        }
        let arena = Arena::new();
        let mut tree = Tree::load(&arena, modules, &TreeOptions::default());
        if checks {
            tree.check_bodies(&BodySchemas::built_in(&arena));
            tree.check_roots(|_| None);
        }
        let undecoded = tree.modules().iter().map(|it| (&it.undecoded, &it.diagnostics));
        let of_templates = tree.templates().iter().map(|it| (&it.undecoded, &it.diagnostics));
        for (undecoded, found) in undecoded.chain(of_templates) {
            for source in undecoded {
                let mut errors = found.iter().filter(|it| it.severity() == Severity::Error);
                let reason = errors.find(|it| it.source().id() == source.id());
                gaps.push(Gap {
                    what: "file",
                    r#where: source.name().to_owned(),
                    why: reason.map_or("not decoded", |it| it.summary()).to_owned(),
                });
            }
        }
        read(&tree, gaps)
    }
}

/// The bytes of a text or a `Uint8Array`.
fn bytes(content: &JsValue) -> Result<Vec<u8>, JsValue> {
    if let Some(text) = content.as_string() {
        return Ok(text.into_bytes());
    }
    match content.dyn_ref::<js_sys::Uint8Array>() {
        Some(bytes) => Ok(bytes.to_vec()),
        None => Err(misused("a content must be a string or a Uint8Array")),
    }
}

fn path_of(directory: &Location) -> String {
    let path = directory.to_string_lossy();
    if path.is_empty() { ".".to_owned() } else { path.into_owned() }
}

/// Diagnostics by file and place.
fn sorted<'d, 'a: 'd>(found: impl Iterator<Item = &'d Diagnostic<'a>>) -> Vec<OwnedDiagnostic> {
    let mut found: Vec<_> = found.map(OwnedDiagnostic::of).collect();
    found.sort_by(|left, right| {
        let key = |it: &OwnedDiagnostic| (it.range.start.byte, it.range.end.byte);
        left.range.filename.cmp(&right.range.filename).then(key(left).cmp(&key(right)))
    });
    found
}

/// Checks files, as `simd-hcl check` does.
#[wasm_bindgen]
pub fn check(files: &JsValue, dialect: Option<String>) -> Result<JsValue, JsValue> {
    #[derive(Serialize)]
    struct Answer {
        format_version: &'static str,
        valid: bool,
        error_count: usize,
        warning_count: usize,
        diagnostics: Vec<OwnedDiagnostic>,
        incomplete: Vec<Gap>,
    }
    let answer = Files::of(files, dialect)?.with_tree(true, |tree, incomplete| {
        let diagnostics = sorted(tree.diagnostics());
        let error_count = diagnostics.iter().filter(|it| it.is_error()).count();
        let warning_count = diagnostics.len() - error_count;
        Answer {
            format_version: "1.0",
            valid: error_count == 0,
            error_count,
            warning_count,
            diagnostics,
            incomplete,
        }
    });
    value(&answer)
}

/// Lists modules and what they declare.
#[wasm_bindgen]
pub fn inspect(files: &JsValue, dialect: Option<String>) -> Result<JsValue, JsValue> {
    #[derive(Serialize)]
    struct Answer<'t, 'a> {
        modules: &'t Tree<'a>,
        incomplete: Vec<Gap>,
    }
    let files = Files::of(files, dialect)?;
    files.with_tree(false, |tree, incomplete| value(&Answer { modules: tree, incomplete }))
}

/// Lists the references between objects.
#[wasm_bindgen]
pub fn references(files: &JsValue, dialect: Option<String>) -> Result<JsValue, JsValue> {
    #[derive(Serialize)]
    struct Reference {
        module: String,
        from: String,
        to: String,
        kind: &'static str,
        text: String,
        range: Range,
    }
    #[derive(Serialize)]
    struct Answer {
        references: Vec<Reference>,
        incomplete: Vec<Gap>,
    }
    let answer = Files::of(files, dialect)?.with_tree(false, |tree, incomplete| {
        let mut references = Vec::new();
        for module in tree.given() {
            module.module.visit_references(|object, _, traversal| {
                let (to, kind) = module.module.target(traversal);
                references.push(Reference {
                    module: path_of(&module.files.directory()),
                    from: object.to_string(),
                    to,
                    kind,
                    text: traversal.to_string(),
                    range: Range::of(traversal.source(), traversal.span()),
                });
            });
        }
        for template in tree.templates() {
            template.template.visit_references(|object, reference| {
                let text = reference.to_string();
                let (to, kind) = match &reference.subject {
                    Ok(subject) => (subject.to_string(), subject.kind()),
                    Err(_) => (text.clone(), "unknown"),
                };
                references.push(Reference {
                    module: path_of(&template.files.directory()),
                    from: object.to_string(),
                    to,
                    kind,
                    text,
                    range: Range::of(reference.label.source, reference.label.span),
                });
            });
        }
        Answer { references, incomplete }
    });
    value(&answer)
}

/// Returns the dependencies between objects, across modules.
#[wasm_bindgen]
pub fn graph(files: &JsValue, dialect: Option<String>) -> Result<JsValue, JsValue> {
    #[derive(Serialize)]
    struct Node {
        id: String,
        kind: &'static str,
        module: String,
        address: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        range: Option<Range>,
    }
    #[derive(Serialize)]
    struct Edge {
        from: String,
        to: String,
    }
    #[derive(Serialize)]
    struct Answer {
        nodes: Vec<Node>,
        edges: Vec<Edge>,
        incomplete: Vec<Gap>,
    }
    let answer = Files::of(files, dialect)?.with_tree(false, |tree, incomplete| {
        let graph = tree.graph();
        let node = |node: simd_hcl::tree::GraphNode<'_>| {
            let module = &tree.modules()[node.module];
            let (path, address) = (path_of(&module.files.directory()), node.object.to_string());
            Node {
                id: if path == "." { address.clone() } else { format!("{path}:{address}") },
                kind: node.object.block_kind().name(),
                module: path,
                address,
                range: module
                    .module
                    .declaration(node.object)
                    .map(|at| Range::of(at.source, at.span)),
            }
        };
        let nodes: Vec<Node> = graph.nodes().map(node).collect();
        let mut edges = Vec::new();
        for (number, from) in nodes.iter().enumerate() {
            for to in graph.needs(number as u32) {
                let to = nodes[to as usize].id.clone();
                edges.push(Edge { from: from.id.clone(), to });
            }
        }
        Answer { nodes, edges, incomplete }
    });
    value(&answer)
}

/// A text, unless it has errors.
#[derive(Serialize)]
struct Written {
    text: Option<String>,
    diagnostics: Vec<OwnedDiagnostic>,
}

impl Written {
    fn new(text: Option<String>, found: &[Diagnostic<'_>]) -> Self {
        Self { text, diagnostics: found.iter().map(OwnedDiagnostic::of).collect() }
    }
}

/// The dialect and the role that a name says.
fn kind_of(name: &str) -> Option<(Dialect, List)> {
    let name = Path::new(name).file_name().unwrap_or(OsStr::new(name));
    let dialects = [Dialect::OpenTofu, Dialect::Terraform, Dialect::Packer];
    let known = dialects.into_iter().find_map(|it| Some((it, FileKind::of_known(name, it)?)));
    let (dialect, kind) = known?;
    (kind.list != List::Other).then_some((dialect, kind.list))
}

/// Parses a text, and calls `read` with the file if it has no errors.
fn with_file(
    name: &str,
    text: &[u8],
    read: impl FnOnce(ParsedFile<'_>) -> Written,
) -> Result<JsValue, JsValue> {
    let arena = Arena::new();
    let source =
        Source::from_bytes(&arena, name, text).map_err(|error| misused(&error.to_string()))?;
    let written = match ParsedFile::read(&arena, source) {
        Err(error) => Written::new(None, &[error]),
        Ok(file) => match file.diagnostics().iter().any(|it| it.severity() == Severity::Error) {
            true => Written::new(None, file.diagnostics()),
            false => read(file),
        },
    };
    value(&written)
}

/// Converts a file to the other syntax. Its name decides which one it is in.
#[wasm_bindgen]
pub fn convert(content: &JsValue, name: &str) -> Result<JsValue, JsValue> {
    with_file(name, &bytes(content)?, |file| match (file.as_native(), file.as_json()) {
        (None, None) => Written::new(None, &[]),
        (native, document) => {
            let mut found: Vec<Diagnostic<'_>> = Vec::new();
            let converted = match (native, document) {
                (Some(native), _) => Some(to_json(native, kind_of(name), &mut found)),
                (None, document) => document
                    .map(|document| to_native(document, kind_of(name), &|_, _| None, &mut found)),
            };
            let has_errors = found.iter().any(|it| it.severity() == Severity::Error);
            Written::new(converted.filter(|_| !has_errors).map(|it| it.text), &found)
        }
    })
}

/// Writes a native file in canonical layout.
#[wasm_bindgen]
pub fn format(content: &JsValue, name: &str) -> Result<JsValue, JsValue> {
    let arena = Arena::new();
    let text = bytes(content)?;
    let source =
        Source::from_bytes(&arena, name, &text).map_err(|error| misused(&error.to_string()))?;
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    let file = File::parse(&arena, source, &mut found);
    let style = match kind_of(name) {
        Some((Dialect::Packer, _)) => Style::Packer,
        _ => Style::Tofu,
    };
    let text = formatted(file, style, &mut found);
    value(&Written::new(text, &found))
}

/// Lists the events of a file of either syntax.
#[wasm_bindgen]
pub fn events(content: &JsValue, name: &str) -> Result<JsValue, JsValue> {
    #[derive(Serialize)]
    struct Event<'a> {
        kind: &'static str,
        start: u32,
        end: u32,
        depth: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<Cow<'a, str>>,
    }
    #[derive(Serialize)]
    struct Answer<'a> {
        syntax: &'static str,
        events: Vec<Event<'a>>,
        diagnostics: Vec<OwnedDiagnostic>,
    }
    let text = bytes(content)?;
    let arena = Arena::new();
    let source =
        Source::from_bytes(&arena, name, &text).map_err(|error| misused(&error.to_string()))?;
    let text_of = |start: u32, end: u32| {
        let bytes = text.get(start as usize..end as usize).unwrap_or_default();
        String::from_utf8_lossy(bytes)
    };
    let is_json = name.to_ascii_lowercase().ends_with(".json");
    if !is_json {
        let mut found: Vec<Diagnostic<'_>> = Vec::new();
        let file = File::parse(&arena, source, &mut found);
        file.check(&mut found);
        let events = file.events().map(|event| Event {
            kind: event.kind.name(),
            start: event.span.start,
            end: event.span.end,
            depth: event.depth,
            text: Some(text_of(event.span.start, event.span.end)),
        });
        let diagnostics = found.iter().map(OwnedDiagnostic::of).collect();
        return value(&Answer { syntax: "native", events: events.collect(), diagnostics });
    }
    let document = match Document::read(&arena, source, &ParseOptions::default()) {
        Ok(document) => document,
        Err(error) => {
            let diagnostics = vec![OwnedDiagnostic::of(&error)];
            return value(&Answer { syntax: "json", events: Vec::new(), diagnostics });
        }
    };
    use simd_hcl::json::JsonEvent;
    let mut depth = 0_u32;
    let mut events = Vec::new();
    for event in document.events() {
        if matches!(event, JsonEvent::EndObject { .. } | JsonEvent::EndArray { .. }) {
            depth = depth.saturating_sub(1);
        }
        let is_start =
            matches!(event, JsonEvent::StartObject { .. } | JsonEvent::StartArray { .. });
        let span = event.span();
        events.push(Event {
            kind: event.kind().name(),
            start: span.start,
            end: span.end,
            depth,
            text: (!is_start).then(|| text_of(span.start, span.end)),
        });
        depth += u32::from(is_start);
    }
    let diagnostics = document.diagnostics().iter().map(OwnedDiagnostic::of).collect();
    value(&Answer { syntax: "json", events, diagnostics })
}

type Raw = Option<Box<serde_json::value::RawValue>>;

fn raw(text: &[u8]) -> Raw {
    serde_json::value::RawValue::from_string(String::from_utf8_lossy(text).into_owned()).ok()
}

/// A row of the library as an object: members that the document does not say are null, or left out if
/// they are optional.
struct Members<'s, R> {
    row: R,
    shown: &'s Shown,
}

impl<'a, R: Row<'a>> Serialize for Members<'_, R> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap as _;
        let mut map = serializer.serialize_map(None)?;
        for column in R::COLUMNS {
            let cell = self.row.cell(column.name, self.shown);
            if !(column.is_optional && matches!(cell, Cell::Absent)) {
                map.serialize_entry(column.name, &JsonCell(&cell))?;
            }
        }
        map.end()
    }
}

struct JsonCell<'c, 'a>(&'c Cell<'a>);

impl Serialize for JsonCell<'_, '_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Cell::Hidden => serializer.serialize_str(redact::REDACTED.trim_matches('"')),
            cell => raw(to_string(Layout::Compact, |slot| cell.write(slot)).as_bytes())
                .serialize(serializer),
        }
    }
}

/// A value of a document, without its hidden parts.
fn raw_value(value: Value<'_>) -> Raw {
    match value {
        Value::Known(node) => raw(node.text()),
        Value::Hidden => raw(redact::REDACTED.as_bytes()),
        _ => None,
    }
}

/// An answer that needs a valid document, or why there is none.
#[derive(Serialize)]
struct Refused {
    diagnostics: Vec<OwnedDiagnostic>,
}

fn refused(found: &[Diagnostic<'_>]) -> Result<JsValue, JsValue> {
    value(&Refused { diagnostics: without_text(found) })
}

/// Diagnostics without the text around their places, which may be a secret of a document.
fn without_text(found: &[Diagnostic<'_>]) -> Vec<OwnedDiagnostic> {
    found.iter().map(|it| OwnedDiagnostic::showing(it, |_| false)).collect()
}

/// The schemas in the output of `providers schema -json`; `Err` has the reason why there are none.
fn schemas_of<'a>(
    arena: &'a Arena,
    text: &'a [u8],
) -> Result<BodySchemas<'a>, Vec<Diagnostic<'a>>> {
    let mut found = Vec::new();
    let Ok(source) = Source::from_bytes(arena, "schemas.json", text) else { return Err(found) };
    let options = ParseOptions::default().with_skeleton_depth(Schemas::DEPTH);
    let document =
        show::document(arena, source, &options, &mut found).map_err(|error| vec![error])?;
    let schemas = Schemas::of(document, &mut found);
    let has_errors = found.iter().any(|it| it.severity() == Severity::Error);
    schemas.filter(|_| !has_errors).map(BodySchemas::new).ok_or(found)
}

/// Writes a plan, a state or a state file without its sensitive values, as `simd-hcl redact` does. `keep`
/// has names of `--keep`, and `defaults`.
#[wasm_bindgen]
pub fn redact(
    content: &JsValue,
    name: &str,
    schemas: &JsValue,
    keep: &str,
    force: bool,
) -> Result<JsValue, JsValue> {
    let text = bytes(content)?;
    let schemas = if schemas.is_undefined() { None } else { Some(bytes(schemas)?) };
    let mut options = redact::Options::default().with_unmarked(force);
    for name in keep.split_whitespace() {
        options = options.keeping(name).ok_or_else(|| misused(&format!("unknown: {name:?}")))?;
    }
    let arena = Arena::new();
    let source =
        Source::from_bytes(&arena, name, &text).map_err(|error| misused(&error.to_string()))?;
    let schemas = match &schemas {
        Some(text) => match schemas_of(&arena, text) {
            Ok(schemas) => Some(schemas),
            Err(found) if found.is_empty() => {
                return Err(misused("providerSchemas has no provider schemas"));
            }
            Err(found) => return value(&Written { text: None, diagnostics: without_text(&found) }),
        },
        None => None,
    };
    let mut found = Vec::new();
    let depth = ParseOptions::default().with_skeleton_depth(redact::Places::DEPTH);
    let mut copy = Vec::new();
    let is_written = match show::document(&arena, source, &depth, &mut found) {
        Ok(document) => {
            let schemas = schemas.as_ref();
            // Memory has no errors.
            redact::write_document(document, options, schemas, &mut found, &mut copy)
                .is_ok_and(|it| it)
        }
        Err(error) => {
            found.push(error);
            false
        }
    };
    let text = is_written.then(|| String::from_utf8_lossy(&copy).into_owned());
    value(&Written { text, diagnostics: without_text(&found) })
}

/// Summarises a plan, as `simd-hcl plan --diff` does.
#[wasm_bindgen]
pub fn plan(content: &JsValue, name: &str, show_sensitive: bool) -> Result<JsValue, JsValue> {
    #[derive(Serialize)]
    struct Change<'s, 'a> {
        #[serde(flatten)]
        members: Members<'s, rows::Change<'a>>,
        differences: Vec<Box<serde_json::value::RawValue>>,
        range: Range,
    }
    #[derive(Serialize)]
    struct Answer<'s, 'a> {
        format_version: Option<&'a str>,
        terraform_version: Option<&'a str>,
        timestamp: Option<&'a str>,
        errored: Option<bool>,
        summary: serde_json::Map<String, serde_json::Value>,
        changes: Vec<Change<'s, 'a>>,
        drift: Vec<Change<'s, 'a>>,
        outputs: Vec<Members<'s, rows::OutputChange<'a>>>,
        variables: Vec<Members<'s, rows::Variable<'a>>>,
        diagnostics: Vec<OwnedDiagnostic>,
    }
    fn change_of<'s, 'a>(row: rows::Change<'a>, shown: &'s Shown) -> Change<'s, 'a> {
        let (node, entry) = (row.node(), row.entry());
        let mut differences = Vec::new();
        if let Some(change) = entry.change().value() {
            let mut walk = change.differences().of_instance(entry.head().address());
            while let Some(row) = walk.next_row(node) {
                differences.extend(serde_json::value::to_raw_value(&Members { row, shown }));
            }
        }
        let range = Range::of(node.source(), node.span());
        Change { members: Members { row, shown }, differences, range }
    }
    let text = bytes(content)?;
    let arena = Arena::new();
    let source =
        Source::from_bytes(&arena, name, &text).map_err(|error| misused(&error.to_string()))?;
    let document = match Document::read(&arena, source, &ParseOptions::default()) {
        Ok(document) => document,
        Err(error) => return refused(&[error]),
    };
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    let Some(plan) = Plan::of(document, &mut found) else { return refused(&found) };
    let shown = match show_sensitive {
        true => Shown::everything(),
        false => Shown::of_plan(plan, redact::Options::default()),
    };
    if shown.is_unclear() {
        redact::check(document.root(), &mut found);
        return refused(&found);
    }
    let shown = &shown;
    value(&Answer {
        format_version: plan.format_version().value(),
        terraform_version: plan.terraform_version().value(),
        timestamp: plan.timestamp().value(),
        errored: plan.errored().value(),
        summary: plan
            .summary()
            .iter()
            .map(|(name, count)| (name.to_owned(), count.into()))
            .collect(),
        changes: plan.change_rows().map(|row| change_of(row, shown)).collect(),
        drift: plan.drift_rows().map(|row| change_of(row, shown)).collect(),
        outputs: plan.output_rows().map(|row| Members { row, shown }).collect(),
        variables: plan.variable_rows().map(|row| Members { row, shown }).collect(),
        diagnostics: without_text(&found),
    })
}

/// Lists the resources and outputs of a state.
#[wasm_bindgen]
pub fn state(content: &JsValue, name: &str, show_sensitive: bool) -> Result<JsValue, JsValue> {
    #[derive(Serialize)]
    struct Resource<'s, 'a> {
        #[serde(flatten)]
        members: Members<'s, rows::Instance<'a>>,
        values: Raw,
        range: Range,
    }
    #[derive(Serialize)]
    struct Answer<'s, 'a> {
        terraform_version: Option<&'a str>,
        resources: Vec<Resource<'s, 'a>>,
        outputs: Vec<Members<'s, rows::Output<'a>>>,
        diagnostics: Vec<OwnedDiagnostic>,
    }
    let text = bytes(content)?;
    let arena = Arena::new();
    let source =
        Source::from_bytes(&arena, name, &text).map_err(|error| misused(&error.to_string()))?;
    let document = match Document::read(&arena, source, &ParseOptions::default()) {
        Ok(document) => document,
        Err(error) => return refused(&[error]),
    };
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    let kind = DocumentKind::of(document.root());
    let options = redact::Options::default();
    let (root, shown, terraform_version, instances, outputs): (_, _, _, Vec<_>, Vec<_>);
    if matches!(kind, DocumentKind::RawState | DocumentKind::OldState) {
        let Some(state) = RawState::of(document, &mut found) else { return refused(&found) };
        root = state.object().node();
        shown = match show_sensitive {
            true => Shown::everything(),
            false => Shown::of_raw_state(state, options, None, &mut found),
        };
        terraform_version = state.terraform_version().value();
        (instances, outputs) = (state.instances().collect(), state.output_rows().collect());
    } else {
        let Some(state) = State::of(document, &mut found) else { return refused(&found) };
        root = document.root();
        shown = match show_sensitive {
            true => Shown::everything(),
            false => Shown::of_state(state, options),
        };
        terraform_version = state.terraform_version().value();
        (instances, outputs) = (state.instances().collect(), state.output_rows().collect());
    }
    if shown.is_unclear() {
        redact::check(root, &mut found);
        return refused(&found);
    }
    let shown = &shown;
    let resources = instances.into_iter().map(|row: rows::Instance<'_>| Resource {
        members: Members { row, shown },
        values: raw_value(row.values(shown)),
        range: Range::of(row.node().source(), row.node().span()),
    });
    value(&Answer {
        terraform_version,
        resources: resources.collect(),
        outputs: outputs.into_iter().map(|row| Members { row, shown }).collect(),
        diagnostics: without_text(&found),
    })
}
