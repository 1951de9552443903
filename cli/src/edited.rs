//! Texts that commands read instead of files of the file system: those that `check --fix` edits.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use simd_hcl::source::SourceError;
use simd_hcl::{Arena, Source};

static TEXTS: RwLock<BTreeMap<PathBuf, Vec<u8>>> = RwLock::new(BTreeMap::new());

/// Has the file at this path read as `text` from now on.
pub(crate) fn keep(path: PathBuf, text: Vec<u8>) {
    TEXTS.write().unwrap_or_else(PoisonError::into_inner).insert(path, text);
}

/// Returns the text at a path, if one is kept.
pub(crate) fn source_at<'a>(
    arena: &'a Arena,
    path: &Path,
) -> Option<Result<Source<'a>, SourceError>> {
    let texts = TEXTS.read().unwrap_or_else(PoisonError::into_inner);
    Some(Source::of_file(arena, path, texts.get(path)?))
}
