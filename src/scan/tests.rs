//! Compares every kernel with a reference that reads one byte at a time.

use super::state::Carry;
use super::tokens::{CARRY, WINDOW};
use super::*;

use simd_hcl_corpus::sized;

/// The result of a scan.
#[derive(Debug, PartialEq, Eq)]
struct Scan {
    offsets: Vec<u32>,
    surrogates: bool,
}

/// The definition of a scan, byte by byte.
fn reference(text: &[u8], start: usize, end: usize) -> Result<Scan, Rejected> {
    let range = &text[start..end];
    std::str::from_utf8(range).map_err(|_| Rejected)?;
    let (mut offsets, mut surrogates) = (Vec::new(), false);
    let mut in_scalar = false;
    let mut at = 0;
    while at < range.len() {
        let offset = (start + at) as u32;
        let was_in_scalar = std::mem::replace(&mut in_scalar, false);
        match range[at] {
            b' ' | b'\t' | b'\n' | b'\r' => at += 1,
            b'{' | b'}' | b'[' | b']' | b':' | b',' => {
                offsets.push(offset);
                at += 1;
            }
            b'"' => {
                offsets.push(offset);
                at = reference_string(range, at + 1, &mut surrogates)?;
            }
            b'\\' => return Err(Rejected),
            _ => {
                if !was_in_scalar {
                    offsets.push(offset);
                }
                in_scalar = true;
                at += 1;
            }
        }
    }
    Ok(Scan { offsets, surrogates })
}

/// Returns the offset after the closing quote of the string whose first byte is at `at`.
fn reference_string(range: &[u8], mut at: usize, surrogates: &mut bool) -> Result<usize, Rejected> {
    loop {
        match *range.get(at).ok_or(Rejected)? {
            b'"' => return Ok(at + 1),
            0..0x20 => return Err(Rejected),
            b'\\' => match *range.get(at + 1).ok_or(Rejected)? {
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => at += 2,
                b'u' => {
                    let digits = range.get(at + 2..at + 6).ok_or(Rejected)?;
                    if !digits.iter().all(u8::is_ascii_hexdigit) {
                        return Err(Rejected);
                    }
                    let digits = std::str::from_utf8(digits).unwrap();
                    let unit = u32::from_str_radix(digits, 16).unwrap();
                    *surrogates |= (0xD800..=0xDFFF).contains(&unit);
                    at += 6;
                }
                _ => return Err(Rejected),
            },
            _ => at += 1,
        }
    }
}

/// A scan of `text[start..end]` that keeps and carries tokens as a reader does.
struct Scanner<'t> {
    text: &'t [u8],
    start: usize,
    end: usize,
}

impl Task for Scanner<'_> {
    type Output = Result<Scan, Rejected>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let mut state = State::new(Span::new(self.start as u32, self.end as u32));
        let mut tokens = Tokens::new();
        let mut offsets = Vec::new();
        loop {
            isa.scan_window(self.text, &mut state, &mut tokens)?;
            let found = tokens.as_slice();
            let kept = if state.is_done() { 0 } else { found.len().min(CARRY) };
            let used = found.len() - kept;
            offsets.extend_from_slice(&found[..used]);
            tokens.carry(used);
            if state.is_done() {
                let surrogates = state.surrogates();
                return Ok(Scan { offsets, surrogates });
            }
        }
    }
}

#[track_caller]
fn check_range(text: &[u8], start: usize, end: usize) {
    let expected = reference(text, start, end);
    for kernel in Kernel::available() {
        let found = kernel.run(Scanner { text, start, end });
        if found != expected {
            let shown = String::from_utf8_lossy(&text[start..end]);
            panic!("{kernel:?}: {found:?} instead of {expected:?} for {start}..{end}: {shown}");
        }
    }
}

#[track_caller]
fn check(text: &[u8]) {
    // A boxed copy has no room after its last byte, so that memory checkers notice reads past it.
    let text: Box<[u8]> = text.into();
    check_range(&text, 0, text.len());
}

