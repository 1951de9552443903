//! Failing system calls, one after another, in every command.
//!
//! A small library in C (`faults/shim.c`), which these tests build if there is a compiler, sits
//! between the binary and the C library and makes the n-th call of a kind fail, for n = 1, 2, 3
//! until the binary makes no more of them; the small size leaves out some of the later ones. Whichever call fails:
//!
//! - the binary ends by itself, with one of its statuses, and does not panic;
//! - if its output or status differs from a run without the fault, it prints the error message of
//!   the operating system, and the status is not 0;
//! - of three independent modules, at least two are still reported on, unless the status is 2;
//! - no file or directory is created, changed or left over, temporary ones and those of git
//!   included.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use simd_hcl_corpus::sized;
use tempfile::TempDir;

use crate::tool::{GOOD, PROVIDER_SCHEMAS, commands, git, gzip, run, simd_hcl, stdout, tree};

/// The kinds of calls, and their error messages.
const KINDS: &[(&str, &str)] = &[
    ("open", "input/output error"),
    ("stat", "input/output error"),
    ("list", "input/output error"),
    ("read", "input/output error"),
    ("map", "cannot allocate memory"),
    ("write", "no space left on device"),
    ("pipe", "too many open files"),
    ("spawn", "temporarily unavailable"),
];

/// The maximum number of calls of one kind that a command makes on these inputs.
const MOST_CALLS: usize = 800;

/// A command line. A last argument `<FILE` is standard input.
type CommandLine = &'static [&'static str];

/// Commands on a tree of three independent modules, which print the name of each module.
const BY_MODULE: &[CommandLine] = &[
    &["check", "tree"],
    &["check", "--format", "json", "tree"],
    &["check", "--ignore-files", "tree"],
    &["check", "tree/alpha", "tree/beta", "tree/gamma/main.tf.json"],
    &["inspect", "tree"],
    &["references", "tree"],
    &["templates", "tree"],
    &["query", "--format", "json", "module.*.source", "tree"],
    &["set", "--format", "json", "module.*.source", "\"./new\"", "tree"],
    &["unset", "--format", "json", "module.*.source", "tree"],
];

/// Commands on configuration.
const CONFIGURATION: &[CommandLine] = &[
    &["rename", "output.alpha_out", "renamed", "tree/alpha", "--tree", "tree", "--check"],
    &["move", "output.alpha_out", "main.tf.json", "tree/alpha", "--tree", "tree", "--check"],
    &["extract", "locals/main.tf:2:7", "x", "--tree", "locals", "--check"],
    &["inline", "local.a", "locals", "--tree", "locals", "--check"],
    &["fix-unused", "tree", "--tree", "tree", "--check"],
    &["upgrade", "required-version", ">= 1", "tree", "--check"],
    &["graph", "tree"],
    &["graph", "--modules", "--format", "json", "tree"],
    &["graph", "--collapse", "--focus", "tree/alpha", "tree"],
    &["graph", "--format", "html", "tree"],
    &["graph", "--format", "svg", "tree"],
    &["check", "--provider-schemas", "schemas.json", "tree"],
    &["check", "--stdin-name", "tree/alpha/main.tf.json", "-", "<tree/beta/main.tf.json"],
    &["check", "plan.bin"],
    &["check", "image"],
    &["inspect", "--compat", "tree/alpha"],
    &["inspect", "image"],
    &["dependents", "tree/alpha/child/main.tf.json", "tree"],
    &["dependents", "tree/alpha:output.alpha_out", "tree"],
    &["config", "tree/alpha"],
    &["config", "--provider-schemas", "schemas.json", "tree/alpha"],
    &["config", "plan.bin"],
    &["expand", "tree/alpha"],
    &["roots", "tree"],
    &["overview", "tree"],
    &["overview", "--format", "json", "tree"],
    &["overview", "--format", "html", "tree"],
    &["init", "--check", "tree"],
    &["why", "output.alpha_out", "tree/alpha"],
    &["check", "--level", "values", "tree/alpha"],
    &["expand", "--provider-schemas", "schemas.json", "--format", "json", "tree/alpha"],
    &["diff", "tree/alpha", "tree/beta"],
    &["fmt", "--check", "native"],
    &["docs", "tree/alpha"],
    &["docs", "--recursive", "--check", "--config", "pages.yml", "tree"],
    &["convert", "--to", "json", "native/main.tf"],
    &["convert", "--to", "native", "--provider-schemas", "schemas.json", "shared/main.tf.json"],
    &["affected", "tree", "tree/alpha/child/main.tf.json"],
    &["units", "live"],
    &["units", "--dag", "--reading", "--dependencies", "--include", "--format", "json", "live"],
    &["units", "--render", "live"],
    &["roots", "tree"],
    &["affected", "--format", "json", "--files-from", "changed.txt", "tree"],
    &["affected", "--files-from", "-", "tree/alpha", "<changed.txt"],
];

