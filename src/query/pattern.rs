//! Path patterns: their grammar, and the steps of a path that they match.

use std::fmt;

use crate::glob::{is_glob, matches};

/// A path pattern, such as `resource.aws_instance.*.ami`.
///
/// See [the module](super) for the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    /// A name.
    Name(Box<str>),
    /// A name with `*` or `?` in it.
    Glob(Box<str>),
    /// `*`: any name.
    AnyName,
    /// `**`: any number of names and elements, including none.
    Deep,
    /// `[2]`: an element.
    Element(usize),
    /// `[*]`: any element.
    AnyElement,
}

/// The error of a text that is not a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternError {
    /// The offset of the error in the text, in bytes.
    pub offset: usize,
    message: &'static str,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid pattern at byte {}: {}", self.offset, self.message)
    }
}

impl std::error::Error for PatternError {}

/// The prefixes of a pattern that a path has matched: bit `n` for its first `n` steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Progress(u64);

impl Progress {
    /// Whether no longer path can match.
    pub(super) fn is_dead(self) -> bool {
        self.0 == 0
    }

    /// Returns the prefixes that either has matched.
    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn contains(self, at: usize) -> bool {
        self.0 >> at & 1 == 1
    }

    fn positions(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let at = rest.trailing_zeros() as usize;
            rest &= rest.wrapping_sub(1);
            (at < u64::BITS as usize).then_some(at)
        })
    }
}

impl Pattern {
    /// The maximum number of steps in a pattern.
    pub const MAX_STEPS: usize = 63;

