//! Rows of plans and states: their schemas and types are those of the library, and every way to read a
//! document prints the same.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use serde_json::{Value, json};
use simd_hcl::show::rows::{
    Action, Attribute, Change, Check, CheckInstance, Column, ColumnType, Deferred, Instance, Leaf,
    Output as StateOutput, OutputChange, Row, Variable,
};

use simd_hcl_corpus::sized;

use crate::tool::{gzip, simd_hcl, status, stderr, stdout, tree};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn columns<'a, R: Row<'a>>() -> &'static [Column] {
    R::COLUMNS
}

/// The schema of a member that has what a column has.
fn schema_of(column: &Column) -> Value {
    let is_optional = column.is_optional;
    let nullable = |name: &str| if is_optional { json!(name) } else { json!([name, "null"]) };
    let mut schema = json!({"description": column.doc});
    let of_type = match column.kind {
        ColumnType::Text => json!({"type": nullable("string")}),
        ColumnType::Number => json!({"type": nullable("integer"), "minimum": 0}),
        ColumnType::Flag if is_optional => json!({"const": true}),
        ColumnType::Flag => json!({"type": "boolean"}),
        ColumnType::Texts => json!({"type": "array", "items": {"type": "string"}}),
        ColumnType::Key => json!({"type": ["string", "number"]}),
        _ => json!({}),
    };
    for (name, value) in of_type.as_object().unwrap() {
        schema[name] = value.clone();
    }
    schema
}