/// Commands on a revision, which run git.
const REVISIONS: &[CommandLine] = &[
    &["affected", "--format", "json", "--since", "HEAD", "tree/alpha"],
    &["diff", "--format", "json", "HEAD", "tree"],
    &["diff", "HEAD:tree/alpha", "tree/alpha"],
    &["review", "--since", "HEAD", "tree"],
    &["review", "--format", "json", "--since", "HEAD", "tree/alpha"],
    &["diff", "--values", "HEAD:tree/alpha", "tree/alpha"],
];

/// Commands on documents, and without input.
const DOCUMENTS: &[CommandLine] = &[
    &["decode", "--schema", "schema.json", "--vars", "vars.json", "tree/alpha/main.tf.json"],
    &["decode", "--provider-schemas", "schemas.json", "-", "<shared/main.tf.json"],
    &["decode", "--spec", "spec.hcldec", "--vars", "vars.json", "shared/main.tf.json"],
    &["eval", "--vars", "vars.json", "upper(a)"],
    &["eval", "-", "<expression.txt"],
    &["plan", "plan.json"],
    &["plan", "--mmap", "--format", "json", "plan.json"],
    &["plan", "--diff", "-", "<plan.json"],
    &["plan", "--mmap", "--diff", "plan.json"],
    &["plan", "plan.json.gz"],
    &["plan", "--format", "html", "plan.json"],
    &["plan", "--against", "old.json", "plan.json"],
    &["plan", "plan.bin"],
    &["plan", "--provider-schemas", "schemas.json", "--format", "show-json", "plan.bin"],
    &["plan", "events.jsonl"],
    &["plan", "--follow", "-", "<events.jsonl"],
    &["plan", "--rules", "rules.hcl.json", "--format", "json", "plan.json"],
    &["state", "state.json"],
    &["state", "plan.bin"],
    &["state", "--format", "html", "state.json"],
    &["redact", "plan.json"],
    &["redact", "--force", "plan.bin"],
    &["schema", "schemas.json", "aws_instance"],
    &["events", "--mmap", "plan.json"],
    &["events", "--skeleton", "--format", "ndjson", "-", "<state.json"],
    &["explain", "unknown-variable"],
    &["rules", "naming"],
    &["rules", "test", "own.hcl"],
    &["migrate", "tflint.hcl"],
    &["kernels"],
    &["man"],
    &["completions", "bash"],
];

const MODULES: [&str; 3] = ["alpha", "beta", "gamma"];

/// Builds the library; `None` without a compiler.
fn shim(directory: &Path) -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/faults/shim.c");
    let library = directory.join("shim.so");
    let mut compiler = Command::new("cc");
    compiler.args(["-O1", "-shared", "-fPIC", "-o"]).arg(&library).arg(source).arg("-ldl");
    match compiler.output() {
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            Some(library)
        }
        Err(_) => None,
    }
}

