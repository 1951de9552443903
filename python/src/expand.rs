//! The values of a tree, and the modules that changed files affect.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use simd_hcl::expand::{Inputs as Given, Selection};
use simd_hcl::functions::{Environment, Folder};
use simd_hcl::tree::{Origin, Tree as View};
use simd_hcl::write::{Layout, Writer};
use simd_hcl::{Diagnostic as Found, OwnedDocument, OwnedTree, ParsedFile};

use crate::error::{self, Diagnostic};
use crate::files::path_of;
use crate::value::to_python;

/// The inputs of the evaluation of a root module.
pub(crate) struct Inputs {
    pub(crate) root: Option<PathBuf>,
    /// The texts of variables.
    pub(crate) variables: BTreeMap<String, String>,
    pub(crate) var_files: Vec<PathBuf>,
    pub(crate) workspace: Option<String>,
    pub(crate) show_sensitive: bool,
}

impl Inputs {
    pub(crate) fn new(
        root: Option<PathBuf>,
        variables: Option<BTreeMap<String, String>>,
        var_files: Vec<PathBuf>,
        workspace: Option<String>,
        show_sensitive: bool,
    ) -> Self {
        let variables = variables.unwrap_or_default();
        Self { root, variables, var_files, workspace, show_sensitive }
    }
}

/// An empty path is the working directory.
fn or_here(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

/// The index of the root module in the tree.
pub(crate) fn root_of(tree: &View<'_>, root: Option<&Path>) -> PyResult<usize> {
    let modules = tree.modules().iter().zip(tree.roots()).enumerate();
    let modules = modules.filter(|(_, (it, _))| it.origin == Origin::Given);
    let Some(root) = root else {
        let roots: Vec<_> = modules.filter(|(_, (_, is_root))| *is_root).collect();
        return match roots.as_slice() {
            [(place, _)] => Ok(*place),
            _ => {
                let names = roots.iter().map(|(_, (it, _))| path_of(&it.files.directory()));
                let names = names.collect::<Vec<_>>().join(", ");
                let message = format!("the tree has {} root modules: {names}", roots.len());
                Err(PyValueError::new_err(message))
            }
        };
    };
    let wanted = or_here(root).canonicalize().map_err(|error| error::os_error(&error, root))?;
    let is_wanted = |directory: &Path| {
        or_here(directory).canonicalize().is_ok_and(|directory| directory == wanted)
    };
    let mut modules = modules;
    let found = modules.find(|(_, (it, _))| it.files.directory().disk().is_some_and(is_wanted));
    found.map(|(place, _)| place).ok_or_else(|| {
        PyValueError::new_err(format!("{} is not a module of the tree", root.display()))
    })
}

/// The values of a root module and the modules that it calls, in the shape of `simd-hcl expand`. `paths`
/// are those that the tree was read from.
pub(crate) fn values<'py>(
    py: Python<'py>,
    (tree, paths): (&OwnedTree, &[PathBuf]),
    inputs: &Inputs,
) -> PyResult<Bound<'py, PyAny>> {
    let (text, found) = py.detach(|| tree.with(|tree| evaluate(tree, paths, inputs)))?;
    let document = OwnedDocument::parse("values.json", &text);
    let document = document.map_err(|error| error::syntax_error(*error))?;
    let values = document.with(|document| to_python(py, document.root()))?;
    let list = PyList::empty(py);
    for diagnostic in found {
        list.append(Py::new(py, diagnostic)?)?;
    }
    values.set_item("diagnostics", list)?;
    Ok(values)
}

fn evaluate<'a>(
    tree: &View<'a>,
    paths: &[PathBuf],
    inputs: &Inputs,
) -> PyResult<(Vec<u8>, Vec<Diagnostic>)> {
    let place = root_of(tree, inputs.root.as_deref())?;
    let mut found = Vec::new();
    let (text, of_values) = with_inputs((tree, paths), place, inputs, &mut found, |given| {
        let declared = &tree.modules()[place].module.variables;
        if let Some(name) = given.flags().into_iter().find(|name| declared.get(*name).is_none()) {
            let message = format!("the module declares no variable {name:?}");
            return Err(PyValueError::new_err(message));
        }
        let expansion = tree.expand(place, given);
        expansion.check_conditions();
        let mut text = Vec::new();
        let mut writer = Writer::new(&mut text, Layout::Compact);
        let mut object = writer.value().object();
        expansion.write_into(&Selection::default(), &mut object);
        object.end();
        // Writing into memory does not fail.
        let _ = writer.finish();
        Ok((text, error::owned(&expansion.diagnostics())))
    })?;
    let mut found = error::owned(&found);
    found.extend(of_values);
    Ok((text, found))
}

