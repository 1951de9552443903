//! Edits of any file: the result is what was meant, or nothing is edited.
//!
//! The first three bytes say which of the selected items are edited, and how.
#![no_main]

use libfuzzer_sys::fuzz_target;
use simd_hcl::dialect::{Dialect, List, root_schema};
use simd_hcl::edit::{Edited, FileEdits, NewBlock, NewValue, ValueStep};
use simd_hcl::query::{Pattern, select};
use simd_hcl::{Arena, Document, ParsedFile, Source, Span};

const KIND: (Dialect, List) = (Dialect::OpenTofu, List::Primary);

/// The most items that are edited.
const MOST: usize = 64;

fn parsed<'a>(arena: &'a Arena, text: &[u8]) -> Option<ParsedFile<'a>> {
    let source = Source::copy_from(arena, "fuzz", text).ok()?;
    match text.trim_ascii_start().first() {
        Some(b'{' | b'[') => Document::parse(arena, source).ok().map(ParsedFile::json),
        _ => Some(ParsedFile::native(arena, source)),
    }
}

fn edited(file: ParsedFile<'_>, [which, how, value]: [u8; 3]) -> Option<Edited> {
    let pattern = Pattern::parse("**").ok()?;
    let texts = ["1", "[var.a, \"b\"]", "{ a = 1, \"b c\" = 2 }", "<<X\na\nX"];
    let text = texts[usize::from(value) % texts.len()];
    let mut value = NewValue::at(Some(KIND), &[ValueStep::Member("x")], 0, text).ok()?;
    if how & 32 != 0 {
        value = value.with_comments("# before\n// too", "# behind");
    }
    let mut edits = FileEdits::new(file).with_alignment(how & 8 != 0);
    let step = usize::from(which % 7) + 1;
    let selected = select(&pattern, file, root_schema(KIND.0, KIND.1));
    for selected in selected.skip(usize::from(which) / 7).step_by(step).take(MOST) {
        match how & 3 {
            // The first byte of an item is one of its name.
            0 if how & 16 != 0 => {
                let start = selected.item_span().start;
                edits.remove_named(Span::new(start, start + 1));
            }
            0 => edits.remove(selected.item_span()),
            1 => edits.remove_with_emptied(selected.item_span()),
            2 => edits.set(selected.expression().span(), value.clone()),
            _ => edits.add_attribute(selected.container_span(), "added_by_fuzz", value.clone()),
        }
    }
    if how & 4 != 0 {
        let block = NewBlock::parse(Some(KIND), "moved {\n  from = a.b\n  to   = a.c\n}").ok()?;
        edits.add_block(block.with_comments("# moved", ""), None);
    }
    edits.finish().ok()
}

fuzz_target!(|data: &[u8]| {
    let Some((how, text)) = data.split_first_chunk::<3>() else { return };
    let arena = Arena::new();
    let Some(file) = parsed(&arena, text) else { return };
    let Some(edited) = edited(file, *how) else { return };
    let old = std::str::from_utf8(text).expect("an edited file is UTF-8");
    assert_eq!(edited.edits().apply(old), edited.text());
    let mut end = 0;
    for edit in edited.edits().iter() {
        assert!(edit.span().start >= end && edit.span().end >= edit.span().start);
        end = edit.span().end;
    }
    let after = Arena::new();
    let new = parsed(&after, edited.text().as_bytes()).expect("an edited file parses");
    assert_eq!(new.diagnostics().len(), file.diagnostics().len());
});
