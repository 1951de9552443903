//! A sealed container that is opened, whenever and in whatever order, equals one that never was sealed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use simd_hcl::json::Value;
use simd_hcl::{Arena, Document, Node, ParseOptions, Source};

fn parse<'a>(arena: &'a Arena, text: &'a [u8], depth: u32) -> Option<Document<'a>> {
    let source = Source::from_bytes(arena, "fuzz", text).expect("small");
    let options = ParseOptions::default().with_skeleton_depth(depth);
    Document::parse_with(arena, source, &options).ok()
}

/// Opens some containers, in an order that the bytes of `choices` decide.
fn open<'a>(root: Node<'a>, choices: &[u8]) {
    let mut nodes = vec![root];
    for &choice in choices {
        let Some(&node) = nodes.get(usize::from(choice) % nodes.len()) else { return };
        match node.value() {
            Value::Object(object) => nodes.extend(object.members().map(|member| member.value())),
            Value::Array(array) => nodes.extend(array.elements()),
            _ => {}
        }
    }
}

fuzz_target!(|input: (u8, Vec<u8>, &[u8])| {
    let (depth, choices, text) = input;
    let arena = Arena::new();
    let Some(plain) = parse(&arena, text, u32::MAX) else {
        assert!(parse(&arena, text, u32::from(depth % 6)).is_none());
        return;
    };
    let sealed = parse(&arena, text, u32::from(depth % 6)).expect("valid at every depth");
    open(sealed.root(), &choices);
    let events = |document: Document<'_>| {
        let events = document.events().map(|event| (event.kind(), event.span()));
        events.collect::<Vec<_>>()
    };
    let expected = events(plain);
    assert_eq!(events(sealed), expected);
    assert_eq!(events(sealed), expected, "a second time");
    // Well formed: balanced, ordered, and inside of the text.
    let mut last = 0;
    let mut depth = 0_usize;
    for event in plain.events() {
        let span = event.span();
        assert!(span.start >= last && span.end > span.start && span.end as usize <= text.len());
        last = span.end;
        let kind = format!("{:?}", event.kind());
        depth += usize::from(kind.starts_with("Start"));
        depth -= usize::from(kind.starts_with("End"));
    }
    assert_eq!(depth, 0);
});
