//! Converts the changes of a plan file, one by one, to the output of `show -json`.

use std::ops::Range;

use super::actions;
use super::convert::{Converter, Known, provider_name};
use super::error::Malformed;
use super::mark_paths::write_path;
use super::marks::Marks;
use super::message::{self, DynamicValue};
use super::shape::Cursor;
use super::text::{List, push_json};
use super::tree::Place;
use super::value::{BySchema, stored_type_json};
use crate::show::{ResourceMode, SchemaKind};

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

/// Where the values of a change are in its entry.
struct Sides {
    /// `None` if it is null or wholly unknown.
    after: Option<Range<usize>>,
    after_sensitive: Range<usize>,
    /// The plan's own sensitive marks, if the schema has more.
    planned_sensitive: Option<Vec<u8>>,
}

impl<'a> Converter<'_, 'a> {
    /// Writes a change of a resource.
    pub(super) fn resource_change(&mut self, bytes: &'a [u8]) -> Result<Entry<'a>, Malformed> {
        let message = message::ResourceChange::read(bytes)?;
        let place = Place::of(message.address_in(self.arena))?;
        let change = message::Change::read(message.change)?;
        let provider = provider_name(message.provider);
        let schema = self.schema(provider, &place);
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
        let mut object = List::object(entry.key("change"));
        let sides = self.sides(&change, Known { schema, provider, place: &place }, &mut object)?;
        if !message.required_replace.is_empty() {
            let mut paths = List::array(object.key("replace_paths"));
            for path in message.required_replace {
                write_path(self.arena, &mut self.types, path, paths.element())?;
            }
            paths.end();
        }
        if let Some(importing) = change.importing {
            self.importing(importing, object.key("importing"))?;
        }
        object.some_string("generated_config", change.generated_config);
        let identity = self.identities(&change, &mut object)?;
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
            after: sides.after,
            after_sensitive: sides.after_sensitive,
            planned_sensitive: sides.planned_sensitive,
            identity,
            place,
        })
    }

    /// Writes the actions, the values before and after, and their marks.
    fn sides(
        &mut self,
        change: &message::Change<'a>,
        known: Known<'_, 'a>,
        object: &mut List<'_>,
    ) -> Result<Sides, Malformed> {
        let cursor = known.schema.map_or(Cursor::UNKNOWN, |schema| Cursor::of(schema.shape));
        let action = actions::Action::of(change.action)?;
        // Values of ephemeral resources are not printed.
        let (before, after) = match known.place.mode() {
            ResourceMode::Ephemeral => (None, None),
            _ => action.values(&change.values)?,
        };
        action.write(object.key("actions"));
        self.read(before, cursor)?;
        self.note(known);
        self.value.write(object.key("before"));
        let mut before_sensitive = Vec::new();
        let marks = Marks::of_paths(&change.before_sensitive_paths)?;
        self.write_sensitive(&marks, &mut before_sensitive);
        // A value that does not change is in the file once.
        let is_same = before == after && before.is_some();
        if !is_same {
            self.read(after, cursor)?;
            self.note(known);
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
        Ok(Sides { after, after_sensitive, planned_sensitive })
    }

    /// Writes the imported object.
    fn importing(&mut self, bytes: &'a [u8], out: &mut Vec<u8>) -> Result<(), Malformed> {
        let importing = message::Importing::read(bytes)?;
        let mut import = List::object(out);
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
        Ok(())
    }

    /// Writes the identities before and after. Returns where the one after is, unless it is null.
    fn identities(
        &mut self,
        change: &message::Change<'a>,
        object: &mut List<'_>,
    ) -> Result<Option<Range<usize>>, Malformed> {
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
        Ok(identity)
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
