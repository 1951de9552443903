//! Streams have the events and diagnostics of whole files, wherever they are cut.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use simd_hcl_corpus::{ConfigOptions, PlanOptions, Size, config_bytes, plan_bytes, sized};

use super::path::States;
use super::{Options, Parser, Path as RecordPath, Reader, Records, Templates};
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Document;
use crate::event::{Kind, ParseOptions};
use crate::json::{JsonEvent, JsonValue, Node};
use crate::report::{OwnedDiagnostic, Range};
use crate::source::Source;

const NAME: &str = "input";

/// A diagnostic: its line, its bytes, and the bytes and note of its related place.
type Told = (String, (u64, u64), Option<(u64, u64, String)>);

/// Events, warnings, and the error.
#[derive(Debug, Default, PartialEq)]
struct Outcome {
    events: Vec<(Kind, u64, u64)>,
    warnings: Vec<Told>,
    error: Option<Told>,
}

fn told(diagnostic: &Diagnostic<'_>) -> Told {
    let span = diagnostic.span();
    let related = diagnostic.related().first().map(|related| {
        let span = related.label.span;
        (u64::from(span.start), u64::from(span.end), related.message.to_owned())
    });
    (diagnostic.to_string(), (u64::from(span.start), u64::from(span.end)), related)
}

fn told_of(problem: &OwnedDiagnostic) -> Told {
    let span = |range: &Range| (range.start.byte, range.end.byte);
    let related = problem.related.first().map(|one| {
        let (start, end) = span(&one.range);
        (start, end, one.message.clone().into_owned())
    });
    (problem.to_string(), span(&problem.range), related)
}

fn whole(text: &[u8], max_depth: u32) -> Outcome {
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, NAME, text).unwrap();
    let options = ParseOptions::default().with_max_depth(max_depth).with_skeleton_depth(u32::MAX);
    match Document::read(&arena, source, &options) {
        Ok(document) => Outcome {
            events: document
                .events()
                .map(|event: JsonEvent<'_>| {
                    let span = event.span();
                    (event.kind(), u64::from(span.start), u64::from(span.end))
                })
                .collect(),
            warnings: document.diagnostics().iter().map(told).collect(),
            error: None,
        },
        Err(error) => Outcome { error: Some(told(&error)), ..Outcome::default() },
    }
}

fn options(max_depth: u32) -> Options {
    Options::default().with_name(NAME).with_max_depth(max_depth)
}

/// Takes all events that are there. Returns whether there was an error.
fn drain(parser: &mut Parser, outcome: &mut Outcome) -> bool {
    loop {
        match parser.next() {
            Ok(Some(event)) => {
                let span = event.span();
                outcome.events.push((event.kind(), span.start, span.end));
            }
            Ok(None) => return false,
            Err(problem) => {
                outcome.error = Some(told_of(&problem));
                assert_eq!(parser.next().err(), Some(problem));
                return true;
            }
        }
    }
}

fn in_chunks<'t>(chunks: impl IntoIterator<Item = &'t [u8]>, options: Options) -> Outcome {
    let mut parser = Parser::new(options);
    let mut outcome = Outcome::default();
    let mut is_refused = false;
    'all: for mut chunk in chunks {
        while !chunk.is_empty() {
            let taken = parser.feed(chunk);
            assert!(taken > 0);
            chunk = &chunk[taken..];
            if drain(&mut parser, &mut outcome) {
                is_refused = true;
                break 'all;
            }
        }
    }
    if !is_refused {
        parser.finish();
        drain(&mut parser, &mut outcome);
        assert_eq!(parser.is_done(), outcome.error.is_none());
    }
    while let Some(warning) = parser.take_warning() {
        outcome.warnings.push(told_of(&warning));
    }
    outcome
}

/// Compares the stream with the whole file. Of a text with an error, a stream has events first.
fn compare(expected: &Outcome, found: Outcome, what: &dyn std::fmt::Debug) {
    assert_eq!(found.error, expected.error, "{what:?}");
    if expected.error.is_none() {
        assert_eq!(found, *expected, "{what:?}");
    }
}

/// The sizes of chunks are those of this generator.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

fn random_chunks<'t>(mut text: &'t [u8], random: &mut Random, longest: usize) -> Vec<&'t [u8]> {
    let mut chunks = Vec::new();
    while !text.is_empty() {
        let (chunk, rest) = text.split_at((1 + random.below(longest)).min(text.len()));
        chunks.push(chunk);
        text = rest;
    }
    chunks
}

