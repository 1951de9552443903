//! Modules of OpenTofu and Terraform: everything that the files of a directory declare.
//!
//! [`Module::read`] takes the parsed files of one module, in the order in which the tools read
//! them, and returns typed, ordered lists of what they declare. Each block type has its own file:
//! its schema, which can be compared line by line with the documentation, its type, and how its
//! arguments are read (literally, as expressions, as traversals).
//!
//! * In blocks that belong to a provider (resources, backends, provisioners) only meta-arguments
//!   are read; the rest stays an unopened [`crate::Body`].
//! * Duplicates are reported, and resolved as in the tools: for some kinds of objects the first
//!   counts, for others the last.
//! * An error in one object does not affect the others.
//!
//! [`Module::visit_expressions`] passes on one [`Site`] for each expression: its place, and how it
//! is read. The analysis ([`Module::analyse`]) and the list of references are built on this visit;
//! other rules can be, too. Objects have numbers, their indexes in [`Module::objects`]; [`Uses`] has
//! the dependencies between these numbers.

mod action;
mod address;
mod analysis;
mod assemble;
mod assignment;
mod available;
mod batch;
pub(crate) mod block;
mod call;
mod call_source;
mod check;
pub(crate) mod computed;
mod condition;
mod config;
mod constants;
pub(crate) mod cycles;
pub(crate) mod declarations;
pub(crate) mod dynamic;
pub(crate) mod edges;
mod encryption;
mod encryption_check;
mod encryption_merge;
pub(crate) mod functions;
pub(crate) mod groups;
#[cfg(feature = "serde")]
pub(crate) mod inventory;
mod language;
mod lifecycle;
mod local;
mod lock;
mod meta;
pub(crate) mod migration;
mod nearest;
pub(crate) mod numbering;
pub(crate) mod object;
mod objects;
mod once;
mod output;
mod overrides;
pub(crate) mod policy_file;
mod provider;
mod provider_instances;
mod provider_names;
mod provider_reference;
mod provider_source;
mod provisioner;
pub(crate) mod read;
mod refactor;
mod refactored;
mod resource;
mod roots;
mod rules;
mod scope;
mod secrets;
mod settings;
pub(crate) mod shaped;
pub(crate) mod shapes;
mod site;
mod source_address;
mod statics;
pub mod test;
mod triggers;
mod variable;
pub(crate) mod version;
mod visit;
pub(crate) mod written;

pub use self::action::{Action, ActionTrigger, Event};
pub use self::address::Address;
pub use self::analysis::{CallUse, Uses};
pub use self::assignment::{Assignment, Assignments};
pub use self::available::Available;
pub use self::call::{ModuleCall, ProviderPass};
pub use self::check::Check;
pub(crate) use self::computed::check as check_wanted;
pub use self::condition::Condition;
pub use self::config::Config;
pub(crate) use self::constants::inconstant;
pub use self::declarations::{Declarations, Declared};
pub(crate) use self::dynamic::{Nested, visit_templates};
pub use self::encryption::{Encryption, EncryptionPart, EncryptionSubject, EncryptionTarget};
pub(crate) use self::functions::Known as Functions;
#[cfg(feature = "serde")]
pub use self::inventory::Inventory;
pub use self::language::Language;
pub use self::lifecycle::{IgnoreChanges, Lifecycle};
pub use self::local::Local;
pub use self::lock::{LockFile, LockedProvider};
pub(crate) use self::meta::provider_name;
pub use self::object::{Object, Setting};
pub(crate) use self::once::backend_releases;
pub use self::output::Output;
pub(crate) use self::provider::declared_config;
pub use self::provider::{Provider, RequiredProvider};
pub use self::provider_names::ProviderNames;
pub use self::provider_reference::{ProviderConfigName, ProviderReference};
pub(crate) use self::provider_source::OWN_REGISTRIES;
pub use self::provider_source::ProviderSource;
pub use self::provisioner::Provisioner;
pub use self::refactor::{Import, Moved, Removed};
pub use self::resource::Resource;
pub use self::settings::Settings;
pub use self::site::{Reading, Site, Use, Wanted};
pub use self::source_address::{RegistryAddress, SourceAddress, SourceError};
pub(crate) use self::variable::Accepted;
pub use self::variable::Variable;
pub use self::version::{Version, VersionConstraint, VersionOperator};

