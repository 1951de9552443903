//! Properties and blocks of bodies in either syntax.
//!
//! JSON does not distinguish attributes from blocks, and neither do the types: an object of a
//! native file can stand for a block, as an object of JSON can. Only native syntax has blocks;
//! their labels are the keys of maps, as in JSON.

use std::collections::hash_map::Entry;

use serde_core::de::Error as _;
use smallvec::{SmallVec, smallvec};

use super::Error;
use crate::body::{Body, blocks_of, labels_below};
use crate::diagnostic::{Code, Diagnostic, Label};
use crate::expression::{Expression, Level, MapKey, Syntax, Written, literal_text};
use crate::hash::HashMap;
use crate::native::{Kind, Native};
use crate::span::Span;

/// A name with its value: an attribute or a block.
#[derive(Clone, Copy)]
pub(super) struct Property<'de> {
    pub(super) name: MapKey<'de>,
    pub(super) value: Expression<'de>,
}

impl<'de> Property<'de> {
    /// Whether it is a block of a native file.
    pub(super) fn is_block(&self) -> bool {
        matches!(self.value.syntax(), Syntax::Block(_))
    }

    /// Returns the value of an attribute, or the error of parsing it.
    pub(super) fn expression(self) -> Result<Expression<'de>, Error> {
        if self.value.is_invalid()
            && let Some(attribute) = self.name.attribute()
            && let Err(error) = attribute.expression()
        {
            return Err(Error::reported(error));
        }
        Ok(self.value)
    }
}

/// Returns the error of a duplicate name, at the second property of the group, or at the only one
/// if its name equals another after normalization.
pub(super) fn duplicate(group: &[Property<'_>]) -> Error {
    let second = group.get(1).or(group.first());
    let Some(&Property { name, .. }) = second else { return Error::custom("missing attribute") };
    let found = Diagnostic::new(Code::DuplicateAttribute, name.label());
    Error::reported(&found.with_arguments(&[name.to_str()]))
}

/// The properties that share one name: an attribute, or blocks of one type.
pub(super) type Group<'de> = SmallVec<[Property<'de>; 1]>;

/// Groups properties by name, in the order of each name's first property. Cost: linear.
pub(super) fn grouped<'de>(properties: &[Property<'de>]) -> Vec<Group<'de>> {
    let mut groups: Vec<Group<'de>> = Vec::with_capacity(properties.len());
    let mut places: HashMap<&str, usize> = HashMap::default();
    places.reserve(properties.len());
    for &property in properties {
        match places.entry(property.name.to_str()) {
            Entry::Occupied(place) => groups[*place.get()].push(property),
            Entry::Vacant(place) => {
                place.insert(groups.len());
                groups.push(smallvec![property]);
            }
        }
    }
    groups
}

/// The content of one body.
#[derive(Clone)]
pub(super) enum Content<'de> {
    Body(Body<'de>),
    /// Objects of a native file, or blocks below some of their labels, which together are one body.
    Maps(SmallVec<[Expression<'de>; 1]>),
}

impl<'de> Content<'de> {
    /// Returns its properties, without the comments of JSON.
    pub(super) fn properties(&self) -> Result<Vec<Property<'de>>, Error> {
        match self {
            Self::Body(body) => {
                let mut found: Vec<Diagnostic<'de>> = Vec::new();
                let properties = body.checked_properties(&mut found);
                Error::check(&found)?;
                let property = |(name, value)| Property { name, value };
                Ok(properties.into_iter().map(property).collect())
            }
            Self::Maps(maps) => below(maps),
        }
    }

    /// Returns its expression; for several maps, the first one.
    pub(super) fn expression(&self) -> Option<Expression<'de>> {
        match self {
            Self::Body(body) => Some(body.as_expression()),
            Self::Maps(maps) => maps.first().copied(),
        }
    }

    /// Returns the place to report for a missing property.
    pub(super) fn end_label(&self) -> Option<Label<'de>> {
        match self {
            Self::Body(body) => Some(body.missing_item_label()),
            Self::Maps(maps) => maps.last().map(|map| {
                let end = map.span().end;
                Label::new(map.source(), Span::new(end.saturating_sub(1), end))
            }),
        }
    }
}

/// A block: as many of its labels as the type asks for, and the content below them.
pub(super) struct Block<'de> {
    pub(super) labels: Labels<'de>,
    pub(super) content: Content<'de>,
}

pub(super) type Labels<'de> = SmallVec<[MapKey<'de>; 2]>;

/// Whether a value can stand for a block or several.
pub(super) fn is_body(value: Expression<'_>) -> bool {
    match value.syntax() {
        Syntax::Json(node) => node.is_object() || node.is_array(),
        Syntax::Native(native) => native.is(Kind::Tuple) || has_plain_keys(native),
        Syntax::Block(_) => true,
    }
}

/// Whether a value can be read member by member.
pub(super) fn is_map(value: Expression<'_>) -> bool {
    !matches!(value.syntax(), Syntax::Native(native) if native.is(Kind::Tuple)) && is_body(value)
}

/// Whether a native expression is an object whose keys need no evaluation.
fn has_plain_keys(native: Native<'_>) -> bool {
    native.is(Kind::Object)
        && native.operands().iter().step_by(2).all(|key| literal_text(*key).is_some())
}

