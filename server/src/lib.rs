//! Servers that answer from a resident tree: [`lsp`] speaks the Language Server Protocol,
//! [`mcp`] the Model Context Protocol.
//!
//! The library computes the answers, in paths and byte spans. The servers read messages, keep the
//! texts of open files, and turn answers into the protocol's terms.

pub mod lsp;
pub mod mcp;
mod wire;
