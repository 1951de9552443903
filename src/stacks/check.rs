//! Checks the references of a stack, and the values of its deployments.

use super::table::Kind;
use super::{Object, Reference, Stack, Subject};
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Sink, report_alike};
use crate::expression::is_identifier;
use crate::hash::HashSet;
use crate::suggest::{self, Suggestions};

/// First names of references that are to no object, and what has them.
const OTHERS: [&str; 6] = ["each", "self", "terraform", "path", "context", "count"];

impl<'a> Stack<'a> {
    /// Reports references to undeclared objects, unused variables and local values, and values of
    /// deployments that are missing or for no variable. With `withholds`, some files could not be
    /// read, and errors that their declarations could refute are not reported.
    ///
    /// Cost: parses the expressions of all bodies.
    pub fn check(&self, arena: &'a Arena, withholds: bool, sink: &mut dyn Sink<'a>) {
        let mut used = vec![false; self.objects.len()];
        let mut suggestions = Suggestions::new();
        let mut found: Vec<Diagnostic<'a>> = Vec::new();
        let mut broken: Vec<Diagnostic<'a>> = Vec::new();
        let mut is_broken = false;
        self.visit(
            &mut |reference| {
                if let Some(diagnostic) =
                    self.judge(reference, &mut used, (arena, withholds), &mut suggestions)
                {
                    found.push(diagnostic);
                }
            },
            &mut |error| {
                is_broken = true;
                broken.extend(error.cloned());
            },
        );
        broken.into_iter().chain(found).for_each(|diagnostic| sink.report(diagnostic));
        // The references of a broken expression are not known.
        if withholds || is_broken {
            return;
        }
        for (object, used) in self.objects.iter().zip(used) {
            let kind = match object.kind {
                Kind::Variable => "variable",
                Kind::Local => "local value",
                _ => continue,
            };
            if !used {
                let label = match object.attribute {
                    Some(attribute) => attribute.name_label(),
                    None => object.block.label_place(0),
                };
                let arguments = [kind, object.names[0]];
                sink.report(
                    Diagnostic::new(Code::UnusedDeclaration, label).with_arguments(&arguments),
                );
            }
        }
        // Files of deployments alone do not show which variables exist.
        if self.has_components && self.has_deployments {
            self.of_kind(Kind::Deployment).for_each(|deployment| self.inputs(deployment, sink));
        }
    }

    fn judge(
        &self,
        reference: Reference<'a>,
        used: &mut [bool],
        (arena, withholds): (&'a Arena, bool),
        suggestions: &mut Suggestions,
    ) -> Option<Diagnostic<'a>> {
        let Reference { from, traversal, has_each } = reference;
        let root = traversal.root_name();
        let Some(subject) = Subject::of(traversal) else {
            return match Kind::of_root(root) {
                Some(_) => {
                    let why = "the name of an object must follow";
                    let label = traversal.step_label(0);
                    Some(
                        Diagnostic::new(Code::InvalidReference, label).with_arguments(&[root, why]),
                    )
                }
                None if root == "each" && !has_each && !self.is_approval(from) => {
                    let arguments = ["each", "a block with \"for_each\""];
                    let label = traversal.label();
                    Some(Diagnostic::new(Code::OutOfScope, label).with_arguments(&arguments))
                }
                None if OTHERS.contains(&root) => None,
                None => {
                    let known = OTHERS.into_iter().chain(self.roots());
                    let nearest = suggest::nearest(root, known);
                    let diagnostic =
                        Diagnostic::new(Code::UnknownVariable, traversal.step_label(0));
                    Some(diagnostic.with_arguments(&[root]).with_suggestion(nearest))
                }
            };
        };
        if let Some(place) = self.place_from(subject, from) {
            used[place] |= place != from;
            return None;
        }
        // A removed component is no longer declared. Files of one kind do not show what those of the
        // other declare.
        let is_elsewhere = match subject.kind.is_of_deployments() {
            true => !self.has_deployments,
            false => subject.kind != Kind::Local && !self.has_components,
        };
        let is_removed = self.objects.get(from).is_some_and(|it| it.kind == Kind::Removed);
        if withholds || is_elsewhere || is_removed {
            return None;
        }
        let known = self.of_kind(subject.kind).map(|object| object.names[0]);
        let nearest = suggestions.nearest(subject.names[0], known);
        let address = arena.format(format_args!("{subject}"));
        Some(
            Diagnostic::new(Code::UndeclaredReference, traversal.label())
                .with_arguments(&[address])
                .with_suggestion(nearest),
        )
    }

    /// Whether an object has conditions, whose names are those of a plan.
    fn is_approval(&self, place: usize) -> bool {
        let kind = self.objects.get(place).map(|object| object.kind);
        matches!(kind, Some(Kind::Orchestrate | Kind::DeploymentAutoApprove))
    }

    /// The first names of references to objects of the stack.
    fn roots(&self) -> impl Iterator<Item = &'static str> {
        let kinds: HashSet<Kind> = self.objects.iter().map(|object| object.kind).collect();
        kinds
            .into_iter()
            .filter_map(Kind::root)
            .collect::<std::collections::BTreeSet<_>>()
            .into_iter()
    }

    /// Reports values of a deployment for undeclared variables, and variables without a value.
    fn inputs(&self, deployment: &Object<'a>, sink: &mut dyn Sink<'a>) {
        let Some(inputs) = deployment.argument("inputs") else { return };
        let Some(given) = inputs.expression().as_map() else { return };
        let mut names = HashSet::default();
        for (key, _) in given {
            let name = key.to_str();
            // The name of a computed key is not known.
            if !is_identifier(name) {
                return;
            }
            names.insert(name);
            let subject = Subject { kind: Kind::Variable, names: [name, ""] };
            if self.get(subject).is_none() {
                let known = self.of_kind(Kind::Variable).map(|variable| variable.names[0]);
                sink.report(
                    Diagnostic::new(Code::UndeclaredVariableValue, key.expression().label())
                        .with_arguments(&[name])
                        .with_suggestion(suggest::nearest(name, known)),
                );
            }
        }
        let label = deployment.block.definition_label();
        let required = self.of_kind(Kind::Variable).filter(|it| it.argument("default").is_none());
        let missing = required.filter(|variable| !names.contains(variable.names[0]));
        let missing = missing.map(|variable| {
            Diagnostic::new(Code::MissingDeploymentInput, label)
                .with_arguments(&[variable.names[0]])
                .with_related(variable.label(), "declared here, without a default")
        });
        report_alike(missing, sink);
    }
}
