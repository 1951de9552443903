//! Type constraints: `string`, `list(number)`, `object({a = string, b = optional(number, 1)})`.
//!
//! A type constraint is a string with a keyword or a call, read statically like the reference's
//! type expressions: `bool`, `number`, `string`, `any`; `list`, `set` and `map` of one type;
//! `object` of an object of types, whose attributes may be `optional`, with a default; `tuple` of a
//! tuple of types. A default is checked where it is written, whether or not it is ever used.

use super::written::literal_text;
use super::{Expression, is_identifier};
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Fix, Label, Sink};
use crate::evaluate::{Budget, Scope};
use crate::hash::{HashMap, HashSet};
use crate::native::{Construct, FunctionCall, Kind, Native};
use crate::source::Source;
use crate::span::Span;
use crate::value::{
    AttributeType, Content, ConversionError, ElementType, Room, Type, Value, convert,
    convert_briefly, normalized, sort_attributes,
};

/// A type that values are converted to, and defaults for missing attributes.
///
/// ```
/// use simd_hcl::{Arena, ParsedFile, Source};
///
/// let arena = Arena::new();
/// let source = Source::from_bytes(&arena, "main.tf", b"type = object({ b = optional(bool) })\n")?;
/// let file = ParsedFile::native(&arena, source);
/// let ty = file.body().just_attributes(&mut ())[0].expression().type_constraint(&mut ()).unwrap();
/// assert!(ty.ty.attribute("b").unwrap().optional);
/// # Ok::<(), simd_hcl::source::SourceError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TypeConstraint<'a> {
    /// The type, with its optional attributes.
    pub ty: Type<'a>,
    /// Defaults of attributes, at any depth.
    pub defaults: Defaults<'a>,
}

/// Defaults for the attributes of objects, at any depth of a type.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Defaults<'a> {
    /// Defaults of the object itself: the attribute, and the expression of its default.
    pub attributes: &'a [(&'a str, Native<'a>)],
    /// Defaults of its parts, sorted by name: of an attribute, of an element by its index, or of
    /// all elements (no name).
    pub children: &'a [(Option<&'a str>, Defaults<'a>)],
}

impl Defaults<'_> {
    pub(crate) fn is_empty(&self) -> bool {
        self.attributes.is_empty() && self.children.is_empty()
    }
}

/// The maximum nesting depth of types.
const MAX_DEPTH: usize = 100;

impl<'a> TypeConstraint<'a> {
    /// Converts a value to the type: attributes that are missing or null first get their defaults.
    /// Defaults are evaluated without variables and functions.
    ///
    /// # Errors
    /// The value has no conversion to the type.
    pub fn apply(
        self,
        arena: &'a Arena,
        value: Value<'a>,
        sink: &mut dyn Sink<'a>,
    ) -> Result<Value<'a>, ConversionError<'a>> {
        convert(arena, self.fill(arena, value, convert, sink)?, self.ty)
    }

    /// Like [`TypeConstraint::apply`], if only the success of the conversion matters: long texts of
    /// numbers become unknown.
    ///
    /// # Errors
    /// The value has no conversion to the type.
    pub(crate) fn apply_briefly(
        self,
        arena: &'a Arena,
        value: Value<'a>,
        sink: &mut dyn Sink<'a>,
    ) -> Result<Value<'a>, ConversionError<'a>> {
        convert_briefly(arena, self.fill(arena, value, convert_briefly, sink)?, self.ty)
    }

    fn fill(
        self,
        arena: &'a Arena,
        value: Value<'a>,
        convert: Convert<'a>,
        sink: &mut dyn Sink<'a>,
    ) -> Result<Value<'a>, ConversionError<'a>> {
        let room = Room::of(value.size());
        let mut filling = Filling { arena, sink, room, convert, values: HashMap::default() };
        filling.fill(value, self.defaults, self.ty)
    }
}

/// [`convert`] or [`convert_briefly`].
type Convert<'a> = fn(&'a Arena, Value<'a>, Type<'a>) -> Result<Value<'a>, ConversionError<'a>>;

/// Fills in defaults.
struct Filling<'s, 'a> {
    arena: &'a Arena,
    sink: &'s mut dyn Sink<'a>,
    room: Room,
    convert: Convert<'a>,
    /// The values of the defaults, by their address: each is evaluated once.
    values: HashMap<usize, Value<'a>>,
}

