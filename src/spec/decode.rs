//! Decodes bodies by a specification.

use super::content::{Content, Shape};
use super::{Blocks, Collection, Kind, Spec, Transform};
use crate::arena::Arena;
use crate::body::{Block, Body};
use crate::diagnostic::{Code, Diagnostic, Label, Severity, Sink};
use crate::evaluate::{Meter, Scope};
use crate::expression::Expression;
use crate::hash::HashMap;
use crate::value::{Type, Value, convert, unify};

/// Returns the value of bodies by a specification; several are read as one. Errors are reported to
/// `sink`; the parts with errors are unknown or null.
///
/// `scope` has the variables and functions of expressions. Without a scope there are none, and JSON
/// strings are literal, as in hcldec.
///
/// Without bodies, everything is missing, but there is no place to report: the value is null.
///
/// Cost: linear in the bodies and the value, and the cost of the expressions, within the scope's
/// budget for all of them together. Recurses as deep as the specification.
pub fn decode<'a>(
    spec: Spec<'a>,
    bodies: &[Body<'a>],
    scope: Option<&Scope<'_, 'a>>,
    sink: &mut dyn Sink<'a>,
) -> Value<'a> {
    let Some(first) = bodies.first() else { return Value::null(spec.ty) };
    let meter = Meter::new(scope.copied().unwrap_or_default().budget());
    let arena = first.source().arena();
    let mut decoder = Decoder { arena, scope, meter: &meter, sink: Counting { sink, errors: 0 } };
    let shape = Shape::of(spec);
    match shape.read_all(bodies, &mut decoder.sink) {
        Some(content) => decoder.value(spec, &content),
        None => Value::null(spec.ty),
    }
}

struct Decoder<'s, 'a> {
    arena: &'a Arena,
    scope: Option<&'s Scope<'s, 'a>>,
    meter: &'s Meter,
    sink: Counting<'s, 'a>,
}

/// Counts errors.
struct Counting<'s, 'a> {
    sink: &'s mut dyn Sink<'a>,
    errors: usize,
}

impl<'a> Sink<'a> for Counting<'_, 'a> {
    fn report(&mut self, diagnostic: Diagnostic<'a>) {
        self.errors += usize::from(diagnostic.severity() == Severity::Error);
        self.sink.report(diagnostic);
    }
}

