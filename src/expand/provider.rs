//! Provider configurations: their values, and the instances that resources and calls refer to.

use super::body::own_bodies;
use super::engine::Expansion;
use super::keys::{Key, Keys};
use super::node::Node;
use super::select::Selection;
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic};
use crate::module::dynamic::Nested;
use crate::module::{Provider, ProviderReference};
use crate::native::{self, StepKind};
use crate::reference::InstanceKey;
use crate::value::{Type, Value, convert};

impl<'t, 'a> Expansion<'t, 'a> {
    /// Evaluates the provider configurations of a module, and the keys by which its calls pass them on.
    pub(super) fn check_providers(&self, number: u32) {
        let module = self.module(number);
        let declared = &module.declared.module;
        for (place, provider) in (0..).zip(&declared.providers) {
            let keys = self.force_keys(Node::ProviderKeys(number, place));
            for at in 0..keys.len() {
                self.provider_value((number, provider), keys.get(at), &Arena::new());
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

    /// The value of a provider configuration.
    fn provider_value<'v>(
        &self,
        (number, provider): (u32, &Provider<'a>),
        key: Key<'v>,
        arena: &'v Arena,
    ) -> Value<'v>
    where
        'a: 'v,
    {
        let schema = self.provider_schema(&self.module(number), provider.name);
        self.settled((number, key, (arena, false)), |evaluation| {
            evaluation.for_each.set(provider.for_each);
            match &schema {
                Some(schema) => {
                    let Provider { config, escape, .. } = *provider;
                    evaluation.typed(&own_bodies(config, escape), config.overrides(), schema, 0)
                }
                None => {
                    let mut properties = provider.config.properties();
                    let plain = evaluation.plain(&mut properties, &|_| None, Nested::Unknown, 0);
                    Value::object(arena, &plain.all)
                }
            }
        })
    }

    /// Passes on the value of each provider configuration: the address of its module, and its name with its key.
    ///
    /// Cost: that of evaluating them.
    pub(crate) fn visit_providers<'v>(
        &self,
        arena: &'v Arena,
        mut take: impl FnMut(&str, String, Value<'v>),
    ) where
        'a: 'v,
    {
        let mut modules = vec![0];
        while let Some(number) = modules.pop() {
            let module = self.module(number);
            for (place, provider) in (0..).zip(&module.declared.module.providers) {
                let keys = self.force_keys(Node::ProviderKeys(number, place));
                for key in (0..keys.len()).map(|at| keys.get(at)) {
                    let mut name = provider.config_name().to_string();
                    key.write(&mut name);
                    take(
                        &module.address,
                        name,
                        self.provider_value((number, provider), key, arena),
                    );
                }
            }
            modules.extend(self.called(number, &Selection::default()).into_iter().rev());
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
