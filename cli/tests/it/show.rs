//! Plans, states and schemas on the command line: every document of `corpus/show` gives its
//! expected output, and no secret is printed unasked.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::policy::check_examples;
use serde_json::Value;

use crate::tool::{feed_bytes, status, stderr, stdout, tree};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/show")
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_simd-hcl"));
    command
        .args(arguments)
        .current_dir(corpus())
        .env("NO_COLOR", "1")
        .env_remove("SIMD_HCL_KERNEL");
    command
}

fn run(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn documents(prefix: &str) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(corpus())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with(prefix) && name.ends_with(".json"))
        .collect();
    names.sort();
    assert!(!names.is_empty());
    names
}

/// Compares the output of some commands with the expected file, or writes it.
fn check(name: &str, commands: &[&[&str]]) {
    let mut found = String::new();
    for arguments in commands {
        let output = run(arguments);
        let status = output.status.code().unwrap();
        let shown = arguments.join(" ");
        writeln!(found, "$ simd-hcl {shown}\n{}", text(&output.stdout)).unwrap();
        if !output.stderr.is_empty() {
            writeln!(found, "standard error:\n{}", text(&output.stderr)).unwrap();
        }
        writeln!(found, "exit status {status}\n").unwrap();
        // Without --show-sensitive, no secret is printed.
        let asked = arguments.contains(&"--show-sensitive");
        assert!(asked || !found.contains("s3cret"), "{name}: {found}");
    }
    let path = corpus().join("expected").join(name.replace(".json", ".txt"));
    if std::env::var_os("SIMD_HCL_BLESS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, found).unwrap();
        return;
    }
    let expected = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert_eq!(found, expected, "{name}: SIMD_HCL_BLESS=1 writes it anew");
}

#[test]
fn examples_of_the_page() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/show.md");
    let page = fs::read_to_string(path).unwrap().replace("\r\n", "\n");
    assert_eq!(check_examples(&page, 0), 5);
}

#[test]
fn plans() {
    for name in documents("plan-") {
        check(
            &name,
            &[
                &["plan", &name],
                &["plan", "--diff", &name],
                &["plan", "--format", "json", &name],
                &["plan", "--format", "tree", &name],
                &["plan", "--format", "markdown", &name],
                &["redact", &name],
            ],
        );
    }
}

#[test]
fn pages_of_plans_hide_what_is_sensitive() {
    for name in documents("plan-") {
        let page = text(&run(&["plan", "--format", "html", &name]).stdout);
        assert!(!page.contains("s3cret"), "{name}");
        assert!(page.is_empty() || page.ends_with("</script>\n</html>\n"), "{name}");
    }
    let page = text(&run(&["plan", "--format", "html", "plan-1.2-opentofu.json"]).stdout);
    for expected in ["\"kind\":\"forget\"", "\"kind\":\"update\"", "(sensitive)"] {
        assert!(page.contains(expected), "{expected}");
    }
}

