//! Rows of the tables that need modules together with those they call: `modules`, `edges`,
//! `diagnostics`, `expanded`; and `units`, which belong to repositories.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::value::RawValue;
use simd_hcl::directory::{AskedFor, ModuleFiles};
use simd_hcl::expand::{Inputs, Instance, Selection};
use simd_hcl::functions::{Environment, Folder};
use simd_hcl::module::Object;
use simd_hcl::reference::InstanceKey;
use simd_hcl::show::{Address, BodySchemas};
use simd_hcl::tree::{Origin, Tree, TreeModule, TreeOptions};
use simd_hcl::write::{Layout, Writer};
use simd_hcl::{Arena, Diagnostic, OwnedDiagnostic, Severity, Source, Span};

use crate::collect::Tables;
use crate::columns;
use crate::copies::Gap;
use crate::hash::hash_of;
use crate::module::directory_of;
use crate::source::Sources;
use crate::table::{Place, Rows, at};
use crate::unit;

/// The hashes of the files of a tree, by their names.
#[derive(Default)]
struct Hashes {
    is_wanted: bool,
    of_names: BTreeMap<String, String>,
}

impl Hashes {
    fn of(&mut self, source: Source<'_>) -> &str {
        if !self.is_wanted {
            return "";
        }
        let hash = || hash_of(source.bytes());
        self.of_names.entry(source.name().to_owned()).or_insert_with(hash)
    }
}

/// Adds the rows of a repository.
pub(crate) fn read(sources: &Sources, place: usize, tables: &mut Tables) {
    if tables.has(&columns::UNITS) {
        unit::read(sources, place, tables);
    }
    let of_modules =
        [&columns::MODULES, &columns::EDGES, &columns::DIAGNOSTICS, &columns::EXPANDED];
    if !of_modules.map(|table| tables.has(table)).contains(&true) {
        return;
    }
    let mut arena = Arena::new();
    for component in sources.components(place) {
        read_component(sources, &component, &arena, tables);
        arena.reset();
    }
}

/// Adds the rows of modules of a repository, together with which all modules are that they depend on,
/// or that depend on them.
pub(crate) fn read_component(
    sources: &Sources,
    places: &[usize],
    arena: &Arena,
    tables: &mut Tables,
) {
    let Some(first) = places.first().filter(|_| !tables.is_over()) else { return };
    let repository = &*sources.modules()[*first].repository;
    let modules: Vec<ModuleFiles> =
        places.iter().map(|place| sources.modules()[*place].files.clone()).collect();
    let mut tree =
        Tree::load(arena, modules, &TreeOptions::default().with_decode(sources.decode_options()));
    if tree.modules().iter().any(|module| module.origin != Origin::Given) {
        tables.set_reaches_out();
    }
    let mut hashes = Hashes { is_wanted: tables.want_hashes(), ..Hashes::default() };
    if tables.has(&columns::DIAGNOSTICS) || tables.has(&columns::MODULES) {
        tree.check_bodies(&BodySchemas::built_in(arena));
        tree.check_files();
        tree.check_roots(|_| None);
    }
    if !tables.has(&columns::DIAGNOSTICS) {
        report_gaps(&tree, tables);
    }
    add_modules(&tree, repository, tables);
    add_edges(&tree, repository, &mut hashes, tables);
    add_diagnostics(&tree, repository, &mut hashes, tables);
    if tables.has(&columns::EXPANDED) {
        for (place, is_root) in tree.roots().into_iter().enumerate() {
            if is_root && tree.modules()[place].origin == Origin::Given {
                expand(arena, (&tree, place), repository, &mut hashes, tables);
            }
        }
    }
}

/// Reports files that are missing in the tables. `diagnostics` has rows for them.
fn report_gaps(tree: &Tree<'_>, tables: &mut Tables) {
    let of_modules = tree.given().flat_map(|module| &module.undecoded);
    let of_templates = tree.templates().iter().flat_map(|template| &template.undecoded);
    for source in of_modules.chain(of_templates) {
        tables.report_file(source.name(), "it cannot be read, or has a syntax error");
    }
}

