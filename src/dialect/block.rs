//! The block types at the root of a file, by dialect and list: one row each in [`BlockKind`].

use std::fmt;
use std::sync::OnceLock;

use super::{Dialect, List};
use crate::body::{Block, BlockSchema, Schema};
use crate::evaluate::Release;
use crate::evaluate::release::{ALWAYS, NEVER, in_};

/// Bits for the kinds of files that have block types of their own.
const OPENTOFU: u16 = 1;
const TERRAFORM: u16 = 1 << 1;
const OPENTOFU_TEST: u16 = 1 << 2;
const TERRAFORM_TEST: u16 = 1 << 3;
const PACKER: u16 = 1 << 4;
const QUERY: u16 = 1 << 5;
const MOCK: u16 = 1 << 6;
const COMPONENT: u16 = 1 << 7;
const DEPLOYMENT: u16 = 1 << 8;
const MIGRATION: u16 = 1 << 9;
const POLICY: u16 = 1 << 10;
const MODULE: u16 = OPENTOFU | TERRAFORM;
const TEST: u16 = OPENTOFU_TEST | TERRAFORM_TEST;
const STACK: u16 = COMPONENT | DEPLOYMENT;

/// Defines [`BlockKind`] from one row per block type: its name, its labels, the files that have it, and
/// the first releases of OpenTofu and Terraform.
macro_rules! block_kinds {
    ($($(#[$doc:meta])* $kind:ident: $name:literal $labels:expr, $files:expr, $opentofu:expr, $terraform:expr;)*) => {
        /// A block type at the root of a configuration file of any dialect.
        ///
        /// ```
        /// use simd_hcl::dialect::{BlockKind, Dialect, List};
        /// assert_eq!(BlockKind::from_name("module"), Some(BlockKind::Module));
        /// assert_eq!(BlockKind::Resource.labels(), ["type", "name"]);
        /// assert!(BlockKind::Action.is_in(Dialect::Terraform, List::Primary));
        /// assert!(!BlockKind::Action.is_in(Dialect::OpenTofu, List::Primary));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum BlockKind {
            $($(#[$doc])* $kind,)*
        }

        impl BlockKind {
            /// All block types, of all dialects.
            pub const ALL: &'static [Self] = &[$(Self::$kind),*];

            /// The name of the block type, `"resource"`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$kind => $name,)* }
            }

            /// The names of the labels of the block type, in order.
            #[must_use]
            pub const fn labels(self) -> &'static [&'static str] {
                match self { $(Self::$kind => &$labels,)* }
            }

            /// The files that may have the block type.
            const fn files(self) -> u16 {
                match self { $(Self::$kind => $files,)* }
            }

            /// The first releases of OpenTofu and Terraform that have the block type.
            #[must_use]
            pub const fn releases(self) -> (Release, Release) {
                match self { $(Self::$kind => ($opentofu, $terraform),)* }
            }

            /// The block type of this name.
            fn from_bytes(name: &[u8]) -> Option<Self> {
                $(if name == $name.as_bytes() { return Some(Self::$kind); })*
                None
            }
        }
    };
}

block_kinds! {
    /// `terraform`: requirements on the tool, and where the state is stored.
    Terraform: "terraform" [], MODULE, ALWAYS, ALWAYS;
    /// `language`: the edition of the language of the module (OpenTofu).
    Language: "language" [], OPENTOFU, in_(12), NEVER;
    /// `required_providers`: at the root of a stack; in a module, known there only to report that it
    /// belongs in `terraform`.
    RequiredProviders: "required_providers" [], MODULE | COMPONENT, ALWAYS, ALWAYS;
    /// `packer`: requirements on the tool (Packer).
    Packer: "packer" [], PACKER, ALWAYS, ALWAYS;
    /// `test`: settings of a test file (Terraform).
    Test: "test" [], TERRAFORM_TEST, NEVER, in_(12);
    /// `run`: a step of a test.
    Run: "run" ["name"], TEST, ALWAYS, in_(6);
    /// `source`: the settings of a builder (Packer).
    Source: "source" ["type", "name"], PACKER, ALWAYS, ALWAYS;
    /// `provider`: a provider configuration.
    Provider: "provider" ["name"], MODULE | TEST | QUERY | COMPONENT, ALWAYS, ALWAYS;
    /// `variables`: values in test files, declarations in Packer.
    Variables: "variables" [], TEST | PACKER, ALWAYS, ALWAYS;
    /// `variable`: an input.
    Variable: "variable" ["name"], MODULE | TERRAFORM_TEST | PACKER | QUERY | COMPONENT, ALWAYS, ALWAYS;
    /// `locals`: named expressions.
    Locals: "locals" [], MODULE | PACKER | QUERY | STACK | POLICY, ALWAYS, ALWAYS;
    /// `local`: one named expression (Packer).
    Local: "local" ["name"], PACKER, ALWAYS, ALWAYS;
    /// `output`: a result of the module.
    Output: "output" ["name"], MODULE | COMPONENT, ALWAYS, ALWAYS;
    /// `module`: a call of another module.
    Module: "module" ["name"], MODULE, ALWAYS, ALWAYS;
    /// `resource`: a managed resource.
    Resource: "resource" ["type", "name"], MODULE, ALWAYS, ALWAYS;
    /// `data`: a data source.
    Data: "data" ["type", "name"], MODULE | PACKER, ALWAYS, ALWAYS;
    /// `ephemeral`: an ephemeral resource.
    Ephemeral: "ephemeral" ["type", "name"], MODULE, in_(11), in_(10);
    /// `action`: an operation that a provider can run (Terraform).
    Action: "action" ["type", "name"], TERRAFORM, NEVER, in_(14);
    /// `moved`: an object has a new address.
    Moved: "moved" [], MODULE, ALWAYS, in_(1);
    /// `import`: an existing object to manage from now on.
    Import: "import" [], MODULE, ALWAYS, in_(5);
    /// `removed`: an object is no longer declared.
    Removed: "removed" [], MODULE | COMPONENT, in_(7), in_(7);
    /// `check`: conditions on the whole module.
    Check: "check" ["name"], MODULE, ALWAYS, in_(5);
    /// `mock_provider`: a provider that returns made-up values.
    MockProvider: "mock_provider" ["name"], TEST, in_(8), in_(7);
    /// `override_resource`: values that replace those of a resource.
    OverrideResource: "override_resource" [], TEST | MOCK, in_(8), in_(7);
    /// `override_data`: values that replace those of a data source.
    OverrideData: "override_data" [], TEST | MOCK, in_(8), in_(7);
    /// `override_module`: values that replace the outputs of a module.
    OverrideModule: "override_module" [], TEST, in_(8), in_(7);
    /// `list`: a query of existing objects (Terraform).
    List: "list" ["type", "name"], QUERY, NEVER, in_(14);
    /// `mock_resource`: values for resources of a type, in a file of mocks (Terraform).
    MockResource: "mock_resource" ["type"], MOCK, NEVER, in_(7);
    /// `mock_data`: values for data sources of a type, in a file of mocks (Terraform).
    MockData: "mock_data" ["type"], MOCK, NEVER, in_(7);
    /// `component`: a call of a module in a stack (Terraform).
    Component: "component" ["name"], COMPONENT, NEVER, in_(13);
    /// `stack`: a call of a stack in another one (Terraform).
    Stack: "stack" ["name"], COMPONENT, NEVER, in_(13);
    /// `deployment`: an instance of a stack (Terraform).
    Deployment: "deployment" ["name"], DEPLOYMENT, NEVER, in_(13);
    /// `deployment_group`: deployments of a stack with the same rules (Terraform).
    DeploymentGroup: "deployment_group" ["name"], DEPLOYMENT, NEVER, in_(13);
    /// `deployment_auto_approve`: conditions under which a plan is approved (Terraform).
    DeploymentAutoApprove: "deployment_auto_approve" ["name"], DEPLOYMENT, NEVER, in_(13);
    /// `orchestrate`: a former name of such conditions (Terraform).
    Orchestrate: "orchestrate" ["type", "name"], DEPLOYMENT, NEVER, in_(13);
    /// `identity_token`: a token for the providers of a stack (Terraform).
    IdentityToken: "identity_token" ["name"], DEPLOYMENT, NEVER, in_(13);
    /// `store`: values that are kept elsewhere (Terraform).
    Store: "store" ["type", "name"], DEPLOYMENT, NEVER, in_(13);
    /// `publish_output`: a value of a stack for others (Terraform).
    PublishOutput: "publish_output" ["name"], DEPLOYMENT, NEVER, in_(13);
    /// `upstream_input`: the published values of another stack (Terraform).
    UpstreamInput: "upstream_input" ["name"], DEPLOYMENT, NEVER, in_(13);
    /// `state_store_provider`: the provider of the store that a state is migrated from (Terraform).
    StateStoreProvider: "state_store_provider" [], MIGRATION, NEVER, in_(16);
    /// `from`: the backend or the store that a state is migrated from (Terraform).
    From: "from" [], MIGRATION, NEVER, in_(16);
    /// `policy`: what the policies of a file need (Terraform).
    Policy: "policy" [], POLICY, NEVER, in_(16);
    /// `input`: an input of policies (Terraform).
    Input: "input" ["name"], POLICY, NEVER, in_(16);
    /// `resource_policy`: conditions on resources of a type (Terraform).
    ResourcePolicy: "resource_policy" ["type", "name"], POLICY, NEVER, in_(16);
    /// `provider_policy`: conditions on configurations of a provider (Terraform).
    ProviderPolicy: "provider_policy" ["provider", "name"], POLICY, NEVER, in_(16);
    /// `module_policy`: conditions on calls of a module (Terraform).
    ModulePolicy: "module_policy" ["source", "name"], POLICY, NEVER, in_(16);
    /// `build`: builds sources (Packer).
    Build: "build" [], PACKER, ALWAYS, ALWAYS;
    /// `hcp_packer_registry`: the registry for the results (Packer).
    HcpPackerRegistry: "hcp_packer_registry" [], PACKER, ALWAYS, ALWAYS;
    /// `communicator`: accepted and ignored (Packer).
    Communicator: "communicator" ["type", "name"], PACKER, ALWAYS, ALWAYS;
}

/// The block types that only modules have, as a pattern. A match on [`BlockKind`] names the types
/// that it handles, and covers all others by these patterns. So a new type does not compile until
/// one of the patterns or every match has it.
macro_rules! only_in_modules {
    () => {
        $crate::dialect::BlockKind::Terraform
            | $crate::dialect::BlockKind::Language
            | $crate::dialect::BlockKind::Module
            | $crate::dialect::BlockKind::Resource
            | $crate::dialect::BlockKind::Ephemeral
            | $crate::dialect::BlockKind::Action
            | $crate::dialect::BlockKind::Moved
            | $crate::dialect::BlockKind::Import
            | $crate::dialect::BlockKind::Check
    };
}
pub(crate) use only_in_modules;

/// The block types that only test files have. See [`only_in_modules`].
macro_rules! only_in_tests {
    () => {
        $crate::dialect::BlockKind::Test
            | $crate::dialect::BlockKind::Run
            | $crate::dialect::BlockKind::MockProvider
            | $crate::dialect::BlockKind::OverrideModule
    };
}
pub(crate) use only_in_tests;

/// The block types that only files beside modules have: queries, mocks, stacks, migrations and
/// policies. See
/// [`only_in_modules`].
macro_rules! only_beside_modules {
    () => {
        $crate::dialect::BlockKind::List
            | $crate::dialect::BlockKind::MockResource
            | $crate::dialect::BlockKind::MockData
            | $crate::dialect::BlockKind::Component
            | $crate::dialect::BlockKind::Stack
            | $crate::dialect::BlockKind::Deployment
            | $crate::dialect::BlockKind::DeploymentGroup
            | $crate::dialect::BlockKind::DeploymentAutoApprove
            | $crate::dialect::BlockKind::Orchestrate
            | $crate::dialect::BlockKind::IdentityToken
            | $crate::dialect::BlockKind::Store
            | $crate::dialect::BlockKind::PublishOutput
            | $crate::dialect::BlockKind::UpstreamInput
            | $crate::dialect::BlockKind::StateStoreProvider
            | $crate::dialect::BlockKind::From
            | $crate::dialect::BlockKind::Policy
            | $crate::dialect::BlockKind::Input
            | $crate::dialect::BlockKind::ResourcePolicy
            | $crate::dialect::BlockKind::ProviderPolicy
            | $crate::dialect::BlockKind::ModulePolicy
    };
}
pub(crate) use only_beside_modules;

/// The block types that only templates of Packer have. See [`only_in_modules`].
macro_rules! only_in_packer {
    () => {
        $crate::dialect::BlockKind::Packer
            | $crate::dialect::BlockKind::Source
            | $crate::dialect::BlockKind::Local
            | $crate::dialect::BlockKind::Build
            | $crate::dialect::BlockKind::HcpPackerRegistry
            | $crate::dialect::BlockKind::Communicator
    };
}
pub(crate) use only_in_packer;

impl BlockKind {
    /// The block type of this name, in any dialect.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::from_bytes(name.as_bytes())
    }

    /// The block type of a root block.
    #[must_use]
    pub fn of(block: Block<'_>) -> Option<Self> {
        Self::from_bytes(block.type_bytes())
    }

    /// The first releases of OpenTofu and Terraform that have it in files of a list.
    #[cfg(feature = "rules")]
    pub(crate) fn releases_in(self, list: List) -> (Release, Release) {
        match (self, list) {
            (Self::Variable, List::Test) => (NEVER, in_(13)),
            _ => self.releases(),
        }
    }

    /// The names of its labels in a kind of files.
    const fn labels_in(self, bit: u16) -> &'static [&'static str] {
        match self {
            // The second one is what a module calls an alias.
            Self::Provider if bit == COMPONENT => &["type", "name"],
            _ => self.labels(),
        }
    }

    /// The names of its labels in files of a list, if these may have it.
    pub(super) fn labels_of(self, dialect: Dialect, list: List) -> Option<&'static [&'static str]> {
        let (_, bit) = files(dialect, list)?;
        (self.files() & bit != 0).then(|| self.labels_in(bit))
    }

    /// Whether files of a list may have the block type in a dialect.
    #[must_use]
    pub fn is_in(self, dialect: Dialect, list: List) -> bool {
        files(dialect, list).is_some_and(|(_, bit)| self.files() & bit != 0)
    }
}

