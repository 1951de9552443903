//! Plan files: our output equals that of the tool, and damaged files are errors.

use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use simd_hcl::plan_file::{Action, PlanFile, PlanFileError, ShowOptions, Tool, is_plan_file};
use simd_hcl::show::{ActionKind, BodySchemas, Plan, Schemas};
use simd_hcl::{Arena, Document, ParseOptions, Source};
use simd_hcl_corpus::sized;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/conformance/plan-file/cases")
}

fn cases() -> Vec<(String, Vec<u8>, String)> {
    let mut cases = Vec::new();
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            let plan = fs::read(path.join("plan.bin")).unwrap();
            cases.push((name, plan, fs::read_to_string(path.join("show.json")).unwrap()));
        }
    }
    cases.sort();
    assert!(cases.len() > 20, "cases were found");
    cases
}

fn case(name: &str) -> Vec<u8> {
    fs::read(folder().join(name).join("plan.bin")).unwrap()
}

fn open<'a>(arena: &'a Arena, bytes: &[u8]) -> Result<PlanFile<'a>, PlanFileError> {
    PlanFile::open(arena, Source::copy_from(arena, "plan.bin", bytes).unwrap())
}

fn schemas(arena: &Arena) -> BodySchemas<'_> {
    let text = fs::read(folder().join("schemas.json")).unwrap();
    let source = Source::copy_from(arena, "schemas.json", &text).unwrap();
    let document = Document::parse(arena, source).unwrap();
    BodySchemas::new(Schemas::of(document, &mut ()).unwrap())
}

/// Returns the entries of an archive.
fn entries(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut entries = Vec::new();
    for place in 0..archive.len() {
        let mut file = archive.by_index(place).unwrap();
        let mut content = Vec::new();
        std::io::copy(&mut file, &mut content).unwrap();
        entries.push((file.name().unwrap().into_owned(), content));
    }
    entries
}

