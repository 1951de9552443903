//! Parses one large text on several threads.
//!
//! The events are bit for bit those that one thread writes. Texts that are small, have no place to
//! split, or have an error in any part are left to one thread, so verdicts and diagnostics always
//! come from one thread.
//!
//! # The idea
//!
//! At a comma outside of strings, a parser only knows which containers are open; the rest of its
//! state depends on the tokens around the comma. So a part of a text can be parsed before the parts
//! in front of it, from a *guess* of the containers open at its comma. When all parts are done, the
//! guess is compared with the containers open at the end of the previous part. If they are equal,
//! the result is the same as with one thread; if not, the part is parsed again. No guess is used
//! without this check.
//!
//! ```text
//!  {"resource":{"aws_instance":{ … "a":{ … } , "b":{ … } … }}}
//!  ├──────────── first part ──────────────┤ │ ├─ second ─────┤
//!   ends with { { { open                  comma   starts with { { { open, as was guessed
//! ```
//!
//! # The guess
//!
//! Generated text is repetitive: a name has the same depth everywhere. The text is split at one of
//! the shallowest commas in a sample after its middle. The depth of this comma is found by a vote:
//! samples at the start and the end of the text, where the open containers are known, contain some
//! of the same names, and each name votes for its depth there. The containers around the comma are
//! those around such a name.
//!
//! If the names do not agree, as in plans, where the same ones occur at several depths, the guess is
//! that the text is a list: that the comma is between the elements of the root, or of an array that
//! is a member of the root. Wrong guesses cost only the time of threads that would be idle.
//!
//! # Why the comparison suffices
//!
//! - The first part ends outside of strings, or is rejected. So the comma is not in a string.
//! - The rules for the tokens around the comma are checked here: before it is a closing bracket,
//!   which ends a member; after it is a member, of an object if it has a name, otherwise of an
//!   array; and the innermost container that is actually open there has that type. A member then
//!   starts the second part as it would start the container, except that a closing bracket is not
//!   allowed.
//! - All other rules are about tokens of one part, or about open containers.

mod sample;

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use self::sample::Sample;
use super::options::ParseOptions;
use super::part::{has_name, parse_part};
use super::scratch::Scratch;
use crate::lexical::is_white;
use crate::scan::{Kernel, Rejected};
use crate::span::{Part, Span};

/// The minimum size of a part, in bytes: samples, waking a thread and joining the events cost about
/// 100 µs.
const SMALLEST: u32 = 1 << 20;
/// The size of a sample in bytes, for short and for long texts. Larger samples take more time; in
/// smaller ones, the shallowest place may be inside one large member.
const SAMPLE: [usize; 2] = [24 << 10, 64 << 10];
/// The maximum number of open containers where a text is split.
const DEEPEST: usize = 64;

/// A comma at which a text is split.
pub(crate) struct Cut {
    /// Its offset.
    pub(crate) comma: u32,
    /// The containers that are assumed to be open, outermost first: true for each object.
    pub(crate) open: Vec<bool>,
}

/// Like [`super::parse`], on several threads. Returns `None` if one thread must parse the text.
pub(super) fn parse(
    text: &[u8],
    span: Span,
    options: &ParseOptions,
    scratch: &mut Scratch,
) -> Option<bool> {
    let parts = (span.len() / SMALLEST).min(match options.threads {
        0 if span.len() >= 2 * SMALLEST => rayon::current_num_threads() as u32,
        threads => threads,
    });
    if parts < 2 {
        return None;
    }
    let text = text.get(..span.end as usize)?;
    let [short, long] = SAMPLE;
    let sample = (span.len() as usize / 256).clamp(short, long);
    let cuts = cuts(options.kernel, text, span, parts, sample);
    parse_parts(text, span, &cuts, options, scratch)
}

