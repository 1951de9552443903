//! Which values of the files of a module must not be shown, for commands that read each file on its
//! own.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use simd_hcl::Arena;
use simd_hcl::dialect::List;
use simd_hcl::directory::{DecodeOptions, Location, ModuleFiles};
use simd_hcl::hidden::Hidden;

/// The declarations of modules, read when a value may depend on them.
pub(crate) struct Secrets {
    shows: bool,
    options: DecodeOptions,
    known: Mutex<HashMap<Location, Arc<Hidden>>>,
}

impl Secrets {
    pub(crate) fn new(shows: bool, options: DecodeOptions) -> Self {
        Self { shows, options, known: Mutex::default() }
    }

    /// Whether all values are shown.
    pub(crate) fn are_shown(&self) -> bool {
        self.shows
    }

    /// What the files of a module declare, without the file `except`.
    pub(crate) fn of(&self, module: &ModuleFiles, except: Option<&Location>) -> Arc<Hidden> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(hidden) = known().get(&module.path) {
            return Arc::clone(hidden);
        }
        let mut declaring = module.clone();
        declaring.files.retain(|file| {
            let is_configuration = matches!(file.kind.list, List::Primary | List::Override);
            is_configuration && Some(&file.path) != except
        });
        let arena = Arena::new();
        let mut hidden = Hidden::default();
        for file in declaring.decode(&arena, &self.options) {
            if let Ok(parsed) = file.parsed {
                hidden.add(module.dialect, file.file.kind.list, parsed);
            }
        }
        let hidden = Arc::new(hidden);
        known().insert(module.path.clone(), Arc::clone(&hidden));
        hidden
    }
}
