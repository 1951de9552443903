//! Questions about a large plan and a large schema file, compared with the peers on the same bytes
//! in the same run.
//!
//! ```text
//! cargo bench -p simd-hcl-benches --bench show
//! SIMD_HCL_BENCH_CHANGES=15000 cargo bench -p simd-hcl-benches --bench show -- count
//! ```
//!
//! The plan has 100,000 changes and about 300 MB, unless the environment says otherwise. Every
//! answer starts from bytes in memory; ours reuses its arena. `typed` is serde_json with structs
//! that have only the necessary members and borrow where possible; `Value` is a whole tree. The
//! arena bytes for the first two questions are printed at the start.
#![allow(clippy::unwrap_used, missing_docs)]

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{
    BatchSize, BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main,
};
use rayon::prelude::*;
use serde::Deserialize;
use serde_json::Value as Json;
use simd_hcl::fuzzing::Engine;
use simd_hcl::show::redact::{self, Places};
use simd_hcl::show::{Content, Plan, PlanIndex, ResourceChange, SchemaKind, Schemas};
use simd_hcl::write::{Layout, Writer};
use simd_hcl::{Arena, Document, ParseOptions, Source};
use simd_hcl_corpus::{PlanOptions, plan_bytes};
use simd_json::prelude::*;
use sonic_rs::{JsonContainerTrait as _, JsonValueTrait as _};

type Group<'c> = BenchmarkGroup<'c, WallTime>;

const TYPE: &str = "aws_db_instance";
const ATTRIBUTE: &str = "instance_class";

fn changes() -> u64 {
    let set = std::env::var("SIMD_HCL_BENCH_CHANGES").ok();
    set.and_then(|text| text.parse().ok()).unwrap_or(100_000)
}

/// Runs `question` on a freshly parsed document.
fn ask<T>(
    arena: &mut Arena,
    text: &[u8],
    options: &ParseOptions,
    question: impl for<'a> FnOnce(Document<'a>) -> T,
) -> T {
    let source = Source::from_bytes(arena, "plan.json", text).unwrap();
    let answer = question(Document::parse_with(arena, source, options).unwrap());
    arena.reset();
    answer
}

fn plan(document: Document<'_>) -> Plan<'_> {
    Plan::of(document, &mut ()).unwrap()
}

/// Measures our answer with the fastest engine and with the automaton.
fn ours<T>(
    group: &mut Group<'_>,
    text: &[u8],
    depth: u32,
    question: impl for<'a> Fn(Document<'a>) -> T + Copy,
) {
    let options = ParseOptions::default().with_skeleton_depth(depth);
    let mut arena = Arena::new();
    for (name, engine) in [("simd-hcl", Engine::Fastest), ("simd-hcl/automaton", Engine::Automaton)]
    {
        let options = options.with_engine(engine);
        group.bench_function(name, |bencher| {
            bencher.iter(|| ask(&mut arena, black_box(text), &options, question));
        });
    }
}

/// Measures the same `question` on the trees of the peers.
macro_rules! values {
    ($group:expr, $text:expr, $serde:expr, $sonic:expr, $simd:expr) => {
        $group.bench_function("serde_json/Value", |bencher| {
            bencher.iter(|| $serde(&serde_json::from_slice::<Json>(black_box($text)).unwrap()));
        });
        $group.bench_function("sonic-rs/Value", |bencher| {
            bencher.iter(|| {
                $sonic(&sonic_rs::from_slice::<sonic_rs::Value>(black_box($text)).unwrap())
            });
        });
        $group.bench_function("simd-json/Value", |bencher| {
            // It writes into its input, so each run gets a fresh copy; copying is not timed.
            bencher.iter_batched_ref(
                || $text.to_vec(),
                |copy| $simd(&simd_json::to_borrowed_value(copy).unwrap()),
                BatchSize::PerIteration,
            );
        });
    };
}

