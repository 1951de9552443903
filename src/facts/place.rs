//! Places: the bytes that name an object.

use std::sync::OnceLock;

use super::target::{Target, Targets};
use crate::module::Use;
use crate::span::Span;

/// A part of a file that names an object. A `Copy` value of 24 bytes; [`Places`] says what its
/// numbers mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    target: u32,
    user: u32,
    start: u32,
    end: u32,
    /// The offset of the name from `start`, and its length; both [`u16::MAX`] if there is none.
    name: (u16, u16),
    /// From the lowest bit: the use, whether it has an effect, whether it is a part of another
    /// place, whether it is in a string of JSON, the file.
    bits: u32,
}

/// The bits of a use.
const USE: u32 = 0x1f;
const WRITTEN_ONLY: u32 = 1 << 5;
const PART: u32 = 1 << 6;
const JSON: u32 = 1 << 7;
const FILE: u32 = 8;

/// No number of an object.
pub(super) const NONE: u32 = u32::MAX;

/// The reason why a place names an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum PlaceUse {
    /// Declares it: the label of a block, the name of a local value, the alias of a provider
    /// configuration, a configuration alias that the caller must pass.
    Declaration,
    /// Sets it: the name of an argument of a call, of a passed provider configuration, or of a value
    /// in a file of variables or in a test.
    Key,
    /// Uses the value.
    Value,
    /// Passes the value on, as an argument of a call: [`Places::argument`].
    Argument,
    /// Waits for it: `depends_on`.
    Order,
    /// Uses the value in `prevent_destroy` (OpenTofu).
    Guard,
    /// Is replaced when it changes: `replace_triggered_by`.
    Trigger,
    /// Runs it, an action.
    Run,
    /// Uses the value in `source` of a call.
    Source,
    /// Uses the value in `version` of a call.
    Version,
    /// Uses the value before anything else is evaluated.
    Early,
    /// Names it where nothing is evaluated.
    Unevaluated,
    /// Is managed by it, a provider configuration.
    Provider,
    /// Passes it on, a provider configuration: [`Places::argument`] has no name for it.
    Pass,
    /// Uses the value as the key of an instance, in an address or in a reference to a provider
    /// configuration.
    Instance,
    /// Names it in `moved`, `removed`, `import`, or as the target of an override in a test.
    Address,
    /// Names a method of encryption.
    Method,
    /// Needs the default configuration of a provider, because of its own type.
    Implied,
    /// Expects it to fail: `expect_failures` of a test.
    Expectation,
}

impl PlaceUse {
    const ALL: [Self; 19] = [
        Self::Declaration,
        Self::Key,
        Self::Value,
        Self::Argument,
        Self::Order,
        Self::Guard,
        Self::Trigger,
        Self::Run,
        Self::Source,
        Self::Version,
        Self::Early,
        Self::Unevaluated,
        Self::Provider,
        Self::Pass,
        Self::Instance,
        Self::Address,
        Self::Method,
        Self::Implied,
        Self::Expectation,
    ];

    /// The use of the references of an expression.
    pub(super) const fn of(usage: Use<'_>) -> Self {
        match usage {
            Use::Value | Use::Literal => Self::Value,
            Use::Argument(_) => Self::Argument,
            Use::Order => Self::Order,
            Use::Guard => Self::Guard,
            Use::Trigger => Self::Trigger,
            Use::Run => Self::Run,
            Use::Source => Self::Source,
            Use::Version => Self::Version,
            Use::Early => Self::Early,
            Use::Unevaluated => Self::Unevaluated,
            Use::Provider => Self::Provider,
            Use::Pass(_) => Self::Pass,
            Use::Address => Self::Address,
            Use::Method => Self::Method,
        }
    }

    /// Whether the place is a reference to a value or to a whole object: not a declaration, a key, an
    /// address or a provider configuration. That is what
    /// [`Use::is_reference`](crate::module::Use::is_reference) says, and keys of instances.
    #[must_use]
    pub const fn is_reference(self) -> bool {
        matches!(
            self,
            Self::Value
                | Self::Argument
                | Self::Order
                | Self::Guard
                | Self::Trigger
                | Self::Run
                | Self::Source
                | Self::Version
                | Self::Early
                | Self::Unevaluated
                | Self::Instance
        )
    }
}

impl Place {
    /// How it uses the target.
    #[must_use]
    pub fn usage(&self) -> PlaceUse {
        let place = (self.bits & USE) as usize;
        PlaceUse::ALL.get(place).copied().unwrap_or(PlaceUse::Value)
    }

    /// The file, by its index among [`Places::files`].
    #[must_use]
    pub fn file(&self) -> usize {
        (self.bits >> FILE) as usize
    }

    /// The bytes of the whole reference; of a declaration, those of the name.
    #[must_use]
    pub fn span(&self) -> Span {
        Span::new(self.start, self.end)
    }

