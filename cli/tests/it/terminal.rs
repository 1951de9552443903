//! No command prints control characters from a file on the terminal.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::tool::{git, run, stderr, stdout, tree};

/// Sets the title, rings the bell, starts new lines, reverses text.
const HOSTILE: &str = "x\u{1b}]0;t\u{7}\r\nINJECTED\u{202e}\u{9b}2J\u{7f}";

/// Returns the text as the content of a JSON string.
fn quoted(text: &str) -> String {
    let text = text.to_owned();
    serde_json::to_string(&text).unwrap().trim_matches('"').to_owned()
}

fn is_harmless(text: &str) -> bool {
    let steers =
        |c: char| c.is_control() || matches!(c, '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    !text.contains(|c| c != '\n' && steers(c))
        && !text.lines().any(|line| line.trim_start().starts_with("INJECTED"))
}

/// Runs a command whose output must show the name, but none of its control characters.
fn check(directory: &Path, arguments: &[&str]) -> Output {
    let output = run(directory, arguments);
    for text in [stdout(&output), stderr(&output)] {
        assert!(is_harmless(&text), "{arguments:?}: {text:?}");
    }
    let all = stdout(&output) + &stderr(&output);
    assert!(all.contains("INJECTED"), "{arguments:?}: {all:?}");
    output
}

/// Errors of usage repeat arguments.
#[test]
fn arguments() {
    let tree = tree(&[("main.tf", "")]);
    for argument in [format!("--{HOSTILE}"), format!("--format={HOSTILE}"), HOSTILE.to_owned()] {
        for command in [&["check", &argument][..], &["expand", "--var", &argument], &[&argument]] {
            let output = run(tree.path(), command);
            let text = stdout(&output) + &stderr(&output);
            assert!(is_harmless(&text), "{command:?}: {text:?}");
        }
    }
    for argument in ["--x\n::error::y", "--format=a\n::error::y", "a\n##[error]y", "--##[error]x"] {
        for command in [&["check", argument][..], &["expand", "--var", argument], &[argument]] {
            let text = stderr(&run(tree.path(), command));
            assert!(
                !text.lines().any(|it| it.trim_start().starts_with("::")),
                "{command:?}: {text}"
            );
            assert!(!text.contains("##["), "{command:?}: {text}");
        }
    }
}

#[test]
fn configuration() {
    // Names in every place that a command prints: labels, keys, references, values, comments of
    // others.
    let text = r#"{
        "variable": {"NAME": {"type": "NAME", "default": "NAME"}, "v": {"default": "NAME"}},
        "locals": {"NAME": "${var.v}", "l": "${upper(\"NAME\")} ${local.m[\"NAME\"]}", "m": {"NAME": 1}},
        "resource": {"a": {"NAME": {"x": "${a.b[\"NAME\"].c}"}, "b": {"for_each": {"NAME": 1}}}},
        "output": {"NAME": {"value": "${local.l}"}, "o": {"value": "${module.NAME.out}${local.m}"}},
        "module": {"NAME": {"source": "./NAME", "version": "NAME"}, "m": {"source": "./called", "NAME": "${var.v}"}},
        "provider": {"NAME": {"alias": "NAME"}},
        "terraform": {"required_version": "NAME", "backend": {"NAME": {}},
            "required_providers": {"NAME": {"source": "NAME", "version": "NAME"}}},
        "check": {"NAME": {"assert": {"condition": "${var.v == 1}", "error_message": "NAME"}}},
        "moved": {"from": "a.b[\"NAME\"]", "to": "a.b"},
        "NAME": 1
    }"#
    .replace("NAME", &quoted(HOSTILE));
    let called = r#"{"output": {"out": {"value": 1}}}"#;
    let tree = tree(&[("main.tf.json", &text), ("called/main.tf.json", called)]);
    let check = |arguments: &[&str]| check(tree.path(), arguments);
    for command in ["check", "inspect", "references", "templates", "graph"] {
        check(&[command, "."]);
    }
    check(&["check", "--select", "all", "."]);
    for format in ["human", "github"] {
        check(&["check", "--format", format, "."]);
        check(&["check", "--level", "syntax", "--format", format, "."]);
    }
    check(&["graph", "--mermaid", "."]);
    check(&["graph", "--format", "svg", "."]);
    check(&["graph", "--format", "html", "."]);
    check(&["graph", ".", "--focus", HOSTILE]);
    check(&["graph", ".", "--type", HOSTILE]);
    check(&["graph", ".", "--module", HOSTILE]);
    // Standard output is JSON for machines.
    assert!(is_harmless(&stderr(&run(tree.path(), &["config", "."]))));
    check(&["expand", "."]);
    check(&["why", "output.o", "."]);
    check(&["check", "--level", "values", "."]);
    check(&["expand", ".", "--address", HOSTILE]);
    check(&["dependents", "var.v", "."]);
    check(&["dependents", HOSTILE, "."]);
    check(&["query", "**", "."]);
    check(&["query", "output.*.value", "."]);
    check(&["query", &format!("output[\"{}\"]", quoted(HOSTILE)), "."]);
    check(&["query", HOSTILE, "."]);
    // The condition is decided for some, undecided for others, and an error.
    check(&["query", "**", ".", "--where", "self.value == 1"]);
    let condition = format!("self.value == \"{}\" + 1", HOSTILE.replace("\r\n", "\\r\\n"));
    check(&["query", "**.default", ".", "--where", &condition]);
    // A patch has the bytes of the files.
    let named = format!("output[\"{}\"]", quoted(HOSTILE));
    for arguments in [
        &["set", "**.default", "1", ".", "--diff"][..],
        &["set", "**.default", "1", ".", "--check"],
        &["set", "output.*.new", HOSTILE, "."],
        &["set", &named, "1", "."],
        &["unset", &named, "."],
        &["rename", "var.v", "w", ".", "--tree", "."],
        &["rename", "var.v", HOSTILE, ".", "--tree", "."],
        &["rename", HOSTILE, "w", ".", "--tree", "."],
        &["move", "var.v", HOSTILE, ".", "--tree", "."],
        &["move", "var.v", &format!("module.{HOSTILE}"), ".", "--tree", "."],
        &["inline", "local.l", ".", "--tree", "."],
        &["extract", "main.tf.json:3:40", HOSTILE, "--tree", "."],
        &["fix-unused", ".", "--tree", "."],
        &["upgrade", "module", HOSTILE, HOSTILE, "."],
        &["upgrade", "provider", HOSTILE, "~> 1", "."],
        &["upgrade", "required-version", HOSTILE, "."],
    ] {
        let output = run(tree.path(), arguments);
        assert!(is_harmless(&stderr(&output)), "{arguments:?}: {output:?}");
    }
    check(&["diff", "called", "."]);
    check(&["diff", ".", "called"]);
    check(&["diff", "main.tf.json", "called/main.tf.json"]);
    check(&["diff", ".", HOSTILE]);
    assert!(is_harmless(&stdout(&run(tree.path(), &["affected", ".", "called/main.tf.json"]))));
    git(tree.path(), &["init", "-q"]);
    check(&["affected", "--since", HOSTILE]);
    check(&["roots", HOSTILE]);
    check(&["affected", "--files-from", HOSTILE]);
    check(&["events", "main.tf.json"]);
    check(&["eval", &format!("\"{}\"", HOSTILE.replace("\r\n", "\\r\\n"))]);
    check(&["eval", &format!("{{\"{}\" = 1}}", HOSTILE.replace("\r\n", "\\r\\n"))]);
    check(&["eval", &format!("x.{}", HOSTILE.replace("\r\n", " "))]);
}

