//! Blocks of modules of OpenTofu and Terraform.

use crate::dialect::table::{Reading, Row, Table};
use crate::evaluate::release::{ALWAYS, NEVER, in_};

/// A body that a plugin reads.
pub(crate) static PLUGIN: Table = Table::of_plugin(&[]);

/// A `dynamic` block in such a body.
pub(crate) static DYNAMIC: Table = Table::new(&[
    Row::required("for_each").always(),
    Row::optional("iterator").bare().always(),
    Row::optional("labels").always(),
    Row::block("content", &PLUGIN).always(),
]);

/// Any arguments.
pub(crate) static PLAIN: Table = Table::of_any(Reading::Template);

/// Any arguments, read literally.
pub(crate) static LITERAL: Table = Table::of_any(Reading::Literal);

/// A body that a plugin reads, where nothing is evaluated.
pub(crate) static LITERAL_PLUGIN: Table = Table::of_literal_plugin(&[]);

pub(crate) static TERRAFORM: Table = Table::new(&[
    Row::optional("required_version").literal().always(),
    Row::optional("experiments").bare().always(),
    Row::optional("language").bare().always(),
    // Terraform evaluates nothing in a backend, so strings in JSON are literal.
    Row::labelled("backend", &["type"], &PLUGIN).opentofu(ALWAYS),
    Row::labelled("backend", &["type"], &LITERAL_PLUGIN).terraform(ALWAYS),
    Row::block("cloud", &CLOUD).opentofu(ALWAYS),
    Row::block("cloud", &LITERAL_CLOUD).terraform(in_(1)),
    Row::block("required_providers", &REQUIRED_PROVIDERS).always(),
    // Its strings in JSON are literal.
    Row::labelled("provider_meta", &["provider"], &LITERAL_PLUGIN).always(),
    Row::block("encryption", &ENCRYPTION).opentofu(in_(7)),
    Row::labelled("state_store", &["type"], &LITERAL_PLUGIN).terraform(NEVER),
]);

pub(crate) static REQUIRED_PROVIDERS: Table = Table::of_any(Reading::Requirement);
static CLOUD: Table = Table::new(&[Row::block("workspaces", &PLAIN).always()]);
static LITERAL_CLOUD: Table = Table::of_literals(&[Row::block("workspaces", &LITERAL).always()]);

pub(crate) static ENCRYPTION: Table = Table::new(&[
    Row::labelled("key_provider", &["type", "name"], &KEY_PROVIDER).always(),
    Row::labelled("method", &["type", "name"], &METHOD).always(),
    Row::block("state", &ENFORCEABLE).always(),
    Row::block("plan", &ENFORCEABLE).always(),
    Row::block("remote_state_data_sources", &REMOTE).always(),
]);

pub(crate) static KEY_PROVIDER: Table =
    Table::of_plugin(&[Row::optional("encrypted_metadata_alias").since(in_(9), NEVER)]);
static METHOD: Table = Table::of_plugin(&[Row::optional("keys").bare().always()]);

/// A target that can forbid data that is not encrypted.
pub(crate) static ENFORCEABLE: Table = Table::new(&[
    Row::optional("enforced").always(),
    Row::optional("method").bare().always(),
    Row::block("fallback", &TARGET).always(),
]);

pub(crate) static TARGET: Table = Table::new(&[
    Row::optional("method").bare().always(),
    Row::block("fallback", &TARGET).always(),
]);

/// `remote_state_data_sources`.
pub(crate) static REMOTE: Table = Table::new(&[
    Row::block("default", &TARGET).always(),
    Row::labelled("remote_state_data_source", &["name"], &TARGET).always(),
]);

pub(crate) static LANGUAGE: Table = Table::new(&[
    Row::optional("edition").bare().always(),
    Row::optional("experiments").bare().always(),
    Row::block("compatible_with", &COMPATIBLE_WITH).always(),
]);

pub(crate) static COMPATIBLE_WITH: Table =
    Table::of_literals(&[Row::optional("opentofu").literal().always()]);

pub(crate) static VARIABLE: Table = Table::new(&[
    Row::optional("type").bare().always(),
    Row::optional("default").literal().always(),
    Row::optional("description").literal().always(),
    Row::optional("deprecated").literal().since(in_(10), in_(15)),
    Row::optional("sensitive").always(),
    Row::optional("ephemeral").since(in_(11), in_(10)),
    Row::optional("nullable").since(ALWAYS, in_(1)),
    Row::optional("const").since(in_(12), in_(15)),
    Row::block("validation", &CONDITION).always(),
]);

pub(crate) static OUTPUT: Table = Table::new(&[
    Row::required_of_base("value").always(),
    // For OpenTofu the reader reports it.
    Row::optional("type").bare().since(NEVER, in_(15)),
    Row::optional("description").literal().always(),
    Row::optional("sensitive").always(),
    Row::optional("ephemeral").since(in_(11), in_(10)),
    Row::optional("deprecated").literal().since(in_(10), in_(15)),
    Row::optional("depends_on").bare().always(),
    Row::block("precondition", &CONDITION).since(ALWAYS, in_(2)),
    Row::block("postcondition", &CONDITION).always(),
]);

/// `validation`, `precondition`, `postcondition` and `assert`.
pub(crate) static CONDITION: Table =
    Table::new(&[Row::required("condition").always(), Row::required("error_message").always()]);

