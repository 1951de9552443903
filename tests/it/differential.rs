//! Every kernel and engine, at several skeleton depths, accepts the same texts as serde_json and
//! returns the same values: for the inputs of the corpus, whole, truncated and with changed bytes.
//!
//! Of the small size, each text is tested with one engine in turn, and every few bytes are changed; fuzzing
//! compares the engines, too.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use simd_hcl::fuzzing::Engine;
use simd_hcl::{Arena, Code, Document, Kernel, ParseOptions, Source};
use simd_hcl_corpus::{Size, sized};

use crate::oracle;

const MAX_DEPTH: u32 = 10_000;

/// Returns the files below a directory of the corpus that `belongs` accepts, sorted by name.
fn files(folder: &str, belongs: impl Fn(&Path) -> bool) -> Vec<(PathBuf, Vec<u8>)> {
    let files = simd_hcl_corpus::files(folder).into_iter().filter(|path| belongs(path));
    let with_bytes = |path: PathBuf| {
        let bytes = fs::read(&path).unwrap();
        (path, bytes)
    };
    files.map(with_bytes).collect()
}

fn cases() -> Vec<(PathBuf, Vec<u8>)> {
    files("conformance", |path| path.ends_with("input.json"))
}

/// Returns all kernels with the automaton, and if possible with the vectorised engine.
fn engines() -> Vec<ParseOptions> {
    let mut engines = Vec::new();
    for kernel in Kernel::available() {
        for engine in [Engine::Vectorised, Engine::Automaton] {
            engines.push(ParseOptions::default().with_kernel(kernel).with_engine(engine));
        }
    }
    engines
}

/// Returns the distance of the bytes that are changed.
fn distance() -> usize {
    sized([7, 1, 1])
}

/// One arena for many parses.
struct Checker {
    arena: Arena,
    engines: Vec<ParseOptions>,
    /// The number of checked texts.
    texts: usize,
    accepted: usize,
    refused: usize,
}

impl Checker {
    fn new() -> Self {
        Self { arena: Arena::new(), engines: engines(), texts: 0, accepted: 0, refused: 0 }
    }

    /// Checks the verdict of every engine, and with `values` also the values.
    fn check(&mut self, text: &[u8], values: bool) {
        self.check_with(0..self.engines.len(), text, values);
    }

    /// Like [`check`](Self::check), but of the small size with one engine.
    fn check_by_turns(&mut self, text: &[u8], values: bool) {
        if Size::of_tests() == Size::Small {
            let number = self.texts % self.engines.len();
            self.check_with(number..number + 1, text, values);
        } else {
            self.check(text, values);
        }
    }

    fn check_with(&mut self, engines: Range<usize>, text: &[u8], values: bool) {
        let expected = oracle::accepts(text, MAX_DEPTH);
        // Another depth each time, so that all pairs of engines and depths occur.
        let turn = self.texts / self.engines.len();
        self.texts += 1;
        for number in engines {
            let engine = &self.engines[number];
            let skeleton_depth = [3, 0, 1, u32::MAX][(turn + number) % 4];
            let options = engine.with_max_depth(MAX_DEPTH).with_skeleton_depth(skeleton_depth);
            let source = Source::from_bytes(&self.arena, "input", text).unwrap();
            let result = Document::read(&self.arena, source, &options);
            assert_eq!(result.is_ok(), expected, "{options:?}: {}", String::from_utf8_lossy(text));
            match result {
                Ok(document) if values => {
                    oracle::assert_events(document);
                    oracle::assert_values(document);
                    oracle::assert_diagnostics(document);
                }
                Ok(_) => {}
                Err(error) => {
                    let span = error.span();
                    assert!(span.start <= span.end && span.end as usize <= text.len(), "{error}");
                }
            }
            if expected {
                self.accepted += 1;
            } else {
                self.refused += 1;
            }
            self.arena.reset();
        }
    }

    fn both_verdicts_occurred(&self) {
        assert!(self.accepted > 30 && self.refused > 30, "{} {}", self.accepted, self.refused);
    }
}

#[test]
fn whole_files_of_the_corpus() {
    let mut checker = Checker::new();
    let everything = ["conformance", "broken", "monorepo"];
    for (_, text) in everything.into_iter().flat_map(|folder| files(folder, |_| true)) {
        checker.check_by_turns(&text, true);
    }
    checker.both_verdicts_occurred();
}

