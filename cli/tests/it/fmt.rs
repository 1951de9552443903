//! `fmt`: native files in canonical layout.

use std::fs;

use crate::tool::{feed, run, status, stderr, stdout, tree};

#[test]
fn files_are_written_in_canonical_layout() {
    let tree = tree(&[
        ("m/main.tf", "locals {\na=1\nlong = \"${b}\" # x\n}\n"),
        ("m/clean.tf", "locals {\n  a = 1\n}\n"),
        ("m/broken.tf", "a = [\n"),
        ("m/data.tf.json", "{ }"),
        ("m/hidden.tf", "a=1\n"),
        ("m/hidden.tofu", "a = 1\n"),
        ("p/image.pkr.hcl", "source \"a\" b {\nc= \"${d}\"\n}\n"),
    ]);
    let read = |name: &str| fs::read_to_string(tree.path().join(name)).unwrap();
    let all = "m/hidden.tf\nm/main.tf\np/image.pkr.hcl\n";
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(|line| format!("{line}\n")).collect();
        lines.sort();
        lines.concat()
    };

    let output = run(tree.path(), &["fmt", "--check", "."]);
    assert_eq!((status(&output), sorted(&stdout(&output)).as_str()), (1, all));
    assert!(stderr(&output).contains("unterminated-tuple"), "{}", stderr(&output));
    assert_eq!(read("m/main.tf"), "locals {\na=1\nlong = \"${b}\" # x\n}\n");

    let output = run(tree.path(), &["fmt", "."]);
    assert_eq!((status(&output), sorted(&stdout(&output)).as_str()), (1, all));
    assert_eq!(read("m/main.tf"), "locals {\n  a    = 1\n  long = b # x\n}\n");
    assert_eq!(read("m/hidden.tf"), "a = 1\n");
    // Packer changes spaces only.
    assert_eq!(read("p/image.pkr.hcl"), "source \"a\" b {\n  c = \"${d}\"\n}\n");
    assert_eq!((read("m/broken.tf").as_str(), read("m/data.tf.json").as_str()), ("a = [\n", "{ }"));

    fs::remove_file(tree.path().join("m/broken.tf")).unwrap();
    let output = run(tree.path(), &["fmt", "--check", "."]);
    assert_eq!((status(&output), stdout(&output).as_str()), (0, ""));
    // One file that is already formatted.
    fs::write(tree.path().join("m/clean.tf"), "a=1\n").unwrap();
    fs::write(tree.path().join("m/main.tf"), "a=1\n").unwrap();
    let output = run(tree.path(), &["fmt", "m/clean.tf"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (0, "m/clean.tf\n"));
    assert_eq!(read("m/main.tf"), "a=1\n");
    let output = run(tree.path(), &["fmt", "m/data.tf.json"]);
    assert_eq!(status(&output), 2, "{}", stderr(&output));
    assert_eq!(status(&run(tree.path(), &["fmt", "missing"])), 2);
}

#[test]
fn changes_are_printed_as_a_patch() {
    let files = [("m/main.tf", "locals {\na=1\n}\n"), ("m/clean.tf", "a = 1\n")];
    let tree = tree(&files);
    let expected =
        "--- a/m/main.tf\n+++ b/m/main.tf\n@@ -1,3 +1,3 @@\n locals {\n-a=1\n+  a = 1\n }\n";
    let output = run(tree.path(), &["fmt", "--check", "--diff", "m"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (1, expected));
    let read = || fs::read_to_string(tree.path().join("m/main.tf")).unwrap();
    assert_eq!(read(), files[0].1);
    let output = run(tree.path(), &["fmt", "--diff", "m"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (0, expected));
    assert_eq!(read(), "locals {\n  a = 1\n}\n");
    let output = feed(&["fmt", "--diff", "--stdin-name", "x.tf", "-"], "a=1\n");
    assert_eq!(stdout(&output), "--- a/x.tf\n+++ b/x.tf\n@@ -1,1 +1,1 @@\n-a=1\n+a = 1\n");
}

#[test]
fn standard_input_is_printed() {
    for text in ["a=1\n", "a = 1\n"] {
        let output = feed(&["fmt", "--stdin-name", "x.tf", "-"], text);
        assert_eq!((status(&output), stdout(&output).as_str()), (0, "a = 1\n"));
    }
    let output = feed(&["fmt", "--check", "--stdin-name", "x.tf", "-"], "a=1\n");
    assert_eq!((status(&output), stdout(&output).as_str()), (1, "x.tf\n"));
    let output = feed(&["fmt", "--stdin-name", "x.tf", "-"], "a = [");
    assert_eq!((status(&output), stdout(&output).as_str()), (1, ""));
}

/// A file that cannot be written keeps its text, and the others are written.
#[test]
#[cfg(unix)]
fn files_are_replaced_in_one_step() {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    let tree = tree(&[("a/a.tf", "a=1\n"), ("b/b.tf", "b=1\n"), ("c/target", "c=1\n")]);
    let at = |name: &str| tree.path().join(name);
    let mode = |name: &str| fs::metadata(at(name)).unwrap().permissions().mode() & 0o777;
    let set_mode = |name: &str, mode| {
        fs::set_permissions(at(name), fs::Permissions::from_mode(mode)).unwrap();
    };
    set_mode("a/a.tf", 0o444);
    set_mode("b/b.tf", 0o640);
    symlink("target", at("c/c.tf")).unwrap();
    let output = run(tree.path(), &["fmt", "."]);
    assert_eq!(status(&output), 2);
    assert!(
        stderr(&output).contains("cannot write a/a.tf: permission denied"),
        "{}",
        stderr(&output)
    );
    assert_eq!(stdout(&output), "b/b.tf\nc/c.tf\n");
    let read = |name: &str| fs::read_to_string(at(name)).unwrap();
    assert_eq!(read("a/a.tf"), "a=1\n");
    assert_eq!((read("b/b.tf"), mode("b/b.tf")), ("b = 1\n".to_owned(), 0o640));
    assert_eq!(read("c/target"), "c = 1\n");
    assert!(fs::symlink_metadata(at("c/c.tf")).unwrap().is_symlink());
    for directory in ["a", "b"] {
        assert_eq!(fs::read_dir(at(directory)).unwrap().count(), 1, "no temporary file is left");
    }
}
