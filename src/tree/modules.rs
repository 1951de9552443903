//! The dependencies between whole modules: calls, states that other modules read, and roots.
//!
//! A module depends on the modules that it calls, whether or not it uses an output. A root module
//! depends on another one if it reads its state: by a data source `terraform_remote_state` with
//! literal settings that name the other module's backend.

use std::path::{Path, PathBuf};

use super::{Link, Tree, TreeModule, path};
use crate::body::{Attribute, Block};
use crate::dialect::List;
use crate::directory::Location;
use crate::expression::{Expression, Literal};
use crate::hash::HashMap;
use crate::module::{Module, Object, Resource};
use crate::reference::Mode;

/// A dependency of a module on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModuleEdge<'a> {
    /// The dependent module, by its index in [`Tree::modules`].
    pub from: usize,
    /// The module that it depends on.
    pub to: usize,
    /// The module call, or the data source that reads the other module's state.
    pub object: Object<'a>,
}

/// The dependencies between modules.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ModuleGraph<'a> {
    /// Sorted by the dependent module, then in the order of its objects.
    pub edges: Vec<ModuleEdge<'a>>,
    /// Data sources that read a state whose place is known only after evaluation: the module, and
    /// the data source.
    pub unknown_states: Vec<(usize, Object<'a>)>,
}

/// The modules of a tree by their directories.
#[derive(Debug)]
pub(crate) struct PlaceByDirectory {
    /// The working directory.
    base: PathBuf,
    places: HashMap<Location, usize>,
}

impl PlaceByDirectory {
    /// Cost: linear in the modules.
    pub(crate) fn of(tree: &Tree<'_>) -> Self {
        let base = std::env::current_dir().unwrap_or_default();
        let whole = tree.modules.iter().enumerate().filter(|(_, it)| !it.files.is_one_file());
        let places = whole.map(|(at, it)| (path::absolute(&base, &it.files.directory()), at));
        let places = places.collect();
        Self { base, places }
    }

    /// The place of the module in a directory, as it is written: links are not followed.
    pub(crate) fn at(&self, directory: &Location) -> Option<usize> {
        self.places.get(&path::absolute(&self.base, directory)).copied()
    }
}

impl<'a> Tree<'a> {
    /// The dependencies between modules.
    ///
    /// Cost: linear in the calls and data sources.
    #[must_use]
    pub fn module_graph(&self) -> ModuleGraph<'a> {
        let mut graph = ModuleGraph::default();
        let mut states: HashMap<State, Vec<usize>> = HashMap::default();
        // Without a working directory, paths are compared as they are.
        let base = std::env::current_dir().unwrap_or_default();
        for (place, module) in self.modules().iter().enumerate() {
            if let Some(state) = State::written_by(module, &base) {
                states.entry(state).or_default().push(place);
            }
        }
        for (from, module) in self.modules().iter().enumerate() {
            for (call, link) in module.module.calls.iter().zip(&module.links) {
                if let Link::Module(to) = *link {
                    let object = Object::ModuleCall(call.name);
                    graph.edges.push(ModuleEdge { from, to, object });
                }
            }
            let data = module.module.resources.iter().chain(checked(&module.module));
            for data in data.filter(|data| is_remote_state(data)) {
                let object = Object::Resource(data.address());
                match State::read_by(data, module, &base) {
                    Some(state) => {
                        let written = states.get(&state).map(Vec::as_slice).unwrap_or_default();
                        let others = written.iter().filter(|to| **to != from);
                        graph.edges.extend(others.map(|&to| ModuleEdge { from, to, object }));
                    }
                    None => graph.unknown_states.push((from, object)),
                }
            }
        }
        graph
    }

    /// For each module, how many of the `starts` lead to it by calls. A start leads to itself, and
    /// counts as often as it is given.
    ///
    /// Cost: at most linear in modules and calls for each start; much less, since 64 are counted at once.
    ///
    /// # Panics
    /// A start is not the place of a module.
    #[must_use]
    pub fn count_behind(&self, starts: &[usize]) -> Vec<usize> {
        let modules = self.modules();
        let mut counts = vec![0; modules.len()];
        let mut work = Vec::new();
        for part in starts.chunks(u64::BITS as usize) {
            let mut masks = vec![0_u64; modules.len()];
            for (bit, &start) in part.iter().enumerate() {
                masks[start] |= 1 << bit;
                work.push(start);
            }
            while let Some(place) = work.pop() {
                for link in &modules[place].links {
                    let Link::Module(called) = *link else { continue };
                    if masks[place] & !masks[called] != 0 {
                        masks[called] |= masks[place];
                        work.push(called);
                    }
                }
            }
            for (count, mask) in counts.iter_mut().zip(masks) {
                *count += mask.count_ones() as usize;
            }
        }
        counts
    }

    /// Whether each module is a root module: nothing calls it, and it has a backend, a provider block, an
    /// `import` block or variables that the tools load for root modules by themselves (`terraform.tfvars`);
    /// or [`TreeOptions::roots`](super::TreeOptions::roots) names it. A module with files that are not read
    /// counts as one if nothing calls it, since these may hold the block.
    #[must_use]
    pub fn roots(&self) -> Vec<bool> {
        let modules = self.modules().iter();
        modules.map(|it| it.is_named_root || !it.is_called && it.may_be_root()).collect()
    }
}

