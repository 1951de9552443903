//! Blocks of stacks of Terraform: components and deployments.

use super::modules::{CONDITION, PLAIN, PLUGIN};
use crate::dialect::table::{Row, Table};
use crate::evaluate::release::{NEVER, in_};

pub(crate) static STACK_VARIABLE: Table = Table::new(&[
    Row::required("type").bare().since(NEVER, in_(13)),
    Row::optional("description").literal().since(NEVER, in_(13)),
    Row::optional("default").literal().since(NEVER, in_(13)),
    Row::optional("sensitive").literal().since(NEVER, in_(13)),
    Row::optional("nullable").literal().since(NEVER, in_(13)),
    Row::optional("ephemeral").literal().since(NEVER, in_(13)),
    Row::block("validation", &CONDITION).since(NEVER, in_(13)),
]);

pub(crate) static STACK_OUTPUT: Table = Table::new(&[
    Row::required("type").bare().since(NEVER, in_(13)),
    Row::required("value").since(NEVER, in_(13)),
    Row::optional("description").literal().since(NEVER, in_(13)),
    Row::optional("sensitive").literal().since(NEVER, in_(13)),
    Row::optional("ephemeral").literal().since(NEVER, in_(13)),
]);

pub(crate) static STACK_PROVIDER: Table = Table::new(&[
    Row::optional("for_each").since(NEVER, in_(13)),
    Row::block("config", &PLUGIN).since(NEVER, in_(13)),
]);

pub(crate) static COMPONENT: Table = Table::new(&[
    Row::required("source").literal().since(NEVER, in_(13)),
    Row::optional("version").literal().since(NEVER, in_(13)),
    Row::optional("for_each").since(NEVER, in_(13)),
    Row::optional("inputs").since(NEVER, in_(13)),
    Row::optional("providers").bare().since(NEVER, in_(13)),
    Row::optional("depends_on").bare().since(NEVER, in_(13)),
]);

pub(crate) static STACK: Table = Table::new(&[
    Row::required("source").literal().since(NEVER, in_(13)),
    Row::optional("version").literal().since(NEVER, in_(13)),
    Row::optional("for_each").since(NEVER, in_(13)),
    Row::optional("inputs").since(NEVER, in_(13)),
    Row::optional("depends_on").bare().since(NEVER, in_(13)),
]);

pub(crate) static STACK_REMOVED: Table = Table::new(&[
    Row::required("from").bare().since(NEVER, in_(13)),
    Row::required("source").literal().since(NEVER, in_(13)),
    Row::optional("version").literal().since(NEVER, in_(13)),
    Row::optional("for_each").since(NEVER, in_(13)),
    Row::optional("inputs").since(NEVER, in_(13)),
    Row::optional("providers").bare().since(NEVER, in_(13)),
    Row::optional("depends_on").bare().since(NEVER, in_(13)),
    Row::block("lifecycle", &PLAIN).since(NEVER, in_(13)),
]);

pub(crate) static DEPLOYMENT: Table = Table::new(&[
    Row::required("inputs").since(NEVER, in_(13)),
    Row::optional("deployment_group").since(NEVER, in_(13)),
    Row::optional("destroy").since(NEVER, in_(13)),
    Row::optional("import").since(NEVER, in_(13)),
]);

pub(crate) static DEPLOYMENT_GROUP: Table =
    Table::new(&[Row::optional("auto_approve_checks").since(NEVER, in_(13))]);

pub(crate) static DEPLOYMENT_AUTO_APPROVE: Table = Table::new(&[
    Row::optional("deployment_group").since(NEVER, in_(13)),
    Row::block("check", &PLAIN).since(NEVER, in_(13)),
]);

pub(crate) static ORCHESTRATE: Table =
    Table::new(&[Row::block("check", &PLAIN).since(NEVER, in_(13))]);

pub(crate) static IDENTITY_TOKEN: Table =
    Table::new(&[Row::required("audience").since(NEVER, in_(13))]);

pub(crate) static STORE: Table = Table::new(&[
    Row::optional("id").since(NEVER, in_(13)),
    Row::optional("name").since(NEVER, in_(13)),
    Row::optional("category").since(NEVER, in_(13)),
]);

pub(crate) static PUBLISH_OUTPUT: Table = Table::new(&[
    Row::optional("description").literal().since(NEVER, in_(13)),
    Row::required("value").since(NEVER, in_(13)),
]);

pub(crate) static UPSTREAM_INPUT: Table = Table::new(&[
    Row::required("type").literal().since(NEVER, in_(13)),
    Row::required("source").literal().since(NEVER, in_(13)),
]);
