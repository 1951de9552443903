//! Finds the root modules that must be evaluated to learn whether they read a changed file.
//!
//! A path ends with the name of the changed file or of a directory around it. This end is written
//! somewhere: as a string, as the last part of a string with interpolations, as a key. So a root
//! module without such an end in its files need not be evaluated. The bytes of the files are searched
//! once; nothing is parsed.
//!
//! A function such as `format` or `lower` can return other ends, but its result leads out of the
//! module's directory only if the source has `..`, `path` or an absolute path. The content of a
//! file or of an encoded text may be any path.
//!
//! An expression that is not understood counts as any path.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use memchr::{memchr_iter, memchr3_iter, memmem};

use crate::command_line;
use crate::evaluate::{ResultEnds, known_function};
use crate::hash::HashSet;
use crate::source::Source;
use crate::tree::{TreeModule, clean_path};

/// Names of changed files, each with the paths that it ends, for a search by the ends of names.
#[derive(Debug, Default)]
struct Names {
    /// Sorted by their bytes from the last to the first.
    sorted: Vec<(Vec<u8>, Vec<PathBuf>)>,
    longest: usize,
    lasts: LastBytes,
    /// Whether a name has a byte after which another name may start.
    has_starts: bool,
}

/// The bytes at the ends of names. Nearly all texts of a file end otherwise, so that two bits decide
/// about them.
#[derive(Debug, Default)]
struct LastBytes {
    /// For each byte, whether a name ends with it.
    one: Vec<bool>,
    /// For each pair of bytes, the last one first, whether a name ends with it.
    two: Vec<bool>,
}

impl LastBytes {
    /// `names` are reversed.
    fn of<'n>(names: impl Iterator<Item = &'n Vec<u8>>) -> Self {
        let mut all = Self { one: vec![false; 1 << 8], two: vec![false; 1 << 16] };
        for name in names {
            if let Some(last) = name.first() {
                all.one[usize::from(*last)] = true;
            }
            if let [last, before, ..] = name[..] {
                all.two[pair(last, before)] = true;
            }
        }
        all
    }
}

fn pair(last: u8, before: u8) -> usize {
    usize::from(last) << 8 | usize::from(before)
}

/// Parts of the names of arguments that are command lines.
const COMMANDS: [&[u8]; 5] = [b"command", b"cmd", b"program", b"arguments", b"args"];

/// The ranges of names that texts end as.
type Found = BTreeSet<(usize, usize)>;

impl Names {
    fn of<'p>(names: impl Iterator<Item = (String, &'p PathBuf)>) -> Self {
        let mut all: BTreeMap<Vec<u8>, Vec<PathBuf>> = BTreeMap::new();
        for (name, path) in names {
            all.entry(name.bytes().rev().collect()).or_default().push(path.clone());
        }
        let longest = all.keys().map(Vec::len).max().unwrap_or_default();
        let lasts = LastBytes::of(all.keys());
        let has_starts = all.keys().flatten().any(|byte| is_start(*byte));
        Self { sorted: all.into_iter().collect(), longest, lasts, has_starts }
    }

    fn has(&self, name: &str) -> bool {
        let reversed: Vec<u8> = name.bytes().rev().collect();
        self.sorted.binary_search_by(|(known, _)| known.cmp(&reversed)).is_ok()
    }

    /// The names that end as the last name of a text, as a range of `sorted`; the empty name if the text
    /// ends where a name starts.
    ///
    /// Cost: a constant, if no name ends with the text's last two bytes; otherwise at most the
    /// length of the longest name, for each step of a binary search.
    fn ending(&self, text: &[u8], is_start: impl Fn(u8) -> bool) -> Option<(usize, usize)> {
        match *text {
            [.., before, last] if !is_start(last) && !is_start(before) => {
                if !self.lasts.two[pair(last, before)] {
                    return None;
                }
            }
            [.., last] if !is_start(last) => {
                if !self.lasts.one[usize::from(last)] {
                    return None;
                }
            }
            // The empty name is the first.
            _ => return self.sorted.first().is_some_and(|it| it.0.is_empty()).then_some((0, 1)),
        }
        let of_name = |byte: &u8| !is_start(*byte);
        let length = text.iter().rev().take(self.longest + 1).take_while(|it| of_name(it)).count();
        if length > self.longest {
            return None;
        }
        let last = || text[text.len() - length..].iter().rev();
        let start = self.sorted.partition_point(|(known, _)| known.iter().lt(last()));
        let same = |known: &[u8]| known.len() >= length && known.iter().take(length).eq(last());
        let found = self.sorted[start..].partition_point(|(known, _)| same(known));
        (found > 0).then_some((start, start + found))
    }
}

