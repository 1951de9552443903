//! The view that checks between modules have of a called module: its interface, and the places that
//! diagnostics point to.

use std::fmt;

use super::module::TreeModule;
use crate::diagnostic::Label;
use crate::facts::{Interface, Opened, VariableFacts};
use crate::module::ProviderConfigName;
use crate::native::Traversal;

/// A called module, as its callers see it.
#[derive(Clone, Copy)]
pub(super) struct Callee<'t, 'a> {
    pub(super) interface: &'t Interface,
    pub(super) opened: &'t Opened<'a>,
    /// Only for places.
    module: &'t TreeModule<'a>,
}

/// A part of a called module that a diagnostic points to.
#[derive(Clone, Copy)]
pub(super) enum Spot<'n> {
    /// The declaration of a variable.
    Variable(&'n str),
    /// The condition of the validation at a place of a variable.
    Condition(&'n str, usize),
    /// The block of a provider configuration.
    Provider(ProviderConfigName<'n>),
    /// A configuration in `configuration_aliases`.
    Alias(ProviderConfigName<'n>),
}

impl<'t, 'a> Callee<'t, 'a> {
    /// The module at a place, if it has facts: if another one calls it.
    pub(super) fn at(modules: &'t [TreeModule<'a>], place: usize) -> Option<Self> {
        let module = modules.get(place)?;
        let facts = module.facts.as_ref()?;
        Some(Self { interface: &facts.interface, opened: &facts.opened, module })
    }

    /// Its directory, as messages show it.
    pub(super) fn directory(&self) -> impl fmt::Display + use<'t, 'a> {
        &self.module.files.path
    }

    /// Whether one of its declarations is invalid.
    pub(super) fn has_wrong_declarations(&self) -> bool {
        self.module.has_wrong_declarations
    }

    /// Where a part is written.
    ///
    /// Cost: constant, but for an alias: linear in those of the module.
    pub(super) fn label(&self, spot: Spot<'_>) -> Option<Label<'a>> {
        let module = &self.module.module;
        match spot {
            Spot::Variable(name) => Some(module.variables.get(name)?.block.definition_label()),
            Spot::Condition(name, place) => {
                let validation = module.variables.get(name)?.validations.get(place)?;
                Some(validation.condition?.label())
            }
            Spot::Provider(name) => Some(module.providers.get(name)?.block.definition_label()),
            Spot::Alias(name) => {
                let mut aliases =
                    module.required_providers().flat_map(|it| it.configuration_aliases);
                let is_it = |alias: &&Traversal<'a>| ProviderConfigName::of(**alias) == name;
                aliases.find(is_it).map(|alias| alias.label())
            }
        }
    }

    /// A variable, with its index among all.
    pub(super) fn variable(&self, name: &str) -> Option<(usize, &'t VariableFacts)> {
        let place = self.interface.variable_place(name)?;
        Some((place, self.interface.variables().get(place)?))
    }
}
