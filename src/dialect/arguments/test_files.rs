//! Blocks of test files.

use super::modules::{CONDITION, LITERAL, PLAIN, PLUGIN};
use crate::dialect::table::{Row, Table};
use crate::evaluate::release::{NEVER, in_};

pub(crate) static TEST: Table = Table::new(&[
    Row::optional("parallel").since(NEVER, in_(12)),
    Row::optional("skip_cleanup").since(NEVER, NEVER),
]);

pub(crate) static RUN: Table = Table::new(&[
    Row::optional("command").bare().always(),
    Row::optional("providers").bare().always(),
    Row::optional("expect_failures").bare().always(),
    Row::optional("state_key").terraform(in_(11)),
    Row::optional("parallel").terraform(in_(12)),
    Row::optional("skip_cleanup").terraform(NEVER),
    Row::block("plan_options", &PLAN_OPTIONS).always(),
    Row::block("assert", &CONDITION).always(),
    Row::block("variables", &PLAIN).always(),
    Row::block("module", &RUN_MODULE).always(),
    Row::block("override_resource", &OVERRIDE).since(in_(8), in_(7)),
    Row::block("override_data", &OVERRIDE).since(in_(8), in_(7)),
    Row::block("override_module", &OVERRIDE_MODULE).since(in_(8), in_(7)),
    Row::labelled("backend", &["name"], &PLUGIN).terraform(NEVER),
]);

pub(crate) static PLAN_OPTIONS: Table = Table::new(&[
    Row::optional("mode").bare().always(),
    Row::optional("refresh").always(),
    Row::optional("replace").bare().always(),
    Row::optional("target").bare().always(),
]);

pub(crate) static RUN_MODULE: Table = Table::new(&[
    Row::optional("source").literal().always(),
    Row::optional("version").literal().always(),
]);

/// `override_resource` and `override_data`. Terraform reports a missing target in its own words, at
/// the block.
pub(crate) static OVERRIDE: Table = Table::new(&[
    Row::required("target").bare().opentofu(in_(8)),
    Row::optional("target").bare().terraform(in_(7)),
    Row::optional("override_during").bare().terraform(in_(11)),
    Row::optional("values").since(in_(8), in_(7)),
]);

pub(crate) static OVERRIDE_MODULE: Table = Table::new(&[
    Row::required("target").bare().opentofu(in_(8)),
    Row::optional("target").bare().terraform(in_(7)),
    Row::optional("override_during").bare().terraform(in_(11)),
    Row::optional("outputs").since(in_(8), in_(7)),
]);

pub(crate) static MOCK_PROVIDER: Table = Table::new(&[
    Row::optional("alias").literal().since(in_(8), in_(7)),
    Row::optional("for_each").opentofu(in_(11)),
    Row::optional("source").literal().terraform(in_(7)),
    Row::optional("override_during").bare().terraform(in_(11)),
    Row::labelled("mock_resource", &["type"], &MOCK_RESOURCE).since(in_(8), in_(7)),
    Row::labelled("mock_data", &["type"], &MOCK_RESOURCE).since(in_(8), in_(7)),
    Row::block("override_resource", &OVERRIDE).since(in_(9), in_(7)),
    Row::block("override_data", &OVERRIDE).since(in_(9), in_(7)),
]);

pub(crate) static MOCK_RESOURCE: Table = Table::new(&[
    Row::optional("defaults").since(in_(8), in_(7)),
    Row::optional("override_during").bare().terraform(in_(11)),
]);

/// The blocks that a file of variables may be confused with: declarations.
pub(crate) static DECLARATIONS: Table =
    Table::of_literals(&[Row::labelled("variable", &["name"], &LITERAL).always()]);
