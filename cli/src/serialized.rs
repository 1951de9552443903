//! JSON of values that implement [`Serialize`].
//!
//! `serde_json` compiles the members of a type again for every writer and every formatter. Here
//! both are one type, so that each type is compiled once: whether text is indented is decided at
//! run time.

use std::io::{self, Write};
use std::mem;

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};

/// Text is passed on when this many bytes are collected.
const CHUNK: usize = 1 << 16;

/// The layout of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// On one line, without spaces.
    Line,
    /// Indented by two spaces for each container, inside of this many containers that are written
    /// by hand.
    Indented(usize),
}

/// Writes a value, and nothing after it. Memory is bounded by the longest string.
///
/// # Errors
/// Writing fails, or the value has no JSON.
pub(crate) fn write(out: &mut dyn Write, shape: Shape, value: &impl Serialize) -> io::Result<()> {
    let mut buffer = Buffer { text: Vec::new(), out: Some(out) };
    serialize(&mut buffer, shape, value)?;
    buffer.pass()
}

/// Appends a value to a text.
///
/// # Errors
/// The value has no JSON.
pub(crate) fn append(
    text: &mut Vec<u8>,
    shape: Shape,
    value: &impl Serialize,
) -> serde_json::Result<()> {
    let mut buffer = Buffer { text: mem::take(text), out: None };
    let result = serialize(&mut buffer, shape, value);
    *text = buffer.text;
    result
}

/// Returns a value as text.
///
/// # Errors
/// The value has no JSON.
pub(crate) fn text(shape: Shape, value: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut text = Vec::with_capacity(128);
    append(&mut text, shape, value)?;
    Ok(text)
}

fn serialize(
    buffer: &mut Buffer<'_>,
    shape: Shape,
    value: &impl Serialize,
) -> serde_json::Result<()> {
    value.serialize(&mut Serializer::with_formatter(buffer, Form::new(shape)))
}

/// Text, and where it is passed on to when it is long.
struct Buffer<'o> {
    text: Vec<u8>,
    out: Option<&'o mut dyn Write>,
}

impl Buffer<'_> {
    /// Passes the text on.
    #[cold]
    fn pass(&mut self) -> io::Result<()> {
        if let Some(out) = &mut self.out {
            out.write_all(&self.text)?;
            self.text.clear();
        }
        Ok(())
    }
}

impl Write for Buffer<'_> {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        self.write_all(piece)?;
        Ok(piece.len())
    }

    #[inline]
    fn write_all(&mut self, piece: &[u8]) -> io::Result<()> {
        self.text.extend_from_slice(piece);
        if self.text.len() >= CHUNK { self.pass() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pass()
    }
}

/// The formatter of either layout.
enum Form {
    Line(CompactFormatter),
    Indented(PrettyFormatter<'static>),
}

impl Form {
    fn new(shape: Shape) -> Self {
        match shape {
            Shape::Line => Self::Line(CompactFormatter),
            Shape::Indented(depth) => {
                let mut formatter = PrettyFormatter::new();
                for _ in 0..depth {
                    // A sink takes everything.
                    let _ = formatter.begin_array(&mut io::sink());
                }
                Self::Indented(formatter)
            }
        }
    }
}

/// Implements methods of [`Formatter`] by those of either formatter.
macro_rules! forward {
    ($($method:ident($($argument:ident: $type:ty)?)),+ $(,)?) => {
        impl Formatter for Form {
            $(
                #[inline]
                fn $method<W: ?Sized + Write>(&mut self, out: &mut W $(, $argument: $type)?) -> io::Result<()> {
                    match self {
                        Self::Line(formatter) => formatter.$method(out $(, $argument)?),
                        Self::Indented(formatter) => formatter.$method(out $(, $argument)?),
                    }
                }
            )+
        }
    };
}

forward! {
    begin_array(),
    end_array(),
    begin_array_value(is_first: bool),
    end_array_value(),
    begin_object(),
    end_object(),
    begin_object_key(is_first: bool),
    end_object_key(),
    begin_object_value(),
    end_object_value(),
}

#[cfg(test)]
mod tests {
    use super::{CHUNK, Shape, text, write};

    #[test]
    fn both_layouts_are_those_of_serde_json() {
        let value = serde_json::json!({
            "a": [1, -2.5, true, null, "x\n\u{1}é", [], {}, [[1], { "b": [] }]],
            "long": "y".repeat(CHUNK + 1),
            "last": {},
        });
        let line = serde_json::to_vec(&value).expect("no key is a number");
        let indented = serde_json::to_vec_pretty(&value).expect("no key is a number");
        for (shape, expected) in [(Shape::Line, line), (Shape::Indented(0), indented)] {
            assert_eq!(text(shape, &value).expect("no key is a number"), expected);
            let mut out = Vec::new();
            write(&mut out, shape, &value).expect("memory is enough");
            assert_eq!(out, expected);
        }
    }

    #[test]
    fn containers_around_a_value_indent_it() {
        let value = serde_json::json!({ "a": [1] });
        let text = text(Shape::Indented(1), &value).expect("no key is a number");
        assert_eq!(text, b"{\n    \"a\": [\n      1\n    ]\n  }");
    }
}
