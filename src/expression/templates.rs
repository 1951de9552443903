//! All templates of a file, whatever its schema.

use std::fmt;

use super::references::parse;
use crate::diagnostic::Diagnostic;
use crate::json::{self, JsonString, Node, Value};
use crate::native::{self, Program, Traversal};
use crate::span::Span;

/// A string that holds a template.
#[derive(Clone)]
pub struct Template<'a> {
    string: JsonString<'a>,
    is_key: bool,
    path: JsonPath<'a>,
    parsed: Result<&'a Program<'a>, &'a Diagnostic<'a>>,
}

/// Where a value is in a file: names of members and places of elements, outermost first.
#[derive(Clone, Debug, Default)]
pub struct JsonPath<'a> {
    steps: Vec<PathStep<'a>>,
}

#[derive(Clone, Copy, Debug)]
enum PathStep<'a> {
    Member(JsonString<'a>),
    Element(usize),
}

impl fmt::Display for JsonPath<'_> {
    /// As the tools write addresses: `resource.aws_instance.web.tags["a.b"][0]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, step) in self.steps.iter().enumerate() {
            match step {
                PathStep::Element(element) => write!(f, "[{element}]")?,
                PathStep::Member(name) => {
                    let name = name.to_str();
                    match (super::is_identifier(name), place) {
                        (true, 0) => f.write_str(name)?,
                        (true, _) => write!(f, ".{name}")?,
                        (false, _) => write!(f, "[{name:?}]")?,
                    }
                }
            }
        }
        Ok(())
    }
}

impl<'a> Template<'a> {
    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &JsonPath<'a> {
        &self.path
    }

    /// Whether it is the name of a member, not a value.
    #[must_use]
    pub fn is_key(&self) -> bool {
        self.is_key
    }

    /// Its bytes in the file, quotes included.
    #[must_use]
    pub fn span(&self) -> Span {
        self.string.span()
    }

    /// The decoded text.
    #[must_use]
    pub fn text(&self) -> &'a str {
        self.string.to_str()
    }

    /// The traversals in it that start from a variable of the scope, in order; none if it does not parse.
    pub fn variables(&self) -> impl Iterator<Item = Traversal<'a>> + use<'a> {
        let mut found = Vec::new();
        if let Ok(program) = self.parsed {
            native::variables(program, |traversal| found.push(traversal));
        }
        found.into_iter()
    }

    /// Why it does not parse.
    #[must_use]
    pub fn diagnostics(&self) -> &'a [Diagnostic<'a>] {
        match self.parsed {
            Ok(_) => &[],
            Err(error) => std::slice::from_ref(error),
        }
    }
}

impl fmt::Debug for Template<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}", self.path, self.string)
    }
}

/// The templates of a file, in its order. See [`crate::Document::templates`].
#[derive(Clone)]
pub struct Templates<'a> {
    open: Vec<Open<'a>>,
    path: Vec<PathStep<'a>>,
}

#[derive(Clone)]
enum Open<'a> {
    Value(Node<'a>),
    Array(json::Elements<'a>, usize),
    Object(json::Members<'a>),
    /// The end of a member or element.
    Leave,
}

impl<'a> Templates<'a> {
    /// Of everything in a value.
    pub(crate) fn of(root: Node<'a>) -> Self {
        Self { open: vec![Open::Value(root)], path: Vec::new() }
    }

    fn found(&self, string: JsonString<'a>, is_key: bool) -> Option<Template<'a>> {
        string.may_be_template().then(|| Template {
            string,
            is_key,
            path: JsonPath { steps: self.path.clone() },
            parsed: parse(string.node().source(), string),
        })
    }
}

impl<'a> Iterator for Templates<'a> {
    type Item = Template<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.open.last_mut()? {
                Open::Leave => {
                    self.open.pop();
                    self.path.pop();
                }
                Open::Array(elements, place) => match elements.next() {
                    Some(element) => {
                        self.path.push(PathStep::Element(*place));
                        *place += 1;
                        self.open.extend([Open::Leave, Open::Value(element)]);
                    }
                    None => drop(self.open.pop()),
                },
                Open::Object(members) => match members.next() {
                    Some(member) => {
                        self.path.push(PathStep::Member(member.name()));
                        self.open.extend([Open::Leave, Open::Value(member.value())]);
                        if let Some(found) = self.found(member.name(), true) {
                            return Some(found);
                        }
                    }
                    None => drop(self.open.pop()),
                },
                Open::Value(node) => {
                    let value = node.value();
                    self.open.pop();
                    match value {
                        Value::Array(array) => self.open.push(Open::Array(array.elements(), 0)),
                        Value::Object(object) => self.open.push(Open::Object(object.members())),
                        Value::String(string) => {
                            if let Some(found) = self.found(string, false) {
                                return Some(found);
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
    }
}

impl fmt::Debug for Templates<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Templates").finish_non_exhaustive()
    }
}
