//! Blocks of Terraform's files of migrations and of policies.

use super::modules::{LITERAL_PLUGIN, PLAIN, REQUIRED_PROVIDERS};
use crate::dialect::table::{Row, Table};
use crate::evaluate::release::{NEVER, in_};

pub(crate) static FROM: Table = Table::new(&[
    Row::labelled("backend", &["type"], &LITERAL_PLUGIN).since(NEVER, in_(16)),
    Row::labelled("state_store", &["type"], &LITERAL_PLUGIN).since(NEVER, in_(16)),
]);

pub(crate) static POLICY: Table = Table::new(&[
    Row::block("required_providers", &REQUIRED_PROVIDERS).since(NEVER, in_(16)),
    Row::block("terraform_config", &TERRAFORM_CONFIG).since(NEVER, in_(16)),
    Row::block("plugins", &PLAIN).since(NEVER, in_(16)),
]);

static TERRAFORM_CONFIG: Table =
    Table::new(&[Row::optional("required_version").literal().since(NEVER, in_(16))]);

pub(crate) static INPUT: Table = Table::new(&[
    Row::required("type").bare().since(NEVER, in_(16)),
    Row::optional("default").literal().since(NEVER, in_(16)),
    Row::optional("description").literal().since(NEVER, in_(16)),
    Row::optional("nullable").literal().since(NEVER, in_(16)),
    Row::optional("sensitive").literal().since(NEVER, in_(16)),
]);

pub(crate) static RESOURCE_POLICY: Table = Table::new(&[
    Row::optional("operations").since(NEVER, in_(16)),
    Row::optional("enforcement_level").since(NEVER, in_(16)),
    Row::optional("filter").since(NEVER, in_(16)),
    Row::block("locals", &PLAIN).since(NEVER, in_(16)),
    Row::block("enforce", &ENFORCE).since(NEVER, in_(16)),
]);

/// A policy about providers, or about modules.
pub(crate) static OTHER_POLICY: Table = Table::new(&[
    Row::optional("enforcement_level").since(NEVER, in_(16)),
    Row::optional("filter").since(NEVER, in_(16)),
    Row::block("locals", &PLAIN).since(NEVER, in_(16)),
    Row::block("enforce", &ENFORCE).since(NEVER, in_(16)),
]);

pub(crate) static ENFORCE: Table = Table::new(&[
    Row::required("condition").since(NEVER, in_(16)),
    Row::optional("error_message").since(NEVER, in_(16)),
    Row::optional("info_message").since(NEVER, in_(16)),
]);

/// The settings of a file of tests.
pub(crate) static POLICY_TEST: Table = Table::new(&[
    Row::optional("targets").since(NEVER, in_(16)),
    Row::block("terraform_config", &TERRAFORM_CONFIG).since(NEVER, in_(16)),
    Row::block("plugins", &PLAIN).since(NEVER, in_(16)),
]);

/// A provider or a module call that policies are tested with.
pub(crate) static TESTED: Table = Table::new(&[
    Row::optional("attrs").since(NEVER, in_(16)),
    Row::optional("meta").since(NEVER, in_(16)),
    Row::optional("expect_failure").since(NEVER, in_(16)),
    Row::block("inputs", &PLAIN).since(NEVER, in_(16)),
]);

/// A resource that policies are tested with.
pub(crate) static TESTED_RESOURCE: Table = Table::new(&[
    Row::optional("attrs").since(NEVER, in_(16)),
    Row::optional("prior_attrs").since(NEVER, in_(16)),
    Row::optional("meta").since(NEVER, in_(16)),
    Row::optional("expect_failure").since(NEVER, in_(16)),
    Row::optional("skip").since(NEVER, in_(16)),
    Row::block("inputs", &PLAIN).since(NEVER, in_(16)),
]);

/// A data source that policies find.
pub(crate) static TESTED_DATA: Table = Table::new(&[
    Row::optional("attrs").since(NEVER, in_(16)),
    Row::optional("meta").since(NEVER, in_(16)),
    Row::optional("skip").since(NEVER, in_(16)),
]);
