//! The vectorised engine, compared with the automaton and the peers, and phase by phase.
//!
//! ```text
//! cargo bench -p simd-hcl-benches --bench engine
//! cargo bench -p simd-hcl-benches --bench engine -- phases
//! ```
//!
//! `engine/INPUT/vectorised` and `.../automaton` validate and write the skeleton with buffers that
//! are reused, without documents and arenas; `all-events` has an event for every value. The time of
//! a phase is the sum over the windows of a whole parse; measuring it costs about 20 ns per window
//! and phase.
#![allow(clippy::unwrap_used, missing_docs)]

mod support;

use std::fmt::Write;
use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use serde::de::IgnoredAny;
use simd_hcl::fuzzing::{Bare, Engine, Phase};
use simd_hcl::{Kernel, ParseOptions, Span};

use support::{Input, configuration};

/// Returns about a megabyte of pieces, in an array nested so deeply that the skeleton has the
/// pieces but not their content.
fn array(name: &'static str, piece: impl Fn(&mut String, usize)) -> Input {
    let mut text = String::from("[[[");
    for i in 0.. {
        piece(&mut text, i);
        if text.len() > 1_000_000 {
            break;
        }
        text.push(',');
    }
    text.push_str("]]]");
    Input { name, text: text.into_bytes() }
}

fn inputs() -> Vec<Input> {
    let languages = ["Größe und Höhe", "конфигурация ресурсов", "漢字かな交じり文", "😀🚀"];
    vec![
        Input { name: "minified", text: configuration(2_500, false) },
        Input { name: "pretty", text: configuration(2_500, true) },
        array("ascii", |text, i| {
            let words = "the quick brown fox jumps over the lazy dog";
            write!(text, r#"{{"name {i}":"{words} {i}","plain":[{{"id":"{words}"}}]}}"#).unwrap();
        }),
        array("mixed-language", |text, i| {
            let (a, b) = (languages[i % 4], languages[i / 4 % 4]);
            write!(text, r#"{{"{a}":"{b} {a} {b}","plain":[{{"id":"{i}"}}]}}"#).unwrap();
        }),
        array("escapes", |text, i| {
            let escapes = format!("\\u{:04x}", 0x80 + i * 37 % 0xC000).repeat(12);
            write!(text, r#"{{"name":"{escapes}","in":[{{"x":"{escapes}"}}]}}"#).unwrap();
        }),
        array("numbers", |text, i| {
            let fraction = i * 7919 % 100_000;
            write!(text, r#"{{"n":[{i},-{fraction},0.{fraction},{i}.5e-3,true,null]}}"#).unwrap();
        }),
        array("long-scalars", |text, i| {
            write!(text, "[0.{}]", "7".repeat(100 + i * 13 % 900)).unwrap();
        }),
        array("deep", |text, _| {
            text.push_str(&r#"{"a":["#.repeat(60));
            text.push('1');
            text.push_str(&r#"],"b":"x"}"#.repeat(60));
        }),
        file("1-kb", 1_000),
        file("3-kb", 3_000),
        file("10-kb", 10_000),
    ]
}

/// Returns a file of about this many bytes, like small generated files.
fn file(name: &'static str, bytes: usize) -> Input {
    let mut text = String::from(r#"{"resource":{"aws_instance":{"#);
    for i in 0.. {
        write!(
            text,
            r#""web-{i}":{{"ami":"${{var.ami}}","count":{i},"tags":{{"Name":"web {i}","owner":"team"}},"subnets":["a-{i}","b-{i}"],"monitoring":true}}"#
        )
        .unwrap();
        if text.len() + 100 > bytes {
            break;
        }
        text.push(',');
    }
    text.push_str("}}}");
    Input { name, text: text.into_bytes() }
}

fn whole(criterion: &mut Criterion) {
    let kernel = Kernel::detect();
    for Input { name, text } in inputs() {
        let mut group = criterion.benchmark_group(format!("engine/{name}"));
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.sample_size(20).measurement_time(Duration::from_secs(1));
        let span = Span::new(0, text.len() as u32);
        let options = ParseOptions::default().with_kernel(kernel);
        let mut bare = Bare::new();
        for (engine, label) in
            [(Engine::Vectorised, "vectorised"), (Engine::Automaton, "automaton")]
        {
            for (depth, suffix) in [(options.skeleton_depth, ""), (u32::MAX, "/all-events")] {
                let options = options.with_engine(engine).with_skeleton_depth(depth);
                group.bench_function(format!("{label}{suffix}"), |bencher| {
                    bencher.iter(|| bare.parse(black_box(&text), span, &options).unwrap().len());
                });
            }
        }
        group.bench_function("serde_json/IgnoredAny", |bencher| {
            bencher.iter(|| serde_json::from_slice::<IgnoredAny>(black_box(&text)).unwrap());
        });
        group.bench_function("sonic-rs/LazyValue", |bencher| {
            bencher.iter(|| {
                sonic_rs::from_slice::<sonic_rs::LazyValue<'_>>(black_box(&text)).unwrap()
            });
        });
        group.bench_function("simd-json/to_tape", |bencher| {
            let mut buffers = simd_json::Buffers::new(text.len());
            bencher.iter_batched_ref(
                || text.clone(),
                |copy| simd_json::to_tape_with_buffers(copy, &mut buffers).unwrap().0.len(),
                criterion::BatchSize::PerIteration,
            );
        });
    }
}

fn phases(criterion: &mut Criterion) {
    let kernel = Kernel::detect();
    for Input { name, text } in inputs() {
        let mut group = criterion.benchmark_group(format!("engine/phases/{name}"));
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.sample_size(10).measurement_time(Duration::from_millis(500));
        let span = Span::new(0, text.len() as u32);
        let options = ParseOptions::default().with_kernel(kernel);
        let mut bare = Bare::new();
        for measured in Phase::ALL {
            group.bench_function(format!("{measured:?}"), |bencher| {
                bencher.iter_custom(|parses| {
                    let mut sum = Duration::ZERO;
                    for _ in 0..parses {
                        let mut before = Instant::now();
                        let finished = |phase| {
                            let now = Instant::now();
                            if phase == measured {
                                sum += now - before;
                            }
                            before = now;
                        };
                        bare.parse_noting(&text, span, &options, finished).unwrap();
                    }
                    sum
                });
            });
        }
    }
}

criterion_group!(benches, whole, phases);
criterion_main!(benches);
