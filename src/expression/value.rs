//! The value of a JSON expression: literal, or with templates evaluated in a scope.
//!
//! Follows section "Expressions" of the HCL JSON syntax specification: an array is a tuple, an
//! object an object, a string a template, or itself in literal mode, and so are the keys of
//! objects. An error in one element does not stop the evaluation of the others.
//!
//! It walks the JSON value with an explicit stack, so nothing recurses.

use super::program::template;
use super::{Expression, Syntax};
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::evaluate::{Budget, InScope, Meter, Scope, evaluate, evaluate_for, evaluate_within};
use crate::hash::HashMap;
use crate::json::{self, JsonNumber, JsonString, JsonValue, Member, Node};
use crate::native::{self, Native, Output, Text, template_into};
use crate::program::node::Kind;
use crate::source::Source;
use crate::span::Span;
use crate::value::{Marks, Number, TEXT_UNIT, Type, Value, convert, shown, sort_by_name};

impl<'a> Expression<'a> {
    /// Returns the value in a scope: every string, and every key of an object, is a template.
    /// Errors are reported to `sink`, and the parts of the value that depend on them are unknown.
    ///
    /// The value of a block of a native file is unknown, because its form depends on a schema.
    ///
    /// Cost: the cost of the templates, within the scope's budget for all of them together;
    /// otherwise linear.
    ///
    /// ```
    /// use simd_hcl::evaluate::Scope;
    /// use simd_hcl::value::Value;
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = \"Hello ${name}!\"\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// let variables = [("name", Value::string(&arena, "you"))];
    /// let scope = Scope::new().with_variables(&variables);
    /// let mut found = Vec::new();
    /// let value = file.body().just_attributes(&mut found)[0].expression().value(&scope, &mut found);
    /// assert_eq!(value.as_str(), Some("Hello you!"));
    /// assert!(found.is_empty());
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    pub fn value(self, scope: &Scope<'_, 'a>, sink: &mut dyn Sink<'a>) -> Value<'a> {
        self.value_within(scope, &Meter::new(scope.budget()), sink)
    }

    /// Returns the value in a scope, within the rest of `meter` instead of the scope's budget, so
    /// that several expressions share one budget. The first template that exceeds it is reported;
    /// the templates after it are unknown.
    ///
    /// Cost: see [`Expression::value`].
    ///
    /// ```
    /// use simd_hcl::evaluate::{Budget, Meter, Scope};
    /// use simd_hcl::{Arena, Diagnostic, Document};
    ///
    /// let arena = Arena::new();
    /// let text = br#"{"a": "${1 + 1}", "b": "${[for i in [1, 2, 3] : [1, 2, 3]]}", "c": "${1 + 1}"}"#;
    /// let document = Document::parse_bytes(&arena, "main.tf.json", text).unwrap();
    /// let meter = Meter::new(Budget::new(20, 1 << 20));
    /// let mut found: Vec<Diagnostic> = Vec::new();
    /// for attribute in document.body().just_attributes(&mut found) {
    ///     attribute.expression().value_within(&Scope::new(), &meter, &mut found);
    /// }
    /// assert_eq!(found.len(), 1);
    /// assert_eq!(found[0].code().as_str(), "evaluation-too-long");
    /// ```
    pub fn value_within(
        self,
        scope: &Scope<'_, 'a>,
        meter: &Meter,
        sink: &mut dyn Sink<'a>,
    ) -> Value<'a> {
        match self.syntax() {
            Syntax::Json(node) => {
                let arena = node.source().arena();
                let names = InScope { scope, objects: None };
                let mut templates = Templates { arena, is_transient: false, names, meter };
                value_of(arena, node, &mut templates, sink)
            }
            Syntax::Native(native) => {
                evaluate_within(self.source().arena(), &native.program(), scope, meter, sink)
            }
            Syntax::Block(_) => Value::dynamic(),
        }
    }

