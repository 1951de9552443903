//! Parses the files of modules in parallel.

use std::cell::RefCell;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;
use thread_local::ThreadLocal;

use super::{Given, Location, ModuleFile, ModuleFiles, Roots};
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Label};
use crate::dialect::{Syntax, is_known_name};
use crate::document::{Document, of_conversion};
use crate::encoding::{from_utf16, other_encoding};
use crate::event::ParseOptions;
use crate::parsed::ParsedFile;
use crate::show::explain;
use crate::source::{Access, Conversion, Source, SourceError};
use crate::span::Span;
use crate::structure::File;

/// A function that opens a file.
type OpenFile =
    dyn for<'a> Fn(&'a Arena, &Path, Access) -> Result<Source<'a>, SourceError> + Send + Sync;

/// How files are opened: with [`Source::read_as`], or with a function, which threads share.
#[derive(Clone, Default)]
pub struct Open(Option<Arc<OpenFile>>);

impl Open {
    /// Opens a file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn open<'a>(
        &self,
        arena: &'a Arena,
        path: &Path,
        access: Access,
    ) -> Result<Source<'a>, SourceError> {
        match &self.0 {
            Some(open) => open(arena, path, access),
            None => Source::read_as(arena, path, access),
        }
    }
}

impl fmt::Debug for Open {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.0.is_some() { "Open(a function)" } else { "Open(Source::read_as)" };
        f.write_str(name)
    }
}

/// Options of reading files.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DecodeOptions {
    /// How each file is parsed. By default, threads that have no other file help with a large one.
    pub parse: ParseOptions,
    /// How each file of the file system is opened.
    pub open: Open,
    /// The limit of decompressed files, in bytes: 1 GiB by default. Without the feature
    /// `compression` nothing is decompressed.
    pub max_decompressed: u64,
    /// Whether links in called modules are read that lead outside of the given modules and their git
    /// work trees. Not by default. For links in the given modules, see
    /// [`DiscoverOptions::follow_links`](super::DiscoverOptions::follow_links).
    pub follow_links: bool,
    /// The directories that no called module is listed outside of; `None` for all.
    pub within: Option<Arc<Roots>>,
}

impl Default for DecodeOptions {
    fn default() -> Self {
        Self {
            parse: ParseOptions::default().with_threads(0),
            open: Open::default(),
            max_decompressed: 1 << 30,
            follow_links: false,
            within: None,
        }
    }
}

impl DecodeOptions {
    /// Sets the options of parsing.
    #[must_use]
    pub fn with_parse(mut self, parse: ParseOptions) -> Self {
        self.parse = parse;
        self
    }

    /// Sets how files are opened. The function keeps what [`Access`] says about links to devices and
    /// pipes if it opens the file with [`Access::open`], or by way of [`Source::read_as`].
    #[must_use]
    pub fn with_open<F>(mut self, open: F) -> Self
    where
        F: for<'a> Fn(&'a Arena, &Path, Access) -> Result<Source<'a>, SourceError>,
        F: Send + Sync + 'static,
    {
        self.open = Open(Some(Arc::new(open)));
        self
    }

    /// Sets the limit of decompressed files, in bytes.
    #[must_use]
    pub fn with_max_decompressed(mut self, bytes: u64) -> Self {
        self.max_decompressed = bytes;
        self
    }

    /// Sets whether links in called modules are read that lead outside.
    #[must_use]
    pub fn with_follow_links(mut self, follow: bool) -> Self {
        self.follow_links = follow;
        self
    }

    /// Sets the directories that no called module is listed outside of. What is opened is for
    /// [`with_open`](Self::with_open) to decide.
    #[must_use]
    pub fn with_within(mut self, roots: Arc<Roots>) -> Self {
        self.within = Some(roots);
        self
    }
}

