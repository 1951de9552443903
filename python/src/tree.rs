//! Trees: all modules below some directories, with their objects, references and findings.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use simd_hcl::diagnostic::Label;
use simd_hcl::dialect::{BlockKind, root_schema};
use simd_hcl::directory::{DecodeOptions, DiscoverOptions, Discovery, ModuleFiles, discover};
use simd_hcl::rules::{self, Group, RULES, RuleSet, Selection};
use simd_hcl::show::BodySchemas;
use simd_hcl::structure::Item;
use simd_hcl::suggest::nearest;
use simd_hcl::tree::{Link as CallLink, Origin, Tree as View, TreeOptions};
use simd_hcl::{Code, Dialect, OwnedDiagnostic, OwnedTree, ParsedFile, Severity, Source};

use crate::compare::{self, Side};
use crate::document::{Block, Body};
use crate::error::{Diagnostic, Range};
use crate::expand;
use crate::files::{kind_of, path_of};
use crate::shared::{BlockFamily, BlockView, DeclarationFamily, Shared};
use crate::table::{Columns, sequence};

/// All modules below some directories, linked by their calls.
#[pyclass(frozen, module = "simd_hcl")]
pub(crate) struct Tree(Arc<Loaded>);

/// The state that the objects of a tree share.
struct Loaded {
    tree: Arc<OwnedTree>,
    /// The paths that were given.
    paths: Vec<PathBuf>,
    /// The files of the modules there.
    modules: Vec<ModuleFiles>,
    options: TreeOptions,
    gaps: Vec<(String, String)>,
    links: OnceLock<Links>,
}

/// The references of a tree, and their places in it by the module and the address at both ends.
struct Links {
    all: Arc<Vec<Link>>,
    from: PlacesOf,
    to: PlacesOf,
}

/// The places of references in a list, by module and address.
type PlacesOf = HashMap<(String, String), Vec<usize>>;

impl Loaded {
    fn links(&self) -> &Links {
        self.links.get_or_init(|| {
            let all = self.tree.with(references_of);
            let (mut from, mut to) = (HashMap::new(), HashMap::new());
            for (place, link) in all.iter().enumerate() {
                let of = |address: &String| (link.module.clone(), address.clone());
                from.entry(of(&link.source)).or_insert_with(Vec::new).push(place);
                to.entry(of(&link.target)).or_insert_with(Vec::new).push(place);
            }
            Links { all: Arc::new(all), from, to }
        })
    }
}

