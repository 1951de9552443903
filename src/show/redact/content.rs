//! Sensitive text that a document repeats elsewhere: in other strings, inside longer ones, in JSON
//! inside strings.
//!
//! Secrets are the strings of hidden values with eight or more characters, not counting white space
//! at their ends. Most documents repeat none of them, so a filter ([`filter`](super::filter)) looks
//! at the bytes of the document first. Only the strings where it finds a piece of a secret are
//! searched, with their escapes resolved ([`unescape`](super::unescape)), by an automaton that
//! reads each byte once.
//!
//! A secret that is a plain word, such as `password`, stays where it is only a name: in names of
//! members, and in types, names and addresses outside of their keys. Hiding it there would protect
//! nothing and break the document.

use std::hash::BuildHasher;
use std::sync::OnceLock;

use aho_corasick::Anchored;
use aho_corasick::automaton::Automaton;
use aho_corasick::nfa::contiguous::NFA;

use super::filter::Filter;
use super::place::{Place, REDACTED_TEXT, Replacement};
use super::secrets::Secrets;
use super::table::Table;
use super::unescape::{LEVELS, Level};
use crate::hash::{HashMap, Keyed};
use crate::json::{JsonString, JsonValue, Member, Node, Object};
use crate::lexical::closing_quote;
use crate::parallel;
use crate::show::field::ChildNodes;
use crate::span::Span;

/// The minimal length of a secret, in characters.
const SHORTEST: usize = 8;

/// The number of values that a thread takes at once. A plan repeats most of them nearby.
const AT_ONCE: usize = 4096;

/// The maximal length in bytes of the part of a secret that is searched for. The rest of the same
/// string is hidden with it.
const LONGEST: usize = 1024;

/// Adds the places where the text of `secrets` is repeated to `places`, which are in order.
pub(super) fn add(root: Node<'_>, secrets: &[Span], places: &mut Vec<Place>, is_parallel: bool) {
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
    Finder::of(texts).add(root, Stands::Format, places, is_parallel);
}

/// Finds texts in documents.
pub(super) struct Finder {
    secrets: Secrets,
    /// `None` if all strings have to be searched.
    filter: Option<Filter>,
    /// The matchers of all texts, if all strings have to be searched.
    all: OnceLock<[Matcher; 2]>,
}

impl Finder {
    pub(super) fn of(texts: Texts) -> Self {
        let Texts { mut secrets, known } = texts;
        drop(known);
        secrets.bytes.shrink_to_fit();
        secrets.ends.shrink_to_fit();
        let filter = Filter::of(&secrets);
        Self { secrets, filter, all: OnceLock::new() }
    }

    /// Adds the places of the texts in a value to `places`, which are in order.
    pub(super) fn add(
        &self,
        root: Node<'_>,
        stands: Stands,
        places: &mut Vec<Place>,
        is_parallel: bool,
    ) {
        if self.secrets.is_empty() {
            return;
        }
        let bytes = root.source().bytes();
        let candidates =
            self.filter.as_ref().map(|filter| filter.candidates(bytes, places, is_parallel));
        let some: [Matcher; 2];
        let matchers = match &candidates {
            Some(found) if found.places.is_empty() => return,
            Some(found) => {
                some = matchers(found.secrets.iter().map(|secret| self.secrets.get(*secret)));
                &some
            }
            None => self.all.get_or_init(|| matchers(self.secrets.iter())),
        };
        let mut search = Search { matchers, hidden: places, found: Vec::new() };
        search.run(root, stands, candidates.as_ref().map(|found| &*found.places));
        let found = search.found;
        places.extend(found);
        places.sort_unstable_by_key(|place| place.span.start);
    }
}

/// The matchers of all texts, and of those that are searched for in names: plain words are not.
fn matchers<'t>(texts: impl Iterator<Item = &'t [u8]> + Clone) -> [Matcher; 2] {
    let named = texts.clone().filter(|text| !is_plain_word(text));
    [Matcher::of(texts), Matcher::of(named)]
}

/// The texts to search for.
///
/// Memory: a text, and 23 to 27 bytes.
#[derive(Default)]
pub(super) struct Texts {
    secrets: Secrets,
    /// Hashes of the texts, and of those with escapes as they are written.
    known: Table,
}

