//! Installed modules: `.terraform/modules/modules.json`, which the tools write into the directory
//! of a root module.
//!
//! The file lists the directories of the modules that the module calls, directly or indirectly.
//! Without the file, nothing is installed.
//!
//! An entry has a key, the names of the calls that lead from the root to it (`network.vpc`; empty
//! for the root itself), and a directory, relative to the root. Keys and directories together give
//! the target of a call of a *directory*: the call `vpc` of the directory with the key `network`.
//! So the file can be read without following the calls.
//!
//! The file may name any directory. [`Reach`](super::reach::Reach) decides which of them are read.

use std::path::{Path, PathBuf};

use super::path;
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::directory::{DecodeOptions, Location, Roots};
use crate::document::Document;
use crate::hash::HashMap;
use crate::json::{Node, Object};
use crate::module::{OWN_REGISTRIES, RegistryAddress, SourceAddress, Version};
use crate::source::{Access, Source, SourceError};

/// The path of the file below the directory of a root module.
const PLACE: &str = ".terraform/modules/modules.json";

/// The number of bytes that the file may have: a call takes about two hundred.
const MAX_BYTES: u64 = 64 << 20;

/// An installed module, as the target of a call.
#[derive(Clone, Debug)]
pub(super) struct Installed<'a> {
    /// The directory of the calling module.
    pub(super) caller: Location,
    /// The name of the call.
    pub(super) call: &'a str,
    /// The directory of the called module.
    pub(super) directory: Location,
    /// The source of the call when it was installed, in the tools' form.
    source: &'a str,
}

impl Installed<'_> {
    /// Whether this is the module that the call asks for: its source has not changed since.
    pub(super) fn is_of(&self, source: &SourceAddress<'_>) -> bool {
        match *source {
            // A local path needs no installation.
            SourceAddress::Local(_) => false,
            SourceAddress::Registry(address) => {
                let installed = RegistryAddress::parse(self.source);
                installed.is_some_and(|installed| is_same_registry(&installed, &address))
            }
            SourceAddress::Remote(text) => bare(text) == bare(self.source),
        }
    }
}

/// Whether two addresses are equal, if a missing host is the tools' own.
fn is_same_registry(one: &RegistryAddress<'_>, other: &RegistryAddress<'_>) -> bool {
    let parts = |address: &RegistryAddress<'_>| {
        let host = address.host.filter(|host| !OWN_REGISTRIES.contains(&&*host.to_lowercase()));
        host.map(str::to_lowercase)
    };
    parts(one) == parts(other)
        && (one.namespace, one.name, one.system) == (other.namespace, other.name, other.system)
        && one.subdirectory == other.subdirectory
}

/// Removes the parts of a remote source that the tools add to a shorthand: `github.com/a/b` is
/// installed as `git::https://github.com/a/b.git`, `git@github.com:a/b.git` as
/// `git::ssh://git@github.com/a/b.git`.
fn bare(source: &str) -> String {
    let url = source.rsplit_once("::").map_or(source, |(_, url)| url);
    let address = url.split_once("://").map_or(url, |(_, address)| address);
    address.replace(".git", "").replacen(':', "/", 1)
}

/// Returns where the file leads by way of links, if it must not be read.
fn leads_outside(
    root: &Location,
    file: &Path,
    options: &DecodeOptions,
    roots: &Roots,
) -> Option<PathBuf> {
    let below = file.ancestors().take_while(|path| root.disk() != Some(*path));
    let is_link = below.into_iter().any(Path::is_symlink);
    (is_link && !options.follow_links).then(|| roots.outside(file)).flatten()
}

/// Reads the modules that are installed for a root module, in the order of the file.
pub(super) fn read<'a>(
    arena: &'a Arena,
    root: &Location,
    options: &DecodeOptions,
    roots: &Roots,
    sink: &mut dyn Sink<'a>,
) -> Vec<Installed<'a>> {
    let place = path::resolve(root, PLACE);
    let opened = match &place {
        Location::Disk(file) => {
            let opened = options.open.open(arena, file, Access::FOUND.with_limit(MAX_BYTES));
            opened.and_then(|source| match leads_outside(root, file, options, roots) {
                Some(target) => Err(SourceError::Outside { target }),
                None => Ok(source),
            })
        }
        Location::Memory(file) => file.source(arena),
    };
    let source = match opened {
        Ok(source) => source,
        Err(error) => {
            // Most modules are not root modules, and have no such file.
            if !error.is_missing() {
                let name = place.to_string_lossy();
                sink.report(Diagnostic::unreadable(Source::empty(arena, &name), &error));
            }
            return Vec::new();
        }
    };
    // The tools tolerate an empty file.
    if source.bytes().is_empty() {
        return Vec::new();
    }
    let document = match Document::read(arena, source, &options.parse) {
        Ok(document) => document,
        Err(error) => {
            sink.report(error);
            return Vec::new();
        }
    };
    document.diagnostics().iter().for_each(|each| sink.report(each.clone()));
    let entries = entries(document.root(), sink);
    let directories: HashMap<&str, &str> =
        entries.iter().map(|entry| (entry.key, entry.directory)).collect();
    let directory = |relative: &str| path::resolve(root, relative);
    let installed = entries.iter().filter_map(|entry| {
        let (caller, call) = match entry.key.rsplit_once('.') {
            Some((caller, call)) => (*directories.get(caller)?, call),
            None => (".", entry.key),
        };
        Some(Installed {
            caller: directory(caller),
            call,
            directory: directory(entry.directory),
            source: entry.source,
        })
    });
    installed.collect()
}

