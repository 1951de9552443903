//! Reads bodies: the requested type decides which properties are blocks.
//!
//! JSON does not distinguish attributes from blocks. A field that is a struct or an enum is read as
//! a block, a list of them as blocks, a map as either, since both are objects, and everything else
//! as an attribute, whose expression is evaluated. Native files are read in the same way.

use serde_core::de::value::BorrowedStrDeserializer;
use serde_core::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, Error as _, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use smallvec::SmallVec;

use super::expression::ExpressionDeserializer;
use super::forward::{as_expression, ignored_any, located, scalars_as_expression, tuples_as_seq};
use super::node::KeyDeserializer;
use super::reader::Reader;
use super::spanned::{self, Located};
use super::value::ValueDeserializer;
use super::written::{
    Block, Content, Group, Labels, below, blocks, duplicate, grouped, is_body, is_map, no_variant,
};
use super::{Error, text};
use crate::body::Body;
use crate::diagnostic::Label;
use crate::expression::{Expression, MapKey};

/// Fields with names that start with this take the labels of a block.
const LABEL: char = '$';

/// The name, in errors, of the label that selects a variant.
const VARIANT: &str = "variant";

/// Returns the names of labels: the fields that take them, without the mark.
fn labels_of(fields: &'static [&'static str]) -> SmallVec<[&'static str; 4]> {
    fields.iter().filter_map(|field| field.strip_prefix(LABEL)).collect()
}

/// Reads a body, and the labels of its block.
pub(super) struct BodyDeserializer<'r, 'de> {
    reader: Reader<'r, 'de>,
    content: Content<'de>,
    labels: Labels<'de>,
}

impl<'r, 'de> BodyDeserializer<'r, 'de> {
    pub(super) fn new(reader: Reader<'r, 'de>, body: Body<'de>) -> Self {
        Self { reader, content: Content::Body(body), labels: Labels::new() }
    }

    fn of_block(reader: Reader<'r, 'de>, Block { labels, content }: Block<'de>) -> Self {
        Self { reader, content, labels }
    }

    fn visit<V: Visitor<'de>>(
        self,
        label_fields: SmallVec<[&'static str; 4]>,
        visitor: V,
    ) -> Result<V::Value, Error> {
        let Self { reader, content, labels } = self;
        let visit = || {
            visitor.visit_map(Fields {
                reader: reader.inside()?,
                labels: label_fields.into_iter().zip(labels).collect(),
                next_label: 0,
                groups: grouped(&content.properties()?).into_iter(),
                value: None,
            })
        };
        visit().map_err(|error| match content.end_label() {
            Some(label) => error.at(label),
            None => error,
        })
    }
}

impl<'de> Deserializer<'de> for BodyDeserializer<'_, 'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.visit(SmallVec::new(), visitor)
    }

    serde_core::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct map identifier
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        if name == text::UNEVALUATED || name == text::NATIVE {
            let text = self.content.expression().map_or(&[][..], Expression::text);
            return visitor.visit_str(&String::from_utf8_lossy(text));
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if name == spanned::NAME {
            return spanned::visit(self, visitor);
        }
        // The keys that serde compares include the mark.
        let labels = fields.iter().copied().filter(|field| field.starts_with(LABEL)).collect();
        self.visit(labels, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        mut self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if self.labels.is_empty() {
            return Err(no_variant(&self.content));
        }
        let name = self.labels.remove(0);
        visitor.visit_enum(Variant { name, block: self })
    }

    ignored_any!();
}

located!(BodyDeserializer<'_, 'de>: |it| it.content.expression().map(Expression::label));

/// The labels of a block, then its properties.
struct Fields<'r, 'de> {
    reader: Reader<'r, 'de>,
    labels: SmallVec<[(&'static str, MapKey<'de>); 2]>,
    next_label: usize,
    groups: std::vec::IntoIter<Group<'de>>,
    value: Option<Field<'de>>,
}

enum Field<'de> {
    Label(MapKey<'de>),
    Property(Group<'de>),
}

impl<'de> MapAccess<'de> for Fields<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        if let Some(&(field, label)) = self.labels.get(self.next_label) {
            self.next_label += 1;
            self.value = Some(Field::Label(label));
            return seed.deserialize(BorrowedStrDeserializer::new(field)).map(Some);
        }
        let Some(group) = self.groups.next() else { return Ok(None) };
        let name = group[0].name;
        self.value = Some(Field::Property(group));
        if self.reader.scope.is_some() && name.as_json().is_some_and(|name| name.may_be_template())
        {
            let key = self.reader.evaluate(name.expression())?;
            return seed.deserialize(key).map(Some);
        }
        seed.deserialize(KeyDeserializer(name)).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        match self.value.take() {
            Some(Field::Label(label)) => seed.deserialize(KeyDeserializer(label)),
            Some(Field::Property(group)) => {
                let at = group[0].value.start_label();
                let property = PropertyDeserializer { reader: self.reader, group };
                seed.deserialize(property).map_err(|error| error.at(at))
            }
            None => Err(Error::custom("no value before a key")),
        }
    }
}

