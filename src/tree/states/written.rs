//! The states that modules and their runs have, by the settings of their backends.

use super::backend::{Absent, LOCAL_STATE, LOCAL_WORKSPACES, PATH, normal, row};
use super::identity::{Identity, Value};
use super::settings::{ANY, Given, property, text_of};
use crate::arena::Arena;
use crate::body::{Block, Body};
use crate::directory::Location;
use crate::expression::Expression;
use crate::parsed::ParsedFile;
use crate::source::Source;
use crate::tree::backend_files::{self, Folders};
use crate::tree::{TreeModule, path};

use Absent::{Elsewhere, Is, Perhaps};

/// The type of a backend; data sources read a `cloud` state as `remote`.
pub(in crate::tree) fn backend_type<'a>(block: Block<'a>) -> &'a str {
    if block.is("cloud") { "remote" } else { block.label(0).unwrap_or_default() }
}

/// The states that a module may have; none if it is no root module. `evaluate` knows the texts of expressions
/// of the module.
pub(super) fn written_by<'a>(
    module: &TreeModule<'a>,
    folders: &Folders<'_>,
    given: Option<&Given>,
    evaluate: &dyn Fn(Expression<'a>) -> Option<String>,
) -> Vec<Identity> {
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
    let written = |name: &str| {
        let value = property(body, name);
        match text_of(value) {
            Some(None) => Some(value.and_then(evaluate)),
            text => text,
        }
    };
    if let Some(given) = given {
        return with_given(backend, given, &written, &directory);
    }
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
        let text = |name: &str| text_of(given(name)).or_else(|| written(name));
        let found = states_of(backend, &directory, &text);
        completes |= found.open.is_none();
        states.extend(found.states);
        opens.extend(found.open);
    }
    let own = states_of(backend, &directory, &written);
    states.extend(own.states);
    match (has_lost, completes) {
        (true, _) => states.extend(own.open),
        (false, true) => {}
        (false, false) => states.extend(opens),
    }
    states
}

/// The states that a run of a module may have. `body` is that of the block of the backend, in the files of the
/// run or of the module.
pub(in crate::tree) fn written_by_run(
    backend: &str,
    given: &Given,
    body: Option<Body<'_>>,
    directory: &Location,
) -> Vec<Identity> {
    if body.is_some_and(|body| !body.is_single()) {
        return vec![Identity::unknown(Some(backend))];
    }
    with_given(backend, given, &|name| text_of(property(body?, name)), directory)
}

/// The states of a backend with settings that are given beside those of its block: the first one counts.
fn with_given(
    backend: &str,
    given: &Given,
    written: &Texts<'_>,
    directory: &Location,
) -> Vec<Identity> {
    let arena = Arena::new();
    let mut layers = Vec::new();
    for (name, text) in given {
        let read = || {
            let source = Source::from_bytes(&arena, name, text.as_ref()?.as_bytes()).ok()?;
            ParsedFile::read(&arena, source).ok().filter(|parsed| parsed.is_complete())
        };
        match read() {
            Some(layer) => layers.push(layer),
            None => return vec![Identity::unknown(Some(backend))],
        }
    }
    let texts = |name: &str| {
        let given = layers.iter().map(|layer| text_of(property(layer.body(), name)));
        given.flatten().next().or_else(|| written(name))
    };
    let named = states_of(backend, directory, &texts);
    named.states.into_iter().chain(named.open).collect()
}

/// The states that settings name.
struct Named {
    states: Vec<Identity>,
    /// Any state, as far as the settings do not contradict, if some may be given elsewhere.
    open: Option<Identity>,
}

/// The texts of settings: `None` for one that is not given, `Some(None)` for one that is not known.
type Texts<'t> = dyn Fn(&str) -> Option<Option<String>> + 't;

fn states_of(backend: &str, directory: &Location, texts: &Texts<'_>) -> Named {
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