/// Paths that were not found or have nothing to read, and why.
fn gaps_of(discovery: &Discovery) -> Vec<(String, String)> {
    let path = |path: &PathBuf| path.to_string_lossy().into_owned();
    let problems = discovery.problems.iter().map(|it| (path(&it.path), it.message.clone()));
    let nothing = discovery.nothing.iter();
    let nothing = nothing.map(|(at, why)| (path(at), format!("nothing to read ({why})")));
    problems.chain(nothing).collect()
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
            let modules = discovery.modules.clone();
            let tree = OwnedTree::load_with(discovery.modules, &options, |arena, tree| {
                tree.check_bodies(&BodySchemas::built_in(arena));
                tree.check_files();
                tree.check_roots(|_| None);
            });
            let (tree, links) = (Arc::new(tree), OnceLock::new());
            Self(Arc::new(Loaded { tree, paths, modules, options, gaps, links }))
        }))
    }

    /// The modules, in the order of their paths.
    #[getter]
    fn modules(&self) -> Vec<Module> {
        self.0.tree.with(|tree| {
            let path = |place: usize| path_of(&tree.modules()[place].files.directory());
            let mut callers: Vec<Vec<(String, String)>> = vec![Vec::new(); tree.modules().len()];
            for (place, module) in tree.modules().iter().enumerate() {
                for (call, link) in module.module.calls.iter().zip(&module.links) {
                    if let CallLink::Module(called) = link {
                        callers[*called].push((path(place), format!("module.{}", call.name)));
                    }
                }
            }
            let roots = tree.roots();
            let modules = tree.modules().iter().zip(callers).zip(roots);
            let modules = modules.filter(|((it, _), _)| it.origin == Origin::Given);
            let modules = modules.map(|((it, callers), is_root)| Module {
                path: path_of(&it.files.directory()),
                dialect: it.files.dialect.to_string(),
                files: files_of(&it.files),
                is_root,
                callers,
            });
            let templates = tree.templates().iter().map(|it| Module {
                path: path_of(&it.files.directory()),
                dialect: it.files.dialect.to_string(),
                files: files_of(&it.files),
                is_root: true,
                callers: Vec::new(),
            });
            modules.chain(templates).collect()
        })
    }

    /// Everything that the modules declare.
    #[getter]
    fn objects(&self, py: Python<'_>) -> Objects {
        py.detach(|| Objects::new(objects_of(&self.0, |_| true)))
    }

    /// The resources, data sources and ephemeral resources; the sources of Packer.
    #[getter]
    fn resources(&self, py: Python<'_>) -> Objects {
        let is_resource = |kind| {
            use BlockKind::{Data, Ephemeral, Resource, Source};
            matches!(kind, Resource | Data | Ephemeral | Source)
        };
        py.detach(|| Objects::new(objects_of(&self.0, is_resource)))
    }

    /// The references between the objects of each module.
    #[getter]
    fn references(&self, py: Python<'_>) -> References {
        py.detach(|| References(Arc::clone(&self.0.links().all)))
    }

    /// The errors and warnings, by file and place.
    #[getter]
    fn diagnostics(&self, py: Python<'_>) -> Diagnostics {
        sorted(py.detach(|| {
            self.0.tree.with(|tree| tree.diagnostics().map(OwnedDiagnostic::of).collect())
        }))
    }

    /// The errors and warnings, and the findings of rules.
    #[pyo3(signature = (*, select=Vec::new(), ignore=Vec::new(), preview=false))]
    fn check(
        &self,
        py: Python<'_>,
        select: Vec<String>,
        ignore: Vec<String>,
        preview: bool,
    ) -> PyResult<Diagnostics> {
        let sets = |names: &[String]| -> PyResult<Vec<RuleSet>> {
            names.iter().map(|name| rule_set(name)).collect()
        };
        let (select, ignore) = (sets(&select)?, sets(&ignore)?);
        let selection = Selection::of_sets(&select, &ignore, preview);
        Ok(sorted(py.detach(|| {
            self.0.tree.with(|tree| {
                let of_rules = rules::check(tree, &selection);
                // The tree reports what some rules find, whether or not they are selected.
                let is_selected =
                    |code: Code| rules::rule(code.as_str()).is_none_or(|rule| selection.has(rule));
                let of_tree = tree.diagnostics().filter(|it| is_selected(it.code()));
                of_tree.chain(&of_rules).map(OwnedDiagnostic::of).collect()
            })
        })))
    }

    /// The gaps: paths that could not be read, and why. Empty if nothing is missing.
    #[getter]
    fn incomplete(&self) -> Vec<(String, String)> {
        let mut gaps = self.0.gaps.clone();
        self.0.tree.with(|tree| {
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

    /// The values of a root module and of the modules that it calls.
    #[pyo3(signature = (
        root=None, *, variables=None, var_files=Vec::new(), workspace=None, show_sensitive=false
    ))]
    fn expand<'py>(
        &self,
        py: Python<'py>,
        root: Option<PathBuf>,
        variables: Option<BTreeMap<String, String>>,
        var_files: Vec<PathBuf>,
        workspace: Option<String>,
        show_sensitive: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let inputs = expand::Inputs::new(root, variables, var_files, workspace, show_sensitive);
        let values = expand::values(py, (&self.0.tree, &self.0.paths), &inputs)?;
        values.set_item("incomplete", self.incomplete())?;
        Ok(values)
    }

    /// The modules that changes of some files affect.
    fn affected<'py>(&self, py: Python<'py>, files: Vec<PathBuf>) -> PyResult<Bound<'py, PyAny>> {
        let answer = expand::affected(py, &self.0.tree, &files)?;
        answer.get_item("incomplete")?.call_method1("extend", (self.incomplete(),))?;
        Ok(answer)
    }

    /// The objects and values that differ from those of an earlier tree.
    #[pyo3(signature = (before, *, show_sensitive=false))]
    fn diff<'py>(
        &self,
        py: Python<'py>,
        before: &Self,
        show_sensitive: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let sides = [before.side(), self.side()];
        compare::differences(py, &sides, show_sensitive)
    }

    /// Returns the effect of a change of configuration on the values of a root module.
    #[pyo3(signature = (
        before, root=None, *, variables=None, var_files=Vec::new(), workspace=None, show_sensitive=false
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are those of `expand`")]
    fn review<'py>(
        &self,
        py: Python<'py>,
        before: &Self,
        root: Option<PathBuf>,
        variables: Option<BTreeMap<String, String>>,
        var_files: Vec<PathBuf>,
        workspace: Option<String>,
        show_sensitive: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let inputs = expand::Inputs::new(root, variables, var_files, workspace, show_sensitive);
        compare::review(py, &[before.side(), self.side()], &inputs)
    }

    fn __repr__(&self) -> String {
        format!("<Tree of {} modules>", self.modules().len())
    }
}

