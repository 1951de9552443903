//! Computes nodes on demand, without recursion.

use super::budget::{price_of_parts, price_of_resources};
use super::engine::Expansion;
use super::evaluation::Evaluation;
use super::instance::{Child, ModuleInstance};
use super::keys::{Key, Keys, Repetition};
use super::node::Node;
use super::resource::push_address;
use super::{resource, variable};
use crate::arena::Arena;
use crate::body::Attribute;
use crate::diagnostic::Label;
use crate::expression::Expression;
use crate::module::{Output, Variable, Wanted, check_wanted};
use crate::value::{Type, Value, convert, is_of, sort_by_name};

/// The arguments that decide on the instances of an object.
struct Deciding<'a> {
    count: Option<Expression<'a>>,
    for_each: Option<Expression<'a>>,
    enabled: Option<Expression<'a>>,
    /// The length of the object's address, which every instance has.
    address: usize,
}

impl<'t, 'a> Expansion<'t, 'a> {
    /// The value of an output of the root module; `None` if it has no output of that name.
    #[must_use]
    pub fn output(&self, name: &str) -> Option<Value<'a>> {
        let place = self.module(0).declared.module.outputs.place(name)?;
        Some(self.force(Node::Output(0, place)))
    }

    /// The outputs of the root module, sorted by name. All are evaluated.
    #[must_use]
    pub fn outputs(&self) -> Vec<(&'a str, Value<'a>)> {
        let module = self.module(0);
        let outputs = (0..).zip(&module.declared.module.outputs);
        let mut all: Vec<_> = outputs
            .map(|(place, output)| (output.name, self.force(Node::Output(0, place))))
            .collect();
        sort_by_name(&mut all);
        all
    }

    /// The variables of the root module, sorted by name. All are evaluated.
    #[must_use]
    pub fn variables(&self) -> Vec<(&'a str, Value<'a>)> {
        let module = self.module(0);
        let variables = (0..).zip(&module.declared.module.variables);
        let mut all: Vec<_> = variables
            .map(|(place, variable)| (variable.name, self.force(Node::Variable(0, place))))
            .collect();
        sort_by_name(&mut all);
        all
    }

    /// The value of a variable of the root module; `None` if it has no variable of that name.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<Value<'a>> {
        let place = self.module(0).declared.module.variables.place(name)?;
        Some(self.force(Node::Variable(0, place)))
    }

    /// The value of an output of the root module to print: unknown if its text is longer than what is
    /// left of the budget, which is reported.
    #[must_use]
    pub fn printed_output(&self, name: &str, value: Value<'a>) -> Value<'a> {
        let module = self.module(0);
        match module.declared.module.outputs.get(name) {
            Some(output) => self.printed(value, || output.block.definition_label()),
            None => value,
        }
    }

    /// Like [`printed_output`](Self::printed_output), of a variable.
    pub(super) fn printed_variable(&self, name: &str, value: Value<'a>) -> Value<'a> {
        let module = self.module(0);
        match module.declared.module.variables.get(name) {
            Some(variable) => self.printed(value, || variable.block.definition_label()),
            None => value,
        }
    }

    /// The value of a node, which is computed if need be.
    pub(super) fn force(&self, node: Node<'a>) -> Value<'a> {
        self.compute(node);
        self.values.borrow().get(&node).copied().flatten().unwrap_or_else(Value::dynamic)
    }

    /// The keys of a node.
    pub(super) fn force_keys(&self, node: Node<'a>) -> Keys<'a> {
        self.compute(node);
        let keys = self.keys.borrow().get(&node).copied().flatten();
        keys.unwrap_or(Keys::Unknown(Repetition::Count))
    }

    /// Computes nodes, and the nodes that they need.
    pub(super) fn compute_all(&self, nodes: Vec<Node<'a>>) {
        nodes.into_iter().for_each(|node| self.compute(node));
    }

    /// Evaluates in an instance, until all nodes that are needed have their values.
    pub(super) fn settled<'v, R>(
        &self,
        (number, key, arena): (u32, Key<'v>, (&'v Arena, bool)),
        mut work: impl FnMut(&Evaluation<'_, 't, 'v, 'a>) -> R,
    ) -> R
    where
        'a: 'v,
    {
        loop {
            let evaluation = Evaluation::new(self, number, arena).with_key(key);
            let result = work(&evaluation);
            let missing = self.close(evaluation);
            if missing.is_empty() {
                return result;
            }
            self.compute_all(missing);
        }
    }

    fn compute(&self, node: Node<'a>) {
        let mut stack = vec![node];
        while let Some(&top) = stack.last() {
            if self.is_done(top) {
                stack.pop();
                continue;
            }
            let missing = self.attempt(top);
            if missing.is_empty() {
                stack.pop();
            } else {
                stack.extend(missing);
            }
        }
    }

    /// Whether a node has its value. Marks it as being computed.
    fn is_done(&self, node: Node<'a>) -> bool {
        match node {
            Node::ResourceKeys(..) | Node::CallKeys(..) | Node::ProviderKeys(..) => {
                self.keys.borrow_mut().entry(node).or_insert(None).is_some()
            }
            _ => self.values.borrow_mut().entry(node).or_insert(None).is_some(),
        }
    }

    /// Computes a node. Returns the nodes that it needs first.
    fn attempt(&self, node: Node<'a>) -> Vec<Node<'a>> {
        let arena = self.inputs.arena;
        let at = match node {
            Node::Variable(module, _)
            | Node::Local(module, _)
            | Node::Output(module, _)
            | Node::ResourceKeys(module, _)
            | Node::CallKeys(module, _)
            | Node::ProviderKeys(module, _)
            | Node::Resource(module, _)
            | Node::Attribute(module, ..)
            | Node::Call(module, _) => module,
        };
        let module = self.module(at);
        let declared = &module.declared.module;
        let mut evaluation = Evaluation::new(self, at, (arena, false));
        // The outputs of the root module are what it is for.
        let passes_on = match node {
            Node::Output(module, _) => module != 0,
            Node::Resource(..) | Node::Attribute(..) => false,
            _ => true,
        };
        evaluation.passes_on.set(passes_on);
        let value = match node {
            Node::Variable(_, place) => {
                let Some(variable) = declared.variables.at(place) else { return Vec::new() };
                self.variable_of(&module, variable, &mut evaluation)
            }
            Node::Local(_, place) => match declared.locals.at(place) {
                Some(local) => {
                    let marks = self.marks_of_local(module.place, local.name);
                    evaluation.value(local.value()).with_marks(marks)
                }
                None => Value::dynamic(),
            },
            Node::Output(_, place) => {
                let Some(output) = declared.outputs.at(place) else { return Vec::new() };
                self.output_of(output, &evaluation)
            }
            Node::ResourceKeys(_, place) => {
                let Some(resource) = declared.resources.at(place) else { return Vec::new() };
                let enabled = resource.lifecycle().and_then(|lifecycle| lifecycle.enabled());
                let mut address = String::new();
                push_address(&mut address, &module, resource);
                let (count, for_each) = (resource.count(), resource.for_each());
                let enabled = enabled.map(Attribute::expression);
                let deciding = Deciding { count, for_each, enabled, address: address.len() };
                return self.keep_keys(node, evaluation, &deciding);
            }
            Node::CallKeys(_, place) => {
                let Some(call) = declared.calls.at(place) else { return Vec::new() };
                let enabled = call.enabled.map(Attribute::expression);
                let address = module.address.len() + call.name.len();
                let (count, for_each) = (call.count, call.for_each);
                let deciding = Deciding { count, for_each, enabled, address };
                return self.keep_keys(node, evaluation, &deciding);
            }
            Node::ProviderKeys(_, place) => {
                let Some(provider) = declared.providers.at(place) else { return Vec::new() };
                let (for_each, address) = (provider.for_each, provider.name.len());
                let deciding = Deciding { count: None, for_each, enabled: None, address };
                return self.keep_keys(node, evaluation, &deciding);
            }
            Node::Resource(_, place) => {
                let Some(resource) = declared.resources.at(place) else { return Vec::new() };
                let keys = self.kept_keys(Node::ResourceKeys(at, place), &evaluation.missing);
                let label = || resource.block.definition_label();
                keys.map_or_else(Value::dynamic, |keys| {
                    self.all_instances(keys, label, |key| {
                        let own = key.variables(arena);
                        let has_own = own.is_some();
                        evaluation.own.borrow_mut().extend(own);
                        let value = resource::referred(&evaluation, resource, key);
                        if has_own {
                            evaluation.own.borrow_mut().pop();
                        }
                        value
                    })
                })
            }
            Node::Attribute(_, place, name) => {
                let resource = declared.resources.at(place);
                resource.map_or_else(Value::dynamic, |resource| {
                    resource::attribute(&evaluation, resource, name)
                })
            }
            Node::Call(_, place) => {
                let Some(call) = declared.calls.at(place) else { return Vec::new() };
                let keys = self.kept_keys(Node::CallKeys(at, place), &evaluation.missing);
                keys.map_or_else(Value::dynamic, |keys| {
                    let Child::Modules(mut next) = self.children(at, place, keys) else {
                        return Value::dynamic();
                    };
                    let label = || call.block.definition_label();
                    self.all_instances(keys, label, |_| {
                        let outputs = &self.module(next).declared.module.outputs;
                        let all: Vec<_> = (0..)
                            .zip(outputs)
                            .map(|(at, output)| {
                                let node = Node::Output(next, at);
                                (output.name, self.kept(node, &evaluation.missing))
                            })
                            .collect();
                        next += 1;
                        Value::object(arena, &all)
                    })
                })
            }
        };
        self.settle(node, evaluation, value)
    }

    /// The value of a variable: given to the root module, or by the call of its module, whose names
    /// the `evaluation` then has.
    fn variable_of<'e>(
        &'e self,
        module: &ModuleInstance<'t, 'a>,
        variable: &Variable<'a>,
        evaluation: &mut Evaluation<'e, 't, 'a, 'a>,
    ) -> Value<'a> {
        let Some(call) = &module.call else {
            let given = self.inputs.given(variable.name, &module.declared.assignments);
            return variable::of_root(self, variable, given, &mut *evaluation.found.borrow_mut());
        };
        let arena = self.inputs.arena;
        *evaluation = Evaluation::new(self, call.module, (arena, false)).with_key(call.key);
        evaluation.for_each.set(call.for_each);
        evaluation.passes_on.set(true);
        let argument = call.arguments.get(variable.name);
        let given = argument.map(|&it| (evaluation.value(it), it.start_label()));
        variable::of_given(
            self,
            (module.place, variable),
            given,
            &mut *evaluation.found.borrow_mut(),
        )
    }

    /// The value of an output.
    fn output_of(&self, output: &Output<'a>, evaluation: &Evaluation<'_, 't, 'a, 'a>) -> Value<'a> {
        let arena = self.inputs.arena;
        let mut value = output.value.map_or_else(Value::dynamic, |it| evaluation.value(it));
        if let Some(constraint) = output.constraint {
            let strict = constraint.ty.without_optional_attributes(arena);
            let is_of_type = |value| is_of(arena, value, constraint.ty);
            let label = || output.block.definition_label();
            value = match self.affords_conversion(value, is_of_type, label) {
                true => constraint.apply(arena, value, &mut ()).ok(),
                false => None,
            }
            .unwrap_or_else(|| Value::unknown(strict));
        }
        value.with_marks(output.marks())
    }

    /// Keeps the value of a node, unless nodes are missing.
    fn settle(
        &self,
        node: Node<'a>,
        evaluation: Evaluation<'_, 't, 'a, 'a>,
        value: Value<'a>,
    ) -> Vec<Node<'a>> {
        let missing = self.close(evaluation);
        if missing.is_empty() {
            self.values.borrow_mut().insert(node, Some(value));
        }
        missing
    }

    /// Ends an evaluation: reports its findings, or returns the missing nodes if there are some.
    pub(super) fn close(&self, evaluation: Evaluation<'_, 't, '_, 'a>) -> Vec<Node<'a>> {
        let (module, missing) = (evaluation.module, evaluation.missing.into_inner());
        if missing.is_empty() {
            evaluation.found.into_inner().into_iter().for_each(|found| self.report(module, found));
        }
        missing
    }

    /// The value of all instances: a tuple for `count`, an object for `for_each`.
    fn all_instances(
        &self,
        keys: Keys<'a>,
        label: impl Fn() -> Label<'a>,
        mut instance: impl FnMut(Key<'a>) -> Value<'a>,
    ) -> Value<'a> {
        let arena = self.inputs.arena;
        match keys {
            Keys::Unknown(_) => Value::dynamic(),
            Keys::One => instance(keys.get(0)),
            Keys::Disabled => Value::null(Type::Dynamic),
            Keys::Count(_) | Keys::Each(_) if !self.affords(price_of_parts(keys.len()), &label) => {
                Value::dynamic()
            }
            Keys::Count(count) => {
                let all: Vec<_> = (0..count).map(|place| instance(keys.get(place))).collect();
                Value::tuple(arena, &all)
            }
            Keys::Each(entries) => {
                let all: Vec<_> = entries
                    .iter()
                    .zip(0..)
                    .map(|((name, _), place)| (*name, instance(keys.get(place))))
                    .collect();
                Value::object(arena, &all)
            }
        }
    }

    fn keep_keys(
        &self,
        node: Node<'a>,
        evaluation: Evaluation<'_, 't, 'a, 'a>,
        deciding: &Deciding<'a>,
    ) -> Vec<Node<'a>> {
        let Deciding { count, for_each, enabled, address } = *deciding;
        let (keys, at) = if let Some(count) = count {
            (self.count(&evaluation, count), Some(count))
        } else if let Some(each) = for_each {
            (self.each(&evaluation, each), Some(each))
        } else if let Some(enabled) = enabled {
            let value = evaluation.value(enabled);
            self.check_wanted(&evaluation, value, enabled, Wanted::Enabled);
            let value = convert(self.inputs.arena, value, Type::Bool).ok();
            let value = value.filter(|value| !value.marks().hides());
            let keys = match value.and_then(Value::as_bool) {
                Some(true) => Keys::One,
                Some(false) => Keys::Disabled,
                None => Keys::Unknown(Repetition::Enabled),
            };
            (keys, Some(enabled))
        } else {
            (Keys::One, None)
        };
        let missing = self.close(evaluation);
        if missing.is_empty() {
            let mut keys = keys;
            if let Some(at) = at
                && !self.affords(price_of_resources(keys.len(), address), || at.start_label())
            {
                keys = keys.to_unknown();
            }
            self.keys.borrow_mut().insert(node, Some(keys));
        }
        missing
    }

    /// Reports a value that decides on instances and is not accepted.
    fn check_wanted(
        &self,
        evaluation: &Evaluation<'_, 't, 'a, 'a>,
        value: Value<'a>,
        expression: Expression<'a>,
        wanted: Wanted,
    ) {
        let dialect = self.dialect();
        check_wanted(value, expression, wanted, dialect, &mut *evaluation.found.borrow_mut());
    }

    fn count(
        &self,
        evaluation: &Evaluation<'_, 't, 'a, 'a>,
        expression: Expression<'a>,
    ) -> Keys<'a> {
        let value = evaluation.value(expression);
        self.check_wanted(evaluation, value, expression, Wanted::Count);
        let value = convert(self.inputs.arena, value, Type::Number).ok();
        let count = value.and_then(Value::as_number).and_then(|number| number.as_u64());
        count.map_or(Keys::Unknown(Repetition::Count), Keys::Count)
    }

    fn each(
        &self,
        evaluation: &Evaluation<'_, 't, 'a, 'a>,
        expression: Expression<'a>,
    ) -> Keys<'a> {
        let value = evaluation.value(expression);
        self.check_wanted(evaluation, value, expression, Wanted::Each);
        let marks = value.marks();
        // Keys of a secret, which has been reported, are a part of no address.
        if value.is_null() || !value.is_known() || marks.hides() {
            return Keys::Unknown(Repetition::Each);
        }
        match value.ty() {
            Type::Map(_) | Type::Object(_) => {
                let entries = value.entries().iter();
                let entries: Vec<_> =
                    entries.map(|&(name, value)| (name, value.with_marks(marks))).collect();
                Keys::Each(self.inputs.arena.bump().alloc_slice_copy(&entries))
            }
            Type::Set(_) => {
                let elements = value.elements().iter();
                let entries: Option<Vec<_>> = elements
                    .map(|element| Some((element.as_str()?, element.with_marks(marks))))
                    .collect();
                let Some(mut entries) = entries else { return Keys::Unknown(Repetition::Each) };
                sort_by_name(&mut entries);
                Keys::Each(self.inputs.arena.bump().alloc_slice_copy(&entries))
            }
            _ => Keys::Unknown(Repetition::Each),
        }
    }
}
