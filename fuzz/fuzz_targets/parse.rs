//! Parsing never panics, and agrees with serde_json on accept or reject and on every value.
//!
//! Listed differences: serde_json refuses lone surrogates, which we replace and warn of; it takes the
//! byte order mark for an error and stops, we go on behind it; it refuses numbers beyond a float's range.
//! Depth is bounded here, since serde_json recurses.
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
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    String(String),
    Array(Vec<Tree>),
    Object(Vec<(String, Tree)>),
}

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

            fn visit_u64<E: Error>(self, value: u64) -> Result<Tree, E> {
                Ok(Tree::Unsigned(value))
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Tree, E> {
                Ok(Tree::Signed(value))
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<Tree, E> {
                Ok(Tree::Float(value))
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
                while let Some(member) = map.next_entry()? {
                    members.push(member);
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
        (Value::Number(ours), Tree::Unsigned(other)) => ours.as_u64() == Some(*other),
        (Value::Number(ours), Tree::Signed(other)) => ours.as_i64() == Some(*other),
        (Value::Number(ours), Tree::Float(other)) => ours.to_f64_lossy() == *other,
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
        (Ok(ours), Err(error)) => {
            let known = [Code::LoneSurrogate, Code::ByteOrderMark];
            // A number beyond a float's range is a number all the same.
            let told = error.to_string().starts_with("number out of range")
                || ours.diagnostics().iter().any(|found| known.contains(&found.code()));
            assert!(told, "serde_json refuses what we accept: {error}");
        }
        (Err(error), Err(_)) => {
            assert!(error.span().end as usize <= text.len());
            assert!(!error.to_string().is_empty());
        }
    }
});
