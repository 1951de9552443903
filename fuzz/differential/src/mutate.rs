//! Random edits of text.

use crate::entropy::Entropy;

/// The texts that edits insert: tokens of the language, and characters that upset lexers.
const PIECES: &[&str] = &[
    "${",
    "%{",
    "}",
    "~",
    "$",
    "%",
    "$${",
    "%%{",
    "\"",
    "\\",
    "\\\"",
    "\\n",
    "\\u00e9",
    "(",
    ")",
    "[",
    "]",
    "{",
    ".",
    ",",
    ":",
    "=",
    "=>",
    "==",
    "!=",
    "<",
    ">",
    "<=",
    ">=",
    "&&",
    "||",
    "!",
    "?",
    "+",
    "-",
    "*",
    "/",
    "...",
    "..",
    ".*",
    "[*]",
    "::",
    "//",
    "/*",
    "*/",
    "#",
    "\n",
    "\r\n",
    "\r",
    "\t",
    " ",
    "0",
    "1.",
    "1e",
    "e5",
    ".0",
    "for",
    "in",
    "if",
    "else",
    "endif",
    "endfor",
    "null",
    "true",
    "<<E\n",
    "<<-E\n",
    "E\n",
    "&",
    "|",
    "^",
    ";",
    "'",
    "`",
    "\u{e9}",
    "\u{301}",
    "\u{600}",
    "\u{feff}",
    "\u{200d}",
    "\u{0}",
    "a",
    "-a",
    "_",
    "%{ if t }",
    "%{ else }",
    "%{ endif }",
    "%{ for x in l }",
    "%{ endfor }",
    "${~",
    "~}",
    "“",
];

/// Between one and four edits: a piece inserted, a range deleted, repeated or moved.
pub(crate) fn mutate(text: &mut String, entropy: &mut impl Entropy) {
    let original = text.clone();
    for _ in 0..=entropy.below(4) {
        let from = border(text, entropy.below(text.len() + 1));
        let to = border(text, (from + entropy.below(8)).min(text.len()));
        match entropy.below(5) {
            0 | 1 => text.insert_str(from, entropy.pick(PIECES)),
            2 => drop(text.drain(from..to)),
            3 => {
                let part = text[from..to].to_owned();
                text.insert_str(to, &part);
            }
            _ => {
                let part: String = text.drain(from..to).collect();
                let at = border(text, entropy.below(text.len() + 1));
                text.insert_str(at, &part);
            }
        }
    }
    if has_huge_exponent(text) {
        *text = original;
    }
}

/// The next border of a character at or after `at`.
fn border(text: &str, at: usize) -> usize {
    (at..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}

/// Whether there may be a number that the reference takes forever to print.
pub(crate) fn has_huge_exponent(text: &str) -> bool {
    text.bytes().enumerate().any(|(at, byte)| {
        let digits = text.as_bytes()[at + 1..].iter().skip_while(|b| matches!(b, b'+' | b'-'));
        matches!(byte, b'e' | b'E' | b'p' | b'P')
            && digits.take_while(|b| b.is_ascii_digit()).count() > 3
    })
}
