//! Changes of the settings: a root module that they run with other values is affected.

use std::path::{Path, PathBuf};

use crate::git::canonical;
use crate::paths::or_here;
use crate::revision_files::RevisionFiles;
use crate::root_section::{Section, Values};
use crate::settings::{self, Settings};
use crate::status::Failure;

/// A changed file of settings.
pub(crate) struct ChangedSettings {
    file: PathBuf,
    /// The sections before; `None` if there were none to read.
    before: Option<Vec<Section>>,
}

impl ChangedSettings {
    /// Returns the settings if they are among the changed files. Without a revision, all root modules
    /// that they are about are affected.
    ///
    /// # Errors
    /// A path cannot be resolved.
    pub(crate) fn of(
        settings: &Settings,
        changed: &[PathBuf],
        revision: Option<&RevisionFiles>,
    ) -> Result<Option<Self>, Failure> {
        let here = canonical(Path::new("."))?;
        for file in changed.iter().filter(|file| is_settings(file, settings)) {
            let whole = canonical(file)?;
            let is_it = match settings.file() {
                Some(known) => canonical(known)? == whole,
                // They were deleted.
                None => whole.parent().is_some_and(|directory| here.starts_with(directory)),
            };
            if is_it {
                let before = revision.and_then(|revision| sections(&whole, revision));
                return Ok(Some(Self { file: file.clone(), before }));
            }
        }
        Ok(None)
    }

    /// The file, as it is given.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// Whether the root module in a directory is run with other values now. What cannot be compared
    /// may be.
    pub(crate) fn affects(&self, now: &[Section], directory: &Path) -> bool {
        match &self.before {
            Some(before) => differ([before, now], directory),
            None => Section::any_about(now, directory).unwrap_or(true),
        }
    }

    /// Whether a section was about the module in a directory, which made it a root module.
    pub(crate) fn was_root(&self, directory: &Path) -> bool {
        let before = self.before.as_deref().unwrap_or_default();
        Section::any_about(before, directory).unwrap_or_default()
    }
}

/// Whether two versions of the sections run the root module in a directory with other values.
pub(crate) fn differ(versions: [&[Section]; 2], directory: &Path) -> bool {
    match versions.map(|sections| Values::of(sections, directory)) {
        [Ok(before), Ok(now)] => before != now,
        _ => true,
    }
}

/// The sections of the settings in a revision, by their absolute path; `None` if they are not there, or
/// have an error.
pub(crate) fn sections(file: &Path, revision: &RevisionFiles) -> Option<Vec<Section>> {
    let inside = file.strip_prefix(revision.top()).ok()?;
    let names: Vec<_> = inside.iter().map(|name| name.to_string_lossy()).collect();
    let text = String::from_utf8(revision.read(&names.join("/")).ok()?).ok()?;
    Section::in_text(or_here(file.parent()?), &text)
}

fn is_settings(file: &Path, settings: &Settings) -> bool {
    let name = settings.file().map_or(Path::new(settings::NAME), |file| file);
    file.file_name() == name.file_name()
}
