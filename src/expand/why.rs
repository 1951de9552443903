//! The origin of a value: the expressions that it depends on, through local values, arguments of
//! modules and outputs.

use super::budget::price_of_text;
use super::engine::Expansion;
use super::inputs::Given;
use super::instance::Child;
use super::keys::{Key, Keys};
use super::node::Node;
use super::select::join;
use crate::arena::Arena;
use crate::diagnostic::Label;
use crate::evaluate::follow_known;
use crate::expression::Expression;
use crate::hash::HashSet;
use crate::native::{self, Native, Step, StepKind};
use crate::reference::{InstanceKey, Mode, ResourceName};
use crate::source::Source;
use crate::value::{Number, Value};

/// The maximum number of expressions of an answer.
const MOST: usize = 10_000;

/// An expression that a value depends on.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Origin<'a> {
    /// The number of references from the value that was asked for: 0 for its own expression.
    pub depth: usize,
    /// The address of the object that the expression gives a value to: `module.a.var.size`.
    pub address: String,
    /// The expression; for a variable of the root module its default, or what gives it a value. `None`
    /// if nothing does.
    pub label: Option<Label<'a>>,
    /// The source of a value that no expression of the configuration gives: the file of a unit, `environment`
    /// or `--var`.
    pub given_by: Option<&'a str>,
    /// The value, as far as it is known.
    pub value: Value<'a>,
    /// Whether the text of the expression must not be shown: the value, or a part of it, is sensitive or
    /// ephemeral.
    pub is_hidden: bool,
}

/// A thing that an expression gives a value to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Subject<'a> {
    Variable(u32, u32),
    Local(u32, u32),
    Output(u32, u32),
    /// An attribute of an instance of a resource.
    Attribute(u32, u32, u64, &'a str),
    /// The instances of a resource.
    ResourceKeys(u32, u32),
    /// The instances of a call.
    CallKeys(u32, u32),
}

/// A subject, a path into its value, and its depth.
type Wanted<'a> = (Subject<'a>, Vec<Step<'a>>, usize);

