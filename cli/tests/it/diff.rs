//! `diff`: what differs between two configurations.

use std::path::Path;
use std::process::Command;

use crate::tool::{json, run, status, stderr, stdout, tree};

fn git(directory: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .current_dir(directory)
        .args(["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn diff_compares_directories_and_files() {
    let tree = tree(&[
        (
            "old/a/main.tf.json",
            r#"{"locals": {"x": 1, "y": [1]}, "variable": {"gone": {"default": 1}}}"#,
        ),
        ("old/b/main.tf.json", r#"{"locals": {"z": 1}}"#),
        ("new/a/one.tf.json", r#"{"locals": {"y": [2], "x": 1.0}}"#),
        ("new/a/two.tf.json", r#"{"output": {"o": {"value": "${local.x}"}}}"#),
        ("new/b/main.tf.json", r#"{"locals": [{"z": 1}]}"#),
    ]);
    let output = run(tree.path(), &["diff", "old", "new"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert_eq!(stdout(&output), "~ a:local.y\n    [0]: 1 -> 2\n+ a:output.o\n- a:var.gone\n");
    let output = run(tree.path(), &["diff", "old", "new", "--format", "json", "--exit-code"]);
    assert_eq!(status(&output), 1);
    let rows = json(&output);
    assert_eq!(rows[0]["module"], "a");
    assert_eq!(rows[0]["action"], "changed");
    assert_eq!(rows[0]["leaves"][0]["path"], "[0]");
    assert_eq!(rows[0]["leaves"][0]["after"], 2);
    assert_eq!(rows[0]["before_range"]["filename"], "old/a/main.tf.json");
    assert_eq!(rows[1]["leaves"][0]["after"], "${local.x}");
    assert!(rows[2].get("after_range").is_none());
    let files = run(tree.path(), &["diff", "old/b/main.tf.json", "new/b/main.tf.json"]);
    assert_eq!((status(&files), stdout(&files)), (0, String::new()));
}

#[test]
fn diff_does_not_compare_what_it_cannot_read() {
    let tree = tree(&[
        ("old/main.tf.json", r#"{"locals": {"x": 1}}"#),
        ("new/main.tf.json", r#"{"locals": {"x": 1"#),
    ]);
    let output = run(tree.path(), &["diff", "old", "new"]);
    assert_eq!((status(&output), stdout(&output)), (1, String::new()));
    assert!(stderr(&output).contains("new/main.tf.json"));
    let missing = run(tree.path(), &["diff", "old", "neither-a-path-nor-a-revision"]);
    assert_eq!(status(&missing), 2);
}

#[test]
fn diff_reads_revisions() {
    let tree = tree(&[
        ("stack/main.tf.json", r#"{"locals": {"x": 1}}"#),
        ("odd \"name\"/a.tf.json", "{}"),
    ]);
    let path = tree.path();
    git(path, &["init", "-q"]);
    git(path, &["add", "."]);
    git(path, &["commit", "-qm", "one"]);
    std::fs::write(path.join("stack/main.tf.json"), r#"{"locals": {"x": 2}}"#).unwrap();
    std::fs::create_dir(path.join("fresh")).unwrap();
    std::fs::write(path.join("fresh/main.tf.json"), r#"{"locals": {"n": 1}}"#).unwrap();

    let output = run(path, &["diff", "HEAD", "."]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert_eq!(stdout(&output), "+ fresh:local.n\n~ stack:local.x\n    value: 1 -> 2\n");
    // Without a second one: the current directory.
    assert_eq!(
        stdout(&run(&path.join("stack"), &["diff", "HEAD"])),
        "~ local.x\n    value: 1 -> 2\n"
    );
    assert_eq!(stdout(&run(path, &["diff", "HEAD", "fresh"])), "+ local.n\n");

    git(path, &["add", "."]);
    git(path, &["commit", "-qm", "two"]);
    let output = run(path, &["diff", "HEAD~1", "HEAD:stack", "--format", "json"]);
    let output_of_both = run(path, &["diff", "HEAD~1:stack", "HEAD:stack", "--format", "json"]);
    let rows = json(&output_of_both);
    assert_eq!(rows[0]["before_range"]["filename"], "HEAD~1:stack/main.tf.json");
    assert_eq!(status(&output), 0);
    // What cannot be read is named as it is in the revision.
    std::fs::write(path.join("stack/main.tf.json"), "{").unwrap();
    std::fs::write(path.join("stack/more.tf"), "").unwrap();
    git(path, &["add", "."]);
    git(path, &["commit", "-qm", "three"]);
    let output = run(path, &["diff", "HEAD", "HEAD~1"]);
    let errors = stderr(&output);
    assert!(errors.contains("HEAD:stack/main.tf.json:1:"), "{errors}");
    assert!(errors.contains("incomplete: HEAD:stack: native"), "{errors}");
    assert!(!errors.contains("tmp"), "{errors}");
    let output = run(path, &["diff", "--", "--output=x", "."]);
    assert_eq!(status(&output), 2);
}