fn group<'c>(criterion: &'c mut Criterion, name: &str, text: &[u8]) -> Group<'c> {
    let mut group = criterion.benchmark_group(format!("show/{name}"));
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.sample_size(10).warm_up_time(Duration::from_millis(500));
    group.measurement_time(Duration::from_secs(2));
    group
}

#[derive(Deserialize)]
struct TypedPlan<C> {
    resource_changes: Vec<C>,
}

fn typed<'t, C: Deserialize<'t>>(text: &'t [u8]) -> Vec<C> {
    serde_json::from_slice::<TypedPlan<C>>(text).unwrap().resource_changes
}

#[derive(Deserialize)]
struct ActionsOnly<'t> {
    #[serde(borrow)]
    change: TypedActions<'t>,
}

#[derive(Deserialize)]
struct TypedActions<'t> {
    #[serde(borrow)]
    actions: Vec<Cow<'t, str>>,
}

fn count(criterion: &mut Criterion, text: &[u8]) {
    let mut group = group(criterion, "count-by-action", text);
    ours(&mut group, text, Plan::LIST_DEPTH, |document| plan(document).count_by_action());
    group.bench_function("serde_json/typed", |bencher| {
        bencher.iter(|| {
            let mut counts = HashMap::new();
            for change in typed::<ActionsOnly<'_>>(black_box(text)) {
                *counts.entry(change.change.actions).or_insert(0) += 1;
            }
            counts.len()
        });
    });
    macro_rules! question {
        ($json:expr) => {{
            let mut counts = HashMap::new();
            for change in $json["resource_changes"].as_array().unwrap().iter() {
                let actions = change["change"]["actions"].as_array().unwrap();
                let actions: Vec<&str> = actions.iter().map(|one| one.as_str().unwrap()).collect();
                *counts.entry(actions).or_insert(0) += 1;
            }
            counts.len()
        }};
    }
    values!(
        group,
        text,
        |json: &Json| question!(json),
        |json: &sonic_rs::Value| question!(json),
        |json: &simd_json::BorrowedValue<'_>| question!(json)
    );
}

#[derive(Deserialize)]
struct Head<'t> {
    #[serde(borrow)]
    address: Cow<'t, str>,
    #[serde(borrow, rename = "type")]
    resource_type: Cow<'t, str>,
    #[serde(borrow)]
    change: TypedActions<'t>,
}

fn list(criterion: &mut Criterion, text: &[u8]) {
    let mut group = group(criterion, "list", text);
    ours(&mut group, text, Plan::LIST_DEPTH, |document| {
        let mut len = 0;
        for change in plan(document).changes() {
            let head = change.head();
            len += head.address().len() + head.resource_type().len();
            len += head.actions().kind() as usize;
        }
        len
    });
    group.bench_function("serde_json/typed", |bencher| {
        bencher.iter(|| {
            let heads = typed::<Head<'_>>(black_box(text));
            let len = |head: &Head<'_>| {
                head.address.len() + head.resource_type.len() + head.change.actions.len()
            };
            heads.iter().map(len).sum::<usize>()
        });
    });
    macro_rules! question {
        ($json:expr) => {{
            let changes = $json["resource_changes"].as_array().unwrap();
            let text = |node: Option<&str>| node.unwrap().len();
            changes
                .iter()
                .map(|change| {
                    text(change["address"].as_str())
                        + text(change["type"].as_str())
                        + change["change"]["actions"].as_array().unwrap().len()
                })
                .sum::<usize>()
        }};
    }
    values!(
        group,
        text,
        |json: &Json| question!(json),
        |json: &sonic_rs::Value| question!(json),
        |json: &simd_json::BorrowedValue<'_>| question!(json)
    );
}

#[derive(Deserialize)]
struct WithAttribute<'t> {
    #[serde(borrow, rename = "type")]
    resource_type: Cow<'t, str>,
    #[serde(borrow)]
    change: BeforeAndAfter<'t>,
}

#[derive(Deserialize)]
struct BeforeAndAfter<'t> {
    #[serde(borrow)]
    before: Option<OneAttribute<'t>>,
    #[serde(borrow)]
    after: Option<OneAttribute<'t>>,
}

