//! Everything that a command prints on standard output, in the requested format.
//!
//! A command prints either one value ([`value`], [`document`], [`text`]) or a [`List`] of rows. The
//! type of a row implements [`Row`]: its text for people and its CSV records; its JSON comes from
//! `serde` ([`serialized`]). Rows can be rendered on any thread ([`Rows`]) and are joined in the order in which they
//! are appended.
//!
//! A JSON document of ours is one object with `format_version` and `incomplete`: the gaps of the
//! answer ([`Incomplete`]), an empty array if it has none. A list is a member of such an object. The
//! gaps are also the last line of NDJSON, `{"incomplete": […]}`, which is omitted if the answer is
//! complete. CSV and text have no place for them, so they go to standard error, even with `--quiet`.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anstream::ColorChoice;
use anstream::adapter::StripBytes;
use memchr::memchr;
use serde::Serialize;
use simd_hcl::write::{self, Slot, Writer};

use crate::args::{Format, ListFormat};
use crate::compact::without_ranges;
use crate::incomplete::Incomplete;
use crate::serialized::{self, Shape};
pub(crate) use crate::style::Style;
use crate::visible::{self, Lines, visible};

/// A list buffers this many bytes before it writes to standard output.
const CHUNK: usize = 1 << 16;

/// Most rows are shorter, in bytes.
const RECORD: usize = 256;

/// How the elements of a JSON array are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Indented, one member per line.
    Pretty,
    /// Each element on one line: for lists that grow with the input.
    Lines,
}

/// The version of the shapes of our JSON documents: the member `format_version`.
pub(crate) const FORMAT_VERSION: &str = "1.0";

/// An element of a list.
pub(crate) trait Row: Serialize {
    /// The member of the JSON document that has the list. `None` for a shape of another tool, which
    /// is an array.
    const MEMBER: Option<&'static str>;

    /// The layout of JSON.
    const LAYOUT: Layout = Layout::Pretty;

    /// The columns of CSV.
    const COLUMNS: &'static [&'static str];

    /// Writes the row for people.
    fn print(&self, out: &mut dyn Write) -> io::Result<()>;

    /// Adds one or more records for the row, each with a cell for each column.
    fn records(&self, out: &mut Csv<'_>);
}

/// Whether a program for tables may take a cell for a formula.
fn is_formula(cell: &str) -> bool {
    cell.starts_with(['=', '+', '-', '@', '\t', '\r'])
}

/// CSV records as in RFC 4180, but with a line feed after each. Control characters are escaped
/// visibly.
pub(crate) struct Csv<'t> {
    text: &'t mut Vec<u8>,
    is_safe: bool,
}

impl<'t> Csv<'t> {
    /// Returns a writer that appends records to `text`.
    pub(crate) fn new(text: &'t mut Vec<u8>, style: Style) -> Self {
        Self { text, is_safe: style.is_csv_safe }
    }

    /// Adds a record.
    pub(crate) fn record<C: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = C>) {
        for (number, cell) in cells.into_iter().enumerate() {
            if number > 0 {
                self.text.push(b',');
            }
            let mark = if self.is_safe && is_formula(cell.as_ref()) { "'" } else { "" };
            let cell = visible(cell.as_ref());
            if cell.contains([',', '"']) {
                self.text.push(b'"');
                self.text.extend_from_slice(mark.as_bytes());
                self.text.extend_from_slice(cell.replace('"', "\"\"").as_bytes());
                self.text.push(b'"');
            } else {
                self.text.extend_from_slice(mark.as_bytes());
                self.text.extend_from_slice(cell.as_bytes());
            }
        }
        self.text.push(b'\n');
    }
}

/// The last line of NDJSON: the gaps of the answer.
#[derive(Serialize)]
struct Rest<'i> {
    incomplete: &'i Incomplete,
}

/// Rendered rows of a list. Any thread can render them.
pub(crate) struct Rows {
    format: ListFormat,
    style: Style,
    text: Vec<u8>,
    count: usize,
    /// The list in which they are printed as they are made.
    list: Option<Arc<Mutex<List>>>,
}

impl Rows {
    pub(crate) fn new(format: ListFormat, style: Style) -> Self {
        Self { format, style, text: Vec::new(), count: 0, list: None }
    }

