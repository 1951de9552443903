//! The nodes and edges of a graph.

use serde::Serialize;

use crate::incomplete::Incomplete;
use crate::output::FORMAT_VERSION;

#[derive(Serialize)]
pub(super) struct Node {
    pub(super) id: String,
    pub(super) kind: &'static str,
    /// The path of the module that declares the node; the name of the node if that module is not
    /// read.
    pub(super) module: String,
    /// The version constraint of a call to a registry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) version: Option<String>,
    /// The address in the module, without its path.
    #[serde(skip)]
    pub(super) address: String,
}

impl Node {
    /// The type of a resource, data source, action or Packer source, which is in its address.
    pub(super) fn block_type(&self) -> Option<&str> {
        let mut parts = self.address.split('.');
        match self.kind {
            "resource" => parts.next(),
            "data" | "ephemeral" | "list" | "action" | "source" => parts.nth(1),
            _ => None,
        }
    }
}

#[derive(Serialize)]
pub(super) struct Edge {
    pub(super) from: String,
    pub(super) to: String,
}

/// Nodes and edges, for all formats.
#[derive(Serialize)]
pub(super) struct Drawing {
    pub(super) format_version: &'static str,
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<Edge>,
    pub(super) incomplete: Incomplete,
}

impl Drawing {
    /// Returns a drawing without gaps.
    pub(super) fn new(nodes: Vec<Node>, edges: Vec<Edge>) -> Self {
        let format_version = FORMAT_VERSION;
        Self { format_version, nodes, edges, incomplete: Incomplete::default() }
    }
}