impl<'a> Filling<'_, 'a> {
    /// Returns the value with its defaults. Recurses as deep as the type constraint, which is
    /// bounded.
    fn fill(
        &mut self,
        value: Value<'a>,
        defaults: Defaults<'a>,
        ty: Type<'a>,
    ) -> Result<Value<'a>, ConversionError<'a>> {
        if defaults.is_empty() || value.is_null() || !value.is_known() {
            return Ok(value);
        }
        let (value, marks) = value.unmark();
        let child = |name: &str| match defaults.children {
            [] => Defaults::default(),
            [(None, of_all)] => *of_all,
            children => {
                let found = children.binary_search_by(|(known, _)| known.unwrap_or("").cmp(name));
                found.map_or_else(|_| Defaults::default(), |at| children[at].1)
            }
        };
        let changed = match value.content() {
            Content::Elements(elements) => {
                let mut filled = Vec::with_capacity(elements.len());
                for (place, element) in elements.iter().enumerate() {
                    filled.push(self.fill(
                        *element,
                        child(&place.to_string()),
                        part_of(ty, place),
                    )?);
                }
                // Elements may have different types now; the conversion unifies them.
                Value::tuple(self.arena, &filled)
            }
            Content::Entries(entries) => {
                if !self.room.take(defaults.attributes.len()) {
                    return Err(ConversionError::too_large());
                }
                let mut entries = entries.to_vec();
                for default in defaults.attributes {
                    if value.get(default.0).is_none_or(Value::is_null) {
                        let of_attribute = member_of(ty, default.0);
                        let is_whole = child(default.0).is_empty();
                        let default_type = of_attribute.filter(|ty| is_whole && !ty.has_dynamic());
                        entries.push((default.0, self.value_of(default, default_type)));
                    }
                }
                for (name, entry) in &mut entries {
                    let of_entry = member_of(ty, name).unwrap_or(Type::Dynamic);
                    *entry = self.fill(*entry, child(name), of_entry)?;
                }
                Value::object(self.arena, &entries)
            }
            _ => value,
        };
        Ok(changed.with_marks(marks))
    }

    /// Returns the value of a default, evaluated without variables and functions. It is converted to
    /// the type of its attribute here, once for all objects that share it, unless it has defaults of
    /// its own.
    fn value_of(&mut self, default: &(&'a str, Native<'a>), ty: Option<Type<'a>>) -> Value<'a> {
        let place = std::ptr::from_ref(default) as usize;
        if let Some(known) = self.values.get(&place) {
            return *known;
        }
        let value = value_of(default.1, self.sink);
        let converted = ty.and_then(|ty| (self.convert)(self.arena, value, ty).ok());
        // A value without a conversion is reported with its place in the whole value.
        let value = converted.unwrap_or(value);
        self.values.insert(place, value);
        value
    }
}

/// The value of a default, evaluated without variables and functions.
fn value_of<'a>(default: Native<'a>, sink: &mut dyn Sink<'a>) -> Value<'a> {
    let budget = Budget::of_length(default.span().len());
    default.value(&Scope::new().with_budget(budget), sink)
}

/// The type of an element.
fn part_of(ty: Type<'_>, place: usize) -> Type<'_> {
    let part = match ty {
        Type::Tuple(types) => types.get(place).copied(),
        ty => ty.element(),
    };
    part.unwrap_or(Type::Dynamic)
}

/// The type of an attribute, or of an entry of a map.
fn member_of<'a>(ty: Type<'a>, name: &str) -> Option<Type<'a>> {
    ty.attribute(name).map(|attribute| attribute.ty).or_else(|| ty.element())
}

