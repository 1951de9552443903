//! Conditions of queries: HCL expressions about the selected values.

use std::collections::BTreeSet;

use super::Selected;
use crate::arena::Arena;
use crate::body::Body;
use crate::diagnostic::{Diagnostic, Sink};
use crate::dialect::{Dialect, Grammar, List, Reading};
use crate::evaluate::{Functions, Scope};
use crate::expression::{Expression, PathStep};
use crate::native::Native;
use crate::source::{Source, SourceError};
use crate::value::{Type, Value};

/// An HCL expression that filters the selected values, such as `instance_type == "t3.large"`.
///
/// Its variables are attributes: a name is a member of the selected object, otherwise of the object
/// around it, otherwise of the block. A missing member is `null`; a condition that cannot be
/// evaluated without it does not hold. Types, references and keywords without quotes are texts, as
/// they are in JSON: `type == "string"`. `self` is an object with `value`, `address` and `name`.
///
/// ```
/// use simd_hcl::dialect::{Dialect, List, root_schema};
/// use simd_hcl::query::{Condition, Pattern, Verdict, select};
/// use simd_hcl::{Arena, Document};
///
/// let arena = Arena::new();
/// let json = br#"{"resource": {"a_b": {"x": {"size": 1}, "y": {"size": 9}}}}"#;
/// let document = Document::parse_bytes(&arena, "main.tf.json", json)?;
/// let pattern = Pattern::parse("resource.a_b.*")?;
/// let condition = Condition::for_document(document, "size > 5", &mut ())?.unwrap();
/// let large = select(&pattern, document, root_schema(Dialect::OpenTofu, List::Primary))
///     .filter(|found| condition.verdict(found, None) == Verdict::Holds);
/// assert_eq!(large.map(|found| found.address()).collect::<Vec<_>>(), ["a_b.y"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Condition<'a> {
    expression: Native<'a>,
    names: &'a [&'a str],
}

/// The result of a condition.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict<'a> {
    /// It holds.
    Holds,
    /// It does not hold.
    Fails,
    /// It depends on a value that is only known when the configuration is evaluated.
    Unknown,
    /// It cannot be evaluated. The diagnostic is in the source of the condition.
    Invalid(Box<Diagnostic<'a>>),
}

const SELF: &str = "self";

/// The objects that have the members which a name may refer to.
#[derive(Clone, Copy)]
enum Container {
    Value,
    /// The object around the value.
    Object,
    /// The body of the block around it.
    Body,
}

/// Returns the text of a type, a reference or a keyword, as JSON writes it; for a list, the texts of
/// its elements.
fn text_of<'a>(arena: &'a Arena, value: Expression<'a>) -> Value<'a> {
    let text = |value: Expression<'a>| {
        Value::string(arena, str::from_utf8(value.text()).unwrap_or_default())
    };
    match value.as_list() {
        Some(elements) => Value::tuple(arena, &elements.map(text).collect::<Vec<_>>()),
        None => text(value),
    }
}

impl<'a> Condition<'a> {
    /// Parses a condition for the values of one file, in the file's arena. Parsing it for each file
    /// keeps memory as small as the largest file needs. See [`Condition::parse`].
    ///
    /// # Errors
    ///
    /// The text is larger than a source can be.
    pub fn for_document(
        file: impl Into<Body<'a>>,
        text: &str,
        sink: &mut dyn Sink<'a>,
    ) -> Result<Option<Self>, SourceError> {
        Self::parse(file.into().source().arena(), text, sink)
    }

    /// Parses a condition. If the text is not an expression, reports why to `sink` and returns
    /// `None`.
    ///
    /// # Errors
    ///
    /// The text is larger than a source can be.
    pub fn parse(
        arena: &'a Arena,
        text: &str,
        sink: &mut dyn Sink<'a>,
    ) -> Result<Option<Self>, SourceError> {
        let source = Source::from_bytes(arena, "condition", arena.str(text).as_bytes())?;
        let mut is_wrong = false;
        let expression = Native::expression(arena, source, &mut |diagnostic| {
            is_wrong = true;
            sink.report(diagnostic);
        });
        let names: BTreeSet<&str> =
            expression.variables().map(|traversal| traversal.root_name()).collect();
        let names: Vec<&str> = names.into_iter().collect();
        let names = arena.bump().alloc_slice_copy(&names);
        Ok((!is_wrong).then_some(Self { expression, names }))
    }

