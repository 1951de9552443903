//! Values of expressions and blocks in either syntax, evaluated or literal.

use serde_core::de::Error as _;

use super::Error;
use super::depth::check_depth;
use super::value::ValueDeserializer;
use super::written::{Content as Properties, Group, Property, below, duplicate, grouped};
use crate::arena::Arena;
use crate::body::Body;
use crate::diagnostic::Diagnostic;
use crate::evaluate::Scope;
use crate::expression::{Expression, Syntax, json_key, json_scalar, json_template};
use crate::native::{Kind, Native};
use crate::value::{Content, Number, Type, Value};

/// Settings of how expressions are read.
#[derive(Clone, Copy)]
pub(super) struct Reader<'r, 'de> {
    /// The scope of templates; `None` if they are not evaluated.
    pub(super) scope: Option<&'r Scope<'r, 'de>>,
    pub(super) depth: usize,
}

impl<'de> Reader<'_, 'de> {
    /// Returns the literal value of a body of a native file.
    pub(super) fn literal_body(body: Body<'de>) -> Result<Value<'de>, Error> {
        let reader = Self { scope: None, depth: 0 };
        reader.object(body.source().arena(), &Properties::Body(body).properties()?)
    }

    /// Returns the value of an expression, or of a block as the object that represents it in JSON.
    pub(super) fn evaluate(
        self,
        expression: Expression<'de>,
    ) -> Result<ValueDeserializer<'de>, Error> {
        let value = self.value(expression)?;
        let arena = expression.source().arena();
        Ok(ValueDeserializer::new(arena, value).at(expression.label(), self.depth))
    }

    fn value(self, expression: Expression<'de>) -> Result<Value<'de>, Error> {
        let mut found: Vec<Diagnostic<'de>> = Vec::new();
        let value = match (expression.syntax(), self.scope) {
            (Syntax::Block(_), _) => return self.blocks(&[expression]),
            (Syntax::Native(native), _) if native.is(Kind::Invalid) => {
                return Err(Error::custom("invalid expression").at(expression.label()));
            }
            (Syntax::Native(native), None) => return self.literal(native),
            (_, Some(scope)) => expression.value(scope, &mut found),
            (Syntax::Json(_), None) => expression.literal_value(&mut found),
        };
        Error::check(&found)?;
        Ok(value)
    }

    /// Returns a reader for one level deeper. Serde recurses with the data.
    pub(super) fn inside(self) -> Result<Self, Error> {
        check_depth(self.depth)?;
        Ok(Self { depth: self.depth + 1, ..self })
    }

    /// Returns the value of blocks of one type as in JSON: objects by their labels, then the body;
    /// a list if there are several bodies.
    fn blocks(self, blocks: &[Expression<'de>]) -> Result<Value<'de>, Error> {
        let reader = self.inside()?;
        let Some(arena) = blocks.first().map(|block| block.source().arena()) else {
            return Ok(Value::null(Type::Dynamic));
        };
        let has_label = |block: &Expression<'de>| match block.syntax() {
            Syntax::Block(level) => !level.labels_left().is_empty(),
            Syntax::Json(_) | Syntax::Native(_) => false,
        };
        if blocks.len() > 1 && !blocks.iter().any(has_label) {
            let each = blocks.iter().map(|block| reader.blocks(&[*block]));
            return Ok(Value::tuple(arena, &each.collect::<Result<Vec<_>, _>>()?));
        }
        reader.object(arena, &below(blocks)?)
    }

    /// Returns the value of the properties of one body.
    fn object(self, arena: &'de Arena, properties: &[Property<'de>]) -> Result<Value<'de>, Error> {
        let groups = grouped(properties);
        let entry = |group: &Group<'de>| Ok((group[0].name.to_str(), self.group(group)?));
        let entries: Result<Vec<_>, Error> = groups.iter().map(entry).collect();
        let object = Value::object(arena, &entries?);
        match object.content() {
            // Names in values are normalized, names in files are not.
            Content::Entries(kept) if kept.len() < groups.len() => {
                let is_kept =
                    |name: &str| kept.binary_search_by_key(&name, |entry| entry.0).is_ok();
                let duplicated = groups.iter().find(|group| !is_kept(group[0].name.to_str()));
                Err(duplicated
                    .map_or_else(|| Error::custom("duplicate name"), |group| duplicate(group)))
            }
            _ => Ok(object),
        }
    }

    /// Returns the value of the properties of one name: an attribute or blocks.
    pub(super) fn evaluate_group(
        self,
        group: &[Property<'de>],
    ) -> Result<ValueDeserializer<'de>, Error> {
        let value = self.group(group)?;
        let first = group[0].value;
        Ok(ValueDeserializer::new(first.source().arena(), value).at(first.label(), self.depth))
    }

    fn group(self, group: &[Property<'de>]) -> Result<Value<'de>, Error> {
        match group {
            [property] => self.value(property.expression()?),
            _ if group.iter().all(|property| property.is_block()) => {
                self.blocks(&group.iter().map(|property| property.value).collect::<Vec<_>>())
            }
            _ => Err(duplicate(group)),
        }
    }

    /// Returns the literal value of a native expression. If JSON has no literal for it, that is the
    /// text of a template.
    fn literal(self, native: Native<'de>) -> Result<Value<'de>, Error> {
        let arena = native.source().arena();
        if native.is(Kind::Tuple) {
            let reader = self.inside()?;
            let elements = native.operands().into_iter().map(|element| reader.literal(element));
            return Ok(Value::tuple(arena, &elements.collect::<Result<Vec<_>, _>>()?));
        }
        if native.is(Kind::Object) {
            let reader = self.inside()?;
            let operands = native.operands();
            let (pairs, _) = operands.as_chunks();
            let entry = |&[key, value]: &[Native<'de>; 2]| {
                Ok((arena.str(&json_key(key)), reader.literal(value)?))
            };
            let entries: Result<Vec<_>, Error> = pairs.iter().map(entry).collect();
            return Ok(Value::object(arena, &entries?));
        }
        let number = |text| match Number::from_literal(text) {
            Ok(number) => Ok(Value::number(number)),
            Err(error) => Err(Error::custom(error).at(native.label())),
        };
        match json_scalar(native) {
            Some(_) if native.is(Kind::Null) => Ok(Value::null(Type::Dynamic)),
            Some(_) if native.is(Kind::True) => Ok(Value::bool(true)),
            Some(_) if native.is(Kind::False) => Ok(Value::bool(false)),
            Some(text) => number(text),
            None => Ok(Value::string(arena, arena.str(&json_template(native)))),
        }
    }
}
