//! The automaton and the reader agree on the verdict and on every event, at every skeleton depth,
//! with every kernel.

use simd_hcl_corpus::{ConfigOptions, config_bytes, sized};

use std::sync::atomic::AtomicBool;

use super::build::{Buffers, Builder, LongContainer};
use super::options::Engine;
use super::reader::read;
use super::stream::{Segment, Stream};
use super::{Event, Flags, Kind, ParseOptions, Scratch, parse, parse_part};
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Label};
use crate::scan::Kernel;
use crate::source::Source;
use crate::span::{Part, Span};

const MAX_DEPTH: u32 = 12;

/// The verdict and the events of the reader.
fn by_reader(text: &[u8], depth: u32) -> Option<Vec<Event>> {
    let mut scratch = Scratch::default();
    let span = Span::new(0, text.len() as u32);
    read(text, span, MAX_DEPTH, depth, &mut scratch.build)
        .ok()
        .map(|()| scratch.build.events().to_vec())
}

fn compare(text: &[u8], scratch: &mut Scratch) -> bool {
    let span = Span::new(0, text.len() as u32);
    let mut valid = false;
    // The vectorised engine takes seconds for any text under Miri.
    let (depths, least): (&[u32], usize) =
        if cfg!(miri) { (&[1], 50) } else { (&[0, 1, 3, u32::MAX], 0) };
    for &depth in depths {
        let expected = by_reader(text, depth);
        valid = expected.is_some();
        let engines = Kernel::available()
            .flat_map(|kernel| [(kernel, Engine::Automaton), (kernel, Engine::Vectorised)])
            .filter(|&(_, engine)| engine == Engine::Automaton || text.len() >= least);
        for (kernel, engine) in engines {
            let options = ParseOptions::default()
                .with_kernel(kernel)
                .with_engine(engine)
                .with_max_depth(MAX_DEPTH)
                .with_skeleton_depth(depth);
            let verdict = parse(text, span, &options, scratch);
            let events = verdict.is_ok().then(|| scratch.build.events().to_vec());
            assert_eq!(
                events,
                expected,
                "{} {engine:?} at depth {depth}: {:?}",
                kernel.name(),
                String::from_utf8_lossy(text)
            );
        }
    }
    valid
}

const SEEDS: &[&str] = &[
    r#"{"a":1,"b":[true,false,null],"c":{"d":"e","f":[{},[],{"g":-0.5e+3}]}}"#,
    " \n[ 1 , \"x\" , { \"k\" : [ ] } ]\t\r\n",
    r#"{"resource":{"aws_instance":{"web":{"ami":"${var.ami}","tags":{"Name":"a\"b\\","x":"%{if a}"}}}}}"#,
    r#""\u00e9\ud83d\ude00\n\\\"""#,
    "-12.75E-2",
    "[[[[[[[[[[[[0]]]]]]]]]]]]",
    "[[[[[[[[[[[[[0]]]]]]]]]]]]]",
    "{\"ü\":\"漢字\u{1F600}\"}",
    "[0,1,10,-0,-1,1.5,1e5,1E+5,1e-5,12345678901234567890]",
    "true",
    "",
];

#[test]
fn on_seeds() {
    let mut scratch = Scratch::default();
    let valid = SEEDS.iter().filter(|seed| compare(seed.as_bytes(), &mut scratch)).count();
    assert_eq!(valid, SEEDS.len() - 2, "all but the one too deep and the empty one");
}

/// The small inputs of the conformance cases: complete, truncated at every byte, and with every
/// byte changed.
#[test]
#[cfg_attr(miri, ignore = "too many texts")]
fn on_corpus() {
    let mut scratch = Scratch::default();
    let mut valid = [0, 0];
    for group in ["hcl-json/syntax-ok", "hcl-json/syntax-error", "hcl-json/body"] {
        for case in simd_hcl_corpus::cases(group) {
            let mut text = std::fs::read(case.join("input.json")).unwrap();
            valid[usize::from(compare(&text, &mut scratch))] += 1;
            if text.len() > 100 {
                continue;
            }
            for at in (0..text.len()).step_by(sized([5, 1, 1])) {
                compare(&text[..at], &mut scratch);
                for bit in [1, 2, 5, 7] {
                    text[at] ^= 1 << bit;
                    compare(&text, &mut scratch);
                    text[at] ^= 1 << bit;
                }
            }
        }
    }
    assert!(valid[0] > 50 && valid[1] > 50, "{valid:?}");
}