    /// Returns rows that are printed as they are made: no others are printed before they are
    /// complete.
    pub(crate) fn of(list: &Arc<Mutex<List>>) -> Self {
        let (format, style) = {
            let list = locked(list);
            (list.format, list.style)
        };
        Self { list: Some(Arc::clone(list)), ..Self::new(format, style) }
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Adds a row.
    pub(crate) fn push<R: Row>(&mut self, row: &R) -> io::Result<()> {
        self.count += 1;
        if let Some(list) = &self.list {
            return locked(list).push(row);
        }
        if self.format == ListFormat::Json && self.count > 1 {
            self.text.extend_from_slice(b",\n");
        }
        add(self.format, self.style, &mut self.text, row)
    }
}

/// Returns a list that threads share.
pub(crate) fn locked(list: &Mutex<List>) -> MutexGuard<'_, List> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Appends a row to a text.
fn add<R: Row>(format: ListFormat, style: Style, out: &mut Vec<u8>, row: &R) -> io::Result<()> {
    match format {
        ListFormat::Human => {
            let mut lines = Lines::new(out, visible::without_command);
            row.print(&mut lines)?;
            lines.pass()
        }
        ListFormat::Csv => {
            row.records(&mut Csv::new(out, style));
            Ok(())
        }
        ListFormat::Json => {
            // The array around it is written by hand, and the object around that.
            let depth = if R::MEMBER.is_some() { 2 } else { 1 };
            out.extend_from_slice(&INDENT[..2 * depth]);
            let shape = match R::LAYOUT {
                Layout::Lines => Shape::Line,
                Layout::Pretty => Shape::Indented(depth),
            };
            append(out, style, shape, row)
        }
        ListFormat::Ndjson => {
            append(out, style, Shape::Line, row)?;
            out.push(b'\n');
            Ok(())
        }
    }
}

/// Appends a row as JSON to a text.
fn append(out: &mut Vec<u8>, style: Style, shape: Shape, row: &impl Serialize) -> io::Result<()> {
    if !style.is_compact {
        return Ok(serialized::append(out, shape, row)?);
    }
    out.extend(style.of_json(serialized::text(shape, row)?));
    Ok(())
}

/// Two levels of indentation.
const INDENT: &[u8] = b"    ";

/// A list that is printed row by row: a member of an object in JSON, a line per row in NDJSON, a
/// header and records in CSV.
pub(crate) struct List {
    format: ListFormat,
    style: Style,
    /// The member of the JSON document that has the list.
    member: Option<&'static str>,
    /// The number of rows so far.
    count: usize,
    // Rows have no colours to strip, and searching for them costs as much as rendering a row.
    out: Box<dyn Write + Send>,
}

impl List {
    /// Starts a list of rows of type `R`.
    pub(crate) fn new<R: Row>(format: ListFormat, style: Style) -> io::Result<Self> {
        let is_json = matches!(format, ListFormat::Json | ListFormat::Ndjson);
        let mut out = shared(is_json.then_some(visible::json));
        if format == ListFormat::Csv {
            let mut header = Vec::new();
            Csv::new(&mut header, style).record(R::COLUMNS);
            out.write_all(&header)?;
        }
        Ok(Self { format, style, member: R::MEMBER, count: 0, out })
    }

    /// Returns what makes rows for the list, which any thread can render.
    pub(crate) fn rows(&self) -> impl Fn() -> Rows + use<> {
        let (format, style) = (self.format, self.style);
        move || Rows::new(format, style)
    }

    /// Prints a row.
    pub(crate) fn push<R: Row>(&mut self, row: &R) -> io::Result<()> {
        self.separate(1)?;
        let mut text = Vec::with_capacity(RECORD);
        add(self.format, self.style, &mut text, row)?;
        self.out.write_all(&text)
    }

    /// Prints rows of the same format, unless they are printed.
    pub(crate) fn append(&mut self, rows: Rows) -> io::Result<()> {
        if rows.list.is_some() || rows.count == 0 {
            return Ok(());
        }
        self.separate(rows.count)?;
        self.out.write_all(&rows.text)
    }

