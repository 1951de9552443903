//! The vectorised engine of every kernel, the automaton and the reader agree on the verdict and every
//! event.
//!
//! Of the full size, these are ten million mutated documents; `SIMD_HCL_SEED` sets the seed:
//!
//! ```text
//! SIMD_HCL_SIZE=full cargo test --release --test it on_mutated -- --nocapture
//! ```

use std::fs;
use std::ops::Range;

use simd_hcl::event::Event;
use simd_hcl::fuzzing::{Bare, Engine};
use simd_hcl::{Kernel, ParseOptions, Span};
use simd_hcl_corpus::{Size, sized};

/// The bytes in a window of the scan.
const WINDOW: usize = 8192;

/// The engines, each with its own buffers.
struct Engines {
    vectorised: Vec<(Kernel, Bare)>,
    automaton: Bare,
    reader: Bare,
    max_depth: u32,
}

impl Engines {
    /// All kernels; of the small size the chosen one. Other tests compare all of them.
    fn new() -> Self {
        let kernels: Vec<_> = if Size::of_tests() == Size::Small {
            vec![Kernel::detect()]
        } else {
            Kernel::available().collect()
        };
        Self {
            vectorised: kernels.into_iter().map(|kernel| (kernel, Bare::new())).collect(),
            automaton: Bare::new(),
            reader: Bare::new(),
            max_depth: 10_000,
        }
    }

    /// Compares all engines on a part of a text, and returns whether it is valid.
    fn agree_on_part(&mut self, text: &[u8], part: Range<usize>, depths: &[u32]) -> bool {
        let span = Span::new(part.start as u32, part.end as u32);
        let mut valid = false;
        for &depth in depths {
            let options =
                ParseOptions::default().with_max_depth(self.max_depth).with_skeleton_depth(depth);
            let expected = self.reader.read(text, span, &options).ok();
            valid = expected.is_some();
            let vectorised = self
                .vectorised
                .iter_mut()
                .map(|(kernel, bare)| (*kernel, bare, Engine::Vectorised));
            let best = Kernel::detect();
            let automaton = std::iter::once((best, &mut self.automaton, Engine::Automaton));
            for (kernel, bare, engine) in vectorised.chain(automaton) {
                let options = options.with_kernel(kernel).with_engine(engine);
                let events = bare.parse(text, span, &options).ok();
                if events != expected {
                    differ(&text[part.clone()], &options, events, expected);
                }
            }
        }
        valid
    }

    fn agree_on(&mut self, text: &[u8], depths: &[u32]) -> bool {
        self.agree_on_part(text, 0..text.len(), depths)
    }
}

fn differ(
    text: &[u8],
    options: &ParseOptions,
    events: Option<&[Event]>,
    expected: Option<&[Event]>,
) {
    let (_, path) = tempfile::Builder::new()
        .prefix("simd-hcl-engines-differ-")
        .suffix(".json")
        .tempfile()
        .and_then(|file| file.keep().map_err(Into::into))
        .unwrap();
    fs::write(&path, text).unwrap();
    let (events, expected) = match (events, expected) {
        (Some(events), Some(expected)) => {
            let same = events.iter().zip(expected).take_while(|(a, b)| a == b).count();
            (format!("{:?} at {same}", events.get(same)), format!("{:?}", expected.get(same)))
        }
        (events, expected) => {
            let verdict = |events: Option<_>| if events.is_some() { "accepts" } else { "refuses" };
            (verdict(events).to_owned(), verdict(expected).to_owned())
        }
    };
    let start = String::from_utf8_lossy(&text[..text.len().min(400)]);
    panic!(
        "{options:?}: {events}, reader: {expected}; {} in {}: {start}",
        text.len(),
        path.display()
    );
}

const DEPTHS: &[u32] = &[0, 1, 3, u32::MAX];

/// Returns every file of the corpus, JSON or not, smallest first.
fn fixtures() -> Vec<Vec<u8>> {
    let paths = simd_hcl_corpus::files("");
    let mut texts: Vec<Vec<u8>> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
    texts.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    texts.dedup();
    texts
}

/// Returns the fixtures that are small enough to change every byte.
fn small_fixtures() -> Vec<Vec<u8>> {
    let budget = sized([1_500, 60_000, 200_000]);
    let mut bytes = 0;
    fixtures()
        .into_iter()
        .take_while(|text| {
            bytes += text.len();
            bytes <= budget
        })
        .collect()
}

