//! Reads bodies by any schema: no panic, and the ways of reading agree.
//!
//! The input is a document, and after the first byte 0xFF, which no document contains, the names of
//! a schema: some that occur in the document, and others.
#![no_main]

use std::collections::BTreeSet;

use arbitrary::{Arbitrary, Unstructured};
use libfuzzer_sys::fuzz_target;
use simd_hcl::body::{Attribute, AttributeSchema, Block, BlockSchema, Content};
use simd_hcl::json::JsonEvent;
use simd_hcl::{Arena, Body, Code, Diagnostic, Document, ParseOptions, Schema, Source, Span};

/// One entry of a schema: by index of a name, an attribute or a block type.
#[derive(Arbitrary, Clone, Copy, Debug)]
struct Entry {
    name: u8,
    /// In which of two schemas it is.
    first: bool,
    kind: EntryKind,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum EntryKind {
    Attribute { required: bool },
    Block { labels: u8 },
}

const LABELS: &[&str] = &["type", "name", "key"];

fuzz_target!(|data: &[u8]| {
    let at = data.iter().position(|&byte| byte == 0xFF).unwrap_or(data.len());
    let (text, control) = (&data[..at], data.get(at + 1..).unwrap_or_default());
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "input", text).unwrap();
    let mut control = Unstructured::new(control);
    let skeleton_depth = control.int_in_range(0..=5).unwrap_or(3);
    let options = ParseOptions::default().with_max_depth(64).with_skeleton_depth(skeleton_depth);
    let Ok(document) = Document::parse_with(&arena, source, &options) else {
        return;
    };
    let names = names(document);
    let entries: Vec<Entry> = control.arbitrary().unwrap_or_default();
    let mut seen = BTreeSet::new();
    let distinct: Vec<Entry> = entries
        .iter()
        .copied()
        .filter(|entry| seen.insert(names[entry.name as usize % names.len()]))
        .collect();

    let any = Entries::new(&names, &entries, |_| true);
    let union = Entries::new(&names, &distinct, |_| true);
    let first = Entries::new(&names, &distinct, |entry| entry.first);
    let second = Entries::new(&names, &distinct, |entry| !entry.first);
    let schemas = [&any, &union, &first, &second].map(Entries::schema);
    let mut bodies = vec![(document.body(), 0)];
    let mut budget = 200;
    while let Some((body, level)) = bodies.pop() {
        let mut diagnostics = Vec::new();
        let content = body.content(&schemas[0], &mut diagnostics);
        inside(body, &content, &diagnostics);
        if level < 3 && budget > 0 {
            budget -= 1;
            bodies.extend(content.all_blocks().iter().map(|block| (block.body(), level + 1)));
        }
        laws(body, &schemas[1], &schemas[2], &schemas[3]);
        attributes_only(body, &schemas[2]);
        expressions(&content);
    }
});

/// Names of the document, and others.
fn names<'a>(document: Document<'a>) -> Vec<&'a str> {
    let mut names = vec!["a", "//", "", "resource", "ab\"c", "\u{FFFD}"];
    let keys = document.events().filter_map(|event| match event {
        JsonEvent::Key(name) => Some(name.to_str()),
        _ => None,
    });
    names.extend(keys.take(60));
    names
}

struct Entries<'n> {
    attributes: Vec<AttributeSchema<'n>>,
    blocks: Vec<BlockSchema<'n>>,
}

impl<'n> Entries<'n> {
    fn new(names: &[&'n str], entries: &[Entry], filter: impl Fn(&Entry) -> bool) -> Self {
        let mut this = Self { attributes: Vec::new(), blocks: Vec::new() };
        for entry in entries.iter().filter(|entry| filter(entry)) {
            let name = names[entry.name as usize % names.len()];
            match entry.kind {
                EntryKind::Attribute { required } => {
                    this.attributes.push(AttributeSchema { name, required });
                }
                EntryKind::Block { labels } => {
                    let labels = &LABELS[..labels as usize % (LABELS.len() + 1)];
                    this.blocks.push(BlockSchema::new(name, labels));
                }
            }
        }
        this
    }

    fn schema(&self) -> Schema<'_> {
        Schema::new(&self.attributes, &self.blocks)
    }
}

fn within(inner: Span, outer: Span) -> bool {
    outer.start <= inner.start && inner.start <= inner.end && inner.end <= outer.end
}