    /// Parses a pattern.
    ///
    /// # Errors
    ///
    /// The first syntax error.
    ///
    /// ```
    /// use simd_hcl::query::Pattern;
    ///
    /// assert!(Pattern::parse("resource.aws_*.*.tags[\"Name\"]").is_ok());
    /// assert_eq!(Pattern::parse("resource..ami").unwrap_err().offset, 9);
    /// ```
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        Parser { text, at: 0 }.parse()
    }

    /// The name of the first step, if it is a single name: the requested block type.
    #[must_use]
    pub fn first_name(&self) -> Option<&str> {
        match self.steps.first()? {
            Step::Name(name) => Some(name),
            _ => None,
        }
    }

    /// The pattern of the container of a member, and the name of the member, if the last step is a
    /// name, so that the member can be added. `None` if there is no step before it, or if that is
    /// `**`.
    #[must_use]
    pub fn split_member(&self) -> Option<(Self, &str)> {
        let (last, before) = self.steps.split_last()?;
        let Step::Name(name) = last else { return None };
        let is_plain = before.last().is_some_and(|step| *step != Step::Deep);
        is_plain.then(|| (Self { steps: before.to_vec() }, &**name))
    }

    /// The pattern of the elements of the values that this one selects.
    #[must_use]
    pub fn elements(&self) -> Self {
        let mut steps = self.steps.clone();
        steps.push(Step::AnyElement);
        Self { steps }
    }

    /// Returns the progress of an empty path.
    pub(super) fn start(&self) -> Progress {
        self.closed(1)
    }

    /// Whether a path with this progress matches the whole pattern.
    pub(super) fn accepts(&self, progress: Progress) -> bool {
        progress.contains(self.steps.len())
    }

    /// Returns the progress after one more member.
    pub(super) fn member(&self, progress: Progress, name: &str) -> Progress {
        let mut next = 0;
        // Comments are only selected by patterns that name them.
        let is_comment = name == "//";
        for at in progress.positions() {
            next |= match self.steps.get(at) {
                Some(Step::Name(known)) if **known == *name => 1 << (at + 1),
                Some(Step::Glob(glob)) if !is_comment && matches(glob, name) => 1 << (at + 1),
                Some(Step::AnyName) if !is_comment => 1 << (at + 1),
                Some(Step::Deep) if !is_comment => 1 << at,
                _ => 0,
            };
        }
        self.closed(next)
    }

    /// Returns the progress after an element. A step with a name passes through an array to its
    /// elements.
    pub(super) fn element(&self, progress: Progress, index: usize) -> Progress {
        let mut next = 0;
        for at in progress.positions() {
            next |= match self.steps.get(at) {
                Some(Step::Element(known)) if *known == index => 1 << (at + 1),
                Some(Step::AnyElement) => 1 << (at + 1),
                Some(Step::Deep | Step::Name(_) | Step::Glob(_) | Step::AnyName) => 1 << at,
                _ => 0,
            };
        }
        self.closed(next)
    }

    /// Returns the progress after a label that the pattern may leave out: before a step with a name.
    pub(super) fn label(&self, progress: Progress) -> Progress {
        let is_name = |at: &usize| matches!(self.steps.get(*at), Some(Step::Name(_)));
        Progress(progress.positions().filter(is_name).fold(0, |bits, at| bits | 1 << at))
    }

    /// Adds the prefixes that end with a `**` that matches nothing.
    fn closed(&self, mut bits: u64) -> Progress {
        for (at, step) in self.steps.iter().enumerate() {
            if *step == Step::Deep && bits >> at & 1 == 1 {
                bits |= 1 << (at + 1);
            }
        }
        Progress(bits)
    }

    /// Whether a longer path may match, so that the content must be searched.
    pub(super) fn goes_on(&self, progress: Progress) -> bool {
        progress.0 & !(1 << self.steps.len()) != 0
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

impl Parser<'_> {
    fn parse(mut self) -> Result<Pattern, PatternError> {
        let mut steps = Vec::new();
        loop {
            if !self.rest().starts_with('[') {
                steps.push(self.name()?);
            }
            while self.rest().starts_with('[') {
                steps.push(self.bracket()?);
            }
            if steps.len() > Pattern::MAX_STEPS {
                return self.error("a pattern has at most 63 steps");
            }
            match self.rest().chars().next() {
                None => break,
                Some('.') => self.at += 1,
                Some(_) => return self.error("expected `.` or `[`"),
            }
        }
        // Consecutive `**` steps match the same paths as one.
        steps.dedup_by(|later, earlier| *later == Step::Deep && *earlier == Step::Deep);
        Ok(Pattern { steps })
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn error<T>(&self, message: &'static str) -> Result<T, PatternError> {
        Err(PatternError { offset: self.at, message })
    }

    /// Parses `name`, `*`, `**`, `aws_*` or `"a.b"`.
    fn name(&mut self) -> Result<Step, PatternError> {
        if self.rest().starts_with('"') {
            return Ok(Step::Name(self.quoted()?));
        }
        let ends = |sign: char| matches!(sign, '.' | '[' | ']' | '"') || sign.is_whitespace();
        // A dot after a backslash is a part of the name.
        let mut before = ' ';
        let len = self.rest().find(|sign| {
            let is_end = ends(sign) && !(sign == '.' && before == '\\');
            before = sign;
            is_end
        });
        let len = len.unwrap_or(self.rest().len());
        let name = &*self.rest()[..len].replace("\\.", ".");
        let step = match name {
            "" => return self.error("expected a name, `*`, `**` or a quoted name"),
            "*" => Step::AnyName,
            "**" => Step::Deep,
            _ if name.contains("**") => return self.error("`**` must be a step of its own"),
            _ if is_glob(name) => Step::Glob(name.into()),
            _ => Step::Name(name.into()),
        };
        self.at += len;
        Ok(step)
    }

    /// Parses `[2]`, `[*]` or `["a.b"]`.
    fn bracket(&mut self) -> Result<Step, PatternError> {
        self.at += 1;
        let step = if self.rest().starts_with('"') {
            Step::Name(self.quoted()?)
        } else if self.rest().starts_with('*') {
            self.at += 1;
            Step::AnyElement
        } else {
            let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
            let Ok(index) = self.rest()[..digits].parse() else {
                return self.error("expected the number of an element, `*` or a quoted name");
            };
            self.at += digits;
            Step::Element(index)
        };
        if !self.rest().starts_with(']') {
            return self.error("expected `]`");
        }
        self.at += 1;
        Ok(step)
    }

    /// Parses a name in double quotes, in which `\"` and `\\` are escapes.
    fn quoted(&mut self) -> Result<Box<str>, PatternError> {
        let mut name = String::new();
        let mut characters = self.rest().char_indices().skip(1);
        while let Some((place, sign)) = characters.next() {
            match sign {
                '"' => {
                    self.at += place + 1;
                    return Ok(name.into());
                }
                '\\' => match characters.next() {
                    Some((_, escaped @ ('"' | '\\'))) => name.push(escaped),
                    _ => {
                        self.at += place;
                        return self.error("only `\\\"` and `\\\\` are escapes");
                    }
                },
                _ => name.push(sign),
            }
        }
        self.error("this quote is not closed")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Step {
        Step::Name(text.into())
    }

    #[test]
    fn parses_every_kind_of_step() {
        let pattern =
            Pattern::parse(r#"resource.aws_*.*.**.tags["a.b"].x[0][*]."c \"d\"""#).unwrap();
        let expected = vec![
            name("resource"),
            Step::Glob("aws_*".into()),
            Step::AnyName,
            Step::Deep,
            name("tags"),
            name("a.b"),
            name("x"),
            Step::Element(0),
            Step::AnyElement,
            name("c \"d\""),
        ];
        assert_eq!(pattern.steps, expected);
        let escaped = Pattern::parse(r"resource.a\.b.c").unwrap();
        assert_eq!(escaped.steps, [name("resource"), name("a.b"), name("c")]);
        assert_eq!(Pattern::parse("**.**.a").unwrap().steps, [Step::Deep, name("a")]);
        assert_eq!(Pattern::parse("*.a").unwrap().first_name(), None);
        assert_eq!(pattern.first_name(), Some("resource"));
    }

    #[test]
    fn points_at_what_is_wrong() {
        for (text, offset) in [
            ("", 0),
            ("a.", 2),
            ("a..b", 2),
            (".a", 0),
            ("a b", 1),
            ("a[", 2),
            ("a[x]", 2),
            ("a[1", 3),
            ("a[99999999999999999999999]", 2),
            ("a[0]b", 4),
            ("a***b", 0),
            ("\"a", 0),
            ("\"a\\n\"", 2),
            ("é]", 2),
        ] {
            assert_eq!(Pattern::parse(text).unwrap_err().offset, offset, "{text}");
        }
        let long = |steps: usize| vec!["a"; steps].join(".");
        assert!(Pattern::parse(&long(Pattern::MAX_STEPS)).is_ok());
        assert!(Pattern::parse(&long(Pattern::MAX_STEPS + 1)).is_err());
    }
}
