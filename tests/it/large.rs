//! Large input: linear time and memory.
//!
//! The tests measure no time: at these sizes, anything quadratic would take hours.

use simd_hcl::body::{AttributeSchema, BlockSchema};
use simd_hcl::json::JsonValue;
use simd_hcl::{
    Arena, Code, Diagnostic, Document, Node, OwnedDiagnostic, ParseOptions, Schema, Source, Span,
};
use simd_hcl_corpus::sized;

/// Returns the size, or a twentieth of it if tests are small.
fn scaled(size: usize) -> usize {
    sized([size / 20, size, size])
}

fn parse<'a>(arena: &'a Arena, text: &'a [u8]) -> Result<Document<'a>, Box<OwnedDiagnostic>> {
    Document::parse_bytes(arena, "input", text)
}

fn parse_at<'a>(arena: &'a Arena, text: &'a [u8], skeleton_depth: u32) -> Document<'a> {
    let source = Source::from_bytes(arena, "input", text).unwrap();
    let options = ParseOptions::default().with_skeleton_depth(skeleton_depth);
    Document::parse_with(arena, source, &options).unwrap()
}

fn refusal(text: &[u8]) -> (Code, Span) {
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "input", text).unwrap();
    let error = Document::read(&arena, source, &ParseOptions::default()).unwrap_err();
    (error.code(), error.span())
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

/// Returns the length of a string that is too long for the extent of an event.
fn long() -> usize {
    sized([20_000_000, 100_000_000, 100_000_000])
}

#[test]
fn a_long_string() {
    for (fill, escapes, depths) in
        [("x", "", &[0_u32][..]), ("é", "", &[3]), ("x", "\\n\\\"", &[0, 3])]
    {
        let inner = fill.repeat(long() / fill.len()) + escapes;
        let text = format!("[\"{inner}\", 1]");
        for &skeleton_depth in depths {
            let arena = Arena::new();
            let document = parse_at(&arena, text.as_bytes(), skeleton_depth);
            let elements: Vec<Node<'_>> = document.root().as_array().unwrap().elements().collect();
            assert_eq!(elements[0].span(), Span::new(1, inner.len() as u32 + 3));
            let string = elements[0].as_string().unwrap();
            assert!(string.raw() == inner);
            assert_eq!(string.to_str().len(), inner.len() - escapes.len() / 2);
            assert_eq!(elements[1].text(), b"1");
        }
    }
}

#[test]
fn a_long_line() {
    let member = "\"é\": [1, 2], ";
    let count = scaled(50_000_000) / member.len();
    let text = format!("{{{}\"last\": 0}}", member.repeat(count));
    let arena = Arena::new();
    let source = parse(&arena, text.as_bytes()).unwrap().source();
    for place in (0..count).step_by(count / 1000) {
        // The position of the opening bracket. The name has one byte more than columns.
        let offset = 1 + place * member.len() + 6;
        let position = source.position(offset as u32);
        assert_eq!((position.line, position.column as usize), (1, offset + 1 - (place + 1)));
    }
    let text = text + "x";
    let error = parse(&arena, text.as_bytes()).unwrap_err();
    assert_eq!(error.known_code(), Some(Code::ExtraneousData));
    assert_eq!(error.range.start.column as usize, text.len() - count);
}

#[test]
fn long_names() {
    let name = "n".repeat(scaled(100_000_000));
    let schema_names = [&name[..10], &name];
    let attributes = schema_names.map(AttributeSchema::optional);
    let schema = Schema::new(&attributes, &[]);
    let text = format!("{{\"{name}\": 1, \"{name}\": 2, \"{name}x\": 3, \"{name}\\n\": 4}}");
    let arena = Arena::new();
    let document = parse(&arena, text.as_bytes()).unwrap();
    let object = document.root().as_object().unwrap();
    assert_eq!(object.get(&name).unwrap().text(), b"1");
    assert_eq!(object.get(&format!("{name}\n")).unwrap().text(), b"4");
    let mut diagnostics = Vec::new();
    let content = document.body().content(&schema, &mut diagnostics);
    assert_eq!(content.attributes().len(), 1);
    let codes: Vec<Code> = diagnostics.iter().map(Diagnostic::code).collect();
    assert_eq!(
        codes,
        [Code::DuplicateArgument, Code::ExtraneousProperty, Code::ExtraneousProperty]
    );
    assert!(diagnostics.iter().all(|found| found.to_string().len() < 1000), "texts stay short");
    assert_eq!(document.body().just_attributes(&mut ()).len(), 3);
}

