//! Parsing never panics, and agrees with serde_json on accept or reject and on every value.
//!
//! Listed differences: serde_json refuses lone surrogates, which we replace and warn of; it takes the
//! byte order mark for an error and stops, we go on behind it. Depth is bounded here, since serde_json
//! recurses.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use simd_hcl::json::Value;
use simd_hcl::{Arena, Code, Document, Node, ParseOptions, Source};

/// A JSON value with all members of objects, duplicates included.
#[derive(Debug)]
enum Tree {
    Null,
    Bool(bool),
    Number(String),
    String(String),
    Array(Vec<Tree>),
    Object(Vec<(String, Tree)>),
}

/// How serde_json hands over a number of arbitrary precision: as a map of this one key.
const NUMBER: &str = "$serde_json::private::Number";

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Builder;

        impl<'de> Visitor<'de> for Builder {
            type Value = Tree;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("JSON")
            }

            fn visit_unit<E: Error>(self) -> Result<Tree, E> {
                Ok(Tree::Null)
            }

            fn visit_bool<E: Error>(self, value: bool) -> Result<Tree, E> {
                Ok(Tree::Bool(value))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Tree, E> {
                Ok(Tree::String(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Tree, A::Error> {
                let mut elements = Vec::new();
                while let Some(element) = seq.next_element()? {
                    elements.push(element);
                }
                Ok(Tree::Array(elements))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tree, A::Error> {
                let mut members = Vec::new();
                while let Some(name) = map.next_key::<String>()? {
                    if name == NUMBER {
                        return map.next_value().map(Tree::Number);
                    }
                    members.push((name, map.next_value()?));
                }
                Ok(Tree::Object(members))
            }
        }

        deserializer.deserialize_any(Builder)
    }
}

fn same(ours: Node<'_>, other: &Tree) -> bool {
    match (ours.value(), other) {
        (Value::Null, Tree::Null) => true,
        (Value::Bool(ours), Tree::Bool(other)) => ours == *other,
        // serde_json writes an exponent its own way: `1e5` as `1e+5`.
        (Value::Number(ours), Tree::Number(other)) => {
            let plain = |text: &str| text.to_ascii_lowercase().replace("e+", "e");
            plain(ours.text()) == plain(other)
        }
        (Value::String(ours), Tree::String(other)) => ours.to_str() == other,
        (Value::Array(ours), Tree::Array(other)) => {
            ours.elements().count() == other.len()
                && ours.elements().zip(other).all(|(ours, other)| same(ours, other))
        }
        (Value::Object(ours), Tree::Object(other)) => {
            ours.members().count() == other.len()
                && ours.members().zip(other).all(|(member, (name, other))| {
                    member.is_named(name) && same(member.value(), other)
                })
        }
        _ => false,
    }
}

fuzz_target!(|text: &[u8]| {
    // A member of this name would look like a number.
    if text.windows(NUMBER.len()).any(|window| window == NUMBER.as_bytes()) {
        return;
    }
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "fuzz", text).expect("small");
    let options = ParseOptions::default().with_max_depth(200);
    let ours = Document::parse_with(&arena, source, &options);
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    deserializer.disable_recursion_limit();
    let other =
        Tree::deserialize(&mut deserializer).and_then(|tree| deserializer.end().map(|()| tree));
    match (ours, other) {
        (Ok(ours), Ok(other)) => assert!(same(ours.root(), &other), "{other:?}"),
        (Err(error), Ok(_)) => assert_eq!(error.code(), Code::NestingTooDeep),
        (Ok(ours), Err(_)) => {
            let known = [Code::LoneSurrogate, Code::ByteOrderMark];
            assert!(ours.diagnostics().iter().any(|found| known.contains(&found.code())));
        }
        (Err(error), Err(_)) => {
            assert!(error.span().end as usize <= text.len());
            assert!(!error.to_string().is_empty());
        }
    }
});
