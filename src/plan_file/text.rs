//! JSON as the tools write it: `<`, `>`, `&`, U+2028 and U+2029 are escaped in strings.

/// Appends a string, quoted and escaped.
pub(super) fn push_string(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    push_escaped(out, text);
    out.push(b'"');
}

fn push_escaped(out: &mut Vec<u8>, text: &str) {
    let bytes = text.as_bytes();
    let mut done = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        let is_plain = match byte {
            b'"' | b'\\' | b'<' | b'>' | b'&' | 0..0x20 => false,
            // U+2028 and U+2029 are E2 80 A8 and E2 80 A9.
            0xE2 => !is_separator(&bytes[at..]),
            _ => true,
        };
        if is_plain {
            continue;
        }
        out.extend_from_slice(&bytes[done..at]);
        done = at + 1;
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            0x08 => out.extend_from_slice(b"\\b"),
            0x09 => out.extend_from_slice(b"\\t"),
            0x0A => out.extend_from_slice(b"\\n"),
            0x0C => out.extend_from_slice(b"\\f"),
            0x0D => out.extend_from_slice(b"\\r"),
            0xE2 => {
                let digit = if bytes[at + 2] == 0xA8 { b'8' } else { b'9' };
                out.extend_from_slice(&[b'\\', b'u', b'2', b'0', b'2', digit]);
                done = at + 3;
            }
            _ => {
                let digits = b"0123456789abcdef";
                let (high, low) = (digits[usize::from(byte >> 4)], digits[usize::from(byte & 15)]);
                out.extend_from_slice(&[b'\\', b'u', b'0', b'0', high, low]);
            }
        }
    }
    out.extend_from_slice(&bytes[done..]);
}

/// Whether the bytes start with U+2028 or U+2029.
fn is_separator(bytes: &[u8]) -> bool {
    matches!(bytes, [0xE2, 0x80, 0xA8 | 0xA9, ..])
}

/// Appends JSON in which strings may have characters that the tools escape.
pub(super) fn push_json(out: &mut Vec<u8>, json: &[u8]) {
    let mut done = 0;
    for (at, &byte) in json.iter().enumerate() {
        // These bytes occur only in strings.
        let escape: &[u8] = match byte {
            b'<' => b"\\u003c",
            b'>' => b"\\u003e",
            b'&' => b"\\u0026",
            0xE2 if is_separator(&json[at..]) => {
                if json[at + 2] == 0xA8 {
                    b"\\u2028"
                } else {
                    b"\\u2029"
                }
            }
            _ => continue,
        };
        out.extend_from_slice(&json[done..at]);
        out.extend_from_slice(escape);
        done = at + if byte == 0xE2 { 3 } else { 1 };
    }
    out.extend_from_slice(&json[done..]);
}

/// Members of an object, or elements of an array, with commas between them.
#[derive(Debug)]
pub(super) struct List<'o> {
    out: &'o mut Vec<u8>,
    is_empty: bool,
    end: u8,
}

impl<'o> List<'o> {
    /// An object that [`List::end`] closes.
    pub(super) fn object(out: &'o mut Vec<u8>) -> Self {
        out.push(b'{');
        Self { out, is_empty: true, end: b'}' }
    }

    /// An array that [`List::end`] closes.
    pub(super) fn array(out: &'o mut Vec<u8>) -> Self {
        out.push(b'[');
        Self { out, is_empty: true, end: b']' }
    }

    /// An object that already has members and is still open.
    pub(super) fn resume_object(out: &'o mut Vec<u8>) -> Self {
        Self { out, is_empty: false, end: b'}' }
    }

    /// Starts the next element, and returns its place.
    pub(super) fn element(&mut self) -> &mut Vec<u8> {
        if !self.is_empty {
            self.out.push(b',');
        }
        self.is_empty = false;
        self.out
    }

    /// Starts the next member, and returns the place of its value.
    pub(super) fn key(&mut self, name: &str) -> &mut Vec<u8> {
        let out = self.element();
        push_string(out, name);
        out.push(b':');
        out
    }

    pub(super) fn string(&mut self, name: &str, text: &str) {
        push_string(self.key(name), text);
    }

    /// Adds a string member, unless the string is empty.
    pub(super) fn some_string(&mut self, name: &str, text: &str) {
        if !text.is_empty() {
            self.string(name, text);
        }
    }

    pub(super) fn bool(&mut self, name: &str, value: bool) {
        self.json(name, if value { b"true" } else { b"false" });
    }

    pub(super) fn number(&mut self, name: &str, value: u64) {
        push_number(self.key(name), value);
    }

    /// Adds a member whose value is JSON.
    pub(super) fn json(&mut self, name: &str, json: &[u8]) {
        self.key(name).extend_from_slice(json);
    }

    pub(super) fn end(self) {
        self.out.push(self.end);
    }
}

/// Appends an integer.
pub(super) fn push_number(out: &mut Vec<u8>, value: impl std::fmt::Display) {
    use std::io::Write as _;
    // Writing into memory does not fail.
    let _ = write!(out, "{value}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped_as_the_tools_do() {
        let text = "a<b>&\"\\\u{8}\u{c}\n\u{1}\u{7f}é\u{2028}\u{2029}€";
        let escaped = r#""a\u003cb\u003e\u0026\"\\\b\f\n\u0001é\u2028\u2029€""#
            .replace("\\u0001", "\\u0001\u{7f}");
        let mut out = Vec::new();
        push_string(&mut out, text);
        assert_eq!(String::from_utf8_lossy(&out), escaped);
        let mut again = Vec::new();
        push_json(&mut again, "\"a<b>&\\\"\u{2028}\"".as_bytes());
        assert_eq!(String::from_utf8_lossy(&again), "\"a\\u003cb\\u003e\\u0026\\\"\\u2028\"");
    }

    #[test]
    fn lists_have_commas() {
        let mut out = Vec::new();
        let mut object = List::object(&mut out);
        object.string("a", "b");
        object.some_string("none", "");
        object.bool("c", true);
        let mut array = List::array(object.key("d"));
        push_number(array.element(), 1);
        push_number(array.element(), -2);
        array.end();
        object.end();
        assert_eq!(out, br#"{"a":"b","c":true,"d":[1,-2]}"#);
    }
}
