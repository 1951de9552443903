//! Hostile configuration: twice the size costs at most two and a half times the steps and bytes of
//! checks, of queries, conversions and layouts, and of plan files with the configuration. Static
//! evaluation stays within its budget.
//!
//! A buffer made larger by leaps can leap between two sizes. So a cost grows too fast only if it
//! does so at two doublings in a row: what grows with the square of the size does.
//!
//! The first bytes choose kinds of `simd_hcl_corpus::HOSTILE`, which become the root bodies of one
//! file; those after 0xFF choose pieces that are repeated before, between and after each other in
//! one expression.
//!
//! The cost of an empty file is subtracted, so that quadratic costs show at small sizes.
#![no_main]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fs;
use std::io::{Cursor, Write};
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use simd_hcl::convert::to_native;
use simd_hcl::dialect::{List, root_schema};
use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::evaluate::Budget;
use simd_hcl::expand::{Inputs, Selection};
use simd_hcl::format::{Style, format};
use simd_hcl::fuzzing::steps;
use simd_hcl::plan_file::{PlanFile, ShowOptions};
use simd_hcl::query::{Pattern, select};
use simd_hcl::representation;
use simd_hcl::show::BodySchemas;
use simd_hcl::structure::File;
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::write::{Layout as JsonLayout, Writer, to_string};
use simd_hcl::{Arena, Dialect, Document, Source};
use simd_hcl_corpus::{HOSTILE, hostile};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Pieces of expressions and templates, as they stand in a JSON string.
const PIECES: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "{a=",
    "x",
    ".a",
    ".0",
    "[0]",
    "[*]",
    ".*",
    "[\\\"k\\\"]",
    "1",
    "1e9",
    " + ",
    " - ",
    "-",
    "!",
    " ? ",
    " : ",
    "true",
    ",",
    "f(",
    "max(",
    "...",
    "for a in ",
    "for k, v in ",
    " if ",
    " => ",
    "\\\"",
    "${",
    "%{if x}",
    "%{else}",
    "%{endif}",
    "%{for a in b}",
    "%{endfor}",
    "~}",
    " ",
    "\\n",
    "/**/",
    "#",
    "<<E\\n",
    "\\nE\\n",
    "\\u00e9",
    "$${",
    "=",
    "==",
    "&&",
    "null",
];

struct Counting;

