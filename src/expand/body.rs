//! The bodies of resources: attributes, blocks and `dynamic` blocks, with or without a schema.

use super::budget::price_of_block;
use super::evaluation::Evaluation;
use crate::body::{Attribute, Block, Body};
use crate::diagnostic::{Code, Diagnostic};
use crate::dialect::arguments::modules::DYNAMIC;
use crate::expression::Expression;
use crate::hash::{HashMap, HashSet};
use crate::module::dynamic::{Nested, listed_blocks, made_by};
use crate::module::{Config, Resource};
use crate::reference::Mode;
use crate::show::{self, BlockType, BodySchema, NestedType, NestingMode, SchemaAttribute};
use crate::typed::{Content, type_of_attribute, type_of_block};
use crate::value::{Marks, Number, Type, Value, convert, normalized};

/// The maximum nesting of blocks. Deeper ones are unknown.
const MAX_DEPTH: usize = 100;

/// A body without a schema.
pub(super) struct Plain<'v> {
    /// The attributes and blocks. Blocks of one type are a tuple.
    pub(super) all: Vec<(&'v str, Value<'v>)>,
    /// Those that other expressions may refer to.
    pub(super) known: Vec<(&'v str, Value<'v>)>,
}

/// The bodies of several blocks, or unknown ones.
type Blocks<'v> = Option<Vec<(Option<&'v str>, Value<'v>)>>;

