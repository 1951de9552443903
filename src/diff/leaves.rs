//! The values that differ between two states of an object.

use smallvec::SmallVec;

use super::objects::Object;
use crate::arena::Arena;
use crate::dialect::{Grammar, Reading};
use crate::expression::{Expression, JsonPath, MapKey, Meaning, PathStep, has_introducer};
use crate::hash::HashMap;
use crate::native::{Kind, Native};
use crate::source::Source;
use crate::value::{Type, convert, raw_equals};

/// Nested blocks that are merged argument by argument. An array of objects is read as one block.
const MERGED: [&str; 2] = ["lifecycle", "required_providers"];

/// A value that differs: a scalar, an empty container, or values of different kinds.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Leaf<'a> {
    /// The path in the object; empty for a local value that is a scalar.
    pub path: JsonPath<'a>,
    /// The old value, if there was one.
    pub before: Option<Expression<'a>>,
    /// The new value, if there is one.
    pub after: Option<Expression<'a>>,
    /// If the values must not be shown, of the old or of the new configuration: the path of the
    /// outermost value that is hidden as a whole. Names below it must not be shown either. See
    /// [`hidden`](crate::hidden).
    pub hidden: Option<JsonPath<'a>>,
}

/// A value on each side, if it exists.
struct Pair<'a> {
    path: JsonPath<'a>,
    before: Option<Layers<'a>>,
    after: Option<Layers<'a>>,
}

/// A value, and the override values that are merged into it.
#[derive(Clone)]
struct Layers<'a> {
    values: SmallVec<[Expression<'a>; 1]>,
    is_body: bool,
    /// The values are not merged: each is a block of its own, all of one type.
    are_blocks: bool,
    /// Whether its objects are blocks, since it is compared with blocks of a native file.
    stands_for_blocks: bool,
    /// Whether it says nothing if it is empty: an object, or a block that is merged.
    is_optional: bool,
    /// How its strings are read.
    reading: Reading,
    /// The arguments and nested blocks of a body.
    grammar: Option<Grammar>,
    /// The labels of a nested block that are still to be compared.
    labels: SmallVec<[MapKey<'a>; 1]>,
    /// The nested blocks of one type, if the language has that type.
    nested: Vec<Self>,
}

/// The parts of a value.
enum Parts<'a> {
    Members(Members<'a>),
    Elements(Vec<Layers<'a>>),
    /// Blocks of one type.
    Blocks(Vec<Layers<'a>>),
    Scalar,
}

type Members<'a> = Vec<(MapKey<'a>, Layers<'a>)>;

/// The values that differ. Uses a stack instead of recursion, so the depth is not limited.
pub(super) fn compare<'a>(
    arena: &'a Arena,
    before: Option<&Object<'a>>,
    after: Option<&Object<'a>>,
) -> Vec<Leaf<'a>> {
    let layers = |object: &Object<'a>| Layers {
        values: object.layers.clone(),
        is_body: object.is_body,
        is_optional: object.is_body,
        ..Layers::read(object.layers[0], object.reading, object.grammar)
    };
    let mut leaves = Vec::new();
    let mut stack = vec![Pair {
        path: JsonPath::default(),
        before: before.map(layers),
        after: after.map(layers),
    }];
    while let Some(mut pair) = stack.pop() {
        let first = stack.len();
        if let (Some(before), Some(after)) = (&mut pair.before, &mut pair.after) {
            before.stands_for_blocks |= after.has_block();
            after.stands_for_blocks |= before.has_block();
            if before.is_block() != after.is_block() {
                before.read_as_body();
                after.read_as_body();
            }
        }
        match (&pair.before, &pair.after) {
            (Some(before), Some(after)) if before.has_text_of(after) => continue,
            (Some(before), Some(after)) => match (before.parts(), after.parts()) {
                (Parts::Members(before), Parts::Members(after)) => {
                    members(arena, pair.path, before, after, &mut stack);
                }
                (Parts::Elements(before), Parts::Elements(after))
                | (Parts::Blocks(before), Parts::Blocks(after) | Parts::Elements(after))
                | (Parts::Elements(before), Parts::Blocks(after)) => {
                    elements(arena, pair.path, &before, &after, &mut stack);
                }
                // A single block.
                (Parts::Blocks(before), Parts::Members(_)) => {
                    elements(arena, pair.path, &before, &after.each(), &mut stack);
                }
                (Parts::Members(_), Parts::Blocks(after)) => {
                    elements(arena, pair.path, &before.each(), &after, &mut stack);
                }
                (Parts::Scalar, Parts::Scalar) if before.is_same_scalar(after) => {}
                // One body in an array, compared with a block.
                (Parts::Elements(list), Parts::Members(_)) if after.is_block() => {
                    elements(arena, pair.path, &list, &after.each(), &mut stack);
                }
                (Parts::Members(_), Parts::Elements(list)) if before.is_block() => {
                    elements(arena, pair.path, &before.each(), &list, &mut stack);
                }
                _ => leaves.push(pair.leaf()),
            },
            (before, after) => {
                let Some(only) = before.as_ref().or(after.as_ref()) else { continue };
                let is_before = before.is_some();
                let one = |step, layers| {
                    let (before, after) =
                        if is_before { (Some(layers), None) } else { (None, Some(layers)) };
                    Pair { path: pair.path.with(arena, step), before, after }
                };
                match only.parts() {
                    Parts::Members(members) if !members.is_empty() => {
                        let pairs = members.into_iter();
                        stack.extend(
                            pairs.map(|(name, layers)| one(PathStep::Member(name), layers)),
                        );
                    }
                    Parts::Elements(elements) | Parts::Blocks(elements) if !elements.is_empty() => {
                        let pairs = elements.into_iter().enumerate();
                        let step = PathStep::Element;
                        stack.extend(pairs.map(|(index, value)| one(step(index), value)));
                    }
                    // A body without arguments has no values.
                    _ if only.is_optional => {}
                    _ => leaves.push(pair.leaf()),
                }
            }
        }
        // Reversed, so that the first one is processed first.
        let found = first.min(stack.len());
        stack[found..].reverse();
    }
    leaves
}

