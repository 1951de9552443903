//! Files of rules: `plan --rules`, `rule-files` of the settings, and `rules test`.

use std::path::{Path, PathBuf};

use simd_hcl::policy::Rules;
use simd_hcl::rules::OwnRules;
use simd_hcl::{Arena, Diagnostic, Document, ParsedFile, functions};

use crate::args::{Common, OwnName, RuleSelector, Selector};
use crate::finding::Finding;
use crate::paths::from_here;
use crate::settings::{Codes, Settings};
use crate::status::Failure;
use crate::{human, input, visible};

/// Adds the rules of some files. Returns whether they have no errors; `diagnostics` has these.
pub(crate) fn add<'a>(
    rules: &mut Rules<'a>,
    arena: &'a Arena,
    paths: &[PathBuf],
    common: &Common,
    diagnostics: &mut Vec<Diagnostic<'a>>,
) -> Result<bool, Failure> {
    let mut is_right = true;
    // The settings name files by absolute paths.
    for path in paths.iter().map(|path| from_here(path)) {
        let path = path.as_path();
        let is_native = is_native(path)?;
        let fail = |error: &dyn std::fmt::Display| {
            Failure::Message(format!("{}: {error}", visible::path(path)))
        };
        let source = input::text(arena, path, "", common).map_err(|error| fail(&error))?;
        let options = input::parse_options(common)?;
        let file = match is_native {
            true => Ok(ParsedFile::native(arena, source)),
            false => Document::read(arena, source, &options).map(ParsedFile::json),
        };
        match file {
            Ok(file) => {
                diagnostics.extend_from_slice(file.diagnostics());
                is_right &= rules.parse(file, diagnostics);
            }
            Err(error) => {
                is_right = false;
                diagnostics.push(error);
            }
        }
    }
    Ok(is_right)
}

/// Prints the diagnostics of rules.
///
/// # Errors
/// The rules have errors.
pub(crate) fn tell(diagnostics: &[Diagnostic<'_>], is_right: bool) -> Result<(), Failure> {
    let mut out = anstream::stderr().lock();
    for diagnostic in diagnostics {
        human::write(&Finding::of(diagnostic), &mut out)?;
    }
    match is_right {
        true => Ok(()),
        false => Err(Failure::Message("the rules have errors, so nothing was checked".to_owned())),
    }
}

/// Reads the rules about configuration of some files.
pub(crate) fn own<'a>(
    arena: &'a Arena,
    paths: &[PathBuf],
    common: &Common,
) -> Result<OwnRules<'a>, Failure> {
    let mut rules = Rules::new(Some(functions::STANDARD));
    let mut diagnostics = Vec::new();
    let mut is_right = add(&mut rules, arena, paths, common, &mut diagnostics)?;
    let mut refused = Vec::new();
    let own = OwnRules::new(rules, &mut refused);
    is_right &= refused.is_empty();
    diagnostics.append(&mut refused);
    tell(&diagnostics, is_right)?;
    Ok(own)
}

/// Refuses names in flags that are neither known nor those of rules in files.
pub(crate) fn refuse_unknown(flags: &Codes, settings: &Settings) -> Result<(), Failure> {
    let of_codes = flags.allow.iter().chain(&flags.deny).filter_map(Selector::own);
    let of_rules = flags.select.iter().chain(&flags.ignore).filter_map(RuleSelector::own);
    match of_codes.chain(of_rules).find(|it| !settings.has_own(&it.name)) {
        Some(OwnName { name, why }) => {
            Err(Failure::Message(format!("invalid value {name:?}: {why}")))
        }
        None => Ok(()),
    }
}

/// Whether a file of rules is in native syntax, by its name.
fn is_native(path: &Path) -> Result<bool, Failure> {
    let lower = path.to_string_lossy().to_lowercase();
    match (lower.ends_with(".hcl"), lower.ends_with(".json")) {
        (true, _) => Ok(true),
        (_, true) => Ok(false),
        _ => {
            let name = visible::path(path);
            let why = "the name of a rule file must end with .hcl, or with .json for JSON";
            Err(Failure::Message(format!("{name}: {why}")))
        }
    }
}
