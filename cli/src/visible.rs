//! How text from files and paths is printed.
//!
//! Every command prints names, paths, values and messages for people through [`visible`]. Graphs
//! and CI annotations also apply their own escapes.

use std::borrow::Cow;
use std::fmt;
use std::path::Path;

pub(crate) use simd_hcl::report::visible;
use simd_hcl::value::Value;

/// Returns a path as [`visible`] text.
pub(crate) fn path(path: &Path) -> String {
    visible(&path.to_string_lossy()).into_owned()
}

/// Returns a file name without a leading `./`, for comparison with the paths of a repository.
pub(crate) fn plain_path(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}

/// The bytes of a value's text that people see. Layout can make a text many times longer than the
/// value.
const MOST_SHOWN: usize = 64 << 10;

/// Returns the text of a value for people, with an ellipsis if it is cut.
pub(crate) fn value(value: Value<'_>) -> String {
    /// A text that takes no more than [`MOST_SHOWN`] bytes.
    struct Limited(String);
    impl fmt::Write for Limited {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            let room = MOST_SHOWN.saturating_sub(self.0.len());
            let end = (0..=room.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
            let end = end.unwrap_or_default();
            self.0.push_str(&text[..end]);
            if end == text.len() { Ok(()) } else { Err(fmt::Error) }
        }
    }
    let mut text = Limited(String::new());
    let written = fmt::Write::write_fmt(&mut text, format_args!("{value}"));
    if written.is_err() {
        text.0.push('…');
    }
    text.0
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
