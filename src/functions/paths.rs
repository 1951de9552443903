//! Paths by their text alone, with the rules of Unix: `basename` and `dirname`.

use super::builtin::{Builtin, function};

pub(super) const FUNCTIONS: &[Builtin] = &[
    function("basename", |call| call.string(base(call.str(0)?))),
    function("dirname", |call| call.string(&directory(call.str(0)?))),
];

/// Returns a path of the operating system with `/` between its names.
#[cfg(feature = "terragrunt")]
pub(crate) fn slashed(path: &str) -> String {
    if std::path::MAIN_SEPARATOR == '/' { path.to_owned() } else { path.replace('\\', "/") }
}

/// Removes empty names and `.` from a path, and `..` after a name. An empty path is `.`.
pub(crate) fn clean(path: &str) -> String {
    let is_absolute = path.starts_with('/');
    let mut names: Vec<&str> = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." if names.last().is_some_and(|&last| last != "..") => {
                names.pop();
            }
            ".." if is_absolute => {}
            name => names.push(name),
        }
    }
    match (is_absolute, names.is_empty()) {
        (true, _) => format!("/{}", names.join("/")),
        (false, true) => ".".to_owned(),
        (false, false) => names.join("/"),
    }
}

/// Joins two paths, and cleans the result. The second one counts as relative.
pub(crate) fn join(first: &str, second: &str) -> String {
    match (first, second) {
        ("", second) => clean(second),
        (first, "") => clean(first),
        _ => clean(&format!("{first}/{second}")),
    }
}

/// Returns a clean path as seen from a directory; `None` if only the file system tells it.
pub(crate) fn relative(directory: &str, path: &str) -> Option<String> {
    let names = |path: &'_ str| {
        let names: Vec<_> =
            path.split('/').filter(|name| !matches!(*name, "" | ".")).map(str::to_owned).collect();
        names
    };
    if directory.starts_with('/') != path.starts_with('/') {
        return None;
    }
    let (from, to) = (names(directory), names(path));
    let shared = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    if from[shared..].iter().any(|name| name == "..") {
        return None;
    }
    let up = from[shared..].iter().map(|_| "..");
    let rest: Vec<_> = up.chain(to[shared..].iter().map(String::as_str)).collect();
    Some(if rest.is_empty() { ".".to_owned() } else { rest.join("/") })
}

/// The last name of a path.
pub(crate) fn base(path: &str) -> &str {
    if path.is_empty() {
        return ".";
    }
    match path.trim_end_matches('/') {
        "" => "/",
        path => path.rsplit_once('/').map_or(path, |(_, name)| name),
    }
}

/// The path without its last name, cleaned.
pub(crate) fn directory(path: &str) -> String {
    clean(path.rfind('/').map_or("", |at| &path[..=at]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_by_their_text() {
        for (path, cleaned, name, parent) in [
            ("", ".", ".", "."),
            (".", ".", ".", "."),
            ("/", "/", "/", "/"),
            ("//", "/", "/", "/"),
            ("a", "a", "a", "."),
            ("a/", "a", "a", "a"),
            ("a/b", "a/b", "b", "a"),
            ("/a", "/a", "a", "/"),
            ("./a//b/./c/", "a/b/c", "c", "a/b/c"),
            ("a/../b", "b", "b", "."),
            ("a/../../b", "../b", "b", ".."),
            ("../../b", "../../b", "b", "../.."),
            ("/../b", "/b", "b", "/"),
        ] {
            let found = (clean(path), base(path), directory(path));
            assert_eq!(found, (cleaned.to_owned(), name, parent.to_owned()), "{path:?}");
        }
        assert_eq!(join("a", "../b"), "b");
        assert_eq!(
            (join("", ""), join("", "/a"), join("a", "/b")),
            (".".into(), "/a".into(), "a/b".into())
        );
    }

    #[test]
    fn paths_as_seen_from_a_directory() {
        for (directory, path, seen) in [
            (".", "a/b", Some("a/b")),
            ("a", "a/b", Some("b")),
            ("a/b", "a/c/d", Some("../c/d")),
            ("a", "a", Some(".")),
            ("/a", "/b", Some("../b")),
            ("..", "a", None),
            ("/a", "a", None),
            ("..", "../a", Some("a")),
        ] {
            assert_eq!(relative(directory, path).as_deref(), seen, "{directory} {path}");
        }
    }
}
