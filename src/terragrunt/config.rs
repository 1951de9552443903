//! An evaluated configuration, and how one is merged over another.

use std::hash::Hash;

use super::plain::{deeply_merged, merged, plain};
use crate::arena::Arena;
use crate::hash::{HashMap, HashSet};
use crate::value::{Type, Value};

/// A `dependency` block.
#[derive(Clone, Debug)]
pub(super) struct Dependency<'v> {
    pub(super) name: &'v str,
    /// Its attributes, by name.
    pub(super) attributes: Vec<(&'static str, Value<'v>)>,
}

impl<'v> Dependency<'v> {
    pub(super) fn get(&self, name: &str) -> Option<Value<'v>> {
        let found = self.attributes.iter().find(|(known, _)| *known == name)?;
        Some(found.1).filter(|value| !value.is_null())
    }

    /// Whether it is not switched off.
    pub(super) fn is_enabled(&self) -> bool {
        self.get("enabled").and_then(|value| value.as_bool()) != Some(false)
    }

    /// Its outputs, as far as they are known without a state.
    pub(super) fn outputs(&self) -> Option<Value<'v>> {
        self.get("mock_outputs")
    }
}

/// A `terraform` block.
#[derive(Clone, Debug, Default)]
pub(super) struct Terraform<'v> {
    pub(super) attributes: Vec<(&'static str, Value<'v>)>,
    /// `extra_arguments` and hooks: the block type and the label, and the attributes.
    pub(super) blocks: Vec<((&'static str, &'v str), Value<'v>)>,
}

impl<'v> Terraform<'v> {
    pub(super) fn get(&self, name: &str) -> Option<Value<'v>> {
        let found = self.attributes.iter().find(|(known, _)| *known == name)?;
        Some(found.1).filter(|value| !value.is_null())
    }
}

/// A block `extra_arguments`.
pub(super) struct ExtraArguments<'c, 'v> {
    pub(super) label: &'v str,
    pub(super) block: &'c Value<'v>,
}

impl<'v> ExtraArguments<'_, 'v> {
    /// The texts of a list; unknown ones are left out.
    pub(super) fn texts(&self, name: &str) -> impl Iterator<Item = &'v str> + use<'v> {
        let elements = self.block.get(name).map(|it| it.elements()).unwrap_or_default();
        elements.iter().filter_map(|it| it.as_str())
    }

    /// The values of some flags among the arguments, in their order: what is after `=`, or the next argument.
    /// One dash or two start a flag.
    pub(super) fn flags<'n>(&self, names: &'n [&'n str]) -> Vec<(&'n str, &'v str)> {
        let mut flags = Vec::new();
        let mut arguments = self.texts("arguments");
        while let Some(argument) = arguments.next() {
            let Some(written) = argument.strip_prefix('-') else { continue };
            let written = written.strip_prefix('-').unwrap_or(written);
            let (name, value) = match written.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (written, None),
            };
            let Some(name) = names.iter().find(|it| **it == name) else { continue };
            flags.extend(value.or_else(|| arguments.next()).map(|value| (*name, value)));
        }
        flags
    }

    /// Whether the arguments are those of a command, or may be.
    pub(super) fn may_be_for(&self, command: &str) -> bool {
        let is_known = self.block.get("commands").is_some_and(|it| it.is_wholly_known());
        !is_known || self.texts("commands").any(|it| it == command)
    }
}

impl<'v> Config<'v> {
    /// The blocks `extra_arguments`.
    pub(super) fn extra_arguments(&self) -> impl Iterator<Item = ExtraArguments<'_, 'v>> {
        let blocks = self.terraform.iter().flat_map(|it| &it.blocks);
        let blocks = blocks.filter(|((kind, _), _)| *kind == "extra_arguments");
        blocks.map(|((_, label), block)| ExtraArguments { label, block })
    }
}

/// An `exclude` block.
#[derive(Clone, Debug)]
pub(super) struct Exclude<'v> {
    pub(super) condition: Value<'v>,
    pub(super) actions: Option<Value<'v>>,
    pub(super) exclude_dependencies: Option<Value<'v>>,
    pub(super) no_run: Option<Value<'v>>,
}

