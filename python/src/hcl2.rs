//! Files in native syntax as the dictionaries of python-hcl2.

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyDict, PyList, PyString};
use simd_hcl::native::{Construct, Native};
use simd_hcl::structure::{Comment, File, FileAttribute, FileBlock, FileBody, Item};
use std::ops::Range;

use crate::comments::{self, After};
use crate::earlier;
use crate::error::conflict;
use crate::syntax::{Form, Tokens, bytes_of, comment_text, heredoc_text};
use crate::tool::Tool;
use crate::value::number;
use simd_hcl::format::TokenKind as Kind;

/// python-hcl2's `SerializationOptions`.
#[derive(Clone, Copy)]
pub(crate) struct Options {
    pub(crate) with_comments: bool,
    pub(crate) with_meta: bool,
    wrap_objects: bool,
    wrap_tuples: bool,
    pub(crate) explicit_blocks: bool,
    preserve_heredocs: bool,
    force_operation_parentheses: bool,
    preserve_scientific_notation: bool,
    pub(crate) strip_string_quotes: bool,
    /// The tool whose dictionaries are copied.
    pub(crate) tool: Option<Tool>,
}

impl Options {
    /// Whether values of JSON syntax need no native text.
    pub(crate) fn has_plain_values(&self) -> bool {
        let is_earlier = matches!(self.tool, Some(Tool::Earlier(_)));
        !(is_earlier || self.wrap_objects || self.wrap_tuples || self.force_operation_parentheses)
    }

    /// How numbers and heredocs inside of expressions are written.
    fn form(&self) -> Form {
        match (self.tool, self.preserve_heredocs) {
            (None, _) => Form::Written,
            (Some(_), true) => Form::Quoted,
            (Some(_), false) => Form::Converted(self.strip_string_quotes),
        }
    }

    /// Values instead of source text: strings without quotes, heredocs as strings.
    pub(crate) const PLAIN: Self = Self {
        with_comments: false,
        with_meta: false,
        wrap_objects: false,
        wrap_tuples: false,
        explicit_blocks: false,
        preserve_heredocs: false,
        force_operation_parentheses: false,
        preserve_scientific_notation: false,
        strip_string_quotes: true,
        tool: None,
    };

    /// Reads the attributes of an object, such as python-hcl2's own options.
    pub(crate) fn of(options: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let get = |name: &str, default: bool| match options {
            Some(options) => match options.getattr_opt(name)? {
                Some(value) => value.is_truthy(),
                None => Ok(default),
            },
            None => Ok(default),
        };
        let with_meta = get("with_meta", false)?;
        let tool = match options {
            Some(options) => options.getattr_opt("tool")?.filter(|tool| !tool.is_none()),
            None => None,
        };
        let tool = tool.map(|tool| Tool::parse(&tool.extract::<PyBackedStr>()?, with_meta));
        Ok(Self {
            tool: tool.transpose()?,
            with_comments: get("with_comments", true)?,
            with_meta,
            wrap_objects: get("wrap_objects", false)?,
            wrap_tuples: get("wrap_tuples", false)?,
            explicit_blocks: get("explicit_blocks", true)?,
            preserve_heredocs: get("preserve_heredocs", true)?,
            force_operation_parentheses: get("force_operation_parentheses", false)?,
            preserve_scientific_notation: get("preserve_scientific_notation", true)?,
            strip_string_quotes: get("strip_string_quotes", false)?,
        })
    }
}

/// Returns a file without errors as a dictionary.
pub(crate) fn file<'py>(
    py: Python<'py>,
    file: File<'_>,
    options: &Options,
) -> PyResult<Bound<'py, PyDict>> {
    if let Some(Tool::Earlier(tool)) = &options.tool {
        return earlier::file(py, file, tool);
    }
    let is_exact = options.tool.is_some();
    let comments: Vec<Comment<'_>> = match options.with_comments && !is_exact {
        true => file.comments().collect(),
        false => Vec::new(),
    };
    let mut comments = comments.into_iter().peekable();
    let result = PyDict::new(py);
    let mut open = vec![Level::new(file.body(), result.clone())];
    while let Some(level) = open.last_mut() {
        let item = level.items.next();
        // Comments up to the item belong to the body that is open.
        let until = item.map_or(level.end, |item| item.span().start);
        if is_exact && options.with_comments {
            level.run(bytes_of(file.source(), level.at, until));
        }
        while let Some(comment) = comments.next_if(|comment| comment.span().start < until) {
            level.comments.extend(comment_text(comment.text()));
        }
        match item {
            None => {
                level.finish(options)?;
                open.pop();
            }
            Some(Item::Attribute(attribute)) => {
                level.attribute(attribute, options)?;
                level.at = attribute.value_span().end;
            }
            Some(Item::Block(block)) => {
                // Those between its labels have no place in the result.
                let start = block.body().span().start;
                while comments.next_if(|comment| comment.span().start < start).is_some() {}
                let body = level.block(block, options)?;
                level.at = block.span().end;
                open.push(body);
            }
        }
    }
    Ok(result)
}

