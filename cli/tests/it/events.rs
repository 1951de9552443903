//! `events`: the event stream.

use std::process::Stdio;

use serde_json::json as value;

use crate::tool::{list, run, simd_hcl, status, stderr, stdout, tree};

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
    assert_eq!(list(&output, "events").as_array().unwrap().len(), 14);
    let output = run(tree.path(), &["events", "b.json"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (1, ""));
    assert!(stderr(&output).contains("error[missing-comma]"));
    assert_eq!(status(&run(tree.path(), &["events", "none.json"])), 2);
}

/// A native file has the events of its structure, and its expressions are checked; the skeleton has
/// those of top-level attributes and blocks.
#[test]
fn events_of_native_files() {
    let text = "# a\nb \"c\" {\n  d = [1] # e\n  f = 1 +\n}\n";
    let tree = tree(&[("a.tf", text), ("a.txt", text), ("b.tf", "a = [\nb {\n"), ("c.hcl", "{}")]);
    let skeleton = "        0..3         Comment # a\n        4..5         Block b\n        6..9         \
                    Label \"c\"\n       10..11        StartBody (sealed)\n       36..37        \
                    EndBody\n";
    let expected = "        0..3         Comment # a\n        4..5         Block b\n        \
                    6..9         Label \"c\"\n       10..11        StartBody\n       14..15          \
                    Attribute d\n       18..21          Expression [1]\n       22..25          Comment # \
                    e\n       28..29          Attribute f\n       32..35          Expression 1 +\n       \
                    36..37        EndBody\n";
    let output = run(tree.path(), &["events", "--skeleton", "a.tf"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (0, skeleton));
    let output = run(tree.path(), &["events", "a.tf"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (1, expected));
    assert!(stderr(&output).contains("a.tf:4:"), "{}", stderr(&output));

    let named = run(tree.path(), &["events", "--skeleton", "--syntax", "native", "a.txt"]);
    assert_eq!((status(&named), stdout(&named).as_str()), (0, skeleton));
    let output = run(tree.path(), &["events", "--format", "json", "a.tf"]);
    let events = list(&output, "events");
    assert_eq!(events[3], value!({"kind": "StartBody", "start": 10, "end": 11}));
    let sealed =
        value!({"kind": "Expression", "start": 18, "end": 21, "text": "[1]", "sealed": true});
    assert_eq!(events[5], sealed);

    // The readable part has events.
    let output = run(tree.path(), &["events", "b.tf"]);
    assert_eq!(status(&output), 1);
    assert_eq!(stdout(&output).matches("Body").count(), 2);
    // JSON under a name of native syntax, and the other way around.
    assert!(stderr(&run(tree.path(), &["events", "c.hcl"])).contains("json-in-native"));
    let output = run(tree.path(), &["events", "--syntax", "json", "c.hcl"]);
    assert_eq!((status(&output), stdout(&output).lines().count()), (0, 2));
    assert_eq!(status(&run(tree.path(), &["events", "--syntax", "json", "a.tf"])), 1);
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
