//! Paths of module directories, compared by their names alone.

use std::path::{Component, Path, PathBuf};

/// Removes `.` from a path, and `..` after a name. Links are not followed, as the tools do not
/// follow them when they join a module's directory with the path of a call.
pub(super) fn clean(path: &Path) -> PathBuf {
    let mut cleaned = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => match cleaned.components().next_back() {
                Some(Component::Normal(_)) => {
                    cleaned.pop();
                }
                Some(Component::RootDir) => {}
                _ => cleaned.push(component),
            },
            _ => cleaned.push(component),
        }
    }
    cleaned
}

/// The path of a local source (`./x`, `../x`) in a directory; `None` for sources of other kinds.
pub(super) fn local(directory: &Path, source: &str) -> Option<PathBuf> {
    let is_local = ["./", "../", ".\\", "..\\"].iter().any(|start| source.starts_with(start))
        || source == "."
        || source == "..";
    is_local.then(|| clean(&directory.join(source.replace('\\', "/"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_cleaned() {
        for (path, expected) in [
            ("a/./b", "a/b"),
            ("./a", "a"),
            ("a/../b", "b"),
            ("../a", "../a"),
            ("a/../../b", "../b"),
            ("/..", "/"),
            (".", ""),
        ] {
            assert_eq!(clean(Path::new(path)), Path::new(expected), "{path}");
        }
    }

    #[test]
    fn local_sources() {
        let from = |source| local(Path::new("root/app"), source);
        assert_eq!(from("../net"), Some("root/net".into()));
        assert_eq!(from("./x/"), Some("root/app/x".into()));
        assert_eq!(from("..\\net"), Some("root/net".into()));
        assert_eq!(from("hashicorp/consul/aws"), None);
        assert_eq!(from("git::https://example.com/x.git"), None);
    }
}
