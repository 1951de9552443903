//! The states of root modules, and the data sources that read them.
//!
//! A state is identified by some settings of its backend: the rows of [`BACKENDS`]. A root module may
//! have several states: one for each file that `-backend-config` may name. Settings that
//! configuration does not give are given on the command line, so that the state may be any that the
//! others do not contradict.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::backend_files::{self, Folders};
use super::known_texts::known_texts;
use super::{Tree, TreeModule, path};
use crate::arena::Arena;
use crate::body::{Attribute, Block, Body};
use crate::directory::Location;
use crate::evaluate::shape::{HOLE, fits};
use crate::expression::{Expression, Literal};
use crate::hash::{HashMap, HashSet};
use crate::module::{Module, Object, Resource};
use crate::reference::Mode;

/// The value of a setting that the configuration does not give.
#[derive(Clone, Copy)]
enum Absent {
    /// It is given elsewhere.
    Elsewhere,
    /// This value, unless a setting that is necessary is given elsewhere, too.
    Is(&'static str),
    /// This value, or one that is given elsewhere: it tells the states of a store apart.
    Perhaps(&'static str),
}

use Absent::{Elsewhere, Is, Perhaps};

/// The place of the state in the local file system.
const PATH: &str = "path";

/// The name of a workspace, or the start of the names of several, which ends with [`ANY`].
const WORKSPACES: &str = "workspaces";

/// The place of workspaces other than the default one.
const WORKSPACE_PREFIX: &str = "workspace_key_prefix";

/// Stands for the names of workspaces.
const ANY: char = '\0';

/// The file of a local state.
const LOCAL_STATE: &str = "terraform.tfstate";

/// The folder of the local states of workspaces.
const LOCAL_WORKSPACES: &str = "terraform.tfstate.d";

/// The settings that identify a state of each backend.
const BACKENDS: &[(&str, &[(&str, Absent)])] = &[
    ("local", &[(PATH, Perhaps(LOCAL_STATE))]),
    (
        "remote",
        &[
            ("organization", Elsewhere),
            ("hostname", Is("app.terraform.io")),
            (WORKSPACES, Elsewhere),
        ],
    ),
    ("s3", &[("bucket", Elsewhere), ("key", Elsewhere), (WORKSPACE_PREFIX, Is("env:"))]),
    ("gcs", &[("bucket", Elsewhere), ("prefix", Perhaps(""))]),
    (
        "azurerm",
        &[("storage_account_name", Elsewhere), ("container_name", Elsewhere), ("key", Elsewhere)],
    ),
    ("http", &[("address", Elsewhere)]),
    ("consul", &[("path", Elsewhere), ("address", Is(""))]),
    ("pg", &[("conn_str", Elsewhere), ("schema_name", Perhaps("terraform_remote_state"))]),
    ("kubernetes", &[("secret_suffix", Elsewhere), ("namespace", Is("default"))]),
    ("oss", &[("bucket", Elsewhere), ("prefix", Is("env:")), ("key", Perhaps(LOCAL_STATE))]),
    ("cos", &[("bucket", Elsewhere), ("prefix", Perhaps("")), ("key", Perhaps(LOCAL_STATE))]),
    (
        "oci",
        &[
            ("bucket", Elsewhere),
            ("namespace", Elsewhere),
            ("key", Perhaps(LOCAL_STATE)),
            (WORKSPACE_PREFIX, Is("tf-state-env")),
        ],
    ),
];

/// The most bytes of a text whose parts are compared.
const LONGEST: usize = 1024;

/// The value of a setting.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Value {
    Known(String),
    /// One of these texts, which have holes for parts that are known only to those who run the tool.
    InPart(Vec<String>),
    /// It is known only to those who run the tool.
    Unknown,
    /// It does not matter.
    Any,
}

/// The state or states that settings name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Identity {
    /// The type of the backend; `None` if it is not known.
    backend: Option<String>,
    /// The values of the settings of its row.
    values: Vec<Value>,
}

