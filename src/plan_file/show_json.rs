//! Writes the whole plan in the format of `show -json`.

use rayon::prelude::*;

use super::actions::{Action, deferred_reason, is_deleted_data};
use super::change::Entry;
use super::checks::Check;
use super::convert::Converter;
use super::error::{Incomplete, Malformed, PlanFileError};
use super::gaps::Gaps;
use super::message;
use super::shape::Shapes;
use super::text::{List, push_json};
use super::tool::Tool;
use super::tree::{Modules, compare};
use super::{PlanFile, state};
use crate::document::Document;
use crate::json::Node;
use crate::show::{BodySchemas, ResourceMode};

/// Options for printing a plan.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct ShowOptions<'o, 'a> {
    /// The schemas of providers. They have priority over those in the file.
    pub schemas: Option<&'o BodySchemas<'a>>,
    /// The configuration, in the format of [`representation::write`](crate::representation::write),
    /// for the modules in the file.
    pub configuration: Option<Node<'a>>,
}

impl<'o, 'a> ShowOptions<'o, 'a> {
    /// Sets the schemas of providers.
    #[must_use]
    pub const fn with_schemas(mut self, schemas: Option<&'o BodySchemas<'a>>) -> Self {
        self.schemas = schemas;
        self
    }

    /// Sets the configuration.
    #[must_use]
    pub const fn with_configuration(mut self, configuration: Option<Node<'a>>) -> Self {
        self.configuration = configuration;
        self
    }
}

/// The output of `show -json`, and its gaps.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Shown {
    /// The JSON, on one line without a line feed.
    pub json: Vec<u8>,
    /// The parts that are missing or uncertain.
    pub incomplete: Vec<Incomplete>,
}

impl<'a> PlanFile<'a> {
    /// The plan in the format of `show -json`, and its gaps.
    ///
    /// # Errors
    /// A part is damaged or too large.
    pub fn show_json(&self, options: &ShowOptions<'_, 'a>) -> Result<Shown, PlanFileError> {
        let embedded = match options.schemas {
            None => self.schemas()?,
            Some(_) => None,
        };
        let shapes = Shapes::new(self.arena, options.schemas.or(embedded.as_ref()));
        let printed = Printed { file: self, options, shapes: &shapes };
        let (result, state) = rayon::join(|| printed.write_before_state(), || printed.state());
        let (mut out, mut gaps) = result.map_err(|error| error.located("tfplan"))?;
        let (state, of_state) = state?;
        gaps.merge(of_state);
        let mut incomplete = gaps.into_list();
        if let Some(state) = state {
            out.extend_from_slice(b",\"prior_state\":");
            out.extend_from_slice(&state);
        }
        printed.write_rest(&mut out, &mut incomplete).map_err(|error| error.located("tfplan"))?;
        Ok(Shown { json: out, incomplete })
    }
}

/// The sources of the output.
struct Printed<'s, 'a> {
    file: &'s PlanFile<'a>,
    options: &'s ShowOptions<'s, 'a>,
    shapes: &'s Shapes<'s, 'a>,
}

/// An output of the root module.
struct Output<'a> {
    name: &'a str,
    /// The change.
    change: Vec<u8>,
    /// The planned value.
    planned: Option<Vec<u8>>,
}

