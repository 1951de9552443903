//! Type constraints: `string`, `list(number)`, `object({a = string, b = optional(number, 1)})`.
//!
//! A string that holds a keyword or a call, read statically, as the reference's type expressions: `bool`, `number`,
//! `string`, `any`; `list`, `set` and `map` of one type; `object` of an object of types, whose attributes may be
//! `optional`, with a default; `tuple` of a tuple of types.

use super::Expression;
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::evaluate::Scope;
use crate::native::{Construct, FunctionCall, Kind, Native};
use crate::source::Source;
use crate::span::Span;
use crate::value::{AttributeType, Content, ConversionError, Type, Value, convert, normalized};

/// A type that values are converted to, and the defaults of attributes that they lack.
#[derive(Clone, Copy, Debug)]
pub struct TypeConstraint<'a> {
    /// The type, with its optional attributes.
    pub ty: Type<'a>,
    /// Defaults of attributes, at any depth.
    pub defaults: Defaults<'a>,
}

/// Defaults of the attributes of objects, at some depth of a type.
#[derive(Clone, Copy, Debug, Default)]
pub struct Defaults<'a> {
    /// Of the object itself: attribute, and the expression of the default.
    pub attributes: &'a [(&'a str, Native<'a>)],
    /// Of what is in it: of an attribute, of an element by its place, or of all elements (no name).
    pub children: &'a [(Option<&'a str>, Defaults<'a>)],
}

impl Defaults<'_> {
    fn is_empty(&self) -> bool {
        self.attributes.is_empty() && self.children.is_empty()
    }
}

/// Types may nest so deep.
const MAX_DEPTH: usize = 100;

impl<'a> TypeConstraint<'a> {
    /// A value as one of the type: attributes that it lacks, or that are null, get their defaults, then it is converted.
    /// Defaults are evaluated without variables and functions; `sink` has what is wrong with them.
    ///
    /// # Errors
    /// The value has no conversion to the type.
    pub fn apply(
        self,
        arena: &'a Arena,
        value: Value<'a>,
        sink: &mut dyn Sink<'a>,
    ) -> Result<Value<'a>, ConversionError<'a>> {
        let value = with_defaults(arena, value, self.defaults, sink);
        convert(arena, value, self.ty)
    }
}

/// Recurses as deep as the type constraint, which is bounded.
fn with_defaults<'a>(
    arena: &'a Arena,
    value: Value<'a>,
    defaults: Defaults<'a>,
    sink: &mut dyn Sink<'a>,
) -> Value<'a> {
    if defaults.is_empty() || value.is_null() || !value.is_known() {
        return value;
    }
    let (value, marks) = value.unmark();
    let child = |name: &str| {
        let children = defaults.children.iter();
        let mut fitting = children.filter(|(known, _)| known.is_none_or(|known| known == name));
        fitting.next().map_or_else(Defaults::default, |(_, child)| *child)
    };
    let changed = match value.content() {
        Content::Elements(elements) => {
            let elements: Vec<_> = elements
                .iter()
                .enumerate()
                .map(|(place, element)| {
                    with_defaults(arena, *element, child(&place.to_string()), sink)
                })
                .collect();
            // Elements may have different types now; the conversion makes them one again.
            Value::tuple(arena, &elements)
        }
        Content::Entries(entries) => {
            let mut entries = entries.to_vec();
            for (name, default) in defaults.attributes {
                if value.get(name).is_none_or(Value::is_null) {
                    entries.push((name, default.value(&Scope::new(), sink)));
                }
            }
            let entries: Vec<_> = entries
                .into_iter()
                .map(|(name, entry)| (name, with_defaults(arena, entry, child(name), sink)))
                .collect();
            Value::object(arena, &entries)
        }
        _ => value,
    };
    changed.with_marks(marks)
}

impl<'a> Expression<'a> {
    /// The type constraint that a string holds, or a diagnostic that says what is wrong with it.
    pub fn type_constraint(self, sink: &mut dyn Sink<'a>) -> Option<TypeConstraint<'a>> {
        let arena = self.source().arena();
        let mut reader = Reader { arena, source: self.source(), sink };
        let Some(native) = self.as_native() else {
            reader.wrong(
                self.start_span(),
                self.node().type_name(),
                "a string that holds a type is required",
            );
            return None;
        };
        let (ty, defaults) = reader.read(native, MAX_DEPTH)?;
        Some(TypeConstraint { ty, defaults })
    }
}

struct Reader<'a, 's> {
    arena: &'a Arena,
    source: Source<'a>,
    sink: &'s mut dyn Sink<'a>,
}

type Read<'a> = Option<(Type<'a>, Defaults<'a>)>;

impl<'a> Reader<'a, '_> {
    #[cold]
    fn wrong(&mut self, span: Span, what: &'a str, why: &'static str) {
        self.sink.report(
            Diagnostic::new(Code::InvalidType, Label::new(self.source, span))
                .with_arguments(&[what, why]),
        );
    }