fn check(text: &[u8], max_depth: u32) {
    let expected = whole(text, max_depth);
    let shown = String::from_utf8_lossy(&text[..text.len().min(300)]).into_owned();
    let all = in_chunks([text], options(max_depth));
    compare(&expected, all, &(&shown, "at once"));
    if text.len() <= 1 << 16 {
        compare(&expected, in_chunks(text.chunks(1), options(max_depth)), &(&shown, "bytes"));
    }
    if text.len() <= 1 << 9 {
        for at in 0..text.len() {
            let (one, other) = text.split_at(at);
            compare(&expected, in_chunks([one, other], options(max_depth)), &(&shown, at));
        }
    }
    let mut random = Random(text.len() as u64);
    let few = Size::of_tests() == Size::Small && text.len() > 1 << 16;
    for longest in [7, 300, 5000, 70_000, 1 << 20].into_iter().skip(if few { 3 } else { 0 }) {
        if text.len() / longest < 1 << 18 {
            let chunks = random_chunks(text, &mut random, longest);
            compare(&expected, in_chunks(chunks, options(max_depth)), &(&shown, longest));
        }
    }
}

const TEXTS: &[&str] = &[
    "",
    " \r\n ",
    "1",
    "-0.5e+3 ",
    "\"a\\u00e9\\ud83d\\ude00\"",
    "\"\\ud83d\" ",
    "[\"\\ud83d\", \"\\\\\\ude00x\"]",
    "null",
    "[1, 2, {\"a\": [true, false], \"b\": {}}]\r\n",
    "{\"a\":{\"b\":{\"c\":[[],{}]}},\"d\":\"${x}\",\"e\":\"},\"}",
    "\u{feff}{\"a\": 1}",
    "\u{feff}{\"a\": }",
    "{\"e\u{301}\u{600}\": \u{301}1}",
    "{\"e\u{301}\u{600}\": 1, \u{301}}",
    "[\u{301}]",
    "{\"a\": 1,}",
    "{\"a\": 1,\n\n\n }",
    "[1,,2]",
    "[1, , 2]",
    "{\"a\"  \n :  }",
    "{\"a long name, longer than what is shown of it, which is about forty bytes\":,}",
    "{\"a\" \n 1}",
    "{\"a\"=1}",
    "{\"a\",1}",
    "{a: 1}",
    "{a-long-name-that-is-not-in-quotes-and-goes-on-for-more-than-sixty-four-bytes-so-that-it-is: 1}",
    "{'a': 1}",
    "[nul]",
    "[nulls, 1]",
    "[NaN]",
    "[-Infinity]",
    "[01]",
    "[1.]",
    "[1e]",
    "[1.5.5]",
    "[0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001]",
    "[+1]",
    "[1 2]",
    "[1 // x\n]",
    "[1 /* x */]",
    "[#\n]",
    "[\"a\nb\"]",
    "[\"a\\qb\"]",
    "[\"a\\u12\"]",
    "[\"a\\u12\u{e9}\"]",
    "[\"abc",
    "[\"abc\\",
    "[\"abc\\u1",
    "[[[\n",
    "[[[\n{\"a\": [1, 2",
    "[[[\n{\"a\": [1, 2}",
    "[[[\n{\"a\": 1]",
    "{\"a\": [1, 2}}",
    "{]",
    "[}",
    "{\"a\": [1, 2]} x",
    "{\"a\": [1, 2]}\n{\"b\": 1}",
    "{} // comment",
    "1 2",
    "12a",
    "truefalse",
    "]",
    "{\"a\": 1:",
    "[1:2]",
    "{\"a\": \u{201c}b\u{201d}}",
    "{,}",
    "{1: 2}",
    "{\"a\": {\"b\": [1, {\"c\": 1",
    "\u{a0}1",
];

#[test]
fn every_break_of_small_texts() {
    for text in TEXTS {
        check(text.as_bytes(), 10_000);
    }
    for text in
        [&b"[\"\xFF\"]"[..], b"[\xC3]", b"[\"\xE2\x82\"]", b"{\0\"\0", b"[\0]", b"\xFF\xFE{\0"]
    {
        check(text, 10_000);
    }
}

