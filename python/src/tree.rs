//! Trees: all modules below some directories, with their objects, references and findings.

use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use simd_hcl::diagnostic::Label;
use simd_hcl::dialect::BlockKind;
use simd_hcl::directory::{
    DecodeOptions, DiscoverOptions, Discovery, Location, ModuleFiles, discover,
};
use simd_hcl::show::BodySchemas;
use simd_hcl::tree::{Tree as View, TreeOptions};
use simd_hcl::{Dialect, OwnedDiagnostic, OwnedTree, Severity, Source};

use crate::error::{Diagnostic, Range};
use crate::table::{Columns, sequence};

/// All modules below some directories, linked by their calls.
#[pyclass(frozen, module = "simd_hcl")]
pub(crate) struct Tree {
    tree: OwnedTree,
    gaps: Vec<(String, String)>,
}

/// Paths that were not found or have nothing to read, and why.
fn gaps_of(discovery: &Discovery) -> Vec<(String, String)> {
    let path = |path: &PathBuf| path.to_string_lossy().into_owned();
    let problems = discovery.problems.iter().map(|it| (path(&it.path), it.message.clone()));
    let nothing = discovery.nothing.iter();
    let nothing = nothing.map(|(at, why)| (path(at), format!("nothing to read ({why})")));
    problems.chain(nothing).collect()
}

fn path_of(directory: &Location) -> String {
    let path = directory.to_string_lossy();
    if path.is_empty() { ".".to_owned() } else { path.into_owned() }
}

#[pymethods]
impl Tree {
    /// Reads and checks all modules below some paths.
    #[staticmethod]
    #[pyo3(signature = (*paths, dialect=None, ignore_files=false, follow_links=false))]
    fn load(
        py: Python<'_>,
        paths: Vec<PathBuf>,
        dialect: Option<&str>,
        ignore_files: bool,
        follow_links: bool,
    ) -> PyResult<Self> {
        let dialect = match dialect {
            Some(name) => Some(name.parse::<Dialect>().map_err(|_| {
                PyValueError::new_err(format!(
                    "dialect must be 'opentofu', 'terraform' or 'packer', not {name:?}"
                ))
            })?),
            None => None,
        };
        Ok(py.detach(|| {
            let options = DiscoverOptions::default()
                .with_dialect(dialect)
                .with_ignore_files(ignore_files)
                .with_follow_links(follow_links);
            let discovery = discover(&paths, &options);
            let gaps = gaps_of(&discovery);
            let decode = DecodeOptions::default().with_follow_links(follow_links);
            let options = TreeOptions::default().with_decode(decode);
            let tree = OwnedTree::load_with(discovery.modules, &options, |arena, tree| {
                tree.check_bodies(&BodySchemas::built_in(arena));
                tree.check_files();
                tree.check_roots(|_| None);
            });
            Self { tree, gaps }
        }))
    }

    /// The modules, in the order of their paths.
    #[getter]
    fn modules(&self) -> Vec<Module> {
        self.tree.with(|tree| {
            let modules = tree.given().map(|it| Module {
                path: path_of(&it.files.directory()),
                dialect: it.files.dialect.to_string(),
                files: files_of(&it.files),
            });
            let templates = tree.templates().iter().map(|it| Module {
                path: path_of(&it.files.directory()),
                dialect: it.files.dialect.to_string(),
                files: files_of(&it.files),
            });
            modules.chain(templates).collect()
        })
    }

    /// Everything that the modules declare.
    #[getter]
    fn objects(&self, py: Python<'_>) -> Objects {
        py.detach(|| Objects::new(self.tree.with(|tree| objects_of(tree, |_| true))))
    }

    /// The resources, data sources and ephemeral resources; the sources of Packer.
    #[getter]
    fn resources(&self, py: Python<'_>) -> Objects {
        let is_resource = |kind| {
            use BlockKind::{Data, Ephemeral, Resource, Source};
            matches!(kind, Resource | Data | Ephemeral | Source)
        };
        py.detach(|| Objects::new(self.tree.with(|tree| objects_of(tree, is_resource))))
    }

