//! `fileset`: the files whose paths match a pattern.
//!
//! In a pattern, `*` matches any characters of a name, `?` one, `[a-z]` and `[^a-z]` one of a
//! class, `{a,b}` either of several patterns, `**` as a whole name any directories, and `\` escapes
//! the next character.

use std::collections::BTreeSet;

use super::call::{Call, Outcome, wrong};
use super::files::{FileError, FileKind, Files};
use super::paths;
use crate::value::{Quotation, Type, Value};

/// The number of patterns that braces may expand to.
const MOST_ALTERNATIVES: usize = 4096;

/// The number of names in the path of a file. Links can make directories that contain themselves.
const DEEPEST: usize = 256;

/// The steps that reading a directory, and looking at one of its entries, costs for each name of its path, and
/// the names that short paths count as.
const PER_DIRECTORY: u64 = 100;
const PER_ENTRY: u64 = 5;
const FEWEST_NAMES: usize = 4;

/// Returns the set of the files below a directory that match the second argument.
///
/// Cost: that of reading the directories that the pattern leads to, in steps of the budget.
pub(super) fn fileset<'a>(call: Call<'_, 'a>, files: &dyn Files, path: &str) -> Outcome<'a> {
    let pattern = call.value(1)?;
    if !pattern.is_known() {
        files.reads_unknown();
        return Ok(Value::unknown(Type::set_of(call.arena, Type::String)));
    }
    let base = paths::clean(path);
    // The directory is part of the pattern, so what is special in a pattern is special there.
    let whole = paths::join(&base, call.str(1)?);
    files.looks_for(&whole);
    let mut matches = BTreeSet::new();
    for alternative in alternatives(&whole).map_err(|message| wrong(1, message))? {
        let pattern = Pattern::new(&alternative).ok_or(wrong(1, INVALID))?;
        let mut search = Search { call, files, matches: &mut matches };
        search.run(&pattern)?;
    }
    let mut found = Vec::with_capacity(matches.len());
    call.room_for(matches.len())?;
    for path in &matches {
        let Some(seen) = paths::relative(&base, path) else {
            return Err(wrong(0, "the path of a match does not start with the directory"));
        };
        found.push(call.string(&seen)?);
    }
    Ok(call.set(Type::String, &found))
}

const INVALID: &str = "the pattern is invalid";

/// The files that a pattern of [`Files::looks_for`] matches, whether they exist or not.
#[cfg(feature = "model")]
#[derive(Clone, Debug)]
pub(crate) struct PathPattern {
    alternatives: Vec<Pattern>,
    /// How all paths start that match.
    start: String,
}

#[cfg(feature = "model")]
impl PathPattern {
    /// Reads a pattern; `None` if it is invalid, so that it matches nothing.
    pub(crate) fn new(text: &str) -> Option<Self> {
        let all = alternatives(text).ok()?;
        let all: Vec<Pattern> = all.iter().map(|one| Pattern::new(one)).collect::<Option<_>>()?;
        let starts: Vec<String> = all.iter().map(Pattern::start).collect();
        let start = starts.iter().skip(1).fold(starts.first()?.as_str(), |shared, other| {
            let equal = shared.char_indices().zip(other.chars());
            let end = equal.take_while(|((_, one), other)| one == other).last();
            end.map_or("", |((at, last), _)| &shared[..at + last.len_utf8()])
        });
        Some(Self { start: start.to_owned(), alternatives: all })
    }

    /// Whether it matches a clean path. Cost: linear in the start of the pattern for most paths; at most
    /// the product of the lengths, for each alternative of braces.
    pub(crate) fn matches(&self, path: &str) -> bool {
        if !path.starts_with(&self.start) {
            return false;
        }
        let names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
        self.alternatives.iter().any(|one| one.matches(path, &names))
    }

    /// Whether it matches the path of a file below a directory.
    pub(crate) fn reaches(&self, directory: &str) -> bool {
        let names: Vec<&str> = directory.split('/').filter(|name| !name.is_empty()).collect();
        let is_absolute = directory.starts_with('/');
        let mut all = self.alternatives.iter().filter(|it| it.is_absolute == is_absolute);
        all.any(|one| one.reaches(&names))
    }

