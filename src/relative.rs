//! Relative paths as texts, independent of any file system: for files in archives and in memory.

/// Whether a path starts at a root, a drive or a host, on any system.
pub(crate) fn is_absolute(path: &str) -> bool {
    let is_drive = || matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    path.starts_with(['/', '\\']) || is_drive()
}

/// Whether a path stays below the directory that it starts from, whichever system resolves it.
pub(crate) fn is_below(path: &str) -> bool {
    let leads_up = || path.split('/').any(|part| part == "..");
    !is_absolute(path) && !path.contains(['\\', '\0']) && !leads_up()
}

/// Returns where a path leads from a directory in its plain form: without `.`, and with `..` only at
/// the start; empty for the directory that both start from. Either separator may be between the
/// parts of `path`, as in the calls of modules. Cost: linear in both.
pub(crate) fn join(directory: &str, path: &str) -> String {
    let mut joined = directory.to_owned();
    for part in path.split(['/', '\\']) {
        let last = joined.rfind('/').map_or(0, |at| at + 1);
        match part {
            "" | "." => {}
            ".." if !joined.is_empty() && &joined[last..] != ".." => {
                joined.truncate(last.saturating_sub(1));
            }
            part => {
                if !joined.is_empty() {
                    joined.push('/');
                }
                joined.push_str(part);
            }
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined_by_their_names() {
        for (directory, path, expected) in [
            ("", "a/./b//c/", "a/b/c"),
            ("a", ".\\b\\..\\c", "a/c"),
            ("a/b", "..", "a"),
            ("a", "..", ""),
            ("a", "../..", ".."),
            ("..", "..", "../.."),
            ("..", "x/..", ".."),
            ("a", "/b", "a/b"),
            ("", "", ""),
        ] {
            assert_eq!(join(directory, path), expected, "{directory} {path}");
        }
    }
}