#[test]
#[cfg_attr(miri, ignore = "too many texts")]
fn every_change_of_small_texts() {
    let step = sized([23, 1, 1]);
    let mut number = 0;
    for text in TEXTS.iter().filter(|text| text.len() < 80) {
        for place in 0..text.len() {
            for byte in *b"{}[]\",:\\ 0-e\n\x80x" {
                number += 1;
                if number % step > 0 {
                    continue;
                }
                let mut text = text.as_bytes().to_vec();
                text[place] = byte;
                let expected = whole(&text, 4);
                let bytes = in_chunks(text.chunks(1), options(4));
                compare(&expected, bytes, &String::from_utf8_lossy(&text));
                let (one, other) = text.split_at(place);
                let halves = in_chunks([one, other], options(4));
                compare(&expected, halves, &String::from_utf8_lossy(&text));
            }
        }
    }
}

fn files(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "json") {
            found.push(path);
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "too many files")]
fn files_of_the_corpus() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut all = Vec::new();
    files(&root.join("broken"), &mut all);
    files(&root.join("show"), &mut all);
    files(&root.join("monorepo"), &mut all);
    assert!(all.len() > 60, "{}", all.len());
    let all = all.iter().map(|path| fs::read(path).unwrap());
    let longest = sized([20_000, usize::MAX, usize::MAX]);
    for text in all.filter(|text| text.len() < longest) {
        check(&text, 10_000);
    }
}

#[test]
#[cfg_attr(miri, ignore = "the texts are too long")]
fn large_texts_and_errors_in_them() {
    let some = sized([30, 3000, 3000]);
    for pretty in [false, true] {
        let plan = plan_bytes(&PlanOptions { changes: some, pretty, ..PlanOptions::default() });
        check(&plan, 10_000);
        let config =
            config_bytes(&ConfigOptions { resources: some, pretty, ..ConfigOptions::default() });
        check(&config, 10_000);
        let mut random = Random(u64::from(pretty));
        for byte in *b"}]\",\\x\n" {
            for text in [&plan, &config] {
                let mut text = text.clone();
                let place = random.below(text.len());
                text[place] = byte;
                check(&text, 10_000);
                text.truncate(place);
                check(&text, 10_000);
            }
        }
    }
}

/// Texts that mislead the search for the end of a part.
#[test]
#[cfg_attr(miri, ignore = "the texts are too long")]
fn misleading_texts() {
    let many = sized([2000, 30_000, 30_000]);
    let strings = format!("[{}\"\"]", "\"},{]},\",".repeat(many));
    check(strings.as_bytes(), 10);
    check(strings.replace("{]", "{\\\"]").as_bytes(), 10);
    let long = format!("{{\"a\":[],\"b\":\"{}\",\"c\":[{{}},{{}}]}}", "},".repeat(many));
    check(long.as_bytes(), 10);
    let numbers = format!("[{}0]", "12,".repeat(many));
    check(numbers.as_bytes(), 10);
    let white =
        format!("[1,{}{{}},{}2,\n{}]", " ".repeat(many), "\n".repeat(many), " ".repeat(many));
    check(white.as_bytes(), 10);
    let colon = format!("{{\"a\"{}:{}}}", " ".repeat(many), "\n".repeat(many));
    check(colon.as_bytes(), 10);
    let digits = format!("[{}x]", "1".repeat(many));
    check(digits.as_bytes(), 10);
    let wide = format!("{{\"a\":[{}],}}", "{\"é\":\"漢🇩🇪👩‍👩‍👧‍👦\"},".repeat(many / 10));
    check(wide.replace("},]", "}]").as_bytes(), 10);
    for open in ["[", "{\"a\":", "[{\"a\":"] {
        let deep = open.repeat(3000);
        check(deep.as_bytes(), 10_000);
        check(deep.as_bytes(), 2000);
        let deep = format!("[{}", format!("[],{open}").repeat(3000).replace("[],{", "[[],{}],[{"));
        check(deep.as_bytes(), 10_000);
    }
}