    /// The references between the objects of each module.
    #[getter]
    fn references(&self, py: Python<'_>) -> References {
        py.detach(|| References::new(self.tree.with(references_of)))
    }

    /// The errors and warnings, by file and place.
    #[getter]
    fn diagnostics(&self, py: Python<'_>) -> Diagnostics {
        let mut found = py.detach(|| {
            self.tree.with(|tree| tree.diagnostics().map(OwnedDiagnostic::of).collect::<Vec<_>>())
        });
        found.sort_by(|left, right| {
            let key = |it: &OwnedDiagnostic| (it.range.start.byte, it.range.end.byte);
            left.range.filename.cmp(&right.range.filename).then(key(left).cmp(&key(right)))
        });
        Diagnostics::new(found.into_iter().map(Diagnostic::from).collect())
    }

    /// What could not be read: paths, and why. Empty if nothing is missing.
    #[getter]
    fn incomplete(&self) -> Vec<(String, String)> {
        let mut gaps = self.gaps.clone();
        self.tree.with(|tree| {
            let mut add = |undecoded: &[Source<'_>], found: &[simd_hcl::Diagnostic<'_>]| {
                for source in undecoded {
                    let mut errors = found.iter().filter(|it| it.severity() == Severity::Error);
                    let reason = errors.find(|it| it.source().id() == source.id());
                    let why = reason.map_or("not decoded", |it| it.summary());
                    gaps.push((source.name().to_owned(), why.to_owned()));
                }
            };
            tree.modules().iter().for_each(|it| add(&it.undecoded, &it.diagnostics));
            tree.templates().iter().for_each(|it| add(&it.undecoded, &it.diagnostics));
            for module in tree.modules() {
                for (call, link) in module.module.calls.iter().zip(&module.links) {
                    if let Some(why) = link.missing() {
                        let place = format!("{}:module.{}", path_of(&module.files.path), call.name);
                        gaps.push((place, why.to_owned()));
                    }
                }
            }
        });
        gaps
    }

    fn __repr__(&self) -> String {
        format!("<Tree of {} modules>", self.modules().len())
    }
}

fn files_of(files: &ModuleFiles) -> Vec<String> {
    let read = files.files.iter().filter(|file| file.is_read());
    read.map(|file| file.path.to_string_lossy().into_owned()).collect()
}

/// A module or a template of a tree.
#[pyclass(frozen, get_all, module = "simd_hcl")]
pub(crate) struct Module {
    path: String,
    dialect: String,
    files: Vec<String>,
}

#[pymethods]
impl Module {
    fn __repr__(&self) -> String {
        format!("<Module {}>", self.path)
    }
}

/// Something that a module declares.
#[pyclass(frozen, get_all, name = "Object", module = "simd_hcl")]
#[derive(Clone)]
pub(crate) struct Declared {
    module: String,
    kind: String,
    address: String,
    range: Range,
}

#[pymethods]
impl Declared {
    fn __repr__(&self) -> String {
        format!("<Object {}>", self.address)
    }
}

/// The objects of these kinds in the files that were asked for.
fn objects_of(tree: &View<'_>, is_wanted: fn(BlockKind) -> bool) -> Vec<Declared> {
    let mut found = Vec::new();
    let mut add =
        |files: &ModuleFiles, kind: BlockKind, address: String, label: Option<Label<'_>>| {
            let Some(label) = label else { return };
            if is_wanted(kind) && files.asked_for().contains(label.source.name()) {
                found.push(Declared {
                    module: path_of(&files.directory()),
                    kind: kind.name().to_owned(),
                    address,
                    range: Range::of(label.source, label.span),
                });
            }
        };
    for module in tree.given() {
        for object in module.module.objects() {
            let label = module.module.declaration(object);
            add(&module.files, object.block_kind(), object.to_string(), label);
        }
    }
    for template in tree.templates() {
        for object in template.template.objects() {
            let label = template.template.declaration(object);
            add(&template.files, object.block_kind(), object.to_string(), label);
        }
    }
    found
}

