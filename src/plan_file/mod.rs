//! Reads the binary files that `plan -out` of OpenTofu and Terraform writes, without a tool or a
//! provider.
//!
//! A plan file is a zip archive: the plan (`tfplan`, protobuf with values in MessagePack), the
//! state before it (`tfstate`, `tfstate-prev`), the configuration (`tfconfig/`), the lock file,
//! and, from OpenTofu 1.13 on, the schemas of providers (`tfschemas`). [`PlanFile`] opens it and
//! reads each part on demand.
//!
//! ```no_run
//! use simd_hcl::plan_file::{PlanFile, ShowOptions};
//! use simd_hcl::{Arena, Source};
//!
//! let arena = Arena::new();
//! let source = Source::read(&arena, "plan.tfplan")?;
//! let plan = PlanFile::open(&arena, source)?;
//! for (kind, count) in plan.count_by_action()? {
//!     println!("{count} {}", kind.name());
//! }
//! let shown = plan.show_json(&ShowOptions::default())?;
//! println!("{}", String::from_utf8_lossy(&shown.json));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | take | cost |
//! |---|---|---|
//! | tell whether bytes are a plan file | [`is_plan_file`] | constant |
//! | count and list changes | [`PlanFile::count_by_action`], [`PlanFile::changes`] | linear in `tfplan`; no value is decoded |
//! | print what `show -json` prints | [`PlanFile::show_json`] | linear in all that is printed, on all threads of the pool |
//! | read states | [`PlanFile::state`], [`PlanFile::previous_state`] | linear in that state |
//! | read the configuration | [`PlanFile::modules`], [`PlanFile::module_files`] | linear in its files |
//!
//! # What a plan file does not contain
//!
//! Values do not have all of their types. A number that neither `i64` nor `f64` can hold is written
//! as text (`0.1` is one), and only newer tools mark values in the file that the provider's schema
//! calls sensitive. Schemas have the types: those of the file, those in [`ShowOptions`], and the
//! built-in one of `terraform_data`. Without a schema, [`Shown::incomplete`] lists what is
//! uncertain. Text that may be a number is printed as text.
//!
//! # Hostile files
//!
//! All parts together are decompressed up to a limit ([`PlanFile::open_with`]). A file with a path that
//! leads out of it, or with entries that share bytes, is refused. Lengths in a file are
//! compared with the bytes that follow before anything is allocated. Damaged data is an error.
//! Recursion over data has a fixed limit.

mod actions;
mod archive;
mod change;
mod checks;
mod convert;
mod error;
mod gaps;
mod mark_paths;
mod marks;
mod message;
#[cfg(feature = "model")]
mod modules;
mod schemas;
mod shape;
mod show_json;
mod snapshot;
mod state;
mod text;
mod tool;
mod tree;
mod value;
mod wire;

use std::fmt;

pub use self::actions::Action;
use self::actions::is_deleted_data;
use self::archive::{Archive, LOCK_FILE, SCHEMAS};
pub use self::error::{Incomplete, PlanFileError};
use self::error::{Malformed, VERSION};
pub use self::show_json::{ShowOptions, Shown};
pub use self::snapshot::{SnapshotFile, SnapshotModule};
pub use self::tool::Tool;
use self::tree::Place;
use crate::arena::Arena;
use crate::compression::DEFAULT_MAX_BYTES;
use crate::document::Document;
use crate::event::ParseOptions;
use crate::show::{ActionKind, BodySchemas, Schemas};
use crate::source::Source;

/// Whether bytes start like a zip archive, as plan files do. No JSON document starts like this.
#[must_use]
pub fn is_plan_file(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"tfplan")
}

/// An open plan file. Cheap to clone.
#[derive(Clone)]
pub struct PlanFile<'a> {
    arena: &'a Arena,
    archive: Archive<'a>,
    plan: message::Plan<'a>,
    tool: Tool,
    parse: ParseOptions,
}

