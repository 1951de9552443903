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
    in_memory(text, |text| text.add(Layout::default(), value))
}

/// Adds a value to a text, with one member per line, inside of `depth` arrays or objects.
pub(crate) fn add_indented<T: Serialize + ?Sized>(
    text: &mut Vec<u8>,
    depth: usize,
    value: &T,
) -> io::Result<()> {
    in_memory(text, |text| text.add(Layout { indents: true, depth, has_value: false }, value))
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

fn in_memory(
    text: &mut Vec<u8>,
    add: impl FnOnce(&mut Text<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let mut collected = Text { bytes: std::mem::take(text), to: None };
    let result = add(&mut collected);
    *text = collected.bytes;
    result
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

    use super::{add, add_indented};

    /// As `serde_json` writes it, at every depth.
    #[test]
    fn layouts_are_those_of_serde_json() {
        let mut value = json!({"a": [], "b": {}, "c": [1, [2, {"d": null}]], "e": "x\n"});
        for _ in 0..50 {
            let mut text = Vec::new();
            add(&mut text, &value).unwrap();
            assert_eq!(text, serde_json::to_vec(&value).unwrap());
            let mut text = Vec::new();
            add_indented(&mut text, 0, &value).unwrap();
            assert_eq!(text, serde_json::to_vec_pretty(&value).unwrap());
            value = json!([value, {}]);
        }
        let mut text = b"  ".to_vec();
        add_indented(&mut text, 1, &json!([Value::Null])).unwrap();
        assert_eq!(text, b"  [\n    null\n  ]");
    }
}
