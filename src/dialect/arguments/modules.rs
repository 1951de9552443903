//! Blocks of modules of OpenTofu and Terraform.

use crate::dialect::table::{Reading, Row, Table};

/// A body that a plugin reads.
pub(crate) static PLUGIN: Table = Table::of_plugin(&[]);

/// A `dynamic` block in such a body.
pub(crate) static DYNAMIC: Table = Table::new(&[
    Row::required("for_each"),
    Row::optional("iterator").bare(),
    Row::optional("labels"),
    Row::block("content", &PLUGIN),
]);

/// Any arguments.
pub(crate) static PLAIN: Table = Table::of_any(Reading::Template);

/// Any arguments, read literally.
pub(crate) static LITERAL: Table = Table::of_any(Reading::Literal);

/// A body that a plugin reads, where nothing is evaluated.
static LITERAL_PLUGIN: Table = Table::of_literal_plugin(&[]);

pub(crate) static TERRAFORM: Table = Table::new(&[
    Row::optional("required_version").literal(),
    Row::optional("experiments").bare(),
    Row::optional("language").bare(),
    // Terraform evaluates nothing in a backend, so strings in JSON are literal.
    Row::labelled("backend", &["type"], &PLUGIN).opentofu(),
    Row::labelled("backend", &["type"], &LITERAL_PLUGIN).terraform(),
    Row::block("cloud", &CLOUD).opentofu(),
    Row::block("cloud", &LITERAL_CLOUD).terraform(),
    Row::block("required_providers", &REQUIRED_PROVIDERS),
    // Its strings in JSON are literal.
    Row::labelled("provider_meta", &["provider"], &LITERAL_PLUGIN),
    Row::block("encryption", &ENCRYPTION).opentofu(),
    Row::labelled("state_store", &["type"], &LITERAL_PLUGIN).terraform(),
]);

pub(crate) static REQUIRED_PROVIDERS: Table = Table::of_any(Reading::Requirement);
static CLOUD: Table = Table::new(&[Row::block("workspaces", &PLAIN)]);
static LITERAL_CLOUD: Table = Table::of_literals(&[Row::block("workspaces", &LITERAL)]);

pub(crate) static ENCRYPTION: Table = Table::new(&[
    Row::labelled("key_provider", &["type", "name"], &KEY_PROVIDER),
    Row::labelled("method", &["type", "name"], &METHOD),
    Row::block("state", &ENFORCEABLE),
    Row::block("plan", &ENFORCEABLE),
    Row::block("remote_state_data_sources", &REMOTE),
]);

pub(crate) static KEY_PROVIDER: Table =
    Table::of_plugin(&[Row::optional("encrypted_metadata_alias")]);
static METHOD: Table = Table::of_plugin(&[Row::optional("keys").bare()]);

/// A target that can forbid data that is not encrypted.
pub(crate) static ENFORCEABLE: Table = Table::new(&[
    Row::optional("enforced"),
    Row::optional("method").bare(),
    Row::block("fallback", &TARGET),
]);

pub(crate) static TARGET: Table =
    Table::new(&[Row::optional("method").bare(), Row::block("fallback", &TARGET)]);

/// `remote_state_data_sources`.
pub(crate) static REMOTE: Table = Table::new(&[
    Row::block("default", &TARGET),
    Row::labelled("remote_state_data_source", &["name"], &TARGET),
]);

pub(crate) static LANGUAGE: Table = Table::new(&[
    Row::optional("edition").bare(),
    Row::optional("experiments").bare(),
    Row::block("compatible_with", &COMPATIBLE_WITH),
]);

pub(crate) static COMPATIBLE_WITH: Table =
    Table::of_literals(&[Row::optional("opentofu").literal()]);

pub(crate) static VARIABLE: Table = Table::new(&[
    Row::optional("type").bare(),
    Row::optional("default").literal(),
    Row::optional("description").literal(),
    Row::optional("deprecated").literal(),
    Row::optional("sensitive"),
    Row::optional("ephemeral"),
    Row::optional("nullable"),
    Row::optional("const"),
    Row::block("validation", &CONDITION),
]);

pub(crate) static OUTPUT: Table = Table::new(&[
    Row::required_of_base("value"),
    // For OpenTofu the reader reports it.
    Row::optional("type").bare(),
    Row::optional("description").literal(),
    Row::optional("sensitive"),
    Row::optional("ephemeral"),
    Row::optional("deprecated").literal(),
    Row::optional("depends_on").bare(),
    Row::block("precondition", &CONDITION),
    Row::block("postcondition", &CONDITION),
]);

/// `validation`, `precondition`, `postcondition` and `assert`.
pub(crate) static CONDITION: Table =
    Table::new(&[Row::required("condition"), Row::required("error_message")]);