/// Reads the properties of one name: an attribute or blocks, as the type asks.
struct PropertyDeserializer<'r, 'de> {
    reader: Reader<'r, 'de>,
    group: Group<'de>,
}

impl<'r, 'de> PropertyDeserializer<'r, 'de> {
    /// Returns the value of the attribute. A duplicate attribute is an error.
    fn attribute(&self) -> Result<ExpressionDeserializer<'r, 'de>, Error> {
        match *self.group.as_slice() {
            [property] => {
                Ok(ExpressionDeserializer { reader: self.reader, value: property.expression()? })
            }
            _ => Err(duplicate(&self.group)),
        }
    }

    /// Returns the value of the attribute, or of blocks of a native file.
    fn expression(&self) -> Result<ValueDeserializer<'de>, Error> {
        self.reader.evaluate_group(&self.group)
    }

    /// Whether it must be an attribute, because nothing in it can be a block.
    fn is_attribute(&self) -> bool {
        self.group.len() == 1 && !is_body(self.group[0].value)
    }

    fn is_null(&self) -> bool {
        self.group.iter().all(|property| property.value.is_null())
    }

    /// Returns the only block.
    fn block(self, labels: &[&'static str]) -> Result<BodyDeserializer<'r, 'de>, Error> {
        let mut blocks = blocks(&self.group, labels)?.into_iter();
        let count = blocks.len();
        match (blocks.next(), blocks.next()) {
            (Some(block), None) => Ok(BodyDeserializer::of_block(self.reader, block)),
            (None, _) => Err(Error::custom("expected a block, found an empty list of blocks")),
            (Some(_), Some(second)) => {
                let error = Error::custom(format_args!("expected one block, found {count}"));
                Err(match second.content.expression() {
                    Some(body) => error.at(body.start_label()),
                    None => error,
                })
            }
        }
    }
}

impl<'de> Deserializer<'de> for PropertyDeserializer<'_, 'de> {
    type Error = Error;

    scalars_as_expression!();
    tuples_as_seq!();

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        match name {
            text::UNEVALUATED | text::NUMBER | text::NATIVE => {
                self.attribute()?.deserialize_newtype_struct(name, visitor)
            }
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.is_attribute() && !self.is_null() {
            return self.expression()?.deserialize_seq(visitor);
        }
        let Self { reader, group } = self;
        let mut items = Items { reader: reader.inside()?, group, found: None, at: None };
        let value = visitor.visit_seq(&mut items)?;
        match items.found.map_or(0, |found| found.len()) {
            0 => Ok(value),
            left => Err(Error::custom(format_args!("{left} elements too many"))),
        }
    }

    /// Reads it as one body. Labels and their blocks are a body, too.
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.group.len() == 1 && !is_map(self.group[0].value) {
            return self.expression()?.deserialize_map(visitor);
        }
        let reader = self.reader.inside()?;
        let values: Group<'de> = self.group;
        let values: Vec<_> = values.iter().map(|property| property.value).collect();
        let groups = grouped(&below(&values)?).into_iter();
        visitor.visit_map(Fields {
            reader,
            labels: SmallVec::new(),
            next_label: 0,
            groups,
            value: None,
        })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if name == spanned::NAME {
            return spanned::visit(self, visitor);
        }
        if self.is_attribute() {
            return self.expression()?.deserialize_struct(name, fields, visitor);
        }
        self.block(&labels_of(fields))?.deserialize_struct(name, fields, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if self.is_attribute() {
            return self.expression()?.deserialize_enum(name, variants, visitor);
        }
        self.block(&[VARIANT])?.deserialize_enum(name, variants, visitor)
    }

    ignored_any!();
}

located!(PropertyDeserializer<'_, 'de>: |it| Some(it.group[0].value.label()));

/// The elements of a list, or the blocks of one type. The type of the first element decides which
/// it is, and how many labels the blocks have.
struct Items<'r, 'de> {
    reader: Reader<'r, 'de>,
    group: Group<'de>,
    /// The remaining elements or blocks, once it is known which they are.
    found: Option<Rest<'de>>,
    /// The place of the last one that was read.
    at: Option<Label<'de>>,
}

enum Rest<'de> {
    Expressions(std::vec::IntoIter<Expression<'de>>),
    Blocks(std::vec::IntoIter<Block<'de>>),
}

impl Rest<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Expressions(rest) => rest.len(),
            Self::Blocks(rest) => rest.len(),
        }
    }
}

