//! Lazily opened views under locks and inside jobs of a thread pool: every caller gets the same
//! answers as a single thread, and nothing deadlocks.
//!
//! A thread that waits for a pool runs other jobs of the pool. If reading a view waited for a pool,
//! such a job could take a lock that the caller holds on the same thread. All texts here are large
//! enough to be parsed by several threads. A unit test of `event` proves that opening never enters
//! a pool; whether a pool would deadlock here depends on timing.

use std::fmt::Write as _;
use std::sync::{Mutex, OnceLock, PoisonError};

use rayon::prelude::*;
use simd_hcl::body::{BlockSchema, Schema};
use simd_hcl::show::{BodySchemas, Plan, PlanIndex, SchemaKind};
use simd_hcl::{Arena, Document, ParseOptions, Source};
use simd_hcl_corpus::{ConfigOptions, PlanOptions, config_bytes, plan_bytes};

/// More threads than the machine may have, so that they are interrupted anywhere.
const THREADS: usize = 8;

/// Parses on all threads; containers deeper than `depth` are opened on demand.
fn parse<'a>(arena: &'a Arena, text: &'a [u8], depth: u32) -> Document<'a> {
    assert!(text.len() >= 2 << 20, "{} bytes are not split", text.len());
    let source = Source::from_bytes(arena, "input", text).unwrap();
    let options = ParseOptions::default().with_skeleton_depth(depth).with_threads(0);
    Document::parse_with(arena, source, &options).unwrap()
}

/// Answers each question twice at the same time, on all threads: with a `OnceLock` for each
/// question, with one lock for all of them, and without a lock. `answer` reads views.
fn ask(questions: usize, answer: impl Fn(usize) -> String + Sync, expected: &[String]) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(THREADS).build().unwrap();
    let once: Vec<OnceLock<String>> = (0..questions).map(|_| OnceLock::new()).collect();
    let locked = Mutex::new(0);
    let check = |number: usize| {
        let behind_once = || once[number].get_or_init(|| answer(number)).clone();
        let behind_lock = || {
            let mut count = locked.lock().unwrap_or_else(PoisonError::into_inner);
            *count += 1;
            answer(number)
        };
        let (left, (middle, right)) =
            rayon::join(behind_once, || rayon::join(behind_lock, || answer(number)));
        assert_eq!([&left, &middle, &right], [&expected[number]; 3]);
    };
    pool.install(|| {
        (0..2 * questions).into_par_iter().with_max_len(1).for_each(|n| check(n % questions));
    });
    assert_eq!(locked.into_inner().unwrap(), 2 * questions);
}

/// Compares the answers of all threads about one document with the answers of one thread about
/// another.
fn compare<'t, V: Sync>(
    arenas: &'t [Arena; 2],
    questions: usize,
    view: impl Fn(&'t Arena) -> V,
    answer: impl Fn(&V, usize) -> String + Sync,
) {
    let alone = view(&arenas[0]);
    let expected: Vec<String> = (0..questions).map(|number| answer(&alone, number)).collect();
    assert!(expected.iter().any(|answer| *answer != expected[0]), "all answers are the same");
    let shared = view(&arenas[1]);
    ask(questions, |number| answer(&shared, number), &expected);
}

fn plan_text() -> Vec<u8> {
    // The planned values alone are large enough to be split.
    plan_bytes(&PlanOptions { changes: 6_000, depth: 2, ..PlanOptions::default() })
}

fn config_text() -> Vec<u8> {
    config_bytes(&ConfigOptions { resources: 6_000, ..ConfigOptions::default() })
}

#[test]
fn planned_and_prior_values_and_blocks() {
    let text = plan_text();
    let arenas = [Arena::new(), Arena::new()];
    let view = |arena| {
        let document = parse(arena, &text, 1);
        PlanIndex::new(Plan::of(document, &mut Vec::new()).unwrap(), &mut Vec::new())
    };
    compare(&arenas, 16, view, |index, number| {
        let changes = index.changes();
        let change = changes[number * 61 % changes.len()];
        let address = change.address().value().unwrap();
        let mut answer = address.to_owned();
        // All kinds of lazily created data, in several orders.
        for question in 0..4 {
            match (number + question) % 4 {
                0 => {
                    let planned = index.planned_value(address);
                    let leaves = planned.map(|planned| planned.leaves().count());
                    write!(answer, " planned {leaves:?}").unwrap();
                }
                1 => {
                    let prior = index.prior_value(address, None);
                    let leaves = prior.map(|prior| prior.leaves().count());
                    write!(answer, " prior {leaves:?}").unwrap();
                }
                2 => {
                    let block = index.configuration(address);
                    let name = block.map(|block| block.name().value());
                    write!(answer, " block {name:?}").unwrap();
                }
                _ => {
                    let ty = change.resource_type().value().unwrap();
                    write!(answer, " {} of {ty}", index.of_type(ty).count()).unwrap();
                }
            }
        }
        answer
    });
}