#[test]
fn pages_of_plans_have_what_is_deferred_and_what_changed_outside() {
    let page = text(&run(&["plan", "--format", "html", "plan-1.2-terraform.json"]).stdout);
    for expected in [
        r#""title":"aws_instance.web[*]","kind":"create","section":"deferred","module":"","notes":["(deferred to a later plan: instance count unknown)""#,
        r#""title":"action.t.y","kind":"action","section":"action","module":"","notes":[]"#,
        r#""title":"action.t.x","kind":"action","section":"deferred","module":"","notes":["(deferred to a later plan)"]"#,
    ] {
        assert!(page.contains(expected), "{expected}");
    }
    let page = text(&run(&["plan", "--format", "html", "plan-0.2.json"]).stdout);
    assert!(page.contains(r#""section":"drift""#));
}

#[test]
fn pages_of_states_have_dependencies() {
    let instances = |kind: &str| {
        let keys = ["a", "b"].map(|key| {
            let needs = if kind == "two" { r#"["module.m.x_y.one", "x_y.root", "x_y.gone"]"# } else { "[]" };
            format!(r#"{{"index_key":"{key}","schema_version":0,"attributes":{{"id":"{kind}-{key}"}},"dependencies":{needs}}}"#)
        });
        keys.join(",")
    };
    let resource = |module: &str, name: &str, instances: &str| {
        format!(
            r#"{{{module}"mode":"managed","type":"x_y","name":"{name}","provider":"provider[\"registry.terraform.io/x/x\"]","instances":[{instances}]}}"#
        )
    };
    let root = r#"{"schema_version":0,"attributes":{"id":"r"},"status":"tainted"}"#;
    let module = r#""module":"module.m","#;
    let resources = [
        resource(module, "one", &instances("one")),
        resource(module, "two", &instances("two")),
        resource("", "root", root),
    ];
    let state = format!(
        r#"{{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"l","outputs":{{"o":{{"value":"</script>","type":"string"}}}},"resources":[{}],"check_results":null}}"#,
        resources.join(",")
    );
    let folder = tree(&[("a.tfstate", &state)]);
    let page = |arguments: &[&str]| {
        let command = [&["state", "a.tfstate", "--format", "html"], arguments].concat();
        let output = crate::tool::run(folder.path(), &command);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        let page = stdout(&output);
        let (_, data) = page.split_once("id=\"data\">").unwrap();
        let data: Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
        (page, data)
    };
    let (text, data) = page(&["--values"]);
    assert!(!text.contains("\"</script>"), "{text}");
    // Instances with the same key, and the one of the root module.
    assert_eq!(data["edges"], serde_json::json!([2, 0, 3, 1, 2, 4, 3, 4]));
    assert_eq!(data["title"], "State: 5 resources");
    assert_eq!(data["noun"], "resource");
    let entries = data["changes"].as_array().unwrap();
    assert_eq!(entries.len(), 6);
    assert_eq!(entries[0]["module"], "module.m");
    assert_eq!(entries[0]["leaves"][0], serde_json::json!(["id", "", "\"one-a\"", ""]));
    assert_eq!(entries[4]["notes"][0], "(tainted)");
    assert_eq!(entries[5]["title"], "output.o");
    let (_, data) = page(&["--type", "x_y", "--address", "x_y.root"]);
    assert_eq!(data["changes"].as_array().unwrap().len(), 2);
    assert_eq!(data["changes"][0]["leaves"], serde_json::json!([]));
    assert_eq!(data["edges"], serde_json::json!([]));
}

#[test]
fn states() {
    for name in documents("state-").into_iter().chain(documents("tfstate-")) {
        check(
            &name,
            &[
                &["state", "--values", &name],
                &["state", "--format", "json", &name],
                &["redact", &name],
            ],
        );
    }
}

#[test]
fn schemas() {
    for name in documents("schemas-") {
        check(
            &name,
            &[
                &["schema", &name, "aws_instance"],
                &["schema", &name, "aws"],
                &["schema", "--format", "ndjson", &name, "aws_instance"],
            ],
        );
    }
}

#[test]
fn csv_has_a_record_for_each_change_or_leaf() {
    let records = |arguments: &[&str]| -> Vec<String> {
        let output = run(&[arguments, &["--format", "csv"]].concat());
        text(&output.stdout).lines().map(str::to_owned).collect()
    };
    let plan = records(&["plan", "plan-1.0.json"]);
    assert_eq!(plan.len(), 3, "{plan:?}");
    assert!(plan[0].starts_with("address,previous_address,module_address,mode,type,name,index,"));
    assert!(plan[1].starts_with("aws_instance.web,aws_instance.old,,managed,aws_instance,web,"));
    let leaves = records(&["plan", "plan-1.0.json", "--diff"]);
    assert!(leaves[0].ends_with(",path,before,after,unknown,sensitive,forces_replacement"));
    let removed = "delete,,,id,\"\"\"i-0\"\"\",,false,false,false";
    assert!(leaves.iter().any(|line| line.ends_with(removed)), "{leaves:?}");
    let state = records(&["state", "tfstate-4.json"]);
    assert!(state[0].starts_with("address,module_address,mode,type,name,index,deposed,tainted,"));
    let values = records(&["state", "tfstate-4.json", "--values"]);
    assert!(values.len() > state.len() && values[0].ends_with(",path,value,sensitive"));
    // Each record has a cell for each column; none of these contains a comma.
    for lines in [&plan, &state] {
        let cells = |line: &String| line.matches(',').count();
        assert!(lines.iter().all(|line| cells(line) == cells(&lines[0])), "{lines:?}");
    }
    for arguments in [
        &["plan", "plan-0.2.json", "--values"][..],
        &["state", "state-1.0.json", "--values"],
        &["state", "tfstate-4.json", "--values"],
    ] {
        assert!(!records(arguments).concat().contains("s3cret"), "{arguments:?}");
        let asked = records(&[arguments, &["--show-sensitive"]].concat()).concat();
        assert!(asked.contains("s3cret"), "{arguments:?}");
    }
    // The paths that force replacement are the same in every format, also those without a
    // difference.
    let entry = serde_json::json!({"address": "a.b", "type": "a", "name": "b", "mode": "managed",
        "change": {"actions": ["delete", "create"], "before": {"x": 1, "y": 1}, "after": {"x": 2, "y": 1},
            "replace_paths": [["y"], ["x"]]}});
    let plan = serde_json::json!({"format_version": "1.2", "planned_values": {}, "resource_changes": [entry]});
    let plan = plan.to_string();
    let csv = text(&feed(&["plan", "--format", "csv", "-"], plan.as_bytes()).stdout);
    assert!(csv.ends_with(",delete create,,,x,x y\n"), "{csv}");
    let lines = text(&feed(&["plan", "--format", "ndjson", "-"], plan.as_bytes()).stdout);
    assert!(lines.contains(r#""forces_replacement":["x","y"]"#), "{lines}");
    // Gaps of the plan are reported on standard error.
    let output = run(&["plan", "plan-1.2-opentofu.json", "--format", "csv", "--quiet"]);
    assert!(text(&output.stderr).contains("incomplete: "), "{}", text(&output.stderr));
}

#[test]
fn filters() {
    let addresses = |arguments: &[&str]| -> Vec<String> {
        let mut all = vec!["plan", "--format", "ndjson", "plan-1.2-opentofu.json"];
        all.extend_from_slice(arguments);
        let output = run(&all);
        // An address that does not exist is an error; a type is a pattern.
        let told = text(&output.stderr);
        let is_missing = told.contains("the plan has no resource") && !told.contains("of the type");
        assert_eq!(output.status.code(), Some(if is_missing { 2 } else { 0 }), "{told}");
        let lines = text(&output.stdout);
        // The last line has the gaps of the plan.
        let name = |line: &str| {
            let change: serde_json::Value = serde_json::from_str(line).unwrap();
            let is_rest = change.get("incomplete").is_some();
            (!is_rest).then(|| change["name"].as_str().unwrap().to_owned())
        };
        lines.lines().filter_map(name).collect()
    };
    let all = ["base", "main", "gone", "swap", "new"];
    assert_eq!(addresses(&[]), all);
    assert_eq!(addresses(&["--type", "aws_ami"]), ["base"]);
    assert_eq!(addresses(&["--action", "update", "--action", "read"]), ["base", "main"]);
    assert_eq!(addresses(&["--action", "replace-forget"]), ["swap"]);
    assert_eq!(addresses(&["--module", "module.app"]), all);
    assert_eq!(addresses(&["--module", "module.app[\"k.1\"].module.db[0]"]), all);
    assert_eq!(addresses(&["--module", "module.app[\"k\"]"]), [""; 0]);
    assert_eq!(addresses(&["--module", ""]), [""; 0]);
    assert_eq!(addresses(&["--address", "module.app.module.db.aws_db.main"]), ["main"]);
    assert_eq!(addresses(&["--address", "aws_db.main"]), [""; 0]);
    assert_eq!(run(&["plan", "plan-0.1.json", "--action", "x"]).status.code(), Some(2));
    assert_eq!(run(&["plan", "plan-0.1.json", "--address", "x"]).status.code(), Some(2));
    assert_eq!(run(&["plan", "plan-0.1.json", "--module", "t.x"]).status.code(), Some(2));
    assert_eq!(run(&["plan", "missing.json"]).status.code(), Some(2));
}

#[test]
fn documents_of_another_kind_are_named() {
    for (arguments, found) in [
        (["plan", "state-1.0.json"], "This is a state, not a plan. `simd-hcl state` reads it."),
        (
            ["plan", "tfstate-4.json"],
            "This is a state file, not a plan. `simd-hcl state` reads it.",
        ),
        (["plan", "tfstate-3.json"], "This is a state file of version 1 to 3, not a plan."),
        (["plan", "schemas-1.0.json"], "This is a schema document, not a plan. `simd-hcl schema`"),
        (["state", "plan-1.0.json"], "This is a plan, not a state. `simd-hcl plan` reads it."),
        (["state", "plan-redacted.json"], "This is a redacted plan, not a state."),
        (["state", "tfstate-5.json"], "This is a state file of version 5, not a state."),
        (["state", "tfstate-encrypted.json"], "The file is encrypted"),
    ] {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let message = text(&output.stderr);
        assert!(message.contains(found), "{arguments:?}: {message}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn what_is_not_there_is_said_with_what_comes_near() {
    let (document, state) = ("plan-1.2-opentofu.json", "state-1.0.json");
    for (command, document, flag, name) in [
        ("plan", document, "--address", "aws_db.none"),
        ("plan", document, "--module", "module.none"),
        ("state", state, "--address", "aws_db.none"),
    ] {
        for more in
            [&[][..], &["--format", "ndjson"], &["--format", "ndjson", "--stream-from", "1"]]
        {
            let arguments = [&[command, document, flag, name], more].concat();
            let output = run(&arguments);
            assert_eq!(output.status.code(), Some(2), "{arguments:?}");
            let message = text(&output.stderr);
            assert!(
                message.contains(" has no resource ") && message.contains("; it has "),
                "{message}"
            );
        }
    }
    let output = run(&["plan", "plan-1.2-opentofu.json", "--type", "aws_bd"]);
    assert_eq!(output.status.code(), Some(0));
    let message = text(&output.stderr);
    assert!(message.contains("has no resource of the type `aws_bd`; it has `aws_db`"), "{message}");
    let output = run(&["plan", "plan-1.2-opentofu.json", "--action", "create"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).starts_with("no change is selected; the plan has "));
}

#[test]
fn exit_status_of_the_tools() {
    let plan = ["plan", "--detailed-exitcode"];
    assert_eq!(run(&[&plan[..], &["plan-1.0.json"]].concat()).status.code(), Some(2));
    assert_eq!(run(&[&plan[..], &["plan-empty.json"]].concat()).status.code(), Some(0));
    assert_eq!(run(&[&plan[..], &["state-1.0.json"]].concat()).status.code(), Some(1));
}

#[test]
fn members_are_printed_without_secrets() {
    let output = run(&["plan", "--planned-values", "plan-0.2.json"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(document["root_module"].is_object());
    assert!(!text(&output.stdout).contains("s3cret"));
    let output = run(&["plan", "--prior-state", "plan-empty.json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("the plan has no `prior_state`"));
}

#[test]
fn markdown_fits_its_budget() {
    for name in documents("plan-") {
        for limit in ["200", "600", "60000"] {
            let output = run(&["plan", "--format", "markdown", "--max-bytes", limit, &name]);
            let printed = text(&output.stdout);
            let most: usize = limit.parse().unwrap();
            // The headline is always printed.
            assert!(printed.len() <= most.max(400), "{name} {limit}: {printed}");
            assert!(!printed.contains("s3cret"), "{name}: {printed}");
        }
        let tree = run(&["plan", "--format", "tree", &name]);
        assert!(!text(&tree.stdout).contains("s3cret"), "{name}");
    }
}

#[test]
fn a_plan_against_itself_does_nothing_new() {
    let output =
        run(&["plan", "plan-1.0.json", "--against", "plan-1.0.json", "--format", "ndjson"]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), String::new()));
    let output =
        run(&["plan", "plan-1.0.json", "--against", "plan-empty.json", "--format", "ndjson"]);
    assert!(!output.stdout.is_empty());
}

#[test]
fn sensitive_values_are_printed_when_asked_for() {
    for arguments in [
        ["plan", "--diff", "--show-sensitive", "plan-0.2.json"],
        ["state", "--values", "--show-sensitive", "state-1.0.json"],
        ["state", "--values", "--show-sensitive", "tfstate-4.json"],
    ] {
        assert!(text(&run(&arguments).stdout).contains("s3cret"));
    }
}

/// Runs the binary with bytes on its standard input.
fn feed(arguments: &[&str], bytes: &[u8]) -> Output {
    feed_bytes(command(arguments), bytes)
}

#[test]
fn a_plan_from_a_pipe() {
    let bytes = fs::read(corpus().join("plan-0.2.json")).unwrap();
    let output = feed(&["plan", "-", "--format", "json"], &bytes);
    assert_eq!(output.stdout, run(&["plan", "--format", "json", "plan-0.2.json"]).stdout);
}

#[test]
fn a_document_that_is_not_understood_is_not_redacted() {
    for bytes in [
        r#"{"resource":{"a":"s3cret"}}"#,
        r#"{"format_version":"1.2","planned_values":{},"resource_changes":[{"address":"t.x","change":{"actions":["create"],"after":{"p":"s3cret"},"after_sensitive":"p"}}]}"#,
        r#"{"format_version":"2.0","planned_values":{},"variables":{"p":{"value":"s3cret"}}}"#,
        r#"{"format_version":"1.2","planned_values":{},"resource_changes":[{"address":"t.x","change":{"actions":["create"],"after":{"p":"s3cret"},"after_sensitive":{"p":"yes"}}}]}"#,
        r#"{"format_version":"1.2","planned_values":{"outputs":{"o":{"sensitive":true,"value":"x","value":"s3cret"}}}}"#,
        r#"{"format_version":"1.2","#,
    ] {
        let output = feed(&["redact", "-"], bytes.as_bytes());
        assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(1), ""));
    }
}
