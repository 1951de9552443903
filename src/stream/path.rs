//! Paths that select records.

use std::fmt;

/// A path that selects values of a stream: names of members, `*` for all members, `[*]` for all
/// elements, and `**` for any number of members and elements. Steps between `(` and `)*` occur any
/// number of times.
///
/// ```
/// use simd_hcl::stream::Path;
///
/// assert!(Path::parse("resource_changes[*]").is_ok());
/// assert!(Path::parse("resource.*.*").is_ok());
/// assert!(Path::parse("planned_values.**.resources[*]").is_ok());
/// assert!(Path::parse("values.root_module(.child_modules[*])*.resources[*]").is_ok());
/// assert!(Path::parse("[*][\"a.b\"]").is_ok());
/// assert!(Path::parse("resource..web").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    steps: Vec<Step>,
}

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Name(String),
    Member,
    Element,
    /// A member or an element.
    Child,
    Any,
    /// A member with another name.
    Except(Vec<String>),
    /// The start of steps that are repeated, and the number of their end.
    Open(usize),
    /// The end of steps that are repeated, and the number of their start.
    Close(usize),
}

/// The error of a text that is not a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathError(&'static str);

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for PathError {}

/// The longest path, in steps: the states of one are a word.
const LONGEST: usize = 30;

impl Path {
    /// Parses a path. An empty one selects whole documents.
    ///
    /// # Errors
    /// The text is not a path, or has more than 30 steps.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        let mut steps = Vec::new();
        let mut rest = text;
        let mut open = None;
        while !rest.is_empty() {
            if let Some(inner) = rest.strip_prefix('(') {
                if open.replace(steps.len()).is_some() {
                    return Err(PathError("repeated steps cannot be inside of others"));
                }
                steps.push(Step::Open(0));
                rest = inner.strip_prefix('.').unwrap_or(inner);
                continue;
            }
            if let Some(inner) = rest.strip_prefix(")*") {
                let start = open.take().ok_or(PathError("`)*` has no `(`"))?;
                let end = steps.len();
                if let Some(Step::Open(to)) = steps.get_mut(start) {
                    *to = end;
                }
                steps.push(Step::Close(start));
                rest = inner.strip_prefix('.').unwrap_or(inner);
                continue;
            }
            if let Some(inner) = rest.strip_prefix("[*]") {
                steps.push(Step::Element);
                rest = inner;
            } else if let Some(inner) = rest.strip_prefix("[\"") {
                let end =
                    inner.find("\"]").ok_or(PathError("a name in brackets must end with \"]"))?;
                steps.push(Step::Name(inner[..end].to_owned()));
                rest = &inner[end + 2..];
            } else {
                let end = rest.find(['.', '[', '(', ')']).unwrap_or(rest.len());
                steps.push(match &rest[..end] {
                    "" => return Err(PathError("a name is missing")),
                    "*" => Step::Member,
                    "**" => Step::Any,
                    name => Step::Name(name.to_owned()),
                });
                rest = &rest[end..];
            }
            if let Some(next) = rest.strip_prefix('.') {
                if next.is_empty() || next.starts_with('[') {
                    return Err(PathError("a name is missing after a dot"));
                }
                rest = next;
            }
        }
        if open.is_some() {
            return Err(PathError("`(` has no `)*`"));
        }
        if steps.len() > LONGEST {
            return Err(PathError("a path has at most 30 steps"));
        }
        Ok(Self { steps })
    }

    /// The members of the root that have none of these names. The root may be in arrays.
    pub(crate) fn of_others(names: Vec<String>) -> Self {
        let (open, close) = (Step::Open(2), Step::Close(0));
        Self { steps: vec![open, Step::Element, close, Step::Except(names)] }
    }

    /// The path that also selects members where it selects elements of a member of this name.
    pub(crate) fn or_members_of(mut self, wanted: &str) -> Self {
        for place in 1..self.steps.len() {
            let is_wanted = matches!(&self.steps[place - 1], Step::Name(name) if name == wanted);
            if is_wanted && self.steps[place] == Step::Element {
                self.steps[place] = Step::Child;
            }
        }
        self
    }

    /// The number of containers around the values that it selects; `None` if there may be any
    /// number.
    pub(super) fn depth(&self) -> Option<u32> {
        let is_one = |step: &Step| !matches!(step, Step::Any | Step::Open(_) | Step::Close(_));
        self.steps.iter().all(is_one).then_some(self.steps.len() as u32)
    }

    /// The states before the first step.
    pub(super) fn start(&self) -> States {
        self.with_skips(1)
    }

    /// The states after a member with this name, or after an element.
    pub(super) fn next(&self, states: States, name: Option<&str>) -> States {
        let mut next = 0;
        for (number, step) in self.steps.iter().enumerate() {
            if states.0 >> number & 1 == 0 {
                continue;
            }
            let (fits, stays) = match step {
                Step::Name(wanted) => (name == Some(wanted), false),
                Step::Member => (name.is_some(), false),
                Step::Element => (name.is_none(), false),
                Step::Child => (true, false),
                Step::Any => (false, true),
                Step::Except(names) => {
                    (name.is_some_and(|name| names.iter().all(|one| one != name)), false)
                }
                Step::Open(_) | Step::Close(_) => (false, false),
            };
            next |= u32::from(fits) << (number + 1) | u32::from(stays) << number;
        }
        self.with_skips(next)
    }

    /// Whether the value in these states is selected.
    pub(super) fn selects(&self, states: States) -> bool {
        states.0 >> self.steps.len() & 1 == 1
    }

    /// Adds the states after steps that may match nothing, and at the start of repeated ones.
    fn with_skips(&self, mut states: u32) -> States {
        // The second time for what follows the start of repeated steps.
        for _ in 0..2 {
            for (number, step) in self.steps.iter().enumerate() {
                if states >> number & 1 == 0 {
                    continue;
                }
                states |= match step {
                    Step::Any => 1 << (number + 1),
                    Step::Open(end) => 1 << (number + 1) | 1 << (end + 1),
                    Step::Close(start) => 1 << (number + 1) | 1 << (start + 1),
                    _ => 0,
                };
            }
        }
        States(states)
    }
}

/// The numbers of steps that come next, as bits. With none, nothing below is selected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct States(u32);

impl States {
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }
}
