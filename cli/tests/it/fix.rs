//! `check --fix` and `check --diff`.

use crate::tool::{feed_in, run, status, stderr, stdout, tree};

/// For each code with an edit: a file that has it, and the same file after the edit.
const EDITS: &[(&str, &str, &str, &str)] = &[
    ("byte-order-mark", "a.tf.json", "\u{FEFF}{}", "{}"),
    ("trailing-comma", "a.tf.json", "{\"locals\": {},\n}\n", "{\"locals\": {}\n}\n"),
    ("equals-for-colon", "a.tf.json", "{\"locals\" = {}}", "{\"locals\" : {}}"),
    (
        "missing-comma",
        "a.tf.json",
        "{\"locals\": {}\n\"terraform\": {}}",
        "{\"locals\": {},\n\"terraform\": {}}",
    ),
    ("unquoted-name", "a.tf.json", "{locals: {}}", "{\"locals\": {}}"),
    ("single-quote", "a.tf.json", "{'locals': {}}", "{\"locals\": {}}"),
    (
        "invalid-keyword",
        "a.tf.json",
        "{\"output\": {\"a\": {\"value\": None, \"sensitive\": TRUE}}}",
        "{\"output\": {\"a\": {\"value\": null, \"sensitive\": true}}}",
    ),
    (
        "control-character",
        "a.tf.json",
        "{\"output\": {\"a\": {\"value\": \"\t\u{1}\"}}}",
        "{\"output\": {\"a\": {\"value\": \"\\t\\u0001\"}}}",
    ),
    (
        "ignore-wildcard",
        "a.tf.json",
        r#"{"resource": {"x_y": {"a": {"lifecycle": {"ignore_changes": ["*"]}}}}}"#,
        r#"{"resource": {"x_y": {"a": {"lifecycle": {"ignore_changes": "all"}}}}}"#,
    ),
    (
        "quoted-reference",
        "a.tf.json",
        r#"{"provider": {"x": {"alias": "b"}}, "resource": {"x_y": {"a": {"provider": "\"x.b\""}}}}"#,
        r#"{"provider": {"x": {"alias": "b"}}, "resource": {"x_y": {"a": {"provider": "x.b"}}}}"#,
    ),
    (
        "quoted-name",
        "a.tf",
        "output \"o\" {\n  \"value\" = 1\n}\n",
        "output \"o\" {\n  value = 1\n}\n",
    ),
    (
        "colon-for-equals",
        "a.tf",
        "output \"o\" {\n  value: 1\n}\n",
        "output \"o\" {\n  value = 1\n}\n",
    ),
    (
        "colon-for-equals",
        "a.tf",
        "output \"o\" {\n  value : 1\n}\n",
        "output \"o\" {\n  value = 1\n}\n",
    ),
    (
        "comma-after-argument",
        "a.tf",
        "output \"o\" {\n  value = 1,\n}\n",
        "output \"o\" {\n  value = 1\n}\n",
    ),
    (
        "missing-item-separator",
        "a.tf",
        "output \"o\" {\n  value = [1 2\n    3]\n}\n",
        "output \"o\" {\n  value = [1, 2,\n    3]\n}\n",
    ),
    (
        "missing-argument-separator",
        "a.tf",
        "output \"o\" {\n  value = max(1 /* one */ 2)\n}\n",
        "output \"o\" {\n  value = max(1 /* one */, 2)\n}\n",
    ),
    (
        "missing-attribute-separator",
        "a.tf",
        "output \"o\" {\n  value = { a = 1 b = 2 }\n}\n",
        "output \"o\" {\n  value = { a = 1, b = 2 }\n}\n",
    ),
    (
        "invalid-character",
        "a.tf",
        "output \"o\" {\n  value = 'x'\n}\n",
        "output \"o\" {\n  value = \"x\"\n}\n",
    ),
    (
        "invalid-type",
        "a.tf",
        "output \"o\" {\n  value = var.v\n}\nvariable \"v\" {\n  type = \"number\"\n}\n",
        "output \"o\" {\n  value = var.v\n}\nvariable \"v\" {\n  type = number\n}\n",
    ),
    (
        "quoted-reference",
        "a.tf",
        "resource \"x_y\" \"a\" {\n  depends_on = [\"x_y.b\"]\n}\nresource \"x_y\" \"b\" {}\n",
        "resource \"x_y\" \"a\" {\n  depends_on = [x_y.b]\n}\nresource \"x_y\" \"b\" {}\n",
    ),
    (
        "ignore-wildcard",
        "a.tf",
        "resource \"x_y\" \"a\" {\n  lifecycle {\n    ignore_changes = [\n      \"*\"\n    ]\n  }\n}\n",
        "resource \"x_y\" \"a\" {\n  lifecycle {\n    ignore_changes = all\n  }\n}\n",
    ),
];

#[test]
fn every_edit_repairs_its_diagnostic() {
    for (code, name, old, new) in EDITS {
        let tree = tree(&[(name, old)]);
        let found = stdout(&run(tree.path(), &["check", "--format", "concise", "."]));
        assert!(found.contains(&format!("[{code}]")), "{code}: {found}");
        let output = run(tree.path(), &["check", "--fix", "."]);
        let file = std::fs::read_to_string(tree.path().join(name)).unwrap();
        assert_eq!(&file, new, "{code}");
        assert_eq!((status(&output), stdout(&output).as_str()), (0, ""), "{code}");
    }
}

