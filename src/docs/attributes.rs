//! Attributes of objects as entries of their own, read from the type of a variable.

use super::json_text;
use super::lines::Lines;
use crate::expression::Expression;
use crate::hidden::{has_defaults, shown_type};
use crate::native::{Construct, Native};
use crate::span::Span;

/// Types nest this deep at most, as the tools read them.
const MAX_DEPTH: usize = 100;

/// The most attributes that are listed of one variable.
const MOST: usize = 10_000;

/// An attribute of an object that a variable has, at any depth.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ObjectAttribute {
    /// Its place in the value: `rules[*].port`, with `[*]` for the elements of a collection.
    pub path: String,
    /// Its type as it is written; that of an object is only named, since its attributes follow.
    pub written_type: String,
    /// The type without defaults of attributes, if it has some.
    pub(super) shown_type: Option<String>,
    /// The comment above it.
    pub description: String,
    /// Its default in JSON: null if it is optional and has none; `None` if it must be set.
    pub default: Option<String>,
}

impl ObjectAttribute {
    /// Whether it must be set.
    #[must_use]
    pub fn is_required(&self) -> bool {
        self.default.is_none()
    }
}

/// Returns the attributes of the objects in a type, in the order of the source. `name` is that of the
/// variable. A type in a JSON file has none.
///
/// Cost: linear in the type; the text of a nested object is not repeated.
pub(super) fn of_type(
    name: &str,
    written: Expression<'_>,
    lines: &Lines<'_>,
) -> Vec<ObjectAttribute> {
    let mut found = Vec::new();
    if let Some(native) = written.as_native() {
        let mut reader = Reader { lines, found: &mut found };
        reader.read(name.to_owned(), native, 0);
    }
    found
}

struct Reader<'r, 't> {
    lines: &'r Lines<'t>,
    found: &'r mut Vec<ObjectAttribute>,
}

/// The object in a type, the path to it, and the names of the types around it.
struct Inside<'a> {
    members: Vec<(Native<'a>, Native<'a>)>,
    path: String,
    named: String,
}

impl Reader<'_, '_> {
    fn read(&mut self, path: String, written: Native<'_>, depth: usize) {
        let Some(inside) = object_in(written, path) else { return };
        for (key, value) in inside.members {
            if depth == MAX_DEPTH || self.found.len() == MOST {
                return;
            }
            let source = key.source();
            let name = key.text().trim_matches('"').to_owned();
            let path = format!("{}.{name}", inside.path);
            let (written, default) = match value.construct() {
                Construct::Call(call) if call.name == "optional" => {
                    let Some((written, rest)) = call.arguments.split_first() else { continue };
                    let default = rest.first().map_or_else(|| "null".to_owned(), |it| json_of(*it));
                    (*written, Some(default))
                }
                _ => (value, None),
            };
            let expression = Expression::from_native(written);
            let (written_type, shown_type) = match object_in(written, String::new()) {
                Some(inside) => (inside.named, None),
                None => {
                    let shown = has_defaults(expression).then(|| shown_type(expression));
                    let text = |it: Expression<'_>| String::from_utf8_lossy(it.text()).into_owned();
                    (written.text().to_owned(), shown.map(text))
                }
            };
            let Span { start, .. } = key.span();
            let description = self.lines.inside(source.position(start).line);
            self.found.push(ObjectAttribute {
                path: path.clone(),
                written_type,
                shown_type,
                description,
                default,
            });
            self.read(path, written, depth + 1);
        }
    }
}

/// Returns the object that a type is, or that its elements are.
fn object_in(written: Native<'_>, path: String) -> Option<Inside<'_>> {
    let (mut written, mut path) = (written, path);
    let mut around = Vec::new();
    loop {
        let Construct::Call(call) = written.construct() else { return None };
        let &[argument] = call.arguments.as_slice() else { return None };
        match call.name {
            "object" => {
                let Construct::Object(members) = argument.construct() else { return None };
                around.push("object");
                let named = around.join("(") + &")".repeat(around.len() - 1);
                return Some(Inside { members, path, named });
            }
            "list" | "set" | "map" if around.len() < MAX_DEPTH => {
                around.push(call.name);
                path.push_str("[*]");
                written = argument;
            }
            _ => return None,
        }
    }
}

/// Returns the JSON of a default. One that needs functions is a string with its source.
fn json_of(default: Native<'_>) -> String {
    let mut error = None;
    let value = Expression::from_native(default).literal_value(&mut error);
    let json = json_text::of_value(value).ok().filter(|_| error.is_none());
    json.unwrap_or_else(|| {
        let mut out = String::new();
        json_text::push_string(&mut out, default.text());
        out
    })
}
