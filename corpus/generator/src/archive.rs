//! Text archives: cases of several files each, in one file that people read and edit.
//!
//! ```text
//! Text before the first case is a comment.
//! === 001-name
//! -- dir/main.tf --
//! variable "a" {}
//! -- expected.json -- without newline
//! {}
//! ```
//!
//! The bytes of a file are the lines below its header. The header says what differs:
//! `without newline` if the file does not end with one, and `escaped` if it has bytes that an editor
//! may hide or change (control characters, byte order marks, marks of direction, bytes that are not
//! UTF-8): these are then written as `\xNN`, and a backslash as `\\`. In other files, a backslash
//! stands before a line that would look like a header, or that starts with a backslash.
//!
//! `corpus/conformance/archive.py` reads and writes the same.

use std::collections::BTreeMap;
use std::io::BufRead as _;

/// The files of a case by their paths, with `/`.
pub type Files = BTreeMap<String, Vec<u8>>;

/// An archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Archive {
    /// The lines before the first case.
    pub comment: Vec<u8>,
    /// The cases by their names.
    pub cases: BTreeMap<String, Files>,
}

const CASE: &[u8] = b"=== ";
const FILE: &[u8] = b"-- ";

/// How the bytes of a file are written.
#[derive(Clone, Copy, Default)]
struct Form {
    is_escaped: bool,
    /// The newline of the last line does not belong to the file.
    lacks_newline: bool,
}

impl Form {
    /// All forms, with the ends of their headers; an end is no end of a later one.
    const ALL: [(Self, &str); 4] = [
        (Self { is_escaped: true, lacks_newline: true }, " -- escaped, without newline"),
        (Self { is_escaped: true, lacks_newline: false }, " -- escaped"),
        (Self { is_escaped: false, lacks_newline: true }, " -- without newline"),
        (Self { is_escaped: false, lacks_newline: false }, " --"),
    ];

    fn of(bytes: &[u8]) -> Self {
        let is_escaped = std::str::from_utf8(bytes).map_or(true, |text| text.contains(is_hidden));
        Self { is_escaped, lacks_newline: !bytes.is_empty() && !bytes.ends_with(b"\n") }
    }

    fn end(self) -> &'static str {
        let is_it = |(form, _): &&(Self, &str)| {
            (form.is_escaped, form.lacks_newline) == (self.is_escaped, self.lacks_newline)
        };
        Self::ALL.iter().find(is_it).map_or(" --", |(_, end)| end)
    }
}

/// Whether an editor may hide or change a character.
fn is_hidden(c: char) -> bool {
    let is_kept = c == '\n' || c == '\t';
    let is_mark = |c| matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
    !is_kept && (c.is_control() || is_mark(c))
}

fn is_header(line: &[u8]) -> bool {
    line.starts_with(CASE) || line.starts_with(FILE)
}

impl Archive {
    /// Reads an archive.
    ///
    /// # Errors
    /// A line that is not valid, with its number.
    pub fn parse(text: &[u8]) -> Result<Self, String> {
        let mut archive = Self::default();
        let mut case: Option<String> = None;
        let mut file: Option<(String, Vec<u8>, Form)> = None;
        let (mut rest, mut line, mut number) = (text, Vec::new(), 0);
        loop {
            line.clear();
            // Its search is fast in builds without optimization, too.
            let length = rest.read_until(b'\n', &mut line).map_err(|error| error.to_string())?;
            number += 1;
            let refused = |why: &str| Err(format!("line {number}: {why}"));
            if length == 0 || is_header(&line) {
                let files = case.as_ref().and_then(|case| archive.cases.get_mut(case));
                if let (Some(files), Some((path, bytes, form))) = (files, file.take())
                    && files.insert(path, ended(bytes, form)).is_some()
                {
                    return refused("the file before it has the path of an earlier one");
                }
            }
            if length == 0 {
                return Ok(archive);
            }
            if line.pop() != Some(b'\n') {
                return refused("the last line has no end");
            }
            if let Some(name) = line.strip_prefix(CASE) {
                let Ok(name) = std::str::from_utf8(name) else { return refused("not UTF-8") };
                if !is_path(name) || archive.cases.contains_key(name) {
                    return refused("the name of the case is invalid, or that of an earlier one");
                }
                archive.cases.insert(name.to_owned(), Files::new());
                case = Some(name.to_owned());
            } else if let Some(header) = line.strip_prefix(FILE) {
                let Ok(header) = std::str::from_utf8(header) else { return refused("not UTF-8") };
                let known = Form::ALL.iter();
                let mut known =
                    known.filter_map(|&(form, end)| Some((header.strip_suffix(end)?, form)));
                match known.next() {
                    Some((path, form)) if case.is_some() && is_path(path) => {
                        file = Some((path.to_owned(), Vec::new(), form));
                    }
                    _ => return refused("neither `-- PATH --` within a case nor a file's line"),
                }
            } else if let Some((_, bytes, form)) = &mut file {
                if !add_line(bytes, &line, form.is_escaped) {
                    return refused("an escape is invalid: `\\\\` and `\\xNN` are known");
                }
                bytes.push(b'\n');
            } else if case.is_some() {
                return refused("a line between the name of a case and its first file");
            } else {
                archive.comment.extend_from_slice(&line);
                archive.comment.push(b'\n');
            }
        }
    }

