//! `inspect`: every module, the files it is made of, its top-level blocks, and what they declare.

use std::io::{self, Write};

use serde::Serialize;
use simd_hcl::dialect::{List, root_schema};
use simd_hcl::directory::{AskedFor, ModuleFiles, decode_modules};
use simd_hcl::packer::Template;
use simd_hcl::{Diagnostic, Dialect, OpenError, ParsedFile, Severity, Source};

use crate::args::{self, Common, ListFormat};
use crate::check::unreadable_directories;
use crate::declared::Limited;
use crate::excerpt::{Range, ranged};
use crate::finding::{Finding, Policy};
use crate::incomplete::Incomplete;
use crate::inventory;
use crate::modules::path_of_files;
use crate::output::{self, Csv};
use crate::packer;
use crate::progress::Progress;
use crate::stats::Stats;
use crate::status::{Failure, Status};
use crate::visible::visible;
use crate::{compat, human, input};

#[derive(Serialize)]
struct Module<'m> {
    path: String,
    dialect: &'static str,
    files: Vec<File<'m>>,
    blocks: Vec<Block>,
    #[serde(flatten)]
    inventory: Option<Inventory>,
    /// How many resources of each mode there are, for people.
    #[serde(skip)]
    modes: Vec<(&'static str, usize)>,
}

/// What is declared, in typed lists.
#[derive(Serialize)]
#[serde(untagged)]
enum Inventory {
    /// Of OpenTofu and Terraform.
    Module(Box<inventory::Inventory>),
    /// Of Packer.
    Template(Box<packer::Inventory>),
}

#[derive(Serialize)]
struct File<'m> {
    name: std::borrow::Cow<'m, str>,
    role: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    shadowed_by: Option<std::borrow::Cow<'m, str>>,
}

#[derive(Serialize)]
struct Block {
    #[serde(rename = "type")]
    block_type: String,
    labels: Vec<String>,
    range: Range,
}