/// An evaluated configuration.
#[derive(Clone, Debug, Default)]
pub(super) struct Config<'v> {
    pub(super) inputs: Option<Value<'v>>,
    pub(super) locals: Option<Value<'v>>,
    pub(super) terraform: Option<Terraform<'v>>,
    pub(super) dependencies: Vec<Dependency<'v>>,
    /// The paths of `dependencies` and of enabled `dependency` blocks, of all files.
    pub(super) paths: Vec<Value<'v>>,
    /// The paths of `dependencies` alone.
    pub(super) listed_paths: Option<Vec<Value<'v>>>,
    pub(super) features: Vec<(&'v str, Value<'v>)>,
    pub(super) exclude: Option<Exclude<'v>>,
    pub(super) generate: Vec<(&'v str, Value<'v>)>,
    pub(super) remote_state: Option<Value<'v>>,
    /// Attributes with simple values.
    pub(super) attributes: Vec<(&'static str, Value<'v>)>,
    /// `errors`, `engine` and `catalog` as they are.
    pub(super) blocks: Vec<(&'static str, Value<'v>)>,
}

/// The first place of each name.
fn places<K: Eq + Hash>(
    names: impl DoubleEndedIterator<Item = K> + ExactSizeIterator,
) -> HashMap<K, usize> {
    names.enumerate().rev().map(|(place, name)| (name, place)).collect()
}

/// Puts values in the place of those with the same name, and others at the end. Cost: linear in both.
fn set_all<'v, K: Eq + Hash + Copy>(
    list: &mut Vec<(K, Value<'v>)>,
    over: impl IntoIterator<Item = (K, Value<'v>)>,
) {
    let mut over = over.into_iter().peekable();
    if over.peek().is_none() {
        return;
    }
    let mut places = places(list.iter().map(|(name, _)| *name));
    for (name, value) in over {
        match places.get(&name) {
            Some(&place) => list[place].1 = value,
            None => {
                places.insert(name, list.len());
                list.push((name, value));
            }
        }
    }
}

/// Keeps the last one of each name. Cost: linear.
pub(super) fn keep_last<'v, T>(list: &mut Vec<T>, name: impl Fn(&T) -> &'v str) {
    let mut seen = HashSet::default();
    list.reverse();
    list.retain(|it| seen.insert(name(it)));
    list.reverse();
}

impl<'v> Config<'v> {
    /// Merges a configuration over this one: `dependency` blocks, hooks and such by name, inputs by
    /// their names, and other parts as a whole; with `is_deep` inputs and mocks at every level.
    /// Returns what cannot be merged.
    pub(super) fn merge(&mut self, arena: &'v Arena, over: Self, is_deep: bool) -> Vec<String> {
        let mut problems = Vec::new();
        set_all(&mut self.attributes, over.attributes);
        set_all(&mut self.blocks, over.blocks);
        if over.remote_state.is_some() {
            self.remote_state = over.remote_state;
        }
        self.exclude = match (self.exclude.take(), over.exclude) {
            (under, None) => under,
            (Some(under), Some(over)) if is_deep => {
                Some(Exclude { actions: over.actions.or(under.actions), ..over })
            }
            (_, over) => over,
        };
        if let Some(over) = over.terraform {
            match &mut self.terraform {
                None => self.terraform = Some(over),
                Some(under) => under.merge(arena, over, is_deep),
            }
        }
        self.merge_paths(&over.paths, &over.dependencies, is_deep);
        if let Some(paths) = over.listed_paths {
            self.listed_paths.get_or_insert_default().extend(paths);
        }
        problems.extend(merge_dependencies(
            arena,
            &mut self.dependencies,
            over.dependencies,
            is_deep,
        ));
        set_all(&mut self.features, over.features);
        if !is_deep {
            let known: HashSet<&str> = self.generate.iter().map(|(name, _)| *name).collect();
            let mut both: Vec<&str> = over.generate.iter().map(|(name, _)| *name).collect();
            both.retain(|name| known.contains(name));
            let problem = |name| format!("several files have a generate block \"{name}\"");
            problems.extend(both.into_iter().map(problem));
        }
        set_all(&mut self.generate, over.generate);
        self.inputs = match (self.inputs, over.inputs) {
            (under, None) => under,
            (None, over) => over,
            (Some(under), Some(over)) if !is_deep => Some(merged(arena, under, over)),
            (Some(under), Some(over)) => match deeply_merged(arena, under, over) {
                Ok(inputs) => Some(inputs),
                Err(_) => {
                    problems.push(
                        "a list of the inputs cannot be merged with another value".to_owned(),
                    );
                    Some(Value::dynamic())
                }
            },
        };
        problems
    }

