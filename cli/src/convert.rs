//! `convert`: converts files to the other syntax.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use simd_hcl::body::Block;
use simd_hcl::convert::{
    Converted, JsonBlocks, lost_comments, split_json, split_native, to_json, to_native,
};
use simd_hcl::dialect::{FileKind, List, Syntax, name_in_other_syntax, root_schema};
use simd_hcl::diff::{Change, Objects, changes};
use simd_hcl::directory::{DiscoverOptions, ModuleFile, Roots, discover};
use simd_hcl::module::Module;
use simd_hcl::show::{BodySchemas, SchemaBlock};
use simd_hcl::structure::{File, Item};
use simd_hcl::{
    Arena, Diagnostic, Dialect, Document, Expression, ParsedFile, Severity, Source, Span,
};

use crate::args::{self, Common, SyntaxName};
use crate::finding::Finding;
use crate::stats::{Stats, count};
use crate::status::{Failure, Status};
use crate::visible::{self, visible};
use crate::{human, input, output, plan_file, provider_schemas, replace};

pub(crate) fn run(convert: &args::Convert, common: &Common) -> Result<Status, Failure> {
    let has_directory = convert.files.iter().any(|path| path.is_dir());
    for path in &convert.files {
        let is_plan_file = plan_file::is_at(path).unwrap_or(false);
        if is_plan_file {
            return Err(Failure::Message(format!(
                "{}: it is a plan file, and only files of the file system are converted",
                visible::path(path)
            )));
        }
    }
    if (convert.files.len() > 1 || has_directory) && convert.out_dir.is_none() {
        let message = "several files need --out-dir, the directory to write them to";
        return Err(Failure::Message(message.to_owned()));
    }
    let mut stats = Stats::new(input::parse_options(common)?.kernel);
    let mut status = Status::Clean;
    let (mut written, mut unknown_blocks) = (0, 0);
    let mut output = Output::new(convert)?;
    let (files, problems) = files(convert, common)?;
    for problem in problems {
        status = Status::CouldNotRun;
        anstream::eprintln!("simd-hcl: {}", visible(&problem));
    }
    for Input { path, below } in &files {
        let converted = match one(convert, path, &mut stats, common) {
            Ok(converted) => converted,
            // The other files go on.
            Err(Failure::Message(message)) if files.len() > 1 => {
                status = Status::CouldNotRun;
                anstream::eprintln!("simd-hcl: {message}");
                continue;
            }
            Err(failure) => return Err(failure),
        };
        let Done { converted, findings, lost } = converted;
        let mut errors = anstream::stderr().lock();
        for finding in &findings {
            status = status.max(Status::Found);
            human::write(finding, &mut errors)?;
        }
        for place in lost.iter().filter(|_| !common.quiet) {
            writeln!(errors, "note: {place}: the comment has no place and is left out")?;
        }
        drop(errors);
        if let Some((text, here)) = converted {
            unknown_blocks += here;
            let done = output.write(convert, path, below, text)?;
            written += usize::from(done == Status::Clean);
            status = status.max(done);
        }
    }
    if unknown_blocks > 0 && !common.quiet {
        let (what, verb) = match unknown_blocks {
            1 => ("1 object or list of objects".to_owned(), "is"),
            many => (format!("{many} objects or lists of objects"), "are"),
        };
        anstream::eprintln!(
            "note: {what} {verb} written as arguments, but may be nested blocks; give the schemas \
             of the providers with --provider-schemas"
        );
    }
    if convert.out_dir.is_some() && !common.quiet {
        let of = if written < stats.files { format!("{written} of ") } else { String::new() };
        anstream::eprintln!("converted {of}{}", count(stats.files, "file"));
    }
    stats.print(common);
    Ok(status)
}

/// The result for one file.
struct Done {
    /// The text, and the number of objects that may be blocks; `None` if the file has a syntax error.
    converted: Option<(Text, usize)>,
    findings: Vec<Finding>,
    /// The places of the comments that it does not have.
    lost: Vec<String>,
}

/// Larger files are converted piece by piece.
const LARGE: usize = 4 << 20;

/// The size of such a piece.
const PIECE: usize = 256 << 10;