impl<'a> Expression<'a> {
    /// Returns the type constraint in a string, or reports its error.
    ///
    /// ```
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"type = list(number)\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// let ty = file.body().just_attributes(&mut ())[0].expression().type_constraint(&mut ()).unwrap();
    /// assert_eq!(ty.ty.to_string(), "list of number");
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    pub fn type_constraint(self, sink: &mut dyn Sink<'a>) -> Option<TypeConstraint<'a>> {
        let arena = self.source().arena();
        let mut reader = Reader { arena, source: self.source(), sink, is_wrong: false };
        let Some(native) = self.as_native() else {
            reader.wrong(self.start_span(), self.type_name(), "a string with a type is required");
            return None;
        };
        if native.is(Kind::Invalid) {
            return None;
        }
        let (ty, defaults) = reader.read(native, MAX_DEPTH)?;
        (!reader.is_wrong).then_some(TypeConstraint { ty, defaults })
    }
}

struct Reader<'a, 's> {
    arena: &'a Arena,
    source: Source<'a>,
    sink: &'s mut dyn Sink<'a>,
    /// Whether a default is invalid, or a name occurs twice. The rest of the type is read.
    is_wrong: bool,
}

type Read<'a> = Option<(Type<'a>, Defaults<'a>)>;

impl<'a> Reader<'a, '_> {
    #[cold]
    fn wrong(&mut self, span: Span, what: &'a str, why: &'static str) {
        self.report(span, what, why, None);
    }

    #[cold]
    fn report(&mut self, span: Span, what: &'a str, why: &'static str, fix: Option<Fix>) {
        self.sink.report(
            Diagnostic::new(Code::InvalidType, Label::new(self.source, span))
                .with_arguments(&[what, why])
                .with_repair(fix),
        );
    }

