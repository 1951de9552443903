//! Comparisons of two trees: their differences, and what they mean for the values of a root module.
//!
//! The files of both are read again, into one arena.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use simd_hcl::diff::{Change, Objects, changes};
use simd_hcl::directory::ModuleFiles;
use simd_hcl::review::{Review, ReviewOptions, Version, VersionName, review as reviewed};
use simd_hcl::tree::{Secrets, Tree as View, TreeOptions};
use simd_hcl::write::{Layout, Writer};
use simd_hcl::{Arena, Dialect, OwnedDiagnostic, OwnedDocument, Severity};

use crate::error::{self, Diagnostic};
use crate::expand::{Inputs, root_of, with_inputs};
use crate::files::path_of;
use crate::value::to_python;

/// Paths that could not be read, and why.
type Gaps = Vec<(String, String)>;

/// One of the two trees.
#[derive(Clone, Copy)]
pub(crate) struct Side<'s> {
    /// The paths that were given.
    pub(crate) paths: &'s [PathBuf],
    /// The files of the modules there.
    pub(crate) modules: &'s [ModuleFiles],
    pub(crate) options: &'s TreeOptions,
    pub(crate) gaps: &'s Gaps,
}

impl Side<'_> {
    /// The path of a module from the path that it was found at, by which modules are paired.
    fn path_from_given(&self, module: &ModuleFiles) -> String {
        let plain = |path: &'_ Path| path.strip_prefix(".").unwrap_or(path).to_owned();
        let directory = module.directory();
        let Some(directory) = directory.disk().map(plain) else { return path_of(&directory) };
        let below = self.paths.iter().filter_map(|path| {
            // Of a file that is named, the directory counts.
            let path = plain(path);
            let around = if path.is_file() { path.parent()?.to_owned() } else { path };
            directory.strip_prefix(around).ok()
        });
        let below = below.min_by_key(|below| below.as_os_str().len());
        below.unwrap_or(&directory).to_string_lossy().into_owned()
    }
}

/// A module in one or both trees.
type Pair<'s> = [Option<&'s ModuleFiles>; 2];

/// The objects and values that differ, in the shape of `simd-hcl diff`.
pub(crate) fn differences<'py>(
    py: Python<'py>,
    sides: &[Side<'_>; 2],
    shows_sensitive: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let (text, found, gaps) = py.detach(|| compare(sides, shows_sensitive));
    answer(py, &text, found, gaps)
}

fn compare(sides: &[Side<'_>; 2], shows_sensitive: bool) -> (Vec<u8>, Vec<Diagnostic>, Gaps) {
    let mut pairs: BTreeMap<(String, Dialect), Pair<'_>> = BTreeMap::new();
    for (at, side) in sides.iter().enumerate() {
        for module in side.modules {
            let key = (side.path_from_given(module), module.dialect);
            pairs.entry(key).or_default()[at] = Some(module);
        }
    }
    let secrets = sides.map(|side| Secrets::of_modules(side.modules, &side.options.decode));
    let mut gaps: Gaps = sides.iter().flat_map(|side| side.gaps.iter().cloned()).collect();
    let (mut text, mut found) = (Vec::new(), Vec::new());
    let mut writer = Writer::new(&mut text, Layout::Compact);
    let mut object = writer.value().object();
    let mut list = object.key("differences").array();
    let mut arena = Arena::new();
    for ((path, dialect), pair) in &pairs {
        let mut errors = Vec::new();
        let mut states = [0, 1].map(|at| {
            let options = &sides[at].options.decode;
            let files = pair[at].map(|module| module.decode(&arena, options)).unwrap_or_default();
            let mut read = Vec::new();
            for file in files {
                match file.parsed {
                    Ok(parsed) => {
                        let all = parsed.diagnostics().iter();
                        let all = all.filter(|it| it.severity() == Severity::Error);
                        errors.extend(all.map(OwnedDiagnostic::of));
                        let name = file.file.name.to_string_lossy().into_owned();
                        read.push((file.file.kind.list, name, parsed));
                    }
                    Err(error) => errors.push(OwnedDiagnostic::of(&error)),
                }
            }
            let files = read.iter().map(|(list, name, parsed)| (*list, name.as_str(), *parsed));
            Objects::read(&arena, *dialect, files)
        });
        // Without one of its files, the objects of it would seem to have been removed.
        if errors.is_empty() {
            let [old, new] = &states;
            let mut changed = changes(old, new);
            if !shows_sensitive && changed.iter().any(Change::rests_on_others) {
                for (at, state) in states.iter_mut().enumerate() {
                    if let Some(module) = pair[at] {
                        state.hide(&secrets[at].of(module, None));
                    }
                }
                let [old, new] = &states;
                changed = changes(old, new);
            }
            for change in &changed {
                change.write(path, shows_sensitive, list.element());
            }
        }
        gaps.extend(errors.iter().map(|it| (it.range.filename.clone(), it.summary.to_string())));
        found.extend(errors.into_iter().map(Diagnostic::from));
        drop(states);
        arena.reset();
    }
    list.end();
    object.end();
    // Writing into memory does not fail.
    let _ = writer.finish();
    (text, found, gaps)
}

/// Returns the effect of a change of configuration on the values of a root module, in the shape of one root of
/// `simd-hcl review`.
pub(crate) fn review<'py>(
    py: Python<'py>,
    sides: &[Side<'_>; 2],
    inputs: &Inputs,
) -> PyResult<Bound<'py, PyAny>> {
    let (text, found, gaps) = py.detach(|| evaluate(sides, inputs))?;
    answer(py, &text, found, gaps)
}

