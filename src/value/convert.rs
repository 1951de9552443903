//! Conversion of values to other types.
//!
//! Follows section "Type Conversions and Unification" of the HCL specification, as the reference
//! does: numbers and booleans convert to strings and back, tuples and sets to lists, objects to
//! maps, and the reverse. Parts are converted in turn. Null and unknown values only change their
//! type; marks stay.

use std::borrow::Cow;
use std::fmt;

use super::limits::{MAX_DEPTH, Room};
use super::marks::HIDDEN;
use super::relations::{Relations, count_step};
use super::{AttributeType, Content, Marks, Number, NumberError, Type, Value};
use crate::arena::Arena;

/// The error of a value that does not convert: the requirement, and the place in the value.
///
/// Its text has names in the value, but none of a part that is sensitive or ephemeral.
#[derive(Clone, Debug)]
pub struct ConversionError<'a> {
    /// The path to the part that does not convert, outermost step first.
    path: Vec<PathStep<'a>>,
    /// The number of innermost steps that are not shown.
    hidden: usize,
    message: Cow<'static, str>,
    /// The message without names of the value, if it has some.
    nameless: Option<String>,
    /// Whether the message has names that the type requires.
    has_wanted_names: bool,
}

/// A step into a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathStep<'a> {
    /// An attribute of an object, or an element of a map.
    Name(&'a str),
    /// An element of a list, a set or a tuple, counted from 0.
    Place(usize),
}

impl ConversionError<'_> {
    fn new(message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            path: Vec::new(),
            hidden: 0,
            message: message.into(),
            nameless: None,
            has_wanted_names: false,
        }
    }

    /// Too many missing attributes would have to be filled in.
    pub(crate) fn too_large() -> Self {
        Self::new("the value would have too many missing attributes to fill in")
    }

    /// The requirement that the value does not meet.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The requirement, without names that may be in the value, or in a type that is that of a value.
    pub(super) fn without_names(&self) -> &str {
        match &self.nameless {
            _ if self.has_wanted_names => "the value does not have the required type",
            Some(nameless) => nameless,
            None => &self.message,
        }
    }
}

impl<'a> ConversionError<'a> {
    /// The path to the part that does not convert, outermost step first.
    #[must_use]
    pub fn path(&self) -> &[PathStep<'a>] {
        &self.path
    }

    /// Returns the error for a value that has these marks: if it must not be shown, names in it are
    /// left out.
    #[must_use]
    pub fn for_marks(mut self, marks: Marks) -> Self {
        if marks.hides() {
            self.hidden = self.path.len();
            if let Some(nameless) = self.nameless.take() {
                self.message = nameless.into();
            }
        }
        self
    }

    fn below(mut self, step: PathStep<'a>) -> Self {
        self.path.insert(0, step);
        self
    }
}

impl fmt::Display for ConversionError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = &self.path[..self.path.len() - self.hidden];
        for step in shown {
            match step {
                PathStep::Name(name) => write!(f, ".{name}")?,
                PathStep::Place(place) => write!(f, "[{place}]")?,
            }
        }
        if !shown.is_empty() {
            f.write_str(": ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for ConversionError<'_> {}

type Converted<'a> = Result<Value<'a>, ConversionError<'a>>;

/// Converts a value to a type. The dynamic type keeps the value as it is; inside collections it
/// stands for the type that all elements convert to. Optional attributes may be missing, and become
/// null.
///
/// Types of more than 256 levels have no conversion.
///
/// Cost: linear in the value and in the distinct pairs of parts of the types, times their depth.
///
/// # Errors
/// The value has no conversion to the type, or a string in it is not a valid number or boolean.
///
/// ```
/// use simd_hcl::Arena;
/// use simd_hcl::value::{Type, Value, convert};
///
/// let arena = Arena::new();
/// let number = convert(&arena, Value::string(&arena, "12"), Type::Number).unwrap();
/// assert_eq!(number.as_number().unwrap().to_string(), "12");
/// assert!(convert(&arena, Value::string(&arena, "a"), Type::Number).is_err());
/// ```
pub fn convert<'a>(arena: &'a Arena, value: Value<'a>, ty: Type<'a>) -> Converted<'a> {
    Relations::new(arena).convert(value, ty)
}