#[test]
fn on_fixtures() {
    let mut engines = Engines::new();
    let fixtures = fixtures();
    let valid = fixtures.iter().filter(|text| engines.agree_on(text, DEPTHS)).count();
    assert!(valid > 100 && valid < fixtures.len(), "{valid} of {}", fixtures.len());
}

#[test]
fn on_every_truncation() {
    let mut engines = Engines::new();
    for text in small_fixtures() {
        for end in 0..text.len() {
            engines.agree_on_part(&text, 0..end, &[1]);
            engines.agree_on_part(&text, end..text.len(), &[u32::MAX]);
        }
    }
}

#[test]
fn on_every_changed_byte() {
    let mut engines = Engines::new();
    for mut text in small_fixtures() {
        for at in 0..text.len() {
            let original = text[at];
            for byte in *b"{}[]:,\"\\/0-.eEtnu x\n\x00\x7f\x80\xC3\xED\xFF" {
                text[at] = byte;
                engines.agree_on(&text, &[2]);
            }
            text[at] = original;
        }
    }
}

/// A document with everything that can cross borders.
const DENSE: &str = concat!(
    r#"{"a\"\\":[-1.5e3,0.25E-07,"x${y}",{"c":null,"d":[true,false]}],"#,
    r#""é漢😀":"\\\\\u00e9\ud83d\ude00\/","last":{"":{}},"n":1234567890}"#
);

#[test]
fn at_every_alignment_of_window_borders() {
    let mut engines = Engines::new();
    for border in [64, 512, WINDOW, 2 * WINDOW] {
        // The small size has only some of the places around the second window.
        let step = if border >= WINDOW { sized([16, 1, 1]) } else { 1 };
        for shift in (0..=DENSE.len() + 2).step_by(step) {
            let before = border - shift.min(border);
            for text in [
                format!("[{}{DENSE}]", " ".repeat(before)),
                format!("[\"{}\",{DENSE}]", "x".repeat(before)),
                format!("[\"{}\",{DENSE}]", "\\".repeat(before / 2 * 2)),
                format!("[{}{DENSE}]", "[],".repeat(before / 3)),
                format!("[{}{DENSE}]", "1,".repeat(before / 2)),
                format!("[{},{DENSE}]", "7".repeat(before.max(1))),
                format!("{}{DENSE}{}", "[".repeat(before), "]".repeat(before)),
                format!("{}{DENSE}{}", "{\"\":".repeat(before / 4), "}".repeat(before / 4)),
            ] {
                engines.max_depth = 20_000;
                assert!(engines.agree_on(text.as_bytes(), &[3]), "{border} {shift}");
                let cut = text.len() - 1;
                assert!(!engines.agree_on_part(text.as_bytes(), 0..cut, &[3]));
                // The same text with other bytes before and after it.
                let around = format!("\"{text}\"");
                let part = 1..around.len() - 1;
                assert!(engines.agree_on_part(around.as_bytes(), part, &[u32::MAX]));
            }
        }
    }
}

/// Scalars and strings that do not end within a vector, a step or a window.
#[test]
fn on_long_scalars_and_strings() {
    let mut engines = Engines::new();
    let lengths = (58..=70).chain([500, 513, 8190, 8191, 8192, 8193, 20_000, 30_001]);
    for len in lengths {
        let digits = "9".repeat(len);
        let escapes = "\\u00e9".repeat(len / 6);
        let unicode = "é漢😀".repeat(len / 9);
        let valid = [
            digits.clone(),
            format!("-{digits}"),
            format!("0.{digits}"),
            format!("{digits}.{digits}"),
            format!("{digits}E{digits}"),
            format!("-1.{digits}e-{digits}"),
            format!("\"{digits}\""),
            format!("\"{escapes}\""),
            format!("\"x{unicode}\""),
        ];
        let invalid = [
            format!("0{digits}"),
            format!("-0{digits}"),
            format!("{digits}-"),
            format!("{digits}."),
            format!("{digits}.e1"),
            format!("{digits}.{digits}."),
            format!("{digits}.{digits}e"),
            format!("{digits}.{digits}e+"),
            format!("{digits}e{digits}.0"),
            format!("{digits}e{digits}e0"),
            format!("{digits}é"),
            format!("+{digits}"),
            "true".repeat(len / 4),
            format!("\"{escapes}\\u00e\""),
            format!("\"{escapes}\\u00eg\""),
            format!("\"{unicode}\u{1}\""),
        ];
        for lead in ["", "[", "[ \t", "{\"a\":", "[1, {}, "] {
            let tail = match lead.as_bytes().first() {
                Some(b'[') => " ]",
                Some(_) => "}",
                None => "",
            };
            for (texts, expected) in [(&valid[..], true), (&invalid[..], false)] {
                for text in texts {
                    let text = format!("{lead}{text}{tail}");
                    assert_eq!(engines.agree_on(text.as_bytes(), &[3]), expected, "{len} {lead}");
                    engines.agree_on_part(text.as_bytes(), 0..text.len() - 1, &[3]);
                }
            }
        }
    }
}

