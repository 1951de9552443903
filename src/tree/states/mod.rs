//! The states of root modules, and the data sources that read them.
//!
//! A state is identified by some settings of its backend: the rows of `backend::BACKENDS`. A root module may
//! have several states: one for each file that `-backend-config` may name. Settings that
//! configuration does not give are given on the command line, so that the state may be any that the
//! others do not contradict.

mod backend;
mod identity;
mod read;
mod settings;
mod written;

use std::collections::BTreeMap;
use std::sync::Arc;

use self::backend::{LOCAL_STATE, PATH, WORKSPACE_PREFIX, WORKSPACES, row};
pub(crate) use self::identity::Identity;
use self::identity::Value;
pub(crate) use self::read::{ANY_WORKSPACE, READERS, StateArguments, read_with};
pub(super) use self::read::{read_by, readers, reads_state};
use self::settings::ANY;
pub(super) use self::written::{backend_type, written_by_run};
use super::Tree;
use super::backend_files::Folders;
use crate::expression::Expression;
use crate::hash::{HashMap, HashSet};
use crate::module::Object;

/// The most bytes of a text whose parts are compared.
const LONGEST: usize = 1024;

/// Facts about the backends of root modules beside configuration.
pub(crate) struct Backends<'o, 'a> {
    /// The settings that are given to the backend of a module, by its index in the tree.
    pub(crate) given: &'o dyn Fn(usize) -> Option<Vec<(String, Option<String>)>>,
    /// The text of an expression of a root module, by its index in the tree.
    pub(crate) evaluate: &'o dyn Fn(usize, Expression<'a>) -> Option<String>,
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
pub(crate) struct Owners {
    pub(crate) certain: Vec<usize>,
    /// Those that may have it; empty if some have it for certain.
    pub(crate) possible: Vec<Arc<[usize]>>,
}

/// Modules by the values of some settings.
type Table = HashMap<Vec<String>, Arc<[usize]>>;

/// The states of a tree.
pub(crate) struct States {
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
    pub(super) fn of<'s, 'a>(
        tree: &Tree<'a>,
        folders: &Folders<'_>,
        backends: &Backends<'_, 'a>,
        (run, of_runs): (&HashSet<usize>, impl Iterator<Item = &'s [Identity]>),
    ) -> Self {
        let mut written: BTreeMap<(String, u8), Vec<(Identity, usize)>> = BTreeMap::new();
        let (mut prefixes, mut all, mut others) = (HashSet::default(), Vec::new(), Vec::new());
        let mut known = HashSet::default();
        let count = tree.modules().len();
        let modules = tree.modules().iter().enumerate().filter(|(place, _)| !run.contains(place));
        let of_modules = modules.map(|(place, module)| {
            let given = (backends.given)(place);
            let evaluate = |expression| (backends.evaluate)(place, expression);
            let states = written::written_by(module, folders, given.as_deref(), &evaluate);
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
    pub(crate) fn owners_of(&mut self, read: Vec<Identity>) -> Owners {
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
