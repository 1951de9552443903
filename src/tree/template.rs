//! A template of Packer in a tree.

#[cfg(feature = "packer")]
use std::collections::VecDeque;

#[cfg(feature = "packer")]
use super::Dependent;
use super::TreeOptions;
use super::module::sort;
use crate::arena::Arena;
use crate::diagnostic::Diagnostic;
use crate::directory::{FileDocument, ModuleFiles};
#[cfg(feature = "packer")]
use crate::hash::HashSet;
use crate::hidden::Hidden;
#[cfg(feature = "packer")]
use crate::packer::{Template, Uses};
use crate::source::Source;

/// A template of Packer in a tree. Nothing calls it, and it calls nothing. Its declarations are
/// read only with the feature `packer`; its files are parsed without it, too.
#[derive(Debug)]
#[non_exhaustive]
pub struct TreeTemplate<'a> {
    /// Its directory and files.
    pub files: ModuleFiles,
    /// The files that were read, in the order of `files`.
    pub sources: Vec<Source<'a>>,
    /// The declarations.
    #[cfg(feature = "packer")]
    pub template: Template<'a>,
    /// The dependencies within the template.
    #[cfg(feature = "packer")]
    pub uses: Uses,
    /// The files that could not be read, or have a syntax error, so that their declarations are not
    /// known.
    pub undecoded: Vec<Source<'a>>,
    /// The diagnostics, by file in the order of `files`, then by offset.
    pub diagnostics: Vec<Diagnostic<'a>>,
    /// The values that must not be shown.
    pub(crate) hidden: Hidden,
}

impl<'a> TreeTemplate<'a> {
    /// Reads the parsed files of a template.
    pub(super) fn read(
        arena: &'a Arena,
        files: &ModuleFiles,
        decoded: Vec<FileDocument<'_, 'a>>,
        options: &TreeOptions,
    ) -> Self {
        let mut diagnostics = Vec::new();
        let mut sources = Vec::new();
        let mut documents = Vec::new();
        let mut undecoded = Vec::new();
        let mut hidden = Hidden::default();
        for FileDocument { file, source, parsed } in decoded {
            sources.push(source);
            match parsed {
                Ok(parsed) => {
                    diagnostics.extend_from_slice(parsed.diagnostics());
                    if !parsed.is_complete() {
                        undecoded.push(source);
                    }
                    hidden.add(files.dialect, file.kind.list, parsed);
                    documents.push((file.kind.list, parsed));
                }
                Err(error) => {
                    diagnostics.push(error);
                    undecoded.push(source);
                }
            }
        }
        #[cfg(feature = "packer")]
        let (template, uses) = {
            let template = Template::read(documents, &options.packer, &mut diagnostics);
            // A file of variables that is given alone does not show which variables exist.
            let withholds = !undecoded.is_empty() || !files.has_configuration();
            let uses = template.analyse(arena, withholds, &mut diagnostics);
            (template, uses)
        };
        #[cfg(not(feature = "packer"))]
        let _ = (arena, documents, options);
        sort(&mut diagnostics, &sources);
        Self {
            files: files.clone(),
            sources,
            #[cfg(feature = "packer")]
            template,
            #[cfg(feature = "packer")]
            uses,
            undecoded,
            diagnostics,
            hidden,
        }
    }
}

#[cfg(feature = "packer")]
impl TreeTemplate<'_> {
    /// Everything in the template that depends on one of some objects, directly or not, by number
    /// ([`Template::objects`]): nearest first, then by number. The objects themselves are not
    /// included.
    ///
    /// Cost: linear in the objects and edges of the template.
    #[must_use]
    pub fn dependents(&self, of: &[u32]) -> Vec<Dependent> {
        let mut edges: Vec<(u32, u32)> =
            self.uses.edges().iter().map(|&(from, to)| (to, from)).collect();
        edges.sort_unstable();
        let mut seen: HashSet<u32> = of.iter().copied().collect();
        let mut queue: VecDeque<(u32, u32)> = of.iter().map(|&start| (start, 0)).collect();
        let mut found = Vec::new();
        while let Some((node, distance)) = queue.pop_front() {
            let first = edges.partition_point(|(to, _)| *to < node);
            for &(_, from) in edges[first..].iter().take_while(|(to, _)| *to == node) {
                if seen.insert(from) {
                    found.push(Dependent { node: from, distance: distance + 1, via: Some(node) });
                    queue.push_back((from, distance + 1));
                }
            }
        }
        found.sort_by_key(|dependent| (dependent.distance, dependent.node));
        found
    }
}