/// Returns likely places to split `text[span]` into up to `parts` parts.
fn cuts(kernel: Kernel, text: &[u8], span: Span, parts: u32, sample: usize) -> Vec<Cut> {
    let (start, end) = (span.start as usize, span.end as usize);
    let known: [&dyn Fn() -> Option<Sample>; 2] =
        [&|| Sample::at(kernel, text, end - sample, end), &|| {
            Sample::new(kernel, text, start..start + sample)
        }];
    let middle = |number| {
        let from = start + (u64::from(span.len()) * number / u64::from(parts)) as usize;
        Sample::at(kernel, text, from, from + sample)
    };
    let samples: Vec<Sample> = (1..u64::from(parts)).filter_map(middle).collect();
    for known in known {
        let Some(names) = known().map(|known| known.names()) else {
            continue;
        };
        let cuts: Vec<Cut> = samples
            .iter()
            .filter_map(|sample| {
                let place = sample.place?;
                let open = sample.vote(place, &names)?;
                let is_likely = *open.last()? == has_name(text, place.comma)?;
                is_likely.then_some(Cut { comma: place.comma, open })
            })
            .collect();
        if !cuts.is_empty() {
            return cuts;
        }
    }
    let elements = samples.iter().filter_map(|sample| {
        let comma = sample.place?.comma;
        let open = list(text.get(start..end)?, has_name(text, comma)?)?;
        Some(Cut { comma, open })
    });
    elements.collect()
}

/// The containers around the elements of a list, if it is the root, or an array in it.
fn list(text: &[u8], has_names: bool) -> Option<Vec<bool>> {
    let root = text.iter().find(|byte| !is_white(**byte))?;
    match (root, has_names) {
        (b'[', false) => Some(vec![false]),
        (b'{', false) => Some(vec![true, false]),
        _ => None,
    }
}

/// A part and its result.
struct Parsed<'p> {
    part: Part<'p>,
    scratch: &'p mut Scratch,
    result: Result<bool, Rejected>,
}

/// Parses the parts between `cuts`, each on the first idle thread, and joins them.
pub(crate) fn parse_parts(
    text: &[u8],
    span: Span,
    cuts: &[Cut],
    options: &ParseOptions,
    scratch: &mut Scratch,
) -> Option<bool> {
    let members: Option<Vec<bool>> = cuts.iter().map(|cut| has_name(text, cut.comma)).collect();
    let members = members.filter(|members| !members.is_empty())?;
    let mut others = std::mem::take(&mut scratch.parts);
    others.resize_with(others.len().max(cuts.len()), Scratch::default);
    scratch.build.expect(span.len() as usize);

    let starts = cuts.iter().map(|cut| (cut.comma + 1, cut.open.as_slice()));
    let starts = [(span.start, [].as_slice())].into_iter().chain(starts);
    let ends = cuts.iter().map(|cut| (cut.comma, false)).chain([(span.end, true)]);
    let scratches = [&mut *scratch].into_iter().chain(&mut others);
    let mut parts: Vec<Parsed<'_>> = starts
        .zip(ends)
        .zip(scratches)
        .map(|(((start, open), (end, is_last)), scratch)| {
            let part = Part { span: Span::new(start, end), open, is_last, stop: None };
            Parsed { part, scratch, result: Err(Rejected) }
        })
        .collect();
    let stops: Vec<AtomicBool> = parts.iter().map(|_| AtomicBool::new(false)).collect();
    parts.par_iter_mut().with_max_len(1).enumerate().for_each(|(number, parsed)| {
        let part = Part { stop: Some(&stops[number]), ..parsed.part };
        parsed.result = parse_part(text, part, options, parsed.scratch);
        // If the guess was wrong, stop the next part, so that it costs no more than the thread's
        // idle time.
        if cuts.get(number).is_some_and(|cut| cut.open != parsed.scratch.open) {
            stops[number + 1].store(true, Ordering::Relaxed);
        }
    });
    let surrogates = join(text, &mut parts, &members, options);
    drop(parts);
    // Their events have been copied.
    others.iter_mut().for_each(|other| other.build.release());
    scratch.parts = others;
    surrogates
}

