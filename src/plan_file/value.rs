//! Values of a plan file, as a flat list of parts: reads them from MessagePack or from the JSON of
//! a state, and writes them as the tools do in a plan.
//!
//! A part is followed by the parts in it. So reading and writing pass over the list once, without
//! recursion, and the list is reused for the next value.

use std::collections::HashMap;

use rmp::Marker;

use super::error::Malformed;
use super::marks::{MarkNode, Marks};
use super::shape::{Cursor, Kind};
use super::text::{push_number, push_string};
use crate::arena::Arena;
use crate::document::Document;
use crate::json::{Elements, JsonValue, Members, Node};
use crate::lexical::{Numeral, number_len};
use crate::value::{Number, Type, type_from_node};

/// The content of a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Content<'a> {
    Null,
    Bool(bool),
    Integer(i64),
    Unsigned(u64),
    Float(f64),
    /// A number of any size, in decimal.
    Number(&'a str),
    Text(&'a str),
    /// Known only after apply.
    Unknown(Kind),
    Sequence {
        is_set: bool,
    },
    Mapping,
}

/// A part of a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    pub(super) content: Content<'a>,
    /// The name of a member; empty for others.
    name: &'a str,
    /// The index after the last part of this value.
    end: u32,
    is_sensitive: bool,
}

/// A value: its parts, the value itself first.
#[derive(Debug, Default)]
pub(super) struct Value<'a> {
    parts: Vec<Part<'a>>,
    has_unknown: bool,
    /// The number of strings without a schema that may be long numbers.
    pub(super) doubts: usize,
    /// The number of objects without a schema that are read as a value with its type.
    pub(super) guesses: usize,
}

/// Types that are stored with values, by their JSON.
pub(super) type Types<'a> = HashMap<&'a [u8], Type<'a>>;

/// The use of sensitive marks of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BySchema {
    /// They are ignored.
    Not,
    /// As in Terraform: a set is sensitive as a whole if something in its elements is.
    Sets,
    /// As in OpenTofu: elements of sets are marked like those of lists.
    Elements,
}

/// A container that is being read.
struct Open<'a, S> {
    cursor: Cursor<'a>,
    /// Its index in the list.
    at: usize,
    is_mapping: bool,
    place: usize,
    rest: S,
}

const DAMAGED: Malformed = Malformed("a MessagePack value is damaged");