/// Pairs members by name.
#[expect(clippy::mutable_key_type, reason = "the cells of an expression do not change its meaning")]
fn members<'a>(
    arena: &'a Arena,
    path: JsonPath<'a>,
    before: Members<'a>,
    after: Members<'a>,
    stack: &mut Vec<Pair<'a>>,
) {
    let is_json =
        |members: &Members<'a>| members.first().map(|(name, _)| name.expression().is_json());
    let both = is_json(&before).zip(is_json(&after));
    let is_across = both.is_some_and(|(one, two)| one != two);
    let names: HashMap<Said<'a>, usize> = before
        .iter()
        .enumerate()
        .map(|(place, (name, _))| (Said::of(*name, is_across), place))
        .collect();
    let mut before: Vec<_> = before.into_iter().map(Some).collect();
    for (name, layers) in after {
        let place = names.get(&Said::of(name, is_across));
        let earlier = place.and_then(|place| before[*place].take());
        stack.push(Pair {
            path: path.with(arena, PathStep::Member(name)),
            before: earlier.map(|(_, layers)| layers),
            after: Some(layers),
        });
    }
    for (name, layers) in before.into_iter().flatten() {
        let path = path.with(arena, PathStep::Member(name));
        stack.push(Pair { path, before: Some(layers), after: None });
    }
}

