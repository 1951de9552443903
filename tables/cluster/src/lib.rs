//! The tables on a cluster, by Ballista: the messages between its programs, and the programs.
//!
//! The client plans a query as the embedded engine does, with a [`scan::PartScan`] for each table
//! of sources: its input has the files of each partition as rows ([`parts`]), so that the scheduler
//! can divide it among executors. [`codec::Codec`] encodes the operator. [`client::Cluster`] is the
//! engine of `simd-hcl sql --cluster`; [`scheduler`] and [`executor`] are the programs that it
//! needs.

pub mod client;
pub mod codec;
pub mod executor;
mod log;
pub mod parts;
pub mod scan;
pub mod scheduler;
