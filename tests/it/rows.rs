//! Rows of plans and states: `corpus/show/expected/rows.json` has those of every document of `corpus/show` and
//! `corpus/secrets`. The tests of the command line and of the packages compare theirs with it.
//!
//! `SIMD_HCL_BLESS=1` writes the file: review the diff.

use std::fs;
use std::path::{Path, PathBuf};

use simd_hcl::show::redact::{Large, Row as LargeRow, RowKind};
use simd_hcl::show::rows::{Cell, Change, ChangeKind, Column, Instance, Row};
use simd_hcl::show::{
    DocumentKind, Plan, RawResource, RawState, Read as _, Resource, ResourceChange, Shown, State,
    document, redact,
};
use simd_hcl::write::{ArrayWriter, Layout, ObjectWriter, Writer};
use simd_hcl::{Arena, Document, ParseOptions, Source};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// The documents of a folder, by name.
fn documents() -> Vec<String> {
    let mut names = Vec::new();
    for folder in ["show", "secrets"] {
        for entry in fs::read_dir(corpus().join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".json") {
                names.push(format!("{folder}/{name}"));
            }
        }
    }
    names.sort();
    names
}

/// Writes all columns: what is hidden is the text that stands for it, what is not there null.
fn write_row<'a, R: Row<'a>>(row: R, shown: &Shown, object: &mut ObjectWriter<'_, '_>) {
    for column in R::COLUMNS {
        let slot = object.key(column.name);
        match row.cell(column.name, shown) {
            Cell::Hidden => slot.string(redact::REDACTED.trim_matches('"')),
            cell => cell.write(slot),
        }
    }
}

fn write_rows<'a, R: Row<'a>>(
    rows: impl Iterator<Item = R>,
    shown: &Shown,
    mut list: ArrayWriter<'_, '_>,
) {
    rows.for_each(|row| write_row(row, shown, &mut list.element().object()));
}

fn write_plan(plan: Plan<'_>, shown: &Shown, object: &mut ObjectWriter<'_, '_>) {
    let mut summary = object.key("summary").object();
    plan.summary().iter().for_each(|(name, count)| summary.key(name).unsigned(count));
    summary.end();
    for (name, drift) in [("changes", false), ("drift", true)] {
        let mut list = object.key(name).array();
        let all: Vec<_> = match drift {
            true => plan.drift_rows().collect(),
            false => plan.change_rows().collect(),
        };
        for change in all {
            let mut object = list.element().object();
            write_row(change, shown, &mut object);
            let mut leaves = object.key("differences").array();
            let Some(inner) = change.entry().change().value() else { continue };
            let mut walk = inner.differences();
            while let Some(leaf) = walk.next_row(change.node()) {
                write_row(leaf, shown, &mut leaves.element().object());
            }
        }
    }
    write_rows(plan.output_rows(), shown, object.key("outputs").array());
    write_rows(plan.variable_rows(), shown, object.key("variables").array());
    write_rows(plan.check_rows(), shown, object.key("checks").array());
    let instances = plan.check_rows().flat_map(|check| check.instances());
    write_rows(instances, shown, object.key("check_instances").array());
    write_rows(plan.action_rows(), shown, object.key("actions").array());
    write_rows(plan.deferred_rows(), shown, object.key("deferred").array());
}

fn write_instances<'a>(
    instances: impl Iterator<Item = Instance<'a>>,
    shown: &Shown,
    mut list: ArrayWriter<'_, '_>,
) {
    for instance in instances {
        let mut object = list.element().object();
        write_row(instance, shown, &mut object);
        let mut values = object.key("attributes").array();
        let mut attributes = instance.attributes();
        while let Some(attribute) = attributes.next() {
            write_row(attribute, shown, &mut values.element().object());
        }
    }
}

