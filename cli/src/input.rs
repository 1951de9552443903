//! Reading of files according to the common flags: kernels, depth, threads, mapping, standard
//! input.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use simd_hcl::dialect::{FileKind, Syntax};
use simd_hcl::directory::{
    DecodeOptions, DiscoverOptions, DiscoverProblem, Discovery, Given, ModuleFile, ModuleFiles,
    Roots, discover, in_utf8,
};
use simd_hcl::module::Module;
use simd_hcl::source::{Access, MAX_LEN, OpenFile, SourceError};
use simd_hcl::terragrunt;
use simd_hcl::{Arena, Dialect, Kernel, ParseOptions, Source};

use crate::args::{Common, Configuration, SyntaxName};
use crate::incomplete::Incomplete;
use crate::instead::{Instead, StdinFile};
use crate::paths::or_here;
use crate::settings::Settings;
use crate::status::Failure;
use crate::{git, plan_file, visible};

/// With `--mmap`, files with fewer bytes are read, since mapping them costs more than copying them.
const MAP_FROM: u64 = 1 << 20;

/// The path that means standard input.
const STDIN: &str = "-";

/// The reason why an edit refuses a file whose text does not come from a regular file.
pub(crate) const NO_TEXT_OF_A_FILE: &str = "it is compressed, converted, or not a regular file";

/// Input of at least this many bytes is read as a stream, where a command can.
pub(crate) const LARGE_FILE: u64 = 64 << 20;

/// The number of bytes of standard input that are kept before it is read as a stream.
const LARGE_PIPE: u64 = 32 << 20;

/// The names of standard input in either syntax if none is given.
const STDIN_JSON: &str = "stdin.tf.json";
const STDIN_NATIVE: &str = "stdin.tf";

/// Returns whether a text starts like a native file: with a name or a comment. No JSON does.
fn starts_like_native(text: &[u8]) -> bool {
    let is_mark = |byte: &u8| matches!(byte, 0xEF | 0xBB | 0xBF | 0xFE | 0xFF);
    // In UTF-16, every other byte of the first characters is zero.
    let is_space = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
    let first = text.iter().skip_while(|byte| is_mark(byte)).find(|byte| !is_space(byte));
    first.is_some_and(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'#' | b'/'))
}

pub(crate) fn kernel(common: &Common) -> Result<Kernel, Failure> {
    let named = match &common.kernel {
        Some(name) => Kernel::by_name(name).map(Some),
        None => Kernel::from_environment(),
    };
    let named = named.map_err(|error| Failure::Message(error.to_string()))?;
    Ok(named.unwrap_or_else(Kernel::detect))
}

pub(crate) fn parse_options(common: &Common) -> Result<ParseOptions, Failure> {
    let options = ParseOptions::default().with_kernel(kernel(common)?);
    Ok(options.with_max_depth(common.max_depth).with_threads(0))
}

pub(crate) fn decode_options(common: &Common) -> Result<DecodeOptions, Failure> {
    let options = DecodeOptions::default().with_parse(parse_options(common)?);
    let (instead, is_mapped) = (Arc::clone(&common.instead), common.mmap);
    let options = options.with_follow_links(common.follow_links);
    let options = match common.within.is_empty() {
        true => options,
        false => {
            let limits = common.limits();
            options.with_within(Arc::new(Roots::around(&limits).within(&limits)))
        }
    };
    let within = options.within.clone();
    let options = options.with_open(move |arena, path, access| {
        match within.as_ref().and_then(|roots| roots.outside(path)) {
            Some(target) => Err(SourceError::Outside { target }),
            None => open_file(&instead, is_mapped, arena, path, access),
        }
    });
    Ok(options.with_max_decompressed(common.max_decompressed))
}

/// Returns the same options with the depth that reads modules fastest.
pub(crate) fn module_options(common: &Common) -> Result<DecodeOptions, Failure> {
    let options = decode_options(common)?;
    let parse = options.parse.with_skeleton_depth(Module::DEPTH);
    Ok(options.with_parse(parse))
}

/// Opens a file, or its replacement.
#[allow(unsafe_code, reason = "mapping is asked for, and documented")]
fn open_file<'a>(
    instead: &Instead,
    is_mapped: bool,
    arena: &'a Arena,
    path: &Path,
    access: Access,
) -> Result<Source<'a>, SourceError> {
    match instead.source_at(arena, path) {
        Some(source) => source,
        // SAFETY: with `--mmap`, users must not truncate or write a large file while it is read, as
        // documented.
        None if is_mapped => unsafe { Source::map_as(arena, path, access, MAP_FROM) },
        None => Source::read_as(arena, path, access),
    }
}

