//! Reports blocks in called modules that have an effect only in root modules: backends and imports.

use super::module::{Link, TreeModule};
use super::reach::Reach;
use crate::diagnostic::{Code, Diagnostic};
use crate::dialect::Dialect;
use crate::module::{SourceAddress, SourceError};

/// The diagnostics, each with the place of its module.
pub(super) fn check<'a>(
    modules: &[TreeModule<'a>],
    links: &[Vec<Link>],
    reach: &Reach<'a>,
) -> Vec<(usize, Diagnostic<'a>)> {
    let mut found = Vec::new();
    for place in (0..modules.len()).filter(|&place| modules[place].is_called) {
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
    own_paths(modules, links, reach, &mut found);
    found
}

/// Reports sources that start with `path.module`, in modules called by a path below the root
/// module: there the source is `child/x`, which is not a valid address.
fn own_paths<'a>(
    modules: &[TreeModule<'a>],
    links: &[Vec<Link>],
    reach: &Reach<'a>,
    found: &mut Vec<(usize, Diagnostic<'a>)>,
) {
    let mut is_below = vec![false; modules.len()];
    let roots = modules.iter().zip(links).filter(|(module, _)| !module.is_called);
    for called in roots.flat_map(|(module, links)| calls_below(module, links)) {
        is_below[called] = true;
    }
    for (place, module) in modules.iter().enumerate() {
        let mut own = module.module.calls.iter().filter(|call| call.takes_own_path()).peekable();
        if own.peek().is_none() || !is_below[place] && !reach.is_below_root_outside(module) {
            continue;
        }
        for source in own.filter_map(|call| call.source) {
            let diagnostic = Diagnostic::new(Code::ModuleSource, source.expression().label())
                .with_arguments(&[SourceError::MaybeRelative.as_str()]);
            found.push((place, diagnostic));
        }
    }
}

/// The modules that a module calls by a path that starts with `./`.
pub(super) fn calls_below<'m>(
    module: &'m TreeModule<'_>,
    links: &'m [Link],
) -> impl Iterator<Item = usize> + 'm {
    let calls = module.module.calls.iter().zip(links);
    calls.filter_map(|(call, link)| match (link, call.source_address()) {
        (Link::Module(called), Some(SourceAddress::Local(path))) if path.starts_with("./") => {
            Some(*called)
        }
        _ => None,
    })
}

/// Sets for each module whether another one calls it. `is_called_outside` says so of modules that are
/// not in the tree.
pub(super) fn mark<'a>(
    modules: &mut [TreeModule<'a>],
    links: &[Vec<Link>],
    is_called_outside: impl Fn(&TreeModule<'a>) -> bool,
) {
    for link in links.iter().flatten() {
        if let Link::Module(called) = *link {
            modules[called].is_called = true;
        }
    }
    for module in modules.iter_mut().filter(|module| !module.is_called) {
        module.is_called = is_called_outside(module);
    }
}