    /// Like [`Expression::value_within`], with the value in an arena that may be freed before the
    /// file's. With `is_transient`, no program of a JSON template is kept, and syntax errors in them
    /// are not reported.
    pub(crate) fn value_in<'v>(
        self,
        arena: &'v Arena,
        is_transient: bool,
        names: InScope<'_, 'v>,
        meter: &Meter,
        sink: &mut dyn Sink<'a>,
    ) -> Value<'v>
    where
        'a: 'v,
    {
        match self.syntax() {
            Syntax::Json(node) => {
                let mut templates = Templates { arena, is_transient, names, meter };
                value_of(arena, node, &mut templates, sink)
            }
            Syntax::Native(native) => evaluate_for(arena, &native.program(), names, meter, sink),
            Syntax::Block(_) => Value::dynamic(),
        }
    }

    /// Returns the value read literally: JSON strings are not evaluated, even if they have
    /// templates. Only duplicate keys, and numbers too large for a value, are errors. A native
    /// expression is evaluated without variables and functions, which are reported to `sink`.
    ///
    /// Cost: linear.
    ///
    /// ```
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let document = Document::parse_bytes(&arena, "a.json", br#"{"a": "${b}"}"#)?;
    /// let a = document.body().just_attributes(&mut ())[0].expression();
    /// assert_eq!(a.literal_value(&mut ()).as_str(), Some("${b}"));
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    pub fn literal_value(self, sink: &mut dyn Sink<'a>) -> Value<'a> {
        match self.syntax() {
            Syntax::Json(node) => value_of(node.source().arena(), node, &mut Literals, sink),
            _ => {
                let budget = Budget::of_length(self.span().len());
                self.value(&Scope::new().with_budget(budget), sink)
            }
        }
    }

    /// Returns the constant parts of the value: templates with variables or functions are unknown,
    /// and so are strings that join text to them.
    ///
    /// Cost: linear. Parts that need more, such as loops in loops or text of numbers with thousands
    /// of digits, are unknown, and reported once.
    ///
    /// ```
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = [1 + 1, var.x]\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// let a = file.body().just_attributes(&mut ())[0].expression().constant_value(&mut ());
    /// let elements = a.as_elements().unwrap();
    /// assert_eq!((elements[0].to_string(), elements[1].is_known()), ("2".to_owned(), false));
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    pub fn constant_value(self, sink: &mut dyn Sink<'a>) -> Value<'a> {
        self.constant_value_in(self.source().arena(), sink)
    }

    /// Like [`constant_value`](Self::constant_value), with the value in another arena, for callers that
    /// do not keep it.
    pub fn constant_value_in<'v>(self, arena: &'v Arena, sink: &mut dyn Sink<'a>) -> Value<'v>
    where
        'a: 'v,
    {
        let meter = Meter::new(Budget::of_length(self.span().len()));
        match self.syntax() {
            Syntax::Json(node) => {
                let scope = Scope::new();
                let names = InScope { scope: &scope, objects: None };
                let templates = Templates { arena, is_transient: false, names, meter: &meter };
                value_of(arena, node, &mut Constants(templates), sink)
            }
            Syntax::Native(native) => constant(arena, native, &meter, sink),
            Syntax::Block(_) => Value::dynamic(),
        }
    }
}

/// The evaluation of strings and keys.
trait Strings<'v, 'a> {
    /// Returns the value of a string or key.
    fn value(
        &mut self,
        string: JsonString<'a>,
        source: Source<'a>,
        sink: &mut dyn Sink<'a>,
    ) -> Value<'v>;

    /// The budget for evaluating them.
    fn meter(&self) -> Option<&Meter> {
        None
    }
}

/// Strings are literal text.
struct Literals;

impl<'a> Strings<'a, 'a> for Literals {
    fn value(
        &mut self,
        string: JsonString<'a>,
        source: Source<'a>,
        _: &mut dyn Sink<'a>,
    ) -> Value<'a> {
        Value::string(source.arena(), string.to_str())
    }
}

/// Strings are templates, evaluated in a scope within one budget.
struct Templates<'e, 'v> {
    arena: &'v Arena,
    /// Whether `arena` is freed before the file's: then neither programs nor decoded texts are kept.
    is_transient: bool,
    names: InScope<'e, 'v>,
    meter: &'e Meter,
}

impl<'v, 'a: 'v> Strings<'v, 'a> for Templates<'_, 'v> {
    fn value(
        &mut self,
        string: JsonString<'a>,
        source: Source<'a>,
        sink: &mut dyn Sink<'a>,
    ) -> Value<'v> {
        let arena = self.arena;
        if self.is_transient {
            return self.transient(string, source, sink);
        }
        match template(string) {
            None => Value::string(arena, string.to_str()),
            Some(Ok(program)) => evaluate_for(arena, program, self.names, self.meter, sink),
            Some(Err(error)) => {
                sink.report(error.clone());
                Value::dynamic()
            }
        }
    }

    fn meter(&self) -> Option<&Meter> {
        Some(self.meter)
    }
}

