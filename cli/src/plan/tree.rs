//! A plan as a tree: modules, their changes, and the leaves of each.

use std::io::{self, Write};

use simd_hcl::Diagnostic;
use simd_hcl::show::rows::Change;

use super::report::Report;
use crate::printed::{BOLD, RESET};
use crate::visible::visible;

impl<'a> Report<'_, 'a> {
    pub(super) fn print_tree(
        &self,
        out: &mut dyn Write,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) -> io::Result<()> {
        self.print_head(out)?;
        // The tools list the changes of a module one after another. If they do not, the module is
        // named again.
        let mut modules: Vec<(&str, Vec<Change<'a>>)> = Vec::new();
        for change in self.shown_changes() {
            let module = change.entry().module_address().value().unwrap_or_default();
            match modules.last_mut() {
                Some((last, changes)) if *last == module => changes.push(change),
                _ => modules.push((module, vec![change])),
            }
        }
        for (module, changes) in modules {
            let shown = self.view.shown;
            let name = changes.first().and_then(|change| change.module_address(shown));
            let name = name.filter(|_| !module.is_empty()).unwrap_or("(root module)".into());
            writeln!(out, "{BOLD}{}{RESET}", visible(&name))?;
            let last = changes.len() - 1;
            for (place, change) in changes.into_iter().enumerate() {
                let (branch, below) = match place == last {
                    true => ("└─", "   "),
                    false => ("├─", "│  "),
                };
                write!(out, "{branch}")?;
                self.view.print_title(out, change)?;
                writeln!(out)?;
                if let Some(leaves) = self.view.leaves(change) {
                    let indent = format!("{below}     ");
                    let leaves = (change.entry().object().node(), leaves);
                    self.view.print_leaves(out, leaves, &indent, diagnostics)?;
                }
            }
        }
        self.print_rest(out, diagnostics)
    }
}