fn errors(found: &[Diagnostic<'_>], asked_for: &AskedFor) -> u64 {
    let errors = found.iter().filter(|it| it.severity() == Severity::Error);
    errors.filter(|it| asked_for.contains(it.source().name())).count() as u64
}

fn add_modules(tree: &Tree<'_>, repository: &str, tables: &mut Tables) {
    let Some(rows) = tables.rows(&columns::MODULES) else { return };
    let roots = tree.roots();
    let given = tree.modules().iter().zip(roots).filter(|(it, _)| it.origin == Origin::Given);
    for (module, is_root) in given {
        let directory = directory_of(&module.files);
        let declared = &module.module;
        let settings = || declared.settings.iter().chain(&declared.override_settings);
        let versions: Vec<&str> =
            settings().filter_map(|it| it.required_version?.expression().to_str()).collect();
        let backend = settings().find_map(|it| it.blocks_of("backend").next()?.label(0));
        let row = columns::Module {
            module: Some((&*directory).into()),
            dialect: Some(module.files.dialect.name().into()),
            is_root: Some(is_root),
            files: Some(module.files.files.len() as u64),
            resources: Some(declared.resources.iter().count() as u64),
            variables: Some(declared.variables.iter().count() as u64),
            outputs: Some(declared.outputs.iter().count() as u64),
            calls: Some(declared.calls.iter().count() as u64),
            required_version: (!versions.is_empty()).then(|| versions.join(", ").into()),
            backend: backend.map(Into::into),
            errors: Some(errors(&module.diagnostics, &module.files.asked_for())),
            ..columns::Module::default()
        };
        row.add(rows, whole(repository, &directory));
    }
    for template in tree.templates() {
        let directory = directory_of(&template.files);
        let declared = &template.template;
        let row = columns::Module {
            module: Some((&*directory).into()),
            dialect: Some(template.files.dialect.name().into()),
            files: Some(template.files.files.len() as u64),
            resources: Some(declared.sources.iter().count() as u64),
            variables: Some(declared.variables.iter().count() as u64),
            outputs: Some(0),
            calls: Some(0),
            errors: Some(errors(&template.diagnostics, &template.files.asked_for())),
            ..columns::Module::default()
        };
        row.add(rows, whole(repository, &directory));
    }
}

/// The place of a directory.
fn whole<'p>(repository: &'p str, path: &'p str) -> Place<'p> {
    Place { repository, path, at: None, hash: "" }
}

fn add_edges(tree: &Tree<'_>, repository: &str, hashes: &mut Hashes, tables: &mut Tables) {
    if !tables.has(&columns::EDGES) {
        return;
    }
    let graph = tree.graph();
    let directories: Vec<String> =
        tree.modules().iter().map(|module| directory_of(&module.files)).collect();
    let asked_for: Vec<AskedFor> =
        tree.modules().iter().map(|module| module.files.asked_for()).collect();
    let directory = |place: usize| directories.get(place).map(|it| it.as_str().into());
    for (number, node) in graph.nodes().enumerate() {
        let Some(module) = tree.modules().get(node.module) else { continue };
        let label = module.module.declaration(node.object);
        let Some(label) = label.filter(|_| module.origin == Origin::Given) else { continue };
        if !asked_for[node.module].contains(label.source.name()) || is_broken(module, label.source)
        {
            continue;
        }
        let from = node.object.to_string();
        for needed in graph.needs(u32::try_from(number).unwrap_or(u32::MAX)) {
            let Some(to) = graph.node(needed) else { continue };
            let Some(rows) = tables.rows(&columns::EDGES) else { return };
            let row = columns::Edge {
                from_module: directory(node.module),
                from: Some((&*from).into()),
                to_module: directory(to.module),
                to: Some(to.object.to_string().into()),
                ..columns::Edge::default()
            };
            let place = Place {
                repository,
                path: label.source.name(),
                at: Some(at(label.source, label.span, true)),
                hash: hashes.of(label.source),
            };
            row.add(rows, place);
        }
    }
}

fn add_diagnostics(tree: &Tree<'_>, repository: &str, hashes: &mut Hashes, tables: &mut Tables) {
    if !tables.has(&columns::DIAGNOSTICS) {
        return;
    }
    let modules = tree.given().map(|it| (&it.files, &it.diagnostics));
    let templates = tree.templates().iter().map(|it| (&it.files, &it.diagnostics));
    for (files, found) in modules.chain(templates) {
        let asked_for = files.asked_for();
        let directory = directory_of(files);
        for diagnostic in found.iter().filter(|it| asked_for.contains(it.source().name())) {
            let Some(rows) = tables.rows(&columns::DIAGNOSTICS) else { return };
            let hash = hashes.of(diagnostic.source());
            add_diagnostic(diagnostic, Some(&directory), (repository, hash), rows);
        }
    }
}

/// Adds a diagnostic.
pub(crate) fn add_diagnostic(
    diagnostic: &Diagnostic<'_>,
    module: Option<&str>,
    (repository, hash): (&str, &str),
    rows: &mut Rows,
) {
    let source = diagnostic.source();
    let owned = OwnedDiagnostic::of(diagnostic);
    let row = columns::Diagnostic {
        module: module.map(Into::into),
        severity: Some(diagnostic.severity().as_str().into()),
        code: Some(owned.id().into()),
        summary: Some((&*owned.summary).into()),
        detail: Some((&*owned.detail).into()),
        help: owned.help.as_deref().map(Into::into),
        ..columns::Diagnostic::default()
    };
    let at = Some(at(source, diagnostic.span(), true));
    row.add(rows, Place { repository, path: source.name(), at, hash });
}

/// Adds a path that cannot be read.
pub(crate) fn add_gap(gap: &Gap, repository: &str, rows: &mut Rows) {
    let row = columns::Diagnostic {
        severity: Some("error".into()),
        code: Some("not-read".into()),
        summary: Some("Path not read".into()),
        detail: Some((&*gap.why).into()),
        ..columns::Diagnostic::default()
    };
    row.add(rows, whole(repository, &gap.path));
}

/// The values of an instance that say what it belongs to.
#[derive(Deserialize)]
struct Labelled<'j> {
    #[serde(borrow)]
    tags: Option<&'j RawValue>,
    #[serde(borrow)]
    labels: Option<&'j RawValue>,
}

