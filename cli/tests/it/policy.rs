//! `plan` with rules: formats, exit statuses, refusals, and the examples of `docs/policy.md`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::tool::{json, run, status, stderr, stdout, tree};

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/policy.md");
    fs::read_to_string(path).unwrap().replace("\r\n", "\n")
}

/// Returns the files that the page shows.
fn files(page: &str) -> Vec<(&str, &str)> {
    let parts = page.split("<!-- file: ").skip(1);
    parts
        .map(|part| {
            let (name, rest) = part.split_once(" -->\n```").unwrap();
            let (_language, text) = rest.split_once('\n').unwrap();
            (name, text.split_once("```\n").unwrap().0)
        })
        .collect()
}

/// Splits a command line with single quotes into words.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for character in line.chars() {
        match character {
            '\'' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(String::new()),
            _ => words.last_mut().unwrap().push(character),
        }
    }
    words
}

#[test]
fn examples_of_the_page() {
    assert_eq!(check_examples(&page(), 1), 2);
}

/// Runs the commands that a page shows, and compares their output. Returns the number of commands.
pub(crate) fn check_examples(page: &str, expected_status: i32) -> usize {
    let directory = tree(&files(page));
    let mut count = 0;
    let start = "text\n$ simd-hcl ";
    for (at, _) in page.match_indices(start) {
        // Markdown output has longer fences.
        let fence = &page[page[..at].trim_end_matches('`').len()..at];
        let (command, rest) = page[at + start.len()..].split_once('\n').unwrap();
        let expected = rest.split_once(&format!("\n{fence}\n")).unwrap().0;
        let words = words(command);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let output = run(directory.path(), &words);
        assert_eq!(stdout(&output), format!("{expected}\n"), "{command}");
        assert_eq!(status(&output), expected_status, "{command}");
        count += 1;
    }
    count
}

#[test]
fn every_format_has_the_findings_and_no_secret() {
    let page = page();
    let directory = tree(&files(&page));
    let print =
        |format: &str| {
            let arguments = ["plan", "plan.json", "--rules", "rules.hcl.json", "--format", format];
            let output = run(directory.path(), &arguments);
            assert_eq!(status(&output), 1, "{format}: {}", stderr(&output));
            assert!(stderr(&output).contains(
                "checked 2 changes by 4 rules: 1 error, 2 warnings, of these 1 undecided"
            ));
            let all = stdout(&output) + &stderr(&output);
            assert!(!all.contains("hunter2"), "{format}: {all}");
            for found in ["is readable by everyone", "cannot be decided", "(sensitive)"] {
                assert!(stdout(&output).contains(found), "{format}: {}", stdout(&output));
            }
            stdout(&output)
        };
    let human = print("human");
    assert!(human.contains("error[no-public-bucket]: Denied by a rule"), "{human}");
    assert!(human.contains("plan.json:4:23") && human.contains("rules.hcl.json:4:5"), "{human}");
    assert!(human.contains("help: Use aws_s3_bucket_public_access_block."), "{human}");
    for format in ["ndjson", "github", "concise", "junit", "gitlab", "azure"] {
        assert!(print(format).contains("no-public-bucket"), "{format}");
    }
    let report: Value = serde_json::from_str(&print("json")).unwrap();
    assert_eq!((&report["valid"], &report["error_count"]), (&false.into(), &1.into()));
    let first = &report["diagnostics"][0];
    assert_eq!((&first["code"], &first["snippet"]), (&"policy-denied".into(), &Value::Null));
    assert_eq!(first["rule"]["url"], "https://example.com/buckets");
    let range = &first["range"];
    let [start, end] = ["start", "end"].map(|it| range[it]["byte"].as_u64().unwrap() as usize);
    assert_eq!(&files(&page)[0].1[start..end], "\"public-read\"");
    let log: Value = serde_json::from_str(&print("sarif")).unwrap();
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let ids: Vec<&str> = rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["keep-databases", "no-public-bucket", "own-region"]);
    assert_eq!(rules[1]["helpUri"], "https://example.com/buckets");
    let result = &run["results"][0];
    assert_eq!((&result["ruleId"], &result["ruleIndex"]), (&"no-public-bucket".into(), &1.into()));
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["byteLength"], 13);
    // With --show-sensitive, secrets are shown.
    let shown = ["plan", "plan.json", "--rules", "rules.hcl.json", "--show-sensitive"];
    assert!(stdout(&crate::tool::run(directory.path(), &shown)).contains("(postgres, hunter2)"));
}