/// Passes the inputs of the evaluation of a root module to `work`, and the problems of files of variables
/// to `found`. Functions read files below `paths`, those that the tree was read from.
pub(crate) fn with_inputs<'a, T>(
    (tree, paths): (&View<'a>, &[PathBuf]),
    root: usize,
    inputs: &Inputs,
    found: &mut Vec<Found<'a>>,
    work: impl FnOnce(&Given<'_, 'a>) -> PyResult<T>,
) -> PyResult<T> {
    let module = &tree.modules()[root];
    let Some(source) = module.sources.first() else {
        return Err(PyValueError::new_err("the module has no files"));
    };
    let arena = source.arena();
    let directory = module.files.directory();
    let directory = directory.disk().map(or_here);
    let folder = directory.and_then(|path| Folder::new(path).ok());
    // Files below the paths that were given belong to the tree.
    let boundary = directory.and_then(|directory| {
        let directory = directory.canonicalize().ok()?;
        let given = paths.iter().filter_map(|path| or_here(path).canonicalize().ok());
        given.filter(|path| directory.starts_with(path)).min_by_key(|path| path.as_os_str().len())
    });
    let folder = match (folder, boundary) {
        (Some(folder), Some(boundary)) => Some(folder.with_boundary(boundary)),
        (folder, _) => folder,
    };
    let mut functions = Environment::new();
    if let Some(folder) = &folder {
        functions = functions.with_files(folder);
    }
    let mut given = Given::new(arena)
        .with_functions(&functions)
        .with_sensitive(inputs.show_sensitive)
        .with_workspace(inputs.workspace.as_deref().unwrap_or("default"));
    let absolute = directory.and_then(|path| std::path::absolute(path).ok());
    if let Some(path) = absolute.as_deref().and_then(Path::to_str) {
        given = given.with_directory(path.trim_end_matches("/."));
    }
    for path in &inputs.var_files {
        let file =
            ParsedFile::open(arena, path).map_err(|error| error::open_error(*error, path))?;
        given = given.with_file(file, found);
    }
    for (name, text) in &inputs.variables {
        given = given.with_variable(name, text);
    }
    work(&given)
}

/// The modules that changed files affect, in the shape of `simd-hcl affected`.
pub(crate) fn affected<'py>(
    py: Python<'py>,
    tree: &OwnedTree,
    files: &[PathBuf],
) -> PyResult<Bound<'py, PyAny>> {
    struct Step(Option<String>, Option<String>, String);
    type Modules = Vec<(String, bool, Vec<Step>)>;
    let name = |path: &PathBuf| path.to_string_lossy().into_owned();
    let (modules, gaps, unrelated) = py.detach(|| {
        tree.with(|tree| {
            let affected = tree.affected(files);
            let modules: Modules = affected
                .modules
                .iter()
                .map(|module| {
                    let steps = module.because.iter().map(|step| {
                        let address = step.object.map(|it| it.to_string());
                        Step(step.file.as_ref().map(name), address, path_of(&step.module))
                    });
                    (path_of(&module.path), module.is_root, steps.collect())
                })
                .collect();
            let mut gaps: Vec<(String, String)> = Vec::new();
            for gap in &affected.gaps {
                let place = match gap.object {
                    Some(object) => format!("{}:{object}", path_of(&gap.module)),
                    None => path_of(&gap.module),
                };
                gaps.push((place, gap.why.as_str().to_owned()));
            }
            for path in &affected.unassigned {
                let why = "no module of the tree is known to read it";
                gaps.push((name(path), why.to_owned()));
            }
            for place in &affected.unknown_places {
                gaps.push((name(&place.path), place.message.clone()));
            }
            (modules, gaps, affected.unrelated.iter().map(name).collect::<Vec<_>>())
        })
    });
    let answer = PyDict::new(py);
    let list = PyList::empty(py);
    for (path, is_root, steps) in modules {
        let because = PyList::empty(py);
        for Step(file, address, module) in steps {
            let step = PyDict::new(py);
            if let Some(file) = file {
                step.set_item("file", file)?;
            }
            if let Some(address) = address {
                step.set_item("address", address)?;
            }
            step.set_item("module", module)?;
            because.append(step)?;
        }
        let module = PyDict::new(py);
        module.set_item("path", path)?;
        module.set_item("root", is_root)?;
        module.set_item("because", because)?;
        list.append(module)?;
    }
    answer.set_item("modules", list)?;
    answer.set_item("unrelated", unrelated)?;
    answer.set_item("incomplete", gaps)?;
    Ok(answer.into_any())
}