impl<'a> Value<'a> {
    pub(super) fn first_content(&self) -> Content<'a> {
        self.parts.first().map_or(Content::Null, |part| part.content)
    }

    pub(super) fn is_null(&self) -> bool {
        self.first_content() == Content::Null
    }

    /// Whether the whole value is unknown.
    pub(super) fn is_unknown(&self) -> bool {
        matches!(self.first_content(), Content::Unknown(_))
    }

    pub(super) fn has_unknown(&self) -> bool {
        self.has_unknown
    }

    /// Sets the value to null.
    pub(super) fn set_null(&mut self) {
        self.clear();
        self.push(Content::Null, "", false);
    }

    fn clear(&mut self) {
        self.parts.clear();
        (self.has_unknown, self.doubts, self.guesses) = (false, 0, 0);
    }

    fn push(&mut self, content: Content<'a>, name: &'a str, is_sensitive: bool) {
        let end = self.parts.len() as u32 + 1;
        self.parts.push(Part { content, name, end, is_sensitive });
    }

    /// Reads MessagePack: one value, and nothing after it. Linear in the bytes.
    pub(super) fn read(
        &mut self,
        arena: &'a Arena,
        types: &mut Types<'a>,
        bytes: &'a [u8],
        cursor: Cursor<'a>,
    ) -> Result<(), Malformed> {
        self.clear();
        let mut reader = Reader { rest: bytes };
        let mut open: Vec<Open<'a, u32>> = Vec::new();
        let (mut cursor, mut name) = (cursor, "");
        loop {
            let is_sensitive = cursor.is_sensitive;
            let marker = reader.marker()?;
            let container = match marker {
                Marker::FixArray(_) | Marker::Array16 | Marker::Array32 => {
                    let len = reader.len(marker)?;
                    if len == 2
                        && let Some(json) = reader.binary()?
                    {
                        // The value is stored with its type; the next item is the value itself.
                        cursor = cursor.with_stored_type(stored_type(arena, types, json)?);
                        cursor.is_sensitive = is_sensitive;
                        continue;
                    }
                    self.push(Content::Sequence { is_set: cursor.is_set() }, name, is_sensitive);
                    Some((len, false))
                }
                Marker::FixMap(_) | Marker::Map16 | Marker::Map32 => {
                    let len = reader.len(marker)?;
                    self.push(Content::Mapping, name, is_sensitive);
                    Some((len, true))
                }
                _ => {
                    let content = self.scalar(arena, &mut reader, marker, cursor)?;
                    self.push(content, name, is_sensitive);
                    None
                }
            };
            if let Some((rest, is_mapping)) = container {
                let at = self.parts.len() - 1;
                open.push(Open { cursor, at, is_mapping, place: 0, rest });
            }
            // Continues in the innermost container that is not complete.
            loop {
                let Some(inner) = open.last_mut() else {
                    return if reader.rest.is_empty() { Ok(()) } else { Err(DAMAGED) };
                };
                if inner.rest == 0 {
                    self.parts[inner.at].end = self.parts.len() as u32;
                    open.pop();
                    continue;
                }
                inner.rest -= 1;
                if inner.is_mapping {
                    name = reader.key()?;
                    cursor = inner.cursor.member(name);
                } else {
                    name = "";
                    cursor = inner.cursor.element(inner.place);
                    inner.place += 1;
                }
                break;
            }
        }
    }

    /// The content of a scalar marker, given the type of the place.
    fn scalar(
        &mut self,
        arena: &'a Arena,
        reader: &mut Reader<'a>,
        marker: Marker,
        cursor: Cursor<'a>,
    ) -> Result<Content<'a>, Malformed> {
        Ok(match reader.scalar(marker)? {
            Content::Text(text) if cursor.is_number() => match number(arena, text) {
                Some(number) => Content::Number(number),
                None => Content::Text(text),
            },
            Content::Text(text) => {
                self.doubts += usize::from(cursor.is_unknown() && is_like_number(text));
                Content::Text(text)
            }
            Content::Unknown(_) => {
                self.has_unknown = true;
                Content::Unknown(cursor.kind())
            }
            content => content,
        })
    }

    /// Reads the JSON of a value in a state. Linear in its size.
    pub(super) fn read_json(&mut self, arena: &'a Arena, node: Node<'a>, cursor: Cursor<'a>) {
        /// The rest of a container.
        enum Rest<'a> {
            Elements(Elements<'a>),
            Members(Members<'a>),
        }
        self.clear();
        let mut open: Vec<Open<'a, Rest<'a>>> = Vec::new();
        let (mut node, mut cursor, mut name) = (node, cursor, "");
        loop {
            let is_sensitive = cursor.is_sensitive;
            if let Some((value, ty)) = self.typed(arena, node, cursor) {
                (node, cursor) = (value, cursor.with_stored_type(ty));
            }
            let at = self.parts.len();
            let content = match node.value() {
                JsonValue::Null => Content::Null,
                JsonValue::Bool(value) => Content::Bool(value),
                JsonValue::Number(value) => {
                    Content::Number(number(arena, value.text()).unwrap_or(value.text()))
                }
                JsonValue::String(text) => {
                    let text = text.to_str();
                    match number(arena, text).filter(|_| cursor.is_number()) {
                        Some(number) => Content::Number(number),
                        None => Content::Text(text),
                    }
                }
                JsonValue::Array(array) => {
                    let rest = Rest::Elements(array.elements());
                    open.push(Open { cursor, at, is_mapping: false, place: 0, rest });
                    Content::Sequence { is_set: cursor.is_set() }
                }
                JsonValue::Object(object) => {
                    let rest = Rest::Members(object.members());
                    open.push(Open { cursor, at, is_mapping: true, place: 0, rest });
                    Content::Mapping
                }
            };
            self.push(content, name, is_sensitive);
            loop {
                let Some(inner) = open.last_mut() else { return };
                match &mut inner.rest {
                    Rest::Elements(elements) => {
                        if let Some(element) = elements.next() {
                            (node, name) = (element, "");
                            cursor = inner.cursor.element(inner.place);
                            inner.place += 1;
                            break;
                        }
                    }
                    Rest::Members(members) => {
                        if let Some(member) = members.next() {
                            (node, name) = (member.value(), member.name().to_str());
                            cursor = inner.cursor.member(name);
                            break;
                        }
                    }
                }
                self.parts[inner.at].end = self.parts.len() as u32;
                open.pop();
            }
        }
    }

    /// The value and the type of an object that is stored with its type, if the schema is not known
    /// or allows any type.
    fn typed(
        &mut self,
        arena: &'a Arena,
        node: Node<'a>,
        cursor: Cursor<'a>,
    ) -> Option<(Node<'a>, Type<'a>)> {
        let object = node.as_object()?;
        if object.members().take(3).count() != 2 {
            return None;
        }
        let is_dynamic = cursor.stores_type();
        if !is_dynamic && !cursor.is_unknown() {
            return None;
        }
        let value = object.get("value")?;
        let ty = type_from_node(arena, object.get("type")?).ok()?;
        self.guesses += usize::from(!is_dynamic);
        Some((value, ty))
    }

    /// Writes the known value: unknown members are left out, unknown elements are null.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let mut writer = Nesting::default();
        let mut at = 0;
        while let Some(part) = self.parts.get(at) {
            writer.close(out, at);
            at += 1;
            if writer.is_in_mapping() && matches!(part.content, Content::Unknown(_)) {
                continue;
            }
            writer.separate(out, part.name);
            match part.content {
                Content::Sequence { .. } => writer.open(out, part.end, false),
                Content::Mapping => writer.open(out, part.end, true),
                content => push_scalar(out, content),
            }
        }
        writer.close(out, self.parts.len());
    }

    /// Writes which parts are unknown: `true` for unknown values, containers around them, `false`
    /// for known elements.
    pub(super) fn write_unknown(&self, out: &mut Vec<u8>) {
        let mut writer = Nesting::default();
        let mut at = 0;
        while let Some(part) = self.parts.get(at) {
            writer.close(out, at);
            at += 1;
            let is_unknown = matches!(part.content, Content::Unknown(_));
            let is_container = matches!(part.content, Content::Sequence { .. } | Content::Mapping);
            if writer.is_in_mapping() && !is_unknown && !is_container {
                continue;
            }
            writer.separate(out, part.name);
            if is_container {
                writer.open(out, part.end, part.content == Content::Mapping);
            } else {
                out.extend_from_slice(if is_unknown { b"true" } else { b"false" });
            }
        }
        writer.close(out, self.parts.len());
    }

    /// Whether some part is sensitive by its schema.
    pub(super) fn is_sensitive_by_schema(&self) -> bool {
        self.parts.iter().any(|part| part.is_sensitive)
    }

    /// Whether it is an object without known members.
    pub(super) fn is_empty_mapping(&self) -> bool {
        let is_unknown = |part: &Part<'_>| matches!(part.content, Content::Unknown(_));
        let mut rest = self.parts.iter().skip(1);
        self.parts.first().is_some_and(|part| part.content == Content::Mapping)
            && rest.all(is_unknown)
    }

    /// Writes which parts are sensitive, by `marks` and, depending on `by_schema`, by the schema:
    /// `true` for sensitive values, containers around them, `false` for other elements.
    ///
    /// A set is sensitive as a whole if marks lead into it, since elements of a set have no path.
    pub(super) fn write_sensitive(&self, marks: &Marks, by_schema: BySchema, out: &mut Vec<u8>) {
        let (looks, hides_sets) = (by_schema != BySchema::Not, by_schema == BySchema::Sets);
        let mut writer = Nesting::default();
        // The marks of the open containers, and the place of the next element.
        let mut open: Vec<(Option<MarkNode>, usize)> = Vec::new();
        let mut at = 0;
        while let Some(part) = self.parts.get(at) {
            writer.close(out, at);
            open.truncate(writer.depth());
            at += 1;
            let mark = match open.last_mut() {
                None => Some(marks.root()),
                Some((mark, place)) => {
                    let place = std::mem::replace(place, *place + 1);
                    let is_mapping = writer.is_in_mapping();
                    mark.and_then(|mark| {
                        if is_mapping {
                            marks.member(mark, part.name)
                        } else {
                            marks.element(mark, place)
                        }
                    })
                }
            };
            let is_sensitive = (looks && part.is_sensitive)
                || mark.is_some_and(|mark| marks.is_marked(mark))
                || (part.content == Content::Sequence { is_set: true }
                    && (mark.is_some_and(|mark| marks.has_more(mark))
                        || (hides_sets
                            && self.parts[at..part.end as usize]
                                .iter()
                                .any(|it| it.is_sensitive))));
            let container = match part.content {
                Content::Sequence { .. } | Content::Unknown(Kind::Sequence) => Some(false),
                Content::Mapping | Content::Unknown(Kind::Mapping) => Some(true),
                _ => None,
            };
            if !is_sensitive && container.is_none() {
                if !writer.is_in_mapping() {
                    writer.separate(out, "");
                    out.extend_from_slice(b"false");
                }
                continue;
            }
            writer.separate(out, part.name);
            match container {
                Some(is_mapping) if !is_sensitive => {
                    writer.open(out, part.end, is_mapping);
                    open.push((mark, 0));
                }
                _ => {
                    out.extend_from_slice(b"true");
                    // Everything in it is sensitive, too.
                    at = part.end as usize;
                }
            }
        }
        writer.close(out, self.parts.len());
    }
}

