//! An evaluated configuration, and how one is merged over another.

use super::plain::{deeply_merged, merged, plain};
use crate::arena::Arena;
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
    /// `extra_arguments` and hooks: the block type, the label, and the attributes.
    pub(super) blocks: Vec<(&'static str, &'v str, Value<'v>)>,
}

impl<'v> Terraform<'v> {
    pub(super) fn get(&self, name: &str) -> Option<Value<'v>> {
        let found = self.attributes.iter().find(|(known, _)| *known == name)?;
        Some(found.1).filter(|value| !value.is_null())
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

fn set<'v, K: PartialEq + Copy>(list: &mut Vec<(K, Value<'v>)>, name: K, value: Value<'v>) {
    match list.iter_mut().find(|(known, _)| *known == name) {
        Some((_, known)) => *known = value,
        None => list.push((name, value)),
    }
}

impl<'v> Config<'v> {
    /// Merges a configuration over this one: `dependency` blocks, hooks and such by name, inputs by
    /// their names, and other parts as a whole; with `is_deep` inputs and mocks at every level.
    /// Returns what cannot be merged.
    pub(super) fn merge(&mut self, arena: &'v Arena, over: Self, is_deep: bool) -> Vec<String> {
        let mut problems = Vec::new();
        for (name, value) in over.attributes {
            set(&mut self.attributes, name, value);
        }
        for (name, value) in over.blocks {
            set(&mut self.blocks, name, value);
        }
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
        for (name, value) in over.features {
            set(&mut self.features, name, value);
        }
        for (name, value) in over.generate {
            if !is_deep && self.generate.iter().any(|(known, _)| *known == name) {
                problems.push(format!("several files have a generate block \"{name}\""));
            }
            set(&mut self.generate, name, value);
        }
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
    /// name.
    fn merge_paths(&mut self, over: &[Value<'v>], blocks: &[Dependency<'v>], is_deep: bool) {
        if is_deep && !over.is_empty() {
            let is_replaced = |path: &Value<'v>| {
                self.dependencies.iter().any(|block| {
                    let own = block.get("config_path").and_then(|it| it.as_str());
                    own.is_some()
                        && own == path.as_str()
                        && blocks.iter().any(|over| over.name == block.name)
                })
            };
            let kept = self.paths.iter().copied().filter(|path| !is_replaced(path)).collect();
            self.paths = kept;
        }
        self.paths.extend(over);
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

/// Merges `dependency` blocks by name. Returns what cannot be merged.
pub(super) fn merge_dependencies<'v>(
    arena: &'v Arena,
    under: &mut Vec<Dependency<'v>>,
    over: Vec<Dependency<'v>>,
    is_deep: bool,
) -> Vec<String> {
    let mut problems = Vec::new();
    for block in over {
        let Some(known) = under.iter_mut().find(|known| known.name == block.name) else {
            under.push(block);
            continue;
        };
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
            set(&mut known.attributes, name, value);
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
                    set(&mut self.attributes, name, Value::tuple(arena, &all));
                }
                // A shallow merge keeps these lists.
                _ if is_list && !is_deep => {}
                _ => set(&mut self.attributes, name, value),
            }
        }
        for (kind, label, value) in over.blocks {
            match self.blocks.iter_mut().find(|it| it.0 == kind && it.1 == label) {
                Some(known) => known.2 = value,
                None => self.blocks.push((kind, label, value)),
            }
        }
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
            let blocks = self.blocks.iter().filter(|block| block.0 == kind);
            let blocks: Vec<_> = blocks.map(|(_, label, value)| (*label, *value)).collect();
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
