//! Files in the other syntax: the output parses without a finding and declares the same with the same
//! values, and after enough conversions there and back it does not change any more.
#![no_main]

use libfuzzer_sys::fuzz_target;
use simd_hcl::convert::{to_json, to_native};
use simd_hcl::diff::{Objects, changes};
use simd_hcl::fuzzing::every_construct;
use simd_hcl::structure::File;
use simd_hcl::{Arena, Diagnostic, Dialect, Document, ParsedFile, Source, dialect::List};

const KINDS: [Option<(Dialect, List)>; 5] = [
    None,
    Some((Dialect::OpenTofu, List::Primary)),
    Some((Dialect::OpenTofu, List::Test)),
    Some((Dialect::Packer, List::Primary)),
    Some((Dialect::Terraform, List::Variables)),
];

/// Compares a native file with its twin in JSON.
fn compare([native, json]: [&[u8]; 2], (dialect, list): (Dialect, List)) {
    let arena = Arena::new();
    let Ok(source) = Source::from_bytes(&arena, "fuzz", native) else { return };
    let Ok(document) = Document::parse_bytes(&arena, "fuzz", json) else { return };
    let files = [ParsedFile::native(&arena, source), ParsedFile::json(document)];
    let [one, other] =
        files.map(|file| Objects::read(&arena, dialect, [(list, "file", file.body())]));
    let found = changes(&one, &other);
    let text = |text| String::from_utf8_lossy(text).into_owned();
    assert!(found.is_empty(), "{found:?}\n{}\n{}", text(native), text(json));
}

/// JSON in native syntax. `None` if it is not valid, or has parts that native syntax has not.
fn native(json: &[u8], kind: Option<(Dialect, List)>) -> Option<String> {
    let arena = Arena::new();
    let document = Document::parse_bytes(&arena, "fuzz", json).ok()?;
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    let converted = to_native(document, kind, &|_, _| None, &mut found);
    found.is_empty().then_some(converted.text)
}

/// A native text in JSON. `None` if it is not valid.
fn json(native: &[u8], kind: Option<(Dialect, List)>) -> Option<String> {
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "fuzz", native).ok()?;
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    let file = File::parse(&arena, source, &mut found);
    file.check(&mut found);
    if !found.is_empty() {
        return None;
    }
    let converted = to_json(file, kind, &mut found);
    found.is_empty().then_some(converted.text)
}

fuzz_target!(|data: &[u8]| {
    // The bytes also choose among the constructs of a file that the tools know.
    for (dialect, list) in KINDS.into_iter().flatten() {
        let mut bytes = data.iter().copied();
        let mut choose = |below: usize| usize::from(bytes.next().unwrap_or_default()) % below;
        let text = every_construct(dialect, list, &mut choose);
        let Some(converted) = json(text.as_bytes(), Some((dialect, list))) else { continue };
        compare([text.as_bytes(), converted.as_bytes()], (dialect, list));
        if let Some(back) = native(converted.as_bytes(), Some((dialect, list))) {
            compare([back.as_bytes(), converted.as_bytes()], (dialect, list));
        }
    }
    for kind in KINDS {
        let first = match json(data, kind) {
            Some(first) => first,
            None => {
                let Some(native) = native(data, kind) else { continue };
                // An argument may be set twice in JSON.
                let Some(first) = json(native.as_bytes(), kind) else { continue };
                first
            }
        };
        // The canonical layout unwraps `"${a}"`, one level of it at a time.
        let mut last = first;
        let mut rounds = 0;
        while let Some(text) = native(last.as_bytes(), kind) {
            // A literal may need more than a file can say in JSON.
            let Some(next) = json(text.as_bytes(), kind) else { break };
            if next == last {
                break;
            }
            rounds += 1;
            assert!(rounds <= data.len(), "{next}");
            last = next;
        }
    }
});