/// Returns the paths that are directories, for a search for units and stacks. Records a gap for each path that
/// cannot be examined.
pub(crate) fn directories<'p>(paths: &'p [PathBuf], incomplete: &mut Incomplete) -> Vec<&'p Path> {
    let mut found = Vec::new();
    for path in paths {
        let real = match or_here(path).metadata() {
            Ok(metadata) if metadata.is_dir() => or_here(path).canonicalize(),
            Ok(_) => continue,
            Err(error) => Err(error),
        };
        let why = match real {
            Ok(real) if real.to_str().is_some() => {
                found.push(&**path);
                continue;
            }
            Ok(_) => "its name is not UTF-8 text, so units in it are not found".to_owned(),
            // The search for modules reports it, unless it is standard input.
            Err(error) if git::is_missing(&error) => continue,
            Err(error) => error.to_string(),
        };
        incomplete.add("unit", path.to_string_lossy(), why);
    }
    found
}

/// Returns the git work tree around a directory whose path has no links. Without a work tree, or if it may not
/// be read, returns the nearest given path around the directory, or the directory itself.
pub(crate) fn tree_around(
    directory: &Path,
    configuration: &Configuration,
    common: &Common,
) -> PathBuf {
    if let Some(top) = common.work_tree(directory) {
        return top;
    }
    let given = configuration.paths.iter().filter_map(|path| path.canonicalize().ok());
    let around = given.filter(|path| directory.starts_with(path)).min();
    around.unwrap_or_else(|| directory.to_owned())
}

/// Starts the pool of threads that all work runs on.
pub(crate) fn start_threads(common: &Common) -> Result<(), Failure> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(common.threads.into())
        .build_global()
        .map_err(|error| Failure::Message(format!("cannot start threads: {error}")))
}

/// Opens the file at a path, or standard input for `-`. An encrypted one is an error.
pub(crate) fn source<'a>(
    arena: &'a Arena,
    path: &Path,
    stdin_name: &str,
    common: &Common,
) -> Result<Source<'a>, SourceError> {
    let instead = &common.instead;
    let source = if is_dash(path)
        && let Some(mut copy) = instead.stdin_copy.get()
    {
        copy.rewind().map_err(SourceError::Io)?;
        Source::read_from(arena, stdin_name, copy)
    } else if is_dash(path) {
        let start = instead.stdin_start.get().map_or(&[][..], Vec::as_slice);
        Source::read_from(arena, stdin_name, start.chain(io::stdin().lock()))
    } else {
        open_file(instead, common.mmap, arena, path, Access::NAMED)
    };
    source.and_then(readable)
}

fn readable(source: Source<'_>) -> Result<Source<'_>, SourceError> {
    if source.is_encrypted() { Err(SourceError::Encrypted) } else { Ok(source) }
}

/// Reads a file that was found in a tree. A link that leads out of the roots is an error unless
/// `--follow-links` is set.
pub(crate) fn found<'a>(
    arena: &'a Arena,
    path: &Path,
    (roots, access): (&Roots, Access),
    common: &Common,
) -> Result<Source<'a>, SourceError> {
    if !common.follow_links
        && path.is_symlink()
        && let Some(target) = roots.outside(path)
    {
        return Err(SourceError::Outside { target });
    }
    open_file(&common.instead, common.mmap, arena, path, access).and_then(readable)
}

/// Input that is too large to hold in memory.
pub(crate) enum Large {
    /// A file. It can be read several times.
    File(File),
    Pipe(Box<dyn Read>),
}

/// Returns the input at a path, or standard input for `-`, if its first byte is one of `starts` and it has at
/// least `from` bytes. Returns `None` for other input, and if opening it fails: the reader reports that error.
pub(crate) fn large(
    path: &Path,
    starts: &[u8],
    from: u64,
    common: &Common,
) -> Result<Option<Large>, Failure> {
    large_if(path, &|start| is_json(start, starts), from, common)
}