/// Returns the members of objects, or of arrays of objects, that may be labels. Comments are
/// included.
pub(super) fn below<'de>(values: &[Expression<'de>]) -> Result<Vec<Property<'de>>, Error> {
    let mut found: Vec<Diagnostic<'de>> = Vec::new();
    let mut properties = Vec::new();
    for value in values {
        if let Syntax::Json(node) = value.syntax() {
            properties.extend(labels_below(node, &mut found).into_iter().map(|member| Property {
                name: MapKey::of_json(member.name()),
                value: Expression::from_json(member.value()),
            }));
        } else if let Some(pairs) = value.as_map() {
            let pairs = pairs.map(|(name, value)| Property { name, value });
            properties.extend(last_of_each_key(pairs.collect()));
        } else {
            found.push(wrong_type(*value));
        }
    }
    Error::check(&found)?;
    Ok(properties)
}

/// Of equal keys in an object in native syntax, keeps the last one. All blocks of one type are
/// kept.
fn last_of_each_key(properties: Vec<Property<'_>>) -> Vec<Property<'_>> {
    if properties.first().is_none_or(|first| first.name.as_native().is_none()) {
        return properties;
    }
    let mut last: HashMap<&str, usize> = HashMap::default();
    for (place, property) in properties.iter().enumerate() {
        last.insert(property.name.to_str(), place);
    }
    let counts = |&(place, property): &(usize, Property<'_>)| {
        last.get(property.name.to_str()) == Some(&place)
    };
    properties.into_iter().enumerate().filter(counts).map(|(_, property)| property).collect()
}

/// Returns the blocks that the properties of one name stand for, with labels of these names.
///
/// Blocks of a native file with more labels are read as in JSON: those that share the first labels
/// are one body, whose properties are the other labels.
pub(super) fn blocks<'de>(
    group: &[Property<'de>],
    labels: &[&'static str],
) -> Result<Vec<Block<'de>>, Error> {
    let mut found: Vec<Diagnostic<'de>> = Vec::new();
    let mut blocks = Vec::new();
    let mut places: HashMap<SmallVec<[&str; 2]>, usize> = HashMap::default();
    for property in group {
        match property.expression()?.syntax() {
            Syntax::Json(node) => {
                let new = blocks_of(node, labels, &mut found).into_iter();
                blocks.extend(new.map(|(labels, body)| Block {
                    labels: labels.iter().copied().map(MapKey::of_json).collect(),
                    content: Content::Body(Body::from_json(body)),
                }));
            }
            Syntax::Block(level) => match block_of(level, labels)? {
                Block { labels, content: Content::Maps(more) } => {
                    let texts = labels.iter().map(|label| label.to_str()).collect();
                    match places.entry(texts) {
                        Entry::Occupied(place) => {
                            let block: &mut Block<'_> = &mut blocks[*place.get()];
                            if let Content::Maps(maps) = &mut block.content {
                                maps.extend(more);
                            }
                        }
                        Entry::Vacant(place) => {
                            place.insert(blocks.len());
                            blocks.push(Block { labels, content: Content::Maps(more) });
                        }
                    }
                }
                block => blocks.push(block),
            },
            Syntax::Native(_) => blocks_of_value(property.value, labels, &mut blocks)?,
        }
    }
    Error::check(&found)?;
    Ok(blocks)
}

fn block_of<'de>(level: Level<'de>, labels: &[&'static str]) -> Result<Block<'de>, Error> {
    let given = level.labels_left();
    let source = level.source();
    if let (Some(missing), Some(block)) = (labels.get(given.len()), level.block()) {
        let missing = Diagnostic::new(Code::MissingBlockLabel, block.definition_label())
            .with_arguments(&[block.block_type(), missing]);
        return Err(Error::reported(&missing));
    }
    let taken = given.iter().take(labels.len());
    let below = level.below(labels.len());
    Ok(Block {
        labels: taken.map(|label| MapKey::of_label(source, label)).collect(),
        content: match below.labels_left() {
            [] => Content::Body(Body::from_native(below.body())),
            _ => Content::Maps(smallvec![Expression::new(Written::level(below))]),
        },
    })
}

/// Returns the blocks that a native expression stands for: an object for each level of labels, then
/// one object or a list of them. `null` declares no block.
fn blocks_of_value<'de>(
    value: Expression<'de>,
    labels: &[&'static str],
    blocks: &mut Vec<Block<'de>>,
) -> Result<(), Error> {
    let mut level: Vec<(Labels<'de>, Expression<'de>)> = vec![(Labels::new(), value)];
    for _ in labels {
        let mut next = Vec::new();
        for (labels, value) in level {
            for property in below(&objects(value)?)? {
                let mut labels = labels.clone();
                labels.push(property.name);
                next.push((labels, property.value));
            }
        }
        level = next;
    }
    for (labels, value) in level {
        for object in objects(value)? {
            let content = Content::Maps(smallvec![object]);
            blocks.push(Block { labels: labels.clone(), content });
        }
    }
    Ok(())
}

/// Returns the object, or the objects of a list.
fn objects(value: Expression<'_>) -> Result<Vec<Expression<'_>>, Error> {
    let elements: Vec<_> = match value.as_list() {
        Some(list) => list.collect(),
        None if value.is_null() => Vec::new(),
        None => vec![value],
    };
    match elements.iter().find(|element| !is_map(**element)) {
        Some(other) => Err(Error::reported(&wrong_type(*other))),
        None => Ok(elements),
    }
}

fn wrong_type(value: Expression<'_>) -> Diagnostic<'_> {
    Diagnostic::new(Code::IncorrectType, value.start_label())
        .with_arguments(&["an object or an array of objects", value.type_name()])
}

/// Returns the error of a body that is not a variant of an enum.
pub(super) fn no_variant(content: &Content<'_>) -> Error {
    let found = content.expression().map_or("nothing", Expression::type_name);
    Error::custom(format_args!("invalid type: {found}, expected a block with a label, the variant"))
}