/// Returns the text of a configuration file in UTF-8. If the source is compressed (feature
/// `compression`) or in UTF-16, this is a converted source with the same name, otherwise the source
/// itself.
///
/// The tools do not convert files. If they would read the file by its name, parsing the result
/// reports an error (`compressed-file`, `not-utf8-encoding`) and continues. Cost: a few bytes are
/// read; a conversion is linear.
///
/// # Errors
/// The compressed data is damaged, or longer than `max_decompressed` bytes.
pub fn in_utf8<'a>(
    arena: &'a Arena,
    source: Source<'a>,
    max_decompressed: u64,
) -> Result<Source<'a>, SourceError> {
    let (decompressed, compression) = decompressed(arena, source, max_decompressed)?;
    let converted = from_utf16(decompressed.bytes());
    if compression.is_none() && converted.is_none() {
        return Ok(source);
    }
    let encoding = converted.as_ref().and_then(|_| other_encoding(decompressed.bytes()));
    let text = match converted {
        Some(text) => source.with_text(arena, text.as_bytes())?,
        None => decompressed,
    };
    let name = Path::new(source.name()).file_name().unwrap_or_default();
    Ok(text.with_conversion(Conversion { compression, encoding, is_refused: is_known_name(name) }))
}

#[cfg(feature = "compression")]
fn decompressed<'a>(
    arena: &'a Arena,
    source: Source<'a>,
    max_bytes: u64,
) -> Result<(Source<'a>, Option<&'static str>), SourceError> {
    use crate::compression::{Compression, decompress};
    let compression = Compression::of(source.bytes()).map(Compression::name);
    let source = decompress(arena, source, max_bytes)
        .map_err(|error| SourceError::Io(std::io::Error::other(error)))?;
    Ok((source, compression))
}

#[cfg(not(feature = "compression"))]
fn decompressed<'a>(
    _: &'a Arena,
    source: Source<'a>,
    _: u64,
) -> Result<(Source<'a>, Option<&'static str>), SourceError> {
    Ok((source, None))
}

impl DecodeOptions {
    /// Opens a file of a module to decode it. The error says why there is nothing to decode: the file
    /// cannot be read, is a link to a missing one, or is encrypted.
    pub(crate) fn open_readable<'a>(
        &self,
        arena: &'a Arena,
        file: &ModuleFile,
    ) -> Result<Source<'a>, Diagnostic<'a>> {
        match self.open_file(arena, file) {
            Ok(source) if source.is_encrypted() => {
                let empty = empty(arena, file);
                Err(Diagnostic::new(Code::GitCrypt, Label::new(empty, Span::at(0))))
            }
            Ok(source) => Ok(source),
            Err(error) => Err(unreadable(empty(arena, file), file, &error)),
        }
    }

    /// Opens a file of a module.
    pub(crate) fn open_file<'a>(
        &self,
        arena: &'a Arena,
        file: &ModuleFile,
    ) -> Result<Source<'a>, SourceError> {
        let source = match (&file.path, &file.content) {
            (Location::Disk(path), Some(content)) => Source::of_file(arena, path, content)?,
            (Location::Disk(path), None) => self.open.open(arena, path, file.access()?)?,
            (Location::Memory(path), Some(content)) => {
                Source::copy_from(arena, &path.to_string(), content)?
            }
            (Location::Memory(path), None) => path.source(arena)?,
        };
        in_utf8(arena, source, self.max_decompressed)
    }

    /// Parses a source. For input that is not JSON, the error names the recognized format.
    pub(crate) fn parse<'a>(
        &self,
        arena: &'a Arena,
        file: &ModuleFile,
        source: Source<'a>,
    ) -> Result<ParsedFile<'a>, Diagnostic<'a>> {
        if file.kind.syntax == Syntax::Native {
            return Ok(ParsedFile::native_with(arena, source, self.parse.kernel));
        }
        let document = Document::read(arena, source, &self.parse).map_err(explain)?;
        file.configuration(document).map(ParsedFile::json)
    }
}

/// A file that is being decoded, and its module.
#[derive(Clone, Copy, Debug)]
pub struct FileOf<'m> {
    /// The module.
    pub module: &'m ModuleFiles,
    /// The file.
    pub file: &'m ModuleFile,
}

/// Reads and parses all files that the tools read ([`ModuleFile::is_read`]) in parallel on the
/// threads of the current rayon pool, and passes each to `visit`.
///
/// `visit` gets the source, empty if the file cannot be read, and the parsed file or the error. The
/// results are in the order of modules and files, independent of scheduling. A file only lives
/// until `visit` returns: each thread reads into its own arena, which is reset between files, so
/// that memory only depends on the largest file.
pub fn decode<T, F>(modules: &[ModuleFiles], options: &DecodeOptions, visit: F) -> Vec<T>
where
    T: Send,
    F: for<'a> Fn(FileOf<'_>, Source<'a>, Result<ParsedFile<'a>, Diagnostic<'a>>) -> T + Sync,
{
    let read = |arena: &Arena, of: FileOf<'_>| {
        let (source, opened) = open_source(arena, of, options);
        visit(of, source, opened.and_then(|()| options.parse(arena, of.file, source)))
    };
    visit_files(modules, ModuleFile::is_read, read)
}

