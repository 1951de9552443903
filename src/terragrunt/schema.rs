//! The attributes and blocks of Terragrunt's files.

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
    const fn new(name: &'static str, schema: &'static Schema<'static>) -> Self {
        Self { name, schema, blocks: &[], is_free: false, is_single: false, is_late: false }
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

const fn may(name: &'static str) -> AttributeSchema<'static> {
    AttributeSchema::optional(name)
}

const fn must(name: &'static str) -> AttributeSchema<'static> {
    AttributeSchema::required(name)
}

const fn plain(name: &'static str) -> BlockSchema<'static> {
    BlockSchema::new(name, &[])
}

const fn named(name: &'static str) -> BlockSchema<'static> {
    BlockSchema::new(name, &["name"])
}

/// An `include` block without a label, in JSON.
pub(super) static BARE: Schema<'static> = Schema::new(&[], &[plain("include")]);

/// Declares a type of blocks: its name, attributes, block types, their kinds, and properties.
macro_rules! kind {
    ($kind:ident, $schema:ident, $name:literal, [$($attribute:expr),*], [$($block:expr),*],
     [$($inner:expr),*] $(, $property:ident)*) => {
        static $schema: Schema<'static> = Schema::new(&[$($attribute),*], &[$($block),*]);
        pub(super) static $kind: Kind =
            Kind::new($name, &$schema).with(&[$($inner),*])$(.$property())*;
    };
}

kind!(LOCALS, LOCALS_SCHEMA, "locals", [], [], [], free, single);
kind!(
    INCLUDE,
    INCLUDE_SCHEMA,
    "include",
    [must("path"), may("expose"), may("merge_strategy")],
    [],
    []
);
kind!(FEATURE, FEATURE_SCHEMA, "feature", [must("default")], [], []);
kind!(EXPANSION, EXPANSION_SCHEMA, "expansion", [may("for_each"), may("count")], [], [], single);
kind!(
    DEPENDENCY,
    DEPENDENCY_SCHEMA,
    "dependency",
    [
        must("config_path"),
        may("enabled"),
        may("skip_outputs"),
        may("mock_outputs"),
        may("mock_outputs_allowed_terraform_commands"),
        may("mock_outputs_merge_with_state"),
        may("mock_outputs_merge_strategy_with_state")
    ],
    [plain("expansion")],
    [&EXPANSION]
);
kind!(DEPENDENCIES, DEPENDENCIES_SCHEMA, "dependencies", [must("paths")], [], [], single);
kind!(
    CATALOG,
    CATALOG_SCHEMA,
    "catalog",
    [may("no_shell"), may("no_hooks"), may("default_template"), must("urls")],
    [],
    [],
    single,
    late
);
kind!(
    ENGINE,
    ENGINE_SCHEMA,
    "engine",
    [may("version"), may("type"), may("meta"), must("source")],
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
        may("arguments"),
        may("required_var_files"),
        may("optional_var_files"),
        may("env_vars"),
        must("commands")
    ],
    [],
    [],
    late
);
kind!(
    BEFORE_HOOK,
    BEFORE_HOOK_SCHEMA,
    "before_hook",
    [
        may("if"),
        may("run_on_error"),
        may("suppress_stdout"),
        may("working_dir"),
        must("commands"),
        must("execute")
    ],
    [],
    [],
    late
);
kind!(
    AFTER_HOOK,
    AFTER_HOOK_SCHEMA,
    "after_hook",
    [
        may("if"),
        may("run_on_error"),
        may("suppress_stdout"),
        may("working_dir"),
        must("commands"),
        must("execute")
    ],
    [],
    [],
    late
);
kind!(
    ERROR_HOOK,
    ERROR_HOOK_SCHEMA,
    "error_hook",
    [
        may("suppress_stdout"),
        may("working_dir"),
        must("commands"),
        must("execute"),
        must("on_errors")
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
        may("source"),
        may("version"),
        may("update_source_with_cas"),
        may("mutable"),
        may("include_in_copy"),
        may("exclude_from_copy"),
        may("copy_terraform_lock_file")
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
        must("backend"),
        must("config"),
        may("disable_init"),
        may("disable_dependency_optimization"),
        may("generate"),
        may("encryption")
    ],
    [],
    [],
    single
);
kind!(
    EXCLUDE,
    EXCLUDE_SCHEMA,
    "exclude",
    [must("if"), must("actions"), may("exclude_dependencies"), may("no_run")],
    [],
    [],
    single
);
kind!(
    RETRY,
    RETRY_SCHEMA,
    "retry",
    [must("retryable_errors"), must("max_attempts"), must("sleep_interval_sec")],
    [],
    []
);
kind!(
    IGNORE,
    IGNORE_SCHEMA,
    "ignore",
    [must("ignorable_errors"), may("message"), may("signals")],
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
        must("path"),
        must("if_exists"),
        must("contents"),
        may("if_disabled"),
        may("comment_prefix"),
        may("disable_signature"),
        may("disable"),
        may("hcl_fmt"),
        may("mutable")
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
        may("inputs"),
        may("remote_state"),
        may("generate"),
        may("terraform_binary"),
        may("terraform_version_constraint"),
        may("terragrunt_version_constraint"),
        may("download_dir"),
        may("prevent_destroy"),
        may("iam_role"),
        may("iam_assume_role_duration"),
        may("iam_assume_role_session_name"),
        may("iam_web_identity_token")
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
    [may("inputs"), may("remote_state"), may("generate"), may("prevent_destroy"), may("iam_role")],
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
    [
        must("source"),
        must("path"),
        may("values"),
        may("enabled"),
        may("update_source_with_cas"),
        may("mutable"),
        may("no_dot_terragrunt_stack"),
        may("no_validation")
    ],
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
kind!(
    INNER_STACK,
    INNER_STACK_SCHEMA,
    "stack",
    [
        must("source"),
        must("path"),
        may("values"),
        may("enabled"),
        may("update_source_with_cas"),
        may("mutable"),
        may("no_dot_terragrunt_stack"),
        may("no_validation")
    ],
    [plain("expansion")],
    [&EXPANSION]
);
kind!(
    STACK_STACK,
    STACK_STACK_SCHEMA,
    "stack",
    [
        must("source"),
        must("path"),
        may("values"),
        may("enabled"),
        may("update_source_with_cas"),
        may("mutable"),
        may("no_dot_terragrunt_stack"),
        may("no_validation")
    ],
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
