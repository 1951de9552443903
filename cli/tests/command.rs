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
    let tree = tree(&[("a.tf.json", "{\"output\": {\"a\": {\"value\": \"\\ud800\"}}}")]);
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
            let text = if number % 3 == 0 { "{\"a\":" } else { "{\"b\": {\"x\": \"${c}\"}}" };
            (format!("m{}/f{number}.tf.json", number % 5), text.to_owned())
        })
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let tree = tree(&files);
    for command in ["check", "inspect", "templates"] {
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

/// Schemas of a provider as `providers schema -json` prints them.
const PROVIDER_SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {
    "registry.opentofu.org/hashicorp/aws": {"resource_schemas": {"aws_instance": {"version": 1, "block": {
        "attributes": {"ami": {"type": "string", "required": true}, "id": {"type": "string", "computed": true}},
        "block_types": {"disk": {"nesting_mode": "map", "max_items": 1, "block": {
            "attributes": {"size": {"type": "number", "optional": true}}}}}}}}}}}"#;

#[test]
fn check_reads_bodies_by_the_schemas_of_providers() {
    let text = r#"{"resource": {"aws_instance": {"a": {"id": "x", "disk": {"a": {"size": "big"}}}},
        "terraform_data": {"b": {"inptu": 1}}}}"#;
    let tree = tree(&[("m/a.tf.json", text), ("schemas.json", PROVIDER_SCHEMAS)]);
    let codes = |arguments: &[&str]| {
        let output = run(tree.path(), arguments);
        assert_eq!(status(&output), 1);
        let report = json(&output);
        let diagnostics = report["diagnostics"].as_array().unwrap().iter();
        diagnostics.map(|it| it["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    // What is built in is known without schemas.
    let check = ["check", "m", "--format", "json"];
    assert_eq!(codes(&check), ["extraneous-property"]);
    let check = ["check", "m", "--format", "json", "--provider-schemas", "schemas.json"];
    assert_eq!(
        codes(&check),
        ["computed-argument", "argument-type", "missing-argument", "extraneous-property"]
    );
    let output = run(tree.path(), &["check", "m", "--provider-schemas", "m/a.tf.json"]);
    assert_eq!(status(&output), 2);
    let wrong_level = ["check", "m", "--level", "syntax", "--provider-schemas", "schemas.json"];
    assert_eq!(status(&run(tree.path(), &wrong_level)), 2);
}

/// The analysis and the schemas both look at values, and a connection serves several provisioners.
#[test]
fn check_tells_a_fact_once() {
    let text = r#"{"resource": {"terraform_data": {"a": {"triggers_replace": {"k": "${1 + 1}", "k": 2},
        "connection": {"user": "u"}, "provisioner": [
            {"local-exec": {"command": "${\"a\" + 1}", "connection": {"host": "h"}}},
            {"local-exec": {"command": "x", "connection": {"host": "h"}}}]}}}}"#;
    let tree = tree(&[("a.tf.json", text)]);
    let output = run(tree.path(), &["check", "a.tf.json", "--format", "json"]);
    let report = json(&output);
    let diagnostics = report["diagnostics"].as_array().unwrap().iter();
    let codes: Vec<_> = diagnostics.map(|it| it["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["duplicate-object-attribute", "missing-argument", "invalid-operand"]);
}

#[test]
fn decode_reads_bodies_by_the_schemas_of_providers() {
    let text = r#"{"resource": {"aws_instance": {"a": {"ami": "x", "count": 1, "disk": {"k": {"size": 1}},
        "lifecycle": {"prevent_destroy": true}}}, "other_thing": {"b": {"c": 1}}},
        "variable": {"v": {"default": 1}}}"#;
    let tree = tree(&[("a.tf.json", text), ("schemas.json", PROVIDER_SCHEMAS)]);
    let output = run(tree.path(), &["decode", "a.tf.json", "--provider-schemas", "schemas.json"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let decoded = json(&output);
    let blocks = &decoded["body"]["blocks"];
    assert_eq!(blocks[0]["labels"], serde_json::json!(["aws_instance", "a"]));
    let body = &blocks[0]["body"];
    assert_eq!(body["attributes"]["ami"]["result"]["value"], "x");
    assert_eq!(body["attributes"]["count"]["result"]["value"], 1);
    let nested = |place: usize| (&body["blocks"][place]["type"], &body["blocks"][place]["labels"]);
    assert_eq!(nested(0), (&"disk".into(), &serde_json::json!(["k"])));
    assert_eq!(body["blocks"][0]["body"]["attributes"]["size"]["result"]["type"], "number");
    assert_eq!(nested(1).0, "lifecycle");
    // What no schema describes is attributes.
    assert_eq!(blocks[1]["body"]["attributes"]["c"]["result"]["value"], 1);
    assert_eq!(blocks[2]["body"]["attributes"]["default"]["result"]["value"], 1);
    let neither = run(tree.path(), &["decode", "a.tf.json"]);
    assert_eq!(status(&neither), 2);
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
    let page = stdout(&run(directory.path(), &["man", "check"]));
    assert!(page.contains(".TH simd-hcl-check 1") && page.contains("exit\\-zero"), "{page}");
    assert_eq!(status(&run(directory.path(), &["man", "none"])), 2);
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

/// The binary with text on its standard input.
fn feed(arguments: &[&str], text: &str) -> Output {
    let mut child = simd_hcl(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that fails early closes its input unread.
    match child.stdin.take().unwrap().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => panic!("{error}"),
        _ => child.wait_with_output().unwrap(),
    }
}

#[test]
fn inspect_reads_standard_input_as_a_module_of_one_file() {
    let output = feed(&["inspect", "--format", "json", "--stdin-name", "m/x.tf.json", "-"], GOOD);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let module = &json(&output)[0];
    assert_eq!(module["path"], "m/x.tf.json");
    assert_eq!(module["files"][0]["role"], "primary");
    assert_eq!(module["blocks"][0]["range"]["filename"], "m/x.tf.json");
}

#[test]
fn names_do_not_steer_the_terminal() {
    let text = "{\"\\u001b]0;title\\u0007\\n:::\": 1}";
    let output = feed(&["check", "--color", "always", "-"], text);
    let shown = stdout(&output);
    assert!(!shown.contains("\u{1b}]") && !shown.contains('\u{7}'), "{shown:?}");
    assert!(shown.contains("is named \"␛]0;title␇␊:::\"."), "{shown:?}");
    let output = feed(&["check", "--format", "json", "-"], text);
    assert_eq!(json(&output)["diagnostics"][0]["snippet"]["code"], text);
}

#[test]
fn very_long_names_are_abridged() {
    let name = format!("a{}", "é".repeat(20_000));
    let text = format!("{{\"{name}\": 1}}");
    assert!(feed(&["check", "-"], &text).stdout.len() < 2000);
    let report = json(&feed(&["check", "--format", "json", "-"], &text));
    let diagnostic = &report["diagnostics"][0];
    assert!(diagnostic["detail"].as_str().unwrap().len() < 2000);
    // The range has all of it.
    assert_eq!(diagnostic["range"]["end"]["byte"], name.len() as u64 + 3);
}

#[test]
fn a_carriage_return_before_the_line_feed_is_not_shown() {
    let report = json(&feed(&["check", "--format", "json", "-"], "{\r\n  \"locals\": tru\r\n}"));
    let snippet = &report["diagnostics"][0]["snippet"];
    assert_eq!(
        (&snippet["code"], &snippet["start_line"]),
        (&"  \"locals\": tru".into(), &2.into())
    );
}

#[test]
fn a_further_place_is_shown_beside_or_below() {
    let text = "{\"locals\": {\"a\": [1}}";
    let shown = stdout(&feed(&["check", "-"], text));
    assert_eq!(shown.matches("-->").count(), 1, "{shown}");
    let text = "{\"locals\": {\"a\": [\n1}}";
    let shown = stdout(&feed(&["check", "-"], text));
    assert_eq!(shown.matches("-->").count(), 2, "{shown}");
}

#[test]
fn decode_follows_the_conformance_cases() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/conformance/hcl-json");
    // Values of some cases nest deeper than serde_json reads; the library's tests have these.
    let read = |path: &Path| -> Option<Value> {
        fs::read(path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok())
    };
    let mut count = 0;
    for group in ["body", "syntax-ok", "expr", "expr-error"] {
        for case in fs::read_dir(cases.join(group)).unwrap() {
            let case = case.unwrap().path();
            let mut arguments =
                vec!["decode", "--format", "ndjson", "--schema", "schema.json", "input.json"];
            if case.join("vars.json").exists() {
                arguments.extend(["--vars", "vars.json"]);
            }
            if case.join("args").exists() {
                arguments.push("--literal");
            }
            let output = run(&case, &arguments);
            // Nested too deep for serde_json in both.
            let Ok(mut decoded) = serde_json::from_slice::<Value>(&output.stdout) else {
                assert!(read(&case.join("expected.json")).is_none(), "{}", case.display());
                continue;
            };
            let ours = read(&case.join("simd-hcl.json"));
            let is_ours = ours.is_some();
            let Some(mut reference) = ours.or_else(|| read(&case.join("expected.json"))) else {
                continue;
            };
            comparable(&mut decoded, is_ours);
            comparable(&mut reference, is_ours);
            assert_eq!(decoded, reference, "{}", case.display());
            let text = decoded.to_string();
            let has_errors = text.contains("\"severity\":\"error\"");
            assert_eq!(status(&output), i32::from(has_errors), "{}", case.display());
            count += 1;
        }
    }
    assert!(count > 300, "{count}");
}

/// Without the texts of diagnostics, which are our own, and with variables sorted, as the reference's output has
/// them. Values are not compared with our own files, which write numbers in another way.
fn comparable(value: &mut Value, is_ours: bool) {
    match value {
        Value::Object(members) => {
            for name in ["summary", "detail", "code", "reference_summaries"] {
                if members.contains_key("severity") {
                    members.remove(name);
                }
            }
            if is_ours {
                members.remove("result");
            }
            if let Some(Value::Array(variables)) = members.get_mut("variables") {
                variables.sort_by_key(|name| name.as_str().unwrap_or_default().to_owned());
            }
            members.values_mut().for_each(|member| comparable(member, is_ours));
        }
        Value::Array(elements) => {
            elements.iter_mut().for_each(|element| comparable(element, is_ours));
        }
        _ => {}
    }
}

#[test]
fn decode_evaluates_attributes() {
    let tree = tree(&[
        ("schema.json", r#"{"mode": "just_attributes"}"#),
        ("vars.json", r#"{"n": 12345678901234567890.5, "who": {"name": "you"}}"#),
        ("none.json", "{}"),
        ("list.json", "[]"),
        ("x.json", r#"{"a": "${n + 1}", "b": ["Hello ${who.name}"], "c": "${who.names[0]}"}"#),
    ]);
    let decode = |flags: &[&str]| {
        let arguments = [&["decode", "--schema", "schema.json", "x.json"], flags].concat();
        run(tree.path(), &arguments)
    };
    let output = decode(&["--vars", "vars.json"]);
    assert_eq!(status(&output), 1);
    assert!(stdout(&output).contains("12345678901234567891.5"), "{}", stdout(&output));
    let attributes = &json(&output)["body"]["attributes"];
    assert_eq!(attributes["a"]["result"]["type"], "number");
    assert_eq!(attributes["b"]["result"]["value"][0], "Hello you");
    assert_eq!(attributes["b"]["variables"][0], "who.name");
    assert_eq!(attributes["c"]["errors"][0]["range"]["start"]["byte"], 57);
    assert_eq!(attributes["c"]["variables"][0], "who.names[0]");

    let output = decode(&["--literal"]);
    assert_eq!(status(&output), 0);
    let attributes = &json(&output)["body"]["attributes"];
    assert_eq!(attributes["a"]["result"]["value"], "${n + 1}");
    assert_eq!(attributes["a"]["variables"][0], "n");

    let error =
        |output: &Output| json(output)["body"]["attributes"]["a"]["errors"][0]["code"].clone();
    assert_eq!(error(&decode(&[])), "unknown-variable");
    assert_eq!(error(&decode(&["--vars", "none.json"])), "variables-not-allowed");
    assert_eq!(status(&decode(&["--vars", "list.json"])), 2);
    assert_eq!(status(&decode(&["--vars", "missing.json"])), 2);
    assert_eq!(status(&decode(&["--vars", "vars.json", "--literal"])), 2);
}

#[test]
fn templates_lists_every_template_with_its_references() {
    let main = r#"{"resource": {"aws_instance": {"web": {
        "ami": "${var.ami}-\u00e9-${local.names[0]}", "plain": "text", "escaped": "$${not}",
        "tags": [{"a.b": "%{ if var.on }yes%{ endif }"}], "${var.key}": 1}}}}"#;
    let tree =
        tree(&[("m/a.tf.json", main), ("m/b.tf.json", "{\"locals\": {\"x\": \"${var.y\"}}")]);
    let output = run(tree.path(), &["templates", "--format", "json", "m/a.tf.json"]);
    assert_eq!(status(&output), 0);
    let listed = json(&output);
    let paths: Vec<&str> =
        listed.as_array().unwrap().iter().map(|one| one["path"].as_str().unwrap()).collect();
    assert_eq!(
        paths,
        [
            "resource.aws_instance.web.ami",
            "resource.aws_instance.web.escaped",
            "resource.aws_instance.web.tags[0][\"a.b\"]",
            "resource.aws_instance.web[\"${var.key}\"]",
        ]
    );
    assert_eq!(listed[0]["text"], "${var.ami}-é-${local.names[0]}");
    assert_eq!(listed[0]["traversals"][1]["text"], "local.names[0]");
    // Exact behind the escape.
    let start = main.find("local.names").unwrap();
    assert_eq!(listed[0]["traversals"][1]["range"]["start"]["byte"], start);
    assert_eq!(listed[3]["key"], true);

    let output = run(tree.path(), &["templates", "m"]);
    assert_eq!(status(&output), 1);
    assert!(stdout(&output).contains("a.tf.json:2:16  resource.aws_instance.web.ami"));
    assert!(stdout(&output).contains("    -> var.on"));
    assert!(stderr(&output).contains("b.tf.json:1:"), "{}", stderr(&output));
    let lines = run(tree.path(), &["templates", "--format", "ndjson", "m/a.tf.json"]);
    assert_eq!(stdout(&lines).lines().count(), 4);
    let nothing = feed(&["templates", "--format", "json", "-"], "{\"a\": \"b\"}");
    assert_eq!((status(&nothing), json(&nothing)), (0, serde_json::json!([])));
    assert_eq!(status(&run(tree.path(), &["templates", "missing"])), 2);
}

