//! The answer as the input of pipelines. Texts are written as JSON strings, which YAML reads as they are.

use std::collections::HashSet;
use std::io::{self, Write};

use serde::Serialize;

use super::super::answer::Answer;
use crate::args::Format;
use crate::output::{self, Style};

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
    output::value(Format::Ndjson, Style::default(), &Matrix { include })
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

/// The projects of an `atlantis.yaml`. Each is planned since a changed file affects it: that file, or any
/// if it is not certain whether it is affected.
pub(super) fn atlantis(answer: &Answer) -> io::Result<()> {
    projects(answer, "version: 3\nprojects:", |out, path| {
        let causes = answer.modules.iter().filter(|module| module.path == path);
        let mut files = causes.filter_map(|module| module.because.first()?.file.as_deref());
        let file = files.next().map_or_else(|| from(path, "**/*"), |file| from(path, file));
        writeln!(out, "  autoplan:\n    when_modified: [{}]", quote(&file))
    })
}

/// The projects of a `digger.yml`.
pub(super) fn digger(answer: &Answer) -> io::Result<()> {
    projects(answer, "projects:", |_, _| Ok(()))
}

/// Prints projects with their names, folders, and those that run before them.
fn projects(
    answer: &Answer,
    head: &str,
    more: impl Fn(&mut dyn Write, &str) -> io::Result<()>,
) -> io::Result<()> {
    let all = answer.to_run(true);
    let known: HashSet<&str> = all.iter().map(|(path, _)| *path).collect();
    output::data(|out| {
        if all.is_empty() {
            return writeln!(out, "{head} []");
        }
        writeln!(out, "{head}")?;
        for (path, _) in &all {
            let name = quote(path);
            writeln!(out, "- name: {name}\n  dir: {name}")?;
            more(out, path)?;
            let before = answer.order.get(*path).into_iter().flatten();
            let before: Vec<String> =
                before.filter(|it| known.contains(it.as_str())).map(|it| quote(it)).collect();
            if !before.is_empty() {
                writeln!(out, "  depends_on: [{}]", before.join(", "))?;
            }
        }
        Ok(())
    })
}

/// A path from the top as one from a directory.
fn from(directory: &str, path: &str) -> String {
    let names = |path: &'_ str| -> Vec<String> {
        let names = path.split('/').filter(|name| !matches!(*name, "" | "."));
        names.map(str::to_owned).collect()
    };
    let (directory, path) = (names(directory), names(path));
    let shared = directory.iter().zip(&path).take_while(|(one, other)| one == other).count();
    let up = std::iter::repeat_n("..", directory.len() - shared);
    up.chain(path[shared..].iter().map(String::as_str)).collect::<Vec<_>>().join("/")
}

fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The root modules to run, quoted.
fn quoted(answer: &Answer) -> Vec<String> {
    answer.to_run(true).into_iter().map(|(path, _)| quote(path)).collect()
}