/// A change of a resource instance, or of a deposed object. Its values are not decoded.
#[derive(Clone, Copy, Debug)]
pub struct PlannedChange<'a> {
    address: &'a str,
    deposed: &'a str,
    provider: &'a str,
    action: Action,
}

impl<'a> PlannedChange<'a> {
    /// The absolute address of the instance. Unique together with [`deposed`](Self::deposed).
    #[must_use]
    pub fn address(self) -> &'a str {
        self.address
    }

    /// The key of a deposed object.
    #[must_use]
    pub fn deposed(self) -> Option<&'a str> {
        Some(self.deposed).filter(|key| !key.is_empty())
    }

    /// The provider, `HOST/NAMESPACE/TYPE`.
    #[must_use]
    pub fn provider_name(self) -> &'a str {
        self.provider
    }

    /// The kind of the change.
    #[must_use]
    pub fn action(self) -> Action {
        self.action
    }
}

impl<'a> PlanFile<'a> {
    /// Opens a plan file and decompresses the plan in it, up to
    /// [`DEFAULT_MAX_BYTES`].
    ///
    /// # Errors
    /// The file is not a plan file, or is damaged. A plan that OpenTofu encrypted is JSON, not a
    /// zip archive: [`DocumentKind::of`](crate::show::DocumentKind::of) recognizes it.
    pub fn open(arena: &'a Arena, source: Source<'a>) -> Result<Self, PlanFileError> {
        Self::open_with(arena, source, DEFAULT_MAX_BYTES, &ParseOptions::default())
    }

    /// Like [`PlanFile::open`], with a limit for all parts of the file together, in bytes, and options for
    /// parsing its states.
    ///
    /// # Errors
    /// As [`PlanFile::open`].
    pub fn open_with(
        arena: &'a Arena,
        source: Source<'a>,
        max_bytes: u64,
        parse: &ParseOptions,
    ) -> Result<Self, PlanFileError> {
        if source.bytes().starts_with(b"tfplan") {
            return Err(PlanFileError::TooOld);
        }
        let archive = Archive::open(source, max_bytes)?;
        let bytes = archive.read(arena, "tfplan")?.ok_or(PlanFileError::NoPlan)?;
        let plan = message::Plan::read(bytes).map_err(|error| error.located("tfplan"))?;
        if plan.version != VERSION {
            return Err(PlanFileError::Version(plan.version));
        }
        let tool = Tool::of(arena, &archive)?;
        Ok(Self { arena, archive, plan, tool, parse: *parse })
    }

