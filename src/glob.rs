//! Globs: names with `*` for any characters and `?` for one.
//!
//! ```
//! use simd_hcl::glob;
//!
//! assert!(glob::is_glob("aws_*") && glob::matches("aws_*", "aws_vpc"));
//! assert!(!glob::matches("aws_?", "aws_vpc"));
//! ```

/// Whether a text contains a wildcard.
#[must_use]
pub fn is_glob(text: &str) -> bool {
    text.contains(['*', '?'])
}

/// Whether a glob matches all of a name.
///
/// Cost: at most the product of the lengths, for globs with several `*`. Does not allocate.
#[must_use]
pub fn matches(glob: &str, name: &str) -> bool {
    let (glob, bytes) = (glob.as_bytes(), name.as_bytes());
    // The length in bytes of the character at an offset.
    let width =
        |at: usize| name.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
    let (mut at, mut read) = (0, 0);
    // The offset after the last `*`, and the offset in the name where it was tried last.
    let mut star: Option<(usize, usize)> = None;
    while let Some(byte) = bytes.get(read) {
        match glob.get(at) {
            Some(b'*') => {
                at += 1;
                star = Some((at, read));
            }
            Some(b'?') => {
                at += 1;
                read += width(read);
            }
            Some(wanted) if wanted == byte => {
                at += 1;
                read += 1;
            }
            _ => {
                let Some((behind, tried)) = star else { return false };
                read = tried + width(tried);
                at = behind;
                star = Some((behind, read));
            }
        }
    }
    glob[at..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn globs() {
        for (glob, yes, no) in [
            ("aws_*", "aws_s3_bucket", "google_x"),
            ("*_bucket", "aws_s3_bucket", "aws_bucket_x"),
            ("a?c", "aéc", "ac"),
            ("*a*b*", "xaxbx", "xbxa"),
            ("*aab", "aaaab", "aaaa"),
            ("*é?", "ééü", "é"),
            ("*?ü", "éü", "ü"),
            ("", "", "a"),
        ] {
            assert!(matches(glob, yes), "{glob} {yes}");
            assert!(!matches(glob, no), "{glob} {no}");
        }
        assert!(matches("**", "") && matches("*", "\0"));
    }
}
