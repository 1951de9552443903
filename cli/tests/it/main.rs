//! The binary as its users run it: output, exit status, formats. One binary of modules, one for
//! each command.
#![allow(clippy::unwrap_used)]

mod tool;

mod affected;
mod agree;
mod archive;
mod change;
mod check;
mod config;
mod console;
mod convert;
mod decode;
mod deployments;
mod diff;
mod docs;
mod encodings;
mod eval;
mod events;
mod expand;
mod explain;
mod faults;
mod file_secrets;
mod fix;
mod fmt;
mod graph;
mod hostile;
mod init;
mod inspect;
mod language;
mod layers;
mod links;
mod lint;
mod log_commands;
mod lsp;
#[cfg(feature = "lsp")]
mod mcp;
mod native;
mod order;
mod overview;
mod own_rules;
mod paths;
mod plan_file;
mod plan_source;
mod policy;
mod program;
mod query;
mod refactorings;
mod references;
mod rename;
mod review;
mod rows;
mod schemas;
mod secrets;
mod settings;
mod show;
mod shown;
mod situations;
mod spec;
mod special_files;
mod stream;
mod templates;
mod terminal;
mod unit_secrets;
mod unit_values;
mod units;
