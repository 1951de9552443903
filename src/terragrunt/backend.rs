//! The settings that a unit gives to the backend of its module: in `remote_state`, and by `-backend-config`.

use super::config::Config;
use super::plain::{plain, rebuild};
use crate::arena::Arena;
use crate::value::{self, Value};
use crate::write::{Layout, to_string};

/// The command whose `extra_arguments` count.
const COMMAND: &str = "init";

/// The name of settings in JSON.
const IN_JSON: &str = "settings.json";

/// The most bytes of a file with settings.
pub(super) const LONGEST: u64 = 1 << 20;

/// The settings that a unit gives to the backend of its module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunBackend {
    /// The type of the backend; `None` if only the module says it.
    pub name: Option<String>,
    /// The texts with settings, each with a name that ends with `.json` if it is JSON; the first one that
    /// has a setting counts. The value of a setting that is not known is a template; a file that cannot be
    /// read has no text.
    pub settings: Vec<(String, Option<String>)>,
}

impl RunBackend {
    /// `read` returns the text of a file that an argument names.
    pub(super) fn of<'a>(
        arena: &'a Arena,
        config: &Config<'a>,
        read: &dyn Fn(&str) -> Option<String>,
    ) -> Self {
        let mut backend = Self::default();
        let (mut given, mut files) = (Vec::new(), Vec::new());
        for extra in config.extra_arguments().filter(|it| it.may_be_for(COMMAND)) {
            for (_, value) in extra.flags(&["backend-config"]) {
                match value.split_once('=') {
                    Some((name, text)) => given.push((name, Value::string(arena, text))),
                    None => files.push((value.to_owned(), read(value))),
                }
            }
        }
        // The last one counts.
        given.reverse();
        files.reverse();
        if !given.is_empty() {
            backend.settings.push((IN_JSON.to_owned(), settings(arena, &given)));
        }
        backend.settings.append(&mut files);
        if let Some(remote_state) = config.remote_state.filter(|it| !it.is_null()) {
            let name = remote_state.get("backend").and_then(|it| it.as_str());
            backend.name = name.map(str::to_owned);
            let config = remote_state.get("config").map(|it| plain(arena, it));
            let entries = config.map(|it| it.entries()).unwrap_or_default();
            backend.settings.push((IN_JSON.to_owned(), settings(arena, entries)));
        }
        backend
    }
}

/// The block of the backend of `remote_state`, in JSON. Unknown parts are left out.
pub(super) fn block<'a>(arena: &'a Arena, remote_state: Value<'a>) -> Option<String> {
    let name = remote_state.get("backend")?.as_str()?;
    let config = plain(arena, remote_state.get("config")?);
    let known: Vec<_> =
        config.entries().iter().filter(|(_, value)| is_shown(*value)).copied().collect();
    let escaped = escaped(arena, Value::object(arena, &known));
    let mut written = Ok(());
    let text = to_string(Layout::Compact, |slot| {
        let mut file = slot.object();
        let mut terraform = file.key("terraform").object();
        let mut backend = terraform.key("backend").object();
        written = value::write(escaped, backend.key(name));
    });
    written.is_ok().then_some(text)
}

/// Settings in JSON. Those that are not known, or must not be shown, are templates.
fn settings<'a>(arena: &'a Arena, entries: &[(&str, Value<'a>)]) -> Option<String> {
    let mut written = Ok(());
    let text = to_string(Layout::Compact, |slot| {
        let mut object = slot.object();
        for (name, value) in entries {
            match is_shown(*value) {
                true if written.is_ok() => {
                    written = value::write(escaped(arena, *value), object.key(name));
                }
                true => {}
                false => object.key(name).string("${null}"),
            }
        }
    });
    written.is_ok().then_some(text)
}

/// Whether all of a value is known and may be shown.
fn is_shown(value: Value<'_>) -> bool {
    value.is_wholly_known() && value.deep_marks().is_empty()
}

/// A value whose texts in JSON, which are templates there, are what they are here.
fn escaped<'a>(arena: &'a Arena, value: Value<'a>) -> Value<'a> {
    rebuild(arena, value, |part| {
        let text = part.as_str().filter(|text| text.contains(['$', '%']))?;
        let text = text.replace("${", "$${").replace("%{", "%%{");
        Some(Value::string(arena, arena.str(&text)))
    })
}
