//! The rows that `dependents` prints, and the objects that it starts at.

use std::collections::BTreeSet;
use std::io::{self, Write};

use serde::Serialize;

use crate::incomplete::Incomplete;
use crate::output::{self, Csv};
use crate::visible::visible;

#[derive(Serialize)]
pub(super) struct Row {
    pub(super) address: String,
    pub(super) module: String,
    pub(super) distance: u32,
    /// The object that it depends on directly; for a start object, itself.
    pub(super) via: String,
}

impl output::Row for Row {
    const MEMBER: Option<&'static str> = Some("dependents");
    const COLUMNS: &'static [&'static str] = &["address", "module", "distance", "via"];

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { address, module, distance, via } = self;
        let [address, module, via] = [address, module, via].map(|text| visible(text));
        writeln!(out, "{distance:>4}  {module}  {address}  (via {via})")
    }

    fn records(&self, out: &mut Csv<'_>) {
        let Self { address, module, distance, via } = self;
        out.record([address, module, &distance.to_string(), via]);
    }
}

/// The start objects by number, and whole modules.
#[derive(Default)]
pub(super) struct Starts {
    pub(super) objects: Vec<u32>,
    pub(super) modules: Vec<usize>,
    /// Starts that are no objects: the module, and the address.
    pub(super) others: BTreeSet<(usize, String)>,
    /// The start objects of each template: its index, and the numbers of the objects.
    pub(super) templates: Vec<(usize, Vec<u32>)>,
    /// The files that could not be resolved.
    pub(super) incomplete: Incomplete,
}

impl Starts {
    pub(super) fn is_empty(&self) -> bool {
        let Self { objects, modules, others, templates, .. } = self;
        objects.is_empty() && modules.is_empty() && others.is_empty() && templates.is_empty()
    }
}