impl Identity {
    pub(super) fn unknown(backend: Option<&str>) -> Self {
        let row = backend.and_then(row);
        let values = row.map_or(0, <[_]>::len);
        Self { backend: backend.map(str::to_owned), values: vec![Value::Unknown; values] }
    }

    /// The settings of which this holds, a bit each.
    fn mask(&self, is_meant: impl Fn(&Value) -> bool) -> u8 {
        let bits = self.values.iter().enumerate();
        bits.filter(|(_, value)| is_meant(value)).fold(0, |mask, (at, _)| mask | 1 << at)
    }

    fn known(&self) -> u8 {
        self.mask(|value| matches!(value, Value::Known(_)))
    }

    /// The known values among those of a mask.
    fn project(&self, mask: u8) -> Vec<String> {
        let values = self.values.iter().enumerate().filter(|(at, _)| mask & 1 << at != 0);
        let texts = values.filter_map(|(_, value)| match value {
            Value::Known(text) => Some(text.clone()),
            Value::InPart(_) | Value::Unknown | Value::Any => None,
        });
        texts.collect()
    }

    /// The settings that are not known.
    fn unknown_settings(&self) -> u8 {
        self.mask(|value| matches!(value, Value::InPart(_) | Value::Unknown))
    }

    /// Whether the settings that are known in part may be those of a state.
    fn may_be(&self, state: &Self) -> bool {
        let row = self.backend.as_deref().and_then(row).unwrap_or_default();
        let has_prefix = row.iter().any(|(name, _)| *name == WORKSPACE_PREFIX);
        row.iter().zip(self.values.iter().zip(&state.values)).all(|(setting, values)| {
            let (Value::InPart(texts), Value::Known(known)) = values else { return true };
            // The state of a workspace is below its name: `env:/prod/net`.
            let has_workspace = has_prefix && setting.0 == "key";
            let is_below = |text: &str| {
                let starts = text.match_indices('/').map(|(at, _)| at + 1).skip(1);
                has_workspace && starts.into_iter().any(|start| fits(&text[start..], known))
            };
            texts.iter().any(|text| fits(text, known) || is_below(text))
        })
    }

    fn value(&self, setting: &str) -> Option<&Value> {
        self.values.get(place(self.backend.as_deref()?, setting)?)
    }

    /// Whether it is a file that exists: one of the repository, and not one that a run writes.
    fn is_local_file(&self) -> bool {
        let path = self.value(PATH).filter(|_| self.backend.as_deref() == Some("local"));
        matches!(path, Some(Value::Known(path)) if Path::new(path).is_file())
    }

    fn with(&self, setting: &str, value: String) -> Self {
        let mut changed = self.clone();
        let at = self.backend.as_deref().and_then(|backend| place(backend, setting));
        if let Some(at) = at {
            changed.values[at] = Value::Known(value);
        }
        changed
    }
}

/// The settings of a backend.
fn row(backend: &str) -> Option<&'static [(&'static str, Absent)]> {
    BACKENDS.iter().find(|(known, _)| *known == backend).map(|(_, settings)| *settings)
}

/// The place of a setting among those of a backend.
fn place(backend: &str, setting: &str) -> Option<usize> {
    row(backend)?.iter().position(|(name, _)| *name == setting)
}

/// A data source that reads a state, which no module of the tree has for certain.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct UnknownState<'a> {
    /// The module of the data source, by its index in [`Tree::modules`].
    pub module: usize,
    /// The data source.
    pub object: Object<'a>,
    /// The modules that may have the state, in groups that data sources share.
    pub owners: Vec<Arc<[usize]>>,
}

/// The modules and runs that have the state that a data source reads.
#[derive(Debug, Default)]
pub(super) struct Owners {
    pub(super) certain: Vec<usize>,
    /// Those that may have it; empty if some have it for certain.
    pub(super) possible: Vec<Arc<[usize]>>,
}

/// Modules by the values of some settings.
type Table = HashMap<Vec<String>, Arc<[usize]>>;