#[test]
fn sequences() {
    let options = || options(10).with_sequence(true);
    for (text, documents) in [
        ("", 0),
        (" \n", 0),
        ("1", 1),
        ("1 2\n[3]{}\"a\"\"b\"", 6),
        ("{\"a\": 1}\n{\"a\": [2]}\r\n\n{\"a\": 3}\n", 3),
    ] {
        let once = in_chunks([text.as_bytes()], options());
        assert_eq!(once.error, None, "{text}");
        assert_eq!(in_chunks(text.as_bytes().chunks(1), options()), once, "{text}");
        let mut parser = Parser::new(options());
        parser.feed(text.as_bytes());
        parser.finish();
        let (mut found, mut last) = (0, 0);
        while let Some(event) = parser.next().unwrap() {
            let is_value =
                event.depth() == 0 && !matches!(event.kind(), Kind::EndObject | Kind::EndArray);
            found += usize::from(is_value);
            last = event.document() + 1;
        }
        assert_eq!((found, last), (documents, documents as u64), "{text}");
    }
    let many = "{\"a\": [1, {\"b\": null}, [{}, {}]], \"c\": \"},\"}\n".repeat(3000);
    let once = in_chunks([many.as_bytes()], options());
    assert_eq!((once.error.clone(), once.events.len()), (None, 3000 * 18));
    let mut random = Random(3);
    let chunks = random_chunks(many.as_bytes(), &mut random, 9000);
    assert_eq!(in_chunks(chunks, options()), once);
    let broken = in_chunks([&b"{}\n{]"[..]], options());
    let line = "input:2:2: error[invalid-property-name]";
    assert!(broken.error.as_ref().is_some_and(|(text, ..)| text.starts_with(line)), "{broken:?}");
}

#[test]
fn long_tokens_are_refused_at_their_start() {
    let options = || options(10).with_max_token(100);
    for (text, is_long) in [
        (format!("[\"{}\"]", "a".repeat(100)), false),
        (format!("[\"{}\"]", "a".repeat(101)), true),
        (format!("{{\"{}\": 1}}", "a".repeat(101)), true),
        (format!("[{}]", "1".repeat(100)), false),
        (format!("[{}]", "1".repeat(102)), true),
        (format!("[\"{}\n", "a".repeat(200)), true),
        (format!("[\"{}", "a".repeat(200)), true),
        (format!("[{} 1]", " ".repeat(1000)), false),
    ] {
        let once = in_chunks([text.as_bytes()], options());
        let code = format!("input:1:2: error[{}]", Code::TokenTooLong);
        let is_refused = once.error.as_ref().is_some_and(|(line, ..)| line.starts_with(&code));
        assert_eq!(is_refused, is_long, "{text} {once:?}");
        assert_eq!(in_chunks(text.as_bytes().chunks(1), options()), once, "{text}");
        assert_eq!(in_chunks(text.as_bytes().chunks(70), options()), once, "{text}");
    }
}

/// Never ends, and counts what was read of it.
struct Endless {
    unit: &'static [u8],
    at: usize,
    left: usize,
}

impl Read for Endless {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let most = room.len().min(1 << 16).min(self.left);
        let room = &mut room[..most];
        for byte in room.iter_mut() {
            *byte = self.unit[self.at % self.unit.len()];
            self.at += 1;
        }
        self.left -= room.len();
        Ok(room.len())
    }
}

#[test]
#[cfg_attr(miri, ignore = "too long")]
fn memory_is_bounded() {
    // A multiple of the length of each unit.
    let left = sized([8 << 20, 200 << 20, 200 << 20]) / 48 * 48;
    for (unit, most) in
        [(&b"[{\"a\":[1,2,{\"b\":\"c\"}]}]\n"[..], 12 << 20), (b" \n", 3 << 20), (b"123 ", 4 << 20)]
    {
        let options = Options::default().with_sequence(true).with_max_token(1 << 20);
        let mut reader = Reader::with_options(Endless { unit, at: 0, left }, options);
        while reader.next().unwrap().is_some() {}
        assert!(reader.memory() < most, "{} {unit:?}", reader.memory());
    }
    let options = Options::default().with_max_token(1 << 20);
    let mut reader = Reader::with_options(Endless { unit: b"\"a", at: 0, left }, options);
    assert!(reader.next().is_err() || reader.next().is_err());
    let options = Options::default().with_max_token(1 << 20);
    let input = b"[1,\"".chain(Endless { unit: b"a", at: 0, left });
    let mut reader = Reader::with_options(input, options);
    let problem = loop {
        match reader.next() {
            Ok(event) => assert!(event.is_some()),
            Err(problem) => break problem,
        }
    };
    assert_eq!((problem.known_code(), problem.range.start.byte), (Some(Code::TokenTooLong), 3));
    assert!(reader.memory() < 8 << 20, "{}", reader.memory());
}

