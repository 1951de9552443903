//! `inspect`: modules with their files, top-level blocks and declarations.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde::Serialize;
use simd_hcl::dialect::{List as FileList, root_schema};
use simd_hcl::directory::{AskedFor, FileDocument, Given, ModuleFile, ModuleFiles, decode_modules};
use simd_hcl::packer::{self, Template};
use simd_hcl::reference::Mode;
use simd_hcl::structure::Item;
use simd_hcl::terragrunt::{self, ComponentKind, Options, find};
use simd_hcl::tree::Secrets;
use simd_hcl::{Body, Dialect, Severity, Source, module};

use crate::args::{self, Common, ListFormat};
use crate::check::unreadable_directories;
use crate::excerpt::Range;
use crate::finding::{Finding, Policy};
use crate::incomplete::{Incomplete, reason};
use crate::modules::path_of_files;
use crate::output::{self, Csv, List, Rows, locked};
use crate::progress::Progress;
use crate::stats::Stats;
use crate::status::{Failure, Status};
use crate::unit_graph::named;
use crate::visible::visible;
use crate::written::raw;
use crate::{compat, human, input, needed};

/// A module, with its declarations as `I` serializes them.
#[derive(Serialize)]
struct Module<'m, I> {
    path: String,
    dialect: &'static str,
    files: Vec<&'m ModuleFile>,
    blocks: Vec<Block>,
    /// The units and stacks of Terragrunt in it.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    units: &'m [Unit],
    #[serde(flatten)]
    inventory: I,
    /// A summary in a few lines for people.
    #[serde(skip)]
    summary: Vec<String>,
}

/// A unit or stack of Terragrunt.
#[derive(Serialize)]
struct Unit {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    include: BTreeMap<String, String>,
    dependencies: Vec<String>,
    /// The names of the inputs; `None` if they are not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    inputs: Option<Vec<String>>,
}

#[derive(Serialize)]
struct Block {
    #[serde(rename = "type")]
    block_type: String,
    labels: Vec<String>,
    range: Range,
}

/// The results of one module, kept when its arena is reused.
struct Read {
    rows: Rows,
    files: usize,
    bytes: u64,
    arena_bytes: usize,
    findings: Vec<Finding>,
    /// The names of files that could not be decoded, and why.
    undecoded: Vec<(String, String)>,
}

