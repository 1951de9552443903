//! The answer for people.

use std::io::{self, Write};

use super::super::answer::{Answer, Module, Via};
use crate::output;
use crate::printed::{BOLD, RED, RESET};
use crate::visible::visible;

pub(super) fn print(answer: &Answer) -> io::Result<()> {
    output::text(|out| {
        answer.modules.iter().try_for_each(|module| print_module(module, out))?;
        answer.removed.iter().try_for_each(|module| {
            let root = if module.root { " (root)" } else { "" };
            writeln!(out, "{BOLD}{}{RESET}{root}: {RED}removed{RESET}", visible(&module.path))
        })
    })
}

/// Prints all paths to a module.
pub(crate) fn explain(root: &str, paths: &[(String, Vec<Via>)]) -> io::Result<()> {
    output::text(|out| {
        if paths.is_empty() {
            return writeln!(out, "{}: not affected", visible(root));
        }
        writeln!(out, "{BOLD}{}{RESET}", visible(root))?;
        for (file, path) in paths {
            writeln!(out, "    {}", visible(file))?;
            for via in path {
                let address =
                    via.address.as_deref().map(|address| format!(":{}", visible(address)));
                let address = address.unwrap_or_default();
                let place = via.range.shown();
                writeln!(out, "     -> {}{address}  ({})", visible(&via.module), visible(&place))?;
            }
        }
        Ok(())
    })
}

/// Prints the module, and below it the steps that lead to it.
fn print_module(module: &Module, out: &mut dyn Write) -> io::Result<()> {
    let root = if module.root { " (root)" } else { "" };
    writeln!(out, "{BOLD}{}{RESET}{root}", visible(&module.path))?;
    for step in &module.because {
        let file = step.file.as_deref().map(|file| format!("{} -> ", visible(file)));
        let address = step.address.as_deref().map(|address| format!(":{}", visible(address)));
        let (file, address) = (file.unwrap_or_default(), address.unwrap_or_default());
        writeln!(out, "    {file}{}{address}", visible(&step.module))?;
    }
    for object in &module.objects {
        writeln!(out, "    {}: {}", visible(&object.address), object.action)?;
    }
    Ok(())
}
