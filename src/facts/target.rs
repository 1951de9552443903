//! The targets of places, and the table of the names that are not objects of the module.

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;

use crate::hash::Keyed;
use crate::module::ProviderConfigName;

/// The target that a place names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Target<'p> {
    /// The object of the module with this number
    /// ([`Module::objects`](crate::module::Module::objects)).
    Object(u32),
    /// A variable of the module that the call with this number calls.
    Argument {
        /// The number of the call.
        call: u32,
        /// The name of the variable.
        name: &'p str,
    },
    /// An output of the module that the call with this number calls.
    Output {
        /// The number of the call.
        call: u32,
        /// The name of the output.
        name: &'p str,
    },
    /// A provider configuration of the module that the call with this number calls.
    Passed {
        /// The number of the call.
        call: u32,
        /// The name in the called module.
        name: ProviderConfigName<'p>,
    },
    /// An object inside of another one: of the module that a call calls, as an address relative to
    /// that module (`aws_instance.web`, `module.inner`), or the data source of a check.
    Within {
        /// The number of the call, or of the check.
        object: u32,
        /// The address, without keys.
        address: &'p str,
    },
    /// A provider configuration that the module does not declare: it comes from the caller.
    Inherited(ProviderConfigName<'p>),
    /// An address that the module does not declare, or a reference that is invalid.
    Undeclared(&'p str),
    /// A function of a provider, `provider::NAME::FUNCTION`. The name of its places is that of the
    /// provider.
    Function(&'p str),
    /// An object that the language defines: `each.value`, `path.module`, `self`, or in a test an
    /// earlier run, `run.first`.
    BuiltIn(&'p str),
}

/// The kinds of [`Target`] that are not numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Kind {
    Argument,
    Output,
    Passed,
    Within,
    Inherited,
    Undeclared,
    Function,
    BuiltIn,
}

/// A target that is not an object of the module.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Row {
    kind: Kind,
    object: u32,
    text: Box<str>,
    alias: Option<Box<str>>,
}

/// A target as its parts: the kind, the number, the text and the alias.
type Parts<'p> = (Kind, u32, &'p str, Option<&'p str>);

impl Row {
    fn parts(&self) -> Parts<'_> {
        (self.kind, self.object, &self.text, self.alias.as_deref())
    }

    fn target(&self) -> Target<'_> {
        let provider = || ProviderConfigName::new(&self.text, self.alias.as_deref());
        match self.kind {
            Kind::Argument => Target::Argument { call: self.object, name: &self.text },
            Kind::Output => Target::Output { call: self.object, name: &self.text },
            Kind::Passed => Target::Passed { call: self.object, name: provider() },
            Kind::Within => Target::Within { object: self.object, address: &self.text },
            Kind::Inherited => Target::Inherited(provider()),
            Kind::Undeclared => Target::Undeclared(&self.text),
            Kind::Function => Target::Function(&self.text),
            Kind::BuiltIn => Target::BuiltIn(&self.text),
        }
    }
}

fn parts(target: Target<'_>) -> Result<Parts<'_>, u32> {
    Ok(match target {
        Target::Object(number) => return Err(number),
        Target::Argument { call, name } => (Kind::Argument, call, name, None),
        Target::Output { call, name } => (Kind::Output, call, name, None),
        Target::Passed { call, name } => (Kind::Passed, call, name.local_name, name.alias),
        Target::Within { object, address } => (Kind::Within, object, address, None),
        Target::Inherited(name) => (Kind::Inherited, 0, name.local_name, name.alias),
        Target::Undeclared(address) => (Kind::Undeclared, 0, address, None),
        Target::Function(name) => (Kind::Function, 0, name, None),
        Target::BuiltIn(name) => (Kind::BuiltIn, 0, name, None),
    })
}

/// The targets of a module. Each has a key: the number of an object, or a number after those of the
/// objects.
#[derive(Clone, Debug, Default)]
pub(super) struct Targets {
    objects: u32,
    rows: Vec<Row>,
    /// The places of the rows, by the hashes of their parts.
    table: HashTable<u32>,
}

impl Targets {
    /// The targets of a module with this number of objects.
    pub(super) fn new(objects: u32) -> Self {
        Self { objects, ..Self::default() }
    }

    /// The key of a target, which is added if it is new. `None` if there are too many.
    pub(super) fn key(&mut self, target: Target<'_>) -> Option<u32> {
        let of = match parts(target) {
            Ok(of) => of,
            Err(number) => return Some(number),
        };
        let hash = Keyed::default().hash_one(of);
        if let Some(&place) = self.table.find(hash, |&place| self.is(place, of)) {
            return Some(self.objects + place);
        }
        let place = u32::try_from(self.rows.len()).ok()?;
        // The last number stands for nothing.
        let key = self.objects.checked_add(place).filter(|key| *key != u32::MAX)?;
        let (kind, object, text, alias) = of;
        self.rows.push(Row { kind, object, text: text.into(), alias: alias.map(Into::into) });
        let rows = &self.rows;
        let rehash = |&place: &u32| Keyed::default().hash_one(rows[place as usize].parts());
        self.table.insert_unique(hash, place, rehash);
        Some(key)
    }

    /// The key of a target; `None` if no place names it.
    pub(super) fn find(&self, target: Target<'_>) -> Option<u32> {
        match parts(target) {
            Err(number) => (number < self.objects).then_some(number),
            Ok(of) => {
                let hash = Keyed::default().hash_one(of);
                let place = self.table.find(hash, |&place| self.is(place, of))?;
                Some(self.objects + place)
            }
        }
    }

    /// The target with a key.
    pub(super) fn target(&self, key: u32) -> Target<'_> {
        let row = key.checked_sub(self.objects).and_then(|place| self.rows.get(place as usize));
        row.map_or(Target::Object(key), Row::target)
    }

    /// All targets that are not objects of the module.
    pub(super) fn outside(&self) -> impl Iterator<Item = Target<'_>> {
        self.rows.iter().map(Row::target)
    }

    fn is(&self, place: u32, of: Parts<'_>) -> bool {
        self.rows.get(place as usize).is_some_and(|row| row.parts() == of)
    }
}