/// Pseudorandom numbers, the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 16) as usize % limit
    }

    fn of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Returns text of about `len` bytes that a scan accepts, made of pieces that are hard to
    /// distinguish.
    fn accepted(&mut self, len: usize) -> Vec<u8> {
        const INSIDE: &[&str] = &[
            "a",
            "word",
            " ",
            "{",
            "}",
            "[",
            "]",
            ":",
            ",",
            "\\\\",
            "\\\"",
            "\\/",
            "\\b\\f\\n\\r\\t",
            "\\u00e9",
            "\\uD83D\\uDE00",
            "\\u5C22",
            "\\\\\\\\\\\\",
            "é",
            "€",
            "😀",
            "${a}",
            "\u{7f}",
            "long run of plain text that fills a good part of one whole block of bytes",
        ];
        const OUTSIDE: &[&str] = &[
            "{",
            "}",
            "[",
            "]",
            ":",
            ",",
            " ",
            "\n",
            "\t",
            "\r\n",
            "    ",
            "true",
            "-1.5e+3",
            "0",
            "é",
            "\0",
            "\u{1a}",
            "\u{c}",
            "\u{1f}",
            "/",
            "nul",
            "1234567890123456789012345678901",
        ];
        let mut text = Vec::new();
        let strings = *self.of(&[2, 8, 40]);
        while text.len() < len {
            if self.below(strings) == 0 {
                text.push(b'"');
                for _ in 0..self.below(12) {
                    text.extend_from_slice(self.of(INSIDE).as_bytes());
                }
                text.push(b'"');
            } else {
                text.extend_from_slice(self.of(OUTSIDE).as_bytes());
            }
        }
        text
    }
}

/// Borders of blocks, of the steps in which kernels take them, and of windows.
const BORDERS: [usize; 6] = [64, 128, 256, 512, 1024, WINDOW];

#[test]
fn kernels() {
    let available: Vec<_> = Kernel::available().map(Kernel::name).collect();
    assert_eq!(available.last(), Some(&"portable"));
    for info in Kernel::all() {
        let kernel = Kernel::by_name(info.name);
        if info.supported {
            assert_eq!(kernel.map(Kernel::name), Ok(info.name));
            assert!(available.contains(&info.name));
        } else {
            println!("skipped: this CPU cannot run the kernel `{}`", info.name);
            assert_eq!(kernel.map(Kernel::name), Err(KernelError::Unsupported(info.name)));
        }
    }
    let unknown = Kernel::by_name("abacus").unwrap_err();
    assert!(unknown.to_string().starts_with("there is no kernel `abacus`; choose one of: "));
    assert!(unknown.to_string().ends_with("portable"));
}

#[test]
fn snippets() {
    for text in [
        "",
        " ",
        "\"\"",
        "\"",
        "{}",
        "{\"a\":1}",
        "[1,2.5e3,true,null]",
        "\"a\"b",
        "a\"b\"",
        "1 2",
        "\\",
        "\"\\\"",
        "\"\\\\\"",
        "\"\\u00e9\"",
        "\"\\uD83D\\ude00\"",
        "\"\\u12\"",
        "\"\\u12G4\"",
        "\"\\x\"",
        "\"\t\"",
        "\"\\",
        "\0",
        "{\"\":[{}]}",
        "é",
        "\"é\"",
        "\u{7f}",
        "tru\u{1}e",
        "x\\n",
        "\"a\\/b\"",
        "\"\\uDBFF\"",
        "\"\\uE000\"",
        "\"\\ud7ff\"",
        "[\"${a}\", '%{b}']",
        "a\\\"b",
        "\u{feff}{}",
        "\"\\u00\"00",
        "\"\\u 123\"",
        "\"\\u+123\"",
        "\"\\U0000\"",
        "\"\\'\"",
    ] {
        check(text.as_bytes());
    }
}

#[test]
fn every_byte_everywhere() {
    for byte in 0..=255 {
        check(&[byte]);
        check(&[b'1', byte, b'1']);
        check(&[b'"', byte, b'"']);
        check(&[b'"', b'\\', byte, b'"']);
        check(&[b'"', b'\\', b'u', b'0', byte, b'0', b'0', b'"']);
        let mut text = vec![b' '; 200];
        for at in [0, 31, 32, 63, 64, 127, 199] {
            text[at] = byte;
            check(&text);
            text[at] = b' ';
        }
    }
}

#[test]
fn all_surrogates() {
    for first in *b"cCdDeE" {
        for second in *b"0123456789abcdefABCDEF" {
            check(&[b'"', b'\\', b'u', first, second, b'0', b'F', b'"']);
        }
    }
}

