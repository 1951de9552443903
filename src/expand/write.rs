//! The output: the values representation, with the tree of unknowns beside that of sensitive values.

use super::engine::Expansion;
use super::resource::{Instance, Visit};
use super::select::Selection;
use super::shown::{Flag, push_flags, push_known};
use super::trees::Trees;
use crate::hash::HashMap;
use crate::reference::InstanceKey;
use crate::value::{Type, Value, write_type};
use crate::write::{ObjectWriter, Slot};

impl<'t, 'a> Expansion<'t, 'a> {
    /// Writes an object with the members `format_version`, `variables` and `planned_values`: outputs
    /// and modules with their resources, in the shape of `show -json`. Each resource has
    /// `unknown_values` beside `sensitive_values`. With a selection, only the selected resources are
    /// written, without variables and outputs.
    ///
    /// Cost: that of evaluating what is written.
    pub fn write(&self, selection: &Selection, slot: Slot<'_, '_>) {
        self.write_into(selection, &mut slot.object());
    }

    /// Writes the members of [`Expansion::write`].
    pub fn write_into(&self, selection: &Selection, object: &mut ObjectWriter<'_, '_>) {
        object.key("format_version").string("1.0");
        self.write_values(selection, object);
    }

    /// Writes the members of [`Expansion::write`] without `format_version`.
    pub fn write_values(&self, selection: &Selection, object: &mut ObjectWriter<'_, '_>) {
        let variables = if selection.is_all() { self.variables() } else { Vec::new() };
        if !variables.is_empty() {
            let mut members = object.key("variables").object();
            for (name, value) in variables {
                let value = self.printed_variable(name, value);
                write_value(value, self.inputs.shows_sensitive, &mut members.key(name).object());
            }
        }
        let mut values = object.key("planned_values").object();
        let outputs = if selection.is_all() { self.outputs() } else { Vec::new() };
        if !outputs.is_empty() {
            let mut members = values.key("outputs").object();
            for (name, value) in outputs {
                let value = self.printed_output(name, value);
                let mut output = members.key(name).object();
                output.key("sensitive").bool(value.marks().hides());
                if value.is_wholly_known() {
                    // A plan keeps no type of null.
                    let ty = if value.is_null() { Type::Dynamic } else { value.ty() };
                    write_type(ty, output.key("type"));
                }
                write_value(value, self.inputs.shows_sensitive, &mut output);
            }
        }
        let mut root = values.key("root_module").object();
        let mut filled = Filled { expansion: self, selection, known: HashMap::default() };
        self.write_module(0, &mut filled, &mut root);
    }

    /// Writes the members of a module. Recurses on calls, whose depth is bounded.
    fn write_module(
        &self,
        number: u32,
        filled: &mut Filled<'_, 't, 'a>,
        object: &mut ObjectWriter<'_, '_>,
    ) {
        let selection = filled.selection;
        // The array starts with the first instance.
        let (mut start, mut resources) = (Some(&mut *object), None);
        let mut trees = Trees::default();
        let visit = Visit { is_printed: true, ..Visit::of(selection) };
        self.visit_resources(number, &visit, &mut |instance| {
            if let Some(object) = start.take() {
                resources = Some(object.key("resources").array());
            }
            if let Some(resources) = &mut resources {
                instance.write_with(&mut trees, resources.element());
            }
        });
        drop(resources);
        let module = self.module(number);
        if !module.address.is_empty() {
            object.key("address").string(&module.address);
        }
        let children: Vec<u32> = self
            .called(number, selection)
            .into_iter()
            .filter(|&child| filled.is_filled(child))
            .collect();
        if !children.is_empty() {
            let mut modules = object.key("child_modules").array();
            for child in children {
                let mut object = modules.element().object();
                self.write_module(child, filled, &mut object);
            }
        }
    }
}

/// Writes the known parts of a value, and the flags of the unknown ones.
pub(crate) fn write_value(value: Value<'_>, shows: bool, object: &mut ObjectWriter<'_, '_>) {
    let mut text = String::new();
    push_known(&mut text, value, shows);
    if value.is_wholly_known() {
        object.key("value").json(&text);
        return;
    }
    if value.is_known() {
        object.key("known_value").json(&text);
    }
    text.clear();
    push_flags(&mut text, value, Flag::Unknown, shows);
    object.key("unknown_value").json(&text);
}

/// Which instances of modules have selected instances of resources in them.
struct Filled<'s, 't, 'a> {
    expansion: &'s Expansion<'t, 'a>,
    selection: &'s Selection,
    known: HashMap<u32, bool>,
}

impl Filled<'_, '_, '_> {
    /// Recurses on calls, whose depth is bounded.
    fn is_filled(&mut self, number: u32) -> bool {
        if let Some(known) = self.known.get(&number) {
            return *known;
        }
        let is_filled = self.expansion.has_instances(number, self.selection)
            || self
                .expansion
                .called(number, self.selection)
                .into_iter()
                .any(|child| self.is_filled(child));
        self.known.insert(number, is_filled);
        is_filled
    }
}

impl<'a> Instance<'_, '_, 'a> {
    /// Writes the instance as the values representation has it, with `unknown_values`. An instance
    /// whose schema is not known has no `schema_version`; attributes that are not written are unknown
    /// then.
    pub fn write(&self, slot: Slot<'_, '_>) {
        self.write_with(&mut Trees::default(), slot);
    }

    fn write_with(&self, trees: &mut Trees<'a>, slot: Slot<'_, '_>) {
        let mut object = slot.object();
        let resource = self.resource();
        object.key("address").string(self.address());
        object.key("mode").string(resource.mode.as_str());
        object.key("type").string(resource.resource_type);
        object.key("name").string(resource.name);
        match self.key() {
            Some(InstanceKey::Number(index)) => object.key("index").integer(index),
            Some(InstanceKey::String(name)) => object.key("index").string(name),
            None if self.is_placeholder() => object.key("index_unknown").bool(true),
            None => {}
        }
        if let Some(address) = self.previous_address() {
            object.key("previous_address").string(address);
        }
        if let Some((by, value)) = self.import() {
            let mut import = object.key("importing").object();
            let mut text = String::new();
            push_known(&mut text, value, self.engine.inputs.shows_sensitive);
            match value.is_wholly_known() {
                true => import.key(by).json(&text),
                false => import.key("unknown").bool(true),
            }
        }
        object.key("provider_name").string(self.provider_name());
        if let Some(version) = self.schema_version() {
            object.key("schema_version").unsigned(version);
        }
        self.write_trees(trees);
        // The tools leave out values of which nothing is known.
        if trees.known != "{}" {
            object.key("values").compact_json(&trees.known);
        }
        object.key("sensitive_values").compact_json(&trees.sensitive);
        // As in a plan: nothing is said about the parts if all of it is known.
        let unknown = if trees.has_unknown { &trees.unknown } else { "{}" };
        object.key("unknown_values").compact_json(unknown);
    }
}
