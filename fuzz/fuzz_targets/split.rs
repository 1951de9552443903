//! A text parsed in parts, split where the input says and with the guesses that it makes, has the
//! same verdict and events as on one thread.
#![no_main]

use libfuzzer_sys::fuzz_target;
use simd_hcl::fuzzing::{Engine, parse, parse_parts};
use simd_hcl::{ParseOptions, Span};

// The first bytes choose the engine, the skeleton depth, and two commas with the containers that
// are guessed to be open there.
fuzz_target!(|input: &[u8]| {
    let Some((&[mode, first, first_open, second, second_open], text)) = input.split_first_chunk()
    else {
        return;
    };
    let options = ParseOptions::default()
        .with_max_depth(16)
        .with_skeleton_depth(u32::from(mode >> 1 & 7))
        .with_engine(if mode & 1 == 0 { Engine::Automaton } else { Engine::Vectorised });
    let span = Span::new(0, text.len() as u32);
    let commas: Vec<u32> = (0..span.end).filter(|&at| text[at as usize] == b',').collect();
    let open = |bits: u8| (0..bits & 7).map(|level| bits >> 3 >> level & 1 == 0).collect();
    let cut = |number: u8, bits| Some((*commas.get(usize::from(number))?, open(bits)));
    let mut cuts: Vec<(u32, Vec<bool>)> =
        [cut(first, first_open), cut(second, second_open)].into_iter().flatten().collect();
    cuts.sort();
    cuts.dedup_by_key(|(comma, _)| *comma);
    if let Some(events) = parse_parts(text, span, &cuts, &options) {
        assert_eq!(parse(text, span, &options), Some(events));
    }
});
