//! Configuration in UTF-16, and compressed: all commands read it, and `check` reports that the
//! tools reject it.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::tool::{feed_bytes, gzip, list, run, simd_hcl, status, stderr, stdout, tree};

const MAIN: &str = r#"{"resource": {"a_b": {"ä": {"x": "${var.v}"}}}, "variable": {"v": {}}}"#;
const SCHEMA: &str = r#"{"mode": "partial", "blocks": {"variable": {"labels": ["name"]}}}"#;

fn utf_16(text: &str) -> Vec<u8> {
    "\u{FEFF}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

/// Returns a module in UTF-16, a compressed one, one that is both, and the same files with names
/// that the tools do not read.
fn modules() -> TempDir {
    let tree = tree(&[("plain/main.tf.json", MAIN), ("schema.json", SCHEMA)]);
    for (name, bytes) in
        [("wide", utf_16(MAIN)), ("packed", gzip(MAIN.as_bytes())), ("both", gzip(&utf_16(MAIN)))]
    {
        fs::create_dir(tree.path().join(name)).unwrap();
        fs::write(tree.path().join(name).join("main.tf.json"), &bytes).unwrap();
        fs::write(tree.path().join(format!("{name}.other")), &bytes).unwrap();
    }
    tree
}

fn answer(directory: &Path, arguments: &[&str]) -> Value {
    let output = run(directory, arguments);
    serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{arguments:?}"))
}

fn codes(directory: &Path, path: &str) -> Vec<String> {
    let report = answer(directory, &["check", "--format", "json", path]);
    let all = report["diagnostics"].as_array().unwrap().iter();
    all.map(|one| format!("{} {}", one["severity"], one["code"]).replace('"', "")).collect()
}

#[test]
fn every_command_reads_it() {
    let tree = modules();
    let commands: [&[&str]; 7] = [
        &["inspect", "FILE", "--format", "json"],
        &["references", "FILE", "--format", "json"],
        &["templates", "FILE", "--format", "json"],
        &["graph", "FILE", "--format", "json"],
        &["query", "resource.*.*.x", "FILE", "--format", "json"],
        &["events", "FILE", "--format", "json"],
        &["decode", "FILE", "--schema", "schema.json", "--format", "json"],
    ];
    for command in commands {
        let of = |name: &str| {
            let path = format!("{name}/main.tf.json");
            let arguments: Vec<&str> =
                command.iter().map(|it| if *it == "FILE" { path.as_str() } else { it }).collect();
            let mut answer = answer(tree.path(), &arguments);
            // This is where rejected files are reported.
            if let Some(parsed) = answer.get_mut("parse_diagnostics") {
                assert_eq!(parsed.as_array().unwrap().is_empty(), name == "plain", "{answer}");
                answer["parse_diagnostics"].take();
            }
            answer.to_string().replace(&format!("{name}/"), "").replace(&format!("\"{name}\""), "")
        };
        let expected = of("plain");
        assert!(expected.len() > 40, "{expected}");
        for name in ["wide", "packed", "both"] {
            assert_eq!(of(name), expected.replace("plain", name), "{command:?}");
        }
    }
    let of = |name: &str| answer(tree.path(), &["config", name]);
    assert_eq!(of("both"), of("plain"));
}

#[test]
fn check_says_what_the_tools_refuse() {
    let tree = modules();
    assert!(codes(tree.path(), "plain").is_empty());
    assert_eq!(codes(tree.path(), "wide"), ["error not-utf8-encoding"]);
    assert_eq!(codes(tree.path(), "packed"), ["error compressed-file"]);
    let both = ["error compressed-file", "error not-utf8-encoding"];
    assert_eq!(codes(tree.path(), "both"), both);
    // Files with names that the tools do not read are not rejected.
    assert_eq!(codes(tree.path(), "wide.other"), ["warning converted-encoding"]);
    assert!(codes(tree.path(), "packed.other").is_empty());
    assert_eq!(codes(tree.path(), "both.other"), ["warning converted-encoding"]);
}

#[test]
fn what_cannot_be_converted_is_an_error() {
    let tree = modules();
    let packed = gzip(MAIN.as_bytes());
    let whole = utf_16(MAIN);
    for (bytes, code) in [
        (&packed[..packed.len() - 1], "error unreadable-file"),
        (&whole[..whole.len() - 1], "error not-utf8-encoding"),
    ] {
        fs::write(tree.path().join("plain/main.tf.json"), bytes).unwrap();
        assert_eq!(codes(tree.path(), "plain"), [code]);
    }
    let output = run(tree.path(), &["check", "packed", "--max-decompressed", "16"]);
    assert_eq!(status(&output), 1);
    assert!(stdout(&output).contains("more than 16 bytes"), "{}", stdout(&output));
}

#[test]
fn standard_input_is_decompressed() {
    let command = simd_hcl(&["inspect", "-", "--format", "json"]);
    let output = feed_bytes(command, &gzip(MAIN.as_bytes()));
    assert_eq!(list(&output, "modules")[0]["resources"][0]["address"], "a_b.ä");
    assert!(stderr(&output).contains("compressed-file"));
}

/// Commands that read each file on its own also reject files that are not configuration.
#[test]
fn other_documents_are_refused_by_every_command() {
    let state = r#"{"version": 4, "serial": 1, "lineage": "x", "outputs": {}, "resources": []}"#;
    let plan = r#"{"format_version": "1.2", "planned_values": {}, "configuration": {"x": "${y}"}}"#;
    let tree = tree(&[("state", state), ("plan", plan), ("log", "{\"@message\": 1}\n{}\n")]);
    for name in ["state", "plan", "log"] {
        for command in ["check", "references", "templates", "graph", "inspect", "query", "diff"] {
            let mut arguments = vec![command, name];
            match command {
                "query" => arguments.insert(1, "resource.*"),
                "diff" => arguments.push(name),
                _ => {}
            }
            let output = run(tree.path(), &arguments);
            let told = stdout(&output) + &stderr(&output);
            assert_eq!(status(&output), 1, "{arguments:?}: {told}");
            assert!(told.contains("[unexpected-document]"), "{arguments:?}: {told}");
        }
    }
    // `decode` reads any JSON, and reports other documents.
    let output = run(tree.path(), &["decode", "log", "--provider-schemas", "log"]);
    assert!(stdout(&output).contains("stream of messages"), "{}", stdout(&output));
}
