//! Sealed containers that are opened in any order have the content of a document without sealed
//! containers, and opening one opens no other.
#![no_main]

use std::hash::{DefaultHasher, Hash, Hasher};

use libfuzzer_sys::fuzz_target;
use simd_hcl::event::Kind;
use simd_hcl::json::JsonValue;
use simd_hcl::{Arena, Document, Node, ParseOptions, Source, Span};

fuzz_target!(|text: &[u8]| {
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "input", text).unwrap();
    let parse = |skeleton_depth| {
        let options =
            ParseOptions::default().with_max_depth(64).with_skeleton_depth(skeleton_depth);
        Document::parse_with(&arena, source, &options)
    };
    let Ok(opened) = parse(u32::MAX) else {
        assert!((0..4).all(|depth| parse(depth).is_err()));
        return;
    };
    let expected = events(opened);
    assert!(sealed(opened.root()).is_empty());
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    for depth in 0..6 {
        let document = parse(depth).unwrap();
        let mut todo = sealed(document.root());
        shuffle(&mut todo, hasher.finish() ^ u64::from(depth));
        while let Some(node) = todo.pop() {
            let span = node.span();
            assert!(node.is_sealed());
            match node.value() {
                JsonValue::Object(object) => drop(object.members().next()),
                JsonValue::Array(array) => drop(array.elements().next()),
                _ => panic!("a sealed scalar"),
            }
            assert!(!node.is_sealed() && node.span() == span);
            assert!(sealed(node).is_empty(), "an opened container is open on all levels");
            assert!(todo.iter().all(|other| other.is_sealed()), "no other one is opened");
        }
        assert_eq!(events(document), expected, "depth {depth}");
        // And opened by walking, in the order of the source.
        assert_eq!(events(parse(depth).unwrap()), expected, "depth {depth}");
        same_views(document.root(), opened.root());
    }
});

fn events(document: Document<'_>) -> Vec<(Kind, Span)> {
    document.events().map(|event| (event.kind(), event.span())).collect()
}

/// The containers that are sealed, none of which gets opened.
fn sealed(root: Node<'_>) -> Vec<Node<'_>> {
    let mut found = Vec::new();
    let mut todo = vec![root];
    while let Some(node) = todo.pop() {
        if node.is_sealed() {
            found.push(node);
            continue;
        }
        match node.value() {
            JsonValue::Object(object) => todo.extend(object.members().map(|member| member.value())),
            JsonValue::Array(array) => todo.extend(array.elements()),
            _ => {}
        }
    }
    found
}

/// Puts the nodes in an order that `seed` chooses.
fn shuffle(nodes: &mut [Node<'_>], mut seed: u64) {
    for last in (1..nodes.len()).rev() {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        nodes.swap(last, (seed >> 33) as usize % (last + 1));
    }
}

fn same_views(left: Node<'_>, right: Node<'_>) {
    let mut todo = vec![(left, right)];
    while let Some((left, right)) = todo.pop() {
        assert_eq!((left.span(), left.type_name()), (right.span(), right.type_name()));
        match (left.value(), right.value()) {
            (JsonValue::Object(left), JsonValue::Object(right)) => {
                let (left, right): (Vec<_>, Vec<_>) =
                    (left.members().collect(), right.members().collect());
                assert_eq!(left.len(), right.len());
                for (left, right) in left.into_iter().zip(right) {
                    assert_eq!(left.span(), right.span());
                    assert_eq!(left.name().to_str(), right.name().to_str());
                    todo.push((left.value(), right.value()));
                }
            }
            (JsonValue::Array(left), JsonValue::Array(right)) => {
                let (left, right): (Vec<_>, Vec<_>) =
                    (left.elements().collect(), right.elements().collect());
                assert_eq!(left.len(), right.len());
                todo.extend(left.into_iter().zip(right));
            }
            (JsonValue::String(left), JsonValue::String(right)) => {
                assert_eq!(left.to_str(), right.to_str());
                assert_eq!(left.may_be_template(), right.may_be_template());
            }
            _ => assert_eq!(left.text(), right.text()),
        }
    }
}