#[test]
fn long_names_in_syntax_errors() {
    let name = "n".repeat(scaled(10_000_000));
    for text in [
        format!("{{{name}: 1}}"),
        format!("{{\"{name}\" = 1}}"),
        format!("{{\"{name}\": }}"),
        format!("{{\"{name}\"}}"),
        format!("{{\"{name}\" 1}}"),
        format!("{{\"{}\": }}", "\\\"".repeat(name.len())),
        format!("{{\"{}\": }}", "\\\\".repeat(name.len())),
        format!("[{name}]"),
        format!("[{}.]", "1".repeat(name.len())),
        format!("[\"{name}"),
        format!("[{{\"{name}\\u00\": 1}}]"),
    ] {
        let arena = Arena::new();
        let error = parse(&arena, text.as_bytes()).unwrap_err();
        let shown = error.to_string();
        assert!(shown.len() < 1000, "{} has a text of {} bytes", error.code, shown.len());
    }
}

#[test]
fn long_numbers() {
    let digits = "1".repeat(scaled(10_000_000));
    let zeros = "0".repeat(scaled(10_000_000));
    let text = format!("[{digits}, 0.{zeros}1, 1e{digits}, -{digits}.{zeros}E-{digits}, 1{zeros}]");
    let arena = Arena::new();
    let document = parse(&arena, text.as_bytes()).unwrap();
    for element in document.root().as_array().unwrap().elements() {
        let number = element.as_number().unwrap();
        assert!(number.text().len() >= digits.len());
        assert_eq!((number.as_i64(), number.as_u64()), (None, None));
    }
    let text = format!("[0.{zeros}, 10{zeros}e-{}, 0e{digits}]", zeros.len());
    let document = parse(&arena, text.as_bytes()).unwrap();
    let numbers = document.root().as_array().unwrap().elements();
    let integers: Vec<_> = numbers.map(|number| number.as_number().unwrap().as_u64()).collect();
    assert_eq!(integers, [Some(0), Some(10), Some(0)]);
}

#[test]
fn runs_of_white_space_and_backslashes() {
    let run = scaled(50_000_000);
    let space = " \t\n\r".repeat(run / 4);
    let text = format!("{space}[{space}\"a\"{space},{space}1{space}]{space}");
    let arena = Arena::new();
    for skeleton_depth in [0, 3] {
        let document = parse_at(&arena, text.as_bytes(), skeleton_depth);
        let elements = document.root().as_array().unwrap().elements();
        assert!(elements.map(|node| node.span().len()).eq([3, 1]));
    }
    let text = "\"a\" , ".repeat(1000).replace(' ', &" ".repeat(run / 10_000));
    let text = format!("[{text}0]");
    assert_eq!(parse(&arena, text.as_bytes()).unwrap().events().count(), 1003);
    assert_eq!(refusal(space.as_bytes()).0, Code::MissingValue);

    let text = format!("[\"{}\"]", "\\".repeat(run));
    let string = parse(&arena, text.as_bytes()).unwrap().root().pointer("/0").unwrap();
    assert_eq!(string.to_str().unwrap().len(), run / 2);
    let text = format!("[\"{}\"]", "\\".repeat(run + 1));
    assert_eq!(refusal(text.as_bytes()), (Code::UnterminatedString, Span::new(1, 2)));
}

#[test]
fn a_million_members_of_one_name() {
    static SCHEMA: Schema = Schema::new(&[AttributeSchema::required("a")], &[]);
    static BLOCKS: Schema = Schema::new(&[], &[BlockSchema::new("a", &[])]);
    let count = scaled(1_000_000);
    for name in ["a", "\\u0061"] {
        let text = format!("{{{}\"{name}\": {{}}}}", format!("\"{name}\": {{}},").repeat(count));
        let arena = Arena::new();
        let body = parse(&arena, text.as_bytes()).unwrap().body();
        let mut diagnostics = Vec::new();
        assert_eq!(body.content(&SCHEMA, &mut diagnostics).attributes().len(), 1);
        assert_eq!(diagnostics.len(), count);
        diagnostics.clear();
        assert_eq!(body.just_attributes(&mut diagnostics).len(), 1);
        assert_eq!(diagnostics.len(), count);
        let (content, rest) = body.partial_content(&BLOCKS, &mut ());
        assert_eq!(content.blocks("a").count(), count + 1);
        assert!(rest.just_attributes(&mut ()).is_empty());
        let object = body.as_json().unwrap().as_object().unwrap();
        assert_eq!(object.get_all("a").count(), count + 1);
    }
}

