//! Native expressions that each name one object: elements of `replace_triggered_by`, and of
//! `actions` in an `action_trigger`.
//!
//! An element is a string that holds an expression in native syntax: a reference to one resource or
//! action, whose index may use `count.index` or `each.key`. As in the tools, elements after the
//! first invalid one are only parsed: their references are not checked.

use smallvec::SmallVec;

use super::rules::Rules;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::expression::Expression;
use crate::native::Traversal;
use crate::reference::{Reference, ResourceName, Subject};

/// The elements of `replace_triggered_by`, including invalid ones.
pub(super) fn replacements<'a>(
    list: Expression<'a>,
    own: ResourceName<'a>,
    rules: Rules,
    sink: &mut dyn Sink<'a>,
) -> &'a [Expression<'a>] {
    let read = match rules.is_terraform() {
        true => Reference::of_terraform,
        false => Reference::of,
    };
    elements(list, read, sink, |element, traversals, report| {
        let (mut resources, mut is_own) = (0, false);
        for &traversal in traversals {
            match traversal {
                Named::Resource(name) => {
                    resources += 1;
                    is_own |= name == own;
                }
                Named::Each("key") | Named::Count("index") => {}
                Named::Each(_) => report(wrong(element, "each.key of \"each\"")),
                Named::Count(_) => report(wrong(element, "count.index of \"count\"")),
                Named::Action | Named::Module | Named::Other => {
                    report(wrong(element, "a resource, count.index or each.key"));
                }
            }
        }
        if resources != 1 {
            let how_many = if resources == 0 { "no resource" } else { "several resources" };
            let diagnostic = Diagnostic::new(Code::TriggerCount, element.label());
            report(diagnostic.with_arguments(&[how_many, "resource"]));
        } else if is_own {
            report(Diagnostic::new(Code::ResourceOfItself, element.start_label()));
        }
    })
}

/// The elements of `actions`, including invalid ones.
pub(super) fn actions<'a>(list: Expression<'a>, sink: &mut dyn Sink<'a>) -> &'a [Expression<'a>] {
    elements(list, Reference::of_terraform, sink, |element, traversals, report| {
        let mut actions = 0;
        for &traversal in traversals {
            match traversal {
                Named::Action => actions += 1,
                Named::Module => report(foreign(element, "a module")),
                Named::Resource(_) => report(foreign(element, "a resource")),
                // The missing action is reported below.
                Named::Each(_) | Named::Count(_) | Named::Other => {}
            }
        }
        if actions == 0 {
            report(nothing(element, "an action"));
        } else if actions > 1 {
            report(foreign(element, "several actions"));
        }
    })
}

/// The diagnostic for an element that does not name a required object.
#[cold]
pub(super) fn nothing<'a>(element: Expression<'a>, what: &'static str) -> Diagnostic<'a> {
    Diagnostic::new(Code::EmptyTrigger, element.start_label()).with_arguments(&[what])
}

/// The kind of object that a reference names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named<'a> {
    Resource(ResourceName<'a>),
    Action,
    Module,
    Each(&'a str),
    Count(&'a str),
    Other,
}

/// Reads the elements of a list, and calls `check` with the references of each, which `read`
/// interprets.
fn elements<'a>(
    list: Expression<'a>,
    read: fn(Traversal<'a>) -> Result<Reference<'a>, Diagnostic<'a>>,
    sink: &mut dyn Sink<'a>,
    check: impl Fn(Expression<'a>, &[Named<'a>], &mut dyn FnMut(Diagnostic<'a>)),
) -> &'a [Expression<'a>] {
    let Some(elements) = list.list(sink) else { return &[] };
    let elements: SmallVec<[Expression<'a>; 4]> = elements.collect();
    let mut report = |diagnostic| sink.report(diagnostic);
    let mut is_clean = true;
    for &element in &elements {
        let native = element.native(&mut report);
        let Some(native) = native.filter(|_| is_clean) else {
            is_clean = false;
            continue;
        };
        let mut named: SmallVec<[Named<'a>; 4]> = SmallVec::new();
        for traversal in native.variables() {
            let read = read(traversal).map(|it| match it.subject() {
                Subject::Action(..) => Named::Action,
                Subject::Resource(name) | Subject::ResourceInstance(name, _) => {
                    Named::Resource(name)
                }
                Subject::Each(name) => Named::Each(name),
                Subject::Count(name) => Named::Count(name),
                subject if subject.module_call().is_some() => Named::Module,
                _ => Named::Other,
            });
            match read {
                Ok(read) => named.push(read),
                Err(error) => {
                    is_clean = false;
                    report(error);
                }
            }
        }
        if is_clean {
            check(element, &named, &mut |diagnostic| {
                is_clean = false;
                report(diagnostic);
            });
        }
    }
    list.source().arena().bump().alloc_slice_copy(&elements)
}

#[cold]
fn wrong<'a>(element: Expression<'a>, allowed: &'static str) -> Diagnostic<'a> {
    Diagnostic::new(Code::TriggerReference, element.label()).with_arguments(&[allowed])
}

#[cold]
fn foreign<'a>(element: Expression<'a>, what: &'static str) -> Diagnostic<'a> {
    Diagnostic::new(Code::ActionReference, element.label()).with_arguments(&[what])
}