impl<'a> Printed<'_, 'a> {
    fn converter(&self) -> Converter<'_, 'a> {
        Converter::new(self.file.arena, self.shapes, self.file.tool)
    }

    /// Converts changes on all threads, and sorts them as the tools do.
    fn entries(&self, changes: &[&'a [u8]]) -> Result<(Vec<Entry<'a>>, Gaps), Malformed> {
        const PIECE: usize = 256;
        let pieces: Vec<_> = changes
            .par_chunks(PIECE)
            .map(|piece| {
                let mut converter = self.converter();
                let entries: Result<Vec<Entry<'a>>, Malformed> =
                    piece.iter().map(|bytes| converter.resource_change(bytes)).collect();
                entries.map(|entries| (entries, converter.gaps))
            })
            .collect::<Result<_, _>>()?;
        let (mut entries, mut gaps) = (Vec::with_capacity(changes.len()), Gaps::default());
        for (piece, of_piece) in pieces {
            entries.extend(piece);
            gaps.merge(of_piece);
        }
        Ok((entries, gaps))
    }

    /// The state before the plan.
    fn state(&self) -> Result<(Option<Vec<u8>>, Gaps), PlanFileError> {
        let Some(source) = self.file.state()? else { return Ok((None, Gaps::default())) };
        let document = Document::parse_with(self.file.arena, source, &self.file.parse)
            .map_err(|error| PlanFileError::damaged("tfstate", error.to_string()))?;
        let mut converter = self.converter();
        let written = state::write(self.file.arena, document, &mut converter);
        Ok((written, converter.gaps))
    }

    /// All members before `prior_state`.
    fn write_before_state(&self) -> Result<(Vec<u8>, Gaps), Malformed> {
        let plan = &self.file.plan;
        // OpenTofu, and Terraform before 1.16, keep forgotten resources in the planned values.
        let (_, minor) = versions(plan.terraform_version);
        let expects_forgotten = self.file.tool == Tool::OpenTofu || minor < 16;
        let mut converter = self.converter();
        let (mut changes, mut gaps) = self.entries(&plan.resource_changes)?;

        // Planned values keep the order of the file, changes are sorted.
        let mut modules = Modules::new();
        for (at, entry) in changes.iter().enumerate() {
            let is_there = !Action::of(entry.action)?.removes(expects_forgotten)
                && entry.place.mode() != ResourceMode::Ephemeral;
            if is_there && entry.deposed.is_empty() {
                modules.push(&entry.place.address.modules, at);
            }
        }
        modules.sort_resources(|one, other| {
            let text = |at: &usize| changes.get(*at).map(|entry| entry.place.text);
            text(one).cmp(&text(other))
        });
        modules.sort_modules(false);

        let outputs = self.outputs(&mut converter)?;
        let mut out = Vec::new();
        let mut root = List::object(&mut out);
        let (format, _) = versions(plan.terraform_version);
        root.string("format_version", format);
        root.some_string("terraform_version", plan.terraform_version);
        self.write_variables(&mut converter, &mut root)?;
        let mut planned = List::object(root.key("planned_values"));
        if outputs.iter().any(|output| output.planned.is_some()) {
            let mut list = List::object(planned.key("outputs"));
            for output in &outputs {
                if let Some(planned) = &output.planned {
                    list.json(output.name, planned);
                }
            }
            list.end();
        }
        modules.write(planned.key("root_module"), |at, out| {
            if let Some(entry) = changes.get(*at) {
                entry.write_planned(out);
            }
        });
        planned.end();
        drop(modules);

        let (mut drift, of_drift) = self.entries(&plan.resource_drift)?;
        gaps.merge(of_drift);
        // A refresh-only plan also lists moved objects.
        const REFRESH_ONLY: u64 = 2;
        drift.retain(|entry| {
            plan.mode == REFRESH_ONLY || Action::of(entry.action) != Ok(Action::NoOp)
        });
        sort(&mut drift);
        write_entries("resource_drift", &drift, &mut root);
        sort(&mut changes);
        write_entries("resource_changes", &changes, &mut root);
        drop(changes);

        self.write_deferred(&mut converter, &mut root)?;
        if !outputs.is_empty() {
            let mut list = List::object(root.key("output_changes"));
            outputs.iter().for_each(|output| list.json(output.name, &output.change));
            list.end();
        }
        if !plan.action_invocations.is_empty() {
            let mut list = List::array(root.key("action_invocations"));
            for invocation in &plan.action_invocations {
                converter.invocation(invocation, list.element())?;
            }
            list.end();
        }
        gaps.merge(converter.gaps);
        Ok((out, gaps))
    }

    /// The outputs by name: the change, and the planned value.
    fn outputs(&self, converter: &mut Converter<'_, 'a>) -> Result<Vec<Output<'a>>, Malformed> {
        let mut outputs = Vec::new();
        for bytes in &self.file.plan.output_changes {
            let output = message::OutputChange::read(bytes)?;
            let mut change = Vec::new();
            let planned = converter.output_change(&output, &mut change)?;
            outputs.push(Output { name: output.name, change, planned });
        }
        outputs.sort_by_key(|output| output.name);
        Ok(outputs)
    }

    /// Writes the variables that were set, and the defaults of others.
    fn write_variables(
        &self,
        converter: &mut Converter<'_, 'a>,
        root: &mut List<'_>,
    ) -> Result<(), Malformed> {
        let mut variables: Vec<(&str, Vec<u8>)> = Vec::new();
        for bytes in &self.file.plan.variables {
            let entry = message::Entry::read(bytes)?;
            let mut value = Vec::new();
            converter.variable(entry.value, &mut value)?;
            variables.push((entry.key, value));
        }
        variables.sort_by_key(|(name, _)| *name);
        let set = variables.len();
        let member = |node: Node<'a>, name| node.as_object().and_then(|object| object.get(name));
        let declared = self.options.configuration.and_then(|node| member(node, "root_module"));
        let declared =
            declared.and_then(|node| member(node, "variables")).and_then(Node::as_object);
        for declared in declared.into_iter().flat_map(|declared| declared.members()) {
            let name = declared.name().to_str();
            let is_set = variables[..set].binary_search_by_key(&name, |(name, _)| name).is_ok();
            if let Some(default) = member(declared.value(), "default").filter(|_| !is_set) {
                let mut value = Vec::new();
                push_json(&mut value, default.text());
                variables.push((name, value));
            }
        }
        variables.sort_by_key(|(name, _)| *name);
        if !variables.is_empty() {
            let mut list = List::object(root.key("variables"));
            for (name, value) in variables {
                let mut variable = List::object(list.key(name));
                variable.json("value", &value);
                variable.end();
            }
            list.end();
        }
        Ok(())
    }

    fn write_deferred(
        &self,
        converter: &mut Converter<'_, 'a>,
        root: &mut List<'_>,
    ) -> Result<(), Malformed> {
        let plan = &self.file.plan;
        if !plan.deferred_changes.is_empty() {
            let mut entries = Vec::new();
            for bytes in &plan.deferred_changes {
                let deferred = message::Deferred::read(bytes)?;
                let reason = message::Reason::read(deferred.deferred)?.reason;
                entries.push((converter.resource_change(deferred.content)?, reason));
            }
            entries.sort_by(|(one, _), (other, _)| order(one, other));
            let mut list = List::array(root.key("deferred_changes"));
            for (entry, reason) in entries {
                let mut object = List::object(list.element());
                object.string("reason", deferred_reason(reason));
                object.json("resource_change", &entry.json);
                object.end();
            }
            list.end();
        }
        if !plan.deferred_action_invocations.is_empty() {
            let mut list = List::array(root.key("deferred_action_invocations"));
            for bytes in &plan.deferred_action_invocations {
                let deferred = message::Deferred::read(bytes)?;
                let reason = message::Reason::read(deferred.deferred)?.reason;
                let mut object = List::object(list.element());
                object.string("reason", deferred_reason(reason));
                converter.invocation(deferred.content, object.key("action_invocation"))?;
                object.end();
            }
            list.end();
        }
        Ok(())
    }

    /// All members after `prior_state`, and the end.
    fn write_rest(
        &self,
        out: &mut Vec<u8>,
        incomplete: &mut Vec<Incomplete>,
    ) -> Result<(), Malformed> {
        let plan = &self.file.plan;
        // Continues the list of members after `prior_state`.
        let mut root = List::resume_object(out);
        match self.options.configuration {
            Some(configuration) => push_json(root.key("configuration"), configuration.text()),
            None => {
                root.json("configuration", br#"{"root_module":{}}"#);
                let why = "it was not read".into();
                incomplete.push(Incomplete {
                    what: "configuration",
                    place: "tfconfig".into(),
                    why,
                });
            }
        }
        let mut converter = self.converter();
        // Terraform before 1.2 uses this field for other data.
        let (_, minor) = versions(plan.terraform_version);
        if !plan.relevant_attributes.is_empty() && minor >= 2 {
            let mut attributes = Vec::new();
            for bytes in &plan.relevant_attributes {
                let attribute = message::RelevantAttribute::read(bytes)?;
                let mut path = Vec::new();
                converter.path(attribute.path, &mut path)?;
                attributes.push((attribute.resource, path));
            }
            // The tools print them in random order.
            attributes.sort_unstable();
            let mut list = List::array(root.key("relevant_attributes"));
            for (resource, path) in attributes {
                let mut object = List::object(list.element());
                object.string("resource", resource);
                object.json("attribute", &path);
                object.end();
            }
            list.end();
        }
        if !plan.check_results.is_empty() {
            let mut checks = Check::of_plan(&plan.check_results)?;
            Check::write_all(&mut checks, root.key("checks"));
        }
        root.some_string("timestamp", plan.timestamp);
        if self.file.tool == Tool::Terraform && minor >= 8 {
            root.bool("applyable", plan.applyable);
            root.bool("complete", plan.complete);
        }
        if minor >= 6 {
            root.bool("errored", plan.errored);
        }
        root.end();
        Ok(())
    }
}

