//! Invalid and deep input gives a diagnostic at its exact position or a documented result, the same
//! for every kernel and engine, without recursion.

use std::fs;
use std::path::Path;

use simd_hcl::body::{AttributeSchema, BlockSchema};
use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::fuzzing::Engine;
use simd_hcl::json::JsonValue;
use simd_hcl::show::DocumentKind;
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::{Arena, Code, Document, Kernel, Node, ParseOptions, Schema, Source, Span};
use simd_hcl_corpus::sized;

use crate::oracle;

fn parse<'a>(arena: &'a Arena, text: &'a [u8]) -> Document<'a> {
    Document::parse_bytes(arena, "input", text).unwrap()
}

fn parse_at<'a>(arena: &'a Arena, text: &'a [u8], skeleton_depth: u32) -> Document<'a> {
    let source = Source::from_bytes(arena, "input", text).unwrap();
    let options = ParseOptions::default().with_skeleton_depth(skeleton_depth);
    Document::parse_with(arena, source, &options).unwrap()
}

/// Returns the error of a text, which must be the same for all kernels and engines.
fn refusal(text: &[u8]) -> (Code, Span) {
    let engines = Kernel::available().flat_map(|kernel| {
        [Engine::Automaton, Engine::Vectorised]
            .map(|engine| ParseOptions::default().with_kernel(kernel).with_engine(engine))
    });
    let mut errors = engines.map(|options| {
        let arena = Arena::new();
        let source = Source::from_bytes(&arena, "input", text).unwrap();
        let error = Document::read(&arena, source, &options).unwrap_err();
        (error.code(), error.span())
    });
    let first = errors.next().unwrap();
    assert!(errors.all(|other| other == first));
    first
}

/// Runs on a stack with less than 30 bytes per level for 10,000 levels.
fn on_a_small_stack(work: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(256 << 10);
        thread.spawn_scoped(scope, work).unwrap().join().unwrap();
    });
}

/// Returns a number inside nested arrays, nested objects, and both in turn.
fn nested(levels: usize) -> [String; 3] {
    let both = |arrays: &dyn Fn(usize) -> bool| {
        let mut text = String::new();
        (0..levels).for_each(|level| text += if arrays(level) { "[" } else { "{\"a\":" });
        text += "7";
        (0..levels).rev().for_each(|level| text += if arrays(level) { "]" } else { "}" });
        text
    };
    [both(&|_| true), both(&|_| false), both(&|level| level % 2 == 1)]
}

#[test]
fn ten_thousand_levels_are_read() {
    on_a_small_stack(|| {
        for text in nested(10_000) {
            for skeleton_depth in [0, 1, 3, 9_999, 10_000, u32::MAX] {
                let arena = Arena::new();
                let document = parse_at(&arena, text.as_bytes(), skeleton_depth);
                let starts = document.events().filter(|event| event.kind().is_start()).count();
                assert_eq!(starts, 10_000);
                assert_eq!(innermost(document.root()).text(), b"7");
            }
        }
    });
}

