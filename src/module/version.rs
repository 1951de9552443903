//! Version constraints: `~> 1.2, != 1.2.5`.
//!
//! A text is a list of [`VersionConstraint`]s, and a version must meet all of them. The grammar is
//! that of the tools, which is wider than Semantic Versioning: any number of segments, a `v` before
//! them, and prerelease identifiers with or without a dash.

use std::cmp::Ordering;
use std::iter::repeat;

use smallvec::SmallVec;

use super::read;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::expression::{Expression, Literal};

/// One constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionConstraint<'a> {
    /// The comparison.
    pub operator: VersionOperator,
    /// The version to compare with.
    pub version: Version<'a>,
}

/// How versions are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum VersionOperator {
    /// `=`, or nothing.
    Equal,
    /// `!=`
    NotEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `~>`: only the last segment that is written may be greater.
    Pessimistic,
}

/// A version as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version<'a> {
    /// The numbers between dots; at least one.
    pub segments: SmallVec<[i64; 3]>,
    /// The prerelease identifiers, without the dash before them; may be empty.
    pub prerelease: &'a str,
    /// The build metadata, without the plus sign before them; may be empty.
    pub metadata: &'a str,
}

impl<'a> VersionConstraint<'a> {
    /// Reads constraints separated by commas. Returns `None` if one of them is invalid.
    ///
    /// ```
    /// use simd_hcl::module::VersionConstraint;
    ///
    /// let constraints = VersionConstraint::parse_all("~> 1.2, != 1.2.5").unwrap();
    /// let admits = |release| constraints.iter().all(|it| it.admits(release));
    /// assert!(admits([1, 9, 0]) && !admits([1, 2, 5]) && !admits([2, 0, 0]));
    /// ```
    #[must_use]
    pub fn parse_all(text: &'a str) -> Option<SmallVec<[Self; 2]>> {
        text.split(',').map(Self::parse).collect()
    }

    /// Reads one constraint, with optional whitespace around it and after its operator. Returns
    /// `None` if it is invalid.
    #[must_use]
    pub fn parse(text: &'a str) -> Option<Self> {
        use VersionOperator::{
            Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual, Pessimistic,
        };
        let text = text.trim_matches(is_space);
        let operators = [
            ("~>", Pessimistic),
            (">=", GreaterOrEqual),
            ("<=", LessOrEqual),
            ("!=", NotEqual),
            (">", Greater),
            ("<", Less),
            ("=", Equal),
            ("", Equal),
        ];
        let (operator, rest) = operators
            .into_iter()
            .find_map(|(sign, operator)| Some((operator, text.strip_prefix(sign)?)))?;
        let version = Version::parse(rest.trim_start_matches(is_space))?;
        Some(Self { operator, version })
    }

    /// The number of releases 1.x that [`admitted`](Self::admitted) looks at.
    pub(crate) const RELEASES: u8 = 100;

    /// The releases 1.x that meet all constraints: a bit for each.
    pub(crate) fn admitted(constraints: &[Self]) -> u128 {
        let patches = constraints.iter().filter_map(|it| it.version.segments.get(2).copied());
        let mut patches: Vec<i64> =
            patches.flat_map(|patch| [patch, patch.saturating_add(1)]).collect();
        patches.extend([0, i64::from(Self::RELEASES)]);
        let is_admitted = |minor: &u8| {
            let mut all = patches.iter().map(|patch| [1, i64::from(*minor), *patch]);
            all.any(|release| constraints.iter().all(|constraint| constraint.admits(release)))
        };
        // Beyond the minor versions that the constraints name, all releases are alike.
        let named = constraints.iter().filter_map(|it| it.version.segments.get(1).copied());
        let last = named.max().unwrap_or(0).saturating_add(1);
        let last = u8::try_from(last).unwrap_or(Self::RELEASES).min(Self::RELEASES - 1);
        let rest = if is_admitted(&last) { (1 << Self::RELEASES) - (1 << last) } else { 0 };
        (0..last).filter(is_admitted).fold(rest, |all, minor| all | 1 << minor)
    }

    /// Whether a release, which has no prerelease identifiers, meets the constraint.
    #[must_use]
    pub fn admits(&self, release: [i64; 3]) -> bool {
        let written = self.version.segments.as_slice();
        let segments =
            release.iter().copied().chain(repeat(0)).zip(written.iter().copied().chain(repeat(0)));
        let mut segments = segments.take(written.len().max(release.len()));
        let differs =
            segments.find_map(|(ours, theirs)| Some(ours.cmp(&theirs)).filter(|it| it.is_ne()));
        let is_release = self.version.prerelease.is_empty();
        // A release comes after its prereleases.
        let ordering =
            differs.unwrap_or(if is_release { Ordering::Equal } else { Ordering::Greater });
        match self.operator {
            VersionOperator::Equal => ordering.is_eq(),
            VersionOperator::NotEqual => ordering.is_ne(),
            VersionOperator::Greater => ordering.is_gt(),
            VersionOperator::GreaterOrEqual => ordering.is_ge(),
            VersionOperator::Less => ordering.is_lt(),
            VersionOperator::LessOrEqual => ordering.is_le(),
            VersionOperator::Pessimistic => {
                let fixed = written.len().saturating_sub(1);
                is_release
                    && ordering.is_ge()
                    && written.len() <= release.len()
                    && written[..fixed] == release[..fixed]
            }
        }
    }
}