#[test]
fn on_every_truncation() {
    let mut scratch = Scratch::default();
    for seed in SEEDS {
        // Under Miri, which is about a thousand times slower, tests use little of their input.
        for end in (0..seed.len()).step_by(if cfg!(miri) { 29 } else { 1 }) {
            compare(&seed.as_bytes()[..end], &mut scratch);
        }
    }
}

#[test]
fn on_every_byte_replaced() {
    let bytes = b"{}[]:,\"\\0-.e+tun x\n\x00\x1f\x7f\x80\xC3\xED\xFF";
    let (step, other) = if cfg!(miri) { (67, 9) } else { (sized([5, 1, 1]), 1) };
    let mut scratch = Scratch::default();
    for seed in SEEDS {
        let mut text = seed.as_bytes().to_vec();
        for at in (0..text.len()).step_by(step) {
            let original = text[at];
            for &byte in bytes.iter().step_by(other) {
                text[at] = byte;
                compare(&text, &mut scratch);
            }
            text[at] = original;
        }
    }
}

/// A small generator of pseudorandom numbers (SplitMix64): tests need variety, not randomness.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ mixed >> 31) % limit as u64) as usize
    }
}

/// Pieces of JSON, joined at random and sometimes truncated, so that the text is often nearly
/// valid.
#[test]
fn on_random_pieces() {
    const PIECES: &[&str] = &[
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"",
        "\"a\"",
        "\"a\":",
        "1",
        "-1.5e3",
        "0",
        "true",
        "false",
        "null",
        " ",
        "\n",
        "\\",
        "\\n",
        "\\u0041",
        "\\ud800",
        "${",
        "é",
        "😀",
        "tru",
        "01",
        "1.",
        "-",
        "{\"a\":1}",
        "[1,2]",
        "{\"a\":{\"b\":[]}}",
        ",\"x\":",
        "\"\\\\\"",
        "\"long text without end",
    ];
    let mut numbers = Numbers(1);
    let mut scratch = Scratch::default();
    let rounds = if cfg!(miri) { 30 } else { sized([5_000, 200_000, 10_000_000]) };
    let mut valid = 0;
    for _ in 0..rounds {
        let mut text = String::new();
        for _ in 0..=numbers.below(12) {
            text.push_str(PIECES[numbers.below(PIECES.len())]);
        }
        valid += usize::from(compare(text.as_bytes(), &mut scratch));
    }
    // The few rounds under Miri may have no valid text.
    assert!(cfg!(miri) || valid * 100 > rounds, "{valid} of {rounds} are valid");
}

/// Window borders: every token of a small document at every offset around a border.
#[test]
fn at_window_borders() {
    let mut scratch = Scratch::default();
    let document = r#"{"a\"b":[-1.5e3,"x${y}",{"c":null}],"é":"\\\\","last":{}}"#;
    let (borders, step) = if cfg!(miri) { (&[512][..], 45) } else { (&[512, 8192][..], 1) };
    for &border in borders {
        for shift in (0..=document.len() + 2).step_by(step) {
            let text = format!("[{}{document}]", " ".repeat(border - shift));
            assert!(compare(text.as_bytes(), &mut scratch));
            let text = format!("[\"{}\",{document}]", "x".repeat(border - shift));
            assert!(compare(text.as_bytes(), &mut scratch));
            let text = format!("[{}{document}]", "[],".repeat((border - shift) / 3));
            assert!(compare(text.as_bytes(), &mut scratch));
        }
    }
}

/// Returns a whole text in the arena, with the options that it was parsed with.
fn segment<'a>(arena: &'a Arena, text: &'a [u8], options: ParseOptions) -> &'a Segment<'a> {
    let source = Source::from_bytes(arena, "input", text).unwrap();
    let stream = arena.bump().alloc(Stream::new(arena, source, options, &[]));
    arena.with_scratch(|scratch: &mut Scratch| {
        parse(text, Span::new(0, text.len() as u32), &options, scratch).unwrap();
        arena.bump().alloc(stream.segment(&mut scratch.build))
    })
}

/// Returns the number of buffers for other threads that the parses of this thread have made since
/// the last call.
fn buffers_of_other_threads(arena: &Arena) -> usize {
    arena.with_scratch(|scratch: &mut Scratch| std::mem::take(scratch).parts.len())
}