/// Every short text of bytes that occur in scalars: alone, and at the border of two groups of 512
/// bytes.
#[test]
fn on_every_short_scalar() {
    const BYTES: &[u8] = b"truefalsn019.E+-x";
    let mut engines = Engines::new();
    let longest = sized([3, 5, 5]);
    let mut scalars: Vec<Vec<u8>> = vec![vec![]];
    let mut shorter = 0..1;
    for len in 1..=longest {
        for i in shorter.clone() {
            for &byte in BYTES {
                let scalar = [&scalars[i][..], &[byte]].concat();
                engines.agree_on(&scalar, &[0]);
                if len <= 2 {
                    for before in 500..514 {
                        let text = format!("[{},", "7".repeat(before)).into_bytes();
                        engines.agree_on(&[&text, &scalar[..], b"]"].concat(), &[0]);
                        engines.agree_on(&[&text[..before - 2], &scalar, b",1]"].concat(), &[0]);
                    }
                }
                scalars.push(scalar);
            }
        }
        shorter = shorter.end..scalars.len();
    }
    // Literals with one byte changed, at the border of two groups.
    for literal in ["true", "false", "null", "-0.5e-7", "10E+25", "0"] {
        for before in 500..514 {
            for at in 0..literal.len() {
                for &byte in BYTES {
                    let mut scalar = literal.as_bytes().to_vec();
                    scalar[at] = byte;
                    let text = format!("[{},{}]", "7".repeat(before), scalar.escape_ascii());
                    engines.agree_on(text.as_bytes(), &[0]);
                }
            }
        }
    }
}

/// Bytes that are not UTF-8, at every place around a border.
#[test]
fn on_broken_utf8() {
    let mut engines = Engines::new();
    let sequences: [(&[u8], bool); 14] = [
        (b"\xC3\xA9", true),
        (b"\xEF\xBB\xBF", true),
        (b"\xF4\x8F\xBF\xBF", true),
        (b"\xED\x9F\xBF", true),
        (b"\xC3", false),
        (b"\xA9", false),
        (b"\xC0\x80", false),
        (b"\xC1\xBF", false),
        (b"\xE0\x9F\xBF", false),
        (b"\xED\xA0\x80", false),
        (b"\xF0\x8F\xBF\xBF", false),
        (b"\xF4\x90\x80\x80", false),
        (b"\xE6\xBC", false),
        (b"\xFF", false),
    ];
    for border in [64, 512, WINDOW] {
        for before in border - 8..border + 2 {
            for (sequence, valid) in sequences {
                let mut text = format!("[\"{}", "x".repeat(before - 2)).into_bytes();
                text.extend_from_slice(sequence);
                text.extend_from_slice(b"\"]");
                assert_eq!(engines.agree_on(&text, &[1]), valid, "{sequence:x?} at {before}");
                // Cut within the sequence, and with the sequence outside a string.
                engines.agree_on_part(&text, 0..text.len() - 3, &[1]);
                engines.agree_on_part(&text, before..text.len() - 2, &[1]);
            }
        }
    }
}

/// Every sequence of up to four bytes of every class that UTF-8 distinguishes, compared with the
/// standard library.
#[test]
fn on_every_sequence_of_utf8() {
    const BYTES: &[u8] =
        b"a\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xDF\xE0\xE1\xEC\xED\xEE\xEF\xF0\xF1\
        \xF3\xF4\xF5\xFF";
    let mut engines = Engines::new();
    let options = ParseOptions::default().with_engine(Engine::Vectorised);
    let longest = sized([2, 4, 4]);
    let mut valid = 0;
    for len in 1..=longest {
        for number in 0..BYTES.len().pow(len) {
            let mut rest = number;
            let mut sequence = Vec::new();
            for _ in 0..len {
                sequence.push(BYTES[rest % BYTES.len()]);
                rest /= BYTES.len();
            }
            // Alone, and cut everywhere by the border of a block, step or window.
            let expected = std::str::from_utf8(&sequence).is_ok();
            valid += usize::from(expected);
            let border = [64, 512, WINDOW][number % if len < 3 { 3 } else { 2 }];
            for before in border - len as usize..=border {
                let mut text = vec![b' '; before];
                text[before - 1] = b'"';
                text.extend_from_slice(&sequence);
                text.push(b'"');
                let span = Span::new(0, text.len() as u32);
                for (kernel, bare) in &mut engines.vectorised {
                    let options = options.with_kernel(*kernel);
                    let accepted = bare.parse(&text, span, &options).is_ok();
                    assert_eq!(accepted, expected, "{sequence:x?} at {before}");
                }
            }
        }
    }
    assert!(valid > 10, "{valid}");
}