#[test]
fn random_bytes() {
    const ALPHABET: &[u8] =
        b"\"\"\"\"\\\\\\{}[]:,  \n\r\t01eunbx/\x00\x0c\x1a\x1f\x7f\x80\xc3\xa9\xff";
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for _ in 0..20_000 {
        // Only a part of the alphabet, so that some texts are accepted.
        let letters = 2 + random.below(ALPHABET.len() - 1);
        let len = random.below(40);
        let text: Vec<u8> = (0..len).map(|_| *random.of(&ALPHABET[..letters])).collect();
        check(&text);
    }
}

#[test]
fn random_texts() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let (mut accepted, mut rejected) = (0, 0);
    for round in 0..3000 {
        let len = random.below(if round % 50 == 0 { 3 * WINDOW } else { 900 });
        let mut text = random.accepted(len);
        assert!(reference(&text, 0, text.len()).is_ok());
        check(&text);
        for _ in 0..3 {
            if text.is_empty() {
                break;
            }
            let at = random.below(text.len());
            match random.below(4) {
                0 => text[at] = random.next() as u8,
                1 => text[at] = *random.of(b"\"\\ \n{u"),
                2 => drop(text.remove(at)),
                _ => text.truncate(at),
            }
            check(&text);
        }
        match reference(&text, 0, text.len()) {
            Ok(_) => accepted += 1,
            Err(_) => rejected += 1,
        }
    }
    assert!(accepted > 300 && rejected > 300, "{accepted} accepted, {rejected} rejected");
}

#[test]
fn every_length() {
    let text = Random(7).accepted(WINDOW + 700);
    let simple = br#"[1,"a",true ,{"k":null}] "#.repeat(WINDOW / 25 + 30);
    for text in [text, simple] {
        for len in (0..700).chain(WINDOW - 70..WINDOW + 70) {
            check(&text[..len]);
        }
    }
    for byte in *b" [1" {
        for len in (0..300).chain(WINDOW - 2..WINDOW + 3) {
            check(&vec![byte; len]);
        }
        check(&vec![byte; 3 * WINDOW]);
    }
}

#[test]
fn runs_of_backslashes() {
    let mut text = Vec::new();
    let mut run = |quote: usize, len: usize, tail: &[u8]| {
        text.clear();
        text.resize(quote, b' ');
        text.push(b'"');
        text.resize(quote + 1 + len, b'\\');
        text.extend_from_slice(tail);
        check(&text);
    };
    for len in 0..=200 {
        for quote in 0..=64 {
            run(quote, len, b"\"");
        }
        for tail in [&b"n\" 1"[..], b"\"\"", b"u00e9\"", b"u00\"", b"x\"", b""] {
            run(len % 61, len, tail);
        }
        for quote in [510 - len, 511, WINDOW - 2 - len, WINDOW - 1 - len / 2, WINDOW - 1] {
            run(quote, len, b"\"");
            run(quote, len, b"n\"");
        }
    }
    // Whole steps of a kernel, and a whole window.
    for len in [511, 512, 513, 1023, 1024, 1025, 2000, WINDOW, WINDOW + 1] {
        for quote in [0, 1, 62, 63, 64] {
            run(quote, len, b"\"");
        }
    }
}

#[test]
fn unicode_escapes_across_borders() {
    for border in BORDERS {
        for before in 0..8 {
            for escape in ["\\u00e9", "\\uDC00", "\\u00g9", "\\\\u00"] {
                let mut text = vec![b'x'; border - before];
                text[0] = b'"';
                text.extend_from_slice(escape.as_bytes());
                text.push(b'"');
                let len = text.len();
                check(&text);
                // Digits after the end of the range are ignored.
                for cut in 1..7 {
                    check_range(&text, 0, len - cut);
                }
            }
        }
    }
}

#[test]
fn characters_across_borders() {
    for border in BORDERS {
        for before in 0..6 {
            for character in ["é", "€", "😀", "\u{7ff}", "\u{800}", "\u{ffff}", "\u{10ffff}"] {
                for inside in [false, true] {
                    let mut text = vec![if inside { b'x' } else { b'1' }; border - before];
                    if inside {
                        text[0] = b'"';
                    }
                    text.extend_from_slice(character.as_bytes());
                    if inside {
                        text.push(b'"');
                    }
                    for cut in 0..text.len().min(5) {
                        check(&text[..text.len() - cut]);
                    }
                    text.extend_from_slice(&[b' '; 600]);
                    check(&text);
                }
            }
        }
    }
}

