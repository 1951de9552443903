//! Reading bodies: what a type asks for decides what is a block.
//!
//! JSON does not tell attributes from blocks. A field that is a struct or an enum is read as a
//! block, a list of them as blocks; a map as either, since both are objects; everything else as an
//! attribute, whose expression is evaluated.

use std::collections::hash_map::Entry;

use serde_core::de::value::BorrowedStrDeserializer;
use serde_core::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, Error as _, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use smallvec::{SmallVec, smallvec};

use super::depth::check_depth;
use super::forward::{ignored_any, located};
use super::node::{KeyDeserializer, invalid_type};
use super::spanned::{self, Located};
use super::value::ValueDeserializer;
use super::{Error, text};
use crate::body::{Body, blocks_of, labels_below};
use crate::diagnostic::{Code, Diagnostic, Label};
use crate::evaluate::Scope;
use crate::expression::Expression;
use crate::hash::HashMap;
use crate::json::{JsonString, JsonValue, Member, Node};

/// Fields whose names start so take the labels of a block.
const LABEL: char = '$';

/// How expressions are read.
#[derive(Clone, Copy)]
pub(super) struct Reader<'r, 'de> {
    /// What templates may refer to; `None` if they are not evaluated.
    pub(super) scope: Option<&'r Scope<'r, 'de>>,
    pub(super) depth: usize,
}

impl<'de> Reader<'_, 'de> {
    fn evaluate(self, node: Node<'de>) -> Result<ValueDeserializer<'de>, Error> {
        let mut found: Vec<Diagnostic<'de>> = Vec::new();
        let expression = Expression::from_json(node);
        let value = match self.scope {
            Some(scope) => expression.value(scope, &mut found),
            None => expression.literal_value(&mut found),
        };
        match Error::of(&found) {
            Some(error) => Err(error),
            None => {
                let arena = node.source().arena();
                Ok(ValueDeserializer::new(arena, value).at(node.label(), self.depth))
            }
        }
    }

    /// One level further inside. Serde recurses with the data.
    fn inside(self) -> Result<Self, Error> {
        check_depth(self.depth)?;
        Ok(Self { depth: self.depth + 1, ..self })
    }

    /// The blocks that properties of one name stand for.
    fn blocks(self, group: &[Member<'de>], labels: &[&str]) -> Result<Vec<Block<'de>>, Error> {
        let mut found: Vec<Diagnostic<'de>> = Vec::new();
        let mut blocks = Vec::new();
        for property in group {
            blocks.extend(blocks_of(property.value(), labels, &mut found));
        }
        match Error::of(&found) {
            Some(error) => Err(error),
            None => Ok(blocks),
        }
    }
}

/// The labels and the body of a block.
type Block<'de> = (&'de [JsonString<'de>], Node<'de>);

/// The properties that share one name: an attribute, or blocks of one type.
type Group<'de> = SmallVec<[Member<'de>; 1]>;

/// What labels are called: the fields that take them, without the mark.
fn labels_of(fields: &'static [&'static str]) -> SmallVec<[&'static str; 4]> {
    fields.iter().filter_map(|field| field.strip_prefix(LABEL)).collect()
}

/// Whether a value can stand for a block or several.
fn is_body(node: Node<'_>) -> bool {
    node.is_object() || node.is_array()
}

macro_rules! as_expression {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.expression()?.$method(visitor)
        }
    )*};
}

macro_rules! scalars_as_expression {
    () => {
        as_expression! {
            deserialize_any deserialize_bool deserialize_char deserialize_str deserialize_string
            deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
            deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
            deserialize_f32 deserialize_f64 deserialize_bytes deserialize_byte_buf deserialize_unit
        }

        fn deserialize_unit_struct<V: Visitor<'de>>(
            self,
            name: &'static str,
            visitor: V,
        ) -> Result<V::Value, Error> {
            self.expression()?.deserialize_unit_struct(name, visitor)
        }

        fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.deserialize_str(visitor)
        }
    };
}