/// Like [`large`], for input whose first bytes pass a test.
pub(crate) fn large_if(
    path: &Path,
    fits: &dyn Fn(&[u8]) -> bool,
    from: u64,
    common: &Common,
) -> Result<Option<Large>, Failure> {
    if is_dash(path) {
        let from = common.stream_from.unwrap_or(LARGE_PIPE).max(1);
        let mut start = Vec::new();
        let read = io::stdin().lock().take(from).read_to_end(&mut start);
        read.map_err(|error| Failure::Message(format!("{}: {error}", path.display())))?;
        let is_large = start.len() as u64 == from && fits(&start);
        if !is_large {
            // Kept for `source`.
            let _ = common.instead.stdin_start.set(start);
            return Ok(None);
        }
        return Ok(Some(Large::Pipe(Box::new(io::Cursor::new(start).chain(io::stdin())))));
    }
    let from = common.stream_from.unwrap_or(from);
    let is_large =
        std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() >= from);
    if !is_large {
        return Ok(None);
    }
    let Ok(mut file) = Access::NAMED.open(path).map(OpenFile::into_file) else { return Ok(None) };
    let mut start = Vec::new();
    let read = (&mut file).take(1 << 16).read_to_end(&mut start).and_then(|_| file.rewind());
    Ok((read.is_ok() && fits(&start)).then_some(Large::File(file)))
}

/// Opens a file, or standard input for `-`, as a stream.
pub(crate) fn open(path: &Path) -> Result<Large, Failure> {
    if is_dash(path) {
        return Ok(Large::Pipe(Box::new(io::stdin())));
    }
    let fail = |error| Failure::Message(format!("{}: {error}", visible::path(path)));
    Access::NAMED.open(path).map(|file| Large::File(file.into_file())).map_err(fail)
}

/// Returns whether a path is `-`.
pub(crate) fn is_dash(path: &Path) -> bool {
    path == Path::new(STDIN)
}

/// Copies a pipe into a temporary file that has no name, so that only this process can read it.
pub(crate) fn spool(mut pipe: Box<dyn Read>) -> Result<File, Failure> {
    let fail = |error: io::Error| Failure::Message(format!("temporary file: {error}"));
    let mut file = tempfile::tempfile().map_err(fail)?;
    let mut buffer = vec![0; 1 << 18];
    loop {
        let count = match pipe.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Failure::Message(format!("{STDIN}: {error}"))),
        };
        file.write_all(&buffer[..count]).map_err(fail)?;
    }
    file.rewind().map_err(fail)?;
    Ok(file)
}

/// Whether a text starts like JSON, and not like a log of events.
pub(crate) fn is_json(start: &[u8], starts: &[u8]) -> bool {
    let text = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start);
    let first = text.iter().find(|byte| !byte.is_ascii_whitespace());
    // In UTF-16, every other byte of the first characters is zero.
    let is_utf8 = !text.iter().take(4).any(|byte| *byte == 0);
    is_utf8
        && first.is_some_and(|first| starts.contains(first))
        && !simd_hcl::show::is_event_log(text)
}

/// Fails if a named file is too large to read as a whole.
pub(crate) fn refuse_too_large(discovery: &Discovery) -> Result<(), Failure> {
    let files = discovery.modules.iter().flat_map(|module| &module.files);
    let named = files.filter(|file| file.given == Given::Named && file.is_read());
    for path in named.filter_map(ModuleFile::on_disk) {
        let length = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
        if length > MAX_LEN as u64 {
            return Err(Failure::Message(format!(
                "{}: it has {length} bytes, and this command reads at most {MAX_LEN}; `query` and \
                 `templates` read one larger JSON file as a stream, and `events` any JSON",
                visible::path(path)
            )));
        }
    }
    Ok(())
}

/// Reads a configuration file, a variables file or a schema. Decompresses it and converts it to UTF-8.
pub(crate) fn text<'a>(
    arena: &'a Arena,
    path: &Path,
    stdin_name: &str,
    common: &Common,
) -> Result<Source<'a>, SourceError> {
    in_utf8(arena, source(arena, path, stdin_name, common)?, common.max_decompressed)
}

/// Returns whether a source that belongs to no module is in native syntax: `--syntax` decides, otherwise the
/// name.
pub(crate) fn is_native(source: Source<'_>, named: Option<SyntaxName>) -> bool {
    if let Some(syntax) = named {
        return syntax == SyntaxName::Native;
    }
    let name = Path::new(source.name()).file_name().unwrap_or_default();
    let kind = FileKind::of_named(name, Dialect::of_named(name, None));
    let is_other = || Path::new(name).extension().is_some_and(|extension| extension == "hcl");
    kind.syntax == Syntax::Native || is_other()
}

/// Finds the modules at the given paths. Standard input replaces the file that `--stdin-name` names; without
/// a name, it is a module of its own. A plan file contains the modules of its configuration.
pub(crate) fn modules(
    configuration: &Configuration,
    common: &Common,
) -> Result<Discovery, Failure> {
    modules_for(configuration, common, Files::OfModules)
}

