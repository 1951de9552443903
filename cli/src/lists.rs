//! JSON documents of ours with several long lists.

use std::io::{self, Write};

use serde::Serialize;

use crate::in_parts::in_parts;
use crate::incomplete::Incomplete;
use crate::output::{self, FORMAT_VERSION, Style};
use crate::serialized::{self, Shape};
use crate::visible;

/// The number of elements that one thread renders at a time.
const ELEMENTS: usize = 4096;

/// The text before each element of a list that is a member of an object.
const INDENT: &str = "\n    ";

/// An indented document: an object that starts with `format_version` and ends with `incomplete`. Its
/// lists are rendered on several threads as they are printed. The text is that of
/// [`output::value`] for the same members.
pub(crate) struct Lists {
    style: Style,
    out: Box<dyn Write + Send>,
}

impl Lists {
    pub(crate) fn start(style: Style) -> io::Result<Self> {
        let mut out = output::shared(Some(visible::json));
        write!(out, "{{\n  \"format_version\": \"{FORMAT_VERSION}\"")?;
        Ok(Self { style, out })
    }

    /// Prints the member of a name, which has no characters to escape.
    pub(crate) fn list<T: Serialize + Sync>(
        &mut self,
        name: &str,
        elements: &[T],
    ) -> io::Result<()> {
        let Self { style, out } = self;
        let style = *style;
        write!(out, ",\n  \"{name}\": [")?;
        let parts: Vec<_> = elements.chunks(ELEMENTS).enumerate().collect();
        in_parts(
            &parts,
            |&(part, elements)| rendered(elements, part == 0, style),
            |text| out.write_all(&text?),
        )?;
        out.write_all(if elements.is_empty() { b"]" } else { b"\n  ]" })
    }

    pub(crate) fn end(mut self, incomplete: &Incomplete) -> io::Result<()> {
        self.out.write_all(b",\n  \"incomplete\": ")?;
        serialized::write(&mut self.out, Shape::Indented(1), incomplete)?;
        self.out.write_all(b"\n}\n")?;
        self.out.flush()
    }
}

/// Returns the text of some elements, with what is before each.
fn rendered<T: Serialize>(elements: &[T], is_start: bool, style: Style) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    for (place, element) in elements.iter().enumerate() {
        let is_first = is_start && place == 0;
        text.extend_from_slice(if is_first { b"" } else { b"," });
        text.extend_from_slice(INDENT.as_bytes());
        match style.is_compact {
            true => text.extend(style.of_json(serialized::text(Shape::Indented(2), element)?)),
            false => serialized::append(&mut text, Shape::Indented(2), element)?,
        }
    }
    Ok(text)
}
