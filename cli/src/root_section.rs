//! A section `[[root]]` of the settings, and what the sections say about a root module.

use std::collections::BTreeSet;
use std::io::Read;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use simd_hcl::directory::{Location, ModuleFiles};
use simd_hcl::glob;
use simd_hcl::source::Access;
use simd_hcl::suggest::nearest;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::git::canonical;
use crate::paths::{or_here, text as text_of};
use crate::status::Failure;
use crate::visible::visible;

/// A place in the file, and the problem there.
type Problem = (Range<usize>, String);

/// The message about a file of variables that does not exist.
pub(crate) const IS_MISSING: &str =
    "simd-hcl.toml names this file of variables, and it does not exist";

/// The keys of a section, in the order of the documentation.
const KEYS: &[&str] = &["path", "var-files", "workspace", "variables", "backend-config"];

/// A section `[[root]]`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Section {
    /// The directory of the settings, without links.
    directory: PathBuf,
    /// The names of the path, each with `*` and `?`; `**` is any number of directories. None for the directory of
    /// the settings.
    path: Vec<String>,
    /// Paths from the directory of a root module. `{name}` is its name.
    var_files: Vec<String>,
    workspace: Option<String>,
    /// Names and values, as `--var` takes them.
    variables: Vec<(String, String)>,
    /// As the flag of this name takes them: `NAME=VALUE`, or the path of a file.
    backend_config: Vec<String>,
}

/// The values that the sections give a root module.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Values {
    /// The files of variables, in order.
    pub(crate) files: Vec<NamedFile>,
    pub(crate) workspace: Option<String>,
    pub(crate) variables: Vec<(String, String)>,
    /// Settings of the backend, in order.
    pub(crate) backend: Vec<BackendSetting>,
}

/// A file that a section names.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NamedFile {
    pub(crate) path: PathBuf,
    /// Whether the working tree has it; a revision may have it otherwise.
    pub(crate) exists: bool,
}

/// Settings of a backend.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum BackendSetting {
    File(NamedFile),
    Value(String, String),
}

