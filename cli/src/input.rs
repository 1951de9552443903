//! What the common flags say of reading: kernels, depth, threads, mapping, standard input.

use std::io;
use std::path::Path;

use simd_hcl::dialect::FileKind;
use simd_hcl::directory::{DecodeOptions, DiscoverOptions, Discovery, discover};
use simd_hcl::source::SourceError;
use simd_hcl::{Arena, Dialect, Document, Kernel, OpenError, ParseOptions, Source};

use crate::Failure;
use crate::args::{Common, Configuration};

/// Files of fewer bytes are read: mapping them costs more than copying them.
const MAP_FROM: u64 = 1 << 20;

/// The path that stands for standard input.
const STDIN: &str = "-";

/// Where files are read from, and how.
type Open = for<'a> fn(&'a Arena, &Path) -> Result<Source<'a>, SourceError>;

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
    Ok(options.with_open(opener(common)))
}

#[allow(unsafe_code, reason = "mapping large files is the default, and documented")]
fn opener(common: &Common) -> Open {
    if common.no_mmap {
        |arena, path| Source::read(arena, path)
    } else {
        // SAFETY: that nobody truncates or writes a large file while it is read is the documented
        // condition of not giving `--no-mmap`.
        |arena, path| unsafe { Source::open(arena, path, MAP_FROM) }
    }
}

/// As many threads as asked for.
pub(crate) fn thread_pool(common: &Common) -> Result<rayon::ThreadPool, Failure> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(common.threads.into())
        .build()
        .map_err(|error| Failure::Message(format!("cannot start threads: {error}")))
}

/// The source that a path names; standard input for `-`.
pub(crate) fn source<'a>(
    arena: &'a Arena,
    path: &Path,
    stdin_name: &str,
    common: &Common,
) -> Result<Source<'a>, SourceError> {
    if path == Path::new(STDIN) {
        Source::read_from(arena, stdin_name, io::stdin().lock())
    } else {
        opener(common)(arena, path)
    }
}

/// The modules that paths name, and whether standard input is among the paths.
pub(crate) fn modules(configuration: &Configuration, common: &Common) -> (Discovery, bool) {
    let (stdin, paths): (Vec<&Path>, Vec<&Path>) = configuration
        .paths
        .iter()
        .map(|path| path.as_path())
        .partition(|path| *path == Path::new(STDIN));
    let options = DiscoverOptions::default()
        .with_dialect(configuration.dialect.map(Into::into))
        .with_ignore_files(configuration.ignore_files)
        .with_threads(common.threads.into());
    (discover(&paths, &options), !stdin.is_empty())
}

/// What one file of a module is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Role {
    pub(crate) dialect: Dialect,
    pub(crate) kind: FileKind,
}

/// Reads standard input as a module of one file, whose name says what it is, and hands it to `visit`.
pub(crate) fn visit_stdin<T>(
    configuration: &Configuration,
    common: &Common,
    options: &ParseOptions,
    visit: impl for<'a> FnOnce(Role, Source<'a>, Result<Document<'a>, Box<OpenError>>) -> T,
) -> T {
    let name = &configuration.stdin_name;
    let file_name = Path::new(name).file_name().unwrap_or_default();
    let dialect = Dialect::of_named(file_name, configuration.dialect.map(Into::into));
    let role = Role { dialect, kind: FileKind::of_named(file_name, dialect) };

    let arena = Arena::new();
    match source(&arena, Path::new(STDIN), name, common) {
        Ok(source) => visit(role, source, Document::parse_with(&arena, source, options)),
        Err(error) => {
            let error = OpenError::unreadable(name, &error);
            visit(role, Source::empty(&arena, name), Err(error))
        }
    }
}