fn one(
    convert: &args::Convert,
    path: &Path,
    stats: &mut Stats,
    common: &Common,
) -> Result<Done, Failure> {
    let mut arena = Arena::new();
    let source = input::text(&arena, path, &convert.stdin_name, common).map_err(|error| {
        Failure::Message(format!("{}: {error}", visible(&path.to_string_lossy())))
    })?;
    stats.files += 1;
    stats.bytes += source.bytes().len() as u64;
    let name = Path::new(source.name()).file_name().unwrap_or_default();
    let dialect = Dialect::of_named(name, convert.dialect.map(Into::into));
    let wanted = source_syntax(convert);
    let kind = FileKind::of_known(name, dialect);
    if kind.is_some_and(|kind| kind.syntax != wanted) {
        let syntax = match convert.to {
            SyntaxName::Json => "JSON",
            SyntaxName::Native => "native syntax",
        };
        let message = format!("{}: the file is {syntax} already", visible(source.name()));
        return Err(Failure::Message(message));
    }
    // Files with other names, and standard input without one, are configuration if they look like it.
    // Otherwise no block type has special rules.
    let kind = kind.map(|kind| (dialect, kind.list));
    let kind = kind.or_else(|| {
        let is_configuration = is_configuration(source, wanted, dialect, !input::is_dash(path));
        is_configuration.then_some((dialect, List::Primary))
    });
    if source.bytes().len() > LARGE
        && convert.provider_schemas.is_none()
        && let Some(converted) = by_pieces(convert, &arena, source, kind, common)
    {
        stats.arena_bytes = stats.arena_bytes.max(arena.allocated_bytes());
        return Ok(Done { converted: Some(converted), findings: Vec::new(), lost: Vec::new() });
    }
    let done = whole(convert, &arena, source, kind, common)?;
    stats.arena_bytes = stats.arena_bytes.max(arena.allocated_bytes());
    Ok(done)
}

/// Block types that other documents hardly have at their root.
const TELLING: [&str; 5] = ["resource", "module", "provider", "terraform", "variable"];

/// Whether a text has nothing but blocks, all of which configuration may have. One that `is_named`
/// may be another document: it must also have a block of the types that only configuration has.
fn is_configuration(source: Source<'_>, syntax: Syntax, dialect: Dialect, is_named: bool) -> bool {
    let Some(schema) = root_schema(dialect, List::Primary) else { return false };
    // An arena of its own, so that nothing of it is kept.
    let arena = Arena::new();
    let Ok(source) = Source::from_bytes(&arena, source.name(), source.bytes()) else {
        return false;
    };
    let mut names = Vec::new();
    match syntax {
        Syntax::Native => {
            let file = File::skeleton(&arena, source, &mut ());
            names.extend(file.body().items().map(|item| match item {
                Item::Block(block) => block.block_type(),
                _ => "",
            }));
        }
        Syntax::Json => {
            let document = Document::parse(&arena, source).ok();
            let root = document.and_then(|it| it.root().as_object());
            let members = root.into_iter().flat_map(|root| root.members());
            names.extend(members.filter(|member| !member.name().is("//")).map(|member| {
                let is_block = member.value().is_object() || member.value().is_array();
                if is_block || !is_named { member.name().to_str() } else { "" }
            }));
        }
    }
    let is_telling = || !is_named || names.iter().any(|name| TELLING.contains(name));
    !names.is_empty() && names.iter().all(|name| schema.block(name).is_some()) && is_telling()
}

