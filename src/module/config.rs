//! The body that a provider, backend or provisioner reads, and that the module leaves unread.

use crate::body::{Attribute, Block, Body};
use crate::hash::HashMap;

/// The body of a block without the arguments that the tool itself reads, and the bodies that
/// override it.
///
/// The last body that sets an attribute wins. Blocks of a type come from the last body that has
/// some.
#[derive(Clone, Copy, Debug)]
pub struct Config<'a> {
    /// Without overrides there is only the first.
    bodies: &'a [Body<'a>],
    /// The number of bodies that belong to the block itself.
    own: usize,
}

impl<'a> Config<'a> {
    pub(crate) fn new(body: Body<'a>) -> Self {
        Self { bodies: std::slice::from_ref(body.source().arena().bump().alloc(body)), own: 1 }
    }

    /// The bodies: the block's own, then those of override files in order.
    #[must_use]
    pub fn bodies(self) -> &'a [Body<'a>] {
        self.bodies
    }

    /// The bodies of the block itself, which are read as one: its own and, if there are overrides,
    /// that of its block `_`.
    #[must_use]
    pub fn own_bodies(self) -> &'a [Body<'a>] {
        self.bodies.get(..self.own).unwrap_or(self.bodies)
    }

    /// The bodies of override files, in order.
    #[must_use]
    pub fn overrides(self) -> &'a [Body<'a>] {
        self.bodies.get(self.own..).unwrap_or_default()
    }

    /// The properties that count, each as an attribute. Properties of overrides replace those of
    /// the same name. Cost: linear.
    pub fn properties(self) -> impl Iterator<Item = Attribute<'a>> + use<'a> {
        let mut last: HashMap<&'a str, usize> = HashMap::default();
        for (place, body) in self.bodies.iter().enumerate().skip(1) {
            last.extend(body.properties().map(|property| (property.name(), place)));
        }
        let mut bodies = self.bodies.iter().enumerate();
        let mut open = None;
        std::iter::from_fn(move || {
            loop {
                if let Some((place, properties)) = &mut open {
                    let counts = |property: &Attribute<'a>| {
                        last.is_empty()
                            || last.get(property.name()).is_none_or(|last| last <= place)
                    };
                    if let Some(property) = Iterator::find(properties, counts) {
                        return Some(property);
                    }
                }
                let (place, body) = bodies.next()?;
                open = Some((place, body.properties()));
            }
        })
    }

    /// Adds the bodies of overrides, including those of their `_` blocks. Of all bodies together
    /// the last one that sets something wins, so the `_` block is no longer separate.
    ///
    /// Cost: linear in the bodies, so pass all overrides of a block at once.
    pub(crate) fn merge_all(
        &mut self,
        escape: &mut Option<Block<'a>>,
        overrides: impl IntoIterator<Item = (Self, Option<Block<'a>>)>,
    ) {
        let mut overrides = overrides.into_iter().peekable();
        if overrides.peek().is_none() {
            return;
        }
        let mut bodies = self.bodies.to_vec();
        if let Some(own) = escape.take() {
            bodies.push(own.body());
            self.own = bodies.len();
        }
        for (config, escape) in overrides {
            let Self { bodies: new, own: _ } = config;
            bodies.extend_from_slice(new);
            bodies.extend(escape.map(Block::body));
        }
        if let Some(body) = bodies.first() {
            self.bodies = body.source().arena().bump().alloc_slice_copy(&bodies);
        }
    }
}