#[derive(Deserialize)]
struct OneAttribute<'t> {
    #[serde(borrow)]
    instance_class: Option<Cow<'t, str>>,
}

fn attribute(criterion: &mut Criterion, text: &[u8]) {
    let mut group = group(criterion, "one-attribute", text);
    ours(&mut group, text, Plan::LIST_DEPTH, |document| {
        let mut len = 0;
        for entry in plan(document).changes() {
            if entry.head().resource_type() != TYPE {
                continue;
            }
            let change = entry.change().value().unwrap();
            for side in [change.before(), change.after()] {
                let object = side.value().and_then(|node| node.as_object());
                let value = object.and_then(|object| object.get(ATTRIBUTE));
                len += value.and_then(|node| node.to_str()).map_or(0, str::len);
            }
        }
        len
    });
    group.bench_function("serde_json/typed", |bencher| {
        bencher.iter(|| {
            let changes = typed::<WithAttribute<'_>>(black_box(text));
            let of = |side: &Option<OneAttribute<'_>>| {
                let class = side.as_ref().and_then(|side| side.instance_class.as_ref());
                class.map_or(0, |class| class.len())
            };
            let wanted = changes.iter().filter(|change| change.resource_type == TYPE);
            wanted.map(|one| of(&one.change.before) + of(&one.change.after)).sum::<usize>()
        });
    });
    macro_rules! question {
        ($json:expr) => {{
            let mut len = 0;
            for change in $json["resource_changes"].as_array().unwrap().iter() {
                if change["type"].as_str() == Some(TYPE) {
                    for side in ["before", "after"] {
                        let value = change["change"].get(side).and_then(|side| side.get(ATTRIBUTE));
                        len += value.and_then(|value| value.as_str()).map_or(0, str::len);
                    }
                }
            }
            len
        }};
    }
    values!(
        group,
        text,
        |json: &Json| question!(json),
        |json: &sonic_rs::Value| question!(json),
        |json: &simd_json::BorrowedValue<'_>| question!(json)
    );
}

fn lookup(criterion: &mut Criterion, text: &[u8]) {
    let addresses: Vec<String> = {
        let heads = typed::<Head<'_>>(text);
        heads.iter().step_by(heads.len() / 1000 + 1).map(|head| head.address.to_string()).collect()
    };
    let addresses = &addresses;
    let mut group = group(criterion, "thousand-addresses", text);
    ours(&mut group, text, 3, |document| {
        let index = PlanIndex::new(plan(document), &mut ());
        addresses.iter().filter(|address| index.change(address, None).is_some()).count()
    });
    group.bench_function("serde_json/typed", |bencher| {
        bencher.iter(|| {
            let heads = typed::<Head<'_>>(black_box(text));
            let index: HashMap<&str, &Head<'_>> =
                heads.iter().map(|head| (&*head.address, head)).collect();
            addresses.iter().filter(|address| index.contains_key(address.as_str())).count()
        });
    });
}

#[derive(Deserialize)]
struct Whole {
    change: WholeChange,
}

#[derive(Deserialize)]
struct WholeChange {
    before: Json,
    #[serde(default)]
    after: Json,
    #[serde(default)]
    after_unknown: Json,
}

