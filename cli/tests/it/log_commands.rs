//! Text for people goes into logs of services, which take some lines for commands: no name, value,
//! message or line of a file becomes one.
#![cfg(unix)]

use std::fs;

use crate::tool::{feed, run, simd_hcl, stderr, stdout, tree};

/// Panics if a service would take a line for a command.
fn check(text: &str) {
    for line in text.lines() {
        let start = line.trim();
        assert!(!start.starts_with("::"), "{line}");
        // Anywhere in a line.
        assert!(!line.contains("##[") && !line.contains("##vso["), "{line}");
    }
}

const NAMES: [&str; 4] =
    ["::stop-commands::pause", "##[add-mask]a", "##vso[task.complete]a", " ::error::a"];

#[test]
fn files_with_names_of_commands() {
    for name in NAMES {
        let text = format!(
            "locals {{\na=1\nb = local.zz\n}}\n\noutput \"{name}\" {{\n  value = \"{name}\"\n  {name}\n}}\n"
        );
        let tree = tree(&[("m/main.tf", "output \"a\" {\n  value = 1\n}\n")]);
        let directory = tree.path().join(name);
        fs::create_dir(&directory).unwrap();
        fs::write(directory.join(format!("{name}.tf")), &text).unwrap();
        fs::write(tree.path().join(format!("{name}.tf")), "locals {\na=1\nb=local.zz\n}\n")
            .unwrap();
        for arguments in [
            &["fmt", "--check", "."][..],
            &["check", "."],
            &["check", "--format", "concise", "."],
            &["check", "--level", "syntax", "--format", "concise", "."],
            &["query", "**", "."],
            &["inspect", "."],
            &["references", "."],
            &["templates", "."],
            &["dependents", "local.a", "."],
            &["diff", "m", "."],
            &["affected", ".", "m/main.tf"],
            &["units", "."],
            &["expand", "."],
            &["why", "local.a", "."],
            &["convert", "--to", "json", "--out-dir", "out", "."],
            &["fmt", "."],
        ] {
            let output = run(tree.path(), arguments);
            println!("{arguments:?}");
            check(&stdout(&output));
            check(&stderr(&output));
        }
    }
}

/// The case `log-injection`.
const LOG: &str = r#"{"@level":"info","@message":"x","type":"version","terraform":"1.9.0","ui":"1.2"}
{"@level":"error","@message":"e","type":"diagnostic","diagnostic":{"severity":"error","summary":"bad","detail":"server said:\n::stop-commands::pause\n::add-mask::a\n##[error]b"}}
{"@level":"info","type":"change_summary","@message":"::error::m","changes":{"add":1,"change":0,"remove":0,"operation":"x** <img src=https://evil.example/p.png> [click](https://evil.example) @org/team **"}}
"#;

#[test]
fn logs_of_plans() {
    for arguments in
        [&["plan", "-"][..], &["plan", "--follow", "-"], &["plan", "--format", "tree", "-"]]
    {
        let output = feed(arguments, LOG);
        check(&stdout(&output));
        check(&stderr(&output));
        assert!(stdout(&output).contains("stop-commands"), "{}", stdout(&output));
    }
    let output = feed(&["plan", "--format", "markdown", "-"], LOG);
    let text = stdout(&output);
    // The text outside of code.
    let prose: String = text.split('`').step_by(2).collect();
    for part in ["<img", "[click]", "@org", "evil"] {
        assert!(text.contains(part) && !prose.contains(part), "{text}");
    }
}