#[test]
fn a_reader_that_fails() {
    struct Fails;
    impl Read for Fails {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("gone"))
        }
    }
    let mut reader = Reader::new(b"[1,".chain(Fails));
    assert!(reader.next().unwrap().is_some());
    assert!(reader.next().unwrap().is_some());
    let problem = reader.next().unwrap_err();
    assert_eq!(problem.known_code(), Some(Code::UnreadableFile));
    assert!(problem.to_string().contains("gone"), "{problem}");
    assert_eq!(reader.next().unwrap_err(), problem);
}

/// A stream of more than 4 GiB has offsets and lines of 64 bits.
#[test]
#[ignore = "takes a minute"]
fn more_than_four_gibibytes() {
    let left = 5 << 30;
    let unit = &b"{\"a\":[1,2,{\"b\":\"c\"}]},\n"[..];
    let input = b"[\n".chain(Endless { unit, at: 0, left }).chain(&b"}"[..]);
    let mut reader = Reader::with_options(input, Options::default());
    let problem = loop {
        match reader.next() {
            Ok(event) => assert!(event.is_some()),
            Err(problem) => break problem,
        }
    };
    let at = problem.range.start.byte;
    assert!(at > 5 << 30, "{problem}");
    assert_eq!(problem.range.start.line, 2 + (left / unit.len()) as u64, "{problem}");
    assert!(reader.memory() < 16 << 20);
}

/// A record: its path, name, bytes, line and column.
type Selected = (usize, String, Vec<u8>, (u64, u64, u64));

/// The values that paths select in a document, by the definition of a path.
fn select(
    node: Node<'_>,
    paths: &[RecordPath],
    states: &[States],
    name: &str,
    out: &mut Vec<Selected>,
) {
    let selected = paths.iter().zip(states).position(|(path, now)| path.selects(*now));
    if let Some(path) = selected {
        let at = node.source().position(node.span().start);
        let at = (at.line, at.column, at.byte);
        return out.push((path, name.to_owned(), node.text().to_vec(), at));
    }
    let next = |name: Option<&str>| -> Vec<States> {
        paths.iter().zip(states).map(|(path, now)| path.next(*now, name)).collect()
    };
    match node.value() {
        JsonValue::Object(object) => {
            for member in object.members() {
                let name = member.name().to_str();
                select(member.value(), paths, &next(Some(name)), name, out);
            }
        }
        JsonValue::Array(array) => {
            array.elements().for_each(|one| select(one, paths, &next(None), "", out));
        }
        _ => {}
    }
}

/// Reads one chunk at a time.
struct Chunks<'t>(std::vec::IntoIter<&'t [u8]>);

impl Read for Chunks<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let Some(chunk) = self.0.next() else { return Ok(0) };
        let (now, later) = chunk.split_at(chunk.len().min(room.len()));
        room[..now.len()].copy_from_slice(now);
        if !later.is_empty() {
            let rest: Vec<&[u8]> = self.0.by_ref().collect();
            self.0 = [vec![later], rest].concat().into_iter();
        }
        Ok(now.len())
    }
}

fn records_in(chunks: Vec<&[u8]>, options: Options, paths: &[RecordPath]) -> Vec<Selected> {
    let mut records = Records::new(Chunks(chunks.into_iter()), options, paths.to_vec());
    let mut found = Vec::new();
    while let Some(record) = records.next().unwrap() {
        let document = record.document();
        let source = document.source();
        let at = record.position();
        assert_eq!(record.span(), at.byte..at.byte + source.bytes().len() as u64);
        let shown = source.position(0);
        assert_eq!((shown.line, shown.column), (at.line, at.column));
        // The document is that of its bytes.
        let arena = Arena::new();
        let bytes = source.bytes();
        let expected = Document::parse_bytes(&arena, NAME, bytes).unwrap();
        let spans = |document: Document<'_>| -> Vec<_> {
            document.events().map(|event| (event.kind(), event.span())).collect()
        };
        assert_eq!(spans(document), spans(expected));
        let position = (at.line, at.column, at.byte);
        found.push((record.path(), record.name().to_owned(), bytes.to_vec(), position));
    }
    found
}

