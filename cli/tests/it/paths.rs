//! Which files paths stand for: directories, files, links, standard input.

use std::fs;

use crate::tool::{GOOD, feed, json, run, status, stderr, stdout, tree};

#[test]
fn nothing_to_read_says_why() {
    let tree = tree(&[("native/main.tf", ""), ("good/main.tf.json", GOOD)]);
    fs::create_dir(tree.path().join("empty")).unwrap();
    let output = run(tree.path(), &["check", "empty"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("nothing to read in empty: it is empty"));
    let output = run(tree.path(), &["check", "native"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("1 file of native syntax, which is not read"));
    let output = run(tree.path(), &["check", "missing", "good"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("checked 1 file"), "{}", stderr(&output));
    let output = run(tree.path(), &["check", "native", "good"]);
    assert_eq!(status(&output), 0);
}

#[test]
fn standard_input_is_a_file_of_the_name_given() {
    let output = feed(&["check", "--stdin-name", "x.pkr.json", "-"], "{\"packer\": {}}");
    assert_eq!(status(&output), 0, "{}", stdout(&output));
    let output = feed(&["check", "--stdin-name", "x.tf.json", "-"], "{\"packer\": {}}");
    assert_eq!(status(&output), 1);
    assert!(stdout(&output).contains("--> x.tf.json:1:2"));
    // It is a whole module, beside the directory that its name is in.
    let text = r#"{"output": {"o": {"value": "${var.v}"}}}"#;
    let output = feed(&["check", "--stdin-name", "x.tf.json", "-"], text);
    assert_eq!(status(&output), 1);
    assert!(stdout(&output).contains("undeclared-reference"), "{}", stdout(&output));
    let output = feed(&["references", "--stdin-name", "x.tf.json", "-"], text);
    assert!(
        stdout(&output).starts_with("x.tf.json:1:31: output.o -> var.v"),
        "{}",
        stdout(&output)
    );
    let output = feed(&["events", "-"], "[1]");
    assert_eq!(status(&output), 0);
}

#[cfg(unix)]
#[test]
fn names_need_not_be_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let directory = tempfile::tempdir().unwrap();
    let name = OsStr::from_bytes(b"\xff\x1b[31m.tf.json");
    // Some file systems refuse such names.
    if fs::write(directory.path().join(name), "{").is_err() {
        println!("skipped: the file system refuses names that are not UTF-8");
        return;
    }
    fs::write(directory.path().join("good.tf.json"), GOOD).unwrap();
    let output = run(directory.path(), &["check", "--color", "always", "."]);
    assert_eq!(status(&output), 1);
    assert!(stdout(&output).contains("\u{FFFD}\\u{1b}[31m.tf.json"), "{:?}", stdout(&output));
    assert!(stderr(&output).contains("checked 2 files"));
    let output = run(directory.path(), &["inspect", "--format", "json", "."]);
    assert_eq!(json(&output)[0]["files"].as_array().unwrap().len(), 2);
}

#[cfg(unix)]
#[test]
fn what_is_no_file_or_leads_in_circles_stops_nothing() {
    use std::os::unix::fs::symlink;
    let tree = tree(&[("m/good.tf.json", GOOD)]);
    symlink("..", tree.path().join("m/up")).unwrap();
    symlink("gone", tree.path().join("m/dangling.tf.json")).unwrap();
    symlink("self.tf.json", tree.path().join("m/self.tf.json")).unwrap();
    fs::create_dir(tree.path().join("m/directory.tf.json")).unwrap();
    let output = run(tree.path(), &["check", "--format", "json", "m"]);
    assert_eq!(status(&output), 1);
    let report = json(&output);
    let diagnostics = report["diagnostics"].as_array().unwrap();
    assert_eq!(diagnostics.len(), 2, "{report}");
    assert!(diagnostics.iter().all(|diagnostic| diagnostic["code"] == "unreadable-file"));
    assert!(diagnostics[0]["range"]["filename"].as_str().unwrap().ends_with("dangling.tf.json"));
    let human = stdout(&run(tree.path(), &["check", "m"]));
    assert!(human.contains("--> m/dangling.tf.json\n"), "{human}");
}

#[test]
fn a_file_named_twice_is_read_once() {
    let tree = tree(&[("m/a.tf.json", "{"), ("b.tf.json", "{")]);
    let output = run(tree.path(), &["check", "m", "./m", "b.tf.json", "b.tf.json"]);
    assert!(stderr(&output).contains("2 errors"), "{}", stderr(&output));
}
