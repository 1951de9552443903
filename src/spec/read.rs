//! Reads specifications in hcldec's language: a native file with one block that is a specification,
//! and blocks `variables` and `function`.

use super::Spec;
use super::function::{Defined, Definitions};
use crate::arena::Arena;
use crate::body::{Attribute, AttributeSchema, Block, BlockSchema, Body, Content, Schema};
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::evaluate::{Functions, Meter, Parameter, Scope};
use crate::expression::Expression;
use crate::functions::SPECIFICATION;
use crate::structure::File;
use crate::value::{ElementType, Type, Value, convert, sort_by_name};

/// The maximum nesting depth of specifications: reading and decoding recurse.
const MAX_DEPTH: usize = 100;

/// A specification, with the variables and functions of bodies' expressions.
pub struct SpecFile<'a> {
    root: Spec<'a>,
    variables: &'a [(&'a str, Value<'a>)],
    functions: Definitions<'a>,
}

/// The kinds of specifications, with a label in an object, and without one elsewhere.
const fn kinds<'s>(labels: &'s [&'s str]) -> [BlockSchema<'s>; 13] {
    [
        BlockSchema::new("object", labels),
        BlockSchema::new("array", labels),
        BlockSchema::new("literal", labels),
        BlockSchema::new("attr", labels),
        BlockSchema::new("block", labels),
        BlockSchema::new("block_list", labels),
        BlockSchema::new("block_tuple", labels),
        BlockSchema::new("block_set", labels),
        BlockSchema::new("block_map", labels),
        BlockSchema::new("block_attrs", labels),
        BlockSchema::new("default", labels),
        BlockSchema::new("transform", labels),
        BlockSchema::new("refine", labels),
    ]
}

static KINDS: [BlockSchema<'static>; 13] = kinds(&[]);
static NAMED_KINDS: [BlockSchema<'static>; 13] = kinds(&["key"]);

static DEFINITIONS: Schema<'static> = Schema::new(
    &[],
    &[BlockSchema::new("function", &["name"]), BlockSchema::new("variables", &[])],
);
static FUNCTION: Schema<'static> = Schema::new(
    &[
        AttributeSchema::required("params"),
        AttributeSchema::optional("variadic_param"),
        AttributeSchema::required("result"),
    ],
    &[],
);
static ROOT: Schema<'static> = Schema::new(&[], &KINDS);
static OBJECT: Schema<'static> = Schema::new(&[], &NAMED_KINDS);
static ATTRIBUTE: Schema<'static> = Schema::new(
    &[
        AttributeSchema::optional("name"),
        AttributeSchema::optional("type"),
        AttributeSchema::optional("required"),
    ],
    &[],
);
static LITERAL: Schema<'static> = Schema::new(&[AttributeSchema::required("value")], &[]);
static BLOCK: Schema<'static> = Schema::new(
    &[AttributeSchema::optional("block_type"), AttributeSchema::optional("required")],
    &KINDS,
);
static BLOCKS: Schema<'static> = Schema::new(
    &[
        AttributeSchema::optional("block_type"),
        AttributeSchema::optional("min_items"),
        AttributeSchema::optional("max_items"),
    ],
    &KINDS,
);
static BLOCK_MAP: Schema<'static> = Schema::new(
    &[AttributeSchema::optional("block_type"), AttributeSchema::required("labels")],
    &KINDS,
);
static BLOCK_ATTRIBUTES: Schema<'static> = Schema::new(
    &[
        AttributeSchema::optional("block_type"),
        AttributeSchema::optional("element_type"),
        AttributeSchema::optional("required"),
    ],
    &[],
);
static TRANSFORM: Schema<'static> = Schema::new(&[AttributeSchema::optional("result")], &KINDS);
static REFINE: Schema<'static> = Schema::new(&[AttributeSchema::optional("not_null")], &KINDS);