    /// Returns a path as a pattern that matches only it.
    pub(crate) fn escaped(path: &str) -> String {
        let is_special = |c| matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | ',' | '\\');
        let mut pattern = String::with_capacity(path.len());
        for c in path.chars() {
            if is_special(c) {
                pattern.push('\\');
            }
            pattern.push(c);
        }
        pattern
    }

    /// Splits a pattern after the names without special characters: the path that they are, and the
    /// rest.
    pub(crate) fn split(pattern: &str) -> (&str, &str) {
        let special = pattern.find(['*', '?', '[', '{', '\\']).unwrap_or(pattern.len());
        let whole =
            if special == pattern.len() { Some(special) } else { pattern[..special].rfind('/') };
        match whole {
            Some(0) => ("/", &pattern[1..]),
            Some(end) => (&pattern[..end], pattern[end..].trim_start_matches('/')),
            None => ("", pattern),
        }
    }
}

/// Expands the braces of a pattern.
pub(crate) fn alternatives(pattern: &str) -> Result<Vec<String>, &'static str> {
    let mut done = Vec::new();
    let mut open = vec![pattern.to_owned()];
    while let Some(pattern) = open.pop() {
        match first_braces(&pattern).ok_or(INVALID)? {
            None => done.push(pattern),
            Some((start, commas, end)) => {
                let ends = commas.iter().copied().chain([end]);
                let starts = [start].into_iter().chain(commas.iter().copied());
                for (from, to) in starts.zip(ends) {
                    let one = [&pattern[..start], &pattern[from + 1..to], &pattern[end + 1..]];
                    open.push(one.concat());
                }
            }
        }
        if open.len() + done.len() > MOST_ALTERNATIVES {
            return Err("the braces of the pattern stand for too many patterns");
        }
    }
    Ok(done)
}

/// Where braces open, their commas, and where they close.
type Braces = (usize, Vec<usize>, usize);

/// Finds the first braces of a pattern. `None` if they do not close.
fn first_braces(pattern: &str) -> Option<Option<Braces>> {
    let mut depth = 0;
    let mut start = 0;
    let mut commas = Vec::new();
    let mut is_class = false;
    let mut bytes = pattern.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' => {
                bytes.next();
            }
            b'[' if !is_class => is_class = true,
            b']' => is_class = false,
            _ if is_class => {}
            b'{' => {
                if depth == 0 {
                    start = at;
                }
                depth += 1;
            }
            b',' if depth == 1 => commas.push(at),
            b'}' => {
                if depth == 0 {
                    return None;
                }
                depth -= 1;
                if depth == 0 {
                    return Some(Some((start, commas, at)));
                }
            }
            _ => {}
        }
    }
    (depth == 0).then_some(None)
}

/// A pattern without braces.
#[derive(Clone, Debug)]
struct Pattern {
    is_absolute: bool,
    names: Vec<Name>,
}

/// The pattern of one name in a path.
#[derive(Clone, Debug)]
enum Name {
    /// The name itself.
    Literal(String),
    /// Any number of directories.
    Directories,
    Glob(Vec<Part>),
}

#[derive(Clone, Debug)]
enum Part {
    Char(char),
    /// Any one character.
    Any,
    /// Any characters.
    Star,
    /// A character that is in one of the ranges, or in none of them.
    Class(Vec<(char, char)>, bool),
}

impl Pattern {
    fn new(text: &str) -> Option<Self> {
        let mut names = Vec::new();
        for name in text.split('/').filter(|name| !name.is_empty()) {
            names.push(Name::new(name)?);
        }
        Some(Self { is_absolute: text.starts_with('/'), names })
    }

    /// How all paths start that match: its first names, as far as they are literal.
    #[cfg(feature = "model")]
    fn start(&self) -> String {
        let literal = self.names.iter().map_while(|name| match name {
            Name::Literal(name) => Some(name.as_str()),
            Name::Directories | Name::Glob(_) => None,
        });
        let names: Vec<&str> = literal.filter(|name| *name != ".").collect();
        let slash = if self.is_absolute { "/" } else { "" };
        format!("{slash}{}", names.join("/"))
    }

