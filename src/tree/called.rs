//! Reports blocks in called modules that have an effect only in root modules: backends and imports.

use super::module::{Link, TreeModule};
use crate::diagnostic::{Code, Diagnostic};
use crate::dialect::Dialect;
use crate::hash::HashSet;
use crate::module::{SourceAddress, SourceError};

/// The diagnostics, each with the place of its module.
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
        // Terraform does not report imports.
        let import = import.filter(|_| module.dialect == Dialect::OpenTofu);
        for (block, code) in [(backend, Code::IgnoredBackend), (import, Code::CalledImport)] {
            if let Some(block) = block {
                let diagnostic = Diagnostic::new(code, block.definition_label());
                found.push((place, diagnostic));
            }
        }
    }
    own_paths(modules, links, &is_called, &mut found);
    found
}

/// Reports sources that start with `path.module`, in modules called by a path below the root
/// module: there the source is `child/x`, which is not a valid address.
fn own_paths<'a>(
    modules: &[TreeModule<'a>],
    links: &[Vec<Link>],
    is_called: &[bool],
    found: &mut Vec<(usize, Diagnostic<'a>)>,
) {
    let mut seen = HashSet::default();
    let roots = (0..modules.len()).filter(|&place| !is_called[place]);
    for root in roots {
        for (call, link) in modules[root].module.calls.iter().zip(&links[root]) {
            let Link::Module(called) = *link else { continue };
            let is_below = matches!(call.source_address(), Some(SourceAddress::Local(path)) if path.starts_with("./"));
            if !is_below || !seen.insert(called) {
                continue;
            }
            let calls = modules[called].module.calls.iter();
            for source in calls.filter(|call| call.takes_own_path()).filter_map(|call| call.source)
            {
                let diagnostic = Diagnostic::new(Code::ModuleSource, source.expression().label())
                    .with_arguments(&[SourceError::MaybeRelative.as_str()]);
                found.push((called, diagnostic));
            }
        }
    }
}

/// For each module, whether another one calls it.
pub(super) fn called<'l>(modules: usize, links: impl Iterator<Item = &'l Link>) -> Vec<bool> {
    let mut is_called = vec![false; modules];
    for link in links {
        if let Link::Module(called) = *link {
            is_called[called] = true;
        }
    }
    is_called
}
