//! Rows of plans and states: the data about them that every interface prints.
//!
//! A row is a `Copy` view of an entry of a document. Its columns are declared once, by a macro: name,
//! type, documentation, and how the value is read. The command line, tables, Python, JavaScript and
//! pages only render them, so that they cannot differ.
//!
//! Each accessor takes the [`Shown`](super::Shown) of the document, so that no interface gets a
//! name, a text or a value that is hidden. Nothing is read before it is asked for: reading the
//! address, the type and the actions of a sealed change does not open it.
//!
//! | row | of |
//! |---|---|
//! | [`Change`] | `resource_changes` and `resource_drift` |
//! | [`Leaf`] | a value that a change modifies |
//! | [`Instance`] | a resource of a printed state, a state file of any version, or of values in a plan |
//! | [`Attribute`] | a value of an instance |
//! | [`OutputChange`], [`Output`] | an output in a plan, an output in a state |
//! | [`Variable`] | a variable of the root module |
//! | [`Check`], [`CheckInstance`] | a block with conditions, and an instance of it |
//! | [`Action`] | an action that is invoked |
//! | [`Deferred`] | a change or an action that is deferred to a later plan |
//! | [`Summary`] | the numbers of changes by kind |
//!
//! ```
//! use simd_hcl::show::rows::{Cell, Row};
//! use simd_hcl::show::{Plan, Shown, redact};
//! use simd_hcl::{Arena, Document};
//!
//! let arena = Arena::new();
//! let json = br#"{"format_version":"1.2","planned_values":{},"resource_changes":[{
//!     "address":"a_b.c","mode":"managed","type":"a_b","name":"c","change":{"actions":["create"]}}]}"#;
//! let document = Document::parse_bytes(&arena, "plan.json", json)?;
//! let plan = Plan::of(document, &mut ()).unwrap();
//! let shown = Shown::of_plan(plan, redact::Options::default());
//! let change = plan.change_rows().next().unwrap();
//! assert_eq!(change.address(&shown).as_deref(), Some("a_b.c"));
//! assert!(matches!(change.cell("action", &shown), Cell::Text(text) if text == "create"));
//! assert!(matches!(change.cell("provider_name", &shown), Cell::Absent));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod action;
mod cell;
mod change;
mod checks;
mod instance;
mod leaf;
mod output;
mod summary;

pub use self::action::{Action, Deferred};
pub use self::cell::{Cell, Column, ColumnType, Row, Value};
pub use self::change::{Change, ChangeKind};
pub use self::checks::{Check, CheckInstance};
pub use self::instance::Instance;
pub use self::leaf::{Attribute, Attributes, Leaf};
pub use self::output::{Output, OutputChange, Variable};
pub use self::summary::Summary;