impl<'v, 'a: 'v> Evaluation<'_, '_, 'v, 'a> {
    /// The value of a body by its schema: every attribute and block of the schema has a value.
    pub(super) fn typed(
        &self,
        own: &[Body<'a>],
        overrides: &[Body<'a>],
        schema: &BodySchema<'a>,
        depth: usize,
    ) -> Value<'v> {
        let parts = schema.schema().attributes().len() + schema.schema().blocks().len();
        if let Some(body) = own.first()
            && !self.affords_block(price_of_block(parts, 0), || body.missing_item_label())
        {
            return Value::dynamic();
        }
        let content = Content::of(own, overrides, schema, &mut ());
        let mut written: HashMap<&str, Attribute<'a>> = HashMap::default();
        for attribute in &content.attributes {
            written.entry(attribute.name()).or_insert(*attribute);
        }
        let mut all: Vec<(&'v str, Value<'v>)> = Vec::new();
        for known in schema.schema().attributes() {
            let name = known.name;
            let value = self.attribute(name, written.get(name).copied(), schema);
            all.push((name, value));
        }
        if schema.schema().blocks().len() > 1 || !content.dynamic.is_empty() {
            let mut blocks: HashMap<&str, Vec<Block<'a>>> = HashMap::default();
            for block in &content.blocks {
                blocks.entry(block.block_type()).or_default().push(*block);
            }
            let mut dynamic: HashMap<&str, Vec<Block<'a>>> = HashMap::default();
            for block in &content.dynamic {
                let name = block.label(0).unwrap_or_default();
                dynamic.entry(name).or_default().push(*block);
            }
            for (name, block_type) in schema.block_types() {
                let written = blocks.remove(name).unwrap_or_default();
                let made = dynamic.remove(name).unwrap_or_default();
                all.push((name, self.blocks((name, block_type), &written, &made, depth)));
            }
        }
        Value::object(self.arena, &all)
    }

    /// The value of an attribute of a schema.
    fn attribute(
        &self,
        name: &'a str,
        written: Option<Attribute<'a>>,
        schema: &BodySchema<'a>,
    ) -> Value<'v> {
        let Some(declared) = schema.attribute(name) else { return Value::dynamic() };
        let own = self.engine.inputs.arena;
        let ty = schema.attribute_type(name, |attribute| type_of_attribute(own, attribute));
        let ty = ty.unwrap_or(Type::Dynamic);
        let strict = || ty.without_optional_attributes(own);
        let mut value = Value::null(strict());
        if let Some(attribute) = written {
            let expression = attribute.expression();
            let given = self.value(expression);
            let converted =
                self.engine.converted(self.arena, given, ty, || expression.start_label());
            value = converted.unwrap_or_else(|error| {
                let error = match declared.sensitive().value() {
                    Some(true) => error.for_marks(Marks::SENSITIVE),
                    _ => error,
                };
                let why = own.format(format_args!("{error}"));
                self.report(Code::ArgumentType, expression, &[name, why]);
                Value::unknown(strict())
            });
        }
        if let Some(attribute) = written
            && value.is_null()
            && declared.required().value() == Some(true)
        {
            let why = "it is null, but the argument is required";
            self.report(Code::ArgumentType, attribute.expression(), &[name, why]);
        }
        self.provided(declared, value, &strict, MAX_DEPTH)
    }

    /// The value of an attribute with what only the provider knows: it, or an attribute nested in it,
    /// that is null and computed. Recurses at most `depth` levels.
    fn provided(
        &self,
        declared: SchemaAttribute<'a>,
        mut value: Value<'v>,
        ty: &dyn Fn() -> Type<'v>,
        depth: usize,
    ) -> Value<'v> {
        if declared.write_only().value() == Some(true) {
            return Value::null(ty());
        }
        if value.is_null() && declared.computed().value() == Some(true) {
            value = Value::unknown(ty()).with_marks(value.marks());
        }
        if let Some(nested) = declared.nested_type().value().filter(|_| depth > 0) {
            value = self.nested(nested, value, depth - 1);
        }
        match declared.sensitive().value() {
            Some(true) => value.with_marks(Marks::SENSITIVE),
            _ => value,
        }
    }

    /// The value of an attribute with attributes.
    fn nested(&self, nested: NestedType<'a>, whole: Value<'v>, depth: usize) -> Value<'v> {
        let (plain, marks) = whole.unmark();
        if !plain.is_known() || plain.is_null() {
            return whole;
        }
        let (arena, own) = (self.arena, self.engine.inputs.arena);
        let attributes = nested.attributes().value().into_iter().flat_map(show::Map::iter);
        let attributes: HashMap<&str, SchemaAttribute<'a>> =
            attributes.map(|(name, attribute)| (normalized(arena, name), attribute)).collect();
        let object = |value: Value<'v>| {
            let (plain, marks) = value.unmark();
            let Some(entries) = plain.as_entries() else { return value };
            let entries = entries.iter().map(|&(name, value)| match attributes.get(name) {
                Some(&declared) => {
                    let ty = || type_of_attribute(own, declared).unwrap_or(Type::Dynamic);
                    let strict = || ty().without_optional_attributes(own);
                    (name, self.provided(declared, value, &strict, depth))
                }
                None => (name, value),
            });
            Value::object(arena, &entries.collect::<Vec<_>>()).with_marks(marks)
        };
        let made = match nested.nesting_mode().value() {
            Some(NestingMode::List | NestingMode::Set) => {
                let elements = plain.elements().iter();
                Value::tuple(arena, &elements.map(|&value| object(value)).collect::<Vec<_>>())
            }
            Some(NestingMode::Map) => {
                let entries = plain.entries().iter();
                let entries = entries.map(|&(name, value)| (name, object(value)));
                Value::object(arena, &entries.collect::<Vec<_>>())
            }
            _ => return object(whole),
        };
        let ty = plain.ty();
        convert(arena, made, ty).unwrap_or_else(|_| Value::unknown(ty)).with_marks(marks)
    }

    fn report(&self, code: Code, at: Expression<'a>, arguments: &[&'a str]) {
        let diagnostic = Diagnostic::new(code, at.start_label()).with_arguments(arguments);
        self.found.borrow_mut().push(diagnostic);
    }

    /// The value of the blocks of one type of a schema.
    fn blocks(
        &self,
        (name, block_type): (&'a str, BlockType<'a>),
        written: &[Block<'a>],
        dynamic: &[Block<'a>],
        depth: usize,
    ) -> Value<'v> {
        let Some(block) = block_type.block().value().filter(|_| depth < MAX_DEPTH) else {
            return Value::dynamic();
        };
        let own = self.engine.inputs.arena;
        let schema = self.engine.inputs.schemas().body(block);
        let mode = block_type.nesting_mode().value();
        let element = type_of_block(own, block, MAX_DEPTH).unwrap_or(Type::Dynamic);
        let make = |body: Body<'a>| self.typed(&[body], &[], &schema, depth + 1);
        let mut all: Blocks<'v> =
            Some(written.iter().map(|block| (block.label(0), make(block.body()))).collect());
        for block in dynamic {
            self.make(name, block.body(), depth, &make, &mut all);
        }
        let arena = self.arena;
        let has_dynamic = element.has_dynamic();
        let ty = match mode {
            Some(NestingMode::List | NestingMode::Map) if has_dynamic => Type::Dynamic,
            Some(NestingMode::List) => Type::list_of(arena, element),
            Some(NestingMode::Set) => Type::set_of(arena, element),
            Some(NestingMode::Map) => Type::map_of(arena, element),
            _ => element,
        };
        let Some(all) = all else { return Value::unknown(ty) };
        if let Some(first) = dynamic.first() {
            self.check_count((name, block_type), *first, all.len() as u64);
        }
        let values = || all.iter().map(|(_, value)| *value).collect::<Vec<_>>();
        let value = match mode {
            Some(NestingMode::Map) => {
                let named: Vec<_> =
                    all.iter().map(|(key, value)| (key.unwrap_or_default(), *value)).collect();
                Value::object(arena, &named)
            }
            Some(NestingMode::List | NestingMode::Set) => Value::tuple(arena, &values()),
            Some(NestingMode::Group) if all.is_empty() => {
                return self.typed(&[], &[], &schema, depth + 1);
            }
            _ => return all.first().map_or(Value::null(element), |(_, value)| *value),
        };
        convert(arena, value, ty).unwrap_or_else(|_| Value::unknown(ty))
    }

    /// Reports a number of blocks that the schema does not allow. It is only known here if `dynamic`
    /// blocks make some; the first of them is passed.
    fn check_count(&self, (name, block_type): (&'a str, BlockType<'a>), at: Block<'a>, count: u64) {
        let most = match block_type.nesting_mode().value() {
            Some(NestingMode::Single | NestingMode::Group) => 1,
            Some(NestingMode::Map) => return,
            _ => block_type.max_items().value().filter(|&most| most > 0).unwrap_or(u64::MAX),
        };
        let least = block_type.min_items().value().unwrap_or_default();
        let arena = self.engine.inputs.arena;
        let text = if count > most {
            arena.format(format_args!(
                "At most {most} of the blocks \"{name}\" are allowed, and there are {count}."
            ))
        } else if count < least {
            arena.format(format_args!(
                "At least {least} of the blocks \"{name}\" are required, and there are {count}."
            ))
        } else {
            return;
        };
        let diagnostic = Diagnostic::new(Code::BlockCount, at.definition_label());
        self.found.borrow_mut().push(diagnostic.with_arguments(&[text]));
    }

    /// Adds the blocks that a `dynamic` block makes; `None` if it is not known which.
    fn make(
        &self,
        name: &'a str,
        body: Body<'a>,
        depth: usize,
        make: &dyn Fn(Body<'a>) -> Value<'v>,
        all: &mut Blocks<'v>,
    ) {
        if depth >= MAX_DEPTH {
            *all = None;
            return;
        }
        let content = body.content(DYNAMIC.common(), &mut ());
        let (Some(for_each), Some(inner)) =
            (content.attribute("for_each"), content.blocks("content").next())
        else {
            return;
        };
        let iterator = content.attribute("iterator").and_then(|it| it.expression().as_keyword());
        let labels = content.attribute("labels").map(Attribute::expression);
        let arena = self.arena;
        let collection = self.value(for_each.expression());
        let Some(elements) = self.elements(collection) else {
            *all = None;
            return;
        };
        let bytes = body.missing_item_span().end.saturating_sub(inner.span().start);
        for (key, value) in elements {
            let label = || for_each.expression().start_label();
            if !self.affords_block(price_of_block(0, bytes), label) {
                *all = None;
                return;
            }
            let item = Value::object(arena, &[("key", key), ("value", value)]);
            self.own.borrow_mut().push((iterator.unwrap_or(name), item));
            // A label that must not be shown is not known: it would be a key of a map.
            let label = labels.map(|labels| self.value(labels));
            let label = label.map(|label| match label.deep_marks().hides() {
                true => Value::dynamic(),
                false => label,
            });
            let made = make(inner.body());
            self.own.borrow_mut().pop();
            let label = match label.map(|label| label.elements().first().copied()) {
                None => None,
                Some(first) => match first.and_then(Value::as_str) {
                    Some(label) => Some(label),
                    None => {
                        *all = None;
                        return;
                    }
                },
            };
            if let Some(all) = all {
                all.push((label, made));
            }
        }
    }

    /// The keys and values of a collection, which pass on its marks; `None` if it is not known.
    pub(super) fn elements(&self, collection: Value<'v>) -> Option<Vec<(Value<'v>, Value<'v>)>> {
        let arena = self.arena;
        if collection.is_null() {
            return Some(Vec::new());
        }
        if !collection.is_known() {
            return None;
        }
        let marks = collection.marks();
        let is_set = matches!(collection.ty(), Type::Set(_));
        let entries = collection.entries().iter();
        let entries = entries.map(|&(name, value)| (Value::string(arena, name), value));
        let elements = (0..).zip(collection.elements()).map(|(place, &value)| match is_set {
            true => (value, value),
            false => (Value::number(Number::from_u64(arena, place)), value),
        });
        let all = entries.chain(elements);
        Some(all.map(|(key, value)| (key.with_marks(marks), value.with_marks(marks))).collect())
    }

    /// The value of a body without a schema. `take` may have the value of an attribute already;
    /// `nested` is what is known about objects in it that may be blocks.
    pub(super) fn plain(
        &self,
        properties: &mut dyn Iterator<Item = Attribute<'a>>,
        take: &dyn Fn(Attribute<'a>) -> Option<Value<'v>>,
        nested: Nested,
        depth: usize,
    ) -> Plain<'v> {
        let mut plain = Plain { all: Vec::new(), known: Vec::new() };
        let mut blocks: Vec<(&'a str, Blocks<'v>)> = Vec::new();
        let mut places: HashMap<&'a str, usize> = HashMap::default();
        let mut of_type = |name: &'a str, blocks: &mut Vec<(&'a str, Blocks<'v>)>| {
            *places.entry(name).or_insert_with(|| {
                blocks.push((name, Some(Vec::new())));
                blocks.len() - 1
            })
        };
        let make = |body: Body<'a>| self.plain_body(body, nested, depth + 1);
        let properties: Vec<Attribute<'a>> = properties.collect();
        let made = properties.iter().filter_map(|property| made_by(*property, nested)).flatten();
        let made: HashSet<&str> = made.map(|(name, _)| name).collect();
        // Properties that `dynamic` also generates are blocks.
        let written = |property: Attribute<'a>| match made.contains(property.name()) {
            true => listed_blocks(property),
            false => None,
        };
        for property in properties {
            if let Some(made) = made_by(property, nested) {
                for (name, body) in made {
                    let place = of_type(name, &mut blocks);
                    self.make(name, body, depth, &make, &mut blocks[place].1);
                }
            } else if let Some(block) = property.as_block() {
                let place = of_type(block.block_type(), &mut blocks);
                let value = make(block.body());
                if let Some(all) = &mut blocks[place].1 {
                    all.push((block.label(0), value));
                }
            } else if let Some(bodies) = written(property) {
                let place = of_type(property.name(), &mut blocks);
                let values = bodies.into_iter().map(|body| (None, make(body)));
                if let Some(all) = &mut blocks[place].1 {
                    all.extend(values);
                }
            } else {
                let expression = property.expression();
                let value = take(property).unwrap_or_else(|| self.free(property, nested, depth));
                self.note(value);
                let value = if value.is_null() { Value::dynamic() } else { value };
                let name = property.name();
                plain.all.push((name, value));
                plain.known.push((name, self.referred(expression, value)));
            }
        }
        for (name, blocks) in blocks {
            let value = match blocks {
                None => Value::dynamic(),
                Some(blocks) => {
                    let values: Vec<_> = blocks.iter().map(|(_, value)| *value).collect();
                    Value::tuple(self.arena, &values)
                }
            };
            plain.all.push((name, value));
        }
        plain
    }

    fn plain_body(&self, body: Body<'a>, nested: Nested, depth: usize) -> Value<'v> {
        if depth >= MAX_DEPTH {
            return Value::dynamic();
        }
        let plain = self.plain(&mut body.properties(), &|_| None, nested, depth);
        Value::object(self.arena, &plain.all)
    }

    /// The value of a property of a body without a schema. In JSON it may be blocks: what is null in a
    /// list of objects may be set by the provider, as in blocks of a native file.
    pub(super) fn free(&self, property: Attribute<'a>, nested: Nested, depth: usize) -> Value<'v> {
        let expression = property.expression();
        let listed = || listed_blocks(property).map(|bodies| (bodies, Nested::None));
        let Some((bodies, nested)) = Nested::of(property, nested).or_else(listed) else {
            return self.value(expression);
        };
        let made: Vec<_> =
            bodies.iter().map(|body| self.plain_body(*body, nested, depth + 1)).collect();
        match *made.as_slice() {
            [only] if expression.is_map() => only,
            _ => Value::tuple(self.arena, &made),
        }
    }

    /// The value of an attribute of a resource without a schema, for expressions that refer to it.
    /// An object or a list of objects in JSON may be blocks, to which other rules apply: only what is
    /// in them is known.
    pub(super) fn referred(&self, expression: Expression<'a>, value: Value<'v>) -> Value<'v> {
        if !expression.is_json() {
            return value;
        }
        let (plain, marks) = value.unmark();
        let is_object = |value: &Value<'_>| matches!(value.ty(), Type::Object(_) | Type::Map(_));
        let part = if is_object(&plain) && expression.is_map() {
            Value::with_known(self.arena, plain.entries())
        } else if expression.is_list() && plain.elements().iter().any(is_object) {
            Value::dynamic()
        } else {
            plain
        };
        part.with_marks(marks)
    }
}

/// The bodies of a configuration that are read as one, for a schema.
pub(super) fn own_bodies<'a>(config: Config<'a>, escape: Option<Block<'a>>) -> Vec<Body<'a>> {
    config.own_bodies().chain(escape.map(Block::body)).collect()
}

/// The attributes and blocks that the provider reads.
pub(super) fn properties<'a>(
    resource: &Resource<'a>,
) -> impl Iterator<Item = Attribute<'a>> + use<'a> {
    let escaped = resource.escape().into_iter();
    resource.config().properties().chain(escaped.flat_map(|escape| escape.body().properties()))
}

/// Whether a mode has instances that are shown.
pub(super) fn is_shown(mode: Mode) -> bool {
    matches!(mode, Mode::Managed | Mode::Data)
}
