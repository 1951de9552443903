//! Configuration, plans, states and schemas of providers as tables of Arrow.
//!
//! [`source::Sources::find`] finds what some paths contain, and [`scan::read_units`] turns parts of it
//! into record batches, with the columns that are asked for. [`columns::TABLES`] lists the tables;
//! `docs/tables.md` documents them. [`export`] writes them to a directory, and reads again only what
//! has changed.
//!
//! ```
//! use simd_hcl_tables::columns::RESOURCES;
//! use simd_hcl_tables::scan::{ReadOptions, Wanted, read_units};
//! use simd_hcl_tables::source::{FindOptions, Sources};
//!
//! let sources = Sources::find(&["../corpus/monorepo".into()], FindOptions::default());
//! let units = sources.units(&RESOURCES);
//! let mut count = 0;
//! let take = Box::new(|_, batch: arrow::array::RecordBatch| {
//!     count += batch.num_rows();
//!     true
//! });
//! let wanted = [Wanted::all(&RESOURCES)];
//! let gaps = read_units(&sources, &units, &wanted, ReadOptions::default(), &|_| true, take)?;
//! assert!(gaps.is_empty() && count > 0);
//! # Ok::<(), arrow::error::ArrowError>(())
//! ```

mod collect;
pub mod columns;
mod component;
mod copies;
pub mod docs;
mod document;
pub mod export;
mod file;
mod hash;
mod module;
pub mod scan;
pub mod source;
pub mod table;
mod tree;
mod unit;

pub use self::file::json_of;
