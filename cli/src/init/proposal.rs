//! The settings that a repository suggests, and those it leaves open.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Read;
use std::path::Path;

use simd_hcl::rules::{Group, RULES};
use simd_hcl::source::Access;
use simd_hcl::tree::Tree;
use simd_hcl::{Dialect, Severity};

use crate::args::Common;
use crate::check::Examined;
use crate::finding::{Facts, Findings, Policy};
use crate::incomplete::Incomplete;
use crate::locks::{self, Locked};
use crate::migrate::quoted;
use crate::paths;
use crate::roots::propose;
use crate::settings::Settings;
use crate::stats::count;
use crate::status::Failure;

/// Names of folders with files of others, or with files that are wrong on purpose.
const FOREIGN: &[&str] = &["node_modules", "vendor", "third_party", "testdata", "fixtures"];

/// The bytes of a file that show whether it has schemas of providers.
const START: u64 = 1 << 12;

/// The width of lines of the file, in characters.
const WIDTH: usize = 100;

pub(super) struct Proposal {
    dialect: Option<Dialect>,
    /// Patterns of folders.
    exclude: Vec<String>,
    schemas: Option<String>,
    /// Rules that find nothing today and are not selected by default.
    hold: Vec<&'static str>,
    /// Sections `[[root]]`.
    sections: String,
    /// The decisions that are left to people.
    pub(super) undecided: Vec<String>,
    /// The parts of the present settings that are out of date.
    pub(super) changes: Vec<String>,
}

impl Proposal {
    pub(super) fn of(
        found: &Examined<'_, '_>,
        settings: &Settings,
        (directory, start): (&Path, &Path),
        common: &Common,
    ) -> Result<Self, Failure> {
        let mut more = Incomplete::default();
        let roots = propose::of_tree(found.tree, settings, start, &mut more)?;
        let counts = rule_counts(&found.findings, directory);
        let is_free = |name: &&str| counts.get(name).is_none_or(|count| *count == 0);
        let rules = RULES.iter().filter(|rule| !rule.is_default && !rule.is_preview);
        let rules = rules.filter(|rule| rule.group != Group::Correctness);
        let dialect = dialect(&locks::of_tree(found.tree, common, &mut more), start);
        let mut undecided: Vec<String> = more.iter().map(|gap| gap.to_string()).collect();
        if dialect.is_none() {
            undecided.push(
                "dialect: nothing says whether OpenTofu or Terraform runs the modules; OpenTofu's rules \
                 apply"
                    .to_owned(),
            );
        }
        let of_own = of_own(&found.findings, directory);
        let errors = of_own.filter(|it| it.severity == Severity::Error).count();
        if errors > 0 {
            undecided.push(format!(
                "{} today: `check --baseline known.json --write-baseline` accepts them, and only new ones \
                 are reported",
                count(errors, "error")
            ));
        }
        for gap in found.incomplete.iter() {
            undecided.push(gap.to_string());
        }
        let mut changes = Vec::new();
        if !roots.section.is_empty() {
            let new = roots.roots.iter().filter(|root| root.from == Some("proposal"));
            changes
                .extend(new.map(|root| format!("{}: no section [[root]] is about it", root.path)));
        }
        for gap in roots.missing.iter() {
            changes.push(gap.to_string());
        }
        let chosen =
            Policy { settings: Some(settings), ..Policy::default() }.choice().selection()?;
        for rule in RULES.iter().filter(|rule| !rule.is_default && chosen.has(rule)) {
            if let Some(count @ 1..) = counts.get(rule.name()).copied() {
                changes.push(format!(
                    "{}: the rule is selected, and has {}",
                    rule.name(),
                    crate::stats::count(count, "finding")
                ));
            }
        }
        Ok(Self {
            dialect,
            exclude: exclude(found.tree, start),
            schemas: schemas(start),
            hold: rules.map(|rule| rule.name()).filter(is_free).collect(),
            sections: roots.section,
            undecided,
            changes,
        })
    }

    /// The content of `simd-hcl.toml`.
    pub(super) fn text(&self) -> String {
        let mut text =
            "# Settings of simd-hcl. `simd-hcl init --check` says what has changed since.\n"
                .to_owned();
        if let Some(dialect) = self.dialect {
            // Writing into a string does not fail.
            let _ = writeln!(text, "dialect = {}", quoted(dialect.name()));
        }
        list(&mut text, "exclude", self.exclude.iter().map(String::as_str));
        if let Some(schemas) = &self.schemas {
            let _ = writeln!(text, "provider-schemas = {}", quoted(schemas));
        }
        if !self.hold.is_empty() {
            text.push_str("# Rules beside the default ones that find nothing today.\n");
            list(&mut text, "select", self.hold.iter().copied());
        }
        if !self.sections.is_empty() {
            text.push_str("\n# How root modules are run, by the names of files of variables.\n");
            text.push_str(&self.sections);
        }
        text
    }
}

