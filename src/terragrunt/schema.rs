//! The attributes and blocks of Terragrunt's files.

use super::argument::Argument;
use super::argument::Shape::{
    self, Any, Flag, Map, Object, String, Text, TextMap, Texts, Whole, Written,
};
use super::names;
use crate::body::{AttributeSchema, BlockSchema, Schema};
use crate::functions::paths::base;

/// The kind of a file, by its name.
pub(super) fn kind_of(path: &str) -> &'static Kind {
    match base(path) {
        names::STACK | names::AUTOINCLUDE_STACK => &STACK,
        names::VALUES => &VALUES,
        _ => &UNIT,
    }
}

/// The attributes and blocks of a file of a unit or stack, by its name.
#[must_use]
pub fn root_schema(name: &str) -> &'static Schema<'static> {
    kind_of(name).schema
}

/// The attributes and blocks of a body in a file of a unit or stack, by the types of the blocks around it,
/// outermost first. `None` where Terragrunt has no such block, or any attribute may be set.
#[must_use]
pub fn block_schema(name: &str, blocks: &[&str]) -> Option<&'static Schema<'static>> {
    let mut kind = kind_of(name);
    for block in blocks {
        kind = kind.blocks.iter().find(|inner| inner.name == *block)?;
    }
    (!kind.is_free).then_some(kind.schema)
}

/// A type of blocks, or of files.
#[derive(Debug)]
pub(super) struct Kind {
    /// The block type; empty for files.
    pub(super) name: &'static str,
    pub(super) schema: &'static Schema<'static>,
    /// The attributes of the schema.
    pub(super) arguments: &'static [Argument],
    /// The types of the blocks in it.
    pub(super) blocks: &'static [&'static Self],
    /// Whether any attribute may be set.
    pub(super) is_free: bool,
    /// Whether there may be only one.
    pub(super) is_single: bool,
    /// Whether it does not matter to lists of units.
    pub(super) is_late: bool,
}

impl Kind {
    const fn new(
        name: &'static str,
        schema: &'static Schema<'static>,
        arguments: &'static [Argument],
    ) -> Self {
        Self {
            name,
            schema,
            arguments,
            blocks: &[],
            is_free: false,
            is_single: false,
            is_late: false,
        }
    }

    /// The attribute of a name.
    pub(super) fn argument(&self, name: &str) -> Option<&'static Argument> {
        self.arguments.iter().find(|it| it.schema.name == name)
    }

    const fn with(self, blocks: &'static [&'static Self]) -> Self {
        Self { blocks, ..self }
    }

    const fn free(self) -> Self {
        Self { is_free: true, ..self }
    }

    const fn single(self) -> Self {
        Self { is_single: true, ..self }
    }

    const fn late(self) -> Self {
        Self { is_late: true, ..self }
    }
}

const fn may(name: &'static str, shape: Shape) -> Argument {
    Argument::optional(name, shape)
}

const fn must(name: &'static str, shape: Shape) -> Argument {
    Argument::required(name, shape)
}

