//! `check`: parses everything below some paths and says what is wrong with it.

use std::path::Path;

use simd_hcl::dialect::{List, root_schema};
use simd_hcl::directory::{Discovery, ModuleFiles, ProblemKind, decode};
use simd_hcl::packer;
use simd_hcl::show::BodySchemas;
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::{Arena, Code, Diagnostic, Dialect, Document, OpenError, Source, Span};

use crate::args::{self, Common, Level};
use crate::finding::{Finding, Policy};
use crate::progress::Progress;
use crate::stats::{Stats, count};
use crate::{Failure, Status, input, report, schema, visible};

pub(crate) fn run(check: &args::Check, common: &Common) -> Result<Status, Failure> {
    let options = input::decode_options(common)?;
    if check.provider_schemas.is_some() && check.level != Level::Module {
        let message = "bodies are checked by the schemas of providers at --level module only";
        return Err(Failure::Message(message.to_owned()));
    }
    let mut stats = Stats::new(options.parse.kernel);
    let policy = Policy { allow: &check.allow, deny: &check.deny };
    let discovery = input::modules(&check.configuration, common);
    let mut status = report_absence(&discovery, common);

    let (whole, single): (Vec<_>, Vec<_>) =
        discovery.modules.iter().cloned().partition(|_| check.level == Level::Module);
    let files = discovery.modules.iter().flat_map(|module| &module.files);
    let progress = Progress::new(files.filter(|file| file.is_read()).count(), common);
    let pool = input::thread_pool(common)?;
    stats.threads = pool.current_num_threads();
    let mut checked = pool.install(|| {
        decode(&single, &options, |of, source, document| {
            progress.advance();
            check_file(of.module.dialect, of.file.kind.list, source, document, policy)
        })
    });
    if !whole.is_empty() {
        let packer = packer::Options::default().with_defaults(check.packer_defaults);
        let tree_options = TreeOptions::default().with_decode(options).with_packer(packer);
        let schemas = check.provider_schemas.as_deref();
        let all = pool.install(|| check_modules(whole, tree_options, schemas, policy, common));
        checked.push(all?);
    }
    drop(progress);
    stats.modules = discovery.modules.len();
    let mut findings = unreadable_directories(&discovery, policy);
    for file in checked {
        stats.files += file.files;
        stats.bytes += file.bytes;
        stats.arena_bytes = stats.arena_bytes.max(file.arena_bytes);
        findings.extend(file.findings);
    }
    findings.sort_by(|one, other| {
        let place = |finding: &Finding| (finding.range.start.byte, finding.range.end.byte);
        one.range.filename.cmp(&other.range.filename).then(place(one).cmp(&place(other)))
    });

    let errors = findings.iter().filter(|finding| finding.is_error()).count();
    report::print(&findings, errors, check.format)?;
    if !common.quiet {
        for module in discovery.modules.iter().filter(|module| module.has_native_files()) {
            let path = visible::path(&module.path);
            anstream::eprintln!("note: {path}: its native syntax files are not read");
        }
        let warnings = findings.len() - errors;
        anstream::eprintln!(
            "{}; {}, {}",
            stats.summary("checked"),
            count(errors, "error"),
            count(warnings, "warning")
        );
    }
    stats.print(common);
    if errors > 0 && !check.exit_zero {
        status = status.max(Status::Found);
    }
    Ok(status)
}

/// What a check makes of one file, or of several.
struct Checked {
    files: usize,
    bytes: u64,
    arena_bytes: usize,
    findings: Vec<Finding>,
}

/// Everything that is wrong with one file, without what the policy allows.
fn check_file<'a>(
    dialect: Dialect,
    list: List,
    source: Source<'a>,
    document: Result<Document<'a>, Box<OpenError>>,
    policy: Policy<'_>,
) -> Checked {
    let mut findings = Vec::new();
    let mut report = |diagnostic: Diagnostic<'a>| findings.extend(policy.apply(diagnostic));
    match document {
        Err(error) => report(error.to_diagnostic(source)),
        Ok(document) => {
            document.diagnostics().iter().cloned().for_each(&mut report);
            match root_schema(dialect, list) {
                Some(schema) => document.body().check(schema, &mut report),
                None => drop(document.body().just_attributes(&mut report)),
            }
        }
    }
    let arena_bytes = source.arena_bytes();
    Checked { files: 1, bytes: source.bytes().len() as u64, arena_bytes, findings }
}

/// Everything that is wrong with modules and templates, and between them; and with the bodies of which there are schemas.
fn check_modules(
    modules: Vec<ModuleFiles>,
    options: TreeOptions,
    schemas: Option<&Path>,
    policy: Policy<'_>,
    common: &Common,
) -> Result<Checked, Failure> {
    let mut arena = Arena::new();
    let (mut files, mut bytes) = (0, 0);
    let findings = {
        let mut tree = Tree::load(&arena, modules, &options);
        tree.check_bodies(&match schemas {
            Some(path) => schema::read(&arena, path, common)?.with_built_in(&arena),
            None => BodySchemas::built_in(&arena),
        });
        for source in tree.sources() {
            files += 1;
            bytes += source.bytes().len() as u64;
        }
        tree.diagnostics().filter_map(|diagnostic| policy.apply(diagnostic.clone())).collect()
    };
    Ok(Checked { files, bytes, arena_bytes: arena.allocated_bytes(), findings })
}

/// Says which paths are missing or hold nothing to read.
pub(crate) fn report_absence(discovery: &Discovery, common: &Common) -> Status {
    let mut status = Status::Clean;
    for problem in discovery.problems.iter().filter(|p| p.kind == ProblemKind::Missing) {
        anstream::eprintln!("simd-hcl: {}: {}", visible::path(&problem.path), problem.message);
        status = Status::CouldNotRun;
    }
    let found_nothing = discovery.modules.is_empty();
    for (path, nothing) in &discovery.nothing {
        if found_nothing || !common.quiet {
            let path = visible::path(path);
            anstream::eprintln!("simd-hcl: nothing to read in {path}: {nothing}");
        }
    }
    if found_nothing { Status::CouldNotRun } else { status }
}

/// The directories that cannot be listed, as findings.
pub(crate) fn unreadable_directories(discovery: &Discovery, policy: Policy<'_>) -> Vec<Finding> {
    let arena = Arena::new();
    let unreadable =
        discovery.problems.iter().filter(|p| p.kind == ProblemKind::UnreadableDirectory);
    unreadable
        .filter_map(|problem| {
            let source = Source::empty(&arena, &problem.path.to_string_lossy());
            let diagnostic = Diagnostic::new(Code::UnreadableDirectory, source, Span::at(0));
            policy.apply(diagnostic.with_arguments(&[&problem.message]))
        })
        .collect()
}
