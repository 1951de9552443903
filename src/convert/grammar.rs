//! The grammar of conversions: arguments that are not templates, and nested blocks of the language.

use crate::dialect::{Dialect, List};

/// How an argument is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Its strings are templates.
    Template,
    /// Its strings are literal.
    Literal,
    /// Its strings hold references, keywords, types or other expressions in native syntax. This
    /// applies to each element of lists and maps, including keys.
    Bare,
    /// An entry of `required_providers`: literal, except for `configuration_aliases`.
    Requirement,
}

/// The arguments and nested blocks of a body.
#[derive(Debug)]
pub(crate) struct Grammar {
    /// The arguments whose reading differs from `rest`.
    arguments: &'static [(&'static str, Reading)],
    /// The reading of all other arguments.
    rest: Reading,
    /// The nested blocks, with the number of their labels.
    pub(super) blocks: &'static [(&'static str, usize, &'static Self)],
    /// Whether a plugin defines its other arguments and nested blocks.
    pub(super) is_of_plugin: bool,
    /// The grammar that has the nested blocks which this one does not have.
    base: Option<&'static Self>,
}

impl Grammar {
    const fn new(
        arguments: &'static [(&'static str, Reading)],
        blocks: &'static [(&'static str, usize, &'static Self)],
    ) -> Self {
        Self { arguments, rest: Reading::Template, blocks, is_of_plugin: false, base: None }
    }

    const fn of_plugin(self) -> Self {
        Self { is_of_plugin: true, ..self }
    }

    /// Like another grammar, apart from some nested blocks.
    const fn like(
        base: &'static Self,
        blocks: &'static [(&'static str, usize, &'static Self)],
    ) -> Self {
        Self {
            arguments: base.arguments,
            rest: base.rest,
            base: Some(base),
            ..Self::new(&[], blocks)
        }
    }

    const fn all(rest: Reading) -> Self {
        Self { rest, ..Self::new(&[], &[]) }
    }

    pub(crate) fn reading(&self, argument: &str) -> Reading {
        let found = self.arguments.iter().find(|(name, _)| *name == argument);
        found.map_or(self.rest, |(_, reading)| *reading)
    }

    /// The number of labels and the grammar of a nested block.
    pub(crate) fn block(&self, name: &str) -> Option<(usize, &'static Self)> {
        let found = self.blocks.iter().find(|(block_type, ..)| *block_type == name);
        let found = found.map(|&(_, labels, grammar)| (labels, grammar));
        found.or_else(|| self.base?.block(name))
    }
}

use Reading::{Bare, Literal, Requirement};

/// The grammar of a body that a plugin reads.
pub(super) static PLUGIN: Grammar = Grammar::new(&[], &[("dynamic", 1, &DYNAMIC)]).of_plugin();
static DYNAMIC: Grammar = Grammar::new(&[("iterator", Bare)], &[("content", 0, &PLUGIN)]);
static PLAIN: Grammar = Grammar::new(&[], &[]);
static LITERAL: Grammar = Grammar::all(Literal);

// OpenTofu and Terraform.

static TERRAFORM: Grammar = Grammar::new(
    &[("required_version", Literal), ("experiments", Bare), ("language", Bare)],
    &[
        ("required_providers", 0, &REQUIRED_PROVIDERS),
        ("backend", 1, &PLUGIN),
        ("cloud", 0, &CLOUD),
        // Its strings in JSON are literal.
        ("provider_meta", 1, &LITERAL_PLUGIN),
        ("encryption", 0, &ENCRYPTION),
    ],
);
/// Terraform evaluates nothing in a backend, so strings in JSON are literal.
static TERRAFORM_OF_TERRAFORM: Grammar =
    Grammar::like(&TERRAFORM, &[("backend", 1, &LITERAL_PLUGIN), ("cloud", 0, &LITERAL_CLOUD)]);
static LITERAL_PLUGIN: Grammar = Grammar::all(Literal).of_plugin();
static LITERAL_CLOUD: Grammar =
    Grammar { blocks: &[("workspaces", 0, &LITERAL)], ..Grammar::all(Literal) };
