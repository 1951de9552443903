//! Compares every kernel, and sealed bodies, with the careful reader alone.

use std::fmt::Write;

use simd_hcl_corpus::{NativeOptions, native_bytes, sized};

use super::{File, Item};
use crate::arena::Arena;
use crate::diagnostic::Diagnostic;
use crate::scan::Kernel;
use crate::source::Source;

/// All rows, labels, comments and diagnostics of the structure pass.
fn all(bytes: &[u8], kernel: Option<Kernel>) -> String {
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "test", bytes).unwrap();
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    let file = File::parse_by(&arena, source, kernel, false, &mut found);
    let table = file.table;
    let mut text = String::new();
    for row in table.rows.iter() {
        writeln!(text, "{row:?}").unwrap();
    }
    for label in table.labels {
        writeln!(text, "{label:?}").unwrap();
    }
    for comment in table.comments {
        writeln!(text, "{comment:?}").unwrap();
    }
    for diagnostic in found {
        writeln!(text, "{diagnostic:?}").unwrap();
    }
    text
}

/// Everything that the public handles of a file return.
fn contents(bytes: &[u8], kernel: Option<Kernel>, is_skeleton: bool) -> String {
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "test", bytes).unwrap();
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    let file = File::parse_by(&arena, source, kernel, is_skeleton, &mut found);
    let mut text = format!("{found:?}");
    let mut open = vec![file.body()];
    while let Some(body) = open.pop() {
        write!(text, "{:?} {:?}: ", body.span(), body.missing_item_span()).unwrap();
        for item in body.items() {
            write!(text, "{item:?} ").unwrap();
            if let Item::Block(block) = item {
                let labels = block.labels().zip(block.label_spans());
                write!(text, "{:?} ", labels.collect::<Vec<_>>()).unwrap();
                open.push(block.body());
            }
        }
    }
    for attribute in file.attributes() {
        write!(text, "{attribute:?} = {:?} ", attribute.value_span()).unwrap();
    }
    for comment in file.comments() {
        let item = comment.item();
        write!(text, "{:?} {} {item:?} ", comment.span(), comment.leads()).unwrap();
    }
    text
}

/// Asserts that all kernels read a text as the careful reader does, sealed or not.
pub(super) fn assert_same(bytes: &[u8]) {
    let expected = all(bytes, None);
    let opened = contents(bytes, None, false);
    let text = String::from_utf8_lossy(bytes);
    assert_eq!(contents(bytes, None, true), opened, "{text:?}");
    for kernel in Kernel::available() {
        assert_eq!(all(bytes, Some(kernel)), expected, "{} {text:?}", kernel.name());
        let sealed = contents(bytes, Some(kernel), true);
        assert_eq!(sealed, opened, "{} {text:?}", kernel.name());
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// The pieces of texts.
const PIECES: &[&str] = &[
    "a = 1\n",
    "b",
    " = ",
    "=",
    "==",
    "=>",
    ":",
    "\n",
    "\n",
    "\r\n",
    "\r",
    " ",
    "\t",
    "  ",
    "{",
    "}",
    "{\n",
    "}\n",
    "  }\n",
    "[",
    "]",
    "(",
    ")",
    ",",
    ", ",
    "\"",
    "\"x\"",
    "\"${",
    "}\"",
    "$${",
    "%{",
    "%%{",
    "$",
    "%",
    "\\",
    "\\\"",
    "#",
    "# c\n",
    "//",
    "// c \r\n",
    "/*",
    "*/",
    "/",
    "<<",
    "<<E\n",
    "<<-E\n",
    "<<-E\r\n",
    "E\n",
    "  E\n",
    "E",
    "E\r\n",
    "é",
    "\u{a0}",
    "\u{feff}",
    "<",
    "a {\n",
    "a \"b\" {\n",
    "a b \"c\" {\n",
    "  c = {\n",
    "  c = [1, \"}\"]\n",
    "a {}\n",
    "a { b = 1 }\n",
    "long_name_of_an_attribute = ",
    "long_name_of_an_attribute",
    "~}",
    "?",
    "1",
    "-",
    ".",
    "a.b[0]",
    "<<<<<<<",
    "x = <<E\n  ${a[\"k\"]} \n E\n",
    "x = \"${f(\"${y}\")}\" // z\n",
];

#[test]
fn random_texts() {
    let mut random = Random(1);
    for _ in 0..if cfg!(miri) { 20 } else { sized([1_500, 6_000, 500_000]) } {
        let pieces = 1 + random.below(40);
        let text: String = (0..pieces).map(|_| PIECES[random.below(PIECES.len())]).collect();
        assert_same(text.as_bytes());
    }
}

/// Around the ends of blocks and windows.
#[test]
fn every_offset() {
    let item = "a \"b\" {\n  c = \"${d}\" # e\n  f = <<-E\n    g\n  E\n  h = [1,\n  ]\n}\n";
    let steps = if cfg!(miri) { 97 } else { 1 };
    for spaces in (0..130).step_by(steps).chain((8_100..8_200).step_by(steps)) {
        assert_same(format!("{}{item}{item}", " ".repeat(spaces)).as_bytes());
        assert_same(format!("x = \"{}\"\n{item}", "y".repeat(spaces)).as_bytes());
    }
    for len in (0..item.len()).step_by(steps.min(13)) {
        assert_same(&item.as_bytes()[..len]);
    }
}

#[test]
fn mutants_of_a_configuration() {
    let options = NativeOptions { resources: if cfg!(miri) { 1 } else { 40 }, seed: 3 };
    let text = native_bytes(&options);
    assert_same(&text);
    let crlf = String::from_utf8(text.clone()).unwrap().replace('\n', "\r\n");
    assert_same(crlf.as_bytes());
    let mut random = Random(2);
    for _ in 0..if cfg!(miri) { 2 } else { sized([60, 400, 20_000]) } {
        let mut mutant = text.clone();
        for _ in 0..=random.below(3) {
            let at = random.below(mutant.len());
            let piece = PIECES[random.below(PIECES.len())].as_bytes();
            match random.below(3) {
                0 => drop(mutant.splice(at..at, piece.iter().copied())),
                1 => drop(mutant.drain(at..mutant.len().min(at + 1 + random.below(20)))),
                _ => mutant[at] = piece[0] & 0x7F,
            }
        }
        assert_same(&mutant);
    }
}