/// Counts leaves that differ, in a tree.
macro_rules! differing {
    ($name:ident, $value:ty) => {
        fn $name(
            before: Option<&$value>,
            after: Option<&$value>,
            unknown: Option<&$value>,
        ) -> usize {
            if unknown.and_then(|unknown| unknown.as_bool()) == Some(true) {
                return 1;
            }
            let object = |node: Option<&'_ $value>| node.is_some_and(|node| node.is_object());
            let array = |node: Option<&'_ $value>| node.is_some_and(|node| node.is_array());
            if object(before) || object(after) {
                let mut count = 0;
                for (name, value) in before.and_then(|node| node.as_object()).into_iter().flatten()
                {
                    let name: &str = name.as_ref();
                    let after = after.and_then(|node| node.get(name));
                    count += $name(Some(value), after, unknown.and_then(|node| node.get(name)));
                }
                for (name, value) in after.and_then(|node| node.as_object()).into_iter().flatten() {
                    let name: &str = name.as_ref();
                    if before.and_then(|node| node.get(name)).is_none() {
                        count += $name(None, Some(value), unknown.and_then(|node| node.get(name)));
                    }
                }
                return count;
            }
            if array(before) || array(after) {
                let len = |node: Option<&$value>| {
                    node.and_then(|node| node.as_array()).map_or(0, |array| array.len())
                };
                return (0..len(before).max(len(after)))
                    .map(|index| {
                        $name(
                            before.and_then(|node| node.as_array()?.get(index)),
                            after.and_then(|node| node.as_array()?.get(index)),
                            unknown.and_then(|node| node.as_array()?.get(index)),
                        )
                    })
                    .sum();
            }
            usize::from(before != after)
        }
    };
}

differing!(differing_serde, Json);

fn diff(criterion: &mut Criterion, text: &[u8]) {
    let mut group = group(criterion, "leaf-diff", text);
    ours(&mut group, text, Plan::DIFF_DEPTH, |document| {
        let changes = plan(document).changes().filter_map(|entry| entry.change().value());
        changes.map(|change| change.differences().count()).sum::<usize>()
    });
    group.bench_function("serde_json/typed", |bencher| {
        bencher.iter(|| {
            let changes = typed::<Whole>(black_box(text));
            let count = |one: &Whole| {
                let WholeChange { before, after, after_unknown } = &one.change;
                differing_serde(Some(before), Some(after), Some(after_unknown))
            };
            changes.iter().map(count).sum::<usize>()
        });
    });
    group.bench_function("serde_json/Value", |bencher| {
        bencher.iter(|| {
            let plan: Json = serde_json::from_slice(black_box(text)).unwrap();
            let changes = plan["resource_changes"].as_array().unwrap().iter();
            let count = |entry: &Json| {
                let change = &entry["change"];
                differing_serde(
                    change.get("before"),
                    change.get("after"),
                    change.get("after_unknown"),
                )
            };
            changes.map(count).sum::<usize>()
        });
    });
}

/// One line for each change that has a leaf that differs, as `plan --diff --format ndjson` prints
/// them.
fn leaf_lines(changes: &[ResourceChange<'_>]) -> Vec<u8> {
    let mut lines = Vec::new();
    let mut writer = Writer::new(&mut lines, Layout::Compact);
    for entry in changes {
        let Some(change) = entry.change().value() else { continue };
        let mut line = writer.value().object();
        line.key("address").string(entry.address().value().unwrap_or_default());
        let mut list = line.key("leaves").array();
        let mut leaves = change.differences();
        while let Some(leaf) = leaves.next() {
            let mut out = list.element().object();
            out.key("path").display(leaves.path());
            for (name, side) in [("before", leaf.before), ("after", leaf.after)] {
                match side.content {
                    Content::Known(node) => out.key(name).node(node),
                    Content::Null => out.key(name).null(),
                    Content::Absent | Content::Unknown => {}
                }
            }
            if matches!(leaf.after.content, Content::Unknown) {
                out.key("unknown").bool(true);
            }
        }
    }
    writer.finish().unwrap();
    lines
}

/// Returns the same lines from trees, without splitting values that are not scalars.
fn typed_leaf_lines(text: &[u8]) -> Vec<u8> {
    #[derive(Deserialize)]
    struct Named<'t> {
        #[serde(borrow)]
        address: Cow<'t, str>,
        change: WholeChange,
    }
    let mut lines = Vec::new();
    for Named { address, change } in typed::<Named<'_>>(text) {
        let mut leaves = Vec::new();
        let empty = serde_json::Map::new();
        let sides = [&change.before, &change.after, &change.after_unknown];
        let [before, after, unknown] = sides.map(|node| node.as_object().unwrap_or(&empty));
        let names = before.keys().chain(after.keys().filter(|name| !before.contains_key(*name)));
        for name in names {
            let is_unknown = unknown.get(name).is_some_and(|it| *it == true);
            if is_unknown || before.get(name) != after.get(name) {
                leaves.push(serde_json::json!({
                    "path": name, "before": before.get(name), "after": after.get(name),
                    "unknown": is_unknown,
                }));
            }
        }
        let line = serde_json::json!({ "address": address, "leaves": leaves });
        serde_json::to_writer(&mut lines, &line).unwrap();
        lines.push(b'\n');
    }
    lines
}