#[test]
fn packer() {
    let text = r#"{
        "variable": {"NAME": {"default": "NAME"}}, "locals": {"NAME": "${var.NAME}", "b": "${local.c}"},
        "source": {"NAME": {"NAME": {}}}, "packer": {"required_plugins": {"NAME": {"source": "NAME"}}},
        "build": {"name": "NAME", "sources": ["source.NAME.NAME"], "provisioner": {"NAME": {"only": ["NAME"]}}}
    }"#
    .replace("NAME", &quoted(HOSTILE));
    let tree = tree(&[("a.pkr.json", &text)]);
    for command in ["check", "inspect"] {
        check(tree.path(), &[command, "."]);
    }
    for command in ["references", "templates", "graph"] {
        let output = run(tree.path(), &[command, "."]);
        assert!(is_harmless(&stdout(&output)), "{command}: {:?}", stdout(&output));
    }
}

#[test]
fn documents() {
    let plan = r#"{
        "format_version": "1.2", "terraform_version": "NAME",
        "resource_changes": [{
            "address": "a.NAME", "previous_address": "a.NAME2", "mode": "managed", "type": "a", "name": "NAME",
            "index": "NAME", "deposed": "NAME", "provider_name": "NAME", "action_reason": "NAME",
            "change": {"actions": ["update"], "before": {"NAME": "NAME"}, "after": {"NAME": "b"},
                "after_unknown": {}, "replace_paths": [["NAME"]]}}],
        "resource_drift": [{"address": "b.NAME", "mode": "managed", "type": "b", "name": "NAME",
            "change": {"actions": ["update"], "before": {"NAME": 1}, "after": {"NAME": 2}}}],
        "output_changes": {"NAME": {"actions": ["create"], "before": null, "after": "NAME"}},
        "checks": [{"address": {"kind": "NAME", "name": "NAME", "to_display": "NAME"}, "status": "fail",
            "instances": [{"address": {"to_display": "NAME"}, "status": "fail",
                "problems": [{"message": "NAME"}]}]}],
        "NAME": 1
    }"#
    .replace("NAME", &quoted(HOSTILE));
    let state = r#"{
        "format_version": "1.0", "terraform_version": "NAME",
        "values": {"outputs": {"NAME": {"value": "NAME", "type": "string"}},
            "root_module": {"resources": [{"address": "a.NAME", "mode": "managed", "type": "a",
                "name": "NAME", "index": "NAME", "provider_name": "NAME", "deposed_key": "NAME",
                "schema_version": 0, "values": {"NAME": "NAME"}}]}}
    }"#
    .replace("NAME", &quoted(HOSTILE));
    let schemas =
        r#"{"format_version": "1.0", "provider_schemas": {"r/h/NAME": {"resource_schemas": {"a": {
        "version": 0, "block": {
            "attributes": {"NAME": {"type": ["object", {"NAME": "string"}], "optional": true}},
            "block_types": {"NAME": {"nesting_mode": "NAME", "block": {}}}}}}}}}"#
            .replace("NAME", &quoted(HOSTILE));
    let rules = r#"{"rule": {"NAME": {"warn": true, "message": "NAME ${change.name}", "help": "NAME", "url": "NAME"},
        "error": {"warn": "${change.after[\"NAME\"].x}", "message": "NAME"}}}"#
        .replace("NAME", &quoted(HOSTILE));
    let wrong = r#"{"rule": {"NAME": {"deny": "${NAME}"}}}"#.replace("NAME", &quoted(HOSTILE));
    let files = [
        ("plan.json", &*plan),
        ("state.json", &*state),
        ("schemas.json", &*schemas),
        ("rules.json", &*rules),
        ("wrong.json", &*wrong),
    ];
    let tree = tree(&files);
    let check = |arguments: &[&str]| check(tree.path(), arguments);
    check(&["plan", "plan.json"]);
    check(&["plan", "--diff", "--show-sensitive", "plan.json"]);
    for format in ["tree", "markdown", "html"] {
        check(&["plan", "--format", format, "plan.json"]);
        check(&["plan", "--format", format, "--show-sensitive", "plan.json"]);
    }
    for format in ["human", "concise", "github", "junit", "azure"] {
        check(&["plan", "plan.json", "--rules", "rules.json", "--format", format]);
    }
    check(&["plan", "plan.json", "--rules", "wrong.json"]);
    check(&["plan", "plan.json", "--rules", HOSTILE]);
    let condition = format!("\"{}\" != \"\"", HOSTILE.replace("\r\n", "\\r\\n"));
    check(&["plan", "plan.json", "--deny", &condition]);
    check(&["state", "state.json"]);
    check(&["state", "--values", "--show-sensitive", "state.json"]);
    check(&["schema", "schemas.json", "a"]);
    check(&["schema", "schemas.json", HOSTILE]);
    check(&["plan", "--address", HOSTILE, "plan.json"]);
}