#[test]
#[cfg_attr(miri, ignore = "too many texts")]
fn records_are_what_paths_select() {
    let changes = sized([60, 1000, 1000]);
    let plan = plan_bytes(&PlanOptions { changes, depth: 3, ..PlanOptions::default() });
    let pretty = plan_bytes(&PlanOptions { changes, pretty: true, ..PlanOptions::default() });
    let config = config_bytes(&ConfigOptions { resources: changes, ..ConfigOptions::default() });
    let small =
        r#"{"a": [1, {"b": [2, [3]]}, "é"], "b": {"a": {"c": null}, "a\u0062": [[]]}, "a": []}"#;
    let mut random = Random(5);
    let mut count = 0;
    for text in [&plan[..], &pretty, &config, small.as_bytes(), b" [1, 2] ", b"3"] {
        for paths in [
            &[""][..],
            &["resource_changes[*]"],
            &["resource_changes[*].change", "resource_changes[*]", "output_changes.*"],
            &["resource.*.*"],
            &["planned_values.root_module.resources[*]", "prior_state"],
            &["planned_values.**.resources[*].values", "configuration.root_module"],
            &["**.resources[*]"],
            &["**[*]", "timestamp"],
            &["*", "[*]"],
            &["a[*]", "b.ab", "b[\"a\"].*", "b.a"],
            &["**.b"],
            &["nothing.at[*].all"],
        ] {
            let paths: Vec<RecordPath> =
                paths.iter().map(|path| RecordPath::parse(path).unwrap()).collect();
            let arena = Arena::new();
            let document = Document::parse_bytes(&arena, NAME, text).unwrap();
            let start: Vec<States> = paths.iter().map(RecordPath::start).collect();
            let mut expected = Vec::new();
            select(document.root(), &paths, &start, "", &mut expected);
            count += expected.len();
            let options = || options(10_000);
            let found = records_in(vec![text], options(), &paths);
            for (number, (found, expected)) in found.iter().zip(&expected).enumerate() {
                assert_eq!(found, expected, "{number} of {paths:?}");
            }
            assert_eq!(found.len(), expected.len(), "{paths:?}");
            if text.len() < 1000 {
                let bytes = text.chunks(1).collect();
                assert!(records_in(bytes, options(), &paths) == expected, "{paths:?}");
            }
            for longest in [3000, 100_000] {
                let chunks = random_chunks(text, &mut random, longest);
                assert!(records_in(chunks, options(), &paths) == expected, "{paths:?}");
            }
        }
    }
    assert!(count > 1000, "{count}");
}

#[test]
fn records_of_sequences() {
    let text = b"{\"a\": 1}\n{\"a\": [2]}\r\n\n{\"b\": 3} 4";
    for (path, expected) in [("", 4), ("a", 2), ("a[*]", 1), ("*", 3)] {
        let paths = [RecordPath::parse(path).unwrap()];
        for size in [1, 7, 100] {
            let chunks = text.chunks(size).collect();
            let found = records_in(chunks, options(10).with_sequence(true), &paths);
            assert_eq!(found.len(), expected, "{path}");
        }
    }
}

#[test]
fn large_records_are_refused_by_name() {
    let text = format!("{{\"a\": [{{}}, {{\"b\": \"{}\"}}]}}", "x".repeat(5000));
    for size in [1, 1000, 10_000] {
        for limit in [100, 5009] {
            let path = RecordPath::parse("a[*]").unwrap();
            let options = options(10).with_max_record(limit);
            let chunks: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
            let mut records = Records::new(Chunks(chunks.into_iter()), options, vec![path]);
            assert!(records.next().unwrap().is_some());
            let found = records.next();
            if limit > 5008 {
                assert!(found.unwrap().is_some());
                assert!(records.next().unwrap().is_none());
                continue;
            }
            let line = format!(
                "input:1:12: error[record-too-large]: Record too large: a[1] has more than {limit} bytes. \
                 Set --max-record to a larger number of bytes."
            );
            assert_eq!(found.unwrap_err().to_string(), line, "{size}");
            assert!(records.next().is_err());
        }
    }
}

/// A template: its path, whether it is a name, its text, and the lines, columns and bytes of it, of
/// its traversals and of its errors.
type FoundTemplate = (String, bool, String, Vec<[u64; 3]>, Vec<String>);

