//! Instances of resources.

use std::cell::OnceCell;
use std::sync::Arc;

use super::body::{Plain, is_shown, own_bodies};
use super::engine::Expansion;
use super::evaluation::Evaluation;
use super::instance::ModuleInstance;
use super::keys::{Key, Keys};
use super::node::Node;
use super::select::{Selection, join};
use crate::arena::Arena;
use crate::body::Attribute;
use crate::hash::HashMap;
use crate::module::Resource;
use crate::reference::{InstanceKey, ResourceName};
use crate::show::BodySchema;
use crate::value::{Type, Value};

/// An instance of a resource or data source. Its values are computed when they are asked for.
pub struct Instance<'i, 't, 'a> {
    pub(super) engine: &'i Expansion<'t, 'a>,
    number: u32,
    address: &'i str,
    module: &'i ModuleInstance<'t, 'a>,
    resource: &'i Resource<'a>,
    key: Key<'a>,
    repeated: &'i Repeated<'i, 'a>,
    arena: &'i Arena,
    values: OnceCell<Value<'i>>,
}

/// What the instances of a resource have in common.
struct Repeated<'k, 'a> {
    schema: Option<(Arc<BodySchema<'a>>, u64)>,
    provider: &'a str,
    /// The values of attributes that do not depend on the instance, by the start of the attribute in
    /// its file.
    shared: HashMap<(u32, u32), Value<'k>>,
    /// Whether there are several instances.
    is_many: bool,
}

impl<'i, 'a> Instance<'i, '_, 'a> {
    /// The address, with that of its module: `module.a["x"].aws_instance.web[0]`. The key is `[*]` if
    /// it is not known which instances there are.
    #[must_use]
    pub fn address(&self) -> &'i str {
        self.address
    }

    /// The resource within its module.
    #[must_use]
    pub fn resource(&self) -> ResourceName<'a> {
        self.resource.address
    }

    /// The block that declares it.
    pub(super) fn declared(&self) -> &'i Resource<'a> {
        self.resource
    }

    /// Its key, which may be unknown.
    pub(super) fn raw_key(&self) -> Key<'a> {
        self.key
    }

    /// The key, if it has one and it is known.
    #[must_use]
    pub fn key(&self) -> Option<InstanceKey<'a>> {
        match self.key {
            Key::Index(index) => i64::try_from(index).ok().map(InstanceKey::Number),
            Key::Name(name, _) => Some(InstanceKey::String(name)),
            Key::None | Key::Unknown(_) => None,
        }
    }

    /// Whether it stands for instances that are not known: their number or keys depend on something
    /// unknown.
    #[must_use]
    pub fn is_placeholder(&self) -> bool {
        matches!(self.key, Key::Unknown(_))
    }

    /// The address of the module, empty for the root module.
    #[must_use]
    pub fn module_address(&self) -> &str {
        &self.module.address
    }

    /// The full name of the provider.
    #[must_use]
    pub fn provider_name(&self) -> &'a str {
        self.repeated.provider
    }

    /// The version of its schema, if the schema is known.
    #[must_use]
    pub fn schema_version(&self) -> Option<u64> {
        self.repeated.schema.as_ref().map(|(_, version)| *version)
    }

    /// The attributes and blocks, an object. Unknown values are those that only the provider knows,
    /// and what depends on them.
    ///
    /// Cost: the first call evaluates them.
    pub fn values(&self) -> Value<'i> {
        *self.values.get_or_init(|| {
            loop {
                let evaluation =
                    Evaluation::new(self.engine, self.number, (self.arena, !self.repeated.is_many))
                        .with_key(self.key);
                let value = evaluation.instance(self.resource, self.repeated);
                let missing = self.engine.close(evaluation);
                if missing.is_empty() {
                    return value;
                }
                self.engine.compute_all(missing);
            }
        })
    }
}

impl std::fmt::Debug for Instance<'_, '_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Instance").field(&self.address).finish()
    }
}

