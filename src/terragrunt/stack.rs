//! Stacks: the units and stacks that a file declares, and what other stacks add to them.

use std::sync::Arc;

use super::call::resolved;
use super::discover::ComponentKind;
use super::disk::is_below;
use super::frame::{Extent, Frame, Memo};
use super::log::Log;
use super::names;
use super::parse::{Parsed, Part};
use super::plain::plain;
use super::schema;
use super::world::{Shared, World};
use crate::arena::Arena;
use crate::evaluate::Meter;
use crate::functions::paths::{directory, join};
use crate::hash::{HashMap, HashSet};
use crate::value::{Type, Value};

/// A unit or stack that a stack declares.
pub(super) struct Component<'v, 'a> {
    pub(super) kind: ComponentKind,
    pub(super) name: &'v str,
    pub(super) source: Option<&'v str>,
    pub(super) path: Option<&'v str>,
    pub(super) values: Option<Value<'v>>,
    pub(super) is_outside: bool,
    pub(super) is_checked: bool,
    pub(super) is_enabled: bool,
    pub(super) autoinclude: Option<Part<'a>>,
    /// The variables of its expressions, and the file that has it.
    pub(super) variables: Shared<'v>,
    pub(super) file: String,
}

/// The block of a component, the file that has it, and the variables that its expressions see.
type Placed<'a, 'v> = (Part<'a>, String, Shared<'v>);

impl Component<'_, '_> {
    /// Its kind and name, as a text for people.
    pub(super) fn shown(&self) -> String {
        let kind = match self.kind {
            ComponentKind::Unit => "unit",
            ComponentKind::Stack => "stack",
        };
        format!("{kind} \"{}\"", self.name)
    }

    /// Where it is generated.
    pub(super) fn folder(&self, stack: &str) -> Option<String> {
        let base = match self.is_outside {
            true => stack.to_owned(),
            false => join(stack, names::GENERATED),
        };
        let path = self.path.filter(|path| !path.starts_with('/'))?;
        let folder = join(&base, path);
        is_below(&folder, &base).then_some(folder)
    }
}

/// An evaluated stack.
pub(super) struct Stack<'v, 'a> {
    pub(super) components: Vec<Component<'v, 'a>>,
    pub(super) local: Value<'v>,
}

/// The evaluation of a stack.
pub(super) struct Reading<'r, 'e, 'a, 'v> {
    pub(super) frame: Frame<'e, 'a, 'v>,
    pub(super) folder: &'r str,
}