/// Returns the innermost value of nested containers with one member each.
fn innermost(mut node: Node<'_>) -> Node<'_> {
    loop {
        node = match node.value() {
            JsonValue::Object(object) => object.members().next().unwrap().value(),
            JsonValue::Array(array) => array.elements().next().unwrap(),
            _ => return node,
        };
    }
}

#[test]
fn ten_thousand_levels_by_pointer() {
    on_a_small_stack(|| {
        for (text, step) in nested(10_000).iter().zip(["/0", "/a", "/a/0"]) {
            let arena = Arena::new();
            let document = parse(&arena, text.as_bytes());
            let pointer = step.repeat(10_000 * 2 / step.len());
            assert_eq!(document.root().pointer(&pointer).unwrap().text(), b"7");
            assert!(document.root().pointer(&format!("{pointer}/0")).is_none());
        }
    });
}

#[test]
fn ten_thousand_levels_of_blocks() {
    static BLOCK: Schema = Schema::new(&[], &[BlockSchema::new("a", &[])]);
    on_a_small_stack(|| {
        for text in nested(10_000).iter().skip(1) {
            let arena = Arena::new();
            let mut body = parse(&arena, text.as_bytes()).body();
            let mut levels = 0;
            while let Some(block) = body.content(&BLOCK, &mut ()).all_blocks().first() {
                body = block.body();
                levels += 1;
            }
            assert!(levels >= 5_000 - 1, "{levels} blocks");
        }
    });
}

#[test]
fn one_level_too_many() {
    for text in nested(10_001) {
        let (code, span) = refusal(text.as_bytes());
        assert_eq!(code, Code::NestingTooDeep);
        let opened = text.as_bytes()[..span.end as usize].iter().filter(|b| b"[{".contains(b));
        assert_eq!((opened.count(), span.len()), (10_001, 1), "at the bracket that is too many");
    }
}

#[test]
fn another_limit() {
    let options = ParseOptions::default().with_max_depth(2);
    let arena = Arena::new();
    let parse = |text| {
        let source = Source::from_bytes(&arena, "input", text).unwrap();
        Document::read(&arena, source, &options).map_err(|error| error.code()).err()
    };
    assert_eq!(parse(b"[[7], {}]"), None);
    assert_eq!(parse(b"[[7], {\"a\": []}]"), Some(Code::NestingTooDeep));
    let levels = sized([1_000_000, 10_000_000, 10_000_000]);
    let text = "[".repeat(levels) + &"]".repeat(levels);
    on_a_small_stack(|| {
        let arena = Arena::new();
        let source = Source::from_bytes(&arena, "input", text.as_bytes()).unwrap();
        let options = ParseOptions::default().with_max_depth(u32::MAX);
        let document = Document::parse_with(&arena, source, &options).unwrap();
        assert_eq!(document.events().count(), 2 * levels, "without a limit");
    });
}

#[test]
fn ten_million_brackets() {
    let text = "[".repeat(10_000_000);
    assert_eq!(refusal(text.as_bytes()), (Code::NestingTooDeep, Span::new(10_000, 10_001)));
    let text = "{\"a\":".repeat(2_000_000);
    assert_eq!(refusal(text.as_bytes()), (Code::NestingTooDeep, Span::new(50_000, 50_001)));
    // An accepted number of levels, none of them closed.
    let text = "[".repeat(10_000);
    for skeleton_depth in 0..6 {
        for kernel in Kernel::available() {
            let arena = Arena::new();
            let source = Source::from_bytes(&arena, "input", text.as_bytes()).unwrap();
            let options =
                ParseOptions::default().with_skeleton_depth(skeleton_depth).with_kernel(kernel);
            let error = Document::read(&arena, source, &options).unwrap_err();
            assert_eq!(error.code(), Code::UnclosedArray);
        }
    }
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
fn empty_and_white_space() {
    for (text, place) in [("", 0), (" ", 1), ("\n\t\r ", 4), ("\u{FEFF}", 3), ("\u{FEFF} ", 4)] {
        assert_eq!(refusal(text.as_bytes()), (Code::MissingValue, Span::at(place)), "{text:?}");
    }
}

#[test]
fn nul_bytes() {
    assert_eq!(refusal(b"\0"), (Code::InvalidStartOfValue, Span::new(0, 1)));
    assert_eq!(refusal(b"[\"a\0b\"]"), (Code::ControlCharacter, Span::new(3, 4)));
    assert_eq!(refusal(b"{\"a\0\": 1}"), (Code::ControlCharacter, Span::new(3, 4)));
    assert_eq!(refusal(b"[1]\0"), (Code::ExtraneousData, Span::new(3, 4)));
    assert_eq!(refusal(b"[1,\0 2]"), (Code::InvalidStartOfValue, Span::new(3, 4)));
    let arena = Arena::new();
    let document = parse(&arena, br#"{"a\u0000": "\u0000"}"#);
    assert_eq!(document.root().as_object().unwrap().get("a\0").unwrap().to_str(), Some("\0"));
}

#[test]
fn a_byte_order_mark_is_reported_and_skipped() {
    static SCHEMA: Schema = Schema::new(&[AttributeSchema::required("a")], &[]);
    let arena = Arena::new();
    let document = parse(&arena, b"\xEF\xBB\xBF{\"a\": [1]}");
    let told: Vec<_> = document.diagnostics().iter().map(|d| (d.code(), d.span())).collect();
    assert_eq!(told, [(Code::ByteOrderMark, Span::new(0, 3))]);
    let mut diagnostics = Vec::new();
    let content = document.body().content(&SCHEMA, &mut diagnostics);
    assert_eq!(content.attribute("a").unwrap().span(), Span::new(4, 12));
    assert!(diagnostics.is_empty());
    // If a syntax error follows, only that is reported.
    assert_eq!(refusal(b"\xEF\xBB\xBF{\"a\": }"), (Code::MissingPropertyValue, Span::new(9, 10)));
    assert_eq!(refusal(b"\xEF\xBB\xBF\xEF\xBB\xBF1"), (Code::InvalidStartOfValue, Span::new(3, 6)));
    assert_eq!(refusal(b"\xEF\xBB"), (Code::InvalidUtf8, Span::new(0, 1)));
}

#[test]
fn other_encodings_are_named() {
    for text in ["{}", "[1]", "{\"a\": \"é漢\"}", "\n {\r\n}", "\"text\""] {
        let units = |mark: &str| format!("{mark}{text}").encode_utf16().collect::<Vec<u16>>();
        let points =
            |mark: &str| format!("{mark}{text}").chars().map(u32::from).collect::<Vec<_>>();
        for mark in ["", "\u{FEFF}"] {
            let (units, points) = (units(mark), points(mark));
            let encodings: [(&str, Vec<u8>); 4] = [
                ("UTF-16 (little-endian)", units.iter().flat_map(|u| u.to_le_bytes()).collect()),
                ("UTF-16 (big-endian)", units.iter().flat_map(|u| u.to_be_bytes()).collect()),
                ("UTF-32 (little-endian)", points.iter().flat_map(|p| p.to_le_bytes()).collect()),
                ("UTF-32 (big-endian)", points.iter().flat_map(|p| p.to_be_bytes()).collect()),
            ];
            for (encoding, bytes) in encodings {
                assert_eq!(refusal(&bytes), (Code::NotUtf8Encoding, Span::at(0)));
                let arena = Arena::new();
                let error = Document::parse_bytes(&arena, "input", &bytes).unwrap_err();
                assert!(error.to_string().contains(encoding), "{error}");
            }
        }
    }
}

#[test]
fn lone_surrogates_are_reported_at_their_position() {
    let arena = Arena::new();
    for (text, text_read, spans) in [
        (r#"["\ud800"]"#, "\u{FFFD}", &[(2, 8)][..]),
        (r#"["\uDFFF!"]"#, "\u{FFFD}!", &[(2, 8)]),
        (r#"["\ud83d\ude00"]"#, "😀", &[]),
        (r#"["\ude00\ud83d"]"#, "\u{FFFD}\u{FFFD}", &[(2, 8), (8, 14)]),
        (r#"["\ud83d\ud83d\ude00"]"#, "\u{FFFD}😀", &[(2, 8)]),
        (r#"["\ud83d \ude00"]"#, "\u{FFFD} \u{FFFD}", &[(2, 8), (9, 15)]),
        (r#"["\ud83d\\ude00"]"#, "\u{FFFD}\\ude00", &[(2, 8)]),
        (r#"["\\ud83d"]"#, "\\ud83d", &[]),
        (r#"["\ufffd"]"#, "\u{FFFD}", &[]),
        (r#"["\ufffd\ud800"]"#, "\u{FFFD}\u{FFFD}", &[(8, 14)]),
        (r#"["\ud7ff\ue000"]"#, "\u{D7FF}\u{E000}", &[]),
    ] {
        let document = parse(&arena, text.as_bytes());
        assert_eq!(document.root().pointer("/0").unwrap().to_str(), Some(text_read));
        let expected: Vec<_> = spans
            .iter()
            .map(|&(start, end)| (Code::LoneSurrogate, Span::new(start, end)))
            .collect();
        let told: Vec<_> = document.diagnostics().iter().map(|d| (d.code(), d.span())).collect();
        assert_eq!(told, expected, "{text}");
        oracle::assert_diagnostics(document);
    }
    // At every position in a block, with every kernel, also in names.
    for before in 0..140 {
        let text = format!("{{\"{}\\udbff\": \"\\ud800\\udc00\\ud800\"}}", "x".repeat(before));
        for kernel in Kernel::available() {
            let source = Source::from_bytes(&arena, "input", text.as_bytes()).unwrap();
            let options = ParseOptions::default().with_kernel(kernel);
            let document = Document::parse_with(&arena, source, &options).unwrap();
            assert_eq!(document.diagnostics().len(), 2);
            oracle::assert_diagnostics(document);
        }
    }
}

#[test]
fn prepend_characters_do_not_hide_quotes() {
    // Characters that form one grapheme cluster with the quote after them.
    for prepend in ["\u{600}", "\u{605}", "\u{6DD}", "\u{70F}", "\u{8E2}", "\u{110BD}"] {
        let text = format!("{{\"{prepend}\": \"{prepend}\", \"b{prepend}\": [\"{prepend}\"]}}");
        let arena = Arena::new();
        let document = parse(&arena, text.as_bytes());
        assert_eq!(document.body().just_attributes(&mut ()).len(), 2);
        oracle::assert_values(document);
    }
}

#[test]
fn white_space_of_other_standards_is_invalid() {
    for character in ["\u{A0}", "\u{2028}", "\u{3000}", "\u{85}", "\u{B}", "\u{C}", "\u{200B}"] {
        let text = format!("[1,{character}2]");
        let span = Span::new(3, 3 + character.len() as u32);
        assert_eq!(refusal(text.as_bytes()), (Code::InvalidStartOfValue, span));
    }
}

#[test]
fn values_of_javascript_are_reported_as_a_whole() {
    for value in ["NaN", "Infinity", "undefined", "-Infinity", "+Infinity", "-NaN", "+NaN"] {
        for text in
            [format!("{{\"a\":{value}}}"), format!("[[],{value} ,1]"), format!("    {value}")]
        {
            let start = text.find(value).unwrap() as u32;
            let span = Span::new(start, start + value.len() as u32);
            assert_eq!(refusal(text.as_bytes()), (Code::JavascriptValue, span), "{text}");
        }
    }
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
        assert_eq!(error.code, code, "{error}");
    }
}

/// If a file is another kind of document, only that is reported, not its syntax errors and unknown
/// names.
#[test]
fn broken_files_of_another_kind_have_one_diagnostic() {
    for (name, code, what) in [
        ("native-syntax", "unexpected-document", "This is native HCL syntax, not a JSON document."),
        (
            "terraform-state",
            "unexpected-document",
            "This is a state file, not a configuration file.",
        ),
        ("plan", "unexpected-document", "This is a plan, not a configuration file."),
        ("printed-state", "unexpected-document", "This is a state, not a configuration file."),
        (
            "provider-schemas",
            "unexpected-document",
            "This is a schema document, not a configuration file.",
        ),
        ("backend-settings", "unexpected-document", "This is a file of backend settings, not"),
        ("event-stream", "unexpected-document", "This is a stream of messages, not"),
        ("tool-output", "unexpected-document", "This is the output of a tool for people, not"),
        ("html-page", "unexpected-document", "This is a page of HTML or XML, not"),
        (
            "legacy-template-under-another-name",
            "unexpected-document",
            "This is a Packer template from before HCL",
        ),
        ("packer-legacy-template", "legacy-template", "The property \"builders\""),
        (
            "label-as-argument",
            "label-as-argument",
            "the property that holds the block, {\"shell\": {...}}.",
        ),
        ("reference-as-text", "for-each-value", "Did you mean \"${var.zones}\"?"),
    ] {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/broken").join(name);
        let modules = discover(&[directory], &DiscoverOptions::default()).modules;
        let arena = Arena::new();
        let tree = Tree::load(&arena, modules, &TreeOptions::default());
        let told: Vec<_> = tree.diagnostics().collect();
        assert_eq!(told.len(), 1, "{name}: {told:?}");
        assert_eq!(told[0].code().as_str(), code, "{name}: {}", told[0]);
        assert!(told[0].to_string().contains(what), "{name}: {}", told[0]);
    }
}

/// A configuration with unknown names is still recognised as a configuration.
#[test]
fn a_configuration_with_unknown_names_is_no_other_document() {
    for text in [
        r#"{"resource": {}, "values": {}, "format_version": "1.0"}"#,
        r#"{"version": 1, "serial": 2, "lineage": "x", "locals": {}}"#,
        r#"{"serial": 2}"#,
        r#"{"platform": "x"}"#,
        r#"{"values": {}}"#,
        r#"{"planned_values": {}}"#,
        "{}",
        "[]",
    ] {
        let arena = Arena::new();
        let document = Document::parse_bytes(&arena, "x", text.as_bytes()).unwrap();
        assert_eq!(DocumentKind::instead_of_configuration(document.root()), None, "{text}");
    }
}

#[test]
fn a_body_after_one_of_the_wrong_type_is_still_read() {
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
    // Only the number is reported: the empty array is a body without properties.
    assert_eq!(told, 1);
}
