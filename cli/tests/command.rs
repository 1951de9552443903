//! The binary as its users run it: output, exit status, formats.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

fn simd_hcl(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_simd-hcl"));
    command.args(arguments).env_remove("SIMD_HCL_KERNEL").env("NO_COLOR", "1");
    command
}

fn run(directory: &Path, arguments: &[&str]) -> Output {
    simd_hcl(arguments).current_dir(directory).output().unwrap()
}

fn status(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

fn tree(files: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    directory
}

const GOOD: &str = r#"{"resource": {"aws_instance": {"web": {"ami": "a"}}}}"#;

#[test]
fn check_is_silent_about_what_is_right() {
    let tree = tree(&[("a/main.tf.json", GOOD), ("a/main.tf", ""), ("b/image.pkr.json", "{}")]);
    let output = run(tree.path(), &["check", "."]);
    assert_eq!((status(&output), stdout(&output).as_str()), (0, ""));
    let summary = stderr(&output);
    assert!(summary.contains("checked 2 files"), "{summary}");
    assert!(summary.contains("note: ./a: its native syntax files are not read"), "{summary}");
    let output = run(tree.path(), &["check", "--quiet", "."]);
    assert_eq!(stderr(&output), "");
}

#[test]
fn check_shows_the_place_and_goes_on() {
    let tree = tree(&[
        ("a.tf.json", "{\n  \"locals\": {\"x\": 1,}\n}"),
        ("b.tf.json", "{\"varyable\": {}}"),
        ("c.tf.json", GOOD),
        ("gone/d.tf.json", "{"),
    ]);
    let output = run(tree.path(), &["check", "a.tf.json", "b.tf.json", "c.tf.json", "gone"]);
    assert_eq!(status(&output), 1);
    let text = stdout(&output);
    for part in [
        "error[trailing-comma]: Trailing comma",
        "--> a.tf.json:2:20",
        "2 |   \"locals\": {\"x\": 1,}",
        "Did you mean \"variable\"?",
        "--> gone/d.tf.json:1:2",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(!text.contains(":::"), "{text}");
    assert!(stderr(&output).contains("3 errors, 0 warnings"));
    assert_eq!(status(&run(tree.path(), &["check", "--exit-zero", "a.tf.json"])), 0);
}

#[test]
fn check_cuts_long_lines_to_a_window() {
    let text = format!("{{\"locals\": {{\"a\": \"{}\", \"é\": tru}}}}", "ä".repeat(50_000));
    let tree = tree(&[("a.tf.json", &text)]);
    let output = run(tree.path(), &["check", "a.tf.json"]);
    let human = stdout(&output);
    assert!(human.len() < 1000, "{}", human.len());
    assert!(human.contains("--> a.tf.json:1:50027"), "{human}");
    let output = run(tree.path(), &["check", "--format", "json", "a.tf.json"]);
    let snippet = &json(&output)["diagnostics"][0]["snippet"];
    let code = snippet["code"].as_str().unwrap();
    let offset = |name: &str| snippet[name].as_u64().unwrap() as usize;
    let place = offset("highlight_start_offset")..offset("highlight_end_offset");
    assert_eq!(&code[place], "tru");
    assert!(code.len() < 400);
}

#[test]
fn check_prints_json_in_the_shape_of_validate() {
    let tree =
        tree(&[("a.tf.json", "[{\"locals\": {}}, 1]"), ("b.tf.json", "{\"a\": \"\\ud800\"}")]);
    let output = run(tree.path(), &["check", "--format", "json", "."]);
    let report = json(&output);
    assert_eq!(report["format_version"], "1.0");
    assert_eq!(report["valid"], false);
    assert_eq!(report["error_count"], 2);
    assert_eq!(report["warning_count"], 1);
    let diagnostic = &report["diagnostics"][0];
    assert_eq!(diagnostic["code"], "incorrect-type");
    assert_eq!(diagnostic["severity"], "error");
    assert_eq!(diagnostic["range"]["filename"], "./a.tf.json");
    assert_eq!(diagnostic["range"]["start"]["byte"], 17);
    assert_eq!(diagnostic["range"]["start"]["column"], 18);
    let lines = run(tree.path(), &["check", "--format", "ndjson", "."]);
    assert_eq!(stdout(&lines).lines().count(), 3);
}

#[test]
fn check_follows_what_flags_say_of_codes() {
    let tree = tree(&[("a.tf.json", "{\"locals\": {\"a\": \"\\ud800\"}}")]);
    assert_eq!(status(&run(tree.path(), &["check", "."])), 0);
    assert_eq!(status(&run(tree.path(), &["check", "--deny", "lone-surrogate", "."])), 1);
    let output = run(tree.path(), &["check", "--allow", "lone-surrogate", "."]);
    assert!(stderr(&output).contains("0 errors, 0 warnings"));
    assert_eq!(status(&run(tree.path(), &["check", "--allow", "no-such-code", "."])), 2);
}

#[test]
fn output_is_the_same_for_any_number_of_threads() {
    let files: Vec<(String, String)> = (0..40)
        .map(|number| {
            let text = if number % 3 == 0 { "{\"a\":" } else { "{\"b\": {}}" };
            (format!("m{}/f{number}.tf.json", number % 5), text.to_owned())
        })
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let tree = tree(&files);
    for command in ["check", "inspect"] {
        for format in ["human", "json", "ndjson"] {
            let with = |threads| {
                let arguments = [command, "--format", format, "--threads", threads, "."];
                run(tree.path(), &arguments).stdout
            };
            let one = with("1");
            assert!(!one.is_empty());
            assert_eq!(with("2"), one);
            assert_eq!(with("7"), one);
        }
    }
}

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
    let check = |arguments: &[&str], text: &str| {
        let mut child = simd_hcl(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    };
    let output = check(&["check", "--stdin-name", "x.pkr.json", "-"], "{\"build\": {}}");
    assert_eq!(status(&output), 0, "{}", stdout(&output));
    let output = check(&["check", "--stdin-name", "x.tf.json", "-"], "{\"build\": {}}");
    assert_eq!(status(&output), 1);
    assert!(stdout(&output).contains("--> x.tf.json:1:2"));
    let output = check(&["events", "-"], "[1]");
    assert_eq!(status(&output), 0);
}

#[test]
fn inspect_lists_files_and_blocks() {
    let tree = tree(&[
        ("m/main.tf.json", "{}"),
        ("m/main.tofu.json", GOOD),
        ("m/x_override.tf.json", "{\"locals\": {}}"),
        ("m/native.tf", ""),
    ]);
    let output = run(tree.path(), &["inspect", "--format", "json", "m"]);
    assert_eq!(status(&output), 0);
    let module = &json(&output)[0];
    assert_eq!((&module["path"], &module["dialect"]), (&"m".into(), &"opentofu".into()));
    let files: Vec<String> = module["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| {
            let text = |name: &str| file[name].as_str().unwrap_or("-").to_owned();
            format!("{} {} {}", text("name"), text("role"), text("shadowed_by"))
        })
        .collect();
    assert_eq!(
        files,
        [
            "main.tf.json primary main.tofu.json",
            "main.tofu.json primary -",
            "native.tf native -",
            "x_override.tf.json override -",
        ]
    );
    let block = &module["blocks"][0];
    assert_eq!(block["type"], "resource");
    assert_eq!(block["labels"], serde_json::json!(["aws_instance", "web"]));
    assert_eq!(block["range"]["start"]["column"], 39);
    assert_eq!(module["blocks"][1]["type"], "locals");
}

#[test]
fn decode_prints_bodies_by_schema() {
    let schema = r#"{"mode": "content", "attributes": {"version": {"required": true}},
        "blocks": {"resource": {"labels": ["type", "name"],
            "body": {"mode": "partial", "attributes": {"ami": {}}}}}}"#;
    let tree = tree(&[
        ("a.tf.json", GOOD),
        ("schema.json", schema),
        ("bad.tf.json", "{"),
        ("bad.json", "{,}"),
    ]);
    let output = run(tree.path(), &["decode", "--schema", "schema.json", "a.tf.json"]);
    assert_eq!(status(&output), 1);
    let decoded = json(&output);
    assert_eq!(decoded["parse_diagnostics"], serde_json::json!([]));
    assert_eq!(decoded["body"]["diagnostics"][0]["code"], "missing-argument");
    let block = &decoded["body"]["blocks"][0];
    assert_eq!(block["labels"][1], "web");
    assert_eq!(block["body"]["attributes"]["ami"]["expr_range"]["start"]["byte"], 46);

    let output = run(tree.path(), &["decode", "--schema", "schema.json", "bad.tf.json"]);
    assert_eq!(status(&output), 1);
    assert_eq!(json(&output)["body"], Value::Null);
    let output = run(tree.path(), &["decode", "--schema", "bad.json", "a.tf.json"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("bad.json:1:2"), "{}", stderr(&output));
}

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
fn kernels_can_be_listed_and_forced() {
    let directory = tempfile::tempdir().unwrap();
    let output = run(directory.path(), &["kernels", "--kernel", "portable", "--format", "json"]);
    let kernels = json(&output);
    let used: Vec<&Value> =
        kernels.as_array().unwrap().iter().filter(|kernel| kernel["used"] == true).collect();
    assert_eq!(used.len(), 1);
    assert_eq!(used[0]["name"], "portable");
    assert_eq!(status(&run(directory.path(), &["kernels", "--kernel", "none"])), 2);
    let output = simd_hcl(&["kernels"]).env("SIMD_HCL_KERNEL", "portable").output().unwrap();
    assert!(stdout(&output).contains("* portable"));
}

#[test]
fn completions_and_manual_are_made() {
    let directory = tempfile::tempdir().unwrap();
    assert!(stdout(&run(directory.path(), &["completions", "bash"])).contains("simd-hcl"));
    assert!(stdout(&run(directory.path(), &["man"])).starts_with(".ie"));
}

#[test]
fn a_reader_that_stops_reading_is_no_error() {
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