impl TreeModule<'_> {
    fn may_be_root(&self) -> bool {
        let settings = self.module.settings.iter().chain(&self.module.override_settings);
        let has_state = settings
            .flat_map(|settings| settings.blocks)
            .any(|block| matches!(block.block_type(), "backend" | "cloud" | "state_store"));
        let has_variables = || {
            let mut files = self.files.files.iter();
            files.any(|it| it.kind.list == List::Variables && it.is_read() && !it.is_in_tests())
        };
        has_state
            || !self.module.providers.is_empty()
            || !self.module.imports.is_empty()
            || self.withholds()
            || has_variables()
    }
}

/// The data sources in checks.
fn checked<'m, 'a>(module: &'m Module<'a>) -> impl Iterator<Item = &'m Resource<'a>> {
    module.checks.iter().filter_map(|check| check.data)
}

fn is_remote_state(data: &Resource<'_>) -> bool {
    data.mode == Mode::Data && data.address().resource_type == "terraform_remote_state"
}

/// Where a state is stored.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum State {
    /// In this local file.
    Local(Location),
    /// In a backend of this type, at the place that these settings name.
    Remote(String, Vec<(&'static str, String)>),
}

/// The settings that identify the place of a backend's state. The first one is required.
const IDENTITY: &[(&str, &[&str])] = &[
    ("s3", &["bucket", "key", "workspace_key_prefix"]),
    ("gcs", &["bucket", "prefix"]),
    ("azurerm", &["container_name", "key", "storage_account_name"]),
    ("http", &["address"]),
    ("consul", &["path", "address"]),
    ("pg", &["conn_str", "schema_name"]),
    ("kubernetes", &["secret_suffix", "namespace"]),
    ("oss", &["bucket", "prefix", "key"]),
    ("cos", &["bucket", "prefix", "key"]),
    ("remote", &["organization", "hostname", "workspaces"]),
];

impl State {
    /// The place of a module's state, if it is a root module; `None` if it is not literal.
    fn written_by(module: &TreeModule<'_>, base: &Path) -> Option<Self> {
        let directory = from_base(base, module.files.directory());
        let Some(block) = module.module.backend() else {
            return module.may_be_root().then(|| Self::local(&directory, "terraform.tfstate"));
        };
        let body = block.body();
        if !body.is_single() {
            return None;
        }
        let get = |name: &str| {
            let property = body.properties().find(|property| property.is_named(name));
            property.map(Attribute::expression)
        };
        match backend_type(block) {
            "local" => match get("path") {
                Some(path) => Some(Self::local(&directory, literal(path)?)),
                None => Some(Self::local(&directory, "terraform.tfstate")),
            },
            backend => Self::remote(backend, get),
        }
    }

    /// The place of the state that a data source reads; `None` if it is not literal.
    fn read_by(data: &Resource<'_>, module: &TreeModule<'_>, base: &Path) -> Option<Self> {
        let mut backend = None;
        let mut config = None;
        for property in data.config().properties() {
            match property.name() {
                "backend" => backend = Some(property.expression()),
                "config" => config = Some(property.expression()),
                _ => {}
            }
        }
        let backend = literal(backend?)?;
        if backend == "local" {
            let path = config?.member("path")?;
            let directory = from_base(base, module.files.directory());
            return Some(Self::local(&directory, local_path(path)?));
        }
        let config = config?;
        if !config.is_map() {
            return None;
        }
        Self::remote(backend, |name| config.member(name))
    }

    fn local(directory: &Location, path: &str) -> Self {
        Self::Local(path::resolve(directory, path))
    }

    /// The place in a backend, whose settings `get` returns.
    fn remote<'a>(backend: &str, get: impl Fn(&str) -> Option<Expression<'a>>) -> Option<Self> {
        let &(_, names) = IDENTITY.iter().find(|(known, _)| *known == backend)?;
        let mut identity = Vec::new();
        for (place, &name) in names.iter().enumerate() {
            match get(name) {
                Some(value) if name == "workspaces" => {
                    let first = value.as_list().and_then(|mut list| list.next());
                    let value = first.unwrap_or(value);
                    identity.push((name, literal(value.member("name")?)?.to_owned()));
                }
                Some(value) => identity.push((name, literal(value)?.to_owned())),
                None if place == 0 => return None,
                None => {}
            }
        }
        Some(Self::Remote(backend.to_owned(), identity))
    }
}

/// A directory with its absolute path, if it is in the file system.
fn from_base(base: &Path, directory: Location) -> Location {
    match directory {
        Location::Disk(path) => Location::Disk(base.join(path)),
        Location::Memory(_) => directory,
    }
}

/// The type of a backend; data sources read a `cloud` state as `remote`.
fn backend_type<'a>(block: Block<'a>) -> &'a str {
    if block.is("cloud") { "remote" } else { block.label(0).unwrap_or_default() }
}

/// A text without templates.
fn literal(value: Expression<'_>) -> Option<&str> {
    match value.literal() {
        Literal::Text(text) => Some(text),
        _ => None,
    }
}

/// A path, which may start at the module: `${path.module}/../network/terraform.tfstate`.
fn local_path(value: Expression<'_>) -> Option<&str> {
    if let Some(path) = literal(value) {
        return Some(path);
    }
    let text = value.template_text()?;
    let rest = ["${path.module}/", "${path.root}/", "${path.cwd}/"]
        .iter()
        .find_map(|start| text.strip_prefix(start))?;
    (!rest.contains("${") && !rest.contains("%{")).then_some(rest)
}
