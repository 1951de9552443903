//! `check`: findings in all formats, and the effect of flags.

use serde_json::Value;

use crate::tool::{
    GOOD, PROVIDER_SCHEMAS, feed, json, linked_modules, list, run, status, stderr, stdout, tree,
};

#[test]
fn check_is_silent_about_what_is_right() {
    let tree = tree(&[("a/main.tf.json", GOOD), ("a/main.tf", ""), ("b/image.pkr.json", "{}")]);
    let output = run(tree.path(), &["check", "."]);
    assert_eq!((status(&output), stdout(&output).as_str()), (0, ""));
    let summary = stderr(&output);
    assert!(summary.contains("checked 3 files"), "{summary}");
    for level in ["syntax", "module"] {
        let output = run(tree.path(), &["check", "--quiet", "--level", level, "."]);
        assert_eq!((status(&output), stderr(&output).as_str()), (0, ""));
    }
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
    assert_eq!(diagnostic["range"]["filename"], "a.tf.json");
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
    let output = run(tree.path(), &["check", "--deny", "lone-surogate", "."]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("did you mean \"lone-surrogate\"?"), "{}", stderr(&output));
}

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
    // Built-in schemas need no file.
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
fn check_reports_a_fact_once() {
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
fn names_do_not_steer_the_terminal() {
    let text = "{\"\\u001b]0;title\\u0007\\n:::\": 1}";
    let output = feed(&["check", "--color", "always", "-"], text);
    let shown = stdout(&output);
    assert!(!shown.contains("\u{1b}]") && !shown.contains('\u{7}'), "{shown:?}");
    assert!(shown.contains("\"\\u{1b}]0;title\\u{7}\\n:::\" is not"), "{shown:?}");
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
    // The range covers the whole name.
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

const REMOTE: &str = "module \"m\" {\n  source  = \"corp/net/aws\"\n  version = \"1.0\"\n}\n";

/// Returns a tree with an error, a warning, a call of a missing module, and names that every format
/// must escape.
fn mixed() -> tempfile::TempDir {
    let text = r#"{"locals": {"unused": 1}, "output": {"o<&;]%": {"value": "${local.none}"}}}"#;
    tree(&[("a,b;c/m.tf.json", text), ("native/main.tf", REMOTE)])
}

#[test]
fn check_prints_the_formats_of_build_servers() {
    let tree = mixed();
    let check = |format: &str| {
        let output = run(tree.path(), &["check", "--quiet", "--format", format, "."]);
        assert_eq!(status(&output), 1, "{format}");
        (stdout(&output), stderr(&output))
    };
    let (concise, notes) = check("concise");
    let lines: Vec<&str> = concise.lines().collect();
    assert!(lines.iter().all(|line| line.starts_with("a,b;c/m.tf.json:1:")), "{concise}");
    assert!(concise.contains(": error[undeclared-reference]: "), "{concise}");
    assert_eq!(notes, "incomplete: native:module.m: the called module is not installed\n");

    let (azure, notes) = check("azure");
    let issue = "##vso[task.logissue type=error;sourcepath=a,b%3Bc/m.tf.json;linenumber=1;";
    assert!(azure.lines().any(|line| line.starts_with(issue)), "{azure}");
    assert!(
        azure.contains("type=warning;code=incomplete;]incomplete: native:module.m: "),
        "{azure}"
    );
    assert_eq!(notes, "");

    let (gitlab, _) = check("gitlab");
    let issues: Value = serde_json::from_str(&gitlab).unwrap();
    let issues = issues.as_array().unwrap();
    let severities: Vec<_> = issues.iter().map(|it| it["severity"].as_str().unwrap()).collect();
    assert!(severities.contains(&"major") && severities.contains(&"info"), "{gitlab}");
    let mut fingerprints: Vec<_> = issues.iter().map(|it| it["fingerprint"].as_str()).collect();
    fingerprints.sort_unstable();
    fingerprints.dedup();
    assert_eq!(fingerprints.len(), issues.len());
    assert!(issues.iter().all(|it| it["location"]["lines"]["begin"].is_u64()), "{gitlab}");
    // A finding that moves keeps its fingerprint.
    let path = tree.path().join("a,b;c/m.tf.json");
    let moved = format!("\n\n{}", std::fs::read_to_string(&path).unwrap());
    std::fs::write(path, moved).unwrap();
    let (moved, _) = check("gitlab");
    let moved: Value = serde_json::from_str(&moved).unwrap();
    assert_eq!(moved[0]["fingerprint"], issues[0]["fingerprint"]);
    assert_ne!(moved[0]["location"], issues[0]["location"]);

    let (junit, _) = check("junit");
    assert!(junit.contains("<testsuites name=\"simd-hcl\" tests=\""), "{junit}");
    assert_eq!(junit.matches("<failure ").count(), 2, "{junit}");
    assert_eq!(junit.matches("<skipped ").count(), 1, "{junit}");
    assert_eq!(junit.matches("<testcase ").count(), junit.matches("</testcase>").count());
}

#[test]
fn check_takes_lists_of_codes_and_all_warnings() {
    let text = r#"{"locals": {"unused": 1}, "output": {"a": {"value": "\ud800"}}}"#;
    let tree = tree(&[("a.tf.json", text)]);
    let counts = |flags: &[&str]| {
        let report =
            json(&run(tree.path(), &[&["check", ".", "--format", "json"], flags].concat()));
        (report["error_count"].as_u64().unwrap(), report["warning_count"].as_u64().unwrap())
    };
    let (_, all) = counts(&[]);
    assert!(all >= 1);
    assert_eq!(counts(&["--deny", "warnings"]), (all, 0));
    assert_eq!(counts(&["--allow", "warnings"]), (0, 0));
    assert_eq!(counts(&["--deny", "lone-surrogate,trailing-comma"]), (1, all - 1));
    // A code takes precedence over `warnings`.
    assert_eq!(counts(&["--deny", "warnings", "--allow", "lone-surrogate"]), (all - 1, 0));
    assert_eq!(counts(&["--allow", "warnings", "--deny", "lone-surrogate"]), (1, 0));
    assert_eq!(status(&run(tree.path(), &["check", ".", "--allow", "lone-surrogate,nonsense"])), 2);
}

#[test]
fn check_recognises_root_modules() {
    let output = r#"{"output": {"o": {"value": "${sensitive(\"a\")}"}}"#;
    let provider = r#", "provider": {"test": {}}}"#;
    let tree = tree(&[
        ("called/main.tf.json", &format!("{output}{provider}")),
        ("live/main.tf.json", &format!("{output}{provider}")),
        ("live/call.tf.json", r#"{"module": {"m": {"source": "../called"}}}"#),
        ("plain/main.tf.json", &format!("{output}}}")),
    ]);
    let found = |arguments: &[&str]| {
        let concise = ["check", "--format", "concise", "--allow", "redundant-provider"];
        let output = run(tree.path(), &[&concise, arguments].concat());
        let text = stdout(&output);
        let paths = text.lines().filter(|line| line.contains("sensitive-output"));
        paths.map(|line| line.split('/').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found(&["."]), ["live"]);
    assert_eq!(found(&["--root", "plain", "."]), ["live", "plain"]);
    assert_eq!(found(&["--root", "./plain/", "--no-root", "."]), ["plain"]);
    assert_eq!(found(&["--root", "called", "--no-root", "."]), ["called"]);
    assert!(found(&["--no-root", "."]).is_empty());
    for (root, reason) in [("gone", "--root gone: "), ("/", "--root /: no module is checked there")]
    {
        let output = run(tree.path(), &["check", "--root", root, "."]);
        assert_eq!(status(&output), 2);
        assert!(stderr(&output).contains(reason), "{}", stderr(&output));
    }
}

#[test]
fn native_files_are_checked() {
    let broken =
        "resource \"a\" {\n  tags = [\n}\nvaryable \"v\" {}\nlocals = {}\nterraform \"x\" {}\n";
    let tree = tree(&[
        ("m/main.tf", broken),
        ("m/terraform.tfvars", "a = 1\nvariable \"b\" {\n}\n"),
        ("m/a.tofu", "locals {\n  a = 1 +\n}\n"),
        ("m/a.tf", "shadowed ="),
        ("m/tests/t.tftest.hcl", "run \"r\" {\n  command = plan\n}\n"),
        (
            "p/image.pkr.hcl",
            "build {\n  sources = [\"source.null.n\"]\n}\nsource \"null\" \"n\" {\n}\nresource \"a\" \"b\" {}\n",
        ),
    ]);
    for level in ["syntax", "module"] {
        let arguments = ["check", "--quiet", "--format", "concise", "--level", level, "."];
        let output = run(tree.path(), &arguments);
        assert_eq!(status(&output), 1, "{level}");
        let text = stdout(&output);
        let found: Vec<&str> = text.lines().map(|line| line.split("]: ").next().unwrap()).collect();
        assert_eq!(
            found,
            [
                "m/a.tofu:2:10: error[missing-expression",
                "m/main.tf:1:1: error[missing-block-label",
                "m/main.tf:2:10: error[unterminated-tuple",
                "m/main.tf:4:1: error[unsupported-block",
                "m/main.tf:5:1: error[block-as-argument",
                "m/main.tf:6:11: error[extraneous-label",
                match level {
                    "module" => "m/terraform.tfvars:2:1: error[declaration-among-values",
                    _ => "m/terraform.tfvars:2:1: error[unexpected-block",
                },
                "p/image.pkr.hcl:6:1: error[unsupported-block",
            ],
            "{level}\n{text}"
        );
    }
    // A named file is checked alone, regardless of other files in its directory.
    let output = run(tree.path(), &["check", "--quiet", "--format", "concise", "p/image.pkr.hcl"]);
    assert_eq!((status(&output), stdout(&output).lines().count()), (1, 1));
    let output = run(tree.path(), &["check", "--quiet", "--format", "json", "m/tests"]);
    assert_eq!((status(&output), &json(&output)["valid"]), (0, &true.into()));
}

/// Three findings of one code: two in blocks, one in a file of JSON.
const UNKNOWN: [(&str, &str); 2] = [
    (
        "main.tf",
        "resource \"terraform_data\" \"a\" {\n  input = var.gone\n}\n\nresource \"terraform_data\" \"b\" {\n  input = [var.gone]\n}\n",
    ),
    ("more.tf.json", r#"{"output": {"o": {"value": "${var.gone}"}}}"#),
];

/// Returns the places of the findings, as `PATH:LINE`.
fn places(directory: &std::path::Path, flags: &[&str]) -> Vec<String> {
    let arguments = [&["check", "--quiet", "--format", "json"], flags, &["."]].concat();
    let output = run(directory, &arguments);
    let of = |one: &Value| {
        let range = &one["range"];
        format!("{}:{}", range["filename"].as_str().unwrap(), range["start"]["line"])
    };
    json(&output)["diagnostics"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn comments_allow_diagnostics() {
    let text = |allow: &str| {
        let [(_, native), (_, json)] = UNKNOWN;
        let native = format!("# simd-hcl:allow({allow})\n{native}");
        let native =
            native.replace("[var.gone]", &format!("[var.gone] // simd-hcl:allow({allow})"));
        let comment = format!(r#""o": {{"//": ["a", "simd-hcl:allow({allow})"], "#);
        (native, json.replace(r#""o": {"#, &comment))
    };
    let (native, config) = text("no-such-object");
    let code = "undeclared-reference";
    assert_eq!(places(tree(&UNKNOWN).path(), &[]).len(), 3);
    let unknown = tree(&[("main.tf", native.as_str()), ("more.tf.json", config.as_str())]);
    assert_eq!(places(unknown.path(), &[]).len(), 3);
    let output = run(unknown.path(), &["check", "."]);
    assert!(stderr(&output).contains("main.tf:1: no diagnostic has the code `no-such-object`"));
    assert!(stderr(&output).contains("more.tf.json:1: no diagnostic has the code"));
    let (native, config) = text(&format!(" trailing-comma, {code}"));
    let allowed = tree(&[("main.tf", native.as_str()), ("more.tf.json", config.as_str())]);
    assert_eq!(places(allowed.path(), &[]), Vec::<String>::new());
    // Only what is in the block, and only this code.
    let (native, _) = text(code);
    let first = native.replace(&format!(" // simd-hcl:allow({code})"), "");
    let one = tree(&[("main.tf", first.as_str())]);
    assert_eq!(places(one.path(), &[]), ["main.tf:7"]);
    let alone = format!("# simd-hcl:allow({code})\n\n{first}");
    let one = tree(&[("main.tf", alone.as_str())]);
    let output = run(one.path(), &["check", "."]);
    assert!(stderr(&output).contains("main.tf:1: no attribute or block belongs"));
    let open = tree(&[("main.tf", "# simd-hcl:allow(x\nlocals {\n  x = var.gone\n}\n")]);
    let output = run(open.path(), &["check", "."]);
    assert!(stderr(&output).contains("has no closing parenthesis"), "{}", stderr(&output));
}

#[test]
fn a_baseline_hides_what_it_has() {
    let tree = tree(&UNKNOWN);
    let write = ["check", "--baseline", "known.json", "--write-baseline", "."];
    let output = run(tree.path(), &write);
    assert_eq!((status(&output), stdout(&output).as_str()), (0, ""));
    let flags = ["--baseline", "known.json"];
    assert_eq!(places(tree.path(), &flags), Vec::<String>::new());
    // Lines may move, and a second finding with the same text is new.
    let (native, more) =
        (UNKNOWN[0].1, "resource \"terraform_data\" \"c\" {\n  input = var.gone\n}\n");
    std::fs::write(tree.path().join("main.tf"), format!("\n\n{native}{more}")).unwrap();
    assert_eq!(places(tree.path(), &flags), ["main.tf:11"]);
    // From another directory, and with files that are fixed.
    std::fs::write(tree.path().join("main.tf"), "").unwrap();
    let directory = tree.path().join("sub");
    std::fs::create_dir(&directory).unwrap();
    let output = run(&directory, &["check", "--baseline", "../known.json", ".."]);
    assert_eq!(status(&output), 0);
    assert!(stderr(&output).contains("2 findings no longer occur"), "{}", stderr(&output));
    for content in ["{", r#"{"format_version": "9.0", "findings": []}"#] {
        std::fs::write(tree.path().join("known.json"), content).unwrap();
        let output = run(tree.path(), &["check", "--baseline", "known.json", "."]);
        assert_eq!(status(&output), 2, "{}", stderr(&output));
        assert!(stderr(&output).contains("known.json: "), "{}", stderr(&output));
    }
    assert_eq!(status(&run(tree.path(), &["check", "--write-baseline", "."])), 2);
}

#[test]
fn findings_are_counted_and_cut() {
    let tree = tree(&UNKNOWN);
    let output = run(tree.path(), &["check", "--statistics", "."]);
    assert_eq!(status(&output), 1);
    assert!(stdout(&output).starts_with("      3  error["), "{}", stdout(&output));
    let output = run(tree.path(), &["check", "--statistics", "--format", "json", "."]);
    let rows = list(&output, "statistics");
    assert_eq!(rows[0]["count"], 3);
    assert_eq!(status(&run(tree.path(), &["check", "--statistics", "--format", "sarif", "."])), 2);
    let output = run(tree.path(), &["check", "--max-diagnostics", "1", "."]);
    assert_eq!(stdout(&output).matches("-->").count(), 1);
    assert!(stderr(&output).contains("2 more; --max-diagnostics 0 prints all"));
    assert!(stderr(&output).contains("3 errors, 0 warnings"));
    let report = json(&run(tree.path(), &["check", "--max-diagnostics=2", "--format=json", "."]));
    assert_eq!(report["error_count"], 3);
    assert_eq!(report["diagnostics"].as_array().unwrap().len(), 2);
}

/// An error that needs no evaluation is reported once with one, too.
#[test]
fn an_evaluation_does_not_repeat_errors() {
    let single = "resource \"terraform_data\" \"a\" {\n}\n";
    let counted = "resource \"terraform_data\" \"a\" {\n  count = 1\n}\n";
    for (text, code) in [
        (
            format!("{single}output \"o\" {{\n  value = terraform_data.a[0].id\n}}\n"),
            "unexpected-instance-key",
        ),
        (
            format!("{counted}output \"o\" {{\n  value = terraform_data.a.id\n}}\n"),
            "missing-instance-key",
        ),
        ("output \"o\" {\n  value = file(\"${path.module}/nope\")\n}\n".to_owned(), "missing-file"),
        (
            "output \"o\" {\n  value = 1\n  precondition {\n    condition = 1 == 2\n    error_message = \"bad.\"\n  }\n}\n"
                .to_owned(),
            "constant-condition",
        ),
    ] {
        let directory = tree(&[("main.tf", &text)]);
        let arguments = ["check", "--level", "values", "--root", ".", ".", "--format", "json"];
        let output = stdout(&run(directory.path(), &arguments));
        let report: serde_json::Value = serde_json::from_str(&output).unwrap();
        let all = report["diagnostics"].as_array().unwrap().iter();
        let errors: Vec<&str> = all
            .filter(|it| it["severity"] == "error")
            .map(|it| it["code"].as_str().unwrap())
            .collect();
        assert_eq!(errors, [code], "{text}");
    }
}
