//! The roots of references in a module, before any value is known: for each object an unknown value
//! of its type, if that is known, with the marks that its declaration gives it.
//!
//! Local values are evaluated in the order of their dependencies, so that they get the types and
//! marks of their parts. Long local values, and those that depend on themselves, are unknown and
//! have no type.

use super::shapes::Shapes;
use super::{Module, Variable};
use crate::arena::Arena;
use crate::dialect::Dialect;
use crate::evaluate::{Budget, Functions, Scope};
use crate::expression::Seen;
use crate::hash::HashMap;
use crate::native::StepKind;
use crate::reference::Mode;
use crate::value::{Marks, Type, Value, sort_by_name};

/// Local values of this length in bytes, or longer, are not checked.
const LONGEST_LOCAL: u32 = 4096;

/// Everything that a reference of the module can start with, sorted by name. Without `shapes`,
/// there may be more declarations than are known. With defaults, variables have their values, or
/// those that are given.
pub(super) fn of<'a>(
    module: &Module<'a>,
    shapes: Option<&Shapes<'a>>,
    values: Values<'_, 'a>,
    functions: &dyn Functions,
    arena: &'a Arena,
) -> Vec<(&'a str, Value<'a>)> {
    let text = Value::unknown(Type::String);
    let ephemeral = |value: Value<'a>| value.with_marks(Marks::EPHEMERAL);
    let applying = ("applying", ephemeral(Value::unknown(Type::Bool)));
    let tool = Value::object(arena, &[applying, ("workspace", text)]);
    let managed = resources(module, shapes, Mode::Managed, arena);
    let of_mode = |mode| match &*resources(module, shapes, mode, arena) {
        [] => Value::dynamic(),
        known => Value::object(arena, known),
    };
    let mut roots = vec![
        ("count", Value::object(arena, &[("index", Value::unknown(Type::Number))])),
        ("data", of_mode(Mode::Data)),
        ("each", Value::object(arena, &[("key", text), ("value", Value::dynamic())])),
        ("ephemeral", ephemeral(of_mode(Mode::Ephemeral))),
        ("list", of_mode(Mode::List)),
        ("module", calls(module, shapes, arena)),
        ("path", Value::object(arena, &[("cwd", text), ("module", text), ("root", text)])),
        ("resource", of_mode(Mode::Managed)),
        ("self", Value::dynamic()),
        ("terraform", tool),
        ("var", shapes.map_or(Value::dynamic(), |_| variables(module, values, arena))),
    ];
    if module.dialect != Dialect::Terraform {
        roots.push(("tofu", tool));
    }
    roots.extend(managed);
    sort_by_name(&mut roots);
    // If names are equal, the first is the root that the language defines.
    roots.dedup_by_key(|(name, _)| *name);
    let locals = match shapes {
        Some(_) => locals(module, &roots, functions, arena),
        None => Value::dynamic(),
    };
    match roots.binary_search_by(|(name, _)| (*name).cmp("local")) {
        Ok(place) => roots[place].1 = locals,
        Err(place) => roots.insert(place, ("local", locals)),
    }
    roots
}

/// The types of the declared resources of one mode, each with its resources by name.
fn resources<'a>(
    module: &Module<'a>,
    shapes: Option<&Shapes<'a>>,
    mode: Mode,
    arena: &'a Arena,
) -> Vec<(&'a str, Value<'a>)> {
    let of_checks = module.checks.iter().filter_map(|check| check.data);
    let all = module.resources.iter().chain(of_checks);
    let shapes = shapes.filter(|shapes| !shapes.resources.is_empty());
    let mut by_type: HashMap<&'a str, Vec<(&'a str, Value<'a>)>> = HashMap::default();
    let mut last = None;
    for resource in all.filter(|resource| resource.mode == mode) {
        let name = resource.block.label(0).unwrap_or_default();
        // Most resources have the type of the one before.
        if last.replace(name) == Some(name) && shapes.is_none() {
            continue;
        }
        let of_type = by_type.entry(name).or_default();
        if let Some(shapes) = shapes {
            let address = resource.address();
            of_type.push((address.name, shapes.resource(address)));
        }
    }
    let object = |all: &[(&'a str, Value<'a>)]| match all {
        [] => Value::dynamic(),
        all => Value::object(arena, all),
    };
    let mut types: Vec<_> = by_type.into_iter().map(|(name, all)| (name, object(&all))).collect();
    sort_by_name(&mut types);
    types
}