#[test]
fn invalid_utf8() {
    const INVALID: &[&[u8]] = &[
        b"\x80",
        b"\xC0\xAF",
        b"\xC3",
        b"\xE2\x82",
        b"\xE0\x80\x80",
        b"\xED\xA0\x80",
        b"\xF0\x9F\x98",
        b"\xF0\x80\x80\x80",
        b"\xF4\x90\x80\x80",
        b"\xF8\x88\x80\x80\x80",
        b"\xFF",
        b"\xC3\xA9\xA9",
    ];
    let mut text = vec![b'x'; WINDOW + 100];
    for (index, at) in (1..70).chain(500..530).chain(WINDOW - 6..WINDOW + 6).enumerate() {
        let invalid = INVALID[index % INVALID.len()];
        for (invalid, len) in [(invalid, at + 20), (invalid, at + invalid.len())] {
            text.fill(b'x');
            text[at..at + invalid.len()].copy_from_slice(invalid);
            assert_eq!(reference(&text, 0, len), Err(Rejected));
            check(&text[..len]);
        }
    }
    for at in 0..6 {
        for invalid in INVALID {
            let mut text = vec![b'x'; WINDOW - at];
            text[0] = b'"';
            text.extend_from_slice(invalid);
            check(&text);
            text.push(b'"');
            check(&text);
        }
    }
}

#[test]
fn ranges() {
    let mut random = Random(99);
    for start in 0..=70 {
        for len in [0, 1, 2, 31, 63, 64, 65, 127, 300, 511, 512, 513, 600] {
            let inner = random.accepted(len);
            for around in [b'"', b'\\', b'1', b' ', 0xC3, 0xA9] {
                let mut text = vec![around; start];
                text.extend_from_slice(&inner);
                let end = text.len();
                text.extend_from_slice(&vec![around; random.below(70)]);
                check_range(&text, start, end);
            }
        }
    }
    let text = random.accepted(3 * WINDOW);
    for _ in 0..100 {
        let start = random.below(text.len());
        let end = start + random.below(text.len() - start);
        check_range(&text, start, end);
    }
}

#[test]
fn ranges_outside() {
    for kernel in Kernel::available() {
        for (start, end) in [(0, 5), (5, 5), (9, 12), (u32::MAX as usize, u32::MAX as usize)] {
            assert_eq!(kernel.run(Scanner { text: b"[1 ]", start, end }), Err(Rejected));
        }
        assert_eq!(
            kernel.run(Scanner { text: b"[1 ]", start: 3, end: 1 }).map(|s| s.offsets),
            Ok(vec![])
        );
    }
}

#[test]
fn flags_of_strings() {
    fn check(string: &[u8]) {
        let string: Box<[u8]> = string.into();
        let escape = string.contains(&b'\\');
        let template = string.windows(2).any(|pair| pair == b"${" || pair == b"%{");
        for kernel in Kernel::available() {
            let flags = string_flags(kernel, &string);
            assert_eq!(flags.has_escape(), escape, "{kernel:?} {string:?}");
            assert_eq!(flags.has_template(), template, "{kernel:?} {string:?}");
        }
    }
    for len in (0..=200).step_by(sized([5, 1, 1])) {
        for filler in [b'x', b'{', b'$', 0xA4, 0xDC, 0xFB] {
            let mut string = vec![filler; len];
            check(&string);
            for at in 0..len {
                for byte in *b"\\$%{&" {
                    string[at] = byte;
                    check(&string);
                    string[at] = filler;
                }
            }
        }
        let mut string = vec![b'x'; len];
        for at in 1..len {
            for pair in [b"${", b"%{", b"&{", b"{$", b"$\\"] {
                string[at - 1..=at].copy_from_slice(pair);
                check(&string);
            }
            string[at - 1..=at].fill(b'x');
        }
        // Neighbours in a register need not be neighbours in the string.
        for brace in 0..len.min(70) {
            for marker in (0..len).filter(|&at| at + 1 != brace && at != brace) {
                string[brace] = b'{';
                string[marker] = b'$';
                check(&string);
                string.fill(b'x');
            }
        }
    }
}

