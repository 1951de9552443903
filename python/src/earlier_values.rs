//! Values as python-hcl2 before version 8 makes them: by joining the texts of an expression's parts.
//!
//! An expression is a text, which is wrapped into `${}` where it becomes a value; tuples and objects
//! are lists and dictionaries, which are written as text again inside of other expressions. The rules
//! are those of the tool, wrong ones included: `f(["a"])` is `${f(['a'])}` in version 4. Nothing
//! recurses.

use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString};
use simd_hcl::native::{Construct, ForExpression, Key, Native, StepKind, Traversal, UnaryOperator};

use crate::syntax::bytes_of;
use crate::tool::Earlier;
use crate::value::number;

/// The bytes of text that the values of a file may be joined from, for each byte of the file: lists
/// inside of calls inside of lists double their escapes at each level.
const MOST_PER_BYTE: usize = 1024;

/// Converts the values of a file.
pub(crate) struct Values<'py> {
    py: Python<'py>,
    pub(crate) tool: Earlier,
    /// The bytes that may still be joined.
    budget: usize,
}

/// A value, or the text of one.
enum Term<'py> {
    Text(String),
    /// A heredoc, in quotes.
    Heredoc(String),
    Object(Bound<'py, PyAny>),
}

/// An operation on the values before it.
enum Make<'a> {
    Parentheses,
    Unary(&'static str),
    /// Operands with operators between them; the last one may be a condition, before two more values.
    Operation(Vec<&'static str>, bool),
    Tuple(usize),
    Object(Vec<ItemKey<'a>>),
    Call(&'a str, usize),
    Steps(Traversal<'a>),
    Index,
    /// The symbol, and whether something is done with each element.
    Splat(&'static str, bool),
    For(Box<ForExpression<'a>>, bool),
    /// A string, and the places of its interpolations.
    String(Native<'a>, Vec<Native<'a>>),
}

enum Work<'a> {
    Value(Native<'a>),
    Make(Make<'a>),
}

/// The key of an item.
enum ItemKey<'a> {
    Name(&'a str),
    /// It is a value before that of the item; whether it is in parentheses.
    Value(bool),
}

impl<'py> Values<'py> {
    /// Makes values of a file that has so many bytes.
    pub(crate) fn new(py: Python<'py>, tool: Earlier, bytes: usize) -> Self {
        Self { py, tool, budget: bytes.saturating_add(1 << 16).saturating_mul(MOST_PER_BYTE) }
    }

    /// Returns the value of an attribute.
    pub(crate) fn value(&mut self, root: Native<'_>) -> PyResult<Bound<'py, PyAny>> {
        let mut work = vec![Work::Value(root)];
        let mut terms: Vec<Term<'py>> = Vec::new();
        while let Some(next) = work.pop() {
            match next {
                Work::Value(expression) => self.open(expression, &mut work, &mut terms)?,
                Work::Make(make) => {
                    let term = self.make(make, &mut terms)?;
                    if let Term::Text(text) | Term::Heredoc(text) = &term {
                        self.spend(text.len())?;
                    }
                    terms.push(term);
                }
            }
        }
        match terms.pop() {
            Some(term) => self.dollar(term),
            None => Ok(self.py.None().into_bound(self.py)),
        }
    }

    fn spend(&mut self, bytes: usize) -> PyResult<()> {
        match self.budget.checked_sub(bytes) {
            Some(rest) => {
                self.budget = rest;
                Ok(())
            }
            None => Err(PyValueError::new_err(
                "the text of nested expressions is too long in the form of this tool",
            )),
        }
    }

    /// Adds the value of a leaf, or the work for an expression that has parts.
    fn open<'a>(
        &mut self,
        expression: Native<'a>,
        work: &mut Vec<Work<'a>>,
        terms: &mut Vec<Term<'py>>,
    ) -> PyResult<()> {
        let written = written(expression);
        let is_quoted = written.starts_with(b"\"");
        let is_heredoc = written.starts_with(b"<<");
        if let Some(inner) = expression.enclosed()
            && !is_quoted
            && !is_heredoc
        {
            work.push(Work::Make(Make::Parentheses));
            work.push(Work::Value(inner));
            return Ok(());
        }
        let construct = expression.construct();
        let is_template = expression.enclosed().is_some()
            || matches!(construct, Construct::Template(_) | Construct::Text(_));
        if is_template && is_heredoc {
            terms.push(Term::Heredoc(heredoc(expression, self.tool.is_checkov)));
            return Ok(());
        }
        if is_template && is_quoted {
            let parts = match self.tool.parses_strings {
                true => interpolations(expression),
                false => Vec::new(),
            };
            let values = parts.clone();
            work.push(Work::Make(Make::String(expression, parts)));
            work.extend(values.into_iter().rev().map(Work::Value));
            return Ok(());
        }
        match construct {
            Construct::Null => terms.push(Term::Object(self.py.None().into_bound(self.py))),
            Construct::Bool(value) => {
                terms.push(Term::Object(PyBool::new(self.py, value).to_owned().into_any()));
            }
            Construct::Number(digits) => terms.push(self.digits(digits, false)?),
            Construct::Text(text) => terms.push(Term::Text(text.to_owned())),
            Construct::Traversal(traversal) => {
                terms.push(Term::Text(steps(traversal)));
            }
            Construct::Relative(from, traversal) => {
                work.push(Work::Make(Make::Steps(traversal)));
                work.push(Work::Value(from));
            }
            Construct::Index { collection, key } => {
                work.push(Work::Make(Make::Index));
                work.extend([Work::Value(key), Work::Value(collection)]);
            }
            Construct::Call(call) => {
                work.push(Work::Make(Make::Call(call.name, call.arguments.len())));
                work.extend(call.arguments.into_iter().rev().map(Work::Value));
            }
            Construct::Unary(operator, operand) => {
                let is_negative_number = self.tool.has_types
                    && operator == UnaryOperator::Negate
                    && written.get(1).is_some_and(u8::is_ascii_digit);
                match operand.construct() {
                    Construct::Number(digits) if is_negative_number => {
                        terms.push(self.digits(digits, true)?);
                    }
                    _ => {
                        work.push(Work::Make(Make::Unary(operator.symbol())));
                        work.push(Work::Value(operand));
                    }
                }
            }
            Construct::Binary(..) | Construct::Conditional { .. } => operation(expression, work),
            Construct::Tuple(elements) => {
                work.push(Work::Make(Make::Tuple(elements.len())));
                work.extend(elements.into_iter().rev().map(Work::Value));
            }
            Construct::Object(items) => {
                let mut keys = Vec::new();
                let mut values = Vec::new();
                for (key, value) in items {
                    let is_name = !self::written(key).starts_with(b"\"");
                    match key.construct() {
                        Construct::Text(name) if is_name && key.enclosed().is_none() => {
                            keys.push(ItemKey::Name(name));
                        }
                        _ => {
                            let inner = key.enclosed().filter(|_| is_name);
                            keys.push(ItemKey::Value(inner.is_some()));
                            values.push(Work::Value(inner.unwrap_or(key)));
                        }
                    }
                    values.push(Work::Value(value));
                }
                work.push(Work::Make(Make::Object(keys)));
                work.extend(values.into_iter().rev());
            }
            Construct::For(each) => {
                let is_object = each.key.is_some();
                let mut parts = vec![Work::Value(each.collection)];
                parts.extend(each.key.map(Work::Value));
                parts.push(Work::Value(each.value));
                parts.extend(each.condition.map(Work::Value));
                work.push(Work::Make(Make::For(Box::new(each), is_object)));
                work.extend(parts.into_iter().rev());
            }
            Construct::Splat { source: collection, each } => {
                let after = (collection.span().end - expression.span().start) as usize;
                let after = written.get(after..).unwrap_or_default().trim_ascii_start();
                let symbol = if after.starts_with(b"[") { "[*]" } else { ".*" };
                work.push(Work::Make(Make::Splat(symbol, each.is_some())));
                work.extend(each.map(Work::Value));
                work.push(Work::Value(collection));
            }
            Construct::Element => terms.push(Term::Text(String::new())),
            // The key `a.b` of an item.
            _ => match expression.operands().first() {
                Some(operand) => work.push(Work::Value(*operand)),
                None => terms.push(Term::Text(String::from_utf8_lossy(written).into_owned())),
            },
        }
        Ok(())
    }

    fn make(&mut self, make: Make<'_>, terms: &mut Vec<Term<'py>>) -> PyResult<Term<'py>> {
        let mut pop = || terms.pop().unwrap_or(Term::Text(String::new()));
        Ok(Term::Text(match make {
            Make::Parentheses => {
                let inner = pop();
                if !self.tool.has_parentheses {
                    return Ok(inner);
                }
                format!("({})", self.plain(inner, false)?)
            }
            Make::Unary(operator) => format!("{operator}{}", self.inline(pop(), true)?),
            Make::Steps(traversal) => {
                let mut text = self.plain(pop(), false)?;
                text.push_str(&steps(traversal));
                text
            }
            Make::Index => {
                let key = pop();
                let collection = self.plain(pop(), false)?;
                format!("{collection}[{}]", self.plain(key, false)?)
            }
            Make::Splat(symbol, has_each) => {
                let each = if has_each { self.inline(pop(), false)? } else { String::new() };
                let mut text = self.plain(pop(), false)?;
                text.push_str(symbol);
                text.push_str(&each);
                text
            }
            Make::Call(name, len) => {
                let arguments = terms.split_off(terms.len().saturating_sub(len));
                let separator =
                    if self.tool.is_checkov && !name.contains("::") { "," } else { ", " };
                let mut text = format!("{name}(");
                for (place, argument) in arguments.into_iter().enumerate() {
                    text.push_str(if place > 0 { separator } else { "" });
                    text.push_str(&self.inline(argument, true)?);
                }
                text.push(')');
                text
            }
            Make::Operation(operators, has_branches) => {
                return self.operation(&operators, has_branches, terms);
            }
            Make::Tuple(len) => {
                let list = PyList::empty(self.py);
                for element in terms.split_off(terms.len().saturating_sub(len)) {
                    list.append(self.dollar(element)?)?;
                }
                return Ok(Term::Object(list.into_any()));
            }
            Make::Object(keys) => return self.object(&keys, terms),
            Make::For(each, is_object) => {
                let condition = each.condition.map(|_| pop());
                let value = pop();
                let key = if is_object { Some(pop()) } else { None };
                let collection = self.inline(pop(), false)?;
                let mut text = String::from(if is_object { "{for " } else { "[for " });
                if let Some(name) = each.key_name {
                    text.push_str(name);
                    text.push_str(" , ");
                }
                text.push_str(each.value_name);
                text.push_str(" in ");
                text.push_str(&collection);
                text.push_str(" : ");
                if let Some(key) = key {
                    text.push_str(&self.inline(key, false)?);
                    text.push_str(" => ");
                }
                text.push_str(&self.inline(value, false)?);
                if each.groups {
                    text.push_str(" ...");
                }
                if let Some(condition) = condition {
                    text.push_str(" if ");
                    text.push_str(&self.inline(condition, false)?);
                }
                text.push(if is_object { '}' } else { ']' });
                text
            }
            Make::String(string, parts) => {
                let values = terms.split_off(terms.len().saturating_sub(parts.len()));
                let source = string.source();
                let mut text = String::new();
                let mut at = string.span().start;
                for (part, value) in parts.into_iter().zip(values) {
                    // Without the spaces inside of `${ a }`.
                    text.push_str(bytes_of(source, at, part.span().start).trim_ascii_end());
                    text.push_str(&self.plain(value, false)?);
                    at = part.span().end;
                    while source.bytes().get(at as usize).is_some_and(u8::is_ascii_whitespace) {
                        at += 1;
                    }
                }
                text.push_str(bytes_of(source, at, string.span().end));
                text
            }
        }))
    }

    /// Joins operands from left to right, as the tool's grammar nests them: the last one is innermost,
    /// with the branches of a condition.
    fn operation(
        &mut self,
        operators: &[&'static str],
        has_branches: bool,
        terms: &mut Vec<Term<'py>>,
    ) -> PyResult<Term<'py>> {
        let count = operators.len() + 1 + 2 * usize::from(has_branches);
        let mut operands = terms.split_off(terms.len().saturating_sub(count)).into_iter();
        let mut text = String::new();
        for operator in operators {
            let operand =
                self.inline(operands.next().unwrap_or(Term::Text(String::new())), false)?;
            let inner = operand.strip_prefix("${").and_then(|inner| inner.strip_suffix('}'));
            text.push_str(inner.filter(|_| self.tool.has_exponents).unwrap_or(&operand));
            text.push(' ');
            text.push_str(operator);
            text.push(' ');
        }
        if has_branches {
            for (operand, before) in operands.zip(["", " ? ", " : "]) {
                text.push_str(before);
                text.push_str(&self.plain(operand, true)?);
            }
        } else if let Some(last) = operands.next() {
            text.push_str(&self.inline(last, true)?);
        }
        Ok(Term::Text(text))
    }

    fn object(&mut self, keys: &[ItemKey<'_>], terms: &mut Vec<Term<'py>>) -> PyResult<Term<'py>> {
        let dict = PyDict::new(self.py);
        let values: usize =
            keys.iter().map(|key| if matches!(key, ItemKey::Name(_)) { 1 } else { 2 }).sum();
        let mut values = terms.split_off(terms.len().saturating_sub(values)).into_iter();
        let mut next = || values.next().unwrap_or(Term::Text(String::new()));
        for key in keys {
            let key = match key {
                ItemKey::Name(name) => PyString::new(self.py, name).into_any(),
                ItemKey::Value(is_enclosed) => {
                    let key = next();
                    self.key(key, *is_enclosed)?
                }
            };
            let value = self.dollar(next())?;
            dict.set_item(key, value)?;
        }
        Ok(Term::Object(dict.into_any()))
    }

    fn key(&mut self, key: Term<'py>, is_enclosed: bool) -> PyResult<Bound<'py, PyAny>> {
        let text = match key {
            Term::Object(object) if !self.tool.has_parentheses => return Ok(object),
            key => self.plain(key, false)?,
        };
        if is_enclosed && self.tool.has_key_expressions {
            return Ok(PyString::new(self.py, &format!("${{({text})}}")).into_any());
        }
        // The quotes around an interpolation stay.
        let line = text.split('\n').next().unwrap_or_default();
        let has_interpolation = line.find("${").is_some_and(|at| line[at..].contains('}'));
        if self.tool.has_exponents && has_interpolation {
            return Ok(PyString::new(self.py, &text).into_any());
        }
        Ok(PyString::new(self.py, &without_quotes(&text, &self.tool)).into_any())
    }

    fn digits(&self, digits: &str, is_negative: bool) -> PyResult<Term<'py>> {
        if self.tool.has_exponents && digits.contains('e') {
            let sign = if is_negative { "-" } else { "" };
            return Ok(Term::Text(format!("${{{sign}{digits}}}")));
        }
        Ok(match number(self.py, digits, is_negative)? {
            Some(number) => Term::Object(number),
            None => Term::Text(digits.to_owned()),
        })
    }

    /// The text of a value as Python's `str` returns it.
    fn plain(&self, term: Term<'py>, names_null: bool) -> PyResult<String> {
        match term {
            Term::Text(text) | Term::Heredoc(text) => Ok(text),
            Term::Object(object) if object.is_none() && names_null && self.tool.has_parentheses => {
                Ok("null".to_owned())
            }
            Term::Object(object) => Ok(object.str()?.to_cow()?.into_owned()),
        }
    }

    /// The text of a value inside of another expression.
    fn inline(&self, term: Term<'py>, names_null: bool) -> PyResult<String> {
        let root = match term {
            Term::Object(object) if self.tool.is_inline && !object.is_none() => object,
            term => return self.plain(term, names_null),
        };
        let mut out = String::new();
        let mut work: Vec<Result<Bound<'py, PyAny>, &'static str>> = vec![Ok(root)];
        while let Some(next) = work.pop() {
            let object = match next {
                Ok(object) => object,
                Err(text) => {
                    out.push_str(text);
                    continue;
                }
            };
            if let Ok(list) = object.cast::<PyList>() {
                out.push('[');
                work.push(Err("]"));
                let mut elements: Vec<_> = list.iter().collect();
                elements.reverse();
                let last = elements.len();
                for (place, element) in elements.into_iter().enumerate() {
                    work.push(Ok(element));
                    if place + 1 < last {
                        work.push(Err(", "));
                    }
                }
            } else if object.is_instance_of::<PyDict>() {
                let json = self.py.import(intern!(self.py, "json"))?;
                let json = json.call_method1(intern!(self.py, "dumps"), (object,))?;
                let json: String = json.extract()?;
                // Quotes between the first `${` and the last `}` have no backslash.
                match json.find("${").zip(json.rfind('}')).filter(|(start, end)| start + 2 <= *end)
                {
                    Some((start, end)) => {
                        out.push_str(&json[..start]);
                        out.push_str(&json[start..end].replace("\\\"", "\""));
                        out.push_str(&json[end..]);
                    }
                    None => out.push_str(&json),
                }
            } else if let Ok(value) = object.cast::<PyBool>() {
                out.push_str(if value.is_true() { "true" } else { "false" });
            } else {
                out.push_str(&object.str()?.to_cow()?);
            }
        }
        Ok(out)
    }

    /// The value that a text stands for: without quotes, or in `${}`.
    fn dollar(&self, term: Term<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = match term {
            Term::Object(object) => return Ok(object),
            Term::Heredoc(text) if self.tool.is_checkov => {
                let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
                return Ok(PyString::new(self.py, inner).into_any());
            }
            Term::Text(text) | Term::Heredoc(text) => text,
        };
        let is_wrapped = text.starts_with("${") && text.ends_with('}');
        let is_type = matches!(text.as_str(), "bool" | "number" | "string");
        let text = if self.tool.is_inline && is_wrapped {
            text
        } else if is_in_quotes(&text) && (!self.tool.is_checkov || is_one_string(&text)) {
            without_quotes(&text, &self.tool)
        } else if self.tool.has_types && is_type {
            text
        } else {
            format!("${{{text}}}")
        };
        Ok(PyString::new(self.py, &text).into_any())
    }
}

/// Adds the work for an operation: all operands that are not in parentheses are on one level.
fn operation<'a>(expression: Native<'a>, work: &mut Vec<Work<'a>>) {
    let (first, branches) = match expression.construct() {
        Construct::Conditional { condition, when_true, when_false } => {
            (condition, Some([when_true, when_false]))
        }
        _ => (expression, None),
    };
    let mut operators = Vec::new();
    let mut operands = Vec::new();
    let mut open = vec![Ok(first)];
    while let Some(next) = open.pop() {
        let operand = match next {
            Ok(operand) => operand,
            Err(operator) => {
                operators.push(operator);
                continue;
            }
        };
        match operand.construct() {
            Construct::Binary(operator, left, right) if operand.enclosed().is_none() => {
                open.extend([Ok(right), Err(operator.symbol()), Ok(left)]);
            }
            _ => operands.push(operand),
        }
    }
    operands.extend(branches.into_iter().flatten());
    work.push(Work::Make(Make::Operation(operators, branches.is_some())));
    work.extend(operands.into_iter().rev().map(Work::Value));
}

/// The interpolations of a string, in order, those between directives included.
fn interpolations(string: Native<'_>) -> Vec<Native<'_>> {
    let mut found = Vec::new();
    let mut open = vec![string];
    let mut is_root = true;
    while let Some(part) = open.pop() {
        let is_string = std::mem::take(&mut is_root);
        let is_directive = written(part).starts_with(b"%{");
        if is_string && let Some(inner) = part.enclosed() {
            found.push(inner);
            continue;
        }
        // The parts that a template is joined from: the string itself, and the parts of directives.
        let is_joined = is_string || is_directive;
        match part.construct() {
            Construct::Text(_) if is_string => {}
            Construct::Template(parts) if is_joined || !is_text(part) => {
                let parts = parts.into_iter().rev();
                open.extend(parts.filter(|part| !is_literal(*part)));
            }
            Construct::Conditional { when_true, when_false, .. } if is_directive => {
                open.extend([when_false, when_true].into_iter().filter(|part| !is_literal(*part)));
            }
            Construct::For(each) if is_directive => open.push(each.value),
            _ => found.push(part),
        }
    }
    found
}

/// Whether a part of a template is literal text.
fn is_literal(part: Native<'_>) -> bool {
    matches!(part.construct(), Construct::Text(_)) && !is_text(part)
}

/// Whether a template is a string or a heredoc of its own.
fn is_text(part: Native<'_>) -> bool {
    matches!(written(part), [b'"', ..] | [b'<', b'<', ..])
}

/// A heredoc without its first and last line, in quotes. `<<-` removes the spaces that all lines
/// share, blank ones included.
fn heredoc(heredoc: Native<'_>, is_checkov: bool) -> String {
    let whole = bytes_of(heredoc.source(), heredoc.span().start, heredoc.span().end);
    let (first, rest) = whole.split_once('\n').unwrap_or((whole, ""));
    let name = first.trim_start_matches("<<").trim_start_matches('-').trim();
    let body = rest.rfind(name).map_or(rest, |end| &rest[..end]);
    let body = match is_checkov {
        true => body.rsplit_once('\n').map_or("", |(body, _)| body),
        false => body.trim_end_matches(['\n', '\t', ' ']),
    };
    if !first.starts_with("<<-") {
        return format!("\"{body}\"");
    }
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let least = body.split('\n').map(indent).min().unwrap_or(0);
    let lines: Vec<&str> = body.split('\n').map(|line| &line[least..]).collect();
    format!("\"{}\"", lines.join("\n"))
}

/// The steps of a traversal: the root's name, `.name`, `[0]`, `["key"]`.
fn steps(traversal: Traversal<'_>) -> String {
    let mut out = String::new();
    for step in traversal.steps() {
        match step.kind {
            StepKind::Root(name) => out.push_str(name),
            StepKind::Attribute(name) => {
                out.push('.');
                out.push_str(name);
            }
            StepKind::Splat => out.push_str("[*]"),
            StepKind::Index(key) => {
                let written = bytes_of(traversal.source(), step.span.start, step.span.end);
                let inner = written.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
                out.push('[');
                match (key, inner) {
                    // Of the older form, the tool keeps the first digit.
                    (Key::Number(digits), None) => out.push_str(digits.get(..1).unwrap_or(digits)),
                    (Key::Number(digits), _) => match digits.trim_start_matches('0') {
                        "" => out.push('0'),
                        digits => out.push_str(digits),
                    },
                    (Key::Bool(value), _) => out.push_str(if value { "True" } else { "False" }),
                    (Key::Null, _) => out.push_str("None"),
                    (Key::String(_), inner) => out.push_str(inner.unwrap_or(written).trim()),
                }
                out.push(']');
            }
        }
    }
    out
}

fn written(expression: Native<'_>) -> &[u8] {
    let span = expression.span();
    expression.source().bytes().get(span.start as usize..span.end as usize).unwrap_or_default()
}

fn is_in_quotes(text: &str) -> bool {
    text.len() > 1 && text.starts_with('"') && text.ends_with('"')
}

/// Whether checkov's fork takes a text in quotes for one string.
fn is_one_string(text: &str) -> bool {
    if text.starts_with("\"${") && text.ends_with("}\"") {
        return true;
    }
    let escaped = text.matches("\\\"").count() - usize::from(text.ends_with("\\\""));
    text.matches('"').count() - escaped == 2
}

/// A text without the quotes around it; the tools that resolve escapes do so one after the other.
pub(crate) fn without_quotes(text: &str, tool: &Earlier) -> String {
    if !is_in_quotes(text) {
        return text.to_owned();
    }
    let mut inner = text[1..text.len() - 1].to_owned();
    if tool.is_inline && inner.contains('\\') {
        for (escape, char) in
            [("\\n", "\n"), ("\\r", "\r"), ("\\t", "\t"), ("\\\"", "\""), ("\\\\", "\\")]
        {
            inner = inner.replace(escape, char);
        }
    }
    inner
}
