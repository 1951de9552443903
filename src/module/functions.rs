//! The functions that modules of a dialect can call.
//!
//! With the feature `functions`, those whose results depend only on their arguments are computed. A
//! call of any other returns an unknown value of the function's type, so that errors in a call, or
//! in the use of its result, are found before any value is known.

use crate::arena::Arena;
use crate::dialect::Dialect;
use crate::evaluate::signatures::OF_PROVIDER;
use crate::evaluate::{
    Function, FunctionError, Functions, InPacker, KnownFunction, Release, Signature,
    known_function, known_functions,
};
use crate::hash::HashMap;
use crate::value::{Type, Value};

/// The functions of a dialect, and those of the providers that a module requires.
pub(crate) struct Known<'m> {
    pub(crate) dialect: Dialect,
    /// Whether a provider of this local name is required; the functions of other providers do not
    /// exist.
    pub(crate) has_provider: &'m (dyn Fn(&str) -> bool + Sync),
    /// The descriptions of functions in the schemas of providers.
    pub(crate) described: Option<&'m Described<'m>>,
}

/// The functions of the providers whose schemas are known, by the local names of the providers.
pub(crate) type Described<'a> = HashMap<&'a str, DescribedProvider<'a>>;

/// The functions of one provider.
#[derive(Clone, Debug, Default)]
pub(crate) struct DescribedProvider<'a> {
    /// By name.
    pub(crate) functions: HashMap<&'a str, OfSchema<'a>>,
    /// Whether it has no others.
    pub(crate) is_complete: bool,
}

/// A function of a provider, by its schema. Its results are unknown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OfSchema<'a> {
    pub(crate) signature: Signature<'a>,
    pub(crate) result: Type<'a>,
}

impl Function for OfSchema<'_> {
    fn signature(&self) -> Signature<'_> {
        self.signature
    }

    fn result_type<'a>(
        &self,
        arena: &'a Arena,
        _: &[Value<'a>],
    ) -> Result<Type<'a>, FunctionError<'a>> {
        Ok(self.result.copy_to(arena))
    }

    fn call<'a>(&self, arena: &'a Arena, _: &[Value<'a>]) -> Result<Value<'a>, FunctionError<'a>> {
        Ok(Value::unknown(self.result.copy_to(arena)))
    }

    fn reads_parts(&self) -> bool {
        false
    }
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
            let (provider, rest) = rest.split_once("::")?;
            // OpenTofu also accepts the alias of a configuration between both names.
            let most = if self.dialect == Dialect::OpenTofu { 1 } else { 0 };
            if rest.matches("::").count() > most {
                return None;
            }
            if !(self.has_provider)(provider) {
                return None;
            }
            let name = rest.rsplit("::").next().unwrap_or_default();
            let described = self.described.and_then(|described| described.get(provider));
            return match described.and_then(|described| described.functions.get(name)) {
                Some(function) => Some(function),
                None if described.is_some_and(|described| described.is_complete) => None,
                None => Some(&OF_PROVIDER),
            };
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