impl<'a> Decoder<'_, 'a> {
    fn report(&mut self, code: Code, label: Label<'a>, arguments: &[&'a str]) {
        self.sink.report(Diagnostic::new(code, label).with_arguments(arguments));
    }

    fn value(&mut self, spec: Spec<'a>, content: &Content<'a>) -> Value<'a> {
        match spec.kind {
            Kind::Object(entries) => {
                let entries: Vec<_> = entries
                    .iter()
                    .map(|(name, spec)| (*name, self.value(*spec, content)))
                    .collect();
                Value::object(self.arena, &entries)
            }
            Kind::Tuple(specs) => {
                let elements: Vec<_> =
                    specs.iter().map(|spec| self.value(*spec, content)).collect();
                Value::tuple(self.arena, &elements)
            }
            // A missing required attribute has been reported.
            Kind::Attribute { name, .. } => match content.attribute(name) {
                Some(attribute) => self.attribute(name, attribute.expression(), spec.ty),
                None => Value::null(spec.ty),
            },
            Kind::Block { block_type, required, nested } => {
                match self.only_block(block_type, required, content) {
                    Some(block) => self.body(block.body(), *nested),
                    None => Value::null(nested.ty),
                }
            }
            Kind::Blocks(blocks) => self.blocks(blocks, content),
            Kind::BlockMap { block_type, labels, nested } => {
                self.block_map(content.blocks(block_type), labels.len(), *nested, spec.ty)
            }
            Kind::BlockAttributes { block_type, required, element } => {
                match self.only_block(block_type, required, content) {
                    Some(block) => self.block_attributes(block, element),
                    None => Value::null(spec.ty),
                }
            }
            Kind::Default(candidates) => {
                let mut value = Value::null(spec.ty);
                for candidate in candidates {
                    value = self.value(*candidate, content);
                    if !value.is_null() {
                        break;
                    }
                }
                value
            }
            Kind::Transform(transform) => self.transform(transform, spec.ty, content),
            Kind::NotNull(nested) => {
                let earlier = self.sink.errors;
                let value = self.value(*nested, content);
                if value.is_null() {
                    if self.sink.errors == earlier {
                        let label = place(*nested, content);
                        self.report(Code::SpecNull, label, &[]);
                    }
                    return Value::unknown(spec.ty);
                }
                value.not_null()
            }
            Kind::Literal(value) => value,
        }
    }

    fn body(&mut self, body: Body<'a>, spec: Spec<'a>) -> Value<'a> {
        let content = Shape::of(spec).read(body, &mut self.sink);
        self.value(spec, &content)
    }

    /// Returns the value of an expression, converted to a type. `name` is the name of its
    /// attribute.
    fn attribute(&mut self, name: &'a str, expression: Expression<'a>, ty: Type<'a>) -> Value<'a> {
        let value = match self.scope {
            Some(scope) => expression.value_within(scope, self.meter, &mut self.sink),
            None => expression.literal_value(&mut self.sink),
        };
        match convert(self.arena, value, ty) {
            Ok(value) => value,
            Err(error) => {
                let error = self.arena.format(format_args!("{error}"));
                self.report(Code::ArgumentType, expression.label(), &[name, error]);
                Value::unknown(ty)
            }
        }
    }

    /// Returns the block of a type that may occur at most once.
    fn only_block(
        &mut self,
        block_type: &'a str,
        required: bool,
        content: &Content<'a>,
    ) -> Option<Block<'a>> {
        match content.blocks(block_type) {
            [] if required => {
                let text = format_args!("A block \"{block_type}\" is required here.");
                let text = self.arena.format(text);
                self.report(Code::BlockCount, content.missing, &[text]);
                None
            }
            [] => None,
            [block] => Some(*block),
            [block, second, ..] => {
                let text = format_args!("Only one block \"{block_type}\" is allowed here.");
                let text = self.arena.format(text);
                let diagnostic = Diagnostic::new(Code::BlockCount, second.definition_label())
                    .with_arguments(&[text])
                    .with_related(block.definition_label(), "the first is here");
                self.sink.report(diagnostic);
                Some(*block)
            }
        }
    }

    fn blocks(&mut self, of: Blocks<'a>, content: &Content<'a>) -> Value<'a> {
        let blocks = content.blocks(of.block_type);
        let shape = Shape::of(*of.nested);
        let mut elements = Vec::with_capacity(blocks.len());
        for block in blocks {
            let content = shape.read(block.body(), &mut self.sink);
            elements.push(self.value(*of.nested, &content));
        }
        let Blocks { block_type, least, most, .. } = of;
        let count = blocks.len() as u64;
        if count < least {
            let text = format_args!(
                "At least {least} blocks \"{block_type}\" are required here, there are {count}."
            );
            let text = self.arena.format(text);
            self.report(Code::BlockCount, content.missing, &[text]);
        } else if most > 0 && count > most {
            let text = format_args!(
                "At most {most} blocks \"{block_type}\" are allowed here, there are {count}."
            );
            let text = self.arena.format(text);
            let first = usize::try_from(most).unwrap_or(usize::MAX);
            let label = blocks.get(first).map_or(content.missing, |it| it.definition_label());
            self.report(Code::BlockCount, label, &[text]);
        }
        if of.collection == Collection::Tuple {
            return Value::tuple(self.arena, &elements);
        }
        let places: Vec<_> = blocks.iter().map(|block| block.definition_label()).collect();
        let Some(element) = self.of_one_type(block_type, of.nested.ty, &mut elements, &places)
        else {
            return Value::dynamic();
        };
        match of.collection {
            Collection::Set => Value::set(self.arena, element, &elements),
            Collection::List | Collection::Tuple => Value::list(self.arena, element, &elements),
        }
    }

    /// Converts values to their common type. Returns that type with them; `empty` is the type if
    /// there are none. `places` has the place of each value. Returns `None` after reporting that
    /// there is no common type.
    fn of_one_type(
        &mut self,
        name: &'a str,
        empty: Type<'a>,
        values: &mut [Value<'a>],
        places: &[Label<'a>],
    ) -> Option<Type<'a>> {
        if values.is_empty() {
            return Some(empty);
        }
        let types: Vec<_> = values.iter().map(|value| value.ty()).collect();
        let Some(ty) = unify(self.arena, &types) else {
            if let Some(label) = places.first() {
                self.report(Code::UnlikeBlocks, *label, &[name, "they have no common type"]);
            }
            return None;
        };
        for (value, label) in values.iter_mut().zip(places) {
            match convert(self.arena, *value, ty) {
                Ok(converted) => *value = converted,
                Err(error) => {
                    let error = self.arena.format(format_args!("{error}"));
                    self.report(Code::UnlikeBlocks, *label, &[name, error]);
                    return None;
                }
            }
        }
        Some(ty)
    }

    fn block_map(
        &mut self,
        blocks: &[Block<'a>],
        labels: usize,
        nested: Spec<'a>,
        ty: Type<'a>,
    ) -> Value<'a> {
        let shape = Shape::of(nested);
        let mut places: HashMap<Vec<&'a str>, Label<'a>> = HashMap::default();
        let mut kept: Vec<(Vec<&'a str>, Value<'a>)> = Vec::new();
        let mut of_kept = Vec::new();
        for block in blocks {
            let content = shape.read(block.body(), &mut self.sink);
            let value = self.value(nested, &content);
            let key: Vec<&'a str> = block.labels().take(labels).collect();
            if key.len() < labels {
                // This has been reported.
                continue;
            }
            if let Some(earlier) = places.get(&key) {
                let names = key.iter().map(|label| format!("\"{label}\"")).collect::<Vec<_>>();
                let names = self.arena.str(&names.join(" "));
                let text = format_args!(
                    "Only one block \"{}\" is allowed with the labels {names}.",
                    block.block_type()
                );
                let text = self.arena.format(text);
                let diagnostic = Diagnostic::new(Code::BlockCount, block.definition_label())
                    .with_arguments(&[text])
                    .with_related(*earlier, "the first is here");
                self.sink.report(diagnostic);
                continue;
            }
            places.insert(key.clone(), block.definition_label());
            kept.push((key, value));
            of_kept.push(block.definition_label());
        }
        let block_type = blocks.first().map_or("", |block| block.block_type());
        let mut values: Vec<_> = kept.iter().map(|(_, value)| *value).collect();
        let Some(element) = self.of_one_type(block_type, nested.ty, &mut values, &of_kept) else {
            return Value::unknown(ty);
        };
        let mut entries: Vec<_> = kept.into_iter().map(|(key, _)| key).zip(values).collect();
        entries.sort_by(|(one, _), (other, _)| one.cmp(other));
        // From the innermost label to the outermost: values with the same outer labels become one
        // map.
        let mut element = element;
        for level in (0..labels).rev() {
            let mut outer: Vec<(Vec<&'a str>, Value<'a>)> = Vec::new();
            for group in entries.chunk_by(|(one, _), (other, _)| one[..level] == other[..level]) {
                let members: Vec<_> = group.iter().map(|(key, it)| (key[level], *it)).collect();
                let map = Value::map(self.arena, element, &members);
                outer.push((group[0].0[..level].to_vec(), map));
            }
            element = Type::map_of(self.arena, element);
            entries = outer;
        }
        let empty = || Value::map(self.arena, ty.element().unwrap_or(Type::Dynamic), &[]);
        entries.first().map_or_else(empty, |(_, map)| *map)
    }

    fn block_attributes(&mut self, block: Block<'a>, element: Type<'a>) -> Value<'a> {
        let attributes = block.body().just_attributes(&mut self.sink);
        let mut values = Vec::with_capacity(attributes.len());
        let mut places = Vec::with_capacity(attributes.len());
        for attribute in attributes {
            values.push(self.attribute(attribute.name(), attribute.expression(), element));
            places.push(attribute.label());
        }
        let block_type = block.block_type();
        let Some(element) = self.of_one_type(block_type, element, &mut values, &places) else {
            return Value::unknown(Type::map_of(self.arena, element));
        };
        let names = attributes.iter().map(|attribute| attribute.name());
        Value::map(self.arena, element, &names.zip(values).collect::<Vec<_>>())
    }

    fn transform(
        &mut self,
        transform: &Transform<'a>,
        ty: Type<'a>,
        content: &Content<'a>,
    ) -> Value<'a> {
        let earlier = self.sink.errors;
        let nested = self.value(transform.nested, content);
        if self.sink.errors > earlier {
            // Further errors would follow from those that have been reported.
            return Value::unknown(ty);
        }
        let Some(result) = transform.result else { return Value::null(ty) };
        let variables = [(Transform::VARIABLE, nested)];
        let scope = Scope::new().with_variables(&variables).with_functions(transform.functions);
        result.value_within(&scope, self.meter, &mut self.sink)
    }
}

/// Returns the place that the value of a specification is from. Recurses as deep as the
/// specification.
fn place<'a>(spec: Spec<'a>, content: &Content<'a>) -> Label<'a> {
    let block = |block_type| content.blocks(block_type).first().map(|it| it.definition_label());
    let found = match spec.kind {
        Kind::Attribute { name, .. } => {
            content.attribute(name).map(|attribute| attribute.expression().label())
        }
        Kind::Block { block_type, .. }
        | Kind::BlockMap { block_type, .. }
        | Kind::BlockAttributes { block_type, .. } => block(block_type),
        Kind::Blocks(blocks) => block(blocks.block_type),
        Kind::Default(candidates) => candidates.first().map(|spec| place(*spec, content)),
        Kind::Transform(transform) => Some(place(transform.nested, content)),
        Kind::NotNull(nested) => Some(place(*nested, content)),
        Kind::Object(_) | Kind::Tuple(_) | Kind::Literal(_) => None,
    };
    found.unwrap_or(content.missing)
}
