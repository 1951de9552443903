//! The files that paths mean: directories, files, links, standard input.

use std::fs;
use std::process::Command;

use crate::tool::{
    GOOD, PROVIDER_SCHEMAS, feed, feed_bytes, json, list, run, simd_hcl, status, stderr, stdout,
    tree,
};

#[test]
fn nothing_to_read_says_why() {
    let tree = tree(&[("native/main.tf", ""), ("good/main.tf.json", GOOD)]);
    fs::create_dir(tree.path().join("empty")).unwrap();
    let output = run(tree.path(), &["check", "empty"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("incomplete: empty: nothing to read (it is empty)"));
    let output = run(tree.path(), &["inspect", "native"]);
    assert_eq!((status(&output), stderr(&output).as_str()), (0, ""));
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
    assert_eq!(list(&output, "modules")[0]["files"].as_array().unwrap().len(), 2);
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

const USES: &str = r#"{"output": {"o": {"value": "${var.v}"}, "p": {"value": "${var.none}"}}}"#;
const DECLARES: &str = r#"{"variable": {"v": {}}, "output": {"q": {"value": "${var.gone}"}}}"#;

/// The messages of `check --format json`.
fn findings(directory: &std::path::Path, arguments: &[&str]) -> Vec<String> {
    let report = json(&run(directory, &[&["check", "--format", "json"], arguments].concat()));
    let diagnostics = report["diagnostics"].as_array().unwrap().iter();
    let line = |it: &serde_json::Value| {
        format!("{}: {}", it["range"]["filename"].as_str().unwrap(), it["detail"].as_str().unwrap())
    };
    diagnostics.map(line).collect()
}

#[test]
fn a_file_is_checked_in_the_module_around_it() {
    let tree = tree(&[("m/uses.tf.json", USES), ("m/declares.tf.json", DECLARES)]);
    let path = tree.path();
    let absolute = path.join("m/uses.tf.json");
    let absolute = absolute.to_str().unwrap();
    for (arguments, name, count) in [
        (&["m/uses.tf.json"][..], "m/uses.tf.json", 1),
        (&["./m/uses.tf.json"], "m/uses.tf.json", 1),
        (&["m/uses.tf.json", absolute, "./m/../m/uses.tf.json"], "m/uses.tf.json", 1),
        (&[absolute], absolute, 1),
        (&["--alone", "m/uses.tf.json"], "m/uses.tf.json", 2),
    ] {
        let found = findings(path, arguments);
        assert_eq!(found.len(), count, "{arguments:?}: {found:?}");
        assert!(found.iter().all(|line| line.starts_with(&format!("{name}: "))), "{found:?}");
    }
    // Together with the module, nothing is omitted or repeated.
    assert_eq!(findings(path, &["m/uses.tf.json", "m"]).len(), 2);
    assert_eq!(findings(path, &["m/uses.tf.json", "m/declares.tf.json"]).len(), 2);
    let references = run(path, &["references", "m/uses.tf.json"]);
    assert_eq!(stdout(&references).lines().count(), 2, "{}", stdout(&references));
    let inspected =
        list(&run(path, &["inspect", "--format", "json", "m/declares.tf.json"]), "modules");
    assert_eq!(inspected[0]["path"], "m");
    assert_eq!(inspected[0]["files"].as_array().unwrap().len(), 1);
    assert_eq!(inspected[0]["variables"][0]["name"], "v");
    assert_eq!(inspected[0]["outputs"].as_array().unwrap().len(), 1);
    assert_eq!(inspected[0]["references"].as_array().unwrap().len(), 1);
    let templates = run(path, &["templates", "m/uses.tf.json", "--format", "ndjson"]);
    assert_eq!(stdout(&templates).lines().count(), 2);
}

#[test]
fn a_file_of_a_name_that_no_tool_knows_is_alone() {
    let tree = tree(&[
        ("m/data.json", USES),
        ("m/declares.tf.json", DECLARES),
        ("m/prod.tfvars.json", r#"{"v": 1, "w": 2}"#),
        ("m/tests/a.tftest.json", r#"{"run": {"r": {"assert": {"condition": "${var.v}"}}}}"#),
    ]);
    assert_eq!(findings(tree.path(), &["m/data.json"]).len(), 2);
    // A file of variables is compared with the variables of the module.
    let found = findings(tree.path(), &["m/prod.tfvars.json"]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains('w'), "{found:?}");
    let found = findings(tree.path(), &["m/tests/a.tftest.json"]);
    assert!(!found.iter().any(|line| line.starts_with("m/declares")), "{found:?}");
}

#[cfg(unix)]
#[test]
fn a_link_and_its_target_are_one_file() {
    use std::os::unix::fs::symlink;
    let tree = tree(&[("m/uses.tf.json", USES), ("m/declares.tf.json", DECLARES)]);
    let path = tree.path();
    symlink("m", path.join("link")).unwrap();
    symlink("m/uses.tf.json", path.join("current")).unwrap();
    assert_eq!(findings(path, &["link", "m"]).len(), 2);
    assert_eq!(findings(path, &["link/uses.tf.json", "m/uses.tf.json"]).len(), 1);
    assert_eq!(findings(path, &["current", "m/uses.tf.json"]).len(), 1);
    // The name of the target counts, not that of the link.
    assert_eq!(findings(path, &["current"]).len(), 1);
}

#[test]
fn standard_input_takes_the_place_of_a_file() {
    let tree = tree(&[("m/uses.tf.json", "{"), ("m/declares.tf.json", DECLARES)]);
    let check = |name: &str, more: &[&str]| {
        let arguments = [&["check", "--format", "json", "--stdin-name", name, "-"], more].concat();
        let mut command = simd_hcl(&arguments);
        command.current_dir(tree.path());
        let report = json(&feed_bytes(command, USES.as_bytes()));
        let files = report["diagnostics"].as_array().unwrap().iter();
        files.map(|it| it["range"]["filename"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(check("m/uses.tf.json", &[]), ["m/uses.tf.json"]);
    assert_eq!(check("./m/uses.tf.json", &[]), ["m/uses.tf.json"]);
    // A file that is not saved yet.
    let both = ["m/new.tf.json", "m/new.tf.json"];
    assert_eq!(check("m/new.tf.json", &["--alone"]), both);
    assert_eq!(check("m/uses.tf.json", &["m"]), ["m/declares.tf.json", "m/uses.tf.json"]);
    let absolute = tree.path().join("m/uses.tf.json");
    let found = check(absolute.to_str().unwrap(), &["m"]);
    assert_eq!(found, ["m/declares.tf.json", "m/uses.tf.json"]);
    fs::write(tree.path().join("m/uses.tf.json"), "{}").unwrap();
    assert_eq!(check("m/new.tf.json", &[]), ["m/new.tf.json"]);
}

#[test]
fn the_reason_is_the_error_that_cannot_be_decoded() {
    let tree = tree(&[("a.tf", "locals {\n  a = 1\n}\n"), ("b.tf", "locals {\n  a = 1\n")]);
    let output = run(tree.path(), &["inspect", "."]);
    let note = "incomplete: b.tf: not decoded (Unclosed block)\n";
    assert!(stderr(&output).contains(note), "{}", stderr(&output));
}

#[test]
fn what_is_not_read_is_part_of_every_answer() {
    let tree = tree(&[
        ("native/main.tf", "locals {\n"),
        ("mixed/main.tf", "locals {}\n"),
        ("mixed/a.tf.json", r#"{"module": {"c": {"source": "hashicorp/consul/aws"}}}"#),
        ("broken/a.tf.json", "{"),
        ("twice/a.tf.json", "{}"),
        ("twice/a.tofu.json", "{}"),
    ]);
    let path = tree.path();
    let gaps = |arguments: &[&str]| {
        let output = run(path, arguments);
        let answer = json(&output);
        (answer["incomplete"].as_array().unwrap().clone(), status(&output))
    };
    let (check, ended) = gaps(&["check", "--format", "json", "--quiet", "native", "mixed"]);
    assert_eq!(ended, 1);
    assert!(check.iter().any(|gap| gap["what"] == "module-call"), "{check:?}");
    for command in ["references", "inspect", "templates", "graph"] {
        let (rows, ended) = gaps(&[command, "--format", "json", "."]);
        let files = rows.iter().filter(|gap| gap["what"] == "file");
        let files: Vec<_> = files.map(|gap| gap["where"][0].as_str().unwrap()).collect();
        assert_eq!((files, ended), (vec!["broken/a.tf.json", "native/main.tf"], 1), "{command}");
        let lines = run(path, &[command, "--format", "ndjson", "native"]);
        let last: serde_json::Value =
            serde_json::from_str(stdout(&lines).lines().last().unwrap()).unwrap();
        assert_eq!(
            (last["incomplete"][0]["where"][0].as_str(), status(&lines)),
            (Some("native/main.tf"), 1)
        );
        let people = run(path, &[command, "--quiet", "native"]);
        let note = "incomplete: native/main.tf: not decoded (Unclosed block)\n";
        assert!(stderr(&people).ends_with(note), "{command}: {}", stderr(&people));
    }
    // Input that was not read is not valid.
    let output = run(path, &["check", "--format", "json", "missing"]);
    assert_eq!((status(&output), &json(&output)["valid"]), (2, &false.into()));
    let (rows, ended) = gaps(&["check", "--format", "json", "missing", "twice/a.tf.json"]);
    assert_eq!(ended, 2);
    assert!(rows.iter().any(|gap| gap["where"][0] == "missing"), "{rows:?}");
    assert!(rows.iter().any(|gap| gap["where"][0] == "twice/a.tf.json"), "{rows:?}");
    let log = json(&run(path, &["check", "--format", "sarif", "native", "missing"]));
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let told = &invocation["toolExecutionNotifications"][0];
    assert_eq!(told["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "missing");
    let lines = run(path, &["check", "--format", "ndjson", "native", "mixed"]);
    assert!(stdout(&lines).ends_with("]}\n"), "{}", stdout(&lines));
}

#[cfg(unix)]
#[test]
fn pipes_are_read_where_they_are_named() {
    let tree = tree(&[("m/a.tf.json", GOOD), ("schema.json", r#"{"mode": "just_attributes"}"#)]);
    let pipe = tree.path().join("m/pipe.tf.json");
    if !Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()) {
        println!("skipped: pipes_are_read_where_they_are_named (no mkfifo)");
        return;
    }
    let writer = {
        let pipe = pipe.clone();
        std::thread::spawn(move || fs::write(pipe, r#"{"n": 1}"#).unwrap())
    };
    let arguments = ["decode", "--schema", "schema.json", "--format", "json", "m/pipe.tf.json"];
    let output = run(tree.path(), &arguments);
    writer.join().unwrap();
    assert_eq!(json(&output)["body"]["attributes"]["n"]["result"]["value"], 1);
    // A pipe that is found in a directory is not read.
    let found = findings(tree.path(), &["m"]);
    assert_eq!(found.len(), 1, "{found:?}");
    let schemas = feed_bytes(
        {
            let mut command = simd_hcl(&[
                "check",
                "--provider-schemas",
                "/dev/stdin",
                "--format",
                "json",
                "m/a.tf.json",
            ]);
            command.current_dir(tree.path());
            command
        },
        PROVIDER_SCHEMAS.as_bytes(),
    );
    assert_eq!(json(&schemas)["error_count"], 0, "{}", stderr(&schemas));
}