    /// Writes the archive. The same cases give the same bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = self.comment.clone();
        for (name, files) in &self.cases {
            out.extend_from_slice(CASE);
            out.extend_from_slice(name.as_bytes());
            out.push(b'\n');
            for (path, bytes) in files {
                let form = Form::of(bytes);
                out.extend_from_slice(FILE);
                out.extend_from_slice(path.as_bytes());
                out.extend_from_slice(form.end().as_bytes());
                out.push(b'\n');
                for line in bytes.split_inclusive(|byte| *byte == b'\n') {
                    let line = line.strip_suffix(b"\n").unwrap_or(line);
                    match form.is_escaped {
                        true => out.extend_from_slice(escaped(line).as_bytes()),
                        false => {
                            if is_header(line) || line.starts_with(b"\\") {
                                out.push(b'\\');
                            }
                            out.extend_from_slice(line);
                        }
                    }
                    out.push(b'\n');
                }
            }
        }
        out
    }
}

/// Whether a text is a path that leads downwards.
fn is_path(text: &str) -> bool {
    !text.contains(['\\', '\0']) && text.split('/').all(|part| !["", ".", ".."].contains(&part))
}

fn ended(mut bytes: Vec<u8>, form: Form) -> Vec<u8> {
    if form.lacks_newline {
        bytes.pop();
    }
    bytes
}

/// Adds a line of an archive to the bytes of its file. Returns false if it has an invalid escape.
fn add_line(bytes: &mut Vec<u8>, line: &[u8], is_escaped: bool) -> bool {
    if !is_escaped {
        bytes.extend_from_slice(line.strip_prefix(b"\\").unwrap_or(line));
        return true;
    }
    let mut parts = line.split(|byte| *byte == b'\\');
    bytes.extend_from_slice(parts.next().unwrap_or_default());
    while let Some(part) = parts.next() {
        if part.is_empty() {
            // Two backslashes; what follows them is not escaped.
            let Some(after) = parts.next() else { return false };
            bytes.push(b'\\');
            bytes.extend_from_slice(after);
            continue;
        }
        let digits = part.strip_prefix(b"x").and_then(|part| part.split_at_checked(2));
        let byte = digits.and_then(|(digits, after)| {
            let digits = std::str::from_utf8(digits).ok()?;
            Some((u8::from_str_radix(digits, 16).ok()?, after))
        });
        let Some((byte, after)) = byte else { return false };
        bytes.push(byte);
        bytes.extend_from_slice(after);
    }
    true
}

fn escaped(line: &[u8]) -> String {
    let mut text = String::new();
    let hide = |text: &mut String, bytes: &[u8]| {
        bytes.iter().for_each(|byte| text.push_str(&format!("\\x{byte:02x}")));
    };
    let mut line = line;
    if is_header(line) {
        hide(&mut text, &line[..1]);
        line = &line[1..];
    }
    for chunk in line.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => text.push_str("\\\\"),
                _ if is_hidden(c) => hide(&mut text, c.encode_utf8(&mut [0; 4]).as_bytes()),
                _ => text.push(c),
            }
        }
        hide(&mut text, chunk.invalid());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_come_back() {
        let files: [&[u8]; 20] = [
            b"",
            b"\n",
            b"\n\n",
            b"a",
            b"a\n",
            b"a\n\n",
            b"=== a\n-- b --\n",
            b"-- b --",
            b"\\\n\\=== a\n\\",
            b"===\n--\n--b--\n",
            b"a\r\nb\r\n",
            b"\r",
            b"\xef\xbb\xbf{}\n",
            b"\xff\\\n-- a --\n=== b\n\\xff",
            b"\\\\x0\0\\",
            b"nul \0 and \x7f \xc2\x85",
            "\u{2028}\u{202e}é\t".as_bytes(),
            b"\xc3",
            b"\xe2\x80\n\xa8",
            b" -- escaped\n",
        ];
        let mut archive = Archive { comment: b"# About\n\n".to_vec(), ..Archive::default() };
        for (number, bytes) in files.iter().enumerate() {
            let of = archive.cases.entry(format!("{:03}", number / 3)).or_default();
            of.insert(format!("dir/{number} -- x.tf"), bytes.to_vec());
        }
        archive.cases.insert("empty".to_owned(), Files::new());
        let text = archive.to_bytes();
        assert_eq!(Archive::parse(&text).as_ref(), Ok(&archive));
        let shown = String::from_utf8(text).unwrap();
        assert!(!shown.contains(is_hidden), "{shown}");
    }

    #[test]
    fn what_is_wrong_has_a_line() {
        let wrong = [
            ("=== a\n-- b --\nx", 3),
            ("=== a\nx\n", 2),
            ("-- b --\n", 1),
            ("=== a\n=== a\n", 2),
            ("=== a\n-- b --\n-- b --\n", 4),
            ("=== a\n-- ../b --\n", 2),
            ("=== /a\n", 1),
            ("=== a\n-- b\n", 2),
            ("=== a\n-- b -- escaped\n\\n\n", 3),
            ("=== a\n-- b -- escaped\n\\x1\n", 3),
            ("=== a\n-- b -- escaped\n\\\n", 3),
        ];
        for (text, line) in wrong {
            let error = Archive::parse(text.as_bytes()).unwrap_err();
            assert!(error.starts_with(&format!("line {line}: ")), "{text:?}: {error}");
        }
    }
}
