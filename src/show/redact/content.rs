//! Sensitive text that a document repeats elsewhere: in other strings, inside longer ones, in JSON
//! inside strings.
//!
//! Secrets are the strings, numbers and keys of hidden values with eight or more characters, not
//! counting white space at their ends. Most documents repeat none of them, so a filter
//! ([`filter`](super::filter)) looks at the bytes of the document first. Only the strings where it
//! finds a piece of a secret are searched, with their escapes resolved
//! ([`unescape`](super::unescape)), by an automaton that reads each byte once.
//!
//! A secret that is a plain word, such as `password`, stays where it is only a name: in names of
//! members, and in types, names and addresses outside of their keys. Hiding it there would protect
//! nothing and break the document.

use std::sync::OnceLock;

use super::filter::{Candidates, Filter, is_plain};
use super::matcher::Matchers;
use super::place::{Place, Replacement};
use super::secrets::Secrets;
use super::stands::{REDACTED_TEXT, Stands};
use super::texts::Texts;
use super::unescape::{needless, readings};
use crate::hash::HashMap;
use crate::json::{JsonString, JsonValue, Member, Node, Object};
use crate::parallel;
use crate::show::field::ChildNodes;
use crate::span::Span;

/// The number of values that a thread takes at once. A plan repeats most of them nearby.
const AT_ONCE: usize = 4096;

/// Adds the places where the text of `secrets` is repeated to `places`, which are in order.
/// Returns the matchers of the texts that are repeated.
pub(super) fn add(
    root: Node<'_>,
    secrets: &[Span],
    places: &mut Vec<Place>,
    is_parallel: bool,
) -> Option<Matchers> {
    let bytes = root.source().bytes();
    let found = parallel::chunks(secrets, AT_ONCE, is_parallel, |secrets| {
        let mut found = Texts::default();
        found.add(secrets, bytes);
        found
    });
    let mut texts = Texts::default();
    for some in found {
        texts.append(some);
    }
    Finder::of(texts).add(root, Stands::Format, places, is_parallel)
}

/// Finds texts in documents.
pub(super) struct Finder {
    secrets: Secrets,
    /// `None` if all strings have to be searched.
    filter: Option<Filter>,
    /// The matchers of all texts, if all strings have to be searched.
    all: OnceLock<Matchers>,
}

impl Finder {
    pub(super) fn of(texts: Texts) -> Self {
        let secrets = texts.into_secrets();
        let filter = Filter::of(&secrets);
        Self { secrets, filter, all: OnceLock::new() }
    }

    /// Adds the places of the texts in a value to `places`, which are in order. Returns the matchers
    /// of all texts that the value has, if it has any.
    pub(super) fn add(
        &self,
        root: Node<'_>,
        stands: Stands,
        places: &mut Vec<Place>,
        is_parallel: bool,
    ) -> Option<Matchers> {
        if self.secrets.is_empty() {
            return None;
        }
        let mut candidates = None;
        let matchers = match &self.filter {
            Some(filter) => {
                let found = self.candidates(filter, root, places, is_parallel);
                let found = candidates.insert(found);
                if found.places.is_empty() {
                    return None;
                }
                Matchers::of(found.secrets.iter().map(|secret| self.secrets.get(*secret)))
            }
            None => self.all().clone(),
        };
        let candidates = candidates.as_ref().map(|found| &*found.places);
        let mut found = Vec::new();
        each_text(root, stands, candidates, places, &mut |text| match text {
            Text::Names(object) => names(object, candidates, &matchers, &mut found),
            Text::String(text, stands) => string(text, stands, &matchers, &mut found),
            Text::Number(number) => {
                let place = Place { span: number.span(), replacement: Replacement::Value };
                let mut is_secret = false;
                matchers.find(number.text(), Stands::Text, |_, _| is_secret = true);
                found.extend(is_secret.then_some(place));
            }
        });
        places.extend(found);
        places.sort_unstable_by_key(|place| place.span.start);
        Some(matchers)
    }

    /// The matchers of all texts.
    fn all(&self) -> &Matchers {
        self.all.get_or_init(|| Matchers::of(self.secrets.iter()))
    }