/// One entry of the file.
struct Entry<'a> {
    key: &'a str,
    source: &'a str,
    directory: &'a str,
}

/// The valid entries, without duplicate keys, and without the root's own.
fn entries<'a>(root: Node<'a>, sink: &mut dyn Sink<'a>) -> Vec<Entry<'a>> {
    let Some(object) = root.as_object() else {
        report(root.start_label(), "it must be an object", sink);
        return Vec::new();
    };
    let list = match object.get("Modules") {
        None => return Vec::new(),
        Some(list) if list.is_null() => return Vec::new(),
        Some(list) => list,
    };
    let Some(list) = list.as_array() else {
        report(list.start_label(), "\"Modules\" must be an array", sink);
        return Vec::new();
    };
    let mut entries = Vec::new();
    let mut keys: HashMap<&str, Label<'a>> = HashMap::default();
    for element in list.elements() {
        let Some(object) = element.as_object() else {
            report(element.start_label(), "each entry must be an object", sink);
            continue;
        };
        let Some((entry, key)) = entry(object, sink) else { continue };
        if let Some(&earlier) = keys.get(entry.key) {
            let duplicate = diagnostic(key, "two entries have this key");
            sink.report(duplicate.with_related(earlier, "the first one"));
            continue;
        }
        keys.insert(entry.key, key);
        if !entry.key.is_empty() {
            entries.push(entry);
        }
    }
    entries
}

/// An entry, and the position of its key.
fn entry<'a>(object: Object<'a>, sink: &mut dyn Sink<'a>) -> Option<(Entry<'a>, Label<'a>)> {
    let node = object.node();
    let mut texts = [""; 4];
    let mut key = node.start_label();
    for (text, name) in texts.iter_mut().zip(["Key", "Source", "Dir", "Version"]) {
        let Some(value) = object.get(name).filter(|value| !value.is_null()) else { continue };
        let Some(value_text) = value.to_str() else {
            report(value.start_label(), "the parts of an entry must be strings", sink);
            return None;
        };
        if name == "Version" && !value_text.is_empty() && Version::parse(value_text).is_none() {
            report(value.label(), "the version is invalid", sink);
            return None;
        }
        if name == "Key" {
            key = value.label();
        }
        *text = value_text;
    }
    let [name, source, directory, _] = texts;
    if directory.is_empty() && !name.is_empty() {
        report(key, "the entry has no directory", sink);
        return None;
    }
    Some((Entry { key: name, source, directory }, key))
}

#[cold]
fn report<'a>(label: Label<'a>, why: &'static str, sink: &mut dyn Sink<'a>) {
    sink.report(diagnostic(label, why));
}

#[cold]
fn diagnostic<'a>(label: Label<'a>, why: &'static str) -> Diagnostic<'a> {
    Diagnostic::new(Code::ModuleManifest, label).with_arguments(&[why])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nowhere() -> Location {
        Location::Disk(std::path::PathBuf::new())
    }

    fn is_of(installed: &str, source: &str) -> bool {
        let installed =
            Installed { caller: nowhere(), call: "m", directory: nowhere(), source: installed };
        installed.is_of(&SourceAddress::parse(source).unwrap())
    }

    #[test]
    fn sources_in_the_form_of_the_tools() {
        for (installed, source) in [
            ("registry.terraform.io/a/b/c", "a/b/c"),
            ("registry.opentofu.org/a/b/c//d", "a/b/c//d"),
            ("example.com/a/b/c", "example.com/a/b/c"),
            ("git::https://github.com/a/b.git?ref=v1", "github.com/a/b?ref=v1"),
            ("git::https://github.com/a/b.git//m?ref=v1", "github.com/a/b//m?ref=v1"),
            ("git::ssh://git@github.com/a/b.git", "git@github.com:a/b.git"),
            ("git::https://example.com/x.git", "git::https://example.com/x.git"),
            ("https://example.com/x.zip", "https://example.com/x.zip"),
        ] {
            assert!(is_of(installed, source), "{installed} {source}");
        }
        for (installed, source) in [
            ("registry.terraform.io/a/b/c", "a/b/d"),
            ("registry.terraform.io/a/b/c", "example.com/a/b/c"),
            ("registry.terraform.io/a/b/c//d", "a/b/c"),
            ("git::https://github.com/a/b.git?ref=v1", "github.com/a/b?ref=v2"),
            ("git::https://github.com/a/b.git", "a/b/c"),
            ("./m", "a/b/c"),
            ("./m", "./m"),
        ] {
            assert!(!is_of(installed, source), "{installed} {source}");
        }
    }
}
