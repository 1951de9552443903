//! The functions that modules of a dialect can call.
//!
//! With the feature `functions`, those whose results depend only on their arguments are computed. A
//! call of any other returns an unknown value of the function's type, so that errors in a call, or
//! in the use of its result, are found before any value is known.

use crate::dialect::Dialect;
use crate::evaluate::signatures::OF_PROVIDER;
use crate::evaluate::{
    Function, Functions, InPacker, KnownFunction, Release, known_function, known_functions,
};

/// The functions of a dialect, and those of the providers that a module requires.
pub(crate) struct Known<'m> {
    pub(crate) dialect: Dialect,
    /// Whether a provider of this local name is required; the functions of other providers do not
    /// exist.
    pub(crate) has_provider: &'m (dyn Fn(&str) -> bool + Sync),
}

/// Whether a tool has a function.
fn is_in(function: &KnownFunction, dialect: Dialect) -> bool {
    match dialect {
        Dialect::OpenTofu => function.in_opentofu() != Release::Never,
        Dialect::Terraform => function.in_terraform() != Release::Never,
        Dialect::Packer => function.of_packer() != InPacker::Unknown,
    }
}

impl Functions for Known<'_> {
    fn get(&self, name: &str) -> Option<&dyn Function> {
        if let Some(rest) = name.strip_prefix("provider::") {
            let provider = rest.split("::").next().unwrap_or_default();
            return (self.has_provider)(provider).then_some(&OF_PROVIDER);
        }
        let name = name.strip_prefix("core::").unwrap_or(name);
        let known = known_function(name).filter(|known| is_in(known, self.dialect))?;
        #[cfg(feature = "functions")]
        if let Some(function) = crate::functions::find(name) {
            return Some(function);
        }
        Some(known)
    }

    fn names(&self) -> Vec<&str> {
        let known = known_functions().iter().filter(|known| is_in(known, self.dialect));
        known.map(KnownFunction::name).collect()
    }
}

/// Whether some tool has a function of this name.
pub(crate) fn is_function(name: &[u8]) -> bool {
    str::from_utf8(name).is_ok_and(|name| known_function(name).is_some())
}

#[cfg(all(test, feature = "functions"))]
mod tests {
    use super::*;

    /// Every function but those that are not computed has a body.
    #[test]
    fn functions_have_bodies() {
        for known in known_functions() {
            let is_of_modules = [Dialect::OpenTofu, Dialect::Terraform];
            if !is_of_modules.iter().any(|dialect| is_in(known, *dialect)) {
                continue;
            }
            let is_computed = !known.is_outside() && known.why_gone().is_none();
            assert_eq!(
                crate::functions::find(known.name()).is_some(),
                is_computed,
                "{}",
                known.name()
            );
            assert!(crate::functions::STANDARD.get(known.name()).is_some(), "{}", known.name());
        }
    }
}
