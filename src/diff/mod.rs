//! Differences between two configurations: which objects were added, removed, changed or moved, and
//! which of their values differ.
//!
//! [`Objects`] has everything that the files of one module declare, with overrides merged;
//! [`changes`] compares two of them. Differences without an effect are ignored: the order and
//! layout of files, blocks and members, white space, comments, escapes, the notation of numbers
//! (`1` or `1.0`), and the formatting of expressions.
//!
//! * An object keeps its identity by its address. A `moved` block of the new configuration links an
//!   object to its old address.
//! * The elements of a list are compared by position, since their order has a meaning.
//! * A test file and a file of variables are compared as separate files: the addresses of their
//!   objects start with the file's name without `.json` or `.hcl`, and a colon.
//! * Files of both syntaxes are compared by meaning: nested blocks of the language are the same as
//!   objects and arrays of JSON, and an argument is read as the tools read it in its syntax.
//!
//! ```
//! use simd_hcl::dialect::{Dialect, List};
//! use simd_hcl::diff::{Action, Objects, changes};
//!
//! let arena = simd_hcl::Arena::new();
//! let objects = |json: &'static [u8]| {
//!     let document = simd_hcl::Document::parse_bytes(&arena, "main.tf.json", json).unwrap();
//!     Objects::read(&arena, Dialect::OpenTofu, [(List::Primary, "main.tf.json", document)])
//! };
//! let old = objects(br#"{"locals": {"size": 3}, "variable": {"region": {}}}"#);
//! let new = objects(br#"{"variable": {"region": [{}]}, "locals": [{"size": 4}]}"#);
//! let changes = changes(&old, &new);
//! assert_eq!(changes.len(), 1);
//! assert_eq!((changes[0].address, changes[0].action), ("local.size", Action::Changed));
//! assert_eq!(changes[0].leaves[0].after.unwrap().text(), b"4");
//! ```

mod leaves;
mod objects;
mod shown;

use crate::diagnostic::Label;

pub use self::leaves::Leaf;
use self::objects::Object;
pub use self::objects::Objects;
pub use self::shown::ShownLeaf;

/// The kind of a change to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Action {
    /// Only the new configuration has it.
    Added,
    /// Only the old configuration has it.
    Removed,
    /// Both have it, with different values.
    Changed,
    /// A `moved` block gives it a new address. Values may differ, too.
    Moved,
}

impl Action {
    /// `"added"`, `"removed"`, `"changed"` or `"moved"`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
            Self::Moved => "moved",
        }
    }
}

/// A change to one object.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Change<'a> {
    /// The address in the new configuration; for a removed object, the old address.
    pub address: &'a str,
    /// The old address of a moved object.
    pub previous_address: Option<&'a str>,
    /// The kind of the change.
    pub action: Action,
    /// The values that differ, in the order of the new configuration, then the removed values. For
    /// an added or removed object, all of its values.
    pub leaves: Vec<Leaf<'a>>,
    /// The position in the old configuration.
    pub before: Option<Label<'a>>,
    /// The position in the new configuration.
    pub after: Option<Label<'a>>,
    /// Whether other files or modules may declare that its values are secret.
    rests_on_others: bool,
}

impl Change<'_> {
    /// Whether other files or modules decide which of its values must not be shown: see [`Objects::hide`].
    #[must_use]
    pub fn rests_on_others(&self) -> bool {
        self.rests_on_others && !self.leaves.is_empty()
    }
}

/// The changes between two states of a module, sorted by address.
///
/// Cost: linear in both configurations, apart from sorting. Blocks with equal bytes are not opened.
#[must_use]
pub fn changes<'a>(old: &Objects<'a>, new: &Objects<'a>) -> Vec<Change<'a>> {
    let mut changes = Vec::new();
    let mut moved = vec![false; old.list.len()];
    for object in &new.list {
        let (earlier, is_moved) = match old.get(object.key()) {
            Some(place) => (Some(place), false),
            None => {
                let from = new.moved_from(object.address);
                let place = from.and_then(|from| old.get((from, 0)));
                // An object did not move if its old address still exists.
                let place = place.filter(|_| from.is_some_and(|from| new.get((from, 0)).is_none()));
                (place, place.is_some())
            }
        };
        let earlier_object = earlier.map(|place| {
            moved[place] = true;
            &old.list[place]
        });
        let mut leaves = leaves::compare(new.arena, earlier_object, Some(object));
        hide(&mut leaves, [old, new], object);
        let action = match (earlier_object, is_moved) {
            (None, _) => Action::Added,
            (Some(_), true) => Action::Moved,
            (Some(_), false) if leaves.is_empty() => continue,
            (Some(_), false) => Action::Changed,
        };
        changes.push(Change {
            address: object.address,
            previous_address: earlier_object.filter(|_| is_moved).map(|object| object.address),
            action,
            leaves,
            before: earlier_object.map(|object| object.label),
            after: Some(object.label),
            rests_on_others: object.rests_on_others(),
        });
    }
    for (object, _) in old.list.iter().zip(moved).filter(|(_, is_matched)| !is_matched) {
        changes.push(Change {
            address: object.address,
            previous_address: None,
            action: Action::Removed,
            leaves: {
                let mut leaves = leaves::compare(new.arena, Some(object), None);
                hide(&mut leaves, [old, new], object);
                leaves
            },
            before: Some(object.label),
            after: None,
            rests_on_others: object.rests_on_others(),
        });
    }
    changes.sort_by_key(|change| change.address);
    changes
}

/// Notes which leaves must not be shown: a value that one of the configurations hides is hidden in
/// both.
fn hide<'a>(leaves: &mut [Leaf<'a>], states: [&Objects<'a>; 2], object: &Object<'a>) {
    let arena = states[1].arena;
    for leaf in leaves {
        let values = [leaf.before, leaf.after];
        leaf.hidden = states.iter().zip(values).find_map(|(state, value)| {
            state.hidden.path(object.list, (&object.head, leaf.path), value, arena)
        });
    }
}