    /// The bytes of the name alone, without quotes: what a new name replaces. `None` if the target
    /// has no name (`self`), if the name is written with escapes or in another normal form, or if it
    /// is longer or further away than 65,534 bytes.
    #[must_use]
    pub fn name(&self) -> Option<Span> {
        let (offset, len) = (u32::from(self.name.0), u32::from(self.name.1));
        let start = self.start + offset;
        (self.name != (u16::MAX, u16::MAX)).then(|| Span::new(start, start + len))
    }

    /// Whether it counts. If not, it is only written: in the base of an override, a second
    /// declaration, a shadowed file, or an argument that nothing reads.
    #[must_use]
    pub fn has_effect(&self) -> bool {
        self.bits & WRITTEN_ONLY == 0
    }

    /// Whether another place has the same bytes, and is what the reference refers to: `module.m` in
    /// `module.m.output`.
    #[must_use]
    pub fn is_part(&self) -> bool {
        self.bits & PART != 0
    }

    /// Whether it is in a string of JSON, so that a new name is escaped.
    #[must_use]
    pub fn is_in_json(&self) -> bool {
        self.bits & JSON != 0
    }
}

/// A place before it is stored.
#[derive(Clone, Copy)]
pub(super) struct Draft {
    pub(super) target: u32,
    pub(super) user: u32,
    pub(super) usage: PlaceUse,
    pub(super) file: u32,
    pub(super) span: Span,
    pub(super) name: Option<Span>,
    pub(super) has_effect: bool,
    pub(super) is_part: bool,
    pub(super) is_json: bool,
}

impl Draft {
    /// The place; `None` if the number of the file is too large.
    pub(super) fn place(self) -> Option<Place> {
        let file = Some(self.file).filter(|file| *file < 1 << (32 - FILE))?;
        let flag = |is_set: bool, bit: u32| if is_set { bit } else { 0 };
        let short = |value: u32| u16::try_from(value).ok().filter(|short| *short != u16::MAX);
        let name = self.name.and_then(|name| {
            Some((short(name.start.checked_sub(self.span.start)?)?, short(name.len())?))
        });
        Some(Place {
            target: self.target,
            user: self.user,
            start: self.span.start,
            end: self.span.end,
            name: name.unwrap_or((u16::MAX, u16::MAX)),
            bits: self.usage as u32
                | flag(!self.has_effect, WRITTEN_ONLY)
                | flag(self.is_part, PART)
                | flag(self.is_json, JSON)
                | file << FILE,
        })
    }
}

impl Place {
    /// Returns the identity of the place: the file, the bytes, and the key of the target.
    pub(super) fn identity(&self) -> (u32, u32, u32, u32) {
        (self.bits >> FILE, self.start, self.end, self.target)
    }
}

/// All places of a module: declarations, references, addresses, arguments of calls, values of
/// variables, in the order in which a visit of the module finds them; then those that are only
/// written ([`Place::has_effect`]), file by file.
///
/// ```
/// use simd_hcl::dialect::{Dialect, List};
/// use simd_hcl::facts::{Parts, PlaceUse, Places, Target};
/// use simd_hcl::module::{Module, Object};
/// use simd_hcl::{Arena, ParsedFile, Source};
///
/// let arena = Arena::new();
/// let text = b"variable \"size\" {}\noutput \"twice\" {\n  value = 2 * var.size\n}\n";
/// let file = ParsedFile::native(&arena, Source::from_bytes(&arena, "main.tf", text)?);
/// let module = Module::read(Dialect::OpenTofu, [(List::Primary, file)], false, &mut ());
/// let places = Places::of(&Parts::new(&module, &[(List::Primary, file)]));
///
/// let size = Target::Object(module.object_number(Object::Variable("size")).unwrap());
/// let found: Vec<_> = places.of_target(size).map(|it| (it.usage(), it.span().slice(text))).collect();
/// assert_eq!(found, [(PlaceUse::Declaration, &b"size"[..]), (PlaceUse::Value, b"var.size")]);
/// # Ok::<(), simd_hcl::source::SourceError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Places {
    pub(super) list: Vec<Place>,
    pub(super) targets: Targets,
    pub(super) files: Vec<Box<str>>,
    pub(super) is_complete: bool,
    /// The places in the order of their targets, made when it is first needed.
    pub(super) by_target: OnceLock<Box<[u32]>>,
    /// The same in the order of their files and bytes.
    pub(super) by_offset: OnceLock<Box<[u32]>>,
}

