//! The answer as a list: records of CSV, and paths that end with a NUL byte.

use std::io;

use super::super::answer::{Answer, Step};
use crate::output::{self, Csv, Style};

/// Prints a record for each module: its path, whether it is a root module, whether it is affected for
/// certain, the changed file, and the steps.
pub(super) fn csv(answer: &Answer, only_roots: bool, style: Style) -> io::Result<()> {
    let mut text = Vec::new();
    let mut out = Csv::new(&mut text, style);
    out.record(["path", "root", "certain", "file", "because"]);
    for (path, is_certain) in answer.to_run(only_roots) {
        let module = answer.modules.iter().find(|module| module.path == path);
        let because = module.map_or(&[][..], |module| &module.because);
        let file = because.first().and_then(|step| step.file.as_deref()).unwrap_or_default();
        let steps: Vec<String> = because.iter().map(shown).collect();
        let root = module.is_none_or(|module| module.root);
        out.record([path, flag(root), flag(is_certain), file, &*steps.join(" ")]);
    }
    output::data(|out| out.write_all(&text))
}

fn flag(is_set: bool) -> &'static str {
    if is_set { "true" } else { "false" }
}

fn shown(step: &Step) -> String {
    match &step.address {
        Some(address) => format!("{}:{address}", step.module),
        None => step.module.clone(),
    }
}

/// Prints the paths, each with a NUL byte after it, for `xargs -0`.
pub(super) fn list0(answer: &Answer, only_roots: bool) -> io::Result<()> {
    output::data(|out| {
        for (path, _) in answer.to_run(only_roots) {
            out.write_all(path.as_bytes())?;
            out.write_all(&[0])?;
        }
        Ok(())
    })
}
