//! Runs the examples on the corpus.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;

/// Runs a program in the root of the repository, and returns exit status, output and errors.
fn run(program: &str, arguments: &[&str]) -> (i32, String, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(program).args(arguments).current_dir(root).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap().replace('\\', "/");
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn resources_of_a_tree() {
    let (status, out, _) = run(env!("CARGO_BIN_EXE_resources"), &["corpus/monorepo"]);
    assert_eq!(status, 0);
    let network = "corpus/monorepo/platform/cdktf.out/stacks/network/cdk.tf.json";
    let is_there = |line: &str| line.starts_with(network) && line.contains(": aws_flow_log.");
    assert!(out.lines().any(is_there), "{out}");
    assert!(out.lines().count() > 20, "{out}");
    let (status, _, error) = run(env!("CARGO_BIN_EXE_resources"), &["no/such/directory"]);
    assert!(status == 1 && error.contains("no/such/directory"), "{error}");
}

#[test]
fn a_schema_of_its_own() {
    let (status, out, _) = run(env!("CARGO_BIN_EXE_own_schema"), &["examples/services.hcl.json"]);
    assert_eq!(status, 0);
    let expected = "line 4: web × 3 in eu-central-1, port 8080\nline 5: worker × 1 in eu-central-1, port 9090\n";
    assert_eq!(out, expected);
    let (status, out, _) = run(env!("CARGO_BIN_EXE_own_schema"), &["examples/services.hcl"]);
    assert_eq!(
        (status, out),
        (0, expected.replace("line 4", "line 3").replace("line 5", "line 8"))
    );
    // The error that `main` returns is printed readably, with its position.
    let (status, _, error) = run(env!("CARGO_BIN_EXE_own_schema"), &["examples/rules.hcl.json"]);
    assert_eq!(status, 1);
    assert!(error.contains("examples/rules.hcl.json:"), "{error}");
    assert!(error.contains("missing field `region`"), "{error}");
    assert!(!error.contains("Inner"), "{error}");
}

/// Counts the lines of the schema and of the code that reads it, without imports and comments.
#[test]
fn a_schema_of_its_own_takes_less_than_thirty_lines() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/own_schema.rs");
    let text = std::fs::read_to_string(file).unwrap();
    let is_code =
        |line: &&str| !line.is_empty() && !line.starts_with("//!") && !line.starts_with("use ");
    let count = text.lines().filter(is_code).count();
    assert!(count < 30, "{count} lines");
}

#[test]
fn a_policy_on_a_plan() {
    let plan = "corpus/show/plan-1.2-opentofu.json";
    let (status, out, _) =
        run(env!("CARGO_BIN_EXE_plan_policy"), &["examples/rules.hcl.json", plan]);
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("no-small-database"), "{out}");
    assert!(out.contains("Databases need more room."), "{out}");
    assert!(!out.contains("s3cret"), "{out}");
    let (status, out, _) = run(
        env!("CARGO_BIN_EXE_plan_policy"),
        &["examples/rules.hcl.json", "corpus/show/plan-empty.json"],
    );
    assert_eq!((status, out.as_str()), (0, ""));
}

#[test]
fn a_rule_of_its_own() {
    let (status, out, _) = run(env!("CARGO_BIN_EXE_lint"), &["corpus/monorepo"]);
    assert_eq!(status, 0);
    assert!(out.contains("warning[acme-description]: Variable without a description"), "{out}");
    assert!(out.contains("Add `\"description\"`."), "{out}");
}