#[test]
fn nodes_events_positions_and_templates() {
    let text = config_text();
    let depth = 1;
    let arenas = [Arena::new(), Arena::new()];
    compare(
        &arenas,
        16,
        |arena| parse(arena, &text, depth),
        |document, number| {
            let root = document.root().as_object().unwrap();
            let members = root.members().count();
            let member = root.members().nth(number % members).unwrap();
            let at = document.source().position(member.value().span().end);
            match number % 4 {
                0 => format!("{at:?} {}", document.events().count()),
                1 => format!("{at:?} {}", document.templates().count()),
                2 => {
                    let blocks = member.value().as_object();
                    let count = blocks.map(|blocks| blocks.members().count());
                    format!("{at:?} {count:?}")
                }
                _ => {
                    let mut names = Vec::new();
                    document.visit_references(&mut Vec::new(), |traversal| {
                        names.push(traversal.span());
                    });
                    format!("{at:?} {} {:?}", names.len(), names.get(number))
                }
            }
        },
    );
}

#[test]
fn bodies_of_a_schema_with_a_table() {
    static LABELS: [&str; 2] = ["type", "name"];
    let text = config_text();
    // Enough names for the first body to create a table.
    let names: Vec<String> = (0..40).map(|number| format!("other_{number}")).collect();
    let blocks: Vec<_> = names
        .iter()
        .map(|name| BlockSchema::new(name, &[]))
        .chain(["resource", "data"].map(|name| BlockSchema::new(name, &LABELS)))
        .collect();
    let arenas = [Arena::new(), Arena::new()];
    let view = |arena| (parse(arena, &text, 1), Schema::new(&[], &blocks));
    compare(&arenas, 12, view, |(document, schema), number| {
        let mut diagnostics = Vec::new();
        let content = document.body().content(schema, &mut diagnostics);
        let block = content.blocks("resource").nth(number * 100).unwrap();
        let attributes = block.body().just_attributes(&mut diagnostics);
        let references = attributes.iter().flat_map(|it| it.expression().variables()).count();
        let labels: Vec<_> = block.labels().collect();
        format!("{labels:?} {} {references} {}", attributes.len(), diagnostics.len())
    });
}

#[test]
fn schemas_of_providers() {
    // Types that are used repeatedly, in a file that is large enough to be split.
    let attribute = |n| {
        format!(r#""attribute_{n}": {{"type": ["list", ["map", "string"]], "optional": true}}"#)
    };
    let attributes: Vec<_> = (0..30).map(attribute).collect();
    let block = format!(
        r#"{{"version": 0, "block": {{"attributes": {{{}}}, "block_types": {{"inner": {{"nesting_mode": "list", "block": {{"attributes": {{}}}}}}}}}}}}"#,
        attributes.join(", ")
    );
    let types: Vec<_> = (0..1_200).map(|n| format!(r#""test_type_{n}": {block}"#)).collect();
    let text = format!(
        r#"{{"format_version": "1.0", "provider_schemas": {{"example.com/a/test": {{"resource_schemas": {{{}}}}}}}}}"#,
        types.join(", ")
    );
    let arenas = [Arena::new(), Arena::new()];
    let view = |arena| {
        let document = parse(arena, text.as_bytes(), 1);
        BodySchemas::new(simd_hcl::show::Schemas::of(document, &mut Vec::new()).unwrap())
    };
    compare(&arenas, 24, view, |schemas, number| {
        let name = format!("test_type_{}", number * 50);
        let found = schemas.find("example.com/a/test", SchemaKind::Resource, &name);
        let body = found.and_then(|schema| schemas.body_of(schema)).unwrap();
        let attribute = body.attribute(&format!("attribute_{}", number + 10)).is_some();
        format!("{name} {attribute} {}", body.block_type("inner").is_some())
    });
}
