//! One resource instance of a state, in each format.

use std::borrow::Cow;
use std::io::{self, Write};

use simd_hcl::show::redact::Places;
use simd_hcl::show::{Content, Leaf, Leaves, Output, RawInstance, RawResource, Resource};
use simd_hcl::write::{Layout, ObjectWriter, to_string};

use crate::args;
use crate::output::Csv;
use crate::printed::{BOLD, DIM, RESET, Shown, readable};
use crate::values::Instance;
use crate::visible::visible;

/// One resource instance.
pub(super) struct Row<'a> {
    pub(super) address: Cow<'a, str>,
    module: Option<Cow<'a, str>>,
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
) -> io::Result<()> {
    let shows = arguments.selection.show_sensitive;
    for (name, output) in outputs {
        let is_hidden = output.sensitive().value() == Some(true) && !shows;
        let text = output.value().map(|node| String::from_utf8_lossy(node.text()));
        let text = match &text {
            _ if is_hidden => "(sensitive)".into(),
            Some(text) => readable(text),
            None => "(not known)".into(),
        };
        writeln!(out, "{BOLD}output.{}{RESET} = {}", visible(name), visible(&text))?;
    }
    Ok(())
}

/// Returns whether a leaf is sensitive: by its own mark, or by the sensitive paths of a state file.
fn is_secret(leaf: &Leaf<'_>, hidden: &Places) -> bool {
    match leaf.content {
        Content::Known(node) => leaf.is_sensitive || hidden.touch(node.span()),
        _ => leaf.is_sensitive,
    }
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
    pub(super) fn of(resource: Resource<'a>, module: Option<Cow<'a, str>>) -> Self {
        Self {
            address: resource.address().value().unwrap_or_default().into(),
            module,
            instance: Instance {
                mode: resource.mode().value().map_or("managed", |mode| mode.name()),
                resource_type: resource.resource_type().value().unwrap_or_default(),
                name: resource.name().value().unwrap_or_default(),
                index: resource.index().value(),
                deposed: resource.deposed_key().value(),
            },
            is_tainted: resource.tainted().value() == Some(true),
            provider: resource.provider_name().value().unwrap_or_default().into(),
            schema_version: resource.schema_version().value().unwrap_or_default(),
            leaves: resource.leaves(),
        }
    }

    /// An instance of a resource of a state file.
    pub(super) fn of_raw(resource: RawResource<'a>, instance: RawInstance<'a>) -> Self {
        let module = resource.module().value().filter(|module| !module.is_empty());
        Self {
            address: instance.address(resource).into(),
            module: module.map(Cow::Borrowed),
            instance: Instance {
                mode: resource.mode().value().map_or("managed", |mode| mode.name()),
                resource_type: resource.resource_type().value().unwrap_or_default(),
                name: resource.name().value().unwrap_or_default(),
                index: instance.index_key().value(),
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
        hidden: &Places,
        arguments: &args::State,
    ) -> io::Result<()> {
        write!(out, "{BOLD}{}{RESET}", visible(&self.address))?;
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
            let path = self.leaves.path().to_string();
            // The resource itself is not a leaf: it has no attributes.
            if path.is_empty() {
                continue;
            }
            let is_hidden = is_secret(&leaf, hidden) && !arguments.selection.show_sensitive;
            let shown = Shown { leaf: &leaf, is_hidden };
            writeln!(out, "      {}: {shown}", visible(&path))?;
        }
        Ok(())
    }

    /// Adds a record, or with `--values` one for each leaf.
    pub(super) fn record(&mut self, csv: &mut Csv<'_>, hidden: &Places, arguments: &args::State) {
        let mut cells =
            vec![self.address.to_string(), self.module.as_deref().unwrap_or_default().to_owned()];
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
            let is_sensitive = is_secret(&leaf, hidden);
            let value = match leaf.content {
                _ if is_sensitive && !arguments.selection.show_sensitive => String::new(),
                Content::Known(node) => to_string(Layout::Compact, |slot| slot.node(node)),
                Content::Null => "null".to_owned(),
                Content::Absent | Content::Unknown => String::new(),
            };
            cells.truncate(own);
            cells.extend([self.leaves.path().to_string(), value, is_sensitive.to_string()]);
            csv.record(&cells);
        }
    }

    pub(super) fn write(
        &mut self,
        mut object: ObjectWriter<'_, '_>,
        hidden: &Places,
        arguments: &args::State,
    ) {
        object.key("address").string(&self.address);
        if let Some(module) = &self.module {
            object.key("module_address").string(module);
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
            let is_sensitive = is_secret(&leaf, hidden);
            out.key("path").display(self.leaves.path());
            match leaf.content {
                _ if is_sensitive && !arguments.selection.show_sensitive => {}
                Content::Known(node) => out.key("value").node(node),
                Content::Null => out.key("value").null(),
                Content::Absent | Content::Unknown => {}
            }
            if is_sensitive {
                out.key("sensitive").bool(true);
            }
        }
    }
}