/// The marks of native syntax, as [`Marks`] defines them.
#[test]
fn marks_of_native_syntax() {
    struct Find<'t>(&'t [u8; BLOCK]);

    impl Task for Find<'_> {
        type Output = Marks;

        #[inline(always)]
        fn run<I: Isa>(self, isa: I) -> Marks {
            isa.marks(self.0)
        }
    }

    let mut random = Random(7);
    let blocks = (0..=255).map(|byte| [byte; BLOCK]);
    let mixed = (0..200).map(|_| std::array::from_fn(|_| random.below(256) as u8));
    let ascii = (0..128).map(|first| std::array::from_fn(|at| (first + at as u8) % 128));
    for block in blocks.chain(mixed.collect::<Vec<_>>()).chain(ascii) {
        let having = |is_marked: fn(u8) -> bool| {
            let bits = block.iter().rev();
            bits.fold(0_u64, |mask, byte| mask << 1 | u64::from(is_marked(*byte)))
        };
        let expected = Marks {
            code: having(|byte| b"\"#/<()[]{},\n".contains(&byte)),
            quoted: having(|byte| b"\"\\$%\n\r".contains(&byte)),
            heredoc: having(|byte| b"$%\n".contains(&byte)),
            dark: having(|byte| !matches!(byte, b' ' | b'\t')),
            unnamed: having(|byte| !(byte.is_ascii_alphanumeric() || b"-_".contains(&byte))),
        };
        for kernel in Kernel::available() {
            assert_eq!(kernel.run(Find(&block)), expected, "{} {block:?}", kernel.name());
        }
    }
    let ended = Marks::default().ended(3);
    assert_eq!((ended.code, ended.dark, Marks::END.ended(0)), (!0 << 3, !0 << 3, Marks::END));
}

/// The operations on words, as [`Words`] defines them, bit by bit.
mod words {
    use simd_hcl_corpus::sized;

    use super::{BLOCK, Kernel, Random};
    use crate::scan::escape;
    use crate::scan::words::{
        GROUP, Halves, Letters, LettersOf, Masks, STEP, Units, Words, WordsTask, check_escapes,
        halves, kind, whole,
    };

    /// Every kind of word: empty, full, runs, sparse and dense ones.
    fn words(random: &mut Random) -> Vec<u64> {
        let runs = (0..64).flat_map(|len| [!0 << len, !(!0 << len), 1 << len, !(1 << len)]);
        let mut words: Vec<u64> = runs.chain([0, !0]).collect();
        let patterns: [u64; 4] = [0x5555, 0xF0F0, 0x00FF, 0x8001];
        words.extend(patterns.map(|pattern| pattern.wrapping_mul(0x0001_0001_0001_0001)));
        for _ in 0..sized([100, 2000, 100_000]) {
            let (a, b, c) = (random.next(), random.next(), random.next());
            words.extend([a, a & b, a & b & c, a | b, a | b | c]);
        }
        words
    }

    fn bits(word: u64) -> impl Iterator<Item = u64> {
        (0..64).map(move |place| word >> place & 1)
    }

    fn word(bits: impl IntoIterator<Item = bool>) -> u64 {
        bits.into_iter().enumerate().fold(0, |word, (place, bit)| word | u64::from(bit) << place)
    }

