//! The values of one stack with the inputs of a deployment, or of a call.
//!
//! Objects are evaluated by demand. If an expression refers to objects without a value, these are put
//! on a stack, and the expression is evaluated again after them. Only stacks in stacks recurse, up to
//! [`MAX_DEPTH`].

use std::cell::RefCell;

use super::call::source;
use super::run::{Component, Run};
use crate::body::Attribute;
use crate::diagnostic::{Code, Diagnostic, Label, report_alike};
use crate::dialect::Dialect;
use crate::evaluate::{Functions, InScope, Objects, Scope};
use crate::expand::Expansion;
use crate::expression::{Expression, is_identifier};
use crate::hash::{HashMap, HashSet};
use crate::module;
use crate::native::{Step, StepKind};
use crate::reference::InstanceKey;
use crate::stacks::{Kind, Object, Stack, Subject};
use crate::tree::TreeModule;
use crate::value::{Marks, Type, Value};

/// The number of stacks around a stack.
const MAX_DEPTH: usize = 20;

/// The steps of an instance of a component or a stack, beside those of its values.
const INSTANCE: u64 = 10_000;

/// The inputs of a stack or a module.
pub(super) enum Given<'a> {
    /// Names, values, and where they are written, sorted by name.
    Known(Vec<(&'a str, Value<'a>, Label<'a>)>),
    Unknown,
}

/// Receives an expression of an object, and the names that have values there; of those of one name, the last
/// counts.
pub(crate) type TakeExpression<'t, 'a> =
    dyn FnMut(&Object<'a>, Expression<'a>, &[(&'a str, Value<'a>)]) + 't;

/// The state of an object.
#[derive(Clone, Copy)]
enum State<'a> {
    New,
    /// It is evaluated, or waits for others.
    Open,
    Done(Value<'a>),
}

/// An instance of an object: its key as part of an address, and the value of `each`.
#[derive(Clone)]
struct Instance<'a> {
    key: String,
    each: Option<Value<'a>>,
    name: Option<&'a str>,
}

impl Instance<'_> {
    fn is_placeholder(&self) -> bool {
        self.each.is_some() && self.name.is_none()
    }
}

pub(super) struct Values<'r, 'a> {
    run: &'r Run<'r, 'a>,
    place: usize,
    stack: &'r Stack<'a>,
    given: Given<'a>,
    functions: Option<&'r dyn Functions>,
    /// The text before the addresses of its objects: `stack.eu.`.
    prefix: String,
    depth: usize,
    states: RefCell<Vec<State<'a>>>,
    /// Objects without a value that an expression refers to.
    missing: RefCell<Vec<usize>>,
}

/// The names that an expression of an object may use.
struct Names<'n, 'r, 'a> {
    values: &'n Values<'r, 'a>,
    from: usize,
    each: Option<Value<'a>>,
}

impl<'a> Objects<'a> for Names<'_, '_, 'a> {
    fn find(&self, steps: &[Step<'_>]) -> Option<(Value<'a>, usize)> {
        let Some(Step { kind: StepKind::Root(root), .. }) = steps.first() else { return None };
        if let ("each", Some(each)) = (*root, self.each) {
            return Some((each, 1));
        }
        let unknown = Some((Value::dynamic(), steps.len()));
        let Some(subject) = Subject::of_steps(steps) else { return unknown };
        let Some(number) = self.values.stack.place_from(subject, self.from) else { return unknown };
        match self.values.states.borrow().get(number) {
            Some(State::Done(value)) => Some((*value, 1 + subject.kind.names())),
            Some(State::New) => {
                self.values.missing.borrow_mut().push(number);
                unknown
            }
            Some(State::Open) => {
                let object = &self.values.stack.objects[number];
                let address = format!("{}{object}", self.values.prefix);
                self.values.run.gap(&address, "it depends on itself");
                unknown
            }
            None => unknown,
        }
    }
}

impl<'r, 'a> Values<'r, 'a> {
    pub(super) fn of(
        run: &'r Run<'r, 'a>,
        place: usize,
        given: Given<'a>,
        functions: Option<&'r dyn Functions>,
    ) -> Option<Self> {
        let stack = run.tree.modules().get(place)?.stack.as_ref()?;
        let states = RefCell::new(vec![State::New; stack.objects.len()]);
        let (prefix, missing) = (String::new(), RefCell::default());
        Some(Self { run, place, stack, given, functions, prefix, depth: 0, states, missing })
    }