/// A text with several meanings, or one that cannot be spliced safely, stays.
#[test]
fn what_is_not_certain_stays() {
    for (name, text) in [
        ("a.tf.json", "{\"locals\": {} // a comment\n}"),
        ("a.tf.json", "{\"locals\": {\"a\": 1 2}}"),
        ("a.tf.json", "{'it\\'s': 1}"),
        ("a.tf.json", "{naïve: 1}"),
        ("a.tf", "output \"o\" {\n  value = [1 # one\n    2]\n}\n"),
        ("a.tf", "output \"o\" {\n  value = '${x}'\n}\n"),
        ("a.tf", "variable \"v\" {\n  type = \"list\"\n}\n"),
        ("a.tf", "output \"o\" {\n  \"a b\" = 1\n}\n"),
    ] {
        let tree = tree(&[(name, text)]);
        let output = run(tree.path(), &["check", "--fix", "."]);
        assert_eq!(std::fs::read_to_string(tree.path().join(name)).unwrap(), text);
        assert_eq!(status(&output), 1, "{text}: {}", stdout(&output));
        assert!(stderr(&output).contains("made 0 edits in 0 files"), "{}", stderr(&output));
    }
}

#[test]
fn a_patch_is_printed_and_nothing_is_written() {
    let old = "locals {\n  a = 1,\n}\noutput \"o\" {\n  value = local.a\n}\n";
    let tree = tree(&[("a.tf", old)]);
    let output = run(tree.path(), &["check", "--diff", "."]);
    assert_eq!(status(&output), 1);
    assert_eq!(
        stdout(&output),
        "--- a/a.tf\n+++ b/a.tf\n@@ -1,5 +1,5 @@\n locals {\n-  a = 1,\n+  a = 1\n }\n output \"o\" {\n   \
         value = local.a\n"
    );
    assert_eq!(std::fs::read_to_string(tree.path().join("a.tf")).unwrap(), old);
    assert_eq!(status(&run(tree.path(), &["check", "--fix", "."])), 0);
    assert_eq!(status(&run(tree.path(), &["check", "--diff", "."])), 0);
}

/// JSON shows one syntax error at a time, so a file is parsed again after each edit.
#[test]
fn all_edits_of_a_file_are_made() {
    let old = "{\"locals\": {\n".to_owned() + &"  \"x\": [1 2,],\n".repeat(200) + "}}\n";
    let tree = tree(&[("a.tf.json", &old)]);
    let output = run(tree.path(), &["check", "--fix", "--quiet", "--allow", "warnings", "."]);
    assert!(!stdout(&output).contains("comma"), "{}", stdout(&output));
    let new = std::fs::read_to_string(tree.path().join("a.tf.json")).unwrap();
    assert!(new.starts_with("{\"locals\": {\n  \"x\": [1, 2],\n  \"x\": [1, 2],\n"), "{new}");
    assert!(new.ends_with("[1, 2]\n}}\n"), "{new}");
}

#[test]
fn allowed_findings_are_not_edited() {
    let old = "# simd-hcl:allow(quoted-reference)\nresource \"x_y\" \"a\" {\n  depends_on = [\"x_y.b\"]\n}\n\
               resource \"x_y\" \"b\" {}\n";
    let tree = tree(&[("a.tf", old)]);
    let read = || std::fs::read_to_string(tree.path().join("a.tf")).unwrap();
    run(tree.path(), &["check", "--fix", "."]);
    assert_eq!(read(), old);
    let new = old.replace("# simd-hcl:allow(quoted-reference)\n", "");
    std::fs::write(tree.path().join("a.tf"), &new).unwrap();
    run(tree.path(), &["check", "--fix", "--allow", "quoted-reference", "."]);
    assert_eq!(read(), new);
    let output = run(tree.path(), &["check", "."]);
    assert!(stderr(&output).contains("--fix repairs 1 of them"), "{}", stderr(&output));
}

#[test]
fn files_that_cannot_be_edited_are_named() {
    let text = "locals {\n  a = 1,\n}\n";
    let utf_16: Vec<u8> =
        "\u{FEFF}{\"locals\": {},}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let tree = tree(&[]);
    std::fs::write(tree.path().join("x.json"), &utf_16).unwrap();
    let output = run(tree.path(), &["check", "--fix", "--syntax", "json", "x.json"]);
    assert!(stderr(&output).contains("x.json is not edited: "), "{}", stderr(&output));
    assert_eq!(std::fs::read(tree.path().join("x.json")).unwrap(), utf_16);
    let output = feed_in(tree.path(), &["check", "--fix", "--stdin-name", "m.tf", "-"], text);
    assert!(
        stderr(&output).contains("m.tf is not edited: it is standard input"),
        "{}",
        stderr(&output)
    );
    assert_eq!(status(&run(tree.path(), &["check", "--fix", "--level", "syntax", "."])), 2);
}
