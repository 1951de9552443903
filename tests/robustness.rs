//! Bad input, and large input: a diagnostic or a documented result, in linear time, without recursion.
#![allow(clippy::unwrap_used, unsafe_code)]

use std::fs;
use std::path::{Path, PathBuf};

use simd_hcl::body::{AttributeSchema, BlockSchema};
use simd_hcl::json::Value;
use simd_hcl::source::SourceError;
use simd_hcl::{
    Arena, Code, Document, Kernel, Node, OpenError, ParseOptions, Schema, Source, Span,
};

/// Parses with every kernel, and gives what they agree on: the error, or none.
fn error_of(text: &[u8]) -> Option<(Code, Span)> {
    let mut kernels = Kernel::available().map(|kernel| {
        let arena = Arena::new();
        let source = Source::from_bytes(&arena, "x", text).unwrap();
        let options = ParseOptions::default().with_kernel(kernel);
        let error = Document::parse_with(&arena, source, &options).err()?;
        assert!(error.span().end as usize <= text.len(), "{error}");
        Some((error.code(), error.span()))
    });
    let first = kernels.next().unwrap();
    assert!(kernels.all(|other| other == first));
    first
}

/// What serde_json says, where the two must agree.
fn serde_accepts(text: &[u8]) -> bool {
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    deserializer.disable_recursion_limit();
    let value = <serde::de::IgnoredAny as serde::Deserialize>::deserialize(&mut deserializer);
    // An ignored string is not checked for UTF-8.
    value.is_ok() && deserializer.end().is_ok() && std::str::from_utf8(text).is_ok()
}

fn check_verdict(text: &[u8]) {
    let ours = error_of(text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text));
    let without_bom = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    assert_eq!(
        ours.is_none(),
        serde_accepts(without_bom),
        "{ours:?} for {:?}",
        String::from_utf8_lossy(text)
    );
}

fn inputs() -> Vec<PathBuf> {
    fn walk(directory: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, files);
            } else if path.extension().is_some_and(|extension| extension == "json") {
                files.push(path);
            }
        }
    }
    let mut files = Vec::new();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    walk(&corpus.join("broken"), &mut files);
    walk(&corpus.join("conformance"), &mut files);
    files.retain(|path| {
        let name = path.file_name().unwrap().to_str().unwrap();
        !matches!(name, "expected.json" | "schema.json" | "simd-hcl.json" | "vars.json")
    });
    files.sort();
    files
}

#[test]
fn every_truncation_and_every_changed_byte_of_small_inputs() {
    let longest = if cfg!(debug_assertions) { 120 } else { 600 };
    let mut count = 0;
    for path in inputs() {
        let text = fs::read(&path).unwrap();
        if text.len() > longest {
            continue;
        }
        count += 1;
        for end in 0..=text.len() {
            check_verdict(&text[..end]);
        }
        let mut changed = text.clone();
        for at in 0..text.len() {
            for bit in 0..8 {
                changed[at] = text[at] ^ 1 << bit;
                check_verdict(&changed);
            }
            changed[at] = text[at];
        }
    }
    assert!(count > 50, "{count} small inputs");
}

#[test]
fn broken_files_have_the_diagnostic_of_their_name() {
    for (name, code) in [
        ("trailing-comma-in-object", "trailing-comma"),
        ("trailing-comma-in-array", "trailing-comma"),
        ("missing-comma", "missing-comma"),
        ("missing-colon", "missing-colon"),
        ("equals-for-colon", "equals-for-colon"),
        ("missing-value", "missing-property-value"),
        ("colon-in-array", "invalid-array-value"),
        ("single-quotes", "single-quote"),
        ("curly-quotes", "single-quote"),
        ("unquoted-name", "unquoted-name"),
        ("number-as-name", "invalid-property-name"),
        ("unclosed-string", "control-character"),
        ("line-comment", "comment"),
        ("hash-comment", "comment"),
        ("block-comment", "comment"),
        ("nan", "javascript-value"),
        ("infinity", "javascript-value"),
        ("undefined", "javascript-value"),
        ("keyword-in-capitals", "invalid-keyword"),
        ("misspelt-keyword", "invalid-keyword"),
        ("leading-zero", "invalid-number"),
        ("plus-sign", "invalid-number"),
        ("hexadecimal", "invalid-number"),
        ("digit-separator", "invalid-number"),
        ("missing-bracket", "mismatched-brackets"),
        ("missing-brace", "unclosed-object"),
        ("mismatched-bracket", "mismatched-braces"),
        ("duplicate-root", "extraneous-data"),
        ("truncated-in-string", "unterminated-string"),
        ("bad-escape", "invalid-escape"),
        ("bad-unicode-escape", "invalid-escape"),
        ("tab-in-string", "control-character"),
        ("nul-byte", "control-character"),
        ("invalid-utf8", "invalid-utf-8"),
        ("overlong-utf8", "invalid-utf-8"),
        ("utf-16", "not-utf8-encoding"),
        ("utf-16-big-endian-no-mark", "not-utf8-encoding"),
        ("empty-file", "missing-value"),
        ("only-white-space", "missing-value"),
        ("too-deep", "nesting-too-deep"),
    ] {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/broken").join(name);
        let file = fs::read_dir(&directory).unwrap().next().unwrap().unwrap().path();
        let arena = Arena::new();
        let error = Document::open(&arena, &file).map(|_| name).unwrap_err();
        assert_eq!(error.code().as_str(), code, "{error}");
    }
}

