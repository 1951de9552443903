//! Values and types as text, for tests.
//!
//! Values are shown as `[1, "a"]` (tuple), `list[…]`, `set[…]`, `{a = 1}` (object), `map{…}`,
//! `null(type)`, `?type` (unknown; with `!` if it cannot be null), `?` (of unknown type), and `#`
//! after a marked value. Types are shown as `list(number)`, `object(a=number,b=string)`,
//! `tuple(bool,dynamic)`.
//!
//! Both are parsed from the same notation, except that lists, sets and maps have their element
//! type, `list(number)[1, 2]`, and optional attributes with a question mark, `object(a?=number)`.

use simd_hcl::Arena;
use simd_hcl::value::{AttributeType, Content, Marks, Number, Type, Value};

/// Returns a value as text.
pub(crate) fn show<'a>(arena: &'a Arena, value: Value<'a>) -> String {
    let mark = if value.marks().is_empty() { "" } else { "#" };
    let list = |open: &str, close: &str| {
        let elements: Vec<_> =
            value.as_elements().unwrap().iter().map(|&element| show(arena, element)).collect();
        format!("{open}{}{close}", elements.join(", "))
    };
    let pairs = |open: &str| {
        let entries: Vec<_> = value
            .as_entries()
            .unwrap()
            .iter()
            .map(|&(name, value)| format!("{name} = {}", show(arena, value)))
            .collect();
        format!("{open}{}}}", entries.join(", "))
    };
    let text = match (value.content(), value.ty()) {
        (Content::Unknown { .. }, Type::Dynamic) => "?".to_owned(),
        (Content::Unknown { not_null, .. }, ty) => {
            format!("?{}{}", show_type(ty), if not_null { "!" } else { "" })
        }
        (Content::Null, ty) => format!("null({})", show_type(ty)),
        (Content::Bool(truth), _) => truth.to_string(),
        (Content::Number(number), _) => number.to_text(arena).unwrap_or("too long").to_owned(),
        (Content::String(text), _) => format!("{text:?}"),
        (_, Type::List(_)) if value.as_elements().is_some_and(<[_]>::is_empty) => {
            show_type(value.ty()) + "[]"
        }
        (_, Type::List(_)) => list("list[", "]"),
        (_, Type::Set(_)) => list("set[", "]"),
        (Content::Elements(_), _) => list("[", "]"),
        (_, Type::Map(_)) => pairs("map{"),
        (Content::Entries(_), _) => pairs("{"),
    };
    text + mark
}

/// Returns a type as text.
pub(crate) fn show_type(ty: Type<'_>) -> String {
    match ty {
        Type::Dynamic => "dynamic".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Number => "number".to_owned(),
        Type::String => "string".to_owned(),
        Type::List(element) => format!("list({})", show_type(element.ty())),
        Type::Set(element) => format!("set({})", show_type(element.ty())),
        Type::Map(element) => format!("map({})", show_type(element.ty())),
        Type::Object(attributes) => {
            let attributes: Vec<_> =
                attributes.iter().map(|it| format!("{}={}", it.name, show_type(it.ty))).collect();
            format!("object({})", attributes.join(","))
        }
        Type::Tuple(types) => {
            let types: Vec<_> = types.iter().map(|&ty| show_type(ty)).collect();
            format!("tuple({})", types.join(","))
        }
    }
}

/// Reads a value.
pub(crate) fn value<'a>(arena: &'a Arena, text: &'a str) -> Value<'a> {
    let mut reader = Reader { arena, rest: text };
    let value = reader.value();
    assert_eq!(reader.rest, "", "{text}");
    value
}

/// Reads a type.
pub(crate) fn ty<'a>(arena: &'a Arena, text: &'a str) -> Type<'a> {
    let mut reader = Reader { arena, rest: text };
    let ty = reader.ty();
    assert_eq!(reader.rest, "", "{text}");
    ty
}

