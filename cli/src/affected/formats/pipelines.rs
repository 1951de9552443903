//! The answer as the input of pipelines. Texts are written as JSON strings, which YAML reads as they are.

use std::io;

use serde::Serialize;

use super::super::answer::Answer;
use crate::args::Format;
use crate::output;

/// The matrix of a GitHub workflow.
#[derive(Serialize)]
struct Matrix<'a> {
    include: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    path: &'a str,
    /// It runs because the answer is incomplete.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    incomplete: bool,
}

pub(super) fn github_matrix(answer: &Answer, only_roots: bool) -> io::Result<()> {
    let all = answer.to_run(only_roots).into_iter();
    let include = all.map(|(path, is_certain)| Entry { path, incomplete: !is_certain }).collect();
    output::value(Format::Ndjson, &Matrix { include })
}

/// The values of a parallel matrix, for a job that extends `.affected`. A pipeline without jobs is
/// invalid, so there is one that does nothing.
pub(super) fn gitlab(answer: &Answer) -> io::Result<()> {
    let roots: Vec<String> = quoted(answer);
    output::data(|out| match roots.is_empty() {
        true => writeln!(out, "nothing-affected:\n  script: [\"true\"]"),
        false => {
            writeln!(out, "affected:\n  extends: .affected\n  parallel:\n    matrix:")?;
            writeln!(out, "      - ROOT: [{}]", roots.join(", "))
        }
    })
}

/// The projects of an `atlantis.yaml`.
pub(super) fn atlantis(answer: &Answer) -> io::Result<()> {
    projects(answer, "version: 3\nprojects:", "dir")
}

/// The projects of a `digger.yml`.
pub(super) fn digger(answer: &Answer) -> io::Result<()> {
    let names: Vec<String> = quoted(answer);
    output::data(|out| {
        if names.is_empty() {
            return writeln!(out, "projects: []");
        }
        writeln!(out, "projects:")?;
        names.iter().try_for_each(|name| writeln!(out, "- name: {name}\n  dir: {name}"))
    })
}

fn projects(answer: &Answer, head: &str, key: &str) -> io::Result<()> {
    let roots = quoted(answer);
    output::data(|out| {
        if roots.is_empty() {
            return writeln!(out, "{head} []");
        }
        writeln!(out, "{head}")?;
        roots.iter().try_for_each(|root| writeln!(out, "- {key}: {root}"))
    })
}

/// The root modules to run, quoted.
fn quoted(answer: &Answer) -> Vec<String> {
    let all = answer.to_run(true).into_iter();
    all.map(|(path, _)| serde_json::Value::from(path).to_string()).collect()
}
