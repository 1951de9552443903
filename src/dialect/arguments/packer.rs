//! Blocks of templates of Packer.

use super::modules::{DYNAMIC, LITERAL, PLUGIN};
use crate::dialect::table::{Row, Table};

pub(crate) static PACKER: Table = Table::new(&[
    Row::optional("required_version").literal(),
    Row::block("required_plugins", &LITERAL),
]);

pub(crate) static PACKER_VARIABLE: Table = Table::new(&[
    Row::optional("type").bare(),
    Row::optional("default"),
    Row::optional("description").literal(),
    Row::optional("sensitive"),
    Row::block("validation", &PACKER_VALIDATION),
]);

pub(crate) static PACKER_VALIDATION: Table =
    Table::new(&[Row::required("condition"), Row::required("error_message")]);

pub(crate) static PACKER_LOCAL: Table =
    Table::new(&[Row::required("expression"), Row::optional("sensitive")]);

pub(crate) static BUILD: Table = Table::new(&[
    Row::optional("name"),
    Row::optional("description"),
    Row::optional("sources"),
    Row::labelled("source", &["reference"], &BUILD_SOURCE),
    Row::labelled("provisioner", &["type"], &STEP),
    Row::labelled("error-cleanup-provisioner", &["type"], &STEP),
    Row::labelled("post-processor", &["type"], &POST_PROCESSOR),
    Row::block("post-processors", &POST_PROCESSORS),
    Row::block("hcp_packer_registry", &REGISTRY),
    // Accepted, and ignored.
    Row::labelled("from", &["type"], &PLUGIN),
    Row::labelled("dynamic", &["type"], &DYNAMIC),
]);

/// The use of a source in a build.
pub(crate) static BUILD_SOURCE: Table = Table::of_plugin(&[Row::optional("name")]);

/// A provisioner.
pub(crate) static STEP: Table = Table::of_plugin(&[
    Row::optional("name"),
    Row::optional("pause_before"),
    Row::optional("max_retries"),
    Row::optional("timeout"),
    Row::optional("continue_on_error"),
    Row::optional("only"),
    Row::optional("except"),
    Row::optional("override"),
]);

pub(crate) static POST_PROCESSOR: Table = Table::of_plugin(&[
    Row::optional("name"),
    Row::optional("only"),
    Row::optional("except"),
    Row::optional("keep_input_artifact"),
]);

pub(crate) static POST_PROCESSORS: Table = Table::new(&[
    Row::labelled("post-processor", &["type"], &POST_PROCESSOR),
    Row::labelled("dynamic", &["type"], &DYNAMIC),
]);

/// `hcp_packer_registry`.
pub(crate) static REGISTRY: Table = Table::new(&[
    Row::optional("bucket_name"),
    Row::optional("description"),
    Row::optional("labels"),
    Row::optional("bucket_labels"),
    Row::optional("build_labels"),
    Row::optional("channels"),
]);