impl Tree {
    /// The tree as one of two that are compared.
    fn side(&self) -> Side<'_> {
        let Loaded { paths, modules, options, gaps, .. } = &*self.0;
        Side { paths, modules, options, gaps }
    }
}

/// The rules of a name.
fn rule_set(name: &str) -> PyResult<RuleSet> {
    let message = || {
        let names = RULES.iter().map(|rule| rule.name());
        let groups = Group::ALL.iter().map(|group| group.as_str());
        match nearest(name, names.chain(groups).chain(["all"])) {
            Some(nearest) => format!("no rule has the name {name:?}; did you mean {nearest:?}?"),
            None => format!("no rule has the name {name:?}"),
        }
    };
    RuleSet::from_name(name).ok_or_else(|| PyValueError::new_err(message()))
}

/// Diagnostics by file and place.
fn sorted(mut found: Vec<OwnedDiagnostic>) -> Diagnostics {
    found.sort_by(|left, right| {
        let key = |it: &OwnedDiagnostic| (it.range.start.byte, it.range.end.byte);
        left.range.filename.cmp(&right.range.filename).then(key(left).cmp(&key(right)))
    });
    Diagnostics::new(found.into_iter().map(Diagnostic::from).collect())
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
    is_root: bool,
    /// The modules that call it, and the addresses of the calls.
    callers: Vec<(String, String)>,
}

#[pymethods]
impl Module {
    fn __repr__(&self) -> String {
        format!("<Module {}>", self.path)
    }
}

/// Something that a module declares.
#[pyclass(frozen, name = "Object", module = "simd_hcl")]
#[derive(Clone)]
pub(crate) struct Declared {
    #[pyo3(get)]
    module: String,
    #[pyo3(get)]
    kind: String,
    #[pyo3(get)]
    address: String,
    #[pyo3(get)]
    range: Range,
    declaration: Shared<DeclarationFamily>,
    loaded: Arc<Loaded>,
}

impl Declared {
    fn links(&self, ends: fn(&Links) -> &PlacesOf) -> Vec<Link> {
        let links = self.loaded.links();
        let places = ends(links).get(&(self.module.clone(), self.address.clone()));
        places.into_iter().flatten().map(|place| links.all[*place].clone()).collect()
    }
}

#[pymethods]
impl Declared {
    /// The block that declares it; of a local value, the block that has it.
    #[getter]
    fn block(&self) -> Option<Block> {
        self.declaration.try_map::<BlockFamily>(|block, _| block).map(Block)
    }

    /// The body of the block.
    #[getter]
    fn body(&self) -> Option<Body> {
        Some(self.block()?.body())
    }