pub(crate) fn run(inspect: &args::Inspect, common: &Common) -> Result<Status, Failure> {
    if inspect.compat {
        return compat::run(inspect, common);
    }
    if inspect.versions {
        return needed::run(inspect, common);
    }
    let options = input::module_options(common)?;
    let mut stats = Stats::new(options.parse.kernel);
    let discovery = input::modules_and_units(&inspect.configuration, common)?;
    input::refuse_too_large(&discovery)?;
    let mut status = Incomplete::status(&discovery);
    let mut incomplete = Incomplete::of_discovery(&discovery);
    let units = units(&discovery.modules, inspect, common, &mut incomplete)?;

    let files = discovery.modules.iter().flat_map(|module| &module.files);
    let progress = Progress::new(files.filter(|file| file.is_read()).count(), common);
    let list =
        Arc::new(Mutex::new(List::new::<Module<'_, Nothing>>(inspect.format, common.style())?));
    let is_only = discovery.modules.len() == 1;
    let secrets = match inspect.show_sensitive {
        true => None,
        false => Some(Secrets::of_modules(&discovery.modules, &input::decode_options(common)?)),
    };
    let read = decode_modules(&discovery.modules, &options, |module, _, files| {
        files.iter().for_each(|_| progress.advance());
        let rows =
            if is_only { Rows::of(&list) } else { Rows::new(inspect.format, common.style()) };
        let units = module.path.disk().and_then(|path| units.get(path));
        let units = units.map_or(&[][..], Vec::as_slice);
        read_module((module, units), files, inspect, secrets.as_ref(), rows)
    });
    drop(progress);

    let mut findings = unreadable_directories(&discovery, Policy::default());
    let mut rows = Vec::new();
    for read in read {
        let mut read = read?;
        stats.files += read.files;
        stats.bytes += read.bytes;
        stats.arena_bytes = stats.arena_bytes.max(read.arena_bytes);
        findings.append(&mut read.findings);
        for (name, why) in &read.undecoded {
            incomplete.add_file(name, why);
        }
        rows.push(read.rows);
    }
    stats.modules = rows.len();
    let mut errors = anstream::stderr().lock();
    for finding in &findings {
        status = status.max(Status::Found);
        human::write(finding, &mut errors)?;
    }
    drop(errors);
    let mut list = locked(&list);
    rows.into_iter().try_for_each(|rows| list.append(rows))?;
    list.finish(&incomplete)?;
    incomplete.print(inspect.format, common);
    stats.print(common);
    Ok(status)
}

/// An empty list: only JSON has lists.
type Nothing = BTreeMap<(), ()>;

/// Returns a module as `format` shows it.
fn read_module(
    (module, units): (&ModuleFiles, &[Unit]),
    files: Vec<FileDocument<'_, '_>>,
    inspect: &args::Inspect,
    secrets: Option<&Secrets>,
    rows: Rows,
) -> io::Result<Read> {
    let (files_of_module, asked_for) = (module, module.asked_for());
    let mut read = Read {
        rows,
        files: files.len(),
        bytes: 0,
        arena_bytes: 0,
        findings: Vec::new(),
        undecoded: Vec::new(),
    };
    let mut blocks = Vec::new();
    let mut diagnostics = Vec::new();
    let mut documents = Vec::new();
    for FileDocument { file, source, parsed, .. } in files {
        let list = file.kind.list;
        read.bytes += source.bytes().len() as u64;
        read.arena_bytes = source.arena_bytes();
        match parsed {
            Err(diagnostic) => {
                read.undecoded.push((source.name().to_owned(), reason(&diagnostic)));
                diagnostics.push(diagnostic);
            }
            Ok(document) => {
                diagnostics.extend_from_slice(document.diagnostics());
                if !document.is_complete() {
                    let mut found = document.diagnostics().iter();
                    let error = found.find(|it| it.severity() == Severity::Error);
                    let why = error.map(reason).unwrap_or_default();
                    read.undecoded.push((source.name().to_owned(), why));
                }
                let is_configuration = !matches!(list, FileList::Test | FileList::Variables);
                if list == FileList::Other && asked_for.contains(source.name()) {
                    blocks.extend(blocks_of_units(source, document.body()));
                }
                let schema = root_schema(module.dialect, list).filter(|_| is_configuration);
                if let Some(schema) = schema {
                    let content = document.body().content(schema, &mut diagnostics);
                    let all = content.all_blocks().iter();
                    let shown = all.filter(|_| asked_for.contains(source.name()));
                    blocks.extend(shown.map(|block| Block {
                        block_type: block.block_type().to_owned(),
                        labels: block.labels().map(str::to_owned).collect(),
                        range: Range::of(source, block.span()),
                    }));
                    documents.push((list, document));
                }
            }
        }
    }
    diagnostics.retain(|it| asked_for.contains(it.source().name()));
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity() == Severity::Error);
    read.findings = errors.map(Finding::of).collect();

    let described = Module {
        path: path_of_files(module),
        dialect: match module.files.iter().all(|file| file.kind.list == FileList::Other) {
            true => "terragrunt",
            false => module.dialect.name(),
        },
        units,
        files: module.files.iter().filter(|file| file.is_asked_for()).collect(),
        blocks,
        inventory: Nothing::new(),
        summary: Vec::new(),
    };
    let is_shown = |source: Source<'_>| asked_for.contains(source.name());
    // `check` reports diagnostics inside blocks.
    if inspect.format == ListFormat::Csv {
        read.rows.push(&described)?;
    } else if module.dialect == Dialect::Packer {
        let template = Template::read(documents, &packer::Options::default(), &mut ());
        let inventory = packer::Inventory::of(&template)
            .in_files(&is_shown)
            .with_sensitive(inspect.show_sensitive)
            .with_values(raw);
        let summary = builds(&template, &asked_for);
        read.rows.push(&described.with(inventory, summary))?;
    } else {
        let module = module::Module::read(module.dialect, documents, true, &mut ());
        // The modules that are called say which values of variables are passed on as secrets.
        let has_values =
            |it: &module::Variable<'_>| it.default.is_some() || it.written_type.is_some();
        let is_wanted = !module.calls.is_empty() && module.variables.iter().any(has_values);
        let hidden = secrets.filter(|_| is_wanted).map(|secrets| secrets.of(files_of_module, None));
        let hidden = hidden.unwrap_or_default();
        let inventory = module::Inventory::of(&module)
            .in_files(&is_shown)
            .with_hidden(&hidden)
            .with_sensitive(inspect.show_sensitive)
            .with_values(raw);
        let summary = resources(&module, &asked_for);
        read.rows.push(&described.with(inventory, summary))?;
    }
    Ok(read)
}

impl<'m> Module<'m, Nothing> {
    fn with<I>(self, inventory: I, summary: Vec<String>) -> Module<'m, I> {
        let Self { path, dialect, files, blocks, units, .. } = self;
        Module { path, dialect, files, blocks, units, inventory, summary }
    }
}

