//! Parses whole modules in parallel: all files of a module, module by module.

use std::cell::RefCell;

use rayon::prelude::*;
use thread_local::ThreadLocal;

use super::{DecodeOptions, ModuleFile, ModuleFiles};
use crate::arena::Arena;
use crate::diagnostic::Diagnostic;
use crate::dialect::List;
use crate::document::Document;
use crate::parsed::ParsedFile;
use crate::show::foreign::as_configuration;
use crate::source::Source;

/// A file of a module, read and parsed.
#[non_exhaustive]
pub struct FileDocument<'m, 'a> {
    /// The file and its kind.
    pub file: &'m ModuleFile,
    /// Its bytes; empty if it could not be read.
    pub source: Source<'a>,
    /// The file, or the error.
    pub parsed: Result<ParsedFile<'a>, Diagnostic<'a>>,
}

impl<'m, 'a> FileDocument<'m, 'a> {
    fn read(file: &'m ModuleFile, arena: &'a Arena, options: &DecodeOptions) -> Self {
        match options.open_readable(arena, file) {
            Ok(source) => Self { file, source, parsed: options.parse(arena, file, source) },
            Err(error) => Self { file, source: error.source(), parsed: Err(error) },
        }
    }
}

impl ModuleFile {
    /// Returns the document, or an error that names the actual format. Files of variable values may
    /// have any name.
    pub(super) fn configuration<'a>(
        &self,
        document: Document<'a>,
    ) -> Result<Document<'a>, Diagnostic<'a>> {
        match self.kind.list {
            List::Primary | List::Override | List::Query | List::Test => {
                as_configuration(document, self.kind.is_packer())
            }
            List::Variables
            | List::Mock
            | List::Component
            | List::Deployment
            | List::Migration
            | List::Policy
            | List::PolicyTest
            | List::Lock
            | List::Other => Ok(document),
        }
    }
}

impl ModuleFiles {
    /// Reads and parses the files that the tools read, in parallel on the threads of the current
    /// rayon pool. The result is in the order of the files.
    pub fn decode<'m, 'a>(
        &'m self,
        arena: &'a Arena,
        options: &DecodeOptions,
    ) -> Vec<FileDocument<'m, 'a>> {
        let files: Vec<_> = self.files.iter().filter(|file| file.is_read()).collect();
        files.into_par_iter().map(|file| FileDocument::read(file, arena, options)).collect()
    }

    /// Reads and parses the configuration and the test files that others shadow, on one thread.
    pub(crate) fn shadowed<'m, 'a>(
        &'m self,
        arena: &'a Arena,
        options: &DecodeOptions,
    ) -> Vec<FileDocument<'m, 'a>> {
        let files =
            self.files.iter().filter(|file| !file.is_read() && file.is_configuration_or_test());
        files.map(|file| FileDocument::read(file, arena, options)).collect()
    }

    /// Like [`ModuleFiles::decode`], on one thread, for modules that are decoded in parallel
    /// themselves.
    fn decode_here<'m, 'a>(
        &'m self,
        arena: &'a Arena,
        options: &DecodeOptions,
    ) -> Vec<FileDocument<'m, 'a>> {
        let files = self.files.iter().filter(|file| file.is_read());
        files.map(|file| FileDocument::read(file, arena, options)).collect()
    }
}

/// Reads and parses the files of several modules in parallel into one arena. The result is in the
/// order of the modules and their files.
pub(crate) fn decode_together<'m, 'a>(
    modules: &'m [ModuleFiles],
    arena: &'a Arena,
    options: &DecodeOptions,
) -> Vec<Vec<FileDocument<'m, 'a>>> {
    let of_module = |module: &'m ModuleFiles| module.files.iter().filter(|file| file.is_read());
    let files: Vec<_> = modules.iter().flat_map(of_module).collect();
    let documents: Vec<_> =
        files.into_par_iter().map(|file| FileDocument::read(file, arena, options)).collect();
    let mut documents = documents.into_iter();
    let all = modules.iter().map(|module| {
        let count = of_module(module).count();
        documents.by_ref().take(count).collect()
    });
    all.collect()
}

/// Reads and parses modules on the threads of the current rayon pool, and passes all files of each
/// to `visit`. The results are in the order of the modules. Modules are decoded in parallel; if
/// there are fewer modules than threads, their files are, too.
///
/// Each thread has one arena, which is reset after every module, so that memory only depends on the
/// largest module.
pub fn decode_modules<T, F>(modules: &[ModuleFiles], options: &DecodeOptions, visit: F) -> Vec<T>
where
    T: Send,
    F: for<'a> Fn(&ModuleFiles, &'a Arena, Vec<FileDocument<'_, 'a>>) -> T + Sync,
{
    let arenas: ThreadLocal<RefCell<Arena>> = ThreadLocal::new();
    let has_idle_threads = modules.len() < rayon::current_num_threads();
    modules
        .par_iter()
        .map(|module| {
            // A visitor that calls `decode_modules` itself finds its thread's arena in use: it gets
            // a new one.
            let mut fresh = None;
            let mut lent = arenas.get_or_default().try_borrow_mut().ok();
            let arena = match lent.as_deref_mut() {
                Some(arena) => arena,
                None => fresh.get_or_insert_with(Arena::new),
            };
            let documents = match has_idle_threads {
                true => module.decode(arena, options),
                false => module.decode_here(arena, options),
            };
            let result = visit(module, arena, documents);
            arena.reset();
            result
        })
        .collect()
}