/// What is taken from one module before its arena goes to the next.
#[derive(Default)]
struct Read {
    files: usize,
    bytes: u64,
    arena_bytes: usize,
    blocks: Vec<Block>,
    inventory: Option<Inventory>,
    modes: Vec<(&'static str, usize)>,
    findings: Vec<Finding>,
    /// The names of files that could not be decoded, and why.
    undecoded: Vec<(String, &'static str)>,
}

impl Read {
    /// Without what is in files that were not asked for.
    fn limit(&mut self, asked_for: &AskedFor) {
        if asked_for.is_all() {
            return;
        }
        self.blocks.limit(asked_for);
        self.findings.limit(asked_for);
        match &mut self.inventory {
            Some(Inventory::Module(inventory)) => inventory.limit(asked_for),
            Some(Inventory::Template(inventory)) => inventory.limit(asked_for),
            None => {}
        }
    }
}

ranged!(Block, Finding);

pub(crate) fn run(inspect: &args::Inspect, common: &Common) -> Result<Status, Failure> {
    if inspect.compat {
        return compat::run(inspect, common);
    }
    let options = input::module_options(common)?;
    let mut stats = Stats::new(options.parse.kernel);
    let discovery = input::modules(&inspect.configuration, common)?;
    let mut status = Incomplete::status(&discovery);
    let mut incomplete = Incomplete::of_discovery(&discovery);

    let files = discovery.modules.iter().flat_map(|module| &module.files);
    let progress = Progress::new(files.filter(|file| file.is_read()).count(), common);
    let read = decode_modules(&discovery.modules, &options, |module, _, files| {
        files.iter().for_each(|_| progress.advance());
        let files = files.into_iter().map(|file| (file.file.kind.list, file.source, file.parsed));
        let asked_for = module.asked_for();
        let mut read = read_module(module.dialect, files.collect(), inspect.format, &asked_for);
        read.limit(&asked_for);
        read
    });
    drop(progress);

    let mut modules = Vec::new();
    let mut findings = unreadable_directories(&discovery, Policy::default());
    let mut take = |read: &mut Read| {
        stats.files += read.files;
        stats.bytes += read.bytes;
        stats.arena_bytes = stats.arena_bytes.max(read.arena_bytes);
        findings.append(&mut read.findings);
        for (name, why) in &read.undecoded {
            incomplete.add_file(name, why);
        }
    };
    for (module, mut read) in discovery.modules.iter().zip(read) {
        take(&mut read);
        modules.push(described(module, read));
    }
    stats.modules = modules.len();
    let mut errors = anstream::stderr().lock();
    for finding in &findings {
        status = status.max(Status::Found);
        human::write(finding, &mut errors)?;
    }
    drop(errors);
    output::list(inspect.format, modules, &incomplete)?;
    incomplete.print(inspect.format, common);
    stats.print(common);
    Ok(status)
}

/// A file, and what became of it.
type Parsed<'a> = (List, Source<'a>, Result<ParsedFile<'a>, Box<OpenError>>);

/// What `format` shows of a module.
fn read_module(
    dialect: Dialect,
    files: Vec<Parsed<'_>>,
    format: ListFormat,
    asked_for: &AskedFor,
) -> Read {
    let mut read = Read::default();
    let mut diagnostics = Vec::new();
    let mut documents = Vec::new();
    for (list, source, document) in files {
        read.files += 1;
        read.bytes += source.bytes().len() as u64;
        read.arena_bytes = source.arena_bytes();
        match document {
            Err(error) => {
                let diagnostic = error.to_diagnostic(source);
                read.undecoded.push((source.name().to_owned(), diagnostic.summary()));
                diagnostics.push(diagnostic);
            }
            Ok(document) => {
                diagnostics.extend_from_slice(document.diagnostics());
                if !document.is_complete() {
                    let error =
                        document.diagnostics().iter().find(|it| it.severity() == Severity::Error);
                    let why = error.map(Diagnostic::summary).unwrap_or_default();
                    read.undecoded.push((source.name().to_owned(), why));
                }
                let is_configuration = matches!(list, List::Primary | List::Override);
                let schema = root_schema(dialect, list).filter(|_| is_configuration);
                if let Some(schema) = schema {
                    let content = document.body().content(schema, &mut diagnostics);
                    read.blocks.extend(content.all_blocks().iter().map(|block| Block {
                        block_type: block.block_type().to_owned(),
                        labels: block.labels().map(str::to_owned).collect(),
                        range: Range::of(source, block.span()),
                    }));
                    documents.push((list, document));
                }
            }
        }
    }
    // What is wrong inside of blocks is for `check` to say.
    if dialect == Dialect::Packer {
        let template = Template::read(documents, &simd_hcl::packer::Options::default(), &mut ());
        read.inventory = Some(Inventory::Template(Box::new(packer::Inventory::of(&template))));
    } else if format != ListFormat::Csv {
        let module = simd_hcl::module::Module::read(dialect, documents, true, &mut ());
        if format == ListFormat::Human {
            read.modes = inventory::modes(&module, asked_for);
        } else {
            read.inventory = Some(Inventory::Module(Box::new(inventory::Inventory::of(&module))));
        }
    }
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity() == Severity::Error);
    read.findings = errors.map(Finding::of).collect();
    read
}

fn described(module: &ModuleFiles, read: Read) -> Module<'_> {
    let files = module.files.iter().filter(|file| file.is_asked_for()).map(|file| File {
        name: file.name.to_string_lossy(),
        role: file.kind.role(),
        shadowed_by: file.shadowed_by.as_ref().map(|name| name.to_string_lossy()),
    });
    Module {
        path: path_of_files(module),
        dialect: module.dialect.name(),
        files: files.collect(),
        blocks: read.blocks,
        inventory: read.inventory,
        modes: read.modes,
    }
}

impl output::Row for Module<'_> {
    /// A record for each block.
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

fn print_module(module: &Module<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{} ({})", visible(&module.path), module.dialect)?;
    for file in &module.files {
        write!(out, "  {:<10} {}", file.role, visible(&file.name))?;
        match &file.shadowed_by {
            Some(shadow) => writeln!(out, " (not read: {} goes before it)", visible(shadow))?,
            None => writeln!(out)?,
        }
    }
    let counts: Vec<_> =
        module.modes.iter().map(|(mode, count)| format!("{count} {mode}")).collect();
    if !counts.is_empty() {
        writeln!(out, "  resources: {}", counts.join(", "))?;
    }
    if let Some(Inventory::Template(inventory)) = &module.inventory {
        for build in inventory.builds() {
            writeln!(out, "  builds: {}", visible(&build))?;
        }
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

/// The type and the labels of a block, for people.
fn address(block: &Block) -> String {
    let mut address = block.block_type.clone();
    for label in &block.labels {
        address.push_str(" \"");
        address.push_str(&visible(label));
        address.push('"');
    }
    address
}
