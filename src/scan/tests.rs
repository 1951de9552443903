//! Every kernel against a reference that reads one byte at a time.

use super::tokens::CARRY;
use super::*;

/// What a scan tells about a text.
#[derive(Debug, PartialEq, Eq)]
struct Scan {
    offsets: Vec<u32>,
    surrogates: bool,
}

/// The definition of a scan, byte by byte.
fn reference(text: &[u8], start: usize, end: usize) -> Result<Scan, Rejected> {
    let range = &text[start..end];
    std::str::from_utf8(range).map_err(|_| Rejected)?;
    let (mut offsets, mut surrogates) = (Vec::new(), false);
    let mut in_scalar = false;
    let mut at = 0;
    while at < range.len() {
        let offset = (start + at) as u32;
        let was_in_scalar = std::mem::replace(&mut in_scalar, false);
        match range[at] {
            b' ' | b'\t' | b'\n' | b'\r' => at += 1,
            b'{' | b'}' | b'[' | b']' | b':' | b',' => {
                offsets.push(offset);
                at += 1;
            }
            b'"' => {
                offsets.push(offset);
                at = reference_string(range, at + 1, &mut surrogates)?;
            }
            b'\\' => return Err(Rejected),
            _ => {
                if !was_in_scalar {
                    offsets.push(offset);
                }
                in_scalar = true;
                at += 1;
            }
        }
    }
    Ok(Scan {
        offsets,
        surrogates,
    })
}

/// The offset behind the closing quote of the string whose first byte is at `at`.
fn reference_string(range: &[u8], mut at: usize, surrogates: &mut bool) -> Result<usize, Rejected> {
    loop {
        match *range.get(at).ok_or(Rejected)? {
            b'"' => return Ok(at + 1),
            0..0x20 => return Err(Rejected),
            b'\\' => match *range.get(at + 1).ok_or(Rejected)? {
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => at += 2,
                b'u' => {
                    let digits = range.get(at + 2..at + 6).ok_or(Rejected)?;
                    if !digits.iter().all(u8::is_ascii_hexdigit) {
                        return Err(Rejected);
                    }
                    let digits = std::str::from_utf8(digits).unwrap();
                    let unit = u32::from_str_radix(digits, 16).unwrap();
                    *surrogates |= (0xD800..=0xDFFF).contains(&unit);
                    at += 6;
                }
                _ => return Err(Rejected),
            },
            _ => at += 1,
        }
    }
}

/// A scan of `text[start..end]` that keeps and carries tokens as a reader does.
struct Scanner<'t> {
    text: &'t [u8],
    start: usize,
    end: usize,
}

impl Task for Scanner<'_> {
    type Output = Result<Scan, Rejected>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let mut state = State::new(self.start, self.end);
        let mut tokens = Tokens::new();
        let mut offsets = Vec::new();
        loop {
            isa.scan_window(self.text, &mut state, &mut tokens)?;
            let found = tokens.as_slice();
            let kept = if state.is_done() {
                0
            } else {
                found.len().min(CARRY)
            };
            let used = found.len() - kept;
            offsets.extend_from_slice(&found[..used]);
            tokens.carry(used);
            if state.is_done() {
                let surrogates = state.surrogates();
                return Ok(Scan {
                    offsets,
                    surrogates,
                });
            }
        }
    }
}

#[track_caller]
fn check_range(text: &[u8], start: usize, end: usize) {
    let expected = reference(text, start, end);
    for kernel in Kernel::available() {
        let found = kernel.run(Scanner { text, start, end });
        if found != expected {
            let shown = String::from_utf8_lossy(&text[start..end]);
            panic!("{kernel:?}: {found:?} instead of {expected:?} for {start}..{end}: {shown}");
        }
    }
}

#[track_caller]
fn check(text: &[u8]) {
    // A boxed copy has no room behind its last byte, which tools that watch memory then notice.
    let text: Box<[u8]> = text.into();
    check_range(&text, 0, text.len());
}

#[test]
fn snippets() {
    for text in [
        "",
        " ",
        "\"\"",
        "\"",
        "{}",
        "{\"a\":1}",
        "[1,2.5e3,true,null]",
        "\"a\"b",
        "a\"b\"",
        "1 2",
        "\\",
        "\"\\\"",
        "\"\\\\\"",
        "\"\\u00e9\"",
        "\"\\uD83D\\ude00\"",
        "\"\\u12\"",
        "\"\\u12G4\"",
        "\"\\x\"",
        "\"\t\"",
        "\"\\",
        "\0",
        "{\"\":[{}]}",
        "é",
        "\"é\"",
        "\u{7f}",
        "tru\u{1}e",
        "x\\n",
        "\"a\\/b\"",
        "\"\\uDBFF\"",
        "\"\\uE000\"",
        "\"\\ud7ff\"",
        "[\"${a}\", '%{b}']",
        "a\\\"b",
    ] {
        check(text.as_bytes());
    }
}