/// A list may be given as a tuple.
macro_rules! tuples_as_seq {
    () => {
        fn deserialize_tuple<V: Visitor<'de>>(
            self,
            _: usize,
            visitor: V,
        ) -> Result<V::Value, Error> {
            self.deserialize_seq(visitor)
        }

        fn deserialize_tuple_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            _: usize,
            visitor: V,
        ) -> Result<V::Value, Error> {
            self.deserialize_seq(visitor)
        }
    };
}

/// Reads an expression.
#[derive(Clone, Copy)]
pub(super) struct ExpressionDeserializer<'r, 'de> {
    pub(super) reader: Reader<'r, 'de>,
    pub(super) node: Node<'de>,
}

impl<'de> ExpressionDeserializer<'_, 'de> {
    fn expression(self) -> Result<ValueDeserializer<'de>, Error> {
        self.reader.evaluate(self.node)
    }
}

impl<'de> Deserializer<'de> for ExpressionDeserializer<'_, 'de> {
    type Error = Error;

    scalars_as_expression!();
    tuples_as_seq!();
    as_expression! { deserialize_seq deserialize_map deserialize_option }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        match (name, self.node.value()) {
            (text::UNEVALUATED, JsonValue::String(string)) => {
                visitor.visit_borrowed_str(string.to_str())
            }
            (text::UNEVALUATED, _) => visitor.visit_str(&String::from_utf8_lossy(self.node.text())),
            (text::NUMBER, JsonValue::Number(number)) => visitor.visit_borrowed_str(number.text()),
            (text::NUMBER, _) => self.expression()?.deserialize_newtype_struct(name, visitor),
            _ => visitor.visit_newtype_struct(self),
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
        self.expression()?.deserialize_struct(name, fields, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.expression()?.deserialize_enum(name, variants, visitor)
    }

    ignored_any!();
}

located!(ExpressionDeserializer<'_, 'de>: |it| Some(it.node.label()));

/// Reads a body, and the labels of its block.
#[derive(Clone, Copy)]
pub(super) struct BodyDeserializer<'r, 'de> {
    pub(super) reader: Reader<'r, 'de>,
    pub(super) body: Body<'de>,
    pub(super) labels: &'de [JsonString<'de>],
}

impl<'r, 'de> BodyDeserializer<'r, 'de> {
    fn of_block(reader: Reader<'r, 'de>, (labels, node): Block<'de>) -> Self {
        Self { reader, body: Body::from_json(node), labels }
    }

    /// The JSON value of the body. Native files are not read by types.
    fn node(self) -> Result<Node<'de>, Error> {
        self.body.as_json().ok_or_else(|| native(self.body.missing_item_label()))
    }

    /// The properties, those of one name together, in the order in which the names come first.
    fn groups(self) -> Result<Vec<Group<'de>>, Error> {
        let mut found: Vec<Diagnostic<'de>> = Vec::new();
        let properties = self.body.checked_properties(self.node()?, &mut found);
        match Error::of(&found) {
            Some(error) => Err(error),
            None => Ok(grouped(&properties)),
        }
    }

    fn visit<V: Visitor<'de>>(
        self,
        label_fields: SmallVec<[&'static str; 4]>,
        visitor: V,
    ) -> Result<V::Value, Error> {
        let visit = || {
            let reader = self.reader.inside()?;
            let labels = label_fields.into_iter().zip(self.labels.iter().copied());
            let fields = Fields {
                reader,
                labels: labels.collect(),
                next_label: 0,
                groups: self.groups()?.into_iter(),
                value: None,
            };
            visitor.visit_map(fields)
        };
        visit().map_err(|error| error.at(self.body.missing_item_label()))
    }
}

/// The error that what is to be read stands in a native file.
pub(super) fn native(at: Label<'_>) -> Error {
    Error::custom("files in native syntax are not read by types").at(at)
}

