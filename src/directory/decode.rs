//! Parsing the files of modules in parallel.

use std::cell::RefCell;
use std::path::Path;

use rayon::prelude::*;
use thread_local::ThreadLocal;

use super::{ModuleFile, ModuleFiles};
use crate::arena::Arena;
use crate::document::Document;
use crate::error::OpenError;
use crate::event::ParseOptions;
use crate::show::explain;
use crate::source::{Source, SourceError};

/// How files are read.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct DecodeOptions {
    /// How each file is parsed. By default, a large one by all threads that have no file of their own.
    pub parse: ParseOptions,
    /// How each file becomes a source: [`Source::read`] by default.
    pub open: for<'a> fn(&'a Arena, &Path) -> Result<Source<'a>, SourceError>,
}

impl Default for DecodeOptions {
    fn default() -> Self {
        Self {
            parse: ParseOptions::default().with_threads(0),
            open: |arena, path| Source::read(arena, path),
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
}

impl DecodeOptions {
    /// Opens a file of a module. What nobody named must be a regular file: a pipe would be waited for.
    pub(crate) fn open_file<'a>(
        &self,
        arena: &'a Arena,
        file: &ModuleFile,
    ) -> Result<Source<'a>, SourceError> {
        if file.may_block() {
            Source::refuse_special_file(&file.path)?;
        }
        (self.open)(arena, &file.path)
    }

    /// Parses a source. What is no JSON is called what it is, if that is recognised.
    pub(super) fn parse<'a>(
        &self,
        arena: &'a Arena,
        source: Source<'a>,
    ) -> Result<Document<'a>, Box<OpenError>> {
        Document::parse_with(arena, source, &self.parse).map_err(|error| explain(error, source))
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

/// Reads and parses every file that is read ([`ModuleFile::is_read`]) and hands it to `visit`, several
/// files at a time, on the threads of the current rayon pool.
///
/// `visit` gets the source, empty if the file cannot be read, and the document or why there is none. What
/// it gives is collected in the order of modules and files, whatever order the threads work in. A
/// document lives as long as the call only: each thread reads into an arena of its own, which is reset
/// between files, so that memory stays as small as the largest file needs.
pub fn decode<T, F>(modules: &[ModuleFiles], options: &DecodeOptions, visit: F) -> Vec<T>
where
    T: Send,
    F: for<'a> Fn(FileOf<'_>, Source<'a>, Result<Document<'a>, Box<OpenError>>) -> T + Sync,
{
    let arenas: ThreadLocal<RefCell<Arena>> = ThreadLocal::new();
    let files: Vec<FileOf<'_>> = modules
        .iter()
        .flat_map(|module| module.files.iter().map(move |file| FileOf { module, file }))
        .filter(|of| of.file.is_read())
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
            let result = visit_file(arena, of, options, &visit);
            arena.reset();
            result
        })
        .collect()
}

fn visit_file<T, F>(arena: &Arena, of: FileOf<'_>, options: &DecodeOptions, visit: &F) -> T
where
    F: for<'a> Fn(FileOf<'_>, Source<'a>, Result<Document<'a>, Box<OpenError>>) -> T,
{
    match options.open_file(arena, of.file) {
        Ok(source) => visit(of, source, options.parse(arena, source)),
        Err(error) => {
            let name = of.file.path.to_string_lossy();
            let source = Source::empty(arena, &name);
            visit(of, source, Err(OpenError::unreadable(&name, &error)))
        }
    }
}