    /// Prints the rows so far, without ending the list.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Ends the list with its gaps, for which the shapes of other tools have no place. A list that is
    /// not ended is not valid JSON.
    pub(crate) fn finish(&mut self, incomplete: &Incomplete) -> io::Result<()> {
        match self.format {
            ListFormat::Human | ListFormat::Csv => {}
            ListFormat::Ndjson => rest(incomplete, &mut *self.out)?,
            ListFormat::Json => {
                if self.count == 0 {
                    self.start()?;
                } else {
                    self.out.write_all(b"\n")?;
                    let depth = if self.member.is_some() { 1 } else { 0 };
                    self.out.write_all(&INDENT[..2 * depth])?;
                }
                self.out.write_all(b"]")?;
                if self.member.is_some() {
                    self.out.write_all(b",\n  \"incomplete\": ")?;
                    serialized::write(&mut self.out, Shape::Indented(1), incomplete)?;
                    self.out.write_all(b"\n}")?;
                }
                self.out.write_all(b"\n")?;
            }
        }
        self.flush()
    }

    /// Writes what is before the first row.
    fn start(&mut self) -> io::Result<()> {
        if let Some(member) = self.member {
            let version = FORMAT_VERSION;
            write!(self.out, "{{\n  \"format_version\": \"{version}\",\n  \"{member}\": ")?;
        }
        self.out.write_all(b"[")
    }

    /// Writes what is before the next rows.
    fn separate(&mut self, rows: usize) -> io::Result<()> {
        if self.format == ListFormat::Json {
            match self.count {
                0 => self.start()?,
                _ => self.out.write_all(b",")?,
            }
            self.out.write_all(b"\n")?;
        }
        self.count += rows;
        Ok(())
    }
}

/// Prints all rows of a list, and its gaps.
pub(crate) fn list<R: Row>(
    format: ListFormat,
    style: Style,
    rows: impl IntoIterator<Item = R>,
    incomplete: &Incomplete,
) -> io::Result<()> {
    let mut list = List::new::<R>(format, style)?;
    rows.into_iter().try_for_each(|row| list.push(&row))?;
    list.finish(incomplete)
}

/// Prints one value as JSON: indented, or on one line for NDJSON.
pub(crate) fn value(format: Format, style: Style, value: &impl Serialize) -> io::Result<()> {
    let mut out = exact(visible::json);
    let shape = match format {
        Format::Ndjson => Shape::Line,
        Format::Human | Format::Json => Shape::Indented(0),
    };
    match style.is_compact {
        true => out.write_all(&style.of_json(serialized::text(shape, value)?))?,
        false => serialized::write(&mut out, shape, value)?,
    }
    writeln!(out)?;
    out.flush()
}

/// Writes a value as a line of NDJSON.
pub(crate) fn line(out: &mut dyn Write, style: Style, value: &impl Serialize) -> io::Result<()> {
    let mut text = style.of_json(serialized::text(Shape::Line, value)?);
    text.push(b'\n');
    out.write_all(&text)
}

/// Prints one value with the library's exact JSON writer. `write` gets the slot to write it to.
pub(crate) fn document<T>(
    layout: write::Layout,
    style: Style,
    write: impl FnOnce(Slot<'_, '_>) -> T,
) -> io::Result<T> {
    let mut out = stdout(Format::Json);
    let mut text = Vec::new();
    let kept: &mut dyn Write = if style.is_compact { &mut text } else { &mut out };
    let mut writer = Writer::new(kept, layout);
    let result = write(writer.value());
    writer.finish()?;
    out.write_all(&style.of_json(text))?;
    writeln!(out)?;
    out.flush()?;
    Ok(result)
}

/// Prints text for people. Colours are stripped if the output does not support them.
pub(crate) fn text(print: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = stdout(Format::Human);
    print(&mut out)?;
    out.flush()
}

/// Returns the text of an address or a reference. Most fit the initial capacity.
pub(crate) fn text_of(value: impl Display) -> String {
    use std::fmt::Write;
    let mut text = String::with_capacity(64);
    let _ = write!(text, "{value}");
    text
}

/// Prints data that is not a JSON value.
pub(crate) fn data(print: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = stdout(Format::Json);
    print(&mut out)?;
    out.flush()
}

/// Prints lines of JSON that are written by hand.
pub(crate) fn lines(
    style: Style,
    print: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    data(|out| match style.is_compact {
        true => print(&mut CompactLines { line: Vec::new(), out }),
        false => print(out),
    })
}

/// Leaves ranges out of each line that is written.
struct CompactLines<'o> {
    line: Vec<u8>,
    out: &'o mut dyn Write,
}

