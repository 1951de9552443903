//! HCL values: the type system that expressions are evaluated in.
//!
//! Follows chapter "Types" of the HCL specification, and the reference's type library (cty). A
//! [`Value`] is a `Copy` handle into the arena: a type, the known content, and marks. Strings,
//! names of attributes and keys of maps are in Unicode normal form C. Maps and objects are sorted
//! by name (bytes); sets are sorted and have no duplicates. Values nest as deep as the input does,
//! so nothing here recurses.
//!
//! Values and types share their parts: `[x, x]` has `x` once. So properties of a whole value (its
//! marks, whether all of it is known, its size) are kept in each value, and walks over types visit
//! each distinct part once.

mod clause;
mod convert;
mod copy;
mod decimal;
mod display;
mod equality;
mod float;
mod json;
mod key;
mod limits;
mod marks;
mod number;
mod packed;
mod relations;
mod set;
#[cfg(test)]
mod tests;
mod types;
mod unify;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};
use unicode_segmentation::UnicodeSegmentation as _;

pub(crate) use clause::shown;
pub use clause::{Clause, Quotation};
pub(crate) use convert::is_of;
pub use convert::{ConversionError, PathStep, can_convert, convert};
pub(crate) use convert::{convert_briefly, has_short_text};
pub(crate) use decimal::Decimal;
pub(crate) use display::{is_heredoc, needs_escape, quote};
pub use equality::{equals, raw_equals};
pub use json::{JsonError, from_node, from_node_as, type_from_node, write, write_type};
#[cfg(feature = "functions")]
pub(crate) use key::Key;
pub(crate) use limits::{Room, TEXT_UNIT};
pub(crate) use marks::says_where;
pub use marks::{HIDDEN, Marks};
pub use number::{ArithmeticError, MAX_DIGITS, Number, NumberError, TooLong};
#[cfg(feature = "model")]
pub(crate) use packed::{PackedType, PackedValue};
pub(crate) use types::sort_attributes;
pub use types::{AttributeType, ElementType, PartTypes, Type};
pub use unify::unify;

use crate::arena::Arena;
#[cfg(feature = "model")]
use crate::hash::HashSet;

/// A value of the HCL type system.
///
/// ```
/// use simd_hcl::Arena;
/// use simd_hcl::value::{Type, Value};
///
/// let arena = Arena::new();
/// let web = Value::object(&arena, &[("name", Value::string(&arena, "web"))]);
/// assert_eq!(web.get("name").unwrap().as_str(), Some("web"));
/// assert_eq!(web.ty().attribute("name").unwrap().ty, Type::String);
/// ```
#[derive(Clone, Copy)]
pub struct Value<'a> {
    ty: Type<'a>,
    content: Content<'a>,
    marks: Marks,
    inner: Summary,
}

/// Stands for an unknown part of a text of which other parts are known.
pub(crate) const HOLE: char = '\0';

/// The most bytes of an unknown text whose known parts are kept.
pub(crate) const MOST_KNOWN_TEXT: usize = 1 << 14;

/// The names under which an unknown text has its known parts, and its known start.
const PARTS: &str = "";
const START: &str = "start";

/// The start of a text that stays as it is if more follows, as the tools see it: the last grapheme cluster may
/// become a part of a longer one, unless it ends with one of these characters.
pub(crate) fn safe_start(text: &str) -> &str {
    const ENDS: &str = "-_:;/\\,.(){}|?!~ \t@#$%^&*+\"'";
    if text.ends_with(|c| ENDS.contains(c)) {
        return text;
    }
    text.grapheme_indices(true).next_back().map_or("", |(at, _)| &text[..at])
}

/// Properties of a whole value.
#[derive(Clone, Copy)]
struct Summary {
    /// The marks of the parts, not of the value itself.
    marks: Marks,
    /// See [`Value::size`].
    size: u32,
    is_known: bool,
}

