//! Every kernel gives the same tokens, and every engine on every kernel gives the same verdict and
//! the same events as the byte-wise reader: at several skeleton depths, at window and block
//! borders, and between bytes that do not belong to the value.
#![no_main]

use libfuzzer_sys::fuzz_target;
use simd_hcl::event::Event;
use simd_hcl::fuzzing::Engine;
use simd_hcl::{Kernel, ParseOptions, Span, fuzzing};

const MAX_DEPTH: u32 = 64;

fuzz_target!(|data: &[u8]| {
    tokens(data);
    for skeleton_depth in [0, 1, 3, u32::MAX] {
        events(data, Span::new(0, data.len() as u32), skeleton_depth);
    }
    // In the middle of a text, as an opened container is.
    let middle = [b"\"\\".as_slice(), data, b"\"\\u12".as_slice()].concat();
    events(&middle, Span::new(2, data.len() as u32 + 2), u32::MAX);
    // Across a border of blocks or windows: after white space, after a string, and inside one.
    // One border for each input, since the text before it takes most of the time.
    let border = [64, 512, 8192][data.len() % 3];
    let before = border - (data.len() / 2).min(border - 5);
    let (spaces, string) = (" ".repeat(before), "x".repeat(before - 4));
    for text in [
        [spaces.as_bytes(), data].concat(),
        [b"[\"", string.as_bytes(), b"\",", data, b"]"].concat(),
        [b"[\"", string.as_bytes(), data, b"\"]"].concat(),
    ] {
        tokens(&text);
        events(&text, Span::new(0, text.len() as u32), 2);
    }
});

fn tokens(text: &[u8]) {
    let expected = fuzzing::token_offsets(Kernel::by_name("portable").unwrap(), text).ok();
    for kernel in Kernel::available() {
        assert_eq!(fuzzing::token_offsets(kernel, text).ok(), expected, "{}", kernel.name());
        let flags = fuzzing::string_flags(kernel, text);
        let introduces = |pair: &[u8]| pair == b"${" || pair == b"%{";
        assert_eq!(flags.has_escape(), text.contains(&b'\\'), "{}", kernel.name());
        assert_eq!(flags.has_template(), text.windows(2).any(introduces), "{}", kernel.name());
    }
}

fn events(text: &[u8], span: Span, skeleton_depth: u32) {
    let options =
        ParseOptions::default().with_max_depth(MAX_DEPTH).with_skeleton_depth(skeleton_depth);
    let expected: Option<Vec<Event>> = fuzzing::read(text, span, &options);
    let automaton = Kernel::available().take(1).map(|kernel| (kernel, Engine::Automaton));
    let engines = Kernel::available().map(|kernel| (kernel, Engine::Vectorised)).chain(automaton);
    for (kernel, engine) in engines {
        let options = options.with_kernel(kernel).with_engine(engine);
        assert_eq!(fuzzing::parse(text, span, &options), expected, "{options:?}");
    }
}