impl<'v> Templates<'_, 'v> {
    /// The value of a string of which nothing is kept. Syntax errors are not reported.
    fn transient<'a: 'v>(
        &self,
        string: JsonString<'a>,
        source: Source<'a>,
        sink: &mut dyn Sink<'a>,
    ) -> Value<'v> {
        let arena = self.arena;
        if !string.may_be_template() {
            let text = match string.is_escaped() {
                true => json::decode(string.raw(), arena),
                false => string.to_str(),
            };
            return Value::string(arena, text);
        }
        let mut output = Output::default();
        let text = Text::of_string(source, string);
        let parsed = template_into(&mut output, source.arena(), &text, native::MAX_DEPTH, &mut ());
        parsed.map_or_else(Value::dynamic, |program| {
            evaluate_for(arena, &program, self.names, self.meter, sink)
        })
    }
}

/// Strings are templates; those with variables or functions are unknown.
struct Constants<'e, 'v>(Templates<'e, 'v>);

impl<'v, 'a: 'v> Strings<'v, 'a> for Constants<'_, 'v> {
    fn value(
        &mut self,
        string: JsonString<'a>,
        source: Source<'a>,
        sink: &mut dyn Sink<'a>,
    ) -> Value<'v> {
        match template(string) {
            Some(Ok(program)) if !program.is_constant() => {
                let is_text = program.nodes.last().is_some_and(|root| root.kind == Kind::Template);
                Value::unknown(if is_text { Type::String } else { Type::Dynamic })
            }
            // A template with a syntax error is not constant; the search for references has
            // reported the error.
            Some(Err(_)) => Value::dynamic(),
            _ => self.0.value(string, source, sink),
        }
    }

    fn meter(&self) -> Option<&Meter> {
        Some(self.0.meter)
    }
}

impl<'a> Native<'a> {
    /// Returns the value in a scope. Errors are reported to `sink`, and the parts of the value that
    /// depend on them are unknown.
    ///
    /// Cost: the cost of the expression, within the scope's budget.
    pub fn value(self, scope: &Scope<'_, 'a>, sink: &mut dyn Sink<'a>) -> Value<'a> {
        evaluate(self.source().arena(), &self.program(), scope, sink)
    }
}

/// Returns the value of a native expression, with variables and functions unknown.
fn constant<'v, 'a: 'v>(
    arena: &'v Arena,
    native: Native<'a>,
    meter: &Meter,
    sink: &mut dyn Sink<'a>,
) -> Value<'v> {
    let program = native.program();
    if program.is_constant() {
        return evaluate_within(arena, &program, &Scope::new(), meter, sink);
    }
    if program.nodes.iter().any(|node| node.kind == Kind::Call) {
        let is_text = native.is(Kind::Template);
        return Value::unknown(if is_text { Type::String } else { Type::Dynamic });
    }
    let mut unknown: Vec<_> =
        native.variables().map(|it| (it.root_name(), Value::dynamic())).collect();
    sort_by_name(&mut unknown);
    unknown.dedup_by_key(|(name, _)| *name);
    evaluate_within(arena, &program, &Scope::new().with_variables(&unknown), meter, sink)
}

/// Returns the value of `root`. `strings` evaluates its strings and keys.
fn value_of<'v, 'a: 'v>(
    arena: &'v Arena,
    root: Node<'a>,
    strings: &mut impl Strings<'v, 'a>,
    sink: &mut dyn Sink<'a>,
) -> Value<'v> {
    let source = root.source();
    let mut containers: Vec<Container<'v, 'a>> = Vec::new();
    let mut node = root;
    loop {
        let mut value = match node.value() {
            JsonValue::Null => Some(Value::null(Type::Dynamic)),
            JsonValue::Bool(truth) => Some(Value::bool(truth)),
            JsonValue::Number(number) => Some(number_value(number, node, sink)),
            JsonValue::String(string) => Some(strings.value(string, source, sink)),
            JsonValue::Array(array) => {
                let (elements, values) = (array.elements(), Vec::new());
                containers.push(Container::Array { elements, values });
                None
            }
            JsonValue::Object(object) => {
                containers.push(Container::Object(Box::new(Members::new(object))));
                None
            }
        };
        // Find the next node without a value, or close the containers that are complete.
        node = loop {
            let Some(container) = containers.last_mut() else {
                return value.unwrap_or_else(Value::dynamic);
            };
            let next = match container {
                Container::Array { elements, values } => {
                    values.extend(value.take());
                    elements.next()
                }
                Container::Object(members) => {
                    if let Some(value) = value.take() {
                        members.add(arena, source, value, strings.meter(), sink);
                    }
                    members.next(source, strings, sink)
                }
            };
            if let Some(next) = next {
                break next;
            }
            value = containers.pop().map(|container| match container {
                Container::Array { values, .. } => Value::tuple(arena, &values),
                Container::Object(members) => members.value(arena),
            });
        };
    }
}