    fn wrong_at(&mut self, native: Native<'a>, why: &'static str) -> Read<'a> {
        let text = self.arena.format(format_args!("{native:?}"));
        // The old names of primitive types are in quotes.
        let name = literal_text(native).filter(|it| matches!(*it, "string" | "number" | "bool"));
        let fix = name.map(|name| Fix::replacement(native.span(), name.to_owned()));
        self.report(native.span(), text, why, fix);
        None
    }

    fn defaults(
        &self,
        attributes: &[(&'a str, Native<'a>)],
        children: &[(Option<&'a str>, Defaults<'a>)],
    ) -> Defaults<'a> {
        let bump = self.arena.bump();
        let mut children = children.to_vec();
        // Of duplicate names, the first one counts.
        children.sort_by_key(|(name, _)| *name);
        children.dedup_by_key(|(name, _)| *name);
        Defaults {
            attributes: bump.alloc_slice_copy(attributes),
            children: bump.alloc_slice_copy(&children),
        }
    }

    /// Recurses as deep as `depth` allows.
    fn read(&mut self, native: Native<'a>, depth: usize) -> Read<'a> {
        let Some(depth) = depth.checked_sub(1) else {
            return self.wrong_at(native, "types are nested too deep");
        };
        match native.construct() {
            _ if native.enclosed().is_some() => {
                self.wrong_at(native, "a type has no brackets or quotes around it")
            }
            Construct::Traversal(traversal) if traversal.steps().len() == 1 => {
                let ty = match traversal.root_name() {
                    "bool" => Type::Bool,
                    "number" => Type::Number,
                    "string" => Type::String,
                    "any" => Type::Dynamic,
                    "list" => Type::List(ElementType::DYNAMIC),
                    "map" => Type::Map(ElementType::DYNAMIC),
                    "set" | "object" | "tuple" => {
                        return self.wrong_at(native, "its argument is missing");
                    }
                    _ => {
                        return self.wrong_at(
                            native,
                            "the types are bool, number, string, any, list, set, map, object and tuple",
                        );
                    }
                };
                Some((ty, Defaults::default()))
            }
            Construct::Call(call) => self.read_call(native, &call, depth),
            _ => self.wrong_at(native, "write a keyword, or a call such as list(string)"),
        }
    }

    fn read_call(&mut self, native: Native<'a>, call: &FunctionCall<'a>, depth: usize) -> Read<'a> {
        if call.name == "optional" {
            return self.wrong_at(native, "only attributes of objects can be optional");
        }
        let &[argument] = call.arguments.as_slice() else {
            return self.wrong_at(native, "it takes one argument");
        };
        match call.name {
            "list" | "set" | "map" => {
                let (element, defaults) = self.read(argument, depth)?;
                let ty = match call.name {
                    "list" => Type::list_of(self.arena, element),
                    "set" => Type::set_of(self.arena, element),
                    _ => Type::map_of(self.arena, element),
                };
                let children = (!defaults.is_empty()).then_some((None, defaults));
                Some((ty, self.defaults(&[], children.as_slice())))
            }
            "tuple" => {
                if !argument.is(Kind::Tuple) {
                    return self.wrong_at(argument, "tuple takes a list of types in brackets");
                }
                let (mut types, mut children) = (Vec::new(), Vec::new());
                for (place, element) in argument.operands().into_iter().enumerate() {
                    let (ty, defaults) = self.read(element, depth)?;
                    types.push(ty);
                    if !defaults.is_empty() {
                        let name = self.arena.format(format_args!("{place}"));
                        children.push((Some(name), defaults));
                    }
                }
                Some((Type::tuple_of(self.arena, &types), self.defaults(&[], &children)))
            }
            "object" => self.read_object(argument, depth),
            _ => self
                .wrong_at(native, "the types with arguments are list, set, map, object and tuple"),
        }
    }

    fn read_object(&mut self, argument: Native<'a>, depth: usize) -> Read<'a> {
        if !argument.is(Kind::Object) {
            return self.wrong_at(argument, "object takes names and types in braces");
        }
        let mut attributes: Vec<AttributeType<'a>> = Vec::new();
        let (mut own, mut children) = (Vec::new(), Vec::new());
        let mut names: HashSet<&str> = HashSet::default();
        for item in argument.operands().chunks_exact(2) {
            let &[key, value] = item else { continue };
            let name = match key.construct() {
                Construct::Text(name) if is_identifier(key.text()) => normalized(self.arena, name),
                _ => return self.wrong_at(key, "the key of an attribute must be a name"),
            };
            if !names.insert(name) {
                self.is_wrong = true;
                self.wrong_at(key, "the object has this attribute more than once");
            }
            let mut default = None;
            let (value, optional) = match value.construct() {
                Construct::Call(call) if call.name == "optional" && value.enclosed().is_none() => {
                    match *call.arguments.as_slice() {
                        [ty] => (ty, true),
                        [ty, given] => {
                            default = Some(given);
                            (ty, true)
                        }
                        _ => return self.wrong_at(value, "optional takes a type and a default"),
                    }
                }
                _ => (value, false),
            };
            let (ty, defaults) = self.read(value, depth)?;
            if let Some(default) = default {
                self.check_default(default, ty);
                own.push((name, default));
            }
            if !defaults.is_empty() {
                children.push((Some(name), defaults));
            }
            attributes.push(AttributeType { name, ty, optional });
        }
        attributes.reverse();
        sort_attributes(&mut attributes);
        attributes.dedup_by_key(|attribute| attribute.name);
        let ty = Type::object_of(self.arena, &attributes);
        Some((ty, self.defaults(&own, &children)))
    }

    /// Reports a default that is not constant, or does not have the type of its attribute.
    fn check_default(&mut self, default: Native<'a>, ty: Type<'a>) {
        let mut has_failed = false;
        let mut sink = |found: Diagnostic<'a>| {
            has_failed = true;
            self.sink.report(found);
        };
        let value = value_of(default, &mut sink);
        self.is_wrong |= has_failed;
        if !has_failed && let Err(error) = convert_briefly(self.arena, value, ty) {
            self.is_wrong = true;
            let why = self.arena.format(format_args!("{error}"));
            self.sink.report(
                Diagnostic::new(Code::InvalidDefault, Label::new(self.source, default.span()))
                    .with_arguments(&[why]),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Document;
    use crate::value::write_type;
    use crate::write::{Layout, to_string};

    /// Returns the type of a constraint as JSON, or the code of its error.
    fn type_of(text: &str) -> String {
        let arena = Arena::new();
        let json = to_string(Layout::Compact, |slot| slot.string(text));
        let document = Document::parse_bytes(&arena, "test", arena.str(&json).as_bytes());
        let root = document.unwrap_or_else(|error| panic!("{error}")).root();
        let mut found: Option<Diagnostic<'_>> = None;
        match Expression::from_json(root).type_constraint(&mut found) {
            Some(constraint) => to_string(Layout::Compact, |slot| write_type(constraint.ty, slot)),
            None => found.map_or("nothing", |found| found.code().as_str()).to_owned(),
        }
    }

    #[test]
    fn types() {
        for (text, expected) in [
            ("string", r#""string""#),
            ("any", r#""dynamic""#),
            ("list", r#"["list","dynamic"]"#),
            ("map(list(number))", r#"["map",["list","number"]]"#),
            ("tuple([bool, set(string)])", r#"["tuple",["bool",["set","string"]]]"#),
            (
                "object({b = string, a = optional(number, 1)})",
                r#"["object",{"a":"number","b":"string"},["a"]]"#,
            ),
            ("notatype", "invalid-type"),
            ("list()", "invalid-type"),
            ("list(string, string)", "invalid-type"),
            ("object", "invalid-type"),
            ("optional(string)", "invalid-type"),
            ("${string}", "invalid-type"),
            ("object({(a) = string})", "invalid-type"),
            ("object({\"a\" = string})", "invalid-type"),
            ("object({a = string, a = number})", "invalid-type"),
            ("object({a = optional(list(string), {})})", "invalid-default"),
            ("list(object({a = optional(number, \"x\")}))", "invalid-default"),
            ("object({a = optional(bool, \"maybe\")})", "invalid-default"),
            ("object({a = optional(object({b = string}), {})})", "invalid-default"),
            ("object({a = optional(string, var.x)})", "variables-not-allowed"),
            ("object({a = optional(string, upper(\"a\"))})", "function-calls-not-allowed"),
            (
                "object({a = optional(object({b = optional(string, \"c\")}), {})})",
                r#"["object",{"a":["object",{"b":"string"},["b"]]},["a"]]"#,
            ),
            ("object({a = optional(number, 1 + 1)})", r#"["object",{"a":"number"},["a"]]"#),
            ("object({a = optional(string, null)})", r#"["object",{"a":"string"},["a"]]"#),
            ("a.b", "invalid-type"),
        ] {
            assert_eq!(type_of(text), expected, "{text}");
        }
        assert_eq!(
            type_of(&format!("{}any{}", "list(".repeat(200), ")".repeat(200))),
            "invalid-type"
        );
    }

    /// The filled-in attributes are bounded, regardless of how many elements lack them.
    #[test]
    fn filling_is_bounded() {
        let arena = Arena::new();
        let applied = |attributes: usize, elements: usize, default: &str| {
            let attribute = |at| format!("a{at} = optional(string{default})");
            let attributes: Vec<_> = (0..attributes).map(attribute).collect();
            let constraint = format!("list(object({{{}}}))", attributes.join(", "));
            let text = to_string(Layout::Compact, |slot| slot.string(&constraint));
            let document = Document::parse_bytes(&arena, "test", arena.str(&text).as_bytes());
            let root = document.unwrap_or_else(|error| panic!("{error}")).root();
            let constraint = Expression::from_json(root).type_constraint(&mut ());
            let constraint = constraint.unwrap_or_else(|| panic!("no type"));
            let value = Value::tuple(&arena, &vec![Value::object(&arena, &[]); elements]);
            let mut diagnostics: Vec<Diagnostic<'_>> = Vec::new();
            let applied = constraint.apply(&arena, value, &mut diagnostics);
            (
                applied.map(|value| value.elements().len()).map_err(|error| error.to_string()),
                diagnostics.len(),
            )
        };
        assert_eq!(applied(100, 100, ""), (Ok(100), 0));
        for default in ["", ", \"x\""] {
            let (result, _) = applied(3_000, 3_000, default);
            assert!(
                result.is_err_and(|error| error.contains("too many missing attributes")),
                "{default}"
            );
        }
    }

    #[test]
    fn defaults_are_applied() {
        let arena = Arena::new();
        let json = br#"{
            "type": "list(object({a = optional(number, 1), b = optional(object({c = optional(string, \"x\")}), {})}))",
            "value": [{}, {"a": "2", "b": {"c": null}}, {"a": null, "b": null}]
        }"#;
        let document = Document::parse_bytes(&arena, "test", json);
        let root = document.unwrap_or_else(|error| panic!("{error}")).root();
        let member =
            |name| root.as_object().and_then(|object| object.get(name)).map(Expression::from_json);
        let constraint = member("type").and_then(|ty| ty.type_constraint(&mut ()));
        let value = member("value").map(|value| value.literal_value(&mut ()));
        let (Some(constraint), Some(value)) = (constraint, value) else { panic!("no values") };
        let applied = constraint.apply(&arena, value, &mut ());
        let applied = applied.unwrap_or_else(|error| panic!("{error}"));
        let text = to_string(Layout::Compact, |slot| {
            assert!(crate::value::write(applied, slot).is_ok());
        });
        let expected = r#"[{"a":1,"b":{"c":"x"}},{"a":2,"b":{"c":"x"}},{"a":1,"b":{"c":"x"}}]"#;
        assert_eq!(text, expected);
    }
}