/// Converts a file as a whole, and compares it with the result.
fn whole<'a>(
    convert: &args::Convert,
    arena: &'a Arena,
    source: Source<'a>,
    kind: Option<(Dialect, List)>,
    common: &Common,
) -> Result<Done, Failure> {
    let wanted = source_syntax(convert);
    let mut diagnostics: Vec<Diagnostic<'_>> = Vec::new();
    let converted = match convert.to {
        SyntaxName::Json => {
            let file = File::parse(arena, source, &mut diagnostics);
            file.check(&mut diagnostics);
            let is_valid = diagnostics.iter().all(|it| it.severity() != Severity::Error);
            is_valid.then(|| to_json(file, kind, &mut diagnostics))
        }
        SyntaxName::Native => native(convert, arena, source, kind, &mut diagnostics, common)?,
    };
    let mut lost = Vec::new();
    if let Some(Converted { text, .. }) = &converted
        && !diagnostics.iter().any(|it| it.severity() == Severity::Error)
    {
        let name = visible(source.name());
        match checked(source, text, wanted, kind) {
            Ok(lines) => lost.extend(lines.iter().map(|line| format!("{name}:{line}"))),
            Err(why) => {
                let message = format!("{name}: the converted text differs: {why}");
                return Err(Failure::Message(message));
            }
        }
    }
    let converted =
        converted.map(|Converted { text, unknown_blocks, .. }| (Text::Whole(text), unknown_blocks));
    Ok(Done { converted, findings: diagnostics.iter().map(Finding::of).collect(), lost })
}

/// The syntax of the files to convert.
fn source_syntax(convert: &args::Convert) -> Syntax {
    match convert.to {
        SyntaxName::Json => Syntax::Native,
        SyntaxName::Native => Syntax::Json,
    }
}

/// The text of a converted file.
enum Text {
    Whole(String),
    /// That of a large file, which is not put together before it is written.
    Blocks(JsonBlocks),
}

/// Converts a large file of blocks piece by piece, and compares each with its result. `None` if
/// anything is to be said, which is found again in the file as a whole.
fn by_pieces<'a>(
    convert: &args::Convert,
    arena: &'a Arena,
    source: Source<'a>,
    kind: Option<(Dialect, List)>,
    common: &Common,
) -> Option<(Text, usize)> {
    let is_kept = |source: Source<'_>, text: &str, syntax| {
        checked(source, text, syntax, kind).is_ok_and(|lost| lost.is_empty()).then_some(())
    };
    match convert.to {
        SyntaxName::Json => {
            let pieces = native_pieces(source, kind)?;
            let mut blocks = JsonBlocks::default();
            let mut scratch = Arena::new();
            for piece in pieces {
                let mut found: Option<Diagnostic<'_>> = None;
                let piece =
                    Source::from_bytes(&scratch, "piece", piece.slice(source.bytes())).ok()?;
                let file = File::parse(&scratch, piece, &mut found);
                file.check(&mut found);
                let converted = to_json(file, kind, &mut found);
                if found.is_some() {
                    return None;
                }
                is_kept(piece, &converted.text, Syntax::Native)?;
                blocks.add(file, kind, &mut ())?;
                scratch.reset();
            }
            Some((Text::Blocks(blocks), 0))
        }
        SyntaxName::Native => {
            let document =
                Document::parse_with(arena, source, &input::parse_options(common).ok()?).ok()?;
            let (mut text, mut unknown_blocks) = (String::new(), 0);
            let mut scratch = Arena::new();
            split_json(document, kind, PIECE, &mut |piece| {
                let mut found: Option<Diagnostic<'_>> = None;
                let piece = Source::from_bytes(&scratch, "piece", piece.as_bytes()).ok()?;
                let document = Document::parse(&scratch, piece).ok()?;
                let converted = to_native(document, kind, &|_, _| None, &mut found);
                if found.is_some() {
                    return None;
                }
                is_kept(piece, &converted.text, Syntax::Json)?;
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(&converted.text);
                unknown_blocks += converted.unknown_blocks;
                scratch.reset();
                Some(())
            })?;
            Some((Text::Whole(text), unknown_blocks))
        }
    }
}

/// Returns the pieces of a native file of blocks, and keeps nothing else of it.
fn native_pieces(source: Source<'_>, kind: Option<(Dialect, List)>) -> Option<Vec<Span>> {
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, source.name(), source.bytes()).ok()?;
    let file = File::skeleton(&arena, source, &mut ());
    split_native(file, kind, PIECE).filter(|_| file.is_sound())
}

