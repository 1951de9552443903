//! What the common flags say of reading: kernels, depth, threads, mapping, standard input.

use std::io;
use std::path::Path;

use simd_hcl::directory::{DecodeOptions, DiscoverOptions, Discovery, discover};
use simd_hcl::source::SourceError;
use simd_hcl::{Arena, Kernel, ParseOptions, Source};

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
    Ok(ParseOptions::default().with_kernel(kernel(common)?).with_max_depth(common.max_depth))
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

/// Runs `work` with as many threads as asked for.
pub(crate) fn with_threads<R: Send>(
    common: &Common,
    work: impl FnOnce() -> R + Send,
) -> Result<R, Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(common.threads.into()).build();
    let pool = pool.map_err(|error| Failure::Message(format!("cannot start threads: {error}")))?;
    Ok(pool.install(work))
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