impl<'a> SpecFile<'a> {
    /// Reads a file. Returns `None`, and reports errors to `sink`, if it is invalid. Syntax errors
    /// of the file are not reported again.
    ///
    /// Cost: linear in the file, and the cost of its expressions, within one budget.
    ///
    /// ```
    /// use simd_hcl::spec::{SpecFile, decode};
    /// use simd_hcl::{Arena, Diagnostic, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let text = b"object {\n  attr \"size\" {\n    type = number\n  }\n}\n";
    /// let file = ParsedFile::native(&arena, Source::from_bytes(&arena, "a.hcldec", text)?);
    /// let mut found: Vec<Diagnostic> = Vec::new();
    /// let spec = SpecFile::read(file.as_native().unwrap(), &mut found).unwrap();
    ///
    /// let source = Source::from_bytes(&arena, "a.hcl", b"size = \"3\"\n")?;
    /// let body = ParsedFile::native(&arena, source).body();
    /// let value = decode(spec.root(), &[body], None, &mut found);
    /// assert_eq!(value.to_string(), "{\n  \"size\" = 3\n}");
    /// assert!(found.is_empty());
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    pub fn read(file: File<'a>, sink: &mut dyn Sink<'a>) -> Option<Self> {
        let arena = file.source().arena();
        let mut errors = 0;
        let mut counting = |diagnostic: Diagnostic<'a>| {
            errors += usize::from(diagnostic.severity() == crate::Severity::Error);
            sink.report(diagnostic);
        };
        let scope = Scope::new().with_functions(SPECIFICATION);
        let meter = Meter::new(scope.budget());
        let mut reader = Reader { arena, meter: &meter, scope, sink: &mut counting };
        let (definitions, rest) = Body::from(file).partial_content(&DEFINITIONS, reader.sink);
        let mut functions: Vec<_> =
            definitions.blocks("function").filter_map(|block| reader.function(block)).collect();
        // Of several functions with the same name, the last one counts.
        functions.reverse();
        functions.sort_by_key(|function| function.name);
        functions.dedup_by_key(|function| function.name);
        let mut variables = Vec::new();
        for block in definitions.blocks("variables") {
            for attribute in block.body().just_attributes(reader.sink) {
                variables.push((attribute.name(), reader.value(attribute.expression())));
            }
        }
        // The same holds for variables.
        variables.reverse();
        sort_by_name(&mut variables);
        variables.dedup_by_key(|(name, _)| *name);
        let content = rest.content(&ROOT, reader.sink);
        let root = reader.only("the file", &content, rest.missing_item_label(), MAX_DEPTH);
        let variables = arena.bump().alloc_slice_copy(&variables);
        let root = root.filter(|_| errors == 0)?;
        Some(Self { root, variables, functions: Definitions(functions) })
    }

    /// The specification.
    #[must_use]
    pub fn root(&self) -> Spec<'a> {
        self.root
    }

    /// The variables that the file defines, sorted by name.
    #[must_use]
    pub fn variables(&self) -> &'a [(&'a str, Value<'a>)] {
        self.variables
    }

    /// The functions that the file defines; `None` if there are none.
    #[must_use]
    pub fn functions(&self) -> Option<&dyn Functions> {
        (!self.functions.0.is_empty()).then_some(&self.functions as &dyn Functions)
    }
}

impl std::fmt::Debug for SpecFile<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SpecFile({:?})", self.root)
    }
}

struct Reader<'s, 'a> {
    arena: &'a Arena,
    meter: &'s Meter,
    scope: Scope<'s, 'a>,
    sink: &'s mut dyn Sink<'a>,
}