/// The changed files and the directories around them.
#[derive(Debug)]
pub(super) struct Targets {
    paths: HashSet<PathBuf>,
    /// The names at the ends of the paths.
    names: Names,
    /// Names whose digits at the end a number may make, without these.
    stems: Names,
}

/// The ends of the texts in the files of a module, as far as targets have them.
#[derive(Clone, Debug, Default)]
pub(super) struct Ends {
    /// It calls a function whose result may be any path.
    makes_paths: bool,
    /// It has a text that may end with any name: the result of a function, the name of the workspace.
    makes_ends: bool,
    /// It has `..` elsewhere than in the source of a module, or the absolute path of the boundary.
    leads_up: bool,
    /// It uses `path`.
    has_path: bool,
    /// It has a string that ends with `.` as a name.
    has_dot: bool,
    /// The targets that a text in it may end.
    targets: HashSet<PathBuf>,
}

impl Targets {
    /// The changed files, and the directories around them as far as the boundary.
    pub(super) fn of<'f>(files: impl Iterator<Item = &'f PathBuf>, boundary: &Path) -> Self {
        let mut paths = HashSet::default();
        for file in files {
            for path in file.ancestors() {
                if !path.as_os_str().is_empty() && !paths.insert(path.to_owned()) {
                    break;
                }
                if path == boundary {
                    break;
                }
            }
        }
        let mut sorted: Vec<&PathBuf> = paths.iter().collect();
        sorted.sort();
        let named =
            |path: &'_ PathBuf| path.file_name().map(|it| it.to_string_lossy().into_owned());
        let all = || sorted.iter().filter_map(|path| Some((named(path)?, *path)));
        let names = Names::of(all());
        let stems = Names::of(all().filter_map(|(name, path)| {
            let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
            // Only a number may be the whole name.
            (stem.len() < name.len()).then(|| (stem.to_owned(), path))
        }));
        Self { paths, names, stems }
    }

    /// Whether a path is a changed file or a directory around one.
    pub(super) fn have(&self, path: &Path) -> bool {
        self.paths.contains(path)
    }

    /// Whether a changed file, or a directory around one, has this name.
    pub(super) fn have_name(&self, name: &str) -> bool {
        self.names.has(name)
    }
}

impl Ends {
    /// Cost: one pass over the bytes of the files.
    pub(super) fn of(module: &TreeModule<'_>, targets: &Targets, boundary: &Path) -> Self {
        let mut ends = Self { makes_ends: targets.names.has_starts, ..Self::default() };
        let sources = module.module.calls.iter().filter_map(|call| call.source);
        let in_sources: usize =
            sources.map(|source| count(source.expression().text(), b"..")).sum();
        let boundary = boundary.to_string_lossy();
        let mut ups = 0;
        for source in &module.sources {
            let bytes = source.bytes();
            ups += count(bytes, b"..");
            ends.has_path |= memmem::find(bytes, b"path").is_some_and(|_| has_path(bytes));
            ends.leads_up |=
                boundary.len() > 1 && memmem::find(bytes, boundary.as_bytes()).is_some();
            ends.add_calls(bytes);
            ends.add_texts(bytes, targets);
            if COMMANDS.iter().any(|name| memmem::find(bytes, name).is_some()) {
                ends.add_words(bytes, targets);
            }
        }
        ends.leads_up |= ups > in_sources;
        ends
    }