impl Places {
    /// All places. Those that count come first, in the order of
    /// [`Module::visit_expressions`](crate::module::Module::visit_expressions), then names in
    /// declarations and calls.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Place> {
        self.list.iter()
    }

    /// The number of places.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The names of the files, as their sources have them.
    #[must_use]
    pub fn files(&self) -> &[Box<str>] {
        &self.files
    }

    /// The name of the file of a place.
    #[must_use]
    pub fn file(&self, place: &Place) -> &str {
        self.files.get(place.file()).map_or("", |name| name)
    }

    /// Whether all files could be read, so that there are no other places.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Says whether further files could be read.
    pub(crate) fn and_complete(&mut self, is_complete: bool) {
        self.is_complete &= is_complete;
    }

    /// Returns the target that a place names.
    #[must_use]
    pub fn target(&self, place: &Place) -> Target<'_> {
        self.targets.target(place.target)
    }

    /// The number of the object that the place belongs to. `None` for values in files of variables
    /// and tests, and for a block that declares no object of the module.
    #[must_use]
    pub fn user(&self, place: &Place) -> Option<u32> {
        if place.user == NONE {
            return None;
        }
        match self.targets.target(place.user) {
            Target::Object(number) => Some(number),
            Target::Argument { call, .. } | Target::Passed { call, .. } => Some(call),
            _ => None,
        }
    }

    /// The argument of a call, or the provider configuration of the called module, that the place is
    /// a part of: a [`Target::Argument`] or a [`Target::Passed`].
    #[must_use]
    pub fn argument(&self, place: &Place) -> Option<Target<'_>> {
        if place.user == NONE {
            return None;
        }
        let target = self.targets.target(place.user);
        matches!(target, Target::Argument { .. } | Target::Passed { .. }).then_some(target)
    }

    /// The places that name a target, by file and offset.
    ///
    /// Cost: all places are sorted once; then logarithmic, and linear in the result.
    pub fn of_target(&self, target: Target<'_>) -> impl Iterator<Item = &Place> {
        let order = self.by_target.get_or_init(|| {
            self.sorted(|place| (place.target, place.bits >> FILE, place.start, place.end))
        });
        let key = self.targets.find(target);
        let key_at = |at: &u32| self.list[*at as usize].target;
        let first = order.partition_point(|at| key.is_none_or(|key| key_at(at) < key));
        let rest = order[first..].iter().take_while(move |at| Some(key_at(at)) == key);
        rest.map(|at| &self.list[*at as usize])
    }

    /// The places around a byte of a file, the shortest first, as an editor asks for them. The end
    /// of a place counts as a part of it.
    ///
    /// Cost: all places are sorted once; then logarithmic, and linear in the places that start
    /// before the byte on the same level of nesting, which are few.
    #[must_use]
    pub fn at(&self, file: usize, offset: u32) -> Vec<&Place> {
        let order = self.by_offset.get_or_init(|| {
            self.sorted(|place| (place.bits >> FILE, place.start, place.end, place.target))
        });
        let start = |at: &u32| {
            let place = &self.list[*at as usize];
            (place.file(), place.start)
        };
        let after = order.partition_point(|at| start(at) <= (file, offset));
        // References do not contain one another, but a key may be inside of a longer one.
        let before = order[..after].iter().rev().take_while(|at| start(at).0 == file).take(NEAR);
        let around = before.map(|at| &self.list[*at as usize]);
        let mut found: Vec<&Place> = around.filter(|place| place.end >= offset).collect();
        found.sort_by_key(|place| place.span().len());
        found
    }

    /// The names that are not objects of the module: arguments and outputs of called modules,
    /// inherited provider configurations, undeclared addresses.
    pub fn outside(&self) -> impl Iterator<Item = Target<'_>> {
        self.targets.outside()
    }

    /// The bytes that the places take, in memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.list)
    }

    fn sorted<K: Ord>(&self, key: impl Fn(&Place) -> K) -> Box<[u32]> {
        let mut order: Box<[u32]> = (0..self.list.len() as u32).collect();
        order.sort_by_key(|at| key(&self.list[*at as usize]));
        order
    }
}

/// The number of places before a byte that may contain it.
const NEAR: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_are_in_the_order_of_their_numbers() {
        for (number, usage) in PlaceUse::ALL.into_iter().enumerate() {
            assert_eq!(usage as usize, number);
        }
        assert!(PlaceUse::ALL.len() <= USE as usize + 1);
        assert_eq!(size_of::<Place>(), 24);
    }

    #[test]
    fn drafts_keep_what_fits() {
        let draft = Draft {
            target: 7,
            user: 9,
            usage: PlaceUse::Expectation,
            file: 3,
            span: Span::new(10, 20),
            name: Some(Span::new(14, 20)),
            has_effect: false,
            is_part: true,
            is_json: true,
        };
        let place = draft.place().unwrap();
        assert_eq!((place.usage(), place.file()), (PlaceUse::Expectation, 3));
        assert_eq!((place.span(), place.name()), (draft.span, draft.name));
        assert!(!place.has_effect() && place.is_part() && place.is_in_json());
        let far = Draft { name: Some(Span::new(70_000, 70_001)), ..draft };
        assert_eq!(far.place().unwrap().name(), None);
        assert!(Draft { file: 1 << 24, ..draft }.place().is_none());
    }
}
