//! Files in JSON syntax as the dictionaries of python-hcl2, without their native text.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString};
use simd_hcl::convert::{JsonArgument, JsonKey, JsonText, JsonVisitor, visit_json};
use simd_hcl::json::{Elements, JsonValue, Members, Node};
use simd_hcl::{Diagnostic as Found, Document, Sink};

use crate::error::raise;
use crate::files::kind_of;
use crate::hcl2::{self, Options};
use crate::syntax::comment_text;
use crate::value::{self, Names};

/// Returns a document as the dictionary of its native text; `None` if only the native text says what
/// it is: an error in it, or labels with escapes.
pub(crate) fn file<'py>(
    py: Python<'py>,
    document: Document<'_>,
    options: &Options,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let result = PyDict::new(py);
    let mut visitor = Visitor {
        py,
        options,
        open: vec![Level::new(py, result.clone())],
        names: Names::new(py),
        outcome: Ok(true),
        is_partial: false,
        buffer: String::new(),
    };
    let mut found: Vec<Found<'_>> = Vec::new();
    let kind = kind_of(document.source().name());
    visit_json(document, kind, &|_, _| None, &mut visitor, &mut found);
    visitor.close_block();
    let is_whole = visitor.outcome? && !visitor.is_partial;
    raise(&found)?;
    Ok(is_whole.then_some(result))
}

/// A body that is open.
struct Level<'py> {
    result: Bound<'py, PyDict>,
    /// The lists of blocks by type.
    blocks: Bound<'py, PyDict>,
    comments: Vec<String>,
}

impl<'py> Level<'py> {
    fn new(py: Python<'py>, result: Bound<'py, PyDict>) -> Self {
        Self { result, blocks: PyDict::new(py), comments: Vec::new() }
    }
}

struct Visitor<'o, 'a, 'py> {
    py: Python<'py>,
    options: &'o Options,
    open: Vec<Level<'py>>,
    names: Names<'a, 'py>,
    /// Whether the dictionaries have all of it.
    outcome: PyResult<bool>,
    /// Whether a comment in an expression is left out.
    is_partial: bool,
    buffer: String,
}

/// A container whose elements are being converted.
enum Container<'a, 'py> {
    List(JsonArgument<'a>, Elements<'a>, Bound<'py, PyList>),
    Dict(JsonArgument<'a>, Members<'a>, Bound<'py, PyDict>),
}

impl<'a> JsonVisitor<'a> for Visitor<'_, 'a, '_> {
    fn comment(&mut self, value: Node<'a>) {
        let Some(level) = self.open.last_mut().filter(|_| self.options.with_comments) else {
            return;
        };
        let text = match value.to_str() {
            Some(text) => text.into(),
            None => String::from_utf8_lossy(value.text()),
        };
        let lines = text.lines().map(|line| line.replace('\r', " "));
        level.comments.extend(lines.filter_map(|line| comment_text(&format!("# {line}"))));
    }

    fn attribute(&mut self, name: &'a str, value: JsonArgument<'a>, sink: &mut dyn Sink<'a>) {
        self.attempt(|this| {
            let value = this.value(value, sink)?;
            let name = this.names.get(name);
            let Some(level) = this.open.last() else { return Ok(false) };
            let known = level.result.len();
            level.result.set_item(name, value)?;
            Ok(level.result.len() > known)
        });
    }

    fn open_block(&mut self, block_type: &'a str, labels: &[&'a str]) {
        self.attempt(|this| {
            let py = this.py;
            let body = PyDict::new(py);
            let mut outer = body.clone();
            for label in labels.iter().rev() {
                let Some(label) = this.plain(label) else { return Ok(false) };
                let next = PyDict::new(py);
                next.set_item(label, outer)?;
                outer = next;
            }
            let block_type = this.names.get(block_type);
            let Some(level) = this.open.last() else { return Ok(false) };
            let list = match level.blocks.get_item(&block_type)? {
                Some(list) => list.cast_into::<PyList>().map_err(PyErr::from)?,
                None if level.result.contains(&block_type)? => return Ok(false),
                None => {
                    let list = PyList::empty(py);
                    level.blocks.set_item(&block_type, &list)?;
                    level.result.set_item(block_type, &list)?;
                    list
                }
            };
            list.append(outer)?;
            this.open.push(Level::new(py, body));
            Ok(true)
        });
    }

    fn close_block(&mut self) {
        self.attempt(|this| {
            let Some(level) = this.open.pop() else { return Ok(false) };
            hcl2::add_comments(&level.result, "__comments__", &level.comments)?;
            if this.options.explicit_blocks && !this.open.is_empty() {
                level.result.set_item(intern!(this.py, "__is_block__"), true)?;
            }
            Ok(true)
        });
    }
}

