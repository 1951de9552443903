//! serde_json as an oracle for tests and fuzz targets.
//!
//! Verdicts come from `IgnoredAny` and the standard library's UTF-8 check, values from `RawValue`.
//! So numbers are compared as text, strings with their actual surrogates, objects with all
//! duplicates, and every value and name with its exact bytes. This module handles all differences
//! between serde_json and this library:
//!
//! * a byte order mark: rejected there; here an error, after which decoding continues;
//! * the depth limit, which is ours;
//! * lone surrogate escapes: rejected there as text; here U+FFFD each.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use simd_hcl::event::Kind;
use simd_hcl::json::{JsonEvent, JsonString, JsonValue};
use simd_hcl::{Code, Document, Node, Span};

/// The bytes after a byte order mark.
pub fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text)
}

/// Returns whether a text must be accepted.
pub fn accepts(text: &[u8], max_depth: u32) -> bool {
    let text = without_mark(text);
    std::str::from_utf8(text).is_ok_and(|text| serde_json::from_str::<IgnoredAny>(text).is_ok())
        && depth(text) <= u64::from(max_depth)
}

/// Returns the number of levels of a valid text.
fn depth(text: &[u8]) -> u64 {
    let (mut level, mut deepest, mut in_string, mut escaped) = (0_u64, 0, false, false);
    for &byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => {
                level += 1;
                deepest = deepest.max(level);
            }
            b'}' | b']' if !in_string => level -= 1,
            _ => {}
        }
    }
    deepest
}

/// Asserts that the views of a document return exactly the values that serde_json reads.
pub fn assert_values(document: Document<'_>) {
    let bytes = document.source().bytes();
    let text = std::str::from_utf8(bytes).unwrap();
    let root = serde_json::from_slice::<&RawValue>(without_mark(bytes)).unwrap();
    let mut todo = vec![(document.root(), root)];
    while let Some((ours, other)) = todo.pop() {
        assert_eq!(ours.span(), span_of(text, other.get()), "{ours:?}");
        assert_eq!(ours.text(), other.get().as_bytes());
        match ours.value() {
            JsonValue::Null => assert_eq!(other.get(), "null"),
            JsonValue::Bool(value) => assert_eq!(other.get(), value.to_string()),
            JsonValue::Number(number) => {
                assert_eq!(number.text(), other.get());
                assert_number(number.text(), number.as_u64(), number.as_i64());
            }
            JsonValue::String(string) => assert_string(string, other),
            JsonValue::Array(array) => {
                let others: Vec<&RawValue> = serde_json::from_str(other.get()).unwrap();
                let elements: Vec<Node<'_>> = array.elements().collect();
                assert_eq!(elements.len(), others.len());
                assert_eq!(array.is_empty(), others.is_empty());
                todo.extend(elements.into_iter().zip(others));
            }
            JsonValue::Object(object) => {
                let others = pairs(other);
                let members: Vec<_> = object.members().collect();
                assert_eq!(members.len(), others.len());
                assert_eq!(object.is_empty(), others.is_empty());
                for (member, (name, value)) in members.into_iter().zip(others) {
                    assert_eq!(member.name_span(), span_of(text, name.get()));
                    assert_string(member.name(), name);
                    todo.push((member.value(), value));
                }
            }
        }
    }
}

/// Returns the span of a part of `text`.
fn span_of(text: &str, part: &str) -> Span {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    Span::new(start as u32, (start + part.len()) as u32)
}

/// Asserts that integers are exact, and `None` for numbers that are not integers or do not fit.
fn assert_number(text: &str, unsigned: Option<u64>, signed: Option<i64>) {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        assert_eq!(unsigned, text.parse().ok(), "{text}");
    }
    if text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
        assert_eq!(signed, text.parse().ok(), "{text}");
    }
    let float: f64 = text.parse().unwrap();
    // Parsing rounds; an integer must round to the same float.
    assert!(unsigned.is_none_or(|integer| integer as f64 == float), "{text} {unsigned:?}");
    assert!(signed.is_none_or(|integer| integer as f64 == float), "{text} {signed:?}");
}

fn assert_string(ours: JsonString<'_>, other: &RawValue) {
    let text = decoded(other);
    assert_eq!(ours.to_str(), text);
    assert_eq!(format!("\"{}\"", ours.raw()), other.get());
    assert_eq!(ours.is_escaped(), other.get().contains('\\'));
    let template = text.contains("${") || text.contains("%{");
    assert!(!template || ours.may_be_template(), "a template is not missed: {text}");
}

/// Returns the text of a string. serde_json returns lone surrogates as three bytes each.
fn decoded(string: &RawValue) -> String {
    struct Bytes;
    impl Visitor<'_> for Bytes {
        type Value = Vec<u8>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string")
        }
        fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
            Ok(bytes.to_vec())
        }
    }
    let mut bytes =
        serde_json::Deserializer::from_str(string.get()).deserialize_bytes(Bytes).unwrap();
    for at in 0..bytes.len() {
        if matches!(bytes[at..], [0xED, 0xA0..=0xBF, ..]) {
            bytes[at..at + 3].copy_from_slice("\u{FFFD}".as_bytes());
        }
    }
    String::from_utf8(bytes).unwrap()
}

