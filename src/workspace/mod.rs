//! The resident tree: all modules below some directories, kept up to date while files change.
//!
//! A [`Workspace`] has one writer: edits of open files, and changes on disk, in the order in which
//! they arrive. After each one it publishes a [`Snapshot`], which never changes and is shared
//! between threads: readers neither wait for a writer nor are interrupted by one. A slow reader
//! asks its [`Cancel`] whether the answer is still wanted.
//!
//! The facts that are kept of a module ([`ModuleFacts`]) borrow nothing: its findings, its
//! interface, its [`Places`](crate::facts::Places), its objects and calls. The files are parsed
//! again when more is asked for: [`Snapshot::tree`]. Of units of Terragrunt, findings are kept.
//!
//! An edit reads its module again, with the modules that it calls. Its callers are read again only
//! if they see a difference: another [`Interface`](crate::facts::Interface), a file that a finding
//! of theirs points to, or versions of providers. A change that no part of the tree can show by
//! itself (a cycle of calls, new or deleted modules) loads everything again. The findings of a
//! snapshot are always those of a workspace that is opened with the same texts.
//!
//! ```
//! use simd_hcl::workspace::{Options, Workspace};
//!
//! let directory = std::env::temp_dir().join(format!("workspace-{}", std::process::id()));
//! std::fs::create_dir_all(&directory)?;
//! let file = directory.join("main.tf");
//! std::fs::write(&file, "output \"size\" {\n  value = var.size\n}\n")?;
//!
//! let mut workspace = Workspace::open(vec![directory.clone()], Options::default());
//! let before = workspace.snapshot();
//! workspace.edit(&file, (*b"variable \"size\" {}\noutput \"size\" {\n  value = var.size\n}\n").into());
//! let after = workspace.snapshot();
//! assert_eq!(before.findings(&file).len(), 1);
//! assert_eq!(after.findings(&file).len(), 0);
//! # std::fs::remove_dir_all(&directory)?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod beside;
mod buffers;
mod cancel;
mod context;
mod facts;
mod listing;
mod load;
mod options;
mod snapshot;
mod unit_facts;
mod units;
mod update;

pub use self::beside::AddedErrors;
pub use self::cancel::Cancel;
pub use self::facts::{CallFacts, Finding, ModuleFacts, ObjectFacts};
pub use self::options::{Judge, Options};
pub use self::snapshot::{FileId, Snapshot};
pub use self::update::{Changed, Workspace};