#[test]
fn cut_at_every_byte() {
    let mut checker = Checker::new();
    for (_, text) in cases() {
        // The deepest cases have thousands of equal bytes.
        let step = if text.len() < 400 { 1 } else { 97 };
        (0..text.len()).step_by(step).for_each(|end| checker.check(&text[..end], false));
    }
    checker.both_verdicts_occurred();
}

#[test]
fn long_files_cut_here_and_there() {
    let step = sized([1009, 53, 1]);
    let mut checker = Checker::new();
    for (_, text) in files("monorepo", |_| true) {
        let whole = text.trim_ascii_end().len();
        (0..whole).step_by(step).for_each(|end| checker.check(&text[..end], false));
    }
    assert_eq!(checker.accepted, 0, "a part of an object is not an object");
}

#[test]
fn every_bit_flipped() {
    let mut checker = Checker::new();
    for (_, mut text) in cases().into_iter().filter(|(_, text)| text.len() < 400) {
        for at in (0..text.len()).step_by(distance()) {
            for bit in 0..8 {
                text[at] ^= 1 << bit;
                checker.check_by_turns(&text, bit < 2);
                text[at] ^= 1 << bit;
            }
        }
    }
    checker.both_verdicts_occurred();
}

#[test]
fn every_byte_replaced() {
    let mut checker = Checker::new();
    for (_, mut text) in cases().into_iter().filter(|(_, text)| text.len() < 200) {
        for at in (0..text.len()).step_by(distance()) {
            let original = text[at];
            for byte in *b"\0\"\\{]:,0-.e \n\x7F\x80\xC3\xED\xFF" {
                text[at] = byte;
                checker.check_by_turns(&text, false);
            }
            text[at] = original;
        }
    }
    checker.both_verdicts_occurred();
}

#[test]
fn every_byte_removed_or_doubled() {
    let mut checker = Checker::new();
    for (_, text) in cases().into_iter().filter(|(_, text)| text.len() < 400) {
        for at in (0..text.len()).step_by(distance()) {
            checker.check_by_turns(&[&text[..at], &text[at + 1..]].concat(), false);
            checker.check_by_turns(&[&text[..=at], &text[at..]].concat(), false);
        }
    }
    checker.both_verdicts_occurred();
}

/// Sequences that are not UTF-8.
const INVALID: &[&[u8]] = &[
    b"\x80",
    b"\xFF",
    b"\xC0\x80",
    b"\xC3",
    b"\xE0\x80\x80",
    b"\xE2\x82",
    b"\xED\xA0\x80",
    b"\xF0\x80\x80\x80",
    b"\xF0\x9F\x98",
    b"\xF4\x90\x80\x80",
    b"\xF8\x88\x80\x80\x80",
];

#[test]
fn invalid_utf8_at_every_offset() {
    let engines = engines();
    let mut arena = Arena::new();
    let borders = [512, 8192].into_iter().flat_map(|border| border - 6..border + 2);
    for before in (0..200).step_by(sized([9, 1, 1])).chain(borders) {
        for (number, invalid) in INVALID.iter().enumerate() {
            // With ASCII before, and with a character of two bytes.
            let filler = ["x", "é"][number % 2].repeat(before / (1 + number % 2));
            for quotes in [[&b"[\""[..], b"\", 1]"], [b"{\"", b"\": 1}"]] {
                let text = [quotes[0], filler.as_bytes(), invalid, quotes[1]].concat();
                for options in &engines {
                    let source = Source::from_bytes(&arena, "input", &text).unwrap();
                    let error = Document::read(&arena, source, options).unwrap_err();
                    let first = std::str::from_utf8(&text).unwrap_err().valid_up_to() as u32;
                    assert_eq!(error.code(), Code::InvalidUtf8, "{options:?}: {error}");
                    assert_eq!((error.span().start, error.span().len()), (first, 1), "{error}");
                    arena.reset();
                }
            }
        }
    }
}

#[test]
fn backslash_runs_of_every_length() {
    let mut checker = Checker::new();
    for before in [0, 1, 2, 3, 57, 61, 62, 63, 505, 509, 510, 511] {
        for run in (0..70).chain([127, 128, 129, 511, 512, 513]) {
            let text = format!("[\"{}{}\"]", "x".repeat(before), "\\".repeat(run));
            checker.check(text.as_bytes(), true);
            let text = format!("[\"{}{}\", 1]", "x".repeat(before), "\\".repeat(run));
            checker.check(text.as_bytes(), true);
        }
    }
    checker.both_verdicts_occurred();
}