/// Paths come from archives and pull requests, so they are as untrusted as file contents.
#[cfg(unix)]
#[test]
fn paths() {
    let name = HOSTILE.replace('\n', "n");
    let directory = tempfile::tempdir().unwrap();
    let module = directory.path().join(format!("{name}INJECTED"));
    if fs::create_dir(&module).is_err() {
        println!("skipped: the file system refuses control characters in names");
        return;
    }
    let text = r#"{"locals": {"a": "${local.b}", "c": "${local.a}"}, "output": {"o": {"value": "${local.c}"}}}"#;
    fs::write(module.join(format!("{name}INJECTED.tf.json")), text).unwrap();
    fs::write(module.join("native.tf"), "a=1\n").unwrap();
    let check = |arguments: &[&str]| check(directory.path(), arguments);
    for command in ["check", "inspect", "references", "templates"] {
        check(&[command, "."]);
    }
    check(&["check", "--format", "github", "."]);
    check(&["fmt", "--check", "."]);
    check(&["graph", "--modules", "."]);
    check(&["graph", "--modules", "--mermaid", "."]);
    check(&["query", "output.*.value", "."]);
    fs::create_dir(directory.path().join("empty")).unwrap();
    check(&["diff", "empty", "."]);
    let changed = format!("{name}INJECTED/{name}INJECTED.tf.json");
    fs::write(module.join("terragrunt.hcl"), "inputs = {\n  a = 1\n}\n").unwrap();
    check(&["units", "."]);
    check(&["units", "--render", "."]);
    fs::remove_file(module.join("terragrunt.hcl")).unwrap();
    check(&["docs", "--recursive", "--check", "."]);
    check(&["affected", ".", &changed]);
    check(&["dependents", "local.a", "."]);
    let missing = format!("{name}INJECTED/missing");
    for command in
        ["check", "inspect", "references", "templates", "graph", "plan", "state", "redact", "diff"]
    {
        check(&[command, &missing]);
    }
    check(&["query", "output.*", &missing]);
    check(&["diff", ".", &missing]);
    check(&["affected", "--files-from", &missing]);
    check(&["units", &missing]);
    check(&["docs", &missing]);
    check(&["docs", "--config", &format!("{missing}.yml"), "."]);
    check(&["events", &missing]);
    check(&["config", &missing]);
    check(&["decode", &missing, "--schema", &missing]);
    check(&["decode", &missing, "--spec", &missing]);
    check(&["schema", &missing, "a"]);
    check(&["dependents", "local.a", &missing]);
}