impl<'a> Version<'a> {
    /// Reads a version. Returns `None` if it is invalid, or if a segment does not fit into 64 bits.
    #[must_use]
    pub fn parse(text: &'a str) -> Option<Self> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let is_number = |c: char| c == '.' || c.is_ascii_digit();
        let end = text.find(|c| !is_number(c)).unwrap_or(text.len());
        let (numbers, rest) = text.split_at(end);
        let segments = numbers.split('.').map(|segment| segment.parse().ok());
        let segments = segments.collect::<Option<SmallVec<[i64; 3]>>>()?;
        let (prerelease, metadata) = match rest.split_once('+') {
            Some((prerelease, metadata)) if is_identifiers(metadata) => (prerelease, metadata),
            Some(_) => return None,
            None => (rest, ""),
        };
        if !prerelease.is_empty() && !is_identifiers(prerelease) {
            return None;
        }
        // The text after the numbers does not start with a digit, so it starts with a dash, a tilde
        // or a letter.
        let prerelease = match prerelease.strip_prefix('-') {
            Some(rest) if is_identifiers(rest) => rest,
            _ => prerelease,
        };
        Some(Self { segments, prerelease, metadata })
    }
}

/// Reads a version constraint literally. Numbers count as texts, with all their digits; null is not
/// a constraint.
pub(crate) fn constraint<'a>(value: Expression<'a>, sink: &mut dyn Sink<'a>) -> Option<&'a str> {
    let text = match value.literal() {
        Literal::Null => return None,
        Literal::Text(text) | Literal::Template(text) => Some(text),
        Literal::Number(_) | Literal::Expression => read::string(value, &mut ()),
        _ => None,
    };
    let text = text.filter(|text| VersionConstraint::parse_all(text).is_some());
    if text.is_none() && !value.is_invalid() {
        sink.report(Diagnostic::new(Code::VersionConstraint, value.start_label()));
    }
    text
}

/// Whether a text consists of letters, digits, dashes and tildes, with single dots between them.
fn is_identifiers(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'~');
    text.split('.').all(|part| !part.is_empty() && part.bytes().all(is_part))
}

/// Whether a character is whitespace around constraints.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\x0C' | '\r')
}

#[cfg(test)]
mod tests {
    use super::{Version, VersionConstraint, VersionOperator};

    #[test]
    fn constraints() {
        for text in [
            "1",
            "1.2.3.4.5",
            " >= 1.0 , < 2 ",
            "~>1.0",
            "!=v1.0",
            "=1.0-beta.1+x.y",
            "1.0beta",
            "1.0-",
            "1.0~x",
            "1.0-1-2.x",
            "\t<=\n1",
            "01.002",
            "9223372036854775807",
        ] {
            assert!(VersionConstraint::parse_all(text).is_some(), "{text:?}");
        }
        for text in [
            "",
            " ",
            "x",
            "1.",
            ".1",
            "1..2",
            "1.x",
            "1.0,",
            ",1.0",
            ">= 1.0 < 2",
            "=> 1",
            "== 1",
            "> = 1",
            "^1.0",
            "1.0+",
            "1.0-a..b",
            "1.0-a+",
            "1.0+a+b",
            "1.0 beta",
            "9223372036854775808",
            "-1",
            "１",
            "${x}",
            "*",
        ] {
            assert!(VersionConstraint::parse_all(text).is_none(), "{text:?}");
        }
    }

    #[test]
    fn releases() {
        let admits = |text| VersionConstraint::parse(text).unwrap().admits([1, 11, 0]);
        for text in
            ["1.11", "1.11.0.0", "!= 1.11.1", "> 1.10", ">= 1.11", "< 2", "<= 1.11", "> 1.11-rc1"]
        {
            assert!(admits(text), "{text}");
        }
        for text in ["~> 1", "~> 1.2", "~> 1.11.0"] {
            assert!(admits(text), "{text}");
        }
        for text in
            ["1.12", "!= 1.11", "> 1.11.0", ">= 1.11.0.1", "< 1.11", "<= 1.10.9", "1.11-rc1"]
        {
            assert!(!admits(text), "{text}");
        }
        for text in ["~> 1.12", "~> 1.10.0", "~> 2.0", "~> 1.11-rc1", "~> 1.11.0.0"] {
            assert!(!admits(text), "{text}");
        }
    }

    /// A release is admitted if one of its patches is.
    #[test]
    fn admitted_releases_are_those_with_an_admitted_patch() {
        for text in [
            ">= 1.5",
            "< 1.7",
            "~> 1.3",
            "~> 1.3.4",
            "1.9.200",
            "= 1",
            "!= 1.2.0",
            "> 1.98.1",
            ">= 1.99",
            ">= 1.200",
            "< 1.200",
            "~> 2.0",
            ">= 0.12",
            "<= 1.0",
            ">= 1.3, < 1.6.2",
            "> 1.4.0, < 1.4.2",
            ">= 1, != 1.7, < 3",
            "~> 1.0, >= 1.10",
        ] {
            let all = VersionConstraint::parse_all(text).unwrap();
            let admitted = VersionConstraint::admitted(&all);
            for minor in 0..VersionConstraint::RELEASES {
                let mut patches = 0..=201;
                let release = |patch| [1, i64::from(minor), patch];
                let is_admitted =
                    patches.any(|patch| all.iter().all(|it| it.admits(release(patch))));
                assert_eq!(admitted & 1 << minor != 0, is_admitted, "{text}: 1.{minor}");
            }
            assert_eq!(admitted >> VersionConstraint::RELEASES, 0, "{text}");
        }
    }

    #[test]
    fn parts() {
        let read = VersionConstraint::parse(" ~> v1.2.0-rc.1+build ").unwrap();
        assert_eq!(read.operator, VersionOperator::Pessimistic);
        assert_eq!(read.version.segments.as_slice(), [1, 2, 0]);
        assert_eq!((read.version.prerelease, read.version.metadata), ("rc.1", "build"));
        assert_eq!(Version::parse("1.0beta").unwrap().prerelease, "beta");
        assert_eq!(Version::parse("1.0-").unwrap().prerelease, "-");
    }
}