impl Texts {
    /// Adds the texts of strings in parts of a document.
    pub(super) fn add(&mut self, secrets: &[Span], bytes: &[u8]) {
        for span in secrets {
            strings(span.slice(bytes), |raw| {
                let is_escaped = memchr::memchr(b'\\', raw).is_some();
                // A plan repeats most secrets verbatim.
                if raw.len() < SHORTEST || !self.is_new(raw, is_escaped) {
                    return;
                }
                let text = Level::decoded(raw);
                let text = text.trim_ascii();
                if std::str::from_utf8(text)
                    .is_ok_and(|text| text.chars().nth(SHORTEST - 1).is_some())
                    && text != REDACTED_TEXT.as_bytes()
                    && (text == raw && !is_escaped || self.is_new(text, false))
                {
                    self.secrets.push(text);
                }
            });
        }
    }

    pub(super) fn append(&mut self, other: Self) {
        if self.secrets.is_empty() {
            *self = other;
            return;
        }
        for text in other.secrets.iter() {
            if self.is_new(text, false) {
                self.secrets.push(text);
            }
        }
    }

    /// Notes the hash of a text. The author of the document cannot produce collisions. A text that is
    /// written with escapes differs from one that contains these characters.
    fn is_new(&mut self, text: &[u8], is_escaped: bool) -> bool {
        self.known.insert(Keyed::default().hash_one((text, is_escaped)), 0).is_none()
    }
}

/// Whether a text is a word of lower-case letters and underscores, like names of attributes, types
/// and blocks.
fn is_plain_word(text: &[u8]) -> bool {
    text.iter().all(|byte| matches!(byte, b'a'..=b'z' | b'_'))
}

/// Calls `found` with the text between the quotes of every string in a JSON value, except names of
/// members.
fn strings<'t>(text: &'t [u8], mut found: impl FnMut(&'t [u8])) {
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'"', rest) {
        let start = &rest[at + 1..];
        let len = closing_quote(start, 0).unwrap_or(start.len());
        rest = start.get(len + 1..).unwrap_or_default();
        if rest.trim_ascii_start().first() != Some(&b':') {
            found(&start[..len]);
        }
    }
}

/// Finds secrets in one text.
enum Matcher {
    Automaton(Box<NFA>, Vec<bool>),
    /// Nothing to search for.
    Nothing,
    /// There are too many secrets for an automaton: every text counts as a secret.
    Everything,
}

impl Matcher {
    fn of<'t>(texts: impl IntoIterator<Item = &'t [u8]>) -> Self {
        let texts: Vec<&[u8]> = texts.into_iter().collect();
        if texts.is_empty() {
            return Self::Nothing;
        }
        let is_cut = texts.iter().map(|text| text.len() > LONGEST).collect();
        let patterns = texts.iter().map(|text| &text[..text.len().min(LONGEST)]);
        NFA::new(patterns)
            .map_or(Self::Everything, |automaton| Self::Automaton(Box::new(automaton), is_cut))
    }

    /// Finds the secret parts of a text, sorted by their end. They may overlap.
    fn find(&self, text: &[u8], mut found: impl FnMut(usize, usize)) {
        let (automaton, is_cut) = match self {
            Self::Automaton(automaton, is_cut) => (automaton, is_cut),
            Self::Nothing => return,
            Self::Everything => return found(0, text.len()),
        };
        let Ok(mut state) = automaton.start_state(Anchored::No) else {
            return found(0, text.len());
        };
        for (at, byte) in text.iter().enumerate() {
            state = automaton.next_state(Anchored::No, state, *byte);
            if !automaton.is_match(state) {
                continue;
            }
            // The first pattern of a state is the longest; all others are its suffixes.
            let pattern = automaton.match_pattern(state, 0);
            let start = at + 1 - automaton.pattern_len(pattern);
            if is_cut.get(pattern.as_usize()).copied().unwrap_or_default() {
                return found(start, text.len());
            }
            found(start, at + 1);
        }
    }
}

/// The kind of a node in its document.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stands {
    /// Part of the format: its strings may be names.
    Format,
    /// References and addresses in an array, or a string that is a name.
    Names,
    /// A value, a message, or anything else.
    Text,
}

struct Search<'s> {
    /// Of everything, and of what is searched for in names.
    matchers: &'s [Matcher; 2],
    hidden: &'s [Place],
    found: Vec<Place>,
}