fn write_document(document: Document<'_>, object: &mut ObjectWriter<'_, '_>) {
    let options = redact::Options::default();
    match DocumentKind::of(document.root()) {
        DocumentKind::Plan | DocumentKind::RedactedPlan | DocumentKind::Empty => {
            let Some(plan) = Plan::of(document, &mut ()) else { return };
            write_plan(plan, &Shown::of_plan(plan, options), object);
        }
        DocumentKind::RawState | DocumentKind::OldState => {
            let Some(state) = RawState::of(document, &mut ()) else { return };
            let shown = Shown::of_raw_state(state, options, None, &mut ());
            write_instances(state.instances(), &shown, object.key("resources").array());
            write_rows(state.output_rows(), &shown, object.key("outputs").array());
        }
        DocumentKind::State | DocumentKind::RedactedState | DocumentKind::OnlyVersion => {
            let Some(state) = State::of(document, &mut ()) else { return };
            let shown = Shown::of_state(state, options);
            write_instances(state.instances(), &shown, object.key("resources").array());
            write_rows(state.output_rows(), &shown, object.key("outputs").array());
        }
        _ => {}
    }
}

#[test]
fn rows_are_those_of_the_corpus() {
    let mut found = Vec::new();
    let mut writer = Writer::new(&mut found, Layout::Pretty);
    let mut all = writer.value().object();
    for name in documents() {
        let arena = Arena::new();
        let source = Source::read(&arena, corpus().join(&name)).unwrap();
        let mut object = all.key(&name).object();
        if let Ok(document) = document(&arena, source, &ParseOptions::default(), &mut ()) {
            write_document(document, &mut object);
        }
    }
    all.end();
    writer.finish().unwrap();
    found.push(b'\n');
    let path = corpus().join("show/expected/rows.json");
    if std::env::var_os("SIMD_HCL_BLESS").is_some() {
        fs::write(&path, &found).unwrap();
        return;
    }
    let found = String::from_utf8(found).unwrap();
    // Values that only the schemas of their types mark are shown of a state file without schemas.
    let without_schemas = "\"secrets/tfstate.json\"";
    let mut parts = found.split("\n  \"").filter(|part| part.contains("S3CR3T"));
    assert!(parts.all(|part| without_schemas.ends_with(part.split(':').next().unwrap())));
    let expected = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    assert!(
        found == expected,
        "the rows differ from corpus/show/expected/rows.json: SIMD_HCL_BLESS=1"
    );
}

#[test]
fn columns_have_different_names_and_a_documentation() {
    fn check<'a, R: Row<'a>>() {
        for (place, column) in R::COLUMNS.iter().enumerate() {
            assert!(!column.doc.is_empty() && !column.doc.ends_with('.'), "{}", column.name);
            let first = R::COLUMNS.iter().position(|one| one.name == column.name);
            assert_eq!(first, Some(place), "{}", column.name);
            assert!(Column::named(R::COLUMNS, column.name).is_some());
        }
        assert!(Column::named(R::COLUMNS, "").is_none());
    }
    check::<simd_hcl::show::rows::Change<'_>>();
    check::<simd_hcl::show::rows::Leaf<'_, '_>>();
    check::<Instance<'_>>();
    check::<simd_hcl::show::rows::Attribute<'_, '_>>();
    check::<simd_hcl::show::rows::OutputChange<'_>>();
    check::<simd_hcl::show::rows::Output<'_>>();
    check::<simd_hcl::show::rows::Variable<'_>>();
    check::<simd_hcl::show::rows::Check<'_>>();
    check::<simd_hcl::show::rows::CheckInstance<'_>>();
    check::<simd_hcl::show::rows::Action<'_>>();
    check::<simd_hcl::show::rows::Deferred<'_>>();
}