    struct OfWords<'w>(&'w [u64]);

    impl WordsTask for OfWords<'_> {
        type Output = ();

        #[inline(always)]
        fn run<W: Words>(self, kernel: W) {
            for group in self.0.windows(6) {
                let &[a, b, c, d, mask, next] = group else { return };
                let compressed = |from: u64, mask: u64| {
                    let selected = bits(from).zip(bits(mask)).filter(|&(_, bit)| bit == 1);
                    word(selected.map(|(bit, _)| bit == 1))
                };
                let expected = [a, b, c].map(|from| compressed(from, mask));
                assert_eq!(kernel.compress([a, b, c], mask), expected, "{mask:x}");
                let of_next = [b, c, d].map(|from| compressed(from, next));
                for len in 1..=3 {
                    let mut planes = [[a, b, a], [b, c, b], [c, d, c]];
                    let [low, middle, high] = planes.each_mut().map(|plane| &mut plane[..len]);
                    kernel.compress_all([low, middle, high], &[mask, next, mask][..len]);
                    for (i, expected) in [expected, of_next, expected][..len].iter().enumerate() {
                        assert_eq!(planes.map(|plane| plane[i]), *expected, "{mask:x} {next:x}");
                    }
                }

                let mut places =
                    bits(mask).zip(0..).filter_map(|(bit, at)| (bit == 1).then_some(at));
                for n in 0..mask.count_ones() {
                    assert_eq!(kernel.nth(mask, n), places.next().unwrap_or(64), "{n} of {mask:x}");
                }
                let mut lowest = bits(a);
                let deposited = bits(mask).map(|bit| bit == 1 && lowest.next() == Some(1));
                assert_eq!(kernel.deposit(a, mask), word(deposited), "{a:x} to {mask:x}");
                let counts: [u16; 8] = std::array::from_fn(|i| match i < 6 + (a & 3) as usize {
                    true => (mask >> (8 * i)) as u16 & 0xFF | (i << 8) as u16,
                    false => u16::MAX,
                });
                for limit in counts.into_iter().chain([0, 1, 8191]).filter(|&limit| limit < 8192) {
                    let expected = counts.iter().filter(|&&count| count <= limit).count();
                    assert_eq!(
                        kernel.count_at_most(&counts, limit),
                        expected,
                        "{counts:?} {limit}"
                    );
                }

                // A token is at most one of both.
                let (open, close) = (a & !b, a & b);
                for levels in [-65_i8, -64, -3, -1, 0, 1, 2, 7, 40, 63, 64, 127] {
                    let mut depth = 0;
                    let expected = word(bits(open).zip(bits(close)).map(|(open, close)| {
                        depth -= close as i32;
                        let is_at_most = depth <= i32::from(levels);
                        depth += open as i32;
                        is_at_most
                    }));
                    let found = kernel.at_most(levels, open, close);
                    assert_eq!(found, expected, "{levels}: {open:x} {close:x}");
                }
            }
            for group in self.0.as_chunks::<STEP>().0 {
                let sparse = group.map(|word| if word & 6 == 0 { word } else { 0 });
                for masks in [group, &sparse, &[0; STEP]] {
                    let expected = word(masks.iter().map(|&mask| mask != 0));
                    assert_eq!(kernel.not_empty(masks), expected, "{masks:x?}");
                }
                let step = |by: usize| std::array::from_fn(|i| group[(i + by) % STEP]);
                let planes: [[u64; STEP]; 3] = [step(0), step(1), step(5)];
                let mut compressed = [[0; STEP]; 3];
                let masks = step(2);
                kernel.compress_step(
                    &planes.map(|plane| plane.map(halves)),
                    &masks,
                    &mut compressed,
                );
                for (i, &mask) in masks.iter().enumerate() {
                    let expected = kernel.compress(planes.map(|plane| plane[i]), mask);
                    assert_eq!(compressed.map(|plane| plane[i]), expected, "{i}: {masks:x?}");
                }
                for start in [0, !0] {
                    let mut expected = start & 1 == 1;
                    let strings = group.map(|quotes| {
                        word(bits(quotes).map(|quote| {
                            expected ^= quote == 1;
                            expected
                        }))
                    });
                    let mut inside = start;
                    assert_eq!(kernel.strings(group, &mut inside), strings, "{group:x?}");
                    assert_eq!(inside, if expected { !0 } else { 0 });
                }
            }
        }
    }

    struct OfBytes<'b, 'm>(&'b [[u8; BLOCK]; STEP], &'m mut Masks);

    impl WordsTask for OfBytes<'_, '_> {
        type Output = ();

        #[inline(always)]
        fn run<W: Words>(self, kernel: W) {
            let masks = self.1;
            let is_high = kernel.masks(self.0, masks);
            assert_eq!(is_high, self.0.as_flattened().iter().any(|&byte| byte >= 0x80));
            for group in self.0.as_chunks::<GROUP>().0 {
                let (mut expected, mut letters) = (LettersOf::default(), LettersOf::default());
                for (i, block) in group.iter().enumerate() {
                    expected.set(i + 1, &kernel.letters(block));
                }
                kernel.letters_of(group, &mut letters);
                assert_eq!(letters, expected, "{group:x?}");
            }
            for (i, block) in self.0.iter().enumerate() {
                let having = |is_in: &dyn Fn(u8) -> bool| word(block.map(is_in));
                let of = |bytes: &'static [u8]| having(&|byte| bytes.contains(&byte));
                let check = |mask: Halves, expected: u64, name: &str| {
                    assert_eq!(whole(mask), expected, "{name}: {block:x?}");
                };
                check(masks.white[i], of(b" \t\n\r"), "white");
                check(masks.control[i], having(&|byte| byte < 0x20), "control");
                check(masks.backslash[i], of(b"\\"), "backslash");
                // Two control characters may have the class of an operator.
                let free = of(b"\x0C\x1A");
                for (plane, masks) in masks.planes.iter().enumerate() {
                    let expected = having(&|byte| class(byte) >> plane & 1 == 1);
                    assert_eq!(whole(masks[i]) & !free, expected, "plane {plane}: {block:x?}");
                }
                let escapable = of(b"\"\\/bfnrt");
                for escaped in [0, !0, 0x8421_1248_FF00_0001] {
                    let found = kernel.escapable(block, escaped) & escaped;
                    assert_eq!(found, escapable & escaped, "{block:x?}");
                }
                let letters = Letters {
                    end: of(b" \t\n\r{}[]:,\""),
                    digit: of(b"0123456789"),
                    zero: of(b"0"),
                    point: of(b"."),
                    exponent: of(b"eE"),
                    small_e: of(b"e"),
                    sign: of(b"+-"),
                    minus: of(b"-"),
                    a: of(b"a"),
                    f: of(b"f"),
                    l: of(b"l"),
                    n: of(b"n"),
                    r: of(b"r"),
                    s: of(b"s"),
                    t: of(b"t"),
                    u: of(b"u"),
                };
                assert_eq!(kernel.letters(block), letters, "{block:x?}");
                let units = Units {
                    u: of(b"u"),
                    digit: having(&|byte| byte.is_ascii_hexdigit()),
                    upper: of(b"89abcdefABCDEF"),
                    d: of(b"dD"),
                };
                assert_eq!(kernel.units(block).unwrap_or(units), units, "{block:x?}");
            }
        }
    }

    /// The blocks of a text, which have these escaped bytes.
    struct OfEscapes<'t>(&'t [u8], &'t [u64]);

    impl WordsTask for OfEscapes<'_> {
        /// How many blocks are valid.
        type Output = usize;

        #[inline(always)]
        fn run<W: Words>(self, kernel: W) -> usize {
            let Self(text, masks) = self;
            let blocks = text.as_chunks::<BLOCK>().0.iter().zip(masks);
            let valid = blocks.enumerate().filter(|&(i, (block, &escaped))| {
                let at = BLOCK * i;
                let is_short = |place: u32| b"\"\\/bfnrt".contains(&block[place as usize]);
                let long = (0..64).filter(|&place| escaped >> place & 1 == 1 && !is_short(place));
                let long = long.fold(0, |long, place| long | 1 << place);
                let expected = escape::check_unicode(text, at, long).ok();
                let found = check_escapes(kernel, block, (text, at), escaped).ok();
                assert_eq!(found, expected, "{escaped:x}: {block:x?}");
                found.is_some()
            });
            valid.count()
        }
    }

    fn class(byte: u8) -> u8 {
        match byte {
            b'"' => kind::STRING,
            b':' => kind::COLON,
            b',' => kind::COMMA,
            b'{' => kind::OPEN_OBJECT,
            b'[' => kind::OPEN_ARRAY,
            b'}' => kind::CLOSE_OBJECT,
            b']' => kind::CLOSE_ARRAY,
            _ => kind::SCALAR,
        }
    }

    #[test]
    fn of_bits() {
        let words = words(&mut Random(3));
        for kernel in Kernel::available() {
            kernel.run_words(OfWords(&words));
        }
    }

    #[test]
    fn of_blocks() {
        let mut random = Random(5);
        let mut steps: Vec<[[u8; BLOCK]; STEP]> = vec![[[b' '; BLOCK]; STEP]];
        // Every byte at every place of a block, and beside others.
        for first in 0..STEP as u8 {
            let at = |block: usize, byte: usize| (16 * block + byte) as u8 ^ first;
            steps.push(std::array::from_fn(|i| std::array::from_fn(|j| at(i, j))));
            steps.push(std::array::from_fn(|i| [16 * first + i as u8; BLOCK]));
        }
        const NEAR: &[u8] =
            b"\"\":,{}[]\\/ \n\t\r01.eE+-aflnrstu\0\x0C\x1A\x1F\x7F\x80\xA2\xDC\xFF;b";
        for _ in 0..sized([5, 200, 5000]) {
            steps.push([[0; BLOCK]; STEP].map(|block| block.map(|_| random.next() as u8)));
            steps.push([[0; BLOCK]; STEP].map(|block| block.map(|_| *random.of(NEAR))));
            steps.push([[0; BLOCK]; STEP].map(|block| block.map(|_| random.next() as u8 & 0x7F)));
        }
        for kernel in Kernel::available() {
            // Masks that keep what the last step had, and new ones.
            let mut kept = Masks::default();
            for step in &steps {
                kernel.run_words(OfBytes(step, &mut kept));
                kernel.run_words(OfBytes(step, &mut Masks::default()));
            }
        }
    }

    #[test]
    fn of_escapes() {
        let mut random = Random(9);
        let mut valid = 0;
        for round in 0..sized([100, 2000, 100_000]) {
            // Escapes close to each other, at all places, and in some rounds with wrong bytes.
            let (mut text, mut escaped) = (Vec::new(), Vec::new());
            while text.len() < 5 * BLOCK {
                escaped.push(text.len());
                if random.below(4) == 0 {
                    text.push(*random.of(b"\"\\/bfnrt"));
                    continue;
                }
                text.push(b'u');
                for _ in 0..4 {
                    text.push(*random.of(b"0123456789abcdefABCDEFdD8"));
                }
                if round % 3 == 0 && random.below(20) == 0 {
                    let place = text.len() - 1 - random.below(5);
                    text[place] = *random.of(b"gG@`/:u\x80\xB0\0x");
                }
                text.extend(std::iter::repeat_n(b'-', random.below(3)));
            }
            text.truncate(5 * BLOCK - random.below(8));
            let mut masks = [0; 5];
            for place in escaped.into_iter().filter(|&place| place < text.len()) {
                masks[place / BLOCK] |= 1 << (place % BLOCK);
            }
            for kernel in Kernel::available() {
                valid += kernel.run_words(OfEscapes(&text, &masks));
            }
        }
        assert!(valid > 100, "{valid}");
    }
}

