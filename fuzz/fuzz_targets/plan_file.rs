//! Plan files: whatever their bytes, nothing panics, memory stays bounded, and the output is JSON.
//!
//! The first byte says what the rest is: a whole file, or one part of a file whose other parts are
//! valid. Parts are put into an archive here, since their checksums would stop most inputs.
#![no_main]

use std::io::{Cursor, Write};

use libfuzzer_sys::fuzz_target;
use simd_hcl::compression::decompress;
use simd_hcl::plan_file::{PlanFile, ShowOptions};
use simd_hcl::show::EventLog;
use simd_hcl::{Arena, Document, ParseOptions, Source};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// More bytes than this are refused.
const MAX_BYTES: u64 = 1 << 22;

fuzz_target!(|input: &[u8]| {
    let Some((kind, rest)) = input.split_first() else { return };
    match kind % 8 {
        0 => read(rest),
        1 => read(&archive(&[("tfplan", rest)])),
        // A value of a resource, with its MessagePack.
        2 => read(&archive(&[("tfplan", &plan_of(rest, false))])),
        // A value that is stored with its type.
        3 => read(&archive(&[("tfplan", &plan_of(rest, true))])),
        4 => read(&archive(&[("tfplan", &plan_of(b"\xc0", false)), ("tfschemas", rest)])),
        5 => read(&archive(&[("tfplan", &plan_of(b"\xc0", false)), ("tfstate", rest)])),
        6 => {
            let arena = Arena::new();
            let source = Source::copy_from(&arena, "input", rest).unwrap();
            let _ = decompress(&arena, source, MAX_BYTES);
        }
        _ => EventLog::new().read_all(rest),
    }
});

fn archive(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        writer.start_file(name, options).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn message(number: u8, content: &[u8]) -> Vec<u8> {
    let mut out = vec![number << 3 | 2];
    let mut len = content.len();
    while len > 127 {
        out.push(len as u8 | 128);
        len >>= 7;
    }
    out.push(len as u8);
    out.extend_from_slice(content);
    out
}

/// A plan that creates a resource, or an output, with a value.
fn plan_of(value: &[u8], is_output: bool) -> Vec<u8> {
    let change = [vec![8, 1], message(2, &message(1, value))].concat();
    let entry = if is_output {
        message(4, &[message(1, b"o"), message(2, &change)].concat())
    } else {
        message(3, &[message(9, &change), message(13, b"terraform_data.a[\"k\"]")].concat())
    };
    [vec![8, 3], entry].concat()
}

fn read(bytes: &[u8]) {
    let mut arena = Arena::new();
    {
        let source = Source::copy_from(&arena, "input", bytes).unwrap();
        let options = ParseOptions::default().with_max_depth(10_000);
        let Ok(file) = PlanFile::open_with(&arena, source, MAX_BYTES, &options) else { return };
        let counted = file.count_by_action();
        let listed = file.changes().collect::<Result<Vec<_>, _>>();
        if let (Ok(counted), Ok(listed)) = (&counted, &listed) {
            assert_eq!(counted.iter().map(|(_, count)| count).sum::<usize>(), listed.len());
        }
        let _ = (file.modules(), file.lock_file(), file.previous_state());
        if let Ok(shown) = file.show_json(&ShowOptions::default()) {
            let options = ParseOptions::default().with_max_depth(1_000_000);
            let shown = Source::copy_from(&arena, "shown", &shown.json).unwrap();
            assert!(Document::parse_with(&arena, shown, &options).is_ok());
        }
    }
    assert!(arena.allocated_bytes() < 1 << 28);
}