/// The containers that are being written.
#[derive(Default)]
struct Nesting {
    /// The end of each container, whether it is a mapping, and whether it has entries.
    open: Vec<(u32, bool, bool)>,
}

impl Nesting {
    fn depth(&self) -> usize {
        self.open.len()
    }

    fn is_in_mapping(&self) -> bool {
        self.open.last().is_some_and(|&(_, is_mapping, _)| is_mapping)
    }

    /// Closes the containers that end before the part at `at`.
    fn close(&mut self, out: &mut Vec<u8>, at: usize) {
        while let Some(&(end, is_mapping, _)) = self.open.last()
            && end as usize <= at
        {
            out.push(if is_mapping { b'}' } else { b']' });
            self.open.pop();
        }
    }

    fn open(&mut self, out: &mut Vec<u8>, end: u32, is_mapping: bool) {
        out.push(if is_mapping { b'{' } else { b'[' });
        self.open.push((end, is_mapping, false));
    }

    /// Writes a comma, and the name of a member.
    fn separate(&mut self, out: &mut Vec<u8>, name: &str) {
        let Some((_, is_mapping, has_parts)) = self.open.last_mut() else { return };
        if std::mem::replace(has_parts, true) {
            out.push(b',');
        }
        if *is_mapping {
            push_string(out, name);
            out.push(b':');
        }
    }
}