/// A module call. Its other arguments are those of the module.
pub(crate) static CALL: Table = Table::new(&[
    Row::required_of_base("source"),
    Row::optional("version"),
    Row::optional("count"),
    Row::optional("for_each"),
    Row::optional("depends_on").bare(),
    Row::optional("providers").bare(),
    Row::optional("ignore_nested_deprecations").terraform(),
    Row::block("lifecycle", &CALL_LIFECYCLE),
    Row::block("_", &PLAIN),
    Row::block("locals", &PLAIN),
    Row::labelled("provider", &["type"], &PLUGIN),
]);

pub(crate) static CALL_LIFECYCLE: Table = Table::new(&[Row::optional("enabled")]);

pub(crate) static PROVIDER: Table = Table::of_plugin(&[
    Row::optional("alias").literal(),
    Row::optional("version").literal(),
    Row::optional("for_each"),
    Row::optional("count"),
    Row::optional("depends_on"),
    Row::optional("source"),
    Row::block("_", &PLUGIN),
    Row::block("lifecycle", &PLUGIN),
    Row::block("locals", &PLUGIN),
]);

/// A managed resource.
pub(crate) static RESOURCE: Table = Table::of_plugin(&[
    Row::optional("count"),
    Row::optional("for_each"),
    Row::optional("provider").bare(),
    Row::optional("depends_on").bare(),
    Row::block("lifecycle", &LIFECYCLE),
    Row::block("connection", &PLUGIN),
    Row::labelled("provisioner", &["type"], &PROVISIONER),
    Row::block("_", &PLUGIN),
    Row::block("locals", &PLUGIN),
]);

/// A data source, where `connection` and `provisioner` are arguments of the provider.
pub(crate) static DATA: Table = Table::of_plugin(&[
    Row::optional("count"),
    Row::optional("for_each"),
    Row::optional("provider").bare(),
    Row::optional("depends_on").bare(),
    Row::block("lifecycle", &LIFECYCLE),
    Row::block("_", &PLUGIN),
    Row::block("locals", &PLUGIN),
]);

/// What the data source of a check must not have.
pub(crate) static REPEATED: Table = Table::of_plugin(&[
    Row::optional("count"),
    Row::optional("for_each"),
    Row::block("lifecycle", &LIFECYCLE),
]);

/// A query.
pub(crate) static LIST: Table = Table::new(&[
    Row::required("provider").bare(),
    Row::optional("count"),
    Row::optional("for_each"),
    Row::optional("include_resource"),
    Row::optional("limit"),
    Row::block("config", &PLUGIN),
]);

pub(crate) static LIFECYCLE: Table = Table::new(&[
    Row::optional("create_before_destroy"),
    Row::optional("prevent_destroy"),
    Row::optional("destroy"),
    Row::optional("enabled").opentofu(),
    Row::optional("ignore_changes").bare(),
    Row::optional("replace_triggered_by").bare(),
    Row::block("precondition", &CONDITION),
    Row::block("postcondition", &CONDITION),
    Row::block("action_trigger", &ACTION_TRIGGER).terraform(),
]);

pub(crate) static ACTION_TRIGGER: Table = Table::new(&[
    Row::required("events").bare(),
    Row::optional("condition"),
    Row::required("actions").bare(),
    Row::optional("on_failure").bare(),
]);

pub(crate) static PROVISIONER: Table = Table::of_plugin(&[
    Row::optional("when").bare(),
    Row::optional("on_failure").bare(),
    Row::block("connection", &PLUGIN),
    Row::block("_", &PLUGIN),
    Row::block("lifecycle", &PLUGIN),
]);

pub(crate) static ACTION: Table = Table::new(&[
    Row::optional("count"),
    Row::optional("for_each"),
    Row::optional("provider").bare(),
    Row::block("config", &PLUGIN),
]);

pub(crate) static MOVED: Table =
    Table::new(&[Row::required("from").bare(), Row::required("to").bare()]);

pub(crate) static IMPORT: Table = Table::new(&[
    Row::required("to").bare(),
    Row::optional("id"),
    Row::optional("identity"),
    Row::optional("for_each"),
    Row::optional("provider").bare(),
]);

pub(crate) static REMOVED: Table = Table::new(&[
    Row::required("from").bare(),
    Row::block("lifecycle", &REMOVED_LIFECYCLE),
    Row::block("connection", &PLUGIN).terraform(),
    Row::labelled("provisioner", &["type"], &PROVISIONER),
]);

pub(crate) static REMOVED_LIFECYCLE: Table = Table::new(&[Row::optional("destroy")]);

pub(crate) static CHECK: Table = Table::new(&[
    Row::labelled("data", &["type", "name"], &DATA),
    Row::block("assert", &CONDITION),
]);
