//! The state in a plan file, as `show -json` prints it in `prior_state`.

use super::checks::Check;
use super::convert::{Converter, Known};
use super::marks::Marks;
use super::shape::Cursor;
use super::text::{List, push_json, push_string};
use super::tool::Tool;
use super::tree::{Modules, Place, compare};
use crate::arena::Arena;
use crate::document::Document;
use crate::show::{Map, RawInstance, RawResource, RawState};
use crate::write::{Layout, to_string};

/// An instance of a resource, or a deposed object of one.
struct Row<'a> {
    place: Place<'a>,
    deposed: &'a str,
    resource: RawResource<'a>,
    instance: RawInstance<'a>,
}

/// Writes a state file as the tools print a state; `None` if it has neither resources nor
/// outputs. Invalid addresses are left out and reported to `converter`.
pub(super) fn write<'a>(
    arena: &'a Arena,
    document: Document<'a>,
    converter: &mut Converter<'_, 'a>,
) -> Option<Vec<u8>> {
    let state = RawState::of(document, &mut ())?;
    let outputs: Vec<_> = state.outputs().value().into_iter().flat_map(Map::iter).collect();
    let mut modules = Modules::new();
    let mut is_empty = outputs.is_empty();
    for resource in state.resources().value().into_iter().flat_map(crate::show::List::iter) {
        is_empty = false;
        for instance in resource.instances().value().into_iter().flat_map(crate::show::List::iter) {
            let address = arena.str(&instance.address(resource));
            let Ok(place) = Place::of(address) else {
                converter.lose(address);
                continue;
            };
            let deposed = instance.deposed().value().unwrap_or_default();
            let calls = place.address.modules.clone();
            modules.push(&calls, Row { place, deposed, resource, instance });
        }
    }
    if is_empty {
        return None;
    }
    modules.sort_resources(|one, other| {
        compare(&one.place, &other.place).then_with(|| one.deposed.cmp(other.deposed))
    });
    modules.sort_modules(true);
    let mut out = Vec::new();
    let mut root = List::object(&mut out);
    root.string("format_version", "1.0");
    root.some_string("terraform_version", state.terraform_version().value().unwrap_or_default());
    let mut values = List::object(root.key("values"));
    if !outputs.is_empty() {
        let mut list = List::object(values.key("outputs"));
        for (name, output) in outputs {
            let mut object = List::object(list.key(name));
            object.bool("sensitive", output.sensitive().value() == Some(true));
            object.some_string("deprecated", output.deprecated().value().unwrap_or_default());
            let ty = output.value_type().value();
            if let Some(value) = output.value() {
                let known = ty.and_then(|ty| crate::value::type_from_node(arena, ty).ok());
                let cursor =
                    known.map_or(Cursor::UNKNOWN, |ty| Cursor::DYNAMIC.with_stored_type(ty));
                converter.value.read_json(arena, value, cursor);
                converter.value.write(object.key("value"));
            }
            if let Some(ty) = ty {
                let json = to_string(Layout::Compact, |slot| slot.node(ty));
                push_json(object.key("type"), json.as_bytes());
            }
            object.end();
        }
        list.end();
    }
    modules.write(values.key("root_module"), |row, out| row.write(arena, converter, out));
    values.end();
    let mut checks = Check::of_state(state);
    if !checks.is_empty() {
        Check::write_all(&mut checks, root.key("checks"));
    }
    root.end();
    Some(out)
}

impl<'a> Row<'a> {
    fn write(&self, arena: &'a Arena, converter: &mut Converter<'_, 'a>, out: &mut Vec<u8>) {
        let instance = self.instance;
        let is_current = self.deposed.is_empty();
        let provider = instance.provider_name(self.resource).unwrap_or_default().into_owned();
        let known = converter.schema(&provider, &self.place);
        let mut object = List::object(out);
        object.string("address", self.place.text);
        self.place.write(&mut object);
        object.string("provider_name", &provider);
        let version = instance.schema_version().value().unwrap_or_default();
        object.number("schema_version", if is_current { version } else { 0 });
        let cursor = known.map_or(Cursor::UNKNOWN, |known| Cursor::of(known.shape));
        let attributes =
            instance.attributes().value().or_else(|| instance.attributes_flat().value());
        match attributes {
            Some(attributes) => converter.value.read_json(arena, attributes.node(), cursor),
            None => converter.value.set_null(),
        }
        converter.note(Known { schema: known, provider: &provider, place: &self.place });
        if !converter.value.is_null() && !converter.value.is_empty_mapping() {
            converter.value.write(object.key("values"));
        }
        let marks = Marks::of_state(instance.object().get("sensitive_attributes"));
        converter.write_sensitive(&marks, object.key("sensitive_values"));
        let dependencies = instance.dependencies().value();
        let mut dependencies =
            dependencies.into_iter().flat_map(crate::show::List::iter).peekable();
        if dependencies.peek().is_some() {
            let mut list = List::array(object.key("depends_on"));
            dependencies.for_each(|address| push_string(list.element(), address));
            list.end();
        }
        if instance.status().value() == Some("tainted") {
            object.bool("tainted", true);
        }
        object.some_string("deposed_key", self.deposed);
        if let Some(identity) = instance.object().get("identity").filter(|it| !it.is_null()) {
            let version = instance.object().get("identity_schema_version");
            let version = version.and_then(|it| it.as_number()).map_or("0", |it| it.text());
            // Terraform does not print it for deposed objects.
            if is_current || converter.tool == Tool::OpenTofu {
                object.json("identity_schema_version", version.as_bytes());
            }
            converter.value.read_json(arena, identity, Cursor::UNKNOWN);
            converter.value.write(object.key("identity"));
        }
        object.end();
    }
}
