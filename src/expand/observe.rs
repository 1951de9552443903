//! Passes the values that an expansion computes to an observer, and evaluates everything for it.
//!
//! [`Expansion::observe`] evaluates what [`Expansion::check`] does, and all other expressions of a
//! configuration: provisioners, ephemeral resources, actions, arguments of calls whose module is
//! not in the tree. Objects and modules without instances are evaluated once, as if they had one,
//! since other inputs may give them some.

use super::engine::Expansion;
use super::instance::Child;
use super::keys::{Key, Keys, Repetition};
use super::node::Node;
use super::refactored::Ends;
use super::select::Selection;
use crate::arena::Arena;
use crate::expression::Expression;
use crate::module::{Object, Reading, Setting, Site, Use, Wanted};
use crate::tree::Link;
use crate::value::{Type, Value};

/// The call that an instance of a module belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ObservedCall {
    /// The number of the instance of the calling module.
    pub(crate) module: u32,
    /// The index of the call among the calls of that module.
    pub(crate) call: u32,
}

impl<'a> Expansion<'_, 'a> {
    /// Evaluates everything. Returns whether the budget was enough.
    pub(crate) fn observe(&self) -> bool {
        let all = Selection::default();
        let mut modules = vec![0];
        let mut ends = Ends::default();
        while let Some(number) = modules.pop() {
            if self.meter.exhausted().is_some() {
                return false;
            }
            self.check_module(number, &all, true, &mut ends);
            self.observe_rest(number);
            modules.extend(self.observed_calls(number).into_iter().rev());
        }
        self.meter.exhausted().is_none()
    }

    /// The instances of modules so far, by number: the index of each module in the tree, and its call.
    pub(crate) fn instances(&self) -> Vec<(usize, Option<ObservedCall>)> {
        let all = self.modules.borrow();
        let call = |call: &super::instance::CallSite<'_>| ObservedCall {
            module: call.module,
            call: call.place,
        };
        all.iter().map(|it| (it.place, it.call.as_ref().map(call))).collect()
    }

    /// Evaluates an expression of another file in the scope of the root module, where further names have
    /// these values. If its value is only passed on, what refers to it uses it.
    pub(crate) fn observe_other(
        &self,
        expression: Expression<'a>,
        names: &[(&'a str, Value<'a>)],
        passes_on: bool,
    ) -> Value<'a> {
        self.settled((0, Key::None, (self.inputs.arena(), false)), |evaluation| {
            evaluation.passes_on.set(passes_on);
            evaluation.own.borrow_mut().extend(names);
            evaluation.value(expression)
        })
    }

    /// The instances of modules that a module calls; one for a call without instances.
    fn observed_calls(&self, number: u32) -> Vec<u32> {
        let instance = self.module(number);
        let is_supposed = self.supposed.borrow().contains(&number);
        let mut all = Vec::new();
        for (place, _) in (0..).zip(&instance.declared.module.calls) {
            let keys = self.force_keys(Node::CallKeys(number, place));
            let is_none = keys.len() == 0;
            let (keys, child) = match keys.len() {
                0 => {
                    let one = Keys::Unknown(Repetition::Enabled);
                    (one, self.make_children(number, place, one))
                }
                _ => (keys, self.children(number, place, keys)),
            };
            match child {
                Child::Modules(first) => {
                    let numbers = (0..keys.len()).map(|at| first + at as u32);
                    if is_supposed || is_none {
                        self.supposed.borrow_mut().extend(numbers.clone());
                    }
                    all.extend(numbers);
                }
                Child::Unknown => {
                    let link = instance.declared.links.get(place as usize);
                    let is_in_tree = matches!(link, Some(Link::Module(_)));
                    let is_unknown = self.unknown_sources.borrow().contains(&(number, place));
                    if let (true, Some(observer)) = (is_in_tree || is_unknown, self.inputs.observer)
                    {
                        observer.misses(number, place, is_unknown);
                    }
                }
            }
        }
        all
    }

    /// Evaluates the expressions of a module that nothing has evaluated yet.
    fn observe_rest(&self, number: u32) {
        let Some(observer) = self.inputs.observer else { return };
        let module = self.module(number);
        let declared = &module.declared.module;
        let arena = Arena::new();
        declared.visit_expressions(|site| {
            let Reading::Template(expression) = site.reading else {
                return;
            };
            if self.meter.exhausted().is_some()
                || !self.is_observed(number, site)
                || observer.has_seen(number, expression)
            {
                return;
            }
            let (keys, for_each) = self.keys_of(number, site.object);
            let passes_on = matches!(site.usage, Use::Early);
            for at in 0..keys.len().max(1) {
                let key = if keys.len() == 0 { no_instance(keys) } else { keys.get(at) };
                self.settled((number, key, (&arena, false)), |evaluation| {
                    evaluation.passes_on.set(passes_on);
                    evaluation.for_each.set(for_each);
                    evaluation.is_supposed.set(keys.len() == 0 || !site.iterators.is_empty());
                    // The element of a block that is made for none, or for none that is known.
                    let element = [
                        ("key", Value::unknown(Type::String).not_null()),
                        ("value", Value::dynamic()),
                    ];
                    let element = Value::object(&arena, &element);
                    let names = site.iterators.iter().map(|&name| (name, element));
                    evaluation.own.borrow_mut().extend(names);
                    evaluation.value(expression);
                });
            }
        });
    }

    /// Whether the value of an expression may depend on files.
    fn is_observed(&self, number: u32, site: &Site<'_, 'a>) -> bool {
        // Resources evaluate what they make for each element.
        let is_evaluated = matches!(
            site.object,
            Object::Variable(_) | Object::Local(_) | Object::Output(_) | Object::Provider(_)
        );
        match site.usage {
            Use::Argument(name) => {
                let module = self.module(number);
                let Object::ModuleCall(call) = site.object else { return true };
                let Some(place) = module.declared.module.calls.place(call) else { return true };
                match module.declared.links.get(place as usize) {
                    Some(Link::Module(called)) => {
                        let called = &self.tree.modules()[*called].module;
                        called.variables.place(name).is_none()
                    }
                    _ => true,
                }
            }
            Use::Early => matches!(
                site.object,
                Object::Setting(
                    Setting::Backend | Setting::Cloud | Setting::Encryption | Setting::StateStore
                )
            ),
            // A message is evaluated only if its condition does not hold.
            Use::Value => {
                !is_evaluated || matches!(site.wanted, Wanted::Message | Wanted::ValidationMessage)
            }
            Use::Guard
            | Use::Order
            | Use::Trigger
            | Use::Run
            | Use::Source
            | Use::Version
            | Use::Unevaluated
            | Use::Provider
            | Use::Pass(_)
            | Use::Address
            | Use::Method
            | Use::Literal => false,
        }
    }

    /// The keys of the instances of an object, and its `for_each`.
    fn keys_of(&self, number: u32, object: Object<'a>) -> (Keys<'a>, Option<Expression<'a>>) {
        let module = self.module(number);
        let declared = &module.declared.module;
        let (node, for_each) = match object {
            Object::Resource(address) => {
                let place = declared.resources.place(address);
                let resource = place.and_then(|place| declared.resources.at(place));
                let node = place.map(|place| Node::ResourceKeys(number, place));
                (node, resource.and_then(|it| it.for_each()))
            }
            Object::ModuleCall(name) => {
                let place = declared.calls.place(name);
                let call = place.and_then(|place| declared.calls.at(place));
                (place.map(|place| Node::CallKeys(number, place)), call.and_then(|it| it.for_each))
            }
            _ => (None, None),
        };
        (node.map_or(Keys::One, |node| self.force_keys(node)), for_each)
    }
}

/// The key of an instance that stands for those that other inputs may give.
fn no_instance<'a>(keys: Keys<'a>) -> Key<'a> {
    match keys.to_unknown() {
        Keys::Unknown(repetition) => Key::Unknown(repetition),
        _ => Key::None,
    }
}