    /// The places that may have a text, outside of hidden ones, and these texts.
    fn candidates(
        &self,
        filter: &Filter,
        root: Node<'_>,
        hidden: &[Place],
        is_parallel: bool,
    ) -> Candidates {
        let bytes = root.source().bytes();
        let mut found = filter.candidates(bytes, hidden, is_parallel);
        let needless = needless(bytes, is_plain);
        if needless.is_empty() {
            return found;
        }
        let mut is_complete = true;
        let mut decode = |text: JsonString<'_>| {
            is_complete &= readings(text.raw_span().slice(text.node().source().bytes()), |level| {
                found.secrets.extend(filter.candidates(&level.text, &[], false).secrets);
            });
        };
        each_text(root, Stands::Format, Some(&needless), hidden, &mut |text| match text {
            Text::Names(object) => {
                let members =
                    object.members().filter(|it| has_any(Some(&needless), it.name_span()));
                members.for_each(|member| decode(member.name()));
            }
            Text::String(text, _) => decode(text),
            Text::Number(_) => {}
        });
        found.secrets.sort_unstable();
        found.secrets.dedup();
        if !found.secrets.is_empty() || !is_complete {
            found.places.extend(needless);
            found.places.sort_unstable();
        }
        found
    }
}

/// A part of a document that may have secrets.
enum Text<'a> {
    /// The names of the members of an object.
    Names(Object<'a>),
    String(JsonString<'a>, Stands),
    /// A number among values.
    Number(Node<'a>),
}

/// Whether one of the candidates, which are in order, is in a part of the document.
fn has_any(candidates: Option<&[u32]>, span: Span) -> bool {
    candidates.is_none_or(|all| {
        let next = all.partition_point(|candidate| *candidate < span.start);
        all.get(next).is_some_and(|candidate| *candidate < span.end)
    })
}

/// Calls `each` with all texts with candidates outside of hidden parts, or with all texts. Containers
/// without candidates are not opened.
fn each_text<'a>(
    root: Node<'a>,
    stands: Stands,
    candidates: Option<&[u32]>,
    hidden: &[Place],
    each: &mut impl FnMut(Text<'a>),
) {
    let is_hidden = |span: Span| {
        let next = hidden.partition_point(|place| place.span.end <= span.start);
        hidden.get(next).is_some_and(|place| place.span.start <= span.start)
    };
    let mut stack: Vec<(ChildNodes<'_>, Stands)> = Vec::new();
    let mut next = Some((root, stands));
    loop {
        if let Some((node, stands)) = next.take()
            && has_any(candidates, node.span())
            && !is_hidden(node.span())
        {
            match node.value() {
                JsonValue::Object(object) => {
                    each(Text::Names(object));
                    stack.push((ChildNodes::Members(object.members()), stands));
                }
                JsonValue::Array(array) => {
                    stack.push((ChildNodes::Elements(array.elements()), stands));
                }
                JsonValue::String(string) => each(Text::String(string, stands)),
                JsonValue::Number(_) if stands == Stands::Text => each(Text::Number(node)),
                _ => {}
            }
        }
        let Some((nodes, stands)) = stack.last_mut() else { return };
        let stands = *stands;
        next = match nodes {
            ChildNodes::Members(members) => members.next().map(|member| {
                let inner = if stands == Stands::Format { stands_for(member) } else { stands };
                (member.value(), inner)
            }),
            nodes => nodes.next().map(|node| (node, stands)),
        };
        if next.is_none() {
            stack.pop();
        }
    }
}

/// The secret parts of a string, as bytes of the document.
fn parts(string: JsonString<'_>, stands: Stands, matchers: &Matchers) -> Vec<Span> {
    let raw = string.raw_span();
    let parts = matchers.parts(raw.slice(string.node().source().bytes()), stands).into_iter();
    parts.map(|(start, end)| Span::new(raw.start + start, raw.start + end)).collect()
}

fn string(string: JsonString<'_>, stands: Stands, matchers: &Matchers, found: &mut Vec<Place>) {
    let parts = parts(string, stands, matchers);
    let raw = string.raw_span();
    let is_whole = matches!(parts[..], [part] if part == raw);
    if is_whole && !raw.is_empty() {
        found.push(Place { span: string.span(), replacement: Replacement::Value });
    } else {
        found.extend(parts.into_iter().map(|span| Place { span, replacement: Replacement::Text }));
    }
}

/// Searches names of members. Names that are equal after redaction get numbers.
fn names(
    object: Object<'_>,
    candidates: Option<&[u32]>,
    matchers: &Matchers,
    found: &mut Vec<Place>,
) {
    let start = found.len();
    let mut changed: Vec<(Member<'_>, Vec<Span>)> = Vec::new();
    for member in object.members().filter(|member| has_any(candidates, member.name_span())) {
        let secret = parts(member.name(), Stands::Names, matchers);
        if !secret.is_empty() {
            changed.push((member, secret));
        }
    }
    if changed.is_empty() {
        return;
    }
    let mut numbers: HashMap<String, u32> = HashMap::default();
    for member in object.members() {
        numbers.insert(member.name().raw().to_owned(), 1);
    }
    for (member, parts) in changed {
        let name = member.name();
        let text = |number: u32| {
            let (mut text, mut at) = (String::new(), name.raw_span().start);
            for (place, part) in parts.iter().enumerate() {
                let bytes = name.node().source().bytes();
                let before = Span::new(at, part.start).slice(bytes);
                text.push_str(&String::from_utf8_lossy(before));
                text.push_str(REDACTED_TEXT);
                if place == 0 && number > 1 {
                    text.push_str(&format!("_{number}"));
                }
                at = part.end;
            }
            let rest = Span::new(at, name.raw_span().end);
            text.push_str(&String::from_utf8_lossy(rest.slice(name.node().source().bytes())));
            text
        };
        let count = numbers.entry(text(1)).or_insert(0);
        *count += 1;
        let mut number = *count;
        while number > 1 && numbers.contains_key(&text(number)) {
            number += 1;
        }
        if number > 1 {
            numbers.insert(text(number), 1);
            numbers.insert(text(1), number);
        }
        for (place, span) in parts.into_iter().enumerate() {
            let is_numbered = place == 0 && number > 1;
            let replacement = match is_numbered {
                true => Replacement::NumberedText(number),
                false => Replacement::Text,
            };
            found.push(Place { span, replacement });
        }
    }
    found[start..].sort_unstable_by_key(|place| place.span.start);
}

/// The kind of the value of a member of the format.
fn stands_for(member: Member<'_>) -> Stands {
    match member.name().to_bytes() {
        b"address"
        | b"previous_address"
        | b"module_address"
        | b"mode"
        | b"type"
        | b"name"
        | b"provider_name"
        | b"provider_config_key"
        | b"full_name"
        | b"alias"
        | b"references"
        | b"depends_on"
        | b"dependencies"
        | b"to_display"
        | b"resource"
        | b"module"
        | b"provider"
        | b"triggering_resource_address"
        | b"calling_resource_address"
        | b"action_trigger_event"
        | b"actions"
        | b"action_reason"
        | b"reason"
        | b"kind"
        | b"status"
        | b"object_kind"
        | b"config_addr"
        | b"object_addr"
        | b"attribute"
        | b"replace_paths"
        | b"sensitive_attributes"
            if !member.value().is_object() =>
        {
            Stands::Names
        }
        // The `values` of modules are objects of the format.
        b"values" if is_of_modules(member.value()) => Stands::Format,
        name if is_of_values(name) => Stands::Text,
        _ => Stands::Format,
    }
}

/// Whether members of this name have values.
pub(super) fn is_of_values(name: &[u8]) -> bool {
    matches!(
        name,
        b"before"
            | b"after"
            | b"values"
            | b"value"
            | b"constant_value"
            | b"default"
            | b"config_values"
            | b"identity"
            | b"before_identity"
            | b"after_identity"
            | b"importing"
            | b"attributes"
            | b"attributes_flat"
    )
}

fn is_of_modules(values: Node<'_>) -> bool {
    values.as_object().is_some_and(|values| values.get("root_module").is_some())
}