/// A thread that waits for the pool runs other jobs meanwhile. If opening a container did that, a
/// caller that holds a lock while it reads a view could run a job that wants the same lock.
#[test]
#[cfg_attr(miri, ignore = "the text is too long")]
fn opening_a_sealed_container_does_not_enter_the_thread_pool() {
    let text = config_bytes(&ConfigOptions { resources: 9_000, ..ConfigOptions::default() });
    let arena = Arena::new();
    for threads in [0, 2, 7] {
        let options = ParseOptions::default().with_skeleton_depth(0).with_threads(threads);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        pool.install(|| {
            let whole = segment(&arena, &text, options);
            assert_ne!(buffers_of_other_threads(&arena), 0, "the text is one that is split");
            assert!(whole.is_sealed(0));
            let (opened, index) = whole.open(0);
            assert_eq!(index, 0);
            assert!(opened.len() > 100_000, "{}", opened.len());
            assert_eq!(buffers_of_other_threads(&arena), 0);
        });
    }
}

/// The offsets of a source of 200 MB are distributed evenly over chains of templates.
#[test]
#[cfg_attr(miri, ignore = "the source is too long")]
fn chains_of_templates_are_short_in_a_large_source() {
    // Zeroed memory is free until it is touched.
    let text = vec![0; 200 << 20];
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "input", &text).unwrap();
    let program = || {
        Err(&*arena
            .bump()
            .alloc(Diagnostic::new(Code::MissingExpression, Label::new(source, Span::at(0)))))
    };
    // The shortest template in an array is `"${a}",`. Strides that are powers of two might share a
    // chain.
    for (stride, count) in
        [(7, 100_000), (256, 800_000), (1 << 18, 800), (1 << 26, 3), (257, 800_000)]
    {
        let stream = Stream::new(&arena, source, ParseOptions::default(), &[]);
        let stream = &*arena.bump().alloc(stream);
        let offset = |number: u32| number * stride;
        for number in 0..count {
            let _ = stream.program(offset(number), program);
        }
        assert!(stream.longest_chain() <= 40, "{} every {stride} bytes", stream.longest_chain());
        let parsed = (0..count).filter(|&number| {
            stream.program(offset(number), || unreachable!("it was parsed before")).is_err()
        });
        assert_eq!(parsed.count() as u32, count);
    }
}

/// Returns events that were not parsed, for a text that may not match them.
fn made_up<'a>(arena: &'a Arena, text: &'a [u8], events: &[Event]) -> &'a Segment<'a> {
    let source = Source::from_bytes(arena, "input", text).unwrap();
    let stream = Stream::new(arena, source, ParseOptions::default(), &[]);
    let mut buffers = Buffers::default();
    buffers.set(events);
    arena.bump().alloc(arena.bump().alloc(stream).segment(&mut buffers))
}