/// The content of a value, as far as it is known. The type of the value decides the variant.
///
/// ```
/// use simd_hcl::value::{Content, Type, Value};
///
/// assert!(matches!(Value::bool(true).content(), Content::Bool(true)));
/// assert!(matches!(Value::null(Type::String).content(), Content::Null));
/// ```
#[derive(Clone, Copy)]
pub enum Content<'a> {
    /// Not known yet; it may become any value of the type.
    Unknown {
        /// Whether it is known not to be null.
        not_null: bool,
        /// The attributes that are known although the type is not, sorted by name: a value of the
        /// dynamic type has some if it is a resource whose schema is not known. A text of which
        /// parts are known has them under the empty name, with U+0000 for each part that is not.
        known: &'a [(&'a str, Value<'a>)],
    },
    /// Absent.
    Null,
    /// A boolean.
    Bool(bool),
    /// A number.
    Number(Number<'a>),
    /// A string, in normal form C.
    String(&'a str),
    /// Elements of a list, a set or a tuple.
    Elements(&'a [Value<'a>]),
    /// Entries of a map or an object, sorted by name.
    Entries(&'a [(&'a str, Value<'a>)]),
}

/// Returns a text in normal form C. Borrows it if it is already normalized.
#[must_use]
pub fn normalized<'a>(arena: &'a Arena, text: &'a str) -> &'a str {
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        return text;
    }
    let normalized: String = text.nfc().collect();
    if normalized == text { text } else { arena.str(&normalized) }
}

impl<'a> Value<'a> {
    /// Returns a value without parts.
    const fn new(ty: Type<'a>, content: Content<'a>) -> Self {
        let bytes = match content {
            Content::String(text) => text.len(),
            Content::Number(number) => number.len(),
            _ => 0,
        };
        let size = bytes / TEXT_UNIT + 1;
        let inner = Summary {
            marks: Marks::NONE,
            size: if size < u32::MAX as usize { size as u32 } else { u32::MAX },
            is_known: !matches!(content, Content::Unknown { .. }),
        };
        Self { ty, content, marks: Marks::NONE, inner }
    }

    /// Returns a value of elements that already have the type.
    fn of_elements(ty: Type<'a>, elements: &'a [Self]) -> Self {
        let inner = Summary::of(elements.iter().copied());
        Self { ty, content: Content::Elements(elements), marks: Marks::NONE, inner }
    }

