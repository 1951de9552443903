//! Writes JSON into one buffer, minified or pretty, and hands it on in large pieces.
//!
//! The caller gives a well-formed sequence of calls; commas, white space and escapes are written
//! here. The pretty form is that of common generators: two spaces of indentation, one space after a
//! colon, `{}` and `[]` for empty containers, no line break at the end.

use std::fmt::{self, Write as _};
use std::io;

/// The number of bytes that are buffered before they are written.
const PIECE: usize = 256 * 1024;

/// A JSON writer over `W`. Nothing fails before [`Json::checkpoint`] or [`Json::finish`].
pub(crate) struct Json<'w, W: io::Write + ?Sized> {
    out: &'w mut W,
    buffer: Vec<u8>,
    pretty: bool,
    depth: usize,
    /// The innermost container has no member yet.
    fresh: bool,
    /// A key was written and its value was not.
    after_key: bool,
    written: u64,
    values: u64,
}

impl<'w, W: io::Write + ?Sized> Json<'w, W> {
    pub(crate) fn new(out: &'w mut W, pretty: bool) -> Self {
        Self {
            out,
            buffer: Vec::with_capacity(PIECE + PIECE / 4),
            pretty,
            depth: 0,
            fresh: true,
            after_key: false,
            written: 0,
            values: 0,
        }
    }

    /// Hands on what was collected, once it is enough to be worth a call.
    pub(crate) fn checkpoint(&mut self) -> io::Result<()> {
        if self.buffer.len() < PIECE {
            return Ok(());
        }
        self.hand_on()
    }

    /// Hands on the rest; gives the bytes written, and the number of keys and values.
    pub(crate) fn finish(mut self) -> io::Result<(u64, u64)> {
        debug_assert!(self.depth == 0 && !self.after_key, "unbalanced JSON");
        self.hand_on()?;
        Ok((self.written, self.values))
    }

    fn hand_on(&mut self) -> io::Result<()> {
        self.out.write_all(&self.buffer)?;
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// A line break after the root, as files written by hand have.
    pub(crate) fn end_line(&mut self) {
        if self.pretty {
            self.buffer.push(b'\n');
        }
    }

    pub(crate) fn open_object(&mut self) {
        self.open(b'{');
    }

    pub(crate) fn close_object(&mut self) {
        self.close(b'}');
    }

    pub(crate) fn open_array(&mut self) {
        self.open(b'[');
    }

    pub(crate) fn close_array(&mut self) {
        self.close(b']');
    }

    /// An object value, its members written by `members`.
    pub(crate) fn object(&mut self, members: impl FnOnce(&mut Self)) {
        self.open_object();
        members(self);
        self.close_object();
    }

    /// An array value, its elements written by `elements`.
    pub(crate) fn array(&mut self, elements: impl FnOnce(&mut Self)) {
        self.open_array();
        elements(self);
        self.close_array();
    }

    pub(crate) fn key(&mut self, name: impl fmt::Display) {
        self.begin();
        self.quoted(format_args!("{name}"));
        self.buffer.push(b':');
        if self.pretty {
            self.buffer.push(b' ');
        }
        self.after_key = true;
    }

    /// A string value.
    pub(crate) fn string(&mut self, text: impl fmt::Display) {
        self.begin();
        self.quoted(format_args!("{text}"));
    }

    /// A number, `true`, `false` or `null`.
    pub(crate) fn scalar(&mut self, value: impl fmt::Display) {
        self.begin();
        let _ = write!(Plain(&mut self.buffer), "{value}");
    }

    /// A member with a string value.
    pub(crate) fn text(&mut self, name: &str, text: impl fmt::Display) {
        self.key(name);
        self.string(text);
    }

    /// A member with a number, `true`, `false` or `null`.
    pub(crate) fn plain(&mut self, name: &str, value: impl fmt::Display) {
        self.key(name);
        self.scalar(value);
    }

    /// A member with an array of strings.
    pub(crate) fn texts<T: fmt::Display>(
        &mut self,
        name: &str,
        items: impl IntoIterator<Item = T>,
    ) {
        self.key(name);
        self.array(|w| items.into_iter().for_each(|item| w.string(item)));
    }

    /// A member with an object value.
    pub(crate) fn member(&mut self, name: impl fmt::Display, members: impl FnOnce(&mut Self)) {
        self.key(name);
        self.object(members);
    }

    /// A member with an array of one object: how generators write a nested block.
    pub(crate) fn block(&mut self, name: &str, members: impl FnOnce(&mut Self)) {
        self.key(name);
        self.array(|w| w.object(members));
    }

    fn open(&mut self, bracket: u8) {
        self.begin();
        self.buffer.push(bracket);
        self.depth += 1;
        self.fresh = true;
    }

    fn close(&mut self, bracket: u8) {
        self.depth -= 1;
        if !self.fresh {
            self.line();
        }
        self.buffer.push(bracket);
        self.fresh = false;
    }

    /// Writes the separator before a key or a value.
    fn begin(&mut self) {
        self.values += 1;
        if std::mem::take(&mut self.after_key) {
            return;
        }
        if !std::mem::take(&mut self.fresh) {
            self.buffer.push(b',');
        }
        if self.depth > 0 {
            self.line();
        }
    }

    fn line(&mut self) {
        if self.pretty {
            self.buffer.push(b'\n');
            self.buffer.resize(self.buffer.len() + 2 * self.depth, b' ');
        }
    }

    fn quoted(&mut self, text: fmt::Arguments<'_>) {
        self.buffer.push(b'"');
        match text.as_str() {
            Some(text) => escape(text, &mut self.buffer),
            // Writing to memory does not fail.
            None => drop(Escaped(&mut self.buffer).write_fmt(text)),
        }
        self.buffer.push(b'"');
    }
}

/// Formats into a buffer of bytes.
struct Plain<'b>(&'b mut Vec<u8>);