/// The meaning of a key, whatever its layout and its syntax.
#[derive(PartialEq, Eq, Hash)]
enum Said<'a> {
    Text(&'a str),
    Expression(Meaning<'a>),
}

impl<'a> Said<'a> {
    /// Reads a key. Between files in different syntaxes, a constant key is its value, since JSON writes
    /// a constant template as the text.
    fn of(name: MapKey<'a>, is_across: bool) -> Self {
        let text = name.to_str();
        if !has_introducer(text.as_bytes()) {
            return Self::Text(text);
        }
        let key = name.expression();
        let meaning = key.meaning();
        if is_across && meaning.is_some_and(Meaning::is_constant) {
            let value = key.constant_value(&mut ());
            let known = convert(key.source().arena(), value, Type::String).ok();
            if let Some(text) = known.and_then(|known| known.as_str()) {
                return Self::Text(text);
            }
        }
        meaning.map_or(Self::Text(text), Self::Expression)
    }
}

/// Pairs elements by position.
fn elements<'a>(
    arena: &'a Arena,
    path: JsonPath<'a>,
    before: &[Layers<'a>],
    after: &[Layers<'a>],
    stack: &mut Vec<Pair<'a>>,
) {
    for index in 0..before.len().max(after.len()) {
        stack.push(Pair {
            path: path.with(arena, PathStep::Element(index)),
            before: before.get(index).cloned(),
            after: after.get(index).cloned(),
        });
    }
}

impl<'a> Pair<'a> {
    fn leaf(&self) -> Leaf<'a> {
        let expression = |layers: &Option<Layers<'a>>| layers.as_ref().map(Layers::expression);
        Leaf {
            path: self.path,
            before: expression(&self.before),
            after: expression(&self.after),
            hidden: None,
        }
    }
}

impl<'a> Layers<'a> {
    /// A value that is read in one way; with a grammar, the body of a block.
    fn read(value: Expression<'a>, reading: Reading, grammar: Option<Grammar>) -> Self {
        Self {
            values: SmallVec::from_elem(value, 1),
            is_body: false,
            are_blocks: false,
            stands_for_blocks: false,
            is_optional: false,
            reading,
            grammar,
            labels: SmallVec::new(),
            nested: Vec::new(),
        }
    }

    /// The value of the last layer.
    fn expression(&self) -> Expression<'a> {
        self.values[self.values.len() - 1]
    }

    /// Whether it is a block of a native file.
    fn is_block(&self) -> bool {
        matches!(self.values.as_slice(), [value] if value.as_block().is_some())
    }

    /// Whether it has blocks of a native file.
    fn has_block(&self) -> bool {
        self.values.iter().any(|value| value.as_block().is_some())
    }

    /// Reads an object that is compared with a block as the body of one, of which only its provider
    /// knows the arguments.
    fn read_as_body(&mut self) {
        if let [value] = self.values.as_slice()
            && value.is_map()
            && self.grammar.is_none()
        {
            self.is_body = true;
            self.grammar = Some(Grammar::of_plugin_that_reads(self.reading));
        }
    }

    /// The blocks that it stands for, if it is compared with several.
    fn each(&self) -> Vec<Self> {
        match self.nested.is_empty() {
            true => vec![self.clone()],
            false => self.nested.clone(),
        }
    }

    /// Whether the bytes of both are equal.
    fn has_text_of(&self, other: &Self) -> bool {
        let is_json = |values: &[Expression<'a>]| values.iter().map(|it| it.is_json()).next();
        let names = |layers: &Self| -> SmallVec<[&'a str; 1]> {
            layers.labels.iter().map(|label| label.to_str()).collect()
        };
        self.values.len() == other.values.len()
            && names(self) == names(other)
            && is_json(&self.values) == is_json(&other.values)
            && self.values.iter().zip(&other.values).all(|(one, two)| one.text() == two.text())
    }

    /// Whether two scalars have the same meaning.
    fn is_same_scalar(&self, other: &Self) -> bool {
        let (one, two) = (self.expression(), other.expression());
        match self.reading {
            Reading::Literal | Reading::Requirement if one.is_json() != two.is_json() => {
                let (mut error, arena) = (None, Arena::new());
                let [one, two] = [one, two].map(|it| it.literal_value(&mut error));
                let is_known = error.is_none() && one.is_wholly_known() && two.is_wholly_known();
                is_known && raw_equals(one.copy_to(&arena), two.copy_to(&arena))
            }
            Reading::Bare => {
                one.is_same_scalar(two) || one.is_same_bare(two) || is_same_old_type(one, two)
            }
            _ => one.is_same_scalar(two),
        }
    }

    fn parts(&self) -> Parts<'a> {
        if let Some((&label, rest)) = self.labels.split_first() {
            let below = Self { labels: SmallVec::from_slice(rest), ..self.clone() };
            return Parts::Members(vec![(label, below)]);
        }
        match self.nested.as_slice() {
            [] => {}
            [only] => return only.parts(),
            nested => return Parts::Blocks(nested.to_vec()),
        }
        if self.is_body {
            return Parts::Members(self.members());
        }
        let inner = |value| Self {
            stands_for_blocks: self.stands_for_blocks,
            ..Self::read(value, self.reading, None)
        };
        if self.are_blocks {
            return Parts::Blocks(self.values.iter().copied().map(inner).collect());
        }
        let value = match self.reading {
            Reading::Template => in_template(self.expression()),
            _ => self.expression(),
        };
        match value.as_list() {
            Some(elements) => Parts::Elements(elements.map(inner).collect()),
            None if value.is_map() => Parts::Members(
                Self { values: SmallVec::from_elem(value, 1), ..self.clone() }.members(),
            ),
            None => Parts::Scalar,
        }
    }

    /// How a member is read, and what is in it if it is a block of the language: the number of its
    /// labels, and its grammar.
    fn reading_of(&self, name: &str) -> (Reading, Option<(usize, Grammar)>) {
        match (self.grammar, self.reading) {
            (Some(grammar), _) if self.is_body => (grammar.reading(name), grammar.block(name)),
            (_, Reading::Requirement) if name == "configuration_aliases" => (Reading::Bare, None),
            (_, Reading::Requirement) => (Reading::Literal, None),
            (_, reading) => (reading, None),
        }
    }

    /// The members of all layers. A member of a later layer replaces one of an earlier, unless they
    /// are merged. Of duplicates in one layer the first counts, as in a body.
    fn members(&self) -> Members<'a> {
        let mut members: Members<'a> = Vec::new();
        // The place of each name, and the layer that set it.
        let mut places: HashMap<&str, (usize, usize)> = HashMap::default();
        for (layer, value) in self.values.iter().enumerate() {
            let mut add = |name: MapKey<'a>, value: Expression<'a>| {
                let text = name.to_str();
                let is_body = self.is_body || self.stands_for_blocks;
                if is_body && text == "//" && value.is_json() {
                    return;
                }
                let (reading, block) = self.reading_of(text);
                let is_merged = self.is_body && MERGED.contains(&text);
                let is_body = is_merged && value.is_container();
                let mut nested = Vec::new();
                if let Some((labels, grammar)) = block.filter(|_| !is_merged) {
                    nested = blocks_of(value, labels, grammar);
                    // JSON says in these ways that there is no block.
                    let is_empty_list = value.as_list().is_some_and(|mut it| it.next().is_none());
                    if nested.is_empty() && (value.is_null() || is_empty_list) {
                        return;
                    }
                }
                let grammar = block.filter(|_| is_body).map(|(_, grammar)| grammar);
                let new = Self {
                    is_body,
                    is_optional: is_body,
                    nested,
                    ..Self::read(value, reading, grammar)
                };
                match places.get_mut(text) {
                    None => {
                        places.insert(text, (members.len(), layer));
                        members.push((name, new));
                    }
                    Some((place, by)) if *by == layer => {
                        // In a native file, blocks of one type are separate members.
                        let known = &mut members[*place].1;
                        if value.as_block().is_some() && !is_body {
                            known.are_blocks = true;
                            known.values.push(value);
                            known.nested.extend(new.nested);
                        } else if self.is_body
                            && value.is_json()
                            && (value.is_list() || !new.nested.is_empty())
                        {
                            // Blocks of one type, in several members.
                            known.are_blocks = true;
                            let more = value.as_list().into_iter().flatten();
                            known.values = flattened(&known.values).chain(more).collect();
                            known.nested.extend(new.nested);
                        } else if !self.is_body && !value.is_json() {
                            // When it is evaluated, the last one counts.
                            *known = new;
                        }
                    }
                    Some((place, by)) => {
                        *by = layer;
                        let known = &mut members[*place].1;
                        if is_body && known.is_body {
                            known.values.push(value);
                        } else {
                            *known = new;
                        }
                    }
                }
            };
            match value.as_list() {
                Some(elements) => {
                    let pairs = elements.filter_map(Expression::as_map).flatten();
                    pairs.for_each(|(key, value)| add(key, value));
                }
                None => {
                    let pairs = value.as_map().into_iter().flatten();
                    pairs.for_each(|(key, value)| add(key, value));
                }
            }
        }
        members
    }
}