/// A module call. Its other arguments are those of the module.
pub(crate) static CALL: Table = Table::new(&[
    Row::required_of_base("source").always(),
    Row::optional("version").always(),
    Row::optional("count").always(),
    Row::optional("for_each").always(),
    Row::optional("depends_on").bare().always(),
    Row::optional("providers").bare().always(),
    Row::optional("ignore_nested_deprecations").terraform(in_(15)),
    Row::block("lifecycle", &CALL_LIFECYCLE).since(in_(11), NEVER),
    Row::block("_", &PLAIN).always(),
    Row::block("locals", &PLAIN).always(),
    Row::labelled("provider", &["type"], &PLUGIN).always(),
]);

pub(crate) static CALL_LIFECYCLE: Table =
    Table::new(&[Row::optional("enabled").since(in_(11), NEVER)]);

pub(crate) static PROVIDER: Table = Table::of_plugin(&[
    Row::optional("alias").literal().always(),
    Row::optional("version").literal().always(),
    Row::optional("for_each").since(in_(9), NEVER),
    Row::optional("count").always(),
    Row::optional("depends_on").always(),
    Row::optional("source").always(),
    Row::block("_", &PLUGIN).always(),
    Row::block("lifecycle", &PLUGIN).always(),
    Row::block("locals", &PLUGIN).always(),
]);

/// A managed resource.
pub(crate) static RESOURCE: Table = Table::of_plugin(&[
    Row::optional("count").always(),
    Row::optional("for_each").always(),
    Row::optional("provider").bare().always(),
    Row::optional("depends_on").bare().always(),
    Row::block("lifecycle", &LIFECYCLE).always(),
    Row::block("connection", &PLUGIN).always(),
    Row::labelled("provisioner", &["type"], &PROVISIONER).always(),
    Row::block("_", &PLUGIN).always(),
    Row::block("locals", &PLUGIN).always(),
]);

/// A data source, where `connection` and `provisioner` are arguments of the provider.
pub(crate) static DATA: Table = Table::of_plugin(&[
    Row::optional("count").always(),
    Row::optional("for_each").always(),
    Row::optional("provider").bare().always(),
    Row::optional("depends_on").bare().always(),
    Row::block("lifecycle", &LIFECYCLE).always(),
    Row::block("_", &PLUGIN).always(),
    Row::block("locals", &PLUGIN).always(),
]);

/// The arguments that the data source of a check must not have.
pub(crate) static REPEATED: Table = Table::of_plugin(&[
    Row::optional("count").always(),
    Row::optional("for_each").always(),
    Row::block("lifecycle", &LIFECYCLE).always(),
]);

/// A query.
pub(crate) static LIST: Table = Table::new(&[
    Row::required("provider").bare().always(),
    Row::optional("count").always(),
    Row::optional("for_each").always(),
    Row::optional("include_resource").always(),
    Row::optional("limit").always(),
    Row::block("config", &PLUGIN).always(),
]);

pub(crate) static LIFECYCLE: Table = Table::new(&[
    Row::optional("create_before_destroy").always(),
    Row::optional("prevent_destroy").always(),
    Row::optional("destroy").since(in_(12), in_(16)),
    Row::optional("enabled").opentofu(in_(11)),
    Row::optional("ignore_changes").bare().always(),
    Row::optional("replace_triggered_by").bare().since(ALWAYS, in_(2)),
    Row::block("precondition", &CONDITION).since(ALWAYS, in_(2)),
    Row::block("postcondition", &CONDITION).since(ALWAYS, in_(2)),
    Row::block("action_trigger", &ACTION_TRIGGER).terraform(in_(14)),
]);

pub(crate) static ACTION_TRIGGER: Table = Table::new(&[
    Row::required("events").bare().always(),
    Row::optional("condition").always(),
    Row::required("actions").bare().always(),
    Row::optional("on_failure").bare().since(NEVER, in_(16)),
]);

pub(crate) static PROVISIONER: Table = Table::of_plugin(&[
    Row::optional("when").bare().always(),
    Row::optional("on_failure").bare().always(),
    Row::block("connection", &PLUGIN).always(),
    Row::block("_", &PLUGIN).always(),
    Row::block("lifecycle", &PLUGIN).always(),
]);

pub(crate) static ACTION: Table = Table::new(&[
    Row::optional("count").always(),
    Row::optional("for_each").always(),
    Row::optional("provider").bare().always(),
    Row::block("config", &PLUGIN).always(),
]);

pub(crate) static MOVED: Table =
    Table::new(&[Row::required("from").bare().always(), Row::required("to").bare().always()]);

pub(crate) static IMPORT: Table = Table::new(&[
    Row::required("to").bare().always(),
    Row::optional("id").always(),
    Row::optional("identity").since(in_(12), in_(12)),
    Row::optional("for_each").since(in_(7), in_(7)),
    Row::optional("provider").bare().always(),
]);

pub(crate) static REMOVED: Table = Table::new(&[
    Row::required("from").bare().always(),
    Row::block("lifecycle", &REMOVED_LIFECYCLE).since(in_(10), in_(7)),
    Row::block("connection", &PLUGIN).terraform(in_(9)),
    Row::labelled("provisioner", &["type"], &PROVISIONER).since(in_(10), in_(9)),
]);

pub(crate) static REMOVED_LIFECYCLE: Table = Table::new(&[Row::optional("destroy").always()]);

pub(crate) static CHECK: Table = Table::new(&[
    Row::labelled("data", &["type", "name"], &DATA).always(),
    Row::block("assert", &CONDITION).always(),
]);