impl<'v, 'a: 'v> Evaluation<'_, '_, 'v, 'a> {
    /// The values of an instance.
    fn instance(&self, resource: &Resource<'a>, repeated: &Repeated<'v, 'a>) -> Value<'v> {
        match &repeated.schema {
            Some((schema, _)) => self.with_schema(resource, schema),
            None => {
                let all = self.without_schema(resource, &repeated.shared).all;
                Value::object(self.arena, &all)
            }
        }
    }

    fn with_schema(&self, resource: &Resource<'a>, schema: &BodySchema<'a>) -> Value<'v> {
        let own = own_bodies(resource.config, resource.escape.copied());
        let value = self.typed(&own, resource.config.overrides(), schema, 0);
        match resource.address.resource_type {
            "terraform_data" => self.terraform_data(value),
            _ => value,
        }
    }

    /// What the built-in provider plans: the output has the type of the input.
    fn terraform_data(&self, value: Value<'v>) -> Value<'v> {
        let Some(input) = value.get("input") else { return value };
        let output = match input.is_null() {
            true => Value::null(Type::Dynamic),
            false => Value::unknown(input.ty()),
        };
        let entries = value.entries().iter().map(|&(name, value)| match name {
            "output" => (name, output),
            "id" => (name, value.not_null()),
            _ => (name, value),
        });
        Value::object(self.arena, &entries.collect::<Vec<_>>())
    }

    fn without_schema(
        &self,
        resource: &Resource<'a>,
        shared: &HashMap<(u32, u32), Value<'v>>,
    ) -> Plain<'v> {
        let escaped = resource.escape.into_iter().flat_map(|escape| escape.body().properties());
        let mut properties = resource.config.properties().chain(escaped);
        self.plain(&mut properties, &|property| shared.get(&place(property)).copied(), 0)
    }
}

fn place(property: Attribute<'_>) -> (u32, u32) {
    (property.source().id(), property.name_span().start)
}

/// The value of an instance for expressions that refer to it: without a schema, only its attributes
/// are known.
pub(super) fn referred<'v, 'a: 'v>(
    evaluation: &Evaluation<'_, '_, 'v, 'a>,
    resource: &Resource<'a>,
) -> Value<'v> {
    let engine = evaluation.engine;
    match engine.schema(&engine.module(evaluation.module), resource) {
        Some((schema, _)) => evaluation.with_schema(resource, &schema),
        None => {
            let plain = evaluation.without_schema(resource, &HashMap::default());
            Value::with_known(evaluation.arena, &plain.known)
        }
    }
}

/// The value of one attribute of a resource without a schema.
pub(super) fn attribute<'v, 'a: 'v>(
    evaluation: &Evaluation<'_, '_, 'v, 'a>,
    resource: &Resource<'a>,
    name: &str,
) -> Value<'v> {
    let mut properties = resource.config.properties();
    let Some(property) = properties.find(|property| property.is_named(name)) else {
        return Value::dynamic();
    };
    if property.as_block().is_some() || property.is_named("dynamic") {
        return Value::dynamic();
    }
    let expression = property.expression();
    let value = evaluation.value(expression);
    if value.is_null() { Value::dynamic() } else { evaluation.referred(expression, value) }
}

