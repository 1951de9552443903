//! How text from files and paths is printed.
//!
//! Every command prints names, paths, values and messages for people through [`visible`]. Graphs
//! and CI annotations also apply their own escapes.

use std::borrow::Cow;
use std::path::Path;

pub(crate) use simd_hcl::report::visible;

/// Returns a path as [`visible`] text.
pub(crate) fn path(path: &Path) -> String {
    visible(&path.to_string_lossy()).into_owned()
}

/// Returns a file name without a leading `./`, for comparison with the paths of a repository.
pub(crate) fn plain_path(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}

/// Returns the first characters of a text, with an ellipsis if there are more. Values can be whole
/// scripts.
pub(crate) fn abridged(text: &str, characters: usize) -> Cow<'_, str> {
    if text.len() <= characters {
        return Cow::Borrowed(text);
    }
    match text.char_indices().nth(characters) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}
