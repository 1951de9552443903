//! The address in the `source` of a module call.
//!
//! A path that starts with `./` or `../` is local. `NAMESPACE/NAME/SYSTEM`, with an optional host
//! before it, and an optional `//` and directory after it, is the address of a registry. Everything
//! else must be remote: a URL, a known shorthand of a URL, or an absolute path.

use std::fmt;

/// Where a module comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SourceAddress<'a> {
    /// A path, relative to the directory of the calling module.
    Local(&'a str),
    /// A registry.
    Registry(RegistryAddress<'a>),
    /// A repository, an archive, a bucket, or an absolute path.
    Remote(&'a str),
}

/// The address of a module in a registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegistryAddress<'a> {
    /// The host, if it is not the tool's own registry.
    pub host: Option<&'a str>,
    /// The publisher.
    pub namespace: &'a str,
    /// Its name.
    pub name: &'a str,
    /// The system it manages, usually the name of a provider.
    pub system: &'a str,
    /// The directory in the package.
    pub subdirectory: Option<&'a str>,
}

/// Why a text is not a valid module address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SourceError {
    /// It is empty.
    Empty,
    /// It would be a path with `./` before it.
    MaybeRelative,
    /// The directory in the package leads out of the package.
    Outside,
    /// A remote address in a call with a version; only registries have versions.
    NoRegistry,
    /// A local path in a call with a version; only registries have versions.
    LocalWithVersion,
    /// A shorthand for a known host, with too few or too many parts.
    Shorthand,
}

impl SourceError {
    /// The reason, as part of a sentence.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Empty => "it is empty",
            Self::MaybeRelative => "it is neither a path, nor a registry address, nor a URL",
            Self::Outside => "the directory after // is outside of the package",
            Self::NoRegistry => {
                "it is not a registry address, and only registry modules have versions"
            }
            Self::LocalWithVersion => "it is a path, and only registry modules have versions",
            Self::Shorthand => "the path after the host is incomplete",
        }
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl std::error::Error for SourceError {}

impl<'a> SourceAddress<'a> {
    /// Reads an address.
    ///
    /// # Errors
    /// The text is not an address.
    ///
    /// ```
    /// use simd_hcl::module::SourceAddress;
    ///
    /// assert!(matches!(SourceAddress::parse("./modules/vpc"), Ok(SourceAddress::Local(_))));
    /// let address = SourceAddress::parse("terraform-aws-modules/vpc/aws");
    /// assert!(matches!(address, Ok(SourceAddress::Registry(_))));
    /// ```
    pub fn parse(text: &'a str) -> Result<Self, SourceError> {
        if is_local(text) {
            return Ok(Self::Local(text));
        }
        match RegistryAddress::parse(text) {
            Some(address) => Ok(Self::Registry(address)),
            None => remote(text).map(|()| Self::Remote(text)),
        }
    }

    /// Reads the address of a call with a version. It must be the address of a registry.
    ///
    /// # Errors
    /// The text is not the address of a registry.
    pub fn parse_versioned(text: &'a str) -> Result<Self, SourceError> {
        if is_local(text) {
            return Err(SourceError::LocalWithVersion);
        }
        RegistryAddress::parse(text).map(Self::Registry).ok_or(SourceError::NoRegistry)
    }
}

fn is_local(text: &str) -> bool {
    ["./", "../", ".\\", "..\\"].iter().any(|prefix| text.starts_with(prefix))
}

impl<'a> RegistryAddress<'a> {
    /// Reads `[HOST/]NAMESPACE/NAME/SYSTEM[//DIRECTORY]`. Returns `None` if the text is anything
    /// else.
    #[must_use]
    pub fn parse(text: &'a str) -> Option<Self> {
        let (package, subdirectory) = split_subdirectory(text);
        if subdirectory.is_some_and(leads_outside) {
            return None;
        }
        let mut parts = package.split('/');
        let (first, second, third) = (parts.next()?, parts.next()?, parts.next()?);
        let (host, [namespace, name, system]) = match (parts.next(), parts.next()) {
            (None, _) => (None, [first, second, third]),
            (Some(system), None) if is_host(first) => (Some(first), [second, third, system]),
            _ => return None,
        };
        let is_system = (1..=64).contains(&system.len())
            && system.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        (is_name(namespace) && is_name(name) && is_system).then_some(Self {
            host,
            namespace,
            name,
            system,
            subdirectory,
        })
    }
}