    /// Returns the result of the condition for a selected value.
    ///
    /// Cost: the cost of the expression, and of the values of the members that it names.
    #[must_use]
    pub fn verdict(
        &self,
        selected: &Selected<'a>,
        functions: Option<&dyn Functions>,
    ) -> Verdict<'a> {
        let arena = self.expression.source().arena();
        let mut is_absent = false;
        let variables: Vec<(&'a str, Value<'a>)> = self
            .names
            .iter()
            .map(|&name| {
                let value = match selected.member(name) {
                    _ if name == SELF => selected.to_value(arena),
                    Some((value, container)) => {
                        let constant = value.constant_value(&mut ());
                        let is_text = !value.is_json()
                            && !constant.is_wholly_known()
                            && selected.reading(container, name) == Reading::Bare;
                        if is_text { text_of(arena, value) } else { constant }
                    }
                    None => {
                        is_absent = true;
                        Value::null(Type::Dynamic)
                    }
                };
                (name, value)
            })
            .collect();
        let mut scope = Scope::new().with_variables(&variables).with_short_circuits();
        if let Some(functions) = functions {
            scope = scope.with_functions(functions);
        }
        let mut error = None;
        let value = self.expression.value(&scope, &mut error);
        match (error, value.as_bool()) {
            (Some(_), _) if is_absent => Verdict::Fails,
            (Some(error), _) => Verdict::Invalid(Box::new(error)),
            (None, Some(true)) => Verdict::Holds,
            (None, None) if !value.is_known() => Verdict::Unknown,
            // `null`, and values that are not booleans, do not hold.
            (None, _) => Verdict::Fails,
        }
    }
}

impl Condition<'_> {
    /// The bytes of the values that the condition reads for a selected value, apart from its own.
    #[must_use]
    pub fn bytes_read(&self, selected: &Selected<'_>) -> u64 {
        let members = self.names.iter().filter_map(|name| selected.member(name));
        members.map(|(member, _)| u64::from(member.span().len())).sum()
    }
}

impl<'a> Selected<'a> {
    /// Returns the member that a name in a condition refers to, and the object that has it.
    fn member(&self, name: &str) -> Option<(Expression<'a>, Container)> {
        let get =
            |object: Option<Expression<'a>>, container| Some((object?.member(name)?, container));
        get(Some(self.value), Container::Value)
            .or_else(|| get(self.around.object, Container::Object))
            .or_else(|| get(self.around.body, Container::Body))
    }

    /// Returns how a member of an object is read; as a template if the object is not a block of the
    /// language.
    fn reading(&self, container: Container, name: &str) -> Reading {
        let steps = self.path.steps();
        let path = match container {
            Container::Value => &steps[..],
            Container::Object => {
                let is_member = |step: &PathStep<'_>| matches!(step, PathStep::Member(_));
                &steps[..steps.iter().rposition(is_member).unwrap_or_default()]
            }
            Container::Body => steps.get(..self.head()).unwrap_or_default(),
        };
        let mut names = path.iter().filter_map(PathStep::name);
        let root =
            |dialect, name: &str| Grammar::of_file(Some((dialect, List::Primary))).block(name);
        let first = names.next();
        let mut found =
            first.and_then(|name| Dialect::ALL.into_iter().find_map(|dialect| root(dialect, name)));
        while let Some((labels, grammar)) = found {
            match names.by_ref().nth(labels) {
                None => return grammar.reading(name),
                Some(nested) => found = grammar.block(nested),
            }
        }
        Reading::Template
    }

    /// Returns the value of `self`.
    fn to_value(self, arena: &'a Arena) -> Value<'a> {
        let text = |text: String| Value::string(arena, arena.str(&text));
        let entries = [
            ("address", text(self.address())),
            ("name", text(self.name())),
            ("value", self.expression().constant_value(&mut ())),
        ];
        Value::object(arena, &entries)
    }
}