/// Finds the modules at the given paths, and the files that the tools read only if they are named.
pub(crate) fn checked_modules(
    configuration: &Configuration,
    common: &Common,
) -> Result<Discovery, Failure> {
    modules_for(configuration, common, Files::Checked)
}

/// Finds the modules at the given paths, and the files of units of Terragrunt, each in a module of its
/// directory.
pub(crate) fn modules_and_units(
    configuration: &Configuration,
    common: &Common,
) -> Result<Discovery, Failure> {
    modules_for(configuration, common, Files::OfModulesAndUnits)
}

/// The files to find.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Files {
    OfModules,
    /// Also those that the tools read only if they are named.
    Checked,
    OfModulesAndUnits,
    /// The files that `tofu fmt` and `terraform fmt` format.
    Formatted,
}

/// Whether paths without modules have units of Terragrunt below them.
pub(crate) fn takes_units(discovery: &mut Discovery) -> bool {
    let before = discovery.nothing.len();
    let options = terragrunt::Options::default();
    discovery
        .nothing
        .retain(|(path, _)| !path.is_dir() || terragrunt::find(path, &options).units.is_empty());
    discovery.nothing.len() < before
}

/// Finds the files that `tofu fmt` and `terraform fmt` format. Standard input is in native syntax.
pub(crate) fn formatted_modules(
    configuration: &Configuration,
    common: &Common,
) -> Result<Discovery, Failure> {
    modules_for(configuration, common, Files::Formatted)
}

fn modules_for(
    configuration: &Configuration,
    common: &Common,
    files: Files,
) -> Result<Discovery, Failure> {
    let (stdin, mut paths): (Vec<_>, Vec<_>) =
        configuration.paths.iter().cloned().partition(|path| path == Path::new(STDIN));
    let (mut plan_files, mut problems) = (Vec::new(), Vec::new());
    paths.retain(|path| match plan_file::is_at(path) {
        Ok(false) => true,
        Ok(true) => {
            plan_files.push(path.clone());
            false
        }
        Err(error) => {
            problems.push(DiscoverProblem::missing(path, &error));
            false
        }
    });
    let settings = Settings::of(&configuration.paths, common)?;
    let dialect = configuration.dialect.or(settings.dialect).map(Into::into);
    let mut options = DiscoverOptions::default()
        .with_dialect(dialect)
        .with_ignore_files(configuration.ignore_files)
        .with_follow_links(common.follow_links)
        .with_formatted(files == Files::Formatted)
        .with_units(files == Files::OfModulesAndUnits)
        .with_named(files == Files::Checked)
        .with_alone(configuration.alone);
    let mut stdin_module = None;
    if !stdin.is_empty() {
        let mut bytes = OnceLock::new();
        let name = match (&configuration.stdin_name, configuration.syntax) {
            (Some(name), _) => name,
            (None, Some(SyntaxName::Native)) => Path::new(STDIN_NATIVE),
            (None, Some(SyntaxName::Json)) => Path::new(STDIN_JSON),
            (None, None) if files == Files::Formatted => Path::new(STDIN_NATIVE),
            (None, None) => {
                bytes = OnceLock::from(common.instead.read_stdin());
                let text = bytes.get().and_then(|read| read.as_ref().ok());
                let is_native = text.is_some_and(|text| starts_like_native(text));
                Path::new(if is_native { STDIN_NATIVE } else { STDIN_JSON })
            }
        };
        let name = name.strip_prefix(".").unwrap_or(name);
        let file = StdinFile { path: name.to_owned(), bytes };
        let path = common.instead.stdin_file.get_or_init(|| file).path.clone();
        if configuration.stdin_name.is_some() {
            paths.push(path.clone());
            options = options.with_overlays(vec![path]);
        } else {
            stdin_module = Some(ModuleFiles::of_file(path.as_path(), dialect));
        }
    }
    let mut discovery = discover(&paths, &options);
    settings.exclude(&mut discovery, &paths)?;
    discovery.problems.append(&mut problems);
    for path in plan_files {
        match plan_file::modules_at(&path, common) {
            Ok(modules) => discovery.modules.extend(modules),
            Err(problem) => discovery.problems.push(problem),
        }
    }
    discovery.problems.sort();
    discovery.modules.extend(stdin_module);
    if let Some(syntax) = configuration.syntax {
        let files = discovery.modules.iter_mut().flat_map(|module| &mut module.files);
        for file in files.filter(|file| file.given == Given::Named) {
            file.kind.syntax = syntax.into();
        }
    }
    Ok(discovery)
}
