//! What an expression can refer to.

use super::{Budget, Function};
use crate::value::Value;

/// Variables and functions, and the scope around them.
///
/// A scope without variables (`None`) refuses all of them with "variables are not allowed here",
/// unless one around it has some; an empty list says of each that it is not known. The same goes
/// for functions.
#[derive(Clone, Copy, Default)]
pub struct Scope<'s, 'a> {
    variables: Option<&'s [(&'a str, Value<'a>)]>,
    /// Whether the variables are sorted by name, so that a binary search finds them.
    is_sorted: bool,
    functions: Option<&'s dyn Functions>,
    parent: Option<&'s Scope<'s, 'a>>,
    budget: Option<Budget>,
    has_short_circuits: bool,
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

    /// With variables. Of two of one name the first counts.
    ///
    /// Cost: linear. A name is then found by binary search if the names are sorted by their bytes,
    /// otherwise by going over them.
    #[must_use]
    pub fn with_variables(mut self, variables: &'s [(&'a str, Value<'a>)]) -> Self {
        self.variables = Some(variables);
        self.is_sorted = variables.is_sorted_by(|(one, _), (next, _)| one < next);
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

    /// With limits on the steps and bytes of one evaluation, [`Budget::DEFAULT`] unless they are
    /// set. The budget of the innermost scope counts.
    #[must_use]
    pub fn with_budget(mut self, budget: Budget) -> Self {
        self.budget = Some(budget);
        self
    }

    /// With `&&` and `||` that one operand decides: errors in the other are not reported then.
    /// Newer versions of the reference do so. Without this, as in older ones, both operands count,
    /// and null is an error.
    #[must_use]
    pub fn with_short_circuits(mut self) -> Self {
        self.has_short_circuits = true;
        self
    }

    pub(crate) fn has_short_circuits(&self) -> bool {
        self.chain().any(|scope| scope.has_short_circuits)
    }

    pub(crate) fn budget(&self) -> Budget {
        self.chain().find_map(|scope| scope.budget).unwrap_or_default()
    }

    /// Whether variables may be used at all.
    pub(crate) fn has_variables(&self) -> bool {
        self.chain().any(|scope| scope.variables.is_some())
    }

    /// The innermost variable that is called `name`.
    pub(crate) fn variable(&self, name: &str) -> Option<Value<'a>> {
        self.chain().find_map(|scope| {
            let variables = scope.variables?;
            if scope.is_sorted {
                let at = variables.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
                return Some(variables[at].1);
            }
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
        })
    }

    /// The names of all variables, those of the innermost scope first.
    pub(crate) fn variable_names(&self) -> impl Iterator<Item = &'a str> {
        let variables = self.chain().flat_map(|scope| scope.variables.unwrap_or_default());
        variables.map(|&(name, _)| name)
    }

    /// The innermost function that is called `name`.
    pub(crate) fn function(&self, name: &str) -> Option<&'s dyn Function> {
        self.chain().find_map(|scope| scope.functions?.get(name))
    }

    /// The names of all functions, those of the innermost scope first; `None` if none may be
    /// called.
    pub(crate) fn function_names(&self) -> Option<Vec<&'s str>> {
        let mut sets = self.chain().filter_map(|scope| scope.functions).peekable();
        sets.peek()?;
        Some(sets.flat_map(|functions| functions.names()).collect())
    }

    /// The scope itself and those around it.
    fn chain(&self) -> impl Iterator<Item = Self> {
        std::iter::successors(Some(*self), |scope| scope.parent.copied())
    }
}