/// The page has the same rules in both syntaxes.
#[test]
fn rules_in_native_syntax_give_the_same_findings() {
    let page = page();
    let directory = tree(&files(&page));
    let print = |rules: &str, format: &str| {
        let arguments = ["plan", "plan.json", "--rules", rules, "--format", format];
        let output = run(directory.path(), &arguments);
        assert_eq!(status(&output), 1, "{}", stderr(&output));
        stdout(&output)
    };
    assert_eq!(print("rules.hcl", "concise"), print("rules.hcl.json", "concise"));
    // The place of the rule, at its name.
    assert!(print("rules.hcl", "human").contains("rules.hcl:5:6"));
}

#[test]
fn exit_statuses() {
    let page = page();
    let mut files = files(&page);
    files.push(("broken.hcl", "rule \"a\" {\n  deny = 1 +\n}\n"));
    let directory = tree(&files);
    for (arguments, expected) in [
        (&["--deny", "false"][..], 0),
        (&["--warn", "true"], 0),
        (&["--deny", "true"], 1),
        (&["--deny", "true", "--action", "update"], 0),
        (&["--deny", "true", "--type", "aws_s3_bucket", "--quiet"], 1),
        (&["--warn", "change.after.none == 1", "--type", "aws_s3_bucket"], 0),
        (&["--deny", "change.after.none == 1", "--type", "aws_s3_bucket"], 1),
        (&["--deny", "resource.arn == 1", "--type", "aws_s3_bucket"], 0),
        (&["--deny", "resource.arn == 1", "--type", "aws_s3_bucket", "--deny-undecided"], 1),
        (&["--deny", "-1 > 0", "--warn", "true", "--warn", "false"], 0),
        (&["--deny", "change.afer == 1"], 2),
        (&["--deny", "1 +"], 2),
        (&["--rules", "missing.json"], 2),
        (&["--rules", "plan.json"], 2),
        (&["--rules", "rules.hcl.json", "--rules", "rules.hcl.json"], 2),
        (&["--rules", "rules.hcl"], 1),
        (&["--rules", "rules.hcl", "--rules", "rules.hcl.json"], 2),
        (&["--rules", "broken.hcl"], 2),
        (&["--rules", "rules.txt"], 2),
        (&["--deny", "true", "--format", "markdown"], 2),
        (&["--format", "sarif"], 2),
        (&["--deny", "true", "--diff"], 2),
        (&["--deny", "true", "--detailed-exitcode"], 2),
    ] {
        let output = run(directory.path(), &[&["plan", "plan.json"][..], arguments].concat());
        assert_eq!(status(&output), expected, "{arguments:?}: {}", stderr(&output));
        assert!(expected < 2 || stdout(&output).is_empty(), "{arguments:?}");
        assert!(expected < 2 || !stderr(&output).is_empty(), "{arguments:?}");
    }
    let output = run(directory.path(), &["plan", "plan.json", "--rules", "rules.txt"]);
    assert!(stderr(&output).contains("must end with .hcl"), "{}", stderr(&output));
    let output = run(directory.path(), &["plan", "plan.json", "--rules", "broken.hcl"]);
    assert!(stderr(&output).contains("broken.hcl:2:"), "{}", stderr(&output));
    let output = run(directory.path(), &["plan", "plan.json", "--deny", "change.afer == 1"]);
    assert!(stderr(&output).contains("Did you mean \"after\"?"), "{}", stderr(&output));
}

/// The answer has the gaps and the errors of the plan.
#[test]
fn incomplete_plans() {
    let plan = r#"{"format_version": "1.2", "planned_values": {}, "errored": true, "resource_changes": [
        {"address": 1, "type": "a", "change": {"actions": ["create"], "after": {}}}]}"#;
    let directory = tree(&[("plan.json", plan)]);
    let output =
        run(directory.path(), &["plan", "plan.json", "--deny", "false", "--format", "json"]);
    let report = json(&output);
    assert_eq!(status(&output), 1);
    assert_eq!(report["incomplete"][0]["why"], "planning failed, so changes may be missing");
    assert_eq!(report["diagnostics"][0]["code"], "unexpected-type");
    let events = "{\"@level\":\"info\",\"@message\":\"x\",\"@module\":\"tofu.ui\",\"type\":\"version\",\"terraform\":\"1\",\"ui\":\"1.2\"}\n";
    let directory = tree(&[("events.json", events)]);
    let output = run(directory.path(), &["plan", "events.json", "--deny", "true"]);
    assert_eq!(status(&output), 2, "{}", stderr(&output));
    assert!(stderr(&output).contains("event stream"), "{}", stderr(&output));
}
