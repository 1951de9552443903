//! One resource instance of a state, in each format.

use std::borrow::Cow;
use std::io::{self, Write};

use simd_hcl::Node;
use simd_hcl::show::{Content, Leaves, Output, RawInstance, RawResource, Resource, Shown};
use simd_hcl::write::{Layout, ObjectWriter, to_string};

use crate::args;
use crate::output::Csv;
use crate::printed::{BOLD, DIM, LeafText, RESET, readable};
use crate::values::{Instance, key_of};
use crate::visible::visible;

/// One resource instance.
pub(super) struct Row<'a> {
    pub(super) address: Cow<'a, str>,
    module: Option<Cow<'a, str>>,
    /// The document of the row.
    of: Node<'a>,
    pub(super) instance: Instance<'a>,
    is_tainted: bool,
    provider: Cow<'a, str>,
    schema_version: u64,
    leaves: Leaves<'a>,
}

/// Prints outputs for people.
pub(super) fn print_outputs(
    outputs: &[(&str, Output<'_>)],
    out: &mut dyn Write,
    arguments: &args::State,
    shown: &Shown,
) -> io::Result<()> {
    for (name, output) in outputs {
        let text = output.value().map(|node| String::from_utf8_lossy(node.text()));
        let text = match &text {
            _ if is_hidden_output(*output, arguments, shown) => "(sensitive)".into(),
            Some(text) => readable(text),
            None => "(not known)".into(),
        };
        let name = shown.name(output.object().node(), name);
        writeln!(out, "{BOLD}output.{}{RESET} = {}", visible(&name), visible(&text))?;
    }
    Ok(())
}

/// Returns whether the value of an output is not printed.
pub(super) fn is_hidden_output(output: Output<'_>, arguments: &args::State, shown: &Shown) -> bool {
    let is_sensitive = output.sensitive().value() == Some(true);
    is_sensitive && !arguments.selection.show_sensitive
        || output.value().is_some_and(|value| shown.hides_node(value))
}

/// The CSV columns before those of an instance.
const ADDRESSES: [&str; 2] = ["address", "module_address"];
/// The CSV columns after those of an instance.
const RESOURCE: [&str; 3] = ["tainted", "provider_name", "schema_version"];

/// Adds the names of the columns.
pub(super) fn header(csv: &mut Csv<'_>, arguments: &args::State) {
    let columns: &[&str] = if arguments.values { &["path", "value", "sensitive"] } else { &[] };
    let of_row = ADDRESSES.iter().chain(&Instance::COLUMNS).chain(&RESOURCE);
    csv.record(of_row.chain(columns));
}

impl<'a> Row<'a> {
    /// A resource of a printed state.
    pub(super) fn of(resource: Resource<'a>, module: Option<Cow<'a, str>>, shown: &Shown) -> Self {
        let of = resource.object().node();
        Self {
            address: resource.address().value().unwrap_or_default().into(),
            module,
            of,
            instance: Instance {
                mode: resource.mode().value().map_or("managed", |mode| mode.name()),
                resource_type: resource.resource_type().value().unwrap_or_default(),
                name: shown.name(of, resource.name().value().unwrap_or_default()),
                index: key_of(resource.index().value(), of, shown),
                deposed: resource.deposed_key().value(),
            },
            is_tainted: resource.tainted().value() == Some(true),
            provider: resource.provider_name().value().unwrap_or_default().into(),
            schema_version: resource.schema_version().value().unwrap_or_default(),
            leaves: resource.leaves(),
        }
    }

    /// An instance of a resource of a state file.
    pub(super) fn of_raw(
        resource: RawResource<'a>,
        instance: RawInstance<'a>,
        shown: &Shown,
    ) -> Self {
        let of = resource.object().node();
        let module = resource.module().value().filter(|module| !module.is_empty());
        Self {
            address: instance.address(resource).into(),
            module: module.map(Cow::Borrowed),
            of,
            instance: Instance {
                mode: resource.mode().value().map_or("managed", |mode| mode.name()),
                resource_type: resource.resource_type().value().unwrap_or_default(),
                name: shown.name(of, resource.name().value().unwrap_or_default()),
                index: key_of(instance.index_key().value(), of, shown),
                deposed: instance.deposed().value(),
            },
            is_tainted: instance.status().value() == Some("tainted"),
            provider: resource.provider_name().unwrap_or_default().to_owned().into(),
            schema_version: instance.schema_version().value().unwrap_or_default(),
            leaves: instance.leaves(),
        }
    }

    /// Prints it for people.
    pub(super) fn print(
        &mut self,
        out: &mut dyn Write,
        shown: &Shown,
        arguments: &args::State,
    ) -> io::Result<()> {
        write!(out, "{BOLD}{}{RESET}", visible(&shown.name(self.of, &self.address)))?;
        if let Some(deposed) = self.instance.deposed {
            write!(out, " {DIM}(deposed object {}){RESET}", visible(deposed))?;
        }
        if self.is_tainted {
            write!(out, " {DIM}(tainted){RESET}")?;
        }
        writeln!(out, " {DIM}{}{RESET}", visible(&self.provider))?;
        while arguments.values
            && let Some(leaf) = self.leaves.next()
        {
            let path = shown.path(self.leaves.path());
            // The resource itself is not a leaf: it has no attributes.
            if path.is_empty() {
                continue;
            }
            let text = LeafText { leaf: &leaf, is_hidden: shown.hides_leaf(&leaf) };
            writeln!(out, "      {}: {text}", visible(&path))?;
        }
        Ok(())
    }

    /// Adds a record, or with `--values` one for each leaf.
    pub(super) fn record(&mut self, csv: &mut Csv<'_>, shown: &Shown, arguments: &args::State) {
        let name = |name| shown.name(self.of, name).into_owned();
        let module = self.module.as_deref().unwrap_or_default();
        let mut cells = vec![name(&self.address), name(module)];
        cells.extend(self.instance.cells());
        cells.extend([
            self.is_tainted.to_string(),
            self.provider.to_string(),
            self.schema_version.to_string(),
        ]);
        let own = cells.len();
        if !arguments.values {
            csv.record(&cells);
            return;
        }
        while let Some(leaf) = self.leaves.next() {
            if self.leaves.path().steps().is_empty() {
                continue;
            }
            let is_hidden = shown.hides_leaf(&leaf);
            let is_sensitive = leaf.is_sensitive || is_hidden;
            let value = match leaf.content {
                _ if is_hidden => String::new(),
                Content::Known(node) => to_string(Layout::Compact, |slot| slot.node(node)),
                Content::Null => "null".to_owned(),
                Content::Absent | Content::Unknown => String::new(),
            };
            cells.truncate(own);
            cells.extend([shown.path(self.leaves.path()), value, is_sensitive.to_string()]);
            csv.record(&cells);
        }
    }

    pub(super) fn write(
        &mut self,
        mut object: ObjectWriter<'_, '_>,
        shown: &Shown,
        arguments: &args::State,
    ) {
        object.key("address").string(&shown.name(self.of, &self.address));
        if let Some(module) = &self.module {
            object.key("module_address").string(&shown.name(self.of, module));
        }
        self.instance.write(&mut object);
        if self.is_tainted {
            object.key("tainted").bool(true);
        }
        object.key("provider_name").string(&self.provider);
        object.key("schema_version").unsigned(self.schema_version);
        if !arguments.values {
            return;
        }
        let mut list = object.key("values").array();
        while let Some(leaf) = self.leaves.next() {
            if self.leaves.path().steps().is_empty() {
                continue;
            }
            let mut out = list.element().object();
            let is_hidden = shown.hides_leaf(&leaf);
            out.key("path").string(&shown.path(self.leaves.path()));
            match leaf.content {
                _ if is_hidden => {}
                Content::Known(node) => out.key("value").node(node),
                Content::Null => out.key("value").null(),
                Content::Absent | Content::Unknown => {}
            }
            if leaf.is_sensitive || is_hidden {
                out.key("sensitive").bool(true);
            }
        }
    }
}
