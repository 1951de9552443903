//! Variables whose values must not be shown.

use crate::expression::Expression;
use crate::hash::{HashMap, HashSet};
use crate::native::StepKind;
use crate::tree::{Link, Tree};

/// A variable: the place of its module, and its name.
type Variable<'a> = (usize, &'a str);

/// The variables that are sensitive or ephemeral, and those that calls pass on to such a variable.
pub(super) struct Secrets<'a> {
    variables: HashSet<Variable<'a>>,
}

impl<'a> Secrets<'a> {
    /// Cost: linear in the arguments of calls.
    pub(super) fn of(tree: &Tree<'a>) -> Self {
        let mut work: Vec<Variable<'a>> = Vec::new();
        // The variables of callers, by the variable that they are passed on to.
        let mut passed: HashMap<Variable<'a>, Vec<Variable<'a>>> = HashMap::default();
        for (place, module) in tree.modules().iter().enumerate() {
            let declared = module.module.variables.iter();
            let secret = declared.filter(|variable| variable.marks().hides());
            work.extend(secret.map(|variable| (place, variable.name)));
            for (call, link) in module.module.calls.iter().zip(&module.links) {
                let Link::Module(called) = *link else { continue };
                for argument in call.arguments {
                    if let Some(name) = only_variable(argument.expression()) {
                        passed.entry((called, argument.name())).or_default().push((place, name));
                    }
                }
            }
        }
        let mut variables = HashSet::default();
        while let Some(variable) = work.pop() {
            if variables.insert(variable) {
                work.extend(passed.remove(&variable).into_iter().flatten());
            }
        }
        Self { variables }
    }

    /// Whether the values of a variable of a module must not be shown.
    pub(super) fn has(&self, module: usize, name: &str) -> bool {
        self.variables.contains(&(module, name))
    }
}

/// The variable that an expression refers to, if it refers to nothing else.
fn only_variable(value: Expression<'_>) -> Option<&str> {
    let mut traversals = value.variables();
    let (only, more) = (traversals.next()?, traversals.next());
    match only.steps() {
        [root, step, ..] if more.is_none() && root.kind == StepKind::Root("var") => match step.kind
        {
            StepKind::Attribute(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}