#[test]
fn on_deep_nesting() {
    let mut engines = Engines::new();
    let document = |brackets: &[u8]| {
        let opening = brackets.iter().map(|&b| if b == b'{' { "{\"k\":" } else { "[[],2," });
        let mut text: String = opening.collect();
        text.push('0');
        text.extend(brackets.iter().rev().map(|&b| if b == b'{' { ",\"z\":[]}" } else { ",{}]" }));
        text
    };
    for levels in [1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000, 5000] {
        for (limit, valid) in [(levels, false), (levels + 1, true), (levels + 2, true)] {
            engines.max_depth = limit as u32;
            let brackets: Vec<u8> = (0..levels).map(|i| b"{[[{["[i * i % 5]).collect();
            let text = document(&brackets);
            let depths = [0, 3, levels as u32 / 2, levels as u32 - 1, u32::MAX];
            assert_eq!(engines.agree_on(text.as_bytes(), &depths), valid, "{levels} of {limit}");
        }
        // One bracket of the wrong type, or missing, or too many.
        engines.max_depth = 10_000;
        for at in [0, levels / 3, levels - 1] {
            let text = document(&vec![b'['; levels]);
            let close = text.match_indices(",{}]").nth(at).unwrap().0 + 3;
            for replacement in ["}", "", "]]", "],", ",\"a\":1]"] {
                let mut text = text.clone();
                text.replace_range(close..=close, replacement);
                assert!(!engines.agree_on(text.as_bytes(), &[3]), "{levels} {at} {replacement}");
            }
        }
    }
}

/// A random number generator (SplitMix64): the same seed gives the same documents.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ mixed >> 31) % limit as u64) as usize
    }

    fn one_in(&mut self, limit: usize) -> bool {
        self.below(limit) == 0
    }

    fn pick<'p, T: ?Sized>(&mut self, from: &[&'p T]) -> &'p T {
        from[self.below(from.len())]
    }
}

/// Writes random valid documents.
struct Writer<'n> {
    numbers: &'n mut Numbers,
    text: Vec<u8>,
    /// One in this many places between tokens gets whitespace; 0 means none.
    white: usize,
}

impl Writer<'_> {
    fn push(&mut self, text: &str) {
        self.text.extend_from_slice(text.as_bytes());
    }

    fn gap(&mut self) {
        if self.white > 0 && self.numbers.one_in(self.white) {
            let gap = self.numbers.pick(&[" ", "\n", "\t\r", "\n    ", "          "]);
            self.push(gap);
        }
    }

    fn string(&mut self) {
        self.push("\"");
        let length = match self.numbers.below(30) {
            0 => self.numbers.below(400),
            1 => self.numbers.below(80),
            _ => self.numbers.below(10),
        };
        for _ in 0..length {
            let piece = match self.numbers.below(24) {
                0 => self.numbers.pick(&["\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t"]),
                1 => self.numbers.pick(&["\\u0041", "\\uD83D", "\\udE00", "\\uabCD", "\\u12f9"]),
                2 => self.numbers.pick(&["é", "漢", "😀", "\u{7f}", "\u{7ff}", "\u{ffff}"]),
                3 => self.numbers.pick(&["{", "}", "[", "]", ":", ",", " ", "${", "%{", "$", "{"]),
                _ => self.numbers.pick(&["a", "b", "name", "x1", "_", "-", "0"]),
            };
            self.push(piece);
        }
        if self.numbers.one_in(300) {
            let pairs = self.numbers.below(200);
            self.push(&"\\\\".repeat(pairs));
        }
        self.push("\"");
    }

    fn scalar(&mut self) {
        let (a, b) = (self.numbers.below(100), self.numbers.below(100_000));
        let scalar = match self.numbers.below(12) {
            0..=2 => self.numbers.pick(&["true", "false", "null"]).to_owned(),
            3 => format!("-{b}"),
            4 => format!("{a}.{b}"),
            5 => format!("{b}e{a}"),
            6 => format!("-0.{b}E-{a:02}"),
            7 => "0".to_owned(),
            8 => format!("{a}.{b:090}e+5"),
            9 => format!("{}", u64::MAX / (1 + b as u64)),
            _ => a.to_string(),
        };
        self.push(&scalar);
    }

    /// Writes a value with at most `levels` levels. It recurses, since levels are few.
    fn value(&mut self, levels: usize) {
        self.gap();
        match self.numbers.below(if levels == 0 { 4 } else { 9 }) {
            0 | 1 => self.string(),
            2 | 3 => self.scalar(),
            4 | 5 => self.members("[", "]", levels, false),
            _ => self.members("{", "}", levels, true),
        }
        self.gap();
    }

    fn members(&mut self, open: &str, close: &str, levels: usize, named: bool) {
        self.push(open);
        self.gap();
        for index in 0..self.numbers.below(6) {
            if index > 0 {
                self.push(",");
                self.gap();
            }
            if named {
                self.string();
                self.gap();
                self.push(":");
            }
            self.value(levels - 1);
        }
        self.push(close);
    }
}