impl Search<'_> {
    /// Searches the strings with candidates, or all strings. Containers without candidates are not
    /// opened.
    fn run(&mut self, root: Node<'_>, stands: Stands, candidates: Option<&[u32]>) {
        let has_candidate = |span: Span| match candidates {
            None => true,
            Some(all) => {
                let next = all.partition_point(|candidate| *candidate < span.start);
                all.get(next).is_some_and(|candidate| *candidate < span.end)
            }
        };
        let mut stack: Vec<(ChildNodes<'_>, Stands)> = Vec::new();
        let mut next = Some((root, stands));
        loop {
            if let Some((node, stands)) = next.take()
                && has_candidate(node.span())
                && !self.is_hidden(node.span())
            {
                match node.value() {
                    JsonValue::Object(object) => {
                        self.names(object, has_candidate);
                        stack.push((ChildNodes::Members(object.members()), stands));
                    }
                    JsonValue::Array(array) => {
                        stack.push((ChildNodes::Elements(array.elements()), stands));
                    }
                    JsonValue::String(string) => self.string(string, stands),
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

    fn is_hidden(&self, span: Span) -> bool {
        let next = self.hidden.partition_point(|place| place.span.end <= span.start);
        self.hidden.get(next).is_some_and(|place| place.span.start <= span.start)
    }

    fn string(&mut self, string: JsonString<'_>, stands: Stands) {
        let parts = self.parts(string, stands);
        let raw = string.raw_span();
        let is_whole = matches!(parts[..], [part] if part == raw);
        if is_whole && !raw.is_empty() {
            self.found.push(Place { span: string.span(), replacement: Replacement::Value });
        } else {
            self.found.extend(
                parts.into_iter().map(|span| Place { span, replacement: Replacement::Text }),
            );
        }
    }

    /// Searches names of members. Names that are equal after redaction get numbers.
    fn names(&mut self, object: Object<'_>, has_candidate: impl Fn(Span) -> bool) {
        let start = self.found.len();
        let mut changed: Vec<(Member<'_>, Vec<Span>)> = Vec::new();
        for member in object.members().filter(|member| has_candidate(member.name_span())) {
            let parts = self.parts(member.name(), Stands::Names);
            if !parts.is_empty() {
                changed.push((member, parts));
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
                self.found.push(Place { span, replacement });
            }
        }
        self.found[start..].sort_unstable_by_key(|place| place.span.start);
    }

    /// The secret parts of a string, as bytes of the document, in order and without overlaps.
    fn parts(&self, string: JsonString<'_>, stands: Stands) -> Vec<Span> {
        let raw = string.raw_span();
        let bytes = raw.slice(string.node().source().bytes());
        let mut parts: Vec<Span> = Vec::new();
        let mut add = |start: u32, end: u32| {
            parts.push(Span::new(raw.start + start, raw.start + end));
        };
        if memchr::memchr(b'\\', bytes).is_none() {
            self.search(bytes, stands, |start, end| add(start as u32, end as u32));
        } else {
            let mut level = Level::raw(bytes).next();
            for _ in 0..LEVELS {
                let Some(text) = level else { break };
                self.search(&text.text, stands, |start, end| {
                    let (start, end) = text.place(start, end);
                    add(start, end);
                });
                level = text.next();
            }
        }
        parts.sort_unstable_by_key(|part| (part.start, part.end));
        parts.dedup_by(|next, last| {
            let overlaps = next.start <= last.end;
            if overlaps {
                last.end = last.end.max(next.end);
            }
            overlaps
        });
        parts
    }

    fn search(&self, text: &[u8], stands: Stands, mut found: impl FnMut(usize, usize)) {
        let [everything, named] = self.matchers;
        match stands {
            Stands::Format | Stands::Text => everything.find(text, found),
            Stands::Names => {
                named.find(text, &mut found);
                // Keys of instances are searched like values.
                for (start, end) in keys(text) {
                    everything.find(&text[start..end], |from, to| {
                        found(start + from, start + to);
                    });
                }
            }
        }
    }
}

/// The parts of an address between quotes.
fn keys(text: &[u8]) -> Vec<(usize, usize)> {
    let mut keys = Vec::new();
    let mut quotes = memchr::memchr_iter(b'"', text);
    while let Some(start) = quotes.next() {
        let end = quotes.next().unwrap_or(text.len());
        keys.push((start + 1, end));
    }
    keys
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