static REQUIRED_PROVIDERS: Grammar = Grammar::all(Requirement);
static CLOUD: Grammar = Grammar::new(&[], &[("workspaces", 0, &PLAIN)]);
static ENCRYPTION: Grammar = Grammar::new(
    &[],
    &[
        ("key_provider", 2, &PLUGIN),
        ("method", 2, &METHOD),
        ("state", 0, &TARGET),
        ("plan", 0, &TARGET),
        ("remote_state_data_sources", 0, &REMOTE),
    ],
);
static METHOD: Grammar = Grammar::new(&[("keys", Bare)], &[]).of_plugin();
static TARGET: Grammar = Grammar::new(&[("method", Bare)], &[("fallback", 0, &TARGET)]);
static REMOTE: Grammar =
    Grammar::new(&[], &[("default", 0, &TARGET), ("remote_state_data_source", 1, &TARGET)]);
static LANGUAGE: Grammar =
    Grammar::new(&[("edition", Bare), ("experiments", Bare)], &[("compatible_with", 0, &LITERAL)]);
static VARIABLE: Grammar = Grammar::new(
    &[("type", Bare), ("description", Literal), ("default", Literal), ("deprecated", Literal)],
    &[("validation", 0, &PLAIN)],
);
static OUTPUT: Grammar = Grammar::new(
    &[("description", Literal), ("deprecated", Literal), ("depends_on", Bare), ("type", Bare)],
    &[("precondition", 0, &PLAIN)],
);
static MODULE: Grammar = Grammar::new(
    &[("providers", Bare), ("depends_on", Bare)],
    &[("lifecycle", 0, &PLAIN), ("_", 0, &PLAIN)],
);
static PROVIDER: Grammar = Grammar::new(
    &[("alias", Literal), ("version", Literal)],
    &[("dynamic", 1, &DYNAMIC), ("_", 0, &PLUGIN)],
)
.of_plugin();
static RESOURCE: Grammar = Grammar::new(
    &[("provider", Bare), ("depends_on", Bare)],
    &[
        ("lifecycle", 0, &LIFECYCLE),
        ("connection", 0, &PLUGIN),
        ("provisioner", 1, &PROVISIONER),
        ("dynamic", 1, &DYNAMIC),
        ("_", 0, &PLUGIN),
    ],
)
.of_plugin();
static LIFECYCLE: Grammar = Grammar::new(
    &[("ignore_changes", Bare), ("replace_triggered_by", Bare)],
    &[
        ("precondition", 0, &PLAIN),
        ("postcondition", 0, &PLAIN),
        ("action_trigger", 0, &ACTION_TRIGGER),
    ],
);
static ACTION_TRIGGER: Grammar =
    Grammar::new(&[("events", Bare), ("actions", Bare), ("on_failure", Bare)], &[]);
static PROVISIONER: Grammar = Grammar::new(
    &[("when", Bare), ("on_failure", Bare)],
    &[("connection", 0, &PLUGIN), ("_", 0, &PLUGIN)],
)
.of_plugin();
static ACTION: Grammar = Grammar::new(&[("provider", Bare)], &[("config", 0, &PLUGIN)]);
static MOVED: Grammar = Grammar::new(&[("from", Bare), ("to", Bare)], &[]);
static IMPORT: Grammar = Grammar::new(&[("to", Bare), ("provider", Bare)], &[]);
static REMOVED: Grammar = Grammar::new(
    &[("from", Bare)],
    &[("lifecycle", 0, &PLAIN), ("connection", 0, &PLUGIN), ("provisioner", 1, &PROVISIONER)],
);
static CHECK: Grammar = Grammar::new(&[], &[("data", 2, &RESOURCE), ("assert", 0, &PLAIN)]);