    /// Whether it matches a longer path that starts with these names.
    #[cfg(feature = "model")]
    fn reaches(&self, names: &[&str]) -> bool {
        let is_any = |at: usize| matches!(self.names.get(at), Some(Name::Directories));
        // The names of the pattern that may be next.
        let mut open: BTreeSet<usize> = BTreeSet::from([0]);
        let mut read = names.iter();
        loop {
            let mut at = 0;
            while at < self.names.len() {
                if open.contains(&at) && is_any(at) {
                    open.insert(at + 1);
                }
                at += 1;
            }
            let Some(name) = read.next() else { break };
            let goes_on = |&at: &usize| match self.names.get(at) {
                Some(Name::Directories) => Some(at),
                Some(own) if own.matches(name) => Some(at + 1),
                _ => None,
            };
            open = open.iter().filter_map(goes_on).collect();
        }
        open.iter().any(|at| *at < self.names.len())
    }

    /// Whether it matches the names of a path.
    #[cfg(feature = "model")]
    fn matches(&self, path: &str, names: &[&str]) -> bool {
        if self.is_absolute != path.starts_with('/') {
            return false;
        }
        let own: Vec<&Name> = self
            .names
            .iter()
            .filter(|it| !matches!(it, Name::Literal(name) if name == "."))
            .collect();
        let (mut at, mut read) = (0, 0);
        // The name after the last `**`, and where it was tried last.
        let mut star: Option<(usize, usize)> = None;
        while read < names.len() {
            match own.get(at) {
                Some(Name::Directories) => {
                    at += 1;
                    star = Some((at, read));
                    continue;
                }
                Some(name) if name.matches(names[read]) => {
                    at += 1;
                    read += 1;
                    continue;
                }
                _ => {}
            }
            let Some((behind, tried)) = star else { return false };
            (at, read) = (behind, tried + 1);
            star = Some((behind, read));
        }
        own[at..].iter().all(|name| matches!(name, Name::Directories))
    }
}

impl Name {
    fn new(text: &str) -> Option<Self> {
        if text == "**" {
            return Some(Self::Directories);
        }
        let mut parts = Vec::new();
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            parts.push(match c {
                '*' => Part::Star,
                '?' => Part::Any,
                '\\' => Part::Char(chars.next()?),
                '[' => {
                    let is_negated = chars.next_if(|c| matches!(c, '^' | '!')).is_some();
                    let mut ranges = Vec::new();
                    loop {
                        let mut next = || match chars.next()? {
                            '\\' => chars.next(),
                            c => Some(c),
                        };
                        let first = next()?;
                        let last = if chars.peek() == Some(&'-') {
                            chars.next();
                            match chars.next()? {
                                ']' => return None,
                                '\\' => chars.next()?,
                                c => c,
                            }
                        } else {
                            first
                        };
                        ranges.push((first, last));
                        if chars.next_if_eq(&']').is_some() {
                            break;
                        }
                    }
                    Part::Class(ranges, is_negated)
                }
                c => Part::Char(c),
            });
        }
        let is_literal = parts.iter().all(|part| matches!(part, Part::Char(_)));
        Some(if is_literal {
            let chars = parts.iter().filter_map(|part| match part {
                Part::Char(c) => Some(*c),
                _ => None,
            });
            Self::Literal(chars.collect())
        } else {
            Self::Glob(parts)
        })
    }

    /// Whether it matches a name. Cost: at most the product of the lengths.
    fn matches(&self, name: &str) -> bool {
        let parts = match self {
            Self::Literal(literal) => return literal == name,
            Self::Directories => return true,
            Self::Glob(parts) => parts,
        };
        let chars: Vec<char> = name.chars().collect();
        let (mut at, mut read) = (0, 0);
        // The part after the last star, and where it was tried last.
        let mut star: Option<(usize, usize)> = None;
        while read < chars.len() {
            let is_match = match parts.get(at) {
                Some(Part::Star) => {
                    at += 1;
                    star = Some((at, read));
                    continue;
                }
                Some(Part::Any) => true,
                Some(Part::Char(c)) => *c == chars[read],
                Some(Part::Class(ranges, is_negated)) => {
                    let is_in =
                        ranges.iter().any(|(first, last)| (first..=last).contains(&&chars[read]));
                    is_in != *is_negated
                }
                None => false,
            };
            if is_match {
                at += 1;
                read += 1;
            } else {
                let Some((behind, tried)) = star else { return false };
                at = behind;
                read = tried + 1;
                star = Some((behind, read));
            }
        }
        parts[at..].iter().all(|part| matches!(part, Part::Star))
    }
}