impl<'a> Reader<'_, 'a> {
    fn report(&mut self, code: Code, label: Label<'a>, arguments: &[&'a str]) {
        self.sink.report(Diagnostic::new(code, label).with_arguments(arguments));
    }

    /// Returns the value of an expression that may call functions.
    fn value(&mut self, expression: Expression<'a>) -> Value<'a> {
        expression.value_within(&self.scope, self.meter, self.sink)
    }

    /// Returns the value of an argument, evaluated without variables and functions and converted to
    /// a type; null if it is not set. Returns `None` after reporting an error.
    fn argument(&mut self, attribute: Option<Attribute<'a>>, ty: Type<'a>) -> Option<Value<'a>> {
        let Some(attribute) = attribute else { return Some(Value::null(ty)) };
        let expression = attribute.expression();
        let value = expression.value_within(&Scope::new(), self.meter, self.sink);
        match convert(self.arena, value, ty) {
            Ok(value) => value.is_wholly_known().then_some(value),
            Err(error) => {
                let error = self.arena.format(format_args!("{error}"));
                self.report(Code::ArgumentType, expression.label(), &[attribute.name(), error]);
                None
            }
        }
    }

    fn text(&mut self, content: &Content<'a>, name: &str) -> Option<Option<&'a str>> {
        self.argument(content.attribute(name), Type::String).map(Value::as_str)
    }

    fn truth(&mut self, content: &Content<'a>, name: &str) -> Option<bool> {
        let value = self.argument(content.attribute(name), Type::Bool)?;
        Some(value.as_bool().unwrap_or(false))
    }

    /// Returns a number of blocks. A missing or negative number is no limit.
    fn count(&mut self, content: &Content<'a>, name: &str) -> Option<u64> {
        let attribute = content.attribute(name);
        let Some(number) = self.argument(attribute, Type::Number)?.as_number() else {
            return Some(0);
        };
        let Some(count) = number.as_i64() else {
            if let Some(attribute) = attribute {
                let label = attribute.expression().label();
                self.report(
                    Code::ArgumentType,
                    label,
                    &[attribute.name(), "a whole number of at most 64 bits is required"],
                );
            }
            return None;
        };
        Some(u64::try_from(count).unwrap_or(0))
    }

    /// Returns the name to read: that of an argument, otherwise that of the object's attribute.
    fn name(
        &mut self,
        block: Block<'a>,
        content: &Content<'a>,
        argument: &'a str,
    ) -> Option<&'a str> {
        let name = self.text(content, argument)?;
        let name = name.or_else(|| block.label(0)).filter(|name| !name.is_empty());
        if name.is_none() {
            let label = block.body().missing_item_label();
            self.report(Code::SpecName, label, &[block.block_type(), argument]);
        }
        name
    }

    /// Returns the type of an argument; any type if it is not set.
    fn ty(&mut self, attribute: Option<Attribute<'a>>) -> Option<Type<'a>> {
        let Some(attribute) = attribute else { return Some(Type::Dynamic) };
        let expression = attribute.expression();
        if expression.is_null() {
            return Some(Type::Dynamic);
        }
        let ty = expression.type_constraint(self.sink)?.ty;
        if ty != ty.without_optional_attributes(self.arena) {
            let text = String::from_utf8_lossy(expression.text());
            let text = self.arena.str(&text);
            let why = "attributes cannot be optional here";
            self.report(Code::InvalidType, expression.label(), &[text, why]);
            return None;
        }
        Some(ty)
    }

    /// Returns the only specification in a body.
    fn only(
        &mut self,
        what: &'a str,
        content: &Content<'a>,
        missing: Label<'a>,
        depth: usize,
    ) -> Option<Spec<'a>> {
        match content.all_blocks() {
            [] => {
                self.report(Code::SpecCount, missing, &[what, "no specification"]);
                None
            }
            [block] => self.spec(*block, depth),
            [_, second, ..] => {
                let label = second.definition_label();
                self.report(Code::SpecCount, label, &[what, "more than one"]);
                None
            }
        }
    }

    fn nested(
        &mut self,
        block: Block<'a>,
        content: &Content<'a>,
        depth: usize,
    ) -> Option<Spec<'a>> {
        self.only(block.block_type(), content, block.body().missing_item_label(), depth)
    }

    /// Reads a specification. Recurses at most `depth` levels.
    fn spec(&mut self, block: Block<'a>, depth: usize) -> Option<Spec<'a>> {
        let Some(depth) = depth.checked_sub(1) else {
            self.report(Code::SpecDepth, block.definition_label(), &[]);
            return None;
        };
        let arena = self.arena;
        let body = block.body();
        match block.block_type() {
            "object" => {
                let content = body.content(&OBJECT, self.sink);
                let mut entries = Vec::with_capacity(content.all_blocks().len());
                for each in content.all_blocks() {
                    let spec = self.spec(*each, depth);
                    entries.extend(each.label(0).zip(spec));
                }
                Some(Spec::object(arena, &entries))
            }
            "array" => {
                let content = body.content(&ROOT, self.sink);
                let blocks = content.all_blocks().iter();
                let specs: Vec<_> = blocks.filter_map(|it| self.spec(*it, depth)).collect();
                Some(Spec::tuple(arena, &specs))
            }
            "literal" => {
                let content = body.content(&LITERAL, self.sink);
                let value = content.attribute("value")?;
                Some(Spec::literal(self.value(value.expression())))
            }
            "attr" => {
                let content = body.content(&ATTRIBUTE, self.sink);
                let required = self.truth(&content, "required");
                let ty = self.ty(content.attribute("type"));
                let name = self.name(block, &content, "name");
                Some(with_required(Spec::attribute(name?, ty?), required?))
            }
            "block" => {
                let content = body.content(&BLOCK, self.sink);
                let required = self.truth(&content, "required");
                let name = self.name(block, &content, "block_type");
                let nested = self.nested(block, &content, depth);
                Some(with_required(Spec::block(arena, name?, nested?), required?))
            }
            of @ ("block_list" | "block_tuple" | "block_set") => {
                let content = body.content(&BLOCKS, self.sink);
                let least = self.count(&content, "min_items");
                let most = self.count(&content, "max_items");
                let name = self.name(block, &content, "block_type");
                let nested = self.nested(block, &content, depth);
                let (name, nested) = (name?, nested?);
                let spec = match of {
                    "block_list" => Spec::block_list(arena, name, nested),
                    "block_tuple" => Spec::block_tuple(arena, name, nested),
                    _ => Spec::block_set(arena, name, nested),
                };
                Some(spec.with_count(least?, most?))
            }
            "block_map" => self.block_map(block, depth),
            "block_attrs" => {
                let content = body.content(&BLOCK_ATTRIBUTES, self.sink);
                let required = self.truth(&content, "required");
                let ty = self.ty(content.attribute("element_type"));
                let name = self.name(block, &content, "block_type");
                Some(with_required(Spec::block_attributes(arena, name?, ty?), required?))
            }
            "default" => {
                let content = body.content(&ROOT, self.sink);
                let blocks = content.all_blocks();
                match blocks {
                    [] => {
                        let arguments = ["default", "no specification"];
                        self.report(Code::SpecCount, body.missing_item_label(), &arguments);
                    }
                    [_] => self.report(Code::UselessDefault, block.definition_label(), &[]),
                    _ => {}
                }
                let specs: Vec<_> = blocks.iter().filter_map(|it| self.spec(*it, depth)).collect();
                Some(Spec::first_of(arena, &specs))
            }
            "transform" => {
                let content = body.content(&TRANSFORM, self.sink);
                let nested = self.nested(block, &content, depth)?;
                let result = content.attribute("result").map(|it| it.expression());
                Some(Spec::transform_if(arena, nested, result, SPECIFICATION))
            }
            _ => {
                let content = body.content(&REFINE, self.sink);
                let not_null = self.truth(&content, "not_null");
                let nested = self.nested(block, &content, depth)?;
                Some(if not_null? { Spec::not_null(arena, nested) } else { nested })
            }
        }
    }

    fn block_map(&mut self, block: Block<'a>, depth: usize) -> Option<Spec<'a>> {
        let content = block.body().content(&BLOCK_MAP, self.sink);
        let name = self.name(block, &content, "block_type");
        let nested = self.nested(block, &content, depth);
        let attribute = content.attribute("labels")?;
        let labels = self.argument(Some(attribute), Type::List(ElementType::STRING))?;
        let labels: Option<Vec<&'a str>> =
            labels.elements().iter().map(|label| label.as_str()).collect();
        let label = attribute.expression().label();
        let Some(labels) = labels.filter(|labels| !labels.is_empty()) else {
            self.report(
                Code::ArgumentType,
                label,
                &["labels", "a list of at least one name is required"],
            );
            return None;
        };
        let nested = nested?;
        if nested.ty().has_dynamic() {
            self.report(Code::SpecType, block.definition_label(), &[]);
            return None;
        }
        let labels = self.arena.bump().alloc_slice_copy(&labels);
        Some(Spec::block_map(self.arena, name?, labels, nested))
    }

    fn function(&mut self, block: Block<'a>) -> Option<Defined<'a>> {
        let content = block.body().content(&FUNCTION, self.sink);
        let name = block.label(0)?;
        let (params, result) = (content.attribute("params")?, content.attribute("result")?);
        let mut parameters = Vec::new();
        for element in params.expression().list(self.sink)? {
            parameters.push(self.parameter(element)?);
        }
        let variadic = match content.attribute("variadic_param") {
            Some(attribute) => Some(self.parameter(attribute.expression())?),
            None => None,
        };
        let result = result.expression().native(self.sink)?;
        Some(Defined { name, parameters, variadic, result })
    }

    fn parameter(&mut self, expression: Expression<'a>) -> Option<Parameter<'a>> {
        let name = expression.keyword(self.sink)?;
        Some(Parameter::new(name, Type::Dynamic))
    }
}

fn with_required(spec: Spec<'_>, required: bool) -> Spec<'_> {
    if required { spec.required() } else { spec }
}
