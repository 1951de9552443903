//! Instances of resources.

use std::cell::OnceCell;
use std::fmt::Write;
use std::sync::Arc;

use super::body::{Plain, is_shown, own_bodies, properties};
use super::budget::price_of_printed;
use super::engine::Expansion;
use super::evaluation::Evaluation;
use super::instance::ModuleInstance;
use super::keys::{Key, Keys};
use super::node::Node;
use super::observer::Observed;
use super::plain::Arguments;
use super::select::{Selection, join};
use super::trees::Trees;
use crate::arena::Arena;
use crate::body::Attribute;
use crate::diagnostic::Label;
use crate::expression::Expression;
use crate::hash::HashMap;
use crate::module::dynamic::Nested;
use crate::module::{ModuleCall, Resource};
use crate::reference::{InstanceKey, ResourceName};
use crate::show::BodySchema;
use crate::value::Value;

/// An instance of a resource or data source. Its values are computed when they are asked for.
pub struct Instance<'i, 't, 'a> {
    pub(super) engine: &'i Expansion<'t, 'a>,
    number: u32,
    address: &'i str,
    module: &'i ModuleInstance<'t, 'a>,
    resource: &'i Resource<'a>,
    key: Key<'a>,
    repeated: &'i Repeated<'a>,
    arena: &'i Arena,
    values: OnceCell<Value<'i>>,
}

/// The facts that the instances of a resource share, as far as they have been asked for.
struct Repeated<'a> {
    keys: Keys<'a>,
    schema: OnceCell<Option<(Arc<BodySchema<'a>>, u64)>>,
    provider: OnceCell<&'a str>,
    /// The values of attributes that do not depend on the instance, by the start of the attribute in
    /// its file.
    shared: OnceCell<Shared<'a>>,
    arguments: OnceCell<Option<Arguments<'a>>>,
}

/// Values by the places of their attributes.
type Shared<'a> = HashMap<(u32, u32), Value<'a>>;

impl Repeated<'_> {
    fn is_many(&self) -> bool {
        self.keys.len() > 1
    }
}