/// One instance, as a printed state, a state file, an old state file and a plan have it.
#[test]
fn all_forms_of_an_instance_give_the_same_row() {
    let printed = r#"{"format_version":"1.0","values":{"root_module":{"child_modules":[{"address":"module.m","resources":[
        {"address":"module.m.null_resource.a","mode":"managed","type":"null_resource","name":"a",
         "provider_name":"registry.terraform.io/-/null","schema_version":0,"values":{"id":"1"}}]}]}}}"#;
    let stored = r#"{"version":4,"resources":[{"module":"module.m","mode":"managed","type":"null_resource","name":"a",
        "provider":"module.m.provider.null.west","instances":[{"attributes":{"id":"1"}}]}]}"#;
    let by_instance = r#"{"version":4,"serial":1,"resources":[{"module":"module.m","mode":"managed","type":"null_resource","name":"a",
        "instances":[{"provider":"provider[\"registry.terraform.io/-/null\"].by[\"eu\"]","attributes":{"id":"1"}}]}]}"#;
    let old = r#"{"version":3,"serial":1,"modules":[{"path":["root","m"],"resources":{"null_resource.a":
        {"type":"null_resource","provider":"provider.null","primary":{"id":"1","attributes":{"id":"1"}}}}}]}"#;
    let rows = [printed, stored, by_instance, old].map(|text| {
        let mut found = Vec::new();
        let mut writer = Writer::new(&mut found, Layout::Compact);
        let arena = Arena::new();
        let source = Source::from_bytes(&arena, "x", text.as_bytes()).unwrap();
        let document = Document::parse(&arena, source).unwrap();
        write_document(document, &mut writer.value().object());
        writer.finish().unwrap();
        String::from_utf8(found).unwrap()
    });
    assert!(rows[0].contains(r#""module_address":"module.m""#), "{}", rows[0]);
    rows.iter().for_each(|row| assert_eq!(*row, rows[0]));
}

/// A document with some bytes changed, left out or repeated.
fn mutated(text: &[u8], random: &mut impl FnMut(usize) -> usize) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..=random(3) {
        let at = random(text.len());
        match random(4) {
            0 => text[at] = b"0\"{}[],:ntx"[random(11)],
            1 => drop(text.drain(at..(at + random(20) + 1).min(text.len()))),
            2 => {
                let part = text[at..(at + random(60) + 1).min(text.len())].to_vec();
                let to = random(text.len());
                text.splice(to..to, part);
            }
            _ => {
                // A value of another type.
                let values = ["1", "null", "[1]", "{}", "\"s\"", "true"];
                let colon = text[at..].iter().position(|byte| *byte == b':');
                let Some(start) = colon.map(|place| at + place + 1) else { continue };
                let end = text[start..].iter().position(|byte| matches!(byte, b',' | b'}'));
                let end = end.map_or(text.len(), |place| start + place);
                text.splice(start..end, values[random(6)].bytes());
            }
        }
        if text.is_empty() {
            text.push(b'1');
        }
    }
    text
}

/// All rows of a document that is kept, opened from a depth on: those of changes, then of drift.
fn kept(text: &[u8], depth: u32) -> Option<Vec<String>> {
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "x", text).unwrap();
    let parse = ParseOptions::default().with_skeleton_depth(depth);
    let document = document(&arena, source, &parse, &mut ()).ok()?;
    let options = redact::Options::default();
    let line = |row: &mut dyn FnMut(&mut ObjectWriter<'_, '_>)| {
        simd_hcl::write::to_string(Layout::Compact, |slot| row(&mut slot.object()))
    };
    match DocumentKind::of(document.root()) {
        DocumentKind::RawState => {
            let state = RawState::of(document, &mut ())?;
            let shown = Shown::of_raw_state(state, options, None, &mut ());
            Some(state.instances().map(|row| line(&mut |it| write_row(row, &shown, it))).collect())
        }
        DocumentKind::State | DocumentKind::RedactedState | DocumentKind::OnlyVersion => {
            let state = State::of(document, &mut ())?;
            let shown = Shown::of_state(state, options);
            Some(state.instances().map(|row| line(&mut |it| write_row(row, &shown, it))).collect())
        }
        _ => {
            let plan = Plan::of(document, &mut ())?;
            let shown = Shown::of_plan(plan, options);
            let rows = plan.change_rows().chain(plan.drift_rows());
            Some(rows.map(|row| line(&mut |it| write_row(row, &shown, it))).collect())
        }
    }
}

