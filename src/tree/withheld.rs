//! Messages about values that must not be shown, in the files of a tree.

use std::sync::Arc;

use super::{Origin, Secrets, Tree};
use crate::diagnostic::Diagnostic;
use crate::dialect::{FileKind, List};
use crate::directory::{DecodeOptions, ModuleFiles};
use crate::hash::HashMap;
use crate::hidden::{Hidden, Places};

/// A module or a template, by its index.
#[derive(Clone, Copy)]
enum Owner {
    Module(usize),
    Template(usize),
}

impl<'a> Tree<'a> {
    /// Takes out of diagnostics what they repeat of values that must not be shown, in files of the tree. Its own
    /// diagnostics are as they should be.
    ///
    /// Cost: linear in the files that they are about, and in the number of files; once that of
    /// [`Tree::hidden`].
    pub fn withhold(&self, diagnostics: &mut [Diagnostic<'a>]) {
        if !diagnostics.iter().any(Diagnostic::may_repeat_values) {
            return;
        }
        let modules = self.modules.iter().enumerate();
        let modules = modules.map(|(at, it)| (Owner::Module(at), &it.files));
        let templates = self.templates.iter().enumerate();
        let templates = templates.map(|(at, it)| (Owner::Template(at), &it.files));
        self.withhold_in(modules.chain(templates), diagnostics);
    }

    /// Does so with those in the files of a module.
    pub(super) fn withhold_in_module(&self, at: usize, diagnostics: &mut [Diagnostic<'a>]) {
        let module = self.modules.get(at).map(|it| (Owner::Module(at), &it.files));
        self.withhold_in(module, diagnostics);
    }

    /// Does so with its own diagnostics.
    pub(super) fn withhold_own(&mut self) {
        for at in 0..self.modules.len() {
            if self.modules[at].origin != Origin::Given {
                continue;
            }
            let mut found = std::mem::take(&mut self.modules[at].diagnostics);
            self.withhold_in_module(at, &mut found);
            self.modules[at].diagnostics = found;
        }
        for at in 0..self.templates.len() {
            let mut found = std::mem::take(&mut self.templates[at].diagnostics);
            let template = (Owner::Template(at), &self.templates[at].files);
            self.withhold_in([template], &mut found);
            self.templates[at].diagnostics = found;
        }
    }

    fn withhold_in<'t>(
        &'t self,
        owners: impl IntoIterator<Item = (Owner, &'t ModuleFiles)>,
        diagnostics: &mut [Diagnostic<'a>],
    ) {
        let mut found = diagnostics.iter_mut().filter(|it| it.may_repeat_values()).peekable();
        if found.peek().is_none() {
            return;
        }
        let mut files: HashMap<String, (Owner, &ModuleFiles, FileKind)> = HashMap::default();
        for (owner, all) in owners {
            for file in &all.files {
                let name = file.path.to_string_lossy().into_owned();
                files.entry(name).or_insert((owner, all, file.kind));
            }
        }
        let mut known: HashMap<u32, Places> = HashMap::default();
        let mut of_stacks: HashMap<usize, Option<Arc<Hidden>>> = HashMap::default();
        for diagnostic in found {
            let source = diagnostic.source();
            let places = known.entry(source.id()).or_insert_with(|| {
                let Some(&(owner, all, kind)) = files.get(source.name()) else {
                    return Places::default();
                };
                let hidden = match owner {
                    Owner::Module(at) => {
                        let of_stack =
                            of_stacks.entry(at).or_insert_with(|| self.hidden_of_stack(at));
                        of_stack.as_deref().or_else(|| self.hidden_once().get(at))
                    }
                    Owner::Template(at) => Some(&self.templates[at].hidden),
                };
                let kind = (all.dialect, kind);
                hidden.map(|hidden| hidden.places(kind, source)).unwrap_or_default()
            });
            places.withhold(diagnostic);
        }
    }

    /// The values that are hidden in the files of a stack, by its index in [`Tree::modules`]: also those
    /// that its components pass to modules, which are read if they are not in the tree. `None` if it is no
    /// stack.
    #[must_use]
    pub fn hidden_of_stack(&self, at: usize) -> Option<Arc<Hidden>> {
        let stack = self.modules.get(at).filter(|module| module.stack.is_some())?;
        let all: Vec<ModuleFiles> = self.modules.iter().map(|it| it.files.clone()).collect();
        let mut files = stack.files.clone();
        files.files.retain(|it| matches!(it.kind.list, List::Component | List::Deployment));
        Some(Secrets::of_modules(&all, &DecodeOptions::default()).of(&files, None))
    }
}