fn archive(entries: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        writer.start_file(name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Returns a plan file with other bytes in one entry.
fn with_entry(bytes: &[u8], name: &str, content: &[u8]) -> Vec<u8> {
    let mut entries = entries(bytes);
    entries.retain(|(known, _)| known != name);
    entries.push((name.to_owned(), content.to_vec()));
    archive(&entries)
}

/// Returns a protobuf message from field numbers and contents.
fn message(fields: &[(u32, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    for (number, content) in fields {
        varint(u64::from(number << 3 | 2), &mut out);
        varint(content.len() as u64, &mut out);
        out.extend_from_slice(content);
    }
    out
}

fn number(number: u32, value: u64) -> Vec<u8> {
    let mut out = Vec::new();
    varint(u64::from(number << 3), &mut out);
    varint(value, &mut out);
    out
}

fn varint(mut value: u64, out: &mut Vec<u8>) {
    while value > 127 {
        out.push(value as u8 | 128);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Returns a plan that creates one resource with a value in MessagePack.
fn plan_of(resource: &str, value: &[u8]) -> Vec<u8> {
    let change = [number(1, 1), message(&[(2, &message(&[(1, value)]))])].concat();
    let provider = br#"provider["registry.terraform.io/test/other"]"#;
    let change = message(&[(8, provider), (9, &change), (13, resource.as_bytes())]);
    [number(1, 3), message(&[(3, &change), (14, b"1.15.5")])].concat()
}

fn file_of(resource: &str, value: &[u8]) -> Vec<u8> {
    archive(&[("tfplan".to_owned(), plan_of(resource, value))])
}

fn shown(bytes: &[u8]) -> Result<String, PlanFileError> {
    let arena = Arena::new();
    let shown = open(&arena, bytes)?.show_json(&ShowOptions::default())?;
    // The output is always JSON.
    let source = Source::copy_from(&arena, "shown", &shown.json).unwrap();
    let document = Document::parse(&arena, source).unwrap();
    assert!(Plan::of(document, &mut ()).is_some());
    Ok(String::from_utf8(shown.json).unwrap())
}

#[test]
fn plans_print_what_the_tool_prints() {
    for (name, bytes, expected) in cases() {
        let arena = Arena::new();
        let expected = expected.trim_end();
        let document = Document::parse_bytes(&arena, "show.json", expected.as_bytes()).unwrap();
        let configuration = document.root().as_object().unwrap().get("configuration");
        let schemas = schemas(&arena);
        let options =
            ShowOptions::default().with_schemas(Some(&schemas)).with_configuration(configuration);
        let shown = open(&arena, &bytes).unwrap().show_json(&options).unwrap();
        let json = String::from_utf8(shown.json).unwrap();
        assert_eq!(settled(&json), settled(expected), "{name}");
        assert_eq!(shown.incomplete, [], "{name}");
    }
}

/// Returns a document with unordered lists sorted. Numbers keep their text.
fn settled(json: &str) -> String {
    use serde_json::value::RawValue;
    fn settle(key: &str, value: &RawValue) -> String {
        let text = value.get();
        if let Ok(object) =
            serde_json::from_str::<std::collections::BTreeMap<String, &RawValue>>(text)
        {
            let parts =
                object.iter().map(|(key, value)| format!("{key:?}: {}", settle(key, value)));
            return format!("{{{}}}", parts.collect::<Vec<_>>().join(",\n"));
        }
        if let Ok(list) = serde_json::from_str::<Vec<&RawValue>>(text) {
            let mut parts: Vec<String> = list.iter().map(|value| settle("", value)).collect();
            if ["replace_paths", "child_modules", "relevant_attributes"].contains(&key) {
                parts.sort();
            }
            return format!("[{}]", parts.join(", "));
        }
        text.to_owned()
    }
    settle("", serde_json::from_str(json).unwrap())
}

#[test]
fn changes_are_counted_without_values() {
    for (name, bytes, expected) in cases() {
        let arena = Arena::new();
        let file = open(&arena, &bytes).unwrap();
        let document = Document::parse_bytes(&arena, "show.json", expected.as_bytes()).unwrap();
        let plan = Plan::of(document, &mut ()).unwrap();
        let mut counts = [0; ActionKind::ALL.len()];
        plan.changes().for_each(|change| counts[change.actions().kind() as usize] += 1);
        let kinds = ActionKind::ALL.into_iter().map(|kind| (kind, counts[kind as usize]));
        let kinds: Vec<_> = kinds.filter(|(_, count)| *count > 0).collect();
        assert_eq!(file.count_by_action().unwrap(), kinds, "{name}");
        let mut ours: Vec<_> = file.changes().map(|change| change.unwrap().address()).collect();
        let mut theirs: Vec<_> =
            plan.changes().map(|change| change.address().value().unwrap()).collect();
        ours.sort_unstable();
        theirs.sort_unstable();
        assert_eq!(ours, theirs, "{name}");
    }
}

#[test]
fn a_file_has_states_modules_and_a_lock_file() {
    let arena = Arena::new();
    let bytes = case("tree-keep");
    assert!(is_plan_file(&bytes));
    let file = open(&arena, &bytes).unwrap();
    assert_eq!((file.tool(), file.terraform_version()), (Tool::Terraform, "1.15.5"));
    assert!(!file.timestamp().is_empty() && !file.errored());
    let first = file.changes().next().unwrap().unwrap();
    assert_eq!((first.action(), first.deposed()), (Action::NoOp, None));
    for state in [file.state(), file.previous_state()] {
        assert!(state.unwrap().unwrap().bytes().starts_with(b"{\n  \"version\": 4"));
    }
    assert!(file.lock_file().unwrap().unwrap().bytes().starts_with(b"# This file"));
    let modules = file.modules().unwrap();
    let keys: Vec<_> = modules.iter().map(|module| (module.key, module.directory)).collect();
    let expected = [
        ("", "."),
        ("a", "child"),
        ("a.leaf", "child/leaf"),
        ("b", "child"),
        ("b.leaf", "child/leaf"),
    ];
    assert_eq!(keys, expected);
    assert_eq!(modules[1].source, "./child");
    assert_eq!(modules[1].files[0].name, "main.tf.json");
    assert!(open(&arena, &case("errored")).unwrap().errored());
}

#[test]
fn uncertain_values_without_schemas_are_reported() {
    let arena = Arena::new();
    let shown = open(&arena, &case("create-thing")).unwrap();
    let shown = shown.show_json(&ShowOptions::default()).unwrap();
    let told: Vec<_> = shown.incomplete.iter().map(|it| (it.what, it.place.as_str())).collect();
    assert_eq!(
        told,
        [("values", "registry.terraform.io/test/stub"), ("configuration", "tfconfig")]
    );
    let why = &shown.incomplete[0].why;
    assert!(why.starts_with("no schema for stub_thing; "), "{why}");
    assert!(why.contains("texts that may be numbers"), "{why}");
    assert!(why.contains("first in stub_thing.a"), "{why}");
    let json = String::from_utf8(shown.json).unwrap();
    // Text stays text, numbers that are numbers in the file stay numbers.
    assert!(
        json.contains(r#""ratio":"0.1""#) && json.contains(r#""number_map":{"x":"0.3","y":1}"#)
    );
    // Built-in types need no schema.
    let shown = open(&arena, &case("data-dynamic")).unwrap();
    let shown = shown.show_json(&ShowOptions::default()).unwrap();
    assert_eq!(shown.incomplete.len(), 1, "{:?}", shown.incomplete);
}

/// The schemas of a provider as OpenTofu keeps them in a plan file.
fn tfschemas() -> Vec<u8> {
    fn object(value: &serde_json::Value) -> Vec<(&String, &serde_json::Value)> {
        value.as_object().into_iter().flatten().collect()
    }
    fn nesting(value: &serde_json::Value) -> Vec<u8> {
        let modes = ["", "single", "group", "list", "set", "map"];
        let mode = value["nesting_mode"].as_str().unwrap();
        number(3, modes.iter().position(|known| *known == mode).unwrap() as u64)
    }
    fn attribute(name: &str, value: &serde_json::Value) -> Vec<u8> {
        let mut out = message(&[(1, name.as_bytes())]);
        if value.get("nested_type").is_some() {
            let nested = &value["nested_type"];
            let mut content = attributes(nested);
            let mode = nesting(nested);
            content.extend([2 << 3, mode[1]]);
            out.extend(message(&[(3, &content)]));
        } else {
            out.extend(message(&[(2, value["type"].to_string().as_bytes())]));
        }
        for (place, flag) in ["required", "optional", "computed", "sensitive"].iter().enumerate() {
            out.extend(number(4 + place as u32, u64::from(value[flag] == true)));
        }
        out
    }
    fn attributes(value: &serde_json::Value) -> Vec<u8> {
        let all = object(&value["attributes"]);
        all.iter().flat_map(|(name, value)| message(&[(1, &attribute(name, value))])).collect()
    }
    fn block(value: &serde_json::Value) -> Vec<u8> {
        let mut out = attributes(value);
        for (name, value) in object(&value["block_types"]) {
            let mut content = message(&[(1, name.as_bytes()), (2, &block(&value["block"]))]);
            content.extend(nesting(value));
            out.extend(message(&[(2, &content)]));
        }
        out
    }
    fn schema(value: &serde_json::Value) -> Vec<u8> {
        let version = value["version"].as_u64().unwrap_or_default();
        [number(1, version), message(&[(2, &block(&value["block"]))])].concat()
    }
    let text = fs::read_to_string(folder().join("schemas.json")).unwrap();
    let root: serde_json::Value = serde_json::from_str(&text).unwrap();
    let provider = &root["provider_schemas"]["registry.terraform.io/test/stub"];
    let mut content = message(&[(1, &schema(&provider["provider"]))]);
    for (number, kind) in [(2, "resource_schemas"), (3, "data_source_schemas")] {
        for (name, value) in object(&provider[kind]) {
            let value = message(&[(1, &schema(value))]);
            content.extend(message(&[(number, &message(&[(1, name.as_bytes()), (2, &value)]))]));
        }
    }
    message(&[(1, &message(&[(1, b"registry.terraform.io/test/stub"), (2, &content)]))])
}

#[test]
fn schemas_in_the_file_are_as_good_as_others() {
    for name in ["marked-thing", "lookup-later", "drift-used", "data-dynamic"] {
        let bytes = case(name);
        let arena = Arena::new();
        let schemas = schemas(&arena);
        let options = ShowOptions::default().with_schemas(Some(&schemas));
        let given = open(&arena, &bytes).unwrap().show_json(&options).unwrap();
        let with_schemas = with_entry(&bytes, "tfschemas", &tfschemas());
        let file = open(&arena, &with_schemas).unwrap();
        assert_eq!(file.tool(), Tool::OpenTofu);
        let embedded = file.show_json(&ShowOptions::default()).unwrap();
        assert_eq!(embedded.incomplete.len(), 1, "{:?}", embedded.incomplete);
        let given = String::from_utf8(given.json).unwrap();
        let given = given.replace("\"applyable\":true,\"complete\":true,", "");
        assert_eq!(String::from_utf8(embedded.json).unwrap(), given, "{name}");
    }
    // In sets, OpenTofu marks the elements.
    let bytes = with_entry(&case("replace-thing"), "tfschemas", &tfschemas());
    let json = shown(&bytes).unwrap();
    let (_, changes) = json.split_once("\"after_sensitive\":").unwrap();
    assert!(changes.contains(r#""hidden":[{"token":true}]"#), "{changes}");
}

#[test]
fn addresses_of_old_tools_are_put_together() {
    let change = |fields: &[u8]| {
        let content = [number(1, 5), message(&[(2, &message(&[(1, b"\xc0")]))])].concat();
        let change = [fields, &message(&[(8, b"provider.aws"), (9, &content)])[..]].concat();
        let hashes = message(&[(1, b"aws"), (2, &message(&[(1, b"\x01\x02\x03")]))]);
        let plan = message(&[(3, &change), (14, b"0.14.11"), (15, &hashes)]);
        let bytes = archive(&[("tfplan".to_owned(), [number(1, 3), plan].concat())]);
        let arena = Arena::new();
        let file = open(&arena, &bytes).unwrap();
        let first = file.changes().next();
        let first = first.map(|change| change.unwrap().address().to_owned());
        assert_eq!(file.count_by_action().unwrap().len(), usize::from(first.is_some()));
        let json = shown(&bytes).unwrap();
        assert!(json.starts_with(r#"{"format_version":"0.2","terraform_version":"0.14.11""#));
        first
    };
    let named = |mode| [number(2, mode), message(&[(3, b"a"), (4, b"b")])].concat();
    let module = message(&[(1, b"module.m[0]")]);
    assert_eq!(change(&named(0)).as_deref(), Some("a.b"));
    assert_eq!(change(&named(1)), None);
    let with_key = [&module[..], &named(0), &message(&[(5, b"k\"")])].concat();
    assert_eq!(change(&with_key).as_deref(), Some(r#"module.m[0].a.b["k\""]"#));
    let with_number = [&module[..], &named(0), &number(6, 7)].concat();
    assert_eq!(change(&with_number).as_deref(), Some("module.m[0].a.b[7]"));
}

#[test]
fn every_truncation_is_an_error() {
    for name in ["create-thing", "tree-keep"] {
        let bytes = case(name);
        for len in 0..bytes.len() {
            let result = open(&Arena::new(), &bytes[..len]).map(|_| ());
            assert!(result.is_err(), "{name}: {len} of {} bytes", bytes.len());
        }
    }
}

#[test]
fn damaged_messages_never_panic() {
    for name in ["create-thing", "marked-thing", "checks-keep", "outputs-change"] {
        let bytes = case(name);
        let entries = entries(&bytes);
        let (_, plan) = entries.iter().find(|(name, _)| name == "tfplan").unwrap();
        let mut seed = 0x2545_F491_4F6C_DD1D_u64;
        for _ in 0..sized([50, 300, 10_000]) {
            let mut damaged = plan.clone();
            for _ in 0..3 {
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                let place = seed as usize % damaged.len();
                damaged[place] = (seed >> 32) as u8;
            }
            let _ = shown(&with_entry(&bytes, "tfplan", &damaged));
        }
        for len in (0..plan.len()).step_by(sized([47, 7, 1])) {
            let _ = shown(&with_entry(&bytes, "tfplan", &plan[..len]));
        }
    }
}

#[test]
fn damaged_parts_are_named() {
    let bytes = case("create-thing");
    let why = |bytes: &[u8]| shown(bytes).unwrap_err().to_string();
    assert_eq!(why(b"tfplan\x01"), "it was written by Terraform 0.11 or an older version");
    let no_plan = archive(&[("x".to_owned(), Vec::new())]);
    assert_eq!(why(&no_plan), "it is a zip archive, but not a plan file: tfplan is missing");
    let version = with_entry(&bytes, "tfplan", &number(1, 4));
    assert_eq!(why(&version), "it has version 4 of the plan format, not 3");
    for part in ["tfplan", "tfstate", "tfschemas"] {
        let text = why(&with_entry(&bytes, part, b"{\x0F"));
        assert!(text.starts_with(&format!("{part} is damaged: ")), "{text}");
    }
    let arena = Arena::new();
    for manifest in [&b"{}"[..], b"[1]", b"[{\"Key\": \"\"}, {\"Key\": \"\"}]", b"[", b"[]"] {
        let bytes = with_entry(&bytes, "tfconfig/modules.json", manifest);
        assert!(open(&arena, &bytes).unwrap().modules().is_err());
    }
    for address in ["", "a b", "module.x", "a.b["] {
        let text = why(&file_of(address, b"\xc0"));
        assert!(text.starts_with("tfplan is damaged: "), "{text}");
    }
}

#[test]
fn values_without_a_schema() {
    let value = |value: &[u8]| {
        let json = shown(&file_of("a.b", value))?;
        let (_, after) = json.split_once("\"before\":null,\"after").unwrap();
        let (after, _) = after.split_once(",\"before_sensitive\"").unwrap();
        Ok::<_, PlanFileError>(after.to_owned())
    };
    let good: [(&[u8], &str); 10] = [
        (b"\xc0", r#"":null,"after_unknown":{}"#),
        (b"\x81\xa1a\xcc\xff", r#"":{"a":255},"after_unknown":{}"#),
        (b"\x81\xa1a\xd3\x80\0\0\0\0\0\0\0", r#"":{"a":-9223372036854775808},"after_unknown":{}"#),
        (
            b"\x81\xa1a\xcf\xff\xff\xff\xff\xff\xff\xff\xff",
            r#"":{"a":18446744073709551615},"after_unknown":{}"#,
        ),
        (b"\x81\xa1a\xcb\x7f\xf0\0\0\0\0\0\0", r#"":{"a":null},"after_unknown":{}"#),
        (b"\x81\xa1a\xd4\0\0", r#"":{},"after_unknown":{"a":true}"#),
        (
            b"\x82\xa1a\x92\xc0\xc7\x03\x0c\x81\x01\xc2\xa1b\x80",
            r#"":{"a":[null,null],"b":{}},"after_unknown":{"a":[false,true],"b":{}}"#,
        ),
        (b"\x81\xa1a\x92\xc4\x08\"number\"\xa30.1", r#"":{"a":0.1},"after_unknown":{}"#),
        (b"\x81\xa1a\x92\xc4\x08\"string\"\xa30.1", r#"":{"a":"0.1"},"after_unknown":{}"#),
        (b"\xd4\0\0", r#"_unknown":true"#),
    ];
    for (bytes, expected) in good {
        assert_eq!(value(bytes).as_deref(), Ok(expected), "{bytes:x?}");
    }
    let damaged: [&[u8]; 12] = [
        b"\x81",
        b"\xc1",
        b"\x81\xa1a",
        b"\x81\x01\x01",
        b"\xc0\xc0",
        b"\xdd\xff\xff\xff\xff\xc0",
        b"\xdf\xff\xff\xff\xff",
        b"\xdb\xff\xff\xff\xffx",
        b"\xc9\xff\xff\xff\xff\0",
        b"\xa1\xff",
        b"\x92\xc4\x03xyz\xc0",
        b"\x92\xc6\xff\xff\xff\xff\"",
    ];
    for bytes in damaged {
        assert!(value(bytes).is_err(), "{bytes:x?}");
    }
}

#[test]
fn depth_is_harmless() {
    let deep = |start: &[u8], count: usize| {
        let mut value = start.repeat(count);
        value.push(0xc0);
        file_of("a.b", &value)
    };
    // Arrays, objects, and types of values in values.
    for start in [&b"\x91"[..], b"\x81\xa1a", b"\x92\xc4\x09\"dynamic\""] {
        let arena = Arena::new();
        let bytes = deep(start, 100_000);
        assert!(open(&arena, &bytes).unwrap().show_json(&ShowOptions::default()).is_ok());
    }
    let nested = format!("{}\"string\"{}", "[\"list\",".repeat(100_000), "]".repeat(100_000));
    let mut value = b"\x92\xc6".to_vec();
    value.extend((nested.len() as u32).to_be_bytes());
    value.extend(nested.as_bytes());
    value.push(0xc0);
    assert!(shown(&file_of("a.b", &value)).is_err());
    // Blocks in blocks of schemas.
    let mut block = Vec::new();
    for _ in 0..1000 {
        block = message(&[(2, &message(&[(1, b"b"), (2, &block)]))]);
    }
    let types = message(&[(1, b"t"), (2, &message(&[(1, &message(&[(2, &block)]))]))]);
    let schemas = message(&[(1, &message(&[(1, b"p"), (2, &message(&[(2, &types)]))]))]);
    let bytes = with_entry(&case("create-thing"), "tfschemas", &schemas);
    let error = shown(&bytes).unwrap_err().to_string();
    assert_eq!(error, "tfschemas is damaged: a schema is nested too deep");
}

#[test]
fn bombs_are_refused() {
    let bomb = archive(&[("tfplan".to_owned(), vec![0; 1 << 22])]);
    assert!(bomb.len() < 1 << 14);
    let arena = Arena::new();
    let open = |max_bytes| {
        let source = Source::copy_from(&arena, "plan.bin", &bomb).unwrap();
        PlanFile::open_with(&arena, source, max_bytes, &ParseOptions::default()).map(|_| ())
    };
    let max_bytes = (1 << 22) - 1;
    assert_eq!(open(max_bytes), Err(PlanFileError::TooLarge { part: "zip".into(), max_bytes }));
    assert!(matches!(open(1 << 22), Err(PlanFileError::Damaged { .. })));
    assert!(arena_bytes(arena) < 16 << 20);
    // An archive whose central directory, at its end, has wrong sizes.
    let small = archive(&[("tfplan".to_owned(), b"abc".to_vec())]);
    let place = small.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").unwrap();
    for size in [4_u32, 1 << 20, 1 << 29, u32::MAX - 1] {
        let mut claimed = small.clone();
        claimed[place + 24..place + 28].copy_from_slice(&size.to_le_bytes());
        let arena = Arena::new();
        let source = Source::copy_from(&arena, "plan.bin", &claimed).unwrap();
        assert!(PlanFile::open(&arena, source).is_err(), "{size}");
        assert!(arena_bytes(arena) < 4 << 20, "{size}");
    }
}

/// The tools number the fields of an import differently.
#[test]
fn identities_of_imports_are_read() {
    let identity = message(&[(1, b"\x81\xa4name\xa3imp")]);
    let importing = |fields: &[u8]| {
        let change =
            [number(1, 1), message(&[(2, &message(&[(1, b"\xc0")])), (5, fields)])].concat();
        let provider = br#"provider["registry.opentofu.org/test/other"].by["eu"]"#;
        let change = message(&[(8, provider), (9, &change), (13, b"a.b")]);
        let plan = [number(1, 3), message(&[(3, &change), (14, b"1.13.0")])].concat();
        shown(&archive(&[("tfplan".to_owned(), plan)])).unwrap()
    };
    for (fields, expected) in [
        (message(&[(2, &identity)]), r#""importing":{"identity":{"name":"imp"}}"#),
        (message(&[(3, &identity)]), r#""importing":{"identity":{"name":"imp"}}"#),
        (number(2, 1), r#""importing":{"unknown":true}"#),
        (message(&[(1, b"i-1")]), r#""importing":{"id":"i-1"}"#),
    ] {
        let shown = importing(&fields);
        assert!(shown.contains(expected), "{shown}");
        assert!(shown.contains(r#""provider_name":"registry.opentofu.org/test/other""#), "{shown}");
    }
}

/// The limit holds for all parts together.
#[test]
fn many_large_parts_are_refused() {
    let part = |number: usize| (format!("tfconfig/m-/f{number:02}.tf"), vec![b' '; 1 << 20]);
    let plan = ("tfplan".to_owned(), plan_of("a.b", b"\xc0"));
    let bomb = archive(&(0..30).map(part).chain([plan]).collect::<Vec<_>>());
    for (max_bytes, is_open) in [(31 << 20, true), (30 << 20, false), (1 << 20, false)] {
        let arena = Arena::new();
        let source = Source::copy_from(&arena, "plan.bin", &bomb).unwrap();
        let opened = PlanFile::open_with(&arena, source, max_bytes, &ParseOptions::default());
        let expected = PlanFileError::TooLarge { part: "zip".into(), max_bytes };
        assert_eq!(opened.map(|_| ()).err(), Some(expected).filter(|_| !is_open));
    }
}

/// Entries of the central directory that name the same bytes.
#[test]
fn entries_that_share_bytes_are_refused() {
    let content = vec![b' '; 1 << 20];
    let plan = ("tfplan".to_owned(), plan_of("a.b", b"\xc0"));
    let bytes = archive(&[plan, ("tfconfig/m-/f00.tf".to_owned(), content)]);
    let end = bytes.windows(4).rposition(|it| it == b"PK\x05\x06").unwrap();
    let last = bytes.windows(4).rposition(|it| it == b"PK\x01\x02").unwrap();
    let start = bytes.windows(4).position(|it| it == b"PK\x01\x02").unwrap();
    for copies in [1_u16, 100] {
        let mut bomb = bytes[..end].to_vec();
        for copy in 1..=copies {
            let mut entry = bytes[last..end].to_vec();
            let name = entry.windows(2).position(|it| it == b"00").unwrap();
            entry[name..name + 2]
                .copy_from_slice(format!("{copy:02}").as_bytes().last_chunk().unwrap_or(b"99"));
            bomb.extend(entry);
        }
        let len = u32::try_from(bomb.len() - start).unwrap();
        bomb.extend(&bytes[end..]);
        let end = bomb.len() - 22;
        for at in [8, 10] {
            bomb[end + at..end + at + 2].copy_from_slice(&(2 + copies).to_le_bytes());
        }
        bomb[end + 12..end + 16].copy_from_slice(&len.to_le_bytes());
        let arena = Arena::new();
        let source = Source::copy_from(&arena, "plan.bin", &bomb).unwrap();
        let error = PlanFile::open(&arena, source).map(|_| ()).unwrap_err();
        assert_eq!(error.to_string(), "zip is damaged: two of its entries share bytes");
        assert!(arena_bytes(arena) < 8 << 20);
    }
}

fn arena_bytes(mut arena: Arena) -> usize {
    arena.allocated_bytes()
}
