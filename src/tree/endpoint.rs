//! Converts the addresses in `moved`, `removed` and `import` blocks to the form that plans use.

use crate::native::{Key as Written, StepKind, Traversal};
use crate::show::{Address, Call, Key, ResourceMode, ResourceStep};

/// The address in a block, relative to its module; `None` if it is invalid, which is reported
/// elsewhere.
///
/// Terraform allows `resource` before the type of a managed resource.
pub(crate) fn address(written: Traversal<'_>) -> Option<Address<'_>> {
    let mut steps = Steps { written, at: 0 };
    let mut address = Address { modules: Vec::new(), resource: None };
    loop {
        let mut word = steps.name()?;
        if word == "module" {
            let name = steps.name()?;
            address.modules.push(Call { name, key: steps.key()? });
            if steps.is_at_end() {
                return Some(address);
            }
            continue;
        }
        let mode = match word {
            "data" | "ephemeral" => ResourceMode::of(word),
            _ => ResourceMode::Managed,
        };
        let has_prefix = word == "resource" && steps.has_names(2);
        if mode != ResourceMode::Managed || has_prefix {
            word = steps.name()?;
        }
        let name = steps.name()?;
        let key = steps.key()?;
        address.resource = Some(ResourceStep { mode, resource_type: word, name, key });
        return steps.is_at_end().then_some(address);
    }
}

struct Steps<'a> {
    written: Traversal<'a>,
    at: usize,
}

impl<'a> Steps<'a> {
    fn name_at(&self, at: usize) -> Option<&'a str> {
        match self.written.steps().get(at)?.kind {
            StepKind::Root(name) | StepKind::Attribute(name) => Some(name),
            _ => None,
        }
    }

    fn has_names(&self, count: usize) -> bool {
        (self.at..self.at + count).all(|at| self.name_at(at).is_some())
    }

    fn name(&mut self) -> Option<&'a str> {
        let name = self.name_at(self.at)?;
        self.at += 1;
        Some(name)
    }

    /// An optional key; `None` if the text in brackets is not a key.
    fn key(&mut self) -> Option<Option<Key<'a>>> {
        let key = match self.written.steps().get(self.at).map(|step| step.kind) {
            Some(StepKind::Index(Written::Number(digits))) => Key::Number(digits),
            Some(StepKind::Index(Written::String(text))) => Key::Text(text.into()),
            Some(StepKind::Index(_) | StepKind::Splat) => return None,
            _ => return Some(None),
        };
        self.at += 1;
        Some(Some(key))
    }

    fn is_at_end(&self) -> bool {
        self.at == self.written.steps().len()
    }
}