/// Returns the value of one expression.
pub(crate) fn value<'py>(
    py: Python<'py>,
    tokens: &Tokens<'_>,
    options: &Options,
) -> PyResult<Bound<'py, PyAny>> {
    Values { py, tokens, options }.value(tokens.all())
}

/// A body whose items are being read.
struct Level<'a, 'py> {
    items: Box<dyn Iterator<Item = Item<'a>> + 'a>,
    end: u32,
    result: Bound<'py, PyDict>,
    /// The lists of blocks by type.
    blocks: Bound<'py, PyDict>,
    comments: Vec<String>,
    inline: Vec<String>,
    /// The end of the last item.
    at: u32,
    /// The effect of the last attribute on the comments after it.
    after: After,
    block: Option<FileBlock<'a>>,
}

impl<'a, 'py> Level<'a, 'py> {
    fn new(body: FileBody<'a>, result: Bound<'py, PyDict>) -> Self {
        let blocks = PyDict::new(result.py());
        Self {
            items: Box::new(body.items()),
            end: body.missing_item_span().start,
            result,
            blocks,
            comments: Vec::new(),
            inline: Vec::new(),
            at: body.span().start,
            after: After::Nothing,
            block: None,
        }
    }

    /// Adds the comments between two items, as python-hcl2 finds them.
    fn run(&mut self, run: &str) {
        let texts = comments::texts(run);
        match std::mem::replace(&mut self.after, After::Nothing) {
            After::Takes | After::Drops if comments::is_inline(run) => self.inline.extend(texts),
            After::Drops => {}
            After::Takes | After::Nothing => self.comments.extend(texts),
        }
    }

    fn attribute(&mut self, attribute: FileAttribute<'a>, options: &Options) -> PyResult<()> {
        let name = attribute.name();
        if self.blocks.contains(name)? {
            return Err(conflict(attribute.source(), attribute.name_span(), name));
        }
        let mut tokens = tokens(text_of(attribute), options);
        if options.force_operation_parentheses
            && let Ok(expression) = attribute.expression()
        {
            let start = attribute.value_span().start;
            tokens.parenthesize(nested_operations(expression).map(|span| {
                (span.start.saturating_sub(start) as usize)
                    ..(span.end.saturating_sub(start) as usize)
            }));
        }
        let value = value(self.result.py(), &tokens, options)?;
        self.result.set_item(name, value)?;
        if options.tool.is_none() {
            self.inline.append(&mut tokens.comments);
        } else if options.with_comments {
            let (inline, after) = comments::of_expression(attribute.text());
            self.inline.extend(inline);
            self.after = after;
        }
        Ok(())
    }

    /// Adds a block. Returns the level of its body.
    fn block(&mut self, block: FileBlock<'a>, options: &Options) -> PyResult<Self> {
        let py = self.result.py();
        let block_type = block.block_type();
        let list = match self.blocks.get_item(block_type)? {
            Some(list) => list.cast_into::<PyList>().map_err(PyErr::from)?,
            None if self.result.contains(block_type)? => {
                return Err(conflict(block.source(), block.type_span(), block_type));
            }
            None => {
                let list = PyList::empty(py);
                self.blocks.set_item(block_type, &list)?;
                self.result.set_item(block_type, &list)?;
                list
            }
        };
        let body = PyDict::new(py);
        let mut outer = body.clone();
        let labels: Vec<_> = block.labels().zip(block.label_spans()).collect();
        for (label, span) in labels.into_iter().rev() {
            let written = bytes_of(block.source(), span.start, span.end);
            let inner = written.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
            let mut exact = String::new();
            let key = match inner {
                Some(_) if !options.strip_string_quotes => written,
                // python-hcl2 keeps `$${`.
                Some(inner) if options.tool.is_some() => {
                    unescape(inner, &mut exact);
                    &exact
                }
                _ => label,
            };
            let next = PyDict::new(py);
            next.set_item(key, outer)?;
            outer = next;
        }
        list.append(outer)?;
        let inner = Self::new(block.body(), body);
        // After the brace.
        Ok(Self { block: Some(block), at: inner.at + 1, ..inner })
    }