impl<'a: 'v, 'v> Reading<'_, '_, 'a, 'v> {
    /// Evaluates a stack, with what other stacks add to it.
    pub(super) fn stack(&self) -> Option<Stack<'v, 'a>> {
        let world = self.frame.world;
        let path = join(self.folder, names::STACK);
        let parsed = match world.parsed(&path) {
            Ok(parsed) => parsed,
            Err(why) => {
                self.frame.log.problem("stack", &*why);
                return None;
            }
        };
        self.frame.report(&parsed);
        let values = self.frame.values(self.folder, &[], None);
        let mut variables: Vec<(&'v str, Value<'v>)> = Vec::new();
        variables.extend(values.map(|values| ("values", values)));
        let context = self.frame.context(&path, &[], None);
        let local = self.frame.locals(&context, &parsed, &variables);
        variables.push(("local", local));
        let variables = Shared::from(variables);
        let mut parts: Vec<Placed<'a, 'v>> =
            components(&parsed).map(|part| (part, path.clone(), variables.clone())).collect();
        for include in parsed.root.blocks("include") {
            let value = self.frame.shown_argument(&context, &variables, include, "path");
            let Some(file) = value.and_then(|it| it.as_str()).map(|it| resolved(self.folder, it))
            else {
                continue;
            };
            self.frame.log.track(file.clone());
            match world.parsed_as(&file, &schema::STACK) {
                Ok(included) => {
                    self.frame.report(&included);
                    parts.extend(
                        components(&included).map(|it| (it, path.clone(), variables.clone())),
                    );
                }
                Err(why) => self.frame.log.problem("include", &*why),
            }
        }
        let mut names = HashSet::default();
        for (part, ..) in &parts {
            if !names.insert((part.kind.name, part.label)) {
                let why = format!("the stack has two blocks {} \"{}\"", part.kind.name, part.label);
                self.frame.log.problem("stack", why);
            }
        }
        self.added(&variables, &mut parts);
        let variables_of_paths = self.references(&parts);
        // Those of the file, and those of what is merged over it.
        let mut extended: Vec<(Shared<'v>, Shared<'v>)> = Vec::new();
        for (.., variables) in &mut parts {
            let known = extended.iter().find(|(known, _)| Arc::ptr_eq(known, variables));
            let all = known.map(|(_, all)| Arc::clone(all)).unwrap_or_else(|| {
                let all: Shared<'v> = variables.iter().copied().chain(variables_of_paths).collect();
                extended.push((Arc::clone(variables), Arc::clone(&all)));
                all
            });
            *variables = all;
        }
        let components = parts
            .into_iter()
            .map(|(part, file, variables)| self.component(&part, &file, variables));
        Some(Stack { components: components.collect(), local })
    }

    /// Adds the units and stacks that are merged over those of the file, by name.
    fn added(&self, own: &Shared<'v>, parts: &mut Vec<Placed<'a, 'v>>) {
        let world = self.frame.world;
        let mut added = Vec::new();
        let path = join(self.folder, names::AUTOINCLUDE_STACK);
        if let Some(bound) = world.written(self.folder).and_then(|it| it.autoinclude.clone()) {
            let arena = self.frame.arena;
            let variables: Shared<'v> =
                bound.variables.iter().map(|(name, value)| (arena.str(name), *value)).collect();
            let all = components(&bound.parsed);
            added.extend(all.map(|part| (part, bound.file.clone(), variables.clone())));
        } else if world.disk.is_file(&path) {
            self.frame.log.also(path.clone());
            match world.parsed(&path) {
                Ok(parsed) => {
                    self.frame.report(&parsed);
                    let all = components(&parsed);
                    added.extend(all.map(|part| (part, path.clone(), Arc::clone(own))));
                }
                Err(why) => self.frame.log.problem("stack", &*why),
            }
        }
        if added.is_empty() {
            return;
        }
        let name = |it: &Part<'a>| (it.kind.name, it.label);
        let mut places: HashMap<(&str, &'a str), usize> = HashMap::default();
        for (place, part) in parts.iter().enumerate() {
            places.entry(name(&part.0)).or_insert(place);
        }
        for new in added {
            match places.get(&name(&new.0)) {
                Some(&place) => parts[place] = new,
                None => {
                    places.insert(name(&new.0), parts.len());
                    parts.push(new);
                }
            }
        }
    }

    /// The variables `unit` and `stack`: where each component is generated.
    fn references(&self, parts: &[Placed<'a, 'v>]) -> [(&'v str, Value<'v>); 2] {
        let arena = self.frame.arena;
        ["unit", "stack"].map(|kind| {
            let all = parts.iter().filter(|(part, ..)| part.kind.name == kind);
            let entries: Vec<_> = all
                .map(|(part, file, variables)| {
                    let context = self.frame.context(file, &[], None);
                    let value = |name: &str| {
                        let expression = part.get(name)?;
                        Some(self.frame.value(&context, (variables, None), expression, |_| true))
                    };
                    let is_shown = |value: &Value<'v>| self.frame.world.shows(value.deep_marks());
                    let path = value("path").filter(is_shown).and_then(|value| value.as_str());
                    let is_outside = value("no_dot_terragrunt_stack").and_then(|it| it.as_bool());
                    let base = match is_outside {
                        Some(true) => self.folder.to_owned(),
                        _ => join(self.folder, names::GENERATED),
                    };
                    let path = path.map_or(Value::unknown(Type::String), |path| {
                        Value::string(arena, arena.str(&join(&base, path)))
                    });
                    (part.label, Value::object(arena, &[("path", path)]))
                })
                .collect();
            (kind, Value::object(arena, &entries))
        })
    }

    fn component(&self, part: &Part<'a>, file: &str, variables: Shared<'v>) -> Component<'v, 'a> {
        let frame = Frame { config: file, ..self.frame };
        let context = frame.context(file, &[], None);
        let value = |name: &str| {
            let value = frame.argument(&context, &variables, part, name);
            value.filter(|value| !value.is_null())
        };
        let text = |name: &str| frame.shown_argument(&context, &variables, part, name)?.as_str();
        let flag = |name: &str| value(name).and_then(|it| it.as_bool());
        let is_unit = part.kind.name == "unit";
        if part.block("expansion").is_some() {
            let why = format!("{} \"{}\" is repeated by expansion", part.kind.name, part.label);
            frame.log.problem("stack", why);
        }
        if part.get("enabled").is_some() && !frame.world.has_experiment("block-iteration") {
            let why = format!(
                "{} \"{}\" sets enabled, and the experiment \"block-iteration\" is not on",
                part.kind.name, part.label
            );
            frame.log.problem("stack", why);
        }
        Component {
            kind: if is_unit { ComponentKind::Unit } else { ComponentKind::Stack },
            name: part.label,
            source: text("source"),
            path: text("path"),
            values: value("values").map(|it| plain(frame.arena, it)),
            is_outside: flag("no_dot_terragrunt_stack") == Some(true),
            is_checked: flag("no_validation") != Some(true),
            is_enabled: flag("enabled") != Some(false),
            autoinclude: part.block("autoinclude").cloned(),
            variables: Arc::clone(&variables),
            file: file.to_owned(),
        }
    }
}

