//! The contents of a block as one value: its arguments and nested blocks.

use std::collections::BTreeMap;

use super::view::View;
use crate::body::{Attribute, Body};
use crate::dialect::Grammar;
use crate::dialect::table::Reading;
use crate::expression::Expression;
use crate::json::{JsonValue, Node};
use crate::module::computed::Computed;
use crate::value::{Type, Value};

/// Blocks in one another that are read. Deeper blocks are unknown.
const MOST_LEVELS: usize = 32;

/// The names of the arguments and blocks that are read; `None` for all of them.
pub(super) type Wanted<'w, 'a> = Option<&'w [&'a str]>;

/// The evaluation of one module.
pub(super) struct Contents<'c, 'v, 'a> {
    pub(super) view: &'c View<'v, 'a>,
    pub(super) computed: &'c Computed<'a>,
}

impl<'a> Contents<'_, '_, 'a> {
    /// The contents of a block as an object. Of several bodies, those of override files follow that
    /// of the primary file, and replace what it has. An argument that is wanted and missing is
    /// null; blocks that a `dynamic` block generates are unknown.
    ///
    /// Cost: linear in the wanted arguments, apart from their evaluation, and in the properties.
    pub(super) fn of_bodies(
        &self,
        bodies: &[Body<'a>],
        grammar: Option<Grammar>,
        wanted: Wanted<'_, 'a>,
    ) -> Value<'a> {
        self.object(bodies, grammar, wanted, 0)
    }

    fn object(
        &self,
        bodies: &[Body<'a>],
        grammar: Option<Grammar>,
        wanted: Wanted<'_, 'a>,
        level: usize,
    ) -> Value<'a> {
        if level > MOST_LEVELS {
            return Value::dynamic();
        }
        let is_wanted = |name: &str| wanted.is_none_or(|wanted| wanted.contains(&name));
        let mut places: BTreeMap<&'a str, (usize, Vec<Attribute<'a>>)> = BTreeMap::new();
        let mut made: Vec<&'a str> = Vec::new();
        for (place, body) in bodies.iter().enumerate() {
            for property in body.properties() {
                let name = property.name();
                if name == "dynamic" {
                    made.extend(made_by(property).into_iter().filter(|name| is_wanted(name)));
                } else if is_wanted(name) {
                    let known = places.entry(name).or_insert((place, Vec::new()));
                    if known.0 != place {
                        *known = (place, Vec::new());
                    }
                    known.1.push(property);
                }
            }
        }
        let null = Value::null(Type::Dynamic);
        let mut values: BTreeMap<&'a str, Value<'a>> =
            wanted.into_iter().flatten().map(|name| (*name, null)).collect();
        for (name, (_, properties)) in &places {
            values.insert(*name, self.property(name, properties, grammar, level));
        }
        values.extend(made.into_iter().map(|name| (name, Value::dynamic())));
        let entries: Vec<(&'a str, Value<'a>)> = values.into_iter().collect();
        Value::object(self.view.arena, &entries)
    }

    /// The value of an argument, or a tuple of nested blocks.
    fn property(
        &self,
        name: &str,
        properties: &[Attribute<'a>],
        grammar: Option<Grammar>,
        level: usize,
    ) -> Value<'a> {
        let inner = grammar.and_then(|grammar| grammar.block(name)).map(|(_, inner)| inner);
        let blocks: Vec<Body<'a>> = match (properties, inner) {
            ([property], Some(_)) if property.as_block().is_none() => {
                bodies_of(property.expression())
            }
            _ => properties.iter().filter_map(|it| Some(it.as_block()?.body())).collect(),
        };
        if let ([], Some(property)) = (&blocks[..], properties.last()) {
            let reading = grammar.map_or(Reading::Template, |grammar| grammar.reading(name));
            return self.argument(property.expression(), reading);
        }
        let plugin = grammar.filter(|grammar| grammar.is_of_plugin());
        let inner = inner.or_else(|| plugin.map(|grammar| grammar.unknown_block(name)));
        let blocks: Vec<Value<'a>> =
            blocks.into_iter().map(|body| self.object(&[body], inner, None, level + 1)).collect();
        Value::tuple(self.view.arena, &blocks)
    }

    /// The value of an argument.
    pub(super) fn argument(&self, value: Expression<'a>, reading: Reading) -> Value<'a> {
        match reading {
            Reading::Template => {
                self.computed.value_in(self.view.module(), value, Vec::new(), &mut ())
            }
            Reading::Literal | Reading::Requirement => value.constant_value(&mut ()),
            Reading::Bare => self.as_written(value),
        }
    }

    /// References, types and keywords as texts, in the lists and maps that have them.
    fn as_written(&self, value: Expression<'a>) -> Value<'a> {
        let arena = self.view.arena;
        let text = |value: Expression<'a>| {
            let written = || str::from_utf8(value.text()).unwrap_or_default();
            Value::string(arena, value.to_str().unwrap_or_else(written))
        };
        match (value.as_list(), value.as_map()) {
            (Some(list), _) => Value::tuple(arena, &list.map(text).collect::<Vec<_>>()),
            (None, Some(map)) => {
                let entries: Vec<_> = map.map(|(key, value)| (key.to_str(), text(value))).collect();
                Value::object(arena, &entries)
            }
            (None, None) => text(value),
        }
    }
}

/// The types of the blocks that a property `dynamic` makes.
fn made_by(property: Attribute<'_>) -> Vec<&str> {
    match property.as_block() {
        Some(block) => block.label(0).into_iter().collect(),
        None => {
            let names = property.expression().as_map().into_iter().flatten();
            names.map(|(name, _)| name.to_str()).collect()
        }
    }
}

/// The bodies of blocks in JSON: an object, or an array of these.
fn bodies_of(value: Expression<'_>) -> Vec<Body<'_>> {
    let Some(node) = value.as_json() else { return Vec::new() };
    let nodes: Vec<Node<'_>> = match node.value() {
        JsonValue::Array(array) => array.elements().collect(),
        _ => vec![node],
    };
    nodes.into_iter().filter(|node| node.is_object()).map(Body::from_json).collect()
}