/// The version of the format that a version of a tool prints, and the minor version of the tool.
/// Invalid versions count as the newest tool; the minor version is 0 for all before 1.1.
fn versions(tool: &str) -> (&'static str, u64) {
    let mut numbers = tool.split(['.', '-', '+']).map(str::parse::<u64>);
    let minor = match (numbers.next(), numbers.next()) {
        (Some(Ok(1)), Some(Ok(minor))) => minor,
        (Some(Ok(0)), _) => 0,
        _ => u64::MAX,
    };
    let format = match minor {
        0 => "0.2",
        1 => "1.0",
        2..=4 => "1.1",
        _ => "1.2",
    };
    (format, minor)
}

fn order(one: &Entry<'_>, other: &Entry<'_>) -> std::cmp::Ordering {
    compare(&one.place, &other.place).then_with(|| one.deposed.cmp(other.deposed))
}

fn sort(entries: &mut [Entry<'_>]) {
    entries.par_sort_by(order);
}

/// Writes entries, if there are any. Deleted data sources are left out.
fn write_entries(name: &str, entries: &[Entry<'_>], root: &mut List<'_>) {
    let is_shown = |entry: &&Entry<'_>| !is_deleted_data(&entry.place, entry.action);
    let mut shown = entries.iter().filter(is_shown).peekable();
    if shown.peek().is_some() {
        let mut list = List::array(root.key(name));
        shown.for_each(|entry| list.element().extend_from_slice(&entry.json));
        list.end();
    }
}
