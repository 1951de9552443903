//! Rules over a plan: 163 rules, 24,000 changes, 66 MB.
//!
//! ```text
//! cargo bench -p simd-hcl-benches --bench policy
//! SIMD_HCL_BENCH_CHANGES=2400 cargo bench -p simd-hcl-benches --bench policy
//! ```
//!
//! Every run starts from the bytes of the plan and of the rules in memory, and ends with all
//! findings. With `shared`, each type of the plan has a few rules, some rules are for all types,
//! and most are for other types, as in a file that many teams share. With `dense`, all rules are
//! for types of the plan. `serde_json/Value` only reads the plan into a tree, and evaluates
//! nothing.
#![allow(clippy::unwrap_used, missing_docs)]

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use serde_json::Value as Json;
use simd_hcl::policy::{CheckOptions, Rules};
use simd_hcl::show::Plan;
use simd_hcl::{Arena, Document, ParseOptions, Source, functions};
use simd_hcl_corpus::{PlanOptions, RuleOptions, plan_bytes, rules_text};

fn changes() -> u64 {
    let set = std::env::var("SIMD_HCL_BENCH_CHANGES").ok();
    set.and_then(|text| text.parse().ok()).unwrap_or(24_000)
}

/// Returns the number of evaluated conditions and of findings.
fn check(rules: &str, plan: &[u8], threads: u32) -> (u64, usize) {
    let arena = Arena::new();
    let functions = functions::standard();
    let mut set = Rules::new(Some(&functions));
    let file = Document::parse_bytes(&arena, "rules.hcl.json", rules.as_bytes()).unwrap();
    assert!(set.parse(file, &mut ()));
    let source = Source::from_bytes(&arena, "plan.json", plan).unwrap();
    let options = ParseOptions::default().with_skeleton_depth(Rules::DEPTH).with_threads(threads);
    let document = Document::parse_with(&arena, source, &options).unwrap();
    let checked = set.check(Plan::of(document, &mut ()).unwrap(), &CheckOptions::default());
    (checked.conditions, checked.findings.len())
}

fn rules(criterion: &mut Criterion) {
    let plan = plan_bytes(&PlanOptions { changes: changes(), ..PlanOptions::default() });
    let mut group = criterion.benchmark_group("policy/163-rules");
    group.throughput(Throughput::Bytes(plan.len() as u64));
    group.sample_size(10).warm_up_time(Duration::from_millis(500));
    group.measurement_time(Duration::from_secs(3));
    for (name, dense) in [("shared", false), ("dense", true)] {
        let rules = rules_text(&RuleOptions { dense, ..RuleOptions::default() });
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let check = || check(black_box(&rules), black_box(&plan), threads as u32);
            let (conditions, findings) = pool.install(check);
            println!("{name}: {} bytes, {conditions} conditions, {findings} findings", plan.len());
            group.bench_function(format!("simd-hcl/{name}/{threads}-threads"), |bencher| {
                bencher.iter(|| pool.install(check));
            });
        }
    }
    group.bench_function("serde_json/Value", |bencher| {
        bencher.iter(|| {
            let plan: Json = serde_json::from_slice(black_box(&plan)).unwrap();
            plan["resource_changes"].as_array().unwrap().len()
        });
    });
}

criterion_group!(benches, rules);
criterion_main!(benches);
