//! Paths of attributes, printed as the tools write references: `tags["a.b"]`,
//! `ingress[0].from_port`.

use std::fmt;

use crate::json::{JsonString, Node};
use crate::reference::write_name;

/// One step into a value.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// The member of an object: an attribute or a key of a map, which the documents do not
    /// distinguish.
    Name(JsonString<'a>),
    /// The element of an array, from 0.
    Index(u32),
}

/// Steps, to be displayed.
#[derive(Clone, Copy, Debug)]
pub struct Path<'p, 'a> {
    address: &'p str,
    steps: &'p [Step<'a>],
    longest: usize,
}

impl<'p, 'a> Path<'p, 'a> {
    /// Displays all steps.
    #[must_use]
    pub fn new(steps: &'p [Step<'a>]) -> Self {
        Self { address: "", steps, longest: usize::MAX }
    }

    /// Displays at most 32 steps, so that messages about deep documents stay short.
    pub(crate) fn abridged(steps: &'p [Step<'a>]) -> Self {
        Self { address: "", steps, longest: 32 }
    }

    /// The path after an address, as a reference: `aws_instance.web.tags`.
    #[must_use]
    pub fn below(mut self, address: &'p str) -> Self {
        self.address = address;
        self
    }

    /// The steps.
    #[must_use]
    pub fn steps(self) -> &'p [Step<'a>] {
        self.steps
    }
}

impl Path<'_, '_> {
    /// The path of steps in a document, as a reference. It ends at a step that is neither a name
    /// nor an index.
    #[must_use]
    pub fn text_of<'n>(steps: impl IntoIterator<Item = Node<'n>>) -> String {
        let mut text = String::new();
        for (place, step) in steps.into_iter().enumerate() {
            // Writing into memory does not fail.
            let _ = match (step.as_number(), step.to_str()) {
                (Some(number), _) => {
                    fmt::Write::write_fmt(&mut text, format_args!("[{}]", number.text()))
                }
                (None, Some(name)) => write_name(&mut text, name, place == 0),
                (None, None) => break,
            };
        }
        text
    }
}

impl fmt::Display for Path<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.address)?;
        let is_alone = self.address.is_empty();
        for (place, step) in self.steps.iter().take(self.longest).enumerate() {
            match step {
                Step::Index(index) => write!(f, "[{index}]")?,
                Step::Name(name) => write_name(f, name.to_str(), is_alone && place == 0)?,
            }
        }
        if self.steps.len() > self.longest { f.write_str("…") } else { Ok(()) }
    }
}