fn calls<'a>(module: &Module<'a>, shapes: Option<&Shapes<'a>>, arena: &'a Arena) -> Value<'a> {
    let Some(shapes) = shapes.filter(|shapes| !shapes.calls.is_empty()) else {
        return Value::dynamic();
    };
    let shape = |name| shapes.calls.get(name).map_or(Value::dynamic(), |value| *value);
    let calls: Vec<_> = module.calls.iter().map(|call| (call.name, shape(call.name))).collect();
    Value::object(arena, &calls)
}

/// The variables that have the values of their defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Defaults {
    #[default]
    None,
    /// Those that may be known before anything else.
    Early,
    All,
}

/// Which variables have values: those of their defaults, and others that are given.
type Values<'v, 'a> = (Defaults, &'v HashMap<&'a str, Value<'a>>);

/// The variables.
fn variables<'a>(
    module: &Module<'a>,
    (defaults, given): Values<'_, 'a>,
    arena: &'a Arena,
) -> Value<'a> {
    let default = |variable: &Variable<'a>| {
        let is_early = match module.dialect {
            Dialect::Terraform => variable.is_const == Some(true),
            _ => variable.is_const != Some(false),
        };
        if defaults != Defaults::All && !(defaults == Defaults::Early && is_early) {
            return None;
        }
        match (given.get(variable.name), variable.constraint) {
            (Some(value), Some(constraint)) => constraint.apply(arena, *value, &mut ()).ok(),
            (Some(value), None) => Some(*value),
            (None, _) => variable.default_value(&mut ())?.ok(),
        }
    };
    let value = module.variables.iter().map(|variable| {
        let ty = variable
            .constraint
            .map_or(Type::Dynamic, |constraint| constraint.ty.without_optional_attributes(arena));
        let mut value = default(variable).unwrap_or(Value::unknown(ty));
        if variable.sensitive == Some(true) {
            value = value.with_marks(Marks::SENSITIVE);
        }
        if variable.ephemeral == Some(true) {
            value = value.with_marks(Marks::EPHEMERAL);
        }
        (variable.name, value)
    });
    Value::object(arena, &value.collect::<Vec<_>>())
}

/// The local values, as an object. `roots` has all other roots.
fn locals<'a>(
    module: &Module<'a>,
    roots: &[(&'a str, Value<'a>)],
    functions: &dyn Functions,
    arena: &'a Arena,
) -> Value<'a> {
    let all = &module.locals;
    let mut values: Vec<Value<'a>> = vec![Value::dynamic(); all.len()];
    let mut users: Vec<Vec<u32>> = vec![Vec::new(); all.len()];
    let mut needs: Vec<Vec<u32>> = vec![Vec::new(); all.len()];
    let mut ready = Vec::new();
    for (number, local) in (0_u32..).zip(all) {
        let value = local.value();
        if value.span().len() >= LONGEST_LOCAL {
            continue;
        }
        let own = &mut needs[number as usize];
        let mut is_broken = false;
        value.visit_variables(|seen| match seen {
            Seen::Traversal(traversal) if traversal.root_name() == "local" => {
                if let Some(StepKind::Attribute(name)) = traversal.steps().get(1).map(|it| it.kind)
                    && let Some(needed) = all.place(name)
                {
                    own.push(needed);
                }
            }
            Seen::Broken(_) => is_broken = true,
            _ => {}
        });
        own.sort_unstable();
        own.dedup();
        // Values that are not evaluated stay unknown, so nothing waits for them.
        own.retain(|&needed| {
            let is_long = |local: &super::Local<'a>| local.value().span().len() >= LONGEST_LOCAL;
            !all.at(needed).is_some_and(is_long)
        });
        if is_broken {
            own.push(number);
        }
        own.iter().for_each(|&needed| users[needed as usize].push(number));
        if own.is_empty() {
            ready.push(number);
        }
    }
    let mut waiting: Vec<usize> = needs.iter().map(Vec::len).collect();
    while let Some(number) = ready.pop() {
        let Some(local) = all.at(number) else { continue };
        let needed = needs[number as usize].iter();
        let known: Vec<(&str, Value<'a>)> = needed
            .filter_map(|&needed| Some((all.at(needed)?.name, values[needed as usize])))
            .collect();
        let known = [("local", Value::object(arena, &known))];
        let around = Scope::new().with_variables(roots).with_functions(functions);
        let scope = Scope::new()
            .with_parent(&around)
            .with_variables(&known)
            .with_short_circuits()
            .with_budget(Budget::of_length(local.value().span().len()));
        values[number as usize] = local.value().value(&scope, &mut ());
        for &user in &users[number as usize] {
            waiting[user as usize] -= 1;
            if waiting[user as usize] == 0 {
                ready.push(user);
            }
        }
    }
    let named: Vec<_> = all.iter().zip(values).map(|(local, value)| (local.name, value)).collect();
    Value::object(arena, &named)
}