fn leaves(criterion: &mut Criterion, text: &[u8]) {
    let mut group = group(criterion, "leaf-ndjson", text);
    for threads in [1, 2] {
        let options = ParseOptions::default()
            .with_skeleton_depth(Plan::DIFF_DEPTH)
            .with_threads(threads as u32);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut arena = Arena::new();
        group.bench_function(format!("simd-hcl/{threads}-threads"), |bencher| {
            bencher.iter(|| {
                ask(&mut arena, black_box(text), &options, |document| {
                    let changes: Vec<_> = plan(document).changes().collect();
                    let lines = || changes.par_chunks(256).map(leaf_lines).map(|it| it.len()).sum();
                    pool.install::<_, usize>(lines)
                })
            });
        });
    }
    group.bench_function("serde_json/typed", |bencher| {
        bencher.iter(|| typed_leaf_lines(black_box(text)).len());
    });
}

/// Hides values that are marked in changes, planned and prior values. Does not search for other
/// occurrences.
fn hide_marked(value: &mut Json, marks: &Json) {
    match (value, marks) {
        (Json::Object(value), Json::Object(marks)) => {
            for (name, marks) in marks {
                if let Some(value) = value.get_mut(name) {
                    hide_marked(value, marks);
                }
            }
        }
        (Json::Array(values), Json::Array(marks)) => {
            values.iter_mut().zip(marks).for_each(|(value, marks)| hide_marked(value, marks));
        }
        (value, Json::Bool(true)) => *value = Json::from("REDACTED_SENSITIVE"),
        _ => {}
    }
}

fn hide(node: &mut Json) {
    for (value, marks) in [
        ("before", "before_sensitive"),
        ("after", "after_sensitive"),
        ("values", "sensitive_values"),
    ] {
        let marks = node.get_mut(marks).map(Json::take);
        if let (Some(value), Some(marks)) = (node.get_mut(value), marks) {
            hide_marked(value, &marks);
        }
    }
}

fn hide_in_module(module: &mut Json) {
    let resources = module.get_mut("resources").and_then(Json::as_array_mut);
    resources.into_iter().flatten().for_each(hide);
    let children = module.get_mut("child_modules").and_then(Json::as_array_mut);
    children.into_iter().flatten().for_each(hide_in_module);
}

fn redact(criterion: &mut Criterion, text: &[u8]) {
    let mut group = group(criterion, "redact", text);
    for threads in [1, 2] {
        let parse =
            ParseOptions::default().with_skeleton_depth(Places::DEPTH).with_threads(threads as u32);
        let options = redact::Options::default().with_threads(threads as u32);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut arena = Arena::new();
        let mut out = Vec::new();
        group.bench_function(format!("simd-hcl/{threads}-threads"), |bencher| {
            bencher.iter(|| {
                pool.install(|| {
                    ask(&mut arena, black_box(text), &parse, |document| {
                        out.clear();
                        let places = Places::of(document, options, &mut ()).unwrap();
                        redact::write(document.source(), &places, &mut out).unwrap();
                        out.len()
                    })
                })
            });
        });
    }
    group.bench_function("serde_json/Value", |bencher| {
        bencher.iter(|| {
            let mut plan: Json = serde_json::from_slice(black_box(text)).unwrap();
            let changes = plan["resource_changes"].as_array_mut().unwrap();
            changes.iter_mut().for_each(|entry| hide(&mut entry["change"]));
            hide_in_module(&mut plan["planned_values"]["root_module"]);
            if let Some(prior) = plan.get_mut("prior_state") {
                hide_in_module(&mut prior["values"]["root_module"]);
            }
            serde_json::to_vec(&plan).unwrap().len()
        });
    });
}