    /// The objects of a kind with their numbers.
    pub(super) fn numbered(&self, kind: Kind) -> impl Iterator<Item = (usize, &'r Object<'a>)> {
        let objects = self.stack.objects.iter().enumerate();
        objects.filter(move |(_, object)| object.kind == kind)
    }

    fn address(&self, object: &Object<'_>, instance: &Instance<'_>) -> String {
        format!("{}{object}{}", self.prefix, instance.key)
    }

    /// Passes each instance of a component to `take`, then those of stacks in this one.
    pub(super) fn visit(&self, take: &mut dyn FnMut(&Component<'_, '_, 'a>)) {
        for (number, object) in self.numbered(Kind::Component) {
            if let Some(&target) = self.run.targets.get(&(self.place, number)) {
                self.check(object, &self.run.tree.modules()[target]);
            }
            for instance in self.instances(number) {
                let address = self.address(object, &instance);
                let given = self.given(number, instance.each, &address);
                let source = source(object).unwrap_or_default();
                let (address, is_placeholder) = (&*address, instance.is_placeholder());
                let is_expanded = self.expanded(number, address, given, &mut |expansion| {
                    let found = || expansion.diagnostics();
                    let expansion = Some(expansion);
                    take(&Component { address, object, source, is_placeholder, expansion });
                    self.run.found.borrow_mut().extend(found());
                });
                if !is_expanded {
                    take(&Component { address, object, source, is_placeholder, expansion: None });
                }
            }
        }
        for (number, object) in self.numbered(Kind::Stack) {
            for instance in self.instances(number) {
                let address = self.address(object, &instance);
                let given = self.given(number, instance.each, &address);
                self.entered(number, &address, given, &mut |inner| inner.visit(take));
            }
        }
    }

    /// Passes the expressions that are evaluated in files of deployments, or in the others, to `take`: for
    /// each instance of their objects, with the names that have values there.
    pub(super) fn visit_expressions(
        &self,
        is_of_deployments: bool,
        take: &mut TakeExpression<'_, 'a>,
    ) {
        let arena = self.run.arena;
        let all = |kind| {
            let of_kind = self.numbered(kind);
            let named = of_kind.filter(|(_, it)| it.is_of_deployments == is_of_deployments);
            let mut values: Vec<(&'a str, Value<'a>)> =
                named.map(|(number, it)| (it.names[0], self.value(number))).collect();
            values.sort_by_key(|(name, _)| *name);
            values.dedup_by_key(|(name, _)| *name);
            Value::object(arena, &values)
        };
        let mut names: Vec<(&'a str, Value<'a>)> =
            Kind::roots().map(|it| (it, Value::dynamic())).collect();
        names.extend([("each", Value::dynamic()), ("self", Value::dynamic())]);
        names.extend([("var", all(Kind::Variable)), ("local", all(Kind::Local))]);
        let mut instances: HashMap<usize, Vec<Instance<'a>>> = HashMap::default();
        self.stack.visit_values(&mut |number, expression| {
            let object = &self.stack.objects[number];
            if object.is_of_deployments != is_of_deployments {
                return;
            }
            for instance in instances.entry(number).or_insert_with(|| self.instances(number)) {
                let each = instance.each.map(|each| ("each", each));
                let known = names.len();
                names.extend(each);
                take(object, expression, &names);
                names.truncate(known);
            }
        });
    }

    /// The outputs, sorted by name.
    pub(super) fn outputs(&self) -> Vec<(&'a str, Value<'a>)> {
        let mut found: Vec<(&'a str, Value<'a>)> = Vec::new();
        for (number, object) in self.numbered(Kind::Output) {
            found.push((object.names[0], self.value(number)));
        }
        found.sort_by_key(|(name, _)| *name);
        found.dedup_by_key(|(name, _)| *name);
        found
    }

    /// The value of an object.
    fn value(&self, number: usize) -> Value<'a> {
        let mut work = vec![number];
        while let Some(&top) = work.last() {
            if let State::Done(_) = self.states.borrow()[top] {
                work.pop();
                continue;
            }
            self.states.borrow_mut()[top] = State::Open;
            let value = self.evaluated(top);
            let missing = self.missing.take();
            if missing.is_empty() {
                self.states.borrow_mut()[top] = State::Done(value);
                work.pop();
            } else {
                work.extend(missing);
            }
        }
        match self.states.borrow()[number] {
            State::Done(value) => value,
            _ => Value::dynamic(),
        }
    }

