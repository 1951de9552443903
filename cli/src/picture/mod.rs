//! Pictures of graphs and plans: nodes in nested groups, as a page ([`write_page`]) or as SVG
//! ([`svg`]).
//!
//! The script of the page is in `picture/`, whose `build` writes `assets/script.js.gz`.

pub(crate) mod instances;
mod layout;
pub(crate) mod svg;

use std::collections::HashMap;
use std::io::{self, Write};

use serde::Serialize;
use simd_hcl::compression::decompress;
use simd_hcl::{Arena, Source};

use crate::page;

const SCRIPT: &[u8] = include_bytes!("../../assets/script.js.gz");
/// The maximum length of the script, in bytes.
const MAX_SCRIPT: u64 = 1 << 20;

/// The content of a picture. Texts are visible already.
#[derive(Default, Serialize)]
pub(crate) struct Picture {
    pub(crate) title: String,
    /// One line about the whole.
    pub(crate) summary: String,
    /// The separator between the names of nested groups.
    pub(crate) separator: &'static str,
    /// The groups: the names from the outermost to the innermost.
    pub(crate) modules: Vec<Vec<String>>,
    pub(crate) nodes: Vec<PictureNode>,
    /// Indexes of nodes, two for each edge: what needs, and what is needed.
    pub(crate) edges: Vec<usize>,
    /// The list beside the picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) changes: Option<Vec<PictureChange>>,
    /// The name of an entry of the list: `change` or `resource`.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) noun: &'static str,
    #[serde(skip)]
    groups: HashMap<Vec<String>, usize>,
}

/// Label, kind and group of a node.
#[derive(Serialize)]
pub(crate) struct PictureNode(pub(crate) String, pub(crate) &'static str, pub(crate) usize);

/// An entry of the list of changes.
#[derive(Serialize)]
pub(crate) struct PictureChange {
    pub(crate) title: String,
    pub(crate) kind: &'static str,
    /// The part of the list: `change`, `output`, `check`, `drift`, `deferred`, `action` or `resource`.
    pub(crate) section: &'static str,
    /// The address of the module instance; empty for the root module.
    pub(crate) module: String,
    pub(crate) notes: Vec<String>,
    pub(crate) node: Option<usize>,
    /// Path, value before, value after, and a note.
    pub(crate) leaves: Vec<[String; 4]>,
}

impl Picture {
    pub(crate) fn new(title: impl Into<String>, separator: &'static str) -> Self {
        Self { title: title.into(), separator, ..Self::default() }
    }

    /// Adds a node, and returns its index.
    pub(crate) fn add(&mut self, label: String, kind: &'static str, group: Vec<String>) -> usize {
        let groups = &mut self.groups;
        let next = groups.len();
        let place = *groups.entry(group).or_insert_with_key(|group| {
            self.modules.push(group.clone());
            next
        });
        self.nodes.push(PictureNode(label, kind, place));
        self.nodes.len() - 1
    }
}

/// Writes a page that needs no other file.
pub(crate) fn write_page(picture: &Picture, out: &mut dyn Write) -> io::Result<()> {
    let arena = Arena::new();
    let script = Source::from_bytes(&arena, "script.js.gz", SCRIPT).map_err(io::Error::other)?;
    let script = decompress(&arena, script, MAX_SCRIPT).map_err(io::Error::other)?;
    page::write(&picture.title, script.bytes(), picture, out)
}