impl<'r, 'de> Items<'r, 'de> {
    /// Returns the next one, read as an element of a list, or the end error if none is left.
    fn expression(&mut self) -> Result<ExpressionDeserializer<'r, 'de>, Error> {
        if self.found.is_none() {
            let elements = if self.group.iter().all(|property| property.is_block()) {
                self.group.iter().map(|property| property.value).collect()
            } else {
                let group = self.group.clone();
                let value = PropertyDeserializer { reader: self.reader, group }.attribute()?.value;
                match value.as_list() {
                    Some(list) => list.collect(),
                    None if value.is_null() => Vec::new(),
                    None => vec![value],
                }
            };
            self.found = Some(Rest::Expressions(elements.into_iter()));
        }
        let next = match &mut self.found {
            Some(Rest::Expressions(rest)) => rest.next(),
            Some(Rest::Blocks(rest)) => rest.next().and_then(|block| block.content.expression()),
            None => None,
        };
        let value = next.ok_or_else(Error::end_of_blocks)?;
        self.at = Some(value.label());
        Ok(ExpressionDeserializer { reader: self.reader, value })
    }

    /// Returns the next one, read as a block with labels of these names, unless the list has an
    /// element that cannot be a block; or the end error if none is left.
    fn item(&mut self, labels: &[&'static str]) -> Result<Item<'r, 'de>, Error> {
        if self.found.is_none() && (!labels.is_empty() || !self.has_templates()) {
            self.found = Some(Rest::Blocks(blocks(&self.group, labels)?.into_iter()));
        }
        match &mut self.found {
            Some(Rest::Blocks(rest)) => {
                let block = rest.next().ok_or_else(Error::end_of_blocks)?;
                self.at = block.content.expression().map(Expression::label);
                Ok(Item::Block(BodyDeserializer::of_block(self.reader, block)))
            }
            _ => self.expression().map(Item::Expression),
        }
    }

    /// Whether an element of the list is not an object, but may become one by evaluation.
    fn has_templates(&self) -> bool {
        let [property] = self.group.as_slice() else { return false };
        let list = property.value.as_list();
        list.is_some_and(|mut list| list.any(|element| !is_body(element)))
    }
}

enum Item<'r, 'de> {
    Expression(ExpressionDeserializer<'r, 'de>),
    Block(BodyDeserializer<'r, 'de>),
}

impl<'de> SeqAccess<'de> for &mut Items<'_, 'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        match seed.deserialize(ItemDeserializer { items: self }) {
            Ok(value) => Ok(Some(value)),
            Err(error) if error.is_end_of_blocks() => Ok(None),
            Err(error) => Err(match self.at {
                Some(label) => error.at(label),
                None => error,
            }),
        }
    }
}

/// Reads the next element or block of a list.
struct ItemDeserializer<'i, 'r, 'de> {
    items: &'i mut Items<'r, 'de>,
}

impl<'de> ItemDeserializer<'_, '_, 'de> {
    fn expression(self) -> Result<ValueDeserializer<'de>, Error> {
        self.items.expression()?.expression()
    }
}

impl<'de> Deserializer<'de> for ItemDeserializer<'_, '_, 'de> {
    type Error = Error;

    scalars_as_expression!();
    tuples_as_seq!();
    as_expression! { deserialize_seq deserialize_option }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        match name {
            text::UNEVALUATED | text::NUMBER | text::NATIVE => {
                self.items.expression()?.deserialize_newtype_struct(name, visitor)
            }
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.items.item(&[])? {
            Item::Expression(expression) => expression.deserialize_map(visitor),
            Item::Block(block) => block.deserialize_map(visitor),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if name == spanned::NAME {
            return spanned::visit(self, visitor);
        }
        match self.items.item(&labels_of(fields))? {
            Item::Expression(expression) => expression.deserialize_struct(name, fields, visitor),
            Item::Block(block) => block.deserialize_struct(name, fields, visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let labels: &[&'static str] = if self.items.has_templates() { &[] } else { &[VARIANT] };
        match self.items.item(labels)? {
            Item::Expression(expression) => expression.deserialize_enum(name, variants, visitor),
            Item::Block(block) => block.deserialize_enum(name, variants, visitor),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.items.expression()?;
        visitor.visit_unit()
    }
}

impl<'de> Located<'de> for ItemDeserializer<'_, '_, 'de> {
    fn locate<T: DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<(T::Value, Option<Label<'de>>), Error> {
        let items = self.items;
        let value = seed.deserialize(ItemDeserializer { items: &mut *items })?;
        Ok((value, items.at))
    }
}

/// A variant of an enum: a label, and the rest of the block.
struct Variant<'r, 'de> {
    name: MapKey<'de>,
    block: BodyDeserializer<'r, 'de>,
}

impl<'r, 'de> EnumAccess<'de> for Variant<'r, 'de> {
    type Error = Error;
    type Variant = BodyDeserializer<'r, 'de>;

    fn variant_seed<K: DeserializeSeed<'de>>(
        self,
        seed: K,
    ) -> Result<(K::Value, Self::Variant), Error> {
        Ok((seed.deserialize(KeyDeserializer(self.name))?, self.block))
    }
}

impl<'de> VariantAccess<'de> for BodyDeserializer<'_, 'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        match self.content.properties()?.first() {
            None => Ok(()),
            Some(found) => Err(Error::custom("expected an empty block").at(found.name.label())),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Error> {
        Err(de::Error::custom("a block is not a tuple"))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_struct("", fields, visitor)
    }
}