    /// Returns a value of sorted entries that already have the type.
    fn of_entries(ty: Type<'a>, entries: &'a [(&'a str, Self)]) -> Self {
        debug_assert!(
            entries.is_sorted_by(|one, next| one.0 < next.0),
            "entries are sorted by name"
        );
        let mut inner = Summary::of(entries.iter().map(|(_, value)| *value));
        for (name, _) in entries {
            inner.size = inner.size.saturating_add((name.len() / TEXT_UNIT) as u32);
        }
        Self { ty, content: Content::Entries(entries), marks: Marks::NONE, inner }
    }

    /// Returns a boolean.
    #[must_use]
    pub const fn bool(value: bool) -> Self {
        Self::new(Type::Bool, Content::Bool(value))
    }

    /// Returns a number.
    ///
    /// ```
    /// use simd_hcl::value::{Number, Value};
    ///
    /// let value = Value::number(Number::from_literal("0.1")?);
    /// assert_eq!(value.to_string(), "0.1");
    /// # Ok::<(), simd_hcl::value::NumberError>(())
    /// ```
    #[must_use]
    pub const fn number(number: Number<'a>) -> Self {
        Self::new(Type::Number, Content::Number(number))
    }

    /// Returns a string, normalized.
    ///
    /// ```
    /// use simd_hcl::Arena;
    /// use simd_hcl::value::Value;
    ///
    /// let arena = Arena::new();
    /// assert_eq!(Value::string(&arena, "a").as_str(), Some("a"));
    /// ```
    #[must_use]
    pub fn string(arena: &'a Arena, text: &'a str) -> Self {
        Self::new(Type::String, Content::String(normalized(arena, text)))
    }

    /// Returns a null of a type.
    #[must_use]
    pub const fn null(ty: Type<'a>) -> Self {
        Self::new(ty, Content::Null)
    }

    /// Returns an unknown value of a type.
    ///
    /// ```
    /// use simd_hcl::value::{Type, Value};
    ///
    /// let value = Value::unknown(Type::String);
    /// assert!(!value.is_known() && !value.is_null());
    /// ```
    #[must_use]
    pub const fn unknown(ty: Type<'a>) -> Self {
        Self::new(ty, Content::Unknown { not_null: false, known: &[] })
    }

    /// Returns an unknown value of an unknown type.
    #[must_use]
    pub const fn dynamic() -> Self {
        Self::unknown(Type::Dynamic)
    }

    /// Returns a tuple.
    ///
    /// ```
    /// use simd_hcl::Arena;
    /// use simd_hcl::value::Value;
    ///
    /// let arena = Arena::new();
    /// let value = Value::tuple(&arena, &[Value::bool(true), Value::string(&arena, "a")]);
    /// assert_eq!(value.as_elements().unwrap().len(), 2);
    /// ```
    #[must_use]
    pub fn tuple(arena: &'a Arena, elements: &[Self]) -> Self {
        let types = arena.bump().alloc_slice_fill_iter(elements.iter().map(|element| element.ty));
        let ty = Type::Tuple(arena.bump().alloc(PartTypes::of_tuple(types)));
        Self::of_elements(ty, arena.bump().alloc_slice_copy(elements))
    }

    /// Returns an object. Names are normalized; of entries with the same name, the last one counts.
    ///
    /// ```
    /// use simd_hcl::Arena;
    /// use simd_hcl::value::Value;
    ///
    /// let arena = Arena::new();
    /// let value = Value::object(&arena, &[("b", Value::bool(true)), ("a", Value::bool(false))]);
    /// let names: Vec<_> = value.as_entries().unwrap().iter().map(|(name, _)| *name).collect();
    /// assert_eq!(names, ["a", "b"]);
    /// ```
    #[must_use]
    pub fn object(arena: &'a Arena, entries: &[(&'a str, Self)]) -> Self {
        let entries = sorted(arena, entries);
        let attribute =
            |(name, value): &(&'a str, Self)| AttributeType { name, ty: value.ty, optional: false };
        let types = arena.bump().alloc_slice_fill_iter(entries.iter().map(attribute));
        Self::of_entries(Type::Object(arena.bump().alloc(PartTypes::of_object(types))), entries)
    }

    /// Returns a list of elements that already have the type.
    ///
    /// ```
    /// use simd_hcl::Arena;
    /// use simd_hcl::value::{Type, Value};
    ///
    /// let arena = Arena::new();
    /// let value = Value::list(&arena, Type::Bool, &[Value::bool(true)]);
    /// assert_eq!(value.ty(), Type::list_of(&arena, Type::Bool));
    /// ```
    #[must_use]
    pub fn list(arena: &'a Arena, element: Type<'a>, elements: &[Self]) -> Self {
        let ty = Type::list_of(arena, element);
        Self::of_elements(ty, arena.bump().alloc_slice_copy(elements))
    }

    /// Returns a map of values that already have the type. Keys are normalized; of entries with the
    /// same key, the last one counts.
    #[must_use]
    pub fn map(arena: &'a Arena, element: Type<'a>, entries: &[(&'a str, Self)]) -> Self {
        let ty = Type::map_of(arena, element);
        Self::of_entries(ty, sorted(arena, entries))
    }

    /// Its type.
    #[must_use]
    pub const fn ty(self) -> Type<'a> {
        self.ty
    }

    /// Its content, without its marks.
    #[must_use]
    pub const fn content(self) -> Content<'a> {
        self.content
    }

    /// The marks of the value itself, without those of its parts.
    #[must_use]
    pub const fn marks(self) -> Marks {
        self.marks
    }

    /// Whether it is null.
    #[must_use]
    pub const fn is_null(self) -> bool {
        matches!(self.content, Content::Null)
    }

    /// Whether the value itself is known. Its parts may be unknown.
    #[must_use]
    pub const fn is_known(self) -> bool {
        !matches!(self.content, Content::Unknown { .. })
    }

    /// Whether it and all its parts are known.
    ///
    /// ```
    /// use simd_hcl::Arena;
    /// use simd_hcl::value::{Type, Value};
    ///
    /// let arena = Arena::new();
    /// let value = Value::tuple(&arena, &[Value::unknown(Type::Number)]);
    /// assert!(value.is_known() && !value.is_wholly_known());
    /// ```
    #[must_use]
    pub const fn is_wholly_known(self) -> bool {
        self.inner.is_known
    }

    /// Its size if it were written out: the number of values in it, itself included. Every 16 bytes
    /// of text count as one more, and shared parts count each time. At most `u32::MAX`.
    #[must_use]
    pub const fn size(self) -> u32 {
        self.inner.size
    }

    /// Whether its type is unknown.
    #[must_use]
    pub const fn is_dynamic(self) -> bool {
        matches!(self.ty, Type::Dynamic)
    }

    /// Its value, if it is a known boolean.
    #[must_use]
    pub const fn as_bool(self) -> Option<bool> {
        match self.content {
            Content::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// Its value, if it is a known number.
    #[must_use]
    pub const fn as_number(self) -> Option<Number<'a>> {
        match self.content {
            Content::Number(number) => Some(number),
            _ => None,
        }
    }

    /// Its text, if it is a known string.
    #[must_use]
    pub const fn as_str(self) -> Option<&'a str> {
        match self.content {
            Content::String(text) => Some(text),
            _ => None,
        }
    }

    /// The elements, if it is a known list, set or tuple.
    #[must_use]
    pub const fn as_elements(self) -> Option<&'a [Self]> {
        match self.content {
            Content::Elements(elements) => Some(elements),
            _ => None,
        }
    }