impl Section {
    /// Reads all sections.
    pub(crate) fn all(
        directory: &Path,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<Vec<Self>, Problem> {
        let DeValue::Array(sections) = value.get_ref() else {
            return Err((value.span(), "expected sections: [[root]]".to_owned()));
        };
        sections.iter().map(|section| Self::of(directory, section)).collect()
    }

    /// Reads the sections of a file of settings in a directory; `None` if they have an error.
    pub(crate) fn in_text(directory: &Path, text: &str) -> Option<Vec<Self>> {
        let table = DeTable::parse(text).ok()?;
        let mut keys = table.get_ref().iter();
        match keys.find(|(key, _)| &**key.get_ref() == "root") {
            Some((_, value)) => Self::all(directory, value).ok(),
            None => Some(Vec::new()),
        }
    }

    fn of(directory: &Path, value: &Spanned<DeValue<'_>>) -> Result<Self, Problem> {
        let DeValue::Table(table) = value.get_ref() else {
            return Err((value.span(), "expected a section: [[root]]".to_owned()));
        };
        let mut section = Self { directory: directory.to_owned(), ..Self::default() };
        let mut has_path = false;
        for (key, value) in table.iter() {
            match &**key.get_ref() {
                "path" => (section.path, has_path) = (path(value)?, true),
                "var-files" => section.var_files = texts(value)?,
                "backend-config" => section.backend_config = texts(value)?,
                "workspace" => section.workspace = Some(text(value)?.to_owned()),
                "variables" => {
                    let DeValue::Table(variables) = value.get_ref() else {
                        return Err((value.span(), "expected a table of values".to_owned()));
                    };
                    for (name, value) in variables.iter() {
                        let name = name.get_ref().to_string();
                        section.variables.push((name, flag(value)?));
                    }
                }
                unknown => {
                    let near = nearest(unknown, KEYS.iter().copied());
                    let hint = match near {
                        Some(near) => format!("did you mean {near:?}?"),
                        None => format!("expected one of {}", KEYS.join(", ")),
                    };
                    return Err((key.span(), format!("unknown key {unknown:?}; {hint}")));
                }
            }
        }
        if !has_path {
            return Err((value.span(), "the section has no path".to_owned()));
        }
        Ok(section)
    }

    /// Whether one of the sections is about the root module in a directory.
    pub(crate) fn any_about(sections: &[Self], directory: &Path) -> Result<bool, Failure> {
        let Some(first) = sections.first() else { return Ok(false) };
        let real = canonical(or_here(directory))?;
        let Ok(inside) = real.strip_prefix(&first.directory) else { return Ok(false) };
        let names: Vec<_> = inside.iter().map(|name| name.to_string_lossy()).collect();
        let names: Vec<&str> = names.iter().map(|name| &**name).collect();
        Ok(sections.iter().any(|section| section.is_about(&names)))
    }

    /// The directories of the modules that some section is about: they are root modules.
    pub(crate) fn roots(
        sections: &[Self],
        modules: &[ModuleFiles],
    ) -> Result<BTreeSet<PathBuf>, Failure> {
        let mut roots = BTreeSet::new();
        for module in modules {
            if let Location::Disk(directory) = module.directory()
                && Self::any_about(sections, &directory)?
            {
                roots.insert(directory);
            }
        }
        Ok(roots)
    }

    /// Whether it is about a root module, by its directory below that of the settings.
    fn is_about(&self, names: &[&str]) -> bool {
        let (mut at, mut read) = (0, 0);
        // The name after the last `**`, and where it was tried last.
        let mut star: Option<(usize, usize)> = None;
        while read < names.len() {
            match self.path.get(at).map(String::as_str) {
                Some("**") => {
                    at += 1;
                    star = Some((at, read));
                    continue;
                }
                Some(name) if glob::matches(name, names[read]) => {
                    (at, read) = (at + 1, read + 1);
                    continue;
                }
                _ => {}
            }
            let Some((behind, tried)) = star else { return false };
            (at, read) = (behind, tried + 1);
            star = Some((behind, read));
        }
        self.path[at..].iter().all(|name| name == "**")
    }
}

impl Values {
    /// Returns the values of the sections about the root module in a directory; `None` if no section is
    /// about it.
    ///
    /// # Errors
    /// A file of variables is not below the directory of the settings, which may be those of a pull
    /// request.
    pub(crate) fn of(sections: &[Section], directory: &Path) -> Result<Option<Self>, Failure> {
        let Some(first) = sections.first() else { return Ok(None) };
        let directory = or_here(directory);
        let real = canonical(directory)?;
        let Ok(inside) = real.strip_prefix(&first.directory) else { return Ok(None) };
        let names: Vec<_> = inside.iter().map(|name| name.to_string_lossy()).collect();
        let names: Vec<&str> = names.iter().map(|name| &**name).collect();
        let name = real.file_name().unwrap_or_default().to_string_lossy();
        let mut values: Option<Self> = None;
        for section in sections.iter().filter(|section| section.is_about(&names)) {
            let values = values.get_or_insert_default();
            let named = |file: &str, what: &str| -> Result<NamedFile, Failure> {
                let path = plain(&directory.join(file));
                let found = canonical(&path)?;
                if !found.starts_with(&section.directory) {
                    let file = visible(file);
                    return Err(Failure::Message(format!(
                        "{file}: {what} is not below the directory of the settings"
                    )));
                }
                Ok(NamedFile { path, exists: found.is_file() })
            };
            for file in &section.var_files {
                let file = file.replace("{name}", &name);
                values.files.push(named(&file, "the file of variables")?);
            }
            for given in &section.backend_config {
                let given = given.replace("{name}", &name);
                values.backend.push(match given.split_once('=') {
                    Some((name, value)) => {
                        BackendSetting::Value(name.trim().to_owned(), value.trim().to_owned())
                    }
                    None => BackendSetting::File(named(&given, "the file of the backend")?),
                });
            }
            if section.workspace.is_some() {
                values.workspace.clone_from(&section.workspace);
            }
            values.variables.extend(section.variables.iter().cloned());
        }
        Ok(values)
    }

    /// The files that exist.
    pub(crate) fn existing(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().filter(|file| file.exists).map(|file| &*file.path)
    }

    /// The files that do not exist.
    pub(crate) fn missing(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().filter(|file| !file.exists).map(|file| &*file.path)
    }

    /// The files with settings of the backend.
    pub(crate) fn backend_files(&self) -> impl Iterator<Item = &NamedFile> {
        self.backend.iter().filter_map(|setting| match setting {
            BackendSetting::File(file) => Some(file),
            BackendSetting::Value(..) => None,
        })
    }

