//! Provider configurations: their values, and the instances that resources and calls refer to.

use super::body::own_bodies;
use super::engine::Expansion;
use super::keys::{Key, Keys};
use super::node::Node;
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic};
use crate::module::dynamic::Nested;
use crate::module::{Provider, ProviderReference};
use crate::native::{self, StepKind};
use crate::reference::InstanceKey;
use crate::value::{Type, convert};

impl<'t, 'a> Expansion<'t, 'a> {
    /// Evaluates the provider configurations of a module, and the keys by which its calls pass them on.
    pub(super) fn check_providers(&self, number: u32) {
        let module = self.module(number);
        let declared = &module.declared.module;
        for (place, provider) in (0..).zip(&declared.providers) {
            let keys = self.force_keys(Node::ProviderKeys(number, place));
            let schema = self.provider_schema(&module, provider.name);
            for at in 0..keys.len() {
                self.settled((number, keys.get(at), (&Arena::new(), false)), |evaluation| {
                    match &schema {
                        Some(schema) => {
                            let Provider { config, escape, .. } = *provider;
                            let own = own_bodies(config, escape);
                            evaluation.typed(&own, config.overrides(), schema, 0);
                        }
                        None => {
                            evaluation.plain(
                                &mut provider.config.properties(),
                                &|_| None,
                                Nested::Unknown,
                                0,
                            );
                        }
                    }
                });
            }
        }
        for (place, call) in (0..).zip(&declared.calls) {
            let mut passed = call.providers.iter().map(|pass| pass.outer);
            for reference in passed.by_ref().filter(|reference| reference.has_key()) {
                let keys = self.force_keys(Node::CallKeys(number, place));
                (0..keys.len()).for_each(|at| self.check_key(number, reference, keys.get(at)));
            }
        }
    }

    /// Reports a key that the referred provider configuration does not have. `own` is that of the
    /// instance that refers to it.
    pub(super) fn check_key(&self, number: u32, reference: ProviderReference<'a>, own: Key<'a>) {
        let module = self.module(number);
        let place = module.declared.module.providers.place(reference.name());
        let Some(place) = place.filter(|_| reference.has_key()) else { return };
        let keys = self.force_keys(Node::ProviderKeys(number, place));
        let arena = self.inputs.arena;
        let key = match (reference.traversal().steps().get(2), reference.computed_key()) {
            (Some(step), _) => match step.kind {
                StepKind::Index(native::Key::String(text) | native::Key::Number(text)) => {
                    Some(text)
                }
                _ => None,
            },
            (None, Some(key)) => self.settled((number, own, (arena, false)), |evaluation| {
                let key = convert(arena, evaluation.value(key), Type::String).ok()?;
                Some(key).filter(|key| !key.marks().hides())?.as_str()
            }),
            _ => None,
        };
        if let (Keys::Each(_), Some(key)) = (keys, key)
            && keys.place(InstanceKey::String(key)).is_none()
        {
            let key = InstanceKey::String(key);
            let why = arena.format(format_args!("The configuration has no instance {key}."));
            let found = Diagnostic::new(Code::ProviderInstance, reference.label());
            self.report(number, found.with_arguments(&[why]));
        }
    }
}