const fn plain(name: &'static str) -> BlockSchema<'static> {
    BlockSchema::new(name, &[])
}

const fn named(name: &'static str) -> BlockSchema<'static> {
    BlockSchema::new(name, &["name"])
}

/// An `include` block without a label, in JSON.
pub(super) static BARE: Schema<'static> = Schema::new(&[], &[plain("include")]);

const fn schemas<const N: usize>(arguments: &[Argument; N]) -> [AttributeSchema<'static>; N] {
    let mut schemas = [AttributeSchema::optional(""); N];
    let mut at = 0;
    while at < N {
        schemas[at] = arguments[at].schema;
        at += 1;
    }
    schemas
}

/// The attributes of a hook before or after a command.
const HOOK: [Argument; 6] = [
    may("if", Flag),
    may("run_on_error", Flag),
    may("suppress_stdout", Flag),
    may("working_dir", Text),
    must("commands", Texts),
    must("execute", Texts),
];

/// The attributes of a unit or a stack that a stack generates.
const COMPONENT: [Argument; 8] = [
    must("source", Text),
    must("path", Text),
    may("values", Any),
    may("enabled", Flag),
    may("update_source_with_cas", Flag),
    may("mutable", Flag),
    may("no_dot_terragrunt_stack", Flag),
    may("no_validation", Flag),
];

/// Declares a type of blocks: its name, attributes, block types, their kinds, and properties.
macro_rules! kind {
    ($kind:ident, $schema:ident, $name:literal, $attributes:expr, [$($block:expr),*],
     [$($inner:expr),*] $(, $property:ident)*) => {
        static $schema: Schema<'static> =
            Schema::new(&const { schemas(&$attributes) }, &[$($block),*]);
        pub(super) static $kind: Kind =
            Kind::new($name, &$schema, &$attributes).with(&[$($inner),*])$(.$property())*;
    };
}

kind!(LOCALS, LOCALS_SCHEMA, "locals", [], [], [], free, single);
kind!(
    INCLUDE,
    INCLUDE_SCHEMA,
    "include",
    [must("path", Text), may("expose", Flag), may("merge_strategy", Text)],
    [],
    []
);
kind!(FEATURE, FEATURE_SCHEMA, "feature", [must("default", Any)], [], []);
kind!(
    EXPANSION,
    EXPANSION_SCHEMA,
    "expansion",
    [may("for_each", Any), may("count", Any)],
    [],
    [],
    single
);
kind!(
    DEPENDENCY,
    DEPENDENCY_SCHEMA,
    "dependency",
    [
        must("config_path", String),
        may("enabled", Flag),
        may("skip_outputs", Flag),
        may("mock_outputs", Any),
        may("mock_outputs_allowed_terraform_commands", Texts),
        may("mock_outputs_merge_with_state", Flag),
        may("mock_outputs_merge_strategy_with_state", Text)
    ],
    [plain("expansion")],
    [&EXPANSION]
);
kind!(DEPENDENCIES, DEPENDENCIES_SCHEMA, "dependencies", [must("paths", Texts)], [], [], single);
kind!(
    CATALOG,
    CATALOG_SCHEMA,
    "catalog",
    [
        may("no_shell", Flag),
        may("no_hooks", Flag),
        may("default_template", Text).never_null(),
        must("urls", Texts)
    ],
    [],
    [],
    single,
    late
);
kind!(
    ENGINE,
    ENGINE_SCHEMA,
    "engine",
    [may("version", Text), may("type", Text), may("meta", Any), must("source", Text)],
    [],
    [],
    single,
    late
);
kind!(
    EXTRA_ARGUMENTS,
    EXTRA_ARGUMENTS_SCHEMA,
    "extra_arguments",
    [
        may("arguments", Texts),
        may("required_var_files", Texts),
        may("optional_var_files", Texts),
        may("env_vars", TextMap),
        must("commands", Texts)
    ],
    [],
    [],
    late
);
kind!(BEFORE_HOOK, BEFORE_HOOK_SCHEMA, "before_hook", HOOK, [], [], late);
kind!(AFTER_HOOK, AFTER_HOOK_SCHEMA, "after_hook", HOOK, [], [], late);
kind!(
    ERROR_HOOK,
    ERROR_HOOK_SCHEMA,
    "error_hook",
    [
        may("suppress_stdout", Flag),
        may("working_dir", Text),
        must("commands", Texts),
        must("execute", Texts),
        must("on_errors", Texts)
    ],
    [],
    [],
    late
);
kind!(
    TERRAFORM,
    TERRAFORM_SCHEMA,
    "terraform",
    [
        may("source", Text),
        may("version", Text),
        may("update_source_with_cas", Flag),
        may("mutable", Flag),
        may("include_in_copy", Texts),
        may("exclude_from_copy", Texts),
        may("copy_terraform_lock_file", Flag)
    ],
    [named("extra_arguments"), named("before_hook"), named("after_hook"), named("error_hook")],
    [&EXTRA_ARGUMENTS, &BEFORE_HOOK, &AFTER_HOOK, &ERROR_HOOK],
    single
);
kind!(
    REMOTE_STATE,
    REMOTE_STATE_SCHEMA,
    "remote_state",
    [
        must("backend", Text),
        must("config", Object),
        may("disable_init", Flag),
        may("disable_dependency_optimization", Flag),
        may("generate", Written),
        may("encryption", Object)
    ],
    [],
    [],
    single
);
kind!(
    EXCLUDE,
    EXCLUDE_SCHEMA,
    "exclude",
    [
        must("if", Flag),
        must("actions", Texts),
        may("exclude_dependencies", Flag),
        may("no_run", Flag)
    ],
    [],
    [],
    single
);
kind!(
    RETRY,
    RETRY_SCHEMA,
    "retry",
    [
        must("retryable_errors", Texts),
        must("max_attempts", Whole),
        must("sleep_interval_sec", Whole)
    ],
    [],
    []
);
kind!(
    IGNORE,
    IGNORE_SCHEMA,
    "ignore",
    [must("ignorable_errors", Texts), may("message", Text).never_null(), may("signals", Map)],
    [],
    []
);
kind!(
    ERRORS,
    ERRORS_SCHEMA,
    "errors",
    [],
    [named("retry"), named("ignore")],
    [&RETRY, &IGNORE],
    single
);
kind!(
    GENERATE,
    GENERATE_SCHEMA,
    "generate",
    [
        must("path", Text),
        must("if_exists", Text),
        must("contents", Text),
        may("if_disabled", Text),
        may("comment_prefix", Text),
        may("disable_signature", Flag),
        may("disable", Flag),
        may("hcl_fmt", Flag),
        may("mutable", Flag)
    ],
    [],
    [],
    late
);
kind!(
    UNIT,
    UNIT_SCHEMA,
    "",
    [
        may("inputs", Any),
        may("remote_state", Any),
        may("generate", Any),
        may("terraform_binary", Text),
        may("terraform_version_constraint", Text),
        may("terragrunt_version_constraint", Text),
        may("download_dir", Text),
        may("prevent_destroy", Flag),
        may("iam_role", Text),
        may("iam_assume_role_duration", Whole),
        may("iam_assume_role_session_name", Text),
        may("iam_web_identity_token", Text)
    ],
    [
        named("include"),
        plain("locals"),
        named("feature"),
        named("dependency"),
        plain("dependencies"),
        plain("terraform"),
        plain("remote_state"),
        named("generate"),
        plain("exclude"),
        plain("errors"),
        plain("engine"),
        plain("catalog")
    ],
    [
        &INCLUDE,
        &LOCALS,
        &FEATURE,
        &DEPENDENCY,
        &DEPENDENCIES,
        &TERRAFORM,
        &REMOTE_STATE,
        &GENERATE,
        &EXCLUDE,
        &ERRORS,
        &ENGINE,
        &CATALOG
    ]
);
kind!(VALUES, VALUES_SCHEMA, "", [], [], [], free);
kind!(
    UNIT_AUTOINCLUDE,
    UNIT_AUTOINCLUDE_SCHEMA,
    "autoinclude",
    [
        may("inputs", Any),
        may("remote_state", Any),
        may("generate", Any),
        may("prevent_destroy", Flag),
        may("iam_role", Text)
    ],
    [
        named("feature"),
        named("dependency"),
        plain("dependencies"),
        plain("terraform"),
        plain("remote_state"),
        named("generate"),
        plain("exclude"),
        plain("errors")
    ],
    [&FEATURE, &DEPENDENCY, &DEPENDENCIES, &TERRAFORM, &REMOTE_STATE, &GENERATE, &EXCLUDE, &ERRORS],
    single
);
kind!(
    STACK_UNIT,
    STACK_UNIT_SCHEMA,
    "unit",
    COMPONENT,
    [plain("expansion"), plain("autoinclude")],
    [&EXPANSION, &UNIT_AUTOINCLUDE]
);
kind!(
    STACK_AUTOINCLUDE,
    STACK_AUTOINCLUDE_SCHEMA,
    "autoinclude",
    [],
    [named("unit"), named("stack")],
    [&STACK_UNIT, &INNER_STACK],
    single
);
kind!(INNER_STACK, INNER_STACK_SCHEMA, "stack", COMPONENT, [plain("expansion")], [&EXPANSION]);
kind!(
    STACK_STACK,
    STACK_STACK_SCHEMA,
    "stack",
    COMPONENT,
    [plain("expansion"), plain("autoinclude")],
    [&EXPANSION, &STACK_AUTOINCLUDE]
);
kind!(
    STACK,
    STACK_SCHEMA,
    "",
    [],
    [plain("locals"), named("include"), named("unit"), named("stack")],
    [&LOCALS, &INCLUDE, &STACK_UNIT, &STACK_STACK]
);
