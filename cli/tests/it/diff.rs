//! `diff`: differences between two configurations.

use crate::tool::{feed_bytes, git, list, run, simd_hcl, status, stderr, stdout, tree};

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
    let rows = list(&output, "differences");
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
    // The default of the second one is the current directory.
    assert_eq!(
        stdout(&run(&path.join("stack"), &["diff", "HEAD"])),
        "~ local.x\n    value: 1 -> 2\n"
    );
    assert_eq!(stdout(&run(path, &["diff", "HEAD", "fresh"])), "+ local.n\n");

    git(path, &["add", "."]);
    git(path, &["commit", "-qm", "two"]);
    let output = run(path, &["diff", "HEAD~1", "HEAD:stack", "--format", "json"]);
    let output_of_both = run(path, &["diff", "HEAD~1:stack", "HEAD:stack", "--format", "json"]);
    let rows = list(&output_of_both, "differences");
    assert_eq!(rows[0]["before_range"]["filename"], "HEAD~1:stack/main.tf.json");
    assert_eq!(status(&output), 0);
    // Files of a revision that cannot be read have their name in the revision.
    std::fs::write(path.join("stack/main.tf.json"), "{").unwrap();
    std::fs::write(path.join("stack/more.tf"), "").unwrap();
    git(path, &["add", "."]);
    git(path, &["commit", "-qm", "three"]);
    let output = run(path, &["diff", "HEAD", "HEAD~1"]);
    let errors = stderr(&output);
    assert!(errors.contains("HEAD:stack/main.tf.json:1:"), "{errors}");
    assert!(!errors.contains("tmp"), "{errors}");
    let output = run(path, &["diff", "--", "--output=x", "."]);
    assert_eq!(status(&output), 2);
}

#[test]
fn diff_says_which_file_of_a_revision_is_broken() {
    let tree = tree(&[("main.tf.json", r#"{"locals": "#)]);
    git(tree.path(), &["init", "-q"]);
    git(tree.path(), &["add", "."]);
    git(tree.path(), &["commit", "-qm", "one"]);
    std::fs::write(tree.path().join("main.tf.json"), "{}").unwrap();
    let output = run(tree.path(), &["diff", "HEAD"]);
    assert_eq!((status(&output), stdout(&output)), (1, String::new()));
    let errors = stderr(&output);
    assert!(errors.contains("HEAD:main.tf.json:1:"), "{errors}");
    assert!(errors.contains("incomplete: HEAD:main.tf.json"), "{errors}");
}

/// Git trees may have entries that no file system allows.
#[test]
fn diff_writes_nothing_outside_of_its_directory() {
    let tree = tree(&[("tmp/x", ""), ("a.tf.json", "{}")]);
    let path = tree.path();
    git(path, &["init", "-q"]);
    let blob = git(path, &["hash-object", "-w", "a.tf.json"]);
    let write_tree = |entry: String| {
        let mut make = std::process::Command::new("git");
        make.current_dir(path).arg("mktree");
        let output = feed_bytes(make, entry.as_bytes());
        (status(&output) == 0)
            .then(|| stdout(&output).trim().to_owned())
            .filter(|it| !it.is_empty())
    };
    let inner = write_tree(format!("100644 blob {}\tevil.tf.json\n", blob.trim()));
    let outer = inner.and_then(|inner| write_tree(format!("040000 tree {inner}\t..\n")));
    let outer = outer.expect("git mktree makes any tree");
    let commit = git(path, &["commit-tree", "-m", "evil", &outer]);
    let mut diff = simd_hcl(&["diff", commit.trim(), "."]);
    let output = diff.current_dir(path).env("TMPDIR", path.join("tmp")).output().unwrap();
    assert_eq!(status(&output), 2, "{}", stderr(&output));
    assert!(stderr(&output).contains("invalid path in the revision"), "{}", stderr(&output));
    let left: Vec<_> = std::fs::read_dir(path.join("tmp")).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}