    /// The entries, sorted by name, if it is a known map or object.
    #[must_use]
    pub const fn as_entries(self) -> Option<&'a [(&'a str, Self)]> {
        match self.content {
            Content::Entries(entries) => Some(entries),
            _ => None,
        }
    }

    /// The elements of a known list, set or tuple; empty for other values.
    #[must_use]
    pub(crate) const fn elements(self) -> &'a [Self] {
        match self.content {
            Content::Elements(elements) => elements,
            _ => &[],
        }
    }

    /// The entries of a known map or object, sorted by name; empty for other values.
    #[must_use]
    pub(crate) const fn entries(self) -> &'a [(&'a str, Self)] {
        match self.content {
            Content::Entries(entries) => entries,
            _ => &[],
        }
    }

    /// Returns the value of an entry of a known map or object. The name must be in normal form C.
    ///
    /// ```
    /// use simd_hcl::Arena;
    /// use simd_hcl::value::Value;
    ///
    /// let arena = Arena::new();
    /// let value = Value::object(&arena, &[("a", Value::bool(true))]);
    /// assert_eq!(value.get("a").unwrap().as_bool(), Some(true));
    /// assert!(value.get("b").is_none());
    /// ```
    #[must_use]
    pub fn get(self, name: &str) -> Option<Self> {
        let entries = self.entries();
        let found = entries.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
        entries.get(found).map(|(_, value)| *value)
    }

    /// Returns the value with additional marks.
    ///
    /// ```
    /// use simd_hcl::value::{Marks, Value};
    ///
    /// let value = Value::bool(true).with_marks(Marks::SENSITIVE);
    /// assert_eq!(value.marks(), Marks::SENSITIVE);
    /// assert_eq!(value.unmark().0.marks(), Marks::NONE);
    /// ```
    #[must_use]
    pub const fn with_marks(mut self, marks: Marks) -> Self {
        self.marks = self.marks.with(marks);
        self
    }

    /// Returns the value without its own marks, and these marks.
    #[must_use]
    pub const fn unmark(mut self) -> (Self, Marks) {
        let marks = self.marks;
        self.marks = Marks::NONE;
        (self, marks)
    }

    /// The marks of the value and of all its parts.
    #[must_use]
    pub const fn deep_marks(self) -> Marks {
        self.marks.with(self.inner.marks)
    }

    /// Returns the value without marks at any depth, and these marks. Cost: parts with marks, and
    /// their containers, are copied.
    #[must_use]
    pub fn unmark_deep(self, arena: &'a Arena) -> (Self, Marks) {
        let marks = self.deep_marks();
        if self.inner.marks.is_empty() {
            return (self.unmark().0, marks);
        }
        (self.unmarked(arena), marks)
    }

    /// Returns an unknown value that is known not to be null; any other value unchanged.
    #[must_use]
    pub const fn not_null(mut self) -> Self {
        if let Content::Unknown { known, .. } = self.content {
            self.content = Content::Unknown { not_null: true, known };
        }
        self
    }

    /// Returns an unknown value of an unknown type, some attributes of which are known.
    pub(crate) fn with_known(arena: &'a Arena, attributes: &[(&'a str, Self)]) -> Self {
        let known = sorted(arena, attributes);
        Self::new(Type::Dynamic, Content::Unknown { not_null: true, known })
    }

    /// Returns an unknown text that is not null, of which parts are known: [`HOLE`] stands for each of the
    /// others. Of long texts, no part counts as known. `start` is the known start as the tools know it, by which
    /// they decide what `==` and `startswith` return: less than the parts say.
    pub(crate) fn with_known_text(arena: &'a Arena, text: &'a str, start: &'a str) -> Self {
        let mut value = Self::unknown(Type::String).not_null();
        if text.len() <= MOST_KNOWN_TEXT && text.chars().any(|c| c != HOLE) {
            let known = [(PARTS, text), (START, start)]
                .map(|(name, text)| (name, Self::string(arena, text)));
            let known = arena.bump().alloc_slice_copy(&known);
            value.content = Content::Unknown { not_null: true, known };
        }
        value
    }

    /// The text of an unknown value with [`HOLE`] for each part that is not known; `None` if all of it is
    /// unknown.
    pub(crate) fn known_text(self) -> Option<&'a str> {
        match (self.ty, self.content) {
            (Type::String, Content::Unknown { known: [(PARTS, text), _], .. }) => text.as_str(),
            _ => None,
        }
    }

    /// The known start of an unknown text, as the tools know it; empty if they know nothing.
    pub(crate) fn known_start(self) -> &'a str {
        match (self.ty, self.content) {
            (Type::String, Content::Unknown { known: [_, (START, start)], .. }) => {
                start.as_str().unwrap_or_default()
            }
            _ => "",
        }
    }

    /// Returns an attribute of an unknown value of unknown type; unknown unless it is known already.
    pub(crate) fn attribute_of_unknown(self, name: &str) -> Self {
        let known = match self.content {
            Content::Unknown { known, .. } => known,
            _ => &[],
        };
        let found = known.binary_search_by(|(known, _)| (*known).cmp(name));
        found.map_or_else(|_| Self::dynamic(), |at| known[at].1)
    }

    /// Visits the value and all its parts, outer values first. Cost: linear in [`Value::size`].
    pub fn visit(self, mut visit: impl FnMut(Self)) {
        self.walk(|value| {
            visit(value);
            true
        });
    }

    /// Passes it and its parts to `visit`, and a part that is shared only once: a value that is doubled many
    /// times has few of them.
    #[cfg(feature = "model")]
    pub(crate) fn visit_distinct(self, mut visit: impl FnMut(Self)) {
        let mut seen: HashSet<(usize, usize)> = HashSet::default();
        self.walk(|value| {
            let is_new = value.place().is_none_or(|place| seen.insert(place));
            if is_new {
                visit(value);
            }
            is_new
        });
    }

    /// Passes it and its parts to `enter`, outer values first, and skips the parts of those for which that is
    /// false.
    fn walk(self, mut enter: impl FnMut(Self) -> bool) {
        let mut rest = vec![self];
        while let Some(value) = rest.pop() {
            if !enter(value) {
                continue;
            }
            match value.content {
                Content::Elements(elements) => rest.extend(elements.iter().rev()),
                Content::Entries(entries) => {
                    rest.extend(entries.iter().rev().map(|(_, value)| *value));
                }
                _ => {}
            }
        }
    }

    /// Where its parts are in memory; `None` if it has none.
    #[cfg(feature = "model")]
    pub(crate) fn place(self) -> Option<(usize, usize)> {
        match self.content {
            Content::Elements(all) if !all.is_empty() => Some((all.as_ptr() as usize, all.len())),
            Content::Entries(all) if !all.is_empty() => Some((all.as_ptr() as usize, all.len())),
            _ => None,
        }
    }

    /// Returns a copy without marks.
    fn unmarked(self, arena: &'a Arena) -> Self {
        /// A container whose parts are being copied.
        struct Open<'a> {
            value: Value<'a>,
            done: Vec<Value<'a>>,
        }
        let mut open = Vec::new();
        let mut top = Open { value: self, done: Vec::new() };
        loop {
            let next = match top.value.content {
                Content::Elements(elements) => elements.get(top.done.len()).copied(),
                Content::Entries(entries) => entries.get(top.done.len()).map(|(_, value)| *value),
                _ => None,
            };
            if let Some(next) = next {
                if next.inner.marks.is_empty() {
                    top.done.push(next.unmark().0);
                } else {
                    open.push(std::mem::replace(&mut top, Open { value: next, done: Vec::new() }));
                }
                continue;
            }
            let Open { value, done } = top;
            let bump = arena.bump();
            let copy = match value.content {
                Content::Elements(_) => Self::of_elements(value.ty, bump.alloc_slice_copy(&done)),
                Content::Entries(entries) => {
                    let named = entries.iter().zip(done).map(|((name, _), value)| (*name, value));
                    Self::of_entries(value.ty, bump.alloc_slice_fill_iter(named))
                }
                _ => value.unmark().0,
            };
            match open.pop() {
                Some(outer) => top = outer,
                None => return copy,
            }
            top.done.push(copy);
        }
    }
}