fn evaluate(sides: &[Side<'_>; 2], inputs: &Inputs) -> PyResult<(Vec<u8>, Vec<Diagnostic>, Gaps)> {
    let arena = Arena::new();
    let trees = sides.map(|side| View::load(&arena, side.modules.to_vec(), side.options));
    let [before, after] = &trees;
    let place = root_of(after, inputs.root.as_deref())?;
    let files = &after.modules()[place].files;
    let key = (sides[1].path_from_given(files), files.dialect);
    let earlier = before
        .modules()
        .iter()
        .position(|module| (sides[0].path_from_given(&module.files), module.files.dialect) == key);
    let options = ReviewOptions::default().with_sensitive(inputs.show_sensitive);
    let mut found = Vec::new();
    // The earlier version may not have all of the variables.
    let review: Review =
        with_inputs((after, sides[1].paths), place, inputs, &mut found, |given| {
            let declared = &after.modules()[place].module.variables;
            if let Some(name) = given.flags().into_iter().find(|name| declared.get(*name).is_none())
            {
                let message = format!("the module declares no variable {name:?}");
                return Err(PyValueError::new_err(message));
            }
            let new = Version { tree: after, root: place, inputs: given };
            let Some(root) = earlier else { return Ok(reviewed(None, Some(new), &options)) };
            with_inputs((before, sides[0].paths), root, inputs, &mut Vec::new(), |given| {
                let old = Version { tree: before, root, inputs: given };
                Ok(reviewed(Some(old), Some(new), &options))
            })
        })?;
    let mut text = Vec::new();
    let mut writer = Writer::new(&mut text, Layout::Compact);
    let mut object = writer.value().object();
    object.key("path").string(&path_of(&after.modules()[place].files.directory()));
    review.write_into(&mut object);
    object.end();
    // Writing into memory does not fail.
    let _ = writer.finish();
    let mut gaps: Gaps = sides.iter().flat_map(|side| side.gaps.iter().cloned()).collect();
    gaps.extend(review.gaps.into_iter().map(|gap| {
        let version = match gap.version {
            VersionName::Before => "before",
            _ => "after",
        };
        (format!("{version}: {}", gap.place), gap.why)
    }));
    Ok((text, error::owned(&found), gaps))
}

/// Returns the JSON of an answer as a dictionary, with its diagnostics and gaps.
fn answer<'py>(
    py: Python<'py>,
    text: &[u8],
    found: Vec<Diagnostic>,
    gaps: Gaps,
) -> PyResult<Bound<'py, PyAny>> {
    let document = OwnedDocument::parse("answer.json", text);
    let document = document.map_err(|error| error::syntax_error(*error))?;
    let answer = document.with(|document| to_python(py, document.root()))?;
    let diagnostics = PyList::empty(py);
    for diagnostic in found {
        diagnostics.append(Py::new(py, diagnostic)?)?;
    }
    answer.set_item("diagnostics", diagnostics)?;
    answer.set_item("incomplete", gaps)?;
    Ok(answer)
}
