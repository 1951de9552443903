//! `events`: the event stream.

use std::process::Stdio;

use crate::tool::{json, run, simd_hcl, status, stderr, stdout, tree};

#[test]
fn events_print_any_json() {
    let tree = tree(&[("a.json", "{\"a\": [1, {\"b\": {\"c\": {}}}]}"), ("b.json", "[1 2]")]);
    let output = run(tree.path(), &["events", "a.json"]);
    let kinds: Vec<String> = stdout(&output)
        .lines()
        .map(|line| line.split_whitespace().nth(1).unwrap().to_owned())
        .collect();
    assert_eq!(
        kinds.join(" "),
        "StartObject Key StartArray Number StartObject Key StartObject Key StartObject EndObject \
         EndObject EndObject EndArray EndObject"
    );
    let output = run(tree.path(), &["events", "--skeleton", "a.json"]);
    assert!(stdout(&output).contains("StartObject (sealed)"));
    let output = run(tree.path(), &["events", "--format", "json", "a.json"]);
    assert_eq!(json(&output).as_array().unwrap().len(), 14);
    let output = run(tree.path(), &["events", "b.json"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (1, ""));
    assert!(stderr(&output).contains("error[missing-comma]"));
    assert_eq!(status(&run(tree.path(), &["events", "none.json"])), 2);
}

#[test]
fn a_reader_that_stops_reading_is_not_an_error() {
    let text = format!("[{}1]", "1,".repeat(200_000));
    let tree = tree(&[("a.json", &text)]);
    let mut child = simd_hcl(&["events", "a.json"])
        .current_dir(tree.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((status(&output), stderr(&output).as_str()), (0, ""));
}

#[test]
fn depth_limits_are_obeyed() {
    let text = format!("{}{}", "[".repeat(101), "]".repeat(101));
    let tree = tree(&[("a.json", &text)]);
    assert_eq!(status(&run(tree.path(), &["events", "--max-depth", "101", "a.json"])), 0);
    let output = run(tree.path(), &["events", "--max-depth", "100", "a.json"]);
    assert_eq!(status(&output), 1);
    assert!(stderr(&output).contains("nesting-too-deep"));
}
