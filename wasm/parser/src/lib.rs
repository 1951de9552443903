//! The functions that `js/parser/core.js` calls: native files and expressions as the JSON of hcl2json.
//!
//! There are no bindings, so that the library loads quickly: JavaScript writes the text to the buffer that
//! [`input`] returns, calls [`file`] or [`expression`], and reads the bytes that [`output`] and
//! [`output_len`] name.

use std::cell::RefCell;

use simd_hcl::hcl2json::{Version, syntax_tree, to_json};
use simd_hcl::write::{Layout, to_string};
use simd_hcl::{Arena, Diagnostic, Severity, Source};

#[derive(Default)]
struct State {
    arena: Arena,
    /// The name of the file, and its text.
    input: Vec<u8>,
    output: String,
}

/// The memory that is kept for the next call, in bytes.
const KEPT: usize = 1 << 20;

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

/// Returns the address of a buffer for the name and the text of a file, in UTF-8.
#[unsafe(no_mangle)]
pub extern "C" fn input(len: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        state.input.clear();
        state.input.resize(len, 0);
        state.input.as_mut_ptr()
    })
}

/// Returns the address of the result.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    STATE.with_borrow(|state| state.output.as_ptr())
}

/// Returns the length of the result, in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn output_len() -> usize {
    STATE.with_borrow(|state| state.output.len())
}

/// Releases what a large result takes.
#[unsafe(no_mangle)]
pub extern "C" fn release() {
    STATE.with_borrow_mut(|state| {
        if state.input.capacity() + state.output.capacity() > KEPT {
            *state = State::default();
        }
    });
}

/// Converts a file. The name takes the first `name_len` bytes of the input; `version` is 3 for hcl2json 0.3 and
/// 6 for 0.6. Returns whether the result is the file; otherwise it lists what is wrong.
#[unsafe(no_mangle)]
pub extern "C" fn file(name_len: usize, version: u32) -> bool {
    let version = if version == 3 { Version::V0_3 } else { Version::V0_6 };
    run(name_len, |source, found| to_json(source, version, found))
}

/// Returns whether the result is the syntax tree of an expression; otherwise it lists what is wrong.
#[unsafe(no_mangle)]
pub extern "C" fn expression(name_len: usize) -> bool {
    run(name_len, |source, found| syntax_tree(source, found))
}

fn run(
    name_len: usize,
    read: impl for<'a> FnOnce(Source<'a>, &mut Vec<Diagnostic<'a>>) -> Option<String>,
) -> bool {
    STATE.with_borrow_mut(|state| {
        state.output.clear();
        let (name, text) = state.input.split_at_checked(name_len).unwrap_or_default();
        let name = String::from_utf8_lossy(name);
        let (is_read, output) = match Source::from_bytes(&state.arena, &name, text) {
            Ok(source) => {
                let mut found = Vec::new();
                match read(source, &mut found) {
                    Some(json) => (true, json),
                    None => (false, listed(&found)),
                }
            }
            Err(error) => (false, too_large(&error.to_string())),
        };
        state.output = output;
        state.arena.reset();
        is_read
    })
}

/// The errors as JSON, with the members that `check` of the package `simd-hcl` returns.
fn listed(found: &[Diagnostic<'_>]) -> String {
    to_string(Layout::Compact, |slot| {
        let mut list = slot.array();
        for error in found.iter().filter(|found| found.severity() == Severity::Error) {
            let mut object = list.element().object();
            object.key("severity").string("error");
            object.key("code").string(error.code().as_str());
            object.key("summary").string(error.summary());
            object.key("detail").string(&error.detail());
            if let Some(help) = error.help() {
                object.key("help").string(&help);
            }
            let mut range = object.key("range").object();
            range.key("filename").string(error.source().name());
            for (name, byte) in [("start", error.span().start), ("end", error.span().end)] {
                let at = error.source().position(byte);
                let mut place = range.key(name).object();
                place.key("line").unsigned(at.line);
                place.key("column").unsigned(at.column);
                place.key("byte").unsigned(byte.into());
            }
        }
    })
}

fn too_large(why: &str) -> String {
    to_string(Layout::Compact, |slot| {
        let mut error = slot.array();
        let mut object = error.element().object();
        object.key("severity").string("error");
        object.key("summary").string(why);
    })
}
