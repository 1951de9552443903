//! The value of an object, and its origin.

use super::answers::{Answers, FileSpan};
use super::named::Named;
use crate::expand::{Expansion, Inputs};
use crate::hash::HashSet;
use crate::module::Object;

/// The value of an object in one root module.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShownValue {
    /// The directory of the root module that is evaluated.
    pub root: Box<str>,
    /// The absolute address in it: `module.net.var.size`.
    pub address: Box<str>,
    /// The value, as far as it is known. Sensitive parts are `(sensitive)`.
    pub text: Box<str>,
    /// The expression that gives the value: for a variable of a root module its default or the file of
    /// variables that sets it.
    pub from: Option<FileSpan>,
    /// The expressions that this one depends on directly.
    pub uses: Vec<Box<str>>,
}

/// The number of root modules whose values are computed.
const MOST_ROOTS: usize = 3;

/// The number of bytes of a value that are shown.
const MOST_TEXT: usize = 1000;

impl<'t, 'a> Answers<'t, 'a> {
    /// The values of an object in root modules that contain it, at most three; only the first instance
    /// of a call on the way. `path` is the rest of an address in the object, such as `.tags.Name`.
    ///
    /// Cost: that of evaluating what the value depends on. The memory stays in the arena of the tree.
    #[must_use]
    pub fn values(&self, named: Named<'a>, path: &str) -> Vec<ShownValue> {
        let own = match named.object {
            Object::Variable(_) | Object::Local(_) | Object::Output(_) => named.object.to_string(),
            _ => return Vec::new(),
        };
        let values = self.roots_of(named.module).into_iter().filter_map(|(root, prefix)| {
            let address = format!("{prefix}{own}");
            self.with_expansion(root, |it| {
                let whole = || (!path.is_empty()).then(|| self.shown(it, &address, "")).flatten();
                self.shown(it, &address, path).or_else(whole)
            })
            .flatten()
        });
        values.collect()
    }

    /// Evaluates a root module for several questions.
    pub(super) fn with_expansion<R>(
        &self,
        root: usize,
        read: impl FnOnce(&Expansion<'_, 'a>) -> R,
    ) -> Option<R> {
        let arena = self.module(root).sources.first()?.arena();
        let inputs = Inputs::new(arena).with_schemas(self.schemas);
        let expansion = self.tree.expand(root, &inputs);
        let found = read(&expansion);
        Some(found)
    }

    /// The value at an address of an evaluated root module.
    pub(super) fn shown(
        &self,
        expansion: &Expansion<'_, 'a>,
        address: &str,
        path: &str,
    ) -> Option<ShownValue> {
        let root = expansion.root();
        let address = format!("{address}{path}");
        let origins = expansion.why(&address)?;
        let first = origins.first()?;
        let text = match first.is_hidden {
            true => crate::hidden::HIDDEN.to_owned(),
            false => first.value.to_string(),
        };
        let uses = origins.iter().skip(1).filter(|it| it.depth == 1);
        Some(ShownValue {
            root: self.module(root).files.path.to_string_lossy().into(),
            address: address.into(),
            text: shortened(text).into(),
            from: first.label.map(|label| FileSpan::new(label.source, label.span)),
            uses: uses.map(|it| it.address.as_str().into()).collect(),
        })
    }

    /// The root modules that contain a module, with the prefixes of its addresses there: the module
    /// itself, if nothing calls it.
    pub(super) fn roots_of(&self, module: usize) -> Vec<(usize, String)> {
        let mut found = Vec::new();
        let mut seen: HashSet<usize> = HashSet::default();
        let mut open = std::collections::VecDeque::from([(module, String::new())]);
        while let Some((module, prefix)) = open.pop_front() {
            if found.len() == MOST_ROOTS || !seen.insert(module) {
                continue;
            }
            let callers = self.callers(module);
            if callers.is_empty() {
                found.push((module, prefix));
                continue;
            }
            for &(caller, call) in callers {
                if let Some(Object::ModuleCall(name)) = self.module(caller).module.object(call) {
                    open.push_back((caller, format!("module.{name}.{prefix}")));
                }
            }
        }
        found
    }
}

/// A text that is cut after some bytes.
fn shortened(mut text: String) -> String {
    if text.len() > MOST_TEXT {
        let end = (0..=MOST_TEXT).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        text.truncate(end);
        text.push('…');
    }
    text
}