static MODULE_FILE: Grammar = Grammar::new(
    &[],
    &[
        ("terraform", 0, &TERRAFORM),
        ("language", 0, &LANGUAGE),
        ("variable", 1, &VARIABLE),
        ("locals", 0, &PLAIN),
        ("output", 1, &OUTPUT),
        ("module", 1, &MODULE),
        ("provider", 1, &PROVIDER),
        ("resource", 2, &RESOURCE),
        ("data", 2, &RESOURCE),
        ("ephemeral", 2, &RESOURCE),
        ("action", 2, &ACTION),
        ("moved", 0, &MOVED),
        ("import", 0, &IMPORT),
        ("removed", 0, &REMOVED),
        ("check", 1, &CHECK),
    ],
);

static TERRAFORM_MODULE_FILE: Grammar =
    Grammar::like(&MODULE_FILE, &[("terraform", 0, &TERRAFORM_OF_TERRAFORM)]);

// Test files.

static RUN: Grammar = Grammar::new(
    &[("command", Bare), ("providers", Bare), ("expect_failures", Bare)],
    &[
        ("assert", 0, &PLAIN),
        ("module", 0, &LITERAL),
        ("plan_options", 0, &PLAN_OPTIONS),
        ("variables", 0, &PLAIN),
        ("override_resource", 0, &OVERRIDE),
        ("override_data", 0, &OVERRIDE),
        ("override_module", 0, &OVERRIDE),
    ],
);
static PLAN_OPTIONS: Grammar =
    Grammar::new(&[("mode", Bare), ("replace", Bare), ("target", Bare)], &[]);
static OVERRIDE: Grammar = Grammar::new(&[("target", Bare), ("override_during", Bare)], &[]);
static MOCK_PROVIDER: Grammar = Grammar::new(
    &[("alias", Literal), ("source", Literal), ("override_during", Bare)],
    &[
        ("mock_resource", 1, &OVERRIDE),
        ("mock_data", 1, &OVERRIDE),
        ("override_resource", 0, &OVERRIDE),
        ("override_data", 0, &OVERRIDE),
        ("override_module", 0, &OVERRIDE),
    ],
);
/// A file of mocks.
static MOCK_FILE: Grammar = Grammar::new(
    &[],
    &[
        ("mock_resource", 1, &OVERRIDE),
        ("mock_data", 1, &OVERRIDE),
        ("override_resource", 0, &OVERRIDE),
        ("override_data", 0, &OVERRIDE),
        ("override_module", 0, &OVERRIDE),
    ],
);
static LIST: Grammar = Grammar::new(&[("provider", Bare)], &[("config", 0, &PLUGIN)]);
static QUERY_FILE: Grammar = Grammar::like(&MODULE_FILE, &[("list", 2, &LIST)]);

// Stacks.

static STACK_PROVIDER: Grammar = Grammar::new(&[], &[("config", 0, &PLUGIN)]);
static COMPONENT: Grammar = Grammar::new(
    &[
        ("source", Literal),
        ("version", Literal),
        ("providers", Bare),
        ("depends_on", Bare),
        ("from", Bare),
    ],
    &[("lifecycle", 0, &PLAIN)],
);
static COMPONENT_FILE: Grammar = Grammar::new(
    &[],
    &[
        ("variable", 1, &VARIABLE),
        ("locals", 0, &PLAIN),
        ("output", 1, &OUTPUT),
        ("required_providers", 0, &REQUIRED_PROVIDERS),
        ("provider", 2, &STACK_PROVIDER),
        ("component", 1, &COMPONENT),
        ("stack", 1, &COMPONENT),
        ("removed", 0, &COMPONENT),
    ],
);
static APPROVAL: Grammar = Grammar::new(&[], &[("check", 0, &PLAIN)]);
static UPSTREAM: Grammar = Grammar::all(Literal);
static DEPLOYMENT_FILE: Grammar = Grammar::new(
    &[],
    &[
        ("locals", 0, &PLAIN),
        ("deployment", 1, &PLAIN),
        ("deployment_group", 1, &PLAIN),
        ("deployment_auto_approve", 1, &APPROVAL),
        ("orchestrate", 2, &APPROVAL),
        ("identity_token", 1, &PLAIN),
        ("store", 2, &PLAIN),
        ("publish_output", 1, &PLAIN),
        ("upstream_input", 1, &UPSTREAM),
    ],
);
static TEST_FILE: Grammar = Grammar::new(
    &[],
    &[
        ("test", 0, &PLAIN),
        ("run", 1, &RUN),
        ("variables", 0, &PLAIN),
        ("variable", 1, &VARIABLE),
        ("provider", 1, &PROVIDER),
        ("mock_provider", 1, &MOCK_PROVIDER),
        ("override_resource", 0, &OVERRIDE),
        ("override_data", 0, &OVERRIDE),
        ("override_module", 0, &OVERRIDE),
    ],
);

