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
    body: Body<'a>,
    /// None without overrides.
    further: Option<&'a Further<'a>>,
}

/// The bodies after the first one.
#[derive(Debug)]
struct Further<'a> {
    bodies: &'a [Body<'a>],
    /// The number of those that belong to the block itself.
    own: usize,
}

impl<'a> Config<'a> {
    pub(crate) fn new(body: Body<'a>) -> Self {
        Self { body, further: None }
    }

    /// The bodies: the block's own, then those of override files in order.
    #[must_use]
    pub fn bodies(self) -> impl ExactSizeIterator<Item = Body<'a>> + Clone + use<'a> {
        self.first(usize::MAX)
    }

    /// The first body, and at most this many after it.
    fn first(self, count: usize) -> impl ExactSizeIterator<Item = Body<'a>> + Clone + use<'a> {
        let further = self.further.map_or(&[][..], |further| further.bodies);
        let count = count.min(further.len());
        (0..1 + count).map(move |place| match place.checked_sub(1) {
            Some(place) => further[place],
            None => self.body,
        })
    }

    /// The bodies of the block itself, which are read as one: its own and, if there are overrides,
    /// that of its block `_`.
    pub fn own_bodies(self) -> impl ExactSizeIterator<Item = Body<'a>> + Clone + use<'a> {
        self.first(self.further.map_or(0, |further| further.own))
    }

    /// The bodies of override files, in order.
    #[must_use]
    pub fn overrides(self) -> &'a [Body<'a>] {
        let overrides = self.further.and_then(|further| further.bodies.get(further.own..));
        overrides.unwrap_or_default()
    }

    /// The properties that count, each as an attribute. Properties of overrides replace those of
    /// the same name. Cost: linear.
    pub fn properties(self) -> impl Iterator<Item = Attribute<'a>> + use<'a> {
        let mut last: HashMap<&'a str, usize> = HashMap::default();
        for (place, body) in self.bodies().enumerate().skip(1) {
            last.extend(body.properties().map(|property| (property.name(), place)));
        }
        let mut bodies = self.bodies().enumerate();
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
        let mut bodies: Vec<Body<'a>> = self.bodies().skip(1).collect();
        let mut own = self.further.map_or(0, |further| further.own);
        if let Some(escape) = escape.take() {
            bodies.push(escape.body());
            own = bodies.len();
        }
        for (config, escape) in overrides {
            bodies.extend(config.bodies());
            bodies.extend(escape.map(Block::body));
        }
        let bump = self.body.source().arena().bump();
        let bodies = bump.alloc_slice_copy(&bodies);
        self.further = Some(bump.alloc(Further { bodies, own }));
    }
}