impl Write for CompactLines<'_> {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        let end = memchr(b'\n', piece).map_or(piece.len(), |at| at + 1);
        self.line.extend_from_slice(&piece[..end]);
        if self.line.ends_with(b"\n") {
            self.out.write_all(&without_ranges(std::mem::take(&mut self.line)))?;
        }
        Ok(end)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Returns standard output for results that are printed as input is read, for people or for
/// programs.
pub(crate) fn stream(is_human: bool) -> Box<dyn Write> {
    stdout(if is_human { Format::Human } else { Format::Json })
}

/// Writes the gaps of an answer as the last line of NDJSON, if there are any.
pub(crate) fn rest(incomplete: &Incomplete, out: &mut dyn Write) -> io::Result<()> {
    if !incomplete.is_empty() {
        line(out, Style::default(), &Rest { incomplete })?;
    }
    Ok(())
}

/// Returns buffered standard output. For people, colours are stripped if the output does not
/// support them.
fn stdout(format: Format) -> Box<dyn Write> {
    let for_people = |out: Box<dyn Write>| Box::new(Lines::new(out, visible::without_command));
    match format {
        Format::Human if anstream::stdout().current_choice() == ColorChoice::Never => {
            let plain = Plain { escapes: StripBytes::new(), out: io::stdout().lock() };
            for_people(Box::new(BufWriter::with_capacity(CHUNK, plain)))
        }
        Format::Human => {
            for_people(Box::new(BufWriter::with_capacity(CHUNK, anstream::stdout().lock())))
        }
        Format::Json | Format::Ndjson => exact(visible::json),
    }
}

/// Returns buffered standard output that threads can share. Only a terminal gets lines that are changed
/// by `shown`.
pub(crate) fn shared(shown: Option<fn(&str) -> Cow<'_, str>>) -> Box<dyn Write + Send> {
    let out = BufWriter::with_capacity(CHUNK, io::stdout());
    match shown.filter(|_| io::stdout().is_terminal()) {
        Some(shown) => Box::new(Lines::new(out, shown)),
        None => Box::new(out),
    }
}

/// Returns buffered standard output for exact text. Only a terminal gets lines that are changed by
/// `shown`.
pub(crate) fn exact(shown: fn(&str) -> Cow<'_, str>) -> Box<dyn Write> {
    let out = BufWriter::with_capacity(CHUNK, io::stdout().lock());
    match io::stdout().is_terminal() {
        true => Box::new(Lines::new(out, shown)),
        false => Box::new(out),
    }
}

/// Prints the text of a configuration file: exactly, but visibly on a terminal.
pub(crate) fn source(text: impl AsRef<[u8]>) -> io::Result<()> {
    let mut out = exact(visible::visible);
    out.write_all(text.as_ref())?;
    out.flush()
}

/// Prints a text like [`source`], part by part.
pub(crate) fn source_by_parts(
    write: impl FnOnce(&mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = exact(visible::visible);
    write(&mut |text| out.write_all(text.as_bytes()))?;
    out.flush()
}

/// Prints a path on a line of its own.
pub(crate) fn path(path: &str) -> io::Result<()> {
    writeln!(io::stdout(), "{}", visible::line(path))
}

/// Standard output without colours. The stream of `anstream` writes each piece between two escapes
/// by itself.
struct Plain {
    escapes: StripBytes,
    out: StdoutLock<'static>,
}

impl Write for Plain {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        let pieces: Vec<&[u8]> = self.escapes.strip_next(text).collect();
        self.out.write_all(&pieces.concat())?;
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::Csv;

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        let mut text = Vec::new();
        Csv { text: &mut text, is_safe: false }.record([
            "a",
            "",
            "b,c",
            "say \"x\"",
            "two\nlines",
            "\u{1b}[",
        ]);
        assert_eq!(text, "a,,\"b,c\",\"say \"\"x\"\"\",two\\nlines,\\u{1b}[\n".as_bytes());
    }

    #[test]
    fn no_cell_is_a_formula() {
        let cells = ["=1", "+1", "-1", "@a", "\t=1", "\r=1", "=\"a\",1", "a=1", "'", ""];
        let mut text = Vec::new();
        Csv { text: &mut text, is_safe: true }.record(cells);
        let expected = "'=1,'+1,'-1,'@a,'\\t=1,'\\r=1,\"'=\"\"a\"\",1\",a=1,',\n";
        assert_eq!(text, expected.as_bytes());
    }
}