thread_local! {
    static BYTES: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: all work is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BYTES.set(BYTES.get() + layout.size() as u64);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One thread: counters are those of a thread.
static POOL: OnceLock<rayon::ThreadPool> = OnceLock::new();

/// Steps, and bytes allocated.
type Cost = (u64, u64);

/// The sizes that are compared, each twice the one before it.
const SIZES: [usize; 3] = [150, 300, 600];

/// Costs below these are those of buffers that are made larger by leaps.
const LEAST: Cost = (2_000, 300_000);

/// Does some work on one thread, and returns its cost.
fn count(work: impl FnOnce() + Send) -> Cost {
    let pool = POOL.get_or_init(|| {
        rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread can be started")
    });
    pool.install(|| {
        let before = (steps().expect("steps are counted"), BYTES.get());
        work();
        (steps().unwrap_or_default() - before.0, BYTES.get() - before.1)
    })
}

/// Returns the cost of the commands that read one file: `query`, `convert` and `fmt`.
fn cost_of_file(text: &str) -> Cost {
    count(|| {
        let arena = Arena::new();
        let Ok(document) = Document::parse_bytes(&arena, "main.tf.json", text.as_bytes()) else {
            return;
        };
        let kind = (Dialect::OpenTofu, List::Primary);
        let pattern = Pattern::parse("**").expect("it is a pattern");
        let found = select(&pattern, document, root_schema(kind.0, kind.1)).count();
        assert!(found <= text.len());
        let native = to_native(document, Some(kind), &|_, _| None, &mut ()).text;
        let Ok(source) = Source::from_bytes(&arena, "main.tf", native.as_bytes()) else { return };
        let file = File::parse(&arena, source, &mut ());
        if let Some(text) = format(file, Style::Tofu, &mut ()) {
            assert!(text.len() <= (16 << 20) + 16 * native.len());
        }
    })
}

/// Returns the cost of printing a plan file that has the file as its configuration.
fn cost_of_plan_file(text: &str) -> Cost {
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    // A plan of version 3 without changes.
    for (name, content) in [
        ("tfplan", "\x08\x03"),
        ("tfconfig/modules.json", r#"[{"Key":"","Dir":"."}]"#),
        ("tfconfig/m-/main.tf.json", text),
    ] {
        writer.start_file(name, stored).expect("memory");
        writer.write_all(content.as_bytes()).expect("memory");
    }
    let bytes = writer.finish().expect("memory").into_inner();
    count(|| {
        let arena = Arena::new();
        let Ok(source) = Source::copy_from(&arena, "plan", &bytes) else { return };
        let file = PlanFile::open(&arena, source).expect("it is well");
        let modules = file.module_files().expect("it is well");
        let tree = Tree::load(&arena, modules, &TreeOptions::default());
        let mut json = Vec::new();
        let mut writer = Writer::new(&mut json, JsonLayout::Compact);
        let options = representation::Options::default();
        let written = representation::write(&tree, 0, &options, writer.value());
        writer.finish().expect("memory");
        let Ok(document) = Document::parse_bytes(&arena, "configuration", &json) else { return };
        if written.is_ok() {
            let options = ShowOptions::default().with_configuration(Some(document.root()));
            let _ = file.show_json(&options);
        }
    })
}

/// Evaluates a file within a budget that is linear in its length, and returns what it costs more than
/// that allows.
fn excess_of_expansion(text: &str) -> Option<Cost> {
    let root = tempfile::tempdir().expect("a directory can be made");
    fs::write(root.path().join("main.tf.json"), text).expect("a file can be written");
    let discovery = discover(&[root.path()], &DiscoverOptions::default());
    let len = text.len() as u64;
    let budget = Budget::new(100_000 + 100 * len, (4 << 20) + 256 * len);
    let spent = count(|| {
        let arena = Arena::new();
        let tree = Tree::load(&arena, discovery.modules, &TreeOptions::default());
        for place in 0..tree.modules().len() {
            let inputs = Inputs::new(&arena).with_budget(budget);
            let expansion = tree.expand(place, &inputs);
            expansion.check();
            let all = Selection::default();
            let text = to_string(JsonLayout::Compact, |slot| expansion.write(&all, slot));
            assert!(text.len() as u64 <= 8 * budget.steps() + 8 * len, "{} bytes", text.len());
        }
    });
    let most = (4 * budget.steps() + 200 * len, 8 * budget.bytes() + 8_192 * len);
    (spent.0 > most.0 || spent.1 > most.1).then_some(spent)
}

/// Returns the cost of a file, beside that of an empty one.
fn cost(text: &str) -> Cost {
    static EMPTY: OnceLock<Cost> = OnceLock::new();
    let empty = EMPTY.get_or_init(|| {
        // The first time makes tables that stay.
        whole_cost("[]");
        whole_cost("[]")
    });
    let (steps, bytes) = whole_cost(text);
    (steps.saturating_sub(empty.0), bytes.saturating_sub(empty.1))
}

fn whole_cost(text: &str) -> Cost {
    let root = tempfile::tempdir().expect("a directory can be made");
    fs::write(root.path().join("main.tf.json"), text).expect("a file can be written");
    let discovery = discover(&[root.path()], &DiscoverOptions::default());
    count(|| {
        let arena = Arena::new();
        let mut tree = Tree::load(&arena, discovery.modules, &TreeOptions::default());
        tree.check_bodies(&BodySchemas::built_in(&arena));
        for found in tree.diagnostics() {
            assert!(!found.detail().is_empty());
            assert!(found.source().position(found.span().start).line > 0);
        }
    })
}

fn text(data: &[u8], size: usize) -> String {
    let mut parts = data.splitn(2, |&byte| byte == 0xFF);
    let kinds = parts.next().unwrap_or_default().iter().take(4);
    let mut bodies: Vec<String> =
        kinds.map(|&kind| hostile(usize::from(kind) % HOSTILE.len(), size)).collect();
    let pieces = parts.next().unwrap_or_default();
    if !pieces.is_empty() {
        // Runs of pieces, each repeated as a whole.
        let runs = pieces.chunks(4).take(4).map(|run| {
            let run = run.iter().map(|&piece| PIECES[usize::from(piece) % PIECES.len()]);
            run.collect::<String>().repeat(size)
        });
        let expression: String = runs.collect();
        bodies.push(format!(r#"{{"locals":{{"x":"${{{expression}}}","y":"{expression}"}}}}"#));
    }
    format!("[{}]", bodies.join(","))
}

/// Whether a file of twice the size costs at most two and a half times as many steps, and bytes.
fn are_within(small: Cost, large: Cost) -> [bool; 2] {
    let is_within = |small: u64, large: u64, least: u64| large * 2 <= small.max(least) * 5;
    [is_within(small.0, large.0, LEAST.0), is_within(small.1, large.1, LEAST.1)]
}

/// Returns the costs of files of `SIZES`, if their steps or bytes grow too fast. The largest file
/// is only made if the others tell that it is needed.
fn growing_too_fast(cost: impl Fn(usize) -> Cost) -> Option<[Cost; 3]> {
    let [small, middle, large] = SIZES;
    let [small, middle] = [cost(small), cost(middle)];
    let first = are_within(small, middle);
    if first == [true, true] {
        return None;
    }
    let large = cost(large);
    let second = are_within(middle, large);
    let is_fast = (0..2).any(|counter| !first[counter] && !second[counter]);
    is_fast.then_some([small, middle, large])
}

/// Proves that what grows with the square of the size is found, and that what does not is not.
fn check_counters() {
    let many_resources = |size: usize| cost(&hostile(0, size));
    assert_eq!(growing_too_fast(many_resources), None);
    let squared = |size: usize| many_resources(size * size / 50);
    let [small, middle, large] = growing_too_fast(squared).expect("the square is found");
    assert_eq!([are_within(small, middle), are_within(middle, large)], [[false, false]; 2]);
}

fuzz_target!(
    init: check_counters(),
    |data: &[u8]| {
        if let Some(costs) = growing_too_fast(|size| cost(&text(data, size))) {
            panic!("(steps, bytes): {costs:?}: {}", text(data, 2));
        }
        if let Some(costs) = growing_too_fast(|size| cost_of_file(&text(data, size))) {
            panic!("query, convert, fmt: (steps, bytes): {costs:?}: {}", text(data, 2));
        }
        if let Some(costs) = growing_too_fast(|size| cost_of_plan_file(&text(data, size))) {
            panic!("plan file: (steps, bytes): {costs:?}: {}", text(data, 2));
        }
        if let Some(cost) = excess_of_expansion(&text(data, SIZES[1])) {
            panic!("expand: (steps, bytes): {cost:?}: {}", text(data, 2));
        }
    }
);