/// Whether a text is the name of a namespace or module: up to 64 letters, digits, dashes and
/// underscores, which neither start nor end it.
fn is_name(name: &str) -> bool {
    let bytes = name.as_bytes();
    let is_edge = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    bytes.len() <= 64
        && is_edge(bytes.first())
        && is_edge(bytes.last())
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// Whether a text is a host name of several labels, perhaps with a port. Returns false for hosts
/// whose repositories have a shorthand.
fn is_host(text: &str) -> bool {
    let (name, port) = text.split_once(':').map_or((text, None), |(name, port)| (name, Some(port)));
    let is_label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c == '-' || c.is_alphanumeric())
    };
    let is_port =
        |port: &str| port.parse::<u16>().is_ok() && port.bytes().all(|b| b.is_ascii_digit());
    let is_reserved =
        ["github.com", "bitbucket.org"].iter().any(|it| name.eq_ignore_ascii_case(it));
    name.contains('.') && name.split('.').all(is_label) && port.is_none_or(is_port) && !is_reserved
}

/// Splits an address at `//`, before the directory. The slashes of a scheme, and those in a query,
/// do not count; a query after the directory is left out.
fn split_subdirectory(text: &str) -> (&str, Option<&str>) {
    let path = text.split_once('?').map_or(text, |(path, _)| path);
    let from = path.find("://").map_or(0, |at| at + 3);
    match path[from..].find("//") {
        Some(at) => (&path[..from + at], Some(&path[from + at + 2..])),
        None => (text, None),
    }
}

/// Whether a path leads out of the directory where it starts.
fn leads_outside(path: &str) -> bool {
    if path.starts_with('/') {
        return false;
    }
    let mut depth = 0_i64;
    path.split('/').any(|part| {
        match part {
            "" | "." => {}
            ".." => depth -= 1,
            _ => depth += 1,
        }
        depth < 0
    })
}

/// Checks the address of a package that is neither local nor in a registry.
fn remote(text: &str) -> Result<(), SourceError> {
    let (package, subdirectory) = split_subdirectory(text);
    if subdirectory.is_some_and(leads_outside) {
        return Err(SourceError::Outside);
    }
    let (package, more) = split_subdirectory(without_getter(package));
    if more.is_some_and(leads_outside) {
        return Err(SourceError::Outside);
    }
    if package.is_empty() {
        return Err(SourceError::Empty);
    }
    if is_url(package) || is_ssh(package) || package.starts_with("bitbucket.org/") {
        return Ok(());
    }
    let path = package.split_once('?').map_or(package, |(path, _)| path);
    let parts = package.split('/').count();
    let fits = if package.starts_with("github.com/") {
        path.split('/').count() >= 3
    } else if package.contains("googleapis.com/") {
        parts >= 5
    } else if package.contains(".amazonaws.com/") {
        let host: Vec<&str> = package.split('/').next().unwrap_or_default().split('.').collect();
        matches!(host.len(), 3 | 4) || host.len() == 5 && host[1] == "s3"
    } else if package.starts_with('/') {
        true
    } else {
        return Err(SourceError::MaybeRelative);
    };
    if fits { Ok(()) } else { Err(SourceError::Shorthand) }
}

/// Removes the name of a getter, as in `git::https://…`.
fn without_getter(text: &str) -> &str {
    match text.split_once("::") {
        Some((getter, rest))
            if !getter.is_empty()
                && !rest.is_empty()
                && !rest.contains('\n')
                && getter.bytes().all(|byte| byte.is_ascii_alphanumeric()) =>
        {
            rest
        }
        _ => text,
    }
}

/// Whether a text is `git@HOST:PATH`.
fn is_ssh(text: &str) -> bool {
    text.strip_prefix("git@").and_then(|rest| rest.split_once(':')).is_some_and(|(host, path)| {
        let path = path.strip_prefix('/').filter(|path| !path.is_empty()).unwrap_or(path);
        !host.is_empty() && !path.is_empty()
    })
}

/// Whether a text is a URL with a scheme. The text after the scheme must be valid, too.
fn is_url(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let mut bytes = scheme.bytes();
    let is_scheme = bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic())
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    if !is_scheme || text.bytes().any(|byte| byte < b' ' || byte == 0x7F) {
        return false;
    }
    let rest = rest.split_once('#').map_or(rest, |(rest, _)| rest);
    let rest = rest.split_once('?').map_or(rest, |(rest, _)| rest);
    let Some(path) = rest.strip_prefix('/') else {
        // `mailto:x`: the text after the scheme has no structure.
        return true;
    };
    let Some(authority) = path.strip_prefix('/') else { return has_escapes(path) };
    let (authority, path) = authority.split_once('/').unwrap_or((authority, ""));
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    let (host, port) = match host.rfind(']') {
        Some(end) => host.split_at(end + 1),
        None => host.find(':').map_or((host, ""), |at| host.split_at(at)),
    };
    let is_port = port.is_empty()
        || port
            .strip_prefix(':')
            .is_some_and(|port| port.bytes().all(|byte| byte.is_ascii_digit()));
    let is_host = host.bytes().all(|byte| {
        byte >= 0x80 || byte.is_ascii_alphanumeric() || b"-_.~!$&'()*+,;=:[]<>\"%".contains(&byte)
    });
    let is_closed = host.starts_with('[') == host.ends_with(']');
    is_host && is_port && is_closed && has_escapes(user) && has_escapes(path)
}

