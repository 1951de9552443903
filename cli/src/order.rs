//! The order of arguments: the pattern or address comes first, the paths come last.
//!
//! Arguments in the other order are an error that shows the right one. They are recognized by the
//! files that exist: the first argument is a path, and the last one is not.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::git;
use crate::status::Failure;
use crate::visible::visible;

/// The pattern or address that a command takes, and its place.
pub(crate) struct Asked<'a> {
    /// The command, such as `query`.
    pub(crate) command: &'a str,
    /// Its name in messages, such as `pattern`.
    pub(crate) noun: &'a str,
    /// The first argument.
    pub(crate) first: &'a str,
    /// The others.
    pub(crate) paths: &'a [PathBuf],
}

impl Asked<'_> {
    /// Fails if the paths come first.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let Self { command, noun, first, paths } = *self;
        let Some((last, between)) = paths.split_last() else { return Ok(()) };
        // A directory is searched for what depends on a file, not the other way round.
        let is_reversed = match is_path(last)? {
            true => last.is_file() && Path::new(first).is_dir(),
            false => is_path(Path::new(first))?,
        };
        if !is_reversed {
            return Ok(());
        }
        let between = between.iter().map(|path| path.to_string_lossy());
        let paths = [Cow::Borrowed(first)].into_iter().chain(between);
        let paths: Vec<String> = paths.map(|path| quoted(&path)).collect();
        let last = quoted(&last.to_string_lossy());
        Err(Failure::Message(format!(
            "the {noun} comes before the paths: simd-hcl {command} {last} {}",
            paths.join(" ")
        )))
    }

    /// Returns the failure of a command that only paths were given to, if that is so.
    pub(crate) fn missing(&self) -> Result<Option<Failure>, Failure> {
        let Self { command, noun, first, .. } = *self;
        if !is_path(Path::new(first))? {
            return Ok(None);
        }
        let (path, name) = (quoted(first), noun.to_uppercase());
        Ok(Some(Failure::Message(format!(
            "{path} is a path, and the {noun} is missing: simd-hcl {command} {name} {path}"
        ))))
    }
}

/// Whether a path exists, or is standard input.
fn is_path(path: &Path) -> Result<bool, Failure> {
    Ok(path == Path::new("-") || git::exists(path)?)
}

/// Returns an argument as a shell takes it.
pub(crate) fn quoted(argument: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-:=,+@%".contains(c);
    match !argument.is_empty() && argument.chars().all(is_plain) {
        true => argument.to_owned(),
        false => format!("'{}'", visible(argument).replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn arguments_are_quoted_for_a_shell() {
        assert_eq!(quoted("./a-b/c.tf"), "./a-b/c.tf");
        assert_eq!(quoted("resource.*"), "'resource.*'");
        assert_eq!(quoted("a[\"it's\"]"), "'a[\"it'\\''s\"]'");
        assert_eq!(quoted(""), "''");
    }
}
