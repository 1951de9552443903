//! Checks references to attributes of resources against their schemas.

use std::sync::Arc;

use super::{shape, value};
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::evaluate;
use crate::hash::HashMap;
use crate::module::{IgnoreChanges, Module, Object, Use};
use crate::native::{LentTraversal, Step, StepKind};
use crate::reference::{ResourceName, Subject};
use crate::show::BodySchema;
use crate::suggest::Suggestions;
use crate::value::Value;

/// Resources whose schema is known.
pub(super) type Known<'a> = HashMap<ResourceName<'a>, Arc<BodySchema<'a>>>;

/// Reports references to attributes that the schema of a resource does not have, also in
/// `ignore_changes`.
///
/// Cost: visits every reference of the module, unless no schema is known.
pub(super) fn check<'a>(module: &Module<'a>, known: &Known<'a>, sink: &mut dyn Sink<'a>) {
    if known.is_empty() {
        return;
    }
    let mut suggestions = Suggestions::new();
    for resource in &module.resources {
        let Some(IgnoreChanges::Of(changes)) = resource.lifecycle().map(|it| it.ignore_changes)
        else {
            continue;
        };
        let Some(schema) = known.get(&resource.address()) else { continue };
        for change in changes {
            if let Some(step) = change.steps().first()
                && !attribute(*change, step, schema, (&mut suggestions, sink))
            {
                check_steps(*change, change.steps(), schema, sink);
                check_ignored(*change, schema, sink);
            }
        }
    }
    module.visit_references(|object, kind, traversal| {
        let is_value = matches!(kind, Use::Value | Use::Argument(_) | Use::Trigger);
        let Some(reference) = module.reference(traversal).ok().filter(|_| is_value) else { return };
        if let (Subject::Itself, Object::Resource(name), Some(step)) =
            (reference.subject(), object, reference.remaining().first())
        {
            if let Some(schema) = known.get(&name)
                && !attribute(traversal, step, schema, (&mut suggestions, sink))
            {
                check_steps(traversal, reference.remaining(), schema, sink);
            }
            return;
        }
        let (Subject::ResourceInstance(name, key), Some(step)) =
            (reference.subject(), reference.remaining().first())
        else {
            return;
        };
        let Some(schema) = known.get(&name) else { return };
        let repeated = module
            .resources
            .get(name)
            .is_some_and(|it| it.count().is_some() || it.for_each().is_some());
        // A missing or invalid key has been reported, and so has `count` on a resource without it.
        let is_reported = repeated != key.is_some() || step.kind == StepKind::Attribute("count");
        if !is_reported && !attribute(traversal, step, schema, (&mut suggestions, sink)) && repeated
        {
            // For a single instance, the evaluation reports it.
            check_steps(traversal, reference.remaining(), schema, sink);
        }
    });
}

/// Reports an element of `ignore_changes` that is an attribute which only the provider sets.
fn check_ignored<'a>(
    change: LentTraversal<'_, 'a>,
    schema: &BodySchema<'a>,
    sink: &mut dyn Sink<'a>,
) {
    let [Step { kind: StepKind::Attribute(name) | StepKind::Root(name), .. }] = change.steps()
    else {
        return;
    };
    if schema.attribute(name).is_some_and(value::is_read_only) {
        let warning = Diagnostic::new(Code::RedundantIgnore, change.label());
        sink.report(warning.with_arguments(&[name]));
    }
}

/// Reports invalid steps after an attribute or blocks, which the first step names.
fn check_steps<'a>(
    traversal: LentTraversal<'_, 'a>,
    steps: &[Step<'a>],
    schema: &BodySchema<'a>,
    sink: &mut dyn Sink<'a>,
) {
    let Some((first, rest @ [_, ..])) = steps.split_first() else { return };
    let (StepKind::Attribute(name) | StepKind::Root(name)) = first.kind else { return };
    let arena = traversal.source().arena();
    let of_attribute = || schema.attribute_type(name, |it| value::type_of(arena, it));
    let of_blocks = || shape::type_of_blocks(arena, schema.block_type(name)?, shape::MAX_DEPTH);
    let Some(ty) = of_attribute().or_else(of_blocks) else { return };
    let value = Value::unknown(ty.without_optional_attributes(arena));
    if let Err(diagnostic) = evaluate::follow(traversal.source(), value, rest) {
        sink.report(diagnostic);
    }
}

/// Reports a step to an attribute that does not exist. Returns whether it did.
fn attribute<'a>(
    traversal: LentTraversal<'_, 'a>,
    step: &Step<'a>,
    schema: &BodySchema<'a>,
    (suggestions, sink): (&mut Suggestions, &mut dyn Sink<'a>),
) -> bool {
    let (StepKind::Attribute(name) | StepKind::Root(name)) = step.kind else { return false };
    if schema.attribute(name).is_some() || schema.block_type(name).is_some() {
        return false;
    }
    sink.report(
        Diagnostic::new(Code::UnsupportedAttribute, Label::new(traversal.source(), step.span))
            .with_arguments(&[name, "the schema of the resource does not have it"])
            .with_suggestion(suggestions.nearest(name, schema.names())),
    );
    true
}
