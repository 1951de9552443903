//! Blocks of templates of Packer.

use super::modules::{DYNAMIC, LITERAL, PLUGIN};
use crate::dialect::table::{Row, Table};

pub(crate) static PACKER: Table = Table::new(&[
    Row::optional("required_version").literal().always(),
    Row::block("required_plugins", &LITERAL).always(),
]);

pub(crate) static PACKER_VARIABLE: Table = Table::new(&[
    Row::optional("type").bare().always(),
    Row::optional("default").always(),
    Row::optional("description").literal().always(),
    Row::optional("sensitive").always(),
    Row::block("validation", &PACKER_VALIDATION).always(),
]);

pub(crate) static PACKER_VALIDATION: Table =
    Table::new(&[Row::required("condition").always(), Row::required("error_message").always()]);

pub(crate) static PACKER_LOCAL: Table =
    Table::new(&[Row::required("expression").always(), Row::optional("sensitive").always()]);

pub(crate) static BUILD: Table = Table::new(&[
    Row::optional("name").always(),
    Row::optional("description").always(),
    Row::optional("sources").always(),
    Row::labelled("source", &["reference"], &BUILD_SOURCE).always(),
    Row::labelled("provisioner", &["type"], &STEP).always(),
    Row::labelled("error-cleanup-provisioner", &["type"], &STEP).always(),
    Row::labelled("post-processor", &["type"], &POST_PROCESSOR).always(),
    Row::block("post-processors", &POST_PROCESSORS).always(),
    Row::block("hcp_packer_registry", &REGISTRY).always(),
    // Accepted, and ignored.
    Row::labelled("from", &["type"], &PLUGIN).always(),
    Row::labelled("dynamic", &["type"], &DYNAMIC).always(),
]);

/// The use of a source in a build.
pub(crate) static BUILD_SOURCE: Table = Table::of_plugin(&[Row::optional("name").always()]);

/// A provisioner.
pub(crate) static STEP: Table = Table::of_plugin(&[
    Row::optional("name").always(),
    Row::optional("pause_before").always(),
    Row::optional("max_retries").always(),
    Row::optional("timeout").always(),
    Row::optional("continue_on_error").always(),
    Row::optional("only").always(),
    Row::optional("except").always(),
    Row::optional("override").always(),
]);

pub(crate) static POST_PROCESSOR: Table = Table::of_plugin(&[
    Row::optional("name").always(),
    Row::optional("only").always(),
    Row::optional("except").always(),
    Row::optional("keep_input_artifact").always(),
]);

pub(crate) static POST_PROCESSORS: Table = Table::new(&[
    Row::labelled("post-processor", &["type"], &POST_PROCESSOR).always(),
    Row::labelled("dynamic", &["type"], &DYNAMIC).always(),
]);

/// `hcp_packer_registry`.
pub(crate) static REGISTRY: Table = Table::new(&[
    Row::optional("bucket_name").always(),
    Row::optional("description").always(),
    Row::optional("labels").always(),
    Row::optional("bucket_labels").always(),
    Row::optional("build_labels").always(),
    Row::optional("channels").always(),
]);
