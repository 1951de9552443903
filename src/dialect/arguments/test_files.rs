//! Blocks of test files.

use super::modules::{CONDITION, LITERAL, PLAIN, PLUGIN};
use crate::dialect::table::{Row, Table};

pub(crate) static TEST: Table =
    Table::new(&[Row::optional("parallel"), Row::optional("skip_cleanup")]);

pub(crate) static RUN: Table = Table::new(&[
    Row::optional("command").bare(),
    Row::optional("providers").bare(),
    Row::optional("expect_failures").bare(),
    Row::optional("state_key").terraform(),
    Row::optional("parallel").terraform(),
    Row::optional("skip_cleanup").terraform(),
    Row::block("plan_options", &PLAN_OPTIONS),
    Row::block("assert", &CONDITION),
    Row::block("variables", &PLAIN),
    Row::block("module", &RUN_MODULE),
    Row::block("override_resource", &OVERRIDE),
    Row::block("override_data", &OVERRIDE),
    Row::block("override_module", &OVERRIDE_MODULE),
    Row::labelled("backend", &["name"], &PLUGIN).terraform(),
]);

pub(crate) static PLAN_OPTIONS: Table = Table::new(&[
    Row::optional("mode").bare(),
    Row::optional("refresh"),
    Row::optional("replace").bare(),
    Row::optional("target").bare(),
]);

pub(crate) static RUN_MODULE: Table =
    Table::new(&[Row::optional("source").literal(), Row::optional("version").literal()]);

/// `override_resource` and `override_data`. Terraform reports a missing target in its own words, at
/// the block.
pub(crate) static OVERRIDE: Table = Table::new(&[
    Row::required("target").bare().opentofu(),
    Row::optional("target").bare().terraform(),
    Row::optional("override_during").bare().terraform(),
    Row::optional("values"),
]);

pub(crate) static OVERRIDE_MODULE: Table = Table::new(&[
    Row::required("target").bare().opentofu(),
    Row::optional("target").bare().terraform(),
    Row::optional("override_during").bare().terraform(),
    Row::optional("outputs"),
]);

pub(crate) static MOCK_PROVIDER: Table = Table::new(&[
    Row::optional("alias").literal(),
    Row::optional("for_each").opentofu(),
    Row::optional("source").literal().terraform(),
    Row::optional("override_during").bare().terraform(),
    Row::labelled("mock_resource", &["type"], &MOCK_RESOURCE),
    Row::labelled("mock_data", &["type"], &MOCK_RESOURCE),
    Row::block("override_resource", &OVERRIDE),
    Row::block("override_data", &OVERRIDE),
]);

pub(crate) static MOCK_RESOURCE: Table =
    Table::new(&[Row::optional("defaults"), Row::optional("override_during").bare().terraform()]);

/// What a file of variables may be confused with: declarations.
pub(crate) static DECLARATIONS: Table =
    Table::of_literals(&[Row::labelled("variable", &["name"], &LITERAL)]);
