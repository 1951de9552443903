//! Rows of the tables that are read from plans, states and schemas of providers.

use std::borrow::Cow;
use std::path::Path;

use simd_hcl::compression::decompress;
use simd_hcl::json::Node;
use simd_hcl::plan_file::{PlanFile, ShowOptions, is_plan_file};
use simd_hcl::show::redact;
use simd_hcl::show::rows::{self, Cell, Row};
use simd_hcl::show::{
    ActionKind, BodySchemas, DocumentKind, Field, Plan, RawState, SchemaBlock, SchemaKind, Schemas,
    Shown, State, document,
};
use simd_hcl::{Arena, Diagnostic, Document, ParseOptions, Severity, Sink, Source, Span};

use crate::collect::Tables;
use crate::columns;
use crate::copies::Gap;
use crate::file::MAX_DECOMPRESSED;
use crate::hash::hash_of;
use crate::table::{Place, Text, at};
use crate::tree::{add_diagnostic, add_gap};

/// A document that is being read.
struct Read<'d, 'a> {
    source: Source<'a>,
    repository: &'d str,
    path: &'d str,
    hash: &'d str,
    wants_lines: bool,
    /// Decides which values are shown. If it is unclear, no value is read.
    shown: Shown,
}

impl<'d> Read<'d, '_> {
    fn place(&self, span: Span) -> Place<'d> {
        let at = Some(at(self.source, span, self.wants_lines));
        Place { repository: self.repository, path: self.path, at, hash: self.hash }
    }
}

/// Adds the rows of a document.
pub(crate) fn read(path: &Path, repository: &str, tables: &mut Tables) {
    let arena = Arena::new();
    let name = path.to_string_lossy();
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    let source = Source::read(&arena, path).map_err(|error| error.to_string());
    let source = source.and_then(|source| {
        decompress(&arena, source, MAX_DECOMPRESSED).map_err(|error| error.to_string())
    });
    let source = match source {
        Ok(source) => source,
        Err(why) => return refuse(&name, &why, repository, tables),
    };
    let hash = if tables.want_hashes() { hash_of(source.bytes()) } else { String::new() };
    let is_binary = is_plan_file(source.bytes());
    let result = match is_binary {
        true => shown(&arena, source, tables),
        false => Ok(source),
    };
    let text = match result {
        Ok(text) => text,
        Err(why) => return refuse(&name, &why, repository, tables),
    };
    let options = ParseOptions::default().with_threads(0);
    let leaves = [&columns::CHANGE_LEAVES, &columns::STATE_VALUES].map(|it| tables.has(it));
    let depth = match leaves.contains(&true) {
        true => Plan::DIFF_DEPTH,
        false => Plan::LIST_DEPTH,
    };
    let options = options.with_skeleton_depth(depth);
    let document = match document(&arena, text, &options, &mut found) {
        Ok(document) => document,
        Err(error) => {
            return report(&[error], (repository, &name, &hash), tables);
        }
    };
    let mut read = Read {
        source: text,
        repository,
        path: &name,
        hash: &hash,
        wants_lines: tables.want_lines(),
        shown: Shown::everything(),
    };
    read_document(document, &mut read, &mut found, tables);
    report(&found, (repository, &name, &hash), tables);
}