#[test]
fn schemas_are_those_of_the_columns() {
    let plan = [
        ("/$defs/change", columns::<Change<'_>>()),
        ("/$defs/leaf", columns::<Leaf<'_, '_>>()),
        ("/$defs/action_invocation", columns::<Action<'_>>()),
        ("/properties/outputs/items", columns::<OutputChange<'_>>()),
        ("/properties/variables/items", columns::<Variable<'_>>()),
        ("/properties/checks/properties/objects/items", columns::<Check<'_>>()),
        (
            "/properties/checks/properties/objects/items/properties/instances/items",
            columns::<CheckInstance<'_>>(),
        ),
        ("/properties/deferred/items/anyOf/0", columns::<Deferred<'_>>()),
        ("/properties/deferred/items/anyOf/1", columns::<Deferred<'_>>()),
    ];
    let state = [
        ("/$defs/resource", columns::<Instance<'_>>()),
        ("/$defs/value", columns::<Attribute<'_, '_>>()),
        ("/properties/outputs/items", columns::<StateOutput<'_>>()),
    ];
    for (name, parts) in [("plan.json", &plan[..]), ("state.json", &state[..])] {
        let text = fs::read(root().join("docs/schemas").join(name)).unwrap();
        let schema: Value = serde_json::from_slice(&text).unwrap();
        for (pointer, columns) in parts {
            let object = schema.pointer(pointer).unwrap_or_else(|| panic!("{name}: {pointer}"));
            let members = object["properties"].as_object().unwrap();
            let required = object["required"].as_array().unwrap();
            let mut count = 0;
            for (member, found) in members {
                let Some(column) = columns.iter().find(|column| column.name == member) else {
                    continue;
                };
                count += 1;
                assert_eq!(*found, schema_of(column), "{name}: {pointer}/{member}");
                let is_required = required.iter().any(|name| name == member);
                assert_eq!(is_required, !column.is_optional, "{name}: {pointer}/{member}");
            }
            assert!(count > 0, "{name}: {pointer}");
        }
    }
}

/// The text of a definition, up to the next one.
fn definition<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let from = text.find(start).unwrap_or_else(|| panic!("{start}"));
    let rest = &text[from + start.len()..];
    &rest[..rest.find(end).unwrap_or(rest.len())]
}

#[test]
fn types_of_packages_have_all_columns() {
    let python = root().join("python/python/simd_hcl");
    let stub = fs::read_dir(python).unwrap().map(|entry| entry.unwrap().path());
    let stub = stub.filter(|path| path.extension().is_some_and(|it| it == "pyi"));
    let stub: String = stub.map(|path| fs::read_to_string(path).unwrap()).collect();
    let script = fs::read_to_string(root().join("wasm/js/index.d.ts")).unwrap();
    for (class, columns) in [
        ("ResourceChange", columns::<Change<'_>>()),
        ("Difference", columns::<Leaf<'_, '_>>()),
        ("OutputChange", columns::<OutputChange<'_>>()),
        ("StateResource", columns::<Instance<'_>>()),
    ] {
        let python = definition(&stub, &format!("class {class}:"), "\nclass ");
        let script = definition(&script, &format!("export interface {class} {{"), "\n}\n");
        for column in columns {
            let name = column.name;
            assert!(python.contains(&format!("def {name}(self)")), "Python: {class}.{name}");
            let has = |mark: &str| script.contains(&format!("\n  {name}{mark}: "));
            // Flags are never left out.
            let is_left_out = column.is_optional && column.kind != ColumnType::Flag;
            assert!(has(if is_left_out { "?" } else { "" }), "JavaScript: {class}.{name}");
        }
    }
}

/// A way to read a document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Way {
    Whole,
    Stream,
    Compressed,
    Pipe,
    /// A pipe that has one byte at a time.
    Bytes,
}

pub(crate) fn read(directory: &Path, command: &[&str], name: &str, way: Way) -> Output {
    let packed = format!("{name}.gz");
    let (file, flags): (&str, &[&str]) = match way {
        Way::Whole => (name, &[]),
        Way::Stream => (name, &["--stream-from", "1"]),
        Way::Compressed => (&packed, &[]),
        Way::Pipe => ("-", &["--stream-from", "1"]),
        Way::Bytes => ("-", &[]),
    };
    let named: &[&str] = if file == "-" { &["--stdin-name", name] } else { &[] };
    let arguments = [command, &[file], flags, named].concat();
    let mut command = simd_hcl(&arguments);
    command.current_dir(directory).stdout(Stdio::piped()).stderr(Stdio::piped());
    match way {
        Way::Bytes => {
            let text = fs::read(directory.join(name)).unwrap();
            let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
            let mut input = child.stdin.take().unwrap();
            let feeder = std::thread::spawn(move || {
                // The program may have said what is wrong with the input before its end.
                text.chunks(1).try_for_each(|byte| input.write_all(byte)).ok();
            });
            let output = child.wait_with_output().unwrap();
            feeder.join().unwrap();
            output
        }
        Way::Pipe => {
            let file = fs::File::open(directory.join(name)).unwrap();
            command.stdin(file).output().unwrap()
        }
        _ => command.stdin(Stdio::null()).output().unwrap(),
    }
}

/// The lines of standard error: a stream reports what is outside of its records at the end.
pub(crate) fn said(output: &Output, name: &str) -> Vec<String> {
    let text = stderr(output).replace(&format!("{name}.gz"), name);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

/// The commands on a document: those of its kind in all formats, and one of another kind.
pub(crate) fn commands(name: &str) -> Vec<Vec<&'static str>> {
    let (own, other) = match name.starts_with("plan") {
        true => ("plan", "state"),
        false => ("state", "plan"),
    };
    let mut commands = vec![vec!["redact"], vec![other]];
    for format in ["human", "ndjson", "csv"] {
        commands.push(vec![own, "--format", format]);
        commands.push(vec![own, "--format", format, "--values"]);
    }
    commands
}

/// Asserts that all ways to read a document print the same.
fn agree(directory: &Path, name: &str, ways: &[Way], commands: &[Vec<&str>]) {
    for command in commands {
        let whole = read(directory, command, name, Way::Whole);
        for way in ways {
            let other = read(directory, command, name, *way);
            let at = format!("{command:?} {name} {way:?}");
            assert_eq!(stdout(&other), stdout(&whole), "{at}");
            assert_eq!(status(&other), status(&whole), "{at}: {}", stderr(&other));
            assert_eq!(said(&other, name), said(&whole, name), "{at}");
        }
    }
}

/// The documents of folders of the corpus, in a folder of their own, with compressed copies.
pub(crate) fn copies(folders: &[&str]) -> (tempfile::TempDir, Vec<String>) {
    let copies = tree(&[]);
    let mut names = Vec::new();
    for folder in folders {
        for entry in fs::read_dir(root().join("corpus").join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let is_document = ["plan", "state", "tfstate"].iter().any(|it| name.starts_with(it));
            if is_document && name.ends_with(".json") {
                add(copies.path(), &name, &fs::read(&path).unwrap());
                names.push(name);
            }
        }
    }
    names.sort();
    (copies, names)
}

pub(crate) fn add(directory: &Path, name: &str, text: &[u8]) {
    fs::write(directory.join(name), text).unwrap();
    fs::write(directory.join(format!("{name}.gz")), gzip(text)).unwrap();
}

#[test]
fn documents_of_the_corpus_are_read_alike() {
    let (folder, names) = copies(&["show", "secrets"]);
    assert!(names.len() > 10, "{names:?}");
    for name in names {
        agree(folder.path(), &name, &[Way::Stream, Way::Compressed, Way::Pipe], &commands(&name));
    }
}

/// Documents with one thing wrong, and documents in another order than the tools write.
fn odd_documents() -> Vec<(String, String)> {
    let change = |address: &str, more: &str| {
        format!(
            r#"{{"address":"{address}","mode":"managed","type":"t","name":"x","provider_name":"p"{more},
            "change":{{"actions":["create"],"before":null,"after":{{"a":1}},"after_unknown":{{}}}}}}"#
        )
    };
    let good = change("t.x", "");
    let plan = |head: &str, changes: &str, tail: &str| {
        format!("{{{head}\n  \"resource_changes\": [{changes}]{tail}}}")
    };
    let version = r#""format_version": "1.2","#;
    let resource = |address: &str| {
        format!(
            r#"{{"address":"{address}","mode":"managed","type":"t","name":"x","provider_name":"p","schema_version":0,"values":{{"a":1}}}}"#
        )
    };
    let state =
        |root: &str| format!(r#"{{"format_version":"1.0","values":{{"root_module":{{{root}}}}}}}"#);
    let child = format!(r#"{{"resources":[{}],"address":"module.m"}}"#, resource("module.m.t.x"));
    let own = format!(r#""resources":[{}]"#, resource("t.x"));
    let file = |more: &str, instances: &str| {
        format!(
            r#"{{"version":4{more},"resources":[{{"mode":"managed","type":"t","name":"x","provider":"provider.null.west","instances":[{instances}]}}]}}"#
        )
    };
    [
        ("plan-ok", plan(version, &good, "")),
        ("plan-major", plan(r#""format_version": "2.0","#, &good, "")),
        ("plan-major-at-end", plan("", &good, r#", "format_version": "2.0""#)),
        ("plan-null-version", plan(r#""format_version": null,"#, &good, "")),
        ("plan-number-version", plan(r#""format_version": 1,"#, &good, "")),
        ("plan-no-version", plan("", &good, "")),
        ("plan-prior", plan(version, &good, r#", "prior_state": {"format_version": "2.0"}"#)),
        ("plan-duplicate", plan(version, &good, &format!(r#", "resource_changes": [{good}]"#))),
        ("plan-entries", plan(version, &format!("{good},3,null,[{good}]"), "")),
        ("plan-type", plan(version, &change("t.x", r#","type":[1]"#), "")),
        ("plan-index", plan(version, &format!("{good},{}", change("t.y", r#","index":[1]"#)), "")),
        ("plan-root", plan(version, &good, r#", "timestamp": 3, "checks": [1]"#)),
        ("plan-object", plan(version, &good, r#", "resource_drift": {}"#)),
        ("plan-cut", plan(version, &good, "").replace("]}", "")),
        ("plan-text-after", plan(version, &good, "") + "\ntext"),
        ("state-ok", state(&format!(r#"{own},"child_modules":[{child}]"#))),
        ("state-sorted", state(&format!(r#""child_modules":[{child}],{own}"#))),
        ("state-object", state(&format!(r#"{own},"child_modules":{{"m":{child}}}"#))),
        ("state-entries", state(r#""resources":[1,null]"#)),
        ("state-major", state(&own).replace("1.0", "2.0")),
        ("tfstate-ok", file(r#","serial":1,"lineage":"l""#, r#"{"attributes":{"a":1}}"#)),
        ("tfstate-no-serial", file("", r#"{"attributes":{"a":1}}"#)),
        ("tfstate-entries", file(r#","serial":1"#, r#"3,{"schema_version":"x"}"#)),
        ("tfstate-serial", file(r#","serial":"x""#, r#"{"attributes":{"a":1}}"#)),
    ]
    .map(|(name, text)| (format!("{name}.json"), text))
    .to_vec()
}

#[test]
fn odd_documents_are_read_alike() {
    let folder = tree(&[]);
    for (name, text) in odd_documents() {
        add(folder.path(), &name, text.as_bytes());
        agree(folder.path(), &name, &[Way::Stream, Way::Pipe], &commands(&name));
    }
}

#[test]
fn pipes_with_one_byte_at_a_time_are_read_alike() {
    let folder = tree(&[]);
    for (name, text) in odd_documents() {
        add(folder.path(), &name, text.as_bytes());
        agree(folder.path(), &name, &[Way::Bytes], &commands(&name)[..4]);
    }
}

/// Every document and every plan file of `SIMD_HCL_DATA`, which is unpacked for it.
#[test]
fn documents_of_real_tools_are_read_alike() {
    let Some(data) = std::env::var_os("SIMD_HCL_DATA") else {
        println!("skipped: SIMD_HCL_DATA is not set");
        return;
    };
    let packed = Path::new(&data).join("tofu-plans/cases.tar.gz");
    if !packed.exists() {
        println!("skipped: {} does not exist", packed.display());
        return;
    }
    let folder = tree(&[]);
    let unpacked = std::process::Command::new("tar")
        .args(["-xzf".as_ref(), packed.as_os_str(), "-C".as_ref(), folder.path().as_os_str()])
        .status();
    assert!(unpacked.unwrap().success());
    let cases = fs::read_dir(folder.path().join("cases")).unwrap();
    let mut cases: Vec<PathBuf> = cases.map(|case| case.unwrap().path()).collect();
    cases.sort();
    let step = sized([9, 1, 1]);
    for case in cases.into_iter().step_by(step) {
        for name in ["plan.json", "state.json", "state.tfstate", "after.tfstate"] {
            let Ok(text) = fs::read(case.join(name)) else { continue };
            add(&case, name, &text);
            agree(&case, name, &[Way::Stream, Way::Pipe], &commands(name)[5..]);
        }
        // A plan file has the same changes as the plan that the tool prints of it.
        let schemas = ["--provider-schemas", "schemas.json"];
        let changes = |name: &str| {
            let command = [&["plan", "--format", "ndjson"][..], &schemas].concat();
            let output = read(&case, &command, name, Way::Whole);
            let lines = stdout(&output);
            let lines = lines.lines().filter(|line| !line.starts_with(r#"{"incomplete""#));
            (lines.map(str::to_owned).collect::<Vec<_>>(), status(&output))
        };
        if fs::read(case.join("plan.tfplan")).is_ok_and(|text| text.starts_with(b"PK")) {
            assert_eq!(changes("plan.tfplan"), changes("plan.json"), "{}", case.display());
        }
    }
}

#[test]
fn the_command_line_prints_the_rows_of_the_library() {
    let corpus = root().join("corpus");
    let text = fs::read(corpus.join("show/expected/rows.json")).unwrap();
    let all: Value = serde_json::from_slice(&text).unwrap();
    let mut compared = 0;
    for (name, document) in all.as_object().unwrap() {
        for (list, command, member) in
            [("changes", "plan", "changes"), ("resources", "state", "resources")]
        {
            let Some(rows) = document.get(list).and_then(Value::as_array) else { continue };
            let output =
                simd_hcl(&[command, name, "--format", "json"]).current_dir(&corpus).output();
            let Ok(answer) = serde_json::from_slice::<Value>(&output.unwrap().stdout) else {
                continue;
            };
            let printed = answer[member].as_array().unwrap();
            assert_eq!(printed.len(), rows.len(), "{name}");
            for (printed, row) in printed.iter().zip(rows) {
                for (member, value) in printed.as_object().unwrap() {
                    if let Some(cell) = row.get(member) {
                        compared += 1;
                        assert_eq!(value, cell, "{name}: {member}");
                    }
                }
            }
        }
    }
    assert!(compared > 100, "{compared}");
}