/// Whether every percent sign has two hexadecimal digits after it.
fn has_escapes(text: &str) -> bool {
    text.split('%').skip(1).all(|rest| {
        rest.as_bytes().get(..2).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    })
}

#[cfg(test)]
mod tests {
    use super::{SourceAddress, SourceError};

    #[test]
    fn kinds() {
        for text in ["./m", "../m", "./", "./m//sub", ".\\m", "..\\m", "./../..", "./m?ref=x"] {
            assert_eq!(SourceAddress::parse(text), Ok(SourceAddress::Local(text)), "{text}");
        }
        for text in [
            "a/b/c",
            "A/b/c",
            "a_b/c-d/e1",
            "app.terraform.io/a/b/c",
            "example.com:8080/a/b/c",
            "hashicorp/consul/aws//sub",
            "hashicorp/consul/aws//sub/..",
            "a/b/c//sub?x",
        ] {
            let read = SourceAddress::parse(text);
            assert!(matches!(read, Ok(SourceAddress::Registry(_))), "{text}: {read:?}");
        }
        for text in [
            "/abs",
            "github.com/a/b",
            "github.com/a/b/c",
            "github.com/a/b?ref=x",
            "bitbucket.org/a/b",
            "git::https://x.example/y",
            "git@github.com:a/b.git",
            "git::git@github.com:a/b",
            "https://example.com/x.zip",
            "https://example.com/x.zip//sub?archive=zip",
            "s3::https://x/y",
            "file:///x",
            "C:\\x",
            "gcs::https://x",
            "hg::http://x",
            "https://user:pass@host:80/p%20q",
            "https://[::1]:80/x",
            "s3-eu-west-1.amazonaws.com/bucket/x",
            "bucket.s3.amazonaws.com/x",
            "bucket.s3.eu-west-1.amazonaws.com/x",
            "www.googleapis.com/storage/v1/bucket/x",
            "mailto:x",
        ] {
            assert_eq!(SourceAddress::parse(text), Ok(SourceAddress::Remote(text)), "{text}");
        }
    }

    #[test]
    fn errors() {
        use SourceError::{Empty, MaybeRelative, Outside, Shorthand};
        for (text, error) in [
            ("", Empty),
            ("//x", Empty),
            ("m", MaybeRelative),
            (".", MaybeRelative),
            ("..", MaybeRelative),
            ("~/x", MaybeRelative),
            ("a/b", MaybeRelative),
            ("a/b/c/d", MaybeRelative),
            ("localhost/a/b/c", MaybeRelative),
            ("a b/c/d", MaybeRelative),
            ("-/b/c", MaybeRelative),
            ("a/b/C", MaybeRelative),
            ("a/b/c-d", MaybeRelative),
            ("x.y/a/b/c/d", MaybeRelative),
            ("hashicorp/consul/aws?ref=1", MaybeRelative),
            ("example.com", MaybeRelative),
            ("a/b/c/", MaybeRelative),
            ("github.com/a", Shorthand),
            ("x.a.b.c.amazonaws.com/y", Shorthand),
            ("github.com/", Shorthand),
            ("www.googleapis.com/storage/v1", Shorthand),
            ("1.2.3.4.amazonaws.com/x", Shorthand),
            ("a/b/c//../..", Outside),
            ("https://x/y//..", Outside),
            ("user@github.com:a/b", MaybeRelative),
            ("git::ssh://git@github.com:a/b", MaybeRelative),
            ("https://a b/c", MaybeRelative),
            ("https://x/%zz", MaybeRelative),
            ("https://x/\u{1}", MaybeRelative),
            ("http://[::1", MaybeRelative),
            ("::x", MaybeRelative),
            ("git@:x", MaybeRelative),
        ] {
            assert_eq!(SourceAddress::parse(text), Err(error), "{text}");
        }
    }

    #[test]
    fn versions_need_a_registry() {
        let parse = SourceAddress::parse_versioned;
        assert!(parse("a/b/c").is_ok());
        assert_eq!(parse("./m"), Err(SourceError::LocalWithVersion));
        assert_eq!(parse("github.com/a/b"), Err(SourceError::NoRegistry));
        assert_eq!(parse("github.com/a/b/c"), Err(SourceError::NoRegistry));
        assert_eq!(parse(""), Err(SourceError::NoRegistry));
    }

    #[test]
    fn parts_of_a_registry_address() {
        let Ok(SourceAddress::Registry(read)) = SourceAddress::parse("r.example/a/b/c//d/e") else {
            panic!("an address");
        };
        assert_eq!(read.host, Some("r.example"));
        assert_eq!((read.namespace, read.name, read.system), ("a", "b", "c"));
        assert_eq!(read.subdirectory, Some("d/e"));
    }
}
