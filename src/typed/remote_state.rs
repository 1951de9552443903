//! `data "terraform_remote_state"`: checks the arguments that its backend reads. This crate knows
//! the names of all backends, but only the arguments of the backend `local`.

use super::value::Values;
use crate::body::Attribute;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::expression::{Expression, MapKey};
use crate::hash::HashMap;
use crate::module::{Resource, backend_releases};
use crate::reference::Mode;
use crate::show::BUILT_IN_PROVIDER;
use crate::suggest;
use crate::value::{Type, Value, convert_briefly};

/// The arguments of the backend `local`.
const LOCAL: [&str; 2] = ["path", "workspace_dir"];

/// Checks the backend of another state, if a resource reads one.
pub(super) fn check<'a>(
    resource: &Resource<'a>,
    provider: &str,
    values: Values<'_, 'a>,
    sink: &mut dyn Sink<'a>,
) {
    let address = resource.address();
    if address.mode != Mode::Data
        || address.resource_type != "terraform_remote_state"
        || provider != BUILT_IN_PROVIDER
    {
        return;
    }
    let find = |name| {
        let mut properties = resource.config().properties();
        properties.find(|it| it.is_named(name)).map(Attribute::expression)
    };
    if let Some(defaults) = find("defaults") {
        object("defaults", defaults, values.of(defaults), sink);
    }
    let config = find("config").map(|config| (config, values.of(config)));
    if let Some((at, value)) = config
        && (!object("config", at, value, sink) || !value.is_wholly_known())
    {
        return;
    }
    let Some(written) = find("backend") else { return };
    let backend = convert_briefly(written.source().arena(), values.of(written), Type::String);
    let Some(name) = backend.ok().and_then(|backend| backend.as_str()) else { return };
    // The tools still accept the old name.
    if name == "_local" || name == "local" {
        if let Some((at, value)) = config {
            local(at, value, sink);
        }
    } else if backend_releases(name).is_none() {
        sink.report(
            Diagnostic::new(Code::UnknownBackend, written.start_label())
                .with_arguments(&[written.source().arena().str(name)]),
        );
    }
}

/// Whether a value is or may be null, an object or a map. Reports other values.
fn object<'a>(
    name: &'static str,
    at: Expression<'a>,
    value: Value<'a>,
    sink: &mut dyn Sink<'a>,
) -> bool {
    let fits =
        value.is_null() || matches!(value.ty(), Type::Object(_) | Type::Map(_) | Type::Dynamic);
    if !fits {
        sink.report(
            Diagnostic::new(Code::ArgumentType, at.start_label())
                .with_arguments(&[name, "an object is required"]),
        );
    }
    fits
}

/// Checks the arguments of the backend `local`.
fn local<'a>(at: Expression<'a>, config: Value<'a>, sink: &mut dyn Sink<'a>) {
    let arena = at.source().arena();
    let members = at.as_map().into_iter().flatten();
    let members: HashMap<&str, (MapKey<'a>, Expression<'a>)> =
        members.map(|(key, value)| (key.to_str(), (key, value))).collect();
    for (name, value) in config.entries() {
        let member = members.get(name);
        if !LOCAL.contains(name) {
            let label = member.map_or(at.start_label(), |(key, _)| key.label());
            let why = arena.format(format_args!("the backend \"local\" has no \"{name}\""));
            sink.report(
                Diagnostic::new(Code::ArgumentType, label)
                    .with_arguments(&["config", why])
                    .with_suggestion(suggest::nearest(name, LOCAL)),
            );
        } else if value.as_str() == Some("") {
            let at = member.map_or(at, |(_, value)| *value);
            sink.report(
                Diagnostic::new(Code::ArgumentType, at.start_label())
                    .with_arguments(&[arena.str(name), "it is empty"]),
            );
        } else if let Err(error) = convert_briefly(arena, *value, Type::String) {
            let why = arena.format(format_args!("{error}"));
            let at = member.map_or(at, |(_, value)| *value);
            sink.report(
                Diagnostic::new(Code::ArgumentType, at.start_label())
                    .with_arguments(&[arena.str(name), why]),
            );
        }
    }
}