/// Returns the units and stacks in the directories of modules, if there are files of units.
fn units(
    modules: &[ModuleFiles],
    inspect: &args::Inspect,
    common: &Common,
    incomplete: &mut Incomplete,
) -> Result<HashMap<PathBuf, Vec<Unit>>, Failure> {
    let mut all: HashMap<PathBuf, Vec<Unit>> = HashMap::new();
    let mut files = modules.iter().flat_map(|module| &module.files);
    if !files.any(|file| file.kind.list == FileList::Other && file.given == Given::Found) {
        return Ok(all);
    }
    let options = Options::default()
        .with_inputs(true)
        .following_links(common.follow_links)
        .within(common.limits());
    for folder in input::directories(&inspect.configuration.paths, incomplete) {
        let found = find(folder, &options);
        for gap in &found.gaps {
            incomplete.add("unit", named(folder, &gap.place), &gap.why);
        }
        for unit in found.units {
            let kind = match unit.kind {
                ComponentKind::Unit => "unit",
                ComponentKind::Stack => "stack",
            };
            let place = PathBuf::from(named(folder, &unit.path));
            let place = if place == Path::new(".") { PathBuf::new() } else { place };
            let include = unit.include.into_iter();
            let include = include.map(|(label, path)| (label, named(folder, &path))).collect();
            let dependencies = unit.dependencies.iter().map(|path| named(folder, path)).collect();
            let inputs = unit.inputs.filter(|_| unit.kind == ComponentKind::Unit);
            let inputs = inputs.map(|inputs| inputs.into_keys().collect());
            let source = unit.source;
            all.entry(place).or_default().push(Unit {
                kind,
                source,
                include,
                dependencies,
                inputs,
            });
        }
    }
    Ok(all)
}

/// Returns the blocks of a file of units.
fn blocks_of_units(source: Source<'_>, body: Body<'_>) -> Vec<Block> {
    if let Some(native) = body.as_native() {
        let blocks = native.items().filter_map(|item| match item {
            Item::Block(block) => Some(Block {
                block_type: block.block_type().to_owned(),
                labels: block.labels().map(str::to_owned).collect(),
                range: Range::of(source, block.span()),
            }),
            _ => None,
        });
        return blocks.collect();
    }
    let name = source.name().rsplit('/').next().unwrap_or_default();
    let content = body.content(terragrunt::root_schema(name), &mut ());
    let blocks = content.all_blocks().iter().map(|block| Block {
        block_type: block.block_type().to_owned(),
        labels: block.labels().map(str::to_owned).collect(),
        range: Range::of(source, block.span()),
    });
    blocks.collect()
}