/// Whether a value is of a type, so that [`convert`] returns it as it is. Cost: that of comparing the
/// types.
pub(crate) fn is_of<'a>(arena: &'a Arena, value: Value<'a>, ty: Type<'a>) -> bool {
    let mut relations = Relations::new(arena);
    let strict = relations.strict(ty);
    relations.are_same(value.ty(), strict)
}

/// Like [`convert`], if only the success of the conversion matters: the text of a number with many
/// digits becomes unknown. `1e999999` has eight bytes in a file, but a million as a string.
///
/// # Errors
/// Like [`convert`], except for numbers whose text would be too long.
pub(crate) fn convert_briefly<'a>(
    arena: &'a Arena,
    value: Value<'a>,
    ty: Type<'a>,
) -> Converted<'a> {
    let mut relations = Relations::new(arena);
    relations.is_brief = true;
    relations.convert(value, ty)
}

/// Whether the text of a number has at most a few hundred bytes.
pub(crate) fn has_short_text(number: Value<'_>) -> bool {
    number.size() <= 16
}

/// Whether values of one type can convert to another, depending on their contents.
#[must_use]
pub fn can_convert<'a>(arena: &'a Arena, from: Type<'a>, to: Type<'a>) -> bool {
    Relations::new(arena).can_convert(from, to)
}

