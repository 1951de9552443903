//! The values that shells offer for arguments: the addresses of this repository, codes and rules.

use std::collections::BTreeSet;
use std::ffi::OsStr;

use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use simd_hcl::Arena;
use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::rules::{Group, RULES};
use simd_hcl::tree::{Tree, TreeOptions};

use super::code::all_codes;
use crate::visible::visible;

/// The number of addresses that are offered.
const MOST: usize = 1_000;
/// Trees with more files are not read, so that a key press is answered at once.
const MOST_FILES: usize = 20_000;

/// The addresses of the objects below the working directory.
pub(super) fn addresses() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let Some(start) = current.to_str() else { return Vec::new() };
        let mut found = BTreeSet::new();
        let discovery = discover(&["."], &DiscoverOptions::default());
        let files: usize = discovery.modules.iter().map(|module| module.files.len()).sum();
        if files > MOST_FILES {
            return Vec::new();
        }
        let arena = Arena::new();
        let tree = Tree::load(&arena, discovery.modules, &TreeOptions::default());
        for module in tree.given() {
            for object in module.module.objects() {
                let address = object.to_string();
                if address.starts_with(start) && found.len() < MOST {
                    found.insert(address);
                }
            }
        }
        found.iter().map(|address| CompletionCandidate::new(&*visible(address))).collect()
    })
}

/// The codes of diagnostics, with their summaries.
pub(super) fn codes() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let fits = |name: &str| current.to_str().is_some_and(|start| name.starts_with(start));
        let codes = all_codes().filter(|code| fits(code.as_str()));
        codes
            .map(|code| CompletionCandidate::new(code.as_str()).help(Some(code.summary().into())))
            .collect()
    })
}

/// The names of rules and of their groups.
pub(super) fn rules() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let fits = |name: &&str| current.to_str().is_some_and(|start| name.starts_with(start));
        let groups = Group::ALL.iter().map(|group| group.as_str());
        let names = RULES.iter().map(|rule| rule.name()).chain(groups).chain(["all"]);
        names.filter(fits).map(CompletionCandidate::new).collect()
    })
}
