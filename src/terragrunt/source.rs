//! The source of a module: where it is, by its text.

use super::call::resolved;
use super::config::Config;
use crate::functions::paths::join;

/// The source of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A folder, with the folder behind `//` added.
    Local(String),
    /// Something that would have to be downloaded.
    Remote,
}

/// Hosts whose addresses need no scheme.
const HOSTS: [&str; 3] = ["github.com/", "gitlab.com/", "bitbucket.org/"];

/// Reads a source.
pub(super) fn split(text: &str) -> Source {
    let text = text.split('?').next().unwrap_or_default();
    let path = match text.strip_prefix("file::").unwrap_or(text) {
        text if text.starts_with("file://") => &text["file://".len()..],
        text if text.contains("::") || text.contains("://") => return Source::Remote,
        text => text,
    };
    let host = path.split('/').next().unwrap_or_default();
    // `user@host:path` is one of git.
    let is_scp = host.contains('@') && host.contains(':');
    let is_bucket = host.contains(".amazonaws.com") || host.contains("googleapis.com");
    if path.is_empty() || is_scp || is_bucket || HOSTS.iter().any(|it| path.starts_with(it)) {
        return Source::Remote;
    }
    Source::Local(match path.split_once("//") {
        Some((path, inner)) if !path.is_empty() => {
            if path.starts_with('/') {
                join(path, inner)
            } else {
                format!("{path}/{inner}")
            }
        }
        _ => path.to_owned(),
    })
}

/// The folder of the module of a unit, if it is in the file system and known.
pub(super) fn module_of(folder: &str, config: &Config<'_>) -> Option<String> {
    match config.terraform.as_ref().and_then(|it| it.get("source")) {
        None => Some(folder.to_owned()),
        Some(source) => match split(source.as_str()?) {
            Source::Local(path) => Some(resolved(folder, &path)),
            Source::Remote => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources() {
        let local = |path: &str| Source::Local(path.to_owned());
        assert_eq!(split("../m"), local("../m"));
        assert_eq!(split("../modules//svc"), local("../modules/svc"));
        assert_eq!(split("/a/b//c?ref=x"), local("/a/b/c"));
        assert_eq!(split("file:///a"), local("/a"));
        assert_eq!(split("modules/x"), local("modules/x"));
        for remote in [
            "git::https://a/b.git//c?ref=v1",
            "tfr:///terraform-aws-modules/vpc/aws?version=1",
            "github.com/a/b",
            "git@github.com:a/b.git",
            "s3::https://x",
            "bucket.s3.amazonaws.com/x",
            "",
        ] {
            assert_eq!(split(remote), Source::Remote, "{remote}");
        }
    }
}