#[test]
fn invalid_utf_8_is_found_at_its_byte() {
    for bad in
        [&b"\xFF"[..], b"\xC3", b"\xE2\x82", b"\xED\xA0\x80", b"\xF5\x80\x80\x80", b"\xC0\xAF"]
    {
        for at in (0..200).chain(8150..8250) {
            let mut text = b"{\"a\":\"".to_vec();
            text.resize(6 + at, b'x');
            text.extend_from_slice(bad);
            text.extend_from_slice(b"\"}");
            let start = 6 + at as u32;
            assert_eq!(error_of(&text), Some((Code::InvalidUtf8, Span::new(start, start + 1))));
        }
    }
}

#[test]
fn byte_order_marks_and_lone_surrogates_are_told_and_decoding_goes_on() {
    let arena = Arena::new();
    let text = b"\xEF\xBB\xBF{\"a\":\"x\\ud83dy\\uDE00\"}";
    let document = Document::parse_bytes(&arena, "x", text).unwrap();
    let told: Vec<_> =
        document.diagnostics().iter().map(|told| (told.code(), told.span())).collect();
    assert_eq!(
        told,
        [
            (Code::ByteOrderMark, Span::new(0, 3)),
            (Code::LoneSurrogate, Span::new(10, 16)),
            (Code::LoneSurrogate, Span::new(17, 23)),
        ]
    );
    let value = document.root().pointer("/a").unwrap().to_str();
    assert_eq!(value, Some("x\u{FFFD}y\u{FFFD}"));
    assert_eq!(error_of(b"{\"a\":\"\\ud83d\\ude00 \\\\ud83d\"}"), None);
}

#[test]
fn other_encodings_are_recognised() {
    let utf16 =
        |unit: fn(u16) -> [u8; 2]| "{\"a\":1}".encode_utf16().flat_map(unit).collect::<Vec<_>>();
    let utf32 = |unit: fn(u32) -> [u8; 4]| {
        "{\"a\":1}".chars().flat_map(|c| unit(c.into())).collect::<Vec<_>>()
    };
    for (mark, text) in [
        (&b"\xFF\xFE"[..], utf16(u16::to_le_bytes)),
        (b"\xFE\xFF", utf16(u16::to_be_bytes)),
        (b"\xFF\xFE\0\0", utf32(u32::to_le_bytes)),
        (b"\0\0\xFE\xFF", utf32(u32::to_be_bytes)),
    ] {
        for text in [text.clone(), [mark, &text].concat()] {
            assert_eq!(error_of(&text), Some((Code::NotUtf8Encoding, Span::at(0))));
        }
    }
}

/// Bytes for tests of size: a tenth where debug assertions make everything slow.
fn large(bytes: usize) -> usize {
    if cfg!(debug_assertions) { bytes / 10 } else { bytes }
}

#[test]
fn nesting_up_to_the_limit_and_no_further() {
    let nested = |open: &str, close: &str, levels: usize| {
        format!("{}1{}", open.repeat(levels), close.repeat(levels))
    };
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")] {
        let levels = 10_000 / open.matches(['[', '{']).count();
        let text = nested(open, close, levels);
        assert_eq!(error_of(text.as_bytes()), None);
        let arena = Arena::new();
        let document = Document::parse_bytes(&arena, "x", text.as_bytes()).unwrap();
        assert!(document.events().count() >= 20_001);
        let mut node: Node<'_> = document.root();
        loop {
            node = match node.value() {
                Value::Array(array) => array.get(0).unwrap(),
                Value::Object(object) => object.get("a").unwrap(),
                _ => break,
            };
        }
        assert_eq!(node.as_number().unwrap().as_u64(), Some(1));
        let body =
            document.body().content(&Schema::new(&[], &[BlockSchema::new("a", &["b"])]), &mut ());
        assert!(body.attributes().is_empty());

        let text = nested(open, close, levels + 1);
        let (code, span) = error_of(text.as_bytes()).unwrap();
        assert_eq!(code, Code::NestingTooDeep);
        assert!(open.as_bytes().contains(&text.as_bytes()[span.start as usize]));
    }
    let brackets = "[".repeat(large(10_000_000));
    assert_eq!(
        error_of(brackets.as_bytes()),
        Some((Code::NestingTooDeep, Span::new(10_000, 10_001)))
    );
}