impl<'t, 'a> Expansion<'t, 'a> {
    /// The expressions that a value depends on: its own, then those that it refers to, depth first,
    /// each once. The address is that of an attribute of an instance, with a path into it
    /// (`module.a["x"].aws_instance.web[0].tags.Name`), or of a variable, a local value or an output
    /// (`module.a.local.name`). `None` if there is no such value.
    ///
    /// Cost: that of evaluating the expressions; at most 10,000 of them are returned. Their texts and
    /// values count as printed: a value that is longer than what is left of the budget is unknown, and
    /// the list ends at an expression that is, which is reported.
    #[must_use]
    pub fn why(&self, address: &str) -> Option<Vec<Origin<'a>>> {
        let arena = self.inputs.arena;
        let source = Source::from_bytes(arena, "address", arena.str(address).as_bytes()).ok()?;
        let mut is_wrong = None;
        let native = Native::expression(arena, source, &mut is_wrong);
        let steps = native.as_traversal()?.steps();
        let (subject, path) = self.subject_at(steps).filter(|_| is_wrong.is_none())?;
        let mut origins = Vec::new();
        let mut seen = HashSet::default();
        let mut work: Vec<Wanted<'a>> = vec![(subject, path.to_vec(), 0)];
        while let Some((subject, path, depth)) = work.pop() {
            if origins.len() == MOST || !seen.insert(subject) && depth > 0 {
                continue;
            }
            let from = work.len();
            origins.extend(self.origin(subject, &path, depth, &mut work));
            // It is empty if the list ends here.
            work.get_mut(from..).unwrap_or_default().reverse();
        }
        (!origins.is_empty()).then_some(origins)
    }

    /// The subject at an absolute address.
    fn subject_at<'s>(&self, steps: &'s [Step<'a>]) -> Option<(Subject<'a>, &'s [Step<'a>])> {
        let (mut module, mut steps) = (0, steps);
        while let [first, second, rest @ ..] = steps
            && name(first) == Some("module")
        {
            let call = self.module(module).declared.module.calls.place(name(second)?)?;
            let (child, taken) = self.child(module, call, rest)?;
            (module, steps) = (child, &rest[taken..]);
            if let [output] = steps {
                let outputs = &self.module(module).declared.module.outputs;
                return Some((Subject::Output(module, outputs.place(name(output)?)?), &[]));
            }
        }
        if let [first, second, rest @ ..] = steps
            && name(first) == Some("output")
        {
            let outputs = &self.module(module).declared.module.outputs;
            return Some((Subject::Output(module, outputs.place(name(second)?)?), rest));
        }
        self.subject(module, steps)
    }

    /// The instance of a called module whose key is the first of these steps, and the number of steps
    /// of the key. Without a key, the first instance.
    fn child(&self, module: u32, call: u32, steps: &[Step<'_>]) -> Option<(u32, usize)> {
        let keys = self.force_keys(Node::CallKeys(module, call));
        let Child::Modules(first) = self.children(module, call, keys) else { return None };
        let (place, taken) = place(keys, steps)?;
        Some((first + place as u32, taken))
    }

    /// Returns the subject that a traversal of a module refers to, and the rest of the traversal.
    pub(super) fn subject<'s>(
        &self,
        module: u32,
        steps: &'s [Step<'a>],
    ) -> Option<(Subject<'a>, &'s [Step<'a>])> {
        let instance = self.module(module);
        let declared = &instance.declared.module;
        let first = name(steps.first()?)?;
        let second = || steps.get(1).and_then(name);
        match first {
            "var" => {
                Some((Subject::Variable(module, declared.variables.place(second()?)?), &steps[2..]))
            }
            "local" => {
                Some((Subject::Local(module, declared.locals.place(second()?)?), &steps[2..]))
            }
            "module" => {
                let call = declared.calls.place(second()?)?;
                let rest = &steps[2..];
                let (child, taken) = self.child(module, call, rest)?;
                let output = name(rest.get(taken)?)?;
                let place = self.module(child).declared.module.outputs.place(output)?;
                Some((Subject::Output(child, place), &rest[taken + 1..]))
            }
            _ => {
                let (mode, at) = match first {
                    "data" => (Mode::Data, 1),
                    "resource" => (Mode::Managed, 1),
                    "ephemeral" => (Mode::Ephemeral, 1),
                    _ => (Mode::Managed, 0),
                };
                let resource_type = name(steps.get(at)?)?;
                let address = ResourceName { mode, resource_type, name: name(steps.get(at + 1)?)? };
                let resource = declared.resources.place(address)?;
                let rest = &steps[at + 2..];
                let keys = self.force_keys(Node::ResourceKeys(module, resource));
                let (instance, taken) = place(keys, rest)?;
                let attribute = name(rest.get(taken)?)?;
                let subject = Subject::Attribute(module, resource, instance, attribute);
                Some((subject, &rest[taken + 1..]))
            }
        }
    }

    /// How a subject is written, and its value.
    pub(super) fn written(&self, subject: Subject<'a>) -> Option<Written<'a>> {
        let (Subject::Variable(number, _)
        | Subject::Local(number, _)
        | Subject::Output(number, _)
        | Subject::Attribute(number, ..)
        | Subject::ResourceKeys(number, _)
        | Subject::CallKeys(number, _)) = subject;
        let module = self.module(number);
        let declared = &module.declared.module;
        let mut scope = number;
        let mut repeated: Option<(Subject<'a>, Key<'a>)> = None;
        let (mut argument, mut given_by) = (None, None);
        let (address, expression, value) = match subject {
            Subject::Variable(_, at) => {
                let variable = declared.variables.at(at)?;
                let value = self.force(Node::Variable(number, at));
                let expression = match &module.call {
                    Some(call) => {
                        scope = call.module;
                        repeated = Some((Subject::CallKeys(call.module, call.place), call.key));
                        call.arguments.get(variable.name).copied().or(variable.default)
                    }
                    None => match self.inputs.given(variable.name, &module.declared.assignments) {
                        Some(Given::Attribute(attribute)) => Some(attribute.expression()),
                        Some(Given::Argument(_, label)) => {
                            argument = Some(label);
                            None
                        }
                        Some(Given::Unknown(file)) => {
                            given_by = Some(file.name());
                            None
                        }
                        Some(Given::Text(_, origin) | Given::Value(_, origin)) => {
                            given_by = Some(origin);
                            None
                        }
                        None => variable.default,
                    },
                };
                (format!("var.{}", variable.name), expression, value)
            }
            Subject::Local(_, at) => {
                let local = declared.locals.at(at)?;
                let value = self.force(Node::Local(number, at));
                (format!("local.{}", local.name), Some(local.value()), value)
            }
            Subject::Output(_, at) => {
                let output = declared.outputs.at(at)?;
                let value = self.force(Node::Output(number, at));
                (format!("output.{}", output.name), output.value, value)
            }
            Subject::Attribute(_, at, instance, attribute) => {
                let resource = declared.resources.at(at)?;
                let keys = self.force_keys(Node::ResourceKeys(number, at));
                let key = keys.get(instance);
                repeated = Some((Subject::ResourceKeys(number, at), key));
                let mut address = resource.address().to_string();
                key.write(&mut address);
                address.push('.');
                address.push_str(attribute);
                let value = self.attribute_of(Node::Resource(number, at), keys, key, attribute);
                let mut properties = resource.config().properties();
                let property = properties.find(|property| property.is_named(attribute));
                (address, property.map(|property| property.expression()), value)
            }
            Subject::ResourceKeys(_, at) => {
                let resource = declared.resources.at(at)?;
                let (name, expression) = repetition(resource.count(), resource.for_each())?;
                let keys = self.force_keys(Node::ResourceKeys(number, at));
                let address = format!("{}.{name}", resource.address());
                (address, Some(expression), value_of(keys, self.inputs.arena))
            }
            Subject::CallKeys(_, at) => {
                let call = declared.calls.at(at)?;
                let (name, expression) = repetition(call.count, call.for_each)?;
                let keys = self.force_keys(Node::CallKeys(number, at));
                let address = format!("module.{}.{name}", call.name);
                (address, Some(expression), value_of(keys, self.inputs.arena))
            }
        };
        let address = join(&module.address, &address);
        Some(Written { address, expression, argument, given_by, value, scope, repeated })
    }

    /// The value of an attribute of an instance of a resource.
    fn attribute_of(
        &self,
        resource: Node<'a>,
        keys: Keys<'a>,
        key: Key<'a>,
        attribute: &str,
    ) -> Value<'a> {
        let all = self.force(resource);
        let whole = match (keys, key) {
            (Keys::One, _) => all,
            (_, Key::Index(index)) => {
                let elements = all.elements();
                elements.get(index as usize).copied().unwrap_or_else(Value::dynamic)
            }
            (_, Key::Name(name, _)) => all.get(name).unwrap_or_else(Value::dynamic),
            _ => Value::dynamic(),
        };
        whole.get(attribute).unwrap_or_else(|| whole.attribute_of_unknown(attribute))
    }

    /// The origin of a subject. Adds the objects that its expression refers to.
    fn origin(
        &self,
        subject: Subject<'a>,
        path: &[Step<'a>],
        depth: usize,
        work: &mut Vec<Wanted<'a>>,
    ) -> Option<Origin<'a>> {
        let Written { mut address, expression, argument, given_by, value, scope, repeated } =
            self.written(subject)?;
        path.iter().for_each(|step| address.push_str(&step.to_string()));
        let arena = self.inputs.arena;
        let value = follow_known(arena, value, path);
        let expression = expression.map(|expression| narrowed(expression, path));
        let label = expression.map(Expression::label).or(argument);
        let value = match label {
            None => value,
            Some(label) => {
                let bytes = u64::from(label.span.len()) + address.len() as u64;
                if !self.affords(price_of_text(bytes), || label) {
                    work.clear();
                    return None;
                }
                self.printed(value, || label)
            }
        };
        // An element of what decides on instances is that of the value that it is.
        let decides = matches!(subject, Subject::ResourceKeys(..) | Subject::CallKeys(..));
        let is_all = |steps: &[Step<'a>]| {
            let native = expression.and_then(Expression::as_native);
            native
                .and_then(Native::as_traversal)
                .is_some_and(|all| all.steps().len() == steps.len())
        };
        for traversal in expression.into_iter().flat_map(Expression::variables) {
            let steps = traversal.steps();
            if let (Some("each" | "count"), Some((subject, key))) =
                (steps.first().and_then(name), repeated)
            {
                work.push((subject, element(key, steps), depth + 1));
                continue;
            }
            if decides
                && is_all(steps)
                && let Some((subject, rest)) = self.subject(scope, steps)
            {
                work.push((subject, [rest, path].concat(), depth + 1));
                continue;
            }
            if let Some((subject, rest)) = self.subject(scope, traversal.steps()) {
                work.push((subject, rest.to_vec(), depth + 1));
            }
        }
        let is_hidden =
            value.deep_marks().hides() || expression.is_some_and(Expression::marks_itself);
        Some(Origin { depth, address, label, given_by, value, is_hidden })
    }
}

