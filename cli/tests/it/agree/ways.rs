//! Kernels, numbers of threads, mapped files, `--alone`, and paths to the same module: every byte of
//! every answer is the same, apart from the path itself. The path of a module of one file that is read
//! alone is that of the file.

use std::path::Path;

use tempfile::TempDir;

use super::documents::{Module, some};
use super::{Answer, ask, compare, first_difference, most, most_changed, mutants};
use crate::tool::{list, run};

/// A name that no text contains.
const NAME: &str = "the-module";

/// Commands on a module.
const COMMANDS: [&[&str]; 13] = [
    &["check", "--format", "json", NAME],
    &["check", NAME],
    &["check", "--level", "values", "--format", "concise", NAME],
    &["inspect", "--format", "json", NAME],
    &["inspect", "--compat", NAME],
    &["references", "--format", "json", NAME],
    &["templates", "--format", "json", NAME],
    &["graph", "--format", "json", NAME],
    &["query", "--format", "json", "**", NAME],
    &["config", NAME],
    &["expand", "--format", "json", NAME],
    &["diff", "empty", NAME],
    &["fmt", "--check", "--diff", NAME],
];

/// The kernels of this machine.
fn kernels() -> Vec<String> {
    let kernels = list(&run(Path::new("."), &["kernels", "--format", "json"]), "kernels");
    let supported = kernels.as_array().unwrap().iter().filter(|it| it["supported"] == true);
    supported.map(|it| it["name"].as_str().unwrap().to_owned()).collect()
}

/// Returns an answer with a path in the place of another one.
fn renamed(answer: Answer, from: &str, to: &str) -> Answer {
    let [stdout, stderr] = [answer.stdout, answer.stderr].map(|text| text.replace(from, to));
    Answer { stdout, stderr, ..answer }
}

/// Returns what differs.
fn differs(expected: &Answer, found: &Answer, what: &str) -> Option<String> {
    if expected == found {
        return None;
    }
    let (one, other) = match expected.stdout == found.stdout {
        true => (&expected.stderr, &found.stderr),
        false => (&expected.stdout, &found.stdout),
    };
    let (was, is) = (expected.status, found.status);
    Some(format!("{what}: {was} and {is}: {}", first_difference(one, other)))
}

fn of_module(module: &Module, kernels: &[String]) -> Vec<String> {
    let base = TempDir::new().unwrap();
    let base = base.path();
    module.write(base, NAME);
    std::fs::create_dir(base.join("empty")).unwrap();
    std::fs::write(base.join("empty/main.tf.json"), "{}").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(NAME, base.join("a-link-to-it")).unwrap();
    let absolute = base.join(NAME).to_string_lossy().into_owned();
    let mut found = Vec::new();
    for command in COMMANDS {
        let expected = ask(base, &[command, &["--threads", "1"]].concat());
        let mut compare = |answer: Answer, way: &str| {
            found.extend(differs(&expected, &answer, &format!("{command:?} {way}")));
        };
        for threads in ["2", "8"] {
            compare(ask(base, &[command, &["--threads", threads]].concat()), threads);
        }
        for kernel in kernels {
            compare(ask(base, &[command, &["--kernel", kernel]].concat()), kernel);
        }
        compare(ask(base, &[command, &["--mmap"]].concat()), "--mmap");
        let other = |path: &str| {
            let arguments = command.iter().map(|it| if *it == NAME { path } else { it });
            let answer = ask(base, &arguments.collect::<Vec<_>>());
            renamed(answer, path.trim_start_matches("./").trim_end_matches('/'), NAME)
        };
        compare(other(&format!("./{NAME}")), "./");
        compare(other(&format!("{NAME}/")), "a last /");
        compare(other(&absolute), "absolute path");
        #[cfg(unix)]
        compare(other("a-link-to-it"), "link");
    }
    if let [name] = *module.own_files()
        && module.files.len() == 1
    {
        let path = format!("{NAME}/{name}");
        for command in ["check", "inspect", "references", "templates", "graph"] {
            let arguments = [command, "--format", "json", &path];
            let expected = renamed(ask(base, &arguments), &path, NAME);
            let alone = ask(base, &[&arguments[..], &["--alone"]].concat());
            let alone = renamed(alone, &path, NAME);
            found.extend(differs(&expected, &alone, &format!("{command} --alone")));
        }
    }
    found
}

#[test]
fn ways_to_a_module_agree() {
    let kernels = kernels();
    compare(&some(most(), |_| true), |module| of_module(module, &kernels));
}

#[test]
fn ways_to_a_changed_module_agree() {
    let kernels = kernels();
    compare(&mutants::all(most_changed() / 3, 2), |module| of_module(module, &kernels));
}
