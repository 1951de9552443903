//! `file:` URIs and paths.

use std::path::{Component, Path, PathBuf};

/// The path of a `file:` URI, without `.` and `..`; `None` for other schemes and hosts.
pub(super) fn path_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let decoded = decode(rest.split(['?', '#']).next()?)?;
    if !decoded.starts_with('/') || decoded.contains('\0') {
        return None;
    }
    let path = if cfg!(windows) { decoded.trim_start_matches('/') } else { &decoded };
    Some(plain(Path::new(path)))
}

/// A path without `.` and `..`, so that its first parts say which directory it is in.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

/// The `file:` URI of an absolute path.
pub(super) fn uri_of(path: &Path) -> String {
    let text = path.to_string_lossy();
    let text = if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() };
    let mut uri = String::from("file://");
    if !text.starts_with('/') {
        uri.push('/');
    }
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = after.get(..2).filter(|_| *first == b'%');
        let digits = digits.and_then(|digits| str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn uris_are_paths() {
        for (uri, path) in [
            ("file:///a/b%20c.tf", Some("/a/b c.tf")),
            ("file:///c%3A/x", Some("/c:/x")),
            ("file:///%C3%A9#x", Some("/é")),
            ("file:///a%", Some("/a%")),
            ("file:///a/./b/../../c", Some("/c")),
            ("file:///a/%2e%2E/%2e./..", Some("/")),
            ("file:///a%00b", None),
            ("https://a/b.tf", None),
            ("file:a", None),
            ("", None),
            ("untitled:Untitled-1", None),
            ("file://host/a", None),
            ("file:///%FF", None),
        ] {
            assert_eq!(path_of(uri).as_deref(), path.map(Path::new), "{uri}");
        }
        for path in ["/a/b c.tf", "/é/ü%", "/a#b?c"] {
            assert_eq!(path_of(&uri_of(Path::new(path))).as_deref(), Some(Path::new(path)));
        }
    }
}