/// Reads the structure of every file in native syntax ([`ModuleFile::is_native`]), without its
/// expressions. Otherwise like [`decode`].
///
/// `visit` gets the source, empty if the file cannot be read, and the file with the errors of its
/// structure, or the error of reading it.
pub fn decode_native<T, F>(modules: &[ModuleFiles], options: &DecodeOptions, visit: F) -> Vec<T>
where
    T: Send,
    F: for<'a> Fn(FileOf<'_>, Source<'a>, NativeFile<'a>) -> T + Sync,
{
    let read = |arena: &Arena, of: FileOf<'_>| {
        let (source, opened) = open_source(arena, of, options);
        let parse = |()| {
            let mut diagnostics: Vec<_> = of_conversion(source).collect();
            let kernel = options.parse.kernel;
            (File::parse_with(arena, source, kernel, &mut diagnostics), diagnostics)
        };
        visit(of, source, opened.map(parse))
    };
    visit_files(modules, ModuleFile::is_native, read)
}

/// A file in native syntax with the errors of its structure, or the error of reading it.
pub type NativeFile<'a> = Result<(File<'a>, Vec<Diagnostic<'a>>), Diagnostic<'a>>;

/// Calls `visit` for the selected files in parallel, each with an empty arena.
fn visit_files<T: Send>(
    modules: &[ModuleFiles],
    is_wanted: fn(&ModuleFile) -> bool,
    visit: impl Fn(&Arena, FileOf<'_>) -> T + Sync,
) -> Vec<T> {
    let arenas: ThreadLocal<RefCell<Arena>> = ThreadLocal::new();
    let files: Vec<FileOf<'_>> = modules
        .iter()
        .flat_map(|module| module.files.iter().map(move |file| FileOf { module, file }))
        .filter(|of| is_wanted(of.file))
        .collect();
    files
        .into_par_iter()
        .map(|of| {
            // A visitor that calls `decode` itself finds its thread's arena in use: it gets a new
            // one.
            let mut fresh = None;
            let mut lent = arenas.get_or_default().try_borrow_mut().ok();
            let arena = match lent.as_deref_mut() {
                Some(arena) => arena,
                None => fresh.get_or_insert_with(Arena::new),
            };
            let result = visit(arena, of);
            arena.reset();
            result
        })
        .collect()
}

/// Returns the source of a file, and an error if it cannot be read. The source is empty then.
fn open_source<'a>(
    arena: &'a Arena,
    of: FileOf<'_>,
    options: &DecodeOptions,
) -> (Source<'a>, Result<(), Diagnostic<'a>>) {
    match options.open_readable(arena, of.file) {
        Ok(source) => (source, Ok(())),
        Err(error) => (error.source(), Err(error)),
    }
}

/// The source of a file that cannot be read.
fn empty<'a>(arena: &'a Arena, file: &ModuleFile) -> Source<'a> {
    Source::empty(arena, &file.path.to_string_lossy())
}

/// The error of a file that cannot be opened. For a link to a missing file, it names the target.
fn unreadable<'a>(source: Source<'a>, file: &ModuleFile, error: &SourceError) -> Diagnostic<'a> {
    let is_missing =
        matches!(error, SourceError::Io(error) if error.kind() == std::io::ErrorKind::NotFound);
    let target = file.on_disk().filter(|_| is_missing).and_then(|path| path.read_link().ok());
    let Some(target) = target else { return Diagnostic::unreadable(source, error) };
    let (target, arena) = (target.to_string_lossy(), source.arena());
    let report = |code, argument| {
        Diagnostic::new(code, Label::new(source, Span::at(0))).with_arguments(&[argument])
    };
    if file.kind.is_optional() && file.given == Given::Found {
        return report(Code::DanglingLink, arena.str(&target));
    }
    let why = arena.format(format_args!("it is a link to {target}, which does not exist"));
    report(Code::UnreadableFile, why)
}
