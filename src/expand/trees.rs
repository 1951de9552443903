//! The trees of an instance as text: its known, sensitive and unknown parts.
//!
//! They equal the trees of the instance's value, which is not created: constant parts of JSON are
//! copied from the document, and only templates are evaluated.

use super::evaluation::Evaluation;
use super::shown::{Flag, leaf, push_flags, push_known, push_number};
use crate::arena::Arena;
use crate::expression::Expression;
use crate::json::{self, JsonString, JsonValue, Node};
use crate::value::{Number, Value, normalized};
use crate::write::push_string;

/// Three trees that are written at the same time.
#[derive(Default)]
pub(super) struct Trees<'a> {
    /// The known parts.
    pub(super) known: String,
    /// The flags of sensitive parts.
    pub(super) sensitive: String,
    /// The flags of unknown parts.
    pub(super) unknown: String,
    /// Whether there are unknown parts.
    pub(super) has_unknown: bool,
    /// The containers that are being copied, outermost first.
    open: Vec<Open<'a>>,
    /// The members of the open objects, each sorted by name.
    members: Vec<(&'a str, Node<'a>)>,
}

/// The parts of a container that remain to be copied.
enum Open<'a> {
    Elements(json::Elements<'a>),
    /// Members: those of the object start at the first place, the next one is at the second.
    Members(usize, usize),
}

/// Starts a member, or an element if it has no name.
fn begin(out: &mut String, name: Option<&str>) {
    if !matches!(out.as_bytes().last(), None | Some(b'{' | b'[')) {
        out.push(',');
    }
    if let Some(name) = name {
        push_string(out, name);
        out.push(':');
    }
}

