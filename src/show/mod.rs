//! Plans, states and provider schemas: the output of `show -json` and `providers schema -json` of
//! OpenTofu and Terraform, and state files.
//!
//! Views of a [`Document`](crate::Document) have a typed accessor for every field of the format.
//! They open values on demand and copy nothing; unknown members are reachable by [`Plan::object`]
//! and similar methods, and an error in one place does not affect the rest.
//!
//! ```
//! use simd_hcl::show::{ActionKind, Plan};
//! use simd_hcl::{Arena, Document};
//!
//! let arena = Arena::new();
//! let json = br#"{"format_version":"1.2","planned_values":{"root_module":{}},"resource_changes":[{
//!     "address":"aws_instance.web","mode":"managed","type":"aws_instance","name":"web",
//!     "change":{"actions":["update"],"before":{"ami":"a","id":"i-1"},"after":{"ami":"b","id":"i-1"},
//!               "after_unknown":{},"before_sensitive":{},"after_sensitive":{}}}]}"#;
//! let document = Document::parse_bytes(&arena, "plan.json", json)?;
//!
//! let mut diagnostics = Vec::new();
//! let plan = Plan::of(document, &mut diagnostics).unwrap();
//! assert!(diagnostics.is_empty());
//! let web = plan.changes().next().unwrap();
//! assert_eq!(web.actions().kind(), ActionKind::Update);
//!
//! let mut differences = web.change().value().unwrap().differences();
//! assert!(differences.next().is_some());
//! assert_eq!(differences.path().to_string(), "ami");
//! assert!(differences.next().is_none());
//! # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
//! ```
//!
//! | to | take |
//! |---|---|
//! | read a file as tools and shells leave it | [`document`] |
//! | find out its kind | [`DocumentKind::of`] |
//! | read a plan, a state, schemas | [`Plan::of`], [`State::of`], [`RawState::of`], [`Schemas::of`] |
//! | count and list changes | [`Plan::count_by_action`], [`ResourceChange::head`] |
//! | have all types checked | [`Plan::check`] and its like |
//! | find changes, values and blocks by address, type, module, action | [`PlanIndex`] |
//! | list the values that a change modifies | [`Change::differences`], [`Change::after_leaves`] |
//! | open bodies by the schema of their type | [`BodySchemas`] |
//! | take addresses apart | [`Address`] |
//! | select changes as `--type`, `--module`, `--address` and `--action` do | [`Filter`] |
//! | decide what may be shown of it | [`Shown`] |
//! | list changes, instances, outputs as every command and binding does | [`rows`] |
//! | print it without sensitive values | [`redact`] |
//! | read what `plan -json` and `apply -json` print | [`EventLog`], [`Event`] |
//!
//! `docs/show.md` lists the results for each kind of input.

mod address;
mod body_schema;
mod checks;
mod config;
mod field;
mod filter;
pub(crate) mod foreign;
mod head;
pub(crate) mod index;
mod input;
mod kind;
pub(crate) mod leaves;
mod log;
mod mark_text;
mod mark_tree;
mod names;
mod order;
mod path;
mod plan;
pub mod redact;
mod relevant;
pub mod rows;
mod schema_text;
mod schemas;
mod shape;
mod shown;
mod state;
mod upgrade;

pub use self::address::{Address, AddressError, Call, Key, ResourceStep};
pub(crate) use self::body_schema::BUILT_IN_PROVIDER;
pub use self::body_schema::{BodySchema, BodySchemas};
pub use self::checks::{
    Check, CheckAddress, CheckCounts, CheckInstance, CheckInstanceAddress, CheckProblem,
};
pub use self::config::{
    ConfigAction, ConfigCall, ConfigExpression, ConfigModule, ConfigModules, ConfigOutput,
    ConfigReference, ConfigResource, ConfigVariable, Configuration, ProviderConfig, Provisioner,
    references,
};
pub use self::field::{Children, Field, Index, List, Map, Read, Steps};
pub use self::filter::{Filter, FilterError};
pub use self::foreign::explain;
pub use self::head::Head;
pub use self::index::{PlanIndex, SeenObjects};
pub use self::input::{document, in_utf8};
pub use self::kind::{DocumentKind, Version, version};
pub use self::leaves::{Content, Difference, Differences, Leaf, Leaves, is_same_value};
pub use self::log::{
    Event, EventAction, EventChange, EventCounts, EventDeferred, EventDiagnostic, EventHook,
    EventInvocation, EventList, EventLog, EventOutput, EventPolicy, EventPosition, EventRange,
    EventResource, EventRun, EventTests, EventTrigger, LogLine, LoggedAction, LoggedChange,
    LoggedCounts, LoggedDeferred, LoggedDiagnostic, LoggedFound, LoggedOutput, LoggedPolicy,
    LoggedRun, LoggedTests, Operation, Outcome, UnknownEvents, is_event_log,
};
pub(crate) use self::mark_text::has_mark;
pub use self::mark_tree::MarkTree;
pub use self::names::{
    Action, ActionKind, ActionReason, Actions, CheckKind, CheckStatus, DeferredReason,
    DescriptionKind, NestingMode, ResourceMode,
};
pub use self::path::{Path, Step};
pub use self::plan::{
    ActionInvocation, Change, ConditionResult, DeferredAction, DeferredChange, Importing,
    InvokeTrigger, LifecycleTrigger, OutputChange, Plan, RelevantAttribute, ResourceChange,
    Variable,
};
pub use self::relevant::Relevant;
pub use self::schema_text::SchemaText;
pub use self::schemas::{
    BlockType, Function, IdentityAttribute, IdentitySchema, NestedType, Parameter, ProviderSchema,
    SchemaAttribute, SchemaBlock, SchemaKind, SchemaOf, Schemas, Type,
};
pub use self::shape::Shape;
pub use self::shown::Shown;
pub use self::state::{
    Module, Modules, Output, RawCheck, RawCheckObject, RawInstance, RawResource, RawState,
    Resource, Resources, State, Values,
};