impl<'a> Relations<'a> {
    fn convert(&mut self, value: Value<'a>, ty: Type<'a>) -> Converted<'a> {
        let strict = self.strict(ty);
        if self.are_same(value.ty(), strict) {
            return Ok(value);
        }
        if !self.can_convert(value.ty(), ty) {
            return Err(self.mismatched(value, ty));
        }
        self.room = Room::of(value.size());
        self.apply(value, ty)
    }

    pub(super) fn can_convert(&mut self, from: Type<'a>, to: Type<'a>) -> bool {
        if self.are_same(from, to) {
            return true;
        }
        from.depth() <= MAX_DEPTH && to.depth() <= MAX_DEPTH && self.is_possible(from, to)
    }

    /// Whether types of a bounded depth convert. Recurses as deep as the types.
    pub(super) fn is_possible(&mut self, from: Type<'a>, to: Type<'a>) -> bool {
        if from.parts().is_empty() && to.parts().is_empty() {
            return self.is_possible_by_parts(from, to);
        }
        let pair = (from.id(), to.id());
        if let Some(known) = self.possible.get(&pair) {
            return *known;
        }
        let is_possible = self.are_same(from, to) || self.is_possible_by_parts(from, to);
        self.possible.insert(pair, is_possible);
        is_possible
    }

    fn is_possible_by_parts(&mut self, from: Type<'a>, to: Type<'a>) -> bool {
        count_step();
        match (from, to) {
            (_, Type::Dynamic) | (Type::Dynamic, _) => true,
            (Type::Bool | Type::Number | Type::String, Type::String) => true,
            (Type::String, Type::Bool | Type::Number) => true,
            (Type::Bool, Type::Bool) | (Type::Number, Type::Number) => true,
            (Type::Object(_), Type::Object(to)) => {
                to.iter().all(|attribute| match from.attribute(attribute.name) {
                    Some(from) => self.is_possible(from.ty, attribute.ty),
                    None => attribute.optional,
                })
            }
            (Type::Tuple(from), Type::Tuple(to)) => {
                from.len() == to.len()
                    && from.iter().zip(to.iter()).all(|(from, to)| self.is_possible(*from, *to))
            }
            (Type::List(from) | Type::Set(from), Type::List(to) | Type::Set(to))
            | (Type::Map(from), Type::Map(to)) => self.is_possible(from.ty(), to.ty()),
            (Type::Tuple(from), Type::List(to) | Type::Set(to)) => self.common(from, to.ty(), true),
            (Type::Object(from), Type::Map(to)) => {
                let parts: Vec<_> = from.iter().map(|attribute| attribute.ty).collect();
                self.common(&parts, to.ty(), false)
            }
            (Type::Map(from), Type::Object(to)) => to
                .iter()
                .all(|attribute| attribute.optional || self.is_possible(from.ty(), attribute.ty)),
            _ => false,
        }
    }

    /// Whether all parts convert to one type; if `to` is dynamic, to a type that they have in
    /// common.
    fn common(&mut self, parts: &[Type<'a>], to: Type<'a>, is_strict: bool) -> bool {
        if parts.is_empty() {
            return true;
        }
        let to = match to {
            Type::Dynamic => match self.unify(parts) {
                Some(Type::Dynamic) => {
                    return !is_strict || parts.iter().all(|part| part.is_dynamic());
                }
                Some(unified) => unified,
                None => return false,
            },
            to => to,
        };
        parts.iter().all(|&part| self.is_possible(part, to))
    }

    /// Converts a value that has a conversion. Recurses as deep as the type, which is bounded.
    fn apply(&mut self, value: Value<'a>, to: Type<'a>) -> Converted<'a> {
        let (value, marks) = value.unmark();
        let strict = self.strict(to);
        let converted = if to.is_dynamic() || self.are_same(value.ty(), strict) {
            value
        } else {
            match value.content() {
                Content::Unknown { not_null, .. } => {
                    let ty = self.strict(to);
                    let unknown = Value::unknown(self.settle(value.ty(), ty));
                    if not_null { unknown.not_null() } else { unknown }
                }
                Content::Null => {
                    let ty = self.strict(to);
                    Value::null(self.settle(value.ty(), ty))
                }
                _ => self.apply_known(value, to).map_err(|error| error.for_marks(marks))?,
            }
        };
        Ok(converted.with_marks(marks))
    }

    fn apply_known(&mut self, value: Value<'a>, to: Type<'a>) -> Converted<'a> {
        let arena = self.arena;
        match (value.ty(), to) {
            (
                Type::Number | Type::Bool | Type::String,
                Type::String | Type::Number | Type::Bool,
            ) => self.scalar(value, to),
            (Type::Object(_) | Type::Map(_), Type::Object(attributes)) => {
                self.object(value, attributes)
            }
            (Type::Tuple(_), Type::Tuple(types)) => {
                let pairs = value.elements().iter().zip(types).enumerate();
                let elements: Result<Vec<_>, _> = pairs
                    .map(|(place, (element, ty))| {
                        self.apply(*element, *ty)
                            .map_err(|error| error.below(PathStep::Place(place)))
                    })
                    .collect();
                Ok(Value::tuple(arena, &elements?))
            }
            (Type::Tuple(_) | Type::List(_) | Type::Set(_), Type::List(element)) => {
                if !value.is_wholly_known() && matches!(value.ty(), Type::Set(_)) {
                    // The number of elements of the set is unknown.
                    return Ok(Value::unknown(self.settle(value.ty(), to)));
                }
                let (element, elements) = self.elements_of(value, element.ty())?;
                Ok(Value::list(arena, element, &elements))
            }
            (Type::Tuple(_) | Type::List(_) | Type::Set(_), Type::Set(element)) => {
                let (element, elements) = self.elements_of(value, element.ty())?;
                Ok(Value::set(arena, element, &elements))
            }
            (Type::Object(_) | Type::Map(_), Type::Map(element)) => {
                let names = || value.entries().iter().map(|(name, _)| *name);
                let parts: Vec<_> = value.entries().iter().map(|(_, part)| *part).collect();
                let steps: Vec<_> = names().map(PathStep::Name).collect();
                let (element, parts) = self.parts_of(value.ty(), &parts, &steps, element.ty())?;
                let entries: Vec<_> = names().zip(parts).collect();
                Ok(Value::map(arena, element, &entries))
            }
            _ => Err(self.mismatched(value, to)),
        }
    }

    fn scalar(&mut self, value: Value<'a>, to: Type<'a>) -> Converted<'a> {
        let arena = self.arena;
        match (value.content(), to) {
            (Content::Number(_), Type::String) if self.is_brief && !has_short_text(value) => {
                Ok(Value::unknown(Type::String).not_null())
            }
            (Content::Number(number), Type::String) => {
                let text = number
                    .to_text(arena)
                    .map_err(|error| ConversionError::new(error.to_string()))?;
                Ok(Value::string(arena, text))
            }
            (Content::Bool(true), Type::String) => Ok(Value::string(arena, "true")),
            (Content::Bool(false), Type::String) => Ok(Value::string(arena, "false")),
            (Content::String(text), Type::Number) => match Number::parse(arena, text) {
                Ok(number) => Ok(Value::number(number)),
                Err(NumberError::Syntax) => Err(ConversionError::new("the string is not a number")),
                Err(error) => Err(ConversionError::new(error.to_string())),
            },
            (Content::String("true" | "1"), Type::Bool) => Ok(Value::bool(true)),
            (Content::String("false" | "0"), Type::Bool) => Ok(Value::bool(false)),
            (Content::String(text), Type::Bool) => {
                Err(ConversionError::new(match text.to_lowercase().as_str() {
                    "true" | "false" => "a bool is \"true\" or \"false\", in lower case",
                    _ => "the string is neither \"true\" nor \"false\"",
                }))
            }
            _ => Err(self.mismatched(value, to)),
        }
    }

    fn object(&mut self, value: Value<'a>, attributes: &'a [AttributeType<'a>]) -> Converted<'a> {
        if !self.room.take(attributes.len()) {
            return Err(ConversionError::too_large());
        }
        let mut entries = Vec::with_capacity(attributes.len());
        for attribute in attributes {
            let entry = match value.get(attribute.name) {
                Some(part) => self
                    .apply(part, attribute.ty)
                    .map_err(|error| error.below(PathStep::Name(attribute.name)))?,
                None if attribute.optional => Value::null(self.strict(attribute.ty)),
                // A missing attribute of an object was found by type before.
                None => {
                    let name = attribute.name;
                    let message =
                        format!("the map has no element for the required attribute \"{name}\"");
                    let error = ConversionError::new(message);
                    return Err(ConversionError { has_wanted_names: true, ..error });
                }
            };
            entries.push((attribute.name, entry));
        }
        Ok(Value::object(self.arena, &entries))
    }

    /// Converts the elements of a list, set or tuple. Returns them and their type.
    fn elements_of(
        &mut self,
        value: Value<'a>,
        to: Type<'a>,
    ) -> Result<(Type<'a>, Vec<Value<'a>>), ConversionError<'a>> {
        let elements = value.elements();
        let steps: Vec<_> = (0..elements.len()).map(PathStep::Place).collect();
        self.parts_of(value.ty(), elements, &steps, to)
    }

    /// Converts parts to one type; if `to` is dynamic, to a type that they have in common. Returns
    /// the parts and the type.
    fn parts_of(
        &mut self,
        from: Type<'a>,
        parts: &[Value<'a>],
        steps: &[PathStep<'a>],
        to: Type<'a>,
    ) -> Result<(Type<'a>, Vec<Value<'a>>), ConversionError<'a>> {
        if parts.is_empty() {
            let element = match (to, from.element()) {
                (Type::Dynamic, Some(element)) => element,
                _ => self.strict(to),
            };
            return Ok((element, Vec::new()));
        }
        let no_common = || ConversionError::new("all elements must have the same type");
        let types = |parts: &[Value<'a>]| parts.iter().map(|part| part.ty()).collect::<Vec<_>>();
        let to = match to {
            Type::Dynamic => self.unify(&types(parts)).ok_or_else(no_common)?,
            to => to,
        };
        let mut converted = self.apply_all(parts, steps, to)?;
        // Dynamic parts may have got different types.
        let mut element = converted.first().map_or(to, |first| first.ty());
        if converted.iter().any(|part| !self.are_same(part.ty(), element)) {
            element = self.unify(&types(&converted)).ok_or_else(no_common)?;
            converted = self.apply_all(&converted, steps, element)?;
        }
        // If some parts have an unknown type, the other parts must have one type.
        if element.is_dynamic() {
            let mut known = converted.iter().map(|part| part.ty()).filter(|ty| !ty.is_dynamic());
            if let Some(first) = known.next()
                && known.any(|other| !self.are_same(other, first))
            {
                return Err(no_common());
            }
        }
        Ok((element, converted))
    }

    fn apply_all(
        &mut self,
        parts: &[Value<'a>],
        steps: &[PathStep<'a>],
        to: Type<'a>,
    ) -> Result<Vec<Value<'a>>, ConversionError<'a>> {
        let pairs = parts.iter().zip(steps);
        pairs
            .map(|(part, step)| self.apply(*part, to).map_err(|error| error.below(*step)))
            .collect()
    }

    /// Returns `to`, with its dynamic parts replaced by those of `from`. Recurses as deep as the
    /// types, which is bounded.
    fn settle(&mut self, from: Type<'a>, to: Type<'a>) -> Type<'a> {
        if to.is_dynamic() {
            return from;
        }
        if from.is_dynamic() || to.parts().is_empty() {
            return to;
        }
        let pair = (from.id(), to.id());
        if let Some(known) = self.settled.get(&pair) {
            return *known;
        }
        let settled = if to.has_dynamic() { self.settle_parts(from, to) } else { to };
        self.settled.insert(pair, settled);
        settled
    }

    fn settle_parts(&mut self, from: Type<'a>, to: Type<'a>) -> Type<'a> {
        count_step();
        let arena = self.arena;
        match to {
            Type::List(to) => Type::list_of(arena, self.settle_element(from, to.ty())),
            Type::Set(to) => Type::set_of(arena, self.settle_element(from, to.ty())),
            Type::Map(to) => Type::map_of(arena, self.settle_element(from, to.ty())),
            Type::Object(attributes) => {
                let settled = attributes.iter().map(|attribute| {
                    let ty = match from {
                        Type::Map(from) => self.settle(from.ty(), attribute.ty),
                        _ => match from.attribute(attribute.name) {
                            Some(from) => self.settle(from.ty, attribute.ty),
                            None => attribute.ty,
                        },
                    };
                    AttributeType { ty, ..*attribute }
                });
                Type::object_of(arena, &settled.collect::<Vec<_>>())
            }
            Type::Tuple(elements) => {
                let parts = from.parts();
                let settled =
                    elements.iter().enumerate().map(|(place, to)| match parts.get(place) {
                        Some(from) => self.settle(from, *to),
                        None => *to,
                    });
                Type::tuple_of(arena, &settled.collect::<Vec<_>>())
            }
            _ => to,
        }
    }

    /// Like `settle`, for the element type of a collection.
    fn settle_element(&mut self, from: Type<'a>, to: Type<'a>) -> Type<'a> {
        let element = match from {
            Type::List(from) | Type::Set(from) | Type::Map(from) => from.ty(),
            Type::Tuple(parts) => self.unify(parts).unwrap_or(Type::Dynamic),
            Type::Object(attributes) => {
                let parts: Vec<_> = attributes.iter().map(|each| each.ty).collect();
                self.unify(&parts).unwrap_or(Type::Dynamic)
            }
            _ => return to,
        };
        self.settle(element, to)
    }

    /// Returns the error of a value whose type does not convert to another.
    fn mismatched(&mut self, value: Value<'a>, to: Type<'a>) -> ConversionError<'a> {
        let from = value.ty();
        let mut names = Names { hides: false, has_own: false, has_wanted: false };
        let message = self.mismatch(from, to, &mut names);
        let has_wanted_names = names.has_wanted;
        let nameless = names.has_own.then(|| {
            names.hides = true;
            self.mismatch(from, to, &mut names)
        });
        let error = ConversionError { nameless, has_wanted_names, ..ConversionError::new(message) };
        error.for_marks(value.deep_marks())
    }

    /// Returns the reason why values of one type do not convert to another. Recurses as deep as the
    /// types, which is bounded.
    fn mismatch(&mut self, from: Type<'a>, to: Type<'a>, names: &mut Names) -> String {
        if from.depth() > MAX_DEPTH || to.depth() > MAX_DEPTH {
            return format!("types of more than {MAX_DEPTH} levels cannot be converted");
        }
        match (from, to) {
            (Type::Object(_), Type::Object(wanted)) => {
                let missing = wanted
                    .iter()
                    .find(|each| !each.optional && from.attribute(each.name).is_none());
                if let Some(missing) = missing {
                    return format!("the attribute \"{}\" is missing", names.wanted(missing.name));
                }
                let wrong = wanted.iter().find_map(|wanted| {
                    let from = from.attribute(wanted.name)?;
                    (!self.is_possible(from.ty, wanted.ty)).then_some((wanted, from))
                });
                match wrong {
                    Some((wanted, from)) => {
                        let why = self.mismatch(from.ty, wanted.ty, names);
                        format!("attribute \"{}\": {why}", names.wanted(wanted.name))
                    }
                    None => "the attributes of the object have other types".to_owned(),
                }
            }
            (Type::Tuple(_), Type::List(to)) if to.ty().is_dynamic() => {
                "all elements of a list must have the same type".to_owned()
            }
            (Type::Tuple(_), Type::Set(to)) if to.ty().is_dynamic() => {
                "all elements of a set must have the same type".to_owned()
            }
            (Type::Object(_), Type::Map(to)) if to.ty().is_dynamic() => {
                "all elements of a map must have the same type".to_owned()
            }
            (Type::Tuple(elements), Type::List(to) | Type::Set(to)) => {
                let to = to.ty();
                let wrong =
                    elements.iter().enumerate().find(|(_, from)| !self.is_possible(**from, to));
                match wrong {
                    Some((place, from)) => {
                        format!("element {place}: {}", self.mismatch(*from, to, names))
                    }
                    None => format!("each element must be {}", to.with_article()),
                }
            }
            (Type::Object(attributes), Type::Map(to)) => {
                let to = to.ty();
                match attributes.iter().find(|from| !self.is_possible(from.ty, to)) {
                    Some(from) => {
                        let why = self.mismatch(from.ty, to, names);
                        format!("element {}: {why}", names.own(from.name))
                    }
                    None => format!("each element must be {}", to.with_article()),
                }
            }
            (Type::Tuple(from), Type::Tuple(wanted)) if from.len() != wanted.len() => {
                format!("{} elements are required, not {}", wanted.len(), from.len())
            }
            (Type::Tuple(from), Type::Tuple(wanted)) => {
                let mut pairs = from.iter().zip(wanted).enumerate();
                match pairs.find(|(_, (from, wanted))| !self.is_possible(**from, **wanted)) {
                    Some((place, (from, wanted))) => {
                        format!("element {place}: {}", self.mismatch(*from, *wanted, names))
                    }
                    None => "the elements have other types".to_owned(),
                }
            }
            (Type::Map(from), Type::Object(wanted)) => {
                let from = from.ty();
                let is_wrong =
                    |each: &&AttributeType<'a>| !each.optional && !self.is_possible(from, each.ty);
                match wanted.iter().find(is_wrong) {
                    Some(wanted) => {
                        let why = self.mismatch(from, wanted.ty, names);
                        format!("attribute \"{}\": {why}", names.wanted(wanted.name))
                    }
                    None => "the attributes of the object have other types".to_owned(),
                }
            }
            (Type::List(from) | Type::Set(from), Type::List(wanted) | Type::Set(wanted))
            | (Type::Map(from), Type::Map(wanted)) => {
                format!("elements: {}", self.mismatch(from.ty(), wanted.ty(), names))
            }
            _ => format!("{} is required, not {}", to.with_article(), from.with_article()),
        }
    }
}

/// How the reason of a mismatch writes names, and which it has.
struct Names {
    /// Whether names of the value are left out.
    hides: bool,
    has_own: bool,
    has_wanted: bool,
}

impl Names {
    /// A name in the value.
    fn own(&mut self, name: &str) -> String {
        self.has_own = true;
        if self.hides { HIDDEN.to_owned() } else { format!("\"{name}\"") }
    }

    /// A name that the type has.
    fn wanted<'n>(&mut self, name: &'n str) -> &'n str {
        self.has_wanted = true;
        name
    }
}