    /// The targets that texts in some files may end.
    pub(super) fn targets_in<'a>(
        sources: impl Iterator<Item = Source<'a>>,
        targets: &Targets,
    ) -> HashSet<PathBuf> {
        let mut ends = Self::default();
        for source in sources {
            ends.add_texts(source.bytes(), targets);
            ends.add_words(source.bytes(), targets);
        }
        ends.targets
    }

    /// Returns the ends of values that a module is given, as quoted texts.
    pub(super) fn of_values(texts: &str, targets: &Targets, boundary: &Path) -> Self {
        let mut ends = Self::default();
        let (bytes, boundary) = (texts.as_bytes(), boundary.to_string_lossy());
        ends.add_texts(bytes, targets);
        // Such a value leads out of the directory, with its own end or one that the module adds.
        ends.has_path = texts.split('"').any(|text| match text.strip_prefix('/') {
            Some(_) => {
                let path = clean_path(Path::new(text));
                let path = path.to_string_lossy();
                targets.paths.iter().any(|target| target.to_string_lossy().starts_with(&*path))
            }
            None => text.contains("..") || boundary.len() > 1 && text.contains(&*boundary),
        });
        ends
    }

    /// Adds what functions and the workspace make.
    fn add_calls(&mut self, bytes: &[u8]) {
        for at in memchr_iter(b'(', bytes) {
            let text = bytes[..at].trim_ascii_end();
            let length = text.iter().rev().take_while(|byte| is_name(**byte)).count();
            let (before, name) = text.split_at(text.len() - length);
            if before.ends_with(b"::") {
                self.makes_paths = true;
            } else if let Some(function) = str::from_utf8(name).ok().and_then(known_function) {
                match function.ends() {
                    ResultEnds::Same => {}
                    ResultEnds::Other => self.makes_ends = true,
                    ResultEnds::AnyPath => self.makes_paths = true,
                }
            }
        }
        self.makes_ends |= memmem::find(bytes, b".workspace").is_some();
        // An escape of a character that names have.
        let escapes = || memmem::find_iter(bytes, b"\\u00").map(|at| &bytes[at + 4..]);
        self.makes_paths |= escapes().any(|digits| matches!(digits.first(), Some(b'2'..=b'7')))
            && escapes().any(|digits| !is_html(digits));
    }

    /// Adds the targets that words of commands may end.
    fn add_words(&mut self, bytes: &[u8], targets: &Targets) {
        let is_end =
            |byte: &u8| command_line::is_between(*byte) || matches!(byte, b'/' | b'@' | b'\\');
        let mut names = Found::new();
        for word in bytes.split(is_end).filter(|word| !word.is_empty()) {
            names.extend(targets.names.ending(word, |_| false));
        }
        for (start, end) in names {
            let paths = targets.names.sorted[start..end].iter().flat_map(|(_, paths)| paths);
            self.targets.extend(paths.cloned());
        }
    }

    /// Adds the targets that texts may end.
    fn add_texts(&mut self, bytes: &[u8], targets: &Targets) {
        let (mut names, mut stems) = (Found::new(), Found::new());
        for at in memchr3_iter(b'"', b'=', b':', bytes) {
            match bytes[at] {
                b'"' => {
                    // A quote in a string of JSON has a backslash.
                    let whole = match bytes[..at] {
                        [.., b'\\'] => &bytes[..at - 1],
                        _ => &bytes[..at],
                    };
                    let mut text = whole;
                    while let [less @ .., b'/'] | [less @ .., b'/', b'.'] = text {
                        text = less;
                    }
                    self.has_dot |= match text {
                        [.., b'"', b'.'] => true,
                        [.., b'.'] => text.len() < whole.len(),
                        _ => false,
                    };
                    names.extend(targets.names.ending(text, is_start));
                }
                // A key without quotes.
                _ => {
                    let text = bytes[..at].trim_ascii_end();
                    let is_start = |byte| is_start(byte) || !is_name(byte);
                    names.extend(targets.names.ending(text, is_start));
                }
            }
        }
        // A text before an interpolation that may be empty, or a number.
        for at in memmem::find_iter(bytes, b"${").chain(memmem::find_iter(bytes, b"%{")) {
            names.extend(targets.names.ending(&bytes[..at], is_start));
            stems.extend(targets.stems.ending(&bytes[..at], is_start));
        }
        for (of, found) in [(&targets.names, names), (&targets.stems, stems)] {
            for (start, end) in found {
                let paths = of.sorted[start..end].iter().flat_map(|(_, paths)| paths);
                self.targets.extend(paths.cloned());
            }
        }
    }
}

