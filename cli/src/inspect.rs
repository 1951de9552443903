//! `inspect`: every module, the files it is made of, and its top-level blocks.

use std::io::{self, Write};

use serde::Serialize;
use simd_hcl::dialect::{List, root_schema};
use simd_hcl::directory::{ModuleFiles, decode};
use simd_hcl::{Dialect, Document, OpenError, Severity, Source};

use crate::args::{self, Common, Format};
use crate::check::{report_absence, unreadable_directories};
use crate::excerpt::Range;
use crate::finding::{Finding, Policy};
use crate::input::visit_stdin;
use crate::progress::Progress;
use crate::stats::Stats;
use crate::visible::visible;
use crate::{Failure, Status, human, input};

#[derive(Serialize)]
struct Module<'m> {
    path: String,
    dialect: &'static str,
    files: Vec<File<'m>>,
    blocks: Vec<Block>,
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

/// What is taken from one file before its arena goes to the next.
struct Read {
    bytes: u64,
    arena_bytes: usize,
    blocks: Vec<Block>,
    findings: Vec<Finding>,
}

pub(crate) fn run(inspect: &args::Inspect, common: &Common) -> Result<Status, Failure> {
    let options = input::decode_options(common)?;
    let mut stats = Stats::new(options.parse.kernel);
    let (discovery, stdin) = input::modules(&inspect.configuration, common);
    let mut status = report_absence(&discovery, stdin, common);

    let files = discovery.modules.iter().flat_map(|module| &module.files);
    let progress = Progress::new(files.filter(|file| file.is_read()).count(), common);
    let pool = input::thread_pool(common)?;
    stats.threads = pool.current_num_threads();
    let read = pool.install(|| {
        decode(&discovery.modules, &options, |of, source, document| {
            progress.advance();
            read_file(of.module.dialect, of.file.kind.list, source, document)
        })
    });
    drop(progress);

    let mut read = read.into_iter();
    let mut modules = Vec::new();
    let mut findings = unreadable_directories(&discovery, Policy::default());
    let mut take = |file: Read, blocks: &mut Vec<Block>| {
        stats.files += 1;
        stats.bytes += file.bytes;
        stats.arena_bytes = stats.arena_bytes.max(file.arena_bytes);
        blocks.extend(file.blocks);
        findings.extend(file.findings);
    };
    for module in &discovery.modules {
        let mut blocks = Vec::new();
        let count = module.files.iter().filter(|file| file.is_read()).count();
        read.by_ref().take(count).for_each(|file| take(file, &mut blocks));
        modules.push(described(module, blocks));
    }
    if stdin {
        let (configuration, options) = (&inspect.configuration, &options.parse);
        let (role, file) = visit_stdin(configuration, common, options, |role, source, document| {
            (role, read_file(role.dialect, role.kind.list, source, document))
        });
        let name = configuration.stdin_name.as_str();
        let mut blocks = Vec::new();
        take(file, &mut blocks);
        modules.push(Module {
            path: name.to_owned(),
            dialect: role.dialect.name(),
            files: vec![File { name: name.into(), role: role.kind.role(), shadowed_by: None }],
            blocks,
        });
    }
    stats.modules = modules.len();
    let mut errors = anstream::stderr().lock();
    for finding in &findings {
        status = status.max(Status::Found);
        human::write(finding, &mut errors)?;
    }
    drop(errors);
    print(&modules, inspect.format)?;
    stats.print(common);
    Ok(status)
}

fn read_file<'a>(
    dialect: Dialect,
    list: List,
    source: Source<'a>,
    document: Result<Document<'a>, Box<OpenError>>,
) -> Read {
    let mut blocks = Vec::new();
    let mut diagnostics = Vec::new();
    match document {
        Err(error) => diagnostics.push(error.to_diagnostic(source)),
        Ok(document) => {
            diagnostics.extend_from_slice(document.diagnostics());
            let is_configuration = matches!(list, List::Primary | List::Override);
            let schema = root_schema(dialect, list).filter(|_| is_configuration);
            if let Some(schema) = schema {
                let content = document.body().content(schema, &mut diagnostics);
                blocks.extend(content.all_blocks().iter().map(|block| Block {
                    block_type: block.block_type().to_owned(),
                    labels: block.labels().map(str::to_owned).collect(),
                    range: Range::of(source, block.span()),
                }));
            }
        }
    }
    Read {
        bytes: source.bytes().len() as u64,
        arena_bytes: source.arena_bytes(),
        blocks,
        findings: diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity() == Severity::Error)
            .map(Finding::of)
            .collect(),
    }
}

fn described(module: &ModuleFiles, blocks: Vec<Block>) -> Module<'_> {
    let files = module.files.iter().map(|file| File {
        name: file.name.to_string_lossy(),
        role: file.kind.role(),
        shadowed_by: file.shadowed_by.as_ref().map(|name| name.to_string_lossy()),
    });
    Module {
        path: module.path.to_string_lossy().into_owned(),
        dialect: module.dialect.name(),
        files: files.collect(),
        blocks,
    }
}

fn print(modules: &[Module<'_>], format: Format) -> Result<(), Failure> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    match format {
        Format::Human => modules.iter().try_for_each(|module| print_module(module, &mut out))?,
        Format::Json => {
            serde_json::to_writer_pretty(&mut out, modules)?;
            writeln!(out)?;
        }
        Format::Ndjson => {
            for module in modules {
                serde_json::to_writer(&mut out, module)?;
                writeln!(out)?;
            }
        }
    }
    out.flush()?;
    Ok(())
}

fn print_module(module: &Module<'_>, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{} ({})", visible(&module.path), module.dialect)?;
    for file in &module.files {
        write!(out, "  {:<10} {}", file.role, visible(&file.name))?;
        match &file.shadowed_by {
            Some(shadow) => writeln!(out, " (not read: {} goes before it)", visible(shadow))?,
            None if file.role == "native" => writeln!(out, " (not read)")?,
            None => writeln!(out)?,
        }
    }
    let address = |block: &Block| {
        let labels = block.labels.iter().map(|label| format!(" {label:?}"));
        format!("{}{}", block.block_type, labels.collect::<String>())
    };
    let width = module.blocks.iter().map(|block| address(block).chars().count()).max();
    let width = width.unwrap_or(0).min(60);
    for block in &module.blocks {
        let Range { filename, start, .. } = &block.range;
        let name = filename.rsplit(['/', '\\']).next().unwrap_or(filename);
        let address = address(block);
        writeln!(out, "  {address:<width$}  {}:{}:{}", visible(name), start.line, start.column)?;
    }
    writeln!(out)
}
