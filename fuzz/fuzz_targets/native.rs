//! Templates of any file: visiting references by their bytes alone finds the same references, with
//! the same spans inside the source, as opening containers and parsing the decoded text of each
//! template.
//!
//! Texts that are not JSON are parsed as a template.
#![no_main]

use libfuzzer_sys::fuzz_target;
use simd_hcl::{Arena, Diagnostic, Document};

fuzz_target!(|data: &[u8]| {
    let arena = Arena::new();
    let wrapped;
    let document = match Document::parse_bytes(&arena, "fuzz", data) {
        Ok(document) => document,
        Err(_) => {
            let text = serde_json::to_string(&String::from_utf8_lossy(data)).unwrap();
            // The same once more, where every introducer is an escape.
            wrapped = format!("[{text}, {}]", text.replace("${", "\\u0024{"));
            Document::parse_bytes(&arena, "fuzz", wrapped.as_bytes()).unwrap()
        }
    };
    let len = document.source().bytes().len() as u32;

    let (mut kept, mut errors) = (Vec::new(), Vec::new());
    for template in document.templates() {
        kept.extend(template.variables().map(|found| (format!("{found}"), found.span())));
        errors.extend(template.diagnostics().iter().map(|found| (found.code(), found.span())));
    }

    let (mut visited, mut reported) = (Vec::new(), Vec::<Diagnostic<'_>>::new());
    document.visit_references(&mut reported, |found| {
        let mut at = 0;
        for step in found.steps() {
            assert!(
                at <= step.span.start && step.span.start < step.span.end && step.span.end <= len
            );
            at = step.span.end;
        }
        visited.push((format!("{found}"), found.span()));
    });
    let reported: Vec<_> = reported.iter().map(|found| (found.code(), found.span())).collect();
    assert_eq!(visited, kept);
    assert_eq!(reported, errors);
});