impl fmt::Display for BlockKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The kind of a file: its index and its bit. `None` for files of variables.
fn files(dialect: Dialect, list: List) -> Option<(usize, u16)> {
    let bit = match (dialect, list) {
        (_, List::Variables | List::Lock | List::Other | List::PolicyTest) => return None,
        (_, List::Query) => QUERY,
        (_, List::Mock) => MOCK,
        (_, List::Component) => COMPONENT,
        (_, List::Deployment) => DEPLOYMENT,
        (_, List::Migration) => MIGRATION,
        (_, List::Policy) => POLICY,
        (Dialect::Packer, _) => PACKER,
        (Dialect::Terraform, List::Test) => TERRAFORM_TEST,
        (Dialect::Terraform, _) => TERRAFORM,
        (Dialect::OpenTofu, List::Test) => OPENTOFU_TEST,
        (Dialect::OpenTofu, _) => OPENTOFU,
    };
    Some((bit.trailing_zeros() as usize, bit))
}

/// The schema of a file's root body. `None` for files of variables: all of their properties are
/// attributes ([`crate::Body::just_attributes`]).
///
/// ```
/// use simd_hcl::dialect::{Dialect, List, root_schema};
///
/// let schema = root_schema(Dialect::OpenTofu, List::Primary).unwrap();
/// assert_eq!(schema.block("resource").unwrap().labels, ["type", "name"]);
/// ```
#[must_use]
pub fn root_schema(dialect: Dialect, list: List) -> Option<&'static Schema<'static>> {
    static SCHEMAS: [OnceLock<Schema<'static>>; 11] = [const { OnceLock::new() }; 11];
    let (place, bit) = files(dialect, list)?;
    Some(SCHEMAS[place].get_or_init(|| {
        let known = BlockKind::ALL.iter().filter(|kind| kind.files() & bit != 0);
        let blocks: Vec<_> =
            known.map(|kind| BlockSchema::new(kind.name(), kind.labels_in(bit))).collect();
        // Made once per kind of file.
        Schema::new(&[], Vec::leak(blocks))
    }))
}

/// The paths of bodies that are one in the files of a module, however many blocks there are: an attribute
/// is in one of them. That of `locals` is the first one.
///
/// ```
/// use simd_hcl::dialect::{Dialect, joined_bodies};
///
/// assert!(joined_bodies(Dialect::Terraform).contains(&"terraform.required_providers"));
/// ```
#[must_use]
pub const fn joined_bodies(dialect: Dialect) -> &'static [&'static str] {
    match dialect {
        Dialect::OpenTofu | Dialect::Terraform => {
            &["locals", "terraform", "terraform.required_providers"]
        }
        Dialect::Packer => &["locals", "variables", "packer", "packer.required_plugins"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_block_types_apart() {
        for &kind in BlockKind::ALL {
            assert_eq!(BlockKind::from_name(kind.name()), Some(kind));
        }
        assert_eq!(BlockKind::from_name("resources"), None);
    }

    #[test]
    fn patterns_say_what_the_rows_say() {
        for &kind in BlockKind::ALL {
            let files = kind.files();
            assert_eq!(matches!(kind, only_in_modules!()), files & !MODULE == 0, "{kind}");
            assert_eq!(matches!(kind, only_in_tests!()), files & !TEST == 0, "{kind}");
            assert_eq!(matches!(kind, only_in_packer!()), files & !PACKER == 0, "{kind}");
            let beside = QUERY | MOCK | STACK | MIGRATION | POLICY;
            assert_eq!(matches!(kind, only_beside_modules!()), files & !beside == 0, "{kind}");
        }
    }

    #[test]
    fn schemas_have_what_the_dialect_has() {
        let types = |dialect, list| -> Vec<&str> {
            let schema = root_schema(dialect, list).unwrap();
            schema.blocks().iter().map(|block| block.block_type).collect()
        };
        let module = types(Dialect::OpenTofu, List::Primary);
        assert!(module.contains(&"language") && !module.contains(&"action"));
        assert_eq!(module, types(Dialect::OpenTofu, List::Override));
        assert!(types(Dialect::Terraform, List::Primary).contains(&"action"));
        assert!(types(Dialect::Terraform, List::Test).contains(&"test"));
        assert!(!types(Dialect::OpenTofu, List::Test).contains(&"test"));
        assert_eq!(types(Dialect::Packer, List::Primary).len(), 10);
        assert!(root_schema(Dialect::Packer, List::Variables).is_none());
    }
}