fn inputs() -> TempDir {
    // Warnings and errors, references and templates in each of three modules that stand alone.
    let module = |name: &str| {
        format!(
            r#"{{"output": {{"{name}_out": {{"value": "${{var.{name}_in}}", "unknown_{name}": 1}}}},
                "module": {{"{name}_call": {{"source": "./child"}}, "shared": {{"source": "../../shared"}}}}}}"#
        )
    };
    let files = tree(&[
        ("tree/alpha/main.tf.json", &module("alpha")),
        ("tree/beta/main.tf.json", &module("beta")),
        ("tree/gamma/main.tf.json", &module("gamma")),
        ("tree/alpha/child/main.tf.json", GOOD),
        ("tree/beta/child/main.tf.json", GOOD),
        ("tree/gamma/child/main.tf.json", GOOD),
        // Deleted since.
        ("tree/delta/main.tf.json", GOOD),
        // Outside the given paths, so that only calls lead there.
        ("native/main.tf", "a=1\n"),
        ("locals/main.tf", "locals {\n  a = 1\n}\noutput \"o\" {\n  value = local.a\n}\n"),
        ("tflint.hcl", "plugin \"terraform\" {\n  enabled = true\n  preset = \"all\"\n}\n"),
        ("live/root.hcl", "inputs = {\n  a = 1\n}\n"),
        ("live/u/terragrunt.hcl", "include \"root\" {\n  path = \"../root.hcl\"\n}\n"),
        ("live/v/terragrunt.hcl", "dependencies {\n  paths = [\"../u\"]\n}\n"),
        ("shared/main.tf.json", GOOD),
        ("pages.yml", "output:\n  file: README.md\n"),
        ("image/a.pkr.json", r#"{"source": {"docker": {"base": {"image": "${var.from}"}}}}"#),
        ("image/b.pkr.json", r#"{"variable": {"from": {"type": "string"}}}"#),
        ("tree/.gitignore", "ignored\n"),
        ("tree/ignored/main.tf.json", GOOD),
        ("schemas.json", PROVIDER_SCHEMAS),
        ("schema.json", r#"{"attributes": {}, "blocks": {}, "mode": "content"}"#),
        ("spec.hcldec", "object {\n  attr \"resource\" {\n  }\n}\n"),
        (
            "own.hcl",
            "rule \"r\" {\n  for_each = output\n  deny = true\n  case \"c\" {\n    main = \"\"\n    finds = []\n  }\n}\n",
        ),
        ("rules.hcl.json", r#"{"rule": {"r": {"warn": "${change.address != \"\"}"}}}"#),
        ("vars.json", r#"{"a": "value", "var": {"alpha_in": 1}}"#),
        ("changed.txt", "tree/alpha/child/main.tf.json\ntree/delta/main.tf.json\n"),
        ("expression.txt", "upper(\"a\")"),
    ]);
    let directory = files.path();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus");
    let read = |name: &str| fs::read(corpus.join(name)).unwrap();
    let write = |name: &str, content: &[u8]| fs::write(directory.join(name), content).unwrap();
    let plan = read("show/plan-1.2-terraform.json");
    write("plan.json.gz", &gzip(&plan));
    write("old.json", &plan);
    // Large enough to be mapped.
    write("plan.json", &[&plan[..], &[b' '; 1 << 20]].concat());
    write("state.json", &read("show/tfstate-4.json"));
    write("plan.bin", &read("conformance/plan-file/cases/tree/plan.bin"));
    write("events.jsonl", &read("conformance/plan-file/events/plan.jsonl"));
    // A revision of some modules that differs from the working tree in objects, files and modules.
    git(directory, &["init", "-q"]);
    write(".git/info/exclude", b"*\n!tree\n!tree/alpha\n!tree/alpha/**\n");
    git(directory, &["add", "-f", "tree/alpha", "tree/delta"]);
    git(directory, &["commit", "-q", "-m", "one"]);
    fs::remove_dir_all(directory.join("tree/delta")).unwrap();
    write("tree/alpha/child/main.tf.json", GOOD.replace("web", "changed").as_bytes());
    write("tree/alpha/new.tf.json", br#"{"output": {"new": {"value": 1}}}"#);
    files
}

/// Returns all files and directories below a directory, with the content of files.
fn snapshot(directory: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut directories = vec![directory.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else {
                found.insert(path.clone(), Some(fs::read(&path).unwrap()));
            }
        }
        found.insert(directory, None);
    }
    found
}

struct Run {
    output: Output,
    is_injected: bool,
}

/// Runs a command with a fault, on one thread, so that the order of calls is fixed.
fn with_fault(library: &Path, directory: &Path, command: &[&str], kind: &str, nth: usize) -> Run {
    let report = library.with_file_name("report");
    let _ = fs::remove_file(&report);
    let (arguments, stdin) = match command.split_last() {
        Some((last, arguments)) if last.starts_with('<') => {
            (arguments, File::open(directory.join(&last[1..])).unwrap().into())
        }
        _ => (command, Stdio::null()),
    };
    let output = simd_hcl(arguments)
        .args(["--threads", "1"])
        .stdin(stdin)
        .current_dir(directory)
        .env("TMPDIR", directory)
        .env("LD_PRELOAD", library)
        .env("FAULT_CALL", kind)
        .env("FAULT_NTH", nth.to_string())
        .env("FAULT_REPORT", &report)
        .output()
        .unwrap();
    Run { output, is_injected: report.exists() }
}

/// Returns a complaint if a command did not handle a fault properly.
fn complaint(baseline: &Output, run: &Output, words: &str, independent: bool) -> Option<String> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).to_lowercase();
    let (stdout, stderr) = (text(&run.stdout), text(&run.stderr));
    let Some(status) = run.status.code() else { return Some("ended by a signal".to_owned()) };
    if stderr.contains("panicked") || !(0..=2).contains(&status) {
        return Some(format!("status {status}"));
    }
    let is_same = status == baseline.status.code()? && run.stdout == baseline.stdout;
    if is_same {
        return None;
    }
    if !stdout.contains(words) && !stderr.contains(words) {
        return Some(format!("status {status}, and nobody says \"{words}\""));
    }
    // Status 0 is only for complete answers, and for answers that report their gaps.
    if status == 0 && !stdout.contains("incomplete") && !stderr.contains("incomplete") {
        return Some("status 0, though something is missing".to_owned());
    }
    if independent && status != 2 {
        let reported = |output: &[u8]| {
            let text = text(output);
            MODULES.iter().filter(|module| text.contains(&format!("{module}_"))).count()
        };
        if reported(&run.stdout) + 1 < reported(&baseline.stdout) {
            return Some("more than one module is missing".to_owned());
        }
    }
    None
}

/// Tries commands without a fault, then with each fault of some kinds, all of which are met at
/// least three times.
fn try_all(commands: &[CommandLine], kinds: &[&str], independent: bool) {
    let tools = tempfile::tempdir().unwrap();
    let library = match shim(tools.path()) {
        Some(library) if cfg!(all(target_os = "linux", target_env = "gnu")) => library,
        _ => {
            println!("skipped: calls that fail (no C compiler, or not Linux with glibc)");
            return;
        }
    };
    let files = inputs();
    let before = snapshot(files.path());
    let mut injected: BTreeMap<&str, usize> = BTreeMap::new();
    let mut complaints = Vec::new();
    for command in commands {
        let baseline = with_fault(&library, files.path(), command, "none", 1).output;
        let status = baseline.status.code();
        assert!(matches!(status, Some(0 | 1)), "{command:?}: {status:?} {baseline:?}");
        for &(kind, words) in KINDS {
            let mut nth = 0;
            loop {
                // Of the small size, fewer and fewer of the later calls.
                nth += 1 + sized([nth / 2, 0, 0]);
                assert!(nth < MOST_CALLS, "{command:?} does not come to an end");
                let run = with_fault(&library, files.path(), command, kind, nth);
                if !run.is_injected {
                    break;
                }
                *injected.entry(kind).or_default() += 1;
                // The rest of a partly listed directory is missing.
                let independent = independent && kind != "list";
                if let Some(what) = complaint(&baseline, &run.output, words, independent) {
                    let stderr = String::from_utf8_lossy(&run.output.stderr).into_owned();
                    complaints.push(format!("{command:?}, {kind} {nth}: {what}\n{stderr}"));
                }
                assert!(
                    snapshot(files.path()) == before,
                    "{command:?}, {kind} {nth}: files differ"
                );
            }
        }
    }
    assert!(complaints.is_empty(), "{}\n{complaints:#?}", complaints.len());
    for kind in kinds {
        assert!(injected.get(kind).is_some_and(|&count| count >= 3), "{kind}: {injected:?}");
    }
}

/// The kinds of calls of all commands.
const COMMON: [&str; 6] = ["open", "stat", "list", "read", "write", "spawn"];

#[test]
fn modules_that_do_not_depend_on_each_other() {
    try_all(BY_MODULE, &COMMON, true);
}

#[test]
fn configuration() {
    try_all(CONFIGURATION, &COMMON, false);
}

#[test]
fn revisions() {
    try_all(REVISIONS, &["open", "stat", "list", "read", "write", "pipe", "spawn"], false);
}

#[test]
fn documents() {
    try_all(DOCUMENTS, &["open", "stat", "read", "map", "write", "spawn"], false);
}

/// The help lists the commands.
#[test]
fn every_command_is_tried() {
    let help = stdout(&run(Path::new("."), &["--help"]));
    let mut count = 0;
    let hidden = ["kernels", "events", "man"];
    for command in commands(&help).map(|(command, _)| command).chain(hidden) {
        // The last four run another program or a server, which have tests of their own.
        if !["help", "sql", "export", "lsp", "mcp"].contains(&command) {
            let mut all = [BY_MODULE, CONFIGURATION, REVISIONS, DOCUMENTS].into_iter().flatten();
            assert!(all.any(|tried| tried[0] == command), "{command}");
            count += 1;
        }
    }
    assert!(count >= 20, "{count} commands");
}