/// Appends the events of all parts to those of the first. A part that did not start with the
/// containers open at the end of the previous part is parsed again. For each part but the first,
/// `members` has whether its first member has a name.
fn join(
    text: &[u8],
    parts: &mut [Parsed<'_>],
    members: &[bool],
    options: &ParseOptions,
) -> Option<bool> {
    let (first, others) = parts.split_first_mut()?;
    let mut surrogates = first.result.ok()?;
    let mut open = first.scratch.open.clone();
    for (parsed, &has_name) in others.iter_mut().zip(members) {
        if open.last() != Some(&has_name) || open.len() > DEEPEST {
            return None;
        }
        if open != parsed.part.open {
            let part = Part { open: &open, ..parsed.part };
            parsed.result = parse_part(text, part, options, parsed.scratch);
        }
        surrogates |= parsed.result.ok()?;
        first.scratch.build.append(&parsed.scratch.build);
        open.clone_from(&parsed.scratch.open);
    }
    Some(surrogates)
}

#[cfg(test)]
mod tests {
    use simd_hcl_corpus::{ConfigOptions, PlanOptions, config_bytes, plan_bytes, sized};

    use super::*;
    use crate::event::Event;
    use crate::event::build::LongContainer;
    use crate::event::options::Engine;

    /// Objects and arrays at all depths, strings with structural characters, whitespace.
    const TEXTS: &[&str] = &[
        r#"{"r":{"t":{"a":{"x":1},"b":{"x":[{}]},"c":{"y":{}}},"u":{"d":{"x":[1,{}]}}},"z":[]}"#,
        "{\"r\": {\r\n  \"a\": {\r\n    \"x\": [ ] ,\r\n\t\"é\": 1\r\n  } ,\r\n  \"b\": [ { } ]\r\n}}\r\n",
        r#"[[1,{"a":[]},[2]],[{},{"b":{}},"],[","},{",",\\"],{"},":1,"\"},\"":[],"},\"a":{}},[]]"#,
        r#"{"s":"{\"a\":{\"b\":1},\"c\":[]}","},":["},{"],"漢字":{"\u00e9},":"\ud83d\ude00"},"n":[-1.5e3]}"#,
        r#"[[[[[[[[{"a":[]},{"b":{}}]],[[[]],{"c":[{"d":{"e":{}},"f":[]}]}]]]]]]]"#,
        r#"{"a":[],"b":{},"c":[],"d":{"e":[],"f":{}},"g":[[],[],{}]}"#,
        r#"[{},"a":1]"#,
        r#"{"a":{},"b","c":{}}"#,
        r#"{"a":{},"b",{"c":{}}}"#,
        r#"{"a":{},{"b":{}}}"#,
        r#"[{},{}},{}]"#,
        r#"{"a":[}],"b":{}}"#,
        r#"{"a":{}},"b":{}"#,
        r#"[[{}],[[[[[[[[[[[[[],[]]]]]]]]]]],{}],{}]]"#,
        "[{},{\"a\":{},\"b\t\":[],\"c\":{}}]",
    ];
    /// The number of valid texts.
    const VALID: usize = 6;

    /// The verdict, the events, and the starts and ends of long containers.
    type Outcome = Option<(bool, Vec<Event>, Vec<LongContainer>)>;

    fn outcome(surrogates: Option<bool>, scratch: &Scratch) -> Outcome {
        let build = &scratch.build;
        surrogates.map(|surrogates| (surrogates, build.events().to_vec(), build.long().to_vec()))
    }

    fn whole(text: &[u8], options: &ParseOptions, scratch: &mut Scratch) -> Outcome {
        let span = Span::new(0, text.len() as u32);
        let surrogates = parse_part(text, Part::whole(span), options, scratch).ok();
        outcome(surrogates, scratch)
    }

    fn in_parts(
        text: &[u8],
        cuts: &[Cut],
        options: &ParseOptions,
        scratch: &mut Scratch,
    ) -> Outcome {
        let span = Span::new(0, text.len() as u32);
        let surrogates = parse_parts(text, span, cuts, options, scratch);
        outcome(surrogates, scratch)
    }

    /// Every kernel and engine with several skeleton depths.
    fn all_options() -> impl Iterator<Item = ParseOptions> {
        let engines = Kernel::available()
            .flat_map(|kernel| [(kernel, Engine::Automaton), (kernel, Engine::Vectorised)]);
        engines.flat_map(|(kernel, engine)| {
            [0, 1, 3, u32::MAX].map(|depth| {
                let options = ParseOptions::default().with_kernel(kernel).with_engine(engine);
                options.with_skeleton_depth(depth).with_max_depth(12)
            })
        })
    }

    /// Returns the containers that are open at an offset; `None` inside strings.
    fn open_at(text: &[u8], offset: u32) -> Option<Vec<bool>> {
        let (mut open, mut in_string, mut escaped) = (Vec::new(), false, false);
        for &byte in &text[..offset as usize] {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = !in_string,
                _ if in_string => {}
                b'{' | b'[' => open.push(byte == b'{'),
                b'}' | b']' => drop(open.pop()),
                _ => {}
            }
        }
        (!in_string).then_some(open)
    }

    /// Returns right and wrong guesses.
    fn guesses(open: &[bool]) -> Vec<Vec<bool>> {
        let mut guesses = vec![open.to_vec(), Vec::new(), vec![true; 8], vec![false; 1]];
        if let Some((&last, others)) = open.split_last() {
            guesses.push([others, &[!last]].concat());
            guesses.push(others.to_vec());
            guesses.push([&[!open[0]], &open[1..]].concat());
            guesses.push([others, &[true, last]].concat());
        }
        guesses
    }

    /// Splits a text at each byte, and at all commas. Returns how often several threads could parse
    /// it.
    fn compare(text: &[u8], options: &ParseOptions, scratch: &mut Scratch) -> usize {
        let expected = whole(text, options, scratch);
        let mut joined = 0;
        let mut all = Vec::new();
        // Under Miri, which is about a thousand times slower, only at commas, and with some of the
        // guesses.
        let some = if cfg!(miri) { 3 } else { 1 };
        let places = (0..text.len()).filter(|&at| !cfg!(miri) || text[at] == b',');
        for comma in places.map(|at| at as u32) {
            let open = open_at(text, comma);
            let is_place = open.is_some() && has_name(text, comma).is_some();
            for guess in guesses(&open.clone().unwrap_or_default()).into_iter().step_by(some) {
                let cuts = [Cut { comma, open: guess }];
                let found = in_parts(text, &cuts, options, scratch);
                if found.is_some() || is_place {
                    assert_eq!(found, expected, "{comma} {:?} {options:?}", cuts[0].open);
                    joined += usize::from(found.is_some());
                }
            }
            if let Some(open) = open.filter(|_| is_place) {
                all.push(Cut { comma, open });
            }
        }
        if !all.is_empty() {
            assert_eq!(in_parts(text, &all, options, scratch), expected, "{options:?}");
            for (number, cut) in all.iter_mut().enumerate().filter(|(number, _)| number % 3 == 1) {
                cut.open.truncate(number % 4);
            }
            assert_eq!(in_parts(text, &all, options, scratch), expected, "{options:?}");
        }
        joined
    }

    #[test]
    fn at_every_byte() {
        let mut scratch = Scratch::default();
        let (some, few) = if cfg!(miri) { (7, 5) } else { (1, 1) };
        for options in all_options().step_by(some) {
            for (number, text) in TEXTS.iter().enumerate().step_by(few) {
                let joined = compare(text.as_bytes(), &options, &mut scratch);
                assert_eq!(joined > 0, number < VALID, "{text}");
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "too many texts")]
    fn at_every_byte_of_changed_texts() {
        let mut scratch = Scratch::default();
        let step = sized([31, 1, 1]);
        let options = [(Engine::Automaton, 2), (Engine::Vectorised, 3)].map(|(engine, depth)| {
            ParseOptions::default().with_engine(engine).with_skeleton_depth(depth)
        });
        for text in TEXTS {
            for place in (0..text.len()).step_by(step) {
                for byte in *b"{}[]\",:\\ 0\x80" {
                    let mut text = text.as_bytes().to_vec();
                    text[place] = byte;
                    options.iter().for_each(|options| {
                        compare(&text, options, &mut scratch);
                    });
                }
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "too many texts")]
    fn guesses_from_every_byte() {
        let (mut scratch, mut joined) = (Scratch::default(), 0);
        let options = ParseOptions::default();
        let text = format!(
            "{{\"r\":{{\"t\":{{{}\"z\":0}}}}}}",
            TEXTS[..VALID]
                .iter()
                .map(|text| { format!("\"a\":{{\"b\":{text},\"c\":{{\"d\":{text}}}}},") })
                .collect::<String>()
                .repeat(6)
        );
        let text = text.as_bytes();
        let expected = whole(text, &options, &mut scratch);
        for from in 0..text.len() {
            for sample in [200, 2_000] {
                let to = from + sample;
                let sample = Sample::at(options.kernel, text, from, to);
                let Some(place) = sample.and_then(|sample| sample.place) else {
                    continue;
                };
                let cuts = [Cut { comma: place.comma, open: vec![true; 3] }];
                let found = in_parts(text, &cuts, &options, &mut scratch);
                if let Some(open) = open_at(text, place.comma) {
                    assert_eq!(found, expected, "{from}");
                    joined += usize::from(open == cuts[0].open);
                }
            }
        }
        assert!(joined > text.len() / 2, "{joined} of {} guesses are right", text.len());
    }

    /// A text is split where few containers are open, even if more are guessed.
    #[test]
    fn deep_places() {
        let mut scratch = Scratch::default();
        for engine in [Engine::Automaton, Engine::Vectorised] {
            let options = ParseOptions::default().with_engine(engine);
            for depth in [DEEPEST, DEEPEST + 1] {
                let text = format!("{}{{}},{{}}{}", "[".repeat(depth), "]".repeat(depth));
                let expected = whole(text.as_bytes(), &options, &mut scratch);
                assert!(expected.is_some());
                let expected = expected.filter(|_| depth == DEEPEST);
                for guess in [depth, 0, 2_000] {
                    let cuts = [Cut { comma: depth as u32 + 2, open: vec![false; guess] }];
                    let found = in_parts(text.as_bytes(), &cuts, &options, &mut scratch);
                    assert_eq!(found, expected, "{engine:?} {depth} {guess}");
                }
            }
        }
    }

    /// Whether the guesses of all places for this number of parts of a text are right.
    fn is_guessed(text: &[u8], parts: u32) -> bool {
        let span = Span::new(0, text.len() as u32);
        let cuts = cuts(Kernel::detect(), text, span, parts, SAMPLE[0]);
        let is_right = |cut: &Cut| open_at(text, cut.comma).as_deref() == Some(&cut.open);
        cuts.len() == parts as usize - 1 && cuts.iter().all(is_right)
    }

    #[test]
    #[cfg_attr(miri, ignore = "the text is too long")]
    fn generated_configuration_is_guessed() {
        for resources in [5_000, 20_000] {
            for pretty in [false, true] {
                let options = ConfigOptions { resources, pretty, ..ConfigOptions::default() };
                assert!(is_guessed(&config_bytes(&options), 4), "{resources} {pretty}");
            }
        }
    }

    /// The middle of a plan is in `resource_changes`, and names occur at several depths.
    #[test]
    #[cfg_attr(miri, ignore = "the text is too long")]
    fn generated_plans_are_guessed() {
        for (changes, depth, pretty) in [(1_000, 1, false), (2_000, 3, false), (1_000, 2, true)] {
            let options = PlanOptions { changes, depth, pretty, ..PlanOptions::default() };
            assert!(is_guessed(&plan_bytes(&options), 2), "{changes} {depth} {pretty}");
        }
    }

    #[test]
    fn lists_are_guessed() {
        // Names that occur once, so that none of them is known elsewhere.
        let mut number = 0;
        let mut elements = |open: char, close: char| {
            let element = || {
                number += 1;
                format!("{open}\"n{number}\":[{{}}]{close}").replace(['<', '>'], "")
            };
            std::iter::repeat_with(element).take(40).collect::<Vec<_>>().join(",")
        };
        let array = elements('{', '}');
        let object = elements('<', '>');
        for (text, open) in [
            (format!(" [{array}]"), Some(vec![false])),
            (format!("{{\"list\":[{array}]}}"), Some(vec![true, false])),
            (format!("{{{object}}}"), None),
        ] {
            let span = Span::new(0, text.len() as u32);
            let cuts = cuts(Kernel::detect(), text.as_bytes(), span, 2, 100);
            let found = cuts.first().map(|cut| cut.open.clone());
            assert_eq!(found, open, "{text}");
            if let Some(cut) = cuts.first() {
                assert_eq!(open_at(text.as_bytes(), cut.comma), open, "{text}");
            }
        }
    }
}
