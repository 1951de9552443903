//! Calls to the operating system that fail, one after the other, in every command.
//!
//! A small library in C, built by these tests where there is a compiler (`faults/shim.c`), stands between
//! the binary and the C library and makes the n-th call of a kind fail, for n = 1, 2, 3 until the binary
//! makes no more of them. Whatever fails:
//!
//! - the binary ends by itself, with one of its statuses, and does not panic;
//! - if what it prints or its status is not what it is without the fault, then it says why, in the words of
//!   the operating system, and status 0 is impossible;
//! - of three modules that have nothing to do with each other, at least two are still reported on, unless
//!   the status is 2;
//! - no file is created, changed or left behind, except the one that a command is asked to write.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::tool::{GOOD, PROVIDER_SCHEMAS, simd_hcl, tree};

/// The kinds of calls, and the words that tell of their failure.
const KINDS: &[(&str, &str)] = &[
    ("open", "input/output error"),
    ("stat", "input/output error"),
    ("list", "input/output error"),
    ("read", "input/output error"),
    ("map", "cannot allocate memory"),
    ("write", "no space left on device"),
    ("rename", "permission denied"),
    ("spawn", "temporarily unavailable"),
];

/// No command makes more calls of one kind on these inputs.
const MOST_CALLS: usize = 400;

/// Every command, on inputs that make it read, list and map. The names of three independent modules are in
/// what the first ones print.
const COMMANDS: &[&[&str]] = &[
    &["check", "tree"],
    &["check", "--format", "json", "tree"],
    &["check", "--ignore-files", "tree"],
    &["check", "tree/alpha", "tree/beta", "tree/gamma/main.tf.json"],
    &["inspect", "tree"],
    &["inspect", "--format", "json", "tree"],
    &["references", "tree"],
    &["templates", "tree"],
    &["graph", "tree"],
    &["check", "--provider-schemas", "schemas.json", "tree"],
    &["dependents", "tree", "tree/alpha/child/main.tf.json"],
    &["config", "tree/alpha"],
    &["decode", "--schema", "schema.json", "tree/alpha/main.tf.json"],
    &["eval", "--vars", "vars.json", "upper(a)"],
    &["plan", "plan.json"],
    &["plan", "--no-mmap", "--format", "json", "plan.json"],
    &["state", "state.json"],
    &["redact", "plan.json"],
    &["schema", "schemas.json", "aws_instance"],
    &["events", "plan.json"],
    &["kernels"],
    &["man"],
    &["completions", "bash"],
];

/// This many commands, from the first on, report on each module by itself.
const INDEPENDENT: usize = 8;
const MODULES: [&str; 3] = ["alpha", "beta", "gamma"];

/// Commands that do not say yet what they could not read: they end by themselves, and that is all.
const SILENT: &[&str] = &["references", "graph", "dependents", "config"];

/// Builds the library. None where there is no compiler.
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
        // Outside of what is given, so that calls alone lead there.
        ("shared/main.tf.json", GOOD),
        ("tree/.gitignore", "ignored\n"),
        ("tree/ignored/main.tf.json", GOOD),
        ("schemas.json", PROVIDER_SCHEMAS),
        ("schema.json", r#"{"attributes": {}, "blocks": {}, "mode": "content"}"#),
        ("vars.json", r#"{"a": "value"}"#),
    ]);
    let show = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/show");
    let read = |name: &str| fs::read_to_string(show.join(name)).unwrap();
    // Large enough to be mapped.
    let plan = read("plan-1.2-terraform.json") + &" ".repeat(2 << 20);
    fs::write(files.path().join("plan.json"), plan).unwrap();
    fs::write(files.path().join("state.json"), read("tfstate-4.json")).unwrap();
    files
}

/// All files below a directory, with what is in them.
fn snapshot(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut directories = vec![directory.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else {
                files.insert(path.clone(), fs::read(&path).unwrap());
            }
        }
    }
    files
}

struct Run {
    output: Output,
    is_injected: bool,
}

/// Runs a command on one thread, so that its calls come in one order, with a fault.
fn with_fault(library: &Path, directory: &Path, command: &[&str], kind: &str, nth: usize) -> Run {
    let report = library.with_file_name("report");
    let _ = fs::remove_file(&report);
    let output = simd_hcl(command)
        .args(["--threads", "1"])
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

/// What is wrong with how a command took a fault.
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
    // Status 0 is for complete answers, and for those that say what is missing.
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

#[test]
fn every_call_fails_once() {
    let tools = tempfile::tempdir().unwrap();
    let library = match shim(tools.path()) {
        Some(library) if cfg!(all(target_os = "linux", target_env = "gnu")) => library,
        _ => {
            println!("skipped: every_call_fails_once (no C compiler, or not Linux with glibc)");
            return;
        }
    };
    let files = inputs();
    let before = snapshot(files.path());
    let mut injected: BTreeMap<&str, usize> = BTreeMap::new();
    let mut complaints = Vec::new();
    for (number, command) in COMMANDS.iter().enumerate() {
        let baseline = with_fault(&library, files.path(), command, "none", 1).output;
        let status = baseline.status.code();
        assert!(matches!(status, Some(0 | 1)), "{command:?}: {status:?} {baseline:?}");
        for &(kind, words) in KINDS {
            for nth in 1.. {
                assert!(nth < MOST_CALLS, "{command:?} does not come to an end");
                let run = with_fault(&library, files.path(), command, kind, nth);
                if !run.is_injected {
                    break;
                }
                *injected.entry(kind).or_default() += 1;
                // Of a directory that is listed in part, the rest is missing.
                let independent = number < INDEPENDENT && kind != "list";
                let complaint = complaint(&baseline, &run.output, words, independent);
                let is_about_words =
                    |what: &String| what.contains("nobody says") && SILENT.contains(&command[0]);
                if let Some(what) = complaint.filter(|what| !is_about_words(what)) {
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
    for kind in ["open", "stat", "list", "read", "map", "write"] {
        assert!(injected.get(kind).is_some_and(|&count| count >= 3), "{kind}: {injected:?}");
    }
}