/// The states of a tree.
pub(super) struct States {
    /// By backend and mask of known settings.
    written: BTreeMap<(String, u8), Vec<(Identity, usize)>>,
    /// The modules and runs of each table, by the known settings of the states and those that are compared.
    tables: HashMap<(String, u8, u8), Table>,
    /// The starts of workspaces that states have.
    prefixes: HashSet<(String, String)>,
    /// All modules and runs with states.
    all: Arc<[usize]>,
    /// Modules that another tool may run with a backend of its own.
    others: Arc<[usize]>,
    /// The number of states that may still be compared with settings that are known in part.
    left: usize,
}

/// The number of states that are compared with settings that are known in part. Beyond that, such settings may
/// be any.
const MOST_COMPARED: usize = 10_000_000;

impl States {
    /// The states of modules, and those of runs of modules by another tool, which are numbered after
    /// the modules. `run` are the modules whose states are those of their runs.
    pub(super) fn of<'s>(
        tree: &Tree<'_>,
        folders: &Folders<'_>,
        run: &HashSet<usize>,
        of_runs: impl Iterator<Item = &'s [Identity]>,
    ) -> Self {
        let mut written: BTreeMap<(String, u8), Vec<(Identity, usize)>> = BTreeMap::new();
        let (mut prefixes, mut all, mut others) = (HashSet::default(), Vec::new(), Vec::new());
        let mut known = HashSet::default();
        let count = tree.modules().len();
        let modules = tree.modules().iter().enumerate().filter(|(place, _)| !run.contains(place));
        let of_modules = modules.map(|(place, module)| {
            let states = written_by(module, folders);
            if states.is_empty() && !module.is_called {
                others.push(place);
            }
            (place, states)
        });
        let of_runs = (count..).zip(of_runs.map(<[_]>::to_vec));
        for (place, states) in of_modules.chain(of_runs) {
            if !states.is_empty() {
                all.push(place);
            }
            for state in states {
                let Some(backend) = state.backend.clone() else { continue };
                for setting in [WORKSPACES, WORKSPACE_PREFIX] {
                    if let Some(Value::Known(text)) = state.value(setting) {
                        prefixes.insert((backend.clone(), text.clone()));
                    }
                }
                if known.insert((state.clone(), place)) {
                    written.entry((backend, state.known())).or_default().push((state, place));
                }
            }
        }
        let (all, others) = (all.into(), others.into());
        let (tables, left) = (HashMap::default(), MOST_COMPARED);
        Self { written, tables, prefixes, all, others, left }
    }

    /// The modules and runs that have one of the states that a data source may read.
    pub(super) fn owners_of(&mut self, read: Vec<Identity>) -> Owners {
        let (mut owners, mut is_vague) = (Owners::default(), false);
        let is_file = read.iter().any(Identity::is_local_file);
        for identity in &self.with_names_of_workspaces(read) {
            let is_row = identity.backend.as_deref().is_some_and(|it| row(it).is_some());
            is_vague |= !is_row || identity.unknown_settings() != 0;
            self.add_owners(identity, &mut owners);
        }
        owners.certain.sort_unstable();
        owners.certain.dedup();
        if !owners.certain.is_empty() || is_file {
            owners.possible.clear();
        } else if is_vague && !self.others.is_empty() {
            owners.possible.push(Arc::clone(&self.others));
        }
        owners
    }

    /// The identities of a state, and those of a module that has it as the state of a workspace.
    fn with_names_of_workspaces(&self, mut read: Vec<Identity>) -> Vec<Identity> {
        for identity in read.clone() {
            let Some(backend) = identity.backend.as_deref() else { continue };
            let text = |setting: &str| match identity.value(setting) {
                Some(Value::Known(text)) if text.len() <= LONGEST => Some(text.as_str()),
                _ => None,
            };
            let has =
                |prefix: &str| self.prefixes.contains(&(backend.to_owned(), prefix.to_owned()));
            if let Some(name) = text(WORKSPACES) {
                let starts = name.char_indices().map(|(at, _)| format!("{}{ANY}", &name[..at]));
                let starts = starts.filter(|start| has(start));
                read.extend(starts.map(|start| identity.with(WORKSPACES, start)));
            }
            if let (Some(key), Some(_)) = (text("key"), identity.value(WORKSPACE_PREFIX)) {
                for (at, _) in key.match_indices('/') {
                    let (prefix, rest) = (&key[..at], &key[at + 1..]);
                    if let (true, Some((_, key))) = (has(prefix), rest.split_once('/')) {
                        let of_prefix = identity.with(WORKSPACE_PREFIX, prefix.to_owned());
                        read.push(of_prefix.with("key", key.to_owned()));
                    }
                }
            }
            if let ("azurerm", Some((key, _))) =
                (backend, text("key").and_then(|it| it.rsplit_once("env:")))
            {
                read.push(identity.with("key", key.to_owned()));
            }
            if let ("consul", Some((path, _))) =
                (backend, text(PATH).and_then(|it| it.rsplit_once("-env:")))
            {
                read.push(identity.with(PATH, path.to_owned()));
            }
            if let ("local", Some(path)) = (backend, text(PATH)) {
                let folder = path.strip_suffix(LOCAL_STATE).and_then(|it| it.strip_suffix('/'));
                if let Some((folder, _)) = folder.and_then(|it| it.rsplit_once('/')) {
                    read.push(identity.with(PATH, format!("{folder}/{ANY}")));
                }
            }
        }
        read
    }

    fn add_owners(&mut self, read: &Identity, owners: &mut Owners) {
        let Self { written, tables, all, left, .. } = self;
        let Some(backend) = &read.backend else { return owners.possible.push(Arc::clone(all)) };
        let known = read.known();
        let needed = known | read.unknown_settings();
        let is_in_part = read.values.iter().any(|value| matches!(value, Value::InPart(_)));
        let is_row = row(backend).is_some();
        let range = (backend.clone(), 0)..=(backend.clone(), u8::MAX);
        for ((_, mask), states) in written.range(range) {
            let compared = mask & known;
            if is_in_part && let Some(rest) = left.checked_sub(states.len()) {
                *left = rest;
                let values = read.project(compared);
                let may_be =
                    |state: &Identity| state.project(compared) == values && read.may_be(state);
                let found = states.iter().filter(|(state, _)| may_be(state));
                let mut places: Vec<usize> = found.map(|(_, place)| *place).collect();
                places.dedup();
                if !places.is_empty() {
                    owners.possible.push(places.into());
                }
                continue;
            }
            let table = tables.entry((backend.clone(), *mask, compared)).or_insert_with(|| {
                let mut table: HashMap<Vec<String>, Vec<usize>> = HashMap::default();
                for (state, place) in states {
                    let places = table.entry(state.project(compared)).or_default();
                    if places.last() != Some(place) {
                        places.push(*place);
                    }
                }
                table.into_iter().map(|(values, places)| (values, places.into())).collect()
            });
            let Some(found) = table.get(&read.project(compared)) else { continue };
            match is_row && needed == compared {
                true => owners.certain.extend(found.iter()),
                false => owners.possible.push(Arc::clone(found)),
            }
        }
    }
}