/// Checks that content and diagnostics lie in the body, in order.
fn inside(body: Body<'_>, content: &Content<'_>, diagnostics: &[Diagnostic<'_>]) {
    let all = body.as_json().unwrap().span();
    let mut behind = all.start;
    for attribute in content.attributes() {
        let span = attribute.span();
        assert!(within(span, all) && span.start >= behind);
        assert_eq!(attribute.name_span().start, span.start);
        assert_eq!(attribute.expression().span().end, span.end);
        assert!(attribute.name_span().end < attribute.expression().span().start);
        assert_eq!(content.attribute(attribute.name()).unwrap().span(), span, "each name once");
        behind = span.end;
    }
    let mut behind = all.start;
    for block in content.all_blocks() {
        let span = block.span();
        assert!(within(span, all) && span.start >= behind);
        assert!(within(block.type_span(), all) && block.type_span().end < span.start);
        assert!(within(block.definition_span(), span));
        assert_eq!(block.definition_span().start, span.start);
        let mut label_behind = block.type_span().end;
        for label in block.label_spans() {
            assert!(within(label, all) && label.start > label_behind && label.end < span.start);
            label_behind = label.end;
        }
        assert_eq!(block.labels().len(), block.label_spans().len());
        assert!(block.is(block.block_type()));
        behind = span.end;
    }
    assert!(within(content.missing_item_span(), all));
    for diagnostic in diagnostics {
        assert!(within(diagnostic.span(), all), "{diagnostic}");
        assert!(diagnostic.related().iter().all(|related| within(related.label.span, all)));
    }
}

fn attribute_spans(attributes: &[Attribute<'_>]) -> Vec<(Span, Span)> {
    attributes.iter().map(|attribute| (attribute.name_span(), attribute.span())).collect()
}

fn block_spans(blocks: &[Block<'_>]) -> Vec<(Span, Span, Vec<Span>)> {
    let spans =
        |block: &Block<'_>| (block.span(), block.type_span(), block.label_spans().collect());
    blocks.iter().map(spans).collect()
}

fn facts(diagnostics: &[Diagnostic<'_>]) -> BTreeSet<(Code, Span)> {
    diagnostics.iter().map(|diagnostic| (diagnostic.code(), diagnostic.span())).collect()
}

/// Reading a part, and then what remains by the rest of the schema, is reading all of it.
fn laws(body: Body<'_>, union: &Schema<'_>, first: &Schema<'_>, second: &Schema<'_>) {
    let mut all_diagnostics = Vec::new();
    let all = body.content(union, &mut all_diagnostics);
    let mut diagnostics = Vec::new();
    let (one, rest) = body.partial_content(first, &mut diagnostics);
    let (again, _) = body.partial_content(first, &mut ());
    assert_eq!(block_spans(one.all_blocks()), block_spans(again.all_blocks()));
    let two = rest.content(second, &mut diagnostics);
    assert_eq!(one.missing_item_span(), all.missing_item_span());

    let mut attributes = attribute_spans(one.attributes());
    attributes.extend(attribute_spans(two.attributes()));
    attributes.sort();
    assert_eq!(attributes, attribute_spans(all.attributes()));
    let mut blocks = block_spans(one.all_blocks());
    blocks.extend(block_spans(two.all_blocks()));
    blocks.sort();
    assert_eq!(blocks, block_spans(all.all_blocks()));
    assert_eq!(facts(&diagnostics), facts(&all_diagnostics));

    // Items that were taken are gone.
    let (none, _) = rest.partial_content(first, &mut ());
    assert!(none.attributes().is_empty() && none.all_blocks().is_empty());
}

/// Every property as an attribute, before and after a part was taken.
fn attributes_only(body: Body<'_>, first: &Schema<'_>) {
    let mut diagnostics = Vec::new();
    let all = body.just_attributes(&mut diagnostics);
    let Some(object) = body.as_json().unwrap().as_object() else {
        assert!(all.is_empty() && diagnostics.len() == 1);
        return;
    };
    let comments = object.members().filter(|member| member.is_named("//")).count();
    assert_eq!(all.len() + comments + diagnostics.len(), object.members().count());
    assert!(all.is_sorted_by_key(|attribute| attribute.span().start));
    let names: BTreeSet<&str> = all.iter().map(|attribute| attribute.name()).collect();
    assert_eq!(names.len(), all.len(), "each name once");

    let (part, rest) = body.partial_content(first, &mut ());
    let known = |name: &str| {
        first.attributes().iter().any(|attribute| attribute.name == name)
            || first.blocks().iter().any(|block| block.block_type == name)
    };
    let rest = attribute_spans(rest.just_attributes(&mut ()));
    let left: Vec<Attribute<'_>> =
        all.iter().copied().filter(|attribute| !known(attribute.name())).collect();
    assert_eq!(rest, attribute_spans(&left));
    assert!(part.attributes().iter().all(|attribute| known(attribute.name())));
}

/// Static readings of values.
fn expressions(content: &Content<'_>) {
    for attribute in content.attributes() {
        let expression = attribute.expression();
        let node = expression.as_json().unwrap();
        let mut diagnostics = Vec::new();
        let list = expression.list(&mut diagnostics).map(Iterator::count);
        let map = expression.map(&mut diagnostics).map(Iterator::count);
        let keyword = expression.keyword(&mut diagnostics);
        assert_eq!(list.is_some(), node.is_array());
        assert_eq!(map.is_some(), node.is_object());
        assert!(keyword.is_none() || node.is_string());
        let found = usize::from(list.is_some())
            + usize::from(map.is_some())
            + usize::from(keyword.is_some());
        assert_eq!(diagnostics.len(), 3 - found);
    }
}