fn push_scalar(out: &mut Vec<u8>, content: Content<'_>) {
    match content {
        Content::Bool(true) => out.extend_from_slice(b"true"),
        Content::Bool(false) => out.extend_from_slice(b"false"),
        Content::Integer(value) => push_number(out, value),
        Content::Unsigned(value) => push_number(out, value),
        // The tools write all digits, also of numbers that no float holds. A number that JSON cannot express is
        // null.
        Content::Float(value) if value.is_finite() => push_number(out, value),
        Content::Number(text) => out.extend_from_slice(text.as_bytes()),
        Content::Text(text) => push_string(out, text),
        _ => out.extend_from_slice(b"null"),
    }
}

/// The text of a number in the tools' form; `None` if it is not a number.
fn number<'a>(arena: &'a Arena, text: &'a str) -> Option<&'a str> {
    // Most numbers already have this form.
    let digits = text.strip_prefix('-').unwrap_or(text).as_bytes();
    let is_plain = digits.len() <= 18
        && digits.iter().all(u8::is_ascii_digit)
        && matches!(digits, [b'1'..=b'9', ..] | [b'0'])
        && text != "-0";
    if is_plain {
        return Some(text);
    }
    let number = Number::from_literal(text).ok()?;
    let text = number.to_literal(arena).ok()?;
    Some(if text == "-0" { "0" } else { text })
}

