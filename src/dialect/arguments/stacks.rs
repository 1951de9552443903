//! Blocks of stacks of Terraform: components and deployments.

use super::modules::{CONDITION, PLAIN, PLUGIN};
use crate::dialect::table::{Row, Table};

pub(crate) static STACK_VARIABLE: Table = Table::new(&[
    Row::required("type").bare(),
    Row::optional("description").literal(),
    Row::optional("default").literal(),
    Row::optional("sensitive").literal(),
    Row::optional("nullable").literal(),
    Row::optional("ephemeral").literal(),
    Row::block("validation", &CONDITION),
]);

pub(crate) static STACK_OUTPUT: Table = Table::new(&[
    Row::required("type").bare(),
    Row::required("value"),
    Row::optional("description").literal(),
    Row::optional("sensitive").literal(),
    Row::optional("ephemeral").literal(),
]);

pub(crate) static STACK_PROVIDER: Table =
    Table::new(&[Row::optional("for_each"), Row::block("config", &PLUGIN)]);

pub(crate) static COMPONENT: Table = Table::new(&[
    Row::required("source").literal(),
    Row::optional("version").literal(),
    Row::optional("for_each"),
    Row::optional("inputs"),
    Row::optional("providers").bare(),
    Row::optional("depends_on").bare(),
]);

pub(crate) static STACK: Table = Table::new(&[
    Row::required("source").literal(),
    Row::optional("version").literal(),
    Row::optional("for_each"),
    Row::optional("inputs"),
    Row::optional("depends_on").bare(),
]);

pub(crate) static STACK_REMOVED: Table = Table::new(&[
    Row::required("from").bare(),
    Row::required("source").literal(),
    Row::optional("version").literal(),
    Row::optional("for_each"),
    Row::optional("inputs"),
    Row::optional("providers").bare(),
    Row::optional("depends_on").bare(),
    Row::block("lifecycle", &PLAIN),
]);

pub(crate) static DEPLOYMENT: Table = Table::new(&[
    Row::required("inputs"),
    Row::optional("deployment_group"),
    Row::optional("destroy"),
    Row::optional("import"),
]);

pub(crate) static DEPLOYMENT_GROUP: Table = Table::new(&[Row::optional("auto_approve_checks")]);

pub(crate) static DEPLOYMENT_AUTO_APPROVE: Table =
    Table::new(&[Row::optional("deployment_group"), Row::block("check", &PLAIN)]);

pub(crate) static ORCHESTRATE: Table = Table::new(&[Row::block("check", &PLAIN)]);

pub(crate) static IDENTITY_TOKEN: Table = Table::new(&[Row::required("audience")]);

pub(crate) static STORE: Table =
    Table::new(&[Row::optional("id"), Row::optional("name"), Row::optional("category")]);

pub(crate) static PUBLISH_OUTPUT: Table =
    Table::new(&[Row::optional("description").literal(), Row::required("value")]);

pub(crate) static UPSTREAM_INPUT: Table =
    Table::new(&[Row::required("type").literal(), Row::required("source").literal()]);
