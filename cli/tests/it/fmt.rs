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

/// Text that someone else writes into a file while it is formatted is not lost.
#[test]
fn changes_since_the_file_was_read_are_kept() {
    use std::fs;
    use std::io::Write;
    use std::process::Stdio;

    let text: String = (0..20_000).map(|n| format!("a{n}=1\n")).collect();
    let text = format!("locals {{\n{text}}}\n");
    let (mut refused, mut written) = (0, 0);
    for delay in 0..12 {
        let tree = tree(&[("a.tf", &text)]);
        let path = tree.path().join("a.tf");
        let mut command = crate::tool::simd_hcl(&["fmt", "."]);
        command.current_dir(tree.path()).stdout(Stdio::null()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(delay * delay * 5));
        let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
        let own = fs::metadata(&path).unwrap();
        file.write_all(b"# EDIT BY USER\n").unwrap();
        drop(file);
        let output = child.wait_with_output().unwrap();
        let after = fs::read_to_string(&path).unwrap();
        match status(&output) {
            2 => {
                refused += 1;
                let said = stderr(&output);
                assert!(
                    said.contains("cannot write a.tf: it has changed since it was read"),
                    "{said}"
                );
                assert_eq!(after, format!("{text}# EDIT BY USER\n"));
            }
            _ if own.len() == text.len() as u64 && !after.contains("EDIT") => {
                // Opened before the file was replaced, written after it.
                written += 1;
            }
            _ => {
                assert!(after.ends_with("# EDIT BY USER\n"));
                written += 1;
            }
        }
    }
    assert_eq!(refused + written, 12);
}

/// Attributes and other names of a file stay as they are.
#[test]
#[cfg(unix)]
fn attributes_and_other_names_are_kept() {
    use std::fs;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::process::Command;

    let tree = tree(&[("a.tf", "a=1\n"), ("b.tf", "b=1\n"), ("c.tf", "c=1\n")]);
    let at = |name: &str| tree.path().join(name);
    let read = |name: &str| fs::read_to_string(at(name)).unwrap();
    fs::hard_link(at("a.tf"), at("a.txt")).unwrap();
    fs::set_permissions(at("b.tf"), fs::Permissions::from_mode(0o4750)).unwrap();
    // Only root can give a file to someone else.
    let is_given = std::os::unix::fs::chown(at("c.tf"), Some(12345), Some(54321)).is_ok();
    let tool = |program: &str, arguments: &[&str]| {
        let run = Command::new(program).args(arguments).arg(at("b.tf")).output();
        run.ok().filter(|run| run.status.success())
    };
    let has_attributes = tool("setfattr", &["-n", "user.note", "-v", "x"]).is_some();
    let output = run(tree.path(), &["fmt", "."]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert_eq!((read("a.tf"), read("a.txt")), ("a = 1\n".to_owned(), "a = 1\n".to_owned()));
    assert_eq!(fs::metadata(at("a.tf")).unwrap().nlink(), 2);
    assert_eq!(fs::metadata(at("b.tf")).unwrap().permissions().mode() & 0o7777, 0o4750);
    let of_c = fs::metadata(at("c.tf")).unwrap();
    match is_given {
        true => assert_eq!((of_c.uid(), of_c.gid()), (12345, 54321)),
        false => println!("skipped: attributes_and_other_names_are_kept, owners (not root)"),
    }
    match has_attributes {
        true => assert!(tool("getfattr", &["-n", "user.note"]).is_some()),
        false => println!("skipped: attributes_and_other_names_are_kept, attributes (no setfattr)"),
    }
    assert_eq!(fs::read_dir(tree.path()).unwrap().count(), 4);
}
