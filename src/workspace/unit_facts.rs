//! Facts about units of Terragrunt: their findings, and their effect on modules and other files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::facts::{Finding, ModuleFacts, errors};
use crate::dialect::FileKind;
use crate::refactor::Errors;
use crate::terragrunt::{CheckedUnit, GeneratedNames};

/// Everything that is kept of units.
#[derive(Debug, Default)]
pub(super) struct UnitFacts {
    /// The findings by file, as an absolute path.
    pub(super) findings: BTreeMap<PathBuf, Vec<Finding>>,
    pub(super) around: Arc<Around>,
    /// The result for the unit that was edited last.
    pub(super) last: Option<Arc<Alone>>,
}

/// The effect of units on other files. Paths are without links.
#[derive(Debug, Default)]
pub(super) struct Around {
    pub(super) generated: GeneratedNames,
    /// The folders of units, and of the modules that they run.
    pub(super) folders: BTreeSet<PathBuf>,
    /// For each file that units include, the folder of one of them.
    pub(super) includers: BTreeMap<PathBuf, PathBuf>,
    /// All files that decide about units, apart from their own configurations.
    pub(super) read: BTreeSet<PathBuf>,
    pub(super) has_stacks: bool,
}

/// The result of a check of one unit.
#[derive(Debug)]
pub(super) struct Alone {
    pub(super) folder: PathBuf,
    pub(super) units: Vec<CheckedUnit>,
    pub(super) generated: GeneratedNames,
    pub(super) findings: BTreeMap<PathBuf, Vec<Finding>>,
}

impl Alone {
    /// Whether other units, modules and files see the same, apart from the configuration in a file.
    pub(super) fn is_same_outside(&self, other: &Self, file: &Path) -> bool {
        let outside = |it: &Self| -> Vec<(PathBuf, Vec<Finding>)> {
            let all = it.findings.iter().filter(|(path, _)| *path != file);
            all.map(|(path, found)| (path.clone(), found.clone())).collect()
        };
        self.units == other.units
            && self.generated == other.generated
            && outside(self) == outside(other)
    }
}

impl UnitFacts {
    /// The errors among the findings.
    pub(super) fn errors(&self) -> Errors {
        errors(self.findings.values().flatten())
    }

    /// The findings of a file, which is an absolute path.
    pub(super) fn findings(&self, file: &Path) -> &[Finding] {
        self.findings.get(file).map_or(&[], Vec::as_slice)
    }

    /// The files with findings.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.findings.keys().map(PathBuf::as_path)
    }

    /// The files whose findings differ.
    pub(super) fn differing(&self, other: &Self) -> Vec<PathBuf> {
        let all: BTreeSet<&Path> = self.files().chain(other.files()).collect();
        let differs = |it: &&Path| self.findings(it) != other.findings(it);
        all.into_iter().filter(differs).map(Path::to_owned).collect()
    }

    /// The names that files declare which units generate.
    pub(super) fn generated(&self) -> &GeneratedNames {
        &self.around.generated
    }

    /// The modules for which units generate other names.
    pub(super) fn differing_modules(
        &self,
        other: &Self,
        modules: &[Arc<ModuleFacts>],
    ) -> BTreeSet<usize> {
        let folders = self.around.generated.differing(&other.around.generated);
        if folders.is_empty() {
            return BTreeSet::new();
        }
        let is_it = |place: &usize| {
            let real = modules[*place].files.path.disk().and_then(|it| it.canonicalize().ok());
            real.and_then(|it| it.to_str().map(|it| folders.contains(it))).unwrap_or_default()
        };
        (0..modules.len()).filter(is_it).collect()
    }

    /// Whether units may depend on a file that belongs to no module.
    pub(super) fn may_read(&self, file: &Path) -> bool {
        self.has_units() || is_unit_file(file)
    }

    /// Whether units depend on what a module declares.
    pub(super) fn runs(&self, module: &ModuleFacts) -> bool {
        let is_known =
            |path: &Path| path.canonicalize().is_ok_and(|it| self.around.folders.contains(&it));
        self.has_units() && module.files.path.disk().is_some_and(is_known)
    }

    /// Whether there are units.
    pub(super) fn has_units(&self) -> bool {
        !self.around.folders.is_empty()
    }

    /// The folder of a unit to which a file of Terragrunt belongs: one that includes it, or else the one
    /// around it.
    pub(super) fn unit_of(&self, file: &Path) -> Option<PathBuf> {
        let real = file.canonicalize().unwrap_or_else(|_| file.to_owned());
        match self.around.includers.get(&real) {
            Some(folder) => Some(folder.clone()),
            None => real.parent().map(Path::to_owned),
        }
    }
}

/// Whether a file may be one of Terragrunt, by its name.
pub(super) fn is_unit_file(file: &Path) -> bool {
    file.file_name().is_some_and(|name| FileKind::of_unit(name).is_some())
}