    /// Adds the paths of another configuration. A deep merge replaces those of blocks with the same
    /// name. Cost: linear in both.
    fn merge_paths(&mut self, over: &[Value<'v>], blocks: &[Dependency<'v>], is_deep: bool) {
        if is_deep && !over.is_empty() {
            let replaced = self.replaced_by(blocks);
            let is_replaced = |path: &str| replaced.contains(path);
            self.paths.retain(|path| !path.as_str().is_some_and(is_replaced));
        }
        self.paths.extend(over);
    }

    /// The paths of the `dependency` blocks that have the name of one of these. Cost: linear in both.
    pub(super) fn replaced_by(&self, blocks: &[Dependency<'v>]) -> HashSet<&'v str> {
        let names: HashSet<&str> = blocks.iter().map(|block| block.name).collect();
        let own = self.dependencies.iter().filter(|block| names.contains(block.name));
        own.filter_map(|block| block.get("config_path")?.as_str()).collect()
    }

    /// Returns it as the value that `include` and `read_terragrunt_config` have.
    pub(super) fn value(&self, arena: &'v Arena) -> Value<'v> {
        let object = |entries: &[(&'v str, Value<'v>)]| Value::object(arena, entries);
        let mut all: Vec<(&'v str, Value<'v>)> = Vec::new();
        for name in TEXTS {
            all.push((name, Value::string(arena, "")));
        }
        all.push(("iam_assume_role_duration", Value::null(Type::Dynamic)));
        all.extend(self.attributes.iter().map(|(name, value)| (*name, *value)));
        all.extend(self.blocks.iter().map(|(name, value)| (*name, *value)));
        let empty = || object(&[]);
        all.push(("inputs", self.inputs.map_or_else(empty, |it| plain(arena, it))));
        all.push(("locals", self.locals.map_or_else(empty, |it| plain(arena, it))));
        if let Some(terraform) = &self.terraform {
            all.push(("terraform", terraform.value(arena)));
        }
        if let Some(exclude) = &self.exclude {
            all.push(("exclude", exclude.value(arena)));
        }
        if let Some(remote_state) = self.remote_state {
            all.push(("remote_state", plain(arena, remote_state)));
        }
        let paths = match &self.listed_paths {
            Some(paths) => object(&[("paths", Value::tuple(arena, paths))]),
            None => Value::null(Type::Dynamic),
        };
        all.push(("dependencies", paths));
        let blocks: Vec<_> =
            self.dependencies.iter().map(|it| (it.name, dependency_value(arena, it))).collect();
        all.push(("dependency", object(&blocks)));
        all.push(("generate", object(&self.generate)));
        let features: Vec<_> = self
            .features
            .iter()
            .map(|&(name, default)| {
                let name_value = Value::string(arena, name);
                (name, object(&[("default", plain(arena, default)), ("name", name_value)]))
            })
            .collect();
        all.push(("feature", object(&features)));
        Value::object(arena, &all)
    }
}

/// Attributes that are an empty text if they are not set.
const TEXTS: [&str; 7] = [
    "download_dir",
    "iam_assume_role_session_name",
    "iam_role",
    "iam_web_identity_token",
    "terraform_binary",
    "terraform_version_constraint",
    "terragrunt_version_constraint",
];

/// The attributes of a dependency in its value, and the names they have there.
const SHOWN: [(&str, &str); 7] = [
    ("config_path", "config_path"),
    ("enabled", "enabled"),
    ("mock_outputs", "mock_outputs"),
    ("mock_outputs_allowed_terraform_commands", "mock_outputs_allowed_terraform_commands"),
    ("mock_outputs_merge_strategy_with_state", "mock_outputs_merge_strategy_with_state"),
    ("mock_outputs_merge_with_state", "mock_outputs_merge_with_state"),
    ("skip_outputs", "skip"),
];

fn dependency_value<'v>(arena: &'v Arena, block: &Dependency<'v>) -> Value<'v> {
    let null = Value::null(Type::Dynamic);
    let mut all = vec![("name", Value::string(arena, block.name)), ("inputs", null)];
    for (name, shown) in SHOWN {
        all.push((shown, block.get(name).map_or(null, |value| plain(arena, value))));
    }
    all.push(("outputs", block.outputs().map_or_else(Value::dynamic, |it| plain(arena, it))));
    Value::object(arena, &all)
}

/// Merges `dependency` blocks by name. Returns the problems: blocks that cannot be merged. Cost:
/// linear in the blocks, and in the mocks that are merged.
pub(super) fn merge_dependencies<'v>(
    arena: &'v Arena,
    under: &mut Vec<Dependency<'v>>,
    over: Vec<Dependency<'v>>,
    is_deep: bool,
) -> Vec<String> {
    let mut problems = Vec::new();
    let mut places = places(under.iter().map(|block| block.name));
    for block in over {
        let Some(&place) = places.get(block.name) else {
            places.insert(block.name, under.len());
            under.push(block);
            continue;
        };
        let known = &mut under[place];
        if !is_deep {
            *known = block;
            continue;
        }
        for (name, value) in block.attributes {
            if value.is_null() {
                continue;
            }
            let value = match (name, known.get(name)) {
                ("mock_outputs", Some(mocks)) => {
                    let (mocks, value) = (plain(arena, mocks), plain(arena, value));
                    deeply_merged(arena, mocks, value).unwrap_or_else(|_| {
                        problems.push(format!(
                            "a list of the mocks of dependency \"{}\" cannot be merged",
                            block.name
                        ));
                        Value::dynamic()
                    })
                }
                ("mock_outputs_allowed_terraform_commands", Some(commands)) => {
                    let all = [commands.elements(), value.elements()].concat();
                    Value::tuple(arena, &all)
                }
                _ => value,
            };
            set_all(&mut known.attributes, [(name, value)]);
        }
    }
    problems
}

impl<'v> Terraform<'v> {
    fn merge(&mut self, arena: &'v Arena, over: Self, is_deep: bool) {
        for (name, value) in over.attributes {
            let is_list = matches!(name, "include_in_copy" | "exclude_from_copy");
            match self.get(name) {
                Some(known) if is_list && is_deep => {
                    let all = [value.elements(), known.elements()].concat();
                    set_all(&mut self.attributes, [(name, Value::tuple(arena, &all))]);
                }
                // A shallow merge keeps these lists.
                _ if is_list && !is_deep => {}
                _ => set_all(&mut self.attributes, [(name, value)]),
            }
        }
        set_all(&mut self.blocks, over.blocks);
    }

    fn value(&self, arena: &'v Arena) -> Value<'v> {
        let null = Value::null(Type::Dynamic);
        let mut all: Vec<(&'v str, Value<'v>)> = Vec::new();
        for name in ["source", "include_in_copy", "exclude_from_copy", "copy_terraform_lock_file"] {
            all.push((name, self.get(name).map_or(null, |value| plain(arena, value))));
        }
        for name in ["version", "update_source_with_cas", "mutable"] {
            all.extend(self.get(name).map(|value| (name, value)));
        }
        for kind in ["extra_arguments", "before_hook", "after_hook", "error_hook"] {
            let blocks = self.blocks.iter().filter(|block| block.0.0 == kind);
            let blocks: Vec<_> = blocks.map(|((_, label), value)| (*label, *value)).collect();
            all.push((kind, Value::object(arena, &blocks)));
        }
        Value::object(arena, &all)
    }
}

impl<'v> Exclude<'v> {
    fn value(&self, arena: &'v Arena) -> Value<'v> {
        let flag = |value: Option<Value<'v>>| value.unwrap_or(Value::bool(false));
        let actions = self.actions.map(|value| plain(arena, value));
        Value::object(
            arena,
            &[
                ("if", self.condition),
                ("actions", actions.unwrap_or(Value::tuple(arena, &[]))),
                ("exclude_dependencies", flag(self.exclude_dependencies)),
                ("no_run", flag(self.no_run)),
            ],
        )
    }
}