    /// Texts with the settings of the backend, the one that counts first, as
    /// [`RootInputs::backend`](simd_hcl::impact::RootInputs::backend) returns them; `None` without any.
    pub(crate) fn backend_texts(&self) -> Option<Vec<(String, Option<String>)>> {
        if self.backend.is_empty() {
            return None;
        }
        let texts = self.backend.iter().rev().map(|setting| match setting {
            BackendSetting::File(file) => (text_of(&file.path), read(&file.path)),
            BackendSetting::Value(name, value) => {
                let setting = format!("{{{}: {}}}", quoted(name), quoted(value));
                ("backend-config.json".to_owned(), Some(setting))
            }
        });
        Some(texts.collect())
    }
}

/// The most bytes of a file with settings of a backend.
const MOST_OF_BACKEND: u64 = 1 << 20;

/// The content of a small file; `None` if it cannot be read.
fn read(path: &Path) -> Option<String> {
    let file = Access::NAMED.open(path).ok()?.into_file();
    let mut text = String::new();
    file.take(MOST_OF_BACKEND + 1).read_to_string(&mut text).ok()?;
    (text.len() as u64 <= MOST_OF_BACKEND).then_some(text)
}

/// Removes `..` and a name before it, if the name is no link.
pub(crate) fn plain(path: &Path) -> PathBuf {
    let mut cleaned = PathBuf::new();
    for component in path.components() {
        match (component, cleaned.components().next_back()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) if !cleaned.is_symlink() => {
                cleaned.pop();
            }
            _ => cleaned.push(component),
        }
    }
    cleaned
}

/// The names of a path below the directory of the settings.
fn path(value: &Spanned<DeValue<'_>>) -> Result<Vec<String>, Problem> {
    let written = text(value)?;
    let names: Vec<&str> = written.split('/').filter(|name| !matches!(*name, "" | ".")).collect();
    if written.starts_with('/') || names.contains(&"..") {
        let message = format!("{written:?} is not below the directory of the settings");
        return Err((value.span(), message));
    }
    // Without a name, it is the directory of the settings itself.
    Ok(names.into_iter().map(str::to_owned).collect())
}

fn texts(value: &Spanned<DeValue<'_>>) -> Result<Vec<String>, Problem> {
    let DeValue::Array(all) = value.get_ref() else {
        return Err((value.span(), "expected an array of strings".to_owned()));
    };
    all.iter().map(|each| Ok(text(each)?.to_owned())).collect()
}

fn text<'v>(value: &'v Spanned<DeValue<'_>>) -> Result<&'v str, Problem> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text),
        other => Err((value.span(), format!("expected a string, found {}", other.type_str()))),
    }
}

/// A value as `--var` takes it: a string as it is, anything else as an expression.
fn flag(value: &Spanned<DeValue<'_>>) -> Result<String, Problem> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text.to_string()),
        _ => expression(value, 0),
    }
}

/// A text in quotes, without templates, as JSON and native syntax write it.
fn quoted(text: &str) -> String {
    let json = serde_json::Value::from(text).to_string();
    json.replace("${", "$${").replace("%{", "%%{")
}

/// The deepest value that is read.
const DEEPEST: u32 = 32;

fn expression(value: &Spanned<DeValue<'_>>, depth: u32) -> Result<String, Problem> {
    if depth > DEEPEST {
        return Err((value.span(), format!("the value nests more than {DEEPEST} deep")));
    }
    Ok(match value.get_ref() {
        DeValue::String(text) => quoted(text),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(is_set) => is_set.to_string(),
        DeValue::Datetime(time) => quoted(&time.to_string()),
        DeValue::Array(elements) => {
            let all: Result<Vec<_>, _> =
                elements.iter().map(|element| expression(element, depth + 1)).collect();
            format!("[{}]", all?.join(", "))
        }
        DeValue::Table(table) => {
            let all: Result<Vec<_>, _> = table
                .iter()
                .map(|(key, value)| {
                    Ok(format!("{} = {}", quoted(key.get_ref()), expression(value, depth + 1)?))
                })
                .collect();
            format!("{{ {} }}", all?.join(", "))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::Section;

    #[test]
    fn paths_of_sections() {
        for (path, directory, expected) in [
            ("deployments/*", "deployments/a", true),
            ("deployments/*", "deployments/a/b", false),
            ("deployments/**", "deployments/a/b", true),
            ("**/prod", "a/b/prod", true),
            ("**/prod", "a/b/dev", false),
            ("live/*-eu/app", "live/x-eu/app", true),
            ("live/?/app", "live/xy/app", false),
            ("", "", true),
            ("", "modules", false),
            ("**", "", true),
        ] {
            let names = |text: &'static str| text.split('/').filter(|name| !name.is_empty());
            let path = names(path).map(str::to_owned).collect();
            let section = Section { path, ..Section::default() };
            let names: Vec<&str> = names(directory).collect();
            assert_eq!(section.is_about(&names), expected, "{:?} {directory}", section.path);
        }
    }
}