/// Whether a data source reads a state.
pub(super) fn reads_state(data: &Resource<'_>) -> bool {
    let resource_type = data.address().resource_type;
    data.mode == Mode::Data && matches!(resource_type, "terraform_remote_state" | "tfe_outputs")
}

/// The states that a data source of a module may read; `None` if it reads none.
pub(super) fn read_by(
    data: &Resource<'_>,
    module: &TreeModule<'_>,
    folders: &Folders<'_>,
) -> Option<Vec<Identity>> {
    reads_state(data).then(|| match data.address().resource_type {
        "tfe_outputs" => read_by_outputs(data),
        _ => read_by_remote_state(data, module, folders),
    })
}

/// The states that a module may have; none if it is no root module.
fn written_by(module: &TreeModule<'_>, folders: &Folders<'_>) -> Vec<Identity> {
    let directory = folders.absolute(module);
    let Some(block) = module.module.backend() else {
        if !module.may_be_root() {
            return Vec::new();
        }
        let state = Identity::unknown(Some("local"));
        return local_states(&state, &directory, LOCAL_STATE, None);
    };
    let backend = backend_type(block);
    let body = block.body();
    if !body.is_single() {
        return vec![Identity::unknown(Some(backend))];
    }
    let written = |name: &str| property(body, name);
    let mut states = Vec::new();
    // The tools take no such files for `cloud`.
    let files = if block.is("cloud") { Vec::new() } else { folders.files(module) };
    let (arena, mut opens, mut completes, mut has_lost) =
        (Arena::new(), Vec::new(), false, files.is_empty());
    for file in &files {
        let Some(parsed) = backend_files::read(&arena, file) else {
            has_lost = true;
            continue;
        };
        let given = |name: &str| property(parsed.body(), name);
        let text = |name: &str| text_of(given(name)).or_else(|| text_of(written(name)));
        let found = states_of(backend, &directory, &text);
        completes |= found.open.is_none();
        states.extend(found.states);
        opens.extend(found.open);
    }
    let own = states_of(backend, &directory, &|name| text_of(written(name)));
    states.extend(own.states);
    match (has_lost, completes) {
        (true, _) => states.extend(own.open),
        (false, true) => {}
        (false, false) => states.extend(opens),
    }
    states
}

