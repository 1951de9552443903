//! Converts the changes of a plan file, one by one, to the output of `show -json`, and counts the
//! gaps.

use std::collections::BTreeMap;
use std::ops::Range;

use super::actions;
use super::error::{Incomplete, Malformed};
use super::mark_paths::write_path;
use super::marks::Marks;
use super::message::{self, DynamicValue};
use super::shape::{Cursor, Shapes, TypeShape, schema_kind};
use super::text::{List, push_json};
use super::tool::Tool;
use super::tree::Place;
use super::value::{BySchema, Types, Value, stored_type_json};
use crate::arena::Arena;
use crate::show::{ResourceMode, SchemaKind};

/// The gaps of values without a schema.
#[derive(Clone, Debug, Default)]
struct Gap {
    instances: usize,
    doubts: usize,
    guesses: usize,
    /// The first instance with a doubt or a guess.
    first: String,
}

impl Gap {
    fn add(&mut self, other: Self) {
        self.instances += other.instances;
        self.doubts += other.doubts;
        self.guesses += other.guesses;
        if self.first.is_empty() {
            self.first = other.first;
        }
    }
}

/// The parts of a plan that are not known, counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Gaps {
    types: BTreeMap<(String, &'static str, String), Gap>,
    lost: Vec<String>,
    doubts: usize,
    identities: BTreeMap<(String, String), usize>,
}

impl Gaps {
    /// Adds the gaps of a later part of the plan.
    pub(super) fn merge(&mut self, other: Self) {
        for (key, gap) in other.types {
            self.types.entry(key).or_default().add(gap);
        }
        self.lost.extend(other.lost);
        self.doubts += other.doubts;
        for (key, count) in other.identities {
            *self.identities.entry(key).or_default() += count;
        }
    }

    pub(super) fn into_list(self) -> Vec<Incomplete> {
        /// The number of types of a provider that are named.
        const NAMED: usize = 3;
        let mut providers: BTreeMap<String, (Vec<String>, Gap)> = BTreeMap::new();
        for ((provider, _, name), gap) in self.types {
            let (types, sum) = providers.entry(provider).or_default();
            if types.last() != Some(&name) {
                types.push(name);
            }
            sum.add(gap);
        }
        let mut list = Vec::new();
        for (provider, (types, gap)) in providers {
            let mut why = format!("no schema for {}", types[..types.len().min(NAMED)].join(", "));
            if types.len() > NAMED {
                why.push_str(&format!(" and {} other types", types.len() - NAMED));
            }
            let uncertain = [
                (gap.doubts, "texts that may be numbers"),
                (gap.guesses, "objects taken for values with their type"),
                (gap.instances, "values that show as sensitive only what the plan marks"),
            ];
            for (count, what) in uncertain.into_iter().filter(|(count, _)| *count > 0) {
                why.push_str(&format!("; {what}: {count}"));
            }
            if !gap.first.is_empty() {
                why.push_str(&format!("; first in {}", gap.first));
            }
            list.push(Incomplete { what: "values", place: provider, why });
        }
        for address in self.lost {
            let why = "its address does not follow the grammar of addresses".into();
            list.push(Incomplete { what: "resource", place: address, why });
        }
        for ((provider, name), count) in self.identities {
            let why =
                format!("no schema for the provider {provider}: the version of {count} is unknown");
            list.push(Incomplete { what: "identity", place: name, why });
        }
        if self.doubts > 0 {
            let why = format!("texts that may be numbers: {}", self.doubts);
            list.push(Incomplete { what: "paths", place: "plan".into(), why });
        }
        list
    }
}

/// The context of the value that was read last.
pub(super) struct Known<'k, 'a> {
    pub(super) schema: Option<TypeShape<'a>>,
    pub(super) provider: &'k str,
    pub(super) place: &'k Place<'a>,
}

/// Reads and writes values, and reuses its memory.
pub(super) struct Converter<'s, 'a> {
    arena: &'a Arena,
    shapes: &'s Shapes<'s, 'a>,
    /// How the tool marks values that are sensitive by their schema.
    by_schema: BySchema,
    types: Types<'a>,
    pub(super) value: Value<'a>,
    pub(super) gaps: Gaps,
}