impl<'i, 't, 'a> Instance<'i, 't, 'a> {
    /// The address, with that of its module: `module.a["x"].aws_instance.web[0]`. The key is `[*]` if
    /// it is not known which instances there are.
    #[must_use]
    pub fn address(&self) -> &'i str {
        self.address
    }

    /// The resource within its module.
    #[must_use]
    pub fn resource(&self) -> ResourceName<'a> {
        self.resource.address()
    }

    /// The block that declares it.
    pub(crate) fn declared(&self) -> &'i Resource<'a> {
        self.resource
    }

    /// The number of the instance of its module.
    pub(crate) fn module_number(&self) -> u32 {
        self.number
    }

    /// The value of an expression of its block.
    pub(crate) fn evaluate(&self, expression: Expression<'a>) -> Value<'i> {
        self.evaluated(|evaluation| evaluation.value(expression))
    }

    /// The possible texts of an expression of its block, as [`Observed::texts`] returns them.
    pub(crate) fn texts(&self, expression: Expression<'a>) -> Vec<String> {
        self.evaluated(|evaluation| evaluation.texts(expression))
    }

    /// Its key, which may be unknown.
    pub(super) fn raw_key(&self) -> Key<'a> {
        self.key
    }

    /// The key, if it has one and it is known.
    #[must_use]
    pub fn key(&self) -> Option<InstanceKey<'a>> {
        self.key.of_instance()
    }

    /// The place of the block that declares it.
    #[must_use]
    pub fn definition(&self) -> Label<'a> {
        self.resource.block.definition_label()
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

    /// The address that the state has for it, if a `moved` block has given it another one, or `count`
    /// was added or removed.
    #[must_use]
    pub fn previous_address(&self) -> Option<&str> {
        let state = self.engine.inputs.state.as_ref()?;
        let recorded = self.engine.recorded_address(state, self.address);
        recorded.filter(|&recorded| recorded != self.address)
    }

    /// The argument of its `import` block, `id` or `identity`, and the value; `None` if the state has the
    /// instance.
    #[must_use]
    pub fn import(&self) -> Option<(&'static str, Value<'a>)> {
        self.engine.imported(self.address)
    }

    /// The full name of the provider.
    #[must_use]
    pub fn provider_name(&self) -> &'a str {
        let provider = &self.repeated.provider;
        provider.get_or_init(|| self.engine.provider_name(self.module, self.resource))
    }

    /// The version of its schema, if the schema is known.
    #[must_use]
    pub fn schema_version(&self) -> Option<u64> {
        self.schema().map(|(_, version)| *version)
    }

    fn schema(&self) -> Option<&'i (Arc<BodySchema<'a>>, u64)> {
        let schema = &self.repeated.schema;
        schema.get_or_init(|| self.engine.schema(self.module, self.resource)).as_ref()
    }

    /// The attributes and blocks, an object. Unknown values are those that only the provider knows,
    /// and what depends on them.
    ///
    /// Cost: the first call evaluates them.
    pub fn values(&self) -> Value<'i> {
        *self.values.get_or_init(|| {
            self.evaluated(|evaluation| {
                let schema = self.schema();
                let value = match schema {
                    Some((schema, _)) => evaluation.with_schema(self.resource, schema),
                    None => {
                        let all = evaluation.without_schema(self.resource, self.shared()).all;
                        Value::object(evaluation.arena, &all)
                    }
                };
                let has_schema = schema.is_some();
                let recorded = evaluation.with_recorded(self.resource, self.key, value, has_schema);
                recorded.unwrap_or(value)
            })
        })
    }

    /// The values to print: those whose text is longer than what is left of the budget are unknown,
    /// which is reported.
    pub fn printed(&self) -> Value<'i> {
        let values = self.values();
        let label = || self.resource.block.definition_label();
        let Some(entries) = values.as_entries() else { return self.engine.printed(values, label) };
        let entries =
            entries.iter().map(|&(name, value)| (name, self.engine.printed(value, label)));
        Value::object(self.arena, &entries.collect::<Vec<_>>()).with_marks(values.marks())
    }

    /// Writes the known, the sensitive and the unknown parts of the values.
    pub(super) fn write_trees(&self, trees: &mut Trees<'a>) {
        let arguments = match self.schema() {
            None if self.values.get().is_none() && !self.engine.has_history(self.resource) => {
                self.arguments()
            }
            _ => None,
        };
        match arguments {
            Some(arguments) => {
                self.evaluated(|evaluation| evaluation.write_arguments(arguments, trees));
            }
            None => trees.set(self.printed(), self.engine.inputs.shows_sensitive),
        }
    }

    /// Evaluates until all nodes that the evaluation needs have their values.
    fn evaluated<R>(&self, mut work: impl FnMut(&Evaluation<'_, 't, 'i, 'a>) -> R) -> R {
        let arena = (self.arena, !self.repeated.is_many());
        self.engine.settled((self.number, self.key, arena), |evaluation| {
            evaluation.for_each.set(self.resource.for_each());
            work(evaluation)
        })
    }

    /// An evaluation of the first instance, whose values all instances may share.
    fn first(&self) -> Evaluation<'i, 't, 'a, 'a> {
        let arena = self.engine.inputs.arena;
        Evaluation::new(self.engine, self.number, (arena, false))
            .with_key(self.repeated.keys.get(0))
    }

    /// The arguments, as they are written without a schema.
    fn arguments(&self) -> Option<&'i Arguments<'a>> {
        let arguments = self.repeated.arguments.get_or_init(|| {
            let mut arguments = Arguments::of(self.resource)?;
            if self.repeated.is_many() {
                arguments.fix(|| self.first());
            }
            Some(arguments)
        });
        arguments.as_ref()
    }

    fn shared(&self) -> &'i Shared<'a> {
        self.repeated.shared.get_or_init(|| {
            let mut shared = HashMap::default();
            let is_attribute = |property: &Attribute<'a>| {
                property.as_block().is_none() && !property.is_named("dynamic")
            };
            let properties = self.resource.config().properties().filter(is_attribute);
            for property in properties.filter(|_| self.repeated.is_many()) {
                loop {
                    let evaluation = self.first();
                    let value = evaluation.free(property, Nested::Unknown, 0);
                    let uses_own = evaluation.uses_own.get();
                    let missing = self.engine.close(evaluation);
                    if missing.is_empty() {
                        if !uses_own {
                            shared.insert(place(property), value);
                        }
                        break;
                    }
                    self.engine.compute_all(missing);
                }
            }
            shared
        })
    }
}

impl std::fmt::Debug for Instance<'_, '_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Instance").field(&self.address).finish()
    }
}

