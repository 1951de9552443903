//! What an expression can refer to.

use super::Function;
use crate::value::Value;

/// Variables and functions, and the scope around them.
///
/// A scope without variables (`None`) refuses all of them with "variables are not allowed here", unless one
/// around it has some; an empty list says of each that it is not known. The same goes for functions.
#[derive(Clone, Copy, Default)]
pub struct Scope<'s, 'a> {
    /// By name, sorted by bytes.
    variables: Option<&'s [(&'a str, Value<'a>)]>,
    functions: Option<&'s dyn Functions>,
    parent: Option<&'s Scope<'s, 'a>>,
}

/// A set of functions, by name.
pub trait Functions: Sync {
    /// The function that is called `name` (`provider::a::name` for one with a namespace).
    fn get(&self, name: &str) -> Option<&dyn Function>;

    /// All names, in an order that does not change: for suggestions.
    fn names(&self) -> Vec<&str>;
}

impl<'s, 'a> Scope<'s, 'a> {
    /// A scope with neither variables nor functions.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With variables, which must be sorted by name (bytes).
    #[must_use]
    pub fn with_variables(mut self, variables: &'s [(&'a str, Value<'a>)]) -> Self {
        self.variables = Some(variables);
        self
    }

    /// With functions.
    #[must_use]
    pub fn with_functions(mut self, functions: &'s dyn Functions) -> Self {
        self.functions = Some(functions);
        self
    }

    /// Inside of `parent`: what is not found here is looked up there.
    #[must_use]
    pub fn with_parent(mut self, parent: &'s Scope<'s, 'a>) -> Self {
        self.parent = Some(parent);
        self
    }

    pub(crate) fn variables(&self) -> Option<&'s [(&'a str, Value<'a>)]> {
        self.variables
    }

    pub(crate) fn functions(&self) -> Option<&'s dyn Functions> {
        self.functions
    }

    pub(crate) fn parent(&self) -> Option<&'s Scope<'s, 'a>> {
        self.parent
    }
}