/// The units and stacks of a file.
fn components<'p, 'a>(parsed: &'p Parsed<'a>) -> impl Iterator<Item = Part<'a>> + use<'p, 'a> {
    let is_component = |part: &&Part<'a>| matches!(part.kind.name, "unit" | "stack");
    parsed.root.blocks.iter().filter(is_component).cloned()
}

/// The value of a stack's file, as `read_terragrunt_config` returns it.
pub(super) fn value<'a: 'v, 'v>(
    world: &World<'a>,
    arena: &'v Arena,
    path: &str,
    original: &str,
    (meter, log): (&Meter, &Log),
) -> Value<'v> {
    let memo = Memo::default();
    let frame = Frame {
        world,
        arena,
        config: path,
        original,
        meter,
        log,
        memo: &memo,
        extent: Extent::Full,
    };
    let folder = directory(path);
    let Some(stack) = (Reading { frame, folder: &folder }).stack() else { return Value::dynamic() };
    let of_kind = |kind: ComponentKind| {
        let all = stack.components.iter().filter(|it| it.kind == kind);
        let entries: Vec<_> = all
            .map(|it| {
                let text = |text: Option<&'v str>| {
                    text.map_or(Value::unknown(Type::String), |text| Value::string(arena, text))
                };
                let null = Value::null(Type::Dynamic);
                let entries = [
                    ("name", Value::string(arena, it.name)),
                    ("source", text(it.source)),
                    ("path", text(it.path)),
                    ("no_dot_terragrunt_stack", Value::bool(it.is_outside)),
                    ("values", it.values.unwrap_or(null)),
                ];
                (it.name, Value::object(arena, &entries))
            })
            .collect();
        Value::object(arena, &entries)
    };
    let (unit, stacks) = (of_kind(ComponentKind::Unit), of_kind(ComponentKind::Stack));
    Value::object(arena, &[("local", plain(arena, stack.local)), ("unit", unit), ("stack", stacks)])
}