/// Whether text has the form in which the tools write numbers that neither `i64` nor `f64` can
/// hold.
fn is_like_number(text: &str) -> bool {
    let Numeral { fraction, exponent, .. } = Numeral::of(text);
    let is_number = number_len(text.as_bytes()) == Ok(text.len())
        && exponent.is_none()
        && !fraction.ends_with('0');
    if !is_number || (fraction.is_empty() && text.parse::<i64>().is_ok()) {
        return false;
    }
    // The tools write numbers as floats if these are exact.
    let is_float = text.len() <= 60
        && text.parse::<f64>().is_ok_and(|float| {
            let exact = format!("{float:.60}");
            exact.trim_end_matches('0').trim_end_matches('.') == text
        });
    !is_float
}

/// The type that is stored with a value.
fn stored_type<'a>(
    arena: &'a Arena,
    types: &mut Types<'a>,
    json: &'a [u8],
) -> Result<Type<'a>, Malformed> {
    if let Some(&known) = types.get(json) {
        return Ok(known);
    }
    let document = Document::parse_bytes(arena, "type", json);
    let ty = document.ok().and_then(|document| type_from_node(arena, document.root()).ok());
    let ty = ty.ok_or(Malformed("the type of a value is invalid"))?;
    types.insert(json, ty);
    Ok(ty)
}