/// Adds a list of strings, in lines of at most [`WIDTH`] characters. An empty one is left out.
fn list<'t>(text: &mut String, key: &str, values: impl Iterator<Item = &'t str>) {
    let values: Vec<String> = values.map(quoted).collect();
    let line = format!("{key} = [{}]\n", values.join(", "));
    if values.is_empty() {
        return;
    }
    if line.chars().count() <= WIDTH {
        text.push_str(&line);
        return;
    }
    let _ = writeln!(text, "{key} = [");
    for value in &values {
        let _ = writeln!(text, "  {value},");
    }
    text.push_str("]\n");
}

/// The number of findings of each code, outside of foreign folders.
fn rule_counts<'f>(findings: &'f Findings<'_, '_>, directory: &Path) -> BTreeMap<&'f str, usize> {
    let mut counts = BTreeMap::new();
    of_own(findings, directory).for_each(|it| *counts.entry(it.code).or_default() += 1);
    counts
}

/// The findings outside of foreign folders of a directory.
fn of_own<'f>(findings: &'f Findings<'_, '_>, directory: &Path) -> impl Iterator<Item = Facts<'f>> {
    let named = directory.strip_prefix(".").unwrap_or(directory);
    findings.facts().filter(move |it| {
        let path = Path::new(it.path);
        foreign(path.strip_prefix(named).unwrap_or(path)).is_none()
    })
}

/// The tool that runs the modules: by files that name its version, otherwise by the registry in all lock
/// files. `None` if they do not agree, or if there are none.
fn dialect(locked: &[Locked], start: &Path) -> Option<Dialect> {
    let files =
        [(".opentofu-version", Dialect::OpenTofu), (".terraform-version", Dialect::Terraform)];
    let mut named = files.iter().filter(|(name, _)| start.join(name).is_file()).map(|(_, it)| *it);
    if let (Some(dialect), None) = (named.next(), named.next()) {
        return Some(dialect);
    }
    let hosts: BTreeSet<&str> = locked.iter().map(|it| &*it.parts[0]).collect();
    match (hosts.contains("registry.opentofu.org"), hosts.contains("registry.terraform.io")) {
        (true, false) => Some(Dialect::OpenTofu),
        (false, true) => Some(Dialect::Terraform),
        _ => None,
    }
}

/// Patterns of the folders whose modules others wrote, or that are wrong on purpose.
fn exclude(tree: &Tree<'_>, start: &Path) -> Vec<String> {
    let mut patterns = BTreeSet::new();
    for module in tree.given() {
        let directory = module.files.directory();
        let Some(real) = directory.disk().and_then(|it| it.canonicalize().ok()) else { continue };
        let Ok(inside) = real.strip_prefix(start) else { continue };
        patterns.extend(foreign(inside).map(|name| match name.contains("{{") {
            true => "*{{*/".to_owned(),
            false => format!("{name}/"),
        }));
    }
    patterns.into_iter().collect()
}

/// The name of the folder on a path that has files of others, or templates of files.
fn foreign(path: &Path) -> Option<String> {
    let mut names = path.iter().map(|name| name.to_string_lossy());
    let name = names.find(|name| FOREIGN.contains(&&**name) || name.contains("{{"))?;
    Some(name.into_owned())
}

/// The path of a file with the schemas of providers, if there is exactly one in the directory or in one
/// of its folders.
fn schemas(start: &Path) -> Option<String> {
    let mut found = Vec::new();
    let here = start.read_dir().ok()?.flatten().map(|entry| entry.path());
    let here: Vec<_> = here.collect();
    let folders = here.iter().filter(|it| it.is_dir() && !it.is_symlink());
    let below = folders.filter_map(|it| it.read_dir().ok()).flatten().flatten();
    for path in here.iter().cloned().chain(below.map(|entry| entry.path())) {
        let Some(name) = path.file_name().map(|it| it.to_string_lossy().into_owned()) else {
            continue;
        };
        if !name.contains("schema") || !name.ends_with(".json") || !path.is_file() {
            continue;
        }
        let Ok(file) = Access::FOUND.open(&path) else { continue };
        let mut text = Vec::new();
        let is_read = file.into_file().take(START).read_to_end(&mut text).is_ok();
        if is_read && memchr::memmem::find(&text, b"\"provider_schemas\"").is_some() {
            found.extend(path.strip_prefix(start).ok().map(paths::text));
        }
    }
    match found.as_slice() {
        [only] => Some(only.clone()),
        _ => None,
    }
}
