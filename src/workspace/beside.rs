//! Files beside the modules of a snapshot that may name an object.

use std::path::Path;
use std::sync::Arc;

use super::facts::{ModuleFacts, errors};
use super::snapshot::Snapshot;
use super::update::Workspace;
use crate::directory::{ModuleFiles, Roots};
use crate::edit::{Edit, TextEdits};
use crate::module::Object;
use crate::parsed::ParsedFile;
use crate::refactor::{Beside, Change, Errors, find_units, set_together};
use crate::source::{Access, Source};
use crate::tree::TreeModule;

impl Snapshot {
    /// The files that a rename of an object has to read, and that belong to no module: files of values that
    /// the settings name, and files of Terragrunt in the directories of the workspace. Open files have
    /// their new texts.
    ///
    /// Cost: that of finding the units of Terragrunt with details, and of parsing these files.
    #[must_use]
    pub fn beside<'a>(&self, module: &TreeModule<'a>, object: Object<'a>) -> Beside<'a> {
        let mut beside = Beside::default();
        let Some(arena) = module.sources.first().map(|source| source.arena()) else {
            return beside;
        };
        let context = &self.context;
        let options = context.tree_options();
        let roots = Roots::around(context.paths.iter());
        let open = |path: &Path| -> Result<Source<'a>, String> {
            // The edits of a rename are written without a further look.
            if roots.outside(path).is_some() {
                return Err("outside of the workspace and its git repository".to_owned());
            }
            let opened = options.decode.open.open(arena, path, Access::FOUND);
            opened.map_err(|error| error.to_string())
        };
        if let (Some(judge), Object::Variable(name)) = (&context.options.judge, object) {
            let path = module.files.path.to_string_lossy();
            match judge.set_elsewhere(&module.files, name) {
                Ok(found) => {
                    let found = found.map(|(file, why)| (file.to_string_lossy().into(), why));
                    beside.gaps.extend(found);
                }
                Err(why) => beside.gaps.push((path.as_ref().into(), why)),
            }
            let directory = module.files.directory();
            let address = object.to_string();
            let declares =
                |other: &ModuleFacts| other.objects.iter().any(|it| *it.address == *address);
            let others = self.modules.iter();
            let others = others.filter(|it| it.files.directory() != directory && declares(it));
            let others = others.map(|other| &*other.files);
            let values = |files: &ModuleFiles| judge.values(files);
            if let Ok(Some((file, other))) = set_together([&module.files], others, values) {
                let file = file.display();
                beside.refused = Some(format!("{file} also sets {name} of {other}"));
            }
            match judge.values(&module.files) {
                Ok(files) => {
                    for path in files {
                        let parsed = open(&path).and_then(|source| {
                            let parsed = ParsedFile::parse(arena, source);
                            parsed.map_err(|error| error.message().to_string())
                        });
                        match parsed {
                            Ok(file) => beside.values.push(file),
                            Err(why) => beside.gaps.push((path.to_string_lossy().into(), why)),
                        }
                    }
                }
                Err(why) => beside.gaps.push((path.into(), why)),
            }
        }
        if let Some(owner) = module.files.directory().disk() {
            for folder in context.paths.iter() {
                let places = (&**folder, owner);
                let mut read = open;
                let follows_links = context.options.discover.follow_links;
                let found = find_units(arena, places, object, follows_links, &mut read);
                beside.units.extend(found.files);
                let gaps = found.gaps.into_iter();
                beside.gaps.extend(gaps.map(|gap| (gap.place.into(), gap.why)));
            }
        }
        beside
    }

    /// Whether the tools may have done what a `moved` block says that a change takes back.
    #[must_use]
    pub fn has_applied(&self, change: &Change<'_>) -> bool {
        let Some(judge) = &self.context.options.judge else { return false };
        change.taken_back.iter().any(|block| {
            let file = self.absolute(Path::new(block.source.name()));
            file.parent().is_some_and(|directory| judge.has_committed(directory, block))
        })
    }

    /// The errors that some edits add, which are those of files by their names. Rules of style and upkeep
    /// do not count.
    ///
    /// Cost: that of [`Workspace::edit_all`], and linear in all findings.
    #[must_use]
    pub fn errors_added_by(self: &Arc<Self>, edits: &[(Box<str>, Vec<Edit>)]) -> AddedErrors {
        let texts = edits.iter().filter_map(|(name, edits)| {
            let path = Path::new(&**name);
            let (text, edits) = (self.text(path).ok()?, TextEdits::new(edits.clone()).ok()?);
            let new = edits.apply(str::from_utf8(&text).ok()?);
            Some((path.to_owned(), new.into_bytes().into()))
        });
        let mut workspace = Workspace::after(self);
        workspace.edit_all(texts.collect::<Vec<_>>());
        let after = workspace.snapshot();
        AddedErrors {
            modules: after.errors_of_modules().added_to(&self.errors_of_modules()),
            units: after.context.units.errors().added_to(&self.context.units.errors()),
        }
    }

    fn errors_of_modules(&self) -> Errors {
        errors(self.modules.iter().flat_map(|module| &module.findings))
    }
}

/// The errors that edits add: each with the name of its file, and its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct AddedErrors {
    /// Those of modules and templates.
    pub modules: Vec<(String, String)>,
    /// Those of units of Terragrunt.
    pub units: Vec<(String, String)>,
}
