//! Sources of modules that are repositories of git or Mercurial.

/// A repository, by the rules of go-getter.
pub(super) struct Repository<'a> {
    pub(super) is_git: bool,
    /// The address without its query.
    pub(super) address: &'a str,
    /// The host; empty for a path.
    pub(super) host: &'a str,
    query: &'a str,
}

impl<'a> Repository<'a> {
    /// Reads a source; `None` for other sources.
    pub(super) fn parse(source: &'a str) -> Option<Self> {
        let (address, query) = source.split_once('?').unwrap_or((source, ""));
        let (getter, address) = match address.split_once("::") {
            Some((getter, rest)) if is_word(getter) => (Some(getter), rest),
            _ => (None, address),
        };
        let (scheme, host) = host(address);
        let kind = getter.or(scheme)?;
        let is_git = match kind {
            "git" => true,
            "hg" => false,
            _ => return None,
        };
        Some(Self { is_git, address, host, query })
    }

    /// The first value of a parameter that is not empty.
    pub(super) fn parameter(&self, name: &str) -> Option<String> {
        let pairs = self.query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        let found = pairs.filter(|(key, _)| decoded(key) == name).map(|(_, value)| value).next()?;
        Some(decoded(found)).filter(|value| !value.is_empty())
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// The scheme of an address, or the getter of a shorthand, and the host.
fn host(address: &str) -> (Option<&str>, &str) {
    if let Some((scheme, rest)) = address.split_once("://") {
        let authority = rest.split('/').next().unwrap_or_default();
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        return (Some(scheme), host.split(':').next().unwrap_or_default());
    }
    let first = address.split('/').next().unwrap_or_default();
    if matches!(first, "github.com" | "bitbucket.org") && first.len() < address.len() {
        return (Some("git"), first);
    }
    // `user@host:path`
    match address.split_once('@').and_then(|(user, rest)| Some((user, rest.split_once(':')?))) {
        Some((user, (host, path))) if !user.is_empty() && !host.is_empty() && !path.is_empty() => {
            (Some("git"), host)
        }
        _ => (None, ""),
    }
}

/// A part of a query, decoded. An invalid escape stays.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = after.get(..2).and_then(|digits| str::from_utf8(digits).ok());
        let escaped = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match (first, escaped) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &after[2..];
                continue;
            }
            (b'+', _) => bytes.push(b' '),
            _ => bytes.push(*first),
        }
        rest = after;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Whether a revision is a semantic version: one to three numbers, with an optional `v` before them,
/// and an optional prerelease and build metadata.
pub(super) fn is_semantic_version(text: &str) -> bool {
    let text = text.strip_prefix('v').unwrap_or(text);
    let (text, metadata) = text.split_once('+').map_or((text, None), |(a, b)| (a, Some(b)));
    let (numbers, prerelease) = text.split_once('-').map_or((text, None), |(a, b)| (a, Some(b)));
    let is_identifiers = |text: &str| {
        text.split('.').all(|part| {
            !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        })
    };
    let parts: Vec<&str> = numbers.split('.').collect();
    parts.len() <= 3
        && parts.iter().all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
        && prerelease.is_none_or(is_identifiers)
        && metadata.is_none_or(is_identifiers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repositories() {
        for (source, is_git, host, reference) in [
            ("git::https://example.com/a.git?ref=v1", true, "example.com", Some("v1")),
            ("git::ssh://git@example.com:22/a.git", true, "example.com", None),
            ("git@github.com:a/b.git?ref=x%2Fy", true, "github.com", Some("x/y")),
            ("git::git@github.com:a/b", true, "github.com", None),
            ("github.com/a/b//sub?depth=1&ref=v2", true, "github.com", Some("v2")),
            ("git://example.com/a", true, "example.com", None),
            ("git::file:///srv/a.git", true, "", None),
            ("hg::http://example.com/a?ref=", false, "example.com", None),
        ] {
            let Some(read) = Repository::parse(source) else { panic!("{source}") };
            assert_eq!((read.is_git, read.host), (is_git, host), "{source}");
            assert_eq!(read.parameter("ref").as_deref(), reference, "{source}");
        }
        for source in
            ["./a", "a/b/c", "https://example.com/a.zip", "s3::https://x/y", "/srv/a", "github.com"]
        {
            assert!(Repository::parse(source).is_none(), "{source}");
        }
    }

    #[test]
    fn semantic_versions() {
        for text in ["1", "v1.2", "1.2.3", "v1.2.3-rc.1+b", "1.0.0+x"] {
            assert!(is_semantic_version(text), "{text}");
        }
        for text in ["", "main", "v", "1.2.3.4", "1..2", "1.2.x", "1.2-", "release/1.2.3"] {
            assert!(!is_semantic_version(text), "{text}");
        }
    }
}