/// The states that settings name.
pub(super) struct Named {
    pub(super) states: Vec<Identity>,
    /// Any state, as far as the settings do not contradict, if some may be given elsewhere.
    pub(super) open: Option<Identity>,
}

/// The texts of settings: `None` for one that is not given, `Some(None)` for one that is not known.
pub(super) type Texts<'t> = dyn Fn(&str) -> Option<Option<String>> + 't;

pub(super) fn states_of(backend: &str, directory: &Location, texts: &Texts<'_>) -> Named {
    let Some(row) = row(backend) else {
        return Named { states: vec![Identity::unknown(Some(backend))], open: None };
    };
    let is_given = |name: &str| texts(name).is_some_and(|it| it.is_none_or(|it| !it.is_empty()));
    let is_complete =
        row.iter().all(|(name, absent)| !matches!(absent, Elsewhere) || is_given(name));
    let (mut state, mut is_open) = (Identity::unknown(Some(backend)), !is_complete);
    let mut open = state.clone();
    for (at, (name, absent)) in row.iter().enumerate() {
        let value = |text: &str| Value::Known(normal(backend, name, text));
        let (own, given) = match (texts(name), *absent) {
            (Some(None), _) => (Value::Unknown, Value::Unknown),
            (Some(Some(text)), Elsewhere) if text.is_empty() => (Value::Unknown, Value::Unknown),
            (Some(Some(text)), _) => (value(&text), value(&text)),
            (None, Elsewhere) => (Value::Unknown, Value::Unknown),
            (None, Is(text)) if is_complete => (value(text), value(text)),
            (None, Is(text)) => (value(text), Value::Unknown),
            (None, Perhaps(text)) => {
                is_open = true;
                (value(text), Value::Unknown)
            }
        };
        (state.values[at], open.values[at]) = (own, given);
    }
    let states = match (backend, state.value(PATH)) {
        ("local", Some(Value::Known(path))) => {
            let workspaces = texts("workspace_dir").flatten();
            open.values[0] = Value::Unknown;
            local_states(&state, directory, path, workspaces.as_deref())
        }
        _ if is_complete => vec![state],
        _ => Vec::new(),
    };
    Named { states, open: is_open.then_some(open) }
}