/// As in a file that another program changes while it is mapped.
#[test]
fn a_sealed_container_that_is_not_valid_any_more_is_empty() {
    let arena = Arena::new();
    for (text, start, end) in [
        (br#"[{"a":1,}]"#, Kind::StartObject, Kind::EndObject),
        (br#"[["a",17"]"#, Kind::StartArray, Kind::EndArray),
    ] {
        let events = [
            Event::new(Kind::StartArray, Flags::NONE, 3, 0),
            Event::new(start, Flags::SEALED, 1, 1),
            Event::new(end, Flags::NONE, 0, 8),
            Event::new(Kind::EndArray, Flags::NONE, 0, 9),
        ];
        let whole = made_up(&arena, text, &events);
        let (opened, index) = whole.open(1);
        assert_eq!(opened.events(), [Event::new(start, Flags::NONE, 1, 1), events[2]]);
        assert_eq!((index, opened.end(index)), (0, 1));
        assert_eq!(opened.span(index), Span::new(1, 9));
    }
}

/// Numbers and strings of 16 MiB, simulated by short ones.
#[test]
fn values_longer_than_an_extent_are_measured_in_the_source() {
    let arena = Arena::new();
    let text = br#"[ -1.50e+09 ,0,"a\\\"b","" ]"#;
    let unrecorded = |kind, offset| Event::new(kind, Flags::NONE, Event::UNRECORDED, offset);
    let offsets = [2, 13, 15, 24];
    let kinds = [Kind::Number, Kind::Number, Kind::String, Kind::Key];
    let events: Vec<Event> =
        kinds.into_iter().zip(offsets).map(|(k, o)| unrecorded(k, o)).collect();
    let whole = made_up(&arena, text, &events);
    let texts = [&b"-1.50e+09"[..], b"0", br#""a\\\"b""#, br#""""#];
    for (index, expected) in (0..).zip(texts) {
        assert_eq!(whole.span(index).slice(text), expected);
    }
    assert_eq!(whole.string_span(2).slice(text), br#"a\\\"b"#);
}

/// The writes of a simulated parse: brackets, and events that do not matter.
#[derive(Clone, Copy)]
enum Write {
    Start,
    End,
    Others(usize),
}

fn write_part(open: &[bool], writes: &[Write]) -> Buffers {
    let mut buffers = Buffers::default();
    // The memory is free until it is touched: events that do not matter are not written.
    buffers.expect(9 * Event::UNRECORDED as usize);
    let mut builder = Builder::new(&mut buffers, open, 9, 9);
    for &write in writes {
        let mut writer = builder.writer(1);
        match write {
            Write::Start => writer.open(true, 0),
            Write::End => writer.end(0),
            Write::Others(_) => {}
        }
        let (count, depth) = writer.progress();
        let others = if let Write::Others(others) = write { others } else { 0 };
        builder.advance((count + others, depth));
    }
    builder.finish();
    buffers
}

/// Returns the events up to `end`, and the table of long containers.
fn written(buffers: &Buffers, ends: &[usize]) -> (Vec<Event>, Vec<LongContainer>, usize) {
    let events = ends.iter().map(|&index| buffers.events()[index]).collect();
    (events, buffers.long().to_vec(), buffers.events().len())
}

#[test]
fn a_container_too_long_for_its_extent_is_in_the_table() {
    let longest = Event::UNRECORDED as usize - 1;
    for (others, is_long) in [(longest - 1, false), (longest, true)] {
        let buffers = write_part(&[], &[Write::Start, Write::Others(others), Write::End]);
        let extent = if is_long { Event::UNRECORDED } else { longest as u32 };
        assert_eq!(buffers.events()[0].extent(), extent);
        let long = LongContainer { start: 0, end: others as u32 + 1 };
        assert_eq!(buffers.long(), &[long][..usize::from(is_long)]);
    }
}

/// Long containers inside others that end in a later part.
#[test]
fn long_containers_of_several_parts() {
    use Write::{End, Others, Start};
    const FAR: usize = Event::UNRECORDED as usize + 5;
    let writes = [Start, Start, Start, Others(FAR), End, End, Start, End, End];
    let whole = write_part(&[], &writes);
    let starts = [0, 1, 2, FAR + 5];
    let expected = written(&whole, &starts);
    let tops: Vec<u32> = expected.1.iter().map(|long| long.start).collect();
    assert_eq!(tops, [0, 1, 2], "by start");
    assert_eq!(expected.0[3].extent(), 1);
    for cuts in [[3, 4], [2, 5], [4, 6], [1, 8]] {
        let [first, second] = cuts;
        let mut joined = write_part(&[], &writes[..first]);
        for part in [&writes[first..second], &writes[second..]] {
            let open: Vec<bool> = joined.open().collect();
            joined.append(&write_part(&open, part));
        }
        assert_eq!(written(&joined, &starts), expected, "{cuts:?}");
        assert_eq!(joined.open().count(), 0);
    }
}

/// With room for fewer events than tokens, events are lost, but nothing else is overwritten.
#[test]
fn a_writer_without_room_writes_nothing() {
    let mut buffers = Buffers::default();
    let mut builder = Builder::new(&mut buffers, &[], 9, 9);
    let mut writer = builder.writer(0);
    writer.open(true, 0);
    writer.push(Kind::Key, Flags::NONE, 1, 1);
    assert!(!writer.in_object());
    writer.end(2);
    assert_eq!(writer.progress(), (0, 0));
}

/// A cancelled part ends after its window.
#[test]
fn a_part_is_given_up_after_a_window() {
    let text = format!("[{}0]", "[],".repeat(4_000));
    let mut scratch = Scratch::default();
    for (stop, end, is_parsed) in
        [(false, 12_003, true), (true, 12_003, false), (true, 3_999, true)]
    {
        let stop = AtomicBool::new(stop);
        let span = Span::new(0, end);
        let part = Part { span, open: &[], is_last: end == 12_003, stop: Some(&stop) };
        for engine in [Engine::Automaton, Engine::Vectorised] {
            let options = ParseOptions::default().with_engine(engine);
            let parsed = parse_part(text.as_bytes(), part, &options, &mut scratch);
            assert_eq!(parsed.is_ok(), is_parsed, "{engine:?} {end}");
        }
    }
}