#[test]
fn eval_prints_values_as_a_console_does() {
    let tree = tree(&[("vars.json", r#"{"n": 3, "o": {"a": ["x", null]}, "s": "a\nb\n"}"#)]);
    let eval = |arguments: &[&str]| {
        run(tree.path(), &[&["eval", "--vars", "vars.json"], arguments].concat())
    };
    let shown = |expression| stdout(&eval(&[expression]));
    assert_eq!(shown("1 + n * 2"), "7\n");
    assert_eq!(shown("-n"), "-3\n");
    assert_eq!(shown("\"a\\\"$${b} ${n}\""), "\"a\\\"$${b} 3\"\n");
    assert_eq!(shown("o"), "{\n  \"a\" = [\n    \"x\",\n    null,\n  ]\n}\n");
    assert_eq!(shown("[]"), "[]\n");
    assert_eq!(shown("n > 5 ? [\"a\"] : [\"a\", \"b\"]"), "tolist([\n  \"a\",\n  \"b\",\n])\n");
    assert_eq!(shown("s"), "<<EOT\na\nb\nEOT\n");
    assert_eq!(shown("upper(o.a[0])"), "\"X\"\n");
    assert_eq!(shown("sensitive(n)"), "(sensitive value)\n");
    assert_eq!(
        stdout(&eval(&["--template", "${n} is %{ if n == 3 }three%{ endif }"])),
        "\"3 is three\"\n"
    );

    let output = eval(&["--format", "json", "[sensitive(n)]"]);
    assert_eq!(json(&output)["result"], serde_json::json!({"sensitive": true}));
    let output = eval(&["--format", "json", "{a = n, b = 1e30}"]);
    assert_eq!(json(&output)["result"]["type"][1]["a"], "number");
    assert_eq!(json(&output)["variables"][0], "n");
    assert!(stdout(&output).contains("1000000000000000000000000000000"), "{}", stdout(&output));

    let output = eval(&["n +\n missing"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (1, ""));
    assert!(stderr(&output).contains("--> expression:2:2"), "{}", stderr(&output));
    assert!(stderr(&output).contains("2 |  missing"), "{}", stderr(&output));
    let output = eval(&["--format", "ndjson", "1 +"]);
    assert_eq!(status(&output), 1);
    assert_eq!(json(&output)["errors"][0]["range"]["filename"], "expression");
    assert_eq!(stdout(&feed(&["eval", "-"], "1 + 1")), "2\n");
}

#[test]
fn decode_keeps_the_order_of_schema_and_source() {
    let schema = r#"{"attributes": {"z": {"required": true}, "a": {"required": true}}}"#;
    let tree = tree(&[("schema.json", schema), ("x.json", "{}"), ("y.json", r#"{"z":1,"a":2}"#)]);
    let decode = |file| run(tree.path(), &["decode", "--schema", "schema.json", file]);
    let missing = json(&decode("x.json"));
    let details: Vec<&str> = missing["body"]["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|diagnostic| diagnostic["detail"].as_str().unwrap())
        .collect();
    assert!(details[0].contains("\"z\"") && details[1].contains("\"a\""), "{details:?}");
    let text = stdout(&decode("y.json"));
    assert!(text.find("\"z\"").unwrap() < text.find("\"a\"").unwrap());
    let places = ["parse_diagnostics", "attributes", "blocks", "missing_item_range"]
        .map(|name| text.find(name).unwrap());
    assert!(places.is_sorted(), "{text}");
}

#[test]
fn decode_does_not_recurse_on_the_input() {
    let deep = format!("{{\"a\": {}{}}}", "[".repeat(9_000), "]".repeat(9_000));
    let tree = tree(&[("schema.json", r#"{"attributes": {"a": {}}}"#), ("deep.json", &deep)]);
    let output = run(tree.path(), &["decode", "--schema", "schema.json", "deep.json"]);
    assert_eq!(status(&output), 0);
    let deep_schema =
        format!("{}{}", r#"{"blocks":{"b":{"body":"#.repeat(5000), "}}}".repeat(5000));
    fs::write(tree.path().join("schema.json"), deep_schema).unwrap();
    let output = run(tree.path(), &["decode", "--schema", "schema.json", "deep.json"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("nesting-too-deep"), "{}", stderr(&output));
}

#[test]
fn stats_tell_files_bytes_and_memory() {
    let tree = tree(&[("a.tf.json", GOOD), ("b.tf.json", "{")]);
    let arguments = ["check", "--stats", "--quiet", "--threads", "2", "."];
    let stats = stderr(&run(tree.path(), &arguments));
    for line in
        ["files:       2\n", &format!("bytes:       {}\n", GOOD.len() + 1), "threads:     2\n"]
    {
        assert!(stats.contains(line), "{line} in {stats}");
    }
    assert_eq!(cfg!(target_os = "linux"), stats.contains("peak memory:"));
    let stats = stderr(&run(tree.path(), &["events", "--stats", "b.tf.json"]));
    assert!(stats.contains("threads:     1"), "{stats}");
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
    assert!(stdout(&output).contains("\u{FFFD}␛[31m.tf.json"), "{:?}", stdout(&output));
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

#[test]
fn flags_that_make_no_sense_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    for arguments in [
        &["check", "--threads", "100000", "."][..],
        &["check", "--format", "yaml", "."],
        &["check"],
        &["decode", "x.json"],
        &["check", "--level", "semantic", "."],
    ] {
        let output = run(directory.path(), arguments);
        assert_eq!((status(&output), stdout(&output).as_str()), (2, ""), "{arguments:?}");
    }
}

/// Two modules: one calls the other.
fn linked_modules() -> tempfile::TempDir {
    tree(&[
        (
            "app/main.tf.json",
            r#"{"resource": {"vpc": {"main": {}}, "host": {"h": {"net": "${module.net.id}", "x": "${vpc.man.id}"}}},
                "module": {"net": {"source": "../net", "vpc": "${vpc.main.id}"}}}"#,
        ),
        (
            "net/main.tf.json",
            r#"{"variable": {"vpc": {"type": "string"}}, "output": {"id": {"value": "${var.vpc}"}}}"#,
        ),
    ])
}

#[test]
fn references_are_listed() {
    let tree = linked_modules();
    let output = run(tree.path(), &["references", "app", "--format", "json"]);
    assert_eq!(status(&output), 0);
    let rows = json(&output);
    let rows: Vec<_> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            ["from", "to", "kind", "text"].map(|name| row[name].as_str().unwrap().to_owned())
        })
        .collect();
    let row = |cells: [&str; 4]| cells.map(str::to_owned);
    let expected = [
        row(["host.h", "module.net.id", "module", "module.net.id"]),
        row(["host.h", "vpc.man", "resource", "vpc.man.id"]),
        row(["module.net", "vpc.main", "resource", "vpc.main.id"]),
    ];
    assert_eq!(rows, expected);
    let output = run(tree.path(), &["references", "."]);
    assert!(
        stdout(&output).contains("main.tf.json:1:61: host.h -> module.net.id"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn dependents_and_graphs_go_across_modules() {
    let tree = linked_modules();
    let output = run(tree.path(), &["dependents", ".", "vpc.main", "--format", "json"]);
    let rows = json(&output);
    let addresses: Vec<_> =
        rows.as_array().unwrap().iter().map(|row| row["address"].as_str().unwrap()).collect();
    assert_eq!(addresses, ["var.vpc", "output.id", "host.h"]);
    let output = run(tree.path(), &["dependents", ".", "vpc.other"]);
    assert_eq!(status(&output), 2);

    let output = run(tree.path(), &["graph", ".", "--modules"]);
    assert!(stdout(&output).contains("\"./app\" -> \"./net\";"), "{}", stdout(&output));
    let output = run(tree.path(), &["graph", "app", "--mermaid"]);
    let begin = "flowchart LR\n  n0[\"app:vpc.main\"]";
    assert!(stdout(&output).starts_with(begin), "{}", stdout(&output));
    let output = run(tree.path(), &["graph", ".", "--format", "json"]);
    assert_eq!(json(&output)["nodes"].as_array().unwrap().len(), 5);
}

#[test]
fn check_looks_at_modules() {
    let tree = linked_modules();
    let output = run(tree.path(), &["check", "--level", "syntax", "."]);
    assert_eq!(status(&output), 0);
    let output = run(tree.path(), &["check", ".", "--format", "json"]);
    assert_eq!(status(&output), 1);
    let report = json(&output);
    assert_eq!(report["error_count"], 1);
    assert_eq!(report["diagnostics"][0]["code"], "undeclared-reference");
    assert!(report["diagnostics"][0]["detail"].as_str().unwrap().contains("vpc.man"));
}

#[test]
fn inspect_has_typed_lists() {
    let tree = linked_modules();
    let output = run(tree.path(), &["inspect", ".", "--format", "json"]);
    let modules = json(&output);
    assert_eq!(modules[0]["resources"][1]["address"], "host.h");
    assert_eq!(modules[0]["module_calls"][0]["source"], "../net");
    assert_eq!(modules[0]["module_calls"][0]["arguments"][0], "vpc");
    assert_eq!(modules[1]["variables"][0]["type"], "string");
    assert_eq!(modules[1]["variables"][0]["required"], true);
    assert_eq!(modules[1]["outputs"][0]["name"], "id");
    let reference = &modules[0]["references"][0];
    assert_eq!(reference["from"], "host.h");
    assert_eq!(reference["to"], "module.net.id");
    assert!(reference.get("module").is_none());
    assert_eq!(modules[0]["required_versions"], serde_json::json!([]));
}

/// A template of Packer in two files.
fn template() -> tempfile::TempDir {
    tree(&[
        (
            "image/a.pkr.json",
            r#"{
  "packer": {
    "required_version": ">= 1.9",
    "required_plugins": {"docker": {"version": ">= 1", "source": "github.com/hashicorp/docker"}}
  },
  "source": {"docker": {"base": {"image": "${var.from}", "tags": "${local.tags}"}}},
  "build": [
    {
      "name": "b",
      "sources": ["source.docker.base"],
      "provisioner": {"shell": {"only": ["docker.base"]}, "file": {}},
      "post-processors": [{"post-processor": {"docker-tag": {}, "docker-push": {}}}]
    }
  ],
  "hcp_packer_registry": {"bucket_name": "images"}
}"#,
        ),
        (
            "image/b.pkr.json",
            r#"{
  "variable": {"from": {"type": "string", "validation": []}},
  "variables": {"zone": 1.0},
  "locals": {"tags": ["${var.zone}"]}
}"#,
        ),
        ("image/c.auto.pkrvars.json", "{\"from\": \"alpine\"}"),
    ])
}

#[test]
fn inspect_has_typed_lists_of_templates() {
    let tree = template();
    let output = run(tree.path(), &["inspect", "image", "--format", "json"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let template = &json(&output)[0];
    assert_eq!(template["dialect"], "packer");
    assert_eq!(template["files"][2]["role"], "variables");
    assert_eq!(template["blocks"].as_array().unwrap().len(), 7);
    let place = |value: &serde_json::Value| {
        let start = &value["range"]["start"];
        (start["line"].as_u64().unwrap(), start["column"].as_u64().unwrap())
    };
    assert_eq!(template["required_versions"][0]["version"], ">= 1.9");
    let plugin = &template["required_plugins"]["docker"][0];
    assert_eq!(plugin["source"], "github.com/hashicorp/docker");
    assert_eq!(place(plugin), (4, 26));
    let variables = &template["variables"];
    assert_eq!((&variables[0]["name"], &variables[0]["type"]), (&"from".into(), &"string".into()));
    assert_eq!((&variables[0]["required"], place(&variables[0])), (&true.into(), (2, 24)));
    assert!(stdout(&output).contains("\"default\": 1.0"), "{}", stdout(&output));
    assert_eq!((&variables[1]["required"], place(&variables[1])), (&false.into(), (3, 17)));
    assert_eq!((&template["locals"][0]["name"], place(&template["locals"][0])).1, (4, 14));
    let source = &template["sources"][0];
    assert_eq!((&source["address"], place(source)), (&"source.docker.base".into(), (6, 33)));
    let build = &template["builds"][0];
    assert_eq!((&build["name"], place(build)), (&"b".into(), (8, 5)));
    assert_eq!(build["sources"][0]["address"], "source.docker.base");
    assert_eq!(build["provisioners"][0]["only"], serde_json::json!(["docker.base"]));
    assert_eq!(build["provisioners"][1]["type"], "file");
    assert_eq!(build["post_processors"][0][1]["type"], "docker-push");
    assert_eq!(template["hcp_packer_registries"][0]["bucket_name"], "images");

    let output = run(tree.path(), &["inspect", "image"]);
    assert!(stdout(&output).contains("\n  builds: source.docker.base\n"), "{}", stdout(&output));
}

#[test]
fn references_of_templates() {
    let tree = template();
    let output = run(tree.path(), &["references", "image"]);
    assert_eq!(
        stdout(&output),
        "image/b.pkr.json:4:26: local.tags -> var.zone\n\
         image/a.pkr.json:6:46: source.docker.base -> var.from\n\
         image/a.pkr.json:6:69: source.docker.base -> local.tags\n\
         image/a.pkr.json:10:19: build[0] -> source.docker.base\n"
            .replace("image/", &format!("image{}", std::path::MAIN_SEPARATOR))
    );
}

#[test]
fn defaults_of_templates_are_read_in_either_way() {
    let tree = tree(&[("a.pkr.json", r#"{"variable": {"a": {"default": "${b}"}}}"#)]);
    let check = |defaults| {
        let arguments = ["check", "--packer-defaults", defaults, "--format", "json", "."];
        json(&run(tree.path(), &arguments))["error_count"].clone()
    };
    assert_eq!((check("actual"), check("documented")), (1.into(), 0.into()));
}

#[test]
fn nothing_is_wrong_with_the_shipped_monorepo() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let output = run(root, &["check", "--format", "json", "corpus/monorepo"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let report = json(&output);
    assert_eq!(report["diagnostics"], serde_json::json!([]));
}

#[test]
fn config_prints_the_representation() {
    let tree = linked_modules();
    fs::write(tree.path().join("schemas.json"), r#"{"format_version": "1.0"}"#).unwrap();
    let output = run(tree.path(), &["config", "app", "--provider-schemas", "schemas.json"]);
    let printed = json(&output);
    // The reference to an output that there is not is an error, and no reason to print nothing.
    assert_eq!(status(&output), 1);
    assert!(stderr(&output).contains("vpc.man"), "{}", stderr(&output));
    assert_eq!(printed["root_module"]["module_calls"]["net"]["source"], "../net");
    let line = run(tree.path(), &["config", "app", "--format", "json"]);
    assert_eq!(stdout(&line).lines().count(), 1);
    assert_eq!(status(&run(tree.path(), &["config", "nothing"])), 2);
    assert_eq!(status(&run(tree.path(), &["config", "app", "--provider-schemas", "none"])), 2);
}

#[test]
fn check_annotates_pull_requests() {
    let tree = tree(&[(
        "a,b/é.tf.json",
        "{\"locals\": {\"a\": 1, \"a\": 2}, \"output\": {\"ö\": {\"value\": \"${local.b}%\"}}}",
    )]);
    let output = run(tree.path(), &["check", "--format", "github", "."]);
    assert_eq!(status(&output), 1);
    let text = stdout(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[1].starts_with("::error file=a%2Cb/é.tf.json,line=1,endLine=1,col=21,endColumn=23,"),
        "{text}"
    );
    assert!(lines[1].contains("%0A"), "the first place is named: {text}");
    assert!(lines.iter().all(|line| line.starts_with("::")), "{text}");
}

#[test]
fn check_prints_sarif() {
    let tree = tree(&[
        ("a b/m.tf.json", "{\"output\": {\"öö\": {\"value\": \"${local.b}\"}}}"),
        ("broken.tf.json", "{"),
        ("twice.tf.json", "{\"variable\": [{\"a\": {}}, {\"a\": {}}]}"),
    ]);
    let output = run(tree.path(), &["check", "--format", "sarif", "."]);
    let log = json(&output);
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap();
    for result in results {
        let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
    }
    let of = |code: &str| results.iter().find(|result| result["ruleId"] == code).unwrap();
    let place = &of("undeclared-reference")["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "a%20b/m.tf.json");
    assert_eq!(place["region"]["startColumn"], 32);
    assert_eq!(place["region"]["byteOffset"], 33);
    assert_eq!(place["region"]["snippet"]["text"], "local.b");
    let twice = of("duplicate-declaration");
    assert_eq!(twice["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 1);
}

#[test]
fn inspect_has_the_shape_of_terraform_config_inspect() {
    let tree = tree(&[(
        "m/main.tf.json",
        r#"{"terraform": {"required_version": ">= 1.5", "required_providers": {"x": {"source": "corp/x", "version": "~> 2.0"}}},
            "provider": {"x": {"alias": "far", "version": "2.1"}},
            "variable": {"a": {"type": "list(string)", "default": [1.50, "${b}"]}, "b": {"sensitive": true}},
            "output": {"o": {"value": 1, "description": "an output"}},
            "resource": {"y_z": {"r": {}}}, "data": {"x_d": {"d": {"provider": "x.far"}}},
            "module": {"c": {"source": "./gone", "version": null}}}"#,
    )]);
    let output = run(tree.path(), &["inspect", "--compat", "--format", "ndjson", "m"]);
    let module: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let pos = serde_json::json!({"filename": "m/main.tf.json", "line": 3});
    let expected = serde_json::json!({
        "a": {"name": "a", "type": "list(string)", "default": [1.5, "${b}"], "required": false, "pos": pos},
        "b": {"name": "b", "default": null, "required": true, "sensitive": true, "pos": pos},
    });
    assert_eq!(module["variables"], expected);
    assert_eq!(module["path"], "m");
    assert_eq!(module["outputs"]["o"]["description"], "an output");
    assert_eq!(module["required_core"], serde_json::json!([">= 1.5"]));
    let expected = serde_json::json!({
        "x": {"source": "corp/x", "version_constraints": ["~> 2.0", "2.1"]}, "y": {},
    });
    assert_eq!(module["required_providers"], expected);
    assert_eq!(module["provider_configs"]["x.far"]["alias"], "far");
    assert_eq!(module["managed_resources"]["y_z.r"]["provider"]["name"], "y");
    assert_eq!(module["data_resources"]["data.x_d.d"]["provider"]["alias"], "far");
    assert_eq!(module["module_calls"]["c"]["source"], "./gone");
    assert_eq!(module["diagnostics"][0]["pos"]["line"], 6);
    assert_eq!(status(&output), 1);
}