impl<'t, 'a> Expansion<'t, 'a> {
    /// Visits the instances of resources and data sources, module by module: resources by address,
    /// then called modules by address.
    ///
    /// Cost: constant for each instance, and that of evaluating `count` and `for_each`; what is not
    /// selected is not evaluated. Values are evaluated when [`Instance::values`] asks for them.
    pub fn visit(&self, selection: &Selection, mut take: impl FnMut(&Instance<'_, 't, 'a>)) {
        let mut modules = vec![0];
        while let Some(module) = modules.pop() {
            self.visit_module(module, selection, &mut take);
            modules.extend(self.called(module, selection).into_iter().rev());
        }
    }

    /// The instances of modules that a module calls, by address.
    pub(super) fn called(&self, module: u32, selection: &Selection) -> Vec<u32> {
        let instance = self.module(module);
        let mut all = Vec::new();
        for (place, call) in (0..).zip(&instance.declared.module.calls) {
            let address = join(&instance.address, &format!("module.{}", call.name));
            if !selection.may_hold(&address) {
                continue;
            }
            let keys = self.force_keys(Node::CallKeys(module, place));
            if let super::instance::Child::Modules(first) = self.children(module, place, keys) {
                let numbers = (0..keys.len()).map(|at| first + at as u32);
                all.extend(numbers.filter(|&it| selection.may_hold(&self.module(it).address)));
            }
        }
        all.sort_by_cached_key(|&number| self.module(number).address.clone());
        all
    }

    /// Visits the instances of the resources of one module.
    pub(super) fn visit_module(
        &self,
        number: u32,
        selection: &Selection,
        take: &mut dyn FnMut(&Instance<'_, 't, 'a>),
    ) {
        let module = self.module(number);
        let resources = &module.declared.module.resources;
        // Addresses of repeated resources go on with a bracket.
        let is_repeated = |it: &Resource<'_>| it.count.is_some() || it.for_each.is_some();
        let mut order: Vec<(String, u32)> = (0..)
            .zip(resources)
            .filter(|(_, it)| {
                is_shown(it.address.mode) && selection.has_type(it.address.resource_type)
            })
            .map(|(place, it)| {
                (format!("{}{}", it.address, if is_repeated(it) { "[" } else { "" }), place)
            })
            .collect();
        order.sort_unstable();
        let mut passing = Arena::new();
        let mut address = String::new();
        for (key, place) in order {
            let Some(resource) = resources.at(place) else { continue };
            let base = join(&module.address, key.trim_end_matches('['));
            if !selection.may_hold(&base) {
                continue;
            }
            let keys = match resource.is_plain() {
                true => Keys::One,
                false => self.force_keys(Node::ResourceKeys(number, place)),
            };
            let kept = Arena::new();
            let repeated = self.repeated(&kept, number, &module, resource, keys);
            for at in keys.in_order_of_text() {
                let key = keys.get(at);
                address.clear();
                address.push_str(&base);
                key.write(&mut address);
                if !selection.has(&address) {
                    continue;
                }
                if passing.local_bytes() > PASSING {
                    passing.reset();
                }
                take(&Instance {
                    engine: self,
                    number,
                    address: &address,
                    module: &module,
                    resource,
                    key,
                    repeated: &repeated,
                    arena: &passing,
                    values: OnceCell::new(),
                });
            }
        }
    }

    /// Whether a module has selected instances of resources.
    pub(super) fn has_instances(&self, number: u32, selection: &Selection) -> bool {
        let module = self.module(number);
        (0..).zip(&module.declared.module.resources).any(|(place, resource)| {
            if !is_shown(resource.address.mode)
                || !selection.has_type(resource.address.resource_type)
            {
                return false;
            }
            let base = join(&module.address, &resource.address.to_string());
            if !selection.may_hold(&base) {
                return false;
            }
            let keys = match resource.is_plain() {
                true => Keys::One,
                false => self.force_keys(Node::ResourceKeys(number, place)),
            };
            (0..keys.len()).any(|at| {
                let mut address = base.clone();
                keys.get(at).write(&mut address);
                selection.has(&address)
            })
        })
    }

    fn repeated<'k>(
        &self,
        kept: &'k Arena,
        number: u32,
        module: &ModuleInstance<'t, 'a>,
        resource: &Resource<'a>,
        keys: Keys<'a>,
    ) -> Repeated<'k, 'a>
    where
        'a: 'k,
    {
        let schema = self.schema(module, resource);
        let is_many = keys.len() > 1;
        let mut shared = HashMap::default();
        if is_many && schema.is_none() {
            for property in resource.config.properties() {
                if property.as_block().is_some() || property.is_named("dynamic") {
                    continue;
                }
                loop {
                    let evaluation =
                        Evaluation::new(self, number, (kept, false)).with_key(keys.get(0));
                    let value = evaluation.value(property.expression());
                    let uses_own = evaluation.uses_own.get();
                    let missing = self.close(evaluation);
                    if missing.is_empty() {
                        if !uses_own {
                            shared.insert(place(property), value);
                        }
                        break;
                    }
                    self.compute_all(missing);
                }
            }
        }
        Repeated { schema, provider: self.provider_name(module, resource), shared, is_many }
    }
}

/// The bytes of values that are not freed yet.
const PASSING: usize = 1 << 20;