impl fmt::Write for Plain<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

/// Formats into a buffer of bytes, escaped for the inside of a JSON string.
struct Escaped<'b>(&'b mut Vec<u8>);

impl fmt::Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        escape(text, self.0);
        Ok(())
    }
}

fn escape(text: &str, out: &mut Vec<u8>) {
    let bytes = text.as_bytes();
    let mut done = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        if byte >= b' ' && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.extend_from_slice(&bytes[done..at]);
        done = at + 1;
        match byte {
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            _ => drop(write!(Plain(out), "\\u{byte:04x}")),
        }
    }
    out.extend_from_slice(&bytes[done..]);
}

#[cfg(test)]
mod tests {
    use super::Json;

    fn sample(pretty: bool) -> (String, u64) {
        let mut out = Vec::new();
        let mut w = Json::new(&mut out, pretty);
        w.object(|w| {
            w.text("a", "x\"\\\n\t\u{1}é");
            w.member("o", |_| ());
            w.block("b", |w| w.plain("n", 1));
            w.texts("l", ["p", "q"]);
        });
        let (bytes, values) = w.finish().unwrap();
        assert_eq!(bytes, out.len() as u64);
        (String::from_utf8(out).unwrap(), values)
    }

    #[test]
    fn minified() {
        let (text, values) = sample(false);
        assert_eq!(text, r#"{"a":"x\"\\\n\t\u0001é","o":{},"b":[{"n":1}],"l":["p","q"]}"#);
        assert_eq!(values, 14);
    }

    #[test]
    fn pretty() {
        let text = "{\n  \"a\": \"x\\\"\\\\\\n\\t\\u0001é\",\n  \"o\": {},\n  \"b\": [\n    {\n      \
                    \"n\": 1\n    }\n  ],\n  \"l\": [\n    \"p\",\n    \"q\"\n  ]\n}";
        assert_eq!(sample(true).0, text);
    }
}
