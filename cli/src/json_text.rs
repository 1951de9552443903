//! JSON of types that implement `serde::Serialize`, on one line or indented.
//!
//! The code that serializes a type is compiled for each writer and each formatter. Here is one of each, so
//! that it exists once.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

/// How many bytes are collected before they are passed on.
const CHUNK: usize = 1 << 16;

/// Adds a value to a text, on one line.
pub(crate) fn add<T: Serialize + ?Sized>(text: &mut Vec<u8>, value: &T) -> io::Result<()> {
    add_passing(text, None, None, value)
}

/// Adds a value to a text, which is passed on when it becomes long if it goes somewhere. With a
/// depth, there is one member per line, inside of as many arrays or objects.
pub(crate) fn add_passing<T: Serialize + ?Sized>(
    text: &mut Vec<u8>,
    to: Option<&mut dyn Write>,
    depth: Option<usize>,
    value: &T,
) -> io::Result<()> {
    let mut collected = Text { bytes: std::mem::take(text), to };
    let layout =
        Layout { indents: depth.is_some(), depth: depth.unwrap_or_default(), has_value: false };
    let result = collected.add(layout, value);
    *text = collected.bytes;
    result
}

/// Returns a text as a string of JSON.
pub(crate) fn string(text: &str) -> String {
    let mut json = Vec::new();
    // Writing to memory does not fail.
    let _ = add(&mut json, text);
    String::from_utf8(json).unwrap_or_default()
}

/// Writes a value, on one line or indented.
pub(crate) fn write<T: Serialize + ?Sized>(
    to: &mut dyn Write,
    indents: bool,
    value: &T,
) -> io::Result<()> {
    let mut text = Text { bytes: Vec::new(), to: Some(to) };
    text.add(Layout { indents, ..Layout::default() }, value)?;
    text.pass_on()
}

/// Text that is collected, and passed on if it goes somewhere.
struct Text<'t> {
    bytes: Vec<u8>,
    to: Option<&'t mut dyn Write>,
}

impl Text<'_> {
    fn add<T: Serialize + ?Sized>(&mut self, layout: Layout, value: &T) -> io::Result<()> {
        Ok(value.serialize(&mut Serializer::with_formatter(self, layout))?)
    }

    fn pass_on(&mut self) -> io::Result<()> {
        if let Some(to) = &mut self.to {
            to.write_all(&self.bytes)?;
            self.bytes.clear();
        }
        Ok(())
    }
}

impl Write for Text<'_> {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    #[inline(always)]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        // Most of JSON is written by single bytes.
        match bytes {
            [byte] => self.bytes.push(*byte),
            _ => self.bytes.extend_from_slice(bytes),
        }
        if self.bytes.len() >= CHUNK { self.pass_on() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pass_on()
    }
}

/// A comma, a line break and the deepest indentation that is written at once.
const LINE: &[u8; 66] = b",\n                                                                ";

#[derive(Default)]
struct Layout {
    indents: bool,
    depth: usize,
    /// Whether the innermost array or object that is open has a value.
    has_value: bool,
}

impl Layout {
    fn begin<W: Write + ?Sized>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.has_value = false;
        out.write_all(bracket)
    }

    fn end<W: Write + ?Sized>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth -= 1;
        if self.has_value {
            self.separate(out, true)?;
        }
        out.write_all(bracket)
    }

    /// Writes what is before an element or a member; before the first one, there is no comma.
    fn separate<W: Write + ?Sized>(&mut self, out: &mut W, is_first: bool) -> io::Result<()> {
        let start = usize::from(is_first);
        if !self.indents {
            return if is_first { Ok(()) } else { out.write_all(b",") };
        }
        let mut left = 2 * self.depth;
        let now = left.min(LINE.len() - 2);
        out.write_all(&LINE[start..2 + now])?;
        left -= now;
        while left > 0 {
            let now = left.min(LINE.len() - 2);
            out.write_all(&LINE[2..2 + now])?;
            left -= now;
        }
        Ok(())
    }
}

impl Formatter for Layout {
    fn begin_array<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.begin(out, b"[")
    }

    fn end_array<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.end(out, b"]")
    }

    fn begin_array_value<W: Write + ?Sized>(
        &mut self,
        out: &mut W,
        is_first: bool,
    ) -> io::Result<()> {
        self.separate(out, is_first)
    }

    fn end_array_value<W: Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }

    fn begin_object<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.begin(out, b"{")
    }

    fn end_object<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.end(out, b"}")
    }

    fn begin_object_key<W: Write + ?Sized>(
        &mut self,
        out: &mut W,
        is_first: bool,
    ) -> io::Result<()> {
        self.separate(out, is_first)
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(if self.indents { b": " } else { b":" })
    }

    fn end_object_value<W: Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{CHUNK, add, add_passing};

    /// As `serde_json` writes it, at every depth.
    #[test]
    fn layouts_are_those_of_serde_json() {
        let mut value = json!({"a": [], "b": {}, "c": [1, [2, {"d": null}]], "e": "x\n"});
        for _ in 0..50 {
            let mut text = Vec::new();
            add(&mut text, &value).unwrap();
            assert_eq!(text, serde_json::to_vec(&value).unwrap());
            let mut text = Vec::new();
            add_passing(&mut text, None, Some(0), &value).unwrap();
            assert_eq!(text, serde_json::to_vec_pretty(&value).unwrap());
            value = json!([value, {}]);
        }
        let mut text = b"  ".to_vec();
        add_passing(&mut text, None, Some(1), &json!([Value::Null])).unwrap();
        assert_eq!(text, b"  [\n    null\n  ]");
    }

    /// A long value does not stay in memory.
    #[test]
    fn long_values_are_passed_on() {
        let value = vec!["x".repeat(1000); 1000];
        let (mut passed, mut text) = (Vec::new(), b"[".to_vec());
        add_passing(&mut text, Some(&mut passed), None, &value).unwrap();
        assert!(text.len() < 2 * CHUNK && text.capacity() < 4 * CHUNK);
        passed.append(&mut text);
        assert_eq!(passed[1..], serde_json::to_vec(&value).unwrap());
    }
}
