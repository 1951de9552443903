//! The block types at the root of a file, by dialect and list.

use super::{Dialect, List};
use crate::body::{BlockSchema, Schema};

const fn block(block_type: &'static str, labels: &'static [&'static str]) -> BlockSchema<'static> {
    BlockSchema::new(block_type, labels)
}

static OPENTOFU: Schema<'static> = Schema::new(
    &[],
    &[
        block("terraform", &[]),
        block("language", &[]),
        // Known at the root only to be told that it belongs into `terraform`.
        block("required_providers", &[]),
        block("provider", &["name"]),
        block("variable", &["name"]),
        block("locals", &[]),
        block("output", &["name"]),
        block("module", &["name"]),
        block("resource", &["type", "name"]),
        block("data", &["type", "name"]),
        block("ephemeral", &["type", "name"]),
        block("moved", &[]),
        block("import", &[]),
        block("removed", &[]),
        block("check", &["name"]),
    ],
);

static TERRAFORM: Schema<'static> = Schema::new(
    &[],
    &[
        block("terraform", &[]),
        block("required_providers", &[]),
        block("provider", &["name"]),
        block("variable", &["name"]),
        block("locals", &[]),
        block("output", &["name"]),
        block("module", &["name"]),
        block("resource", &["type", "name"]),
        block("data", &["type", "name"]),
        block("ephemeral", &["type", "name"]),
        block("action", &["type", "name"]),
        block("moved", &[]),
        block("import", &[]),
        block("removed", &[]),
        block("check", &["name"]),
    ],
);

static OPENTOFU_TEST: Schema<'static> = Schema::new(
    &[],
    &[
        block("run", &["name"]),
        block("variables", &[]),
        block("provider", &["name"]),
        block("mock_provider", &["name"]),
        block("override_resource", &[]),
        block("override_data", &[]),
        block("override_module", &[]),
    ],
);

static TERRAFORM_TEST: Schema<'static> = Schema::new(
    &[],
    &[
        block("test", &[]),
        block("run", &["name"]),
        block("variable", &["name"]),
        block("variables", &[]),
        block("provider", &["name"]),
        block("mock_provider", &["name"]),
        block("override_resource", &[]),
        block("override_data", &[]),
        block("override_module", &[]),
    ],
);

static PACKER: Schema<'static> = Schema::new(
    &[],
    &[
        block("packer", &[]),
        block("source", &["type", "name"]),
        block("variables", &[]),
        block("variable", &["name"]),
        block("locals", &[]),
        block("local", &["name"]),
        block("data", &["type", "name"]),
        block("build", &[]),
        block("hcp_packer_registry", &[]),
        block("communicator", &["type", "name"]),
    ],
);

/// The schema of a file's root body. None for files of variables: all of their properties are
/// attributes ([`crate::Body::just_attributes`]).
#[must_use]
pub fn root_schema(dialect: Dialect, list: List) -> Option<&'static Schema<'static>> {
    match (dialect, list) {
        (_, List::Variables) => None,
        (Dialect::Packer, _) => Some(&PACKER),
        (Dialect::Terraform, List::Test) => Some(&TERRAFORM_TEST),
        (Dialect::Terraform, _) => Some(&TERRAFORM),
        (Dialect::OpenTofu, List::Test) => Some(&OPENTOFU_TEST),
        (Dialect::OpenTofu, _) => Some(&OPENTOFU),
    }
}
