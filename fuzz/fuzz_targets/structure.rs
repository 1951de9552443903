//! Native files: whatever the bytes are, every place lies in the source, items follow one another
//! and lie in the blocks around them, parsing again has the same result, and a file without a
//! finding is the same after its comments were cut out. The formatted file has the same attributes.
//! Every kernel reads what the careful reader reads, and sealed bodies have the same items.
#![no_main]

use libfuzzer_sys::fuzz_target;
use simd_hcl::format::{Style, format};
use simd_hcl::fuzzing::structure_by;
use simd_hcl::structure::{File, FileBody, Item};
use simd_hcl::{Arena, Diagnostic, Kernel, Source, Span};

/// Names and values, and where bodies start and end; looks at all places.
fn items(body: FileBody<'_>) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![(body.span(), body.span().start, body.items())];
    while let Some((span, at, rest)) = open.last_mut() {
        let Some(item) = rest.next() else {
            open.pop();
            found.push("}".to_owned());
            continue;
        };
        assert!(*at <= item.span().start && item.span().end <= span.end, "{item:?}");
        *at = item.span().end;
        match item {
            Item::Attribute(attribute) => {
                let Span { start, end } = attribute.value_span();
                assert!(attribute.name_span().end < start && start <= end);
                found.push(format!("{} = {}", attribute.name(), attribute.text()));
            }
            Item::Block(block) => {
                let labels: Vec<_> = block.labels().collect();
                assert_eq!(labels.len(), block.label_spans().len());
                found.push(format!("{} {labels:?} {{", block.block_type()));
                open.push((block.body().span(), block.definition_span().end, block.body().items()));
            }
        }
    }
    found
}

/// Returns the result of the structure pass by a kernel; without one, of the careful reader alone.
fn read_by(arena: &Arena, bytes: &[u8], kernel: Option<Kernel>) -> String {
    let source = Source::from_bytes(arena, "fuzz", bytes).unwrap();
    let mut found: Vec<String> = Vec::new();
    let mut sink = |error: Diagnostic<'_>| found.push(format!("{error:?}"));
    let file = structure_by(arena, source, kernel, &mut sink);
    let events: Vec<_> = file.events().collect();
    let comments = file.comments().map(|comment| (comment.leads(), comment.item()));
    format!("{events:?} {:?} {found:?}", comments.collect::<Vec<_>>())
}

fuzz_target!(|data: &[u8]| {
    let arena = Arena::new();
    let parse = |bytes| {
        let source = Source::from_bytes(&arena, "fuzz", bytes).unwrap();
        let mut found: Vec<Diagnostic<'_>> = Vec::new();
        let file = File::parse(&arena, source, &mut found);
        file.check(&mut found);
        for diagnostic in &found {
            let Span { start, end } = diagnostic.span();
            assert!(start <= end && end as usize <= bytes.len(), "{diagnostic:?}");
            assert!(!diagnostic.detail().is_empty());
        }
        (file, found)
    };
    let (file, found) = parse(data);
    let careful = read_by(&arena, data, None);
    for kernel in Kernel::available() {
        assert_eq!(read_by(&arena, data, Some(kernel)), careful, "{kernel:?}");
    }
    let of_file = items(file.body());
    let source = Source::from_bytes(&arena, "fuzz", data).unwrap();
    assert_eq!(items(File::skeleton(&arena, source, &mut ()).body()), of_file);
    for attribute in file.attributes() {
        if let Err(error) = attribute.expression() {
            assert!(found.contains(error), "{error:?}");
        }
    }

    if found.is_empty() {
        for style in [Style::Packer, Style::Tofu] {
            let text = format(file, style, &mut ()).unwrap();
            let (again, found) = parse(arena.str(&text).as_bytes());
            assert!(found.is_empty(), "{found:?} in {text}");
            assert_eq!(again.attributes().count(), file.attributes().count());
        }
    }

    let mut without = data.to_vec();
    let mut at = 0;
    for comment in file.comments() {
        let Span { start, end } = comment.span();
        assert!(at <= start && start < end);
        at = end;
        // A line break in a comment does not end a line of the file.
        without[start as usize..end as usize].fill(b' ');
    }
    if found.is_empty() {
        let (file, found) = parse(&without);
        assert!(found.is_empty());
        assert_eq!(items(file.body()), of_file);
    }
});