/// The remaining bytes of MessagePack.
struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn marker(&mut self) -> Result<Marker, Malformed> {
        Ok(Marker::from_u8(self.array::<1>()?[0]))
    }

    fn take(&mut self, len: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.rest.split_at_checked(len).ok_or(DAMAGED)?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        self.take(N)?.try_into().map_err(|_| DAMAGED)
    }

    /// The length in a marker, or after it.
    fn len(&mut self, marker: Marker) -> Result<u32, Malformed> {
        Ok(match marker {
            Marker::FixArray(len) | Marker::FixMap(len) | Marker::FixStr(len) => len.into(),
            Marker::FixExt1 => 1,
            Marker::FixExt2 => 2,
            Marker::FixExt4 => 4,
            Marker::FixExt8 => 8,
            Marker::FixExt16 => 16,
            Marker::Str8 | Marker::Bin8 | Marker::Ext8 => self.array::<1>()?[0].into(),
            Marker::Array16 | Marker::Map16 | Marker::Str16 | Marker::Bin16 | Marker::Ext16 => {
                u16::from_be_bytes(self.array()?).into()
            }
            Marker::Array32 | Marker::Map32 | Marker::Str32 | Marker::Bin32 | Marker::Ext32 => {
                u32::from_be_bytes(self.array()?)
            }
            _ => return Err(DAMAGED),
        })
    }

    /// The content of a scalar marker.
    fn scalar(&mut self, marker: Marker) -> Result<Content<'a>, Malformed> {
        Ok(match marker {
            Marker::Null => Content::Null,
            Marker::True => Content::Bool(true),
            Marker::False => Content::Bool(false),
            Marker::FixPos(value) => Content::Integer(value.into()),
            Marker::FixNeg(value) => Content::Integer(value.into()),
            Marker::U8 => Content::Integer(u8::from_be_bytes(self.array()?).into()),
            Marker::U16 => Content::Integer(u16::from_be_bytes(self.array()?).into()),
            Marker::U32 => Content::Integer(u32::from_be_bytes(self.array()?).into()),
            Marker::U64 => Content::Unsigned(u64::from_be_bytes(self.array()?)),
            Marker::I8 => Content::Integer(i8::from_be_bytes(self.array()?).into()),
            Marker::I16 => Content::Integer(i16::from_be_bytes(self.array()?).into()),
            Marker::I32 => Content::Integer(i32::from_be_bytes(self.array()?).into()),
            Marker::I64 => Content::Integer(i64::from_be_bytes(self.array()?)),
            Marker::F32 => Content::Float(f32::from_be_bytes(self.array()?).into()),
            Marker::F64 => Content::Float(f64::from_be_bytes(self.array()?)),
            Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32 => {
                Content::Text(self.text(marker)?)
            }
            Marker::FixExt1
            | Marker::FixExt2
            | Marker::FixExt4
            | Marker::FixExt8
            | Marker::FixExt16
            | Marker::Ext8
            | Marker::Ext16
            | Marker::Ext32 => {
                // An unknown value. Its refinements are skipped.
                let len = self.len(marker)? as usize;
                self.take(1)?;
                self.take(len)?;
                Content::Unknown(Kind::Primitive)
            }
            _ => return Err(DAMAGED),
        })
    }

    fn text(&mut self, marker: Marker) -> Result<&'a str, Malformed> {
        let len = self.len(marker)? as usize;
        simdutf8::basic::from_utf8(self.take(len)?).map_err(|_| Malformed("a text is not UTF-8"))
    }

    /// The name of a member.
    fn key(&mut self) -> Result<&'a str, Malformed> {
        match self.marker()? {
            marker @ (Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32) => {
                self.text(marker)
            }
            _ => Err(DAMAGED),
        }
    }

    /// Binary data, if it is the next item.
    fn binary(&mut self) -> Result<Option<&'a [u8]>, Malformed> {
        let Some(&byte) = self.rest.first() else { return Ok(None) };
        let marker = Marker::from_u8(byte);
        if !matches!(marker, Marker::Bin8 | Marker::Bin16 | Marker::Bin32) {
            return Ok(None);
        }
        self.marker()?;
        let len = self.len(marker)? as usize;
        self.take(len).map(Some)
    }
}

/// The value of a key, without its type; `None` for a container.
pub(super) fn scalar_of(bytes: &[u8]) -> Result<Option<Content<'_>>, Malformed> {
    let mut reader = Reader { rest: bytes };
    let marker = reader.marker()?;
    let is_container = matches!(
        marker,
        Marker::FixMap(_)
            | Marker::Map16
            | Marker::Map32
            | Marker::FixArray(_)
            | Marker::Array16
            | Marker::Array32
    );
    if is_container { Ok(None) } else { reader.scalar(marker).map(Some) }
}

/// The JSON of the type that is stored with a value, if any.
pub(super) fn stored_type_json(bytes: &[u8]) -> Result<Option<&[u8]>, Malformed> {
    let mut reader = Reader { rest: bytes };
    if reader.rest.is_empty() {
        return Ok(None);
    }
    let marker = reader.marker()?;
    let is_array = matches!(marker, Marker::FixArray(_) | Marker::Array16 | Marker::Array32);
    if !is_array || reader.len(marker)? != 2 { Ok(None) } else { reader.binary() }
}