impl<'a> Trees<'a> {
    /// Removes everything, and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.known.clear();
        self.sensitive.clear();
        self.unknown.clear();
        self.has_unknown = false;
    }

    /// The number of bytes.
    pub(super) fn len(&self) -> usize {
        self.known.len() + self.sensitive.len() + self.unknown.len()
    }

    /// Appends a bracket.
    pub(super) fn bracket(&mut self, bracket: char) {
        self.known.push(bracket);
        self.sensitive.push(bracket);
        self.unknown.push(bracket);
    }

    /// Replaces everything by the trees of a value.
    pub(super) fn set(&mut self, value: Value<'_>, shows_sensitive: bool) {
        self.clear();
        push_known(&mut self.known, value, shows_sensitive);
        push_flags(&mut self.sensitive, value, Flag::Sensitive, shows_sensitive);
        push_flags(&mut self.unknown, value, Flag::Unknown, shows_sensitive);
        self.has_unknown = !value.is_wholly_known();
    }

    /// Appends the members of other trees, which have no brackets around them.
    pub(super) fn append(&mut self, other: &Self) {
        for (out, members) in [
            (&mut self.known, &other.known),
            (&mut self.sensitive, &other.sensitive),
            (&mut self.unknown, &other.unknown),
        ] {
            if !members.is_empty() {
                begin(out, None);
                out.push_str(members);
            }
        }
        self.has_unknown |= other.has_unknown;
    }

    /// Appends a value: a member, or an element if it has no name.
    pub(super) fn value(&mut self, name: Option<&str>, value: Value<'_>, shows_sensitive: bool) {
        let is_element = name.is_none();
        if is_element || value.is_known() {
            begin(&mut self.known, name);
            push_known(&mut self.known, value, shows_sensitive);
        }
        let flags = [(Flag::Sensitive, &mut self.sensitive), (Flag::Unknown, &mut self.unknown)];
        for (flag, out) in flags {
            if is_element || leaf(value, flag, shows_sensitive) != Some("false") {
                begin(out, name);
                push_flags(out, value, flag, shows_sensitive);
            }
        }
        self.has_unknown |= !value.is_wholly_known();
    }

    /// Appends a constant without parts.
    fn scalar(&mut self, name: Option<&str>, push: impl FnOnce(&mut String)) {
        begin(&mut self.known, name);
        push(&mut self.known);
        if name.is_none() {
            for out in [&mut self.sensitive, &mut self.unknown] {
                begin(out, None);
                out.push_str("false");
            }
        }
    }

    /// Appends the start of a container.
    fn start(&mut self, name: Option<&str>, bracket: char) {
        begin(&mut self.known, None);
        let start = self.known.len();
        if let Some(name) = name {
            push_string(&mut self.known, name);
            self.known.push(':');
        }
        self.known.push(bracket);
        for out in [&mut self.sensitive, &mut self.unknown] {
            begin(out, None);
            out.push_str(&self.known[start..]);
        }
    }

    /// Appends a member with a value in JSON. Returns `false`, and appends nothing, if the value has
    /// to be evaluated as a whole: an object in it has equal names, or one that is not plain text.
    pub(super) fn copy<'v>(
        &mut self,
        name: &str,
        node: Node<'a>,
        evaluation: &Evaluation<'_, '_, 'v, 'a>,
    ) -> bool
    where
        'a: 'v,
    {
        let before = (self.known.len(), self.sensitive.len(), self.unknown.len(), self.has_unknown);
        let copied = self.copy_parts(name, node, evaluation);
        if copied.is_none() {
            self.known.truncate(before.0);
            self.sensitive.truncate(before.1);
            self.unknown.truncate(before.2);
            self.has_unknown = before.3;
        }
        self.open.clear();
        self.members.clear();
        copied.is_some()
    }

    fn copy_parts<'v>(
        &mut self,
        name: &str,
        root: Node<'a>,
        evaluation: &Evaluation<'_, '_, 'v, 'a>,
    ) -> Option<()>
    where
        'a: 'v,
    {
        let shows_sensitive = evaluation.engine.inputs.shows_sensitive;
        let mut next = Some((Some(name), root));
        loop {
            if let Some((name, node)) = next.take() {
                match node.value() {
                    JsonValue::Null => self.scalar(name, |out| out.push_str("null")),
                    JsonValue::Bool(true) => self.scalar(name, |out| out.push_str("true")),
                    JsonValue::Bool(false) => self.scalar(name, |out| out.push_str("false")),
                    JsonValue::Number(number) if is_short(number.text()) => {
                        self.scalar(name, |out| out.push_str(number.text()));
                    }
                    JsonValue::Number(number) => {
                        let number = Number::from_literal(number.text()).ok()?;
                        self.scalar(name, |out| push_number(out, number));
                    }
                    JsonValue::String(string) if string.may_be_template() => {
                        let value = evaluation.value(Expression::from_json(node));
                        let value = evaluation.engine.printed(value, || node.start_label());
                        self.value(name, value, shows_sensitive);
                    }
                    JsonValue::String(string) => {
                        self.scalar(name, |out| push_text(out, string, evaluation.arena));
                    }
                    JsonValue::Array(array) => {
                        self.start(name, '[');
                        self.open.push(Open::Elements(array.elements()));
                    }
                    JsonValue::Object(object) => {
                        self.start(name, '{');
                        let first = self.members.len();
                        self.add_members(object)?;
                        self.open.push(Open::Members(first, first));
                    }
                }
            }
            match self.open.last_mut() {
                None => return Some(()),
                Some(Open::Elements(rest)) => match rest.next() {
                    Some(node) => next = Some((None, node)),
                    None => self.close(']'),
                },
                Some(Open::Members(first, at)) => match self.members.get(*at) {
                    Some(&(name, node)) => {
                        *at += 1;
                        next = Some((Some(name), node));
                    }
                    None => {
                        self.members.truncate(*first);
                        self.close('}');
                    }
                },
            }
        }
    }

    fn close(&mut self, bracket: char) {
        self.open.pop();
        self.bracket(bracket);
    }

    /// Adds the members of an object, sorted by name; `None` if it has to be evaluated.
    fn add_members(&mut self, object: json::Object<'a>) -> Option<()> {
        let first = self.members.len();
        for member in object.members() {
            let name = member.name();
            let is_plain = !name.is_escaped() && !name.may_be_template();
            let name = Some(name.to_str()).filter(|name| is_plain && name.is_ascii())?;
            self.members.push((name, member.value()));
        }
        let own = &mut self.members[first..];
        if !own.is_sorted_by(|one, next| one.0 < next.0) {
            own.sort_by_key(|(name, _)| *name);
            if own.windows(2).any(|pair| pair[0].0 == pair[1].0) {
                return None;
            }
        }
        Some(())
    }
}

/// Whether a number is written as [`push_number`] writes it.
fn is_short(number: &str) -> bool {
    number.len() < 16 && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Appends a string that has no template.
fn push_text(out: &mut String, string: JsonString<'_>, arena: &Arena) {
    let raw = string.raw();
    if raw.is_ascii() && is_minimal(raw.as_bytes()) {
        out.push('"');
        out.push_str(raw);
        out.push('"');
    } else {
        push_string(out, normalized(arena, json::decode(raw, arena)));
    }
}

/// Whether all escapes of a valid string are those that [`push_string`] writes.
fn is_minimal(raw: &[u8]) -> bool {
    let mut rest = raw;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        if !matches!(rest.get(at + 1), Some(b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't')) {
            return false;
        }
        rest = rest.get(at + 2..).unwrap_or_default();
    }
    true
}