use self::settings::Part;
use crate::dialect::Dialect;
use crate::hash::{HashMap, HashSet};
use crate::reference::{ActionName, ResourceName};

declarations::declared! {
    Variable: &'k str = |variable| variable.name;
    Local: &'k str = |local| local.name;
    Output: &'k str = |output| output.name;
    Provider: ProviderConfigName<'k> = |provider| provider.config_name();
    Resource: ResourceName<'k> = |resource| resource.address();
    ModuleCall: &'k str = |call| call.name;
    Action: ActionName<'k> = |action| action.address;
    Check: &'k str = |check| check.name;
    Part: Setting<'k> = |part| part.setting;
}

/// The declarations of the files of a module.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Module<'a> {
    /// The tool whose rules apply.
    pub dialect: Dialect,
    /// Variables, by name.
    pub variables: Declarations<&'a str, Variable<'a>>,
    /// Local values, by name.
    pub locals: Declarations<&'a str, Local<'a>>,
    /// Outputs, by name.
    pub outputs: Declarations<&'a str, Output<'a>>,
    /// Provider configurations, by local name and alias.
    pub providers: Declarations<ProviderConfigName<'a>, Provider<'a>>,
    /// Resources, data sources and ephemeral resources, by address. The data sources of checks are
    /// in `checks`.
    pub resources: Declarations<ResourceName<'a>, Resource<'a>>,
    /// Calls of other modules, by name.
    pub calls: Declarations<&'a str, ModuleCall<'a>>,
    /// Actions, by type and name (Terraform).
    pub actions: Declarations<ActionName<'a>, Action<'a>>,
    /// Checks, by name.
    pub checks: Declarations<&'a str, Check<'a>>,
    /// `moved` blocks, in order.
    pub moved: Vec<Moved<'a>>,
    /// `removed` blocks, in order.
    pub removed: Vec<Removed<'a>>,
    /// `import` blocks, in order.
    pub imports: Vec<Import<'a>>,
    /// `terraform` blocks, in order.
    pub settings: Vec<Settings<'a>>,
    /// `language` blocks, in order (OpenTofu).
    pub languages: Vec<Language<'a>>,
    /// `terraform` blocks of override files, in order.
    pub override_settings: Vec<Settings<'a>>,
    /// The parts of all `terraform` blocks.
    parts: Declarations<Setting<'a>, Part<'a>>,
    /// The merged `encryption` blocks.
    merged_encryption: Option<Encryption<'a>>,
    /// Whether it has queries, which references can name.
    has_queries: bool,
    /// Resources of primary files whose address an earlier resource has, in order. They have no
    /// effect.
    pub redeclared: Vec<Resource<'a>>,
    /// The names of the checks that data sources belong to, by the address of the data source.
    scoped: HashMap<ResourceName<'a>, &'a str>,
    /// Whether blocks of the files have no effect, or only in part: further declarations of a name,
    /// bases of overrides.
    has_ineffective: bool,
}

impl<'a> Module<'a> {
    /// The [skeleton depth](crate::ParseOptions::skeleton_depth) at which a module is read fastest:
    /// bodies of blocks with two labels are open, their contents are sealed.
    pub const DEPTH: u32 = 4;

    /// The providers that the module needs, in order. An entry of an override file replaces those
    /// of the same name.
    pub fn required_providers(&self) -> impl Iterator<Item = &RequiredProvider<'a>> {
        let of = |settings: &'_ [Settings<'a>]| {
            settings.iter().flat_map(|settings| settings.required_providers).collect::<Vec<_>>()
        };
        let overriding = of(&self.override_settings);
        let names: HashSet<&str> = overriding.iter().map(|entry| entry.name).collect();
        let base = of(&self.settings).into_iter().filter(move |entry| !names.contains(entry.name));
        base.chain(overriding)
    }
}
