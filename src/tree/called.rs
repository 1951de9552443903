//! What has a meaning in root modules only: backends and imports of modules that are called.

use super::module::{Link, TreeModule};
use crate::diagnostic::{Code, Diagnostic};
use crate::dialect::Dialect;

/// What is wrong with it, each with the place of its module.
pub(super) fn check<'a>(
    modules: &[TreeModule<'a>],
    links: &[Vec<Link>],
) -> Vec<(usize, Diagnostic<'a>)> {
    let is_called = called(modules.len(), links.iter().flatten());
    let mut found = Vec::new();
    for place in (0..modules.len()).filter(|&place| is_called[place]) {
        let module = &modules[place].module;
        let backend = module.backend().filter(|block| block.is("backend"));
        let import = module.imports.first().map(|import| import.block);
        // Terraform says nothing of imports.
        let import = import.filter(|_| module.dialect == Dialect::OpenTofu);
        for (block, code) in [(backend, Code::IgnoredBackend), (import, Code::CalledImport)] {
            if let Some(block) = block {
                let diagnostic = Diagnostic::new(code, block.definition_label());
                found.push((place, diagnostic));
            }
        }
    }
    found
}

/// Of each module, whether another one calls it.
pub(super) fn called<'l>(modules: usize, links: impl Iterator<Item = &'l Link>) -> Vec<bool> {
    let mut is_called = vec![false; modules];
    for link in links {
        if let Link::Module(called) = *link {
            is_called[called] = true;
        }
    }
    is_called
}
