//! Which root modules have to be evaluated to learn whether they read a changed file.
//!
//! A path ends with the name of the changed file or of a directory around it. This end is written
//! somewhere: as a string, as the last part of a string with interpolations, as a key. So a root
//! module without such an end in its files, and without functions that make texts of other texts,
//! need not be evaluated. The bytes of the files are searched once; nothing is parsed.
//!
//! Whatever is not understood counts as an end.

use std::path::{Path, PathBuf};

use memchr::{memchr_iter, memchr3_iter, memmem};

use crate::hash::HashSet;
use crate::tree::TreeModule;

/// Names by their last byte, each with the paths that it ends. The empty name is at 0.
type Names = Vec<Vec<(String, Vec<PathBuf>)>>;

/// The changed files and the directories around them.
#[derive(Debug)]
pub(super) struct Targets {
    paths: HashSet<PathBuf>,
    /// The names at the ends of the paths.
    names: Names,
    /// Names whose digits at the end a number may make, without these.
    stems: Names,
}

/// What the files of a module have to do with the targets.
#[derive(Clone, Debug, Default)]
pub(super) struct Ends {
    /// It calls a function whose result may end otherwise than its arguments.
    makes_texts: bool,
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
        let (mut names, mut stems) = (vec![Vec::new(); 256], vec![Vec::new(); 256]);
        for path in sorted {
            let Some(name) = path.file_name() else { continue };
            let name = name.to_string_lossy();
            let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
            add(&mut names, &name, path);
            if stem.len() < name.len() {
                add(&mut stems, stem, path);
            }
        }
        Self { paths, names, stems }
    }

    /// Whether a path is a changed file or a directory around one.
    pub(super) fn have(&self, path: &Path) -> bool {
        self.paths.contains(path)
    }
}

fn add(names: &mut Names, name: &str, path: &Path) {
    // Only a number may be the whole name.
    let last = name.as_bytes().last().copied().unwrap_or_default();
    let all = &mut names[usize::from(last)];
    match all.iter_mut().find(|(known, _)| known == name) {
        Some((_, paths)) => paths.push(path.to_owned()),
        None => all.push((name.to_owned(), vec![path.to_owned()])),
    }
}

impl Ends {
    /// Cost: one pass over the bytes of the files.
    pub(super) fn of(module: &TreeModule<'_>, targets: &Targets, boundary: &Path) -> Self {
        let mut ends = Self::default();
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
            ends.makes_texts |= makes_texts(bytes);
            ends.add_texts(bytes, targets);
        }
        ends.leads_up |= ups > in_sources;
        ends
    }

    /// Adds the targets that texts may end.
    fn add_texts(&mut self, bytes: &[u8], targets: &Targets) {
        for at in memchr3_iter(b'"', b'=', b':', bytes) {
            match bytes[at] {
                b'"' => {
                    // A quote in a string of JSON has a backslash.
                    let mut text = &bytes[..at];
                    text = text.strip_suffix(b"\\").unwrap_or(text);
                    let whole = text;
                    while let Some(less) = text.strip_suffix(b"/").or(text.strip_suffix(b"/.")) {
                        text = less;
                    }
                    self.has_dot |= text.ends_with(b"\".")
                        || (text.len() < whole.len() && text.ends_with(b"."));
                    self.add(text, &targets.names, is_start);
                }
                // A key without quotes.
                _ => {
                    let text = bytes[..at].trim_ascii_end();
                    self.add(text, &targets.names, |byte| is_start(byte) || !is_name(byte));
                }
            }
        }
        // A text before an interpolation that may be empty, or a number.
        for at in memmem::find_iter(bytes, b"${").chain(memmem::find_iter(bytes, b"%{")) {
            self.add(&bytes[..at], &targets.names, is_start);
            self.add(&bytes[..at], &targets.stems, is_start);
        }
    }

    fn add(&mut self, text: &[u8], names: &Names, is_start: impl Fn(u8) -> bool) {
        let mut all: &[(String, Vec<PathBuf>)] = &[];
        if let Some(last) = text.last() {
            all = &names[usize::from(*last)];
        }
        // The name may be made of a number alone.
        for (name, paths) in all.iter().chain(&names[0]) {
            let name = name.as_bytes();
            let same = name.iter().rev().zip(text.iter().rev()).take_while(|(a, b)| a == b).count();
            // What is before the common end is where the text, or a name in it, starts.
            let before = text.len().checked_sub(same + 1).map(|at| text[at]);
            if before.is_none_or(&is_start) {
                self.targets.extend(paths.iter().cloned());
            }
        }
    }
}