/// The same of a document that is read as a stream; `None` if it must be kept.
fn streamed(text: &[u8]) -> Option<Vec<String>> {
    let arena = Arena::new();
    let mut input = std::io::Cursor::new(text);
    let settings = simd_hcl::stream::Options::default();
    let read = Large::read(&arena, &mut input, redact::Options::default(), settings, &mut ());
    let mut large = read.ok()?;
    let (mut first, mut drift) = (Vec::new(), Vec::new());
    let mut each = |rows: &[LargeRow<'_, '_>], shown: &Shown| {
        for row in rows {
            let write = |row: &mut dyn FnMut(&mut ObjectWriter<'_, '_>)| {
                simd_hcl::write::to_string(Layout::Compact, |slot| row(&mut slot.object()))
            };
            match row.kind() {
                RowKind::Change | RowKind::Drift => {
                    let Some(entry) = ResourceChange::read(row.node()) else { continue };
                    let is_drift = row.kind() == RowKind::Drift;
                    let kind = if is_drift { ChangeKind::Drift } else { ChangeKind::Change };
                    let change = Change::new(kind, entry);
                    let line = write(&mut |it| write_row(change, shown, it));
                    if is_drift { drift.push(line) } else { first.push(line) }
                }
                RowKind::Resource => {
                    let Some(resource) = Resource::read(row.node()) else { continue };
                    let instance = Instance::of_resource(resource);
                    first.push(write(&mut |it| write_row(instance, shown, it)));
                }
                _ => {
                    let Some(resource) = RawResource::read(row.node()) else { continue };
                    for instance in Instance::all_of_stored(resource) {
                        first.push(write(&mut |it| write_row(instance, shown, it)));
                    }
                }
            }
        }
        Ok(())
    };
    large.rows(false, &mut each).ok()?;
    first.append(&mut drift);
    Some(first)
}

#[test]
fn streams_have_the_rows_of_documents_that_are_kept() {
    let texts: Vec<(String, Vec<u8>)> = documents()
        .into_iter()
        .filter(|name| !name.contains("schemas"))
        .map(|name| (name.clone(), fs::read(corpus().join(&name)).unwrap()))
        .collect();
    let mut state: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below.max(1) as u64) as usize
    };
    let mut compared = 0;
    for round in 0..simd_hcl_corpus::sized([400, 2000, 20_000]) {
        let (name, text) = &texts[round % texts.len()];
        let text = if round < texts.len() { text.clone() } else { mutated(text, &mut random) };
        if let Some(streamed) = streamed(&text) {
            let kept = kept(&text, [0, 2, 4, u32::MAX][round % 4]);
            let shown = String::from_utf8_lossy(&text);
            assert_eq!(Some(streamed), kept, "{name}, round {round}: {shown}");
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared}");
}

/// The documentation of the format has the path of a relevant attribute as one text.
#[test]
fn paths_of_relevant_attributes_may_be_texts() {
    for (attribute, path, is_relevant) in
        [(r#""id""#, "id", true), (r#"["id"]"#, "id", true), (r#"["size"]"#, "size", false)]
    {
        let text = format!(
            r#"{{"format_version":"1.2","resource_changes":[],"resource_drift":[{{"address":"t.x","change":
            {{"actions":["update"],"before":{{"id":"a","size":1}},"after":{{"id":"b","size":1}}}}}}],
            "relevant_attributes":[{{"resource":"t.x","attribute":{attribute}}}]}}"#
        );
        let arena = Arena::new();
        let source = Source::from_bytes(&arena, "x", text.as_bytes()).unwrap();
        let document = Document::parse(&arena, source).unwrap();
        let mut found: Vec<simd_hcl::Diagnostic<'_>> = Vec::new();
        let plan = Plan::of(document, &mut found).unwrap();
        plan.check(&mut found);
        assert!(found.is_empty(), "{found:?}");
        let one = plan.relevant_attributes().value().unwrap().iter().next().unwrap();
        assert_eq!(one.path(), path);
        let drift = plan.drift().next().unwrap();
        assert_eq!(simd_hcl::show::Relevant::of(plan).has(drift), is_relevant, "{attribute}");
    }
}