/// A terminal gets no character that controls it, also in text that is exact otherwise.
#[test]
fn exact_text_on_a_terminal() {
    let text = "output \"a\" {\n  value = \"\u{9b}2J\u{200e}\u{200f}\u{61c}\u{202e}\"\n}\n";
    let lines = [
        r#"{"@level":"info","@message":"a","type":"version","terraform":"1.9.0","ui":"1.2"}"#,
        "{\"@level\":\"info\",\"@message\":\"a\",\"type\":\"planned_change\",\"change\":{\"resource\":{\"addr\":\"2J\u{9b}\u{200e}.a\",\"resource_type\":\"2J\u{9b}\",\"resource_name\":\"a\",\"resource_key\":null},\"action\":\"create\"}}",
        "{\"@level\":\"error\",\"@message\":\"2J\u{9b}\u{200e}\u{61c}\",\"type\":\"diagnostic\",\"diagnostic\":{\"severity\":\"error\",\"summary\":\"2J\u{9b}\u{200e}\u{61c}\"}}",
    ];
    let tree = tree(&[
        ("main.tf", text),
        ("log", &lines.join("\n")),
        (
            "hostile/main.tf",
            "locals {\n  \"2J\u{9b}\u{200e}\u{61c}\" = nope.\"x\"\n}\nresource \"2J\u{9b}\u{200e}\" \"a\" {\n  count = \"2J\u{9b}\u{202e}\"\n}\n",
        ),
        (
            "unit/terragrunt.hcl",
            "inputs = { \"2J\u{9b}\u{200e}\" = \"\u{202e}\" }\nexclude {\n  actions = [\"2J\u{9b}\"]\n}\n",
        ),
        ("spec.hcl", "attr {\n  name = \"a\"\n  type = string\n}\n"),
        ("plain.hcl", "a = \"\u{9b}2J\u{200e}\"\n"),
    ]);
    let binary = env!("CARGO_BIN_EXE_simd-hcl");
    for arguments in [
        "config .",
        "query --format json '**' .",
        "fmt --stdin-name x.tf - < main.tf",
        "convert --to json main.tf",
        "decode --spec spec.hcl plain.hcl",
        "expand --format json .",
        "expand --format ndjson .",
        "check --format json hostile",
        "check --format sarif hostile",
        "check --format junit hostile",
        "check --format gitlab hostile",
        "check --format github hostile",
        "check --format azure hostile",
        "check --format concise hostile",
        "check hostile",
        "check --level values --format json hostile",
        "eval --format json '\"2J\u{9b}\u{200e}\"'",
        "eval --format ndjson '\"2J\u{9b}\u{200e}\"'",
        "eval '\"2J\u{9b}\u{200e}\"'",
        "graph --format ndjson hostile",
        "graph --format json hostile",
        "graph --format dot hostile",
        "graph --format mermaid hostile",
        "graph --format html hostile",
        "overview --format json hostile",
        "overview --format html hostile",
        "overview hostile",
        "inspect --format json hostile",
        "inspect --format ndjson --compact hostile",
        "inspect --compat hostile",
        "query --format csv '**' .",
        "query --format ndjson '**' .",
        "diff --format json main.tf hostile/main.tf",
        "diff main.tf hostile/main.tf",
        "plan --format json log",
        "plan --format ndjson log",
        "plan log",
        "set --diff 'output.a.value' '\"2J\u{9b}\u{200e}\"' .",
        "set --format json 'output.a.value' '\"2J\u{9b}\u{200e}\"' .",
        "events main.tf",
        "units --format json unit",
        "units --render --format json unit",
        "units --render unit",
    ] {
        let shell = format!("{binary} {arguments}");
        let terminal = std::process::Command::new("script")
            .current_dir(tree.path())
            .args(["--quiet", "--return", "--command", &shell, "/dev/null"])
            .output();
        let Ok(output) = terminal else {
            println!("skipped: exact_text_on_a_terminal (no script)");
            return;
        };
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(!text.trim().is_empty(), "{arguments}");
        for character in ['\u{9b}', '\u{200e}', '\u{200f}', '\u{61c}', '\u{202e}'] {
            assert!(!text.contains(character), "{arguments}: {text:?}");
        }
    }
    // Elsewhere, text is exact.
    let text = fs::read_to_string(tree.path().join("main.tf")).unwrap();
    let mut command = simd_hcl(&["fmt", "--stdin-name", "x.tf", "-"]);
    command.stdin(fs::File::open(tree.path().join("main.tf")).unwrap());
    assert_eq!(stdout(&command.output().unwrap()), text);
}