/// A value as the tools use it.
fn normal(backend: &str, setting: &str, text: &str) -> String {
    match (backend, setting) {
        ("gcs", "prefix") => {
            text.split('/').filter(|it| !it.is_empty()).collect::<Vec<_>>().join("/")
        }
        // Readers may have users of their own.
        ("http", "address") | ("pg", "conn_str") => match text.split_once("://") {
            Some((scheme, rest)) => {
                let end = rest.find(['/', '?']).unwrap_or(rest.len());
                let host = rest[..end].rsplit('@').next().unwrap_or_default();
                let path = match backend {
                    "pg" => rest[end..].split('?').next().unwrap_or_default(),
                    _ => &rest[end..],
                };
                format!("{scheme}://{host}{}", path.trim_end_matches('/'))
            }
            None => text.to_owned(),
        },
        ("remote", "hostname") => text.to_ascii_lowercase(),
        ("oss" | "cos", "prefix" | "key") => text.trim_matches('/').to_owned(),
        _ => text.to_owned(),
    }
}

/// The states of a local backend: that at a path, and those of workspaces.
fn local_states(
    state: &Identity,
    directory: &Location,
    path: &str,
    workspaces: Option<&str>,
) -> Vec<Identity> {
    let at = |path: &str| path::resolve(directory, path).to_string_lossy().into_owned();
    let workspaces = at(workspaces.unwrap_or(LOCAL_WORKSPACES));
    vec![state.with(PATH, at(path)), state.with(PATH, format!("{workspaces}/{ANY}"))]
}

/// The states that `terraform_remote_state` reads, any of them.
fn read_by_remote_state(
    data: &Resource<'_>,
    module: &TreeModule<'_>,
    folders: &Folders<'_>,
) -> Vec<Identity> {
    let argument = |name: &str| named(data.config().properties(), name);
    let Some(Some(backend)) = text_of(argument("backend")) else {
        return vec![Identity::unknown(None)];
    };
    // The tools still accept the old name.
    let backend = backend.strip_prefix('_').unwrap_or(&backend);
    let unknown = Identity::unknown(Some(backend));
    let workspace = text_of(argument("workspace"));
    let has_workspace = workspace.as_ref().is_some_and(|it| it.as_deref() != Some("default"));
    let config = argument("config");
    if config.is_some_and(|config| !config.is_map() && !config.is_null()) {
        return vec![unknown];
    }
    let get = |name: &str| config.and_then(|config| config.member(name));
    if backend == "local" {
        return read_locally(&unknown, &get, has_workspace, module, folders);
    }
    let Some(row) = row(backend) else { return vec![unknown] };
    let mut identity = unknown;
    for (at, (name, absent)) in row.iter().enumerate() {
        let text = match (*name, get(name)) {
            (WORKSPACES, Some(value)) => workspaces_of(value),
            (_, value) => text_of(value),
        };
        let value = match (text, absent) {
            _ if *name == WORKSPACE_PREFIX && !has_workspace => Value::Any,
            (Some(Some(text)), _) => Value::Known(normal(backend, name, &text)),
            (Some(None), _) => in_part(backend, name, get(name)),
            (None, Elsewhere) => Value::Unknown,
            (None, Is(text) | Perhaps(text)) => Value::Known(normal(backend, name, text)),
        };
        identity.values[at] = value;
    }
    let start = match identity.value(WORKSPACES) {
        Some(Value::Known(text)) => text.strip_suffix(ANY).map(str::to_owned),
        _ => None,
    };
    match (start, workspace) {
        (Some(start), Some(Some(name))) => {
            let whole = identity.with(WORKSPACES, format!("{start}{name}"));
            vec![identity, whole]
        }
        _ => vec![identity],
    }
}

/// A setting whose value is not literal.
fn in_part(backend: &str, setting: &str, value: Option<Expression<'_>>) -> Value {
    // In these, names of workspaces and of users are between the parts that are compared.
    let has_others = matches!(
        (backend, setting),
        (_, WORKSPACES | "hostname") | ("azurerm", "key") | ("consul" | "http" | "pg", _)
    );
    let texts = value.filter(|_| !has_others).map(known_texts).unwrap_or_default();
    match texts.is_empty() || texts.iter().any(|text| text.trim_matches(HOLE).is_empty()) {
        true => Value::Unknown,
        false => Value::InPart(texts.iter().map(|text| normal(backend, setting, text)).collect()),
    }
}

