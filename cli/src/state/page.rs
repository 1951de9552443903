//! A state as a page: the list of resources, and a picture of their dependencies.

use std::collections::BTreeSet;
use std::io;

use super::Report;
use super::row::{NO_ADDRESS, output_text};
use crate::args;
use crate::output;
use crate::picture::instances::{Instances, block_of, common_depth, module_in};
use crate::picture::{self, Picture, PictureChange};
use crate::rows::{ValueText, text};
use crate::stats::count;
use crate::visible::visible;

impl Report<'_> {
    pub(super) fn write_page(&self, arguments: &args::State) -> io::Result<()> {
        let resources = count(self.rows.len(), "resource");
        let mut picture = Picture::new(format!("State: {resources}"), ".");
        let mut entries = Vec::new();
        let mut instances = Instances::default();
        // Instances of a block have the same dependencies, or those of an earlier apply.
        let mut needs: BTreeSet<(String, &str)> = BTreeSet::new();
        for row in &self.rows {
            let shown = row.address(&self.shown);
            let shown = shown.as_deref().unwrap_or(NO_ADDRESS);
            let address = row.full_address().unwrap_or_default();
            let is_data = row.mode(&self.shown).is_some_and(|mode| mode == "data");
            let kind = if is_data { "data" } else { "resource" };
            let node = instances.add(&mut picture, (&address, shown), kind);
            if let Some(block) = block_of(&address) {
                needs.extend(row.dependencies().map(|target| (block.clone(), target)));
            }
            let mut notes = Vec::new();
            if let Some(deposed) = row.deposed(&self.shown) {
                notes.push(format!("(deposed object {})", visible(&deposed)));
            }
            if row.is_tainted(&self.shown) {
                notes.push("(tainted)".to_owned());
            }
            notes.push(visible(&text(row.provider_name(&self.shown))).into_owned());
            let mut leaves = Vec::new();
            let mut attributes = row.attributes();
            while arguments.values
                && let Some(attribute) = attributes.next()
            {
                let value = attribute.value(&self.shown);
                let value = ValueText { value, is_partly_unknown: false }.to_string();
                let path = visible(&text(attribute.path(&self.shown))).into_owned();
                leaves.push([path, String::new(), value, String::new()]);
            }
            entries.push(PictureChange {
                title: visible(shown).into_owned(),
                kind,
                section: "resource",
                module: module_in(shown),
                notes,
                node: Some(node),
                leaves,
            });
        }
        let mut is_whole = true;
        for (from, to) in &needs {
            is_whole &= instances.link(&mut picture, (from, to), common_depth(from, to));
        }
        for output in &self.outputs {
            let value = output_text(*output, arguments, &self.shown);
            entries.push(PictureChange {
                title: format!("output.{}", visible(&text(output.name(&self.shown)))),
                kind: "output",
                section: "output",
                module: String::new(),
                notes: Vec::new(),
                node: None,
                leaves: vec![["value".to_owned(), String::new(), value, String::new()]],
            });
        }
        let mut summary = count(picture.edges.len() / 2, "edge");
        if !is_whole {
            summary.push_str(", more are not drawn");
        }
        for gap in self.gaps().iter() {
            summary.push_str(&format!("; incomplete: {gap}"));
        }
        picture.summary = summary;
        picture.noun = "resource";
        picture.changes = Some(entries);
        output::data(|out| picture::write_page(&picture, out))
    }
}
