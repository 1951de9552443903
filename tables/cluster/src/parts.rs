//! Units of sources as texts, which travel to executors: names of files, never their contents.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::common::{DataFusionError, Result};
use serde::{Deserialize, Serialize};
use simd_hcl::Dialect;
use simd_hcl::dialect::FileKind;
use simd_hcl::directory::{Given, Location, ModuleFile, ModuleFiles};
use simd_hcl_sql::provider::Scan;
use simd_hcl_tables::scan::Gap;
use simd_hcl_tables::source::{FoundDocument, FoundModule, Sources, Unit};

/// A unit.
#[derive(Debug, Serialize, Deserialize)]
enum Part {
    Module(Module),
    Tree {
        repository: String,
        has_units: bool,
        modules: Vec<Module>,
    },
    Document {
        path: String,
        repository: String,
    },
    /// The paths that could not be read, each with the reason.
    Gaps(Vec<(String, String)>),
}

#[derive(Debug, Serialize, Deserialize)]
struct Module {
    path: String,
    repository: String,
    dialect: String,
    files: Vec<File>,
}

#[derive(Debug, Serialize, Deserialize)]
struct File {
    name: String,
    /// The path, unless it is that of the module followed by the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shadowed_by: Option<String>,
    given: Reason,
    /// Whether its rows are not asked for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_left_out: bool,
}

/// [`Given`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Reason {
    Found,
    Named,
    Beside,
}

fn text(path: &Path) -> Result<String> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        DataFusionError::Plan(format!(
            "{}: a name that is not UTF-8 cannot travel to a cluster",
            path.display()
        ))
    })
}

/// The kind of a file, as finding it has determined it.
fn kind(path: &Path, name: &str, dialect: Dialect) -> FileKind {
    let name = path.file_name().unwrap_or(name.as_ref());
    FileKind::of(name, dialect).unwrap_or_else(|| FileKind::of_named(name, dialect))
}

impl Module {
    fn of(found: &FoundModule, left_out: &dyn Fn(&Path) -> bool) -> Result<Self> {
        let files = found.files.files.iter().map(|file| {
            let is_below = on_disk(&found.files.path).join(&file.name) == on_disk(&file.path);
            let shadowed_by = file.shadowed_by.as_deref();
            Ok(File {
                name: text(Path::new(&file.name))?,
                path: if is_below { None } else { Some(text(on_disk(&file.path))?) },
                shadowed_by: shadowed_by.map(|name| text(Path::new(name))).transpose()?,
                given: match file.given {
                    Given::Named => Reason::Named,
                    Given::Beside => Reason::Beside,
                    _ => Reason::Found,
                },
                is_left_out: left_out(on_disk(&file.path)),
            })
        });
        Ok(Self {
            path: text(on_disk(&found.files.path))?,
            repository: found.repository.to_string(),
            dialect: found.files.dialect.name().to_owned(),
            files: files.collect::<Result<_>>()?,
        })
    }

    /// The module; files whose rows are not asked for are added to `left_out`.
    fn found(self, left_out: &mut BTreeSet<String>) -> Result<FoundModule> {
        let unknown = |_| DataFusionError::Execution(format!("unknown dialect {:?}", self.dialect));
        let dialect: Dialect = self.dialect.parse().map_err(unknown)?;
        let path = PathBuf::from(self.path);
        let files = self.files.into_iter().map(|file| {
            let place = file.path.map_or_else(|| path.join(&file.name), PathBuf::from);
            if file.is_left_out {
                left_out.insert(place.to_string_lossy().into_owned());
            }
            let kind = kind(&place, &file.name, dialect);
            let mut found = ModuleFile::new(file.name.into(), place, kind);
            found.shadowed_by = file.shadowed_by.map(Into::into);
            found.given = match file.given {
                Reason::Found => Given::Found,
                Reason::Named => Given::Named,
                Reason::Beside => Given::Beside,
            };
            found
        });
        let files = files.collect();
        let files = ModuleFiles { path: path.into(), dialect, files };
        Ok(FoundModule { files, repository: self.repository.into() })
    }
}

/// The path of a file or directory of the file system: sources have no others.
fn on_disk(location: &Location) -> &Path {
    location.disk().unwrap_or(Path::new(""))
}

/// The texts of a scan's units, for each of its partitions.
///
/// # Errors
/// A path is not UTF-8.
pub fn of_scan(scan: &Scan) -> Result<Vec<Vec<String>>> {
    let sources = &scan.sources;
    let left_out = |path: &Path| {
        let is_kept = |files: &Arc<BTreeSet<String>>| files.contains(&*path.to_string_lossy());
        !scan.files.as_ref().is_none_or(is_kept)
    };
    let part = |unit: &Unit| -> Result<String> {
        let part = match *unit {
            Unit::Module(place) => Part::Module(Module::of(&sources.modules()[place], &left_out)?),
            Unit::Tree(place) => {
                let (repository, places) = &sources.repositories()[place];
                let modules = places.iter();
                let modules = modules.map(|it| Module::of(&sources.modules()[*it], &|_| false));
                Part::Tree {
                    repository: repository.to_string(),
                    has_units: sources.has_units(repository),
                    modules: modules.collect::<Result<_>>()?,
                }
            }
            Unit::Document(place) => {
                let found = &sources.documents()[place];
                Part::Document {
                    path: text(&found.path)?,
                    repository: found.repository.to_string(),
                }
            }
            Unit::Gaps => {
                let gaps = sources.gaps().iter();
                Part::Gaps(gaps.map(|gap| (gap.path.clone(), gap.why.clone())).collect())
            }
        };
        serde_json::to_string(&part).map_err(|error| DataFusionError::External(Box::new(error)))
    };
    let partition = |units: &Vec<Unit>| units.iter().map(part).collect::<Result<Vec<_>>>();
    scan.partitions.iter().map(partition).collect()
}

/// The sources that some texts describe, and the files whose rows are not asked for.
///
/// # Errors
/// A text that [`of_scan`] has not written.
pub fn sources<'t>(
    texts: impl IntoIterator<Item = &'t str>,
) -> Result<(Sources, BTreeSet<String>)> {
    let (mut modules, mut documents, mut gaps) = (Vec::new(), Vec::new(), Vec::new());
    let mut with_units: Vec<Arc<str>> = Vec::new();
    let mut left_out = BTreeSet::new();
    for text in texts {
        let part = serde_json::from_str(text);
        match part.map_err(|error| DataFusionError::External(Box::new(error)))? {
            Part::Module(module) => modules.push(module.found(&mut left_out)?),
            Part::Tree { repository, has_units, modules: tree } => {
                with_units.extend(has_units.then(|| Arc::from(repository)));
                for module in tree {
                    modules.push(module.found(&mut left_out)?);
                }
            }
            Part::Document { path, repository } => {
                documents.push(FoundDocument { path: path.into(), repository: repository.into() });
            }
            Part::Gaps(found) => {
                gaps.extend(found.into_iter().map(|(path, why)| Gap { path, why }));
            }
        }
    }
    Ok((Sources::of_parts(modules, documents, gaps).with_units(with_units), left_out))
}
