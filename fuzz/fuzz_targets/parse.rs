//! Parsing never panics, accepts what serde_json accepts, gives the same values and spans, and
//! refuses at a byte up to which the text could still have become JSON.
#![no_main]

#[path = "../../tests/it/oracle/mod.rs"]
mod oracle;

use libfuzzer_sys::fuzz_target;
use serde::de::IgnoredAny;
use serde_json::error::Category;
use simd_hcl::{Arena, Code, Diagnostic, Document, OwnedDiagnostic, ParseOptions, Source};

const MAX_DEPTH: u32 = 64;

fuzz_target!(|text: &[u8]| {
    let mut arena = Arena::new();
    for skeleton_depth in [0, 3] {
        let options =
            ParseOptions::default().with_max_depth(MAX_DEPTH).with_skeleton_depth(skeleton_depth);
        let source = Source::from_bytes(&arena, "input", text).unwrap();
        let result = Document::parse_with(&arena, source, &options);
        assert_eq!(result.is_ok(), oracle::accepts(text, MAX_DEPTH));
        match result {
            Ok(document) => {
                oracle::assert_events(document);
                oracle::assert_values(document);
                oracle::assert_diagnostics(document);
            }
            Err(error) => {
                let found = Document::read(&arena, source, &options).err().unwrap();
                refused(source, &error, &found);
            }
        }
        arena.reset();
    }
});

/// Whether more bytes can make JSON of it, or it is JSON.
fn can_become_json(prefix: &[u8]) -> bool {
    let valid = match std::str::from_utf8(prefix) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&prefix[..error.valid_up_to()]).unwrap()
        }
        Err(_) => return false,
    };
    // serde_json does not tell an unfinished number from a wrong one: a digit finishes it.
    [valid, &format!("{valid}0")].into_iter().any(|text| {
        match serde_json::from_str::<IgnoredAny>(text) {
            Ok(_) => true,
            Err(error) => error.classify() == Category::Eof,
        }
    })
}

fn refused(source: Source<'_>, owned: &OwnedDiagnostic, error: &Diagnostic<'_>) {
    let text = source.bytes();
    let span = error.span();
    assert!(span.start <= span.end && span.end as usize <= text.len(), "{error}");
    assert_eq!(owned.range.start, source.position(span.start));
    let shown = owned.to_string();
    assert_eq!(owned.message(), error.message());
    assert!(!shown.contains('\n') && shown.len() < 1000, "{shown}");
    for related in error.related() {
        assert!(related.label.span.end as usize <= text.len(), "{error}");
    }

    if error.code() == Code::NotUtf8Encoding {
        return;
    }
    let text = oracle::without_mark(text);
    let mark = source.bytes().len() - text.len();
    let start = span.start as usize - mark;
    let end = span.end as usize - mark;
    assert!(can_become_json(&text[..start]), "{error}");
    match error.code() {
        Code::InvalidUtf8 => {
            assert_eq!(std::str::from_utf8(text).unwrap_err().valid_up_to(), start, "{error}");
        }
        Code::InvalidStartOfValue
        | Code::MissingComma
        | Code::MissingColon
        | Code::MissingElement
        | Code::MissingPropertyValue
        | Code::MissingObjectValue
        | Code::InvalidPropertyName
        | Code::InvalidArrayValue
        | Code::MismatchedBraces
        | Code::MismatchedBrackets
        | Code::ExtraneousData
        | Code::ControlCharacter
        | Code::EqualsForColon
        | Code::UnquotedName
        | Code::SingleQuote
        | Code::JavascriptValue
            if end < text.len() || start < end =>
        {
            assert!(!can_become_json(&text[..end]), "{error}");
        }
        Code::UnclosedObject | Code::UnclosedArray | Code::UnterminatedString => {
            assert!(can_become_json(text), "{error}");
        }
        _ => {}
    }
}