/// Returns the number of resources of each mode in requested files.
fn resources(module: &module::Module<'_>, asked_for: &AskedFor) -> Vec<String> {
    let of_checks = module.checks.iter().filter_map(|check| check.data);
    let modes = [Mode::Managed, Mode::Data, Mode::Ephemeral, Mode::List];
    let mut counts = modes.map(|mode| (mode, 0));
    for resource in module.resources.iter().chain(of_checks) {
        if asked_for.contains(resource.block.source().name()) {
            let of_mode = counts.iter_mut().filter(|(mode, _)| *mode == resource.mode);
            of_mode.for_each(|(_, count)| *count += 1);
        }
    }
    let counts = counts.iter().filter(|(_, count)| *count > 0);
    let counts: Vec<_> = counts.map(|(mode, count)| format!("{count} {}", mode.as_str())).collect();
    if counts.is_empty() { Vec::new() } else { vec![format!("resources: {}", counts.join(", "))] }
}

/// Returns the sources of each build in requested files.
fn builds(template: &Template<'_>, asked_for: &AskedFor) -> Vec<String> {
    let is_shown = |build: &&packer::Build<'_>| asked_for.contains(build.block.source().name());
    let builds = template.builds.iter().filter(is_shown).map(|build| {
        let names = build.sources.iter().map(|each| match each.name {
            Some(name) => Cow::Owned(packer::Object::Source(name).to_string()),
            None => Cow::Borrowed(each.text),
        });
        format!("builds: {}", names.collect::<Vec<_>>().join(", "))
    });
    builds.collect()
}

impl<I: Serialize> output::Row for Module<'_, I> {
    const MEMBER: Option<&'static str> = Some("modules");
    // Indented, it has twice the size.
    const LAYOUT: output::Layout = output::Layout::Lines;
    /// One record for each block.
    const COLUMNS: &'static [&'static str] =
        &["path", "dialect", "type", "labels", "filename", "line", "column"];

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        print_module(self, out)
    }

    fn records(&self, out: &mut Csv<'_>) {
        for block in &self.blocks {
            let Range { filename, start, .. } = &block.range;
            let [labels, line, column] =
                [block.labels.join("."), start.line.to_string(), start.column.to_string()];
            let (path, block_type) = (&self.path, &block.block_type);
            out.record([path, self.dialect, block_type, &labels, filename, &line, &column]);
        }
    }
}

fn print_module<I>(module: &Module<'_, I>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{} ({})", visible(&module.path), module.dialect)?;
    for file in &module.files {
        let role = file.kind.role();
        write!(out, "  {role:<10} {}", visible(&file.name.to_string_lossy()))?;
        match &file.shadowed_by {
            Some(shadow) => {
                let shadow = shadow.to_string_lossy();
                writeln!(out, " (not read: {} takes precedence)", visible(&shadow))?;
            }
            None => writeln!(out)?,
        }
    }
    for line in &module.summary {
        writeln!(out, "  {}", visible(line))?;
    }
    let addresses: Vec<String> = module.blocks.iter().map(address).collect();
    let width = addresses.iter().map(|address| address.chars().count()).max();
    let width = width.unwrap_or(0).min(60);
    for (block, address) in module.blocks.iter().zip(addresses) {
        let Range { filename, start, .. } = &block.range;
        let name = filename.rsplit(['/', '\\']).next().unwrap_or(filename);
        writeln!(out, "  {address:<width$}  {}:{}:{}", visible(name), start.line, start.column)?;
    }
    writeln!(out)
}

/// Returns type and labels of a block, for people.
fn address(block: &Block) -> String {
    let mut address = block.block_type.clone();
    for label in &block.labels {
        address.push_str(" \"");
        address.push_str(&visible(label));
        address.push('"');
    }
    address
}