    fn settle(&self, missing: Vec<usize>) {
        for number in missing {
            self.value(number);
        }
    }

    /// The value of an object, if what it refers to has values; otherwise the objects without one
    /// are in `missing`.
    fn evaluated(&self, number: usize) -> Value<'a> {
        let object = &self.stack.objects[number];
        match object.kind {
            Kind::Variable => self.variable(object),
            Kind::Local => match object.attribute {
                Some(attribute) => self.expression(number, None, attribute.expression()),
                None => Value::dynamic(),
            },
            Kind::Output => {
                let value = match object.argument("value") {
                    Some(value) => self.expression(number, None, value.expression()),
                    None => Value::dynamic(),
                };
                self.typed(object, value, None).with_marks(marks(object))
            }
            Kind::Component | Kind::Stack => self.results(number, object),
            // Only a run, or another stack, knows these.
            _ => Value::dynamic(),
        }
    }

    /// The outputs of what a component or a stack calls, by key if it is repeated.
    fn results(&self, number: usize, object: &Object<'a>) -> Value<'a> {
        let Some(instances) = self.keys(number) else { return Value::dynamic() };
        let mut given = Vec::new();
        for instance in instances {
            let address = self.address(object, &instance);
            let arguments = self.arguments(number, instance.each, &address);
            given.extend(arguments.map(|given| (instance, address, given)));
        }
        if !self.missing.borrow().is_empty() {
            return Value::dynamic();
        }
        let mut entries = Vec::new();
        for (instance, address, given) in given {
            let mut outputs = Value::dynamic();
            match object.kind {
                Kind::Stack => self.entered(number, &address, given, &mut |inner| {
                    outputs = Value::object(self.run.arena, &inner.outputs());
                }),
                _ => drop(self.expanded(number, &address, given, &mut |expansion| {
                    outputs = Value::object(self.run.arena, &expansion.outputs());
                })),
            }
            match (instance.name, instance.each) {
                (Some(name), _) => entries.push((name, outputs)),
                (None, Some(_)) => return Value::dynamic(),
                (None, None) => return outputs,
            }
        }
        Value::object(self.run.arena, &entries)
    }

    /// The value of a variable: what is given, or else its default.
    fn variable(&self, object: &Object<'a>) -> Value<'a> {
        let name = object.names[0];
        let given = match &self.given {
            Given::Unknown => Some((Value::dynamic(), None)),
            Given::Known(all) => {
                let found = all.binary_search_by(|(given, ..)| (*given).cmp(name)).ok();
                found.map(|at| (all[at].1, Some(all[at].2)))
            }
        };
        let is_nullable = literal(object, "nullable").and_then(Value::as_bool) != Some(false);
        let given = given.filter(|(value, _)| is_nullable || !value.is_null());
        let (value, label) = match given {
            Some(given) => given,
            None => (literal(object, "default").unwrap_or_else(Value::dynamic), None),
        };
        self.typed(object, value, label).with_marks(marks(object))
    }

    /// A value converted to the type of a variable or an output; unknown if that fails, which is
    /// reported at `label`.
    fn typed(&self, object: &Object<'a>, value: Value<'a>, label: Option<Label<'a>>) -> Value<'a> {
        let arena = self.run.arena;
        let constraint = object.argument("type").map(Attribute::expression);
        let Some(constraint) = constraint.and_then(|it| it.type_constraint(&mut ())) else {
            return value;
        };
        let size = u64::from(value.size());
        if self.run.meter.spend(size).is_err() || self.run.meter.parts(size as usize).is_err() {
            return Value::dynamic();
        }
        match constraint.apply(arena, value, &mut ()) {
            Ok(value) => value,
            Err(error) => {
                if let Some(label) = label {
                    let error = error.for_marks(marks(object));
                    let reason = arena.format(format_args!("{error}"));
                    let diagnostic = Diagnostic::new(Code::VariableValue, label)
                        .with_arguments(&[object.names[0], reason])
                        .with_related(object.label(), "declared here");
                    self.run.found.borrow_mut().push(diagnostic);
                }
                Value::unknown(constraint.ty.without_optional_attributes(arena))
            }
        }
    }

    /// The value of an expression of an object, after what it refers to.
    pub(super) fn settled(
        &self,
        from: usize,
        each: Option<Value<'a>>,
        expression: Expression<'a>,
    ) -> Value<'a> {
        loop {
            let value = self.expression(from, each, expression);
            let missing = self.missing.take();
            if missing.is_empty() {
                return value;
            }
            self.settle(missing);
        }
    }

    /// The value of an expression of an object, if what it refers to has values.
    fn expression(
        &self,
        from: usize,
        each: Option<Value<'a>>,
        expression: Expression<'a>,
    ) -> Value<'a> {
        let known = module::Functions {
            dialect: Dialect::Terraform,
            has_provider: &|_| true,
            described: None,
        };
        let scope = Scope::new().with_functions(self.functions.unwrap_or(&known));
        let scope = scope.with_short_circuits();
        let names = Names { values: self, from, each };
        let names = InScope { scope: &scope, objects: Some(&names) };
        let mut found: Vec<Diagnostic<'a>> = Vec::new();
        let value = expression.value_in(self.run.arena, false, names, &self.run.meter, &mut found);
        if self.missing.borrow().is_empty() {
            self.run.found.borrow_mut().extend(found);
        }
        value
    }

    /// The instances of a component or a stack, after what their keys depend on.
    fn instances(&self, number: usize) -> Vec<Instance<'a>> {
        loop {
            let instances = self.keys(number);
            let missing = self.missing.take();
            match instances {
                Some(instances) if missing.is_empty() => return instances,
                _ if missing.is_empty() => return Vec::new(),
                _ => self.settle(missing),
            }
        }
    }

    /// The instances of a component or a stack; `None` if what their keys depend on has no value.
    fn keys(&self, number: usize) -> Option<Vec<Instance<'a>>> {
        let object = &self.stack.objects[number];
        let Some(repeated) = object.argument("for_each") else {
            return Some(vec![Instance { key: String::new(), each: None, name: None }]);
        };
        let value = self.expression(number, None, repeated.expression());
        if !self.missing.borrow().is_empty() {
            return None;
        }
        let arena = self.run.arena;
        let each = |key, value| Value::object(arena, &[("key", key), ("value", value)]);
        let named = |name: &'a str, value| {
            let (key, each) = (InstanceKey::String(name), each(Value::string(arena, name), value));
            Instance { key: key.to_string(), each: Some(each), name: Some(name) }
        };
        let is_usable = value.is_known() && !value.is_null() && !value.marks().hides();
        let known: Option<Vec<_>> = match value.ty() {
            _ if !is_usable => None,
            Type::Map(_) | Type::Object(_) => {
                Some(value.entries().iter().map(|&(name, value)| named(name, value)).collect())
            }
            Type::Set(_) => {
                let elements = value.elements().iter();
                elements.map(|element| Some(named(element.as_str()?, *element))).collect()
            }
            _ => None,
        };
        if let Some(mut known) = known {
            known.sort_by_key(|instance| instance.name);
            return Some(known);
        }
        self.run.gap(&format!("{}{object}", self.prefix), "its instances are not known");
        let each = each(Value::unknown(Type::String).not_null(), Value::dynamic());
        Some(vec![Instance { key: "[*]".to_owned(), each: Some(each), name: None }])
    }

    /// The inputs that an object gives, after what they refer to.
    pub(super) fn given(&self, number: usize, each: Option<Value<'a>>, address: &str) -> Given<'a> {
        loop {
            let given = self.arguments(number, each, address);
            let missing = self.missing.take();
            match given {
                Some(given) if missing.is_empty() => return given,
                _ if missing.is_empty() => return Given::Unknown,
                _ => self.settle(missing),
            }
        }
    }

    /// The inputs that an object gives; `None` if what they refer to has no value.
    fn arguments(
        &self,
        number: usize,
        each: Option<Value<'a>>,
        address: &str,
    ) -> Option<Given<'a>> {
        let Some(inputs) = self.stack.objects[number].argument("inputs") else {
            return Some(Given::Known(Vec::new()));
        };
        let inputs = inputs.expression();
        let value = self.expression(number, each, inputs);
        if !self.missing.borrow().is_empty() {
            return None;
        }
        let marks = value.marks();
        let written = inputs.as_map().into_iter().flatten();
        let labels: HashMap<&str, Label<'a>> =
            written.map(|(key, value)| (key.to_str(), value.start_label())).collect();
        let label = |name: &str| labels.get(name).copied().unwrap_or(inputs.start_label());
        Some(match value.as_entries() {
            Some(entries) => {
                let all = entries.iter();
                let all = all.map(|&(name, value)| (name, value.with_marks(marks), label(name)));
                Given::Known(all.collect())
            }
            None => {
                self.run.gap(address, "its inputs are not known");
                Given::Unknown
            }
        })
    }

    /// Evaluates the module of a component. Returns `false` if the tree does not have it, or the
    /// budget is exhausted.
    fn expanded(
        &self,
        number: usize,
        address: &str,
        given: Given<'a>,
        work: &mut dyn FnMut(&Expansion<'_, 'a>),
    ) -> bool {
        let Some(target) = self.target(number, address) else { return false };
        let run = self.run;
        let module = &run.tree.modules()[target].module;
        let values: Vec<_> = match given {
            Given::Known(values) => values,
            Given::Unknown => {
                let label = self.stack.objects[number].label();
                module.variables.iter().map(|it| (it.name, Value::dynamic(), label)).collect()
            }
        };
        (run.with_inputs)(target, &mut |inputs| {
            let before = run.meter.rest();
            let inputs = inputs.with_budget(before).with_arguments(&values);
            let expansion = run.tree.expand(target, &inputs);
            work(&expansion);
            let after = expansion.rest();
            let _ = run.meter.spend(before.steps().saturating_sub(after.steps()));
            let _ = run.meter.allocate(before.bytes().saturating_sub(after.bytes()));
        });
        true
    }

    /// Evaluates a stack that this one calls.
    fn entered(
        &self,
        number: usize,
        address: &str,
        given: Given<'a>,
        work: &mut dyn FnMut(&Values<'_, 'a>),
    ) {
        let Some(target) = self.target(number, address) else { return };
        if self.depth == MAX_DEPTH {
            self.run.gap(address, format!("there are more than {MAX_DEPTH} stacks around it"));
            return;
        }
        let mut given = Some(given);
        (self.run.with_inputs)(target, &mut |inputs| {
            let Some(given) = given.take() else { return };
            let Some(mut inner) = Values::of(self.run, target, given, inputs.functions()) else {
                return;
            };
            inner.prefix = format!("{address}.");
            inner.depth = self.depth + 1;
            work(&inner);
        });
    }

    /// The place of what an object calls. If there is none, or nothing is left of the budget, this is
    /// a gap.
    fn target(&self, number: usize, address: &str) -> Option<usize> {
        let cost = INSTANCE + address.len() as u64 + self.run.tree.modules().len() as u64;
        if self.run.meter.spend(cost).is_err() {
            self.run.gap(address, "the limit of the evaluation is reached");
            return None;
        }
        let target = self.run.targets.get(&(self.place, number)).copied();
        if target.is_none() {
            let source = source(&self.stack.objects[number]).unwrap_or_default();
            self.run.gap(address, format!("its source \"{source}\" is not in this tree"));
        }
        target
    }

    /// Reports inputs that the module of a component does not declare, and variables of it without
    /// a value, as far as the names are known.
    fn check(&self, object: &Object<'a>, module: &TreeModule<'a>) {
        if module.withholds() {
            return;
        }
        let declared = &module.module.variables;
        let mut names: HashSet<&str> = HashSet::default();
        let inputs = object.argument("inputs").map(Attribute::expression);
        if let Some(inputs) = inputs {
            let Some(given) = inputs.as_map() else { return };
            for (key, _) in given {
                let name = key.to_str();
                // The name of a computed key is not known.
                if !is_identifier(name) {
                    return;
                }
                names.insert(name);
                if declared.get(name).is_none() {
                    let directory = self.run.arena.format(format_args!("{}", module.files.path));
                    let label = key.expression().label();
                    let diagnostic = Diagnostic::new(Code::UndeclaredArgument, label)
                        .with_arguments(&[name, directory]);
                    self.run.found.borrow_mut().push(diagnostic);
                }
            }
        }
        let required = declared.iter().filter(|variable| variable.is_required());
        let missing = required.filter(|variable| !names.contains(variable.name));
        let missing = missing.map(|variable| {
            Diagnostic::new(Code::MissingModuleArgument, object.label())
                .with_arguments(&[variable.name])
                .with_related(variable.block.definition_label(), "declared here")
        });
        report_alike(missing, &mut *self.run.found.borrow_mut());
    }
}

/// The value of a literal argument.
fn literal<'a>(object: &Object<'a>, name: &str) -> Option<Value<'a>> {
    Some(object.argument(name)?.expression().literal_value(&mut ()))
}

/// The marks of a variable or an output.
fn marks(object: &Object<'_>) -> Marks {
    let flag = |name: &str| literal(object, name).and_then(Value::as_bool);
    Marks::declared(flag("sensitive"), flag("ephemeral"))
}