struct Search<'s, 'c, 'a> {
    call: Call<'c, 'a>,
    files: &'s dyn Files,
    matches: &'s mut BTreeSet<String>,
}

impl<'a> Search<'_, '_, 'a> {
    /// Adds the files that match a pattern.
    fn run(&mut self, pattern: &Pattern) -> Outcome<'a, ()> {
        let names = &pattern.names;
        let start = if pattern.is_absolute { "/" } else { "." };
        // Directories, and the number of names of the pattern that lead there.
        let mut open = vec![(start.to_owned(), 0)];
        while let Some((directory, mut at)) = open.pop() {
            // Names without wildcards need no list of the directory.
            let mut path = directory;
            while let Some(Name::Literal(name)) = names.get(at) {
                path = paths::join(&path, name);
                at += 1;
            }
            if at == names.len() {
                self.call.meter.spend(PER_DIRECTORY * names_of(&path))?;
                if let Ok(FileKind::File) = self.present(self.files.kind(&path), &path)? {
                    self.matches.insert(path);
                }
                continue;
            }
            if path.split('/').count() > DEEPEST {
                return Err(wrong(1, "the directories nest too deep"));
            }
            let steps = names_of(&path);
            self.call.meter.spend(PER_DIRECTORY * steps)?;
            let entries = match self.files.entries(&path) {
                Ok(entries) => entries,
                Err(FileError::Missing | FileError::Links | FileError::Kind(_)) => continue,
                Err(error) => return Err(self.error(&path, &error)),
            };
            self.call.meter.spend(PER_ENTRY * steps * entries.len() as u64)?;
            let is_any = matches!(names[at], Name::Directories);
            let mut behind = at + 1;
            while is_any && matches!(names.get(behind), Some(Name::Directories)) {
                behind += 1;
            }
            let is_last = behind == names.len();
            if is_any && !is_last {
                // No directory at all.
                open.push((path.clone(), behind));
            }
            for entry in entries {
                if !names[at].matches(&entry.name) {
                    continue;
                }
                let inner = paths::join(&path, &entry.name);
                match self.present(entry.kind, &inner)? {
                    Ok(FileKind::File) if is_last => {
                        self.call.meter.parts(1)?;
                        self.call.meter.text(inner.len())?;
                        self.matches.insert(inner);
                    }
                    Ok(FileKind::Directory) if is_any => open.push((inner, at)),
                    Ok(FileKind::Directory) if !is_last => open.push((inner, behind)),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Returns the kind of an entry that exists; other errors than its absence end the call. As in the tools, links
    /// that lead in circles lead nowhere.
    fn present(
        &self,
        kind: Result<FileKind, FileError>,
        path: &str,
    ) -> Outcome<'a, Result<FileKind, ()>> {
        match kind {
            Ok(kind) => Ok(Ok(kind)),
            Err(FileError::Missing | FileError::Links) => Ok(Err(())),
            Err(error) => Err(self.error(path, &error)),
        }
    }

    fn error(&self, path: &str, error: &FileError) -> crate::evaluate::FunctionError<'a> {
        self.call.failed("{} {}", &[Quotation::Text(path), Quotation::Plain(error)])
    }
}

/// The names of a path, which are looked up one by one; of short paths a few more.
fn names_of(path: &str) -> u64 {
    path.split('/').count().max(FEWEST_NAMES) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_patterns() {
        for (pattern, name, is_match) in [
            ("*", "", true),
            ("*", ".hidden", true),
            ("*.tf", "a.tf", true),
            ("*.tf", "a.tf.json", false),
            ("a*b*c", "axxbxxbc", true),
            ("a*b*c", "axxc", false),
            ("?", "é", true),
            ("?", "ab", false),
            ("[a-c]x", "bx", true),
            ("[^a-c]x", "bx", false),
            ("[!a-c]x", "dx", true),
            ("[\\]]", "]", true),
            ("\\*", "*", true),
            ("\\*", "a", false),
            ("a**b", "axb", true),
        ] {
            let found = Name::new(pattern).unwrap();
            assert_eq!(found.matches(name), is_match, "{pattern} {name}");
        }
        for invalid in ["[", "[a", "[]", "a\\", "[a-]"] {
            assert!(Name::new(invalid).is_none(), "{invalid}");
        }
    }

    #[cfg(feature = "model")]
    #[test]
    fn paths_match_patterns() {
        for (pattern, path, expected) in [
            ("a/*.json", "a/x.json", true),
            ("a/*.json", "a/b/x.json", false),
            ("a/**/*.json", "a/b/c/x.json", true),
            ("a/**/*.json", "a/x.json", true),
            ("a/**", "a/b/c", true),
            ("**", "x", true),
            ("./a/{x,y}.txt", "a/y.txt", true),
            ("../a/*", "../a/x", true),
            ("../a/*", "a/x", false),
            ("/a/*", "/a/x", true),
            ("a/**/b/**/c", "a/b/x/b/c", true),
            ("a/**/b/**/c", "a/b/x/c/d", false),
            ("{a/x,ab/x}/*", "ab/x/y", true),
            ("{a,b}/*", "b/y", true),
            ("a/{é1,é2}/*", "a/é2/y", true),
        ] {
            let read = PathPattern::new(pattern).unwrap();
            assert_eq!(read.matches(path), expected, "{pattern} {path}");
        }
        assert!(PathPattern::new("a/{b").is_none());
        for path in ["/live/b{c", "/a,b/[x]", "/a*/?", "/a\\b", "/é}"] {
            let pattern = format!("{}/*.json", PathPattern::escaped(path));
            let read = PathPattern::new(&pattern).unwrap();
            assert!(read.matches(&format!("{path}/x.json")), "{pattern}");
            assert!(!read.matches("/live/bc/x.json") && !read.matches("/ab/x.json"), "{pattern}");
        }
    }

    #[cfg(feature = "model")]
    #[test]
    fn patterns_reach_below_directories() {
        for (pattern, directory, expected) in [
            ("/a/b/*.json", "/a", true),
            ("/a/b/*.json", "/a/b", true),
            ("/a/b/*.json", "/a/b/x.json", false),
            ("/a/b/*.json", "/a/c", false),
            ("/a/**", "/a/b/c", true),
            ("/a/**/x", "/a/b/c", true),
            ("/a/*/{x,y}/z", "/a/q/y", true),
            ("/a/*/{x,y}/z", "/a/q/w", false),
            ("a/*", "/a", false),
        ] {
            let read = PathPattern::new(pattern).unwrap();
            assert_eq!(read.reaches(directory), expected, "{pattern} {directory}");
        }
    }

    #[cfg(feature = "model")]
    #[test]
    fn patterns_start_with_names() {
        for (pattern, path, rest) in [
            ("a/b/*.x", "a/b", "*.x"),
            ("a/b*/c", "a", "b*/c"),
            ("/a/{b,c}", "/a", "{b,c}"),
            ("/*", "/", "*"),
            ("*", "", "*"),
            ("a/b", "a/b", ""),
        ] {
            assert_eq!(PathPattern::split(pattern), (path, rest), "{pattern}");
        }
    }

    #[test]
    fn braces_are_alternatives() {
        let sorted = |pattern| {
            let mut all = alternatives(pattern).unwrap();
            all.sort();
            all
        };
        assert_eq!(sorted("a"), ["a"]);
        assert_eq!(sorted("a{b,c}d"), ["abd", "acd"]);
        assert_eq!(sorted("{a,b{c,d}}"), ["a", "bc", "bd"]);
        assert_eq!(sorted("{a,}"), ["", "a"]);
        assert_eq!(sorted("[{]\\{"), ["[{]\\{"]);
        assert!(alternatives("{a").is_err() && alternatives("a}").is_err());
        assert!(alternatives(&"{a,b}".repeat(20)).is_err());
    }
}
