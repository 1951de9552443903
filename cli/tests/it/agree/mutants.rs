//! Modules that were changed at random, the same ones in each run.

use super::documents::{Module, some};

/// Pieces of both syntaxes that are put into files.
const PIECES: [&str; 40] = [
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "\"",
    ",",
    ":",
    "=",
    "\n",
    "${",
    "%{ if true }",
    "%{ endif }",
    "}}",
    "<<EOT\n",
    "\nEOT\n",
    "null",
    "true",
    "1e3",
    "-0",
    "\\u0000",
    "\\\"",
    "//",
    "# x\n",
    "/*",
    "*/",
    "var.x",
    "local.a",
    "each.key",
    "self.id",
    "module.m.o",
    "for x in y : x",
    "...",
    "?",
    "&&",
    "*",
    "\u{feff}",
    "é",
    "\0",
];

/// SplitMix64.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound.max(1) as u64) as usize
    }
}

/// Returns this many changed modules. Equal seeds give equal modules.
pub(super) fn all(count: usize, seed: u64) -> Vec<Module> {
    let modules = some(usize::MAX, |module| !module.own_files().is_empty());
    let mut random = Random(seed);
    let mutant = |number| {
        let mut module = modules[random.below(modules.len())].clone();
        let names: Vec<String> = module.own_files().into_iter().map(str::to_owned).collect();
        let file = module.files.get_mut(&names[random.below(names.len())]).unwrap();
        for _ in 0..=random.below(2) {
            change(file, &mut random);
        }
        module.name = format!("mutant {number} of {}", module.name);
        module
    };
    (0..count).map(mutant).collect()
}

/// Changes a part of a file.
pub(super) fn change(file: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(file.len() + 1);
    let end = (at + 1 + random.below(8)).min(file.len());
    match random.below(5) {
        // Takes something out.
        0 => drop(file.drain(at.min(end)..end)),
        // Puts a piece in.
        1 => {
            let piece = PIECES[random.below(PIECES.len())].as_bytes();
            drop(file.splice(at..at, piece.iter().copied()));
        }
        // Puts a piece instead of something.
        2 => {
            let piece = PIECES[random.below(PIECES.len())].as_bytes();
            drop(file.splice(at.min(end)..end, piece.iter().copied()));
        }
        // Repeats a line.
        3 => {
            let start = file[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |it| it + 1);
            let rest = &file[start..];
            let length =
                rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |it| it + 1);
            let line = rest[..length].to_vec();
            drop(file.splice(start..start, line));
        }
        // Exchanges a word for another one of the file.
        _ => {
            let words = words(file);
            if !words.is_empty() {
                let (one, other) = (random.below(words.len()), random.below(words.len()));
                let other = file[words[other].clone()].to_vec();
                drop(file.splice(words[one].clone(), other));
            }
        }
    }
}

/// Returns the places of names and numbers.
fn words(file: &[u8]) -> Vec<std::ops::Range<usize>> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let (mut words, mut at) = (Vec::new(), 0);
    while at < file.len() {
        let length = file[at..].iter().take_while(|byte| is_word(byte)).count();
        if length > 0 {
            words.push(at..at + length);
        }
        at += length.max(1);
    }
    words
}
