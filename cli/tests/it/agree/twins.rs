//! A module in one syntax, its twin in the other, and the twin converted back: the same findings,
//! declarations, references, graph, representation and values, and no differences.
//!
//! A file that is invalid in one syntax may be valid in the other, so only modules without errors
//! are compared; their twins must not have any, either. The accepted differences are:
//!
//! - [`ONLY_NATIVE`]: findings about the notation of one syntax;
//! - white space in texts, since `convert` lays out expressions;
//! - old names of types: `"list"` in JSON is `list(any)` in native syntax;
//! - characters outside of ASCII: native texts are normalized, those of JSON are printed as they are
//!   written;
//! - the order in which a file declares objects, since JSON has those of one type together;
//! - [`REFUSED`]: what `convert` refuses, with exit status 1.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::documents::{Module, some, syntax_of};
use super::{ask, compare, first_difference, most, most_changed, mutants};

/// Findings about notation: JSON has only one for references, the tools compare only native
/// expressions with one another, and some rules are about expressions that people write.
const ONLY_NATIVE: [&str; 6] = [
    "quoted-reference",
    "provider-for-each",
    "computed-repeated-key",
    "deprecated-interpolation",
    "deprecated-lookup",
    "empty-list-comparison",
];

/// Why a valid file is not converted: it has a text that the tools never parse in JSON, or a name that
/// is not one in native syntax.
const REFUSED: [&str; 4] =
    ["missing-expression", "no-native-syntax", "the converted text differs", "not-native"];

/// Commands that print JSON.
const COMMANDS: [&[&str]; 6] = [
    &["check", "--format", "json"],
    &["inspect", "--format", "json"],
    &["references", "--format", "json"],
    &["graph", "--format", "json"],
    &["config"],
    &["expand", "--format", "json"],
];

/// Converts a module. Returns what `convert` says if it refuses.
fn converted(from: &Path, to: &Path, syntax: &str) -> Result<(), String> {
    let kinds = match syntax {
        "json" => [true, false],
        _ => [false, true],
    };
    let mut work = vec![std::path::PathBuf::new()];
    while let Some(below) = work.pop() {
        let mut files = Vec::new();
        fs::create_dir_all(to.join(&below)).unwrap();
        for entry in fs::read_dir(from.join(&below)).unwrap() {
            let entry = entry.unwrap();
            let path = below.join(entry.file_name());
            if entry.path().is_dir() {
                work.push(path);
            } else if syntax_of(&path.to_string_lossy()) == kinds {
                files.push(entry.path().to_string_lossy().into_owned());
            } else {
                fs::copy(entry.path(), to.join(path)).unwrap();
            }
        }
        if files.is_empty() {
            continue;
        }
        let out = to.join(&below).to_string_lossy().into_owned();
        let mut arguments = vec!["convert", "--to", syntax, "--out-dir", &out];
        arguments.extend(files.iter().map(String::as_str));
        let answer = ask(from, &arguments);
        if answer.status != 0 {
            return Err(answer.stderr);
        }
    }
    Ok(())
}

/// Removes what may differ between the syntaxes.
fn plain(value: &mut Value, key: &str) {
    match value {
        Value::Object(object) => {
            for name in ["range", "snippet", "filename", "related", "summary", "detail", "role"] {
                object.remove(name);
            }
            object.iter_mut().for_each(|(key, value)| plain(value, key));
        }
        Value::Array(list) => {
            list.iter_mut().for_each(|value| plain(value, key));
            let is_of_objects = list.iter().all(Value::is_object);
            // Objects of a file in its order.
            if is_of_objects && !["provisioners", "for_each", "default", "elements"].contains(&key)
            {
                list.sort_by_cached_key(Value::to_string);
            }
        }
        Value::String(text) => {
            if ["name", "shadowed_by"].contains(&key) {
                let stem = text.strip_suffix(".json").or_else(|| text.strip_suffix(".hcl"));
                *text = stem.unwrap_or(text).to_owned();
            }
            if key == "type" {
                *text = text.trim_end().trim_end_matches("(any)").to_owned();
            }
            text.retain(|c| c.is_ascii() && !c.is_whitespace());
        }
        _ => {}
    }
}

/// Returns the answer of a command about a directory, without what may differ.
fn answer(directory: &Path, command: &[&str]) -> (i32, String) {
    let answer = ask(directory, command);
    let Ok(mut document) = serde_json::from_str::<Value>(&answer.stdout) else {
        return (answer.status, answer.stdout);
    };
    if let Some(findings) = document.get_mut("diagnostics").and_then(Value::as_array_mut) {
        findings.retain(|it| !ONLY_NATIVE.iter().any(|code| it["code"] == *code));
    }
    for count in ["warning_count", "error_count"] {
        if let Some(object) = document.as_object_mut() {
            object.remove(count);
        }
    }
    let place = directory.to_string_lossy().into_owned();
    plain(&mut document, "");
    let text = serde_json::to_string_pretty(&document).unwrap();
    (answer.status, text.replace(&place, "DIRECTORY"))
}

/// Returns what differs between two directories.
fn differences(one: &Path, other: &Path, what: &str) -> Vec<String> {
    let mut found = Vec::new();
    for command in COMMANDS {
        let (first, second) = (answer(one, command), answer(other, command));
        if first != second {
            let difference = first_difference(&first.1, &second.1);
            let (first, second) = (first.0, second.0);
            found.push(format!("{what}: {command:?}: {first} {second}: {difference}"));
        }
    }
    let [one, other] = [one, other].map(|path| path.to_string_lossy().into_owned());
    let diff = ask(Path::new(&one), &["diff", &one, &other]);
    if diff.status != 0 || !diff.stdout.is_empty() {
        found.push(format!("{what}: diff: {} {:.500}{}", diff.status, diff.stdout, diff.stderr));
    }
    found
}

/// Compares a module with its twins; one with errors or with both syntaxes is left out.
fn of_module(module: &Module) -> Vec<String> {
    let kinds = module.files.keys().map(|name| syntax_of(name));
    let [native, json] = kinds.fold([false; 2], |all, one| [all[0] | one[0], all[1] | one[1]]);
    let (to, back) = match [native, json] {
        [true, false] => ("json", "native"),
        [false, true] => ("native", "json"),
        _ => return Vec::new(),
    };
    let base = TempDir::new().unwrap();
    // Paths of the same length, since functions may return them.
    let one = module.write(base.path(), "one");
    let (two, three) = (base.path().join("two"), base.path().join("six"));
    if ask(&one, &["check"]).status != 0 {
        return Vec::new();
    }
    let is_refusal = |told: &str| REFUSED.iter().any(|why| told.contains(why));
    match converted(&one, &two, to) {
        Ok(()) => {}
        Err(told) if is_refusal(&told) => return Vec::new(),
        Err(told) => return vec![format!("not converted: {told:.500}")],
    }
    let mut found = differences(&one, &two, to);
    match converted(&two, &three, back) {
        Ok(()) => found.extend(differences(&two, &three, "back")),
        Err(told) if is_refusal(&told) => {}
        Err(told) => found.push(format!("not converted back: {told:.500}")),
    }
    found
}

#[test]
fn modules_and_their_twins_agree() {
    compare(&some(most(), |module| !module.own_files().is_empty()), of_module);
}

#[test]
fn changed_modules_and_their_twins_agree() {
    compare(&mutants::all(most_changed(), 1), of_module);
}