    /// The attributes of the block by name.
    #[getter]
    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.body().map_or_else(|| Ok(PyDict::new(py)), |body| body.attributes(py))
    }

    /// The type of a resource.
    #[getter]
    fn r#type(&self) -> Option<String> {
        let labels = self.block()?.labels();
        (labels.len() > 1).then(|| labels.into_iter().next()).flatten()
    }

    /// The name: the last part of the address.
    #[getter]
    fn name(&self) -> &str {
        self.address.rsplit('.').next().unwrap_or_default()
    }

    /// The references in it.
    #[getter]
    fn references(&self, py: Python<'_>) -> References {
        References::new(py.detach(|| self.links(|links| &links.from)))
    }

    /// The references to it in its module.
    #[getter]
    fn referenced_by(&self, py: Python<'_>) -> References {
        References::new(py.detach(|| self.links(|links| &links.to)))
    }

    fn __repr__(&self) -> String {
        format!("<Object {}>", self.address)
    }
}

/// The blocks of files, by the file and the first byte.
struct Blocks<'a>(Vec<(u32, u32, u32, BlockView<'a>)>);

impl<'a> Blocks<'a> {
    fn of(files: impl Iterator<Item = ParsedFile<'a>>) -> Self {
        let mut blocks = Vec::new();
        for file in files {
            let id = file.source().id();
            let mut add = |view: BlockView<'a>| {
                let (span, definition) = (view.span(), view.definition_span());
                let start = span.start.min(definition.start);
                blocks.push((id, start, span.end.max(definition.end), view));
            };
            match file.as_native() {
                Some(native) => {
                    for item in native.body().items() {
                        if let Item::Block(block) = item {
                            add(BlockView::Native(block));
                        }
                    }
                }
                None => {
                    let kind = kind_of(file.source().name());
                    if let Some(schema) = kind.and_then(|(it, list)| root_schema(it, list)) {
                        let (content, _) = file.body().partial_content(schema, &mut ());
                        content.all_blocks().iter().for_each(|it| add(BlockView::Json(*it)));
                    }
                }
            }
        }
        blocks.sort_by_key(|(id, start, _, _)| (*id, *start));
        Self(blocks)
    }

    /// The block around a place.
    fn around(&self, label: Label<'_>) -> Option<BlockView<'a>> {
        let (id, at) = (label.source.id(), label.span.start);
        let after = self.0.partition_point(|(of, start, ..)| (*of, *start) <= (id, at));
        let (of, _, end, view) = self.0.get(after.checked_sub(1)?)?;
        (*of == id && at < *end).then_some(*view)
    }
}

/// The objects of these kinds in the files that were asked for.
fn objects_of(loaded: &Arc<Loaded>, is_wanted: fn(BlockKind) -> bool) -> Vec<Declared> {
    let found = Shared::<DeclarationFamily>::of_tree(&loaded.tree, |tree, _| {
        let mut found = Vec::new();
        for module in tree.given() {
            let blocks = Blocks::of(module.configuration.iter().map(|(_, file)| *file));
            let (path, asked_for) = (path_of(&module.files.directory()), module.files.asked_for());
            for object in module.module.objects() {
                let kind = object.block_kind();
                let Some(label) = module.module.declaration(object) else { continue };
                if is_wanted(kind) && asked_for.contains(label.source.name()) {
                    let range = Range::of(label.source, label.span);
                    let facts = (path.clone(), kind.name(), object.to_string(), range);
                    found.push((facts, blocks.around(label)));
                }
            }
        }
        for template in tree.templates() {
            let path = path_of(&template.files.directory());
            let asked_for = template.files.asked_for();
            for object in template.template.objects() {
                let kind = object.block_kind();
                let Some(label) = template.template.declaration(object) else { continue };
                if is_wanted(kind) && asked_for.contains(label.source.name()) {
                    let range = Range::of(label.source, label.span);
                    let facts = (path.clone(), kind.name(), object.to_string(), range);
                    found.push((facts, None));
                }
            }
        }
        found
    });
    let declared = |((module, kind, address, range), declaration)| Declared {
        module,
        kind: String::from(kind),
        address,
        range,
        declaration,
        loaded: Arc::clone(loaded),
    };
    found.into_iter().map(declared).collect()
}

sequence! {
    /// The declarations of modules.
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
            let place = reference.label;
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