/// The states of the local file system that `terraform_remote_state` reads.
fn read_locally<'a>(
    unknown: &Identity,
    get: &dyn Fn(&str) -> Option<Expression<'a>>,
    has_workspace: bool,
    module: &TreeModule<'_>,
    folders: &Folders<'_>,
) -> Vec<Identity> {
    let directory = folders.absolute(module);
    let name = if has_workspace { "workspace_dir" } else { PATH };
    let default = if has_workspace { LOCAL_WORKSPACES } else { LOCAL_STATE };
    let path = match get(name) {
        Some(path) => match local_path(path) {
            Some(path) => path,
            None => return vec![unknown.clone()],
        },
        None => default,
    };
    let place = path::resolve(&directory, path).to_string_lossy().into_owned();
    match has_workspace {
        true => vec![unknown.with(PATH, format!("{place}/{ANY}"))],
        false => vec![unknown.with(PATH, place)],
    }
}

/// The states that `tfe_outputs` reads: that of a workspace of HCP Terraform. The configuration of its
/// provider has the host, and the organization that it does not name itself.
fn read_by_outputs(data: &Resource<'_>) -> Vec<Identity> {
    let mut identity = Identity::unknown(Some("remote"));
    let text = |name: &str| match text_of(named(data.config().properties(), name)) {
        Some(Some(text)) => Value::Known(text),
        Some(None) | None => Value::Unknown,
    };
    for (setting, value) in [
        ("organization", text("organization")),
        ("hostname", Value::Any),
        (WORKSPACES, text("workspace")),
    ] {
        if let Some(at) = place("remote", setting) {
            identity.values[at] = value;
        }
    }
    vec![identity]
}

/// The data sources of a module that read states, with those in checks.
pub(super) fn readers<'m, 'a>(module: &'m Module<'a>) -> impl Iterator<Item = &'m Resource<'a>> {
    let checked = module.checks.iter().filter_map(|check| check.data);
    module.resources.iter().chain(checked)
}

/// The type of a backend; data sources read a `cloud` state as `remote`.
pub(super) fn backend_type<'a>(block: Block<'a>) -> &'a str {
    if block.is("cloud") { "remote" } else { block.label(0).unwrap_or_default() }
}

pub(super) fn property<'a>(body: Body<'a>, name: &str) -> Option<Expression<'a>> {
    named(body.properties(), name)
}

fn named<'a>(all: impl Iterator<Item = Attribute<'a>>, name: &str) -> Option<Expression<'a>> {
    let mut all = all;
    all.find(|property| property.is_named(name)).map(Attribute::expression)
}

/// The text of a setting: `None` if it is not given, `Some(None)` if it is not literal. That of
/// workspaces is their name, or the start of their names with [`ANY`].
pub(super) fn text_of(value: Option<Expression<'_>>) -> Option<Option<String>> {
    let value = value.filter(|value| !value.is_null())?;
    if value.is_container() {
        return workspaces_of(value);
    }
    Some(literal(value).map(str::to_owned))
}

/// The name of the workspace, or the start of the names of workspaces, in a block or object
/// `workspaces`.
fn workspaces_of(value: Expression<'_>) -> Option<Option<String>> {
    let first = value.as_list().and_then(|mut list| list.next());
    let value = first.unwrap_or(value);
    if !value.is_map() {
        return Some(None);
    }
    let member = |name: &str| value.member(name).filter(|it| !it.is_null());
    match (member("name"), member("prefix")) {
        (Some(name), _) => Some(literal(name).map(str::to_owned)),
        (None, Some(prefix)) => Some(literal(prefix).map(|prefix| format!("{prefix}{ANY}"))),
        // Tags and projects do not tell the name.
        (None, None) => Some(None),
    }
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