/// Whether a root module in a directory, with these modules, may read a target. `directories` are
/// those of the modules.
pub(super) fn may_read(root: &Path, modules: &[(&Ends, Option<&Path>)], targets: &Targets) -> bool {
    let any = |test: &dyn Fn(&Ends) -> bool| modules.iter().any(|(ends, _)| test(ends));
    let has_path = any(&|ends| ends.has_path);
    let has_targets = any(&|ends| !ends.targets.is_empty());
    let is_around = |directory: Option<&Path>| directory.is_some_and(|it| targets.have(it));
    any(&|ends| ends.makes_texts || ends.leads_up)
        || has_path && (has_targets || modules.iter().any(|(_, directory)| is_around(*directory)))
        || any(&|ends| ends.has_dot) && targets.have(root)
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

/// Whether a function is called whose result may end otherwise than its arguments, or a value is used
/// that no file has.
fn makes_texts(bytes: &[u8]) -> bool {
    let calls = memchr_iter(b'(', bytes).any(|at| {
        let text = bytes[..at].trim_ascii_end();
        let length = text.iter().rev().take_while(|byte| is_name(**byte)).count();
        let name = &text[text.len() - length..];
        let is_provider = text[..text.len() - length].ends_with(b"::");
        let is_function =
            !name.is_empty() && name.iter().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        is_provider || is_function && !keeps_ends(name) && crate::module::is_function(name)
    });
    calls
        || memmem::find(bytes, b".workspace").is_some()
        // An escape of a character that names have.
        || memmem::find_iter(bytes, b"\\u00").any(|at| matches!(bytes.get(at + 4), Some(b'2'..=b'7')))
            && memmem::find_iter(bytes, b"\\u00").any(|at| !is_html(&bytes[at + 4..]))
}

/// Whether an escape is of `<`, `>` or `&`, which encoders for HTML write.
fn is_html(digits: &[u8]) -> bool {
    matches!(digits.get(..2), Some(b"3c" | b"3C" | b"3e" | b"3E" | b"26"))
}

/// Whether a text that the function returns ends as one of its arguments does, or is no path: a number,
/// a hash, JSON.
fn keeps_ends(name: &[u8]) -> bool {
    matches!(
        name,
        b"abs"
            | b"abspath"
            | b"alltrue"
            | b"anytrue"
            | b"base64encode"
            | b"base64gzip"
            | b"base64sha256"
            | b"base64sha512"
            | b"bcrypt"
            | b"can"
            | b"ceil"
            | b"cidrhost"
            | b"cidrnetmask"
            | b"cidrsubnet"
            | b"cidrsubnets"
            | b"coalesce"
            | b"coalescelist"
            | b"compact"
            | b"concat"
            | b"contains"
            | b"distinct"
            | b"element"
            | b"endswith"
            | b"flatten"
            | b"floor"
            | b"index"
            | b"join"
            | b"jsonencode"
            | b"keys"
            | b"length"
            | b"log"
            | b"lookup"
            | b"matchkeys"
            | b"max"
            | b"md5"
            | b"merge"
            | b"min"
            | b"nonsensitive"
            | b"one"
            | b"parseint"
            | b"pow"
            | b"range"
            | b"reverse"
            | b"sensitive"
            | b"setintersection"
            | b"setproduct"
            | b"setsubtract"
            | b"setunion"
            | b"sha1"
            | b"sha256"
            | b"sha512"
            | b"signum"
            | b"slice"
            | b"sort"
            | b"startswith"
            | b"strcontains"
            | b"sum"
            | b"timeadd"
            | b"timecmp"
            | b"timestamp"
            | b"plantimestamp"
            | b"tobool"
            | b"tolist"
            | b"tomap"
            | b"tonumber"
            | b"toset"
            | b"tostring"
            | b"transpose"
            | b"try"
            | b"type"
            | b"uuid"
            | b"values"
            | b"zipmap"
    )
}
