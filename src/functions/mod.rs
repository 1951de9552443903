//! The functions of OpenTofu whose results depend only on their arguments.
//!
//! Arguments are known values of the parameters' types; values, types and errors are those of
//! OpenTofu. The caller supplies the functions that read files, the clock or a source of
//! randomness: their names and parameters are known here, and calling one returns an error that
//! says why it is missing. `docs/functions.md` lists every function, and the reason if it is not
//! included.
//!
//! No argument makes a function panic. A call that would create a text of more than 64 MiB, or a
//! collection of more than a million elements, is an error. In an evaluation, everything that
//! functions create is charged to the budget.
//!
//! Each function is a row of [`known_functions`](crate::evaluate::known_functions): name, parameters,
//! type of the result, tools. Its body is in the table of its group.
//!
//! ```
//! use simd_hcl::evaluate::{Functions, Scope};
//! use simd_hcl::functions;
//!
//! let standard = functions::standard();
//! assert!(standard.get("cidrsubnet").is_some());
//! assert!(standard.get("core::cidrsubnet").is_some());
//! // Known, but without a result.
//! assert!(standard.get("file").is_some());
//! let _scope = Scope::new().with_functions(&standard);
//! ```

mod assume;
mod builtin;
mod call;
mod collection;
mod compiled;
mod conversion;
mod csv;
mod date;
pub(crate) mod encoding;
mod environment;
mod files;
pub(crate) mod fileset;
mod format;
pub(crate) mod hash;
mod in_part;
mod json;
mod map;
mod network;
mod numeric;
mod outside;
pub(crate) mod paths;
pub(crate) mod pattern;
mod regex;
mod render;
mod sets;
#[cfg(feature = "spec")]
mod specification;
mod string;
mod within;
pub(crate) mod yaml;

use std::sync::LazyLock;

use self::builtin::Builtin;
pub use self::environment::Environment;
pub use self::files::{FileEntry, FileError, FileKind, Files, Folder};
#[cfg(feature = "terragrunt")]
pub(crate) use self::files::{passes_on, real_text};
#[cfg(feature = "model")]
pub(crate) use self::fileset::PathPattern;
#[cfg(feature = "spec")]
pub(crate) use self::json::write_string as push_json_string;
#[cfg(feature = "spec")]
pub(crate) use self::specification::SPECIFICATION;
use crate::evaluate::{Function, Functions};

/// All functions of this module, by their names in OpenTofu, with or without the namespace
/// `core::`.
#[must_use]
pub fn standard() -> impl Functions + Copy {
    Standard
}

/// Whether a pattern in the syntax of Go matches a part of a text.
///
/// # Errors
/// The pattern is invalid.
#[cfg(feature = "rules")]
pub(crate) fn matches_pattern(pattern: &str, text: &str) -> Result<bool, &'static str> {
    let spend = |_| Ok::<(), std::convert::Infallible>(());
    let Ok(program) = pattern::Pattern::read(pattern)?.compile(spend);
    Ok(program?.regex.is_match(text))
}

/// Returns the function with this name in OpenTofu, without the namespace `core::`.
pub(crate) fn find(name: &str) -> Option<&'static dyn Function> {
    let found = INDEX.binary_search_by_key(&name, |function| function.name).ok()?;
    Some(INDEX[found])
}

/// The same functions, for callers that keep a reference.
pub static STANDARD: &dyn Functions = &Standard;

#[derive(Clone, Copy)]
struct Standard;

/// The bodies of the groups.
const GROUPS: &[&[Builtin]] = &[
    numeric::FUNCTIONS,
    string::FUNCTIONS,
    regex::FUNCTIONS,
    format::FUNCTIONS,
    collection::FUNCTIONS,
    map::FUNCTIONS,
    sets::FUNCTIONS,
    encoding::FUNCTIONS,
    csv::FUNCTIONS,
    json::FUNCTIONS,
    yaml::FUNCTIONS,
    hash::FUNCTIONS,
    network::FUNCTIONS,
    date::FUNCTIONS,
    paths::FUNCTIONS,
    conversion::FUNCTIONS,
    assume::FUNCTIONS,
];

/// All rows, sorted by name.
static INDEX: LazyLock<Vec<&'static Builtin>> = LazyLock::new(|| {
    let mut index: Vec<_> = GROUPS.iter().copied().flatten().collect();
    index.sort_by_key(|function| function.name);
    index
});

impl Functions for Standard {
    fn get(&self, name: &str) -> Option<&dyn Function> {
        let name = name.strip_prefix("core::").unwrap_or(name);
        find(name).or_else(|| {
            let found = outside::FUNCTIONS.binary_search_by_key(&name, |it| it.name).ok()?;
            outside::FUNCTIONS.get(found).map(|function| function as &dyn Function)
        })
    }

    fn names(&self) -> Vec<&str> {
        let inside = INDEX.iter().map(|function| function.name);
        let mut names: Vec<_> = inside.chain(outside::FUNCTIONS.iter().map(|it| it.name)).collect();
        names.sort_unstable();
        names
    }
}