impl<'a, 'py> Visitor<'_, 'a, 'py> {
    /// Does something, unless an earlier step has failed.
    fn attempt(&mut self, step: impl FnOnce(&mut Self) -> PyResult<bool>) {
        if matches!(self.outcome, Ok(true)) {
            self.outcome = step(self);
        }
    }

    /// A text of native syntax as the dictionary has it.
    fn text(&mut self, text: JsonText<'_>) -> Option<Bound<'py, PyString>> {
        self.buffer.clear();
        match text {
            JsonText::Quoted(text) if self.options.strip_string_quotes => {
                return Some(PyString::new(self.py, text));
            }
            JsonText::Quoted(_) => text.push_native(&mut self.buffer),
            // A name by itself is a type or a keyword.
            JsonText::Reference(name) if !name.contains(['.', '[']) => {
                return Some(PyString::new(self.py, name));
            }
            JsonText::Reference(text) => self.buffer.extend(["${", text, "}"]),
            _ => return None,
        }
        Some(PyString::new(self.py, &self.buffer))
    }

    /// A text as it is written in quotes, or without them; `None` if it has escapes.
    fn plain(&mut self, text: &str) -> Option<Bound<'py, PyString>> {
        let bytes = text.as_bytes();
        let is_plain =
            bytes.iter().zip(bytes.iter().skip(1).chain([&b' '])).all(|(byte, next)| match byte {
                b'"' | b'\\' => false,
                b'$' | b'%' => *next != b'{',
                _ => (b' '..0x7F).contains(byte),
            });
        if !is_plain {
            return None;
        }
        if self.options.strip_string_quotes {
            return Some(PyString::new(self.py, text));
        }
        self.buffer.clear();
        self.buffer.extend(["\"", text, "\""]);
        Some(PyString::new(self.py, &self.buffer))
    }

    /// Converts an argument. Containers are kept on a stack, since they may nest deeply.
    fn value(
        &mut self,
        argument: JsonArgument<'a>,
        sink: &mut dyn Sink<'a>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (result, first) = self.one(argument, sink)?;
        let mut open = Vec::new();
        open.extend(first);
        while let Some(container) = open.last_mut() {
            let inner = match container {
                Container::List(argument, elements, list) => match elements.next() {
                    Some(element) => {
                        let (value, inner) = self.one(argument.element(element), sink)?;
                        list.append(value)?;
                        inner
                    }
                    None => {
                        open.pop();
                        continue;
                    }
                },
                Container::Dict(argument, members, dict) => match members.next() {
                    Some(member) => {
                        let (key, value) = argument.member(member);
                        let key = self.key(key)?;
                        let (value, inner) = self.one(value, sink)?;
                        dict.set_item(key, value)?;
                        inner
                    }
                    None => {
                        open.pop();
                        continue;
                    }
                },
            };
            open.extend(inner);
        }
        Ok(result)
    }

    /// Converts a value; a container without its elements.
    fn one(
        &mut self,
        argument: JsonArgument<'a>,
        sink: &mut dyn Sink<'a>,
    ) -> PyResult<(Bound<'py, PyAny>, Option<Container<'a, 'py>>)> {
        let py = self.py;
        Ok(match argument.node().value() {
            JsonValue::Null => (py.None().into_bound(py), None),
            JsonValue::Bool(value) => (PyBool::new(py, value).to_owned().into_any(), None),
            JsonValue::Number(number) => {
                let text = number.text();
                let digits = text.strip_prefix('-').unwrap_or(text);
                let is_negative = digits.len() < text.len();
                let number = match hcl2::is_text(digits, self.options) {
                    true => None,
                    false => value::number(py, digits, is_negative)?,
                };
                let text = || PyString::new(py, &format!("${{{text}}}")).into_any();
                (number.unwrap_or_else(text), None)
            }
            JsonValue::String(_) => {
                let plain = argument.as_plain().and_then(|text| self.text(text));
                match plain {
                    Some(text) => (text.into_any(), None),
                    None => {
                        let mut native = argument.to_native(sink);
                        native.push('\n');
                        let tokens = hcl2::tokens(&native, self.options);
                        if self.options.with_comments && !tokens.comments.is_empty() {
                            self.is_partial = true;
                        }
                        (hcl2::value(py, &tokens, self.options)?, None)
                    }
                }
            }
            JsonValue::Array(array) => {
                let list = PyList::empty(py);
                let container = Container::List(argument, array.elements(), list.clone());
                (list.into_any(), Some(container))
            }
            JsonValue::Object(object) => {
                let dict = PyDict::new(py);
                let container = Container::Dict(argument, object.members(), dict.clone());
                (dict.into_any(), Some(container))
            }
        })
    }

    fn key(&mut self, key: JsonKey<'a>) -> PyResult<Bound<'py, PyString>> {
        let plain = match key {
            JsonKey::Name(name) => Some(self.names.get(name)),
            JsonKey::Text(text) => self.plain(text),
            _ => None,
        };
        match plain {
            Some(key) => Ok(key),
            None => {
                let key = hcl2::key(
                    self.py,
                    &hcl2::tokens(&key.to_native(), self.options),
                    self.options,
                )?;
                Ok(PyString::new(self.py, &key))
            }
        }
    }
}