/// Reads the text that was written for a source of a syntax, and compares what both declare, all
/// values, and the comments. Returns the lines of comments that are lost. The error says where the files
/// differ.
fn checked(
    source: Source<'_>,
    text: &str,
    syntax: Syntax,
    kind: Option<(Dialect, List)>,
) -> Result<Vec<u64>, String> {
    let arena = Arena::new();
    let is_native = syntax == Syntax::Native;
    let old = parsed(&arena, "source", source.bytes(), is_native)?;
    let new = parsed(&arena, "converted", text.as_bytes(), !is_native)?;
    let lost = lost_comments(old, new).into_iter();
    let lost = lost.map(|label| label.source.position(label.span.start).line).collect();
    let Some((dialect, list)) = kind else { return Ok(lost) };
    let [old, new] = [old, new].map(|file| {
        // Both have the same name, which is a part of addresses.
        Objects::read(&arena, dialect, [(list, "file", file.body())])
    });
    match changes(&old, &new).first() {
        Some(change) => Err(difference(change)),
        None => Ok(lost),
    }
}

/// Describes a change between a file and its conversion, with the line of the file.
fn difference(change: &Change<'_>) -> String {
    let address = change.address.strip_prefix("file:").unwrap_or(change.address);
    let place = |value: Expression<'_>| value.source().position(value.start_span().start).line;
    let Some(leaf) = change.leaves.first() else {
        return match change.before {
            Some(label) => {
                let line = label.source.position(label.span.start).line;
                format!("line {line}: {address} is {}", change.action.as_str())
            }
            None => format!("{address} is {}", change.action.as_str()),
        };
    };
    let text = |value: Option<Expression<'_>>| {
        value.map_or("absent".into(), |value| String::from_utf8_lossy(value.text()).into_owned())
    };
    let line = leaf.before.map_or(String::new(), |before| format!("line {}: ", place(before)));
    let (before, after) = (text(leaf.before), text(leaf.after));
    format!("{line}{address}: {} is {before}, and would become {after}", leaf.path)
}

/// Parses a text. The error says where it is not valid.
fn parsed<'a>(
    arena: &'a Arena,
    name: &str,
    bytes: &'a [u8],
    is_native: bool,
) -> Result<ParsedFile<'a>, String> {
    let source = Source::from_bytes(arena, name, bytes).map_err(|error| error.to_string())?;
    let file = match is_native {
        true => ParsedFile::native(arena, source),
        false => match Document::parse(arena, source) {
            Ok(document) => ParsedFile::json(document),
            Err(error) => return Err(error.to_string()),
        },
    };
    match file.diagnostics().iter().find(|it| it.severity() == Severity::Error) {
        Some(found) => {
            let line = found.source().position(found.span().start).line;
            Err(format!("line {line}: {}", found.code().as_str()))
        }
        None => Ok(file),
    }
}

fn native<'a>(
    convert: &args::Convert,
    arena: &'a Arena,
    source: Source<'a>,
    kind: Option<(Dialect, List)>,
    diagnostics: &mut Vec<Diagnostic<'a>>,
    common: &Common,
) -> Result<Option<Converted>, Failure> {
    let document = match Document::read(arena, source, &input::parse_options(common)?) {
        Ok(document) => document,
        Err(error) => {
            diagnostics.push(error);
            return Ok(None);
        }
    };
    let schemas = match (&convert.provider_schemas, kind) {
        (Some(path), Some((dialect, list))) if dialect != Dialect::Packer => {
            let schemas = provider_schemas::read(arena, path, common)?.with_built_in(arena);
            schemas_of(document, dialect, list, &schemas)
        }
        _ => HashMap::new(),
    };
    let find = |block_type: &str, label: &str| {
        schemas.get(&(block_type.to_owned(), label.to_owned())).copied()
    };
    Ok(Some(to_native(document, kind, &find, diagnostics)))
}

/// Returns the schemas of resources and provider configurations in a file, by block type and first
/// label.
fn schemas_of<'a>(
    document: Document<'a>,
    dialect: Dialect,
    list: List,
    schemas: &BodySchemas<'a>,
) -> HashMap<(String, String), SchemaBlock<'a>> {
    let module = Module::read(dialect, [(list, document)], true, &mut ());
    let described = provider_schemas::described_blocks(&module, dialect, schemas);
    let key = |block: Block<'_>, label: &str| (block.block_type().to_owned(), label.to_owned());
    described.into_iter().map(|it| (key(it.block, it.label), it.schema)).collect()
}

