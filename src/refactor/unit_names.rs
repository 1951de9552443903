//! Names in the files that units of Terragrunt put beside those of a module.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::unit_files::{files_in, has_word, not_searched, without_links};
use crate::arena::Arena;
use crate::dialect::{Dialect, FileKind, List};
use crate::module::Object;
use crate::source::Source;
use crate::terragrunt::{Gap, Options, Run, RunArgument, Runs};

/// The texts that units put beside the files of their modules: configuration in the folder of a unit,
/// and what it generates.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct UnitTexts {
    /// By the directory of a module without links.
    modules: BTreeMap<PathBuf, Vec<Text>>,
    /// Whether the folder has units.
    pub has_units: bool,
    /// The parts that are not known.
    pub gaps: BTreeSet<Gap>,
}

/// A text: where it is, and its bytes if they are known.
type Text = (String, Option<Vec<u8>>);

impl UnitTexts {
    /// Reads the texts of the units in a folder. `read` opens a file.
    ///
    /// Cost: that of [`crate::terragrunt::find()`] with details, and of evaluating each unit once more.
    pub fn find<'a>(
        folder: &Path,
        follows_links: bool,
        read: &mut dyn FnMut(&Path) -> Result<Source<'a>, String>,
    ) -> Self {
        let mut texts = Self::default();
        let options = Options::default().with_details(true).with_stacks(true);
        let options = options.following_links(follows_links);
        let arena = Arena::new();
        let runs = match Runs::open(&arena, folder, &options) {
            Ok(runs) => runs,
            Err(gap) => {
                texts.gaps.insert(gap);
                return texts;
            }
        };
        let units = runs.units();
        // Unknown values matter only where they are a text or a source, which is asked below.
        let hides = |gap: &&Gap| {
            ["configuration", "include", "includes", "merge", "path", "stack"].contains(&gap.what)
        };
        texts.gaps.extend(units.gaps_of_roots().filter(hides).cloned());
        for unit in units.units.iter().filter(|unit| unit.is_root()) {
            texts.has_units = true;
            texts.add(&runs.run(&unit.folder), &unit.path, read);
        }
        texts
    }

    fn add<'a>(
        &mut self,
        run: &Run<'_>,
        unit: &str,
        read: &mut dyn FnMut(&Path) -> Result<Source<'a>, String>,
    ) {
        let Some(module) = run.module.as_deref().map(Path::new) else {
            let gaps = run.gaps.iter().filter(|gap| gap.what == "source");
            // A module that would have to be downloaded is none of the tree.
            self.gaps.extend(gaps.filter(|_| run.source.is_none()).cloned());
            return;
        };
        let Ok(owner) = without_links(module) else { return };
        let mut found = Vec::new();
        for file in run.generated.iter().filter(|file| !file.is_backend) {
            let text = file.text.as_ref().map(|text| text.clone().into_bytes());
            found.push((format!("{} that the unit {unit} generates", file.path), text));
        }
        // A value of a variable that is not declared is an error on the command line only.
        for argument in &run.arguments {
            if let RunArgument::Variable(name, _) = argument {
                let name = Some(name.clone().into_bytes());
                found.push((format!("an argument of the unit {unit}"), name));
            }
        }
        let content = Path::new(&run.content);
        let is_other = without_links(content).is_ok_and(|content| content != owner);
        let mut paths = match is_other {
            true => files_in(content, &mut self.gaps),
            false => Vec::new(),
        };
        paths.retain(|path| is_configuration(path));
        paths.sort();
        for path in paths {
            let text = match read(&path) {
                Ok(source) => Some(source.bytes().to_vec()),
                Err(why) => {
                    self.gaps.insert(not_searched(&path, &why));
                    None
                }
            };
            let name = path.file_name().unwrap_or_default().display();
            found.push((format!("{name} of the unit {unit}"), text));
        }
        self.modules.entry(owner).or_default().extend(found);
    }

    /// A text that has the name of an object of the module in a directory, or is not known.
    #[must_use]
    pub fn naming(&self, directory: &Path, object: Object<'_>) -> Option<&str> {
        if self.modules.is_empty() {
            return None;
        }
        let address = object.to_string();
        let name = address.rsplit('.').next()?;
        let texts = self.modules.get(&without_links(directory).ok()?)?;
        let is_named =
            |text: &Option<Vec<u8>>| text.as_ref().is_none_or(|text| has_word(text, name));
        texts.iter().find(|(_, text)| is_named(text)).map(|(what, _)| &**what)
    }
}

/// Whether a file is read with the files of a module.
fn is_configuration(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    let is_one = |dialect| {
        FileKind::of(name, dialect)
            .is_some_and(|kind| kind.list.declares() || kind.list == List::Test)
    };
    [Dialect::OpenTofu, Dialect::Terraform].into_iter().any(is_one)
}
