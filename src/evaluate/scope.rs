//! Scopes: the variables and functions that an expression can refer to.

use super::{Budget, Function};
use crate::value::Value;

/// Variables and functions, with an optional parent scope.
///
/// In a scope without variables (`None`) all of them are reported with "variables are not allowed
/// here", unless a parent has variables. With an empty list, each variable is reported as unknown.
/// The same holds for functions.
///
/// ```
/// use simd_hcl::evaluate::Scope;
/// use simd_hcl::value::{Number, Value};
/// use simd_hcl::{Arena, ParsedFile, Source};
///
/// let arena = Arena::new();
/// let source = Source::from_bytes(&arena, "main.tf", b"a = x + 1\n")?;
/// let file = ParsedFile::native(&arena, source);
/// let variables = [("x", Value::number(Number::from_i64(&arena, 2)))];
/// let scope = Scope::new().with_variables(&variables);
/// let a = file.body().just_attributes(&mut ())[0].expression();
/// assert_eq!(a.value(&scope, &mut ()).to_string(), "3");
/// # Ok::<(), simd_hcl::source::SourceError>(())
/// ```
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
    /// Returns the function named `name` (`provider::a::name` for one with a namespace).
    fn get(&self, name: &str) -> Option<&dyn Function>;

    /// Returns all names, in a stable order, for suggestions.
    fn names(&self) -> Vec<&str>;
}

impl<'s, 'a> Scope<'s, 'a> {
    /// Returns a scope with neither variables nor functions.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds variables. Of several with the same name, the first one counts.
    ///
    /// Cost: linear. Lookups use binary search if the names are sorted by their bytes, and a linear
    /// search otherwise.
    #[must_use]
    pub fn with_variables(mut self, variables: &'s [(&'a str, Value<'a>)]) -> Self {
        self.variables = Some(variables);
        self.is_sorted = variables.is_sorted_by(|(one, _), (next, _)| one < next);
        self
    }

    /// Adds functions.
    #[must_use]
    pub fn with_functions(mut self, functions: &'s dyn Functions) -> Self {
        self.functions = Some(functions);
        self
    }

    /// Sets the parent scope, where names are looked up that this scope does not have.
    ///
    /// ```
    /// use simd_hcl::evaluate::Scope;
    /// use simd_hcl::value::Value;
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = [x, y]\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// let outer = [("x", Value::bool(true))];
    /// let inner = [("y", Value::bool(false))];
    /// let parent = Scope::new().with_variables(&outer);
    /// let scope = Scope::new().with_variables(&inner).with_parent(&parent);
    /// let a = file.body().just_attributes(&mut ())[0].expression();
    /// assert!(a.value(&scope, &mut ()).is_wholly_known());
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub fn with_parent(mut self, parent: &'s Scope<'s, 'a>) -> Self {
        self.parent = Some(parent);
        self
    }

    /// Sets the limits of steps and bytes for one evaluation, instead of [`Budget::DEFAULT`]. The
    /// budget of the innermost scope that has one applies.
    ///
    /// ```
    /// use simd_hcl::evaluate::{Budget, Scope};
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = [for x in [1, 2, 3] : x]\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// let scope = Scope::new().with_budget(Budget::new(5, 1 << 20));
    /// let mut found = Vec::new();
    /// file.body().just_attributes(&mut found)[0].expression().value(&scope, &mut found);
    /// assert_eq!(found[0].code().as_str(), "evaluation-too-long");
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub fn with_budget(mut self, budget: Budget) -> Self {
        self.budget = Some(budget);
        self
    }

    /// Makes `&&` and `||` short-circuit: if one operand decides, errors in the other one are not
    /// reported. Newer versions of the reference do this. Without it, as in older versions, both
    /// operands are evaluated, and null is an error.
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

    /// Whether variables may be used.
    pub(crate) fn has_variables(&self) -> bool {
        self.chain().any(|scope| scope.variables.is_some())
    }

    /// Returns the innermost variable named `name`.
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

    /// The names of all variables, innermost scope first.
    pub(crate) fn variable_names(&self) -> impl Iterator<Item = &'a str> {
        let variables = self.chain().flat_map(|scope| scope.variables.unwrap_or_default());
        variables.map(|&(name, _)| name)
    }

    /// Returns the innermost function named `name`.
    pub(crate) fn function(&self, name: &str) -> Option<&'s dyn Function> {
        self.chain().find_map(|scope| scope.functions?.get(name))
    }

    /// The names of all functions, innermost scope first; `None` if no functions may be called.
    pub(crate) fn function_names(&self) -> Option<Vec<&'s str>> {
        let mut sets = self.chain().filter_map(|scope| scope.functions).peekable();
        sets.peek()?;
        Some(sets.flat_map(|functions| functions.names()).collect())
    }

    /// The scope itself and its parents, innermost first.
    fn chain(&self) -> impl Iterator<Item = Self> {
        std::iter::successors(Some(*self), |scope| scope.parent.copied())
    }
}