/// Returns the members of an object, including duplicates.
fn pairs(object: &RawValue) -> Vec<(&RawValue, &RawValue)> {
    struct Pairs;
    impl<'de> Visitor<'de> for Pairs {
        type Value = Vec<(&'de RawValue, &'de RawValue)>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            std::iter::from_fn(|| map.next_entry().transpose()).collect()
        }
    }
    impl<'de> DeserializeSeed<'de> for Pairs {
        type Value = Vec<(&'de RawValue, &'de RawValue)>;
        fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
            from.deserialize_map(self)
        }
    }
    Pairs.deserialize(&mut serde_json::Deserializer::from_str(object.get())).unwrap()
}

/// Asserts that a document's events are balanced, that names and values alternate, and that spans
/// ascend, are inside the file and cover the text of their event.
pub fn assert_events(document: Document<'_>) {
    let text = document.source().bytes();
    let mut open = Vec::new();
    let mut behind = 0;
    let mut name_before = false;
    let mut values_at_root = 0;
    for event in document.events() {
        let span = event.span();
        assert!(span.start >= behind && span.start < span.end, "{event:?}");
        behind = span.end;
        let written = span.slice(text);
        let in_object = open.last() == Some(&Kind::StartObject);
        let kind = event.kind();
        let ends = matches!(kind, Kind::EndObject | Kind::EndArray);
        assert_eq!(in_object && !ends, name_before != (kind == Kind::Key), "{event:?}");
        name_before = kind == Kind::Key;
        values_at_root += usize::from(open.is_empty());
        match event {
            JsonEvent::StartObject { sealed, .. } | JsonEvent::StartArray { sealed, .. } => {
                assert!(!sealed);
                assert_eq!(written, if kind == Kind::StartObject { b"{" } else { b"[" });
                open.push(kind);
            }
            JsonEvent::EndObject { .. } => {
                assert_eq!((written, open.pop()), (&b"}"[..], Some(Kind::StartObject)));
            }
            JsonEvent::EndArray { .. } => {
                assert_eq!((written, open.pop()), (&b"]"[..], Some(Kind::StartArray)));
            }
            JsonEvent::Key(string) | JsonEvent::String(string) => {
                assert_eq!(written, format!("\"{}\"", string.raw()).as_bytes());
            }
            JsonEvent::Number(number) => assert_eq!(written, number.text().as_bytes()),
            JsonEvent::Bool(value, _) => assert_eq!(written, value.to_string().as_bytes()),
            JsonEvent::Null(_) => assert_eq!(written, b"null"),
            _ => panic!("an event that this test does not know: {event:?}"),
        }
    }
    assert_eq!((values_at_root, open.len()), (1, 0));
    let opened = |event: &JsonEvent<'_>| (event.kind(), event.span());
    let again: Vec<_> = document.events().map(|event| opened(&event)).collect();
    let skeleton = document.skeleton().map(|event| opened(&event));
    let mut all = again.iter();
    // The skeleton is a subsequence of the events.
    assert!(skeleton.into_iter().all(|event| all.any(|other| *other == event)));
}

/// Asserts that the diagnostics of an accepted text are its byte order mark and its lone
/// surrogates.
pub fn assert_diagnostics(document: Document<'_>) {
    let text = document.source().bytes();
    let mut surrogates = Vec::new();
    for event in document.events() {
        if let JsonEvent::Key(string) | JsonEvent::String(string) = event {
            let raw = string.raw_span();
            let inside = lone_surrogates(raw.slice(text));
            surrogates.extend(inside.into_iter().map(|at| raw.start + at));
        }
    }
    let marked =
        text.starts_with(b"\xEF\xBB\xBF").then_some((Code::ByteOrderMark, Span::new(0, 3)));
    let lone = surrogates.into_iter().map(|at| (Code::LoneSurrogate, Span::new(at, at + 6)));
    let expected: Vec<_> = marked.into_iter().chain(lone).collect();
    let found: Vec<_> =
        document.diagnostics().iter().map(|found| (found.code(), found.span())).collect();
    assert_eq!(found, expected);
}

/// Offsets of the escapes in a string's raw bytes that are one half of a surrogate pair.
fn lone_surrogates(raw: &[u8]) -> Vec<u32> {
    let mut units: Vec<(u32, u16)> = Vec::new();
    let mut at = 0;
    while at < raw.len() {
        let escape = raw[at] == b'\\';
        let digits = (escape && raw[at + 1] == b'u').then(|| &raw[at + 2..at + 6]);
        if let Some(digits) = digits {
            let digits = std::str::from_utf8(digits).unwrap();
            units.push((at as u32, u16::from_str_radix(digits, 16).unwrap()));
            at += 6;
        } else {
            units.push((at as u32, 0));
            at += 1 + usize::from(escape);
        }
    }
    let mut places = units.iter().map(|&(at, _)| at);
    let decoded = char::decode_utf16(units.iter().map(|&(_, unit)| unit));
    let mut lone = Vec::new();
    for character in decoded {
        let at = places.next().unwrap();
        match character {
            Ok(character) if character.len_utf16() == 2 => drop(places.next()),
            Ok(_) => {}
            Err(_) => lone.push(at),
        }
    }
    lone
}