/// A file to convert.
struct Input {
    path: PathBuf,
    /// The path of its directory in the given directory, and in the output directory.
    below: PathBuf,
}

/// Returns the given files, and the files of the source syntax below the given directories, with
/// what cannot be read.
fn files(convert: &args::Convert, common: &Common) -> Result<(Vec<Input>, Vec<String>), Failure> {
    let (mut files, mut problems) = (Vec::new(), Vec::new());
    let source_syntax = source_syntax(convert);
    for path in &convert.files {
        if !path.is_dir() {
            files.push(Input { path: path.clone(), below: PathBuf::new() });
            continue;
        }
        let from = files.len();
        // Discovery leaves `./` out.
        let root = path.strip_prefix(".").unwrap_or(path);
        let options = DiscoverOptions::default()
            .with_dialect(convert.dialect.map(Into::into))
            .with_follow_links(common.follow_links);
        let discovery = discover(&[path], &options);
        problems.extend(discovery.problems.iter().map(ToString::to_string));
        for module in discovery.modules {
            let wanted = |file: &ModuleFile| file.kind.syntax == source_syntax;
            let wanted = module.files.iter().filter(|file| wanted(file));
            for path in wanted.filter_map(ModuleFile::on_disk) {
                let below = path.parent().and_then(|it| it.strip_prefix(root).ok());
                let below = below.unwrap_or(Path::new("")).to_owned();
                files.push(Input { path: path.to_owned(), below });
            }
        }
        if files.len() == from {
            let path = path.to_string_lossy();
            return Err(Failure::Message(format!("{path}: no files to convert")));
        }
    }
    Ok((files, problems))
}

/// Where converted files are written.
struct Output<'c> {
    /// The directory, and what may be written to; `None` for standard output.
    directory: Option<(&'c Path, Roots)>,
    /// The files that were written.
    targets: HashSet<PathBuf>,
}

impl<'c> Output<'c> {
    /// Makes the directory if it does not exist.
    fn new(convert: &'c args::Convert) -> Result<Self, Failure> {
        let directory = match convert.out_dir.as_deref() {
            None => None,
            Some(directory) => {
                fs::create_dir_all(directory).map_err(|error| {
                    let directory = visible::path(directory);
                    Failure::Message(format!("cannot make the directory {directory}: {error}"))
                })?;
                Some((directory, Roots::around([directory])))
            }
        };
        Ok(Self { directory, targets: HashSet::new() })
    }

    /// Prints the text, or writes it to `--out-dir` with a file name for the other syntax.
    fn write(
        &mut self,
        convert: &args::Convert,
        path: &Path,
        below: &Path,
        text: Text,
    ) -> Result<Status, Failure> {
        let Some((directory, roots)) = &self.directory else {
            match text {
                Text::Whole(text) => output::source(text)?,
                Text::Blocks(blocks) => output::source_by_parts(|each| blocks.write(each))?,
            }
            return Ok(Status::Clean);
        };
        let text = match text {
            Text::Whole(text) => text,
            Text::Blocks(blocks) => blocks.finish(),
        };
        let name = match input::is_dash(path) {
            true => Path::new(&convert.stdin_name).file_name(),
            false => path.file_name(),
        };
        let directory = directory.join(below);
        let target = directory.join(name_in_other_syntax(name.unwrap_or_default()));
        let text = text.as_bytes();
        let is_first = self.targets.insert(target.clone());
        let existed = is_first && !convert.force && target.symlink_metadata().is_ok();
        let written = match is_first {
            false => Err(io::Error::other("another file was written there")),
            true => replace::make_directory(&directory, roots).and_then(|()| match convert.force {
                true => replace::result(&target, text, roots),
                // A file with the same text stays, too.
                false => replace::create(&target, text, roots),
            }),
        };
        let written = written.map_err(|error| match existed {
            true => io::Error::other("it exists, and --force is not given"),
            false => error,
        });
        if let Err(error) = written {
            let target = visible::path(&target);
            anstream::eprintln!("simd-hcl: cannot write {target}: {error}");
            return Ok(Status::CouldNotRun);
        }
        output::path(&target.to_string_lossy())?;
        Ok(Status::Clean)
    }
}