/// Adds rows of `diagnostics`; without that table, errors are reported as gaps.
fn report(
    found: &[Diagnostic<'_>],
    (repository, path, hash): (&str, &str, &str),
    tables: &mut Tables,
) {
    for diagnostic in found {
        match tables.rows(&columns::DIAGNOSTICS) {
            Some(rows) => add_diagnostic(diagnostic, None, (repository, hash), rows),
            None if diagnostic.severity() == Severity::Error => {
                tables.report_file(path, &diagnostic.message());
            }
            None => {}
        }
    }
}

/// Adds a row that says why nothing was read.
fn refuse(path: &str, why: &str, repository: &str, tables: &mut Tables) {
    match tables.rows(&columns::DIAGNOSTICS) {
        Some(rows) => {
            let gap = Gap { path: path.to_owned(), why: why.to_owned() };
            add_gap(&gap, repository, rows);
        }
        None => tables.report_file(path, why),
    }
}

/// The plan of a binary plan file, as `show -json` prints it.
fn shown<'a>(
    arena: &'a Arena,
    source: Source<'a>,
    tables: &mut Tables,
) -> Result<Source<'a>, String> {
    let options = ParseOptions::default();
    let file = PlanFile::open_with(arena, source, MAX_DECOMPRESSED, &options);
    let file = file.map_err(|error| error.to_string())?;
    let schemas = file.schemas().map_err(|error| error.to_string())?;
    let built_in = BodySchemas::built_in(arena);
    let options = ShowOptions::default().with_schemas(Some(schemas.as_ref().unwrap_or(&built_in)));
    let shown = file.show_json(&options).map_err(|error| error.to_string())?;
    if tables.has(&columns::CHANGE_LEAVES) {
        for gap in &shown.incomplete {
            let why = format!("{} of {}: {}", gap.what, gap.place, gap.why);
            tables.report_file(source.name(), &why);
        }
    }
    Source::copy_from(arena, source.name(), &shown.json).map_err(|error| error.to_string())
}

fn read_document<'a>(
    document: Document<'a>,
    read: &mut Read<'_, 'a>,
    found: &mut dyn Sink<'a>,
    tables: &mut Tables,
) {
    let options = redact::Options::default().with_threads(0);
    match DocumentKind::of(document.root()) {
        DocumentKind::Plan | DocumentKind::RedactedPlan => {
            if let Some(plan) = Plan::of(document, found) {
                let root = plan.object().node();
                hide(root, |_| Shown::of_plan(plan, options), read, found, tables);
                add_plan(plan, read, tables);
            }
        }
        DocumentKind::State | DocumentKind::RedactedState | DocumentKind::OnlyVersion => {
            if let Some(state) = State::of(document, found) {
                let root = state.object().node();
                hide(root, |_| Shown::of_state(state, options), read, found, tables);
                add_state(state, read, tables);
            }
        }
        DocumentKind::RawState | DocumentKind::OldState | DocumentKind::UnknownState => {
            if let Some(state) = RawState::of(document, found) {
                let root = state.object().node();
                let shown =
                    |sink: &mut dyn Sink<'a>| Shown::of_raw_state(state, options, None, sink);
                hide(root, shown, read, found, tables);
                add_raw_state(state, read, tables);
            }
        }
        DocumentKind::Schemas => {
            if let Some(schemas) = Schemas::of(document, found) {
                add_schemas(schemas, read, tables);
            }
        }
        other => {
            let why = format!("it is {}, not a plan, a state or schemas", other.name());
            refuse(read.path, &why, read.repository, tables);
        }
    }
}

/// Finds what is hidden, if a table has names or values, and secrets are not shown.
fn hide<'a>(
    root: Node<'a>,
    shown: impl FnOnce(&mut dyn Sink<'a>) -> Shown,
    read: &mut Read<'_, 'a>,
    found: &mut dyn Sink<'a>,
    tables: &mut Tables,
) {
    let has_values = tables.has(&columns::CHANGE_LEAVES) || tables.has(&columns::STATE_VALUES);
    let has_names = tables.has(&columns::CHANGES) || tables.has(&columns::STATE_RESOURCES);
    // The same diagnostics, whichever tables are read together.
    let is_asked_for = has_values || has_names || tables.has(&columns::DIAGNOSTICS);
    if !is_asked_for || tables.shows_secrets() {
        return;
    }
    read.shown = shown(found);
    if read.shown.is_unclear() {
        // Secrets could be missed: `found` says why.
        redact::check(root, found);
        if has_values {
            let why = "its values are not read, since sensitive ones cannot be told";
            tables.report_file(read.path, why);
        }
    }
}

fn text<'a>(field: Field<'a, &'a str>) -> Text<'a> {
    field.value().map(Cow::Borrowed)
}