/// A change that was written.
pub(super) struct Entry<'a> {
    pub(super) place: Place<'a>,
    pub(super) action: u64,
    pub(super) deposed: &'a str,
    provider: &'a str,
    schema_version: u64,
    /// The entry of `resource_changes`.
    pub(super) json: Vec<u8>,
    /// The range of the value after the change in `json`; `None` if it is null or wholly unknown.
    after: Option<Range<usize>>,
    after_sensitive: Range<usize>,
    /// The plan's own sensitive marks, if the schema has more.
    planned_sensitive: Option<Vec<u8>>,
    /// The identity after the change, and the version of its schema.
    identity: Option<(Range<usize>, Option<u64>)>,
}

impl Entry<'_> {
    /// Writes the resource as it is expected after apply.
    pub(super) fn write_planned(&self, out: &mut Vec<u8>) {
        let part = |range: &Range<usize>| self.json.get(range.clone()).unwrap_or(b"null");
        let mut object = List::object(out);
        object.string("address", self.place.text);
        self.place.write(&mut object);
        object.string("provider_name", self.provider);
        object.number("schema_version", self.schema_version);
        if let Some(after) = &self.after {
            object.json("values", part(after));
        }
        let sensitive = self.planned_sensitive.as_deref();
        object.json("sensitive_values", sensitive.unwrap_or(part(&self.after_sensitive)));
        if let Some((identity, version)) = &self.identity {
            if let Some(version) = version {
                object.number("identity_schema_version", *version);
            }
            object.json("identity", part(identity));
        }
        object.end();
    }
}

impl<'s, 'a> Converter<'s, 'a> {
    pub(super) fn new(arena: &'a Arena, shapes: &'s Shapes<'s, 'a>, tool: Tool) -> Self {
        let (types, value) = (Types::default(), Value::default());
        let by_schema = match tool {
            Tool::OpenTofu => BySchema::Elements,
            Tool::Terraform => BySchema::Sets,
        };
        Self { arena, shapes, by_schema, types, value, gaps: Gaps::default() }
    }

    /// Writes the sensitive marks of the value that was read last.
    pub(super) fn write_sensitive(&self, marks: &Marks, out: &mut Vec<u8>) {
        self.value.write_sensitive(marks, self.by_schema, out);
    }