/// Returns a schema file with this many providers, each of the size of a large real one.
fn schema_file(providers: usize) -> String {
    let mut text = String::from(r#"{"format_version":"1.0","provider_schemas":{"#);
    for provider in 0..providers {
        let comma = if provider == 0 { "" } else { "," };
        let _ = write!(
            text,
            r#"{comma}"registry.opentofu.org/acme/p{provider}":{{"provider":{{"version":0}},"resource_schemas":{{"#
        );
        for resource in 0..500 {
            let comma = if resource == 0 { "" } else { "," };
            let _ = write!(
                text,
                r#"{comma}"p{provider}_type_{resource:04}":{{"version":1,"block":{{"attributes":{{"#
            );
            for attribute in 0..16 {
                let comma = if attribute == 0 { "" } else { "," };
                let _ = write!(
                    text,
                    r#"{comma}"attribute_{attribute:02}":{{"type":["map","string"],"description":"What it is for.","description_kind":"plain","optional":true,"computed":true}}"#
                );
            }
            text.push_str(r#"},"block_types":{"timeouts":{"nesting_mode":"single","block":{"attributes":{"create":{"type":"string","description_kind":"plain","optional":true}},"description_kind":"plain"}}},"description_kind":"plain"}}"#);
        }
        text.push_str("}}");
    }
    text.push_str("}}");
    text
}

fn schema(criterion: &mut Criterion) {
    let providers = (changes() as usize / 3_000).max(2);
    let text = schema_file(providers);
    let text = text.as_bytes();
    let wanted = format!("p{}_type_0321", providers - 1);
    let wanted = wanted.as_str();
    let mut group = group(criterion, "one-schema", text);
    ours(&mut group, text, Schemas::DEPTH, |document| {
        let schemas = Schemas::of(document, &mut ()).unwrap();
        let (_, schema) = schemas.find(SchemaKind::Resource, wanted).next().unwrap();
        let attributes = schema.block().value().unwrap().attributes().value().unwrap();
        attributes.iter().filter(|(_, one)| one.optional().value() == Some(true)).count()
    });
    let of = |json: &Json| {
        let mut providers = json["provider_schemas"].as_object().unwrap().values();
        let schema =
            providers.find_map(|provider| provider["resource_schemas"].get(wanted)).unwrap();
        let attributes = schema["block"]["attributes"].as_object().unwrap().values();
        attributes.filter(|one| one["optional"] == true).count()
    };
    group.bench_function("serde_json/Value", |bencher| {
        bencher.iter(|| of(&serde_json::from_slice(black_box(text)).unwrap()));
    });
}

/// Returns the resident memory of the process in bytes, if the system reports it.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}

fn memory(text: &[u8]) {
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "plan.json", text).unwrap();
    let before = resident();
    let options = ParseOptions::default().with_skeleton_depth(Plan::LIST_DEPTH);
    let plan = plan(Document::parse_with(&arena, source, &options).unwrap());
    let listed = plan.changes().filter(|change| !change.head().address().is_empty()).count();
    assert_eq!(plan.count_by_action().iter().sum::<usize>(), listed);
    if let (Some(before), Some(after)) = (before, resident()) {
        let (len, more) = (text.len(), after.saturating_sub(before));
        println!("plan: {len} bytes; memory: {more}, {:.1} %", 100.0 * more as f64 / len as f64);
    }
}

fn questions(criterion: &mut Criterion) {
    let text = plan_bytes(&PlanOptions { changes: changes(), ..PlanOptions::default() });
    memory(&text);
    count(criterion, &text);
    list(criterion, &text);
    attribute(criterion, &text);
    lookup(criterion, &text);
    diff(criterion, &text);
    leaves(criterion, &text);
    redact(criterion, &text);
    drop(text);
    schema(criterion);
}

criterion_group!(benches, questions);
criterion_main!(benches);