/// The values, with the elements of lists in the place of these.
fn flattened<'v, 'a>(
    values: &'v [Expression<'a>],
) -> impl Iterator<Item = Expression<'a>> + use<'v, 'a> {
    values.iter().flat_map(|value| {
        let elements = value.as_list();
        let itself = elements.is_none().then_some(*value);
        elements.into_iter().flatten().chain(itself)
    })
}

/// Whether one is an old name of a type, and the other the type: `"list"` and `list(any)`.
fn is_same_old_type(one: Expression<'_>, other: Expression<'_>) -> bool {
    let text = |value: Expression<'_>| {
        value.to_str().map_or_else(|| String::from_utf8_lossy(value.text()).into(), str::to_owned)
    };
    let is_old = |old: &str, new: &str| {
        matches!(old, "list" | "map" | "set") && new.replace(' ', "") == format!("{old}(any)")
    };
    let (one, other) = (text(one), text(other));
    is_old(&one, &other) || is_old(&other, &one)
}

/// The object or the list in a template that is nothing but one: `"${[a, b]}"`. In JSON it is read from
/// the decoded text, so that its own texts have no escapes of JSON.
fn in_template(value: Expression<'_>) -> Expression<'_> {
    if !value.is_json() {
        return value.as_native().and_then(container).map_or(value, Expression::from_native);
    }
    let text = value.to_str();
    let inside = text.and_then(|text| text.strip_prefix("${"));
    let Some(text) = text.filter(|_| {
        inside.is_some_and(|inside| inside.trim_start().starts_with(['{', '[', '(', '"', '/', '#']))
    }) else {
        return value;
    };
    let (place, mut is_wrong) = (value.source(), false);
    let Ok(source) = Source::from_bytes(place.arena(), place.name(), text.as_bytes()) else {
        return value;
    };
    let native = Native::template(place.arena(), source, &mut |_| is_wrong = true);
    if is_wrong {
        return value;
    }
    container(native).map_or(value, Expression::from_native)
}

/// The object or the list in brackets, or in a template that is nothing but one.
fn container(mut native: Native<'_>) -> Option<Native<'_>> {
    while native.is(Kind::Wrap) || native.is(Kind::Parentheses) {
        native = *native.operands().first()?;
    }
    (native.is(Kind::Tuple) || native.is(Kind::Object)).then_some(native)
}

/// The blocks of one type in a body: those of a native file, and of the objects and arrays of JSON
/// through which their labels go.
fn blocks_of<'a>(value: Expression<'a>, labels: usize, grammar: Grammar) -> Vec<Layers<'a>> {
    let mut blocks = Vec::new();
    let mut work: Vec<(Expression<'a>, SmallVec<[MapKey<'a>; 1]>)> = vec![(value, SmallVec::new())];
    while let Some((value, before)) = work.pop() {
        let from = work.len();
        if let Some(elements) = value.as_list() {
            work.extend(elements.map(|element| (element, before.clone())));
        } else if before.len() < labels {
            for (label, below) in value.as_map().into_iter().flatten() {
                let mut all = before.clone();
                all.push(label);
                // In JSON, a comment may be in the place of a label.
                if label.to_str() != "//" || !value.is_json() {
                    work.push((below, all));
                }
            }
        } else if value.is_map() {
            let body = Layers::read(value, Reading::Template, Some(grammar));
            blocks.push(Layers { is_body: true, labels: before, ..body });
        }
        // The first one is taken first.
        work.get_mut(from..).unwrap_or_default().reverse();
    }
    blocks
}