    /// The shape of the values of a resource type.
    pub(super) fn schema(&self, provider: &str, place: &Place<'a>) -> Option<TypeShape<'a>> {
        self.shapes.find(provider, schema_kind(place.mode()), place.resource_type())
    }

    /// Records the gaps of the value that was read last.
    pub(super) fn note(&mut self, known: Known<'_, 'a>) {
        let (doubts, guesses) = (self.value.doubts, self.value.guesses);
        if known.schema.is_some() && doubts + guesses == 0 {
            return;
        }
        let kind = match schema_kind(known.place.mode()) {
            SchemaKind::DataSource => "data source",
            SchemaKind::Ephemeral => "ephemeral resource",
            _ => "resource type",
        };
        let name = known.place.resource_type().to_owned();
        let gap = self.gaps.types.entry((known.provider.to_owned(), kind, name)).or_default();
        gap.instances += 1;
        gap.doubts += doubts;
        gap.guesses += guesses;
        if doubts + guesses > 0 && gap.first.is_empty() {
            known.place.text.clone_into(&mut gap.first);
        }
    }

    /// Records a resource that is left out because its address is invalid.
    pub(super) fn lose(&mut self, address: &str) {
        self.gaps.lost.push(address.to_owned());
    }

    fn read(&mut self, msgpack: Option<&'a [u8]>, cursor: Cursor<'a>) -> Result<(), Malformed> {
        match msgpack {
            // A value without bytes is absent.
            Some(bytes) if !bytes.is_empty() => {
                self.value.read(self.arena, &mut self.types, bytes, cursor)
            }
            _ => {
                self.value.set_null();
                Ok(())
            }
        }
    }

    /// Writes a change of a resource.
    pub(super) fn resource_change(&mut self, bytes: &'a [u8]) -> Result<Entry<'a>, Malformed> {
        let message = message::ResourceChange::read(bytes)?;
        let place = Place::of(message.address_in(self.arena))?;
        let change = message::Change::read(message.change)?;
        let provider = provider_name(message.provider);
        let schema = self.schema(provider, &place);
        let cursor = schema.map_or(Cursor::UNKNOWN, |schema| Cursor::of(schema.shape));
        let mut json = Vec::new();
        let mut entry = List::object(&mut json);
        entry.string("address", place.text);
        // Files of old tools may have no previous address.
        if message.previous_address != place.text {
            entry.some_string("previous_address", message.previous_address);
        }
        entry.some_string("module_address", &place.module());
        place.write(&mut entry);
        entry.string("provider_name", provider);
        entry.some_string("deposed", message.deposed_key);

        let action = actions::Action::of(change.action)?;
        // Values of ephemeral resources are not printed.
        let (before, after) = match place.mode() {
            ResourceMode::Ephemeral => (None, None),
            _ => action.values(&change.values)?,
        };
        let mut object = List::object(entry.key("change"));
        action.write(object.key("actions"));
        self.read(before, cursor)?;
        self.note(Known { schema, provider, place: &place });
        self.value.write(object.key("before"));
        let mut before_sensitive = Vec::new();
        let marks = Marks::of_paths(&change.before_sensitive_paths)?;
        self.write_sensitive(&marks, &mut before_sensitive);
        // A value that does not change is in the file once.
        let is_same = before == after && before.is_some();
        if !is_same {
            self.read(after, cursor)?;
            self.note(Known { schema, provider, place: &place });
        }
        let after = if self.value.is_unknown() {
            None
        } else {
            let out = object.key("after");
            let start = out.len();
            self.value.write(out);
            Some(start..out.len())
        };
        let after = after.filter(|_| !self.value.is_null() && !self.value.is_empty_mapping());
        let out = object.key("after_unknown");
        if self.value.has_unknown() {
            self.value.write_unknown(out);
        } else {
            out.extend_from_slice(b"{}");
        }
        object.json("before_sensitive", &before_sensitive);
        let marks = Marks::of_paths(&change.after_sensitive_paths)?;
        let out = object.key("after_sensitive");
        let start = out.len();
        self.write_sensitive(&marks, out);
        let after_sensitive = start..out.len();
        // Planned values have only the marks of the plan.
        let planned_sensitive = self.value.is_sensitive_by_schema().then(|| {
            let mut out = Vec::new();
            self.value.write_sensitive(&marks, BySchema::Not, &mut out);
            out
        });
        if !message.required_replace.is_empty() {
            let mut paths = List::array(object.key("replace_paths"));
            for path in message.required_replace {
                write_path(self.arena, &mut self.types, path, paths.element())?;
            }
            paths.end();
        }
        if let Some(importing) = change.importing {
            let importing = message::Importing::read(importing)?;
            let mut import = List::object(object.key("importing"));
            if importing.is_unknown() {
                import.bool("unknown", true);
            } else if !importing.id.is_empty() {
                import.string("id", importing.id);
            } else if let Some(identity) = importing.identity() {
                self.read(Some(DynamicValue::content(identity)?), Cursor::UNKNOWN)?;
                self.gaps.doubts += self.value.doubts;
                self.value.write(import.key("identity"));
            }
            import.end();
        }
        object.some_string("generated_config", change.generated_config);
        let mut identity = None;
        let identities = [
            ("before_identity", change.before_identity),
            ("after_identity", change.after_identity),
        ];
        for (name, content) in identities {
            let Some(content) = content else { continue };
            self.read(Some(DynamicValue::content(content)?), Cursor::UNKNOWN)?;
            self.gaps.doubts += self.value.doubts;
            let out = object.key(name);
            let start = out.len();
            self.value.write(out);
            if name == "after_identity" && !self.value.is_null() {
                identity = Some(start..out.len());
            }
        }
        object.end();
        let reason = actions::reason(message.action_reason);
        entry.some_string("action_reason", reason);
        entry.end();
        let identity = identity.map(|range| {
            let version = self.shapes.identity_version(provider, place.resource_type());
            if version.is_none() {
                let key = (provider.to_owned(), place.resource_type().to_owned());
                *self.gaps.identities.entry(key).or_default() += 1;
            }
            (range, version)
        });
        Ok(Entry {
            action: change.action,
            deposed: message.deposed_key,
            provider,
            schema_version: schema.map_or(0, |schema| schema.version),
            json,
            after,
            after_sensitive,
            planned_sensitive,
            identity,
            place,
        })
    }

    /// Writes the change of an output, and its planned value if the output stays: sensitive, type,
    /// value.
    pub(super) fn output_change(
        &mut self,
        output: &message::OutputChange<'a>,
        changes: &mut Vec<u8>,
    ) -> Result<Option<Vec<u8>>, Malformed> {
        let change = message::Change::read(output.change)?;
        let action = actions::Action::of(change.action)?;
        let (before, after) = action.values(&change.values)?;
        let mut object = List::object(changes);
        action.write(object.key("actions"));
        self.read(before, Cursor::DYNAMIC)?;
        self.value.write(object.key("before"));
        self.read(after, Cursor::DYNAMIC)?;
        if !self.value.is_unknown() {
            self.value.write(object.key("after"));
        }
        let out = object.key("after_unknown");
        if self.value.has_unknown() {
            self.value.write_unknown(out);
        } else {
            out.extend_from_slice(b"false");
        }
        object.bool("before_sensitive", output.sensitive);
        object.bool("after_sensitive", output.sensitive);
        object.end();
        if action == actions::Action::Delete {
            return Ok(None);
        }
        let mut planned = Vec::new();
        let mut object = List::object(&mut planned);
        object.bool("sensitive", output.sensitive);
        if !self.value.has_unknown() {
            let ty = after.map(stored_type_json).transpose()?.flatten();
            push_json(object.key("type"), ty.unwrap_or(b"\"dynamic\""));
            self.value.write(object.key("value"));
        }
        object.end();
        Ok(Some(planned))
    }

    /// Writes the value of a variable.
    pub(super) fn variable(&mut self, bytes: &'a [u8], out: &mut Vec<u8>) -> Result<(), Malformed> {
        self.read(Some(DynamicValue::content(bytes)?), Cursor::DYNAMIC)?;
        self.value.write(out);
        Ok(())
    }

    /// Writes a path.
    pub(super) fn path(&mut self, bytes: &'a [u8], out: &mut Vec<u8>) -> Result<(), Malformed> {
        write_path(self.arena, &mut self.types, bytes, out)
    }

    /// Writes an action to be invoked.
    pub(super) fn invocation(
        &mut self,
        bytes: &'a [u8],
        out: &mut Vec<u8>,
    ) -> Result<(), Malformed> {
        let message = message::ActionInvocation::read(bytes)?;
        let place = Place::of(message.address)?;
        let provider = provider_name(message.provider);
        let name = place.address.resource.as_ref().map_or("", |step| step.name);
        let mut object = List::object(out);
        object.string("address", place.text);
        object.string("type", place.resource_type());
        object.string("name", name);
        if let Some(content) = message.config_value {
            let schema = self.shapes.find(provider, SchemaKind::Action, place.resource_type());
            let cursor = schema.map_or(Cursor::UNKNOWN, |schema| Cursor::of(schema.shape));
            self.read(Some(DynamicValue::content(content)?), cursor)?;
            self.note(Known { schema, provider, place: &place });
            self.value.write(object.key("config_values"));
            let marks = Marks::of_paths(&message.sensitive_config_paths)?;
            self.write_sensitive(&marks, object.key("config_sensitive"));
            self.value.write_unknown(object.key("config_unknown"));
        }
        object.string("provider_name", provider);
        if let Some(trigger) = message.resource_trigger {
            let trigger = message::ResourceTrigger::read(trigger)?;
            let mut part = List::object(object.key("lifecycle_action_trigger"));
            part.some_string("triggering_resource_address", trigger.address);
            part.string("action_trigger_event", actions::trigger_event(trigger.event));
            part.number("action_trigger_block_index", trigger.block_index);
            part.number("actions_list_index", trigger.list_index);
            part.string("on_failure", actions::on_failure(trigger.on_failure));
            part.end();
        }
        if let Some(trigger) = message.invoke_trigger {
            let trigger = message::InvokeTrigger::read(trigger)?;
            let mut part = List::object(object.key("invoke_action_trigger"));
            part.some_string("calling_resource_address", trigger.address);
            part.end();
        }
        object.end();
        Ok(())
    }
}

/// The full name of the provider in `module.a.provider["HOST/NAMESPACE/TYPE"].alias`.
pub(super) fn provider_name(text: &str) -> &str {
    let (_, quoted) = text.split_once("provider[\"").unwrap_or(("", text));
    quoted.split('"').next().unwrap_or(quoted)
}
