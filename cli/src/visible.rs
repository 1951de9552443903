//! What text from files and paths is printed as.
//!
//! Every command prints every name, path, value and message for people through [`visible`]. Graphs
//! and CI annotations have escapes of their own on top of it.

use std::borrow::Cow;
use std::path::Path;

pub(crate) use simd_hcl::report::visible;

/// A path, as [`visible`] text.
pub(crate) fn path(path: &Path) -> String {
    visible(&path.to_string_lossy()).into_owned()
}

/// The name of a file as machines compare it with those of a repository.
pub(crate) fn plain_path(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}

/// The first characters of a text, with an ellipsis where more follow: values can be whole scripts.
pub(crate) fn abridged(text: &str, characters: usize) -> Cow<'_, str> {
    if text.len() <= characters {
        return Cow::Borrowed(text);
    }
    match text.char_indices().nth(characters) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}
