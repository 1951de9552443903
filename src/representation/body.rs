//! Bodies that providers and provisioners read.

use std::collections::BTreeMap;

use smallvec::SmallVec;

use super::expression::{How, Shown};
use crate::body::{Attribute, Block, Body};
use crate::expression::Expression;
use crate::hidden::provides;
use crate::module::dynamic::{self, Nested};
use crate::module::{Config, Module};
use crate::show::{BodySchema, BodySchemas, Map, NestingMode, SchemaAttribute};
use crate::typed::Content;
use crate::write::{ObjectWriter, Slot};

/// The maximal depth of nested blocks.
const MAX_NESTING: usize = 100;

/// The context for writing bodies.
pub(super) struct Bodies<'c, 's, 'a> {
    pub(super) module: &'c Module<'a>,
    pub(super) schemas: Option<&'s BodySchemas<'a>>,
    pub(super) how: How,
    /// Whether they configure providers: no mark says which constants are secrets.
    pub(super) is_provider: bool,
}

impl<'a> Bodies<'_, '_, 'a> {
    /// Writes the member `expressions`, unless it is empty.
    pub(super) fn write(
        &self,
        config: Config<'a>,
        escape: Option<Block<'a>>,
        schema: Option<&BodySchema<'a>>,
        object: &mut ObjectWriter<'_, '_>,
    ) {
        let (Some(schema), Some(schemas)) = (schema, self.schemas) else {
            return self.write_properties(config, escape, object);
        };
        let mut own: SmallVec<[Body<'a>; 4]> = config.own_bodies().collect();
        own.extend(escape.map(Block::body));
        let content = Content::of(&own, config.overrides(), schema, &mut ());
        if !content.is_empty() {
            self.write_content(&content, schema, schemas, (0, None), object.key("expressions"));
        }
    }

    /// Writes every property as one expression: separate blocks of one type as one array.
    fn write_properties(
        &self,
        config: Config<'a>,
        escape: Option<Block<'a>>,
        object: &mut ObjectWriter<'_, '_>,
    ) {
        let mut all: BTreeMap<&str, SmallVec<[Attribute<'a>; 1]>> = BTreeMap::new();
        let escaped = escape.into_iter().flat_map(|escape| escape.body().properties());
        for property in config.properties().chain(escaped) {
            let name = property.name();
            if !(self.how.compat && name == "dynamic") {
                all.entry(name).or_default().push(property);
            }
        }
        if all.is_empty() {
            return;
        }
        let mut expressions = object.key("expressions").object();
        for (name, properties) in all {
            self.properties(&properties).write(expressions.key(name));
        }
    }

    /// How the values of an argument at the top of the body are shown.
    fn how_of(&self, argument: &str, value: Expression<'_>) -> How {
        self.how.with_secret(self.is_provider && provides(argument, value))
    }

    fn properties(&self, properties: &[Attribute<'a>]) -> Shown {
        let mut shown = Shown::default();
        for &property in properties {
            dynamic::visit_templates(property, Nested::Unknown, |value, iterators| {
                for traversal in value.variables() {
                    if !iterators.contains(&traversal.root_name()) {
                        shown.refer(traversal, self.module);
                    }
                }
                shown.call(value, self.module);
            });
        }
        if self.how.compat || shown.references.is_empty() {
            let constant = |property: &Attribute<'a>| {
                let value = property.expression();
                self.how_of(property.name(), value).constant(value)
            };
            // Without a schema, JSON has a list of blocks, unless the language has the block.
            let is_object =
                |it: &Attribute<'a>| it.name() == "dynamic" || it.expression().as_block().is_none();
            shown.constant = match properties {
                [property] if is_object(property) => constant(property),
                _ => properties.iter().map(constant).collect::<Option<Vec<_>>>().map(join),
            };
        }
        shown
    }

    fn write_content(
        &self,
        content: &Content<'a>,
        schema: &BodySchema<'a>,
        schemas: &BodySchemas<'a>,
        // The number of blocks around it, and the type of the outermost.
        (depth, top): (usize, Option<&str>),
        slot: Slot<'_, '_>,
    ) {
        let mut object = slot.object();
        let mut members: BTreeMap<&str, Named<'_, 'a>> = BTreeMap::new();
        for attribute in &content.attributes {
            members.insert(attribute.name(), Named::Attribute(*attribute));
        }
        for block in &content.blocks {
            match members.entry(block.block_type()).or_insert_with(|| Named::Blocks(Vec::new())) {
                Named::Blocks(blocks) => blocks.push(block),
                Named::Attribute(_) => {}
            }
        }
        for (name, member) in members {
            let blocks = match member {
                Named::Attribute(attribute) => {
                    let value = attribute.expression();
                    let how = self.how.with_secret(
                        schema.attribute(name).is_some_and(marks)
                            || self.is_provider && provides(top.unwrap_or(name), value),
                    );
                    Shown::of(value, self.module, how).write(object.key(name));
                    continue;
                }
                Named::Blocks(blocks) => blocks,
            };
            let Some(nested) = schema.block_type(name) else { continue };
            let Some(inner) = nested.block().value().filter(|_| depth < MAX_NESTING) else {
                continue;
            };
            let inner = schemas.body(inner);
            let write = |block: &Block<'a>, slot: Slot<'_, '_>| {
                let content = Content::of(&[block.body()], &[], &inner, &mut ());
                let place = (depth + 1, top.or(Some(name)));
                self.write_content(&content, &inner, schemas, place, slot);
            };
            let slot = object.key(name);
            match nested.nesting_mode().value() {
                Some(NestingMode::Single | NestingMode::Group) => {
                    if let Some(last) = blocks.last() {
                        write(last, slot);
                    }
                }
                Some(NestingMode::Map) => {
                    let by_key: BTreeMap<&str, &Block<'a>> = blocks
                        .into_iter()
                        .map(|block| (block.label(0).unwrap_or_default(), block))
                        .collect();
                    let mut map = slot.object();
                    by_key.into_iter().for_each(|(key, block)| write(block, map.key(key)));
                }
                _ => {
                    let mut list = slot.array();
                    blocks.into_iter().for_each(|block| write(block, list.element()));
                }
            }
        }
    }
}

/// Whether a schema marks an attribute or a part of it as sensitive or write-only.
fn marks(attribute: SchemaAttribute<'_>) -> bool {
    let mut open = vec![attribute];
    while let Some(attribute) = open.pop() {
        let flags = [attribute.sensitive(), attribute.write_only()];
        if flags.into_iter().any(|flag| flag.value() == Some(true)) {
            return true;
        }
        let nested = attribute.nested_type().value().and_then(|it| it.attributes().value());
        open.extend(nested.into_iter().flat_map(Map::iter).map(|(_, attribute)| attribute));
    }
    false
}

/// The properties of a body with one name.
enum Named<'b, 'a> {
    Attribute(Attribute<'a>),
    Blocks(Vec<&'b Block<'a>>),
}

/// Joins several values to one array. Arrays among them are replaced by their elements.
fn join(texts: Vec<String>) -> String {
    let mut all = String::from("[");
    for text in &texts {
        let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        let inner = inner.unwrap_or(text);
        if all.len() > 1 && !inner.is_empty() {
            all.push(',');
        }
        all.push_str(inner);
    }
    all.push(']');
    all
}
