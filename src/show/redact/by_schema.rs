//! Sensitive attributes of state files by the schemas of their types.
//!
//! The paths in a state file are those that were marked when it was written: data sources have none,
//! and older tools wrote only those that the configuration marks.

use std::sync::Arc;

use super::marked::Marked;
use crate::hash::HashMap;
use crate::json::{JsonValue, Node, Object};
use crate::show::body_schema::BodySchemas;
use crate::show::field::Map;
use crate::show::names::{NestingMode, ResourceMode};
use crate::show::schemas::{BlockType, NestedType, SchemaAttribute, SchemaBlock, SchemaKind};
use crate::show::state::RawResource;

/// The sensitive attributes of types, each read from its schema once.
pub(super) struct Types<'s, 'a> {
    schemas: Option<&'s BodySchemas<'a>>,
    known: HashMap<(&'a str, &'a str, SchemaKind), Arc<Marks<'a>>>,
}

/// The sensitive attributes of one type, as a tree.
pub(super) struct Marks<'a> {
    /// The places around a place come before it; the first is the body.
    places: Vec<Place<'a>>,
}

#[derive(Default)]
struct Place<'a> {
    is_sensitive: bool,
    /// Whether it or a part of it is sensitive.
    hides: bool,
    /// Whether the names of its members are keys, so that each member is an element.
    is_map: bool,
    members: HashMap<&'a str, usize>,
}

/// A part of a schema that is still to be read.
enum Part<'a> {
    Block(SchemaBlock<'a>),
    Nested(NestedType<'a>),
}

impl<'s, 'a> Types<'s, 'a> {
    pub(super) fn new(schemas: Option<&'s BodySchemas<'a>>) -> Self {
        Self { schemas, known: HashMap::default() }
    }

    /// The sensitive attributes of the type of a resource; `None` if its schema is not known.
    pub(super) fn of(&mut self, resource: RawResource<'_>) -> Option<Arc<Marks<'a>>> {
        let kind = match resource.mode().value() {
            None | Some(ResourceMode::Managed) => SchemaKind::Resource,
            Some(ResourceMode::Data) => SchemaKind::DataSource,
            // State files have no others.
            Some(_) => return None,
        };
        let (provider, name) = (resource.provider_name()?, resource.resource_type().value()?);
        let provider = &*provider;
        if let Some(marks) = self.known.get(&(provider, name, kind)) {
            return Some(Arc::clone(marks));
        }
        let (provider, name, schema) = self.schemas?.find_named(provider, kind, name)?;
        let marks = Arc::new(Marks::of(schema.block().value()?));
        self.known.insert((provider, name, kind), Arc::clone(&marks));
        Some(marks)
    }
}

impl<'a> Marks<'a> {
    fn of(block: SchemaBlock<'a>) -> Self {
        let mut places = vec![Place::default()];
        let mut outer = vec![0];
        let mut stack = vec![(0, Part::Block(block))];
        while let Some((place, part)) = stack.pop() {
            let (attributes, blocks) = match part {
                Part::Block(block) => (block.attributes(), block.block_types().value()),
                Part::Nested(nested) => (nested.attributes(), None),
            };
            let mut add = |name, inner: Place<'a>, part: Option<Part<'a>>| {
                let number = places.len();
                places.push(inner);
                outer.push(place);
                if let Some(place) = places.get_mut(place) {
                    place.members.insert(name, number);
                }
                stack.extend(part.map(|part| (number, part)));
            };
            let is_map = |mode| mode == Some(NestingMode::Map);
            for (name, attribute) in attributes.value().into_iter().flat_map(Map::iter) {
                let nested = SchemaAttribute::nested_type(attribute).value();
                let inner = Place {
                    is_sensitive: attribute.sensitive().value() == Some(true),
                    is_map: is_map(nested.and_then(|nested| nested.nesting_mode().value())),
                    ..Place::default()
                };
                add(name, inner, nested.map(Part::Nested));
            }
            for (name, block) in blocks.into_iter().flat_map(Map::iter) {
                let is_map = is_map(BlockType::nesting_mode(block).value());
                let inner = Place { is_map, ..Place::default() };
                add(name, inner, block.block().value().map(Part::Block));
            }
        }
        // Inner places come later, so this order reaches them first.
        for place in (0..places.len()).rev() {
            places[place].hides |= places[place].is_sensitive;
            let (hides, outer) = (places[place].hides, outer[place]);
            places[outer].hides |= hides;
        }
        Self { places }
    }

    /// Hides the sensitive parts of the attributes of an instance.
    pub(super) fn hide(&self, attributes: Object<'_>, marked: &mut Marked) {
        let mut stack: Vec<(Node<'_>, usize, bool)> = vec![(attributes.node(), 0, true)];
        while let Some((node, number, is_element)) = stack.pop() {
            let Some(place) = self.places.get(number).filter(|place| place.hides) else { continue };
            if place.is_sensitive {
                marked.whole(Some(node));
                continue;
            }
            match node.value() {
                JsonValue::Array(array) => {
                    stack.extend(array.elements().map(|element| (element, number, true)));
                }
                JsonValue::Object(object) if place.is_map && !is_element => {
                    stack.extend(object.members().map(|member| (member.value(), number, true)));
                }
                JsonValue::Object(object) => {
                    for member in object.members() {
                        if let Some(inner) = place.members.get(member.name().to_str()) {
                            stack.push((member.value(), *inner, false));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Hides the sensitive attributes in the form of Terraform 0.11: `block.0.password`.
    pub(super) fn hide_flat(&self, attributes: Object<'_>, marked: &mut Marked) {
        for member in attributes.members() {
            let mut number = 0;
            for step in member.name().to_str().split('.') {
                let Some(place) = self.places.get(number) else { break };
                // Other steps are indexes, hashes and keys.
                number = place.members.get(step).copied().unwrap_or(number);
                if self.places.get(number).is_some_and(|place| place.is_sensitive) {
                    marked.whole(Some(member.value()));
                    break;
                }
            }
        }
    }
}