// Packer.

static PACKER: Grammar =
    Grammar::new(&[("required_version", Literal)], &[("required_plugins", 0, &LITERAL)]);
static BUILD: Grammar = Grammar::new(
    &[],
    &[
        ("source", 1, &PLUGIN),
        ("provisioner", 1, &STEP),
        ("error-cleanup-provisioner", 1, &STEP),
        ("post-processor", 1, &PLUGIN),
        ("post-processors", 0, &POST_PROCESSORS),
        ("hcp_packer_registry", 0, &PLAIN),
    ],
);
static STEP: Grammar = Grammar::new(&[], &[("dynamic", 1, &DYNAMIC)]).of_plugin();
static POST_PROCESSORS: Grammar = Grammar::new(&[], &[("post-processor", 1, &PLUGIN)]);
static PACKER_VARIABLE: Grammar =
    Grammar::new(&[("type", Bare), ("description", Literal)], &[("validation", 0, &PLAIN)]);
static PACKER_FILE: Grammar = Grammar::new(
    &[],
    &[
        ("packer", 0, &PACKER),
        ("variable", 1, &PACKER_VARIABLE),
        ("variables", 0, &PLAIN),
        ("locals", 0, &PLAIN),
        ("local", 1, &PLAIN),
        ("source", 2, &PLUGIN),
        ("data", 2, &PLUGIN),
        ("build", 0, &BUILD),
        ("hcp_packer_registry", 0, &PLAIN),
        ("communicator", 2, &PLUGIN),
    ],
);

/// The grammar of a file. Files that the tools do not read have attributes and blocks without
/// special rules.
pub(crate) fn file(kind: Option<(Dialect, List)>) -> &'static Grammar {
    match kind {
        Some((_, List::Variables)) => &LITERAL,
        Some((_, List::Query)) => &QUERY_FILE,
        Some((_, List::Mock)) => &MOCK_FILE,
        Some((_, List::Component)) => &COMPONENT_FILE,
        Some((_, List::Deployment)) => &DEPLOYMENT_FILE,
        Some((Dialect::Packer, _)) => &PACKER_FILE,
        Some((_, List::Test)) => &TEST_FILE,
        Some((_, List::Lock | List::Other)) => &PLAIN,
        Some((Dialect::Terraform, _)) => &TERRAFORM_MODULE_FILE,
        Some(_) => &MODULE_FILE,
        None => &PLAIN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::root_schema;

    /// Every block type that files may have must be in the grammar, with the same number of labels.
    #[test]
    fn files_have_the_blocks_of_their_dialects() {
        for dialect in [Dialect::OpenTofu, Dialect::Terraform, Dialect::Packer] {
            for list in [
                List::Primary,
                List::Test,
                List::Query,
                List::Mock,
                List::Component,
                List::Deployment,
            ] {
                for block in root_schema(dialect, list).unwrap().blocks() {
                    let known = file(Some((dialect, list))).block(block.block_type);
                    let is_misplaced =
                        block.block_type == "required_providers" && list != List::Component;
                    assert_eq!(
                        known.map(|(labels, _)| labels),
                        (!is_misplaced).then_some(block.labels.len()),
                        "{}",
                        block.block_type
                    );
                }
            }
        }
    }
}