impl Summary {
    /// Returns the summary of a value with these parts.
    fn of<'a>(parts: impl Iterator<Item = Value<'a>>) -> Self {
        let nothing = Self { marks: Marks::NONE, size: 1, is_known: true };
        parts.fold(nothing, |all, part| Self {
            marks: all.marks.with(part.deep_marks()),
            size: all.size.saturating_add(part.inner.size),
            is_known: all.is_known && part.inner.is_known,
        })
    }
}

/// Sorts entries by name, and keeps the order of those with the same name. A function, because every
/// closure that compares would compile a sort of its own.
pub(crate) fn sort_by_name(entries: &mut [(&str, Value<'_>)]) {
    entries.sort_by_key(|(name, _)| *name);
}

/// Returns the entries sorted by normalized name; of entries with the same name, the last one.
fn sorted<'a>(arena: &'a Arena, entries: &[(&'a str, Value<'a>)]) -> &'a [(&'a str, Value<'a>)] {
    let named = entries.iter().map(|(name, value)| (normalized(arena, name), *value));
    let mut entries: Vec<(&'a str, Value<'a>)> = named.collect();
    if !entries.is_sorted_by(|one, other| one.0 < other.0) {
        // `dedup` keeps the first of a run, and sorting keeps the order of equals: the last must
        // come first.
        entries.reverse();
        sort_by_name(&mut entries);
        entries.dedup_by_key(|(name, _)| *name);
    }
    arena.bump().alloc_slice_copy(&entries)
}

impl std::fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.content {
            Content::Unknown { .. } => write!(f, "unknown({})", self.ty),
            Content::Null => write!(f, "null({})", self.ty),
            Content::Bool(value) => write!(f, "{value}"),
            Content::Number(number) => write!(f, "{number:?}"),
            Content::String(text) => write!(f, "{text:?}"),
            Content::Elements(elements) => write!(f, "{} of {} elements", self.ty, elements.len()),
            Content::Entries(entries) => write!(f, "{} of {} entries", self.ty, entries.len()),
        }
    }
}