/// How a subject is written.
pub(super) struct Written<'a> {
    /// Its address in the root module.
    address: String,
    pub(super) expression: Option<Expression<'a>>,
    /// The argument that gives the value, if the root module is called.
    argument: Option<Label<'a>>,
    /// See [`Origin::given_by`].
    given_by: Option<&'a str>,
    pub(super) value: Value<'a>,
    /// The module whose names the expression uses.
    pub(super) scope: u32,
    /// The subject that `count` and `each` of the expression come from, and the key of the instance.
    pub(super) repeated: Option<(Subject<'a>, Key<'a>)>,
}

/// The argument that decides on instances.
fn repetition<'a>(
    count: Option<Expression<'a>>,
    for_each: Option<Expression<'a>>,
) -> Option<(&'static str, Expression<'a>)> {
    let count = count.map(|count| ("count", count));
    count.or_else(|| for_each.map(|each| ("for_each", each)))
}

/// The value that keys come from, as far as it is known.
fn value_of<'a>(keys: Keys<'a>, arena: &'a Arena) -> Value<'a> {
    match keys {
        Keys::Count(count) => Value::number(Number::from_u64(arena, count)),
        Keys::Each(entries) => Value::object(arena, entries),
        Keys::One | Keys::Disabled | Keys::Unknown(_) => Value::dynamic(),
    }
}