/// Returns the exact value of a number. A number with an exponent out of range has no value.
fn number_value<'a>(number: JsonNumber<'a>, node: Node<'a>, sink: &mut dyn Sink<'a>) -> Value<'a> {
    match Number::from_literal(number.text()) {
        Ok(number) => Value::number(number),
        Err(error) => {
            let arena = node.source().arena();
            let arguments = [number.text(), arena.format(format_args!("{error}"))];
            sink.report(
                Diagnostic::new(Code::InvalidNumber, node.label()).with_arguments(&arguments),
            );
            Value::dynamic()
        }
    }
}

/// The names of an object with fewer members are compared one by one.
const SMALL: usize = 16;

/// An array or object that is being evaluated.
enum Container<'v, 'a> {
    Array { elements: json::Elements<'a>, values: Vec<Value<'v>> },
    Object(Box<Members<'v, 'a>>),
}

struct Members<'v, 'a> {
    rest: json::Members<'a>,
    /// The member whose value is being evaluated, and its key.
    current: Option<(Member<'a>, Value<'v>)>,
    entries: Vec<(&'v str, Value<'v>)>,
    /// The bytes of the names of the entries.
    spans: Vec<Span>,
    /// The places of the entries by name, once there are more than a few.
    places: HashMap<&'v str, usize>,
    marks: Marks,
    /// Whether all keys are known.
    known: bool,
}

impl<'v, 'a: 'v> Members<'v, 'a> {
    fn new(object: json::Object<'a>) -> Self {
        Self {
            rest: object.members(),
            current: None,
            entries: Vec::new(),
            spans: Vec::new(),
            places: HashMap::default(),
            marks: Marks::NONE,
            known: true,
        }
    }

    /// Evaluates the next key and returns the node of its value.
    fn next(
        &mut self,
        source: Source<'a>,
        strings: &mut impl Strings<'v, 'a>,
        sink: &mut dyn Sink<'a>,
    ) -> Option<Node<'a>> {
        let member = self.rest.next()?;
        let key = strings.value(member.name(), source, sink);
        self.current = Some((member, key));
        Some(member.value())
    }

    /// Adds the value of the current member under its key. Of equal keys, the first one counts.
    fn add(
        &mut self,
        arena: &'v Arena,
        source: Source<'a>,
        value: Value<'v>,
        meter: Option<&Meter>,
        sink: &mut dyn Sink<'a>,
    ) {
        let Some((member, key)) = self.current.take() else { return };
        let span = member.name_span();
        let mut refuse = |reason| {
            sink.report(
                Diagnostic::new(Code::InvalidKeyExpression, member.name_label())
                    .with_arguments(&[reason]),
            );
        };
        if key.is_null() {
            return refuse("it is null");
        }
        self.marks = self.marks.with(key.marks());
        // A number of ten bytes may have a million digits.
        if let Some(meter) = meter.filter(|_| key.as_number().is_some()) {
            let is_first = meter.exhausted().is_none();
            if let Err(exhausted) = meter.text(key.size() as usize * TEXT_UNIT) {
                self.known = false;
                if is_first {
                    sink.report(Diagnostic::new(exhausted.code(), member.name_label()));
                }
                return;
            }
        }
        let name = match convert(arena, key, Type::String) {
            Ok(text) => text.as_str(),
            Err(error) => return refuse(source.arena().format(format_args!("{error}"))),
        };
        let Some(name) = name else {
            self.known = false;
            return;
        };
        let first = match self.entries.len() {
            0..SMALL => self.entries.iter().position(|(known, _)| *known == name),
            SMALL => {
                let names = self.entries.iter().map(|(name, _)| *name);
                self.places = names.zip(0..).collect();
                self.places.get(name).copied()
            }
            _ => self.places.get(name).copied(),
        };
        if let Some(first) = first {
            return sink.report(
                Diagnostic::new(Code::DuplicateObjectAttribute, member.name_label())
                    .with_arguments(&[source.arena().str(shown(name, self.marks))])
                    .with_related(Label::new(source, self.spans[first]), "first set here"),
            );
        }
        if self.entries.len() >= SMALL {
            self.places.insert(name, self.entries.len());
        }
        self.spans.push(span);
        self.entries.push((name, value));
    }

    fn value(self, arena: &'v Arena) -> Value<'v> {
        let value = if self.known { Value::object(arena, &self.entries) } else { Value::dynamic() };
        value.with_marks(self.marks)
    }
}
