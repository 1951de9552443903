//! A module by itself, in its tree, through standard input, and in a revision of git: the same
//! findings, references and differences.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::documents::{Module, some};
use super::{ask, compare, first_difference, most, most_changed, mutants};
use crate::tool::git;

/// The name of the directory of the module.
const NAME: &str = "the-module";

/// Returns the rows of an answer about files below a directory, and about modules in it.
fn rows_below(answer: &str, member: &str, directory: &str) -> String {
    let document: Value = serde_json::from_str(answer).unwrap();
    let is_below = |row: &&Value| {
        let name = row["range"]["filename"].as_str().unwrap_or_default();
        name.starts_with(&format!("{directory}/"))
    };
    let rows = document[member].as_array().unwrap().iter().filter(is_below);
    rows.map(|row| serde_json::to_string_pretty(row).unwrap() + "\n").collect()
}

fn of_module(module: &Module) -> Vec<String> {
    let base = TempDir::new().unwrap();
    let base = base.path();
    module.write(base, NAME);
    for other in ["a", "z"] {
        fs::create_dir(base.join(other)).unwrap();
        fs::write(base.join(other).join("main.tf.json"), r#"{"locals": {"a": 1}}"#).unwrap();
    }
    let mut found = Vec::new();
    let lists =
        [("check", "diagnostics"), ("references", "references"), ("templates", "templates")];
    for (command, member) in lists {
        let arguments = [command, "--format", "json"];
        let alone = ask(base, &[&arguments[..], &[NAME]].concat());
        let tree = ask(base, &[&arguments[..], &["."]].concat());
        let [one, other] = [&alone, &tree].map(|it| rows_below(&it.stdout, member, NAME));
        if (alone.status, &one) != (tree.status, &other) {
            let what = first_difference(&one, &other);
            found.push(format!("{command} in its tree: {} {}: {what}", alone.status, tree.status));
        }
        for name in module.own_files().into_iter().take(2) {
            let path = format!("{NAME}/{name}");
            let named = ask(base, &[&arguments[..], &[&path]].concat());
            let input = format!("<{path}");
            let piped =
                ask(base, &[&arguments[..], &["--stdin-name", &path, "-", &input]].concat());
            if named != piped {
                let what = match named.stdout == piped.stdout {
                    true => first_difference(&named.stderr, &piped.stderr),
                    false => first_difference(&named.stdout, &piped.stdout),
                };
                let (one, other) = (named.status, piped.status);
                found.push(format!("{command} {name} through a pipe: {one} {other}: {what}"));
            }
        }
    }
    found.extend(of_revision(module, base));
    found
}

/// A revision answers as the directory did.
fn of_revision(module: &Module, base: &Path) -> Vec<String> {
    let mut found = Vec::new();
    git(base, &["init", "-q"]);
    git(base, &["add", "-f", NAME]);
    git(base, &["-c", "core.autocrlf=false", "commit", "-q", "-m", "one"]);
    let same = ask(base, &["diff", "HEAD", NAME]);
    let itself = ask(base, &["diff", NAME, NAME]);
    if (same.status, &same.stdout) != (itself.status, &itself.stdout) || !same.stdout.is_empty() {
        found.push(format!("diff HEAD: {} {}: {:.300}", same.status, itself.status, same.stdout));
    }
    fs::create_dir(base.join("old")).unwrap();
    module.write(&base.join("old"), NAME);
    let Some(name) = module.own_files().first().copied() else { return found };
    let empty = if name.ends_with(".json") { "{}" } else { "" };
    fs::write(base.join(NAME).join(name), empty).unwrap();
    let old = format!("old/{NAME}");
    let [revision, copy] = ["HEAD", old.as_str()].map(|it| ask(base, &["diff", it, NAME]));
    if (revision.status, &revision.stdout) != (copy.status, &copy.stdout) {
        let what = first_difference(&revision.stdout, &copy.stdout);
        found.push(format!("diff of a revision: {} {}: {what}", revision.status, copy.status));
    }
    found
}

#[test]
fn places_of_a_module_agree() {
    compare(&some(most(), |_| true), of_module);
}

#[test]
fn places_of_a_changed_module_agree() {
    compare(&mutants::all(most_changed(), 3), of_module);
}