/// Brings properties of one name together. Linear.
fn grouped<'de>(properties: &[Member<'de>]) -> Vec<Group<'de>> {
    let mut groups: Vec<Group<'de>> = Vec::with_capacity(properties.len());
    let mut places: HashMap<&[u8], usize> = HashMap::default();
    places.reserve(properties.len());
    for &property in properties {
        match places.entry(property.name().to_bytes()) {
            Entry::Occupied(place) => groups[*place.get()].push(property),
            Entry::Vacant(place) => {
                place.insert(groups.len());
                groups.push(smallvec![property]);
            }
        }
    }
    groups
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
        if name == text::UNEVALUATED {
            return visitor.visit_str(&String::from_utf8_lossy(self.node()?.text()));
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
        // The keys that serde compares have the mark.
        let labels = fields.iter().copied().filter(|field| field.starts_with(LABEL)).collect();
        self.visit(labels, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let Some((&variant, labels)) = self.labels.split_first() else {
            return Err(invalid_type(self.node()?, "a block with a label, the variant"));
        };
        visitor.visit_enum(Variant { name: variant, block: Self { labels, ..self } })
    }

    ignored_any!();
}

located!(BodyDeserializer<'_, 'de>: |it| it.body.as_json().map(|node| node.label()));

/// The labels of a block, then its properties.
struct Fields<'r, 'de> {
    reader: Reader<'r, 'de>,
    labels: SmallVec<[(&'static str, JsonString<'de>); 4]>,
    next_label: usize,
    groups: std::vec::IntoIter<Group<'de>>,
    value: Option<Field<'de>>,
}

