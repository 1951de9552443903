//! Bodies read by arbitrary schemas: no panic, spans inside of the file, and reading in two parts gives
//! what reading at once gives.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use simd_hcl::body::{AttributeSchema, BlockSchema, Content};
use simd_hcl::{Arena, Body, Diagnostic, Document, Schema};

#[derive(Arbitrary, Debug)]
struct Input<'t> {
    attributes: Vec<(Name, bool)>,
    blocks: Vec<(Name, u8)>,
    split: u8,
    text: &'t [u8],
}

/// Few names, so that they occur in the text.
#[derive(Arbitrary, Clone, Copy, Debug)]
enum Name {
    A,
    B,
    Resource,
    Locals,
    Comment,
    Empty,
}

impl Name {
    fn text(self) -> &'static str {
        match self {
            Self::A => "a",
            Self::B => "b",
            Self::Resource => "resource",
            Self::Locals => "locals",
            Self::Comment => "//",
            Self::Empty => "",
        }
    }
}

fn spans(content: &Content<'_>) -> Vec<(u32, u32)> {
    let attributes = content.attributes().iter().map(|attribute| attribute.span());
    let blocks = content.all_blocks().iter().map(|block| block.span());
    let mut spans: Vec<_> = attributes.chain(blocks).map(|span| (span.start, span.end)).collect();
    spans.sort_unstable();
    spans
}

fn check_blocks<'a>(content: &Content<'a>, schema: &Schema<'_>, levels: u32) {
    for block in content.all_blocks() {
        assert_eq!(block.labels().len(), block.label_spans().len());
        if levels > 0 {
            let mut found: Vec<Diagnostic<'a>> = Vec::new();
            let inner = block.body().content(schema, &mut found);
            found.iter().for_each(|diagnostic| drop(diagnostic.to_string()));
            check_blocks(&inner, schema, levels - 1);
            block.body().just_attributes(&mut ());
        }
    }
}

fuzz_target!(|input: Input<'_>| {
    let arena = Arena::new();
    let Ok(document) = Document::parse_bytes(&arena, "fuzz", input.text) else { return };
    let labels = ["one", "two", "three"];
    let attributes: Vec<AttributeSchema<'_>> = input
        .attributes
        .iter()
        .map(|&(name, required)| AttributeSchema { name: name.text(), required })
        .collect();
    let blocks: Vec<BlockSchema<'_>> = input
        .blocks
        .iter()
        .map(|&(name, count)| BlockSchema::new(name.text(), &labels[..usize::from(count % 4)]))
        .collect();
    let schema = Schema::new(&attributes, &blocks);
    let body: Body<'_> = document.body();
    let whole = body.content(&schema, &mut ());
    for (start, end) in spans(&whole) {
        assert!(start < end && end as usize <= input.text.len());
    }
    check_blocks(&whole, &schema, 3);
    body.just_attributes(&mut ());

    // In two parts, where no name is in both, so that none hides another.
    let split = usize::from(input.split);
    let (first, second) = attributes.split_at(split.min(attributes.len()));
    let shared = first.iter().any(|one| second.iter().any(|other| one.name == other.name))
        || blocks.iter().any(|block| first.iter().any(|one| one.name == block.block_type));
    if !shared {
        let (first_schema, second_schema) = (Schema::new(first, &[]), Schema::new(second, &blocks));
        let (first, rest) = body.partial_content(&first_schema, &mut ());
        let second = rest.content(&second_schema, &mut ());
        let mut parts = [spans(&first), spans(&second)].concat();
        parts.sort_unstable();
        assert_eq!(parts, spans(&whole));
    }
});