    /// The version of the tool that wrote the file.
    #[must_use]
    pub fn terraform_version(&self) -> &'a str {
        self.plan.terraform_version
    }

    /// The tool that wrote the file.
    #[must_use]
    pub fn tool(&self) -> Tool {
        self.tool
    }

    /// The time of the plan in RFC 3339; empty in files of old tools.
    #[must_use]
    pub fn timestamp(&self) -> &'a str {
        self.plan.timestamp
    }

    /// Whether planning failed, so that the plan is incomplete.
    #[must_use]
    pub fn errored(&self) -> bool {
        self.plan.errored
    }

    /// The planned changes of resource instances, in the order of the file. Deleted data sources
    /// are left out, as in `show -json`.
    pub fn changes(&self) -> impl Iterator<Item = Result<PlannedChange<'a>, PlanFileError>> + '_ {
        let change = move |bytes: &&'a [u8]| {
            let change = message::ResourceChange::read(bytes)?;
            let action = message::Change::action_of(change.change)?;
            let provider = convert::provider_name(change.provider);
            let (address, deposed) = (change.address_in(self.arena), change.deposed_key);
            if is_deleted_data(&Place::of(address)?, action) {
                return Ok(None);
            }
            Ok(Some(PlannedChange { address, deposed, provider, action: Action::of(action)? }))
        };
        let changes = self.plan.resource_changes.iter().map(change);
        changes.filter_map(|change: Result<_, Malformed>| {
            change.map_err(|error| error.located("tfplan")).transpose()
        })
    }

    /// The number of changes of each kind, without kinds that do not occur.
    ///
    /// # Errors
    /// A change is damaged.
    pub fn count_by_action(&self) -> Result<Vec<(ActionKind, usize)>, PlanFileError> {
        let mut counts = [0; ActionKind::ALL.len()];
        let mut count = |bytes: &'a [u8]| {
            let number = message::Change::action_of(message::ResourceChange::change_of(bytes)?)?;
            let action = Action::of(number)?;
            if action == Action::Delete {
                let change = message::ResourceChange::read(bytes)?;
                let place = Place::of(change.address_in(self.arena))?;
                if is_deleted_data(&place, number) {
                    return Ok(());
                }
            }
            counts[action.kind() as usize] += 1;
            Ok(())
        };
        let counted = self.plan.resource_changes.iter().try_for_each(|bytes| count(bytes));
        counted.map_err(|error: Malformed| error.located("tfplan"))?;
        let counts = ActionKind::ALL.into_iter().map(|kind| (kind, counts[kind as usize]));
        Ok(counts.filter(|(_, count)| *count > 0).collect())
    }

    /// The refreshed state before the plan: a state file as a source.
    ///
    /// # Errors
    /// The part is damaged or too large.
    pub fn state(&self) -> Result<Option<Source<'a>>, PlanFileError> {
        self.archive.source(self.arena, "tfstate")
    }

    /// The stored state at the end of the previous run.
    ///
    /// # Errors
    /// The part is damaged or too large.
    pub fn previous_state(&self) -> Result<Option<Source<'a>>, PlanFileError> {
        self.archive.source(self.arena, "tfstate-prev")
    }

    /// The lock file of the providers.
    ///
    /// # Errors
    /// The part is damaged or too large.
    pub fn lock_file(&self) -> Result<Option<Source<'a>>, PlanFileError> {
        self.archive.source(self.arena, LOCK_FILE)
    }

    /// The schemas in the file, which OpenTofu 1.13 writes for all types that the plan uses.
    ///
    /// # Errors
    /// The part is damaged or too large.
    pub fn schemas(&self) -> Result<Option<BodySchemas<'a>>, PlanFileError> {
        let Some(source) = self.schemas_json()? else { return Ok(None) };
        let document = Document::parse_with(self.arena, source, &self.parse)
            .map_err(|error| PlanFileError::damaged(SCHEMAS, error.to_string()))?;
        let schemas = Schemas::of(document, &mut ());
        Ok(schemas.map(|schemas| BodySchemas::new(schemas).with_built_in(self.arena)))
    }

    /// The schemas as the JSON that `providers schema -json` prints, without descriptions.
    ///
    /// # Errors
    /// The part is damaged or too large.
    pub fn schemas_json(&self) -> Result<Option<Source<'a>>, PlanFileError> {
        let Some(bytes) = self.archive.read(self.arena, SCHEMAS)? else { return Ok(None) };
        let json = schemas::to_json(bytes).map_err(|error| error.located(SCHEMAS))?;
        let source = Source::copy_from(self.arena, SCHEMAS, &json);
        source.map(Some).map_err(|error| PlanFileError::damaged(SCHEMAS, error.to_string()))
    }

    /// The modules of the configuration with their files: the root module first, then by the names
    /// of the calls that lead to them.
    ///
    /// # Errors
    /// A part is damaged or too large.
    pub fn modules(&self) -> Result<Vec<SnapshotModule<'a>>, PlanFileError> {
        snapshot::read(self.arena, &self.archive)
    }
}

impl fmt::Debug for PlanFile<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlanFile")
            .field("terraform_version", &self.plan.terraform_version)
            .field("tool", &self.tool)
            .field("resource_changes", &self.plan.resource_changes.len())
            .finish_non_exhaustive()
    }
}