enum Field<'de> {
    Label(JsonString<'de>),
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
        let name = group[0].name();
        self.value = Some(Field::Property(group));
        if self.reader.scope.is_some() && name.may_be_template() {
            let key = self.reader.evaluate(name.node())?;
            return seed.deserialize(key).map(Some);
        }
        seed.deserialize(KeyDeserializer(name)).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        match self.value.take() {
            Some(Field::Label(label)) => seed.deserialize(KeyDeserializer(label)),
            Some(Field::Property(group)) => {
                let at = group[0].value().start_label();
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
    /// The value of the attribute. One that is set twice is an error.
    fn attribute(&self) -> Result<ExpressionDeserializer<'r, 'de>, Error> {
        if let [first, second, ..] = *self.group.as_slice() {
            let duplicate = Diagnostic::new(Code::DuplicateAttribute, second.name_label())
                .with_arguments(&[first.name().to_str()]);
            return Err(Error::of(&[duplicate]).unwrap_or_else(Error::end_of_blocks));
        }
        Ok(ExpressionDeserializer { reader: self.reader, node: self.group[0].value() })
    }

    fn expression(&self) -> Result<ValueDeserializer<'de>, Error> {
        self.attribute()?.expression()
    }

    /// Whether it must be an attribute: nothing in it can be a block.
    fn is_attribute(&self) -> bool {
        self.group.len() == 1 && !is_body(self.group[0].value())
    }

    /// The only block.
    fn block(self, labels: &[&str]) -> Result<BodyDeserializer<'r, 'de>, Error> {
        let blocks = self.reader.blocks(&self.group, labels)?;
        match *blocks.as_slice() {
            [block] => Ok(BodyDeserializer::of_block(self.reader, block)),
            [] => Err(Error::custom("expected a block, found an empty list of blocks")),
            [_, (_, second), ..] => {
                let count = blocks.len();
                let error = Error::custom(format_args!("expected one block, found {count}"));
                Err(error.at(second.start_label()))
            }
        }
    }
}

impl<'de> Deserializer<'de> for PropertyDeserializer<'_, 'de> {
    type Error = Error;

    scalars_as_expression!();
    tuples_as_seq!();

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let is_null = self.group.iter().all(|property| property.value().is_null());
        if is_null { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        match name {
            text::UNEVALUATED | text::NUMBER => {
                self.attribute()?.deserialize_newtype_struct(name, visitor)
            }
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let is_null = self.group.iter().all(|property| property.value().is_null());
        if self.is_attribute() && !is_null {
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

    /// As one body, which is what labels and their blocks are, too.
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.is_attribute() {
            return self.expression()?.deserialize_map(visitor);
        }
        let reader = self.reader.inside()?;
        let mut found: Vec<Diagnostic<'de>> = Vec::new();
        let mut properties = Vec::new();
        for property in &self.group {
            properties.extend(labels_below(property.value(), &mut found));
        }
        if let Some(error) = Error::of(&found) {
            return Err(error);
        }
        let groups = grouped(&properties).into_iter();
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

/// What the label is called that names a variant.
const VARIANT: &str = "variant";

located!(PropertyDeserializer<'_, 'de>: |it| Some(it.group[0].value().label()));

/// The elements of a list, or blocks of one type. Which it is, and how many labels the blocks have,
/// the type of the first element says.
struct Items<'r, 'de> {
    reader: Reader<'r, 'de>,
    group: Group<'de>,
    /// The rest, once it is known.
    found: Option<Rest<'de>>,
    /// The place of the last one that was read.
    at: Option<Label<'de>>,
}

enum Rest<'de> {
    Expressions(std::vec::IntoIter<Node<'de>>),
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
    /// The next one, read as an element of a list; an end if there is none.
    fn expression(&mut self) -> Result<ExpressionDeserializer<'r, 'de>, Error> {
        if self.found.is_none() {
            let property = PropertyDeserializer { reader: self.reader, group: self.group.clone() };
            let node = property.attribute()?.node;
            let nodes = match node.value() {
                JsonValue::Array(array) => array.elements().collect(),
                JsonValue::Null => Vec::new(),
                _ => vec![node],
            };
            self.found = Some(Rest::Expressions(nodes.into_iter()));
        }
        let next = match &mut self.found {
            Some(Rest::Expressions(rest)) => rest.next(),
            Some(Rest::Blocks(rest)) => rest.next().map(|(_, body)| body),
            None => None,
        };
        let node = next.ok_or_else(Error::end_of_blocks)?;
        self.at = Some(node.label());
        Ok(ExpressionDeserializer { reader: self.reader, node })
    }

    /// The next one, read as a block with labels of these names, unless the list has something that
    /// cannot be one; an end if there is none.
    fn item(&mut self, labels: &[&str]) -> Result<Item<'r, 'de>, Error> {
        if self.found.is_none() && (!labels.is_empty() || !self.has_templates()) {
            let blocks = self.reader.blocks(&self.group, labels)?;
            self.found = Some(Rest::Blocks(blocks.into_iter()));
        }
        match &mut self.found {
            Some(Rest::Blocks(rest)) => {
                let block = rest.next().ok_or_else(Error::end_of_blocks)?;
                self.at = Some(block.1.label());
                Ok(Item::Block(BodyDeserializer::of_block(self.reader, block)))
            }
            _ => self.expression().map(Item::Expression),
        }
    }

    /// Whether an element of the list is no object, but may become one by evaluation.
    fn has_templates(&self) -> bool {
        let [property] = self.group.as_slice() else { return false };
        let array = property.value().as_array();
        array.is_some_and(|array| array.elements().any(|element| !is_body(element)))
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
            text::UNEVALUATED | text::NUMBER => {
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
        let labels: &[&str] = if self.items.has_templates() { &[] } else { &[VARIANT] };
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
    name: JsonString<'de>,
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
        match self.groups()?.first() {
            None => Ok(()),
            Some(group) => Err(Error::custom("expected an empty block").at(group[0].name_label())),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Error> {
        Err(de::Error::custom("a block is no tuple"))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_struct("", fields, visitor)
    }
}