#[test]
fn cells_are_no_formulas() {
    let line = |address: &str| {
        format!(
            r#"{{"@level":"info","@message":"m","type":"planned_change","change":{{"resource":{{"addr":"{address}",
            "resource_type":"{address}","resource_name":"a","resource_key":null}},"action":"create"}}}}"#
        )
        .replace('\n', " ")
    };
    let addresses = ["=HYPERLINK(1)", "+1", "-1", "@SUM(1)", "\\t=1"];
    let log: Vec<String> = addresses.into_iter().map(line).collect();
    let cells = |flags: &[&str]| {
        stdout(&feed(&[&["plan", "--format", "csv", "-"], flags].concat(), &log.join("\n")))
    };
    let text = cells(&["--csv-safe"]);
    assert!(text.contains("'=HYPERLINK(1),,'=HYPERLINK(1),create"), "{text}");
    for cell in text.lines().flat_map(|line| line.split(',')) {
        assert!(!cell.starts_with(['=', '+', '-', '@', '\\']), "{text}");
    }
    assert!(cells(&[]).contains("\n=HYPERLINK(1),,=HYPERLINK(1),create"));
}

/// A file whose name is that of an option is a file to the hooks.
#[test]
fn hooks_end_options() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let hooks = fs::read_to_string(root.join(".pre-commit-hooks.yaml")).unwrap();
    // A hook that gets no names of files has none that could be an option.
    let named = hooks.split("\n- ").skip(1).filter(|hook| !hook.contains("pass_filenames: false"));
    let mut entries: Vec<&str> = Vec::new();
    for hook in named {
        assert!(hook.lines().any(|line| line.trim() == "args: [--]"), "{hook}");
        entries
            .extend(hook.lines().filter_map(|line| line.trim().strip_prefix("entry: simd-hcl ")));
    }
    assert_eq!(entries.len(), 1);
    let tree = tree(&[
        ("ok.tf", "locals { a = 1 }\n"),
        ("k.tf", r#"{"format_version":"1.0","findings":[]}"#),
        ("--baseline=k.tf", ""),
    ]);
    for entry in entries {
        let mut arguments: Vec<&str> = entry.split(' ').chain(["--"]).collect();
        arguments.extend(["--baseline=k.tf", "ok.tf"]);
        let output = run(tree.path(), &arguments);
        let said = stderr(&output);
        assert!(
            !said.contains("unexpected argument") && !said.contains("no longer occur"),
            "{said}"
        );
        assert_ne!(crate::tool::status(&output), 2, "{entry}: {said}");
    }
}

/// The hook of `check` finds what the change of a module breaks in files that are not part of a commit.
#[test]
fn the_hook_of_check_sees_callers() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let hooks = fs::read_to_string(root.join(".pre-commit-hooks.yaml")).unwrap();
    let hook = hooks.split("\n- ").find(|hook| hook.starts_with("id: simd-hcl-check")).unwrap();
    assert!(hook.contains("pass_filenames: false"), "{hook}");
    let entry = hook.lines().find_map(|line| line.trim().strip_prefix("entry: simd-hcl ")).unwrap();
    let tree = tree(&[
        ("modules/net/main.tf", "output \"renamed\" {\n  value = 1\n}\n"),
        (
            "live/a/main.tf",
            "module \"net\" {\n  source = \"../../modules/net\"\n}\noutput \"name\" {\n  value = module.net.name\n}\n",
        ),
    ]);
    let output = run(tree.path(), &entry.split(' ').collect::<Vec<_>>());
    assert_eq!(crate::tool::status(&output), 1);
    assert!(stdout(&output).starts_with("live/a/main.tf:5:"), "{}", stdout(&output));
}
