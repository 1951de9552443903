//! Formats values as a console shows them.

use std::fmt;

use super::{Content, Marks, Number, Type, Value};

/// Writes an expression that evaluates to the value, if there is one, on several lines if the value
/// has parts.
///
/// Sensitive values are `(sensitive value)`, ephemeral ones `(ephemeral value)`, unknown ones
/// `(known after apply)`. Lists, sets and
/// maps are written as calls that convert tuples and objects to them. Control characters are
/// escaped, so the text is safe to print to a terminal.
///
/// ```
/// use simd_hcl::value::{Marks, Value};
///
/// let arena = simd_hcl::Arena::new();
/// let secret = Value::string(&arena, "hunter2").with_marks(Marks::SENSITIVE);
/// let object = Value::object(&arena, &[("name", Value::string(&arena, "web")), ("password", secret)]);
/// assert_eq!(object.to_string(), "{\n  \"name\" = \"web\"\n  \"password\" = (sensitive value)\n}");
/// ```
impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut open = vec![Part::Value(*self)];
        let mut depth = 0;
        // The parts still to write, the next one last. A stack replaces recursion on the depth of
        // values.
        while let Some(part) = open.pop() {
            match part {
                Part::Value(value) => depth += write_start(value, depth, f, &mut open)?,
                Part::Element(value) => {
                    line(f, depth)?;
                    open.extend([Part::Text(","), Part::Value(value)]);
                }
                Part::Entry(name, value) => {
                    line(f, depth)?;
                    quote(name, f)?;
                    f.write_str(" = ")?;
                    open.push(Part::Value(value));
                }
                Part::Text(text) => f.write_str(text)?,
                Part::End(text) => {
                    depth -= 1;
                    line(f, depth)?;
                    f.write_str(text)?;
                }
            }
        }
        Ok(())
    }
}

/// Writes it as [`Number::to_literal`] does. A number without a literal, of more than a million digits, is
/// replaced by a description.
impl fmt::Display for Number<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.literal() {
            Ok(text) => f.write_str(&text),
            Err(_) => f.write_str("(number of more than a million digits)"),
        }
    }
}

/// A part still to write.
enum Part<'a> {
    Value(Value<'a>),
    Element(Value<'a>),
    Entry(&'a str, Value<'a>),
    Text(&'static str),
    /// Closing brackets, on a line of their own.
    End(&'static str),
}

/// The maximum number of indented levels.
const INDENTED_LEVELS: usize = 64;

fn line(f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
    write!(f, "\n{:width$}", "", width = 2 * depth.min(INDENTED_LEVELS))
}

/// Writes a value up to its elements, which are pushed to `open`. Returns how many levels it opens.
fn write_start<'a>(
    value: Value<'a>,
    depth: usize,
    f: &mut fmt::Formatter<'_>,
    open: &mut Vec<Part<'a>>,
) -> Result<usize, fmt::Error> {
    if value.marks().hides() {
        let marks = value.marks();
        f.write_str(match marks.contains(Marks::SENSITIVE) || marks.contains(Marks::HIDDEN) {
            true => "(sensitive value)",
            false => "(ephemeral value)",
        })?;
        return Ok(0);
    }
    let (start, end) = match value.ty() {
        Type::List(_) => ("tolist([", "])"),
        Type::Set(_) => ("toset([", "])"),
        Type::Map(_) => ("tomap({", "})"),
        Type::Object(_) => ("{", "}"),
        _ => ("[", "]"),
    };
    let parts = open.len();
    match value.content() {
        Content::Elements(elements) => {
            open.push(Part::End(end));
            open.extend(elements.iter().rev().map(|&element| Part::Element(element)));
        }
        Content::Entries(entries) => {
            open.push(Part::End(end));
            open.extend(entries.iter().rev().map(|&(name, entry)| Part::Entry(name, entry)));
        }
        scalar => {
            write_scalar(value.ty(), scalar, depth, f)?;
            return Ok(0);
        }
    }
    f.write_str(start)?;
    if open.len() > parts + 1 {
        return Ok(1);
    }
    open.pop();
    f.write_str(end)?;
    Ok(0)
}

fn write_scalar(
    ty: Type<'_>,
    content: Content<'_>,
    depth: usize,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    match content {
        Content::Unknown { .. } => f.write_str("(known after apply)"),
        Content::Null => match ty {
            Type::Bool => f.write_str("tobool(null)"),
            Type::Number => f.write_str("tonumber(null)"),
            Type::String => f.write_str("tostring(null)"),
            Type::Dynamic => f.write_str("null"),
            // The names of attributes are not part of a type's name.
            _ => write!(f, "null /* {ty} */"),
        },
        Content::Bool(truth) => write!(f, "{truth}"),
        Content::Number(number) => write!(f, "{number}"),
        Content::String(text) if depth == 0 && is_heredoc(text) => {
            write!(f, "<<EOT\n{}EOT", text.replace("${", "$${").replace("%{", "%%{"))
        }
        Content::String(text) => quote(text, f),
        Content::Elements(_) | Content::Entries(_) => Ok(()),
    }
}

/// Whether a text consists of several whole lines, which are shown as a heredoc.
pub(crate) fn is_heredoc(text: &str) -> bool {
    text.ends_with('\n')
        && text.lines().count() > 1
        && text.lines().all(|line| line.trim() != "EOT")
        && text.chars().all(|character| character == '\n' || !needs_escape(character))
}

/// Whether a character changes how a terminal shows text: C0, DEL and C1, line and paragraph
/// separators, characters that override or isolate the direction of text, and the invisible byte
/// order mark.
pub(crate) fn needs_escape(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}

/// Writes a string as a quoted template without parts.
pub(crate) fn quote(text: &str, f: &mut impl fmt::Write) -> fmt::Result {
    f.write_char('"')?;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            '$' | '%' if characters.peek() == Some(&'{') => {
                f.write_char(character)?;
                f.write_char(character)?;
            }
            _ if needs_escape(character) => write!(f, "\\u{:04X}", u32::from(character))?,
            _ => f.write_char(character)?,
        }
    }
    f.write_char('"')
}