    /// Adds what is not an attribute or a block.
    fn finish(&mut self, options: &Options) -> PyResult<()> {
        if options.with_comments {
            add_comments(&self.result, "__comments__", &self.comments)?;
            add_comments(&self.result, "__inline_comments__", &self.inline)?;
        }
        let Some(block) = self.block else { return Ok(()) };
        if options.with_meta {
            let (start, end) = block.source().range(block.span());
            self.result.set_item("__start_line__", start.line)?;
            self.result.set_item("__end_line__", end.line)?;
        }
        if options.explicit_blocks {
            self.result.set_item("__is_block__", true)?;
        }
        Ok(())
    }
}

/// Adds comments to a body, if there are any.
pub(crate) fn add_comments(
    body: &Bound<'_, PyDict>,
    name: &str,
    comments: &[String],
) -> PyResult<()> {
    if comments.is_empty() {
        return Ok(());
    }
    let list = PyList::empty(body.py());
    for text in comments {
        let comment = PyDict::new(body.py());
        comment.set_item("value", text)?;
        list.append(comment)?;
    }
    body.set_item(name, list)
}

/// The tokens of an expression, as the options write them.
pub(crate) fn tokens<'t>(text: &'t str, options: &Options) -> Tokens<'t> {
    let mut tokens = Tokens::new(text);
    tokens.form = options.form();
    tokens
}

/// Whether a number stays text.
pub(crate) fn is_text(digits: &str, options: &Options) -> bool {
    options.preserve_scientific_notation && digits.contains(['e', 'E'])
}

/// Returns the key of an item.
pub(crate) fn key(py: Python<'_>, tokens: &Tokens<'_>, options: &Options) -> PyResult<String> {
    Values { py, tokens, options }.key(&tokens.all())
}

/// The text of an expression, with the line feed that ends a heredoc.
pub(crate) fn text_of(attribute: FileAttribute<'_>) -> &str {
    let span = attribute.value_span();
    let source = attribute.source();
    let rest = source.bytes().get(span.end as usize..).unwrap_or_default();
    let line_feed = match rest {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => 0,
    };
    bytes_of(source, span.start, span.end + line_feed)
}

/// The operations inside of operations that are not in parentheses, as `force_operation_parentheses`
/// wants them.
fn nested_operations(root: Native<'_>) -> std::vec::IntoIter<simd_hcl::Span> {
    let mut found = Vec::new();
    // Whether an operation is a part of an expression, and whether it is in parentheses.
    let mut open = vec![(root, false)];
    while let Some((expression, is_nested)) = open.pop() {
        let construct = expression.construct();
        let first = match &construct {
            Construct::Binary(_, left, _) => Some(left.span().start),
            Construct::Conditional { condition, .. } => Some(condition.span().start),
            Construct::Unary(_, operand) => Some(operand.span().start.saturating_sub(1)),
            _ => None,
        };
        let span = expression.span();
        let text = expression.source().bytes();
        let opens = text.get(span.start as usize).copied();
        let has_parentheses = opens == Some(b'(')
            && !matches!(first, Some(first) if first == span.start && opens != Some(b'-'));
        if has_parentheses {
            continue;
        }
        let is_directive = opens == Some(b'%');
        let is_operation = first.is_some() && !is_directive && opens != Some(b'"');
        if is_operation && is_nested {
            found.push(span);
        }
        let nests = match construct {
            Construct::For(_) => true,
            _ => is_operation,
        };
        open.extend(expression.operands().into_iter().map(|operand| (operand, nests)));
    }
    found.into_iter()
}

/// Converts the values of one expression.
struct Values<'v, 't, 'py> {
    py: Python<'py>,
    tokens: &'v Tokens<'t>,
    options: &'v Options,
}