struct Reader<'a> {
    arena: &'a Arena,
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn take(&mut self, what: &str) -> bool {
        let rest = self.rest.strip_prefix(what);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn expect(&mut self, what: &str) {
        assert!(self.take(what), "{what} before {:?}", self.rest);
    }

    /// Reads the text up to the first character that does not belong.
    fn run(&mut self, belongs: fn(char) -> bool) -> &'a str {
        let len = self.rest.find(|character| !belongs(character)).unwrap_or(self.rest.len());
        let (run, rest) = self.rest.split_at(len);
        self.rest = rest;
        run
    }

    fn word(&mut self) -> &'a str {
        self.run(|character| character.is_ascii_alphanumeric())
    }

    fn list<T>(&mut self, close: &str, mut item: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let mut items = Vec::new();
        while !self.take(close) {
            if !items.is_empty() {
                self.expect(",");
                self.take(" ");
            }
            items.push(item(self));
        }
        items
    }

    fn element_type(&mut self) -> Type<'a> {
        self.expect("(");
        let element = self.ty();
        self.expect(")");
        element
    }

    fn ty(&mut self) -> Type<'a> {
        match self.word() {
            "dynamic" => Type::Dynamic,
            "bool" => Type::Bool,
            "number" => Type::Number,
            "string" => Type::String,
            "list" => Type::list_of(self.arena, self.element_type()),
            "set" => Type::set_of(self.arena, self.element_type()),
            "map" => Type::map_of(self.arena, self.element_type()),
            "tuple" => {
                self.expect("(");
                Type::tuple_of(self.arena, &self.list(")", Self::ty))
            }
            "object" => {
                self.expect("(");
                let attributes = self.list(")", |reader| {
                    let name = reader.word();
                    let optional = reader.take("?");
                    reader.expect("=");
                    AttributeType { name, ty: reader.ty(), optional }
                });
                Type::object_of(self.arena, &attributes)
            }
            word => panic!("{word:?} before {:?} is no type", self.rest),
        }
    }

    fn entries(&mut self) -> Vec<(&'a str, Value<'a>)> {
        self.expect("{");
        self.list("}", |reader| {
            let name = reader.word();
            reader.expect(" = ");
            (name, reader.value())
        })
    }

    fn elements(&mut self) -> Vec<Value<'a>> {
        self.expect("[");
        self.list("]", Self::value)
    }

    fn value(&mut self) -> Value<'a> {
        let value = self.unmarked();
        if self.take("#") { value.with_marks(Marks::SENSITIVE) } else { value }
    }

    fn unmarked(&mut self) -> Value<'a> {
        let arena = self.arena;
        match self.rest.chars().next() {
            Some('?') => {
                self.expect("?");
                let is_typed = self.rest.starts_with(|next: char| next.is_ascii_lowercase());
                let unknown = Value::unknown(if is_typed { self.ty() } else { Type::Dynamic });
                if self.take("!") { unknown.not_null() } else { unknown }
            }
            Some('[') => Value::tuple(arena, &self.elements()),
            Some('{') => Value::object(arena, &self.entries()),
            Some('"') => {
                self.expect("\"");
                let mut text = String::new();
                while !self.take("\"") {
                    let is_escaped = self.take("\\");
                    let next = self.rest.chars().next().expect("the end of a string");
                    self.rest = &self.rest[next.len_utf8()..];
                    text.push(if is_escaped && next == 'n' { '\n' } else { next });
                }
                Value::string(arena, arena.str(&text))
            }
            Some('-' | '0'..='9') => {
                let text = self.run(|next| next.is_ascii_alphanumeric() || "+-.".contains(next));
                Value::number(Number::from_literal(text).unwrap())
            }
            _ => match self.word() {
                "true" => Value::bool(true),
                "false" => Value::bool(false),
                "null" => Value::null(self.element_type()),
                "list" => Value::list(arena, self.element_type(), &self.elements()),
                "set" => Value::set(arena, self.element_type(), &self.elements()),
                "map" => Value::map(arena, self.element_type(), &self.entries()),
                word => panic!("{word:?} before {:?} is no value", self.rest),
            },
        }
    }
}