fn add_plan<'a>(plan: Plan<'a>, read: &Read<'_, 'a>, tables: &mut Tables) {
    if let Some(rows) = tables.rows(&columns::PLANS) {
        let summary = plan.summary();
        let count = |kind| Some(summary.of_kind(kind));
        let others = [ActionKind::ReplaceForget, ActionKind::Other];
        let row = columns::Plan {
            format_version: text(plan.format_version()),
            tool_version: text(plan.terraform_version()),
            timestamp: text(plan.timestamp()),
            is_complete: plan.complete().value(),
            is_applyable: plan.applyable().value(),
            is_errored: plan.errored().value(),
            creates: count(ActionKind::Create),
            updates: count(ActionKind::Update),
            deletes: count(ActionKind::Delete),
            replaces: count(ActionKind::Replace),
            reads: count(ActionKind::Read),
            no_ops: count(ActionKind::NoOp),
            forgets: count(ActionKind::Forget),
            others: Some(others.iter().map(|kind| summary.of_kind(*kind)).sum()),
            imports: Some(summary.imports()),
            moves: Some(summary.moves()),
            ..columns::Plan::default()
        };
        row.add(rows, read.place(plan.object().node().span()));
    }
    if !tables.has(&columns::CHANGES) && !tables.has(&columns::CHANGE_LEAVES) {
        return;
    }
    for change in plan.change_rows().chain(plan.drift_rows()) {
        if tables.is_over() {
            return;
        }
        if let Some(rows) = tables.rows(&columns::CHANGES) {
            let place = read.place(change.node().span());
            rows.push_cells(place, |name| match name {
                "timestamp" => text(plan.timestamp()).into(),
                name => change.cell(name, &read.shown),
            });
        }
        add_leaves(change, read, tables);
    }
}

fn add_leaves<'a>(change: rows::Change<'a>, read: &Read<'_, 'a>, tables: &mut Tables) {
    if read.shown.is_unclear() || !tables.has(&columns::CHANGE_LEAVES) {
        return;
    }
    let entry = change.entry();
    let Some(inner) = entry.change().value() else { return };
    let mut differences = inner.differences().of_instance(entry.head().address());
    while let Some(leaf) = differences.next_row(change.node()) {
        let Some(rows) = tables.rows(&columns::CHANGE_LEAVES) else { return };
        rows.push_cells(read.place(change.node().span()), |name| match name {
            "attribute" => leaf.cell("path", &read.shown),
            "is_unknown" => leaf.cell("unknown", &read.shown),
            "is_sensitive" => leaf.cell("sensitive", &read.shown),
            "before" | "after" | "forces_replacement" => leaf.cell(name, &read.shown),
            name => change.cell(name, &read.shown),
        });
    }
}

/// The values that a file has for all of its instances.
#[derive(Clone, Copy, Default)]
struct OfFile<'a> {
    terraform_version: Option<&'a str>,
    serial: Option<u64>,
    lineage: Option<&'a str>,
}

fn add_state<'a>(state: State<'a>, read: &Read<'_, 'a>, tables: &mut Tables) {
    let terraform_version = state.terraform_version().value();
    let file = OfFile { terraform_version, ..OfFile::default() };
    add_instances(state.instances(), file, read, tables);
}

fn add_raw_state<'a>(state: RawState<'a>, read: &Read<'_, 'a>, tables: &mut Tables) {
    let file = OfFile {
        terraform_version: state.terraform_version().value(),
        serial: state.serial().value(),
        lineage: state.lineage().value(),
    };
    add_instances(state.instances(), file, read, tables);
}

fn add_instances<'a>(
    instances: impl Iterator<Item = rows::Instance<'a>>,
    file: OfFile<'a>,
    read: &Read<'_, 'a>,
    tables: &mut Tables,
) {
    for instance in instances {
        if tables.is_over() {
            return;
        }
        if let Some(rows) = tables.rows(&columns::STATE_RESOURCES) {
            rows.push_cells(read.place(instance.node().span()), |name| match name {
                "terraform_version" => file.terraform_version.map(Cow::Borrowed).into(),
                "serial" => file.serial.into(),
                "lineage" => file.lineage.map(Cow::Borrowed).into(),
                name => instance.cell(name, &read.shown),
            });
        }
        if tables.has(&columns::STATE_VALUES) && !read.shown.is_unclear() {
            add_values(instance, read, tables);
        }
    }
}

