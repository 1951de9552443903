//! `Output`: everything that a command prints on standard output, in the requested format.
//!
//! A command prints either one value ([`value`], [`document`], [`text`]) or a [`List`] of rows. A type of rows
//! implements [`Row`]: how a row looks to people; JSON comes from `serde`. Rows can be rendered on any thread
//! ([`Rows`]) and are joined in the order in which they are appended.

use std::io::{self, BufWriter, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{Formatter, PrettyFormatter};
use simd_hcl::write::{self, Slot, Writer};

use crate::args::Format;

/// A list writes to standard output after this many bytes.
const CHUNK: usize = 1 << 16;

/// How the elements of a JSON array are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Indented, each member on a line of its own.
    Pretty,
    /// Each element on one line, after this indentation: for lists that grow with the input.
    Lines(&'static str),
}

/// An element of a list.
pub(crate) trait Row: Serialize {
    /// The layout of JSON.
    const LAYOUT: Layout = Layout::Pretty;

    /// Writes the row for people.
    fn print(&self, out: &mut dyn Write) -> io::Result<()>;
}

/// Rows of a list as text, which any thread can make.
pub(crate) struct Rows {
    format: Format,
    text: Vec<u8>,
    count: usize,
}

impl Rows {
    pub(crate) fn new(format: Format) -> Self {
        Self { format, text: Vec::new(), count: 0 }
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Adds a row.
    pub(crate) fn push<R: Row>(&mut self, row: &R) -> io::Result<()> {
        match self.format {
            Format::Human => row.print(&mut self.text)?,
            Format::Json => {
                if self.count > 0 {
                    self.text.extend_from_slice(b",\n");
                }
                self.push_element(row)?;
            }
            Format::Ndjson => {
                serde_json::to_writer(&mut self.text, row)?;
                self.text.push(b'\n');
            }
        }
        self.count += 1;
        Ok(())
    }

    fn push_element<R: Row>(&mut self, row: &R) -> io::Result<()> {
        match R::LAYOUT {
            Layout::Lines(indentation) => {
                self.text.extend_from_slice(indentation.as_bytes());
                serde_json::to_writer(&mut self.text, row)?;
            }
            Layout::Pretty => {
                // The array around it is written by hand.
                let mut formatter = PrettyFormatter::new();
                formatter.begin_array(&mut io::sink())?;
                self.text.extend_from_slice(b"  ");
                row.serialize(&mut Serializer::with_formatter(&mut self.text, formatter))?;
            }
        }
        Ok(())
    }
}

/// A list that is printed row by row: an array in JSON, a line per row in NDJSON.
pub(crate) struct List {
    rows: Rows,
    /// The number of rows already written.
    written: usize,
    out: Box<dyn Write>,
}

impl List {
    pub(crate) fn new(format: Format) -> Self {
        Self { rows: Rows::new(format), written: 0, out: stdout(format) }
    }

    /// Prints a row.
    pub(crate) fn push<R: Row>(&mut self, row: &R) -> io::Result<()> {
        self.rows.push(row)?;
        if self.rows.text.len() >= CHUNK { self.write() } else { Ok(()) }
    }

    /// Prints rows of the same format.
    pub(crate) fn append(&mut self, rows: Rows) -> io::Result<()> {
        self.write()?;
        self.rows = rows;
        self.write()
    }

    /// Ends the list. What is not ended is not flushed either.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.write()?;
        if self.rows.format == Format::Json {
            self.out.write_all(if self.written == 0 { b"[]\n" } else { b"\n]\n" })?;
        }
        self.out.flush()
    }

    /// Writes the rows that wait.
    fn write(&mut self) -> io::Result<()> {
        if self.rows.count > 0 {
            if self.rows.format == Format::Json {
                self.out.write_all(if self.written == 0 { b"[\n" } else { b",\n" })?;
            }
            self.out.write_all(&self.rows.text)?;
            self.rows.text.clear();
            self.written += std::mem::take(&mut self.rows.count);
        }
        Ok(())
    }
}

/// Prints all rows of a list.
pub(crate) fn list<R: Row>(format: Format, rows: impl IntoIterator<Item = R>) -> io::Result<()> {
    let mut list = List::new(format);
    rows.into_iter().try_for_each(|row| list.push(&row))?;
    list.finish()
}

/// Prints one value as JSON: indented, or on one line for NDJSON.
pub(crate) fn value(format: Format, value: &impl Serialize) -> io::Result<()> {
    let mut out = stdout(Format::Json);
    match format {
        Format::Ndjson => serde_json::to_writer(&mut out, value)?,
        Format::Human | Format::Json => serde_json::to_writer_pretty(&mut out, value)?,
    }
    writeln!(out)?;
    out.flush()
}

/// Prints one value as the library's exact JSON writer writes it. `write` gets the place of the value.
pub(crate) fn document<T>(
    layout: write::Layout,
    write: impl FnOnce(Slot<'_, '_>) -> T,
) -> io::Result<T> {
    let mut out = stdout(Format::Json);
    let mut writer = Writer::new(&mut out, layout);
    let result = write(writer.value());
    writer.finish()?;
    writeln!(out)?;
    out.flush()?;
    Ok(result)
}

/// Prints text for people. Colours are stripped where they are not wanted.
pub(crate) fn text(print: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = stdout(Format::Human);
    print(&mut out)?;
    out.flush()
}

/// Prints data that is no JSON value.
pub(crate) fn data(print: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = stdout(Format::Json);
    print(&mut out)?;
    out.flush()
}

/// Standard output, buffered; for people without colours where they are not wanted.
fn stdout(format: Format) -> Box<dyn Write> {
    match format {
        Format::Human => Box::new(BufWriter::with_capacity(CHUNK, anstream::stdout().lock())),
        Format::Json | Format::Ndjson => {
            Box::new(BufWriter::with_capacity(CHUNK, io::stdout().lock()))
        }
    }
}