impl<'v, 'a: 'v> Evaluation<'_, '_, 'v, 'a> {
    fn with_schema(&self, resource: &Resource<'a>, schema: &BodySchema<'a>) -> Value<'v> {
        let own = own_bodies(resource.config(), resource.escape());
        let value = self.typed(&own, resource.config().overrides(), schema, 0);
        match resource.address().resource_type {
            "terraform_data" => self.terraform_data(value),
            _ => value,
        }
    }

    /// Plans as the built-in provider does: the output has the type of the input, also of null. The value
    /// that `store` keeps is known only after an apply, since its input is write-only.
    fn terraform_data(&self, value: Value<'v>) -> Value<'v> {
        let Some(input) = value.get("input") else { return value };
        let output = match input.is_null() {
            true => Value::null(input.ty()),
            false => Value::unknown(input.ty()),
        };
        let entries = value.entries().iter().map(|&(name, value)| match name {
            "output" => (name, output),
            "id" => (name, value.not_null()),
            _ => (name, value),
        });
        Value::object(self.arena, &entries.collect::<Vec<_>>())
    }

    fn without_schema(&self, resource: &Resource<'a>, shared: &Shared<'a>) -> Plain<'v> {
        let take = |property| shared.get(&place(property)).copied();
        self.plain(&mut properties(resource), &take, Nested::Unknown, 0)
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
    key: Key<'v>,
) -> Value<'v> {
    let engine = evaluation.engine;
    match engine.schema(&engine.module(evaluation.module), resource) {
        Some((schema, _)) => {
            let value = evaluation.with_schema(resource, &schema);
            evaluation.with_recorded(resource, key, value, true).unwrap_or(value)
        }
        None => {
            let plain = evaluation.without_schema(resource, &HashMap::default());
            let is_recorded = engine.inputs.state.is_some();
            let own = if is_recorded { &plain.all } else { &plain.known };
            let recorded = engine.has_history(resource).then(|| {
                let value = Value::object(evaluation.arena, own);
                evaluation.with_recorded(resource, key, value, false)
            });
            let Some(recorded) = recorded.flatten() else {
                return Value::with_known(evaluation.arena, &plain.known);
            };
            let mut entries = recorded.entries().to_vec();
            entries.retain(|(name, value)| is_recorded || is_attribute(resource, name, *value));
            Value::with_known(evaluation.arena, &entries)
        }
    }
}

/// Whether a value that a resource without a schema has from another version is that of an attribute: objects
/// and lists may be blocks, unless they are written as an attribute of a native file.
fn is_attribute(resource: &Resource<'_>, name: &str, value: Value<'_>) -> bool {
    let is_container = value.as_elements().is_some() || value.as_entries().is_some();
    let mut properties = resource.config().properties();
    !is_container
        || properties.any(|property| {
            property.is_named(name)
                && property.as_block().is_none()
                && !property.expression().is_json()
        })
}

/// The value of one attribute of a resource without a schema.
pub(super) fn attribute<'v, 'a: 'v>(
    evaluation: &Evaluation<'_, '_, 'v, 'a>,
    resource: &Resource<'a>,
    name: &str,
) -> Value<'v> {
    let mut properties = resource.config().properties();
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

/// The selection of a visit, and its purpose.
#[derive(Clone, Copy)]
pub(super) struct Visit<'s, 'a> {
    /// The instances.
    pub(super) selection: &'s Selection,
    /// The resources that they belong to.
    pub(super) wanted: &'s dyn Fn(&Resource<'a>) -> bool,
    /// Whether each instance is printed, so that the text of its address counts.
    pub(super) is_printed: bool,
}

impl<'s> Visit<'s, '_> {
    /// All selected instances, for a caller that does not print them.
    pub(super) fn of(selection: &'s Selection) -> Self {
        Self { selection, wanted: &|_| true, is_printed: false }
    }
}

