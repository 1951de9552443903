//! Real plans, states and provider schemas in the directory `SIMD_HCL_DATA`: views return the same
//! values as serde_json, at every skeleton depth.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;
use simd_hcl::json::JsonValue;
use simd_hcl::{Arena, Document, Node, ParseOptions, Source};

pub(crate) fn json_files(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            json_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
}

/// Returns whether two documents have the same value. Real documents have no duplicate keys.
fn same(ours: Node<'_>, other: &Json) -> bool {
    match (ours.value(), other) {
        (JsonValue::Null, Json::Null) => true,
        (JsonValue::Bool(ours), Json::Bool(other)) => ours == *other,
        (JsonValue::String(ours), Json::String(other)) => ours.to_str() == other,
        (JsonValue::Number(ours), Json::Number(other)) => {
            ours.as_i64() == other.as_i64().or_else(|| ours.as_i64())
                && Some(ours.to_f64_lossy()) == other.as_f64()
        }
        (JsonValue::Array(ours), Json::Array(other)) => {
            ours.elements().count() == other.len()
                && ours.elements().zip(other).all(|(ours, other)| same(ours, other))
        }
        (JsonValue::Object(ours), Json::Object(other)) => {
            ours.members().count() == other.len()
                && ours.members().zip(other).all(|(member, (name, other))| {
                    member.is_named(name) && same(member.value(), other)
                })
        }
        _ => false,
    }
}

#[test]
fn real_documents_read_alike() {
    let Some(folder) = std::env::var_os("SIMD_HCL_DATA") else {
        println!("skipped: real_documents_read_alike (SIMD_HCL_DATA names no folder)");
        return;
    };
    let mut files = Vec::new();
    json_files(Path::new(&folder), &mut files);
    assert!(!files.is_empty(), "there are documents below {}", folder.display());
    for file in files {
        let bytes = fs::read(&file).unwrap();
        let Ok(expected) = serde_json::from_slice::<Json>(&bytes) else {
            assert!(Document::open(&Arena::new(), &file).is_err(), "{}", file.display());
            continue;
        };
        let mut arena = Arena::new();
        for depth in [0, 3, u32::MAX] {
            let source = Source::read(&arena, &file).unwrap();
            let options = ParseOptions::default().with_skeleton_depth(depth);
            let document = Document::parse_with(&arena, source, &options).unwrap();
            assert!(same(document.root(), &expected), "{} at depth {depth}", file.display());
            arena.reset();
        }
    }
}
