//! What the common flags say of reading: kernels, depth, threads, mapping, standard input.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use simd_hcl::dialect::FileKind;
use simd_hcl::directory::{
    DecodeOptions, DiscoverOptions, Discovery, ModuleFile, ModuleFiles, discover,
};
use simd_hcl::source::SourceError;
use simd_hcl::{Arena, Dialect, Kernel, ParseOptions, Source};

use crate::args::{Common, Configuration};
use crate::plan_file;
use crate::status::Failure;

/// Files of fewer bytes are read: mapping them costs more than copying them.
const MAP_FROM: u64 = 1 << 20;

/// The path that stands for standard input.
const STDIN: &str = "-";

/// Standard input among the files of modules, once it is asked for.
static STDIN_FILE: OnceLock<StdinFile> = OnceLock::new();

/// What stands for standard input among files.
#[derive(Debug)]
struct StdinFile {
    /// The path that it is opened by: `-`, in the directory of the name.
    path: PathBuf,
    /// What it is called.
    name: String,
}

/// The name of standard input, if that is what a path stands for.
pub(crate) fn stdin_name(path: &Path) -> Option<&'static str> {
    let file = STDIN_FILE.get()?;
    (file.path == path).then_some(file.name.as_str())
}

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
    /// What stands for a file: standard input, a file in a plan file.
    fn in_memory<'a>(arena: &'a Arena, path: &Path) -> Option<Result<Source<'a>, SourceError>> {
        match stdin_name(path) {
            Some(name) => Some(Source::read_from(arena, name, io::stdin().lock())),
            None => plan_file::source_at(arena, path),
        }
    }
    if common.no_mmap {
        |arena, path| match in_memory(arena, path) {
            Some(source) => source,
            None => Source::read(arena, path),
        }
    } else {
        |arena, path| match in_memory(arena, path) {
            Some(source) => source,
            // SAFETY: that nobody truncates or writes a large file while it is read is the documented
            // condition of not giving `--no-mmap`.
            None => unsafe { Source::open(arena, path, MAP_FROM) },
        }
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

/// The modules that paths name. Standard input is a module of one file, whose name says what it is; a plan file holds
/// the modules of its configuration.
pub(crate) fn modules(
    configuration: &Configuration,
    common: &Common,
) -> Result<Discovery, Failure> {
    let (stdin, paths): (Vec<&Path>, Vec<&Path>) = configuration
        .paths
        .iter()
        .map(|path| path.as_path())
        .partition(|path| *path == Path::new(STDIN));
    let (plan_files, paths): (Vec<&Path>, Vec<&Path>) =
        paths.into_iter().partition(|path| plan_file::is_at(path));
    let dialect = configuration.dialect.map(Into::into);
    let options = DiscoverOptions::default()
        .with_dialect(dialect)
        .with_ignore_files(configuration.ignore_files)
        .with_threads(common.threads.into());
    let mut discovery = discover(&paths, &options);
    for path in plan_files {
        discovery.modules.extend(plan_file::modules_at(path, common)?);
    }
    if !stdin.is_empty() {
        discovery.modules.push(stdin_module(&configuration.stdin_name, dialect));
    }
    Ok(discovery)
}

fn stdin_module(name: &str, dialect: Option<Dialect>) -> ModuleFiles {
    let path = Path::new(name).with_file_name(STDIN);
    let file = STDIN_FILE.get_or_init(|| StdinFile { path, name: name.to_owned() });
    let file_name = Path::new(name).file_name().unwrap_or_default();
    let dialect = Dialect::of_named(file_name, dialect);
    let kind = FileKind::of_named(file_name, dialect);
    let path = file.path.clone();
    let file = ModuleFile { name: name.into(), path: path.clone(), kind, shadowed_by: None };
    ModuleFiles { path, dialect, files: vec![file] }
}
