//! Parsing whole modules in parallel: all files of a module at once, module by module.

use std::cell::RefCell;

use rayon::prelude::*;
use thread_local::ThreadLocal;

use super::{DecodeOptions, ModuleFile, ModuleFiles};
use crate::arena::Arena;
use crate::document::Document;
use crate::error::OpenError;
use crate::source::Source;

/// A file of a module, read and parsed.
pub struct FileDocument<'m, 'a> {
    /// What the file is.
    pub file: &'m ModuleFile,
    /// Its bytes; empty if it could not be read.
    pub source: Source<'a>,
    /// The document, or why there is none.
    pub document: Result<Document<'a>, Box<OpenError>>,
}

impl ModuleFiles {
    /// Reads and parses the files that are read, in their order.
    pub fn decode<'m, 'a>(
        &'m self,
        arena: &'a Arena,
        options: &DecodeOptions,
    ) -> Vec<FileDocument<'m, 'a>> {
        let files = self.files.iter().filter(|file| file.is_read());
        files
            .map(|file| match (options.open)(arena, &file.path) {
                Ok(source) => {
                    let document = Document::parse_with(arena, source, &options.parse);
                    FileDocument { file, source, document }
                }
                Err(error) => {
                    let name = file.path.to_string_lossy();
                    let document = Err(OpenError::unreadable(&name, &error));
                    FileDocument { file, source: Source::empty(arena, &name), document }
                }
            })
            .collect()
    }
}

/// Reads and parses modules on the threads of the current rayon pool, and hands all files of each to `visit`.
/// The results come in the order of the modules.
///
/// Each thread has one arena, which is reset after every module: memory stays as small as the largest module needs.
pub fn decode_modules<T, F>(modules: &[ModuleFiles], options: &DecodeOptions, visit: F) -> Vec<T>
where
    T: Send,
    F: for<'a> Fn(&ModuleFiles, &'a Arena, Vec<FileDocument<'_, 'a>>) -> T + Sync,
{
    let arenas: ThreadLocal<RefCell<Arena>> = ThreadLocal::new();
    modules
        .par_iter()
        .map(|module| {
            // A visitor that decodes in turn would find its thread's arena lent: it gets a new one.
            let mut fresh = None;
            let mut lent = arenas.get_or_default().try_borrow_mut().ok();
            let arena = match lent.as_deref_mut() {
                Some(arena) => arena,
                None => fresh.get_or_insert_with(Arena::new),
            };
            let result = visit(module, arena, module.decode(arena, options));
            arena.reset();
            result
        })
        .collect()
}
