//! The references of a stack.

use std::fmt;

use super::table::{Kind, Reading};
use super::{Object, Stack};
use crate::body::Attribute;
use crate::diagnostic::Diagnostic;
use crate::expression::Expression;
use crate::module::{Nested, visit_templates};
use crate::native::{Step, StepKind, Traversal};

/// The subject of a reference: an object of a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Subject<'a> {
    /// The kind of the object.
    pub kind: Kind,
    /// Its names; the second is empty unless it has two.
    pub names: [&'a str; 2],
}

impl fmt::Display for Subject<'_> {
    /// Writes `var.name`, `provider.aws.this`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.root().unwrap_or_default())?;
        self.names.iter().filter(|name| !name.is_empty()).try_for_each(|name| write!(f, ".{name}"))
    }
}

impl<'a> Subject<'a> {
    /// The object that a traversal names; `None` if its first name is none of those of objects, or if
    /// no name follows.
    #[must_use]
    pub fn of(traversal: Traversal<'a>) -> Option<Self> {
        Self::of_steps(traversal.steps())
    }

    /// Like [`Self::of`], for the steps of a traversal.
    pub(crate) fn of_steps(steps: &[Step<'a>]) -> Option<Self> {
        let Some(Step { kind: StepKind::Root(root), .. }) = steps.first() else { return None };
        let kind = Kind::of_root(root)?;
        let mut names = [""; 2];
        for (at, name) in names.iter_mut().enumerate().take(kind.names()) {
            match steps.get(at + 1)?.kind {
                StepKind::Attribute(step) => *name = step,
                _ => return None,
            }
        }
        Some(Self { kind, names })
    }
}

/// A reference in an object of a stack.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Reference<'a> {
    /// The index of the object that refers among [`Stack::objects`].
    pub from: usize,
    /// The reference as written.
    pub traversal: Traversal<'a>,
    /// Whether the iterator `each` exists there.
    pub has_each: bool,
}

impl<'a> Stack<'a> {
    /// Visits every reference, in the order of the objects and their text.
    ///
    /// Cost: parses the expressions of all bodies.
    pub fn visit_references(&self, mut visit: impl FnMut(Reference<'a>)) {
        self.visit(&mut visit, &mut |_| {});
    }

    /// Visits the expressions that are evaluated, each with the index of its object among
    /// [`Self::objects`].
    pub(crate) fn visit_values(&self, visit: &mut dyn FnMut(usize, Expression<'a>)) {
        for (number, object) in self.objects.iter().enumerate() {
            match object.attribute {
                Some(attribute) if object.kind == Kind::Local => {
                    visit(number, attribute.expression());
                }
                // Sources and versions of providers are constants.
                Some(_) => {}
                None => {
                    let row = object.kind.row();
                    let properties = object.block.body().properties();
                    let is_value =
                        |it: &Attribute<'a>| matches!(row.reading(it.name()), Reading::Value);
                    for property in properties.filter(is_value) {
                        visit_templates(property, Nested::Unknown, |value, _| visit(number, value));
                    }
                }
            }
        }
    }

    /// Like [`visit_references`](Self::visit_references), and passes on syntax errors of templates; `None` is an error that was reported before.
    pub(super) fn visit(
        &self,
        visit: &mut dyn FnMut(Reference<'a>),
        broken: &mut dyn FnMut(Option<&Diagnostic<'a>>),
    ) {
        for (from, object) in self.objects.iter().enumerate() {
            let mut visitor = Visitor { from, has_each: false, visit, broken };
            match object.attribute {
                Some(attribute) if object.kind == Kind::Local => {
                    visitor.value(attribute.expression());
                }
                // Sources and versions of providers are constants.
                Some(_) => {}
                None => visitor.object(object),
            }
        }
    }
}

struct Visitor<'v, 'a> {
    from: usize,
    has_each: bool,
    visit: &'v mut dyn FnMut(Reference<'a>),
    broken: &'v mut dyn FnMut(Option<&Diagnostic<'a>>),
}

impl<'a> Visitor<'_, 'a> {
    fn object(&mut self, object: &Object<'a>) {
        let row = object.kind.row();
        let is_repeated = object.argument("for_each").is_some();
        // The conditions of an approval read the plan.
        let is_known = |name: &str| row.arguments().any(|(argument, _)| argument == name);
        for property in object.block.body().properties() {
            let name = property.name();
            self.has_each = is_repeated && name != "for_each";
            let value = property.expression();
            match row.reading(name) {
                Reading::Literal | Reading::Type => {}
                Reading::Value if !is_known(name) => self.nested(value),
                Reading::Value => self.value(value),
                Reading::Providers if value.is_container() => {
                    for (_, provider) in value.as_map().into_iter().flatten() {
                        self.reference(provider);
                    }
                }
                Reading::Providers => self.value(value),
                Reading::References => {
                    value.as_list().into_iter().flatten().for_each(|each| self.reference(each));
                }
                Reading::Reference => self.reference(value),
            }
        }
    }

    /// A nested block as a value: its arguments are values.
    fn nested(&mut self, value: Expression<'a>) {
        self.value(value);
    }

    fn value(&mut self, value: Expression<'a>) {
        let mut variables = value.variables();
        for traversal in &mut variables {
            let (from, has_each) = (self.from, self.has_each);
            (self.visit)(Reference { from, traversal, has_each });
        }
        variables.broken().iter().for_each(|error| (self.broken)(Some(error)));
        if value.has_invalid() {
            (self.broken)(None);
        }
    }

    /// A reference, which may have keys that are expressions.
    fn reference(&mut self, value: Expression<'a>) {
        match value.as_traversal() {
            Some(traversal) => {
                let (from, has_each) = (self.from, self.has_each);
                (self.visit)(Reference { from, traversal, has_each });
            }
            None => self.value(value),
        }
    }
}