#[test]
fn many_labels_of_nested_objects_do_not_recurse() {
    let levels = 9_000;
    let text = format!("{{\"a\":{}{{}}{}}}", "{\"l\":".repeat(levels), "}".repeat(levels));
    let labels = vec!["label"; levels];
    let schema = [BlockSchema::new("a", &labels)];
    let arena = Arena::new();
    let document = Document::parse_bytes(&arena, "x", text.as_bytes()).unwrap();
    let mut told = Vec::new();
    let schema = Schema::new(&[], &schema);
    let content = document.body().content(&schema, &mut told);
    assert!(told.is_empty());
    assert_eq!(content.all_blocks()[0].labels().len(), levels);
}

#[test]
fn long_strings_names_lines_and_blanks() {
    let len = large(100_000_000);
    let arena = Arena::new();
    let text = format!(
        "{{\"a\": \"{}\", \"{}\": {}1}}",
        "x".repeat(len),
        "y".repeat(len / 10),
        " ".repeat(len)
    );
    let document = Document::parse_bytes(&arena, "x", text.as_bytes()).unwrap();
    let object = document.root().as_object().unwrap();
    assert_eq!(object.get("a").unwrap().to_str().unwrap().len(), len);
    let last = object.members().last().unwrap();
    assert_eq!(last.name().to_str().len(), len / 10);
    let position = document.source().position(last.value().offset());
    assert_eq!((position.line, position.column), (1, text.len() as u32 - 1));
    let escaped = format!("[\"{}\"]", "\\\\\\\"".repeat(len / 100));
    assert_eq!(error_of(escaped.as_bytes()), None);
    assert_eq!(
        error_of(&escaped.as_bytes()[..escaped.len() - 2]).unwrap().0,
        Code::UnterminatedString
    );
}

#[test]
fn a_million_duplicate_names() {
    let count = large(1_000_000);
    let text = format!("{{{}\"a\":0}}", "\"a\":1,".repeat(count));
    let arena = Arena::new();
    let document = Document::parse_bytes(&arena, "x", text.as_bytes()).unwrap();
    static SCHEMA: Schema<'static> = Schema::new(&[AttributeSchema::required("a")], &[]);
    let mut told = 0;
    let content = document.body().content(&SCHEMA, &mut |_| told += 1);
    assert_eq!((content.attributes().len(), told), (1, count));
    let mut told = 0;
    let attributes = document.body().just_attributes(&mut |_| told += 1);
    assert_eq!((attributes.len(), told), (1, count));

    let names: String = (0..count).map(|number| format!("\"n{number}\":{{}},")).collect();
    let text = format!("{{{names}\"a\":0}}");
    let document = Document::parse_bytes(&arena, "x", text.as_bytes()).unwrap();
    assert_eq!(document.body().just_attributes(&mut ()).len(), count + 1);
    let mut told = 0;
    document.body().content(&SCHEMA, &mut |_| told += 1);
    assert_eq!(told, count);
}

#[test]
fn opening_everything_in_any_order_is_linear() {
    // Sealed siblings, opened from the last to the first, and a deep one.
    let count = large(300_000);
    let text = format!("[[[[{}[1]]]]]", "{\"a\":[1,{}]},".repeat(count));
    for depth in 0..5 {
        let arena = Arena::new();
        let source = Source::from_bytes(&arena, "x", text.as_bytes()).unwrap();
        let options = ParseOptions::default().with_skeleton_depth(depth);
        let document = Document::parse_with(&arena, source, &options).unwrap();
        let inner = document.root().pointer("/0/0/0").unwrap().as_array().unwrap();
        let elements: Vec<Node<'_>> = inner.elements().collect();
        assert_eq!(elements.len(), count + 1);
        for element in elements.iter().rev().filter_map(|element| element.as_object()) {
            assert!(element.get("a").unwrap().as_array().unwrap().get(1).unwrap().is_object());
        }
        assert!(document.root().pointer("/0/0/0/0").unwrap().is_object());
    }
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    let arena = Arena::new();
    let document = Document::parse_bytes(&arena, "x", deep.as_bytes()).unwrap();
    let mut node = document.root();
    while let Some(inner) = node.as_array().and_then(|array| array.get(0)) {
        node = inner;
    }
    assert_eq!(node.span(), Span::new(4_999, 5_001));
}