#[test]
fn a_million_unknown_names() {
    // All names in the schema are similar to the unknown ones, and all are set.
    let known: Vec<String> = (100..200).map(|number| format!("name_{number}")).collect();
    let attributes: Vec<_> = known.iter().map(|name| AttributeSchema::optional(name)).collect();
    let schema = Schema::new(&attributes, &[]);
    let count = scaled(1_000_000);
    let mut text = String::from("{");
    known.iter().for_each(|name| text += &format!("\"{name}\":1,"));
    (0..count).for_each(|number| text += &format!("\"name_{:03}x\":1,", number % 1000));
    text += "\"\":1}";
    let arena = Arena::new();
    let body = parse(&arena, text.as_bytes()).unwrap().body();
    let mut unknown = 0;
    body.content(&schema, &mut |_: Diagnostic<'_>| unknown += 1);
    assert_eq!(unknown, count + 1);
}

#[test]
fn a_million_different_names() {
    let count = scaled(1_000_000);
    let members: String = (0..count).map(|number| format!("\"n{number}\":0,")).collect();
    let text = format!("{{{members}\"n0\":0}}");
    let arena = Arena::new();
    let body = parse(&arena, text.as_bytes()).unwrap().body();
    let mut diagnostics = Vec::new();
    assert_eq!(body.just_attributes(&mut diagnostics).len(), count);
    let codes: Vec<_> = diagnostics.iter().map(Diagnostic::code).collect();
    assert_eq!(codes, [Code::DuplicateAttribute]);
}

/// Spreads numbers below `count` over all of them.
fn spread(number: usize, count: usize) -> usize {
    (number * 7_919 + count / 3) % count
}

#[test]
fn more_events_than_a_large_text_usually_has() {
    let count = 9_000_000;
    let text = format!("[{}0]", "1,".repeat(count));
    let mut arena = Arena::new();
    for _ in 0..2 {
        let document = parse_at(&arena, text.as_bytes(), u32::MAX);
        let words = document.words();
        assert_eq!(words.len(), count + 3);
        let elements = words[1..=count].iter().enumerate();
        assert!(
            elements
                .map(|(index, word)| (index, word.offset()))
                .all(|(index, offset)| { offset as usize == 1 + 2 * index })
        );
        assert_eq!(document.skeleton().count(), words.len());
        arena.reset();
        // The size of an earlier stream does not affect a later one.
        assert_eq!(parse_at(&arena, b"[1]", 3).words().len(), 3);
        arena.reset();
    }
}

#[test]
fn many_sealed_siblings_in_any_order() {
    let count = scaled(1_000_000);
    let text = format!("[{}[0]]", "{\"a\":[1]},".repeat(count - 1));
    for order in [|n, _| n, |n, count| count - 1 - n, spread] {
        let mut arena = Arena::new();
        let document = parse_at(&arena, text.as_bytes(), 1);
        let siblings: Vec<Node<'_>> = document.root().as_array().unwrap().elements().collect();
        assert!(siblings.iter().all(|node| node.is_sealed()));
        // The second time nothing is left to open.
        for _ in 0..2 {
            for number in 0..count {
                let inner = innermost(siblings[order(number, count)]);
                assert_eq!(inner.text().len(), 1);
            }
        }
        let allocated = arena.allocated_bytes();
        assert!(allocated < 60 * text.len(), "{allocated} bytes for {}", text.len());
    }
}

#[test]
fn opening_at_each_level_of_a_deep_document() {
    // Each level has members before and after the nested one.
    let levels = 9_000;
    let text = "{\"x\":[1],\"a\":".repeat(levels) + "7" + &",\"y\":{\"z\":[]}}".repeat(levels);
    for skeleton_depth in [0, 1, 3, 100, 8_999] {
        let mut arena = Arena::new();
        let document = parse_at(&arena, text.as_bytes(), skeleton_depth);
        let mut node = document.root();
        let mut passed = 0;
        while let Some(object) = node.as_object() {
            assert_eq!(object.members().count(), 3);
            assert!(object.get("y").unwrap().pointer("/z").unwrap().is_array());
            node = object.get("a").unwrap();
            passed += 1;
        }
        assert_eq!(passed, levels);
        let allocated = arena.allocated_bytes();
        assert!(allocated < 20 * text.len(), "{allocated} bytes for {}", text.len());
    }
}

#[test]
fn asking_again_takes_no_more_memory() {
    let text = br#"{"a": {"b": [{"c": {"d": [1, 2, 3]}}]}}"#;
    let mut arena = Arena::new();
    let ask = |arena: &Arena| {
        let source = Source::from_bytes(arena, "input", text).unwrap();
        let options = ParseOptions::default().with_skeleton_depth(1);
        let document = Document::parse_with(arena, source, &options).unwrap();
        (0..100_000).all(|_| document.root().pointer("/a/b/0/c/d/2").is_some())
    };
    assert!(ask(&arena));
    assert!(arena.allocated_bytes() < 100_000);
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
