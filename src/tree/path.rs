//! Paths of module directories, joined and normalized by their text alone.

use std::path::{Component, Path, PathBuf};

use crate::directory::Location;

/// Removes `.` from a path, and `..` after a name. Links are not followed, as the tools do not
/// follow them when they join a module's directory with the path of a call.
pub(crate) fn clean(path: &Path) -> PathBuf {
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

/// The place that a relative path leads to from a directory. Either separator may be between its
/// parts.
pub(super) fn resolve(directory: &Location, relative: &str) -> Location {
    match directory {
        Location::Disk(path) => Location::Disk(clean(&path.join(relative.replace('\\', "/")))),
        Location::Memory(path) => Location::Memory(path.join(relative)),
    }
}

/// The place of a local source (`./x`, `../x`) in a directory; `None` for sources of other kinds.
pub(crate) fn local(directory: &Location, source: &str) -> Option<Location> {
    let is_local = ["./", "../", ".\\", "..\\"].iter().any(|start| source.starts_with(start))
        || source == "."
        || source == "..";
    is_local.then(|| resolve(directory, source))
}

/// The place of a source that is an absolute path, without the query after it; `None` for sources of other
/// kinds, and in memory.
pub(crate) fn absolute_source(directory: &Location, source: &str) -> Option<PathBuf> {
    directory.disk().filter(|_| source.starts_with('/'))?;
    Some(clean(Path::new(source.split('?').next()?)))
}

/// The absolute path of a directory, without `.` and `..`. Relative paths start at the working directory,
/// which is `base`.
pub(super) fn absolute(base: &Path, directory: &Location) -> Location {
    match directory {
        Location::Disk(path) => Location::Disk(clean(&base.join(path))),
        Location::Memory(_) => directory.clone(),
    }
}

/// The absolute path of a directory; as it is without a working directory.
pub(crate) fn here(directory: &Location) -> Location {
    absolute(&std::env::current_dir().unwrap_or_default(), directory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_may_be_absolute() {
        let here = Location::Disk("a".into());
        for (source, expected) in [
            ("/r/m", Some("/r/m")),
            ("/r//m/../n?ref=1", Some("/r/n")),
            ("./m", None),
            ("git::file:///r", None),
        ] {
            assert_eq!(absolute_source(&here, source), expected.map(PathBuf::from), "{source}");
        }
    }

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
        let from = |source| local(&Path::new("root/app").into(), source);
        let some = |path: &str| Some(Location::Disk(path.into()));
        assert_eq!(from("../net"), some("root/net"));
        assert_eq!(from("./x/"), some("root/app/x"));
        assert_eq!(from("..\\net"), some("root/net"));
        assert_eq!(from("hashicorp/consul/aws"), None);
        assert_eq!(from("git::https://example.com/x.git"), None);
    }
}