#[test]
fn threads_open_the_same_containers() {
    let text = format!("[[[[{}1]]]]", "{\"a\":[1,2,3]},".repeat(2_000));
    let arena = Arena::new();
    let document = Document::parse_bytes(&arena, "x", text.as_bytes()).unwrap();
    let expected: Vec<_> = document.skeleton().map(|event| event.span()).collect();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let inner = document.root().pointer("/0/0/0").unwrap().as_array().unwrap();
                let sum: u64 = inner
                    .elements()
                    .filter_map(|element| element.pointer("/a/2")?.as_number()?.as_u64())
                    .sum();
                assert_eq!(sum, 6_000);
            });
        }
    });
    let skeleton: Vec<_> = document.skeleton().map(|event| event.span()).collect();
    assert_eq!(skeleton, expected);
}

#[test]
fn a_body_behind_a_body_of_the_wrong_type_is_still_read() {
    let arena = Arena::new();
    let text = br#"{"a": [1, {"x": 1}, null, []], "b": "text", "c": {"l": 5}}"#;
    let document = Document::parse_bytes(&arena, "x", text).unwrap();
    static SCHEMA: Schema<'static> = Schema::new(
        &[],
        &[BlockSchema::new("a", &[]), BlockSchema::new("b", &[]), BlockSchema::new("c", &["l"])],
    );
    let mut told = Vec::new();
    let content = document.body().content(&SCHEMA, &mut told);
    assert_eq!(content.all_blocks().len(), 4);
    let codes: Vec<Code> = told.iter().map(|told| told.code()).collect();
    assert_eq!(codes, [Code::IncorrectType, Code::IncorrectType]);
    let mut told = 0;
    for block in content.all_blocks() {
        block.body().partial_content(&Schema::new(&[], &[]), &mut |_| told += 1);
    }
    // The number; the empty array is a body without properties.
    assert_eq!(told, 1);
}

#[test]
fn what_is_no_readable_file_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let arena = Arena::new();
    let read = |name: &str| Source::read(&arena, directory.path().join(name));
    assert!(matches!(read("."), Err(SourceError::Directory)));
    assert!(matches!(read("missing"), Err(SourceError::Io(_))));
    fs::write(directory.path().join("empty"), "").unwrap();
    assert!(read("empty").unwrap().bytes().is_empty());
    // SAFETY: nobody changes the file.
    let mapped = unsafe { Source::map(&arena, directory.path().join("empty")) };
    assert!(mapped.unwrap().bytes().is_empty());

    let sparse = fs::File::create(directory.path().join("sparse")).unwrap();
    match sparse.set_len(5 << 30) {
        Ok(()) => {
            assert!(matches!(read("sparse"), Err(SourceError::TooLarge { len: 0x1_4000_0000 })))
        }
        Err(error) => println!("skipped: a file of 5 GiB ({error})"),
    }
    let error: Box<OpenError> = Document::open(&arena, directory.path()).map(|_| ()).unwrap_err();
    assert_eq!(error.code(), Code::UnreadableFile);
    assert!(error.to_string().ends_with("The file cannot be read: it is a directory."), "{error}");
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_opened() {
    let directory = tempfile::tempdir().unwrap();
    let pipe = directory.path().join("pipe.tf.json");
    match std::process::Command::new("mkfifo").arg(&pipe).status() {
        Ok(status) if status.success() => {
            let arena = Arena::new();
            assert!(matches!(Source::read(&arena, &pipe), Err(SourceError::SpecialFile)));
        }
        _ => println!("skipped: a_pipe_is_not_opened (no mkfifo)"),
    }
}

#[test]
fn mapped_and_read_sources_are_alike() {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), "{\"a\": [1, 2, {\"b\": null}]}").unwrap();
    let mut arena = Arena::new();
    for _ in 0..3 {
        let read = Document::open(&arena, file.path()).unwrap();
        // SAFETY: nobody changes the file.
        let source = unsafe { Source::open(&arena, file.path(), 1) }.unwrap();
        let mapped = Document::parse(&arena, source).unwrap();
        assert_eq!(read.root().text(), mapped.root().text());
        assert_ne!(read.source().id(), mapped.source().id());
        arena.reset();
    }
}
