//! Parsing the files of modules in parallel.

use std::cell::RefCell;
use std::path::Path;

use rayon::prelude::*;
use thread_local::ThreadLocal;

use super::{ModuleFile, ModuleFiles};
use crate::arena::Arena;
use crate::diagnostic::Diagnostic;
use crate::dialect::{Syntax, is_known};
use crate::document::{Document, of_conversion};
use crate::encoding::{from_utf16, other_encoding};
use crate::error::OpenError;
use crate::event::ParseOptions;
use crate::parsed::ParsedFile;
use crate::show::explain;
use crate::source::{Conversion, Source, SourceError};
use crate::structure::File;

/// How files are read.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct DecodeOptions {
    /// How each file is parsed. By default, a large one by all threads that have no file of their
    /// own.
    pub parse: ParseOptions,
    /// How each file becomes a source: [`Source::read`] by default.
    pub open: for<'a> fn(&'a Arena, &Path) -> Result<Source<'a>, SourceError>,
    /// The bound of decompressed files, in bytes: 1 GiB by default. Without the feature
    /// `compression` nothing is decompressed.
    pub max_decompressed: u64,
}

impl Default for DecodeOptions {
    fn default() -> Self {
        Self {
            parse: ParseOptions::default().with_threads(0),
            open: |arena, path| Source::read(arena, path),
            max_decompressed: 1 << 30,
        }
    }
}

impl DecodeOptions {
    /// With other options of parsing.
    #[must_use]
    pub fn with_parse(mut self, parse: ParseOptions) -> Self {
        self.parse = parse;
        self
    }

    /// With another way to make sources.
    #[must_use]
    pub fn with_open(
        mut self,
        open: for<'a> fn(&'a Arena, &Path) -> Result<Source<'a>, SourceError>,
    ) -> Self {
        self.open = open;
        self
    }

    /// With another bound of decompressed files, in bytes.
    #[must_use]
    pub fn with_max_decompressed(mut self, bytes: u64) -> Self {
        self.max_decompressed = bytes;
        self
    }
}

/// The text of a configuration file in UTF-8: of a source that is compressed (feature
/// `compression`), or in UTF-16, another source of the same name; of any other the source itself.
///
/// The tools convert nothing. Of a file that they would read by its name, parsing the result
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
        Some(text) => Source::copy_from(arena, source.name(), text.as_bytes())?,
        None => decompressed,
    };
    let name = Path::new(source.name()).file_name().unwrap_or_default();
    Ok(text.with_conversion(Conversion { compression, encoding, is_refused: is_known(name) }))
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
    /// Opens a file of a module. What nobody named must be a regular file: a pipe would be waited
    /// for.
    pub(crate) fn open_file<'a>(
        &self,
        arena: &'a Arena,
        file: &ModuleFile,
    ) -> Result<Source<'a>, SourceError> {
        if file.may_block() {
            Source::refuse_special_file(&file.path)?;
        }
        in_utf8(arena, (self.open)(arena, &file.path)?, self.max_decompressed)
    }

    /// Parses a source. Input that is not JSON where this is expected is named in the error if its
    /// format is recognized.
    pub(super) fn parse<'a>(
        &self,
        arena: &'a Arena,
        file: &ModuleFile,
        source: Source<'a>,
    ) -> Result<ParsedFile<'a>, Box<OpenError>> {
        if file.kind.syntax == Syntax::Native {
            return Ok(ParsedFile::native(arena, source));
        }
        let document = Document::parse_with(arena, source, &self.parse);
        let document = document.map_err(|error| explain(error, source))?;
        file.configuration(document).map(ParsedFile::json)
    }
}

/// A file that is being decoded: the module it belongs to, and its place there.
#[derive(Clone, Copy, Debug)]
pub struct FileOf<'m> {
    /// The module.
    pub module: &'m ModuleFiles,
    /// The file.
    pub file: &'m ModuleFile,
}

/// Reads and parses every file that is read ([`ModuleFile::is_read`]) and passes it to `visit`,
/// several files at a time, on the threads of the current rayon pool.
///
/// `visit` gets the source, empty if the file cannot be read, and the parsed file or the error. Its
/// results are returned in the order of modules and files, whatever order the threads work in. A
/// file lives only as long as the call: each thread reads into its own arena, which is reset
/// between files, so that memory depends on the largest file only.
pub fn decode<T, F>(modules: &[ModuleFiles], options: &DecodeOptions, visit: F) -> Vec<T>
where
    T: Send,
    F: for<'a> Fn(FileOf<'_>, Source<'a>, Result<ParsedFile<'a>, Box<OpenError>>) -> T + Sync,
{
    let read = |arena: &Arena, of: FileOf<'_>| {
        let (source, opened) = open_source(arena, of, options);
        visit(of, source, opened.and_then(|()| options.parse(arena, of.file, source)))
    };
    visit_files(modules, ModuleFile::is_read, read)
}

/// Reads the structure of every file in native syntax ([`ModuleFile::is_native`]), and no
/// expressions. Otherwise as [`decode`].
///
/// `visit` gets the source, empty if the file cannot be read, and the file with what is wrong with
/// its structure, or why it cannot be read.
pub fn decode_native<T, F>(modules: &[ModuleFiles], options: &DecodeOptions, visit: F) -> Vec<T>
where
    T: Send,
    F: for<'a> Fn(FileOf<'_>, Source<'a>, NativeFile<'a>) -> T + Sync,
{
    let read = |arena: &Arena, of: FileOf<'_>| {
        let (source, opened) = open_source(arena, of, options);
        let parse = |()| {
            let mut diagnostics: Vec<_> = of_conversion(source).collect();
            (File::parse(arena, source, &mut diagnostics), diagnostics)
        };
        visit(of, source, opened.map(parse))
    };
    visit_files(modules, ModuleFile::is_native, read)
}

/// A file in native syntax, and what is wrong with its structure; or why it cannot be read.
pub type NativeFile<'a> = Result<(File<'a>, Vec<Diagnostic<'a>>), Box<OpenError>>;

/// Calls `visit` for the files that are wanted, several at a time, each with an arena that is
/// empty.
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
            // A visitor that decodes in turn would find its thread's arena lent: it gets a new one.
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

/// The source of a file; an empty one, and why, if it cannot be read.
fn open_source<'a>(
    arena: &'a Arena,
    of: FileOf<'_>,
    options: &DecodeOptions,
) -> (Source<'a>, Result<(), Box<OpenError>>) {
    match options.open_file(arena, of.file) {
        Ok(source) => (source, Ok(())),
        Err(error) => {
            let name = of.file.path.to_string_lossy();
            (Source::empty(arena, &name), Err(OpenError::unreadable(&name, &error)))
        }
    }
}