fn document(numbers: &mut Numbers) -> Vec<u8> {
    let white = [0, 0, 1, 4][numbers.below(4)];
    let mut writer = Writer { numbers, text: Vec::new(), white };
    // Some documents span several windows, or have their interesting part at a border.
    if writer.numbers.one_in(40) {
        writer.push("[");
        for _ in 0..writer.numbers.below(80) {
            writer.value(4);
            writer.push(",");
        }
        writer.push("0]");
    } else {
        if writer.numbers.one_in(10) {
            let blank = writer.numbers.below(2 * WINDOW);
            writer.push(&" ".repeat(blank));
        }
        let levels = writer.numbers.below(8);
        writer.value(levels);
    }
    writer.text
}

/// Changes a few bytes, so that the document is nearly valid or still valid.
fn mutate(numbers: &mut Numbers, text: &mut Vec<u8>) {
    const PIECES: &[&[u8]] = &[
        b"{",
        b"}",
        b"[",
        b"]",
        b":",
        b",",
        b"\"",
        b"\\",
        b"1",
        b"0",
        b"-",
        b"+",
        b".",
        b"e",
        b"E",
        b"true",
        b"nul",
        b"fals",
        b" ",
        b"\n",
        b"\x01",
        b"\x7f",
        b"\x80",
        b"\xC3\xA9",
        b"\xED\xA0",
        b"\xFF",
        b"\\u12",
        b"\\u00e9",
        b"\"a\"",
        b"\"k\":",
        b",\"k\":",
        b"[]",
        b"{}",
        b"[[",
        b"]]",
        b"}}",
        b"},",
        b"],",
        b"00",
        b"u",
        b"/",
    ];
    for _ in 0..numbers.below(4) {
        if text.is_empty() {
            return;
        }
        let at = numbers.below(text.len());
        match numbers.below(7) {
            0 => drop(text.remove(at)),
            1 | 2 => drop(text.splice(at..at, numbers.pick(PIECES).iter().copied())),
            3 => text[at] = numbers.pick(PIECES)[0],
            4 => {
                let other = numbers.below(text.len());
                text.swap(at, other);
            }
            5 if numbers.one_in(4) => text.truncate(at),
            _ => {
                let end = text.len().min(at + numbers.below(24));
                let piece = text[at..end].to_vec();
                let to = numbers.below(text.len());
                drop(text.splice(to..to, piece));
            }
        }
    }
}

fn number_from_environment(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}

#[test]
fn on_mutated_documents() {
    let mut engines = Engines::new();
    let documents = sized([10_000, 300_000, 10_000_000]);
    let seed = number_from_environment("SIMD_HCL_SEED").unwrap_or(1);
    let mut numbers = Numbers(seed);
    let mut valid = 0;
    for _ in 0..documents {
        let mut text = document(&mut numbers);
        mutate(&mut numbers, &mut text);
        engines.max_depth = [5, 100][numbers.below(2)];
        let depth = [0, 1, 2, 3, 4, u32::MAX][numbers.below(6)];
        // A separate copy, so that memory checkers notice a read past the end.
        let text = text.into_boxed_slice();
        valid += u64::from(engines.agree_on(&text, &[depth]));
    }
    println!("{documents} documents, {valid} valid: all engines agree");
    assert!(valid * 10 > documents && valid * 10 < 9 * documents, "{valid} of {documents}");
}
