//! Your own types from a large configuration and a large plan, compared with serde_json and the
//! same types.
//!
//! ```text
//! cargo bench -p simd-hcl-benches --bench serde
//! SIMD_HCL_BENCH_RESOURCES=25000 SIMD_HCL_BENCH_CHANGES=10000 cargo bench -p simd-hcl-benches --bench serde
//! ```
//!
//! Both start from bytes in memory and return the same values, which is asserted; ours reuses its
//! arena. The types have only some of the members, as types of an application do.
#![allow(clippy::unwrap_used, missing_docs)]

mod support;

use std::borrow::Cow;
use std::fmt;
use std::hint::black_box;
use std::marker::PhantomData;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use simd_hcl::serde::from_document;
use simd_hcl::{Arena, Document, ParseOptions, Source};
use simd_hcl_corpus::{PlanOptions, plan_bytes};
use support::{configuration, large_resources};

type Text<'a> = Cow<'a, str>;

/// A name that is borrowed where it has no escapes: serde borrows a `Cow` as a field only.
#[derive(Deserialize, PartialEq, Debug)]
struct Name<'a>(#[serde(borrow)] Text<'a>);

/// The members of an object, in their order: a map would take most of the time of both.
#[derive(PartialEq, Debug)]
struct Members<'a, T>(Vec<(Name<'a>, T)>);

impl<'de: 'a, 'a, T: Deserialize<'de>> Deserialize<'de> for Members<'a, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visit<'a, T>(PhantomData<(&'a (), T)>);

        impl<'de: 'a, 'a, T: Deserialize<'de>> Visitor<'de> for Visit<'a, T> {
            type Value = Members<'a, T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                // As collections of serde do: no more than 1 MiB before there is something.
                let most = (1 << 20) / size_of::<(Name<'_>, T)>();
                let mut members = Vec::with_capacity(map.size_hint().unwrap_or(0).min(most));
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Visit(PhantomData))
    }
}

#[derive(Deserialize, PartialEq, Debug)]
struct Configuration<'a> {
    #[serde(borrow)]
    resource: Members<'a, Members<'a, Resource<'a>>>,
}

#[derive(Deserialize, PartialEq, Debug)]
struct Resource<'a> {
    #[serde(borrow, default)]
    provider: Option<Name<'a>>,
    #[serde(borrow, default)]
    depends_on: Vec<Name<'a>>,
}

#[derive(Deserialize, PartialEq, Debug)]
struct Plan<'a> {
    #[serde(borrow)]
    format_version: Text<'a>,
    #[serde(borrow)]
    resource_changes: Vec<ResourceChange<'a>>,
}

#[derive(Deserialize, PartialEq, Debug)]
struct ResourceChange<'a> {
    #[serde(borrow)]
    address: Text<'a>,
    #[serde(rename = "type", borrow)]
    resource_type: Text<'a>,
    #[serde(borrow)]
    change: Change<'a>,
}

#[derive(Deserialize, PartialEq, Debug)]
struct Change<'a> {
    #[serde(borrow)]
    actions: Vec<Name<'a>>,
}

fn changes() -> u64 {
    let set = std::env::var("SIMD_HCL_BENCH_CHANGES").ok();
    set.and_then(|text| text.parse().ok()).unwrap_or(100_000)
}

/// A document that is parsed down to the depth at which the types end.
fn parse<'a>(arena: &'a Arena, text: &'a [u8], depth: u32) -> Document<'a> {
    let source = Source::from_bytes(arena, "input.json", text).unwrap();
    let options = ParseOptions::default().with_skeleton_depth(depth);
    Document::parse_with(arena, source, &options).unwrap()
}

macro_rules! compare {
    ($criterion:ident, $name:literal, $type:ident, $text:expr, $depth:literal) => {{
        let text = $text;
        let arena = Arena::new();
        let ours: $type<'_> = from_document(parse(&arena, &text, $depth)).unwrap();
        assert!(ours == serde_json::from_slice(&text).unwrap());
        drop(ours);
        drop(arena);
        let mut group = $criterion.benchmark_group($name);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.sample_size(10).measurement_time(Duration::from_secs(5));
        let mut arena = Arena::new();
        group.bench_function("simd-hcl", |bencher| {
            bencher.iter(|| {
                let read: $type<'_> = from_document(parse(&arena, &text, $depth)).unwrap();
                drop(black_box(read));
                arena.reset();
            });
        });
        group.bench_function("serde_json", |bencher| {
            bencher.iter(|| {
                let read: $type<'_> = serde_json::from_slice(&text).unwrap();
                drop(black_box(read));
            });
        });
        group.finish();
    }};
}

fn typed(criterion: &mut Criterion) {
    let text = configuration(large_resources(), false);
    compare!(criterion, "configuration", Configuration, text, 4);
    let text = plan_bytes(&PlanOptions { changes: changes(), ..PlanOptions::default() });
    compare!(criterion, "plan", Plan, text, 4);
}

criterion_group!(benches, typed);
criterion_main!(benches);