/// The members of a value, if it is an object.
fn object(value: Option<&RawValue>) -> Option<BTreeMap<String, &RawValue>> {
    serde_json::from_str(value?.get()).ok()
}

/// The tags among the values of an instance, or else its labels. `None` if neither is an object.
fn tags(values: &str) -> Option<Vec<(String, Option<String>)>> {
    let found: Labelled<'_> = serde_json::from_str(values).ok()?;
    let object = object(found.tags).or_else(|| object(found.labels))?;
    let text = |value: &RawValue| match serde_json::from_str(value.get()) {
        Ok(text) => text,
        Err(_) => Some(value.get().to_owned()),
    };
    Some(object.into_iter().map(|(key, value)| (key, text(value))).collect())
}

/// The parts of an instance that are columns.
#[derive(Deserialize)]
struct Written<'j> {
    #[serde(borrow)]
    values: Option<&'j RawValue>,
    #[serde(borrow)]
    unknown_values: Option<&'j RawValue>,
}

fn expand<'a>(
    arena: &'a Arena,
    (tree, root): (&Tree<'a>, usize),
    repository: &str,
    hashes: &mut Hashes,
    tables: &mut Tables,
) {
    let module = &tree.modules()[root];
    let directory = directory_of(&module.files);
    let mut functions = Environment::new();
    let folder = Folder::new(Path::new(&directory)).ok();
    // Functions may read all files of the repository.
    let boundary = Path::new(repository).canonicalize().ok();
    let folder = match (folder, boundary) {
        (Some(folder), Some(boundary)) => Some(folder.with_boundary(boundary)),
        (folder, _) => folder,
    };
    if let Some(folder) = &folder {
        functions = functions.with_files(folder);
    }
    let mut inputs = Inputs::new(arena)
        .with_workspace("default")
        .with_functions(&functions)
        .with_sensitive(tables.shows_secrets());
    if let Ok(path) = std::path::absolute(&directory)
        && let Some(path) = path.to_str()
    {
        inputs = inputs.with_directory(path.trim_end_matches("/."));
    }
    let expansion = tree.expand(root, &inputs);
    expansion.visit(&Selection::default(), |instance| {
        let Some(rows) = tables.rows(&columns::EXPANDED) else { return };
        let mut text = Vec::new();
        if ["values", "tags", "unknown_values"].iter().any(|column| rows.wants(column)) {
            let mut writer = Writer::new(&mut text, Layout::Compact);
            instance.write(writer.value());
            // Writing into memory does not fail.
            let _ = writer.finish();
        }
        let written: Option<Written<'_>> = serde_json::from_slice(&text).ok();
        let part = |part: fn(&Written<'_>) -> Option<String>| {
            written.as_ref().and_then(part).map(Into::into)
        };
        let name = instance.resource();
        let row = columns::Expanded {
            root: Some((&*directory).into()),
            address: Some(instance.address().into()),
            module_address: Some(instance.module_address().into()),
            mode: Some(name.mode.as_str().into()),
            resource_type: Some(name.resource_type.into()),
            name: Some(name.name.into()),
            key: instance.key().map(|key| match key {
                InstanceKey::Number(number) => number.to_string().into(),
                InstanceKey::String(text) => text.into(),
            }),
            is_placeholder: Some(instance.is_placeholder()),
            provider: Some(instance.provider_name().into()),
            values: part(|it| it.values.map(|it| it.get().to_owned())),
            tags: written
                .as_ref()
                .filter(|_| rows.wants("tags"))
                .and_then(|it| tags(it.values?.get())),
            unknown: part(|it| it.unknown_values.map(|it| it.get().to_owned())),
            ..columns::Expanded::default()
        };
        match declaration(tree, root, instance) {
            Some((module, source, _)) if is_broken(module, source) => {}
            Some((_, source, span)) => {
                let place = Place {
                    repository,
                    path: source.name(),
                    at: Some(at(source, span, true)),
                    hash: hashes.of(source),
                };
                row.add(rows, place);
            }
            None => row.add(rows, whole(repository, &directory)),
        }
    });
    let found = expansion.diagnostics();
    for diagnostic in found.iter().filter(|it| it.severity() == Severity::Error) {
        // `diagnostics` has the same rows, whichever tables are read beside it.
        tables.report_file(diagnostic.source().name(), &diagnostic.message());
    }
}

/// Whether a file has a syntax error: only `diagnostics` has rows of it.
fn is_broken(module: &TreeModule<'_>, source: Source<'_>) -> bool {
    module.undecoded.iter().any(|it| it.id() == source.id())
}

/// Where the resource of an instance is declared.
fn declaration<'t, 'a>(
    tree: &'t Tree<'a>,
    root: usize,
    instance: &Instance<'_, '_, 'a>,
) -> Option<(&'t TreeModule<'a>, Source<'a>, Span)> {
    let address = Address::parse(instance.address()).ok()?;
    let mut module: &TreeModule<'a> = tree.modules().get(root)?;
    for call in &address.modules {
        let call = module.module.calls.iter().find(|it| it.name == call.name)?;
        module = tree.modules().get(module.called_by(Object::ModuleCall(call.name))?)?;
    }
    let label = module.module.declaration(Object::Resource(instance.resource()))?;
    Some((module, label.source, label.span))
}