/// Whether a root module in a directory, with these modules, may read a target. `directories` are
/// those of the modules.
pub(super) fn may_read(root: &Path, modules: &[(&Ends, Option<&Path>)], targets: &Targets) -> bool {
    let any = |test: &dyn Fn(&Ends) -> bool| modules.iter().any(|(ends, _)| test(ends));
    let has_path = any(&|ends| ends.has_path);
    let has_targets = any(&|ends| ends.makes_ends || !ends.targets.is_empty());
    let is_around = |directory: Option<&Path>| directory.is_some_and(|it| targets.have(it));
    any(&|ends| ends.makes_paths || ends.leads_up)
        || has_path && (has_targets || modules.iter().any(|(_, directory)| is_around(*directory)))
        || any(&|ends| ends.has_dot || ends.makes_ends) && targets.have(root)
        || any(&|ends| ends.targets.iter().any(|path| path.starts_with(root) && path != root))
}

/// Whether a part of a text starts after this byte.
fn is_start(byte: u8) -> bool {
    matches!(byte, b'"' | b'}' | b'/' | b'\\')
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') || byte >= 0x80
}

fn count(bytes: &[u8], part: &[u8]) -> usize {
    memmem::find_iter(bytes, part).count()
}

/// Whether there is a traversal of `path`.
fn has_path(bytes: &[u8]) -> bool {
    memmem::find_iter(bytes, b"path").any(|at| {
        let before = at.checked_sub(1).map(|at| bytes[at]);
        let after = bytes[at + 4..].trim_ascii_start().first();
        before.is_none_or(|byte| !is_name(byte) && byte != b'.')
            && matches!(after, Some(b'.' | b'['))
    })
}

/// Whether an escape is of `<`, `>` or `&`, which encoders for HTML write.
fn is_html(digits: &[u8]) -> bool {
    matches!(digits.get(..2), Some(b"3c" | b"3C" | b"3e" | b"3E" | b"26"))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{Names, is_start};
    use crate::evaluate::{KnownFunction, ResultEnds, known_function};

    /// The search finds what a comparison with each name finds.
    #[test]
    fn names_that_texts_end() {
        let path = PathBuf::from("x");
        let known = ["", "a", "ba", "main.tf", "n.tf", "f", "é", "b/a", "\"", "tf"];
        let names = Names::of(known.iter().map(|name| ((*name).to_owned(), &path)));
        let texts =
            ["", "a", "\"a", "xa", "/ba", "cba", "}main.tf", "main.tf", "tf", "\"tf\"", "x/é", "©"];
        for text in texts.iter().flat_map(|text| [(*text).to_owned(), format!("{text}f")]) {
            let last = text.rsplit(|c: char| c.is_ascii() && is_start(c as u8)).next().unwrap();
            let expected: Vec<&[u8]> = match last.is_empty() {
                true => vec![b""],
                false => known
                    .iter()
                    .filter(|name| name.ends_with(last))
                    .map(|name| name.as_bytes())
                    .collect(),
            };
            let found = names.ending(text.as_bytes(), is_start);
            let found = found.map_or(&[][..], |(start, end)| &names.sorted[start..end]);
            let forward = |name: &Vec<u8>| name.iter().rev().copied().collect::<Vec<u8>>();
            let mut found: Vec<Vec<u8>> = found.iter().map(|(name, _)| forward(name)).collect();
            found.sort();
            let mut expected: Vec<Vec<u8>> = expected.into_iter().map(<[u8]>::to_vec).collect();
            expected.sort();
            assert_eq!(found, expected, "{text}");
        }
    }

    /// Modules that declare types need not be evaluated for them.
    #[test]
    fn types_are_not_paths() {
        for name in ["list", "map", "set", "object", "tuple", "optional"] {
            let ends = known_function(name).map(KnownFunction::ends);
            assert!(matches!(ends, None | Some(ResultEnds::Same)), "{name}");
        }
        assert_eq!(known_function("file").map(KnownFunction::ends), Some(ResultEnds::AnyPath));
    }
}