fn templates_of(text: &[u8]) -> Option<Vec<FoundTemplate>> {
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, NAME, text).unwrap();
    let document = Document::parse(&arena, source).ok()?;
    let found = document.templates().map(|found| {
        let range = |span| {
            let (start, end) = source.range(span);
            [start, end].map(|at| [at.line, at.column, at.byte].map(u64::from))
        };
        let spans = std::iter::once(found.span());
        let spans = spans.chain(found.variables().map(|traversal| traversal.span()));
        let errors = found.diagnostics().iter().map(ToString::to_string).collect();
        let ranges = spans.flat_map(range).collect();
        (found.path().to_string(), found.is_key(), found.text().to_owned(), ranges, errors)
    });
    Some(found.collect())
}

fn templates_in(chunks: Vec<&[u8]>) -> Option<Vec<FoundTemplate>> {
    let mut templates = Templates::new(Chunks(chunks.into_iter()), options(10_000));
    let mut all = Vec::new();
    while let Some(found) = templates.next().ok()? {
        let labels = found.variables().map(|traversal| traversal.label());
        let labels = std::iter::once(found.label()).chain(labels);
        let ranges = labels.flat_map(|label| {
            let places = [label.span.start, label.span.end];
            places.map(|at| label.source.position(at)).map(|at| [at.line, at.column, at.byte])
        });
        let ranges = ranges.collect();
        let errors = found.diagnostics().iter().map(ToString::to_string).collect();
        let (path, text) = (found.path().to_owned(), found.text().to_owned());
        all.push((path, found.is_key(), text, ranges, errors));
    }
    Some(all)
}

/// Returns the number of templates.
fn check_templates(text: &[u8]) -> usize {
    let expected = templates_of(text);
    let shown = String::from_utf8_lossy(&text[..text.len().min(300)]);
    assert_eq!(templates_in(vec![text]), expected, "{shown}");
    let mut random = Random(text.len() as u64);
    for longest in [1, 100, 70_000] {
        if text.len() / longest < 1 << 12 {
            let chunks = random_chunks(text, &mut random, longest);
            assert_eq!(templates_in(chunks), expected, "{shown} {longest}");
        }
    }
    expected.map_or(0, |all| all.len())
}

#[test]
#[cfg_attr(miri, ignore = "too many texts")]
fn templates_are_those_of_the_document() {
    for (text, count) in [
        ("\"${a}\"", 1),
        (
            "[[\"x\", [\"${a.b[0]} %{if c}é%{endif}\"]], \"$\", {\"${k}\": \"${v}\", \"a b\": \"${w}\"}]",
            4,
        ),
        ("{\"é\": [\"e\u{301}\", \"\u{301}${a}\"],\r\n\t\"b\":\"\\n${c}\\t${d.e}\"}\n", 2),
        ("{\"a\":{\"a\":{\"\\u0024{x}\":\"\\u0024{y.z}\"}},\"b\":\"$${c}\",\"c\":\"%%{d}\"}", 4),
        ("{\"a\":\"${\",\"b\":\"\\\"${f(\\\"x\\\"\",\"c\":\"%{ for }\"}", 3),
        ("{\"a\":\"\\\\u0024{x}\",\"b\":\"$ {x}\",\"c\":\"\\u0025\\u007b\",\"d\":[{}]}", 2),
        ("{\"a\":[{},[],\"${x}\",{\"b\":[1,\"${y}\"]}],\"a\":\"${z}\"}", 3),
    ] {
        assert_eq!(check_templates(text.as_bytes()), count, "{text}");
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut all = Vec::new();
    files(&root.join("monorepo"), &mut all);
    files(&root.join("broken"), &mut all);
    let count: usize = all.iter().map(|path| check_templates(&fs::read(path).unwrap())).sum();
    assert!(count > 20, "{count}");
    let resources = sized([60, 3000, 3000]);
    for pretty in [false, true] {
        let options = ConfigOptions { resources, pretty, ..ConfigOptions::default() };
        assert!(check_templates(&config_bytes(&options)) > 60);
    }
    // A text that is longer than what an event counts, and many references in one string.
    let long = format!("[\"{}${{a}}\", \"{}\"]", "x".repeat(1 << 20), "${a.b} ".repeat(2000));
    assert_eq!(check_templates(long.as_bytes()), 2);
}
