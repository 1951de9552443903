//! The commands that make sense next, at most three.

use std::path::{Path, PathBuf};

use simd_hcl::diagnostic::Safety;

use super::answer::Answer;
use crate::finding::Findings;
use crate::git::{self, canonical};
use crate::order::quoted;
use crate::status::Failure;

/// The number of commands.
const MOST: usize = 3;

/// Commands, each with its purpose.
pub(super) struct Next(pub(super) Vec<(String, &'static str)>);

impl Next {
    pub(super) fn of(
        answer: &Answer,
        findings: &Findings<'_, '_>,
        (paths, has_settings): (&[PathBuf], bool),
    ) -> Result<Self, Failure> {
        let is_here = paths == [PathBuf::from(".")];
        let shown = paths.iter().map(|path| quoted(&path.to_string_lossy()));
        let shown = if is_here {
            String::new()
        } else {
            format!(" {}", shown.collect::<Vec<_>>().join(" "))
        };
        let mut all = Vec::new();
        let mut add = |command: String, why| all.push((format!("simd-hcl {command}"), why));
        if answer.count_findings(true) > 0 {
            add(format!("check{shown}"), "each error at its place");
        }
        if findings.fixes(Safety::Safe).next().is_some() {
            add(format!("check --fix --diff{shown}"), "what one edit repairs");
        }
        let starts = answer.roots.len() + answer.units.len();
        if starts > 1 && is_in_git(paths)? {
            add(format!("review --since HEAD~1{shown}"), "what the last commit does");
        }
        if let Some(reach) = answer.reach.iter().find(|reach| reach.callers > 0) {
            let module = quoted(&reach.path);
            add(
                format!("dependents {module}{shown}"),
                "what depends on the module with most callers",
            );
        }
        if !answer.units.is_empty() {
            add(format!("units --dag{shown}"), "units in the order in which they run");
        }
        if let Some(root) = answer.roots.first() {
            add(format!("expand {}", quoted(&root.path)), "what a root module will create");
        }
        if !has_settings {
            add(format!("check --select all{shown}"), "what all rules find");
        }
        add(format!("inspect{shown}"), "what each module declares");
        add(format!("graph --modules --format html{shown}"), "a page with the calls of modules");
        add(format!("query 'resource.*.*'{shown}"), "all resources");
        all.truncate(MOST);
        Ok(Self(all))
    }
}

/// Whether the paths are in a git work tree.
fn is_in_git(paths: &[PathBuf]) -> Result<bool, Failure> {
    let real = canonical(paths.first().map_or(Path::new("."), PathBuf::as_path))?;
    for directory in real.ancestors() {
        if git::exists(&directory.join(".git"))? {
            return Ok(true);
        }
    }
    Ok(false)
}