fn add_values<'a>(instance: rows::Instance<'a>, read: &Read<'_, 'a>, tables: &mut Tables) {
    let mut attributes = instance.attributes();
    while let Some(attribute) = attributes.next() {
        let Some(rows) = tables.rows(&columns::STATE_VALUES) else { return };
        let cell = |name| -> Cell<'a> {
            match name {
                "attribute" => attribute.cell("path", &read.shown),
                "is_sensitive" => attribute.cell("sensitive", &read.shown),
                "value" => attribute.cell(name, &read.shown),
                name => instance.cell(name, &read.shown),
            }
        };
        rows.push_cells(read.place(attribute.node().span()), cell);
    }
}

/// A block of a schema that is still to be read, and its path.
struct Pending<'a> {
    block: SchemaBlock<'a>,
    path: String,
}

fn add_schemas<'a>(schemas: Schemas<'a>, read: &Read<'_, 'a>, tables: &mut Tables) {
    if !tables.has(&columns::SCHEMAS) {
        return;
    }
    for (provider, schema) in schemas.providers() {
        let own = schema.provider().value().map(|own| ("provider", None, own));
        let types = SchemaKind::ALL.into_iter();
        let types = types.filter_map(|kind| Some((kind.name(), schema.types(kind)?)));
        let types = types.flat_map(|(kind, types)| {
            types.iter().map(move |(name, schema)| (kind, Some(name), schema))
        });
        for (kind, name, schema) in own.into_iter().chain(types) {
            let version = schema.version().value();
            let row = || columns::SchemaItem {
                provider: Some(provider.into()),
                kind: Some(kind.into()),
                name: name.map(Cow::Borrowed),
                version,
                ..columns::SchemaItem::default()
            };
            let first = schema.block().value().map(|block| Pending { block, path: String::new() });
            // Schemas nest as deeply as input likes.
            let mut pending: Vec<Pending<'a>> = first.into_iter().collect();
            while let Some(Pending { block, path }) = pending.pop() {
                for (name, attribute) in
                    block.attributes().value().into_iter().flat_map(|it| it.iter())
                {
                    let Some(rows) = tables.rows(&columns::SCHEMAS) else { return };
                    let value_type = attribute.value_type().value().map(|it| it.node());
                    let nested = attribute.nested_type().value().map(|it| it.object().node());
                    let value_type = value_type.or(nested);
                    let item = columns::SchemaItem {
                        item: Some(below(&path, name).into()),
                        form: Some("attribute".into()),
                        value_type: value_type.map(|it| String::from_utf8_lossy(it.text())),
                        is_required: Some(attribute.required().value().unwrap_or(false)),
                        is_optional: Some(attribute.optional().value().unwrap_or(false)),
                        is_computed: Some(attribute.computed().value().unwrap_or(false)),
                        is_sensitive: Some(attribute.sensitive().value().unwrap_or(false)),
                        is_write_only: Some(attribute.write_only().value().unwrap_or(false)),
                        is_deprecated: Some(attribute.deprecated().value().unwrap_or(false)),
                        description: text(attribute.description()),
                        ..row()
                    };
                    item.add(rows, read.place(attribute.object().node().span()));
                }
                let mut inner = Vec::new();
                for (name, nested) in
                    block.block_types().value().into_iter().flat_map(|it| it.iter())
                {
                    let Some(rows) = tables.rows(&columns::SCHEMAS) else { return };
                    let path = below(&path, name);
                    let block = nested.block().value();
                    let item = columns::SchemaItem {
                        item: Some((&*path).into()),
                        form: Some("block".into()),
                        value_type: nested.nesting_mode().value().map(|mode| mode.name().into()),
                        is_required: Some(nested.min_items().value().unwrap_or(0) > 0),
                        is_deprecated: block.map(|it| it.deprecated().value().unwrap_or(false)),
                        description: block.and_then(|it| text(it.description())),
                        ..row()
                    };
                    item.add(rows, read.place(nested.object().node().span()));
                    inner.extend(block.map(|block| Pending { block, path: path.clone() }));
                }
                pending.extend(inner.into_iter().rev());
            }
        }
    }
}

fn below(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