sequence! {
    /// What modules declare.
    Objects of Declared, Declared
}

impl Objects {
    fn columns(&self) -> Columns {
        let mut columns = Columns::default();
        columns.text("module", self.0.iter().map(|it| Some(it.module.as_str())));
        columns.text("kind", self.0.iter().map(|it| Some(it.kind.as_str())));
        columns.text("address", self.0.iter().map(|it| Some(it.address.as_str())));
        columns.places(self.0.iter().map(|it| &it.range));
        columns
    }
}

/// A reference from an object to another.
#[pyclass(frozen, get_all, module = "simd_hcl")]
#[derive(Clone)]
pub(crate) struct Link {
    module: String,
    source: String,
    target: String,
    kind: String,
    text: String,
    range: Range,
}

#[pymethods]
impl Link {
    fn __repr__(&self) -> String {
        format!("<Link {} -> {}>", self.source, self.target)
    }
}

fn references_of(tree: &View<'_>) -> Vec<Link> {
    let mut found = Vec::new();
    for module in tree.given() {
        let path = path_of(&module.files.directory());
        let asked_for = module.files.asked_for();
        module.module.visit_references(|object, _, traversal| {
            let source = traversal.source();
            if !asked_for.contains(source.name()) {
                return;
            }
            let (target, kind) = module.module.target(traversal);
            found.push(Link {
                module: path.clone(),
                source: object.to_string(),
                target,
                kind: kind.to_owned(),
                text: traversal.to_string(),
                range: Range::of(source, traversal.span()),
            });
        });
    }
    for template in tree.templates() {
        let path = path_of(&template.files.directory());
        let asked_for = template.files.asked_for();
        template.template.visit_references(|object, reference| {
            let place = reference.place;
            if !asked_for.contains(place.source.name()) {
                return;
            }
            let text = reference.to_string();
            let (target, kind) = match &reference.subject {
                Ok(subject) => (subject.to_string(), subject.kind()),
                Err(_) => (text.clone(), "unknown"),
            };
            found.push(Link {
                module: path.clone(),
                source: object.to_string(),
                target,
                kind: kind.to_owned(),
                text,
                range: Range::of(place.source, place.span),
            });
        });
    }
    found
}

sequence! {
    /// The references of a tree.
    References of Link, Link
}

impl References {
    fn columns(&self) -> Columns {
        let mut columns = Columns::default();
        columns.text("module", self.0.iter().map(|it| Some(it.module.as_str())));
        columns.text("source", self.0.iter().map(|it| Some(it.source.as_str())));
        columns.text("target", self.0.iter().map(|it| Some(it.target.as_str())));
        columns.text("kind", self.0.iter().map(|it| Some(it.kind.as_str())));
        columns.text("text", self.0.iter().map(|it| Some(it.text.as_str())));
        columns.places(self.0.iter().map(|it| &it.range));
        columns
    }
}

sequence! {
    /// Errors and warnings.
    Diagnostics of Diagnostic, Diagnostic
}

impl Diagnostics {
    fn columns(&self) -> Columns {
        let rows = || self.0.iter();
        let mut columns = Columns::default();
        columns.text("severity", rows().map(|it| Some(it.severity.as_str())));
        columns.text("code", rows().map(|it| Some(it.code.as_str())));
        columns.text("summary", rows().map(|it| Some(it.summary.as_str())));
        columns.text("detail", rows().map(|it| Some(it.detail.as_str())));
        columns.text("help", rows().map(|it| it.help.as_deref()));
        columns.places(rows().map(|it| &it.range));
        columns
    }
}