impl<'t, 'a> Expansion<'t, 'a> {
    /// Visits the instances of resources and data sources, module by module: resources by address,
    /// then called modules by address.
    ///
    /// Cost: constant for each instance, and that of evaluating `count` and `for_each`; what is not
    /// selected is not evaluated. Values are evaluated when [`Instance::values`] asks for them.
    pub fn visit(&self, selection: &Selection, mut take: impl FnMut(&Instance<'_, 't, 'a>)) {
        self.visit_all(&Visit::of(selection), &mut take);
    }

    /// Like [`visit`](Self::visit), for callers that print the instances. If those of a resource have
    /// more addresses than half of the budget that is left, this is reported, and one instance stands
    /// for all of them.
    pub fn visit_printed(
        &self,
        selection: &Selection,
        mut take: impl FnMut(&Instance<'_, 't, 'a>),
    ) {
        self.visit_all(&Visit { is_printed: true, ..Visit::of(selection) }, &mut take);
    }

    fn visit_all(&self, visit: &Visit<'_, 'a>, take: &mut dyn FnMut(&Instance<'_, 't, 'a>)) {
        let mut modules = vec![0];
        while let Some(module) = modules.pop() {
            self.visit_resources(module, visit, take);
            modules.extend(self.called(module, visit.selection).into_iter().rev());
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

    /// The addresses, without keys, of the calls whose modules are not known: not installed, not
    /// readable, or not affordable.
    ///
    /// Cost: that of evaluating `count` and `for_each` of calls.
    #[must_use]
    pub fn unread_calls(&self) -> Vec<String> {
        self.unread(|_| true)
    }

    /// Likewise, of the calls whose sources depend on the values of variables.
    ///
    /// Cost: nothing if the tree has no such call; otherwise the same.
    #[must_use]
    pub fn unread_sources(&self) -> Vec<String> {
        let is_wanted = |call: &ModuleCall<'a>| call.variable_source().is_some();
        let mut calls = self.tree.modules().iter().flat_map(|it| &it.module.calls);
        if calls.any(is_wanted) { self.unread(is_wanted) } else { Vec::new() }
    }

    fn unread(&self, is_wanted: impl Fn(&ModuleCall<'a>) -> bool) -> Vec<String> {
        let all = Selection::default();
        let mut found = Vec::new();
        let mut modules = vec![(0, String::new())];
        while let Some((number, address)) = modules.pop() {
            let instance = self.module(number);
            for (place, call) in (0..).zip(&instance.declared.module.calls) {
                let keys = self.force_keys(Node::CallKeys(number, place));
                let child = self.children(number, place, keys);
                if matches!(child, super::instance::Child::Unknown) && is_wanted(call) {
                    found.push(join(&address, &format!("module.{}", call.name)));
                }
            }
            for child in self.called(number, &all) {
                let called = self.module(child);
                let call = called.call.as_ref();
                let name =
                    call.and_then(|call| Some(instance.declared.module.calls.at(call.place)?.name));
                let name = name.unwrap_or_default();
                modules.push((child, join(&address, &format!("module.{name}"))));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Visits the instances of the resources of one module.
    pub(super) fn visit_resources(
        &self,
        number: u32,
        &Visit { selection, wanted, is_printed }: &Visit<'_, 'a>,
        take: &mut dyn FnMut(&Instance<'_, 't, 'a>),
    ) {
        let module = self.module(number);
        let resources = &module.declared.module.resources;
        // Addresses, one after the other. Those of repeated resources go on with a bracket.
        let mut texts = String::new();
        let mut order: Vec<(usize, usize, u32)> = Vec::new();
        for (place, resource) in (0..).zip(resources) {
            let address = resource.address();
            if !is_shown(address.mode)
                || !selection.has_type(address.resource_type)
                || !wanted(resource)
            {
                continue;
            }
            let start = texts.len();
            push_address(&mut texts, &module, resource);
            if !selection.may_hold(&texts[start..]) {
                texts.truncate(start);
                continue;
            }
            if resource.count().is_some() || resource.for_each().is_some() {
                texts.push('[');
            }
            order.push((start, texts.len(), place));
        }
        order.sort_by_key(|(start, end, _)| &texts[*start..*end]);
        let mut transient = Arena::new();
        let mut address = String::new();
        for (start, end, place) in order {
            let Some(resource) = resources.at(place) else { continue };
            let base = texts[start..end].trim_end_matches('[');
            let keys = match resource.is_plain() {
                true => Keys::One,
                false => self.force_keys(Node::ResourceKeys(number, place)),
            };
            let price = price_of_printed(keys.len(), base.len());
            let label = || resource.block.definition_label();
            let keys = match !is_printed || keys.len() <= 1 || self.affords(price, label) {
                true => keys,
                false => keys.to_unknown(),
            };
            let repeated = Repeated {
                keys,
                schema: OnceCell::new(),
                provider: OnceCell::new(),
                shared: OnceCell::new(),
                arguments: OnceCell::new(),
            };
            for at in keys.in_order_of_text() {
                let key = keys.get(at);
                address.clear();
                address.push_str(base);
                key.write(&mut address);
                if !selection.has(&address) {
                    continue;
                }
                if transient.local_bytes() > TRANSIENT {
                    // A reset would keep chunks that are larger than this together.
                    transient = Arena::new();
                }
                take(&Instance {
                    engine: self,
                    number,
                    address: &address,
                    module: &module,
                    resource,
                    key,
                    repeated: &repeated,
                    arena: &transient,
                    values: OnceCell::new(),
                });
            }
        }
    }

    /// Whether a module has selected instances of resources.
    pub(super) fn has_instances(&self, number: u32, selection: &Selection) -> bool {
        let module = self.module(number);
        (0..).zip(&module.declared.module.resources).any(|(place, resource)| {
            if !is_shown(resource.mode) || !selection.has_type(resource.address().resource_type) {
                return false;
            }
            let mut base = String::new();
            push_address(&mut base, &module, resource);
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
}

/// Appends the address of a resource.
pub(super) fn push_address(
    out: &mut String,
    module: &ModuleInstance<'_, '_>,
    resource: &Resource<'_>,
) {
    if !module.address.is_empty() {
        out.push_str(&module.address);
        out.push('.');
    }
    let _ = write!(out, "{}", resource.address());
}

/// The bytes of values that are not freed yet.
const TRANSIENT: usize = 1 << 20;