/// The path of `each.value…` into what `for_each` is: the key of the instance, and the rest. Of
/// `each.key` and `count.index`, nothing.
fn element<'a>(key: Key<'a>, steps: &[Step<'a>]) -> Vec<Step<'a>> {
    match (key, steps) {
        (Key::Name(text, _), [_, second, rest @ ..]) if name(second) == Some("value") => {
            let kind = StepKind::Index(native::Key::String(text));
            let mut path = vec![Step { kind, span: second.span }];
            path.extend_from_slice(rest);
            path
        }
        _ => Vec::new(),
    }
}

/// The name of a step.
pub(super) fn name<'s>(step: &Step<'s>) -> Option<&'s str> {
    match step.kind {
        StepKind::Root(name) | StepKind::Attribute(name) => Some(name),
        _ => None,
    }
}

/// The place of the instance whose key is the first step, and the number of steps of the key.
fn place(keys: Keys<'_>, steps: &[Step<'_>]) -> Option<(u64, usize)> {
    let key = match steps.first().map(|step| step.kind) {
        Some(StepKind::Index(native::Key::String(text))) => Some(InstanceKey::String(text)),
        Some(StepKind::Index(native::Key::Number(text))) => {
            text.parse().ok().map(InstanceKey::Number)
        }
        Some(StepKind::Splat) => return (keys.len() > 0).then_some((0, 1)),
        _ => None,
    };
    match (keys, key) {
        (Keys::One | Keys::Unknown(_), None) => Some((0, 0)),
        (Keys::Unknown(_), Some(_)) => Some((0, 1)),
        (keys, Some(key)) => Some((keys.place(key)?, 1)),
        // The key is computed: the first instance stands for all.
        (keys, None) => (keys.len() > 0).then_some((0, 0)),
    }
}

/// The part of a static map or list that a path leads to.
fn narrowed<'a>(mut expression: Expression<'a>, path: &[Step<'a>]) -> Expression<'a> {
    for step in path {
        let part = match step.kind {
            StepKind::Attribute(name) | StepKind::Index(native::Key::String(name)) => {
                expression.member(name)
            }
            StepKind::Index(native::Key::Number(text)) => {
                let at = text.parse().ok();
                at.and_then(|at| expression.as_list().and_then(|mut list| list.nth(at)))
            }
            _ => None,
        };
        match part {
            Some(part) => expression = part,
            None => break,
        }
    }
    expression
}
