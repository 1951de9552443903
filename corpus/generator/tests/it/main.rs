//! The promises of the generators. One binary, since each links all that it tests.

mod common;
mod config;
mod plan;
mod tree;
