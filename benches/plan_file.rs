//! A binary plan file of 100,000 changes: counted by action, listed, and printed as `show -json`
//! prints it.
//!
//! ```text
//! cargo bench -p simd-hcl-benches --bench plan_file
//! SIMD_HCL_BENCH_CHANGES=15000 cargo bench -p simd-hcl-benches --bench plan_file -- count
//! ```
//!
//! The file has the changes of the plan of `benches/show.rs`, in MessagePack and protobuf,
//! compressed. Every task starts from its bytes in memory. `inflate` only decompresses `tfplan`,
//! which every reader has to do.
#![allow(clippy::unwrap_used, missing_docs)]

use std::hint::black_box;
use std::io::{Cursor, Read, Write};
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use serde_json::Value as Json;
use simd_hcl::plan_file::{PlanFile, ShowOptions};
use simd_hcl::{Arena, Source};
use simd_hcl_corpus::{PlanOptions, plan_bytes};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

fn changes() -> usize {
    let set = std::env::var("SIMD_HCL_BENCH_CHANGES").ok();
    set.and_then(|text| text.parse().ok()).unwrap_or(100_000)
}

fn varint(mut value: u64, out: &mut Vec<u8>) {
    while value > 127 {
        out.push(value as u8 | 128);
        value >>= 7;
    }
    out.push(value as u8);
}

fn field(number: u64, content: &[u8], out: &mut Vec<u8>) {
    varint(number << 3 | 2, out);
    varint(content.len() as u64, out);
    out.extend_from_slice(content);
}

fn number(number: u64, value: u64, out: &mut Vec<u8>) {
    varint(number << 3, out);
    varint(value, out);
}

/// Writes a value with its unknown parts, in MessagePack.
fn msgpack(value: &Json, unknown: &Json, out: &mut Vec<u8>) {
    fn text(text: &str, out: &mut Vec<u8>) {
        out.push(0xdb);
        out.extend((text.len() as u32).to_be_bytes());
        out.extend(text.as_bytes());
    }
    match value {
        _ if *unknown == true => out.extend([0xd4, 0, 0]),
        Json::Null => out.push(0xc0),
        Json::Bool(value) => out.push(0xc2 + u8::from(*value)),
        Json::Number(value) => match (value.as_i64(), value.as_f64()) {
            (Some(value), _) => {
                out.push(0xd3);
                out.extend(value.to_be_bytes());
            }
            (None, Some(value)) => {
                out.push(0xcb);
                out.extend(value.to_be_bytes());
            }
            _ => text(&value.to_string(), out),
        },
        Json::String(value) => text(value, out),
        Json::Array(values) => {
            out.push(0xdd);
            out.extend((values.len() as u32).to_be_bytes());
            let nothing = Json::Null;
            for (place, value) in values.iter().enumerate() {
                msgpack(value, unknown.get(place).unwrap_or(&nothing), out);
            }
        }
        Json::Object(members) => {
            let unknown_members = unknown.as_object().into_iter().flatten();
            let missing: Vec<_> = unknown_members
                .filter(|(name, unknown)| **unknown == true && !members.contains_key(*name))
                .collect();
            out.push(0xdf);
            out.extend(((members.len() + missing.len()) as u32).to_be_bytes());
            for (name, value) in members {
                text(name, out);
                msgpack(value, unknown.get(name).unwrap_or(&Json::Null), out);
            }
            for (name, _) in missing {
                text(name, out);
                out.extend([0xd4, 0, 0]);
            }
        }
    }
}

/// Returns the message of a change with another name.
fn message(change: &Json, copy: usize) -> Vec<u8> {
    let inner = &change["change"];
    let actions: Vec<_> = inner["actions"].as_array().unwrap().iter().collect();
    let (action, values): (u64, &[&str]) = match (actions[0].as_str().unwrap(), actions.len()) {
        ("create", 1) => (1, &["after"]),
        ("read", _) => (2, &["before", "after"]),
        ("update", _) => (3, &["before", "after"]),
        ("delete", 1) => (5, &["before"]),
        ("delete", _) => (6, &["before", "after"]),
        ("create", _) => (7, &["before", "after"]),
        _ => (0, &["before"]),
    };
    let mut content = Vec::new();
    number(1, action, &mut content);
    for name in values {
        let unknown = if *name == "after" { &inner["after_unknown"] } else { &Json::Null };
        let (mut value, mut dynamic) = (Vec::new(), Vec::new());
        msgpack(&inner[*name], unknown, &mut value);
        field(1, &value, &mut dynamic);
        field(2, &dynamic, &mut content);
    }
    let provider = format!("provider[\"{}\"]", change["provider_name"].as_str().unwrap());
    let address = format!("module.m{copy}.{}", change["address"].as_str().unwrap());
    let mut out = Vec::new();
    field(8, provider.as_bytes(), &mut out);
    field(9, &content, &mut out);
    field(13, address.as_bytes(), &mut out);
    out
}

/// Returns a plan file, and the number of bytes of its decompressed plan.
fn plan_file(changes: usize) -> (Vec<u8>, usize) {
    const KINDS: usize = 1000;
    let options = PlanOptions { changes: KINDS as u64, ..PlanOptions::default() };
    let json: Json = serde_json::from_slice(&plan_bytes(&options)).unwrap();
    let entries = json["resource_changes"].as_array().unwrap();
    let mut plan = Vec::new();
    number(1, 3, &mut plan);
    for place in 0..changes {
        field(3, &message(&entries[place % entries.len()], place / entries.len()), &mut plan);
    }
    field(14, b"1.15.5", &mut plan);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.start_file("tfplan", SimpleFileOptions::default()).unwrap();
    writer.write_all(&plan).unwrap();
    (writer.finish().unwrap().into_inner(), plan.len())
}

fn ask<T>(arena: &mut Arena, bytes: &[u8], question: impl FnOnce(&PlanFile<'_>) -> T) -> T {
    let source = Source::from_bytes(arena, "plan.bin", bytes).unwrap();
    let answer = question(&PlanFile::open(arena, source).unwrap());
    arena.reset();
    answer
}

fn benches(criterion: &mut Criterion) {
    let (bytes, len) = plan_file(changes());
    eprintln!("{} bytes, {len} bytes of tfplan", bytes.len());
    let mut group = criterion.benchmark_group("plan_file");
    group.throughput(Throughput::Bytes(len as u64));
    group.sample_size(10).measurement_time(Duration::from_secs(10));
    let mut arena = Arena::new();
    group.bench_function("count", |bencher| {
        bencher.iter(|| {
            ask(&mut arena, black_box(&bytes), |file| file.count_by_action().unwrap().len())
        });
    });
    group.bench_function("list", |bencher| {
        bencher.iter(|| {
            let list =
                |file: &PlanFile<'_>| file.changes().map(|it| it.unwrap().address().len()).sum();
            ask::<usize>(&mut arena, black_box(&bytes), list)
        });
    });
    group.bench_function("show_json", |bencher| {
        bencher.iter(|| {
            let show =
                |file: &PlanFile<'_>| file.show_json(&ShowOptions::default()).unwrap().json.len();
            ask(&mut arena, black_box(&bytes), show)
        });
    });
    group.bench_function("inflate", |bencher| {
        bencher.iter(|| {
            let mut archive = ZipArchive::new(Cursor::new(black_box(&bytes))).unwrap();
            let mut plan = Vec::with_capacity(len);
            archive.by_name("tfplan").unwrap().read_to_end(&mut plan).unwrap();
            plan.len()
        });
    });
    group.finish();
}

criterion_group!(all, benches);
criterion_main!(all);