/// A container whose elements are being converted.
enum Container<'py> {
    List(Bound<'py, PyList>),
    Dict(Bound<'py, PyDict>),
}

impl<'py> Values<'_, '_, 'py> {
    /// Converts a part. Containers are kept on a stack, since they may nest deeply.
    fn value(&self, part: Range<usize>) -> PyResult<Bound<'py, PyAny>> {
        let (result, container) = self.one(&part)?;
        let mut open: Vec<(Container<'py>, usize, usize)> = Vec::new();
        open.extend(container.map(|container| (container, part.start + 1, part.end - 1)));
        while let Some((container, at, end)) = open.last_mut() {
            let (key, value) = match container {
                Container::List(_) => match self.tokens.element(*at, *end) {
                    Some((value, next)) => {
                        *at = next;
                        (None, value)
                    }
                    None => {
                        open.pop();
                        continue;
                    }
                },
                Container::Dict(_) => match self.tokens.item(*at, *end) {
                    Some((key, value, next)) => {
                        *at = next;
                        (Some(self.key(&key)?), value)
                    }
                    None => {
                        open.pop();
                        continue;
                    }
                },
            };
            let (converted, inner) = self.one(&value)?;
            match (container, key) {
                (Container::Dict(dict), Some(key)) => dict.set_item(key, converted)?,
                (Container::List(list), _) => list.append(converted)?,
                (Container::Dict(_), None) => {}
            }
            open.extend(inner.map(|container| (container, value.start + 1, value.end - 1)));
        }
        Ok(result)
    }

    /// Converts a value; a container without its elements.
    fn one(&self, part: &Range<usize>) -> PyResult<(Bound<'py, PyAny>, Option<Container<'py>>)> {
        let (py, tokens) = (self.py, self.tokens);
        let scalar = |value: Bound<'py, PyAny>| Ok((value, None));
        if part.is_empty() {
            return scalar(py.None().into_bound(py));
        }
        let (kind, text) = (tokens.kind(part.start), tokens.text(part.start));
        match kind {
            Kind::BracketOpen
                if !self.options.wrap_tuples
                    && tokens.is_one(part)
                    && !tokens.opens_for(part.start) =>
            {
                let list = PyList::empty(py);
                return Ok((list.clone().into_any(), Some(Container::List(list))));
            }
            Kind::BraceOpen
                if !self.options.wrap_objects
                    && tokens.is_one(part)
                    && !tokens.opens_for(part.start) =>
            {
                let dict = PyDict::new(py);
                return Ok((dict.clone().into_any(), Some(Container::Dict(dict))));
            }
            Kind::QuoteOpen if tokens.is_one(part) => {
                return scalar(PyString::new(py, &self.string(part)).into_any());
            }
            Kind::HeredocOpen if tokens.is_one(part) => {
                return scalar(PyString::new(py, &self.heredoc(part)).into_any());
            }
            Kind::Identifier if part.len() == 1 => {
                return scalar(match text {
                    "true" => true.into_pyobject(py)?.to_owned().into_any(),
                    "false" => false.into_pyobject(py)?.to_owned().into_any(),
                    "null" => py.None().into_bound(py),
                    name => PyString::new(py, name).into_any(),
                });
            }
            Kind::Number if part.len() == 1 => {
                if let Some(number) = self.number(text, false)? {
                    return scalar(number);
                }
            }
            Kind::ParenthesisOpen if self.options.tool.is_some() && tokens.is_one(part) => {
                if let Some(text) = self.enclosed(part)? {
                    return scalar(text);
                }
            }
            Kind::Minus
                if part.len() == 2
                    && tokens.kind(part.start + 1) == Kind::Number
                    && !self.options.force_operation_parentheses =>
            {
                if let Some(number) = self.number(tokens.text(part.start + 1), true)? {
                    return scalar(number);
                }
            }
            _ => {}
        }
        let mut text = "${".to_owned();
        tokens.write(part.clone(), &mut text);
        text.push('}');
        scalar(PyString::new(py, &text).into_any())
    }

    /// A value in parentheses as python-hcl2 writes it: by Python's rules, if it is not an
    /// expression. Returns `None` for expressions.
    fn enclosed(&self, part: &Range<usize>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let mut inner = part.clone();
        let mut depth = 0;
        while self.tokens.kind(inner.start) == Kind::ParenthesisOpen && self.tokens.is_one(&inner) {
            inner = self.tokens.element(inner.start + 1, inner.end - 1).map_or(0..0, |it| it.0);
            depth += 1;
            if inner.is_empty() {
                return Ok(None);
            }
        }
        let is_nested = self.tokens.element(inner.start, inner.end).is_some_and(|it| it.0 != inner)
            || (inner.clone()).any(|at| self.tokens.kind(at) == Kind::ParenthesisOpen);
        // Parentheses in parentheses would recurse.
        if is_nested {
            return Ok(None);
        }
        let value = self.value(inner)?;
        let text = value.str()?;
        let text = text.to_cow()?;
        if text.starts_with("${") && text.ends_with('}') {
            return Ok(None);
        }
        let (open, close) = ("(".repeat(depth), ")".repeat(depth));
        Ok(Some(PyString::new(self.py, &format!("${{{open}{text}{close}}}")).into_any()))
    }

    /// Returns `None` for a number that stays text.
    fn number(&self, digits: &str, is_negative: bool) -> PyResult<Option<Bound<'py, PyAny>>> {
        if is_text(digits, self.options) {
            return Ok(None);
        }
        number(self.py, digits, is_negative)
    }

    fn key(&self, part: &Range<usize>) -> PyResult<String> {
        let is_word = part.len() == 1
            && matches!(self.tokens.kind(part.start), Kind::Identifier | Kind::Number);
        if is_word {
            return Ok(self.tokens.text(part.start).to_owned());
        }
        if self.tokens.kind(part.start) == Kind::QuoteOpen && self.tokens.is_one(part) {
            return Ok(self.string(part));
        }
        let mut text = "${".to_owned();
        self.tokens.write(part.clone(), &mut text);
        text.push('}');
        Ok(text)
    }

    fn string(&self, part: &Range<usize>) -> String {
        let mut text = String::new();
        if self.options.strip_string_quotes {
            self.parts(part.start + 1..part.end - 1, &mut text, unescape);
        } else {
            self.tokens.write(part.clone(), &mut text);
        }
        text
    }

    /// Writes the parts of a template, with its literal text converted.
    fn parts(&self, part: Range<usize>, out: &mut String, literal: fn(&str, &mut String)) {
        let mut place = part.start;
        while place < part.end {
            let after = self.tokens.after(place);
            match self.tokens.kind(place) {
                Kind::Quoted | Kind::Text => literal(self.tokens.text(place), out),
                _ => self.tokens.write(place..after, out),
            }
            place = after;
        }
    }

    fn heredoc(&self, part: &Range<usize>) -> String {
        let strip = self.options.strip_string_quotes;
        if self.options.tool.is_some() && !self.options.preserve_heredocs {
            return heredoc_text(self.tokens.source(part), strip);
        }
        let inner = match self.options.preserve_heredocs {
            true => self.tokens.source(part).trim_end().to_owned(),
            false => self.heredoc_text(part),
        };
        if strip { inner } else { format!("\"{inner}\"") }
    }

    /// The text of a heredoc as the template of a string. `<<-` removes the indentation that all
    /// lines share: lines of space do not count, a line that starts with an interpolation has none.
    fn heredoc_text(&self, part: &Range<usize>) -> String {
        // Lines of literal text, and everything else as it is written.
        let mut pieces: Vec<(bool, bool, String)> = Vec::new();
        let mut is_start = true;
        let mut place = part.start + 1;
        while place < part.end - 1 {
            let after = self.tokens.after(place);
            if self.tokens.kind(place) == Kind::Text {
                for line in self.tokens.text(place).split_inclusive('\n') {
                    pieces.push((true, is_start, line.to_owned()));
                    is_start = line.ends_with('\n');
                }
            } else {
                let mut text = String::new();
                self.tokens.write(place..after, &mut text);
                pieces.push((false, std::mem::take(&mut is_start), text));
            }
            place = after;
        }
        let indent = |line: &str| line.chars().take_while(|char| char.is_whitespace()).count();
        let is_blank = |line: &str| line.trim().is_empty() && line.ends_with('\n');
        let lines = pieces.iter().filter(|(_, is_start, line)| *is_start && !is_blank(line));
        let least = match self.tokens.text(part.start).starts_with("<<-") {
            true => lines.map(|(is_text, _, line)| if *is_text { indent(line) } else { 0 }).min(),
            false => None,
        };
        let mut out = String::new();
        for (is_text, is_start, line) in &pieces {
            let cut = if *is_start && !is_blank(line) { least.unwrap_or(0) } else { 0 };
            let start = line.char_indices().nth(cut).map_or(line.len(), |(at, _)| at);
            match *is_text && !self.options.strip_string_quotes {
                true => escape(&line[start..], &mut out),
                false => out.push_str(&line[start..]),
            }
        }
        out
    }
}

/// Writes literal text as it is written between quotes.
pub(crate) fn escape(text: &str, out: &mut String) {
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            char => out.push(char),
        }
    }
}

/// Writes text between quotes without its escapes.
fn unescape(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let mut chars = rest.chars();
        let digits = match chars.next() {
            Some('n') => Err('\n'),
            Some('r') => Err('\r'),
            Some('t') => Err('\t'),
            Some('u') => Ok(4),
            Some('U') => Ok(8),
            Some(char) => Err(char),
            None => break,
        };
        let char = match digits {
            Err(char) => Some(char),
            Ok(len) => {
                let code = rest.get(1..=len).and_then(|hex| u32::from_str_radix(hex, 16).ok());
                chars = rest.get(1 + len..).unwrap_or_default().chars();
                code.map(|code| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
            }
        };
        out.extend(char);
        rest = chars.as_str();
    }
    out.push_str(rest);
}