    fn wrong_at(&mut self, native: Native<'a>, why: &'static str) -> Read<'a> {
        let text = self.arena.format(format_args!("{native:?}"));
        self.wrong(native.span(), text, why);
        None
    }

    fn defaults(
        &self,
        attributes: &[(&'a str, Native<'a>)],
        children: &[(Option<&'a str>, Defaults<'a>)],
    ) -> Defaults<'a> {
        let bump = self.arena.bump();
        Defaults {
            attributes: bump.alloc_slice_copy(attributes),
            children: bump.alloc_slice_copy(children),
        }
    }

    /// Recurses as deep as `depth` allows.
    fn read(&mut self, native: Native<'a>, depth: usize) -> Read<'a> {
        let Some(depth) = depth.checked_sub(1) else {
            return self.wrong_at(native, "types do not nest that deep");
        };
        match native.construct() {
            Construct::Traversal(traversal) if traversal.steps().len() == 1 => {
                let dynamic = &*self.arena.bump().alloc(Type::Dynamic);
                let ty = match traversal.root_name() {
                    "bool" => Type::Bool,
                    "number" => Type::Number,
                    "string" => Type::String,
                    "any" => Type::Dynamic,
                    "list" => Type::List(dynamic),
                    "map" => Type::Map(dynamic),
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
            _ => self.wrong_at(native, "a type is a keyword or a call such as list(string)"),
        }
    }

    fn read_call(&mut self, native: Native<'a>, call: &FunctionCall<'a>, depth: usize) -> Read<'a> {
        let bump = self.arena.bump();
        if call.name == "optional" {
            return self.wrong_at(native, "optional is for the attributes of objects");
        }
        let &[argument] = call.arguments.as_slice() else {
            return self.wrong_at(native, "it takes one argument");
        };
        match call.name {
            "list" | "set" | "map" => {
                let (element, defaults) = self.read(argument, depth)?;
                let element = &*bump.alloc(element);
                let ty = match call.name {
                    "list" => Type::List(element),
                    "set" => Type::Set(element),
                    _ => Type::Map(element),
                };
                let children = (!defaults.is_empty()).then_some((None, defaults));
                Some((ty, self.defaults(&[], children.as_slice())))
            }
            "tuple" => {
                if !argument.is(Kind::Tuple) {
                    return self.wrong_at(argument, "a tuple takes types in brackets");
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
                Some((Type::Tuple(bump.alloc_slice_copy(&types)), self.defaults(&[], &children)))
            }
            "object" => self.read_object(argument, depth),
            _ => self
                .wrong_at(native, "the types with arguments are list, set, map, object and tuple"),
        }
    }

    fn read_object(&mut self, argument: Native<'a>, depth: usize) -> Read<'a> {
        if !argument.is(Kind::Object) {
            return self.wrong_at(argument, "an object takes types by name in braces");
        }
        let mut attributes: Vec<AttributeType<'a>> = Vec::new();
        let (mut own, mut children) = (Vec::new(), Vec::new());
        for item in argument.operands().chunks_exact(2) {
            let &[key, value] = item else { continue };
            let Construct::Text(name) = key.construct() else {
                return self.wrong_at(key, "an attribute is a name");
            };
            let name = normalized(self.arena, name);
            let (value, optional) = match value.construct() {
                Construct::Call(call) if call.name == "optional" => {
                    match *call.arguments.as_slice() {
                        [ty] => (ty, true),
                        [ty, default] => {
                            own.push((name, default));
                            (ty, true)
                        }
                        _ => return self.wrong_at(value, "optional takes a type, and a default"),
                    }
                }
                _ => (value, false),
            };
            let (ty, defaults) = self.read(value, depth)?;
            if !defaults.is_empty() {
                children.push((Some(name), defaults));
            }
            attributes.push(AttributeType { name, ty, optional });
        }
        attributes.reverse();
        attributes.sort_by_key(|attribute| attribute.name);
        attributes.dedup_by_key(|attribute| attribute.name);
        let ty = Type::Object(self.arena.bump().alloc_slice_copy(&attributes));
        Some((ty, self.defaults(&own, &children)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Document;
    use crate::value::write_type;
    use crate::write::{Layout, to_string};

    /// The type of a constraint as JSON, or the code of what is wrong.
    fn type_of(text: &str) -> String {
        let arena = Arena::new();
        let json = to_string(Layout::Compact, |slot| slot.string(text));
        let document = Document::parse_bytes(&arena, "test", arena.str(&json).as_bytes());
        let root = document.unwrap_or_else(|error| panic!("{error}")).root();
        let mut found: Option<Diagnostic<'_>> = None;
        match Expression::new(root).type_constraint(&mut found) {
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
            ("a.b", "invalid-type"),
        ] {
            assert_eq!(type_of(text), expected, "{text}");
        }
        assert_eq!(
            type_of(&format!("{}any{}", "list(".repeat(200), ")".repeat(200))),
            "invalid-type"
        );
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
            |name| root.as_object().and_then(|object| object.get(name)).map(Expression::new);
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