/// UTF-8 is validated where there is some, whatever borders of pieces and windows cut.
#[test]
fn utf8_in_pieces() {
    const SEQUENCES: &[&[u8]] = &[
        "é".as_bytes(),
        "漢".as_bytes(),
        "😀".as_bytes(),
        "漢字😀".as_bytes(),
        b"\xE6\xBC",
        b"\x80",
    ];
    let mut random = Random(11);
    let mut valid = 0;
    for round in 0..sized([300, 3000, 100_000]) {
        let mut text = vec![b'a'; 1 + random.below(3 * WINDOW)];
        for _ in 0..random.below(4) {
            let sequence = SEQUENCES[random.below(if round % 2 == 0 { 4 } else { 6 })];
            // Near the border of a piece, or anywhere.
            let border = PIECE * random.below(3 * WINDOW / PIECE);
            let at = if random.below(3) == 0 { random.below(text.len()) } else { border };
            let at = at.saturating_sub(random.below(sequence.len() + 1));
            if let Some(place) = text.get_mut(at..at + sequence.len()) {
                place.copy_from_slice(sequence);
            }
        }
        let expected = std::str::from_utf8(&text).is_ok();
        valid += usize::from(expected);
        let mut state = State::new(Span::new(0, text.len() as u32));
        let found = loop {
            let window = state.window(&text).unwrap();
            let pieces = text[window.clone()].chunks(PIECE).map(|piece| !piece.is_ascii());
            let high = pieces.enumerate().fold(0, |high, (i, is)| high | u64::from(is) << i);
            if state.finish_pieces(&text, window.end, Carry::default(), high).is_err() {
                break false;
            }
            if state.is_done() {
                break true;
            }
        };
        assert_eq!(found, expected, "{round}");
    }
    assert!(valid > 100, "{valid}");
}
