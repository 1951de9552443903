//! The data sources that read states, and the states that they may read.

use super::backend::{
    Absent, LOCAL_STATE, LOCAL_WORKSPACES, PATH, WORKSPACE_PREFIX, WORKSPACES, normal, place, row,
};
use super::identity::{Identity, Value};
use super::settings::{ANY, local_path, named, text_of, workspaces_of};
use crate::directory::Location;
use crate::evaluate::shape::HOLE;
use crate::expression::Expression;
use crate::module::{Module, Resource};
use crate::reference::Mode;
use crate::tree::backend_files::Folders;
use crate::tree::known_texts::known_texts;
use crate::tree::{TreeModule, path};

use Absent::{Elsewhere, Is, Perhaps};

/// The data source of states of any backend.
const REMOTE_STATE: &str = "terraform_remote_state";

/// The data source of outputs in HCP Terraform.
const OUTPUTS: &str = "tfe_outputs";

/// The types of the data sources that read states.
pub(crate) const READERS: [&str; 2] = [REMOTE_STATE, OUTPUTS];

/// The arguments of a data source that reads a state, as far as they are known.
pub(crate) trait StateArguments {
    /// The text of an argument: `None` if it is not given, `Some(None)` if it is not known.
    fn argument(&self, name: &str) -> Option<Option<String>>;

    /// Whether it is known which settings of the backend are given.
    fn has_settings(&self) -> bool;

    /// The text of a setting of the backend, as that of an argument. That of workspaces is their name, or the
    /// start of their names with [`ANY_WORKSPACE`].
    fn setting(&self, name: &str) -> Option<Option<String>>;

    /// The texts that a setting may have that is not known, with holes.
    fn texts(&self, name: &str) -> Vec<String>;

    /// The path that a setting has, as that of an argument, from the directory of the arguments.
    fn path(&self, name: &str) -> Option<Option<String>>;

    /// The absolute path of the directory at which relative paths start.
    fn directory(&self) -> Location;
}

/// Stands for the names of workspaces after the start that they share.
pub(crate) const ANY_WORKSPACE: char = ANY;

/// The arguments as they are written.
struct Written<'w, 'a> {
    data: &'w Resource<'a>,
    module: &'w TreeModule<'a>,
    folders: &'w Folders<'w>,
}

impl<'a> Written<'_, 'a> {
    fn expression(&self, name: &str) -> Option<Expression<'a>> {
        named(self.data.config().properties(), name)
    }

    fn member(&self, name: &str) -> Option<Expression<'a>> {
        self.expression("config").and_then(|config| config.member(name))
    }
}

impl StateArguments for Written<'_, '_> {
    fn argument(&self, name: &str) -> Option<Option<String>> {
        text_of(self.expression(name))
    }

    fn has_settings(&self) -> bool {
        self.expression("config").is_none_or(|config| config.is_map() || config.is_null())
    }

    fn setting(&self, name: &str) -> Option<Option<String>> {
        match (name, self.member(name)) {
            (WORKSPACES, Some(value)) => workspaces_of(value),
            (_, value) => text_of(value),
        }
    }

    fn texts(&self, name: &str) -> Vec<String> {
        self.member(name).map(known_texts).unwrap_or_default()
    }

    fn path(&self, name: &str) -> Option<Option<String>> {
        self.member(name).map(|path| local_path(path).map(str::to_owned))
    }

    fn directory(&self) -> Location {
        self.folders.absolute(self.module)
    }
}

/// The data sources of a module that read states, with those in checks.
pub(in crate::tree) fn readers<'m, 'a>(
    module: &'m Module<'a>,
) -> impl Iterator<Item = &'m Resource<'a>> {
    let checked = module.checks.iter().filter_map(|check| check.data);
    module.resources.iter().chain(checked)
}

/// Whether a data source reads a state.
pub(in crate::tree) fn reads_state(data: &Resource<'_>) -> bool {
    data.mode == Mode::Data && READERS.contains(&data.address().resource_type)
}

/// The states that a data source of a module may read, as far as its arguments are literal; `None` if it reads
/// none.
pub(in crate::tree) fn read_by<'a>(
    data: &Resource<'a>,
    module: &TreeModule<'a>,
    folders: &Folders<'_>,
) -> Option<Vec<Identity>> {
    let resource_type = data.address().resource_type;
    reads_state(data).then(|| read_with(resource_type, &Written { data, module, folders }))
}

/// The states that a data source with some arguments may read.
pub(crate) fn read_with(resource_type: &str, arguments: &dyn StateArguments) -> Vec<Identity> {
    match resource_type {
        OUTPUTS => read_by_outputs(arguments),
        _ => read_by_remote_state(arguments),
    }
}

/// The states that `terraform_remote_state` reads, any of them.
fn read_by_remote_state(arguments: &dyn StateArguments) -> Vec<Identity> {
    let Some(Some(backend)) = arguments.argument("backend") else {
        return vec![Identity::unknown(None)];
    };
    // The tools still accept the old name.
    let backend = backend.strip_prefix('_').unwrap_or(&backend);
    let unknown = Identity::unknown(Some(backend));
    let workspace = arguments.argument("workspace");
    let has_workspace = workspace.as_ref().is_some_and(|it| it.as_deref() != Some("default"));
    if !arguments.has_settings() {
        return vec![unknown];
    }
    if backend == "local" {
        return read_locally(&unknown, arguments, has_workspace);
    }
    let Some(row) = row(backend) else { return vec![unknown] };
    let mut identity = unknown;
    for (at, (name, absent)) in row.iter().enumerate() {
        let value = match (arguments.setting(name), absent) {
            _ if *name == WORKSPACE_PREFIX && !has_workspace => Value::Any,
            (Some(Some(text)), _) => Value::Known(normal(backend, name, &text)),
            (Some(None), _) => in_part(backend, name, arguments),
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

/// A setting whose value is not known.
fn in_part(backend: &str, setting: &str, arguments: &dyn StateArguments) -> Value {
    // In these, names of workspaces and of users are between the parts that are compared.
    if matches!(
        (backend, setting),
        (_, WORKSPACES | "hostname") | ("azurerm", "key") | ("consul" | "http" | "pg", _)
    ) {
        return Value::Unknown;
    }
    let texts = arguments.texts(setting);
    match texts.is_empty() || texts.iter().any(|text| text.trim_matches(HOLE).is_empty()) {
        true => Value::Unknown,
        false => Value::InPart(texts.iter().map(|text| normal(backend, setting, text)).collect()),
    }
}

/// The states of the local file system that `terraform_remote_state` reads.
fn read_locally(
    unknown: &Identity,
    arguments: &dyn StateArguments,
    has_workspace: bool,
) -> Vec<Identity> {
    let name = if has_workspace { "workspace_dir" } else { PATH };
    let default = if has_workspace { LOCAL_WORKSPACES } else { LOCAL_STATE };
    let path = match arguments.path(name) {
        Some(Some(path)) => path,
        Some(None) => return vec![unknown.clone()],
        None => default.to_owned(),
    };
    let place = path::resolve(&arguments.directory(), &path).to_string_lossy().into_owned();
    match has_workspace {
        true => vec![unknown.with(PATH, format!("{place}/{ANY}"))],
        false => vec![unknown.with(PATH, place)],
    }
}

/// The states that `tfe_outputs` reads: that of a workspace of HCP Terraform. The configuration of its
/// provider has the host, and the organization that it does not name itself.
fn read_by_outputs(arguments: &dyn StateArguments) -> Vec<Identity> {
    let mut identity = Identity::unknown(Some("remote"));
    let text = |name: &str| match arguments.argument(name) {
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
